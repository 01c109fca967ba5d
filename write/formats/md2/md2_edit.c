/* Editing MD2: names and frames by the tables; vertices, which are inside the frames, directly. */
#include "formats/edit_document.h"
#include "formats/md2/md2_write.h"
#include "lerpmesh/mesh.h"
#include "math/vectors.h"
#include "mesh/mesh_make.h"

/* ---- Frames of another file ----------------------------------------------------------------- */

static bool fits(lm_edit *edit, const void *document) {
    const lm_md2 *md2 = edit->document, *other = document;
    bool same = other->num_xyz == md2->num_xyz && other->num_tris == md2->num_tris;
    for (size_t i = 0; same && i < (size_t)md2->num_tris; i++) /* texture coordinates may differ */
        same = memcmp(md2->tris + i * LM_MD2_TRIANGLE_SIZE, other->tris + i * LM_MD2_TRIANGLE_SIZE,
                      6) == 0;
    if (!same)
        return lmi_call_fail(
            edit->call, LM_CODE_BAD_ARGUMENT,
            "the other model has different triangles (%d with %d vertices, instead "
            "of %d with %d), so its frames cannot be appended",
            (int)other->num_tris, (int)other->num_xyz, (int)md2->num_tris, (int)md2->num_xyz);
    return other->framesize == md2->framesize ||
           lmi_call_fail(edit->call, LM_CODE_BAD_ARGUMENT,
                         "the other model's frames have %d bytes each, this one's %d, so they "
                         "cannot be appended",
                         (int)other->framesize, (int)md2->framesize);
}

/* ---- Unused vertices ------------------------------------------------------------------------ */

static uint8_t *number_triangles(const lm_md2 *md2, const lm_renumbered *xyz,
                                 const lm_renumbered *st) {
    uint8_t *tris =
        lmi_arena_alloc(lmi_arena_of(md2), (uint64_t)md2->num_tris + 1, LM_MD2_TRIANGLE_SIZE);
    for (int32_t i = 0; tris && i < md2->num_tris; i++) {
        lm_md2_triangle triangle = lmi_md2_triangle_at(md2, i);
        for (int c = 0; c < 3; c++) {
            triangle.vertex[c] = (uint16_t)xyz->new_indices[triangle.vertex[c]];
            triangle.st[c] = (uint16_t)st->new_indices[triangle.st[c]];
        }
        lmi_md2_put_triangle(tris + (size_t)i * LM_MD2_TRIANGLE_SIZE, &triangle);
    }
    return tris;
}

static uint8_t *number_glcmds(const lm_md2 *md2, const lm_renumbered *xyz) {
    const size_t size = (size_t)md2->num_glcmds * LM_MD2_GL_COMMAND_SIZE;
    uint8_t *glcmds = lmi_join_lumps(lmi_arena_of(md2), md2->glcmds, size, NULL, 0);
    lm_md2_gl_walk walk = lmi_md2_gl_begin(md2);
    while (glcmds && lmi_md2_gl_next(&walk))
        for (uint32_t i = 0; i < walk.count; i++)
            lmi_md2_put_glcmd(glcmds +
                                  (size_t)lmi_md2_gl_index_at(&walk, i) * LM_MD2_GL_COMMAND_SIZE,
                              (int32_t)xyz->new_indices[lmi_md2_gl_vertex(&walk, i)]);
    return glcmds;
}

/* Returns the number of bytes after a frame's vertices: the low bytes of each vertex, or unknown
 * data. */
static size_t more_bytes(const lm_md2 *md2) {
    return (size_t)md2->framesize - LM_MD2_FRAME_VERTICES -
           (size_t)md2->num_xyz * LM_MD2_VERTEX_SIZE;
}

static bool has_low_bytes(const lm_md2 *md2) {
    return more_bytes(md2) == (size_t)md2->num_xyz * 3;
}

static uint8_t *pick_vertices(const lm_md2 *md2, const lm_renumbered *xyz, size_t framesize) {
    const size_t more = more_bytes(md2), vertices = xyz->count * (size_t)LM_MD2_VERTEX_SIZE;
    uint8_t *frames = lmi_arena_alloc(lmi_arena_of(md2), (uint64_t)md2->num_frames, framesize);
    for (int32_t f = 0; frames && f < md2->num_frames; f++) {
        const uint8_t *from = md2->frames + (size_t)f * (size_t)md2->framesize;
        const uint8_t *extra = from + md2->framesize - more;
        uint8_t *to = frames + (size_t)f * framesize, *low = to + LM_MD2_FRAME_VERTICES + vertices;
        memcpy(to, from, LM_MD2_FRAME_VERTICES);
        for (uint32_t i = 0; i < xyz->count; i++)
            memcpy(to + LM_MD2_FRAME_VERTICES + (size_t)i * LM_MD2_VERTEX_SIZE,
                   from + LM_MD2_FRAME_VERTICES + (size_t)xyz->old_indices[i] * LM_MD2_VERTEX_SIZE,
                   LM_MD2_VERTEX_SIZE);
        for (uint32_t i = 0; has_low_bytes(md2) && i < xyz->count; i++)
            memcpy(low + (size_t)3 * i, extra + (size_t)3 * xyz->old_indices[i], 3);
        if (!has_low_bytes(md2))
            memcpy(low, extra, more);
    }
    return frames;
}

static bool remove_unused(lm_edit *edit) {
    lm_md2 *md2 = edit->document, made = *md2;
    lm_renumbered xyz, st;
    if (!lmi_begin_renumbering(lmi_arena_of(md2), md2->num_xyz, &xyz) ||
        !lmi_begin_renumbering(lmi_arena_of(md2), md2->num_st, &st))
        return false;
    for (int32_t i = 0; i < md2->num_tris; i++) {
        const lm_md2_triangle triangle = lmi_md2_triangle_at(md2, i);
        for (int c = 0; c < 3; c++) {
            xyz.used[triangle.vertex[c]] = true;
            st.used[triangle.st[c]] = true;
        }
    }
    lm_md2_gl_walk walk = lmi_md2_gl_begin(md2);
    while (lmi_md2_gl_next(&walk))
        for (uint32_t i = 0; i < walk.count; i++)
            xyz.used[lmi_md2_gl_vertex(&walk, i)] = true;
    xyz.used[0] = xyz.used[0] || md2->num_tris == 0; /* the format needs a vertex */
    lmi_end_renumbering(&xyz);
    lmi_end_renumbering(&st);
    made.num_xyz = (int32_t)xyz.count;
    made.num_st = (int32_t)st.count;
    made.framesize = (int32_t)(LM_MD2_FRAME_VERTICES + LM_MD2_VERTEX_SIZE * xyz.count +
                               (has_low_bytes(md2) ? (size_t)3 * xyz.count : more_bytes(md2)));
    made.tris = number_triangles(md2, &xyz, &st);
    made.glcmds = number_glcmds(md2, &xyz);
    made.frames = pick_vertices(md2, &xyz, (size_t)made.framesize);
    made.st = lmi_pick(lmi_arena_of(md2), md2->st, LM_MD2_ST_SIZE, st.old_indices, st.count);
    const bool done =
        made.tris && made.glcmds && made.frames && made.st &&
        (made.num_xyz == md2->num_xyz ||
         lmi_edit_note_count(edit, "vertices", (uint32_t)md2->num_xyz, xyz.count)) &&
        (made.num_st == md2->num_st ||
         lmi_edit_note_count(edit, "texture coordinates", (uint32_t)md2->num_st, st.count));
    if (done && (made.num_xyz != md2->num_xyz || made.num_st != md2->num_st))
        *md2 = made;
    return done;
}

/* ---- Transforming --------------------------------------------------------------------------- */

/* Returns a copy of all frames to change; NULL if memory runs out. */
static uint8_t *copy_frames(const lm_md2 *md2) {
    return lmi_join_lumps(lmi_arena_of(md2), md2->frames,
                          (size_t)md2->num_frames * (size_t)md2->framesize, NULL, 0);
}

static bool transform(lm_edit *edit, const lm_edit_transformation *to) {
    lm_md2 *md2 = edit->document;
    const size_t size = (size_t)md2->framesize;
    uint8_t normals[LM_NUM_NORMALS_162];
    if (to->quarters > 0 && more_bytes(md2) > 0)
        return lmi_call_fail(edit->call, LM_CODE_BAD_ARGUMENT,
                             "each frame has %zu more bytes after its vertices, and their rotation "
                             "is unknown: encode the model again",
                             more_bytes(md2));
    uint8_t *frames = copy_frames(md2);
    if (!frames)
        return false;
    lmi_edit_rotate_normals(to, lm_normal_table(LM_NUM_NORMALS_162), LM_NUM_NORMALS_162,
                            lmi_nearest_normal_162, normals);
    for (int32_t f = 0; f < md2->num_frames; f++) {
        uint8_t *frame = frames + (size_t)f * size;
        lm_vec3 scale = lmi_get_vec3(frame + LM_MD2_FRAME_SCALE);
        lm_vec3 translate = lmi_get_vec3(frame + LM_MD2_FRAME_TRANSLATE);
        const bool sane = lmi_edit_transform_grid(edit, to, &scale, &translate);
        lmi_put_vec3(frame + LM_MD2_FRAME_SCALE, scale);
        lmi_put_vec3(frame + LM_MD2_FRAME_TRANSLATE, translate);
        if (!sane)
            return false;
        if (to->quarters > 0)
            lmi_edit_rotate_packed(to, normals, frame + LM_MD2_FRAME_VERTICES,
                                   (size_t)md2->num_xyz);
    }
    md2->frames = frames;
    return true;
}

static bool put_normals(lm_edit *edit, const struct lm_mesh *mesh) {
    lm_md2 *md2 = edit->document;
    const size_t size = (size_t)md2->framesize, count = (size_t)md2->num_xyz;
    if (mesh->num_surfaces != 1 || mesh->surfaces[0].num_vertices != count ||
        mesh->num_frames != (uint32_t)md2->num_frames)
        return lmi_call_fail(edit->call, LM_CODE_BAD_ARGUMENT,
                             "the model does not have the vertices of the file");
    uint8_t *frames = copy_frames(md2);
    if (!frames || !lmi_edit_note(edit, "normals", "as stored", "computed"))
        return false;
    for (size_t f = 0; f < (size_t)md2->num_frames; f++)
        for (size_t v = 0; v < count; v++) {
            const float *n = mesh->surfaces[0].normals + 3 * (f * count + v);
            const lm_vec3 normal = {n[0], n[1], n[2]};
            frames[f * size + LM_MD2_FRAME_VERTICES + v * LM_MD2_VERTEX_SIZE + 3] =
                lmi_nearest_normal_162(&normal);
        }
    md2->frames = frames;
    return true;
}

/* ---- Moved vertices ------------------------------------------------------------------------- */

/* Writes the vertices that move, or with `all` every vertex. Returns false if one lies outside the
 * frame's grid. */
static bool put_vertices(const lm_moves *moves, uint32_t frame, bool all, uint8_t *bytes) {
    const lm_vec3 scale = lmi_get_vec3(bytes + LM_MD2_FRAME_SCALE);
    const lm_vec3 translate = lmi_get_vec3(bytes + LM_MD2_FRAME_TRANSLATE);
    uint8_t *out = bytes + LM_MD2_FRAME_VERTICES;
    bool fits = true;
    for (uint32_t v = 0; fits && v < moves->old->surfaces[0].num_vertices; v++) {
        const bool moved = lmi_moves_vertex(moves, 0, frame, v);
        uint8_t *vertex = out + (size_t)v * LM_MD2_VERTEX_SIZE;
        if (!moved && !all)
            continue;
        const lm_vec3 *normal = moved ? lmi_moved_normal(moves, 0, frame, v) : NULL;
        fits = lmi_find_bytes(lmi_moved_position(moves, 0, frame, v), scale, translate, vertex);
        if (normal)
            vertex[3] = lmi_nearest_normal_162(normal);
    }
    return fits;
}

static bool put_frame(lm_edit *edit, const lm_moves *moves, uint32_t frame, uint8_t *bytes) {
    lm_vec3 scale, translate;
    if (put_vertices(moves, frame, false, bytes))
        return true;
    /* The smallest grid that holds the vertices of the frame. */
    const float steps = 255;
    lm_box box = LM_EMPTY_BOX;
    for (uint32_t v = 0; v < moves->old->surfaces[0].num_vertices; v++)
        lmi_box_add(&box, lmi_moved_position(moves, 0, frame, v));
    translate = lmi_vec3_at(box.low, 0);
    scale = (lm_vec3){(box.high[0] - box.low[0]) / steps, (box.high[1] - box.low[1]) / steps,
                      (box.high[2] - box.low[2]) / steps};
    lmi_put_vec3(bytes + LM_MD2_FRAME_SCALE, scale);
    lmi_put_vec3(bytes + LM_MD2_FRAME_TRANSLATE, translate);
    return (lmi_edit_sane(edit, scale) && lmi_edit_sane(edit, translate) &&
            put_vertices(moves, frame, true, bytes)) ||
           lmi_call_fail(edit->call, LM_CODE_LIMIT, "frame %u exceeds the range of the format",
                         (unsigned)frame);
}

static bool put_frames(lm_edit *edit, const lm_moves *moves) {
    lm_md2 *md2 = edit->document;
    const size_t size = (size_t)md2->framesize;
    if (more_bytes(md2) > 0)
        return lmi_call_fail(edit->call, LM_CODE_BAD_ARGUMENT,
                             "each frame has %zu more bytes after its vertices: encode the model "
                             "again",
                             more_bytes(md2));
    uint8_t *frames = copy_frames(md2);
    bool done = frames;
    for (uint32_t f = 0; done && f < (uint32_t)md2->num_frames; f++)
        done = !lmi_moves_surface(moves, 0, f) || put_frame(edit, moves, f, frames + f * size);
    if (done)
        md2->frames = frames;
    return done;
}

/* ---- Repairs -------------------------------------------------------------------------------- */

static bool mend_triangles(lm_md2 *md2) {
    uint32_t count = 0,
             *kept = lmi_arena_alloc(lmi_arena_of(md2), (uint64_t)md2->num_tris, sizeof *kept);
    if (!kept)
        return false;
    for (int32_t i = 0; i < md2->num_tris; i++) {
        const lm_md2_triangle triangle = lmi_md2_triangle_at(md2, i);
        kept[count] = (uint32_t)i;
        count += lmi_md2_triangle_valid(md2, &triangle);
    }
    if (count < (uint32_t)md2->num_tris)
        md2->tris = lmi_pick(lmi_arena_of(md2), md2->tris, LM_MD2_TRIANGLE_SIZE, kept, count);
    md2->num_tris = (int32_t)count;
    return md2->tris || count == 0;
}

static bool mend_frames(lm_md2 *md2) {
    const size_t size = (size_t)md2->framesize;
    uint8_t *frames = copy_frames(md2);
    for (size_t f = 0; frames && f < (size_t)md2->num_frames; f++) {
        uint8_t *frame = frames + f * size, *normal = frame + LM_MD2_FRAME_VERTICES + 3;
        for (size_t at = LM_MD2_FRAME_SCALE; at < LM_MD2_FRAME_NAME; at += 4)
            if (lmi_sanitize(lmi_get_f32(frame + at)) != lmi_get_f32(frame + at))
                lmi_put_f32(frame + at, 0);
        for (int32_t v = 0; v < md2->num_xyz; v++, normal += LM_MD2_VERTEX_SIZE)
            *normal = lmi_known_normal(*normal);
    }
    md2->frames = frames;
    return frames;
}

/* Brings the words of each vertex into the usual order, or removes damaged commands. */
static bool mend_commands(lm_md2 *md2) {
    lm_md2_gl_walk walk = lmi_md2_gl_begin(md2);
    const bool damaged = walk.at > 0;
    if (!walk.index_first || damaged) {
        md2->num_glcmds = damaged ? 0 : md2->num_glcmds;
        return true;
    }
    const size_t size = (size_t)md2->num_glcmds * LM_MD2_GL_COMMAND_SIZE;
    uint8_t *glcmds = lmi_join_lumps(lmi_arena_of(md2), md2->glcmds, size, NULL, 0);
    while (glcmds && lmi_md2_gl_next(&walk))
        for (uint32_t i = 0; i < walk.count; i++) {
            const uint8_t *st = lmi_md2_gl_st(&walk, i);
            const lm_md2_drawn corner = {lmi_md2_gl_vertex(&walk, i), lmi_get_u32(st),
                                         lmi_get_u32(st + LM_MD2_GL_COMMAND_SIZE)};
            lmi_md2_put_drawn(
                glcmds + ((size_t)walk.first + 3 * (size_t)i) * LM_MD2_GL_COMMAND_SIZE, corner);
        }
    md2->glcmds = glcmds;
    return glcmds;
}

static bool mend(lm_edit *edit) {
    lm_md2 *md2 = edit->document;
    const lm_md2 old = *md2;
    if (md2->num_st > 0) {
        md2->skinwidth = md2->skinwidth > 0 ? md2->skinwidth : 1;
        md2->skinheight = md2->skinheight > 0 ? md2->skinheight : 1;
    }
    const bool done = mend_triangles(md2) && mend_frames(md2) && mend_commands(md2);
    if (!done)
        *md2 = old;
    return done;
}

static const lm_edit_tables tables = {
    .names = {[LM_EDIT_SKINS] = LM_EDIT_NAMES(lm_md2, skins, num_skins, .room = LM_MD2_SKIN_SIZE),
              [LM_EDIT_FRAMES] = LM_EDIT_NAMES(lm_md2, frames, num_frames, .at = LM_MD2_FRAME_NAME,
                                               .room = LM_MD2_FRAME_NAME_SIZE)},
    .fits = fits,
};

const lm_editor lmi_md2_editor = {
    LM_DESCRIBED_EDITOR(lmi_md2_kind, tables),
    .lists = 1 << LM_EDIT_SKINS | 1 << LM_EDIT_FRAMES,
    .skin_room = LM_MD2_SKIN_SIZE,
    .remove_unused = remove_unused,
    .transform = transform,
    .put_normals = put_normals,
    .put_frames = put_frames,
    .mend = mend,
};
