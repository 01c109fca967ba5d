/* Editing and optimizing MD3 and MDC, by the description of the format and tables of its lumps:
 * unused vertices, transforms, tags, normals, bounds and repairs. Encoding surfaces with vertices
 * of 8 bytes, and frames. */
#ifndef LM_FORMATS_VERTEX_MESH_WRITE_H
#define LM_FORMATS_VERTEX_MESH_WRITE_H

#include "encode/encoding.h"
#include "formats/edit_document.h"
#include "formats/vertex_mesh/vertex_mesh.h"
#include "optimize/optimizing.h"

/* The rows of vertices that a frame uses: of 8 bytes each, and of differences from these (-1:
 * none). */
typedef struct lm_vertex_mesh_rows {
    int32_t base, difference;
} lm_vertex_mesh_rows;

typedef struct lm_vertex_mesh_edit_tables {
    lm_edit_tables tables;            /* the first member, because an lm_editor points to it */
    uint16_t num_vertices;            /* offsetof in a surface: int32_t */
    uint16_t triangles, st, vertices; /* offsetof in a surface: lumps */
    uint16_t differences;             /* the same; 0: no differences */
    uint16_t tags;                    /* offsetof in the document: the lump with their transforms */
    lm_vertex_mesh_rows (*rows)(const void *surface, int32_t frame);
    lm_vec3 (*difference)(const uint8_t *bytes); /* in units */
    /* Transforms the differences in the copy of a surface; NULL: there are none. */
    bool (*transform_differences)(lm_edit *edit, const lm_edit_transformation *to,
                                  const lm_part *part, uint32_t index, void *made);
    /* Copies the rows of vertices in the copy of a surface, so that each frame that changes has
     * vertices or differences of its own. NULL: they have. */
    bool (*own_rows)(lm_edit *edit, const lm_part *part, uint32_t index,
                     const struct lm_moves *moves, void *made);
    /* Finds the bytes of a difference in units; NULL: there are none. */
    bool (*find_difference)(lm_vec3 units, uint8_t bytes[3]);
    /* Transforms a tag in its bytes; `what` and `index` name it in errors. */
    bool (*transform_tag)(lm_edit *edit, const lm_edit_transformation *to, const char *what,
                          uint32_t index, uint8_t *bytes);
    /* Gives a new tag axes, of length 1 and at right angles. */
    void (*turn_tag)(uint8_t *bytes, const lm_vec3 axis[3]);
    /* Replaces the unusable numbers of a tag; NULL: it has none. */
    void (*mend_tag)(uint8_t *bytes);
    /* Replaces the numbers of rows that do not exist in the copy of a surface; NULL: it has none.
     */
    bool (*mend_rows)(const lm_edit *edit, const lm_part *part, void *made);
    /* Shares identical rows of vertices in an optimized surface; NULL: each frame has its own
     * row. */
    bool (*share_rows)(lm_optimizing *o, void *surface, uint32_t num_frames);
} lm_vertex_mesh_edit_tables;

static inline const lm_vertex_mesh_edit_tables *lmi_vertex_mesh_tables(const lm_editor *editor) {
    return (const lm_vertex_mesh_edit_tables *)(const void *)editor->tables;
}

/* Members of lm_edit_tables and lm_editor. */
bool lmi_vertex_mesh_fits(lm_edit *edit, const void *other);
bool lmi_vertex_mesh_remove_unused(lm_edit *edit);
bool lmi_vertex_mesh_transform(lm_edit *edit, const lm_edit_transformation *to);
bool lmi_vertex_mesh_add_tag(lm_edit *edit, const uint8_t *field, const lm_transform *poses);
bool lmi_vertex_mesh_move_tag(lm_edit *edit, uint32_t tag, const lm_vec3 *by);
bool lmi_vertex_mesh_put_normals(lm_edit *edit, const struct lm_mesh *mesh);
bool lmi_vertex_mesh_bounds(lm_edit *edit);
bool lmi_vertex_mesh_put_frames(lm_edit *edit, const struct lm_moves *moves);
/* Writes the bounds of a document's frame into its bytes. Returns true if they changed. */
bool lmi_vertex_mesh_put_bounds(const lm_editor *editor, const void *document, int32_t frame,
                                uint8_t *bytes);
bool lmi_vertex_mesh_mend(lm_edit *edit);
/* Makes the unusable ones of several floats 0. */
void lmi_mend_floats(uint8_t *bytes, size_t count);
/* Removes the triangles of a surface that use others than its `vertices`. `triangles` is the offset
 * of their lump's pointer. */
bool lmi_mend_triangles(lm_edit *edit, const lm_part *part, size_t triangles, uint32_t vertices,
                        void *made);
/* A member of lm_writer. */
bool lmi_vertex_mesh_optimize(lm_optimizing *o, void *document);

/* Defines the names in the lists of a format: those of all but tags are in the same places. */
#define LM_VERTEX_MESH_NAMES(type, surface, tag_names)                                      \
    {                                                                                       \
        [LM_EDIT_SKINS] =                                                                   \
            LM_EDIT_NAMES(surface, shaders, num_shaders, .room = LM_VERTEX_MESH_NAME_SIZE), \
        [LM_EDIT_FRAMES] =                                                                  \
            LM_EDIT_NAMES(type, frames, num_frames, .at = LM_VERTEX_MESH_FRAME_NAME,        \
                          .room = LM_VERTEX_MESH_FRAME_NAME_SIZE),                          \
        [LM_EDIT_CLIPS] = {0},                                                              \
        [LM_EDIT_SURFACES] = {.count = offsetof(type, num_surfaces),                        \
                              .at = offsetof(surface, name),                                \
                              .room = LM_VERTEX_MESH_NAME_SIZE},                            \
        [LM_EDIT_TAGS] =                                                                    \
            LM_EDIT_NAMES(type, tag_names, num_tags, .room = LM_VERTEX_MESH_NAME_SIZE),     \
        [LM_EDIT_HEADER] = {                                                                \
            .at = offsetof(type, name),                                                     \
            .room = LM_VERTEX_MESH_NAME_SIZE                                                \
        }                                                                                   \
    }

/* Defines a format's editor: its document's kind and its lm_vertex_mesh_edit_tables. */
#define LM_VERTEX_MESH_EDITOR(document_kind, mesh)                                  \
    {                                                                               \
        LM_DESCRIBED_EDITOR(document_kind, (mesh).tables),                          \
        .lists = 1 << LM_EDIT_SKINS | 1 << LM_EDIT_FRAMES | 1 << LM_EDIT_SURFACES | \
                 1 << LM_EDIT_TAGS | 1 << LM_EDIT_HEADER,                           \
        .skin_room = LM_VERTEX_MESH_NAME_SIZE,                                      \
        .remove_unused = lmi_vertex_mesh_remove_unused,                             \
        .transform = lmi_vertex_mesh_transform,                                     \
        .add_tag = lmi_vertex_mesh_add_tag,                                         \
        .move_tag = lmi_vertex_mesh_move_tag,                                       \
        .put_normals = lmi_vertex_mesh_put_normals,                                 \
        .bounds = lmi_vertex_mesh_bounds,                                           \
        .put_frames = lmi_vertex_mesh_put_frames,                                   \
        .mend = lmi_vertex_mesh_mend,                                               \
    }

/* Rounds to the nearest step of 1/64 unit. Returns false if that is out of the format's range. */
bool lmi_vertex_mesh_round(double units, int16_t *steps);
/* Writes a new position, and normal unless it is NULL, into the bytes of a vertex. Returns false if
 * the position exceeds the range of the format. */
bool lmi_vertex_mesh_move_vertex(const lm_vec3 *position, const lm_vec3 *normal, uint8_t *bytes);
/* Fails because a vertex does not fit the format. Returns false. */
bool lmi_vertex_mesh_fail_range(lm_edit *edit, uint32_t surface, uint32_t frame, uint32_t vertex);

/* ---- Encoding ------------------------------------------------------------------------------ */

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
 * one vertex. Surfaces that exceed the limits of the requested engine are split, with a note.
 * Records where each vertex went, and where it came from. Returns false if the call ended, like the
 * functions that follow. */
bool lmi_vertex_mesh_encode_pieces(lm_encoding *encoding, lm_vertex_mesh_pieces *pieces);

/* Writes the document's frames [num_frames]: names, and bounds of its vertices. */
bool lmi_vertex_mesh_encode_frames(lm_encoding *encoding, const lm_editor *editor,
                                   const void *document, uint8_t *frames);

#endif
