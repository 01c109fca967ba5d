/* Creates a mesh with fewer triangles: the remaining triangles of each surface, and the vertices
 * that they use. */
#include "core/report.h"
#include "mesh/corners.h"
#include "mesh/decimate.h"
#include "mesh/mesh_make.h"

#include <string.h>

typedef struct thinning {
    const lm_mesh *mesh;
    lm_arena arena;
    lm_decimated found;
    lm_mesh_surface *surfaces; /* the remainder of each */
    uint32_t *
        *vertices; /* [num_surfaces] for each remaining vertex, its index in the original mesh */
} thinning;

static void decimate_surface(const thinning *t, uint32_t surface, const lm_mesh_surface *made) {
    const lm_mesh_surface *from = &t->mesh->surfaces[surface];
    const size_t count = made->num_vertices;
    for (size_t f = 0; f < t->mesh->num_frames; f++)
        for (size_t v = 0; v < count; v++) {
            const size_t there = 3 * (f * from->num_vertices + t->vertices[surface][v]);
            memcpy(lm_mesh_rows(made->positions) + f * count + v, from->positions + there,
                   sizeof(lm_vec3));
            if (made->normals)
                memcpy(lm_mesh_rows(made->normals) + f * count + v, from->normals + there,
                       sizeof(lm_vec3));
        }
}

/* Lists the remaining triangles of a surface, with the vertices and texture coordinates that their
 * corners took. `first`: number of the surface's first corner. */
static void copy_corners(const thinning *t, uint32_t index, size_t first, uint32_t *triangles,
                         uint32_t *st_triangles) {
    const lm_mesh_surface *from = &t->mesh->surfaces[index];
    const uint32_t *st = from->st_triangles ? from->st_triangles : from->triangles;
    lm_mesh_surface *out = &t->surfaces[index];
    size_t count = 0;
    for (size_t c = 0; c < (size_t)from->num_triangles * 3; c++) {
        if (!t->found.left[(first + c) / 3])
            continue;
        const size_t own = t->found.sources[first + c] - first;
        triangles[count] = from->triangles[own];
        st_triangles[count++] = from->num_st > 0 ? st[own] : 0;
    }
    out->num_triangles = (uint32_t)(count / 3);
    out->triangles = triangles;
    out->st_triangles = from->num_st > 0 ? st_triangles : NULL;
}

static bool decimate_merged(thinning *t, uint32_t index, size_t first) {
    const lm_mesh_surface *from = &t->mesh->surfaces[index];
    const uint64_t corners = (uint64_t)from->num_triangles * 3;
    lm_mesh_surface *out = &t->surfaces[index];
    uint32_t *triangles = lm_arena_alloc(&t->arena, corners, sizeof *triangles);
    uint32_t *st_triangles = lm_arena_alloc(&t->arena, corners, sizeof *st_triangles);
    uint32_t *used = lm_arena_alloc(&t->arena, from->num_st, sizeof *used);
    uint32_t *numbers = lm_unused_numbers(&t->arena, from->num_vertices);
    uint32_t *st_numbers = lm_unused_numbers(&t->arena, from->num_st);
    float *st = lm_arena_alloc(&t->arena, from->num_st, 2 * sizeof *st);
    t->vertices[index] = lm_arena_alloc(&t->arena, from->num_vertices, sizeof *used);
    if (!triangles || !st_triangles || !used || !numbers || !st_numbers || !st ||
        !t->vertices[index])
        return false;
    *out = *from;
    copy_corners(t, index, first, triangles, st_triangles);
    const size_t left = (size_t)out->num_triangles * 3;
    out->num_vertices = lm_number_by_use(triangles, left, numbers, t->vertices[index]);
    if (from->num_st > 0)
        out->num_st = lm_number_by_use(st_triangles, left, st_numbers, used);
    for (uint32_t i = 0; i < out->num_st; i++)
        memcpy(st + 2 * (size_t)i, from->st + 2 * (size_t)used[i], 2 * sizeof *st);
    out->st = from->num_st > 0 ? st : NULL;
    return true;
}

static bool decimate_all(thinning *t, uint32_t triangles) {
    const uint32_t count = t->mesh->num_surfaces;
    size_t first = 0;
    t->surfaces = lm_arena_alloc(&t->arena, count, sizeof *t->surfaces);
    t->vertices = lm_arena_alloc(&t->arena, count, sizeof(uint32_t *));
    if (!t->surfaces || !t->vertices || !lm_decimate(t->mesh, triangles, &t->arena, &t->found))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        if (!decimate_merged(t, i, first))
            return false;
        first += (size_t)t->mesh->surfaces[i].num_triangles * 3;
    }
    return true;
}

lm_mesh *lm_mesh_decimate(const lm_mesh *mesh, uint32_t triangles, const lm_memory *memory,
                          lm_error *error) {
    lm_heap heap;
    if (!lm_mesh_check(mesh, error))
        return NULL;
    lm_mesh_heap(&heap, memory, error);
    thinning t = {.mesh = mesh, .arena = {.heap = &heap}};
    lm_mesh like = *mesh, *made = NULL;
    if (decimate_all(&t, triangles)) {
        like.surfaces = t.surfaces;
        made = lm_make_mesh(&like, &heap);
    } else {
        lm_heap_diagnose(&heap);
    }
    for (uint32_t i = 0; made && i < mesh->num_surfaces; i++)
        decimate_surface(&t, i, &made->surfaces[i]);
    for (uint32_t i = 0; made && i < mesh->num_tags; i++)
        memcpy(lm_mesh_poses(made, i), mesh->tags[i].poses,
               mesh->num_frames * sizeof(lm_transform));
    lm_arena_free(&t.arena);
    return made;
}
