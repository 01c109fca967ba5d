#include "find_textures.h"

#include "image/decoded_image.h"

#include <math.h>
#include <string.h>

#define MAX_IMAGE_FILE ((size_t)256 << 20)

static lm_alpha alpha_of(const lm_image *image) {
    return image->opaque ? LM_ALPHA_OPAQUE
                         : lmi_pixels_alpha(image->pixels, (size_t)image->width * image->height);
}

static bool is_portable(const lm_image *image) {
    return strcmp(image->format, "jpeg") == 0 || strcmp(image->format, "png") == 0;
}

/* Replaces an image's bytes by a PNG, unless writing it has failed. */
static bool use_png(bool written, lm_buffer *png, lm_asset_image *decoded) {
    lm_buffer_free(written ? &decoded->bytes : png);
    if (written)
        decoded->bytes = *png;
    return written;
}

/* Lets the texture have the image's bytes. */
static bool use_bytes(const lm_asset_image *decoded, const char *mime, lm_scene_texture *texture) {
    texture->mime = mime;
    texture->data = decoded->bytes.data;
    texture->size = decoded->bytes.size;
    return true;
}

static bool make_portable(lm_asset_image *decoded, lm_scene_texture *texture, lm_error *error) {
    const lm_image *image = decoded->image;
    lm_buffer png = {.allocator = decoded->bytes.allocator};
    if (!is_portable(image) && !use_png(lmi_image_write_png(image, &png, error), &png, decoded))
        return false;
    return use_bytes(decoded, strcmp(image->format, "jpeg") == 0 ? "image/jpeg" : "image/png",
                     texture);
}

/* Converts `count` pixels of 4 bytes to the meaning of lm_map. */
static void convert_pixels(lm_map map, uint8_t *pixels, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint8_t *pixel = pixels + 4 * i;
        if (map == LM_MAP_ROUGHNESS) {
            /* Red is the slope of the microfacets between 0.05 and 0.95, the square of glTF's
             * roughness. Green and blue scale reflections, which roughness does not. */
            const float slope = fminf(fmaxf((float)pixel[0] / UINT8_MAX, 0.05f), 0.95f);
            pixel[0] = pixel[3] = UINT8_MAX;
            pixel[1] = (uint8_t)lrintf(sqrtf(slope) * UINT8_MAX);
            pixel[2] = 0;
        } else { /* alpha scales the colour of a glow, and not its coverage */
            for (unsigned k = 0; k < 3; k++)
                pixel[k] = (uint8_t)((pixel[k] * pixel[3] + UINT8_MAX / 2) / UINT8_MAX);
            pixel[3] = UINT8_MAX;
        }
    }
}

/* Stores a map with another meaning than lm_map's as a converted PNG. */
static bool convert_map(lm_map map, lm_asset_image *decoded, lm_scene_texture *texture,
                        lm_error *error) {
    const lm_image *image = decoded->image;
    const size_t count = (size_t)image->width * image->height;
    lm_buffer png = {.allocator = decoded->bytes.allocator}, pixels = png;
    lm_buffer_append(&pixels, image->pixels, 4 * count);
    if (!pixels.failed)
        convert_pixels(map, pixels.data, count);
    const bool written = pixels.failed ? lmi_fail_memory(error)
                                       : lm_pixels_write(pixels.data, image->width, image->height,
                                                         LM_PIXELS_PNG, NULL, &png, error);
    lm_buffer_free(&pixels);
    return use_png(written, &png, decoded) && use_bytes(decoded, "image/png", texture);
}

bool lmi_images_make_portable(lm_images *images, uint32_t decoded, lm_error *error) {
    return images->textures[decoded].mime ||
           make_portable(&images->images[decoded], &images->textures[decoded], error);
}

/* Reports damage that was repaired. */
static void report_repairs(lm_context *c, const lm_image_ref *ref, const lm_image *image) {
    for (uint32_t i = 0; i < image->num_warnings; i++)
        if (image->warnings[i].code == LM_CODE_BAD_IMAGE)
            lmi_context_add(c, LM_SUBJECT_TEXTURE, LM_SEVERITY_WARNING, LM_CODE_BAD_IMAGE, c->path,
                            "texture %s is repaired: %s", ref->shown, image->warnings[i].text);
}

/* Decodes the image's bytes, or the pixels embedded in the model. */
static bool decode(lm_context *c, const lm_settings *settings, const lm_image_ref *ref,
                   lm_images *images, lm_asset_image *decoded, lm_scene_texture *texture,
                   lm_error *error) {
    const lm_assets_options *options = settings->options;
    const lm_model *model = ref->model;
    lm_image_options how = {
        .memory.allocator = decoded->bytes.allocator,
        .max_pixels = options->max_pixels,
        .repair = options->load.repair,
        .palette = !settings->palette && model ? images->palette : settings->palette,
        .transparent_255 = options->transparent_255 || (model && model->transparent_255)};
    const bool stays = !model && options->images != LM_IMAGES_PORTABLE && !ref->map;
    images->in_memory.bytes += stays ? decoded->bytes.size : 0;
    lm_image *image = decoded->image =
        model   ? lmi_image_of_indices(model->skin_width, model->skin_height,
                                       model->embedded_skins[ref->skin].pixels, model->palette, &how,
                                       error)
        : stays ? lmi_image_read_within(&images->in_memory, decoded->bytes.data,
                                        decoded->bytes.size, &how, error)
                : lm_image_read(decoded->bytes.data, decoded->bytes.size, &how, error);
    if (!image)
        return false;
    report_repairs(c, ref, image);
    images->any_indexed = images->any_indexed || image->indices;
    texture->alpha = alpha_of(image);
    if (ref->map) {
        /* Store a map as a file without pixels, which exporters need. */
        const lm_map map = (lm_map)(ref->map - 1);
        const bool differs = map == LM_MAP_ROUGHNESS || (map == LM_MAP_EMISSIVE && !image->opaque);
        const bool done = differs ? convert_map(map, decoded, texture, error)
                                  : make_portable(decoded, texture, error);
        lm_image_free(image);
        decoded->image = NULL;
        return done;
    }
    if (options->images == LM_IMAGES_PORTABLE) {
        bool done = make_portable(decoded, texture, error);
        lm_image_free(image);
        decoded->image = NULL;
        return done;
    }
    texture->width = image->width;
    texture->height = image->height;
    texture->pixels = image->pixels;
    if (is_portable(image))
        return make_portable(decoded, texture, error);
    lm_buffer_free(&decoded->bytes);
    return true;
}

static bool read_bytes(lm_vfs *vfs, const lm_texture_names *names, const lm_image_ref *ref,
                       lm_buffer *bytes, lm_error *error) {
    if (ref->model)
        return true;
    if (ref->given)
        return lm_vfs_read(vfs, ref->path, MAX_IMAGE_FILE, bytes, error);
    const lm_files *files = names->search->sources[ref->source].files;
    return lmi_view_read(files, ref->inside, MAX_IMAGE_FILE, bytes, error);
}

/* Makes room for another image. */
static bool grow(lm_context *c, lm_images *i) {
    return lmi_arena_grow(c->arena, &i->images, &i->image_capacity, i->count + (size_t)1,
                          sizeof *i->images) &&
           lmi_arena_grow(c->arena, &i->textures, &i->texture_capacity, i->count + (size_t)1,
                          sizeof *i->textures);
}

static void set_problem(lm_context *c, const lm_error *error, lm_image_ref *ref) {
    if (lmi_ran_out(c->arena, error))
        return;
    ref->problem = lmi_copy_text(c->arena, error->message);
    ref->code = error->code;
}

/* Reads and keeps an image. */
static void read_image(lm_context *c, const lm_texture_names *names, lm_image_ref *ref,
                       lm_images *i) {
    const char *path =
        ref->model ? lmi_arena_printf(c->arena, "%s/%s", ref->path, ref->name) : ref->path;
    /* An image may be a map and a skin. */
    const char *key = ref->map ? lmi_arena_printf(c->arena, "%u:%s", ref->map, path) : path;
    const lm_name *known = path && key ? lmi_names_find(&i->by_path, key) : NULL;
    if (known)
        ref->image = known->number;
    if (!path || !key || known)
        return;
    lm_asset_image decoded = {.path = path, .bytes.allocator = *lmi_vfs_memory(c->vfs)};
    lm_scene_texture texture = {.name = lmi_vfs_base_name(c->vfs, path)};
    lm_error error;
    if (!grow(c, i))
        return;
    if (!read_bytes(c->vfs, names, ref, &decoded.bytes, &error) ||
        !decode(c, names->settings, ref, i, &decoded, &texture, &error)) {
        lm_buffer_free(&decoded.bytes);
        set_problem(c, &error, ref);
        return;
    }
    i->images[i->count] = decoded;
    i->textures[i->count] = texture;
    ref->image = i->count++;
    i->by_path.arena = c->arena;
    lm_name *name = lmi_names_put(&i->by_path, key);
    if (name)
        name->number = ref->image;
}

/* Reads an image only to learn whether it can be used. */
static void try_image(lm_context *c, const lm_texture_names *names, lm_image_ref *ref) {
    const lm_assets_options *options = names->settings->options;
    const lm_image_options how = {.memory.allocator = *lmi_vfs_memory(c->vfs),
                                  .max_pixels = options->max_pixels,
                                  .repair = options->load.repair};
    lm_buffer bytes = {.allocator = how.memory.allocator};
    lm_error error;
    lm_image *image = NULL;
    if (!read_bytes(c->vfs, names, ref, &bytes, &error) ||
        !(image = lm_image_read(bytes.data, bytes.size, &how, &error)))
        set_problem(c, &error, ref);
    else
        report_repairs(c, ref, image);
    lm_image_free(image);
    lm_buffer_free(&bytes);
}

bool lmi_images_read_group(lm_context *c, const lm_model *model, uint32_t skin, const char *path,
                           const lm_palette *palette, lm_images *i, lm_error *error) {
    const lm_embedded_skin *group = &model->embedded_skins[skin];
    const size_t size = (size_t)model->skin_width * model->skin_height;
    const lm_image_options how = {.memory.allocator = *lmi_vfs_memory(c->vfs),
                                  .palette = palette,
                                  .transparent_255 = model->transparent_255};
    const char *first = lmi_arena_printf(c->arena, "%s/%s", path, model->skins[skin]);
    const lm_name *known = first ? lmi_names_find(&i->by_path, first) : NULL;
    for (uint32_t k = 0; known && k < group->num_images; k++) {
        const uint32_t at = k == 0 ? known->number : i->count;
        const char *name = lmi_arena_printf(c->arena, "%s_%u", first, (unsigned)k);
        lm_image *image = NULL;
        if (!name || !grow(c, i))
            return lmi_fail_memory(error);
        if (k > 0 &&
            !(image = lmi_image_of_indices(model->skin_width, model->skin_height,
                                           group->pixels + k * size, model->palette, &how, error)))
            return false;
        if (image) {
            i->images[i->count] =
                (lm_asset_image){.image = image, .bytes.allocator = how.memory.allocator};
            i->textures[i->count++] = (lm_scene_texture){.width = image->width,
                                                         .height = image->height,
                                                         .pixels = image->pixels,
                                                         .alpha = alpha_of(image)};
        }
        i->images[at].path = name;
        i->textures[at].name = lmi_vfs_base_name(c->vfs, name);
    }
    return first || lmi_fail_memory(error);
}

/* Finds the palette of the game whose files surround a model with embedded skins. */
static void find_palette(lm_context *c, const lm_search_path *search, lm_images *images) {
    images->looked_for_palette = true;
    for (uint32_t i = 0; i < search->count && !images->palette; i++)
        images->palette = lmi_palette_in(c->vfs, search->sources[i].files, c->arena);
}

/* Drawing needs all images of a script, everything else only the material's texture. */
bool lmi_image_use(lm_context *c, const lm_texture_names *names, lm_image_ref *ref,
                   lm_images *images) {
    const lm_image_mode mode = names->settings->options->images;
    ref->problem = NULL;
    if (mode != LM_IMAGES_PIXELS && !ref->is_texture && !ref->map)
        return true;
    if (mode == LM_IMAGES_FOUND) {
        if (!ref->model)
            try_image(c, names, ref);
        return !ref->problem;
    }
    if (ref->model && !names->settings->palette && !images->looked_for_palette)
        find_palette(c, names->search, images);
    read_image(c, names, ref, images);
    return !ref->problem;
}

void lmi_images_close(lm_images *images) {
    for (uint32_t i = 0; i < images->count; i++) {
        lm_buffer_free(&images->images[i].bytes);
        lm_image_free(images->images[i].image);
    }
}
