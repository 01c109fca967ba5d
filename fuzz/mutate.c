/* Mutations that leave a model mostly intact, mixed with libFuzzer's own.
 *
 * A readable file is edited: a list with other elements, a new tag or skin, moved vertices. Writing
 * it makes the offsets right. Any file is changed by its layout: a header field gets a troublesome
 * number or another field's value, an element of a lump is mutated alone, a lump is copied over
 * another. Both use the library's own descriptions, so that a new format is supported at once. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

/* ---- Fields and elements ------------------------------------------------------------------- */

/* Numbers at which bounds checks, signs and products overflow. */
static const uint32_t troubles[] = {0,          1,          2,          3,          4,
                                    255,        256,        0xFFFF,     0x10000,    0x7FFFFFFF,
                                    0x80000000, 0xFFFFFFFF, 0xFFFFFFFC, 0x40000000, 0x15555556,
                                    0x7F800000, 0x7FC00000, 0x00000001, 0x80000001, 0x7F7FFFFF};

static uint32_t get32(const uint8_t *at) {
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static void put32(uint8_t *at, uint32_t value) {
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

static void change_field(const lm_layout *layout, uint8_t *data, size_t size, uint32_t *state) {
    const lm_field *field = &layout->fields[fuzz_chance(state, layout->num_fields)];
    const lm_field *other = &layout->fields[fuzz_chance(state, layout->num_fields)];
    uint8_t *at = data + field->offset;
    if (field->text && field->offset + 16 <= size) {
        LLVMFuzzerMutate(at, 16, 16);
        return;
    }
    switch (fuzz_chance(state, 5)) {
    case 0:
        put32(at, troubles[fuzz_chance(state, sizeof troubles / sizeof *troubles)]);
        break;
    case 1:
        put32(at, get32(at) + fuzz_chance(state, 9) - 4);
        break;
    case 2:
        put32(at, get32(data + other->offset));
        break;
    case 3: /* the start or end of a lump, or just before the end of the file */
        if (layout->num_lumps) {
            const lm_lump *lump = &layout->lumps[fuzz_chance(state, layout->num_lumps)];
            put32(at, (uint32_t)(fuzz_chance(state, 2) ? lump->offset : lump->end));
        } else {
            put32(at, (uint32_t)size - fuzz_chance(state, 16));
        }
        break;
    default:
        LLVMFuzzerMutate(at, 4, 4);
    }
}

/* Chooses a lump that lies in the file at least in part; NULL if the random choices found none. */
static const lm_lump *choose_lump(const lm_layout *layout, size_t size, uint32_t *state) {
    for (int tries = 0; layout->num_lumps && tries < 4; tries++) {
        const lm_lump *lump = &layout->lumps[fuzz_chance(state, layout->num_lumps)];
        if (lump->count && lump->element_size && lump->element_size <= size &&
            lump->offset <= size - lump->element_size)
            return lump;
    }
    return NULL;
}

static size_t choose_element(const lm_lump *lump, size_t size, uint32_t *state) {
    const uint64_t there = (size - lump->offset) / lump->element_size;
    const uint64_t count = lump->count < there ? lump->count : there;
    return lump->offset + (size_t)lump->element_size * fuzz_chance(state, (size_t)count);
}

static void change_element(const lm_layout *layout, uint8_t *data, size_t size, uint32_t *state) {
    const lm_lump *lump = choose_lump(layout, size, state);
    if (!lump)
        return;
    const size_t element = (size_t)lump->element_size;
    uint8_t *at = data + choose_element(lump, size, state);
    if (element >= 4 && fuzz_chance(state, 2))
        put32(at + (fuzz_chance(state, element / 4) * 4),
              troubles[fuzz_chance(state, sizeof troubles / sizeof *troubles)]);
    else if (element >= 4 && fuzz_chance(state, 2))
        LLVMFuzzerMutate(at + (fuzz_chance(state, element / 4) * 4), 4, 4);
    else
        LLVMFuzzerMutate(at, element, element);
}

/* Copies an element over another, of the same lump or of any. */
static void copy_element(const lm_layout *layout, uint8_t *data, size_t size, uint32_t *state) {
    const lm_lump *from = choose_lump(layout, size, state);
    const lm_lump *to = fuzz_chance(state, 4) ? from : choose_lump(layout, size, state);
    if (!from || !to)
        return;
    const size_t length =
        (size_t)(from->element_size < to->element_size ? from->element_size : to->element_size);
    memmove(data + choose_element(to, size, state), data + choose_element(from, size, state),
            length);
}

/* Returns the size, which these changes keep. */
static size_t change_in_place(uint8_t *data, size_t size, uint32_t *state) {
    lm_layout *layout = lm_layout_memory(data, size, NULL, NULL);
    for (uint32_t changes = layout && layout->num_fields ? 1 + fuzz_chance(state, 3) : 0;
         changes > 0; changes--) {
        const uint32_t kind = fuzz_chance(state, 5);
        if (kind < 2)
            change_field(layout, data, size, state);
        else if (kind < 4)
            change_element(layout, data, size, state);
        else
            copy_element(layout, data, size, state);
    }
    lm_layout_free(layout);
    return size;
}

/* ---- Inputs -------------------------------------------------------------------------------- */

/* Edits a file, and writes it to `data` if it fits. Returns the new size, or 0 if nothing was
 * written. */
static size_t edit_file(uint8_t *data, size_t size, size_t max, uint32_t *state) {
    lm_error error;
    lm_buffer out = {.max_size = max};
    lm_edit *edit = lm_edit_open(data, size, NULL, &error);
    if (edit && fuzz_edit_step(edit, state, &error) && lm_edit_write(edit, &out, &error))
        memcpy(data, out.data, out.size);
    const size_t written = out.size;
    lm_buffer_free(&out);
    lm_edit_free(edit);
    return written;
}

/* Mutates a file: a model as described above, anything else by libFuzzer. Returns its new size. */
static size_t change_file(uint8_t *data, size_t size, size_t max, uint32_t *state) {
    const uint32_t kind = fuzz_chance(state, 8);
    if (!lm_format_of(data, size) || kind < 2)
        return LLVMFuzzerMutate(data, size, max);
    const size_t changed = kind < 5 ? edit_file(data, size, max, state) : 0;
    return changed ? changed : change_in_place(data, size, state);
}

/* Returns the start of a part's file: after its path, if it has one. */
static size_t file_start(const uint8_t *part, size_t size) {
    const uint8_t *end = lm_format_of(part, size) ? NULL : memchr(part, '\n', size);
    const size_t start = end ? (size_t)(end - part) + 1 : 0;
    return start && lm_format_of(part + start, size - start) ? start : 0;
}

/* Chooses a part of an input of several files, if there are separators, and returns its bounds in
 * the file. */
static void choose_part(const uint8_t *data, size_t *begin, size_t *end, uint32_t *state) {
    size_t starts[FUZZ_MAX_PARTS] = {0}, count = 1;
    for (size_t i = 0; i + FUZZ_SEPARATOR_SIZE <= *end && count < FUZZ_MAX_PARTS; i++)
        if (i >= starts[count - 1] && memcmp(data + i, FUZZ_SEPARATOR, FUZZ_SEPARATOR_SIZE) == 0)
            starts[count++] = i + FUZZ_SEPARATOR_SIZE;
    const size_t part = fuzz_chance(state, count);
    *begin = starts[part];
    if (part + 1 < count)
        *end = starts[part + 1] - FUZZ_SEPARATOR_SIZE;
    *begin += *end > *begin ? file_start(data + *begin, *end - *begin) : 0;
}

/* Adds or changes choices. Returns the new size. */
static size_t change_choices(uint8_t *data, size_t size, size_t max, uint32_t *state) {
    const size_t file = fuzz_file_size(data, size);
    if (file + FUZZ_TAIL > max)
        return size;
    for (size_t i = 0; i + 1 < FUZZ_TAIL; i++)
        data[file + i] = (uint8_t)fuzz_chance(state, 256);
    data[file + FUZZ_TAIL - 1] = FUZZ_MARK;
    return file + FUZZ_TAIL;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed) {
    uint32_t c = seed;
    const uint32_t kind = fuzz_chance(&c, 16);
    size_t begin = 0, end = fuzz_file_size(data, size);
    if (kind == 0)
        return LLVMFuzzerMutate(data, size, max_size);
    if (kind == 1)
        return change_choices(data, size, max_size, &c);
    choose_part(data, &begin, &end, &c);
    const size_t after = size - end, room = max_size - begin - after;
    uint8_t *part = malloc(room + 1);
    if (!part)
        return size;
    memcpy(part, data + begin, end - begin);
    size_t changed = change_file(part, end - begin, room, &c);
    if (changed > room) /* libFuzzer makes one byte even if there is no room */
        changed = room;
    memmove(data + begin + changed, data + end, after);
    memcpy(data + begin, part, changed);
    free(part);
    return begin + changed + after;
}
