/* The soft shadow below a model: how much light from above the model blocks. The CPU computes it;
 * the driver would need more programs and targets. */
#include "gl_internal.h"

#include <stdlib.h>

#define CELLS 40     /* per side */
#define BLUR 2       /* cells in each direction, three times: approximates a Gaussian */
#define MARGIN 0.25f /* around the model, relative to its larger side */
#define FADING 0.22f /* of the model's size: at this height, 1/e is left */
#define DARKEST 0.62f
#define MAX_WORK 8000000u

typedef struct gl_shadow {
    float x, y, z; /* the corner of the first cell, on the ground */
    float step;    /* a cell's side length */
    float fading;  /* in units */
    uint32_t work; /* number of cells visited; beyond a limit, only the triangles' corners count */
    float dark[CELLS][CELLS];
} gl_shadow;

/* Begins the shadow of a box, on its lower side. */
static void begin(gl_shadow *s, const lm_gl_box *box) {
    float width = box->max.x - box->min.x, depth = box->max.y - box->min.y;
    float size = fmaxf(width, depth), height = box->max.z - box->min.z;
    float side = fmaxf(size * (1 + 2 * MARGIN), fmaxf(size, height) * 0.3f);
    s->step = fmaxf(side / CELLS, 1e-6f);
    s->x = (box->min.x + box->max.x - s->step * CELLS) / 2;
    s->y = (box->min.y + box->max.y - s->step * CELLS) / 2;
    s->z = box->min.z;
    s->fading = fmaxf(fmaxf(size, height) * FADING, 1e-6f);
}

static void darken(gl_shadow *s, int x, int y, float z) {
    float dark = expf(-fmaxf(z - s->z, 0) / s->fading);
    if (dark > s->dark[y][x])
        s->dark[y][x] = dark;
}

/* Returns the cell of a coordinate, clamped to the field. */
static int cell_of(float value, float first, float step) {
    float cell = floorf((value - first) / step);
    return cell > 0 ? (cell < CELLS - 1 ? (int)cell : CELLS - 1) : 0;
}

/* Darkens every cell whose centre is in the triangle, by its height there. Also darkens the
 * corners' cells, so that thin triangles count. */
static void shade_triangle(void *user, const lm_vec3 *a, const lm_vec3 *b, const lm_vec3 *c) {
    gl_shadow *s = user;
    const lm_vec3 *corners[3] = {a, b, c};
    float abx = b->x - a->x, aby = b->y - a->y, acx = c->x - a->x, acy = c->y - a->y;
    float area = abx * acy - aby * acx;
    if (!isfinite(area))
        return;
    for (int i = 0; i < 3; i++)
        darken(s, cell_of(corners[i]->x, s->x, s->step), cell_of(corners[i]->y, s->y, s->step),
               corners[i]->z);
    if (area == 0 || s->work > MAX_WORK)
        return;
    int left = cell_of(fminf(a->x, fminf(b->x, c->x)), s->x, s->step);
    int right = cell_of(fmaxf(a->x, fmaxf(b->x, c->x)), s->x, s->step);
    int low = cell_of(fminf(a->y, fminf(b->y, c->y)), s->y, s->step);
    int high = cell_of(fmaxf(a->y, fmaxf(b->y, c->y)), s->y, s->step);
    s->work += (uint32_t)((right - left + 1) * (high - low + 1));
    for (int y = low; y <= high; y++)
        for (int x = left; x <= right; x++) {
            float px = s->x + ((float)x + 0.5f) * s->step - a->x;
            float py = s->y + ((float)y + 0.5f) * s->step - a->y;
            float u = (px * acy - py * acx) / area, v = (abx * py - aby * px) / area;
            if (u >= 0 && v >= 0 && u + v <= 1)
                darken(s, x, y, a->z + u * (b->z - a->z) + v * (c->z - a->z));
        }
}

/* Replaces each cell of a row or column by the mean of its neighbours. */
static void blur_line(float *first, size_t stride) {
    float line[CELLS + 2 * BLUR] = {0}, sum = 0;
    for (size_t i = 0; i < CELLS; i++)
        line[i + BLUR] = first[i * stride];
    for (size_t i = 0; i < 2 * BLUR; i++)
        sum += line[i];
    for (size_t i = 0; i < CELLS; i++) {
        sum += line[i + 2 * BLUR];
        first[i * stride] = sum / (2 * BLUR + 1);
        sum -= line[i];
    }
}

static lm_gl_point point_of(const gl_shadow *s, unsigned x, unsigned y) {
    lm_vec3 p = {s->x + ((float)x + 0.5f) * s->step, s->y + ((float)y + 0.5f) * s->step, s->z};
    float dark = fmaxf(s->dark[y][x], 0);
    return (lm_gl_point){p, {0, 0, 0, (uint8_t)lrintf(255 * DARKEST * fminf(dark, 1))}};
}

/* Makes two triangles, or none if there is no shadow. Returns the number of points. */
static uint32_t add_cell(const gl_shadow *s, unsigned x, unsigned y, lm_gl_point *points) {
    unsigned dark = 0;
    for (unsigned i = 0; i < 6; i++) {
        points[i] = point_of(s, x + (0x1a >> i & 1), y + (0x34 >> i & 1));
        dark |= points[i].rgba[3];
    }
    return dark > 0 ? 6 : 0;
}

/* Blurs the shadow and draws it. */
static bool draw(gl_shadow *s, lm_gl *gl, const lm_gl_view *view, lm_error *error) {
    lm_gl_point *points = malloc(sizeof *points * 6 * CELLS * CELLS);
    uint32_t count = 0;
    if (!points)
        return lmi_gl_no_memory(error);
    for (size_t i = 0; i < 3 * CELLS; i++) {
        blur_line(s->dark[i % CELLS], 1);
        blur_line(&s->dark[0][i % CELLS], CELLS);
    }
    for (unsigned y = 0; y + 1 < CELLS; y++)
        for (unsigned x = 0; x + 1 < CELLS; x++)
            count += add_cell(s, x, y, points + count);
    bool drawn =
        lmi_gl_draw_points(gl, view->matrix, GL_TRIANGLES, GL_DEPTH_AMONG, points, count, error);
    free(points);
    return drawn;
}

static void join_triangle(void *user, const lm_vec3 *a, const lm_vec3 *b, const lm_vec3 *c) {
    lmi_gl_join(user, *a, 0);
    lmi_gl_join(user, *b, 0);
    lmi_gl_join(user, *c, 0);
}

bool lmi_gl_draw_shadow(const lm_gl_scene *f, const lm_gl_view *view,
                        const lm_gl_render_options *options, lm_error *error) {
    lm_gl_box box = {.any = false};
    lmi_gl_visit_triangles(f, view, options, true, join_triangle, &box);
    if (options->extent && options->extent->any)
        box.min.z = options->extent->min.z;
    if (!box.any || !(view->eye.z > box.min.z))
        return true;
    gl_shadow *shadow = calloc(1, sizeof *shadow);
    if (!shadow)
        return lmi_gl_no_memory(error);
    begin(shadow, &box);
    lmi_gl_visit_triangles(f, view, options, true, shade_triangle, shadow);
    bool drawn = draw(shadow, f->gl, view, error);
    free(shadow);
    return drawn;
}
