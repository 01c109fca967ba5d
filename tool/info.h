/* The two faces of `lerpmesh info`: for people and for programs. */
#ifndef TOOL_INFO_H
#define TOOL_INFO_H

#include "input.h"
#include "lerpmesh/layout.h"

void tool_info_sheet(const tool_job *job, const tool_input *input, bool every_frame,
                     lm_buffer *out);
void tool_info_json(const tool_job *job, const tool_input *input, const lm_layout *layout,
                    lm_buffer *out);

#endif
