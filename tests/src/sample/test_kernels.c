/* Tests that every kernel of this processor gives the bits of the scalar reference, reads only its
 * input and writes only its output. The reference must be accurate to within rounding. This is a
 * plain program so that it runs without cmocka: test_cross.sh compares the sum of all samples that
 * it prints at the end. */
#include "lerpmesh/base.h"
#include "math/vectors.h"
#include "sample/kernels.h"
#include "skipping.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__wasm__) || defined(_WIN32)
#define NO_PAGES /* processors whose features can be disabled in these tests */
#else
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

#define CHECK(condition)                \
    do {                                \
        if (!(condition))               \
            fail(__LINE__, #condition); \
    } while (0)

static const char *doing = "";
static unsigned long num_samples;
static uint64_t checksum = 14695981039346656037u; /* FNV-1a */

static void fail(int line, const char *condition) {
    printf("test_kernels.c:%d: %s: not so: %s\n", line, doing, condition);
    exit(1);
}

static void add_to_sum(const void *bytes, size_t size) {
    for (size_t i = 0; i < size; i++)
        checksum = (checksum ^ ((const uint8_t *)bytes)[i]) * 1099511628211u;
}

static uint32_t random_state = 1;

static uint32_t random_below(uint32_t limit) {
    random_state = random_state * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)random_state * limit >> 32);
}

/* ---- Memory between two inaccessible pages ------------------------------------------------- */

#define PAGE 16384u
#define ARENA (2 * PAGE)

static char *new_arena(void) {
#ifdef NO_PAGES
    return malloc(ARENA);
#else
    int zero = open("/dev/zero", O_RDWR);
    char *pages = mmap(NULL, ARENA + 2 * PAGE, PROT_NONE, MAP_PRIVATE, zero, 0);
    CHECK(zero >= 0 && pages != MAP_FAILED);
    close(zero);
    CHECK(mprotect(pages + PAGE, ARENA, PROT_READ | PROT_WRITE) == 0);
    return pages + PAGE;
#endif
}

/* Returns `size` bytes at the arena's end, or `offset` bytes after its start. */
static char *place(char *arena, size_t size, bool at_end, size_t offset) {
    CHECK(size + offset <= ARENA);
    return at_end ? arena + ARENA - size : arena + offset;
}

/* ---- Models of two frames ------------------------------------------------------------------ */

#define MAX_COUNT 67u

enum kind {
    U8,
    S16,
    DELTA_IN_B,
    DELTA_IN_A,
    DELTAS,
    ADDED,
    DELTAS_ON_ONE, /* both frames have the first one's key */
    ADDED_ON_ONE,
    NUM_KINDS
};

static bool adds(enum kind kind) {
    return kind == ADDED || kind == ADDED_ON_ONE;
}

typedef struct example {
    lm_model model;
    lm_surface surface;
    lm_frame frames[2];
    uint16_t frame_keys[2], frame_deltas[2];
    uint32_t file_vertices[MAX_COUNT];
    char *keys, *deltas; /* arenas */
} example;

static lm_vec3 random_vec3(float scale) {
    return (lm_vec3){scale * (float)random_below(1000), scale * (float)random_below(1000),
                     scale * (float)random_below(1000) - 300 * scale};
}

static void fill(example *e, enum kind kind, uint32_t count, bool at_end, size_t offset) {
    bool bytes = kind == U8;
    size_t key_size = bytes ? 4 : 8;
    /* The last third may be copies, as at seams. */
    uint32_t own = offset % 2 == 0 ? count : count - count / 3;
    uint8_t *keys = (uint8_t *)place(e->keys, 2 * own * key_size, at_end, offset);
    uint8_t *deltas = (uint8_t *)place(e->deltas, (size_t)2 * own * 4, at_end, offset);
    for (size_t i = 0; i < 2 * own * key_size; i++)
        keys[i] = (uint8_t)random_below(bytes && i % 4 == 3 ? LM_NUM_NORMALS_162 : 256);
    for (size_t i = 0; i < (size_t)2 * own * 4; i++)
        deltas[i] = (uint8_t)random_below(256);
    for (uint32_t v = 0; v < count; v++)
        e->file_vertices[v] = v < own ? v : random_below(own);
    e->frame_deltas[0] = kind == DELTA_IN_A || kind >= DELTAS ? 0 : LM_NO_DELTA;
    e->frame_deltas[1] = kind == DELTA_IN_B || kind >= DELTAS ? 1 : LM_NO_DELTA;
    e->frame_keys[1] = kind < DELTAS_ON_ONE;
    for (int f = 0; f < 2; f++) {
        e->frames[f].scale = bytes ? random_vec3(1e-3f) : (lm_vec3){1 / 64.f, 1 / 64.f, 1 / 64.f};
        e->frames[f].translate = bytes ? random_vec3(0.1f) : (lm_vec3){0, 0, 0};
    }
    e->surface = (lm_surface){.num_vertices = count,
                              .num_file_vertices = own,
                              .file_vertices = e->file_vertices,
                              .encoding = bytes ? LM_VERTEX_U8 : LM_VERTEX_S16,
                              .num_keys = 2,
                              .keys = keys,
                              .key_size = key_size,
                              .key_stride = own * key_size,
                              .frame_keys = bytes ? NULL : e->frame_keys,
                              .num_deltas = 2,
                              .deltas = deltas,
                              .delta_stride = (size_t)own * 4,
                              .frame_deltas = bytes ? NULL : e->frame_deltas};
    e->model = (lm_model){.num_frames = 2,
                          .frames = e->frames,
                          .num_surfaces = 1,
                          .surfaces = &e->surface,
                          .delta_scale = 0.05f,
                          .delta_normals_add = adds(kind)};
}

static example new_example(void) {
    return (example){.keys = new_arena(), .deltas = new_arena()};
}

/* ---- Targets ------------------------------------------------------------------------------- */

/* Offsets of the outputs, in bytes from the start; -1: not written. */
typedef struct shape {
    const char *name;
    int positions, normals, packed;
    size_t stride;
    bool planes, zero_padding;
} shape;

static const shape shapes[] = {
    {"24", 0, 12, -1, 24, false, false},          {"32", 0, 12, -1, 32, false, false},
    {"32, gaps", 0, 12, -1, 32, false, true},     {"44", 0, 12, -1, 44, false, false},
    {"44, gaps", 0, 12, -1, 44, false, true},     {"gpu", 0, -1, 12, 16, false, false},
    {"gpu 20", 0, -1, 12, 20, false, false},      {"all", 0, 12, 24, 28, false, false},
    {"turned", 12, 0, -1, 24, false, false},      {"positions", 0, -1, -1, 12, false, false},
    {"normals", -1, 0, -1, 12, false, false},     {"packed", -1, -1, 0, 4, false, false},
    {"planes", 0, 12, -1, 4, true, false},        {"planes, packed", 0, -1, 12, 4, true, false},
    {"plane normals", -1, 0, -1, 4, true, false}, {"wide planes", 0, 24, -1, 8, true, false},
};

#define NUM_SHAPES (sizeof shapes / sizeof *shapes)

static size_t end_of(int start, size_t size) {
    return start < 0 ? 0 : (size_t)start + size;
}

/* Returns the bytes of one pose. With structure of arrays, starts are in vertices of a byte
 * each. */
static size_t size_of(const shape *s, uint32_t count) {
    size_t floats = s->planes ? 3 * s->stride : 12, last = end_of(s->packed, 4);
    if (end_of(s->positions, floats) > last)
        last = end_of(s->positions, floats);
    if (end_of(s->normals, floats) > last)
        last = end_of(s->normals, floats);
    if (s->planes)
        return last * count;
    if (count == 0)
        return 0;
    return (count - 1) * s->stride + (s->zero_padding ? s->stride : last);
}

static lm_sample_target target_at(const shape *s, char *out, uint32_t count) {
    size_t unit = s->planes ? count : 1;
    lm_sample_target target = {
        .stride = s->stride, .zero_padding = s->zero_padding, .extrapolate = true};
    if (s->planes)
        target.component_stride = count ? s->stride * count : 4;
    if (s->positions >= 0)
        target.positions = (float *)(void *)(out + (size_t)s->positions * unit);
    if (s->normals >= 0)
        target.normals = (float *)(void *)(out + (size_t)s->normals * unit);
    if (s->packed >= 0)
        target.packed_normals = (int8_t *)(out + (size_t)s->packed * unit);
    return target;
}

/* ---- All kernels give the same bits -------------------------------------------------------- */

static void sample_into(char *arena, const lm_sample_kernels *kernels, const example *e,
                        const shape *s, float t, bool at_end, size_t offset) {
    uint32_t count = e->surface.num_vertices;
    char *out = place(arena, size_of(s, count), at_end, offset);
    lm_sample_target target = target_at(s, out, count);
    lm_pose pose = {0, 1, t};
    memset(arena, 0xa5, ARENA);
    CHECK(lmi_sample_with(kernels, SIZE_MAX, &e->model, 0, &pose, 1, &target) == LM_CODE_OK);
}

static void compare(const example *e, const shape *s, float t, bool at_end, size_t offset,
                    char *expected, char *got) {
    static const lm_sample_kernels scalar = {.name = "the reference"};
    sample_into(expected, &scalar, e, s, t, at_end, offset);
    add_to_sum(place(expected, size_of(s, e->surface.num_vertices), at_end, offset),
               size_of(s, e->surface.num_vertices));
    for (size_t i = 0; lmi_sample_choice(i); i++) {
        char text[100];
        snprintf(text, sizeof text, "%s, %s, %u vertices, t = %g", lmi_sample_choice(i)->name,
                 s->name, (unsigned)e->surface.num_vertices, (double)t);
        doing = text;
        sample_into(got, lmi_sample_choice(i), e, s, t, at_end, offset);
        CHECK(memcmp(expected, got, ARENA) == 0);
        doing = "";
        num_samples++;
    }
}

static void all_give_the_same_bits(void) {
    static const float times[] = {0, 0.25f, 0.5f, 0.7f, 1, -0.4f, 1.7f, 1e-13f};
    example e = new_example();
    char *expected = new_arena(), *got = new_arena();
    unsigned turn = 0;
    for (enum kind kind = 0; kind < NUM_KINDS; kind++)
        for (uint32_t count = 0; count <= MAX_COUNT; count++)
            for (size_t s = 0; s < NUM_SHAPES; s++, turn++) {
                bool at_end = turn % 2;
                float t = times[turn / 2 % 8];
                fill(&e, kind, count, at_end, turn % 9);
                compare(&e, &shapes[s], t, at_end, 4 * (turn % 7), expected, got);
            }
}

/* ---- Blends of two poses ------------------------------------------------------------------- */

static const lm_pose blended_poses[2] = {{0, 1, 0.3f}, {1, 0, 0.1f}};

static void blend_into(char *arena, const lm_sample_kernels *kernels, const example *e,
                       const shape *s, float weight, bool at_end) {
    uint32_t count = e->surface.num_vertices;
    lm_sample_target target = target_at(s, place(arena, size_of(s, count), at_end, 0), count);
    memset(arena, 0xa5, ARENA);
    CHECK(lmi_sample_blend_with(kernels, &e->model, 0, &blended_poses[0], &blended_poses[1], weight,
                                &target) == LM_CODE_OK);
}

static void blends_have_the_same_bits(void) {
    static const lm_sample_kernels scalar = {.name = "the reference"};
    static const uint32_t counts[] = {0, 1, 7, 64, MAX_COUNT};
    example e = new_example();
    char *expected = new_arena(), *got = new_arena();
    for (enum kind kind = 0; kind < NUM_KINDS; kind++)
        for (size_t turn = 0; turn < 5 * NUM_SHAPES; turn++) {
            const shape *s = &shapes[turn % NUM_SHAPES];
            fill(&e, kind, counts[turn / NUM_SHAPES], turn % 2, turn % 2);
            blend_into(expected, &scalar, &e, s, 0.3f, turn % 2);
            add_to_sum(expected, ARENA);
            for (size_t i = 0; lmi_sample_choice(i); i++, num_samples++) {
                blend_into(got, lmi_sample_choice(i), &e, s, 0.3f, turn % 2);
                CHECK(memcmp(expected, got, ARENA) == 0);
            }
        }
}

static void check_blended(const float *a, const float *b, float weight, const float *got) {
    double p[3], n[3], length = 0;
    for (int i = 0; i < 3; i++) {
        p[i] = (1 - (double)weight) * (double)a[i] + (double)weight * (double)b[i];
        n[i] = (1 - (double)weight) * (double)a[3 + i] + (double)weight * (double)b[3 + i];
        length += n[i] * n[i];
    }
    length = sqrt(length);
    for (int i = 0; i < 3; i++) {
        double unit = n[i] / length;
        CHECK(fabs((double)got[i] - p[i]) <= 3.0 / 16384);
        CHECK(fabs((double)got[3 + i] - unit) <= 1e-6 / length || length < 0.01);
        CHECK(fabs(((const int8_t *)(got + 6))[i] - 127 * unit) <= 0.501 || length < 0.5);
    }
    num_samples++;
}

/* A blend of two poses lies between both, and at weights 0 and 1 it equals them bit for bit. */
static void blends_are_correct(void) {
    static const float weights[] = {0, 0.01f, 0.3f, 0.5f, 0.9f, 1};
    example e = new_example();
    float poses[2][7 * MAX_COUNT], got[7 * MAX_COUNT];
    for (enum kind kind = 0; kind < NUM_KINDS; kind++)
        for (int turn = 0; turn < 12; turn++) {
            float weight = weights[turn % 6];
            fill(&e, kind, MAX_COUNT, true, (size_t)turn / 6);
            for (int i = 0; i < 2; i++) {
                lm_sample_target to = target_at(&shapes[7], (char *)poses[i], MAX_COUNT);
                CHECK(lm_sample(&e.model, 0, &blended_poses[i], 1, &to) == LM_CODE_OK);
            }
            lm_sample_target to = target_at(&shapes[7], (char *)got, MAX_COUNT);
            CHECK(lm_sample_blend(&e.model, 0, &blended_poses[0], &blended_poses[1], weight, &to) ==
                  LM_CODE_OK);
            for (size_t v = 0; v < MAX_COUNT; v++)
                check_blended(poses[0] + 7 * v, poses[1] + 7 * v, weight, got + 7 * v);
            /* The same bits, not only equal numbers. */
            // NOLINTBEGIN(bugprone-suspicious-memory-comparison)
            CHECK(weight > 0 || memcmp(got, poses[0], sizeof got) == 0);
            CHECK(weight < 1 || memcmp(got, poses[1], sizeof got) == 0);
            // NOLINTEND(bugprone-suspicious-memory-comparison)
        }
}

/* ---- The reference is right ---------------------------------------------------------------- */

typedef struct exact {
    double position[3], normal[3];
    double length; /* length of the shortest intermediate sum: errors grow as it shrinks */
} exact;

static void add_normal(double out[3], lm_vec3 n, double share) {
    out[0] += share * (double)n.x;
    out[1] += share * (double)n.y;
    out[2] += share * (double)n.z;
}

/* Returns the previous length. */
static double make_unit(double v[3]) {
    double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int i = 0; i < 3; i++)
        v[i] /= length;
    return length;
}

/* Computes a frame by the formats' descriptions, in double precision. */
static exact exact_frame(const example *e, enum kind kind, int f, size_t drawn) {
    const size_t v = e->file_vertices[drawn];
    const lm_frame *frame = &e->frames[f];
    const double scale[3] = {(double)frame->scale.x, (double)frame->scale.y,
                             (double)frame->scale.z};
    const double translate[3] = {(double)frame->translate.x, (double)frame->translate.y,
                                 (double)frame->translate.z};
    const uint8_t *key = e->surface.keys +
                         (kind < DELTAS_ON_ONE ? (size_t)f * e->surface.key_stride : 0) +
                         v * e->surface.key_size;
    const uint8_t *delta = e->surface.deltas + (size_t)f * e->surface.delta_stride + 4 * v;
    bool has_delta = kind != U8 && e->frame_deltas[f] != LM_NO_DELTA;
    exact x = {{0}, {0}, 1};
    for (int i = 0; i < 3; i++) {
        double packed = kind == U8 ? key[i] : (int16_t)(uint16_t)(key[2 * i] | key[2 * i + 1] << 8);
        x.position[i] = packed * scale[i] + translate[i];
        if (has_delta)
            x.position[i] += (delta[i] - 127) * (double)0.05f;
    }
    if (kind == U8)
        add_normal(x.normal, lm_normal_table(LM_NUM_NORMALS_162)[key[3]], 1);
    else if (!has_delta || adds(kind)) {
        lm_vec3 normal;
        lm_normal_from_angles(key[6], key[7], &normal);
        add_normal(x.normal, normal, 1);
    }
    if (has_delta)
        add_normal(x.normal, lm_normal_table(LM_NUM_NORMALS_256)[delta[3]], 1);
    if (adds(kind) && has_delta)
        x.length = make_unit(x.normal);
    return x;
}

static bool within_tolerance(const float got[3], const double expected[3], double tolerance) {
    for (int i = 0; i < 3; i++)
        if (!(fabs((double)got[i] - expected[i]) <= tolerance))
            return false;
    return true;
}

static void check_vertex(const example *e, enum kind kind, size_t v, float t, const float *got,
                         const int8_t *packed) {
    exact a = exact_frame(e, kind, 0, v), b = exact_frame(e, kind, 1, v), x;
    for (int i = 0; i < 3; i++) {
        x.position[i] = (1 - (double)t) * a.position[i] + (double)t * b.position[i];
        x.normal[i] = (1 - (double)t) * a.normal[i] + (double)t * b.normal[i];
    }
    double length = fmin(fmin(make_unit(x.normal), 1), fmin(a.length, b.length));
    /* Terms are below 1024; six roundings, each of at most half a step of 2^-13. */
    CHECK(within_tolerance(got, x.position, 6.0 / 16384));
    if (length < 0.01) /* the shorter the sum of two opposite normals, the less accurate it is */
        return;
    CHECK(within_tolerance(got + 3, x.normal, 1e-6 / length));
    for (int i = 0; i < 3; i++)
        CHECK(fabs(packed[i] - 127 * x.normal[i]) <= 0.501 || length < 0.5);
    CHECK(packed[3] == 0);
    num_samples++;
}

static void the_reference_is_correct(void) {
    example e = new_example();
    float got[7 * MAX_COUNT];
    const lm_sample_target target = {.positions = got,
                                     .normals = got + 3,
                                     .packed_normals = (int8_t *)(got + 6),
                                     .stride = 28,
                                     .extrapolate = true};
    for (enum kind kind = 0; kind < NUM_KINDS; kind++)
        for (int turn = 0; turn < 40; turn++) {
            lm_pose pose = {0, 1, (float)(turn - 4) / 32};
            fill(&e, kind, MAX_COUNT, true, (size_t)turn % 2);
            CHECK(lm_sample(&e.model, 0, &pose, 1, &target) == LM_CODE_OK);
            for (size_t v = 0; v < MAX_COUNT; v++)
                check_vertex(&e, kind, v, pose.t, got + 7 * v, (const int8_t *)(got + 7 * v + 6));
        }
}

/* ---- Seams ---------------------------------------------------------------------------------- */

#define MANY 1300u

/* Copies the bytes of one vertex: position, normal and packed normal, as far as present. */
static void take_vertex(const shape *s, const char *out, uint32_t count, uint32_t v, char *to) {
    const int starts[] = {s->positions, s->normals, s->packed};
    const size_t unit = s->planes ? count : 1, apart = s->planes ? s->stride * count : 4;
    for (int i = 0; i < 3; i++)
        for (size_t c = 0; starts[i] >= 0 && c < (i == 2 ? 1 : 3); c++, to += 4)
            memcpy(to, out + (size_t)starts[i] * unit + v * s->stride + c * apart, 4);
}

static void random_bytes(uint8_t *bytes, size_t size, bool normals) {
    for (size_t i = 0; i < size; i++)
        bytes[i] = (uint8_t)random_below(normals && i % 4 == 3 ? LM_NUM_NORMALS_162 : 256);
}

#define POSE_SIZE ((size_t)48 * MANY)

static void expect_copies(const shape *s, uint32_t own, uint32_t drawn,
                          const uint32_t *file_vertices, const char *all, const char *once) {
    for (uint32_t v = 0; v < drawn; v++) {
        char got[28] = {0}, expected[28] = {0};
        take_vertex(s, all, drawn, v, got);
        take_vertex(s, once, own, file_vertices[v], expected);
        CHECK(memcmp(got, expected, sizeof got) == 0);
        num_samples++;
    }
}

/* In each pose of a call a copy at a seam equals its original vertex. */
static void compare_copies(example *e, const shape *s, uint32_t own, uint32_t drawn,
                           uint32_t *file_vertices, char *all, char *once) {
    static const lm_pose poses[2] = {{0, 1, 0.3f}, {1, 0, 0.4f}};
    lm_surface with_copies = e->surface;
    lm_sample_target to_all = target_at(s, all, drawn), to_once = target_at(s, once, own);
    to_all.pose_stride = to_once.pose_stride = POSE_SIZE;
    with_copies.num_vertices = drawn;
    with_copies.num_file_vertices = own;
    with_copies.file_vertices = file_vertices;
    e->surface.num_vertices = own;
    e->surface.num_file_vertices = own;
    CHECK(lm_sample(&e->model, 0, poses, 2, &to_once) == LM_CODE_OK);
    e->model.surfaces = &with_copies;
    for (size_t k = 0; lmi_sample_choice(k); k++) {
        CHECK(lmi_sample_with(lmi_sample_choice(k), SIZE_MAX, &e->model, 0, poses, 2, &to_all) ==
              LM_CODE_OK);
        expect_copies(s, own, drawn, file_vertices, all, once);
        expect_copies(s, own, drawn, file_vertices, all + POSE_SIZE, once + POSE_SIZE);
    }
    e->model.surfaces = &e->surface;
}

static void copies_are_their_vertices(void) {
    static const uint32_t sizes[][2] = {{60, 7},    {300, 600}, {512, 512}, {513, 255},
                                        {682, 300}, {683, 257}, {1024, 256}};
    static uint32_t file_vertices[MANY];
    static uint8_t keys[2 * 8 * MANY], deltas[2 * 4 * MANY];
    char *all = malloc(2 * POSE_SIZE), *once = malloc(2 * POSE_SIZE);
    example e = new_example();
    CHECK(all && once);
    for (enum kind kind = 0; kind < NUM_KINDS; kind++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            uint32_t own = sizes[i][0], drawn = own + sizes[i][1];
            CHECK(drawn <= MANY);
            fill(&e, kind, 4, true, 0);
            random_bytes(keys, sizeof keys, kind == U8);
            random_bytes(deltas, sizeof deltas, false);
            e.surface.keys = keys;
            e.surface.key_stride = own * e.surface.key_size;
            e.surface.deltas = deltas;
            e.surface.delta_stride = (size_t)own * 4;
            for (uint32_t v = 0; v < drawn; v++)
                file_vertices[v] = v < own ? v : random_below(own);
            for (size_t s = 0; s < NUM_SHAPES; s++)
                compare_copies(&e, &shapes[s], own, drawn, file_vertices, all, once);
        }
    free(all);
    free(once);
}

/* ---- Ends and opposites -------------------------------------------------------------------- */

/* t = 0 and t = 1 are the frames themselves bit for bit; so is a t barely above 0. */
static void ends_are_the_frames(void) {
    static const lm_pose poses[] = {{0, 0, 0}, {0, 1, 0}, {1, 0, 1}, {0, 0, 0.0f}, {0, 1, 1e-13f}};
    example e = new_example();
    _Alignas(float) char first[24 * MAX_COUNT], other[24 * MAX_COUNT];
    for (enum kind kind = 0; kind < NUM_KINDS; kind++) {
        fill(&e, kind, MAX_COUNT, true, 0);
        e.frames[0].translate.x = -0.0f;
        for (size_t p = 0; p < sizeof poses / sizeof *poses; p++) {
            lm_sample_target target = target_at(&shapes[0], p == 0 ? first : other, MAX_COUNT);
            CHECK(lm_sample(&e.model, 0, &poses[p], 1, &target) == LM_CODE_OK);
            CHECK(p == 0 || memcmp(first, other, sizeof first) == 0);
        }
    }
}

static uint8_t opposite_of(uint8_t i) {
    lm_vec3 n = lm_normal_table(LM_NUM_NORMALS_162)[i];
    return lmi_nearest_normal_162(&(lm_vec3){-n.x, -n.y, -n.z});
}

/* If normals cancel, the sampler uses the nearer frame's: a's at t = 0.5. */
static void opposite_normals_do_not_vanish(void) {
    example e = new_example();
    char *expected = new_arena(), *got = new_arena();
    fill(&e, U8, MAX_COUNT, true, 0);
    uint8_t *keys = (uint8_t *)place(e.keys, (size_t)8 * MAX_COUNT, true, 0);
    for (uint32_t v = 0; v < MAX_COUNT; v += 3) {
        keys[4 * v + 3] = (uint8_t)v;
        keys[4 * (MAX_COUNT + v) + 3] = opposite_of((uint8_t)v);
    }
    for (size_t s = 0; s < NUM_SHAPES; s++)
        compare(&e, &shapes[s], 0.5f, false, 0, expected, got);
    float normals[3 * MAX_COUNT];
    const lm_sample_target target = {.normals = normals};
    CHECK(lm_sample(&e.model, 0, &(lm_pose){0, 1, 0.5f}, 1, &target) == LM_CODE_OK);
    for (uint32_t v = 0; v < MAX_COUNT; v += 3) {
        lm_vec3 n = lm_normal_table(LM_NUM_NORMALS_162)[v];
        const double a[3] = {(double)n.x, (double)n.y, (double)n.z};
        CHECK(within_tolerance(normals + 3 * (size_t)v, a, 2e-6));
    }
}

static lm_code try_target(const example *e, lm_sample_target target, float t) {
    return lm_sample(&e->model, 0, &(lm_pose){0, 1, t}, 1, &target);
}

/* If the normals of two poses cancel, the sampler uses the nearer pose's. */
static void opposite_poses_do_not_vanish(void) {
    static const lm_pose poses[] = {{0, 0, 0}, {1, 1, 0}};
    example e = new_example();
    float got[3 * MAX_COUNT];
    const lm_sample_target target = {.normals = got};
    fill(&e, U8, MAX_COUNT, true, 0);
    uint8_t *keys = (uint8_t *)place(e.keys, (size_t)8 * MAX_COUNT, true, 0);
    for (uint32_t v = 0; v < MAX_COUNT; v++) {
        keys[4 * v + 3] = 5;
        keys[4 * (MAX_COUNT + v) + 3] = opposite_of(5);
    }
    for (int turn = 0; turn < 2; turn++) {
        CHECK(lm_sample_blend(&e.model, 0, &poses[turn], &poses[1 - turn], 0.5f, &target) ==
              LM_CODE_OK);
        for (uint32_t v = 0; v < MAX_COUNT; v++)
            CHECK(got[3 * v + 2] == (turn ? -1.0f : 1.0f));
    }
}

/* Packed numbers equal a normal in single precision, rounded to the nearest and halves to even.
 * Between two frames with one normal the length is off by a last digit, so that a half of it is 63
 * or 64. */
static void packed_halves_round_to_even(const lm_sample_kernels *kernels) {
    example e = new_example();
    unsigned num_63 = 0, num_64 = 0;
    doing = kernels->name;
    fill(&e, U8, MAX_COUNT, true, 0);
    uint8_t *keys = (uint8_t *)place(e.keys, (size_t)8 * MAX_COUNT, true, 0);
    for (uint32_t first = 0; first < LM_NUM_NORMALS_162; first++) {
        const float t = (float)first / (2 * LM_NUM_NORMALS_162), mix = t / (1 - t);
        int8_t got[4 * MAX_COUNT];
        const lm_sample_target target = {.packed_normals = got};
        for (uint32_t v = 0; v < MAX_COUNT; v++)
            keys[4 * v + 3] = keys[4 * (MAX_COUNT + v) + 3] =
                (uint8_t)((first + v) % LM_NUM_NORMALS_162);
        CHECK(lmi_sample_with(kernels, SIZE_MAX, &e.model, 0, &(lm_pose){0, 1, t}, 1, &target) ==
              LM_CODE_OK);
        for (uint32_t v = 0; v < MAX_COUNT; v++) {
            const lm_vec3 a = lm_normal_table(LM_NUM_NORMALS_162)[keys[4 * v + 3]];
            const lm_vec3 n = {a.x + a.x * mix, a.y + a.y * mix, a.z + a.z * mix};
            const float scale = 127 / sqrtf(n.x * n.x + n.y * n.y + n.z * n.z);
            CHECK((float)got[4 * v] == rintf(n.x * scale));
            CHECK((float)got[4 * v + 1] == rintf(n.y * scale));
            CHECK((float)got[4 * v + 2] == rintf(n.z * scale));
            num_63 += a.x == 0.5f && got[4 * v] == 63;
            num_64 += a.x == 0.5f && got[4 * v] == 64;
        }
    }
    CHECK(num_63 > 0 && num_64 > 0);
}

/* No table has normals for the other halves; the reference does. */
static void every_half_rounds_to_even(void) {
    for (int i = -126; i < 127; i++) {
        const int even = i % 2 ? i + 1 : i;
        CHECK((int8_t)lmi_snorm8((float)i + 0.5f) == even);
        CHECK((int8_t)lmi_snorm8((float)i) == i);
    }
}

/* Kernels never produce subnormal numbers, which are slow, for any scales and t in untrusted
 * input. */
static void no_subnormal_numbers(void) {
    static const float scales[] = {1e-25f, 1e-24f, -1e-25f, 1e-20f},
                       times[] = {1e-12f, 1e-7f, 0.5f};
    example e = new_example();
    float out[6 * MAX_COUNT];
    for (int turn = 0; turn < 12; turn++) {
        fill(&e, U8, MAX_COUNT, true, 0);
        float scale = scales[turn % 4];
        e.frames[0].scale = e.frames[0].translate = (lm_vec3){scale, -scale, scale};
        e.frames[1] = e.frames[0];
        const lm_sample_target target = {.positions = out, .normals = out + 3, .stride = 24};
        CHECK(lm_sample(&e.model, 0, &(lm_pose){0, 1, times[turn / 4]}, 1, &target) == LM_CODE_OK);
        for (size_t i = 0; i < 6 * MAX_COUNT; i++)
            CHECK(fpclassify(out[i]) == FP_NORMAL || fpclassify(out[i]) == FP_ZERO);
    }
}

/* Every kernel treats a negligible fraction of a scale as 0. */
static void tiny_fractions_count_as_zero(void) {
    example e = new_example();
    float out[3 * MAX_COUNT];
    const lm_sample_target target = {.positions = out};
    fill(&e, U8, MAX_COUNT, true, 0);
    e.frames[0].scale = e.frames[0].translate = e.frames[1].translate = (lm_vec3){0, 0, 0};
    e.frames[1].scale = (lm_vec3){1e-24f, 1e-24f, 1e-24f};
    for (size_t i = 0; lmi_sample_choice(i); i++) {
        CHECK(lmi_sample_with(lmi_sample_choice(i), SIZE_MAX, &e.model, 0, &(lm_pose){0, 1, 1e-7f},
                              1, &target) == LM_CODE_OK);
        for (size_t k = 0; k < 3 * MAX_COUNT; k++)
            CHECK(out[k] == 0);
    }
}

/* ---- Instances ----------------------------------------------------------------------------- */

#define CROWD 7u

static unsigned long num_streamed;

/* Returns true if the kernel may write past the caches. */
static bool may_stream(const shape *s, const lm_sample_target *target, uint32_t count) {
    return s->zero_padding && s->stride == 32 && (uintptr_t)target->positions % 32 == 0 &&
           target->pose_stride == (size_t)32 * count;
}

/* A batch of poses equals the poses sampled singly, written past the caches or not. */
static void check_instances(const example *e, const shape *s, size_t pose_stride, size_t offset,
                            char *expected, char *got) {
    uint32_t count = e->surface.num_vertices;
    size_t size = pose_stride * (CROWD - 1) + size_of(s, count);
    lm_pose poses[CROWD];
    bool at_end = offset == 0;
    memset(expected, 0xa5, ARENA);
    memset(got, 0xa5, ARENA);
    for (uint32_t p = 0; p < CROWD; p++) {
        poses[p] = (lm_pose){p % 2, 1, (float)p / CROWD};
        char *out = place(expected, size, at_end, offset) + p * pose_stride;
        lm_sample_target one = target_at(s, out, count);
        CHECK(lm_sample(&e->model, 0, &poses[p], 1, &one) == LM_CODE_OK);
    }
    for (size_t i = 0; lmi_sample_choice(i); i++)
        for (size_t from = 0; from <= 1; from++) {
            lm_sample_target all = target_at(s, place(got, size, at_end, offset), count);
            all.pose_stride = pose_stride;
            num_streamed += from == 0 && may_stream(s, &all, count);
            CHECK(lmi_sample_with(lmi_sample_choice(i), from ? SIZE_MAX : 0, &e->model, 0, poses,
                                  CROWD, &all) == LM_CODE_OK);
            CHECK(memcmp(expected, got, ARENA) == 0);
            memset(got, 0xa5, ARENA);
            num_samples++;
        }
}

static void instances_are_their_poses(void) {
    example e = new_example();
    char *expected = new_arena(), *got = new_arena();
    unsigned turn = 0;
    for (uint32_t count = 1; count <= MAX_COUNT; count++)
        for (size_t s = 0; s < NUM_SHAPES; s++, turn++) {
            if (shapes[s].planes || size_of(&shapes[s], count) * CROWD > ARENA - 2048)
                continue;
            fill(&e, turn % 3 ? U8 : DELTA_IN_B, count, true, turn % 2);
            size_t packed = shapes[s].stride * count, offset = 4 * ((count + s) % 16);
            check_instances(&e, &shapes[s], packed, offset, expected, got);
            check_instances(&e, &shapes[s], packed + 4, offset, expected, got);
        }
    CHECK(num_streamed > 10 || !LM_STREAMS);
}

/* ---- Arguments ----------------------------------------------------------------------------- */

static void invalid_arguments_are_rejected(void) {
    example e = new_example();
    float f[24 * MAX_COUNT];
    int8_t *b = (int8_t *)f;
    fill(&e, U8, MAX_COUNT, true, 0);
    const float bad_times[] = {-0.1f, 1.1f, NAN, INFINITY};
    for (int i = 0; i < 4; i++) {
        lm_code expected = i < 2 ? LM_CODE_OK : LM_CODE_BAD_ARGUMENT;
        CHECK(try_target(&e, (lm_sample_target){.positions = f}, bad_times[i]) ==
              LM_CODE_BAD_ARGUMENT);
        CHECK(try_target(&e, (lm_sample_target){.positions = f, .extrapolate = true},
                         bad_times[i]) == expected);
    }
    const lm_sample_target bad[] = {
        {.positions = f, .stride = 8},
        {.positions = f, .stride = 14},
        {.positions = f, .packed_normals = b, .stride = 4},
        {.packed_normals = b, .stride = 2},
        {.positions = f, .component_stride = 6},
        {.positions = f, .pose_stride = 6},
        {.positions = f, .component_stride = 4 * MAX_COUNT, .zero_padding = true},
        {.normals = f, .zero_padding = true},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK(try_target(&e, bad[i], 0.5f) == LM_CODE_BAD_ARGUMENT);
    CHECK(try_target(&e, (lm_sample_target){.packed_normals = b}, 0.5f) == LM_CODE_OK);
    CHECK(try_target(&e, (lm_sample_target){0}, 0.5f) == LM_CODE_OK);
    const lm_pose pose = {0, 1, 0.5f}, wrong = {0, 2, 0};
    const lm_sample_target target = {.positions = f};
    for (int i = 0; i < 4; i++)
        CHECK(lm_sample_blend(&e.model, 0, &pose, &pose, bad_times[i], &target) ==
              LM_CODE_BAD_ARGUMENT);
    CHECK(lm_sample_blend(&e.model, 1, &pose, &pose, 0.5f, &target) == LM_CODE_BAD_ARGUMENT);
    CHECK(lm_sample_blend(&e.model, 0, &wrong, &pose, 0.5f, &target) == LM_CODE_BAD_ARGUMENT);
    CHECK(lm_sample_blend(&e.model, 0, &pose, &wrong, 0.5f, &target) == LM_CODE_BAD_ARGUMENT);
    CHECK(lm_sample_blend(&e.model, 0, &pose, &pose, 0.5f, &bad[0]) == LM_CODE_BAD_ARGUMENT);
}

/* Lists the kernels for this kind of processor that this one cannot run. */
static void list_untested_kernels(void) {
    static const char *const names[] = {
#ifdef LM_SIMD_X86
        "avx2", "sse2",
#elif defined(LM_SIMD_NEON) || defined(LM_SIMD_WASM)
        "simd128",
#endif
        "scalar"};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        size_t i = 0;
        while (lmi_sample_choice(i) && strcmp(lmi_sample_choice(i)->name, names[n]) != 0)
            i++;
        if (!lmi_sample_choice(i))
            REPORT_SKIPPED(names[n], "this processor, or this build, does not have it");
    }
}

/* The list has all kernels of the processor, widest first, with the scalar one last. */
static void kernels_are_chosen(void) {
    static const char *const expected[] = {
#ifdef LM_SIMD_X86
        "sse2 scalar ", "avx2 sse2 scalar "
#elif defined(LM_SIMD_NEON) || defined(LM_SIMD_WASM)
        "simd128 scalar ", "simd128 scalar "
#else
        "scalar ", "scalar "
#endif
    };
    bool has = false;
    doing = "the choice";
#ifdef LM_SIMD_X86
    has = __builtin_cpu_supports("avx2") != 0;
#endif
    for (int avx2 = 0; avx2 < 2; avx2++) {
        char found[64] = "";
        for (size_t i = 0; lmi_sample_choice_of(avx2, i); i++)
            snprintf(found + strlen(found), sizeof found - strlen(found), "%s ",
                     lmi_sample_choice_of(avx2, i)->name);
        CHECK(strcmp(found, expected[avx2]) == 0);
    }
    for (size_t i = 0; i < 4; i++)
        CHECK(lmi_sample_choice(i) == lmi_sample_choice_of(has, i));
}

int main(void) {
    kernels_are_chosen();
    all_give_the_same_bits();
    the_reference_is_correct();
    blends_have_the_same_bits();
    blends_are_correct();
    copies_are_their_vertices();
    ends_are_the_frames();
    opposite_normals_do_not_vanish();
    opposite_poses_do_not_vanish();
    for (size_t i = 0; lmi_sample_choice(i); i++)
        packed_halves_round_to_even(lmi_sample_choice(i));
    every_half_rounds_to_even();
    no_subnormal_numbers();
    tiny_fractions_count_as_zero();
    instances_are_their_poses();
    invalid_arguments_are_rejected();
    fprintf(stderr, "%lu samples by:", num_samples);
    for (size_t i = 0; lmi_sample_choice(i); i++)
        fprintf(stderr, " %s", lmi_sample_choice(i)->name);
    fprintf(stderr, "\n");
    list_untested_kernels();
    CHECK(num_samples > 10000);
    printf("%016llx\n", (unsigned long long)checksum);
    return 0;
}
