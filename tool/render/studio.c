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
    return s->pixels || lm_fail_plain(error, LM_CODE_OUT_OF_MEMORY, "out of memory");
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

static lm_gl_look look_of(const render_settings *settings, const render_shot *shot) {
    return (lm_gl_look){.shade = settings->shade,
                        .show = settings->show | (settings->backdrop ? LM_GL_SHOW_SHADOW : 0u),
                        .seconds = shot->seconds};
}

/* ---- The camera ---------------------------------------------------------------------------- */

/* The middle of all shots. */
static lm_vec3 find_middle(const render_settings *settings, render_sitter *sitter,
                           const render_shot *shots, uint32_t num_shots) {
    lm_gl_box b = {.any = false};
    lm_error error; /* drawing says why */
    for (uint32_t i = 0; i < num_shots; i++)
        if (arrange(sitter, &shots[i], &error))
            lm_gl_scene_join(sitter->scene, settings->show, &b);
    return (lm_vec3){(b.min.x + b.max.x) / 2, (b.min.y + b.max.y) / 2, (b.min.z + b.max.z) / 2};
}

render_aim studio_aim(const render_studio *s, const render_settings *settings,
                      render_sitter *sitter, const render_shot *shots, uint32_t num_shots,
                      bool around) {
    render_aim aim = {{.azimuth = settings->azimuth, .elevation = settings->elevation}, 0};
    lm_vec3 middle = {0, 0, 0};
    lm_gl_fit fit;
    lm_error error;
    if (around)
        middle = find_middle(settings, sitter, shots, num_shots);
    /* A margin of a twentieth. */
    lm_gl_fit_begin(&fit, &aim.camera, (float)s->width / (float)s->height, settings->zoom * 0.95f,
                    around ? &middle : NULL);
    for (uint32_t i = 0; i < num_shots; i++) {
        const lm_gl_look look = look_of(settings, &shots[i]);
        if (arrange(sitter, &shots[i], &error))
            lm_gl_scene_fit(sitter->scene, &look, &fit);
    }
    lm_gl_fit_end(&fit, &aim.camera);
    aim.ground = (float)fit.min[2];
    return aim;
}

/* ---- Drawing ------------------------------------------------------------------------------- */

static bool clear(const render_studio *s, const render_settings *settings, lm_error *error) {
    lm_gl_target_begin(s->target, settings->background);
    return !settings->backdrop || lm_gl_draw_backdrop(s->gl, NULL, NULL, error);
}

bool studio_shoot(render_studio *s, const render_settings *settings, render_sitter *sitter,
                  const render_aim *aim, const render_shot *shot, lm_error *error) {
    lm_gl_camera turned = aim->camera;
    turned.azimuth += shot->azimuth;
    lm_gl_view view;
    lm_gl_camera_view(&turned, (float)s->width / (float)s->height, &view);
    lm_gl_look look = look_of(settings, shot);
    look.ground = &aim->ground;
    return arrange(sitter, shot, error) && clear(s, settings, error) &&
           lm_gl_scene_draw(sitter->scene, &view, &look, error) &&
           lm_gl_target_read(s->target, s->pixels, error);
}

bool studio_shoot_nothing(render_studio *s, const render_settings *settings, lm_error *error) {
    return clear(s, settings, error) && lm_gl_target_read(s->target, s->pixels, error);
}
