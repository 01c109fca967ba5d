#include "encode/encoding.h"

#include "core/index.h"
#include "core/report.h"
#include "core/text.h"
#include "math/vectors.h"

#include <stdio.h>
#include <string.h>

bool lm_encode_note(lm_encoding *encoding, lm_code code, const char *section, uint32_t index,
                    const char *sentence, ...) {
    va_list arguments;
    va_start(arguments, sentence);
    const uint32_t surface = strcmp(section, "surfaces") == 0 ? index : 0;
    const lm_diagnostic note = {.location = {section, 0, surface, index},
                                .code = code,
                                .severity = lm_code_severity(code),
                                .count = 1};
    const bool done =
        lm_diagnostics_vprintf(&encoding->notes, &encoding->arena, note, sentence, arguments);
    va_end(arguments);
    return done;
}

/* Returns the start of the part of a long name that must be kept: its number, or in a path the part
 * from the last slash on, if that fits. */
static size_t tail_of(const char *name, size_t length, size_t room) {
    const char *slash = strrchr(name, '/');
    size_t start = length;
    if (slash && length - (size_t)(slash - name) < room)
        return (size_t)(slash - name);
    while (start > 0 && name[start - 1] >= '0' && name[start - 1] <= '9')
        start--;
    return length - start < room ? start : length - room;
}

bool lm_encode_name(uint8_t *field, size_t size, const char *name) {
    const size_t length = strlen(name), room = size - 1;
    memset(field, 0, size);
    if (length <= room) {
        memcpy(field, name, length + 1);
        return true;
    }
    const size_t tail = tail_of(name, length, room), head = length - tail;
    memcpy(field, name, room - head);
    memcpy(field + room - head, name + tail, head);
    return false;
}

bool lm_encode_text(lm_encoding *encoding, uint8_t *field, size_t size, const char *name,
                    const char *section, const char *whose, uint32_t index) {
    const int singular = (int)strlen(section) - 1;
    return lm_encode_name(field, size, name) ||
           lm_encode_note(encoding, LM_CODE_NAME_SHORTENED, section, index,
                          "%.*s %u: %s \"%s\" has more than %u bytes and is shortened", singular,
                          section, (unsigned)index, whose, name, (unsigned)(size - 1));
}

bool lm_same_materials(const lm_mesh_surface *a, const lm_mesh_surface *b) {
    bool same = a->num_materials == b->num_materials;
    for (uint32_t i = 0; same && i < a->num_materials; i++)
        same = strcmp(a->materials[i].name, b->materials[i].name) == 0;
    return same;
}

/* ---- Trajectories ------------------------------------------------------------------------- */

typedef struct trajectories {
    uint32_t num_frames, num_vertices;
    const float *positions;
    const uint16_t *normals;
} trajectories;

static bool same(const void *context, uint32_t a, uint32_t b) {
    const trajectories *t = context;
    for (uint32_t f = 0; f < t->num_frames; f++) {
        const size_t row = (size_t)f * t->num_vertices;
        const float *p = t->positions + 3 * (row + a), *q = t->positions + 3 * (row + b);
        if (t->normals[row + a] != t->normals[row + b] || p[0] != q[0] || p[1] != q[1] ||
            p[2] != q[2])
            return false;
    }
    return true;
}

bool lm_weld_trajectories(uint32_t num_frames, uint32_t num_vertices, const float *positions,
                          const uint16_t *normals, uint32_t *firsts, lm_heap *heap) {
    const trajectories t = {num_frames, num_vertices, positions, normals};
    uint64_t *keys = lm_heap_alloc(heap, num_vertices, sizeof *keys);
    if (!keys)
        return false;
    memset(keys, 0, t.num_vertices * sizeof *keys);
    const float *p = t.positions;
    const uint16_t *normal = t.normals;
    for (uint32_t f = 0; f < t.num_frames; f++)
        for (uint32_t v = 0; v < t.num_vertices; v++, p += 3)
            keys[v] = lm_hash(lm_hash_vec3(keys[v], lm_vec3_at(p, 0)), *normal++);
    const bool done = lm_find_equal(num_vertices, keys, same, &t, firsts, heap);
    lm_heap_free(heap, keys, num_vertices * sizeof *keys);
    return done;
}
