#include "documents.h"
#include "edit/editing.h"
#include "formats/edit_document.h"
#include "formats/write_document.h"
#include "formats/writer.h"

static blob make_small_md2(void) {
    return make_md2(&small_md2);
}

static blob make_small_mdc(void) {
    return make_mdc(&small_mdc);
}

static blob make_small_md3(void) {
    return make_md3(&small_md3);
}

static blob make_small_mdl(void) {
    return make_mdl();
}

static blob make_small_mds(void) {
    return make_mds();
}

static bool write_as(const lm_editor *editor, const void *document, lm_buffer *out,
                     lm_error *error) {
    const size_t start = out->size;
    return lmi_put_as(editor, document, out, error) &&
           lmi_end_document(editor->kind, start, out, error);
}

#define DOCUMENTS(name, format)                                                          \
    static void *read_##name(const void *data, size_t size, lm_error *error) {           \
        return lm_##name##_read(data, size, NULL, error);                                \
    }                                                                                    \
    static void free_##name(void *document) {                                            \
        lm_##name##_free(document);                                                      \
    }                                                                                    \
    static bool write_##name(const void *document, lm_buffer *out, lm_error *error) {    \
        return write_as(lmi_find_writer(#name)->edit, document, out, error);             \
    }                                                                                    \
    static bool equal_##name(const void *a, const void *b) {                             \
        return lmi_equal_as(lmi_find_writer(#name)->edit, a, b);                         \
    }                                                                                    \
    const document_kind name##_documents = {"." #name,   format,      make_small_##name, \
                                            read_##name, free_##name, write_##name,      \
                                            equal_##name}

DOCUMENTS(md2, MD2);
DOCUMENTS(mdc, MDC);
DOCUMENTS(md3, MD3);
DOCUMENTS(mdl, MDL);
DOCUMENTS(mds, MDS);
const document_kind *const documents[] = {&md2_documents, &md3_documents, &mdc_documents,
                                          &mdl_documents, &mds_documents};

void *read_document(const document_kind *kind, const blob *file) {
    lm_error error;
    void *document = kind->read(file->data, file->size, &error);
    assert_done(document, error);
    return document;
}

blob write_document(const document_kind *kind, const void *document) {
    lm_error error;
    lm_buffer out = {0};
    assert_done(kind->write(document, &out, &error), error);
    return blob_from_buffer(&out);
}

/* ---- Round trips --------------------------------------------------------------------------- */

void assert_round_trip(const document_kind *kind, const char *what, const blob *file) {
    void *document = read_document(kind, file);
    AT_END(blob_free) blob written = write_document(kind, document);
    if (written.size != file->size || memcmp(written.data, file->data, file->size) != 0)
        fail_msg("%s does not come out as it went in", what);
    kind->free(document);
}

void assert_equal_documents(const document_kind *kind, const blob *a, const blob *b) {
    void *left = read_document(kind, a), *right = read_document(kind, b);
    assert_true(kind->equal(left, right));
    AT_END(blob_free) blob written = write_document(kind, right);
    void *again = read_document(kind, &written);
    assert_true(kind->equal(left, again));
    kind->free(left);
    kind->free(right);
    kind->free(again);
}

/* ---- The positions of the lumps in each format's files -------------------------------------- */

/* A lump: its size is element * count * times * file_times. A factor without an offset is 1. */
typedef struct lump_layout {
    size_t ofs_at;
    size_t element;            /* bytes; 0: the surfaces follow each other from here */
    size_t count_at, times_at; /* in the same header */
    size_t file_times_at;      /* in the file's header */
    size_t parts_at, part;     /* in each element: the number of parts after it; their bytes */
} lump_layout;

typedef struct header_layout {
    size_t size, end_at, num_lumps;
    lump_layout lumps[7];
    size_t back_at; /* the offset of the file's header; 0: none */
} header_layout;

typedef struct format_layout {
    header_layout file, surface;
    size_t num_surfaces_at;
} format_layout;

/* Taken from the formats' descriptions, not from the library. */
static const format_layout layouts[] = {
    [MD2] = {.file = {68,
                      MD2_AT_OFS_END,
                      5,
                      {{MD2_AT_OFS_SKINS, 64, MD2_AT_NUM_SKINS, 0, 0, 0, 0},
                       {MD2_AT_OFS_ST, 4, MD2_AT_NUM_ST, 0, 0, 0, 0},
                       {MD2_AT_OFS_TRIS, 12, MD2_AT_NUM_TRIS, 0, 0, 0, 0},
                       {MD2_AT_OFS_FRAMES, 1, MD2_AT_NUM_FRAMES, MD2_AT_FRAMESIZE, 0, 0, 0},
                       {MD2_AT_OFS_GLCMDS, 4, MD2_AT_NUM_GLCMDS, 0, 0, 0, 0}}}},
    [MD3] = {.file = {108,
                      MD3_AT_OFS_END,
                      3,
                      {{MD3_AT_OFS_FRAMES, 56, MD3_AT_NUM_FRAMES, 0, 0, 0, 0},
                       {MD3_AT_OFS_TAGS, 112, MD3_AT_NUM_TAGS, 0, MD3_AT_NUM_FRAMES, 0, 0},
                       {MD3_AT_OFS_SURFACES, 0, 0, 0, 0, 0, 0}}},
             .surface = {108,
                         MD3_SURFACE_AT_OFS_END,
                         4,
                         {{MD3_SURFACE_AT_OFS_TRIANGLES, 12, MD3_SURFACE_AT_NUM_TRIANGLES, 0, 0, 0,
                           0},
                          {MD3_SURFACE_AT_OFS_SHADERS, 68, MD3_SURFACE_AT_NUM_SHADERS, 0, 0, 0, 0},
                          {MD3_SURFACE_AT_OFS_ST, 8, MD3_SURFACE_AT_NUM_VERTS, 0, 0, 0, 0},
                          {MD3_SURFACE_AT_OFS_XYZ_NORMALS, 8, MD3_SURFACE_AT_NUM_VERTS, 0,
                           MD3_AT_NUM_FRAMES, 0, 0}}},
             .num_surfaces_at = MD3_AT_NUM_SURFACES},
    [MDC] = {.file = {112,
                      MDC_AT_OFS_END,
                      4,
                      {{MDC_AT_OFS_FRAMES, 56, MDC_AT_NUM_FRAMES, 0, 0, 0, 0},
                       {MDC_AT_OFS_TAG_NAMES, 64, MDC_AT_NUM_TAGS, 0, 0, 0, 0},
                       {MDC_AT_OFS_TAGS, 12, MDC_AT_NUM_TAGS, 0, MDC_AT_NUM_FRAMES, 0, 0},
                       {MDC_AT_OFS_SURFACES, 0, 0, 0, 0, 0, 0}}},
             .surface = {124,
                         SURFACE_AT_OFS_END,
                         7,
                         {{SURFACE_AT_OFS_TRIANGLES, 12, SURFACE_AT_NUM_TRIANGLES, 0, 0, 0, 0},
                          {SURFACE_AT_OFS_SHADERS, 68, SURFACE_AT_NUM_SHADERS, 0, 0, 0, 0},
                          {SURFACE_AT_OFS_ST, 8, SURFACE_AT_NUM_VERTICES, 0, 0, 0, 0},
                          {SURFACE_AT_OFS_BASE, 8, SURFACE_AT_NUM_VERTICES, SURFACE_AT_NUM_BASE, 0,
                           0, 0},
                          {SURFACE_AT_OFS_COMP, 4, SURFACE_AT_NUM_VERTICES, SURFACE_AT_NUM_COMP, 0,
                           0, 0},
                          {SURFACE_AT_OFS_BASE_TABLE, 2, 0, 0, MDC_AT_NUM_FRAMES, 0, 0},
                          {SURFACE_AT_OFS_COMP_TABLE, 2, 0, 0, MDC_AT_NUM_FRAMES, 0, 0}}},
             .num_surfaces_at = MDC_AT_NUM_SURFACES},
    [MDS] = {.file = {120,
                      MDS_AT_OFS_END,
                      4,
                      {{MDS_AT_OFS_FRAMES, MDS_FRAME, MDS_AT_NUM_FRAMES, 0, 0, 0, 0},
                       {MDS_AT_OFS_BONES, 80, MDS_AT_NUM_BONES, 0, 0, 0, 0},
                       {MDS_AT_OFS_TAGS, 72, MDS_AT_NUM_TAGS, 0, 0, 0, 0},
                       {MDS_AT_OFS_SURFACES, 0, 0, 0, 0, 0, 0}}},
             .surface = {176,
                         MDS_SURFACE_AT_OFS_END,
                         4,
                         {{MDS_SURFACE_AT_OFS_VERTS, 32, MDS_SURFACE_AT_NUM_VERTS, 0, 0, 20, 20},
                          {MDS_SURFACE_AT_OFS_TRIANGLES, 12, MDS_SURFACE_AT_NUM_TRIANGLES, 0, 0, 0,
                           0},
                          {MDS_SURFACE_AT_OFS_COLLAPSE, 4, MDS_SURFACE_AT_NUM_VERTS, 0, 0, 0, 0},
                          {MDS_SURFACE_AT_OFS_REFERENCES, 4, MDS_SURFACE_AT_NUM_REFERENCES, 0, 0, 0,
                           0}},
                         MDS_SURFACE_AT_OFS_HEADER},
             .num_surfaces_at = MDS_AT_NUM_SURFACES},
};

static size_t number_at(const blob *file, size_t from, size_t at) {
    return at ? get32(file, from + at) : 1;
}

static size_t lump_size(const blob *file, size_t from, const lump_layout *lump) {
    const size_t count = number_at(file, from, lump->count_at) *
                         number_at(file, from, lump->times_at) *
                         number_at(file, 0, lump->file_times_at);
    size_t parts = 0, at = from + get32(file, from + lump->ofs_at);
    for (size_t i = 0; i < count && lump->part; i++) {
        const size_t own = get32(file, at + lump->parts_at);
        parts += own;
        at += lump->element + own * lump->part;
    }
    return lump->element * count + parts * lump->part;
}

static void put_at(lm_buffer *out, size_t at, size_t value) {
    blob written = {out->data, out->size};
    put32(&written, at, (uint32_t)value);
}

static void append_padding(lm_buffer *out, size_t gap) {
    for (size_t i = 0; i < gap; i++)
        lm_buffer_append(out, "\xEE", 1);
}

/* Returns one of 2 * count orders: rotated, or reversed and rotated. */
static size_t in_order(size_t i, size_t order, size_t count) {
    return ((order / count % 2 ? count - 1 - i : i) + order) % count;
}

static void lay_out_part(const blob *file, const format_layout *layout, const header_layout *header,
                         size_t from, size_t order, size_t gap, lm_buffer *out) {
    const size_t start = out->size;
    lm_buffer_append(out, file->data + from, header->size);
    for (size_t i = 0; i < header->num_lumps; i++) {
        const lump_layout *lump = &header->lumps[in_order(i, order, header->num_lumps)];
        append_padding(out, gap);
        put_at(out, start + lump->ofs_at, out->size - start);
        if (lump->element) {
            lm_buffer_append(out, file->data + from + get32(file, from + lump->ofs_at),
                             lump_size(file, from, lump));
            continue;
        }
        size_t surface = get32(file, lump->ofs_at);
        for (uint32_t s = 0; s < get32(file, layout->num_surfaces_at); s++) {
            lay_out_part(file, layout, &layout->surface, surface, order, gap, out);
            surface += get32(file, surface + layout->surface.end_at);
        }
    }
    append_padding(out, gap);
    put_at(out, start + header->end_at, out->size - start);
    if (header->back_at)
        put_at(out, start + header->back_at, 0 - start);
}

blob rearrange(int format, const blob *file, size_t order, size_t gap) {
    lm_buffer out = {0};
    if (format == MDL)
        return blob_copy(file->data, file->size);
    lay_out_part(file, &layouts[format], &layouts[format].file, 0, order, gap, &out);
    return blob_from_buffer(&out);
}

static bool is_offset(const header_layout *header, size_t start, size_t at) {
    const size_t back = header->back_at ? start + header->back_at : start + header->end_at;
    bool found = (at >= start + header->end_at && at < start + header->end_at + 4) ||
                 (at >= back && at < back + 4);
    for (size_t i = 0; i < header->num_lumps; i++) {
        const size_t ofs_at = start + header->lumps[i].ofs_at;
        found = found || (at >= ofs_at && at < ofs_at + 4);
    }
    return found;
}

bool is_layout(int format, const blob *file, size_t at) {
    if (format == MDL)
        return false;
    const format_layout *layout = &layouts[format];
    bool found = is_offset(&layout->file, 0, at);
    const uint32_t surfaces = layout->num_surfaces_at ? get32(file, layout->num_surfaces_at) : 0;
    for (uint32_t s = 0; s < surfaces; s++)
        found = found || is_offset(&layout->surface, surface_start(file, (int32_t)s), at);
    return found;
}
