/* Builds one texture atlas from several textures, for the formats whose models have one: MD2 and
 * MDL. */
#include "compose/composing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define GUTTER 4      /* border of repeated edge pixels around each image */
#define LARGEST 2048  /* side of the atlas */
#define MAX_REPEATS 8 /* of an image along one axis */
#define EDGE 1e-3f    /* tolerance: coordinates this far past an edge count as on it */
#define PLAIN_SIDE 8  /* of the tile for surfaces without an image */
#define PLAIN 0xA0
#define HEADER_WIDTH 640 /* the largest skin size that Quake II accepts in an MD2 header */
#define HEADER_HEIGHT 480

/* An image and its position in the atlas. Arrays of two are per axis. */
typedef struct tile {
    uint32_t texture;  /* index in the scene; LM_NO_TEXTURE: grey */
    uint32_t size[2];  /* of the image as drawn, in pixels */
    uint32_t times[2]; /* repetitions */
    uint32_t at[2];
    bool keep_alpha; /* keep the alpha channel: a material shows it */
} tile;

typedef struct packing {
    lm_composing *c;
    lm_mesh *mesh;
    uint32_t num_tiles;
    tile *tiles;     /* [mesh->num_surfaces] */
    uint32_t *of;    /* [mesh->num_surfaces] index of the surface's tile */
    tile **order;    /* [num_tiles] by descending height */
    uint32_t *known; /* [num_textures + 1] index of the tile + 1; the last: of no texture */
    uint32_t size[2];
    bool has_alpha; /* the format supports transparent pixels */
    bool clipped;   /* a texture repeats more often than MAX_REPEATS */
} packing;

/* ---- Tiles ---------------------------------------------------------------------------------- */

/* Finds the tile of each surface. Returns the number of tiles whose image was found. */
static uint32_t find_tiles(packing *p) {
    const lm_composing *made = p->c;
    uint32_t found = 0;
    for (uint32_t i = 0; i < made->mesh.num_surfaces; i++) {
        const lm_scene_material *material = lmi_composing_material(p->c, i);
        const bool there = lmi_composing_image(p->c, material);
        const uint32_t texture = there ? material->texture : LM_NO_TEXTURE;
        uint32_t *known = &p->known[there ? texture : made->num_textures];
        if (*known == 0) {
            tile *t = &p->tiles[p->num_tiles++];
            *t = (tile){.texture = texture, .size = {PLAIN_SIDE, PLAIN_SIDE}, .times = {1, 1}};
            if (there) {
                t->size[0] = made->textures[texture].width;
                t->size[1] = made->textures[texture].height;
            }
            *known = p->num_tiles;
            found += there;
        }
        p->of[i] = *known - 1;
        p->tiles[p->of[i]].keep_alpha |=
            p->has_alpha && material && material->alpha != LM_ALPHA_OPAQUE;
    }
    return found;
}

/* Shifts a triangle's coordinates on an axis by whole images, so that the lowest lies in [0, 1).
 * Returns the number of repetitions that they then span. */
static uint32_t unroll(const lm_mesh_surface *s, size_t first, int axis, float out[3]) {
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
    return high <= 1 + EDGE                 ? 1
           : high >= (float)MAX_REPEATS + 1 ? MAX_REPEATS + 1
                                            : (uint32_t)ceilf(high - EDGE);
}

static void find_repeats(packing *p) {
    for (uint32_t i = 0; i < p->mesh->num_surfaces; i++) {
        const lm_mesh_surface *s = &p->mesh->surfaces[i];
        tile *t = &p->tiles[p->of[i]];
        for (size_t c = 0; c < 3 * (size_t)s->num_triangles; c += 3)
            for (int axis = 0; axis < 2; axis++) {
                float out[3];
                const uint32_t times = unroll(s, c, axis, out);
                p->clipped = p->clipped || times > MAX_REPEATS;
                t->times[axis] = times > t->times[axis] ? times : t->times[axis];
                t->times[axis] = t->times[axis] > MAX_REPEATS ? MAX_REPEATS : t->times[axis];
            }
    }
}

/* ---- Layout --------------------------------------------------------------------------------- */

static uint32_t extent(const tile *t, int axis) {
    return t->size[axis] * t->times[axis] + 2 * GUTTER;
}

/* Sorts by descending height, then in the order of discovery. */
static int compare_tiles(const void *x, const void *y) {
    const tile *a = *(const tile *const *)x, *b = *(const tile *const *)y;
    const uint32_t high = extent(a, 1), other = extent(b, 1);
    return high != other ? (high < other ? 1 : -1) : (a > b) - (a < b);
}

/* Places the tiles in rows of a width, highest first. Returns the height, or LARGEST + 1 if it is
 * too large. */
static uint32_t put_rows(packing *p, uint32_t width) {
    uint32_t x = 0, y = 0, row = 0;
    for (uint32_t i = 0; i < p->num_tiles; i++) {
        tile *t = p->order[i];
        const uint32_t wide = extent(t, 0), high = extent(t, 1);
        if (wide > width || high > LARGEST)
            return LARGEST + 1;
        if (x + wide > width) {
            y += row;
            x = row = 0;
        }
        row = row > high ? row : high;
        t->at[0] = x + GUTTER;
        t->at[1] = y + GUTTER;
        x += wide;
        if (y + row > LARGEST)
            return LARGEST + 1;
    }
    return (y + row + 3) / 4 * 4;
}

static bool halve(packing *p) {
    bool smaller = false;
    for (uint32_t i = 0; i < p->num_tiles; i++)
        for (int axis = 0; axis < 2; axis++) {
            uint32_t *size = &p->tiles[i].size[axis];
            smaller = smaller || *size > 1;
            *size = (*size + 1) / 2;
        }
    return smaller;
}

/* Chooses the width of the smallest atlas. Halves the images until one fits. Returns false if not
 * even images of one pixel fit. */
static bool choose_positions(packing *p) {
    uint64_t best = UINT64_MAX;
    do {
        for (uint32_t i = 0; i < p->num_tiles; i++)
            p->order[i] = &p->tiles[i];
        qsort((void *)p->order, p->num_tiles, sizeof(tile *), compare_tiles);
        for (uint32_t width = 64; width <= LARGEST; width += 64) {
            const uint32_t height = put_rows(p, width);
            if (height <= LARGEST && (uint64_t)width * height < best) {
                best = (uint64_t)width * height;
                p->size[0] = width;
            }
        }
    } while (best == UINT64_MAX && halve(p));
    p->size[1] = put_rows(p, p->size[0]);
    return best != UINT64_MAX;
}

/* ---- Drawing -------------------------------------------------------------------------------- */

/* Returns the coordinate in an image for a coordinate in its tile: wraps repeated images, and
 * clamps others to their edges. */
static uint32_t source(int64_t at, uint32_t size, uint32_t times) {
    if (times > 1)
        return (uint32_t)((at % size + size) % size);
    return at < 0 ? 0 : at >= size ? size - 1 : (uint32_t)at;
}

static bool draw(const packing *p, const tile *t, uint8_t *out) {
    const uint32_t *size = t->size;
    const size_t count = (size_t)size[0] * size[1];
    uint8_t *scaled = lmi_heap_alloc(&p->c->heap, count, 4);
    if (!scaled)
        return false;
    if (t->texture == LM_NO_TEXTURE) {
        memset(scaled, PLAIN, 4 * count);
    } else {
        const lm_scene_texture *image = &p->c->textures[t->texture];
        lmi_pixels_resize(image->pixels, image->width, image->height, scaled, size[0], size[1]);
    }
    for (size_t i = 0; !t->keep_alpha && i < count; i++)
        scaled[4 * i + 3] = UINT8_MAX;
    for (int64_t y = -GUTTER; y < (int64_t)extent(t, 1) - GUTTER; y++)
        for (int64_t x = -GUTTER; x < (int64_t)extent(t, 0) - GUTTER; x++) {
            const size_t from =
                (size_t)source(y, size[1], t->times[1]) * size[0] + source(x, size[0], t->times[0]);
            memcpy(out + 4 * ((size_t)(t->at[1] + y) * p->size[0] + (size_t)(t->at[0] + x)),
                   scaled + 4 * from, 4);
        }
    lmi_heap_free(&p->c->heap, scaled, 4 * count);
    return true;
}

/* Returns NULL if memory ran out. */
static uint8_t *draw_all(const packing *p) {
    const size_t count = (size_t)p->size[0] * p->size[1];
    uint8_t *pixels = lmi_composing_alloc(p->c, count, 4);
    bool drawn = pixels != NULL;
    for (size_t i = 0; drawn && i < count; i++)
        pixels[4 * i + 3] = UINT8_MAX;
    for (uint32_t i = 0; drawn && i < p->num_tiles; i++)
        drawn = draw(p, &p->tiles[i], pixels);
    return drawn ? pixels : NULL;
}

/* ---- The mesh ------------------------------------------------------------------------------- */

/* Computes a surface's atlas coordinates, one pair per corner. */
static void move_surface(const packing *p, uint32_t index, float *st, uint32_t *corners) {
    const lm_mesh_surface *s = &p->mesh->surfaces[index];
    const tile *t = &p->tiles[p->of[index]];
    for (size_t c = 0; c < 3 * (size_t)s->num_triangles; c += 3)
        for (int axis = 0; axis < 2; axis++) {
            float out[3];
            unroll(s, c, axis, out);
            for (size_t k = 0; k < 3; k++)
                st[2 * (c + k) + (size_t)axis] =
                    ((float)t->at[axis] +
                     fminf(out[k], (float)t->times[axis]) * (float)t->size[axis]) /
                    (float)p->size[axis];
        }
    for (uint32_t c = 0; c < 3 * s->num_triangles; c++)
        corners[c] = c;
}

/* Writes the skin size that MD2 and MDL store: at most that of Quake II's own skins. GL commands
 * have their own coordinates, so nothing is lost. */
static void choose_header(const packing *p) {
    const double scale =
        fmin(fmin((double)HEADER_WIDTH / p->size[0], (double)HEADER_HEIGHT / p->size[1]), 1);
    p->mesh->skin_width = (uint32_t)fmax(1, floor(p->size[0] * scale));
    p->mesh->skin_height = (uint32_t)fmax(1, floor(p->size[1] * scale));
}

static bool move_all(const packing *p, const lm_material *material) {
    size_t corners = 0, first = 0;
    for (uint32_t i = 0; i < p->mesh->num_surfaces; i++)
        corners += 3 * (size_t)p->mesh->surfaces[i].num_triangles;
    lm_mesh_surface *surfaces = lmi_composing_surfaces(p->c);
    float *st = lmi_composing_alloc(p->c, corners, 2 * sizeof *st);
    uint32_t *indices = lmi_composing_alloc(p->c, corners, sizeof *indices);
    if (!surfaces || !st || !indices)
        return false;
    for (uint32_t i = 0; i < p->mesh->num_surfaces; i++) {
        lm_mesh_surface *s = &surfaces[i];
        move_surface(p, i, st + 2 * first, indices + first);
        s->num_st = 3 * s->num_triangles;
        s->st = st + 2 * first;
        s->st_triangles = indices + first;
        s->num_materials = 1;
        s->materials = material;
        first += s->num_st;
    }
    choose_header(p);
    return true;
}

/* ---- Names ---------------------------------------------------------------------------------- */

static const char *first_material(const lm_mesh *mesh) {
    const lm_mesh_surface *s = &mesh->surfaces[0];
    return s->num_materials > 0 ? s->materials[0].name : "";
}

/* Returns the image's path in the game: the folder of the first texture, then the mesh's name.
 * Returns NULL if memory ran out. */
static const char *name_image(const lm_image_plan *plan) {
    const lm_composing *made = plan->c;
    const char *old = first_material(&made->mesh);
    const char *slash = made->from_scene && !plan->folder_given ? strrchr(old, '/') : NULL;
    const char *folder = slash ? old : plan->folder;
    const size_t length = slash ? (size_t)(slash + 1 - old) : strlen(folder);
    const size_t most = LM_COMPOSE_MAX_PATH - 4;
    return lmi_arena_printf(&plan->c->arena, "%.*s%.*s%s", (int)length, folder,
                            most > length ? (int)(most - length) : 1, plan->called,
                            lmi_compose_extension(plan->c));
}

/* Makes an image the mesh's only skin. Adds it as a file, unless the format embeds its skins. */
static bool name_skin(const lm_image_plan *plan, const char *name, const lm_scene_texture *image) {
    const char **skins = lmi_composing_alloc(plan->c, 1, sizeof *skins);
    if (!skins)
        return false;
    *skins = name;
    plan->c->mesh.num_skins = 1;
    plan->c->mesh.skins = skins;
    return lmi_has_feature(plan, LM_FEATURE_EMBEDDED_SKINS) ||
           lmi_composing_add_image(plan->c, name, image);
}

/* Returns true if the model itself names the image, not a .skin file, a script or an option. */
static bool is_named(const lm_mesh *mesh, const lm_scene_texture *image) {
    const char *named =
        mesh->num_skins > 0 && mesh->skins[0] ? mesh->skins[0] : first_material(mesh);
    size_t one, other;
    const char *a = lmi_compose_stem(named, "/\\:", &one);
    const char *b = lmi_compose_stem(image->name, "/\\:", &other);
    return one == other && strncmp(a, b, one) == 0;
}

static bool same_materials(const lm_mesh_surface *a, const lm_mesh_surface *b) {
    bool same = a->num_materials == b->num_materials;
    for (uint32_t m = 0; same && m < a->num_materials; m++)
        same = strcmp(a->materials[m].name, b->materials[m].name) == 0;
    return same;
}

/* Gives all surfaces the same material, if they differ. */
static bool unite_materials(const lm_image_plan *plan, const lm_material *material) {
    const lm_mesh *mesh = &plan->c->mesh;
    bool same = true;
    for (uint32_t i = 1; i < mesh->num_surfaces; i++)
        same = same && same_materials(&mesh->surfaces[i], &mesh->surfaces[0]);
    lm_mesh_surface *surfaces = same ? NULL : lmi_composing_surfaces(plan->c);
    for (uint32_t i = 0; surfaces && i < mesh->num_surfaces; i++) {
        surfaces[i].num_materials = 1;
        surfaces[i].materials = material;
    }
    return same || surfaces;
}

/* ---- Atlas ---------------------------------------------------------------------------------- */

/* Handles a mesh with one texture. If the skin size is unknown, takes the image's. If the model
 * does not name the image, names it and adds it as a file, because no search would find it. */
static bool use_one(lm_image_plan *plan, packing *p, lm_material *material) {
    const lm_scene_texture *image = &plan->c->textures[p->tiles[0].texture];
    p->size[0] = image->width;
    p->size[1] = image->height;
    if (p->mesh->skin_width == 0 || p->mesh->skin_height == 0)
        choose_header(p);
    const bool named =
        lmi_has_feature(plan, LM_FEATURE_EMBEDDED_SKINS) || plan->filed || is_named(p->mesh, image);
    material->name = named ? image->name : name_image(plan);
    return material->name && unite_materials(plan, material) &&
           (named || name_skin(plan, material->name, image));
}

static bool pack(lm_image_plan *plan, packing *p, lm_material *material) {
    lm_scene_texture *atlas = lmi_composing_alloc(plan->c, 1, sizeof *atlas);
    find_repeats(p);
    if (!choose_positions(p))
        return lmi_composing_fail(plan->c, LM_CODE_LIMIT,
                                  "the %u textures do not fit into one atlas of %d x %d pixels; in "
                                  "MD3 and MDC, each surface has its own texture",
                                  (unsigned)p->num_tiles, LARGEST, LARGEST);
    material->name = name_image(plan);
    uint8_t *pixels = draw_all(p);
    if (!atlas || !material->name || !pixels || !move_all(p, material))
        return false;
    *atlas = (lm_scene_texture){
        .name = material->name, .width = p->size[0], .height = p->size[1], .pixels = pixels};
    plan->atlas = atlas;
    if (p->clipped)
        lmi_composing_note(plan->c, LM_SEVERITY_WARNING,
                           "a texture repeats more than %d times across a triangle, more than the "
                           "atlas can store: it is stretched there",
                           MAX_REPEATS);
    lmi_composing_note(plan->c, LM_SEVERITY_NOTE, "%u textures become one atlas of %u x %u pixels",
                       (unsigned)p->num_tiles, (unsigned)p->size[0], (unsigned)p->size[1]);
    return name_skin(plan, material->name, atlas);
}

bool lmi_compose_atlas(lm_image_plan *plan) {
    lm_composing *c = plan->c;
    const uint32_t count = c->mesh.num_surfaces;
    if (count == 0 || c->num_textures == 0)
        return true;
    packing p = {.c = c,
                 .mesh = &c->mesh,
                 .tiles = lmi_composing_alloc(c, count, sizeof *p.tiles),
                 .of = lmi_composing_alloc(c, count, sizeof *p.of),
                 .order = lmi_composing_alloc(c, count, sizeof(tile *)),
                 .known = lmi_composing_alloc(c, c->num_textures + (uint64_t)1, sizeof *p.known),
                 .has_alpha = lmi_has_feature(plan, LM_FEATURE_EMBEDDED_SKINS)};
    lm_material *material = lmi_composing_alloc(c, 1, sizeof *material);
    if (c->heap.call.status != LM_DONE)
        return false;
    if (find_tiles(&p) == 0)
        return true;
    return p.num_tiles > 1 ? pack(plan, &p, material) : use_one(plan, &p, material);
}
