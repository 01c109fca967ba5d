/* What MD3's and MDC's encoders share: surfaces with vertices of 8 bytes, frames. */
#ifndef LM_FORMATS_VERTEX_MESH_ENCODE_H
#define LM_FORMATS_VERTEX_MESH_ENCODE_H

#include "encode/encoding.h"
#include "formats/vertex_mesh/vertex_mesh.h"

/* A surface of the file: one of the take's, or a part of one that is too large for the engine. */
typedef struct lm_mesh_piece {
    uint32_t surface; /* of the take */
    uint8_t name[LM_MESH_NAME_SIZE];
    uint32_t num_shaders, num_vertices, num_triangles;
    const uint8_t *shaders, *triangles, *st; /* lumps */
    const uint32_t *vertices;                /* [num_vertices] of the take */
    /* [num_frames * num_vertices] positions rounded to 64ths, nearest normals. */
    const lm_mesh_vertex *rows;
} lm_mesh_piece;

typedef struct lm_mesh_pieces {
    uint32_t count;
    lm_mesh_piece *list;
} lm_mesh_pieces;

/* Corners of equal trajectory, normals and texture coordinate become one vertex; surfaces that are
 * too large for the engine that was asked for, else for `engine`, are split; triangles come in the
 * order that cards like. Says where each of the take's vertices went. False if that cannot be or
 * memory ran out, as all that follow. */
bool lm_mesh_encode_pieces(lm_encoding *encoding, lm_engine engine, lm_mesh_pieces *pieces);

/* A row of a piece's vertices as readers decode them in a frame: [num_vertices]. */
typedef void lm_mesh_decode_row(const void *context, uint32_t piece, uint32_t frame, lm_vec3 *out);

/* The lump of frames: boxes and radii of what is decoded, and names. */
bool lm_mesh_encode_frames(lm_encoding *encoding, const lm_mesh_pieces *pieces,
                           lm_mesh_decode_row *decode, const void *context, const uint8_t **lump);

/* The number of steps of 1/64 unit that is nearest; false if a file cannot say it. */
bool lm_mesh_round(double units, int16_t *steps);

#endif
