/* Element buffers for triangles, strips, fans and edges. */
#include "gl_internal.h"

#include <stdlib.h>

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
    return memory || lm_gl_no_memory(error);
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
    return lm_gl_created(gl, "the triangles of a surface", error);
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

static uint32_t last_index(const index_list *list) {
    return list->narrow ? list->narrow[list->count - 1] : list->wide[list->count - 1];
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
    put_index(list, last_index(list));
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

bool lm_gl_make_indices(gl_surface *s, const lm_gl_commands *commands, lm_error *error) {
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

bool lm_gl_need_edges(gl_surface *s, lm_error *error) {
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
