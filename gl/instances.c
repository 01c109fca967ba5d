/* Instances: many in one draw call, each with its own transform and poses. The shader reads their
 * vertices from tables, which the driver copies from the existing buffer. Each instance brings the
 * scales and offsets of its frames. */
#include "gl_internal.h"

#include <stdlib.h>
#include <string.h>

/* An instance as the shader reads it: vectors of four floats. */
typedef struct packed_instance {
    float rows[3][4];   /* of the transform */
    float scale[2][4];  /* times the side's share; w: the key's index */
    float translate[4]; /* the sum over all sides, each times its share; w: t of the pose */
    float deltas[4];    /* the delta's index of each side; -1: none */
    /* The rest is only present for a cross-fade. */
    float scale_to[2][4];
    float fade[4]; /* t of the second pose, its weight */
} packed_instance;

#define NUM_VECTORS ((GLuint)(sizeof(packed_instance) / sizeof(float[4])))

static size_t size_of_packed(bool cross_fade) {
    return cross_fade ? sizeof(packed_instance) : offsetof(packed_instance, scale_to);
}

/* ---- Tables -------------------------------------------------------------------------------- */

#define MIN_SHIFT 8 /* every driver supports textures of 256 */

/* Creates a texture for `count` texels and leaves it bound. */
static bool make_table(const lm_gl *gl, gl_table *table, GLenum unit, GLenum internal,
                       GLenum format, GLenum type, size_t count, lm_error *error) {
    size_t limit = (size_t)gl->max_texture_size;
    GLint shift = MIN_SHIFT;
    while ((count >> shift) >= limit && ((size_t)2 << shift) <= limit)
        shift++;
    size_t width = (size_t)1 << shift, height = (count + width - 1) / width;
    if (height > limit)
        return lm_fail_plain(error, LM_CODE_LIMIT,
                             "gl: instances of this model need a larger texture "
                             "than the driver supports");
    gl->api.GenTextures(1, &table->texture);
    table->shift = shift;
    gl->api.ActiveTexture(GL_TEXTURE0 + unit);
    gl->api.BindTexture(GL_TEXTURE_2D, table->texture);
    gl->api.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    gl->api.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    gl->api.BindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    gl->api.TexImage2D(GL_TEXTURE_2D, 0, (GLint)internal, (GLsizei)width, (GLsizei)height, 0,
                       format, type, NULL);
    return lm_gl_created(gl, "the frames of instances", error);
}

/* Fills the bound table: first whole rows, then the rest. If an unpack buffer is bound, `data` is
 * an offset in it. */
static void fill_table(const lm_gl *gl, const gl_table *table, GLenum format, GLenum type,
                       size_t texel_size, size_t count, const void *data) {
    size_t width = (size_t)1 << table->shift, rows = count / width;
    gl->api.PixelStorei(GL_UNPACK_ALIGNMENT, 4);
    gl->api.TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, (GLsizei)width, (GLsizei)rows, format, type,
                          data);
    if (count > rows * width)
        gl->api.TexSubImage2D(GL_TEXTURE_2D, 0, 0, (GLint)rows, (GLsizei)(count - rows * width), 1,
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
    gl->api.BindBuffer(GL_PIXEL_UNPACK_BUFFER, s->buffer);
    fill_table(gl, &s->key_table, GL_RGBA_INTEGER, type, bytes ? 4 : 8, keys,
               lm_gl_offset(s->keys));
    gl->api.BindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    if (s->decode != GL_DECODE_S16_DELTA)
        return true;
    if (!make_table(gl, &s->delta_table, GL_UNIT_DELTAS, GL_RGBA8UI, GL_RGBA_INTEGER,
                    GL_UNSIGNED_BYTE, deltas, error))
        return false;
    gl->api.BindBuffer(GL_PIXEL_UNPACK_BUFFER, s->buffer);
    fill_table(gl, &s->delta_table, GL_RGBA_INTEGER, GL_UNSIGNED_BYTE, 4, deltas,
               lm_gl_offset(s->deltas));
    gl->api.BindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    return true;
}

bool lm_gl_need_tables(lm_gl_model *model, gl_surface *s, lm_error *error) {
    if (s->instances_array)
        return true;
    if (copy_vertices(model->gl, s, error) &&
        lm_gl_created(model->gl, "the frames of instances", error)) {
        const lm_gl *gl = s->gl;
        s->instances_array = lm_gl_begin_array(s);
        for (GLuint i = 0; i < NUM_VECTORS; i++)
            gl->api.VertexAttribDivisor(GL_ATTRIBUTE_INSTANCE + i, 1);
        gl->api.BindVertexArray(0);
        return true;
    }
    model->gl->api.DeleteTextures(1, &s->key_table.texture);
    model->gl->api.DeleteTextures(1, &s->delta_table.texture);
    s->key_table = s->delta_table = (gl_table){0};
    return false;
}

/* ---- Instances ----------------------------------------------------------------------------- */

static void pack_transform(const lm_transform *t, float rows[3][4]) {
    const lm_vec3 columns[4] = {t->axis[0], t->axis[1], t->axis[2], t->origin};
    for (int i = 0; i < 4; i++) {
        rows[0][i] = columns[i].x;
        rows[1][i] = columns[i].y;
        rows[2][i] = columns[i].z;
    }
}

/* Returns the delta's index. */
static float pack_side(const lm_model *model, const lm_surface *surface, const gl_side *side,
                       float scale[4], float translate[4]) {
    const lm_frame *f = &model->frames[side->frame];
    uint16_t delta = surface->frame_deltas ? surface->frame_deltas[side->frame] : LM_NO_DELTA;
    scale[0] = f->scale.x * side->total;
    scale[1] = f->scale.y * side->total;
    scale[2] = f->scale.z * side->total;
    scale[3] = (float)(surface->frame_keys ? surface->frame_keys[side->frame] : side->frame);
    translate[0] += f->translate.x * side->total;
    translate[1] += f->translate.y * side->total;
    translate[2] += f->translate.z * side->total;
    return delta == LM_NO_DELTA ? -1 : (float)delta;
}

static void pack_instance(const lm_model *model, const lm_surface *surface,
                          const lm_gl_instance *instance, packed_instance *out) {
    gl_side sides[GL_NUM_SIDES];
    unsigned count = lm_gl_list_sides(instance, sides);
    *out = (packed_instance){.translate = {0, 0, 0, sides[1].share},
                             .fade = {sides[3].share, count > 2 ? instance->weight : 0}};
    pack_transform(&instance->transform, out->rows);
    for (unsigned i = 0; i < count; i++)
        out->deltas[i] = pack_side(model, surface, &sides[i],
                                   i < 2 ? out->scale[i] : out->scale_to[i - 2], out->translate);
}

bool lm_gl_upload_instances(const lm_gl_model *model, const gl_surface *s,
                            const lm_gl_instance *instances, uint32_t count, bool cross_fade,
                            lm_error *error) {
    const lm_gl *gl = s->gl;
    const size_t size = size_of_packed(cross_fade);
    uint8_t *packed = malloc(count * size);
    if (!packed)
        return lm_gl_no_memory(error);
    for (size_t i = 0; i < count; i++) {
        packed_instance one;
        pack_instance(model->model, s->surface, &instances[i], &one);
        memcpy(packed + i * size, &one, size);
    }
    gl->api.BindBuffer(GL_ARRAY_BUFFER, model->gl->stream);
    gl->api.BufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(count * size), packed, GL_STREAM_DRAW);
    free(packed);
    return lm_gl_created(gl, "instances", error);
}

void lm_gl_bind_instances(const lm_gl *gl, const gl_surface *s, bool cross_fade) {
    const size_t size = size_of_packed(cross_fade), vector = sizeof(float[4]);
    gl->api.BindVertexArray(s->instances_array);
    gl->api.BindBuffer(GL_ARRAY_BUFFER, gl->stream);
    for (GLuint i = 0; i < NUM_VECTORS; i++) {
        const bool used = i * vector < size;
        if (used)
            gl->api.VertexAttribPointer(GL_ATTRIBUTE_INSTANCE + i, 4, GL_FLOAT, GL_FALSE,
                                        (GLsizei)size, lm_gl_offset(i * vector));
        (used ? gl->api.EnableVertexAttribArray
              : gl->api.DisableVertexAttribArray)(GL_ATTRIBUTE_INSTANCE + i);
    }
}

/* ---- Drawing ------------------------------------------------------------------------------- */

static void bind_table(const lm_gl *gl, GLenum unit, const gl_table *table, GLint layout) {
    gl->api.ActiveTexture(GL_TEXTURE0 + unit);
    gl->api.BindTexture(GL_TEXTURE_2D, table->texture);
    gl->api.Uniform1i(layout, table->shift);
}

void lm_gl_set_tables(const lm_gl_model *model, const gl_surface *s, const gl_program *program) {
    const lm_gl *gl = s->gl;
    bind_table(gl, GL_UNIT_KEYS, &s->key_table, program->key_layout);
    bind_table(gl, GL_UNIT_DELTAS, &s->delta_table, program->delta_layout);
    gl->api.Uniform1i(program->num_vertices, (GLint)s->surface->num_vertices);
    gl->api.Uniform1f(program->delta_scale, model->model->delta_scale);
    gl->api.Uniform1f(program->add_normals, model->model->delta_normals_add);
}

static bool any_fades(const lm_gl_instance *instances, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (lm_gl_fades(&instances[i]))
            return true;
    return false;
}

bool lm_gl_draw_instanced(lm_gl_model *model, uint32_t index, const lm_gl_view *view,
                          const lm_gl_instance *instances, uint32_t count, const lm_gl_style *style,
                          lm_error *error) {
    gl_surface *s = &model->surfaces[index];
    if (s->num_runs == 0)
        return true;
    gl_pass pass = lm_gl_pass_of(model, index, style);
    const gl_program *program = NULL;
    pass.variant.instanced = true;
    pass.variant.cross_fade = any_fades(instances, count);
    if (lm_gl_need_tables(model, s, error) &&
        lm_gl_upload_instances(model, s, instances, count, pass.variant.cross_fade, error))
        program = lm_gl_use_program(model->gl, pass.variant, error);
    if (!program)
        return false;
    lm_gl_set_pass(model->gl, program, &pass, view);
    lm_gl_set_tables(model, s, program);
    lm_gl_bind_instances(model->gl, s, pass.variant.cross_fade);
    return lm_gl_draw_runs(model->gl, s, style, (GLsizei)count, error);
}

bool lm_gl_draw_instances(lm_gl_model *model, const lm_gl_view *view,
                          const lm_gl_instance *instances, uint32_t num_instances,
                          const lm_gl_style *style, lm_error *error) {
    return lm_gl_draw_surfaces(model, view, instances, num_instances, style, lm_gl_draw_instanced,
                               error);
}
