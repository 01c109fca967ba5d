/* Captures the output of the vertex shader by transform feedback. */
#ifndef GL_CAPTURE_H
#define GL_CAPTURE_H

#include "lerpmesh/gl.h"

/* Writes 3 * num_vertices floats each: a surface of an instance before its transform. `instanced`
 * uses the shader of lm_gl_draw_instances. A complete framebuffer must be bound. */
bool capture(lm_gl_model *model, uint32_t surface, const lm_gl_instance *instance, bool instanced,
             float *positions, float *normals, lm_error *error);

#endif
