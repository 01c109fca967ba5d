/* What was opened, as a sheet for people or JSON for programs.
 *
 * Text is UTF-8 with LF at the end of lines; running out of memory sets the buffer's `failed`.
 */
#ifndef COMMON_DESCRIBE_H
#define COMMON_DESCRIBE_H

#include "internals.h"
#include "lerpmesh/assets.h"
#include "lerpmesh/check.h"

/* What is in a part's file: format and size, frames and their bounds, clips, surfaces, skins, tags,
 * GL commands, where its textures are, what is odd. `every_frame` lists them all. */
void lm_describe(const lm_assets *assets, uint32_t part, bool every_frame, lm_buffer *out);
/* The same as one line of JSON, the header's raw fields with it. False if it could not be made: why
 * is in `error`. */
bool lm_describe_json(const lm_assets *assets, uint32_t part, lm_buffer *out, lm_error *error);

/* Each texture of a part alone: where it was found, or everything that was tried. */
void lm_describe_textures(const lm_assets *assets, uint32_t part, bool verbose, lm_buffer *out);
void lm_describe_json_textures(const lm_assets *assets, uint32_t part, lm_json *json);

/* What is wrong with a file, as members of the object that is open: format, problems with code,
 * severity, offset, section, surface, index and message, and counts of errors, warnings, notes. */
void lm_describe_report(const lm_report *report, lm_json *json);

/* A file's anatomy, as members of the object that is open: format, bytes, the header's fields,
 * lumps with theirs, spans of no lump or of several. */
void lm_describe_layout(const lm_layout *layout, lm_json *json);

/* ---- Words --------------------------------------------------------------------------------- */

/* Appends text that may come from a file: control characters, bytes that are not UTF-8 and
 * characters that turn the direction of writing become \xNN, so that no terminal obeys them. */
void lm_text_harmless(lm_buffer *out, const char *text);
/* The same on a line of its own, behind `before`, which is as it is. */
void lm_text_line(lm_buffer *out, const char *before, const char *text);
/* The same for a path that is to be written, its first `length` bytes: %NN instead of \xNN. */
void lm_text_path(lm_buffer *out, const char *path, size_t length);
/* "1 frame", "2 frames"; "2 vertices", "2 meshes". */
void lm_text_count(lm_buffer *out, uint64_t count, const char *noun);

#define LM_TEXT_MAX_COLUMNS 8

/* A table with aligned columns. `layout` has a letter a column: l left, r right. Cells are added
 * row by row; lm_text_table_print appends the table, each line indented, and frees it. */
typedef struct lm_text_table {
    const char *layout;
    uint32_t num_columns;
    size_t num_cells;
    size_t widths[LM_TEXT_MAX_COLUMNS]; /* characters */
    lm_buffer cells;                    /* each NUL-terminated, harmless */
} lm_text_table;

void lm_text_table_begin(lm_text_table *table, const char *layout, const char *const *headings);
void lm_text_cell(lm_text_table *table, const char *text);
void lm_text_cell_printf(lm_text_table *table, const char *format, ...) LM_PRINTF(2, 3);
void lm_text_cell_float(lm_text_table *table, float value);
void lm_text_table_print(lm_text_table *table, const char *indent, lm_buffer *out);

#endif
