/* Documents: reading for those who edit, comparing, and writing. */
#include "formats/md3/md3_format.h"

/* The allocation behind lm_md3_read. */
typedef struct lm_md3_owned {
    lm_md3 md3; /* first: lm_md3_free gets here from its address */
    lm_allocator allocator;
    size_t capacity; /* of md3.surfaces */
} lm_md3_owned;

lm_md3 *lm_md3_read(const void *data, size_t size, const lm_memory *memory, lm_error *error) {
    lm_bytes file = {data, size};
    lm_heap heap;
    lm_load_reporter reporter;
    lm_md3_reading reading;
    if (lm_find_format(file) != &lm_format_md3) {
        lm_fail(error, LM_CODE_UNKNOWN_FORMAT, "md3", "header", 0, "the file is no MD3");
        return NULL;
    }
    lm_heap_init(&heap, memory, size);
    lm_load_reporter_init(&reporter, "md3", false, error);
    bool read = lm_md3_parse(file, &heap, &reporter.base, &reading) &&
                lm_md3_verify(&reading, &reporter.base);
    lm_md3_owned *owned = read ? lm_heap_alloc(&heap, 1, sizeof *owned) : NULL;
    if (owned) {
        *owned = (lm_md3_owned){reading.md3, heap.allocator, reading.capacity};
        reading.md3.surfaces = NULL; /* now the document's */
    } else if (!reporter.failed) {
        lm_heap_fail(&heap, "md3", error);
    }
    lm_md3_release(&heap, &reading);
    return owned ? &owned->md3 : NULL;
}

void lm_md3_free(lm_md3 *md3) {
    if (!md3)
        return;
    lm_md3_owned *owned = (lm_md3_owned *)md3;
    lm_allocator allocator = owned->allocator;
    if (owned->capacity > 0)
        allocator.free(allocator.user, md3->surfaces, owned->capacity * sizeof *md3->surfaces);
    allocator.free(allocator.user, owned, sizeof *owned);
}

static bool equal_surfaces(const lm_md3 *md3, const lm_md3_surface *a, const lm_md3_surface *b) {
    if (a->ident != b->ident || a->flags != b->flags ||
        memcmp(a->name, b->name, sizeof a->name) != 0 || a->num_frames != b->num_frames ||
        a->num_shaders != b->num_shaders || a->num_verts != b->num_verts ||
        a->num_triangles != b->num_triangles)
        return false;
    for (int i = 0; i < LM_MD3_NUM_SURFACE_LUMPS; i++)
        if (!lm_equal_lumps(a, b, &lm_md3_surface_lumps[i], lm_md3_surface_extent(md3, a, i)))
            return false;
    return true;
}

bool lm_md3_equal(const lm_md3 *a, const lm_md3 *b) {
    if (memcmp(a->name, b->name, sizeof a->name) != 0 || a->flags != b->flags ||
        a->num_frames != b->num_frames || a->num_tags != b->num_tags ||
        a->num_surfaces != b->num_surfaces || a->num_skins != b->num_skins ||
        a->num_trailing != b->num_trailing)
        return false;
    for (int i = 0; i < LM_MD3_NUM_LUMPS; i++)
        if (!lm_equal_lumps(a, b, &lm_md3_lumps[i], lm_md3_file_extent(a, i)))
            return false;
    for (int32_t s = 0; s < a->num_surfaces; s++)
        if (!equal_surfaces(a, &a->surfaces[s], &b->surfaces[s]))
            return false;
    return a->num_trailing == 0 || memcmp(a->trailing, b->trailing, a->num_trailing) == 0;
}

static void write_surface_header(const lm_md3_surface *surface, uint8_t *out) {
    lm_put_s32(out + LM_MESH_SURFACE_AT_IDENT, surface->ident);
    memcpy(out + LM_MESH_SURFACE_AT_NAME, surface->name, sizeof surface->name);
    lm_put_s32(out + LM_MESH_SURFACE_AT_FLAGS, surface->flags);
    lm_put_s32(out + LM_MD3_SURFACE_AT_NUM_FRAMES, surface->num_frames);
    lm_put_s32(out + LM_MD3_SURFACE_AT_NUM_SHADERS, surface->num_shaders);
    lm_put_s32(out + LM_MD3_SURFACE_AT_NUM_VERTS, surface->num_verts);
    lm_put_s32(out + LM_MD3_SURFACE_AT_NUM_TRIANGLES, surface->num_triangles);
    for (int i = 0; i < LM_MD3_NUM_SURFACE_LUMPS; i++)
        lm_put_s32(out + lm_md3_surface_lumps[i].ofs_at,
                   lm_lump_offset(surface, &lm_md3_surface_lumps[i]));
    lm_put_s32(out + LM_MD3_SURFACE_AT_OFS_END, surface->ofs_end);
}

static void write_surface(const lm_md3 *md3, const lm_md3_surface *surface, lm_buffer *out) {
    lm_md3_surface placed = *surface;
    lm_extent extents[LM_MD3_NUM_SURFACE_LUMPS];
    int order[LM_MD3_NUM_SURFACE_LUMPS];
    uint8_t header[LM_MD3_SURFACE_HEADER_SIZE];
    for (int i = 0; i < LM_MD3_NUM_SURFACE_LUMPS; i++)
        extents[i] = lm_md3_surface_extent(md3, surface, i);
    placed.ofs_end = (int32_t)lm_mesh_place_lumps(&placed, lm_md3_surface_lumps, extents,
                                                  LM_MD3_NUM_SURFACE_LUMPS, sizeof header, order);
    write_surface_header(&placed, header);
    lm_buffer_append(out, header, sizeof header);
    for (int i = 0; i < LM_MD3_NUM_SURFACE_LUMPS; i++)
        lm_buffer_append(out, lm_lump_data(surface, &lm_md3_surface_lumps[order[i]]),
                         (size_t)lm_extent_size(extents[order[i]]));
}

static void write_header(const lm_md3 *md3, uint8_t *out) {
    lm_mesh_put_header(out, LM_MD3_IDENT, LM_MD3_VERSION,
                       &(lm_mesh_header){md3->name, md3->flags, md3->num_frames, md3->num_tags,
                                         md3->num_surfaces, md3->num_skins});
    for (int i = 0; i < LM_MD3_NUM_LUMPS; i++)
        lm_put_s32(out + lm_md3_lumps[i].ofs_at, lm_lump_offset(md3, &lm_md3_lumps[i]));
    lm_put_s32(out + LM_MD3_AT_OFS_SURFACES, md3->ofs_surfaces);
    lm_put_s32(out + LM_MD3_AT_OFS_END, md3->ofs_end);
}

static void write_part(const lm_md3 *md3, int part, lm_buffer *out) {
    if (part < LM_MD3_NUM_LUMPS) {
        lm_buffer_append(out, lm_lump_data(md3, &lm_md3_lumps[part]),
                         (size_t)lm_extent_size(lm_md3_file_extent(md3, part)));
        return;
    }
    for (int32_t s = 0; s < md3->num_surfaces; s++)
        write_surface(md3, &md3->surfaces[s], out);
}

/* The file's lumps and, as one more part, its surfaces, in the order in which they were read. */
static void write_parts(const lm_md3 *md3, lm_md3 *placed, size_t start, lm_buffer *out) {
    enum {
        NUM_PARTS = LM_MD3_NUM_LUMPS + 1
    };
    int32_t offsets[NUM_PARTS];
    int order[NUM_PARTS];
    for (int i = 0; i < LM_MD3_NUM_LUMPS; i++)
        offsets[i] = lm_lump_offset(md3, &lm_md3_lumps[i]);
    offsets[LM_MD3_NUM_LUMPS] = md3->ofs_surfaces;
    lm_order_lumps(offsets, NUM_PARTS, order);
    for (int i = 0; i < NUM_PARTS; i++) {
        int32_t at = (int32_t)(out->size - start);
        if (order[i] < LM_MD3_NUM_LUMPS)
            lm_set_lump_offset(placed, &lm_md3_lumps[order[i]], at);
        else
            placed->ofs_surfaces = at;
        write_part(md3, order[i], out);
    }
    placed->ofs_end = (int32_t)(out->size - start);
}

static bool counts_sound(const lm_md3 *md3) {
    bool sound = md3->num_frames > 0 && md3->num_tags >= 0 && md3->num_surfaces >= 0;
    for (int32_t s = 0; sound && s < md3->num_surfaces; s++) {
        const lm_md3_surface *surface = &md3->surfaces[s];
        sound = surface->num_shaders >= 0 && surface->num_verts >= 0 && surface->num_triangles >= 0;
    }
    return sound;
}

/* Whether what was written can be read: the last word on a document that somebody made. */
static bool reads_back(const lm_buffer *out, size_t start, lm_error *error) {
    lm_bytes written = {out->data + start, out->size - start};
    lm_load_reporter reporter;
    lm_md3_reading reading;
    lm_heap heap;
    const lm_memory memory = {.allocator = out->allocator};
    lm_heap_init(&heap, &memory, written.size);
    lm_load_reporter_init(&reporter, "md3", false, error);
    bool sound = lm_md3_parse(written, &heap, &reporter.base, &reading) &&
                 lm_md3_verify(&reading, &reporter.base);
    lm_md3_release(&heap, &reading);
    if (!sound && !reporter.failed)
        lm_heap_fail(&heap, "md3", error);
    return sound;
}

bool lm_md3_write(const lm_md3 *md3, lm_buffer *out, lm_error *error) {
    lm_md3 placed = *md3;
    size_t start = out->size;
    if (!counts_sound(md3))
        return lm_fail_plain(error, LM_CODE_BAD_COUNT,
                             "md3: a count is negative, or there are no frames");
    lm_buffer_reserve(out, LM_MD3_HEADER_SIZE);
    write_parts(md3, &placed, start, out);
    lm_buffer_append(out, md3->trailing, md3->num_trailing);
    if (out->failed)
        return lm_fail_plain(error, LM_CODE_OUT_OF_MEMORY, "md3: no memory to write the file");
    if (out->size - start > INT32_MAX)
        lm_fail_plain(error, LM_CODE_LIMIT, "md3: the file would pass 2 GB");
    else
        write_header(&placed, out->data + start);
    if (out->size - start <= INT32_MAX && reads_back(out, start, error))
        return true;
    out->size = start;
    return false;
}

void lm_md3_put_frame(uint8_t *out, const lm_md3_frame *frame) {
    lm_mesh_put_frame(out, frame);
}

void lm_md3_put_tag(uint8_t *out, const lm_md3_tag *tag) {
    memcpy(out + LM_MD3_TAG_NAME, tag->name, sizeof tag->name);
    lm_put_vec3(out + LM_MD3_TAG_ORIGIN, tag->origin);
    for (size_t i = 0; i < 3; i++)
        lm_put_vec3(out + LM_MD3_TAG_AXES + 12 * i, tag->axis[i]);
}

void lm_md3_put_triangle(uint8_t *out, const uint32_t vertex[3]) {
    lm_mesh_put_triangle(out, vertex);
}

void lm_md3_put_st(uint8_t *out, lm_vec2 st) {
    lm_mesh_put_st(out, st);
}

void lm_md3_put_xyz_normal(uint8_t *out, lm_md3_xyz_normal vertex) {
    lm_mesh_put_vertex(out, vertex);
}
