/* Finds the triangles of a model that a problem of its file concerns. */
#include "lerpmesh/check.h"

#include "core/options.h"
#include "core/writing.h"
#include "lerpmesh/sample.h"

#include <stdlib.h>
#include <string.h>

typedef struct locating {
    const lm_model *model;
    uint32_t surface;
    const lm_surface *s;
    const lm_diagnostic *problem;
    const void *known; /* data for `filter`, with as many elements as it needs */
    size_t num_known;
    lm_buffer *out;
} locating;

typedef bool (*lm_triangle_filter)(const locating *f, const uint32_t v[3]);

/* ---- Predicates ---------------------------------------------------------------------------- */

static bool is_degenerate(const locating *f, const uint32_t v[3]) {
    const uint32_t *file = f->s->file_vertices;
    return file[v[0]] == file[v[1]] || file[v[1]] == file[v[2]] || file[v[2]] == file[v[0]];
}

static bool is_st_outside(const locating *f, const uint32_t v[3]) {
    for (unsigned k = 0; k < 3; k++) {
        const lm_vec2 st = f->s->st[v[k]];
        if (!(st.x >= 0 && st.x <= 1 && st.y >= 0 && st.y <= 1))
            return true;
    }
    return false;
}

static bool is_at_seam(const locating *f, const uint32_t v[3]) {
    const bool *seam = f->known; /* [num_file_vertices] */
    const uint32_t *file = f->s->file_vertices;
    return seam[file[v[0]]] || seam[file[v[1]]] || seam[file[v[2]]];
}

static bool is_outside_bounds(const locating *f, const uint32_t v[3]) {
    const lm_frame *frame = &f->model->frames[f->problem->location.index];
    const lm_vec3 *positions = f->known; /* [num_vertices] */
    for (unsigned k = 0; k < 3; k++) {
        const lm_vec3 p = positions[v[k]];
        if (p.x < frame->min.x || p.y < frame->min.y || p.z < frame->min.z || p.x > frame->max.x ||
            p.y > frame->max.y || p.z > frame->max.z)
            return true;
    }
    return false;
}

static uint64_t least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

/* Returns a key of the file's vertices in ascending order, which does not depend on the triangle's
 * rotation or winding. Triangle lists have 16-bit indices, so 21 bits per vertex suffice. */
static uint64_t key_of(uint64_t a, uint64_t b, uint64_t c) {
    const uint64_t low = least(a, least(b, c)), high = ~least(~a, least(~b, ~c));
    return high << 42 | (a ^ b ^ c ^ low ^ high) << 21 | low;
}

static int compare_keys(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static bool is_not_drawn(const locating *f, const uint32_t v[3]) {
    const uint32_t *file = f->s->file_vertices;
    const uint64_t key = key_of(file[v[0]], file[v[1]], file[v[2]]);
    return f->num_known == 0 || !bsearch(&key, f->known, f->num_known, sizeof key, compare_keys);
}

static bool is_any(const locating *f, const uint32_t v[3]) {
    (void)f, (void)v;
    return true;
}

static void append(const locating *f, uint32_t a, uint32_t b, uint32_t c) {
    const lm_diagnostic_triangle t = {f->surface, {a, b, c}};
    lm_buffer_append(f->out, &t, sizeof t);
}

static void collect(const locating *f, lm_triangle_filter filter) {
    for (uint32_t i = 0; i < f->s->num_triangles && !f->out->failed; i++) {
        const uint32_t *v = &f->s->triangles[3 * (size_t)i];
        if (filter(f, v))
            append(f, v[0], v[1], v[2]);
    }
}

/* ---- Collecting triangles ------------------------------------------------------------------ */

/* Allocates zeros. Marks f->out as failed if memory ran out. */
static void *room_for(locating *f, lm_buffer *room, size_t count, size_t size) {
    *room = (lm_buffer){.allocator = f->out->allocator};
    void *bytes = lm_buffer_reserve(room, (count + 1) * size);
    if (!bytes)
        f->out->failed = true;
    f->known = bytes;
    return bytes;
}

static void collect_seams(locating *f) {
    lm_buffer room;
    bool *seam = room_for(f, &room, f->s->num_file_vertices, sizeof *seam);
    if (seam) {
        for (uint32_t v = f->s->num_file_vertices; v < f->s->num_vertices; v++)
            seam[f->s->file_vertices[v]] = true;
        collect(f, is_at_seam);
    }
    lm_buffer_free(&room);
}

static void collect_not_drawn(locating *f) {
    const lm_gl_commands *gl = &f->model->gl_commands;
    lm_buffer room;
    uint64_t *keys = room_for(f, &room, gl->num_vertices, sizeof *keys);
    for (uint32_t i = 0; keys && i < gl->num_primitives; i++) {
        const lm_gl_primitive *p = &gl->primitives[i];
        const lm_gl_vertex *v = &gl->vertices[p->first];
        for (uint32_t k = 2; k < p->count; k++)
            keys[f->num_known++] =
                key_of(v[p->fan ? 0 : k - 2].vertex, v[k - 1].vertex, v[k].vertex);
    }
    if (keys && f->num_known > 0)
        qsort(keys, f->num_known, sizeof *keys, compare_keys);
    if (keys)
        collect(f, is_not_drawn);
    lm_buffer_free(&room);
}

static void collect_unused(locating *f) {
    lm_buffer room;
    bool *used = room_for(f, &room, f->s->num_file_vertices, sizeof *used);
    for (size_t i = 0; used && i < 3 * (size_t)f->s->num_triangles; i++)
        used[f->s->file_vertices[f->s->triangles[i]]] = true;
    for (uint32_t v = 0; used && v < f->s->num_file_vertices; v++)
        if (!used[v])
            append(f, v, v, v);
    lm_buffer_free(&room);
}

/* ---- By the code of the problem ------------------------------------------------------------ */

static bool is_of_frame(const lm_model *model, const lm_diagnostic *p) {
    return p->location.section && strcmp(p->location.section, "frames") == 0 &&
           p->location.index < model->num_frames && p->code != LM_CODE_UNUSED_VERTICES;
}

static void locate(locating *f) {
    switch (f->problem->code) {
    case LM_CODE_DEGENERATE_TRIANGLES:
        collect(f, is_degenerate);
        break;
    case LM_CODE_ST_OUTSIDE:
        collect(f, is_st_outside);
        break;
    case LM_CODE_SEAMS:
        collect_seams(f);
        break;
    case LM_CODE_OUTSIDE_BOUNDS:
        if (is_of_frame(f->model, f->problem)) {
            const lm_pose pose = {f->problem->location.index, f->problem->location.index, 0, false};
            lm_buffer room;
            lm_vec3 *positions = room_for(f, &room, f->s->num_vertices, sizeof *positions);
            const lm_sample_target target = {.positions = positions ? &positions->x : NULL};
            if (positions && lm_sample(f->model, f->surface, &pose, 1, &target) == LM_CODE_OK)
                collect(f, is_outside_bounds);
            lm_buffer_free(&room);
        }
        break;
    case LM_CODE_GL_COMMANDS_DIFFER:
        collect_not_drawn(f);
        break;
    case LM_CODE_UNUSED_VERTICES:
        collect_unused(f);
        break;
    default: /* problems of a whole surface */
        if (f->problem->location.section &&
            strncmp(f->problem->location.section, "surface ", 8) == 0)
            collect(f, is_any);
    }
}

bool lm_diagnostic_locate(const lm_model *model, const lm_diagnostic *problem, lm_buffer *triangles,
                          uint32_t *frame, lm_error *error) {
    if (!LM_GIVEN(error, model, problem, triangles, frame) ||
        !lmi_buffer_valid(triangles, __func__, error))
        return false;
    const lm_buffer_mark mark = lmi_buffer_begin(triangles);
    locating f = {
        .model = model, .surface = problem->location.surface, .problem = problem, .out = triangles};
    if (f.surface < model->num_surfaces) {
        f.s = &model->surfaces[f.surface];
        locate(&f);
    }
    *frame = is_of_frame(model, problem) ? problem->location.index : LM_NO_FRAME;
    return lmi_buffer_end(triangles, mark, true, "the triangles of a problem", error);
}
