/* Estimates how much of an image the triangles of a scene fill: software drivers need most of their
 * time for this, and a hostile file may fill it thousands of times. */
#include "gl_internal.h"

/* Drivers fill blocks of 4 x 4 pixels: a thin triangle costs as much as one this much wider. */
#define BLOCK 4
#define NUM_PLANES 4
#define MAX_CORNERS (3 + NUM_PLANES)

typedef struct corner {
    double x, y, w; /* in clip space, without depth */
} corner;

typedef struct polygon {
    unsigned count;
    corner corners[MAX_CORNERS];
} polygon;

typedef struct filling {
    const lm_gl_view *view;
    double width, height; /* of the image, in pixels */
    double passes;        /* how many times each triangle is drawn */
    double pixels;        /* filled so far */
} filling;

/* ---- Triangles ----------------------------------------------------------------------------- */

static corner corner_of(const float *m, const lm_vec3 *p) {
    const double x = (double)p->x, y = (double)p->y, z = (double)p->z;
    return (corner){(double)m[0] * x + (double)m[4] * y + (double)m[8] * z + (double)m[12],
                    (double)m[1] * x + (double)m[5] * y + (double)m[9] * z + (double)m[13],
                    (double)m[3] * x + (double)m[7] * y + (double)m[11] * z + (double)m[15]};
}

/* Returns the distance from a side of the image, negative outside. Nothing behind the eye is inside
 * of all four. */
static double distance(const corner *c, unsigned plane) {
    const double from[NUM_PLANES] = {c->w - c->x, c->w + c->x, c->w - c->y, c->w + c->y};
    return from[plane];
}

/* Removes the part of a polygon that is outside of a plane. */
static void clip(polygon *p, unsigned plane) {
    const polygon whole = *p;
    p->count = 0;
    for (unsigned i = 0; i < whole.count; i++) {
        const corner *a = &whole.corners[i], *b = &whole.corners[(i + 1) % whole.count];
        const double to_a = distance(a, plane), to_b = distance(b, plane), t = to_a / (to_a - to_b);
        if (to_a >= 0)
            p->corners[p->count++] = *a;
        if ((to_a < 0) != (to_b < 0))
            p->corners[p->count++] = (corner){a->x + t * (b->x - a->x), a->y + t * (b->y - a->y),
                                              a->w + t * (b->w - a->w)};
    }
}

/* Returns the number of pixels that a triangle or a line fills; all of them if that is unknown. */
static double pixels_of(const filling *f, const lm_vec3 *const *corners, unsigned count) {
    polygon p = {.count = count};
    double area = 0, min[2] = {INFINITY, INFINITY}, max[2] = {-INFINITY, -INFINITY};
    for (unsigned i = 0; i < count; i++)
        p.corners[i] = corner_of(f->view->matrix, corners[i]);
    for (unsigned i = 0; i < NUM_PLANES; i++)
        clip(&p, i);
    for (unsigned i = 0; i < p.count; i++) {
        corner *a = &p.corners[i];
        const double at[2] = {a->x / a->w * f->width / 2, a->y / a->w * f->height / 2};
        const corner *next = &p.corners[(i + 1) % p.count];
        area += at[0] * (next->y / next->w * f->height / 2) -
                at[1] * (next->x / next->w * f->width / 2);
        for (int n = 0; n < 2; n++) {
            min[n] = fmin(min[n], at[n]);
            max[n] = fmax(max[n], at[n]);
        }
    }
    if (p.count == 0 || (area == 0 && count > 2))
        return 0;
    const double pixels = fabs(area) / 2 + BLOCK * fmax(max[0] - min[0], max[1] - min[1]);
    return isfinite(pixels) ? pixels : f->width * f->height;
}

static void add_triangle(void *user, const lm_vec3 *a, const lm_vec3 *b, const lm_vec3 *c) {
    filling *f = user;
    f->pixels += f->passes * pixels_of(f, (const lm_vec3 *const[]){a, b, c}, 3);
}

/* ---- Surfaces ------------------------------------------------------------------------------ */

/* Returns how many times the triangles of a surface are drawn. */
static double passes_of(const gl_scene_surface *o, lm_gl_shade shade) {
    const lm_shader *shader = o->material ? o->material->shader : NULL;
    if (shade == LM_GL_SHADE_WIRE)
        return 4; /* once for depth, and three edges */
    return shader && shader->num_stages > 1 && lmi_gl_shows_textures(shade) ? shader->num_stages
                                                                            : 1;
}

static bool add_overlay(void *user, GLenum mode, const lm_gl_point *points, uint32_t num_points,
                        lm_error *error) {
    (void)error;
    filling *f = user;
    const unsigned step = mode == GL_LINES ? 2 : 3;
    for (uint32_t i = 0; i + step <= num_points; i += step)
        f->pixels +=
            pixels_of(f,
                      (const lm_vec3 *const[]){&points[i].position, &points[i + 1].position,
                                               &points[i + step - 1].position},
                      step);
    return true;
}

bool lm_gl_scene_fill(lm_gl_scene *scene, const lm_gl_view *view,
                      const lm_gl_scene_instance *instance, uint32_t width, uint32_t height,
                      const lm_gl_render_options *options, double *fill, lm_error *error) {
    filling f = {.view = view, .width = width, .height = height};
    if (!lmi_gl_sound_view(view, error) || !lmi_gl_sound_options(scene, &options, error) ||
        !lmi_gl_pose_scene(scene, instance, error))
        return false;
    for (size_t i = 0; i < scene->num_ordered; i++) {
        f.passes = passes_of(&scene->order[i], options->shade);
        lmi_gl_visit_surface(scene, &scene->order[i], view, options, add_triangle, &f);
    }
    const gl_overlay_visitor overlays = {add_overlay, &f};
    if (!lmi_gl_visit_overlays(scene, view, options->show, &overlays, error))
        return false;
    *fill = f.pixels / fmax(f.width * f.height, 1);
    return true;
}
