/* Uploads a model: the packed frames of each surface, once. */
#include "gl_internal.h"

#include <stdlib.h>
#include <string.h>

#define BATCH ((size_t)1 << 20) /* bytes per upload */

/* Rows of packed vertices, each at data + row * stride with `size` bytes per vertex. */
typedef struct packed_rows {
    const uint8_t *data;
    size_t stride, size;
    uint32_t num_rows;
} packed_rows;

/* Copies a row in drawing order: the file's vertices, followed by the copies for seams. */
static void gather_row(const lm_surface *surface, const uint8_t *row, size_t size, uint8_t *out) {
    size_t num_file = surface->num_file_vertices;
    memcpy(out, row, num_file * size);
    for (size_t v = num_file; v < surface->num_vertices; v++)
        memcpy(out + v * size, row + surface->file_vertices[v] * size, size);
}

/* Converts the file's little-endian shorts to the machine's byte order. */
static void order_shorts(uint8_t *bytes, size_t size) {
    for (size_t i = 0; i < size; i += 2) {
        uint16_t value = (uint16_t)(bytes[i] | bytes[i + 1] << 8);
        memcpy(bytes + i, &value, sizeof value);
    }
}

/* Uploads the rows to the bound buffer from `offset` on, without padding. Combines many rows per
 * call, because a call costs a browser as much as some kilobytes. */
static bool upload_rows(const lm_gl *gl, const lm_surface *surface, const packed_rows *rows,
                        bool shorts, size_t offset, lm_error *error) {
    const size_t size = surface->num_vertices * rows->size;
    const uint32_t per_batch = size < BATCH ? (uint32_t)(BATCH / size) : 1;
    const uint32_t max_rows = per_batch < rows->num_rows ? per_batch : rows->num_rows;
    uint8_t *batch = malloc(size * max_rows + 1);
    if (!batch)
        return lm_gl_no_memory(error);
    for (uint32_t first = 0, count = max_rows; first < rows->num_rows; first += count) {
        if (count > rows->num_rows - first)
            count = rows->num_rows - first;
        for (size_t r = 0; r < count; r++)
            gather_row(surface, rows->data + (first + r) * rows->stride, rows->size,
                       batch + r * size);
        if (shorts)
            order_shorts(batch, count * size);
        gl->api.BufferSubData(GL_ARRAY_BUFFER, (GLintptr)(offset + first * size),
                              (GLsizeiptr)(count * size), batch);
    }
    free(batch);
    return true;
}

static void plan_buffer(gl_surface *s, size_t *size) {
    const lm_surface *surface = s->surface;
    size_t count = surface->num_vertices;
    s->key_row = count * surface->key_size;
    s->delta_row = count * 4;
    s->keys = 0;
    s->deltas = s->key_row * surface->num_keys;
    s->st = s->deltas + s->delta_row * surface->num_deltas;
    *size = s->st + count * sizeof *surface->st;
}

static bool upload_vertices(gl_surface *s, lm_error *error) {
    const lm_gl *gl = s->gl;
    const lm_surface *surface = s->surface;
    size_t size;
    plan_buffer(s, &size);
    gl->api.GenBuffers(1, &s->buffer);
    gl->api.BindBuffer(GL_ARRAY_BUFFER, s->buffer);
    gl->api.BufferData(GL_ARRAY_BUFFER, (GLsizeiptr)size, NULL, GL_STATIC_DRAW);
    if (!lm_gl_created(gl, "the frames of a surface", error))
        return false;
    packed_rows keys = {surface->keys, surface->key_stride, surface->key_size, surface->num_keys};
    packed_rows deltas = {surface->deltas, surface->delta_stride, 4, surface->num_deltas};
    if (!upload_rows(gl, surface, &keys, surface->encoding == LM_VERTEX_S16, s->keys, error) ||
        !upload_rows(gl, surface, &deltas, false, s->deltas, error))
        return false;
    gl->api.BufferSubData(GL_ARRAY_BUFFER, (GLintptr)s->st,
                          (GLsizeiptr)(surface->num_vertices * sizeof *surface->st), surface->st);
    return lm_gl_created(gl, "the frames of a surface", error);
}

void lm_gl_enable_sides(const gl_surface *s, unsigned first, unsigned end) {
    for (unsigned i = first; i < end; i++) {
        s->gl->api.EnableVertexAttribArray(GL_ATTRIBUTE_KEY + i);
        if (s->decode == GL_DECODE_S16_DELTA)
            s->gl->api.EnableVertexAttribArray(GL_ATTRIBUTE_DELTA + i);
    }
}

GLuint lm_gl_begin_array(const gl_surface *s) {
    const lm_gl *gl = s->gl;
    GLuint array = 0;
    gl->api.GenVertexArrays(1, &array);
    gl->api.BindVertexArray(array);
    gl->api.BindBuffer(GL_ELEMENT_ARRAY_BUFFER, s->indices);
    gl->api.BindBuffer(GL_ARRAY_BUFFER, s->buffer);
    gl->api.VertexAttribPointer(GL_ATTRIBUTE_ST, 2, GL_FLOAT, GL_FALSE, 0, lm_gl_offset(s->st));
    gl->api.EnableVertexAttribArray(GL_ATTRIBUTE_ST);
    return array;
}

static bool upload_surface(const lm_gl *gl, gl_surface *s, const lm_surface *surface,
                           const lm_gl_commands *commands, lm_error *error) {
    s->gl = gl;
    s->surface = surface;
    s->decode = surface->encoding == LM_VERTEX_U8                  ? GL_DECODE_U8
                : surface->frame_deltas && surface->num_deltas > 0 ? GL_DECODE_S16_DELTA
                                                                   : GL_DECODE_S16;
    if (surface->num_vertices == 0)
        return true;
    if (!upload_vertices(s, error) || !lm_gl_make_indices(s, commands, error))
        return false;
    /* Create the vertex array for single draws; a pose only changes its pointers. */
    s->array = lm_gl_begin_array(s);
    lm_gl_enable_sides(s, 0, 2);
    s->gl->api.BindVertexArray(0);
    return true;
}

static lm_gl_model *find_model(lm_gl *gl, const lm_model *model) {
    lm_gl_model *m = gl->models;
    while (m && m->model != model)
        m = m->next;
    return m;
}

static lm_gl_model *upload_model(lm_gl *gl, const lm_model *model, lm_error *error) {
    lm_gl_model *m = calloc(1, sizeof *m);
    gl_surface *surfaces = calloc(model->num_surfaces + (size_t)1, sizeof *surfaces);
    if (!m || !surfaces) {
        lm_gl_no_memory(error);
        free(m);
        free(surfaces);
        return NULL;
    }
    *m = (lm_gl_model){gl, model, surfaces, 1, gl->models};
    gl->models = m;
    const lm_gl_commands *commands = model->gl_commands.drawn ? &model->gl_commands : NULL;
    for (uint32_t i = 0; i < model->num_surfaces; i++)
        if (!upload_surface(gl, &surfaces[i], &model->surfaces[i], commands, error)) {
            lm_gl_model_free(m);
            return NULL;
        }
    return m;
}

lm_gl_model *lm_gl_model_new(lm_gl *gl, const lm_model *model, lm_error *error) {
    lm_gl_model *found = find_model(gl, model);
    if (!lm_gl_ready(gl, error))
        return NULL;
    if (!found)
        return upload_model(gl, model, error);
    found->num_owners++;
    return found;
}

static void free_surface(const lm_gl *gl, gl_surface *s) {
    const GLuint buffers[] = {s->buffer, s->indices, s->edges};
    const GLuint arrays[] = {s->array, s->instances_array};
    const GLuint textures[] = {s->key_table.texture, s->delta_table.texture};
    gl->api.DeleteVertexArrays(2, arrays);
    gl->api.DeleteBuffers(3, buffers);
    gl->api.DeleteTextures(2, textures);
}

void lm_gl_model_free(lm_gl_model *model) {
    if (!model || --model->num_owners > 0)
        return;
    lm_gl_model **link = &model->gl->models;
    while (*link != model)
        link = &(*link)->next;
    *link = model->next;
    for (uint32_t i = 0; i < model->model->num_surfaces && !model->gl->lost; i++)
        free_surface(model->gl, &model->surfaces[i]);
    free(model->surfaces);
    free(model);
}
