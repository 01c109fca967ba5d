/* Tests models that are scaled, rotated and moved, and tags that are added and moved. */
#include "edit/editing.h"
#include "edits.h"
#include "elements.h"

/* Checks that each vertex and tag has the transform applied. */
static void assert_transformed(const lm_mesh *before, const lm_mesh *after, const lm_transform *to,
                               double most, double turn) {
    assert_int_equal(before->num_surfaces, after->num_surfaces);
    assert_int_equal(before->num_frames, after->num_frames);
    for (uint32_t s = 0; s < before->num_surfaces; s++) {
        const lm_mesh_surface *a = &before->surfaces[s], *b = &after->surfaces[s];
        for (size_t i = 0; i < (size_t)before->num_frames * a->num_vertices; i++) {
            lm_vec3 p = vector_at(a->positions + 3 * i), n = vector_at(a->normals + 3 * i);
            lm_transform_vertices(to, &p, NULL, 1, 0);
            lm_transform_vertices(to, NULL, &n, 1, 0);
            assert_true(distance_of(p, vector_at(b->positions + 3 * i)) <= most);
            assert_true(distance_of(n, vector_at(b->normals + 3 * i)) <= turn);
        }
    }
    for (uint32_t t = 0; t < before->num_tags; t++)
        for (uint32_t f = 0; f < before->num_frames; f++) {
            const lm_transform *a = &before->tags[t].poses[f], *b = &after->tags[t].poses[f];
            lm_vec3 origin = a->origin, axes[3] = {a->axis[0], a->axis[1], a->axis[2]};
            lm_transform_vertices(to, &origin, NULL, 1, 0);
            lm_transform_vertices(to, NULL, axes, 3, 0);
            assert_true(distance_of(origin, b->origin) <= most);
            for (int i = 0; i < 3; i++)
                assert_true(distance_of(axes[i], b->axis[i]) < 1e-4);
        }
}

static void transform_and_check(int format, const blob *file, float scale, int quarters, float move,
                                bool round, double most) {
    static const double turns[] = {0.2, 1e-5, 0.22, 0.2}; /* the angle between neighbouring normals
                                                           * of a table */
    static const lm_vec3 xs[4] = {{1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}};
    const lm_vec3 x = xs[quarters & 3], y = xs[(quarters + 1) & 3];
    const lm_transform to = {
        {move, 2 * move, -move},
        {{x.x * scale, x.y * scale, 0}, {y.x * scale, y.y * scale, 0}, {0, 0, scale}}};
    lm_error error;
    OWNED(lm_edit) *edit = open_edit(file);
    assert_done(set_edit_transform(edit, scale, quarters, move, round, &error), error);
    AT_END(blob_free) blob made = write_edit(edit);
    OWNED(lm_mesh) *before = mesh_of(file), *after = mesh_of(&made);
    assert_transformed(before, after, &to, most, quarters & 3 ? turns[format] : 1e-5);
}

/* Exact to float rounding; in MD3 and MDC within half a 64th on each axis. */
TEST(test_transforms) {
    for (int format = 0; format < NUM_EDITABLE; format++) {
        AT_END(blob_free) blob file = make_with_nearby_tags(format);
        const bool whole = format == MD3 || format == MDC;
        for (int quarters = -2; quarters <= 5; quarters++) {
            transform_and_check(format, &file, 1, quarters, 0, format == MDC,
                                format == MDC ? 0.09 : 1e-4);
            transform_and_check(format, &file, 1, quarters, 1.25f, format == MDC,
                                format == MDC ? 0.09 : 1e-4);
        }
        if (format != MDC)
            transform_and_check(format, &file, 0.7f, 3, 0.3f, true, whole ? 0.015 : 1e-4);
    }
}

TEST(test_four_quarter_turns_change_nothing) {
    lm_error error;
    AT_END(blob_free) blob file = make_md3(&small_md3);
    OWNED(lm_edit) *edit = open_edit(&file);
    for (int i = 0; i < 4; i++)
        assert_true(set_edit_transform(edit, 0, 1, 0, false, &error));
    AT_END(blob_free) blob made = write_edit(edit);
    assert_same_bytes("four quarters", &made, &file);
}

TEST(test_tags_are_added_and_moved) {
    for (int format = MD3; format <= MDC; format++) {
        static const lm_vec3 by = {-0.5f, 1, 2};
        AT_END(blob_free) blob file = make_small(format);
        OWNED(lm_edit) *edit = open_edit(&file);
        lm_error error;
        char longest[65 + sizeof "=1,2,3"] = "";
        memset(longest, 't', 64); /* a byte more than its field can hold */
        memcpy(longest + 64, "=1,2,3", sizeof "=1,2,3");
        assert_false(lm_edit_set(edit, "add-tag", longest, NULL, &error));
        assert_int_equal(error.code, LM_CODE_LIMIT);
        assert_non_null(strstr(error.message, "has 64 bytes, but its field holds 63"));
        assert_true(lm_edit_set(edit, "add-tag", "tag_new=1.5,-2,0.25", NULL, NULL));
        assert_true(lm_edit_set(edit, "move-tag", "0,2=-0.5,1,2", NULL, NULL));
        AT_END(blob_free) blob made = write_edit(edit);
        OWNED(lm_mesh) *a = mesh_of(&file), *b = mesh_of(&made);
        assert_int_equal(b->num_tags, a->num_tags + 1);
        assert_string_equal(b->tags[2].name, "tag_new");
        for (uint32_t f = 0; f < a->num_frames; f++) {
            const lm_vec3 was = a->tags[0].poses[f].origin;
            const lm_vec3 moved = {was.x + by.x, was.y + by.y, was.z + by.z};
            assert_true(distance_of(b->tags[0].poses[f].origin, moved) < 1e-5);
            assert_true(distance_of(b->tags[2].poses[f].origin, (lm_vec3){1, -1, 2.25f}) < 1e-6);
            assert_memory_equal(&b->tags[1].poses[f], &a->tags[1].poses[f], sizeof(lm_transform));
        }
    }
}

/* Compares positions of triangles' corners: encoders may weld vertices, but keep the triangles. */
TEST(test_reencoded_vertices_are_transformed) {
    const float c = 0.5f * (float)cos(M_PI / 6), s = 0.5f * (float)sin(M_PI / 6);
    const lm_transform to = {{1, 2, 3}, {{c, s, 0}, {-s, c, 0}, {0, 0, 0.5f}}};
    for (int format = 0; format < NUM_EDITABLE; format++) {
        lm_error error;
        double most = -1;
        const lm_edit_reencode_options recast = {.scale = 0.5f, .degrees = 30, .move = {1, 2, 3}};
        AT_END(blob_free) blob file = make_with_nearby_tags(format);
        OWNED(lm_edit) *edit = open_edit(&file);
        assert_done(lm_edit_reencode(edit, &recast, &most, &error), error);
        assert_true(most >= 0 && most < 1.5);
        AT_END(blob_free) blob made = write_edit(edit);
        OWNED(lm_mesh) *a = mesh_of(&file), *b = mesh_of(&made);
        assert_int_equal(a->num_frames, b->num_frames);
        for (uint32_t k = 0; k < a->num_surfaces; k++) {
            const lm_mesh_surface *x = &a->surfaces[k], *y = &b->surfaces[k];
            assert_int_equal(x->num_triangles, y->num_triangles);
            for (uint32_t i = 0; i < 3 * x->num_triangles && format == MD2; i++) {
                lm_vec3 p = vector_at(x->positions + (size_t)3 * x->triangles[i]);
                lm_transform_vertices(&to, &p, NULL, 1, 0);
                assert_true(distance_of(p, vector_at(y->positions + (size_t)3 * y->triangles[i])) <
                            most + 1e-4);
            }
        }
        assert_true(lm_edit_rename(edit, LM_EDIT_FRAMES, 0, 0, "after", &error));
        AT_END(blob_free) blob renamed = write_edit(edit);
        assert_int_equal(renamed.size, made.size);
    }
}

/* Tests the removal of unused vertices, and computed normals and bounds. */

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
    assert_done(lm_edit_set(edit, "remove-unused", NULL, NULL, &error), error);
    blob made = write_edit(edit);
    lm_mesh *a = mesh_of(&file), *b = mesh_of(&made);
    assert_int_equal(b->surfaces[0].num_vertices, vertices);
    assert_same_corners(a, b);
    write_unchanged("trimmed", &made);
    assert_true(lm_edit_set(edit, "remove-unused", NULL, NULL, &error));
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
    assert_true(lm_edit_set(edit, "remove-unused", NULL, NULL, NULL));
    const lm_md2 *md2 = edit->document;
    assert_int_equal(md2->num_xyz, 7);
    assert_int_equal(lmi_md2_get_glcmd(md2, 3), 6);
    lm_md2_vertex before, after;
    OWNED(lm_md2) *was = lm_md2_read(file.data, file.size, NULL, NULL);
    lmi_md2_get_vertex(was, 2, 9, &before);
    lmi_md2_get_vertex(md2, 2, 6, &after);
    assert_memory_equal(&before, &after, sizeof before);
}

/* Normals are as near to the computed ones as the format allows. */
TEST(test_normals_are_computed) {
    static const double most[] = {0.2, 0.02, 0.2, 0.2};
    for (int format = 0; format < NUM_EDITABLE; format++) {
        lm_error error;
        const lm_load_options options = {.normals = LM_NORMALS_COMPUTED};
        AT_END(blob_free) blob file = make_small(format);
        OWNED(lm_model) *model = lm_load_memory(file.data, file.size, &options, &error);
        OWNED(lm_mesh) *expected = lm_mesh_from_model(model, NULL, &error);
        OWNED(lm_edit) *edit = open_edit(&file);
        assert_done(lm_edit_set(edit, "normals", "computed", NULL, &error), error);
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
        assert_true(lm_edit_set(edit, "compute-bounds", NULL, NULL, NULL));
        AT_END(blob_free) blob made = write_edit(edit);
        OWNED(lm_model) *model = load_blob(&made);
        OWNED(lm_mesh) *mesh = mesh_of(&made);
        for (uint32_t f = 0; f < model->num_frames; f++)
            assert_bounded(model, mesh, f);
    }
}
