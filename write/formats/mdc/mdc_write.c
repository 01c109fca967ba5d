/* Optimizing MDC, and its writer. */
#include "formats/mdc/mdc_write.h"

#include "core/index.h"
#include "formats/edit_document.h"
#include "formats/vertex_mesh/vertex_mesh_edit.h"
#include "model/weld.h"
#include "optimize/optimizing.h"

/* ---- Optimizing --------------------------------------------------------------------------- */

typedef struct row_bytes {
    const uint8_t *rows;
    size_t size; /* per row */
} row_bytes;

static bool same_rows(const void *context, uint32_t a, uint32_t b) {
    const row_bytes *r = context;
    return memcmp(r->rows + a * r->size, r->rows + b * r->size, r->size) == 0;
}

/* Returns the first identical row of each, or NULL if memory ran out. */
static uint32_t *find_firsts(lm_optimizing *o, const row_bytes *r, uint32_t count) {
    uint64_t *keys = lm_arena_alloc(&o->arena, count, sizeof *keys);
    uint32_t *firsts = lm_arena_alloc(&o->arena, count, sizeof *firsts);
    for (uint32_t i = 0; keys && i < count; i++)
        keys[i] = lm_hash_bytes(0, r->rows + i * r->size, r->size);
    return keys && firsts && lm_find_equal(count, keys, same_rows, r, firsts, o->heap) ? firsts
                                                                                       : NULL;
}

/* Stores each used row once, in the order of first use. */
static bool share(lm_optimizing *o, const lm_mdc_rows *rows, lm_mdc_surface *s,
                  uint32_t num_frames) {
    const lm_header_lump *lump = lm_lump_at(&lm_mdc_surface_header, rows->lump);
    const uint32_t all = (uint32_t)lm_number(s, rows->count);
    const row_bytes r = {lm_lump_data(lump, s), (size_t)s->num_vertices * lump->element};
    uint32_t count = 0, *numbers = lm_arena_alloc(&o->arena, all, sizeof *numbers);
    uint8_t *out = lm_arena_alloc(&o->arena, all, r.size);
    uint8_t *table = lm_arena_alloc(&o->arena, num_frames, LM_MDC_FRAME_INDEX_SIZE);
    const uint32_t *firsts = find_firsts(o, &r, all);
    if (!numbers || !out || !table || !firsts)
        return false;
    memset(numbers, 0xFF, all * sizeof *numbers);
    for (uint32_t f = 0; f < num_frames; f++) {
        const int32_t row = all > 0 ? rows->entry(s, (int32_t)f) : -1;
        uint32_t *number = row >= 0 ? &numbers[firsts[row]] : NULL;
        if (number && *number == LM_UNUSED) {
            memcpy(out + count * r.size, r.rows + firsts[row] * r.size, r.size);
            *number = count++;
        }
        lm_mdc_put_frame_index(table + (size_t)f * LM_MDC_FRAME_INDEX_SIZE,
                               number ? (int32_t)*number : LM_MDC_NO_COMP_FRAME);
    }
    lm_optimize_gained(o, LM_OPTIMIZE_FRAMES, all - count, r.size);
    lm_set_lump_data(lump, s, out);
    lm_set_lump_data(lm_lump_at(&lm_mdc_surface_header, rows->table), s, table);
    lm_set_number(s, rows->count, (int32_t)count);
    return true;
}

bool lm_mdc_share_rows(lm_optimizing *o, void *surface, uint32_t num_frames) {
    return share(o, &lm_mdc_base_rows, surface, num_frames) &&
           share(o, &lm_mdc_comp_rows, surface, num_frames);
}

/* ---- Frames of a re-encoded document -------------------------------------------------------- */

/* Replaces vertices and frames; names, flags, shaders and tags stay. */
static bool mdc_adopt(void *document, const void *from) {
    lm_mdc *mdc = document;
    const lm_mdc *other = from;
    bool same = mdc->num_frames == other->num_frames && mdc->num_surfaces == other->num_surfaces;
    for (int32_t i = 0; same && i < mdc->num_surfaces; i++)
        same = mdc->surfaces[i].num_triangles == other->surfaces[i].num_triangles;
    mdc->frames = same ? other->frames : mdc->frames;
    for (int32_t i = 0; same && i < mdc->num_surfaces; i++) {
        const lm_mdc_surface old = mdc->surfaces[i];
        lm_mdc_surface *s = &mdc->surfaces[i];
        *s = other->surfaces[i];
        memcpy(s->name, old.name, sizeof s->name);
        s->ident = old.ident;
        s->flags = old.flags;
        s->num_shaders = old.num_shaders;
        s->shaders = old.shaders;
    }
    return same;
}

/* ---- The writer --------------------------------------------------------------------------- */

LM_DOCUMENT_WRITE(mdc, lm_mdc_kind)

const lm_writer lm_mdc_writer = {
    .format = &lm_format_mdc,
    .encode = lm_mdc_encode,
    .edit = &lm_mdc_editor,
    .optimize = lm_vertex_mesh_optimize,
    .adopt = mdc_adopt,
};
