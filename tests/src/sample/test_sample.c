/* Compares sampling with its definition, computed here in double precision from the packed
 * bytes. Layouts, ends, and opposite normals are in test_kernels.c. */
#include "elements.h"
#include "support.h"

#define PI 3.14159265358979323846

static lm_model *load(const blob *file, unsigned quirks) {
    lm_error error;
    const lm_load_options options = {.quirks = quirks};
    lm_model *m = lm_load_memory(file->data, file->size, &options, &error);
    assert_done(m, error);
    return m;
}

/* ---- The definition ------------------------------------------------------------------------ */

typedef struct exact {
    double position[3], normal[3]; /* the normal as decoded, of length near 1 */
} exact;

static double s16(const uint8_t *p) {
    return (double)(int16_t)(p[0] | p[1] << 8);
}

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void set_normal(exact *out, lm_vec3 n) {
    const double xyz[] = {(double)n.x, (double)n.y, (double)n.z};
    memcpy(out->normal, xyz, sizeof xyz);
}

/* Adds the two normals under the quirk and gives the sum length 1. If they cancel, the key's normal
 * stays. */
static void add_normals(exact *out, const double more[3]) {
    double sum[3], length;
    for (int i = 0; i < 3; i++)
        sum[i] = out->normal[i] + more[i];
    length = sqrt(dot(sum, sum));
    for (int i = 0; i < 3 && length > 1e-5; i++)
        out->normal[i] = sum[i] / length;
}

static void add_delta(const lm_model *m, const uint8_t *delta, exact *out) {
    lm_vec3 n = lm_normal_table(LM_NUM_NORMALS_256)[delta[3]];
    const double xyz[] = {(double)n.x, (double)n.y, (double)n.z};
    for (int i = 0; i < 3; i++)
        out->position[i] += (delta[i] - 127) * (double)m->delta_scale;
    if (m->delta_normals_add)
        add_normals(out, xyz);
    else
        set_normal(out, n);
}

/* Decodes a vertex of a frame by the text of model.h. */
static exact decode(const lm_model *m, const lm_surface *s, uint32_t frame, size_t v) {
    exact out;
    const lm_frame *f = &m->frames[frame];
    const double scale[] = {(double)f->scale.x, (double)f->scale.y, (double)f->scale.z};
    const double move[] = {(double)f->translate.x, (double)f->translate.y, (double)f->translate.z};
    uint32_t key = s->frame_keys ? s->frame_keys[frame] : frame;
    const uint8_t *p = s->keys + key * s->key_stride + s->file_vertices[v] * s->key_size;
    bool small = s->encoding == LM_VERTEX_U8;
    for (size_t i = 0; i < 3; i++)
        out.position[i] = (small ? p[i] : s16(p + 2 * i)) * scale[i] + move[i];
    if (small) {
        set_normal(&out, lm_normal_table(LM_NUM_NORMALS_162)[p[3]]);
    } else {
        double rho = p[6] * PI / 128, sigma = p[7] * PI / 128;
        out.normal[0] = cos(sigma) * sin(rho);
        out.normal[1] = sin(sigma) * sin(rho);
        out.normal[2] = cos(rho);
    }
    if (s->frame_deltas && s->frame_deltas[frame] != LM_NO_DELTA)
        add_delta(m,
                  s->deltas + s->frame_deltas[frame] * s->delta_stride +
                      4 * (size_t)s->file_vertices[v],
                  &out);
    return out;
}

/* ---- Comparing ----------------------------------------------------------------------------- */

typedef struct samples {
    float *positions, *normals;
} samples;

static samples sample(const lm_model *m, uint32_t surface, lm_pose pose) {
    size_t size = (size_t)m->surfaces[surface].num_vertices * 12;
    samples out = {malloc(size ? size : 1), malloc(size ? size : 1)};
    assert_true(out.positions && out.normals);
    lm_sample_target target = {.positions = out.positions, .normals = out.normals};
    assert_int_equal(lm_sample(m, surface, &pose, 1, &target), LM_CODE_OK);
    return out;
}

static void free_samples(samples *s) {
    free(s->positions);
    free(s->normals);
}

static void expect_vertex(const lm_model *m, const lm_surface *s, lm_pose pose, size_t v,
                          const samples *got) {
    exact a = decode(m, s, pose.frame_a, v), b = decode(m, s, pose.frame_b, v);
    const double t = (double)pose.t;
    double mixed[3], normal[3];
    for (size_t i = 0; i < 3; i++) {
        double p = a.position[i] * (1 - t) + b.position[i] * t;
        double size = fabs(a.position[i]) + fabs(b.position[i]) + 10;
        if (fabs(p - (double)got->positions[3 * v + i]) > 1e-6 * size)
            fail_msg("vertex %zu: %.9g instead of %.9g", v, (double)got->positions[3 * v + i], p);
        mixed[i] = a.normal[i] * (1 - t) + b.normal[i] * t;
        normal[i] = (double)got->normals[3 * v + i];
    }
    double length = sqrt(dot(mixed, mixed));
    assert_true(fabs(dot(normal, normal) - 1) < 1e-5);
    if (length > 1e-3 && dot(mixed, normal) / length < 1 - 1e-6)
        fail_msg("vertex %zu: normal %g %g %g", v, normal[0], normal[1], normal[2]);
}

static void expect_poses(const lm_model *m, chance *c, int rounds) {
    static const float times[] = {0, 1, 0.5f, 0.25f, 1e-20f, 0.99999994f};
    for (uint32_t s = 0; s < m->num_surfaces; s++)
        for (int i = 0; i < rounds; i++) {
            lm_pose pose = {chance_below(c, m->num_frames), chance_below(c, m->num_frames),
                            i % 2 ? times[chance_below(c, COUNT_OF(times))] : chance_real(c, 0, 1)};
            AT_END(free_samples) samples got = sample(m, s, pose);
            for (size_t v = 0; v < m->surfaces[s].num_vertices; v++)
                expect_vertex(m, &m->surfaces[s], pose, v, &got);
        }
}

static void visit_poses(const char *path, const blob *file) {
    chance c = chance_from(3);
    OWNED(lm_model) *m = load(file, 0);
    if (!m->bones) /* test_mds.c compares those with the engine */
        expect_poses(m, &c, 6);
}

TEST(test_poses_are_as_defined) {
    chance c = chance_from(4);
    blob md2 = make_md2(&(md2_shape){1, 70, 90, 200, 5, false});
    blob mdc = make_mdc(&(mdc_shape){9, 1, 2, 70, 40, 1, 3, 4, false});
    for (unsigned quirk = 0; quirk < 2; quirk++) {
        OWNED(lm_model) *m = load(&md2, quirk), *n = load(&mdc, quirk);
        expect_poses(m, &c, 60);
        expect_poses(n, &c, 60);
    }
    blob_free(&md2);
    blob_free(&mdc);
    each_model(visit_poses);
}

/* ---- Targets ------------------------------------------------------------------------------- */

#define GUARD 0x7F7F7F7Fu

static void fill_guards(float *memory, size_t count) {
    const uint32_t guard = GUARD;
    for (size_t i = 0; i < count; i++)
        memcpy(&memory[i], &guard, sizeof guard);
}

static bool is_guard(const float *memory) {
    uint32_t bits;
    memcpy(&bits, memory, sizeof bits);
    return bits == GUARD;
}

typedef struct refusal {
    uint32_t surface;
    lm_pose pose;
    size_t stride, pose_stride;
} refusal;

TEST(test_invalid_requests_leave_memory_unchanged) {
    static const refusal refusals[] = {
        {1, {0, 0, 0}, 0, 0},         {UINT32_MAX, {0, 0, 0}, 0, 0}, {0, {3, 0, 0}, 0, 0},
        {0, {0, 3, 0}, 0, 0},         {0, {0, UINT32_MAX, 0}, 0, 0}, {0, {0, 1, -0.001f}, 0, 0},
        {0, {0, 1, 1.001f}, 0, 0},    {0, {0, 1, NAN}, 0, 0},        {0, {0, 1, INFINITY}, 0, 0},
        {0, {0, 1, -INFINITY}, 0, 0}, {0, {0, 1, 0}, 8, 0},          {0, {0, 1, 0}, 13, 0},
        {0, {0, 1, 0}, 4, 0},         {0, {0, 1, 0}, 0, 401},        {0, {0, 1, 0}, 14, 0},
    };
    AT_END(blob_free) blob file = make_md2(&small_md2);
    OWNED(lm_model) *m = load(&file, 0);
    for (size_t i = 0; i < COUNT_OF(refusals); i++) {
        float memory[1000];
        const refusal *r = &refusals[i];
        /* A valid pose before the invalid one is not written either. */
        const lm_pose poses[] = {{0, 1, 0.5f}, r->pose};
        lm_sample_target target = {.positions = memory,
                                   .normals = memory + 500,
                                   .stride = r->stride,
                                   .pose_stride = r->pose_stride};
        fill_guards(memory, COUNT_OF(memory));
        assert_int_equal(lm_sample(m, r->surface, poses, 2, &target), LM_CODE_BAD_ARGUMENT);
        for (size_t k = 0; k < COUNT_OF(memory); k++)
            assert_true(is_guard(&memory[k]));
    }
    float memory[1000];
    const lm_pose pose = {0, 1, 0.5f};
    const lm_sample_target later = {.positions = memory, .reserved = {0, 0, 0, 1}};
    assert_int_equal(lm_sample(m, 0, &pose, 1, &later), LM_CODE_BAD_ARGUMENT);
    assert_int_equal(lm_sample_blend(m, 0, &pose, &pose, 0.5f, &later), LM_CODE_BAD_ARGUMENT);
    assert_int_equal(lm_sample(m, 0, NULL, 0, &(lm_sample_target){0}), LM_CODE_OK);
    assert_int_equal(lm_sample(m, 0, NULL, 1, &(lm_sample_target){0}), LM_CODE_BAD_ARGUMENT);
}

/* ---- Poses and bounds ---------------------------------------------------------------------- */

static void expect_pose(const lm_model *m, double frame, uint32_t a, uint32_t b, float t) {
    lm_pose pose;
    lm_model_pose_at(m, frame, &pose);
    if (pose.frame_a != a || pose.frame_b != b || fabsf(pose.t - t) > 1e-6f)
        fail_msg("frame %g is %u %u %g", frame, pose.frame_a, pose.frame_b, (double)pose.t);
}

TEST(test_pose_at) {
    AT_END(blob_free) blob file = make_md2(&(md2_shape){1, 3, 3, 1, 5, false});
    OWNED(lm_model) *m = load(&file, 0);
    expect_pose(m, 0, 0, 0, 0);
    expect_pose(m, 0.25, 0, 1, 0.25f);
    expect_pose(m, 2, 2, 3, 0);
    expect_pose(m, 3.75, 3, 4, 0.75f);
    expect_pose(m, 4, 4, 4, 0);
    expect_pose(m, 4.5, 4, 4, 0);
    expect_pose(m, 1e300, 4, 4, 0);
    expect_pose(m, INFINITY, 4, 4, 0);
    expect_pose(m, -1, 0, 0, 0);
    expect_pose(m, -INFINITY, 0, 0, 0);
    expect_pose(m, NAN, 0, 0, 0);
    lm_pose pose;
    lm_model_pose_at(m, 0.99999999999, &pose);
    assert_true(pose.t <= 1);
}

static void widen(lm_vec3 *min, lm_vec3 *max, const float *p) {
    *min = (lm_vec3){fminf(min->x, p[0]), fminf(min->y, p[1]), fminf(min->z, p[2])};
    *max = (lm_vec3){fmaxf(max->x, p[0]), fmaxf(max->y, p[1]), fmaxf(max->z, p[2])};
}

static void expect_bounds(const lm_model *m, uint32_t first, uint32_t count) {
    lm_vec3 min = {INFINITY, INFINITY, INFINITY}, max = {-INFINITY, -INFINITY, -INFINITY};
    lm_vec3 got_min, got_max;
    for (uint32_t f = first; f < first + count; f++)
        for (uint32_t s = 0; s < m->num_surfaces; s++) {
            AT_END(free_samples) samples got = sample(m, s, (lm_pose){f, f, 0});
            for (size_t v = 0; v < m->surfaces[s].num_vertices; v++)
                widen(&min, &max, got.positions + 3 * v);
        }
    assert_int_equal(lm_model_bounds(m, first, count, &got_min, &got_max), LM_CODE_OK);
    assert_memory_equal(&got_min, &min, sizeof min);
    assert_memory_equal(&got_max, &max, sizeof max);
}

static void visit_bounds(const char *path, const blob *file) {
    OWNED(lm_model) *m = load(file, 0);
    if (m->num_surfaces > 0) {
        expect_bounds(m, 0, m->num_frames < 20 ? m->num_frames : 20);
        expect_bounds(m, m->num_frames - 1, 1);
    }
}

TEST(test_bounds_contain_all_vertices) {
    blob md2 = make_md2(&(md2_shape){1, 200, 300, 400, 4, false}), mdc = make_mdc(&small_mdc);
    visit_bounds("", &md2);
    visit_bounds("", &mdc);
    blob_free(&md2);
    blob_free(&mdc);
    each_model(visit_bounds);
}

/* Each vertex in turn is the outermost. */
TEST(test_each_vertex_extends_the_bounds) {
    AT_END(blob_free) blob file = make_md2(&(md2_shape){1, 200, 1, 200, 1, false});
    size_t vertices = get32(&file, MD2_AT_OFS_FRAMES) + 40;
    for (size_t v = 0; v < 200; v++)
        memset(file.data + vertices + 4 * v, 100, 4);
    for (size_t v = 0; v < 200; v++) {
        lm_vec3 min, max;
        file.data[vertices + 4 * v] = 200;
        OWNED(lm_model) *m = load(&file, 0);
        assert_int_equal(m->surfaces[0].num_vertices, 200);
        assert_int_equal(lm_model_bounds(m, 0, 1, &min, &max), LM_CODE_OK);
        assert_true(min.x == 50 && max.x == 100);
        file.data[vertices + 4 * v] = 100;
    }
}

TEST(test_bounds_reject_ranges_and_fall_back) {
    static const uint32_t ranges[][2] = {{0, 0}, {3, 1}, {0, 4}, {2, 2}, {1, UINT32_MAX}};
    lm_vec3 min = {1, 2, 3}, max = {4, 5, 6};
    AT_END(blob_free) blob file = make_mdc(&(mdc_shape){.num_frames = 3, .num_tags = 1});
    OWNED(lm_model) *m = load(&file, 0);
    for (size_t i = 0; i < COUNT_OF(ranges); i++)
        assert_int_equal(lm_model_bounds(m, ranges[i][0], ranges[i][1], &min, &max),
                         LM_CODE_BAD_ARGUMENT);
    assert_true(min.x == 1 && max.z == 6);
    assert_int_equal(lm_model_bounds(m, 1, 2, &min, &max),
                     LM_CODE_OK); /* without vertices: the frames' own bounds */
    assert_true(min.x == -32 && max.z == 32);
}

/* ---- Tags ---------------------------------------------------------------------------------- */

typedef struct turn {
    double pitch, yaw, roll, axis[3][3];
} turn;

/* Makes a model with one tag in two frames: rotated in one, not in the other. */
static lm_model *tag_model(const turn *t) {
    AT_END(blob_free) blob file = make_mdc(&(mdc_shape){.num_frames = 2, .num_tags = 1});
    const double step = 32700.0 / 360;
    const lm_mdc_tag tags[] = {{{64, -128, 32767},
                                {(int16_t)lrint(t->pitch * step), (int16_t)lrint(t->yaw * step),
                                 (int16_t)lrint(t->roll * step)}},
                               {{-32768, 0, 1}, {0, 0, 0}}};
    lmi_mdc_put_tag(file.data + get32(&file, MDC_AT_OFS_TAGS), &tags[0]);
    lmi_mdc_put_tag(file.data + get32(&file, MDC_AT_OFS_TAGS) + 12, &tags[1]);
    return load(&file, 0);
}

static void expect_orthonormal(const lm_transform *pose, double tolerance) {
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            lm_vec3 u = pose->axis[a], v = pose->axis[b];
            double product =
                (double)u.x * (double)v.x + (double)u.y * (double)v.y + (double)u.z * (double)v.z;
            assert_true(fabs(product - (a == b)) < tolerance);
        }
    lm_vec3 x = pose->axis[0], y = pose->axis[1], z = pose->axis[2];
    double turned = (double)(x.x * (y.y * z.z - y.z * z.y) - x.y * (y.x * z.z - y.z * z.x) +
                             x.z * (y.x * z.y - y.y * z.x));
    assert_true(turned > 0.999); /* right-handed: forward, left, up */
}

/* id's angles: yaw turns left, pitch looks down, roll leans right. */
TEST(test_known_angles) {
    static const double h = 0.70710678118654752;
    static const turn turns[] = {
        {0, 0, 0, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
        {0, 90, 0, {{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}}},
        {0, -90, 0, {{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}},
        {90, 0, 0, {{0, 0, -1}, {0, 1, 0}, {1, 0, 0}}},
        {0, 0, 90, {{1, 0, 0}, {0, 0, 1}, {0, -1, 0}}},
        {45, 0, 0, {{h, 0, -h}, {0, 1, 0}, {h, 0, h}}},
        {0, 45, 0, {{h, h, 0}, {-h, h, 0}, {0, 0, 1}}},
        {90, 90, 0, {{0, 0, -1}, {-1, 0, 0}, {0, 1, 0}}},
        {0, 90, 90, {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}},
    };
    for (size_t i = 0; i < COUNT_OF(turns); i++) {
        lm_transform pose;
        OWNED(lm_model) *m = tag_model(&turns[i]);
        assert_int_equal(lm_sample_tag(m, 0, &(lm_pose){0, 0, 0}, &pose), LM_CODE_OK);
        assert_true(pose.origin.x == 1 && pose.origin.y == -2);
        assert_true(pose.origin.z == 32767.0f / 64);
        for (int a = 0; a < 3; a++) {
            const double got[] = {(double)pose.axis[a].x, (double)pose.axis[a].y,
                                  (double)pose.axis[a].z};
            for (int k = 0; k < 3; k++)
                if (fabs(got[k] - turns[i].axis[a][k]) > 2e-4)
                    fail_msg("turn %zu axis %d is %g %g %g", i, a, got[0], got[1], got[2]);
        }
        expect_orthonormal(&pose, 1e-6);
    }
}

TEST(test_any_angles_are_orthonormal) {
    AT_END(blob_free) blob file = make_mdc(&(mdc_shape){.num_frames = 50, .num_tags = 4});
    OWNED(lm_model) *m = load(&file, 0);
    for (uint32_t f = 0; f < 50; f++)
        for (uint32_t t = 0; t < 4; t++) {
            lm_transform pose;
            assert_int_equal(lm_sample_tag(m, t, &(lm_pose){f, 0, 0}, &pose), LM_CODE_OK);
            expect_orthonormal(&pose, 1e-6);
        }
}

TEST(test_blended_tags) {
    lm_transform a, b, half, end;
    OWNED(lm_model) *m = tag_model(&(turn){.yaw = 90});
    lm_sample_tag(m, 0, &(lm_pose){0, 0, 0}, &a);
    lm_sample_tag(m, 0, &(lm_pose){1, 1, 0}, &b);
    lm_sample_tag(m, 0, &(lm_pose){0, 1, 0.5f}, &half);
    assert_true(half.origin.x == (a.origin.x + b.origin.x) / 2);
    assert_true(fabsf(half.axis[0].x - 0.70710678f) < 1e-4f);
    assert_true(fabsf(half.axis[0].y - 0.70710678f) < 1e-4f);
    assert_true(fabsf(half.axis[2].z - 1) < 1e-6f);
    lm_sample_tag(m, 0, &(lm_pose){0, 1, 1}, &end);
    assert_memory_equal(&end, &b, sizeof b); /* t = 1 is frame b bit for bit */
    lm_model_free(m);
    m = tag_model(&(turn){.yaw = 180}); /* axes that cancel: the nearer frame's are used */
    assert_int_equal(lm_sample_tag(m, 0, &(lm_pose){0, 1, 0.5f}, &half), LM_CODE_OK);
    expect_orthonormal(&half, 1e-3);
}

TEST(test_tags_between_poses) {
    lm_transform a, b, got;
    const lm_pose from = {0, 0, 0}, to = {0, 1, 0.5f}, wrong = {0, 2, 0};
    OWNED(lm_model) *m = tag_model(&(turn){.yaw = 90});
    lm_sample_tag(m, 0, &from, &a);
    lm_sample_tag(m, 0, &to, &b);
    assert_int_equal(lm_sample_tag_blend(m, 0, &from, &to, 0.25f, &got), LM_CODE_OK);
    expect_orthonormal(&got, 1e-6);
    assert_true(got.origin.x == 0.75f * a.origin.x + 0.25f * b.origin.x);
    double x = 0.75 * (double)a.axis[0].x + 0.25 * (double)b.axis[0].x;
    double y = 0.75 * (double)a.axis[0].y + 0.25 * (double)b.axis[0].y;
    assert_true(fabs((double)got.axis[0].x - x / hypot(x, y)) < 1e-6);
    assert_int_equal(lm_sample_tag_blend(m, 0, &from, &to, 0, &got), LM_CODE_OK);
    assert_memory_equal(&got, &a, sizeof a);
    assert_int_equal(lm_sample_tag_blend(m, 0, &from, &to, 1, &got), LM_CODE_OK);
    assert_memory_equal(&got, &b, sizeof b);
    assert_int_equal(lm_sample_tag_blend(m, 0, &wrong, &to, 0.5f, &got), LM_CODE_BAD_ARGUMENT);
    assert_int_equal(lm_sample_tag_blend(m, 0, &from, &wrong, 0.5f, &got), LM_CODE_BAD_ARGUMENT);
    assert_int_equal(lm_sample_tag_blend(m, 0, &from, &to, NAN, &got), LM_CODE_BAD_ARGUMENT);
    assert_int_equal(lm_sample_tag_blend(m, 1, &from, &to, 0.5f, &got), LM_CODE_BAD_ARGUMENT);
    assert_memory_equal(&got, &b, sizeof b); /* untouched */
}

/* The description literally makes a tag's position unsigned. */
TEST(test_tags_with_the_quirk) {
    lm_transform pose;
    AT_END(blob_free) blob file = make_mdc(&(mdc_shape){.num_frames = 1, .num_tags = 1});
    lmi_mdc_put_tag(file.data + get32(&file, MDC_AT_OFS_TAGS),
                    &(lm_mdc_tag){{-64, 128, -1}, {0, 8175, 0}});
    OWNED(lm_model) *m = load(&file, LM_QUIRK_MDC_PRINZ);
    assert_int_equal(lm_sample_tag(m, 0, &(lm_pose){0, 0, 0}, &pose), LM_CODE_OK);
    assert_true(pose.origin.x == 1023 && pose.origin.y == 2 && pose.origin.z == 65535.0f / 64);
    assert_true(fabsf(pose.axis[0].y - 1) < 1e-6f);
}

TEST(test_invalid_tags) {
    static const struct {
        uint32_t tag;
        lm_pose pose;
    } list[] = {{1, {0, 0, 0}},     {0, {2, 0, 0}},    {0, {0, 2, 0}},         {0, {0, 0, NAN}},
                {0, {0, 1, -0.5f}}, {0, {0, 1, 1.5f}}, {UINT32_MAX, {0, 0, 0}}};
    OWNED(lm_model) *m = tag_model(&(turn){0});
    for (size_t i = 0; i < COUNT_OF(list); i++) {
        lm_transform out, before;
        memset(&before, 0x7F, sizeof before);
        out = before;
        assert_int_equal(lm_sample_tag(m, list[i].tag, &list[i].pose, &out), LM_CODE_BAD_ARGUMENT);
        assert_memory_equal(&out, &before, sizeof out);
    }
}
