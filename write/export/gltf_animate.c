#include "clips/clip_names.h"
#include "export/gltf.h"

#include "core/bytes.h"

#include <math.h>
#include <string.h>

/* ---- Channels ----------------------------------------------------------------------------- */

uint32_t lmi_gltf_add_sampler(lm_gltf *g, uint32_t input, uint32_t output, bool step) {
    lmi_gltf_print(&g->samplers.json, NULL, "{'input':%u,%s'output':%u}", (unsigned)input,
                   step ? "'interpolation':'STEP'," : "", (unsigned)output); /* default: linear */
    return g->samplers.count++;
}

void lmi_gltf_add_channel(lm_gltf *g, uint32_t sampler, uint32_t node, const char *path) {
    lmi_gltf_print(&g->channels.json, NULL, "{'sampler':%u,'target':{'node':%u,'path':'%s'}}",
                   (unsigned)sampler, (unsigned)node, path);
    g->channels.count++;
}

/* Writes ascending times: of keys `first` .. `first + count - 1`, or of the first keys of
 * `segments`. */
static uint32_t add_all_times(lm_gltf *g, const lm_gltf_track *track,
                              const lm_gltf_segment *segments, uint32_t first, uint32_t count) {
    lm_accessor entry = lmi_gltf_keys(count, "SCALAR");
    uint8_t *out = lmi_gltf_reserve_elements(g, &entry, 4);
    for (uint32_t i = 0; out && i < count; i++) {
        const float time = lmi_gltf_key_time(track, segments ? segments[i].first_key : first + i);
        lmi_put_f32(out + 4 * (size_t)i, time);
        entry.min[0] = i == 0 ? time : entry.min[0];
        entry.max[0] = time;
    }
    entry.num_bounds = 1;
    return lmi_gltf_add_accessor(g, &entry);
}

uint32_t lmi_gltf_add_times(lm_gltf *g, const lm_gltf_track *track, uint32_t first,
                            uint32_t count) {
    const bool resampled = track->rate > 0;
    const float fps = resampled ? track->rate : track->clip.fps;
    const float *own = resampled ? NULL : track->clip.times;
    const float last = lmi_gltf_key_time(track, first + count - 1);
    const size_t num_kept = sizeof g->times / sizeof *g->times;
    for (size_t i = 0; i < num_kept; i++) {
        const lm_gltf_times *times = &g->times[i];
        if (times->first == first && times->count == count && times->fps == fps &&
            times->own == own && times->last == last)
            return times->accessor;
    }
    const uint32_t accessor = add_all_times(g, track, NULL, first, count);
    g->times[g->num_times++ % num_kept] = (lm_gltf_times){first, count, fps, last, own, accessor};
    return accessor;
}

/* An animation being written, and the track of one body in it. */
typedef struct lm_animation {
    lm_gltf *g;
    const lm_gltf_body *body;
    const lm_gltf_track *track;
    const lm_gltf_segment *segments;
    size_t num_segments;
} lm_animation;

/* ---- Weights ------------------------------------------------------------------------------- */

/* The weights of a segment: each key has two targets, one, or none for the base. In a compressed
 * file, each of these may have references. */
#define LM_MAX_WEIGHTS (2 * LM_MAX_LEVELS)
typedef struct target_weights {
    const lm_gltf_track *track;
    const lm_gltf_segment *segment;
    const uint32_t *poses;
    const uint8_t *of_pose, *references; /* from lm_gltf_targets */
    uint32_t num_targets;
} target_weights;

typedef struct target_weight {
    uint32_t element;
    float value;
} target_weight;

/* Adds weight to a target and to its reference, in the order of the targets. Returns the number of
 * elements. */
static unsigned add_weight(const target_weights *w, uint32_t first, unsigned target, float value,
                           target_weight *out, unsigned count) {
    for (; target != 0 && value > 0; target = w->references ? w->references[target - 1] : 0) {
        const uint32_t element = first + target - 1;
        unsigned at = count;
        while (at > 0 && out[at - 1].element >= element)
            at--;
        if (at < count && out[at].element == element) {
            out[at].value += value;
            continue;
        }
        memmove(out + at + 1, out + at, (count - at) * sizeof *out);
        out[at] = (target_weight){element, value};
        count++;
    }
    return count;
}

/* Finds the elements of a key that are not 0, in order. Returns their number. */
static unsigned key_weights(const target_weights *w, uint32_t key,
                            target_weight out[LM_MAX_WEIGHTS]) {
    lm_pose pose = lmi_gltf_key_pose(w->track, w->segment->first_key + key);
    uint8_t a = w->of_pose[w->poses[pose.frame_a]], b = w->of_pose[w->poses[pose.frame_b]];
    float share = a == b ? 0 : pose.t;
    const uint32_t first = key * w->num_targets;
    return add_weight(w, first, b, share, out, add_weight(w, first, a, 1 - share, out, 0));
}

static void put_weights(lm_gltf *g, const target_weights *w, lm_accessor *entry) {
    const unsigned size = entry->normalized ? 1 : 4;
    const unsigned index_size = entry->count > UINT16_MAX ? 4 : 2;
    uint8_t *indices = NULL, *out = NULL;
    if (entry->sparse)
        lmi_gltf_reserve_sparse(g, entry, index_size, size, &indices, &out);
    else
        out = lmi_gltf_reserve_elements(g, entry, size);
    for (uint32_t key = 0; out && key < w->segment->num_keys; key++) {
        target_weight weights[LM_MAX_WEIGHTS];
        unsigned count = key_weights(w, key, weights);
        for (unsigned i = 0; i < count; i++) {
            uint8_t *at = indices ? out++ : out + size * (size_t)weights[i].element;
            if (indices) {
                lmi_gltf_put_unsigned(indices, weights[i].element, index_size);
                indices += index_size;
            }
            if (entry->normalized)
                *at = (uint8_t)lrintf(weights[i].value * UINT8_MAX);
            else
                lmi_put_f32(at, weights[i].value);
        }
    }
}

static uint32_t add_weights(lm_gltf *g, const target_weights *w, bool quantized) {
    uint64_t count = (uint64_t)w->segment->num_keys * w->num_targets;
    if (count > UINT32_MAX) {
        lmi_gltf_too_large(g);
        return LM_NO_INDEX;
    }
    lm_accessor entry = lmi_gltf_keys(count, "SCALAR");
    entry.component = quantized ? LM_GLTF_UNSIGNED_BYTE : LM_GLTF_FLOAT;
    entry.normalized = quantized;
    target_weight weights[LM_MAX_WEIGHTS];
    uint32_t num_used = 0;
    for (uint32_t key = 0; quantized && key < w->segment->num_keys; key++)
        num_used += key_weights(w, key, weights);
    /* Files without quantisation use only features that every importer supports. Few support sparse
     * weights. */
    entry.sparse = num_used > 0 && !g->options->packer && (uint64_t)num_used * 5 < count;
    entry.num_sparse = entry.sparse ? num_used : 0;
    put_weights(g, w, &entry);
    return lmi_gltf_add_accessor(g, &entry);
}

/* Writes the weights of meshes with equal poses, which share a sampler. */
static void write_group_weights(const lm_animation *a, const lm_gltf_segment *segment,
                                uint32_t group) {
    const lm_gltf_plan *plan = &a->body->plan;
    const lm_gltf_targets targets =
        lmi_gltf_find_targets(plan, segment->bundle, group, a->body->of_pose);
    const target_weights w = {
        a->track,           segment,      lmi_gltf_poses(plan, group), targets.of_pose,
        targets.references, targets.count};
    if (w.num_targets == 0)
        return;
    const uint32_t input =
        lmi_gltf_add_times(a->g, a->track, segment->first_key, segment->num_keys);
    /* A byte holds the weights 0 and 1 exactly, but not those between. */
    const uint32_t output = add_weights(a->g, &w, a->body->quantized && a->track->rate == 0);
    const uint32_t sampler = lmi_gltf_add_sampler(a->g, input, output, false);
    for (uint32_t mesh = group; mesh < plan->num_meshes; mesh++)
        if (plan->groups[mesh] == group)
            lmi_gltf_add_channel(a->g, sampler, lmi_gltf_mesh_node(a->body, segment->bundle, mesh),
                                 "weights");
}

static bool write_weights(const lm_animation *a) {
    for (size_t i = 0; i < a->num_segments; i++)
        for (uint32_t group = 0; group < a->body->plan.num_meshes; group++)
            if (a->body->plan.groups[group] == group)
                write_group_weights(a, &a->segments[i], group);
    return lmi_gltf_continues(a->g);
}

/* ---- Bundles --------------------------------------------------------------------------------- */

/* Animates the scale of a bundle's node: 1 during its segments, 0 otherwise. */
static void write_bundle(const lm_animation *a, uint32_t bundle, uint32_t input) {
    lm_accessor entry = lmi_gltf_keys(a->num_segments, "VEC3");
    uint8_t *out = lmi_gltf_reserve_elements(a->g, &entry, 12);
    for (size_t i = 0; out && i < a->num_segments; i++) {
        float scale = a->segments[i].bundle == bundle ? 1 : 0;
        lmi_put_vec3(out + 12 * i, (lm_vec3){scale, scale, scale});
    }
    uint32_t sampler = lmi_gltf_add_sampler(a->g, input, lmi_gltf_add_accessor(a->g, &entry), true);
    lmi_gltf_add_channel(a->g, sampler, lmi_gltf_bundle_node(a->body, bundle), "scale");
}

/* Without animation, the first bundle is visible and the others are hidden. So only the bundles
 * that change are animated. A track's segments are in the order of their bundles. */
static bool write_bundles(const lm_animation *a) {
    const uint32_t count = (uint32_t)a->num_segments;
    if (a->body->plan.num_bundles == 1 || (count == 1 && a->segments[0].bundle == 0))
        return true;
    const uint32_t input = count == 1 ? lmi_gltf_add_times(a->g, a->track, 0, 1)
                                      : add_all_times(a->g, a->track, a->segments, 0, count);
    if (a->segments[0].bundle != 0)
        write_bundle(a, 0, input);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || a->segments[i].bundle != a->segments[i - 1].bundle)
            write_bundle(a, a->segments[i].bundle, input);
    return lmi_gltf_continues(a->g);
}

/* ---- Transforms of nodes --------------------------------------------------------------------- */

lm_pose lmi_gltf_model_pose(const lm_gltf_body *body, const lm_gltf_track *track, uint32_t key) {
    lm_pose pose = lmi_gltf_key_pose(track, key);
    pose.frame_a += body->job.first;
    pose.frame_b += body->job.first;
    return pose;
}

static const float *numbers_of(const lm_gltf_transform *transform, lm_gltf_path path) {
    return path == LM_PATH_ROTATION ? transform->rotation
           : path == LM_PATH_SCALE  ? &transform->scale.x
                                    : &transform->translation.x;
}

/* Returns whether all keys are equal, so that one is enough. */
static bool is_constant(const lm_gltf_transform *keys, uint32_t num_keys, lm_gltf_path path) {
    const size_t size = (path == LM_PATH_ROTATION ? 4 : 3) * sizeof(float);
    for (uint32_t key = 1; key < num_keys; key++)
        if (memcmp(numbers_of(&keys[0], path), numbers_of(&keys[key], path), size) != 0)
            return false;
    return true;
}

void lmi_gltf_add_path(lm_gltf *g, const lm_gltf_track *track, const lm_gltf_transform *keys,
                       uint32_t node, lm_gltf_path path, unsigned flags) {
    static const char *const names[] = {"translation", "rotation", "scale"};
    const bool small = flags & LM_KEYS_SMALL;
    const bool single = (flags & LM_KEYS_MERGED) && is_constant(keys, track->num_keys, path);
    const uint32_t num_keys = single ? 1 : track->num_keys;
    const unsigned count = path == LM_PATH_ROTATION ? 4 : 3;
    lm_accessor entry = lmi_gltf_keys(num_keys, count == 4 ? "VEC4" : "VEC3");
    float before[4] = {0};
    entry.component = small ? LM_GLTF_SHORT : LM_GLTF_FLOAT;
    entry.normalized = small;
    const uint32_t input = lmi_gltf_add_times(g, track, 0, num_keys);
    uint8_t *out = lmi_gltf_reserve_elements(g, &entry, (size_t)count * (small ? 2 : 4));
    for (uint32_t key = 0; out && key < num_keys; key++) {
        /* q and -q are the same rotation: the one nearer to the previous key gives the shorter
         * way. */
        const float *numbers = numbers_of(&keys[key], path);
        float dot = 0;
        for (unsigned i = 0; i < count && path == LM_PATH_ROTATION; i++)
            dot += before[i] * numbers[i];
        for (unsigned i = 0; i < count; i++, out += small ? 2 : 4) {
            before[i] = dot < 0 ? -numbers[i] : numbers[i];
            if (small)
                lmi_put_u16(out, (uint16_t)(int16_t)lrintf(before[i] * INT16_MAX));
            else
                lmi_put_f32(out, before[i]);
        }
    }
    const uint32_t output = lmi_gltf_add_accessor(g, &entry);
    lmi_gltf_add_channel(g, lmi_gltf_add_sampler(g, input, output, false), node, names[path]);
}

/* Returns whether a model at a tag is hidden during an animation. */
static bool hides(const lm_gltf_body *body, uint32_t animation, uint32_t tag) {
    const lm_gltf *g = body->g;
    for (uint32_t i = 1; i < g->scene->num_parts && g->num_hidden > 0; i++) {
        const lm_scene_part *part = &g->scene->parts[i];
        if (g->bodies[i].tracks[animation].clip.hidden && &g->bodies[part->parent] == body &&
            part->tag && lm_model_find_tag(body->job.model, part->tag) == tag)
            return true;
    }
    return false;
}

/* Writes a tag; its scale is 0 if it is hidden. */
static bool write_tag(const lm_animation *a, uint32_t tag, bool hidden, lm_gltf_transform *keys) {
    const uint32_t node = lmi_gltf_tag_node(a->body, tag);
    const lm_tag_use use = (lm_tag_use)a->body->tag_uses[tag];
    for (uint32_t key = 0; key < a->track->num_keys; key++)
        if (!lmi_gltf_transform_tag(a->body, tag, lmi_gltf_model_pose(a->body, a->track, key),
                                    &keys[key]))
            return false;
    for (uint32_t key = 0; hidden && key < a->track->num_keys; key++)
        keys[key].scale = (lm_vec3){0, 0, 0};
    if (use != LM_TAG_STILL) {
        lmi_gltf_add_path(a->g, a->track, keys, node, LM_PATH_TRANSLATION, 0);
        lmi_gltf_add_path(a->g, a->track, keys, node, LM_PATH_ROTATION, 0);
    }
    if (use == LM_TAG_SCALES)
        lmi_gltf_add_path(a->g, a->track, keys, node, LM_PATH_SCALE, 0);
    return lmi_gltf_continues(a->g);
}

/* ---- Animations ---------------------------------------------------------------------------- */

static bool write_body(const lm_gltf_body *body, uint32_t animation) {
    const lm_gltf_track *track = &body->tracks[animation];
    if (track->num_keys == 0)
        return true;
    const lm_animation a = {body->g, body, track, body->plan.segments + track->first_segment,
                            track->num_segments};
    lm_arena scratch = {.heap = &body->g->heap};
    lm_gltf_transform *keys = lmi_arena_alloc(&scratch, track->num_keys, sizeof *keys);
    bool ok = keys && write_bundles(&a) && write_weights(&a) &&
              lmi_gltf_animate_joints(body, track, keys) &&
              lmi_gltf_animate_correctives(body, track);
    for (uint32_t tag = 0; ok && tag < body->job.model->num_tags; tag++) {
        ok = body->tag_uses[tag] == LM_TAG_STILL || body->tag_uses[tag] == LM_TAG_JOINT ||
             write_tag(&a, tag, hides(body, animation, tag), keys);
    }
    lmi_arena_free(&scratch);
    return ok;
}

/* Returns an animation's name, with the options' suffix if a model loops in it; NULL if memory ran
 * out. */
static const char *suffixed(lm_gltf *g, uint32_t animation) {
    const char *name = g->track_names[animation][0] ? g->track_names[animation] : "clip";
    bool loops = false;
    for (uint32_t i = 0; i < g->scene->num_parts; i++) {
        const lm_gltf_track *track = &g->bodies[i].tracks[animation];
        loops = loops || (track->num_keys > 0 && track->clip.loop_frames > 0 &&
                          strcmp(track->clip.name, g->track_names[animation]) == 0);
    }
    return loops && g->options->loop_suffix
               ? lmi_arena_printf(&g->arena, "%s%s", name, g->options->loop_suffix)
               : name;
}

/* Writes the clip of an animation, which the keys of one frame, or of several models, do not tell.
 */
static void write_clip(const lm_gltf *g, uint32_t animation, lm_json *json) {
    const lm_gltf_track *first = NULL;
    double seconds = 0;
    for (uint32_t i = 0; i < g->scene->num_parts; i++) {
        const lm_gltf_track *track = &g->bodies[i].tracks[animation];
        if (track->num_keys == 0 || strcmp(track->clip.name, g->track_names[animation]) != 0)
            continue;
        first = first ? first : track;
        seconds = fmax(seconds, lm_clip_duration(&track->clip, LM_PLAY_AS_CLIP));
    }
    if (!first)
        return;
    const bool loops = first->clip.loop_frames > 0;
    const float fps = first->rate > 0 ? first->rate : first->clip.fps;
    const int64_t count = (int64_t)lmi_frames_at(seconds, loops, (double)fps);
    lmi_json_open(json, "extras", '{');
    lmi_json_float(json, "fps", fps);
    lmi_json_integer(json, "count", count);
    lmi_json_integer(json, "loop", loops ? count : 0);
    lmi_json_close(json);
}

static bool write_animation(lm_gltf *g, uint32_t animation) {
    lmi_gltf_start_list(&g->samplers);
    lmi_gltf_start_list(&g->channels);
    for (uint32_t i = 0; i < g->scene->num_parts; i++)
        if (!write_body(&g->bodies[i], animation))
            return false;
    if (g->samplers.count == 0) /* nothing moves, and glTF forbids empty animations */
        return true;
    const char *wanted = suffixed(g, animation);
    const char *name = wanted ? lmi_gltf_name(&g->clip_names, wanted) : NULL;
    if (!name)
        return false;
    if (lmi_gltf_round_trips(g) && g->bodies[0].tracks[animation].num_keys > 0)
        g->written_names[g->bodies[0].tracks[animation].number] = name;
    lm_json *json = &g->animations.json;
    lmi_json_open(json, NULL, '{');
    lmi_json_string(json, "name", name);
    lmi_gltf_write_list(json, "samplers", &g->samplers);
    lmi_gltf_write_list(json, "channels", &g->channels);
    if (!lmi_gltf_round_trips(g))
        write_clip(g, animation, json);
    lmi_json_close(json);
    g->animations.count++;
    return !g->samplers.text.failed && !g->channels.text.failed;
}

bool lmi_gltf_write_animations(lm_gltf *g) {
    for (uint32_t i = 0; i < g->num_tracks; i++)
        if (!write_animation(g, i))
            return false;
    return true;
}
