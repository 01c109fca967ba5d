/* Splits a mesh into models that a game attaches to tags again: each is placed relative to its
 * tag. */
#include "compose/composing.h"
#include "math/vectors.h"
#include "mesh/mesh_make.h"

#include <string.h>

lm_transform lmi_split_undo(const lm_transform *pose) {
    const lm_vec3 *a = pose->axis, o = pose->origin;
    const float volume = (float)lmi_transform_volume(pose), share = volume != 0 ? 1 / volume : 0;
    lm_vec3 c[3] = {lmi_cross(a[1], a[2]), lmi_cross(a[2], a[0]), lmi_cross(a[0], a[1])};
    for (int i = 0; i < 3; i++)
        c[i] = share != 0 ? (lm_vec3){c[i].x * share, c[i].y * share, c[i].z * share}
                          : (lm_vec3){(float)(i == 0), (float)(i == 1), (float)(i == 2)};
    return (lm_transform){
        {-lmi_dot(o, c[0]), -lmi_dot(o, c[1]), -lmi_dot(o, c[2])},
        {{c[0].x, c[1].x, c[2].x}, {c[0].y, c[1].y, c[2].y}, {c[0].z, c[1].z, c[2].z}}};
}

static void fill_frame(const lm_composing *c, const lm_model_split *split, uint32_t model,
                       const lm_mesh *made, uint32_t frame) {
    const lm_mesh *mesh = &c->mesh;
    const uint32_t from = split->frames.frames[frame];
    lm_transform to = LM_TRANSFORM_IDENTITY;
    to.origin.z = split->lift;
    if (split->place)
        to = lmi_split_undo(&split->place->poses[from]);
    uint32_t k = 0;
    for (uint32_t i = 0; i < mesh->num_surfaces; i++) {
        const lm_mesh_surface *surface = &mesh->surfaces[i];
        const size_t count = surface->num_vertices;
        if (c->of_model[i] != model)
            continue;
        const lm_mesh_surface *out = &made->surfaces[k++];
        lm_vec3 *p = lmi_mesh_rows(out->positions) + frame * count;
        lm_vec3 *n = out->normals ? lmi_mesh_rows(out->normals) + frame * count : NULL;
        if (count > 0)
            memcpy(p, lmi_mesh_rows(surface->positions) + from * count, count * sizeof *p);
        if (count > 0 && n)
            memcpy(n, lmi_mesh_rows(surface->normals) + from * count, count * sizeof *n);
        lm_transform_vertices(&to, p, NULL, count, 0);
        if (n)
            lm_transform_vertices(&to, NULL, n, count, 0);
    }
    k = 0;
    for (uint32_t i = 0; i < mesh->num_tags; i++)
        if (split->tags[i])
            lm_transform_nest(&to, &mesh->tags[i].poses[from], &lmi_mesh_poses(made, k++)[frame]);
}

/* Makes a model of its surfaces. Returns NULL if memory ran out. */
static lm_mesh *make_model(lm_composing *c, const lm_model_split *split, uint32_t model) {
    const lm_mesh *mesh = &c->mesh;
    lm_mesh like = {.name = split->name, .num_frames = split->frames.count};
    lm_mesh_surface *surfaces = lmi_composing_alloc(c, mesh->num_surfaces, sizeof *surfaces);
    lm_mesh_tag *tags = lmi_composing_alloc(c, mesh->num_tags + (uint64_t)1, sizeof *tags);
    like.surfaces = surfaces;
    like.tags = tags;
    for (uint32_t i = 0; surfaces && i < mesh->num_surfaces; i++)
        if (c->of_model[i] == model)
            surfaces[like.num_surfaces++] = mesh->surfaces[i];
    for (uint32_t i = 0; tags && i < mesh->num_tags; i++)
        if (split->tags[i])
            tags[like.num_tags++].name = mesh->tags[i].name;
    lm_mesh *made = surfaces && tags ? lmi_make_mesh(&like, &c->heap) : NULL;
    for (uint32_t f = 0; made && f < like.num_frames; f++)
        fill_frame(c, split, model, made, f);
    return made;
}

bool lmi_composing_split(lm_composing *c, const lm_model_split *splits, uint32_t count) {
    lm_player_model *models = lmi_composing_alloc(c, count, sizeof *models);
    for (uint32_t i = 0; models && i < count; i++) {
        c->models[i] = make_model(c, &splits[i], i);
        if (!c->models[i])
            return false;
        models[i] = (lm_player_model){splits[i].name, c->models[i]};
    }
    c->made.num_models = models ? count : 0;
    c->made.models = models;
    return models != NULL;
}
