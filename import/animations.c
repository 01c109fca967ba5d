/* Reads the file's animations. Judges them: their frame rates, which become clips, and how they
 * end. */
#include "bake.h"
#include "core/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Keys count as evenly spaced if they deviate by at most this fraction of their distance. */
#define EVEN 0.01

/* ---- Reading --------------------------------------------------------------------------------- */

/* A sampler. Each is read once, even if several channels share it. */
typedef struct lm_im_sampler {
    lm_im_interpolation interpolation;
    uint32_t num_keys, num_values, width;
    const float *times, *values;
    lm_im_numbers *shared; /* of the times */
} lm_im_sampler;

static bool check_times(importing *im, const lm_im_gltf *gltf, uint32_t accessor) {
    lm_im_numbers *numbers = &gltf->numbers[accessor];
    const float *times = numbers->floats;
    for (uint32_t i = 1; i < gltf->accessors[accessor].count && !numbers->increase; i++)
        if (times[i] <= times[i - 1])
            return lmi_im_fail(im, LM_CODE_BAD_GLTF,
                               lmi_im_location(im, "accessors[%u]", (unsigned)accessor),
                               "the times of keys do not increase: key %u is at %g, the next at %g",
                               (unsigned)i - 1, (double)times[i - 1], (double)times[i]);
    return numbers->increase = true;
}

static bool read_sampler(importing *im, const lm_im_gltf *gltf, const char *location, lm_im_ref ref,
                         lm_im_sampler *out) {
    const lm_im_ref kind = lmi_im_member(ref, "interpolation");
    uint32_t input, output;
    if (!lmi_im_index_of(im, ref, location, "input", gltf->num_accessors, IM_NONE, &input) ||
        !lmi_im_index_of(im, ref, location, "output", gltf->num_accessors, IM_NONE, &output))
        return false;
    if (input == IM_NONE || output == IM_NONE || gltf->accessors[input].width != 1 ||
        gltf->accessors[input].count == 0)
        return lmi_im_fail(im, LM_CODE_BAD_GLTF, location, "it has no keys");
    out->interpolation = lmi_im_is_string(kind, "STEP")          ? IM_STEP
                         : lmi_im_is_string(kind, "CUBICSPLINE") ? IM_CUBIC
                                                                 : IM_LINEAR;
    out->num_keys = gltf->accessors[input].count;
    out->num_values = gltf->accessors[output].count;
    out->width = gltf->accessors[output].width;
    out->times = lmi_im_shared_floats(im, gltf, input);
    out->shared = &gltf->numbers[input];
    out->values =
        out->times && check_times(im, gltf, input) ? lmi_im_shared_floats(im, gltf, output) : NULL;
    return out->values != NULL;
}

static bool find_path(lm_im_ref target, lm_im_path *path) {
    static const char *const names[] = {"translation", "rotation", "scale", "weights"};
    for (unsigned i = 0; i < 4; i++)
        if (lmi_im_is_string(lmi_im_member(target, "path"), names[i])) {
            *path = (lm_im_path)i;
            return true;
        }
    return false;
}

typedef struct reading {
    importing *im;
    const lm_im_gltf *gltf;
    unsigned index; /* of the animation */
    uint32_t num_samplers;
    lm_im_sampler *samplers;
    lm_im_list refs;
} reading;

static lm_im_sampler *need_sampler(const reading *r, uint32_t index) {
    char location[48];
    lm_im_sampler *sampler = &r->samplers[index];
    snprintf(location, sizeof location, "animations[%u].samplers[%u]", r->index, (unsigned)index);
    return sampler->values || read_sampler(r->im, r->gltf, location, r->refs.refs[index], sampler)
               ? sampler
               : NULL;
}

/* Appends a channel, or reports it as skipped. */
static bool read_channel(const reading *r, unsigned index, lm_im_ref ref,
                         lm_im_animation *animation, lm_im_channel *out) {
    importing *im = r->im;
    const lm_im_gltf *gltf = r->gltf;
    const lm_im_ref target = lmi_im_member(ref, "target");
    char location[48];
    uint32_t sampler;
    snprintf(location, sizeof location, "animations[%u].channels[%u]", r->index, index);
    if (!lmi_im_index_of(im, ref, location, "sampler", r->num_samplers, IM_NONE, &sampler) ||
        !lmi_im_index_of(im, target, location, "node", gltf->num_nodes, IM_NONE, &out->node))
        return false;
    if (sampler == IM_NONE)
        return lmi_im_fail(im, LM_CODE_BAD_GLTF, location, "it has no sampler");
    if (out->node == IM_NONE || !find_path(target, &out->path)) {
        lmi_im_note(im, IM_CHANNEL, "an animation channel without a node is skipped");
        return true;
    }
    lm_im_sampler *s = need_sampler(r, sampler);
    if (!s)
        return false;
    const uint32_t mesh = gltf->nodes[out->node].mesh;
    const uint32_t targets = mesh == IM_NONE ? 0 : gltf->num_targets[mesh];
    out->width = out->path == IM_WEIGHTS ? targets : out->path == IM_ROTATION ? 4 : 3;
    if (out->width == 0)
        return true;
    const uint64_t keys = (uint64_t)s->num_keys * (s->interpolation == IM_CUBIC ? 3 : 1);
    if (s->width != (out->path == IM_WEIGHTS ? 1 : out->width) ||
        s->num_values != (out->path == IM_WEIGHTS ? keys * targets : keys))
        return lmi_im_fail(im, LM_CODE_BAD_GLTF, location,
                           "%u keys do not match an output of %u elements with %u numbers each",
                           (unsigned)s->num_keys, (unsigned)s->num_values, (unsigned)s->width);
    out->interpolation = s->interpolation;
    out->num_keys = s->num_keys;
    out->times = s->times;
    out->values = s->values;
    out->shares_times = s->shared->used == r->index + 1;
    s->shared->used = r->index + 1;
    animation->num_channels++;
    return true;
}

/* Reads the clip that the extras of an animation describe, unless another program changed its keys.
 */
static void read_clip(lm_im_ref extras, lm_im_animation *animation) {
    uint64_t count, loop;
    double fps, last = 0;
    if (!lmi_im_integer(lmi_im_member(extras, "count"), &count) || count == 0 ||
        count > LM_MAX_IMPORT_FRAMES || !lmi_im_number(lmi_im_member(extras, "fps"), &fps) ||
        !(fps >= IM_SLOWEST_FPS && fps <= LM_MAX_IMPORT_FPS) ||
        !lmi_im_integer(lmi_im_member(extras, "loop"), &loop) || loop > count)
        return;
    for (uint32_t i = 0; i < animation->num_channels; i++) {
        const lm_im_channel *c = &animation->channels[i];
        last = fmax(last, (double)c->times[c->num_keys - 1]);
    }
    const lm_clip clip = {.name = animation->name,
                          .count = (uint32_t)count,
                          .fps = (float)fps,
                          .loop_frames = (uint32_t)loop};
    if (fabs(last * fps - lmi_im_last_key(&clip)) < 0.5 + EVEN) /* it may end between two frames */
        animation->clip = clip;
}

static bool read_animation(importing *im, lm_im_gltf *gltf, uint32_t index, lm_im_ref ref,
                           void *to) {
    lm_im_animation *out = to;
    const lm_im_ref channels = lmi_im_member(ref, "channels");
    reading r = {.im = im, .gltf = gltf, .index = (unsigned)index};
    if (!lmi_im_list_of(im, ref, "samplers", &r.refs))
        return false;
    r.num_samplers = r.refs.count;
    r.samplers = lmi_arena_zeros(im->arena, r.num_samplers, sizeof *r.samplers);
    lm_im_channel *made = lmi_arena_zeros(im->arena, lmi_im_count(channels), sizeof *made);
    out->name = lmi_im_string(im, lmi_im_member(ref, "name"));
    out->channels = made;
    if (!r.samplers || !made || !out->name)
        return false;
    unsigned i = 0;
    for (lm_im_ref e = lmi_im_first(channels); e; e = lmi_im_next(channels, e), i++)
        if (!read_channel(&r, i, e, out, &made[out->num_channels]))
            return false;
    read_clip(lmi_im_member(ref, "extras"), out);
    return true;
}

bool lmi_im_read_animations(importing *im, lm_im_gltf *gltf) {
    gltf->animations = lmi_im_read_array(im, gltf, "animations", sizeof *gltf->animations,
                                         read_animation, &gltf->num_animations);
    return gltf->animations != NULL;
}

/* ---- Times ----------------------------------------------------------------------------------- */

/* Fewer keys per second are key poses of a motion, not its frames. */
#define FEWEST_KEYS 5.0

/* Returns true if every key of a channel lies on a frame. The animation may end between two. */
static bool is_even(const lm_im_channel *c, double first, double fps, float end) {
    for (uint32_t i = 0; i < c->num_keys; i++) {
        const double frames = ((double)c->times[i] - first) * fps;
        if (fabs(frames - floor(frames + 0.5)) > EVEN && c->times[i] < end)
            return false;
    }
    return true;
}

/* Rounds a rate to 1/100 fps if it is close: key times are floats, and most rates are whole
 * numbers. */
static double round_rate(double fps) {
    const double rounded = floor(fps * 100 + 0.5) / 100;
    return fabs(rounded - fps) < 1e-4 * fps ? rounded : fps;
}

/* Returns whether an animation of at most two keys shows one pose, whose duration they are. */
static bool is_one_pose(const lm_im_animation *animation) {
    for (uint32_t i = 0; i < animation->num_channels; i++) {
        const lm_im_channel *c = &animation->channels[i];
        if (c->num_keys > 2 || c->interpolation == IM_CUBIC ||
            (c->num_keys == 2 &&
             memcmp(c->values, c->values + c->width, c->width * sizeof *c->values) != 0))
            return false;
    }
    return true;
}

/* Returns the rate of the channel with the most keys, if it is even; otherwise 0. Other channels
 * may have other rates, as those of a player's other parts. The last key of a resampled animation
 * is nearer than the others. */
static double rate_of_keys(const lm_im_animation *animation, float end) {
    const lm_im_channel *most = NULL;
    for (uint32_t i = 0; i < animation->num_channels; i++)
        if (!most || animation->channels[i].num_keys > most->num_keys)
            most = &animation->channels[i];
    if (!most || most->num_keys < 2)
        return 0;
    uint32_t last = most->num_keys - 1;
    const float *times = most->times;
    if (last > 1 && times[last] - times[last - 1] < (1 - (float)EVEN) * (times[1] - times[0]))
        last--;
    const double fps = round_rate(last / ((double)times[last] - (double)times[0]));
    return (fps >= FEWEST_KEYS || (fps >= IM_SLOWEST_FPS && is_one_pose(animation))) &&
                   fps <= 1000 && is_even(most, (double)times[0], fps, end)
               ? fps
               : 0;
}

void lmi_im_span_of(const importing *im, const lm_im_animation *animation, const lm_clip *row,
                    lm_im_span *span) {
    *span = (lm_im_span){.num_frames = 1};
    for (uint32_t i = 0; i < animation->num_channels; i++) {
        const lm_im_channel *c = &animation->channels[i];
        const double first = (double)c->times[0], last = (double)c->times[c->num_keys - 1];
        span->first = i == 0 || first < span->first ? first : span->first;
        span->last = i == 0 || last > span->last ? last : span->last;
    }
    const double of_row = row ? (double)row->fps : 0;
    span->fps = (double)im->options->fps;
    if (!(span->fps > 0) && !im->options->keys)
        span->fps = of_row;
    if (!(span->fps > 0))
        span->fps = rate_of_keys(animation, (float)span->last);
    if (!(span->fps > 0))
        span->fps = of_row;
    if (!(span->fps > 0))
        span->fps = (double)LM_DEFAULT_FPS;
    if (animation->num_channels == 0 && row)
        span->last = (row->count - (row->loop_frames == 0 && row->count > 1)) / span->fps;
    const double frames = floor((span->last - span->first) * span->fps + 0.5) + 1;
    if (row && row == &animation->clip && !(im->options->fps > 0))
        span->num_frames = lmi_im_last_key(row) + 1;
    else
        span->num_frames =
            frames < LM_MAX_IMPORT_FRAMES + 1.0 ? (uint32_t)frames : LM_MAX_IMPORT_FRAMES + 1;
}

/* ---- Animations that move nothing ------------------------------------------------------------ */

/* Transforms that differ by less than this fraction are equal. */
#define SAME 1e-5

bool *lmi_im_joints(importing *im, const lm_im_gltf *gltf) {
    bool *joints = lmi_arena_zeros(im->arena, gltf->num_nodes, sizeof *joints);
    for (uint32_t i = 0; joints && i < gltf->num_skins; i++)
        for (uint32_t k = 0; k < gltf->skins[i].num_joints; k++)
            joints[gltf->skins[i].joints[k]] = true;
    return joints;
}

/* Returns the node that an animation moves; IM_NONE if it moves several, or also morph targets. */
static uint32_t only_node(const lm_im_animation *animation) {
    uint32_t node = IM_NONE;
    for (uint32_t i = 0; i < animation->num_channels; i++) {
        const lm_im_channel *channel = &animation->channels[i];
        if (channel->path == IM_WEIGHTS || (i > 0 && channel->node != node))
            return IM_NONE;
        node = channel->node;
    }
    return node;
}

static bool is_close(double a, double b) {
    return fabs(a - b) <= SAME * (1 + fabs(a));
}

/* Returns true if all keys have the same value. Tangents of cubic keys must be 0. */
static bool is_constant(const lm_im_channel *channel) {
    const bool cubic = channel->interpolation == IM_CUBIC;
    const uint32_t rows = channel->num_keys * (cubic ? 3 : 1);
    const float *first = channel->values + (size_t)(cubic ? channel->width : 0);
    for (uint32_t row = 0; row < rows; row++)
        for (uint32_t i = 0; i < channel->width; i++) {
            const float x = channel->values[(size_t)row * channel->width + i];
            if (!is_close(cubic && row % 3 != 1 ? 0 : (double)first[i], (double)x))
                return false;
        }
    return true;
}

static bool is_still(const lm_im_gltf *gltf, const lm_im_animation *animation, uint32_t node) {
    lm_im_matrix rest, held;
    for (uint32_t i = 0; i < animation->num_channels; i++)
        if (!is_constant(&animation->channels[i]))
            return false;
    lmi_im_local_at(gltf, node, NULL, &rest);
    lmi_im_local_at(gltf, node, animation, &held);
    for (int i = 0; i < 16; i++)
        if (!is_close(rest.m[i], held.m[i]))
            return false;
    return true;
}

bool lmi_im_drop_still(importing *im, lm_im_gltf *gltf) {
    lm_im_animation *kept = lmi_arena_zeros(im->arena, gltf->num_animations, sizeof *kept);
    bool *moved = lmi_arena_zeros(im->arena, gltf->num_nodes, sizeof *moved);
    const bool *joints = lmi_im_joints(im, gltf);
    uint32_t count = 0, of_one = 0;
    if (!kept || !moved || !joints)
        return false;
    for (uint32_t i = 0; i < gltf->num_animations; i++) {
        const lm_im_animation *animation = &gltf->animations[i];
        const uint32_t node = only_node(animation);
        const bool object = node != IM_NONE && !joints[node];
        const bool still = object && animation->clip.count == 0 && is_still(gltf, animation, node);
        if (still && im->options->weapon) { /* a row of one frame */
            lm_im_animation *rest = &kept[count++];
            rest->name = animation->name;
            continue;
        }
        if (still) {
            lmi_im_note(im, IM_STILL, "an animation only holds one object still: it is no clip");
            continue;
        }
        kept[count++] = *animation;
        of_one += object && !moved[node];
        if (object)
            moved[node] = true;
    }
    gltf->animations = kept;
    gltf->num_animations = count;
    if (count > 1 && of_one == count)
        lmi_im_note(im, IM_ONE_OBJECT,
                    "each animation moves another object, so that no clip moves several: if they "
                    "belong together, export one animation, in Blender's glTF exporter without "
                    "Group by NLA Track");
    return true;
}

/* ---- Ends ------------------------------------------------------------------------------------ */

static bool is_named(const char *const *names, uint32_t count, const char *name) {
    for (uint32_t i = 0; i < count; i++)
        if (lmi_compare_letters(names[i], name) == 0)
            return true;
    return false;
}

lm_im_ending lmi_im_ending_of(const lm_import_options *options, const char *clip) {
    if (is_named(options->loops, options->num_loops, clip))
        return IM_LOOPS;
    if (options->all_frames || is_named(options->onces, options->num_onces, clip))
        return IM_PLAYS_ONCE;
    return IM_AS_IT_BEGAN;
}

static bool check_names(importing *im, const lm_mesh *mesh, const char *const *names,
                        uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t k = 0;
        while (k < mesh->num_clips && lmi_compare_letters(mesh->clips[k].name, names[i]) != 0)
            k++;
        if (k == mesh->num_clips)
            return lmi_im_fail(im, LM_CODE_BAD_ARGUMENT, NULL, "there is no clip \"%.100s\"",
                               names[i]);
    }
    return true;
}

bool lmi_im_check_endings(importing *im, const lm_mesh *mesh) {
    const lm_import_options *options = im->options;
    return check_names(im, mesh, options->loops, options->num_loops) &&
           check_names(im, mesh, options->onces, options->num_onces);
}
