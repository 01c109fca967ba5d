/* Recording what the vertex shader makes, by transform feedback. */
#include "gl_internal.h"

#include <string.h>

/* Positions and normals alternate. */
static bool read_back(uint32_t count, float *positions, float *normals, lm_error *error) {
    size_t size = (size_t)count * 6 * sizeof(float);
    const float *recorded =
        glMapBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 0, (GLsizeiptr)size, GL_MAP_READ_BIT);
    if (!recorded)
        return lm_gl_made("reading vertices back", error) &&
               lm_gl_fail(error, LM_CODE_GRAPHICS, "gl: the driver gives no vertices back");
    for (size_t v = 0; v < count; v++) {
        if (positions)
            memcpy(positions + 3 * v, recorded + 6 * v, 3 * sizeof(float));
        if (normals)
            memcpy(normals + 3 * v, recorded + 6 * v + 3, 3 * sizeof(float));
    }
    glUnmapBuffer(GL_TRANSFORM_FEEDBACK_BUFFER);
    return true;
}

static bool record(GLuint buffer, uint32_t count, bool crowd, lm_error *error) {
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
    glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, (GLsizeiptr)((size_t)count * 6 * sizeof(float)),
                 NULL, GL_STREAM_READ);
    if (!lm_gl_made("recording vertices", error))
        return false;
    glEnable(GL_RASTERIZER_DISCARD);
    glBeginTransformFeedback(GL_POINTS);
    if (crowd)
        glDrawArraysInstanced(GL_POINTS, 0, (GLsizei)count, 1);
    else
        glDrawArrays(GL_POINTS, 0, (GLsizei)count);
    glEndTransformFeedback();
    glDisable(GL_RASTERIZER_DISCARD);
    return true;
}

static bool prepare(lm_gl_model *model, gl_surface *s, lm_pose pose, bool crowd, lm_error *error) {
    const lm_gl_view view = {{0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    const gl_pass pass = {.variant = {s->decode, GL_PAINT_CAPTURE, crowd, false}};
    const lm_gl_instance instance = {LM_TRANSFORM_IDENTITY, pose};
    if (crowd && (!lm_gl_need_crowd(model, s, error) ||
                  !lm_gl_upload_instances(model, s, &instance, 1, error)))
        return false;
    const gl_program *program = lm_gl_use_program(model->gl, pass.variant, error);
    if (!program)
        return false;
    lm_gl_set_pass(model->gl, program, &pass, &view);
    if (crowd) {
        lm_gl_set_tables(model, s, program);
        lm_gl_bind_crowd(model->gl, s);
    } else {
        lm_gl_set_pose(model, s, program, pose);
    }
    return true;
}

bool lm_gl_capture(lm_gl_model *model, uint32_t surface, lm_pose pose, bool crowd, float *positions,
                   float *normals, lm_error *error) {
    if (!lm_gl_alive(model->gl, error))
        return false;
    if (surface >= model->model->num_surfaces || !lm_gl_sound_pose(model->model, pose))
        return lm_gl_fail(error, LM_CODE_BAD_ARGUMENT, "gl: there is no such surface or frame");
    gl_surface *s = &model->surfaces[surface];
    uint32_t count = s->surface->num_vertices;
    if (count == 0)
        return true;
    if (!prepare(model, s, pose, crowd, error))
        return false;
    GLuint buffer;
    glGenBuffers(1, &buffer);
    bool recorded =
        record(buffer, count, crowd, error) && read_back(count, positions, normals, error);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, 0);
    glDeleteBuffers(1, &buffer);
    glBindVertexArray(0);
    return recorded;
}
