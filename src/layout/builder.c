#include "layout/builder.h"

#include "core/report.h"

#include <stdio.h>
#include <string.h>

struct lm_layout_builder {
    lm_bytes file;
    lm_arena *arena; /* the layout's */
    lm_field *fields;
    lm_lump *lumps;
    lm_layout_detail *details;
    size_t num_fields, field_capacity, num_lumps, lump_capacity, detail_capacity;
    uint32_t first_field; /* of the next header */
    const char *part;
    uint32_t index;
    uint64_t end;
};

size_t lmi_printable(const uint8_t *field, size_t size, char *out) {
    static const char digits[] = "0123456789abcdef";
    size_t length = 0;
    for (size_t i = 0; i < size && field[i]; i++) {
        bool plain = field[i] >= 0x20 && field[i] < 0x7f;
        const char escape[4] = {'\\', 'x', digits[field[i] >> 4], digits[field[i] & 15]};
        if (out && plain)
            out[length] = (char)field[i];
        else if (out)
            memcpy(out + length, escape, sizeof escape);
        length += plain ? 1 : sizeof escape;
    }
    if (out)
        out[length] = '\0';
    return length;
}

void lmi_layout_field(lm_layout_builder *builder, size_t offset, lm_cell_type type, size_t length,
                      const char *name, const char *meaning) {
    const uint8_t *bytes = builder->file.data + offset;
    lm_field field = {.offset = offset, .name = name, .meaning = meaning};
    if (type == LM_CELL_TEXT) {
        char *text = lmi_arena_alloc(builder->arena, lmi_printable(bytes, length, NULL) + 1, 1);
        if (text)
            lmi_printable(bytes, length, text);
        field.text = text;
    } else if (type == LM_CELL_F32) {
        field.is_real = true;
        field.real = lmi_get_f32(bytes);
    } else {
        field.value = lmi_get_s32(bytes);
    }
    if (lmi_arena_grow(builder->arena, &builder->fields, &builder->field_capacity,
                       builder->num_fields + 1, sizeof field))
        builder->fields[builder->num_fields++] = field;
}

/* Returns the name with its part in front, "surface 3 NAME"; outside parts, the name itself. */
static const char *full_name(const lm_layout_builder *builder, const char *name) {
    return builder->part ? lmi_arena_printf(builder->arena, *name ? "%s %u %s" : "%s %u%s",
                                            builder->part, (unsigned)builder->index, name)
                         : name;
}

static uint64_t saturating_sum(uint64_t a, uint64_t b) {
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static uint64_t saturating_product(uint64_t a, uint64_t b) {
    return b && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

static void add_lump(lm_layout_builder *builder, const char *name, const lm_table *table) {
    lm_lump lump = {.name = full_name(builder, name)};
    lump.offset = table->offset;
    lump.count = table->groups * table->count;
    lump.element_size = table->stride;
    lump.size = saturating_sum(saturating_product(lump.count, table->stride), table->extra);
    lump.end = saturating_sum(table->offset, lump.size);
    lump.outside = lump.size > 0 && lump.end > builder->file.size;
    lump.first_field = builder->first_field;
    if (!table->shape)
        lump.num_fields = (uint32_t)builder->num_fields - builder->first_field;
    const size_t need = builder->num_lumps + 1;
    if (!lmi_arena_grow(builder->arena, &builder->lumps, &builder->lump_capacity, need,
                        sizeof lump) ||
        !lmi_arena_grow(builder->arena, &builder->details, &builder->detail_capacity, need,
                        sizeof *builder->details))
        return;
    builder->details[builder->num_lumps] =
        (lm_layout_detail){builder->part, builder->index, *table};
    builder->lumps[builder->num_lumps++] = lump;
}

void lmi_layout_header(lm_layout_builder *builder, const char *name, size_t offset, size_t size) {
    add_lump(builder, name, &(lm_table){.offset = offset, .groups = 1, .count = 1, .stride = size});
    builder->first_field = (uint32_t)builder->num_fields;
}

void lmi_layout_lump(lm_layout_builder *builder, const lm_shape *shape, uint64_t offset,
                     uint64_t groups, uint64_t count, uint64_t element_size, uint64_t extra) {
    add_lump(builder, shape->name,
             &(lm_table){.shape = shape,
                         .offset = offset,
                         .groups = groups,
                         .count = count,
                         .stride = element_size,
                         .group_stride = count * element_size,
                         .extra = extra});
}

void lmi_layout_part(lm_layout_builder *builder, const char *part, uint32_t index) {
    builder->part = part;
    builder->index = index;
}

void lmi_layout_end(lm_layout_builder *builder, int32_t ofs_end) {
    builder->end = (uint32_t)ofs_end;
}

/* ---- Gaps and overlaps --------------------------------------------------------------------- */

/* The part of a lump that is inside the file. */
typedef struct extent {
    size_t offset, end;
    uint32_t lump;
} extent;

static bool comes_before(const extent *a, const extent *b) {
    if (a->offset != b->offset)
        return a->offset < b->offset;
    return a->end != b->end ? a->end < b->end : a->lump < b->lump;
}

/* Sifts the extent at `root` down a heap with the last extent on top. */
static void sink(extent *extents, size_t root, size_t count) {
    extent moving = extents[root];
    for (size_t child = 2 * root + 1; child < count; child = 2 * root + 1) {
        if (child + 1 < count && comes_before(&extents[child], &extents[child + 1]))
            child++;
        if (!comes_before(&moving, &extents[child]))
            break;
        extents[root] = extents[child];
        root = child;
    }
    extents[root] = moving;
}

/* Sorts with heap sort: O(n log n) in the worst case and, unlike qsort, never allocates memory. */
static void sort_extents(extent *extents, size_t count) {
    for (size_t root = count / 2; root-- > 0;)
        sink(extents, root, count);
    for (size_t last = count; last-- > 1;) {
        extent top = extents[0];
        extents[0] = extents[last];
        extents[last] = top;
        sink(extents, 0, last);
    }
}

static size_t collect_extents(const lm_layout *layout, extent *extents) {
    size_t count = 0;
    for (uint32_t i = 0; i < layout->num_lumps; i++) {
        const lm_lump *lump = &layout->lumps[i];
        uint64_t end = lump->end < layout->file_size ? lump->end : layout->file_size;
        if (lump->offset < end)
            extents[count++] = (extent){(size_t)lump->offset, (size_t)end, i};
    }
    return count;
}

/* Finds gaps and overlaps in the order of the offsets. Reports one overlap per lump, with the
 * earlier lump that ends last. So there are at most two spans per lump and two at the end. */
static void find_spans(lm_layout *layout, lm_span *spans, extent *extents, uint64_t named_end) {
    size_t count = collect_extents(layout, extents);
    size_t covered = 0;
    const char *last = NULL;
    uint32_t found = 0;
    sort_extents(extents, count);
    for (size_t i = 0; i < count; i++) {
        const extent *next = &extents[i];
        const char *name = layout->lumps[next->lump].name;
        if (next->offset > covered)
            spans[found++] = (lm_span){covered, next->offset - covered, LM_SPAN_GAP, last, name};
        size_t shared_end = next->end < covered ? next->end : covered;
        if (next->offset < covered)
            spans[found++] =
                (lm_span){next->offset, shared_end - next->offset, LM_SPAN_OVERLAP, last, name};
        if (next->end > covered) {
            covered = next->end;
            last = name;
        }
    }
    size_t end = named_end < layout->file_size ? (size_t)named_end : layout->file_size;
    if (end > covered) {
        spans[found++] = (lm_span){covered, end - covered, LM_SPAN_GAP, last, NULL};
        covered = end;
    }
    if (layout->file_size > covered)
        spans[found++] =
            (lm_span){covered, layout->file_size - covered, LM_SPAN_TRAILING, last, NULL};
    layout->spans = spans;
    layout->num_spans = found;
}

/* ---- Building ------------------------------------------------------------------------------ */

static bool fill_layout(const lm_layout_builder *builder, lm_layout_block *block) {
    lm_arena scratch = {.heap = builder->arena->heap};
    const uint64_t num_lumps = builder->num_lumps;
    lm_span *spans = lmi_arena_alloc(builder->arena, 2 * num_lumps + 2, sizeof *spans);
    extent *extents = lmi_arena_alloc(&scratch, num_lumps, sizeof *extents);
    block->layout.file_size = builder->file.size;
    block->layout.num_fields = (uint32_t)builder->num_fields;
    block->layout.fields = builder->fields;
    block->layout.num_lumps = (uint32_t)num_lumps;
    block->layout.lumps = builder->lumps;
    block->details = builder->details;
    if (spans && extents)
        find_spans(&block->layout, spans, extents, builder->end);
    lmi_arena_free(&scratch);
    return spans && extents;
}

lm_layout_block *lmi_layout_build(lm_bytes file, const char *format,
                                  void (*describe)(lm_bytes file, lm_layout_builder *builder),
                                  lm_heap *heap) {
    lm_layout_block *block = lmi_object(heap, sizeof *block);
    if (!block)
        return lmi_heap_diagnose(heap);
    lm_layout_builder builder = {.file = file, .arena = lmi_arena_of(block)};
    block->layout.format = format;
    describe(file, &builder);
    bool done = !lmi_arena_failed(builder.arena);
    if (done && builder.num_lumps == 0) {
        lmi_fail(heap->call.error, LM_CODE_TRUNCATED, format, "header", file.size,
                 "the file ends inside its header");
        done = lmi_call_end(&heap->call, LM_FAILED);
    }
    block = lmi_object_end(block, done && fill_layout(&builder, block));
    return block ? block : lmi_heap_diagnose(heap);
}
