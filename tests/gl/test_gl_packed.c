/* Tests packed rows in a vertex buffer, drawn by the shader of lerpmesh/sample.h in a separate
 * program. */

#include "gl_support.h"

#include <epoxy/gl.h>

/* A copy of the shader in the header. */
static const char vertex_shader[] =
    "in vec3 steps_a, steps_b;\n"
    "in vec2 uv_a, uv_b;\n"
    "uniform vec3 scale_a, translate_a, scale_b, translate_b;\n"
    "uniform float t;\n"
    "out vec3 v_position, v_normal;\n"
    "vec3 unpack(vec2 uv) {\n"
    "    vec3 n = vec3(uv, 127.0 - abs(uv.x) - abs(uv.y));\n"
    "    float fold = max(-n.z, 0.0);\n"
    "    n.xy += vec2(n.x < 0.0 ? fold : -fold, n.y < 0.0 ? fold : -fold);\n"
    "    return normalize(n);\n"
    "}\n"
    "void main() {\n"
    "    vec3 position = mix(steps_a * scale_a + translate_a, steps_b * scale_b + translate_b, "
    "t);\n"
    "    vec3 normal = normalize(mix(unpack(uv_a), unpack(uv_b), t));\n"
    "    v_position = position;\n"
    "    v_normal = normal;\n"
    "    gl_Position = vec4(position, 1.0);\n"
    "}\n";

static GLuint make_program(bool es) {
    const char *const captured[] = {"v_position", "v_normal"};
    const char *const heads[] = {"#version 330 core\n",
                                 "#version 300 es\nprecision highp float;\n"};
    const char *const vertex[] = {heads[es], vertex_shader};
    const char *const fragment[] = {heads[es], "out vec4 c;\nvoid main() { c = vec4(1.0); }\n"};
    const GLuint program = glCreateProgram();
    for (int i = 0; i < 2; i++) {
        const GLuint shader = glCreateShader(i ? GL_FRAGMENT_SHADER : GL_VERTEX_SHADER);
        glShaderSource(shader, 2, i ? fragment : vertex, NULL);
        glCompileShader(shader);
        glAttachShader(program, shader);
        glDeleteShader(shader);
    }
    glTransformFeedbackVaryings(program, 2, captured, GL_INTERLEAVED_ATTRIBS);
    glLinkProgram(program);
    GLint linked = GL_FALSE;
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    assert_true(linked);
    glUseProgram(program);
    return program;
}

static void bind_row(GLuint program, const char *name, GLint size, GLenum type, size_t offset) {
    const GLuint at = (GLuint)glGetAttribLocation(program, name);
    glVertexAttribPointer(at, size, type, GL_FALSE, LM_PACKED_SIZE,
                          (const void *)(uintptr_t)offset); /* NOLINT(performance-no-int-to-ptr) */
    glEnableVertexAttribArray(at);
}

static void set_vec3(GLuint program, const char *name, lm_vec3 v) {
    glUniform3f(glGetUniformLocation(program, name), v.x, v.y, v.z);
}

/* Captures interleaved positions and normals. */
static void record(GLuint program, const lm_packed_frame *frames, lm_pose pose, uint32_t count,
                   float *out) {
    const size_t row = (size_t)count * LM_PACKED_SIZE, size = 6 * sizeof(float) * (size_t)count;
    bind_row(program, "steps_a", 3, GL_SHORT, pose.frame_a * row);
    bind_row(program, "uv_a", 2, GL_BYTE, pose.frame_a * row + 6);
    bind_row(program, "steps_b", 3, GL_SHORT, pose.frame_b * row);
    bind_row(program, "uv_b", 2, GL_BYTE, pose.frame_b * row + 6);
    set_vec3(program, "scale_a", frames[pose.frame_a].scale);
    set_vec3(program, "translate_a", frames[pose.frame_a].translate);
    set_vec3(program, "scale_b", frames[pose.frame_b].scale);
    set_vec3(program, "translate_b", frames[pose.frame_b].translate);
    glUniform1f(glGetUniformLocation(program, "t"), pose.t);
    glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, (GLsizeiptr)size, NULL, GL_STREAM_READ);
    glBeginTransformFeedback(GL_POINTS);
    glDrawArrays(GL_POINTS, 0, (GLsizei)count);
    glEndTransformFeedback();
    const float *recorded =
        glMapBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 0, (GLsizeiptr)size, GL_MAP_READ_BIT);
    assert_non_null(recorded);
    memcpy(out, recorded, size);
    glUnmapBuffer(GL_TRANSFORM_FEEDBACK_BUFFER);
}

/* Expects positions within a step of a box of 65,535 and normals within 1 degree, for a blend of
 * two poses. */
static void expect_pose(const lm_model *model, uint32_t surface, lm_pose pose, const float *shown) {
    const uint32_t count = model->surfaces[surface].num_vertices;
    AT_END(drop_bytes) float *sampled = malloc(6 * sizeof *sampled * (size_t)count);
    assert_non_null(sampled);
    const lm_sample_target target = {
        .positions = sampled, .normals = sampled + 3, .stride = 6 * sizeof(float)};
    assert_int_equal(lm_sample(model, surface, &pose, 1, &target), LM_CODE_OK);
    for (size_t v = 0; v < 6 * (size_t)count; v += 6) {
        float cosine = 0;
        for (size_t i = 0; i < 3; i++) {
            if (fabsf(sampled[v + i] - shown[v + i]) > 1e-3f)
                fail_msg("vertex %zu is at %g, not %g", v / 6, (double)shown[v + i],
                         (double)sampled[v + i]);
            cosine += sampled[v + 3 + i] * shown[v + 3 + i];
        }
        if (cosine < 0.9995f)
            fail_msg("the normal of vertex %zu has a cosine of %g", v / 6, (double)cosine);
    }
}

static void expect_surface(GLuint program, const lm_model *model, uint32_t surface) {
    const uint32_t count = model->surfaces[surface].num_vertices;
    const size_t size = (size_t)model->num_frames * count * LM_PACKED_SIZE;
    AT_END(drop_bytes) uint8_t *rows = malloc(size);
    AT_END(drop_bytes) lm_packed_frame *frames = malloc(model->num_frames * sizeof *frames);
    AT_END(drop_bytes) float *shown = malloc(6 * sizeof *shown * (size_t)count);
    assert_true(rows && frames && shown);
    assert_int_equal(lm_pack_frames(model, surface, 0, model->num_frames, rows, frames),
                     LM_CODE_OK);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)size, rows, GL_STATIC_DRAW);
    for (uint32_t f = 0; f < model->num_frames; f += 5) {
        const lm_pose pose = {f, (f + 3) % model->num_frames, (float)(f % 4) / 4};
        record(program, frames, pose, count, shown);
        expect_pose(model, surface, pose, shown);
    }
}

static void expect_models(bool es) {
    static const char *const paths[] = {"samples/tick.md2", "samples/tick_head.mdc"};
    GLuint buffers[2], array;
    world_open(es);
    const GLuint program = make_program(es);
    glGenVertexArrays(1, &array);
    glBindVertexArray(array);
    glGenBuffers(2, buffers);
    glBindBuffer(GL_ARRAY_BUFFER, buffers[0]);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffers[1]);
    glEnable(GL_RASTERIZER_DISCARD);
    for (int i = 0; i < 2; i++) {
        OWNED(lm_model) *model = load(source_path(paths[i]), LM_TOPOLOGY_TRIANGLES, 0);
        for (uint32_t s = 0; s < model->num_surfaces; s++)
            expect_surface(program, model, s);
    }
    glDisable(GL_RASTERIZER_DISCARD);
    glDeleteBuffers(2, buffers);
    glDeleteVertexArrays(1, &array);
    glUseProgram(0);
    glDeleteProgram(program);
    expect_quiet();
    world_close();
}

TEST(test_rows_in_a_vertex_buffer) {
    expect_models(false);
    expect_models(true);
}

/* Checks that the header contains the lines compiled here. */
TEST(test_shader_of_the_header) {
    static char header[65536];
    FILE *file = fopen(source_path("include/lerpmesh/sample.h"), "rb");
    assert_non_null(file);
    header[fread(header, 1, sizeof header - 1, file)] = '\0';
    fclose(file);
    const char *line = strstr(vertex_shader, "vec3 unpack");
    unsigned num_lines = 0;
    for (size_t length; *line; line += length + 1) {
        char text[256];
        length = strcspn(line, "\n");
        snprintf(text, sizeof text, "%.*s", (int)length, line + strspn(line, " "));
        text[strcspn(text, "\n")] = '\0';
        const bool ours = strncmp(text, "v_", 2) == 0 || strncmp(text, "gl_", 3) == 0 ||
                          strcmp(text, "void main() {") == 0;
        if (!ours && !strstr(header, text))
            fail_msg("sample.h has no line %s", text);
        num_lines += !ours;
    }
    assert_true(num_lines >= 9);
}
