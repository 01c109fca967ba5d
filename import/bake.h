/* The steps from a checked file to a mesh: parts, poses, clips, and frames of vertices. */
#ifndef IMPORT_BAKE_H
#define IMPORT_BAKE_H

#include "gltf.h"

/* ---- Parts: the geometry of the shown nodes, before animation -------------------------------- */

typedef struct lm_im_target {
    const float *positions, *normals; /* differences from the base; NULL: none */
} lm_im_target;

/* A part: a primitive of a node. It has only the vertices that its triangles use. Parts of nodes
 * with the same mesh share their arrays. */
typedef struct lm_im_part {
    uint32_t node, skin;
    lm_im_ref primitive;
    uint32_t index; /* of the primitive in its mesh */
    uint32_t num_file_vertices;
    uint32_t *file_vertices; /* [num_vertices] */
    uint32_t same_as[3];     /* parts with equal values look the same at rest */
    const char *name;
    uint32_t num_materials;
    const lm_material *materials;
    int32_t flags;          /* of lm_mesh_surface */
    const uint32_t *images; /* from lmi_im_read_variants; NULL: no images */
    uint32_t num_vertices, num_triangles;
    uint32_t *triangles;                   /* front faces counter-clockwise, as in the file */
    const float *positions, *normals, *st; /* normals and st may be NULL */
    uint32_t num_targets;
    const lm_im_target *targets;
    uint32_t num_joints; /* per vertex */
    const uint32_t *joints;
    const float *weights;
} lm_im_part;

/* Reads all parts of the scene. Meshes of `tagged` nodes are only markers and are skipped.
 * `num_empty`: surfaces without triangles, which the mesh has besides. */
bool lmi_im_read_parts(importing *im, const lm_im_gltf *gltf, const bool *tagged,
                       uint32_t num_empty, lm_im_part **parts, uint32_t *count);

/* Scales each vertex's weights to a sum of 1. A vertex whose weights are all 0 follows its node. */
void lmi_im_normalise_weights(importing *im, const lm_im_part *part, float *weights);

/* Computes the normals of parts whose morph targets have none. */

/* ---- Poses: the transforms of all nodes at one time ------------------------------------------ */

/* A matrix by columns, as in the file: x of a transformed point is m[0] * x + m[4] * y + m[8] * z +
 * m[12]. */
typedef struct lm_im_matrix {
    double m[16];
} lm_im_matrix;

typedef struct lm_im_local lm_im_local;
typedef struct lm_im_pose {
    const lm_im_gltf *gltf;
    lm_im_matrix *world; /* [num_nodes] */
    /* [num_nodes] The same as if nothing were scaled to 0, of nodes that are. */
    lm_im_matrix *whole;
    bool *is_flat; /* [num_nodes] it, or a node above it, is scaled to 0 along an axis */
    lm_im_local *local;
    uint32_t *first_weight; /* [num_nodes] index into `weights` */
    uint32_t num_weights;
    float *weights, *rest_weights;
} lm_im_pose;

bool lmi_im_pose_init(importing *im, const lm_im_gltf *gltf, lm_im_pose *pose);
void lmi_im_pose_at(lm_im_pose *pose, const lm_im_moment *moment);

/* Computes a node's local transform at the first key of an animation that moves only this node. */
void lmi_im_local_at(const lm_im_gltf *gltf, uint32_t node, const lm_im_animation *animation,
                     lm_im_matrix *out);

/* Multiplies a * b. `out` must be neither `a` nor `b`. */
void lmi_im_multiply(const lm_im_matrix *a, const lm_im_matrix *b, lm_im_matrix *out);
/* Returns the determinant of a matrix's upper 3 x 3 block. */
double lmi_im_determinant(const double *m);

/* ---- Motions: which animations become clips, and how they end -------------------------------- */

/* Returns [num_nodes] flags of the nodes that are joints of a skin, or NULL if memory ran out. */
bool *lmi_im_joints(importing *im, const lm_im_gltf *gltf);

/* Drops the animations that only hold one object where it is at rest, as exporters make them for
 * each object. Reports animations that move one object each. */
bool lmi_im_drop_still(importing *im, lm_im_gltf *gltf);

/* How a clip ends. */
typedef enum lm_im_ending {
    IM_AS_IT_BEGAN, /* loops if its last pose equals its first */
    IM_LOOPS,
    IM_PLAYS_ONCE
} lm_im_ending;
lm_im_ending lmi_im_ending_of(const lm_import_options *options, const char *clip);
/* Fails if the options name a clip that does not exist. */
bool lmi_im_check_endings(importing *im, const lm_mesh *mesh);

/* ---- Frames ---------------------------------------------------------------------------------- */

/* A tag: its name and the node that it follows. */
typedef struct lm_im_tag {
    const char *name;
    uint32_t node;
    const char *piece; /* of lm_mesh_tag */
} lm_im_tag;

typedef struct lm_im_scene {
    const lm_im_gltf *gltf;
    float scale; /* mesh units per node unit */
    uint32_t num_parts, num_tags;
    lm_im_part *parts;
    const lm_im_tag *tags;
    const lm_im_extras *extras; /* if it has frames, they are the mesh's frames */
    /* The turn from the file's axes to glTF's, by columns. Tags are turned back, except joints. */
    bool is_turned, turns_joints; /* turns_joints: joints, too */
    double turn[9];
} lm_im_scene;

/* What a mesh was baked from. */
typedef struct lm_im_baked_from {
    lm_im_pose pose;
    const lm_im_moment *moments; /* [num_frames] of the mesh */
    const uint32_t *parts;       /* [num_surfaces] of the mesh; IM_NONE: the surface is empty */
} lm_im_baked_from;

/* Converts a vector from glTF's axes (z forward, x left, y up) to the models' (x forward, y left, z
 * up), and scales it. */
lm_vec3 lmi_im_rotate(const double v[3], double scale);

/* Moves a point and a normal (NULL: none) by a matrix, and converts them to the models' axes. The
 * point is scaled. */
void lmi_im_place(const lm_im_matrix *to, double scale, const double *p, const double *n,
                  lm_vec3 *position, lm_vec3 *normal);

/* Plays every animation and fills in the mesh, whose arrays are in the import's memory. */
bool lmi_im_bake(importing *im, const lm_im_scene *scene, lm_mesh *mesh, lm_im_baked_from *from);

/* Inverts a matrix of which only the translation is not linear. Returns false if it has no inverse.
 */
bool lmi_im_invert(const lm_im_matrix *m, lm_im_matrix *out);

/* Makes the skeleton of a baked mesh from the joints of its skins and the nodes of its other parts.
 * import->skeleton stays NULL if nothing moves by joints, or if there are too many. Returns false
 * if memory ran out. */
bool lmi_im_make_skeleton(importing *im, const lm_im_scene *scene, const lm_mesh *mesh,
                          lm_im_baked_from *from);

/* The time span of an animation: its first and last key [s], and its frame rate, from the options,
 * from `row`, the row of a weapon.cfg that it was made of, or from its keys. `row` NULL: none. */
typedef struct lm_im_span {
    double first, last, fps;
    uint32_t num_frames;
} lm_im_span;

void lmi_im_span_of(const importing *im, const lm_im_animation *animation, const lm_clip *row,
                    lm_im_span *span);

/* ---- The steps around a reader, shared by those of glTF and Assimp --------------------------- */

typedef struct lm_im_source {
    const void *bytes;
    size_t size;
    const char *name; /* file name without its folder; NULL: unknown */
} lm_im_source;

typedef bool lm_im_reader(importing *im, const lm_im_source *source, lm_mesh *mesh);

/* Returns whether these are the first bytes of a glTF file. */
bool lmi_im_is_gltf(const void *bytes, size_t size);
/* Returns whether these are the first bytes of an IQM. */
bool lmi_im_is_iqm(const void *bytes, size_t size);
bool lmi_im_read_iqm(importing *im, const lm_im_source *source, lm_mesh *mesh);
/* Returns whether Assimp is available and reads files of this name. */
bool lmi_im_assimp_reads(const char *name);
/* Reads a file through Assimp. */
bool lmi_im_read_assimp(importing *im, const lm_im_source *source, lm_mesh *mesh);

/* Imports a source. `what`: the prefix of its messages, "gltf". */
lm_import *lmi_im_import(const lm_im_source *source, const char *what, lm_im_reader *reader,
                         const lm_import_options *options, lm_error *error);

/* Finds the tags: the nodes that are tags by name or extras, and the nodes that the options name.
 * `tagged` [num_nodes] is set for the former. */
bool lmi_im_find_tags(importing *im, const lm_im_gltf *gltf, bool *tagged, lm_im_scene *scene);
/* Bakes a scene with its parts and tags into a mesh, and checks the mesh. */
bool lmi_im_bake_scene(importing *im, const lm_im_scene *scene, lm_mesh *mesh);

#endif
