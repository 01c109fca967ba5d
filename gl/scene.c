/* A scene on the GPU: its models uploaded with their textures, posed and drawn. */
#include "gl_internal.h"

#include <stdlib.h>

/* ---- Uploading ------------------------------------------------------------------------------- */

static bool upload_textures(lm_gl_scene *f, lm_error *error) {
    for (uint32_t i = 0; i < f->scene->num_textures; i++) {
        const lm_scene_texture *texture = &f->scene->textures[i];
        const lm_gl_image image = {texture->width, texture->height, texture->pixels};
        if (!texture->pixels)
            continue;
        f->textures[i] = lm_gl_texture_share(f->gl, &image, error);
        if (!f->textures[i])
            return false;
    }
    return true;
}

static bool upload_part(lm_gl_scene *f, uint32_t index, lm_error *error) {
    const lm_scene_part *part = &f->scene->parts[index];
    gl_scene_part *out = &f->parts[index];
    out->textures = calloc(part->model->num_surfaces + (size_t)1, sizeof(lm_gl_texture *));
    if (!out->textures)
        return lm_gl_no_memory(error);
    for (uint32_t i = 0; i < part->model->num_surfaces && part->num_skins > 0; i++) {
        uint32_t image = part->skins[part->skin].materials[i].texture;
        out->textures[i] = image == LM_NO_TEXTURE ? NULL : f->textures[image];
    }
    out->model = lm_gl_model_new(f->gl, part->model, error);
    return out->model != NULL;
}

static bool allocate(lm_gl_scene *f) {
    size_t parts = f->scene->num_parts, textures = f->scene->num_textures, surfaces, max_vertices;
    /* Count the surfaces, and the vertices of the largest. */
    surfaces = max_vertices = 0;
    for (size_t i = 0; i < f->scene->num_parts; i++) {
        const lm_model *model = f->scene->parts[i].model;
        surfaces += model->num_surfaces;
        for (uint32_t k = 0; k < model->num_surfaces; k++)
            if (model->surfaces[k].num_vertices > max_vertices)
                max_vertices = model->surfaces[k].num_vertices;
    }
    f->textures =
        calloc(textures + 1, sizeof(lm_gl_texture *)); /* NOLINT(bugprone-sizeof-expression) */
    f->parts = calloc(parts + 1, sizeof *f->parts);
    f->at = calloc(parts + 1, sizeof *f->at);
    f->order = calloc(surfaces + 1, sizeof *f->order);
    f->positions = calloc(max_vertices + 1, sizeof *f->positions);
    f->generated = calloc(max_vertices + 1, sizeof *f->generated);
    return f->textures && f->parts && f->at && f->order && f->positions && f->generated;
}

/* ---- Drawing order --------------------------------------------------------------------------- */

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

/* ---- Poses --------------------------------------------------------------------------------- */

bool lm_gl_pose_parts(const lm_scene *scene, const lm_gl_scene_instance *in, lm_gl_instance *out,
                      size_t stride, lm_error *error) {
    lm_transform transforms[LM_MAX_PARTS];
    const bool fades = in->to && in->weights;
    lm_code code = LM_CODE_BAD_ARGUMENT;
    if (fades)
        code = lm_scene_evaluate_blend(scene, in->poses, in->to, in->weights, transforms);
    else if (!in->to && !in->weights)
        code = lm_scene_evaluate(scene, in->poses, transforms);
    if (code != LM_CODE_OK)
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT,
                             "gl: the poses are not valid for the scene");
    for (uint32_t i = 0; i < scene->num_parts; i++, out += stride) {
        *out = (lm_gl_instance){.pose = in->poses[i], .to = in->poses[i]};
        lm_transform_nest(in->transform, &transforms[i], &out->transform);
        if (fades) {
            out->to = in->to[i];
            out->weight = in->weights[i];
        }
    }
    return true;
}

bool lm_gl_scene_pose(lm_gl_scene *f, const lm_gl_scene_instance *instance, lm_error *error) {
    return lm_gl_pose_parts(f->scene, instance, f->at, 1, error);
}

/* ---- The scene ----------------------------------------------------------------------------- */

lm_gl_scene *lm_gl_scene_new(lm_gl *gl, const lm_scene *scene, lm_error *error) {
    const lm_pose first_frames[LM_MAX_PARTS] = {{0, 0, 0}};
    lm_gl_scene *f = calloc(1, sizeof *f);
    if (!f) {
        lm_gl_no_memory(error);
        return NULL;
    }
    *f = (lm_gl_scene){.gl = gl, .scene = scene};
    bool ok = allocate(f) ? upload_textures(f, error) : lm_gl_no_memory(error);
    for (uint32_t i = 0; ok && i < scene->num_parts; i++)
        ok = upload_part(f, i, error);
    if (ok) {
        /* Sort the surfaces and omit hidden ones. */
        for (uint32_t i = 0; i < f->scene->num_parts; i++)
            for (uint32_t k = 0; k < f->scene->parts[i].model->num_surfaces; k++) {
                const lm_scene_part *p = &f->scene->parts[i];
                const lm_scene_material *material =
                    p->num_skins > 0 ? &p->skins[p->skin].materials[k] : NULL;
                if (!(material && material->shader && material->shader->hidden))
                    f->order[f->num_ordered++] =
                        (gl_scene_surface){i, k, sort_of(material), material};
            }
        qsort(f->order, f->num_ordered, sizeof *f->order, compare);
    }
    if (ok && lm_gl_scene_pose(f, &(lm_gl_scene_instance){.poses = first_frames}, error))
        return f;
    lm_gl_scene_free(f);
    return NULL;
}

void lm_gl_scene_free(lm_gl_scene *f) {
    if (!f)
        return;
    for (uint32_t i = 0; f->parts && i < f->scene->num_parts; i++) {
        lm_gl_model_free(f->parts[i].model);
        free(f->parts[i].textures);
    }
    for (uint32_t i = 0; f->textures && i < f->scene->num_textures; i++)
        lm_gl_texture_free(f->textures[i]);
    free(f->textures);
    free(f->parts);
    free(f->at);
    free(f->order);
    free(f->positions);
    free(f->generated);
    free(f);
}
