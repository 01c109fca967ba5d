/* Draws as in the descriptions of MD2: every vertex is decoded, blended and sent one by one. */
#ifndef BENCH_GL_IMMEDIATE_H
#define BENCH_GL_IMMEDIATE_H

#include "lerpmesh/gl.h"

/* Draw an MD2's pose with the bound OpenGL state, by triangles or by GL commands. */
void immediate_triangles(const lm_model *model, lm_pose pose);
void immediate_commands(const lm_model *model, lm_pose pose);

#endif
