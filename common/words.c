/* Text output: escaping untrusted text, and tables. */
#include "describe.h"
#include "internals.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The characters that a reader cannot see, or that change the order of others: controls and format
 * characters (general categories Cc and Cf), line and paragraph separators (Zl, Zp), and those with
 * the property Default_Ignorable_Code_Point. A test compares them with Unicode's data. */
static const uint32_t unseen[][2] = {
    {0x00, 0x1f},       {0x7f, 0x9f},       {0xad, 0xad},       {0x34f, 0x34f},
    {0x600, 0x605},     {0x61c, 0x61c},     {0x6dd, 0x6dd},     {0x70f, 0x70f},
    {0x890, 0x891},     {0x8e2, 0x8e2},     {0x115f, 0x1160},   {0x17b4, 0x17b5},
    {0x180b, 0x180f},   {0x200b, 0x200f},   {0x2028, 0x202e},   {0x2060, 0x206f},
    {0x3164, 0x3164},   {0xfe00, 0xfe0f},   {0xfeff, 0xfeff},   {0xffa0, 0xffa0},
    {0xfff0, 0xfffb},   {0x110bd, 0x110bd}, {0x110cd, 0x110cd}, {0x13430, 0x1343f},
    {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff},
};

static bool is_harmless(uint32_t value) {
    for (size_t i = 0; i < sizeof unseen / sizeof *unseen && value >= unseen[i][0]; i++)
        if (value <= unseen[i][1])
            return false;
    return true;
}

/* Appends text. Each byte of an unsafe character becomes `sign` and two hexadecimal digits. */
static void escape(lm_buffer *out, const char *text, size_t size, const char *sign) {
    const unsigned char *bytes = (const unsigned char *)text;
    while (size > 0) {
        uint32_t value = 0;
        size_t length = lmi_utf8_decode(bytes, size, &value);
        if (length > 0 && is_harmless(value)) {
            lm_buffer_append(out, bytes, length);
        } else {
            length = length > 0 ? length : 1;
            for (size_t i = 0; i < length; i++)
                lm_buffer_printf(out, "%s%02x", sign, bytes[i]);
        }
        bytes += length;
        size -= length;
    }
}

void lmi_text_harmless(lm_buffer *out, const char *text) {
    escape(out, text, strlen(text), "\\x");
}

void lmi_text_line(lm_buffer *out, const char *before, const char *text) {
    lm_buffer_text(out, before);
    lmi_text_harmless(out, text);
    lm_buffer_text(out, "\n");
}

void lmi_text_path(lm_buffer *out, const char *path, size_t length) {
    escape(out, path, length, "%");
}

/* Returns the width on a terminal in characters, not bytes. */
static size_t text_width(const char *text) {
    size_t width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xc0) != 0x80;
    return width;
}

static void end_cell(lm_text_table *table, size_t start) {
    lm_buffer_append(&table->cells, "", 1);
    if (table->cells.failed)
        return;
    size_t column = table->num_cells++ % table->num_columns;
    size_t width = text_width((const char *)table->cells.data + start);
    if (width > table->widths[column])
        table->widths[column] = width;
}

void lmi_text_table_begin(lm_text_table *table, const char *layout, const char *const *headings) {
    *table = (lm_text_table){.layout = layout, .num_columns = (uint32_t)strlen(layout)};
    for (uint32_t i = 0; i < table->num_columns; i++)
        lmi_text_cell(table, headings[i]);
}

void lmi_text_cell(lm_text_table *table, const char *text) {
    size_t start = table->cells.size;
    lmi_text_harmless(&table->cells, text);
    end_cell(table, start);
}

void lmi_text_cell_printf(lm_text_table *table, const char *format, ...) {
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    lmi_text_cell(table, text);
}

void lmi_text_cell_float(lm_text_table *table, float value) {
    size_t start = table->cells.size;
    lmi_buffer_float(&table->cells, value);
    end_cell(table, start);
}

/* Prints one row; `cell` is its first cell. Returns the first cell after it. */
static const char *print_row(const lm_text_table *table, const char *cell, const char *indent,
                             lm_buffer *out) {
    size_t spaces = 0; /* to print before the next cell, if any follows */
    lm_buffer_text(out, indent);
    for (uint32_t column = 0; column < table->num_columns; column++, cell += strlen(cell) + 1) {
        size_t padding = table->widths[column] - text_width(cell);
        bool right = table->layout[column] == 'r';
        if (*cell) {
            lm_buffer_printf(out, "%*s%s", (int)(spaces + (right ? padding : 0)), "", cell);
            spaces = 0;
        }
        spaces += 2 + (right && *cell ? 0 : padding);
    }
    lm_buffer_text(out, "\n");
    return cell;
}

void lmi_text_table_print(lm_text_table *table, const char *indent, lm_buffer *out) {
    const char *cell = (const char *)table->cells.data;
    if (!table->cells.failed)
        for (size_t i = 0; i < table->num_cells; i += table->num_columns)
            cell = print_row(table, cell, indent, out);
    out->failed = out->failed || table->cells.failed;
    lm_buffer_free(&table->cells);
}
