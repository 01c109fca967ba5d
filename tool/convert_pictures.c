/* Pictures that a model brings in its own file, into formats that have them beside theirs: a glTF's
 * textures, an MDL's skins. */
#include "convert_take.h"
#include "lerpmesh/image.h"
#include "text.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- An import as a scene that wears something ---------------------------------------------- */

static bool read_picture(tool_job *job, const lm_import_picture *from, convert_take *made,
                         lm_scene_texture *out) {
    lm_error error;
    lm_image *image = lm_image_read(from->data, from->size, NULL, &error);
    *out = (lm_scene_texture){.name = from->name};
    if (!image) {
        tool_complain(job, "a picture of it, \"%.100s\", cannot be read: %s", from->name,
                      error.message);
        return error.code != LM_CODE_OUT_OF_MEMORY;
    }
    made->images[made->num_images++] = image;
    out->width = image->width;
    out->height = image->height;
    out->pixels = image->pixels;
    out->alpha = from->transparent && !image->opaque ? LM_ALPHA_MASK : LM_ALPHA_OPAQUE;
    return true;
}

static bool give_skins(tool_job *job, convert_take *made, const lm_scene_texture *textures,
                       lm_scene_part *part) {
    const lm_import *import = made->import;
    const uint32_t surfaces = import->take->num_surfaces;
    lm_scene_skin *skins = convert_take_alloc(made, job, import->num_dresses, sizeof *skins);
    lm_scene_material *materials =
        convert_take_alloc(made, job, (uint64_t)import->num_dresses * surfaces, sizeof *materials);
    for (size_t i = 0; skins && materials && i < (size_t)import->num_dresses * surfaces; i++) {
        const uint32_t worn = import->worn[i];
        const bool there = worn != LM_IMPORT_NO_PICTURE && textures[worn].pixels;
        materials[i] = (lm_scene_material){.name = "",
                                           .texture = there ? worn : LM_NO_TEXTURE,
                                           .alpha = there ? textures[worn].alpha : LM_ALPHA_OPAQUE};
        skins[i / surfaces] = (lm_scene_skin){"", materials + i / surfaces * surfaces};
    }
    part->skins = skins;
    part->num_skins = surfaces > 0 ? import->num_dresses : 0;
    return skins && materials;
}

bool convert_dress_import(tool_job *job, convert_take *made, convert_subject *subject) {
    const lm_import *import = made->import;
    const lm_take *take = import->take;
    if (import->num_pictures == 0)
        return true;
    lm_scene_texture *textures =
        convert_take_alloc(made, job, import->num_pictures, sizeof *textures);
    lm_surface *surfaces = convert_take_alloc(made, job, take->num_surfaces, sizeof *surfaces);
    made->images = convert_take_alloc(made, job, import->num_pictures, sizeof(lm_image *));
    if (!textures || !surfaces || !made->images)
        return false;
    for (uint32_t i = 0; i < import->num_pictures; i++)
        if (import->pictures[i].data &&
            !read_picture(job, &import->pictures[i], made, &textures[i])) {
            tool_fail(job, "out of memory");
            return false;
        }
    for (uint32_t i = 0; i < take->num_surfaces; i++)
        surfaces[i] = (lm_surface){.name = take->surfaces[i].name ? take->surfaces[i].name : "",
                                   .num_triangles = take->surfaces[i].num_triangles};
    subject->outline.num_surfaces = take->num_surfaces;
    subject->outline.surfaces = surfaces;
    subject->scene.num_textures = import->num_pictures;
    subject->scene.textures = textures;
    return give_skins(job, made, textures, &subject->parts[0]);
}

/* ---- Files ---------------------------------------------------------------------------------- */

/* What games read of old: rows from the bottom, no compression. */
static bool write_tga(const lm_scene_texture *picture, lm_buffer *out) {
    const uint32_t w = picture->width, h = picture->height;
    bool opaque = true;
    for (size_t i = 0; opaque && i < (size_t)w * h; i++)
        opaque = picture->pixels[4 * i + 3] == UINT8_MAX;
    const uint8_t header[18] = {[2] = 2,
                                [12] = (uint8_t)w,
                                [13] = (uint8_t)(w >> 8),
                                [14] = (uint8_t)h,
                                [15] = (uint8_t)(h >> 8),
                                [16] = opaque ? 24 : 32,
                                [17] = opaque ? 0 : 8};
    lm_buffer_append(out, header, sizeof header);
    for (uint32_t y = h; y > 0; y--)
        for (uint32_t x = 0; x < w; x++) {
            const uint8_t *p = picture->pixels + 4 * ((size_t)(y - 1) * w + x);
            const uint8_t pixel[4] = {p[2], p[1], p[0], p[3]};
            lm_buffer_append(out, pixel, opaque ? 3 : 4);
        }
    return !out->failed;
}

/* ---- Names ---------------------------------------------------------------------------------- */

#define MOST_NAME 63 /* bytes that the formats have for a path */

typedef struct naming {
    tool_job *job;
    const convert_subject *subject;
    const lm_scene_part *part;
    lm_take *take;
    convert_made *made;
    convert_pictures *pictures;
    const char *extension;
    const char *folder;
    bool own;   /* files are called as they were: names are a game's */
    bool stays; /* and the model's names stay */
    /* [the scene's textures] Where each is worn first, skin after skin, and 1; 0: nowhere. */
    const size_t *uses;
    uint32_t *numbers;  /* [the scene's textures] how many more are called like it */
    uint32_t *slots;    /* [num_slots] textures and 1, each behind where its name's sum points to */
    uint32_t num_slots; /* a power of two, at least twice as many as there are textures */
} naming;

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

/* The last part of a path without its extension, as a name that every system has. */
static void clean(const char *path, char *out, size_t room) {
    const char *name = path + strlen(path), *dot = strrchr(path, '.');
    size_t length = 0;
    while (name > path && !strchr("/\\:", name[-1]))
        name--;
    for (const char *c = name; *c && (c != dot || dot == name) && length + 1 < room; c++) {
        const char small = *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : *c;
        out[length++] = is_letter(small) ? small : '_';
    }
    out[length] = '\0';
}

/* What the model calls a texture that it wears, "" if nothing. */
static const char *old_name(const naming *n, uint32_t texture) {
    const lm_take *take = n->take;
    const size_t k = (n->uses[texture] - 1) / take->num_surfaces;
    const lm_take_surface *surface = &take->surfaces[(n->uses[texture] - 1) % take->num_surfaces];
    if (take->num_skins == n->part->num_skins)
        return take->skins[k];
    return surface->num_materials > 0 ? surface->materials[k < surface->num_materials ? k : 0].name
                                      : "";
}

static bool has_paths(const naming *n) {
    for (uint32_t t = 0; t < n->subject->scene.num_textures; t++)
        if (n->uses[t] > 0 && !strpbrk(old_name(n, t), "./"))
            return false;
    return true;
}

/* The slot of the texture that is called so; if there is none, the free one for it. */
static uint32_t *find_slot(const naming *n, const char *name) {
    uint32_t at = 2166136261u;
    for (const char *c = name; *c; c++)
        at = (at ^ (unsigned char)*c) * 16777619u;
    for (;; at++) {
        uint32_t *slot = &n->slots[at & (n->num_slots - 1)];
        if (*slot == 0 || strcmp(n->pictures->names[*slot - 1], name) == 0)
            return slot;
    }
}

static bool alloc_slots(naming *n) {
    const uint32_t count = n->subject->scene.num_textures;
    for (n->num_slots = 2; n->num_slots / 2 < count;)
        n->num_slots *= 2;
    n->slots = convert_names_alloc(n->pictures, n->num_slots * sizeof *n->slots);
    n->numbers = convert_names_alloc(n->pictures, count * sizeof *n->numbers);
    return n->slots && n->numbers;
}

/* STEM.png of the only one; of several STEM_body.png; of our own exports as it was called. The
 * folder in the game in front. */
static bool name_texture(const naming *n, uint32_t texture, uint32_t count) {
    char part[48], stem[MOST_NAME + 1];
    const size_t size = MOST_NAME + 16;
    const size_t room = MOST_NAME - strlen(n->folder) - strlen(n->extension) - 4;
    char *name = convert_names_alloc(n->pictures, size);
    const char *old = n->own ? old_name(n, texture) : "";
    const lm_scene_texture *picture = &n->subject->scene.textures[texture];
    if (!name)
        return false;
    clean(*old ? old : picture->name && *picture->name ? picture->name : "skin", part, sizeof part);
    if (*old)
        snprintf(stem, sizeof stem, "%.*s", (int)room, part);
    else if (count == 1)
        snprintf(stem, sizeof stem, "%.*s", (int)room, n->made->called);
    else
        snprintf(stem, sizeof stem, "%.*s_%s",
                 (int)(room > strlen(part) ? room - strlen(part) - 1 : 1), n->made->called, part);
    snprintf(name, size, "%s%s%s", n->folder, stem, n->extension);
    uint32_t *slot = find_slot(n, name);
    for (const uint32_t like = *slot; *slot > 0; slot = find_slot(n, name))
        snprintf(name, size, "%s%s_%u%s", n->folder, stem, (unsigned)++n->numbers[like - 1] + 1,
                 n->extension);
    n->pictures->names[texture] = name;
    *slot = texture + 1;
    return true;
}

/* ---- What the model names ------------------------------------------------------------------- */

/* MD2: the first picture that each skin shows. */
static bool give_model_names(const naming *n) {
    const uint32_t count = n->part->num_skins;
    const char **skins = convert_names_alloc(n->pictures, count * sizeof *skins);
    uint32_t used = 0;
    for (uint32_t k = 0; skins && k < count; k++)
        for (uint32_t s = 0; s < n->take->num_surfaces; s++) {
            const uint32_t texture = n->part->skins[k].materials[s].texture;
            if (texture == LM_NO_TEXTURE)
                continue;
            skins[used++] = n->pictures->names[texture];
            break;
        }
    n->take->num_skins = used;
    n->take->skins = skins;
    return skins != NULL;
}

/* MD3, MDC: each surface's, one after the other, each once. */
static bool give_surface_names(const naming *n) {
    const uint32_t count = n->take->num_surfaces, most = n->part->num_skins;
    lm_take_surface *surfaces = convert_names_alloc(n->pictures, count * sizeof *surfaces);
    lm_material *materials =
        convert_names_alloc(n->pictures, (size_t)count * most * sizeof *materials);
    uint32_t *last =
        convert_names_alloc(n->pictures, n->subject->scene.num_textures * sizeof *last);
    if (!surfaces || !materials || !last)
        return false;
    for (uint32_t s = 0; s < count; s++) {
        lm_material *own = materials + (size_t)s * most;
        uint32_t used = 0;
        surfaces[s] = n->take->surfaces[s];
        for (uint32_t k = 0; k < most; k++) {
            const uint32_t texture = n->part->skins[k].materials[s].texture;
            if (texture == LM_NO_TEXTURE || last[texture] == s + 1)
                continue;
            last[texture] = s + 1; /* it has that */
            own[used++] = (lm_material){n->pictures->names[texture], 0};
        }
        if (used > 0) {
            surfaces[s].num_materials = used;
            surfaces[s].materials = own;
        }
    }
    n->take->surfaces = surfaces;
    return true;
}

/* What a picture's file is called. */
static const char *file_of(const naming *n, uint32_t texture) {
    return n->pictures->names[texture] + strlen(n->folder);
}

static bool write_picture(const naming *n, uint32_t texture, bool tga) {
    const lm_scene_texture *picture = &n->subject->scene.textures[texture];
    lm_error error = {.code = LM_CODE_OUT_OF_MEMORY, .message = "out of memory"};
    convert_beside *beside = convert_beside_add(n->job, n->made, file_of(n, texture), "");
    if (!beside)
        return false;
    beside->picture = true;
    if (tga ? write_tga(picture, &beside->data)
            : lm_pixels_write_png(picture->pixels, picture->width, picture->height, &beside->data,
                                  &error))
        return true;
    tool_fail_error(n->job, &error, false);
    return false;
}

/* ---- All of it ------------------------------------------------------------------------------ */

/* Notes where each is worn first, in all skins; returns how many are. */
static uint32_t find_worn(const naming *n, size_t *uses) {
    uint32_t count = 0;
    for (uint32_t k = 0; k < n->part->num_skins; k++)
        for (uint32_t s = 0; s < n->take->num_surfaces; s++) {
            const uint32_t texture = n->part->skins[k].materials[s].texture;
            if (texture == LM_NO_TEXTURE || uses[texture] > 0 ||
                !n->subject->scene.textures[texture].pixels)
                continue;
            uses[texture] = (size_t)k * n->take->num_surfaces + s + 1;
            count++;
        }
    return count;
}

/* Whether the skin that is worn shows different pictures: then they become one. */
static bool wears_several(const naming *n) {
    const lm_scene_skin *skin = &n->part->skins[n->part->skin];
    for (uint32_t s = 1; s < n->take->num_surfaces; s++)
        if (skin->materials[s].texture != skin->materials[0].texture)
            return true;
    return false;
}

static bool brings(const convert_settings *settings, const convert_subject *subject,
                   const lm_take *take, const convert_made *made) {
    const bool inside = subject->take || (subject->scene.num_parts == 1 && take->embedded_skins);
    return inside && made->stem && !convert_embeds(settings) && subject->scene.num_textures > 0 &&
           subject->parts[0].num_skins > 0 && take->num_surfaces > 0 &&
           take->num_surfaces == subject->parts[0].model->num_surfaces;
}

/* Of an MDL's skins some are several pictures, which play one after the other. */
static void tell_moving(const naming *n) {
    uint32_t moving = 0;
    for (uint32_t i = 0; n->take->embedded_skins && i < n->take->num_skins; i++)
        moving += n->take->embedded_skins[i].num_pictures > 1;
    if (moving > 0)
        tool_complain(n->job, "%u of its skins %s animated: the first picture goes along",
                      (unsigned)moving, moving == 1 ? "is" : "are");
}

/* Pictures of the skin's size say it; of others nothing does in a format of fractions. */
static void leave_size_to(const naming *n) {
    for (uint32_t t = 0; t < n->subject->scene.num_textures; t++) {
        const lm_scene_texture *picture = &n->subject->scene.textures[t];
        if (n->uses[t] > 0 &&
            (picture->width != n->take->skin_width || picture->height != n->take->skin_height))
            return;
    }
    n->take->skin_width = n->take->skin_height = 0;
}

static bool write_all(const naming *n, uint32_t count, bool tga, const char **first) {
    for (uint32_t t = 0; t < n->subject->scene.num_textures; t++) {
        if (n->uses[t] == 0)
            continue;
        if (!name_texture(n, t, count) || !write_picture(n, t, tga))
            return false;
        *first = *first ? *first : n->pictures->names[t];
    }
    if (tga)
        leave_size_to(n);
    return n->stays || (tga ? give_surface_names(n) : give_model_names(n));
}

bool convert_pictures_make(tool_job *job, const convert_settings *settings,
                           const convert_subject *subject, lm_take *take, convert_made *made,
                           convert_pictures *pictures) {
    if (!brings(settings, subject, take, made))
        return true;
    const bool tga = strcmp(settings->model->name, "md2") != 0;
    naming n = {.job = job,
                .subject = subject,
                .part = &subject->parts[0],
                .take = take,
                .made = made,
                .pictures = pictures,
                .extension = tga ? ".tga" : ".png"};
    if (!tga && wears_several(&n)) {
        if (n.part->num_skins > 1)
            tool_complain(job, "of its %u skins one goes along: several textures become one",
                          (unsigned)n.part->num_skins);
        return true;
    }
    const uint32_t textures = subject->scene.num_textures;
    size_t *uses = convert_names_alloc(pictures, textures * sizeof *uses);
    pictures->names = convert_names_alloc(pictures, textures * sizeof(char *));
    if (!uses || !pictures->names || !alloc_slots(&n)) {
        tool_fail(job, "out of memory");
        return false;
    }
    const char *first = NULL;
    const uint32_t count = find_worn(&n, uses);
    if (count == 0)
        return true;
    n.uses = uses;
    /* Of an MDL that came by way of glTF names are no paths. */
    n.own = subject->ours && has_paths(&n);
    n.stays = n.own && !settings->skin_path;
    n.folder = n.stays ? "" : made->folder;
    tell_moving(&n);
    made->pictured = true;
    take->embedded_skins = NULL;
    if (!write_all(&n, count, tga, &first)) {
        tool_fail(job, "out of memory");
        return false;
    }
    convert_folder_tell(job, settings, first, count);
    return true;
}

/* ---- Memory --------------------------------------------------------------------------------- */

typedef struct convert_name {
    struct convert_name *next;
    max_align_t bytes[];
} convert_name;

void *convert_names_alloc(convert_pictures *pictures, size_t size) {
    convert_name *name = calloc(1, sizeof *name + size);
    if (!name)
        return NULL;
    name->next = pictures->memory;
    pictures->memory = name;
    return name->bytes;
}

void convert_pictures_free(convert_pictures *pictures) {
    for (convert_name *name = pictures->memory, *next; name; name = next) {
        next = name->next;
        free(name);
    }
}
