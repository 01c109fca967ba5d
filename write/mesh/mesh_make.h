/* Meshes: creating them, corners of triangles, and new frames for a file. */
#ifndef LM_MESH_MESH_MAKE_H
#define LM_MESH_MESH_MAKE_H

#include "core/arena.h"
#include "lerpmesh/mesh.h"
#include "model/weld.h"

/* ---- Creating meshes that own all their data ------------------------------------------------ */

/* Copies a mesh except for its animated data: positions, normals (if `like` has any) and tag poses
 * are allocated for the caller to fill. Returns NULL and sets the error if memory ran out. */
lm_mesh *lmi_make_mesh(const lm_mesh *like, lm_heap *heap);
/* Does what lm_mesh_from_model does, on request without normals. */
lm_mesh *lmi_mesh_from_model(const lm_model *model, bool normals, const lm_memory *memory,
                             lm_error *error);

/* Return the writable rows of a surface, and poses of a tag, of a mesh from lmi_make_mesh. */
static inline lm_vec3 *lmi_mesh_rows(const float *rows) {
    return (lm_vec3 *)(void *)rows;
}
static inline lm_transform *lmi_mesh_poses(const lm_mesh *mesh, uint32_t tag) {
    return (lm_transform *)mesh->tags[tag].poses;
}

/* Transforms a mesh in place, like lm_mesh_transform. Returns false and sets the error on failure.
 */
bool lmi_mesh_move(lm_mesh *mesh, const lm_transform *to, lm_error *error);
/* Reverses the winding of triangles; `corners` may be NULL. */
void lmi_mesh_rotate(uint32_t *corners, uint32_t num_triangles);

/* Returns true if there are frames and all clips lie within them; sets the error otherwise. */
bool lmi_mesh_check_clips(const lm_mesh *mesh, lm_error *error);

/* Checks that clips do not show the frames so often that an output with a copy of them for each
 * clip would be out of proportion to its source. */
bool lmi_check_clip_frames(const lm_clip *clips, uint32_t num_clips, uint32_t num_frames,
                           lm_error *error);

/* The poses of a mesh that become the frames of another one, and its clips. */
typedef struct lm_frame_plan {
    lm_pose *poses;
    uint32_t num_poses, num_clips;
    lm_clip *clips;
} lm_frame_plan;

/* Plans a rate for all clips of a mesh. Returns false with an error, or if the arena has failed. */
bool lmi_mesh_plan_rate(const lm_mesh *mesh, float fps, lm_arena *arena, lm_frame_plan *plan,
                        lm_error *error);

/* Returns whether there are several frames, and each vertex, normal and tag is the same in all of
 * them, but for rounding: by 1e-5 of the largest coordinate and 1e-4 of a direction. */
bool lmi_mesh_is_static(const lm_mesh *mesh);

/* Returns the bytes of everything that a mesh points to, each counted once. */
uint64_t lmi_mesh_size(const lm_mesh *mesh);

/* Begins the heap of a call that creates a mesh. Without bounds if `memory` sets none. */
void lmi_mesh_heap(lm_heap *heap, const lm_memory *memory, lm_error *error);

/* ---- Corners of triangles ------------------------------------------------------------------- */

/* Returns `count` numbers that are LM_UNUSED, or NULL if memory ran out. */
uint32_t *lmi_unused_numbers(lm_arena *arena, uint64_t count);

/* Numbers ids in the order of their first use. Replaces ids[i] by its number, and sets used[number]
 * to the id. `numbers` is indexed by id: LM_UNUSED before the call, the number after it. Returns
 * the number of different ids. */
uint32_t lmi_number_by_use(uint32_t *ids, size_t count, uint32_t *numbers, uint32_t *used);
/* The same, but the first id of each of `num_vertices` vertices gets the vertex's number; its other
 * ids get the numbers after those of all vertices. `vertices` [count] has those of the ids. `used`
 * has LM_UNUSED for a vertex without ids. */
uint32_t lmi_number_by_vertex(uint32_t *ids, size_t count, const uint32_t *vertices,
                              uint32_t num_vertices, uint32_t *numbers, uint32_t *used);
/* The same for ids below `limit`. `numbers` [limit] need not be initialised. */
uint32_t lmi_rename_by_use(uint32_t *ids, size_t count, uint32_t limit, uint32_t *numbers,
                           uint32_t *used);

/* Gives the corners of a surface ids. Two ids are equal if both `keys` [3 * num_triangles] and the
 * texture coordinates are equal. `ids` may be `keys`. Returns false if memory ran out. */
bool lmi_rank_corners(const lm_mesh_surface *surface, const uint32_t *keys, uint32_t *ids,
                      uint32_t *num_ids, lm_arena *scratch);

/* The triangles around each vertex. Those of vertex v are triangles[first[v]] .. triangles[first[v
 * + 1] - 1], in ascending order. A triangle that uses v twice is listed twice in a row. */
typedef struct lm_neighbours {
    uint32_t *first, *triangles;
} lm_neighbours;

/* Lists the triangles around each vertex, in the arena. Linear time. Returns false if memory ran
 * out. */
bool lmi_list_neighbours(uint32_t num_triangles, uint32_t num_vertices, const uint32_t *corners,
                         lm_arena *arena, lm_neighbours *out);

/* Merges all surfaces: their vertices and triangles one after the other, with st_triangles. If a
 * surface has no texture coordinates, all its corners share one, (0, 0). Normals are merged for the
 * first `num_normals` frames, and are 0 if a surface has none. Returns false if the sum is too
 * large or memory ran out. */
bool lmi_merge_surfaces(const lm_mesh *mesh, uint32_t num_normals, lm_arena *arena,
                        lm_mesh_surface *out);

/* ---- New frames for a file: the vertices and tags that move (lm_edit_put_frames) ------------- */

/* Both meshes have the file's vertices. */
typedef struct lm_moves {
    const lm_mesh *mesh, *old;
    double tolerance; /* units */
} lm_moves;

/* Return true if a vertex, any vertex of a surface, any of all surfaces, or a tag changes in a
 * frame. */
bool lmi_moves_vertex(const lm_moves *moves, uint32_t surface, uint32_t frame, uint32_t vertex);
bool lmi_moves_surface(const lm_moves *moves, uint32_t surface, uint32_t frame);
bool lmi_moves_surfaces(const lm_moves *moves, uint32_t frame);
bool lmi_moves_tag(const lm_moves *moves, uint32_t tag, uint32_t frame);
bool lmi_moves_frame(const lm_moves *moves, uint32_t frame);
/* Returns the position of a vertex in a changed frame: the new one if it moves, else the old one.
 */
lm_vec3 lmi_moved_position(const lm_moves *moves, uint32_t surface, uint32_t frame,
                           uint32_t vertex);
/* Returns the new normal of a vertex; NULL: it keeps its own. */
const lm_vec3 *lmi_moved_normal(const lm_moves *moves, uint32_t surface, uint32_t frame,
                                uint32_t vertex);
/* Finds the bytes of a position on a grid. Returns false if it lies outside. */
bool lmi_find_bytes(lm_vec3 position, lm_vec3 scale, lm_vec3 translate, uint8_t bytes[3]);

/* Lets a tag follow the mesh from its pose in a frame, which has the model's axes. Sets poses in
 * the frames in which its triangle lies elsewhere. Returns false if there is no triangle to follow.
 */
bool lmi_mesh_follow(const lm_mesh *mesh, uint32_t frame, lm_transform *poses);

#endif
