#include "skeleton/fit.h"

#include "clips/clip_names.h"
#include "core/index.h"
#include "core/options.h"
#include "core/report.h"

/* ---- Gathering ---------------------------------------------------------------------------- */

static bool moves_alike(const void *context, uint32_t a, uint32_t b) {
    const lm_fit *fit = context;
    for (uint32_t f = 0; f < fit->mesh->num_frames; f++)
        if (!lmi_same_vec3(lmi_fit_position(fit, a, f), lmi_fit_position(fit, b, f)))
            return false;
    return true;
}

/* Lists all vertices, and finds the first vertex that moves like each, by hashes of their
 * trajectories. */
static bool find_places(lm_fit *fit) {
    const lm_mesh *mesh = fit->mesh;
    uint64_t count = 0;
    for (uint32_t i = 0; i < mesh->num_surfaces; i++)
        count += mesh->surfaces[i].num_vertices;
    if (count >= UINT32_MAX / LM_SKELETON_WEIGHTS || mesh->num_frames >= UINT32_MAX / 8)
        return lmi_call_fail(&fit->heap.call, LM_CODE_LIMIT,
                             "there are too many vertices or frames for a skeleton");
    const uint32_t all = fit->num_vertices = (uint32_t)count;
    uint64_t *hashes = lmi_arena_zeros(&fit->arena, count, sizeof *hashes);
    fit->vertices = lmi_arena_alloc(&fit->arena, count, sizeof *fit->vertices);
    fit->places = lmi_arena_alloc(&fit->arena, count, sizeof *fit->places);
    fit->sources = lmi_arena_alloc(&fit->arena, count, sizeof *fit->sources);
    fit->centres = lmi_arena_alloc(&fit->arena, mesh->num_frames, sizeof *fit->centres);
    if (lmi_arena_failed(&fit->arena))
        return false;
    lm_fit_vertex *out = fit->vertices;
    for (uint32_t i = 0; i < mesh->num_surfaces; i++)
        for (uint32_t v = 0; v < mesh->surfaces[i].num_vertices; v++)
            *out++ = (lm_fit_vertex){i, v};
    for (uint32_t f = 0; f < mesh->num_frames; f++)
        for (uint32_t v = 0; v < all; v++)
            hashes[v] = lmi_hash_vec3(hashes[v], lmi_fit_position(fit, v, f));
    return lmi_find_equal(all, hashes, moves_alike, fit, fit->places, &fit->heap);
}

static void measure_frames(lm_fit *fit) {
    lm_box box = LM_EMPTY_BOX;
    for (uint32_t f = 0; f < fit->mesh->num_frames; f++) {
        lm_wide sum = {0, 0, 0};
        for (uint32_t i = 0; i < fit->num_welded; i++) {
            const lm_vec3 p = lmi_fit_position(fit, fit->sources[i], f);
            fit->moves = fit->moves || !lmi_same_vec3(p, lmi_fit_position(fit, fit->sources[i], 0));
            sum = lmi_wide_sum(sum, lmi_wide_of(p), 1);
            lmi_box_add(&box, p);
        }
        const double count = fit->num_welded > 0 ? fit->num_welded : 1;
        fit->centres[f][0] = sum.x / count;
        fit->centres[f][1] = sum.y / count;
        fit->centres[f][2] = sum.z / count;
    }
    for (int c = 0; c < 3 && fit->num_welded > 0; c++) {
        const double side = (double)box.high[c] - (double)box.low[c];
        fit->size += side * side;
    }
    fit->size = sqrt(fit->size);
}

/* Numbers the vertices that do not move alike, and finds the centres of the frames and the size.
 * Returns false if memory ran out. */
static bool fit_gather(lm_fit *fit) {
    const lm_clip *clip = lmi_rest_clip(fit->mesh->clips, fit->mesh->num_clips);
    fit->rest_frame = clip ? clip->backwards ? clip->first + clip->count - 1 : clip->first : 0;
    if (!find_places(fit))
        return false;
    for (uint32_t v = 0; v < fit->num_vertices; v++) {
        if (fit->places[v] == v) {
            fit->sources[fit->num_welded] = v;
            fit->places[v] = fit->num_welded++;
        } else {
            fit->places[v] = fit->places[fit->places[v]];
        }
    }
    measure_frames(fit);
    return true;
}

/* Fills the rows of one frame. */
static void fill_frame(const lm_fit *fit, lm_rig *rig, uint32_t index, uint32_t frame) {
    for (uint32_t i = 0; i < fit->num_welded; i++) {
        const lm_wide p = lmi_wide_of(lmi_fit_position(fit, fit->sources[i], frame));
        const double at[3] = {p.x, p.y, p.z};
        for (uint32_t c = 0; c < 3; c++) {
            const double x = at[c] - fit->centres[frame][c];
            *lmi_rig_x(rig, i, 3 * index + c) = x;
            rig->squares[i] += x * x;
            rig->frame_squares[index] += x * x;
            if (index == 0)
                rig->rest[3 * (size_t)i + c] = x;
        }
    }
}

/* Fills a rig with every `stride`-th frame of lmi_fit_frame. */
static bool fit_rig(lm_fit *fit, lm_arena *arena, uint32_t stride, uint32_t max_bones,
                    lm_rig *rig) {
    const uint32_t num_frames = fit->mesh->num_frames, count = (num_frames + stride - 1) / stride;
    if (!lmi_rig_alloc(rig, arena, fit->num_welded, count, max_bones))
        return false;
    rig->quantum = fit->options.quantum;
    for (uint32_t i = 0; i < count; i++)
        fill_frame(fit, rig, i, lmi_fit_frame(fit, stride, i));
    return true;
}

#define MOST_FRAMES 128  /* that decide about bones and weights */
#define FIRST_SPLIT 16   /* bones before vertices follow several */
#define INSERTED 4       /* bones at a time, or a quarter of those that there are */
#define MOST_PASSES 8    /* that remove bones */
#define POOR_FIT 1.2     /* of rounding: an error that justifies growing more bones than wanted */
#define SPARE 3          /* a third of the bones wanted may grow besides */
#define LITTLE 0.004     /* of the error of rounding: what a bone must save to stay */
#define SMALL_GAIN 0.97  /* two steps of which end the growth */
#define MOVING_GAIN 0.97 /* of the squared error: less does not pay for moving bones */
#define TREE_ROOM 0.118  /* of the error of rounding: what the tree may cost */

/* ---- Free bones ----------------------------------------------------------------------------- */

/* Reports progress. Returns false if the caller wants to stop. */
static bool go_on(lm_fit *fit, double share) {
    if (!fit->stopped && fit->options.progress && !fit->options.progress(fit->options.user, share))
        fit->stopped = true;
    return !fit->stopped;
}

static bool may_work(const lm_fit *fit, const lm_rig *rig) {
    return fit->options.max_work == 0 || rig->work < (uint64_t)fit->options.max_work * 1000000;
}

/* Adds bones while they help, up to `most`. Returns false if the caller wants to stop. */
static bool grow(lm_fit *fit, lm_rig *rig, uint32_t most) {
    double last = INFINITY;
    unsigned stalls = 0;
    for (;;) {
        double sum = 0;
        for (int i = 0; i < 3; i++)
            sum = lmi_improve(rig, LM_SKELETON_WEIGHTS, true, 2);
        const double error = lmi_rig_rms(rig, sum);
        stalls += error > SMALL_GAIN * last;
        last = error;
        if (!go_on(fit, 0.1 + 0.3 * rig->num_bones / rig->max_bones))
            return false;
        if (error <= LM_GOOD_FIT * rig->quantum || stalls >= 2 || rig->num_bones >= most ||
            !may_work(fit, rig))
            return true;
        lmi_drop_bones(rig, 2);
        const uint32_t more = rig->num_bones > 4 * INSERTED ? rig->num_bones / 4 : INSERTED;
        lmi_insert_bones(rig, more < most - rig->num_bones ? more : most - rig->num_bones);
    }
}

/* Returns the sum of the squared errors that the file's rounding causes. */
static double rounding_of(const lm_rig *rig) {
    return (double)rig->num_vertices * rig->num_rows * rig->quantum * rig->quantum;
}

/* Adds more bones than are wanted, and merges those that matter least until `most` remain, if that
 * is better. Returns false if the caller wants to stop. */
static bool outgrow(lm_fit *fit, lm_rig *rig, uint32_t most) {
    const double before = lmi_improve(rig, LM_SKELETON_WEIGHTS, true, 2);
    if (rig->num_bones < most || lmi_rig_rms(rig, before) <= POOR_FIT * rig->quantum ||
        !may_work(fit, rig))
        return true;
    lmi_rig_save(rig);
    if (!grow(fit, rig, rig->max_bones))
        return false;
    double after = before;
    while (rig->num_bones > most &&
           lmi_merge_bones(rig, INFINITY, rig->num_bones - (rig->num_bones - most + 3) / 4))
        for (int i = 0; i < 3; i++)
            after = lmi_improve(rig, LM_SKELETON_WEIGHTS, true, 2);
    if (rig->num_bones > most || !(after < before)) {
        rig->num_bones = most;
        lmi_rig_restore(rig);
    }
    return true;
}

/* Puts bones that matter little where the error is largest, while that helps. */
static void move_to_errors(lm_rig *rig, uint32_t most) {
    double best = INFINITY;
    uint32_t count = 0;
    for (int i = 0; i < MOST_PASSES; i++) {
        const double error = lmi_improve(rig, LM_SKELETON_WEIGHTS, true, 2);
        if (error > MOVING_GAIN * best || lmi_rig_rms(rig, error) <= LM_GOOD_FIT * rig->quantum) {
            if (error > best) {
                rig->num_bones = count;
                lmi_rig_restore(rig);
            }
            return;
        }
        best = error;
        lmi_rig_save(rig);
        count = rig->num_bones;
        lmi_merge_bones(rig, INFINITY, 1);
        lmi_weigh(rig, LM_SKELETON_WEIGHTS, true);
        lmi_insert_bones(rig, (count + INSERTED < most ? count + INSERTED : most) - rig->num_bones);
        for (int k = 0; k < 3; k++)
            lmi_improve(rig, LM_SKELETON_WEIGHTS, true, 2);
    }
}

static bool fit_free(lm_fit *fit, lm_rig *rig, uint32_t most) {
    const uint32_t first = FIRST_SPLIT < most ? FIRST_SPLIT : most;
    const double rounding = rounding_of(rig);
    lmi_begin_bones(rig);
    lmi_split_bones(rig, first);
    if (!go_on(fit, 0.1) || !grow(fit, rig, most) || !outgrow(fit, rig, most))
        return false;
    move_to_errors(rig, most);
    for (int i = 0; i < MOST_PASSES && lmi_merge_bones(rig, LITTLE * rounding, 1); i++)
        lmi_improve(rig, LM_SKELETON_WEIGHTS, true, 1);
    bool dropped = false;
    for (int i = 0; i < 4 || (dropped && i < MOST_PASSES); i++) {
        lmi_improve(rig, LM_SKELETON_WEIGHTS, true, 3);
        dropped = lmi_drop_bones(rig, 1);
    }
    fit->free_error = lmi_improve(rig, LM_SKELETON_WEIGHTS, true, 3);
    return go_on(fit, 0.45);
}

/* ---- The tree ------------------------------------------------------------------------------- */

/* Connects the bones. If the joints need more room than the tree may cost, begins again with all
 * joints free and fixes only those that stay at their places. */
static bool fit_tree(lm_fit *fit, lm_rig *rig) {
    const double rounding = sqrt(rounding_of(rig));
    const double room = fmax(sqrt(fit->free_error), rounding) + TREE_ROOM * rounding;
    const double target = room * room;
    const bool constant = fit->options.constant_lengths;
    lmi_make_tree(rig, &fit->tree);
    if (rig->num_bones == 1)
        return true;
    lmi_rig_save(rig);
    const lm_tree before = fit->tree;
    const double sum = lmi_fit_tree(rig, &fit->tree, target, constant);
    if (!go_on(fit, 0.7))
        return false;
    if (constant || sum <= 1.1 * target)
        return true;
    lmi_rig_restore(rig);
    fit->tree = before;
    lmi_fit_loose_tree(rig, &fit->tree, target);
    return go_on(fit, 0.8);
}

/* ---- All frames ----------------------------------------------------------------------------- */

/* Takes the bones' transforms from a rig of every `stride`-th frame. */
static void take_bones(lm_rig *rig, const lm_rig *from, uint32_t stride, bool between) {
    for (uint32_t j = 0; j < rig->num_bones; j++)
        for (uint32_t f = 0; f < rig->num_frames; f++)
            if (between || f % stride == 0)
                memcpy(lmi_rig_bone(rig, j, f), lmi_rig_bone(from, j, f / stride),
                       12 * sizeof(double));
}

/* Takes weights and the rest pose from a rig of some frames, and solves the poses of all frames. */
static void pose_all(lm_fit *fit, lm_rig *from, uint32_t stride) {
    lm_rig *rig = &fit->rig;
    if (!fit->options.constant_lengths)
        lmi_pull_joints(from, &fit->tree);
    lmi_even_sides(from, &fit->tree, rounding_of(from));
    const size_t all = (size_t)rig->num_vertices * LM_SKELETON_WEIGHTS;
    rig->num_bones = from->num_bones;
    rig->work += from->work;
    memcpy(rig->joints, from->joints, all * sizeof *rig->joints);
    memcpy(rig->weights, from->weights, all * sizeof *rig->weights);
    memcpy(rig->rest, from->rest, 3 * (size_t)rig->num_vertices * sizeof *rig->rest);
    take_bones(rig, from, stride, true);
    if (stride > 1) {
        lmi_sum_shares(rig);
        lmi_place_bones(rig);
        lmi_move_bones(rig, 8);
        take_bones(rig, from, stride, false);
    }
    if (rig->num_bones == 1)
        return;
    lmi_pose_tree(rig, &fit->tree, 12, false);
    lmi_weigh(rig, LM_SKELETON_WEIGHTS, true);
    lmi_fix_idle_joints(rig, &fit->tree);
    lmi_pose_tree(rig, &fit->tree, 6, false);
    lmi_steady_poses(rig, &fit->tree);
}

static bool alloc_tree(lm_tree *tree, const lm_rig *rig, lm_arena *arena) {
    tree->turns =
        lmi_arena_zeros(arena, rig->max_bones, (size_t)rig->num_rows * 4 * sizeof(double));
    return tree->turns && lmi_solver_alloc(tree, rig->max_bones, arena);
}

static bool fit_all(lm_fit *fit) {
    const uint32_t num_frames = fit->mesh->num_frames;
    const uint32_t stride = (num_frames + MOST_FRAMES - 1) / MOST_FRAMES;
    const uint32_t quarter = fit->num_welded / 4 > 1 ? fit->num_welded / 4 : 1;
    const uint32_t most = quarter < fit->options.max_bones ? quarter : fit->options.max_bones;
    uint32_t grown = most + 1 + most / SPARE; /* bones, of which `most` remain */
    grown = grown < quarter ? grown : quarter;
    grown = grown < LM_MAX_SKELETON_BONES ? grown : LM_MAX_SKELETON_BONES;
    lm_arena arena = {.heap = &fit->heap};
    lm_rig some = {0};
    bool done = fit_rig(fit, &arena, stride, grown, &some) && lmi_rig_save_alloc(&some);
    done = done && alloc_tree(&fit->tree, &some, &arena) && fit_free(fit, &some, most) &&
           fit_tree(fit, &some);
    if (done)
        done = fit_rig(fit, &fit->arena, 1, some.num_bones, &fit->rig);
    done = done && alloc_tree(&fit->tree, &fit->rig, &fit->arena);
    if (done)
        pose_all(fit, &some, stride);
    lmi_arena_free(&arena);
    return done && go_on(fit, 0.95);
}

/* ---- The call ------------------------------------------------------------------------------- */

static bool options_sound(const lm_skeleton_options *options, lm_error *error) {
    static const lm_option_member table[] = {LM_MEMBER(lm_skeleton_options, memory, MEMORY, 0),
                                             LM_MEMBER(lm_skeleton_options, quantum, DOUBLE, 0),
                                             LM_MEMBER(lm_skeleton_options, max_error, DOUBLE, 0),
                                             LM_MEMBER(lm_skeleton_options, reserved, RESERVED, 0)};
    if (!lmi_options_valid(options, "skeleton", table, sizeof table / sizeof *table, error))
        return false;
    if (options->max_correctives > LM_MAX_SKELETON_CORRECTIVES)
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT,
                             "skeleton: max_correctives is %u, but at most %u are possible",
                             (unsigned)options->max_correctives, LM_MAX_SKELETON_CORRECTIVES);
    return options->max_bones <= LM_MAX_SKELETON_BONES ||
           lm_fail_plain(error, LM_CODE_BAD_ARGUMENT,
                         "skeleton: max_bones is %u, but at most %u are possible",
                         (unsigned)options->max_bones, LM_MAX_SKELETON_BONES);
}

static bool run(lm_fit *fit) {
    if (!fit_gather(fit))
        return false;
    /* Fill in the defaults that depend on the mesh's size. */
    lm_skeleton_options *options = &fit->options;
    options->max_bones = options->max_bones ? options->max_bones : LM_SKELETON_BONES;
    if (!(options->quantum > 0)) /* sqrt(3): a cube's side; sqrt(12): of rounding */
        options->quantum = fit->size / (255 * 6);
    if (!(options->quantum > 1e-30))
        options->quantum = 1;
    if (!(options->max_error > 0))
        options->max_error = fmax(2 * options->quantum, 1e-3 * fit->size);
    fit->made = lmi_object(&fit->heap, sizeof(lm_fitted));
    if (!fit->made || !fit_all(fit) || !lmi_fit_build(fit) || !lmi_fit_measure(fit) ||
        !lmi_fit_correct(fit))
        return false;
    return go_on(fit, 1);
}

lm_skeleton *lm_skeleton_fit(const lm_mesh *mesh, const lm_skeleton_options *options,
                             lm_error *error) {
    static const lm_skeleton_options none = {0};
    lm_fit fit = {.mesh = mesh, .options = options ? *options : none};
    uint64_t size = (uint64_t)16 << 20;
    if (!lm_mesh_check(mesh, error) || !options_sound(&fit.options, error))
        return NULL;
    for (uint32_t i = 0; i < mesh->num_surfaces; i++)
        size += 12 * ((uint64_t)mesh->num_frames + fit.options.max_correctives) *
                mesh->surfaces[i].num_vertices;
    size += 12 * (uint64_t)mesh->num_frames * fit.options.max_correctives;
    lmi_heap_begin(&fit.heap, &fit.options.memory, (size_t)size, "skeleton", error);
    fit.arena.heap = &fit.heap;
    const bool done = run(&fit);
    if (fit.stopped)
        lmi_call_fail(&fit.heap.call, LM_CODE_STOPPED, "stopped by the caller");
    lm_skeleton *made = lmi_object_end(fit.made, done && !fit.stopped);
    if (!made)
        lmi_heap_diagnose(&fit.heap);
    lmi_arena_free(&fit.arena);
    return made;
}

lm_skeleton *lm_skeleton_of_model(const lm_model *model, const lm_skeleton_options *options,
                                  lm_error *error) {
    static const lm_skeleton_options none = {0};
    lm_skeleton_options own = options ? *options : none;
    if (!LM_GIVEN(error, model))
        return NULL;
    if (model->bones)
        return options_sound(&own, error) ? lmi_own_skeleton(model, &own, error) : NULL;
    if (own.quantum == 0)
        own.quantum = lm_skeleton_quantum(model);
    lm_mesh *mesh = lm_mesh_from_model(model, NULL, error);
    lm_skeleton *made = mesh ? lm_skeleton_fit(mesh, &own, error) : NULL;
    lm_mesh_free(mesh);
    return made;
}

void lm_skeleton_free(lm_skeleton *skeleton) {
    lmi_object_free(skeleton);
}

double lm_skeleton_quantum(const lm_model *model) {
    double sum = 0;
    for (uint32_t f = 0; f < model->num_frames; f++) {
        const float delta = model->delta_scale;
        bool has_deltas = false; /* whose steps are larger */
        for (uint32_t i = 0; i < model->num_surfaces; i++)
            has_deltas = has_deltas || (model->surfaces[i].frame_deltas &&
                                        model->surfaces[i].frame_deltas[f] != LM_NO_DELTA);
        const lm_vec3 s = has_deltas ? (lm_vec3){delta, delta, delta} : model->frames[f].scale;
        sum += (double)s.x * (double)s.x + (double)s.y * (double)s.y + (double)s.z * (double)s.z;
    }
    return sqrt(sum / (36.0 * model->num_frames)); /* 3 axes, and 12 of rounding */
}
