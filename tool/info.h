/* The two faces of `lerpmesh info`: for people and for programs. */
#ifndef TOOL_INFO_H
#define TOOL_INFO_H

#include "input.h"
#include "lerpmesh/json.h"
#include "lerpmesh/layout.h"
#include "textures.h"

void tool_info_sheet(const tool_job *job, const tool_input *input, const tool_lookup *lookup,
                     bool every_frame, lm_buffer *out);
void tool_info_json(const tool_job *job, const tool_input *input, const tool_lookup *lookup,
                    const lm_layout *layout, lm_buffer *out);

/* Each texture: where it was found, or everything that was tried. */
void tool_info_textures(const tool_lookup *lookup, lm_buffer *out);
void tool_info_json_textures(const tool_lookup *lookup, lm_json *json);

#endif
