#include "mesh/mesh_make.h"

#include <string.h>

/* ---- Numbers -------------------------------------------------------------------------------- */

uint32_t *lmi_unused_numbers(lm_arena *arena, uint64_t count) {
    uint32_t *numbers = lmi_arena_alloc(arena, count, sizeof *numbers);
    if (numbers)
        memset(numbers, 0xFF, (size_t)count * sizeof *numbers);
    return numbers;
}

uint32_t lmi_number_by_use(uint32_t *ids, size_t count, uint32_t *numbers, uint32_t *used) {
    uint32_t num_used = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t *number = &numbers[ids[i]];
        if (*number == LM_UNUSED) {
            used[num_used] = ids[i];
            *number = num_used++;
        }
        ids[i] = *number;
    }
    return num_used;
}

uint32_t lmi_number_by_vertex(uint32_t *ids, size_t count, const uint32_t *vertices,
                              uint32_t num_vertices, uint32_t *numbers, uint32_t *used) {
    uint32_t num_used = num_vertices;
    memset(used, 0xFF, num_vertices * sizeof *used);
    for (size_t i = 0; i < count; i++) {
        uint32_t *number = &numbers[ids[i]];
        if (*number == LM_UNUSED) {
            *number = used[vertices[i]] == LM_UNUSED ? vertices[i] : num_used++;
            used[*number] = ids[i];
        }
        ids[i] = *number;
    }
    return num_used;
}

uint32_t lmi_rename_by_use(uint32_t *ids, size_t count, uint32_t limit, uint32_t *numbers,
                           uint32_t *used) {
    memset(numbers, 0xFF, limit * sizeof *numbers);
    return lmi_number_by_use(ids, count, numbers, used);
}

bool lmi_rank_corners(const lm_mesh_surface *surface, const uint32_t *keys, uint32_t *ids,
                      uint32_t *num_ids, lm_arena *scratch) {
    const uint32_t corners = surface->num_triangles * 3, num_st = surface->num_st;
    uint64_t *both = lmi_arena_alloc(scratch, corners > num_st ? corners : num_st, sizeof *both);
    uint32_t *st_ids = lmi_arena_alloc(scratch, num_st, sizeof *st_ids);
    if (!both || !st_ids)
        return false;
    for (size_t i = 0; i < num_st; i++) {
        const float plain[2] = {surface->st[2 * i] + 0.0f, surface->st[2 * i + 1] + 0.0f};
        memcpy(&both[i], plain, sizeof plain); /* turns -0 into 0 */
    }
    if (!lmi_rank_keys(both, num_st, st_ids, num_ids, scratch->heap))
        return false;
    for (size_t c = 0; c < corners; c++)
        both[c] = (uint64_t)keys[c] << 32 | (num_st > 0 ? st_ids[surface->st_triangles[c]] : 0);
    return lmi_rank_keys(both, corners, ids, num_ids, scratch->heap);
}

bool lmi_list_neighbours(uint32_t num_triangles, uint32_t num_vertices, const uint32_t *corners,
                         lm_arena *arena, lm_neighbours *out) {
    const size_t count = (size_t)num_triangles * 3;
    uint32_t *first = lmi_arena_zeros(arena, (uint64_t)num_vertices + 2, sizeof *first);
    uint32_t *triangles = lmi_arena_alloc(arena, count, sizeof *triangles);
    *out = (lm_neighbours){first, triangles};
    if (!first || !triangles)
        return false;
    /* Counts each vertex two entries ahead, sums, and fills one entry ahead. Filling advances each
     * entry to the start of the next vertex. */
    for (size_t c = 0; c < count; c++)
        first[corners[c] + 2]++;
    for (uint32_t v = 0; v < num_vertices; v++)
        first[v + 2] += first[v + 1];
    for (size_t c = 0; c < count; c++)
        triangles[first[corners[c] + 1]++] = (uint32_t)(c / 3);
    return true;
}

/* ---- Merging surfaces ----------------------------------------------------------------------- */

/* Sums the sizes of all surfaces. Fails with LM_CODE_LIMIT if they are too large. */
static bool count_surfaces(const lm_mesh *mesh, lm_call *call, lm_mesh_surface *out) {
    uint64_t vertices = 0, triangles = 0, st = 0;
    for (uint32_t i = 0; i < mesh->num_surfaces; i++) {
        vertices += mesh->surfaces[i].num_vertices;
        triangles += mesh->surfaces[i].num_triangles;
        st += mesh->surfaces[i].num_st > 0 ? mesh->surfaces[i].num_st : 1;
        if (vertices >= UINT32_MAX || triangles >= UINT32_MAX / 3 || st >= UINT32_MAX)
            return lmi_call_fail(
                call, LM_CODE_LIMIT,
                "the surfaces have more than 2^32 vertices or corners in total; remove surfaces");
    }
    *out = (lm_mesh_surface){.name = "",
                             .num_vertices = (uint32_t)vertices,
                             .num_st = (uint32_t)st,
                             .num_triangles = (uint32_t)triangles};
    return true;
}

/* Merges the positions or normals of all surfaces, frame by frame. */
static float *merge_rows(const lm_mesh *mesh, bool normals, uint32_t num_frames,
                         uint32_t num_vertices, lm_arena *arena) {
    float *rows = lmi_arena_alloc(arena, (uint64_t)num_frames * num_vertices, sizeof(lm_vec3));
    size_t first = 0;
    for (uint32_t i = 0; rows && i < mesh->num_surfaces; i++) {
        const lm_mesh_surface *s = &mesh->surfaces[i];
        const float *from = normals ? s->normals : s->positions;
        const size_t each = (size_t)s->num_vertices * 3;
        for (size_t f = 0; f < num_frames && each > 0; f++) {
            float *to = rows + 3 * f * num_vertices + first;
            if (from)
                memcpy(to, from + f * each, each * sizeof *to);
            else
                memset(to, 0, each * sizeof *to);
        }
        first += each;
    }
    return rows;
}

static bool merge_triangles(const lm_mesh *mesh, lm_arena *arena, lm_mesh_surface *out) {
    const uint64_t corners = (uint64_t)out->num_triangles * 3;
    uint32_t *triangles = lmi_arena_alloc(arena, corners, sizeof *triangles);
    uint32_t *st_triangles = lmi_arena_alloc(arena, corners, sizeof *st_triangles);
    float *st = lmi_arena_zeros(arena, out->num_st, sizeof(lm_vec2));
    uint32_t first = 0, first_st = 0;
    size_t corner = 0;
    if (!triangles || !st_triangles || !st)
        return false;
    for (uint32_t i = 0; i < mesh->num_surfaces; i++) {
        const lm_mesh_surface *s = &mesh->surfaces[i];
        const uint32_t *own = s->st_triangles ? s->st_triangles : s->triangles;
        for (size_t c = 0; c < (size_t)s->num_triangles * 3; c++, corner++) {
            triangles[corner] = first + s->triangles[c];
            st_triangles[corner] = first_st + (s->num_st > 0 ? own[c] : 0);
        }
        if (s->num_st > 0)
            memcpy(st + 2 * (size_t)first_st, s->st, s->num_st * sizeof(lm_vec2));
        first += s->num_vertices;
        first_st += s->num_st > 0 ? s->num_st : 1;
    }
    out->triangles = triangles;
    out->st_triangles = st_triangles;
    out->st = st;
    return true;
}

bool lmi_merge_surfaces(const lm_mesh *mesh, uint32_t num_normals, lm_arena *arena,
                        lm_mesh_surface *out) {
    if (!count_surfaces(mesh, &arena->heap->call, out))
        return false;
    out->positions = merge_rows(mesh, false, mesh->num_frames, out->num_vertices, arena);
    out->normals = merge_rows(mesh, true, num_normals, out->num_vertices, arena);
    return out->positions && out->normals && merge_triangles(mesh, arena, out);
}
