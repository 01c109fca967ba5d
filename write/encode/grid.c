#include "encode/grid.h"

#include <math.h>

/* ---- A grid of one frame ------------------------------------------------------------------ */

/* The error of coordinates that were stored as floats several times, as a fraction of the largest.
 */
#define NOISE 0x1p-20
/* A grid is recognised only if its steps are this many times larger than the noise. */
#define CLEAR 16
/* Steps are tried up to this many half floats below and above the one found. */
#define NEARBY 8

bool lmi_own_begin(lm_own_values *values, double low, double high) {
    for (uint32_t i = 0; i < values->count; i++)
        values->taken[values->cells[i]] = false;
    values->count = 0;
    values->low = low;
    values->high = high;
    values->noise = NOISE * fmax(fabs(low), fabs(high));
    if (!(high > low))
        return true;
    values->per_unit = (LM_OWN_CELLS - 1) / (high - low);
    return CLEAR * values->noise < (high - low) / LM_GRID_LAST && isfinite(values->per_unit);
}

bool lmi_own_add(lm_own_values *values, float x) {
    if (!(values->high > values->low))
        return true;
    const uint16_t cell = (uint16_t)(((double)x - values->low) * values->per_unit);
    float *low = &values->lows[cell], *high = &values->highs[cell];
    if (!values->taken[cell]) {
        if (values->count == LM_OWN_VALUES)
            return false;
        values->taken[cell] = true;
        values->cells[values->count++] = cell;
        *low = *high = x;
    }
    *low = fminf(*low, x);
    *high = fmaxf(*high, x);
    return (double)*high - (double)*low <= 2 * values->noise;
}

static bool is_near_line(const lm_own_values *values, float x, double step) {
    const double line = ((double)x - values->low) / step;
    return fabs(line - floor(line + 0.5)) * step <= values->noise;
}

static bool fits(const lm_own_values *values, double step) {
    for (uint32_t i = 0; i < values->count; i++)
        if (!is_near_line(values, values->lows[values->cells[i]], step) ||
            !is_near_line(values, values->highs[values->cells[i]], step))
            return false;
    return true;
}

/* Counts the coordinates that are decoded exactly. */
static uint32_t count_exact(const lm_own_values *values, float step) {
    uint32_t count = 0;
    const float start = (float)values->low;
    for (uint32_t i = 0; i < values->count; i++) {
        const float x = values->lows[values->cells[i]];
        const float line = (float)floor(((double)x - values->low) / (double)step + 0.5);
        count += line * step + start == x;
    }
    return count;
}

static float most_exact(const lm_own_values *values, float step) {
    float best = step;
    uint32_t most = count_exact(values, step);
    for (int i = -NEARBY; i <= NEARBY && most < values->count; i++) {
        const float at = (float)((double)step * (1 + i * 0x1p-24));
        const uint32_t count = count_exact(values, at);
        if (count > most) {
            most = count;
            best = at;
        }
    }
    return best;
}

float lmi_own_step(const lm_own_values *values) {
    if (!(values->high > values->low))
        return 0;
    for (int lines = LM_GRID_LAST; lines > 0; lines--) {
        const double step = (values->high - values->low) / lines;
        if (fits(values, step))
            return most_exact(values, (float)step);
    }
    return -1;
}

/* Steps have at most STEP_BITS significant bits, so that 255 steps and their start are exact
 * floats. */
#define STEP_BITS 12
#define FLOAT_BITS 24
/* Smaller steps count as 0. */
#define LEAST_STEP 1e-20
/* Weights of still vertices are integers in this unit, so that their sum does not depend on its
 * order. */
#define WEIGHT_ONE 65536.0

/* ---- Frames --------------------------------------------------------------------------------- */

typedef struct axis_frame {
    double low, high;
    uint64_t still; /* vertices that do not move from the previous frame, in 1/65536 */
    float own;      /* the step of the grid that the frame keeps; < 0: none */
} axis_frame;

typedef struct choosing {
    const lm_grid_candidate *request;
    axis_frame *frames; /* [num_frames] of the current axis */
    double *costs;      /* [num_frames + 1] of the cheapest partition of all frames before */
    uint32_t *runs;     /* [num_frames + 1] start of the last run in that partition */
    lm_own_values *values;
    uint64_t num_used;
} choosing;

static const float *row_of(const lm_grid_points *points, uint32_t frame, int axis) {
    return points->positions + 3 * (size_t)frame * points->num_vertices + axis;
}

static void find_range(choosing *c, uint32_t frame, int axis) {
    axis_frame *out = &c->frames[frame];
    *out = (axis_frame){INFINITY, -INFINITY, 0, -1};
    for (uint32_t i = 0; i < c->request->num_points; i++) {
        const lm_grid_points *points = &c->request->points[i];
        const float *x = row_of(points, frame, axis);
        for (size_t v = 0; v < points->num_vertices; v++)
            if (points->used[v]) {
                out->low = (double)x[3 * v] < out->low ? (double)x[3 * v] : out->low;
                out->high = (double)x[3 * v] > out->high ? (double)x[3 * v] : out->high;
            }
    }
    if (out->low > out->high)
        out->low = out->high = 0;
}

static double extent_of(const axis_frame *frame) {
    return frame->high - frame->low;
}

static void find_still(choosing *c, uint32_t frame, int axis) {
    axis_frame *out = &c->frames[frame];
    const double extent = fmax(extent_of(out), extent_of(out - 1));
    const double slow = extent / LM_GRID_LAST / 4;
    for (uint32_t i = 0; i < c->request->num_points; i++) {
        const lm_grid_points *points = &c->request->points[i];
        const float *x = row_of(points, frame, axis), *before = row_of(points, frame - 1, axis);
        for (size_t v = 0; v < points->num_vertices; v++) {
            const double moved = fabs((double)x[3 * v] - (double)before[3 * v]);
            if (points->used[v] && (moved < slow || moved == 0))
                out->still += (uint64_t)(slow > 0 ? WEIGHT_ONE * (1 - moved / slow) : WEIGHT_ONE);
        }
    }
}

/* ---- Grids that frames already have ---------------------------------------------------------- */

static float find_own(choosing *c, uint32_t frame, int axis) {
    if (!lmi_own_begin(c->values, c->frames[frame].low, c->frames[frame].high))
        return -1;
    for (uint32_t i = 0; i < c->request->num_points; i++) {
        const lm_grid_points *points = &c->request->points[i];
        const float *x = row_of(points, frame, axis);
        for (size_t v = 0; v < points->num_vertices; v++)
            if (points->used[v] && !lmi_own_add(c->values, x[3 * v]))
                return -1;
    }
    const float step = lmi_own_step(c->values);
    return step > 0 && (double)step < LEAST_STEP ? -1 : step;
}

/* Frames keep their grids only if all frames of the movement have one: static vertices would move
 * between a frame that keeps its grid and one that does not. */
static void keep_grids(choosing *c, int axis) {
    const uint32_t num_frames = c->request->num_frames;
    for (uint32_t first = 0, end; first < num_frames; first = end) {
        bool kept = true;
        for (end = first + 1; end < num_frames && !c->request->begins[end];)
            end++;
        for (uint32_t f = first; kept && f < end; f++)
            kept = (c->frames[f].own = find_own(c, f, axis)) >= 0;
        for (uint32_t f = first; !kept && f < end; f++)
            c->frames[f].own = -1;
    }
}

/* ---- Runs ----------------------------------------------------------------------------------- */

static double still_at(const choosing *c, uint32_t frame) {
    const bool free = frame == c->request->num_frames || c->request->begins[frame];
    return free ? 0 : (double)c->frames[frame].still / WEIGHT_ONE * c->request->stability / 2;
}

/* Finds the cheapest last run of the frames before `end`. */
static void find_run(choosing *c, uint32_t end) {
    const double vertices = (double)c->num_used, still = still_at(c, end);
    double best = INFINITY, extent = 0;
    for (uint32_t first = end; first > 0 && end - first < LM_GRID_MAX_RUN;) {
        if (first < end && (c->frames[first - 1].own >= 0 || c->frames[end - 1].own >= 0))
            break; /* a frame that keeps its grid is a run of its own */
        first--;
        extent = fmax(extent, extent_of(&c->frames[first]));
        const double square = extent * extent;
        const double least = square * ((end - first) * vertices + still);
        if (least > best)
            break; /* longer runs cost more as well */
        const double cost = c->costs[first] + least + square * still_at(c, first);
        if (cost < best) {
            best = cost;
            c->runs[end] = first;
        }
    }
    c->costs[end] = best;
}

/* Returns a step that is not smaller than `step`. It has so few bits that its multiples up to
 * `far`, and their numbers, are exact floats. */
static double short_step(double step, double far) {
    int bits, exponent;
    step = fmax(step, far * 0x1p-21);
    frexp(far / step + 2, &bits);
    bits = FLOAT_BITS - bits < STEP_BITS ? FLOAT_BITS - bits : STEP_BITS;
    const double fraction = frexp(step, &exponent);
    return ldexp(ceil(ldexp(fraction, bits)), exponent - bits);
}

static double nearest_line(double x, double step) {
    return floor(x / step + 0.5);
}

static void fill_run(const choosing *c, uint32_t first, uint32_t end, int axis, lm_grid *grids) {
    double extent = 0, far = 0;
    if (c->frames[first].own >= 0) {
        const axis_frame *frame = &c->frames[first];
        lm_grid *grid = &grids[first];
        grid->step[axis] = frame->own;
        grid->first[axis] = 0;
        grid->start[axis] = grid->origin[axis] = (float)frame->low;
        return;
    }
    for (uint32_t f = first; f < end; f++) {
        extent = fmax(extent, extent_of(&c->frames[f]));
        far = fmax(far, fmax(fabs(c->frames[f].low), fabs(c->frames[f].high)));
    }
    const double least = extent / LM_GRID_LAST;
    const double step = least > LEAST_STEP ? short_step(least, far) : 0;
    for (uint32_t f = first; f < end; f++) {
        const double low = c->frames[f].low;
        const double line = step > 0 ? nearest_line(low, step) : 0;
        grids[f].step[axis] = (float)step;
        grids[f].first[axis] = (int32_t)line;
        grids[f].start[axis] = (float)(step > 0 ? line * step : low);
        grids[f].origin[axis] = 0;
        if (fabsf(grids[f].start[axis]) < (float)LEAST_STEP)
            grids[f].start[axis] = 0;
    }
}

bool lmi_grid_choose(const lm_grid_candidate *request, lm_grid *grids, lm_arena *arena) {
    choosing c = {.request = request,
                  .frames = lmi_arena_alloc(arena, request->num_frames, sizeof *c.frames),
                  .costs =
                      lmi_arena_alloc(arena, (uint64_t)request->num_frames + 1, sizeof *c.costs),
                  .runs = lmi_arena_alloc(arena, (uint64_t)request->num_frames + 1, sizeof *c.runs),
                  .values = lmi_arena_zeros(arena, 1, sizeof *c.values)};
    if (!c.frames || !c.costs || !c.runs || !c.values)
        return false;
    for (uint32_t i = 0; i < request->num_points; i++)
        for (uint32_t v = 0; v < request->points[i].num_vertices; v++)
            c.num_used += request->points[i].used[v];
    for (int axis = 0; axis < 3; axis++) {
        const uint32_t num_frames = c.request->num_frames;
        for (uint32_t f = 0; f < num_frames; f++)
            find_range(&c, f, axis);
        for (uint32_t f = 1; f < num_frames; f++)
            if (!c.request->begins[f])
                find_still(&c, f, axis);
        keep_grids(&c, axis);
        c.costs[0] = 0;
        for (uint32_t end = 1; end <= num_frames; end++)
            find_run(&c, end);
        for (uint32_t end = num_frames; end > 0; end = c.runs[end])
            fill_run(&c, c.runs[end], end, axis, grids);
    }
    return true;
}

/* ---- Rounding ------------------------------------------------------------------------------- */

static double line_at(const lm_grid *grid, int axis, uint8_t line) {
    return ((double)grid->first[axis] + line) * (double)grid->step[axis] +
           (double)grid->origin[axis];
}

static uint8_t line_number(const lm_grid *grid, int axis, double line) {
    const double q = line - grid->first[axis];
    return (uint8_t)(q < 0 ? 0 : q > LM_GRID_LAST ? LM_GRID_LAST : q);
}

int8_t lmi_grid_rest(const lm_grid *grid, int axis, uint8_t line, float x) {
    const double step = (double)grid->step[axis];
    if (!(step > 0))
        return 0;
    const double at = line_at(grid, axis, line);
    const double rest = floor(((double)x - at) / step * 256 + 0.5);
    return (int8_t)(rest < -128 ? -128 : rest > 127 ? 127 : rest);
}

/* Weight of the squared error of a movement relative to that of a position: for still vertices, and
 * for slow ones if smoothing is on. Slow vertices move by less than a third of a step. Faster ones
 * jerk less relative to their speed, but would cost as much. */
#define STILL 8.0
#define SLOW 2.0
#define SLOWEST 3 /* slow: below 1 / SLOWEST of a step */

/* The lines near a position. */
#define NEAR LM_GRID_WAYS
#define BELOW 1 /* lines below the one that is next below the position */
typedef struct near_lines {
    uint8_t lines[NEAR];
    double at[NEAR], costs[NEAR]; /* of the cheapest path to each line */
} near_lines;

static double from_at(const lm_grid_path *path, uint32_t frame) {
    return (double)path->from[frame * path->from_stride];
}

static near_lines lines_at(const lm_grid_path *path, uint32_t frame, int axis) {
    near_lines c;
    const lm_grid *grid = &path->grids[frame];
    const double x = from_at(path, frame), step = (double)grid->step[axis];
    const double low = step > 0 ? floor((x - (double)grid->origin[axis]) / step) - BELOW : 0;
    const double reach = (double)path->reach[axis] * (path->smooth ? 2 : 1) * (1 + 1e-9);
    for (int i = 0; i < NEAR; i++) {
        c.lines[i] = step > 0 ? line_number(grid, axis, low + i) : 0;
        c.at[i] = step > 0 ? line_at(grid, axis, c.lines[i]) : x;
        const double error = fabs(c.at[i] - x);
        c.costs[i] = error <= reach ? error * error : INFINITY;
    }
    return c;
}

static int cheapest(const double costs[NEAR]) {
    int best = 0;
    for (int i = 1; i < NEAR; i++)
        best = costs[i] < costs[best] ? i : best;
    return best;
}

/* Adds the cheapest transition to the cost of each line; `origins` receives its origin. */
static void step_on(const near_lines *before, near_lines *c, double moved, double price,
                    uint8_t origins[NEAR]) {
    for (int i = 0; i < NEAR; i++) {
        double costs[NEAR];
        for (int k = 0; k < NEAR; k++) {
            const double error = c->at[i] - before->at[k] - moved;
            costs[k] = before->costs[k] + price * error * error;
        }
        origins[i] = (uint8_t)cheapest(costs);
        c->costs[i] += costs[origins[i]];
    }
}

static double moved_at(const lm_grid_path *path, uint32_t frame) {
    return from_at(path, frame) - from_at(path, frame - 1);
}

/* Returns the weight of a squared error in the movement to a frame, or 0. */
static double price_of(const lm_grid_path *path, uint32_t frame, int axis) {
    if (path->begins[frame])
        return 0;
    const double moved = moved_at(path, frame);
    const bool slow = path->smooth && SLOWEST * fabs(moved) < (double)path->grids[frame].step[axis];
    return moved == 0 ? STILL : slow ? SLOW : 0;
}

/* Rounds a run of frames, by dynamic programming. Each frame but the first has a price. */
static void round_run(const lm_grid_path *path, int axis, uint32_t first, uint32_t end,
                      uint8_t *origins) {
    near_lines before = lines_at(path, first, axis);
    for (uint32_t f = first + 1; f < end; f++) {
        near_lines c = lines_at(path, f, axis);
        step_on(&before, &c, moved_at(path, f), price_of(path, f, axis),
                origins + NEAR * (size_t)f);
        before = c;
    }
    int choice = cheapest(before.costs);
    for (uint32_t f = end; f-- > first;) { /* back along the cheapest path */
        path->to[f * path->to_stride] = lines_at(path, f, axis).lines[choice];
        choice = f > first ? origins[NEAR * (size_t)f + (size_t)choice] : 0;
    }
}

void lmi_grid_reach(const lm_grid *grids, uint32_t num_frames, float reach[3]) {
    for (int axis = 0; axis < 3; axis++) {
        reach[axis] = 0;
        for (uint32_t f = 0; f < num_frames; f++)
            reach[axis] = fmaxf(reach[axis], grids[f].step[axis] / 2);
    }
}

void lmi_grid_round(const lm_grid_path *path, int axis, uint8_t *scratch) {
    for (uint32_t first = 0, end; first < path->num_frames; first = end) {
        end = first + 1;
        while (end < path->num_frames && price_of(path, end, axis) > 0)
            end++;
        if (end > first + 1) {
            round_run(path, axis, first, end, scratch);
            continue;
        }
        const lm_grid *grid = &path->grids[first];
        const double step = (double)grid->step[axis];
        const double x = from_at(path, first) - (double)grid->origin[axis];
        path->to[first * path->to_stride] =
            step > 0 ? line_number(grid, axis, nearest_line(x, step)) : 0;
    }
}
