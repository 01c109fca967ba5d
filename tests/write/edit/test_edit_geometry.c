/* Tests the removal of unused vertices, and computed normals and bounds. */
#include "edits.h"
#include "elements.h"

#include <math.h>

/* Checks that triangles' corners keep their positions, with fewer vertices. */
static void assert_same_corners(const lm_mesh *a, const lm_mesh *b) {
    for (uint32_t s = 0; s < a->num_surfaces; s++) {
        const lm_mesh_surface *x = &a->surfaces[s], *y = &b->surfaces[s];
        assert_int_equal(x->num_triangles, y->num_triangles);
        for (uint32_t i = 0; i < 3 * x->num_triangles; i++)
            for (size_t f = 0; f < a->num_frames; f++) {
                const size_t at = 3 * (f * x->num_vertices + x->triangles[i]);
                const size_t now = 3 * (f * y->num_vertices + y->triangles[i]);
                assert_memory_equal(x->positions + at, y->positions + now, 12);
                assert_memory_equal(x->normals + at, y->normals + now, 12);
            }
        for (uint32_t i = 0; i < 3 * x->num_triangles; i++) {
            const uint32_t at = x->st_triangles ? x->st_triangles[i] : x->triangles[i];
            const uint32_t now = y->st_triangles ? y->st_triangles[i] : y->triangles[i];
            assert_memory_equal(x->st + 2 * (size_t)at, y->st + 2 * (size_t)now, 8);
        }
    }
}

static void trim_and_compare(blob file, uint32_t vertices) {
    lm_error error;
    lm_edit *edit = open_edit(&file);
    if (!lm_edit_remove_unused(edit, &error))
        fail_msg("%s", error.message);
    blob made = write_edit(edit);
    lm_mesh *a = mesh_of(&file), *b = mesh_of(&made);
    assert_int_equal(b->surfaces[0].num_vertices, vertices);
    assert_same_corners(a, b);
    write_unchanged("trimmed", &made);
    assert_true(lm_edit_remove_unused(edit, &error));
    blob again = write_edit(edit);
    assert_same_bytes("trimmed twice", &again, &made);
    lm_mesh_free(a);
    lm_mesh_free(b);
    lm_edit_free(edit);
    blob_free(&again);
    blob_free(&made);
    blob_free(&file);
}

TEST(test_unused_vertices_are_removed) {
    static const md2_shape loose_md2 = {2, 12, 40, 4, 3, false};
    static const md3_shape loose_md3 = {4, 2, 2, 12, 3, 1};
    static const mdc_shape loose_mdc = {4, 2, 2, 12, 3, 1, 2, 2, false};
    trim_and_compare(make_md2(&loose_md2), 6);
    trim_and_compare(make_md3(&loose_md3), 5);
    trim_and_compare(make_mdc(&loose_mdc), 5);
}

/* GL commands use vertices as well. */
TEST(test_vertices_of_gl_commands_stay) {
    static const md2_shape loose = {2, 12, 40, 4, 3, false};
    AT_END(blob_free) blob file = make_md2(&loose);
    put32(&file, get32(&file, MD2_AT_OFS_GLCMDS) + 4 + 8, 9);
    OWNED(lm_edit) *edit = open_edit(&file);
    assert_true(lm_edit_remove_unused(edit, NULL));
    const lm_md2 *md2 = lm_edit_document(edit);
    assert_int_equal(md2->num_xyz, 7);
    assert_int_equal(lm_md2_get_glcmd(md2, 3), 6);
    lm_md2_vertex before, after;
    OWNED(lm_md2) *was = lm_md2_read(file.data, file.size, NULL, NULL);
    lm_md2_get_vertex(was, 2, 9, &before);
    lm_md2_get_vertex(md2, 2, 6, &after);
    assert_memory_equal(&before, &after, sizeof before);
}

/* Normals are as near to the computed ones as the format allows. */
TEST(test_normals_are_computed) {
    static const double most[] = {0.2, 0.02, 0.2, 0.2};
    for (int format = 0; format < NUM_FORMATS; format++) {
        lm_error error;
        const lm_load_options options = {.normals = LM_NORMALS_COMPUTED};
        AT_END(blob_free) blob file = make_small(format);
        OWNED(lm_model) *model = lm_load_memory(file.data, file.size, &options, &error);
        OWNED(lm_mesh) *expected = lm_mesh_from_model(model, NULL, &error);
        OWNED(lm_edit) *edit = open_edit(&file);
        if (!lm_edit_compute_normals(edit, &error))
            fail_msg("%s", error.message);
        AT_END(blob_free) blob made = write_edit(edit);
        OWNED(lm_mesh) *found = mesh_of(&made);
        for (uint32_t s = 0; s < expected->num_surfaces; s++) {
            const lm_mesh_surface *x = &expected->surfaces[s], *y = &found->surfaces[s];
            const size_t count = (size_t)expected->num_frames * x->num_vertices;
            assert_memory_equal(x->positions, y->positions, count * 12);
            for (size_t i = 0; i < count; i++)
                assert_true(distance_of(vector_at(x->normals + 3 * i),
                                        vector_at(y->normals + 3 * i)) < most[format]);
        }
    }
}

static void assert_bounded(const lm_model *model, const lm_mesh *mesh, uint32_t frame) {
    lm_vec3 min = {INFINITY, INFINITY, INFINITY}, max = {-INFINITY, -INFINITY, -INFINITY};
    double radius = 0;
    for (uint32_t s = 0; s < mesh->num_surfaces; s++)
        for (size_t v = 0; v < mesh->surfaces[s].num_vertices; v++) {
            const size_t at = 3 * ((size_t)frame * mesh->surfaces[s].num_vertices + v);
            const lm_vec3 p = vector_at(mesh->surfaces[s].positions + at);
            min = (lm_vec3){fminf(min.x, p.x), fminf(min.y, p.y), fminf(min.z, p.z)};
            max = (lm_vec3){fmaxf(max.x, p.x), fmaxf(max.y, p.y), fmaxf(max.z, p.z)};
            radius = fmax(radius, distance_of(p, model->frames[frame].origin));
        }
    assert_true(distance_of(min, model->frames[frame].min) < 1e-5);
    assert_true(distance_of(max, model->frames[frame].max) < 1e-5);
    assert_float_equal(radius, (double)model->frames[frame].radius, 1e-4);
}

TEST(test_bounds_are_computed) {
    for (int format = MD3; format <= MDC; format++) {
        AT_END(blob_free) blob file = make_small(format);
        OWNED(lm_edit) *edit = open_edit(&file);
        assert_true(lm_edit_compute_bounds(edit, NULL));
        AT_END(blob_free) blob made = write_edit(edit);
        OWNED(lm_model) *model = load_blob(&made);
        OWNED(lm_mesh) *mesh = mesh_of(&made);
        for (uint32_t f = 0; f < model->num_frames; f++)
            assert_bounded(model, mesh, f);
    }
}
