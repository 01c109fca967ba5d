#include "lerpmesh/export.h"
#include "made_model.h"
#include "support.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    NUM_VERTICES = 5,
    NUM_TRIANGLES = 4
};

static char *write_text(const lm_model *model, lm_export_options options) {
    lm_buffer out = {0};
    lm_error error = {0};
    if (!lm_obj_write(model, &options, &out, &error))
        fail_msg("%s", error.message);
    lm_buffer_append(&out, "", 1);
    return (char *)out.data; /* malloc's, as no allocator was set */
}

/* Reads the numbers of the lines that begin with `key`; returns how many there are. */
static size_t read_numbers(const char *text, const char *key, double *out, size_t most) {
    size_t count = 0;
    for (const char *line = text; *line; line = strchr(line, '\n') + 1) {
        if (strncmp(line, key, strlen(key)) != 0)
            continue;
        char *p = (char *)line + strlen(key);
        while (*p == ' ' || *p == '/') {
            assert_true(count < most);
            out[count++] = strtod(p + 1, &p);
        }
    }
    return count;
}

static void sample(const lm_model *model, lm_pose pose, const lm_sample_target *target) {
    assert_int_equal(lm_sample(model, 0, &pose, 1, target), LM_CODE_OK);
}

static void numbers_are_the_samplers(void **state) {
    (void)state;
    lm_model *model = make_model(&(made_options){.num_frames = 4});
    char *text = write_text(model, (lm_export_options){.frame = 1.25, .axes = LM_AXES_MODEL});
    float positions[3 * NUM_VERTICES], normals[3 * NUM_VERTICES];
    double v[64], vn[64], vt[64];
    sample(model, (lm_pose){1, 2, 0.25f},
           &(lm_sample_target){.positions = positions, .normals = normals});
    assert_int_equal(read_numbers(text, "v", v, 64), 2 * 3 * NUM_VERTICES);
    assert_int_equal(read_numbers(text, "vn", vn, 64), 2 * 3 * NUM_VERTICES);
    assert_int_equal(read_numbers(text, "vt", vt, 64), 2 * 2 * NUM_VERTICES);
    for (size_t i = 0; i < 3 * NUM_VERTICES; i++)
        assert_true((float)v[i] == positions[i] && (float)vn[i] == normals[i]);
    for (size_t i = 0; i < NUM_VERTICES; i++) {
        assert_true((float)vt[2 * i] == model->surfaces[0].st[i].x);
        assert_true((float)vt[2 * i + 1] == 1 - model->surfaces[0].st[i].y);
    }
    free(text);
    free_made_model(model);
}

static void axes_and_scale_are_honoured(void **state) {
    (void)state;
    lm_model *model = make_model(&(made_options){.num_frames = 2});
    char *text = write_text(model, (lm_export_options){.scale = 2});
    float p[3 * NUM_VERTICES], n[3 * NUM_VERTICES];
    double v[64], vn[64];
    sample(model, (lm_pose){0, 0, 0}, &(lm_sample_target){.positions = p, .normals = n});
    read_numbers(text, "v", v, 64);
    read_numbers(text, "vn", vn, 64);
    for (size_t i = 0; i < 3 * NUM_VERTICES; i++) {
        size_t from = i - i % 3 + (i + 1) % 3; /* x of glTF is y of the model, and so on */
        assert_true((float)v[i] == 2 * p[from] && (float)vn[i] == n[from]);
    }
    free(text);
    free_made_model(model);
}

static void faces_are_turned_in_the_files_order(void **state) {
    (void)state;
    lm_model *model = make_model(&(made_options){.num_frames = 1});
    char *text = write_text(model, (lm_export_options){0});
    const unsigned wanted[] = {0, 2, 1, 2, 1, 2, 0, 1, 3, 4, 3, 2};
    double f[128];
    assert_int_equal(read_numbers(text, "f", f, 128), 2 * NUM_TRIANGLES * 9);
    for (size_t i = 0; i < NUM_TRIANGLES * 9; i++) {
        assert_int_equal((unsigned)f[i], wanted[i / 3] + 1);
        assert_int_equal((unsigned)f[NUM_TRIANGLES * 9 + i], wanted[i / 3] + 1 + NUM_VERTICES);
    }
    free(text);
    free_made_model(model);
}

static void names_stay_on_their_line(void **state) {
    (void)state;
    lm_model *model = make_model(&(made_options){.num_frames = 1, .name = "a\nv 1 2 3\xE9"});
    char *text = write_text(model, (lm_export_options){0});
    assert_non_null(strstr(text, "o a_v 1 2 3\xC3\xA9\n"));
    free(text);
    free_made_model(model);
    model = make_model(&(made_options){.num_frames = 1, .name = ""});
    text = write_text(model, (lm_export_options){.name = "knight"});
    assert_non_null(strstr(text, "o knight\n"));
    free(text);
    free_made_model(model);
}

static void failures_leave_the_buffer(void **state) {
    (void)state;
    lm_model *model = make_model(&(made_options){.num_frames = 2});
    bool written = false;
    for (size_t fail_at = 1; !written; fail_at++) {
        counted count = {.fail_at = fail_at};
        lm_buffer out = {.allocator = counting_allocator(&count)};
        lm_error error = {0};
        written = lm_obj_write(model, NULL, &out, &error);
        assert_int_equal(error.code, written ? LM_CODE_OK : LM_CODE_OUT_OF_MEMORY);
        assert_true(written || out.size == 0);
        lm_buffer_free(&out);
        assert_int_equal(count.live_blocks, 0);
    }
    lm_buffer small = {.max_size = 300};
    lm_error error = {0};
    assert_false(lm_obj_write(model, NULL, &small, &error));
    assert_int_equal(error.code, LM_CODE_LIMIT);
    assert_int_equal(small.size, 0);
    lm_buffer_free(&small);
    assert_false(lm_obj_write(model, &(lm_export_options){.frame = 2}, &small, &error));
    assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
    free_made_model(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_the_samplers),
        cmocka_unit_test(axes_and_scale_are_honoured),
        cmocka_unit_test(faces_are_turned_in_the_files_order),
        cmocka_unit_test(names_stay_on_their_line),
        cmocka_unit_test(failures_leave_the_buffer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
