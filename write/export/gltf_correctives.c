/* Corrective shapes of a skeleton: morph targets of a skinned mesh. */
#include "export/gltf.h"

#include "core/bytes.h"
#include "skeleton/evaluate.h"

#include <stdio.h>

bool lm_gltf_add_correctives(lm_gltf_mesh *mesh) {
    const lm_gltf_body *body = mesh->body;
    const lm_skeleton_surface *s = body->skeleton->surfaces + mesh->surface_index;
    for (uint32_t k = 0; k < body->skeleton->num_correctives; k++) {
        const lm_vec3 *shape = s->correctives + (size_t)k * s->num_vertices;
        for (uint32_t i = 0; i < mesh->count; i++)
            mesh->positions[i] = lm_export_point(
                &body->job, shape[mesh->surface->file_vertices[mesh->weld->vertices[i]]]);
        if (!lm_gltf_add_vectors(body->g, mesh->positions, mesh->count, LM_VECTORS_TARGET,
                                 &mesh->correctives[k]))
            return false;
    }
    body->g->num_targets += body->skeleton->num_correctives;
    return true;
}

void lm_gltf_write_correctives(lm_json *json, const lm_gltf_mesh *mesh) {
    lm_json_open(json, "targets", '[');
    for (uint32_t k = 0; k < lm_gltf_num_correctives(mesh->body); k++) {
        lm_json_open(json, NULL, '{');
        lm_json_integer(json, "POSITION", mesh->correctives[k]);
        lm_json_close(json);
    }
    lm_json_close(json);
}

void lm_gltf_write_corrective_weights(lm_json *json, const lm_gltf_body *body) {
    const lm_pose pose = lm_export_pose(&body->job, body->plan.base);
    float weights[LM_MAX_SKELETON_CORRECTIVES];
    for (uint32_t k = 0; k < lm_gltf_num_correctives(body); k++)
        weights[k] = lm_corrective_weight(body->skeleton, k, &pose);
    lm_gltf_write_floats(json, "weights", weights, lm_gltf_num_correctives(body));
}

void lm_gltf_name_correctives(lm_json *json, const lm_gltf_body *body) {
    char name[24];
    lm_json_open(json, "targetNames", '[');
    for (uint32_t k = 0; k < lm_gltf_num_correctives(body); k++) {
        snprintf(name, sizeof name, "corrective.%02u", (unsigned)k);
        lm_json_string(json, NULL, name);
    }
    lm_json_close(json);
}

bool lm_gltf_animate_correctives(const lm_gltf_body *body, const lm_gltf_track *track) {
    const uint32_t count = lm_gltf_num_correctives(body);
    lm_gltf *g = body->g;
    uint32_t input;
    if (count == 0)
        return true;
    const uint64_t values = (uint64_t)track->num_keys * count;
    if (values > UINT32_MAX)
        return lm_gltf_too_large(g);
    lm_accessor entry = lm_gltf_keys(values, "SCALAR");
    if (!lm_gltf_add_times(g, track, 0, track->num_keys, &input))
        return false;
    uint8_t *out = lm_gltf_reserve_elements(g, &entry, 4);
    for (uint32_t key = 0; out && key < track->num_keys; key++) {
        lm_pose pose = lm_gltf_key_pose(track, key);
        pose.frame_a += body->job.first;
        pose.frame_b += body->job.first;
        for (uint32_t k = 0; k < count; k++, out += 4)
            lm_put_f32(out, lm_corrective_weight(body->skeleton, k, &pose));
    }
    if (!out)
        return false;
    const uint32_t sampler = lm_gltf_add_sampler(g, input, lm_gltf_add_accessor(g, &entry), false);
    for (uint32_t mesh = 0; mesh < body->plan.num_meshes; mesh++)
        lm_gltf_add_channel(g, sampler, lm_gltf_mesh_node(body, 0, mesh), "weights");
    return true;
}
