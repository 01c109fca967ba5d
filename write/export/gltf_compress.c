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
    const uint32_t poses = lmi_least(steps->num_rows, LM_ORDER_POSES);
    o->count = steps->count;
    o->width = poses * (steps->normals_move ? 6 : 3);
    o->coordinates = lmi_arena_alloc(arena, (uint64_t)o->count * o->width, sizeof *o->coordinates);
    o->vertices = lmi_arena_alloc(arena, o->count, sizeof *o->vertices);
    o->order = lmi_arena_alloc(arena, o->count, sizeof *o->order);
    o->index.slots = lmi_arena_alloc(arena, lmi_index_slots(o->count), sizeof *o->index.slots);
    return !lmi_arena_failed(arena);
}

static bool same_coordinates(const void *context, uint32_t a, uint32_t b) {
    const lm_ordering *o = context;
    return memcmp(o->coordinates + (size_t)a * o->width, o->coordinates + (size_t)b * o->width,
                  o->width * sizeof *o->coordinates) == 0;
}

/* Marks vertices that have no copy, so that they come last. */
static void find_copies(lm_ordering *o) {
    lmi_index_clear(&o->index, o->count);
    for (uint32_t i = 0; i < o->count; i++)
        o->vertices[i] = (lm_ordered){UINT64_C(1) << 63, i};
    for (uint32_t i = 0; i < o->count; i++) {
        const uint64_t hash = lmi_hash_bytes(0, o->coordinates + (size_t)i * o->width,
                                             o->width * sizeof *o->coordinates);
        const uint32_t first = lmi_index_find(&o->index, hash, i, same_coordinates, o);
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
        const uint32_t window = lmi_least(end - done, LM_ORDER_WINDOW);
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
    uint32_t *numbers = lmi_arena_alloc(arena, count, sizeof *numbers);
    int32_t *plane = lmi_arena_alloc(arena, count, sizeof *plane);
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

bool lmi_gltf_order(lm_gltf_body *body, uint32_t mesh) {
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
                lmi_gltf_row(steps, (uint32_t)((uint64_t)pose * steps->num_rows / poses));
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
    lmi_arena_free(&scratch);
    return ok;
}

/* Most frames resemble their neighbours more than the base. So runs of targets share a reference,
 * one of them, and the others hold differences from it. The runs and their references are those
 * with the fewest bytes in the file, found by dynamic programming. The references are divided into
 * runs in the same way. The targets that remain hold whole poses. */
#define LM_LONGEST_RUN 8u
#define LM_GROUP 16u
#define LM_NEVER ((uint64_t)1 << 40) /* bytes */

typedef struct lm_costs {
    const lm_gltf_plan *plan;
    uint32_t group;
    const lm_gltf_targets *targets;
    uint32_t count, *members;                     /* [count] the targets to divide, ascending */
    uint64_t *whole;                              /* [count] bytes of a target */
    uint64_t (*relative)[2 * LM_LONGEST_RUN - 1]; /* [count] of differences from its neighbours */
    uint64_t *least;                              /* [count + 1] of the first members */
    uint32_t *starts, *references;                /* [count + 1] the last run among them */
} lm_costs;

/* ---- Bits ------------------------------------------------------------------------------------ */

/* Zigzag coding of the difference of two bytes. */
static unsigned zigzag(unsigned byte, unsigned before) {
    const unsigned difference = (byte - before) & 0xFF;
    return difference & 0x80 ? 2 * (0xFF - difference) + 1 : 2 * difference;
}

/* Returns the bytes of a group by the numbers of its bytes above 0, 2 and 14. */
static uint64_t group_size(unsigned above_0, unsigned above_2, unsigned above_14) {
    if (above_0 == 0)
        return 0;
    const unsigned sizes[] = {LM_GROUP / 4 + above_2, LM_GROUP / 2 + above_14, LM_GROUP};
    const unsigned least = sizes[0] < sizes[1] ? sizes[0] : sizes[1];
    return least < sizes[2] ? least : sizes[2];
}

/* Returns the size of a plane's differences from another plane, as the vertex codec stores it; more
 * than any other if they exceed 16 bits. */
static uint64_t plane_size(const int16_t *plane, const int16_t *reference, uint32_t count) {
    uint64_t size = 0;
    unsigned before = 0;
    for (uint32_t first = 0; first < count; first += LM_GROUP) {
        const uint32_t end = lmi_least(count, first + LM_GROUP);
        unsigned above[2][3] = {{0}};
        for (uint32_t i = first; i < end; i++) {
            const int32_t difference = plane[i] - (reference ? reference[i] : 0);
            const unsigned value = (unsigned)difference;
            if (difference != (int16_t)difference)
                return LM_NEVER;
            for (unsigned byte = 0; byte < 2; byte++) {
                const unsigned code = zigzag(value >> 8 * byte, before >> 8 * byte);
                above[byte][0] += code > 0;
                above[byte][1] += code > 2;
                above[byte][2] += code > 14;
            }
            before = value;
        }
        for (unsigned byte = 0; byte < 2; byte++)
            size += group_size(above[byte][0], above[byte][1], above[byte][2]);
    }
    return size;
}

/* Returns the size of a member in all meshes of the group. */
static uint64_t member_size(const lm_costs *c, uint32_t member, uint32_t reference) {
    const uint32_t *frames = c->targets->frames;
    const uint32_t frame = frames[c->members[member]], whole = frames[c->members[reference]];
    uint64_t size = 0;
    for (uint32_t mesh = c->group; mesh < c->plan->num_meshes; mesh++) {
        const lm_gltf_steps *steps = &c->plan->steps[mesh];
        if (c->plan->groups[mesh] != c->group)
            continue;
        const int16_t *row = lmi_gltf_row(steps, steps->rows_of[frame]);
        const int16_t *other =
            reference == member ? NULL : lmi_gltf_row(steps, steps->rows_of[whole]);
        for (size_t k = 0; k < (steps->normals_move ? 6 : 3); k++)
            size += plane_size(row + k * steps->count, other ? other + k * steps->count : NULL,
                               steps->count);
    }
    return size;
}

/* ---- Runs ------------------------------------------------------------------------------------ */

static void measure(lm_costs *c) {
    const uint32_t count = c->count;
    for (uint32_t i = 0; i < count; i++) {
        c->whole[i] = member_size(c, i, i);
        for (uint32_t k = 0; k < 2 * LM_LONGEST_RUN - 1; k++) {
            const uint32_t other = i + k - (LM_LONGEST_RUN - 1);
            if (other < count && other != i)
                c->relative[i][k] = member_size(c, i, other);
        }
    }
}

/* Returns the size of member `i`, if `reference` may be its reference. */
static uint64_t size_of(const lm_costs *c, uint32_t i, uint32_t reference) {
    const uint64_t whole = c->whole[i];
    if (i == reference)
        return whole;
    const uint64_t relative = c->relative[i][reference - i + (LM_LONGEST_RUN - 1)];
    return relative < whole ? relative : whole;
}

static void find_runs(lm_costs *c) {
    c->least[0] = 0;
    for (uint32_t end = 1; end <= c->count; end++) {
        c->least[end] = UINT64_MAX;
        for (uint32_t start = end; start-- > 0 && end - start <= LM_LONGEST_RUN;)
            for (uint32_t reference = start; reference < end; reference++) {
                uint64_t size = c->least[start];
                for (uint32_t i = start; i < end; i++)
                    size += size_of(c, i, reference);
                if (size >= c->least[end])
                    continue;
                c->least[end] = size;
                c->starts[end] = start;
                c->references[end] = reference;
            }
    }
}

/* Sets the references of the members, and keeps only those that have none. */
static void set_references(lm_costs *c, uint8_t *references) {
    for (uint32_t end = c->count; end > 0; end = c->starts[end]) {
        const uint32_t reference = c->references[end];
        for (uint32_t i = c->starts[end]; i < end; i++)
            if (i != reference && size_of(c, i, reference) < c->whole[i])
                references[c->members[i]] = (uint8_t)(c->members[reference] + 1);
    }
    uint32_t left = 0;
    for (uint32_t i = 0; i < c->count; i++)
        if (references[c->members[i]] == 0)
            c->members[left++] = c->members[i];
    c->count = left;
}

static bool find_group(lm_costs *c, uint32_t bundle, lm_arena *arena) {
    const uint64_t count = c->count = c->targets->count;
    c->members = lmi_arena_alloc(arena, count, sizeof *c->members);
    c->whole = lmi_arena_alloc(arena, count, sizeof *c->whole);
    c->relative = lmi_arena_alloc(arena, count, sizeof *c->relative);
    c->least = lmi_arena_alloc(arena, count + 1, sizeof *c->least);
    c->starts = lmi_arena_alloc(arena, count + 1, sizeof *c->starts);
    c->references = lmi_arena_alloc(arena, count + 1, sizeof *c->references);
    if (lmi_arena_failed(arena))
        return false;
    for (uint32_t i = 0; i < count; i++)
        c->members[i] = i;
    for (unsigned level = 1; level < LM_MAX_LEVELS; level++) {
        measure(c);
        find_runs(c);
        set_references(c, lmi_gltf_references(c->plan, bundle, c->group));
    }
    return true;
}

bool lmi_gltf_find_references(lm_gltf_body *body) {
    lm_gltf_plan *plan = &body->plan;
    plan->references = lmi_arena_zeros(
        &body->g->arena, (uint64_t)plan->num_bundles * plan->num_meshes, LM_MAX_TARGETS);
    bool ok = plan->references != NULL;
    for (uint32_t bundle = 0; ok && bundle < plan->num_bundles; bundle++)
        for (uint32_t group = 0; ok && group < plan->num_meshes; group++) {
            if (plan->groups[group] != group)
                continue;
            lm_arena scratch = {.heap = &body->g->heap};
            uint8_t *of_pose = lmi_arena_alloc(&scratch, plan->num_frames, 1);
            if (of_pose) {
                const lm_gltf_targets targets = lmi_gltf_find_targets(plan, bundle, group, of_pose);
                lm_costs costs = {.plan = plan, .group = group, .targets = &targets};
                ok = find_group(&costs, bundle, &scratch);
            }
            ok = ok && of_pose;
            lmi_arena_free(&scratch);
        }
    return ok;
}
