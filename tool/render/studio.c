#include "studio.h"

#include <math.h>
#include <stdlib.h>

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

/* ---- Time and place ------------------------------------------------------------------------ */

/* Poses and places of all parts at the moment of a shot. */
static bool arrange(render_figure *f, const render_shot *shot, lm_error *error) {
    lm_scene_pose(f->scene, shot->clip, shot->seconds, f->poses);
    if (!shot->clip)
        f->poses[0] = shot->pose;
    lm_scene_follow(f->scene, f->poses);
    return figure_place(f, error);
}

/* ---- The camera ---------------------------------------------------------------------------- */

/* A box that holds the box however it is turned around the vertical axis through its middle. */
static void widen(render_box *b) {
    float x = (b->min.x + b->max.x) / 2, y = (b->min.y + b->max.y) / 2;
    float radius = hypotf(b->max.x - x, b->max.y - y);
    b->min = (lm_vec3){x - radius, y - radius, b->min.z};
    b->max = (lm_vec3){x + radius, y + radius, b->max.z};
}

lm_gl_camera studio_aim(const render_studio *s, const render_settings *settings,
                        render_sitter *sitter, const render_shot *shots, uint32_t num_shots,
                        bool around) {
    lm_gl_camera camera = {.azimuth = settings->azimuth, .elevation = settings->elevation};
    render_box b = {.any = false};
    lm_error error; /* drawing says why */
    for (uint32_t i = 0; i < num_shots; i++)
        if (arrange(&sitter->figure, &shots[i], &error))
            figure_join(&sitter->figure, settings->show, &b);
    if (around)
        widen(&b);
    /* A margin of a twentieth. */
    lm_gl_camera_fit(&camera, b.min, b.max, (float)s->width / (float)s->height,
                     settings->zoom * 0.95f);
    return camera;
}

/* ---- Drawing ------------------------------------------------------------------------------- */

bool studio_shoot(render_studio *s, const render_settings *settings, render_sitter *sitter,
                  const lm_gl_camera *camera, const render_shot *shot, lm_error *error) {
    lm_gl_camera turned = *camera;
    turned.azimuth += shot->azimuth;
    lm_gl_view view;
    lm_gl_camera_view(&turned, (float)s->width / (float)s->height, &view);
    const figure_look look = {.shade = settings->shade, .show = settings->show};
    if (!arrange(&sitter->figure, shot, error))
        return false;
    lm_gl_target_begin(s->target, settings->background);
    return figure_draw(&sitter->figure, &view, &look, error) &&
           lm_gl_target_read(s->target, s->pixels, error);
}
