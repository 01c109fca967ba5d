#include "math/vectors.h"

#include "lerpmesh/base.h"

#include <math.h>

_Alignas(64) const float lmi_rows_162[256][4] = {
#include "math/normals_162.inc"
};

/* The 256 normals: each ring is its first quarter, turned about z three times. */
#include "math/normals_256.inc"
#define TURNED_0(x, y, z) {x, y, z},
#define TURNED_1(x, y, z) {0 - (y), x, z},
#define TURNED_2(x, y, z) {0 - (x), 0 - (y), z},
#define TURNED_3(x, y, z) {y, 0 - (x), z},
#define RING(QUARTER, z) \
    QUARTER(TURNED_0, z) QUARTER(TURNED_1, z) QUARTER(TURNED_2, z) QUARTER(TURNED_3, z)

_Alignas(64) const float lmi_rows_256[256][4] = {RINGS(RING)};

/* A full turn in 256 steps, from those of its first quarter. */
#include "math/quarter_turn.inc"
#define QUARTER_2(sine, cosine) ROW(cosine, 0 - (sine))
#define QUARTER_3(sine, cosine) ROW(0 - (sine), 0 - (cosine))
#define QUARTER_4(sine, cosine) ROW(0 - (cosine), sine)
#define FULL_TURN \
    {QUARTER_TURN(ROW) QUARTER_TURN(QUARTER_2) QUARTER_TURN(QUARTER_3) QUARTER_TURN(QUARTER_4)}

#define ROW(sine, cosine) {(float)(sine), (float)(sine), (float)(cosine)},
_Alignas(64) const float lmi_rows_rho[256][4] = FULL_TURN;
#undef ROW

#define ROW(sine, cosine) {(float)(cosine), (float)(sine), 1},
_Alignas(64) const float lmi_rows_sigma[256][4] = FULL_TURN;
#undef ROW

static const lm_vec3 normals_162[LM_NUM_NORMALS_162] = {
#include "math/normals_162.inc"
};

static const lm_vec3 normals_256[LM_NUM_NORMALS_256] = {RINGS(RING)};

const lm_vec3 *lm_normal_table(uint32_t count) {
    if (count == LM_NUM_NORMALS_162)
        return normals_162;
    return count == LM_NUM_NORMALS_256 ? normals_256 : NULL;
}

/* ---- Angles -------------------------------------------------------------------------------- */

#define STEPS 256u /* of a full turn */

#define SINE(sine, cosine) sine,
static const double sines[STEPS / 4 + 1] = {QUARTER_TURN(SINE) 1.0};

static double sine(unsigned step) {
    const unsigned half = step % (STEPS / 2);
    const double up = sines[half > STEPS / 4 ? STEPS / 2 - half : half];
    return step % STEPS < STEPS / 2 ? up : 0 - up;
}

static double cosine(unsigned step) {
    return sine(step + STEPS / 4);
}

static void from_angles(unsigned rho, unsigned sigma, float out[3]) {
    out[0] = (float)(cosine(sigma) * sine(rho));
    out[1] = (float)(sine(sigma) * sine(rho));
    out[2] = (float)cosine(rho);
}

void lm_normal_from_angles(uint8_t rho, uint8_t sigma, lm_vec3 *normal) {
    float n[3];
    from_angles(rho, sigma, n);
    *normal = (lm_vec3){n[0], n[1], n[2]};
}

/* ---- The nearest normal of a table --------------------------------------------------------- */

static double size_of(lm_vec3 d) {
    return fabs((double)d.x) + fabs((double)d.y) + fabs((double)d.z);
}

/* Replaces a direction that is zero or not finite by (0, 0, 1). */
static lm_vec3 usable(lm_vec3 d) {
    const double size = size_of(d);
    return size > 0 && size < INFINITY ? d : (lm_vec3){0, 0, 1};
}

static double product(lm_vec3 a, const float b[3]) {
    return (double)a.x * (double)b[0] + (double)a.y * (double)b[1] + (double)a.z * (double)b[2];
}

#ifdef LM_SMALL

static uint8_t nearest(const float normals[][4], unsigned count, const lm_vec3 *any) {
    const lm_vec3 direction = usable(*any);
    double best_product = -INFINITY;
    unsigned best = 0;
    for (unsigned i = 0; i < count; i++) {
        const double candidate = product(direction, normals[i]);
        if (candidate > best_product) {
            best = i;
            best_product = candidate;
        }
    }
    return (uint8_t)best;
}

uint8_t lmi_nearest_normal_162(const lm_vec3 *direction) {
    return nearest(lmi_rows_162, LM_NUM_NORMALS_162, direction);
}

uint8_t lmi_nearest_normal_256(const lm_vec3 *direction) {
    return nearest(lmi_rows_256, LM_NUM_NORMALS_256, direction);
}

#else

/* The table's normals are mirror images of those in the octant of positive coordinates. The grid is
 * over the directions in that octant, a triangle of the octahedron around the origin. The list of
 * each cell has every normal of the octant that is nearest to any direction in the cell.
 * scripts/make_tables.py explains why none is missing. */
#define GRID 64
/* A coordinate below this share of the direction's size may be too small to change a product: then
 * two mirror images may be equally near. */
#define FLAT 1e-9

typedef struct normal_grid {
    const float (*normals)[4];
    uint8_t octants[8][44]; /* the indices of the octant's normals, and of their mirror images by
                               the signs of x (bit 0), y and z */
    uint16_t cells[(GRID + 1) * (GRID + 2) / 2]; /* where each cell's list starts, row by row */
    uint8_t lists[600]; /* a count, at least 2, then normals of the octant */
} normal_grid;

static unsigned cell_of(double u, double v) {
    const unsigned column = u < 1 ? (unsigned)(u * GRID) : GRID - 1;
    const unsigned row = v < 1 ? (unsigned)(v * GRID) : GRID - 1;
    return row * (2 * GRID + 3 - row) / 2 + column;
}

/* Returns the nearest of a list's normals and of their mirror images by the axes in `flat`; of
 * several, the one with the lowest index. */
static uint8_t lowest_image(const normal_grid *grid, const uint8_t *list, lm_vec3 direction,
                            unsigned signs, unsigned flat) {
    double best_product = -INFINITY;
    uint8_t best = 0;
    for (unsigned octant = 0; octant < 8; octant++)
        for (unsigned i = 1; i <= list[0] && ((octant ^ signs) & ~flat) == 0; i++) {
            const uint8_t normal = grid->octants[octant][list[i]];
            const double candidate = product(direction, grid->normals[normal]);
            if (candidate > best_product || (candidate == best_product && normal < best)) {
                best_product = candidate;
                best = normal;
            }
        }
    return best;
}

static unsigned bits_of(bool x, bool y, bool z) {
    return (unsigned)x | (unsigned)y << 1 | (unsigned)z << 2;
}

static inline uint8_t nearest(const normal_grid *grid, const lm_vec3 *any) {
    const lm_vec3 d = usable(*any);
    const double size = size_of(d), x = fabs((double)d.x), y = fabs((double)d.y);
    const unsigned signs = bits_of(d.x < 0, d.y < 0, d.z < 0);
    const unsigned flat =
        bits_of(x < FLAT * size, y < FLAT * size, fabs((double)d.z) < FLAT * size);
    const uint8_t *list = grid->lists + grid->cells[cell_of(x / size, y / size)];
    const uint8_t *octant = grid->octants[signs];
    const double first = product(d, grid->normals[octant[list[1]]]);
    const double second = product(d, grid->normals[octant[list[2]]]);
    uint8_t best = list[1 + (second > first)];
    double best_product = second > first ? second : first;
    bool tied = second == first;
    for (unsigned i = 3; i <= list[0]; i++) {
        const double candidate = product(d, grid->normals[octant[list[i]]]);
        tied |= candidate == best_product;
        if (candidate > best_product) {
            best = list[i];
            best_product = candidate;
        }
    }
    return tied || flat ? lowest_image(grid, list, d, signs, flat) : octant[best];
}

uint8_t lmi_nearest_normal_162(const lm_vec3 *direction) {
    static const normal_grid grid = {
        lmi_rows_162,
#include "math/grid_162.inc"
    };
    return nearest(&grid, direction);
}

uint8_t lmi_nearest_normal_256(const lm_vec3 *direction) {
    static const normal_grid grid = {
        lmi_rows_256,
#include "math/grid_256.inc"
    };
    return nearest(&grid, direction);
}

#endif

/* ---- The nearest pair of angles ------------------------------------------------------------ */

#define QUARTER (STEPS / 4.0) /* of a turn */

/* Returns a fast arc tangent in steps, accurate to 0.0005 of a step. y and x must not both be 0. It
 * has no branches, because they would be unpredictable. */
static double rough_steps(double y, double x) {
    const double up = fabs(y), across = fabs(x);
    const double t = (up < across ? up : across) / (up > across ? up : across), square = t * t;
    const double eighth = /* Abramowitz and Stegun, 4.4.49, in steps instead of radians */
        t *
        (40.7382 + square * (-13.4576 + square * (7.3396 + square * (-3.4686 + square * 0.8489))));
    const double quarter = QUARTER / 2 - copysign(QUARTER / 2 - eighth, across - up);
    return copysign(QUARTER - copysign(QUARTER - quarter, x), y);
}

/* The approximate angles of a direction in steps; sigma is at least 0. At the poles, sigma is
 * arbitrary. */
typedef struct rough_angles {
    double rho, sigma;
} rough_angles;

static rough_angles find_rough(lm_vec3 d) {
    const double flat = sqrt((double)d.x * d.x + (double)d.y * d.y);
    return (rough_angles){rough_steps(flat, (double)d.z),
                          flat > 0 ? rough_steps((double)d.y, (double)d.x) + STEPS : STEPS};
}

/* Rounds a direction's angles if they are unambiguous, as for most directions. The nearest sigma is
 * the same for any rho, and the rest of sigma moves rho by at most 0.0015 of a step. Returns false
 * near a midpoint, and near the poles, where sigma has little effect. */
static bool plain_angles(rough_angles at, uint8_t *rho, uint8_t *sigma) {
    const double least = 8, most = 2 * QUARTER - least, clear = 0.49;
    const int r = (int)(at.rho + 0.5), s = (int)(at.sigma + 0.5);
    *rho = (uint8_t)r;
    *sigma = (uint8_t)s;
    return at.rho >= least && at.rho <= most && fabs(at.rho - r) < clear &&
           fabs(at.sigma - s) < clear;
}

/* A full turn has twice the steps of a half circle, so each vector has a pair with rho in 0 .. 128:
 * the lower one of (rho, sigma) and (256 - rho, sigma + 128), which are equal to the last bit.
 *
 * For any rho, the nearest sigma is one of the two steps around the direction's own sigma. This
 * gives the component of the direction in sigma's plane, and the nearest rho is again one of two
 * steps. Both are among the nearest step and its two neighbours. At the poles sigma is 0. */
void lmi_nearest_normal_angles(const lm_vec3 *direction, uint8_t *rho, uint8_t *sigma) {
    const lm_vec3 d = usable(*direction);
    const rough_angles at = find_rough(d);
    if (plain_angles(at, rho, sigma))
        return;
    const int from_sigma = (int)(at.sigma + 0.5) - 1, from_rho = (int)(at.rho + 0.5) - 1;
    double best = -INFINITY;
    for (int r = from_rho < 0 ? 0 : from_rho; r <= from_rho + 2 && r <= (int)STEPS / 2; r++)
        for (int i = 0; i < 3; i++) {
            unsigned s = (unsigned)(from_sigma + i) % STEPS;
            float normal[3];
            from_angles((unsigned)r, s, normal);
            const double candidate = product(d, normal);
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
