/* State shared by the steps of one import: memory, errors with a location in the JSON, diagnostics.
 */
#ifndef IMPORT_IMPORTING_H
#define IMPORT_IMPORTING_H

#include "core/arena.h"
#include "lerpmesh/import.h"

/* Kinds of data that the importer skips or repairs. */
typedef enum lm_im_issue {
    IM_POINTS,
    IM_NO_WEIGHTS,
    IM_CHANNEL,
    IM_EXTENSION,
    IM_TAG_MESH,
    IM_EMPTY_MESH,
    IM_SAME_NAMES,
    IM_CURVES,
    IM_IMAGE,
    IM_COLORS,
    IM_UNIT,
    IM_STILL,
    IM_COPIES,
    IM_SAME_CLIPS,
    IM_ONE_OBJECT,
    IM_TARGETS,
    IM_NUM_ISSUES
} lm_im_issue;

typedef struct importing {
    const char *what; /* prefix of its messages: "gltf" */
    const lm_import_options *options;
    lm_arena *arena;  /* of the result */
    lm_arena scratch; /* of the same heap; freed once the mesh is complete */
    uint64_t input;   /* bytes of the file and of the files that it refers to */
    lm_error *error;
    char location[48];
    lm_diagnostic diagnostics[IM_NUM_ISSUES];
    lm_import *import; /* the result */
} importing;

/* Counts the bytes of a file that is read, on which the limits depend. */
void lm_im_add_input(importing *im, uint64_t bytes);
/* Returns the size of the largest file to read: the given limit, or else `otherwise`. */
size_t lm_im_max_file(const importing *im, size_t otherwise);
/* Formats a location in the JSON for lm_im_fail: "accessors[3].count". */
const char *lm_im_location(importing *im, const char *format, ...) LM_PRINTF(2, 3);
/* Fills the error: "WHAT: LOCATION: SENTENCE". `location` NULL: the whole file. Returns false. */
bool lm_im_fail(importing *im, lm_code code, const char *location, const char *sentence, ...)
    LM_PRINTF(4, 5);
/* Counts a diagnostic. The first `sentence` of each kind is kept as its text. */
void lm_im_note(importing *im, lm_im_issue issue, const char *sentence);
void lm_im_note_colors(importing *im);

#endif
