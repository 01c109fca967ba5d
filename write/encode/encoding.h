/* The interface of encoders: input, output and shared functions. */
#ifndef LM_ENCODE_ENCODING_H
#define LM_ENCODE_ENCODING_H

#include "core/heap.h"
#include "core/report.h"
#include "lerpmesh/encode.h"

/* The vertex of the file that a vertex of the mesh became. If the surface is LM_NOWHERE, it was
 * removed. */
#define LM_NOWHERE UINT32_MAX
typedef struct lm_encoded_vertex {
    uint32_t surface, vertex;
} lm_encoded_vertex;

typedef struct lm_encoding {
    /* The mesh, checked and completed. It has names, every surface has normals, and surfaces with
     * texture coordinates have st_triangles. Textures are listed both by the model and by its
     * surfaces. */
    const lm_mesh *mesh;
    const bool *begins; /* lmi_encode_movements of the mesh */
    const lm_encode_options *options;
    const lm_format_info *format;
    lm_heap *heap;
    lm_arena arena; /* until the file is written */
    /* The encoder fills these: [num_vertices] for each surface of the mesh. */
    lm_encoded_vertex **vertices;
    lm_vertex_source *sources; /* [num_sources] of the file's vertices, surface by surface */
    uint32_t num_sources;
    uint32_t num_st; /* 0: the number of vertices */
    uint32_t num_base_frames;

    lm_diagnostics notes;
} lm_encoding;

/* Reports something that the file cannot store. `section`: "mesh", or the list of the mesh that
 * `index` refers to, such as "surfaces". Returns false if memory ran out. */
bool lmi_encode_note(lm_encoding *encoding, lm_code code, const char *section, uint32_t index,
                     const char *sentence, ...) LM_PRINTF(5, 6);

/* The side of a skin of unknown size. Every engine loads it. */
#define LM_USUAL_SKIN 256u

/* Flags for the parts of a mesh that a format can store. NAMES: of the model and its surfaces, with
 * their flags and shader numbers. EYE: also the synctype. PIXELS: of skins. CLIPS: the encoder
 * itself reports what clips lose. */
enum {
    LM_STORES_NAMES = 1,
    LM_STORES_TAGS = 2,
    LM_STORES_FLAGS = 4,
    LM_STORES_EYE = 8,
    LM_STORES_PIXELS = 16,
    LM_STORES_CLIPS = 32,
    LM_STORES_SKIN_SIZE = 64
};
/* Reports everything in the mesh that the format cannot store. Returns false if memory ran
 * out. */
bool lmi_encode_report_loss(lm_encoding *encoding, unsigned stores);

/* Writes a name into a field of `size` bytes, with its NUL, and fills the rest with zeros. If the
 * name is too long, removes its middle: its number, or the last part of a path, stays. Returns true
 * if all of it fitted. */
bool lmi_encode_name(uint8_t *field, size_t size, const char *name);
/* The same, but reports a name that is too long. `section` and `index`: as in lmi_encode_note.
 * `whose`: "its name". Returns false if memory ran out. */
bool lmi_encode_text(lm_encoding *encoding, uint8_t *field, size_t size, const char *name,
                     const char *section, const char *whose, uint32_t index);

/* Returns true if two surfaces name the same textures. */
bool lmi_same_materials(const lm_mesh_surface *a, const lm_mesh_surface *b);

/* Returns [num_frames] flags: true if the frame and the previous one belong to different movements.
 * The first is true. Returns NULL if memory ran out. */
bool *lmi_encode_movements(const lm_mesh *mesh, lm_arena *arena);

/* Completes the mesh: names frames after clips, computes normals, lists textures. The result is in
 * the encoding's arena. Returns false if memory ran out. */
bool lmi_encode_fill_missing(lm_encoding *encoding);

/* Computes normals for the surfaces of a mesh that have none, smooth across all surfaces.
 * `surfaces` is a copy of the mesh's, and gets them. Returns false if memory ran out. */
bool lmi_encode_fill_normals(const lm_mesh *mesh, lm_mesh_surface *surfaces, lm_arena *arena);

/* Finds vertices that move alike. */

/* Finds for each vertex the first one with the same positions and normals in every frame; the
 * vertex itself if it is the first. Positions are compared bit by bit, except that 0 equals -0.
 * Normals are indices into the format's table, vertex by vertex and frame by frame. With
 * keep_numbers, each vertex is its own. Linear time. Returns false if memory ran out. */
bool lmi_weld_trajectories(const lm_encoding *encoding, const lm_mesh_surface *surface,
                           const uint16_t *normals, uint32_t *firsts, lm_heap *heap);

/* Rotations of tags. */

/* Returns orthonormal axes, mirrored if the input is. Axes that are orthonormal already stay
 * unchanged. */
void lmi_square_axes(const lm_vec3 axis[3], lm_vec3 out[3]);
bool lmi_axes_mirrored(const lm_vec3 axis[3]);

/* Converts orthonormal axes, which must not be mirrored, to the nearest pitch, yaw and roll.
 * `full_turn` steps are a full turn. No neighbouring step is nearer. */
void lmi_nearest_angles(const lm_vec3 axes[3], int full_turn, int16_t out[3]);

#endif
