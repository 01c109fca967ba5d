/* Writing moved vertices and tags into the frames of MD3 and MDC. */
#include "core/report.h"
#include "formats/vertex_mesh/vertex_mesh_edit.h"
#include "formats/vertex_mesh/vertex_mesh_encode.h"
#include "lerpmesh/mesh.h"
#include "math/vectors.h"
#include "mesh/moves.h"

static const lm_vertex_mesh_edit_tables *tables_of(const lm_edit *edit) {
    return (const lm_vertex_mesh_edit_tables *)(const void *)edit->editor->tables;
}

bool lm_vertex_mesh_fail_range(lm_edit *edit, uint32_t surface, uint32_t frame, uint32_t vertex) {
    lm_call_fail(edit->call, LM_CODE_LIMIT,
                 "surface %u: vertex %u of frame %u exceeds the range of the format",
                 (unsigned)surface, (unsigned)vertex, (unsigned)frame);
    return lm_fail_at(edit->call->error, surface, "vertices", vertex);
}

/* ---- Vertices ------------------------------------------------------------------------------- */

static bool put_vertex(const lm_vec3 *position, const lm_vec3 *normal, uint8_t *bytes) {
    lm_vertex_mesh_vertex vertex = lm_vertex_mesh_get_vertex(bytes);
    const bool fits = lm_vertex_mesh_round((double)position->x, &vertex.v[0]) &&
                      lm_vertex_mesh_round((double)position->y, &vertex.v[1]) &&
                      lm_vertex_mesh_round((double)position->z, &vertex.v[2]);
    lm_vertex_mesh_put_vertex(bytes, vertex);
    if (normal)
        lm_nearest_normal_angles(normal, bytes + 6, bytes + 7);
    return fits;
}

static bool put_difference(const lm_vertex_mesh_edit_tables *tables, const lm_vec3 *position,
                           const lm_vec3 *normal, const uint8_t *base, uint8_t *bytes) {
    const lm_vec3 from = lm_vertex_mesh_get_position(base);
    const lm_vec3 by = {position->x - from.x, position->y - from.y, position->z - from.z};
    if (normal)
        bytes[3] = lm_nearest_normal_256(normal);
    return tables->find_difference(by, bytes);
}

/* Writes the vertices of a frame that move. */
static bool put_frame(lm_edit *edit, const lm_moves *moves, uint32_t index, uint32_t frame,
                      const void *made, uint8_t *vertices, uint8_t *differences) {
    const lm_vertex_mesh_edit_tables *tables = tables_of(edit);
    const uint32_t count = moves->old->surfaces[index].num_vertices;
    const lm_vertex_mesh_rows rows = tables->rows(made, (int32_t)frame);
    uint8_t *base = vertices + (size_t)rows.base * count * LM_VERTEX_MESH_VERTEX_SIZE;
    for (uint32_t v = 0; v < count; v++, base += LM_VERTEX_MESH_VERTEX_SIZE) {
        if (!lm_moves_vertex(moves, index, frame, v))
            continue;
        const lm_vec3 position = lm_moved_position(moves, index, frame, v);
        const lm_vec3 *normal = lm_moved_normal(moves, index, frame, v);
        uint8_t *own = differences && rows.difference >= 0
                           ? differences + 4 * ((size_t)rows.difference * count + v)
                           : NULL;
        const bool fits = own ? put_difference(tables, &position, normal, base, own)
                              : put_vertex(&position, normal, base);
        if (!fits)
            return lm_vertex_mesh_fail_range(edit, index, frame, v);
    }
    return true;
}

static bool put_surface(lm_edit *edit, const lm_moves *moves, uint32_t index, void *made) {
    const lm_vertex_mesh_edit_tables *tables = tables_of(edit);
    const lm_part file = lm_edit_part(edit), part = lm_surface_part(&file, index);
    uint8_t *differences =
        tables->differences ? lm_copy_lump(edit, &part, tables->differences, made) : NULL;
    if (tables->differences && !differences)
        return false;
    if (tables->own_rows ? !tables->own_rows(edit, &part, index, moves, made)
                         : !lm_copy_lump(edit, &part, tables->vertices, made))
        return false;
    const lm_header_lump *lump = lm_lump_at(part.header, tables->vertices);
    uint8_t *vertices = (uint8_t *)lm_lump_data(lump, made);
    bool done = true;
    for (uint32_t f = 0; done && f < moves->old->num_frames; f++)
        done = !lm_moves_surface(moves, index, f) ||
               put_frame(edit, moves, index, f, made, vertices, differences);
    return done;
}

/* ---- Tags and bounds ------------------------------------------------------------------------ */

static bool put_tags(lm_edit *edit, const lm_moves *moves, void *made) {
    const lm_vertex_mesh_edit_tables *tables = tables_of(edit);
    const lm_part part = lm_edit_part(edit);
    const uint32_t count = moves->old->num_tags;
    const size_t size = lm_part_extent(&part, lm_lump_at(part.header, tables->tags)).element;
    uint8_t *tags = lm_copy_lump(edit, &part, tables->tags, made);
    bool done = tags;
    for (uint32_t i = 0; done && i < moves->old->num_frames * count; i++) {
        if (!lm_moves_tag(moves, i % count, i / count))
            continue;
        const lm_transform *pose = &moves->mesh->tags[i % count].poses[i / count];
        const lm_edit_transformation to = {
            .move = {(double)pose->origin.x, (double)pose->origin.y, (double)pose->origin.z},
            .from = {0, 1, 2},
            .round = true};
        done = tables->transform_tag(edit, &to, "tag", i % count, tags + i * size);
        tables->turn_tag(tags + i * size, pose->axis);
    }
    return done;
}

static bool put_bounds(lm_edit *edit, const lm_moves *moves, void *made) {
    const lm_part part = lm_edit_part(edit);
    uint8_t *frames =
        lm_copy_lump(edit, &part, edit->editor->tables->names[LM_EDIT_FRAMES].lump, made);
    for (uint32_t f = 0; frames && f < moves->old->num_frames; f++)
        if (lm_moves_surfaces(moves, f))
            lm_vertex_mesh_put_bounds(edit, made, (int32_t)f,
                                      frames + (size_t)f * LM_VERTEX_MESH_FRAME_SIZE);
    return frames;
}

bool lm_vertex_mesh_put_frames(lm_edit *edit, const lm_moves *moves) {
    void *made = lm_begin_change(edit);
    bool done = made;
    for (uint32_t s = 0; done && s < moves->old->num_surfaces; s++)
        done = moves->old->surfaces[s].num_vertices == 0 ||
               put_surface(edit, moves, s, lm_new_surface(edit, made, s));
    return done && (moves->old->num_tags == 0 || put_tags(edit, moves, made)) &&
           put_bounds(edit, moves, made) && lm_commit_change(edit, made);
}
