#include "studio.h"

#include <math.h>
#include <stdlib.h>

bool studio_open(render_studio *s, const render_settings *settings, lm_error *error) {
    *s = (render_studio){.width = settings->width, .height = settings->height};
    s->headless = lm_gl_headless_new(NULL, error);
    s->gl = s->headless ? lm_gl_new(NULL, error) : NULL;
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

/* Poses all parts as they are at the moment of a shot. */
static bool arrange(const render_sitter *sitter, const render_shot *shot, lm_error *error) {
    const lm_scene *scene = sitter->assets->scene;
    lm_pose poses[LM_MAX_PARTS];
    lm_scene_pose(scene, shot->clip, shot->seconds, poses);
    if (!shot->clip)
        poses[0] = shot->pose;
    lm_scene_follow(scene, poses);
    return lm_gl_scene_pose(sitter->scene, poses, error);
}

/* ---- The camera ---------------------------------------------------------------------------- */

/* A box that holds the box however it is turned around the vertical axis through its middle. */
static void widen(lm_gl_box *b) {
    float x = (b->min.x + b->max.x) / 2, y = (b->min.y + b->max.y) / 2;
    float radius = hypotf(b->max.x - x, b->max.y - y);
    b->min = (lm_vec3){x - radius, y - radius, b->min.z};
    b->max = (lm_vec3){x + radius, y + radius, b->max.z};
}

lm_gl_camera studio_aim(const render_studio *s, const render_settings *settings,
                        render_sitter *sitter, const render_shot *shots, uint32_t num_shots,
                        bool around) {
    lm_gl_camera camera = {.azimuth = settings->azimuth, .elevation = settings->elevation};
    lm_gl_box b = {.any = false};
    lm_error error; /* drawing says why */
    for (uint32_t i = 0; i < num_shots; i++)
        if (arrange(sitter, &shots[i], &error))
            lm_gl_scene_join(sitter->scene, settings->show, &b);
    if (around)
        widen(&b);
    /* A margin of a twentieth. */
    lm_gl_camera_fit(&camera, &b.min, &b.max, (float)s->width / (float)s->height,
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
    const lm_gl_look look = {.shade = settings->shade, .show = settings->show};
    if (!arrange(sitter, shot, error))
        return false;
    lm_gl_target_begin(s->target, settings->background);
    return lm_gl_scene_draw(sitter->scene, &view, &look, error) &&
           lm_gl_target_read(s->target, s->pixels, error);
}
