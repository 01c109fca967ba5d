/* Pictures found and read. */
#include "opening.h"

#include "core/report.h"
#include "system.h"

#include <string.h>

#define MAX_PICTURE_FILE ((size_t)256 << 20)

/* ---- Finding ------------------------------------------------------------------------------- */

static bool find(const lm_lookup *lookup, const lm_sought *sought, lm_texture *found) {
    if (!sought->is_guess)
        return lm_texture_find(&lookup->search, sought->name, found);
    *found = (lm_texture){.found = true, .root = lookup->own};
    memcpy(found->path, sought->name, strlen(sought->name) + 1);
    return true;
}

static void seek_file(lm_opening *o, const lm_lookup *lookup, lm_sought *sought) {
    lm_texture texture;
    bool found = find(lookup, sought, &texture);
    o->pool.failed = o->pool.failed || texture.starved;
    sought->unsafe = texture.unsafe;
    sought->num_tried = texture.num_tried;
    if (!found)
        return;
    const lm_shelf *shelf = &lookup->shelves[texture.root];
    sought->root = texture.root;
    sought->inside = lm_pool_text(&o->pool, texture.path, strlen(texture.path));
    sought->path = lm_shelf_path(shelf, texture.path, &o->pool);
    sought->shown = lm_join(&o->pool, shelf->files->name, texture.path);
}

void lm_seek_picture(lm_opening *o, const lm_lookup *lookup, lm_sought *sought) {
    sought->picture = LM_NO_TEXTURE;
    if (sought->model) {
        sought->path = sought->shown = lookup->path;
    } else if (sought->given) {
        sought->path = sought->shown = sought->name;
    } else {
        seek_file(o, lookup, sought);
    }
}

/* ---- Reading ------------------------------------------------------------------------------- */

/* Games test alpha where it is all or nothing, and mix where there is more between. */
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

bool lm_make_portable(lm_asset_picture *picture, lm_scene_texture *texture, lm_error *error) {
    const lm_image *image = picture->image;
    if (!is_portable(image)) {
        lm_buffer png = {0};
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

/* Reads the bytes, or the pixels that the model itself has. */
static bool decode(const lm_opening *o, const lm_sought *sought, lm_asset_picture *picture,
                   lm_scene_texture *texture, lm_error *error) {
    const lm_assets_options *options = o->settings.options;
    const lm_model *model = sought->model;
    const lm_image_options how = {.memory.allocator = options->load.memory.allocator,
                                  .max_pixels = options->max_pixels,
                                  .palette = o->settings.palette,
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
        bool made = lm_make_portable(picture, texture, error);
        lm_image_free(image);
        picture->image = NULL;
        return made;
    }
    texture->width = image->width;
    texture->height = image->height;
    texture->pixels = image->pixels;
    if (is_portable(image))
        return lm_make_portable(picture, texture, error);
    lm_buffer_free(&picture->bytes);
    return true;
}

static bool read_bytes(const lm_opening *o, const lm_lookup *lookup, const lm_sought *sought,
                       lm_buffer *bytes, lm_error *error) {
    if (sought->model)
        return true;
    if (!sought->given) {
        const lm_files *files = lookup->roots[sought->root].files;
        return files->read(files->user, sought->inside, MAX_PICTURE_FILE, bytes, error);
    }
    lm_file file;
    if (!lm_disk_read(o->disk, sought->path, MAX_PICTURE_FILE, &file, error))
        return false;
    lm_buffer_append(bytes, file.data, file.size);
    lm_file_free(&file);
    return !bytes->failed || lm_fail_memory(error);
}

static bool find_picture(const lm_opening *o, const char *path, uint32_t *index) {
    for (*index = 0; *index < o->scene.num_textures; ++*index)
        if (strcmp(o->pictures[*index].path, path) == 0)
            return true;
    return false;
}

void lm_read_picture(lm_opening *o, const lm_lookup *lookup, lm_sought *sought) {
    uint32_t count = o->scene.num_textures;
    const char *path = sought->model ? lm_pool_printf(&o->pool, "%s/%s", sought->path, sought->name)
                                     : sought->path;
    if (!path)
        return;
    lm_asset_picture picture = {.path = path};
    lm_scene_texture texture = {.name = lm_disk_base_name(o->disk, path)};
    lm_error error;
    if (find_picture(o, path, &sought->picture))
        return;
    sought->picture = LM_NO_TEXTURE;
    if (!lm_pool_grow(&o->pool, (void **)&o->pictures, &o->picture_capacity, count,
                      sizeof *o->pictures) ||
        !lm_pool_grow(&o->pool, (void **)&o->textures, &o->texture_capacity, count,
                      sizeof *o->textures))
        return;
    if (!read_bytes(o, lookup, sought, &picture.bytes, &error) ||
        !decode(o, sought, &picture, &texture, &error)) {
        lm_buffer_free(&picture.bytes);
        if (lm_pool_starved(&o->pool, error.code))
            return;
        sought->problem = lm_pool_text(&o->pool, error.message, strlen(error.message));
        sought->code = error.code;
        return;
    }
    o->pictures[count] = picture;
    o->textures[count] = texture;
    sought->picture = count;
    o->scene.num_textures++;
}
