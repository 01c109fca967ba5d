/* Edges are taken away at one end: a point goes to one of its neighbours, which stays where it is
 * in every frame, so that all frames stay what they were there. What that costs is told by quadrics
 * (Garland and Heckbert 1997) in frames that differ most, summed: limbs that touch in one pose and
 * not in another are not joined. */
#include "mesh/decimate.h"

#include "model/weld.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_AROUND 48 /* triangles at a point; it stays if it has more */
#define MOST_FRAMES 24 /* in which quadrics are kept */
#define LEAST_FRAMES 4
#define MOST_QUADRICS ((uint64_t)1 << 21)
#define EDGE_WEIGHT 4.0   /* of borders and seams, against faces */
#define SLIDE_WEIGHT 0.25 /* of textures that slide over a face, against faces that move */
#define NUM_ROUNDS 2
#define NEAR_SHARE 2048 /* of a model's size is how far apart vertices of a point may be */
#define MOST_NEAR 1000u /* vertices that are compared with one */
#define LEAST_SHAPE \
    1e-5 /* the square of the least ratio of its area to its longest side's square */

/* The square of the least cosine that a triangle's normal may turn by: at first little, then what
 * it takes not to turn over. */
static const double least_turns[NUM_ROUNDS] = {0.09, 1e-4};

typedef struct quadric {
    double xx, xy, xz, yy, yz, zz, x, y, z, one;
} quadric;

/* What taking a point away costs; `to` is the neighbour that it goes to. */
typedef struct wish {
    double cost;
    uint32_t from, to, version;
    bool checked; /* that it may be done, at this version */
} wish;

/* Where a vertex is in the first frame. */
typedef struct place {
    float at[3];
    uint32_t vertex;
} place;

typedef struct decimator {
    const lm_take *take;
    lm_arena *arena;
    uint32_t num_corners, num_points, num_vertices, num_left;
    const float *positions; /* [num_frames * num_vertices * 3] of all surfaces */
    const float *normals;   /* [num_vertices * 3] in the first frame */
    uint32_t *vertices;     /* [num_corners] the vertex among all, at first */
    const float **st;       /* [num_corners] at first; NULL: none */
    uint32_t *charts; /* [num_corners] equal where surface and texture coordinate are, at first */
    uint32_t *points; /* [num_corners] vertices that move alike are one point, by its first */
    uint32_t *took;   /* [num_corners] */
    bool *left;       /* [num_triangles] */
    uint32_t *heads, *next; /* corners at a point: [num_vertices], [num_corners]; LM_UNUSED ends */
    uint32_t *versions;     /* [num_vertices] grows when what is around a point changes */
    double least_turn;
    uint32_t num_frames; /* in which quadrics are kept */
    uint32_t frames[MOST_FRAMES];
    quadric *quadrics; /* [num_vertices * num_frames] */
    wish *heap;
    size_t num_wishes, max_wishes;
} decimator;

/* What is around a point. */
typedef struct ring {
    uint32_t num_corners, num_neighbours;
    uint32_t corners[MOST_AROUND];        /* its own, of triangles that are left */
    uint32_t neighbours[2 * MOST_AROUND]; /* points */
    uint32_t num_shared[2 * MOST_AROUND]; /* triangles that have this neighbour too */
    bool border;                          /* some edge has one triangle only */
} ring;

static uint32_t corner_of(uint32_t corner, uint32_t turn) {
    return corner - corner % 3 + (corner + turn) % 3;
}

static const float *at(const decimator *d, uint32_t point, uint32_t frame) {
    return d->positions + 3 * ((size_t)frame * d->num_vertices + point);
}

/* ---- Vectors -------------------------------------------------------------------------------- */

typedef struct vec {
    double x, y, z;
} vec;

static vec from_to(const float *a, const float *b) {
    return (vec){(double)b[0] - (double)a[0], (double)b[1] - (double)a[1],
                 (double)b[2] - (double)a[2]};
}

static vec cross(vec a, vec b) {
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static double dot(vec a, vec b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* ---- Quadrics ------------------------------------------------------------------------------- */

/* Adds the squared distance from the plane through `p` with the normal `n`, of any length, times
 * `weight`. */
static void add_plane(quadric *q, const float *p, vec n, double weight) {
    const double square = dot(n, n);
    if (square <= 0)
        return;
    const double w = weight / square;
    const double d = -(n.x * (double)p[0] + n.y * (double)p[1] + n.z * (double)p[2]);
    q->xx += w * n.x * n.x;
    q->xy += w * n.x * n.y;
    q->xz += w * n.x * n.z;
    q->yy += w * n.y * n.y;
    q->yz += w * n.y * n.z;
    q->zz += w * n.z * n.z;
    q->x += w * n.x * d;
    q->y += w * n.y * d;
    q->z += w * n.z * d;
    q->one += w * d * d;
}

static double evaluate(const quadric *q, const float *p) {
    const double x = (double)p[0], y = (double)p[1], z = (double)p[2];
    const double cost = q->xx * x * x + q->yy * y * y + q->zz * z * z + q->one +
                        2 * (q->xy * x * y + q->xz * x * z + q->yz * y * z) +
                        2 * (q->x * x + q->y * y + q->z * z);
    return cost > 0 ? cost : 0;
}

static void add_quadric(quadric *to, const quadric *from) {
    to->xx += from->xx;
    to->xy += from->xy;
    to->xz += from->xz;
    to->yy += from->yy;
    to->yz += from->yz;
    to->zz += from->zz;
    to->x += from->x;
    to->y += from->y;
    to->z += from->z;
    to->one += from->one;
}

/* ---- What is around a point ----------------------------------------------------------------- */

static void add_neighbour(ring *r, uint32_t point) {
    uint32_t i = 0;
    while (i < r->num_neighbours && r->neighbours[i] != point)
        i++;
    if (i == r->num_neighbours) {
        r->neighbours[r->num_neighbours++] = point;
        r->num_shared[i] = 0;
    }
    r->num_shared[i]++;
}

/* Whether the triangles around a point are one fan: each reached from the first over shared edges.
 */
static bool is_one_fan(const decimator *d, const ring *r) {
    bool reached[MOST_AROUND] = {true};
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

/* False for a point that must stay: nothing or too much is there, more than two triangles share an
 * edge of it, or it holds two fans together. */
static bool look_around(const decimator *d, uint32_t point, ring *r) {
    r->num_corners = r->num_neighbours = 0;
    r->border = false;
    for (uint32_t c = d->heads[point]; c != LM_UNUSED; c = d->next[c]) {
        if (!d->left[c / 3])
            continue;
        if (r->num_corners == MOST_AROUND)
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

/* The corner of a triangle at a point that it has. */
static uint32_t corner_at(const decimator *d, uint32_t triangle, uint32_t point) {
    uint32_t c = 3 * triangle;
    while (d->points[c] != point)
        c++;
    return c;
}

static uint32_t chart_of(const decimator *d, uint32_t corner) {
    return d->charts[d->took[corner]];
}

/* The chart at `to` that a corner of `r` with some chart goes on in; LM_UNUSED if the edge between
 * them is not in that chart, or in two at its end: then texture coordinates would tear. */
static uint32_t chart_beyond(const decimator *d, const ring *r, uint32_t to, uint32_t chart) {
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

/* Whether borders, seams and surfaces' edges stay if a point goes to its neighbour `n`. */
static bool keeps_edges(const decimator *d, const ring *r, uint32_t n) {
    if (r->border && r->num_shared[n] != 1)
        return false;
    for (uint32_t i = 0; i < r->num_corners; i++)
        if (chart_beyond(d, r, r->neighbours[n], chart_of(d, r->corners[i])) == LM_UNUSED)
            return false;
    return true;
}

/* ---- What it would do ----------------------------------------------------------------------- */

static bool is_among(const uint32_t *list, uint32_t count, uint32_t value) {
    for (uint32_t i = 0; i < count; i++)
        if (list[i] == value)
            return true;
    return false;
}

/* Whether a triangle around one point has the same other two as one around another. */
static bool meets_triangle(const decimator *d, uint32_t corner, const ring *other) {
    const uint32_t a = d->points[corner_of(corner, 1)], b = d->points[corner_of(corner, 2)];
    for (uint32_t i = 0; i < other->num_corners; i++)
        if (other->corners[i] / 3 != corner / 3 && has_point(d, other->corners[i] / 3, a) &&
            has_point(d, other->corners[i] / 3, b))
            return true;
    return false;
}

/* Whether no two triangles come to lie on each other: neighbours of both ends are those opposite of
 * the edge, and no others. */
static bool stays_a_surface(const decimator *d, const ring *r, uint32_t n) {
    ring other;
    uint32_t common = 0;
    if (!look_around(d, r->neighbours[n], &other) ||
        r->num_corners + other.num_corners > MOST_AROUND)
        return false;
    for (uint32_t i = 0; i < r->num_neighbours; i++)
        common += is_among(other.neighbours, other.num_neighbours, r->neighbours[i]);
    /* Two borders would meet in one point, or a piece would be gone. */
    const bool bridge = r->border && other.border && r->num_shared[n] != 1;
    const bool last = r->num_corners == r->num_shared[n] && other.num_corners == r->num_corners;
    bool apart = common == r->num_shared[n] && !bridge && !last;
    for (uint32_t i = 0; apart && i < r->num_corners; i++)
        apart = has_point(d, r->corners[i] / 3, r->neighbours[n]) ||
                !meets_triangle(d, r->corners[i], &other);
    return apart;
}

static double longest_square(vec a, vec b) {
    const vec c = {b.x - a.x, b.y - a.y, b.z - a.z};
    return fmax(dot(a, a), fmax(dot(b, b), dot(c, c)));
}

/* Whether a triangle at a corner keeps its side and a shape in a frame, if the corner goes. What
 * was flat there already may be so. */
static bool stays_upright(const decimator *d, uint32_t corner, uint32_t to, uint32_t frame) {
    const float *u = at(d, d->points[corner], frame), *v = at(d, to, frame);
    const float *a = at(d, d->points[corner_of(corner, 1)], frame);
    const float *b = at(d, d->points[corner_of(corner, 2)], frame);
    const vec ua = from_to(u, a), ub = from_to(u, b), va = from_to(v, a), vb = from_to(v, b);
    const vec before = cross(ua, ub), after = cross(va, vb);
    const double old = dot(before, before), new = dot(after, after), turn = dot(before, after);
    const double side = longest_square(ua, ub), long_side = longest_square(va, vb);
    if (old <= LEAST_SHAPE * side * side)
        return true;
    return turn > 0 &&
           turn * turn > d->least_turn * old * new &&new > LEAST_SHAPE *long_side *long_side;
}

static double st_area(const float *a, const float *b, const float *c) {
    return ((double)b[0] - (double)a[0]) * ((double)c[1] - (double)a[1]) -
           ((double)c[0] - (double)a[0]) * ((double)b[1] - (double)a[1]);
}

static const float *st_of(const decimator *d, uint32_t corner) {
    return d->st[d->took[corner]];
}

/* The same of a triangle's texture coordinates; `then` is the corner whose the corner's become. */
static bool keeps_texture(const decimator *d, uint32_t corner, uint32_t then) {
    const float *u = st_of(d, corner), *v = d->st[then];
    if (!u || !v)
        return true;
    const float *a = st_of(d, corner_of(corner, 1)), *b = st_of(d, corner_of(corner, 2));
    const double before = st_area(u, a, b), after = st_area(v, a, b);
    return before == 0 || (before > 0) == (after > 0);
}

/* A corner at `to`, in the chart that `corner` goes on in, whose normal is most like its own: the
 * corner that it will be like. LM_UNUSED if there is none. */
static uint32_t like_there(const decimator *d, const ring *r, uint32_t corner, uint32_t to) {
    const uint32_t chart = chart_beyond(d, r, to, chart_of(d, corner));
    const float *own = d->normals + 3 * (size_t)d->vertices[d->took[corner]];
    uint32_t best = LM_UNUSED;
    double most = -INFINITY;
    for (uint32_t c = d->heads[to]; c != LM_UNUSED; c = d->next[c]) {
        if (!d->left[c / 3] || chart_of(d, c) != chart)
            continue;
        const float *n = d->normals + 3 * (size_t)d->vertices[d->took[c]];
        const double like = (double)own[0] * (double)n[0] + (double)own[1] * (double)n[1] +
                            (double)own[2] * (double)n[2];
        if (like > most) {
            most = like;
            best = d->took[c];
        }
    }
    return best;
}

static bool may_go(const decimator *d, const ring *r, uint32_t n) {
    const uint32_t to = r->neighbours[n];
    if (!stays_a_surface(d, r, n))
        return false;
    for (uint32_t i = 0; i < r->num_corners; i++) {
        const uint32_t c = r->corners[i];
        if (has_point(d, c / 3, to))
            continue;
        const uint32_t then = like_there(d, r, c, to);
        if (then == LM_UNUSED || !keeps_texture(d, c, then))
            return false;
        for (uint32_t f = 0; f < d->take->num_frames; f++)
            if (!stays_upright(d, c, to, f))
                return false;
    }
    return true;
}

/* ---- Wishes, the cheapest first ------------------------------------------------------------- */

static bool comes_before(const wish *a, const wish *b) {
    return a->cost != b->cost ? a->cost < b->cost : a->from < b->from;
}

static bool push(decimator *d, const wish *w) {
    if (!lm_arena_grow(d->arena, &d->heap, &d->max_wishes, d->num_wishes + 1, sizeof *d->heap))
        return false;
    size_t i = d->num_wishes++;
    for (; i > 0 && comes_before(w, &d->heap[(i - 1) / 2]); i = (i - 1) / 2)
        d->heap[i] = d->heap[(i - 1) / 2];
    d->heap[i] = *w;
    return true;
}

static wish pop(decimator *d) {
    const wish first = d->heap[0], last = d->heap[--d->num_wishes];
    size_t i = 0;
    for (size_t child; (child = 2 * i + 1) < d->num_wishes; i = child) {
        if (child + 1 < d->num_wishes && comes_before(&d->heap[child + 1], &d->heap[child]))
            child++;
        if (!comes_before(&d->heap[child], &last))
            break;
        d->heap[i] = d->heap[child];
    }
    d->heap[i] = last;
    return first;
}

/* What a triangle at a corner, in the first frame, would see of its texture slide if the corner
 * went to `to` and took the texture coordinate of corner `then`: its area times the square of how
 * far, in units. */
static double sliding(const decimator *d, uint32_t corner, uint32_t to, uint32_t then) {
    const uint32_t others[2] = {corner_of(corner, 1), corner_of(corner, 2)};
    const float *u = at(d, d->points[corner], 0), *v = at(d, to, 0);
    const float *st = st_of(d, corner), *st_then = d->st[then];
    if (!st || !st_then)
        return 0;
    const float *st_a = st_of(d, others[0]), *st_b = st_of(d, others[1]);
    const vec a = from_to(u, at(d, d->points[others[0]], 0)),
              b = from_to(u, at(d, d->points[others[1]], 0)), way = from_to(u, v);
    const vec normal = cross(a, b);
    const double square = dot(normal, normal), skin = fabs(st_area(st, st_a, st_b));
    if (square <= 0 || skin <= 0)
        return 0;
    /* Where `to` is over the triangle, and what its texture shows there. */
    const double x = dot(cross(way, b), normal) / square, y = dot(cross(a, way), normal) / square;
    double off = 0;
    for (int i = 0; i < 2; i++) {
        const double shown = (double)st[i] + x * ((double)st_a[i] - (double)st[i]) +
                             y * ((double)st_b[i] - (double)st[i]);
        off += ((double)st_then[i] - shown) * ((double)st_then[i] - shown);
    }
    return off * square / skin;
}

static double cost_of(const decimator *d, const ring *r, uint32_t point, uint32_t to) {
    const quadric *q = d->quadrics + (size_t)point * d->num_frames;
    double cost = 0, slide = 0;
    for (uint32_t k = 0; k < d->num_frames; k++)
        cost += evaluate(&q[k], at(d, to, d->frames[k]));
    for (uint32_t i = 0; i < r->num_corners; i++) {
        const uint32_t c = r->corners[i];
        const uint32_t then = has_point(d, c / 3, to) ? LM_UNUSED : like_there(d, r, c, to);
        slide += then == LM_UNUSED ? 0 : sliding(d, c, to, then);
    }
    return cost + SLIDE_WEIGHT * slide * d->num_frames;
}

/* The cheapest way for a point that keeps edges, which need not be possible. */
static bool wish_for(decimator *d, uint32_t point) {
    ring r;
    wish w = {INFINITY, point, LM_UNUSED, d->versions[point], false};
    if (!look_around(d, point, &r))
        return true;
    for (uint32_t n = 0; n < r.num_neighbours; n++) {
        const bool keeps = keeps_edges(d, &r, n);
        const double cost = keeps ? cost_of(d, &r, point, r.neighbours[n]) : INFINITY;
        if (cost < w.cost) {
            w.cost = cost;
            w.to = r.neighbours[n];
        }
    }
    return w.to == LM_UNUSED || push(d, &w);
}

/* The cheapest way that is possible. */
static bool find_possible(const decimator *d, const ring *r, wish *w) {
    const uint32_t point = w->from;
    w->to = LM_UNUSED;
    w->cost = INFINITY;
    for (uint32_t n = 0; n < r->num_neighbours; n++) {
        const bool keeps = keeps_edges(d, r, n);
        const double cost = keeps ? cost_of(d, r, point, r->neighbours[n]) : INFINITY;
        if (cost < w->cost && may_go(d, r, n)) {
            w->cost = cost;
            w->to = r->neighbours[n];
        }
    }
    w->checked = true;
    return w->to != LM_UNUSED;
}

/* ---- Taking away ---------------------------------------------------------------------------- */

static void move_corners(decimator *d, const ring *r, uint32_t to) {
    uint32_t then[MOST_AROUND];
    for (uint32_t i = 0; i < r->num_corners; i++)
        then[i] = like_there(d, r, r->corners[i], to);
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
        d->took[c] = then[i];
        d->next[c] = d->heads[to];
        d->heads[to] = c;
    }
}

static bool take_away(decimator *d, const ring *r, const wish *w) {
    quadric *from = d->quadrics + (size_t)w->from * d->num_frames;
    quadric *to = d->quadrics + (size_t)w->to * d->num_frames;
    move_corners(d, r, w->to);
    d->heads[w->from] = LM_UNUSED;
    for (uint32_t k = 0; k < d->num_frames; k++)
        add_quadric(&to[k], &from[k]);
    bool done = true;
    d->versions[w->from]++;
    for (uint32_t i = 0; done && i < r->num_neighbours; i++) {
        d->versions[r->neighbours[i]]++;
        done = wish_for(d, r->neighbours[i]);
    }
    return done;
}

/* The number of a neighbour, which there is. */
static uint32_t number_of(const ring *r, uint32_t neighbour) {
    uint32_t n = 0;
    while (r->neighbours[n] != neighbour)
        n++;
    return n;
}

/* Follows wishes until so many are left. Where one would take away one too many, others come first;
 * `spare` is the cheapest of those, for the end. */
static bool follow(decimator *d, uint32_t triangles, wish *spare) {
    ring r;
    while (d->num_left > triangles && d->num_wishes > 0) {
        wish w = pop(d);
        if (w.version != d->versions[w.from] || !look_around(d, w.from, &r))
            continue;
        /* What is behind the neighbour may have changed since. */
        if (!w.checked || !stays_a_surface(d, &r, number_of(&r, w.to))) {
            if (find_possible(d, &r, &w) && !push(d, &w))
                return false;
            continue;
        }
        if (d->num_left - triangles < r.num_shared[number_of(&r, w.to)]) {
            *spare = spare->from == LM_UNUSED ? w : *spare;
            continue;
        }
        if (!take_away(d, &r, &w))
            return false;
    }
    return true;
}

/* A way that was checked stays possible only while nothing around it changes. */
static bool finish(decimator *d, uint32_t triangles, const wish *spare) {
    ring r;
    wish w = *spare;
    return d->num_left <= triangles || w.from == LM_UNUSED || !look_around(d, w.from, &r) ||
           !find_possible(d, &r, &w) || take_away(d, &r, &w);
}

/* ---- Beginning ------------------------------------------------------------------------------ */

/* All surfaces' vertices in one row a frame, and their normals in the first. */
static bool gather_vertices(decimator *d) {
    const lm_take *take = d->take;
    float *positions = lm_arena_alloc(d->arena, (uint64_t)take->num_frames * d->num_vertices,
                                      3 * sizeof *positions);
    float *normals = lm_arena_zeros(d->arena, d->num_vertices, 3 * sizeof *normals);
    size_t first = 0;
    for (uint32_t i = 0; positions && normals && i < take->num_surfaces; i++) {
        const lm_take_surface *s = &take->surfaces[i];
        const size_t row = (size_t)s->num_vertices * 3;
        for (uint32_t f = 0; f < take->num_frames && row > 0; f++)
            memcpy(positions + 3 * (size_t)f * d->num_vertices + first, s->positions + f * row,
                   row * sizeof *positions);
        if (s->normals && row > 0)
            memcpy(normals + first, s->normals, row * sizeof *normals);
        first += row;
    }
    d->positions = positions;
    d->normals = normals;
    return positions && normals;
}

static bool gather_corners(decimator *d) {
    static const float none[2];
    uint64_t *keys = lm_arena_alloc(d->arena, d->num_corners, sizeof *keys);
    uint32_t first = 0, corner = 0, num_charts;
    if (!keys)
        return false;
    for (uint32_t i = 0; i < d->take->num_surfaces; i++) {
        const lm_take_surface *s = &d->take->surfaces[i];
        const uint32_t *st = s->st_triangles ? s->st_triangles : s->triangles;
        for (size_t c = 0; c < (size_t)s->num_triangles * 3; c++, corner++) {
            d->vertices[corner] = first + s->triangles[c];
            d->st[corner] = s->num_st > 0 ? s->st + 2 * (size_t)st[c] : NULL;
            const float *p = d->st[corner] ? d->st[corner] : none;
            const float plain[2] = {p[0] + 0.0f, p[1] + 0.0f}; /* -0 becomes 0 */
            memcpy(&keys[corner], plain, sizeof plain);
        }
        first += s->num_vertices;
    }
    if (!lm_rank_keys(keys, d->num_corners, d->charts, &num_charts, d->arena->heap))
        return false;
    corner = 0;
    for (uint32_t i = 0; i < d->take->num_surfaces; i++)
        for (size_t c = 0; c < (size_t)d->take->surfaces[i].num_triangles * 3; c++, corner++)
            keys[corner] = (uint64_t)i << 32 | d->charts[corner];
    return lm_rank_keys(keys, d->num_corners, d->charts, &num_charts, d->arena->heap);
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
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t v = 0; v < (size_t)d->num_vertices * 3; v++) {
        low[v % 3] = fminf(low[v % 3], d->positions[v]);
        high[v % 3] = fmaxf(high[v % 3], d->positions[v]);
    }
    return fmaxf(high[0] - low[0], fmaxf(high[1] - low[1], high[2] - low[2]));
}

/* Whether two vertices are together in every frame. */
static bool stay_together(const decimator *d, uint32_t a, uint32_t b, float room) {
    for (uint32_t f = 0; f < d->take->num_frames; f++) {
        const float *p = at(d, a, f), *q = at(d, b, f);
        for (int i = 0; i < 3; i++)
            if (fabsf(p[i] - q[i]) > room)
                return false;
    }
    return true;
}

/* Vertices that move alike are one point, whatever surface they are of, by the first in the order
 * of their places: also those that are a little off, as where files round, or seams would open. */
static bool join_vertices(decimator *d, uint32_t *firsts) {
    place *places = lm_arena_alloc(d->arena, d->num_vertices, sizeof *places);
    if (!places || d->num_vertices == 0)
        return places;
    const float room = size_of(d) / NEAR_SHARE;
    for (uint32_t v = 0; v < d->num_vertices; v++) {
        places[v].vertex = firsts[v] = v;
        memcpy(places[v].at, at(d, v, 0), sizeof places[v].at);
    }
    qsort(places, d->num_vertices, sizeof *places, compare_places);
    for (uint32_t i = 0; i < d->num_vertices; i++) {
        const place *p = &places[i];
        const uint32_t end = d->num_vertices - i > MOST_NEAR ? i + MOST_NEAR : d->num_vertices;
        if (firsts[p->vertex] != p->vertex)
            continue;
        for (const place *q = p + 1; q < places + end && q->at[0] - p->at[0] <= room; q++)
            if (firsts[q->vertex] == q->vertex && fabsf(q->at[1] - p->at[1]) <= room &&
                fabsf(q->at[2] - p->at[2]) <= room && stay_together(d, p->vertex, q->vertex, room))
                firsts[q->vertex] = p->vertex;
    }
    return true;
}

/* Triangles that have a point twice are gone already. */
static bool gather_points(decimator *d) {
    uint32_t *firsts = lm_arena_alloc(d->arena, d->num_vertices, sizeof *firsts);
    if (!firsts || !join_vertices(d, firsts))
        return false;
    memset(d->heads, 0xFF, d->num_vertices * sizeof *d->heads);
    for (uint32_t c = 0; c < d->num_corners; c++) {
        d->took[c] = c;
        d->points[c] = firsts[d->vertices[c]];
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

/* How far apart two frames are: the sum of the squares of what points move. */
static double frame_distance(const decimator *d, uint32_t a, uint32_t b) {
    double sum = 0;
    const float *p = at(d, 0, a), *q = at(d, 0, b);
    for (size_t i = 0; i < (size_t)d->num_vertices * 3; i++)
        sum += ((double)p[i] - (double)q[i]) * ((double)p[i] - (double)q[i]);
    return sum;
}

/* Frames for the quadrics: the first, then again and again the one that is furthest from all. */
static bool choose_frames(decimator *d) {
    const uint32_t count = d->take->num_frames;
    double *distances = lm_arena_alloc(d->arena, count, sizeof *distances);
    uint64_t most = MOST_QUADRICS / (d->num_vertices + (uint64_t)1);
    most = most < LEAST_FRAMES ? LEAST_FRAMES : most < MOST_FRAMES ? most : MOST_FRAMES;
    for (uint32_t f = 0; distances && f < count; f++)
        distances[f] = INFINITY;
    for (uint32_t next = 0; distances && d->num_frames < most;) {
        d->frames[d->num_frames++] = next;
        uint32_t best = next;
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

/* Whether a side is one that must be seen from afar: of a border, a seam or a surface. */
static bool is_edge(const decimator *d, uint32_t corner) {
    const uint32_t other = corner_of(corner, 1), a = d->points[corner], b = d->points[other];
    for (uint32_t c = d->heads[a]; c != LM_UNUSED; c = d->next[c]) {
        if (!d->left[c / 3] || c / 3 == corner / 3 || !has_point(d, c / 3, b))
            continue;
        return d->charts[c] != d->charts[corner] ||
               d->charts[corner_at(d, c / 3, b)] != d->charts[other];
    }
    return true;
}

static void add_side(decimator *d, uint32_t corner, uint32_t k, const vec *normal) {
    const uint32_t a = d->points[corner], b = d->points[corner_of(corner, 1)];
    const float *p = at(d, a, d->frames[k]);
    const vec side = from_to(p, at(d, b, d->frames[k]));
    const double weight = EDGE_WEIGHT * dot(side, side);
    add_plane(&d->quadrics[(size_t)a * d->num_frames + k], p, cross(side, *normal), weight);
    add_plane(&d->quadrics[(size_t)b * d->num_frames + k], p, cross(side, *normal), weight);
}

static bool gather_quadrics(decimator *d) {
    d->quadrics =
        lm_arena_zeros(d->arena, (uint64_t)d->num_vertices * d->num_frames, sizeof *d->quadrics);
    for (uint32_t t = 0; d->quadrics && t < d->num_corners / 3; t++) {
        const uint32_t *points = d->points + 3 * (size_t)t;
        bool edges[3] = {false, false, false};
        for (uint32_t c = 0; c < 3 && d->left[t]; c++)
            edges[c] = is_edge(d, 3 * t + c);
        for (uint32_t k = 0; k < d->num_frames && d->left[t]; k++) {
            const float *p = at(d, points[0], d->frames[k]);
            const vec normal = cross(from_to(p, at(d, points[1], d->frames[k])),
                                     from_to(p, at(d, points[2], d->frames[k])));
            for (uint32_t c = 0; c < 3; c++) {
                add_plane(&d->quadrics[(size_t)points[c] * d->num_frames + k], p, normal,
                          sqrt(dot(normal, normal)));
                if (edges[c])
                    add_side(d, 3 * t + c, k, &normal);
            }
        }
    }
    return d->quadrics;
}

static bool begin(decimator *d) {
    lm_arena *arena = d->arena;
    const uint32_t corners = d->num_corners, vertices = d->num_vertices;
    d->vertices = lm_arena_alloc(arena, corners, sizeof *d->vertices);
    d->st = lm_arena_alloc(arena, corners, sizeof *d->st);
    d->charts = lm_arena_alloc(arena, corners, sizeof *d->charts);
    d->points = lm_arena_alloc(arena, corners, sizeof *d->points);
    d->took = lm_arena_alloc(arena, corners, sizeof *d->took);
    d->next = lm_arena_alloc(arena, corners, sizeof *d->next);
    d->left = lm_arena_alloc(arena, corners / 3, sizeof *d->left);
    d->heads = lm_arena_alloc(arena, vertices, sizeof *d->heads);
    d->versions = lm_arena_zeros(arena, vertices, sizeof *d->versions);
    return d->vertices && d->st && d->charts && d->points && d->took && d->next && d->left &&
           d->heads && d->versions && gather_vertices(d) && gather_corners(d) && gather_points(d) &&
           choose_frames(d) && gather_quadrics(d);
}

bool lm_decimate(const lm_take *take, uint32_t triangles, lm_arena *arena, lm_decimated *out) {
    decimator d = {.take = take, .arena = arena};
    wish spare = {.from = LM_UNUSED};
    for (uint32_t i = 0; i < take->num_surfaces; i++) {
        d.num_vertices += take->surfaces[i].num_vertices;
        d.num_corners += 3 * take->surfaces[i].num_triangles;
    }
    if (!begin(&d))
        return false;
    const bool simple = triangles >= d.num_corners / 3;
    for (uint32_t t = 0; t < d.num_corners / 3 && simple; t++)
        d.left[t] = true;
    d.num_left = simple ? d.num_corners / 3 : d.num_left;
    for (int round = 0; round < NUM_ROUNDS && spare.from == LM_UNUSED; round++) {
        d.least_turn = least_turns[round];
        for (uint32_t p = 0; p < d.num_vertices && d.num_left > triangles; p++)
            if (d.heads[p] != LM_UNUSED && !wish_for(&d, p))
                return false;
        if (!follow(&d, triangles, &spare))
            return false;
    }
    if (!finish(&d, triangles, &spare))
        return false;
    *out = (lm_decimated){d.num_corners / 3, d.num_left, d.left, d.took};
    return true;
}
