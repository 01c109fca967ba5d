/* Joins poses of one model, each a mesh of one frame, into a mesh with several frames. */
#include "core/arena.h"
#include "core/report.h"
#include "lerpmesh/compose.h"
#include "mesh/mesh_make.h"

#include <math.h>
#include <string.h>

/* Returns the tag with this name, or NULL. Tries `index` first, because most files agree in their
 * order. */
static const lm_mesh_tag *find_tag(const lm_mesh *mesh, const char *name, uint32_t index) {
    if (index < mesh->num_tags && strcmp(mesh->tags[index].name, name) == 0)
        return &mesh->tags[index];
    for (uint32_t i = 0; i < mesh->num_tags; i++)
        if (strcmp(mesh->tags[i].name, name) == 0)
            return &mesh->tags[i];
    return NULL;
}

/* Returns the name of a tag that the other mesh lacks, or NULL. */
static const char *find_missing(const lm_mesh *mesh, const lm_mesh *other) {
    for (uint32_t i = 0; i < mesh->num_tags; i++)
        if (!find_tag(other, mesh->tags[i].name, i))
            return mesh->tags[i].name;
    return NULL;
}

static bool same_triangles(const lm_mesh *a, const lm_mesh *b) {
    bool same = a->num_surfaces == b->num_surfaces && b->num_frames == 1;
    for (uint32_t i = 0; same && i < a->num_surfaces; i++) {
        const lm_mesh_surface *x = &a->surfaces[i], *y = &b->surfaces[i];
        same = x->num_vertices == y->num_vertices && x->num_triangles == y->num_triangles &&
               memcmp(x->triangles, y->triangles,
                      (size_t)x->num_triangles * 3 * sizeof *x->triangles) == 0;
    }
    return same;
}

bool lm_mesh_check_pose(const lm_mesh *first, const char *first_name, const lm_mesh *other,
                        const char *name, lm_error *error) {
    if (!same_triangles(first, other))
        return lm_fail_plain(
            error, LM_CODE_BAD_ARGUMENT,
            "%s is not a pose of the same model as %s: each file of a sequence needs one pose, "
            "with the same vertices and triangles in the same order",
            name, first_name);
    const char *missing = find_missing(first, other), *more = find_missing(other, first);
    return (!missing && !more) ||
           lm_fail_plain(error, LM_CODE_BAD_ARGUMENT,
                         "%s has no tag %s, but %s has: the files of a sequence need the same tags",
                         missing ? name : first_name, missing ? missing : more,
                         missing ? first_name : name);
}

static void fill_frame(const lm_mesh *pose, uint32_t frame, const lm_mesh *made) {
    for (uint32_t i = 0; i < made->num_surfaces; i++) {
        const lm_mesh_surface *s = &pose->surfaces[i], *out = &made->surfaces[i];
        const size_t count = s->num_vertices;
        if (count > 0)
            memcpy(lm_mesh_rows(out->positions) + frame * count, s->positions,
                   count * sizeof(lm_vec3));
        if (count > 0 && out->normals)
            memcpy(lm_mesh_rows(out->normals) + frame * count, s->normals, count * sizeof(lm_vec3));
    }
    for (uint32_t i = 0; i < made->num_tags; i++)
        lm_mesh_poses(made, i)[frame] = find_tag(pose, made->tags[i].name, i)->poses[0];
}

lm_mesh *lm_mesh_join(const lm_mesh *const *poses, uint32_t num_poses, const lm_clip *clips,
                      uint32_t num_clips, const lm_memory *memory, lm_error *error) {
    lm_mesh joined = *poses[0];
    lm_heap heap;
    lm_mesh_heap(&heap, memory, error);
    lm_arena arena = {.heap = &heap};
    lm_mesh_surface *surfaces = lm_arena_alloc(&arena, joined.num_surfaces, sizeof *surfaces);
    lm_mesh *made = NULL;
    for (uint32_t i = 0; surfaces && i < joined.num_surfaces; i++) {
        surfaces[i] = poses[0]->surfaces[i];
        for (uint32_t f = 1; f < num_poses; f++) /* if any pose lacks normals, all are computed */
            surfaces[i].normals = poses[f]->surfaces[i].normals ? surfaces[i].normals : NULL;
    }
    joined.num_frames = num_poses;
    joined.frame_names = NULL;
    joined.surfaces = surfaces;
    joined.clips = clips;
    joined.num_clips = num_clips;
    if (!surfaces)
        lm_heap_diagnose(&heap);
    else if (lm_mesh_check_clips(&joined, error))
        made = lm_make_mesh(&joined, &heap);
    for (uint32_t f = 0; made && f < num_poses; f++)
        fill_frame(poses[f], f, made);
    lm_arena_free(&arena);
    return made;
}

/* ---- Sizes ---------------------------------------------------------------------------------- */

uint64_t lm_mesh_triangles(const lm_mesh *mesh) {
    uint64_t count = 0;
    for (uint32_t i = 0; i < mesh->num_surfaces; i++)
        count += mesh->surfaces[i].num_triangles;
    return count;
}

static double largest(const float *numbers, size_t count, double most) {
    for (size_t i = 0; i < count; i++)
        most = fmax(most, fabs((double)numbers[i]));
    return most;
}

double lm_mesh_fitting_scale(const lm_mesh *mesh, double limit) {
    double most = 1;
    for (uint32_t i = 0; i < mesh->num_surfaces; i++) {
        const lm_mesh_surface *s = &mesh->surfaces[i];
        most = largest(s->positions, (size_t)mesh->num_frames * s->num_vertices * 3, most);
    }
    for (uint32_t i = 0; i < mesh->num_tags; i++)
        for (uint32_t f = 0; f < mesh->num_frames; f++)
            most = largest(&mesh->tags[i].poses[f].origin.x, 3, most);
    const double scale = limit / most;
    double digit = 1; /* the unit of the second significant digit */
    while (scale >= 100 * digit)
        digit *= 10;
    for (double parts = 10; scale < 10 * digit; parts *= 10)
        digit = 1 / parts;
    return floor(scale / digit) * digit;
}
