/* A scene as the driver has it: its models uploaded with what they wear, posed, drawn. */
#include "gl_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- To the driver ------------------------------------------------------------------------- */

static bool fail_memory(lm_error *error) {
    return lm_fail_plain(error, LM_CODE_OUT_OF_MEMORY, "gl: out of memory");
}

static bool upload_textures(lm_gl_scene *f, lm_error *error) {
    for (uint32_t i = 0; i < f->scene->num_textures; i++) {
        const lm_scene_texture *texture = &f->scene->textures[i];
        const lm_gl_image picture = {texture->width, texture->height, texture->pixels};
        if (!texture->pixels)
            continue;
        f->textures[i] = lm_gl_skin_new(f->gl, &picture, LM_GL_SMOOTH, error);
        if (!f->textures[i])
            return false;
    }
    return true;
}

static bool upload_part(lm_gl_scene *f, uint32_t index, lm_error *error) {
    const lm_scene_part *part = &f->scene->parts[index];
    gl_scene_part *out = &f->parts[index];
    out->skins = calloc(part->model->num_surfaces + (size_t)1, sizeof(lm_gl_skin *));
    if (!out->skins)
        return fail_memory(error);
    for (uint32_t i = 0; i < part->model->num_surfaces && part->num_skins > 0; i++) {
        uint32_t texture = part->skins[part->skin].materials[i].texture;
        out->skins[i] = texture == LM_NO_TEXTURE ? NULL : f->textures[texture];
    }
    out->model = lm_gl_model_new(f->gl, part->model, error);
    return out->model != NULL;
}

/* Counts surfaces and the vertices of the largest. */
static void measure(const lm_scene *scene, size_t *surfaces, size_t *most) {
    *surfaces = *most = 0;
    for (size_t i = 0; i < scene->num_parts; i++) {
        const lm_model *model = scene->parts[i].model;
        *surfaces += model->num_surfaces;
        for (uint32_t k = 0; k < model->num_surfaces; k++)
            *most =
                model->surfaces[k].num_vertices > *most ? model->surfaces[k].num_vertices : *most;
    }
}

static bool make_room(lm_gl_scene *f) {
    size_t parts = f->scene->num_parts, textures = f->scene->num_textures, surfaces, most;
    measure(f->scene, &surfaces, &most);
    f->textures =
        calloc(textures + 1, sizeof(lm_gl_skin *)); /* NOLINT(bugprone-sizeof-expression) */
    f->parts = calloc(parts, sizeof *f->parts);
    f->poses = calloc(parts, sizeof *f->poses);
    f->places = calloc(parts, sizeof *f->places);
    f->order = calloc(surfaces + 1, sizeof *f->order);
    f->positions = calloc(most + 1, sizeof *f->positions);
    f->made = calloc(most + 1, sizeof *f->made);
    return f->textures && f->parts && f->poses && f->places && f->order && f->positions && f->made;
}

/* ---- In which order ------------------------------------------------------------------------ */

static const lm_scene_material *material_of(const lm_scene *scene, uint32_t part,
                                            uint32_t surface) {
    const lm_scene_part *p = &scene->parts[part];
    return p->num_skins > 0 ? &p->skins[p->skin].materials[surface] : NULL;
}

static float sort_of(const lm_scene_material *material) {
    if (material && material->shader)
        return lm_shader_sort(material->shader);
    return material && material->alpha == LM_ALPHA_BLEND ? LM_SORT_SEE_THROUGH : LM_SORT_OPAQUE;
}

static int compare(const void *a, const void *b) {
    const gl_scene_surface *x = a, *y = b;
    if (x->sort != y->sort)
        return x->sort < y->sort ? -1 : 1;
    if (x->part != y->part)
        return x->part < y->part ? -1 : 1;
    return x->surface < y->surface ? -1 : x->surface > y->surface;
}

/* Hidden surfaces are left out. */
static void put_in_order(lm_gl_scene *f) {
    for (uint32_t i = 0; i < f->scene->num_parts; i++)
        for (uint32_t k = 0; k < f->scene->parts[i].model->num_surfaces; k++) {
            const lm_scene_material *material = material_of(f->scene, i, k);
            if (!(material && material->shader && material->shader->hidden))
                f->order[f->num_ordered++] = (gl_scene_surface){i, k, sort_of(material), material};
        }
    qsort(f->order, f->num_ordered, sizeof *f->order, compare);
}

static bool place_parts(lm_gl_scene *f, lm_error *error) {
    return lm_scene_place(f->scene, f->poses, f->places) == LM_CODE_OK ||
           lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "the models fit no common pose");
}

lm_gl_scene *lm_gl_scene_new(lm_gl *gl, const lm_scene *scene, lm_error *error) {
    lm_gl_scene *f = calloc(1, sizeof *f);
    if (!f) {
        fail_memory(error);
        return NULL;
    }
    *f = (lm_gl_scene){.gl = gl, .scene = scene};
    bool ok = make_room(f) ? upload_textures(f, error) : fail_memory(error);
    for (uint32_t i = 0; ok && i < scene->num_parts; i++)
        ok = upload_part(f, i, error);
    if (ok)
        put_in_order(f);
    if (ok && place_parts(f, error))
        return f;
    lm_gl_scene_free(f);
    return NULL;
}

void lm_gl_scene_free(lm_gl_scene *f) {
    if (!f)
        return;
    for (uint32_t i = 0; f->parts && i < f->scene->num_parts; i++) {
        lm_gl_model_free(f->parts[i].model);
        free(f->parts[i].skins);
    }
    for (uint32_t i = 0; f->textures && i < f->scene->num_textures; i++)
        lm_gl_skin_free(f->textures[i]);
    free(f->textures);
    free(f->parts);
    free(f->poses);
    free(f->places);
    free(f->order);
    free(f->positions);
    free(f->made);
    free(f);
}

/* ---- Place --------------------------------------------------------------------------------- */

bool lm_gl_scene_pose(lm_gl_scene *f, const lm_pose *poses, lm_error *error) {
    memcpy(f->poses, poses, f->scene->num_parts * sizeof *poses);
    return place_parts(f, error);
}

void lm_gl_join(lm_gl_box *box, lm_vec3 middle, float radius) {
    lm_vec3 min = {middle.x - radius, middle.y - radius, middle.z - radius};
    lm_vec3 max = {middle.x + radius, middle.y + radius, middle.z + radius};
    if (!box->any)
        *box = (lm_gl_box){min, max, true};
    box->min =
        (lm_vec3){fminf(box->min.x, min.x), fminf(box->min.y, min.y), fminf(box->min.z, min.z)};
    box->max =
        (lm_vec3){fmaxf(box->max.x, max.x), fmaxf(box->max.y, max.y), fmaxf(box->max.z, max.z)};
}

/* The box around one frame of a part where it stands. */
static void join_frame(lm_gl_box *b, const lm_model *model, uint32_t frame,
                       const lm_transform *place) {
    lm_vec3 min, max;
    if (!lm_bounds(model, frame, 1, &min, &max))
        return;
    for (unsigned i = 0; i < 8; i++) {
        lm_vec3 corner = {i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z};
        lm_transform_points(place, &corner, 1);
        lm_gl_join(b, corner, 0);
    }
}

bool lm_gl_shows_tags(const lm_gl_scene *f, unsigned show) {
    bool bare = true;
    for (uint32_t i = 0; i < f->scene->num_parts; i++)
        bare = bare && f->scene->parts[i].model->num_surfaces == 0;
    return show & LM_GL_SHOW_TAGS || bare;
}

static void join_tags(lm_gl_box *b, const lm_model *model, lm_pose pose,
                      const lm_transform *place) {
    for (uint32_t t = 0; t < model->num_tags; t++) {
        lm_transform tag;
        if (lm_sample_tag(model, t, &pose, &tag) != LM_CODE_OK)
            continue;
        lm_transform_points(place, &tag.origin, 1);
        lm_gl_join(b, tag.origin, GL_TAG_LENGTH);
    }
}

#define NO_SHARE 1e-5f /* of a frame in a mix: it came from rounding the time */

void lm_gl_scene_join(const lm_gl_scene *f, unsigned show, lm_gl_box *box) {
    bool tags = lm_gl_shows_tags(f, show);
    for (uint32_t i = 0; i < f->scene->num_parts; i++) {
        const lm_model *model = f->scene->parts[i].model;
        lm_pose pose = f->poses[i];
        if (model->num_surfaces > 0) {
            join_frame(box, model, pose.frame_a, &f->places[i]);
            if (pose.t > NO_SHARE)
                join_frame(box, model, pose.frame_b, &f->places[i]);
        }
        if (tags)
            join_tags(box, model, pose, &f->places[i]);
    }
}

/* Puts a surface's vertices in f->positions, in the scene. False: it has none. */
static bool place_surface(const lm_gl_scene *f, uint32_t part, uint32_t surface) {
    const lm_model *model = f->scene->parts[part].model;
    lm_sample_target target = {.positions = &f->positions->x};
    if (model->surfaces[surface].num_triangles == 0 ||
        lm_sample(model, surface, &f->poses[part], 1, &target) != LM_CODE_OK)
        return false;
    lm_transform_points(&f->places[part], f->positions, model->surfaces[surface].num_vertices);
    return true;
}

void lm_gl_visit_triangles(const lm_gl_scene *f, bool solid, gl_triangle_visitor visit,
                           void *user) {
    for (size_t i = 0; i < f->num_ordered; i++) {
        const gl_scene_surface *o = &f->order[i];
        const lm_surface *s = &f->scene->parts[o->part].model->surfaces[o->surface];
        const lm_vec3 *p = f->positions;
        if ((solid && o->sort >= LM_SORT_SEE_THROUGH) || !place_surface(f, o->part, o->surface))
            continue;
        for (const uint32_t *t = s->triangles; t < s->triangles + 3 * (size_t)s->num_triangles;
             t += 3)
            visit(user, &p[t[0]], &p[t[1]], &p[t[2]]);
    }
}

static void fit_triangle(void *user, const lm_vec3 *a, const lm_vec3 *b, const lm_vec3 *c) {
    lm_gl_fit_point(user, a);
    lm_gl_fit_point(user, b);
    lm_gl_fit_point(user, c);
}

static void fit_tags(const lm_gl_scene *f, uint32_t part, lm_gl_fit *fit) {
    lm_gl_box box = {.any = false};
    join_tags(&box, f->scene->parts[part].model, f->poses[part], &f->places[part]);
    for (unsigned i = 0; i < 8 && box.any; i++) {
        const lm_vec3 corner = {i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y,
                                i & 4 ? box.max.z : box.min.z};
        lm_gl_fit_point(fit, &corner);
    }
}

void lm_gl_scene_fit(const lm_gl_scene *f, unsigned show, lm_gl_fit *fit) {
    lm_gl_visit_triangles(f, false, fit_triangle, fit);
    for (uint32_t i = 0; i < f->scene->num_parts && lm_gl_shows_tags(f, show); i++)
        fit_tags(f, i, fit);
}
