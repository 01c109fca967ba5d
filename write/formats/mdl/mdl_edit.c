/* Editing MDL: skins are images, and a frame of the file may be a group of poses. Outside this
 * format, each pose is a frame. */
#include "formats/mdl/mdl_write.h"

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
    return lm_mdl_count_poses(mdl);
}

static const uint8_t *name(lm_edit *edit, lm_edit_list list, uint32_t surface, uint32_t index,
                           size_t *room) {
    const lm_mdl *mdl = edit->document;
    (void)surface;
    *room = LM_MDL_NAME_SIZE;
    if (list != LM_EDIT_FRAMES)
        return NULL;
    const int32_t frame = frame_of(mdl, &index, &edit->walk);
    return mdl->frames[frame].poses + index * lm_mdl_pose_size(mdl) + LM_MDL_POSE_NAME;
}

/* Returns the block with all poses, as lm_mdl_copy_frames makes it. Looking up a block per frame
 * would be slow. Returns NULL if the current frame's poses are in another block. */
static uint8_t *poses_of(const lm_mdl *mdl, const lm_edit_walk *walk) {
    const size_t all = walk->count * lm_mdl_pose_size(mdl);
    uint8_t *block = lm_arena_piece(mdl->owned, mdl->frames[0].poses, all);
    const bool here =
        block && mdl->frames[walk->at].poses == block + walk->first * lm_mdl_pose_size(mdl);
    return here ? block : NULL;
}

static bool put_name(lm_edit *edit, lm_edit_list list, uint32_t surface, uint32_t index,
                     const uint8_t *field) {
    lm_mdl *mdl = edit->document;
    lm_edit_walk *walk = &edit->walk;
    const uint32_t pose = index;
    (void)list;
    (void)surface;
    walk->count = walk->count ? walk->count : lm_mdl_count_poses(mdl);
    frame_of(mdl, &index, walk);
    uint8_t *poses = poses_of(mdl, walk);
    if (!poses && !(poses = lm_mdl_copy_frames(mdl, mdl->owned, mdl->frames)))
        return false;
    memcpy(poses + pose * lm_mdl_pose_size(mdl) + LM_MDL_POSE_NAME, field, LM_MDL_NAME_SIZE);
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

static bool select_skins(lm_mdl *mdl, const uint32_t *indices, uint32_t count) {
    lm_mdl_skin *picked = lm_arena_alloc(mdl->owned, (uint64_t)count + 1, sizeof *picked);
    for (uint32_t i = 0; picked && i < count; i++)
        picked[i] = mdl->skins[indices[i]];
    if (!picked)
        return false;
    mdl->skins = picked;
    mdl->num_skins = (int32_t)count;
    return true;
}

/* A selected pose: its frame in the file, and its index in that frame. */
typedef struct lm_mdl_picked {
    int32_t frame;
    uint32_t pose;
} lm_mdl_picked;

static bool find_poses(const lm_mdl *mdl, const uint32_t *indices, uint32_t count,
                       lm_mdl_picked *picked) {
    lm_mdl_picked *all =
        lm_arena_alloc(mdl->owned, (uint64_t)lm_mdl_count_poses(mdl) + 1, sizeof *all);
    uint32_t at = 0;
    for (int32_t f = 0; all && f < mdl->num_frames; f++)
        for (uint32_t p = 0; p < (uint32_t)mdl->frames[f].num_poses; p++)
            all[at++] = (lm_mdl_picked){f, p};
    for (uint32_t i = 0; all && i < count; i++)
        picked[i] = all[indices[i]];
    return all;
}

/* Returns the number of poses, from the first one on, that stay together: neighbours from one
 * group, at most as many as the group had. */
static uint32_t run_of(const lm_mdl *mdl, const lm_mdl_picked *picked, uint32_t count) {
    const lm_mdl_frame *frame = &mdl->frames[picked->frame];
    const uint32_t most = frame->type == 0 ? 1 : (uint32_t)frame->num_poses;
    uint32_t run = 1;
    while (run < count && run < most && picked[run].frame == picked->frame)
        run++;
    return run;
}

/* Writes the times so that each pose keeps its duration. If times do not increase, copies those of
 * the poses instead. */
static void put_times(const lm_mdl_frame *from, const lm_mdl_picked *picked, uint32_t count,
                      uint8_t *times) {
    float end = 0;
    for (uint32_t i = 0; i < count; i++) {
        const int32_t pose = (int32_t)picked[i].pose;
        const float start = pose > 0 ? lm_mdl_get_time(from->times, pose - 1) : 0.0f;
        end += lm_mdl_get_time(from->times, pose) - start;
        lm_mdl_put_time(times + (size_t)i * LM_MDL_TIME_SIZE, end);
    }
    if (lm_mdl_times_increase(from->times, from->num_poses) &&
        lm_mdl_times_increase(times, (int32_t)count))
        return;
    for (uint32_t i = 0; i < count; i++)
        lm_mdl_put_time(times + (size_t)i * LM_MDL_TIME_SIZE,
                        lm_mdl_get_time(from->times, (int32_t)picked[i].pose));
}

static bool is_whole(const lm_mdl_frame *from, const lm_mdl_picked *picked, uint32_t count) {
    bool whole = count == (uint32_t)from->num_poses;
    for (uint32_t i = 0; whole && i < count; i++)
        whole = picked[i].pose == i;
    return whole;
}

static bool select_frames(lm_mdl *mdl, const uint32_t *indices, uint32_t count) {
    const size_t size = lm_mdl_pose_size(mdl);
    lm_mdl_picked *picked = lm_arena_alloc(mdl->owned, count, sizeof *picked);
    lm_mdl_frame *frames = lm_arena_alloc(mdl->owned, count, sizeof *frames);
    uint8_t *poses = lm_arena_alloc(mdl->owned, count, size);
    uint8_t *times = lm_arena_alloc(mdl->owned, count, LM_MDL_TIME_SIZE);
    int32_t num_frames = 0;
    if (!picked || !frames || !poses || !times || !find_poses(mdl, indices, count, picked))
        return false;
    for (uint32_t i = 0, run; i < count; i += run) {
        const lm_mdl_frame *from = &mdl->frames[picked[i].frame];
        lm_mdl_frame *frame = &frames[num_frames++];
        run = run_of(mdl, picked + i, count - i);
        *frame = *from;
        frame->poses = poses + i * size;
        for (uint32_t p = i; p < i + run; p++)
            memcpy(poses + p * size, from->poses + picked[p].pose * size, size);
        frame->num_poses = (int32_t)run;
        if (from->type == 0 || is_whole(from, picked + i, run))
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
    (void)surface;
    if (list == LM_EDIT_SKINS && count == 0)
        return lm_call_fail(edit->call, LM_CODE_BAD_ARGUMENT, "at least one skin must remain");
    return list == LM_EDIT_SKINS ? select_skins(edit->document, indices, count)
                                 : select_frames(edit->document, indices, count);
}

static bool equal(const void *a, const void *b) {
    return lm_mdl_equal(a, b);
}

const lm_editor lm_mdl_editor = {
    .kind = &lm_mdl_kind,
    .put = lm_mdl_put,
    .equal = equal,
    .lists = 1 << LM_EDIT_SKINS | 1 << LM_EDIT_FRAMES,
    .count = count,
    .name = name,
    .put_name = put_name,
    .select = select_items,
    .group = group,
    .append = lm_mdl_append,
    .remove_unused = lm_mdl_remove_unused,
    .transform = lm_mdl_transform,
    .put_normals = lm_mdl_put_normals,
    .put_frames = lm_mdl_put_frames,
    .bounds = lm_mdl_bounds,
    .mend = lm_mdl_mend,
};
