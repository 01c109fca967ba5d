/* Resamples meshes by their bones or skeletons. */
#include "core/arena.h"
#include "core/options.h"
#include "core/report.h"
#include "lerpmesh/sample.h"
#include "math/vectors.h"
#include "mesh/mesh_make.h"
#include "sample/smooth.h"
#include "skeleton/evaluate.h"

#include <math.h>

/* A mesh being resampled. */
typedef struct resampling {
    const lm_mesh *mesh, *made;
    const lm_skeleton *skeleton;
    const lm_model *model; /* has bones, which place everything; or NULL */
    const lm_pose *poses;  /* [made->num_frames] */
    lm_vec3 *scratch;      /* [2 * largest surface] for a skeleton */
} resampling;

/* ---- Vertices ------------------------------------------------------------------------------- */

/* Returns a coordinate, less the error of the skeleton, which is interpolated from both frames. */
static float corrected(float at, float t, float from, float first, float to, float last) {
    return at + (1 - t) * (from - first) + t * (to - last);
}

void lmi_move_between(const lm_skeleton *skeleton, uint32_t surface, const lm_pose *pose,
                      const lm_vec3 *from, const lm_vec3 *to, lm_vec3 *scratch, lm_vec3 *out) {
    const uint32_t count = skeleton->surfaces[surface].num_vertices;
    lm_vec3 *first = scratch, *last = scratch + count;
    const lm_pose a_frame = {pose->frame_a, pose->frame_a, 0, false},
                  b_frame = {pose->frame_b, pose->frame_b, 0, false};
    lm_skeleton_sample(skeleton, surface, &a_frame, first, NULL);
    lm_skeleton_sample(skeleton, surface, &b_frame, last, NULL);
    lm_skeleton_sample(skeleton, surface, pose, out, NULL);
    for (uint32_t v = 0; v < count; v++) {
        const lm_vec3 *a = &from[v], *b = &to[v], *p = &first[v], *q = &last[v], at = out[v];
        out[v] = (lm_vec3){corrected(at.x, pose->t, a->x, p->x, b->x, q->x),
                           corrected(at.y, pose->t, a->y, p->y, b->y, q->y),
                           corrected(at.z, pose->t, a->z, p->z, b->z, q->z)};
    }
}

/* ---- Tags ----------------------------------------------------------------------------------- */

static lm_vec3 turned(const lm_placed *joint, lm_vec3 v) {
    const double(*m)[4] = joint->m, x = (double)v.x, y = (double)v.y, z = (double)v.z;
    return (lm_vec3){(float)(m[0][0] * x + m[0][1] * y + m[0][2] * z),
                     (float)(m[1][0] * x + m[1][1] * y + m[1][2] * z),
                     (float)(m[2][0] * x + m[2][1] * y + m[2][2] * z)};
}

/* Returns a tag relative to a joint. */
static lm_transform relative(const lm_placed *joint, const lm_transform *tag) {
    lm_transform out;
    out.origin =
        lmi_turn_back(joint, lmi_wide_sum(lmi_wide_of(tag->origin), lmi_place_of(joint), -1));
    for (int i = 0; i < 3; i++)
        out.axis[i] = lmi_turn_back(joint, lmi_wide_of(tag->axis[i]));
    return out;
}

static lm_vec3 mix(lm_vec3 a, lm_vec3 b, float t) {
    return (lm_vec3){(1 - t) * a.x + t * b.x, (1 - t) * a.y + t * b.y, (1 - t) * a.z + t * b.z};
}

static void move_tag(const resampling *r, uint32_t tag, uint32_t joint, uint32_t frame) {
    const lm_pose *pose = &r->poses[frame];
    lm_placed a[LM_MAX_SKELETON_JOINTS], b[LM_MAX_SKELETON_JOINTS], all[LM_MAX_SKELETON_JOINTS];
    lm_transform *out = &lmi_mesh_poses(r->made, tag)[frame];
    lmi_place_joints(r->skeleton, &(lm_pose){pose->frame_a, pose->frame_a, 0, false}, a);
    lmi_place_joints(r->skeleton, &(lm_pose){pose->frame_b, pose->frame_b, 0, false}, b);
    lmi_place_joints(r->skeleton, pose, all);
    const lm_transform from = relative(&a[joint], &r->mesh->tags[tag].poses[pose->frame_a]);
    const lm_transform to = relative(&b[joint], &r->mesh->tags[tag].poses[pose->frame_b]);
    const lm_wide origin = lmi_wide_of(turned(&all[joint], mix(from.origin, to.origin, pose->t)));
    const lm_wide at = lmi_wide_sum(lmi_place_of(&all[joint]), origin, 1);
    out->origin = (lm_vec3){(float)at.x, (float)at.y, (float)at.z};
    for (int i = 0; i < 3; i++)
        out->axis[i] = lmi_unit(turned(&all[joint], mix(from.axis[i], to.axis[i], pose->t)));
}

/* ---- The calls ------------------------------------------------------------------------------ */

static void move(const resampling *r) {
    for (uint32_t f = 0; f < r->made->num_frames; f++)
        for (uint32_t i = 0; i < r->mesh->num_surfaces && lmi_is_between(&r->poses[f]); i++) {
            const lm_pose *pose = &r->poses[f];
            const lm_mesh_surface *made = &r->made->surfaces[i];
            const size_t count = made->num_vertices;
            const lm_vec3 *rows = lmi_mesh_rows(r->mesh->surfaces[i].positions);
            lm_vec3 *out = lmi_mesh_rows(made->positions) + f * count;
            if (count > 0 && r->model)
                lmi_sample_own_at(r->model, i, pose, out,
                                  made->normals ? lmi_mesh_rows(made->normals) + f * count : NULL);
            else if (count > 0)
                lmi_move_between(r->skeleton, i, pose, rows + pose->frame_a * count,
                                 rows + pose->frame_b * count, r->scratch, out);
        }
}

static void move_tags(const resampling *r) {
    for (uint32_t tag = 0; tag < r->mesh->num_tags; tag++) {
        const uint32_t joint =
            r->model ? 0 : lmi_joint_of_tag(r->skeleton, tag, r->mesh->tags[tag].poses);
        for (uint32_t f = 0; f < r->made->num_frames; f++)
            if (r->model)
                lm_sample_tag(r->model, tag, &r->poses[f], &lmi_mesh_poses(r->made, tag)[f]);
            else if (lmi_is_between(&r->poses[f]))
                move_tag(r, tag, joint, f);
    }
}

lm_mesh *lmi_mesh_resample(const lm_mesh *mesh, const lm_frame_plan *plan,
                           const lm_skeleton *skeleton, const lm_model *model,
                           const lm_memory *memory, lm_error *error) {
    const bool scratched = skeleton && !model;
    uint32_t most = 0;
    lm_heap heap;
    lm_mesh *made = lm_mesh_select_frames(mesh, plan->poses, plan->num_poses, plan->clips,
                                          plan->num_clips, memory, error);
    for (uint32_t i = 0; i < mesh->num_surfaces; i++)
        most = mesh->surfaces[i].num_vertices > most ? mesh->surfaces[i].num_vertices : most;
    lmi_mesh_heap(&heap, memory, error);
    lm_vec3 *scratch = made && scratched ? lmi_heap_alloc(&heap, most, 2 * sizeof *scratch) : NULL;
    const resampling r = {mesh, made, skeleton, model, plan->poses, scratch};
    if (made && (scratch || model)) {
        move(&r);
        move_tags(&r);
    }
    if (made && scratched && !scratch) {
        lmi_heap_diagnose(&heap);
        lm_mesh_free(made);
        made = NULL;
    }
    lmi_heap_free(&heap, scratch, (size_t)most * 2 * sizeof *scratch);
    return made;
}

lm_mesh *lm_mesh_resample(const lm_mesh *mesh, const lm_skeleton *skeleton, float fps,
                          const lm_memory *memory, lm_error *error) {
    lm_heap heap;
    if (!LM_GIVEN(error, mesh))
        return NULL;
    if (skeleton && !lmi_skeleton_fits_mesh(skeleton, mesh)) {
        lm_fail_plain(error, LM_CODE_BAD_ARGUMENT,
                      "mesh: the skeleton is not that of the mesh: it has other numbers of frames, "
                      "surfaces or vertices");
        return NULL;
    }
    lmi_mesh_heap(&heap, memory, error);
    lm_arena arena = {.heap = &heap};
    lm_frame_plan plan;
    lm_mesh nameless;
    const bool planned = lmi_mesh_plan_rate(mesh, fps, &arena, &plan, error);
    if (!planned) {
        lmi_call_end(&heap.call, LM_FAILED);
        lmi_heap_diagnose(&heap);
    }
    nameless = *mesh;
    nameless.frame_names = NULL;
    lm_mesh *made =
        planned ? lmi_mesh_resample(&nameless, &plan, skeleton, NULL, memory, error) : NULL;
    lmi_arena_free(&arena);
    return made;
}
