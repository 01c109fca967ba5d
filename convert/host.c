/* A model with the surfaces of an imported mesh: exporters and the search for images take models.
 */
#include "convert_internal.h"

#include "core/bytes.h"

#include <string.h>

#define POSE_SIZE 48 /* of LM_TAG_AXES */

/* The vertices themselves stay in the mesh (lm_export_options.mesh). */
static bool fill_surface(conversion *c, const lm_mesh_surface *s, lm_surface *out) {
    uint32_t *file_vertices = lmi_arena_alloc(c->arena, s->num_vertices, sizeof *file_vertices);
    lm_vec2 *st = lmi_arena_zeros(c->arena, s->num_vertices, sizeof *st);
    if (!file_vertices || !st)
        return false;
    for (uint32_t v = 0; v < s->num_vertices; v++)
        file_vertices[v] = v;
    if (s->num_st == s->num_vertices)
        memcpy(st, s->st, s->num_st * sizeof *st);
    *out = (lm_surface){.name = s->name ? s->name : "",
                        .num_vertices = s->num_vertices,
                        .num_file_vertices = s->num_vertices,
                        .file_vertices = file_vertices,
                        .st = st,
                        .num_triangles = s->num_triangles,
                        .triangles = s->triangles,
                        .num_materials = s->num_materials,
                        .materials = s->materials};
    return true;
}

static bool fill_tag(conversion *c, const lm_mesh *mesh, uint32_t index, lm_tag *out) {
    uint8_t *poses = lmi_arena_alloc(c->arena, mesh->num_frames, POSE_SIZE);
    for (size_t f = 0; poses && f < mesh->num_frames; f++) {
        const lm_transform *pose = &mesh->tags[index].poses[f];
        lmi_put_vec3(poses + POSE_SIZE * f, pose->origin);
        for (size_t k = 0; k < 3; k++)
            lmi_put_vec3(poses + POSE_SIZE * f + 12 * (k + 1), pose->axis[k]);
    }
    *out = (lm_tag){mesh->tags[index].name, LM_TAG_AXES, poses, POSE_SIZE};
    return poses != NULL;
}

const lm_model *lmi_cv_host(conversion *c, const lm_mesh *mesh) {
    lm_model *model = lmi_arena_zeros(c->arena, 1, sizeof *model);
    lm_frame *frames = lmi_arena_zeros(c->arena, mesh->num_frames, sizeof *frames);
    lm_surface *surfaces = lmi_arena_zeros(c->arena, mesh->num_surfaces, sizeof *surfaces);
    lm_tag *tags = lmi_arena_zeros(c->arena, mesh->num_tags, sizeof *tags);
    lm_clip *all = lmi_arena_zeros(c->arena, 1, sizeof *all);
    if (!model || !frames || !surfaces || !tags || !all)
        return NULL;
    *all = (lm_clip){.name = "all", .count = mesh->num_frames, .fps = LM_DEFAULT_FPS};
    for (uint32_t f = 0; f < mesh->num_frames; f++)
        frames[f].name = mesh->frame_names ? mesh->frame_names[f] : "";
    for (uint32_t i = 0; i < mesh->num_surfaces; i++)
        if (!fill_surface(c, &mesh->surfaces[i], &surfaces[i]))
            return NULL;
    for (uint32_t i = 0; i < mesh->num_tags; i++)
        if (!fill_tag(c, mesh, i, &tags[i]))
            return NULL;
    *model = (lm_model){.format = "md3",
                        .name = mesh->name ? mesh->name : "",
                        .num_frames = mesh->num_frames,
                        .frames = frames,
                        .num_surfaces = mesh->num_surfaces,
                        .surfaces = surfaces,
                        .num_tags = mesh->num_tags,
                        .tags = tags,
                        .num_clips = mesh->num_clips > 0 ? mesh->num_clips : 1,
                        .clips = mesh->num_clips > 0 ? mesh->clips : all};
    return model;
}
