/* Models made by hand, of any size. */
#ifndef HANDMADE_H
#define HANDMADE_H

#include "lerpmesh/gl.h"

/* An MD2-like model of one surface and two frames, with all its memory. */
typedef struct handmade {
    lm_model model;
    lm_surface surface;
    lm_frame frames[2];
    uint8_t *keys;
    lm_vec2 *st;
    uint32_t *triangles, *file_vertices;
} handmade;

/* Places the vertices on a spiral; triangles join neighbours. */
void make_model(handmade *h, uint32_t num_vertices, uint32_t num_triangles);
void free_model(handmade *h);

/* Returns a view that shows most of the model. */
lm_gl_view any_view(void);

#endif
