/* What a format gives to the house: what is known of it, and its doors. Only load.c lists them. */
#ifndef LM_FORMATS_FORMAT_H
#define LM_FORMATS_FORMAT_H

#include "core/bytes.h"
#include "core/report.h"
#include "lerpmesh/layout.h"
#include "lerpmesh/load.h"

typedef struct lm_layout_builder lm_layout_builder;

typedef struct lm_header lm_header;

typedef struct lm_encoding lm_encoding;

typedef struct lm_editor lm_editor;

typedef struct lm_optimizing lm_optimizing;

typedef struct lm_format {
    lm_format_info info;     /* first: lm_format_limits gets here from its address */
    const lm_header *header; /* formats/describe.h */
    /* Decodes a file into a model; NULL after having reported why, or after heap failed. */
    lm_model *(*decode)(lm_bytes file, const lm_load_options *options, lm_heap *heap,
                        lm_load_reporter *reporter);
    /* Reports every problem. False after a fatal one, or if memory ran out. */
    bool (*check)(lm_bytes file, lm_heap *heap, lm_reporter *reporter);
    /* Describes header fields and lumps, as far as the file reaches. */
    void (*layout)(lm_bytes file, lm_layout_builder *builder);
    /* Appends as a table what no shape describes; false if there is nothing of that name. NULL:
     * shapes describe every lump. */
    bool (*table)(lm_bytes file, const char *lump, lm_buffer *out);
    /* Appends a take as a file, and says where its vertices went (encode/encoding.h). False if
     * that cannot be or memory ran out. NULL: the format is not written. */
    bool (*encode)(lm_encoding *encoding, lm_buffer *out);
    /* How a file is changed (edit/editing.h); NULL: it is not. */
    const lm_editor *edit;
    /* Appends a file that shows the same in fewer bytes, and says where its triangles and vertices
     * went (encode/optimizing.h). False if that cannot be or memory ran out. NULL: it is not
     * optimized. */
    bool (*optimize)(lm_optimizing *optimizing, lm_buffer *out);
    /* Appends the file with the vertices and frames of another, which is made of what it shows;
     * nothing, if they do not fit. False if that cannot be or memory ran out. NULL: the format
     * gains nothing by loss. */
    bool (*adopt)(lm_optimizing *optimizing, lm_bytes other, lm_buffer *out);
} lm_format;

/* The format of these bytes, NULL if none. */
const lm_format *lm_find_format(lm_bytes file);
/* Says in a sentence what the bytes are instead, if we can tell. Returns false. */
bool lm_fail_unknown(lm_bytes file, lm_error *error);

#endif
