/* Editing and optimizing MD3 and MDC: trimming, placing, tags, normals and bounds of a chained
 * document, by its description and what its lumps of vertices and tags are. */
#ifndef LM_FORMATS_VERTEX_MESH_EDIT_H
#define LM_FORMATS_VERTEX_MESH_EDIT_H

#include "formats/edit_document.h"
#include "formats/vertex_mesh/vertex_mesh.h"
#include "optimize/optimizing.h"

/* Which rows of vertices a frame uses: of 8 bytes each, and of differences from these; -1: none. */
typedef struct lm_mesh_rows {
    int32_t base, difference;
} lm_mesh_rows;

typedef struct lm_mesh_edit_tables {
    lm_edit_tables tables;            /* the first member: an lm_editor points at it */
    uint16_t num_vertices, triangles; /* offsetof in a surface: int32_t; lumps */
    uint16_t vertices, differences;   /* differences: 0: there are none */
    uint16_t tags;                    /* offsetof in the document: the lump with their places */
    lm_mesh_rows (*rows)(const void *surface, int32_t frame);
    lm_vec3 (*difference)(const uint8_t *bytes); /* in units */
    /* Places the differences of the copy of a surface; NULL: there are none. */
    bool (*place_differences)(lm_edit *edit, const lm_edit_turn *turn, const lm_part *part,
                              uint32_t index, void *made);
    /* Transforms a tag's place in its bytes; `what` and `index` name it in an error. */
    bool (*turn_tag)(lm_edit *edit, const lm_edit_turn *turn, const char *what, uint32_t index,
                     uint8_t *bytes);
    /* Gives the zeros of a new tag the model's axes; NULL: these are zeros. */
    void (*begin_tag)(uint8_t *bytes);
    /* Stores rows of vertices that are alike once in an optimized surface; NULL: each frame has a
     * row of its own. */
    bool (*share_rows)(lm_optimizing *o, void *surface, uint32_t num_frames);
} lm_mesh_edit_tables;

/* Members of lm_edit_tables and lm_editor. */
bool lm_mesh_fits(lm_edit *edit, const void *other);
bool lm_mesh_trim(lm_edit *edit);
bool lm_mesh_place(lm_edit *edit, const lm_edit_turn *turn);
bool lm_mesh_add_tag(lm_edit *edit, const uint8_t *field, const lm_vec3 *origin);
bool lm_mesh_move_tag(lm_edit *edit, uint32_t tag, const lm_vec3 *by);
bool lm_mesh_put_normals(lm_edit *edit, const struct lm_take *take);
bool lm_mesh_bounds(lm_edit *edit);
/* A member of lm_writer. */
bool lm_mesh_optimize(lm_optimizing *o, void *document);

/* Defines a format's editor: its document's kind and its lm_mesh_edit_tables. */
#define LM_MESH_EDITOR(document_kind, mesh)                                               \
    {                                                                                     \
        LM_DESCRIBED_EDITOR(document_kind, (mesh).tables),                                \
            .lists = 1 << LM_EDIT_SKINS | 1 << LM_EDIT_FRAMES | 1 << LM_EDIT_SURFACES |   \
                     1 << LM_EDIT_TAGS | 1 << LM_EDIT_HEADER,                             \
            .skin_room = LM_MESH_NAME_SIZE, .trim = lm_mesh_trim, .place = lm_mesh_place, \
            .add_tag = lm_mesh_add_tag, .move_tag = lm_mesh_move_tag,                     \
            .put_normals = lm_mesh_put_normals, .bounds = lm_mesh_bounds,                 \
    }

#endif
