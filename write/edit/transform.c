/* Transforms a model: scales it, rotates it by quarter turns, moves it. */
#include "core/options.h"
#include "edit/editing.h"
#include "lerpmesh/base.h"
#include "model/build.h"

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

bool lm_edit_sane(lm_edit *edit, lm_vec3 v) {
    return lm_sane_vec3(v) ||
           lm_call_fail(edit->call, LM_CODE_LIMIT,
                        "a coordinate would exceed %g units, the limit of all readers",
                        (double)LM_HUGE);
}

lm_vec3 lm_edit_transform_point(const lm_edit_transformation *turn, lm_vec3 p) {
    const double from[3] = {(double)p.x, (double)p.y, (double)p.z};
    return (lm_vec3){(float)lm_edit_transformed(turn, from, 0),
                     (float)lm_edit_transformed(turn, from, 1),
                     (float)lm_edit_transformed(turn, from, 2)};
}

lm_vec3 lm_edit_rotate_direction(const lm_edit_transformation *turn, lm_vec3 d) {
    const float from[3] = {d.x, d.y, d.z};
    const float x = from[turn->from[0]], y = from[turn->from[1]];
    return (lm_vec3){turn->negative[0] ? -x : x, turn->negative[1] ? -y : y, d.z};
}

void lm_edit_transform_box(const lm_edit_transformation *turn, lm_vec3 *min, lm_vec3 *max) {
    const lm_vec3 a = lm_edit_transform_point(turn, *min), b = lm_edit_transform_point(turn, *max);
    *min = (lm_vec3){turn->negative[0] ? b.x : a.x, turn->negative[1] ? b.y : a.y, a.z};
    *max = (lm_vec3){turn->negative[0] ? a.x : b.x, turn->negative[1] ? a.y : b.y, b.z};
}

void lm_edit_rotate_normals(const lm_edit_transformation *turn, const lm_vec3 *normals,
                            size_t count, uint8_t (*nearest)(const lm_vec3 *direction),
                            uint8_t *turned) {
    for (size_t i = 0; i < count; i++) {
        const lm_vec3 direction = lm_edit_rotate_direction(turn, normals[i]);
        turned[i] = turn->quarters == 0 ? (uint8_t)i : nearest(&direction);
    }
}

void lm_edit_rotate_packed(const lm_edit_transformation *turn, const uint8_t *normals,
                           uint8_t *vertices, size_t count) {
    for (size_t i = 0; i < count; i++, vertices += 4) {
        const uint8_t from[3] = {vertices[0], vertices[1], vertices[2]};
        for (int axis = 0; axis < 2; axis++) {
            const uint8_t v = from[turn->from[axis]];
            vertices[axis] = turn->negative[axis] ? (uint8_t)(255 - v) : v;
        }
        if (normals && vertices[3] < LM_NUM_NORMALS_162)
            vertices[3] = normals[vertices[3]];
    }
}

bool lm_edit_transform_grid(lm_edit *edit, const lm_edit_transformation *turn, lm_vec3 *scale,
                            lm_vec3 *translate) {
    const double steps[3] = {(double)scale->x, (double)scale->y, (double)scale->z};
    const double begins[3] = {(double)translate->x, (double)translate->y, (double)translate->z};
    float step[3], begin[3];
    for (int axis = 0; axis < 3; axis++) {
        const int from = turn->from[axis];
        const double far = begins[from] + 255 * steps[from];
        step[axis] = (float)(steps[from] * turn->scale);
        begin[axis] =
            (float)((turn->negative[axis] ? -far : begins[from]) * turn->scale + turn->move[axis]);
    }
    *scale = (lm_vec3){step[0], step[1], step[2]};
    *translate = (lm_vec3){begin[0], begin[1], begin[2]};
    return lm_edit_sane(edit, *scale) && lm_edit_sane(edit, *translate);
}

bool lm_edit_round(lm_edit *edit, const lm_edit_transformation *turn, double steps, double unit,
                   const char *what, uint32_t index, int16_t *out) {
    const double whole = floor(steps + 0.5);
    if (!(whole >= INT16_MIN && whole <= INT16_MAX))
        return lm_call_fail(edit->call, LM_CODE_LIMIT,
                            "%s %u would be at %g units, but the format stores %g to %g", what,
                            (unsigned)index, steps * unit, INT16_MIN * unit, INT16_MAX * unit);
    if (!turn->round && whole != steps)
        return lm_call_fail(
            edit->call, LM_CODE_ROUNDING,
            "%s %u would be at %.9g units, which must be rounded to a multiple of %g", what,
            (unsigned)index, steps * unit, unit);
    *out = (int16_t)whole;
    return true;
}

static bool place_sound(const lm_edit_transform *place, lm_error *error) {
    static const lm_option table[] = {LM_OPTION(lm_edit_transform, scale, FLOAT, 0),
                                      LM_OPTION(lm_edit_transform, move, VEC3, 0)};
    return lm_options_sound(place, "place", table, sizeof table / sizeof *table, error);
}

static bool note_place(lm_edit *edit, const lm_edit_transformation *turn) {
    char scale[32], degrees[32], move[96];
    snprintf(scale, sizeof scale, "%g", turn->scale);
    snprintf(degrees, sizeof degrees, "%d degrees", 90 * turn->quarters);
    snprintf(move, sizeof move, "%g, %g, %g", turn->move[0], turn->move[1], turn->move[2]);
    return (turn->scale == 1 || lm_edit_note(edit, "scale", "1", scale)) &&
           (turn->quarters == 0 || lm_edit_note(edit, "rotation about z", "0 degrees", degrees)) &&
           ((turn->move[0] == 0 && turn->move[1] == 0 && turn->move[2] == 0) ||
            lm_edit_note(edit, "place", "0, 0, 0", move));
}

bool lm_edit_set_transform(lm_edit *edit, const lm_edit_transform *place, lm_error *error) {
    if (!place_sound(place, error))
        return false;
    lm_edit_begin(edit, error);
    const int quarter = (place->quarter_turns % 4 + 4) % 4;
    const struct quarter *q = &quarters[quarter];
    const lm_edit_transformation turn = {.scale = place->scale > 0 ? (double)place->scale : 1,
                                         .move = {(double)place->move.x + 0.0,
                                                  (double)place->move.y + 0.0,
                                                  (double)place->move.z + 0.0},
                                         .quarters = quarter,
                                         .from = {q->from[0], q->from[1], 2},
                                         .negative = {q->negative[0], q->negative[1], false},
                                         .round = place->round};
    const bool nothing = turn.scale == 1 && quarter == 0 && turn.move[0] == 0 &&
                         turn.move[1] == 0 && turn.move[2] == 0;
    return lm_edit_end(
        edit, nothing || (lm_edit_can(edit, edit->editor->place, "does not support transforms") &&
                          note_place(edit, &turn) && edit->editor->place(edit, &turn)));
}
