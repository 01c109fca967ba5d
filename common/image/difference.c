/* Draws two models side by side, coloured by their distance. */

#include "image/labels.h"
#include "image/studio.h"
#include "lerpmesh/image.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CELL 512u /* pixels of each side's image */
#define GAP 8u
#define BAR 16u  /* height of the legend's colour bar */
#define TICKS 4u /* intervals of the legend, with a number at each end */
#define WIDTH (2 * CELL)
#define MAX_LINES 3u
#define HEIGHT (CELL + (MAX_LINES + 3) * FONT_LINE + BAR + 4 * GAP)

static const uint8_t ink[3] = {230, 230, 230}, ground[3] = {41, 43, 48};

/* Two models, each in one frame and with its distances to the other. The camera faces the worst
 * vertex, and a ring surrounds it. */
typedef struct difference_image {
    const difference_models *of;
    uint32_t frames[2];
    float *distances[2]; /* of lm_mesh_compare_frame */
    lm_buffer titles[3]; /* of the sides, below their images, and of the legend */
    float worst;         /* the distance of the hottest colour, in units; 0: no vertex is marked */
    lm_vec3 worst_position, worst_normal;
} difference_image;

/* ---- Colours -------------------------------------------------------------------------------- */

/* Maps 0 .. 1 to blue, green, yellow, red. */
static void heat(double of_one, uint8_t rgb[3]) {
    static const uint8_t stops[][3] = {
        {52, 74, 140}, {40, 150, 170}, {110, 190, 90}, {245, 205, 60}, {220, 40, 30}};
    enum {
        LAST = sizeof stops / sizeof *stops - 1
    };
    const double at = fmin(fmax(of_one, 0), 1) * LAST;
    const int below = at >= LAST ? LAST - 1 : (int)at;
    for (int i = 0; i < 3; i++)
        rgb[i] = (uint8_t)lround(stops[below][i] +
                                 (at - below) * (stops[below + 1][i] - stops[below][i]));
}

#define SHADES 256u

static lm_gl_texture *make_colours(lm_gl *gl, lm_error *error) {
    uint8_t pixels[SHADES * 4];
    for (uint32_t i = 0; i < SHADES; i++) {
        heat((double)i / (SHADES - 1), pixels + 4 * (size_t)i);
        pixels[4 * i + 3] = UINT8_MAX;
    }
    return lm_gl_texture_new(gl, &(lm_gl_image){.width = SHADES, .height = 1, .pixels = pixels},
                             LM_GL_FILTER_PIXELS, error);
}

/* Returns the texture coordinates of a distance's colour. */
static lm_vec2 colour_st(float distance, float worst) {
    const float of_one = worst > 0 && distance > 0 ? fminf(distance / worst, 1) : 0;
    return (lm_vec2){(0.5f + of_one * (SHADES - 1)) / SHADES, 0.5f};
}

/* ---- A model coloured by its distances ------------------------------------------------------- */

typedef struct coloured_model {
    lm_model model; /* the original, except for its texture coordinates */
    lm_surface *surfaces;
    lm_vec2 *st;
} coloured_model;

static bool colour_model(const difference_image *p, int side, coloured_model *out) {
    const lm_model *model = p->of->models[side];
    size_t count = 0, first = 0;
    for (uint32_t i = 0; i < model->num_surfaces; i++)
        count += model->surfaces[i].num_vertices;
    *out =
        (coloured_model){.model = *model,
                         .surfaces = calloc(model->num_surfaces + (size_t)1, sizeof *out->surfaces),
                         .st = calloc(count + 1, sizeof *out->st)};
    if (!out->surfaces || !out->st)
        return false;
    lm_vec2 *st = out->st;
    for (uint32_t i = 0; i < model->num_surfaces; i++) {
        const lm_surface *surface = &model->surfaces[i];
        out->surfaces[i] = *surface;
        out->surfaces[i].st = st;
        for (uint32_t v = 0; v < surface->num_vertices; v++)
            *st++ = colour_st(p->distances[side][first + surface->file_vertices[v]], p->worst);
        first += surface->num_file_vertices;
    }
    out->model.surfaces = out->surfaces;
    return true;
}

/* ---- Drawing -------------------------------------------------------------------------------- */

#define DEGREES(radians) ((float)((radians) * 180 / 3.14159265358979323846))

/* Aims the camera for both sides. It faces the worst vertex, but never from straight below or
 * above. */
static bool aim(lm_gl *gl, const difference_image *p, lm_gl_camera *out, lm_error *error) {
    lm_gl_camera camera = {.azimuth = 35, .elevation = 15, .zoom = 0.92f};
    lm_scene_part parts[2];
    lm_pose poses[2];
    if (p->worst > 0 && (p->worst_normal.x != 0 || p->worst_normal.y != 0)) {
        const double flat = hypot((double)p->worst_normal.x, (double)p->worst_normal.y);
        camera.azimuth = DEGREES(atan2((double)p->worst_normal.y, (double)p->worst_normal.x));
        camera.elevation = fminf(fmaxf(DEGREES(atan2((double)p->worst_normal.z, flat)), -45), 65);
    }
    for (int side = 0; side < 2; side++) {
        parts[side] = (lm_scene_part){.model = p->of->models[side], .parent = LM_NO_PART};
        poses[side] = (lm_pose){p->frames[side], p->frames[side], 0, false};
    }
    const lm_scene both = {.num_parts = 2, .parts = parts};
    const lm_gl_scene_instance posed = {.poses = poses};
    lm_gl_scene *scene = lm_gl_scene_new(gl, &both, error);
    const bool fits = scene && lm_gl_scene_fit(scene, &posed, 1, NULL, &camera, NULL, error);
    lm_gl_scene_free(scene);
    *out = camera;
    return fits;
}

/* A model to draw, for draw_model. */
typedef struct model_drawing {
    lm_gl_model *model;
    const lm_gl_view *view;
    const lm_gl_instance *instance;
    const lm_gl_texture *colours;
} model_drawing;

static bool draw_model(const void *user, lm_error *error) {
    const model_drawing *d = user;
    const lm_gl_style style = {
        .shade = LM_GL_SHADE_STUDIO, .two_sided = true, .texture = d->colours};
    return lm_gl_draw(d->model, d->view, d->instance, 1, &style, error);
}

/* Draws one side into the studio's pixels. The scene only predicts the cost. */
static bool draw_side(studio *s, const difference_image *p, int side, const lm_gl_view *view,
                      const lm_gl_texture *colours, lm_error *error) {
    const lm_gl_background background = {
        .color = {ground[0] / 255.0f, ground[1] / 255.0f, ground[2] / 255.0f, 1}};
    const uint32_t frame = p->frames[side];
    const lm_gl_instance instance = {.pose = {frame, frame, 0}};
    const lm_gl_render_options options = {.shade = LM_GL_SHADE_STUDIO};
    coloured_model d;
    lm_gl_model *drawn = NULL;
    lm_gl_scene *predicted = NULL;
    if (!colour_model(p, side, &d))
        lmi_fail_memory(error);
    else
        drawn = lm_gl_model_new(s->gl, &d.model, error);
    const lm_scene_part part = {.model = &d.model, .parent = LM_NO_PART};
    const lm_scene scene = {.parts = &part, .num_parts = 1};
    if (drawn)
        predicted = lm_gl_scene_new(s->gl, &scene, error);
    const lm_gl_scene_instance posed = {.poses = &instance.pose};
    const model_drawing drawing = {drawn, view, &instance, colours};
    const bool done = predicted && studio_draw(s,
                                               &(studio_drawing){predicted, &posed, view, &options,
                                                                 &background, draw_model, &drawing},
                                               error);
    lm_gl_scene_free(predicted);
    lm_gl_model_free(drawn);
    free(d.surfaces);
    free(d.st);
    return done;
}

/* ---- The image ------------------------------------------------------------------------------- */

static void set_pixel(const font_page *page, int64_t x, int64_t y, const uint8_t rgb[3]) {
    if (x < 0 || y < 0 || x >= page->width || y >= page->height)
        return;
    uint8_t *pixel = page->pixels + 4 * ((size_t)y * page->width + (size_t)x);
    memcpy(pixel, rgb, 3);
    pixel[3] = UINT8_MAX;
}

/* Draws a ring around a point of the model: a light circle with dark edges. */
static void draw_ring(const font_page *page, const lm_gl_view *view, lm_vec3 p, uint32_t left) {
    static const uint8_t dark[3] = {0, 0, 0}, light[3] = {255, 255, 255};
    const float *m = view->matrix;
    const float w = m[3] * p.x + m[7] * p.y + m[11] * p.z + m[15];
    const double x = (double)((m[0] * p.x + m[4] * p.y + m[8] * p.z + m[12]) / w);
    const double y = (double)((m[1] * p.x + m[5] * p.y + m[9] * p.z + m[13]) / w);
    const double cx = left + (x + 1) / 2 * CELL, cy = (1 - y) / 2 * CELL;
    for (int dy = -14; dy <= 14; dy++)
        for (int dx = -14; dx <= 14; dx++) {
            const double away = hypot(dx, dy);
            if (away > 9.5 && away < 13.5 && cx + dx >= left && cx + dx < left + CELL &&
                cy + dy < CELL)
                set_pixel(page, lround(cx) + dx, lround(cy) + dy,
                          away < 10.5 || away > 12.5 ? dark : light);
        }
}

/* Draws the colour bar with a number at each quarter. */
static void draw_legend(const font_page *page, const difference_image *p) {
    const uint32_t top = CELL + MAX_LINES * FONT_LINE + 2 * GAP, left = 4 * GAP;
    const uint32_t width = page->width - 2 * left;
    font_draw_lines(page, left, top, width, MAX_LINES, (const char *)p->titles[2].data, ink);
    for (uint32_t x = 0; x < width; x++) {
        uint8_t rgb[3];
        heat((double)x / (width - 1), rgb);
        for (uint32_t y = 0; y < BAR; y++)
            set_pixel(page, left + x, top + FONT_LINE + GAP / 2 + y, rgb);
    }
    for (uint32_t i = 0; i <= TICKS; i++) {
        char number[40];
        snprintf(number, sizeof number, i < TICKS ? "%.4g" : "%.4g units",
                 (double)p->worst * i / TICKS);
        const uint32_t at = left + (width - 1) * i / TICKS;
        const uint32_t wide = 7 * (uint32_t)strlen(number); /* approximate */
        font_draw(page,
                  at - (i == 0      ? 0
                        : i < TICKS ? wide / 2
                                    : wide),
                  top + FONT_LINE + GAP + BAR, number, strlen(number), ink);
    }
}

static bool draw_page(studio *s, const difference_image *p, const font_page *page,
                      lm_error *error) {
    lm_gl_camera camera;
    lm_gl_view view;
    lm_gl_texture *colours = make_colours(s->gl, error);
    bool drawn = colours && aim(s->gl, p, &camera, error);
    if (drawn)
        lm_gl_camera_view(&camera, &view);
    for (uint32_t i = 0; i < page->width * page->height; i++)
        set_pixel(page, i % page->width, i / page->width, ground);
    for (int side = 0; drawn && side < 2; side++) {
        const uint32_t left = side ? CELL : 0;
        drawn = draw_side(s, p, side, &view, colours, error);
        for (size_t y = 0; drawn && y < CELL; y++)
            memcpy(page->pixels + 4 * (y * page->width + left), s->pixels + 4 * y * CELL,
                   4 * (size_t)CELL);
        font_draw_lines(page, left + GAP, CELL + GAP, CELL - 2 * GAP, MAX_LINES,
                        (const char *)p->titles[side].data, ink);
        if (drawn && p->worst > 0 && side == p->of->found->all.of_second)
            draw_ring(page, &view, p->worst_position, left);
    }
    draw_legend(page, p);
    lm_gl_texture_free(colours);
    return drawn;
}

static bool draw_image(const difference_image *p, lm_buffer *png, coarse_image *coarse,
                       lm_error *error) {
    const studio_options options = {.width = CELL, .height = CELL, .samples = 8};
    studio s = {0};
    const font_page page = {WIDTH, HEIGHT, malloc((size_t)4 * WIDTH * HEIGHT)};
    const bool drawn = page.pixels
                           ? studio_open(&s, &options, error) && draw_page(&s, p, &page, error) &&
                                 lm_pixels_write(page.pixels, page.width, page.height,
                                                 LM_PIXELS_PNG, NULL, png, error)
                           : lmi_fail_memory(error);
    *coarse = s.coarse;
    studio_close(&s);
    free(page.pixels);
    return drawn;
}

/* ---- The comparison -------------------------------------------------------------------------- */

/* Returns the clip and frame with the largest distance. */
static const lm_clip_distance *find_worst(const difference_models *m, uint32_t *frame) {
    const lm_comparison *found = m->found;
    for (uint32_t i = 0; i < found->num_clips; i++) {
        const lm_clip_distance *clip = &found->clips[i];
        *frame = found->all.frame_a - clip->first_a;
        if (found->all.frame_a >= clip->first_a && *frame < clip->count &&
            found->all.frame_b == clip->first_b + *frame)
            return clip;
    }
    *frame = 0;
    return &found->clips[0];
}

/* Returns a side's distances from lm_mesh_compare_frame. NULL with `error` filled. */
static float *measure(const difference_models *m, const lm_clip_distance *clip, uint32_t frame,
                      bool of_second, lm_error *error) {
    const lm_mesh *mesh = m->meshes[of_second];
    size_t count = 0;
    for (uint32_t i = 0; i < mesh->num_surfaces; i++)
        count += mesh->surfaces[i].num_vertices;
    float *distances = calloc(count + 1, sizeof *distances);
    if (!distances) {
        lmi_fail_memory(error);
    } else if (!lm_mesh_compare_frame(m->meshes[0], m->meshes[1], clip, frame, of_second, distances,
                                      NULL, error)) {
        free(distances);
        distances = NULL;
    }
    return distances;
}

static void find_worst_vertex(difference_image *image) {
    const lm_distance *all = &image->of->found->all;
    const lm_mesh_surface *surface = &image->of->meshes[all->of_second]->surfaces[all->surface];
    image->worst = (float)all->max_distance;
    if (!(image->worst > 0))
        return;
    const uint32_t frame = all->of_second ? all->frame_b : all->frame_a;
    const size_t at = 3 * ((size_t)frame * surface->num_vertices + all->vertex);
    const float *p = surface->positions + at;
    image->worst_position = (lm_vec3){p[0], p[1], p[2]};
    if (surface->normals)
        image->worst_normal =
            (lm_vec3){surface->normals[at], surface->normals[at + 1], surface->normals[at + 2]};
}

/* Makes the titles from paths, frames and the clip's name. */
static bool name_image(difference_image *image, const lm_clip_distance *clip) {
    const difference_models *m = image->of;
    lm_buffer *titles = image->titles;
    for (int side = 0; side < 2; side++) {
        const char *name = m->meshes[side]->frame_names[image->frames[side]];
        lm_buffer_printf(&titles[side], "%s, frame %u%s%s", m->names[side],
                         (unsigned)image->frames[side], *name ? ", " : "", name);
    }
    if (*clip->name)
        lm_buffer_printf(&titles[2], "clip %s: ", clip->name);
    lm_buffer_printf(&titles[2], "distance to the other model, maximum %.4g units",
                     m->found->all.max_distance);
    for (int i = 0; i < 3; i++)
        lm_buffer_append(&titles[i], "", 1);
    return !titles[0].failed && !titles[1].failed && !titles[2].failed;
}

bool difference_draw(const difference_models *m, lm_buffer *png, coarse_image *coarse,
                     lm_error *error) {
    uint32_t frame;
    const lm_clip_distance *clip = find_worst(m, &frame);
    difference_image image = {.of = m, .frames = {clip->first_a + frame, clip->first_b + frame}};
    bool drawn = true;
    for (int side = 0; drawn && side < 2; side++) {
        image.distances[side] = measure(m, clip, frame, side == 1, error);
        drawn = image.distances[side] != NULL;
    }
    if (drawn) {
        find_worst_vertex(&image);
        drawn = name_image(&image, clip) ? draw_image(&image, png, coarse, error)
                                         : lmi_fail_memory(error);
    }
    for (int i = 0; i < 3; i++)
        lm_buffer_free(&image.titles[i]);
    for (int side = 0; side < 2; side++)
        free(image.distances[side]);
    return drawn;
}
