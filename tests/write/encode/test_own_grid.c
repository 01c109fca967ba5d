/* Tests that frames that already lie on a grid of 256 lines keep it. */
#include "encode/grid.h"

#include "encoded.h"

#include <math.h>

enum {
    VERTICES = 90,
    FRAMES = 6
};

/* Frames of bytes on a grid each, as in an MD2. Frame 3 begins the second movement. */
typedef struct byte_frames {
    float steps[FRAMES][3], starts[FRAMES][3], positions[FRAMES][VERTICES][3];
    bool used[VERTICES], begins[FRAMES];
    lm_grid_points points;
    lm_grid_candidate request;
} byte_frames;

static void make_frames(byte_frames *b, uint32_t last, chance *c) {
    memset(b, 0, sizeof *b);
    for (int f = 0; f < FRAMES; f++)
        for (int axis = 0; axis < 3; axis++) {
            b->begins[f] = f % 3 == 0;
            b->steps[f][axis] = (float)pow(10, (double)chance_real(c, -4, 3));
            b->starts[f][axis] = b->steps[f][axis] * chance_real(c, -400, 150);
            for (int v = 0; v < VERTICES; v++) {
                const uint32_t line = v == 0 ? 0 : v == 1 ? last : chance_below(c, last + 1);
                b->positions[f][v][axis] = (float)line * b->steps[f][axis] + b->starts[f][axis];
            }
        }
    for (int v = 0; v < VERTICES; v++)
        b->used[v] = v != 2; /* which lies off the grid */
    for (int f = 0; f < FRAMES; f++)
        b->positions[f][2][1] = 1e7f;
    b->points = (lm_grid_points){b->positions[0][0], VERTICES, b->used};
    b->request = (lm_grid_candidate){FRAMES, 1, &b->points, b->begins, 64};
}

/* Returns the error of the nearest line, in steps of the original grid. */
static double error_of(const byte_frames *b, const lm_grid *grids, int frame, int vertex,
                       int axis) {
    const lm_grid *grid = &grids[frame];
    uint8_t line, scratch[LM_GRID_WAYS];
    const bool begins = true;
    const lm_grid_path path = {.num_frames = 1,
                               .grids = grid,
                               .begins = &begins,
                               .from = &b->positions[frame][vertex][axis],
                               .from_stride = 1,
                               .to = &line,
                               .to_stride = 1};
    lm_grid_round(&path, axis, scratch);
    const float at = (float)line * grid->step[axis] + grid->start[axis];
    return fabs((double)at - (double)*path.from) / (double)b->steps[frame][axis];
}

static void choose(byte_frames *b, lm_grid *grids, double worst[FRAMES][3]) {
    lm_heap heap;
    lm_heap_init(&heap, &(lm_memory){.max_bytes = SIZE_MAX}, 0);
    lm_arena arena = {.heap = &heap};
    assert_true(lm_grid_choose(&b->request, grids, &arena));
    for (int f = 0; f < FRAMES; f++)
        for (int axis = 0; axis < 3; axis++) {
            worst[f][axis] = 0;
            for (int v = 0; v < VERTICES; v++)
                if (b->used[v])
                    worst[f][axis] = fmax(worst[f][axis], error_of(b, grids, f, v, axis));
        }
    lm_arena_free(&arena);
}

/* Offsets are up to 400 steps: floats then store a step with 15 bits. */
#define NOTHING 0x1p-13

TEST(test_frames_on_grids_keep_them) {
    static byte_frames b;
    chance c = chance_from(1);
    for (int round = 0; round < 500; round++) {
        lm_grid grids[FRAMES];
        double worst[FRAMES][3];
        make_frames(&b, 1 + chance_below(&c, LM_GRID_LAST), &c);
        choose(&b, grids, worst);
        for (int f = 0; f < FRAMES; f++)
            for (int axis = 0; axis < 3; axis++)
                if (worst[f][axis] > NOTHING)
                    fail_msg("round %d: frame %d moves by %g steps", round, f, worst[f][axis]);
    }
}

/* Static vertices would move between a frame that keeps its grid and one that gets another. */
TEST(test_movements_keep_all_grids_or_none) {
    static byte_frames b;
    chance c = chance_from(2);
    for (int round = 0; round < 200; round++) {
        lm_grid grids[FRAMES];
        double worst[FRAMES][3];
        make_frames(&b, LM_GRID_LAST, &c);
        const int moved = (int)chance_below(&c, 3), axis = (int)chance_below(&c, 3);
        b.positions[moved][7][axis] += chance_real(&c, 0.2f, 0.8f) * b.steps[moved][axis];
        choose(&b, grids, worst);
        for (int f = 0; f < FRAMES; f++)
            for (int i = 0; i < 3; i++) {
                const bool kept = grids[f].origin[i] == grids[f].start[i];
                assert_true(kept == (f >= 3 || i != axis) || grids[f].start[i] == 0);
                assert_true(!kept || worst[f][i] <= NOTHING);
            }
    }
}

static float step_of(const float *x, uint32_t count) {
    static lm_own_values values;
    float low = x[0], high = x[0];
    for (uint32_t i = 1; i < count; i++) {
        low = fminf(low, x[i]);
        high = fmaxf(high, x[i]);
    }
    bool fits = lm_own_begin(&values, (double)low, (double)high);
    for (uint32_t i = 0; fits && i < count; i++)
        fits = lm_own_add(&values, x[i]);
    return fits ? lm_own_step(&values) : -1;
}

TEST(test_steps) {
    float x[300];
    assert_true(step_of((const float[]){3, 3, 3}, 3) == 0);
    assert_true(step_of((const float[]){0, 255, 17, 4}, 4) == 1);
    assert_true(step_of((const float[]){1, 2, 4.5f}, 3) > 0);
    assert_true(step_of((const float[]){0, 251, 250, 17}, 4) == 1);
    assert_true(step_of((const float[]){0, 255, 17.25f, 4, 9}, 5) == -1);
    assert_true(step_of((const float[]){1e6f, 1e6f + 1, 1e6f + 0.5f}, 3) == -1); /* too coarse */
    assert_true(step_of((const float[]){-3e38f, 3e38f}, 2) > 0);
    for (int i = 0; i < 300; i++)
        x[i] = (float)i;
    assert_true(step_of(x, 256) == 1);
    assert_true(step_of(x, 257) == -1);
    assert_true(step_of(x, 300) == -1);
    for (int i = 0; i < 256; i++) /* stored in other units */
        x[i] = (float)((double)((float)i * 0.37f - 20) * 0.0254) / 0.0254f;
    assert_true(fabsf(step_of(x, 256) - 0.37f) < 1e-6f);
}
