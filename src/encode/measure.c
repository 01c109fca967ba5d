/* How far what was written is from the take: each vertex of each frame as readers decode it. */
#include "encode/encoding.h"

#include "lerpmesh/sample.h"
#include "sample/smooth.h"
#include "sample/vectors.h"

typedef struct measuring {
    const lm_encoding *encoding;
    const lm_model *model;
    lm_encode_report *report;
    uint32_t *firsts; /* [model's surfaces] of its vertices in the rows below */
    /* [all file vertices of the model] as they are in this frame, and were in the one before */
    lm_vec3 *positions, *before, *normals;
    double squares, wobble, degrees; /* sums */
    uint64_t num_positions;
} measuring;

static lm_vec3 vector_at(const float *row, size_t index) {
    return (lm_vec3){row[3 * index], row[3 * index + 1], row[3 * index + 2]};
}

static void measure_vertex(measuring *m, uint32_t surface, uint32_t frame, uint32_t vertex) {
    const lm_take_surface *s = &m->encoding->take->surfaces[surface];
    const lm_encoded_vertex *to = &m->encoding->vertices[surface][vertex];
    lm_encode_report *r = m->report;
    if (to->surface == LM_NOWHERE)
        return;
    const size_t at = (size_t)frame * s->num_vertices + vertex;
    const size_t file = (size_t)m->firsts[to->surface] + to->vertex;
    const lm_vec3 truth = vector_at(s->positions, at);
    const double error = lm_distance_between(truth, m->positions[file]);
    const double degrees = lm_turn_between(vector_at(s->normals, at), m->normals[file]);
    m->squares += error * error;
    m->degrees += degrees;
    m->num_positions++;
    r->max_normal_error = degrees > r->max_normal_error ? degrees : r->max_normal_error;
    if (error > r->max_error) {
        r->max_error = error;
        r->worst_surface = surface;
        r->worst_vertex = vertex;
        r->worst_frame = frame;
    }
    if (!m->encoding->begins[frame] &&
        lm_same_vec3(truth, vector_at(s->positions, at - s->num_vertices))) {
        const double moved = lm_distance_between(m->positions[file], m->before[file]);
        m->wobble += moved * moved;
        r->num_still++;
    }
}

static void measure_frame(measuring *m, uint32_t frame) {
    lm_vec3 *swap = m->before;
    m->before = m->positions;
    m->positions = swap;
    for (uint32_t i = 0; i < m->model->num_surfaces; i++)
        lm_sample_own(m->model, i, frame, m->positions + m->firsts[i], m->normals + m->firsts[i]);
    for (uint32_t i = 0; i < m->encoding->take->num_surfaces; i++)
        for (uint32_t v = 0; v < m->encoding->take->surfaces[i].num_vertices; v++)
            measure_vertex(m, i, frame, v);
}

static void measure_tags(const lm_encoding *encoding, const lm_model *model,
                         lm_encode_report *report) {
    const lm_take *take = encoding->take;
    const uint32_t count = take->num_tags < model->num_tags ? take->num_tags : model->num_tags;
    for (uint32_t t = 0; t < count; t++)
        for (uint32_t f = 0; f < take->num_frames; f++) {
            const lm_transform *truth = &take->tags[t].poses[f];
            lm_transform made;
            lm_sample_tag(model, t, &(lm_pose){f, f, 0}, &made);
            report->max_tag_error =
                fmax(report->max_tag_error, lm_distance_between(truth->origin, made.origin));
            for (int i = 0; i < 3; i++)
                report->max_tag_turn =
                    fmax(report->max_tag_turn, lm_turn_between(truth->axis[i], made.axis[i]));
        }
}

static void count_model(const lm_model *model, lm_encode_report *report) {
    report->num_surfaces = model->num_surfaces;
    report->num_gl_integers = model->gl_commands.num_integers;
    for (uint32_t i = 0; i < model->num_surfaces; i++) {
        report->num_vertices += model->surfaces[i].num_file_vertices;
        report->num_triangles += model->surfaces[i].num_triangles;
    }
    report->num_st = report->num_st > 0 ? report->num_st : report->num_vertices;
}

bool lm_encode_measure(const lm_encoding *encoding, const lm_model *model,
                       lm_encode_report *report) {
    count_model(model, report);
    measuring m = {.encoding = encoding, .model = model, .report = report};
    const size_t count = report->num_vertices;
    lm_arena arena = {.heap = encoding->heap};
    m.firsts = lm_arena_alloc(&arena, model->num_surfaces, sizeof *m.firsts);
    m.positions = lm_arena_alloc(&arena, count, 3 * sizeof *m.positions);
    const bool done = m.firsts && m.positions;
    uint32_t first = 0;
    for (uint32_t i = 0; done && i < model->num_surfaces; i++) {
        m.firsts[i] = first;
        first += model->surfaces[i].num_file_vertices;
    }
    m.before = done ? m.positions + count : NULL;
    m.normals = done ? m.before + count : NULL;
    for (uint32_t f = 0; done && f < encoding->take->num_frames; f++)
        measure_frame(&m, f);
    lm_arena_free(&arena);
    if (m.num_positions > 0) {
        report->rms_error = sqrt(m.squares / (double)m.num_positions);
        report->mean_normal_error = m.degrees / (double)m.num_positions;
    }
    if (report->num_still > 0)
        report->wobble = sqrt(m.wobble / (double)report->num_still);
    measure_tags(encoding, model, report);
    return done;
}
