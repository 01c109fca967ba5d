/* The bones of a pose, as the game poses them (tr_animation.c; docs/reference/formats/mds.md). */
#include "sample/bones.h"

#include "core/bytes.h"
#include "math/vectors.h"

#include <math.h>
#include <string.h>

#define TURN 65536 /* steps of an angle */
#define PI 3.14159265358979323846

void lmi_axes_of_turns(const double turns[3], lm_vec3 axis[3]) {
    const double sp = lmi_sine(turns[0]), cp = lmi_cosine(turns[0]);
    const double sy = lmi_sine(turns[1]), cy = lmi_cosine(turns[1]);
    const double sr = lmi_sine(turns[2]), cr = lmi_cosine(turns[2]);
    axis[0] = (lm_vec3){(float)(cp * cy), (float)(cp * sy), (float)-sp};
    axis[1] = (lm_vec3){(float)(sr * sp * cy - cr * sy), (float)(sr * sp * sy + cr * cy),
                        (float)(sr * cp)};
    axis[2] = (lm_vec3){(float)(cr * sp * cy + sr * sy), (float)(cr * sp * sy - sr * cy),
                        (float)(cr * cp)};
}

/* A bone in a pose: its angles in turns, and the direction from its parent. */
typedef struct bone_state {
    double turns[3];
    lm_wide direction;
} bone_state;

/* Returns the way from one angle to another in turns: the shorter one. */
static double way_between(double from, double to) {
    const double way = to - from;
    return way - floor(way + 0.5);
}

/* Blends two directions. If they cancel, returns the nearer one. */
static lm_wide blend_directions(lm_wide a, lm_wide b, double t) {
    const lm_wide sum = {(1 - t) * a.x + t * b.x, (1 - t) * a.y + t * b.y, (1 - t) * a.z + t * b.z};
    const double length = lmi_wide_length(sum);
    if (length < 1e-6)
        return t < 0.5 ? a : b;
    return (lm_wide){sum.x / length, sum.y / length, sum.z / length};
}

static bone_state blend_states(const bone_state *a, const bone_state *b, double t) {
    bone_state out;
    for (int i = 0; i < 3; i++)
        out.turns[i] = a->turns[i] + t * way_between(a->turns[i], b->turns[i]);
    out.direction = blend_directions(a->direction, b->direction, t);
    return out;
}

static bone_state stored_state(const lm_bones *bones, uint32_t bone, uint32_t frame) {
    const uint8_t *p = bones->poses + frame * bones->pose_stride + (size_t)bone * LM_BONE_POSE_SIZE;
    const double pitch = (double)lmi_get_s16(p + 8) / TURN,
                 yaw = (double)lmi_get_s16(p + 10) / TURN;
    return (bone_state){
        {(double)lmi_get_s16(p) / TURN, (double)lmi_get_s16(p + 2) / TURN,
         (double)lmi_get_s16(p + 4) / TURN},
        {lmi_cosine(pitch) * lmi_cosine(yaw), lmi_cosine(pitch) * lmi_sine(yaw), -lmi_sine(pitch)}};
}

/* Returns the share of a pose's second frame. */
static double share_of(const lm_pose *pose) {
    return fabsf(pose->t) < 1e-12f || pose->frame_a == pose->frame_b ? 0 : (double)pose->t;
}

/* A pose of exactly one frame equals that frame bit for bit. */
static bone_state state_at(const lm_bones *bones, uint32_t bone, const lm_pose *pose) {
    const double t = share_of(pose);
    const bone_state a = stored_state(bones, bone, t == 1 ? pose->frame_b : pose->frame_a);
    if (t == 0 || t == 1)
        return a;
    const bone_state b = stored_state(bones, bone, pose->frame_b);
    return blend_states(&a, &b, t);
}

static lm_wide root_at(const lm_model *model, const lm_pose *pose) {
    const double t = share_of(pose);
    const lm_wide a = lmi_wide_of(model->frames[pose->frame_a].translate);
    const lm_wide b = lmi_wide_of(model->frames[pose->frame_b].translate);
    return (lm_wide){(1 - t) * a.x + t * b.x, (1 - t) * a.y + t * b.y, (1 - t) * a.z + t * b.z};
}

static lm_vec3 narrow(lm_wide v) {
    return (lm_vec3){(float)v.x, (float)v.y, (float)v.z};
}

/* Returns a bone with the legs in one pose and the torso in another. */
static bone_state mix_states(const lm_model *model, const lm_pose *legs, const lm_pose *torso,
                             uint32_t index) {
    const double weight = legs == torso ? 0 : (double)model->bones->bones[index].torso_weight;
    const bone_state state = state_at(model->bones, index, weight == 1 ? torso : legs);
    if (weight == 0 || weight == 1)
        return state;
    const bone_state other = state_at(model->bones, index, torso);
    return blend_states(&state, &other, weight);
}

/* Stores an angle in turns. */
static void put_turns(uint8_t *out, double turns) {
    lmi_put_u16(out, (uint16_t)(int64_t)floor((turns - floor(turns)) * TURN + 0.5));
}

lm_vec3 lmi_mix_bones(const lm_model *model, const lm_pose *legs, const lm_pose *torso,
                      uint8_t *out) {
    for (uint32_t b = 0; b < model->bones->num_bones; b++, out += LM_BONE_POSE_SIZE) {
        const bone_state state = mix_states(model, legs, torso, b);
        const lm_wide way = state.direction;
        for (size_t i = 0; i < 3; i++)
            put_turns(out + 2 * i, state.turns[i]);
        lmi_put_u16(out + 6, 0);
        put_turns(out + 8, -asin(fmax(-1, fmin(1, way.z))) / (2 * PI));
        put_turns(out + 10, atan2(way.y, way.x) / (2 * PI));
    }
    return narrow(root_at(model, legs));
}

/* Poses a bone whose parent is posed. */
static void pose_bone(const lm_model *model, const lm_pose *legs, const lm_pose *torso,
                      uint32_t index, lm_transform *out) {
    const lm_bone *bone = &model->bones->bones[index];
    const bone_state state = mix_states(model, legs, torso, index);
    const lm_wide origin = bone->parent == LM_NO_BONE
                               ? root_at(model, legs)
                               : lmi_wide_sum(lmi_wide_of(out[bone->parent].origin),
                                              state.direction, (double)bone->parent_dist);
    out[index].origin = narrow(origin);
    lmi_axes_of_turns(state.turns, out[index].axis);
}

void lmi_pose_bones(const lm_model *model, const lm_pose *legs, const lm_pose *torso, uint32_t bone,
                    lm_transform *out) {
    const lm_bones *bones = model->bones;
    bool skipped[LM_MAX_BONES];
    memset(skipped, bone != LM_ALL_BONES, sizeof skipped);
    for (uint32_t b = bone; b != LM_NO_BONE; b = bones->bones[b].parent)
        skipped[b] = false;
    for (uint32_t b = 0; b < bones->num_bones; b++)
        if (!skipped[b])
            pose_bone(model, legs, torso, b, out);
}

/* ---- Turning the torso ---------------------------------------------------------------------- */

static lm_vec3 times(const lm_vec3 rows[3], lm_vec3 v) {
    return (lm_vec3){lmi_dot(rows[0], v), lmi_dot(rows[1], v), lmi_dot(rows[2], v)};
}

/* Exchanges rows and columns. */
static void transpose(lm_vec3 rows[3]) {
    const lm_vec3 a = rows[0], b = rows[1], c = rows[2];
    rows[0] = (lm_vec3){a.x, b.x, c.x};
    rows[1] = (lm_vec3){a.y, b.y, c.y};
    rows[2] = (lm_vec3){a.z, b.z, c.z};
}

/* Turns a bone about a point. The rows of a bone are a matrix, those of a tag three axes. */
static void turn_bone(const lm_bone *bone, const lm_vec3 rotation[3], lm_vec3 about,
                      lm_transform *out) {
    const bool is_tag = bone->flags & LM_BONE_TAG;
    const float w = bone->torso_weight, rest = 1 - w;
    const lm_vec3 *r = rotation;
    const lm_vec3 matrix[3] = {{rest + w * r[0].x, w * r[1].x, w * r[2].x},
                               {w * r[0].y, rest + w * r[1].y, w * r[2].y},
                               {w * r[0].z, w * r[1].z, rest + w * r[2].z}};
    const lm_vec3 arm = times(matrix, (lm_vec3){out->origin.x - about.x, out->origin.y - about.y,
                                                out->origin.z - about.z});
    out->origin = (lm_vec3){about.x + arm.x, about.y + arm.y, about.z + arm.z};
    if (!is_tag)
        transpose(out->axis);
    for (int i = 0; i < 3; i++)
        out->axis[i] = times(matrix, out->axis[i]);
    if (!is_tag)
        transpose(out->axis);
}

void lmi_turn_torso(const lm_bones *bones, const lm_vec3 *angles, lm_transform *out) {
    const double turns[3] = {(double)angles->x / 360, (double)angles->y / 360,
                             (double)angles->z / 360};
    const lm_vec3 about = out[bones->torso_parent].origin;
    lm_vec3 rotation[3];
    lmi_axes_of_turns(turns, rotation);
    for (uint32_t b = 0; b < bones->num_bones; b++)
        if (bones->bones[b].torso_weight > 0)
            turn_bone(&bones->bones[b], rotation, about, &out[b]);
}

/* ---- Vertices -------------------------------------------------------------------------------- */

void lmi_follow_bones(const lm_surface *surface, uint32_t vertex, const lm_transform *bones,
                      lm_vec3 *position, lm_vec3 *normal) {
    const lm_weights *weights = surface->weights;
    const lm_weight *first = weights->weights + weights->firsts[vertex];
    lm_vec3 sum = {0, 0, 0};
    for (const lm_weight *w = first; w < weights->weights + weights->firsts[vertex + 1]; w++) {
        const lm_transform *bone = &bones[w->bone];
        const lm_vec3 p = times(bone->axis, w->offset);
        sum.x += w->weight * (p.x + bone->origin.x);
        sum.y += w->weight * (p.y + bone->origin.y);
        sum.z += w->weight * (p.z + bone->origin.z);
    }
    *position = sum;
    *normal = times(bones[first->bone].axis, weights->normals[vertex]);
}
