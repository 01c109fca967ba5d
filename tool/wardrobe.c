#include "textures.h"

#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_COMPARED 256 /* names that are missing; beyond, they count each time */
#define MAX_PICTURE_FILE (256u << 20)

/* ---- Pictures ---------------------------------------------------------------------------------
 */

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

/* Makes a PNG of what glTF does not know. */
static bool make_portable(const lm_image *image, lm_buffer *bytes, lm_scene_texture *texture,
                          lm_error *error) {
    bool ok = true;
    texture->mime = strcmp(image->format, "jpeg") == 0 ? "image/jpeg" : "image/png";
    if (strcmp(image->format, "jpeg") != 0 && strcmp(image->format, "png") != 0) {
        lm_buffer png = {0};
        ok = lm_image_write_png(image, &png, error);
        lm_buffer_free(bytes);
        *bytes = png;
    }
    texture->data = bytes->data;
    texture->size = bytes->size;
    return ok;
}

/* Decodes a file's bytes, to see that they are a picture. */
static bool decode(const tool_texture_settings *settings, tool_picture *picture,
                   lm_scene_texture *texture, lm_error *error) {
    lm_image_options options = {.palette = settings->has_palette ? &settings->palette : NULL,
                                .transparent_255 = settings->transparent_255};
    lm_image *image = lm_image_read(picture->bytes.data, picture->bytes.size, &options, error);
    if (!image)
        return false;
    texture->alpha = alpha_of(image);
    if (settings->as_pixels) {
        lm_buffer_free(&picture->bytes);
        picture->image = image;
        return true;
    }
    bool ok = make_portable(image, &picture->bytes, texture, error);
    lm_image_free(image);
    return ok;
}

static bool read_bytes(const tool_lookup *lookup, const tool_texture *found, lm_buffer *bytes,
                       lm_error *error) {
    if (!found->given) {
        const lm_files *files = lookup->places[found->result.place].files;
        return files->read(files->user, found->result.path, MAX_PICTURE_FILE, bytes, error);
    }
    lm_file file;
    if (!tool_file_read(found->name, MAX_PICTURE_FILE, &file, error))
        return false;
    lm_buffer_append(bytes, file.data, file.size);
    lm_file_close(&file);
    return !bytes->failed;
}

static bool grow(tool_wardrobe *w) {
    if (w->num_pictures < w->capacity)
        return true;
    uint32_t capacity = w->capacity ? w->capacity * 2 : 16;
    tool_picture *pictures = realloc(w->pictures, capacity * sizeof *pictures);
    if (pictures)
        w->pictures = pictures;
    lm_scene_texture *textures = realloc(w->textures, capacity * sizeof *textures);
    if (textures)
        w->textures = textures;
    if (pictures && textures)
        w->capacity = capacity;
    return pictures && textures;
}

/* Where a texture is, in one line; to be freed. */
static char *key_of(const tool_lookup *lookup, const tool_texture *found) {
    const char *place = found->given ? "" : lookup->places[found->result.place].files->name;
    const char *path = found->given ? found->name : found->result.path;
    bool slash = *place && place[strlen(place) - 1] != '/';
    size_t size = strlen(place) + strlen(path) + 2;
    char *key = malloc(size);
    if (key)
        snprintf(key, size, "%s%s%s", place, slash ? "/" : "", path);
    return key;
}

static bool find_picture(const tool_wardrobe *w, const char *key, uint32_t *index) {
    for (*index = 0; *index < w->num_pictures; ++*index)
        if (strcmp(w->pictures[*index].key, key) == 0)
            return true;
    return false;
}

/* Loads a picture that was found, once. False for want of memory; a picture that cannot be read
 * is a remark, and `index` LM_NO_TEXTURE. */
static bool load_picture(tool_job *job, tool_wardrobe *w, const tool_lookup *lookup,
                         const tool_texture *found, uint32_t *index) {
    tool_picture picture = {.key = key_of(lookup, found)};
    lm_scene_texture texture = {0};
    lm_error error;
    if (!picture.key || !grow(w) || find_picture(w, picture.key, index)) {
        bool ok = picture.key && w->num_pictures < w->capacity;
        free(picture.key);
        return ok;
    }
    texture.name = tool_base_name(picture.key); /* the rest is nobody else's business */
    if (!read_bytes(lookup, found, &picture.bytes, &error) ||
        !decode(lookup->settings, &picture, &texture, &error)) {
        if (!tool_has(lookup->settings->args, TOOL_QUIET))
            tool_say(job, "the texture %s is not used: %s", picture.key, error.message);
        lm_buffer_free(&picture.bytes);
        free(picture.key);
        *index = LM_NO_TEXTURE;
        return true;
    }
    *index = w->num_pictures;
    w->pictures[*index] = picture;
    w->textures[w->num_pictures++] = texture;
    return true;
}

/* ---- Skins ------------------------------------------------------------------------------------
 */

static bool is_new_name(const lm_buffer *missing, const char *name) {
    const char *text = (const char *)missing->data;
    size_t length = strlen(name);
    for (size_t at = 0; at < missing->size; at += strlen(text + at) + 1)
        if (strlen(text + at) == length && strcmp(text + at, name) == 0)
            return false;
    return true;
}

static void note_missing(tool_wardrobe *w, const tool_texture *found) {
    const char *name = found->name;
    if (!*name) /* standard input without names: there is nothing to look for */
        return;
    if (w->num_missing < MAX_COMPARED && !is_new_name(&w->missing, name))
        return;
    lm_buffer_append(&w->missing, name, strlen(name) + 1);
    w->num_missing++;
}

static bool dress_surface(tool_job *job, tool_wardrobe *w, const tool_lookup *lookup,
                          uint32_t surface, uint32_t skin, lm_scene_material *material) {
    tool_texture found;
    tool_lookup_find(lookup, surface, skin, &found);
    if (found.result.unsafe && !tool_has(lookup->settings->args, TOOL_QUIET))
        tool_say(job, "[%s] the texture name %s leads out of where textures are looked up",
                 lm_code_name(LM_CODE_UNSAFE_PATH), found.name);
    if (found.given || found.result.found) {
        if (!load_picture(job, w, lookup, &found, &material->texture))
            return false;
    } else {
        note_missing(w, &found);
    }
    return true;
}

/* What a material is called: as without textures, but for the other skins of an MD2. */
static const char *material_name(const tool_scene *scene, uint32_t part, uint32_t surface,
                                 uint32_t skin) {
    const lm_model *model = scene->parts[part].model;
    const lm_surface *s = &model->surfaces[surface];
    if (s->num_materials > 0 && s->materials[0].name[0])
        return s->materials[0].name;
    if (skin < model->num_skins && model->skins[skin][0])
        return model->skins[skin];
    return scene->parts[part].name;
}

static bool dress_skin(tool_job *job, tool_wardrobe *w, const tool_lookup *lookup,
                       const tool_scene *scene, uint32_t part, uint32_t skin) {
    const lm_model *model = scene->parts[part].model;
    lm_scene_material *materials = calloc(model->num_surfaces + (size_t)1, sizeof *materials);
    if (!materials)
        return false;
    bool listed = skin < model->num_skins && model->skins[skin][0];
    w->skins[part][skin] = (lm_scene_skin){listed ? model->skins[skin] : "default", materials};
    bool ok = true;
    for (uint32_t i = 0; i < model->num_surfaces; i++) {
        materials[i] = (lm_scene_material){material_name(scene, part, i, skin), LM_NO_TEXTURE};
        if (model->surfaces[i].num_triangles > 0)
            ok = ok && dress_surface(job, w, lookup, i, skin, &materials[i]);
    }
    return ok;
}

static bool has_texture(const lm_scene_skin *skin, uint32_t num_surfaces) {
    for (uint32_t i = 0; i < num_surfaces; i++)
        if (skin->materials[i].texture != LM_NO_TEXTURE)
            return true;
    return false;
}

/* Wears the first skin of which something was found; a model that has none stays as it is. */
static void choose_skin(tool_scene *scene, const tool_wardrobe *w, uint32_t part,
                        uint32_t num_skins) {
    lm_scene_part *p = &scene->parts[part];
    for (uint32_t skin = 0; skin < num_skins; skin++)
        if (has_texture(&w->skins[part][skin], p->model->num_surfaces)) {
            p->skins = w->skins[part];
            p->num_skins = num_skins;
            p->skin = skin;
            return;
        }
}

static bool dress_part(tool_job *job, const tool_texture_settings *settings, tool_scene *scene,
                       tool_wardrobe *w, uint32_t part) {
    const tool_member *member = &scene->members[part];
    tool_lookup lookup;
    if (!tool_lookup_open(job, settings, member->path, &member->input, &lookup))
        return false;
    lookup.attached = part > 0;
    uint32_t num_skins = tool_lookup_skins(&lookup);
    w->has_named_skin |= lookup.has_named_skin;
    w->skins[part] = calloc(num_skins + (size_t)1, sizeof **w->skins); /* ends with an empty one */
    bool ok = w->skins[part];
    for (uint32_t skin = 0; ok && skin < num_skins; skin++)
        ok = dress_skin(job, w, &lookup, scene, part, skin);
    if (ok)
        choose_skin(scene, w, part, num_skins);
    else
        tool_fail(job, "there is not enough memory");
    tool_lookup_close(&lookup);
    return ok;
}

bool tool_wardrobe_fill(tool_job *job, const tool_texture_settings *settings, tool_scene *scene,
                        tool_wardrobe *w) {
    *w = (tool_wardrobe){.num_parts = scene->scene.num_parts};
    w->skins = (lm_scene_skin **)calloc(w->num_parts, sizeof(void *));
    bool ok = w->skins;
    if (!ok)
        tool_fail(job, "there is not enough memory");
    for (uint32_t part = 0; ok && part < w->num_parts; part++)
        ok = dress_part(job, settings, scene, w, part);
    scene->scene.textures = w->textures;
    scene->scene.num_textures = w->num_pictures;
    return ok;
}

void tool_wardrobe_tell(tool_job *job, const tool_texture_settings *settings,
                        const tool_wardrobe *w) {
    const uint32_t most = 4;
    const char *text = (const char *)w->missing.data;
    lm_buffer names = {0};
    size_t at = 0;
    for (uint32_t i = 0; i < w->num_missing && i < most; i++) {
        lm_buffer_printf(&names, "%s%s", i > 0 ? ", " : "", text + at);
        at += strlen(text + at) + 1;
    }
    if (w->num_missing > most)
        lm_buffer_printf(&names, " and %u more", w->num_missing - most);
    lm_buffer_append(&names, "", 1);
    if (settings->skin_name && !w->has_named_skin && w->num_parts > 0)
        tool_say(job, "there is no file %s, and no ..._%s.skin beside the model",
                 settings->skin_name, settings->skin_name);
    if (w->num_missing > 0 && !names.failed)
        tool_say(job, "no texture was found for %s; info shows what was tried",
                 (const char *)names.data);
    lm_buffer_free(&names);
}

/* ---- Files ------------------------------------------------------------------------------------
 */

static bool is_named_already(const tool_wardrobe *w, uint32_t end, const char *uri) {
    for (uint32_t i = 0; i < end; i++)
        if (tool_same_text(w->pictures[i].uri, uri))
            return true;
    return false;
}

bool tool_wardrobe_name_files(tool_wardrobe *w, const char *stem) {
    for (uint32_t i = 0; i < w->num_pictures; i++) {
        size_t length;
        const char *file = tool_stem(w->pictures[i].key, &length);
        const char *end = strcmp(w->textures[i].mime, "image/png") == 0 ? ".png" : ".jpg";
        size_t size = strlen(stem) + length + 24;
        char *uri = w->pictures[i].uri = malloc(size);
        if (!uri)
            return false;
        snprintf(uri, size, "%s_%.*s%s", stem, (int)length, file, end);
        for (unsigned n = 2; is_named_already(w, i, uri); n++)
            snprintf(uri, size, "%s_%.*s_%u%s", stem, (int)length, file, n, end);
        w->textures[i].uri = uri;
    }
    return true;
}

void tool_wardrobe_close(tool_wardrobe *w) {
    for (uint32_t i = 0; i < w->num_pictures; i++) {
        free(w->pictures[i].key);
        free(w->pictures[i].uri);
        lm_buffer_free(&w->pictures[i].bytes);
        lm_image_free(w->pictures[i].image);
    }
    for (uint32_t part = 0; w->skins && part < w->num_parts; part++) {
        for (lm_scene_skin *skin = w->skins[part]; skin && skin->materials; skin++)
            free((void *)skin->materials);
        free(w->skins[part]);
    }
    free((void *)w->skins);
    free(w->pictures);
    free(w->textures);
    lm_buffer_free(&w->missing);
}
