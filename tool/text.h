/* Text for people: names from strangers made harmless, tables, numbers read strictly, guesses. */
#ifndef TOOL_TEXT_H
#define TOOL_TEXT_H

#include "lerpmesh/base.h"

/* Appends text that may come from a file: control characters, bytes that are not UTF-8 and
 * characters that turn the direction of writing become \xNN, so that no terminal obeys them. */
void tool_text(lm_buffer *out, const char *text);
/* "1 frame", "2 frames". */
void tool_count(lm_buffer *out, uint64_t count, const char *noun);

/* The whole text is a decimal number ("-1.5", "2e3") and finite. */
bool tool_parse_double(const char *text, double *value);
/* The whole text is digits, and at most `max`. */
bool tool_parse_uint(const char *text, uint64_t max, uint64_t *value);
/* Bytes: digits, with K, M or G for powers of 1024. */
bool tool_parse_size(const char *text, uint64_t max, uint64_t *value);
/* ASCII letters compare without case. */
bool tool_same_text(const char *a, const char *b);

#define TOOL_MAX_COLUMNS 8

/* A table with aligned columns. `layout` has a letter a column: l left, r right. Cells are added
 * row by row; tool_table_print appends the table, each line indented, and frees it. */
typedef struct tool_table {
    const char *layout;
    unsigned num_columns;
    size_t num_cells;
    size_t widths[TOOL_MAX_COLUMNS];
    lm_buffer cells; /* each NUL-terminated, harmless */
} tool_table;

void tool_table_begin(tool_table *table, const char *layout, const char *const *headings);
void tool_cell(tool_table *table, const char *text);
void tool_cell_format(tool_table *table, const char *format, ...) LM_PRINTF(2, 3);
void tool_cell_float(tool_table *table, float value);
void tool_table_print(tool_table *table, const char *indent, lm_buffer *out);

#endif
