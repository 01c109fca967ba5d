/* Tests meshes derived from meshes. */

#include "mesh/mesh_make.h"
#include "support.h"
#include "synthetic.h"

static const char *const names[MESH_FRAMES] = {"a", "b", "c", "d", "e", "f",
                                               "g", "h", "i", "j", "k", "long"};

static void assert_same_rows(const float *a, const float *b, size_t count) {
    assert_memory_equal(a, b, count * sizeof *a);
}

static lm_mesh *pick(const lm_mesh *mesh, const lm_pose *poses, uint32_t count) {
    lm_error error;
    lm_mesh *made = lm_mesh_select_frames(mesh, poses, count, NULL, 0, NULL, &error);
    assert_done(made, error);
    assert_true(lm_mesh_check(made, &error));
    return made;
}

TEST(test_whole_frames_are_copied) {
    synthetic_mesh m;
    make_mesh(&m);
    const size_t row = MESH_VERTICES * 3;
    m.mesh.frame_names = names;
    const lm_pose poses[4] = {{11, 11, 0}, {3, 4, 0}, {3, 4, 1}, {3, 3, 0.5f}};
    const uint32_t frames[4] = {11, 3, 4, 3};
    OWNED(lm_mesh) *made = pick(&m.mesh, poses, 4);
    assert_int_equal(made->num_frames, 4);
    assert_int_equal(made->num_clips, 0);
    assert_string_equal(made->name, "made");
    assert_int_equal(made->surfaces[0].num_triangles, MESH_TRIANGLES);
    assert_string_equal(made->surfaces[0].materials[0].name, m.material.name);
    assert_string_equal(made->skins[0], m.skin);
    for (size_t i = 0; i < 4; i++) {
        assert_same_rows(made->surfaces[0].positions + i * row, m.positions + frames[i] * row, row);
        assert_same_rows(made->surfaces[0].normals + i * row, m.normals + frames[i] * row, row);
        assert_string_equal(made->frame_names[i], names[frames[i]]);
        assert_memory_equal(&made->tags[1].poses[i], &m.poses[1][frames[i]], sizeof(lm_transform));
    }
    /* The mesh owns its data. */
    memset(&m, 0xA5, sizeof m);
    assert_string_equal(made->tags[1].name, "tag_weapon");
    assert_int_equal(made->surfaces[0].triangles[3], 2);
}

TEST(test_poses_between_frames_are_blended) {
    synthetic_mesh m;
    make_mesh(&m);
    m.mesh.frame_names = names;
    OWNED(lm_mesh) *made = pick(&m.mesh, &(lm_pose){2, 5, 0.25f}, 1);
    for (size_t i = 0; i < MESH_VERTICES * 3; i++) {
        const double a = (double)m.positions[2 * MESH_VERTICES * 3 + i];
        const double b = (double)m.positions[5 * MESH_VERTICES * 3 + i];
        assert_true(fabs((double)made->surfaces[0].positions[i] - (0.75 * a + 0.25 * b)) < 1e-5);
    }
    /* New frames between the old ones have no names. */
    assert_null(made->frame_names);
    const lm_transform *tag = &made->tags[0].poses[0];
    assert_true(fabs((double)tag->origin.x - 2.75) < 1e-6);
    const lm_vec3 x = tag->axis[0];
    assert_true(fabs((double)(x.x * x.x + x.y * x.y + x.z * x.z) - 1) < 1e-6);
}

TEST(test_invalid_selections_are_rejected) {
    synthetic_mesh m;
    make_mesh(&m);
    lm_error error;
    const lm_pose wrong[] = {{12, 0, 0}, {0, 12, 0}, {0, 1, -0.5f}, {0, 1, 1.5f}, {0, 1, NAN}};
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        assert_null(lm_mesh_select_frames(&m.mesh, &wrong[i], 1, NULL, 0, NULL, &error));
        assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
        assert_non_null(strstr(error.message, "pose 0 has frames"));
    }
    const lm_pose pose = {0, 0, 0};
    assert_null(lm_mesh_select_frames(&m.mesh, &pose, 0, NULL, 0, NULL, &error));
    assert_non_null(strstr(error.message, "no frames"));
    assert_null(lm_mesh_select_frames(&m.mesh, &pose, 1, m.clips, 1, NULL, &error));
    assert_non_null(strstr(error.message, "clip 0 has frames 0 to 4"));
    const lm_memory small = {.max_bytes = 200};
    assert_null(lm_mesh_select_frames(&m.mesh, &pose, 1, NULL, 0, &small, &error));
    assert_int_equal(error.code, LM_CODE_LIMIT);
}

static lm_mesh *transform_mesh(const lm_mesh *mesh, const lm_transform *to) {
    lm_error error;
    lm_mesh *made = lm_mesh_transform(mesh, to, NULL, &error);
    assert_done(made, error);
    return made;
}

TEST(test_a_mesh_is_scaled_and_moved) {
    synthetic_mesh m;
    make_mesh(&m);
    OWNED(lm_mesh) *made =
        transform_mesh(&m.mesh, &(lm_transform){{1, 2, 3}, {{2, 0, 0}, {0, 2, 0}, {0, 0, 2}}});
    for (size_t i = 0; i < COUNT_OF(m.positions); i++)
        assert_true(fabsf(made->surfaces[0].positions[i] -
                          (2 * m.positions[i] + (float)(i % 3 + 1))) < 1e-5f);
    const lm_transform *tag = &made->tags[0].poses[4];
    assert_true(fabsf(tag->origin.x - 9) < 1e-5f);
    /* Attached models keep their size. */
    assert_true(fabsf(tag->axis[1].x - m.poses[0][4].axis[1].x) < 1e-6f);
    assert_memory_equal(made->surfaces[0].triangles, m.triangles, sizeof m.triangles);
}

/* Mirrored twice, a mesh is unchanged. Mirrored once, its triangles face along the mirrored
 * normals. */
TEST(test_mirroring_reverses_the_winding) {
    synthetic_mesh m;
    make_mesh(&m);
    const lm_transform mirror = {{0, 0, 0}, {{1, 0, 0}, {0, -1, 0}, {0, 0, 1}}};
    OWNED(lm_mesh) *once = transform_mesh(&m.mesh, &mirror), *twice = transform_mesh(once, &mirror);
    const lm_mesh_surface *s = &twice->surfaces[0];
    assert_same_rows(s->positions, m.positions, COUNT_OF(m.positions));
    assert_memory_equal(s->triangles, m.triangles, sizeof m.triangles);
    assert_memory_equal(s->st_triangles, m.st_triangles, sizeof m.st_triangles);
    s = &once->surfaces[0];
    assert_int_equal(s->triangles[1], m.triangles[2]);
    assert_int_equal(s->triangles[2], m.triangles[1]);
    assert_int_equal(s->st_triangles[10], m.st_triangles[11]);
    assert_true(s->positions[1] == -m.positions[1]);
    assert_true(s->normals[1] * m.normals[1] < 0);
}

/* Every clip at twice its rate: each second frame is the file's, and a loop ends before it
 * repeats. */
TEST(test_resampling_interpolates_frames) {
    synthetic_mesh m;
    lm_error error;
    make_mesh(&m);
    const lm_clip clips[2] = {
        {.name = "go", .first = 2, .count = 4, .fps = 10, .loop_frames = 4},
        {.name = "end", .first = 7, .count = 3, .fps = 10},
    };
    const size_t row = MESH_VERTICES * 3;
    m.mesh.clips = clips;
    m.mesh.num_clips = 2;
    lm_mesh *made = lm_mesh_resample(&m.mesh, NULL, 20, NULL, &error);
    assert_non_null(made);
    assert_int_equal(made->num_frames, 8 + 5);
    assert_int_equal(made->num_clips, 2);
    assert_int_equal(made->clips[1].first, 8);
    assert_int_equal(made->clips[1].count, 5);
    assert_int_equal(made->clips[0].loop_frames, 8);
    assert_true(made->clips[0].fps == 20);
    for (size_t f = 0; f < 4; f++)
        assert_same_rows(made->surfaces[0].positions + 2 * f * row, m.positions + (2 + f) * row,
                         row);
    for (size_t f = 0; f < 3; f++)
        assert_same_rows(made->surfaces[0].positions + (8 + 2 * f) * row,
                         m.positions + (7 + f) * row, row);
    for (size_t i = 0; i < row; i++) { /* from the last frame to the first */
        const double mean =
            0.5 * ((double)m.positions[5 * row + i] + (double)m.positions[2 * row + i]);
        assert_true(fabs((double)made->surfaces[0].positions[7 * row + i] - mean) < 1e-5);
    }
    lm_mesh_free(made);
    assert_null(lm_mesh_resample(&m.mesh, NULL, 0, NULL, &error));
    assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
    assert_null(lm_mesh_resample(&m.mesh, NULL, 1e8, NULL, &error));
    assert_int_equal(error.code, LM_CODE_LIMIT);
    m.mesh.num_clips = 0;
    assert_null(lm_mesh_resample(&m.mesh, NULL, 20, NULL, &error));
    assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
}

TEST(test_flat_transforms_are_rejected) {
    synthetic_mesh m;
    make_mesh(&m);
    lm_error error;
    const lm_transform flat = {{0, 0, 0}, {{1, 0, 0}, {1, 0, 0}, {0, 0, 1}}};
    assert_null(lm_mesh_transform(&m.mesh, &flat, NULL, &error));
    assert_non_null(strstr(error.message, "lie in one plane"));
    const lm_transform huge = {{0, 0, 0}, {{1e20f, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    assert_null(lm_mesh_transform(&m.mesh, &huge, NULL, &error));
    assert_int_equal(error.code, LM_CODE_NOT_FINITE);
}

TEST(test_no_transform_is_the_identity) {
    synthetic_mesh m;
    make_mesh(&m);
    OWNED(lm_mesh) *same = transform_mesh(&m.mesh, NULL);
    const lm_mesh_surface *from = &m.mesh.surfaces[0], *to = &same->surfaces[0];
    assert_memory_equal(to->positions, from->positions,
                        12 * (size_t)m.mesh.num_frames * from->num_vertices);
    lm_error error;
    assert_null(lm_mesh_select_frames(&m.mesh, NULL, 1, NULL, 0, NULL, &error));
    assert_string_equal(error.message, "mesh: poses is NULL, but its number is 1");
}

static void expect_place(synthetic_mesh *m, lm_code code, const char *section, uint32_t index) {
    lm_error error = {0};
    assert_false(lm_mesh_check(&m->mesh, &error));
    assert_int_equal(error.code, code);
    assert_string_equal(error.section, section);
    assert_int_equal(error.surface, 1);
    assert_int_equal(error.index, index);
    assert_int_equal(error.offset, 0);
}

TEST(test_errors_name_the_element) {
    synthetic_mesh m;
    make_mesh(&m);
    lm_mesh_surface both[2] = {m.surface, m.surface};
    float positions[COUNT_OF(m.positions)], st[COUNT_OF(m.st)];
    uint32_t triangles[COUNT_OF(m.triangles)];
    memcpy(positions, m.positions, sizeof positions);
    memcpy(st, m.st, sizeof st);
    memcpy(triangles, m.triangles, sizeof triangles);
    m.mesh.surfaces = both;
    m.mesh.num_surfaces = 2;
    both[1].positions = positions;
    positions[(2 * MESH_VERTICES + 3) * 3 + 1] = NAN;
    expect_place(&m, LM_CODE_NOT_FINITE, "surface 1 vertices", 3);
    both[1].st = st;
    st[2 * 2 + 1] = INFINITY;
    expect_place(&m, LM_CODE_NOT_FINITE, "surface 1 texture coordinates", 2);
    both[1].triangles = triangles;
    triangles[3 * 1 + 2] = MESH_VERTICES;
    expect_place(&m, LM_CODE_VERTEX_INDEX, "surface 1 triangles", 1);
}

/* Members of later versions must be 0. */
TEST(test_reserved_members_are_rejected) {
    synthetic_mesh m;
    make_mesh(&m);
    lm_error error;
    lm_mesh_tag *tag = (lm_mesh_tag *)&m.mesh.tags[1];
    uint64_t *const members[] = {&m.mesh.reserved[3], &m.surface.reserved[0], &tag->reserved[0]};
    for (size_t i = 0; i < COUNT_OF(members); i++) {
        *members[i] = 1;
        assert_false(lm_mesh_check(&m.mesh, &error));
        assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
        assert_non_null(strstr(error.message, "reserved"));
        *members[i] = 0;
        assert_true(lm_mesh_check(&m.mesh, &error));
    }
}

/* Rates and times beyond every file's range, and the nearest valid ones. */
TEST(test_infinite_times_are_rejected) {
    synthetic_mesh m;
    make_mesh(&m);
    lm_error error;
    const float much = 0x1p39f, more = 0x1p40f;
    const float wrong[][4] = {{0, 1, 1, 2},     {0, 1, 0.5f, 2}, {0, 0, 1, 2},
                              {0, 1, 2, more},  {0, 1, 2, NAN},  {-INFINITY, 0, 1, 2},
                              {-more, 0, 1, 2}, {1, 0, 2, 3}};
    const float right[4] = {-1, 0, 1, much};
    lm_clip clip = {.name = "go", .count = 3, .fps = 10, .times = right};
    m.mesh.clips = &clip;
    m.mesh.num_clips = 1;
    assert_true(lm_mesh_check(&m.mesh, &error));
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        clip.times = wrong[i];
        assert_false(lm_mesh_check(&m.mesh, &error));
        assert_non_null(strstr(error.message, "mesh: clip 0 has times that do not increase"));
    }
    clip.times = NULL;
    clip.reserved[1] = 1;
    assert_false(lm_mesh_check(&m.mesh, &error));
    assert_string_equal(error.message, "mesh: clip 0: reserved must be 0");
    clip.reserved[1] = 0;
    clip.fps = 1.5f / much;
    assert_false(lm_mesh_check(&m.mesh, &error));
    assert_string_equal(error.message, "mesh: clip 0 lasts 2^40 seconds or longer");
    clip.fps = 3 / much;
    assert_true(lm_mesh_check(&m.mesh, &error));

    static const uint8_t pixels[3] = {0};
    lm_embedded_skin skin = {3, pixels, right};
    m.mesh.embedded_skins = &skin;
    m.mesh.num_skins = m.mesh.skin_width = m.mesh.skin_height = 1;
    assert_true(lm_mesh_check(&m.mesh, &error));
    const lm_embedded_skin empty[] = {{3, NULL, right}, {0, pixels, NULL}};
    for (size_t i = 0; i < COUNT_OF(empty); i++) {
        m.mesh.embedded_skins = &empty[i];
        assert_false(lm_mesh_check(&m.mesh, &error));
        assert_string_equal(error.message, "mesh: skin 0 has no pixels");
    }
    m.mesh.embedded_skins = &skin;
    m.mesh.skin_height = 0;
    assert_false(lm_mesh_check(&m.mesh, &error));
    assert_string_equal(error.message, "mesh: skin 0 has pixels, but no width and height");
    m.mesh.skin_height = 1;
    skin.times = wrong[0];
    assert_false(lm_mesh_check(&m.mesh, &error));
    assert_string_equal(error.message,
                        "mesh: skin 0 has times that do not increase or that reach 2^40 seconds");
}

TEST(test_each_allocation_may_fail) {
    synthetic_mesh m;
    make_mesh(&m);
    m.mesh.frame_names = names;
    const lm_transform to = LM_TRANSFORM_IDENTITY;
    const lm_pose pose = {1, 2, 0};
    for (int call = 0; call < 3; call++)
        EACH_ALLOCATION_FAILS (f) {
            OWNED(lm_mesh) *made =
                call == 0   ? lm_mesh_select_frames(&m.mesh, &pose, 1, NULL, 0, &f.memory, &f.error)
                : call == 1 ? lm_mesh_transform(&m.mesh, &to, &f.memory, &f.error)
                            : lm_mesh_resample(&m.mesh, NULL, 20, &f.memory, &f.error);
            f.done = made != NULL;
        }
}

/* Each member adds the bytes that it points to. */
TEST(test_the_size_counts_each_member) {
    static const uint8_t pixels[2 * 6] = {0};
    const lm_embedded_skin skins[2] = {{.num_images = 2, .pixels = pixels},
                                       {.num_images = 1, .pixels = pixels}};
    const char *const paths[2] = {"a", "b"};
    synthetic_mesh m;
    make_mesh(&m);
    uint64_t before = lmi_mesh_size(&m.mesh);
    const uint64_t shared = before;
    m.mesh.frame_names = names;
    assert_int_equal(lmi_mesh_size(&m.mesh) - before,
                     MESH_FRAMES * (sizeof(char *) + 2) + 3); /* "long" has 3 more */
    before = lmi_mesh_size(&m.mesh);
    m.mesh.skins = paths;
    m.mesh.num_skins = 2;
    assert_int_equal(lmi_mesh_size(&m.mesh) - before, sizeof(char *));
    before = lmi_mesh_size(&m.mesh);
    m.mesh.embedded_skins = skins;
    m.mesh.skin_width = 3;
    m.mesh.skin_height = 2;
    assert_int_equal(lmi_mesh_size(&m.mesh) - before, sizeof skins + 3 * (size_t)6);
    m.mesh.frame_names = NULL;
    m.mesh.embedded_skins = NULL;
    m.mesh.num_skins = 0;
    m.surface.st_triangles = NULL;
    m.surface.normals = NULL;
    m.mesh.num_tags = m.mesh.num_clips = 0;
    assert_int_equal(shared - lmi_mesh_size(&m.mesh), sizeof m.st_triangles + sizeof m.normals +
                                                          sizeof m.tags + sizeof m.poses +
                                                          sizeof m.clips + sizeof m.skin);
    m.mesh.num_surfaces = 0;
    assert_int_equal(lmi_mesh_size(&m.mesh), sizeof m.mesh);
    m.mesh.num_surfaces = 1;
    assert_int_equal(lmi_mesh_size(&m.mesh) - sizeof m.mesh, sizeof m.surface + sizeof m.material +
                                                                 sizeof m.positions + sizeof m.st +
                                                                 sizeof m.triangles);
}
