#include "export/gltf.h"

#include "core/bytes.h"
#include "math/vectors.h"
#include "skeleton/evaluate.h"

#include <string.h>

/* ---- Poses of joints in the target's space --------------------------------------------------- */

/* A joint's rotation (x, y, z, w) and place. */
typedef struct placed {
    double q[4], at[3];
} placed;

static void multiply(const double a[4], const double b[4], double out[4]) {
    const double made[4] = {a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
                            a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
                            a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
                            a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};
    memcpy(out, made, sizeof made);
}

static void rotate(const double q[4], const double v[3], double out[3]) {
    double t[3];
    for (int i = 0; i < 3; i++)
        t[i] = 2 * (q[(i + 1) % 3] * v[(i + 2) % 3] - q[(i + 2) % 3] * v[(i + 1) % 3]);
    for (int i = 0; i < 3; i++)
        out[i] =
            v[i] + q[3] * t[i] + q[(i + 1) % 3] * t[(i + 2) % 3] - q[(i + 2) % 3] * t[(i + 1) % 3];
}

/* Finds the pose of a joint relative to its parent. */
static void find_local(const lm_gltf_body *body, uint32_t joint, lm_pose pose, float rotation[4],
                       lm_vec3 *translation) {
    const lm_joint_pose local = lm_joint_between(body->skeleton, joint, &pose);
    const float *q = local.rotation;
    const lm_vec3 axis = lm_export_axes(&body->job, (lm_vec3){q[0], q[1], q[2]});
    memcpy(rotation, &axis, sizeof axis);
    rotation[3] = q[3];
    *translation = lm_export_point(&body->job, local.translation);
}

static void place_joints(const lm_gltf_body *body, lm_pose pose, placed *all) {
    for (uint32_t j = 0; j < body->skeleton->num_joints; j++) {
        float rotation[4];
        lm_vec3 t;
        find_local(body, j, pose, rotation, &t);
        const double q[4] = {(double)rotation[0], (double)rotation[1], (double)rotation[2],
                             (double)rotation[3]};
        const double at[3] = {(double)t.x, (double)t.y, (double)t.z};
        if (j == 0) {
            memcpy(all[j].q, q, sizeof q);
            memcpy(all[j].at, at, sizeof at);
            continue;
        }
        const placed *up = &all[body->skeleton->joints[j].parent];
        multiply(up->q, q, all[j].q);
        rotate(up->q, at, all[j].at);
        for (int i = 0; i < 3; i++)
            all[j].at[i] += up->at[i];
    }
}

/* ---- Tags ----------------------------------------------------------------------------------- */

void lm_gltf_hang_tag(const lm_gltf_body *body, uint32_t tag, lm_pose pose, lm_gltf_transform *t) {
    placed all[LM_MAX_SKELETON_BONES];
    place_joints(body, pose, all);
    const placed *joint = &all[body->tag_joints[tag]];
    const double back[4] = {-joint->q[0], -joint->q[1], -joint->q[2], joint->q[3]};
    const double own[4] = {(double)t->rotation[0], (double)t->rotation[1], (double)t->rotation[2],
                           (double)t->rotation[3]};
    const double away[3] = {(double)t->translation.x - joint->at[0],
                            (double)t->translation.y - joint->at[1],
                            (double)t->translation.z - joint->at[2]};
    double q[4], v[3];
    multiply(back, own, q);
    rotate(back, away, v);
    for (int i = 0; i < 4; i++)
        t->rotation[i] = (float)q[i];
    t->translation = (lm_vec3){(float)v[0], (float)v[1], (float)v[2]};
}

/* Returns the joint that a tag follows. */
static uint32_t find_joint(const lm_gltf_body *body, uint32_t tag, lm_vec3 *origins,
                           lm_pose *poses) {
    const lm_export *job = &body->job;
    for (uint32_t frame = 0; frame < job->count; frame++) {
        lm_transform own;
        poses[frame] = lm_export_pose(job, frame);
        lm_sample_tag(job->model, tag, &poses[frame], &own);
        origins[frame] = own.origin;
    }
    return lm_joint_of_tag(body->skeleton, origins, poses, job->count);
}

bool lm_gltf_hang_tags(lm_gltf_body *body) {
    const uint32_t count = body->job.model->num_tags;
    lm_arena *arena = &body->g->arena;
    if (!body->skeleton)
        return true;
    uint32_t *joints = lm_arena_zeros(arena, count, sizeof *joints);
    lm_vec3 *origins = lm_arena_alloc(arena, body->job.count, sizeof *origins);
    lm_pose *poses = lm_arena_alloc(arena, body->job.count, sizeof *poses);
    if (lm_arena_failed(arena))
        return false;
    for (uint32_t tag = 0; tag < count; tag++)
        joints[tag] = find_joint(body, tag, origins, poses);
    body->tag_joints = joints;
    return true;
}

/* ---- The skin ------------------------------------------------------------------------------- */

bool lm_gltf_take_skeleton(lm_gltf_body *body) {
    const lm_gltf_options *options = body->g->options;
    body->skeleton = options->skeletons ? options->skeletons[body - body->g->bodies] : NULL;
    if (!body->skeleton)
        return true;
    if (options->packer)
        return lm_call_fail(body->job.call, LM_CODE_BAD_ARGUMENT,
                            "a glTF with a skeleton cannot be compressed");
    body->skin = body->g->num_skins++;
    return lm_skeleton_fits(body->skeleton, body->job.model) ||
           lm_call_fail(body->job.call, LM_CODE_BAD_ARGUMENT,
                        "the skeleton is not that of the model: it has other numbers of frames, "
                        "surfaces or vertices");
}

bool lm_gltf_write_skin(lm_gltf_body *body) {
    const lm_skeleton *s = body->skeleton;
    lm_gltf *g = body->g;
    lm_accessor entry = {.stream = LM_STREAM_MATRICES,
                         .component = LM_GLTF_FLOAT,
                         .count = s ? s->num_joints : 0,
                         .type = "MAT4"};
    uint8_t *out = s ? lm_gltf_reserve_elements(g, &entry, 64) : NULL;
    if (!out)
        return !s;
    for (uint32_t j = 0; j < s->num_joints; j++) {
        const lm_vec3 at = lm_export_point(&body->job, s->joints[j].position);
        const float matrix[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -at.x, -at.y, -at.z, 1};
        for (size_t i = 0; i < 16; i++)
            lm_put_f32(out + 64 * (size_t)j + 4 * i, matrix[i] + 0.0f);
    }
    const uint32_t accessor = lm_gltf_add_accessor(g, &entry);
    lm_json *json = &g->skins.json;
    lm_json_open(json, NULL, '{');
    lm_json_integer(json, "inverseBindMatrices", accessor);
    lm_json_integer(json, "skeleton", lm_gltf_joint_node(body, 0));
    lm_json_open(json, "joints", '[');
    for (uint32_t j = 0; j < s->num_joints; j++)
        lm_json_integer(json, NULL, lm_gltf_joint_node(body, j));
    lm_json_close(json);
    lm_json_close(json);
    g->skins.count++;
    return true;
}

/* Rounds weights to steps of 1/65535 whose sum is 1. */
static void round_weights(const lm_influence *influence, uint16_t out[LM_SKELETON_WEIGHTS]) {
    uint32_t left = UINT16_MAX;
    for (unsigned i = LM_SKELETON_WEIGHTS; i-- > 1;) {
        out[i] = (uint16_t)(influence->weights[i] * UINT16_MAX + 0.5f);
        left -= out[i];
    }
    out[0] = (uint16_t)left; /* the largest */
}

bool lm_gltf_add_influences(lm_gltf_mesh *mesh) {
    lm_gltf *g = mesh->body->g;
    const lm_skeleton_surface *s = &mesh->body->skeleton->surfaces[mesh->surface_index];
    lm_accessor joints = {.stream = LM_STREAM_4,
                          .component = LM_GLTF_UNSIGNED_BYTE,
                          .count = mesh->count,
                          .type = "VEC4"};
    lm_accessor weights = {.stream = LM_STREAM_8,
                           .component = LM_GLTF_UNSIGNED_SHORT,
                           .normalized = true,
                           .count = mesh->count,
                           .type = "VEC4"};
    uint8_t *out = lm_gltf_reserve_elements(g, &joints, 4);
    uint8_t *shares = out ? lm_gltf_reserve_elements(g, &weights, 8) : NULL;
    if (!shares)
        return false;
    for (uint32_t i = 0; i < mesh->count; i++) {
        const lm_influence *from =
            &s->influences[mesh->surface->file_vertices[mesh->weld->vertices[i]]];
        uint16_t rounded[LM_SKELETON_WEIGHTS];
        round_weights(from, rounded);
        for (unsigned k = 0; k < LM_SKELETON_WEIGHTS; k++) {
            out[4 * (size_t)i + k] = rounded[k] > 0 ? (uint8_t)from->joints[k] : 0;
            lm_put_u16(shares + 8 * (size_t)i + 2 * (size_t)k, rounded[k]);
        }
    }
    mesh->joints = lm_gltf_add_accessor(g, &joints);
    mesh->weights = lm_gltf_add_accessor(g, &weights);
    return true;
}

void lm_gltf_sample_rest(const lm_gltf_mesh *mesh) {
    const lm_export *job = &mesh->body->job;
    const lm_skeleton_surface *s = &mesh->body->skeleton->surfaces[mesh->surface_index];
    for (uint32_t i = 0; i < mesh->count; i++) {
        const uint32_t v = mesh->surface->file_vertices[mesh->weld->vertices[i]];
        mesh->base_positions[i] = lm_export_point(job, s->positions[v]);
        if (s->normals)
            mesh->base_normals[i] = lm_unit(lm_export_axes(job, s->normals[v]));
    }
}

/* ---- Nodes ---------------------------------------------------------------------------------- */

/* Writes the joints below a joint, and its tags. */
static void write_children(const lm_gltf_body *body, lm_json *json, uint32_t joint) {
    bool any = false;
    for (uint32_t k = joint + 1; k < body->skeleton->num_joints; k++) {
        if (body->skeleton->joints[k].parent != joint)
            continue;
        if (!any)
            lm_json_open(json, "children", '[');
        any = true;
        lm_json_integer(json, NULL, lm_gltf_joint_node(body, k));
    }
    for (uint32_t tag = 0; tag < body->job.model->num_tags; tag++) {
        if (body->tag_joints[tag] != joint)
            continue;
        if (!any)
            lm_json_open(json, "children", '[');
        any = true;
        lm_json_integer(json, NULL, lm_gltf_tag_node(body, tag));
    }
    if (any)
        lm_json_close(json);
}

bool lm_gltf_write_joints(lm_gltf_body *body) {
    const uint32_t count = body->skeleton ? body->skeleton->num_joints : 0;
    const lm_pose pose = lm_export_pose(&body->job, body->plan.base);
    for (uint32_t j = 0; j < count; j++) {
        float rotation[4];
        lm_vec3 translation;
        lm_json *json =
            lm_gltf_open(&body->g->nodes, &body->g->node_names, body->skeleton->joints[j].name);
        if (!json)
            return false;
        find_local(body, j, pose, rotation, &translation);
        write_children(body, json, j);
        lm_gltf_write_floats(json, "translation", &translation.x, 3);
        lm_gltf_write_floats(json, "rotation", rotation, 4);
        lm_json_close(json);
    }
    return true;
}

/* ---- Animations ----------------------------------------------------------------------------- */

/* A joint's channel in an animation: rotations or translations. */
typedef struct channel {
    const lm_gltf_body *body;
    const lm_gltf_track *track;
    uint32_t joint;
    bool rotates, small; /* in 16 bits */
} channel;

/* Computes a key. Returns the number of values. */
static unsigned key_of(const channel *c, uint32_t key, float out[4]) {
    lm_pose pose = lm_gltf_key_pose(c->track, key);
    float rotation[4];
    lm_vec3 translation;
    pose.frame_a += c->body->job.first;
    pose.frame_b += c->body->job.first;
    find_local(c->body, c->joint, pose, rotation, &translation);
    memcpy(out, c->rotates ? rotation : &translation.x, (c->rotates ? 4 : 3) * sizeof *out);
    return c->rotates ? 4 : 3;
}

/* Returns whether all keys are equal, so that one is enough. */
static bool is_constant(const channel *c) {
    float first[4], other[4];
    const unsigned count = key_of(c, 0, first);
    for (uint32_t key = 1; key < c->track->num_keys; key++) {
        key_of(c, key, other);
        if (memcmp(first, other, count * sizeof *first) != 0)
            return false;
    }
    return true;
}

static bool write_channel(lm_gltf *g, const channel *c) {
    const uint32_t num_keys = is_constant(c) ? 1 : c->track->num_keys;
    const unsigned count = c->rotates ? 4 : 3, size = c->small ? 2 : 4;
    lm_accessor entry = {.stream = LM_STREAM_KEYS,
                         .component = c->small ? LM_GLTF_SHORT : LM_GLTF_FLOAT,
                         .normalized = c->small,
                         .count = num_keys,
                         .type = c->rotates ? "VEC4" : "VEC3"};
    uint32_t input;
    float before[4] = {0}, values[4];
    if (!lm_gltf_add_times(g, c->track, 0, num_keys, &input))
        return false;
    uint8_t *out = lm_gltf_reserve_elements(g, &entry, (size_t)count * size);
    for (uint32_t key = 0; out && key < num_keys; key++) {
        key_of(c, key, values);
        float dot = 0;
        for (unsigned i = 0; i < count && c->rotates; i++)
            dot += before[i] * values[i];
        for (unsigned i = 0; i < count; i++, out += size) {
            values[i] = dot < 0 ? -values[i] : values[i];
            if (c->small)
                lm_put_u16(out, (uint16_t)(int16_t)lrintf(values[i] * INT16_MAX));
            else
                lm_put_f32(out, values[i]);
        }
        memcpy(before, values, sizeof before);
    }
    if (!out)
        return false;
    const uint32_t output = lm_gltf_add_accessor(g, &entry);
    lm_gltf_add_channel(g, lm_gltf_add_sampler(g, input, output, false),
                        lm_gltf_joint_node(c->body, c->joint),
                        c->rotates ? "rotation" : "translation");
    return true;
}

bool lm_gltf_animate_joints(const lm_gltf_body *body, const lm_gltf_track *track) {
    const lm_skeleton *s = body->skeleton;
    for (uint32_t j = 0; s && j < s->num_joints; j++) {
        channel c = {body, track, j, true, body->g->options->quantize};
        if (!write_channel(body->g, &c))
            return false;
        c.rotates = c.small = false;
        if ((j == 0 || s->joints[j].translates) && !write_channel(body->g, &c))
            return false;
    }
    return true;
}
