/* Uploads a model: the packed frames of each surface, once. */
#include "gl_internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- Indices ------------------------------------------------------------------------------ */

/* Indices of 2 bytes if they suffice, else of 4. The largest value restarts a strip or fan. */
typedef struct index_list {
    uint32_t *wide;
    uint16_t *narrow; /* one of the two is used */
    size_t count;
} index_list;

static bool make_list(index_list *list, size_t capacity, bool narrow, lm_error *error) {
    size_t size = narrow ? sizeof *list->narrow : sizeof *list->wide;
    void *memory = capacity <= INT32_MAX ? malloc(capacity * size + 1) : NULL;
    *list = (index_list){narrow ? NULL : memory, narrow ? memory : NULL, 0};
    return memory || lmi_gl_no_memory(error);
}

static void put_index(index_list *list, uint32_t index) {
    if (list->narrow)
        list->narrow[list->count++] = (uint16_t)index;
    else if (list->wide)
        list->wide[list->count++] = index;
}

static size_t index_size(const index_list *list) {
    return list->narrow ? sizeof *list->narrow : sizeof *list->wide;
}

static bool upload_list(const lm_gl *gl, index_list *list, GLuint *buffer, lm_error *error) {
    /* Bind it without a vertex array, so that no array adopts this as its element buffer. In WebGL,
     * a buffer first bound to another target can never become an element buffer. Core OpenGL has no
     * element buffer without a vertex array. */
    const GLenum target = gl->es ? GL_ELEMENT_ARRAY_BUFFER : GL_ARRAY_BUFFER;
    gl->api.BindVertexArray(0);
    gl->api.GenBuffers(1, buffer);
    gl->api.BindBuffer(target, *buffer);
    gl->api.BufferData(target, (GLsizeiptr)(list->count * index_size(list)),
                       list->narrow ? (const void *)list->narrow : (const void *)list->wide,
                       GL_STATIC_DRAW);
    free(list->narrow);
    free(list->wide);
    return lmi_gl_created(gl, "the triangles of a surface", error);
}

static void add_run(gl_surface *s, const index_list *list, GLenum mode, size_t first) {
    if (list->count > first)
        s->runs[s->num_runs++] =
            (gl_run){mode, (GLsizei)(list->count - first), first * index_size(list)};
}

static void list_triangles(gl_surface *s, index_list *list) {
    const lm_surface *surface = s->surface;
    for (size_t i = 0; i < 3 * (size_t)surface->num_triangles; i++)
        put_index(list, surface->triangles[i]);
    add_run(s, list, GL_TRIANGLES, 0);
}

/* GL commands become up to three draws: a list of the triangles of short commands, all strips, all
 * fans. A software driver treats every restart as a separate draw, so degenerate triangles join the
 * strips. Joining short commands would cost more than listing their triangles. */
typedef enum command_kind {
    COMMAND_LISTED,
    COMMAND_STRIP,
    COMMAND_FAN,
    NUM_COMMAND_KINDS
} command_kind;

#define SHORT_COMMAND 8 /* in vertices */
#define MAX_SPREAD 3    /* indices per vertex: as a list, or with the joints of long strips */

static command_kind kind_of(const lm_gl_primitive *primitive) {
    return primitive->count <= SHORT_COMMAND ? COMMAND_LISTED
           : primitive->fan                  ? COMMAND_FAN
                                             : COMMAND_STRIP;
}

/* Joins the next command to the list since `start`. A strip begins at an even position, which keeps
 * its winding. */
static void put_joint(index_list *list, size_t start, command_kind kind, uint32_t first) {
    if (list->count == start || kind == COMMAND_LISTED)
        return;
    if (kind == COMMAND_FAN) {
        put_index(list, UINT32_MAX);
        return;
    }
    put_index(list, list->narrow ? list->narrow[list->count - 1] : list->wide[list->count - 1]);
    put_index(list, first);
    if ((list->count - start) % 2 == 1)
        put_index(list, first);
}

static void put_kind(index_list *list, const lm_gl_commands *commands, command_kind kind) {
    size_t start = list->count;
    for (uint32_t i = 0; i < commands->num_primitives; i++) {
        const lm_gl_primitive *primitive = &commands->primitives[i];
        const uint32_t *drawn = commands->drawn + primitive->first;
        if (primitive->count < 3 || kind_of(primitive) != kind)
            continue;
        put_joint(list, start, kind, drawn[0]);
        if (kind == COMMAND_LISTED) {
            /* Every second triangle of a strip has the opposite winding. */
            for (uint32_t v = 0; v + 2 < primitive->count; v++) {
                bool odd = !primitive->fan && v % 2 == 1;
                put_index(list, drawn[primitive->fan ? 0 : v + odd]);
                put_index(list, drawn[v + !odd]);
                put_index(list, drawn[v + 2]);
            }
        }
        for (uint32_t v = 0; v < primitive->count && kind != COMMAND_LISTED; v++)
            put_index(list, drawn[v]);
    }
}

static bool gl_make_indices(gl_surface *s, const lm_gl_commands *commands, lm_error *error) {
    bool narrow = s->surface->num_vertices <= UINT16_MAX;
    size_t capacity = commands ? MAX_SPREAD * (size_t)commands->num_vertices
                               : 3 * (size_t)s->surface->num_triangles;
    index_list list;
    if (!make_list(&list, capacity, narrow, error))
        return false;
    s->index_type = narrow ? GL_UNSIGNED_SHORT : GL_UNSIGNED_INT;
    if (commands) {
        static const GLenum modes[NUM_COMMAND_KINDS] = {GL_TRIANGLES, GL_TRIANGLE_STRIP,
                                                        GL_TRIANGLE_FAN};
        for (unsigned kind = 0; kind < NUM_COMMAND_KINDS; kind++) {
            size_t start = list.count;
            put_kind(&list, commands, (command_kind)kind);
            add_run(s, &list, modes[kind], start);
        }
    } else
        list_triangles(s, &list);
    return upload_list(s->gl, &list, &s->indices, error);
}

bool lmi_gl_need_edges(gl_surface *s, lm_error *error) {
    const lm_surface *surface = s->surface;
    index_list list;
    if (s->edges)
        return true;
    if (!make_list(&list, 6 * (size_t)surface->num_triangles, s->index_type == GL_UNSIGNED_SHORT,
                   error))
        return false;
    for (size_t i = 0; i < 3 * (size_t)surface->num_triangles; i++) {
        put_index(&list, surface->triangles[i]);
        put_index(&list, surface->triangles[i % 3 == 2 ? i - 2 : i + 1]);
    }
    s->edge_run = (gl_run){GL_LINES, (GLsizei)list.count, 0};
    return upload_list(s->gl, &list, &s->edges, error);
}

/* ---- Models ------------------------------------------------------------------------------- */

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

/* Uploads the rows to the bound buffer from `offset` on, without padding. Combines many rows per
 * call, because a call costs a browser as much as some kilobytes. */
static bool upload_rows(const lm_gl *gl, const lm_surface *surface, const packed_rows *rows,
                        bool shorts, size_t offset, lm_error *error) {
    const size_t size = surface->num_vertices * rows->size;
    const uint32_t per_batch = size < BATCH ? (uint32_t)(BATCH / size) : 1;
    const uint32_t max_rows = per_batch < rows->num_rows ? per_batch : rows->num_rows;
    uint8_t *batch = malloc(size * max_rows + 1);
    if (!batch)
        return lmi_gl_no_memory(error);
    for (uint32_t first = 0, count = max_rows; first < rows->num_rows; first += count) {
        if (count > rows->num_rows - first)
            count = rows->num_rows - first;
        for (size_t r = 0; r < count; r++)
            gather_row(surface, rows->data + (first + r) * rows->stride, rows->size,
                       batch + r * size);
        if (shorts) {
            /* Convert the file's little-endian shorts to the machine's byte order. */
            for (size_t i = 0; i < count * size; i += 2) {
                uint16_t value = (uint16_t)(batch[i] | batch[i + 1] << 8);
                memcpy(batch + i, &value, sizeof value);
            }
        }
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
    if (!lmi_gl_created(gl, "the frames of a surface", error))
        return false;
    packed_rows keys = {surface->keys, surface->key_stride, surface->key_size, surface->num_keys};
    packed_rows deltas = {surface->deltas, surface->delta_stride, 4, surface->num_deltas};
    if (!upload_rows(gl, surface, &keys, surface->encoding == LM_VERTEX_S16, s->keys, error) ||
        !upload_rows(gl, surface, &deltas, false, s->deltas, error))
        return false;
    gl->api.BufferSubData(GL_ARRAY_BUFFER, (GLintptr)s->st,
                          (GLsizeiptr)(surface->num_vertices * sizeof *surface->st), surface->st);
    return lmi_gl_created(gl, "the frames of a surface", error);
}

void lmi_gl_enable_sides(const gl_surface *s, unsigned first, unsigned end) {
    for (unsigned i = first; i < end; i++) {
        s->gl->api.EnableVertexAttribArray(GL_ATTRIBUTE_KEY + i);
        if (s->decode == GL_DECODE_S16_DELTA)
            s->gl->api.EnableVertexAttribArray(GL_ATTRIBUTE_DELTA + i);
    }
}

GLuint lmi_gl_begin_array(const gl_surface *s) {
    const lm_gl *gl = s->gl;
    GLuint array = 0;
    gl->api.GenVertexArrays(1, &array);
    gl->api.BindVertexArray(array);
    gl->api.BindBuffer(GL_ELEMENT_ARRAY_BUFFER, s->indices);
    gl->api.BindBuffer(GL_ARRAY_BUFFER, s->buffer);
    gl->api.VertexAttribPointer(GL_ATTRIBUTE_ST, 2, GL_FLOAT, GL_FALSE, 0, lmi_gl_offset(s->st));
    gl->api.EnableVertexAttribArray(GL_ATTRIBUTE_ST);
    return array;
}

static bool upload_surface(const lm_gl *gl, gl_surface *s, const lm_surface *surface,
                           const lm_gl_commands *commands, lm_error *error) {
    s->gl = gl;
    s->surface = surface;
    s->decode = surface->weights                                   ? GL_DECODE_FLOAT
                : surface->encoding == LM_VERTEX_U8                ? GL_DECODE_U8
                : surface->frame_deltas && surface->num_deltas > 0 ? GL_DECODE_S16_DELTA
                                                                   : GL_DECODE_S16;
    if (surface->num_vertices == 0)
        return true;
    if (surface->weights)
        return gl_make_indices(s, commands, error);
    if (!upload_vertices(s, error) || !gl_make_indices(s, commands, error))
        return false;
    /* Create the vertex array for single draws; a pose only changes its pointers. */
    s->array = lmi_gl_begin_array(s);
    lmi_gl_enable_sides(s, 0, 2);
    s->gl->api.BindVertexArray(0);
    return true;
}

static lm_gl_model *upload_model(lm_gl *gl, const lm_model *model, lm_error *error) {
    lm_gl_model *m = calloc(1, sizeof *m);
    gl_surface *surfaces = calloc(model->num_surfaces + (size_t)1, sizeof *surfaces);
    if (!m || !surfaces) {
        lmi_gl_no_memory(error);
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
    lm_gl_model *found = gl->models;
    if (!lmi_gl_ready(gl, error))
        return NULL;
    while (found && found->model != model)
        found = found->next;
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
