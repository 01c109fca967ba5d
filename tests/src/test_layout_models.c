/* Tests layouts and tables of real models against the bytes of their files. */
#include "support.h"

static uint32_t num_models;

/* Checks that a header's values are the file's, at the offsets of the description. */
static void check_fields(const char *path, const blob *file, const lm_layout *layout) {
    assert_true(layout->num_fields > 0);
    for (uint32_t i = 0; i < layout->num_fields; i++) {
        const lm_field *field = &layout->fields[i];
        uint32_t bits = get32(file, field->offset);
        float real;
        memcpy(&real, &bits, sizeof real);
        const bool same =
            field->is_real ? real == field->real
            : field->text  ? strncmp(field->text, (const char *)file->data + field->offset, 4) == 0
                           : (int32_t)bits == field->value;
        if (!same)
            fail_msg("%s: field %s at %zu is not what is there", path, field->name, field->offset);
    }
}

/* Checks that real models have neither gaps nor overlaps: each byte belongs to one lump. */
static void check_lumps(const char *path, const lm_layout *layout) {
    AT_END(drop_bytes) uint8_t *owners = calloc(layout->file_size, 1);
    assert_non_null(owners);
    for (uint32_t i = 0; i < layout->num_lumps; i++) {
        const lm_lump *lump = &layout->lumps[i];
        const bool weighted = strcmp(layout->format, "mds") == 0 && strstr(lump->name, " vertices");
        const uint64_t least = lump->count * lump->element_size;
        assert_true(weighted ? lump->size > least : lump->size == least);
        if (lump->outside || lump->end > layout->file_size)
            fail_msg("%s: %s is outside", path, lump->name);
        for (size_t at = (size_t)lump->offset; at < lump->end; at++)
            owners[at] = owners[at] < 2 ? (uint8_t)(owners[at] + 1) : 2;
    }
    for (size_t at = 0; at < layout->file_size; at++)
        if (owners[at] != 1)
            fail_msg("%s: byte %zu is in %u lumps", path, at, (unsigned)owners[at]);
    if (layout->num_spans > 0)
        fail_msg("%s: there are %u spans, the first at %zu", path, (unsigned)layout->num_spans,
                 layout->spans[0].offset);
}

/* Returns the number of rows; `first` receives the first row's offset. */
static uint64_t rows_of(const char *text, unsigned long long *first) {
    uint64_t rows = 0;
    const char *heading = strstr(text, "offset"), *row = strchr(text, '\n');
    assert_non_null(heading);
    const char *number = row + 1 + (heading + strlen("offset") - text);
    while (number[-1] >= '0' && number[-1] <= '9')
        number--;
    assert_true(sscanf(number, "%llu", first) == 1);
    for (const char *line = strchr(text, '\n'); line && line[1]; line = strchr(line + 1, '\n'))
        rows++;
    return rows;
}

/* Checks that a table has a row per element, from the lump's first byte on. GL commands have their
 * own rows, and pixels have no table. */
static void check_table(const char *path, const blob *file, const lm_lump *lump) {
    unsigned long long first = 0;
    AT_END(lm_buffer_free) lm_buffer out = {0};
    lm_error error = {0};
    const size_t length = strlen(lump->name);
    const bool pixels = length > 7 && strcmp(lump->name + length - 7, " images") == 0;
    if (lm_layout_table(file->data, file->size, lump->name, &out, &error) == pixels)
        fail_msg("%s: %s: %s", path, lump->name, pixels ? "a table of pixels" : error.message);
    lm_buffer_append(&out, "", 1);
    if (!pixels && lump->count > 0) {
        const uint64_t rows = rows_of((const char *)out.data, &first);
        const uint64_t expected = lump->num_fields > 0 ? lump->num_fields : lump->count;
        if (first != lump->offset || (rows != expected && strcmp(lump->name, "glcmds") != 0))
            fail_msg("%s: %s at %llu has %llu elements, the table has %llu from %llu on", path,
                     lump->name, (unsigned long long)lump->offset, (unsigned long long)expected,
                     (unsigned long long)rows, first);
    }
}

static void check_model(const char *path, const blob *file) {
    lm_error error = {0};
    lm_layout *layout = lm_layout_memory(file->data, file->size, NULL, &error);
    if (!layout)
        fail_msg("%s: %s", path, error.message);
    assert_string_equal(layout->format, lm_format_by_extension(path)->name);
    assert_int_equal(layout->file_size, file->size);
    check_fields(path, file, layout);
    check_lumps(path, layout);
    for (uint32_t i = 0; i < layout->num_lumps; i++)
        if (!case_is_skipped())
            check_table(path, file, &layout->lumps[i]);
    lm_layout_free(layout);
    num_models++;
}

TEST(real_models) {
    each_model(check_model);
    assert_true(num_models >= 3); /* no MD3 among the samples */
}

/* ---- Complete layouts ---------------------------------------------------------------------- */

static void record_layout(blob file) {
    lm_error error = {0};
    lm_layout *layout = lm_layout_memory(file.data, file.size, NULL, &error);
    assert_done(layout, error);
    record_output("%s, %zu bytes", layout->format, layout->file_size);
    for (uint32_t i = 0; i < layout->num_lumps; i++) {
        const lm_lump *l = &layout->lumps[i];
        AT_END(lm_buffer_free) lm_buffer out = {0};
        record_output("%s: %llu + %llu * %llu = %llu, %llu%s, fields %u + %u", l->name,
                      (unsigned long long)l->offset, (unsigned long long)l->count,
                      (unsigned long long)l->element_size, (unsigned long long)l->size,
                      (unsigned long long)l->end, l->outside ? " outside" : "", l->first_field,
                      l->num_fields);
        if (!lm_layout_table(file.data, file.size, l->name, &out, NULL))
            continue;
        lm_buffer_append(&out, "", 1);
        assert_false(out.failed);
        record_output("%s", (const char *)out.data);
    }
    lm_layout_free(layout);
    blob_free(&file);
}

TEST(layouts_of_small_models) {
    record_layout(make_md2(&small_md2));
    record_layout(make_mdc(&small_mdc));
    record_layout(make_md3(&small_md3));
    record_layout(make_mdl());
    record_layout(make_rapo());
    assert_matches_golden("layout");
}
