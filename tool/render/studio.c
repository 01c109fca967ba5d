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
static bool arrange(render_sitter *sitter, const render_shot *shot, lm_error *error) {
    const lm_scene *scene = &sitter->scene.scene;
    lm_scene_pose(scene, shot->clip, shot->seconds, sitter->poses);
    if (!shot->clip)
        sitter->poses[0] = shot->pose;
    for (uint32_t i = 1; i < scene->num_parts && !shot->clip; i++)
        if (scene->parts[i].follows)
            sitter->poses[i] =
                lm_scene_follow(scene->parts[i].model, sitter->poses[scene->parts[i].parent]);
    if (lm_scene_place(scene, sitter->poses, sitter->places) == LM_CODE_OK)
        return true;
    *error = (lm_error){.code = LM_CODE_BAD_ARGUMENT, .message = "the models fit no common pose"};
    return false;
}

static lm_gl_transform transform_of(const lm_tag_pose *place) {
    return lm_gl_attach(NULL, place);
}

/* ---- The camera ---------------------------------------------------------------------------- */

typedef struct box {
    lm_vec3 min, max;
    bool any;
} box;

static void join(box *b, lm_vec3 p, float radius) {
    lm_vec3 min = {p.x - radius, p.y - radius, p.z - radius};
    lm_vec3 max = {p.x + radius, p.y + radius, p.z + radius};
    if (!b->any)
        *b = (box){min, max, true};
    b->min = (lm_vec3){fminf(b->min.x, min.x), fminf(b->min.y, min.y), fminf(b->min.z, min.z)};
    b->max = (lm_vec3){fmaxf(b->max.x, max.x), fmaxf(b->max.y, max.y), fmaxf(b->max.z, max.z)};
}

static float size_of(lm_vec3 min, lm_vec3 max) {
    return fmaxf(max.x - min.x, fmaxf(max.y - min.y, max.z - min.z));
}

/* The box around one frame of a part where it stands. */
static void join_frame(box *b, const lm_model *model, uint32_t frame, const lm_tag_pose *place) {
    lm_vec3 min, max;
    if (!lm_bounds(model, frame, 1, &min, &max))
        return;
    for (unsigned i = 0; i < 8; i++) {
        lm_vec3 corner = {i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z};
        join(b, lm_place_point(place, corner), 0);
    }
}

#define TAG_LENGTH 4.0f /* of the axes of a tag, where nothing else tells a size */

/* A model without surfaces shows its tags: there is nothing else to see. */
static bool shows_tags(const render_settings *settings, const lm_model *model) {
    return settings->show & RENDER_SHOW_TAGS || model->num_surfaces == 0;
}

static void join_tags(box *b, const lm_model *model, lm_pose pose, const lm_tag_pose *place) {
    for (uint32_t t = 0; t < model->num_tags; t++) {
        lm_tag_pose tag;
        if (lm_sample_tag(model, t, pose, &tag) == LM_CODE_OK)
            join(b, lm_place_point(place, tag.origin), TAG_LENGTH);
    }
}

#define NO_SHARE 1e-5f /* of a frame in a mix: it came from rounding the time */

static void join_shot(box *b, const render_settings *settings, render_sitter *sitter,
                      const render_shot *shot) {
    lm_error error;
    if (!arrange(sitter, shot, &error))
        return; /* drawing says why */
    for (uint32_t i = 0; i < sitter->scene.scene.num_parts; i++) {
        const lm_model *model = sitter->scene.scene.parts[i].model;
        lm_pose pose = sitter->poses[i];
        if (model->num_surfaces > 0) {
            join_frame(b, model, pose.frame_a, &sitter->places[i]);
            if (pose.t > NO_SHARE)
                join_frame(b, model, pose.frame_b, &sitter->places[i]);
        }
        if (shows_tags(settings, model))
            join_tags(b, model, pose, &sitter->places[i]);
    }
}

/* A box that holds the box however it is turned around the vertical axis through its middle. */
static void widen(box *b) {
    float x = (b->min.x + b->max.x) / 2, y = (b->min.y + b->max.y) / 2;
    float radius = hypotf(b->max.x - x, b->max.y - y);
    b->min = (lm_vec3){x - radius, y - radius, b->min.z};
    b->max = (lm_vec3){x + radius, y + radius, b->max.z};
}

lm_gl_camera studio_aim(const render_studio *s, const render_settings *settings,
                        render_sitter *sitter, const render_shot *shots, uint32_t num_shots,
                        bool around) {
    lm_gl_camera camera = {.azimuth = settings->azimuth, .elevation = settings->elevation};
    box b = {.any = false};
    for (uint32_t i = 0; i < num_shots; i++)
        join_shot(&b, settings, sitter, &shots[i]);
    if (around)
        widen(&b);
    /* A margin of a twentieth. */
    lm_gl_camera_fit(&camera, b.min, b.max, (float)s->width / (float)s->height,
                     settings->zoom * 0.95f);
    return camera;
}

/* ---- Drawing ------------------------------------------------------------------------------- */

static bool draw_scenery(render_studio *s, const render_settings *settings,
                         const render_sitter *sitter, const lm_gl_view *view, lm_error *error) {
    const lm_model *model = sitter->scene.scene.parts[0].model;
    lm_pose pose = sitter->poses[0];
    lm_vec3 min = {0, 0, 0}, max = {0, 0, 0};
    lm_bounds(model, pose.t < 0.5f ? pose.frame_a : pose.frame_b, 1, &min, &max);
    float size = size_of(min, max);
    lm_vec3 ground = {(min.x + max.x) / 2, (min.y + max.y) / 2, min.z};
    unsigned show = settings->show;
    return (!(show & RENDER_SHOW_GRID) || lm_gl_draw_grid(s->gl, view, ground, size, error)) &&
           (!(show & RENDER_SHOW_BOX) || lm_gl_draw_box(s->gl, view, NULL, min, max, error)) &&
           (!(show & RENDER_SHOW_AXES) || lm_gl_draw_axes(s->gl, view, NULL, size * 0.6f, error));
}

static bool draw_part(const render_settings *settings, const render_sitter *sitter, uint32_t i,
                      const lm_gl_view *view, lm_error *error) {
    const lm_model *model = sitter->scene.scene.parts[i].model;
    const render_part *part = &sitter->parts[i];
    lm_gl_transform place = transform_of(&sitter->places[i]);
    const lm_gl_style style = {
        .shade = settings->shade, .skins = part->skins, .num_skins = model->num_surfaces};
    return lm_gl_draw(part->model, view, &place, sitter->poses[i], &style, error) &&
           (!shows_tags(settings, model) ||
            lm_gl_draw_tags(part->model, view, &place, sitter->poses[i], TAG_LENGTH, error));
}

bool studio_shoot(render_studio *s, const render_settings *settings, render_sitter *sitter,
                  const lm_gl_camera *camera, const render_shot *shot, lm_error *error) {
    lm_gl_camera turned = *camera;
    turned.azimuth += shot->azimuth;
    lm_gl_view view = lm_gl_camera_view(&turned, (float)s->width / (float)s->height);
    if (!arrange(sitter, shot, error))
        return false;
    lm_gl_target_begin(s->target, settings->background);
    for (uint32_t i = 0; i < sitter->scene.scene.num_parts; i++)
        if (!draw_part(settings, sitter, i, &view, error))
            return false;
    return draw_scenery(s, settings, sitter, &view, error) &&
           lm_gl_target_read(s->target, s->pixels, error);
}
