/* Encoding: the format's encoder writes the file, which is then read back, and measured on demand,
 * before it is delivered. */
#include "lerpmesh/encode.h"

#include "core/options.h"
#include "core/report.h"
#include "encode/encoding.h"
#include "formats/writer.h"

#include <string.h>

/* Reads a file back once, and checks it if `check` is not NULL. Returns NULL if the call ended. */
static lm_model *read_back(lm_encoding *encoding, lm_bytes file, lm_report **check) {
    const lm_memory memory = {.allocator = encoding->heap->allocator};
    const lm_load_options load = {.memory = memory, .borrow = true};
    const lm_check_options options = {.memory = memory, .engine = encoding->options->engine};
    lm_model *model = NULL;
    lm_error error = {.code = LM_CODE_BAD_ARGUMENT};
    if (!check)
        model = lm_load_memory(file.data, file.size, &load, &error);
    else if ((*check = lm_check_and_decode(file, &options, &model, &error)) && !model)
        lm_fail_plain(&error, (*check)->problems->code, "%s", (*check)->problems->text);
    if (!model)
        lm_call_fail(&encoding->heap->call, error.code, "the encoded file cannot be read back: %s",
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
    if (!lm_encode_measure(encoding, model, normals, report))
        return false;
    if (encoding->options->max_error <= 0 || report->max_error <= encoding->options->max_error)
        return true;
    lm_call_fail(&encoding->heap->call, LM_CODE_LIMIT,
                 "surface %u: vertex %u in frame %u would have an error of %g units; the maximum "
                 "allowed is %g",
                 (unsigned)report->worst_surface, (unsigned)report->worst_vertex,
                 (unsigned)report->worst_frame, report->max_error, encoding->options->max_error);
    return lm_fail_at(encoding->heap->call.error, report->worst_surface, "vertices",
                      report->worst_vertex);
}

static lm_encode_report *make_report(lm_encoding *encoding, const lm_report *check,
                                     const lm_encode_report *report) {
    bool done = true;
    for (uint32_t i = 0; done && i < check->num_problems; i++)
        if (check->problems[i].severity > LM_NOTE)
            done = lm_diagnostics_add(&encoding->notes, &encoding->arena, &check->problems[i]);
    lm_encode_report *made = done ? lm_object(encoding->heap, sizeof *made) : NULL;
    if (made) {
        *made = *report;
        made->num_problems = (uint32_t)encoding->notes.count;
        made->problems =
            lm_diagnostics_copy(lm_arena_of(made), encoding->notes.list, encoding->notes.count);
    }
    return lm_object_end(made, done);
}

static bool list_vertices(lm_encoding *encoding) {
    const lm_mesh *mesh = encoding->mesh;
    encoding->vertices =
        lm_arena_alloc(&encoding->arena, mesh->num_surfaces, sizeof(lm_encoded_vertex *));
    bool done = encoding->vertices != NULL;
    for (uint32_t i = 0; done && i < mesh->num_surfaces; i++) {
        const uint32_t count = mesh->surfaces[i].num_vertices;
        lm_encoded_vertex *list = lm_arena_alloc(&encoding->arena, count, sizeof *list);
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
        return lm_call_fail(&encoding->heap->call, LM_CODE_BAD_ARGUMENT,
                            "this format cannot be written");
    return lm_encode_fill_missing(encoding) && list_vertices(encoding) &&
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
    return full ? lm_call_fail(&encoding->heap->call, LM_CODE_LIMIT,
                               "the file has %zu bytes; the output is limited to %zu", file->size,
                               out->max_size)
                : lm_call_end(&encoding->heap->call, LM_NO_MEMORY);
}

bool lm_encode(const lm_mesh *mesh, const lm_format_info *format, const lm_encode_options *options,
               lm_buffer *out, lm_encode_report **report, lm_error *error) {
    static const lm_encode_options defaults;
    static const lm_option table[] = {
        LM_OPTION(lm_encode_options, memory, MEMORY, 0),
        LM_OPTION(lm_encode_options, engine, ENUM, LM_NUM_ENGINES - 1),
        LM_OPTION(lm_encode_options, max_error, DOUBLE, 0),
        LM_OPTION(lm_encode_options, stability, FLOAT, 0),
        LM_OPTION(lm_encode_options, strips, ENUM, LM_STRIPS_NONE),
        LM_OPTION(lm_encode_options, reserved, RESERVED, 0)};
    lm_heap heap;
    if (report)
        *report = NULL;
    options = options ? options : &defaults;
    if (!lm_options_valid(options, "encode", table, sizeof table / sizeof *table, error) ||
        !lm_mesh_check(mesh, error))
        return false;
    lm_heap_begin(&heap, &options->memory, (size_t)lm_mesh_size(mesh), format->name, error);
    lm_encoding encoding = {.mesh = mesh,
                            .options = options,
                            .format = format,
                            .heap = &heap,
                            .arena = {.heap = &heap}};
    lm_buffer file = {.allocator = heap.allocator};
    const bool done = encode(&encoding, lm_find_writer(format->name), &file, report) &&
                      append_file(&encoding, &file, out);
    if (!done)
        lm_heap_diagnose(&heap);
    if (!done && report) {
        lm_encode_report_free(*report);
        *report = NULL;
    }
    lm_buffer_free(&file);
    lm_arena_free(&encoding.arena);
    return done;
}

void lm_encode_report_free(lm_encode_report *report) {
    lm_object_free(report);
}
