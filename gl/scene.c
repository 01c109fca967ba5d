/* A scene as the driver has it: its models uploaded with what they wear, posed, drawn. */
#include "gl_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A part of a scene, ready to be drawn. */
typedef struct gl_scene_part {
    lm_gl_model *model;
    const lm_gl_skin **skins; /* [num_surfaces], entries may be NULL */
} gl_scene_part;

struct lm_gl_scene {
    lm_gl *gl;
    const lm_scene *scene;
    lm_gl_skin **textures; /* [scene->num_textures], entries may be NULL */
    gl_scene_part *parts;  /* [scene->num_parts] */
    lm_pose *poses;        /* one of each part */
    lm_transform *places;  /* where each stands in these poses */
    lm_vec3 *positions;    /* room for the vertices of any surface */
};

/* ---- To the driver ------------------------------------------------------------------------- */

static bool fail_memory(lm_error *error) {
    return lm_gl_fail(error, LM_CODE_OUT_OF_MEMORY, "there is not enough memory");
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

static bool make_room(lm_gl_scene *f) {
    size_t parts = f->scene->num_parts, textures = f->scene->num_textures;
    f->textures =
        calloc(textures + 1, sizeof(lm_gl_skin *)); /* NOLINT(bugprone-sizeof-expression) */
    f->parts = calloc(parts, sizeof *f->parts);
    f->poses = calloc(parts, sizeof *f->poses);
    f->places = calloc(parts, sizeof *f->places);
    size_t most = 1;
    for (size_t i = 0; i < parts; i++)
        for (uint32_t k = 0; k < f->scene->parts[i].model->num_surfaces; k++) {
            size_t count = f->scene->parts[i].model->surfaces[k].num_vertices;
            most = count > most ? count : most;
        }
    f->positions = calloc(most, sizeof *f->positions);
    return f->textures && f->parts && f->poses && f->places && f->positions;
}

static bool place_parts(lm_gl_scene *f, lm_error *error) {
    return lm_scene_place(f->scene, f->poses, f->places) == LM_CODE_OK ||
           lm_gl_fail(error, LM_CODE_BAD_ARGUMENT, "the models fit no common pose");
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
    free(f->positions);
    free(f);
}

/* ---- Place --------------------------------------------------------------------------------- */

bool lm_gl_scene_pose(lm_gl_scene *f, const lm_pose *poses, lm_error *error) {
    memcpy(f->poses, poses, f->scene->num_parts * sizeof *poses);
    return place_parts(f, error);
}

static void join(lm_gl_box *b, lm_vec3 p, float radius) {
    lm_vec3 min = {p.x - radius, p.y - radius, p.z - radius};
    lm_vec3 max = {p.x + radius, p.y + radius, p.z + radius};
    if (!b->any)
        *b = (lm_gl_box){min, max, true};
    b->min = (lm_vec3){fminf(b->min.x, min.x), fminf(b->min.y, min.y), fminf(b->min.z, min.z)};
    b->max = (lm_vec3){fmaxf(b->max.x, max.x), fmaxf(b->max.y, max.y), fmaxf(b->max.z, max.z)};
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
        join(b, corner, 0);
    }
}

#define TAG_LENGTH 4.0f /* of the axes of a tag, where nothing else tells a size */

/* A scene without surfaces shows its tags: there is nothing else to see. */
static bool shows_tags(const lm_gl_scene *f, unsigned show) {
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
        join(b, tag.origin, TAG_LENGTH);
    }
}

#define NO_SHARE 1e-5f /* of a frame in a mix: it came from rounding the time */

void lm_gl_scene_join(const lm_gl_scene *f, unsigned show, lm_gl_box *box) {
    bool tags = shows_tags(f, show);
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

/* Called with the corners of each triangle in the scene's pose. */
typedef void (*triangle_visitor)(void *user, const lm_vec3 *a, const lm_vec3 *b, const lm_vec3 *c);

static void visit_triangles(const lm_gl_scene *f, triangle_visitor visit, void *user) {
    for (uint32_t i = 0; i < f->scene->num_parts; i++)
        for (uint32_t k = 0; k < f->scene->parts[i].model->num_surfaces; k++) {
            const lm_surface *s = &f->scene->parts[i].model->surfaces[k];
            const lm_vec3 *p = f->positions;
            if (!place_surface(f, i, k))
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
    visit_triangles(f, fit_triangle, fit);
    for (uint32_t i = 0; i < f->scene->num_parts && shows_tags(f, show); i++)
        fit_tags(f, i, fit);
}

/* ---- Drawing ------------------------------------------------------------------------------- */

static float size_of(const lm_vec3 *min, const lm_vec3 *max) {
    return fmaxf(max->x - min->x, fmaxf(max->y - min->y, max->z - min->z));
}

static void join_triangle(void *user, const lm_vec3 *a, const lm_vec3 *b, const lm_vec3 *c) {
    join(user, *a, 0);
    join(user, *b, 0);
    join(user, *c, 0);
}

static void shade_triangle(void *user, const lm_vec3 *a, const lm_vec3 *b, const lm_vec3 *c) {
    lm_gl_shadow_add(user, a, b, c);
}

/* Before all else, so that whatever stands on the ground hides it. */
static bool draw_shadow(const lm_gl_scene *f, const lm_gl_view *view, const lm_gl_look *look,
                        lm_error *error) {
    lm_gl_box box = {.any = false};
    visit_triangles(f, join_triangle, &box);
    if (look->ground)
        box.min.z = *look->ground;
    if (!box.any || !(view->eye.z > box.min.z))
        return true;
    gl_shadow *shadow = lm_gl_shadow_new(&box);
    if (!shadow)
        return fail_memory(error);
    visit_triangles(f, shade_triangle, shadow);
    bool drawn = lm_gl_shadow_draw(shadow, f->gl, view, error);
    lm_gl_shadow_free(shadow);
    return drawn;
}

static bool draw_scenery(const lm_gl_scene *f, const lm_gl_view *view, const lm_gl_look *look,
                         lm_error *error) {
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

static bool draw_part(const lm_gl_scene *f, uint32_t i, const lm_gl_view *view,
                      const lm_gl_look *look, lm_error *error) {
    const lm_model *model = f->scene->parts[i].model;
    const gl_scene_part *part = &f->parts[i];
    const lm_transform *place = &f->places[i];
    const lm_gl_style style = {.shade = look->shade,
                               .two_sided = look->two_sided,
                               .engine = look->engine,
                               .skins = part->skins,
                               .num_skins = model->num_surfaces};
    return lm_gl_draw(part->model, view, place, &f->poses[i], &style, error) &&
           (!shows_tags(f, look->show) ||
            lm_gl_draw_tags(part->model, view, place, &f->poses[i], TAG_LENGTH, error));
}

bool lm_gl_scene_draw(const lm_gl_scene *f, const lm_gl_view *view, const lm_gl_look *look,
                      lm_error *error) {
    static const lm_gl_look plain = {.shade = LM_GL_STUDIO};
    look = look ? look : &plain;
    if (look->show & LM_GL_SHOW_SHADOW && !draw_shadow(f, view, look, error))
        return false;
    for (uint32_t i = 0; i < f->scene->num_parts; i++)
        if (!draw_part(f, i, view, look, error))
            return false;
    return draw_scenery(f, view, look, error);
}
