/* Internals of the glTF exporter. One lm_gltf per file:
 *
 *     gltf_tracks.c      animations, and the frames that each model shows in them
 *     gltf_plan.c        equal poses, and the resulting targets and bundles
 *     export_common.c    vertices that are equal in all poses
 *     gltf_data.c        accessors of vectors and others, binary streams, buffers and their views
 *     gltf_mesh.c        surfaces: base pose, morph targets, indices
 *     gltf_steps.c       positions and normals in integer steps, and the grid of these
 *     gltf_compress.c    compressed files: an order of vertices in which neighbours move alike, and
 *                        targets that hold differences from other targets
 *     gltf_materials.c   materials, as far as they can express shader scripts; textures, variants
 *     gltf_joints.c      skeletons: the skin, joints, their animations, and corrective shapes
 *     gltf_nodes.c       the tree of nodes; tags as translation, rotation, scale; data of the model
 *                        that glTF lacks, for importing the file again
 *     gltf_animate.c     samplers and channels; clips: weights, tags, and the scales that show and
 *                        hide bundles
 *     gltf.c             the document
 *     vat.c              writes the mesh of vertex-animation textures by the same functions
 *
 * Functions that can fail return false after ending the call (core/heap.h) or failing a buffer,
 * which gltf.c checks at the end. Functions that add an accessor return its index; once the call
 * has ended, they return LM_NO_INDEX. All temporary memory is in the arena. */
#ifndef LM_EXPORT_GLTF_H
#define LM_EXPORT_GLTF_H

#include "core/json.h"
#include "core/names.h"
#include "export/export_common.h"

/* One renderer fails with 256 targets per mesh. 255 targets and the base make 256 poses. */
#define LM_MAX_TARGETS 255
#define LM_NO_INDEX UINT32_MAX

/* glTF 2.0, 3.6.2.2 (accessor.componentType), 5.11.5 (bufferView.target) */
enum {
    LM_GLTF_BYTE = 5120,
    LM_GLTF_UNSIGNED_BYTE = 5121,
    LM_GLTF_SHORT = 5122,
    LM_GLTF_UNSIGNED_SHORT = 5123,
    LM_GLTF_UNSIGNED_INT = 5125,
    LM_GLTF_FLOAT = 5126,
    LM_GLTF_ARRAY_BUFFER = 34962,
    LM_GLTF_ELEMENT_ARRAY_BUFFER = 34963
};

/* Data of one stride is contiguous, and one buffer view of the whole file. */
typedef enum lm_gltf_stream {
    LM_STREAM_12,      /* float vectors; written directly to the output unless compressed */
    LM_STREAM_NORMALS, /* compressed files: float vectors, packed by the EXPONENTIAL filter */
    LM_STREAM_8,
    LM_STREAM_4,
    LM_STREAM_INDICES,
    LM_STREAM_KEYS,     /* animations */
    LM_STREAM_MATRICES, /* of skins */
    LM_STREAM_SPARSE,   /* of sparse accessors: indices and values */
    LM_STREAM_IMAGES,   /* one buffer view each */
    LM_NUM_STREAMS
} lm_gltf_stream;

typedef struct lm_gltf_view {
    lm_gltf_stream stream;
    size_t offset, size; /* of an image; other views are the whole stream */
} lm_gltf_view;

/* A compressed stream. */
typedef struct lm_gltf_packed {
    size_t offset, size; /* in the output; size 0: not compressed */
    size_t start, whole; /* offset and size in the second buffer, before compression */
} lm_gltf_packed;

typedef struct lm_accessor {
    lm_gltf_stream stream;
    size_t offset; /* in its stream */
    int component;
    bool normalized;
    uint32_t count;
    const char *type;
    unsigned num_bounds; /* components of min and max */
    float min[4], max[4];
    /* A sparse accessor is zero except for num_sparse elements; `stream` and `offset` are
     * unused. */
    bool sparse;
    uint32_t num_sparse;
    int sparse_component;
    size_t sparse_indices, sparse_values; /* in LM_STREAM_SPARSE */
} lm_accessor;

/* The playback of a model during an animation: a clip, possibly repeated. */
typedef struct lm_gltf_track {
    lm_clip clip;      /* cut to the exported frames, and counted from the first of them */
    float rate;        /* > 0: keys per second; 0: a key per frame */
    uint32_t num_keys; /* 0: the model shows its base frame */
    double end;        /* seconds */
    uint32_t last;     /* last frame of the body; limits followers */
    /* Index of the clip in its job. Runs of frames in no clip come after. */
    uint32_t number : 31;
    uint32_t cut : 1; /* the last key is at the time `end`, sooner than the others' distance */
    size_t first_segment, num_segments; /* in the plan */
} lm_gltf_track;

/* All poses of a mesh in integer steps of the grid, relative to the base, for a compressed file. A
 * row has six planes: x, y, z of the positions, then of the normals. */
typedef struct lm_gltf_steps {
    uint32_t count; /* vertices, in the order of the file */
    int normal_exponent;
    bool normals_move; /* else targets have none */
    bool too_wide;     /* a difference needs more than 16 bits */
    uint32_t num_rows;
    uint32_t *rows_of; /* [num_frames] the row of a frame's pose */
    int16_t *rows;     /* [num_rows][6][count] */
    int32_t *base;     /* [6][count] positions in steps, normals in units of 1/16384 */
} lm_gltf_steps;

/* A step of a normal's component is 2^exponent, in the base 1/16384. */
#define LM_FINEST_NORMAL (-8)
#define LM_BASE_NORMAL_EXPONENT (-14)

/* Poses and bundles. Frames are counted from the first exported one. */
typedef struct lm_gltf_bundle {
    uint32_t count, frames[LM_MAX_TARGETS]; /* different, not the base, ascending */
} lm_gltf_bundle;

/* Keys of a track for which one bundle is shown. */
typedef struct lm_gltf_segment {
    uint32_t bundle;
    uint32_t first_key, num_keys; /* the last key is the first of the next segment */
} lm_gltf_segment;

typedef struct lm_gltf_plan {
    uint32_t num_frames;
    uint32_t base;       /* the frame relative to which all others are stored */
    uint32_t num_meshes; /* surfaces that draw a triangle */
    uint32_t *surfaces;  /* [num_meshes] */
    uint32_t *triangles; /* [num_meshes] triangles with three different vertices */
    lm_welded *welds; /* [num_meshes] vertices with equal positions, normals and st in all frames */
    uint32_t *poses;  /* [num_meshes][num_frames] the first frame with an equal pose */
    uint32_t *groups; /* [num_meshes] the first mesh with equal `poses` */
    uint32_t *model_poses; /* [num_frames] the first frame with equal poses of all meshes */
    uint32_t shared_frames;
    lm_gltf_steps *steps; /* [num_meshes] of a compressed file, else NULL */
    /* [num_bundles][num_meshes][LM_MAX_TARGETS] of a compressed file: in the row of a group's first
     * mesh, the target + 1 to which each target is added; 0: the base. */
    uint8_t *references;

    lm_gltf_bundle *bundles;
    size_t num_bundles, bundles_capacity;
    lm_gltf_segment *segments; /* track by track */
    size_t num_segments, segments_capacity;

    uint32_t *in_bundle; /* [num_frames] scratch: the last bundle with the pose, + 1 */
    uint32_t *counted;   /* [num_frames] scratch: count_serial when the pose was last counted */
    uint32_t count_serial;
} lm_gltf_plan;

/* Conversion of positions to integers: position = offset + step * integer. The step is the same on
 * all axes, because a non-uniform scale would bend the normals. */
typedef struct lm_gltf_grid {
    float step;
    lm_vec3 offset;
} lm_gltf_grid;

/* The properties of a material besides its texture. */
typedef struct lm_gltf_appearance {
    bool hidden, both_sides, clamp;
    lm_alpha alpha;
    float cutoff; /* of LM_ALPHA_MASK; 0: 0.5 */
    bool moved;   /* texture coordinates have this transform */
    float scale[2], offset[2];
    uint32_t num_dropped; /* shader features that glTF cannot express */
} lm_gltf_appearance;

/* Times of keys that are in the file already. */
typedef struct lm_gltf_times {
    uint32_t first, count;
    float fps, last;
    const float *own; /* the clip's times */
    uint32_t accessor;
} lm_gltf_times;

/* The transform of a tag, in the terms of a node. */
typedef struct lm_gltf_transform {
    lm_vec3 translation;
    float rotation[4]; /* x, y, z, w */
    lm_vec3 scale;     /* negative if the axes are mirrored */
    bool sheared;      /* the axes are not perpendicular, which a node cannot express */
} lm_gltf_transform;

typedef enum lm_tag_use {
    LM_TAG_STILL,  /* constant in the exported frames */
    LM_TAG_MOVES,  /* translation and rotation are animated */
    LM_TAG_SCALES, /* and scale */
    LM_TAG_JOINT   /* the tag is its joint, whose node and animations it has */
} lm_tag_use;

/* One model of the scene. */
typedef struct lm_gltf lm_gltf;
typedef struct lm_gltf_body {
    lm_gltf *g;
    const lm_scene_part *part;
    int32_t holder;  /* the body to whose tag this one is attached; -1: the scene */
    uint32_t tag;    /* of the holder */
    bool has_frames; /* also store frames that no animation shows */
    lm_export job;
    lm_gltf_plan plan;
    lm_gltf_grid grid;
    bool quantized;        /* positions are integers */
    lm_gltf_track *tracks; /* [num_tracks] */
    uint32_t first_node, first_mesh;
    const char **frame_names; /* [num_frames] unique names for targets */
    uint32_t num_skins;       /* at least one, which may be a name only */
    uint32_t first_material;  /* the first that this body wrote */
    uint32_t *mesh_materials; /* [num_meshes][num_skins] */
    bool has_variants;        /* some skins look different */
    uint32_t
        *variants;    /* [num_skins] index in the file; LM_NO_INDEX: duplicate of an earlier skin */
    uint8_t *of_pose; /* [num_frames] scratch for lmi_gltf_find_targets */
    uint8_t *tag_uses;           /* [num_tags] lm_tag_use */
    const lm_skeleton *skeleton; /* NULL: morph targets */
    uint32_t skin;               /* its index in the file; only with a skeleton */
    uint32_t *tag_joints;   /* [num_tags] the joint that each tag follows; only with a skeleton */
    uint32_t *tag_nodes;    /* [num_tags] counted from the first of the tags' own nodes */
    uint32_t num_tag_nodes; /* of tags that are no joints */
    const char **joint_names, **tag_names; /* unique names of nodes */
} lm_gltf_body;

/* An array of the document, written separately until all arrays are joined. */
typedef struct lm_gltf_list {
    lm_buffer text;
    lm_json json;
    uint32_t count;
} lm_gltf_list;
#define LM_NUM_LISTS 13

struct lm_gltf {
    const lm_scene *scene;
    const lm_gltf_options *options;
    lm_heap heap;
    lm_arena arena;
    lm_gltf_body *bodies; /* [scene->num_parts] */

    uint32_t num_tracks;      /* each body has one track per animation */
    uint32_t num_hidden;      /* tracks whose clip is hidden */
    const char **track_names; /* [num_tracks] */
    /* [num_tracks] for a single model, by the numbers of its tracks; NULL: not written */
    const char **written_names;

    lm_buffer *direct; /* the buffer for LM_STREAM_12 */
    size_t direct_start;
    lm_buffer streams[LM_NUM_STREAMS];
    uint64_t room;       /* bytes of binary data left */
    lm_gltf_view *views; /* [LM_NUM_STREAMS + scene->num_textures] */
    uint32_t num_views;
    uint32_t stream_views[LM_NUM_STREAMS]; /* indices + 1; 0: unused */
    lm_gltf_packed packed[LM_NUM_STREAMS];
    size_t fallback_size; /* bytes of all streams before compression */
    unsigned index_size;  /* of compressed triangles: 2 or 4 bytes */

    union {
        lm_gltf_list lists[LM_NUM_LISTS];
        struct {
            /* In the order of the document. */
            lm_gltf_list scenes, nodes, meshes, skins, materials, textures, images,
                texture_samplers, variants, animations, accessors;
            lm_gltf_list samplers, channels; /* of the current animation */
        };
    };
    uint32_t num_skins; /* of skeletons */
    uint32_t num_targets, num_sheared, num_dropped, num_leftovers;
    bool uses_transform; /* KHR_texture_transform */
    bool uses_specular;  /* KHR_materials_specular */

    lm_names node_names, material_names, clip_names, variant_names;
    lm_names variant_keys; /* skins of the models; their numbers are variants + 1 */
    /* Indices in the file + 1; 0: unused. An image that one material repeats and another clamps
     * becomes two textures, with a sampler each. */
    uint32_t *file_images;        /* [scene->num_textures] */
    uint32_t (*file_textures)[2]; /* [scene->num_textures] repeated, clamped */
    uint32_t samplers_of[2];
    lm_scene_material *written_materials; /* [materials.count] */
    size_t materials_capacity;
    lm_gltf_times times[16];
    size_t num_times;
};

/* A mesh being written: its accessors, and scratch for the base and one more pose. */
typedef struct lm_gltf_mesh {
    lm_gltf_body *body;
    uint32_t index, surface_index;
    const lm_surface *surface;
    const lm_welded *weld;
    const uint32_t *poses;                                        /* [num_frames] from the plan */
    uint32_t count;                                               /* welded vertices */
    lm_vec3 *base_positions, *base_normals, *positions, *normals; /* quantised: integers */
    /* [num_frames] position accessor of a pose + 1; that of its normals follows. 0: none yet. */
    uint32_t *target_accessors;
    const lm_gltf_steps *steps;  /* of a compressed file, else NULL */
    int32_t *difference;         /* [6][count] scratch for steps */
    uint32_t *target_references; /* [num_frames] the pose from which such a target differs */
    uint32_t position, normal, st, indices, material;
    uint32_t joints; /* with a skeleton; its weights follow, then more of both */
    uint32_t correctives[LM_MAX_SKELETON_CORRECTIVES]; /* accessors; likewise */
} lm_gltf_mesh;

/* gltf.c */
/* Checks that all textures of a scene are image files. */
bool lmi_gltf_check_images(const lm_scene *scene, lm_error *error);
/* Begins a file in `out`, whose `scene` and `options` are set; with `bin_uri`, its data in `bin`.
 * lmi_gltf_finish_files writes the document with all lists and data. lmi_gltf_clear frees the
 * memory. */
bool lmi_gltf_start(lm_gltf *g, lm_buffer *out, lm_buffer *bin);
bool lmi_gltf_finish_files(lm_gltf *g, lm_buffer *out);
void lmi_gltf_clear(lm_gltf *g);

/* Returns the bytes of a mesh's index: 65535 itself is the primitive restart index. */
static inline unsigned lmi_gltf_index_size(uint32_t num_vertices) {
    return num_vertices > UINT16_MAX ? 4 : 2;
}

/* gltf_tracks.c */
/* Lists the animations and gives each body its tracks. */
bool lmi_gltf_make_tracks(lm_gltf *g);
/* Return the time of a key in seconds, and its pose in exported frames. */
float lmi_gltf_key_time(const lm_gltf_track *track, uint32_t key);
lm_pose lmi_gltf_key_pose(const lm_gltf_track *track, uint32_t key);

/* gltf_plan.c */
/* The morph targets of a mesh in a bundle. */
typedef struct lm_gltf_targets {
    uint32_t count, frames[LM_MAX_TARGETS]; /* a frame with each */
    const uint8_t *of_pose;                 /* [num_frames] target + 1; 0: the base, or none */
    const uint8_t *references;              /* [count] as in the plan; NULL: all 0 */
} lm_gltf_targets;
bool lmi_gltf_make_plan(lm_gltf_body *body);
/* Counts the triangles with three different vertices. */
uint32_t lmi_gltf_count_triangles(const lm_welded *weld, const uint32_t *triangles,
                                  uint32_t num_triangles);
/* Finds the targets of a mesh in a bundle. `of_pose` [num_frames] is memory for the result. */
lm_gltf_targets lmi_gltf_find_targets(const lm_gltf_plan *plan, uint32_t bundle, uint32_t mesh,
                                      uint8_t *of_pose);

static inline uint32_t lmi_least(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

static inline const uint32_t *lmi_gltf_poses(const lm_gltf_plan *plan, uint32_t mesh) {
    return plan->poses + (size_t)mesh * plan->num_frames;
}

/* Targets that are added in a pose of a compressed file. */
#define LM_MAX_LEVELS 3

static inline uint8_t *lmi_gltf_references(const lm_gltf_plan *plan, uint32_t bundle,
                                           uint32_t group) {
    return plan->references + ((size_t)bundle * plan->num_meshes + group) * LM_MAX_TARGETS;
}

/* Finds the mesh's vertices for a triangle's corners. Returns false if two are the same. */
static inline bool lmi_gltf_corners(const lm_welded *weld, const uint32_t *corners, uint32_t *out) {
    for (unsigned k = 0; k < 3; k++)
        out[k] = weld->drawn[corners[k]];
    return out[0] != out[1] && out[1] != out[2] && out[2] != out[0];
}

/* gltf_data.c */
/* Returns a unique name in UTF-8 (converted from Latin-1 if it is not UTF-8), or NULL if memory ran
 * out. */
const char *lmi_gltf_name(lm_names *names, const char *wanted);
/* Begins an object with a unique name in a list. Returns NULL if memory ran out. */
lm_json *lmi_gltf_open(lm_gltf_list *list, lm_names *names, const char *wanted);
/* The same with a name that is unique already. */
lm_json *lmi_gltf_open_named(lm_gltf_list *list, const char *name);
/* Ends the call because the file would become too large. Returns false. */
bool lmi_gltf_too_large(lm_gltf *g);
/* Reserves `size` bytes in a stream, and sets their `offset`. The pointer is valid until the stream
 * grows. Returns NULL on failure. */
uint8_t *lmi_gltf_reserve(lm_gltf *g, lm_gltf_stream stream, uint64_t size, size_t *offset);
/* Reserves the elements of an accessor, `size` bytes each, in its stream. */
uint8_t *lmi_gltf_reserve_elements(lm_gltf *g, lm_accessor *accessor, size_t size);
/* Reserves the elements of a sparse accessor that are not 0, and their indices. */
bool lmi_gltf_reserve_sparse(lm_gltf *g, lm_accessor *accessor, unsigned index_size, size_t size,
                             uint8_t **indices, uint8_t **elements);
uint32_t lmi_gltf_add_accessor(lm_gltf *g, const lm_accessor *accessor);
/* Returns true if the call has not ended. */
static inline bool lmi_gltf_continues(const lm_gltf *g) {
    return g->heap.call.status == LM_DONE;
}
/* Adds a view of `size` bytes of a stream, and returns its index. */
uint32_t lmi_gltf_add_view(lm_gltf *g, lm_gltf_stream stream, size_t offset, size_t size);
/* Appends the other streams to the direct one, and writes the buffers and their views. `size`
 * becomes that of all binary data. */
bool lmi_gltf_write_buffers(lm_gltf *g, lm_json *json, size_t *size);
/* Return the component type of unsigned integers of 1, 2 or 4 bytes, and write one. */
static inline int lmi_gltf_unsigned(unsigned size) {
    return size == 1   ? LM_GLTF_UNSIGNED_BYTE
           : size == 2 ? LM_GLTF_UNSIGNED_SHORT
                       : LM_GLTF_UNSIGNED_INT;
}
static inline void lmi_gltf_put_unsigned(uint8_t *out, uint32_t value, unsigned size) {
    for (unsigned i = 0; i < size; i++)
        out[i] = (uint8_t)(value >> 8 * i);
}
/* Begin an empty list; write a list, if it has elements. */
void lmi_gltf_start_list(lm_gltf_list *list);
void lmi_gltf_write_list(lm_json *json, const char *key, lm_gltf_list *list);
/* Writes an array of names, if there are any. */
void lmi_gltf_write_names(lm_json *json, const char *key, const char *const *names, uint32_t count);
void lmi_gltf_write_floats(lm_json *json, const char *key, const float *values, unsigned count);
/* Writes a value that is JSON with ' for ": "{'index':%u}". The arguments are numbers and constant
 * words. */
void lmi_gltf_print(lm_json *json, const char *key, const char *format, ...) LM_PRINTF(3, 4);

/* Kinds of vector accessors. */
enum {
    LM_VECTORS_NORMALS = 1,  /* without bounds; as integers, in units of 1/127 */
    LM_VECTORS_TARGET = 2,   /* differences */
    LM_VECTORS_INTEGERS = 4, /* integers of at most 16 bits, or 8 for normals */
};
/* Adds vectors as an accessor. Fails if their bounds are infinite. */
uint32_t lmi_gltf_add_vectors(lm_gltf *g, const lm_vec3 *vectors, uint32_t count, unsigned kind);

/* gltf_mesh.c */
bool lmi_gltf_write_meshes(lm_gltf_body *body);
/* Adds the indices of those triangles whose vertices differ after welding, `num_drawn` of them, as
 * integers of `size` bytes. */
uint32_t lmi_gltf_add_triangles(lm_gltf *g, const lm_welded *weld, const uint32_t *triangles,
                                uint32_t num_triangles, uint32_t num_drawn, unsigned size);
/* Adds texture coordinates; `small`: all are in 0 .. 1, and get 16 bits. */
uint32_t lmi_gltf_add_st(lm_gltf *g, const lm_vec2 *st, uint32_t count, bool small);

/* gltf_compress.c */
/* Orders the vertices of a mesh and their steps. */
bool lmi_gltf_order(lm_gltf_body *body, uint32_t mesh);
/* Chooses the references of all bundles. */
bool lmi_gltf_find_references(lm_gltf_body *body);

/* gltf_materials.c */
/* Finds a material's index in the file. Writes it with its textures, unless an equal one is there
 * from index `first` on. */
bool lmi_gltf_use_material(lm_gltf *g, uint32_t first, const lm_scene_material *material,
                           uint32_t *number);
/* Numbers the skins of a body as variants of the file. */
bool lmi_gltf_find_variants(lm_gltf_body *body);
/* Writes the materials of all skins of a mesh. `current` becomes that of the current skin. */
bool lmi_gltf_find_materials(lm_gltf_body *body, uint32_t mesh, uint32_t *current);
/* Writes the extension of a primitive that maps variants to materials. */
void lmi_gltf_write_mappings(const lm_gltf_body *body, uint32_t mesh);
/* Writes a file name as a URI. */
bool lmi_gltf_write_uri(lm_gltf *g, lm_json *json, const char *name);

/* gltf_steps.c */
/* Samples all poses of all meshes. */
bool lmi_gltf_make_steps(lm_gltf_body *body);
static inline int16_t *lmi_gltf_row(const lm_gltf_steps *steps, uint32_t row) {
    return steps->rows + (size_t)row * 6 * steps->count;
}
/* Add positions or normals as an accessor. `planes` [3][count] has all x, then all y, then all z.
 * Positions are integers of 16 bits; differences of them are signed. Normals become floats: steps
 * of 2^exponent. */
uint32_t lmi_gltf_add_positions(lm_gltf *g, const int32_t *planes, uint32_t count,
                                bool differences);
uint32_t lmi_gltf_add_normals(lm_gltf *g, const int32_t *planes, uint32_t count, int exponent);
#define LM_NORMAL_STEPS 127 /* per unit of a normal's component */
/* Sets body->grid and body->quantized, for a file that is quantised or compressed. */
void lmi_gltf_choose_grid(lm_gltf_body *body);
/* Rounds positions and normals to integer steps. */
void lmi_gltf_quantize(const lm_gltf_grid *grid, lm_vec3 *positions, lm_vec3 *normals,
                       uint32_t count);

/* gltf_nodes.c */
/* Numbers the nodes and meshes of all bodies. */
void lmi_gltf_number_nodes(lm_gltf *g);
/* Names joints, then tags, before surfaces take their names. */
bool lmi_gltf_name_nodes(lm_gltf *g);
bool lmi_gltf_write_nodes(lm_gltf_body *body);
/* Writes the scene: the nodes without a parent, and the data for importing the file again. */
bool lmi_gltf_write_root(lm_gltf *g);
/* Adds a node to an array, which the first one opens; adds the nodes of the bodies that are
 * attached to a tag of `holder`, or to the scene (-1); writes an array of consecutive nodes. */
void lmi_gltf_list_node(lm_json *json, const char *key, bool *any, uint32_t node);
void lmi_gltf_list_held(const lm_gltf *g, lm_json *json, const char *key, bool *any, int32_t holder,
                        uint32_t tag);
void lmi_gltf_write_range(lm_json *json, const char *key, uint32_t first, uint32_t count);
/* Writes what the node of a tag has besides its transform. */
void lmi_gltf_write_tag_extras(const lm_gltf_body *body, lm_json *json, uint32_t tag);
/* Finds the transform of a tag in a pose of its model; relative to its joint, if it follows one. */
bool lmi_gltf_transform_tag(const lm_gltf_body *body, uint32_t tag, lm_pose pose,
                            lm_gltf_transform *out);
/* Fills body->tag_uses, counts sheared tags, and numbers the tags' nodes. */
bool lmi_gltf_inspect_tags(lm_gltf_body *body);
/* Returns true if the scene is a weapon: a hand, which has only tags, with the models at them. */
bool lmi_gltf_is_weapon(const lm_gltf *g);
/* Returns true if the file has the data to be imported again: it is one model or a weapon, exported
 * with its frames. */
bool lmi_gltf_round_trips(const lm_gltf *g);

/* gltf_joints.c */
/* Gives a body its skeleton of the options, if it fits. */
bool lmi_gltf_take_skeleton(lm_gltf_body *body);
/* Finds the joint that each tag follows or is. */
bool lmi_gltf_hang_tags(lm_gltf_body *body);
/* Makes a tag's transform relative to its joint. */
void lmi_gltf_hang_tag(const lm_gltf_body *body, uint32_t tag, lm_pose pose, lm_gltf_transform *t);
/* Samples the rest pose into the base of a mesh, and adds joints and weights. */
void lmi_gltf_sample_rest(const lm_gltf_mesh *mesh);
void lmi_gltf_add_influences(lm_gltf_mesh *mesh);
void lmi_gltf_write_influences(lm_json *json, const lm_gltf_mesh *mesh);
/* Write the skin, the nodes of the joints, and their channels in an animation. `keys` is memory for
 * all keys of the track. */
bool lmi_gltf_write_skin(lm_gltf_body *body);
bool lmi_gltf_write_joints(lm_gltf_body *body);
bool lmi_gltf_animate_joints(const lm_gltf_body *body, const lm_gltf_track *track,
                             lm_gltf_transform *keys);
static inline uint32_t lmi_gltf_num_correctives(const lm_gltf_body *body) {
    return body->skeleton ? body->skeleton->num_correctives : 0;
}
/* Adds the accessors of the corrective shapes of a mesh. */
void lmi_gltf_add_correctives(lm_gltf_mesh *mesh);
/* Write their weights in the rest pose, and the channel of these in an animation. */
void lmi_gltf_write_corrective_weights(lm_json *json, const lm_gltf_body *body);
bool lmi_gltf_animate_correctives(const lm_gltf_body *body, const lm_gltf_track *track);

/* gltf_animate.c */
/* Returns an accessor of keys, as floats. */
static inline lm_accessor lmi_gltf_keys(uint64_t count, const char *type) {
    return (lm_accessor){.stream = LM_STREAM_KEYS,
                         .component = LM_GLTF_FLOAT,
                         .count = (uint32_t)count,
                         .type = type};
}
uint32_t lmi_gltf_add_sampler(lm_gltf *g, uint32_t input, uint32_t output, bool step);
void lmi_gltf_add_channel(lm_gltf *g, uint32_t sampler, uint32_t node, const char *path);
/* Returns the pose of a key in the frames of the model. */
lm_pose lmi_gltf_model_pose(const lm_gltf_body *body, const lm_gltf_track *track, uint32_t key);
/* Animates a path of a node by its transforms at all keys of a track. */
typedef enum lm_gltf_path {
    LM_PATH_TRANSLATION,
    LM_PATH_ROTATION,
    LM_PATH_SCALE
} lm_gltf_path;
enum {
    LM_KEYS_SMALL = 1, /* in 16 bits */
    LM_KEYS_MERGED = 2 /* equal keys become one */
};
void lmi_gltf_add_path(lm_gltf *g, const lm_gltf_track *track, const lm_gltf_transform *keys,
                       uint32_t node, lm_gltf_path path, unsigned flags);
/* Adds times, shared by tracks of equal length and rate. */
uint32_t lmi_gltf_add_times(lm_gltf *g, const lm_gltf_track *track, uint32_t first, uint32_t count);
bool lmi_gltf_write_animations(lm_gltf *g);

/* Return the indices of a body's nodes. In this order: meshes (bundle by bundle), the groups of
 * bundles if there are several, tags that are no joints, joints. */
static inline uint32_t lmi_gltf_mesh_node(const lm_gltf_body *body, uint32_t bundle,
                                          uint32_t mesh) {
    return body->first_node + bundle * body->plan.num_meshes + mesh;
}

static inline uint32_t lmi_gltf_bundle_node(const lm_gltf_body *body, uint32_t bundle) {
    return lmi_gltf_mesh_node(body, (uint32_t)body->plan.num_bundles, 0) + bundle;
}

static inline uint32_t lmi_gltf_first_tag_node(const lm_gltf_body *body) {
    uint32_t groups = body->plan.num_bundles > 1 ? (uint32_t)body->plan.num_bundles : 0;
    return lmi_gltf_bundle_node(body, 0) + groups;
}

static inline uint32_t lmi_gltf_tag_node(const lm_gltf_body *body, uint32_t tag) {
    return lmi_gltf_first_tag_node(body) + body->tag_nodes[tag];
}

static inline uint32_t lmi_gltf_joint_node(const lm_gltf_body *body, uint32_t joint) {
    return lmi_gltf_first_tag_node(body) + body->num_tag_nodes + joint;
}

#endif
