/* Writing glTF, the inside. One lm_gltf a file:
 *
 *     gltf_plan.c    which poses are the same, which targets and parts that makes
 *     gltf_data.c    the binary streams, accessors, buffer views
 *     gltf_mesh.c    surfaces: base pose, morph targets, indices, materials
 *     gltf_quantize.c  the same in 8 and 16 bits
 *     gltf_animate.c clips: weights, tags, parts that show and hide
 *     gltf.c         the document around it all
 *
 * Functions that can fail return false and have filled `error`, or have failed a buffer or the
 * heap, which gltf.c looks at in the end. */
#ifndef LM_EXPORT_GLTF_H
#define LM_EXPORT_GLTF_H

#include "export/export_common.h"
#include "export/names.h"
#include "lerpmesh/json.h"

/* One renderer stops at 256 targets a mesh; with the base that makes 256 poses. */
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

/* Data of one stride lies together, and is one buffer view of the whole file. */
typedef enum lm_gltf_stream {
    LM_STREAM_12, /* float vectors; goes straight to its place in the output */
    LM_STREAM_8,
    LM_STREAM_4,
    LM_STREAM_INDICES,
    LM_STREAM_KEYS,   /* animations */
    LM_STREAM_SPARSE, /* indices and values of sparse accessors */
    LM_NUM_STREAMS
} lm_gltf_stream;

typedef struct lm_accessor {
    lm_gltf_stream stream;
    size_t offset; /* in its stream */
    int component;
    bool normalized;
    uint32_t count;
    const char *type;
    unsigned num_bounds; /* of min and max */
    float min[4], max[4];
    /* Sparse: all zero but for num_sparse elements; `stream` and `offset` are not used. */
    bool sparse;
    uint32_t num_sparse;
    int sparse_component;
    size_t sparse_indices, sparse_values; /* in LM_STREAM_SPARSE */
} lm_accessor;

/* Poses and parts. Frames are counted from the first exported one. */
typedef struct lm_gltf_part {
    size_t first; /* of part_frames */
    uint32_t count;
} lm_gltf_part;

/* Keys of a clip that one part shows. */
typedef struct lm_gltf_segment {
    uint32_t part;
    uint32_t first_key, num_keys; /* the last key is the next segment's first */
} lm_gltf_segment;

typedef struct lm_gltf_plan {
    uint32_t num_frames;
    uint32_t num_meshes;   /* surfaces that have a triangle to draw */
    uint32_t *surfaces;    /* [num_meshes] */
    uint32_t *poses;       /* [num_meshes][num_frames] the first frame with the same pose */
    uint32_t *groups;      /* [num_meshes] the first mesh whose poses are the same frames */
    uint32_t *model_poses; /* [num_frames] the first frame where all meshes have the same pose */
    uint32_t shared_frames;

    uint32_t num_clips;
    lm_clip *clips;   /* cut to the exported frames */
    size_t *segments; /* [num_clips + 1] where the segments of each clip start */

    lm_gltf_part *parts;
    size_t num_parts, parts_capacity;
    uint32_t *part_frames; /* distinct frames other than the base, ascending in a part */
    size_t num_part_frames, part_frames_capacity;
    lm_gltf_segment *all_segments;
    size_t num_segments, segments_capacity;

    uint32_t *in_part; /* [num_frames] scratch: the part + 1 that had the pose last */
    uint32_t *counted; /* [num_frames] scratch */
    uint32_t count_serial;
} lm_gltf_plan;

/* How positions become integers: position = offset + step * integer, the same step on all axes
 * because a scale that differs would bend the normals. */
typedef struct lm_gltf_grid {
    float step;
    lm_vec3 offset;
    int32_t max; /* the largest integer; the smallest is 0 */
} lm_gltf_grid;

/* Times of keys that were written already. */
typedef struct lm_gltf_times {
    uint32_t first, count;
    float fps;
    uint32_t accessor;
} lm_gltf_times;

typedef struct lm_gltf {
    const lm_gltf_options *options;
    lm_export job;
    lm_heap heap;
    lm_error *error;
    lm_gltf_plan plan;
    lm_gltf_grid grid;
    bool quantized; /* options ask for it and there is something to quantise */

    lm_buffer *direct; /* LM_STREAM_12 */
    size_t direct_start;
    lm_buffer streams[LM_NUM_STREAMS];
    uint64_t room; /* bytes of binary data that may still be written */
    bool out_of_room;
    uint32_t views[LM_NUM_STREAMS]; /* buffer view of a stream, LM_NO_INDEX: not used yet */
    uint32_t num_views;

    /* Parts of the document, as arrays */
    lm_buffer accessor_text, mesh_text, node_text, material_text, animation_text, sampler_text,
        channel_text;
    lm_json accessors, meshes, nodes, materials, animations;
    uint32_t num_accessors, num_nodes, num_materials, num_animations, num_targets;

    const char **frame_names; /* [num_frames] for targets, each once */
    lm_names frame_name_set, node_names, material_names, clip_names;
    uint32_t *mesh_targets;   /* [num_parts][num_meshes] how many targets each has */
    uint32_t *mesh_materials; /* [num_meshes] */
    uint8_t *slots;           /* [num_frames] scratch */
    lm_gltf_times times[16];
    size_t num_times;
    bool *tags_move; /* [num_tags] whether the exported frames move it */
} lm_gltf;

/* A mesh on its way into the file: its accessors, and scratch for one pose beside the base. */
typedef struct lm_gltf_ints {
    int32_t x, y, z;
} lm_gltf_ints;

typedef struct lm_gltf_mesh {
    uint32_t index, surface_index;
    const lm_surface *surface;
    uint32_t count; /* of vertices */
    lm_vec3 *base_positions, *base_normals, *positions, *normals;
    lm_gltf_ints *base_steps, *base_normal_steps, *steps; /* only if quantised */
    uint32_t *target_accessors; /* [num_frames] position accessor of a pose, its normals' next */
    uint32_t position, normal, st, indices, material;
} lm_gltf_mesh;

/* gltf_plan.c */
bool lm_gltf_make_plan(lm_gltf *g);
void lm_gltf_free_plan(lm_gltf *g);
/* How many keys a clip has and which frame key k shows. */
uint32_t lm_gltf_num_keys(const lm_clip *clip);
uint32_t lm_gltf_key_frame(const lm_clip *clip, uint32_t key);
/* For each exported frame of `mesh` that is in `part`: slots[pose] = its target + 1, or 0 for the
 * base. Returns the number of targets; `frames` [LM_MAX_TARGETS] gets each target's frame. */
uint32_t lm_gltf_slots(const lm_gltf_plan *plan, uint32_t part, uint32_t mesh, uint8_t *slots,
                       uint32_t *frames);

/* gltf_data.c */
/* Room for `size` bytes; NULL if there is none. `offset` (may be NULL) is where they are in the
 * stream. */
uint8_t *lm_gltf_reserve(lm_gltf *g, lm_gltf_stream stream, uint64_t size, size_t *offset);
uint32_t lm_gltf_add_accessor(lm_gltf *g, const lm_accessor *accessor);
/* Three floats a vertex, with bounds if `bounds`. Fails if one of those is infinite. */
bool lm_gltf_add_vectors(lm_gltf *g, const lm_vec3 *vectors, uint32_t count, bool bounds,
                         uint32_t *accessor);
/* Puts the other streams behind the direct one and writes the buffer views; `size` is that of all
 * binary data. */
bool lm_gltf_finish_data(lm_gltf *g, lm_json *views, size_t *size);

/* gltf_mesh.c */
bool lm_gltf_write_meshes(lm_gltf *g);

/* gltf_quantize.c */
/* Sets g->grid and g->quantized. */
void lm_gltf_choose_grid(lm_gltf *g);
bool lm_gltf_quantize_base(lm_gltf *g, lm_gltf_mesh *mesh);
bool lm_gltf_quantize_target(lm_gltf *g, lm_gltf_mesh *mesh, uint32_t *position, uint32_t *normal);
/* Whether the coordinates lie in 0 .. 1. */
bool lm_gltf_can_quantize_st(const lm_surface *surface);
bool lm_gltf_quantize_st(lm_gltf *g, const lm_surface *surface, uint32_t *accessor);

/* gltf_animate.c */
bool lm_gltf_find_moving_tags(lm_gltf *g);
bool lm_gltf_write_animations(lm_gltf *g);
/* Translation and rotation (x, y, z, w) of a tag in a frame, and whether its axes mirror what is
 * attached, which a rotation cannot: up is then down. */
bool lm_gltf_tag(lm_gltf *g, uint32_t tag, uint32_t frame, lm_vec3 *translation, float rotation[4],
                 bool *mirrored);

/* Where the nodes are: meshes (part by part), then groups of parts if there are several, tags. */
static inline uint32_t lm_gltf_mesh_node(const lm_gltf *g, uint32_t part, uint32_t mesh) {
    return part * g->plan.num_meshes + mesh;
}

static inline uint32_t lm_gltf_part_node(const lm_gltf *g, uint32_t part) {
    return (uint32_t)g->plan.num_parts * g->plan.num_meshes + part;
}

static inline uint32_t lm_gltf_tag_node(const lm_gltf *g, uint32_t tag) {
    uint32_t groups = g->plan.num_parts > 1 ? (uint32_t)g->plan.num_parts : 0;
    return (uint32_t)g->plan.num_parts * g->plan.num_meshes + groups + tag;
}

#endif
