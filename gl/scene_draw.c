/* Draws a scene: its shadow, its surfaces in the order of their shaders, and the overlays. */
#include "gl_internal.h"

#include <math.h>
#include <stdlib.h>

/* ---- Grid, box and axes ---------------------------------------------------------------------- */

static float size_of(const lm_vec3 *min, const lm_vec3 *max) {
    return fmaxf(max->x - min->x, fmaxf(max->y - min->y, max->z - min->z));
}

/* Draws the grid below the fit, else below the box. */
static bool draw_grid(const lm_gl_scene *f, const lm_gl_view *view, const lm_gl_fit *fit,
                      lm_gl_box box, lm_error *error) {
    if (fit && fit->any)
        box = (lm_gl_box){{(float)fit->min[0], (float)fit->min[1], (float)fit->min[2]},
                          {(float)fit->max[0], (float)fit->max[1], (float)fit->max[2]},
                          true};
    const lm_vec3 ground = {(box.min.x + box.max.x) / 2, (box.min.y + box.max.y) / 2, box.min.z};
    return lm_gl_draw_grid(f->gl, view, &ground, size_of(&box.min, &box.max), error);
}

/* The box of a single part turns with it, that of several parts does not. */
static bool draw_guides(const lm_gl_scene *f, const lm_gl_view *view,
                        const lm_gl_render_options *options, lm_error *error) {
    static const lm_transform identity = LM_TRANSFORM_IDENTITY;
    const bool several = f->scene->num_parts > 1;
    const unsigned show = options->show;
    lm_vec3 min = {0, 0, 0}, max = {0, 0, 0};
    lm_gl_box box = {.any = false};
    if (!(show & (LM_GL_SHOW_GRID | LM_GL_SHOW_BOX | LM_GL_SHOW_AXES)))
        return true;
    for (uint32_t i = 0; i < f->scene->num_parts; i++) {
        const lm_gl_instance *at = &f->at[i];
        const lm_pose *pose = at->weight < 0.5f ? &at->pose : &at->to;
        const uint32_t frame = pose->t < 0.5f ? pose->frame_a : pose->frame_b;
        if (lm_bounds(f->scene->parts[i].model, frame, 1, &min, &max))
            lm_gl_join_box(&box, &min, &max, &at->transform);
    }
    const lm_vec3 *low = several ? &box.min : &min, *high = several ? &box.max : &max;
    const float size = size_of(low, high);
    return (!(show & LM_GL_SHOW_GRID) || draw_grid(f, view, options->fit, box, error)) &&
           (!(show & LM_GL_SHOW_BOX) ||
            lm_gl_draw_box(f->gl, view, several ? &identity : &f->at[0].transform, low, high,
                           error)) &&
           (!(show & LM_GL_SHOW_AXES) ||
            lm_gl_draw_axes(f->gl, view, &f->at[0].transform, size * 0.6f, error));
}

/* ---- Surfaces ------------------------------------------------------------------------------ */

/* Draws a surface with its shader. */
static bool draw_shaded(const lm_gl_scene *f, const gl_scene_surface *o, const lm_gl_instance *at,
                        const lm_gl_view *view, const lm_gl_render_options *options,
                        const lm_gl_style *style, lm_error *error) {
    gl_generated generated;
    return !lm_gl_make_surface(f, o, at, view, options, &generated) ||
           lm_gl_draw_generated(&generated, f->parts[o->part].model, o->surface,
                                (const lm_gl_texture *const *)f->textures, o->material->texture,
                                view, &at->transform, style, error);
}

/* Draws a surface of `count` instances of its part. */
static bool draw_surface(const lm_gl_scene *f, const gl_scene_surface *o, const lm_gl_instance *at,
                         uint32_t count, gl_draw_surface *draw, const lm_gl_view *view,
                         const lm_gl_render_options *options, lm_error *error) {
    static const lm_gl_alpha alphas[] = {[LM_ALPHA_OPAQUE] = LM_GL_ALPHA_OPAQUE,
                                         [LM_ALPHA_MASK] = LM_GL_ALPHA_TEST,
                                         [LM_ALPHA_BLEND] = LM_GL_ALPHA_BLEND};
    const gl_scene_part *part = &f->parts[o->part];
    const lm_shader *shader = o->material ? o->material->shader : NULL;
    const bool shows_textures = lm_gl_shows_textures(options->shade);
    const lm_gl_style style = {
        .shade = options->shade,
        .alpha = o->material ? alphas[o->material->alpha] : LM_GL_ALPHA_OPAQUE,
        .two_sided =
            options->two_sided || (shader && shader->sides != LM_SIDES_FRONT && !shows_textures),
        .engine = options->engine,
        .environment = options->environment,
        .exposure = options->exposure,
        .textures = part->textures,
        .num_textures = f->scene->parts[o->part].model->num_surfaces};
    lm_gl_set_state(f->gl, &style);
    for (uint32_t i = 0; shader && shows_textures && i < count; i++)
        if (!draw_shaded(f, o, &at[i], view, options, &style, error))
            return false;
    if (shader && shows_textures)
        return true;
    return draw(part->model, o->surface, view, at, count, &style, error);
}

/* `at`: `count` instances of each part, in the order of the parts. */
static bool draw_surfaces(const lm_gl_scene *f, const lm_gl_instance *at, uint32_t count,
                          gl_draw_surface *draw, const lm_gl_view *view,
                          const lm_gl_render_options *options, lm_error *error) {
    for (size_t i = 0; i < f->num_ordered; i++)
        if (!draw_surface(f, &f->order[i], at + (size_t)f->order[i].part * count, count, draw, view,
                          options, error))
            return false;
    f->gl->api.BindVertexArray(0);
    return true;
}

static bool draw_tags(const lm_gl_scene *f, const lm_gl_view *view, lm_error *error) {
    for (uint32_t i = 0; i < f->scene->num_parts; i++)
        if (!lm_gl_draw_tags(f->parts[i].model, view, &f->at[i], GL_TAG_LENGTH, error))
            return false;
    return true;
}

static const lm_gl_render_options plain = {.shade = LM_GL_STUDIO};

bool lm_gl_scene_draw(const lm_gl_scene *f, const lm_gl_view *view,
                      const lm_gl_render_options *options, lm_error *error) {
    options = options ? options : &plain;
    return lm_gl_ready(f->gl, error) && lm_gl_sound_options(options, error) &&
           (!(options->show & LM_GL_SHOW_SHADOW) || lm_gl_draw_shadow(f, view, options, error)) &&
           draw_surfaces(f, f->at, 1, lm_gl_draw_each, view, options, error) &&
           lm_gl_draw_overlays(f, view, options->show, error) &&
           (!lm_gl_shows_tags(f, options->show) || draw_tags(f, view, error)) &&
           draw_guides(f, view, options, error);
}

bool lm_gl_scene_draw_instances(const lm_gl_scene *f, const lm_gl_view *view,
                                const lm_gl_scene_instance *instances, uint32_t num_instances,
                                const lm_gl_render_options *options, lm_error *error) {
    const size_t parts = f->scene->num_parts;
    options = options ? options : &plain;
    if (!lm_gl_ready(f->gl, error) || !lm_gl_sound_options(options, error))
        return false;
    if (options->show != 0)
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT,
                             "gl: instances are drawn without overlays: `show` must be 0");
    if (num_instances == 0)
        return true;
    lm_gl_instance *at =
        num_instances <= INT32_MAX ? calloc(num_instances, parts * sizeof *at) : NULL;
    if (!at)
        return lm_gl_no_memory(error);
    bool ok = true;
    for (uint32_t i = 0; ok && i < num_instances; i++)
        ok = lm_gl_pose_parts(f->scene, &instances[i], at + i, num_instances, error);
    ok = ok && draw_surfaces(f, at, num_instances, lm_gl_draw_instanced, view, options, error);
    free(at);
    return ok;
}
