/* The vertices of the second mesh are sorted along its longest axis in the first frame pair. From a
 * vertex's own position the search runs both ways. It stops when the distance along the axis alone
 * exceeds the best one. A distance is the largest over a few frame pairs; ties are decided by the
 * largest over all. */
#include "mesh/nearest.h"

#include "model/weld.h"

#include <stdlib.h>
#include <string.h>

#define MAX_FRAME_PAIRS 8 /* frame pairs */
/* Weights relative to squared units. Texture coordinates, then normals, only decide between
 * vertices that move alike. */
#define ST_WEIGHT 1e-6
#define NORMAL_WEIGHT 1e-10

bool lm_find_drawn(const lm_mesh *mesh, lm_arena *arena, lm_drawn *out) {
    uint64_t corners = 0;
    for (uint32_t i = 0; i < mesh->num_surfaces; i++)
        corners += (uint64_t)mesh->surfaces[i].num_triangles * 3;
    *out = (lm_drawn){.mesh = mesh};
    out->vertices = lm_arena_alloc(arena, corners, sizeof *out->vertices);
    uint64_t *keys = lm_arena_alloc(arena, corners, sizeof *keys);
    uint32_t *ids = lm_arena_alloc(arena, corners, sizeof *ids);
    bool done = out->vertices && keys && ids && corners < UINT32_MAX;
    for (uint32_t i = 0; done && i < mesh->num_surfaces; i++) {
        const lm_mesh_surface *s = &mesh->surfaces[i];
        const uint32_t *st = s->st_triangles ? s->st_triangles : s->triangles;
        const uint32_t count = s->num_triangles * 3;
        uint32_t num_ids = 0;
        for (uint32_t c = 0; c < count; c++)
            keys[c] = (uint64_t)s->triangles[c] << 32 | (s->num_st > 0 ? st[c] : 0);
        done = lm_rank_keys(keys, count, ids, &num_ids, arena->heap);
        for (uint32_t c = 0; done && c < count; c++) {
            lm_drawn_vertex *drawn = &out->vertices[out->count + ids[c]];
            *drawn = (lm_drawn_vertex){i, s->triangles[c], {0, 0}};
            if (s->num_st > 0)
                memcpy(&drawn->st, s->st + 2 * (size_t)st[c], sizeof drawn->st);
        }
        out->count += num_ids;
    }
    return done;
}

typedef struct place {
    float along;
    uint32_t index;
} place;

static int compare_places(const void *a, const void *b) {
    const place *p = a, *q = b;
    return p->along != q->along ? (p->along < q->along ? -1 : 1)
                                : (p->index > q->index) - (p->index < q->index);
}

/* Returns 0 for equal normals up to 4 for opposite ones; 0 if one of them is missing. */
static double opposition(const lm_drawn *a, uint32_t of_a, const lm_drawn *b, uint32_t of_b,
                         const lm_frame_pair *pair) {
    lm_vec3 p, q;
    if (!lm_drawn_normal(a, of_a, pair->a, &p) || !lm_drawn_normal(b, of_b, pair->b, &q))
        return 0;
    const lm_wide x = lm_wide_of(p), y = lm_wide_of(q);
    const double lengths = lm_wide_length(x) * lm_wide_length(y);
    return lengths > 0 ? 2 - 2 * lm_wide_dot(x, y) / lengths : 0;
}

typedef struct search {
    const lm_drawn *a, *b;
    const lm_frame_pair *pairs; /* the sample of pairs */
    uint32_t num_pairs;
    const lm_frame_pair *all;
    uint32_t num_all;
    int axis;            /* the longest */
    const place *places; /* [b->count] by ascending position along it */
} search;

/* Returns the largest squared distance over the pairs. Stops early beyond `most`. */
static double widest(const search *s, const lm_frame_pair *pairs, uint32_t count, uint32_t of_a,
                     uint32_t of_b, double most) {
    double largest = 0;
    for (uint32_t i = 0; i < count && largest <= most; i++)
        largest = fmax(largest, lm_square_between(lm_drawn_position(s->a, of_a, pairs[i].a),
                                                  lm_drawn_position(s->b, of_b, pairs[i].b)));
    return largest;
}

/* Returns the largest squared distance over the sample, with a small addition for texture
 * coordinates. */
static double cost(const search *s, uint32_t of_a, uint32_t of_b, double most) {
    const lm_vec2 st = s->a->vertices[of_a].st, other = s->b->vertices[of_b].st;
    const double u = (double)st.x - (double)other.x, v = (double)st.y - (double)other.y;
    const double sum =
        widest(s, s->pairs, s->num_pairs, of_a, of_b, most) + ST_WEIGHT * fmin(u * u + v * v, 1);
    return sum <= most ? sum + NORMAL_WEIGHT * opposition(s->a, of_a, s->b, of_b, &s->pairs[0])
                       : sum;
}

/* Decides ties of the sample: returns true if the vertex is nearer than `best` over all pairs.
 * `least` is the squared distance of `best`, negative if not yet computed. */
static bool is_nearer(const search *s, uint32_t of_a, uint32_t of_b, uint32_t best, double *least) {
    if (*least < 0)
        *least = widest(s, s->all, s->num_all, of_a, best, INFINITY);
    if (*least <= 0)
        return false;
    const double found = widest(s, s->all, s->num_all, of_a, of_b, *least);
    if (found > *least || (found >= *least && of_b > best))
        return false;
    *least = found;
    return true;
}

static float along_axis(const lm_drawn *drawn, uint32_t index, uint32_t frame, int axis) {
    const lm_vec3 position = lm_drawn_position(drawn, index, frame);
    return axis == 0 ? position.x : axis == 1 ? position.y : position.z;
}

/* Returns the index of the first entry not below `along`. */
static uint32_t lower_bound(const search *s, float along) {
    uint32_t low = 0, high = s->b->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (s->places[middle].along < along)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static uint32_t find_one(const search *s, uint32_t of_a) {
    const float along = along_axis(s->a, of_a, s->pairs[0].a, s->axis);
    uint32_t up = lower_bound(s, along), down = up, best = 0;
    double least = INFINITY, least_of_all = -1;
    while (down > 0 || up < s->b->count) {
        const double below =
            down > 0 ? (double)along - (double)s->places[down - 1].along : INFINITY;
        const double above =
            up < s->b->count ? (double)s->places[up].along - (double)along : INFINITY;
        if (fmin(below, above) * fmin(below, above) > least)
            break;
        const uint32_t index = below < above ? s->places[--down].index : s->places[up++].index;
        const double found = cost(s, of_a, index, least);
        if (found < least)
            least_of_all = -1;
        else if (found > least || !is_nearer(s, of_a, index, best, &least_of_all))
            continue;
        least = found;
        best = index;
    }
    return best;
}

static int longest_axis(const lm_drawn *drawn, uint32_t frame) {
    lm_box box = LM_EMPTY_BOX;
    int longest = 0;
    for (uint32_t i = 0; i < drawn->count; i++)
        lm_box_add(&box, lm_drawn_position(drawn, i, frame));
    for (int k = 1; k < 3; k++)
        longest = lm_box_side(&box, k) > lm_box_side(&box, longest) ? k : longest;
    return longest;
}

bool lm_find_nearest(const lm_drawn *a, const lm_drawn *b, const lm_frame_pair *pairs,
                     uint32_t num_pairs, lm_arena *arena, uint32_t *nearest) {
    lm_frame_pair looked[MAX_FRAME_PAIRS] = {pairs[0]};
    place *places = lm_arena_alloc(arena, b->count, sizeof *places);
    search s = {.a = a,
                .b = b,
                .pairs = looked,
                .num_pairs = num_pairs < MAX_FRAME_PAIRS ? num_pairs : MAX_FRAME_PAIRS,
                .all = pairs,
                .num_all = num_pairs,
                .places = places};
    if (!places)
        return false;
    for (uint32_t i = 0; i < s.num_pairs; i++)
        looked[i] = pairs[(uint64_t)i * num_pairs / s.num_pairs];
    s.axis = longest_axis(b, looked[0].b);
    for (uint32_t i = 0; i < b->count; i++)
        places[i] = (place){along_axis(b, i, looked[0].b, s.axis), i};
    qsort(places, b->count, sizeof *places, compare_places);
    for (uint32_t i = 0; i < a->count; i++)
        nearest[i] = find_one(&s, i);
    return true;
}
