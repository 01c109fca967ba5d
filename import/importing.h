/* What the steps of one import share: memory, errors with a place in the JSON, findings. */
#ifndef IMPORT_IMPORTING_H
#define IMPORT_IMPORTING_H

#include "lerpmesh/import.h"

/* Memory of one import, given back all at once. */
typedef struct lm_im_piece lm_im_piece;
typedef struct lm_im_arena {
    lm_allocator allocator; /* complete */
    lm_im_piece *pieces;    /* that small ones come from is first */
    size_t left;            /* bytes at its end */
    size_t used, max_bytes;
    size_t allocations, max_allocations;
    bool over_limit;
} lm_im_arena;

/* What of a file is left out or mended. */
typedef enum lm_im_oddity {
    IM_POINTS,
    IM_NO_WEIGHTS,
    IM_CHANNEL,
    IM_EXTENSION,
    IM_TAG_MESH,
    IM_EMPTY_MESH,
    IM_SAME_NAMES,
    IM_CURVES,
    IM_PICTURE,
    IM_NUM_ODDITIES
} lm_im_oddity;

/* What surfaces wear, as lm_import has it. */
typedef struct lm_im_wearing {
    uint32_t num_pictures, num_dresses, num_surfaces;
    const lm_import_picture *pictures;
    const uint32_t *worn;
    bool ours;
} lm_im_wearing;

typedef struct importing {
    const char *what; /* its sentences begin so: "gltf" */
    const lm_import_options *options;
    lm_im_arena *arena;
    lm_error *error;
    char place[48];
    lm_diagnostic findings[IM_NUM_ODDITIES];
    lm_im_wearing wearing;
} importing;

/* Memory aligned for any type, cleared; NULL, with the error said, if there is none. */
void *lm_im_alloc(importing *im, uint64_t count, size_t element);
void lm_im_arena_free(lm_im_arena *arena);
/* Frees memory that was allocated last or shortly before, if it is large. */
void lm_im_drop(importing *im, const void *memory);
/* Marks such memory, so that lm_im_drop_scratch frees it: the mesh needs it while it is made. */
void lm_im_mark_scratch(importing *im, const void *memory);
void lm_im_drop_scratch(importing *im);

/* Where in the JSON something is: "accessors[3].count", for lm_im_fail. */
const char *lm_im_place(importing *im, const char *format, ...) LM_PRINTF(2, 3);
/* Fills the error: "WHAT: PLACE: SENTENCE". Returns false. `place` NULL: the file as a whole. */
bool lm_im_fail(importing *im, lm_code code, const char *place, const char *sentence, ...)
    LM_PRINTF(4, 5);
/* Counts a finding, of which `sentence` says the first. */
void lm_im_find(importing *im, lm_im_oddity oddity, const char *sentence);

#endif
