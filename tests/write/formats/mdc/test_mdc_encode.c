/* Tests MDCs encoded from floats. */
#include "elements.h"
#include "encoded.h"

#define HALF_STEP 0.025
/* The sum of a base position of 512 units and an offset, in floats. */
#define ROUNDING 7e-5

/* Returns the largest distance on an axis between a mesh and its encoded file. */
static double worst_axis(const made *m) {
    double worst = 0;
    for (uint32_t i = 0; i < m->mesh->num_surfaces; i++)
        for (uint32_t v = 0; v < m->mesh->surfaces[i].num_vertices; v++)
            if (is_used(&m->mesh->surfaces[i], v))
                worst = fmax(worst, find_vertex(m, i, v, NULL, NULL));
    return worst;
}

TEST(test_axis_errors_are_at_most_half_a_step) {
    for (uint32_t seed = 0; seed < 24; seed++) {
        AT_END(free_random_mesh) random_mesh r;
        make_random_mesh(&r, seed);
        for (int smallest = 0; smallest < 2; smallest++) {
            AT_END(free_synthetic)
            made m = make_file(&r.mesh, "mdc", &(lm_encode_options){.smallest = smallest == 1});
            const double worst = worst_axis(&m);
            if (worst > HALF_STEP + ROUNDING)
                fail_msg("seed %u: off by %g", (unsigned)seed, worst);
            if (r.mesh.num_frames > 50)
                assert_true(m.report->num_base_frames < r.mesh.num_frames * r.mesh.num_surfaces);
        }
    }
}

/* Returns true if a vertex of the file follows a vertex of the mesh in all frames. `stride` is the
 * mesh's number of vertices per frame. */
static bool follows_vertex(const made *m, uint32_t surface, uint32_t vertex, const float *positions,
                           size_t stride) {
    const size_t count = m->model->surfaces[surface].num_vertices;
    for (size_t f = 0; f < m->mesh->num_frames; f++) {
        const lm_vec3 p = m->rows[surface][f * count + vertex];
        const float *q = positions + 3 * f * stride;
        if (fabsf(p.x - q[0]) > 0.026f || fabsf(p.y - q[1]) > 0.026f || fabsf(p.z - q[2]) > 0.026f)
            return false;
    }
    return true;
}

/* Surfaces that touch in the mesh touch in the file. */
TEST(test_surfaces_do_not_crack) {
    random_mesh r;
    make_random_mesh(&r, 22);
    assert_true(r.mesh.num_frames > 20);
    lm_mesh_surface *s = r.surfaces;
    float *joined = (float *)s[1].positions;
    for (uint32_t f = 0; f < r.mesh.num_frames; f++)
        memcpy(joined + 3 * (size_t)f * s[1].num_vertices,
               s[0].positions + 3 * (size_t)f * s[0].num_vertices, 4 * 3 * sizeof *joined);
    made m = make_file(&r.mesh, "mdc", NULL);
    uint32_t touching = 0;
    for (uint32_t v = 0; v < 4; v++) {
        uint32_t at[2] = {0, 0};
        for (uint32_t i = 0; i < 2; i++)
            for (uint32_t w = 0; w < m.model->surfaces[i].num_vertices; w++)
                if (follows_vertex(&m, i, w, s[0].positions + 3 * (size_t)v, s[0].num_vertices))
                    at[i] = w + 1;
        if (at[0] == 0 || at[1] == 0)
            continue; /* not drawn in both */
        touching++;
        for (uint32_t f = 0; f < r.mesh.num_frames; f++)
            assert_memory_equal(
                &m.rows[0][(size_t)f * m.model->surfaces[0].num_vertices + at[0] - 1],
                &m.rows[1][(size_t)f * m.model->surfaces[1].num_vertices + at[1] - 1],
                sizeof(lm_vec3));
    }
    assert_in_range(touching, 2, 4);
    free_synthetic(&m);
    free_random_mesh(&r);
}

/* A mesh of 4 frames of one triangle, played twice, and a static one. */
TEST(test_the_same_frames_are_stored_once) {
    enum {
        FRAMES = 40
    };
    static const uint32_t triangle[3] = {0, 2, 1};
    static float moving[FRAMES * 9], still[FRAMES * 9];
    for (int f = 0; f < FRAMES; f++)
        for (int i = 0; i < 9; i++) {
            still[f * 9 + i] = (float)(i * i);
            moving[f * 9 + i] = still[f * 9 + i] + (i % 3 == 2 ? (float)(f % 20) * 0.25f : 0);
        }
    const lm_mesh_surface surfaces[2] = {
        {.num_vertices = 3, .positions = moving, .num_triangles = 1, .triangles = triangle},
        {.num_vertices = 3, .positions = still, .num_triangles = 1, .triangles = triangle}};
    const lm_mesh mesh = {.num_frames = FRAMES, .num_surfaces = 2, .surfaces = surfaces};
    AT_END(free_synthetic) made m = make_file(&mesh, "mdc", NULL);
    assert_int_equal(m.model->surfaces[0].num_keys, 1);
    assert_int_equal(m.model->surfaces[0].num_deltas, 19);
    assert_int_equal(m.model->surfaces[1].num_keys, 1);
    assert_int_equal(m.model->surfaces[1].num_deltas, 0);
}

/* Leaps from one end of the format's range to the other: differences need more than 16 bits. */
TEST(test_large_jumps_are_correct) {
    static const uint32_t triangle[3] = {0, 2, 1};
    static const float ends[4] = {-511.9f, 511.9f, 510.0f, -508.0f};
    float positions[4 * 9];
    for (int f = 0; f < 4; f++)
        for (int i = 0; i < 9; i++)
            positions[f * 9 + i] = i == 0 ? ends[f] : i == 4 || i == 8 ? 20.0f : 0.0f;
    const lm_mesh_surface surface = {
        .num_vertices = 3, .positions = positions, .num_triangles = 1, .triangles = triangle};
    const lm_mesh mesh = {.num_frames = 4, .num_surfaces = 1, .surfaces = &surface};
    AT_END(free_synthetic) made m = make_file(&mesh, "mdc", NULL);
    assert_true(worst_axis(&m) <= HALF_STEP + ROUNDING);
    assert_int_equal(m.report->num_base_frames, 2);
}

/* ---- Tags ----------------------------------------------------------------------------------- */

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void make_unit_length(double v[3]) {
    const double length = sqrt(dot(v, v));
    for (int i = 0; i < 3; i++)
        v[i] /= length;
}

/* Makes axes of any length orthogonal, right-handed and of length 1. */
static void make_orthonormal(lm_vec3 axis[3]) {
    double a[3] = {(double)axis[0].x, (double)axis[0].y, (double)axis[0].z};
    double b[3] = {(double)axis[1].x, (double)axis[1].y, (double)axis[1].z};
    make_unit_length(a);
    const double share = dot(a, b);
    for (int i = 0; i < 3; i++)
        b[i] -= share * a[i];
    make_unit_length(b);
    axis[0] = (lm_vec3){(float)a[0], (float)a[1], (float)a[2]};
    axis[1] = (lm_vec3){(float)b[0], (float)b[1], (float)b[2]};
    axis[2] = (lm_vec3){(float)(a[1] * b[2] - a[2] * b[1]), (float)(a[2] * b[0] - a[0] * b[2]),
                        (float)(a[0] * b[1] - a[1] * b[0])};
}

static lm_vec3 random_direction(chance *c) {
    return (lm_vec3){chance_real(c, -1, 1), chance_real(c, -1, 1), chance_real(c, -1, 1)};
}

/* Measures how similar a pose's axes are to the engines' axes from pitch, yaw and roll: 3 if
 * equal. */
static double likeness(const lm_transform *pose, const int angle[3]) {
    double s[3], c[3];
    for (int i = 0; i < 3; i++) {
        s[i] = sin(angle[i] * 2 * acos(-1) / 32700);
        c[i] = cos(angle[i] * 2 * acos(-1) / 32700);
    }
    const double axis[3][3] = {
        {c[0] * c[1], c[0] * s[1], -s[0]},
        {s[2] * s[0] * c[1] - c[2] * s[1], s[2] * s[0] * s[1] + c[2] * c[1], s[2] * c[0]},
        {c[2] * s[0] * c[1] + s[2] * s[1], c[2] * s[0] * s[1] - s[2] * c[1], c[2] * c[0]}};
    double sum = 0;
    for (int i = 0; i < 3; i++)
        sum += axis[i][0] * (double)pose->axis[i].x + axis[i][1] * (double)pose->axis[i].y +
               axis[i][2] * (double)pose->axis[i].z;
    return sum;
}

/* Checks that no neighbouring angles are nearer. */
static void check_angles(const lm_transform *pose, const int16_t angle[3]) {
    const int here[3] = {angle[0], angle[1], angle[2]};
    const double best = likeness(pose, here);
    for (int n = 0; n < 27; n++) {
        const int beside[3] = {here[0] + n % 3 - 1, here[1] + n / 3 % 3 - 1, here[2] + n / 9 - 1};
        assert_true(likeness(pose, beside) < best + 1e-13);
    }
}

TEST(test_tags_have_the_nearest_angles) {
    enum {
        FRAMES = 300
    };
    static lm_transform poses[FRAMES];
    chance c = chance_from(9);
    for (int f = 0; f < FRAMES; f++) {
        const lm_vec3 axis[3] = {random_direction(&c), random_direction(&c), random_direction(&c)};
        poses[f].origin = (lm_vec3){chance_real(&c, -500, 500), chance_real(&c, -9, 9), 0};
        memcpy(poses[f].axis, axis, sizeof axis);
        if (f % 10 == 0) /* straight up, straight down */
            poses[f].axis[0] = (lm_vec3){0, 0, f % 20 == 0 ? 1.0f : -1.0f};
        make_orthonormal(poses[f].axis);
    }
    const lm_mesh_tag tag = {.name = "tag_head", .poses = poses};
    const lm_mesh mesh = {.num_frames = FRAMES, .num_tags = 1, .tags = &tag};
    AT_END(free_synthetic) made m = make_file(&mesh, "mdc", NULL);
    /* Three steps of 360/32700 degrees, each half a step off, and the rounding of singles. */
    assert_true(m.report->max_tag_angle_error > 0 && m.report->max_tag_angle_error < 0.0125);
    assert_true(m.report->max_tag_error <= sqrt(3) / 128 + 1e-6);
    OWNED(lm_mdc) *mdc = lm_mdc_read(m.file.data, m.file.size, NULL, NULL);
    for (int f = 0; f < FRAMES; f++) {
        lm_mdc_tag stored;
        lmi_mdc_get_tag(mdc, f, 0, &stored);
        check_angles(&poses[f], stored.angle);
    }
}

TEST(test_mirrored_tags_are_reported) {
    const lm_transform pose = {{0, 0, 0}, {{1, 0, 0}, {0, 1, 0}, {0, 0, -1}}};
    const lm_mesh_tag tag = {.name = "tag_head", .poses = &pose};
    const lm_mesh mesh = {.num_frames = 1, .num_tags = 1, .tags = &tag};
    AT_END(free_synthetic) made m = make_file(&mesh, "mdc", NULL);
    assert_int_equal(m.report->problems[0].code, LM_CODE_NOT_HELD);
    assert_non_null(strstr(m.report->problems[0].text, "\"tag_head\" is mirrored"));
    free_synthetic(&m);
    m = make_file(&mesh, "md3", NULL);
    lm_transform back;
    lm_sample_tag(m.model, 0, &(lm_pose){0, 0, 0}, &back);
    assert_memory_equal(&back, &pose, sizeof pose);
    assert_int_equal(m.report->num_problems, 0);
}

TEST(test_axes_are_orthonormalized) {
    static const lm_vec3 skewed[][3] = {{{2, 0, 0}, {1, 3, 0}, {0, 1, 5}},
                                        {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}},
                                        {{0, 1, 0}, {0, 2, 0}, {0, 0, 1}},
                                        {{1, 1, 0}, {-1, 1, 0}, {0, 0, -1}}};
    for (size_t i = 0; i < COUNT_OF(skewed); i++) {
        lm_transform pose = {.origin = {1, 2, 3}};
        memcpy(pose.axis, skewed[i], sizeof pose.axis);
        const lm_mesh_tag tag = {.name = "tag_head", .poses = &pose};
        const lm_mesh mesh = {.num_frames = 1, .num_tags = 1, .tags = &tag};
        AT_END(free_synthetic) made m = make_file(&mesh, "md3", NULL);
        lm_transform out;
        lm_sample_tag(m.model, 0, &(lm_pose){0, 0, 0}, &out);
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++) {
                const lm_vec3 p = out.axis[a], q = out.axis[b];
                assert_true(fabsf(p.x * q.x + p.y * q.y + p.z * q.z - (a == b)) < 1e-6f);
            }
        assert_true(out.axis[2].z * (i == 3 ? -1.0f : 1.0f) >= 0);
    }
}

/* ---- Limits --------------------------------------------------------------------------------- */

TEST(test_distant_positions_are_rejected) {
    static const uint32_t triangle[3] = {0, 2, 1};
    float positions[9] = {0, 0, 0, 0, 20, 0, 0, 0, 512};
    lm_transform pose = {{0, 0, 0}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    const lm_mesh_surface surface = {
        .num_vertices = 3, .positions = positions, .num_triangles = 1, .triangles = triangle};
    const lm_mesh_tag tag = {.name = "tag_head", .poses = &pose};
    const lm_mesh mesh = {
        .num_frames = 1, .num_surfaces = 1, .surfaces = &surface, .num_tags = 1, .tags = &tag};
    expect_file_error(&mesh, "mdc", NULL, LM_CODE_LIMIT, "vertex 2 is at 512 in frame 0");
    expect_file_error(&mesh, "md3", NULL, LM_CODE_LIMIT, "vertex 2 is at 512 in frame 0");
    positions[8] = 1;
    pose.origin.y = -513;
    expect_file_error(&mesh, "mdc", NULL, LM_CODE_LIMIT, "tag 0 is at -513 in frame 0");
    AT_END(free_synthetic) made m = make_file(&mesh, "md3", NULL);
}

/* Surfaces encoded separately share the working memory of one. */
TEST(test_many_independent_surfaces) {
    enum {
        SURFACES = 30
    };
    static const float positions[18] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 9, 1, 0, 9, 0, 1, 9};
    static const uint32_t triangle[3] = {0, 1, 2};
    lm_mesh_surface surfaces[SURFACES];
    for (size_t i = 0; i < SURFACES; i++)
        surfaces[i] = (lm_mesh_surface){
            .num_vertices = 3, .positions = positions, .num_triangles = 1, .triangles = triangle};
    const lm_mesh mesh = {.num_frames = 2, .num_surfaces = SURFACES, .surfaces = surfaces};
    AT_END(free_synthetic) made m = make_file(&mesh, "mdc", &(lm_encode_options){.smallest = true});
    assert_int_equal(m.model->num_surfaces, SURFACES);
}

/* Exceeding the caller's memory limit gives LM_CODE_LIMIT, wherever it happens. */
TEST(test_each_memory_limit_is_reported) {
    AT_END(free_random_mesh) random_mesh r;
    make_random_mesh(&r, 3);
    for (uint32_t i = 0; lm_encoder_at(i); i++) {
        bool done = false;
        for (size_t most = 1; !done; most += most / 128 + 40) {
            const lm_encode_options options = {.memory = {.max_bytes = most}};
            AT_END(lm_buffer_free) lm_buffer out = {0};
            lm_error error;
            done = lm_encode(&r.mesh, lm_encoder_at(i), &options, &out, NULL, &error) ||
                   error.code == LM_CODE_BAD_ARGUMENT; /* that cannot be written */
            if (!done)
                assert_int_equal(error.code, LM_CODE_LIMIT);
        }
    }
}
