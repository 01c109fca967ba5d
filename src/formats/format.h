/* A format that is read: facts about it and its functions. Only formats.h lists them. */
#ifndef LM_FORMATS_FORMAT_H
#define LM_FORMATS_FORMAT_H

#include "core/bytes.h"
#include "core/report.h"
#include "lerpmesh/check.h"
#include "lerpmesh/load.h"

typedef struct lm_layout_builder lm_layout_builder;
typedef struct lm_header lm_header;   /* formats/describe.h */
typedef struct lm_reading lm_reading; /* formats/describe.h */

typedef struct lm_format {
    lm_format_info info;
    const lm_header *header;
    /* Finds everything in a file. `document`, the format's struct, is cleared; what it points to is
     * the file's or from the reading's arena. Returns false if the call ended. */
    bool (*parse)(lm_reading *reading, void *document);
    /* Verifies a parsed document and fills in a model, which is empty, from its arena. What is
     * needed only meanwhile is from the reading's. Returns false if the call ended. */
    bool (*decode)(lm_reading *reading, const void *document, const lm_load_options *options,
                   lm_model *model);
} lm_format;

/* The functions of a format that `check` and `examine` call: no program that only loads links them.
 */
typedef struct lm_examiner {
    const lm_format *format;
    /* Reports every problem of a parsed document. */
    void (*check)(lm_reading *reading, const void *document);
    /* Describes header fields and lumps, as far as the file reaches. */
    void (*layout)(lm_bytes file, lm_layout_builder *builder);
    /* Appends as a table what no shape describes; false if there is nothing of that name. NULL:
     * shapes describe every lump. */
    bool (*table)(lm_bytes file, const char *lump, lm_buffer *out);
} lm_examiner;

/* Returns the format of these bytes, NULL if none. */
const lm_format *lm_find_format(lm_bytes file);
const lm_examiner *lm_examiner_of(const lm_format *format);
/* Parses a file of a format. NULL if the call ended. */
void *lm_parse(const lm_format *format, lm_reading *reading);
/* Decodes a parsed document into a model of a heap, with the warnings that the reporter counts;
 * NULL if the call ended. */
lm_model *lm_decode(const lm_format *format, const lm_reading *reading, const void *document,
                    const lm_load_options *options, lm_heap *heap, lm_load_reporter *reporter);
/* Checks a file as lm_check_memory does. `model`, which may be NULL, gets the model of the document
 * that was checked, which borrows from the file; NULL if it cannot be decoded. */
lm_report *lm_check_and_decode(lm_bytes file, const lm_check_options *options, lm_model **model,
                               lm_error *error);
/* Says in a sentence what the bytes are instead, if we can tell. Returns false. */
bool lm_fail_unknown(lm_bytes file, lm_error *error);

#endif
