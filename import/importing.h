/* What the steps of one import share: memory, errors with a place in the JSON, findings. */
#ifndef IMPORT_IMPORTING_H
#define IMPORT_IMPORTING_H

#include "core/arena.h"
#include "lerpmesh/import.h"

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
    lm_arena *arena;  /* the result's */
    lm_arena scratch; /* of the same heap, freed when the mesh is made */
    lm_error *error;
    char place[48];
    lm_diagnostic findings[IM_NUM_ODDITIES];
    lm_im_wearing wearing;
} importing;

/* Where in the JSON something is: "accessors[3].count", for lm_im_fail. */
const char *lm_im_place(importing *im, const char *format, ...) LM_PRINTF(2, 3);
/* Fills the error: "WHAT: PLACE: SENTENCE". Returns false. `place` NULL: the file as a whole. */
bool lm_im_fail(importing *im, lm_code code, const char *place, const char *sentence, ...)
    LM_PRINTF(4, 5);
/* Counts a finding, of which `sentence` says the first. */
void lm_im_find(importing *im, lm_im_oddity oddity, const char *sentence);

#endif
