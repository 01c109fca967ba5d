/* Converts a mesh to an MD2, and its writer. */
#include "clips/clip_names.h"
#include "core/text.h"
#include "encode/grid.h"
#include "encode/triangles.h"
#include "formats/md2/md2_write.h"
#include "formats/packed_encode.h"
#include "mesh/mesh_make.h"

/* Triangles have 16-bit indices. */
#define MAX_INDICES 65536u
#define MAX_TEXELS 32767

typedef struct lm_md2_draft {
    lm_packed base;
    uint32_t *xyz;   /* [num_corners] vertex in the file: the base's moves, numbered */
    uint32_t *st;    /* [num_corners] texture coordinate in the file */
    uint32_t *drawn; /* [num_corners] equal if the vertex and the exact coordinates are equal */
    uint32_t num_drawn;
    lm_grid *grids; /* [num_frames] */
    const bool
        *begins; /* [num_frames] true if a movement begins, in any mesh that shares the grid */
    lm_md2 md2;
} lm_md2_draft;

/* ---- Vertices and texture coordinates ------------------------------------------------------- */

static bool check_num_indices(lm_md2_draft *draft, uint32_t count, const char *what) {
    lm_call *call = &draft->base.encoding->heap->call;
    return count <= MAX_INDICES ||
           lmi_call_fail(call, LM_CODE_LIMIT,
                         "the mesh has %u %s, but triangles can index only %u; remove surfaces or "
                         "simplify the model",
                         (unsigned)count, what, (unsigned)MAX_INDICES) ||
           lmi_fail_in(call->error, LM_SECTION_VERTICES);
}

/* Merges vertices that move alike with equal normals, and removes unused ones; with keep_numbers,
 * keeps all. */
static bool number_vertices(lm_md2_draft *draft) {
    lm_packed *base = &draft->base;
    const uint32_t corners = base->num_corners, vertices = base->surface.num_vertices;
    uint32_t *numbers = lmi_unused_numbers(&base->scratch, vertices);
    const bool keep = base->encoding->options->keep_numbers;
    base->vertices = lmi_packed_alloc(
        &draft->base, corners < vertices && !keep ? corners : vertices, sizeof *base->vertices);
    if (!numbers || !base->vertices)
        return false;
    draft->xyz = base->moves;
    for (uint32_t v = 0; keep && v < vertices; v++)
        base->vertices[v] = v;
    const uint32_t count =
        keep ? vertices : lmi_number_by_use(draft->xyz, corners, numbers, base->vertices);
    draft->md2.num_xyz = (int32_t)count;
    return check_num_indices(draft, count, "different vertices");
}

static bool size_skin(lm_md2_draft *draft) {
    const lm_mesh *mesh = draft->base.encoding->mesh;
    const bool known = mesh->skin_width > 0 && mesh->skin_height > 0;
    if (mesh->skin_width > MAX_TEXELS || mesh->skin_height > MAX_TEXELS)
        return lmi_call_fail(
            &draft->base.encoding->heap->call, LM_CODE_LIMIT,
            "the skin has %u x %u pixels, but the format's limit is 32767; give it a smaller size",
            (unsigned)mesh->skin_width, (unsigned)mesh->skin_height);
    draft->md2.skinwidth = known ? (int32_t)mesh->skin_width : (int32_t)LM_USUAL_SKIN;
    draft->md2.skinheight = known ? (int32_t)mesh->skin_height : (int32_t)LM_USUAL_SKIN;
    return known ||
           lmi_encode_note(draft->base.encoding, LM_CODE_NOT_HELD, "mesh", 0,
                           "the skin's size is unknown: texture coordinates are rounded to "
                           "the pixels of a %u x %u skin",
                           LM_USUAL_SKIN, LM_USUAL_SKIN);
}

/* Merges texture coordinates that are equal when rounded to pixels. */
static bool weld_st(lm_md2_draft *draft) {
    const lm_mesh_surface *s = &draft->base.surface;
    const uint32_t corners = draft->base.num_corners;
    uint64_t *keys = lmi_packed_scratch(&draft->base, corners, sizeof *keys);
    uint32_t *used = lmi_packed_scratch(&draft->base, corners, sizeof *used), num_ids = 0;
    uint32_t *numbers = lmi_unused_numbers(&draft->base.scratch, corners);
    int16_t texel[2] = {0, 0};
    draft->st = lmi_packed_alloc(&draft->base, corners, sizeof *draft->st);
    if (!keys || !used || !numbers || !draft->st)
        return false;
    for (size_t c = 0; c < corners; c++) {
        const float *st = s->st + 2 * (size_t)s->st_triangles[c];
        if (!lmi_find_texel(draft->base.encoding, st, draft->md2.skinwidth, draft->md2.skinheight,
                            0, texel))
            return false;
        keys[c] = (uint64_t)(uint16_t)texel[0] << 16 | (uint16_t)texel[1];
    }
    if (!lmi_rank_keys(keys, corners, draft->st, &num_ids, draft->base.encoding->heap))
        return false;
    const uint32_t count = lmi_number_by_use(draft->st, corners, numbers, used);
    uint8_t *out = lmi_packed_alloc(&draft->base, count, LM_MD2_ST_SIZE);
    for (size_t c = 0; out && c < corners; c++)
        lmi_md2_put_st(out + (size_t)draft->st[c] * LM_MD2_ST_SIZE,
                       &(lm_md2_st){(int16_t)(keys[c] >> 16), (int16_t)(uint16_t)keys[c]});
    draft->md2.st = out;
    draft->md2.num_st = (int32_t)count;
    return out && check_num_indices(draft, count, "texture coordinates");
}

/* Numbers the corners that GL commands can share: the same vertex and exactly the same
 * coordinates. */
static bool rank_drawn(lm_md2_draft *draft) {
    draft->drawn = lmi_packed_alloc(&draft->base, draft->base.num_corners, sizeof *draft->drawn);
    return draft->drawn && lmi_rank_corners(&draft->base.surface, draft->xyz, draft->drawn,
                                            &draft->num_drawn, &draft->base.scratch);
}

bool lmi_md2_put_triangles(lm_md2 *md2, const uint32_t *xyz, const uint32_t *st, uint32_t count,
                           lm_arena *arena) {
    uint8_t *out = lmi_arena_alloc(arena, count, LM_MD2_TRIANGLE_SIZE);
    md2->tris = out;
    md2->num_tris = (int32_t)count;
    for (size_t t = 0; out && t < count; t++) {
        lm_md2_triangle triangle;
        for (size_t c = 0; c < 3; c++) {
            triangle.vertex[c] = (uint16_t)xyz[3 * t + c];
            triangle.st[c] = (uint16_t)st[3 * t + c];
        }
        lmi_md2_put_triangle(out + t * LM_MD2_TRIANGLE_SIZE, &triangle);
    }
    return out;
}

static bool fill_triangles(lm_md2_draft *draft) {
    return lmi_md2_put_triangles(&draft->md2, draft->xyz, draft->st,
                                 draft->base.surface.num_triangles, &draft->base.encoding->arena);
}

/* ---- GL commands ---------------------------------------------------------------------------- */

/* Lists the triangles with three different vertices, by the corners' numbers in `drawn`. `firsts`
 * receives a corner for each such number. Returns the number of triangles. */
static uint32_t list_drawn(const lm_md2_draft *draft, uint32_t *corners, uint32_t *firsts) {
    const uint32_t *xyz = draft->xyz;
    uint32_t count = 0;
    for (size_t c = 0; c < draft->base.num_corners; c += 3) {
        if (xyz[c] == xyz[c + 1] || xyz[c + 1] == xyz[c + 2] || xyz[c + 2] == xyz[c])
            continue;
        for (size_t i = 0; i < 3; i++) {
            corners[3 * (size_t)count + i] = draft->drawn[c + i];
            firsts[draft->drawn[c + i]] = (uint32_t)(c + i);
        }
        count++;
    }
    return count;
}

bool lmi_md2_put_strips(lm_md2 *md2, const lm_strips_found *found, const lm_md2_drawn *corners,
                        const uint32_t *firsts, lm_arena *arena) {
    const uint64_t count = lmi_md2_count_strips(found);
    uint8_t *out = lmi_arena_alloc(arena, count, LM_MD2_GL_COMMAND_SIZE);
    md2->glcmds = out;
    md2->num_glcmds = (int32_t)count;
    for (uint32_t i = 0; out && i < found->num_strips; i++) {
        const lm_strip *strip = &found->strips[i];
        lmi_md2_put_glcmd(out, strip->fan ? -(int32_t)strip->count : (int32_t)strip->count);
        out += LM_MD2_GL_COMMAND_SIZE;
        for (uint32_t k = 0; k < strip->count; k++, out += 3 * LM_MD2_GL_COMMAND_SIZE)
            lmi_md2_put_drawn(out, corners[firsts[found->corners[strip->first + k]]]);
    }
    if (out)
        lmi_md2_put_glcmd(out, 0);
    return out;
}

static bool fill_gl_commands(lm_md2_draft *draft) {
    const lm_strips request = draft->base.encoding->options->strips;
    if (request == LM_STRIPS_NONE)
        return true;
    uint32_t *corners = lmi_packed_scratch(&draft->base, draft->base.num_corners, sizeof *corners);
    uint32_t *firsts = lmi_packed_scratch(&draft->base, draft->num_drawn, sizeof *firsts);
    lm_md2_drawn *list = lmi_packed_scratch(&draft->base, draft->base.num_corners, sizeof *list);
    lm_strips_found found;
    if (!corners || !firsts || !list ||
        !lmi_find_strips(corners, list_drawn(draft, corners, firsts), draft->num_drawn,
                         request == LM_STRIPS_BEST, &found, &draft->base.scratch))
        return false;
    const lm_mesh_surface *s = &draft->base.surface;
    for (uint32_t c = 0; c < draft->base.num_corners; c++) {
        list[c].vertex = draft->xyz[c];
        memcpy(&list[c].s, s->st + 2 * (size_t)s->st_triangles[c], 2 * sizeof list[c].s);
    }
    return lmi_md2_put_strips(&draft->md2, &found, list, firsts, &draft->base.encoding->arena);
}

/* ---- Frames --------------------------------------------------------------------------------- */

static bool check_shared_grid(lm_encoding *encoding, uint32_t index) {
    const lm_mesh *const *list = encoding->options->shared_grid, *mesh = list ? list[index] : NULL;
    lm_error error;
    if (!mesh)
        return lmi_call_fail(&encoding->heap->call, LM_CODE_BAD_ARGUMENT,
                             "shared_grid %u is missing, but num_shared_grids is %u",
                             (unsigned)index, (unsigned)encoding->options->num_shared_grids);
    if (!lm_mesh_check(mesh, &error))
        return lmi_call_fail(&encoding->heap->call, error.code, "shared_grid %u: %s",
                             (unsigned)index, error.message);
    return mesh->num_frames == encoding->mesh->num_frames ||
           lmi_call_fail(&encoding->heap->call, LM_CODE_BAD_ARGUMENT,
                         "shared_grid %u has %s, but this mesh has %u", (unsigned)index,
                         lmi_count_words(mesh->num_frames, "{frame|frames}").text,
                         (unsigned)encoding->mesh->num_frames);
}

/* Adds a mesh to those for which the grids are chosen: its used vertices, or `all`. */
static bool add_points(const lm_mesh *mesh, bool all, lm_grid_points *points, uint32_t *count,
                       bool *begins, lm_arena *arena) {
    const bool *own = lmi_encode_movements(mesh, arena);
    for (uint32_t f = 0; own && f < mesh->num_frames; f++)
        begins[f] = begins[f] || own[f];
    for (uint32_t i = 0; own && i < mesh->num_surfaces; i++) {
        const lm_mesh_surface *s = &mesh->surfaces[i];
        if (s->num_vertices == 0)
            continue;
        bool *used = lmi_arena_zeros(arena, s->num_vertices, sizeof *used);
        if (!used)
            return false;
        memset(used, all, s->num_vertices * sizeof *used);
        for (size_t c = 0; c < (size_t)s->num_triangles * 3; c++)
            used[s->triangles[c]] = true;
        points[(*count)++] = (lm_grid_points){s->positions, s->num_vertices, used};
    }
    return own;
}

static bool choose_grids(lm_md2_draft *draft) {
    lm_encoding *encoding = draft->base.encoding;
    const lm_encode_options *options = encoding->options;
    const uint32_t num_frames = encoding->mesh->num_frames;
    uint64_t most = encoding->mesh->num_surfaces;
    for (uint32_t i = 0; i < options->num_shared_grids; i++) {
        if (!check_shared_grid(encoding, i))
            return false;
        most += options->shared_grid[i]->num_surfaces;
    }
    lm_grid_points *points = lmi_packed_alloc(&draft->base, most, sizeof *points);
    bool *begins = lmi_arena_zeros(&encoding->arena, num_frames, sizeof *begins);
    uint32_t count = 0;
    draft->begins = begins;
    bool done =
        points && begins &&
        add_points(encoding->mesh, options->keep_numbers, points, &count, begins, &encoding->arena);
    for (uint32_t i = 0; done && i < options->num_shared_grids; i++)
        done = add_points(options->shared_grid[i], options->keep_numbers, points, &count, begins,
                          &encoding->arena);
    draft->grids = lmi_packed_alloc(&draft->base, num_frames, sizeof *draft->grids);
    const lm_grid_candidate request = {
        .num_frames = num_frames,
        .num_points = count,
        .points = points,
        .begins = begins,
        .stability = options->stability > 0 ? (double)options->stability : 64};
    return done && draft->grids && lmi_grid_choose(&request, draft->grids, &encoding->arena);
}

static uint8_t *frame_vertices(const lm_md2_draft *draft, uint8_t *frames, uint32_t frame) {
    return frames + (size_t)frame * (size_t)draft->md2.framesize + LM_MD2_FRAME_VERTICES;
}

static bool fill_vertices(const lm_md2_draft *draft, uint8_t *frames) {
    const uint32_t num_frames = draft->base.encoding->mesh->num_frames;
    uint8_t *scratch = lmi_arena_alloc(&draft->base.encoding->arena, num_frames, LM_GRID_WAYS);
    lm_grid_path path = {.num_frames = num_frames,
                         .grids = draft->grids,
                         .begins = draft->begins,
                         .smooth = draft->base.encoding->options->smooth,
                         .from_stride = 3 * (size_t)draft->base.surface.num_vertices,
                         .to_stride = (size_t)draft->md2.framesize};
    lmi_grid_reach(draft->grids, num_frames, path.reach);
    for (uint32_t v = 0; scratch && v < (uint32_t)draft->md2.num_xyz; v++)
        for (int axis = 0; axis < 3; axis++) {
            path.from = lmi_packed_position(&draft->base, 0, v) + axis;
            path.to = frame_vertices(draft, frames, 0) + (size_t)v * LM_MD2_VERTEX_SIZE + axis;
            lmi_grid_round(&path, axis, scratch);
        }
    return scratch;
}

static bool fill_frames(lm_md2_draft *draft) {
    const lm_encode_options *options = draft->base.encoding->options;
    lm_md2 *md2 = &draft->md2;
    const int32_t each = LM_MD2_VERTEX_SIZE + (options->high_precision ? 3 : 0);
    md2->framesize = LM_MD2_FRAME_HEADER_SIZE + md2->num_xyz * each;
    md2->num_frames = (int32_t)draft->base.encoding->mesh->num_frames;
    uint8_t *frames =
        lmi_packed_alloc(&draft->base, (uint64_t)md2->num_frames, (size_t)md2->framesize);
    md2->frames = frames;
    if (!frames || !choose_grids(draft))
        return false;
    for (uint32_t f = 0; f < (uint32_t)md2->num_frames; f++) {
        const char *name = draft->base.encoding->mesh->frame_names[f];
        const lm_grid *grid = &draft->grids[f];
        lm_md2_frame frame = {{grid->step[0], grid->step[1], grid->step[2]},
                              {grid->start[0], grid->start[1], grid->start[2]},
                              {0}};
        const bool done = lmi_encode_text(draft->base.encoding, (uint8_t *)frame.name,
                                          sizeof frame.name, name, "frames", "its name", f);
        lmi_md2_put_frame(frames + (size_t)f * (size_t)md2->framesize, &frame);
        if (!done)
            return false;
        uint8_t *out = frame_vertices(draft, frames, f);
        for (uint32_t v = 0; v < (uint32_t)draft->md2.num_xyz; v++)
            out[(size_t)v * LM_MD2_VERTEX_SIZE + 3] = lmi_packed_normal(&draft->base, f, v);
    }
    if (!fill_vertices(draft, frames))
        return false;
    for (uint32_t f = 0; options->high_precision && f < (uint32_t)md2->num_frames; f++) {
        /* Write the low bytes of each coordinate: 3 signed bytes per vertex, after the vertices. */
        const uint8_t *lines = frame_vertices(draft, frames, f);
        const size_t count = (size_t)draft->md2.num_xyz;
        uint8_t *out = frame_vertices(draft, frames, f) + count * LM_MD2_VERTEX_SIZE;
        for (uint32_t v = 0; v < count; v++, lines += LM_MD2_VERTEX_SIZE, out += 3)
            for (int axis = 0; axis < 3; axis++)
                out[axis] = (uint8_t)lmi_grid_rest(&draft->grids[f], axis, lines[axis],
                                                   lmi_packed_position(&draft->base, f, v)[axis]);
    }
    return true;
}

/* ---- Skins and losses ----------------------------------------------------------------------- */

static bool fill_skins(lm_md2_draft *draft) {
    const lm_mesh *mesh = draft->base.encoding->mesh;
    const uint32_t count = mesh->num_skins;
    uint8_t *out = lmi_packed_alloc(&draft->base, count, LM_MD2_SKIN_SIZE);
    draft->md2.skins = out;
    draft->md2.num_skins = (int32_t)count;
    for (uint32_t i = 0; out && i < count; i++)
        if (!lmi_encode_text(draft->base.encoding, out + (size_t)i * LM_MD2_SKIN_SIZE,
                             LM_MD2_SKIN_SIZE, mesh->skins[i], "skins", "its path", i))
            return false;
    return out;
}

static bool note_rates(lm_encoding *encoding) {
    const lm_mesh *mesh = encoding->mesh;
    const lm_clip *first;
    const uint32_t count = lmi_count_unusual_clips(mesh->clips, mesh->num_clips, &first);
    return !first || lmi_encode_note(
                         encoding, LM_CODE_FIXED_RATE, "clips", (uint32_t)(first - mesh->clips),
                         "the game plays all frames forward at 10 fps, but %s differently, such as "
                         "\"%s\" at %g fps%s",
                         lmi_count_words(count, "{clip plays|clips play}").text, first->name,
                         (double)first->fps, first->backwards ? " backwards" : "");
}

/* ---- Encoding ------------------------------------------------------------------------------- */

static bool begin(lm_md2_draft *draft) {
    return lmi_packed_begin(&draft->base, LM_MD2_TRIANGLE_SIZE, LM_MD2_FRAME_HEADER_SIZE);
}

static bool finish(lm_md2_draft *draft) {
    draft->base.encoding->num_st = (uint32_t)draft->md2.num_st;
    if (!lmi_packed_locate_vertices(&draft->base, draft->xyz, (uint32_t)draft->md2.num_xyz) ||
        !lmi_check_engine(draft->base.encoding, &lmi_md2_header, &draft->md2))
        return false;
    lm_encoding *encoding = draft->base.encoding;
    const lm_mesh *mesh = encoding->mesh;
    for (uint32_t i = 0; i < mesh->num_clips; i++)
        if (!lmi_note_clip_name(encoding, i))
            return false;
    return note_rates(encoding) &&
           lmi_encode_report_loss(encoding, LM_STORES_CLIPS | LM_STORES_SKIN_SIZE);
}

static bool md2_encode(lm_encoding *encoding, lm_buffer *out) {
    bool (*const steps[])(lm_md2_draft *) = {
        begin,          size_skin,        number_vertices, weld_st,    rank_drawn,
        fill_triangles, fill_gl_commands, fill_frames,     fill_skins, finish};
    lm_md2_draft draft = {.base = {.encoding = encoding, .scratch = {.heap = encoding->heap}}};
    bool done = true;
    for (size_t i = 0; done && i < sizeof steps / sizeof *steps; i++) {
        done = steps[i](&draft);
        lmi_arena_free(&draft.base.scratch);
    }
    return done &&
           lmi_call_join(&encoding->heap->call, lmi_put_document(&lmi_md2_kind, &draft.md2, out,
                                                                 encoding->heap->call.error));
}

const lm_writer lmi_md2_writer = {
    .format = &lmi_format_md2,
    .encode = md2_encode,
    .edit = &lmi_md2_editor,
    .optimize = lmi_md2_optimize,
};
