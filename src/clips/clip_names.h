/* Makes the clips of a loaded model from frame names and from the standard table. */
#ifndef LM_CLIP_NAMES_H
#define LM_CLIP_NAMES_H

#include "core/names.h"
#include "lerpmesh/clips.h"

/* A list of clips during its construction. */
typedef struct lm_clip_list {
    lm_arena *arena;  /* of the object that receives the clips */
    lm_arena scratch; /* memory of the list itself */
    lm_clip *clips;
    size_t count, capacity;
    lm_names names;
} lm_clip_list;

void lm_clip_list_begin(lm_clip_list *list, lm_arena *arena);
/* Adds a clip with a name of `length` bytes, none of which is 0. A second `run` or `Run` becomes
 * `run_2`. Returns false if memory ran out. */
bool lm_clip_list_add(lm_clip_list *list, lm_clip clip, const void *text, size_t length);
/* Moves the clips into the arena and frees the list. Returns false if memory ran out. */
bool lm_clip_list_end(lm_clip_list *list, const lm_clip **clips, uint32_t *count);

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
bool lm_clips_of_names(lm_arena *arena, const lm_name_fields *names, const lm_clip **clips,
                       uint32_t *count);

#endif
