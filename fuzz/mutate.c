/* Mutations that leave a model mostly intact, mixed with libFuzzer's own.
 *
 * A readable file is changed as a document: one element more or less of something that a header
 * counts, a duplicated surface, two swapped elements. Writing it makes the offsets right. Any file
 * is changed by its layout: a header field gets a troublesome number or another field's value, an
 * element of a lump is mutated alone, a lump is copied over another. Both use the library's own
 * descriptions, so that a new format is supported at once. */
#include "fuzz.h"

#include "formats/edit_document.h"
#include "formats/writer.h"

#include <stdlib.h>
#include <string.h>

/* ---- Chance -------------------------------------------------------------------------------- */

typedef struct chance {
    uint64_t state;
} chance;

static uint32_t chance_below(chance *c, size_t limit) {
    c->state = c->state * 6364136223846793005u + 1442695040888963407u;
    return limit ? (uint32_t)((c->state >> 33) % limit) : 0;
}

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

static void change_field(const lm_layout *layout, uint8_t *data, size_t size, chance *c) {
    const lm_field *field = &layout->fields[chance_below(c, layout->num_fields)];
    const lm_field *other = &layout->fields[chance_below(c, layout->num_fields)];
    uint8_t *at = data + field->offset;
    if (field->text && field->offset + 16 <= size) {
        LLVMFuzzerMutate(at, 16, 16);
        return;
    }
    switch (chance_below(c, 5)) {
    case 0:
        put32(at, troubles[chance_below(c, sizeof troubles / sizeof *troubles)]);
        break;
    case 1:
        put32(at, get32(at) + chance_below(c, 9) - 4);
        break;
    case 2:
        put32(at, get32(data + other->offset));
        break;
    case 3: /* the start or end of a lump, or just before the end of the file */
        if (layout->num_lumps) {
            const lm_lump *lump = &layout->lumps[chance_below(c, layout->num_lumps)];
            put32(at, (uint32_t)(chance_below(c, 2) ? lump->offset : lump->end));
        } else {
            put32(at, (uint32_t)size - chance_below(c, 16));
        }
        break;
    default:
        LLVMFuzzerMutate(at, 4, 4);
    }
}

/* Chooses a lump that lies in the file at least in part; NULL if the random choices found none. */
static const lm_lump *choose_lump(const lm_layout *layout, size_t size, chance *c) {
    for (int tries = 0; layout->num_lumps && tries < 4; tries++) {
        const lm_lump *lump = &layout->lumps[chance_below(c, layout->num_lumps)];
        if (lump->count && lump->element_size && lump->element_size <= size &&
            lump->offset <= size - lump->element_size)
            return lump;
    }
    return NULL;
}

static size_t choose_element(const lm_lump *lump, size_t size, chance *c) {
    const uint64_t there = (size - lump->offset) / lump->element_size;
    const uint64_t count = lump->count < there ? lump->count : there;
    return lump->offset + (size_t)lump->element_size * chance_below(c, (size_t)count);
}

static void change_element(const lm_layout *layout, uint8_t *data, size_t size, chance *c) {
    const lm_lump *lump = choose_lump(layout, size, c);
    if (!lump)
        return;
    const size_t element = (size_t)lump->element_size;
    uint8_t *at = data + choose_element(lump, size, c);
    if (element >= 4 && chance_below(c, 2))
        put32(at + (chance_below(c, element / 4) * 4),
              troubles[chance_below(c, sizeof troubles / sizeof *troubles)]);
    else if (element >= 4 && chance_below(c, 2))
        LLVMFuzzerMutate(at + (chance_below(c, element / 4) * 4), 4, 4);
    else
        LLVMFuzzerMutate(at, element, element);
}

/* Copies an element over another, of the same lump or of any. */
static void copy_element(const lm_layout *layout, uint8_t *data, size_t size, chance *c) {
    const lm_lump *from = choose_lump(layout, size, c);
    const lm_lump *to = chance_below(c, 4) ? from : choose_lump(layout, size, c);
    if (!from || !to)
        return;
    const size_t length =
        (size_t)(from->element_size < to->element_size ? from->element_size : to->element_size);
    memmove(data + choose_element(to, size, c), data + choose_element(from, size, c), length);
}

/* Returns the size, which these changes keep. */
static size_t change_in_place(uint8_t *data, size_t size, chance *c) {
    lm_layout *layout = lm_layout_memory(data, size, NULL, NULL);
    for (uint32_t changes = layout && layout->num_fields ? 1 + chance_below(c, 3) : 0; changes > 0;
         changes--) {
        const uint32_t kind = chance_below(c, 5);
        if (kind < 2)
            change_field(layout, data, size, c);
        else if (kind < 4)
            change_element(layout, data, size, c);
        else
            copy_element(layout, data, size, c);
    }
    lm_layout_free(layout);
    return size;
}

/* ---- Documents ----------------------------------------------------------------------------- */

#define MAX_BLOCKS 64

/* A document being edited, its description, and the memory made for it. */
typedef struct editing {
    const lm_header *header;
    void *document;
    void *blocks[MAX_BLOCKS];
    size_t num_blocks;
} editing;

static void *make_block(editing *e, size_t size) {
    if (e->num_blocks == MAX_BLOCKS)
        return NULL;
    void *block = calloc(size ? size : 1, 1);
    e->blocks[e->num_blocks] = block;
    e->num_blocks += block != NULL;
    return block;
}

/* Copies rows of `count` elements each, with element `index` duplicated or removed. */
static bool resize_rows(editing *e, const lm_header_lump *lump, void *owner, uint64_t rows,
                        uint64_t count, size_t element, uint64_t index, bool more) {
    const uint8_t *from = lm_lump_data(lump, owner);
    const uint64_t after = more ? count + 1 : count - 1;
    if (!from) /* the lump is absent, so there is nothing to resize */
        return true;
    uint8_t *to = make_block(e, (size_t)(rows * after * element));
    if (!to)
        return false;
    lm_set_lump_data(lump, owner, to);
    for (uint64_t r = 0; r < rows; r++, from += count * element, to += after * element) {
        const size_t head = (size_t)(more ? index + 1 : index) * element;
        const size_t skip = (size_t)(more ? index : index + 1) * element;
        memcpy(to, from, head);
        memcpy(to + head, from + skip, (size_t)(count * element) - skip);
    }
    return true;
}

/* Resizes a lump of `owner` for one element more or less in `member`. `document`: the owner of that
 * member, if different. */
static bool resize_lump(editing *e, const lm_header_lump *lump, void *owner, bool of_document,
                        size_t member, uint64_t index, bool more) {
    const lm_extent extent = lm_lump_extent(lump, e->document, owner);
    const uint64_t groups = lump->groups.member ? lm_lump_groups(lump, e->document, owner) : 1;
    const uint64_t count = groups ? extent.count / groups : 0;
    if (lump->chain || !extent.element)
        return true;
    if (lump->count.member == member && lump->count.of_document == of_document)
        return resize_rows(e, lump, owner, groups, count, extent.element, index, more);
    if (lump->groups.member == member && lump->groups.of_document == of_document)
        return resize_rows(e, lump, owner, 1, groups, (size_t)count * extent.element, index, more);
    return true;
}

static bool resize_owner(editing *e, const lm_header *header, void *owner, bool of_document,
                         size_t member, uint64_t index, bool more) {
    bool done = true;
    for (size_t i = 0; done && i < header->lumps.count; i++)
        done = resize_lump(e, &header->lumps.list[i], owner, of_document, member, index, more);
    return done;
}

/* Returns the chain of surfaces, or NULL if the format has none. */
static const lm_header_lump *chain_of(const lm_header *header) {
    for (size_t i = 0; i < header->lumps.count; i++)
        if (header->lumps.list[i].chain)
            return &header->lumps.list[i];
    return NULL;
}

static void *surface_at(const editing *e, const lm_header_lump *chain, int32_t index) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): not const, for the document owns its structs
    uint8_t *first = (uint8_t *)(uintptr_t)lm_lump_data(chain, e->document);
    return first + (size_t)index * chain->chain->struct_size;
}

/* Duplicates or removes a surface. */
static bool resize_chain(editing *e, const lm_header_lump *chain, uint64_t index, bool more) {
    const int32_t count = lm_number(e->document, chain->count.member);
    if (!resize_rows(e, chain, e->document, 1, (uint64_t)count, chain->chain->struct_size, index,
                     more))
        return false;
    lm_set_number(e->document, chain->count.member, count + (more ? 1 : -1));
    return true;
}

/* Changes a counting member of the header; `owner` is the document or a surface. */
static bool resize_count(editing *e, const lm_header *header, void *owner, size_t member,
                         uint64_t index, bool more) {
    const lm_header_lump *chain = chain_of(e->header);
    const int32_t count = lm_number(owner, member);
    bool done = resize_owner(e, header, owner, false, member, index, more);
    if (owner == e->document && chain)
        for (int32_t s = 0; done && s < lm_number(owner, chain->count.member); s++)
            done =
                resize_owner(e, chain->chain, surface_at(e, chain, s), true, member, index, more);
    lm_set_number(owner, member, count + (more ? 1 : -1));
    return done;
}

/* Adds or removes one of something that is counted. Returns false if the random choices found
 * nothing to count. */
static bool edit(editing *e, chance *c) {
    const lm_header_lump *chain = chain_of(e->header);
    const int32_t surfaces = chain ? lm_number(e->document, chain->count.member) : 0;
    const lm_header *header = e->header;
    void *owner = e->document;
    if (surfaces > 0 && chance_below(c, 2)) {
        header = chain->chain;
        owner = surface_at(e, chain, (int32_t)chance_below(c, (size_t)surfaces));
    }
    const lm_header_field *field = &header->fields.list[chance_below(c, header->fields.count)];
    if (field->kind != LM_HEADER_COUNT)
        return false;
    const int32_t count = lm_number(owner, field->member);
    /* Without described lumps, elements cannot be duplicated. */
    const bool more = header->lumps.count && chance_below(c, 3) > 0;
    if (count < 1 || count > 1024)
        return false;
    const uint64_t index = chance_below(c, (size_t)count);
    if (owner == e->document && chain && field->member == chain->count.member)
        return resize_chain(e, chain, index, more);
    return resize_count(e, header, owner, field->member, index, more);
}

/* Changes a document. Writes it to `data` if it fits. Returns the new size, or 0 if nothing was
 * written. */
static size_t change_document(uint8_t *data, size_t size, size_t max, chance *c) {
    const lm_format *format = lm_find_format((lm_bytes){data, size});
    const lm_writer *writer = format ? lm_find_writer(format->info.name) : NULL;
    void *document = writer ? lm_read_document(writer->edit->kind, data, size, NULL, NULL) : NULL;
    if (!document)
        return 0;
    const lm_header *header = format->header;
    editing e = {.header = header, .document = document};
    lm_buffer out = {.max_size = max};
    const bool done = edit(&e, c) && lm_put_as(writer->edit, document, &out, NULL);
    void *again =
        done ? lm_read_document(writer->edit->kind, out.data, out.size, NULL, NULL) : NULL;
    const size_t written = again ? out.size : 0;
    if (written)
        memcpy(data, out.data, written);
    lm_free_document(header, again);
    lm_free_document(header, document);
    lm_buffer_free(&out);
    for (size_t i = 0; i < e.num_blocks; i++)
        free(e.blocks[i]);
    return written;
}

/* ---- Inputs -------------------------------------------------------------------------------- */

/* Mutates a file: a model as described above, anything else by libFuzzer. Returns its new size. */
static size_t change_file(uint8_t *data, size_t size, size_t max, chance *c) {
    const uint32_t kind = chance_below(c, 8);
    if (!lm_format_of(data, size) || kind < 2)
        return LLVMFuzzerMutate(data, size, max);
    const size_t changed = kind < 5 ? change_document(data, size, max, c) : 0;
    return changed ? changed : change_in_place(data, size, c);
}

/* Returns the start of a part's file: after its path, if it has one. */
static size_t file_start(const uint8_t *part, size_t size) {
    const uint8_t *end = lm_format_of(part, size) ? NULL : memchr(part, '\n', size);
    const size_t start = end ? (size_t)(end - part) + 1 : 0;
    return start && lm_format_of(part + start, size - start) ? start : 0;
}

/* Chooses a part of an input of several files, if there are separators, and returns its bounds in
 * the file. */
static void choose_part(const uint8_t *data, size_t *begin, size_t *end, chance *c) {
    size_t starts[FUZZ_MAX_PARTS] = {0}, count = 1;
    for (size_t i = 0; i + FUZZ_SEPARATOR_SIZE <= *end && count < FUZZ_MAX_PARTS; i++)
        if (i >= starts[count - 1] && memcmp(data + i, FUZZ_SEPARATOR, FUZZ_SEPARATOR_SIZE) == 0)
            starts[count++] = i + FUZZ_SEPARATOR_SIZE;
    const size_t part = chance_below(c, count);
    *begin = starts[part];
    if (part + 1 < count)
        *end = starts[part + 1] - FUZZ_SEPARATOR_SIZE;
    *begin += *end > *begin ? file_start(data + *begin, *end - *begin) : 0;
}

/* Adds or changes choices. Returns the new size. */
static size_t change_choices(uint8_t *data, size_t size, size_t max, chance *c) {
    const size_t file = fuzz_file_size(data, size);
    if (file + FUZZ_TAIL > max)
        return size;
    put32(data + file, chance_below(c, (size_t)1 << 31) ^ chance_below(c, (size_t)1 << 31) << 1);
    data[file + FUZZ_TAIL - 1] = FUZZ_MARK;
    return file + FUZZ_TAIL;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed) {
    chance c = {seed};
    const uint32_t kind = chance_below(&c, 16);
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
