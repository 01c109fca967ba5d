/* Reads the images of parts, as encoded files. */
#include "core/crc.h"
#include "gltf.h"

#include <stdio.h>
#include <string.h>

typedef struct lm_im_sum {
    bool known, found;
    char text[9];
} lm_im_sum;

typedef struct lm_im_sums {
    uint64_t bytes; /* that were added */
    lm_im_sum *images;
} lm_im_sums;

/* Returns the image of a material's texture; IM_NONE if there is none of a supported kind. */
static uint32_t image_of_texture(const lm_im_gltf *gltf, lm_im_ref texture) {
    uint64_t index;
    if (!lmi_im_integer(lmi_im_member(texture, "index"), &index) || index >= gltf->textures.count ||
        !lmi_im_integer(lmi_im_member(gltf->textures.refs[index], "source"), &index) ||
        index >= gltf->images.count)
        return IM_NONE;
    return (uint32_t)index;
}

const char *lmi_im_image_name(importing *im, const lm_im_gltf *gltf, uint32_t image) {
    if (image == IM_NONE)
        return "";
    const lm_im_ref ref = gltf->images.refs[image];
    const char *name = lmi_im_string(im, lmi_im_member(ref, "name"));
    const char *file = lmi_im_string(im, lmi_im_member(ref, "uri"));
    const bool is_file = name && file && *file && strncmp(file, "data:", 5) != 0;
    const bool named = name && *name && im->options->weapon && gltf->own_export;
    return is_file && !named ? file : file ? name : NULL;
}

/* ---- Images of parts ------------------------------------------------------------------------- */

static uint32_t read_material_image(const lm_im_gltf *gltf, lm_im_ref material) {
    const lm_im_ref pbr = lmi_im_member(material, "pbrMetallicRoughness");
    return image_of_texture(gltf, lmi_im_member(pbr, "baseColorTexture"));
}

bool lmi_im_read_materials(importing *im, lm_im_gltf *gltf) {
    uint32_t *images = lmi_arena_alloc(im->arena, gltf->materials.count, sizeof *images);
    const lm_im_ref extension =
        lmi_im_member(lmi_im_member(gltf->root, "extensions"), "KHR_materials_variants");
    for (uint32_t i = 0; images && i < gltf->materials.count; i++)
        images[i] = read_material_image(gltf, gltf->materials.refs[i]);
    gltf->material_images = images;
    gltf->sums = lmi_arena_zeros(im->arena, 1, sizeof *gltf->sums);
    if (gltf->sums)
        gltf->sums->images = lmi_arena_zeros(im->arena, gltf->images.count, sizeof(lm_im_sum));
    if (im->options->images && gltf->images.count > 0)
        gltf->num_variants = lmi_im_count(lmi_im_member(extension, "variants"));
    return images && gltf->sums && gltf->sums->images;
}

static uint32_t image_of_material(const lm_im_gltf *gltf, uint32_t material) {
    return material < gltf->materials.count ? gltf->material_images[material] : IM_NONE;
}

/* Reads the images of variants in which the primitive has another material. */
static void read_mappings(const lm_im_gltf *gltf, lm_im_ref primitive, uint32_t count,
                          uint32_t *images) {
    const lm_im_ref extension =
        lmi_im_member(lmi_im_member(primitive, "extensions"), "KHR_materials_variants");
    const lm_im_ref list = lmi_im_member(extension, "mappings");
    for (lm_im_ref e = lmi_im_first(list); e; e = lmi_im_next(list, e)) {
        uint64_t material, variant;
        const lm_im_ref variants = lmi_im_member(e, "variants");
        if (!lmi_im_integer(lmi_im_member(e, "material"), &material) ||
            material >= gltf->materials.count)
            continue;
        for (lm_im_ref v = lmi_im_first(variants); v; v = lmi_im_next(variants, v))
            if (lmi_im_integer(v, &variant) && variant < count)
                images[variant] = image_of_material(gltf, (uint32_t)material);
    }
}

bool lmi_im_read_variants(importing *im, const lm_im_gltf *gltf, lm_im_ref primitive,
                          uint32_t material, const uint32_t **out) {
    const uint32_t count = lmi_im_num_variants(gltf);
    if (!im->options->images || gltf->images.count == 0)
        return true;
    uint32_t *images = lmi_arena_zeros(im->arena, count, sizeof *images);
    for (uint32_t i = 0; images && i < count; i++)
        images[i] = image_of_material(gltf, material);
    if (images)
        read_mappings(gltf, primitive, gltf->num_variants, images);
    *out = images;
    return images != NULL;
}

/* ---- Image data ------------------------------------------------------------------------------ */

static void put_bytes(lm_import_image *out, lm_im_bytes bytes) {
    out->data = bytes.size > 0 ? bytes.data : NULL;
    out->size = (size_t)bytes.size;
}

bool lmi_im_read_image(importing *im, const char *location, const char *uri, lm_import_image *out) {
    lm_im_bytes bytes = {NULL, 0};
    lm_error error = {.code = LM_CODE_OK};
    importing quiet = *im;
    quiet.error = &error;
    if (*uri && !lmi_im_read_uri(&quiet, location, uri, &bytes)) {
        bytes.size = 0;
        if (!im->reason)
            im->reason = lmi_copy_text(im->arena, error.message);
    }
    if (lmi_arena_failed(im->arena) || error.code == LM_CODE_OUT_OF_MEMORY ||
        error.code == LM_CODE_LIMIT) {
        if (im->error)
            *im->error = error;
        return false;
    }
    put_bytes(out, bytes);
    return true;
}

static bool read_image(importing *im, const lm_im_gltf *gltf, uint32_t index,
                       lm_import_image *out) {
    const lm_im_ref ref = gltf->images.refs[index];
    uint64_t view;
    if (lmi_im_integer(lmi_im_member(ref, "bufferView"), &view) && view < gltf->num_views) {
        put_bytes(out, gltf->views[view].bytes);
        return true;
    }
    const char *uri = lmi_im_string(im, lmi_im_member(ref, "uri"));
    return uri &&
           lmi_im_read_image(im, lmi_im_location(im, "images[%u]", (unsigned)index), uri, out);
}

#define MOST_SUMMED (1u << 28) /* bytes: many images may be the same ones */

bool lmi_im_has_sum(importing *im, const lm_im_gltf *gltf, uint32_t image, lm_im_ref sum,
                    bool *has) {
    lm_im_sum *known = image != IM_NONE && sum ? &gltf->sums->images[image] : NULL;
    lm_import_image file = {.data = NULL};
    if (known && !known->known && !read_image(im, gltf, image, &file))
        return false;
    if (known && !known->known && file.data && file.size <= MOST_SUMMED - gltf->sums->bytes) {
        gltf->sums->bytes += file.size;
        known->found = true;
        snprintf(known->text, sizeof known->text, "%08x",
                 (unsigned)lmi_crc32(0, file.data, file.size));
    }
    if (known)
        known->known = true;
    *has = !known || !known->found || lmi_im_is_string(sum, known->text);
    return true;
}

static bool note_missing(importing *im, const char *name) {
    const char *sentence = "an image of a surface is missing or cannot be read";
    if (*name && im->diagnostics[IM_IMAGE].count == 0)
        sentence = lmi_arena_printf(
            im->arena, "the image \"%s\" of a surface is missing or cannot be read: %s", name,
            im->reason ? im->reason : "it is empty");
    lmi_im_note(im, IM_IMAGE, sentence);
    return sentence != NULL;
}

bool lmi_im_fill_images(importing *im, uint32_t count, lm_im_image_filler *fill, const void *user) {
    const lm_import *import = im->import;
    const uint32_t all = import->num_variants * import->mesh->num_surfaces;
    if (!im->options->images || count == 0)
        return true;
    lm_import_image *images = lmi_arena_zeros(im->arena, count, sizeof *images);
    bool *surface_images = lmi_arena_zeros(im->arena, count, sizeof *surface_images);
    if (!images || !surface_images)
        return false;
    for (uint32_t i = 0; i < all; i++)
        if (import->surface_images[i] != LM_IMPORT_NO_IMAGE)
            surface_images[import->surface_images[i]] = true;
    for (uint32_t i = 0; i < count; i++) {
        im->reason = NULL;
        if (!fill(im, user, i, surface_images[i], &images[i]) ||
            (surface_images[i] && !images[i].data && !note_missing(im, images[i].name)))
            return false;
    }
    im->import->images = images;
    im->import->num_images = count;
    return true;
}

/* Finds the images whose alpha a material uses for transparency. */
static bool *find_transparent(importing *im, const lm_im_gltf *gltf) {
    bool *transparent = lmi_arena_zeros(im->arena, gltf->images.count, sizeof *transparent);
    for (uint32_t i = 0; transparent && i < gltf->materials.count; i++) {
        const lm_im_ref mode = lmi_im_member(gltf->materials.refs[i], "alphaMode");
        const uint32_t image = image_of_material(gltf, i);
        if (image != IM_NONE && (lmi_im_is_string(mode, "MASK") || lmi_im_is_string(mode, "BLEND")))
            transparent[image] = true;
    }
    return transparent;
}

typedef struct lm_im_gltf_images {
    const lm_im_gltf *gltf;
    const bool *transparent;
} lm_im_gltf_images;

static bool fill(importing *im, const void *user, uint32_t index, bool surface_images,
                 lm_import_image *out) {
    const lm_im_gltf_images *from = user;
    out->transparent = from->transparent[index];
    return (out->name = lmi_im_image_name(im, from->gltf, index)) != NULL &&
           (!surface_images || read_image(im, from->gltf, index, out));
}

bool lmi_im_read_images(importing *im, const lm_im_gltf *gltf) {
    if (!im->options->images || gltf->images.count == 0)
        return true;
    const lm_im_gltf_images from = {gltf, find_transparent(im, gltf)};
    return from.transparent && lmi_im_fill_images(im, gltf->images.count, fill, &from);
}

bool lmi_im_bind_images(importing *im, uint32_t num_variants, uint32_t num_surfaces,
                        const uint32_t *const *images) {
    uint32_t *surface_images =
        lmi_arena_zeros(im->arena, (uint64_t)num_variants * num_surfaces, sizeof *surface_images);
    for (uint32_t d = 0; surface_images && d < num_variants; d++)
        for (uint32_t s = 0; s < num_surfaces; s++)
            surface_images[(size_t)d * num_surfaces + s] = images[s] ? images[s][d] : IM_NONE;
    im->import->surface_images = surface_images;
    im->import->num_variants = num_variants;
    return surface_images != NULL;
}

uint32_t lmi_im_num_variants(const lm_im_gltf *gltf) {
    return gltf->num_variants > 0 ? gltf->num_variants : 1;
}
