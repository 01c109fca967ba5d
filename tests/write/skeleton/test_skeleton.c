/* Tests skeletons: rigs that are known are found again, and no input breaks the fit. */

#include "skeleton/fit.h"
#include "support.h"

enum {
    PART = 64,
    PARTS = 3
};

/* A mesh of vertices in parts, without triangles that matter. */
typedef struct body {
    uint32_t num_vertices, num_frames;
    float *positions;
    uint32_t triangles[3];
    lm_mesh_surface surface;
    lm_mesh mesh;
} body;

static float *at(const body *b, uint32_t frame, uint32_t vertex) {
    return b->positions + 3 * ((size_t)frame * b->num_vertices + vertex);
}

/* Small numbers, the same on every machine. */
static float noise(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return (float)(*state >> 8) / (float)(1 << 24) - 0.5f;
}

static void make_body(body *b, uint32_t num_vertices, uint32_t num_frames) {
    *b = (body){.num_vertices = num_vertices, .num_frames = num_frames, .triangles = {0, 1, 2}};
    b->positions = calloc((size_t)num_vertices * num_frames, 3 * sizeof(float));
    assert_non_null(b->positions);
    b->surface =
        MESH_SURFACE(num_vertices, b->positions, num_vertices > 2, b->triangles, .name = "body");
    b->mesh = (lm_mesh){.num_frames = num_frames, .num_surfaces = 1, .surfaces = &b->surface};
}

static void free_body(body *b) {
    free(b->positions);
}

static lm_skeleton *fit(const body *b, const lm_skeleton_options *options) {
    lm_error error;
    lm_skeleton *made = lm_skeleton_fit(&b->mesh, options, &error);
    assert_done(made, error);
    return made;
}

/* Turns a point about the y axis through (x, 0, z) by an angle whose tangent of the half is t. */
static void turn(float p[3], float x, float z, float t) {
    const float n = 1 + t * t, c = (1 - t * t) / n, s = 2 * t / n, dx = p[0] - x, dz = p[2] - z;
    p[0] = x + c * dx + s * dz;
    p[2] = z - s * dx + c * dz;
}

/* A finger of three stiff parts along x, each 10 long, with joints at 10 and 20. With `soft`, the
 * weights at the joints go over 4 units from one part to the next. */
static void make_finger(body *b, uint32_t num_frames, bool soft) {
    uint32_t state = 1;
    make_body(b, PARTS * PART, num_frames);
    for (uint32_t v = 0; v < b->num_vertices; v++) {
        const float x = 30.0f * ((float)v + 0.5f) / (float)b->num_vertices;
        const float y = 4 * noise(&state), z = 4 * noise(&state);
        for (uint32_t f = 0; f < num_frames; f++) {
            const float bends[2] = {0.5f * (float)(f % 8) / 8, 0.4f * (float)(f % 5) / 5};
            float *p = at(b, f, v), parts[PARTS][3], weights[PARTS] = {1, 0, 0};
            for (int i = 0; i < PARTS; i++) {
                const float rest[3] = {x, y, z};
                memcpy(parts[i], rest, sizeof rest);
                for (int j = i; j > 0; j--)
                    turn(parts[i], 10.0f * (float)j, 0, bends[j - 1]);
            }
            for (int j = 0; j < PARTS - 1; j++) {
                const float away = (x - 10.0f * (float)(j + 1)) / 4 + 0.5f;
                const float share = soft ? fminf(fmaxf(away, 0), 1) : away > 0.5f;
                weights[j + 1] = weights[j] * share;
                weights[j] -= weights[j + 1];
            }
            for (int c = 0; c < 3; c++)
                for (int i = 0; i < PARTS; i++)
                    p[c] += weights[i] * parts[i][c];
        }
    }
}

/* ---- Known rigs ------------------------------------------------------------------------------ */

static void assert_joint_near(const lm_skeleton *s, float x) {
    float least = INFINITY;
    for (uint32_t j = 1; j < s->num_joints; j++) {
        const lm_vec3 p = s->joints[j].position;
        least = fminf(least, fabsf(p.x - x) + fabsf(p.z));
    }
    if (!(least < 0.05f))
        fail_msg("no joint at %g: the nearest is off by %g", (double)x, (double)least);
}

TEST(test_stiff_parts_are_found) {
    AT_END(free_body) body b;
    make_finger(&b, 40, false);
    OWNED(lm_skeleton) *s = fit(&b, &(lm_skeleton_options){.quantum = 1e-3});
    assert_int_equal(s->verdict, LM_SKELETON_ACCEPTED);
    assert_int_equal(s->num_joints, PARTS);
    assert_int_equal(s->num_translating, 0);
    assert_true(s->all.max_error < 1e-3);
    assert_joint_near(s, 10);
    assert_joint_near(s, 20);
    for (uint32_t v = 0; v < b.num_vertices; v++)
        assert_true(s->surfaces[0].influences[v].weights[0] > 0.99f);
}

TEST(test_soft_weights_are_found) {
    AT_END(free_body) body b;
    make_finger(&b, 40, true);
    OWNED(lm_skeleton) *s = fit(&b, &(lm_skeleton_options){.quantum = 2e-3, .max_bones = PARTS});
    assert_int_equal(s->num_joints, PARTS);
    assert_true(s->all.rms_error < 5e-3);
    for (uint32_t v = 0; v < b.num_vertices; v++) { /* the vertex on a joint follows both parts */
        const float x = 30.0f * ((float)v + 0.5f) / (float)b.num_vertices;
        const float away = fminf(fabsf(x - 10), fabsf(x - 20)), wanted = fminf(0.5f + away / 4, 1);
        assert_true(fabsf(s->surfaces[0].influences[v].weights[0] - wanted) < 0.05f);
    }
}

/* The hinges of a finger turn about y. What is beyond the first one also turns a little about z, at
 * a point far beside the finger. The joint must not be there. */
TEST(test_hinges_are_inside_of_the_limb) {
    AT_END(free_body) body b;
    make_finger(&b, 40, true);
    for (uint32_t f = 0; f < b.num_frames; f++)
        for (uint32_t v = 0; v < b.num_vertices; v++) {
            const float x = 30.0f * ((float)v + 0.5f) / (float)b.num_vertices;
            const float share = fminf(fmaxf((x - 10) / 4 + 0.5f, 0), 1);
            const float angle = share * 0.02f * ((float)(f % 3) - 1);
            float *p = at(&b, f, v);
            p[0] -= angle * (p[1] - 8);
            p[1] += angle * (p[0] - 10);
        }
    OWNED(lm_skeleton) *s = fit(&b, &(lm_skeleton_options){.quantum = 0.05, .max_bones = PARTS});
    assert_int_equal(s->verdict, LM_SKELETON_ACCEPTED);
    assert_int_equal(s->num_joints, PARTS);
    for (uint32_t j = 1; j < PARTS; j++)
        if (!(fabsf(s->joints[j].position.y) < 2))
            fail_msg("a joint is off by %g", (double)s->joints[j].position.y);
}

enum {
    LIMB = 40, /* vertices of a part */
    LIMBS = 9  /* parts: a trunk, and at each side two of the arm and two of the leg */
};

/* A trunk with arms and legs that hang down and swing, each side by itself. The right upper arm is
 * `longer` than the left one by that factor. */
static void make_doll(body *b, uint32_t num_frames, float longer) {
    static const float sides[] = {5, 5, 2, 2}, tops[] = {16, 10, 0, -8};
    uint32_t state = 7;
    make_body(b, LIMBS * LIMB, num_frames);
    for (uint32_t v = 0; v < LIMB; v++) {
        const float x = noise(&state), y = noise(&state), z = noise(&state) - 0.5f;
        for (uint32_t f = 0; f < num_frames; f++) {
            memcpy(at(b, f, v), (float[]){3 * x, 6 * y, 18 + 18 * z}, 3 * sizeof x);
            for (uint32_t i = 0; i < LIMBS - 1; i++) {
                const uint32_t part = i % 4, upper = part & 2u;
                const float length = part & 2u ? 8 : 6, stretch = i < 4 ? longer : 1;
                const float elbow = 16 - 6 * stretch, top = part == 1 ? elbow : tops[part];
                float *p = at(b, f, LIMB * (i + 1) + v);
                p[0] = 2 * x;
                p[1] = (i < 4 ? -1 : 1) * (sides[part] + 2 * y);
                p[2] = top + length * (part == 0 ? stretch : 1) * z;
                for (uint32_t k = part; k + 1 > upper; k--) {
                    const uint32_t phase = f * (2 * k + 3) + 7 * k + 5 * (i / 4);
                    const float z0 = k == 1 ? elbow : tops[k], side = i < 4 ? -1 : 1;
                    turn(p, 0, z0, f == 0 ? 0 : (float)(phase % 11) / 25);
                    float lifted[3] = {p[1], 0, p[2]}; /* to the side */
                    turn(lifted, side * sides[k], z0, f == 0 ? 0 : (float)(phase % 13) / 40);
                    p[1] = lifted[0], p[2] = lifted[2];
                }
            }
        }
    }
}

static bool is_named(const lm_skeleton *s, uint32_t joint, const char *name) {
    return strcmp(s->joints[joint].name, name) == 0;
}

/* The plane of symmetry goes through the hips. */
static float apart(const lm_skeleton *s, uint32_t joint) {
    const lm_vec3 a = s->joints[joint].position, b = s->joints[s->joints[joint].mirror].position;
    return fabsf(a.x - b.x) + fabsf(a.y + b.y - 2 * s->joints[0].position.y) + fabsf(a.z - b.z);
}

TEST(test_symmetric_models_get_symmetric_joints) {
    for (int even = 0; even < 2; even++) {
        AT_END(free_body) body b;
        make_doll(&b, 60, even ? 1 : 1.1f);
        OWNED(lm_skeleton) *s = fit(&b, &(lm_skeleton_options){.quantum = 1e-3});
        assert_int_equal(s->verdict, LM_SKELETON_ACCEPTED);
        assert_int_equal(s->num_joints, LIMBS);
        assert_string_equal(s->joints[0].name, "hips");
        for (uint32_t j = 1; j < LIMBS; j++) {
            const uint32_t mirror = s->joints[j].mirror;
            assert_true(mirror != j && s->joints[mirror].mirror == j);
            if (even)
                assert_true(apart(s, j) < 2e-5f);
            else if (is_named(s, j, "elbow.R")) /* lower, because the upper arm is longer */
                assert_float_equal(s->joints[j].position.z, 9.4f, 0.02f);
            else if (is_named(s, j, "elbow.L"))
                assert_float_equal(s->joints[j].position.z, 10, 0.02f);
        }
    }
}

TEST(test_a_tight_limit_suffices) {
    AT_END(free_body) body b;
    make_doll(&b, 60, 1);
    OWNED(lm_skeleton) *s = fit(&b, &(lm_skeleton_options){.quantum = 1e-3, .max_bones = LIMBS});
    assert_int_equal(s->verdict, LM_SKELETON_ACCEPTED);
    assert_int_equal(s->num_joints, LIMBS);
}

TEST(test_no_joint_stretches_if_lengths_are_constant) {
    AT_END(free_body) body b;
    make_finger(&b, 40, false);
    for (uint32_t f = 0; f < b.num_frames; f++) /* the tip slides out */
        for (uint32_t v = 2 * PART; v < b.num_vertices; v++)
            at(&b, f, v)[1] += 0.5f * (float)(f % 7);
    OWNED(lm_skeleton) *s = fit(&b, &(lm_skeleton_options){.quantum = 1e-3});
    assert_true(s->num_translating > 0 && s->all.rms_error < 5e-3);
    lm_skeleton_free(s);
    s = fit(&b, &(lm_skeleton_options){.quantum = 1e-3, .constant_lengths = true});
    assert_int_equal(s->num_translating, 0);
    assert_true(s->all.rms_error > 5e-3);
    for (size_t i = 0; i < (size_t)s->num_frames * s->num_joints; i++) {
        const uint32_t joint = (uint32_t)(i % s->num_joints);
        if (joint > 0)
            assert_memory_equal(&s->poses[i].translation, &s->poses[joint].translation,
                                sizeof(lm_vec3));
    }
}

/* ---- What holds for every skeleton ----------------------------------------------------------- */

static void assert_sound(const body *b, const lm_skeleton *s) {
    AT_END(drop_bytes) lm_vec3 *positions = calloc(b->num_vertices + 1, sizeof *positions);
    double sum = 0;
    assert_int_equal(s->num_frames, b->num_frames);
    assert_true(s->num_joints >= 1 && s->joints[0].parent == LM_SKELETON_NO_PARENT);
    assert_true((s->verdict == LM_SKELETON_ACCEPTED) == (s->reason[0] == '\0'));
    for (uint32_t j = 1; j < s->num_joints; j++)
        assert_true(s->joints[j].parent < j && s->joints[j].name[0]);
    for (uint32_t v = 0; v < b->num_vertices; v++) {
        const lm_influence *in = &s->surfaces[0].influences[v];
        float whole = 0;
        for (int i = 0; i < LM_SKELETON_WEIGHTS; i++) {
            assert_true(in->joints[i] < s->num_joints && in->weights[i] >= 0);
            assert_true(i == 0 || in->weights[i] <= in->weights[i - 1]);
            whole += in->weights[i];
        }
        assert_true(fabsf(whole - 1) < 1e-5f);
    }
    for (uint32_t f = 0; f < b->num_frames; f++) {
        lm_skeleton_sample(s, 0, &(lm_pose){f, f, 0}, positions, NULL);
        for (uint32_t v = 0; v < b->num_vertices; v++) {
            const float *p = at(b, f, v),
                        found[] = {positions[v].x, positions[v].y, positions[v].z};
            for (int c = 0; c < 3; c++)
                sum += pow((double)p[c] - (double)found[c], 2);
        }
    }
    const double count = 3.0 * b->num_vertices * b->num_frames,
                 rms = count > 0 ? sqrt(sum / count) : 0;
    assert_true(isfinite(rms) && fabs(rms - s->all.rms_error) <= 1e-6 * (1 + rms));
    assert_true(s->all.rms_error <= s->uncorrected.rms_error);
}

TEST(test_unusual_meshes) {
    static const struct {
        uint32_t vertices, frames;
        float jump;
    } cases[] = {{0, 1, 0}, {0, 5, 0},    {1, 1, 0},  {1, 9, 3},  {3, 2, 1e3f},
                 {7, 3, 1}, {9, 9, 1e9f}, {40, 1, 0}, {40, 2, 5}, {200, 20, 1e6f}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        AT_END(free_body) body b;
        uint32_t random = (uint32_t)i;
        make_body(&b, cases[i].vertices, cases[i].frames);
        for (uint32_t f = 0; f < b.num_frames; f++)
            for (uint32_t v = 0; v < b.num_vertices; v++)
                for (int c = 0; c < 3; c++) /* one half teleports */
                    at(&b, f, v)[c] =
                        (float)v + noise(&random) + (v % 2 && f % 3 == 1 ? cases[i].jump : 0);
        for (unsigned bones = 0; bones < 4; bones++) {
            OWNED(lm_skeleton) *s =
                fit(&b, &(lm_skeleton_options){.max_bones = bones, .max_correctives = 8 * bones});
            assert_true(bones == 0 || s->num_joints <= bones);
            assert_sound(&b, s);
        }
    }
}

TEST(test_nothing_moves) {
    AT_END(free_body) body b;
    make_finger(&b, 1, false);
    OWNED(lm_skeleton) *s = fit(&b, NULL);
    assert_int_equal(s->verdict, LM_SKELETON_REFUSED);
    assert_string_equal(s->reason, "nothing moves");
    assert_sound(&b, s);
}

/* Vertices that fly about have no skeleton, and the search for one ends. */
TEST(test_loose_triangles_are_refused) {
    AT_END(free_body) body b;
    uint32_t random = 7;
    make_body(&b, 3000, 12);
    for (size_t i = 0; i < (size_t)3 * b.num_vertices * b.num_frames; i++)
        b.positions[i] = 100 * noise(&random);
    OWNED(lm_skeleton) *s = fit(&b, &(lm_skeleton_options){.max_bones = 12, .max_work = 20});
    assert_int_equal(s->verdict, LM_SKELETON_REFUSED);
    assert_non_null(strstr(s->reason, "no skeleton"));
    assert_true(*lmi_fit_work(s) < 1000 * UINT64_C(1000000));
    assert_sound(&b, s);
}

/* Under the sanitizers, these two take ten times as long, count the same steps, and reach no code
 * that the other tests do not. */
#ifndef __SANITIZE_ADDRESS__

/* Returns the steps that 12 correctives take. */
static uint64_t work_of_correctives(const body *b) {
    uint64_t work[2];
    for (int i = 0; i < 2; i++) {
        OWNED(lm_skeleton) *s = fit(
            b,
            &(lm_skeleton_options){.max_bones = 10, .max_work = 1, .max_correctives = i ? 12 : 0});
        work[i] = *lmi_fit_work(s);
    }
    return work[1] - work[0];
}

/* Equal sides cost a bounded number of passes. */
TEST(test_sides_grow_linearly) {
    uint64_t work[3];
    for (uint32_t i = 0; i < 3; i++) {
        AT_END(free_body) body b;
        make_doll(&b, 30u << i, 1);
        OWNED(lm_skeleton) *s = fit(&b, &(lm_skeleton_options){.quantum = 1e-2});
        assert_true(apart(s, 1) < 2e-5f);
        work[i] = *lmi_fit_work(s);
    }
    if (work[1] > work[0] * 5 / 2 || work[2] > work[1] * 5 / 2)
        fail_msg("%g, %g, %g million steps", (double)work[0] / 1e6, (double)work[1] / 1e6,
                 (double)work[2] / 1e6);
}

/* Twice the frames or vertices cost at most little more than twice the steps. Twice the joints cost
 * up to 2.9 times: more of them need another round of growth. */
TEST(test_work_grows_linearly) {
    enum {
        FRAMES,
        VERTICES,
        JOINTS,
        COUNT
    };
    for (int more = 0; more < COUNT; more++) {
        uint64_t work[3], shapes[3];
        for (uint32_t i = 0; i < 3; i++) {
            AT_END(free_body) body b;
            uint32_t random = 3;
            const uint32_t most = more == JOINTS ? 16u << i : 10;
            make_body(&b, more == VERTICES ? 120u << i : 272, more == FRAMES ? 16u << i : 8);
            for (uint32_t f = 0; f < b.num_frames; f++)
                for (uint32_t v = 0; v < b.num_vertices; v++)
                    for (int c = 0; c < 3; c++)
                        at(&b, f, v)[c] = (float)(v % 10 * (uint32_t)c) + 9 * noise(&random);
            OWNED(lm_skeleton) *s = fit(&b, &(lm_skeleton_options){.max_bones = most});
            assert_true(s->num_joints > most * 9 / 10);
            work[i] = *lmi_fit_work(s);
            shapes[i] = more < JOINTS ? work_of_correctives(&b) : 1;
        }
        const double most_growth = more == JOINTS ? 3 : 2.5;
        if ((double)work[1] > most_growth * (double)work[0] ||
            (double)work[2] > most_growth * (double)work[1])
            fail_msg("%d: %g, %g, %g million steps", more, (double)work[0] / 1e6,
                     (double)work[1] / 1e6, (double)work[2] / 1e6);
        assert_true(shapes[0] > 0 && shapes[1] < 5 * shapes[0] / 2);
        assert_true(shapes[2] < 5 * shapes[1] / 2);
    }
}

#endif

/* ---- Corrective shapes ----------------------------------------------------------------------- */

/* Bends the finger's vertices in two shapes before its joints move, as muscles do. */
static void make_muscles(body *b, uint32_t num_frames) {
    make_finger(b, 1, false);
    float rest[PARTS * PART][3];
    memcpy(rest, b->positions, sizeof rest);
    free(b->positions);
    make_body(b, PARTS * PART, num_frames);
    for (uint32_t f = 0; f < num_frames; f++)
        for (uint32_t v = 0; v < b->num_vertices; v++) {
            float *p = at(b, f, v);
            memcpy(p, rest[v], sizeof rest[v]);
            p[1] += (float)(v % 3) * (float)(f % 7) / 7;
            p[2] += (float)(v % 5) * (float)(f % 11) / 11;
            for (uint32_t j = v / PART; j > 0; j--)
                turn(p, 10.0f * (float)j, 0, j == 1 ? (float)(f % 8) / 16 : (float)(f % 5) / 12);
        }
}

TEST(test_shapes_are_found) {
    AT_END(free_body) body b;
    make_muscles(&b, 60);
    lm_skeleton_options options = {.quantum = 1e-3, .max_error = 0.01, .max_bones = PARTS};
    OWNED(lm_skeleton) *s = fit(&b, &options);
    const double plain = s->all.rms_error;
    assert_int_equal(s->verdict, LM_SKELETON_REFUSED);
    assert_true(s->num_correctives == 0 && s->uncorrected.rms_error == plain);
    lm_skeleton_free(s);
    options.max_correctives = 16;
    s = fit(&b, &options);
    assert_int_equal(s->verdict, LM_SKELETON_ACCEPTED);
    assert_true(s->num_correctives >= 2 && s->num_correctives <= 16);
    assert_true(s->uncorrected.rms_error == plain && s->all.rms_error < 0.01);
    assert_true(s->uncorrected.max_error > s->all.max_error);
    for (uint32_t k = 0; k < s->num_correctives; k++) {
        float least = 1, most = 0;
        for (uint32_t f = 0; f < s->num_frames; f++) {
            least = fminf(least, s->corrective_weights[f * s->num_correctives + k]);
            most = fmaxf(most, s->corrective_weights[f * s->num_correctives + k]);
        }
        assert_true(least == 0 && most == 1);
    }
    assert_sound(&b, s);
    lm_skeleton_free(s);
    options.max_correctives = 1; /* too few */
    s = fit(&b, &options);
    assert_int_equal(s->num_correctives, 1);
    assert_true(s->all.rms_error > 0.01 && s->all.rms_error < plain);
}

/* Without a pattern in the movements, the rest pose that shapes need may be a worse one. */
TEST(test_shapes_never_add_errors) {
    uint32_t corrected = 0;
    for (uint32_t i = 1; i <= 300; i++) {
        AT_END(free_body) body b;
        uint32_t random = 7919 * i;
        make_body(&b, 6 + i % 30, 2 + i % 6);
        for (uint32_t f = 0; f < b.num_frames; f++)
            for (uint32_t v = 0; v < b.num_vertices; v++)
                for (int c = 0; c < 3; c++) {
                    const float far = noise(&random) < 0.1f ? 270 : 9;
                    at(&b, f, v)[c] = far * noise(&random);
                }
        OWNED(lm_skeleton) *s =
            fit(&b, &(lm_skeleton_options){.max_bones = 2 + i % 3, .max_correctives = 1});
        corrected += s->num_correctives > 0;
        assert_sound(&b, s);
    }
    assert_true(corrected > 200);
}

/* A mesh that the joints explain gets no shapes. */
TEST(test_no_shapes_for_rounding) {
    AT_END(free_body) body b;
    make_finger(&b, 40, false);
    OWNED(lm_skeleton) *s = fit(&b, &(lm_skeleton_options){.quantum = 1e-2, .max_correctives = 8});
    assert_int_equal(s->num_correctives, 0);
    assert_true(s->uncorrected.rms_error == s->all.rms_error);
}

/* ---- The call -------------------------------------------------------------------------------- */

typedef struct listener {
    unsigned calls, stop_at;
    double last;
} listener;

static bool listen(void *user, double share) {
    listener *l = user;
    assert_true(share >= l->last && share <= 1);
    l->last = share;
    return ++l->calls != l->stop_at;
}

TEST(test_progress_and_stopping) {
    AT_END(free_body) body b;
    lm_error error;
    make_finger(&b, 30, false);
    listener all = {0};
    lm_skeleton *s = fit(&b, &(lm_skeleton_options){.progress = listen, .user = &all});
    assert_true(all.calls > 3 && all.last == 1);
    lm_skeleton_free(s);
    for (unsigned k = 1; k <= all.calls; k++) {
        listener one = {.stop_at = k};
        const lm_skeleton_options options = {.progress = listen, .user = &one};
        assert_null(lm_skeleton_fit(&b.mesh, &options, &error));
        assert_int_equal(error.code, LM_CODE_STOPPED);
        assert_int_equal(one.calls, k);
    }
}

TEST(test_options) {
    AT_END(free_body) body b;
    lm_error error;
    make_finger(&b, 4, false);
    const lm_skeleton_options wrong[] = {{.max_bones = LM_MAX_SKELETON_BONES + 1},
                                         {.max_correctives = LM_MAX_SKELETON_CORRECTIVES + 1},
                                         {.quantum = -1},
                                         {.max_error = NAN},
                                         {.reserved = {1}}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_null(lm_skeleton_fit(&b.mesh, &wrong[i], &error));
        assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
    }
    b.positions[5] = NAN;
    assert_null(lm_skeleton_fit(&b.mesh, NULL, &error));
    assert_int_equal(error.code, LM_CODE_NOT_FINITE);
}

TEST(test_failing_allocations) {
    AT_END(free_body) body b;
    lm_error error;
    make_finger(&b, 8, true);
    EACH_ALLOCATION_FAILS (f) {
        const lm_skeleton_options options = {
            .max_bones = 4, .max_correctives = 3, .memory = f.memory};
        OWNED(lm_skeleton) *made = lm_skeleton_fit(&b.mesh, &options, &f.error);
        f.done = made != NULL;
        assert_true(!f.done || f.at > 8);
    }
    const lm_skeleton_options little = {.memory = {.max_bytes = 5000}};
    assert_null(lm_skeleton_fit(&b.mesh, &little, &error));
    assert_int_equal(error.code, LM_CODE_LIMIT);
}

/* ---- The same bits everywhere ---------------------------------------------------------------- */

static uint32_t checksum(uint32_t sum, const void *data, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, (const char *)data + 4 * i, sizeof bits);
        sum = (sum ^ bits) * 16777619u;
    }
    return sum;
}

/* Without optimization, with sanitizers and on other processors, too. */
TEST(test_the_same_bits_on_every_machine) {
    uint32_t sum = 2166136261u, random = 5;
    for (int doll = 0; doll < 2; doll++) {
        AT_END(free_body) body b;
        if (doll)
            make_doll(&b, 24, 1);
        else
            make_finger(&b, 40, true);
        for (size_t i = 0; i < (size_t)3 * b.num_vertices * b.num_frames; i++)
            b.positions[i] += noise(&random) / 8;
        OWNED(lm_skeleton) *s =
            fit(&b, &(lm_skeleton_options){
                        .quantum = 0.02, .max_bones = doll ? 0 : 8, .max_correctives = 4});
        sum = checksum(sum, s->poses, (size_t)s->num_frames * s->num_joints * sizeof *s->poses / 4);
        for (uint32_t v = 0; v < b.num_vertices; v++)
            sum = checksum(sum, s->surfaces[0].influences[v].weights, LM_SKELETON_WEIGHTS);
        sum = checksum(sum, s->surfaces[0].positions, 3 * (size_t)b.num_vertices);
        sum = checksum(sum, s->surfaces[0].correctives, 3 * (size_t)b.num_vertices);
    }
    assert_int_equal(sum, 0x1de8e356u);
}
