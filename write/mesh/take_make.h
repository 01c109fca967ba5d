/* Making takes that own all they point to. */
#ifndef LM_MESH_TAKE_MAKE_H
#define LM_MESH_TAKE_MAKE_H

#include "core/heap.h"
#include "lerpmesh/mesh.h"

/* A take is made like another, of which all is copied but what moves: that is filled in. */
typedef struct lm_take_making {
    lm_take like; /* its positions and poses are not looked at, of normals only whether there are */
    /* Fills in a surface's vertices in every frame; `normals` is NULL where there are none. */
    void (*fill_surface)(const void *context, uint32_t surface, float *positions, float *normals);
    /* A tag's poses in every frame. */
    void (*fill_tag)(const void *context, uint32_t tag, lm_transform *poses);
    const void *context;
} lm_take_making;

/* NULL, and why, if there is no memory. */
lm_take *lm_make_take(const lm_take_making *making, lm_heap *heap);

/* Moves a mesh that its caller owns in place, as lm_take_place does. False, and why. */
bool lm_take_move(lm_take *take, const lm_transform *to, lm_error *error);
/* Turns triangles to face the other way; `corners` may be NULL. */
void lm_take_turn(uint32_t *corners, uint32_t num_triangles);

/* That there are frames, and that clips lie within them. */
bool lm_take_check_clips(const lm_take *take, lm_error *error);

/* The heap of a call that makes a take: without bounds where `memory` has none. */
void lm_take_heap(lm_heap *heap, const lm_memory *memory, lm_error *error);

#endif
