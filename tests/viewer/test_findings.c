/* Where on a model the problems are that `lerpmesh check` finds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "findings.h"
#include "lerpmesh/load.h"
#include "support.h"

/* The triangles of the first problem of that kind in a file; its frame. */
static GArray *locate(const blob *file, lm_code code, uint32_t *frame) {
    lm_error error = {.message = ""};
    lm_report *report = lm_check_memory(file->data, file->size, NULL, &error);
    lm_model *model = lm_load_memory(file->data, file->size, NULL, &error);
    GArray *triangles = g_array_new(FALSE, FALSE, sizeof(finding_triangle));
    bool found = false;
    *frame = FINDING_NO_FRAME;
    if (!model || !report)
        fail_msg("%s", error.message);
    for (uint32_t i = 0; report && i < report->num_problems && !found; i++) {
        found = report->problems[i].code == code;
        if (found)
            *frame = findings_locate(model, &report->problems[i], triangles);
    }
    if (!found)
        fail_msg("check does not find [%s]", lm_code_name(code));
    lm_model_free(model);
    lm_report_free(report);
    return triangles;
}

static const finding_triangle *at(const GArray *triangles, guint i) {
    return &g_array_index(triangles, finding_triangle, i);
}

/* Vertices are as the file counts them in all of these. */
static blob make(void) {
    return make_md2(&small_md2);
}

static size_t triangle(const blob *file, uint32_t i) {
    return get32(file, MD2_AT_OFS_TRIS) + 12 * (size_t)i;
}

static void test_degenerate(void **state) {
    blob file = make();
    uint32_t frame;
    (void)state;
    put16(&file, triangle(&file, 1), 2); /* 2 2 3 */
    put16(&file, triangle(&file, 1) + 2, 2);
    GArray *found = locate(&file, LM_CODE_DEGENERATE_TRIANGLES, &frame);
    assert_int_equal(found->len, 1);
    assert_int_equal(frame, FINDING_NO_FRAME);
    /* The same triangle is what GL commands, which were left alone, do not draw. */
    GArray *differing = locate(&file, LM_CODE_GL_COMMANDS_DIFFER, &frame);
    assert_int_equal(differing->len, 1);
    assert_memory_equal(at(differing, 0), at(found, 0), sizeof(finding_triangle));
    g_array_unref(differing);
    g_array_unref(found);
    blob_free(&file);
}

static void test_unused_vertices(void **state) {
    md2_shape shape = small_md2;
    uint32_t frame;
    (void)state;
    shape.num_xyz =
        shape.num_tris + 5; /* triangle i uses i, i + 1, i + 2: the last three are free */
    blob file = make_md2(&shape);
    GArray *found = locate(&file, LM_CODE_UNUSED_VERTICES, &frame);
    assert_int_equal(found->len, 3);
    for (guint i = 0; i < found->len; i++)
        for (unsigned k = 0; k < 3; k++)
            assert_int_equal(at(found, i)->vertices[k], (uint32_t)shape.num_tris + 2 + i);
    g_array_unref(found);
    blob_free(&file);
}

static void test_seams(void **state) {
    blob file = make();
    uint32_t frame;
    (void)state;
    GArray *found = locate(&file, LM_CODE_SEAMS, &frame);
    assert_true(found->len > 0);
    assert_true(found->len <= (guint)small_md2.num_tris);
    g_array_unref(found);
    blob_free(&file);
}

static void test_st_outside(void **state) {
    blob file = make();
    uint32_t frame, last = (uint32_t)small_md2.num_tris - 1;
    (void)state;
    uint32_t st = file.data[triangle(&file, last) + 6];
    put16(&file, get32(&file, MD2_AT_OFS_ST) + 4 * (size_t)st, 0x7fff);
    GArray *found = locate(&file, LM_CODE_ST_OUTSIDE, &frame);
    bool has_last = false;
    for (guint i = 0; i < found->len; i++)
        has_last |= at(found, i)->vertices[0] != at(found, i)->vertices[1];
    assert_true(has_last);
    assert_true(found->len < (guint)small_md2.num_tris);
    g_array_unref(found);
    blob_free(&file);
}

static void test_frame(void **state) {
    md3_shape shape = small_md3;
    uint32_t frame;
    (void)state;
    shape.num_frames = 3;
    blob file = make_md3(&shape);
    /* Frame 1 claims to be a point, which all of it leaves. */
    size_t bounds = get32(&file, MD3_AT_OFS_FRAMES) + 56;
    for (size_t i = 0; i < 24; i += 4)
        put_real(&file, bounds + i, 9999);
    GArray *found = locate(&file, LM_CODE_OUTSIDE_BOUNDS, &frame);
    assert_int_equal(frame, 1);
    assert_int_equal(found->len, (guint)shape.num_triangles);
    g_array_unref(found);
    blob_free(&file);
}

/* Errors come first; several of a kind have a row of their own before theirs. */
static void test_kinds(void **state) {
    static const lm_problem problems[] = {{.code = LM_CODE_SEAMS, .severity = LM_NOTE},
                                          {.code = LM_CODE_OUTSIDE_BOUNDS, .severity = LM_WARNING},
                                          {.code = LM_CODE_UNUSED_VERTICES, .severity = LM_WARNING},
                                          {.code = LM_CODE_OUTSIDE_BOUNDS, .severity = LM_WARNING},
                                          {.code = LM_CODE_IO, .severity = LM_ERROR}};
    const lm_report report = {.num_problems = 5, .problems = problems};
    findings groups = findings_group(&report);
    const finding_row *rows = (const finding_row *)(void *)groups.rows->data;
    const uint32_t *order = (const uint32_t *)(void *)groups.order->data;
    uint32_t kinds = 0;
    (void)state;
    assert_int_equal(groups.rows->len, 6); /* five, and one for the two */
    assert_int_equal(order[rows[0].first], 4);
    assert_int_equal(order[rows[5].first], 0);
    for (guint i = 0; i < 6; i++)
        if (rows[i].count == 2) {
            kinds++;
            assert_int_equal(order[rows[i].first], 1);
            assert_int_equal(order[rows[i].first + 1], 3);
            assert_int_equal(rows[i + 1].first, rows[i].first);
            assert_int_equal(rows[i + 2].first, rows[i].first + 1);
        }
    assert_int_equal(kinds, 1);
    findings_clear(&groups);
    groups = findings_group(NULL);
    assert_int_equal(groups.rows->len, 0);
    findings_clear(&groups);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_degenerate), cmocka_unit_test(test_unused_vertices),
        cmocka_unit_test(test_seams),      cmocka_unit_test(test_st_outside),
        cmocka_unit_test(test_frame),      cmocka_unit_test(test_kinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
