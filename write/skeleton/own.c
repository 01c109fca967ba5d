/* The skeleton that a model has itself, as a skeleton with a rest pose.
 *
 * Such a model (MDS) has no rest pose: it stores each vertex once for every bone that it follows,
 * in the space of that bone. The bones are placed so that these points meet, one bone after the
 * other: always the one that shares the most points with those before. If none shares any, the
 * next bone stays at its parent as in one frame. */
#include "core/names.h"
#include "skeleton/evaluate.h"
#include "skeleton/fit.h"

#include "clips/clip_names.h"
#include "lerpmesh/sample.h"
#include "sample/bones.h"

#include <math.h>
#include <stdio.h>

#define NO_JOINT UINT32_MAX
#define HINT 1e-6 /* the weight of the frame where points leave a bone's rotation open */

typedef struct own_skeleton {
    const lm_model *model;
    const lm_bones *bones;
    lm_skeleton *made;
    lm_joint *joints;
    uint32_t rest_frame;            /* for bones that share no points */
    lm_arena *arena;                /* of the result */
    uint32_t of_bone[LM_MAX_BONES]; /* joints; NO_JOINT: the bone is a tag only */
    uint32_t bone_of[LM_MAX_BONES]; /* bones of joints */
    lm_placed rest[LM_MAX_BONES];   /* the bones in the rest pose */
    bool placed[LM_MAX_BONES];      /* there */
} own_skeleton;

/* ---- Transforms ------------------------------------------------------------------------------ */

static lm_wide apply(const lm_placed *p, lm_vec3 v) {
    double out[3];
    for (int i = 0; i < 3; i++)
        out[i] = p->m[i][0] * (double)v.x + p->m[i][1] * (double)v.y + p->m[i][2] * (double)v.z +
                 p->m[i][3];
    return (lm_wide){out[0], out[1], out[2]};
}

static void place_bones(const lm_model *model, uint32_t frame, lm_placed *out) {
    lm_transform bones[LM_MAX_BONES];
    const lm_pose pose = {frame, frame, 0, false};
    lm_sample_bones(model, &pose, &pose, NULL, bones);
    for (uint32_t b = 0; b < model->bones->num_bones; b++)
        out[b] = lmi_placed_bone(&bones[b]);
}

/* ---- The rest pose --------------------------------------------------------------------------- */

/* Points of a bone, and where they should be. */
typedef struct meeting {
    double count, from[3], to[3], products[3][3], square;
} meeting;

/* Adds the points that a bone shares with those in the rest pose. */
static void gather(const own_skeleton *o, uint32_t bone, meeting *m) {
    for (uint32_t i = 0; i < o->model->num_surfaces; i++) {
        const lm_surface *s = &o->model->surfaces[i];
        const lm_weights *all = s->weights;
        for (uint32_t v = 0; v < s->num_file_vertices; v++) {
            const lm_weight *own = NULL;
            lm_wide sum = {0, 0, 0};
            double share = 0;
            for (uint32_t w = all->firsts[v]; w < all->firsts[v + 1]; w++) {
                const lm_weight *weight = &all->weights[w];
                if (weight->bone == bone)
                    own = weight;
                if (!o->placed[weight->bone])
                    continue;
                sum = lmi_wide_sum(sum, apply(&o->rest[weight->bone], weight->offset),
                                   (double)weight->weight);
                share += (double)weight->weight;
            }
            if (!own || !(share > 0))
                continue;
            const double to[3] = {sum.x / share, sum.y / share, sum.z / share};
            const double from[3] = {(double)own->offset.x, (double)own->offset.y,
                                    (double)own->offset.z};
            m->count++;
            for (int a = 0; a < 3; a++) {
                m->from[a] += from[a];
                m->to[a] += to[a];
                m->square += from[a] * from[a];
                for (int b = 0; b < 3; b++)
                    m->products[a][b] += to[a] * from[b];
            }
        }
    }
}

/* Moves a bone, which is where the frame has it, to where its points meet those of earlier bones.
 */
static void meet(const own_skeleton *o, uint32_t bone, lm_placed *placed) {
    meeting m = {0};
    double h[3][3], turn[3][3], square;
    gather(o, bone, &m);
    if (m.count == 0)
        return;
    square = m.square;
    for (int a = 0; a < 3; a++)
        square -= m.from[a] * m.from[a] / m.count;
    const double hint = square > HINT * m.square ? HINT * square : 1;
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            h[a][b] = hint * placed->m[a][b] +
                      (hint == 1 ? 0 : m.products[a][b] - m.to[a] * m.from[b] / m.count);
    lmi_nearest_turn(h, turn);
    for (int a = 0; a < 3; a++) {
        placed->m[a][3] = m.to[a] / m.count;
        for (int b = 0; b < 3; b++) {
            placed->m[a][b] = turn[a][b];
            placed->m[a][3] -= turn[a][b] * m.from[b] / m.count;
        }
    }
}

/* Returns the bone to place next. */
static uint32_t next_bone(const own_skeleton *o) {
    uint32_t shared[LM_MAX_BONES] = {0}, best = LM_NO_BONE;
    for (uint32_t i = 0; i < o->model->num_surfaces; i++) {
        const lm_surface *s = &o->model->surfaces[i];
        for (uint32_t v = 0; v < s->num_file_vertices; v++) {
            const lm_weight *first = s->weights->weights + s->weights->firsts[v];
            const lm_weight *end = s->weights->weights + s->weights->firsts[v + 1];
            bool known = false;
            for (const lm_weight *w = first; w < end; w++)
                known = known || (o->placed[w->bone] && w->weight > 0);
            for (const lm_weight *w = first; w < end && known; w++)
                shared[w->bone]++;
        }
    }
    for (uint32_t b = 0; b < o->bones->num_bones; b++)
        if (!o->placed[b] && (best == LM_NO_BONE || shared[b] > shared[best]))
            best = b;
    return best;
}

static void find_rest(own_skeleton *o) {
    lm_placed frame[LM_MAX_BONES];
    o->rest_frame = lmi_rest_clip(o->model->clips, o->model->num_clips)->first;
    place_bones(o->model, o->rest_frame, frame);
    for (uint32_t n = 0; n < o->bones->num_bones; n++) {
        const uint32_t b = n > 0 ? next_bone(o) : 0;
        uint32_t near = o->bones->bones[b].parent; /* the next ancestor in the rest pose */
        while (near != LM_NO_BONE && !o->placed[near])
            near = o->bones->bones[near].parent;
        near = near == LM_NO_BONE ? 0 : near;
        const lm_placed local = lmi_placed_relative(&frame[near], &frame[b]);
        o->rest[b] = n > 0 ? lmi_placed_product(&o->rest[near], &local) : frame[b];
        meet(o, b, &o->rest[b]);
        o->placed[b] = true;
    }
}

/* ---- Joints ---------------------------------------------------------------------------------- */

/* Chooses the bones that become joints: not those that are only tags, which the model has as tags,
 * too. */
static void choose_joints(own_skeleton *o) {
    bool needed[LM_MAX_BONES] = {true}, tag[LM_MAX_BONES] = {false};
    for (uint32_t t = 0; t < o->model->num_tags; t++)
        tag[o->bones->tag_bones[t]] = true;
    for (uint32_t i = 0; i < o->model->num_surfaces; i++) {
        const lm_surface *s = &o->model->surfaces[i];
        for (uint32_t w = 0; w < s->weights->firsts[s->num_file_vertices]; w++)
            needed[s->weights->weights[w].bone] = true;
    }
    for (uint32_t b = o->bones->num_bones; b-- > 1;) {
        needed[b] = needed[b] || !tag[b];
        const uint32_t parent = o->bones->bones[b].parent;
        if (needed[b] && parent != LM_NO_BONE)
            needed[parent] = true;
    }
    for (uint32_t b = 0; b < o->bones->num_bones; b++) {
        o->of_bone[b] = needed[b] ? o->made->num_joints : NO_JOINT;
        if (needed[b])
            o->bone_of[o->made->num_joints++] = b;
    }
}

static bool build_joints(own_skeleton *o) {
    lm_names names = {.arena = o->arena};
    const uint32_t count = o->made->num_joints;
    o->joints = lmi_arena_zeros(o->arena, count, sizeof *o->joints);
    for (uint32_t j = 0; o->joints && j < count; j++) {
        const lm_bone *bone = &o->bones->bones[o->bone_of[j]];
        const lm_wide at = lmi_place_of(&o->rest[o->bone_of[j]]);
        char numbered[24];
        snprintf(numbered, sizeof numbered, "bone.%02u", (unsigned)o->bone_of[j]);
        o->joints[j] = (lm_joint){
            .name = lmi_names_unique_copy(&names, bone->name[0] ? bone->name : numbered),
            .parent = j == 0                       ? LM_SKELETON_NO_PARENT
                      : bone->parent == LM_NO_BONE ? 0
                                                   : o->of_bone[bone->parent],
            .position = {(float)at.x, (float)at.y, (float)at.z},
            .translates = j > 0,
            .mirror = j,
        };
    }
    o->made->joints = o->joints;
    o->made->num_translating = count - 1;
    return !lmi_arena_failed(o->arena);
}

/* Lists the joint that each tag is, or else the next one above it. */
static bool build_tags(own_skeleton *o) {
    const uint32_t count = o->model->num_tags;
    uint32_t *joints = lmi_arena_alloc(o->arena, count, sizeof *joints);
    for (uint32_t t = 0; joints && t < count; t++) {
        uint32_t bone = o->bones->tag_bones[t];
        while (bone != LM_NO_BONE && o->of_bone[bone] == NO_JOINT)
            bone = o->bones->bones[bone].parent;
        joints[t] = bone == LM_NO_BONE ? 0 : o->of_bone[bone];
    }
    o->made->num_tags = count;
    o->made->tag_joints = joints;
    return joints != NULL;
}

/* Copies an array of the model. */
static const void *copied(own_skeleton *o, const void *list, uint64_t count, size_t element) {
    return lmi_arena_bytes(o->arena, list, count, element);
}

/* Keeps the bones in all frames, for the poses between them. */
static const lm_own_bones *keep_bones(own_skeleton *o) {
    const lm_model *model = o->model;
    const lm_bones *from = o->bones;
    const uint32_t count = o->made->num_joints, num_frames = model->num_frames;
    const size_t row = (size_t)LM_BONE_POSE_SIZE * from->num_bones;
    lm_own_bones *own = lmi_arena_zeros(o->arena, 1, sizeof *own);
    lm_bones *bones = lmi_arena_zeros(o->arena, 1, sizeof *bones);
    lm_placed *rest = lmi_arena_alloc(o->arena, count, sizeof *rest);
    uint8_t *poses = lmi_arena_alloc(o->arena, num_frames, row);
    if (lmi_arena_failed(o->arena))
        return NULL;
    for (uint32_t f = 0; f < num_frames; f++)
        memcpy(poses + f * row, from->poses + f * from->pose_stride, row);
    for (uint32_t j = 0; j < count; j++)
        rest[j] = o->rest[o->bone_of[j]];
    *bones = (lm_bones){.num_bones = from->num_bones,
                        .bones = copied(o, from->bones, from->num_bones, sizeof *from->bones),
                        .poses = poses,
                        .pose_stride = row};
    own->model.num_frames = num_frames;
    own->model.frames = copied(o, model->frames, num_frames, sizeof *model->frames);
    own->model.bones = bones;
    own->bones = copied(o, o->bone_of, count, sizeof *o->bone_of);
    own->rest = rest;
    o->made->own = own;
    return lmi_arena_failed(o->arena) ? NULL : own;
}

static bool build_poses(own_skeleton *o) {
    const uint32_t count = o->made->num_joints, num_frames = o->model->num_frames;
    const lm_own_bones *own = keep_bones(o);
    lm_joint_pose *poses = lmi_arena_alloc(o->arena, (uint64_t)count * num_frames, sizeof *poses);
    for (uint32_t f = 0; own && poses && f < num_frames; f++) {
        lm_placed joints[LM_MAX_BONES];
        lmi_place_own(own, count, &(lm_pose){f, f, 0, false}, joints);
        for (uint32_t j = 0; j < count; j++) {
            lm_joint_pose *pose = &poses[(size_t)f * count + j];
            const lm_placed local =
                j > 0 ? lmi_placed_relative(&joints[o->joints[j].parent], &joints[j]) : joints[j];
            pose->translation =
                lmi_placed_split(&local, f > 0 ? (pose - count)->rotation : NULL, pose->rotation);
        }
    }
    o->made->num_frames = num_frames;
    o->made->poses = poses;
    return own && poses;
}

/* ---- Vertices -------------------------------------------------------------------------------- */

/* Adds the weights of a vertex by joint, whose sum is 1. Returns the number of joints that it
 * follows. */
static uint32_t sum_weights(const own_skeleton *o, const lm_weights *all, uint32_t vertex,
                            double *shares) {
    const lm_weight *first = all->weights + all->firsts[vertex];
    const lm_weight *end = all->weights + all->firsts[vertex + 1];
    double sum = 0;
    uint32_t count = 0;
    memset(shares, 0, LM_MAX_BONES * sizeof *shares);
    for (const lm_weight *w = first; w < end; w++)
        sum += fmax((double)w->weight, 0);
    for (const lm_weight *w = first; w < end; w++) {
        double *share = &shares[o->of_bone[w->bone]];
        const double more = sum > 0 ? fmax((double)w->weight, 0) / sum : w == first;
        count += more > 0 && *share == 0;
        *share += more;
    }
    return count;
}

static void fill_vertex(const own_skeleton *o, const lm_surface *s, uint32_t v,
                        lm_skeleton_surface *out) {
    const lm_weights *all = s->weights;
    const lm_weight *first = &all->weights[all->firsts[v]];
    const lm_placed *turn = &o->rest[first->bone];
    lm_influence *influences = (lm_influence *)out->influences;
    lm_wide at = {0, 0, 0};
    double shares[LM_MAX_BONES], sum = 0;
    const uint32_t count = sum_weights(o, all, v, shares);
    for (const lm_weight *w = first; w < all->weights + all->firsts[v + 1]; w++) {
        at = lmi_wide_sum(at, apply(&o->rest[w->bone], w->offset), (double)w->weight);
        sum += (double)w->weight;
    }
    at = sum > 0 ? (lm_wide){at.x / sum, at.y / sum, at.z / sum} : apply(turn, first->offset);
    ((lm_vec3 *)out->positions)[v] = (lm_vec3){(float)at.x, (float)at.y, (float)at.z};
    const lm_wide n = lmi_wide_sum(apply(turn, all->normals[v]), lmi_place_of(turn), -1);
    ((lm_vec3 *)out->normals)[v] = lmi_unit((lm_vec3){(float)n.x, (float)n.y, (float)n.z});
    for (uint32_t i = 0; i < count; i++) {
        lm_influence *to =
            &influences[(size_t)(i / LM_SKELETON_WEIGHTS) * s->num_file_vertices + v];
        uint32_t most = 0;
        for (uint32_t j = 1; j < o->made->num_joints; j++)
            most = shares[j] > shares[most] ? j : most;
        to->joints[i % LM_SKELETON_WEIGHTS] = (uint16_t)most;
        to->weights[i % LM_SKELETON_WEIGHTS] = (float)shares[most];
        shares[most] = 0;
    }
}

static bool build_surfaces(own_skeleton *o) {
    const uint32_t num_surfaces = o->model->num_surfaces;
    double shares[LM_MAX_BONES];
    uint32_t most = 1;
    for (uint32_t i = 0; i < num_surfaces; i++)
        for (uint32_t v = 0; v < o->model->surfaces[i].num_file_vertices; v++) {
            const uint32_t count = sum_weights(o, o->model->surfaces[i].weights, v, shares);
            most = count > most ? count : most;
        }
    lm_skeleton_surface *out = lmi_arena_zeros(o->arena, num_surfaces, sizeof *out);
    o->made->more_influences = (most - 1) / LM_SKELETON_WEIGHTS;
    for (uint32_t i = 0; out && i < num_surfaces; i++) {
        const lm_surface *s = &o->model->surfaces[i];
        const uint32_t count = s->num_file_vertices;
        out[i] = (lm_skeleton_surface){
            .num_vertices = count,
            .positions = lmi_arena_alloc(o->arena, count, sizeof(lm_vec3)),
            .normals = lmi_arena_alloc(o->arena, count, sizeof(lm_vec3)),
            .influences = lmi_arena_zeros(
                o->arena, (o->made->more_influences + (uint64_t)1) * count, sizeof(lm_influence))};
        if (lmi_arena_failed(o->arena))
            return false;
        for (uint32_t v = 0; v < count; v++)
            fill_vertex(o, s, v, &out[i]);
    }
    o->made->num_surfaces = num_surfaces;
    o->made->surfaces = out;
    return out != NULL;
}

/* ---- Errors ---------------------------------------------------------------------------------- */

/* Measures the distance from the model in a frame. `positions` and `moved` are scratch for a
 * surface. */
static lm_skeleton_error measure_frame(const own_skeleton *o, uint32_t frame, lm_vec3 *positions,
                                       lm_vec3 *moved) {
    const lm_pose pose = {frame, frame, 0, false};
    lm_transform bones[LM_MAX_BONES];
    lm_placed joints[LM_MAX_SKELETON_BONES];
    double all = 0, most = 0, number = 0;
    lm_sample_bones(o->model, &pose, &pose, NULL, bones);
    lmi_move_joints(o->made, &pose, joints);
    for (uint32_t i = 0; i < o->model->num_surfaces; i++) {
        const lm_sample_target target = {.positions = &positions->x};
        lm_sample_weights(o->model, i, bones, &target);
        lmi_move_surface(o->made, i, &pose, joints, moved, NULL);
        for (uint32_t v = 0; v < o->made->surfaces[i].num_vertices; v++) {
            const double square = lmi_square_between(positions[v], moved[v]);
            all += square;
            most = fmax(most, square);
            number += 3;
        }
    }
    return (lm_skeleton_error){number > 0 ? sqrt(all / number) : 0, sqrt(most)};
}

static bool judge(own_skeleton *o, double max_error) {
    lm_skeleton *made = o->made;
    lm_vec3 low, high;
    lm_model_bounds(o->model, o->rest_frame, 1, &low, &high);
    const double size = lmi_distance_between(low, high);
    const double limit = max_error > 0 ? max_error : 1e-3 * size;
    const char *reason = "";
    made->quantum = fmax(size / 65536, 1e-30); /* an angle has 65,536 steps in a turn */
    if (!(size > 0)) {
        made->verdict = LM_SKELETON_REFUSED;
        reason = "there are no vertices";
    } else if (!(made->all.rms_error <= limit)) {
        made->verdict = LM_SKELETON_REFUSED;
        reason = lmi_arena_printf(o->arena,
                                  "no rest pose fits the model's bones: its error is %.3g units",
                                  made->all.rms_error);
    } else if (made->all.max_error > limit) {
        made->verdict = LM_SKELETON_WARNED;
        reason = lmi_arena_printf(o->arena, "a vertex is off by %.3g units in one frame",
                                  made->all.max_error);
    }
    made->reason = reason;
    return reason != NULL;
}

/* Returns false if memory ran out or the caller stopped the call. */
static bool measure(own_skeleton *o, const lm_skeleton_options *options, bool *stopped) {
    const lm_model *model = o->model;
    lm_skeleton *made = o->made;
    uint32_t most = 0;
    for (uint32_t i = 0; i < model->num_surfaces; i++)
        most = model->surfaces[i].num_vertices > most ? model->surfaces[i].num_vertices : most;
    lm_vec3 *positions = lmi_arena_alloc(o->arena, most, 2 * sizeof *positions);
    lm_skeleton_error *frames = lmi_arena_alloc(o->arena, model->num_frames, sizeof *frames);
    for (uint32_t f = 0; positions && frames && f < model->num_frames; f++) {
        frames[f] = measure_frame(o, f, positions, positions + most);
        *stopped =
            options->progress && !options->progress(options->user, (f + 1.0) / model->num_frames);
        if (*stopped)
            return false;
    }
    if (lmi_arena_failed(o->arena))
        return false;
    made->frames = frames;
    made->all = made->uncorrected = lmi_error_over(frames, model->num_frames);
    return judge(o, options->max_error);
}

/* ---- The call -------------------------------------------------------------------------------- */

lm_skeleton *lmi_own_skeleton(const lm_model *model, const lm_skeleton_options *options,
                              lm_error *error) {
    own_skeleton o = {.model = model, .bones = model->bones};
    bool stopped = false;
    lm_heap heap;
    uint64_t size = (uint64_t)o.bones->num_bones * model->num_frames * sizeof(lm_joint_pose);
    for (uint32_t i = 0; i < model->num_surfaces; i++)
        size += (uint64_t)model->surfaces[i].num_vertices * 256;
    lmi_heap_begin(&heap, &options->memory, (size_t)size, "skeleton", error);
    o.made = lmi_object(&heap, sizeof *o.made);
    if (o.made) {
        o.arena = lmi_arena_of(o.made);
        choose_joints(&o);
        find_rest(&o);
    }
    const bool done = o.made && build_joints(&o) && build_tags(&o) && build_poses(&o) &&
                      build_surfaces(&o) && measure(&o, options, &stopped);
    if (stopped)
        lmi_call_fail(&heap.call, LM_CODE_STOPPED, "stopped by the caller");
    lm_skeleton *made = lmi_object_end(o.made, done && !stopped);
    return made ? made : lmi_heap_diagnose(&heap);
}
