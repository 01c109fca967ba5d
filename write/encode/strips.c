#include "encode/strips.h"

#include "encode/strip_cover.h"

#include <string.h>

/* A path to be written: the sides from each triangle to the next. */
typedef struct strip_path {
    const lm_strip_cover *cover;
    uint32_t *sides;
    uint32_t num_sides; /* number of triangles - 1 */
} strip_path;

/* Follows a path from a triangle at its end. */
static void walk(strip_path *path, uint32_t triangle, bool *done) {
    const lm_strip_cover *cover = path->cover;
    path->num_sides = 0;
    done[triangle] = true;
    if (!cover->taken[triangle])
        return;
    uint32_t side = 4 * triangle + (cover->taken[triangle] >> 1);
    while (side != LM_NO_SIDE) {
        path->sides[path->num_sides++] = side;
        done[cover->twins[side] / 4] = true;
        side = lm_side_beyond(cover, cover->twins[side]);
    }
}

/* Returns true if a path turns right between two of its sides. A strip turns right at its second
 * triangle, and then at every second one. */
static bool turns_right(const strip_path *path, uint32_t index) {
    const uint32_t in = path->cover->twins[path->sides[index]], out = path->sides[index + 1];
    return out % 4 == (in % 4 + 2) % 3;
}

static bool is_fan(const strip_path *path) {
    if (path->num_sides < 3)
        return false;
    for (uint32_t i = 1; i + 1 < path->num_sides; i++)
        if (turns_right(path, i) != turns_right(path, 0))
            return false;
    return true;
}

static uint32_t corner_at(const strip_path *path, uint32_t side) {
    return path->cover->corners[side / 4 * 3 + side % 4];
}

/* Returns the triangle's corners, beginning with the one opposite the first side. */
static void first_corners(const strip_path *path, uint32_t triangle, uint32_t out[3]) {
    const uint32_t turn = path->num_sides > 0 ? path->sides[0] % 4 : 0;
    for (uint32_t i = 0; i < 3; i++)
        out[i] = path->cover->corners[triangle * 3 + (turn + i) % 3];
}

/* Writes a fan around the corner at which the path turns right. */
static uint32_t write_fan(const strip_path *path, uint32_t *out) {
    uint32_t corners[3], count = 3;
    first_corners(path, path->sides[0] / 4, corners);
    out[0] = corners[2];
    out[1] = corners[0];
    out[2] = corners[1];
    for (uint32_t i = 0; i < path->num_sides; i++)
        out[count++] = corner_at(path, path->cover->twins[path->sides[i]]);
    return count;
}

static uint32_t write_strip(const strip_path *path, uint32_t triangle, uint32_t *out) {
    uint32_t count = 3;
    bool right = true; /* direction of the next turn that needs no repeated corner */
    first_corners(path, triangle, out);
    for (uint32_t i = 0; i < path->num_sides; i++) {
        const bool last = i + 1 == path->num_sides;
        if (!last && turns_right(path, i) != right) {
            out[count] = out[count - 2];
            count++;
        }
        out[count++] = corner_at(path, path->cover->twins[path->sides[i]]);
        right = last || !turns_right(path, i);
    }
    return count;
}

static void write_path(strip_path *path, uint32_t triangle, lm_strips_found *found) {
    const bool fan = is_fan(path);
    if (path->num_sides > 1 && !turns_right(path, 0) &&
        !turns_right(path, path->num_sides - 2)) { /* reversed, it begins with a right turn */
        const uint32_t *twins = path->cover->twins;
        for (uint32_t i = 0, k = path->num_sides; i < k; i++) {
            const uint32_t side = path->sides[i];
            path->sides[i] = twins[path->sides[--k]];
            path->sides[k] = twins[side];
        }
        triangle = path->sides[0] / 4;
    }
    uint32_t *out = found->corners + found->num_corners;
    const uint32_t count = fan ? write_fan(path, out) : write_strip(path, triangle, out);
    found->strips[found->num_strips++] = (lm_strip){found->num_corners, count, fan};
    found->num_corners += count;
}

/* Writes all paths of a cover. `path` has room for the longest, `found` for all. */
static void write_paths(strip_path *path, bool *done, lm_strips_found *found) {
    const lm_strip_cover *cover = path->cover;
    memset(done, 0, cover->num_triangles * sizeof *done);
    found->num_strips = found->num_corners = 0;
    for (uint32_t t = 0; t < cover->num_triangles; t++)
        if (!done[t] && (cover->taken[t] & (cover->taken[t] - 1)) == 0) {
            walk(path, t, done);
            write_path(path, t, found);
        }
}

/* Allocates room for strips of `num_triangles`. A strip of n triangles has at most 2n corners, or
 * 3. */
static bool make_room(lm_strips_found *found, uint32_t num_triangles, lm_arena *arena) {
    *found = (lm_strips_found){
        .strips = lm_arena_alloc(arena, num_triangles, sizeof *found->strips),
        .corners = lm_arena_alloc(arena, (uint64_t)num_triangles * 3, sizeof *found->corners)};
    return found->strips && found->corners;
}

static uint64_t integers_of(const lm_strips_found *found) {
    return found->num_strips + 3 * (uint64_t)found->num_corners;
}

bool lm_find_strips(const uint32_t *corners, uint32_t num_triangles, uint32_t num_ids, bool best,
                    lm_strips_found *found, lm_arena *arena) {
    lm_strip_cover cover;
    lm_strips_found second;
    bool *done = lm_arena_alloc(arena, num_triangles, sizeof *done);
    strip_path path = {&cover, lm_arena_alloc(arena, num_triangles, sizeof(uint32_t)), 0};
    if (!done || !path.sides || !make_room(found, num_triangles, arena) ||
        !lm_strip_cover_begin(&cover, corners, num_triangles, num_ids, arena) ||
        !lm_strip_cover_greedy(&cover, arena->heap))
        return false;
    write_paths(&path, done, found);
    if (!best)
        return true;
    if (!make_room(&second, num_triangles, arena) ||
        !lm_strip_cover_anneal(&cover, LM_STRIP_MOVES, arena->heap))
        return false;
    write_paths(&path, done, &second);
    if (integers_of(&second) < integers_of(found))
        *found = second; /* annealing ignores that fans need no repeated corners */
    return true;
}
