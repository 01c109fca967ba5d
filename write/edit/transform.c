/* Transforms a model: scales it, rotates it by quarter turns, moves it. */
#include "core/options.h"
#include "edit/editing.h"
#include "lerpmesh/base.h"
#include "math/vectors.h"

#include <math.h>
#include <stdio.h>

/* The source axes of x and y after 0 to 3 quarter turns, and their signs. */
static const struct quarter {
    int from[2];
    bool negative[2];
} quarters[4] = {{{0, 1}, {false, false}},
                 {{1, 0}, {true, false}},
                 {{0, 1}, {true, true}},
                 {{1, 0}, {false, true}}};

bool lmi_edit_sane(lm_edit *edit, lm_vec3 v) {
    return lmi_sane_vec3(v) ||
           lmi_call_fail(edit->call, LM_CODE_LIMIT,
                         "a coordinate would exceed %g units, the limit of all readers",
                         (double)LM_HUGE);
}

/* Returns one coordinate of a transformed point. */
static double transformed_at(const lm_edit_transformation *to, const double p[3], int axis) {
    const double there = p[to->from[axis]] * to->scale;
    return (to->negative[axis] ? -there : there) + to->move[axis];
}

lm_vec3 lmi_edit_transform_point(const lm_edit_transformation *to, lm_vec3 p) {
    const double from[3] = {(double)p.x, (double)p.y, (double)p.z};
    return (lm_vec3){(float)transformed_at(to, from, 0), (float)transformed_at(to, from, 1),
                     (float)transformed_at(to, from, 2)};
}

lm_vec3 lmi_edit_rotate_direction(const lm_edit_transformation *to, lm_vec3 d) {
    const float from[3] = {d.x, d.y, d.z};
    const float x = from[to->from[0]], y = from[to->from[1]];
    return (lm_vec3){to->negative[0] ? -x : x, to->negative[1] ? -y : y, d.z};
}

void lmi_edit_transform_box(const lm_edit_transformation *to, lm_vec3 *min, lm_vec3 *max) {
    const lm_vec3 a = lmi_edit_transform_point(to, *min), b = lmi_edit_transform_point(to, *max);
    *min = (lm_vec3){to->negative[0] ? b.x : a.x, to->negative[1] ? b.y : a.y, a.z};
    *max = (lm_vec3){to->negative[0] ? a.x : b.x, to->negative[1] ? a.y : b.y, b.z};
}

void lmi_edit_rotate_normals(const lm_edit_transformation *to, const lm_vec3 *normals, size_t count,
                             uint8_t (*nearest)(const lm_vec3 *direction), uint8_t *transformed) {
    for (size_t i = 0; i < count; i++) {
        const lm_vec3 direction = lmi_edit_rotate_direction(to, normals[i]);
        transformed[i] = to->quarters == 0 ? (uint8_t)i : nearest(&direction);
    }
}

void lmi_edit_rotate_packed(const lm_edit_transformation *to, const uint8_t *normals,
                            uint8_t *vertices, size_t count) {
    for (size_t i = 0; i < count; i++, vertices += 4) {
        const uint8_t from[3] = {vertices[0], vertices[1], vertices[2]};
        for (int axis = 0; axis < 2; axis++) {
            const uint8_t v = from[to->from[axis]];
            vertices[axis] = to->negative[axis] ? (uint8_t)(255 - v) : v;
        }
        if (normals && vertices[3] < LM_NUM_NORMALS_162)
            vertices[3] = normals[vertices[3]];
    }
}

bool lmi_edit_transform_grid(lm_edit *edit, const lm_edit_transformation *to, lm_vec3 *scale,
                             lm_vec3 *translate) {
    const double steps[3] = {(double)scale->x, (double)scale->y, (double)scale->z};
    const double begins[3] = {(double)translate->x, (double)translate->y, (double)translate->z};
    float step[3], begin[3];
    for (int axis = 0; axis < 3; axis++) {
        const int from = to->from[axis];
        const double far = begins[from] + 255 * steps[from];
        step[axis] = (float)(steps[from] * to->scale);
        begin[axis] =
            (float)((to->negative[axis] ? -far : begins[from]) * to->scale + to->move[axis]);
    }
    *scale = (lm_vec3){step[0], step[1], step[2]};
    *translate = (lm_vec3){begin[0], begin[1], begin[2]};
    return lmi_edit_sane(edit, *scale) && lmi_edit_sane(edit, *translate);
}

bool lmi_edit_round(lm_edit *edit, const lm_edit_transformation *to, double steps, double unit,
                    const char *what, uint32_t index, int16_t *out) {
    const double whole = floor(steps + 0.5);
    if (!(whole >= INT16_MIN && whole <= INT16_MAX))
        return lmi_call_fail(edit->call, LM_CODE_LIMIT,
                             "%s %u would be at %g units, but the format stores %g to %g", what,
                             (unsigned)index, steps * unit, INT16_MIN * unit, INT16_MAX * unit);
    if (!to->round && whole != steps)
        return lmi_call_fail(
            edit->call, LM_CODE_ROUNDING,
            "%s %u would be at %.9g units, which must be rounded to a multiple of %g", what,
            (unsigned)index, steps * unit, unit);
    *out = (int16_t)whole;
    return true;
}

static bool note_transform(lm_edit *edit, const lm_edit_transformation *to) {
    char scale[32], degrees[32], move[96];
    snprintf(scale, sizeof scale, "%g", to->scale);
    snprintf(degrees, sizeof degrees, "%d degrees", 90 * to->quarters);
    snprintf(move, sizeof move, "%g, %g, %g", to->move[0], to->move[1], to->move[2]);
    return (to->scale == 1 || lmi_edit_note(edit, "scale", "1", scale)) &&
           (to->quarters == 0 || lmi_edit_note(edit, "rotation about z", "0 degrees", degrees)) &&
           ((to->move[0] == 0 && to->move[1] == 0 && to->move[2] == 0) ||
            lmi_edit_note(edit, "place", "0, 0, 0", move));
}

bool lm_edit_set_transform(lm_edit *edit, const lm_edit_transform *transform, lm_error *error) {
    if (!LM_GIVEN(error, edit, transform))
        return false;
    static const lm_option_member table[] = {LM_MEMBER(lm_edit_transform, scale, FLOAT, 0),
                                             LM_MEMBER(lm_edit_transform, move, VEC3, 0),
                                             LM_MEMBER(lm_edit_transform, reserved, RESERVED, 0)};
    if (!lmi_options_valid(transform, "transform", table, sizeof table / sizeof *table, error))
        return false;
    lmi_edit_begin(edit, error);
    const int quarter = (transform->quarter_turns % 4 + 4) % 4;
    const struct quarter *q = &quarters[quarter];
    const lm_edit_transformation to = {.scale = transform->scale > 0 ? (double)transform->scale : 1,
                                       .move = {(double)transform->move.x + 0.0,
                                                (double)transform->move.y + 0.0,
                                                (double)transform->move.z + 0.0},
                                       .quarters = quarter,
                                       .from = {q->from[0], q->from[1], 2},
                                       .negative = {q->negative[0], q->negative[1], false},
                                       .round = transform->round};
    const bool nothing =
        to.scale == 1 && quarter == 0 && to.move[0] == 0 && to.move[1] == 0 && to.move[2] == 0;
    return lmi_edit_end(
        edit,
        nothing || (lmi_edit_can(edit, edit->editor->transform, "does not support transforms") &&
                    note_transform(edit, &to) && edit->editor->transform(edit, &to)));
}
