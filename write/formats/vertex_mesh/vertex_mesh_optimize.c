/* Optimizes an MD3 or MDC. */
#include "formats/vertex_mesh/vertex_mesh_write.h"

/* Returns true if the elements of a surface's lump are its vertices, in all rows. */
static bool has_vertices(const lm_optimizing *o, const lm_header_lump *lump) {
    return lump->count.member == lmi_vertex_mesh_tables(o->editor)->num_vertices &&
           !lump->count.of_document;
}

/* Returns flags for the rows of a lump that frames use; a lump without rows per frame has one.
 * Returns NULL if memory ran out. */
static const bool *find_used(lm_optimizing *o, const lm_part *part, const lm_header_lump *lump,
                             int32_t num_rows) {
    const lm_vertex_mesh_edit_tables *tables = lmi_vertex_mesh_tables(o->editor);
    const int32_t frames = lmi_number(part->document, tables->tables.names[LM_EDIT_FRAMES].count);
    bool *used = lmi_arena_zeros(&o->arena, (uint64_t)num_rows, sizeof *used);
    for (int32_t f = 0; used && f < frames; f++) {
        const lm_vertex_mesh_rows rows = tables->rows(part->owner, f);
        const int32_t row = lump->data == tables->vertices      ? rows.base
                            : lump->data == tables->differences ? rows.difference
                                                                : 0;
        if (row >= 0 && row < num_rows)
            used[row] = true;
    }
    return used;
}

/* Lists the rows in which identical vertices must agree. */
static bool list_rows(lm_optimizing *o, const lm_part *part, lm_optimize_mesh *mesh) {
    const lm_header *header = part->header;
    uint64_t most = 0;
    for (size_t i = 0; i < header->lumps.count; i++)
        if (has_vertices(o, &header->lumps.list[i]))
            most += lmi_lump_groups(&header->lumps.list[i], part->document, part->owner);
    lm_vertex_row *rows = lmi_arena_alloc(&o->arena, most, sizeof *rows);
    mesh->rows = rows;
    for (size_t i = 0; rows && i < header->lumps.count; i++) {
        const lm_header_lump *lump = &header->lumps.list[i];
        if (!has_vertices(o, lump))
            continue;
        const size_t count = (size_t)lmi_lump_groups(lump, part->document, part->owner);
        const size_t row = mesh->num_vertices * (size_t)lump->element;
        const bool *used = find_used(o, part, lump, (int32_t)count);
        if (!used)
            return false;
        for (size_t g = 0; g < count; g++)
            if (used[g])
                rows[mesh->num_rows++] =
                    (lm_vertex_row){lmi_lump_data(lump, part->owner) + g * row, lump->element};
        mesh->size += (uint64_t)count * lump->element;
    }
    return rows;
}

/* Keeps only the vertices that triangles use, in every row. */
static bool pick_vertices(lm_optimizing *o, const lm_part *part, const lm_cache_order *r,
                          void *surface) {
    const size_t before =
        (size_t)lmi_number(surface, lmi_vertex_mesh_tables(o->editor)->num_vertices);
    for (size_t i = 0; i < part->header->lumps.count; i++) {
        const lm_header_lump *lump = &part->header->lumps.list[i];
        if (!has_vertices(o, lump))
            continue;
        const size_t size = lump->element, from = before * size, to = r->num_vertices * size;
        const uint64_t rows = lmi_lump_groups(lump, part->document, surface);
        uint8_t *out = lmi_arena_alloc(&o->arena, rows * r->num_vertices, size);
        for (size_t row = 0; out && row < rows; row++)
            lmi_pick_vertices((lm_vertex_row){lmi_lump_data(lump, surface) + row * from, size},
                              r->vertices, r->num_vertices, out + row * to);
        if (!out)
            return false;
        lmi_set_lump_data(lump, surface, out);
    }
    lmi_set_number(surface, lmi_vertex_mesh_tables(o->editor)->num_vertices,
                   (int32_t)r->num_vertices);
    return true;
}

static bool optimize_surface(lm_optimizing *o, const lm_part *part, uint32_t index, void *surface) {
    const lm_header_lump *triangles =
        lmi_lump_at(part->header, lmi_vertex_mesh_tables(o->editor)->triangles);
    const size_t count = (size_t)lmi_part_extent(part, triangles).count;
    const int32_t vertices = lmi_number(surface, lmi_vertex_mesh_tables(o->editor)->num_vertices);
    lm_optimize_mesh mesh = {.num_triangles = (uint32_t)count, .num_vertices = (uint32_t)vertices};
    uint32_t *corners = lmi_arena_alloc(&o->arena, count, 3 * sizeof *corners);
    const uint8_t *from = lmi_lump_data(triangles, surface);
    for (size_t c = 0; corners && c < 3 * count; c++)
        corners[c] = lmi_get_u32(from + 4 * c);
    mesh.corners = corners;
    lm_cache_order left;
    if (!corners || !list_rows(o, part, &mesh) || !lmi_optimize_triangles(o, index, &mesh, &left) ||
        !pick_vertices(o, part, &left, surface))
        return false;
    uint8_t *made = lmi_arena_alloc(&o->arena, left.num_triangles, LM_VERTEX_MESH_TRIANGLE_SIZE);
    for (size_t t = 0; made && t < left.num_triangles; t++)
        lmi_vertex_mesh_put_triangle(made + t * LM_VERTEX_MESH_TRIANGLE_SIZE, left.corners + 3 * t);
    lmi_set_lump_data(triangles, surface, made);
    return made;
}

bool lmi_vertex_mesh_optimize(lm_optimizing *o, void *document) {
    const lm_header *header = o->editor->kind->header;
    const lm_vertex_mesh_edit_tables *tables = lmi_vertex_mesh_tables(o->editor);
    const lm_part file = lmi_document_part(header, document);
    const int32_t frames = lmi_number(document, tables->tables.names[LM_EDIT_FRAMES].count);
    bool done = true;
    for (uint32_t i = 0; done && i < o->num_surfaces; i++) {
        const lm_part part = lmi_surface_part(&file, i);
        void *surface = lmi_surface_of(header, document, i);
        if (lmi_number(surface, tables->num_vertices) > 0) /* otherwise its tables may be invalid */
            done = optimize_surface(o, &part, i, surface) &&
                   (!tables->share_rows || tables->share_rows(o, surface, (uint32_t)frames));
    }
    return done;
}
