/* What MDC and MD3 share on disk, and what is done with it: the beginning of the header, frames
 * with bounds, the chain of surfaces, and in each surface triangles, shaders, texture coordinates
 * and vertices of 8 bytes. Their documents stay their own; they show parts of them here. */
#ifndef LM_FORMATS_VERTEX_MESH_H
#define LM_FORMATS_VERTEX_MESH_H

#include "core/heap.h"
#include "core/layout_builder.h"
#include "core/report.h"
#include "formats/format.h"
#include "formats/lumps.h"
#include "lerpmesh/model.h"
#include "lerpmesh/vertex_mesh.h"

#include <stddef.h>

/* Byte offsets of the header's fields; both formats' own offsets follow. */
enum {
    LM_MESH_AT_IDENT = 0,
    LM_MESH_AT_VERSION = 4,
    LM_MESH_AT_NAME = 8,
    LM_MESH_AT_FLAGS = 72,
    LM_MESH_AT_NUM_FRAMES = 76,
    LM_MESH_AT_NUM_TAGS = 80,
    LM_MESH_AT_NUM_SURFACES = 84,
    LM_MESH_AT_NUM_SKINS = 88
};

/* Bytes within a surface's header. */
enum {
    LM_MESH_SURFACE_AT_IDENT = 0,
    LM_MESH_SURFACE_AT_NAME = 4,
    LM_MESH_SURFACE_AT_FLAGS = 68
};

/* Bytes within a frame. */
enum {
    LM_MESH_FRAME_BBOX_MIN = 0,
    LM_MESH_FRAME_BBOX_MAX = 12,
    LM_MESH_FRAME_LOCAL_ORIGIN = 24,
    LM_MESH_FRAME_RADIUS = 36,
    LM_MESH_FRAME_NAME = 40
};

#define LM_MESH_STEP (1.0f / 64) /* units: one step of a position */
#define LM_MESH_MOST_LUMPS 8     /* of a surface */

/* The lumps that both have, at the head of each's own lists. */
enum {
    LM_MESH_LUMP_FRAMES = 0 /* of the file */
};
enum {
    LM_MESH_LUMP_TRIANGLES, /* of a surface */
    LM_MESH_LUMP_SHADERS,
    LM_MESH_LUMP_ST,
    LM_MESH_LUMP_VERTICES, /* of 8 bytes */
    LM_MESH_NUM_LUMPS
};

/* ---- A format, described, so that one reader and one writer serve both ---------------------- */

/* A header on disk and the struct that shows it: a document or one of its surfaces. Both have the
 * same numbers of 4 bytes in the same order, and a name among them. */
typedef struct lm_mesh_part {
    size_t struct_size;
    size_t from, header_size; /* what the struct shows of the header; the last number is ofsEnd */
    size_t name_at;
    size_t counts_at, offsets_at; /* the first count and, behind the last, the first offset */
    const lm_lump_member *lumps;
    int num_lumps;
} lm_mesh_part;

/* Holds a struct to what its part says. */
#define LM_MESH_SHOWN_AT(type, member, from, at) \
    _Static_assert(offsetof(type, member) + (from) == (at), "the order is that on disk")

typedef struct lm_mesh_reading lm_mesh_reading;

/* `document` is an lm_mdc or lm_md3, `surface` one of its surfaces. NULL for a function: there is
 * nothing to do. */
typedef struct lm_mesh_kind {
    const lm_format *format;
    const char *title; /* "MD3" */
    uint32_t ident;
    int32_t version;
    lm_mesh_part file, surface;
    size_t tail; /* offsetof the document's lm_mesh_tail */

    /* How large the lumps are that only this format has. */
    lm_extent (*file_extent)(const void *document, int lump);
    lm_extent (*surface_extent)(const void *document, const void *surface, int lump);

    const char *unsound; /* what is wrong with a surface whose counts are not sound */
    bool (*counts_sound)(const void *surface); /* none is negative, but is all else right? */
    /* Lumps that may be missing where they have nothing to say, behind all others. */
    int first_optional;
    bool (*may_be_absent)(const void *surface, int lump);
    void (*write_absent)(int lump, uint64_t count, lm_buffer *out);
    bool (*equal_optional)(const void *document, const void *a, const void *b);

    /* What lumps hold: false if a listener stopped it. */
    bool (*verify_file)(const lm_mesh_reading *reading, lm_reporter *reporter);
    bool (*verify_surface)(const lm_mesh_reading *reading, uint32_t index, lm_reporter *reporter);
    /* What is odd about the file, and about a surface's header. */
    void (*check_file)(const lm_mesh_reading *reading, lm_reporter *reporter);
    void (*check_surface)(const lm_mesh_reading *reading, uint32_t index, lm_reporter *reporter);
    /* Whether a surface's vertex lies outside the bounds in a frame; never, if nobody can say. */
    bool (*outside)(const void *surface, int32_t frame, int32_t vertex,
                    const lm_mesh_frame *bounds);
    /* The keys of a surface, and all that says which frame shows which. */
    void (*carve_keys)(lm_block *block, const void *document, const void *surface, lm_surface *out);
} lm_mesh_kind;

/* The beginning of both documents. */
typedef struct lm_mesh_head {
    uint8_t name[LM_MESH_NAME_SIZE];
    int32_t flags, num_frames, num_tags, num_surfaces, num_skins;
} lm_mesh_head;

/* The end of both documents. */
typedef struct lm_mesh_tail {
    void *surfaces;
    const uint8_t *trailing;
    size_t num_trailing;
} lm_mesh_tail;

lm_mesh_head lm_mesh_get_head(const void *document);
lm_mesh_tail lm_mesh_get_tail(const lm_mesh_kind *kind, const void *document);
void lm_mesh_set_tail(const lm_mesh_kind *kind, void *document, lm_mesh_tail tail);
/* The number that stands at `at` on disk. */
int32_t lm_mesh_number(const lm_mesh_part *part, const void *owner, size_t at);
void lm_mesh_set_number(const lm_mesh_part *part, void *owner, size_t at, int32_t number);
/* Whether none of the counts is negative. */
bool lm_mesh_counts_positive(const lm_mesh_part *part, const void *owner);

/* Where the file's header says where the surfaces start, and each header where its part ends. */
static inline size_t lm_mesh_surfaces_at(const lm_mesh_part *file) {
    return file->header_size - 8;
}
static inline size_t lm_mesh_end_at(const lm_mesh_part *part) {
    return part->header_size - 4;
}

void lm_mesh_get_header(const lm_mesh_part *part, const uint8_t *p, void *owner);
void lm_mesh_put_header(const lm_mesh_part *part, const void *owner, uint8_t *out);

/* How large a lump is; `document` and `surface` as above. */
lm_extent lm_mesh_file_extent(const lm_mesh_kind *kind, const void *document, int lump);
lm_extent lm_mesh_surface_extent(const lm_mesh_kind *kind, const void *document,
                                 const void *surface, int lump);

/* ---- Reading ------------------------------------------------------------------------------- */

/* A document and where each surface starts in the file (for the places of problems). */
struct lm_mesh_reading {
    const lm_mesh_kind *kind;
    void *document;        /* the caller's; its surfaces are memory of the heap */
    uint32_t num_surfaces; /* found so far */
    size_t *surface_starts;
    size_t capacity, capacity_starts; /* in surfaces */
};

/* Finds everything and checks that it lies in the file, given `kind` and `document`. After damage
 * that was let pass, counts are cut to what is there. False if reading cannot go on, or memory ran
 * out (then the reporter heard nothing). Release in either case. */
bool lm_mesh_parse(lm_mesh_reading *reading, lm_bytes file, lm_heap *heap, lm_reporter *reporter);
void lm_mesh_release(lm_mesh_reading *reading, lm_heap *heap);
/* Checks what the lumps hold. False if a listener stopped it. */
bool lm_mesh_verify(const lm_mesh_reading *reading, lm_reporter *reporter);

/* A field of the header, and of the header of the surface that starts at `start`. */
lm_place lm_mesh_in_header(size_t at);
lm_place lm_mesh_in_surface(size_t start, uint32_t surface, size_t at);
/* An element of a surface's lump. */
lm_place lm_mesh_in_lump(const lm_mesh_reading *reading, uint32_t surface, int lump,
                         uint32_t index);

lm_mesh_frame lm_mesh_get_frame(const uint8_t *p);
void lm_mesh_put_frame(uint8_t *out, const lm_mesh_frame *frame);
void lm_mesh_get_triangle(const uint8_t *p, uint32_t vertex[3]);
void lm_mesh_put_triangle(uint8_t *out, const uint32_t vertex[3]);
lm_vec2 lm_mesh_get_st(const uint8_t *p);
void lm_mesh_put_st(uint8_t *out, lm_vec2 st);
lm_mesh_vertex lm_mesh_get_vertex(const uint8_t *p);
void lm_mesh_put_vertex(uint8_t *out, lm_mesh_vertex vertex);

/* ---- Documents: what lm_NAME_read and its like do ------------------------------------------- */

void *lm_mesh_read(const lm_mesh_kind *kind, const void *data, size_t size, const lm_memory *memory,
                   lm_error *error);
void lm_mesh_free(const lm_mesh_kind *kind, void *document);
bool lm_mesh_equal(const lm_mesh_kind *kind, const void *a, const void *b);
bool lm_mesh_write(const lm_mesh_kind *kind, const void *document, lm_buffer *out, lm_error *error);

/* ---- What both formats have: frames and surfaces, found and lying in the file --------------- */

typedef struct lm_mesh_frames {
    const uint8_t *data; /* count * 56 bytes */
    int32_t count;
    size_t offset; /* in the file */
} lm_mesh_frames;

typedef struct lm_mesh_surface {
    uint32_t index;
    const uint8_t *name; /* 64 bytes */
    int32_t num_shaders, num_vertices, num_triangles;
    const uint8_t *shaders, *triangles, *st;
    size_t start; /* in the file, of the header */
    /* The first element of each lump in the file. */
    lm_place at_shaders, at_triangles, at_st, at_vertices;
} lm_mesh_surface;

lm_mesh_frames lm_mesh_get_frames(const lm_mesh_reading *reading);
lm_mesh_surface lm_mesh_get_surface(const lm_mesh_reading *reading, uint32_t index);
/* The same as the document has it. */
const void *lm_mesh_surface_at(const lm_mesh_reading *reading, uint32_t index);

/* Whether a frame's bounds are finite and not inside out. */
bool lm_mesh_frame_sound(const lm_mesh_frame *frame);

/* ---- Decoding ------------------------------------------------------------------------------ */

/* Reads the file into a model, given `kind` and `document`. `carve` makes the model of what was
 * read, which `context` leads to. NULL after having reported why, or after heap failed. */
lm_model *lm_mesh_decode(lm_mesh_reading *reading, lm_bytes file, lm_heap *heap,
                         lm_load_reporter *reporter,
                         void (*carve)(lm_block *block, const void *context, lm_model *model),
                         const void *context);
/* Frames with their names, bounds and the scale of the vertices, and the clips of their names. */
void lm_mesh_carve_frames(lm_block *block, const lm_mesh_reading *reading, lm_model *model);
void lm_mesh_carve_surfaces(lm_block *block, const lm_mesh_reading *reading, lm_model *model);

/* ---- Checking ------------------------------------------------------------------------------ */

/* What an engine loads at most of something that a surface, or the file, has. */
typedef struct lm_mesh_limit {
    unsigned engine;   /* lm_engine */
    size_t member, at; /* offsetof the struct with the count (int32_t); in the header on disk */
    int32_t most;
    const char *what;
    const char *why; /* behind the sentence: "", " (...)" */
} lm_mesh_limit;

void lm_mesh_check_header_limits(const lm_mesh_limit *limits, size_t count, const void *owner,
                                 lm_reporter *reporter);
void lm_mesh_check_limits(const lm_mesh_limit *limits, size_t count, const lm_mesh_reading *reading,
                          uint32_t index, lm_reporter *reporter);

void lm_mesh_check_frame_names(const lm_mesh_reading *reading, lm_reporter *reporter);
/* Reads the file and reports every problem, given `kind` and `document`. False if memory ran
 * out. */
bool lm_mesh_check(lm_mesh_reading *reading, lm_bytes file, lm_heap *heap, lm_reporter *reporter);

/* Whether a position lies outside, by more than converters round. */
bool lm_mesh_outside_bounds(lm_vec3 p, const lm_mesh_frame *bounds);

/* ---- Layout -------------------------------------------------------------------------------- */

/* A surface in the chain, as far as a damaged file has one. */
typedef struct lm_mesh_chain_layout {
    int32_t ofs_surfaces, num_surfaces;
    size_t surface_header_size, ofs_end_at;
} lm_mesh_chain_layout;

/* How many surfaces the chain may have: no more than the file has room for. */
uint64_t lm_mesh_most_surfaces(lm_bytes file, const lm_mesh_chain_layout *chain);
/* Where the next surface starts; false where the chain leaves the file or does not go forward. */
bool lm_mesh_next_surface(lm_bytes file, const lm_mesh_chain_layout *chain, size_t *start);
/* Whether a surface's header starts at `start`. */
bool lm_mesh_has_surface(lm_bytes file, const lm_mesh_chain_layout *chain, size_t start);
/* Where surface `index` starts. */
bool lm_mesh_find_surface(lm_bytes file, const lm_mesh_chain_layout *chain, unsigned long index,
                          size_t *start);

#define LM_MESH_NUM_FRAME_COLUMNS 11
#define LM_MESH_NUM_ST_COLUMNS 2
#define LM_MESH_NUM_VERTEX_COLUMNS 5
extern const lm_column lm_mesh_frame_columns[LM_MESH_NUM_FRAME_COLUMNS];
extern const lm_column lm_mesh_st_columns[LM_MESH_NUM_ST_COLUMNS];
extern const lm_column lm_mesh_vertex_columns[LM_MESH_NUM_VERTEX_COLUMNS];

#endif
