/* Collecting every problem into a report. */
#include "lerpmesh/check.h"

#include "core/arena.h"
#include "formats/format.h"

#include <string.h>

#define DEFAULT_PER_CODE 16

static const char *const engine_names[] = {
#define LM_ENGINE_NAME(name, text) text,
    LM_ENGINE_LIST(LM_ENGINE_NAME)
#undef LM_ENGINE_NAME
};

const char *lm_engine_name(lm_engine engine) {
    return (unsigned)engine < LM_NUM_ENGINES ? engine_names[engine] : "unknown";
}

lm_engine lm_engine_by_name(const char *name) {
    unsigned engine = 0;
    while (engine < LM_NUM_ENGINES && strcmp(engine_names[engine], name) != 0)
        engine++;
    return (lm_engine)engine;
}

typedef struct lm_collected {
    lm_code code;
    lm_severity severity;
    size_t offset;
    uint32_t surface, index;
    char section[48];
    char message[208];
} lm_collected;

typedef struct lm_collector {
    lm_reporter base;
    const char *format; /* NULL: none that is known */
    lm_arena arena;
    lm_collected *list;
    size_t count, capacity;
    uint32_t max_per_code;
    uint32_t listed[LM_NUM_CODES];
    uint32_t totals[LM_ERROR + 1]; /* by severity */
    bool out_of_memory;
} lm_collector;

static bool collect(lm_reporter *reporter, const lm_report_item *finding) {
    lm_collector *collector = (lm_collector *)reporter;
    collector->totals[finding->severity] += finding->count;
    if (collector->listed[finding->code] >= collector->max_per_code)
        return true;
    collector->out_of_memory =
        !lm_arena_grow(&collector->arena, &collector->list, &collector->capacity,
                       collector->count + 1, sizeof *collector->list);
    if (collector->out_of_memory)
        return false;
    collector->listed[finding->code]++;
    lm_collected *one = &collector->list[collector->count++];
    *one = (lm_collected){.code = finding->code,
                          .severity = finding->severity,
                          .offset = finding->location.offset,
                          .surface = finding->location.surface,
                          .index = finding->location.index};
    lm_location_name(&finding->location, one->section, sizeof one->section);
    memcpy(one->message, finding->message, strlen(finding->message) + 1);
    return true;
}

static uint32_t carve_problems(lm_block *block, const lm_collector *collector, bool errors,
                               lm_problem *problems, uint32_t at) {
    for (size_t i = 0; i < collector->count; i++) {
        const lm_collected *one = &collector->list[i];
        if ((one->severity == LM_ERROR) != errors)
            continue;
        const char *section =
            lm_carve_name(block, (const uint8_t *)one->section, strlen(one->section));
        const char *message =
            lm_carve_name(block, (const uint8_t *)one->message, strlen(one->message));
        if (problems)
            problems[at] = (lm_problem){one->code,    one->severity, one->offset, section,
                                        one->surface, one->index,    message};
        at++;
    }
    return at;
}

static void *carve_report(lm_block *block, void *context) {
    const lm_collector *collector = context;
    lm_report *report = lm_carve(block, 1, sizeof *report);
    lm_problem *problems = lm_carve(block, collector->count, sizeof *problems);
    uint32_t num_errors = carve_problems(block, collector, true, problems, 0);
    carve_problems(block, collector, false, problems, num_errors);
    if (report)
        *report = (lm_report){
            collector->format,           (uint32_t)collector->count,    problems,
            collector->totals[LM_ERROR], collector->totals[LM_WARNING], collector->totals[LM_NOTE]};
    return report;
}

static bool check_unknown(lm_bytes file, lm_collector *collector) {
    lm_error error;
    lm_fail_unknown(file, &error);
    const lm_report_item finding = {.code = error.code,
                                    .severity = LM_ERROR,
                                    .location = {.section = "header"},
                                    .count = 1,
                                    .message = error.message};
    collect(&collector->base, &finding);
    return !collector->out_of_memory;
}

lm_report *lm_check_memory(const void *data, size_t size, const lm_check_options *options,
                           lm_error *error) {
    static const lm_check_options defaults;
    lm_bytes file = {data, size};
    lm_heap heap;
    const lm_format *format = lm_find_format(file);
    if (!options)
        options = &defaults;
    lm_heap_init(&heap, &options->memory, size);
    lm_collector collector = {.base = {.format = format ? format->info.name : "file",
                                       .listen = collect,
                                       .engine = options->engine},
                              .format = format ? format->info.name : NULL,
                              .arena = {.heap = &heap},
                              .max_per_code =
                                  options->max_per_code ? options->max_per_code : DEFAULT_PER_CODE};
    const bool done =
        format ? format->check(file, &heap, &collector.base) : check_unknown(file, &collector);
    lm_report *report = NULL;
    /* After a fatal problem there is nothing more to say; without one, memory ran out. */
    if ((done || collector.base.fatal) && !collector.out_of_memory)
        report = lm_make(&heap, carve_report, &collector);
    lm_arena_free(&collector.arena);
    if (!report)
        lm_heap_fail(&heap, format ? format->info.name : "file", error);
    return report;
}

void lm_report_free(lm_report *report) {
    lm_release(report);
}
