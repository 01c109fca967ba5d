/* Lists what a file itself contains: the lumps of any format, and the names that its document has.
 * A document shows a file as it is, with bytes that a model leaves out. */
#include <lerpmesh/lerpmesh.h>

#include <stdio.h>

static bool print_md2(const void *data, size_t size, lm_error *error) {
    lm_md2 *md2 = lm_md2_read(data, size, NULL, error);
    for (int32_t i = 0; md2 && i < md2->num_skins; i++)
        printf("skin %.64s\n", (const char *)md2->skins + i * LM_MD2_SKIN_SIZE);
    lm_md2_free(md2);
    return md2 != NULL;
}

static bool print_md3(const void *data, size_t size, lm_error *error) {
    lm_md3 *md3 = lm_md3_read(data, size, NULL, error);
    for (int32_t i = 0; md3 && i < md3->num_surfaces; i++)
        printf("surface %.64s\n", (const char *)md3->surfaces[i].name);
    lm_md3_free(md3);
    return md3 != NULL;
}

static bool print_mdc(const void *data, size_t size, lm_error *error) {
    lm_mdc *mdc = lm_mdc_read(data, size, NULL, error);
    for (int32_t i = 0; mdc && i < mdc->num_tags; i++)
        printf("tag %.64s\n", (const char *)mdc->tag_names + i * LM_MDC_TAG_NAME_SIZE);
    lm_mdc_free(mdc);
    return mdc != NULL;
}

static bool print_mdl(const void *data, size_t size, lm_error *error) {
    lm_mdl *mdl = lm_mdl_read(data, size, NULL, error);
    for (int32_t i = 0; mdl && i < mdl->num_frames; i++)
        printf("frame %.16s\n", (const char *)mdl->frames[i].poses + 8);
    lm_mdl_free(mdl);
    return mdl != NULL;
}

static bool print_mds(const void *data, size_t size, lm_error *error) {
    lm_mds *mds = lm_mds_read(data, size, NULL, error);
    for (int32_t i = 0; mds && i < mds->num_bones; i++)
        printf("bone %.64s\n", (const char *)mds->bones + i * LM_MDS_BONE_SIZE);
    lm_mds_free(mds);
    return mds != NULL;
}

int main(int argc, char **argv) {
    static bool (*const print[])(const void *, size_t, lm_error *) = {
        print_md2, print_md3, print_mdc, print_mdl, print_mds};
    static uint8_t data[1 << 24];
    lm_error error = {.message = "usage: documents MODEL"};
    FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
    const size_t size = file ? fread(data, 1, sizeof data, file) : 0;
    lm_layout *layout = argc > 1 ? lm_layout_memory(data, size, NULL, &error) : NULL;
    for (uint32_t i = 0; layout && i < layout->num_lumps; i++)
        printf("%8llu %s\n", (unsigned long long)layout->lumps[i].offset, layout->lumps[i].name);
    bool done = false;
    for (int i = 0; layout && i < 5 && !done; i++) /* each rejects the other formats */
        done = print[i](data, size, &error);
    if (!done)
        fprintf(stderr, "%s\n", error.message);
    lm_layout_free(layout);
    if (file)
        fclose(file);
    return done ? 0 : 1;
}
