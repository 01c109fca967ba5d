#include "skeleton/rig.h"

bool lm_rig_alloc(lm_rig *rig, lm_arena *arena, uint32_t num_vertices, uint32_t num_frames,
                  uint32_t max_bones) {
    const uint64_t blocks = ((uint64_t)num_vertices + LM_LANES - 1) / LM_LANES;
    const uint64_t rows = 3 * (uint64_t)num_frames, square = (uint64_t)max_bones * max_bones;
    rig->arena = arena;
    rig->num_vertices = num_vertices;
    rig->num_frames = num_frames;
    rig->num_rows = (uint32_t)rows;
    rig->num_blocks = (uint32_t)blocks;
    rig->max_bones = max_bones;
    rig->x = lm_arena_zeros(arena, blocks * rows, LM_LANES * sizeof *rig->x);
    rig->squares = lm_arena_zeros(arena, num_vertices, sizeof *rig->squares);
    rig->frame_squares = lm_arena_zeros(arena, num_frames, sizeof *rig->frame_squares);
    rig->rest = lm_arena_zeros(arena, num_vertices, 3 * sizeof *rig->rest);
    rig->bones = lm_arena_zeros(arena, max_bones * rows, 4 * sizeof *rig->bones);
    rig->joints = lm_arena_zeros(arena, num_vertices, sizeof(uint16_t[LM_SKELETON_WEIGHTS]));
    rig->weights = lm_arena_zeros(arena, num_vertices, sizeof(double[LM_SKELETON_WEIGHTS]));
    rig->errors = lm_arena_zeros(arena, num_vertices, sizeof *rig->errors);
    rig->pairs = lm_arena_zeros(arena, square, sizeof *rig->pairs);
    rig->shares = lm_arena_zeros(arena, square, sizeof *rig->shares);
    rig->products = lm_arena_zeros(arena, (uint64_t)LM_LANES * max_bones, sizeof *rig->products);
    rig->targets = lm_arena_zeros(arena, max_bones * rows, sizeof *rig->targets);
    rig->left = lm_arena_alloc(arena, rows, sizeof *rig->left);
    return !lm_arena_failed(arena);
}

bool lm_rig_save_alloc(lm_rig *rig) {
    lm_arena *arena = rig->arena;
    const uint64_t count = rig->num_vertices, most = rig->max_bones;
    rig->saved_bones = lm_arena_alloc(arena, most * rig->num_rows, 4 * sizeof *rig->bones);
    rig->saved_weights = lm_arena_alloc(arena, count, sizeof(double[LM_SKELETON_WEIGHTS]));
    rig->saved_joints = lm_arena_alloc(arena, count, sizeof(uint16_t[LM_SKELETON_WEIGHTS]));
    rig->saved_rest = lm_arena_alloc(arena, count, 3 * sizeof *rig->rest);
    return !lm_arena_failed(arena);
}

static void copy_rig(const lm_rig *rig, bool back) {
    const size_t weights = (size_t)rig->num_vertices * LM_SKELETON_WEIGHTS;
    void *own[] = {rig->bones, rig->weights, rig->joints, rig->rest};
    void *saved[] = {rig->saved_bones, rig->saved_weights, rig->saved_joints, rig->saved_rest};
    const size_t sizes[] = {(size_t)rig->num_bones * rig->num_rows * 4 * sizeof(double),
                            weights * sizeof(double), weights * sizeof(uint16_t),
                            3 * (size_t)rig->num_vertices * sizeof(double)};
    for (int i = 0; i < 4; i++)
        memcpy(back ? own[i] : saved[i], back ? saved[i] : own[i], sizes[i]);
}

void lm_rig_save(lm_rig *rig) {
    copy_rig(rig, false);
}

void lm_rig_restore(lm_rig *rig) {
    copy_rig(rig, true);
}

/* Sums over all rows for the vertices of a block and one bone. */
static void sum_block(const double *x, const double *bone, uint32_t num_rows,
                      double sums[4][LM_LANES]) {
    double s[4][LM_LANES] = {{0}};
    for (uint32_t row = 0; row < num_rows; row++, x += LM_LANES, bone += 4)
        for (int d = 0; d < 4; d++)
            for (int i = 0; i < LM_LANES; i++)
                s[d][i] += bone[d] * x[i];
    memcpy(sums, s, sizeof s);
}

void lm_sum_products(lm_rig *rig, uint32_t block) {
    double sums[4][LM_LANES];
    for (uint32_t bone = 0; bone < rig->num_bones; bone++) {
        sum_block(rig->x + (size_t)block * rig->num_rows * LM_LANES, lm_rig_bone(rig, bone, 0),
                  rig->num_rows, sums);
        for (unsigned i = 0; i < LM_LANES; i++)
            for (int d = 0; d < 4; d++)
                lm_rig_product(rig, i, bone)[d] = sums[d][i];
    }
    rig->work += (uint64_t)LM_LANES * rig->num_bones * rig->num_rows * 4;
}

void lm_sum_pairs(lm_rig *rig) {
    for (uint32_t j = 0; j < rig->num_bones; j++)
        for (uint32_t k = 0; k <= j; k++) {
            double(*out)[4] = lm_rig_pair(rig, j, k), (*other)[4] = lm_rig_pair(rig, k, j);
            const double *a = lm_rig_bone(rig, j, 0);
            const double *b = lm_rig_bone(rig, k, 0);
            double s[4][4] = {{0}};
            for (uint32_t row = 0; row < rig->num_rows; row++, a += 4, b += 4)
                for (int d = 0; d < 4; d++)
                    for (int e = 0; e < 4; e++)
                        s[d][e] += a[d] * b[e];
            memcpy(out, s, sizeof s);
            for (int d = 0; d < 4; d++)
                for (int e = 0; e < 4 && k != j; e++)
                    other[e][d] = out[d][e];
        }
    rig->work += (uint64_t)rig->num_bones * rig->num_bones * rig->num_rows * 8;
}

/* Sums shares and targets over the vertices. */
void lm_sum_shares(lm_rig *rig) {
    memset(rig->shares, 0, (size_t)rig->max_bones * rig->max_bones * sizeof *rig->shares);
    memset(rig->targets, 0, (size_t)rig->num_bones * rig->num_rows * sizeof *rig->targets);
    for (uint32_t v = 0; v < rig->num_vertices; v++) {
        const double *p = rig->rest + 3 * (size_t)v, r[4] = {p[0], p[1], p[2], 1};
        const uint16_t *joints = rig->joints + (size_t)LM_SKELETON_WEIGHTS * v;
        const double *weights = rig->weights + (size_t)LM_SKELETON_WEIGHTS * v;
        for (int a = 0; a < LM_SKELETON_WEIGHTS && weights[a] > 0; a++) {
            const double weight = weights[a];
            const double scaled[4] = {weight * r[0], weight * r[1], weight * r[2], weight};
            const double *x = lm_rig_x(rig, v, 0);
            double(*out)[4] = rig->targets + (size_t)joints[a] * rig->num_rows;
            for (uint32_t row = 0; row < rig->num_rows; row++, x += LM_LANES)
                for (int d = 0; d < 4; d++)
                    out[row][d] += scaled[d] * *x;
            rig->work += (uint64_t)rig->num_rows * 4;
            for (int b = 0; b < LM_SKELETON_WEIGHTS && weights[b] > 0; b++) {
                double(*share)[4] = lm_rig_share(rig, joints[a], joints[b]);
                const double both = weights[a] * weights[b];
                for (int d = 0; d < 4; d++)
                    for (int e = 0; e < 4; e++)
                        share[d][e] += both * r[d] * r[e];
            }
        }
    }
}
