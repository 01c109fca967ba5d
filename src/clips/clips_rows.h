/* Finds the row of a clips file that a clip was read from. */
#ifndef LM_CLIPS_ROWS_H
#define LM_CLIPS_ROWS_H

#include "clips/clips_text.h"
#include "lerpmesh/clips.h"

/* A row as written, before it is checked against the model. */
typedef struct lm_clips_row {
    int64_t first, count;
    int64_t loop; /* frames that repeat; negative: all */
    double fps;
    lm_word name; /* in full; length 0: the row has no name */
} lm_clips_row;

/* A row in its file. The words are views of the text. */
typedef struct lm_clips_place {
    lm_clips_format format;
    lm_clips_row row;
    lm_text_line line;
    int64_t legs_offset; /* which was subtracted from `first` if the name begins with LEGS_ */
} lm_clips_place;

/* Does the same as lm_clips_read and fills `place` with the row of a clip. `place` stays as it was
 * if there is no such clip. */
lm_clips *lm_clips_read_place(const void *text, size_t size, uint32_t num_frames,
                              const lm_clips_options *options, uint32_t clip, lm_clips_place *place,
                              lm_error *error);

#endif
