/* Parses a shader of a script. */
#ifndef LM_SHADERS_SHADER_H
#define LM_SHADERS_SHADER_H

#include "core/arena.h"
#include "lerpmesh/assets.h"

/* lm_script_shader_read, into an arena's memory. Fails if there is none. */
bool lm_shader_fill(const lm_script *script, uint32_t number, lm_arena *arena,
                    lm_script_shader *out);

#endif
