/* Simplifies by collapsing edges: a point moves onto a neighbour, which keeps its position in every
 * frame. The remaining vertices keep their animation. Quadrics (Garland and Heckbert 1997), summed
 * over the frames that differ most, measure the cost. So limbs that touch in one pose but not in
 * another are not joined. The result has the remaining triangles of each surface, and the vertices
 * that they use. */
#include "core/report.h"
#include "math/vectors.h"
#include "mesh/mesh_make.h"

#include <stdlib.h>
#include <string.h>

#define MAX_NEIGHBOURS 48     /* triangles around a point; a point with more stays */
#define MAX_QUADRIC_FRAMES 24 /* that have quadrics */
#define LEAST_FRAMES 4
#define MAX_QUADRICS ((uint64_t)1 << 21)
#define EDGE_WEIGHT 4.0          /* of borders and seams, relative to faces */
#define MOST_DISTANCE (1.0 / 11) /* of a point from its surfaces, relative to the model's size */
#define SLIDE_WEIGHT 0.25        /* of textures sliding over a face, relative to faces moving */
#define NUM_ROUNDS 2
#define POINT_TOLERANCE \
    2048 /* the vertices of a point may differ by 1 / POINT_TOLERANCE of the model's size */
#define MAX_CANDIDATES 1000u /* vertices compared with each vertex */
#define LEAST_SHAPE 1e-5     /* minimum of (|cross product| / longest side^2)^2 of a triangle */

/* The square of the smallest cosine between a triangle's normals before and after a collapse, per
 * round. The first round allows small turns only; the second anything that does not flip the
 * triangle. */
static const double least_angles[NUM_ROUNDS] = {0.09, 1e-4};

/* A sum of plane quadrics: the products of the planes' 4 coefficients, each pair once. */
typedef union quadric {
    struct {
        double xx, xy, xz, x, yy, yz, y, zz, z, one;
    };
    double all[10];
} quadric;

/* A candidate: the cost of removing a point by moving it onto the neighbour `to`. */
typedef struct collapse {
    double cost;
    uint32_t from, to, version;
    bool checked; /* known to be allowed, at this version */
} collapse;

/* The position of a vertex in the first frame. */
typedef struct place {
    float at[3];
    uint32_t vertex;
} place;

typedef struct decimator {
    const lm_mesh *mesh;
    lm_arena *arena;
    lm_mesh_surface all; /* all surfaces merged, with normals in the first frame */
    uint32_t num_corners, num_left;
    uint32_t
        *charts; /* [num_corners] initial ids: equal if surface and texture coordinate are equal */
    uint32_t *points;  /* [num_corners] vertices that move alike share a point: its first vertex */
    uint32_t *sources; /* [num_corners] the corner whose vertex and texture coordinate each corner
                          has now */
    bool *left;        /* [num_triangles] still present */
    uint32_t *heads,
        *next;          /* corners at each point: [num_vertices], [num_corners]; LM_UNUSED ends */
    uint32_t *versions; /* [num_vertices] incremented when the neighbourhood of the point changes */
    double least_angle;
    double most;         /* mean squared distance of a point from its planes */
    uint32_t num_frames; /* that have quadrics */
    uint32_t frames[MAX_QUADRIC_FRAMES];
    quadric *quadrics; /* [num_vertices * num_frames] */
    collapse *heap;
    size_t num_collapses, max_collapses;
} decimator;

/* The neighbourhood of a point. */
typedef struct neighbourhood {
    uint32_t num_corners, num_neighbours;
    uint32_t corners[MAX_NEIGHBOURS];        /* the point's, of remaining triangles */
    uint32_t neighbours[2 * MAX_NEIGHBOURS]; /* points */
    uint32_t num_shared[2 * MAX_NEIGHBOURS]; /* triangles that share this neighbour */
    bool border;                             /* some edge belongs to one triangle only */
} neighbourhood;

static uint32_t corner_of(uint32_t corner, uint32_t turn) {
    return corner - corner % 3 + (corner + turn) % 3;
}

static lm_vec3 at(const decimator *d, uint32_t point, uint32_t frame) {
    return lmi_vec3_at(d->all.positions, (size_t)frame * d->all.num_vertices + point);
}

static lm_wide from_to(lm_vec3 a, lm_vec3 b) {
    return lmi_wide_sum(lmi_wide_of(b), lmi_wide_of(a), -1);
}

/* ---- Quadrics ------------------------------------------------------------------------------- */

/* Adds the squared distance from the plane through `p` with the normal `n` (of any length), times
 * `weight`. */
static void add_plane(quadric *q, lm_vec3 p, lm_wide n, double weight) {
    const double square = lmi_wide_dot(n, n);
    if (square <= 0)
        return;
    const double w = weight / square, plane[4] = {n.x, n.y, n.z, -lmi_wide_dot(n, lmi_wide_of(p))};
    for (int i = 0, k = 0; i < 4; i++)
        for (int j = i; j < 4; j++)
            q->all[k++] += w * plane[i] * plane[j];
}

static double evaluate(const quadric *q, lm_vec3 p) {
    const double x = (double)p.x, y = (double)p.y, z = (double)p.z;
    const double cost = q->xx * x * x + q->yy * y * y + q->zz * z * z + q->one +
                        2 * (q->xy * x * y + q->xz * x * z + q->yz * y * z) +
                        2 * (q->x * x + q->y * y + q->z * z);
    return cost > 0 ? cost : 0;
}

/* ---- Neighbourhoods ------------------------------------------------------------------------- */

/* Returns the index of a neighbour, or num_neighbours if the point is none. */
static uint32_t number_of(const neighbourhood *r, uint32_t point) {
    uint32_t n = 0;
    while (n < r->num_neighbours && r->neighbours[n] != point)
        n++;
    return n;
}

static void add_neighbour(neighbourhood *r, uint32_t point) {
    const uint32_t i = number_of(r, point);
    if (i == r->num_neighbours) {
        r->neighbours[r->num_neighbours++] = point;
        r->num_shared[i] = 0;
    }
    r->num_shared[i]++;
}

/* Returns true if the triangles around a point form one fan, connected by shared edges. */
static bool is_one_fan(const decimator *d, const neighbourhood *r) {
    bool reached[MAX_NEIGHBOURS] = {true};
    uint32_t count = 1;
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = 0; i < r->num_corners; i++)
            for (uint32_t k = 0; k < r->num_corners && reached[i]; k++) {
                const uint32_t a = d->points[corner_of(r->corners[i], 1)],
                               b = d->points[corner_of(r->corners[i], 2)],
                               c = d->points[corner_of(r->corners[k], 1)],
                               e = d->points[corner_of(r->corners[k], 2)];
                if (!reached[k] && (a == c || a == e || b == c || b == e)) {
                    reached[k] = more = true;
                    count++;
                }
            }
    }
    return count == r->num_corners;
}

/* Returns the first corner of a remaining triangle from a link of a point's list on. Removes the
 * others from the list. */
static uint32_t next_left(const decimator *d, uint32_t *link) {
    while (*link != LM_UNUSED && !d->left[*link / 3])
        *link = d->next[*link];
    return *link;
}

/* Finds the neighbourhood of a point. Returns false if the point must stay: it has no triangles or
 * too many, more than two triangles share one of its edges, or it joins several fans. */
static bool collect_neighbours(const decimator *d, uint32_t point, neighbourhood *r) {
    r->num_corners = r->num_neighbours = 0;
    r->border = false;
    for (uint32_t *link = &d->heads[point], c; (c = next_left(d, link)) != LM_UNUSED;
         link = &d->next[c]) {
        if (r->num_corners == MAX_NEIGHBOURS)
            return false;
        r->corners[r->num_corners++] = c;
        add_neighbour(r, d->points[corner_of(c, 1)]);
        add_neighbour(r, d->points[corner_of(c, 2)]);
    }
    for (uint32_t i = 0; i < r->num_neighbours; i++) {
        r->border = r->border || r->num_shared[i] == 1;
        if (r->num_shared[i] > 2)
            return false;
    }
    return r->num_corners > 0 && is_one_fan(d, r);
}

static bool has_point(const decimator *d, uint32_t triangle, uint32_t point) {
    const uint32_t *p = d->points + 3 * (size_t)triangle;
    return p[0] == point || p[1] == point || p[2] == point;
}

/* Returns the corner of a triangle at one of its points. */
static uint32_t corner_at(const decimator *d, uint32_t triangle, uint32_t point) {
    uint32_t c = 3 * triangle;
    while (d->points[c] != point)
        c++;
    return c;
}

static uint32_t chart_of(const decimator *d, uint32_t corner) {
    return d->charts[d->sources[corner]];
}

/* Returns the chart at `to` in which a corner of `r` with this chart continues. Returns LM_UNUSED
 * if the edge between them is not in the chart, or if the chart has two continuations there:
 * texture coordinates would tear. */
static uint32_t chart_beyond(const decimator *d, const neighbourhood *r, uint32_t to,
                             uint32_t chart) {
    uint32_t found = LM_UNUSED;
    for (uint32_t i = 0; i < r->num_corners; i++) {
        const uint32_t c = r->corners[i];
        if (chart_of(d, c) != chart || !has_point(d, c / 3, to))
            continue;
        const uint32_t there = chart_of(d, corner_at(d, c / 3, to));
        if (found != LM_UNUSED && found != there)
            return LM_UNUSED;
        found = there;
    }
    return found;
}

/* Returns true if borders, seams and the edges of surfaces survive moving the point onto its
 * neighbour `n`. */
static bool keeps_edges(const decimator *d, const neighbourhood *r, uint32_t n) {
    if (r->border && r->num_shared[n] != 1)
        return false;
    for (uint32_t i = 0; i < r->num_corners; i++)
        if (chart_beyond(d, r, r->neighbours[n], chart_of(d, r->corners[i])) == LM_UNUSED)
            return false;
    return true;
}

/* ---- Which collapses are allowed ------------------------------------------------------------ */

/* Returns true if a triangle around one point has the same two other corners as one around another
 * point. */
static bool meets_triangle(const decimator *d, uint32_t corner, const neighbourhood *other) {
    const uint32_t a = d->points[corner_of(corner, 1)], b = d->points[corner_of(corner, 2)];
    for (uint32_t i = 0; i < other->num_corners; i++)
        if (other->corners[i] / 3 != corner / 3 && has_point(d, other->corners[i] / 3, a) &&
            has_point(d, other->corners[i] / 3, b))
            return true;
    return false;
}

/* Returns true if no two triangles become identical: the only common neighbours of both ends are
 * the points opposite their edge. */
static bool keeps_topology(const decimator *d, const neighbourhood *r, uint32_t n) {
    neighbourhood other;
    uint32_t common = 0;
    if (!collect_neighbours(d, r->neighbours[n], &other) ||
        r->num_corners + other.num_corners > MAX_NEIGHBOURS)
        return false;
    for (uint32_t i = 0; i < r->num_neighbours; i++)
        common += number_of(&other, r->neighbours[i]) < other.num_neighbours;
    /* Reject collapses that join two borders in a point or remove a whole piece. */
    const bool bridge = r->border && other.border && r->num_shared[n] != 1;
    const bool last = r->num_corners == r->num_shared[n] && other.num_corners == r->num_corners;
    bool apart = common == r->num_shared[n] && !bridge && !last;
    for (uint32_t i = 0; apart && i < r->num_corners; i++)
        apart = has_point(d, r->corners[i] / 3, r->neighbours[n]) ||
                !meets_triangle(d, r->corners[i], &other);
    return apart;
}

static double longest_square(lm_wide a, lm_wide b) {
    const lm_wide c = lmi_wide_sum(b, a, -1);
    return fmax(lmi_wide_dot(a, a), fmax(lmi_wide_dot(b, b), lmi_wide_dot(c, c)));
}

/* Returns true if a triangle keeps its orientation and shape in a frame when its corner moves to
 * `to`. A triangle that is already degenerate there passes. */
static bool keeps_orientation(const decimator *d, uint32_t corner, uint32_t to, uint32_t frame) {
    const lm_vec3 u = at(d, d->points[corner], frame), v = at(d, to, frame);
    const lm_vec3 a = at(d, d->points[corner_of(corner, 1)], frame);
    const lm_vec3 b = at(d, d->points[corner_of(corner, 2)], frame);
    const lm_wide ua = from_to(u, a), ub = from_to(u, b), va = from_to(v, a), vb = from_to(v, b);
    const lm_wide before = lmi_wide_cross(ua, ub), after = lmi_wide_cross(va, vb);
    const double old_square = lmi_wide_dot(before, before), new_square = lmi_wide_dot(after, after),
                 turn = lmi_wide_dot(before, after);
    const double side = longest_square(ua, ub), long_side = longest_square(va, vb);
    if (old_square <= LEAST_SHAPE * side * side)
        return true;
    return turn > 0 && turn * turn > d->least_angle * old_square * new_square &&
           new_square > LEAST_SHAPE * long_side * long_side;
}

static double st_area(const float *a, const float *b, const float *c) {
    return ((double)b[0] - (double)a[0]) * ((double)c[1] - (double)a[1]) -
           ((double)c[0] - (double)a[0]) * ((double)b[1] - (double)a[1]);
}

/* Returns the initial texture coordinate of a corner. */
static const float *first_st(const decimator *d, uint32_t corner) {
    return d->all.st + 2 * (size_t)d->all.st_triangles[corner];
}

static const float *st_of(const decimator *d, uint32_t corner) {
    return first_st(d, d->sources[corner]);
}

/* The same for a triangle's texture coordinates, if the corner takes those of corner `then`. */
static bool keeps_texture(const decimator *d, uint32_t corner, uint32_t then) {
    const float *u = st_of(d, corner), *v = first_st(d, then);
    const float *a = st_of(d, corner_of(corner, 1)), *b = st_of(d, corner_of(corner, 2));
    const double before = st_area(u, a, b), after = st_area(v, a, b);
    return before == 0 || (before > 0) == (after > 0);
}

/* Returns the normal of a corner in the first frame. */
static lm_wide normal_of(const decimator *d, uint32_t corner) {
    return lmi_wide_of(lmi_vec3_at(d->all.normals, d->all.triangles[d->sources[corner]]));
}

/* Returns the corner at `to` that a corner will copy: in the chart in which it continues, the one
 * with the most similar normal. Returns LM_UNUSED if there is none, or `to` has too many triangles.
 */
static uint32_t matching_corner(const decimator *d, const neighbourhood *r, uint32_t corner,
                                uint32_t to) {
    const uint32_t chart = chart_beyond(d, r, to, chart_of(d, corner));
    const lm_wide own = normal_of(d, corner);
    uint32_t best = LM_UNUSED;
    double most = -INFINITY;
    unsigned count = 0;
    for (uint32_t *link = &d->heads[to], c; (c = next_left(d, link)) != LM_UNUSED;
         link = &d->next[c]) {
        if (count++ == MAX_NEIGHBOURS)
            return LM_UNUSED;
        if (chart_of(d, c) != chart)
            continue;
        const double like = lmi_wide_dot(own, normal_of(d, c));
        if (like > most) {
            most = like;
            best = d->sources[c];
        }
    }
    return best;
}

static bool can_collapse(const decimator *d, const neighbourhood *r, uint32_t n) {
    const uint32_t to = r->neighbours[n];
    if (!keeps_topology(d, r, n))
        return false;
    for (uint32_t i = 0; i < r->num_corners; i++) {
        const uint32_t c = r->corners[i];
        if (has_point(d, c / 3, to))
            continue;
        const uint32_t then = matching_corner(d, r, c, to);
        if (then == LM_UNUSED || !keeps_texture(d, c, then))
            return false;
        for (uint32_t f = 0; f < d->mesh->num_frames; f++)
            if (!keeps_orientation(d, c, to, f))
                return false;
    }
    return true;
}

/* ---- Candidates, cheapest first ------------------------------------------------------------- */

static bool is_cheaper(const collapse *a, const collapse *b) {
    return a->cost != b->cost ? a->cost < b->cost : a->from < b->from;
}

static bool push(decimator *d, const collapse *w) {
    if (!lmi_arena_grow(d->arena, &d->heap, &d->max_collapses, d->num_collapses + 1,
                        sizeof *d->heap))
        return false;
    size_t i = d->num_collapses++;
    for (; i > 0 && is_cheaper(w, &d->heap[(i - 1) / 2]); i = (i - 1) / 2)
        d->heap[i] = d->heap[(i - 1) / 2];
    d->heap[i] = *w;
    return true;
}

static collapse pop(decimator *d) {
    const collapse first = d->heap[0], last = d->heap[--d->num_collapses];
    size_t i = 0;
    for (size_t child; (child = 2 * i + 1) < d->num_collapses; i = child) {
        if (child + 1 < d->num_collapses && is_cheaper(&d->heap[child + 1], &d->heap[child]))
            child++;
        if (!is_cheaper(&d->heap[child], &last))
            break;
        d->heap[i] = d->heap[child];
    }
    d->heap[i] = last;
    return first;
}

/* Returns the cost of a triangle's texture sliding in the first frame, if its corner moved to `to`
 * and took the texture coordinate of corner `then`: area times squared distance, in units. */
static double sliding(const decimator *d, uint32_t corner, uint32_t to, uint32_t then) {
    const uint32_t others[2] = {corner_of(corner, 1), corner_of(corner, 2)};
    const lm_vec3 u = at(d, d->points[corner], 0);
    const float *st = st_of(d, corner), *st_then = first_st(d, then);
    const float *st_a = st_of(d, others[0]), *st_b = st_of(d, others[1]);
    const lm_wide a = from_to(u, at(d, d->points[others[0]], 0)),
                  b = from_to(u, at(d, d->points[others[1]], 0)), way = from_to(u, at(d, to, 0));
    const lm_wide normal = lmi_wide_cross(a, b);
    const double square = lmi_wide_dot(normal, normal), skin = fabs(st_area(st, st_a, st_b));
    if (square <= 0 || skin <= 0)
        return 0;
    /* The position of `to` over the triangle, and the texture coordinate there. */
    const double x = lmi_wide_dot(lmi_wide_cross(way, b), normal) / square,
                 y = lmi_wide_dot(lmi_wide_cross(a, way), normal) / square;
    double off = 0;
    for (int i = 0; i < 2; i++) {
        const double shown = (double)st[i] + x * ((double)st_a[i] - (double)st[i]) +
                             y * ((double)st_b[i] - (double)st[i]);
        off += ((double)st_then[i] - shown) * ((double)st_then[i] - shown);
    }
    return off * square / skin;
}

/* Returns the cost of a collapse: INFINITY if it would move the point too far from the surfaces
 * that it stands for in some frame, as if a limb collapsed. */
static double cost_of(const decimator *d, const neighbourhood *r, uint32_t point, uint32_t to) {
    const quadric *q = d->quadrics + (size_t)point * d->num_frames;
    double cost = 0, slide = 0;
    for (uint32_t k = 0; k < d->num_frames; k++) {
        const double one = evaluate(&q[k], at(d, to, d->frames[k]));
        if (one > d->most * (q[k].xx + q[k].yy + q[k].zz))
            return INFINITY;
        cost += one;
    }
    for (uint32_t i = 0; i < r->num_corners; i++) {
        const uint32_t c = r->corners[i];
        const uint32_t then = has_point(d, c / 3, to) ? LM_UNUSED : matching_corner(d, r, c, to);
        slide += then == LM_UNUSED ? 0 : sliding(d, c, to, then);
    }
    return cost + SLIDE_WEIGHT * slide * d->num_frames;
}

/* Finds the cheapest collapse of a point that keeps edges. If `possible`, considers only allowed
 * ones. Returns false if there is none. */
static bool find_collapse(const decimator *d, const neighbourhood *r, bool possible, collapse *w) {
    *w = (collapse){INFINITY, w->from, LM_UNUSED, d->versions[w->from], possible};
    for (uint32_t n = 0; n < r->num_neighbours; n++) {
        const bool keeps = keeps_edges(d, r, n);
        const double cost = keeps ? cost_of(d, r, w->from, r->neighbours[n]) : INFINITY;
        if (cost < w->cost && (!possible || can_collapse(d, r, n))) {
            w->cost = cost;
            w->to = r->neighbours[n];
        }
    }
    return w->to != LM_UNUSED;
}

static bool queue_collapse(decimator *d, uint32_t point) {
    neighbourhood r;
    collapse w = {.from = point};
    return !collect_neighbours(d, point, &r) || !find_collapse(d, &r, false, &w) || push(d, &w);
}

/* ---- Collapsing ----------------------------------------------------------------------------- */

static void move_corners(decimator *d, const neighbourhood *r, uint32_t to) {
    uint32_t then[MAX_NEIGHBOURS];
    for (uint32_t i = 0; i < r->num_corners; i++)
        then[i] = matching_corner(d, r, r->corners[i], to);
    for (uint32_t i = 0; i < r->num_corners; i++) {
        const uint32_t c = r->corners[i];
        if (has_point(d, c / 3, to)) {
            d->left[c / 3] = false;
            d->num_left--;
        }
    }
    for (uint32_t i = 0; i < r->num_corners; i++) {
        const uint32_t c = r->corners[i];
        if (!d->left[c / 3])
            continue;
        d->points[c] = to;
        d->sources[c] = then[i];
        d->next[c] = d->heads[to];
        d->heads[to] = c;
    }
}

static bool remove_triangles(decimator *d, const neighbourhood *r, const collapse *w) {
    quadric *from = d->quadrics + (size_t)w->from * d->num_frames;
    quadric *to = d->quadrics + (size_t)w->to * d->num_frames;
    move_corners(d, r, w->to);
    d->heads[w->from] = LM_UNUSED;
    for (uint32_t k = 0; k < d->num_frames; k++)
        for (int i = 0; i < 10; i++)
            to[k].all[i] += from[k].all[i];
    bool done = true;
    d->versions[w->from]++;
    for (uint32_t i = 0; done && i < r->num_neighbours; i++) {
        d->versions[r->neighbours[i]]++;
        done = queue_collapse(d, r->neighbours[i]);
    }
    return done;
}

/* Performs collapses until `triangles` are left. Skips those that would remove too many; `spare`
 * becomes the cheapest of them, for the end. */
static bool follow(decimator *d, uint32_t triangles, collapse *spare) {
    neighbourhood r;
    while (d->num_left > triangles && d->num_collapses > 0) {
        collapse w = pop(d);
        if (w.version != d->versions[w.from] || !collect_neighbours(d, w.from, &r))
            continue;
        /* The neighbour's other triangles may have changed since the check. */
        const uint32_t to = number_of(&r, w.to);
        if (!w.checked || to == r.num_neighbours || !keeps_topology(d, &r, to)) {
            if (find_collapse(d, &r, true, &w) && !push(d, &w))
                return false;
            continue;
        }
        if (d->num_left - triangles < r.num_shared[to]) {
            *spare = spare->from == LM_UNUSED ? w : *spare;
            continue;
        }
        if (!remove_triangles(d, &r, &w))
            return false;
    }
    return true;
}

/* ---- Points --------------------------------------------------------------------------------- */

static int compare_places(const void *left, const void *right) {
    const float *a = ((const place *)left)->at, *b = ((const place *)right)->at;
    for (int i = 0; i < 3; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return ((const place *)left)->vertex < ((const place *)right)->vertex ? -1 : 1;
}

static float size_of(const decimator *d) {
    lm_box box = LM_EMPTY_BOX;
    for (uint32_t v = 0; v < d->all.num_vertices; v++)
        lmi_box_add(&box, at(d, v, 0));
    return fmaxf(lmi_box_side(&box, 0), fmaxf(lmi_box_side(&box, 1), lmi_box_side(&box, 2)));
}

/* Returns true if two vertices stay within `tolerance` of each other in every frame. */
static bool are_close(const decimator *d, uint32_t a, uint32_t b, float tolerance) {
    for (uint32_t f = 0; f < d->mesh->num_frames; f++) {
        const lm_vec3 p = at(d, a, f), q = at(d, b, f);
        if (fabsf(p.x - q.x) > tolerance || fabsf(p.y - q.y) > tolerance ||
            fabsf(p.z - q.z) > tolerance)
            return false;
    }
    return true;
}

/* Merges vertices that move alike into one point, also across surfaces. The first in the order of
 * positions names the point. Tolerates small distances, because files round positions and seams
 * would open otherwise. */
static bool join_vertices(decimator *d, uint32_t *firsts) {
    place *places = lmi_arena_alloc(d->arena, d->all.num_vertices, sizeof *places);
    if (!places || d->all.num_vertices == 0)
        return places;
    const float tolerance = size_of(d) / POINT_TOLERANCE;
    for (uint32_t v = 0; v < d->all.num_vertices; v++) {
        places[v].vertex = firsts[v] = v;
        memcpy(places[v].at, d->all.positions + 3 * (size_t)v, sizeof places[v].at);
    }
    qsort(places, d->all.num_vertices, sizeof *places, compare_places);
    for (uint32_t i = 0; i < d->all.num_vertices; i++) {
        const place *p = &places[i];
        const uint32_t end =
            d->all.num_vertices - i > MAX_CANDIDATES ? i + MAX_CANDIDATES : d->all.num_vertices;
        if (firsts[p->vertex] != p->vertex)
            continue;
        for (const place *q = p + 1; q < places + end && q->at[0] - p->at[0] <= tolerance; q++)
            if (firsts[q->vertex] == q->vertex && fabsf(q->at[1] - p->at[1]) <= tolerance &&
                fabsf(q->at[2] - p->at[2]) <= tolerance &&
                are_close(d, p->vertex, q->vertex, tolerance))
                firsts[q->vertex] = p->vertex;
    }
    return true;
}

/* Finds the point of each corner, and removes triangles that have a point twice. */
static bool gather_points(decimator *d) {
    uint32_t *firsts = lmi_arena_alloc(d->arena, d->all.num_vertices, sizeof *firsts);
    if (!firsts || !join_vertices(d, firsts))
        return false;
    for (uint32_t c = 0; c < d->num_corners; c++) {
        d->sources[c] = c;
        d->points[c] = firsts[d->all.triangles[c]];
    }
    for (uint32_t c = d->num_corners; c-- > 0;) {
        const uint32_t *p = d->points + (c - c % 3);
        d->left[c / 3] = p[0] != p[1] && p[1] != p[2] && p[2] != p[0];
        d->num_left += c % 3 == 0 && d->left[c / 3];
        d->next[c] = d->heads[d->points[c]];
        d->heads[d->points[c]] = c;
    }
    return true;
}

/* ---- Costs ---------------------------------------------------------------------------------- */

/* Returns the distance of two frames: the sum of the squared distances between their points. */
static double frame_distance(const decimator *d, uint32_t a, uint32_t b) {
    const size_t each = (size_t)d->all.num_vertices * 3;
    const float *p = d->all.positions + a * each, *q = d->all.positions + b * each;
    double sum = 0;
    for (size_t i = 0; i < each; i++)
        sum += ((double)p[i] - (double)q[i]) * ((double)p[i] - (double)q[i]);
    return sum;
}

/* Chooses the frames for the quadrics: the first, then repeatedly the one furthest from all chosen
 * ones. */
static bool choose_frames(decimator *d) {
    const uint32_t count = d->mesh->num_frames;
    double *distances = lmi_arena_alloc(d->arena, count, sizeof *distances);
    uint64_t most = MAX_QUADRICS / (d->all.num_vertices + (uint64_t)1);
    most = most < LEAST_FRAMES         ? LEAST_FRAMES
           : most < MAX_QUADRIC_FRAMES ? most
                                       : MAX_QUADRIC_FRAMES;
    for (uint32_t f = 0; distances && f < count; f++)
        distances[f] = INFINITY;
    for (uint32_t next = 0; distances && d->num_frames < most;) {
        d->frames[d->num_frames++] = next;
        uint32_t best = 0; /* at distance 0: it was chosen first */
        for (uint32_t f = 0; f < count; f++) {
            distances[f] = fmin(distances[f], frame_distance(d, f, next));
            best = distances[f] > distances[best] ? f : best;
        }
        if (distances[best] <= 0)
            break;
        next = best;
    }
    return distances;
}

/* Returns true if a side lies on a border, a seam or the edge of a surface, which must keep its
 * outline. */
static bool is_edge(const decimator *d, const uint32_t *degrees, uint32_t corner) {
    const uint32_t other = corner_of(corner, 1), a = d->points[corner], b = d->points[other];
    const bool from_b = degrees[b] < degrees[a]; /* the shorter list */
    for (uint32_t c = d->heads[from_b ? b : a]; c != LM_UNUSED; c = d->next[c]) {
        if (!d->left[c / 3] || c / 3 == corner / 3 || !has_point(d, c / 3, from_b ? a : b))
            continue;
        return d->charts[corner_at(d, c / 3, a)] != d->charts[corner] ||
               d->charts[corner_at(d, c / 3, b)] != d->charts[other];
    }
    return true;
}

static void add_side(decimator *d, uint32_t corner, uint32_t k, lm_wide normal) {
    const uint32_t a = d->points[corner], b = d->points[corner_of(corner, 1)];
    const lm_vec3 p = at(d, a, d->frames[k]);
    const lm_wide side = from_to(p, at(d, b, d->frames[k])), across = lmi_wide_cross(side, normal);
    const double weight = EDGE_WEIGHT * lmi_wide_dot(side, side);
    add_plane(&d->quadrics[(size_t)a * d->num_frames + k], p, across, weight);
    add_plane(&d->quadrics[(size_t)b * d->num_frames + k], p, across, weight);
}

static bool gather_quadrics(decimator *d) {
    d->quadrics = lmi_arena_zeros(d->arena, (uint64_t)d->all.num_vertices * d->num_frames,
                                  sizeof *d->quadrics);
    uint32_t *degrees = lmi_arena_zeros(d->arena, d->all.num_vertices, sizeof *degrees);
    for (uint32_t c = 0; degrees && c < d->num_corners; c++)
        degrees[d->points[c]]++;
    for (uint32_t t = 0; d->quadrics && degrees && t < d->num_corners / 3; t++) {
        const uint32_t *points = d->points + 3 * (size_t)t;
        bool edges[3] = {false, false, false};
        for (uint32_t c = 0; c < 3 && d->left[t]; c++)
            edges[c] = is_edge(d, degrees, 3 * t + c);
        for (uint32_t k = 0; k < d->num_frames && d->left[t]; k++) {
            const lm_vec3 p = at(d, points[0], d->frames[k]);
            const lm_wide normal = lmi_wide_cross(from_to(p, at(d, points[1], d->frames[k])),
                                                  from_to(p, at(d, points[2], d->frames[k])));
            for (uint32_t c = 0; c < 3; c++) {
                add_plane(&d->quadrics[(size_t)points[c] * d->num_frames + k], p, normal,
                          lmi_wide_length(normal));
                if (edges[c])
                    add_side(d, 3 * t + c, k, normal);
            }
        }
    }
    return d->quadrics && degrees;
}

static bool begin(decimator *d) {
    lm_arena *arena = d->arena;
    if (!lmi_merge_surfaces(d->mesh, 1, arena, &d->all))
        return false;
    const uint32_t corners = d->num_corners = 3 * d->all.num_triangles;
    d->charts = lmi_arena_alloc(arena, corners, sizeof *d->charts);
    d->points = lmi_arena_alloc(arena, corners, sizeof *d->points);
    d->sources = lmi_arena_alloc(arena, corners, sizeof *d->sources);
    d->next = lmi_arena_alloc(arena, corners, sizeof *d->next);
    d->left = lmi_arena_alloc(arena, corners / 3, sizeof *d->left);
    d->heads = lmi_unused_numbers(arena, d->all.num_vertices);
    d->versions = lmi_arena_zeros(arena, d->all.num_vertices, sizeof *d->versions);
    uint32_t corner = 0, num_charts;
    for (uint32_t i = 0; d->charts && i < d->mesh->num_surfaces; i++)
        for (size_t c = 0; c < (size_t)d->mesh->surfaces[i].num_triangles * 3; c++)
            d->charts[corner++] = i;
    return d->charts && d->points && d->sources && d->next && d->left && d->heads && d->versions &&
           lmi_rank_corners(&d->all, d->charts, d->charts, &num_charts, arena) &&
           gather_points(d) && choose_frames(d) && gather_quadrics(d);
}

/* Collapses edges until `triangles` are left, or one fewer, or no further collapse is allowed.
 * Returns false if memory ran out. */
static bool decimate(decimator *d, uint32_t triangles) {
    collapse spare = {.from = LM_UNUSED};
    if (!begin(d))
        return false;
    const double distance = MOST_DISTANCE * (double)size_of(d);
    d->most = distance * distance;
    const bool simple = triangles >= d->num_corners / 3;
    for (uint32_t t = 0; t < d->num_corners / 3 && simple; t++)
        d->left[t] = true;
    d->num_left = simple ? d->num_corners / 3 : d->num_left;
    for (int round = 0; round < NUM_ROUNDS && spare.from == LM_UNUSED; round++) {
        d->least_angle = least_angles[round];
        for (uint32_t p = 0; p < d->all.num_vertices && d->num_left > triangles; p++)
            if (d->heads[p] != LM_UNUSED && !queue_collapse(d, p))
                return false;
        if (!follow(d, triangles, &spare))
            return false;
    }
    /* Perform the spare collapse, if still needed. Search again, because the neighbourhood may
     * have changed since. */
    neighbourhood r;
    collapse w = spare;
    return d->num_left <= triangles || w.from == LM_UNUSED || !collect_neighbours(d, w.from, &r) ||
           !find_collapse(d, &r, true, &w) || remove_triangles(d, &r, &w);
}

/* ---- The mesh ------------------------------------------------------------------------------- */

/* Lists the remaining triangles of a surface, with the vertices and texture coordinates that their
 * corners took. `first`: number of the surface's first corner. `vertices` receives for each
 * remaining vertex its index in the original mesh. */
static bool list_left(const decimator *d, uint32_t index, size_t first, lm_mesh_surface *out,
                      uint32_t **vertices) {
    const lm_mesh_surface *from = &d->mesh->surfaces[index];
    const uint32_t *own = from->st_triangles ? from->st_triangles : from->triangles;
    const uint64_t corners = (uint64_t)from->num_triangles * 3;
    uint32_t *triangles = lmi_arena_alloc(d->arena, corners, sizeof *triangles);
    uint32_t *st_triangles = lmi_arena_alloc(d->arena, corners, sizeof *st_triangles);
    uint32_t *used = lmi_arena_alloc(d->arena, from->num_st, sizeof *used);
    uint32_t *numbers = lmi_unused_numbers(d->arena, from->num_vertices);
    uint32_t *st_numbers = lmi_unused_numbers(d->arena, from->num_st);
    float *st = lmi_arena_alloc(d->arena, from->num_st, 2 * sizeof *st);
    *vertices = lmi_arena_alloc(d->arena, from->num_vertices, sizeof *used);
    if (!triangles || !st_triangles || !used || !numbers || !st_numbers || !st || !*vertices)
        return false;
    size_t left = 0;
    for (size_t c = 0; c < corners; c++) {
        if (!d->left[(first + c) / 3])
            continue;
        const size_t source = d->sources[first + c] - first;
        triangles[left] = from->triangles[source];
        st_triangles[left++] = from->num_st > 0 ? own[source] : 0;
    }
    *out = *from;
    out->num_triangles = (uint32_t)(left / 3);
    out->triangles = triangles;
    out->num_vertices = lmi_number_by_use(triangles, left, numbers, *vertices);
    out->st_triangles = from->num_st > 0 ? st_triangles : NULL;
    if (from->num_st > 0)
        out->num_st = lmi_number_by_use(st_triangles, left, st_numbers, used);
    for (uint32_t i = 0; i < out->num_st; i++)
        memcpy(st + 2 * (size_t)i, from->st + 2 * (size_t)used[i], 2 * sizeof *st);
    out->st = from->num_st > 0 ? st : NULL;
    return true;
}

/* Copies the rows of the remaining vertices. */
static void copy_rows(const lm_mesh_surface *from, const uint32_t *vertices, uint32_t num_frames,
                      const lm_mesh_surface *made) {
    const size_t count = made->num_vertices;
    lm_vec3 *positions = lmi_mesh_rows(made->positions), *normals = lmi_mesh_rows(made->normals);
    for (size_t f = 0; f < num_frames; f++)
        for (size_t v = 0; v < count; v++) {
            const size_t there = f * from->num_vertices + vertices[v];
            positions[f * count + v] = lmi_vec3_at(from->positions, there);
            if (normals)
                normals[f * count + v] = lmi_vec3_at(from->normals, there);
        }
}

lm_mesh *lm_mesh_decimate(const lm_mesh *mesh, uint32_t triangles, const lm_memory *memory,
                          lm_error *error) {
    lm_heap heap;
    if (!lm_mesh_check(mesh, error))
        return NULL;
    lmi_mesh_heap(&heap, memory, error);
    lm_arena arena = {.heap = &heap};
    decimator d = {.mesh = mesh, .arena = &arena};
    lm_mesh like = *mesh;
    lm_mesh_surface *surfaces = lmi_arena_alloc(&arena, mesh->num_surfaces, sizeof *surfaces);
    uint32_t **vertices = lmi_arena_alloc(&arena, mesh->num_surfaces, sizeof(uint32_t *));
    bool done = surfaces && vertices && decimate(&d, triangles);
    size_t first = 0;
    for (uint32_t i = 0; done && i < mesh->num_surfaces; i++) {
        done = list_left(&d, i, first, &surfaces[i], &vertices[i]);
        first += (size_t)mesh->surfaces[i].num_triangles * 3;
    }
    like.surfaces = surfaces;
    lm_mesh *made = done ? lmi_make_mesh(&like, &heap) : lmi_heap_diagnose(&heap);
    for (uint32_t i = 0; done && made && i < mesh->num_surfaces; i++)
        copy_rows(&mesh->surfaces[i], vertices[i], mesh->num_frames, &made->surfaces[i]);
    for (uint32_t i = 0; made && i < mesh->num_tags; i++)
        memcpy(lmi_mesh_poses(made, i), mesh->tags[i].poses,
               mesh->num_frames * sizeof(lm_transform));
    lmi_arena_free(&arena);
    return made;
}
