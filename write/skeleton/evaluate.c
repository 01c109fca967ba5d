#include "skeleton/evaluate.h"

#include "lerpmesh/sample.h"
#include "sample/bones.h"
#include "skeleton/fit.h"

#include <string.h>

#define SAME 1e-9       /* of the square of a distance */
#define SAME_PLACE 1e-3 /* of the place and the axes of a joint and a tag */

/* ---- Poses between frames ------------------------------------------------------------------- */

/* Returns the sine of an angle from 0 to a right angle, accurate to 1e-9 (Taylor), and the same on
 * every machine. */
static double sine(double x) {
    const double square = x * x;
    double sum = 0;
    for (int n = 13; n > 1; n -= 2)
        sum = -(sum + 1) * square / (n * (n - 1));
    return x * (1 + sum);
}

/* Interpolates rotations spherically, the shorter way. */
static void slerp(const float a[4], const float b[4], double t, float out[4]) {
    double dot = 0, square = 0, q[4];
    for (int i = 0; i < 4; i++)
        dot += (double)a[i] * (double)b[i];
    const double angle = lmi_arc_cosine(fabs(dot)), whole = sine(angle);
    double from = 1 - t, to = t;
    if (whole > 1e-6) {
        from = sine(from * angle);
        to = sine(to * angle);
    }
    to = dot < 0 ? -to : to;
    for (int i = 0; i < 4; i++) {
        q[i] = from * (double)a[i] + to * (double)b[i];
        square += q[i] * q[i];
    }
    for (int i = 0; i < 4; i++)
        out[i] = (float)(q[i] / sqrt(square));
}

static float mix(float a, float b, float t) {
    return (1 - t) * a + t * b;
}

lm_placed lmi_placed_bone(const lm_transform *bone) {
    const lm_vec3 *r = bone->axis, o = bone->origin;
    return (lm_placed){{{(double)r[0].x, (double)r[0].y, (double)r[0].z, (double)o.x},
                        {(double)r[1].x, (double)r[1].y, (double)r[1].z, (double)o.y},
                        {(double)r[2].x, (double)r[2].y, (double)r[2].z, (double)o.z}}};
}

/* Returns a joint whose bone is posed. */
static lm_placed place_joint(const lm_own_bones *own, uint32_t joint, const lm_transform *bones) {
    const lm_placed bone = lmi_placed_bone(&bones[own->bones[joint]]), *rest = &own->rest[joint];
    lm_placed out = bone;
    for (int i = 0; i < 3; i++)
        for (int d = 0; d < 3; d++)
            out.m[i][d] = bone.m[i][0] * rest->m[d][0] + bone.m[i][1] * rest->m[d][1] +
                          bone.m[i][2] * rest->m[d][2];
    return out;
}

void lmi_place_own(const lm_own_bones *own, uint32_t num_joints, const lm_pose *pose,
                   lm_placed *out) {
    lm_transform bones[LM_MAX_BONES];
    lmi_pose_bones(&own->model, pose, pose, LM_ALL_BONES, bones);
    for (uint32_t j = 0; j < num_joints; j++)
        out[j] = place_joint(own, j, bones);
}

void lmi_joints_between(const lm_skeleton *s, const lm_pose *pose, lm_joint_pose *out) {
    const lm_joint_pose *a = &s->poses[(size_t)pose->frame_a * s->num_joints];
    const lm_joint_pose *b = &s->poses[(size_t)pose->frame_b * s->num_joints];
    const float t = pose->t;
    lm_placed own[LM_MAX_SKELETON_JOINTS];
    if (!lmi_is_between(pose)) {
        memcpy(out, t < 1 ? a : b, s->num_joints * sizeof *out);
        return;
    }
    if (s->own)
        lmi_place_own(s->own, s->num_joints, pose, own);
    for (uint32_t j = 0; j < s->num_joints; j++) {
        const lm_vec3 from = a[j].translation, to = b[j].translation;
        if (s->own) {
            const lm_placed local =
                j > 0 ? lmi_placed_relative(&own[s->joints[j].parent], &own[j]) : own[0];
            out[j].translation = lmi_placed_split(&local, a[j].rotation, out[j].rotation);
            continue;
        }
        out[j].translation =
            (lm_vec3){mix(from.x, to.x, t), mix(from.y, to.y, t), mix(from.z, to.z, t)};
        slerp(a[j].rotation, b[j].rotation, (double)t, out[j].rotation);
    }
}

float lmi_corrective_weight(const lm_skeleton *skeleton, uint32_t shape, const lm_pose *pose) {
    const size_t count = skeleton->num_correctives;
    const float a = skeleton->corrective_weights[pose->frame_a * count + shape];
    const float b = skeleton->corrective_weights[pose->frame_b * count + shape];
    if (!lmi_is_between(pose))
        return pose->t < 1 ? a : b;
    return mix(a, b, pose->t);
}

/* ---- Joints --------------------------------------------------------------------------------- */

lm_placed lmi_placed_of(const lm_joint_pose *pose) {
    const lm_vec3 t = pose->translation;
    const double x = (double)pose->rotation[0], y = (double)pose->rotation[1],
                 z = (double)pose->rotation[2], w = (double)pose->rotation[3];
    return (lm_placed){
        {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), (double)t.x},
         {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x), (double)t.y},
         {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y), (double)t.z}}};
}

void lmi_place_joints(const lm_skeleton *s, const lm_pose *pose, lm_placed *out) {
    lm_joint_pose local[LM_MAX_SKELETON_JOINTS];
    if (s->own && lmi_is_between(pose)) {
        lmi_place_own(s->own, s->num_joints, pose, out);
        return;
    }
    lmi_joints_between(s, pose, local);
    for (uint32_t j = 0; j < s->num_joints; j++) {
        const lm_placed own = lmi_placed_of(&local[j]);
        out[j] = j > 0 ? lmi_placed_product(&out[s->joints[j].parent], &own) : own;
    }
}

void lmi_move_joints(const lm_skeleton *s, const lm_pose *pose, lm_placed *out) {
    lmi_place_joints(s, pose, out);
    for (uint32_t j = 0; j < s->num_joints; j++) {
        const lm_vec3 c = s->joints[j].position;
        for (int i = 0; i < 3; i++)
            out[j].m[i][3] -= out[j].m[i][0] * (double)c.x + out[j].m[i][1] * (double)c.y +
                              out[j].m[i][2] * (double)c.z;
    }
}

uint32_t lmi_joint_of_tag(const lm_skeleton *skeleton, uint32_t tag, const lm_transform *poses) {
    const uint32_t count = skeleton->num_frames;
    lm_placed joints[LM_MAX_SKELETON_JOINTS];
    lm_wide sums[LM_MAX_SKELETON_JOINTS] = {{0, 0, 0}};
    double squares[LM_MAX_SKELETON_JOINTS] = {0}, best = INFINITY;
    uint32_t found = 0;
    if (tag < skeleton->num_tags && skeleton->tag_joints[tag] < skeleton->num_joints)
        return skeleton->tag_joints[tag];
    for (uint32_t i = 0; i < count; i++) {
        lmi_place_joints(skeleton, &(lm_pose){i, i, 0, false}, joints);
        for (uint32_t j = 0; j < skeleton->num_joints; j++) {
            const lm_wide away =
                lmi_wide_sum(lmi_wide_of(poses[i].origin), lmi_place_of(&joints[j]), -1);
            const lm_wide at = lmi_wide_of(lmi_turn_back(&joints[j], away));
            sums[j] = lmi_wide_sum(sums[j], at, 1);
            squares[j] += lmi_wide_dot(at, at);
        }
    }
    for (uint32_t j = 0; j < skeleton->num_joints; j++) {
        const double spread = squares[j] - lmi_wide_dot(sums[j], sums[j]) / count;
        if (spread + SAME * squares[0] < best) { /* of joints that move alike, the first */
            best = spread;
            found = j;
        }
    }
    return found;
}

uint32_t lmi_joint_that_is_tag(const lm_skeleton *skeleton, const char *name,
                               const lm_transform *poses) {
    lm_placed placed[LM_MAX_SKELETON_JOINTS];
    uint32_t joint = 0;
    while (joint < skeleton->num_joints && strcmp(name, skeleton->joints[joint].name) != 0)
        joint++;
    bool same = joint < skeleton->num_joints;
    for (uint32_t f = 0; same && f < skeleton->num_frames; f++) {
        const float *at = &poses[f].origin.x;
        const lm_placed *own = &placed[joint];
        double away = 0, far = 0, turned = 0;
        lmi_place_joints(skeleton, &(lm_pose){f, f, 0, false}, placed);
        for (int r = 0; r < 3; r++) {
            away += fabs((double)at[r] - own->m[r][3]);
            far += fabs((double)at[r]) + fabs(own->m[r][3]);
            for (int c = 0; c < 3; c++)
                turned += fabs((double)(&poses[f].axis[c].x)[r] - own->m[r][c]);
        }
        same = away <= SAME_PLACE * far && turned <= 9 * SAME_PLACE;
    }
    return same ? joint : skeleton->num_joints;
}

void lmi_sample_tag_poses(const lm_skeleton *skeleton, const lm_model *model, uint32_t tag,
                          lm_transform *poses) {
    for (uint32_t f = 0; f < skeleton->num_frames; f++)
        lm_sample_tag(model, tag, &(lm_pose){f, f, 0, false}, &poses[f]);
}

lm_placed lmi_place_tag(const lm_transform *tag) {
    double axes[3][3];
    for (int i = 0; i < 3; i++) {
        axes[0][i] = (double)tag->axis[i].x;
        axes[1][i] = (double)tag->axis[i].y;
        axes[2][i] = (double)tag->axis[i].z;
    }
    return lmi_placed_nearest(axes, tag->origin);
}

/* ---- Vertices ------------------------------------------------------------------------------- */

/* Moves a vertex of a surface, or turns its normal if `one` is 0. */
static lm_vec3 apply(const lm_placed *joints, const lm_skeleton *skeleton,
                     const lm_skeleton_surface *s, uint32_t vertex, lm_wide v, double one) {
    double out[3] = {0};
    for (uint32_t k = 0; k <= skeleton->more_influences; k++) {
        const lm_influence *influence = &s->influences[(size_t)k * s->num_vertices + vertex];
        for (int i = 0; i < LM_SKELETON_WEIGHTS && influence->weights[i] > 0; i++) {
            const double(*m)[4] = joints[influence->joints[i]].m;
            const double weight = (double)influence->weights[i];
            for (int c = 0; c < 3; c++)
                out[c] += weight * (m[c][0] * v.x + m[c][1] * v.y + m[c][2] * v.z + m[c][3] * one);
        }
    }
    return (lm_vec3){(float)out[0], (float)out[1], (float)out[2]};
}

void lmi_move_surface(const lm_skeleton *skeleton, uint32_t surface, const lm_pose *pose,
                      const lm_placed *joints, lm_vec3 *positions, lm_vec3 *normals) {
    const lm_skeleton_surface *s = &skeleton->surfaces[surface];
    double weights[LM_MAX_SKELETON_CORRECTIVES];
    const uint32_t count = skeleton->num_correctives;
    for (uint32_t k = 0; k < count; k++)
        weights[k] = (double)lmi_corrective_weight(skeleton, k, pose);
    for (uint32_t v = 0; v < s->num_vertices; v++) {
        lm_wide rest = lmi_wide_of(s->positions[v]);
        for (uint32_t k = 0; k < count; k++)
            rest = lmi_wide_sum(rest, lmi_wide_of(s->correctives[(size_t)k * s->num_vertices + v]),
                                weights[k]);
        positions[v] = apply(joints, skeleton, s, v, rest, 1);
        if (normals && s->normals)
            normals[v] = lmi_unit(apply(joints, skeleton, s, v, lmi_wide_of(s->normals[v]), 0));
    }
}

void lm_skeleton_sample(const lm_skeleton *skeleton, uint32_t surface, const lm_pose *pose,
                        lm_vec3 *positions, lm_vec3 *normals) {
    lm_placed joints[LM_MAX_SKELETON_JOINTS];
    lmi_move_joints(skeleton, pose, joints);
    lmi_move_surface(skeleton, surface, pose, joints, positions, normals);
}

lm_skeleton_error lmi_error_over(const lm_skeleton_error *frames, uint32_t count) {
    lm_skeleton_error out = {0, 0};
    for (uint32_t f = 0; f < count; f++) {
        out.rms_error += frames[f].rms_error * frames[f].rms_error / count;
        out.max_error = fmax(out.max_error, frames[f].max_error);
    }
    out.rms_error = sqrt(out.rms_error);
    return out;
}

bool lmi_skeleton_fits_mesh(const lm_skeleton *skeleton, const lm_mesh *mesh) {
    bool fits = skeleton->num_frames == mesh->num_frames &&
                skeleton->num_surfaces == mesh->num_surfaces && skeleton->num_joints > 0 &&
                skeleton->num_joints <= LM_MAX_SKELETON_JOINTS;
    for (uint32_t i = 0; fits && i < mesh->num_surfaces; i++)
        fits = skeleton->surfaces[i].num_vertices == mesh->surfaces[i].num_vertices;
    return fits;
}

bool lmi_skeleton_fits(const lm_skeleton *skeleton, const lm_model *model) {
    bool fits = skeleton->num_frames == model->num_frames &&
                skeleton->num_surfaces == model->num_surfaces && skeleton->num_joints > 0 &&
                skeleton->num_joints <= LM_MAX_SKELETON_JOINTS;
    for (uint32_t i = 0; fits && i < model->num_surfaces; i++)
        fits = skeleton->surfaces[i].num_vertices == model->surfaces[i].num_file_vertices;
    return fits;
}
