/* Clips from frame names, from the standard table, and from the text of clips files. */
#ifndef LM_CLIP_NAMES_H
#define LM_CLIP_NAMES_H

#include "core/names.h"
#include "lerpmesh/clips.h"

/* ---- Clips of a loaded model ----------------------------------------------------------------- */

/* A list of clips during its construction. */
typedef struct lm_clip_list {
    lm_arena *arena;  /* of the object that receives the clips */
    lm_arena scratch; /* memory of the list itself */
    lm_clip *clips;
    size_t count, capacity;
    lm_names names;
} lm_clip_list;

void lmi_clip_list_begin(lm_clip_list *list, lm_arena *arena);
/* Adds a clip with a name of `length` bytes, none of which is 0. A second `run` or `Run` becomes
 * `run_2`. Returns false if memory ran out. */
bool lmi_clip_list_add(lm_clip_list *list, lm_clip clip, const void *text, size_t length);
/* Moves the clips into the arena and frees the list. Returns false if memory ran out. */
bool lmi_clip_list_end(lm_clip_list *list, const lm_clip **clips, uint32_t *count);

/* The frames' names as in a file: `size` raw bytes each, `stride` bytes apart. */
typedef struct lm_name_fields {
    const uint8_t *first;
    size_t stride;
    size_t size;
    uint32_t count;
    /* [count] each frame's group. A group other than 0 becomes one clip, regardless of the names,
     * and no clip spans several groups. NULL: only names matter. */
    const uint32_t *groups;
    const size_t *locations; /* [count] offsets in the file; NULL: `stride` apart */
} lm_name_fields;

/* Makes clips and their names (see lerpmesh/clips.h) in linear time. Returns false if memory ran
 * out. */
bool lmi_clips_of_names(lm_arena *arena, const lm_name_fields *names, const lm_clip **clips,
                        uint32_t *count);

/* Fills `clips` with those of the standard table; clips beyond `num_frames` are shortened or
 * dropped. Returns false if memory ran out. */
bool lmi_clips_of_table(lm_arena *arena, uint32_t num_frames, lm_clips *clips);

/* ---- Clips of the caller -------------------------------------------------------------------- */

/* Checks all requirements of lm_clip for a model of `num_frames` frames. If one is not met, fills
 * `error` with LM_CODE_BAD_ARGUMENT and a sentence that begins with `of` and `index`, and returns
 * false. */
bool lmi_clip_valid(const lm_clip *clip, uint32_t num_frames, const char *of, uint32_t index,
                    lm_error *error);

/* ---- Playback -------------------------------------------------------------------------------- */

/* Returns the clip that shows a model at rest. It is the first one named `stand` or `idle`. If
 * there is none, it is the first whose name begins with one of these words, or else contains one
 * (`LEGS_IDLE`), or else the first clip. The comparison is case-insensitive. Returns NULL if there
 * are no clips. */
const lm_clip *lmi_rest_clip(const lm_clip *clips, uint32_t num_clips);

/* Converts seconds since the start of a clip to played frames: the inverse of lm_clip_seconds. */
double lmi_clip_frames(const lm_clip *clip, double seconds);

/* Returns the number of frames that show these seconds at a rate; at least one. The end of a loop
 * has no frame of its own: it is the beginning. */
double lmi_frames_at(double seconds, bool loops, double fps);

/* ---- The text of a clips file: lines, words, numbers and comments ---------------------------- */

typedef struct lm_word {
    const uint8_t *text;
    size_t length;
} lm_word;

/* Words kept per line. A row has at most seven. */
#define LM_LINE_WORDS 7

typedef struct lmi_text_line {
    size_t number;    /* from 1 */
    size_t num_words; /* at most LM_LINE_WORDS; further words are skipped */
    lm_word words[LM_LINE_WORDS];
    const uint8_t *words_end; /* after the quotation mark of the last word */
    lm_word comment;          /* the text after "//", without surrounding spaces */
    const uint8_t *end;       /* of the line's text, without spaces after it */
} lmi_text_line;

/* The clips of a weapon, in the order of the rows of weapon.cfg. The last two may be missing. */
#define LM_WEAPON_CLIPS 12
#define LM_FEWEST_WEAPON_CLIPS 10
#define LM_STILL_WEAPON_FPS 20 /* of a row that shows the weapon at rest */
extern const char *const lmi_weapon_clips[LM_WEAPON_CLIPS];

/* A row as written, before it is checked against the model. */
typedef struct lm_clips_row {
    int64_t first, count;
    int64_t loop; /* frames that repeat; negative: all */
    double fps;
    lm_word name;    /* in full; length 0: the row has no name */
    int64_t bits[3]; /* of weapon.cfg: animated barrels, animated weapon, hidden barrels */
} lm_clips_row;

/* A row in its file. The words are views of the text. */
typedef struct lm_clips_place {
    lm_clips_format format;
    lm_clips_row row;
    lmi_text_line line;
    int64_t legs_offset; /* which was subtracted from `first` if the name begins with LEGS_ */
} lm_clips_place;

/* Does the same as lm_clips_read and fills `place` with the row of a clip. `place` stays as it was
 * if there is no such clip. */
lm_clips *lmi_clips_read_place(const void *text, size_t size, uint32_t num_frames,
                               const lm_clips_options *options, uint32_t clip,
                               lm_clips_place *place, lm_error *error);

/* ---- Times of clips ----------------------------------------------------------------------------
 */

/* Returns true if all frames of a clip last as long as in Quake and Quake II. */
bool lmi_plays_normally(const lm_clip *clip);
/* Counts the clips with other durations or backwards playback; `first` is the first of them. */
uint32_t lmi_count_unusual_clips(const lm_clip *clips, uint32_t count, const lm_clip **first);
/* Returns whether a format without times loses those of a clip, with the sentence that says so.
 * `hand`: the clips belong in a weapon.cfg. */
bool lmi_clips_lose_times(const lm_clip *clips, uint32_t count, bool hand, lm_error *loss);

#endif
