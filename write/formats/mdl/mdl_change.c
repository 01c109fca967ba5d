/* Editing MDL's vertices: more poses, fewer vertices, elsewhere, normals, bounds. */
#include "formats/mdl/mdl_write.h"
#include "lerpmesh/mesh.h"

#include <math.h>

/* ---- Frames as others ----------------------------------------------------------------------- */

/* The document with frames of its own, whose poses, of `pose_size` bytes, `change` fills. */
typedef void lm_mdl_change_pose(const lm_mdl *mdl, const uint8_t *from, uint8_t *to,
                                const void *context);

static bool copy_frame(const lm_mdl *mdl, lm_arena *arena, size_t pose_size,
                       lm_mdl_change_pose *change, const void *context, lm_mdl_frame *frame) {
    const size_t count = (size_t)frame->num_poses, size = lm_mdl_pose_size(mdl);
    uint8_t *poses = lm_arena_alloc(arena, count, pose_size);
    for (size_t i = 0; poses && i < count; i++)
        change(mdl, frame->poses + i * size, poses + i * pose_size, context);
    if (frame->type != 0) {
        frame->bounds = lm_join_lumps(arena, frame->bounds, LM_MDL_BOUNDS_SIZE, NULL, 0);
        frame->times = lm_join_lumps(arena, frame->times, count * LM_MDL_TIME_SIZE, NULL, 0);
    }
    frame->poses = poses;
    return poses && (frame->type == 0 || (frame->bounds && frame->times));
}

/* Copies all frames of `mdl` into memory that another document may own. */
static bool copy_frames(const lm_mdl *mdl, lm_arena *arena, size_t pose_size,
                        lm_mdl_change_pose *change, const void *context, lm_mdl_frame *frames) {
    bool done = true;
    for (int32_t f = 0; done && f < mdl->num_frames; f++) {
        frames[f] = mdl->frames[f];
        done = copy_frame(mdl, arena, pose_size, change, context, &frames[f]);
    }
    return done;
}

static void copy_pose(const lm_mdl *mdl, const uint8_t *from, uint8_t *to, const void *context) {
    (void)context;
    memcpy(to, from, lm_mdl_pose_size(mdl));
}

static lm_mdl_frame *new_frames(const lm_mdl *mdl, int32_t more) {
    return lm_arena_alloc(mdl->owned, (uint64_t)mdl->num_frames + (uint64_t)more,
                          sizeof(lm_mdl_frame));
}

/* ---- Frames of another file ----------------------------------------------------------------- */

static bool same_vector(lm_vec3 a, lm_vec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool same_vertices(const lm_mdl *a, const lm_mdl *b) {
    bool same = a->num_verts == b->num_verts && a->num_tris == b->num_tris;
    for (int32_t i = 0; same && i < a->num_tris; i++)
        same = memcmp(a->tris + (size_t)i * LM_MDL_TRIANGLE_SIZE + 4,
                      b->tris + (size_t)i * LM_MDL_TRIANGLE_SIZE + 4, 12) == 0;
    return same;
}

bool lm_mdl_append(lm_edit *edit, const void *document) {
    lm_mdl *mdl = edit->document;
    const lm_mdl *other = document;
    if (!same_vertices(mdl, other))
        return lm_call_fail(
            edit->call, LM_CODE_BAD_ARGUMENT,
            "the other model's triangles (%d of %d vertices) are not this one's (%d of "
            "%d): its frames do not fit",
            (int)other->num_tris, (int)other->num_verts, (int)mdl->num_tris, (int)mdl->num_verts);
    if (!same_vector(mdl->scale, other->scale) || !same_vector(mdl->translate, other->translate))
        return lm_call_fail(edit->call, LM_CODE_BAD_ARGUMENT,
                            "the other model has another scale or translate, which all frames of a "
                            "file share: encode both anew");
    lm_mdl_frame *frames = new_frames(mdl, other->num_frames);
    if (!frames || !copy_frames(other, mdl->owned, lm_mdl_pose_size(mdl), copy_pose, NULL,
                                frames + mdl->num_frames))
        return false;
    memcpy(frames, mdl->frames, (size_t)mdl->num_frames * sizeof *frames);
    mdl->frames = frames;
    mdl->num_frames += other->num_frames;
    return true;
}

/* ---- Vertices that nothing draws ------------------------------------------------------------ */

static void find_used(const lm_mdl *mdl, lm_renumbered *numbers) {
    for (int32_t i = 0; i < mdl->num_tris; i++) {
        lm_mdl_triangle triangle;
        lm_mdl_get_triangle(mdl, i, &triangle);
        for (int c = 0; c < 3; c++)
            numbers->used[triangle.vertex[c]] = true;
    }
    numbers->used[0] = numbers->used[0] || mdl->num_tris == 0;
}

static void trim_pose(const lm_mdl *mdl, const uint8_t *from, uint8_t *to, const void *context) {
    const lm_renumbered *numbers = context;
    (void)mdl;
    memcpy(to, from, LM_MDL_POSE_HEADER_SIZE);
    for (uint32_t i = 0; i < numbers->count; i++)
        memcpy(to + LM_MDL_POSE_HEADER_SIZE + (size_t)i * LM_MDL_VERTEX_SIZE,
               from + LM_MDL_POSE_HEADER_SIZE + (size_t)numbers->kept[i] * LM_MDL_VERTEX_SIZE,
               LM_MDL_VERTEX_SIZE);
}

bool lm_mdl_trim(lm_edit *edit) {
    lm_mdl *mdl = edit->document, made = *mdl;
    lm_renumbered numbers;
    if (!lm_begin_renumbering(mdl->owned, mdl->num_verts, &numbers))
        return false;
    find_used(mdl, &numbers);
    lm_end_renumbering(&numbers);
    if (numbers.count == numbers.of)
        return true;
    const size_t pose_size = LM_MDL_POSE_HEADER_SIZE + (size_t)numbers.count * LM_MDL_VERTEX_SIZE;
    uint8_t *tris =
        lm_join_lumps(mdl->owned, mdl->tris, (size_t)mdl->num_tris * LM_MDL_TRIANGLE_SIZE, NULL, 0);
    made.st = lm_pick(mdl->owned, mdl->st, LM_MDL_ST_SIZE, numbers.kept, numbers.count);
    made.frames = new_frames(mdl, 0);
    if (!tris || !made.st || !made.frames ||
        !copy_frames(mdl, mdl->owned, pose_size, trim_pose, &numbers, made.frames) ||
        !lm_edit_note_count(edit, "vertices", numbers.of, numbers.count))
        return false;
    for (int32_t i = 0; i < mdl->num_tris; i++) {
        lm_mdl_triangle triangle;
        lm_mdl_get_triangle(mdl, i, &triangle);
        for (int c = 0; c < 3; c++)
            triangle.vertex[c] = (int32_t)numbers.places[triangle.vertex[c]];
        lm_mdl_put_triangle(tris + (size_t)i * LM_MDL_TRIANGLE_SIZE, &triangle);
    }
    made.tris = tris;
    made.num_verts = (int32_t)numbers.count;
    *mdl = made;
    return true;
}

/* ---- Elsewhere ------------------------------------------------------------------------------ */

typedef struct lm_mdl_turning {
    const lm_edit_turn *turn;
    uint8_t normals[LM_NUM_NORMALS_162];
} lm_mdl_turning;

/* Bounds are two vertices: where an axis is the other way round they change places on it. */
static void turn_bounds(const lm_edit_turn *turn, uint8_t *bounds) {
    uint8_t *min = bounds, *max = bounds + LM_MDL_VERTEX_SIZE;
    lm_edit_turn_packed(turn, NULL, bounds, 2);
    for (int axis = 0; axis < 2; axis++)
        if (turn->negative[axis]) {
            const uint8_t low = max[axis];
            max[axis] = min[axis];
            min[axis] = low;
        }
}

static void turn_pose(const lm_mdl *mdl, const uint8_t *from, uint8_t *to, const void *context) {
    const lm_mdl_turning *turning = context;
    memcpy(to, from, lm_mdl_pose_size(mdl));
    turn_bounds(turning->turn, to);
    lm_edit_turn_packed(turning->turn, turning->normals, to + LM_MDL_POSE_VERTICES,
                        (size_t)mdl->num_verts);
}

bool lm_mdl_place(lm_edit *edit, const lm_edit_turn *turn) {
    lm_mdl *mdl = edit->document, made = *mdl;
    lm_mdl_turning turning = {.turn = turn};
    lm_edit_turn_normals(turn, lm_normal_table(LM_NUM_NORMALS_162), LM_NUM_NORMALS_162,
                         lm_nearest_normal_162, turning.normals);
    if (!lm_edit_turn_grid(edit, turn, &made.scale, &made.translate))
        return false;
    made.eye = lm_edit_turn_point(turn, mdl->eye);
    made.radius = (float)((double)mdl->radius * turn->scale);
    made.size = (float)((double)mdl->size * turn->scale * turn->scale); /* an area */
    if (turn->quarters > 0) {
        made.frames = new_frames(mdl, 0);
        if (!made.frames ||
            !copy_frames(mdl, mdl->owned, lm_mdl_pose_size(mdl), turn_pose, &turning, made.frames))
            return false;
        for (int32_t f = 0; f < mdl->num_frames; f++)
            if (made.frames[f].type != 0) /* a copy of our own */
                turn_bounds(turn, (uint8_t *)made.frames[f].bounds);
    }
    *mdl = made;
    return true;
}

/* ---- Normals and bounds --------------------------------------------------------------------- */

bool lm_mdl_put_normals(lm_edit *edit, const struct lm_take *take) {
    lm_mdl *mdl = edit->document;
    const size_t count = (size_t)mdl->num_verts, size = lm_mdl_pose_size(mdl);
    lm_mdl_frame *frames = new_frames(mdl, 0);
    if (take->num_surfaces != 1 || take->surfaces[0].num_vertices != count)
        return lm_call_fail(edit->call, LM_CODE_BAD_ARGUMENT, "the vertices cannot be told apart");
    if (!frames || !copy_frames(mdl, mdl->owned, size, copy_pose, NULL, frames) ||
        !lm_edit_note(edit, "normals", "as stored", "computed"))
        return false;
    const float *n = take->surfaces[0].normals;
    for (int32_t f = 0; f < mdl->num_frames; f++)
        for (size_t i = 0; i < (size_t)frames[f].num_poses * count; i++, n += 3) {
            const lm_vec3 normal = {n[0], n[1], n[2]};
            uint8_t *poses = (uint8_t *)frames[f].poses; /* a copy of our own */
            poses[i / count * size + LM_MDL_POSE_VERTICES + i % count * LM_MDL_VERTEX_SIZE + 3] =
                lm_nearest_normal_162(&normal);
        }
    mdl->frames = frames;
    return true;
}

static void bound_pose(const lm_mdl *mdl, const uint8_t *from, uint8_t *to, const void *context) {
    uint8_t *min = to, *max = to + LM_MDL_VERTEX_SIZE;
    (void)context;
    memcpy(to, from, lm_mdl_pose_size(mdl));
    for (size_t i = 0; i < (size_t)mdl->num_verts; i++) {
        const uint8_t *v = from + LM_MDL_POSE_VERTICES + i * LM_MDL_VERTEX_SIZE;
        for (int axis = 0; axis < 3; axis++) {
            min[axis] = i == 0 || v[axis] < min[axis] ? v[axis] : min[axis];
            max[axis] = i == 0 || v[axis] > max[axis] ? v[axis] : max[axis];
        }
    }
}

/* A group's bounds hold those of its poses. */
static void bound_group(const lm_mdl *mdl, lm_mdl_frame *frame) {
    const size_t size = lm_mdl_pose_size(mdl);
    uint8_t *bounds = (uint8_t *)frame->bounds; /* a copy of our own */
    for (size_t p = 0; p < (size_t)frame->num_poses; p++)
        for (int axis = 0; axis < 3; axis++) {
            const uint8_t min = frame->poses[p * size + (size_t)axis];
            const uint8_t max = frame->poses[p * size + LM_MDL_VERTEX_SIZE + (size_t)axis];
            uint8_t *low = bounds + axis, *high = bounds + LM_MDL_VERTEX_SIZE + axis;
            *low = p == 0 || min < *low ? min : *low;
            *high = p == 0 || max > *high ? max : *high;
        }
}

/* The square of how far the furthest vertex of a frame is from the origin. */
static double reach_of(const lm_mdl *mdl, const lm_mdl_frame *frame) {
    const size_t count = (size_t)mdl->num_verts, size = lm_mdl_pose_size(mdl);
    double reach = 0;
    for (size_t i = 0; i < (size_t)frame->num_poses * count; i++) {
        const uint8_t *v =
            frame->poses + i / count * size + LM_MDL_POSE_VERTICES + i % count * LM_MDL_VERTEX_SIZE;
        const double x = v[0] * (double)mdl->scale.x + (double)mdl->translate.x;
        const double y = v[1] * (double)mdl->scale.y + (double)mdl->translate.y;
        const double z = v[2] * (double)mdl->scale.z + (double)mdl->translate.z;
        reach = fmax(reach, x * x + y * y + z * z);
    }
    return reach;
}

static bool same_frames(const lm_mdl *mdl, const lm_mdl_frame *frames) {
    bool same = true;
    for (int32_t f = 0; same && f < mdl->num_frames; f++)
        same = lm_equal_bytes(mdl->frames[f].poses, frames[f].poses,
                              (size_t)frames[f].num_poses * lm_mdl_pose_size(mdl)) &&
               (frames[f].type == 0 ||
                lm_equal_bytes(mdl->frames[f].bounds, frames[f].bounds, LM_MDL_BOUNDS_SIZE));
    return same;
}

bool lm_mdl_bounds(lm_edit *edit) {
    lm_mdl *mdl = edit->document;
    lm_mdl_frame *frames = new_frames(mdl, 0);
    double reach = 0;
    if (!frames || !copy_frames(mdl, mdl->owned, lm_mdl_pose_size(mdl), bound_pose, NULL, frames))
        return false;
    for (int32_t f = 0; f < mdl->num_frames; f++) {
        if (frames[f].type != 0)
            bound_group(mdl, &frames[f]);
        reach = fmax(reach, reach_of(mdl, &frames[f]));
    }
    const float radius = (float)sqrt(reach);
    if ((radius != mdl->radius || !same_frames(mdl, frames)) &&
        !lm_edit_note(edit, "bounds", "as stored", "computed"))
        return false;
    mdl->frames = frames;
    mdl->radius = radius;
    return true;
}
