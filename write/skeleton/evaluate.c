#include "skeleton/evaluate.h"

#include "skeleton/fit.h"

#include <string.h>

/* ---- The nearest rotation ------------------------------------------------------------------- */

/* Rotates columns a and b of h and v so that those of h become perpendicular (Hestenes 1958).
 * Returns false if they are already. */
static bool make_perpendicular(double h[3][3], double v[3][3], int a, int b) {
    double aa = 0, bb = 0, ab = 0;
    for (int i = 0; i < 3; i++) {
        aa += h[i][a] * h[i][a];
        bb += h[i][b] * h[i][b];
        ab += h[i][a] * h[i][b];
    }
    if (!(ab * ab > 1e-24 * aa * bb))
        return false;
    const double half = (bb - aa) / (2 * ab);
    const double tangent = (half < 0 ? -1 : 1) / (fabs(half) + sqrt(1 + half * half));
    const double cosine = 1 / sqrt(1 + tangent * tangent), sine = cosine * tangent;
    for (int i = 0; i < 3; i++) {
        const double ha = h[i][a], va = v[i][a];
        h[i][a] = cosine * ha - sine * h[i][b];
        h[i][b] = sine * ha + cosine * h[i][b];
        v[i][a] = cosine * va - sine * v[i][b];
        v[i][b] = sine * va + cosine * v[i][b];
    }
    return true;
}

static double column_square(double h[3][3], int a) {
    return h[0][a] * h[0][a] + h[1][a] * h[1][a] + h[2][a] * h[2][a];
}

/* The columns with the two largest singular values decide; the third follows from right angles, so
 * that the result never mirrors. */
void lmi_nearest_turn(double h[3][3], double r[3][3]) {
    double v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, u[3][3], w[3][3];
    for (int round = 0; round < 12; round++) {
        bool turned = make_perpendicular(h, v, 0, 1);
        turned |= make_perpendicular(h, v, 0, 2);
        if (!(make_perpendicular(h, v, 1, 2) || turned))
            break;
    }
    double sizes[3] = {column_square(h, 0), column_square(h, 1), column_square(h, 2)};
    const int least =
        sizes[0] < sizes[1] ? (sizes[0] < sizes[2] ? 0 : 2) : (sizes[1] < sizes[2] ? 1 : 2);
    const int columns[2] = {(least + 1) % 3, (least + 2) % 3};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 3; i++) {
            const double size = sqrt(sizes[columns[k]]);
            u[k][i] = size > 0 ? h[i][columns[k]] / size : 0;
            w[k][i] = v[i][columns[k]];
        }
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        u[2][i] = u[0][j] * u[1][k] - u[0][k] * u[1][j];
        w[2][i] = w[0][j] * w[1][k] - w[0][k] * w[1][j];
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            r[i][j] = u[0][i] * w[0][j] + u[1][i] * w[1][j] + u[2][i] * w[2][j];
}

/* By Cayley's transform: a rotation for any length, without sines. */
void lmi_turn_by(double m[3][4], const double w[3]) {
    const double x = w[0] / 2, y = w[1] / 2, z = w[2] / 2, n = 1 + x * x + y * y + z * z;
    const double r[3][3] = {
        {(1 + x * x - y * y - z * z) / n, 2 * (x * y - z) / n, 2 * (x * z + y) / n},
        {2 * (x * y + z) / n, (1 - x * x + y * y - z * z) / n, 2 * (y * z - x) / n},
        {2 * (x * z - y) / n, 2 * (y * z + x) / n, (1 - x * x - y * y + z * z) / n}};
    for (int d = 0; d < 3; d++) {
        const double column[3] = {m[0][d], m[1][d], m[2][d]};
        for (int c = 0; c < 3; c++)
            m[c][d] = r[c][0] * column[0] + r[c][1] * column[1] + r[c][2] * column[2];
    }
}

/* The largest component is computed first, to avoid division by nearly 0. */
void lmi_turn_to_quaternion(double r[3][3], double q[4]) {
    const double trace = r[0][0] + r[1][1] + r[2][2];
    int i = r[1][1] > r[0][0] ? 1 : 0;
    i = r[2][2] > r[i][i] ? 2 : i;
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    if (trace > r[i][i]) {
        q[3] = 1 + trace;
        q[0] = r[2][1] - r[1][2];
        q[1] = r[0][2] - r[2][0];
        q[2] = r[1][0] - r[0][1];
    } else {
        q[i] = 1 + r[i][i] - r[j][j] - r[k][k];
        q[j] = r[j][i] + r[i][j];
        q[k] = r[k][i] + r[i][k];
        q[3] = r[k][j] - r[j][k];
    }
    const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int n = 0; n < 4; n++)
        q[n] /= length;
}

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

lm_joint_pose lmi_joint_between(const lm_skeleton *skeleton, uint32_t joint, const lm_pose *pose) {
    const lm_joint_pose *a = &skeleton->poses[(size_t)pose->frame_a * skeleton->num_joints + joint];
    const lm_joint_pose *b = &skeleton->poses[(size_t)pose->frame_b * skeleton->num_joints + joint];
    const float t = pose->t;
    lm_joint_pose out = {{0},
                         {mix(a->translation.x, b->translation.x, t),
                          mix(a->translation.y, b->translation.y, t),
                          mix(a->translation.z, b->translation.z, t)}};
    if (!lmi_is_between(pose))
        return t < 1 ? *a : *b;
    slerp(a->rotation, b->rotation, (double)t, out.rotation);
    return out;
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

void lmi_place_joints(const lm_skeleton *s, const lm_pose *pose, lm_placed *out) {
    for (uint32_t j = 0; j < s->num_joints; j++) {
        const lm_joint_pose local = lmi_joint_between(s, j, pose);
        const double t[3] = {(double)local.translation.x, (double)local.translation.y,
                             (double)local.translation.z};
        const double x = (double)local.rotation[0], y = (double)local.rotation[1],
                     z = (double)local.rotation[2], w = (double)local.rotation[3];
        const double own[3][3] = {
            {1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
            {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
            {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
        const lm_placed *up = j > 0 ? &out[s->joints[j].parent] : NULL;
        for (int i = 0; i < 3; i++) {
            out[j].m[i][3] = up ? up->m[i][3] : t[i];
            for (int d = 0; d < 3; d++) {
                out[j].m[i][d] = up ? 0 : own[i][d];
                out[j].m[i][3] += up ? up->m[i][d] * t[d] : 0;
                for (int e = 0; e < 3 && up; e++)
                    out[j].m[i][d] += up->m[i][e] * own[e][d];
            }
        }
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

uint32_t lmi_joint_of_tag(const lm_skeleton *skeleton, const lm_vec3 *origins, const lm_pose *poses,
                          uint32_t count) {
    lm_placed joints[LM_MAX_SKELETON_BONES];
    lm_wide sums[LM_MAX_SKELETON_BONES] = {{0, 0, 0}};
    double squares[LM_MAX_SKELETON_BONES] = {0}, best = INFINITY;
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++) {
        lmi_place_joints(skeleton, &poses[i], joints);
        for (uint32_t j = 0; j < skeleton->num_joints; j++) {
            const lm_wide away =
                lmi_wide_sum(lmi_wide_of(origins[i]), lmi_place_of(&joints[j]), -1);
            const lm_wide at = lmi_wide_of(lmi_turn_back(&joints[j], away));
            sums[j] = lmi_wide_sum(sums[j], at, 1);
            squares[j] += lmi_wide_dot(at, at);
        }
    }
    for (uint32_t j = 0; j < skeleton->num_joints; j++) {
        const double spread = squares[j] - lmi_wide_dot(sums[j], sums[j]) / count;
        if (spread < best) {
            best = spread;
            found = j;
        }
    }
    return found;
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
    lm_placed joints[LM_MAX_SKELETON_BONES];
    lmi_move_joints(skeleton, pose, joints);
    lmi_move_surface(skeleton, surface, pose, joints, positions, normals);
}

bool lmi_skeleton_fits(const lm_skeleton *skeleton, const lm_model *model) {
    bool fits = skeleton->num_frames == model->num_frames &&
                skeleton->num_surfaces == model->num_surfaces && skeleton->num_joints > 0;
    for (uint32_t i = 0; fits && i < model->num_surfaces; i++)
        fits = skeleton->surfaces[i].num_vertices == model->surfaces[i].num_file_vertices;
    return fits;
}
