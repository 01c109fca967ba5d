/* Tests the measured distance between meshes. */

#include "support.h"
#include "synthetic.h"

static synthetic_mesh m, other; /* equal at the beginning of a test */

static void make_both(void) {
    make_mesh(&m);
    make_mesh(&other);
}

static lm_comparison *compare(const lm_mesh *a, const lm_mesh *b) {
    lm_error error;
    lm_comparison *found = lm_mesh_compare(a, b, NULL, &error);
    assert_done(found, error);
    return found;
}

TEST(test_a_mesh_has_no_distance_from_itself) {
    make_both();
    OWNED(lm_comparison) *found = compare(&m.mesh, &m.mesh);
    assert_true(found->all.max_distance == 0 && found->all.max_angle_error == 0);
    assert_true(found->max_st == 0 && found->max_tag_distance == 0 &&
                found->max_tag_angle_error == 0);
    assert_int_equal(found->num_clips, 2);
    assert_string_equal(found->clips[1].name, "run");
    assert_int_equal(found->clips[1].first_b, 5);
    assert_int_equal(found->clips[1].count, 6);
    assert_int_equal(found->num_differences, 0);
}

/* Vertices in another order, one for each corner, in two surfaces: the shape is the same. */
TEST(test_order_and_splitting_do_not_matter) {
    enum {
        CORNERS = MESH_TRIANGLES * 3,
        HALF = CORNERS / 2
    };
    static float positions[2][MESH_FRAMES * HALF * 3], normals[2][MESH_FRAMES * HALF * 3];
    static float st[2][HALF * 2];
    static uint32_t corners[HALF];
    make_both();
    lm_mesh_surface surfaces[2];
    for (int half = 0; half < 2; half++) {
        for (uint32_t i = 0; i < HALF; i++) {
            /* The second half of the triangles comes first. */
            const uint32_t c = (uint32_t)(1 - half) * HALF + i;
            corners[i] = i;
            memcpy(st[half] + 2 * i, m.st + 2 * m.st_triangles[c], 2 * sizeof(float));
            for (uint32_t f = 0; f < MESH_FRAMES; f++) {
                const size_t from = 3 * (f * MESH_VERTICES + m.triangles[c]);
                const size_t to = 3 * (f * HALF + i);
                memcpy(positions[half] + to, m.positions + from, 3 * sizeof(float));
                memcpy(normals[half] + to, m.normals + from, 3 * sizeof(float));
            }
        }
        surfaces[half] = m.surface;
        surfaces[half].num_vertices = surfaces[half].num_st = HALF;
        surfaces[half].positions = positions[half];
        surfaces[half].normals = normals[half];
        surfaces[half].st = st[half];
        surfaces[half].num_triangles = MESH_TRIANGLES / 2;
        surfaces[half].triangles = corners;
        surfaces[half].st_triangles = NULL;
    }
    other.mesh.num_surfaces = 2;
    other.mesh.surfaces = surfaces;
    OWNED(lm_comparison) *found = compare(&m.mesh, &other.mesh);
    assert_true(found->all.max_distance == 0 && found->all.max_angle_error == 0 &&
                found->max_st == 0);
    assert_int_equal(found->num_differences, 0);
}

/* If vertices differ only in their normals, as at an edge, the right one is matched. */
TEST(test_edges_are_matched) {
    make_both();
    for (uint32_t f = 0; f < MESH_FRAMES; f++) {
        float *row = m.positions + 3 * f * MESH_VERTICES;
        memcpy(row + 3 * 3, row, 3 * 3 * sizeof *row);
    }
    for (uint32_t c = 0; c < 6; c++)
        m.triangles[c] = c;
    m.surface.num_triangles = 2;
    memset(m.st, 0, sizeof m.st);
    OWNED(lm_comparison) *found = compare(&m.mesh, &m.mesh);
    assert_true(found->all.max_angle_error == 0);
}

/* One vertex that moved in one frame is found, from either side. */
TEST(test_one_vertex_is_found) {
    for (int side = 0; side < 2; side++) {
        make_both();
        float *p = other.positions + 3 * (7 * MESH_VERTICES + 4);
        p[2] += 0.5f;
        const lm_mesh *a = side ? &other.mesh : &m.mesh, *b = side ? &m.mesh : &other.mesh;
        OWNED(lm_comparison) *found = compare(a, b);
        assert_true(fabs(found->all.max_distance - 0.5) < 1e-5);
        assert_int_equal(found->all.vertex, 4);
        assert_int_equal(found->all.frame_a, 7);
        assert_int_equal(found->all.frame_b, 7);
        assert_true(found->clips[0].distance.max_distance == 0);
        assert_true(found->clips[1].distance.max_distance == found->all.max_distance);
        /* Vertex 4 has as many drawn vertices as texture coordinates: two of seven. */
        const double rms = sqrt(0.25 * 2 / (7 * 11));
        assert_true(fabs(found->all.rms_distance - rms) < 1e-5);
    }
}

TEST(test_other_differences_are_found) {
    make_both();
    other.st[2 * MESH_VERTICES] += 0.125f;
    other.poses[1][2].origin.x += 2;
    lm_transform *turned = &other.poses[0][3];
    turned->axis[2].z = -1;
    for (int i = 0; i < 3; i++)
        other.normals[3 * 1 + i] = -other.normals[3 * 1 + i];
    OWNED(lm_comparison) *found = compare(&m.mesh, &other.mesh);
    assert_true(found->all.max_distance == 0);
    assert_true(fabs(found->all.max_angle_error - 180) < 1e-3);
    assert_true(fabs(found->max_st - 0.125) < 1e-6);
    assert_true(fabs(found->max_tag_distance - 2) < 1e-6);
    assert_true(fabs(found->max_tag_angle_error - 180) < 1e-3);
    uint32_t num_off = 0;
    for (uint32_t i = 0; i < found->num_clips; i++) {
        const lm_clip_distance *clip = &found->clips[i];
        if (clip->max_tag_distance == 0)
            continue;
        num_off++;
        assert_true(fabs(clip->max_tag_distance - 2) < 1e-6);
        assert_int_equal(clip->tag, 1);
        assert_int_equal(clip->first_a + clip->tag_frame, 2);
    }
    assert_in_range(num_off, 1, found->num_clips);
}

static void assert_difference(const lm_comparison *found, const char *what, const char *message) {
    for (uint32_t i = 0; i < found->num_differences; i++)
        if (strcmp(found->differences[i].subject, what) == 0 &&
            strcmp(found->differences[i].text, message) == 0)
            return;
    fail_msg("nothing says: %s: %s", what, message);
}

/* Nobody sees a triangle with two corners at one position in every frame. One frame in which they
 * are apart makes it visible, in the comparison of one frame as well. */
TEST(test_triangles_without_area_are_left_out) {
    lm_error error;
    float distances[MESH_VERTICES];
    make_both();
    for (uint32_t c = 0; c < 6; c++)
        m.triangles[c] = c;
    for (uint32_t f = 0; f < MESH_FRAMES; f++) {
        float *row = m.positions + 3 * f * MESH_VERTICES;
        memcpy(row + 3 * 4, row + 3 * 3, 3 * sizeof *row);
    }
    m.surface.num_triangles = 2;
    other.surface.num_triangles = 1;
    for (int side = 0; side < 2; side++) {
        const lm_mesh *a = side ? &other.mesh : &m.mesh, *b = side ? &m.mesh : &other.mesh;
        OWNED(lm_comparison) *found = compare(a, b);
        assert_true(found->all.max_distance == 0 && found->max_st == 0);
        assert_int_equal(found->num_differences, 1);
        assert_difference(
            found, "triangles",
            side ? "the first has 1 triangle, 0 without area; the second 2, 1 without area"
                 : "the first has 2 triangles, 1 without area; the second 1, 0 without area");
        assert_true(
            lm_mesh_compare_frame(a, b, &found->clips[0], 0, side == 1, distances, NULL, &error));
        assert_true(distances[2] == 0 && distances[3] < 0 && distances[5] < 0);
    }
    m.positions[3 * (7 * MESH_VERTICES + 4)] += 1;
    OWNED(lm_comparison) *found = compare(&m.mesh, &other.mesh);
    assert_true(found->all.max_distance > 1);
    assert_difference(found, "triangles", "the first has 2 triangles, the second 1");
}

TEST(test_names_are_compared) {
    make_both();
    other.clips[0].name = "sit";
    other.clips[1].count = 4;
    other.surface.name = "head";
    other.tags[1].name = "tag_hand";
    other.skin = "other.pcx";
    other.surface.num_triangles = 3;
    other.mesh.num_frames = 11;
    OWNED(lm_comparison) *found = compare(&m.mesh, &other.mesh);
    assert_difference(found, "clips", "only the first has the clip \"stand\"");
    assert_difference(found, "clips", "only the second has the clip \"sit\"");
    assert_difference(found, "clips",
                      "the clip \"run\" has 6 frames in the first, 4 in the second");
    assert_difference(found, "surfaces", "only the second has the surface \"head\"");
    assert_difference(found, "tags", "only the first has the tag \"tag_weapon\"");
    assert_difference(found, "skins", "only the second has the skin \"other.pcx\"");
    assert_difference(found, "triangles", "the first has 4 triangles, the second 3");
    assert_difference(found, "frames", "the first has 12 frames, the second 11");
    assert_int_equal(found->num_clips, 1);
    assert_int_equal(found->clips[0].count, 4);
}

/* If no clips share a name, all frames are compared. */
TEST(test_without_clips_all_frames_are_one) {
    make_both();
    other.mesh.num_clips = 0;
    other.positions[3 * 11 * MESH_VERTICES] += 3;
    OWNED(lm_comparison) *found = compare(&m.mesh, &other.mesh);
    assert_int_equal(found->num_clips, 1);
    assert_string_equal(found->clips[0].name, "");
    assert_int_equal(found->clips[0].count, 12);
    assert_true(found->all.max_distance > 2.9);
}

/* Clips and tags with equal names are matched by their order. */
TEST(test_duplicate_names_are_matched_by_order) {
    make_both();
    m.clips[1].name = other.clips[1].name = m.clips[0].name;
    m.tags[1].name = other.tags[1].name = m.tags[0].name;
    OWNED(lm_comparison) *found = compare(&m.mesh, &m.mesh);
    assert_true(found->all.max_distance == 0 && found->max_tag_distance == 0);
    assert_int_equal(found->num_clips, 2);
    assert_int_equal(found->clips[1].first_b, 5);
    lm_comparison_free(found);
    other.mesh.num_clips = 1; /* the second has no counterpart */
    other.mesh.num_tags = 1;
    found = compare(&m.mesh, &other.mesh);
    assert_int_equal(found->num_clips, 1);
    assert_true(found->max_tag_distance == 0);
}

TEST(test_each_allocation_may_fail) {
    make_both();
    other.clips[0].name = "sit";
    EACH_ALLOCATION_FAILS (f) {
        OWNED(lm_comparison) *found = lm_mesh_compare(&m.mesh, &other.mesh, &f.memory, &f.error);
        f.done = found != NULL;
    }
}

/* ---- One frame ------------------------------------------------------------------------------ */

/* Each vertex has its own distance, in its own frame, from either side. Vertices of no triangle
 * have none. */
TEST(test_a_frame_is_measured_vertex_by_vertex) {
    lm_error error;
    float distances[MESH_VERTICES];
    make_both();
    other.positions[3 * (7 * MESH_VERTICES + 4) + 2] += 0.5f;
    other.positions[3 * (7 * MESH_VERTICES + 1)] -= 0.25f;
    OWNED(lm_comparison) *found = compare(&m.mesh, &other.mesh);
    for (int side = 0; side < 2; side++)
        for (uint32_t f = 0; f < found->clips[1].count; f++) {
            assert_true(lm_mesh_compare_frame(&m.mesh, &other.mesh, &found->clips[1], f, side,
                                              distances, NULL, &error));
            for (uint32_t v = 0; v < MESH_VERTICES; v++) {
                const double want = f != 2 ? 0 : v == 4 ? 0.5 : v == 1 ? 0.25 : 0;
                assert_true(fabs((double)distances[v] - want) < 1e-5);
            }
        }
}

TEST(test_single_vertex_frames_are_measured) {
    lm_error error;
    float distances[MESH_VERTICES];
    make_both();
    const lm_clip_distance clip = {.count = 1};
    m.surface.num_triangles = 1;
    assert_true(
        lm_mesh_compare_frame(&m.mesh, &other.mesh, &clip, 0, false, distances, NULL, &error));
    uint32_t unused = 0;
    for (uint32_t v = 0; v < MESH_VERTICES; v++) {
        bool used = false;
        for (int i = 0; i < 3; i++)
            used = used || m.triangles[i] == v;
        assert_true(used ? distances[v] == 0 : distances[v] == -1);
        unused += !used;
    }
    assert_true(unused > 0);
    m.surface.num_triangles = 0;
    assert_true(
        lm_mesh_compare_frame(&m.mesh, &other.mesh, &clip, 0, true, distances, NULL, &error));
    for (uint32_t v = 0; v < MESH_VERTICES; v++)
        assert_true(distances[v] == -1);
}

TEST(test_missing_frames_are_rejected) {
    lm_error error;
    float distances[MESH_VERTICES];
    make_both();
    const lm_clip_distance clips[] = {{.count = 0},
                                      {.count = 13},
                                      {.first_a = 8, .count = 5},
                                      {.first_b = 8, .count = 5},
                                      {.first_b = UINT32_MAX, .count = 5}};
    for (size_t i = 0; i < sizeof clips / sizeof *clips; i++) {
        assert_false(
            lm_mesh_compare_frame(&m.mesh, &m.mesh, &clips[i], 0, false, distances, NULL, &error));
        assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
    }
    const lm_clip_distance last = {.first_a = 7, .first_b = 7, .count = 5};
    assert_true(lm_mesh_compare_frame(&m.mesh, &m.mesh, &last, 4, false, distances, NULL, &error));
    assert_false(lm_mesh_compare_frame(&m.mesh, &m.mesh, &last, 5, false, distances, NULL, &error));
    assert_string_equal(error.message, "mesh: there is no frame 5 of 5 from frames 7 and 7 on");
    m.positions[0] = NAN;
    assert_false(lm_mesh_compare_frame(&m.mesh, &m.mesh, &last, 0, false, distances, NULL, &error));
    assert_int_equal(error.code, LM_CODE_NOT_FINITE);
}

TEST(test_each_allocation_of_a_frame_may_fail) {
    make_both();
    float distances[MESH_VERTICES];
    const lm_clip_distance clip = {.count = 12};
    EACH_ALLOCATION_FAILS (f)
        f.done = lm_mesh_compare_frame(&m.mesh, &m.mesh, &clip, 3, false, distances, &f.memory,
                                       &f.error);
}
