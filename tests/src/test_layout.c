/* Tests layouts and tables of unusual and damaged files. Those of valid ones are in
 * test_layout_models.c and its golden file, failing memory in test_damage.c. */
#include "formats/describe.h"
#include "support.h"

/* ---- Files made by hand -------------------------------------------------------------------- */

typedef struct image {
    uint8_t bytes[2048];
    size_t size;
} image;

static void set32(image *f, size_t offset, int32_t value) {
    for (size_t i = 0; i < 4; i++)
        f->bytes[offset + i] = (uint8_t)((uint32_t)value >> 8 * i);
}

static void add32(image *f, int32_t value) {
    set32(f, f->size, value);
    f->size += 4;
}

static void add16(image *f, int value) {
    f->bytes[f->size++] = (uint8_t)value;
    f->bytes[f->size++] = (uint8_t)((unsigned)value >> 8);
}

static void add_float(image *f, float value) {
    int32_t bits;
    memcpy(&bits, &value, sizeof bits);
    add32(f, bits);
}

static void add_text(image *f, const char *text, size_t room) {
    memcpy(f->bytes + f->size, text, strlen(text));
    f->size += room;
}

/* Header fields of an MD2 by number. */
enum {
    MD2_FRAMESIZE = 4,
    MD2_NUM_XYZ = 6,
    MD2_NUM_GLCMDS = 9,
    MD2_NUM_FRAMES = 10,
    MD2_OFS_SKINS = 11,
    MD2_OFS_ST,
    MD2_OFS_TRIS,
    MD2_OFS_FRAMES,
    MD2_OFS_GLCMDS,
    MD2_OFS_END
};

static void put_md2_frames(image *f) {
    for (int frame = 0; frame < 2; frame++) {
        for (int i = 0; i < 6; i++)
            add_float(f, (float)i + 0.5f);
        add_text(f, frame ? "run02" : "run01", 16);
        for (int vertex = 0; vertex < 3; vertex++)
            add32(f, 0x04030201 + vertex + 16 * frame);
    }
}

/* 1 skin, 3 st, 1 triangle, 2 frames of 3 vertices, a strip of 3. */
static image handmade_md2(void) {
    static const int32_t header[] = {LM_MD2_IDENT, 8, 64, 32,  52,  1,   3,   3,  1,
                                     11,           2, 68, 132, 144, 156, 260, 304};
    image f = {.size = 0};
    for (size_t i = 0; i < 17; i++)
        add32(&f, header[i]);
    add_text(&f, "players/a.pcx", 64);
    for (int i = 0; i < 6; i++)
        add16(&f, i * 7 - 3);
    for (int i = 0; i < 6; i++)
        add16(&f, i % 3);
    put_md2_frames(&f);
    add32(&f, 3);
    for (int i = 0; i < 3; i++) {
        add_float(&f, 0.25f * (float)i);
        add_float(&f, 1);
        add32(&f, i);
    }
    add32(&f, 0);
    return f;
}

enum {
    MDC_OFS_SURFACES = 104,
    MDC_SURFACE_0 = 112 + 2 * 56 + 64 + 2 * 12,
    MDC_SURFACE_SIZE = 124 + 12 + 68 + 24 + 24 + 12 + 4 + 4
};

static void put_mdc_surface(image *f, const char *name) {
    static const int32_t numbers[] = {0,   1,   1,   1,   3,   1,   124,
                                      136, 204, 228, 252, 264, 268, MDC_SURFACE_SIZE};
    add32(f, 7);
    add_text(f, name, 64);
    for (size_t i = 0; i < 14; i++)
        add32(f, numbers[i]);
    for (int i = 0; i < 3; i++)
        add32(f, i);
    add_text(f, "a.tga", 68);
    for (int i = 0; i < 6; i++)
        add_float(f, 0.5f);
    for (int i = 0; i < 12; i++)
        add16(f, i - 6);
    for (int i = 0; i < 3; i++)
        add32(f, 0x7f7f7f7f);
    add32(f, 0);
    add16(f, 0);
    add16(f, -1);
}

/* 2 frames, 1 tag, 2 surfaces. */
static image handmade_mdc(void) {
    image f = {.size = 0};
    const int32_t numbers[] = {
        0, 2, 1, 2, 0, 112, 224, 288, MDC_SURFACE_0, MDC_SURFACE_0 + 2 * MDC_SURFACE_SIZE};
    add32(&f, LM_MDC_IDENT);
    add32(&f, 2);
    add_text(&f, "bell ~\a\177.mdc", 64);
    for (size_t i = 0; i < 10; i++)
        add32(&f, numbers[i]);
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 10; k++)
            add_float(&f, (float)k);
        add_text(&f, "frame", 16);
    }
    add_text(&f, "tag_hat", 64);
    for (int i = 0; i < 12; i++)
        add16(&f, -i);
    put_mdc_surface(&f, "jaw");
    put_mdc_surface(&f, "eyes");
    return f;
}

/* ---- Helpers ------------------------------------------------------------------------------- */

static lm_layout *layout_of(const image *f) {
    lm_error error = {0};
    lm_layout *layout = lm_layout_memory(f->bytes, f->size, NULL, &error);
    assert_done(layout, error);
    return layout;
}

static const lm_lump *lump_of(const lm_layout *layout, const char *name) {
    for (uint32_t i = 0; i < layout->num_lumps; i++)
        if (strcmp(layout->lumps[i].name, name) == 0)
            return &layout->lumps[i];
    fail_msg("no lump %s", name);
    return NULL;
}

static void expect_span(const lm_span *span, lm_span_kind kind, size_t offset, size_t size,
                        const char *before, const char *after) {
    assert_int_equal(span->kind, kind);
    assert_int_equal(span->offset, offset);
    assert_int_equal(span->size, size);
    assert_string_equal(span->before ? span->before : "", before);
    assert_string_equal(span->after ? span->after : "", after);
}

/* Returns the table as text, to be freed by the caller. */
static char *table_of(const image *f, const char *lump) {
    AT_END(lm_buffer_free) lm_buffer out = {0};
    lm_error error = {0};
    assert_done(lm_layout_table(f->bytes, f->size, lump, &out, &error), error);
    lm_buffer_append(&out, "", 1);
    char *text = malloc(out.size);
    memcpy(text, out.data, out.size);
    return text;
}

static void expect_table(const image *f, const char *lump, const char *expected) {
    AT_END(drop_bytes) char *text = table_of(f, lump);
    assert_string_equal(text, expected);
}

/* Counts for each byte of the file the lumps that contain it, slowly and plainly. */
static void check_spans(const lm_layout *layout, int64_t named_end) {
    AT_END(drop_bytes)
    uint8_t *held = calloc(layout->file_size, 1), *told = calloc(layout->file_size, 1);
    size_t last = 0;
    for (uint32_t i = 0; i < layout->num_lumps; i++) {
        const lm_lump *lump = &layout->lumps[i];
        assert_true(!lump->outside || lump->end > layout->file_size);
        for (uint64_t at = lump->offset; at < lump->end && at < layout->file_size; at++) {
            held[at] = held[at] < 2 ? (uint8_t)(held[at] + 1) : 2;
            last = at + 1 > last ? (size_t)at + 1 : last;
        }
    }
    for (uint32_t i = 0; i < layout->num_spans; i++) {
        const lm_span *span = &layout->spans[i];
        assert_true(span->size > 0 && span->size <= layout->file_size - span->offset);
        assert_true(i == 0 || span[-1].offset <= span->offset);
        memset(told + span->offset, 'g' + (int)span->kind, span->size);
    }
    for (size_t at = 0; at < layout->file_size; at++) {
        bool behind = at >= last && (int64_t)at >= named_end;
        int expected = held[at] == 0 ? (behind ? 'g' + LM_SPAN_TRAILING : 'g' + LM_SPAN_GAP)
                                     : (held[at] == 1 ? 0 : 'g' + LM_SPAN_OVERLAP);
        assert_int_equal(told[at], expected);
    }
}

/* ---- Tests --------------------------------------------------------------------------------- */

/* A surface whose frames are all its one base frame may omit both tables. */
TEST(test_mdc_absent_tables) {
    image f = handmade_mdc();
    size_t start = MDC_SURFACE_0 + 68;
    set32(&f, start + 4, 0);
    set32(&f, start + 44, 0);
    set32(&f, start + 48, 0);
    OWNED(lm_layout) *layout = layout_of(&f);
    assert_int_equal(lump_of(layout, "surface 0 base frame table")->count, 0);
    assert_int_equal(lump_of(layout, "surface 0 compressed frame table")->count, 0);
    assert_string_equal(layout->fields[2].text, "bell ~\\x07\\x7f.mdc");
    assert_int_equal(layout->num_spans, 1);
    expect_span(layout->spans, LM_SPAN_GAP, MDC_SURFACE_0 + 252, 20, "surface 0 base vertices",
                "surface 1");
}

TEST(test_spans) {
    image f = handmade_md2();
    set32(&f, 4 * MD2_OFS_ST, 128);
    f.size += 10;
    OWNED(lm_layout) *layout = layout_of(&f);
    assert_int_equal(layout->num_spans, 3);
    expect_span(&layout->spans[0], LM_SPAN_OVERLAP, 128, 4, "skins", "st");
    expect_span(&layout->spans[1], LM_SPAN_GAP, 140, 4, "st", "triangles");
    expect_span(&layout->spans[2], LM_SPAN_TRAILING, 304, 10, "glcmds", "");
    lm_layout_free(layout);
    set32(&f, 4 * MD2_OFS_END, 308);
    layout = layout_of(&f);
    assert_int_equal(layout->num_spans, 4);
    expect_span(&layout->spans[2], LM_SPAN_GAP, 304, 4, "glcmds", "");
    expect_span(&layout->spans[3], LM_SPAN_TRAILING, 308, 6, "glcmds", "");
}

TEST(test_outside) {
    image f = handmade_md2();
    set32(&f, 4 * MD2_OFS_SKINS, -4);
    set32(&f, 4 * MD2_NUM_FRAMES, -1);
    set32(&f, 4 * MD2_OFS_FRAMES, 900000);
    set32(&f, 4 * MD2_NUM_GLCMDS, 12);
    OWNED(lm_layout) *layout = layout_of(&f);
    assert_true(lump_of(layout, "skins")->outside);
    assert_int_equal(lump_of(layout, "frames")->count, 0);
    assert_false(lump_of(layout, "frames")->outside);
    assert_true(lump_of(layout, "glcmds")->outside);
    assert_int_equal(lump_of(layout, "glcmds")->end, 308);
}

TEST(test_gl_command_table) {
    image f = handmade_md2();
    AT_END(drop_bytes) char *text = table_of(&f, "glcmds");
    assert_non_null(strstr(text, "       0         260  strip of 3\n"));
    assert_non_null(strstr(text, "            0.25              1           1\n"));
    assert_non_null(strstr(text, "      10         300  stop\n"));
    free(text);
    set32(&f, 260, INT32_MIN);
    text = table_of(&f, "glcmds");
    assert_non_null(strstr(text, "fan of 2147483648\n"));
    assert_non_null(strstr(text, "(cut off: 2147483645 vertices are missing)\n"));
    free(text);
    set32(&f, 260, 0);
    text = table_of(&f, "glcmds");
    assert_non_null(strstr(text, "stop\n(after the stop: 10 integers)\n"));
    free(text);
    set32(&f, 260, 3);
    set32(&f, 4 * MD2_NUM_GLCMDS, 10);
    text = table_of(&f, "glcmds");
    assert_non_null(strstr(text, "(no stop)\n"));
}

TEST(test_cut_table) {
    image f = handmade_md2();
    f.size = 139;
    expect_table(&f, "st",
                 "index  offset   s  t\n"
                 "    0     132  -3  4\n"
                 "(the file ends here, after 1 of 3)\n");
    f = handmade_md2();
    expect_table(&f, "frame 1 vertices",
                 "frame  vertex  offset   x  y  z  normal  x units  y units  z units\n"
                 "    1       0     248  17  2  3       4       12      7.5       13\n"
                 "    1       1     252  18  2  3       4     12.5      7.5       13\n"
                 "    1       2     256  19  2  3       4       13      7.5       13\n");
    /* Each frame has a grid of its own: 160 * 0.223 - 48.08 = -12.4. */
    image grid = {.size = 0};
    add_float(&grid, 0.223f);
    add_float(&grid, -48.08f);
    memcpy(f.bytes + 208, grid.bytes, 4);
    memcpy(f.bytes + 220, grid.bytes + 4, 4);
    f.bytes[248] = 160;
    AT_END(drop_bytes) char *text = table_of(&f, "vertices");
    assert_non_null(
        strstr(text, "    0       0     196    1  2  3       4        4      7.5       13\n"));
    assert_non_null(
        strstr(text, "    1       0     248  160  2  3       4    -12.4      7.5       13\n"));
}

/* Expects a row of a table, whose cells have one space between them here. */
static void expect_row(const image *f, const char *lump, const char *row) {
    AT_END(drop_bytes) char *text = table_of(f, lump);
    char *to = text;
    for (const char *from = text; *from; from++)
        if (*from != ' ' || (to > text && to[-1] != ' ' && to[-1] != '\n'))
            *to++ = *from;
    *to = '\0';
    if (!strstr(text, row))
        fail_msg("%s: there is no \"%s\" in\n%s", lump, row, text);
}

TEST(test_units) {
    image f = handmade_mdc();
    expect_row(&f, "tags",
               "x y z pitch yaw roll x units y units z units pitch degrees yaw degrees roll "
               "degrees\n");
    expect_row(&f, "tags",
               "1 0 300 -6 -7 -8 -9 -10 -11 -0.0938 -0.1094 -0.125 -0.0991 -0.1101 -0.1211\n");
    expect_row(&f, "surface 0 base vertices",
               "-6 -5 -4 253 255 -0.0938 -0.0781 -0.0625 355.7813 358.5938\n");
    f.bytes[MDC_SURFACE_0 + 252] = 160;
    expect_row(&f, "surface 0 compressed vertices", "160 127 127 127 1.65 0 0\n");
}

static void expect_rejection(const image *f, const char *lump, const char *part) {
    AT_END(lm_buffer_free) lm_buffer out = {0};
    lm_error error = {0};
    assert_false(lm_layout_table(f->bytes, f->size, lump, &out, &error));
    assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
    if (!strstr(error.message, part))
        fail_msg("\"%s\" does not say \"%s\"", error.message, part);
}

TEST(test_unknown_lump) {
    image md2 = handmade_md2(), mdc = handmade_mdc();
    expect_rejection(&md2, "bones",
                     "no lump \"bones\"; there are header, skins, st, triangles, frames, glcmds, "
                     "vertices, frame N vertices");
    expect_rejection(&md2, NULL, "lump is NULL");
    expect_rejection(&md2, "frame 2 vertices", "there are");
    expect_rejection(&md2, "frame 1 verticesque", "there are");
    expect_rejection(&mdc, "surface 2 st",
                     "(2 surfaces); there are header, frames, tag names, tags");
    expect_rejection(&mdc, "surface 1 bones", "compressed frame table");
    expect_rejection(&mdc, "surface 4294967296 st", "there are");
}

/* A chain of surfaces with a step that is zero, negative or tiny ends; so does one with false
 * sizes. */
TEST(test_surface_chain) {
    static const int32_t ends[] = {0, -MDC_SURFACE_SIZE, INT32_MIN, INT32_MAX};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        image f = handmade_mdc();
        set32(&f, MDC_SURFACE_0 + 120, ends[i]);
        set32(&f, 84, INT32_MAX);
        OWNED(lm_layout) *layout = layout_of(&f);
        assert_int_equal(layout->num_lumps, 4 + 8);
    }
    image f = handmade_mdc();
    f.size = 112;
    while (f.size < sizeof f.bytes)
        add32(&f, 4);
    set32(&f, 84, INT32_MAX);
    set32(&f, MDC_OFS_SURFACES, 112);
    OWNED(lm_layout) *layout = layout_of(&f);
    assert_true(layout->num_lumps <= 4 + 8 * (sizeof f.bytes / 124));
}

/* Reads the layout and every table of bytes in memory of exactly their size. */
static void examine_all(const uint8_t *bytes, size_t size, int64_t named_end) {
    uint8_t *exact = malloc(size ? size : 1);
    memcpy(exact, bytes, size);
    lm_error error = {0};
    lm_layout *layout = lm_layout_memory(exact, size, NULL, &error);
    if (!layout) {
        assert_true(error.code == LM_CODE_TRUNCATED || error.code == LM_CODE_UNKNOWN_FORMAT);
        assert_true(error.message[0]);
        free(exact);
        return;
    }
    check_spans(layout, named_end);
    for (uint32_t i = 0; i < layout->num_lumps; i++) {
        AT_END(lm_buffer_free) lm_buffer out = {.max_size = 1 << 22};
        assert_true(lm_layout_table(exact, size, layout->lumps[i].name, &out, &error));
        assert_true(out.size > 0);
    }
    lm_buffer out = {.max_size = 1 << 22};
    if (strcmp(layout->format, "md2") == 0)
        assert_true(lm_layout_table(exact, size, "vertices", &out, &error));
    lm_buffer_free(&out);
    lm_layout_free(layout);
    free(exact);
}

TEST(test_prefixes) {
    image md2 = handmade_md2(), mdc = handmade_mdc();
    for (size_t size = 0; size <= md2.size; size++)
        examine_all(md2.bytes, size, 304);
    for (size_t size = 0; size <= mdc.size; size++)
        examine_all(mdc.bytes, size, MDC_SURFACE_0 + 2 * MDC_SURFACE_SIZE);
}

/* Sets each number between two offsets to each hostile value. */
static void spoil(const image *whole, size_t first, size_t end, size_t end_field) {
    static const int32_t values[] = {-1,  0,      1,          2,         3,        39,
                                     100, 0xffff, 0x10000000, INT32_MAX, INT32_MIN};
    for (size_t offset = first; offset < end; offset += 4)
        for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
            image f = *whole;
            set32(&f, offset, values[i]);
            uint32_t named_end;
            memcpy(&named_end, f.bytes + end_field, sizeof named_end);
            examine_all(f.bytes, f.size, named_end);
        }
}

TEST(test_hostile_fields) {
    image md2 = handmade_md2(), mdc = handmade_mdc();
    spoil(&md2, 4, 68, 64);
    spoil(&mdc, 72, 112, 108);
    spoil(&mdc, MDC_SURFACE_0 + 68, MDC_SURFACE_0 + 124, 108);
}

/* Two fields at once that would make a table quadratic in the file's size. */
TEST(test_no_explosion) {
    image f = handmade_md2();
    f.size = sizeof f.bytes;
    set32(&f, 4 * MD2_FRAMESIZE, 1);
    set32(&f, 4 * MD2_NUM_XYZ, 400);
    set32(&f, 4 * MD2_NUM_FRAMES, 2000000000);
    AT_END(drop_bytes) char *text = table_of(&f, "vertices");
    assert_true(strlen(text) < 200);
}

TEST(test_memory_bound) {
    image f = handmade_mdc();
    lm_memory memory = {.max_bytes = 64};
    lm_error error = {0};
    assert_null(lm_layout_memory(f.bytes, f.size, &memory, &error));
    assert_int_equal(error.code, LM_CODE_LIMIT);
}

/* ---- Descriptions -------------------------------------------------------------------------- */

typedef struct toy {
    float scale;
    int32_t num_rows, ofs_rows, ofs_end;
    const uint8_t *rows;
} toy;

static const lm_header_field toy_fields[] = {
    LM_HEADER_IDENT("ident", "the toy's mark"),
    LM_HEADER_VERSION("version", "always 1"),
    LM_HEADER_FIELD(REAL, 8, toy, scale, "scale", "a number with a fraction"),
    LM_HEADER_FIELD(COUNT, 12, toy, num_rows, "num_rows", "rows"),
    LM_HEADER_FIELD(OFFSET, 16, toy, ofs_rows, "ofs_rows", "offset of the rows"),
    LM_HEADER_FIELD(OFFSET, 20, toy, ofs_end, "ofs_end", "offset of the end of the file"),
};
static const lm_header_lump toy_lumps[] = {{.shape = {.name = "rows"},
                                            .element = 2,
                                            .ofs = offsetof(toy, ofs_rows),
                                            .data = offsetof(toy, rows),
                                            .count = {offsetof(toy, num_rows), false}}};
static const lm_header toy_header = {.size = 24,
                                     .struct_size = sizeof(toy),
                                     .version = 1,
                                     .fields = {LM_LIST(toy_fields)},
                                     .lumps = {LM_LIST(toy_lumps)},
                                     .end = offsetof(toy, ofs_end)};

static void describe_toy(lm_bytes file, lm_layout_builder *builder) {
    lmi_layout_described(&toy_header, file, builder);
}

/* Today's formats have only integers. */
TEST(test_reals_of_a_header) {
    image f = {.size = 0};
    lm_heap heap;
    add_text(&f, "TOY!", 4);
    add32(&f, 1);
    add_float(&f, -0.375f);
    add32(&f, 3);
    add32(&f, 24);
    add32(&f, 30);
    add_text(&f, "rowrow", 6);
    lmi_heap_init(&heap, NULL, f.size);
    lm_layout_block *block =
        lmi_layout_build((lm_bytes){f.bytes, f.size}, "toy", describe_toy, &heap);
    const lm_layout *layout = &block->layout;
    assert_int_equal(layout->num_fields, 6);
    assert_true(layout->fields[2].is_real && layout->fields[2].real == -0.375f);
    assert_false(layout->fields[3].is_real);
    assert_int_equal(layout->fields[3].value, 3);
    assert_int_equal(layout->num_lumps, 2);
    assert_string_equal(layout->lumps[1].name, "rows");
    assert_int_equal(layout->lumps[1].size, 6);
    assert_int_equal(layout->num_spans, 0);
    lm_layout_free(&block->layout);
}

/* Tests the locations on a model of the problems that `lerpmesh check` reports. */

/* Returns the triangles of the first such problem in a file; `frame` receives its frame. */
static lm_buffer locate(const blob *file, lm_code code, uint32_t *frame) {
    lm_error error = {.message = ""};
    OWNED(lm_report) *report = lm_check_memory(file->data, file->size, NULL, &error);
    OWNED(lm_model) *model = lm_load_memory(file->data, file->size, NULL, &error);
    lm_buffer triangles = {0};
    bool found = false;
    *frame = LM_NO_FRAME;
    assert_done(model && report, error);
    for (uint32_t i = 0; report && i < report->num_problems && !found; i++) {
        found = report->problems[i].code == code;
        if (found)
            assert_true(lm_diagnostic_locate(model, &report->problems[i], &triangles, frame, NULL));
    }
    if (!found)
        fail_msg("check does not find [%s]", lm_code_name(code));
    return triangles;
}

static size_t count(const lm_buffer *triangles) {
    assert_false(triangles->failed);
    return triangles->size / sizeof(lm_diagnostic_triangle);
}

static const lm_diagnostic_triangle *at(const lm_buffer *triangles, size_t i) {
    return (const lm_diagnostic_triangle *)(const void *)triangles->data + i;
}

/* In all of these, vertices are numbered as in the file. */
static blob make(void) {
    return make_md2(&small_md2);
}

static size_t triangle(const blob *file, uint32_t i) {
    return get32(file, MD2_AT_OFS_TRIS) + 12 * (size_t)i;
}

TEST(test_degenerate) {
    AT_END(blob_free) blob file = make();
    uint32_t frame;
    put16(&file, triangle(&file, 1), 2); /* 2 2 3 */
    put16(&file, triangle(&file, 1) + 2, 2);
    AT_END(lm_buffer_free) lm_buffer found = locate(&file, LM_CODE_DEGENERATE_TRIANGLES, &frame);
    assert_int_equal(count(&found), 1);
    assert_int_equal(frame, LM_NO_FRAME);
    /* The GL commands are unchanged, so they do not draw this triangle. */
    AT_END(lm_buffer_free) lm_buffer differing = locate(&file, LM_CODE_GL_COMMANDS_DIFFER, &frame);
    assert_int_equal(count(&differing), 1);
    assert_memory_equal(at(&differing, 0), at(&found, 0), sizeof(lm_diagnostic_triangle));
}

TEST(test_unused_vertices) {
    md2_shape shape = small_md2;
    uint32_t frame;
    shape.num_xyz =
        shape.num_tris + 5; /* triangle i uses i, i + 1, i + 2: the last three are unused */
    AT_END(blob_free) blob file = make_md2(&shape);
    AT_END(lm_buffer_free) lm_buffer found = locate(&file, LM_CODE_UNUSED_VERTICES, &frame);
    assert_int_equal(count(&found), 3);
    for (size_t i = 0; i < count(&found); i++)
        for (unsigned k = 0; k < 3; k++)
            assert_int_equal(at(&found, i)->vertices[k], (uint32_t)shape.num_tris + 2 + i);
}

TEST(test_seams) {
    AT_END(blob_free) blob file = make();
    uint32_t frame;
    AT_END(lm_buffer_free) lm_buffer found = locate(&file, LM_CODE_SEAMS, &frame);
    assert_true(count(&found) > 0);
    assert_true(count(&found) <= (size_t)small_md2.num_tris);
}

TEST(test_st_outside) {
    AT_END(blob_free) blob file = make();
    uint32_t frame, last = (uint32_t)small_md2.num_tris - 1;
    uint32_t st = file.data[triangle(&file, last) + 6];
    put16(&file, get32(&file, MD2_AT_OFS_ST) + 4 * (size_t)st, 0x7fff);
    AT_END(lm_buffer_free) lm_buffer found = locate(&file, LM_CODE_ST_OUTSIDE, &frame);
    bool has_last = false;
    for (size_t i = 0; i < count(&found); i++)
        has_last |= at(&found, i)->vertices[0] != at(&found, i)->vertices[1];
    assert_true(has_last);
    assert_true(count(&found) < (size_t)small_md2.num_tris);
}

TEST(test_frame) {
    md3_shape shape = small_md3;
    uint32_t frame;
    shape.num_frames = 3;
    AT_END(blob_free) blob file = make_md3(&shape);
    /* The bounds of frame 1 are a point, so all vertices are outside. */
    size_t bounds = get32(&file, MD3_AT_OFS_FRAMES) + 56;
    for (size_t i = 0; i < 24; i += 4)
        put_real(&file, bounds + i, 9999);
    AT_END(lm_buffer_free) lm_buffer found = locate(&file, LM_CODE_OUTSIDE_BOUNDS, &frame);
    assert_int_equal(frame, 1);
    assert_int_equal(count(&found), (size_t)shape.num_triangles);
}

/* Without memory it reports that, and no false location. */
static void *refuse(void *user, size_t size) {
    return NULL;
}

static void *fail_to_reallocate(void *user, void *pointer, size_t old_size, size_t new_size) {
    return NULL;
}

static void ignore_free(void *user, void *pointer, size_t size) {}

TEST(test_without_memory) {
    static const lm_code codes[] = {LM_CODE_SEAMS,
                                    LM_CODE_UNUSED_VERTICES,
                                    LM_CODE_GL_COMMANDS_DIFFER,
                                    LM_CODE_DEGENERATE_TRIANGLES,
                                    LM_CODE_ST_OUTSIDE,
                                    LM_CODE_OUTSIDE_BOUNDS};
    AT_END(blob_free) blob file = make();
    lm_error error = {.message = ""};
    OWNED(lm_model) *model = lm_load_memory(file.data, file.size, NULL, &error);
    assert_non_null(model);
    for (size_t i = 0; model && i < sizeof codes / sizeof *codes; i++) {
        const lm_diagnostic problem = {.code = codes[i], .location = {.section = "frames"}};
        AT_END(lm_buffer_free)
        lm_buffer found = {.allocator = {refuse, fail_to_reallocate, ignore_free, NULL}};
        uint32_t frame;
        const bool done = lm_diagnostic_locate(model, &problem, &found, &frame, &error);
        assert_int_equal(found.size, 0);
        assert_true(done
                        ? codes[i] == LM_CODE_DEGENERATE_TRIANGLES || codes[i] == LM_CODE_ST_OUTSIDE
                        : error.code == LM_CODE_OUT_OF_MEMORY);
    }
}
