#include "lerpmesh/check.h"

#include "core/options.h"
#include "core/writing.h"
#include "formats/describe.h"
#include "formats/format.h"
#include "layout/builder.h"

#include <stdio.h>
#include <string.h>

#define X(name) extern const lm_examiner lmi_examiner_##name;
#include "formats.inc"
static const lm_examiner *const examiners[] = {
#define X(name) &lmi_examiner_##name,
#include "formats.inc"
};

const lm_examiner *lmi_examiner_of(const lm_format *format) {
    size_t i = 0;
    while (examiners[i]->format != format)
        i++;
    return examiners[i];
}

static void describe(lm_bytes file, lm_layout_builder *builder) {
    const lm_examiner *examiner = lmi_examiner_of(lmi_find_format(file));
    if (examiner->layout)
        examiner->layout(file, builder);
    else
        lmi_layout_described(examiner->format->header, file, builder);
}

/* Returns the number of fields in the file's own header. */
static uint32_t header_fields(const lm_layout *layout) {
    uint32_t end = layout->num_fields;
    for (uint32_t i = 0; i < layout->num_lumps; i++) {
        const lm_lump *lump = &layout->lumps[i];
        if (lump->num_fields > 0 && lump->first_field > 0 && lump->first_field < end)
            end = lump->first_field;
    }
    return end;
}

static lm_layout_block *build(lm_bytes file, const lm_memory *memory, lm_error *error) {
    const lm_format *format = lmi_find_format(file);
    if (!format) {
        lmi_fail_unknown(file, error);
        return NULL;
    }
    lm_heap heap;
    lmi_heap_begin(&heap, memory, file.size, format->info.name, error);
    lm_layout_block *block = lmi_layout_build(file, format->info.name, describe, &heap);
    if (block)
        block->layout.num_header_fields = header_fields(&block->layout);
    return block;
}

lm_layout *lm_layout_memory(const void *data, size_t size, const lm_memory *memory,
                            lm_error *error) {
    if (!lmi_bytes_valid(data, size, __func__, error))
        return NULL;
    lm_layout_block *block = build((lm_bytes){data, size}, memory, error);
    return block ? &block->layout : NULL;
}

void lm_layout_free(lm_layout *layout) {
    lmi_object_free(layout); /* the first member of its block */
}

/* Returns the index of a lump; the number of lumps if there is no such lump. */
static uint32_t find_lump(const lm_layout *layout, const char *name) {
    uint32_t i = 0;
    while (i < layout->num_lumps && strcmp(layout->lumps[i].name, name) != 0)
        i++;
    return i;
}

/* ---- A header as a table ------------------------------------------------------------------- */

static void print_value(const lm_field *field, lm_buffer *out) {
    if (field->is_real)
        lmi_print_float(out, field->real);
    else if (field->text)
        lm_buffer_printf(out, "\"%s\"", field->text);
    else
        lm_buffer_printf(out, "%ld", (long)field->value);
}

static void widen(size_t *width, size_t length) {
    *width = length > *width ? length : *width;
}

static void print_fields(const lm_layout *layout, const lm_lump *header, lm_buffer *out) {
    const lm_field *fields = layout->fields + header->first_field;
    size_t name_width = 0, value_width = 5;
    lm_buffer scratch = {.allocator = out->allocator};
    for (uint32_t i = 0; i < header->num_fields; i++) {
        scratch.size = 0;
        print_value(&fields[i], &scratch);
        widen(&name_width, strlen(fields[i].name));
        widen(&value_width, scratch.size);
    }
    out->failed |= scratch.failed;
    lm_buffer_free(&scratch);
    lm_buffer_printf(out, "%5s  %10s  %-*s  %-*s  %s\n", "index", "offset", (int)name_width, "name",
                     (int)value_width, "value", "meaning");
    for (uint32_t i = 0; i < header->num_fields; i++) {
        lm_buffer_printf(out, "%5u  %10zu  %-*s  ", (unsigned)i, fields[i].offset, (int)name_width,
                         fields[i].name);
        size_t start = out->size;
        print_value(&fields[i], out);
        if (!out->failed)
            lm_buffer_printf(out, "%*s", (int)(start + value_width - out->size) + 2, "");
        lm_buffer_printf(out, "%s\n", fields[i].meaning);
    }
}

/* ---- Any lump ------------------------------------------------------------------------------ */

/* Fails with a sentence that lists the available names. Those of surface 0 represent all
 * surfaces. */
static bool fail_no_lump(const lm_layout_block *block, const lm_examiner *examiner,
                         const char *lump, lm_error *error) {
    if (find_lump(&block->layout, lump) < block->layout.num_lumps)
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT,
                             "%s: the lump \"%s\" consists of plain bytes and has no table",
                             block->layout.format, lump);
    char names[512];
    const lm_layout_detail *part = NULL; /* the last part with several instances */
    size_t used = 0;
    for (uint32_t i = 0; i < block->layout.num_lumps && used < sizeof names; i++) {
        const lm_layout_detail *detail = &block->details[i];
        const lm_shape *shape = detail->table.shape;
        if (detail->part)
            part = detail;
        if (detail->part && detail->index > 0)
            continue;
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "",
                                 shape ? shape->name : block->layout.lumps[i].name);
    }
    if (examiner->more_tables && used < sizeof names)
        snprintf(names + used, sizeof names - used, ", %s", examiner->more_tables);
    if (part)
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT,
                             "%s: no lump \"%s\" (%u %ss); there are %s", block->layout.format,
                             lump, (unsigned)part->index + 1, part->part, names);
    return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "%s: no lump \"%s\"; there are %s",
                         block->layout.format, lump, names);
}

/* Appends a lump or one of the format's own tables. Returns false if there is no such name. */
static bool print_lump(const lm_layout_block *block, const lm_examiner *examiner, lm_bytes file,
                       const char *name, lm_buffer *out) {
    uint32_t lump = find_lump(&block->layout, name);
    bool found = lump < block->layout.num_lumps;
    const lm_table *table = found ? &block->details[lump].table : NULL;
    if (found && !table->shape)
        print_fields(&block->layout, &block->layout.lumps[lump], out);
    else if (found && table->shape->num_columns)
        lmi_table_print(file, table, out);
    else
        return examiner->table && examiner->table(file, name, out);
    return true;
}

bool lm_layout_table(const void *data, size_t size, const char *lump, lm_buffer *out,
                     lm_error *error) {
    if (!lmi_bytes_valid(data, size, __func__, error) || !LM_GIVEN(error, lump, out) ||
        !lmi_buffer_valid(out, __func__, error))
        return false;
    lm_bytes file = {data, size};
    lm_layout_block *block = build(file, &(lm_memory){.allocator = out->allocator}, error);
    if (!block)
        return false;
    const lm_examiner *examiner = lmi_examiner_of(lmi_find_format(file));
    lm_buffer_mark mark = lmi_buffer_begin(out);
    bool known =
        print_lump(block, examiner, file, lump, out) || fail_no_lump(block, examiner, lump, error);
    lm_layout_free(&block->layout);
    return lmi_buffer_end(out, mark, known, "table", error);
}
