/* Drawing a scene: its shadow, its surfaces in the order that their shaders want, what is beside.
 */
#include "gl_internal.h"

#include <math.h>

/* ---- Beside the models --------------------------------------------------------------------- */

static float size_of(const lm_vec3 *min, const lm_vec3 *max) {
    return fmaxf(max->x - min->x, fmaxf(max->y - min->y, max->z - min->z));
}

static void join_triangle(void *user, const lm_vec3 *a, const lm_vec3 *b, const lm_vec3 *c) {
    lm_gl_join(user, *a, 0);
    lm_gl_join(user, *b, 0);
    lm_gl_join(user, *c, 0);
}

static void shade_triangle(void *user, const lm_vec3 *a, const lm_vec3 *b, const lm_vec3 *c) {
    lm_gl_shadow_add(user, a, b, c);
}

/* Before all else, so that whatever stands on the ground hides it. */
static bool draw_shadow(const lm_gl_scene *f, const lm_gl_view *view,
                        const lm_gl_render_options *look, lm_error *error) {
    lm_gl_box box = {.any = false};
    lm_gl_visit_triangles(f, view, look, true, join_triangle, &box);
    if (look->ground)
        box.min.z = *look->ground;
    if (!box.any || !(view->eye.z > box.min.z))
        return true;
    gl_shadow *shadow = lm_gl_shadow_new(&box);
    if (!shadow)
        return lm_fail_plain(error, LM_CODE_OUT_OF_MEMORY, "gl: out of memory");
    lm_gl_visit_triangles(f, view, look, true, shade_triangle, shadow);
    bool drawn = lm_gl_shadow_draw(shadow, f->gl, view, error);
    lm_gl_shadow_free(shadow);
    return drawn;
}

static bool draw_scenery(const lm_gl_scene *f, const lm_gl_view *view,
                         const lm_gl_render_options *look, lm_error *error) {
    const lm_model *model = f->scene->parts[0].model;
    lm_pose pose = f->poses[0];
    lm_vec3 min = {0, 0, 0}, max = {0, 0, 0};
    lm_bounds(model, pose.t < 0.5f ? pose.frame_a : pose.frame_b, 1, &min, &max);
    float size = size_of(&min, &max);
    lm_vec3 ground = {(min.x + max.x) / 2, (min.y + max.y) / 2,
                      look->ground ? *look->ground : min.z};
    unsigned show = look->show;
    return (!(show & LM_GL_SHOW_GRID) || lm_gl_draw_grid(f->gl, view, &ground, size, error)) &&
           (!(show & LM_GL_SHOW_BOX) || lm_gl_draw_box(f->gl, view, NULL, &min, &max, error)) &&
           (!(show & LM_GL_SHOW_AXES) || lm_gl_draw_axes(f->gl, view, NULL, size * 0.6f, error));
}

/* ---- Surfaces ------------------------------------------------------------------------------ */

/* A direction of the scene in a model that stands there. */
static lm_vec3 turn_back(const lm_transform *place, lm_vec3 d) {
    float along[3];
    for (int i = 0; i < 3; i++) {
        const lm_vec3 *a = &place->axis[i];
        float square = a->x * a->x + a->y * a->y + a->z * a->z;
        along[i] = square > 0 ? (a->x * d.x + a->y * d.y + a->z * d.z) / square : 0;
    }
    return (lm_vec3){along[0], along[1], along[2]};
}

static lm_vec3 unit(lm_vec3 v) {
    float length = sqrtf(v.x * v.x + v.y * v.y + v.z * v.z);
    return length > 0 ? (lm_vec3){v.x / length, v.y / length, v.z / length} : v;
}

bool lm_gl_make_surface(const lm_gl_scene *f, const gl_scene_surface *o, const lm_gl_view *view,
                        const lm_gl_render_options *look, gl_made *out) {
    const lm_transform *place = &f->places[o->part];
    const lm_model *model = f->scene->parts[o->part].model;
    const lm_surface *surface = &model->surfaces[o->surface];
    const lm_vec3 eye = {view->eye.x - place->origin.x, view->eye.y - place->origin.y,
                         view->eye.z - place->origin.z};
    *out = (gl_made){.shader = o->material->shader,
                     .seconds = look->seconds,
                     .eye = turn_back(place, eye),
                     .right = unit(turn_back(place, view->right)),
                     .up = unit(turn_back(place, view->up)),
                     .toward = unit(turn_back(place, view->toward)),
                     .num_vertices = surface->num_vertices,
                     .vertices = f->made,
                     .st = surface->st};
    const lm_sample_target target = {.positions = &f->made->position.x,
                                     .normals = &f->made->normal.x,
                                     .stride = sizeof *f->made};
    if (surface->num_triangles == 0 ||
        lm_sample(model, o->surface, &f->poses[o->part], 1, &target) != LM_CODE_OK)
        return false;
    lm_gl_deform(out);
    return true;
}

/* Draws a surface as its shader says. */
static bool draw_shaded(const lm_gl_scene *f, const gl_scene_surface *o, const lm_gl_view *view,
                        const lm_gl_render_options *look, const lm_gl_style *style,
                        lm_error *error) {
    gl_made made;
    return !lm_gl_make_surface(f, o, view, look, &made) ||
           lm_gl_draw_made(&made, f->parts[o->part].model, o->surface,
                           (const lm_gl_skin *const *)f->textures, o->material->texture, view,
                           &f->places[o->part], style, error);
}

static bool draw_surface(const lm_gl_scene *f, const gl_scene_surface *o, const lm_gl_view *view,
                         const lm_gl_render_options *look, lm_error *error) {
    static const lm_gl_alpha alphas[] = {[LM_ALPHA_OPAQUE] = LM_GL_ALPHA_OPAQUE,
                                         [LM_ALPHA_MASK] = LM_GL_ALPHA_TEST,
                                         [LM_ALPHA_BLEND] = LM_GL_ALPHA_BLEND};
    const gl_scene_part *part = &f->parts[o->part];
    const lm_shader *shader = o->material ? o->material->shader : NULL;
    const lm_transform *place = &f->places[o->part];
    const lm_gl_style style = {
        .shade = look->shade,
        .alpha = o->material ? alphas[o->material->alpha] : LM_GL_ALPHA_OPAQUE,
        .two_sided = look->two_sided ||
                     (shader && shader->sides != LM_SIDES_FRONT && !lm_gl_shows_skin(look->shade)),
        .engine = look->engine,
        .skins = part->skins,
        .num_skins = f->scene->parts[o->part].model->num_surfaces};
    lm_gl_set_state(f->gl, &style);
    if (shader && lm_gl_shows_skin(look->shade))
        return draw_shaded(f, o, view, look, &style, error);
    const lm_gl_view placed = lm_gl_view_of_placed(view, place);
    return lm_gl_draw_surface(part->model, o->surface, &placed, place, &f->poses[o->part], &style,
                              error);
}

static bool draw_tags(const lm_gl_scene *f, const lm_gl_view *view, lm_error *error) {
    for (uint32_t i = 0; i < f->scene->num_parts; i++)
        if (!lm_gl_draw_tags(f->parts[i].model, view, &f->places[i], &f->poses[i], GL_TAG_LENGTH,
                             error))
            return false;
    return true;
}

bool lm_gl_scene_draw(const lm_gl_scene *f, const lm_gl_view *view,
                      const lm_gl_render_options *look, lm_error *error) {
    static const lm_gl_render_options plain = {.shade = LM_GL_STUDIO};
    look = look ? look : &plain;
    if (!lm_gl_alive(f->gl, error) ||
        (look->show & LM_GL_SHOW_SHADOW && !draw_shadow(f, view, look, error)))
        return false;
    for (size_t i = 0; i < f->num_ordered; i++)
        if (!draw_surface(f, &f->order[i], view, look, error))
            return false;
    f->gl->api.BindVertexArray(0);
    return lm_gl_draw_overlays(f, view, look->show, error) &&
           (!lm_gl_shows_tags(f, look->show) || draw_tags(f, view, error)) &&
           draw_scenery(f, view, look, error);
}
