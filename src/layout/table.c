#include "core/text.h"
#include "layout/builder.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MAX_TEXT 64
#define GAP "  "

const lm_column lmi_packed_columns[] = {
    LM_COLUMNS_U8("", 0), {"normal", 3, LM_CELL_U8, 0}, LM_COLUMNS_UNITS(U8, 1)};

void lmi_print_float(lm_buffer *out, float value) {
    if (isfinite(value))
        lmi_buffer_float(out, value);
    else
        lm_buffer_text(out, isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
}

void lmi_align_right(lm_buffer *out, size_t start, size_t width) {
    size_t length = out->size - start;
    if (out->failed || length >= width)
        return;
    size_t missing = width - length;
    if (!lm_buffer_reserve(out, missing))
        return;
    memmove(out->data + start + missing, out->data + start, length);
    memset(out->data + start, ' ', missing);
}

static uint32_t cell_size(const lm_column *column) {
    switch (column->type) {
    case LM_CELL_U8:
    case LM_CELL_U8_UNITS:
        return 1;
    case LM_CELL_U16:
    case LM_CELL_S16:
    case LM_CELL_S16_UNITS:
        return 2;
    case LM_CELL_S32:
    case LM_CELL_F32:
        return 4;
    case LM_CELL_TEXT:
        break;
    }
    return column->length;
}

/* Prints a number in units with up to 4 decimals. */
static void print_units(const lm_unit *unit, int number, lm_buffer *out) {
    const double value = (double)number * (double)unit->factor + (double)unit->addend;
    lmi_print_float(out, (float)(round(value * 1e4) / 1e4 + 0.0)); /* no -0 */
}

static void print_cell(const lm_column *column, const lm_unit *units, const uint8_t *element,
                       lm_buffer *out) {
    const uint8_t *bytes = element + column->offset;
    char text[4 * MAX_TEXT + 1];
    switch (column->type) {
    case LM_CELL_U8:
        lm_buffer_printf(out, "%d", bytes[0]);
        break;
    case LM_CELL_U16:
        lm_buffer_printf(out, "%d", lmi_get_u16(bytes));
        break;
    case LM_CELL_S16:
        lm_buffer_printf(out, "%d", lmi_get_s16(bytes));
        break;
    case LM_CELL_S32:
        lm_buffer_printf(out, "%ld", (long)lmi_get_s32(bytes));
        break;
    case LM_CELL_F32:
        lmi_print_float(out, lmi_get_f32(bytes));
        break;
    case LM_CELL_TEXT:
        lmi_printable(bytes, column->length, text);
        lm_buffer_text(out, text);
        break;
    case LM_CELL_U8_UNITS:
        print_units(&units[column->length], bytes[0], out);
        break;
    case LM_CELL_S16_UNITS:
        print_units(&units[column->length], lmi_get_s16(bytes), out);
        break;
    }
}

/* Returns the number of bytes of an element that the columns cover. */
static size_t covered_size(const lm_table *table) {
    size_t covered = 1;
    for (size_t i = 0; i < table->shape->num_columns; i++) {
        size_t end = (size_t)table->shape->columns[i].offset + cell_size(&table->shape->columns[i]);
        covered = end > covered ? end : covered;
    }
    return covered;
}

/* Returns how many elements of a group at `offset` are completely inside the file. */
static uint64_t count_complete(lm_bytes file, const lm_table *table, size_t offset, size_t size) {
    if (table->count == 0 || offset > file.size || file.size - offset < size)
        return 0;
    uint64_t fit = (file.size - offset - size) / table->stride + 1;
    return fit < table->count ? fit : table->count;
}

typedef struct widths {
    size_t group, index, offset, columns[LM_MAX_COLUMNS];
} widths;

static void widen(size_t *width, size_t length) {
    if (length > *width)
        *width = length;
}

static size_t number_width(const char *format, unsigned long long number) {
    return (size_t)snprintf(NULL, 0, format, number);
}

static const char *index_name(const lm_table *table) {
    return table->shape->index_name ? table->shape->index_name : "index";
}

static widths name_widths(const lm_table *table) {
    widths w = {.index = strlen(index_name(table)), .offset = strlen("offset")};
    w.group = table->shape->group_name ? strlen(table->shape->group_name) : 0;
    for (size_t i = 0; i < table->shape->num_columns; i++)
        w.columns[i] = strlen(table->shape->columns[i].name);
    return w;
}

/* A walk over the elements inside the file. `row` measures or prints one. */
typedef struct table_walk {
    lm_bytes file;
    const lm_table *table;
    widths w;
    lm_buffer *out;
    uint64_t rows;
    lm_unit grid[3];
    const lm_unit *units;
} table_walk;

static void measure_row(table_walk *walk, uint64_t group, uint64_t index, size_t offset) {
    widen(&walk->w.group, walk->table->shape->group_name ? number_width("%llu", group) : 0);
    widen(&walk->w.index, number_width("%llu", index));
    widen(&walk->w.offset, number_width("%llu", offset));
    for (size_t i = 0; i < walk->table->shape->num_columns; i++) {
        size_t start = walk->out->size;
        print_cell(&walk->table->shape->columns[i], walk->units, walk->file.data + offset,
                   walk->out);
        if (walk->out->failed)
            return;
        widen(&walk->w.columns[i], walk->out->size - start);
        walk->out->size = start;
    }
}

static void print_row(table_walk *walk, uint64_t group, uint64_t index, size_t offset) {
    lm_buffer *out = walk->out;
    size_t start = out->size;
    if (walk->table->shape->group_name) {
        lm_buffer_printf(out, "%llu", (unsigned long long)group);
        lmi_align_right(out, start, walk->w.group);
        lm_buffer_text(out, GAP);
    }
    lm_buffer_printf(out, "%*llu" GAP, (int)walk->w.index, (unsigned long long)index);
    start = out->size;
    lm_buffer_printf(out, "%zu", offset);
    lmi_align_right(out, start, walk->w.offset);
    for (size_t i = 0; i < walk->table->shape->num_columns; i++) {
        const lm_column *column = &walk->table->shape->columns[i];
        lm_buffer_text(out, GAP);
        start = out->size;
        print_cell(column, walk->units, walk->file.data + offset, out);
        if (column->type != LM_CELL_TEXT)
            lmi_align_right(out, start, walk->w.columns[i]);
        else if (i + 1 < walk->table->shape->num_columns && !out->failed)
            lm_buffer_printf(out, "%*s", (int)(start + walk->w.columns[i] - out->size), "");
    }
    lm_buffer_text(out, "\n");
}

/* Finds the units of a group. A grid that is not in the file has none of its elements there. */
static void find_units(table_walk *walk, uint64_t group) {
    const lm_table *table = walk->table;
    const uint64_t offset = table->grid + group * table->grid_stride;
    walk->units = table->shape->units ? table->shape->units : walk->grid;
    for (size_t i = 0; i < 3 && lmi_fits(walk->file.size, offset, 1, 24); i++)
        walk->grid[i] = (lm_unit){lmi_get_f32(walk->file.data + offset + 4 * i),
                                  lmi_get_f32(walk->file.data + offset + 12 + 4 * i)};
}

static void walk_rows(table_walk *walk, void (*row)(table_walk *, uint64_t, uint64_t, size_t)) {
    const lm_table *table = walk->table;
    size_t covered = covered_size(table);
    size_t size = walk->file.size, offset = table->offset < size ? (size_t)table->offset : size;
    walk->rows = 0;
    for (uint64_t group = 0; group < table->groups && !walk->out->failed; group++) {
        uint64_t there = count_complete(walk->file, table, offset, covered);
        find_units(walk, group);
        for (uint64_t i = 0; i < there && !walk->out->failed; i++)
            row(walk, table->first_group + group, i, offset + (size_t)(i * table->stride));
        walk->rows += there;
        if (there < table->count || size - offset < table->group_stride)
            break;
        offset += (size_t)table->group_stride;
    }
}

static void print_names(const table_walk *walk) {
    const lm_table *table = walk->table;
    if (table->shape->group_name)
        lm_buffer_printf(walk->out, "%*s" GAP, (int)walk->w.group, table->shape->group_name);
    lm_buffer_printf(walk->out, "%*s" GAP "%*s", (int)walk->w.index, index_name(table),
                     (int)walk->w.offset, "offset");
    for (size_t i = 0; i < table->shape->num_columns; i++) {
        int width = (int)walk->w.columns[i];
        if (table->shape->columns[i].type == LM_CELL_TEXT)
            width = i + 1 == table->shape->num_columns ? 0 : -width;
        lm_buffer_printf(walk->out, GAP "%*s", width, table->shape->columns[i].name);
    }
    lm_buffer_text(walk->out, "\n");
}

bool lmi_table_of(const char *name, const char *part, const char *elements, uint64_t num_parts,
                  uint64_t *index) {
    const size_t length = strlen(part);
    if (strncmp(name, part, length) != 0 || name[length] != ' ')
        return false;
    const char *first = name + length + 1, *digit = first;
    for (*index = 0; *digit >= '0' && *digit <= '9' && digit < first + 9; digit++)
        *index = *index * 10 + (uint64_t)(*digit - '0');
    return digit > first && *digit == ' ' && strcmp(digit + 1, elements) == 0 && *index < num_parts;
}

void lmi_table_print(lm_bytes file, const lm_table *table, lm_buffer *out) {
    lm_buffer scratch = {.allocator = out->allocator};
    table_walk walk = {.file = file, .table = table, .w = name_widths(table), .out = &scratch};
    bool valid = table->stride >= covered_size(table) &&
                 (table->groups <= 1 ||
                  (table->count && table->count <= table->group_stride / table->stride));
    if (valid)
        walk_rows(&walk, measure_row);
    out->failed |= scratch.failed;
    lm_buffer_free(&scratch);
    walk.out = out;
    print_names(&walk);
    if (valid)
        walk_rows(&walk, print_row);
    uint64_t all = table->count && table->groups > UINT64_MAX / table->count
                       ? UINT64_MAX
                       : table->count * table->groups;
    if (!valid && all)
        lm_buffer_text(out, "(the elements overlap and cannot be listed)\n");
    else if (walk.rows < all)
        lm_buffer_printf(out, "(the file ends here, after %llu of %llu)\n",
                         (unsigned long long)walk.rows, (unsigned long long)all);
}
