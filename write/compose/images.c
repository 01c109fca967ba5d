/* Prepares a mesh's images for a format. */
#include "compose/composing.h"

#include "core/names.h"
#include "core/options.h"
#include "core/text.h"
#include "math/colours.h"
#include "scene/check.h"

#include <stdio.h>
#include <string.h>

/* ---- Pixels ------------------------------------------------------------------------------- */

/* Converts pixels to the nearest of `num_colors` colours [3 * num_colors: red, green, blue].
 * Ignores alpha. */
static void to_indices(const uint8_t *pixels, size_t count, const uint8_t *rgb, uint32_t num_colors,
                       uint8_t *indices) {
    for (size_t i = 0; i < count; i++, pixels += 4)
        indices[i] = i > 0 && memcmp(pixels, pixels - 4, 3) == 0
                         ? indices[i - 1]
                         : lmi_nearest_colour(pixels, rgb, num_colors);
}

/* The input pixels that output pixel `at` of a resized row or column covers: `count` from `first`
 * on. The k-th has weight(k); the weights sum to `from`. */
typedef struct span {
    uint32_t first, count;
    uint64_t start, end; /* in units of 1 / `to` of an input pixel */
} span;

static span span_at(uint32_t at, uint32_t from, uint32_t to) {
    const uint64_t start = (uint64_t)at * from, end = start + from;
    const uint32_t first = (uint32_t)(start / to), last = (uint32_t)((end - 1) / to);
    return (span){first, last - first + 1, start, end};
}

static uint64_t weight(const span *s, uint32_t k, uint32_t to) {
    const uint64_t low = (uint64_t)(s->first + k) * to, high = low + to;
    return (high < s->end ? high : s->end) - (low > s->start ? low : s->start);
}

void lmi_pixels_resize(const uint8_t *pixels, uint32_t width, uint32_t height, uint8_t *out,
                       uint32_t new_width, uint32_t new_height) {
    for (uint32_t y = 0; y < new_height; y++) {
        const span rows = span_at(y, height, new_height);
        for (uint32_t x = 0; x < new_width; x++, out += 4) {
            const span columns = span_at(x, width, new_width);
            const uint64_t all = (uint64_t)width * height;
            uint64_t sums[4] = {0, 0, 0, 0};
            for (uint32_t j = 0; j < rows.count; j++)
                for (uint32_t i = 0; i < columns.count; i++) {
                    const uint8_t *p =
                        pixels + 4 * ((size_t)(rows.first + j) * width + columns.first + i);
                    const uint64_t part =
                        weight(&rows, j, new_height) * weight(&columns, i, new_width);
                    for (int c = 0; c < 4; c++)
                        sums[c] += part * p[c];
                }
            for (int c = 0; c < 4; c++)
                out[c] = (uint8_t)((sums[c] + all / 2) / all);
        }
    }
}

/* ---- Embedded skins ----------------------------------------------------------------------- */

/* The original Quake draws at most 480 rows, and needs a width that is a multiple of 4. */
#define MAX_ROWS 480
#define COLUMNS 4
#define MAX_COLUMNS 1024

/* Returns the texture of the first surface for which the skin has one. Sets `transparent` if its
 * transparent pixels stay transparent. */
static const lm_scene_texture *texture_of(const lm_composing *c, const lm_material_set *skin,
                                          bool *transparent) {
    const lm_scene_texture *texture = NULL;
    for (uint32_t i = 0; !texture && i < c->num_skin_surfaces; i++) {
        *transparent = skin->materials[i].alpha != LM_ALPHA_OPAQUE;
        texture = lmi_composing_image(c, &skin->materials[i]);
    }
    return texture;
}

/* Chooses the size of all skins: that of the first, reduced to the game's limits. */
static void choose_size(const lm_scene_texture *texture, lm_mesh *mesh) {
    uint64_t w = texture->width, h = texture->height;
    if (h > MAX_ROWS) {
        w = (w * MAX_ROWS + h / 2) / h;
        h = MAX_ROWS;
    }
    w = (w + COLUMNS / 2) / COLUMNS * COLUMNS;
    mesh->skin_width = (uint32_t)(w < COLUMNS ? COLUMNS : w > MAX_COLUMNS ? MAX_COLUMNS : w);
    mesh->skin_height = (uint32_t)h;
}

static bool is_hole(const uint8_t *pixel, bool transparent) {
    return transparent && pixel[3] < 128;
}

/* Returns the number of Quake's colours that an image may have. If all of its pixels have them, it
 * was painted with the palette, and keeps the fullbright ones. Reports fullbright pixels. */
static uint32_t num_colours(lm_composing *c, const uint8_t *pixels, size_t count, bool transparent,
                            const char *name) {
    const uint32_t shaded = 256 - LM_FULLBRIGHTS;
    const uint32_t all = transparent || c->mesh.transparent_255 ? 255 : 256;
    const uint8_t *palette = lmi_quake_palette();
    size_t known = 0, bright = 0;
    uint32_t index = 0;
    for (size_t i = 0; i < count; i++, pixels += 4) {
        if (i == 0 || memcmp(pixels, pixels - 4, 3) != 0)
            index = lmi_nearest_colour(pixels, palette, all);
        const bool hole = is_hole(pixels, transparent);
        const bool same = hole || memcmp(pixels, palette + 3 * (size_t)index, 3) == 0;
        known += same;
        bright += same && !hole && index >= shaded;
    }
    if (bright > 0 && known == count)
        lmi_composing_note(c, LM_SEVERITY_NOTE,
                           "the image %.63s has Quake's colours: %zu fullbright pixels stay, which "
                           "the game does not shade",
                           name, bright);
    else if (bright > 0 && known > count / 2)
        lmi_composing_note(c, LM_SEVERITY_WARNING,
                           "the image %.63s has %zu pixels in fullbright colours of Quake, but "
                           "other pixels are not Quake's: they get shaded colours",
                           name, bright);
    return known == count ? all : shaded;
}

/* Returns NULL if memory ran out. */
static uint8_t *make_skin(lm_composing *c, const lm_scene_texture *texture, bool transparent) {
    lm_mesh *mesh = &c->mesh;
    const size_t count = (size_t)mesh->skin_width * mesh->skin_height;
    uint8_t *indices = lmi_composing_alloc(c, count, 1);
    uint8_t *pixels = indices ? lmi_heap_alloc(&c->heap, count, 4) : NULL;
    if (!pixels)
        return NULL;
    lmi_pixels_resize(texture->pixels, texture->width, texture->height, pixels, mesh->skin_width,
                      mesh->skin_height);
    to_indices(pixels, count, lmi_quake_palette(),
               num_colours(c, pixels, count, transparent, texture->name), indices);
    for (size_t i = 0; i < count; i++)
        if (is_hole(pixels + 4 * i, transparent)) {
            indices[i] = UINT8_MAX; /* no colour maps to it */
            mesh->transparent_255 = true;
        }
    lmi_heap_free(&c->heap, pixels, 4 * count);
    return indices;
}

/* Converts textures to embedded skins. */
static bool compose_embed(lm_image_plan *plan) {
    lm_composing *c = plan->c;
    const lm_composing *made = c;
    lm_mesh *mesh = &c->mesh;
    const uint32_t most = plan->atlas ? 1 : made->num_skins;
    uint32_t count = 0;
    if (mesh->embedded_skins)
        return true;
    const char **names = lmi_composing_alloc(c, most, sizeof *names);
    lm_embedded_skin *skins = lmi_composing_alloc(c, most, sizeof *skins);
    if (!names || !skins)
        return false;
    for (uint32_t i = 0; i < most; i++) {
        bool transparent = true;
        const lm_scene_texture *texture =
            plan->atlas ? plan->atlas : texture_of(c, &made->skins[i], &transparent);
        if (!texture)
            continue;
        if (count == 0)
            choose_size(texture, mesh);
        uint8_t *pixels = make_skin(c, texture, transparent);
        if (!pixels)
            return false;
        names[count] = texture->name;
        skins[count++] = (lm_embedded_skin){1, pixels, NULL};
    }
    if (count > 0) {
        mesh->num_skins = count;
        mesh->skins = names;
        mesh->embedded_skins = skins;
    }
    return true;
}

/* ---- Files -------------------------------------------------------------------------------- */

/* Writes images of a model's own file (a glTF's textures, an MDL's skins) as files, for formats
 * that store skins in files. */

typedef struct naming {
    lm_image_plan *plan;
    lm_composing *made;
    const char *extension;
    bool keep_names;    /* names in the model that are paths of a game stay */
    const char **names; /* [num_textures] */
    bool *kept;         /* [num_textures] the texture's name in the model stays */
    /* [num_textures] index of the first use, skin by skin, + 1; 0: unused */
    size_t *uses;
    lm_names stems;
} naming;

/* ---- Names ---------------------------------------------------------------------------------- */

/* Returns the model's own name of a texture, or "". */
static const char *old_name(const naming *n, uint32_t texture) {
    const lm_mesh *mesh = &n->made->mesh;
    const size_t k = (n->uses[texture] - 1) / mesh->num_surfaces;
    const lm_mesh_surface *surface = &mesh->surfaces[(n->uses[texture] - 1) % mesh->num_surfaces];
    if (mesh->num_skins == n->made->num_skins)
        return mesh->skins[k];
    return surface->num_materials > 0 ? surface->materials[k < surface->num_materials ? k : 0].name
                                      : "";
}

/* Returns whether a texture's file keeps its name, because it is a path of a game. A weapon's have
 * folders: Blender puts dots into names. A glTF that was exported from an MDL has no paths. */
static bool is_own(const naming *n, uint32_t texture) {
    const char *old = old_name(n, texture);
    return n->made->from_game && (strchr(old, '/') || strchr(old, '\\') ||
                                  (n->made->player != LM_PLAYER_WEAPON && strchr(old, '.')));
}

/* Returns whether a name begins with that of the weapon, as most of a weapon of the game do. */
static bool is_called(const naming *n, const char *part) {
    const size_t length = strlen(n->plan->called);
    return n->made->player == LM_PLAYER_WEAPON && n->made->from_game && strlen(part) > length &&
           lmi_same_letters(part, n->plan->called, length) && part[length] == '_';
}

/* Names a texture's file, after the folder in the game: STEM.png if it is the only one, else
 * STEM_body.png. Exports of lerpmesh keep the texture's own name. */
static bool name_texture(naming *n, uint32_t texture, uint32_t count) {
    const size_t size = LM_COMPOSE_MAX_PATH + 1;
    char part[48];
    size_t length;
    const char *folder = n->kept[texture] ? "" : n->plan->folder;
    const int room = (int)(LM_COMPOSE_MAX_PATH - strlen(folder) - strlen(n->extension) - 4);
    lm_composing *c = n->plan->c;
    char *stem = lmi_composing_alloc(c, size + LM_NAME_ROOM, 1);
    const char *old = is_own(n, texture) ? old_name(n, texture) : "", *called = n->plan->called;
    const char *own = n->made->textures[texture].name;
    if (!stem)
        return false;
    const char *from = lmi_compose_stem(*old ? old : own && *own ? own : "skin", "/\\:", &length);
    lmi_compose_clean(from, length, "-_", false, part, sizeof part);
    const bool whole = *old || is_called(n, part);
    if (whole || count == 1)
        snprintf(stem, size, "%.*s", room, whole ? part : called);
    else
        snprintf(stem, size, "%.*s_%s", room > (int)strlen(part) ? room - (int)strlen(part) - 1 : 1,
                 called, part);
    stem = lmi_names_unique(&n->stems, stem);
    n->names[texture] =
        stem ? lmi_arena_printf(&c->arena, "%s%s%s", folder, stem, n->extension) : NULL;
    return n->names[texture];
}

/* ---- Names in the mesh ----------------------------------------------------------------------- */

/* MD2: lists the first image of each skin. */
static bool set_model_names(const naming *n) {
    const uint32_t count = n->made->num_skins;
    const char **skins = lmi_composing_alloc(n->plan->c, count, sizeof *skins);
    uint32_t used = 0;
    for (uint32_t k = 0; skins && k < count; k++)
        for (uint32_t s = 0; s < n->made->mesh.num_surfaces; s++) {
            const uint32_t texture = n->made->skins[k].materials[s].texture;
            if (texture == LM_NO_TEXTURE)
                continue;
            skins[used++] = n->kept[texture] ? old_name(n, texture) : n->names[texture];
            break;
        }
    n->made->mesh.num_skins = used;
    n->made->mesh.skins = skins;
    return skins != NULL;
}

/* MD3, MDC: lists each surface's images, skin by skin, without duplicates. */
static bool set_surface_names(const naming *n) {
    const uint32_t count = n->made->mesh.num_surfaces, most = n->made->num_skins;
    lm_mesh_surface *surfaces = lmi_composing_surfaces(n->plan->c);
    lm_material *materials =
        lmi_composing_alloc(n->plan->c, (uint64_t)count * most, sizeof *materials);
    uint32_t *last = lmi_composing_alloc(n->plan->c, n->made->num_textures, sizeof *last);
    if (!surfaces || !materials || !last)
        return false;
    for (uint32_t s = 0; s < count; s++) {
        lm_material *own = materials + (size_t)s * most;
        uint32_t used = 0;
        for (uint32_t k = 0; k < most; k++) {
            const uint32_t texture = n->made->skins[k].materials[s].texture;
            if (texture == LM_NO_TEXTURE || !n->names[texture] || last[texture] == s + 1)
                continue;
            if (n->kept[texture]) {
                used = 0;
                break;
            }
            last[texture] = s + 1; /* already listed */
            own[used++] = (lm_material){.name = n->names[texture]};
        }
        if (used > 0) {
            surfaces[s].num_materials = used;
            surfaces[s].materials = own;
        }
    }
    return true;
}

/* ---- Images as files ------------------------------------------------------------------------ */

/* Finds the first use of each texture in all skins. Returns the number of textures in use. */
static uint32_t find_uses(const naming *n) {
    uint32_t count = 0;
    for (uint32_t k = 0; k < n->made->num_skins; k++)
        for (uint32_t s = 0; s < n->made->mesh.num_surfaces; s++) {
            const uint32_t texture = n->made->skins[k].materials[s].texture;
            if (texture == LM_NO_TEXTURE || n->uses[texture] > 0 ||
                !n->made->textures[texture].pixels)
                continue;
            n->uses[texture] = (size_t)k * n->made->mesh.num_surfaces + s + 1;
            count++;
        }
    return count;
}

/* Returns true if the selected skin uses different textures; they are then merged into an atlas. */
static bool shows_several(const naming *n) {
    const lm_material_set *skin = &n->made->skins[n->made->skin];
    for (uint32_t s = 1; s < n->made->mesh.num_surfaces; s++)
        if (skin->materials[s].texture != skin->materials[0].texture)
            return true;
    return false;
}

/* Clears the skin size if every image has it: then the images preserve it. Otherwise it stays, and
 * the encoder reports its loss, because the format stores texture coordinates as fractions. */
static void clear_skin_size(const naming *n) {
    for (uint32_t t = 0; t < n->made->num_textures; t++) {
        const lm_scene_texture *image = &n->made->textures[t];
        if (n->uses[t] > 0 && (image->width != n->made->mesh.skin_width ||
                               image->height != n->made->mesh.skin_height))
            return;
    }
    n->made->mesh.skin_width = n->made->mesh.skin_height = 0;
}

static bool name_all(naming *n, uint32_t count, bool surfaces) {
    const bool weapon = n->made->player == LM_PLAYER_WEAPON; /* names the game's images */
    for (uint32_t t = 0; t < n->made->num_textures; t++) {
        n->kept[t] = n->uses[t] > 0 && n->keep_names && is_own(n, t);
        if (n->kept[t] && !name_texture(n, t, count))
            return false;
    }
    for (uint32_t t = 0; t < n->made->num_textures; t++)
        if (n->uses[t] > 0 &&
            ((!n->kept[t] && !name_texture(n, t, count)) ||
             (!(weapon && n->kept[t]) &&
              !lmi_composing_add_image(n->plan->c, n->names[t], &n->made->textures[t]))))
            return false;
    if (surfaces)
        clear_skin_size(n);
    bool kept = n->keep_names;
    for (uint32_t t = 0; kept && t < n->made->num_textures; t++)
        kept = n->uses[t] == 0 || n->kept[t];
    return kept || (surfaces ? set_surface_names(n) : set_model_names(n));
}

/* Writes the images of the model's own file as files. */
static bool compose_files(lm_image_plan *plan) {
    lm_composing *made = plan->c;
    const bool surfaces = lmi_has_feature(plan, LM_FEATURE_SURFACES);
    naming n = {.plan = plan,
                .made = made,
                .extension = surfaces ? ".tga" : lmi_compose_extension(plan->c)};
    if (!made->embedded || lmi_has_feature(plan, LM_FEATURE_EMBEDDED_SKINS) ||
        made->num_textures == 0 || made->num_skins == 0 || made->mesh.num_surfaces == 0 ||
        made->mesh.num_surfaces != made->num_skin_surfaces)
        return true;
    if (!surfaces && shows_several(&n)) {
        if (made->num_skins > 1)
            lmi_composing_note(
                plan->c, LM_SEVERITY_WARNING,
                "only one of the %u skins is written, because the textures become one",
                (unsigned)made->num_skins);
        return true;
    }
    n.uses = lmi_composing_alloc(plan->c, made->num_textures, sizeof *n.uses);
    n.names = lmi_composing_alloc(plan->c, made->num_textures, sizeof *n.names);
    n.kept = lmi_composing_alloc(plan->c, made->num_textures, sizeof *n.kept);
    n.stems.arena = &plan->c->arena;
    if (!n.uses || !n.names || !n.kept)
        return false;
    const uint32_t count = find_uses(&n);
    if (count == 0)
        return true;
    n.keep_names = !plan->folder_given && made->player != LM_PLAYER_QUAKE2;
    plan->filed = true;
    const lm_counted shortened =
        lmi_skins_shortened(made->mesh.embedded_skins, made->mesh.num_skins);
    if (*shortened.text)
        lmi_composing_note(n.plan->c, LM_SEVERITY_WARNING, "%s", shortened.text);
    made->mesh.embedded_skins = NULL;
    return name_all(&n, count, surfaces);
}

/* ---- All images --------------------------------------------------------------------------- */

/* Quake II's loader of PCX rejects larger images. */
#define MAX_PCX_WIDTH 640
#define MAX_PCX_HEIGHT 480

bool lm_compose_images(lm_composition *composition, const lm_format_info *format, const char *path,
                       const char *folder, lm_error *error) {
    if (!LM_GIVEN(error, composition))
        return false;
    lm_composing *c = (lm_composing *)composition; /* its first member */
    lm_image_plan plan = {.c = c, .format = format, .folder_given = folder != NULL};
    c->heap.call = (lm_call){.name = c->heap.call.name, .error = error};
    if (!format || !format->name)
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "compose: there is no format");
    if (folder && strlen(folder) > LM_MAX_COMPOSED_FOLDER)
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT,
                             "the folder name %s is longer than %u bytes", folder,
                             LM_MAX_COMPOSED_FOLDER);
    bool done = true;
    if (path) {
        size_t length;
        const char *stem = lmi_compose_stem(path, "/", &length);
        lmi_compose_clean(stem, length, "-_.", true, plan.called, sizeof plan.called);
        lmi_compose_folder(&plan, path, folder);
        done = compose_files(&plan) &&
               (lmi_has_feature(&plan, LM_FEATURE_SURFACES) || lmi_compose_atlas(&plan)) &&
               (c->player == LM_PLAYER_NONE || lmi_player_images(&plan));
    }
    done = done && (!lmi_has_feature(&plan, LM_FEATURE_EMBEDDED_SKINS) || compose_embed(&plan));
    for (uint32_t i = 0; done && c->pcx && i < c->made.num_images; i++) {
        const lm_scene_texture *image = &c->made.images[i];
        if (image->width > MAX_PCX_WIDTH || image->height > MAX_PCX_HEIGHT)
            lmi_composing_note(c, LM_SEVERITY_WARNING,
                               "the image %.63s has %u x %u pixels; Quake II itself reads at most "
                               "%d x %d",
                               image->name, (unsigned)image->width, (unsigned)image->height,
                               MAX_PCX_WIDTH, MAX_PCX_HEIGHT);
    }
    return (done && c->heap.call.status == LM_DONE) || lmi_heap_diagnose(&c->heap);
}
