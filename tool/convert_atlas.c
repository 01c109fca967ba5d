/* One picture of several, for formats whose models wear one: MD2 and MDL. */
#include "convert.h"

#include "lerpmesh/image.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GUTTER 4       /* pixels around each picture, as its edges are */
#define LARGEST 2048   /* side of the whole */
#define MOST_REPEATS 8 /* of a picture in a row */
#define EDGE 1e-3f     /* how far beyond an edge coordinates still are on it */
#define PLAIN_SIDE 8   /* of what has no picture */
#define PLAIN 0xA0
#define HEADER_WIDTH 640 /* the largest skin that Quake II's own header may have */
#define HEADER_HEIGHT 480

/* A picture in its place. */
typedef struct tile {
    uint32_t texture;       /* of the scene; LM_NO_TEXTURE: grey */
    uint32_t width, height; /* of the picture, as large as it is drawn */
    uint32_t across, down;  /* how often it is there in a row */
    uint32_t x, y;
    bool holes; /* one sees through it where it is transparent */
} tile;

typedef struct packing {
    const lm_scene *scene;
    const lm_take *take;
    uint32_t num_tiles;
    tile *tiles;     /* [take->num_surfaces] */
    uint32_t *of;    /* [take->num_surfaces] the tile of each */
    tile **order;    /* [num_tiles] the highest first */
    uint32_t *known; /* [scene->num_textures + 1] the tile of each and 1, of what has none last */
    uint32_t width, height;
    bool holes; /* the format has room for them */
    bool cut;   /* something repeats more often than is drawn */
} packing;

/* ---- What there is -------------------------------------------------------------------------- */

static lm_scene_material material_of(const lm_scene *scene, uint32_t index) {
    const lm_scene_material none = {.texture = LM_NO_TEXTURE};
    uint32_t part, own;
    if (!convert_find_surface(scene, index, &part, &own) || scene->parts[part].num_skins == 0)
        return none;
    return scene->parts[part].skins[scene->parts[part].skin].materials[own];
}

/* Returns how many of them are pictures that were found. */
static uint32_t find_tiles(packing *p) {
    const lm_scene *scene = p->scene;
    uint32_t found = 0;
    for (uint32_t i = 0; i < p->take->num_surfaces; i++) {
        const lm_scene_material material = material_of(scene, i);
        const uint32_t texture = material.texture;
        const bool there = texture != LM_NO_TEXTURE && scene->textures[texture].pixels;
        uint32_t *known = &p->known[there ? texture : scene->num_textures];
        if (*known == 0) {
            p->tiles[p->num_tiles++] =
                (tile){.texture = there ? texture : LM_NO_TEXTURE,
                       .width = there ? scene->textures[texture].width : PLAIN_SIDE,
                       .height = there ? scene->textures[texture].height : PLAIN_SIDE,
                       .across = 1,
                       .down = 1};
            *known = p->num_tiles;
            found += there;
        }
        p->of[i] = *known - 1;
        p->tiles[p->of[i]].holes |= p->holes && material.alpha != LM_ALPHA_OPAQUE;
    }
    return found;
}

/* A triangle's coordinates on an axis, moved by whole pictures to where they begin above 0; how
 * many pictures they then reach over. */
static uint32_t unroll(const lm_take_surface *s, size_t first, int axis, float out[3]) {
    const uint32_t *st = s->st_triangles ? s->st_triangles : s->triangles;
    float low = INFINITY, high = -INFINITY;
    for (size_t c = 0; c < 3; c++) {
        out[c] = s->num_st > 0 ? s->st[2 * (size_t)st[first + c] + (size_t)axis] : 0;
        low = fminf(low, out[c]);
    }
    const float shift = floorf(low + EDGE);
    for (size_t c = 0; c < 3; c++) {
        out[c] = fmaxf(out[c] - shift, 0);
        high = fmaxf(high, out[c]);
    }
    return high <= 1 + EDGE                  ? 1
           : high >= (float)MOST_REPEATS + 1 ? MOST_REPEATS + 1
                                             : (uint32_t)ceilf(high - EDGE);
}

static void find_repeats(packing *p) {
    for (uint32_t i = 0; i < p->take->num_surfaces; i++) {
        const lm_take_surface *s = &p->take->surfaces[i];
        tile *t = &p->tiles[p->of[i]];
        for (size_t c = 0; c < 3 * (size_t)s->num_triangles; c += 3) {
            float out[3];
            const uint32_t across = unroll(s, c, 0, out), down = unroll(s, c, 1, out);
            t->across = across > t->across ? across : t->across;
            t->down = down > t->down ? down : t->down;
        }
        p->cut = p->cut || t->across > MOST_REPEATS || t->down > MOST_REPEATS;
        t->across = t->across > MOST_REPEATS ? MOST_REPEATS : t->across;
        t->down = t->down > MOST_REPEATS ? MOST_REPEATS : t->down;
    }
}

/* ---- Where it goes -------------------------------------------------------------------------- */

static uint32_t wide(const tile *t) {
    return t->width * t->across + 2 * GUTTER;
}

static uint32_t high(const tile *t) {
    return t->height * t->down + 2 * GUTTER;
}

/* The highest first, those that are as high in the order in which they were found. */
static int compare_tiles(const void *x, const void *y) {
    const tile *a = *(const tile *const *)x, *b = *(const tile *const *)y;
    return high(a) != high(b) ? (high(a) < high(b) ? 1 : -1) : (a > b) - (a < b);
}

static void sort_tiles(packing *p) {
    for (uint32_t i = 0; i < p->num_tiles; i++)
        p->order[i] = &p->tiles[i];
    qsort((void *)p->order, p->num_tiles, sizeof(tile *), compare_tiles);
}

/* Puts tiles in rows of a width, the highest first; how high that becomes, LARGEST + 1 if too much.
 */
static uint32_t put_rows(packing *p, uint32_t width) {
    uint32_t x = 0, y = 0, row = 0;
    for (uint32_t i = 0; i < p->num_tiles; i++) {
        tile *t = p->order[i];
        if (wide(t) > width || high(t) > LARGEST)
            return LARGEST + 1;
        if (x + wide(t) > width) {
            y += row;
            x = row = 0;
        }
        row = row > high(t) ? row : high(t);
        t->x = x + GUTTER;
        t->y = y + GUTTER;
        x += wide(t);
        if (y + row > LARGEST)
            return LARGEST + 1;
    }
    return (y + row + 3) / 4 * 4;
}

static bool halve(packing *p) {
    bool smaller = false;
    for (uint32_t i = 0; i < p->num_tiles; i++) {
        tile *t = &p->tiles[i];
        smaller = smaller || t->width > 1 || t->height > 1;
        t->width = (t->width + 1) / 2;
        t->height = (t->height + 1) / 2;
    }
    return smaller;
}

/* The width that makes the smallest whole; pictures are halved until there is one. False if there
 * is none for pictures of a pixel. */
static bool choose_places(packing *p) {
    uint64_t best = UINT64_MAX;
    do {
        sort_tiles(p);
        for (uint32_t width = 64; width <= LARGEST; width += 64) {
            const uint32_t height = put_rows(p, width);
            if (height <= LARGEST && (uint64_t)width * height < best) {
                best = (uint64_t)width * height;
                p->width = width;
            }
        }
    } while (best == UINT64_MAX && halve(p));
    p->height = put_rows(p, p->width);
    return best != UINT64_MAX;
}

/* ---- Drawing -------------------------------------------------------------------------------- */

/* The pixel of a picture that is there once or several times in a row, and its edges around it. */
static uint32_t source(int64_t at, uint32_t size, uint32_t times) {
    if (times > 1)
        return (uint32_t)((at % size + size) % size);
    return at < 0 ? 0 : at >= size ? size - 1 : (uint32_t)at;
}

static bool draw(const packing *p, const tile *t, uint8_t *out) {
    uint8_t *scaled = malloc((size_t)t->width * t->height * 4);
    if (!scaled)
        return false;
    if (t->texture == LM_NO_TEXTURE) {
        memset(scaled, PLAIN, (size_t)t->width * t->height * 4);
    } else {
        const lm_scene_texture *picture = &p->scene->textures[t->texture];
        lm_pixels_resize(picture->pixels, picture->width, picture->height, scaled, t->width,
                         t->height);
    }
    for (size_t i = 0; !t->holes && i < (size_t)t->width * t->height; i++)
        scaled[4 * i + 3] = UINT8_MAX;
    for (int64_t y = -GUTTER; y < (int64_t)high(t) - GUTTER; y++)
        for (int64_t x = -GUTTER; x < (int64_t)wide(t) - GUTTER; x++) {
            const size_t from =
                (size_t)source(y, t->height, t->down) * t->width + source(x, t->width, t->across);
            memcpy(out + 4 * ((size_t)(t->y + y) * p->width + (size_t)(t->x + x)),
                   scaled + 4 * from, 4);
        }
    free(scaled);
    return true;
}

static bool draw_all(const packing *p, convert_atlas *atlas) {
    atlas->picture = (lm_scene_texture){.width = p->width, .height = p->height};
    uint8_t *pixels = calloc((size_t)p->width * p->height, 4);
    atlas->pixels = pixels;
    atlas->picture.pixels = pixels;
    bool drawn = pixels != NULL;
    for (size_t i = 0; drawn && i < (size_t)p->width * p->height; i++)
        pixels[4 * i + 3] = UINT8_MAX;
    for (uint32_t i = 0; drawn && i < p->num_tiles; i++)
        drawn = draw(p, &p->tiles[i], pixels);
    return drawn;
}

/* ---- The take ------------------------------------------------------------------------------- */

/* Coordinates of a surface, corner by corner, on the whole picture. */
static void move_surface(const packing *p, uint32_t index, float *st, uint32_t *corners) {
    const lm_take_surface *s = &p->take->surfaces[index];
    const tile *t = &p->tiles[p->of[index]];
    for (size_t c = 0; c < 3 * (size_t)s->num_triangles; c += 3)
        for (int axis = 0; axis < 2; axis++) {
            float out[3];
            unroll(s, c, axis, out);
            const float times = (float)(axis == 0 ? t->across : t->down);
            const float size = (float)(axis == 0 ? t->width : t->height);
            const float start = (float)(axis == 0 ? t->x : t->y);
            const float whole = (float)(axis == 0 ? p->width : p->height);
            for (size_t k = 0; k < 3; k++)
                st[2 * (c + k) + (size_t)axis] = (start + fminf(out[k], times) * size) / whole;
        }
    for (uint32_t c = 0; c < 3 * s->num_triangles; c++)
        corners[c] = c;
}

/* Quake II's header is never larger than its own pictures are; GL commands are exact anyway. */
static void choose_header(const packing *p, lm_take *take) {
    double scale = fmin((double)HEADER_WIDTH / p->width, (double)HEADER_HEIGHT / p->height);
    scale = fmin(scale, 1);
    take->skin_width = (uint32_t)fmax(1, floor(p->width * scale));
    take->skin_height = (uint32_t)fmax(1, floor(p->height * scale));
}

static bool move_all(const packing *p, lm_take *take, convert_atlas *atlas) {
    size_t corners = 0;
    for (uint32_t i = 0; i < take->num_surfaces; i++)
        corners += 3 * (size_t)take->surfaces[i].num_triangles;
    atlas->surfaces = malloc((take->num_surfaces + (size_t)1) * sizeof *atlas->surfaces);
    atlas->st = malloc((corners + 1) * 2 * sizeof *atlas->st);
    atlas->corners = malloc((corners + 1) * sizeof *atlas->corners);
    if (!atlas->surfaces || !atlas->st || !atlas->corners)
        return false;
    size_t first = 0;
    for (uint32_t i = 0; i < take->num_surfaces; i++) {
        lm_take_surface *s = &atlas->surfaces[i];
        *s = take->surfaces[i];
        move_surface(p, i, atlas->st + 2 * first, atlas->corners + first);
        s->num_st = 3 * s->num_triangles;
        s->st = atlas->st + 2 * first;
        s->st_triangles = atlas->corners + first;
        s->num_materials = 1;
        s->materials = &atlas->material;
        first += s->num_st;
    }
    take->surfaces = atlas->surfaces;
    take->num_skins = 1;
    take->skins = (const char *const *)&atlas->name;
    choose_header(p, take);
    return true;
}

#define MOST_PATH 63u /* bytes that an MD2 has for one */

/* The path of the picture in the game: where a game's first texture is, called like the model. */
static bool name_picture(const convert_settings *settings, const lm_take *take,
                         const convert_made *made, convert_atlas *atlas) {
    const lm_take_surface *s = &take->surfaces[0];
    const char *old = s->num_materials > 0 ? s->materials[0].name : "";
    const char *slash = made->asset && !settings->skin_path ? strrchr(old, '/') : NULL;
    const char *folder = slash ? old : made->folder;
    const size_t length = slash ? (size_t)(slash + 1 - old) : strlen(folder);
    const size_t room = MOST_PATH - 4 > length ? MOST_PATH - 4 - length : 1;
    const size_t size = length + room + 5;
    atlas->name = malloc(size);
    if (atlas->name)
        snprintf(atlas->name, size, "%.*s%.*s.png", (int)length, folder, (int)room, made->called);
    atlas->material = (lm_material){.name = atlas->name};
    return atlas->name != NULL;
}

/* Beside the model. */
static bool write_picture(tool_job *job, const convert_settings *settings,
                          const lm_scene_texture *picture, convert_made *made,
                          const convert_atlas *atlas) {
    lm_error error;
    const char *slash = strrchr(atlas->name, '/');
    convert_beside *beside = convert_beside_add(job, made, slash ? slash + 1 : atlas->name, "");
    if (!beside)
        return false;
    beside->picture = true;
    if (!lm_pixels_write_png(picture->pixels, picture->width, picture->height, &beside->data,
                             &error)) {
        tool_fail_error(job, &error, false);
        return false;
    }
    made->pictured = true;
    convert_folder_tell(job, settings, atlas->name, 1);
    return true;
}

/* ---- One picture ---------------------------------------------------------------------------- */

/* The name of a picture, of so many bytes, without what is before and behind it. */
static const char *stem_of(const char *path, size_t *length) {
    const char *name = path + strlen(path), *dot;
    while (name > path && !strchr("/\\:", name[-1]))
        name--;
    dot = strrchr(name, '.');
    *length = dot ? (size_t)(dot - name) : strlen(name);
    return name;
}

/* Whether the model names the picture, and not a .skin file, a script or an option. */
static bool is_named(const lm_take *take, const lm_scene_texture *picture) {
    const lm_take_surface *s = &take->surfaces[0];
    size_t one, other;
    const char *named = take->num_skins > 0 && take->skins[0] ? take->skins[0]
                        : s->num_materials > 0                ? s->materials[0].name
                                                              : "";
    const char *a = stem_of(named, &one), *b = stem_of(picture->name, &other);
    return one == other && strncmp(a, b, one) == 0;
}

static bool same_materials(const lm_take_surface *a, const lm_take_surface *b) {
    bool same = a->num_materials == b->num_materials;
    for (uint32_t m = 0; same && m < a->num_materials; m++)
        same = strcmp(a->materials[m].name, b->materials[m].name) == 0;
    return same;
}

/* However surfaces call it, what they wear is one. */
static bool call_alike(lm_take *take, const lm_material *material, convert_atlas *atlas) {
    bool same = true;
    for (uint32_t i = 1; i < take->num_surfaces; i++)
        same = same && same_materials(&take->surfaces[i], &take->surfaces[0]);
    if (same)
        return true;
    atlas->surfaces = malloc(take->num_surfaces * sizeof *atlas->surfaces);
    for (uint32_t i = 0; atlas->surfaces && i < take->num_surfaces; i++) {
        atlas->surfaces[i] = take->surfaces[i];
        atlas->surfaces[i].num_materials = 1;
        atlas->surfaces[i].materials = material;
    }
    take->surfaces = atlas->surfaces;
    return atlas->surfaces != NULL;
}

/* What wears one picture has a skin of its size, if no other is known; and of a picture that the
 * model does not name, by which nobody would find it, one of its own. */
static bool wear_one(tool_job *job, const convert_settings *settings, packing *p, lm_take *take,
                     convert_made *made, convert_atlas *atlas) {
    const lm_scene_texture *picture = &p->scene->textures[p->tiles[0].texture];
    p->width = picture->width;
    p->height = picture->height;
    if (take->skin_width == 0 || take->skin_height == 0)
        choose_header(p, take);
    const bool named = convert_embeds(settings) || made->pictured || is_named(take, picture);
    if (named)
        atlas->material.name = picture->name;
    if ((!named && !name_picture(settings, take, made, atlas)) ||
        !call_alike(take, &atlas->material, atlas)) {
        tool_fail(job, "out of memory");
        return false;
    }
    if (named)
        return true;
    take->num_skins = 1;
    take->skins = (const char *const *)&atlas->name;
    return write_picture(job, settings, picture, made, atlas);
}

/* ---- All of it ------------------------------------------------------------------------------ */

static bool pack(tool_job *job, const convert_settings *settings, packing *p, lm_take *take,
                 convert_made *made, convert_atlas *atlas) {
    find_repeats(p);
    if (!choose_places(p)) {
        tool_fail(job,
                  "its %u textures find no room in one picture of %d x %d pixels: MD3 and MDC have "
                  "one for each surface",
                  (unsigned)p->num_tiles, LARGEST, LARGEST);
        return false;
    }
    if (!name_picture(settings, take, made, atlas) || !draw_all(p, atlas) ||
        !move_all(p, take, atlas)) {
        tool_fail(job, "out of memory");
        return false;
    }
    atlas->picture.name = atlas->name;
    if (p->cut)
        tool_complain(job,
                      "a texture repeats more than %d times over a triangle, which one picture "
                      "for all cannot hold: it is drawn out there",
                      MOST_REPEATS);
    if (!settings->quiet)
        tool_say(job, "its %u textures become one of %u x %u pixels", (unsigned)p->num_tiles,
                 (unsigned)p->width, (unsigned)p->height);
    if (convert_embeds(settings))
        return true;
    return write_picture(job, settings, &atlas->picture, made, atlas);
}

bool convert_packs(const convert_settings *settings) {
    return settings->format == CONVERT_MODEL && settings->output.kind != TOOL_TO_STDOUT &&
           (convert_embeds(settings) || strcmp(settings->model->name, "md2") == 0);
}

/* Whether the take's surfaces are the scene's. */
static bool has_surfaces(const lm_scene *scene, uint32_t count) {
    uint32_t part, own;
    return convert_find_surface(scene, count - 1, &part, &own) &&
           !convert_find_surface(scene, count, &part, &own);
}

bool convert_atlas_make(tool_job *job, const convert_settings *settings,
                        const convert_subject *subject, lm_take *take, convert_made *made,
                        convert_atlas *atlas) {
    if (!convert_packs(settings) || take->num_surfaces == 0 ||
        !has_surfaces(&subject->scene, take->num_surfaces))
        return true;
    packing p = {.scene = &subject->scene, .take = take, .holes = convert_embeds(settings)};
    p.tiles = calloc(take->num_surfaces, sizeof *p.tiles);
    p.of = calloc(take->num_surfaces, sizeof *p.of);
    p.order = (tile **)calloc(take->num_surfaces, sizeof(tile *));
    p.known = calloc(subject->scene.num_textures + (size_t)1, sizeof *p.known);
    bool ok = p.tiles && p.of && p.order && p.known;
    if (!ok)
        tool_fail(job, "out of memory");
    else if (find_tiles(&p) > 0)
        ok = (p.num_tiles > 1 ? pack : wear_one)(job, settings, &p, take, made, atlas);
    free(p.tiles);
    free(p.of);
    free((void *)p.order);
    free(p.known);
    return ok;
}

void convert_atlas_free(convert_atlas *atlas) {
    free(atlas->surfaces);
    free(atlas->st);
    free(atlas->corners);
    free(atlas->pixels);
    free(atlas->name);
}
