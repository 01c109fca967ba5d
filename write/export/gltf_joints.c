#include "export/gltf.h"

#include "core/bytes.h"
#include "math/vectors.h"
#include "skeleton/evaluate.h"

#include <stdio.h>
#include <string.h>

/* ---- Poses of joints in the target's space --------------------------------------------------- */

/* Converts a pose to the target's axes and scale. */
static lm_joint_pose convert(const lm_gltf_body *body, const lm_joint_pose *pose) {
    const float *q = pose->rotation;
    const lm_vec3 axis = lmi_export_axes(&body->job, (lm_vec3){q[0], q[1], q[2]});
    return (lm_joint_pose){{axis.x, axis.y, axis.z, q[3]},
                           lmi_export_point(&body->job, pose->translation)};
}

/* ---- Tags ----------------------------------------------------------------------------------- */

void lmi_gltf_hang_tag(const lm_gltf_body *body, uint32_t tag, lm_pose pose, lm_gltf_transform *t) {
    lm_placed all[LM_MAX_SKELETON_JOINTS];
    lm_joint_pose joint, own = {.translation = t->translation};
    lmi_place_joints(body->skeleton, &pose, all);
    joint.translation = lmi_placed_split(&all[body->tag_joints[tag]], NULL, joint.rotation);
    joint = convert(body, &joint);
    memcpy(own.rotation, t->rotation, sizeof own.rotation);
    const lm_placed up = lmi_placed_of(&joint), at = lmi_placed_of(&own);
    const lm_placed local = lmi_placed_relative(&up, &at);
    t->translation = lmi_placed_split(&local, NULL, t->rotation);
}

bool lmi_gltf_hang_tags(lm_gltf_body *body) {
    const lm_export *job = &body->job;
    const uint32_t count = job->model->num_tags;
    lm_arena *arena = &body->g->arena;
    if (!body->skeleton)
        return true;
    uint32_t *joints = lmi_arena_zeros(arena, count, sizeof *joints);
    lm_transform *poses = lmi_arena_alloc(arena, body->skeleton->num_frames, sizeof *poses);
    if (lmi_arena_failed(arena))
        return false;
    for (uint32_t tag = 0; tag < count; tag++) {
        const lm_skeleton *s = body->skeleton;
        lmi_sample_tag_poses(s, job->model, tag, poses);
        joints[tag] = lmi_joint_that_is_tag(s, job->model->tags[tag].name, poses);
        if (joints[tag] < s->num_joints)
            body->tag_uses[tag] = LM_TAG_JOINT;
        else
            joints[tag] = lmi_joint_of_tag(s, tag, poses);
    }
    body->tag_joints = joints;
    return true;
}

/* ---- The skin ------------------------------------------------------------------------------- */

bool lmi_gltf_take_skeleton(lm_gltf_body *body) {
    const lm_gltf_options *options = body->g->options;
    body->skeleton = options->skeletons ? options->skeletons[body - body->g->bodies] : NULL;
    if (!body->skeleton)
        return true;
    if (options->packer)
        return lmi_call_fail(body->job.call, LM_CODE_BAD_ARGUMENT,
                             "a glTF with a skeleton cannot be compressed");
    body->skin = body->g->num_skins++;
    return lmi_skeleton_fits(body->skeleton, body->job.model) ||
           lmi_call_fail(body->job.call, LM_CODE_BAD_ARGUMENT,
                         "the skeleton is not that of the model: it has other numbers of frames, "
                         "surfaces or vertices");
}

/* Returns whether the own node of a tag is a joint of the skin, too, as in a model with bones.
 * Programs then keep the poses of its bones and tags together. */
static bool is_in_skin(const lm_gltf_body *body, uint32_t tag) {
    return body->job.model->bones && body->tag_uses[tag] != LM_TAG_JOINT;
}

/* Writes the inverse of a translation: in the rest pose, joints have the axes of the file. */
static void put_inverse(uint8_t *out, lm_vec3 at) {
    const float matrix[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -at.x, -at.y, -at.z, 1};
    for (size_t i = 0; i < 16; i++)
        lmi_put_f32(out + 4 * i, matrix[i] + 0.0f);
}

/* Writes the places of joints and tags in the rest pose. */
static bool put_places(const lm_gltf_body *body, uint8_t *out) {
    const lm_skeleton *s = body->skeleton;
    for (uint32_t j = 0; j < s->num_joints; j++, out += 64)
        put_inverse(out, lmi_export_point(&body->job, s->joints[j].position));
    for (uint32_t tag = 0; tag < body->job.model->num_tags; tag++) {
        if (!is_in_skin(body, tag))
            continue;
        const lm_vec3 at = lmi_export_point(&body->job, s->joints[body->tag_joints[tag]].position);
        lm_gltf_transform own;
        if (!lmi_gltf_transform_tag(body, tag, lmi_export_pose(&body->job, body->plan.base), &own))
            return false;
        put_inverse(out, (lm_vec3){at.x + own.translation.x, at.y + own.translation.y,
                                   at.z + own.translation.z});
        out += 64;
    }
    return true;
}

bool lmi_gltf_write_skin(lm_gltf_body *body) {
    const lm_skeleton *s = body->skeleton;
    lm_gltf *g = body->g;
    const uint32_t num_tags = body->job.model->bones ? body->num_tag_nodes : 0;
    lm_accessor entry = {.stream = LM_STREAM_MATRICES,
                         .component = LM_GLTF_FLOAT,
                         .count = s ? s->num_joints + num_tags : 0,
                         .type = "MAT4"};
    uint8_t *out = s ? lmi_gltf_reserve_elements(g, &entry, 64) : NULL;
    if (!out)
        return !s;
    if (!put_places(body, out))
        return false;
    const uint32_t accessor = lmi_gltf_add_accessor(g, &entry);
    lm_json *json = &g->skins.json;
    lmi_json_open(json, NULL, '{');
    lmi_json_integer(json, "inverseBindMatrices", accessor);
    lmi_json_integer(json, "skeleton", lmi_gltf_joint_node(body, 0));
    lmi_json_open(json, "joints", '[');
    for (uint32_t j = 0; j < s->num_joints; j++)
        lmi_json_integer(json, NULL, lmi_gltf_joint_node(body, j));
    for (uint32_t tag = 0; tag < body->job.model->num_tags; tag++)
        if (is_in_skin(body, tag))
            lmi_json_integer(json, NULL, lmi_gltf_tag_node(body, tag));
    lmi_json_close(json);
    lmi_json_close(json);
    g->skins.count++;
    return true;
}

/* Rounds a weight to steps of 1/65535. */
static uint16_t round_weight(float weight) {
    return (uint16_t)(weight * UINT16_MAX + 0.5f);
}

/* Adds a list of influences. The sum of all weights of a vertex is 1: the largest takes the rest.
 */
static void add_influences(lm_gltf_mesh *mesh, uint32_t list) {
    lm_gltf *g = mesh->body->g;
    const lm_skeleton *skeleton = mesh->body->skeleton;
    const lm_skeleton_surface *s = &skeleton->surfaces[mesh->surface_index];
    lm_accessor joints = {.stream = LM_STREAM_4,
                          .component = LM_GLTF_UNSIGNED_BYTE,
                          .count = mesh->count,
                          .type = "VEC4"};
    lm_accessor weights = {.stream = LM_STREAM_8,
                           .component = LM_GLTF_UNSIGNED_SHORT,
                           .normalized = true,
                           .count = mesh->count,
                           .type = "VEC4"};
    uint8_t *out = lmi_gltf_reserve_elements(g, &joints, 4);
    uint8_t *shares = out ? lmi_gltf_reserve_elements(g, &weights, 8) : NULL;
    for (uint32_t i = 0; shares && i < mesh->count; i++) {
        const uint32_t vertex = mesh->surface->file_vertices[mesh->weld->vertices[i]];
        const lm_influence *all = s->influences + vertex;
        const lm_influence *from = all + (size_t)list * s->num_vertices;
        uint32_t left = UINT16_MAX;
        for (uint32_t k = 0; k <= skeleton->more_influences && list == 0; k++)
            for (unsigned n = k == 0; n < LM_SKELETON_WEIGHTS; n++)
                left -= round_weight(all[(size_t)k * s->num_vertices].weights[n]);
        for (unsigned k = 0; k < LM_SKELETON_WEIGHTS; k++) {
            const uint16_t rounded =
                list == 0 && k == 0 ? (uint16_t)left : round_weight(from->weights[k]);
            out[4 * (size_t)i + k] = rounded > 0 ? (uint8_t)from->joints[k] : 0;
            lmi_put_u16(shares + 8 * (size_t)i + 2 * (size_t)k, rounded);
        }
    }
    const uint32_t index = lmi_gltf_add_accessor(g, &joints);
    mesh->joints = list == 0 ? index : mesh->joints;
    lmi_gltf_add_accessor(g, &weights);
}

void lmi_gltf_add_influences(lm_gltf_mesh *mesh) {
    for (uint32_t list = 0; list <= mesh->body->skeleton->more_influences; list++)
        add_influences(mesh, list);
}

void lmi_gltf_write_influences(lm_json *json, const lm_gltf_mesh *mesh) {
    for (uint32_t list = 0; list <= mesh->body->skeleton->more_influences; list++) {
        char names[2][24];
        for (unsigned i = 0; i < 2; i++) {
            snprintf(names[i], sizeof names[i], "%s_%u", i == 0 ? "JOINTS" : "WEIGHTS",
                     (unsigned)list);
            lmi_json_integer(json, names[i], mesh->joints + 2 * list + i);
        }
    }
}

void lmi_gltf_sample_rest(const lm_gltf_mesh *mesh) {
    const lm_export *job = &mesh->body->job;
    const lm_skeleton_surface *s = &mesh->body->skeleton->surfaces[mesh->surface_index];
    for (uint32_t i = 0; i < mesh->count; i++) {
        const uint32_t v = mesh->surface->file_vertices[mesh->weld->vertices[i]];
        mesh->base_positions[i] = lmi_export_point(job, s->positions[v]);
        if (s->normals)
            mesh->base_normals[i] = lmi_unit(lmi_export_axes(job, s->normals[v]));
    }
}

/* ---- Nodes ---------------------------------------------------------------------------------- */

/* Writes the joints below a joint, its tags, and what is attached to the tags that it is. */
static void write_children(const lm_gltf_body *body, lm_json *json, uint32_t joint) {
    const int32_t index = (int32_t)(body - body->g->bodies);
    bool any = false;
    for (uint32_t k = joint + 1; k < body->skeleton->num_joints; k++)
        if (body->skeleton->joints[k].parent == joint)
            lmi_gltf_list_node(json, "children", &any, lmi_gltf_joint_node(body, k));
    for (uint32_t tag = 0; tag < body->job.model->num_tags; tag++)
        if (body->tag_joints[tag] == joint && body->tag_uses[tag] == LM_TAG_JOINT)
            lmi_gltf_list_held(body->g, json, "children", &any, index, tag);
        else if (body->tag_joints[tag] == joint)
            lmi_gltf_list_node(json, "children", &any, lmi_gltf_tag_node(body, tag));
    if (any)
        lmi_json_close(json);
}

bool lmi_gltf_write_joints(lm_gltf_body *body) {
    const uint32_t count = body->skeleton ? body->skeleton->num_joints : 0;
    const lm_pose pose = lmi_export_pose(&body->job, body->plan.base);
    lm_joint_pose poses[LM_MAX_SKELETON_JOINTS];
    if (body->skeleton)
        lmi_joints_between(body->skeleton, &pose, poses);
    for (uint32_t j = 0; j < count; j++) {
        const lm_joint_pose local = convert(body, &poses[j]);
        lm_json *json = lmi_gltf_open_named(&body->g->nodes, body->joint_names[j]);
        write_children(body, json, j);
        lmi_gltf_write_floats(json, "translation", &local.translation.x, 3);
        lmi_gltf_write_floats(json, "rotation", local.rotation, 4);
        for (uint32_t tag = 0, found = 0; tag < body->job.model->num_tags && !found; tag++) {
            found = lmi_gltf_tag_node(body, tag) == lmi_gltf_joint_node(body, j);
            if (found) /* the first of several tags with one name */
                lmi_gltf_write_tag_extras(body, json, tag);
        }
        lmi_json_close(json);
    }
    return true;
}

/* ---- Animations ----------------------------------------------------------------------------- */

bool lmi_gltf_animate_joints(const lm_gltf_body *body, const lm_gltf_track *track,
                             lm_gltf_transform *keys) {
    const lm_skeleton *s = body->skeleton;
    const unsigned small = body->g->options->quantize ? LM_KEYS_SMALL : 0;
    lm_arena scratch = {.heap = &body->g->heap};
    const uint32_t count = s ? s->num_joints : 0;
    lm_joint_pose *poses =
        lmi_arena_alloc(&scratch, (uint64_t)track->num_keys * count, sizeof *poses);
    for (uint32_t key = 0; poses && s && key < track->num_keys; key++) {
        const lm_pose pose = lmi_gltf_model_pose(body, track, key);
        lmi_joints_between(s, &pose, poses + (size_t)key * count);
    }
    for (uint32_t j = 0; poses && j < count; j++) {
        const uint32_t node = lmi_gltf_joint_node(body, j);
        const bool translates = j == 0 || s->joints[j].translates;
        for (uint32_t key = 0; key < track->num_keys; key++) {
            const lm_joint_pose local = convert(body, &poses[(size_t)key * count + j]);
            memcpy(keys[key].rotation, local.rotation, sizeof local.rotation);
            keys[key].translation = local.translation;
        }
        lmi_gltf_add_path(body->g, track, keys, node, LM_PATH_ROTATION, LM_KEYS_MERGED | small);
        if (translates)
            lmi_gltf_add_path(body->g, track, keys, node, LM_PATH_TRANSLATION, LM_KEYS_MERGED);
    }
    lmi_arena_free(&scratch);
    return poses && lmi_gltf_continues(body->g);
}

/* ---- Corrective shapes ---------------------------------------------------------------------- */

void lmi_gltf_add_correctives(lm_gltf_mesh *mesh) {
    const lm_gltf_body *body = mesh->body;
    const lm_skeleton_surface *s = body->skeleton->surfaces + mesh->surface_index;
    for (uint32_t k = 0; k < body->skeleton->num_correctives; k++) {
        const lm_vec3 *shape = s->correctives + (size_t)k * s->num_vertices;
        for (uint32_t i = 0; i < mesh->count; i++)
            mesh->positions[i] = lmi_export_point(
                &body->job, shape[mesh->surface->file_vertices[mesh->weld->vertices[i]]]);
        mesh->correctives[k] =
            lmi_gltf_add_vectors(body->g, mesh->positions, mesh->count, LM_VECTORS_TARGET);
    }
    body->g->num_targets += body->skeleton->num_correctives;
}

void lmi_gltf_write_corrective_weights(lm_json *json, const lm_gltf_body *body) {
    const lm_pose pose = lmi_export_pose(&body->job, body->plan.base);
    float weights[LM_MAX_SKELETON_CORRECTIVES];
    for (uint32_t k = 0; k < lmi_gltf_num_correctives(body); k++)
        weights[k] = lmi_corrective_weight(body->skeleton, k, &pose);
    lmi_gltf_write_floats(json, "weights", weights, lmi_gltf_num_correctives(body));
}

bool lmi_gltf_animate_correctives(const lm_gltf_body *body, const lm_gltf_track *track) {
    const uint32_t count = lmi_gltf_num_correctives(body);
    lm_gltf *g = body->g;
    if (count == 0)
        return true;
    const uint64_t values = (uint64_t)track->num_keys * count;
    if (values > UINT32_MAX)
        return lmi_gltf_too_large(g);
    lm_accessor entry = lmi_gltf_keys(values, "SCALAR");
    const uint32_t input = lmi_gltf_add_times(g, track, 0, track->num_keys);
    uint8_t *out = lmi_gltf_reserve_elements(g, &entry, 4);
    for (uint32_t key = 0; out && key < track->num_keys; key++) {
        const lm_pose pose = lmi_gltf_model_pose(body, track, key);
        for (uint32_t k = 0; k < count; k++, out += 4)
            lmi_put_f32(out, lmi_corrective_weight(body->skeleton, k, &pose));
    }
    const uint32_t sampler =
        lmi_gltf_add_sampler(g, input, lmi_gltf_add_accessor(g, &entry), false);
    for (uint32_t mesh = 0; mesh < body->plan.num_meshes; mesh++)
        lmi_gltf_add_channel(g, sampler, lmi_gltf_mesh_node(body, 0, mesh), "weights");
    return lmi_gltf_continues(g);
}
