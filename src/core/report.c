#include "core/report.h"
#include "core/text.h"

#include <stdio.h>
#include <string.h>

/* Writes "FORMAT: SENTENCE (byte N)". */
static void write_sentence(char *out, size_t size, const char *format_name, size_t offset,
                           const char *sentence, va_list arguments) {
    char where[32];
    int where_length = snprintf(where, sizeof where, " (byte %zu)", offset);
    size_t room = size - (size_t)where_length;
    int start = snprintf(out, room, "%s: ", format_name);
    vsnprintf(out + start, room - (size_t)start, sentence, arguments);
    memcpy(out + strlen(out), where, (size_t)where_length + 1);
}

static void copy_to(char *out, size_t size, const char *text) {
    snprintf(out, size, "%s", text);
}

/* Fills all but the message. */
static void place_error(lm_error *error, lm_code code, lm_location where) {
    *error = (lm_error){
        .offset = where.offset, .code = code, .surface = where.surface, .index = where.index};
    copy_to(error->section, sizeof error->section, where.section);
}

bool lmi_fail(lm_error *error, lm_code code, const char *format_name, const char *section,
              size_t offset, const char *sentence, ...) {
    if (!error)
        return false;
    place_error(error, code, (lm_location){section, offset, 0, 0});
    va_list arguments;
    va_start(arguments, sentence);
    write_sentence(error->message, sizeof error->message, format_name, offset, sentence, arguments);
    va_end(arguments);
    return false;
}

/* Writes the full name of a section of a surface. */
static void name_section(char out[LM_SECTION_SIZE], uint32_t surface, const char *section) {
    snprintf(out, LM_SECTION_SIZE, "surface %u %s", (unsigned)surface, section);
}

bool lmi_fail_at(lm_error *error, uint32_t surface, const char *section, uint32_t index) {
    if (!error)
        return false;
    name_section(error->section, surface, section);
    error->surface = surface;
    error->index = index;
    return false;
}

bool lmi_fail_in(lm_error *error, const char *section) {
    if (error)
        copy_to(error->section, sizeof error->section, section);
    return false;
}

/* ---- How a call ends ----------------------------------------------------------------------- */

bool lmi_call_fail(lm_call *call, lm_code code, const char *sentence, ...) {
    char text[LM_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, sentence);
    lmi_text_fit(text, sizeof text, sentence, arguments);
    va_end(arguments);
    call->status = LM_FAILED;
    return call->name ? lm_fail_plain(call->error, code, "%s: %s", call->name, text)
                      : lm_fail_plain(call->error, code, "%s", text);
}

/* ---- Lists of diagnostics ------------------------------------------------------------------ */

bool lmi_diagnostics_add(lm_diagnostics *all, lm_arena *arena, const lm_diagnostic *one) {
    lm_diagnostic copy = *one;
    copy.text = lmi_copy_text(arena, one->text);
    copy.subject = lmi_copy_text(arena, one->subject);
    copy.location.section = lmi_copy_text(arena, one->location.section);
    if (!copy.text != !one->text || !copy.subject != !one->subject ||
        !copy.location.section != !one->location.section ||
        !lmi_arena_grow(arena, &all->list, &all->capacity, all->count + 1, sizeof *all->list))
        return false;
    all->list[all->count++] = copy;
    return true;
}

bool lmi_diagnostics_vprintf(lm_diagnostics *all, lm_arena *arena, lm_diagnostic one,
                             const char *sentence, va_list arguments) {
    char text[LM_MESSAGE_SIZE];
    lmi_text_fit(text, sizeof text, sentence, arguments);
    one.text = text;
    return lmi_diagnostics_add(all, arena, &one);
}

const lm_diagnostic *lmi_diagnostics_copy(lm_arena *arena, const lm_diagnostic *list,
                                          size_t count) {
    lm_diagnostics all = {0};
    for (size_t i = 0; i < count; i++)
        if (!lmi_diagnostics_add(&all, arena, &list[i]))
            return NULL;
    return all.list;
}

/* ---- Reports ------------------------------------------------------------------------------- */

static bool is_over(const lm_reporter *reporter) {
    return reporter->call->status != LM_DONE;
}

static bool emit(lm_reporter *reporter, lm_diagnostic *found, const char *sentence,
                 va_list arguments) {
    char section[LM_SECTION_SIZE], text[LM_REPORT_SIZE];
    lm_location *location = &found->location;
    if (is_over(reporter))
        return false;
    if (reporter->count && reporter->count(reporter, found))
        return true;
    write_sentence(text, sizeof text, reporter->call->name, location->offset, sentence, arguments);
    found->text = text;
    if (location->surface & LM_OF_FILE) {
        location->surface &= ~LM_OF_FILE;
    } else {
        name_section(section, location->surface, location->section);
        location->section = section;
    }
    lmi_call_end(reporter->call, reporter->listen(reporter, found));
    return !is_over(reporter);
}

bool lmi_report_fatal(lm_reporter *reporter, lm_code code, lm_location location,
                      const char *sentence, ...) {
    lm_diagnostic found = {NULL, NULL, location, code, LM_SEVERITY_ERROR, 1};
    va_list arguments;
    va_start(arguments, sentence);
    emit(reporter, &found, sentence, arguments);
    va_end(arguments);
    return lmi_call_end(reporter->call, LM_FAILED);
}

bool lmi_report_damage(lm_reporter *reporter, lm_code code, lm_location location,
                       const char *sentence, ...) {
    lm_diagnostic found = {
        NULL, NULL, location, code, reporter->repair ? LM_SEVERITY_WARNING : LM_SEVERITY_ERROR, 1};
    va_list arguments;
    va_start(arguments, sentence);
    bool continues = emit(reporter, &found, sentence, arguments);
    va_end(arguments);
    return continues;
}

bool lmi_report_warning(lm_reporter *reporter, lm_code code, lm_location location, uint32_t count,
                        const char *sentence, ...) {
    const bool error = code < 64 && reporter->errors >> code & 1;
    const bool note = lm_code_severity(code) == LM_SEVERITY_NOTE;
    const lm_severity severity = note ? LM_SEVERITY_NOTE : LM_SEVERITY_WARNING;
    lm_diagnostic found = {NULL, NULL, location, code, error ? LM_SEVERITY_ERROR : severity, count};
    va_list arguments;
    va_start(arguments, sentence);
    bool continues = emit(reporter, &found, sentence, arguments);
    va_end(arguments);
    return continues;
}

bool lmi_report_cases(lm_reporter *reporter, lm_code code, lm_location first, lm_tally tally,
                      const char *cases, const char *kind) {
    if (tally.count > 0 && !(first.surface & LM_OF_FILE))
        return lmi_report_warning(reporter, code, first, tally.count,
                                  "surface %u: %s; the first is %s%u", (unsigned)first.surface,
                                  lmi_count_words(tally.count, cases).text, kind,
                                  (unsigned)tally.first);
    return tally.count == 0 ||
           lmi_report_warning(reporter, code, first, tally.count, "%s; the first is %s%u",
                              lmi_count_words(tally.count, cases).text, kind,
                              (unsigned)tally.first);
}

bool lmi_report_engine(lm_reporter *reporter, unsigned engine, lm_location location,
                       const char *sentence, ...) {
    lm_severity severity = reporter->engine ? LM_SEVERITY_ERROR : LM_SEVERITY_WARNING;
    lm_diagnostic found = {NULL, NULL, location, LM_CODE_ENGINE_LIMIT, severity, 1};
    if (reporter->engine && reporter->engine != engine)
        return !is_over(reporter);
    va_list arguments;
    va_start(arguments, sentence);
    bool continues = emit(reporter, &found, sentence, arguments);
    va_end(arguments);
    return continues;
}

/* ---- Loading ------------------------------------------------------------------------------- */

/* Counts a diagnostic that is not an error, except the first of each code, which is kept with its
 * sentence. */
static bool count_while_loading(lm_reporter *reporter, const lm_diagnostic *found) {
    uint32_t *count = &((lm_load_reporter *)reporter)->counts[found->code];
    if (found->severity == LM_SEVERITY_ERROR || *count == 0)
        return false;
    *count += found->count < UINT32_MAX - *count ? found->count : UINT32_MAX - *count;
    return true;
}

static lm_status record_while_loading(lm_reporter *reporter, const lm_diagnostic *found) {
    lm_load_reporter *load = (lm_load_reporter *)reporter;
    lm_error *error = reporter->call->error;
    if (found->severity < LM_SEVERITY_ERROR) {
        const uint32_t i = load->num_codes++;
        load->first_cases[i] = *found;
        load->first_cases[i].text = load->texts[i];
        load->first_cases[i].location.section = load->sections[i];
        copy_to(load->texts[i], LM_REPORT_SIZE, found->text);
        copy_to(load->sections[i], LM_SECTION_SIZE, found->location.section);
        load->counts[found->code] = found->count;
        return LM_DONE;
    }
    if (error) {
        place_error(error, found->code, found->location);
        copy_to(error->message, sizeof error->message, found->text);
    }
    return LM_FAILED;
}

void lmi_load_reporter_init(lm_load_reporter *reporter, lm_call *call, bool repair) {
    reporter->base = (lm_reporter){.call = call,
                                   .listen = record_while_loading,
                                   .count = count_while_loading,
                                   .repair = repair};
    reporter->num_codes = 0;
    memset(reporter->counts, 0, sizeof reporter->counts);
}

uint32_t lmi_warnings_copy(lm_arena *arena, lm_load_reporter *reporter, const lm_diagnostic **out) {
    for (uint32_t i = 0; i < reporter->num_codes; i++)
        reporter->first_cases[i].count = reporter->counts[reporter->first_cases[i].code];
    *out = lmi_diagnostics_copy(arena, reporter->first_cases, reporter->num_codes);
    return reporter->num_codes;
}
