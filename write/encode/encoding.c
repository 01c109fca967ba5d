#include "encode/encoding.h"

#include "core/report.h"
#include "core/text.h"

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
