#include "bake.h"

#include <math.h>
#include <string.h>

struct lm_im_local {
    float translation[3], rotation[4], scale[3];
    bool moved; /* by the animation, which then replaces the node's matrix */
};

void lmi_im_multiply(const lm_im_matrix *a, const lm_im_matrix *b, lm_im_matrix *out) {
    for (int c = 0; c < 4; c++)
        for (int r = 0; r < 4; r++) {
            double sum = 0;
            for (int k = 0; k < 4; k++)
                sum += a->m[4 * k + r] * b->m[4 * c + k];
            out->m[4 * c + r] = sum;
        }
}

double lmi_im_determinant(const double *m) {
    return m[0] * (m[5] * m[10] - m[6] * m[9]) - m[4] * (m[1] * m[10] - m[2] * m[9]) +
           m[8] * (m[1] * m[6] - m[2] * m[5]);
}

/* Composes translation, rotation and scale. The quaternion need not have length 1. */
static void compose(const lm_im_local *local, lm_im_matrix *out) {
    double x = (double)local->rotation[0], y = (double)local->rotation[1];
    double z = (double)local->rotation[2], w = (double)local->rotation[3];
    const double length = sqrt(x * x + y * y + z * z + w * w);
    if (length > 0) {
        x /= length;
        y /= length;
        z /= length;
        w /= length;
    } else {
        w = 1;
    }
    const double turn[9] = {
        1 - 2 * (y * y + z * z), 2 * (x * y + z * w),     2 * (x * z - y * w),
        2 * (x * y - z * w),     1 - 2 * (x * x + z * z), 2 * (y * z + x * w),
        2 * (x * z + y * w),     2 * (y * z - x * w),     1 - 2 * (x * x + y * y)};
    for (int c = 0; c < 3; c++) {
        for (int r = 0; r < 3; r++)
            out->m[4 * c + r] = turn[3 * c + r] * (double)local->scale[c];
        out->m[4 * c + 3] = 0;
        out->m[12 + c] = (double)local->translation[c];
    }
    out->m[15] = 1;
}

/* ---- Keys ------------------------------------------------------------------------------------ */

/* Returns the last key at or before `time`; 0 if there is none. */
static uint32_t find_key(const lm_im_channel *c, double time) {
    uint32_t low = 0, high = c->num_keys;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if ((double)c->times[middle] <= time)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void slerp(const float *a, const float *b, double t, float *out) {
    double cosine = 0, from = 1 - t, to = t;
    for (int i = 0; i < 4; i++)
        cosine += (double)a[i] * (double)b[i];
    const double sign = cosine < 0 ? -1 : 1;
    if (fabs(cosine) < 0.9999999) {
        const double angle = acos(fabs(cosine));
        from = sin((1 - t) * angle) / sin(angle);
        to = sin(t * angle) / sin(angle);
    }
    for (int i = 0; i < 4; i++)
        out[i] = (float)(from * (double)a[i] + sign * to * (double)b[i]);
}

/* Interpolates between two keys. Each has an in-tangent, a value and an out-tangent. */
static void sample_cubic(const lm_im_channel *c, uint32_t key, double t, double seconds,
                         float *out) {
    const float *a = c->values + (size_t)key * 3 * c->width;
    const float *b = a + (size_t)3 * c->width;
    const double t2 = t * t, t3 = t2 * t;
    for (uint32_t i = 0; i < c->width; i++)
        out[i] = (float)((2 * t3 - 3 * t2 + 1) * (double)a[c->width + i] +
                         seconds * (t3 - 2 * t2 + t) * (double)a[2 * (size_t)c->width + i] +
                         (-2 * t3 + 3 * t2) * (double)b[c->width + i] +
                         seconds * (t3 - t2) * (double)b[i]);
}

static void sample_channel(const lm_im_channel *c, double time, double early, float *out) {
    const bool cubic = c->interpolation == IM_CUBIC;
    const uint32_t key = find_key(c, c->interpolation == IM_STEP ? time + early : time);
    const double begin = (double)c->times[key];
    if (key + 1 == c->num_keys || time <= begin || c->interpolation == IM_STEP) {
        const size_t row = cubic ? (size_t)key * 3 + 1 : key;
        memcpy(out, c->values + row * c->width, c->width * sizeof *out);
        return;
    }
    const double seconds = (double)c->times[key + 1] - begin;
    const double t = (time - begin) / seconds;
    const float *a = c->values + (size_t)key * c->width, *b = a + c->width;
    if (cubic)
        sample_cubic(c, key, t, seconds, out);
    else if (c->path == IM_ROTATION)
        slerp(a, b, t, out);
    else
        for (uint32_t i = 0; i < c->width; i++)
            out[i] = (float)((1 - t) * (double)a[i] + t * (double)b[i]);
}

/* ---- Poses ----------------------------------------------------------------------------------- */

static bool rest_weights(importing *im, const lm_im_gltf *gltf, lm_im_pose *pose) {
    for (uint32_t i = 0; i < gltf->num_nodes; i++) {
        const lm_im_node *node = &gltf->nodes[i];
        const uint32_t count = node->mesh == IM_NONE ? 0 : gltf->num_targets[node->mesh];
        float *out = pose->rest_weights + pose->first_weight[i];
        if (count == 0)
            continue;
        if (node->weights) {
            for (uint32_t k = 0; k < count && k < node->num_weights; k++)
                out[k] = node->weights[k];
            continue;
        }
        const lm_im_ref mesh = gltf->meshes.refs[node->mesh];
        const lm_im_ref weights = lmi_im_member(mesh, "weights");
        if (weights &&
            !lmi_im_floats_of(im, mesh, lmi_im_location(im, "meshes[%u]", (unsigned)node->mesh),
                              "weights", count, out))
            return false;
    }
    return true;
}

bool lmi_im_pose_init(importing *im, const lm_im_gltf *gltf, lm_im_pose *pose) {
    uint64_t total = 0;
    *pose = (lm_im_pose){.gltf = gltf};
    pose->world = lmi_arena_zeros(&im->scratch, gltf->num_nodes, sizeof *pose->world);
    pose->local = lmi_arena_zeros(&im->scratch, gltf->num_nodes, sizeof *pose->local);
    pose->first_weight = lmi_arena_zeros(&im->scratch, gltf->num_nodes, sizeof *pose->first_weight);
    pose->whole = lmi_arena_zeros(&im->scratch, gltf->num_nodes, sizeof *pose->whole);
    pose->is_flat = lmi_arena_zeros(&im->scratch, gltf->num_nodes, sizeof *pose->is_flat);
    if (!pose->world || !pose->local || !pose->first_weight || !pose->whole || !pose->is_flat)
        return false;
    for (uint32_t i = 0; i < gltf->num_nodes; i++) {
        const uint32_t mesh = gltf->nodes[i].mesh;
        pose->first_weight[i] = (uint32_t)total;
        total += mesh == IM_NONE ? 0 : gltf->num_targets[mesh];
        if (total > INT32_MAX)
            return lmi_im_fail(im, LM_CODE_LIMIT, "nodes", "their meshes have too many targets");
    }
    pose->num_weights = (uint32_t)total;
    pose->weights = lmi_arena_zeros(&im->scratch, total, sizeof *pose->weights);
    pose->rest_weights = lmi_arena_zeros(&im->scratch, total, sizeof *pose->rest_weights);
    return pose->weights && pose->rest_weights && rest_weights(im, gltf, pose);
}

static lm_im_local rest_of(const lm_im_node *node) {
    lm_im_local local = {.moved = false};
    memcpy(local.translation, node->translation, sizeof local.translation);
    memcpy(local.rotation, node->rotation, sizeof local.rotation);
    memcpy(local.scale, node->scale, sizeof local.scale);
    return local;
}

static void local_matrix(const lm_im_node *node, const lm_im_local *local, lm_im_matrix *out) {
    compose(local, out);
    for (int k = 0; node->has_matrix && !local->moved && k < 16; k++)
        out->m[k] = (double)node->matrix[k];
}

void lmi_im_local_at(const lm_im_gltf *gltf, uint32_t node, const lm_im_animation *animation,
                     lm_im_matrix *out) {
    lm_im_local local = rest_of(&gltf->nodes[node]);
    float *const outs[] = {local.translation, local.rotation, local.scale};
    for (uint32_t i = 0; animation && i < animation->num_channels; i++) {
        const lm_im_channel *channel = &animation->channels[i];
        if (channel->path == IM_WEIGHTS)
            continue;
        local.moved = true;
        sample_channel(channel, (double)channel->times[0], 0, outs[channel->path]);
    }
    local_matrix(&gltf->nodes[node], &local, out);
}

/* Keeps the turn of a node that is scaled to 0. The nodes above it are known. */
static void unflatten(lm_im_pose *pose, uint32_t index) {
    const lm_im_node *node = &pose->gltf->nodes[index];
    const bool below = node->parent != IM_NONE && pose->is_flat[node->parent];
    lm_im_local local = pose->local[index];
    lm_im_matrix own;
    pose->is_flat[index] = below;
    for (int k = 0; k < 3; k++)
        if (local.scale[k] == 0) {
            local.scale[k] = 1;
            pose->is_flat[index] = true;
        }
    if (!pose->is_flat[index])
        return;
    local_matrix(node, &local, &own);
    if (node->parent == IM_NONE)
        pose->whole[index] = own;
    else
        lmi_im_multiply(below ? &pose->whole[node->parent] : &pose->world[node->parent], &own,
                        &pose->whole[index]);
}

void lmi_im_pose_at(lm_im_pose *pose, const lm_im_moment *moment) {
    const lm_im_animation *animation = moment->animation;
    const lm_im_gltf *gltf = pose->gltf;
    for (uint32_t i = 0; i < gltf->num_nodes; i++)
        pose->local[i] = rest_of(&gltf->nodes[i]);
    if (pose->num_weights > 0)
        memcpy(pose->weights, pose->rest_weights, pose->num_weights * sizeof *pose->weights);
    for (uint32_t i = 0; animation && i < animation->num_channels; i++) {
        const lm_im_channel *channel = &animation->channels[i];
        lm_im_local *local = &pose->local[channel->node];
        local->moved = local->moved || channel->path != IM_WEIGHTS;
        float *const outs[] = {local->translation, local->rotation, local->scale,
                               pose->weights + pose->first_weight[channel->node]};
        sample_channel(channel, moment->time, moment->early, outs[channel->path]);
    }
    for (uint32_t at = 0; at < gltf->num_nodes; at++) {
        const uint32_t i = gltf->order[at];
        const lm_im_node *node = &gltf->nodes[i];
        lm_im_matrix local;
        local_matrix(node, &pose->local[i], &local);
        if (node->parent == IM_NONE)
            pose->world[i] = local;
        else
            lmi_im_multiply(&pose->world[node->parent], &local, &pose->world[i]);
        unflatten(pose, i);
    }
}
