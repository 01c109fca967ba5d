/* Errors and problems: one way for readers to say what is wrong, whoever listens. */
#ifndef LM_CORE_REPORT_H
#define LM_CORE_REPORT_H

#include "core/heap.h"
#include "lerpmesh/base.h"

#include <stdarg.h>

/* lm_fail_plain with a byte to blame: "FORMAT: SENTENCE (byte 0x..)". */
bool lm_fail(lm_error *error, lm_code code, const char *format_name, const char *section,
             size_t offset, const char *sentence, ...) LM_PRINTF(6, 7);

/* Fills `error`, which may be NULL. Returns false. */
static inline bool lm_fail_memory(lm_error *error) {
    return lm_fail_plain(error, LM_CODE_OUT_OF_MEMORY, "out of memory");
}

/* Where in the file a problem is. */
typedef struct lm_location {
    const char *section; /* lump or header */
    uint32_t surface;    /* named in front of the section if `in_surface` */
    bool in_surface;
    uint32_t index;
    size_t offset;
} lm_location;

/* Bytes of a problem's sentence: it has names of files' fields, none of which is long. */
#define LM_REPORT_SIZE 208

/* One problem on its way to whoever listens. */
typedef struct lm_report_item {
    lm_code code;
    lm_severity severity;
    bool repairable; /* a tolerant reader drops or clamps it */
    lm_location location;
    uint32_t count; /* how many cases this stands for, >= 1 */
    const char *message;
} lm_report_item;

/* A listener. `listen` returns whether the reader is to go on looking. */
typedef struct lm_reporter lm_reporter;
struct lm_reporter {
    const char *format; /* name of the format being read, for the sentences */
    bool (*listen)(lm_reporter *reporter, const lm_report_item *finding);
    /* Whether it has counted a finding that it need not hear: what is damaged everywhere would take
     * most of its time for sentences that nobody reads. NULL: it hears all. */
    bool (*count)(lm_reporter *reporter, const lm_report_item *finding);
    unsigned engine; /* lm_engine whose limits are errors; 0: their excess is a warning */
    bool stopped;    /* a listener said so */
    bool fatal;      /* something made the file unreadable */
};

/* Reports an error that makes the file unreadable. Returns false: nothing goes on after it. */
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

/* "triangles", or "surface 2 triangles". */
void lm_location_name(const lm_location *location, char *out, size_t size);

/* Reports what exceeds an engine's limit: an error if that engine was asked about, a warning if
 * none was, nothing if another was. Returns whether to go on. */
bool lm_report_engine(lm_reporter *reporter, unsigned engine, lm_location location,
                      const char *sentence, ...) LM_PRINTF(4, 5);

/* The listener of loading: the first error it may not repair ends in `error`; repairs and
 * warnings are counted by code. */
typedef struct lm_load_reporter {
    lm_reporter base;
    bool repair;
    lm_error *error;
    bool failed;
    unsigned num_seen;          /* codes with a count */
    uint8_t seen[LM_NUM_CODES]; /* those codes, in the order met */
    uint32_t counts[LM_NUM_CODES];
    char messages[LM_NUM_CODES][LM_REPORT_SIZE]; /* the first case of each */
} lm_load_reporter;

void lm_load_reporter_init(lm_load_reporter *reporter, const char *format, bool repair,
                           lm_error *error);

/* Carves a reporter's warnings; returns how many there are. */
uint32_t lm_carve_warnings(lm_block *block, const lm_load_reporter *reporter,
                           const lm_warning **out);

/* Fills `error` with what lm_heap_alloc just failed for. Returns NULL for callers' convenience. */
void *lm_heap_fail(const lm_heap *heap, const char *format, lm_error *error);

#endif
