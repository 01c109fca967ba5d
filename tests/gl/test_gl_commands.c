/* Tests drawn GL commands: exactly the triangles of the strips and fans, each with the right
 * winding, however the renderer joins or lists them. The test inspects the calls to the driver. */
#include "../skipping.h"
#include "gl_internal.h"
#include "gl_support.h"

#include <dirent.h>
#include <epoxy/gl.h>

#define MAX_TRIANGLES 20000
#define MAX_INDICES 60000

/* ---- Triangles ----------------------------------------------------------------------------- */

typedef struct triangle {
    uint32_t v[3]; /* smallest first, with the order around the triangle kept */
} triangle;

typedef struct triangle_list {
    triangle items[MAX_TRIANGLES];
    size_t count;
} triangle_list;

static triangle_list meant, drawn_list;

static void add(triangle_list *list, uint32_t a, uint32_t b, uint32_t c) {
    if (a == b || b == c || c == a)
        return; /* without area */
    assert_true(list->count < MAX_TRIANGLES);
    triangle *t = &list->items[list->count++];
    *t = a < b && a < c   ? (triangle){{a, b, c}}
         : b < a && b < c ? (triangle){{b, c, a}}
                          : (triangle){{c, a, b}};
}

static int compare_triangles(const void *a, const void *b) {
    return memcmp(a, b, sizeof(triangle));
}

static void expect_same_triangles(void) {
    qsort(meant.items, meant.count, sizeof(triangle), compare_triangles);
    qsort(drawn_list.items, drawn_list.count, sizeof(triangle), compare_triangles);
    assert_int_equal(meant.count, drawn_list.count);
    assert_memory_equal(meant.items, drawn_list.items, meant.count * sizeof(triangle));
}

/* ---- Calls to the driver -------------------------------------------------------------------- */

static PFNGLDRAWELEMENTSPROC real_draw;
static unsigned num_draws;

static uint32_t index_at(const uint8_t *bytes, size_t i, GLenum type) {
    uint16_t narrow;
    uint32_t wide;
    if (type == GL_UNSIGNED_SHORT) {
        memcpy(&narrow, bytes + 2 * i, 2);
        return narrow == UINT16_MAX ? UINT32_MAX : narrow;
    }
    memcpy(&wide, bytes + 4 * i, 4);
    return wide;
}

/* Decodes the triangles of one draw by OpenGL's rules. */
static void decode(GLenum mode, const uint32_t *indices, size_t count, bool restarts) {
    size_t start = 0;
    for (size_t i = 0; i < count; i++) {
        if (indices[i] == UINT32_MAX) {
            assert_true(restarts);
            start = i + 1;
            continue;
        }
        size_t place = i - start;
        if (mode == GL_TRIANGLES && place % 3 == 2)
            add(&drawn_list, indices[i - 2], indices[i - 1], indices[i]);
        else if (mode == GL_TRIANGLE_FAN && place >= 2)
            add(&drawn_list, indices[start], indices[i - 1], indices[i]);
        else if (mode == GL_TRIANGLE_STRIP && place >= 2 && place % 2 == 0)
            add(&drawn_list, indices[i - 2], indices[i - 1], indices[i]);
        else if (mode == GL_TRIANGLE_STRIP && place >= 2)
            add(&drawn_list, indices[i - 1], indices[i - 2], indices[i]);
    }
}

static void inspect_and_draw(GLenum mode, GLsizei count, GLenum type, const void *offset) {
    static uint8_t bytes[MAX_INDICES * 4];
    static uint32_t indices[MAX_INDICES];
    size_t size = type == GL_UNSIGNED_SHORT ? 2 : 4;
    assert_true(count > 0 && count <= MAX_INDICES);
    glGetBufferSubData(GL_ELEMENT_ARRAY_BUFFER, (GLintptr)(uintptr_t)offset,
                       (GLsizeiptr)((size_t)count * size), bytes);
    for (size_t i = 0; i < (size_t)count; i++)
        indices[i] = index_at(bytes, i, type);
    decode(mode, indices, (size_t)count, glIsEnabled(GL_PRIMITIVE_RESTART));
    num_draws++;
    real_draw(mode, count, type, offset);
}

static void draw_and_inspect(const lm_model *model) {
    lm_error error = {0};
    world_open(false);
    lm_gl_camera camera = {.azimuth = 0};
    const lm_gl_view view = fitted_view(&camera, (lm_vec3){-40, -40, -40}, (lm_vec3){40, 40, 40});
    lm_gl_model *uploaded = lm_gl_model_new(world.gl, model, &error);
    assert_done(uploaded, error);
    drawn_list.count = 0;
    num_draws = 0;
    assert_true(lm_gl_draw(uploaded, &view, AT_ORIGIN({0, 0, 0}), 1, NULL, &error));
    real_draw = epoxy_glDrawElements;
    epoxy_glDrawElements = inspect_and_draw;
    bool done = lm_gl_draw(uploaded, &view, AT_ORIGIN({0, 0, 0}), 1, NULL, &error);
    epoxy_glDrawElements = real_draw;
    assert_true(done);
    assert_false(glIsEnabled(GL_PRIMITIVE_RESTART));
    lm_gl_model_free(uploaded);
    world_close();
}

/* ---- Cases --------------------------------------------------------------------------------- */

/* Reads commands by the description of MD2: every second triangle of a strip is reversed. */
static void read_commands(const lm_gl_commands *commands) {
    meant.count = 0;
    for (uint32_t p = 0; p < commands->num_primitives; p++) {
        const lm_gl_primitive *primitive = &commands->primitives[p];
        const uint32_t *v = commands->drawn + primitive->first;
        for (uint32_t i = 2; i < primitive->count; i++)
            if (primitive->fan)
                add(&meant, v[0], v[i - 1], v[i]);
            else if (i % 2 == 0)
                add(&meant, v[i - 2], v[i - 1], v[i]);
            else
                add(&meant, v[i - 1], v[i - 2], v[i]);
    }
}

static void check_model(const char *path) {
    OWNED(lm_model) *model = load(path, LM_TOPOLOGY_GL_COMMANDS, 0);
    read_commands(&model->gl_commands);
    assert_true(meant.count > 100);
    draw_and_inspect(model);
    expect_same_triangles();
    assert_true(num_draws >= 1 && num_draws <= 3);
}

/* Calls `visit` with up to `most` models of a folder of the corpus. Returns their number. */
static int each_of_corpus(const char *folder, int most, void (*visit)(const char *path)) {
    const char *corpus = getenv("LERPMESH_CORPUS");
    char path[4096];
    if (!corpus)
        return -1;
    snprintf(path, sizeof path, "%s/%s", corpus, folder);
    DIR *directory = opendir(path);
    if (!directory)
        return -1;
    int count = 0;
    for (struct dirent *entry; count < most && (entry = readdir(directory));) {
        const char *dot = strrchr(entry->d_name, '.');
        if (!dot || strcmp(dot + 1, folder) != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s/%s", corpus, folder, entry->d_name);
        visit(path);
        count++;
    }
    closedir(directory);
    return count;
}

TEST(test_models) {
    check_model(source_path("samples/tick.md2"));
    int count = each_of_corpus("md2", 10, check_model);
    printf("%d models of the corpus\n", count < 0 ? 0 : count);
}

/* Strips and fans of every length and parity in any order, with indices of two and four bytes. */
static void check_random(uint32_t num_vertices, unsigned seed) {
    enum {
        PRIMITIVES = 200,
        LONGEST = 14
    };
    lm_gl_primitive primitives[PRIMITIVES];
    static uint32_t numbers[PRIMITIVES * LONGEST];
    static uint8_t keys[70000 * 4];
    static lm_vec2 st[70000];
    static uint32_t file_vertices[70000];
    const uint32_t no_triangle[3] = {0, 0, 0};
    uint32_t count = 0;
    srand(seed);
    for (int p = 0; p < PRIMITIVES; p++) {
        uint32_t length = 3 + (uint32_t)(rand() % (LONGEST - 2));
        primitives[p] = (lm_gl_primitive){rand() % 2 == 0, count, length};
        for (uint32_t i = 0; i < length; i++)
            numbers[count++] = (uint32_t)rand() % num_vertices;
    }
    lm_frame frame = {.name = "", .max = {1, 1, 1}, .scale = {1, 1, 1}};
    lm_surface surface = {.name = "",
                          .num_vertices = num_vertices,
                          .num_file_vertices = num_vertices,
                          .file_vertices = file_vertices,
                          .st = st,
                          .num_triangles = 1,
                          .triangles = no_triangle,
                          .num_keys = 1,
                          .keys = keys,
                          .key_size = 4,
                          .key_stride = (size_t)num_vertices * 4};
    lm_model model = {.format = "md2", .name = "", .num_frames = 1, .frames = &frame};
    model.num_surfaces = 1;
    model.surfaces = &surface;
    model.gl_commands = (lm_gl_commands){.num_integers = 1,
                                         .num_primitives = PRIMITIVES,
                                         .primitives = primitives,
                                         .num_vertices = count,
                                         .drawn = numbers};
    read_commands(&model.gl_commands);
    draw_and_inspect(&model);
    expect_same_triangles();
    assert_int_equal(num_draws, 3);
}

TEST(test_random_commands) {
    for (unsigned seed = 0; seed < 20; seed++)
        check_random(seed % 2 ? 50 : 70000, seed);
}

/* Compares the shaders' decoding, captured by transform feedback, with the sampler. */

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

static bool read_back(uint32_t count, float *positions, float *normals, lm_error *error) {
    const size_t size = (size_t)count * 6 * sizeof(float);
    const float *recorded =
        glMapBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 0, (GLsizeiptr)size, GL_MAP_READ_BIT);
    if (!recorded)
        return lm_fail_plain(error, LM_CODE_GRAPHICS, "the driver gives no vertices back");
    for (size_t v = 0; v < count; v++) {
        memcpy(positions + 3 * v, recorded + 6 * v, 3 * sizeof(float));
        memcpy(normals + 3 * v, recorded + 6 * v + 3, 3 * sizeof(float));
    }
    return glUnmapBuffer(GL_TRANSFORM_FEEDBACK_BUFFER);
}

static void record(GLuint buffer, uint32_t count, bool instanced) {
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
    glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, (GLsizeiptr)((size_t)count * 6 * sizeof(float)),
                 NULL, GL_STREAM_READ);
    glEnable(GL_RASTERIZER_DISCARD);
    glBeginTransformFeedback(GL_POINTS);
    if (instanced)
        glDrawArraysInstanced(GL_POINTS, 0, (GLsizei)count, 1);
    else
        glDrawArrays(GL_POINTS, 0, (GLsizei)count);
    glEndTransformFeedback();
    glDisable(GL_RASTERIZER_DISCARD);
}

static bool prepare(lm_gl_model *model, gl_surface *s, const lm_gl_instance *instance,
                    bool instanced, lm_error *error) {
    const lm_gl_view view = {0};
    const gl_pass pass = {.variant = {.decode = s->decode,
                                      .paint = GL_PAINT_CAPTURE,
                                      .instanced = instanced,
                                      .cross_fade = lmi_gl_fades(instance)}};
    if (instanced &&
        (!lmi_gl_need_tables(model, s, error) ||
         !lmi_gl_upload_instances(model, s, instance, 1, pass.variant.cross_fade, error)))
        return false;
    const gl_program *program = lmi_gl_use_program(model->gl, pass.variant, error);
    if (!program)
        return false;
    lmi_gl_set_pass(model->gl, program, &pass, &view);
    if (instanced) {
        lmi_gl_set_tables(model, s, program);
        lmi_gl_bind_instances(model->gl, s, pass.variant.cross_fade);
    } else {
        lmi_gl_set_pose(model, s, program, instance);
    }
    return true;
}

/* Writes 3 * num_vertices floats each, by transform feedback: a surface of an instance before its
 * transform. `instanced` uses the shader of many instances. A complete framebuffer must be
 * bound. */
static bool capture(lm_gl_model *model, uint32_t surface, const lm_gl_instance *instance,
                    bool instanced, float *positions, float *normals, lm_error *error) {
    gl_surface *s = &model->surfaces[surface];
    const uint32_t count = s->surface->num_vertices;
    GLuint buffer;
    if (count == 0)
        return true;
    if (!prepare(model, s, instance, instanced, error))
        return false;
    glGenBuffers(1, &buffer);
    record(buffer, count, instanced);
    const bool done = read_back(count, positions, normals, error);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, 0);
    glDeleteBuffers(1, &buffer);
    glBindVertexArray(0);
    return done;
}

static void check_instance(lm_gl_model *drawn, const lm_model *model, uint32_t surface,
                           const lm_gl_instance *at, vertices *v) {
    lm_error error = {0};
    const lm_sample_target target = {.positions = v->sampled, .normals = v->sampled_normals};
    assert_int_equal(lm_sample_blend(model, surface, &at->pose, &at->to, at->weight, &target),
                     LM_CODE_OK);
    for (int instanced = 0; instanced <= 1; instanced++) {
        assert_done(capture(drawn, surface, at, instanced == 1, v->drawn, v->drawn_normals, &error),
                    error);
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

static void check_captured(const char *path, lm_topology topology, unsigned quirks) {
    lm_error error = {0};
    OWNED(lm_model) *model = load(path, topology, quirks);
    OWNED(lm_gl_model) *drawn = lm_gl_model_new(world.gl, model, &error);
    if (!drawn)
        fail_msg("%s: %s", path, error.message);
    for (uint32_t i = 0; i < model->num_surfaces; i++)
        check_surface(drawn, model, i);
    expect_quiet();
}

static void check_formats(bool es) {
    world_open(es);
    num_compared = 0;
    check_captured(source_path("samples/tick.md2"), LM_TOPOLOGY_TRIANGLES, 0);
    check_captured(source_path("samples/tick.md2"), LM_TOPOLOGY_GL_COMMANDS, 0);
    check_captured(source_path("samples/tick_head.mdc"), LM_TOPOLOGY_TRIANGLES, 0);
    check_captured(source_path("samples/tick_head.mdc"), LM_TOPOLOGY_TRIANGLES, LM_QUIRK_MDC_PRINZ);
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
    check_captured(path, LM_TOPOLOGY_TRIANGLES, 0);
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
    AT_END(free_model) handmade h;
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
