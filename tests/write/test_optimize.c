/* Tests the same model in fewer bytes: removed and kept content, a second run without effect,
 * damage and memory. tests/tool/test_optimized.py compares drawn images with the oracle. */
#include "elements.h"
#include "formats/write_document.h"
#include "model/weld.h"
#include "optimize/optimizing.h"
#include "support.h"

/* MDS is read and edited only. */
static bool can_optimize(const blob *file) {
    const char *format = lm_format_of(file->data, file->size);
    return !format || strcmp(format, "mds") != 0;
}

/* A copy of a report, with its list. */
typedef struct measured {
    lm_optimize_report numbers;
    lm_optimize_gain gains[LM_NUM_OPTIMIZE_STEPS];
} measured;

static blob optimized(const blob *file, const lm_optimize_options *options, measured *report) {
    lm_buffer out = {0};
    lm_error error;
    OWNED(lm_optimize_report) *made = NULL;
    assert_done(lm_optimize(file->data, file->size, options, &out, report ? &made : NULL, &error),
                error);
    if (report) {
        assert_int_equal(made->num_gains, LM_NUM_OPTIMIZE_STEPS);
        report->numbers = *made;
        memcpy(report->gains, made->gains, sizeof report->gains);
    }
    return blob_from_buffer(&out);
}

static void assert_same_blob(const blob *a, const blob *b) {
    assert_int_equal(a->size, b->size);
    assert_memory_equal(a->data, b->data, a->size);
}

/* Checks that the report's numbers add up. */
static void assert_adds_up(const blob *before, const blob *after, const measured *m) {
    const lm_optimize_report *r = &m->numbers;
    int64_t less = 0;
    for (int i = 0; i < LM_NUM_OPTIMIZE_STEPS; i++)
        less += m->gains[i].bytes;
    assert_string_equal(r->format, lm_format_of(before->data, before->size));
    assert_int_equal(r->size_before, before->size);
    assert_int_equal(r->size_after, after->size);
    assert_int_equal(less, before->size - after->size);
    assert_true(r->size_after <= r->size_before);
    assert_true(r->transforms_after <= r->transforms_before);
}

static void optimize_twice(const char *path, const blob *file) {
    if (!can_optimize(file))
        return;
    measured report, again;
    OWNED(lm_model) *model = lm_load_memory(file->data, file->size, NULL, NULL);
    if (!model)
        return; /* broken on purpose */
    AT_END(blob_free)
    blob once = optimized(file, NULL, &report), twice = optimized(&once, NULL, &again);
    assert_adds_up(file, &once, &report);
    assert_adds_up(&once, &twice, &again);
    if (once.size != twice.size || memcmp(once.data, twice.data, once.size) != 0)
        fail_msg("%s: optimizing it twice changes it again", path);
    for (int i = 0; i < LM_NUM_OPTIMIZE_STEPS; i++)
        assert_true(again.gains[i].count == 0 && again.gains[i].bytes == 0);
    assert_int_equal(again.numbers.transforms_before, report.numbers.transforms_after);
}

TEST(test_real_models_do_not_change_twice) {
    each_model(optimize_twice);
}

TEST(test_small_models_do_not_change_twice) {
    each_small_model(optimize_twice);
}

/* ---- Order ---------------------------------------------------------------------------------- */

static lm_model *optimized_model(const blob *file, const lm_optimize_options *options) {
    measured report;
    AT_END(blob_free)
    blob once = optimized(file, options, &report), twice = optimized(&once, options, NULL);
    assert_adds_up(file, &once, &report);
    assert_same_blob(&once, &twice);
    lm_model *model = lm_load_memory(once.data, once.size, NULL, NULL);
    assert_non_null(model);
    return model;
}

static void assert_same_corners(const lm_surface *a, const lm_surface *b, bool numbers) {
    assert_int_equal(a->num_triangles, b->num_triangles);
    if (numbers)
        assert_int_equal(a->num_file_vertices, b->num_file_vertices);
    for (size_t c = 0; c < 3 * (size_t)a->num_triangles; c++) {
        const uint32_t v = a->triangles[c], w = b->triangles[c];
        assert_memory_equal(&a->st[v], &b->st[w], sizeof a->st[v]);
        if (numbers)
            assert_int_equal(a->file_vertices[v], b->file_vertices[w]);
    }
}

static uint32_t num_kept; /* models that are reordered without the options */

static void keep_order(const char *path, const blob *file) {
    if (!can_optimize(file))
        return;
    const lm_optimize_options drawn = {.keep_draw_order = true}, numbered = {.keep_numbers = true};
    measured free_order;
    OWNED(lm_model) *model = lm_load_memory(file->data, file->size, NULL, NULL);
    if (!model)
        return; /* broken on purpose */
    AT_END(blob_free) blob any = optimized(file, NULL, &free_order);
    OWNED(lm_model) *a = optimized_model(file, &drawn), *b = optimized_model(file, &numbered);
    for (uint32_t i = 0; i < model->num_surfaces; i++) {
        assert_same_corners(&model->surfaces[i], &a->surfaces[i], false);
        assert_same_corners(&model->surfaces[i], &b->surfaces[i], true);
    }
    assert_int_equal(model->gl_commands.num_primitives, a->gl_commands.num_primitives);
    num_kept += free_order.numbers.transforms_after < free_order.numbers.transforms_before;
}

TEST(test_order_is_kept) {
    num_kept = 0;
    each_small_model(keep_order);
    each_model(keep_order);
    assert_true(num_kept > 0);
}

/* ---- Removed content ------------------------------------------------------------------------ */

/* A surface with a duplicate vertex, an undrawn one, and repeated frames. */
static const uint8_t st_rows[5][8] = {{0}, {1}, {2}, {0}, {4}};

static void put_position(uint8_t *out, int vertex, int frame) {
    const lm_vertex_mesh_vertex v = {
        {(int16_t)(64 * (vertex == 1)), (int16_t)(64 * (vertex == 2)), (int16_t)(frame * 8)}, 0};
    lmi_md3_put_xyz_normal(out, &v);
}

/* Vertex 3 equals 0, and 4 is not drawn. */
static blob make_doubled_md3(void) {
    static uint8_t triangles[2 * 12], vertices[3 * 5 * 8], frames[3 * 56];
    static const uint32_t corners[2][3] = {{0, 1, 2}, {3, 2, 1}};
    lm_md3_surface surface = {.ident = LM_MD3_IDENT,
                              .num_frames = 3,
                              .num_verts = 5,
                              .num_triangles = 2,
                              .triangles = triangles,
                              .st = st_rows[0],
                              .xyz_normals = vertices};
    const lm_md3 md3 = {.num_frames = 3, .num_surfaces = 1, .frames = frames, .surfaces = &surface};
    lm_buffer out = {0};
    for (size_t t = 0; t < 2; t++)
        lmi_md3_put_triangle(triangles + 12 * t, corners[t]);
    for (int f = 0; f < 3; f++)
        for (int v = 0; v < 5; v++)
            put_position(vertices + 8 * (5 * f + v), v == 3 ? 0 : v, f);
    assert_true(lmi_write_document(&lmi_md3_kind, &md3, &out, NULL));
    return blob_from_buffer(&out);
}

TEST(test_equal_vertices_are_merged) {
    measured report;
    AT_END(blob_free) blob file = make_doubled_md3(), made = optimized(&file, NULL, &report);
    assert_int_equal(report.gains[LM_OPTIMIZE_VERTICES].count, 2);
    assert_int_equal(report.gains[LM_OPTIMIZE_VERTICES].bytes, 2 * (8 + 3 * 8));
    assert_int_equal(report.numbers.num_triangles, 2);
    assert_int_equal(report.numbers.transforms_before, 4);
    assert_int_equal(report.numbers.transforms_after, 3);
    lm_md3 *md3 = lm_md3_read(made.data, made.size, NULL, NULL);
    assert_non_null(md3);
    assert_int_equal(md3->surfaces[0].num_verts, 3);
    lm_md3_free(md3);
    blob_free(&made);
    /* In one frame they are a step apart, so both stay. */
    file.data[surface_lump(&file, 0, MD3_SURFACE_AT_OFS_XYZ_NORMALS) + (2 * 5 + 3) * 8 + 6]++;
    made = optimized(&file, NULL, &report);
    assert_int_equal(report.gains[LM_OPTIMIZE_VERTICES].count, 1);
}

/* Makes five frames: base frames a, b, a again, and an unused one; compressed frames likewise. With
 * `equal` the texture coordinates of the last two vertices are equal, as is everything else of them
 * except in the unused row. */
static blob make_doubled_mdc(bool equal) {
    static uint8_t triangle[12], st[3 * 8], base[4 * 3 * 8], comp[3 * 3 * 4], frames[5 * 56];
    static uint8_t of_base[5 * 2], of_comp[5 * 2];
    static const int32_t bases[5] = {0, 1, 2, 2, 0}, comps[5] = {-1, 0, 1, -300, 0};
    lm_mdc_surface surface = {.ident = LM_MDC_SURFACE_IDENT,
                              .num_comp_frames = 3,
                              .num_base_frames = 4,
                              .num_vertices = 3,
                              .num_triangles = 1,
                              .triangles = triangle,
                              .st = st,
                              .base_vertices = base,
                              .comp_vertices = comp,
                              .frame_base_frames = of_base,
                              .frame_comp_frames = of_comp};
    const lm_mdc mdc = {.num_frames = 5, .num_surfaces = 1, .frames = frames, .surfaces = &surface};
    lm_buffer out = {0};
    st[8] = 1;
    st[16] = equal ? 1 : 2;
    memset(base + 24, 1, 24); /* b */
    memset(base + 3 * 24, 2, 23);
    memset(comp, 127, sizeof comp);
    lmi_md3_put_triangle(triangle, (uint32_t[]){0, 1, 2});
    for (int f = 0; f < 5; f++) {
        lmi_mdc_put_frame_index(of_base + 2 * f, bases[f]);
        lmi_mdc_put_frame_index(of_comp + 2 * f, comps[f]);
    }
    assert_true(lmi_write_document(&lmi_mdc_kind, &mdc, &out, NULL));
    return blob_from_buffer(&out);
}

TEST(test_unused_rows_do_not_prevent_merging) {
    measured report;
    AT_END(blob_free) blob file = make_doubled_mdc(true), made = optimized(&file, NULL, &report);
    assert_int_equal(report.gains[LM_OPTIMIZE_VERTICES].count, 1);
}

TEST(test_frames_are_stored_once) {
    static const int32_t bases[5] = {0, 1, 0, 0, 0}, comps[5] = {-1, 0, 0, -1, 0};
    measured report;
    AT_END(blob_free) blob file = make_doubled_mdc(false), made = optimized(&file, NULL, &report);
    OWNED(lm_mdc) *mdc = lm_mdc_read(made.data, made.size, NULL, NULL);
    assert_non_null(mdc);
    assert_int_equal(mdc->surfaces[0].num_base_frames, 2);
    assert_int_equal(mdc->surfaces[0].num_comp_frames, 1);
    for (int32_t f = 0; f < 5; f++) {
        assert_int_equal(lmi_mdc_get_frame_base_frame(&mdc->surfaces[0], f), bases[f]);
        assert_int_equal(lmi_mdc_get_frame_comp_frame(&mdc->surfaces[0], f), comps[f]);
    }
    assert_int_equal(report.gains[LM_OPTIMIZE_FRAMES].count, 4);
    assert_string_equal(report.gains[LM_OPTIMIZE_FRAMES].step, "frames");
    assert_int_equal(report.gains[LM_OPTIMIZE_FRAMES].bytes, 3 * (2 * 8 + 2 * 4));
}

/* With one_frame, only a model in which nothing moves loses frames. */
TEST(test_equal_frames_are_removed) {
    static const lm_optimize_options one = {.one_frame = true};
    for (int32_t moves = 0; moves < 4; moves++) {
        measured report;
        AT_END(blob_free) blob made3 = make_md3(&(md3_shape){3, 1, 2, 3, 1, 1});
        OWNED(lm_md3) *md3 = lm_md3_read(made3.data, made3.size, NULL, NULL);
        assert_non_null(md3);
        const size_t row = (size_t)3 * LM_MD3_XYZ_NORMAL_SIZE;
        uint8_t *tags = (uint8_t *)md3->tags, *rows = NULL;
        for (int32_t s = 0; s < 2; s++) {
            rows = (uint8_t *)md3->surfaces[s].xyz_normals;
            memcpy(rows + row, rows, row);
            memcpy(rows + 2 * row, rows, row);
        }
        memcpy(tags + LM_MD3_TAG_SIZE, tags, LM_MD3_TAG_SIZE);
        memcpy(tags + (size_t)2 * LM_MD3_TAG_SIZE, tags, LM_MD3_TAG_SIZE);
        if (moves == 1)
            rows[2 * row]++; /* a position */
        else if (moves == 2)
            rows[2 * row + 6] ^= 0x40; /* a normal */
        else if (moves == 3)
            lmi_put_f32(tags + (size_t)2 * LM_MD3_TAG_SIZE + 64, 7); /* the origin of a tag */
        lm_buffer out = {0};
        assert_true(lmi_write_document(&lmi_md3_kind, md3, &out, NULL));
        AT_END(blob_free) blob file = blob_from_buffer(&out);
        OWNED(lm_report) *checked = lm_check_memory(file.data, file.size, NULL, NULL);
        bool noted = false;
        for (uint32_t i = 0; i < checked->num_problems; i++)
            noted = noted || (checked->problems[i].code == LM_CODE_EQUAL_FRAMES &&
                              checked->problems[i].severity == LM_SEVERITY_NOTE);
        assert_int_equal(noted, moves == 0);
        AT_END(blob_free)
        blob plain = optimized(&file, NULL, NULL), made = optimized(&file, &one, &report);
        OWNED(lm_model) *model = lm_load_memory(made.data, made.size, NULL, NULL);
        assert_non_null(model);
        assert_int_equal(model->num_frames, moves == 0 ? 1 : 3);
        assert_int_equal(report.gains[LM_OPTIMIZE_FRAMES].count, moves == 0 ? 2 : 0);
        assert_adds_up(&file, &made, &report);
        if (moves > 0)
            assert_same_blob(&made, &plain);
    }
}

/* Bytes that no reader uses are cleared: after the end, after frames, after the last command and in
 * names. */
TEST(test_junk_is_removed) {
    static const uint8_t junk[100] = {1, 2, 3};
    measured report;
    AT_END(blob_free) blob small = make_md2(&small_md2), plain = optimized(&small, NULL, NULL);
    OWNED(lm_md2) *md2 = lm_md2_read(plain.data, plain.size, NULL, NULL);
    assert_non_null(md2);
    const size_t size = (size_t)md2->framesize, wide = size + 5;
    AT_END(drop_bytes)
    uint8_t *frames = calloc((size_t)md2->num_frames, wide), *skins = malloc(128);
    for (size_t f = 0; f < (size_t)md2->num_frames; f++)
        memcpy(frames + f * wide, md2->frames + f * size, size);
    memcpy(skins, md2->skins, 128);
    skins[63] = 'x'; /* the name ends before it */
    md2->skins = skins;
    md2->frames = frames;
    md2->framesize = (int32_t)wide;
    md2->trailing = junk;
    md2->num_trailing = sizeof junk;
    lm_buffer out = {0};
    assert_true(lmi_write_document(&lmi_md2_kind, md2, &out, NULL));
    AT_END(blob_free) blob file = blob_from_buffer(&out), made = optimized(&file, NULL, &report);
    assert_same_blob(&made, &plain);
    assert_int_equal(report.gains[LM_OPTIMIZE_JUNK].bytes,
                     sizeof junk + 5 * (size_t)md2->num_frames);
}

/* A triangle that rises by a 64th per frame, in base frames only. */
static blob make_rising_mdc(void) {
    enum {
        FRAMES = 20
    };
    static uint8_t triangle[12], st[3 * 8] = {[8] = 1, [16] = 2}, base[FRAMES * 3 * 8];
    static uint8_t frames[FRAMES * 56], of_base[FRAMES * 2], of_comp[FRAMES * 2], shader[68];
    static uint8_t tags[FRAMES * 12] = {7}, tag_names[64] = "tag_x";
    lm_mdc_surface surface = {.ident = LM_MDC_SURFACE_IDENT,
                              .name = "flag",
                              .flags = 5,
                              .num_base_frames = FRAMES,
                              .num_shaders = 1,
                              .num_vertices = 3,
                              .num_triangles = 1,
                              .triangles = triangle,
                              .shaders = shader,
                              .st = st,
                              .base_vertices = base,
                              .frame_base_frames = of_base,
                              .frame_comp_frames = of_comp};
    const lm_mdc mdc = {.name = "rising",
                        .flags = 9,
                        .num_frames = FRAMES,
                        .num_tags = 1,
                        .num_surfaces = 1,
                        .frames = frames,
                        .tag_names = tag_names,
                        .tags = tags,
                        .surfaces = &surface};
    lm_buffer out = {0};
    lmi_md3_put_triangle(triangle, (uint32_t[]){0, 1, 2});
    for (int f = 0; f < FRAMES; f++) {
        lmi_mdc_put_frame_index(of_base + 2 * f, f);
        lmi_mdc_put_frame_index(of_comp + 2 * f, LM_MDC_NO_COMP_FRAME);
        for (int v = 0; v < 3; v++)
            put_position(base + 8 * (3 * f + v), v, f);
    }
    assert_true(lmi_write_document(&lmi_mdc_kind, &mdc, &out, NULL));
    return blob_from_buffer(&out);
}

static lm_mesh *mesh_of(const blob *file) {
    OWNED(lm_model) *model = lm_load_memory(file->data, file->size, NULL, NULL);
    lm_mesh *mesh = model ? lm_mesh_from_model(model, NULL, NULL) : NULL;
    assert_non_null(mesh);
    return mesh;
}

static double distance_between(const blob *a, const blob *b) {
    OWNED(lm_mesh) *one = mesh_of(a), *other = mesh_of(b);
    OWNED(lm_comparison) *found = lm_mesh_compare(one, other, NULL, NULL);
    assert_non_null(found);
    assert_int_equal(found->num_differences, 0);
    return found->all.max_distance;
}

TEST(test_loss_needs_permission) {
    const lm_optimize_options wide = {.max_error = 0.05}, tight = {.max_error = 0.001};
    measured reports[2];
    AT_END(blob_free) blob file = make_rising_mdc(), exact = optimized(&file, NULL, NULL);
    AT_END(blob_free)
    blob lossy = optimized(&file, &wide, &reports[0]), same = optimized(&file, &tight, &reports[1]);
    assert_same_blob(&same, &exact); /* a step of 0.05 units cannot be so near */
    assert_true(reports[1].numbers.max_error == 0 && reports[1].gains[LM_OPTIMIZE_LOSS].bytes == 0);
    assert_true(lossy.size < exact.size);
    assert_adds_up(&file, &lossy, &reports[0]);
    assert_int_equal(reports[0].gains[LM_OPTIMIZE_LOSS].bytes, exact.size - lossy.size);
    assert_true(reports[0].numbers.max_error > 0 && reports[0].numbers.max_error <= 0.05);
    assert_true(fabs(distance_between(&file, &lossy) - reports[0].numbers.max_error) < 1e-6);
    OWNED(lm_mdc) *mdc = lm_mdc_read(lossy.data, lossy.size, NULL, NULL);
    assert_non_null(mdc);
    assert_int_equal(mdc->flags, 9);
    assert_int_equal(mdc->surfaces[0].flags, 5);
    assert_string_equal((const char *)mdc->surfaces[0].name, "flag");
    assert_int_equal(mdc->tags[0], 7);
    assert_int_equal(mdc->surfaces[0].num_base_frames, 1);
}

/* ---- Kept content --------------------------------------------------------------------------- */

/* Two triangles that could be one strip, stored as two. */
static blob make_two_strips(void) {
    static const int32_t vertices[6] = {0, 1, 2, 2, 1, 3};
    static uint8_t commands[(2 * (1 + 3 * 3) + 1 + 4) * 4];
    AT_END(blob_free) blob small = make_md2(&small_md2);
    OWNED(lm_md2) *md2 = lm_md2_read(small.data, small.size, NULL, NULL);
    lm_buffer out = {0};
    assert_non_null(md2);
    memset(commands, 0, sizeof commands);
    for (size_t i = 0; i < 6; i++) {
        uint8_t *strip = commands + i / 3 * 40;
        lmi_md2_put_glcmd(strip, 3);
        lmi_md2_put_glcmd_float(strip + 4 + i % 3 * 12, 0.25f);
        lmi_md2_put_glcmd(strip + 4 + i % 3 * 12 + 8, vertices[i]);
    }
    md2->glcmds = commands;
    md2->num_glcmds = sizeof commands / 4;
    assert_true(lmi_write_document(&lmi_md2_kind, md2, &out, NULL));
    return blob_from_buffer(&out);
}

TEST(test_gl_commands_become_longer_strips) {
    const lm_optimize_options none = {.strips = LM_STRIPS_NONE}, fast = {.strips = LM_STRIPS_FAST};
    measured reports[3];
    AT_END(blob_free) blob file = make_two_strips();
    blob made[] = {optimized(&file, &none, &reports[0]), optimized(&file, &fast, &reports[1]),
                   optimized(&file, NULL, &reports[2])};
    /* 25 integers, 4 of which are after the end; one strip has 1 + 4 * 3, followed by the end. */
    assert_int_equal(reports[0].gains[LM_OPTIMIZE_COMMANDS].count, 4);
    assert_int_equal(reports[1].gains[LM_OPTIMIZE_COMMANDS].count, 25 - 14);
    assert_int_equal(reports[2].gains[LM_OPTIMIZE_COMMANDS].bytes, (25 - 14) * 4);
    for (size_t i = 0; i < COUNT_OF(made); i++)
        blob_free(&made[i]);
}

/* Keeps frames' grids and every vertex's bytes. */
TEST(test_frames_keep_their_bytes) {
    AT_END(blob_free) blob file = make_md2(&small_md2), made = optimized(&file, NULL, NULL);
    OWNED(lm_md2) *a = lm_md2_read(file.data, file.size, NULL, NULL);
    OWNED(lm_md2) *b = lm_md2_read(made.data, made.size, NULL, NULL);
    assert_true(a && b);
    for (int32_t f = 0; f < a->num_frames; f++) {
        lm_md2_frame x, y;
        lmi_md2_get_frame(a, f, &x);
        lmi_md2_get_frame(b, f, &y);
        assert_memory_equal(&x, &y, sizeof x.scale + sizeof x.translate);
        assert_string_equal(x.name, y.name);
    }
}

/* Lumps that share bytes would be separated: such a file stays unchanged. */
TEST(test_nothing_becomes_larger) {
    const size_t header = 68, skins = 2 * 64;
    static const size_t offsets[] = {MD2_AT_OFS_ST, MD2_AT_OFS_TRIS, MD2_AT_OFS_FRAMES,
                                     MD2_AT_OFS_GLCMDS, MD2_AT_OFS_END};
    measured report;
    AT_END(blob_free) blob small = make_md2(&small_md2), plain = optimized(&small, NULL, NULL);
    AT_END(blob_free) blob file = blob_copy(plain.data + skins, plain.size - skins);
    memcpy(file.data, plain.data, header);
    for (size_t i = 0; i < COUNT_OF(offsets); i++)
        put32(&file, offsets[i], get32(&plain, offsets[i]) - (uint32_t)skins);
    AT_END(blob_free)
    blob made = optimized(&file, NULL, &report); /* skins start at the same offset as st */
    assert_same_blob(&made, &file);
    assert_adds_up(&file, &made, &report);
}

/* ---- Damage, memory, buffers ---------------------------------------------------------------- */

static bool has_damaged_commands(const lm_model *model) {
    for (uint32_t i = 0; i < model->num_warnings; i++)
        if (model->warnings[i].code == LM_CODE_GL_COMMANDS)
            return true;
    return false;
}

/* Optimizes every prefix, and files with changed bytes: valid ones succeed, others fail as loading
 * does. Damaged GL commands load, but cannot be optimized. */
static void try_damaged(const blob *file) {
    lm_error error = {0}, loading = {0};
    AT_END(lm_buffer_free) lm_buffer out = {0};
    lm_model *model = lm_load_memory(file->data, file->size, NULL, &loading);
    const bool done = lm_optimize(file->data, file->size, NULL, &out, NULL, &error);
    if (model && has_damaged_commands(model)) {
        assert_false(done);
        assert_int_equal(error.code, LM_CODE_GL_COMMANDS);
        assert_int_equal(out.size, 0);
        lm_model_free(model);
        return;
    }
    assert_int_equal(done, model != NULL);
    if (!done) {
        assert_int_equal(error.code, loading.code);
        assert_string_equal(error.message, loading.message);
        assert_int_equal(out.size, 0);
    }
    lm_model_free(model);
}

static void damage(const char *name, const blob *file) {
    if (!can_optimize(file))
        return;
    chance c = chance_from(7);
    for (size_t size = 0; size < file->size; size++) {
        AT_END(blob_free) blob cut = blob_copy(file->data, size);
        try_damaged(&cut);
    }
    for (int i = 0; i < 3000; i++) {
        AT_END(blob_free) blob bad = blob_copy(file->data, file->size);
        bad.data[chance_below(&c, (uint32_t)file->size)] = (uint8_t)chance_next(&c);
        bad.data[chance_below(&c, 128)] = (uint8_t)chance_next(&c);
        try_damaged(&bad);
    }
}

TEST(test_damaged_files_are_rejected_as_by_loading) {
    each_small_model(damage);
}

static void starve(const char *name, const blob *file) {
    if (!can_optimize(file))
        return;
    EACH_ALLOCATION_FAILS (f) {
        AT_END(lm_buffer_free) lm_buffer out = {0};
        const lm_optimize_options options = {.memory = f.memory, .max_error = 0.05};
        f.done = lm_optimize(file->data, file->size, &options, &out, NULL, &f.error);
        assert_true(f.done || out.size == 0);
    }
}

TEST(test_every_allocation_may_fail) {
    AT_END(blob_free) blob rising = make_rising_mdc();
    each_small_model(starve);
    starve("rising", &rising);
}

TEST(test_output_is_appended_within_limits) {
    lm_error error;
    blob file = make_md3(&small_md3), whole = optimized(&file, NULL, NULL);
    lm_buffer out = {.max_size = whole.size + 3};
    lm_buffer_text(&out, "abc");
    assert_true(lm_optimize(file.data, file.size, NULL, &out, NULL, &error));
    assert_int_equal(out.size, whole.size + 3);
    assert_memory_equal(out.data + 3, whole.data, whole.size);
    out.size = 4;
    assert_false(lm_optimize(file.data, file.size, NULL, &out, NULL, &error));
    assert_int_equal(error.code, LM_CODE_LIMIT);
    assert_int_equal(out.size, 4);
    lm_buffer_free(&out);
    blob_free(&file);
    blob_free(&whole);
    assert_false(lm_optimize("nothing", 7, NULL, &out, NULL, &error));
    assert_int_equal(error.code, LM_CODE_UNKNOWN_FORMAT);
}

/* Tests the proof that an optimized file is equivalent: it detects every kind of difference. */

/* Two models of one format, without moved elements. */
typedef struct pair {
    lm_model *before, *after;
    lm_optimize_options options;
    lm_optimized_surface surfaces[2];
    uint32_t numbers[64], places[2][64], order[2][64];
} pair;

static pair *open_pair(const blob *before, const blob *after) {
    pair *p = calloc(1, sizeof *p);
    assert_non_null(p);
    p->before = load_blob(before);
    p->after = load_blob(after);
    for (uint32_t s = 0; s < 2; s++) {
        for (uint32_t i = 0; i < 64; i++)
            p->places[s][i] = p->order[s][i] = i;
        p->surfaces[s] = (lm_optimized_surface){.order = p->order[s], .new_indices = p->places[s]};
        if (s < p->before->num_surfaces) {
            p->surfaces[s].num_triangles = p->before->surfaces[s].num_triangles;
            p->surfaces[s].num_vertices = p->before->surfaces[s].num_file_vertices;
        }
    }
    return p;
}

static void close_pair(pair *p) {
    lm_model_free(p->before);
    lm_model_free(p->after);
    free(p);
}

OWNER(pair, close_pair)

static bool proves(pair *p, const lm_memory *memory, bool *failed, lm_error *error) {
    lm_heap heap;
    lmi_heap_begin(&heap, memory, 1 << 20, p->before->format, error);
    lm_optimizing o = {.heap = &heap,
                       .options = &p->options,
                       .num_surfaces = p->before->num_surfaces,
                       .surfaces = p->surfaces};
    const bool same = lmi_prove_same(&o, p->before, p->after);
    *failed = heap.call.status == LM_FAILED;
    return same;
}

/* `expected`: NULL if they are equivalent. */
static void expect(pair *p, const char *what, const char *expected) {
    char sentence[128];
    bool failed;
    lm_error error = {.code = LM_CODE_OK};
    const bool same = proves(p, NULL, &failed, &error);
    snprintf(sentence, sizeof sentence,
             "%s: optimizing would change %s, so nothing is written; this is a bug in lerpmesh",
             p->before->format, expected ? expected : "");
    if (same != !expected || failed != !same || (expected && strcmp(error.message, sentence) != 0))
        fail_msg("%s: %s", what, same ? "the same" : error.message);
}

/* ---- Other files ----------------------------------------------------------------------------- */

typedef enum kind {
    MD2,
    MDC,
    MD3,
    NUM_KINDS
} kind;

static blob make(kind format) {
    return format == MD2   ? make_md2(&small_md2)
           : format == MDC ? make_mdc(&small_mdc)
                           : make_md3(&small_md3);
}

static void expect_byte(kind format, const char *what, size_t at, uint8_t change,
                        const char *expected) {
    AT_END(blob_free) blob before = make(format), after = make(format);
    assert_true(at < after.size);
    after.data[at] ^= change;
    OWNED(pair) *p = open_pair(&before, &after);
    expect(p, what, expected);
}

TEST(test_equal_models_are_proven_equal) {
    for (int format = 0; format < NUM_KINDS; format++)
        expect_byte((kind)format, "nothing", 0, 0, NULL);
}

TEST(test_changed_bytes_of_an_md3_are_found) {
    AT_END(blob_free) blob file = make(MD3);
    const size_t frames = get32(&file, MD3_AT_OFS_FRAMES), tags = get32(&file, MD3_AT_OFS_TAGS);
    expect_byte(MD3, "the model's name", MD3_AT_NAME, 1,
                "the number of frames, surfaces, tags or skins");
    for (size_t f = 0; f < 4; f++)
        expect_byte(MD3, "a frame's name", frames + 56 * f + 40, 1, "a frame's name");
    for (size_t t = 0; t < 8; t++)
        expect_byte(MD3, "a tag's position", tags + 112 * t + 68 + 2, 1, "a tag");
    expect_byte(MD3, "a tag's axis", tags + 112 * 7 + 64 + 12 + 34, 1, "a tag");
    for (int32_t s = 0; s < 2; s++) {
        const size_t start = surface_start(&file, s);
        const size_t triangles = surface_lump(&file, s, MD3_SURFACE_AT_OFS_TRIANGLES);
        const size_t shaders = surface_lump(&file, s, MD3_SURFACE_AT_OFS_SHADERS);
        const size_t st = surface_lump(&file, s, MD3_SURFACE_AT_OFS_ST);
        const size_t vertices = surface_lump(&file, s, MD3_SURFACE_AT_OFS_XYZ_NORMALS);
        expect_byte(MD3, "a surface's name", start + 4, 1, "a surface's name");
        expect_byte(MD3, "a shader's name", shaders, 1, "a material");
        expect_byte(MD3, "a shader's index", shaders + 64, 1, "a material");
        for (size_t corner = 0; corner < 9; corner++) {
            const uint8_t v = file.data[triangles + 4 * corner];
            expect_byte(MD3, "a corner", triangles + 4 * corner, (uint8_t)(v ^ (v + 1) % 5),
                        "a triangle's corner");
        }
        for (size_t i = 0; i < 10; i++)
            expect_byte(MD3, "a coordinate", st + 4 * i + 2, 1, "a triangle's corner");
        for (size_t f = 0; f < 4; f++)
            for (size_t v = 0; v < 5; v++) {
                expect_byte(MD3, "x", vertices + 8 * (5 * f + v), 1, "a vertex");
                expect_byte(MD3, "z", vertices + 8 * (5 * f + v) + 4, 1, "a vertex");
                expect_byte(MD3, "a normal", vertices + 8 * (5 * f + v) + 6, 64, "a vertex");
            }
    }
}

TEST(test_changed_bytes_of_an_md2_are_found) {
    AT_END(blob_free) blob file = make(MD2);
    const size_t skins = get32(&file, MD2_AT_OFS_SKINS), gl = get32(&file, MD2_AT_OFS_GLCMDS);
    expect_byte(MD2, "the first skin", skins, 1, "a skin");
    expect_byte(MD2, "the second skin", skins + 64, 1, "a skin");
    expect_byte(MD2, "a frame's name", get32(&file, MD2_AT_OFS_FRAMES) + 24, 1, "a frame's name");
    /* The commands: a count, then s, t and a vertex each. */
    expect_byte(MD2, "s", gl + 4 + 2, 1, "the triangles of the GL commands");
    expect_byte(MD2, "t", gl + 8 + 2, 1, "the triangles of the GL commands");
    expect_byte(MD2, "a vertex", gl + 12, 4, "the triangles of the GL commands");
}

TEST(test_changed_numbers_are_found) {
    const md3_shape shapes[] = {{5, 2, 2, 5, 3, 1},
                                {4, 1, 2, 5, 3, 1},
                                {4, 2, 1, 5, 3, 1},
                                {4, 2, 2, 5, 3, 2},
                                {4, 2, 2, 5, 4, 1}};
    static const char *const expected[] = {"the number of frames, surfaces, tags or skins",
                                           "the number of frames, surfaces, tags or skins",
                                           "the number of frames, surfaces, tags or skins",
                                           "a surface's name", "the number of triangles"};
    AT_END(blob_free) blob before = make_md3(&small_md3);
    for (size_t i = 0; i < COUNT_OF(shapes); i++) {
        AT_END(blob_free) blob after = make_md3(&shapes[i]);
        OWNED(pair) *p = open_pair(&before, &after);
        expect(p, "another shape", expected[i]);
    }
    blob_free(&before);
    before = make_md2(&small_md2);
    AT_END(blob_free) blob after = make_md2(&(md2_shape){1, 6, 9, 4, 3, false});
    OWNED(pair) *p = open_pair(&before, &after);
    expect(p, "a skin less", "the number of frames, surfaces, tags or skins");
    close_pair(p);
    blob_free(&after);
    after = make_md2(&(md2_shape){2, 6, 9, 4, 3, true});
    p = open_pair(&before, &after);
    expect(p, "no commands", "the triangles of the GL commands");
}

/* ---- Moved elements -------------------------------------------------------------------------- */

TEST(test_wrong_reorderings_are_found) {
    AT_END(blob_free) blob file = make_md3(&small_md3);
    OWNED(pair) *p = open_pair(&file, &file);
    for (int s = 0; s < 2; s++) {
        uint32_t *order = p->order[s], *places = p->places[s];
        order[1] = 0;
        expect(p, "a triangle twice", "the triangles");
        order[1] = 3;
        expect(p, "a triangle that is none", "the triangles");
        order[0] = 1, order[1] = 0;
        expect(p, "triangles that changed places", "a triangle's corner");
        order[0] = 0, order[1] = 1;
        places[1] = 2;
        expect(p, "a vertex that is another", "a triangle's corner");
        places[1] = LM_UNUSED;
        expect(p, "a vertex that is gone", "a triangle's corner");
        places[1] = 1;
        p->surfaces[s].num_triangles++;
        expect(p, "a triangle more", "the number of triangles");
        p->surfaces[s].num_triangles--;
        p->surfaces[s].num_vertices--;
        expect(p, "a vertex less", "the number of triangles");
        p->surfaces[s].num_vertices++;
        expect(p, "nothing", NULL);
    }
}

/* The same file with reordered triangles and vertices, written by hand. Vertex 5 is of no triangle
 * and is not in the second file. */
TEST(test_reordered_models_are_proven_equal) {
    const md3_shape six = {2, 1, 1, 6, 3, 1}, five = {2, 1, 1, 5, 3, 1};
    static const uint32_t turned[5] = {4, 3, 2, 1, 0}; /* new index of each, and the reverse */
    AT_END(blob_free) blob before = make_md3(&six), after = make_md3(&five);
    const size_t triangles[2] = {surface_lump(&before, 0, MD3_SURFACE_AT_OFS_TRIANGLES),
                                 surface_lump(&after, 0, MD3_SURFACE_AT_OFS_TRIANGLES)},
                 st[2] = {surface_lump(&before, 0, MD3_SURFACE_AT_OFS_ST),
                          surface_lump(&after, 0, MD3_SURFACE_AT_OFS_ST)},
                 rows[2] = {surface_lump(&before, 0, MD3_SURFACE_AT_OFS_XYZ_NORMALS),
                            surface_lump(&after, 0, MD3_SURFACE_AT_OFS_XYZ_NORMALS)};
    for (size_t c = 0; c < 9; c++) /* the third triangle is the first */
        put32(&after, triangles[1] + 4 * ((c + 3) % 9),
              turned[get32(&before, triangles[0] + 4 * c)]);
    for (size_t v = 0; v < 5; v++) {
        memcpy(after.data + st[1] + 8 * turned[v], before.data + st[0] + 8 * v, 8);
        for (size_t f = 0; f < 2; f++)
            memcpy(after.data + rows[1] + 8 * (5 * f + turned[v]),
                   before.data + rows[0] + 8 * (6 * f + v), 8);
    }
    OWNED(pair) *p = open_pair(&before, &after);
    memcpy(p->places[0], turned, sizeof turned);
    p->places[0][5] = LM_UNUSED;
    for (uint32_t t = 0; t < 3; t++)
        p->order[0][(t + 1) % 3] = t;
    expect(p, "turned around", NULL);
    p->options.keep_draw_order = true;
    expect(p, "triangles in another order", "the order of the triangles");
    p->options = (lm_optimize_options){.keep_numbers = true};
    expect(p, "triangles with other numbers", "the order of the triangles");
    p->options = (lm_optimize_options){0};
    p->places[0][5] = 5;
    expect(p, "a vertex that is not there", "a vertex");
    p->places[0][5] = 4;
    expect(p, "a vertex that lies elsewhere", "a vertex");
}

TEST(test_failing_allocations_are_handled) {
    AT_END(blob_free) blob file = make_md2(&small_md2);
    OWNED(pair) *p = open_pair(&file, &file);
    size_t at = 1;
    for (bool same = false; !same; at++) {
        AT_END(assert_all_released) counted counts = {.fail_at = at};
        const lm_memory memory = {.allocator = counting_allocator(&counts)};
        bool failed = true;
        same = proves(p, &memory, &failed, NULL);
        assert_false(failed);
    }
    assert_true(at > 2);
}
