/* Reports the parts of a mesh that a format cannot store. */
#include "encode/encoding.h"

#include "core/index.h"
#include "core/text.h"
#include "math/vectors.h"
#include "model/weld.h"

#include <math.h>
#include <string.h>

/* ---- Winding ------------------------------------------------------------------------------ */

/* A mesh counts as closed if at most OPEN_EDGES of its edges lack a neighbour. A volume below THIN,
 * relative to the area to the power of 3/2, has no reliable sign, nor has one that depends on the
 * point from which it is measured: openings, such as the sides of a sheet, are too large. */
#define OPEN_EDGES 0.1
#define THIN 1e-3

typedef struct lm_winding {
    const lm_mesh *mesh;
    uint64_t *edges; /* keys of edges, equal in both directions */
    int8_t *sides;   /* [num_edges] direction of each: 1 or -1 */
    uint32_t num_edges;
    lm_wide middle, opening; /* of the vertices; sum of the triangles' directions, 0 if closed */
    lm_box box;
    /* Six times the signed volume, positive if triangles face outward; twice the area. */
    double volume, area;
    bool out_of_memory;
} lm_winding;

static void add_triangle(lm_winding *w, const lm_mesh_surface *s, const uint32_t corners[3]) {
    uint64_t keys[3];
    lm_wide p[3];
    for (int c = 0; c < 3; c++) {
        const lm_vec3 at = lmi_vec3_at(s->positions, corners[c]);
        const float values[] = {at.x + 0.0f, at.y + 0.0f, at.z + 0.0f}; /* no -0 */
        uint32_t bits[3];
        memcpy(bits, values, sizeof bits);
        p[c] = lmi_wide_of(at);
        lmi_box_add(&w->box, at);
        /* Two positions share a key with probability 2^-64. */
        keys[c] = lmi_hash(lmi_hash(lmi_hash(0, bits[0]), bits[1]), bits[2]);
    }
    if (keys[0] == keys[1] || keys[1] == keys[2] || keys[2] == keys[0])
        return;
    const lm_wide side = lmi_wide_side(p);
    w->area += lmi_wide_length(side);
    w->opening = lmi_wide_sum(w->opening, side, 1);
    w->volume += lmi_wide_dot(side, lmi_wide_sum(p[0], w->middle, -1));
    for (int c = 0; c < 3; c++) {
        const uint64_t a = keys[c], b = keys[(c + 1) % 3];
        w->sides[w->num_edges] = a < b ? 1 : -1;
        w->edges[w->num_edges++] = lmi_hash(lmi_hash(0, a < b ? a : b), a < b ? b : a);
    }
}

/* Counts the edges that no other edge opposes. Returns all if memory ran out. */
static uint32_t count_open(lm_winding *w, lm_arena *arena) {
    uint32_t num_ids = 0, open = 0;
    uint32_t *ids = lmi_arena_alloc(arena, w->num_edges, sizeof *ids);
    int32_t *sums = lmi_arena_zeros(arena, w->num_edges, sizeof *sums);
    w->out_of_memory =
        !ids || !sums || !lmi_rank_keys(w->edges, w->num_edges, ids, &num_ids, arena->heap);
    if (w->out_of_memory)
        return w->num_edges;
    for (uint32_t e = 0; e < w->num_edges; e++)
        sums[ids[e]] += w->sides[e];
    for (uint32_t i = 0; i < num_ids; i++)
        open += (uint32_t)(sums[i] < 0 ? -sums[i] : sums[i]);
    return open;
}

/* Returns the greatest volume that a point of the box measures, times 6. */
static double greatest_volume(const lm_winding *w) {
    const double opening[3] = {w->opening.x, w->opening.y, w->opening.z};
    const double middle[3] = {w->middle.x, w->middle.y, w->middle.z};
    double volume = w->volume;
    for (int i = 0; i < 3; i++)
        volume += fmax(opening[i] * (middle[i] - (double)w->box.low[i]),
                       opening[i] * (middle[i] - (double)w->box.high[i]));
    return volume;
}

static bool faces_inward(lm_winding *w, uint64_t num_triangles, lm_arena *arena) {
    w->edges = lmi_arena_alloc(arena, num_triangles * 3, sizeof *w->edges);
    w->sides = lmi_arena_alloc(arena, num_triangles * 3, sizeof *w->sides);
    w->out_of_memory = !w->edges || !w->sides;
    if (w->out_of_memory || num_triangles > UINT32_MAX / 3)
        return false;
    /* Add the triangles of the first frame. */
    uint64_t count = 0;
    for (uint32_t i = 0; i < w->mesh->num_surfaces; i++) {
        const lm_mesh_surface *s = &w->mesh->surfaces[i];
        count += s->num_vertices;
        for (uint32_t v = 0; v < s->num_vertices; v++)
            w->middle = lmi_wide_sum(w->middle, lmi_wide_of(lmi_vec3_at(s->positions, v)), 1);
    }
    if (count > 0)
        w->middle = lmi_wide_sum((lm_wide){0, 0, 0}, w->middle, 1.0 / (double)count);
    for (uint32_t i = 0; i < w->mesh->num_surfaces; i++)
        for (size_t t = 0; t < w->mesh->surfaces[i].num_triangles; t++)
            add_triangle(w, &w->mesh->surfaces[i], w->mesh->surfaces[i].triangles + 3 * t);
    const double area = 0.5 * w->area, volume = greatest_volume(w) / 6;
    return volume < -THIN * area * sqrt(area) && count_open(w, arena) <= OPEN_EDGES * w->num_edges;
}

bool lmi_encode_note_winding(lm_encoding *encoding) {
    uint64_t num_triangles = 0;
    lm_winding w = {.mesh = encoding->mesh, .box = LM_EMPTY_BOX};
    lm_arena arena = {.heap = encoding->heap};
    for (uint32_t i = 0; i < w.mesh->num_surfaces; i++)
        num_triangles += w.mesh->surfaces[i].num_triangles;
    const bool inward = faces_inward(&w, num_triangles, &arena);
    lmi_arena_free(&arena);
    if (w.out_of_memory && !encoding->heap->over_limit)
        return false;
    if (w.out_of_memory) /* the memory bound is too small to judge the winding */
        lmi_heap_forget_limit(encoding->heap);
    return !inward || lmi_encode_note(encoding, LM_CODE_INVERTED, "mesh", 0,
                                      "the triangles are wound counter-clockwise, so they face "
                                      "inward and games show the inside of the model");
}

/* ---- Losses ------------------------------------------------------------------------------- */

/* Reports that something of the mesh is lost. */
#define NOTE_LOSS(encoding, ...) lmi_encode_note(encoding, LM_CODE_NOT_HELD, "mesh", 0, __VA_ARGS__)

bool lmi_plays_normally(const lm_clip *clip) {
    return !clip->times && fabsf(clip->fps - LM_DEFAULT_FPS) <= 1e-3f;
}

uint32_t lmi_count_unusual_clips(const lm_mesh *mesh, const lm_clip **first) {
    uint32_t count = 0;
    *first = NULL;
    for (uint32_t i = mesh->num_clips; i-- > 0;)
        if (mesh->clips[i].backwards || !lmi_plays_normally(&mesh->clips[i])) {
            *first = &mesh->clips[i];
            count++;
        }
    return count;
}

static bool note_names(lm_encoding *encoding) {
    const lm_mesh *mesh = encoding->mesh;
    if (*mesh->name &&
        !NOTE_LOSS(encoding, "the model's name, \"%s\", is dropped: the format stores none",
                   mesh->name))
        return false;
    if (mesh->num_surfaces == 1 && *mesh->surfaces[0].name)
        return NOTE_LOSS(encoding, "the surface's name, \"%s\", is dropped: the format stores none",
                         mesh->surfaces[0].name);
    return mesh->num_surfaces <= 1 ||
           NOTE_LOSS(encoding, "%u surfaces become one, and their names are dropped",
                     (unsigned)mesh->num_surfaces);
}

/* Reports that flags or numbers of `count` things are lost. */
static bool note_count(lm_encoding *encoding, const char *what, uint32_t count, const char *words) {
    return count == 0 || NOTE_LOSS(encoding, "the %s of %s are dropped: the format stores none",
                                   what, lmi_count_words(count, words).text);
}

static bool note_surfaces(lm_encoding *encoding) {
    const lm_mesh *mesh = encoding->mesh;
    uint32_t flagged = 0, numbered = 0;
    for (uint32_t i = 0; i < mesh->num_surfaces; i++) {
        flagged += mesh->surfaces[i].flags != 0;
        for (uint32_t m = 0; m < mesh->surfaces[i].num_materials; m++)
            numbered += mesh->surfaces[i].materials[m].flags != 0;
    }
    return note_count(encoding, "flags", flagged, "{surface|surfaces}") &&
           note_count(encoding, "numbers", numbered, "{shader|shaders}");
}

/* Reports the loss of a skin size. Nothing looks different without it, but texture coordinates may
 * leave their texels if the model becomes an MD2 again. So the loss matters only for skins in
 * files, and for sizes that are not the default. */
static bool note_skin_size(lm_encoding *encoding) {
    const lm_mesh *mesh = encoding->mesh;
    const uint32_t w = mesh->skin_width, h = mesh->skin_height;
    return mesh->num_skins == 0 || mesh->embedded_skins || w == 0 || h == 0 ||
           (w == LM_USUAL_SKIN && h == LM_USUAL_SKIN) ||
           NOTE_LOSS(encoding,
                     "the skin's size, %u x %u, is dropped: the format's texture coordinates "
                     "do not depend on it",
                     (unsigned)w, (unsigned)h);
}

static bool note_eye(lm_encoding *encoding) {
    const lm_mesh *mesh = encoding->mesh;
    const lm_vec3 eye = mesh->eye;
    if ((eye.x != 0 || eye.y != 0 || eye.z != 0) &&
        !NOTE_LOSS(encoding, "the eye position, %g %g %g, is dropped: the format stores none",
                   (double)eye.x, (double)eye.y, (double)eye.z))
        return false;
    return mesh->synctype == 0 ||
           NOTE_LOSS(encoding,
                     "the random start time (synctype) is dropped: the format stores none");
}

/* Reports clips whose rates and times the file cannot store. */
static bool note_clips(lm_encoding *encoding) {
    const lm_clip *first;
    const uint32_t count = lmi_count_unusual_clips(encoding->mesh, &first);
    return !first ||
           NOTE_LOSS(encoding,
                     "the format stores no times: those of %s, such as \"%s\" at %g "
                     "fps%s, belong in an animation.cfg in the same folder",
                     lmi_count_words(count, "{clip|clips}").text, first->name, (double)first->fps,
                     first->times       ? " on average"
                     : first->backwards ? " backwards"
                                        : "");
}

bool lmi_encode_report_loss(lm_encoding *encoding, unsigned stores) {
    const lm_mesh *mesh = encoding->mesh;
    return lmi_encode_note_winding(encoding) &&
           ((stores & LM_STORES_TAGS) || mesh->num_tags == 0 ||
            NOTE_LOSS(encoding, "%s dropped: the format stores none",
                      lmi_count_words(mesh->num_tags, "{tag is|tags are}").text)) &&
           ((stores & LM_STORES_NAMES) || (note_names(encoding) && note_surfaces(encoding))) &&
           ((stores & LM_STORES_SKIN_SIZE) || note_skin_size(encoding)) &&
           ((stores & LM_STORES_FLAGS) || mesh->flags == 0 ||
            NOTE_LOSS(encoding, "the model's flags, %u, are dropped: the format stores none",
                      (unsigned)mesh->flags)) &&
           ((stores & LM_STORES_EYE) || note_eye(encoding)) &&
           ((stores & LM_STORES_CLIPS) || encoding->options->sidecar_clips ||
            note_clips(encoding)) &&
           ((stores & LM_STORES_PIXELS) || mesh->num_skins == 0 || !mesh->embedded_skins ||
            NOTE_LOSS(encoding, "the skins' pixels are dropped: the format refers to image files"));
}
