/* Chooses the base frames of an MDC, and the base frame of each compressed frame. */
#include "formats/mdc/mdc_write.h"

#include "core/index.h"
#include "encode/cover.h"
#include "model/weld.h"

#include <math.h>

/* Reach of offsets, in 1/64 unit. Offsets are -127 .. 128 steps of 0.05 units, and rounding adds
 * half a step: -6.375 .. 6.425 units. If positions are not multiples of 1/64, the reach is one
 * less, because rounding moves them by up to 1/128. */
#define MIN_OFFSET (-408)
#define MAX_OFFSET 411

/* The number of different frames that are compared with each other. More frames are processed in
 * parts, so that time grows linearly with their number. All comparisons together read at most
 * MAX_COMPARED values. */
#define MAX_FRAMES 2048
#define MIN_FRAMES 64
#define MAX_COMPARED UINT64_C(4000000000)

/* If a coordinate spans more than this, differences may overflow 16 bits. */
#define MAX_SPAN 32767

/* One coordinate of a vertex that moves. */
typedef struct mover {
    uint32_t piece, vertex;
    uint16_t axis;
    uint16_t span; /* range of its values, in 64ths */
} mover;

/* Pieces that share their base frames. */
typedef struct group {
    lm_encoding *encoding;
    lm_vertex_mesh_pieces pieces;
    lm_mdc_bases *bases; /* [pieces] */
    int16_t least, most;
    lm_arena arena; /* for this group only */
    uint32_t num_movers;
    mover *movers;       /* coordinates that move out of reach, widest first */
    uint32_t *first;     /* [num_frames] the first identical frame, in all pieces */
    uint32_t *different; /* [num_different] the frames that are such first ones */
    uint32_t num_different;
} group;

/* ---- Identical frames ----------------------------------------------------------------------- */

typedef struct equal_rows {
    const uint8_t *rows;
    size_t size; /* per row */
} equal_rows;

static bool same_rows(const void *context, uint32_t a, uint32_t b) {
    const equal_rows *r = context;
    return a == b || memcmp(r->rows + a * r->size, r->rows + b * r->size, r->size) == 0;
}

bool lmi_mdc_find_equal_rows(const void *rows, size_t size, uint32_t count, uint32_t *firsts,
                             lm_heap *heap) {
    const equal_rows r = {rows, size};
    uint64_t *keys = lmi_heap_alloc(heap, count, sizeof *keys);
    for (uint32_t i = 0; keys && i < count; i++)
        keys[i] = lmi_hash_bytes(0, r.rows + i * size, size);
    const bool done = keys && lmi_find_equal(count, keys, same_rows, &r, firsts, heap);
    if (keys)
        lmi_heap_free(heap, keys, count * sizeof *keys);
    return done;
}

static bool same_in_group(const void *context, uint32_t a, uint32_t b) {
    const group *g = context;
    for (uint32_t i = 0; i < g->pieces.count; i++)
        if (g->bases[i].first[a] != g->bases[i].first[b])
            return false;
    return true;
}

static bool find_different(group *g) {
    const uint32_t num_frames = g->encoding->mesh->num_frames;
    uint64_t *keys = lmi_arena_zeros(&g->arena, num_frames, sizeof *keys);
    g->first = lmi_arena_alloc(&g->arena, num_frames, 2 * sizeof *g->first);
    if (!keys || !g->first)
        return false;
    for (uint32_t i = 0; i < g->pieces.count; i++)
        for (uint32_t f = 0; f < num_frames; f++)
            keys[f] = lmi_hash(keys[f], g->bases[i].first[f]);
    g->different = g->first + num_frames;
    if (!lmi_find_equal(num_frames, keys, same_in_group, g, g->first, g->arena.heap))
        return false;
    g->num_different = 0;
    for (uint32_t f = 0; f < num_frames; f++)
        if (g->first[f] == f)
            g->different[g->num_different++] = f;
    return true;
}

/* ---- Moving coordinates --------------------------------------------------------------------- */

/* Finds the minimum and maximum of each number of a vertex. The normal is included, so that a row
 * has no padding and compilers vectorise the loop. */
#define NUMBERS 4

static void find_spans(const lm_vertex_mesh_piece *piece, uint32_t num_frames,
                       int16_t *restrict low, int16_t *restrict high) {
    const size_t count = piece->num_vertices;
    int16_t at[NUMBERS];
    memcpy(low, piece->rows, count * sizeof *piece->rows);
    memcpy(high, piece->rows, count * sizeof *piece->rows);
    for (uint32_t f = 1; f < num_frames; f++)
        for (size_t v = 0; v < count; v++) {
            int16_t *least = low + NUMBERS * v, *most = high + NUMBERS * v;
            memcpy(at, &piece->rows[f * count + v], sizeof at);
            for (int i = 0; i < NUMBERS; i++) {
                least[i] = at[i] < least[i] ? at[i] : least[i];
                most[i] = at[i] > most[i] ? at[i] : most[i];
            }
        }
}

/* Sorts by one byte of the span, descending. Equal ones keep their order. */
static void sort_by_byte(const mover *from, uint32_t count, unsigned shift, mover *to) {
    uint32_t starts[256 + 1] = {0};
    for (uint32_t i = 0; i < count; i++)
        starts[255 - (from[i].span >> shift & 255) + 1]++;
    for (uint32_t i = 0; i < 256; i++)
        starts[i + 1] += starts[i];
    for (uint32_t i = 0; i < count; i++)
        to[starts[255 - (from[i].span >> shift & 255)]++] = from[i];
}

static bool find_movers(group *g) {
    uint64_t most = 0;
    g->num_movers = 0;
    for (uint32_t i = 0; i < g->pieces.count; i++)
        most += g->pieces.list[i].num_vertices;
    g->movers = lmi_arena_alloc(&g->arena, most, 3 * sizeof *g->movers);
    int16_t *spans = lmi_arena_alloc(&g->arena, most, (size_t)2 * NUMBERS * sizeof *spans);
    if (!g->movers || !spans)
        return false;
    int16_t *high = spans + NUMBERS * most;
    for (uint32_t i = 0; i < g->pieces.count; i++) {
        find_spans(&g->pieces.list[i], g->encoding->mesh->num_frames, spans, high);
        /* List the coordinates that move out of reach. All others are irrelevant. */
        for (uint32_t k = 0; k < NUMBERS * g->pieces.list[i].num_vertices; k++) {
            const int span = high[k] - spans[k];
            if (k % NUMBERS < 3 && span > -g->least)
                g->movers[g->num_movers++] =
                    (mover){i, k / NUMBERS, (uint16_t)(k % NUMBERS), (uint16_t)span};
        }
    }
    /* Sort by descending span, by counting. */
    mover *sorted = lmi_arena_alloc(&g->arena, g->num_movers, sizeof *sorted);
    if (!sorted)
        return false;
    sort_by_byte(g->movers, g->num_movers, 0, sorted);
    sort_by_byte(sorted, g->num_movers, 8, g->movers);
    return true;
}

/* ---- Choosing ------------------------------------------------------------------------------- */

/* Writes the relevant values of a frame, widest first. If a coordinate's differences may overflow
 * 16 bits, writes half of it too, whose differences cannot. */
static uint32_t fill_values(const group *g, uint32_t frame, int16_t *out) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < g->num_movers; i++) {
        const mover *m = &g->movers[i];
        const lm_vertex_mesh_piece *p = &g->pieces.list[m->piece];
        const int16_t at = p->rows[(size_t)frame * p->num_vertices + m->vertex].v[m->axis];
        if (m->span > MAX_SPAN)
            out[count++] = (int16_t)((at - (at < 0)) / 2);
        out[count++] = at;
    }
    return count;
}

static size_t blocks_of(const group *g) {
    size_t count = g->num_movers;
    for (uint32_t i = 0; i < g->num_movers && g->movers[i].span > MAX_SPAN; i++)
        count++;
    return (count + LM_NEARBY_BLOCK - 1) / LM_NEARBY_BLOCK;
}

/* Chooses base frames for some of the different frames. */
static bool cover_frames(group *g, const uint32_t *frames, uint32_t count) {
    lm_heap *heap = g->encoding->heap;
    const size_t words = LM_COVER_WORDS(count), blocks = blocks_of(g),
                 row = blocks * LM_NEARBY_BLOCK;
    lm_arena arena = {.heap = heap};
    int16_t *values = lmi_arena_zeros(&arena, (uint64_t)count * row, sizeof *values);
    uint64_t *covers = lmi_arena_alloc(&arena, (uint64_t)count * words, sizeof *covers);
    bool *chosen = lmi_arena_alloc(&arena, count, sizeof *chosen);
    uint32_t *assigned = lmi_arena_alloc(&arena, count, sizeof *assigned);
    bool done = values && covers && chosen && assigned;
    for (uint32_t i = 0; done && i < count; i++)
        fill_values(g, frames[i], values + i * row);
    if (done)
        lmi_find_nearby(&(lm_nearby){count, blocks, values, g->least, g->most}, words, covers);
    done = done && lmi_cover(count, covers, chosen, heap);
    if (done)
        lmi_cover_assign(count, covers, chosen, assigned);
    for (uint32_t i = 0; done && i < count; i++)
        for (uint32_t p = 0; p < g->pieces.count; p++)
            g->bases[p].base[frames[i]] = g->bases[p].first[frames[assigned[i]]];
    lmi_arena_free(&arena);
    return done;
}

static bool choose_in_group(group *g) {
    if (!find_different(g) || !find_movers(g))
        return false;
    const uint64_t values = blocks_of(g) * LM_NEARBY_BLOCK + 1;
    const uint64_t most = 2 * MAX_COMPARED / values / (g->num_different + 1);
    const uint32_t step = most > MAX_FRAMES   ? MAX_FRAMES
                          : most < MIN_FRAMES ? MIN_FRAMES
                                              : (uint32_t)most;
    for (uint32_t i = 0; i < g->num_different; i += step) {
        const uint32_t left = g->num_different - i;
        if (!cover_frames(g, g->different + i, left < step ? left : step))
            return false;
    }
    for (uint32_t p = 0; p < g->pieces.count; p++)
        for (uint32_t f = 0; f < g->encoding->mesh->num_frames; f++)
            g->bases[p].base[f] = g->bases[p].base[g->first[f]];
    return true;
}

static bool are_64ths(const lm_mesh_surface *s, uint32_t num_frames) {
    for (size_t i = 0; i < (size_t)num_frames * s->num_vertices * 3; i++) {
        const double steps = (double)s->positions[i] * 64; /* below 2^46 in a mesh */
        if (steps != (double)(int64_t)steps)
            return false;
    }
    return true;
}

bool lmi_mdc_choose_bases(lm_encoding *encoding, const lm_vertex_mesh_pieces *pieces,
                          lm_mdc_bases *out) {
    const lm_mesh *mesh = encoding->mesh;
    const bool smallest = encoding->options->smallest;
    group g = {.encoding = encoding};
    bool exact = true, done = true;
    for (uint32_t i = 0; exact && i < mesh->num_surfaces; i++)
        exact = are_64ths(&mesh->surfaces[i], mesh->num_frames);
    g.least = exact ? MIN_OFFSET : MIN_OFFSET + 1;
    g.most = exact ? MAX_OFFSET : MAX_OFFSET - 1;
    for (uint32_t i = 0; done && i < pieces->count; i++) {
        uint32_t *frames = lmi_arena_alloc(&encoding->arena, mesh->num_frames, 2 * sizeof *frames);
        out[i] = (lm_mdc_bases){frames, frames ? frames + mesh->num_frames : NULL};
        const lm_vertex_mesh_piece *piece = &pieces->list[i];
        done = frames &&
               lmi_mdc_find_equal_rows(piece->rows, piece->num_vertices * sizeof *piece->rows,
                                       mesh->num_frames, frames, encoding->heap);
    }
    /* Pieces of one surface are always in one group, so that no crack opens where it was split. */
    for (uint32_t i = 0, end; done && i < pieces->count; i = end) {
        lm_vertex_mesh_piece *first = &pieces->list[i];
        end = i + 1;
        while (end < pieces->count && !(smallest && pieces->list[end].surface != first->surface))
            end++;
        g.pieces = (lm_vertex_mesh_pieces){end - i, first};
        g.bases = out + i;
        g.arena = (lm_arena){.heap = encoding->heap};
        done = choose_in_group(&g);
        lmi_arena_free(&g.arena);
    }
    return done;
}
