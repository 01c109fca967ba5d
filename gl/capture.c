/* Recording what the vertex shader makes, by transform feedback. */
#include "gl_internal.h"

#include <string.h>

/* Positions and normals alternate. */
static bool read_back(const lm_gl *gl, uint32_t count, float *positions, float *normals,
                      lm_error *error) {
    size_t size = (size_t)count * 6 * sizeof(float);
    const float *recorded =
        gl->api.MapBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 0, (GLsizeiptr)size, GL_MAP_READ_BIT);
    if (!recorded)
        return lm_gl_made(gl, "reading vertices back", error) &&
               lm_fail_plain(error, LM_CODE_GRAPHICS, "gl: the driver gives no vertices back");
    for (size_t v = 0; v < count; v++) {
        if (positions)
            memcpy(positions + 3 * v, recorded + 6 * v, 3 * sizeof(float));
        if (normals)
            memcpy(normals + 3 * v, recorded + 6 * v + 3, 3 * sizeof(float));
    }
    gl->api.UnmapBuffer(GL_TRANSFORM_FEEDBACK_BUFFER);
    return true;
}

static bool record(const lm_gl *gl, GLuint buffer, uint32_t count, bool crowd, lm_error *error) {
    gl->api.BindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
    gl->api.BufferData(GL_TRANSFORM_FEEDBACK_BUFFER,
                       (GLsizeiptr)((size_t)count * 6 * sizeof(float)), NULL, GL_STREAM_READ);
    if (!lm_gl_made(gl, "recording vertices", error))
        return false;
    gl->api.Enable(GL_RASTERIZER_DISCARD);
    gl->api.BeginTransformFeedback(GL_POINTS);
    if (crowd)
        gl->api.DrawArraysInstanced(GL_POINTS, 0, (GLsizei)count, 1);
    else
        gl->api.DrawArrays(GL_POINTS, 0, (GLsizei)count);
    gl->api.EndTransformFeedback();
    gl->api.Disable(GL_RASTERIZER_DISCARD);
    return true;
}

static bool prepare(lm_gl_model *model, gl_surface *s, lm_pose pose, bool crowd, lm_error *error) {
    const lm_gl_view view = {{0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
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

bool lm_gl_capture(lm_gl_model *model, uint32_t surface, const lm_pose *pose, bool crowd,
                   float *positions, float *normals, lm_error *error) {
    const lm_gl *gl = model->gl;
    if (!lm_gl_alive(model->gl, error))
        return false;
    if (surface >= model->model->num_surfaces || !lm_gl_sound_pose(model->model, *pose))
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "gl: there is no such surface or frame");
    gl_surface *s = &model->surfaces[surface];
    uint32_t count = s->surface->num_vertices;
    if (count == 0)
        return true;
    if (!model->gl->api.MapBufferRange || !model->gl->api.UnmapBuffer)
        return lm_fail_plain(error, LM_CODE_GRAPHICS, "gl: the driver gives no vertices back");
    if (!prepare(model, s, *pose, crowd, error))
        return false;
    GLuint buffer;
    gl->api.GenBuffers(1, &buffer);
    bool recorded =
        record(gl, buffer, count, crowd, error) && read_back(gl, count, positions, normals, error);
    gl->api.BindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, 0);
    gl->api.DeleteBuffers(1, &buffer);
    gl->api.BindVertexArray(0);
    return recorded;
}
