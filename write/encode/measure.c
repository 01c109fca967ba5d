/* Measures the conversion error: compares each vertex of each frame, as readers decode it, with the
 * mesh. */
#include "encode/encoding.h"

#include "lerpmesh/sample.h"
#include "math/vectors.h"
#include "sample/smooth.h"

typedef struct measuring {
    const lm_encoding *encoding;
    const lm_model *model;
    lm_encode_report *report;
    uint32_t *firsts; /* [model's surfaces] first row of each below */
    /* [all file vertices of the model] in this frame and in the previous one. Normals are NULL if
     * they are not wanted. */
    lm_vec3 *positions, *before, *normals;
    double squares, max_square, jitter, degrees; /* sums, except max_square */
    uint64_t num_positions;
} measuring;

static void measure_surface(measuring *m, uint32_t surface, uint32_t frame) {
    const lm_mesh_surface *s = &m->encoding->mesh->surfaces[surface];
    lm_encode_report *report = m->report;
    const bool begins = m->encoding->begins[frame];
    if (s->num_vertices == 0) /* positions may be NULL */
        return;
    const float *row = s->positions + 3 * (size_t)frame * s->num_vertices;
    const float *row_before = begins ? row : row - 3 * (size_t)s->num_vertices;
    for (uint32_t v = 0; v < s->num_vertices; v++) {
        /* The row of a mesh's vertex, or LM_NOWHERE if it was removed. */
        const lm_encoded_vertex *to = &m->encoding->vertices[surface][v];
        const uint32_t at =
            to->surface == LM_NOWHERE ? LM_NOWHERE : m->firsts[to->surface] + to->vertex;
        if (at == LM_NOWHERE)
            continue;
        const lm_vec3 truth = lm_vec3_at(row, v);
        const double square = lm_square_between(truth, m->positions[at]);
        m->squares += square;
        m->num_positions++;
        if (square > m->max_square) {
            m->max_square = square;
            report->worst_surface = surface;
            report->worst_vertex = v;
            report->worst_frame = frame;
        }
        if (!begins && lm_same_vec3(truth, lm_vec3_at(row_before, v))) {
            m->jitter += lm_square_between(m->positions[at], m->before[at]);
            report->num_still++;
        }
        if (m->normals) {
            const lm_vec3 normal = lm_vec3_at(s->normals, (size_t)frame * s->num_vertices + v);
            const double degrees = lm_angle_between(normal, m->normals[at]);
            m->degrees += degrees;
            report->max_normal_error =
                degrees > report->max_normal_error ? degrees : report->max_normal_error;
        }
    }
}

static void measure_frame(measuring *m, uint32_t frame) {
    lm_vec3 *swap = m->before;
    m->before = m->positions;
    m->positions = swap;
    for (uint32_t i = 0; i < m->model->num_surfaces; i++)
        lm_sample_own(m->model, i, frame, m->positions + m->firsts[i],
                      m->normals ? m->normals + m->firsts[i] : NULL);
    for (uint32_t i = 0; i < m->encoding->mesh->num_surfaces; i++)
        measure_surface(m, i, frame);
}

static void measure_tags(const lm_encoding *encoding, const lm_model *model,
                         lm_encode_report *report) {
    const lm_mesh *mesh = encoding->mesh;
    const uint32_t count = mesh->num_tags < model->num_tags ? mesh->num_tags : model->num_tags;
    for (uint32_t t = 0; t < count; t++)
        for (uint32_t f = 0; f < mesh->num_frames; f++) {
            const lm_transform *truth = &mesh->tags[t].poses[f];
            lm_transform made;
            lm_sample_tag(model, t, &(lm_pose){f, f, 0}, &made);
            report->max_tag_error =
                fmax(report->max_tag_error, lm_distance_between(truth->origin, made.origin));
            for (int i = 0; i < 3; i++)
                report->max_tag_angle_error = fmax(report->max_tag_angle_error,
                                                   lm_angle_between(truth->axis[i], made.axis[i]));
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

bool lm_encode_measure(const lm_encoding *encoding, const lm_model *model, bool normals,
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
    m.normals = done && normals ? m.before + count : NULL;
    for (uint32_t f = 0; done && f < encoding->mesh->num_frames; f++)
        measure_frame(&m, f);
    lm_arena_free(&arena);
    report->max_error = sqrt(m.max_square);
    if (m.num_positions > 0) {
        report->rms_error = sqrt(m.squares / (double)m.num_positions);
        report->mean_normal_error = m.degrees / (double)m.num_positions;
    }
    if (report->num_still > 0)
        report->jitter = sqrt(m.jitter / (double)report->num_still);
    measure_tags(encoding, model, report);
    return done;
}
