/* What MD3's and MDC's editing share. */
#ifndef LM_FORMATS_VERTEX_MESH_EDIT_H
#define LM_FORMATS_VERTEX_MESH_EDIT_H

#include "edit/editing.h"
#include "formats/vertex_mesh/vertex_mesh.h"
#include "formats/write_document.h"

/* The lists with names that both have, of a document and one of its surfaces. */
typedef struct lm_mesh_lists {
    lm_owned *owned;
    uint8_t *header;  /* the name there; both are LM_MESH_NAME_SIZE long */
    uint8_t *surface; /* the surface's; NULL: there is no such surface, nor what it has */
    const uint8_t **frames;
    int32_t num_frames, num_surfaces;
    lm_name_array tags;
    const uint8_t **shaders;
    int32_t *num_shaders;
} lm_mesh_lists;

/* As lm_editor has them; a surface's name is that of the lists' surface. */
uint32_t lm_mesh_count(const lm_mesh_lists *lists, lm_edit_list list);
const uint8_t *lm_mesh_name(const lm_mesh_lists *lists, lm_edit_list list, uint32_t index,
                            size_t *room);
bool lm_mesh_put_name(const lm_mesh_lists *lists, lm_edit_list list, uint32_t index,
                      const uint8_t *field);
bool lm_mesh_pick_shaders(const lm_mesh_lists *lists, const uint32_t *indices, uint32_t count);
bool lm_mesh_add_shader(const lm_mesh_lists *lists, const uint8_t *field);
/* Which of the file's each surface is, of those that are picked; NULL if memory ran out. */
const uint32_t *lm_mesh_pick_origins(const lm_edit *edit, lm_owned *owned, const uint32_t *indices,
                                     uint32_t count);

/* The vertices of a surface that triangles use, numbered anew; all of one allocation. */
typedef struct lm_mesh_numbers {
    uint32_t count; /* that stay */
    bool *used;
    uint32_t *places, *kept;
    const uint8_t *triangles; /* that say the new numbers */
} lm_mesh_numbers;

/* False if memory ran out. */
bool lm_mesh_number(lm_owned *owned, const uint8_t *triangles, int32_t num_triangles,
                    int32_t num_vertices, lm_mesh_numbers *numbers);
/* Notes how many vertices of a surface stay. */
bool lm_mesh_note_numbers(lm_edit *edit, uint32_t surface, int32_t num_vertices, uint32_t kept);

/* Turned copies: of frames with their bounds, and of vertices of 8 bytes. NULL after a failure. */
uint8_t *lm_mesh_turn_frames(lm_owned *owned, const lm_edit_turn *turn, const uint8_t *frames,
                             uint32_t count);
uint8_t *lm_mesh_turn_vertices(lm_edit *edit, lm_owned *owned, const lm_edit_turn *turn,
                               const uint8_t *vertices, size_t count, uint32_t surface);

/* The bounds of what a frame shows: grown by a position, then written where a frame stands, with a
 * radius around its own origin; `radius` is squared until then. */
typedef struct lm_mesh_bounds {
    lm_vec3 min, max, origin;
    double radius;
    bool any;
} lm_mesh_bounds;

void lm_mesh_grow_bounds(lm_mesh_bounds *bounds, lm_vec3 p);
void lm_mesh_put_bounds(const lm_mesh_bounds *bounds, uint8_t *bytes);
/* Notes that bounds of some frames are others now. */
bool lm_mesh_note_bounds(lm_edit *edit, const uint8_t *before, const uint8_t *after,
                         uint32_t count);

#endif
