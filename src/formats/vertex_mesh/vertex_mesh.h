/* What MDC and MD3 share, as plain functions: frames with bounds, the chain of surfaces, and in
 * each surface triangles, shaders, texture coordinates and vertices of 8 bytes. Each format shows a
 * surface of its own here as an lm_mesh_surface. */
#ifndef LM_FORMATS_VERTEX_MESH_H
#define LM_FORMATS_VERTEX_MESH_H

#include "core/heap.h"
#include "formats/describe.h"
#include "formats/vertex_mesh/vertex_mesh_elements.h"
#include "lerpmesh/model.h"

/* ---- Elements ------------------------------------------------------------------------------ */

#define LM_MESH_NUM_FRAME_COLUMNS 11
#define LM_MESH_NUM_ST_COLUMNS 2
#define LM_MESH_NUM_VERTEX_COLUMNS 5
extern const lm_column lm_mesh_frame_columns[LM_MESH_NUM_FRAME_COLUMNS];
extern const lm_column lm_mesh_st_columns[LM_MESH_NUM_ST_COLUMNS];
extern const lm_column lm_mesh_vertex_columns[LM_MESH_NUM_VERTEX_COLUMNS];

/* ---- What both formats have, found and lying in the file ------------------------------------ */

typedef struct lm_mesh_frames {
    const uint8_t *data; /* count * 56 bytes */
    int32_t count;
    size_t offset; /* in the file */
} lm_mesh_frames;

typedef struct lm_mesh_surface {
    lm_location start;   /* in the file */
    const uint8_t *name; /* 64 bytes */
    int32_t num_shaders, num_vertices, num_triangles;
    const uint8_t *shaders, *triangles, *st;
    /* From the start; vertices are those of the first frame. */
    int32_t ofs_shaders, ofs_triangles, ofs_st, ofs_vertices;
} lm_mesh_surface;

static inline lm_mesh_frame lm_mesh_frame_at(const lm_mesh_frames *frames, int32_t frame) {
    return lm_mesh_get_frame(frames->data + (size_t)frame * LM_MESH_FRAME_SIZE);
}
/* Whether a frame's bounds are finite and not inside out. */
bool lm_mesh_frame_sound(const lm_mesh_frame *frame);

/* ---- Reading ------------------------------------------------------------------------------- */

/* Reads the file's header and finds all its lumps but the surfaces. Of the lumps that are described
 * the first are frames, the last the chain of surfaces, and those between are tags'. False if
 * reading cannot go on. */
bool lm_mesh_read_file(lm_reading *reading, const lm_header *header, void *document);

/* The chain of surfaces: each says where the next one starts. */
typedef struct lm_mesh_chain {
    size_t length; /* surfaces whose header is in the file */
    bool leaves;   /* there should be more, but the next header, at `end`, is not */
    int64_t end;
} lm_mesh_chain;

/* The chain of a document, of which the lump of that kind says where it starts. */
lm_mesh_chain lm_mesh_find_chain(lm_bytes file, const lm_header_lump *lump, const void *document);
/* Reports a chain that leaves the file although there should be `count` surfaces. Returns whether
 * to go on. */
bool lm_mesh_report_chain(const lm_reading *reading, const lm_header *header,
                          const lm_mesh_chain *chain, int32_t count);
/* Finds the lumps of a surface that starts at `start`; leaves it empty if one is not there.
 * Returns whether to go on. */
bool lm_mesh_find_lumps(lm_reading *reading, const lm_header *header, const void *document,
                        void *surface, lm_location start);
/* Whether the chain can go on behind a surface. */
bool lm_mesh_chain_sound(const lm_reading *reading, const lm_header *header, lm_location start,
                         int32_t ofs_end, bool last);

/* Check what lumps hold. False if a listener stopped it. */
bool lm_mesh_verify_frames(const lm_mesh_frames *frames, lm_reporter *reporter);
bool lm_mesh_verify_surface(const lm_mesh_surface *surface, lm_reporter *reporter);

/* ---- Decoding ------------------------------------------------------------------------------ */

/* Frames with their names, bounds and the scale of the vertices, and the clips of their names. */
void lm_mesh_carve_frames(lm_block *block, const lm_mesh_frames *frames, lm_model *model);
/* All of a surface but its keys. */
void lm_mesh_carve_surface(lm_block *block, const lm_mesh_surface *surface, lm_surface *out);
/* Computes the bounds that the file does not know. */
void lm_mesh_mend_bounds(const lm_mesh_frames *frames, lm_model *model);

/* ---- Checking ------------------------------------------------------------------------------ */

void lm_mesh_check_frame_names(const lm_mesh_frames *frames, lm_reporter *reporter);
/* What is odd about a surface's lumps. `triangles` is where its header counts triangles, `vertices`
 * the name of the lump with vertices. */
void lm_mesh_check_surface(const lm_mesh_surface *surface, lm_location triangles,
                           const char *vertices, const lm_reading *reading);
/* Whether a position lies outside, by more than converters round. */
bool lm_mesh_outside_bounds(lm_vec3 p, const lm_mesh_frame *bounds);
/* Reports the frames whose bounds a surface leaves. */
void lm_mesh_report_outside(const lm_mesh_frames *frames, uint32_t surface, lm_tally leaving,
                            lm_reporter *reporter);

#endif
