/* Draws a model: in a pose, or many instances in one draw call. */
#include "gl_internal.h"

#include <stdlib.h>
#include <string.h>

static lm_vec3 color_of(const lm_gl_style *style, const lm_gl_texture *texture) {
    const lm_vec3 white = {1, 1, 1}, grey = {0.66f, 0.66f, 0.66f}, blue = {0.35f, 0.55f, 0.85f};
    if (style->shade != LM_GL_SHADE_WIRE && texture)
        return white;
    if (style->color.x != 0 || style->color.y != 0 || style->color.z != 0)
        return style->color;
    return style->shade == LM_GL_SHADE_WIRE ? blue : grey;
}

static gl_paint paint_of(lm_gl_shade shade, const lm_gl_texture *texture) {
    switch (shade) {
    case LM_GL_SHADE_STUDIO:
        return GL_PAINT_STUDIO;
    case LM_GL_SHADE_ENGINE:
        return GL_PAINT_ENGINE;
    case LM_GL_SHADE_TEXTURE:
        return texture ? GL_PAINT_TEXTURE : GL_PAINT_STUDIO;
    case LM_GL_SHADE_NORMALS:
        return GL_PAINT_NORMALS;
    case LM_GL_SHADE_UV:
        return GL_PAINT_UV;
    case LM_GL_SHADE_WIRE:
        break;
    }
    return GL_PAINT_COLOR;
}

/* Returns how to paint a surface; the caller sets the variant's `instanced` and `cross_fade`. */
static gl_pass pass_of(const lm_gl_model *model, uint32_t index, const lm_gl_style *style) {
    const lm_gl_texture *texture = index < style->num_textures ? style->textures[index] : NULL;
    if (!texture)
        texture = style->texture;
    lm_gl_alpha alpha = style->alpha;
    if (alpha == LM_GL_ALPHA_AUTO)
        alpha = texture ? texture->alpha : LM_GL_ALPHA_OPAQUE;
    bool wire = style->shade == LM_GL_SHADE_WIRE;
    gl_variant variant = {.decode = model->surfaces[index].decode,
                          .paint = paint_of(style->shade, texture),
                          .alpha_test = alpha == LM_GL_ALPHA_TEST && !wire};
    return (gl_pass){variant,
                     texture,
                     color_of(style, texture),
                     alpha == LM_GL_ALPHA_BLEND,
                     lmi_gl_engine_light(style->engine, model->model),
                     style};
}

void lmi_gl_set_state(const lm_gl *gl, const lm_gl_style *style) {
    gl->api.Enable(GL_DEPTH_TEST);
    gl->api.DepthFunc(GL_LEQUAL);
    gl->api.DepthMask(GL_TRUE);
    gl->api.FrontFace(GL_CW);
    gl->api.CullFace(GL_BACK);
    (style->two_sided ? gl->api.Disable : gl->api.Enable)(GL_CULL_FACE);
    gl->api.BlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
}

void lmi_gl_set_pass(const lm_gl *gl, const gl_program *program, const gl_pass *pass,
                     const lm_gl_view *view) {
    (pass->blend ? gl->api.Enable : gl->api.Disable)(GL_BLEND);
    gl->api.UniformMatrix4fv(program->view, 1, GL_FALSE, view->matrix);
    gl->api.Uniform2f(program->test, 0.5f, 1);
    gl->api.Uniform1f(program->cover, pass->blend ? GL_COVER_ALPHA : GL_COVER_ALL);
    gl->api.Uniform3f(program->color, pass->color.x, pass->color.y, pass->color.z);
    if (pass->variant.paint == GL_PAINT_STUDIO)
        lmi_gl_set_studio(gl, program, view, pass->style);
    if (pass->variant.paint == GL_PAINT_ENGINE)
        lmi_gl_set_engine(gl, program, pass->light);
    gl->api.ActiveTexture(GL_TEXTURE0 + GL_UNIT_NORMALS);
    gl->api.BindTexture(GL_TEXTURE_2D, gl->normals);
    gl->api.ActiveTexture(GL_TEXTURE0 + GL_UNIT_TEXTURE);
    gl->api.BindTexture(GL_TEXTURE_2D, pass->texture ? pass->texture->name : gl->white);
}

/* ---- Poses --------------------------------------------------------------------------------- */

lm_code lmi_gl_sample(const lm_model *model, uint32_t surface, const lm_gl_instance *instance,
                      const lm_sample_target *target) {
    return lm_sample_blend(model, surface, &instance->pose, &instance->to, instance->weight,
                           target);
}

lm_code lmi_gl_sample_tag(const lm_model *model, uint32_t tag, const lm_gl_instance *instance,
                          lm_transform *out) {
    return lm_sample_tag_blend(model, tag, &instance->pose, &instance->to, instance->weight, out);
}

static void list_pose(const lm_pose *pose, float weight, gl_side sides[2]) {
    sides[0] = (gl_side){pose->frame_a, 1 - pose->t, (1 - pose->t) * weight};
    sides[1] = (gl_side){pose->frame_b, pose->t, pose->t * weight};
}

unsigned lmi_gl_list_sides(const lm_gl_instance *instance, gl_side sides[GL_NUM_SIDES]) {
    bool fades = lmi_gl_fades(instance);
    list_pose(instance->weight < 1 ? &instance->pose : &instance->to,
              fades ? 1 - instance->weight : 1, sides);
    list_pose(&instance->to, fades ? instance->weight : 0, sides + 2);
    return fades ? GL_NUM_SIDES : 2;
}

static void point_at_key(const gl_surface *s, GLuint attribute, size_t key) {
    const lm_gl *gl = s->gl;
    bool bytes = s->decode == GL_DECODE_U8;
    gl->api.VertexAttribPointer(attribute, 4, bytes ? GL_UNSIGNED_BYTE : GL_SHORT, GL_FALSE,
                                (GLsizei)s->surface->key_size,
                                lmi_gl_offset(s->keys + key * s->key_row));
}

/* Returns false if the frame has no delta. */
static bool point_at_delta(const gl_surface *s, GLuint attribute, uint32_t frame) {
    const lm_gl *gl = s->gl;
    if (s->decode != GL_DECODE_S16_DELTA)
        return false;
    uint16_t delta = s->surface->frame_deltas[frame];
    size_t row = delta == LM_NO_DELTA ? 0 : delta; /* any row: it is ignored */
    gl->api.VertexAttribPointer(attribute, 4, GL_UNSIGNED_BYTE, GL_FALSE, 4,
                                lmi_gl_offset(s->deltas + row * s->delta_row));
    return delta != LM_NO_DELTA;
}

void lmi_gl_set_pose(const lm_gl_model *model, const gl_surface *s, const gl_program *program,
                     const lm_gl_instance *instance) {
    const lm_gl *gl = s->gl;
    float scale[GL_NUM_SIDES][4], translate[GL_NUM_SIDES][4], replaced[GL_NUM_SIDES];
    gl_side sides[GL_NUM_SIDES];
    const unsigned count = lmi_gl_list_sides(instance, sides);
    gl->api.BindVertexArray(s->array);
    gl->api.BindBuffer(GL_ARRAY_BUFFER, s->buffer);
    if (count > 2)
        lmi_gl_enable_sides(s, 2, count);
    for (unsigned i = 0; i < count; i++) {
        const uint32_t frame = sides[i].frame;
        const lm_frame *f = &model->model->frames[frame];
        const float total = sides[i].total;
        point_at_key(s, GL_ATTRIBUTE_KEY + i,
                     s->surface->frame_keys ? s->surface->frame_keys[frame] : frame);
        bool has_delta = point_at_delta(s, GL_ATTRIBUTE_DELTA + i, frame);
        gl_put(scale[i], f->scale, total, sides[i].share);
        gl_put(translate[i], f->translate, total,
               has_delta ? model->model->delta_scale * total : 0);
        replaced[i] = has_delta;
    }
    gl->api.Uniform4fv(program->scale, (GLsizei)count, *scale);
    gl->api.Uniform4fv(program->translate, (GLsizei)count, *translate);
    gl->api.Uniform1fv(program->replaced, (GLsizei)count, replaced);
    gl->api.Uniform1f(program->weight, instance->weight);
    gl->api.Uniform1f(program->add_normals, model->model->delta_normals_add);
}

/* Computes the vertices of a surface with bones in one instance's poses. */
static bool sample_pose(const lm_gl_model *model, uint32_t index, const lm_gl_instance *instance,
                        lm_error *error) {
    const lm_surface *s = &model->model->surfaces[index];
    gl_generated_vertex *vertices = calloc(s->num_vertices + (size_t)1, sizeof *vertices);
    if (!vertices)
        return lmi_gl_no_memory(error);
    const lm_sample_target target = {.positions = &vertices->position.x,
                                     .normals = &vertices->normal.x,
                                     .stride = sizeof *vertices};
    lmi_gl_sample(model->model, index, instance, &target);
    for (uint32_t v = 0; v < s->num_vertices; v++) {
        vertices[v].st = s->st[v];
        memset(vertices[v].rgba, 255, sizeof vertices[v].rgba);
    }
    const bool uploaded = lmi_gl_upload_generated(model->gl, vertices, s->num_vertices,
                                                  &model->surfaces[index], error);
    free(vertices);
    return uploaded;
}

lm_gl_view lmi_gl_view_of_transformed(const lm_gl_view *view, const lm_transform *t) {
    const lm_vec3 columns[4] = {t->axis[0], t->axis[1], t->axis[2], t->origin};
    lm_gl_view out = *view;
    for (int row = 0; row < 4; row++)
        for (int column = 0; column < 4; column++) {
            const float *m = view->matrix + row;
            double sum = column == 3 ? (double)m[12] : 0;
            sum += (double)m[0] * (double)columns[column].x;
            sum += (double)m[4] * (double)columns[column].y;
            sum += (double)m[8] * (double)columns[column].z;
            out.matrix[4 * column + row] = (float)sum;
        }
    return out;
}

void lmi_gl_set_transform(const lm_gl *gl, const gl_program *program, const lm_transform *t) {
    const float axes[9] = {t->axis[0].x, t->axis[0].y, t->axis[0].z, t->axis[1].x, t->axis[1].y,
                           t->axis[1].z, t->axis[2].x, t->axis[2].y, t->axis[2].z};
    gl->api.Uniform3fv(program->axes, 3, axes);
    gl->api.Uniform3f(program->origin, t->origin.x, t->origin.y, t->origin.z);
}

/* ---- Drawing ------------------------------------------------------------------------------- */

static void draw_run(const gl_surface *s, const gl_run *run, GLsizei instances) {
    const lm_gl *gl = s->gl;
    const void *offset = lmi_gl_offset(run->offset);
    if (instances > 0)
        gl->api.DrawElementsInstanced(run->mode, run->count, s->index_type, offset, instances);
    else
        gl->api.DrawElements(run->mode, run->count, s->index_type, offset);
}

/* Switches the restart index that separates fans: the largest index, the only one that ES has. */
static void set_restart(const lm_gl *gl, const gl_surface *s, bool on) {
    GLenum restart = gl->es ? GL_PRIMITIVE_RESTART_FIXED_INDEX : GL_PRIMITIVE_RESTART;
    (on ? gl->api.Enable : gl->api.Disable)(restart);
    if (on && !gl->es)
        gl->api.PrimitiveRestartIndex(s->index_type == GL_UNSIGNED_SHORT ? UINT16_MAX : UINT32_MAX);
}

static void draw_triangles(const lm_gl *gl, const gl_surface *s, GLsizei instances) {
    for (unsigned i = 0; i < s->num_runs; i++) {
        set_restart(gl, s, s->runs[i].mode == GL_TRIANGLE_FAN);
        draw_run(s, &s->runs[i], instances);
    }
    set_restart(gl, s, false);
}

/* Fills the depth buffer slightly farther than the surface, then draws the edges in front of it. */
static bool draw_edges(const lm_gl *gl, gl_surface *s, GLsizei instances, lm_error *error) {
    GLint array;
    gl->api.GetIntegerv(GL_VERTEX_ARRAY_BINDING, &array);
    if (!lmi_gl_need_edges(s, error))
        return false;
    gl->api.BindVertexArray((GLuint)array);
    gl->api.ColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
    gl->api.Enable(GL_POLYGON_OFFSET_FILL);
    gl->api.PolygonOffset(1, 1);
    draw_triangles(gl, s, instances);
    gl->api.Disable(GL_POLYGON_OFFSET_FILL);
    gl->api.ColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    gl->api.BindBuffer(GL_ELEMENT_ARRAY_BUFFER, s->edges);
    draw_run(s, &s->edge_run, instances);
    gl->api.BindBuffer(GL_ELEMENT_ARRAY_BUFFER, s->indices);
    return true;
}

bool lmi_gl_draw_runs(const lm_gl *gl, gl_surface *s, const lm_gl_style *style, GLsizei instances,
                      lm_error *error) {
    if (style->shade == LM_GL_SHADE_WIRE)
        return draw_edges(gl, s, instances, error);
    draw_triangles(gl, s, instances);
    return true;
}

static bool draw_one(lm_gl_model *model, uint32_t index, const lm_gl_view *view,
                     const lm_gl_instance *instance, const lm_gl_style *style, lm_error *error) {
    gl_surface *s = &model->surfaces[index];
    gl_pass pass = pass_of(model, index, style);
    const bool sampled = s->decode == GL_DECODE_FLOAT;
    pass.variant.cross_fade = !sampled && lmi_gl_fades(instance);
    const gl_program *program = lmi_gl_use_program(model->gl, pass.variant, error);
    if (!program || (sampled && !sample_pose(model, index, instance, error)))
        return false;
    const lm_gl_view model_view = lmi_gl_view_of_transformed(view, lmi_gl_place(instance));
    lmi_gl_set_pass(model->gl, program, &pass, &model_view);
    if (!sampled)
        lmi_gl_set_pose(model, s, program, instance);
    lmi_gl_set_transform(model->gl, program, lmi_gl_place(instance));
    return lmi_gl_draw_runs(model->gl, s, style, 0, error);
}

bool lmi_gl_draw_each(lm_gl_model *model, uint32_t index, const lm_gl_view *view,
                      const lm_gl_instance *instances, uint32_t count, const lm_gl_style *style,
                      lm_error *error) {
    for (uint32_t i = 0; model->surfaces[index].num_runs > 0 && i < count; i++)
        if (!draw_one(model, index, view, &instances[i], style, error))
            return false;
    return true;
}

/* ---- Instances ----------------------------------------------------------------------------- */

/* Many in one draw call, each with its own transform and poses. The shader reads their vertices
 * from tables, which the driver copies from the existing buffer. Each instance brings the scales
 * and offsets of its frames. */

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
    table->texture = lmi_gl_make_texture(gl, unit);
    table->shift = shift;
    gl->api.TexImage2D(GL_TEXTURE_2D, 0, (GLint)internal, (GLsizei)width, (GLsizei)height, 0,
                       format, type, NULL);
    return lmi_gl_created(gl, "the frames of instances", error);
}

/* Fills the bound table: first whole rows, then the rest. If an unpack buffer is bound, `data` is
 * an offset in it. */
static void fill_table(const lm_gl *gl, const gl_table *table, GLenum format, GLenum type,
                       size_t texel_size, size_t count, const void *data) {
    size_t width = (size_t)1 << table->shift, rows = count / width;
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
               lmi_gl_offset(s->keys));
    gl->api.BindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    if (s->decode != GL_DECODE_S16_DELTA)
        return true;
    if (!make_table(gl, &s->delta_table, GL_UNIT_DELTAS, GL_RGBA8UI, GL_RGBA_INTEGER,
                    GL_UNSIGNED_BYTE, deltas, error))
        return false;
    gl->api.BindBuffer(GL_PIXEL_UNPACK_BUFFER, s->buffer);
    fill_table(gl, &s->delta_table, GL_RGBA_INTEGER, GL_UNSIGNED_BYTE, 4, deltas,
               lmi_gl_offset(s->deltas));
    gl->api.BindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    return true;
}

bool lmi_gl_need_tables(lm_gl_model *model, gl_surface *s, lm_error *error) {
    if (s->instances_array)
        return true;
    if (copy_vertices(model->gl, s, error) &&
        lmi_gl_created(model->gl, "the frames of instances", error)) {
        const lm_gl *gl = s->gl;
        s->instances_array = lmi_gl_begin_array(s);
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
    unsigned count = lmi_gl_list_sides(instance, sides);
    *out = (packed_instance){.translate = {0, 0, 0, sides[1].share},
                             .fade = {sides[3].share, count > 2 ? instance->weight : 0}};
    pack_transform(lmi_gl_place(instance), out->rows);
    for (unsigned i = 0; i < count; i++)
        out->deltas[i] = pack_side(model, surface, &sides[i],
                                   i < 2 ? out->scale[i] : out->scale_to[i - 2], out->translate);
}

bool lmi_gl_upload_instances(const lm_gl_model *model, const gl_surface *s,
                             const lm_gl_instance *instances, uint32_t count, bool cross_fade,
                             lm_error *error) {
    const lm_gl *gl = s->gl;
    const size_t size = size_of_packed(cross_fade);
    uint8_t *packed = malloc(count * size);
    if (!packed)
        return lmi_gl_no_memory(error);
    for (size_t i = 0; i < count; i++) {
        packed_instance one;
        pack_instance(model->model, s->surface, &instances[i], &one);
        memcpy(packed + i * size, &one, size);
    }
    gl->api.BindBuffer(GL_ARRAY_BUFFER, model->gl->stream);
    gl->api.BufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(count * size), packed, GL_STREAM_DRAW);
    free(packed);
    return lmi_gl_created(gl, "instances", error);
}

void lmi_gl_bind_instances(const lm_gl *gl, const gl_surface *s, bool cross_fade) {
    const size_t size = size_of_packed(cross_fade), vector = sizeof(float[4]);
    gl->api.BindVertexArray(s->instances_array);
    gl->api.BindBuffer(GL_ARRAY_BUFFER, gl->stream);
    for (GLuint i = 0; i < NUM_VECTORS; i++) {
        const bool used = i * vector < size;
        if (used)
            gl->api.VertexAttribPointer(GL_ATTRIBUTE_INSTANCE + i, 4, GL_FLOAT, GL_FALSE,
                                        (GLsizei)size, lmi_gl_offset(i * vector));
        (used ? gl->api.EnableVertexAttribArray
              : gl->api.DisableVertexAttribArray)(GL_ATTRIBUTE_INSTANCE + i);
    }
}

static void bind_table(const lm_gl *gl, GLenum unit, const gl_table *table, GLint layout) {
    gl->api.ActiveTexture(GL_TEXTURE0 + unit);
    gl->api.BindTexture(GL_TEXTURE_2D, table->texture);
    gl->api.Uniform1i(layout, table->shift);
}

void lmi_gl_set_tables(const lm_gl_model *model, const gl_surface *s, const gl_program *program) {
    const lm_gl *gl = s->gl;
    bind_table(gl, GL_UNIT_KEYS, &s->key_table, program->key_layout);
    bind_table(gl, GL_UNIT_DELTAS, &s->delta_table, program->delta_layout);
    gl->api.Uniform1i(program->num_vertices, (GLint)s->surface->num_vertices);
    gl->api.Uniform1f(program->delta_scale, model->model->delta_scale);
    gl->api.Uniform1f(program->add_normals, model->model->delta_normals_add);
}

static bool any_fades(const lm_gl_instance *instances, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (lmi_gl_fades(&instances[i]))
            return true;
    return false;
}

bool lmi_gl_draw_instanced(lm_gl_model *model, uint32_t index, const lm_gl_view *view,
                           const lm_gl_instance *instances, uint32_t count,
                           const lm_gl_style *style, lm_error *error) {
    gl_surface *s = &model->surfaces[index];
    if (s->num_runs == 0)
        return true;
    if (s->decode == GL_DECODE_FLOAT)
        return lmi_gl_draw_each(model, index, view, instances, count, style, error);
    gl_pass pass = pass_of(model, index, style);
    const gl_program *program = NULL;
    pass.variant.instanced = true;
    pass.variant.cross_fade = any_fades(instances, count);
    if (lmi_gl_need_tables(model, s, error) &&
        lmi_gl_upload_instances(model, s, instances, count, pass.variant.cross_fade, error))
        program = lmi_gl_use_program(model->gl, pass.variant, error);
    if (!program)
        return false;
    lmi_gl_set_pass(model->gl, program, &pass, view);
    lmi_gl_set_tables(model, s, program);
    lmi_gl_bind_instances(model->gl, s, pass.variant.cross_fade);
    return lmi_gl_draw_runs(model->gl, s, style, (GLsizei)count, error);
}

/* ---- Models -------------------------------------------------------------------------------- */

bool lm_gl_draw(lm_gl_model *model, const lm_gl_view *view, const lm_gl_instance *instances,
                uint32_t num_instances, const lm_gl_style *style, lm_error *error) {
    const lm_gl_style plain = {0};
    gl_draw_surface *draw = num_instances == 1 ? lmi_gl_draw_each : lmi_gl_draw_instanced;
    style = style ? style : &plain;
    /* Asking for errors makes WebGL wait for the GPU; only these two upload anything. */
    const bool uploads = num_instances > 1 || style->shade == LM_GL_SHADE_WIRE;
    if (!(uploads ? lmi_gl_ready : lmi_gl_alive)(model->gl, error) ||
        !lmi_gl_sound_view(view, error) || !lmi_gl_sound_style(style, error) ||
        !lmi_gl_sound_instances(model->model, instances, num_instances, error))
        return false;
    lmi_gl_set_state(model->gl, style);
    for (uint32_t i = 0; num_instances > 0 && i < model->model->num_surfaces; i++)
        if (!draw(model, i, view, instances, num_instances, style, error))
            return false;
    model->gl->api.BindVertexArray(0);
    return true;
}
