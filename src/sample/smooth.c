/* Judges the normals that a file stores, and replaces rows of vertices by rows with computed
 * normals. lm_smoothing computes them. */
#include "sample/smooth.h"

#include "core/arena.h"
#include "core/bytes.h"
#include "core/index.h"
#include "lerpmesh/sample.h"
#include "math/vectors.h"
#include "sample/bones.h"

#include <stdio.h>
#include <string.h>

/* ---- Smooth normals ----------------------------------------------------------------------- */

/* Each corner of a triangle adds the triangle's direction to its vertex, weighted by the corner's
 * angle. So the triangulation of a flat area does not matter. Vertices at the same position share
 * their sums, across all surfaces, so that a model split for its skins shows no seam.
 *
 * All arithmetic is in double precision and uses no function of libm except the square root, so
 * that the results have the same bytes on every machine. */

/* Directions cancel if their sum is shorter than this fraction of the angles at the position, as on
 * both sides of a sheet. Each vertex there then uses its own sum. */
#define CANCELLED 0.1

/* Bytes of scratch memory per vertex. */
#define SCRATCH_SIZE \
    (2 * sizeof(lm_normal_sum) + sizeof(lm_vec3) + sizeof(uint64_t) + sizeof(uint32_t))

bool lmi_smoothing_begin(lm_smoothing *s, uint64_t count, lm_heap *heap) {
    *s = (lm_smoothing){.heap = heap};
    s->own = count <= UINT32_MAX ? lmi_heap_alloc(heap, count, SCRATCH_SIZE) : NULL;
    if (!s->own)
        return false;
    s->count = (uint32_t)count;
    s->shared = s->own + count;
    s->hashes = (uint64_t *)(s->shared + count);
    s->positions = (lm_vec3 *)(s->hashes + count);
    s->same_position = (uint32_t *)(s->positions + count);
    return true;
}

void lmi_smoothing_end(lm_smoothing *s) {
    lmi_heap_free(s->heap, s->own, s->count * SCRATCH_SIZE);
}

static bool same_position(const void *context, uint32_t a, uint32_t b) {
    const lm_smoothing *s = context;
    return lmi_same_vec3(s->positions[a], s->positions[b]);
}

bool lmi_smoothing_frame(lm_smoothing *s) {
    memset(s->own, 0, 2 * (size_t)s->count * sizeof *s->own);
    for (uint32_t v = 0; v < s->count; v++)
        s->hashes[v] = lmi_hash_bytes(0, &s->positions[v], sizeof s->positions[v]);
    return lmi_find_equal(s->count, s->hashes, same_position, s, s->same_position, s->heap);
}

static void add_weighted(lm_normal_sum *to, lm_wide direction, double angle) {
    to->sum = lmi_wide_sum(to->sum, direction, angle);
    to->angles += angle;
}

void lmi_smoothing_triangle(const lm_smoothing *s, const uint32_t v[3]) {
    lm_wide p[3], edges[3];
    double lengths[3];
    for (int c = 0; c < 3; c++)
        p[c] = lmi_wide_of(s->positions[v[c]]);
    for (int c = 0; c < 3; c++) {
        edges[c] = lmi_wide_sum(p[(c + 1) % 3], p[c], -1);
        lengths[c] = lmi_wide_length(edges[c]);
    }
    lm_wide side = lmi_wide_side(p);
    double area = lmi_wide_length(side);
    if (!(area > 0 && isfinite(area)))
        return;
    lm_wide direction = {side.x / area, side.y / area, side.z / area};
    for (int c = 0; c < 3; c++) {
        int before = (c + 2) % 3;
        double cosine = -lmi_wide_dot(edges[c], edges[before]) / (lengths[c] * lengths[before]);
        double angle = lmi_arc_cosine(cosine);
        add_weighted(&s->own[v[c]], direction, angle);
        add_weighted(&s->shared[s->same_position[v[c]]], direction, angle);
    }
}

static bool cancels(const lm_normal_sum *g) {
    return !(lmi_wide_length(g->sum) > CANCELLED * g->angles);
}

lm_vec3 lmi_smoothing_normal(const lm_smoothing *s, uint32_t v) {
    const lm_normal_sum *g = &s->shared[s->same_position[v]];
    g = cancels(g) ? &s->own[v] : g;
    if (cancels(g))
        return (lm_vec3){0, 0, 1};
    return (lm_vec3){(float)g->sum.x, (float)g->sum.y, (float)g->sum.z};
}

/* ---- The quality of stored normals ---------------------------------------------------------- */

#define INSPECTED_FRAMES 16u
/* Normals point inward if more than this fraction of the triangles face away from theirs. */
#define INWARD 0.75
/* A flat surface may have one normal for all vertices: then at most this fraction of its triangles
 * face more than 60 degrees away from it. */
#define ASTRAY 0.25

/* A frame's vertices, and the counts over all frames. */
typedef struct inspection {
    const lm_surface *surface;
    lm_vec3 *positions, *normals; /* [num_file_vertices] */
    uint32_t compared, inward, astray;
    double volume; /* six times the enclosed volume, if the triangles face outwards */
    bool identical;
} inspection;

void lmi_sample_own(const lm_model *model, uint32_t surface, uint32_t frame, lm_vec3 *positions,
                    lm_vec3 *normals) {
    lmi_sample_own_at(model, surface, &(lm_pose){frame, frame, 0, false}, positions, normals);
}

void lmi_sample_own_at(const lm_model *model, uint32_t surface, const lm_pose *pose,
                       lm_vec3 *positions, lm_vec3 *normals) {
    lm_surface own = model->surfaces[surface];
    lm_model one = *model;
    own.num_vertices = own.num_file_vertices;
    one.surfaces = &own;
    one.num_surfaces = 1;
    lm_sample(&one, 0, pose, 1,
              &(lm_sample_target){.positions = &positions->x, .normals = (float *)normals});
}

bool lmi_surface_is_static(const lm_model *model, uint32_t surface, lm_heap *heap) {
    const size_t count = model->surfaces[surface].num_file_vertices, row = 2 * count;
    if (count == 0)
        return true;
    lm_vec3 *first = lmi_heap_alloc(heap, count, 4 * sizeof *first);
    bool same = first != NULL;
    if (same)
        lmi_sample_own(model, surface, 0, first, first + count);
    for (uint32_t f = 1; same && f < model->num_frames; f++) {
        lmi_sample_own(model, surface, f, first + row, first + row + count);
        same = memcmp(first, first + row, row * sizeof *first) == 0;
    }
    lmi_heap_free(heap, first, 2 * row * sizeof *first);
    return same;
}

bool lmi_model_is_static(const lm_model *model, lm_heap *heap) {
    bool same = model->num_frames > 1 && (model->num_surfaces > 0 || model->num_tags > 0);
    for (uint32_t i = 0; same && i < model->num_tags; i++) {
        lm_transform first, other;
        lm_sample_tag(model, i, &(lm_pose){0, 0, 0, false}, &first);
        for (uint32_t f = 1; same && f < model->num_frames; f++) {
            lm_sample_tag(model, i, &(lm_pose){f, f, 0, false}, &other);
            same = lmi_same_vec3(first.origin, other.origin);
            for (int k = 0; same && k < 3; k++)
                same = lmi_same_vec3(first.axis[k], other.axis[k]);
        }
    }
    for (uint32_t i = 0; same && i < model->num_surfaces; i++)
        same = lmi_surface_is_static(model, i, heap);
    return same;
}

static void inspect_triangle(inspection *l, const uint32_t *corners, lm_wide middle) {
    lm_wide p[3], normal = {0, 0, 0};
    for (int c = 0; c < 3; c++) {
        uint32_t v = l->surface->file_vertices[corners[c]];
        p[c] = lmi_wide_of(l->positions[v]);
        normal = lmi_wide_sum(normal, lmi_wide_of(l->normals[v]), 1);
    }
    lm_wide side = lmi_wide_side(p);
    double length = lmi_wide_length(side), along = lmi_wide_dot(side, normal);
    if (!(length > 0))
        return;
    l->compared++;
    l->inward += along < 0;
    l->astray += along < 0.5 * length * lmi_wide_length(normal);
    l->volume += lmi_wide_dot(side, lmi_wide_sum(p[0], middle, -1));
}

/* If the signed volume is negative, the triangles are inverted, not the normals. */
static lm_code verdict(const inspection *l) {
    if (l->identical && l->astray > ASTRAY * l->compared)
        return LM_CODE_IDENTICAL_NORMALS;
    return l->inward > INWARD * l->compared && l->volume > 0 ? LM_CODE_NORMALS_INWARD : LM_CODE_OK;
}

bool lmi_inspect_normals(const lm_model *model, uint32_t surface, lm_heap *heap,
                         lm_normals_quality *quality) {
    const lm_surface *s = &model->surfaces[surface];
    const size_t count = s->num_file_vertices, size = 2 * count * sizeof(lm_vec3);
    lm_vec3 *vectors = lmi_heap_alloc(heap, 2 * (uint64_t)count, sizeof *vectors);
    if (!vectors)
        return false;
    inspection l = {s, vectors, vectors + count, 0, 0, 0, 0, count > 3};
    uint32_t steps = model->num_frames < INSPECTED_FRAMES ? model->num_frames : INSPECTED_FRAMES;
    for (uint32_t i = 0; i < steps && s->num_triangles > 0; i++) {
        lmi_sample_own(model, surface, (uint32_t)((uint64_t)i * model->num_frames / steps),
                       l.positions, l.normals);
        lm_wide middle = {0, 0, 0};
        for (uint32_t v = 0; v < l.surface->num_file_vertices; v++)
            middle = lmi_wide_sum(middle, lmi_wide_of(l.positions[v]),
                                  1.0 / l.surface->num_file_vertices);
        for (uint32_t v = 1; v < l.surface->num_file_vertices; v++)
            l.identical &= lmi_same_vec3(l.normals[v], l.normals[0]);
        for (uint32_t t = 0; t < l.surface->num_triangles; t++)
            inspect_triangle(&l, l.surface->triangles + 3 * (size_t)t, middle);
    }
    *quality = (lm_normals_quality){verdict(&l), l.inward, l.compared};
    lmi_heap_free(heap, vectors, size);
    return true;
}

/* ---- A surface ------------------------------------------------------------------------------ */

#define KEY_SIZE 8

/* New packed vertices of a surface: one row per frame. With bones, only normals are new. */
typedef struct rows {
    lm_vec3 *normals;
    uint8_t *keys;
    uint8_t *deltas;        /* of the frames with deltas */
    uint16_t *frame_deltas; /* NULL: no frame has deltas */
    uint32_t num_deltas;
    uint16_t next_delta;
} rows;

static uint32_t count_deltas(const lm_surface *s, uint32_t num_frames) {
    uint32_t count = 0;
    for (uint32_t f = 0; s->frame_deltas && f < num_frames; f++)
        count += s->frame_deltas[f] != LM_NO_DELTA;
    return count;
}

static bool make_rows(lm_arena *arena, const lm_surface *s, uint32_t num_frames, rows *out) {
    const uint64_t count = s->num_file_vertices;
    *out = (rows){.num_deltas = count_deltas(s, num_frames)};
    if (s->weights) {
        out->normals = lmi_arena_alloc(arena, count, sizeof *out->normals);
        return out->normals;
    }
    out->keys = lmi_arena_alloc(arena, num_frames * count, KEY_SIZE);
    out->deltas = lmi_arena_alloc(arena, out->num_deltas * count, 4);
    if (out->num_deltas > 0)
        out->frame_deltas = lmi_arena_alloc(arena, num_frames, sizeof(uint16_t));
    return out->keys && out->deltas && (out->frame_deltas || out->num_deltas == 0);
}

/* Writes a key with the same position, in the 16 bits of MD3, and a normal encoded as in MD3. */
static void put_key(const lm_surface *s, const uint8_t *key, const lm_vec3 *normal, uint8_t *out) {
    if (s->encoding == LM_VERTEX_U8)
        for (int i = 0; i < 3; i++)
            lmi_put_u16(out + (size_t)2 * (size_t)i, key[i]);
    else
        memcpy(out, key, 6);
    lmi_nearest_normal_angles(normal, out + 6, out + 7);
}

static void put_frame(const lm_smoothing *s, const lm_surface *from, uint32_t first, uint32_t frame,
                      rows *out) {
    const uint32_t count = from->num_file_vertices;
    uint32_t key = from->frame_keys ? from->frame_keys[frame] : frame;
    uint16_t delta = from->frame_deltas ? from->frame_deltas[frame] : LM_NO_DELTA;
    const uint8_t *keys = from->keys + key * from->key_stride;
    const uint8_t *deltas = delta == LM_NO_DELTA ? NULL : from->deltas + delta * from->delta_stride;
    uint8_t *to = out->keys + (size_t)frame * count * KEY_SIZE;
    uint8_t *delta_to = out->deltas + (size_t)out->next_delta * count * 4;
    for (uint32_t v = 0; v < count; v++) {
        lm_vec3 normal = lmi_smoothing_normal(s, first + v);
        put_key(from, keys + v * from->key_size, &normal, to + (size_t)v * KEY_SIZE);
        if (!deltas)
            continue;
        memcpy(delta_to + (size_t)v * 4, deltas + (size_t)v * 4, 3);
        delta_to[(size_t)v * 4 + 3] = lmi_nearest_normal_256(&normal);
    }
    if (out->frame_deltas)
        out->frame_deltas[frame] = deltas ? out->next_delta++ : LM_NO_DELTA;
}

/* Stores normals in the space of each vertex's first bone. */
static void put_bones(const lm_smoothing *s, const lm_model *model, const lm_surface *from,
                      uint32_t first, rows *out) {
    const lm_pose pose = {0, 0, 0, false};
    lm_transform bones[LM_MAX_BONES];
    lmi_pose_bones(model, &pose, &pose, LM_ALL_BONES, bones);
    for (uint32_t v = 0; v < from->num_file_vertices; v++) {
        const lm_weights *w = from->weights;
        const lm_vec3 *axes = bones[w->weights[w->firsts[v]].bone].axis;
        const lm_vec3 n = lmi_smoothing_normal(s, first + v);
        out->normals[v] = lmi_unit((lm_vec3){n.x * axes[0].x + n.y * axes[1].x + n.z * axes[2].x,
                                             n.x * axes[0].y + n.y * axes[1].y + n.z * axes[2].y,
                                             n.x * axes[0].z + n.y * axes[1].z + n.z * axes[2].z});
    }
}

static bool fill_frame(lm_smoothing *s, const lm_model *model, uint32_t frame, const bool *chosen,
                       rows *out) {
    uint32_t first = 0;
    for (uint32_t i = 0; i < model->num_surfaces; i++) {
        lmi_sample_own(model, i, frame, s->positions + first, NULL);
        first += model->surfaces[i].num_file_vertices;
    }
    if (!lmi_smoothing_frame(s))
        return false;
    first = 0;
    for (uint32_t i = 0; i < model->num_surfaces; i++) {
        const lm_surface *surface = &model->surfaces[i];
        for (size_t t = 0; t < surface->num_triangles; t++) {
            uint32_t v[3];
            for (size_t c = 0; c < 3; c++)
                v[c] = first + surface->file_vertices[surface->triangles[3 * t + c]];
            lmi_smoothing_triangle(s, v);
        }
        first += model->surfaces[i].num_file_vertices;
    }
    first = 0;
    for (uint32_t i = 0; i < model->num_surfaces; i++) {
        if (chosen[i] && lmi_has_bones(model))
            put_bones(s, model, &model->surfaces[i], first, &out[i]);
        else if (chosen[i])
            put_frame(s, &model->surfaces[i], first, frame, &out[i]);
        first += model->surfaces[i].num_file_vertices;
    }
    return true;
}

/* Fills the rows of the chosen surfaces. */
static bool fill_rows(const lm_model *model, const bool *chosen, lm_heap *heap, rows *out) {
    uint64_t count = 0;
    lm_smoothing s;
    for (uint32_t i = 0; i < model->num_surfaces; i++)
        count += model->surfaces[i].num_file_vertices;
    bool done = lmi_smoothing_begin(&s, count, heap);
    for (uint32_t f = 0; f < (lmi_has_bones(model) ? 1 : model->num_frames) && done; f++)
        done = fill_frame(&s, model, f, chosen, out);
    lmi_smoothing_end(&s);
    return done;
}

static void assign_rows(lm_surface *s, uint32_t num_frames, const rows *computed) {
    if (s->weights) {
        ((lm_weights *)s->weights)->normals = computed->normals;
        return;
    }
    s->encoding = LM_VERTEX_S16;
    s->num_keys = num_frames;
    s->keys = computed->keys;
    s->key_size = KEY_SIZE;
    s->key_stride = (size_t)s->num_file_vertices * KEY_SIZE;
    s->frame_keys = NULL;
    s->num_deltas = computed->num_deltas;
    s->deltas = computed->deltas;
    s->delta_stride = (size_t)s->num_file_vertices * 4;
    s->frame_deltas = computed->frame_deltas;
}

/* ---- A model -------------------------------------------------------------------------------- */

#define NUM_FAULTS 2
#define MESSAGE_SIZE 200

/* The surfaces that get new normals, and the warnings about them. */
typedef struct plan {
    bool *chosen; /* [num_surfaces] */
    uint32_t num_chosen, num_faults;
    lm_diagnostic faults[NUM_FAULTS];
    char messages[NUM_FAULTS][MESSAGE_SIZE];
} plan;

static void note(plan *p, const lm_normals_quality *quality, uint32_t surface) {
    uint32_t i = 0;
    while (i < p->num_faults && p->faults[i].code != quality->code)
        i++;
    if (i < p->num_faults) {
        p->faults[i].count++;
        return;
    }
    p->faults[p->num_faults++] = (lm_diagnostic){.text = p->messages[i],
                                                 .location = {"vertices", 0, surface, 0},
                                                 .code = quality->code,
                                                 .severity = lm_code_severity(quality->code),
                                                 .count = 1};
    if (quality->code == LM_CODE_NORMALS_INWARD)
        snprintf(p->messages[i], MESSAGE_SIZE,
                 "surface %u: the stored normals of %ld%% of its triangles point inward",
                 (unsigned)surface, lrint(100.0 * quality->inward / quality->compared));
    else
        snprintf(p->messages[i], MESSAGE_SIZE, "surface %u: all stored normals are the same",
                 (unsigned)surface);
}

static bool choose(const lm_model *model, lm_normals request, lm_heap *heap, plan *p) {
    for (uint32_t s = 0; s < model->num_surfaces; s++) {
        const lm_surface *surface = &model->surfaces[s];
        lm_normals_quality quality = {.code = LM_CODE_OK};
        if (request == LM_NORMALS_AUTO && !lmi_inspect_normals(model, s, heap, &quality))
            return false;
        if (quality.code != LM_CODE_OK)
            note(p, &quality, s);
        /* The index of a delta row has 16 bits. */
        p->chosen[s] = (request == LM_NORMALS_COMPUTED || quality.code != LM_CODE_OK) &&
                       surface->num_triangles > 0 &&
                       count_deltas(surface, model->num_frames) < LM_NO_DELTA;
        p->num_chosen += p->chosen[s];
    }
    return true;
}

/* Adds the warnings to those of the model. */
static bool add_warnings(lm_arena *arena, lm_model *model, const plan *p) {
    const uint32_t before = model->num_warnings;
    lm_diagnostic *all = lmi_arena_alloc(arena, before + p->num_faults, sizeof *all);
    if (!all)
        return false;
    if (before > 0)
        memcpy(all, model->warnings, before * sizeof *all);
    for (uint32_t i = 0; i < p->num_faults; i++) {
        all[before + i] = p->faults[i];
        all[before + i].text = lmi_arena_printf(
            arena, "%s; %s", p->messages[i],
            p->num_chosen > 0
                ? "computed normals are used instead"
                : "they are kept, because computed normals need more memory than the limit");
        if (!all[before + i].text)
            return false;
    }
    model->warnings = all;
    model->num_warnings = before + p->num_faults;
    return true;
}

/* Makes the rows in a separate arena, which is freed if they are too large. If no surface is
 * chosen, only adds the warnings. */
static bool replace_normals(lm_model *model, const plan *p, lm_heap *heap, rows *computed) {
    lm_arena arena = {.heap = heap};
    lm_surface *surfaces = (lm_surface *)model->surfaces;
    bool done = true;
    for (uint32_t s = 0; s < model->num_surfaces && done; s++)
        done = !p->chosen[s] || make_rows(&arena, &surfaces[s], model->num_frames, &computed[s]);
    done = done && (p->num_chosen == 0 || fill_rows(model, p->chosen, heap, computed)) &&
           add_warnings(&arena, model, p);
    for (uint32_t s = 0; s < model->num_surfaces && done; s++)
        if (p->chosen[s])
            assign_rows(&surfaces[s], model->num_frames, &computed[s]);
    if (done)
        lmi_arena_join(lmi_arena_of(model), &arena);
    lmi_arena_free(&arena);
    return done;
}

static bool smooth(lm_model *model, lm_normals request, lm_heap *heap, plan *p, rows *computed) {
    if (!choose(model, request, heap, p))
        return false;
    if (p->num_chosen == 0 || replace_normals(model, p, heap, computed))
        return true;
    if (request != LM_NORMALS_AUTO || !heap->over_limit)
        return false;
    lmi_heap_forget_limit(heap);
    memset(p->chosen, 0, model->num_surfaces * sizeof *p->chosen);
    p->num_chosen = 0;
    return replace_normals(model, p, heap, computed);
}

bool lmi_smooth_model(lm_model *model, lm_normals request, lm_heap *heap) {
    const uint32_t count = model->num_surfaces;
    lm_arena scratch = {.heap = heap};
    plan p = {.chosen = lmi_arena_alloc(&scratch, count, sizeof(bool))};
    rows *computed = lmi_arena_alloc(&scratch, count, sizeof *computed);
    const bool done = p.chosen && computed && smooth(model, request, heap, &p, computed);
    lmi_arena_free(&scratch);
    if (done || request != LM_NORMALS_AUTO || !heap->over_limit)
        return done;
    /* If memory is too limited to check the normals, keeps the file's. */
    lmi_heap_forget_limit(heap);
    return true;
}
