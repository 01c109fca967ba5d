/* From bytes to a document: where everything is, and that it lies in the file. */
#include "formats/vertex_mesh/vertex_mesh.h"

typedef struct walk {
    lm_mesh_reading *reading;
    lm_bytes file;
    lm_heap *heap;
    lm_reporter *reporter;
    uint64_t claimed; /* what the lumps found so far say is theirs */
} walk;

/* ---- The file's header and lumps ----------------------------------------------------------- */

static bool parse_ident(const walk *w) {
    const lm_mesh_kind *kind = w->reading->kind;
    size_t size = kind->file.header_size;
    if (w->file.size < size)
        return lm_report_fatal(w->reporter, LM_CODE_TRUNCATED, lm_mesh_in_header(0),
                               "the file has %zu bytes, but a header takes %zu", w->file.size,
                               size);
    int32_t found = lm_get_s32(w->file.data + LM_MESH_AT_VERSION);
    return found == kind->version ||
           lm_report_fatal(w->reporter, LM_CODE_BAD_VERSION, lm_mesh_in_header(LM_MESH_AT_VERSION),
                           "version %d, but only version %d is known", (int)found,
                           (int)kind->version);
}

static bool count_sound(const walk *w, size_t at, const char *what, int32_t count) {
    return count >= 0 || lm_report_fatal(w->reporter, LM_CODE_BAD_COUNT, lm_mesh_in_header(at),
                                         "the number of %s is negative: %d", what, (int)count);
}

static bool parse_header(const walk *w) {
    const lm_mesh_reading *reading = w->reading;
    if (!parse_ident(w))
        return false;
    lm_mesh_get_header(&reading->kind->file, w->file.data, reading->document);
    const lm_mesh_head head = lm_mesh_get_head(reading->document);
    if (!count_sound(w, LM_MESH_AT_NUM_FRAMES, "frames", head.num_frames) ||
        !count_sound(w, LM_MESH_AT_NUM_TAGS, "tags", head.num_tags) ||
        !count_sound(w, LM_MESH_AT_NUM_SURFACES, "surfaces", head.num_surfaces))
        return false;
    return head.num_frames > 0 ||
           lm_report_fatal(w->reporter, LM_CODE_BAD_COUNT, lm_mesh_in_header(LM_MESH_AT_NUM_FRAMES),
                           "the model has no frames");
}

/* Without one of its lumps there are no tags; without the frames there is nothing. */
static bool parse_lump(walk *w, int index) {
    const lm_mesh_part *part = &w->reading->kind->file;
    const lm_lump_member *lump = &part->lumps[index];
    void *document = w->reading->document;
    lm_extent extent = lm_mesh_file_extent(w->reading->kind, document, index);
    lm_place place = lm_mesh_in_header(lump->ofs_at);
    if (lm_find_lump(w->file, document, lump, extent, 0, &w->claimed))
        return true;
    bool go_on = lm_report_damage(w->reporter, LM_CODE_BAD_OFFSET, place,
                                  "%llu %s of %zu bytes start at byte %d, but the file has %zu",
                                  (unsigned long long)extent.count, lump->name, extent.element,
                                  (int)lm_lump_offset(document, lump), w->file.size);
    if (go_on && index == LM_MESH_LUMP_FRAMES)
        return lm_report_fatal(w->reporter, LM_CODE_BAD_OFFSET, place,
                               "without frames nothing can be read");
    lm_mesh_set_number(part, document, LM_MESH_AT_NUM_TAGS, 0);
    return go_on;
}

/* ---- Surfaces ------------------------------------------------------------------------------ */

/* What is left of a damaged surface: its name. */
static void empty_surface(const lm_mesh_part *part, void *surface) {
    for (size_t at = part->counts_at; at < part->offsets_at; at += 4)
        lm_mesh_set_number(part, surface, at, 0);
    for (int i = 0; i < part->num_lumps; i++)
        lm_set_lump_data(surface, &part->lumps[i], NULL);
}

/* An absent lump has offset 0 (nothing can be there: it is the surface's header) or one that leads
 * out of the file or in front of its surface. It is claimed all the same: it takes as long to look
 * at as one that is there. */
static bool find_surface_lump(walk *w, void *surface, int index, lm_extent extent, size_t start) {
    const lm_mesh_kind *kind = w->reading->kind;
    const lm_lump_member *lump = &kind->surface.lumps[index];
    bool optional = kind->may_be_absent && kind->may_be_absent(surface, index);
    bool none = optional && lm_lump_offset(surface, lump) == 0;
    if (!none && lm_find_lump(w->file, surface, lump, extent, start, &w->claimed))
        return true;
    if (optional)
        w->claimed += lm_extent_size(extent);
    return optional;
}

static bool report_lump(const walk *w, uint32_t index, size_t start, const lm_lump_member *lump,
                        int32_t offset, lm_extent extent) {
    return lm_report_damage(
        w->reporter, LM_CODE_BAD_OFFSET, lm_mesh_in_surface(start, index, lump->ofs_at),
        "surface %u: %s (%llu times %zu bytes) at byte %lld, but the file has %zu", (unsigned)index,
        lump->name, (unsigned long long)extent.count, extent.element, (long long)start + offset,
        w->file.size);
}

static bool parse_surface(walk *w, void *surface, uint32_t index, size_t start) {
    const lm_mesh_kind *kind = w->reading->kind;
    const lm_mesh_part *part = &kind->surface;
    lm_mesh_get_header(part, w->file.data + start, surface);
    if (!lm_mesh_counts_positive(part, surface) ||
        (kind->counts_sound && !kind->counts_sound(surface))) {
        empty_surface(part, surface);
        return lm_report_damage(w->reporter, LM_CODE_BAD_COUNT,
                                lm_mesh_in_surface(start, index, part->counts_at),
                                "surface %u has %s", (unsigned)index, kind->unsound);
    }
    for (int i = 0; i < part->num_lumps; i++) {
        const lm_lump_member *lump = &part->lumps[i];
        lm_extent extent = lm_mesh_surface_extent(kind, w->reading->document, surface, i);
        if (find_surface_lump(w, surface, i, extent, start))
            continue;
        int32_t offset = lm_lump_offset(surface, lump);
        empty_surface(part, surface);
        return report_lump(w, index, start, lump, offset, extent);
    }
    return true;
}

/* Makes room for one more surface. NULL if there is no memory. */
static void *add_surface(walk *w, uint32_t index, size_t start) {
    lm_mesh_reading *reading = w->reading;
    const lm_mesh_kind *kind = reading->kind;
    lm_mesh_tail tail = lm_mesh_get_tail(kind, reading->document);
    void *starts = reading->surface_starts;
    size_t need = (size_t)index + 1, size = kind->surface.struct_size;
    bool grown = lm_heap_grow(w->heap, &tail.surfaces, &reading->capacity, need, size) &&
                 lm_heap_grow(w->heap, &starts, &reading->capacity_starts, need, sizeof(size_t));
    lm_mesh_set_tail(kind, reading->document, tail);
    reading->surface_starts = starts;
    if (!grown)
        return NULL;
    reading->surface_starts[index] = start;
    reading->num_surfaces = index + 1;
    lm_mesh_set_number(&kind->file, reading->document, LM_MESH_AT_NUM_SURFACES, (int32_t)need);
    return (char *)tail.surfaces + index * size;
}

/* Whether the chain can go on behind a surface. Lumps may share bytes, but a chain whose surfaces
 * all claim the same megabyte would make reading cost the square of the file. */
static bool chain_sound(const walk *w, uint32_t index, size_t start, int32_t ofs_end, bool last) {
    const lm_mesh_part *part = &w->reading->kind->surface;
    if (w->claimed / LM_MEMORY_MULTIPLE > w->file.size)
        return lm_report_fatal(w->reporter, LM_CODE_OVERLAP, lm_mesh_in_surface(start, index, 0),
                               "the surfaces take %llu bytes of a file of %zu",
                               (unsigned long long)w->claimed, w->file.size);
    if (ofs_end > 0 || last)
        return true;
    return lm_report_damage(
        w->reporter, LM_CODE_BAD_OFFSET, lm_mesh_in_surface(start, index, lm_mesh_end_at(part)),
        "surface %u ends %d bytes after its start, so that the next one cannot be found",
        (unsigned)index, (int)ofs_end);
}

/* The chain of surfaces: each says where the next one starts. */
static bool parse_surfaces(walk *w) {
    const lm_mesh_kind *kind = w->reading->kind;
    void *document = w->reading->document;
    const int32_t count = lm_mesh_get_head(document).num_surfaces;
    const size_t ofs_surfaces_at = lm_mesh_surfaces_at(&kind->file);
    int64_t start = lm_mesh_number(&kind->file, document, ofs_surfaces_at);
    lm_mesh_set_number(&kind->file, document, LM_MESH_AT_NUM_SURFACES, 0);
    for (int32_t i = 0; i < count; i++) {
        if (start < 0 || !lm_fits(w->file.size, (uint64_t)start, 1, kind->surface.header_size))
            return lm_report_damage(w->reporter, LM_CODE_BAD_OFFSET,
                                    lm_mesh_in_header(ofs_surfaces_at),
                                    "surface %d of %d starts at byte %lld, but the file has %zu",
                                    (int)i, (int)count, (long long)start, w->file.size);
        uint32_t index = (uint32_t)i;
        int32_t ofs_end = lm_get_s32(w->file.data + start + lm_mesh_end_at(&kind->surface));
        void *surface = add_surface(w, index, (size_t)start);
        if (!surface || !parse_surface(w, surface, index, (size_t)start) ||
            !chain_sound(w, index, (size_t)start, ofs_end, i + 1 == count))
            return false;
        if (ofs_end <= 0)
            return true;
        start += ofs_end;
    }
    return true;
}

/* ---- The end ------------------------------------------------------------------------------- */

static size_t later(size_t a, size_t b) {
    return a > b ? a : b;
}

/* Where the last lump or header ends. */
static size_t data_end(const walk *w) {
    const lm_mesh_kind *kind = w->reading->kind;
    const void *document = w->reading->document;
    const char *surface = lm_mesh_get_tail(kind, document).surfaces;
    size_t end = kind->file.header_size;
    for (int i = 0; i < kind->file.num_lumps; i++)
        end = later(end, lm_lump_end(w->file, document, &kind->file.lumps[i],
                                     lm_mesh_file_extent(kind, document, i)));
    for (uint32_t s = 0; s < w->reading->num_surfaces; s++, surface += kind->surface.struct_size) {
        end = later(end, w->reading->surface_starts[s] + kind->surface.header_size);
        for (int i = 0; i < kind->surface.num_lumps; i++)
            end = later(end, lm_lump_end(w->file, surface, &kind->surface.lumps[i],
                                         lm_mesh_surface_extent(kind, document, surface, i)));
    }
    return end;
}

/* What follows the model. */
static bool parse_end(const walk *w) {
    const lm_mesh_kind *kind = w->reading->kind;
    void *document = w->reading->document;
    const size_t ofs_end_at = lm_mesh_end_at(&kind->file), size = w->file.size;
    int32_t ofs_end = lm_mesh_number(&kind->file, document, ofs_end_at);
    size_t last = data_end(w);
    bool wrong = ofs_end < 0 || (size_t)ofs_end < last || (size_t)ofs_end > size;
    size_t end = wrong ? last : (size_t)ofs_end;
    lm_mesh_tail tail = lm_mesh_get_tail(kind, document);
    tail.trailing = w->file.data + end;
    tail.num_trailing = size - end;
    lm_mesh_set_tail(kind, document, tail);
    if (wrong && !lm_report_oddity(w->reporter, LM_CODE_WRONG_END, lm_mesh_in_header(ofs_end_at), 1,
                                   "ofsEnd is %d, but the data ends at %zu and the file at %zu",
                                   (int)ofs_end, last, size))
        return false;
    if (tail.num_trailing == 0)
        return true;
    return lm_report_oddity(w->reporter, LM_CODE_TRAILING_BYTES,
                            (lm_place){.section = "header", .offset = end}, 1,
                            "%zu bytes follow the end of the model", tail.num_trailing);
}

bool lm_mesh_parse(lm_mesh_reading *reading, lm_bytes file, lm_heap *heap, lm_reporter *reporter) {
    walk w = {reading, file, heap, reporter, 0};
    lm_mesh_set_tail(reading->kind, reading->document, (lm_mesh_tail){0});
    reading->num_surfaces = 0;
    reading->surface_starts = NULL;
    reading->capacity = reading->capacity_starts = 0;
    if (!parse_header(&w))
        return false;
    for (int i = 0; i < reading->kind->file.num_lumps; i++)
        if (!parse_lump(&w, i))
            return false;
    return parse_surfaces(&w) && parse_end(&w);
}

void lm_mesh_release(lm_mesh_reading *reading, lm_heap *heap) {
    lm_mesh_tail tail = lm_mesh_get_tail(reading->kind, reading->document);
    lm_heap_free(heap, tail.surfaces, reading->capacity * reading->kind->surface.struct_size);
    lm_heap_free(heap, reading->surface_starts, reading->capacity_starts * sizeof(size_t));
}
