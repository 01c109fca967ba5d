/* Derives meshes from meshes: selects frames, resamples, transforms. */
#include "clips/clip_names.h"
#include "core/arena.h"
#include "core/options.h"
#include "core/report.h"
#include "math/vectors.h"
#include "mesh/mesh_make.h"
#include "model/pose.h"

#include <math.h>
#include <string.h>

/* ---- Selecting frames ----------------------------------------------------------------------- */

typedef struct picking {
    const lm_mesh *mesh;
    const lm_pose *poses;
    uint32_t num_poses;
} picking;

/* Sets `frame` to the nearer frame of a pose. Returns true if the pose is exactly that frame. */
static bool is_whole(const lm_pose *pose, uint32_t *frame) {
    *frame = pose->t < 1 ? pose->frame_a : pose->frame_b;
    return pose->t <= 0 || pose->t >= 1 || pose->frame_a == pose->frame_b;
}

/* Interpolates rows of `each` floats. */
static void pick_rows(const picking *p, const float *from, size_t each, float *out) {
    for (uint32_t i = 0; i < p->num_poses; i++, out += each) {
        const lm_pose *pose = &p->poses[i];
        const float *a = from + pose->frame_a * each, *b = from + pose->frame_b * each;
        uint32_t frame;
        if (is_whole(pose, &frame))
            memcpy(out, from + frame * each, each * sizeof *out);
        else
            for (size_t k = 0; k < each; k++)
                out[k] = (1 - pose->t) * a[k] + pose->t * b[k];
    }
}

/* Interpolates like lm_sample_tag. */
static void pick_tag(const picking *p, const lm_mesh_tag *from, lm_transform *poses) {
    _Static_assert(sizeof *poses == 12 * sizeof(float), "a row of floats");
    pick_rows(p, &from->poses->origin.x, 12, &poses->origin.x);
    uint32_t frame;
    for (uint32_t i = 0; i < p->num_poses; i++)
        for (int axis = 0; axis < 3 && !is_whole(&p->poses[i], &frame); axis++)
            poses[i].axis[axis] = lmi_unit(poses[i].axis[axis]);
}

static bool check_poses(const picking *p, lm_error *error) {
    for (uint32_t i = 0; i < p->num_poses; i++) {
        const lm_pose *pose = &p->poses[i];
        if (!lmi_pose_sound(pose, p->mesh->num_frames, false))
            return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT,
                                 "mesh: pose %u has frames %u and %u with t = %g, but there are %u "
                                 "frames, and t is from 0 to 1",
                                 (unsigned)i, (unsigned)pose->frame_a, (unsigned)pose->frame_b,
                                 (double)pose->t, (unsigned)p->mesh->num_frames);
    }
    return true;
}

/* Lists the frames' names. Returns false if they have none, or a pose is between two of them. */
static bool pick_names(const picking *p, const char **names) {
    bool whole = p->mesh->frame_names != NULL;
    for (uint32_t i = 0; whole && i < p->num_poses; i++) {
        uint32_t frame;
        whole = is_whole(&p->poses[i], &frame);
        names[i] = p->mesh->frame_names[frame];
    }
    return whole;
}

/* ---- Equal frames ---------------------------------------------------------------------------- */

#define SAME_POSITION 1e-5f  /* of the largest coordinate */
#define SAME_DIRECTION 1e-4f /* of a normal or an axis */

/* Returns whether no number of a frame, `row` numbers after the first, is further off. */
static bool is_row_equal(const float *first, const float *other, size_t row, float slack) {
    for (size_t i = 0; i < row; i++)
        if (!(fabsf(first[i] - other[i]) <= slack))
            return false;
    return true;
}

static float largest_of(const float *numbers, size_t count, float most) {
    for (size_t i = 0; i < count; i++)
        most = fmaxf(most, fabsf(numbers[i]));
    return most;
}

static bool is_frame_equal(const lm_mesh *mesh, uint32_t frame, float slack) {
    bool same = true;
    for (uint32_t i = 0; same && i < mesh->num_tags; i++) {
        const lm_transform *first = mesh->tags[i].poses, *other = first + frame;
        same = is_row_equal(&first->origin.x, &other->origin.x, 3, slack) &&
               is_row_equal(&first->axis[0].x, &other->axis[0].x, 9, SAME_DIRECTION);
    }
    for (uint32_t i = 0; same && i < mesh->num_surfaces; i++) {
        const lm_mesh_surface *s = &mesh->surfaces[i];
        const size_t row = 3 * (size_t)s->num_vertices, at = frame * row;
        same = row == 0 ||
               (is_row_equal(s->positions, s->positions + at, row, slack) &&
                (!s->normals || is_row_equal(s->normals, s->normals + at, row, SAME_DIRECTION)));
    }
    return same;
}

bool lmi_mesh_is_static(const lm_mesh *mesh) {
    float most = 0;
    for (uint32_t i = 0; i < mesh->num_surfaces; i++)
        most = largest_of(mesh->surfaces[i].positions, 3 * (size_t)mesh->surfaces[i].num_vertices,
                          most);
    bool same = mesh->num_frames > 1 && (mesh->num_surfaces > 0 || mesh->num_tags > 0);
    for (uint32_t f = 1; same && f < mesh->num_frames; f++)
        same = is_frame_equal(mesh, f, SAME_POSITION * most);
    return same;
}

lm_mesh *lm_mesh_select_frames(const lm_mesh *mesh, const lm_pose *poses, uint32_t num_poses,
                               const lm_clip *clips, uint32_t num_clips, const lm_memory *memory,
                               lm_error *error) {
    const picking p = {mesh, poses, num_poses};
    lm_mesh like, *made = NULL;
    lm_heap heap;
    if (!lm_mesh_check(mesh, error) || !lmi_array_valid(poses, num_poses, "mesh", "poses", error) ||
        !check_poses(&p, error))
        return NULL;
    lmi_mesh_heap(&heap, memory, error);
    const char **names = lmi_heap_alloc(&heap, num_poses, sizeof *names);
    if (!names)
        return lmi_heap_diagnose(&heap);
    like = *mesh;
    like.num_frames = num_poses;
    like.frame_names = pick_names(&p, names) ? names : NULL;
    like.clips = clips;
    like.num_clips = num_clips;
    if (lmi_mesh_check_clips(&like, error))
        made = lmi_make_mesh(&like, &heap);
    for (uint32_t i = 0; made && i < mesh->num_surfaces; i++) {
        const lm_mesh_surface *from = &mesh->surfaces[i], *to = &made->surfaces[i];
        const size_t each = (size_t)from->num_vertices * 3;
        if (each > 0)
            pick_rows(&p, from->positions, each, (float *)to->positions);
        if (each > 0 && to->normals)
            pick_rows(&p, from->normals, each, (float *)to->normals);
    }
    for (uint32_t i = 0; made && i < mesh->num_tags; i++)
        pick_tag(&p, &mesh->tags[i], lmi_mesh_poses(made, i));
    lmi_heap_free(&heap, names, num_poses * sizeof *names);
    return made;
}

/* ---- Resampling ----------------------------------------------------------------------------- */

/* Returns the number of frames of a resampled clip. */
static uint32_t frames_at(const lm_clip *clip, float fps) {
    const double seconds = lm_clip_duration(clip, LM_PLAY_AS_CLIP);
    const double count = lmi_frames_at(seconds, clip->loop_frames > 0, (double)fps);
    return count > LM_MAX_MESH_FRAMES ? LM_MAX_MESH_FRAMES + 1 : (uint32_t)count;
}

static void sample_clips(const lm_mesh *mesh, float fps, lm_frame_plan *plan) {
    uint32_t first = 0;
    for (uint32_t i = 0; i < mesh->num_clips; i++) {
        const lm_clip *clip = &mesh->clips[i];
        const uint32_t count = frames_at(clip, fps);
        const bool loops = clip->loop_frames > 0;
        for (uint32_t f = 0; f < count; f++)
            lm_clip_pose(clip, f / (double)fps, loops ? LM_PLAY_LOOP : LM_PLAY_ONCE, false,
                         &plan->poses[first + f]);
        plan->clips[i] = (lm_clip){.name = clip->name,
                                   .first = first,
                                   .count = count,
                                   .fps = fps,
                                   .loop_frames = loops ? count : 0,
                                   .source = clip->source};
        first += count;
    }
    plan->num_poses = first;
    plan->num_clips = mesh->num_clips;
}

static bool check_rate(const lm_mesh *mesh, float fps, uint64_t *count, lm_error *error) {
    *count = 0;
    if (!(fps > 0) || !isfinite(fps))
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT,
                             "mesh: fps must be greater than 0 and finite");
    if (!lm_mesh_check(mesh, error))
        return false;
    if (mesh->num_clips == 0)
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "mesh: there are no clips to resample");
    for (uint32_t i = 0; i < mesh->num_clips; i++)
        *count += frames_at(&mesh->clips[i], fps);
    return *count <= LM_MAX_MESH_FRAMES ||
           lm_fail_plain(error, LM_CODE_LIMIT, "mesh: %llu frames are too many; the limit is %u",
                         (unsigned long long)*count, LM_MAX_MESH_FRAMES);
}

bool lmi_mesh_plan_rate(const lm_mesh *mesh, float fps, lm_arena *arena, lm_frame_plan *plan,
                        lm_error *error) {
    uint64_t count;
    if (!check_rate(mesh, fps, &count, error))
        return false;
    plan->poses = lmi_arena_alloc(arena, count, sizeof *plan->poses);
    plan->clips = lmi_arena_alloc(arena, mesh->num_clips, sizeof *plan->clips);
    if (!plan->poses || !plan->clips)
        return false;
    sample_clips(mesh, fps, plan);
    return true;
}

/* ---- Transforming --------------------------------------------------------------------------- */

void lmi_mesh_rotate(uint32_t *corners, uint32_t num_triangles) {
    for (size_t t = 0; corners && t < num_triangles; t++) {
        const uint32_t second = corners[3 * t + 1];
        corners[3 * t + 1] = corners[3 * t + 2];
        corners[3 * t + 2] = second;
    }
}

bool lmi_mesh_move(lm_mesh *mesh, const lm_transform *to, lm_error *error) {
    const double size = lmi_transform_volume(to);
    if (size == 0 || !isfinite(size))
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT,
                             "mesh: the axes of the transform lie in one plane or are not finite");
    for (uint32_t i = 0; i < mesh->num_surfaces; i++) {
        const lm_mesh_surface *s = &mesh->surfaces[i];
        const size_t count = (size_t)mesh->num_frames * s->num_vertices;
        lm_vec3 *normals = lmi_mesh_rows(s->normals);
        lm_transform_vertices(to, lmi_mesh_rows(s->positions), NULL, count, 0);
        for (size_t v = 0; normals && v < count; v++)
            normals[v] = lmi_unit(normals[v]);
        if (normals)
            lm_transform_vertices(to, NULL, normals, count, 0);
        if (size > 0)
            continue;
        lmi_mesh_rotate((uint32_t *)s->triangles, s->num_triangles);
        lmi_mesh_rotate((uint32_t *)s->st_triangles, s->num_triangles);
    }
    for (uint32_t i = 0; i < mesh->num_tags; i++) {
        /* Models attached to a tag keep their size. */
        lm_transform *poses = lmi_mesh_poses(mesh, i);
        for (uint32_t f = 0; f < mesh->num_frames; f++) {
            lm_transform_nest(to, &poses[f], &poses[f]);
            for (int axis = 0; axis < 3; axis++)
                poses[f].axis[axis] = lmi_unit(poses[f].axis[axis]);
        }
    }
    /* An eye at the origin means that none is stored. */
    if (mesh->eye.x != 0 || mesh->eye.y != 0 || mesh->eye.z != 0)
        lm_transform_vertices(to, &mesh->eye, NULL, 1, 0);
    return lm_mesh_check(mesh, error);
}

lm_mesh *lm_mesh_transform(const lm_mesh *mesh, const lm_transform *to, const lm_memory *memory,
                           lm_error *error) {
    static const lm_transform identity = LM_TRANSFORM_IDENTITY;
    to = to ? to : &identity;
    if (!lm_mesh_check(mesh, error))
        return NULL;
    lm_heap heap;
    lmi_mesh_heap(&heap, memory, error);
    lm_mesh *made = lmi_make_mesh(mesh, &heap);
    for (uint32_t i = 0; made && i < mesh->num_surfaces; i++) {
        const lm_mesh_surface *from = &mesh->surfaces[i], *out = &made->surfaces[i];
        const size_t size = (size_t)mesh->num_frames * from->num_vertices * sizeof(lm_vec3);
        if (size > 0)
            memcpy(lmi_mesh_rows(out->positions), from->positions, size);
        if (size > 0 && out->normals)
            memcpy(lmi_mesh_rows(out->normals), from->normals, size);
    }
    for (uint32_t i = 0; made && i < mesh->num_tags; i++)
        memcpy(lmi_mesh_poses(made, i), mesh->tags[i].poses,
               mesh->num_frames * sizeof(lm_transform));
    if (made && !lmi_mesh_move(made, to, error)) {
        lm_mesh_free(made);
        made = NULL;
    }
    return made;
}
