#include "encoded.h"

static const uint32_t *random_triangles(chance *c, uint32_t count, uint32_t limit) {
    uint32_t *list = malloc(3 * (size_t)count * sizeof *list);
    for (uint32_t i = 0; i < 3 * count; i++)
        list[i] = chance_below(c, limit);
    return list;
}

/* Moves each vertex independently, in steps of up to `pace` units. Every ninth frame repeats an
 * earlier one. */
static float *random_positions(chance *c, uint32_t frames, uint32_t vertices, float pace) {
    const size_t row = 3 * (size_t)vertices;
    float *positions = malloc(frames * row * sizeof *positions);
    for (uint32_t f = 0; f < frames; f++) {
        const bool again = f > 0 && f % 9 == 0;
        const float *from = f == 0 ? NULL : positions + row * (again ? chance_below(c, f) : f - 1);
        for (size_t i = 0; i < row; i++)
            positions[f * row + i] = f == 0  ? chance_real(c, -200, 200)
                                     : again ? from[i]
                                             : from[i] + chance_real(c, -pace, pace);
    }
    return positions;
}

void make_random_mesh(random_mesh *r, uint32_t seed) {
    static const float paces[] = {0.01f, 0.5f, 2, 8};
    chance c = chance_from(seed);
    const uint32_t frames = 1 + chance_below(&c, 100);
    memset(r, 0, sizeof *r);
    for (int i = 0; i < 2; i++) {
        const uint32_t vertices = 4 + chance_below(&c, 20), triangles = 8 + chance_below(&c, 8);
        r->surfaces[i] = MESH_SURFACE(
            vertices, random_positions(&c, frames, vertices, paces[seed % COUNT_OF(paces)]),
            triangles, random_triangles(&c, triangles, vertices), .name = i == 0 ? "body" : "belt");
    }
    r->clips[0] = (lm_clip){.name = "stand", .count = (frames + 1) / 2, .fps = 10};
    r->clips[1] =
        (lm_clip){.name = "run", .first = frames / 2, .count = frames - frames / 2, .fps = 10};
    r->mesh = MESH_OF(frames, 2, r->surfaces, .name = "chance", .num_clips = 2, .clips = r->clips);
}

void free_random_mesh(random_mesh *r) {
    for (int i = 0; i < 2; i++) {
        free((void *)r->surfaces[i].positions);
        free((void *)r->surfaces[i].triangles);
    }
}

made make_file(const lm_mesh *mesh, const char *format, const lm_encode_options *options) {
    made m = {.mesh = mesh};
    lm_buffer out = {0};
    lm_error error;
    assert_done(lm_encode(mesh, lm_format_by_name(format), options, &out, &m.report, &error),
                error);
    m.file = blob_from_buffer(&out);
    m.model = lm_load_memory(m.file.data, m.file.size, NULL, &error);
    assert_done(m.model, error);
    assert_model_valid(m.model);
    assert_int_equal(m.model->num_frames, mesh->num_frames);
    m.rows = calloc(m.model->num_surfaces + 1, sizeof(lm_vec3 *));
    for (uint32_t i = 0; i < m.model->num_surfaces; i++)
        m.rows[i] = sample_surface(m.model, i);
    return m;
}

lm_vec3 *sample_surface(const lm_model *model, uint32_t surface) {
    const size_t count = model->surfaces[surface].num_vertices;
    lm_vec3 *rows = malloc((model->num_frames * count + 1) * sizeof *rows);
    for (uint32_t f = 0; f < model->num_frames; f++)
        lm_sample(model, surface, &(lm_pose){f, f, 0}, 1,
                  &(lm_sample_target){.positions = &rows[f * count].x});
    return rows;
}

bool is_used(const lm_mesh_surface *s, uint32_t vertex) {
    for (size_t c = 0; c < 3 * (size_t)s->num_triangles; c++)
        if (s->triangles[c] == vertex)
            return true;
    return false;
}

/* Returns the largest error on an axis in any frame; anything above `enough` stops the search. */
static double apart(const made *m, const lm_mesh_surface *s, uint32_t from, uint32_t surface,
                    uint32_t to, double enough) {
    const size_t stride = m->model->surfaces[surface].num_vertices;
    double most = 0;
    for (size_t f = 0; f < m->mesh->num_frames && most <= enough; f++) {
        const float *p = s->positions + 3 * (f * s->num_vertices + from);
        const lm_vec3 q = m->rows[surface][f * stride + to];
        most = fmax(most, fabs((double)p[0] - (double)q.x));
        most = fmax(most, fabs((double)p[1] - (double)q.y));
        most = fmax(most, fabs((double)p[2] - (double)q.z));
    }
    return most;
}

double find_vertex(const made *m, uint32_t mesh_surface, uint32_t take_vertex, uint32_t *surface,
                   uint32_t *vertex) {
    const lm_mesh_surface *s = &m->mesh->surfaces[mesh_surface];
    double best = INFINITY;
    for (uint32_t i = 0; i < m->model->num_surfaces; i++)
        for (uint32_t v = 0; v < m->model->surfaces[i].num_vertices; v++) {
            const double off = apart(m, s, take_vertex, i, v, best);
            if (off >= best)
                continue;
            best = off;
            if (surface)
                *surface = i;
            if (vertex)
                *vertex = v;
        }
    return best;
}

void free_synthetic(made *m) {
    for (uint32_t i = 0; i < m->model->num_surfaces; i++)
        free(m->rows[i]);
    free(m->rows);
    lm_encode_report_free(m->report);
    lm_model_free(m->model);
    blob_free(&m->file);
}

void expect_file_error(const lm_mesh *mesh, const char *format, const lm_encode_options *options,
                       lm_code code, const char *words) {
    lm_buffer out = {0};
    lm_error error;
    assert_false(lm_encode(mesh, lm_format_by_name(format), options, &out, NULL, &error));
    if (error.code != code || !strstr(error.message, words))
        fail_msg("%s: %s", lm_code_name(error.code), error.message);
    assert_int_equal(out.size, 0);
}

bool has_problem(const lm_encode_report *report, lm_code code, const char *words) {
    for (uint32_t i = 0; i < report->num_problems; i++)
        if (report->problems[i].code == code && strstr(report->problems[i].text, words))
            return true;
    return false;
}

lm_heap plain_heap(void) {
    lm_heap heap;
    lmi_heap_init(&heap, &(lm_memory){.max_bytes = SIZE_MAX}, 0);
    return heap;
}
