/* The images of a player: Quake III's grey one for surfaces without any, and the icons. */
#include "compose/composing.h"
#include "math/vectors.h"

#include <math.h>
#include <string.h>

/* ---- Grey images ----------------------------------------------------------------------------- */

#define GREY_SIZE 8
#define GREY 160

static const lm_scene_texture *pixels_of(const lm_composing *c, uint32_t surface) {
    return lmi_composing_image(c, lmi_composing_material(c, surface));
}

/* Returns whether a game would draw nothing. Names of a model from a game are kept, because its
 * image may be elsewhere; so are paths of an import. Paths of Quake II's players are not Quake
 * III's. */
static bool is_bare(const lm_composing *c, uint32_t surface) {
    const lm_mesh_surface *s = &c->mesh.surfaces[surface];
    const char *name = s->num_materials > 0 ? s->materials[0].name : "";
    if (!*name)
        return true;
    return c->embedded && !c->from_game && !pixels_of(c, surface) &&
           (!strchr(name, '/') || strncmp(name, "players/", 8) == 0);
}

static bool add_grey(lm_image_plan *plan, const char *name) {
    uint8_t *pixels = lmi_composing_alloc(plan->c, (uint64_t)GREY_SIZE * GREY_SIZE, 4);
    if (!pixels)
        return false;
    memset(pixels, GREY, (size_t)GREY_SIZE * GREY_SIZE * 4);
    for (size_t i = 0; i < (size_t)GREY_SIZE * GREY_SIZE; i++)
        pixels[4 * i + 3] = UINT8_MAX;
    return lmi_composing_add_image(
        plan->c, name,
        &(lm_scene_texture){.width = GREY_SIZE, .height = GREY_SIZE, .pixels = pixels});
}

static bool fill_bare(lm_image_plan *plan) {
    lm_composing *c = plan->c;
    const uint32_t count = c->mesh.num_surfaces;
    lm_material *grey = NULL;
    uint32_t bare = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!is_bare(c, i))
            continue;
        lm_mesh_surface *surfaces = lmi_composing_surfaces(c);
        if (!grey)
            grey = lmi_composing_alloc(c, 1, sizeof *grey);
        if (!surfaces || !grey)
            return false;
        if (bare++ == 0) {
            grey->name = lmi_arena_printf(&c->arena, "%splain.tga", plan->folder);
            if (!grey->name || !add_grey(plan, grey->name))
                return false;
            lmi_composing_note(
                c, LM_SEVERITY_WARNING,
                "the surface \"%.60s\" has no image, so that the game would not draw "
                "it: it gets a grey one, plain.tga",
                surfaces[i].name ? surfaces[i].name : "");
        }
        surfaces[i].num_materials = 1;
        surfaces[i].materials = grey;
    }
    if (bare > 1)
        lmi_composing_note(c, LM_SEVERITY_WARNING, "so do %u more surfaces", (unsigned)bare - 1);
    return true;
}

static void set_materials(const lm_composing *c) {
    for (uint32_t k = 0; k < c->made.num_models; k++) {
        lm_mesh_surface *own = (lm_mesh_surface *)c->models[k]->surfaces;
        for (uint32_t i = 0; i < c->mesh.num_surfaces; i++) {
            const lm_mesh_surface *from = &c->mesh.surfaces[i];
            if (c->of_model[i] != k)
                continue;
            own->num_materials = from->num_materials;
            own++->materials = from->materials;
        }
    }
}

/* ---- Icons ----------------------------------------------------------------------------------- */

#define QUAKE2_ICON_SIZE 32
#define QUAKE2_SKINS 32 /* the game's limit, MAX_MD2SKINS */
#define QUAKE3_ICON_SIZE 64
#define DRAWN_SIZE 128 /* icons are drawn larger, and reduced */
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
    const lm_vec3 p = lmi_vec3_at(s->positions, s->triangles[at]);
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

static lm_vec3 point_of(const lm_mesh_surface *s, size_t at) {
    return lmi_vec3_at(s->positions, s->triangles[at]);
}

/* Fits the first frame, or its highest part, into the image. */
static void frame_mesh(const lm_mesh *mesh, float part, drawing *d) {
    lm_box box = LM_EMPTY_BOX, all = LM_EMPTY_BOX;
    for (uint32_t i = 0; i < mesh->num_surfaces; i++)
        for (size_t k = 0; k < 3 * (size_t)mesh->surfaces[i].num_triangles; k++)
            lmi_box_add(&all, point_of(&mesh->surfaces[i], k));
    const float lowest = all.high[2] - part * (all.high[2] - all.low[2]);
    for (uint32_t i = 0; i < mesh->num_surfaces; i++)
        for (size_t k = 0; k < 3 * (size_t)mesh->surfaces[i].num_triangles; k++)
            if (!(point_of(&mesh->surfaces[i], k).z < lowest))
                lmi_box_add(&box, point_of(&mesh->surfaces[i], k));
    const float size = fmaxf(box.high[1] - box.low[1], box.high[2] - box.low[2]);
    d->middle[0] = (box.low[1] + box.high[1]) / 2;
    d->middle[1] = (box.low[2] + box.high[2]) / 2;
    d->scale = size > 0 && isfinite(size) ? DRAWN_SIZE * 0.92f / size : 1;
}

/* Begins an icon of the first frame of a mesh, or of its highest part. */
static bool begin_icon(lm_composing *c, const lm_mesh *mesh, float part, drawing *d) {
    static const uint8_t background[4] = {48, 48, 56, UINT8_MAX};
    const size_t count = (size_t)DRAWN_SIZE * DRAWN_SIZE;
    *d = (drawing){.pixels = lmi_composing_alloc(c, count, 4),
                   .depth = lmi_composing_alloc(c, count, sizeof *d->depth)};
    if (!d->pixels || !d->depth)
        return false;
    for (size_t i = 0; i < count; i++) {
        memcpy(d->pixels + 4 * i, background, 4);
        d->depth[i] = -INFINITY;
    }
    frame_mesh(mesh, part, d);
    return true;
}

static void draw_surface(drawing *d, const lm_mesh_surface *s, const lm_scene_texture *texture) {
    for (size_t t = 0; t < s->num_triangles && d->drawn <= MAX_PIXELS; t++) {
        const corner corners[3] = {corner_of(d, s, 3 * t), corner_of(d, s, 3 * t + 1),
                                   corner_of(d, s, 3 * t + 2)};
        draw_triangle(d, corners, texture);
    }
}

static bool add_icon(lm_composing *c, const drawing *d, const char *name, uint32_t size) {
    uint8_t *icon = lmi_composing_alloc(c, (uint64_t)size * size, 4);
    if (!icon || !name)
        return false;
    lmi_pixels_resize(d->pixels, DRAWN_SIZE, DRAWN_SIZE, icon, size, size);
    return lmi_composing_add_image(
        c, name, &(lm_scene_texture){.width = size, .height = size, .pixels = icon});
}

/* Draws the head. */
static bool add_quake3_icon(const lm_image_plan *plan) {
    lm_composing *c = plan->c;
    const lm_mesh *mesh = &c->mesh, *head = c->models[LM_BODY_HEAD - LM_BODY_LOWER];
    drawing d;
    if (!begin_icon(c, head, 1, &d))
        return false;
    uint32_t k = 0;
    for (uint32_t i = 0; i < mesh->num_surfaces; i++)
        if (mesh->surfaces[i].body == LM_BODY_HEAD)
            draw_surface(&d, &head->surfaces[k++], pixels_of(c, i));
    return add_icon(c, &d, lmi_arena_printf(&c->arena, "%sicon_default.tga", plan->folder),
                    QUAKE3_ICON_SIZE);
}

/* Draws the highest quarter with each skin X: the game's menu lists a skin only with its icon,
 * X_i. */
static bool add_quake2_icons(lm_composing *c) {
    const uint32_t count = c->made.num_images < QUAKE2_SKINS ? c->made.num_images : QUAKE2_SKINS;
    for (uint32_t i = 0; i < count; i++) {
        const lm_scene_texture skin = c->made.images[i];
        drawing d;
        if (!begin_icon(c, &c->mesh, 0.25f, &d))
            return false;
        for (uint32_t s = 0; s < c->mesh.num_surfaces; s++)
            draw_surface(&d, &c->mesh.surfaces[s], &skin);
        const int stem = (int)(strrchr(skin.name, '.') - skin.name);
        if (!add_icon(c, &d,
                      lmi_arena_printf(&c->arena, "%.*s_i%s", stem, skin.name, skin.name + stem),
                      QUAKE2_ICON_SIZE))
            return false;
    }
    return true;
}

bool lmi_player_images(lm_image_plan *plan) {
    if (plan->c->player == LM_PLAYER_QUAKE2)
        return add_quake2_icons(plan->c);
    if (!lmi_has_feature(plan, LM_FEATURE_SURFACES))
        return true;
    const bool weapon = plan->c->player == LM_PLAYER_WEAPON;
    if (!weapon && !fill_bare(plan))
        return false;
    set_materials(plan->c);
    return weapon || plan->c->made.num_models == 0 || add_quake3_icon(plan);
}
