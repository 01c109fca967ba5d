/* The vertices of the second mesh are in a k-d tree of their positions in a few frame pairs. A
 * distance is the largest over these pairs; ties are decided by the largest over all. */
#include "mesh/nearest.h"

#include "model/weld.h"

#include <string.h>

#define MAX_FRAME_PAIRS 8 /* frame pairs */
/* Weights relative to squared units. Texture coordinates, then normals, only decide between
 * vertices that move alike. */
#define ST_WEIGHT 1e-6
#define NORMAL_WEIGHT 1e-10

bool lmi_has_area(const lm_mesh *mesh, const lm_mesh_surface *surface, uint32_t triangle) {
    const uint32_t *corners = surface->triangles + 3 * (size_t)triangle;
    for (uint32_t f = 0; f < mesh->num_frames; f++) {
        lm_vec3 p[3];
        for (unsigned k = 0; k < 3; k++)
            p[k] = lmi_vec3_at(surface->positions, (size_t)f * surface->num_vertices + corners[k]);
        if (!lmi_same_vec3(p[0], p[1]) && !lmi_same_vec3(p[1], p[2]) && !lmi_same_vec3(p[2], p[0]))
            return true;
    }
    return false;
}

bool lmi_find_drawn(const lm_mesh *mesh, lm_arena *arena, lm_drawn *out) {
    uint64_t corners = 0;
    for (uint32_t i = 0; i < mesh->num_surfaces; i++)
        corners += (uint64_t)mesh->surfaces[i].num_triangles * 3;
    *out = (lm_drawn){.mesh = mesh};
    out->vertices = lmi_arena_alloc(arena, corners, sizeof *out->vertices);
    uint64_t *keys = lmi_arena_alloc(arena, corners, sizeof *keys);
    uint32_t *ids = lmi_arena_alloc(arena, corners, sizeof *ids);
    uint32_t *seen = lmi_arena_alloc(arena, corners, sizeof *seen);
    bool done = out->vertices && keys && ids && seen && corners < UINT32_MAX;
    for (uint32_t i = 0; done && i < mesh->num_surfaces; i++) {
        const lm_mesh_surface *s = &mesh->surfaces[i];
        const uint32_t *st = s->st_triangles ? s->st_triangles : s->triangles;
        uint32_t num_ids = 0, count = 0; /* corners of triangles that have an area */
        for (uint32_t t = 0; t < s->num_triangles; t++)
            for (uint32_t k = lmi_has_area(mesh, s, t) ? 0 : 3; k < 3; k++)
                seen[count++] = 3 * t + k;
        for (uint32_t k = 0; k < count; k++)
            keys[k] = (uint64_t)s->triangles[seen[k]] << 32 | (s->num_st > 0 ? st[seen[k]] : 0);
        done = lmi_rank_keys(keys, count, ids, &num_ids, arena->heap);
        for (uint32_t k = 0; done && k < count; k++) {
            lm_drawn_vertex *drawn = &out->vertices[out->count + ids[k]];
            *drawn = (lm_drawn_vertex){i, s->triangles[seen[k]], {0, 0}};
            if (s->num_st > 0)
                memcpy(&drawn->st, s->st + 2 * (size_t)st[seen[k]], sizeof drawn->st);
        }
        out->count += num_ids;
    }
    return done;
}

/* Returns 0 for equal normals up to 4 for opposite ones; 0 if one of them is missing. */
static double opposition(const lm_drawn *a, uint32_t of_a, const lm_drawn *b, uint32_t of_b,
                         const lm_frame_pair *pair) {
    lm_vec3 p, q;
    if (!lmi_drawn_normal(a, of_a, pair->a, &p) || !lmi_drawn_normal(b, of_b, pair->b, &q))
        return 0;
    const lm_wide x = lmi_wide_of(p), y = lmi_wide_of(q);
    const double lengths = lmi_wide_length(x) * lmi_wide_length(y);
    return lengths > 0 ? 2 - 2 * lmi_wide_dot(x, y) / lengths : 0;
}

/* A node of the tree: vertices order[first] .. order[end - 1]. An inner node separates those below
 * `split`, in the next node, from the others, in node `other`. */
typedef struct kd_node {
    uint32_t first, end;
    uint32_t other; /* 0: a leaf */
    uint32_t axis;  /* 3 * pair + 0 .. 2 */
    float split;
} kd_node;

typedef struct search {
    const lm_drawn *a, *b;
    const lm_frame_pair *pairs; /* the sample of pairs */
    uint32_t num_pairs;
    const lm_frame_pair *all;
    uint32_t num_all;
    uint32_t *order; /* [b->count] */
    kd_node *nodes;  /* [2 * b->count] */
    uint32_t num_nodes;
} search;

/* Returns the largest squared distance over the pairs. Stops early beyond `most`. */
static double widest(const search *s, const lm_frame_pair *pairs, uint32_t count, uint32_t of_a,
                     uint32_t of_b, double most) {
    double largest = 0;
    for (uint32_t i = 0; i < count && largest <= most; i++)
        largest = fmax(largest, lmi_square_between(lmi_drawn_position(s->a, of_a, pairs[i].a),
                                                   lmi_drawn_position(s->b, of_b, pairs[i].b)));
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

/* ---- The tree ------------------------------------------------------------------------------- */

#define LEAF_SIZE 8
/* Deeper nodes stay leaves, and a search examines at most this number of vertices. So the time is
 * linear for any input. Real models need a tenth of that. */
#define MAX_DEPTH 64
#define MAX_EXAMINED 1024

static float along_axis(const lm_drawn *drawn, uint32_t index, uint32_t frame, uint32_t axis) {
    const lm_vec3 position = lmi_drawn_position(drawn, index, frame);
    return axis % 3 == 0 ? position.x : axis % 3 == 1 ? position.y : position.z;
}

static float of_b(const search *s, uint32_t index, uint32_t axis) {
    return along_axis(s->b, index, s->pairs[axis / 3].b, axis);
}

/* Chooses the axis along which a node's vertices are widest apart in some pairs, and its middle.
 * Returns false if all positions are equal. */
static bool choose_split(const search *s, uint32_t first, uint32_t count, kd_node *node) {
    double widest_side = 0;
    for (uint32_t pair = first; pair < first + count; pair++) {
        lm_box box = LM_EMPTY_BOX;
        for (uint32_t i = node->first; i < node->end; i++)
            lmi_box_add(&box, lmi_drawn_position(s->b, s->order[i], s->pairs[pair].b));
        for (uint32_t k = 0; k < 3; k++) {
            const float low = box.low[k], high = box.high[k];
            const double side = (double)high - (double)low;
            if (!(side > widest_side))
                continue;
            widest_side = side;
            node->axis = 3 * pair + k;
            node->split = (float)((double)low + side / 2);
            if (node->split <= low) /* neighbouring floats */
                node->split = high;
        }
    }
    return widest_side > 0;
}

/* Moves a node's vertices below the split to the front. Returns the index of the first other one.
 */
static uint32_t divide(search *s, const kd_node *node) {
    uint32_t middle = node->first;
    for (uint32_t i = node->first; i < node->end; i++) {
        const uint32_t index = s->order[i];
        if (of_b(s, index, node->axis) < node->split) {
            s->order[i] = s->order[middle];
            s->order[middle++] = index;
        }
    }
    return middle;
}

/* Vertices that wait to become a node. */
typedef struct kd_range {
    uint32_t parent, first, end, depth;
} kd_range;

/* Divides the nodes depth first, so that the part below a split follows its node. */
static void build_tree(search *s) {
    kd_range waiting[MAX_DEPTH + 1] = {{0, 0, s->b->count, 0}};
    for (unsigned count = 1; count > 0;) {
        const kd_range range = waiting[--count];
        const uint32_t number = s->num_nodes++;
        kd_node *node = &s->nodes[number];
        *node = (kd_node){.first = range.first, .end = range.end};
        if (number > 0 && range.parent + 1 != number)
            s->nodes[range.parent].other = number;
        if (range.end - range.first <= LEAF_SIZE || range.depth == MAX_DEPTH - 1)
            continue;
        /* Mostly, the parent's pair will do. */
        if ((range.depth % 4 == 0 || !choose_split(s, s->nodes[range.parent].axis / 3, 1, node)) &&
            !choose_split(s, 0, s->num_pairs, node))
            continue;
        const uint32_t middle = divide(s, node);
        waiting[count++] = (kd_range){number, middle, range.end, range.depth + 1};
        waiting[count++] = (kd_range){number, range.first, middle, range.depth + 1};
    }
}

/* ---- The search ----------------------------------------------------------------------------- */

/* A search for one vertex, and the best one so far. */
typedef struct query {
    uint32_t of_a, best, examined;
    double least, least_of_all; /* least_of_all: over all pairs, negative if not yet computed */
    bool done;                  /* nothing can be nearer, or enough was examined */
} query;

static void examine(const search *s, query *q, uint32_t index) {
    const double found = cost(s, q->of_a, index, q->least);
    q->done = ++q->examined == MAX_EXAMINED;
    if (found < q->least)
        q->least_of_all = -1;
    else if (found > q->least || !is_nearer(s, q->of_a, index, q->best, &q->least_of_all))
        return;
    q->least = found;
    q->best = index;
    if (q->least <= 0 && q->least_of_all < 0)
        q->least_of_all = widest(s, s->all, s->num_all, q->of_a, index, INFINITY);
    q->done = q->done || (q->least <= 0 && q->least_of_all <= 0);
}

static uint32_t find_one(const search *s, uint32_t of_a) {
    struct {
        uint32_t node;
        double bound; /* no vertex of the node is nearer */
    } waiting[MAX_DEPTH] = {{0, 0}};
    query q = {.of_a = of_a, .least = INFINITY, .least_of_all = -1};
    for (unsigned count = 1; count > 0 && !q.done;) {
        const double bound = waiting[--count].bound;
        const kd_node *node = &s->nodes[waiting[count].node];
        if (bound > q.least)
            continue;
        while (node->other > 0) {
            const double away =
                (double)along_axis(s->a, of_a, s->pairs[node->axis / 3].a, node->axis) -
                (double)node->split;
            const uint32_t next = (uint32_t)(node - s->nodes) + 1;
            waiting[count].node = away < 0 ? node->other : next;
            waiting[count++].bound = fmax(bound, away * away);
            node = &s->nodes[away < 0 ? next : node->other];
        }
        for (uint32_t i = node->first; i < node->end && !q.done; i++)
            examine(s, &q, s->order[i]);
    }
    return q.best;
}

bool lmi_find_nearest(const lm_drawn *a, const lm_drawn *b, const lm_frame_pair *pairs,
                      uint32_t num_pairs, lm_arena *arena, uint32_t *nearest) {
    lm_frame_pair looked[MAX_FRAME_PAIRS] = {pairs[0]};
    search s = {.a = a,
                .b = b,
                .pairs = looked,
                .num_pairs = num_pairs < MAX_FRAME_PAIRS ? num_pairs : MAX_FRAME_PAIRS,
                .all = pairs,
                .num_all = num_pairs,
                .order = lmi_arena_alloc(arena, b->count, sizeof *s.order),
                .nodes = lmi_arena_alloc(arena, 2 * (uint64_t)b->count, sizeof *s.nodes)};
    if (!s.order || !s.nodes)
        return false;
    for (uint32_t i = 0; i < s.num_pairs; i++)
        looked[i] = pairs[(uint64_t)i * num_pairs / s.num_pairs];
    for (uint32_t i = 0; i < b->count; i++)
        s.order[i] = i;
    build_tree(&s);
    for (uint32_t i = 0; i < a->count; i++)
        nearest[i] = find_one(&s, i);
    return true;
}
