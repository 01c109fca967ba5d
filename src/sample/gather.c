/* Each corner of a triangle adds the triangle's direction to its vertex, by the angle there: so it
 * does not matter how a flat part is cut into triangles. Vertices in one place share what they get,
 * in whichever surfaces they are: where a model was cut for its skins, nothing shows.
 * All in double precision and without the machine's own functions but the square root, so that
 * every machine gives the same bytes. */
#include "sample/gather.h"

#include "model/weld.h"

#include <string.h>

/* Of the angles that meet in a place: where directions cancel to less, as on both sides of a sheet,
 * each vertex has its own. */
#define CANCELLED 0.1

/* Bytes a vertex of all that is gathered. */
#define SCRATCH_SIZE \
    (2 * sizeof(lm_gathering) + sizeof(lm_vec3) + sizeof(uint64_t) + 3 * sizeof(uint32_t))

bool lm_smoothing_begin(lm_smoothing *s, uint64_t count, lm_heap *heap) {
    *s = (lm_smoothing){.heap = heap};
    s->at = count <= UINT32_MAX ? lm_heap_alloc(heap, count, SCRATCH_SIZE) : NULL;
    if (!s->at)
        return false;
    s->count = (uint32_t)count;
    s->places = s->at + count;
    s->keys = (uint64_t *)(s->places + count);
    s->positions = (lm_vec3 *)(s->keys + count);
    s->ids = (uint32_t *)(s->positions + count);
    s->firsts = s->ids + count;
    s->place = s->firsts + count;
    return true;
}

void lm_smoothing_end(lm_smoothing *s) {
    lm_heap_free(s->heap, s->at, s->count * SCRATCH_SIZE);
}

static uint64_t key_of(const lm_vec3 *position) {
    uint32_t bits[3];
    memcpy(bits, position, sizeof bits);
    uint64_t key = ((uint64_t)bits[0] << 32 | bits[1]) * UINT64_C(0x9E3779B97F4A7C15);
    return (key ^ key >> 29 ^ bits[2]) * UINT64_C(0xBF58476D1CE4E5B9);
}

/* Different places may have one key: then only the first of them is shared. */
static bool find_places(const lm_smoothing *s) {
    uint32_t num_ids;
    for (uint32_t v = 0; v < s->count; v++)
        s->keys[v] = key_of(&s->positions[v]);
    if (!lm_rank_keys(s->keys, s->count, s->ids, &num_ids, s->heap))
        return false;
    memset(s->firsts, 0xFF, num_ids * sizeof *s->firsts);
    for (uint32_t v = 0; v < s->count; v++) {
        uint32_t *first = &s->firsts[s->ids[v]];
        *first = *first == LM_UNUSED ? v : *first;
        bool same = lm_same_vec3(s->positions[*first], s->positions[v]);
        s->place[v] = same ? *first : v;
    }
    return true;
}

bool lm_smoothing_frame(lm_smoothing *s) {
    memset(s->at, 0, 2 * (size_t)s->count * sizeof *s->at);
    return find_places(s);
}

static void gather(lm_gathering *to, lm_wide direction, double angle) {
    to->sum = lm_wide_sum(to->sum, direction, angle);
    to->angles += angle;
}

void lm_smoothing_triangle(const lm_smoothing *s, const uint32_t v[3]) {
    lm_wide p[3], edges[3];
    double lengths[3];
    for (int c = 0; c < 3; c++)
        p[c] = lm_wide_of(s->positions[v[c]]);
    for (int c = 0; c < 3; c++) {
        edges[c] = lm_wide_sum(p[(c + 1) % 3], p[c], -1);
        lengths[c] = lm_wide_length(edges[c]);
    }
    lm_wide side = lm_wide_side(p);
    double area = lm_wide_length(side);
    if (!(area > 0 && isfinite(area)))
        return;
    lm_wide direction = {side.x / area, side.y / area, side.z / area};
    for (int c = 0; c < 3; c++) {
        int before = (c + 2) % 3;
        double cosine = -lm_wide_dot(edges[c], edges[before]) / (lengths[c] * lengths[before]);
        double angle = lm_arc_cosine(cosine);
        gather(&s->at[v[c]], direction, angle);
        gather(&s->places[s->place[v[c]]], direction, angle);
    }
}

static bool cancels(const lm_gathering *g) {
    return !(lm_wide_length(g->sum) > CANCELLED * g->angles);
}

lm_vec3 lm_smoothing_normal(const lm_smoothing *s, uint32_t v) {
    const lm_gathering *g = &s->places[s->place[v]];
    g = cancels(g) ? &s->at[v] : g;
    if (cancels(g))
        return (lm_vec3){0, 0, 1};
    return (lm_vec3){(float)g->sum.x, (float)g->sum.y, (float)g->sum.z};
}
