/* Crowds: many instances, each with its own pose and place, in one draw. The shader fetches each
 * instance's frames from tables, which the driver copies out of the buffer that has them already.
 */
#include "gl_internal.h"

#include <stdlib.h>

/* ---- Tables -------------------------------------------------------------------------------- */

/* Makes a texture for `count` texels and leaves it bound. */
static bool make_table(const lm_gl *gl, gl_table *table, GLenum unit, GLenum internal,
                       GLenum format, GLenum type, size_t count, lm_error *error) {
    size_t width = (size_t)gl->max_texture_size;
    if (count < width)
        width = count;
    size_t height = (count + width - 1) / width;
    if (height > (size_t)gl->max_texture_size)
        return lm_gl_fail(error, LM_CODE_LIMIT,
                          "gl: a crowd of this model needs a larger texture "
                          "than the driver has");
    glGenTextures(1, &table->texture);
    table->width = (GLint)width;
    glActiveTexture(GL_TEXTURE0 + unit);
    glBindTexture(GL_TEXTURE_2D, table->texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    glTexImage2D(GL_TEXTURE_2D, 0, (GLint)internal, (GLsizei)width, (GLsizei)height, 0, format,
                 type, NULL);
    return lm_gl_made("the frames of a crowd", error);
}

/* Fills the bound table: whole rows, then what is left. `data` counts from the start of the unpack
 * buffer, if one is bound. */
static void fill_table(const gl_table *table, GLenum format, GLenum type, size_t texel_size,
                       size_t count, const void *data) {
    size_t width = (size_t)table->width, rows = count / width;
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, table->width, (GLsizei)rows, format, type, data);
    if (count > rows * width)
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, (GLint)rows, (GLsizei)(count - rows * width), 1,
                        format, type, (const uint8_t *)data + rows * width * texel_size);
}

static bool copy_vertices(const lm_gl *gl, gl_surface *s, lm_error *error) {
    bool bytes = s->decode == GL_DECODE_U8;
    GLenum type = bytes ? GL_UNSIGNED_BYTE : GL_SHORT;
    size_t keys = (size_t)s->surface->num_vertices * s->surface->num_keys;
    size_t deltas = (size_t)s->surface->num_vertices * s->surface->num_deltas;
    if (!make_table(gl, &s->key_table, GL_UNIT_KEYS, bytes ? GL_RGBA8UI : GL_RGBA16I,
                    GL_RGBA_INTEGER, type, keys, error))
        return false;
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, s->buffer);
    fill_table(&s->key_table, GL_RGBA_INTEGER, type, bytes ? 4 : 8, keys, lm_gl_place(s->keys));
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    if (s->decode != GL_DECODE_S16_DELTA)
        return true;
    if (!make_table(gl, &s->delta_table, GL_UNIT_DELTAS, GL_RGBA8UI, GL_RGBA_INTEGER,
                    GL_UNSIGNED_BYTE, deltas, error))
        return false;
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, s->buffer);
    fill_table(&s->delta_table, GL_RGBA_INTEGER, GL_UNSIGNED_BYTE, 4, deltas,
               lm_gl_place(s->deltas));
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    return true;
}

/* Two texels a frame, as the shader says. */
static void put_frame(float *texels, const lm_model *model, const lm_surface *surface,
                      uint32_t frame) {
    const lm_frame *f = &model->frames[frame];
    uint16_t delta = surface->frame_deltas ? surface->frame_deltas[frame] : LM_NO_DELTA;
    texels[0] = f->scale.x;
    texels[1] = f->scale.y;
    texels[2] = f->scale.z;
    texels[3] = (float)(surface->frame_keys ? surface->frame_keys[frame] : frame);
    texels[4] = f->translate.x;
    texels[5] = f->translate.y;
    texels[6] = f->translate.z;
    texels[7] = delta == LM_NO_DELTA ? -1 : (float)delta;
}

static bool make_frames(const lm_gl_model *model, gl_surface *s, lm_error *error) {
    size_t count = 2 * (size_t)model->model->num_frames;
    float *texels = malloc(count * 4 * sizeof *texels);
    if (!texels)
        return lm_gl_fail(error, LM_CODE_OUT_OF_MEMORY, "gl: there is not enough memory");
    for (uint32_t f = 0; f < model->model->num_frames; f++)
        put_frame(texels + (size_t)f * 8, model->model, s->surface, f);
    bool made = make_table(model->gl, &s->frame_table, GL_UNIT_FRAMES, GL_RGBA32F, GL_RGBA,
                           GL_FLOAT, count, error);
    if (made)
        fill_table(&s->frame_table, GL_RGBA, GL_FLOAT, 16, count, texels);
    free(texels);
    return made;
}

static void make_array(gl_surface *s) {
    glGenVertexArrays(1, &s->crowd_array);
    glBindVertexArray(s->crowd_array);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, s->indices);
    glBindBuffer(GL_ARRAY_BUFFER, s->buffer);
    glVertexAttribPointer(GL_ATTRIBUTE_ST, 2, GL_FLOAT, GL_FALSE, 0, lm_gl_place(s->st));
    glEnableVertexAttribArray(GL_ATTRIBUTE_ST);
    for (GLuint i = GL_ATTRIBUTE_ROWS; i <= GL_ATTRIBUTE_POSE; i++) {
        glEnableVertexAttribArray(i);
        glVertexAttribDivisor(i, 1);
    }
    glBindVertexArray(0);
}

static void free_tables(gl_surface *s) {
    gl_table *tables[] = {&s->key_table, &s->delta_table, &s->frame_table};
    for (int i = 0; i < 3; i++) {
        glDeleteTextures(1, &tables[i]->texture);
        *tables[i] = (gl_table){0};
    }
}

bool lm_gl_need_crowd(lm_gl_model *model, gl_surface *s, lm_error *error) {
    if (s->crowd_array)
        return true;
    if (copy_vertices(model->gl, s, error) && make_frames(model, s, error) &&
        lm_gl_made("the frames of a crowd", error)) {
        make_array(s);
        return true;
    }
    free_tables(s);
    return false;
}

/* ---- Instances ----------------------------------------------------------------------------- */

#define INSTANCE_FLOATS 16

static void pack_instance(float *out, const lm_gl_instance *instance) {
    const lm_gl_transform *t = &instance->transform;
    const float packed[INSTANCE_FLOATS] = {
        t->axis[0].x,
        t->axis[1].x,
        t->axis[2].x,
        t->origin.x,
        t->axis[0].y,
        t->axis[1].y,
        t->axis[2].y,
        t->origin.y,
        t->axis[0].z,
        t->axis[1].z,
        t->axis[2].z,
        t->origin.z,
        (float)instance->pose.frame_a,
        (float)instance->pose.frame_b,
        instance->pose.t,
        0,
    };
    for (int i = 0; i < INSTANCE_FLOATS; i++)
        out[i] = packed[i];
}

bool lm_gl_upload_instances(const lm_gl *gl, const lm_gl_instance *instances, uint32_t count,
                            lm_error *error) {
    size_t size = (size_t)count * INSTANCE_FLOATS * sizeof(float);
    float *packed = malloc(size);
    if (!packed)
        return lm_gl_fail(error, LM_CODE_OUT_OF_MEMORY, "gl: there is not enough memory");
    for (uint32_t i = 0; i < count; i++)
        pack_instance(packed + (size_t)i * INSTANCE_FLOATS, &instances[i]);
    glBindBuffer(GL_ARRAY_BUFFER, gl->stream);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)size, packed, GL_STREAM_DRAW);
    free(packed);
    return lm_gl_made("the instances of a crowd", error);
}

void lm_gl_bind_crowd(const lm_gl *gl, const gl_surface *s) {
    glBindVertexArray(s->crowd_array);
    glBindBuffer(GL_ARRAY_BUFFER, gl->stream);
    for (GLuint i = 0; i < 4; i++)
        glVertexAttribPointer(GL_ATTRIBUTE_ROWS + i, 4, GL_FLOAT, GL_FALSE,
                              INSTANCE_FLOATS * sizeof(float), lm_gl_place(i * 4 * sizeof(float)));
}

/* ---- Drawing ------------------------------------------------------------------------------- */

static void bind_table(GLenum unit, const gl_table *table, GLint layout) {
    glActiveTexture(GL_TEXTURE0 + unit);
    glBindTexture(GL_TEXTURE_2D, table->texture);
    glUniform1i(layout, table->width);
}

void lm_gl_set_tables(const lm_gl_model *model, const gl_surface *s, const gl_program *program) {
    bind_table(GL_UNIT_KEYS, &s->key_table, program->key_layout);
    bind_table(GL_UNIT_DELTAS, &s->delta_table, program->delta_layout);
    bind_table(GL_UNIT_FRAMES, &s->frame_table, program->frame_layout);
    glUniform1i(program->num_vertices, (GLint)s->surface->num_vertices);
    glUniform1f(program->delta_scale, model->model->delta_scale);
    glUniform1f(program->add_normals, model->model->delta_normals_add);
}

static bool draw_surface(lm_gl_model *model, uint32_t index, const lm_gl_view *view,
                         uint32_t num_instances, const lm_gl_style *style, lm_error *error) {
    gl_surface *s = &model->surfaces[index];
    if (s->num_runs == 0)
        return true;
    gl_pass pass = lm_gl_pass_of(s, index, style, true);
    const gl_program *program = NULL;
    if (lm_gl_need_crowd(model, s, error))
        program = lm_gl_use_program(model->gl, pass.variant, error);
    if (!program)
        return false;
    lm_gl_set_pass(model->gl, program, &pass, view);
    lm_gl_set_tables(model, s, program);
    lm_gl_bind_crowd(model->gl, s);
    return lm_gl_draw_runs(model->gl, s, style, (GLsizei)num_instances, error);
}

static bool check_poses(const lm_gl_model *model, const lm_gl_instance *instances, uint32_t count,
                        lm_error *error) {
    if (count > INT32_MAX)
        return lm_gl_fail(error, LM_CODE_LIMIT, "gl: a crowd of %u is too large", count);
    for (uint32_t i = 0; i < count; i++)
        if (!lm_gl_sound_pose(model->model, instances[i].pose))
            return lm_gl_fail(error, LM_CODE_BAD_ARGUMENT,
                              "gl: instance %u is in no pose of %u frames", i,
                              model->model->num_frames);
    return true;
}

bool lm_gl_draw_crowd(lm_gl_model *model, const lm_gl_view *view, const lm_gl_instance *instances,
                      uint32_t num_instances, const lm_gl_style *style, lm_error *error) {
    const lm_gl_style plain = {0};
    if (!lm_gl_alive(model->gl, error) || !check_poses(model, instances, num_instances, error))
        return false;
    if (num_instances == 0)
        return true;
    if (!lm_gl_upload_instances(model->gl, instances, num_instances, error))
        return false;
    style = style ? style : &plain;
    lm_gl_set_state(style);
    for (uint32_t i = 0; i < model->model->num_surfaces; i++)
        if (!draw_surface(model, i, view, num_instances, style, error))
            return false;
    glBindVertexArray(0);
    return true;
}
