#include "lerpmesh/normals.h"

#include "core/exact.h"

#include <math.h>

const lm_vec3 lm_normals_162[LM_NUM_NORMALS_162] = {
#include "math/normals_162.inc"
};

const lm_vec3 lm_normals_256[LM_NUM_NORMALS_256] = {
#include "math/normals_256.inc"
};

/* ---- Angles -------------------------------------------------------------------------------- */

#define STEPS 256u /* of a full turn */

static const double sines[STEPS] = {
#include "math/sine_256.inc"
};

static double sine(unsigned step) {
    return sines[step % STEPS];
}

static double cosine(unsigned step) {
    return sines[(step + STEPS / 4) % STEPS];
}

static lm_vec3 from_angles(unsigned rho, unsigned sigma) {
    return (lm_vec3){(float)(cosine(sigma) * sine(rho)), (float)(sine(sigma) * sine(rho)),
                     (float)cosine(rho)};
}

void lm_normal_from_angles(uint8_t rho, uint8_t sigma, lm_vec3 *normal) {
    *normal = from_angles(rho, sigma);
}

/* ---- The nearest of a table ---------------------------------------------------------------- */

/* Directions that say nothing are taken as up. */
static lm_vec3 usable(lm_vec3 d) {
    const double size = fabs((double)d.x) + fabs((double)d.y) + fabs((double)d.z);
    return size > 0 && size < INFINITY ? d : (lm_vec3){0, 0, 1};
}

static double product(lm_vec3 a, lm_vec3 b) {
    return (double)a.x * (double)b.x + (double)a.y * (double)b.y + (double)a.z * (double)b.z;
}

/* A grid over all directions: the octahedron around the origin, its lower half folded out to make
 * a square. For each cell the lists hold every normal that is nearest to any direction in it; the
 * generator says why none is missing. */
#define GRID 64

typedef struct normal_grid {
    const lm_vec3 *normals;
    const uint16_t *cells; /* [GRID * GRID] where the list of each starts */
    const uint8_t *lists;  /* how many, then which, in ascending order */
} normal_grid;

static const uint16_t cells_162[GRID * GRID] = {
#include "math/grid_162_cells.inc"
};

static const uint8_t lists_162[] = {
#include "math/grid_162_lists.inc"
};

static const uint16_t cells_256[GRID * GRID] = {
#include "math/grid_256_cells.inc"
};

static const uint8_t lists_256[] = {
#include "math/grid_256_lists.inc"
};

static unsigned grid_line(double coordinate) {
    double line = (coordinate + 1) * GRID / 2;
    return line < GRID ? (unsigned)line : GRID - 1;
}

static unsigned cell_of(lm_vec3 d) {
    double size = fabs((double)d.x) + fabs((double)d.y) + fabs((double)d.z);
    double u = (double)d.x / size, v = (double)d.y / size;
    if (d.z < 0) {
        double folded = copysign(1 - fabs(v), u);
        v = copysign(1 - fabs(u), v);
        u = folded;
    }
    return grid_line(v) * GRID + grid_line(u);
}

static uint8_t nearest(const normal_grid *grid, lm_vec3 direction) {
    direction = usable(direction);
    const uint8_t *list = grid->lists + grid->cells[cell_of(direction)];
    uint8_t best = list[1];
    double best_product = product(direction, grid->normals[best]);
    for (unsigned i = 2; i <= list[0]; i++) {
        double candidate = product(direction, grid->normals[list[i]]);
        if (candidate > best_product) {
            best = list[i];
            best_product = candidate;
        }
    }
    return best;
}

uint8_t lm_nearest_normal_162(const lm_vec3 *direction) {
    static const normal_grid grid = {lm_normals_162, cells_162, lists_162};
    return nearest(&grid, *direction);
}

uint8_t lm_nearest_normal_256(const lm_vec3 *direction) {
    static const normal_grid grid = {lm_normals_256, cells_256, lists_256};
    return nearest(&grid, *direction);
}

/* ---- The nearest pair of angles ------------------------------------------------------------ */

#define QUARTER (STEPS / 4.0) /* of a turn */

/* A quick arc tangent in steps, to 0.0005 of one, of y and x that are not both 0. */
static double rough_steps(double y, double x) {
    const double up = fabs(y), across = fabs(x);
    const double t = up > across ? across / up : up / across, square = t * t;
    const double eighth = /* Abramowitz and Stegun, 4.4.49, in steps instead of radians */
        t *
        (40.7382 + square * (-13.4576 + square * (7.3396 + square * (-3.4686 + square * 0.8489))));
    const double quarter = up > across ? QUARTER - eighth : eighth;
    const double half = x < 0 ? 2 * QUARTER - quarter : quarter;
    return y < 0 ? -half : half;
}

/* Most directions are clearly nearest to one step of each angle: the nearest sigma is so for any
 * rho, and then rho's is. Not so near the poles, where sigma says little. */
static bool plain_angles(lm_vec3 d, double flat, uint8_t *rho, uint8_t *sigma) {
    const double least = 8, most = 2 * QUARTER - least, clear = 0.48;
    const double r = rough_steps(flat, (double)d.z);
    if (r < least || r > most)
        return false;
    const double s = rough_steps((double)d.y, (double)d.x) + STEPS; /* above 0 */
    const unsigned nearest_r = (unsigned)(r + 0.5), nearest_s = (unsigned)(s + 0.5);
    *rho = (uint8_t)nearest_r;
    *sigma = (uint8_t)(nearest_s % STEPS);
    return fabs(r - nearest_r) < clear && fabs(s - nearest_s) < clear;
}

/* A turn has twice the steps of half a circle, so each vector has a pair with rho in 0 .. 128: the
 * lower one of (rho, sigma) and (256 - rho, sigma + 128), which are equal to the last bit.
 *
 * For any rho the nearest sigma is one of the two beside the direction's own, so that the part of
 * the direction that lies in its plane is known; then the nearest rho is one of two as well. The
 * angles are taken a step wider than that, because they are rounded: a step further away costs a
 * thousand times more than the rounding of singles. At the poles, where sigma says nothing, it
 * is 0. */
void lm_nearest_normal_angles(const lm_vec3 *direction, uint8_t *rho, uint8_t *sigma) {
    lm_vec3 d = usable(*direction);
    double flat = sqrt((double)d.x * d.x + (double)d.y * d.y);
    if (plain_angles(d, flat, rho, sigma))
        return;
    int from_sigma = (int)floor(lm_angle((double)d.y, (double)d.x) * STEPS) - 1;
    int from_rho = (int)floor(lm_angle(flat, (double)d.z) * STEPS) - 1;
    double best = -INFINITY;
    for (int r = from_rho < 0 ? 0 : from_rho; r <= from_rho + 3 && r <= (int)STEPS / 2; r++)
        for (int i = 0; i < 4; i++) {
            unsigned s = (unsigned)(from_sigma + i) % STEPS;
            double candidate = product(d, from_angles((unsigned)r, s));
            bool lower = candidate == best && (unsigned)r == *rho && s < *sigma;
            if (candidate > best || lower) {
                best = candidate;
                *rho = (uint8_t)r;
                *sigma = (uint8_t)s;
            }
        }
    if (*rho % (STEPS / 2) == 0)
        *sigma = 0;
}
