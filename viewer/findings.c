#include "findings.h"

#include "lerpmesh/sample.h"

#include <stdlib.h>
#include <string.h>

typedef struct search {
    const lm_model *model;
    uint32_t surface;
    const lm_surface *s;
    const lm_problem *problem;
    bool *seam;         /* [num_file_vertices], for LM_CODE_SEAMS */
    lm_vec3 *positions; /* [num_vertices], for LM_CODE_OUTSIDE_BOUNDS */
    GArray *drawn;      /* by GL commands: keys, sorted */
} search;

/* ---- Which triangles ----------------------------------------------------------------------- */

static bool is_degenerate(const search *f, const uint32_t v[3]) {
    const uint32_t *file = f->s->file_vertices;
    return file[v[0]] == file[v[1]] || file[v[1]] == file[v[2]] || file[v[2]] == file[v[0]];
}

static bool is_st_outside(const search *f, const uint32_t v[3]) {
    for (unsigned k = 0; k < 3; k++) {
        lm_vec2 st = f->s->st[v[k]];
        if (!(st.x >= 0 && st.x <= 1 && st.y >= 0 && st.y <= 1))
            return true;
    }
    return false;
}

static bool is_at_seam(const search *f, const uint32_t v[3]) {
    const uint32_t *file = f->s->file_vertices;
    return f->seam[file[v[0]]] || f->seam[file[v[1]]] || f->seam[file[v[2]]];
}

static bool leaves_bounds(const search *f, const uint32_t v[3]) {
    const lm_frame *frame = &f->model->frames[f->problem->index];
    for (unsigned k = 0; k < 3; k++) {
        lm_vec3 p = f->positions[v[k]];
        if (p.x < frame->min.x || p.y < frame->min.y || p.z < frame->min.z || p.x > frame->max.x ||
            p.y > frame->max.y || p.z > frame->max.z)
            return true;
    }
    return false;
}

/* The file's vertices in ascending order: the same for a triangle however it is turned. A triangle
 * list, of 16-bit indices, knows no vertex beyond the 21 bits of each. */
static uint64_t key_of(uint64_t a, uint64_t b, uint64_t c) {
    uint64_t low = MIN(a, MIN(b, c)), high = MAX(a, MAX(b, c));
    return high << 42 | (a ^ b ^ c ^ low ^ high) << 21 | low;
}

static int compare_keys(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static bool is_not_drawn(const search *f, const uint32_t v[3]) {
    const uint32_t *file = f->s->file_vertices;
    uint64_t key = key_of(file[v[0]], file[v[1]], file[v[2]]);
    return !g_array_binary_search(f->drawn, &key, compare_keys, NULL);
}

static bool is_any(const search *f, const uint32_t v[3]) {
    (void)f, (void)v;
    return true;
}

static void collect(const search *f, bool (*wanted)(const search *f, const uint32_t v[3]),
                    GArray *triangles) {
    for (uint32_t i = 0; i < f->s->num_triangles; i++) {
        const uint32_t *v = &f->s->triangles[3 * (size_t)i];
        finding_triangle t = {f->surface, {v[0], v[1], v[2]}};
        if (wanted(f, v))
            g_array_append_val(triangles, t);
    }
}

/* ---- What they need to know ---------------------------------------------------------------- */

static void collect_seams(search *f, GArray *triangles) {
    f->seam = g_new0(bool, f->s->num_file_vertices + 1);
    for (uint32_t v = f->s->num_file_vertices; v < f->s->num_vertices; v++)
        f->seam[f->s->file_vertices[v]] = true;
    collect(f, is_at_seam, triangles);
    g_free(f->seam);
}

static void collect_outside(search *f, GArray *triangles) {
    lm_pose pose = {f->problem->index, f->problem->index, 0};
    f->positions = g_new(lm_vec3, f->s->num_vertices + 1);
    lm_sample_target target = {.positions = &f->positions->x};
    if (lm_sample(f->model, f->surface, &pose, 1, &target) == LM_CODE_OK)
        collect(f, leaves_bounds, triangles);
    g_free(f->positions);
}

static void collect_undrawn(search *f, GArray *triangles) {
    const lm_gl_commands *gl = &f->model->gl_commands;
    f->drawn = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    for (uint32_t i = 0; i < gl->num_primitives; i++) {
        const lm_gl_primitive *p = &gl->primitives[i];
        const lm_gl_vertex *v = &gl->vertices[p->first];
        for (uint32_t k = 2; k < p->count; k++) {
            uint64_t key = key_of(v[p->fan ? 0 : k - 2].vertex, v[k - 1].vertex, v[k].vertex);
            g_array_append_val(f->drawn, key);
        }
    }
    g_array_sort(f->drawn, compare_keys);
    collect(f, is_not_drawn, triangles);
    g_array_unref(f->drawn);
}

static void collect_unused(const search *f, GArray *triangles) {
    bool *used = g_new0(bool, f->s->num_vertices + 1);
    for (size_t i = 0; i < 3 * (size_t)f->s->num_triangles; i++)
        used[f->s->file_vertices[f->s->triangles[i]]] = true;
    for (uint32_t v = 0; v < f->s->num_file_vertices; v++) {
        finding_triangle t = {f->surface, {v, v, v}};
        if (!used[v])
            g_array_append_val(triangles, t);
    }
    g_free(used);
}

/* ---- By the kind of problem ---------------------------------------------------------------- */

static bool is_of_frame(const lm_model *model, const lm_problem *p) {
    return p->section && strcmp(p->section, "frames") == 0 && p->index < model->num_frames &&
           p->code != LM_CODE_UNUSED_VERTICES;
}

static void locate(search *f, GArray *triangles) {
    switch (f->problem->code) {
    case LM_CODE_DEGENERATE_TRIANGLES:
        collect(f, is_degenerate, triangles);
        break;
    case LM_CODE_ST_OUTSIDE:
        collect(f, is_st_outside, triangles);
        break;
    case LM_CODE_SEAMS:
        collect_seams(f, triangles);
        break;
    case LM_CODE_OUTSIDE_BOUNDS:
        if (is_of_frame(f->model, f->problem))
            collect_outside(f, triangles);
        break;
    case LM_CODE_GL_COMMANDS_DIFFER:
        collect_undrawn(f, triangles);
        break;
    case LM_CODE_UNUSED_VERTICES:
        collect_unused(f, triangles);
        break;
    default: /* what is about a surface as a whole */
        if (f->problem->section && g_str_has_prefix(f->problem->section, "surface "))
            collect(f, is_any, triangles);
    }
}

uint32_t findings_locate(const lm_model *model, const lm_problem *problem, GArray *triangles) {
    search f = {.model = model, .surface = problem->surface, .problem = problem};
    if (f.surface < model->num_surfaces) {
        f.s = &model->surfaces[f.surface];
        locate(&f, triangles);
    }
    return is_of_frame(model, problem) ? problem->index : FINDING_NO_FRAME;
}

/* ---- Kinds --------------------------------------------------------------------------------- */

static gint compare_problems(gconstpointer a, gconstpointer b, gpointer report) {
    uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
    const lm_problem *problems = ((const lm_report *)report)->problems;
    const lm_problem *x = &problems[i], *y = &problems[k];
    if (x->severity != y->severity)
        return x->severity > y->severity ? -1 : 1;
    if (x->code != y->code)
        return x->code < y->code ? -1 : 1;
    return (i > k) - (i < k);
}

static void add_rows(findings *groups, uint32_t first, uint32_t count) {
    finding_row row = {first, count};
    g_array_append_val(groups->rows, row);
    for (uint32_t i = 0; i < count && count > 1; i++) {
        row = (finding_row){first + i, 1};
        g_array_append_val(groups->rows, row);
    }
}

findings findings_group(const lm_report *report) {
    uint32_t count = report ? report->num_problems : 0, first = 0;
    findings groups = {g_array_new(FALSE, FALSE, sizeof(uint32_t)),
                       g_array_new(FALSE, FALSE, sizeof(finding_row))};
    for (uint32_t i = 0; i < count; i++)
        g_array_append_val(groups.order, i);
    g_array_sort_with_data(groups.order, compare_problems, (gpointer)report);
    const uint32_t *order = (const uint32_t *)(void *)groups.order->data;
    for (uint32_t i = 1; i <= count; i++)
        if (i == count || report->problems[order[i]].code != report->problems[order[first]].code) {
            add_rows(&groups, first, i - first);
            first = i;
        }
    return groups;
}

void findings_clear(findings *groups) {
    g_clear_pointer(&groups->order, g_array_unref);
    g_clear_pointer(&groups->rows, g_array_unref);
}
