#include "strips_port.h"

#include "harness.h"

#include <stdlib.h>
#include <string.h>

typedef struct stripping {
    const lm_surface *s;
    uint8_t *used; /* [num_triangles] 1: permanently, 2: in the current attempt */
    uint32_t *list, length;
} stripping;

static const uint32_t *corners_of(const stripping *p, uint32_t triangle) {
    return p->s->triangles + (size_t)3 * triangle;
}

/* Finds a free triangle after `from` with an edge from m1 to m2; returns its third corner. */
static uint32_t find_adjacent(const stripping *p, uint32_t from, uint32_t m1, uint32_t m2,
                              uint32_t *third) {
    for (uint32_t t = from + 1; t < p->s->num_triangles; t++)
        for (uint32_t k = 0; k < 3; k++)
            if (corners_of(p, t)[k] == m1 && corners_of(p, t)[(k + 1) % 3] == m2) {
                *third = corners_of(p, t)[(k + 2) % 3];
                return p->used[t] ? UINT32_MAX : t;
            }
    return UINT32_MAX;
}

/* Lists the strip or fan that begins with a corner of a triangle. */
static void go(stripping *p, uint32_t first, uint32_t corner, bool fan) {
    const uint32_t *c = corners_of(p, first);
    uint32_t m1 = c[fan ? corner : (corner + 2) % 3], m2 = c[(corner + (fan ? 2 : 1)) % 3], third;
    p->length = 0;
    p->list[p->length++] = first;
    p->used[first] = 2;
    for (uint32_t turn = 0;; turn++) {
        const uint32_t t = find_adjacent(p, first, m1, m2, &third);
        if (t == UINT32_MAX)
            break;
        *(fan || turn % 2 == 0 ? &m2 : &m1) = third;
        p->list[p->length++] = t;
        p->used[t] = 2;
    }
    for (uint32_t i = 0; i < p->length; i++)
        p->used[p->list[i]] = 0;
}

double strips_of_id(const lm_surface *surface) {
    const uint32_t count = surface->num_triangles;
    stripping p = {surface, bench_alloc(count + 1), bench_alloc((count + 1) * sizeof(uint32_t)), 0};
    double integers = 1;
    memset(p.used, 0, count + 1);
    for (uint32_t t = 0; t < count; t++) {
        uint32_t best = 0, corner = 0;
        bool fan = false;
        for (uint32_t k = 0; k < 6 && !p.used[t]; k++) {
            go(&p, t, k % 3, k >= 3);
            if (p.length > best) {
                best = p.length;
                corner = k % 3;
                fan = k >= 3;
            }
        }
        if (best == 0)
            continue;
        go(&p, t, corner, fan);
        for (uint32_t i = 0; i < p.length; i++)
            p.used[p.list[i]] = 1;
        integers += 1 + 3.0 * (p.length + 2);
    }
    free(p.used);
    free(p.list);
    return integers;
}
