/* An MDC in fewer bytes. */
#include "encode/alike.h"
#include "formats/mdc/mdc_write.h"
#include "formats/vertex_mesh/vertex_mesh_optimize.h"
#include "model/weld.h"

/* Rows of a surface's vertices, of one kind, and which of them each frame has. Where there are no
 * rows, what its table says counts for nothing. */
typedef struct frame_rows {
    const uint8_t *rows;
    uint32_t count; /* of rows */
    size_t size;    /* of a vertex */
    size_t row;     /* of a row */
    int32_t *of;    /* [num_frames] the row; -1: none */
    bool *used;     /* [count] whether a frame has it */
} frame_rows;

static frame_rows rows_of(const uint8_t *rows, int32_t count, const lm_mdc_surface *s,
                          size_t size) {
    return (frame_rows){.rows = rows,
                        .count = (uint32_t)count,
                        .size = size,
                        .row = (size_t)s->num_vertices * size};
}

static bool read_table(lm_optimizing *o, const lm_mdc *mdc, const lm_mdc_surface *s,
                       int32_t (*get)(const lm_mdc_surface *, int32_t), frame_rows *out) {
    out->of = lm_arena_alloc(&o->arena, (uint64_t)mdc->num_frames, sizeof *out->of);
    out->used = lm_arena_zeros(&o->arena, out->count, sizeof *out->used);
    if (!out->of || !out->used)
        return false;
    for (int32_t f = 0; f < mdc->num_frames; f++) {
        const int32_t row = out->count > 0 ? get(s, f) : -1;
        out->of[f] = row >= 0 ? row : -1; /* any number below 0 says: none */
        if (row >= 0)
            out->used[row] = true;
    }
    return true;
}

static bool same_rows(const void *context, uint32_t a, uint32_t b) {
    const frame_rows *r = context;
    return memcmp(r->rows + a * r->row, r->rows + b * r->row, r->row) == 0;
}

/* For each row the first like it, and the numbers of those that frames have, by their first use.
 * NULL if memory ran out. */
static uint32_t *number_rows(lm_optimizing *o, frame_rows *r, uint32_t num_frames,
                             uint32_t *count) {
    uint64_t *keys = lm_arena_alloc(&o->arena, r->count, sizeof *keys);
    uint32_t *firsts = lm_arena_alloc(&o->arena, r->count, sizeof *firsts);
    uint32_t *numbers = lm_arena_alloc(&o->arena, r->count, sizeof *numbers);
    for (uint32_t i = 0; keys && i < r->count; i++)
        keys[i] = lm_mix_bytes(0, r->rows + i * r->row, r->row);
    if (!keys || !firsts || !numbers ||
        !lm_find_alike(r->count, keys, same_rows, r, firsts, o->heap))
        return NULL;
    memset(numbers, 0xFF, r->count * sizeof *numbers);
    *count = 0;
    for (uint32_t f = 0; f < num_frames; f++) {
        if (r->of[f] < 0)
            continue;
        uint32_t *number = &numbers[firsts[r->of[f]]];
        if (*number == LM_UNUSED)
            *number = (*count)++;
        r->of[f] = (int32_t)*number;
    }
    return numbers;
}

/* Stores each row once, and none that no frame has. */
static bool share_rows(lm_optimizing *o, frame_rows *r, uint32_t num_frames) {
    uint32_t count;
    const uint32_t *numbers = number_rows(o, r, num_frames, &count);
    uint8_t *out = numbers ? lm_arena_alloc(&o->arena, count, r->row) : NULL;
    for (uint32_t i = 0; out && i < r->count; i++)
        if (numbers[i] != LM_UNUSED && r->row > 0)
            memcpy(out + numbers[i] * r->row, r->rows + i * r->row, r->row);
    if (!out)
        return false;
    lm_optimize_gained(o, LM_OPTIMIZE_FRAMES, r->count - count, r->row);
    r->rows = out;
    r->count = count;
    return true;
}

static const uint8_t *write_table(lm_optimizing *o, const frame_rows *r, uint32_t num_frames) {
    uint8_t *out = lm_arena_alloc(&o->arena, num_frames, LM_MDC_FRAME_INDEX_SIZE);
    for (uint32_t f = 0; out && f < num_frames; f++)
        lm_mdc_put_frame_index(out + (size_t)f * LM_MDC_FRAME_INDEX_SIZE, r->of[f]);
    return out;
}

/* What no frame has says nothing of whether vertices are alike. */
static void list_rows(const frame_rows *r, lm_vertex_row **out) {
    for (uint32_t i = 0; i < r->count; i++)
        if (r->used[i])
            *(*out)++ = (lm_vertex_row){r->rows + i * r->row, r->size};
}

/* Of both kinds of frames only the vertices that are left. */
static bool keep_vertices(lm_optimizing *o, const lm_reduction *left, uint32_t num_vertices,
                          frame_rows *r) {
    r->rows = lm_mesh_pick(o, left, r->rows, (int32_t)r->count, (int32_t)num_vertices, r->size);
    r->row = left->num_vertices * r->size;
    return r->rows;
}

static bool optimize_surface(lm_optimizing *o, const lm_mdc *mdc, uint32_t index) {
    lm_mdc_surface *s = &mdc->surfaces[index];
    const uint32_t num_vertices = (uint32_t)s->num_vertices;
    const uint32_t num_frames = (uint32_t)mdc->num_frames;
    if (num_vertices == 0) /* its tables may say anything */
        return true;
    const lm_mesh_lumps lumps = {&s->num_vertices, s->num_triangles, s->num_shaders, &s->triangles,
                                 &s->st,           &s->shaders,      s->name};
    frame_rows base = rows_of(s->base_vertices, s->num_base_frames, s, LM_MDC_BASE_VERTEX_SIZE);
    frame_rows comp = rows_of(s->comp_vertices, s->num_comp_frames, s, LM_MDC_COMP_VERTEX_SIZE);
    lm_vertex_row *rows =
        lm_arena_alloc(&o->arena, (uint64_t)base.count + comp.count + 1, sizeof *rows);
    lm_vertex_row *next = rows;
    lm_reduction left;
    if (!rows || !read_table(o, mdc, s, lm_mdc_get_frame_base_frame, &base) ||
        !read_table(o, mdc, s, lm_mdc_get_frame_comp_frame, &comp))
        return false;
    list_rows(&base, &next);
    list_rows(&comp, &next);
    next++; /* texture coordinates */
    const uint64_t size =
        LM_MDC_ST_SIZE + (uint64_t)base.count * base.size + comp.count * comp.size;
    if (!lm_mesh_optimize(o, index, &lumps, rows, (size_t)(next - rows), size, &left) ||
        !keep_vertices(o, &left, num_vertices, &base) ||
        !keep_vertices(o, &left, num_vertices, &comp) || !share_rows(o, &base, num_frames) ||
        !share_rows(o, &comp, num_frames))
        return false;
    s->base_vertices = base.rows;
    s->comp_vertices = comp.rows;
    s->num_base_frames = (int32_t)base.count;
    s->num_comp_frames = (int32_t)comp.count;
    s->frame_base_frames = write_table(o, &base, num_frames);
    s->frame_comp_frames = write_table(o, &comp, num_frames);
    s->ofs_triangles = s->ofs_shaders = s->ofs_st = s->ofs_base_vertices = 0;
    s->ofs_comp_vertices = s->ofs_frame_base_frames = s->ofs_frame_comp_frames = s->ofs_end = 0;
    return s->frame_base_frames && s->frame_comp_frames;
}

static bool optimize(lm_optimizing *o, lm_mdc *mdc) {
    for (uint32_t i = 0; i < o->num_surfaces; i++)
        if (!optimize_surface(o, mdc, i))
            return false;
    mdc->frames = lm_clean_names(o, mdc->frames, (size_t)mdc->num_frames, LM_MDC_FRAME_SIZE,
                                 LM_MESH_FRAME_NAME, LM_MDC_FRAME_NAME_SIZE);
    mdc->tag_names = lm_clean_names(o, mdc->tag_names, (size_t)mdc->num_tags, LM_MDC_TAG_NAME_SIZE,
                                    0, LM_MDC_TAG_NAME_SIZE);
    mdc->ofs_frames = mdc->ofs_tag_names = mdc->ofs_tags = mdc->ofs_surfaces = mdc->ofs_end = 0;
    mdc->num_trailing = 0;
    return mdc->frames && mdc->tag_names;
}

static lm_mdc *read_file(lm_optimizing *o, lm_bytes file) {
    lm_mdc *mdc = lm_mdc_read(file.data, file.size, &(lm_memory){.allocator = o->heap->allocator},
                              o->heap->call.error);
    lm_call_join(&o->heap->call, mdc != NULL);
    return mdc;
}

static bool write_file(lm_optimizing *o, const lm_mdc *mdc, lm_buffer *out) {
    lm_call *call = &o->heap->call;
    return lm_call_join(call, lm_put_document(&lm_mdc_kind, mdc, out, call->error));
}

bool lm_mdc_optimize(lm_optimizing *o, lm_buffer *out) {
    lm_mdc *mdc = read_file(o, o->file);
    const bool done = mdc && optimize(o, mdc) && write_file(o, mdc, out);
    lm_mdc_free(mdc);
    return done;
}

/* ---- Frames of another ---------------------------------------------------------------------- */

static bool is_like(const lm_mdc *a, const lm_mdc *b) {
    bool like = a->num_frames == b->num_frames && a->num_surfaces == b->num_surfaces;
    for (int32_t i = 0; like && i < a->num_surfaces; i++)
        like = a->surfaces[i].num_triangles == b->surfaces[i].num_triangles;
    return like;
}

/* What is not of the vertices stays: names, flags, shaders, tags. */
static void take_frames(const lm_mdc *other, lm_mdc *mdc) {
    mdc->frames = other->frames;
    for (int32_t i = 0; i < mdc->num_surfaces; i++) {
        const lm_mdc_surface old = mdc->surfaces[i];
        lm_mdc_surface *s = &mdc->surfaces[i];
        *s = other->surfaces[i];
        memcpy(s->name, old.name, sizeof s->name);
        s->ident = old.ident;
        s->flags = old.flags;
        s->num_shaders = old.num_shaders;
        s->shaders = old.shaders;
    }
}

bool lm_mdc_adopt(lm_optimizing *o, lm_bytes file, lm_buffer *out) {
    lm_mdc *mdc = read_file(o, o->file), *other = mdc ? read_file(o, file) : NULL;
    bool done = other != NULL;
    if (done && is_like(mdc, other)) {
        take_frames(other, mdc);
        done = write_file(o, mdc, out);
    }
    lm_mdc_free(mdc);
    lm_mdc_free(other);
    return done;
}
