/* Clips from the names of frames, and from the standard table: what a loaded model starts with. */
#ifndef LM_CLIP_NAMES_H
#define LM_CLIP_NAMES_H

#include "core/names.h"
#include "lerpmesh/clips.h"

/* Clips on their way into a block: counted first, with their names, then carved and filled by
 * adding the same again. */
typedef struct lm_clip_list {
    lm_clip *clips; /* NULL: only count */
    uint32_t count;
    uint64_t name_bytes;
    lm_names names;
    char *pool; /* what is left of the room for names */
} lm_clip_list;

/* Carves room for what was counted and starts the list anew. Returns false while the block
 * measures. */
bool lm_clip_list_carve(lm_clip_list *list, lm_block *block);
/* Adds a clip by a name of `length` bytes, none of them 0: the second `run`, or `Run`, becomes
 * `run_2`. */
void lm_clip_list_add(lm_clip_list *list, lm_clip clip, const void *text, size_t length);

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

/* Carves the clips (lerpmesh/clips.h says which) and their names out of the block; returns how
 * many there are. While the block measures, *clips is NULL. Linear in the number of frames. */
uint32_t lm_clips_carve(lm_block *block, const lm_name_fields *names, lm_clip **clips);

#endif
