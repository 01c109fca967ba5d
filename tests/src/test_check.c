/* Tests checking: it rejects exactly the files that loading rejects, and a file exists for every
 * code. */
#include "elements.h"
#include "math/vectors.h"
#include "support.h"

static lm_report *check_with(const blob *file, const lm_check_options *options) {
    lm_error error;
    lm_report *report = lm_check_memory(file->data, file->size, options, &error);
    assert_done(report, error);
    return report;
}

static lm_report *check(const blob *file, lm_engine engine) {
    return check_with(file, &(lm_check_options){.engine = engine});
}

static const lm_diagnostic *find(const lm_report *report, lm_code code) {
    for (uint32_t i = 0; i < report->num_problems; i++)
        if (report->problems[i].code == code)
            return &report->problems[i];
    return NULL;
}

static void record_problems(const lm_report *report) {
    for (uint32_t i = 0; i < report->num_problems; i++) {
        const lm_diagnostic *p = &report->problems[i];
        record_output("%d %s %d/%d %zu %s", (int)p->severity, p->location.section,
                      (int)p->location.surface, (int)p->location.index, p->location.offset,
                      p->text);
    }
}

/* ---- Errors exactly where loading fails ---------------------------------------------------- */

/* The error of loading names the same place as the problem that checking found. */
static void expect_same_place(const lm_error *error, const lm_diagnostic *problem) {
    if (!problem)
        fail_msg("checking does not know \"%s\"", error->message);
    assert_string_equal(error->section, problem->location.section);
    assert_int_equal(error->surface, problem->location.surface);
    assert_int_equal(error->index, problem->location.index);
    assert_int_equal(error->offset, problem->location.offset);
}

static void expect_same_verdict_of(const blob *file, bool strict) {
    const lm_load_options options = {.strict = strict};
    lm_error error = {0};
    OWNED(lm_model) *m = lm_load_memory(file->data, file->size, &options, &error);
    OWNED(lm_report) *report = check_with(file, &(lm_check_options){.strict = strict});
    bool over_limit = !m && error.code == LM_CODE_LIMIT;
    if (!over_limit && (report->num_errors == 0) != (m != NULL))
        fail_msg("%u errors, but loading says \"%s\"", report->num_errors,
                 m ? "fine" : error.message);
    if (!m && !over_limit && file->size > 0)
        expect_same_place(&error, find(report, error.code));
}

static void expect_same_verdict(const uint8_t *data, size_t size) {
    AT_END(blob_free) blob file = blob_copy(data, size);
    expect_same_verdict_of(&file, false);
    expect_same_verdict_of(&file, true);
}

static void same_verdict_of_real(const char *path, const blob *file) {
    chance c = chance_from((uint32_t)file->size);
    expect_same_verdict(file->data, file->size);
    for (int i = 0; i < 40; i++)
        expect_same_verdict(file->data, chance_below(&c, (uint32_t)file->size));
}

TEST(test_real_files) {
    each_model(same_verdict_of_real);
}

static void each_small_file(void (*visit)(const blob *file)) {
    blob files[] = {make_md2(&small_md2), make_md2(&(md2_shape){0, 3, 3, 1, 1, true}),
                    make_mdc(&small_mdc), make_mdc(&(mdc_shape){2, 0, 2, 3, 1, 1, 1, 0, true}),
                    make_mdc(&(mdc_shape){.num_frames = 3, .num_tags = 2})};
    for (size_t i = 0; i < COUNT_OF(files); i++) {
        visit(&files[i]);
        blob_free(&files[i]);
    }
}

static void same_verdict_of_prefixes(const blob *file) {
    for (size_t size = 0; size <= file->size; size++)
        expect_same_verdict(file->data, size);
}

TEST(test_prefixes) {
    each_small_file(same_verdict_of_prefixes);
}

static void same_verdict_of_patches(const blob *file) {
    static const uint32_t hostile[] = {0, 1, 0xFFFFFFFF, 0x7FFFFFFF, 0x80000000, 0x7F800000, 300};
    chance c = chance_from(11);
    AT_END(blob_free) blob changed = blob_copy(file->data, file->size);
    for (int i = 0; i < 6000; i++) {
        memcpy(changed.data, file->data, file->size);
        for (uint32_t k = chance_below(&c, 3) + 1; k > 0; k--) {
            size_t at = chance_below(&c, (uint32_t)file->size);
            if (chance_next(&c) & 1)
                changed.data[at] = (uint8_t)chance_next(&c);
            else if (file->size >= 4)
                put32(&changed, at / 4 * 4, hostile[chance_below(&c, COUNT_OF(hostile))]);
        }
        expect_same_verdict(changed.data, changed.size);
    }
}

TEST(test_patches) {
    each_small_file(same_verdict_of_patches);
}

/* ---- Every code ---------------------------------------------------------------------------- */

/* A small file with one change that makes checking report a code. `at` is in the header. With
 * `lump`, it counts from the offset in that field of the header; in MDC with `inner`, from the one
 * in that field of surface 0. */
typedef struct earned {
    lm_code code;
    bool mdc;
    size_t lump, inner, at;
    uint32_t value;
    int bytes; /* of the value: 1, 2, 4 */
} earned;

#define IN_MD2(code, lump, at, value, bytes) {LM_CODE_##code, false, lump, 0, at, value, bytes}
#define IN_MDC(code, lump, at, value, bytes) {LM_CODE_##code, true, lump, 0, at, value, bytes}
#define IN_SURFACE(code, inner, at, value, bytes) \
    {LM_CODE_##code, true, MDC_AT_OFS_SURFACES, inner, at, value, bytes}

static const earned list[] = {
    IN_MD2(UNKNOWN_FORMAT, 0, 0, 'X', 1),
    IN_MD2(BAD_VERSION, 0, 4, 9, 4),
    IN_MDC(BAD_VERSION, 0, 4, 1, 4),
    IN_MD2(BAD_COUNT, 0, MD2_AT_NUM_TRIS, 0x80000000, 4),
    IN_MDC(BAD_COUNT, 0, MDC_AT_NUM_TAGS, 0xFFFFFFFF, 4),
    IN_SURFACE(BAD_COUNT, 0, SURFACE_AT_NUM_BASE, 0, 4),
    IN_MD2(BAD_OFFSET, 0, MD2_AT_OFS_ST, 0x7FFFFFFF, 4),
    IN_MDC(BAD_OFFSET, 0, MDC_AT_OFS_TAGS, 0x7FFFFFFF, 4),
    IN_MD2(BAD_FRAMESIZE, 0, MD2_AT_FRAMESIZE, 63, 4),
    IN_MD2(BAD_SKIN_SIZE, 0, MD2_AT_SKINHEIGHT, 0, 4),
    IN_MD2(VERTEX_INDEX, MD2_AT_OFS_TRIS, 0, 6, 2),
    IN_SURFACE(VERTEX_INDEX, SURFACE_AT_OFS_TRIANGLES, 4, 5, 4),
    IN_MD2(ST_INDEX, MD2_AT_OFS_TRIS, 6, 9, 2),
    IN_MD2(NORMAL_INDEX, MD2_AT_OFS_FRAMES, 43, 162, 1),
    IN_SURFACE(FRAME_INDEX, SURFACE_AT_OFS_BASE_TABLE, 0, 2, 2),
    IN_SURFACE(FRAME_INDEX, SURFACE_AT_OFS_COMP_TABLE, 0, 2, 2),
    IN_MD2(GL_COMMANDS, MD2_AT_OFS_GLCMDS, 12, 6, 4),
    IN_MD2(NOT_FINITE, MD2_AT_OFS_FRAMES, 0, 0x7F800000, 4),
    IN_SURFACE(BAD_ST, SURFACE_AT_OFS_ST, 4, 0xFF800000, 4),
    IN_MD2(ENGINE_LIMIT, 0, MD2_AT_SKINHEIGHT, 481, 4),
    IN_MD2(DENORMAL, MD2_AT_OFS_FRAMES, 4, 1, 4),
    IN_MDC(BAD_BOUNDS, MDC_AT_OFS_FRAMES, 0, 0x42C80000, 4), /* min.x = 100 */
    IN_MDC(BAD_BOUNDS, MDC_AT_OFS_FRAMES, 36, 0x7FC00000, 4),
    IN_MD2(WRONG_END, 0, MD2_AT_OFS_END, 100, 4),
    IN_MDC(WRONG_END, 0, MDC_AT_OFS_END, 0x7FFFFFFF, 4),
    IN_MD2(NO_SKINS, 0, MD2_AT_NUM_SKINS, 0, 4),
    IN_MD2(SKIN_PATH, MD2_AT_OFS_SKINS, 7, '\\', 1),
    IN_MD2(SKIN_PATH, MD2_AT_OFS_SKINS, 0, 'P', 1),
    IN_MD2(SKIN_PATH, MD2_AT_OFS_SKINS, 0, 0x2E /* nothing after the dot */, 4),
    IN_SURFACE(SKIN_PATH, SURFACE_AT_OFS_SHADERS, 0, 'M', 1),
    IN_MD2(NAME_JUNK, MD2_AT_OFS_SKINS, 60, 1, 1),
    IN_MDC(NAME_JUNK, MDC_AT_OFS_FRAMES, 55, 1, 1),
    IN_SURFACE(NAME_JUNK, SURFACE_AT_OFS_SHADERS, 63, 1, 1),
    IN_MD2(FRAME_NAME_NO_NUMBER, MD2_AT_OFS_FRAMES, 30, 'x', 1),
    IN_MD2(FRAME_NAME_TWICE, MD2_AT_OFS_FRAMES, 64 + 30, '1', 1),
    IN_MD2(FRAME_NAME_DIGITS, MD2_AT_OFS_FRAMES, 28, '1', 1),
    IN_MD2(SEAMS, 0, 0, 'I', 1), /* the file has some already */
    IN_MD2(ST_OUTSIDE, MD2_AT_OFS_ST, 0, 64, 2),
    IN_SURFACE(ST_OUTSIDE, SURFACE_AT_OFS_ST, 0, 0x3F810000, 4),
    IN_MD2(DEGENERATE_TRIANGLES, MD2_AT_OFS_TRIS, 0, 1, 2),
    IN_SURFACE(DEGENERATE_TRIANGLES, SURFACE_AT_OFS_TRIANGLES, 0, 1, 4),
    IN_MD2(UNUSED_VERTICES, 0, MD2_AT_NUM_TRIS, 3, 4),
    IN_SURFACE(UNUSED_VERTICES, 0, SURFACE_AT_NUM_TRIANGLES, 2, 4),
    IN_MD2(GL_COMMANDS_DIFFER, MD2_AT_OFS_GLCMDS, 12, 4, 4),
    IN_MD2(NO_GL_COMMANDS, 0, MD2_AT_NUM_GLCMDS, 0, 4),
    IN_MDC(OUTSIDE_BOUNDS, MDC_AT_OFS_FRAMES, 12, 0xC1EA0000, 4), /* max.x = -29.25 */
    IN_MD2(EMPTY_SURFACE, 0, MD2_AT_NUM_TRIS, 0, 4),
    IN_SURFACE(EMPTY_SURFACE, 0, SURFACE_AT_NUM_TRIANGLES, 0, 4),
    IN_MDC(HEADER_NAME, 0, MDC_AT_NAME + 19, '3', 1),
    IN_SURFACE(SURFACE_IDENT, 0, 0, 8, 4),
};

static blob earn(const earned *e) {
    blob file = e->mdc ? make_mdc(&small_mdc) : make_md2(&small_md2);
    size_t at = e->at + (e->lump ? get32(&file, e->lump) : 0);
    if (e->inner)
        at = surface_lump(&file, 0, e->inner) + e->at;
    for (int i = 0; i < e->bytes; i++)
        file.data[at + (size_t)i] = (uint8_t)(e->value >> 8 * i);
    if (e->code == LM_CODE_HEADER_NAME)
        memcpy(file.data + MDC_AT_NAME, "a.md3", 6);
    return file;
}

/* Changes the first vertex of an MDS, which has one weight. */
static blob trigger_weight(size_t at, uint32_t value) {
    blob file = make_mds();
    put32(&file, surface_lump(&file, 0, MDS_SURFACE_AT_OFS_VERTS) + at, value);
    return file;
}

/* A vertex that replaces itself. The smallest number of vertices drawn is 3. */
static blob trigger_collapse(void) {
    blob file = make_mds();
    put32(&file, surface_lump(&file, 0, MDS_SURFACE_AT_OFS_COLLAPSE) + 4 * sizeof(int32_t), 4);
    return file;
}

static blob trigger_identical_normals(void) {
    blob file = make_md2(&small_md2);
    for (size_t v = 0; v < 6; v++)
        file.data[get32(&file, MD2_AT_OFS_FRAMES) + 43 + 4 * v] = 9;
    return file;
}

/* A tetrahedron whose normals point at its centre; or out of it, but its triangles face inward. */
static blob make_tetrahedron(bool inverted) {
    static const lm_md2_triangle sides[] = {{{0, 1, 2}, {0, 1, 2}},
                                            {{0, 2, 3}, {0, 1, 2}},
                                            {{0, 3, 1}, {0, 1, 2}},
                                            {{1, 3, 2}, {0, 1, 2}}};
    blob file = make_md2(&(md2_shape){0, 4, 3, 4, 1, true});
    for (uint8_t v = 0; v < 4; v++) {
        const lm_md2_vertex at = {{v == 1 ? 200 : 0, v == 2 ? 200 : 0, v == 3 ? 200 : 0}, 0};
        const float sign = inverted ? -1.0f : 1.0f;
        const lm_vec3 normal = {sign * (50.0f - at.v[0]), sign * (50.0f - at.v[1]),
                                sign * (50.0f - at.v[2])};
        lm_md2_triangle side = sides[v];
        if (inverted) {
            side.vertex[1] = sides[v].vertex[2];
            side.vertex[2] = sides[v].vertex[1];
        }
        uint8_t *out = file.data + get32(&file, MD2_AT_OFS_FRAMES) + 40 + 4 * v;
        lmi_md2_put_vertex(out, &at);
        out[3] = lmi_nearest_normal_162(&normal);
        lmi_md2_put_triangle(file.data + get32(&file, MD2_AT_OFS_TRIS) + 12 * v, &side);
    }
    return file;
}

static blob trigger_normals_inward(void) {
    return make_tetrahedron(false);
}

static blob trigger_inverted(void) {
    return make_tetrahedron(true);
}

static blob trigger_unterminated(void) {
    blob file = make_md2(&small_md2);
    memset(file.data + get32(&file, MD2_AT_OFS_FRAMES) + 24, 'n', 16);
    return file;
}

static blob trigger_truncated(void) {
    blob file = make_md2(&small_md2);
    file.size = 67;
    return file;
}

static blob trigger_trailing(void) {
    blob file = make_mdc(&small_mdc);
    uint8_t *longer = realloc(file.data, file.size + 1);
    assert_non_null(longer);
    longer[file.size] = 0;
    return (blob){longer, file.size + 1};
}

static blob trigger_surface_frames(void) {
    blob file = make_md3(&small_md3);
    put32(&file, surface_start(&file, 1) + MD3_SURFACE_AT_NUM_FRAMES, 0);
    return file;
}

static blob trigger_tag_name(void) {
    blob file = make_md3(&small_md3);
    file.data[get32(&file, MD3_AT_OFS_TAGS) + 112 * 3 + 4] = 'x';
    return file;
}

static blob trigger_tag_scale(void) {
    blob file = make_md3(&(md3_shape){1, 1, 0, 0, 0, 0});
    const lm_md3_tag tag = {.name = "tag_0", .axis = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1.02f}}};
    lmi_md3_put_tag(file.data + get32(&file, MD3_AT_OFS_TAGS), &tag);
    return file;
}

static blob trigger_equal_frames(void) {
    static const lm_md3_tag tag = {.name = "tag_0", .axis = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    blob file = make_md3(&(md3_shape){2, 1, 0, 0, 0, 0});
    for (size_t f = 0; f < 2; f++)
        lmi_md3_put_tag(file.data + get32(&file, MD3_AT_OFS_TAGS) + f * LM_MD3_TAG_SIZE, &tag);
    return file;
}

static uint32_t bits_of(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* One triangle as a fan, whose vertices are stored as index, s, t. */
static blob trigger_index_first(void) {
    AT_END(blob_free) blob file = make_md2(&(md2_shape){1, 3, 3, 1, 1, true});
    const size_t end = file.size, size = 11 * sizeof(uint32_t);
    blob longer = {calloc(1, end + size), end + size};
    assert_non_null(longer.data);
    memcpy(longer.data, file.data, end);
    put32(&longer, end, (uint32_t)-3);
    for (uint32_t v = 0; v < 3; v++) {
        put32(&longer, end + 4 + 12 * (size_t)v, v);
        put_real(&longer, end + 8 + 12 * (size_t)v, v == 1 ? 1.0f : 0.25f);
        put_real(&longer, end + 12 + 12 * (size_t)v, v == 2 ? 1.0f : 0.0f);
    }
    put32(&longer, MD2_AT_OFS_GLCMDS, (uint32_t)end);
    put32(&longer, MD2_AT_NUM_GLCMDS, 11);
    put32(&longer, MD2_AT_OFS_END, (uint32_t)longer.size);
    return longer;
}

/* Changes the group of skins of an MDL: its type, and the end time of its second image. */
static blob trigger_in_group(size_t at, uint32_t value) {
    blob file = make_mdl();
    put32(&file, at, value);
    return file;
}

/* 60 surfaces, each of which claims the same 100 kB. */
static blob trigger_overlap(void) {
    enum {
        SURFACES = 60,
        VERTICES = 12000
    };
    blob file = {calloc(112 + 56 + SURFACES * 124 + VERTICES * 8, 1),
                 112 + 56 + SURFACES * 124 + VERTICES * 8};
    assert_non_null(file.data);
    memcpy(file.data, "IDPC\2", 5);
    put32(&file, MDC_AT_NUM_FRAMES, 1);
    put32(&file, MDC_AT_NUM_SURFACES, SURFACES);
    put32(&file, MDC_AT_OFS_FRAMES, 112);
    put32(&file, MDC_AT_OFS_SURFACES, 168);
    for (uint32_t s = 0; s < SURFACES; s++) {
        size_t at = 168 + 124 * (size_t)s;
        put32(&file, at + SURFACE_AT_NUM_BASE, 1);
        put32(&file, at + SURFACE_AT_NUM_VERTICES, VERTICES);
        put32(&file, at + SURFACE_AT_OFS_ST, 124 * (SURFACES - s));
        put32(&file, at + SURFACE_AT_OFS_BASE, 124 * (SURFACES - s));
        put32(&file, at + SURFACE_AT_OFS_END, 124);
    }
    return file;
}

static void expect_code(const blob *file, lm_code code, bool seen[LM_NUM_CODES]) {
    OWNED(lm_report) *report = check(file, LM_ENGINE_ANY);
    const lm_diagnostic *problem = find(report, code);
    if (!problem)
        fail_msg("%s was not found", lm_code_name(code));
    if (code != LM_CODE_OVERLAP) /* an error if the overlap is absurd */
        assert_int_equal(problem->severity, lm_code_severity(code));
    assert_true(problem->location.offset <= file->size);
    assert_true(strlen(problem->location.section) > 0 && strlen(problem->text) > 8);
    seen[code] = true;
    record_output("%s:", lm_code_name(code));
    record_problems(report);
}

static void expect_triggered(blob file, lm_code code, bool seen[LM_NUM_CODES]) {
    expect_code(&file, code, seen);
    expect_same_verdict(file.data, file.size);
    blob_free(&file);
}

/* Returns true for codes that no model file causes: they concern arguments, memory, files, clips,
 * images, skin files, archives and encoders. */
static bool is_never_a_files_code(lm_code code) {
    const char *name = lm_code_name(code);
    return code == LM_CODE_OK || code == LM_CODE_BAD_ARGUMENT || code == LM_CODE_OUT_OF_MEMORY ||
           code == LM_CODE_LIMIT || code == LM_CODE_IO || code == LM_CODE_GRAPHICS ||
           strncmp(name, "clip-", 5) == 0 || code == LM_CODE_BAD_IMAGE ||
           code == LM_CODE_NOT_BUILT_IN || code == LM_CODE_NO_PALETTE ||
           code == LM_CODE_SKIN_LINE || code == LM_CODE_SHADER_WORD ||
           code == LM_CODE_SHADER_IMAGE || code == LM_CODE_UNSAFE_PATH ||
           code == LM_CODE_BAD_GLTF || code == LM_CODE_NOT_HELD || code == LM_CODE_NAME_SHORTENED ||
           code == LM_CODE_BAD_ARCHIVE || code == LM_CODE_BAD_MEMBER ||
           code == LM_CODE_INPUT_LIMIT || code == LM_CODE_BAD_OPTION ||
           code == LM_CODE_NO_SUCH_SURFACE || code == LM_CODE_NO_SUCH_TAG ||
           code == LM_CODE_ROUNDING || code == LM_CODE_FIXED_RATE || code == LM_CODE_STOPPED ||
           code == LM_CODE_ENGINE_FILE;
}

TEST(test_every_code_is_triggered) {
    bool seen[LM_NUM_CODES] = {false};
    for (size_t i = 0; i < COUNT_OF(list); i++)
        expect_triggered(earn(&list[i]), list[i].code, seen);
    expect_triggered(trigger_identical_normals(), LM_CODE_IDENTICAL_NORMALS, seen);
    expect_triggered(trigger_normals_inward(), LM_CODE_NORMALS_INWARD, seen);
    expect_triggered(trigger_inverted(), LM_CODE_INVERTED, seen);
    expect_triggered(trigger_unterminated(), LM_CODE_NAME_UNTERMINATED, seen);
    expect_triggered(trigger_truncated(), LM_CODE_TRUNCATED, seen);
    expect_triggered(trigger_trailing(), LM_CODE_TRAILING_BYTES, seen);
    expect_triggered(trigger_overlap(), LM_CODE_OVERLAP, seen);
    expect_triggered(trigger_surface_frames(), LM_CODE_SURFACE_FRAMES, seen);
    expect_triggered(trigger_tag_name(), LM_CODE_TAG_NAME, seen);
    expect_triggered(trigger_tag_scale(), LM_CODE_TAG_SCALE, seen);
    expect_triggered(trigger_equal_frames(), LM_CODE_EQUAL_FRAMES, seen);
    expect_triggered(trigger_index_first(), LM_CODE_GL_COMMAND_ORDER, seen);
    expect_triggered(trigger_in_group(120, 5), LM_CODE_BAD_TYPE, seen);
    expect_triggered(trigger_in_group(132, 0), LM_CODE_BAD_TIMES, seen);
    expect_triggered(trigger_in_group(132, bits_of(0.5f)), LM_CODE_GROUP_TIMES, seen);
    expect_triggered(make_mdl(), LM_CODE_FULLBRIGHT, seen);
    expect_triggered(trigger_weight(32, 4), LM_CODE_BONE_INDEX, seen);
    expect_triggered(trigger_weight(36, bits_of(-0.5f)), LM_CODE_BAD_WEIGHT, seen);
    expect_triggered(trigger_weight(36, bits_of(0.5f)), LM_CODE_WEIGHT_SUM, seen);
    expect_triggered(trigger_collapse(), LM_CODE_COLLAPSE_CIRCLE, seen);
    for (unsigned code = 0; code < LM_NUM_CODES; code++)
        if (seen[code] == is_never_a_files_code((lm_code)code))
            fail_msg("no file earns %s", lm_code_name((lm_code)code));
    assert_matches_golden("check");
}

/* The unchanged small files must be clean, or the codes above would prove nothing. */
TEST(test_small_files_are_clean) {
    AT_END(blob_free) blob md2 = make_md2(&small_md2), mdc = make_mdc(&small_mdc);
    lm_report *report = check(&md2, LM_ENGINE_ANY);
    assert_int_equal(report->num_problems, 1);
    assert_int_equal(report->problems[0].code, LM_CODE_SEAMS);
    assert_string_equal(report->format, "md2");
    assert_int_equal(report->num_notes, 1); /* of four vertices */
    lm_report_free(report);
    report = check(&mdc, LM_ENGINE_ANY);
    assert_int_equal(report->num_problems, 0);
    assert_string_equal(report->format, "mdc");
    lm_report_free(report);
    lm_report_free(NULL);
}

/* Mirroring is not scaling; neither is rounding. */
TEST(test_axes_of_length_1_are_clean) {
    AT_END(blob_free) blob file = trigger_tag_scale();
    const lm_md3_tag tag = {.name = "tag_0", .axis = {{1.005f, 0, 0}, {0, -1, 0}, {0, 0, 0.995f}}};
    lmi_md3_put_tag(file.data + get32(&file, MD3_AT_OFS_TAGS), &tag);
    OWNED(lm_report) *report = check(&file, LM_ENGINE_ANY);
    for (uint32_t i = 0; i < report->num_problems; i++)
        assert_int_not_equal(report->problems[i].code, LM_CODE_TAG_SCALE);
}

/* ---- Reports ------------------------------------------------------------------------------- */

TEST(test_all_errors_at_once_in_order) {
    AT_END(blob_free) blob file = make_md2(&small_md2);
    size_t tris = get32(&file, MD2_AT_OFS_TRIS), frames = get32(&file, MD2_AT_OFS_FRAMES);
    put16(&file, tris + 12 + 2, 6);
    put16(&file, tris + 36 + 6, 9);
    file.data[frames + 43] = 200;
    file.data[frames + 128 + 43 + 4] = 201;
    OWNED(lm_report) *report = check_with(&file, &(lm_check_options){.strict = true});
    assert_int_equal(report->num_errors, 4);
    const size_t offsets[] = {tris + 12, tris + 36, frames + 43, frames + 128 + 47};
    const lm_code codes[] = {LM_CODE_VERTEX_INDEX, LM_CODE_ST_INDEX, LM_CODE_NORMAL_INDEX,
                             LM_CODE_NORMAL_INDEX};
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(report->problems[i].code, codes[i]);
        assert_int_equal(report->problems[i].location.offset, offsets[i]);
    }
    assert_int_equal(report->problems[1].location.index, 3);
    assert_string_equal(report->problems[1].location.section, "triangles");
    lm_report_free(report);
    report = check(&file, LM_ENGINE_ANY); /* no engine notices the normals */
    assert_int_equal(report->num_errors, 2);
    assert_int_equal(find(report, LM_CODE_NORMAL_INDEX)->severity, LM_SEVERITY_WARNING);
}

/* Returns the file's severity of a code for an engine; -1 if the report lacks the code. */
static int severity_for(const blob *file, lm_engine engine, lm_code code) {
    OWNED(lm_report) *report = check(file, engine);
    const lm_diagnostic *found = find(report, code);
    const int severity = found ? (int)found->severity : -1;
    assert_int_equal(report->num_errors > 0, severity == LM_SEVERITY_ERROR);
    return severity;
}

/* Quake II draws by the GL commands, and refuses a model without triangles. */
TEST(test_what_an_engine_does_not_show_is_its_error) {
    const lm_code codes[] = {LM_CODE_NO_GL_COMMANDS, LM_CODE_GL_COMMANDS, LM_CODE_EMPTY_SURFACE};
    for (size_t i = 0; i < COUNT_OF(codes); i++) {
        AT_END(blob_free) blob file = make_md2(&small_md2);
        const size_t glcmds = get32(&file, MD2_AT_OFS_GLCMDS);
        put32(&file,
              i == 0   ? MD2_AT_NUM_GLCMDS
              : i == 1 ? glcmds + 12
                       : MD2_AT_NUM_TRIS,
              i == 1 ? 6 : 0);
        assert_int_equal(severity_for(&file, LM_ENGINE_ANY, codes[i]), LM_SEVERITY_WARNING);
        assert_int_equal(severity_for(&file, LM_ENGINE_QUAKE2, codes[i]), LM_SEVERITY_ERROR);
        assert_int_equal(severity_for(&file, LM_ENGINE_Q2PRO, codes[i]),
                         i == 0 ? -1 : LM_SEVERITY_WARNING);
    }
}

/* A report of a file with damage everywhere stays within the limit: every problem is counted, and
 * the first of each code is listed. */
TEST(test_reports_fit_in_memory) {
    AT_END(blob_free) blob file = make_md2(&(md2_shape){1, 2000, 2000, 2000, 60, false});
    const size_t tris = get32(&file, MD2_AT_OFS_TRIS), frames = get32(&file, MD2_AT_OFS_FRAMES);
    memset(file.data + tris, 0xFF, (size_t)2000 * 12);
    for (size_t f = 0; f < 60; f++)
        for (size_t v = 0; v < 2000; v++)
            file.data[frames + f * 8040 + 43 + 4 * v] = 255;
    OWNED(lm_report) *report = check_with(&file, &(lm_check_options){.max_per_code = UINT32_MAX});
    assert_int_equal(report->num_errors, 12000);
    assert_true(report->num_warnings >= 120000);
    assert_true(report->num_problems > 1000 && report->num_problems < report->num_warnings);
    assert_non_null(find(report, LM_CODE_VERTEX_INDEX));
    assert_non_null(find(report, LM_CODE_NORMAL_INDEX));
    assert_non_null(find(report, LM_CODE_UNUSED_VERTICES));
}

TEST(test_many_of_one_code_are_counted) {
    static const uint32_t most[] = {1, 5, 0, 1000};
    AT_END(blob_free) blob file = make_md2(&(md2_shape){1, 100, 100, 100, 2, false});
    for (size_t v = 0; v < 100; v++)
        file.data[get32(&file, MD2_AT_OFS_FRAMES) + 43 + 4 * v] = 255;
    for (size_t i = 0; i < COUNT_OF(most); i++) {
        uint32_t listed = 0, expected = most[i] == 0 ? 16 : most[i] > 100 ? 100 : most[i];
        const lm_check_options options = {.max_per_code = most[i]};
        OWNED(lm_report) *report = lm_check_memory(file.data, file.size, &options, NULL);
        for (uint32_t k = 0; k < report->num_problems; k++)
            listed += report->problems[k].code == LM_CODE_NORMAL_INDEX;
        assert_int_equal(listed, expected);
        assert_int_equal(report->num_warnings, 100 + 1); /* and all normals are the same */
    }
}

TEST(test_unknown_files_have_one_problem) {
    AT_END(blob_free) blob file = blob_copy("IDPX\4\0\0\0", 8);
    OWNED(lm_report) *report = check(&file, LM_ENGINE_ANY);
    assert_null(report->format);
    assert_int_equal(report->num_problems, 1);
    assert_int_equal(report->num_errors, 1);
    assert_non_null(strstr(report->problems[0].text, "Kingpin"));
}

/* ---- Engines ------------------------------------------------------------------------------- */

typedef struct limit_case {
    md2_shape shape;
    lm_engine engine; /* the engine whose limit the shape exceeds by one */
    uint32_t count;   /* the number of different exceeded limits of all engines */
} limit_case;

static uint32_t count_code(const lm_report *report, lm_code code, lm_severity severity) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < report->num_problems; i++)
        count += report->problems[i].code == code && report->problems[i].severity == severity;
    return count;
}

static void expect_limits(const blob *file, lm_engine engine, uint32_t warnings, uint32_t errors) {
    OWNED(lm_report) *report = check(file, engine);
    uint32_t warned = count_code(report, LM_CODE_ENGINE_LIMIT, LM_SEVERITY_WARNING);
    uint32_t refused = count_code(report, LM_CODE_ENGINE_LIMIT, LM_SEVERITY_ERROR);
    if (warned != warnings || refused != errors || report->num_errors != errors)
        fail_msg("%s: %u warnings, %u errors", lm_engine_name(engine), warned, refused);
}

TEST(test_md2_limits) {
    static const limit_case cases[] = {
        {{1, 9, 9, 4095, 2, false}, LM_ENGINE_ANY, 0},
        {{1, 9, 9, 4096, 2, false}, LM_ENGINE_UFOAI, 1},
        {{1, 9, 9, 4097, 2, false}, LM_ENGINE_Q2PRO, 2},
        {{1, 2048, 9, 2, 2, false}, LM_ENGINE_ANY, 0},
        {{1, 2049, 9, 2, 2, false}, LM_ENGINE_Q2PRO, 1},
        {{1, 9, 2048, 2, 2, false}, LM_ENGINE_ANY, 0},
        {{1, 9, 2049, 2, 2, false}, LM_ENGINE_QUAKE2, 1},
        {{1, 9, 9, 2, 512, false}, LM_ENGINE_ANY, 0},
        {{1, 9, 9, 2, 513, false}, LM_ENGINE_QUAKE2, 1},
        {{1, 9, 9, 2, 1025, false}, LM_ENGINE_Q2PRO, 2},
        {{32, 9, 9, 2, 1, false}, LM_ENGINE_ANY, 0},
        {{33, 9, 9, 2, 1, false}, LM_ENGINE_Q2PRO, 1},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const limit_case *c = &cases[i];
        AT_END(blob_free) blob file = make_md2(&c->shape);
        expect_limits(&file, LM_ENGINE_ANY, c->count, 0);
        expect_limits(&file, LM_ENGINE_QUAKE2, 0, c->count > 0 && c->engine != LM_ENGINE_UFOAI);
        expect_limits(&file, LM_ENGINE_Q2PRO, 0, c->engine == LM_ENGINE_Q2PRO);
        expect_limits(&file, LM_ENGINE_UFOAI, 0, c->shape.num_tris > 4095);
        expect_limits(&file, LM_ENGINE_RTCW, 0, 0);
    }
}

TEST(test_mdc_limits) {
    static const struct {
        int32_t vertices, triangles;
        uint32_t rtcw, sp, et;
    } cases[] = {{999, 1999, 0, 0, 0},   {1000, 1999, 1, 0, 0},  {999, 2000, 1, 0, 0},
                 {3999, 7999, 2, 0, 0},  {4000, 7999, 2, 1, 0},  {3999, 8000, 2, 1, 0},
                 {9999, 19999, 2, 2, 0}, {10000, 8000, 2, 2, 1}, {10000, 20000, 2, 2, 2}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        mdc_shape shape = {1, 0, 1, cases[i].vertices, cases[i].triangles, 1, 1, 0, false};
        AT_END(blob_free) blob file = make_mdc(&shape);
        expect_limits(&file, LM_ENGINE_ANY, cases[i].rtcw + cases[i].sp + cases[i].et, 0);
        expect_limits(&file, LM_ENGINE_RTCW, 0, cases[i].rtcw);
        expect_limits(&file, LM_ENGINE_RTCW_SP, 0, cases[i].sp);
        expect_limits(&file, LM_ENGINE_ET, 0, cases[i].et);
        expect_limits(&file, LM_ENGINE_QUAKE2, 0, 0);
    }
}

TEST(test_md3_limits) {
    static const struct {
        md3_shape shape;
        uint32_t any, quake3, q2pro, rtcw, sp, et, ufoai;
    } cases[] = {{{1024, 16, 32, 3, 1, 1}, 0, 0, 0, 0, 0, 0, 0},
                 {{1025, 1, 1, 3, 1, 1}, 1, 1, 1, 0, 0, 0, 1},
                 {{2, 17, 1, 3, 1, 1}, 1, 1, 0, 0, 0, 0, 1},
                 {{2, 1, 33, 3, 1, 1}, 1, 1, 1, 0, 0, 0, 1},
                 {{1, 1, 1, 3, 1, 256}, 0, 0, 0, 0, 0, 0, 0},
                 {{1, 1, 1, 3, 1, 257}, 1, 1, 1, 0, 0, 0, 1},
                 {{1, 0, 1, 999, 1999, 1}, 0, 0, 0, 0, 0, 0, 0},
                 {{1, 0, 1, 1000, 1999, 1}, 1, 1, 0, 1, 0, 0, 0},
                 {{1, 0, 1, 999, 2000, 1}, 1, 1, 0, 1, 0, 0, 0},
                 {{1, 0, 1, 3999, 7999, 1}, 3, 2, 1, 2, 0, 0, 0},
                 {{1, 0, 1, 4096, 8192, 1}, 5, 2, 1, 2, 2, 0, 0},
                 {{1, 0, 1, 4097, 8193, 1}, 7, 4, 2, 2, 2, 0, 2},
                 {{1, 0, 1, 10000, 20000, 1}, 9, 4, 2, 2, 2, 2, 2}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        AT_END(blob_free) blob file = make_md3(&cases[i].shape);
        expect_limits(&file, LM_ENGINE_ANY, cases[i].any, 0);
        expect_limits(&file, LM_ENGINE_QUAKE3, 0, cases[i].quake3);
        expect_limits(&file, LM_ENGINE_Q2PRO, 0, cases[i].q2pro);
        expect_limits(&file, LM_ENGINE_RTCW, 0, cases[i].rtcw);
        expect_limits(&file, LM_ENGINE_RTCW_SP, 0, cases[i].sp);
        expect_limits(&file, LM_ENGINE_ET, 0, cases[i].et);
        expect_limits(&file, LM_ENGINE_UFOAI, 0, cases[i].ufoai);
        expect_limits(&file, LM_ENGINE_QUAKE2, 0, 0);
    }
}

/* Q2PRO opens an image by its extension; others add it. */
TEST(test_extensions_of_shaders) {
    static const struct {
        const char *shader;
        bool complete;
    } cases[] = {{"models/a/skin.tga", true},
                 {"", true},
                 {"models/a/skin", false},
                 {"models/a.b/skin", false},
                 {".tga", false}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        AT_END(blob_free) blob file = make_md3(&(md3_shape){1, 0, 1, 3, 1, 1});
        const size_t surface = get32(&file, MD3_AT_OFS_SURFACES);
        char *name = (char *)file.data + surface + get32(&file, surface + 92);
        memset(name, 0, 64);
        strcpy(name, cases[i].shader);
        for (int named = 0; named < 2; named++) {
            OWNED(lm_report) *report = check(&file, named ? LM_ENGINE_Q2PRO : LM_ENGINE_QUAKE3);
            uint32_t found = 0;
            for (uint32_t k = 0; k < report->num_problems; k++)
                found += strstr(report->problems[k].text, "no extension, so q2pro shows") != NULL;
            assert_int_equal(found, named && !cases[i].complete);
        }
    }
}

TEST(test_engine_names) {
    static const char *const names[] = {"any",  "quake",   "glquake", "quake2", "q2pro",
                                        "rtcw", "rtcw-sp", "et",      "quake3", "ufoai"};
    for (unsigned e = 0; e < LM_NUM_ENGINES; e++) {
        assert_string_equal(lm_engine_name((lm_engine)e), names[e]);
        assert_int_equal(lm_engine_by_name(names[e]), e);
    }
    assert_int_equal(lm_engine_by_name("doom"), LM_NUM_ENGINES);
    assert_int_equal(lm_engine_by_name(""), LM_NUM_ENGINES);
    assert_string_equal(lm_engine_name(LM_NUM_ENGINES), "unknown");
}
