#include "lerpmesh/mesh.h"

#include "core/arena.h"
#include "core/names.h"
#include "core/options.h"
#include "core/report.h"
#include "core/text.h"
#include "mesh/mesh_make.h"
#include "mesh/nearest.h"

#include <stdio.h>
#include <string.h>

/* Sums from which an lm_distance is computed. */
typedef struct adding {
    double squares, angles;
    uint64_t count;
} adding;

typedef struct comparing {
    const lm_mesh *mesh[2];
    lm_arena arena;
    lm_drawn drawn[2];
    lm_clip_distance *clips;
    uint32_t num_clips;
    const uint32_t
        *tags; /* for each tag of the first mesh, the index of its counterpart + 1; 0: none */
    lm_diagnostics differences;
    lm_comparison sum;
    adding all; /* over all clips */
} comparing;

/* ---- Differences that are not numbers ------------------------------------------------------- */

static bool add_difference(comparing *c, const char *what, const char *sentence, ...)
    LM_PRINTF(3, 4);

static bool add_difference(comparing *c, const char *what, const char *sentence, ...) {
    va_list arguments;
    va_start(arguments, sentence);
    const lm_diagnostic found = {.subject = what, .severity = LM_SEVERITY_NOTE, .count = 1};
    const bool done =
        lmi_diagnostics_vprintf(&c->differences, &c->arena, found, sentence, arguments);
    va_end(arguments);
    return done;
}

/* Returns the name of an element, by its index in the list of its kind. */
typedef const char *lm_name_of(const lm_mesh *mesh, uint32_t index);

static const char *clip_name(const lm_mesh *mesh, uint32_t index) {
    return mesh->clips[index].name;
}

static const char *tag_name(const lm_mesh *mesh, uint32_t index) {
    return mesh->tags[index].name;
}

static const char *skin_name(const lm_mesh *mesh, uint32_t index) {
    return mesh->skins[index];
}

static const char *surface_name(const lm_mesh *mesh, uint32_t index) {
    const char *name = mesh->surfaces[index].name;
    return name ? name : "";
}

/* Pairs elements of the same name: the first with the first, the next with the next. Returns for
 * each of the first mesh's the index + 1 of its counterpart, or 0. */
static uint32_t *pair_names(comparing *c, lm_name_of *name_of, uint32_t count, uint32_t others) {
    lm_names names = {.arena = &c->arena};
    uint32_t *pairs = lmi_arena_alloc(&c->arena, count, sizeof *pairs);
    uint32_t *next = lmi_arena_zeros(&c->arena, others, sizeof *next);
    for (uint32_t i = others; pairs && next && i > 0; i--) {
        lm_name *name = lmi_names_put(&names, name_of(c->mesh[1], i - 1));
        if (!name)
            return NULL;
        next[i - 1] = name->number;
        name->number = i;
    }
    for (uint32_t i = 0; pairs && next && i < count; i++) {
        lm_name *name = lmi_names_put(&names, name_of(c->mesh[0], i));
        if (!name)
            return NULL;
        pairs[i] = name->number;
        name->number = pairs[i] ? next[pairs[i] - 1] : 0;
    }
    return next ? pairs : NULL;
}

/* Reports the names that only one of the meshes has. */
static bool compare_names(comparing *c, const char *what, const char *one, lm_name_of *name_of,
                          const uint32_t counts[2]) {
    static const char *const which[] = {"first", "second"};
    for (int side = 0; side < 2; side++) {
        lm_names others = {.arena = &c->arena};
        for (uint32_t i = 0; i < counts[!side]; i++)
            if (!lmi_names_put(&others, name_of(c->mesh[!side], i)))
                return false;
        for (uint32_t i = 0; i < counts[side]; i++) {
            const char *name = name_of(c->mesh[side], i);
            if (!lmi_names_find(&others, name) &&
                !add_difference(c, what, "only the %s has the %s \"%s\"", which[side], one, name))
                return false;
        }
    }
    return true;
}

/* Counts the triangles of a mesh, and those without area. */
static uint32_t count_triangles(const lm_mesh *mesh, uint32_t *flat) {
    uint32_t count = 0;
    *flat = 0;
    for (uint32_t i = 0; i < mesh->num_surfaces; i++) {
        const lm_mesh_surface *s = &mesh->surfaces[i];
        count += s->num_triangles;
        for (uint32_t t = 0; t < s->num_triangles; t++)
            *flat += !lmi_has_area(mesh, s, t);
    }
    return count;
}

static bool compare_counts(comparing *c) {
    uint32_t flat[2];
    const uint32_t frames[2] = {c->mesh[0]->num_frames, c->mesh[1]->num_frames};
    const uint32_t counts[2] = {count_triangles(c->mesh[0], &flat[0]),
                                count_triangles(c->mesh[1], &flat[1])};
    const lm_counted words = lmi_count_words(counts[0], "{triangle|triangles}");
    if (frames[0] != frames[1] &&
        !add_difference(c, "frames", "the first has %s, the second %u",
                        lmi_count_words(frames[0], "{frame|frames}").text, (unsigned)frames[1]))
        return false;
    if (counts[0] == counts[1] && flat[0] == flat[1])
        return true;
    return flat[0] == 0 && flat[1] == 0
               ? add_difference(c, "triangles", "the first has %s, the second %u", words.text,
                                (unsigned)counts[1])
               : add_difference(c, "triangles",
                                "the first has %s, %u without area; the second %u, %u without area",
                                words.text, (unsigned)flat[0], (unsigned)counts[1],
                                (unsigned)flat[1]);
}

static bool compare_texts(comparing *c) {
    const lm_mesh *a = c->mesh[0], *b = c->mesh[1];
    return compare_counts(c) &&
           compare_names(c, "clips", "clip", clip_name, (uint32_t[]){a->num_clips, b->num_clips}) &&
           compare_names(c, "surfaces", "surface", surface_name,
                         (uint32_t[]){a->num_surfaces, b->num_surfaces}) &&
           compare_names(c, "tags", "tag", tag_name, (uint32_t[]){a->num_tags, b->num_tags}) &&
           compare_names(c, "skins", "skin", skin_name, (uint32_t[]){a->num_skins, b->num_skins});
}

/* ---- Frames --------------------------------------------------------------------------------- */

static uint32_t least(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

/* Lists the clips that both meshes have. If there are none, all frames count as one clip. */
static bool match_clips(comparing *c) {
    const lm_mesh *a = c->mesh[0], *b = c->mesh[1];
    const uint32_t *pairs = pair_names(c, clip_name, a->num_clips, b->num_clips);
    c->clips = lmi_arena_zeros(&c->arena, (uint64_t)a->num_clips + 1, sizeof *c->clips);
    if (!c->clips || !pairs)
        return false;
    for (uint32_t i = 0; i < a->num_clips; i++) {
        if (pairs[i] == 0)
            continue;
        const lm_clip *one = &a->clips[i], *other = &b->clips[pairs[i] - 1];
        c->clips[c->num_clips++] = (lm_clip_distance){.name = one->name,
                                                      .first_a = one->first,
                                                      .first_b = other->first,
                                                      .count = least(one->count, other->count)};
        if (one->count != other->count &&
            !add_difference(c, "clips", "the clip \"%s\" has %s in the first, %u in the second",
                            one->name, lmi_count_words(one->count, "{frame|frames}").text,
                            (unsigned)other->count))
            return false;
    }
    if (c->num_clips == 0)
        c->clips[c->num_clips++] =
            (lm_clip_distance){.name = "", .count = least(a->num_frames, b->num_frames)};
    return true;
}

/* ---- Distances ------------------------------------------------------------------------------ */

/* `pair`: a frame of this side and one of the other. */
static void add_vertex(const comparing *c, int side, uint32_t index, uint32_t nearest,
                       lm_frame_pair pair, adding *to, lm_distance *out) {
    const lm_drawn *one = &c->drawn[side], *other = &c->drawn[!side];
    const double away = lmi_distance_between(lmi_drawn_position(one, index, pair.a),
                                             lmi_drawn_position(other, nearest, pair.b));
    to->squares += away * away;
    to->count++;
    if (away > out->max_distance)
        *out = (lm_distance){.max_distance = away,
                             .max_angle_error = out->max_angle_error,
                             .of_second = side == 1,
                             .surface = one->vertices[index].surface,
                             .vertex = one->vertices[index].vertex,
                             .frame_a = side ? pair.b : pair.a,
                             .frame_b = side ? pair.a : pair.b};
    lm_vec3 a, b;
    if (!lmi_drawn_normal(one, index, pair.a, &a) || !lmi_drawn_normal(other, nearest, pair.b, &b))
        return;
    const double degrees = lmi_angle_between(a, b);
    to->angles += degrees;
    out->max_angle_error = degrees > out->max_angle_error ? degrees : out->max_angle_error;
}

static void finish(const adding *from, lm_distance *out) {
    if (from->count == 0)
        return;
    out->rms_distance = sqrt(from->squares / (double)from->count);
    out->mean_angle_error = from->angles / (double)from->count;
}

/* Returns the frames to compare: one of this side, one of the other. */
static lm_frame_pair pair_at(const lm_clip_distance *clip, int side, uint32_t frame) {
    const uint32_t a = clip->first_a + frame, b = clip->first_b + frame;
    return side ? (lm_frame_pair){b, a} : (lm_frame_pair){a, b};
}

/* For each drawn vertex of one side, finds the other side's nearest vertex over a clip. The result
 * is in the arena. */
static uint32_t *match_vertices(const lm_drawn drawn[2], int side, const lm_clip_distance *clip,
                                lm_arena *arena) {
    lm_frame_pair *pairs = lmi_arena_alloc(arena, clip->count, sizeof *pairs);
    uint32_t *nearest = lmi_arena_alloc(arena, drawn[side].count, sizeof *nearest);
    for (uint32_t f = 0; pairs && f < clip->count; f++)
        pairs[f] = pair_at(clip, side, f);
    const bool found =
        pairs && nearest &&
        lmi_find_nearest(&drawn[side], &drawn[!side], pairs, clip->count, arena, nearest);
    return found ? nearest : NULL;
}

static bool compare_side(comparing *c, int side, lm_clip_distance *clip, adding *sums) {
    lm_arena arena = {.heap = c->arena.heap};
    const uint32_t *nearest = match_vertices(c->drawn, side, clip, &arena);
    for (uint32_t f = 0; nearest && f < clip->count; f++)
        for (uint32_t i = 0; i < c->drawn[side].count; i++)
            add_vertex(c, side, i, nearest[i], pair_at(clip, side, f), sums, &clip->distance);
    if (nearest)
        for (uint32_t i = 0; i < c->drawn[side].count; i++) {
            const lm_vec2 a = c->drawn[side].vertices[i].st;
            const lm_vec2 b = c->drawn[!side].vertices[nearest[i]].st;
            const double u = fabs((double)a.x - (double)b.x), v = fabs((double)a.y - (double)b.y);
            c->sum.max_st = fmax(c->sum.max_st, fmax(u, v));
        }
    lmi_arena_free(&arena);
    return nearest;
}

static bool compare_vertices(comparing *c, lm_clip_distance *clip) {
    adding sums = {0};
    if (!compare_side(c, 0, clip, &sums) || !compare_side(c, 1, clip, &sums))
        return false;
    finish(&sums, &clip->distance);
    lm_distance *all = &c->sum.all;
    const double max_angle = fmax(all->max_angle_error, clip->distance.max_angle_error);
    if (clip->distance.max_distance > all->max_distance)
        *all = clip->distance;
    all->max_angle_error = max_angle;
    c->all.squares += sums.squares;
    c->all.angles += sums.angles;
    c->all.count += sums.count;
    return true;
}

static void compare_tags(comparing *c, lm_clip_distance *clip) {
    const lm_mesh *a = c->mesh[0], *b = c->mesh[1];
    for (uint32_t i = 0; i < a->num_tags; i++) {
        const lm_mesh_tag *other = c->tags[i] ? &b->tags[c->tags[i] - 1] : NULL;
        for (uint32_t f = 0; other && f < clip->count; f++) {
            const lm_transform *p = &a->tags[i].poses[clip->first_a + f];
            const lm_transform *q = &other->poses[clip->first_b + f];
            const double away = lmi_distance_between(p->origin, q->origin);
            if (away > clip->max_tag_distance) {
                clip->max_tag_distance = away;
                clip->tag = i;
                clip->tag_frame = f;
            }
            for (int axis = 0; axis < 3; axis++)
                clip->max_tag_angle_error = fmax(clip->max_tag_angle_error,
                                                 lmi_angle_between(p->axis[axis], q->axis[axis]));
        }
    }
    c->sum.max_tag_distance = fmax(c->sum.max_tag_distance, clip->max_tag_distance);
    c->sum.max_tag_angle_error = fmax(c->sum.max_tag_angle_error, clip->max_tag_angle_error);
}

/* ---- Comparison ----------------------------------------------------------------------------- */

static bool fill_comparison(const comparing *c, lm_comparison *made) {
    lm_arena *arena = lmi_arena_of(made);
    const lm_diagnostics *found = &c->differences;
    lm_clip_distance *clips = lmi_arena_alloc(arena, c->num_clips, sizeof *clips);
    for (uint32_t i = 0; clips && i < c->num_clips; i++) {
        clips[i] = c->clips[i];
        clips[i].name = lmi_arena_text(arena, clips[i].name, strlen(clips[i].name));
    }
    *made = c->sum;
    made->num_clips = c->num_clips;
    made->clips = clips;
    made->num_differences = (uint32_t)found->count;
    made->differences = lmi_diagnostics_copy(arena, found->list, found->count);
    return clips != NULL;
}

static lm_comparison *compare(comparing *c) {
    c->tags = pair_names(c, tag_name, c->mesh[0]->num_tags, c->mesh[1]->num_tags);
    if (!c->tags || !compare_texts(c) || !match_clips(c) ||
        !lmi_find_drawn(c->mesh[0], &c->arena, &c->drawn[0]) ||
        !lmi_find_drawn(c->mesh[1], &c->arena, &c->drawn[1]))
        return NULL;
    for (uint32_t i = 0; i < c->num_clips; i++) {
        compare_tags(c, &c->clips[i]);
        if (c->drawn[0].count > 0 && c->drawn[1].count > 0 && !compare_vertices(c, &c->clips[i]))
            return NULL;
    }
    finish(&c->all, &c->sum.all);
    lm_comparison *made = lmi_object(c->arena.heap, sizeof *made);
    return lmi_object_end(made, made && fill_comparison(c, made));
}

lm_comparison *lm_mesh_compare(const lm_mesh *a, const lm_mesh *b, const lm_memory *memory,
                               lm_error *error) {
    lm_heap heap;
    if (!lm_mesh_check(a, error) || !lm_mesh_check(b, error))
        return NULL;
    lmi_mesh_heap(&heap, memory, error);
    comparing c = {.mesh = {a, b}, .arena = {.heap = &heap}};
    lm_comparison *made = compare(&c);
    if (!made)
        lmi_heap_diagnose(&heap);
    lmi_arena_free(&c.arena);
    return made;
}

/* ---- One frame ------------------------------------------------------------------------------ */

static bool measure_frame(const lm_mesh *const meshes[2], const lm_clip_distance *clip,
                          uint32_t frame, int side, lm_arena *arena, float *distances) {
    lm_drawn drawn[2] = {0};
    float **rows = lmi_arena_alloc(arena, meshes[side]->num_surfaces, sizeof *rows);
    const lm_frame_pair pair = pair_at(clip, side, frame);
    for (uint32_t i = 0; rows && i < meshes[side]->num_surfaces; i++) {
        rows[i] = distances;
        for (uint32_t v = 0; v < meshes[side]->surfaces[i].num_vertices; v++)
            *distances++ = -1; /* for vertices that are not drawn */
    }
    if (!rows || !lmi_find_drawn(meshes[0], arena, &drawn[0]) ||
        !lmi_find_drawn(meshes[1], arena, &drawn[1]))
        return false;
    if (drawn[0].count == 0 || drawn[1].count == 0)
        return true;
    const uint32_t *nearest = match_vertices(drawn, side, clip, arena);
    for (uint32_t i = 0; nearest && i < drawn[side].count; i++) {
        const lm_drawn_vertex *v = &drawn[side].vertices[i];
        const double away =
            lmi_distance_between(lmi_drawn_position(&drawn[side], i, pair.a),
                                 lmi_drawn_position(&drawn[!side], nearest[i], pair.b));
        float *out = &rows[v->surface][v->vertex];
        *out = fmaxf(*out, (float)away); /* a vertex may have several texture coordinates */
    }
    return nearest != NULL;
}

bool lm_mesh_compare_frame(const lm_mesh *a, const lm_mesh *b, const lm_clip_distance *clip,
                           uint32_t frame, bool of_second, float *distances,
                           const lm_memory *memory, lm_error *error) {
    if (!LM_GIVEN(error, clip, distances))
        return false;
    lm_heap heap;
    if (!lm_mesh_check(a, error) || !lm_mesh_check(b, error))
        return false;
    if (frame >= clip->count || clip->first_a > a->num_frames || clip->first_b > b->num_frames ||
        clip->count > a->num_frames - clip->first_a || clip->count > b->num_frames - clip->first_b)
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT,
                             "mesh: there is no frame %u of %u from frames %u and %u on",
                             (unsigned)frame, (unsigned)clip->count, (unsigned)clip->first_a,
                             (unsigned)clip->first_b);
    lmi_mesh_heap(&heap, memory, error);
    lm_arena arena = {.heap = &heap};
    const lm_mesh *const meshes[2] = {a, b};
    const bool done = measure_frame(meshes, clip, frame, of_second ? 1 : 0, &arena, distances);
    if (!done)
        lmi_heap_diagnose(&heap);
    lmi_arena_free(&arena);
    return done;
}

void lm_comparison_free(lm_comparison *comparison) {
    lmi_object_free(comparison);
}
