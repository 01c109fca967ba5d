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

/* Vertices on a spiral, triangles over neighbours. */
void make_model(handmade *h, uint32_t num_vertices, uint32_t num_triangles);
void free_model(handmade *h);

/* Sees most of it. */
lm_gl_view any_view(void);

#endif
