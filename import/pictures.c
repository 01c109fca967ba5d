/* The pictures that parts wear, as the files that they are. */
#include "pictures.h"

#include <string.h>

uint32_t lm_im_image_of(const lm_im_gltf *gltf, lm_im_ref texture) {
    const lm_im_json *json = &gltf->json;
    uint64_t index;
    if (!lm_im_whole(json, lm_im_member(json, texture, "index"), &index) ||
        index >= gltf->textures.count ||
        !lm_im_whole(json, lm_im_member(json, gltf->textures.refs[index], "source"), &index) ||
        index >= gltf->images.count)
        return IM_NONE;
    return (uint32_t)index;
}

const char *lm_im_image_name(importing *im, const lm_im_gltf *gltf, uint32_t image) {
    const lm_im_json *json = &gltf->json;
    if (image == IM_NONE)
        return "";
    const lm_im_ref ref = gltf->images.refs[image];
    const char *text = lm_im_string(im, json, lm_im_member(json, ref, "uri"));
    if (text && *text && strncmp(text, "data:", 5) != 0)
        return text;
    return text ? lm_im_string(im, json, lm_im_member(json, ref, "name")) : NULL;
}

/* ---- Which part wears what ------------------------------------------------------------------ */

static uint32_t variants_of(const lm_im_gltf *gltf) {
    const lm_im_json *json = &gltf->json;
    const lm_im_ref extension =
        lm_im_member(json, lm_im_member(json, IM_ROOT, "extensions"), "KHR_materials_variants");
    return lm_im_count(json, lm_im_member(json, extension, "variants"));
}

static uint32_t image_of_material(const lm_im_gltf *gltf, uint32_t material) {
    const lm_im_json *json = &gltf->json;
    if (material >= gltf->materials.count)
        return IM_NONE;
    const lm_im_ref ref = gltf->materials.refs[material];
    return lm_im_image_of(gltf, lm_im_member(json, lm_im_member(json, ref, "pbrMetallicRoughness"),
                                             "baseColorTexture"));
}

/* The materials of variants, where the primitive has others for them. */
static void read_mappings(const lm_im_gltf *gltf, lm_im_ref primitive, uint32_t count,
                          uint32_t *dress) {
    const lm_im_json *json = &gltf->json;
    const lm_im_ref extension =
        lm_im_member(json, lm_im_member(json, primitive, "extensions"), "KHR_materials_variants");
    const lm_im_ref list = lm_im_member(json, extension, "mappings");
    for (lm_im_ref e = lm_im_first(json, list); e; e = lm_im_next(json, list, e)) {
        uint64_t material, variant;
        const lm_im_ref variants = lm_im_member(json, e, "variants");
        if (!lm_im_whole(json, lm_im_member(json, e, "material"), &material) ||
            material >= gltf->materials.count)
            continue;
        for (lm_im_ref v = lm_im_first(json, variants); v; v = lm_im_next(json, variants, v))
            if (lm_im_whole(json, v, &variant) && variant < count)
                dress[variant] = image_of_material(gltf, (uint32_t)material);
    }
}

bool lm_im_read_dress(importing *im, const lm_im_gltf *gltf, lm_im_ref primitive, uint32_t material,
                      const uint32_t **out) {
    const uint32_t variants = variants_of(gltf), count = variants > 0 ? variants : 1;
    if (!im->options->pictures || gltf->images.count == 0)
        return true;
    uint32_t *dress = lm_im_alloc(im, count, sizeof *dress);
    for (uint32_t i = 0; dress && i < count; i++)
        dress[i] = image_of_material(gltf, material);
    if (dress)
        read_mappings(gltf, primitive, variants, dress);
    *out = dress;
    return dress != NULL;
}

/* ---- Their bytes ---------------------------------------------------------------------------- */

/* Whether memory ran out; else what cannot be read is left out, which is said. */
static bool read_image(importing *im, const lm_im_gltf *gltf, uint32_t index,
                       lm_import_picture *out) {
    const lm_im_json *json = &gltf->json;
    const lm_im_ref ref = gltf->images.refs[index];
    uint64_t view;
    lm_im_bytes bytes = {NULL, 0};
    lm_error error = {.code = LM_CODE_OK};
    importing quiet = *im;
    if (lm_im_whole(json, lm_im_member(json, ref, "bufferView"), &view) && view < gltf->num_views) {
        bytes = (lm_im_bytes){gltf->views[view].data, (size_t)gltf->views[view].size};
    } else {
        const char *uri = lm_im_string(im, json, lm_im_member(json, ref, "uri"));
        if (!uri)
            return false;
        quiet.error = &error;
        if (*uri &&
            !lm_im_read_uri(&quiet, lm_im_place(im, "images[%u]", (unsigned)index), uri, &bytes))
            bytes.size = 0;
        if (error.code == LM_CODE_OUT_OF_MEMORY || error.code == LM_CODE_LIMIT) {
            if (im->error)
                *im->error = error;
            return false;
        }
    }
    out->data = bytes.size > 0 ? bytes.data : NULL;
    out->size = (size_t)bytes.size;
    if (!out->data)
        lm_im_find(im, IM_PICTURE,
                   "a picture that a surface wears is not there, or cannot be read");
    return true;
}

/* What a picture's alpha is for is said by materials. */
static void find_transparent(const lm_im_gltf *gltf, lm_import_picture *pictures) {
    const lm_im_json *json = &gltf->json;
    for (uint32_t i = 0; i < gltf->materials.count; i++) {
        const lm_im_ref mode = lm_im_member(json, gltf->materials.refs[i], "alphaMode");
        const uint32_t image = image_of_material(gltf, i);
        if (image != IM_NONE &&
            (lm_im_is_string(json, mode, "MASK") || lm_im_is_string(json, mode, "BLEND")))
            pictures[image].transparent = true;
    }
}

bool lm_im_read_pictures(importing *im, const lm_im_gltf *gltf) {
    const uint32_t count = gltf->images.count,
                   all = im->wearing.num_dresses * im->wearing.num_surfaces;
    if (!im->options->pictures || count == 0)
        return true;
    lm_import_picture *pictures = lm_im_alloc(im, count, sizeof *pictures);
    bool *worn = lm_im_alloc(im, count, sizeof *worn);
    if (!pictures || !worn)
        return false;
    for (uint32_t i = 0; i < all; i++)
        if (im->wearing.worn[i] != LM_IMPORT_NO_PICTURE)
            worn[im->wearing.worn[i]] = true;
    for (uint32_t i = 0; i < count; i++)
        if (!(pictures[i].name = lm_im_image_name(im, gltf, i)) ||
            (worn[i] && !read_image(im, gltf, i, &pictures[i])))
            return false;
    find_transparent(gltf, pictures);
    im->wearing.pictures = pictures;
    im->wearing.num_pictures = count;
    return true;
}

bool lm_im_wear(importing *im, uint32_t num_dresses, uint32_t num_surfaces,
                const uint32_t *const *dresses) {
    uint32_t *worn = lm_im_alloc(im, (uint64_t)num_dresses * num_surfaces, sizeof *worn);
    for (uint32_t d = 0; worn && d < num_dresses; d++)
        for (uint32_t s = 0; s < num_surfaces; s++)
            worn[(size_t)d * num_surfaces + s] = dresses[s] ? dresses[s][d] : IM_NONE;
    im->wearing.worn = worn;
    im->wearing.num_dresses = num_dresses;
    im->wearing.num_surfaces = num_surfaces;
    return worn != NULL;
}

uint32_t lm_im_dresses(const lm_im_gltf *gltf) {
    const uint32_t variants = gltf->images.count > 0 ? variants_of(gltf) : 0;
    return variants > 0 ? variants : 1;
}
