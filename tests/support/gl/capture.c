#include <epoxy/gl.h>
#include <string.h>

#include "capture.h"
#include "gl_internal.h"

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
    const lm_gl_view view = {{0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    const gl_pass pass = {.variant = {.decode = s->decode,
                                      .paint = GL_PAINT_CAPTURE,
                                      .instanced = instanced,
                                      .cross_fade = lm_gl_fades(instance)}};
    if (instanced &&
        (!lm_gl_need_tables(model, s, error) ||
         !lm_gl_upload_instances(model, s, instance, 1, pass.variant.cross_fade, error)))
        return false;
    const gl_program *program = lm_gl_use_program(model->gl, pass.variant, error);
    if (!program)
        return false;
    lm_gl_set_pass(model->gl, program, &pass, &view);
    if (instanced) {
        lm_gl_set_tables(model, s, program);
        lm_gl_bind_instances(model->gl, s, pass.variant.cross_fade);
    } else {
        lm_gl_set_pose(model, s, program, instance);
    }
    return true;
}

bool capture(lm_gl_model *model, uint32_t surface, const lm_gl_instance *instance, bool instanced,
             float *positions, float *normals, lm_error *error) {
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
