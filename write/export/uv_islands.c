/* Textures repeat, so a model may use any tile of the plane, often the one next to the skin. Moves
 * whole islands by whole tiles, so that as much as possible of each lies on the skin. An island is
 * a set of triangles that are joined by vertices, or by edges with equal texture coordinates. */
#include "core/index.h"
#include "export/uv_canvas.h"

#include <math.h>

typedef struct island {
    double left, top, right, bottom;
} island;

static bool is_on_skin(const lm_surface *surface) {
    for (uint32_t v = 0; v < surface->num_vertices; v++) {
        const lm_vec2 st = surface->st[v];
        if (!(st.x >= 0 && st.x <= 1 && st.y >= 0 && st.y <= 1))
            return false;
    }
    return true;
}

/* ---- Islands --------------------------------------------------------------------------------- */

static uint32_t root_of(uint32_t *parents, uint32_t v) {
    while (parents[v] != v)
        v = parents[v] = parents[parents[v]];
    return v;
}

static void join(uint32_t *parents, uint32_t a, uint32_t b) {
    a = root_of(parents, a);
    b = root_of(parents, b);
    parents[a > b ? a : b] = a > b ? b : a;
}

/* Gets the ends of the edge that starts at a corner, always in the same order. */
static void get_edge(const lm_surface *surface, uint32_t corner, lm_vec2 ends[2]) {
    const uint32_t next = corner % 3 == 2 ? corner - 2 : corner + 1;
    const lm_vec2 a = surface->st[surface->triangles[corner]],
                  b = surface->st[surface->triangles[next]];
    const bool turn = a.x > b.x || (!(a.x < b.x) && a.y > b.y);
    ends[turn] = a;
    ends[!turn] = b;
}

static bool is_equal_edge(const void *context, uint32_t a, uint32_t b) {
    lm_vec2 first[2], second[2];
    get_edge(context, a, first);
    get_edge(context, b, second);
    return first[0].x == second[0].x && first[0].y == second[0].y && first[1].x == second[1].x &&
           first[1].y == second[1].y;
}

/* Sets the parent of each vertex: the vertices of an island have the same root. */
static bool join_vertices(const lm_surface *surface, lm_arena *arena, uint32_t *parents) {
    const uint32_t num_corners = 3 * surface->num_triangles, *corners = surface->triangles;
    uint64_t *hashes = lm_arena_alloc(arena, num_corners, sizeof *hashes);
    uint32_t *firsts = lm_arena_alloc(arena, num_corners, sizeof *firsts);
    if (!hashes || !firsts)
        return false;
    for (uint32_t v = 0; v < surface->num_vertices; v++)
        parents[v] = v;
    for (uint32_t i = 0; i < num_corners; i++) {
        lm_vec2 ends[2];
        get_edge(surface, i, ends);
        hashes[i] = lm_hash_bytes(0, ends, sizeof ends);
        join(parents, corners[i], corners[i - i % 3]);
    }
    if (!lm_find_equal(num_corners, hashes, is_equal_edge, surface, firsts, arena->heap))
        return false;
    for (uint32_t i = 0; i < num_corners; i++)
        join(parents, corners[i], corners[firsts[i]]);
    return true;
}

/* ---- Moving -------------------------------------------------------------------------------- */

static void get_bounds(const lm_surface *surface, uint32_t *parents, island *islands) {
    for (uint32_t v = 0; v < surface->num_vertices; v++)
        islands[v] = (island){INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (uint32_t v = 0; v < surface->num_vertices; v++) {
        const lm_vec2 st = surface->st[v];
        island *i = &islands[root_of(parents, v)];
        i->left = fmin(i->left, (double)st.x);
        i->right = fmax(i->right, (double)st.x);
        i->top = fmin(i->top, (double)st.y);
        i->bottom = fmax(i->bottom, (double)st.y);
    }
}

/* Returns by how many tiles to move an island: as many as its middle is away, so that most of it is
 * on the skin; 0 if it lies within the skin or covers it. */
static double tiles_of(double low, double high) {
    const bool stays = (low >= 0 && high <= 1) || (low <= 0 && high >= 1);
    return stays ? 0 : floor((low + high) / 2);
}

/* Returns the surface's coordinates, moved; NULL if memory ran out. */
static const lm_vec2 *move_islands(const lm_surface *surface, lm_arena *arena) {
    const uint32_t count = surface->num_vertices;
    lm_vec2 *moved = lm_arena_alloc(arena, count, sizeof *moved);
    uint32_t *parents = lm_arena_alloc(arena, count, sizeof *parents);
    island *islands = lm_arena_alloc(arena, count, sizeof *islands);
    if (!moved || !parents || !islands || !join_vertices(surface, arena, parents))
        return NULL;
    get_bounds(surface, parents, islands);
    for (uint32_t v = 0; v < count; v++) {
        const island *i = &islands[root_of(parents, v)];
        moved[v].x = (float)((double)surface->st[v].x - tiles_of(i->left, i->right));
        moved[v].y = (float)((double)surface->st[v].y - tiles_of(i->top, i->bottom));
    }
    return moved;
}

const lm_vec2 **lm_uv_islands(const lm_model *model, const lm_uv_options *options,
                              lm_arena *arena) {
    const lm_vec2 **st = lm_arena_zeros(arena, model->num_surfaces, sizeof(lm_vec2 *));
    for (uint32_t i = 0; st && i < model->num_surfaces; i++) {
        const lm_surface *surface = &model->surfaces[i];
        const bool stays = !lm_uv_shows(options, i) || is_on_skin(surface) ||
                           surface->num_triangles > UINT32_MAX / 3;
        st[i] = stays ? surface->st : move_islands(surface, arena);
    }
    return lm_arena_failed(arena) ? NULL : st;
}
