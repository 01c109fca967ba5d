#include "export/gltf.h"

#include "math/vectors.h"

/* Tolerance for axes to count as a rotation, because files round them. */
#define LM_ROUNDED 1e-3

/* Returns the quaternion (x, y, z, w) of a rotation whose columns are `axis`. Computes the largest
 * of the four components first, to avoid division by nearly 0. */
static void quaternion_of(const lm_wide axis[3], float out[4]) {
    const double m[3][3] = {{axis[0].x, axis[1].x, axis[2].x},
                            {axis[0].y, axis[1].y, axis[2].y},
                            {axis[0].z, axis[1].z, axis[2].z}};
    double q[4], trace = m[0][0] + m[1][1] + m[2][2];
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
        out[n] = (float)(q[n] / length);
}

/* ---- Axes that are no rotation ----------------------------------------------------------------
 *
 * A column of length 0 becomes a scale of 0; lm_sample_tag returns no lengths other than 0 and 1.
 * Mirrored axes get a negative scale for the model's left. Axes that are not perpendicular become
 * the nearest rotation. The rest, a shear, is lost. */

/* Returns a vector perpendicular to the other two columns; its length is their area. */
static lm_wide side_of(const lm_wide axis[3], unsigned column) {
    return lm_wide_cross(axis[(column + 1) % 3], axis[(column + 2) % 3]);
}

static double volume_of(const lm_wide axis[3]) {
    return lm_wide_dot(axis[0], side_of(axis, 0));
}

static bool is_rotation(const lm_wide axis[3]) {
    for (unsigned i = 0; i < 3; i++)
        if (fabs(lm_wide_dot(axis[i], axis[i]) - 1) > LM_ROUNDED ||
            fabs(lm_wide_dot(axis[i], axis[(i + 1) % 3])) > LM_ROUNDED)
            return false;
    return volume_of(axis) > 0;
}

static void set_identity(lm_wide axis[3]) {
    for (unsigned i = 0; i < 3; i++)
        axis[i] = (lm_wide){i == 0, i == 1, i == 2};
}

/* Finds the rotation nearest to a matrix, by Newton's iteration for the polar decomposition (Higham
 * 1986): the mean of the matrix and its inverse transpose. Returns false if the matrix is
 * singular. */
static bool nearest_rotation(lm_wide axis[3]) {
    for (unsigned round = 0; round < 32; round++) {
        const lm_wide sides[] = {side_of(axis, 0), side_of(axis, 1), side_of(axis, 2)};
        const double volume = lm_wide_dot(axis[0], sides[0]);
        if (fabs(volume) < 1e-6)
            return false;
        for (unsigned i = 0; i < 3; i++)
            axis[i] = (lm_wide){(axis[i].x + sides[i].x / volume) / 2,
                                (axis[i].y + sides[i].y / volume) / 2,
                                (axis[i].z + sides[i].z / volume) / 2};
    }
    return true;
}

/* Splits axes into a rotation, which stays in `axis`, and a scale. `left` is the column of the
 * model's left. Returns true if the axes were sheared. */
static bool split_scale(lm_wide axis[3], unsigned left, float scale[3]) {
    /* Make a column without length perpendicular to the others, and set its scale to 0. */
    unsigned num_flat = 0, flat = 0;
    for (unsigned i = 0; i < 3; i++) {
        scale[i] = lm_wide_dot(axis[i], axis[i]) > 0;
        if (scale[i] > 0)
            continue;
        flat = i;
        num_flat++;
    }
    if (num_flat == 1)
        axis[flat] = side_of(axis, flat);
    else if (num_flat > 1)
        set_identity(axis);
    if (volume_of(axis) < 0) {
        scale[left] = -scale[left];
        axis[left] = (lm_wide){-axis[left].x, -axis[left].y, -axis[left].z};
    }
    if (is_rotation(axis))
        return false;
    if (!nearest_rotation(axis))
        set_identity(axis);
    return true;
}

/* ---- Tags ----------------------------------------------------------------------------------- */

/* Finds the transform of a tag relative to the model. */
static bool place_tag(const lm_gltf_body *body, uint32_t tag, lm_pose pose,
                      lm_gltf_transform *out) {
    const lm_export *job = &body->job;
    lm_transform transform;
    lm_code code = lm_sample_tag(job->model, tag, &pose, &transform);
    if (code != LM_CODE_OK)
        return lm_call_fail(job->call, code, "tag %u cannot be sampled", (unsigned)tag);
    out->translation = lm_export_point(job, transform.origin);
    /* The attached model has the target's axes too: its x is the model's y, and so on. */
    const unsigned turned = job->axes == LM_AXES_GLTF;
    lm_wide axis[3];
    for (unsigned i = 0; i < 3; i++)
        axis[i] = lm_wide_of(lm_export_axes(job, transform.axis[(i + turned) % 3]));
    float scale[3] = {1, 1, 1};
    out->sheared = !is_rotation(axis) && split_scale(axis, 1 - turned, scale);
    quaternion_of(axis, out->rotation);
    out->scale = (lm_vec3){scale[0], scale[1], scale[2]};
    return (lm_is_finite(out->translation) && lm_is_finite(out->scale)) ||
           lm_call_fail(job->call, LM_CODE_NOT_FINITE,
                        "a scale of %g is too large: tags become infinite", (double)job->scale);
}

bool lm_gltf_transform_tag(const lm_gltf_body *body, uint32_t tag, lm_pose pose,
                           lm_gltf_transform *out) {
    if (!place_tag(body, tag, pose, out))
        return false;
    if (body->skeleton)
        lm_gltf_hang_tag(body, tag, pose, out);
    return true;
}

static bool same_transform(const lm_gltf_transform *a, const lm_gltf_transform *b) {
    for (unsigned i = 0; i < 4; i++)
        if (a->rotation[i] != b->rotation[i])
            return false;
    return lm_same_vec3(a->translation, b->translation) && lm_same_vec3(a->scale, b->scale);
}

bool lm_gltf_inspect_tags(lm_gltf_body *body) {
    const bool is_blend = body->job.still && body->job.pose.t > 0;
    for (uint32_t tag = 0; tag < body->job.model->num_tags; tag++) {
        lm_gltf_transform first = {0}, transform = {0};
        bool moves = false, scales = false, sheared = false;
        for (uint32_t frame = 0; frame < body->job.count; frame++) {
            if (!lm_gltf_transform_tag(body, tag, lm_export_pose(&body->job, frame), &transform))
                return false;
            first = frame == 0 ? transform : first;
            moves |= !same_transform(&first, &transform);
            scales |= lm_gltf_is_scaled(&transform);
            sheared |=
                transform.sheared && !is_blend; /* blending slightly bends the axes of any tag */
        }
        body->tag_uses[tag] = !moves ? LM_TAG_STILL : scales ? LM_TAG_SCALES : LM_TAG_MOVES;
        body->g->num_sheared += sheared;
    }
    return true;
}
