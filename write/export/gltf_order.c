#include "export/gltf.h"

#include <stdlib.h>
#include <string.h>

/* The codec stores the difference of each byte from the previous vertex, in groups of 16 vertices.
 * So vertices that move alike follow each other. Copies of one vertex, which differ in texture
 * coordinates only, come first: groups of them need fewer bits.
 *
 * The order begins as a curve through space. Each next vertex is the nearest of the first ones that
 * are left on that curve, by their coordinates in some poses. */
#define LM_ORDER_POSES 16
#define LM_ORDER_WINDOW 512
#define LM_NORMAL_WEIGHT 4

typedef struct lm_ordered {
    uint64_t key;
    uint32_t vertex;
} lm_ordered;

typedef struct lm_ordering {
    uint32_t count, width; /* vertices; coordinates of each */
    int16_t *coordinates;  /* [count][width] */
    lm_ordered *vertices;  /* [count] */
    uint32_t *order;       /* [count] the result: old numbers */
    lm_index index;
} lm_ordering;

static bool alloc_ordering(lm_ordering *o, const lm_gltf_steps *steps, lm_arena *arena) {
    const uint32_t poses = lm_least(steps->num_rows, LM_ORDER_POSES);
    o->count = steps->count;
    o->width = poses * (steps->normals_move ? 6 : 3);
    o->coordinates = lm_arena_alloc(arena, (uint64_t)o->count * o->width, sizeof *o->coordinates);
    o->vertices = lm_arena_alloc(arena, o->count, sizeof *o->vertices);
    o->order = lm_arena_alloc(arena, o->count, sizeof *o->order);
    o->index.slots = lm_arena_alloc(arena, lm_index_slots(o->count), sizeof *o->index.slots);
    return !lm_arena_failed(arena);
}

static bool same_coordinates(const void *context, uint32_t a, uint32_t b) {
    const lm_ordering *o = context;
    return memcmp(o->coordinates + (size_t)a * o->width, o->coordinates + (size_t)b * o->width,
                  o->width * sizeof *o->coordinates) == 0;
}

/* Marks vertices that have no copy, so that they come last. */
static void find_copies(lm_ordering *o) {
    lm_index_clear(&o->index, o->count);
    for (uint32_t i = 0; i < o->count; i++)
        o->vertices[i] = (lm_ordered){UINT64_C(1) << 63, i};
    for (uint32_t i = 0; i < o->count; i++) {
        const uint64_t hash = lm_hash_bytes(0, o->coordinates + (size_t)i * o->width,
                                            o->width * sizeof *o->coordinates);
        const uint32_t first = lm_index_find(&o->index, hash, i, same_coordinates, o);
        if (first != i)
            o->vertices[i].key = o->vertices[first].key = 0;
    }
}

static int compare_keys(const void *a, const void *b) {
    const lm_ordered *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->vertex > y->vertex) - (x->vertex < y->vertex);
}

static uint64_t distance(const lm_ordering *o, uint32_t a, uint32_t b) {
    const int16_t *x = o->coordinates + (size_t)a * o->width;
    const int16_t *y = o->coordinates + (size_t)b * o->width;
    uint32_t sum = 0;
    for (uint32_t i = 0; i < o->width; i++)
        sum += (uint32_t)abs(x[i] - y[i]);
    return sum;
}

/* Takes the nearest vertices one by one, out of a run of the curve. */
static void walk(lm_ordering *o, uint32_t first, uint32_t end) {
    uint32_t last = first < end ? o->vertices[first].vertex : 0;
    for (uint32_t done = first; done < end; done++) {
        const uint32_t window = lm_least(end - done, LM_ORDER_WINDOW);
        uint64_t least = UINT64_MAX;
        uint32_t best = 0;
        for (uint32_t i = 0; i < window && least > 0; i++) {
            const uint64_t far = distance(o, last, o->vertices[done + i].vertex);
            best = far < least ? i : best;
            least = far < least ? far : least;
        }
        const lm_ordered chosen = o->vertices[done + best];
        memmove(&o->vertices[done + 1], &o->vertices[done], best * sizeof chosen);
        o->vertices[done] = chosen;
        o->order[done] = last = chosen.vertex;
    }
}

/* ---- Moving vertices ------------------------------------------------------------------------- */

static bool apply(const lm_ordering *o, uint32_t num_drawn, lm_welded *weld, lm_gltf_steps *steps,
                  lm_arena *arena) {
    const size_t count = o->count;
    uint32_t *numbers = lm_arena_alloc(arena, count, sizeof *numbers);
    int32_t *plane = lm_arena_alloc(arena, count, sizeof *plane);
    if (!numbers || !plane)
        return false;
    for (uint32_t i = 0; i < count; i++)
        numbers[o->order[i]] = i;
    for (uint32_t i = 0; i < num_drawn; i++)
        weld->drawn[i] = numbers[weld->drawn[i]];
    memcpy(numbers, weld->vertices, count * sizeof *numbers);
    for (uint32_t i = 0; i < count; i++)
        weld->vertices[i] = numbers[o->order[i]];
    for (unsigned k = 0; k < 6; k++) {
        memcpy(plane, steps->base + k * count, count * sizeof *plane);
        for (uint32_t i = 0; i < count; i++)
            steps->base[k * count + i] = plane[o->order[i]];
    }
    for (uint64_t k = 0; k < (uint64_t)steps->num_rows * 6; k++) {
        int16_t *row = steps->rows + k * count, *before = (int16_t *)plane;
        memcpy(before, row, count * sizeof *row);
        for (uint32_t i = 0; i < count; i++)
            row[i] = before[o->order[i]];
    }
    return true;
}

bool lm_gltf_order(lm_gltf_body *body, uint32_t mesh) {
    const lm_surface *surface = &body->job.model->surfaces[body->plan.surfaces[mesh]];
    lm_gltf_steps *steps = &body->plan.steps[mesh];
    lm_arena scratch = {.heap = &body->g->heap};
    lm_ordering o = {.count = 0};
    bool ok = alloc_ordering(&o, steps, &scratch);
    if (ok) {
        uint32_t singles = 0;
        /* Halved, so that no difference of two coordinates overflows. */
        const uint32_t planes = steps->normals_move ? 6 : 3, poses = o.width / planes;
        for (uint32_t pose = 0; pose < poses; pose++) {
            const int16_t *row =
                lm_gltf_row(steps, (uint32_t)((uint64_t)pose * steps->num_rows / poses));
            for (uint32_t i = 0; i < o.count; i++)
                for (uint32_t k = 0; k < planes; k++)
                    o.coordinates[(size_t)i * o.width + pose * planes + k] =
                        (int16_t)(row[k * (size_t)o.count + i] * (k < 3 ? 1 : LM_NORMAL_WEIGHT) /
                                  2);
        }
        find_copies(&o);
        /* Interleave the bits of the base's coordinates. */
        for (unsigned k = 0; k < 3; k++) {
            const int32_t *plane = steps->base + k * (size_t)o.count;
            int32_t low = plane[0];
            for (uint32_t i = 1; i < o.count; i++)
                low = plane[i] < low ? plane[i] : low;
            for (uint32_t i = 0; i < o.count; i++)
                for (unsigned bit = 0; bit < 16; bit++)
                    o.vertices[i].key |= (((uint64_t)plane[i] - (uint64_t)low) >> bit & 1)
                                         << (3 * bit + k);
        }
        qsort(o.vertices, o.count, sizeof *o.vertices, compare_keys);
        while (singles < o.count && !(o.vertices[singles].key >> 63))
            singles++;
        walk(&o, 0, singles);
        walk(&o, singles, o.count);
        ok = apply(&o, surface->num_vertices, &body->plan.welds[mesh], steps, &scratch);
    }
    lm_arena_free(&scratch);
    return ok;
}
