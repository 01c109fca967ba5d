/* Tests drawn GL commands: exactly the triangles of the strips and fans, each with the right
 * winding, however the renderer joins or lists them. The test inspects the calls to the driver. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gl_support.h"
#include "testing.h"

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

static triangle_list meant, drawn;

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
    qsort(drawn.items, drawn.count, sizeof(triangle), compare_triangles);
    assert_int_equal(meant.count, drawn.count);
    assert_memory_equal(meant.items, drawn.items, meant.count * sizeof(triangle));
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
            add(&drawn, indices[i - 2], indices[i - 1], indices[i]);
        else if (mode == GL_TRIANGLE_FAN && place >= 2)
            add(&drawn, indices[start], indices[i - 1], indices[i]);
        else if (mode == GL_TRIANGLE_STRIP && place >= 2 && place % 2 == 0)
            add(&drawn, indices[i - 2], indices[i - 1], indices[i]);
        else if (mode == GL_TRIANGLE_STRIP && place >= 2)
            add(&drawn, indices[i - 1], indices[i - 2], indices[i]);
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
    lm_gl_camera_fit(&camera, &(lm_vec3){-40, -40, -40}, &(lm_vec3){40, 40, 40}, 1, 1);
    lm_gl_view view;
    lm_gl_camera_view(&camera, 1, &view);
    lm_gl_model *uploaded = lm_gl_model_new(world.gl, model, &error);
    if (!uploaded)
        fail_msg("%s", error.message);
    drawn.count = 0;
    num_draws = 0;
    assert_true(lm_gl_draw(uploaded, &view, AT_ORIGIN({0, 0, 0}), NULL, &error));
    real_draw = epoxy_glDrawElements;
    epoxy_glDrawElements = inspect_and_draw;
    bool done = lm_gl_draw(uploaded, &view, AT_ORIGIN({0, 0, 0}), NULL, &error);
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
