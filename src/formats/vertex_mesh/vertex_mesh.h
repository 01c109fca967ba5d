/* What MDC and MD3 share on disk, and what is done with it: the beginning of the header, frames
 * with bounds, the chain of surfaces, and in each surface triangles, shaders, texture coordinates
 * and vertices of 8 bytes. Their documents stay their own; they show parts of them here. */
#ifndef LM_FORMATS_VERTEX_MESH_H
#define LM_FORMATS_VERTEX_MESH_H

#include "core/layout_builder.h"
#include "core/report.h"
#include "formats/lumps.h"
#include "lerpmesh/model.h"
#include "lerpmesh/vertex_mesh.h"

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

/* ---- Reading ------------------------------------------------------------------------------- */

typedef struct lm_mesh_header {
    const uint8_t *name; /* in the file, or in a document */
    int32_t flags, num_frames, num_tags, num_surfaces, num_skins;
} lm_mesh_header;

/* Checks size, version and counts. `header_size` is the whole header's. */
bool lm_mesh_parse_header(lm_bytes file, lm_reporter *reporter, int32_t version, size_t header_size,
                          lm_mesh_header *header);
void lm_mesh_put_header(uint8_t *out, uint32_t ident, int32_t version,
                        const lm_mesh_header *header);

/* Finds one of the file's own lumps and sets its offset. Without it there are no tags; if it is
 * `needed` (the frames), there is nothing. Returns whether to go on. */
bool lm_mesh_parse_lump(lm_bytes file, lm_reporter *reporter, void *owner,
                        const lm_lump_member *lump, lm_extent extent, bool needed,
                        int32_t *num_tags, uint64_t *claimed);
/* Says that a surface's lump does not lie in the file. Returns whether to go on. */
bool lm_mesh_report_lump(lm_bytes file, lm_reporter *reporter, uint32_t index, size_t start,
                         const lm_lump_member *lump, int32_t offset, lm_extent extent);

/* A chain of surfaces: each says where the next one starts. */
typedef struct lm_mesh_chain {
    int32_t ofs_surfaces, num_surfaces;     /* as the header says */
    size_t ofs_surfaces_at;                 /* in the header */
    size_t surface_header_size, ofs_end_at; /* of a surface, and in its header */
    uint64_t *claimed;                      /* what the lumps found so far say is theirs */
    bool (*parse)(void *context, uint32_t index, size_t start); /* returns whether to go on */
    void *context;
} lm_mesh_chain;

bool lm_mesh_parse_chain(lm_bytes file, lm_reporter *reporter, const lm_mesh_chain *chain);

/* What follows the model. `last` is where its data ends, `ofs_end` what the header says. */
bool lm_mesh_parse_end(lm_bytes file, lm_reporter *reporter, size_t ofs_end_at, int32_t ofs_end,
                       size_t last, lm_bytes *trailing);

/* A field of the header, and of the header of the surface that starts at `start`. */
lm_place lm_mesh_in_header(size_t at);
lm_place lm_mesh_in_surface(size_t start, uint32_t surface, size_t at);

lm_mesh_frame lm_mesh_get_frame(const uint8_t *p);
void lm_mesh_put_frame(uint8_t *out, const lm_mesh_frame *frame);
void lm_mesh_get_triangle(const uint8_t *p, uint32_t vertex[3]);
void lm_mesh_put_triangle(uint8_t *out, const uint32_t vertex[3]);
lm_vec2 lm_mesh_get_st(const uint8_t *p);
void lm_mesh_put_st(uint8_t *out, lm_vec2 st);
lm_mesh_vertex lm_mesh_get_vertex(const uint8_t *p);
void lm_mesh_put_vertex(uint8_t *out, lm_mesh_vertex vertex);

/* ---- Writing ------------------------------------------------------------------------------- */

/* Gives the lumps that follow a header of `header_size` bytes their offsets, in the order in which
 * they were read. Returns where they end, and their order. */
uint64_t lm_mesh_place_lumps(void *owner, const lm_lump_member *lumps, const lm_extent *extents,
                             int count, size_t header_size, int *order);

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

/* ---- Verifying: false if a listener stopped it ---------------------------------------------- */

/* Whether a frame's bounds are finite and not inside out. */
bool lm_mesh_frame_sound(const lm_mesh_frame *frame);
bool lm_mesh_verify_frames(const lm_mesh_frames *frames, lm_reporter *reporter);
/* Triangles and texture coordinates. */
bool lm_mesh_verify_surface(const lm_mesh_surface *surface, lm_reporter *reporter);

/* ---- Decoding ------------------------------------------------------------------------------ */

/* Frames with their names, bounds and the scale of the vertices, and the clips of their names. */
void lm_mesh_carve_frames(lm_block *block, const lm_mesh_frames *frames, lm_model *model);
/* Everything of a surface but its keys. */
void lm_mesh_carve_surface(lm_block *block, const lm_mesh_surface *surface, lm_surface *out);
/* Computes the bounds that the file does not know. */
void lm_mesh_mend_bounds(const lm_mesh_frames *frames, lm_model *model);

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
void lm_mesh_check_limits(const lm_mesh_limit *limits, size_t count, const void *owner,
                          const lm_mesh_surface *surface, lm_reporter *reporter);

void lm_mesh_check_frame_names(const lm_mesh_frames *frames, lm_reporter *reporter);
/* What is odd in a surface, but for its header and bounds. False if memory ran out. */
bool lm_mesh_check_surface(lm_bytes file, const lm_mesh_surface *surface, size_t num_triangles_at,
                           lm_heap *heap, lm_reporter *reporter);

/* Whether a surface's vertex lies outside the bounds in a frame; never, if nobody can say. */
typedef bool lm_mesh_outside(const void *owner, int32_t frame, int32_t vertex,
                             const lm_mesh_frame *bounds);
void lm_mesh_check_bounds(const lm_mesh_frames *frames, const lm_mesh_surface *surface,
                          lm_mesh_outside *outside, const void *owner, lm_reporter *reporter);
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
