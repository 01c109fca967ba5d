/* Collects all problems of a file into a report. */
#include "lerpmesh/check.h"

#include "core/arena.h"
#include "core/options.h"
#include "formats/describe.h"
#include "formats/format.h"
#include "sample/smooth.h"

#include <stdio.h>
#include <string.h>

#define DEFAULT_PER_CODE 16
/* Memory for one problem of the list: more than it needs on any machine, so that all list the same
 * problems. */
#define PROBLEM_BYTES 512

typedef struct lm_collector {
    lm_reporter base;
    lm_arena *arena; /* the report's */
    lm_diagnostics errors, others;
    uint32_t max_per_code;
    size_t full; /* number of problems beyond which only the first one of a code is listed */
    uint32_t listed[LM_NUM_CODES];
    uint32_t totals[LM_SEVERITY_ERROR + 1]; /* by severity */
} lm_collector;

static bool count_unlisted(lm_reporter *reporter, const lm_diagnostic *diagnostic) {
    lm_collector *collector = (lm_collector *)reporter;
    const uint32_t listed = collector->listed[diagnostic->code];
    if (listed == 0 || (listed < collector->max_per_code &&
                        collector->errors.count + collector->others.count < collector->full))
        return false;
    collector->totals[diagnostic->severity]++;
    return true;
}

static lm_status collect(lm_reporter *reporter, const lm_diagnostic *diagnostic) {
    lm_collector *collector = (lm_collector *)reporter;
    collector->totals[diagnostic->severity]++;
    collector->listed[diagnostic->code]++;
    lm_diagnostics *list =
        diagnostic->severity == LM_SEVERITY_ERROR ? &collector->errors : &collector->others;
    return lmi_diagnostics_add(list, collector->arena, diagnostic) ? LM_DONE : LM_NO_MEMORY;
}

/* Fills in a report: first the errors, then everything else. */
static bool fill_report(lm_report *report, lm_collector *collector) {
    lm_diagnostics *all = &collector->errors;
    const lm_diagnostics *others = &collector->others;
    if (!lmi_arena_grow(collector->arena, &all->list, &all->capacity, all->count + others->count,
                        sizeof *all->list))
        return false;
    for (size_t i = 0; i < others->count; i++)
        all->list[all->count++] = others->list[i];
    report->num_problems = (uint32_t)all->count;
    report->problems = all->list;
    report->num_errors = collector->totals[LM_SEVERITY_ERROR];
    report->num_warnings = collector->totals[LM_SEVERITY_WARNING];
    report->num_notes = collector->totals[LM_SEVERITY_NOTE];
    return true;
}

static void check_unknown(lm_bytes file, lm_collector *collector) {
    lm_error error;
    lmi_fail_unknown(file, &error);
    const lm_diagnostic diagnostic = {.text = error.message,
                                      .location = {.section = "header"},
                                      .code = error.code,
                                      .severity = LM_SEVERITY_ERROR,
                                      .count = 1};
    collect(&collector->base, &diagnostic);
}

/* Returns the offset of a surface's vertices in the file; 0 if they are copies. */
static size_t offset_of_vertices(lm_bytes file, const lm_surface *surface) {
    uintptr_t first = (uintptr_t)surface->keys, start = (uintptr_t)file.data;
    return first >= start && first - start < file.size ? first - start : 0;
}

static void check_normals(const lm_model *model, lm_bytes file, lm_heap *heap,
                          lm_reporter *reporter) {
    for (uint32_t s = 0; s < model->num_surfaces; s++) {
        lm_normals_quality quality;
        const lm_location location = {.section = "vertices",
                                      .offset = offset_of_vertices(file, &model->surfaces[s]),
                                      .surface = model->num_surfaces > 1 ? s : LM_OF_FILE};
        if (!lmi_inspect_normals(model, s, heap, &quality))
            return;
        if (quality.code == LM_CODE_NORMALS_INWARD)
            lmi_report_warning(reporter, quality.code, location, 1,
                               "surface %u: the normals of %.0f%% of its triangles point inward, "
                               "so it is lit from the wrong side",
                               (unsigned)s, 100.0 * quality.inward / quality.compared);
    }
}

/* Reports several frames in which nothing moves. */
static void check_motion(const lm_model *model, lm_heap *heap, lm_reporter *reporter) {
    if (lmi_model_is_static(model, heap))
        lmi_report_warning(reporter, LM_CODE_EQUAL_FRAMES, lmi_file_location(), model->num_frames,
                           "all %u frames are equal: nothing in the model moves",
                           (unsigned)model->num_frames);
}

/* Reports triangles that face inward. */
static void check_winding(const lm_model *model, lm_heap *heap, lm_reporter *reporter) {
    bool inward;
    if (lmi_model_faces_inward(model, heap, &inward) && inward)
        lmi_report_warning(reporter, LM_CODE_INVERTED, lmi_file_location(), 1,
                           "the triangles are wound counter-clockwise, so they face inward and "
                           "games show the inside of the model");
}

static lm_model *decode(const lm_format *format, const lm_reading *reading, const void *document,
                        lm_heap *heap) {
    static const lm_load_options plain;
    lm_load_reporter loading;
    lmi_load_reporter_init(&loading, &(lm_call){.name = format->info.name}, false);
    heap->borrow = true;
    lm_model *model = lmi_decode(format, reading, document, &plain, heap, &loading);
    heap->borrow = false;
    return model;
}

lm_report *lm_check_memory(const void *data, size_t size, const lm_check_options *options,
                           lm_error *error) {
    if (!lmi_bytes_valid(data, size, __func__, error))
        return NULL;
    return lmi_check_and_decode((lm_bytes){data, size}, options, NULL, error);
}

/* Reports every problem of a file of a known format. Decodes the model, if possible, to check its
 * normals too. */
static void check_file(const lm_format *format, lm_bytes file, lm_heap *heap,
                       lm_collector *collector, lm_model **model) {
    lm_arena scratch = {.heap = heap};
    lm_reading reading = {file, &scratch, &collector->base, 0};
    const lm_examiner *examiner = lmi_examiner_of(format);
    /* Make errors of the problems for which the reporter's engine cannot show the file. */
    lm_reporter *reporter = &collector->base;
    for (size_t i = 0; i < examiner->refusals.count; i++)
        if (reporter->engine == (unsigned)examiner->refusals.list[i].engine)
            reporter->errors |= examiner->refusals.list[i].codes;
    const void *document = lmi_parse(format, &reading);
    lm_model *decoded = document && model ? decode(format, &reading, document, heap) : NULL;
    if (document)
        examiner->check(&reading, document);
    if (document && !model && collector->totals[LM_SEVERITY_ERROR] == 0)
        decoded = decode(format, &reading, document, heap);
    lmi_arena_free(&scratch);
    if (decoded) {
        check_normals(decoded, file, heap, &collector->base);
        check_motion(decoded, heap, &collector->base);
        check_winding(decoded, heap, &collector->base);
    }
    if (model)
        *model = decoded;
    else
        lm_model_free(decoded);
}

lm_report *lmi_check_and_decode(lm_bytes file, const lm_check_options *options, lm_model **model,
                                lm_error *error) {
    static const lm_check_options defaults;
    lm_heap heap;
    const lm_format *format = lmi_find_format(file);
    if (model)
        *model = NULL;
    if (!options)
        options = &defaults;
    static const lm_option_member table[] = {
        LM_MEMBER(lm_check_options, memory, MEMORY, 0),
        LM_MEMBER(lm_check_options, engine, ENUM, LM_NUM_ENGINES - 1),
        LM_MEMBER(lm_check_options, reserved, RESERVED, 0)};
    if (!lmi_options_valid(options, "check", table, sizeof table / sizeof *table, error))
        return NULL;
    lmi_heap_begin(&heap, &options->memory, file.size, format ? format->info.name : "file", error);
    lm_report *report = lmi_object(&heap, sizeof *report);
    if (!report)
        return lmi_heap_diagnose(&heap);
    report->format = format ? format->info.name : NULL;
    lm_collector collector = {.base = {.call = &heap.call,
                                       .listen = collect,
                                       .count = count_unlisted,
                                       .engine = options->engine,
                                       .errors = options->strict ? LM_HARMLESS_DAMAGE : 0},
                              .arena = lmi_arena_of(report),
                              .max_per_code =
                                  options->max_per_code ? options->max_per_code : DEFAULT_PER_CODE,
                              .full = heap.max_bytes / 4 / PROBLEM_BYTES};
    if (format)
        check_file(format, file, &heap, &collector, model);
    else
        check_unknown(file, &collector);
    if (heap.call.status == LM_FAILED) /* the report gives the reason */
        heap.call.status = LM_DONE;
    report = lmi_object_end(report, heap.call.status == LM_DONE && fill_report(report, &collector));
    if (!report && model) {
        lm_model_free(*model);
        *model = NULL;
    }
    return report ? report : lmi_heap_diagnose(&heap);
}

void lm_report_free(lm_report *report) {
    lmi_object_free(report);
}
