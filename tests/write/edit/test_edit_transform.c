/* Tests models that are scaled, rotated and moved, and tags that are added and moved. */
#include "edits.h"

#include <math.h>

/* Checks that each vertex and tag has the transform applied. */
static void assert_transformed(const lm_mesh *before, const lm_mesh *after, const lm_transform *to,
                               double most, double turn) {
    assert_int_equal(before->num_surfaces, after->num_surfaces);
    assert_int_equal(before->num_frames, after->num_frames);
    for (uint32_t s = 0; s < before->num_surfaces; s++) {
        const lm_mesh_surface *a = &before->surfaces[s], *b = &after->surfaces[s];
        for (size_t i = 0; i < (size_t)before->num_frames * a->num_vertices; i++) {
            lm_vec3 p = vector_at(a->positions + 3 * i), n = vector_at(a->normals + 3 * i);
            lm_transform_points(to, &p, 1);
            lm_transform_normals(to, &n, 1);
            assert_true(distance_of(p, vector_at(b->positions + 3 * i)) <= most);
            assert_true(distance_of(n, vector_at(b->normals + 3 * i)) <= turn);
        }
    }
    for (uint32_t t = 0; t < before->num_tags; t++)
        for (uint32_t f = 0; f < before->num_frames; f++) {
            const lm_transform *a = &before->tags[t].poses[f], *b = &after->tags[t].poses[f];
            lm_vec3 origin = a->origin, axes[3] = {a->axis[0], a->axis[1], a->axis[2]};
            lm_transform_points(to, &origin, 1);
            lm_transform_normals(to, axes, 3);
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
    if (!set_edit_transform(edit, scale, quarters, move, round, &error))
        fail_msg("%s", error.message);
    AT_END(blob_free) blob made = write_edit(edit);
    OWNED(lm_mesh) *before = mesh_of(file), *after = mesh_of(&made);
    assert_transformed(before, after, &to, most, quarters & 3 ? turns[format] : 1e-5);
}

/* Exact to float rounding; in MD3 and MDC within half a 64th on each axis. */
TEST(test_transforms) {
    for (int format = 0; format < NUM_FORMATS; format++) {
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
        static const lm_edit_tag at = {.origin = {1.5f, -2, 0.25f}};
        static const lm_vec3 by = {-0.5f, 1, 2};
        AT_END(blob_free) blob file = make_small(format);
        OWNED(lm_edit) *edit = open_edit(&file);
        lm_error error;
        char longest[65] = "";
        memset(longest, 't', 64); /* a byte more than its field can hold */
        assert_false(lm_edit_add_tag(edit, longest, &at, &error));
        assert_int_equal(error.code, LM_CODE_LIMIT);
        assert_non_null(strstr(error.message, "has 64 bytes, but its field holds 63"));
        assert_true(lm_edit_add_tag(edit, "tag_new", &at, NULL));
        assert_true(lm_edit_move_tag(edit, 0, &by, NULL));
        assert_true(lm_edit_move_tag(edit, 2, &by, NULL));
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
    for (int format = 0; format < NUM_FORMATS; format++) {
        lm_error error;
        double most = -1;
        const lm_edit_reencode recast = {.scale = 0.5, .degrees = 30, .move = {1, 2, 3}};
        AT_END(blob_free) blob file = make_with_nearby_tags(format);
        OWNED(lm_edit) *edit = open_edit(&file);
        if (!lm_edit_encode(edit, &recast, &most, &error))
            fail_msg("%s", error.message);
        assert_true(most >= 0 && most < 1.5);
        AT_END(blob_free) blob made = write_edit(edit);
        OWNED(lm_mesh) *a = mesh_of(&file), *b = mesh_of(&made);
        assert_int_equal(a->num_frames, b->num_frames);
        for (uint32_t k = 0; k < a->num_surfaces; k++) {
            const lm_mesh_surface *x = &a->surfaces[k], *y = &b->surfaces[k];
            assert_int_equal(x->num_triangles, y->num_triangles);
            for (uint32_t i = 0; i < 3 * x->num_triangles && format == MD2; i++) {
                lm_vec3 p = vector_at(x->positions + (size_t)3 * x->triangles[i]);
                lm_transform_points(&to, &p, 1);
                assert_true(distance_of(p, vector_at(y->positions + (size_t)3 * y->triangles[i])) <
                            most + 1e-4);
            }
        }
        assert_true(lm_edit_rename(edit, LM_EDIT_FRAMES, 0, 0, "after", &error));
        AT_END(blob_free) blob renamed = write_edit(edit);
        assert_int_equal(renamed.size, made.size);
    }
}
