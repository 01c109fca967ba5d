#include "images.h"

#include <string.h>

#define MAX_PICTURE_FILE ((size_t)256 << 20)

/* Returns the alpha mode that games would use: a test if alpha is only 0 or 255, else blending. */
static lm_alpha alpha_of(const lm_image *image) {
    size_t count = (size_t)image->width * image->height;
    if (image->opaque)
        return LM_ALPHA_OPAQUE;
    for (size_t i = 0; i < count; i++)
        if (image->pixels[4 * i + 3] != 0 && image->pixels[4 * i + 3] != UINT8_MAX)
            return LM_ALPHA_BLEND;
    return LM_ALPHA_MASK;
}

static bool is_portable(const lm_image *image) {
    return strcmp(image->format, "jpeg") == 0 || strcmp(image->format, "png") == 0;
}

static bool make_portable(lm_asset_picture *picture, lm_scene_texture *texture, lm_error *error) {
    const lm_image *image = picture->image;
    if (!is_portable(image)) {
        lm_buffer png = {.allocator = picture->bytes.allocator};
        if (!lm_image_write_png(image, &png, error)) {
            lm_buffer_free(&png);
            return false;
        }
        lm_buffer_free(&picture->bytes);
        picture->bytes = png;
    }
    texture->mime = strcmp(image->format, "jpeg") == 0 ? "image/jpeg" : "image/png";
    texture->data = picture->bytes.data;
    texture->size = picture->bytes.size;
    return true;
}

bool lm_images_make_portable(lm_images *images, uint32_t picture, lm_error *error) {
    return images->textures[picture].mime ||
           make_portable(&images->pictures[picture], &images->textures[picture], error);
}

/* Decodes the image's bytes, or the pixels embedded in the model. */
static bool decode(const lm_settings *settings, const lm_sought *sought, lm_asset_picture *picture,
                   lm_scene_texture *texture, lm_error *error) {
    const lm_assets_options *options = settings->options;
    const lm_model *model = sought->model;
    const lm_image_options how = {.memory.allocator = picture->bytes.allocator,
                                  .max_pixels = options->max_pixels,
                                  .palette = settings->palette,
                                  .transparent_255 =
                                      options->transparent_255 || (model && model->holes)};
    lm_image *image = picture->image =
        model ? lm_image_of_indices(model->skin_width, model->skin_height,
                                    model->embedded_skins[sought->skin].pixels, model->palette,
                                    &how, error)
              : lm_image_read(picture->bytes.data, picture->bytes.size, &how, error);
    if (!image)
        return false;
    texture->alpha = alpha_of(image);
    if (options->pictures == LM_PICTURES_PORTABLE) {
        bool made = make_portable(picture, texture, error);
        lm_image_free(image);
        picture->image = NULL;
        return made;
    }
    texture->width = image->width;
    texture->height = image->height;
    texture->pixels = image->pixels;
    if (is_portable(image))
        return make_portable(picture, texture, error);
    lm_buffer_free(&picture->bytes);
    return true;
}

static bool read_bytes(lm_disk *disk, const lm_naming *naming, const lm_sought *sought,
                       lm_buffer *bytes, lm_error *error) {
    if (sought->model)
        return true;
    if (sought->given)
        return lm_disk_append(disk, sought->path, MAX_PICTURE_FILE, bytes, error);
    const lm_files *files = naming->places->sources[sought->root].files;
    return files->read(files->user, sought->inside, MAX_PICTURE_FILE, bytes, error);
}

/* Reads an image that was found, once for all textures that show it. */
static void read_picture(lm_context *c, const lm_naming *naming, lm_sought *sought, lm_images *i) {
    const char *path = sought->model
                           ? lm_arena_printf(c->arena, "%s/%s", sought->path, sought->name)
                           : sought->path;
    const lm_name *known = path ? lm_names_find(&i->by_path, path) : NULL;
    if (known)
        sought->picture = known->number;
    if (!path || known)
        return;
    lm_asset_picture picture = {.path = path, .bytes.allocator = *lm_disk_memory(c->disk)};
    lm_scene_texture texture = {.name = lm_disk_base_name(c->disk, path)};
    lm_error error;
    if (!lm_arena_grow(c->arena, &i->pictures, &i->picture_capacity, i->count + (size_t)1,
                       sizeof *i->pictures) ||
        !lm_arena_grow(c->arena, &i->textures, &i->texture_capacity, i->count + (size_t)1,
                       sizeof *i->textures))
        return;
    if (!read_bytes(c->disk, naming, sought, &picture.bytes, &error) ||
        !decode(naming->settings, sought, &picture, &texture, &error)) {
        lm_buffer_free(&picture.bytes);
        if (lm_starved(c->arena, &error))
            return;
        sought->problem = lm_copy_text(c->arena, error.message);
        sought->code = error.code;
        return;
    }
    i->pictures[i->count] = picture;
    i->textures[i->count] = texture;
    sought->picture = i->count++;
    i->by_path.arena = c->arena;
    lm_name *name = lm_names_put(&i->by_path, path);
    if (name)
        name->number = sought->picture;
}

/* Reads a script's images: all of them for drawing, else only the material's texture. */
bool lm_images_read(lm_context *c, const lm_naming *naming, lm_found_list *list, uint32_t first,
                    lm_images *images) {
    const lm_pictures wanted = naming->settings->options->pictures;
    for (uint32_t i = first; i < list->count && wanted < LM_PICTURES_FOUND; i++) {
        lm_found *found = &list->textures[i];
        for (uint32_t k = 0; k < found->script.num_pictures; k++)
            if (found->pictures[k].path &&
                (wanted == LM_PICTURES_PIXELS || found->pictures[k].is_texture))
                read_picture(c, naming, &found->pictures[k], images);
        if (found->own.path)
            read_picture(c, naming, &found->own, images);
    }
    return !lm_arena_failed(c->arena);
}

void lm_images_close(lm_images *images) {
    for (uint32_t i = 0; i < images->count; i++) {
        lm_buffer_free(&images->pictures[i].bytes);
        lm_image_free(images->pictures[i].image);
    }
}
