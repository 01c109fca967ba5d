/* Element buffers: triangles, strips and fans, edges. */
#include "gl_internal.h"

#include <stdlib.h>

/* Indices of 2 bytes where they reach, else of 4. The largest number starts a new strip or fan. */
typedef struct index_list {
    uint32_t *wide;
    uint16_t *narrow; /* one of the two */
    size_t count;
} index_list;

static bool make_list(index_list *list, size_t capacity, bool narrow, lm_error *error) {
    size_t size = narrow ? sizeof *list->narrow : sizeof *list->wide;
    void *memory = capacity <= INT32_MAX ? malloc(capacity * size + 1) : NULL;
    *list = (index_list){narrow ? NULL : memory, narrow ? memory : NULL, 0};
    return memory || lm_gl_fail(error, LM_CODE_OUT_OF_MEMORY, "gl: there is not enough memory");
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

static bool upload_list(index_list *list, GLuint *buffer, lm_error *error) {
    /* Without a vertex array, so that none takes this for its element buffer. */
    glBindVertexArray(0);
    glGenBuffers(1, buffer);
    glBindBuffer(GL_ARRAY_BUFFER, *buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(list->count * index_size(list)),
                 list->narrow ? (const void *)list->narrow : (const void *)list->wide,
                 GL_STATIC_DRAW);
    free(list->narrow);
    free(list->wide);
    return lm_gl_made("the triangles of a surface", error);
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

/* All strips, then all fans: each kind is one draw. */
static void list_commands(gl_surface *s, const lm_gl_commands *commands, index_list *list) {
    for (int fan = 0; fan <= 1; fan++) {
        size_t first = list->count;
        for (uint32_t i = 0; i < commands->num_primitives; i++) {
            const lm_gl_primitive *primitive = &commands->primitives[i];
            if (primitive->fan != (fan == 1) || primitive->count < 3)
                continue;
            if (list->count > first)
                put_index(list, UINT32_MAX);
            for (uint32_t v = 0; v < primitive->count; v++)
                put_index(list, commands->drawn[primitive->first + v]);
        }
        add_run(s, list, fan ? GL_TRIANGLE_FAN : GL_TRIANGLE_STRIP, first);
    }
}

bool lm_gl_make_indices(gl_surface *s, const lm_gl_commands *commands, lm_error *error) {
    bool narrow = s->surface->num_vertices <= UINT16_MAX;
    size_t most = commands ? commands->num_vertices + (size_t)commands->num_primitives
                           : 3 * (size_t)s->surface->num_triangles;
    index_list list;
    if (!make_list(&list, most, narrow, error))
        return false;
    s->index_type = narrow ? GL_UNSIGNED_SHORT : GL_UNSIGNED_INT;
    if (commands)
        list_commands(s, commands, &list);
    else
        list_triangles(s, &list);
    return upload_list(&list, &s->indices, error);
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
    return upload_list(&list, &s->edges, error);
}
