/* Errors and problems: readers report them in one way to any listener. */
#ifndef LM_CORE_REPORT_H
#define LM_CORE_REPORT_H

#include "core/arena.h"
#include "lerpmesh/base.h"

#include <stdarg.h>

/* Fills an error like lm_fail_plain, with the byte at fault: "FORMAT: SENTENCE (byte 0x..)".
 * Returns false. */
bool lmi_fail(lm_error *error, lm_code code, const char *format_name, const char *section,
              size_t offset, const char *sentence, ...) LM_PRINTF(6, 7);

/* Adds a location in a surface to an error, which may be NULL: "surface 2 vertices". Returns
 * false. */
bool lmi_fail_at(lm_error *error, uint32_t surface, const char *section, uint32_t index);
/* The section of an error that the max_size of an output causes. */
#define LM_SECTION_OUTPUT "output"
/* That of one that a tag causes: it is missing, or too far from the origin. */
#define LM_SECTION_TAG "tags"
/* Those of one that the number of a mesh's vertices or triangles causes. */
#define LM_SECTION_VERTICES "vertices"
#define LM_SECTION_TRIANGLES "triangles"
/* Sets the section of an error that has been filled. Returns false. */
bool lmi_fail_in(lm_error *error, const char *section);

/* A growing list of diagnostics. Start from {0}. */
typedef struct lm_diagnostics {
    lm_diagnostic *list;
    size_t count, capacity;
} lm_diagnostics;

/* Adds a diagnostic and copies its strings into the arena. Returns false if memory ran out. */
bool lmi_diagnostics_add(lm_diagnostics *all, lm_arena *arena, const lm_diagnostic *one);
/* Adds a diagnostic whose text is the formatted sentence. */
bool lmi_diagnostics_vprintf(lm_diagnostics *all, lm_arena *arena, lm_diagnostic one,
                             const char *sentence, va_list arguments);
/* Copies diagnostics and their strings. Returns NULL if there are none or memory ran out. */
const lm_diagnostic *lmi_diagnostics_copy(lm_arena *arena, const lm_diagnostic *list, size_t count);

/* Fills `error`, which may be NULL. Returns false. */
static inline bool lmi_fail_memory(lm_error *error) {
    return lm_fail_plain(error, LM_CODE_OUT_OF_MEMORY, "out of memory");
}

/* A flag in the `surface` of a reader's location: the section belongs to the file. Readers use the
 * section's short name ("triangles"). For a section of a surface, listeners get the full name
 * ("surface 2 triangles"). */
#define LM_OF_FILE 0x80000000u

static inline lm_location lmi_location_at(const char *section, uint32_t index, size_t offset) {
    return (lm_location){section, offset, LM_OF_FILE, index};
}

/* Bytes of a diagnostic's sentence. It contains names of file fields, all of which are short. */
#define LM_REPORT_SIZE 208
#define LM_SECTION_SIZE 48 /* as in lm_error */

/* A listener. `listen` returns LM_DONE to let the reader continue, or the status that ends the
 * call. Its strings are valid only during the call. */
typedef struct lm_reporter lm_reporter;
struct lm_reporter {
    lm_call *call; /* the reader's */
    lm_status (*listen)(lm_reporter *reporter, const lm_diagnostic *found);
    /* Returns true if it has counted the diagnostic and does not need its sentence. Formatting the
     * sentences of a file with damage everywhere would take most of the time. NULL: `listen` gets
     * every diagnostic. */
    bool (*count)(lm_reporter *reporter, const lm_diagnostic *found);
    unsigned engine; /* lm_engine whose limits are errors; 0: all limits are warnings */
    bool repair;     /* the reader drops or clamps the damage it can: a warning, not an error */
    uint64_t errors; /* LM_CODE_BIT of the codes whose warnings are errors */
};

/* A code as a flag. Codes of files are among the first 64. */
#define LM_CODE_BIT(code) ((uint64_t)1 << LM_CODE_##code)
/* Damage that no engine notices. Loading replaces it by default. */
#define LM_HARMLESS_DAMAGE                                                             \
    (LM_CODE_BIT(NORMAL_INDEX) | LM_CODE_BIT(BAD_TYPE) | LM_CODE_BIT(GL_COMMANDS) |    \
     LM_CODE_BIT(GL_COMMAND_ORDER) | LM_CODE_BIT(DENORMAL) | LM_CODE_BIT(BAD_BOUNDS) | \
     LM_CODE_BIT(BAD_ST) | LM_CODE_BIT(GROUP_TIMES))
_Static_assert(LM_CODE_GROUP_TIMES < 64, "the codes of files are among the first 64");

/* Reports an error that makes the file unreadable and ends the call. Returns false. */
bool lmi_report_fatal(lm_reporter *reporter, lm_code code, lm_location location,
                      const char *sentence, ...) LM_PRINTF(4, 5);
/* Reports an error that a tolerant reader repairs. Returns true if the reader continues. */
bool lmi_report_damage(lm_reporter *reporter, lm_code code, lm_location location,
                       const char *sentence, ...) LM_PRINTF(4, 5);
/* Reports `count` cases of a warning or note, with the code's own severity, or as an error if the
 * reporter asks for that. Returns true if the reader continues. */
bool lmi_report_warning(lm_reporter *reporter, lm_code code, lm_location location, uint32_t count,
                        const char *sentence, ...) LM_PRINTF(5, 6);

/* The cases of one oddity: their number and the first one. */
typedef struct lm_tally {
    uint32_t count, first;
} lm_tally;

static inline void lmi_tally_add(lm_tally *tally, bool met, uint32_t index) {
    tally->first = met && tally->count == 0 ? index : tally->first;
    tally->count += met;
}

/* Reports a tally unless it is empty: "3 WHAT; the first is KIND7". `first` is the location of the
 * first case; if it is in a surface, the message begins with "surface N: ". Returns true if the
 * reader continues. */
bool lmi_report_cases(lm_reporter *reporter, lm_code code, lm_location first, lm_tally tally,
                      const char *cases, const char *kind);

/* Reports that something exceeds an engine's limit: an error for the chosen engine, a warning if
 * none is chosen, nothing for any other engine. Returns true if the reader continues. */
bool lmi_report_engine(lm_reporter *reporter, unsigned engine, lm_location location,
                       const char *sentence, ...) LM_PRINTF(4, 5);

/* The listener of loading. The first error ends the call; repairs and warnings are counted by
 * code. */
typedef struct lm_load_reporter {
    lm_reporter base;
    uint32_t num_codes;                      /* codes that occurred */
    lm_diagnostic first_cases[LM_NUM_CODES]; /* the first case of each */
    char texts[LM_NUM_CODES][LM_REPORT_SIZE], sections[LM_NUM_CODES][LM_SECTION_SIZE];
    uint32_t counts[LM_NUM_CODES]; /* by code */
} lm_load_reporter;

void lmi_load_reporter_init(lm_load_reporter *reporter, lm_call *call, bool repair);

/* Copies a reporter's warnings. Returns their number. */
uint32_t lmi_warnings_copy(lm_arena *arena, lm_load_reporter *reporter, const lm_diagnostic **out);

#endif
