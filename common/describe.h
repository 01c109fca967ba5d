/* Descriptions of opened models: a text sheet, or JSON.
 *
 * Text is UTF-8 with LF line ends. If memory runs out, the buffer's `failed` is set. */
#ifndef COMMON_DESCRIBE_H
#define COMMON_DESCRIBE_H

#include "internals.h"
#include "lerpmesh/assets.h"
#include "lerpmesh/check.h"

/* Appends a text description of a part's file: format and size, frames and their bounds, clips,
 * surfaces, skins, tags, GL commands, textures and warnings. `every_frame` adds a list of all
 * frames. */
void lmi_describe(const lm_assets *assets, uint32_t part, bool every_frame, lm_buffer *out);
/* Appends the same as one line of JSON, with the header's raw fields. `report`: also its numbers of
 * errors, warnings and notes; NULL: none. Fails with the reason in `error`. */
bool lmi_describe_json(const lm_assets *assets, uint32_t part, const lm_report *report,
                       lm_buffer *out, lm_error *error);

/* Append members of this description that a model alone has. `path`: the clips file; NULL: none. */
void lmi_describe_json_frames(const lm_model *model, lm_json *json);
void lmi_describe_json_clips(const lm_clip *clips, uint32_t count, const char *path, lm_json *json);
void lmi_describe_json_surfaces(const lm_model *model, lm_json *json);
void lmi_describe_json_tags(const lm_model *model, lm_json *json);
/* Appends one warning, as an element of an array. */
void lmi_describe_json_warning(const lm_diagnostic *warning, lm_json *json);

/* Append only the textures of a part: the file of each, or all paths that were tried. */
void lmi_describe_textures(const lm_assets *assets, uint32_t part, bool verbose, lm_buffer *out);
void lmi_describe_json_textures(const lm_assets *assets, uint32_t part, lm_json *json);

/* Appends a check report, as members of the open object: format, problems with code, severity,
 * offset, section, surface, index and message, and the number of errors, warnings and notes. */
void lmi_describe_report(const lm_report *report, lm_json *json);

/* Appends a file's layout, as members of the open object: format, bytes, the header's fields, lumps
 * with their fields, and the unclaimed and overlapping spans. */
void lmi_describe_layout(const lm_layout *layout, lm_json *json);

/* ---- Text ------------------------------------------------------------------------------------ */

/* Appends text that may come from a file. Characters that a reader cannot see or that change the
 * order of others, and bytes that are not UTF-8, become \xNN, so that no terminal interprets
 * them. */
void lmi_text_harmless(lm_buffer *out, const char *text);
/* Appends it as a line, after `before`, which is not escaped. */
void lmi_text_line(lm_buffer *out, const char *before, const char *text);
/* Appends the first `length` bytes of a path to write, escaped as %NN instead of \xNN. */
void lmi_text_path(lm_buffer *out, const char *path, size_t length);

#define LM_TEXT_MAX_COLUMNS 8

/* A table with aligned columns. `layout` has one letter per column: l left, r right. Add the cells
 * row by row; lmi_text_table_print appends the table, each line indented, and frees it. */
typedef struct lm_text_table {
    const char *layout;
    uint32_t num_columns;
    size_t num_cells;
    size_t widths[LM_TEXT_MAX_COLUMNS]; /* characters */
    lm_buffer cells;                    /* each NUL-terminated and escaped */
} lm_text_table;

void lmi_text_table_begin(lm_text_table *table, const char *layout, const char *const *headings);
void lmi_text_cell(lm_text_table *table, const char *text);
void lmi_text_cell_printf(lm_text_table *table, const char *format, ...) LM_PRINTF(2, 3);
void lmi_text_cell_float(lm_text_table *table, float value);
void lmi_text_table_print(lm_text_table *table, const char *indent, lm_buffer *out);

#endif
