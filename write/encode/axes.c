#include "encode/encoding.h"

#include "core/exact.h"
#include "math/vectors.h"

#include <string.h>

/* ---- Orthonormal axes ----------------------------------------------------------------------- */

/* Tolerance of orthonormal axes, above the rounding of converters: for cosines, and for the
 * difference of lengths from 1. */
#define SQUARE_ENOUGH 1e-4

static bool are_square(const lm_wide axis[3]) {
    for (int i = 0; i < 3; i++)
        if (!(fabs(lmi_wide_dot(axis[i], axis[i]) - 1) < 2 * SQUARE_ENOUGH) ||
            !(fabs(lmi_wide_dot(axis[i], axis[(i + 1) % 3])) < SQUARE_ENOUGH))
            return false;
    return true;
}

/* Returns the direction of the part of `v` that is perpendicular to `forward`, 1 long; the zero
 * vector if nothing is left. */
static lm_wide square_to(lm_wide forward, lm_wide v) {
    const lm_wide rest = lmi_wide_sum(v, forward, -lmi_wide_dot(v, forward));
    const double length = lmi_wide_length(rest), least = 1e-9 * lmi_wide_length(v);
    return length > least ? lmi_wide_sum((lm_wide){0, 0, 0}, rest, 1 / length) : (lm_wide){0, 0, 0};
}

bool lmi_axes_mirrored(const lm_vec3 axis[3]) {
    return lmi_wide_dot(lmi_wide_cross(lmi_wide_of(axis[0]), lmi_wide_of(axis[1])),
                        lmi_wide_of(axis[2])) < 0;
}

void lmi_square_axes(const lm_vec3 axis[3], lm_vec3 out[3]) {
    static const lm_wide none = {0, 0, 0}, sides[3] = {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}};
    lm_wide a[3] = {lmi_wide_of(axis[0]), lmi_wide_of(axis[1]), lmi_wide_of(axis[2])};
    const bool mirrored = lmi_axes_mirrored(axis);
    memcpy(out, axis, 3 * sizeof *out);
    if (are_square(a))
        return;
    a[0] = square_to(none, a[0]);
    if (lmi_wide_dot(a[0], a[0]) == 0)
        a[0] = sides[2];
    a[1] = square_to(a[0], a[1]);
    for (int i = 0; i < 3 && lmi_wide_dot(a[1], a[1]) == 0; i++)
        a[1] = square_to(a[0], sides[i]);
    a[2] = lmi_wide_sum(none, lmi_wide_cross(a[0], a[1]), mirrored ? -1 : 1);
    for (int i = 0; i < 3; i++)
        out[i] = (lm_vec3){(float)a[i].x, (float)a[i].y, (float)a[i].z};
}

/* ---- Angles --------------------------------------------------------------------------------- */

/* Returns the axes for angles in steps, in the engines' convention of pitch, yaw and roll. */
static void axes_of_steps(const double steps[3], double full_turn, lm_wide axis[3]) {
    const double sp = lmi_sine(steps[0] / full_turn), cp = lmi_cosine(steps[0] / full_turn);
    const double sy = lmi_sine(steps[1] / full_turn), cy = lmi_cosine(steps[1] / full_turn);
    const double sr = lmi_sine(steps[2] / full_turn), cr = lmi_cosine(steps[2] / full_turn);
    axis[0] = (lm_wide){cp * cy, cp * sy, -sp};
    axis[1] = (lm_wide){sr * sp * cy - cr * sy, sr * sp * sy + cr * cy, sr * cp};
    axis[2] = (lm_wide){cr * sp * cy + sr * sy, cr * sp * sy - sr * cy, cr * cp};
}

/* Returns the nearest integer number of steps. */
static double nearest_steps(double turns, double full_turn) {
    return floor(turns * full_turn + 0.5);
}

/* Finds the best roll for a pitch and yaw. Returns the similarity of the axes: 3 if they are
 * equal. */
static double find_roll(double steps[3], double full_turn, const lm_wide axis[3]) {
    lm_wide made[3];
    steps[2] = 0;
    axes_of_steps(steps, full_turn, made);
    steps[2] =
        nearest_steps(lmi_angle(lmi_wide_dot(axis[1], made[2]) - lmi_wide_dot(axis[2], made[1]),
                                lmi_wide_dot(axis[1], made[1]) + lmi_wide_dot(axis[2], made[2])),
                      full_turn);
    axes_of_steps(steps, full_turn, made);
    return lmi_wide_dot(made[0], axis[0]) + lmi_wide_dot(made[1], axis[1]) +
           lmi_wide_dot(made[2], axis[2]);
}

#define MAX_ROUNDS 8 /* one or two suffice, except near straight up or down */

/* Rounding each angle separately may miss the nearest rotation. So the function also tries the
 * neighbouring steps, as long as one is better. */
void lmi_nearest_angles(const lm_vec3 axes[3], int full_turn, int16_t out[3]) {
    const lm_wide axis[3] = {lmi_wide_of(axes[0]), lmi_wide_of(axes[1]), lmi_wide_of(axes[2])};
    const double level = sqrt(axis[0].x * axis[0].x + axis[0].y * axis[0].y);
    double best[3] = {nearest_steps(lmi_angle(-axis[0].z, level), full_turn),
                      nearest_steps(lmi_angle(axis[0].y, axis[0].x), full_turn), 0};
    double most = find_roll(best, full_turn, axis);
    bool better = true;
    for (int round = 0; better && round < MAX_ROUNDS; round++) {
        const double centre[2] = {best[0], best[1]};
        better = false;
        for (int n = 0; n < 9; n++) {
            const int row = n / 3 - 1, column = n % 3 - 1;
            double near[3] = {centre[0] + column, centre[1] + row, 0};
            const double found = find_roll(near, full_turn, axis);
            if (found <= most)
                continue;
            most = found;
            better = true;
            memcpy(best, near, sizeof best);
        }
    }
    for (int i = 0; i < 3; i++)
        out[i] = (int16_t)best[i];
}
