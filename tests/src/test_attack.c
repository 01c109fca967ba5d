/* Tests with malicious files from the corpus's folder attack/: each broke a guarantee once. */
#include "documents.h"
#include "skipping.h"

#include <unistd.h>

/* Returns false if there is no such corpus. */
static bool find_attack(const char *name, blob *file) {
    char path[4096];
    const char *corpus = getenv("LERPMESH_CORPUS");
    snprintf(path, sizeof path, "%s/attack/%s", corpus ? corpus : "", name);
    if (!corpus || access(path, R_OK) != 0)
        return false;
    *file = blob_read(path);
    return true;
}

#define FIND_ATTACK(name, file)        \
    do {                               \
        if (!find_attack(name, file))  \
            SKIP("there is no " name); \
    } while (0)

/* Samples each frame, and between it and the last: all poses in one call, each alone, and into a
 * target without a fast path. */
static void sample_all(const lm_model *model) {
    lm_vec3 min, max;
    (void)lm_model_bounds(model, 0, model->num_frames, &min, &max);
    for (uint32_t s = 0; s < model->num_surfaces; s++) {
        AT_END(drop_bytes)
        float *out = malloc((size_t)20 * model->surfaces[s].num_vertices * sizeof *out + 1);
        const lm_sample_target targets[] = {
            {.positions = out, .normals = out + 3, .stride = 24},
            {.positions = out},
            {.normals = out},
            {.packed_normals = (int8_t *)out},
            {.positions = out, .packed_normals = (int8_t *)(out + 7), .stride = 40}};
        for (uint32_t f = 0; f < model->num_frames; f++) {
            const lm_pose poses[] = {{f, f, 0}, {f, model->num_frames - 1, 0.5f}};
            for (size_t t = 0; t < COUNT_OF(targets); t++)
                assert_int_equal(lm_sample(model, s, poses, 2, &targets[t]), LM_CODE_OK);
        }
    }
}

/* Loads strictly and with repair, samples, and inspects. */
static void use(const blob *file, bool sound) {
    lm_error error = {0};
    for (int repair = 0; repair < 2; repair++) {
        const lm_load_options options = {.repair = repair};
        OWNED(lm_model) *model = lm_load_memory(file->data, file->size, &options, &error);
        if (!model && sound)
            fail_msg("%s", error.message);
        if (!model) {
            assert_error_valid(&error);
            continue;
        }
        assert_model_valid(model);
        sample_all(model);
    }
    lm_report_free(lm_check_memory(file->data, file->size, NULL, &error));
    lm_layout_free(lm_layout_memory(file->data, file->size, NULL, &error));
}

/* An empty array's address is NULL; adding to it is undefined, which the sanitizer reports. */
TEST(null_pointers_are_not_offset) {
    blob file;
    FIND_ATTACK("01-null-plus-zero.mdc", &file);
    use(&file, true);
    blob_free(&file);
    FIND_ATTACK("06-null-plus-zero-ranges.bin", &file);
    use(&file, false);
    blob_free(&file);
}

/* Writing a written file again gives the same bytes, even if empty lumps share an offset. */
TEST(writing_again_changes_nothing) {
    AT_END(blob_free) blob file;
    FIND_ATTACK("05-mdc-write-not-idempotent.mdc", &file);
    void *document = read_document(&mdc_documents, &file);
    AT_END(blob_free) blob once = write_document(&mdc_documents, document);
    assert_round_trip(&mdc_documents, "05, written", &once);
    mdc_documents.free(document);
}
