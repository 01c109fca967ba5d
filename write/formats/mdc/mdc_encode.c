/* Converts a mesh to an MDC. */
#include "core/index.h"
#include "encode/encoding.h"
#include "formats/mdc/mdc_write.h"
#include "formats/vertex_mesh/vertex_mesh_write.h"
#include "math/vectors.h"
#include "mesh/mesh_make.h"

/* ---- Compressed frames ---------------------------------------------------------------------- */

#define MAX_INDEX INT16_MAX /* of a base or compressed frame */

/* Encodes a frame as offsets from a base frame. Computes the offsets from the mesh's exact
 * positions, not from rounded ones. */
static void encode_row(const lm_encoding *encoding, const lm_vertex_mesh_piece *piece,
                       uint32_t frame, uint32_t base, uint8_t *out) {
    const lm_mesh_surface *s = &encoding->mesh->surfaces[piece->surface];
    const size_t stride = (size_t)frame * s->num_vertices;
    const lm_vertex_mesh_vertex *from = piece->rows + (size_t)base * piece->num_vertices;
    for (uint32_t v = 0; v < piece->num_vertices; v++, out += LM_MDC_COMP_VERTEX_SIZE) {
        const size_t at = 3 * (stride + piece->vertices[v]);
        const float *p = s->positions + at, *n = s->normals + at;
        lm_mdc_comp_vertex vertex;
        for (int i = 0; i < 3; i++) {
            const double units = (double)p[i] - (double)from[v].v[i] * (double)LM_VERTEX_MESH_STEP;
            const double steps = units * (1 / (double)LM_MDC_COMP_STEP) + LM_DELTA_BIAS + 0.5;
            vertex.v[i] = (uint8_t)(steps < 0 ? 0 : steps > UINT8_MAX ? UINT8_MAX : steps);
        }
        vertex.normal = lmi_nearest_normal_256((const lm_vec3 *)(const void *)n);
        lmi_mdc_put_comp_vertex(out, &vertex);
    }
}

/* A surface under construction: lumps grow as frames need them. */
typedef struct surface_plan {
    lm_encoding *encoding;
    const lm_vertex_mesh_piece *piece;
    const lm_mdc_bases *bases;
    uint8_t *base_vertices, *comp_vertices;
    uint8_t *base_table, *comp_table;
    uint32_t *numbers; /* [num_frames] numbers of base frames; LM_UNUSED: none yet */
    uint32_t num_base, num_comp;
    lm_index index; /* of compressed frames */
} surface_plan;

static size_t comp_size(const surface_plan *plan) {
    return (size_t)plan->piece->num_vertices * LM_MDC_COMP_VERTEX_SIZE;
}

static bool same_comp(const void *context, uint32_t a, uint32_t b) {
    const surface_plan *plan = context;
    const size_t size = comp_size(plan);
    return memcmp(plan->comp_vertices + a * size, plan->comp_vertices + b * size, size) == 0;
}

/* ---- Surfaces ------------------------------------------------------------------------------- */

static bool make_room(surface_plan *plan) {
    lm_arena *arena = &plan->encoding->arena;
    const uint32_t num_frames = plan->encoding->mesh->num_frames;
    const uint64_t vertices = plan->piece->num_vertices;
    plan->numbers = lmi_unused_numbers(arena, num_frames);
    if (!plan->numbers)
        return false;
    uint32_t *numbers = plan->numbers;
    uint32_t num_base = 0;
    for (uint32_t f = 0; f < num_frames; f++)
        if (numbers[plan->bases->base[f]] == LM_UNUSED)
            numbers[plan->bases->base[f]] = num_base++;
    memset(numbers, 0xFF, num_frames * sizeof *numbers);
    plan->base_vertices = lmi_arena_alloc(arena, num_base * vertices, LM_MDC_BASE_VERTEX_SIZE);
    plan->comp_vertices = lmi_arena_alloc(arena, num_frames * vertices, LM_MDC_COMP_VERTEX_SIZE);
    plan->base_table = lmi_arena_alloc(arena, num_frames, LM_MDC_FRAME_INDEX_SIZE);
    plan->comp_table = lmi_arena_alloc(arena, num_frames, LM_MDC_FRAME_INDEX_SIZE);
    plan->index.slots =
        lmi_arena_alloc(arena, lmi_index_slots(num_frames), sizeof *plan->index.slots);
    if (lmi_arena_failed(arena))
        return false;
    lmi_index_clear(&plan->index, num_frames);
    return true;
}

static bool fill_rows(surface_plan *plan) {
    const lm_vertex_mesh_piece *piece = plan->piece;
    const size_t count = piece->num_vertices;
    for (uint32_t f = 0; f < plan->encoding->mesh->num_frames; f++) {
        const uint32_t base = plan->bases->base[f];
        uint32_t *number = &plan->numbers[base];
        int32_t comp = LM_MDC_NO_COMP_FRAME;
        if (*number == LM_UNUSED) {
            uint8_t *out = plan->base_vertices + plan->num_base * count * LM_MDC_BASE_VERTEX_SIZE;
            for (size_t v = 0; v < count; v++, out += LM_MDC_BASE_VERTEX_SIZE)
                lmi_mdc_put_base_vertex(out, &piece->rows[base * count + v]);
            *number = plan->num_base++;
        }
        if (plan->bases->first[f] != base) {
            uint8_t *newest = plan->comp_vertices + plan->num_comp * comp_size(plan);
            encode_row(plan->encoding, piece, f, base, newest);
            comp = (int32_t)lmi_index_find(&plan->index, lmi_hash_bytes(0, newest, comp_size(plan)),
                                           plan->num_comp, same_comp, plan);
            plan->num_comp += comp == (int32_t)plan->num_comp;
        }
        if (*number > MAX_INDEX || comp > MAX_INDEX)
            return lmi_call_fail(&plan->encoding->heap->call, LM_CODE_LIMIT,
                                 "surface %u has more than %d different frames, the limit of the "
                                 "format; remove frames",
                                 (unsigned)piece->surface, MAX_INDEX + 1);
        lmi_mdc_put_frame_index(plan->base_table + (size_t)f * LM_MDC_FRAME_INDEX_SIZE,
                                (int32_t)*number);
        lmi_mdc_put_frame_index(plan->comp_table + (size_t)f * LM_MDC_FRAME_INDEX_SIZE, comp);
    }
    return true;
}

static bool fill_surface(lm_encoding *encoding, const lm_vertex_mesh_piece *piece,
                         const lm_mdc_bases *bases, lm_mdc_surface *out) {
    surface_plan plan = {.encoding = encoding, .piece = piece, .bases = bases};
    if (!make_room(&plan) || !fill_rows(&plan))
        return false;
    *out = (lm_mdc_surface){.ident = LM_MDC_SURFACE_IDENT,
                            .flags = encoding->mesh->surfaces[piece->surface].flags,
                            .num_comp_frames = (int32_t)plan.num_comp,
                            .num_base_frames = (int32_t)plan.num_base,
                            .num_shaders = (int32_t)piece->num_shaders,
                            .num_vertices = (int32_t)piece->num_vertices,
                            .num_triangles = (int32_t)piece->num_triangles,
                            .triangles = piece->triangles,
                            .shaders = piece->shaders,
                            .st = piece->st,
                            .base_vertices = plan.base_vertices,
                            .comp_vertices = plan.comp_vertices,
                            .frame_base_frames = plan.base_table,
                            .frame_comp_frames = plan.comp_table};
    memcpy(out->name, piece->name, sizeof out->name);
    encoding->num_base_frames += plan.num_base;
    return true;
}

/* ---- Tags ----------------------------------------------------------------------------------- */

static bool encode_tag(lm_encoding *encoding, uint32_t tag, uint32_t frame, lm_mdc_tag *out) {
    const lm_transform *pose = &encoding->mesh->tags[tag].poses[frame];
    const float origin[3] = {pose->origin.x, pose->origin.y, pose->origin.z};
    lm_vec3 axis[3];
    for (int i = 0; i < 3; i++)
        if (!lmi_vertex_mesh_round((double)origin[i], &out->position[i]))
            return lmi_call_fail(&encoding->heap->call, LM_CODE_LIMIT,
                                 "tag %u is at %g in frame %u, but the format stores -511.98 to "
                                 "511.98 units; scale the model down",
                                 (unsigned)tag, (double)origin[i], (unsigned)frame) ||
                   lmi_fail_in(encoding->heap->call.error, LM_SECTION_TAG);
    lmi_square_axes(pose->axis, axis);
    lmi_nearest_angles(axis, LM_MDC_ANGLE_STEPS, out->angle);
    return true;
}

/* Reports mirrored tags, which angles cannot express. */
static bool note_mirrored(lm_encoding *encoding, uint32_t tag) {
    const lm_mesh_tag *t = &encoding->mesh->tags[tag];
    for (uint32_t f = 0; f < encoding->mesh->num_frames; f++)
        if (lmi_axes_mirrored(t->poses[f].axis))
            return lmi_encode_note(
                encoding, LM_CODE_NOT_HELD, "tags", tag,
                "tag %u: \"%s\" is mirrored in frame %u, but the format stores only angles",
                (unsigned)tag, t->name, (unsigned)f);
    return true;
}

static bool fill_tags(lm_encoding *encoding, lm_mdc *mdc) {
    const lm_mesh *mesh = encoding->mesh;
    uint8_t *names = lmi_arena_alloc(&encoding->arena, mesh->num_tags, LM_MDC_TAG_NAME_SIZE);
    uint8_t *out = lmi_arena_alloc(&encoding->arena, (uint64_t)mesh->num_frames * mesh->num_tags,
                                   LM_MDC_TAG_SIZE);
    mdc->tag_names = names;
    mdc->tags = out;
    if (!names || !out)
        return false;
    for (uint32_t t = 0; t < mesh->num_tags; t++, names += LM_MDC_TAG_NAME_SIZE)
        if (!lmi_encode_text(encoding, names, LM_MDC_TAG_NAME_SIZE, mesh->tags[t].name, "tags",
                             "its name", t) ||
            !note_mirrored(encoding, t))
            return false;
    for (uint32_t f = 0; f < mesh->num_frames; f++)
        for (uint32_t t = 0; t < mesh->num_tags; t++, out += LM_MDC_TAG_SIZE) {
            lm_mdc_tag tag = {0};
            if (!encode_tag(encoding, t, f, &tag))
                return false;
            lmi_mdc_put_tag(out, &tag);
        }
    return true;
}

bool lmi_mdc_encode(lm_encoding *encoding, lm_buffer *out) {
    const lm_mesh *mesh = encoding->mesh;
    lm_vertex_mesh_pieces pieces;
    if (!lmi_vertex_mesh_encode_pieces(encoding, &pieces))
        return false;
    lm_mdc mdc = {.flags = mesh->flags,
                  .num_frames = (int32_t)mesh->num_frames,
                  .num_tags = (int32_t)mesh->num_tags,
                  .num_surfaces = (int32_t)pieces.count};
    uint8_t *frames =
        lmi_arena_alloc(&encoding->arena, mesh->num_frames, LM_VERTEX_MESH_FRAME_SIZE);
    mdc.frames = frames;
    lm_mdc_bases *bases = lmi_arena_alloc(&encoding->arena, pieces.count, sizeof *bases);
    mdc.surfaces = lmi_arena_alloc(&encoding->arena, pieces.count, sizeof *mdc.surfaces);
    if (!frames || !bases || !mdc.surfaces || !lmi_mdc_choose_bases(encoding, &pieces, bases))
        return false;
    lmi_encode_name(mdc.name, sizeof mdc.name, mesh->name);
    for (uint32_t i = 0; i < pieces.count; i++)
        if (!fill_surface(encoding, &pieces.list[i], &bases[i], &mdc.surfaces[i]))
            return false;
    return lmi_vertex_mesh_encode_frames(encoding, &lmi_mdc_editor, &mdc, frames) &&
           fill_tags(encoding, &mdc) &&
           lmi_call_join(&encoding->heap->call,
                         lmi_put_document(&lmi_mdc_kind, &mdc, out, encoding->heap->call.error));
}
