#include "export/gltf.h"

#include "core/bytes.h"
#include "core/report.h"

#include <math.h>
#include <string.h>

/* ---- Samplers and channels --------------------------------------------------------------------
 */

/* One animation on its way into the file. */
typedef struct lm_animation {
    const lm_gltf_track *track; /* of the body at hand */
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

/* Times of keys `first` .. `first + count - 1`; tracks of one length and rate share them. */
static bool add_times(lm_gltf *g, const lm_gltf_track *track, uint32_t first, uint32_t count,
                      uint32_t *accessor) {
    float fps = track->clip.fps, last = lm_gltf_key_time(track, first + count - 1);
    const size_t num_kept = sizeof g->times / sizeof *g->times;
    for (size_t i = 0; i < num_kept; i++) {
        const lm_gltf_times *times = &g->times[i];
        if (times->first == first && times->count == count && times->fps == fps &&
            times->own == track->clip.times && times->last == last) {
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
        lm_put_f32(out + 4 * (size_t)i, lm_gltf_key_time(track, first + i));
    entry.min[0] = lm_gltf_key_time(track, first);
    entry.max[0] = last;
    *accessor = lm_gltf_add_accessor(g, &entry);
    g->times[g->num_times++ % num_kept] =
        (lm_gltf_times){first, count, fps, last, track->clip.times, *accessor};
    return true;
}

/* ---- Weights ----------------------------------------------------------------------------------
 */

/* The weights of one segment: in each key one target, or two, or none for the base. */
typedef struct lm_weights {
    const lm_gltf_track *track;
    const lm_gltf_segment *segment;
    const uint32_t *poses;
    const uint8_t *slots;
    uint32_t num_targets;
} lm_weights;

typedef struct lm_weight {
    uint32_t element;
    float value;
} lm_weight;

/* The elements of a key that are not 0, in order; returns how many. */
static unsigned key_weights(const lm_weights *w, uint32_t key, lm_weight out[2]) {
    lm_pose pose = lm_gltf_key_pose(w->track, w->segment->first_key + key);
    uint8_t a = w->slots[w->poses[pose.frame_a]], b = w->slots[w->poses[pose.frame_b]];
    float share = a == b ? 0 : pose.t;
    unsigned count = 0;
    if (a != 0 && share < 1)
        out[count++] = (lm_weight){key * w->num_targets + a - 1, 1 - share};
    if (b != 0 && share > 0)
        out[count++] = (lm_weight){key * w->num_targets + b - 1, share};
    if (count == 2 && out[0].element > out[1].element) {
        lm_weight first = out[0];
        out[0] = out[1];
        out[1] = first;
    }
    return count;
}

static uint8_t weight_byte(float value) {
    return (uint8_t)lrintf(value * UINT8_MAX);
}

static bool put_weights(lm_gltf *g, const lm_weights *w, lm_accessor *entry) {
    unsigned size = g->body->quantized ? 1 : 4;
    entry->stream = LM_STREAM_KEYS;
    uint8_t *out =
        lm_gltf_reserve(g, LM_STREAM_KEYS, (uint64_t)entry->count * size, &entry->offset);
    for (uint32_t key = 0; out && key < w->segment->num_keys; key++) {
        lm_weight weights[2];
        unsigned count = key_weights(w, key, weights);
        for (unsigned i = 0; i < count; i++) {
            if (g->body->quantized)
                out[weights[i].element] = weight_byte(weights[i].value);
            else
                lm_put_f32(out + 4 * (size_t)weights[i].element, weights[i].value);
        }
    }
    return out;
}

static bool put_sparse_weights(lm_gltf *g, const lm_weights *w, lm_accessor *entry) {
    bool wide = entry->count > UINT16_MAX;
    unsigned size = wide ? 4 : 2;
    entry->sparse_component = wide ? LM_GLTF_UNSIGNED_INT : LM_GLTF_UNSIGNED_SHORT;
    /* Both at once, because the stream moves when it grows. */
    size_t indices_size = ((size_t)entry->num_sparse * size + 3) & ~(size_t)3;
    uint8_t *out = lm_gltf_reserve(g, LM_STREAM_SPARSE, (uint64_t)indices_size + entry->num_sparse,
                                   &entry->sparse_indices);
    uint8_t *values = out ? out + indices_size : NULL;
    entry->sparse_values = entry->sparse_indices + indices_size;
    for (uint32_t key = 0; out && key < w->segment->num_keys; key++) {
        lm_weight weights[2];
        unsigned count = key_weights(w, key, weights);
        for (unsigned i = 0; i < count; i++) {
            if (wide)
                lm_put_u32(out, weights[i].element);
            else
                lm_put_u16(out, (uint16_t)weights[i].element);
            out += size;
            *values++ = weight_byte(weights[i].value);
        }
    }
    return out;
}

static bool add_weights(lm_gltf *g, const lm_weights *w, uint32_t *accessor) {
    uint64_t count = (uint64_t)w->segment->num_keys * w->num_targets;
    if (count > UINT32_MAX) {
        g->out_of_room = true;
        return false;
    }
    lm_accessor entry = {.component = g->body->quantized ? LM_GLTF_UNSIGNED_BYTE : LM_GLTF_FLOAT,
                         .normalized = g->body->quantized,
                         .count = (uint32_t)count,
                         .type = "SCALAR"};
    lm_weight weights[2];
    for (uint32_t key = 0; key < w->segment->num_keys; key++)
        entry.num_sparse += key_weights(w, key, weights);
    /* Plain files keep to what every importer reads, and few of them read sparse weights. */
    entry.sparse =
        g->body->quantized && entry.num_sparse > 0 && (uint64_t)entry.num_sparse * 5 < count;
    entry.num_sparse = entry.sparse ? entry.num_sparse : 0;
    if (entry.sparse ? !put_sparse_weights(g, w, &entry) : !put_weights(g, w, &entry))
        return false;
    *accessor = lm_gltf_add_accessor(g, &entry);
    return true;
}

/* Meshes whose poses are the same frames share a sampler. */
static bool write_group_weights(lm_gltf *g, lm_animation *a, const lm_gltf_segment *segment,
                                uint32_t group) {
    const lm_gltf_plan *plan = &g->body->plan;
    uint32_t frames[LM_MAX_TARGETS], input, output;
    lm_weights w = {.track = a->track, .segment = segment, .slots = g->body->slots};
    w.num_targets = lm_gltf_slots(plan, segment->part, group, g->body->slots, frames);
    w.poses = plan->poses + (size_t)group * plan->num_frames;
    if (w.num_targets == 0)
        return true;
    if (!add_times(g, a->track, segment->first_key, segment->num_keys, &input) ||
        !add_weights(g, &w, &output))
        return false;
    uint32_t sampler = add_sampler(a, input, output, false);
    for (uint32_t mesh = group; mesh < plan->num_meshes; mesh++)
        if (plan->groups[mesh] == group)
            add_channel(a, sampler, lm_gltf_mesh_node(g->body, segment->part, mesh), "weights");
    return true;
}

static bool write_weights(lm_gltf *g, lm_animation *a) {
    for (size_t i = 0; i < a->num_segments; i++)
        for (uint32_t group = 0; group < g->body->plan.num_meshes; group++)
            if (g->body->plan.groups[group] == group &&
                !write_group_weights(g, a, &a->segments[i], group))
                return false;
    return true;
}

/* ---- Parts ------------------------------------------------------------------------------------
 */

static bool add_part_times(lm_gltf *g, const lm_animation *a, uint32_t *accessor) {
    if (a->num_segments == 1)
        return add_times(g, a->track, 0, 1, accessor);
    lm_accessor entry = {.stream = LM_STREAM_KEYS,
                         .component = LM_GLTF_FLOAT,
                         .count = (uint32_t)a->num_segments,
                         .type = "SCALAR",
                         .num_bounds = 1};
    uint8_t *out = lm_gltf_reserve(g, LM_STREAM_KEYS, 4 * (uint64_t)entry.count, &entry.offset);
    if (!out)
        return false;
    for (size_t i = 0; i < a->num_segments; i++)
        lm_put_f32(out + 4 * i, lm_gltf_key_time(a->track, a->segments[i].first_key));
    entry.min[0] = lm_gltf_key_time(a->track, a->segments[0].first_key);
    entry.max[0] = lm_gltf_key_time(a->track, a->segments[a->num_segments - 1].first_key);
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
    add_channel(a, sampler, lm_gltf_part_node(g->body, part), "scale");
    return true;
}

static bool write_parts(lm_gltf *g, lm_animation *a) {
    uint32_t input;
    if (g->body->plan.num_parts == 1)
        return true;
    if (!add_part_times(g, a, &input))
        return false;
    for (uint32_t part = 0; part < g->body->plan.num_parts; part++)
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

/* Where the keys of a tag go. */
typedef struct lm_tag_keys {
    uint8_t *translations, *rotations, *scales; /* scales may be NULL */
} lm_tag_keys;

static bool put_tag_keys(lm_gltf *g, const lm_animation *a, uint32_t tag, lm_tag_keys out) {
    float before[4] = {0, 0, 0, 0};
    uint32_t first = g->body->job.first;
    for (uint32_t key = 0; key < a->track->num_keys; key++) {
        lm_gltf_place place;
        lm_pose pose = lm_gltf_key_pose(a->track, key);
        pose.frame_a += first;
        pose.frame_b += first;
        if (!lm_gltf_place_tag(g, tag, pose, &place))
            return false;
        take_short_way(before, place.rotation);
        memcpy(before, place.rotation, sizeof before);
        lm_put_vec3(out.translations + 12 * (size_t)key, place.translation);
        for (unsigned i = 0; i < 4; i++)
            lm_put_f32(out.rotations + 16 * (size_t)key + 4 * i, place.rotation[i]);
        if (out.scales)
            lm_put_vec3(out.scales + 12 * (size_t)key, place.scale);
    }
    return true;
}

static void add_tag_channel(lm_gltf *g, lm_animation *a, uint32_t input, const lm_accessor *values,
                            uint32_t tag, const char *path) {
    uint32_t sampler = add_sampler(a, input, lm_gltf_add_accessor(g, values), false);
    add_channel(a, sampler, lm_gltf_tag_node(g->body, tag), path);
}

static bool write_tag(lm_gltf *g, lm_animation *a, uint32_t tag) {
    uint32_t input, num_keys = a->track->num_keys;
    bool scales = g->body->tag_uses[tag] == LM_TAG_SCALES;
    lm_accessor moves = {
        .stream = LM_STREAM_KEYS, .component = LM_GLTF_FLOAT, .count = num_keys, .type = "VEC3"};
    if (!add_times(g, a->track, 0, num_keys, &input))
        return false;
    size_t move_size = 12 * (size_t)num_keys, turn_size = 16 * (size_t)num_keys;
    size_t size = move_size + turn_size + (scales ? move_size : 0);
    uint8_t *out = lm_gltf_reserve(g, LM_STREAM_KEYS, size, &moves.offset);
    if (!out)
        return false;
    lm_tag_keys keys = {out, out + move_size, scales ? out + move_size + turn_size : NULL};
    if (!put_tag_keys(g, a, tag, keys))
        return false;
    lm_accessor turns = moves, sizes = moves;
    turns.type = "VEC4";
    turns.offset += move_size;
    sizes.offset += move_size + turn_size;
    add_tag_channel(g, a, input, &moves, tag, "translation");
    add_tag_channel(g, a, input, &turns, tag, "rotation");
    if (scales)
        add_tag_channel(g, a, input, &sizes, tag, "scale");
    return true;
}

static bool write_tags(lm_gltf *g, lm_animation *a) {
    for (uint32_t tag = 0; tag < g->body->job.model->num_tags; tag++)
        if (g->body->tag_uses[tag] != LM_TAG_STILL && !write_tag(g, a, tag))
            return false;
    return true;
}

/* ---- Animations -------------------------------------------------------------------------------
 */

static bool write_body(lm_gltf *g, lm_animation *a, uint32_t animation) {
    const lm_gltf_plan *plan = &g->body->plan;
    a->track = &g->body->tracks[animation];
    a->segments = plan->all_segments + plan->segments[animation];
    a->num_segments = plan->segments[animation + 1] - plan->segments[animation];
    return a->track->num_keys == 0 ||
           (write_parts(g, a) && write_weights(g, a) && write_tags(g, a));
}

static bool write_animation(lm_gltf *g, lm_animation *a, uint32_t animation) {
    lm_json_open(&a->samplers, NULL, '[');
    lm_json_open(&a->channels, NULL, '[');
    for (uint32_t i = 0; i < g->scene->num_parts; i++) {
        g->body = &g->bodies[i];
        if (!write_body(g, a, animation))
            return false;
    }
    lm_json_close(&a->samplers);
    lm_json_close(&a->channels);
    if (a->num_samplers == 0) /* nothing moves at all, and glTF has no empty animations */
        return true;
    const char *wanted = g->track_names[animation];
    const char *name = lm_names_add(&g->clip_names, wanted[0] ? wanted : "clip");
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
    lm_buffer *samplers = &g->texts[LM_TEXT_SAMPLERS], *channels = &g->texts[LM_TEXT_CHANNELS];
    for (uint32_t i = 0; i < g->num_tracks; i++) {
        samplers->size = channels->size = 0;
        lm_animation a = {.samplers = {.out = samplers}, .channels = {.out = channels}};
        if (!write_animation(g, &a, i))
            return false;
    }
    return true;
}
