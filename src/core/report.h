/* Errors and problems: one way for readers to say what is wrong, whoever listens. */
#ifndef LM_CORE_REPORT_H
#define LM_CORE_REPORT_H

#include "core/arena.h"
#include "lerpmesh/base.h"

#include <stdarg.h>

/* lm_fail_plain with a byte to blame: "FORMAT: SENTENCE (byte 0x..)". */
bool lm_fail(lm_error *error, lm_code code, const char *format_name, const char *section,
             size_t offset, const char *sentence, ...) LM_PRINTF(6, 7);

/* Diagnostics that are being collected; start from {0}. */
typedef struct lm_diagnostics {
    lm_diagnostic *list;
    size_t count, capacity;
} lm_diagnostics;

/* Adds a diagnostic, with copies of its strings, in the arena. False if memory ran out. */
bool lm_diagnostics_add(lm_diagnostics *all, lm_arena *arena, const lm_diagnostic *one);
/* The same, with a sentence as its text. */
bool lm_diagnostics_say(lm_diagnostics *all, lm_arena *arena, lm_diagnostic one,
                        const char *sentence, va_list arguments);
/* Copies diagnostics and their strings. NULL if there are none or memory ran out. */
const lm_diagnostic *lm_diagnostics_copy(lm_arena *arena, const lm_diagnostic *list, size_t count);

/* Fills `error`, which may be NULL. Returns false. */
static inline bool lm_fail_memory(lm_error *error) {
    return lm_fail_plain(error, LM_CODE_OUT_OF_MEMORY, "out of memory");
}

/* Readers' locations have the section's own name ("triangles"), and in `surface` this bit if the
 * section belongs to the file. Of a section that belongs to a surface, listeners get the full name
 * ("surface 2 triangles"). */
#define LM_OF_FILE 0x80000000u

static inline lm_location lm_location_at(const char *section, uint32_t index, size_t offset) {
    return (lm_location){section, offset, LM_OF_FILE, index};
}

/* Bytes of a problem's sentence: it has names of files' fields, none of which is long. */
#define LM_REPORT_SIZE 208
#define LM_SECTION_SIZE 48 /* as in lm_error */

/* A listener. `listen` returns LM_DONE to let the reader go on, or how the call ends. The strings
 * that it gets last until it returns. */
typedef struct lm_reporter lm_reporter;
struct lm_reporter {
    lm_call *call; /* of the reader */
    lm_status (*listen)(lm_reporter *reporter, const lm_diagnostic *found);
    /* Returns whether it has counted a diagnostic that it need not hear: what is damaged everywhere
     * would take most of its time for sentences that nobody reads. NULL: it hears all. */
    bool (*count)(lm_reporter *reporter, const lm_diagnostic *found);
    unsigned engine; /* lm_engine whose limits are errors; 0: their excess is a warning */
    bool repair;     /* the reader drops or clamps damage that it can: a warning, not an error */
};

/* Reports an error that makes the file unreadable, which ends the call. Returns false. */
bool lm_report_fatal(lm_reporter *reporter, lm_code code, lm_location location,
                     const char *sentence, ...) LM_PRINTF(4, 5);
/* Reports an error that a tolerant reader repairs. Returns whether to go on. */
bool lm_report_damage(lm_reporter *reporter, lm_code code, lm_location location,
                      const char *sentence, ...) LM_PRINTF(4, 5);
/* Reports a warning or note, by the code's own severity, `count` cases at once. Returns whether to
 * go on. */
bool lm_report_oddity(lm_reporter *reporter, lm_code code, lm_location location, uint32_t count,
                      const char *sentence, ...) LM_PRINTF(5, 6);

/* Cases of one oddity: how many there are, and which is the first. */
typedef struct lm_tally {
    uint32_t count, first;
} lm_tally;

static inline void lm_tally_add(lm_tally *tally, bool met, uint32_t index) {
    tally->first = met && tally->count == 0 ? index : tally->first;
    tally->count += met;
}

/* Reports a tally that is not empty: "3 WHAT; the first is 7", or "KIND7"; in front of it the
 * surface that `first`, where the first case is, says. Returns whether to go on. */
bool lm_report_cases(lm_reporter *reporter, lm_code code, lm_location first, lm_tally tally,
                     const char *what, const char *kind);

/* Reports what exceeds an engine's limit: an error if that engine was asked about, a warning if
 * none was, nothing if another was. Returns whether to go on. */
bool lm_report_engine(lm_reporter *reporter, unsigned engine, lm_location location,
                      const char *sentence, ...) LM_PRINTF(4, 5);

/* The listener of loading: the first error ends the call; repairs and warnings are counted by
 * code. */
typedef struct lm_load_reporter {
    lm_reporter base;
    uint32_t num_seen;                /* codes with a count */
    lm_diagnostic seen[LM_NUM_CODES]; /* the first case of each */
    char texts[LM_NUM_CODES][LM_REPORT_SIZE], sections[LM_NUM_CODES][LM_SECTION_SIZE];
    uint32_t counts[LM_NUM_CODES]; /* by code */
} lm_load_reporter;

void lm_load_reporter_init(lm_load_reporter *reporter, lm_call *call, bool repair);

/* Copies a reporter's warnings; returns how many there are. */
uint32_t lm_warnings_copy(lm_arena *arena, lm_load_reporter *reporter, const lm_diagnostic **out);

#endif
