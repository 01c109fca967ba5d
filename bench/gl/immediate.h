/* Drawing as the descriptions of MD2 have it: every vertex decoded, mixed and sent one by one. */
#ifndef BENCH_GL_IMMEDIATE_H
#define BENCH_GL_IMMEDIATE_H

#include "lerpmesh/gl.h"

/* Draws an MD2's pose with what OpenGL has bound, by triangles or by GL commands. */
void immediate_triangles(const lm_model *model, lm_pose pose);
void immediate_commands(const lm_model *model, lm_pose pose);

#endif
