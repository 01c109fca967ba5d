/* Tests that packed rows, unpacked by the shader in sample.h, equal the sampler's output. */
#include "support.h"

#define WIDE 8 /* bytes of LM_ROW_8_BYTES */

#define MOST_DEGREES 0.7

static size_t num_compared;
static double worst_angle, worst_position; /* degrees; half steps */

/* ---- The shader of sample.h ---------------------------------------------------------------- */

typedef struct unpacked {
    double position[3], normal[3];
} unpacked;

static double length_of(const double v[3]) {
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static unpacked unpack(const uint8_t *vertex, const lm_packed_frame *frame) {
    const double scale[3] = {(double)frame->scale.x, (double)frame->scale.y,
                             (double)frame->scale.z};
    const double translate[3] = {(double)frame->translate.x, (double)frame->translate.y,
                                 (double)frame->translate.z};
    int16_t steps[3];
    int8_t uv[2];
    unpacked out;
    memcpy(steps, vertex, sizeof steps);
    memcpy(uv, vertex + 6, sizeof uv);
    out.normal[0] = uv[0];
    out.normal[1] = uv[1];
    out.normal[2] = 127 - abs(uv[0]) - abs(uv[1]);
    const double fold = fmax(-out.normal[2], 0);
    for (int i = 0; i < 2; i++)
        out.normal[i] += out.normal[i] < 0 ? fold : -fold;
    const double length = length_of(out.normal);
    for (int i = 0; i < 3; i++) {
        out.position[i] = steps[i] * scale[i] + translate[i];
        out.normal[i] /= length;
    }
    return out;
}

/* ---- Against the sampler ------------------------------------------------------------------- */

/* A row of a surface, packed and sampled. */
typedef struct compared {
    const lm_surface *surface;
    const uint8_t *row;
    const lm_packed_frame *frame;
    const float *positions, *normals;
} compared;

static void expect_vertex(const compared *c, size_t v) {
    const unpacked u = unpack(c->row + v * WIDE, c->frame);
    const float steps[3] = {c->frame->scale.x, c->frame->scale.y, c->frame->scale.z};
    double cosine = 0;
    for (int i = 0; i < 3; i++) {
        const double sampled = (double)c->positions[3 * v + (size_t)i];
        /* Half a step if steps are not the file's; single precision otherwise. */
        const double bound =
            fabs((double)steps[i]) * 0.51 + 1e-6 * (fabs(sampled) + fabs(u.position[i]));
        const double off = fabs(u.position[i] - sampled);
        if (!(off <= bound))
            fail_msg("coordinate %d of vertex %zu is off by %g of %g", i, v, off, bound);
        worst_position = fmax(worst_position, bound > 0 ? off / bound : 0);
        cosine += u.normal[i] * (double)c->normals[3 * v + (size_t)i];
    }
    const double angle = acos(fmin(cosine, 1)) * 180 / 3.14159265358979323846;
    if (!(angle <= MOST_DEGREES))
        fail_msg("the normal of vertex %zu is off by %g degrees", v, angle);
    worst_angle = fmax(worst_angle, angle);
    num_compared++;
}

static bool has_delta(const lm_surface *s, uint32_t frame) {
    return s->frame_deltas && s->frame_deltas[frame] != LM_NO_DELTA;
}

/* Packs all frames at once, then those from the middle on: rows do not depend on their
 * neighbours. */
static void expect_surface(const lm_model *m, uint32_t surface) {
    const lm_surface *s = &m->surfaces[surface];
    const uint32_t count = m->num_frames, half = count / 2;
    const size_t size = (size_t)s->num_vertices * WIDE;
    AT_END(drop_bytes) uint8_t *rows = malloc(size * (count + (size_t)1));
    AT_END(drop_bytes) uint8_t *again = malloc(size * (count + (size_t)1));
    AT_END(drop_bytes) lm_packed_frame *frames = calloc(2 * (size_t)count, sizeof *frames);
    AT_END(drop_bytes) float *floats = malloc(6 * sizeof *floats * (s->num_vertices + (size_t)1));
    assert_true(rows && again && frames && floats);
    assert_int_equal(
        lm_model_pack_frames(m, surface, 0, count, &(lm_packing){.rows = rows, .frames = frames}),
        LM_CODE_OK);
    assert_int_equal(lm_model_pack_frames(m, surface, half, count - half,
                                          &(lm_packing){.rows = again, .frames = frames + count}),
                     LM_CODE_OK);
    assert_memory_equal(rows + half * size, again, (count - half) * size);
    assert_memory_equal(frames + half, frames + count, (count - half) * sizeof *frames);
    for (uint32_t f = 0; f < count; f++) {
        const lm_pose pose = {f, f, 0};
        const lm_sample_target target = {.positions = floats,
                                         .normals = floats + 3 * (size_t)s->num_vertices};
        assert_int_equal(lm_sample(m, surface, &pose, 1, &target), LM_CODE_OK);
        if (!has_delta(s, f) && !m->bones)
            assert_memory_equal(&frames[f].scale, &m->frames[f].scale, sizeof frames[f].scale);
        const compared c = {s, rows + f * size, &frames[f], target.positions, target.normals};
        for (size_t v = 0; v < s->num_vertices; v++)
            expect_vertex(&c, v);
    }
}

static void expect_file(const blob *file, unsigned quirks) {
    lm_error error;
    const lm_load_options options = {.quirks = quirks};
    OWNED(lm_model) *m = lm_load_memory(file->data, file->size, &options, &error);
    if (!m)
        return; /* covered by another test */
    for (uint32_t i = 0; i < m->num_surfaces; i++)
        expect_surface(m, i);
}

static void expect_real(const char *path, const blob *file) {
    expect_file(file, 0);
    if (strstr(path, ".mdc"))
        expect_file(file, LM_QUIRK_MDC_PRINZ);
}

TEST(test_rows_are_the_samplers_vertices) {
    num_compared = 0;
    each_model(expect_real);
    print_message(
        "%zu vertices, normals within %.3f degrees, positions within %.2f of their bound\n",
        num_compared, worst_angle, worst_position);
    assert_true(num_compared > 100000);
}

/* ---- Arguments and edges ------------------------------------------------------------------- */

/* A model of one vertex and one frame with a delta. */
typedef struct lone {
    uint8_t key[8], delta[4];
    uint32_t vertex;
    uint16_t frame_delta;
    lm_frame frame;
    lm_surface surface;
    lm_model model;
} lone;

static void make_lone(lone *l) {
    *l = (lone){.key = {0xe8, 0x03, 0x18, 0xfc}, .delta = {128, 126, 127, 0}};
    l->frame = (lm_frame){.scale = {0.5f, 0.5f, 0.5f}, .translate = {1, 2, 3}};
    l->surface = (lm_surface){.num_vertices = 1,
                              .num_file_vertices = 1,
                              .file_vertices = &l->vertex,
                              .encoding = LM_VERTEX_S16,
                              .num_keys = 1,
                              .keys = l->key,
                              .key_size = 8,
                              .num_deltas = 1,
                              .deltas = l->delta,
                              .frame_deltas = &l->frame_delta};
    l->model = (lm_model){.num_frames = 1,
                          .frames = &l->frame,
                          .num_surfaces = 1,
                          .surfaces = &l->surface,
                          .delta_scale = 0.25f};
}

/* A box without extent has steps of 0; the vertex is at its centre. */
TEST(test_flat_boxes) {
    lone l;
    uint8_t row[WIDE];
    lm_packed_frame frame;
    make_lone(&l);
    assert_int_equal(
        lm_model_pack_frames(&l.model, 0, 0, 1, &(lm_packing){.rows = row, .frames = &frame}),
        LM_CODE_OK);
    const unpacked u = unpack(row, &frame);
    assert_true(fabs(u.position[0] - (500 + 1 + 0.25)) < 1e-4);
    assert_true(fabs(u.position[1] - (-500 + 2 - 0.25)) < 1e-4);
    assert_true(fabs(u.position[2] - 3) < 1e-4);
    assert_true(frame.scale.x <= 0 && frame.scale.y <= 0 && frame.scale.z <= 0);
}

TEST(test_frames_out_of_range) {
    lone l;
    uint8_t row[WIDE] = {7};
    lm_packed_frame frame = {.scale = {7, 7, 7}};
    const lm_packing to = {.rows = row, .frames = &frame};
    make_lone(&l);
    assert_int_equal(lm_model_pack_frames(&l.model, 1, 0, 1, &to), LM_CODE_BAD_ARGUMENT);
    assert_int_equal(lm_model_pack_frames(&l.model, 0, 0, 2, &to), LM_CODE_BAD_ARGUMENT);
    assert_int_equal(lm_model_pack_frames(&l.model, 0, 2, 0, &to), LM_CODE_BAD_ARGUMENT);
    assert_int_equal(lm_model_pack_frames(&l.model, 0, 1, UINT32_MAX, &to), LM_CODE_BAD_ARGUMENT);
    assert_int_equal(lm_model_pack_frames(&l.model, 0, 1, 0, &(lm_packing){.rows = NULL}),
                     LM_CODE_OK);
    assert_true(row[0] == 7 && frame.scale.x >= 7);
}

TEST(test_invalid_packing) {
    lone l;
    uint8_t row[WIDE];
    uint16_t indices[1];
    float st[2];
    lm_packed_frame frame;
    const lm_packing wrong[] = {
        {.rows = row},
        {.format = LM_ROW_4_BYTES, .rows = row, .frames = &frame},
        {.format = (lm_row_format)2, .rows = row, .frames = &frame},
        {.st = st, .st_stride = 4},
        {.st = st, .st_stride = 10},
        {.reserved = {0, 0, 0, 1}},
    };
    make_lone(&l);
    for (size_t i = 0; i < COUNT_OF(wrong); i++)
        assert_int_equal(lm_model_pack_frames(&l.model, 0, 0, 1, &wrong[i]), LM_CODE_BAD_ARGUMENT);
    l.surface.num_vertices = UINT16_MAX + 2;
    assert_int_equal(lm_model_pack_frames(&l.model, 0, 0, 0, &(lm_packing){.indices = indices}),
                     LM_CODE_BAD_ARGUMENT);
}

/* ---- Everything that a GPU needs ------------------------------------------------------------- */

/* Packs an MD2 or MDL into 4 bytes per vertex and frame, 16-bit indices, and texture coordinates
 * with a stride. Returns their bytes. */
static size_t pack_small(const lm_model *m) {
    const lm_surface *s = &m->surfaces[0];
    const size_t row = (size_t)4 * s->num_vertices, num_corners = (size_t)3 * s->num_triangles;
    AT_END(drop_bytes) uint8_t *rows = malloc(row * m->num_frames);
    AT_END(drop_bytes) lm_packed_frame *frames = calloc(m->num_frames, sizeof *frames);
    AT_END(drop_bytes) uint16_t *indices = calloc(num_corners, sizeof *indices);
    AT_END(drop_bytes) float *st = calloc(s->num_vertices, 3 * sizeof *st);
    AT_END(drop_bytes) float *xyz = malloc(6 * sizeof *xyz * s->num_vertices);
    const lm_vec3 *table = lm_normal_table(LM_NUM_NORMALS_162);
    const lm_packing to = {.rows = rows,
                           .frames = frames,
                           .format = LM_ROW_4_BYTES,
                           .indices = indices,
                           .st = st,
                           .st_stride = 12};
    assert_int_equal(lm_model_pack_frames(m, 0, 0, m->num_frames, &to), LM_CODE_OK);
    for (uint32_t f = 0; f < m->num_frames; f++) {
        const lm_sample_target sampled = {.positions = xyz, .normals = xyz + 3, .stride = 24};
        assert_int_equal(lm_sample(m, 0, &(lm_pose){f, f, 0}, 1, &sampled), LM_CODE_OK);
        for (uint32_t v = 0; v < s->num_vertices; v++) {
            const uint8_t *at = rows + f * row + (size_t)4 * v;
            const float *p = xyz + (size_t)6 * v;
            const lm_vec3 scale = frames[f].scale, translate = frames[f].translate;
            assert_true(at[0] * scale.x + translate.x == p[0]);
            assert_true(at[1] * scale.y + translate.y == p[1]);
            assert_true(at[2] * scale.z + translate.z == p[2]);
            assert_true(fabsf(table[at[3]].x - p[3]) < 2e-6f);
            assert_true(fabsf(table[at[3]].y - p[4]) < 2e-6f);
            assert_true(fabsf(table[at[3]].z - p[5]) < 2e-6f);
        }
    }
    for (size_t i = 0; i < num_corners; i++)
        assert_int_equal(indices[i], s->triangles[i]);
    for (uint32_t v = 0; v < s->num_vertices; v++) {
        assert_memory_equal(&st[3 * v], &s->st[v], sizeof *s->st);
        assert_true(st[3 * v + 2] == 0); /* between two vertices */
    }
    return row * m->num_frames + m->num_frames * sizeof *frames + num_corners * sizeof *indices +
           s->num_vertices * sizeof *s->st;
}

static double largest_growth;

static void expect_small(const char *path, const blob *file) {
    lm_error error;
    OWNED(lm_model) *m = lm_load_memory(file->data, file->size, NULL, &error);
    if (!m || m->num_surfaces == 0 || m->surfaces[0].encoding != LM_VERTEX_U8 ||
        m->surfaces[0].num_vertices > UINT16_MAX || m->num_frames < 20)
        return;
    const double growth = (double)pack_small(m) / (double)file->size;
    if (growth > largest_growth)
        print_message("%s: %.2f times the file\n", path, growth);
    largest_growth = fmax(largest_growth, growth);
}

TEST(test_small_rows_are_as_small_as_the_file) {
    each_model(expect_small);
    assert_true(largest_growth > 0.5 && largest_growth < 1.6);
}
