#include "studio.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool studio_open(render_studio *s, const render_settings *settings, lm_error *error) {
    *s = (render_studio){.width = settings->width, .height = settings->height};
    s->headless = lm_gl_headless_new(NULL, error);
    s->gl = s->headless ? lm_gl_new(error) : NULL;
    if (s->gl)
        s->target = lm_gl_target_new(s->gl, s->width, s->height, settings->samples, error);
    if (!s->target)
        return false;
    s->pixels = malloc((size_t)s->width * s->height * 4);
    if (s->pixels)
        return true;
    *error = (lm_error){.code = LM_CODE_OUT_OF_MEMORY, .message = "there is not enough memory"};
    return false;
}

void studio_close(render_studio *s) {
    lm_gl_target_free(s->target);
    lm_gl_free(s->gl);
    lm_gl_headless_free(s->headless);
    free(s->pixels);
}

/* A box that holds the box however it is turned around the vertical axis through its middle. */
static void widen(lm_vec3 *min, lm_vec3 *max) {
    float x = (min->x + max->x) / 2, y = (min->y + max->y) / 2;
    float radius = hypotf(max->x - x, max->y - y);
    *min = (lm_vec3){x - radius, y - radius, min->z};
    *max = (lm_vec3){x + radius, y + radius, max->z};
}

static void join(lm_vec3 *min, lm_vec3 *max, lm_vec3 p, float radius) {
    *min = (lm_vec3){fminf(min->x, p.x - radius), fminf(min->y, p.y - radius),
                     fminf(min->z, p.z - radius)};
    *max = (lm_vec3){fmaxf(max->x, p.x + radius), fmaxf(max->y, p.y + radius),
                     fmaxf(max->z, p.z + radius)};
}

/* How long the axes of a tag are drawn. */
static float tag_length(lm_vec3 min, lm_vec3 max) {
    float size = fmaxf(max.x - min.x, fmaxf(max.y - min.y, max.z - min.z));
    return size > 0 ? size / 10 : 4;
}

/* A model without surfaces shows its tags: there is nothing else to see. */
static unsigned things_to_show(const render_settings *settings, const lm_model *model) {
    return settings->show | (model->num_surfaces == 0 ? RENDER_SHOW_TAGS : 0);
}

static void join_tags(const lm_model *model, uint32_t first, uint32_t last, lm_vec3 *min,
                      lm_vec3 *max) {
    float length = tag_length(*min, *max);
    for (uint32_t t = 0; t < model->num_tags; t++)
        for (uint32_t f = first; f <= last; f++) {
            lm_tag_pose tag;
            if (lm_sample_tag(model, t, (lm_pose){f, f, 0}, &tag) == LM_CODE_OK)
                join(min, max, tag.origin, length);
        }
}

lm_gl_camera studio_aim(const render_studio *s, const render_settings *settings,
                        const lm_model *model, uint32_t first, uint32_t last, bool around) {
    lm_vec3 min = {0, 0, 0}, max = {0, 0, 0};
    lm_gl_camera camera = {.azimuth = settings->azimuth, .elevation = settings->elevation};
    lm_bounds(model, first, last - first + 1, &min, &max);
    if (things_to_show(settings, model) & RENDER_SHOW_TAGS)
        join_tags(model, first, last, &min, &max);
    if (around)
        widen(&min, &max);
    /* A margin of a twentieth. */
    lm_gl_camera_fit(&camera, min, max, (float)s->width / (float)s->height, settings->zoom * 0.95f);
    return camera;
}

static bool draw_scenery(render_studio *s, const render_settings *settings,
                         const render_sitter *sitter, const lm_gl_view *view, lm_pose pose,
                         lm_error *error) {
    const lm_model *model = sitter->input->model;
    const lm_frame *frame = &model->frames[pose.t < 0.5f ? pose.frame_a : pose.frame_b];
    lm_vec3 min = frame->min, max = frame->max;
    float size = fmaxf(max.x - min.x, fmaxf(max.y - min.y, max.z - min.z));
    lm_vec3 ground = {(min.x + max.x) / 2, (min.y + max.y) / 2, min.z};
    unsigned show = things_to_show(settings, model);
    return (!(show & RENDER_SHOW_GRID) || lm_gl_draw_grid(s->gl, view, ground, size, error)) &&
           (!(show & RENDER_SHOW_BOX) || lm_gl_draw_box(s->gl, view, NULL, min, max, error)) &&
           (!(show & RENDER_SHOW_AXES) || lm_gl_draw_axes(s->gl, view, NULL, size / 3, error)) &&
           (!(show & RENDER_SHOW_TAGS) ||
            lm_gl_draw_tags(sitter->model, view, NULL, pose, tag_length(min, max), error));
}

bool studio_shoot(render_studio *s, const render_settings *settings, const render_sitter *sitter,
                  const lm_gl_camera *camera, const render_shot *shot, lm_error *error) {
    lm_gl_camera turned = *camera;
    turned.azimuth += shot->azimuth;
    lm_gl_view view = lm_gl_camera_view(&turned, (float)s->width / (float)s->height);
    lm_gl_style style = {.shade = settings->shade,
                         .skin = sitter->skin,
                         .skins = (const lm_gl_skin *const *)sitter->skins,
                         .num_skins = sitter->input->model->num_surfaces};
    lm_gl_target_begin(s->target, settings->background);
    return lm_gl_draw(sitter->model, &view, NULL, shot->pose, &style, error) &&
           draw_scenery(s, settings, sitter, &view, shot->pose, error) &&
           lm_gl_target_read(s->target, s->pixels, error);
}
