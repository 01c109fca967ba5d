/* Clips from the names of frames, and from the standard table: what a loaded model starts with. */
#ifndef LM_CLIP_NAMES_H
#define LM_CLIP_NAMES_H

#include "core/names.h"
#include "lerpmesh/clips.h"

/* Clips that are being collected. */
typedef struct lm_clip_list {
    lm_arena *arena;  /* of the object that gets them */
    lm_arena scratch; /* of the list */
    lm_clip *clips;
    size_t count, capacity;
    lm_names names;
} lm_clip_list;

void lm_clip_list_begin(lm_clip_list *list, lm_arena *arena);
/* Adds a clip by a name of `length` bytes, none of them 0: the second `run`, or `Run`, becomes
 * `run_2`. False if memory ran out. */
bool lm_clip_list_add(lm_clip_list *list, lm_clip clip, const void *text, size_t length);
/* Moves the clips into the arena and frees the list. False if memory ran out. */
bool lm_clip_list_end(lm_clip_list *list, const lm_clip **clips, uint32_t *count);

/* The frames' names as they lie in a file: `size` raw bytes each, `stride` bytes apart. */
typedef struct lm_name_fields {
    const uint8_t *first;
    size_t stride;
    size_t size;
    uint32_t count;
    /* [count] frames of one group that is not 0 are one clip, whatever they are called; those of
     * different groups are in different clips. NULL: names alone decide. */
    const uint32_t *groups;
    const size_t *locations; /* [count] where each lies in the file; NULL: `stride` apart */
} lm_name_fields;

/* Makes the clips (lerpmesh/clips.h describes them) and their names. Linear in the number of
 * frames. False if memory ran out. */
bool lm_clips_of_names(lm_arena *arena, const lm_name_fields *names, const lm_clip **clips,
                       uint32_t *count);

#endif
