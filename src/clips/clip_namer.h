/* Names for clips that are told apart: the second `run` becomes `run_2`. */
#ifndef LM_CLIP_NAMER_H
#define LM_CLIP_NAMER_H

#include "core/heap.h"
#include "lerpmesh/model.h"

/* The most that telling apart adds to a name: '_', ten digits and the NUL. */
#define LM_CLIP_SUFFIX_ROOM 12

/* A hash table of the names given so far, so that a hundred thousand clips stay linear. */
typedef struct lm_clip_namer {
    lm_clip *clips;
    uint32_t *table;    /* clip + 1, 0 where free; a power of two of them, at most half full */
    uint32_t *suffixes; /* [clips] the next number to try behind each clip's name */
    char *pool;         /* what is left of the room for names */
    uint32_t mask;
} lm_clip_namer;

/* Carves room for `num_clips` clips whose names have `name_bytes` bytes together, before they are
 * told apart. Returns false while the block measures. */
bool lm_clip_namer_carve(lm_clip_namer *namer, lm_block *block, uint32_t num_clips,
                         uint64_t name_bytes);
/* Names clip `index`. Names that differ in case only count as the same. */
void lm_clip_namer_name(lm_clip_namer *namer, uint32_t index, const void *text, size_t length);

#endif
