/* Tests the locations on a model of the problems that `lerpmesh check` reports. */
#include <string.h>

#include "lerpmesh/check.h"
#include "lerpmesh/load.h"
#include "support.h"

/* Returns the triangles of the first such problem in a file; `frame` receives its frame. */
static lm_buffer locate(const blob *file, lm_code code, uint32_t *frame) {
    lm_error error = {.message = ""};
    lm_report *report = lm_check_memory(file->data, file->size, NULL, &error);
    lm_model *model = lm_load_memory(file->data, file->size, NULL, &error);
    lm_buffer triangles = {0};
    bool found = false;
    *frame = LM_NO_FRAME;
    if (!model || !report)
        fail_msg("%s", error.message);
    for (uint32_t i = 0; report && i < report->num_problems && !found; i++) {
        found = report->problems[i].code == code;
        if (found)
            *frame = lm_diagnostic_locate(model, &report->problems[i], &triangles);
    }
    if (!found)
        fail_msg("check does not find [%s]", lm_code_name(code));
    lm_model_free(model);
    lm_report_free(report);
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
    (void)user, (void)size;
    return NULL;
}

static void *fail_to_reallocate(void *user, void *pointer, size_t old_size, size_t new_size) {
    (void)user, (void)pointer, (void)old_size, (void)new_size;
    return NULL;
}

static void ignore_free(void *user, void *pointer, size_t size) {
    (void)user, (void)pointer, (void)size;
}

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
        lm_diagnostic_locate(model, &problem, &found);
        assert_int_equal(found.size, 0);
        assert_true(found.failed || codes[i] == LM_CODE_DEGENERATE_TRIANGLES ||
                    codes[i] == LM_CODE_ST_OUTSIDE);
    }
}
