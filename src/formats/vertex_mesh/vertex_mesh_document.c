/* Documents: reading for those who edit, comparing, and writing. */
#include "formats/vertex_mesh/vertex_mesh.h"

/* ---- Reading ------------------------------------------------------------------------------- */

/* What stands behind a document that was read, so that it can be freed. */
typedef struct ownership {
    lm_allocator allocator;
    size_t capacity; /* of the document's surfaces */
} ownership;

static size_t owned_size(const lm_mesh_kind *kind) {
    return kind->file.struct_size + sizeof(ownership);
}

static void *read_with(const lm_mesh_kind *kind, lm_bytes file, lm_heap *heap,
                       lm_reporter *reporter) {
    char *document = lm_heap_alloc(heap, 1, owned_size(kind));
    if (!document)
        return NULL;
    lm_mesh_reading reading = {.kind = kind, .document = document};
    if (!lm_mesh_parse(&reading, file, heap, reporter) || !lm_mesh_verify(&reading, reporter)) {
        lm_mesh_release(&reading, heap);
        lm_heap_free(heap, document, owned_size(kind));
        return NULL;
    }
    const ownership behind = {heap->allocator, reading.capacity};
    memcpy(document + kind->file.struct_size, &behind, sizeof behind);
    lm_heap_free(heap, reading.surface_starts, reading.capacity_starts * sizeof(size_t));
    return document;
}

static void *read_document(const lm_mesh_kind *kind, lm_bytes file, const lm_memory *memory,
                           lm_error *error) {
    lm_heap heap;
    lm_load_reporter reporter;
    lm_heap_init(&heap, memory, file.size);
    lm_load_reporter_init(&reporter, kind->format->info.name, false, error);
    void *document = read_with(kind, file, &heap, &reporter.base);
    if (!document && !reporter.failed)
        lm_heap_fail(&heap, kind->format->info.name, error);
    return document;
}

void *lm_mesh_read(const lm_mesh_kind *kind, const void *data, size_t size, const lm_memory *memory,
                   lm_error *error) {
    lm_bytes file = {data, size};
    if (lm_find_format(file) == kind->format)
        return read_document(kind, file, memory, error);
    lm_fail(error, LM_CODE_UNKNOWN_FORMAT, kind->format->info.name, "header", 0,
            "the file is no %s", kind->title);
    return NULL;
}

void lm_mesh_free(const lm_mesh_kind *kind, void *document) {
    if (!document)
        return;
    ownership behind;
    memcpy(&behind, (const char *)document + kind->file.struct_size, sizeof behind);
    lm_allocator allocator = behind.allocator;
    if (behind.capacity > 0)
        allocator.free(allocator.user, lm_mesh_get_tail(kind, document).surfaces,
                       behind.capacity * kind->surface.struct_size);
    allocator.free(allocator.user, document, owned_size(kind));
}

/* ---- Comparing ----------------------------------------------------------------------------- */

static bool equal_surfaces(const lm_mesh_kind *kind, const void *document, const void *a,
                           const void *b) {
    const lm_mesh_part *part = &kind->surface;
    if (memcmp(a, b, part->offsets_at - part->from) != 0)
        return false;
    for (int i = 0; i < kind->first_optional; i++)
        if (!lm_equal_lumps(a, b, &part->lumps[i], lm_mesh_surface_extent(kind, document, a, i)))
            return false;
    return !kind->equal_optional || kind->equal_optional(document, a, b);
}

bool lm_mesh_equal(const lm_mesh_kind *kind, const void *a, const void *b) {
    const lm_mesh_head head = lm_mesh_get_head(a);
    const lm_mesh_tail tail_a = lm_mesh_get_tail(kind, a), tail_b = lm_mesh_get_tail(kind, b);
    if (memcmp(a, b, sizeof head) != 0 || tail_a.num_trailing != tail_b.num_trailing)
        return false;
    for (int i = 0; i < kind->file.num_lumps; i++)
        if (!lm_equal_lumps(a, b, &kind->file.lumps[i], lm_mesh_file_extent(kind, a, i)))
            return false;
    for (size_t s = 0; s < (size_t)head.num_surfaces; s++) {
        size_t at = s * kind->surface.struct_size;
        if (!equal_surfaces(kind, a, (const char *)tail_a.surfaces + at,
                            (const char *)tail_b.surfaces + at))
            return false;
    }
    return tail_a.num_trailing == 0 ||
           memcmp(tail_a.trailing, tail_b.trailing, tail_a.num_trailing) == 0;
}

/* ---- Writing ------------------------------------------------------------------------------- */

/* Says in the header that starts at `start` that what is written next is there. */
static void put_offset(lm_buffer *out, size_t start, size_t at) {
    if (!out->failed)
        lm_put_s32(out->data + start + at, (int32_t)(out->size - start));
}

static void put_header(const lm_mesh_part *part, const void *owner, lm_buffer *out) {
    uint8_t *header = lm_buffer_reserve(out, part->header_size);
    if (header)
        lm_mesh_put_header(part, owner, header);
}

/* A lump's bytes; an absent one is written out, since engines look at it all the same. */
static void write_surface_lump(const lm_mesh_kind *kind, const void *document, const void *surface,
                               int lump, lm_buffer *out) {
    const uint8_t *data = lm_lump_data(surface, &kind->surface.lumps[lump]);
    lm_extent extent = lm_mesh_surface_extent(kind, document, surface, lump);
    if (data || lump < kind->first_optional)
        lm_buffer_append(out, data, (size_t)lm_extent_size(extent));
    else
        kind->write_absent(lump, extent.count, out);
}

static void write_surface(const lm_mesh_kind *kind, const void *document, const void *surface,
                          lm_buffer *out) {
    const lm_mesh_part *part = &kind->surface;
    const size_t start = out->size;
    int32_t offsets[LM_MESH_MOST_LUMPS];
    int order[LM_MESH_MOST_LUMPS];
    for (int i = 0; i < part->num_lumps; i++)
        offsets[i] = lm_lump_offset(surface, &part->lumps[i]);
    lm_order_lumps(offsets, part->num_lumps, order);
    put_header(part, surface, out);
    for (int i = 0; i < part->num_lumps; i++) {
        put_offset(out, start, part->lumps[order[i]].ofs_at);
        write_surface_lump(kind, document, surface, order[i], out);
    }
    put_offset(out, start, lm_mesh_end_at(part));
}

static void write_surfaces(const lm_mesh_kind *kind, const void *document, lm_buffer *out) {
    const char *surface = lm_mesh_get_tail(kind, document).surfaces;
    for (int32_t s = lm_mesh_get_head(document).num_surfaces; s > 0; s--) {
        write_surface(kind, document, surface, out);
        surface += kind->surface.struct_size;
    }
}

/* The file's lumps and, as one more part, its surfaces, in the order in which they were read. */
static void write_file(const lm_mesh_kind *kind, const void *document, lm_buffer *out) {
    const lm_mesh_part *part = &kind->file;
    const size_t start = out->size;
    int32_t offsets[LM_MESH_MOST_LUMPS];
    int order[LM_MESH_MOST_LUMPS];
    for (int i = 0; i < part->num_lumps; i++)
        offsets[i] = lm_lump_offset(document, &part->lumps[i]);
    offsets[part->num_lumps] = lm_mesh_number(part, document, lm_mesh_surfaces_at(part));
    lm_order_lumps(offsets, part->num_lumps + 1, order);
    put_header(part, document, out);
    for (int i = 0; i <= part->num_lumps; i++) {
        bool surfaces = order[i] == part->num_lumps;
        put_offset(out, start, surfaces ? lm_mesh_surfaces_at(part) : part->lumps[order[i]].ofs_at);
        if (surfaces)
            write_surfaces(kind, document, out);
        else
            lm_buffer_append(out, lm_lump_data(document, &part->lumps[order[i]]),
                             (size_t)lm_extent_size(lm_mesh_file_extent(kind, document, order[i])));
    }
    put_offset(out, start, lm_mesh_end_at(part));
}

static bool counts_sound(const lm_mesh_kind *kind, const void *document) {
    const lm_mesh_head head = lm_mesh_get_head(document);
    const char *surface = lm_mesh_get_tail(kind, document).surfaces;
    bool sound = head.num_frames > 0 && head.num_tags >= 0 && head.num_surfaces >= 0;
    for (int32_t s = 0; sound && s < head.num_surfaces; s++)
        sound = lm_mesh_counts_positive(&kind->surface,
                                        surface + (size_t)s * kind->surface.struct_size);
    return sound;
}

/* Whether what was written can be read: the last word on a document that somebody made. */
static bool reads_back(const lm_mesh_kind *kind, const lm_buffer *out, size_t start,
                       lm_error *error) {
    const lm_memory memory = {.allocator = out->allocator};
    const lm_bytes written = {out->data + start, out->size - start};
    void *document = read_document(kind, written, &memory, error);
    lm_mesh_free(kind, document);
    return document;
}

bool lm_mesh_write(const lm_mesh_kind *kind, const void *document, lm_buffer *out,
                   lm_error *error) {
    const char *name = kind->format->info.name;
    const size_t start = out->size;
    const lm_mesh_tail tail = lm_mesh_get_tail(kind, document);
    if (!counts_sound(kind, document))
        return lm_fail_plain(error, LM_CODE_BAD_COUNT,
                             "%s: a count is negative, or there are no frames", name);
    write_file(kind, document, out);
    lm_buffer_append(out, tail.trailing, tail.num_trailing);
    if (out->failed)
        return lm_fail_plain(error, LM_CODE_OUT_OF_MEMORY, "%s: no memory to write the file", name);
    lm_put_u32(out->data + start + LM_MESH_AT_IDENT, kind->ident);
    lm_put_s32(out->data + start + LM_MESH_AT_VERSION, kind->version);
    bool small = out->size - start <= INT32_MAX;
    if (!small)
        lm_fail_plain(error, LM_CODE_LIMIT, "%s: the file would pass 2 GB", name);
    if (small && reads_back(kind, out, start, error))
        return true;
    out->size = start;
    return false;
}
