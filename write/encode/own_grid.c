#include "encode/own_grid.h"

#include <math.h>

/* The error of coordinates that were stored as floats several times, as a fraction of the largest.
 */
#define NOISE 0x1p-20
/* A grid is recognised only if its steps are this many times larger than the noise. */
#define CLEAR 16
/* Steps are tried up to this many half floats below and above the one found. */
#define NEARBY 8

bool lm_own_begin(lm_own_values *values, double low, double high) {
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

bool lm_own_add(lm_own_values *values, float x) {
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

float lm_own_step(const lm_own_values *values) {
    if (!(values->high > values->low))
        return 0;
    for (int lines = LM_GRID_LAST; lines > 0; lines--) {
        const double step = (values->high - values->low) / lines;
        if (fits(values, step))
            return most_exact(values, (float)step);
    }
    return -1;
}
