#include "skeleton/evaluate.h"
#include "skeleton/fit.h"

#include <stdio.h>

/* ---- Errors --------------------------------------------------------------------------------- */

/* A sum of squared errors. */
typedef struct tally {
    double sum, most; /* `most` is squared, too */
    uint64_t count;   /* coordinates */
} tally;

static lm_skeleton_error error_of(const tally *t) {
    return (lm_skeleton_error){t->count > 0 ? sqrt(t->sum / (double)t->count) : 0, sqrt(t->most)};
}

static void add_tally(tally *to, const tally *from) {
    to->sum += from->sum;
    to->count += from->count;
    to->most = fmax(to->most, from->most);
}

/* Properties of the errors other than their size. */
typedef struct evidence {
    tally *frames;    /* [num_frames] */
    double *vertices; /* [all vertices] sums of squares */
    double *before;   /* [3 * all vertices] errors of the frame before */
    double products;  /* sum of products of the errors of a frame and the one before */
} evidence;

static void tally_frame(const lm_fit *fit, uint32_t frame, lm_vec3 *scratch, evidence *e) {
    lm_placed joints[LM_MAX_SKELETON_BONES];
    size_t all = 0;
    lm_move_joints(fit->made, &(lm_pose){frame, frame, 0}, joints);
    for (uint32_t i = 0; i < fit->mesh->num_surfaces; i++) {
        const lm_mesh_surface *s = &fit->mesh->surfaces[i];
        if (s->num_vertices == 0)
            continue;
        const float *p = s->positions + 3 * (size_t)frame * s->num_vertices;
        lm_move_surface(fit->made, i, &(lm_pose){frame, frame, 0}, joints, scratch, NULL);
        for (uint32_t v = 0; v < s->num_vertices; v++, all++, p += 3) {
            const double away[3] = {(double)scratch[v].x - (double)p[0],
                                    (double)scratch[v].y - (double)p[1],
                                    (double)scratch[v].z - (double)p[2]};
            double square = 0;
            for (int c = 0; c < 3; c++) {
                square += away[c] * away[c];
                e->products += away[c] * e->before[3 * all + (size_t)c];
                e->before[3 * all + (size_t)c] = away[c];
            }
            e->frames[frame].sum += square;
            e->frames[frame].count += 3;
            e->frames[frame].most = fmax(e->frames[frame].most, square);
            e->vertices[all] += square;
        }
    }
}

/* ---- The verdict ---------------------------------------------------------------------------- */

/* In quanta, as sydney's error is 1.1 and that of sculpted movements 5. */
#define FRAME_WARNING 8
#define VERTEX_WARNING 20
#define LARGE_WARNING 0.05   /* of the size */
#define SCULPTED_WARNING 0.5 /* correlation of the errors of consecutive frames */

static bool say(lm_fit *fit, lm_skeleton_verdict verdict, const char *sentence, ...)
    LM_PRINTF(3, 4);

static bool say(lm_fit *fit, lm_skeleton_verdict verdict, const char *sentence, ...) {
    va_list arguments;
    va_start(arguments, sentence);
    fit->made->verdict = verdict;
    fit->made->reason = lm_arena_sentence(lm_arena_of(fit->made), sentence, arguments);
    va_end(arguments);
    return fit->made->reason != NULL;
}

static bool judge(lm_fit *fit, const evidence *e) {
    const lm_skeleton *made = fit->made;
    const double q = made->quantum, error = made->all.rms_error, limit = fit->options.max_error;
    double frame = 0, vertex = 0;
    size_t all = 0;
    for (uint32_t f = 0; f < made->num_frames; f++)
        frame = fmax(frame, made->frames[f].rms_error);
    for (uint32_t i = 0; i < made->num_surfaces; i++)
        for (uint32_t v = 0; v < made->surfaces[i].num_vertices; v++, all++)
            vertex = fmax(vertex, sqrt(e->vertices[all] / (3.0 * made->num_frames)));
    fit->made->verdict = LM_SKELETON_ACCEPTED;
    fit->made->reason = "";
    if (all == 0)
        return say(fit, LM_SKELETON_REFUSED, "there are no vertices");
    if (!fit->moves)
        return say(fit, LM_SKELETON_REFUSED, "nothing moves");
    if (error > 2 * limit)
        return say(fit, LM_SKELETON_REFUSED,
                   "no skeleton of %u joint%s explains the movement: its error is %.3g units, %.3g "
                   "times that of the file's rounding",
                   (unsigned)made->num_joints, made->num_joints == 1 ? "" : "s", error, error / q);
    if (error > limit)
        return say(fit, LM_SKELETON_WARNED, "the error is %.3g units, %.3g times that of rounding",
                   error, error / q);
    if (frame > FRAME_WARNING * q && frame > 2 * limit)
        return say(fit, LM_SKELETON_WARNED, "in the worst frame, the error is %.3g units", frame);
    if (vertex > VERTEX_WARNING * q && vertex > 2 * limit)
        return say(fit, LM_SKELETON_WARNED, "of the worst vertex, the error is %.3g units", vertex);
    if (made->all.max_error > LARGE_WARNING * fit->size)
        return say(fit, LM_SKELETON_WARNED, "a vertex is off by %.3g units in one frame",
                   made->all.max_error);
    if (e->products > SCULPTED_WARNING * error * error * 3.0 * (double)all * made->num_frames &&
        error > 1.5 * q)
        return say(fit, LM_SKELETON_WARNED,
                   "the movement looks sculpted: errors persist from frame to frame");
    return true;
}

/* ---- All ------------------------------------------------------------------------------------ */

static void fill_errors(lm_fit *fit, const evidence *e, lm_skeleton_error *frames,
                        lm_skeleton_error *clips) {
    tally all = {0, 0, 0};
    for (uint32_t f = 0; f < fit->mesh->num_frames; f++) {
        frames[f] = error_of(&e->frames[f]);
        add_tally(&all, &e->frames[f]);
    }
    for (uint32_t i = 0; i < fit->mesh->num_clips; i++) {
        const lm_clip *clip = &fit->mesh->clips[i];
        tally sum = {0, 0, 0};
        for (uint32_t f = 0; f < clip->count; f++)
            add_tally(&sum, &e->frames[clip->first + f]);
        clips[i] = error_of(&sum);
    }
    fit->made->all = error_of(&all);
    fit->made->frames = frames;
    fit->made->num_clips = fit->mesh->num_clips;
    fit->made->clips = clips;
}

bool lm_fit_measure(lm_fit *fit) {
    lm_arena *arena = lm_arena_of(fit->made);
    uint32_t most = 0;
    uint64_t all = 0;
    for (uint32_t i = 0; i < fit->mesh->num_surfaces; i++) {
        const uint32_t count = fit->mesh->surfaces[i].num_vertices;
        most = count > most ? count : most;
        all += count;
    }
    evidence e = {lm_arena_zeros(&fit->arena, fit->mesh->num_frames, sizeof *e.frames),
                  lm_arena_zeros(&fit->arena, all, sizeof *e.vertices),
                  lm_arena_zeros(&fit->arena, all, 3 * sizeof *e.before), 0};
    lm_vec3 *scratch = lm_arena_alloc(&fit->arena, most, sizeof *scratch);
    lm_skeleton_error *frames = lm_arena_alloc(arena, fit->mesh->num_frames, sizeof *frames);
    lm_skeleton_error *clips = lm_arena_alloc(arena, fit->mesh->num_clips, sizeof *clips);
    if (lm_arena_failed(arena) || lm_arena_failed(&fit->arena))
        return false;
    for (uint32_t f = 0; f < fit->mesh->num_frames; f++)
        tally_frame(fit, f, scratch, &e);
    fill_errors(fit, &e, frames, clips);
    if (fit->made->num_correctives == 0)
        fit->made->uncorrected = fit->made->all;
    return judge(fit, &e);
}
