/* The two faces of `lerpmesh info`: for people and for programs. */
#ifndef TOOL_INFO_H
#define TOOL_INFO_H

#include "lerpmesh/json.h"
#include "lerpmesh/layout.h"
#include "open.h"

/* Of the first part. */
void tool_info_sheet(const tool_job *job, const lm_assets *assets, bool every_frame,
                     lm_buffer *out);
void tool_info_json(const tool_job *job, const lm_assets *assets, const lm_layout *layout,
                    lm_buffer *out);

/* Each texture: where it was found, or everything that was tried. */
void tool_info_textures(const lm_assets *assets, lm_buffer *out);
void tool_info_json_textures(const lm_assets *assets, lm_json *json);

/* How many of a layout's fields are the file's own header; what a surface's header has comes
 * behind them. */
uint32_t tool_header_fields(const lm_layout *layout);

#endif
