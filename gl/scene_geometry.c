/* The geometry of a posed scene, computed by the CPU: deformed surfaces, the triangles that cast a
 * shadow, the boxes and points that cameras aim at. */
#include "gl_internal.h"

/* ---- Boxes --------------------------------------------------------------------------------- */

void lmi_gl_join(lm_gl_box *box, lm_vec3 middle, float radius) {
    lm_vec3 min = {middle.x - radius, middle.y - radius, middle.z - radius};
    lm_vec3 max = {middle.x + radius, middle.y + radius, middle.z + radius};
    if (!box->any)
        *box = (lm_gl_box){.min = min, .max = max, .any = true};
    box->min =
        (lm_vec3){fminf(box->min.x, min.x), fminf(box->min.y, min.y), fminf(box->min.z, min.z)};
    box->max =
        (lm_vec3){fmaxf(box->max.x, max.x), fmaxf(box->max.y, max.y), fmaxf(box->max.z, max.z)};
}

void lmi_gl_join_box(lm_gl_box *box, const lm_vec3 *min, const lm_vec3 *max,
                     const lm_transform *transform) {
    for (unsigned i = 0; i < 8; i++) {
        lm_vec3 corner = lmi_gl_corner_of(min, max, i);
        lm_transform_vertices(transform, &corner, NULL, 1, 0);
        lmi_gl_join(box, corner, 0);
    }
}

bool lmi_gl_shows_tags(const lm_gl_scene *f, unsigned show) {
    bool no_surfaces = true;
    for (uint32_t i = 0; i < f->scene->num_parts; i++)
        no_surfaces = no_surfaces && f->scene->parts[i].model->num_surfaces == 0;
    return show & LM_GL_SHOW_TAGS || no_surfaces;
}

static void join_tags(lm_gl_box *b, const lm_model *model, const lm_gl_instance *at) {
    for (uint32_t t = 0; t < model->num_tags; t++) {
        lm_transform tag;
        if (lmi_gl_sample_tag(model, t, at, &tag) != LM_CODE_OK)
            continue;
        lm_transform_vertices(at->transform, &tag.origin, NULL, 1, 0);
        lmi_gl_join(b, tag.origin, GL_TAG_LENGTH);
    }
}

#define NO_SHARE 1e-5f /* a smaller share of a frame comes from rounding the time */

void lmi_gl_join_scene(const lm_gl_scene *f, unsigned show, lm_gl_box *box) {
    bool tags = lmi_gl_shows_tags(f, show);
    for (uint32_t i = 0; i < f->scene->num_parts; i++) {
        const lm_model *model = f->scene->parts[i].model;
        const lm_gl_instance *at = &f->at[i];
        gl_side sides[GL_NUM_SIDES];
        const unsigned count = model->num_surfaces > 0 ? lmi_gl_list_sides(at, sides) : 0;
        lm_vec3 min, max;
        for (unsigned k = 0; k < count; k++)
            if ((k == 0 || sides[k].total > NO_SHARE) &&
                lm_model_bounds(model, sides[k].frame, 1, &min, &max) == LM_CODE_OK)
                lmi_gl_join_box(box, &min, &max, at->transform);
        if (tags)
            join_tags(box, model, at);
    }
}

#define AXES_SHARE 0.6f /* of the size of the box */

gl_guides lmi_gl_find_guides(const lm_gl_scene *f) {
    gl_guides guides = {.place = f->scene->num_parts > 1 ? NULL : f->at[0].transform};
    for (uint32_t i = 0; i < f->scene->num_parts; i++) {
        const lm_gl_instance *at = &f->at[i];
        const lm_pose *pose = at->weight < 0.5f ? &at->pose : &at->to;
        const uint32_t frame = pose->t < 0.5f ? pose->frame_a : pose->frame_b;
        if (lm_model_bounds(f->scene->parts[i].model, frame, 1, &guides.min, &guides.max) ==
            LM_CODE_OK)
            lmi_gl_join_box(&guides.box, &guides.min, &guides.max, at->transform);
    }
    if (!guides.place) {
        guides.min = guides.box.min;
        guides.max = guides.box.max;
    }
    guides.length = AXES_SHARE * lmi_gl_size_of(&guides.min, &guides.max);
    return guides;
}

/* ---- Surfaces ------------------------------------------------------------------------------ */

/* Converts a direction of the scene to model space. */
static lm_vec3 to_model_space(const lm_transform *transform, lm_vec3 d) {
    float along[3];
    for (int i = 0; i < 3; i++) {
        const lm_vec3 *a = &transform->axis[i];
        float square = gl_dot(*a, *a);
        along[i] = square > 0 ? gl_dot(*a, d) / square : 0;
    }
    return (lm_vec3){along[0], along[1], along[2]};
}

static lm_vec3 unit_in_model_space(const lm_transform *transform, lm_vec3 axis) {
    lm_vec3 d = to_model_space(transform, axis);
    return gl_unit(d, d);
}

bool lmi_gl_make_surface(const lm_gl_scene *f, const gl_scene_surface *o, const lm_gl_instance *at,
                         const lm_gl_view *view, double seconds, gl_generated *out) {
    const lm_transform *transform = at->transform;
    const lm_model *model = f->scene->parts[o->part].model;
    const lm_surface *surface = &model->surfaces[o->surface];
    const lm_vec3 eye = gl_sum(view->eye, transform->origin, -1);
    *out = (gl_generated){.shader = o->material->shader,
                          .seconds = seconds,
                          .eye = to_model_space(transform, eye),
                          .right = unit_in_model_space(transform, view->right),
                          .up = unit_in_model_space(transform, view->up),
                          .toward = unit_in_model_space(transform, view->toward),
                          .num_vertices = surface->num_vertices,
                          .vertices = f->generated,
                          .st = surface->st};
    const lm_sample_target target = {.positions = &f->generated->position.x,
                                     .normals = &f->generated->normal.x,
                                     .stride = sizeof *f->generated};
    if (surface->num_triangles == 0 || lmi_gl_sample(model, o->surface, at, &target) != LM_CODE_OK)
        return false;
    lmi_gl_deform(out);
    return true;
}

/* ---- Triangles ----------------------------------------------------------------------------- */

/* Computes the drawn vertices of a surface in f->positions, in the scene. `sprites`: each 4
 * vertices are a square. Returns false if the surface has no vertices to draw. */
static bool compute_positions(const lm_gl_scene *f, const gl_scene_surface *o,
                              const lm_gl_view *view, const lm_gl_render_options *options,
                              bool *sprites) {
    const lm_model *model = f->scene->parts[o->part].model;
    const lm_surface *surface = &model->surfaces[o->surface];
    const lm_shader *shader = o->material ? o->material->shader : NULL;
    const lm_gl_instance *at = &f->at[o->part];
    lm_sample_target target = {.positions = &f->positions->x};
    gl_generated generated = {.sprites = false};
    if (shader && shader->num_deforms > 0 && lmi_gl_shows_textures(options->shade)) {
        if (!lmi_gl_make_surface(f, o, at, view, f->seconds, &generated))
            return false;
        for (uint32_t i = 0; i < surface->num_vertices; i++)
            f->positions[i] = generated.vertices[i].position;
    } else if (surface->num_triangles == 0 ||
               lmi_gl_sample(model, o->surface, at, &target) != LM_CODE_OK) {
        return false;
    }
    lm_transform_vertices(at->transform, f->positions, NULL, surface->num_vertices, 0);
    *sprites = generated.sprites;
    return true;
}

static void visit_squares(const lm_vec3 *p, uint32_t num_vertices, gl_triangle_visitor visit,
                          void *user) {
    for (uint32_t i = 0; i + 4 <= num_vertices; i += 4, p += 4) {
        visit(user, &p[0], &p[1], &p[2]);
        visit(user, &p[0], &p[2], &p[3]);
    }
}

void lmi_gl_visit_surface(const lm_gl_scene *f, const gl_scene_surface *o, const lm_gl_view *view,
                          const lm_gl_render_options *options, gl_triangle_visitor visit,
                          void *user) {
    const lm_surface *s = &f->scene->parts[o->part].model->surfaces[o->surface];
    const lm_vec3 *p = f->positions;
    bool sprites;
    if (!compute_positions(f, o, view, options, &sprites))
        return;
    if (sprites) {
        visit_squares(p, s->num_vertices, visit, user);
        return;
    }
    for (const uint32_t *t = s->triangles; t < s->triangles + 3 * (size_t)s->num_triangles; t += 3)
        visit(user, &p[t[0]], &p[t[1]], &p[t[2]]);
}

void lmi_gl_visit_triangles(const lm_gl_scene *f, const lm_gl_view *view,
                            const lm_gl_render_options *options, bool solid,
                            gl_triangle_visitor visit, void *user) {
    for (size_t i = 0; i < f->num_ordered; i++)
        if (!solid || f->order[i].sort < LM_SORT_SEE_THROUGH)
            lmi_gl_visit_surface(f, &f->order[i], view, options, visit, user);
}

/* ---- Fitting ------------------------------------------------------------------------------- */

static void fit_triangle(void *user, const lm_vec3 *a, const lm_vec3 *b, const lm_vec3 *c) {
    lmi_gl_fit_point(user, a);
    lmi_gl_fit_point(user, b);
    lmi_gl_fit_point(user, c);
}

static void fit_tags(const lm_gl_scene *f, uint32_t part, gl_fit *fit) {
    const lm_model *model = f->scene->parts[part].model;
    for (uint32_t t = 0; t < model->num_tags; t++) {
        lm_vec3 ends[4] = {
            {0, 0, 0}, {GL_TAG_LENGTH, 0, 0}, {0, GL_TAG_LENGTH, 0}, {0, 0, GL_TAG_LENGTH}};
        lm_transform tag;
        if (lmi_gl_sample_tag(model, t, &f->at[part], &tag) != LM_CODE_OK)
            continue;
        lm_transform_nest(f->at[part].transform, &tag, &tag);
        lm_transform_vertices(&tag, ends, NULL, 4, 0);
        for (unsigned i = 0; i < 4; i++)
            lmi_gl_fit_point(fit, &ends[i]);
    }
}

static bool has_sprites(const lm_gl_scene *f) {
    for (size_t i = 0; i < f->num_ordered; i++) {
        const lm_scene_material *material = f->order[i].material;
        if (material && material->shader && lmi_gl_faces_eye(material->shader))
            return true;
    }
    return false;
}

static lm_vec3 rotated(const double axis[3], double angle) {
    double x = axis[0] * cos(angle) - axis[1] * sin(angle);
    double y = axis[0] * sin(angle) + axis[1] * cos(angle);
    return (lm_vec3){(float)x, (float)y, (float)axis[2]};
}

#define SIDES 16 /* directions to sample while the camera orbits shaders that face it */

static void fit_surfaces(const lm_gl_scene *f, const lm_gl_render_options *options, gl_fit *fit) {
    const unsigned sides = fit->orbits && has_sprites(f) ? SIDES : 1;
    for (unsigned i = 0; i < sides; i++) {
        double angle = i * 6.283185307179586 / sides;
        const lm_gl_view view = {.right = rotated(fit->axes[0], angle),
                                 .up = rotated(fit->axes[1], angle),
                                 .toward = rotated(fit->axes[2], angle)};
        lmi_gl_visit_triangles(f, &view, options, false, fit_triangle, fit);
    }
}

/* Adds the corners of the box and the ends of the axes, if they are shown. */
static void fit_guides(const lm_gl_scene *f, unsigned show, gl_fit *fit) {
    const gl_guides guides = lmi_gl_find_guides(f);
    for (unsigned i = 0; show & LM_GL_SHOW_BOX && guides.box.any && i < 8; i++) {
        lm_vec3 corner = lmi_gl_corner_of(&guides.min, &guides.max, i);
        lm_transform_vertices(guides.place, &corner, NULL, 1, 0);
        lmi_gl_fit_point(fit, &corner);
    }
    for (unsigned i = 0; show & LM_GL_SHOW_AXES && guides.box.any && i < 3; i++) {
        lm_vec3 end = {i == 0 ? guides.length : 0, i == 1 ? guides.length : 0,
                       i == 2 ? guides.length : 0};
        lm_transform_vertices(f->at[0].transform, &end, NULL, 1, 0);
        lmi_gl_fit_point(fit, &end);
    }
}

/* Finds the middle of all instances. */
static bool find_middle(lm_gl_scene *f, const lm_gl_scene_instance *instances, uint32_t count,
                        unsigned show, lm_vec3 *middle, lm_error *error) {
    lm_gl_box b = {.any = false};
    for (uint32_t i = 0; i < count; i++) {
        if (!lmi_gl_pose_scene(f, &instances[i], error))
            return false;
        lmi_gl_join_scene(f, show, &b);
    }
    *middle = (lm_vec3){(b.min.x + b.max.x) / 2, (b.min.y + b.max.y) / 2, (b.min.z + b.max.z) / 2};
    return true;
}

bool lm_gl_scene_fit(lm_gl_scene *f, const lm_gl_scene_instance *instances, uint32_t num_instances,
                     const lm_gl_render_options *options, lm_gl_camera *camera, lm_gl_box *box,
                     lm_error *error) {
    gl_fit fit;
    lm_vec3 middle;
    if (!lmi_gl_sound_options(f, &options, error) ||
        !lmi_gl_sound_reserved(camera->reserved, 4, error) ||
        !lmi_gl_sound_array(instances, num_instances, "instances", error) ||
        (camera->orbits &&
         !find_middle(f, instances, num_instances, options->show, &middle, error)))
        return false;
    lmi_gl_fit_begin(&fit, camera, camera->orbits ? &middle : NULL);
    for (uint32_t i = 0; i < num_instances; i++) {
        if (!lmi_gl_pose_scene(f, &instances[i], error))
            return false;
        fit_surfaces(f, options, &fit);
        for (uint32_t k = 0; k < f->scene->num_parts && lmi_gl_shows_tags(f, options->show); k++)
            fit_tags(f, k, &fit);
        fit_guides(f, options->show, &fit);
    }
    lmi_gl_fit_end(&fit, camera);
    if (box)
        *box = lmi_gl_fit_box(&fit);
    return true;
}
