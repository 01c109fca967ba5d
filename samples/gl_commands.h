/* Makes MD2's GL commands from a mesh. */
#ifndef SAMPLES_GL_COMMANDS_H
#define SAMPLES_GL_COMMANDS_H

#include "tick.h"

/* Appends strips and fans that draw each triangle of the mesh once, and the terminator. */
bool put_gl_commands(const struct mesh *mesh, lm_buffer *out);

#endif
