/* Compares the shaders' decoding, captured by transform feedback, with the sampler. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../skipping.h"
#include "capture.h"
#include "gl_support.h"
#include "handmade.h"
#include "testing.h"

#include <epoxy/gl.h>
#include <math.h>

#define TOLERANCE 1e-4

static size_t num_compared;

static double length_of(const float *v) {
    return sqrt((double)v[0] * (double)v[0] + (double)v[1] * (double)v[1] +
                (double)v[2] * (double)v[2]);
}

static double distance(const float *a, const float *b) {
    const float d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return length_of(d);
}

/* Positions and normals of one surface, from the sampler and from the shader. */
typedef struct vertices {
    float *sampled, *sampled_normals, *drawn, *drawn_normals;
} vertices;

static double length_of_blend(const float *a, const float *b, float weight) {
    float mixed[3];
    for (int i = 0; i < 3; i++)
        mixed[i] = (1 - weight) * a[i] + weight * b[i];
    return length_of(mixed);
}

/* The normals of a pose and of its two frames. */
static void
sample_normals(const lm_model *model, uint32_t surface, lm_pose pose,
               float *out) { /* NOLINT(readability-non-const-parameter): lm_sample writes */
    const lm_pose poses[3] = {
        {pose.frame_a, pose.frame_a, 0}, {pose.frame_b, pose.frame_b, 0}, pose};
    const lm_sample_target target = {.normals = out};
    lm_sample(model, surface, poses, 3, &target);
}

/* Returns false if two nearly opposite normals cancel, so that rounding determines the
 * direction. */
static bool is_stable(const lm_model *model, uint32_t surface, const lm_gl_instance *at,
                      size_t vertex) {
    const size_t row = 3 * (size_t)model->surfaces[surface].num_vertices;
    float *normals = malloc(6 * row * sizeof *normals), *to = normals + 3 * row;
    assert_non_null(normals);
    sample_normals(model, surface, at->pose, normals);
    sample_normals(model, surface, at->to, to);
    const float *a = normals + 3 * vertex, *b = to + 3 * vertex;
    const bool steady = length_of_blend(a, a + row, at->pose.t) > 0.02 &&
                        length_of_blend(b, b + row, at->to.t) > 0.02 &&
                        length_of_blend(a + 2 * row, b + 2 * row, at->weight) > 0.02;
    free(normals);
    return steady;
}

static void compare(const lm_model *model, uint32_t surface, const lm_gl_instance *at,
                    const vertices *v) {
    const lm_surface *s = &model->surfaces[surface];
    char where[128];
    snprintf(where, sizeof where, "surface %u, %u and %u at %g, %u and %u at %g, weight %g",
             surface, at->pose.frame_a, at->pose.frame_b, (double)at->pose.t, at->to.frame_a,
             at->to.frame_b, (double)at->to.t, (double)at->weight);
    for (size_t i = 0; i < s->num_vertices; i++) {
        const float *sampled = v->sampled + 3 * i, *drawn = v->drawn + 3 * i;
        double far = fmax(1, length_of(sampled) / 1000);
        if (!(distance(sampled, drawn) <= TOLERANCE * far))
            fail_msg("%s: vertex %zu is at %g %g %g, drawn at %g %g %g", where, i,
                     (double)sampled[0], (double)sampled[1], (double)sampled[2], (double)drawn[0],
                     (double)drawn[1], (double)drawn[2]);
        double apart = distance(v->sampled_normals + 3 * i, v->drawn_normals + 3 * i);
        if (!(apart <= TOLERANCE) && is_stable(model, surface, at, i))
            fail_msg("%s: the normal of vertex %zu is off by %g", where, i, apart);
        num_compared++;
    }
}

static void check_instance(lm_gl_model *drawn, const lm_model *model, uint32_t surface,
                           const lm_gl_instance *at, vertices *v) {
    lm_error error = {0};
    const lm_sample_target target = {.positions = v->sampled, .normals = v->sampled_normals};
    assert_int_equal(lm_sample_blend(model, surface, &at->pose, &at->to, at->weight, &target),
                     LM_CODE_OK);
    for (int instanced = 0; instanced <= 1; instanced++) {
        if (!capture(drawn, surface, at, instanced == 1, v->drawn, v->drawn_normals, &error))
            fail_msg("%s", error.message);
        compare(model, surface, at, v);
    }
}

/* Tries every pair of neighbours, and the last frame with the first; some distant pairs; and
 * cross-fades between them. */
static void check_surface(lm_gl_model *drawn, const lm_model *model, uint32_t surface) {
    const float mixes[] = {0, 0.25f, 0.5f, 0.9f, 1};
    size_t size = 3 * sizeof(float) * (model->surfaces[surface].num_vertices + (size_t)1);
    vertices v = {malloc(size), malloc(size), malloc(size), malloc(size)};
    assert_true(v.sampled && v.sampled_normals && v.drawn && v.drawn_normals);
    for (uint32_t f = 0; f < model->num_frames; f++) {
        const lm_gl_instance near = {.pose = {f, (f + 1) % model->num_frames, mixes[f % 5]}},
                             far = {.pose = {f, f * 7 % model->num_frames, mixes[(f + 2) % 5]}},
                             fades = {
                                 .pose = near.pose, .to = far.pose, .weight = mixes[f / 2 % 5]};
        check_instance(drawn, model, surface, &near, &v);
        check_instance(drawn, model, surface, &far, &v);
        check_instance(drawn, model, surface, &fades, &v);
    }
    free(v.sampled);
    free(v.sampled_normals);
    free(v.drawn);
    free(v.drawn_normals);
}

static void check_model(const char *path, lm_topology topology, unsigned quirks) {
    lm_error error = {0};
    lm_model *model = load(path, topology, quirks);
    lm_gl_model *drawn = lm_gl_model_new(world.gl, model, &error);
    if (!drawn)
        fail_msg("%s: %s", path, error.message);
    for (uint32_t i = 0; i < model->num_surfaces; i++)
        check_surface(drawn, model, i);
    lm_gl_model_free(drawn);
    lm_model_free(model);
    expect_quiet();
}

static void check_formats(bool es) {
    world_open(es);
    num_compared = 0;
    check_model(source_path("samples/tick.md2"), LM_TOPOLOGY_TRIANGLES, 0);
    check_model(source_path("samples/tick.md2"), LM_TOPOLOGY_GL_COMMANDS, 0);
    check_model(source_path("samples/tick_head.mdc"), LM_TOPOLOGY_TRIANGLES, 0);
    check_model(source_path("samples/tick_head.mdc"), LM_TOPOLOGY_TRIANGLES, LM_QUIRK_MDC_PRINZ);
    assert_true(num_compared > 150000);
    world_close();
}

TEST(test_shader_equals_sampler) {
    check_formats(false);
}

TEST(test_es_shader_equals_sampler) {
    check_formats(true);
}

static void check_file(const char *path) {
    check_model(path, LM_TOPOLOGY_TRIANGLES, 0);
}

TEST(test_real_models) {
    if (!getenv("LERPMESH_CORPUS"))
        SKIP("LERPMESH_CORPUS is not set");
    world_open(false);
    assert_true(each_of_corpus("md2", 100, check_file) > 0);
    assert_true(each_of_corpus("mdc", 100, check_file) > 0);
    assert_true(each_of_corpus("md3", 100, check_file) > 0);
    world_close();
}

static PFNGLGETINTEGERVPROC real_get_integer;
static GLint texture_limit;

static void limited_get_integer(GLenum what, GLint *value) {
    real_get_integer(what, value);
    if (what == GL_MAX_TEXTURE_SIZE)
        *value = texture_limit;
}

static lm_gl *new_under(GLint limit, lm_error *error) {
    texture_limit = limit;
    real_get_integer = epoxy_glGetIntegerv;
    epoxy_glGetIntegerv = limited_get_integer;
    lm_gl *gl = lm_gl_new(NULL, error);
    epoxy_glGetIntegerv = real_get_integer;
    return gl;
}

/* Limits the texture size and compares two frames of that many vertices with the sampler. Returns
 * false if the model is too large for instances. */
static bool instances_under(GLint limit, uint32_t num_vertices, lm_error *error) {
    handmade h;
    make_model(&h, num_vertices, 1);
    const size_t size = 3 * sizeof(float) * (size_t)num_vertices;
    vertices v = {malloc(size), malloc(size), malloc(size), malloc(size)};
    assert_true(v.sampled && v.sampled_normals && v.drawn && v.drawn_normals);
    const lm_pose pose = {0, 1, 0.25f};
    const lm_sample_target target = {.positions = v.sampled, .normals = v.sampled_normals};
    assert_int_equal(lm_sample(&h.model, 0, &pose, 1, &target), LM_CODE_OK);
    lm_gl *gl = new_under(limit, error);
    lm_gl_model *model = lm_gl_model_new(gl, &h.model, error);
    assert_non_null(model);
    const bool drawn = capture(model, 0, AT_ORIGIN(pose), true, v.drawn, v.drawn_normals, error);
    if (drawn)
        compare(&h.model, 0, AT_ORIGIN(pose), &v);
    lm_gl_model_free(model);
    lm_gl_free(gl);
    free(v.sampled);
    free(v.sampled_normals);
    free(v.drawn);
    free(v.drawn_normals);
    free_model(&h);
    return drawn;
}

/* The texture of instances' frames is as wide as needed to stay within the driver's height
 * limit. */
TEST(test_tables_as_wide_as_needed) {
    lm_error error = {0};
    world_open(false);
    assert_true(instances_under(512, 32000, &error));   /* 256 wide */
    assert_true(instances_under(512, 66000, &error));   /* 512 */
    assert_true(instances_under(1024, 300000, &error)); /* 1,024 */
    assert_false(instances_under(256, 33000, &error));
    assert_int_equal(error.code, LM_CODE_LIMIT);
    assert_string_equal(
        error.message,
        "gl: instances of this model need a larger texture than the driver supports");
    world_close();
}

/* Lost contexts of browsers return 0 for every limit. */
TEST(test_lost_context) {
    lm_error error = {0};
    world_open(false);
    assert_null(new_under(0, &error));
    assert_int_equal(error.code, LM_CODE_GRAPHICS);
    assert_string_equal(error.message, "gl: the context was lost");
    world_close();
}
