/* Editing MDL: skins are images, and a frame of the file may be a group of poses. Outside this
 * format, each pose is a frame. */
#include "formats/mdl/mdl_write.h"

#include "core/report.h"
#include "lerpmesh/mesh.h"
#include "math/vectors.h"
#include "mesh/mesh_make.h"

/* ---- Copying frames ------------------------------------------------------------------------- */

/* Copies all frames into `frames`. Returns their poses in one block, or NULL if `frames` is NULL or
 * memory ran out. */
static uint8_t *copy_frames(const lm_mdl *mdl, lm_arena *arena, lm_mdl_frame *frames) {
    const size_t size = lmi_mdl_pose_size(mdl);
    uint8_t *poses = lmi_arena_alloc(arena, lmi_mdl_count_poses(mdl), size), *at = poses;
    for (int32_t f = 0; frames && at && f < mdl->num_frames; f++) {
        const size_t count = (size_t)mdl->frames[f].num_poses;
        lm_mdl_frame *frame = &frames[f];
        *frame = mdl->frames[f];
        frame->poses = memcpy(at, frame->poses, count * size);
        at += count * size;
        if (frame->type == 0)
            continue;
        const uint8_t *bounds = lmi_join_lumps(arena, frame->bounds, LM_MDL_BOUNDS_SIZE, NULL, 0);
        const uint8_t *times =
            lmi_join_lumps(arena, frame->times, count * LM_MDL_TIME_SIZE, NULL, 0);
        if (!bounds || !times)
            return NULL;
        frame->bounds = bounds;
        frame->times = times;
    }
    return frames ? poses : NULL;
}

/* Copies the document, with frames of its own. Returns the copy's poses, or NULL if memory ran
 * out. */
static uint8_t *begin(const lm_mdl *mdl, lm_mdl *made) {
    *made = *mdl;
    made->frames =
        lmi_arena_alloc(lmi_arena_of(mdl), (uint64_t)mdl->num_frames, sizeof *made->frames);
    return copy_frames(mdl, lmi_arena_of(mdl), made->frames);
}

/* Returns the bounds of a group in such a copy; NULL if the frame is no group. */
static uint8_t *bounds_of(const lm_mdl_frame *frame) {
    return frame->type != 0 ? (uint8_t *)frame->bounds : NULL;
}

/* ---- Frames of another file ----------------------------------------------------------------- */

static bool mdl_append(lm_edit *edit, const void *document) {
    lm_mdl *mdl = edit->document;
    const lm_mdl *other = document;
    bool same = mdl->num_verts == other->num_verts && mdl->num_tris == other->num_tris &&
                (mdl->num_st > 0) == (other->num_st > 0);
    for (size_t i = 0; same && i < (size_t)mdl->num_tris; i++)
        same = memcmp(mdl->tris + i * LM_MDL_TRIANGLE_SIZE + 4,
                      other->tris + i * LM_MDL_TRIANGLE_SIZE + 4, 12) == 0;
    if (!same)
        return lmi_call_fail(
            edit->call, LM_CODE_BAD_ARGUMENT,
            "the other model has different triangles (%d with %d vertices, instead "
            "of %d with %d), so its frames cannot be appended",
            (int)other->num_tris, (int)other->num_verts, (int)mdl->num_tris, (int)mdl->num_verts);
    if (!lmi_same_vec3(mdl->scale, other->scale) ||
        !lmi_same_vec3(mdl->translate, other->translate))
        return lmi_call_fail(edit->call, LM_CODE_BAD_ARGUMENT,
                             "the other model has another scale or translate, but all frames of a "
                             "file share one: encode both models again");
    lm_mdl_frame *frames = lmi_arena_alloc(
        lmi_arena_of(mdl), (uint64_t)mdl->num_frames + (uint64_t)other->num_frames, sizeof *frames);
    if (!frames || !copy_frames(other, lmi_arena_of(mdl), frames + mdl->num_frames))
        return false;
    memcpy(frames, mdl->frames, (size_t)mdl->num_frames * sizeof *frames);
    mdl->frames = frames;
    mdl->num_frames += other->num_frames;
    return true;
}

/* ---- Unused vertices ------------------------------------------------------------------------ */

/* Removes unused vertices from each pose, and closes the gaps. */
static void remove_unused_poses(const lm_mdl *mdl, const lm_renumbered *numbers, lm_mdl *made,
                                uint8_t *poses) {
    const size_t size = lmi_mdl_pose_size(mdl), new_size = lmi_mdl_pose_size(made);
    const uint8_t *from = poses;
    for (int32_t f = 0; f < made->num_frames; f++) {
        made->frames[f].poses = poses;
        for (int32_t p = 0; p < made->frames[f].num_poses; p++, from += size, poses += new_size) {
            memmove(poses, from, LM_MDL_POSE_HEADER_SIZE);
            for (size_t i = 0; i < numbers->count; i++)
                memmove(poses + LM_MDL_POSE_VERTICES + i * LM_MDL_VERTEX_SIZE,
                        from + LM_MDL_POSE_VERTICES +
                            numbers->old_indices[i] * (size_t)LM_MDL_VERTEX_SIZE,
                        LM_MDL_VERTEX_SIZE);
        }
    }
}

static bool mdl_remove_unused(lm_edit *edit) {
    lm_mdl *mdl = edit->document, made;
    lm_renumbered numbers;
    if (!lmi_begin_renumbering(lmi_arena_of(mdl), mdl->num_verts, &numbers))
        return false;
    for (int32_t i = 0; i < mdl->num_tris; i++) {
        lm_mdl_triangle triangle;
        lmi_mdl_get_triangle(mdl, i, &triangle);
        for (int c = 0; c < 3; c++)
            numbers.used[triangle.vertex[c]] = true;
    }
    numbers.used[0] = numbers.used[0] || mdl->num_tris == 0;
    lmi_end_renumbering(&numbers);
    if (numbers.count == numbers.of)
        return true;
    uint8_t *poses = begin(mdl, &made);
    uint8_t *tris = lmi_join_lumps(lmi_arena_of(mdl), mdl->tris,
                                   (size_t)mdl->num_tris * LM_MDL_TRIANGLE_SIZE, NULL, 0);
    if (mdl->num_st == 0)
        made.st = lmi_pick(lmi_arena_of(mdl), mdl->st, LM_MDL_ST_SIZE, numbers.old_indices,
                           numbers.count);
    made.tris = tris;
    made.num_verts = (int32_t)numbers.count;
    if (!poses || !tris || !made.st ||
        !lmi_edit_note_count(edit, "vertices", numbers.of, numbers.count))
        return false;
    remove_unused_poses(mdl, &numbers, &made, poses);
    for (int32_t i = 0; i < mdl->num_tris; i++) {
        lm_mdl_triangle triangle;
        lmi_mdl_get_triangle(mdl, i, &triangle);
        for (int c = 0; c < 3; c++)
            triangle.vertex[c] = (int32_t)numbers.new_indices[triangle.vertex[c]];
        lmi_mdl_put_triangle(mdl, tris + (size_t)i * LM_MDL_TRIANGLE_SIZE, &triangle);
    }
    *mdl = made;
    return true;
}

/* ---- Transforming --------------------------------------------------------------------------- */

/* Rotates bounds, which are two vertices. If an axis is reversed, they swap its values. */
static void transform_bounds(const lm_edit_transformation *to, uint8_t *bounds) {
    uint8_t *min = bounds, *max = bounds + LM_MDL_VERTEX_SIZE;
    lmi_edit_rotate_packed(to, NULL, bounds, 2);
    for (int axis = 0; axis < 2; axis++)
        if (to->negative[axis]) {
            const uint8_t low = max[axis];
            max[axis] = min[axis];
            min[axis] = low;
        }
}

static bool transform_frames(const lm_edit_transformation *to, const lm_mdl *mdl, lm_mdl *made) {
    uint8_t *poses = begin(mdl, made), normals[LM_NUM_NORMALS_162];
    lmi_edit_rotate_normals(to, lm_normal_table(LM_NUM_NORMALS_162), LM_NUM_NORMALS_162,
                            lmi_nearest_normal_162, normals);
    for (uint32_t p = lmi_mdl_count_poses(mdl); poses && p > 0; p--) {
        uint8_t *pose = poses + (p - 1) * lmi_mdl_pose_size(mdl);
        transform_bounds(to, pose);
        lmi_edit_rotate_packed(to, normals, pose + LM_MDL_POSE_VERTICES, (size_t)mdl->num_verts);
    }
    for (int32_t f = 0; poses && f < mdl->num_frames; f++)
        if (bounds_of(&made->frames[f]))
            transform_bounds(to, bounds_of(&made->frames[f]));
    return poses;
}

static bool mdl_transform(lm_edit *edit, const lm_edit_transformation *to) {
    lm_mdl *mdl = edit->document, made = *mdl;
    if (to->quarters > 0 && !transform_frames(to, mdl, &made))
        return false;
    if (!lmi_edit_transform_grid(edit, to, &made.scale, &made.translate))
        return false;
    made.eye = lmi_edit_transform_point(to, mdl->eye);
    made.radius = (float)((double)mdl->radius * to->scale);
    made.size = (float)((double)mdl->size * to->scale * to->scale); /* an area */
    *mdl = made;
    return true;
}

/* ---- Normals and bounds --------------------------------------------------------------------- */

static bool mdl_put_normals(lm_edit *edit, const struct lm_mesh *mesh) {
    lm_mdl *mdl = edit->document, made;
    const size_t count = (size_t)mdl->num_verts, size = lmi_mdl_pose_size(mdl);
    if (mesh->num_surfaces != 1 || mesh->surfaces[0].num_vertices != count)
        return lmi_call_fail(edit->call, LM_CODE_BAD_ARGUMENT,
                             "the model does not have the vertices of the file");
    uint8_t *poses = begin(mdl, &made);
    if (!poses || !lmi_edit_note(edit, "normals", "as stored", "computed"))
        return false;
    for (size_t i = 0; i < lmi_mdl_count_poses(mdl) * count; i++) {
        const lm_vec3 normal = lmi_vec3_at(mesh->surfaces[0].normals, i);
        poses[i / count * size + LM_MDL_POSE_VERTICES + i % count * LM_MDL_VERTEX_SIZE + 3] =
            lmi_nearest_normal_162(&normal);
    }
    *mdl = made;
    return true;
}

static void bound_pose(const lm_mdl *mdl, uint8_t *pose) {
    uint8_t *min = pose, *max = pose + LM_MDL_VERTEX_SIZE;
    for (size_t i = 0; i < (size_t)mdl->num_verts; i++) {
        const uint8_t *v = pose + LM_MDL_POSE_VERTICES + i * LM_MDL_VERTEX_SIZE;
        for (int axis = 0; axis < 3; axis++) {
            min[axis] = i == 0 || v[axis] < min[axis] ? v[axis] : min[axis];
            max[axis] = i == 0 || v[axis] > max[axis] ? v[axis] : max[axis];
        }
    }
}

/* Computes a group's bounds from those of its poses. */
static void bound_group(const lm_mdl *mdl, const lm_mdl_frame *frame, uint8_t *bounds) {
    const size_t size = lmi_mdl_pose_size(mdl);
    for (size_t p = 0; p < (size_t)frame->num_poses; p++)
        for (int axis = 0; axis < 3; axis++) {
            const uint8_t min = frame->poses[p * size + (size_t)axis];
            const uint8_t max = frame->poses[p * size + LM_MDL_VERTEX_SIZE + (size_t)axis];
            uint8_t *low = bounds + axis, *high = bounds + LM_MDL_VERTEX_SIZE + axis;
            *low = p == 0 || min < *low ? min : *low;
            *high = p == 0 || max > *high ? max : *high;
        }
}

void lmi_mdl_find_bounds(lm_mdl *mdl, uint8_t *poses) {
    const size_t size = lmi_mdl_pose_size(mdl);
    const uint32_t num_poses = lmi_mdl_count_poses(mdl);
    double max_square = 0;
    for (uint32_t p = 0; p < num_poses; p++) {
        const uint8_t *v = poses + p * size + LM_MDL_POSE_VERTICES;
        bound_pose(mdl, poses + p * size);
        for (int32_t i = 0; i < mdl->num_verts; i++, v += LM_MDL_VERTEX_SIZE) {
            const lm_wide at = {v[0] * (double)mdl->scale.x + (double)mdl->translate.x,
                                v[1] * (double)mdl->scale.y + (double)mdl->translate.y,
                                v[2] * (double)mdl->scale.z + (double)mdl->translate.z};
            max_square = fmax(max_square, lmi_wide_dot(at, at)); /* from the origin */
        }
    }
    for (int32_t f = 0; f < mdl->num_frames; f++)
        if (bounds_of(&mdl->frames[f]))
            bound_group(mdl, &mdl->frames[f], bounds_of(&mdl->frames[f]));
    mdl->radius = (float)sqrt(max_square);
}

static bool mdl_bounds(lm_edit *edit) {
    lm_mdl *mdl = edit->document, made;
    uint8_t *poses = begin(mdl, &made);
    if (!poses)
        return false;
    lmi_mdl_find_bounds(&made, poses);
    bool same = made.radius == mdl->radius;
    for (int32_t f = 0; same && f < mdl->num_frames; f++)
        same = lmi_equal_bytes(mdl->frames[f].poses, made.frames[f].poses,
                               (size_t)mdl->frames[f].num_poses * lmi_mdl_pose_size(mdl)) &&
               (mdl->frames[f].type == 0 ||
                lmi_equal_bytes(mdl->frames[f].bounds, made.frames[f].bounds, LM_MDL_BOUNDS_SIZE));
    if (!same && !lmi_edit_note(edit, "bounds", "as stored", "computed"))
        return false;
    *mdl = made;
    return true;
}

/* ---- Moved vertices ------------------------------------------------------------------------- */

static bool put_pose(lm_edit *edit, const lm_moves *moves, uint32_t p, uint8_t *pose) {
    const lm_mdl *mdl = edit->document;
    for (uint32_t v = 0; v < (uint32_t)mdl->num_verts; v++) {
        uint8_t *vertex = pose + LM_MDL_POSE_VERTICES + (size_t)v * LM_MDL_VERTEX_SIZE;
        if (!lmi_moves_vertex(moves, 0, p, v))
            continue;
        const lm_vec3 *normal = lmi_moved_normal(moves, 0, p, v);
        if (!lmi_find_bytes(lmi_moved_position(moves, 0, p, v), mdl->scale, mdl->translate,
                            vertex)) {
            lmi_call_fail(edit->call, LM_CODE_LIMIT,
                          "pose %u: vertex %u lies outside the grid that all poses share: encode "
                          "the model again",
                          (unsigned)p, (unsigned)v);
            return lmi_fail_at(edit->call->error, 0, "vertices", v);
        }
        if (normal)
            vertex[3] = lmi_nearest_normal_162(normal);
    }
    bound_pose(mdl, pose);
    return true;
}

static bool mdl_put_frames(lm_edit *edit, const lm_moves *moves) {
    lm_mdl *mdl = edit->document, made;
    const size_t size = lmi_mdl_pose_size(mdl);
    uint8_t *poses = begin(mdl, &made);
    bool done = poses;
    for (int32_t f = 0, p = 0; done && f < mdl->num_frames; f++) {
        bool changed = false;
        for (int32_t i = 0; done && i < mdl->frames[f].num_poses; i++, p++)
            if (lmi_moves_surface(moves, 0, (uint32_t)p)) {
                changed = true;
                done = put_pose(edit, moves, (uint32_t)p, poses + (size_t)p * size);
            }
        if (done && changed && bounds_of(&made.frames[f]))
            bound_group(mdl, &made.frames[f], bounds_of(&made.frames[f]));
    }
    if (done)
        *mdl = made;
    return done;
}

/* ---- Repairs -------------------------------------------------------------------------------- */

static bool mend_triangles(lm_mdl *mdl) {
    uint32_t count = 0,
             *kept = lmi_arena_alloc(lmi_arena_of(mdl), (uint64_t)mdl->num_tris, sizeof *kept);
    if (!kept)
        return false;
    for (int32_t i = 0; i < mdl->num_tris; i++) {
        lm_mdl_triangle triangle;
        lmi_mdl_get_triangle(mdl, i, &triangle);
        kept[count] = (uint32_t)i;
        count += lmi_mdl_triangle_valid(mdl, &triangle);
    }
    if (count < (uint32_t)mdl->num_tris)
        mdl->tris = lmi_pick(lmi_arena_of(mdl), mdl->tris, LM_MDL_TRIANGLE_SIZE, kept, count);
    mdl->num_tris = (int32_t)count;
    return mdl->tris || count == 0;
}

/* Returns the times of a group, which the reader takes from the first one if any is unusable. */
static const uint8_t *mend_times(const lm_mdl *mdl, const uint8_t *times, int32_t count) {
    if (!times || lmi_mdl_times_increase(times, count))
        return times;
    const float step = lmi_mdl_times_increase(times, 1) ? lmi_mdl_get_time(times, 0) : LM_MDL_STEP;
    uint8_t *made = lmi_arena_alloc(lmi_arena_of(mdl), (uint64_t)count, LM_MDL_TIME_SIZE);
    for (size_t i = 0; made && i < (size_t)count; i++)
        lmi_put_f32(made + i * LM_MDL_TIME_SIZE, (float)(i + 1) * step);
    return made;
}

static bool mdl_mend(lm_edit *edit) {
    lm_mdl *mdl = edit->document, made;
    const lm_mdl old = *mdl;
    bool done = mend_triangles(mdl) && begin(mdl, &made);
    lm_mdl_skin *skins =
        lmi_arena_alloc(lmi_arena_of(mdl), (uint64_t)mdl->num_skins, sizeof *skins);
    done = done && skins;
    for (int32_t i = 0; done && i < mdl->num_skins; i++) {
        skins[i] = mdl->skins[i];
        skins[i].type = skins[i].type != 0;
        skins[i].times = mend_times(mdl, skins[i].times, skins[i].num_images);
        done = skins[i].times || skins[i].type == 0;
    }
    made.skins = skins;
    for (int32_t f = 0; done && f < made.num_frames; f++) {
        lm_mdl_frame *frame = &made.frames[f];
        frame->type = frame->type != 0;
        frame->times = mend_times(mdl, frame->times, frame->num_poses);
        done = frame->times || frame->type == 0;
        for (int32_t p = 0; p < frame->num_poses; p++) {
            uint8_t *normal = (uint8_t *)lmi_mdl_vertices(mdl, frame, p) + 3;
            for (int32_t v = 0; v < mdl->num_verts; v++, normal += LM_MDL_VERTEX_SIZE)
                *normal = lmi_known_normal(*normal);
        }
    }
    made.scale = lmi_sanitize_vec3(mdl->scale);
    made.translate = lmi_sanitize_vec3(mdl->translate);
    *mdl = done ? made : old;
    return done;
}

/* ---- The editor --------------------------------------------------------------------------- */

/* Returns the file's frame that contains a pose, and sets `index` to the pose's index in it. The
 * walk continues from its last position: `at` is a frame, `first` its first pose. */
static int32_t frame_of(const lm_mdl *mdl, uint32_t *index, lm_edit_walk *walk) {
    if (walk->first > *index)
        walk->at = walk->first = 0;
    while (*index - walk->first >= (uint32_t)mdl->frames[walk->at].num_poses)
        walk->first += (uint32_t)mdl->frames[walk->at++].num_poses;
    *index -= walk->first;
    return (int32_t)walk->at;
}

static uint32_t count(const lm_edit *edit, lm_edit_list list, uint32_t surface) {
    const lm_mdl *mdl = edit->document;
    (void)surface;
    if (list != LM_EDIT_FRAMES)
        return list == LM_EDIT_SKINS ? (uint32_t)mdl->num_skins : 0;
    return lmi_mdl_count_poses(mdl);
}

static const uint8_t *name(lm_edit *edit, lm_edit_list list, uint32_t surface, uint32_t index,
                           size_t *room) {
    const lm_mdl *mdl = edit->document;
    (void)surface;
    *room = LM_MDL_NAME_SIZE;
    if (list != LM_EDIT_FRAMES)
        return NULL;
    const int32_t frame = frame_of(mdl, &index, &edit->walk);
    return mdl->frames[frame].poses + index * lmi_mdl_pose_size(mdl) + LM_MDL_POSE_NAME;
}

/* Returns the block with all poses, as copy_frames makes it. Looking up a block per frame
 * would be slow. Returns NULL if the current frame's poses are in another block. */
static uint8_t *poses_of(const lm_mdl *mdl, const lm_edit_walk *walk) {
    const size_t all = walk->count * lmi_mdl_pose_size(mdl);
    uint8_t *block = lmi_arena_piece(lmi_arena_of(mdl), mdl->frames[0].poses, all);
    const bool here =
        block && mdl->frames[walk->at].poses == block + walk->first * lmi_mdl_pose_size(mdl);
    return here ? block : NULL;
}

static bool put_name(lm_edit *edit, lm_edit_list list, uint32_t surface, uint32_t index,
                     const uint8_t *field) {
    lm_mdl *mdl = edit->document;
    lm_edit_walk *walk = &edit->walk;
    const uint32_t pose = index;
    (void)list;
    (void)surface;
    walk->count = walk->count ? walk->count : lmi_mdl_count_poses(mdl);
    frame_of(mdl, &index, walk);
    uint8_t *poses = poses_of(mdl, walk);
    if (!poses && !(poses = copy_frames(mdl, lmi_arena_of(mdl), mdl->frames)))
        return false;
    memcpy(poses + pose * lmi_mdl_pose_size(mdl) + LM_MDL_POSE_NAME, field, LM_MDL_NAME_SIZE);
    return true;
}

/* Returns the number of a frame's group + 1; 0 if it is in none, or alone in a group. */
static uint32_t group(lm_edit *edit, uint32_t frame) {
    const lm_mdl *mdl = edit->document;
    const int32_t index = frame_of(mdl, &frame, &edit->walk);
    return mdl->frames[index].type != 0 && mdl->frames[index].num_poses > 1 ? (uint32_t)index + 1
                                                                            : 0;
}

/* ---- Selecting ----------------------------------------------------------------------------- */

/* A selected pose: its frame in the file, and its index in that frame. */
typedef struct lm_mdl_picked {
    int32_t frame;
    uint32_t pose;
} lm_mdl_picked;

static bool find_poses(const lm_mdl *mdl, const uint32_t *indices, uint32_t count,
                       lm_mdl_picked *picked) {
    lm_mdl_picked *all =
        lmi_arena_alloc(lmi_arena_of(mdl), (uint64_t)lmi_mdl_count_poses(mdl) + 1, sizeof *all);
    uint32_t at = 0;
    for (int32_t f = 0; all && f < mdl->num_frames; f++)
        for (uint32_t p = 0; p < (uint32_t)mdl->frames[f].num_poses; p++)
            all[at++] = (lm_mdl_picked){f, p};
    for (uint32_t i = 0; all && i < count; i++)
        picked[i] = all[indices[i]];
    return all;
}

/* Writes the times so that each pose keeps its duration. If times do not increase, copies those of
 * the poses instead. */
static void put_times(const lm_mdl_frame *from, const lm_mdl_picked *picked, uint32_t count,
                      uint8_t *times) {
    float end = 0;
    for (uint32_t i = 0; i < count; i++) {
        const int32_t pose = (int32_t)picked[i].pose;
        const float start = pose > 0 ? lmi_mdl_get_time(from->times, pose - 1) : 0.0f;
        end += lmi_mdl_get_time(from->times, pose) - start;
        lmi_mdl_put_time(times + (size_t)i * LM_MDL_TIME_SIZE, end);
    }
    if (lmi_mdl_times_increase(from->times, from->num_poses) &&
        lmi_mdl_times_increase(times, (int32_t)count))
        return;
    for (uint32_t i = 0; i < count; i++)
        lmi_mdl_put_time(times + (size_t)i * LM_MDL_TIME_SIZE,
                         lmi_mdl_get_time(from->times, (int32_t)picked[i].pose));
}

static bool select_frames(lm_mdl *mdl, const uint32_t *indices, uint32_t count) {
    const size_t size = lmi_mdl_pose_size(mdl);
    lm_mdl_picked *picked = lmi_arena_alloc(lmi_arena_of(mdl), count, sizeof *picked);
    lm_mdl_frame *frames = lmi_arena_alloc(lmi_arena_of(mdl), count, sizeof *frames);
    uint8_t *poses = lmi_arena_alloc(lmi_arena_of(mdl), count, size);
    uint8_t *times = lmi_arena_alloc(lmi_arena_of(mdl), count, LM_MDL_TIME_SIZE);
    int32_t num_frames = 0;
    if (!picked || !frames || !poses || !times || !find_poses(mdl, indices, count, picked))
        return false;
    for (uint32_t i = 0, run; i < count; i += run) {
        const lm_mdl_frame *from = &mdl->frames[picked[i].frame];
        lm_mdl_frame *frame = &frames[num_frames++];
        /* Neighbours from one group stay together, at most as many as the group had. */
        const uint32_t most = from->type == 0 ? 1 : (uint32_t)from->num_poses;
        for (run = 1; i + run < count && run < most && picked[i + run].frame == picked[i].frame;)
            run++;
        *frame = *from;
        frame->poses = poses + i * size;
        for (uint32_t p = i; p < i + run; p++)
            memcpy(poses + p * size, from->poses + picked[p].pose * size, size);
        frame->num_poses = (int32_t)run;
        bool whole = run == (uint32_t)from->num_poses;
        for (uint32_t p = 0; whole && p < run; p++)
            whole = picked[i + p].pose == p;
        if (from->type == 0 || whole)
            continue;
        frame->times = times + (size_t)i * LM_MDL_TIME_SIZE;
        put_times(from, picked + i, run, times + (size_t)i * LM_MDL_TIME_SIZE);
    }
    mdl->frames = frames;
    mdl->num_frames = num_frames;
    return true;
}

static bool select_items(lm_edit *edit, lm_edit_list list, uint32_t surface,
                         const uint32_t *indices, uint32_t count) {
    lm_mdl *mdl = edit->document;
    (void)surface;
    if (list != LM_EDIT_SKINS)
        return select_frames(mdl, indices, count);
    if (count == 0)
        return lmi_call_fail(edit->call, LM_CODE_BAD_ARGUMENT, "at least one skin must remain");
    lm_mdl_skin *picked = lmi_arena_alloc(lmi_arena_of(mdl), count, sizeof *picked);
    if (!picked)
        return false;
    for (uint32_t i = 0; i < count; i++)
        picked[i] = mdl->skins[indices[i]];
    mdl->skins = picked;
    mdl->num_skins = (int32_t)count;
    return true;
}

const lm_editor lmi_mdl_editor = {
    .kind = &lmi_mdl_kind,
    .put = lmi_mdl_put,
    .equal = lmi_mdl_equal,
    .count = count,
    .name = name,
    .put_name = put_name,
    .select = select_items,
    .append = mdl_append,
    .lists = 1 << LM_EDIT_SKINS | 1 << LM_EDIT_FRAMES,
    .remove_unused = mdl_remove_unused,
    .transform = mdl_transform,
    .put_normals = mdl_put_normals,
    .bounds = mdl_bounds,
    .put_frames = mdl_put_frames,
    .group = group,
    .mend = mdl_mend,
};
