/* Shared by the encoders of MD3 and MDC: surfaces with vertices of 8 bytes, and frames. */
#ifndef LM_FORMATS_VERTEX_MESH_ENCODE_H
#define LM_FORMATS_VERTEX_MESH_ENCODE_H

#include "edit/editing.h"
#include "encode/encoding.h"
#include "formats/vertex_mesh/vertex_mesh.h"

/* A surface of the file: a surface of the mesh, or a part of one that exceeds the engine's
 * limits. */
typedef struct lm_vertex_mesh_piece {
    uint32_t surface; /* of the mesh */
    uint8_t name[LM_VERTEX_MESH_NAME_SIZE];
    uint32_t num_shaders, num_vertices, num_triangles;
    const uint8_t *shaders, *triangles, *st; /* lumps */
    const uint32_t *vertices;                /* [num_vertices] vertex of the mesh */
    /* [num_frames * num_vertices] positions rounded to 1/64 unit, and the nearest normals. */
    const lm_vertex_mesh_vertex *rows;
} lm_vertex_mesh_piece;

typedef struct lm_vertex_mesh_pieces {
    uint32_t count;
    lm_vertex_mesh_piece *list;
} lm_vertex_mesh_pieces;

/* Converts the mesh's surfaces. Corners with equal movement, normals and texture coordinate become
 * one vertex. Surfaces that exceed the limits of the requested engine, or else of `engine`, are
 * split. Triangles are ordered for the vertex cache. Records where each vertex went. Returns false
 * if the call ended, like the functions that follow. */
bool lm_vertex_mesh_encode_pieces(lm_encoding *encoding, lm_engine engine,
                                  lm_vertex_mesh_pieces *pieces);

/* Writes the document's frames [num_frames]: names, and bounds of its vertices. */
bool lm_vertex_mesh_encode_frames(lm_encoding *encoding, const lm_editor *editor,
                                  const void *document, uint8_t *frames);

#endif
