/* Encoding: the format's encoder writes the file, which is then read back, and measured on demand,
 * before it is delivered. */
#include "lerpmesh/encode.h"

#include "core/options.h"
#include "core/report.h"
#include "encode/encoding.h"
#include "formats/writer.h"
#include "lerpmesh/sample.h"
#include "math/vectors.h"
#include "mesh/mesh_make.h"
#include "sample/smooth.h"

#include <string.h>

/* ---- Errors ------------------------------------------------------------------------------- */

/* Measures the conversion error: compares each vertex of each frame, as readers decode it, with the
 * mesh. */

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
        const lm_vec3 truth = lmi_vec3_at(row, v);
        const double square = lmi_square_between(truth, m->positions[at]);
        m->squares += square;
        m->num_positions++;
        if (square > m->max_square) {
            m->max_square = square;
            report->worst_surface = surface;
            report->worst_vertex = v;
            report->worst_frame = frame;
        }
        if (!begins && lmi_same_vec3(truth, lmi_vec3_at(row_before, v))) {
            m->jitter += lmi_square_between(m->positions[at], m->before[at]);
            report->num_still++;
        }
        if (m->normals) {
            const lm_vec3 normal = lmi_vec3_at(s->normals, (size_t)frame * s->num_vertices + v);
            const double degrees = lmi_angle_between(normal, m->normals[at]);
            m->degrees += degrees;
            report->max_normal_error =
                degrees > report->max_normal_error ? degrees : report->max_normal_error;
        }
    }
}

static void measure_tags(const lm_encoding *encoding, const lm_model *model,
                         lm_encode_report *report) {
    const lm_mesh *mesh = encoding->mesh;
    const uint32_t count = mesh->num_tags < model->num_tags ? mesh->num_tags : model->num_tags;
    for (uint32_t t = 0; t < count; t++)
        for (uint32_t f = 0; f < mesh->num_frames; f++) {
            const lm_transform *truth = &mesh->tags[t].poses[f];
            lm_transform made;
            lm_sample_tag(model, t, &(lm_pose){f, f, 0, false}, &made);
            report->max_tag_error =
                fmax(report->max_tag_error, lmi_distance_between(truth->origin, made.origin));
            for (int i = 0; i < 3; i++)
                report->max_tag_angle_error = fmax(report->max_tag_angle_error,
                                                   lmi_angle_between(truth->axis[i], made.axis[i]));
        }
}

/* Fills in the report's errors, by comparing the mesh with the decoded file. Compares normals only
 * if `normals`. Returns false if memory ran out. */
static bool encode_measure(const lm_encoding *encoding, const lm_model *model, bool normals,
                           lm_encode_report *report) {
    report->num_surfaces = model->num_surfaces;
    report->num_gl_integers = model->gl_commands.num_integers;
    for (uint32_t i = 0; i < model->num_surfaces; i++) {
        report->num_vertices += model->surfaces[i].num_file_vertices;
        report->num_triangles += model->surfaces[i].num_triangles;
    }
    report->num_st = report->num_st > 0 ? report->num_st : report->num_vertices;
    measuring m = {.encoding = encoding, .model = model, .report = report};
    const size_t count = report->num_vertices;
    lm_arena arena = {.heap = encoding->heap};
    m.firsts = lmi_arena_alloc(&arena, model->num_surfaces, sizeof *m.firsts);
    m.positions = lmi_arena_alloc(&arena, count, 3 * sizeof *m.positions);
    const bool done = m.firsts && m.positions;
    uint32_t first = 0;
    for (uint32_t i = 0; done && i < model->num_surfaces; i++) {
        m.firsts[i] = first;
        first += model->surfaces[i].num_file_vertices;
    }
    m.before = done ? m.positions + count : NULL;
    m.normals = done && normals ? m.before + count : NULL;
    for (uint32_t f = 0; done && f < encoding->mesh->num_frames; f++) {
        lm_vec3 *swap = m.before;
        m.before = m.positions;
        m.positions = swap;
        for (uint32_t i = 0; i < m.model->num_surfaces; i++)
            lmi_sample_own(m.model, i, f, m.positions + m.firsts[i],
                           m.normals ? m.normals + m.firsts[i] : NULL);
        for (uint32_t i = 0; i < m.encoding->mesh->num_surfaces; i++)
            measure_surface(&m, i, f);
    }
    lmi_arena_free(&arena);
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

/* ---- Encoding ----------------------------------------------------------------------------- */

/* Reads a file back once, and checks it if `check` is not NULL. Returns NULL if the call ended. */
static lm_model *read_back(lm_encoding *encoding, lm_bytes file, lm_report **check) {
    const lm_memory memory = {.allocator = encoding->heap->allocator};
    const lm_load_options load = {.memory = memory, .bytes = LM_BYTES_BORROWED};
    const lm_check_options options = {.memory = memory, .engine = encoding->options->engine};
    lm_model *model = NULL;
    lm_error error = {.code = LM_CODE_BAD_ARGUMENT};
    if (!check)
        model = lm_load_memory(file.data, file.size, &load, &error);
    else if ((*check = lmi_check_and_decode(file, &options, &model, &error)) && !model)
        lm_fail_plain(&error, (*check)->problems->code, "%s", (*check)->problems->text);
    if (!model)
        lmi_call_fail(&encoding->heap->call, error.code, "the encoded file cannot be read back: %s",
                      error.message);
    return model;
}

/* Compares a file, as it was read back, with the mesh; compares normals only if `normals`. */
static bool measure_model(lm_encoding *encoding, size_t size, const lm_model *model, bool normals,
                          lm_encode_report *report) {
    *report = (lm_encode_report){.format = encoding->format->name,
                                 .size = size,
                                 .num_st = encoding->num_st,
                                 .num_base_frames = encoding->num_base_frames};
    if (!encode_measure(encoding, model, normals, report))
        return false;
    if (encoding->options->max_error <= 0 || report->max_error <= encoding->options->max_error)
        return true;
    lmi_call_fail(&encoding->heap->call, LM_CODE_LIMIT,
                  "surface %u: vertex %u in frame %u would have an error of %g units; the maximum "
                  "allowed is %g",
                  (unsigned)report->worst_surface, (unsigned)report->worst_vertex,
                  (unsigned)report->worst_frame, report->max_error, encoding->options->max_error);
    return lmi_fail_at(encoding->heap->call.error, report->worst_surface, "vertices",
                       report->worst_vertex);
}

static lm_encode_report *make_report(lm_encoding *encoding, const lm_report *check,
                                     const lm_encode_report *report) {
    bool done = true;
    for (uint32_t i = 0; done && i < check->num_problems; i++)
        if (check->problems[i].severity > LM_SEVERITY_NOTE)
            done = lmi_diagnostics_add(&encoding->notes, &encoding->arena, &check->problems[i]);
    lm_encode_report *made = done ? lmi_object(encoding->heap, sizeof *made) : NULL;
    if (made) {
        *made = *report;
        made->num_problems = (uint32_t)encoding->notes.count;
        made->problems =
            lmi_diagnostics_copy(lmi_arena_of(made), encoding->notes.list, encoding->notes.count);
        lm_vertex_source *sources =
            lmi_arena_alloc(lmi_arena_of(made), encoding->num_sources, sizeof *sources);
        if (sources)
            memcpy(sources, encoding->sources, encoding->num_sources * sizeof *sources);
        made->sources = sources;
    }
    return lmi_object_end(made, done);
}

static bool list_vertices(lm_encoding *encoding) {
    const lm_mesh *mesh = encoding->mesh;
    encoding->vertices =
        lmi_arena_alloc(&encoding->arena, mesh->num_surfaces, sizeof(lm_encoded_vertex *));
    bool done = encoding->vertices != NULL;
    for (uint32_t i = 0; done && i < mesh->num_surfaces; i++) {
        const uint32_t count = mesh->surfaces[i].num_vertices;
        lm_encoded_vertex *list = lmi_arena_alloc(&encoding->arena, count, sizeof *list);
        encoding->vertices[i] = list;
        done = list != NULL;
        for (uint32_t v = 0; done && v < count; v++)
            list[v] = (lm_encoded_vertex){LM_NOWHERE, 0};
    }
    return done;
}

/* Reads the file back. Measures it if its error is limited, and creates a report if one was
 * requested. */
static bool measure_file(lm_encoding *encoding, lm_bytes file, lm_encode_report **report) {
    lm_encode_report measured;
    lm_report *check = NULL;
    lm_model *model = read_back(encoding, file, report ? &check : NULL);
    bool done = model != NULL;
    if (done && (report || encoding->options->max_error > 0))
        done = measure_model(encoding, file.size, model, report != NULL, &measured);
    if (done && report) {
        *report = make_report(encoding, check, &measured);
        done = *report != NULL;
    }
    lm_report_free(check);
    lm_model_free(model);
    return done;
}

static bool encode(lm_encoding *encoding, const lm_writer *writer, lm_buffer *file,
                   lm_encode_report **report) {
    if (!writer)
        return lmi_call_fail(&encoding->heap->call, LM_CODE_BAD_ARGUMENT,
                             "this format cannot be written");
    return lmi_encode_fill_missing(encoding) && list_vertices(encoding) &&
           writer->encode(encoding, file) &&
           measure_file(encoding, (lm_bytes){file->data, file->size}, report);
}

/* Appends the file to the output. Fails if the buffer is full or memory ran out. */
static bool append_file(const lm_encoding *encoding, const lm_buffer *file, lm_buffer *out) {
    const size_t size = out->size;
    lm_buffer_append(out, file->data, file->size);
    if (!out->failed)
        return true;
    const bool full = out->full;
    out->size = size;
    out->failed = out->full = false;
    if (!full)
        return lmi_call_end(&encoding->heap->call, LM_NO_MEMORY);
    lmi_call_fail(&encoding->heap->call, LM_CODE_LIMIT,
                  "the file has %zu bytes; the output is limited to %zu", file->size,
                  out->max_size);
    return lmi_fail_in(encoding->heap->call.error, LM_SECTION_OUTPUT);
}

bool lm_encode(const lm_mesh *mesh, const lm_format_info *format, const lm_encode_options *options,
               lm_buffer *out, lm_encode_report **report, lm_error *error) {
    static const lm_encode_options defaults;
    static const lm_option_member table[] = {
        LM_MEMBER(lm_encode_options, memory, MEMORY, 0),
        LM_MEMBER(lm_encode_options, engine, ENUM, LM_NUM_ENGINES - 1),
        LM_MEMBER(lm_encode_options, max_error, DOUBLE, 0),
        LM_MEMBER(lm_encode_options, stability, FLOAT, 0),
        LM_MEMBER(lm_encode_options, strips, ENUM, LM_STRIPS_NONE),
        LM_MEMBER(lm_encode_options, reserved, RESERVED, 0)};
    lm_heap heap;
    if (report)
        *report = NULL;
    if (!LM_GIVEN(error, mesh, out) || !lmi_buffer_valid(out, __func__, error))
        return false;
    options = options ? options : &defaults;
    const lm_writer *writer = format && format->name ? lmi_find_writer(format->name) : NULL;
    if (!writer || !writer->encode)
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "encode: the format is %s",
                             writer ? "not encoded" : "unknown");
    if (!lmi_options_valid(options, "encode", table, sizeof table / sizeof *table, error) ||
        !lm_mesh_check(mesh, error))
        return false;
    lmi_heap_begin(&heap, &options->memory, (size_t)lmi_mesh_size(mesh), format->name, error);
    lm_encoding encoding = {.mesh = mesh,
                            .options = options,
                            .format = format,
                            .heap = &heap,
                            .arena = {.heap = &heap}};
    lm_buffer file = {.allocator = heap.allocator};
    const bool done =
        encode(&encoding, writer, &file, report) && append_file(&encoding, &file, out);
    if (!done)
        lmi_heap_diagnose(&heap);
    if (!done && report) {
        lm_encode_report_free(*report);
        *report = NULL;
    }
    lm_buffer_free(&file);
    lmi_arena_free(&encoding.arena);
    return done;
}

const lm_format_info *lm_encoder_at(uint32_t index) {
    for (uint32_t i = 0; lm_format_at(i); i++) {
        const lm_writer *writer = lmi_find_writer(lm_format_at(i)->name);
        if (writer && writer->encode && index-- == 0)
            return lm_format_at(i);
    }
    return NULL;
}

void lm_encode_report_free(lm_encode_report *report) {
    lmi_object_free(report);
}
