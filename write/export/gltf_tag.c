#include "export/gltf.h"

#include "core/report.h"

#include <math.h>
#include <string.h>

/* How far axes may be from a rotation and still be taken for one: files round them. */
#define LM_ROUNDED 1e-3

/* The quaternion (x, y, z, w) of a rotation whose columns are `axis`: the largest of the four is
 * computed first, so that nothing is divided by nearly 0. */
static void quaternion_of(const double m[3][3], double q[4]) {
    double trace = m[0][0] + m[1][1] + m[2][2];
    unsigned i = m[1][1] > m[0][0] ? 1 : 0;
    i = m[2][2] > m[i][i] ? 2 : i;
    unsigned j = (i + 1) % 3, k = (i + 2) % 3;
    if (trace > m[i][i]) {
        q[3] = 1 + trace;
        q[0] = m[2][1] - m[1][2];
        q[1] = m[0][2] - m[2][0];
        q[2] = m[1][0] - m[0][1];
    } else {
        q[i] = 1 + m[i][i] - m[j][j] - m[k][k];
        q[j] = m[j][i] + m[i][j];
        q[k] = m[k][i] + m[i][k];
        q[3] = m[k][j] - m[j][k];
    }
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (unsigned n = 0; n < 4; n++)
        q[n] /= length;
}

/* ---- Axes that are no rotation ----------------------------------------------------------------
 *
 * A column of length 0 becomes a scale of 0 (lm_sample_tag leaves no other length but 1), and
 * mirrored axes get a negative scale for the model's left. What is left of directions that are not
 * at right angles is the nearest rotation; the rest, a shear, is lost. */

static double dot(const double m[3][3], unsigned i, unsigned j) {
    return m[0][i] * m[0][j] + m[1][i] * m[1][j] + m[2][i] * m[2][j];
}

static double cofactor(const double m[3][3], unsigned row, unsigned column) {
    unsigned r = (row + 1) % 3, s = (row + 2) % 3, c = (column + 1) % 3, d = (column + 2) % 3;
    return m[r][c] * m[s][d] - m[r][d] * m[s][c];
}

static double determinant(const double m[3][3]) {
    return m[0][0] * cofactor(m, 0, 0) + m[0][1] * cofactor(m, 0, 1) + m[0][2] * cofactor(m, 0, 2);
}

static bool is_rotation(const double m[3][3]) {
    for (unsigned i = 0; i < 3; i++)
        if (fabs(dot(m, i, i) - 1) > LM_ROUNDED || fabs(dot(m, i, (i + 1) % 3)) > LM_ROUNDED)
            return false;
    return determinant(m) > 0;
}

static void set_identity(double m[3][3]) {
    for (unsigned i = 0; i < 3; i++)
        for (unsigned j = 0; j < 3; j++)
            m[i][j] = i == j;
}

/* A column that has no length is put at right angles to the others. */
static void fill_flat(double m[3][3], double scale[3]) {
    unsigned num_flat = 0, flat = 0;
    for (unsigned i = 0; i < 3; i++) {
        scale[i] = dot((const double(*)[3])m, i, i) > 0;
        if (scale[i] > 0)
            continue;
        flat = i;
        num_flat++;
    }
    if (num_flat == 1) {
        double normal[3];
        for (unsigned row = 0; row < 3; row++)
            normal[row] = cofactor((const double(*)[3])m, row, flat);
        for (unsigned row = 0; row < 3; row++)
            m[row][flat] = normal[row];
    } else if (num_flat > 1) {
        set_identity(m);
    }
}

/* The rotation nearest to a matrix, by Newton's iteration for the polar decomposition (Higham
 * 1986): the mean of it and its inverse transpose. False if it is flat. */
static bool nearest_rotation(double m[3][3]) {
    for (unsigned round = 0; round < 32; round++) {
        double inverse[3][3], factor = determinant((const double(*)[3])m);
        if (fabs(factor) < 1e-6)
            return false;
        for (unsigned i = 0; i < 3; i++)
            for (unsigned j = 0; j < 3; j++)
                inverse[i][j] = cofactor((const double(*)[3])m, i, j) / factor;
        for (unsigned i = 0; i < 3; i++)
            for (unsigned j = 0; j < 3; j++)
                m[i][j] = (m[i][j] + inverse[i][j]) / 2;
    }
    return true;
}

/* Leaves a rotation in `m`. `left` is the column of the model's left axis. */
static void take_apart(double m[3][3], unsigned left, double scale[3], bool *sheared) {
    fill_flat(m, scale);
    if (determinant((const double(*)[3])m) < 0) {
        scale[left] = -scale[left];
        for (unsigned row = 0; row < 3; row++)
            m[row][left] = -m[row][left];
    }
    *sheared = !is_rotation((const double(*)[3])m);
    if (*sheared && !nearest_rotation(m))
        set_identity(m);
}

/* ---- Tags ----------------------------------------------------------------------------------- */

static void place_axes(const double axes[3][3], unsigned left, lm_gltf_place *out) {
    double m[3][3], q[4], scale[3] = {1, 1, 1};
    memcpy(m, axes, sizeof m);
    out->sheared = false;
    if (!is_rotation(axes))
        take_apart(m, left, scale, &out->sheared);
    quaternion_of((const double(*)[3])m, q);
    for (unsigned i = 0; i < 4; i++)
        out->rotation[i] = (float)q[i];
    out->scale = (lm_vec3){(float)scale[0], (float)scale[1], (float)scale[2]};
}

bool lm_gltf_place_tag(const lm_gltf_body *body, uint32_t tag, lm_pose pose, lm_gltf_place *out) {
    const lm_export *job = &body->job;
    lm_transform place;
    lm_code code = lm_sample_tag(job->model, tag, &pose, &place);
    if (code != LM_CODE_OK)
        return lm_fail_plain(body->g->error, code, "tag %u cannot be sampled", (unsigned)tag);
    lm_vec3 origin = lm_export_axes(job, place.origin);
    float scale = job->scale;
    out->translation = (lm_vec3){origin.x * scale, origin.y * scale, origin.z * scale};
    /* The model attached is in the target's axes too: its x is the model's y, and so on. */
    bool turned = job->axes == LM_AXES_GLTF;
    double m[3][3];
    for (unsigned i = 0; i < 3; i++) {
        lm_vec3 column = lm_export_axes(job, place.axis[turned ? (i + 1) % 3 : i]);
        m[0][i] = (double)column.x;
        m[1][i] = (double)column.y;
        m[2][i] = (double)column.z;
    }
    place_axes((const double(*)[3])m, turned ? 0 : 1, out);
    if (lm_is_finite(out->translation) && lm_is_finite(out->scale))
        return true;
    return lm_fail_plain(body->g->error, LM_CODE_NOT_FINITE,
                         "a scale of %g is too large: tags become infinite", (double)scale);
}

static bool is_scaled(const lm_gltf_place *place) {
    return place->scale.x != 1 || place->scale.y != 1 || place->scale.z != 1;
}

static bool same_vec3(lm_vec3 a, lm_vec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool same_place(const lm_gltf_place *a, const lm_gltf_place *b) {
    for (unsigned i = 0; i < 4; i++)
        if (a->rotation[i] != b->rotation[i])
            return false;
    return same_vec3(a->translation, b->translation) && same_vec3(a->scale, b->scale);
}

static bool look_at_tag(lm_gltf_body *body, uint32_t tag) {
    lm_gltf_place first = {0}, place = {0};
    bool moves = false, scales = false, sheared = false;
    for (uint32_t frame = 0; frame < body->job.count; frame++) {
        if (!lm_gltf_place_tag(body, tag, lm_export_pose(&body->job, frame), &place))
            return false;
        first = frame == 0 ? place : first;
        moves |= !same_place(&first, &place);
        scales |= is_scaled(&place);
        /* Mixing two frames bends the axes of any tag a little. */
        sheared |= place.sheared && !(body->job.still && body->job.pose.t > 0);
    }
    body->tag_uses[tag] = !moves ? LM_TAG_STILL : scales ? LM_TAG_SCALES : LM_TAG_MOVES;
    body->g->num_sheared += sheared;
    return true;
}

bool lm_gltf_look_at_tags(lm_gltf_body *body) {
    for (uint32_t tag = 0; tag < body->job.model->num_tags; tag++)
        if (!look_at_tag(body, tag))
            return false;
    return true;
}
