/* The images of a player of Quake III: a grey one for surfaces without any, and the icon. */
#include "compose/player.h"
#include "math/vectors.h"

#include <math.h>
#include <string.h>

/* ---- Grey images ----------------------------------------------------------------------------- */

#define GREY_SIZE 8
#define GREY 160

/* Returns the material that the mesh shows on a surface; NULL if it has none. */
static const lm_scene_material *shown(const lm_composing *c, uint32_t surface) {
    const lm_composition *made = &c->made;
    if (c->shown)
        return &c->shown[surface];
    return made->num_skins > 0 && surface < made->num_skin_surfaces
               ? &made->skins[made->skin].materials[surface]
               : NULL;
}

static const lm_scene_texture *pixels_of(const lm_composing *c, uint32_t surface) {
    const lm_scene_material *material = shown(c, surface);
    const lm_scene_texture *texture = material && material->texture != LM_NO_TEXTURE
                                          ? &c->made.textures[material->texture]
                                          : NULL;
    return texture && texture->pixels ? texture : NULL;
}

/* Returns whether a game would draw nothing. Names of a model from a game are kept, because its
 * image may be elsewhere; so are paths of an import. Paths of Quake II's players are not Quake
 * III's. */
static bool is_bare(const lm_composing *c, uint32_t surface) {
    const lm_mesh_surface *s = &c->made.mesh.surfaces[surface];
    const char *name = s->num_materials > 0 ? s->materials[0].name : "";
    if (!*name)
        return true;
    return c->made.embedded && !c->made.from_game && !pixels_of(c, surface) &&
           (!strchr(name, '/') || strncmp(name, "players/", 8) == 0);
}

static bool add_grey(lm_image_plan *plan, const char *name) {
    uint8_t *pixels = lm_composing_alloc(plan->c, (uint64_t)GREY_SIZE * GREY_SIZE, 4);
    if (!pixels)
        return false;
    memset(pixels, GREY, (size_t)GREY_SIZE * GREY_SIZE * 4);
    for (size_t i = 0; i < (size_t)GREY_SIZE * GREY_SIZE; i++)
        pixels[4 * i + 3] = UINT8_MAX;
    return lm_composing_add_image(
        plan->c, name,
        &(lm_scene_texture){.width = GREY_SIZE, .height = GREY_SIZE, .pixels = pixels});
}

static bool fill_bare(lm_image_plan *plan) {
    lm_composing *c = plan->c;
    const uint32_t count = c->made.mesh.num_surfaces;
    lm_material *grey = NULL;
    uint32_t bare = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!is_bare(c, i))
            continue;
        lm_mesh_surface *surfaces = lm_composing_surfaces(c);
        if (!grey)
            grey = lm_composing_alloc(c, 1, sizeof *grey);
        if (!surfaces || !grey)
            return false;
        if (bare++ == 0) {
            grey->name = lm_arena_printf(&c->arena, "%splain.tga", plan->folder);
            if (!grey->name || !add_grey(plan, grey->name))
                return false;
            lm_composing_note(c, LM_WARNING,
                              "the surface \"%.60s\" has no image, so that the game would not draw "
                              "it: it gets a grey one, plain.tga",
                              surfaces[i].name ? surfaces[i].name : "");
        }
        surfaces[i].num_materials = 1;
        surfaces[i].materials = grey;
    }
    if (bare > 1)
        lm_composing_note(c, LM_WARNING, "so do %u more surfaces", (unsigned)bare - 1);
    return true;
}

static void set_materials(const lm_composing *c) {
    for (uint32_t k = 0; k < c->made.num_models; k++) {
        lm_mesh_surface *own = (lm_mesh_surface *)c->models[k]->surfaces;
        for (uint32_t i = 0; i < c->made.mesh.num_surfaces; i++) {
            const lm_mesh_surface *from = &c->made.mesh.surfaces[i];
            if (from->body != (lm_body_part)(LM_BODY_LOWER + k))
                continue;
            own->num_materials = from->num_materials;
            own++->materials = from->materials;
        }
    }
}

/* ---- The icon -------------------------------------------------------------------------------- */

#define ICON_SIZE 64
#define DRAWN_SIZE 128 /* it is drawn larger, and reduced */
/* Bounds the time for triangles that all cover the image. */
#define MAX_PIXELS ((uint64_t)64 * DRAWN_SIZE * DRAWN_SIZE)

/* An image of the head from the front: y to the right, z up, the largest x nearest. */
typedef struct drawing {
    uint8_t *pixels; /* [DRAWN_SIZE * DRAWN_SIZE * 4] */
    float *depth;    /* [DRAWN_SIZE * DRAWN_SIZE] */
    float scale, middle[2];
    uint64_t drawn; /* pixels tested so far */
} drawing;

typedef struct corner {
    double x, y, depth, s, t;
} corner;

static corner corner_of(const drawing *d, const lm_mesh_surface *s, size_t at) {
    const lm_vec3 p = lm_vec3_at(s->positions, s->triangles[at]);
    const size_t st = s->st_triangles ? s->st_triangles[at] : s->triangles[at];
    return (corner){DRAWN_SIZE / 2.0 + (double)((p.y - d->middle[0]) * d->scale),
                    DRAWN_SIZE / 2.0 - (double)((p.z - d->middle[1]) * d->scale), (double)p.x,
                    s->st ? (double)s->st[2 * st] : 0, s->st ? (double)s->st[2 * st + 1] : 0};
}

/* Returns the texel under coordinates that repeat. */
static const uint8_t *texel(const lm_scene_texture *texture, double s, double t) {
    static const uint8_t grey[4] = {GREY, GREY, GREY, UINT8_MAX};
    if (!texture || !isfinite(s) || !isfinite(t))
        return grey;
    const uint32_t x = (uint32_t)((s - floor(s)) * texture->width) % texture->width;
    const uint32_t y = (uint32_t)((t - floor(t)) * texture->height) % texture->height;
    return texture->pixels + 4 * ((size_t)y * texture->width + x);
}

static int bounded(double value) {
    return value < 0 ? 0 : value > DRAWN_SIZE ? DRAWN_SIZE : (int)value;
}

static void draw_pixel(drawing *d, int x, int y, double depth, const uint8_t *colour,
                       double light) {
    const size_t at = (size_t)y * DRAWN_SIZE + (size_t)x;
    if ((float)depth <= d->depth[at])
        return;
    d->depth[at] = (float)depth;
    for (size_t k = 0; k < 3; k++)
        d->pixels[4 * at + k] = (uint8_t)(colour[k] * light);
}

static void draw_triangle(drawing *d, const corner v[3], const lm_scene_texture *texture) {
    const double area =
        (v[1].x - v[0].x) * (v[2].y - v[0].y) - (v[2].x - v[0].x) * (v[1].y - v[0].y);
    const double z1 = (v[1].depth - v[0].depth) * (double)d->scale,
                 z2 = (v[2].depth - v[0].depth) * (double)d->scale,
                 nx = (v[1].y - v[0].y) * z2 - (v[2].y - v[0].y) * z1,
                 ny = (v[2].x - v[0].x) * z1 - (v[1].x - v[0].x) * z2;
    const double light = 0.4 + 0.6 * fabs(area) / sqrt(area * area + nx * nx + ny * ny);
    const int x0 = bounded(fmin(v[0].x, fmin(v[1].x, v[2].x))),
              x1 = bounded(fmax(v[0].x, fmax(v[1].x, v[2].x)) + 1),
              y0 = bounded(fmin(v[0].y, fmin(v[1].y, v[2].y))),
              y1 = bounded(fmax(v[0].y, fmax(v[1].y, v[2].y)) + 1);
    d->drawn += (uint64_t)(x1 - x0) * (uint64_t)(y1 - y0);
    if (!(fabs(area) > 0) || d->drawn > MAX_PIXELS)
        return;
    for (int y = y0; y < y1; y++)
        for (int x = x0; x < x1; x++) {
            const double px = x + 0.5, py = y + 0.5;
            const double b =
                ((px - v[0].x) * (v[2].y - v[0].y) - (v[2].x - v[0].x) * (py - v[0].y)) / area;
            const double e =
                ((v[1].x - v[0].x) * (py - v[0].y) - (px - v[0].x) * (v[1].y - v[0].y)) / area;
            const double a = 1 - b - e;
            if (a >= 0 && b >= 0 && e >= 0)
                draw_pixel(d, x, y, a * v[0].depth + b * v[1].depth + e * v[2].depth,
                           texel(texture, a * v[0].s + b * v[1].s + e * v[2].s,
                                 a * v[0].t + b * v[1].t + e * v[2].t),
                           light);
        }
}

/* Fits the head into the image. */
static void frame_head(const lm_mesh *head, drawing *d) {
    lm_box box = LM_EMPTY_BOX;
    for (uint32_t i = 0; i < head->num_surfaces; i++)
        for (size_t k = 0; k < 3 * (size_t)head->surfaces[i].num_triangles; k++)
            lm_box_add(&box,
                       lm_vec3_at(head->surfaces[i].positions, head->surfaces[i].triangles[k]));
    const float size = fmaxf(box.high[1] - box.low[1], box.high[2] - box.low[2]);
    d->middle[0] = (box.low[1] + box.high[1]) / 2;
    d->middle[1] = (box.low[2] + box.high[2]) / 2;
    d->scale = size > 0 && isfinite(size) ? DRAWN_SIZE * 0.92f / size : 1;
}

static void draw_head(const lm_composing *c, drawing *d) {
    const lm_mesh *mesh = &c->made.mesh, *head = c->models[LM_BODY_HEAD - LM_BODY_LOWER];
    uint32_t k = 0;
    frame_head(head, d);
    for (uint32_t i = 0; i < mesh->num_surfaces; i++) {
        if (mesh->surfaces[i].body != LM_BODY_HEAD)
            continue;
        const lm_mesh_surface *s = &head->surfaces[k++];
        for (size_t t = 0; t < s->num_triangles && d->drawn <= MAX_PIXELS; t++) {
            const corner corners[3] = {corner_of(d, s, 3 * t), corner_of(d, s, 3 * t + 1),
                                       corner_of(d, s, 3 * t + 2)};
            draw_triangle(d, corners, pixels_of(c, i));
        }
    }
}

static bool add_icon(lm_image_plan *plan) {
    static const uint8_t background[4] = {48, 48, 56, UINT8_MAX};
    lm_composing *c = plan->c;
    const size_t count = (size_t)DRAWN_SIZE * DRAWN_SIZE;
    drawing d = {.pixels = lm_composing_alloc(c, count, 4),
                 .depth = lm_composing_alloc(c, count, sizeof *d.depth)};
    uint8_t *icon = lm_composing_alloc(c, (uint64_t)ICON_SIZE * ICON_SIZE, 4);
    const char *name = lm_arena_printf(&c->arena, "%sicon_default.tga", plan->folder);
    if (!d.pixels || !d.depth || !icon || !name)
        return false;
    for (size_t i = 0; i < count; i++) {
        memcpy(d.pixels + 4 * i, background, 4);
        d.depth[i] = -INFINITY;
    }
    draw_head(c, &d);
    lm_pixels_resize(d.pixels, DRAWN_SIZE, DRAWN_SIZE, icon, ICON_SIZE, ICON_SIZE);
    return lm_composing_add_image(
        c, name, &(lm_scene_texture){.width = ICON_SIZE, .height = ICON_SIZE, .pixels = icon});
}

bool lm_player_images(lm_image_plan *plan) {
    if (!lm_has_feature(plan, LM_FEATURE_SURFACES))
        return true;
    if (!fill_bare(plan))
        return false;
    set_materials(plan->c);
    return plan->c->made.num_models == 0 || add_icon(plan);
}
