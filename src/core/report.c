#include "core/report.h"
#include "core/text.h"

#include <stdio.h>
#include <string.h>

/* "FORMAT: SENTENCE (byte 0x..)" */
static void write_sentence(char *out, size_t size, const char *format_name, size_t offset,
                           const char *sentence, va_list arguments) {
    char where[32];
    int where_length = snprintf(where, sizeof where, " (byte 0x%zx)", offset);
    size_t room = size - (size_t)where_length;
    int start = snprintf(out, room, "%s: ", format_name);
    vsnprintf(out + start, room - (size_t)start, sentence, arguments);
    memcpy(out + strlen(out), where, (size_t)where_length + 1);
}

bool lm_fail(lm_error *error, lm_code code, const char *format_name, const char *section,
             size_t offset, const char *sentence, ...) {
    if (!error)
        return false;
    *error = (lm_error){.code = code, .offset = offset};
    snprintf(error->section, sizeof error->section, "%s", section);
    va_list arguments;
    va_start(arguments, sentence);
    write_sentence(error->message, sizeof error->message, format_name, offset, sentence, arguments);
    va_end(arguments);
    return false;
}

static bool tell(lm_reporter *reporter, lm_report_item *finding, const char *sentence,
                 va_list arguments) {
    char message[LM_REPORT_SIZE];
    if (reporter->stopped)
        return false;
    if (reporter->count && reporter->count(reporter, finding))
        return true;
    write_sentence(message, sizeof message, reporter->format, finding->location.offset, sentence,
                   arguments);
    finding->message = message;
    reporter->stopped = !reporter->listen(reporter, finding);
    return !reporter->stopped;
}

bool lm_report_fatal(lm_reporter *reporter, lm_code code, lm_location location,
                     const char *sentence, ...) {
    lm_report_item finding = {code, LM_ERROR, false, location, 1, NULL};
    va_list arguments;
    va_start(arguments, sentence);
    tell(reporter, &finding, sentence, arguments);
    va_end(arguments);
    reporter->fatal = true;
    return false;
}

bool lm_report_damage(lm_reporter *reporter, lm_code code, lm_location location,
                      const char *sentence, ...) {
    lm_report_item finding = {code, LM_ERROR, true, location, 1, NULL};
    va_list arguments;
    va_start(arguments, sentence);
    bool go_on = tell(reporter, &finding, sentence, arguments);
    va_end(arguments);
    return go_on;
}

bool lm_report_oddity(lm_reporter *reporter, lm_code code, lm_location location, uint32_t count,
                      const char *sentence, ...) {
    lm_report_item finding = {code, lm_code_severity(code), false, location, count, NULL};
    va_list arguments;
    va_start(arguments, sentence);
    bool go_on = tell(reporter, &finding, sentence, arguments);
    va_end(arguments);
    return go_on;
}

bool lm_report_cases(lm_reporter *reporter, lm_code code, lm_location first, lm_tally tally,
                     const char *what, const char *kind) {
    if (tally.count > 0 && first.in_surface)
        return lm_report_oddity(reporter, code, first, tally.count,
                                "surface %u: %s; the first is %s%u", (unsigned)first.surface,
                                lm_count_words(tally.count, what).text, kind,
                                (unsigned)tally.first);
    return tally.count == 0 ||
           lm_report_oddity(reporter, code, first, tally.count, "%s; the first is %s%u",
                            lm_count_words(tally.count, what).text, kind, (unsigned)tally.first);
}

bool lm_report_engine(lm_reporter *reporter, unsigned engine, lm_location location,
                      const char *sentence, ...) {
    lm_severity severity = reporter->engine ? LM_ERROR : LM_WARNING;
    lm_report_item finding = {LM_CODE_ENGINE_LIMIT, severity, false, location, 1, NULL};
    if (reporter->engine && reporter->engine != engine)
        return !reporter->stopped;
    va_list arguments;
    va_start(arguments, sentence);
    bool go_on = tell(reporter, &finding, sentence, arguments);
    va_end(arguments);
    return go_on;
}

void lm_location_name(const lm_location *location, char *out, size_t size) {
    if (location->in_surface)
        snprintf(out, size, "surface %u %s", (unsigned)location->surface, location->section);
    else
        snprintf(out, size, "%s", location->section);
}

static bool is_warning(const lm_load_reporter *load, const lm_report_item *finding) {
    return finding->severity < LM_ERROR || (finding->repairable && load->repair);
}

/* Of each code the first is heard. */
static bool count_while_loading(lm_reporter *reporter, const lm_report_item *finding) {
    lm_load_reporter *load = (lm_load_reporter *)reporter;
    if (!is_warning(load, finding) || load->counts[finding->code] == 0)
        return false;
    uint32_t left = UINT32_MAX - load->counts[finding->code];
    load->counts[finding->code] += finding->count < left ? finding->count : left;
    return true;
}

static bool listen_while_loading(lm_reporter *reporter, const lm_report_item *finding) {
    lm_load_reporter *load = (lm_load_reporter *)reporter;
    if (is_warning(load, finding)) {
        load->seen[load->num_seen++] = (uint8_t)finding->code;
        memcpy(load->messages[finding->code], finding->message, strlen(finding->message) + 1);
        load->counts[finding->code] = finding->count;
        return true;
    }
    load->failed = true;
    if (load->error) {
        *load->error = (lm_error){.code = finding->code, .offset = finding->location.offset};
        lm_location_name(&finding->location, load->error->section, sizeof load->error->section);
        snprintf(load->error->message, sizeof load->error->message, "%s", finding->message);
    }
    return false;
}

void lm_load_reporter_init(lm_load_reporter *reporter, const char *format, bool repair,
                           lm_error *error) {
    reporter->base = (lm_reporter){
        .format = format, .listen = listen_while_loading, .count = count_while_loading};
    reporter->repair = repair;
    reporter->error = error;
    reporter->failed = false;
    reporter->num_seen = 0;
    memset(reporter->counts, 0, sizeof reporter->counts);
}

uint32_t lm_carve_warnings(lm_block *block, const lm_load_reporter *reporter,
                           const lm_warning **out) {
    lm_warning *warnings = lm_carve(block, reporter->num_seen, sizeof *warnings);
    *out = warnings;
    for (unsigned i = 0; i < reporter->num_seen; i++) {
        unsigned code = reporter->seen[i];
        const char *message = reporter->messages[code];
        const char *copy = lm_carve_name(block, (const uint8_t *)message, strlen(message));
        if (warnings)
            warnings[i] = (lm_warning){(lm_code)code, reporter->counts[code], copy};
    }
    return reporter->num_seen;
}

void *lm_heap_fail(const lm_heap *heap, const char *format, lm_error *error) {
    if (heap->too_many)
        lm_fail_plain(error, LM_CODE_LIMIT,
                      "%s: loading needs more than the limit of %zu allocations", format,
                      heap->max_allocations);
    else if (heap->over_limit)
        lm_fail_plain(error, LM_CODE_LIMIT,
                      "%s: loading needs more memory than the limit of %zu bytes", format,
                      heap->max_bytes);
    else
        lm_fail_plain(error, LM_CODE_OUT_OF_MEMORY, "%s: out of memory (%zu bytes)", format,
                      heap->refused);
    return NULL;
}
