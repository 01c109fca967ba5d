#include "export/gltf.h"

#include "core/bytes.h"
#include "core/report.h"

#include <math.h>
#include <string.h>

/* ---- Tags -------------------------------------------------------------------------------------
 */

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

static lm_vec3 cross(lm_vec3 a, lm_vec3 b) {
    return (lm_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* Of length 1; `otherwise` where there is no direction. */
static lm_vec3 unit(lm_vec3 v, lm_vec3 otherwise) {
    double length = sqrt((double)v.x * v.x + (double)v.y * v.y + (double)v.z * v.z);
    if (!(length > 1e-6))
        return otherwise;
    return (lm_vec3){(float)(v.x / length), (float)(v.y / length), (float)(v.z / length)};
}

/* The rotation in a tag's axes, which a file may store neither square nor right-handed: forward
 * stays, left follows as far as it can. Returns whether the axes mirror, upside down. */
static bool rotation_of_axes(lm_vec3 axis[3]) {
    lm_vec3 forward = unit(axis[0], (lm_vec3){1, 0, 0});
    lm_vec3 side = fabsf(forward.y) < 0.9f ? (lm_vec3){0, 1, 0} : (lm_vec3){-1, 0, 0};
    lm_vec3 up = unit(cross(forward, unit(axis[1], side)), unit(cross(forward, side), side));
    lm_vec3 stored = unit(axis[2], up);
    axis[0] = forward;
    axis[1] = cross(up, forward);
    axis[2] = up;
    return up.x * stored.x + up.y * stored.y + up.z * stored.z < 0;
}

bool lm_gltf_tag(lm_gltf *g, uint32_t tag, uint32_t frame, lm_vec3 *translation, float rotation[4],
                 bool *mirrored) {
    lm_tag_pose pose;
    lm_code code = lm_sample_tag(g->job.model, tag, lm_export_pose(&g->job, frame), &pose);
    if (code != LM_CODE_OK)
        return lm_fail_plain(g->error, code, "tag %u cannot be sampled", (unsigned)tag);
    lm_vec3 origin = lm_export_axes(&g->job, pose.origin);
    float scale = g->job.scale;
    *translation = (lm_vec3){origin.x * scale, origin.y * scale, origin.z * scale};
    if (!isfinite(translation->x) || !isfinite(translation->y) || !isfinite(translation->z))
        return lm_fail_plain(g->error, LM_CODE_NOT_FINITE, "a scale of %g makes tags infinite",
                             (double)scale);
    /* The model attached is in the target's axes too: its x is the model's y, and so on. */
    bool turned = g->job.axes == LM_AXES_GLTF;
    *mirrored = rotation_of_axes(pose.axis);
    double m[3][3], q[4];
    for (unsigned i = 0; i < 3; i++) {
        lm_vec3 column = lm_export_axes(&g->job, pose.axis[turned ? (i + 1) % 3 : i]);
        m[0][i] = (double)column.x;
        m[1][i] = (double)column.y;
        m[2][i] = (double)column.z;
    }
    quaternion_of(m, q);
    for (unsigned i = 0; i < 4; i++)
        rotation[i] = (float)q[i];
    return true;
}

bool lm_gltf_find_moving_tags(lm_gltf *g) {
    for (uint32_t tag = 0; tag < g->job.model->num_tags; tag++) {
        lm_vec3 first, translation;
        float first_rotation[4], rotation[4];
        bool mirrored;
        if (!lm_gltf_tag(g, tag, 0, &first, first_rotation, &mirrored))
            return false;
        g->tags_move[tag] = false;
        for (uint32_t frame = 1; frame < g->job.count && !g->tags_move[tag]; frame++) {
            if (!lm_gltf_tag(g, tag, frame, &translation, rotation, &mirrored))
                return false;
            g->tags_move[tag] = memcmp(&first, &translation, sizeof first) != 0 ||
                                memcmp(first_rotation, rotation, sizeof rotation) != 0;
        }
    }
    return true;
}

/* ---- Samplers and channels --------------------------------------------------------------------
 */

/* One animation on its way into the file. */
typedef struct lm_animation {
    const lm_clip *clip;
    uint32_t num_keys;
    const lm_gltf_segment *segments;
    size_t num_segments;
    lm_json samplers, channels;
    uint32_t num_samplers;
} lm_animation;

static uint32_t add_sampler(lm_animation *a, uint32_t input, uint32_t output, bool step) {
    lm_json_open(&a->samplers, NULL, '{');
    lm_json_integer(&a->samplers, "input", input);
    if (step) /* linear is what nothing means */
        lm_json_string(&a->samplers, "interpolation", "STEP");
    lm_json_integer(&a->samplers, "output", output);
    lm_json_close(&a->samplers);
    return a->num_samplers++;
}

static void add_channel(lm_animation *a, uint32_t sampler, uint32_t node, const char *path) {
    lm_json_open(&a->channels, NULL, '{');
    lm_json_integer(&a->channels, "sampler", sampler);
    lm_json_open(&a->channels, "target", '{');
    lm_json_integer(&a->channels, "node", node);
    lm_json_string(&a->channels, "path", path);
    lm_json_close(&a->channels);
    lm_json_close(&a->channels);
}

static float key_time(const lm_clip *clip, uint32_t key) {
    return (float)((double)key / (double)clip->fps);
}

/* Times of keys `first` .. `first + count - 1`; clips of one length and rate share them. */
static bool add_times(lm_gltf *g, const lm_clip *clip, uint32_t first, uint32_t count,
                      uint32_t *accessor) {
    const size_t num_kept = sizeof g->times / sizeof *g->times;
    for (size_t i = 0; i < num_kept; i++) {
        const lm_gltf_times *times = &g->times[i];
        if (times->first == first && times->count == count && times->fps == clip->fps) {
            *accessor = times->accessor;
            return true;
        }
    }
    lm_accessor entry = {.stream = LM_STREAM_KEYS,
                         .component = LM_GLTF_FLOAT,
                         .count = count,
                         .type = "SCALAR",
                         .num_bounds = 1};
    uint8_t *out = lm_gltf_reserve(g, LM_STREAM_KEYS, (uint64_t)count * 4, &entry.offset);
    if (!out)
        return false;
    for (uint32_t i = 0; i < count; i++)
        lm_put_f32(out + 4 * (size_t)i, key_time(clip, first + i));
    entry.min[0] = key_time(clip, first);
    entry.max[0] = key_time(clip, first + count - 1);
    *accessor = lm_gltf_add_accessor(g, &entry);
    g->times[g->num_times++ % num_kept] = (lm_gltf_times){first, count, clip->fps, *accessor};
    return true;
}

/* ---- Weights ----------------------------------------------------------------------------------
 */

/* The weights of one segment: in each key one target, or none for the base. */
typedef struct lm_weights {
    const lm_clip *clip;
    const lm_gltf_segment *segment;
    const uint32_t *poses;
    const uint8_t *slots;
    uint32_t num_targets;
} lm_weights;

/* The element that is 1 in a key; false if none is. */
static bool used_element(const lm_weights *w, uint32_t key, uint32_t *element) {
    uint32_t frame = lm_gltf_key_frame(w->clip, w->segment->first_key + key);
    uint8_t slot = w->slots[w->poses[frame]];
    *element = key * w->num_targets + slot - 1;
    return slot != 0;
}

static bool put_weights(lm_gltf *g, const lm_weights *w, lm_accessor *entry) {
    unsigned size = g->quantized ? 1 : 4;
    entry->stream = LM_STREAM_KEYS;
    uint8_t *out =
        lm_gltf_reserve(g, LM_STREAM_KEYS, (uint64_t)entry->count * size, &entry->offset);
    uint32_t element;
    for (uint32_t key = 0; out && key < w->segment->num_keys; key++) {
        if (!used_element(w, key, &element))
            continue;
        if (g->quantized)
            out[element] = UINT8_MAX;
        else
            lm_put_f32(out + 4 * (size_t)element, 1);
    }
    return out;
}

static bool put_sparse_weights(lm_gltf *g, const lm_weights *w, lm_accessor *entry) {
    bool wide = entry->count > UINT16_MAX;
    unsigned size = wide ? 4 : 2;
    entry->sparse_component = wide ? LM_GLTF_UNSIGNED_INT : LM_GLTF_UNSIGNED_SHORT;
    uint8_t *out = lm_gltf_reserve(g, LM_STREAM_SPARSE, (uint64_t)entry->num_sparse * size,
                                   &entry->sparse_indices);
    uint32_t element;
    for (uint32_t key = 0; out && key < w->segment->num_keys; key++) {
        if (!used_element(w, key, &element))
            continue;
        if (wide)
            lm_put_u32(out, element);
        else
            lm_put_u16(out, (uint16_t)element);
        out += size;
    }
    if (out)
        out = lm_gltf_reserve(g, LM_STREAM_SPARSE, entry->num_sparse, &entry->sparse_values);
    if (out)
        memset(out, UINT8_MAX, entry->num_sparse);
    return out;
}

static bool add_weights(lm_gltf *g, const lm_weights *w, uint32_t *accessor) {
    uint64_t count = (uint64_t)w->segment->num_keys * w->num_targets;
    if (count > UINT32_MAX) {
        g->out_of_room = true;
        return false;
    }
    lm_accessor entry = {.component = g->quantized ? LM_GLTF_UNSIGNED_BYTE : LM_GLTF_FLOAT,
                         .normalized = g->quantized,
                         .count = (uint32_t)count,
                         .type = "SCALAR"};
    uint32_t element;
    for (uint32_t key = 0; key < w->segment->num_keys; key++)
        entry.num_sparse += used_element(w, key, &element);
    /* Plain files keep to what every importer reads, and few of them read sparse weights. */
    entry.sparse = g->quantized && entry.num_sparse > 0 && (uint64_t)entry.num_sparse * 5 < count;
    entry.num_sparse = entry.sparse ? entry.num_sparse : 0;
    if (entry.sparse ? !put_sparse_weights(g, w, &entry) : !put_weights(g, w, &entry))
        return false;
    *accessor = lm_gltf_add_accessor(g, &entry);
    return true;
}

/* Meshes whose poses are the same frames share a sampler. */
static bool write_group_weights(lm_gltf *g, lm_animation *a, const lm_gltf_segment *segment,
                                uint32_t group) {
    const lm_gltf_plan *plan = &g->plan;
    uint32_t frames[LM_MAX_TARGETS], input, output;
    lm_weights w = {.clip = a->clip, .segment = segment, .slots = g->slots};
    w.num_targets = lm_gltf_slots(plan, segment->part, group, g->slots, frames);
    w.poses = plan->poses + (size_t)group * plan->num_frames;
    if (w.num_targets == 0)
        return true;
    if (!add_times(g, a->clip, segment->first_key, segment->num_keys, &input) ||
        !add_weights(g, &w, &output))
        return false;
    uint32_t sampler = add_sampler(a, input, output, false);
    for (uint32_t mesh = group; mesh < plan->num_meshes; mesh++)
        if (plan->groups[mesh] == group)
            add_channel(a, sampler, lm_gltf_mesh_node(g, segment->part, mesh), "weights");
    return true;
}

static bool write_weights(lm_gltf *g, lm_animation *a) {
    for (size_t i = 0; i < a->num_segments; i++)
        for (uint32_t group = 0; group < g->plan.num_meshes; group++)
            if (g->plan.groups[group] == group &&
                !write_group_weights(g, a, &a->segments[i], group))
                return false;
    return true;
}

/* ---- Parts ------------------------------------------------------------------------------------
 */

static bool add_part_times(lm_gltf *g, const lm_animation *a, uint32_t *accessor) {
    if (a->num_segments == 1)
        return add_times(g, a->clip, 0, 1, accessor);
    lm_accessor entry = {.stream = LM_STREAM_KEYS,
                         .component = LM_GLTF_FLOAT,
                         .count = (uint32_t)a->num_segments,
                         .type = "SCALAR",
                         .num_bounds = 1};
    uint8_t *out = lm_gltf_reserve(g, LM_STREAM_KEYS, 4 * (uint64_t)entry.count, &entry.offset);
    if (!out)
        return false;
    for (size_t i = 0; i < a->num_segments; i++)
        lm_put_f32(out + 4 * i, key_time(a->clip, a->segments[i].first_key));
    entry.min[0] = key_time(a->clip, a->segments[0].first_key);
    entry.max[0] = key_time(a->clip, a->segments[a->num_segments - 1].first_key);
    *accessor = lm_gltf_add_accessor(g, &entry);
    return true;
}

/* Shows a part by the scale of its node while one of its segments runs, and hides it otherwise. */
static bool write_part(lm_gltf *g, lm_animation *a, uint32_t part, uint32_t input) {
    lm_accessor entry = {.stream = LM_STREAM_KEYS,
                         .component = LM_GLTF_FLOAT,
                         .count = (uint32_t)a->num_segments,
                         .type = "VEC3"};
    uint8_t *out = lm_gltf_reserve(g, LM_STREAM_KEYS, 12 * (uint64_t)entry.count, &entry.offset);
    if (!out)
        return false;
    for (size_t i = 0; i < a->num_segments; i++) {
        float scale = a->segments[i].part == part ? 1 : 0;
        lm_put_vec3(out + 12 * i, (lm_vec3){scale, scale, scale});
    }
    uint32_t sampler = add_sampler(a, input, lm_gltf_add_accessor(g, &entry), true);
    add_channel(a, sampler, lm_gltf_part_node(g, part), "scale");
    return true;
}

static bool write_parts(lm_gltf *g, lm_animation *a) {
    uint32_t input;
    if (g->plan.num_parts == 1)
        return true;
    if (!add_part_times(g, a, &input))
        return false;
    for (uint32_t part = 0; part < g->plan.num_parts; part++)
        if (!write_part(g, a, part, input))
            return false;
    return true;
}

/* ---- Tags of a clip ---------------------------------------------------------------------------
 */

/* q and -q are the same rotation; the one nearer to the key before makes the turn the short way. */
static void take_short_way(const float before[4], float q[4]) {
    float dot = before[0] * q[0] + before[1] * q[1] + before[2] * q[2] + before[3] * q[3];
    for (unsigned i = 0; i < 4 && dot < 0; i++)
        q[i] = -q[i];
}

static bool put_tag_keys(lm_gltf *g, const lm_animation *a, uint32_t tag, uint8_t *translations,
                         uint8_t *rotations) {
    float before[4] = {0, 0, 0, 0}, rotation[4];
    lm_vec3 translation;
    bool mirrored; /* as the node has it: the animation of a tag that changes sides would be odd */
    for (uint32_t key = 0; key < a->num_keys; key++) {
        if (!lm_gltf_tag(g, tag, lm_gltf_key_frame(a->clip, key), &translation, rotation,
                         &mirrored))
            return false;
        take_short_way(before, rotation);
        memcpy(before, rotation, sizeof before);
        lm_put_vec3(translations + 12 * (size_t)key, translation);
        for (unsigned i = 0; i < 4; i++)
            lm_put_f32(rotations + 16 * (size_t)key + 4 * i, rotation[i]);
    }
    return true;
}

static bool write_tag(lm_gltf *g, lm_animation *a, uint32_t tag) {
    uint32_t input;
    lm_accessor moves = {
        .stream = LM_STREAM_KEYS, .component = LM_GLTF_FLOAT, .count = a->num_keys, .type = "VEC3"};
    if (!add_times(g, a->clip, 0, a->num_keys, &input))
        return false;
    uint64_t move_size = 12 * (uint64_t)a->num_keys, turn_size = 16 * (uint64_t)a->num_keys;
    uint8_t *out = lm_gltf_reserve(g, LM_STREAM_KEYS, move_size + turn_size, &moves.offset);
    if (!out || !put_tag_keys(g, a, tag, out, out + move_size))
        return false;
    lm_accessor turns = moves;
    turns.type = "VEC4";
    turns.offset += (size_t)move_size;
    uint32_t sampler = add_sampler(a, input, lm_gltf_add_accessor(g, &moves), false);
    add_channel(a, sampler, lm_gltf_tag_node(g, tag), "translation");
    sampler = add_sampler(a, input, lm_gltf_add_accessor(g, &turns), false);
    add_channel(a, sampler, lm_gltf_tag_node(g, tag), "rotation");
    return true;
}

static bool write_tags(lm_gltf *g, lm_animation *a) {
    for (uint32_t tag = 0; tag < g->job.model->num_tags; tag++)
        if (g->tags_move[tag] && !write_tag(g, a, tag))
            return false;
    return true;
}

/* ---- Clips ------------------------------------------------------------------------------------
 */

static bool write_clip(lm_gltf *g, lm_animation *a) {
    lm_json_open(&a->samplers, NULL, '[');
    lm_json_open(&a->channels, NULL, '[');
    if (!write_parts(g, a) || !write_weights(g, a) || !write_tags(g, a))
        return false;
    lm_json_close(&a->samplers);
    lm_json_close(&a->channels);
    if (a->num_samplers == 0) /* nothing moves at all, and glTF has no empty animations */
        return true;
    const char *name = lm_names_add(&g->clip_names, a->clip->name[0] ? a->clip->name : "clip");
    if (!name)
        return false;
    lm_json_open(&g->animations, NULL, '{');
    lm_json_string(&g->animations, "name", name);
    lm_json_raw(&g->animations, "samplers", a->samplers.out->data, a->samplers.out->size);
    lm_json_raw(&g->animations, "channels", a->channels.out->data, a->channels.out->size);
    lm_json_close(&g->animations);
    g->num_animations++;
    return !a->samplers.out->failed && !a->channels.out->failed;
}

bool lm_gltf_write_animations(lm_gltf *g) {
    const lm_gltf_plan *plan = &g->plan;
    for (uint32_t i = 0; i < plan->num_clips; i++) {
        g->sampler_text.size = g->channel_text.size = 0;
        lm_animation a = {.clip = &plan->clips[i],
                          .num_keys = lm_gltf_num_keys(&plan->clips[i]),
                          .segments = plan->all_segments + plan->segments[i],
                          .num_segments = plan->segments[i + 1] - plan->segments[i],
                          .samplers = {.out = &g->sampler_text},
                          .channels = {.out = &g->channel_text}};
        if (!write_clip(g, &a))
            return false;
    }
    return true;
}
