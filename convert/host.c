/* A model for the skeleton of an imported mesh: exporters of glTF take models. */
#include "convert_internal.h"

#include "core/bytes.h"

#include <math.h>
#include <string.h>

#define KEY_SIZE 8   /* of LM_VERTEX_S16 */
#define POSE_SIZE 48 /* of LM_TAG_AXES */

/* Finds the bounds of a frame, and their steps in 16 bits. */
static void fill_frame(const lm_mesh *mesh, uint32_t frame, lm_frame *out) {
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    float scale[3], translate[3];
    for (uint32_t i = 0; i < mesh->num_surfaces; i++) {
        const size_t count = 3 * (size_t)mesh->surfaces[i].num_vertices;
        for (size_t k = 0; k < count; k++) {
            const float x = mesh->surfaces[i].positions[frame * count + k];
            low[k % 3] = fminf(low[k % 3], x);
            high[k % 3] = fmaxf(high[k % 3], x);
        }
    }
    for (int k = 0; k < 3; k++) {
        low[k] = low[k] <= high[k] ? low[k] : 0;
        high[k] = low[k] <= high[k] ? high[k] : 0;
        scale[k] = (high[k] - low[k]) / UINT16_MAX;
        translate[k] = low[k] - (float)INT16_MIN * scale[k];
    }
    *out = (lm_frame){.name = mesh->frame_names ? mesh->frame_names[frame] : "",
                      .min = {low[0], low[1], low[2]},
                      .max = {high[0], high[1], high[2]},
                      .scale = {scale[0], scale[1], scale[2]},
                      .translate = {translate[0], translate[1], translate[2]}};
}

/* Rounds the vertices of a surface. The exact ones are those of the skeleton: these only tell which
 * vertices move alike. */
static bool fill_surface(conversion *c, const lm_mesh *mesh, uint32_t index, const lm_frame *frames,
                         lm_surface *out) {
    const lm_mesh_surface *s = &mesh->surfaces[index];
    uint32_t *file_vertices = lmi_arena_alloc(c->arena, s->num_vertices, sizeof *file_vertices);
    lm_vec2 *st = lmi_arena_zeros(c->arena, s->num_vertices, sizeof *st);
    uint8_t *keys =
        lmi_arena_zeros(c->arena, (uint64_t)mesh->num_frames * s->num_vertices, KEY_SIZE);
    if (!file_vertices || !st || !keys)
        return false;
    for (uint32_t v = 0; v < s->num_vertices; v++)
        file_vertices[v] = v;
    if (s->num_st == s->num_vertices)
        memcpy(st, s->st, s->num_st * sizeof *st);
    for (size_t i = 0; i < (size_t)mesh->num_frames * s->num_vertices; i++) {
        const float *scale = &frames[i / s->num_vertices].scale.x;
        const float *low = &frames[i / s->num_vertices].min.x;
        for (size_t k = 0; k < 3; k++) {
            const float steps = scale[k] > 0 ? (s->positions[3 * i + k] - low[k]) / scale[k] : 0;
            const int32_t key = INT16_MIN + (int32_t)(fminf(steps, UINT16_MAX) + 0.5f);
            lmi_put_u16(keys + KEY_SIZE * i + 2 * k, (uint16_t)key);
        }
    }
    *out = (lm_surface){.name = s->name ? s->name : "",
                        .num_vertices = s->num_vertices,
                        .num_file_vertices = s->num_vertices,
                        .file_vertices = file_vertices,
                        .st = st,
                        .num_triangles = s->num_triangles,
                        .triangles = s->triangles,
                        .num_materials = s->num_materials,
                        .materials = s->materials,
                        .encoding = LM_VERTEX_S16,
                        .num_keys = mesh->num_frames,
                        .keys = keys,
                        .key_size = KEY_SIZE,
                        .key_stride = KEY_SIZE * (size_t)s->num_vertices};
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
        fill_frame(mesh, f, &frames[f]);
    for (uint32_t i = 0; i < mesh->num_surfaces; i++)
        if (!fill_surface(c, mesh, i, frames, &surfaces[i]))
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
