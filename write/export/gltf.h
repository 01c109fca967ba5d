/* Writing glTF, the inside. One lm_gltf a file:
 *
 *     gltf_tracks.c  the animations, and what each model of the scene shows in them
 *     gltf_plan.c    which poses are the same, which targets and bundles that makes
 *     export_weld.c  which vertices are the same in all of them
 *     gltf_data.c    the binary streams, accessors, buffer views
 *     gltf_mesh.c    surfaces: base pose, morph targets, indices
 *     gltf_vectors.c their positions and normals: floats, or integers of 8 and 16 bits
 *     gltf_quantize.c  the grid of these integers
 *     gltf_materials.c  materials, textures, variants
 *     gltf_shader.c  what of a shader script a material can say
 *     gltf_tag.c     a tag as translation, rotation, scale
 *     gltf_nodes.c   the tree of nodes
 *     gltf_animate.c clips: weights, tags, bundles that show and hide
 *     gltf_extras.c  what the model says and glTF does not, for reading it back
 *     gltf.c         the document around it all
 *
 * Functions that can fail return false and have ended the call (core/status.h) or failed a buffer,
 * which gltf.c looks at in the end. All temporary memory is the arena's. */
#ifndef LM_EXPORT_GLTF_H
#define LM_EXPORT_GLTF_H

#include "core/json.h"
#include "core/names.h"
#include "export/export_common.h"
#include "export/export_weld.h"

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
    LM_STREAM_IMAGES, /* a buffer view each */
    LM_NUM_STREAMS
} lm_gltf_stream;

typedef struct lm_gltf_view {
    lm_gltf_stream stream;
    size_t offset, size; /* of an image; others are the whole stream */
} lm_gltf_view;

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

/* What a model shows during an animation: a clip, perhaps over and over. */
typedef struct lm_gltf_track {
    lm_clip clip;      /* cut to the exported frames, and counted from the first of them */
    uint32_t num_keys; /* 0: it stands on its base */
    bool cut;          /* the last key is no frame's, but that of `end` */
    double end;        /* seconds */
    uint32_t last;     /* followers have no frames beyond this one */
    uint32_t number;   /* of the clip in its job; behind those, of frames that are in no clip */
    size_t first_segment, num_segments; /* of the plan */
} lm_gltf_track;

/* Poses and bundles. Frames are counted from the first exported one. */
typedef struct lm_gltf_bundle {
    uint32_t count, frames[LM_MAX_TARGETS]; /* distinct, other than the base, ascending */
} lm_gltf_bundle;

/* Keys of a track that one bundle shows. */
typedef struct lm_gltf_segment {
    uint32_t bundle;
    uint32_t first_key, num_keys; /* the last key is the next segment's first */
} lm_gltf_segment;

typedef struct lm_gltf_plan {
    uint32_t num_frames;
    uint32_t base;         /* the frame that all others differ from */
    uint32_t num_meshes;   /* surfaces that have a triangle to draw */
    uint32_t *surfaces;    /* [num_meshes] */
    uint32_t *triangles;   /* [num_meshes] how many use no vertex twice */
    lm_welded *welds;      /* [num_meshes] same positions, normals, st in all frames */
    uint32_t *poses;       /* [num_meshes][num_frames] the first frame with the same pose */
    uint32_t *groups;      /* [num_meshes] the first mesh whose poses are the same frames */
    uint32_t *model_poses; /* [num_frames] the first frame where all meshes have the same pose */
    uint32_t shared_frames;

    lm_gltf_bundle *bundles;
    size_t num_bundles, bundles_capacity;
    lm_gltf_segment *segments; /* of one track after the other */
    size_t num_segments, segments_capacity;

    uint32_t *in_bundle; /* [num_frames] scratch: the bundle + 1 that had the pose last */
    uint32_t *counted;   /* [num_frames] scratch: when it was counted last */
    uint32_t count_serial;
} lm_gltf_plan;

/* How positions become integers: position = offset + step * integer, the same step on all axes
 * because a scale that differs would bend the normals. */
typedef struct lm_gltf_grid {
    float step;
    lm_vec3 offset;
} lm_gltf_grid;

/* What a material says beyond its texture. */
typedef struct lm_gltf_look {
    bool hidden, both_sides, clamp;
    lm_alpha alpha;
    float cutoff; /* of LM_ALPHA_MASK; 0: one half */
    bool moved;   /* the texture coordinates, by what follows */
    float scale[2], offset[2];
    uint32_t num_dropped; /* things that glTF cannot say */
} lm_gltf_look;

/* Times of keys that were written already. */
typedef struct lm_gltf_times {
    uint32_t first, count;
    float fps, last;
    const float *own; /* the clip's times */
    uint32_t accessor;
} lm_gltf_times;

/* A tag's place as a node has it. */
typedef struct lm_gltf_place {
    lm_vec3 translation;
    float rotation[4]; /* x, y, z, w */
    lm_vec3 scale;     /* negative where the axes are mirrored */
    bool sheared;      /* the axes are not at right angles, which no node can say */
} lm_gltf_place;

typedef enum lm_tag_use {
    LM_TAG_STILL,  /* the exported frames do not move it */
    LM_TAG_MOVES,  /* translation and rotation */
    LM_TAG_SCALES, /* and scale */
} lm_tag_use;

/* One model of the scene. */
typedef struct lm_gltf lm_gltf;
typedef struct lm_gltf_body {
    lm_gltf *g;
    const lm_scene_part *part;
    int32_t holder;  /* the body whose tag carries it, -1: the scene does */
    uint32_t tag;    /* that tag */
    bool has_frames; /* frames that no animation shows are stored too */
    lm_export job;
    lm_gltf_plan plan;
    lm_gltf_grid grid;
    bool quantized;        /* options ask for it and there is something to quantise */
    lm_gltf_track *tracks; /* [num_tracks] */
    uint32_t first_node, first_mesh;
    const char **frame_names; /* [num_frames] for targets, each once */
    uint32_t num_skins;       /* at least one, if only in name */
    uint32_t *mesh_materials; /* [num_meshes][num_skins] */
    bool has_variants;        /* some skins differ */
    uint32_t *variants;       /* [num_skins] of the file; LM_NO_INDEX: listed before */
    uint8_t *of_pose;         /* [num_frames] memory for lm_gltf_find_targets */
    uint8_t *tag_uses;        /* [num_tags] lm_tag_use */
} lm_gltf_body;

/* An array of the document, written beside the others until all are joined. */
typedef struct lm_gltf_list {
    lm_buffer text;
    lm_json json;
    uint32_t count;
} lm_gltf_list;
#define LM_NUM_LISTS 12

struct lm_gltf {
    const lm_scene *scene;
    const lm_gltf_options *options;
    lm_heap heap;
    lm_arena arena;
    lm_gltf_body *bodies; /* [scene->num_parts] */

    uint32_t num_tracks;      /* a track of each body is an animation */
    const char **track_names; /* [num_tracks] */
    /* [num_tracks] of a single model, by the numbers of its tracks: NULL is left out */
    const char **written_names;

    lm_buffer *direct; /* LM_STREAM_12 */
    size_t direct_start;
    lm_buffer streams[LM_NUM_STREAMS];
    uint64_t room;       /* bytes of binary data that may still be written */
    lm_gltf_view *views; /* [LM_NUM_STREAMS + scene->num_textures] */
    uint32_t num_views;
    uint32_t stream_views[LM_NUM_STREAMS]; /* their numbers, from 1; 0: not used yet */

    union {
        lm_gltf_list lists[LM_NUM_LISTS];
        struct {
            lm_gltf_list scenes, accessors, meshes, nodes, materials, textures, texture_samplers,
                images, variants, animations;
            lm_gltf_list samplers, channels; /* of one animation */
        };
    };
    uint32_t num_targets, num_sheared, num_dropped;
    bool uses_transform; /* KHR_texture_transform */

    lm_names node_names, material_names, clip_names, variant_names;
    lm_names variant_keys; /* skins as models have them; their numbers are the variants', from 1 */
    /* Numbers in the file, from 1; 0: not used yet. A picture that repeats in one material and ends
     * in another is two textures, with a sampler each. */
    uint32_t *file_images;        /* [scene->num_textures] */
    uint32_t (*file_textures)[2]; /* the same: repeated, clamped */
    uint32_t samplers_of[2];
    lm_gltf_times times[16];
    size_t num_times;
};

/* A mesh on its way into the file: its accessors, and scratch for one pose beside the base. */
typedef struct lm_gltf_mesh {
    lm_gltf_body *body;
    uint32_t index, surface_index;
    const lm_surface *surface;
    const lm_welded *weld;
    const uint32_t *poses;                                        /* [num_frames] of the plan */
    uint32_t count;                                               /* of vertices, welded */
    lm_vec3 *base_positions, *base_normals, *positions, *normals; /* quantised: whole numbers */
    /* [num_frames] 1 + the position accessor of a pose, its normals' is next; 0: none yet */
    uint32_t *target_accessors;
    uint32_t position, normal, st, indices, material;
} lm_gltf_mesh;

/* gltf_tracks.c */
/* Lists the animations and gives each body its tracks. */
bool lm_gltf_make_tracks(lm_gltf *g);
/* When a key is, in seconds, and what it shows, in exported frames. */
float lm_gltf_key_time(const lm_gltf_track *track, uint32_t key);
lm_pose lm_gltf_key_pose(const lm_gltf_track *track, uint32_t key);

/* gltf_plan.c */
/* The poses of a mesh in a bundle that need a morph target. */
typedef struct lm_gltf_targets {
    uint32_t count, frames[LM_MAX_TARGETS]; /* a frame that shows each */
    const uint8_t *of_pose;                 /* [num_frames] target + 1; 0: the base, or none */
} lm_gltf_targets;
bool lm_gltf_make_plan(lm_gltf_body *body);
/* Returns the targets of a mesh in a bundle. `of_pose` [num_frames] is memory for the result. */
lm_gltf_targets lm_gltf_find_targets(const lm_gltf_plan *plan, uint32_t bundle, uint32_t mesh,
                                     uint8_t *of_pose);

static inline uint32_t lm_least(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

static inline const uint32_t *lm_gltf_poses(const lm_gltf_plan *plan, uint32_t mesh) {
    return plan->poses + (size_t)mesh * plan->num_frames;
}

/* The corners of a triangle as vertices of the mesh; false if it uses one twice. */
static inline bool lm_gltf_corners(const lm_welded *weld, const uint32_t *corners, uint32_t *out) {
    for (unsigned k = 0; k < 3; k++)
        out[k] = weld->drawn[corners[k]];
    return out[0] != out[1] && out[1] != out[2] && out[2] != out[0];
}

/* gltf_data.c */
/* Returns a name as UTF-8 (Latin-1 if it is not UTF-8 already), other than those returned before;
 * NULL if memory ran out. */
const char *lm_gltf_name(lm_names *names, const char *wanted);
/* Begins an object of a list with such a name; NULL if memory ran out. */
lm_json *lm_gltf_open(lm_gltf_list *list, lm_names *names, const char *wanted);
/* Ends the call because the file would become too large. Returns false. */
bool lm_gltf_too_large(lm_gltf *g);
/* Room for `size` bytes; NULL if there is none. `offset` is where they are in the stream, which
 * moves when it grows. */
uint8_t *lm_gltf_reserve(lm_gltf *g, lm_gltf_stream stream, uint64_t size, size_t *offset);
/* Room for the elements of an accessor, `size` bytes each, in its stream. */
uint8_t *lm_gltf_reserve_elements(lm_gltf *g, lm_accessor *accessor, size_t size);
/* Room for the elements of a sparse accessor that are not 0, and for their indices. */
bool lm_gltf_reserve_sparse(lm_gltf *g, lm_accessor *accessor, unsigned index_size, size_t size,
                            uint8_t **indices, uint8_t **elements);
uint32_t lm_gltf_add_accessor(lm_gltf *g, const lm_accessor *accessor);
/* A view of `size` bytes of a stream. */
uint32_t lm_gltf_add_view(lm_gltf *g, lm_gltf_stream stream, size_t offset, size_t size);
/* Puts the other streams behind the direct one and writes the buffer views; `size` is that of all
 * binary data. */
bool lm_gltf_finish_data(lm_gltf *g, lm_json *views, size_t *size);
/* The component type of unsigned integers of 1, 2 or 4 bytes, and one of them. */
static inline int lm_gltf_unsigned(unsigned size) {
    return size == 1   ? LM_GLTF_UNSIGNED_BYTE
           : size == 2 ? LM_GLTF_UNSIGNED_SHORT
                       : LM_GLTF_UNSIGNED_INT;
}
static inline void lm_gltf_put_unsigned(uint8_t *out, uint32_t value, unsigned size) {
    for (unsigned i = 0; i < size; i++)
        out[i] = (uint8_t)(value >> 8 * i);
}
/* An empty list; a list, if there is anything in it. */
void lm_gltf_start_list(lm_gltf_list *list);
void lm_gltf_write_list(lm_json *json, const char *key, lm_gltf_list *list);
/* Names, if there are any. */
void lm_gltf_write_names(lm_json *json, const char *key, const char *const *names, uint32_t count);
void lm_gltf_write_floats(lm_json *json, const char *key, const float *values, unsigned count);

/* gltf_vectors.c */
/* Vectors as an accessor. */
enum {
    LM_VECTORS_NORMALS = 1,  /* without bounds; as integers, of 1/127 */
    LM_VECTORS_TARGET = 2,   /* differences */
    LM_VECTORS_INTEGERS = 4, /* whole numbers that 16 bits hold, 8 bits those of normals */
};
/* Fails if the bounds are infinite. */
bool lm_gltf_add_vectors(lm_gltf *g, const lm_vec3 *vectors, uint32_t count, unsigned kind,
                         uint32_t *accessor);

/* gltf_mesh.c */
bool lm_gltf_write_meshes(lm_gltf_body *body);

/* gltf_shader.c */
lm_gltf_look lm_gltf_look_at(const lm_scene_material *material);

/* gltf_materials.c */
/* Numbers the skins of a body as variants of the file. */
bool lm_gltf_find_variants(lm_gltf_body *body);
/* Writes the materials of all skins of a mesh; `worn` is the one to be seen at first. */
bool lm_gltf_find_materials(lm_gltf_body *body, uint32_t mesh, uint32_t *worn);
/* The extension of a primitive that says which skin has which material. */
void lm_gltf_write_mappings(const lm_gltf_body *body, uint32_t mesh);
/* A file name as a URI. */
bool lm_gltf_write_uri(lm_gltf *g, lm_json *json, const char *name);

/* gltf_quantize.c */
#define LM_NORMAL_STEPS 127 /* of a normal's component that is 1 */
/* Sets body->grid and body->quantized. */
void lm_gltf_choose_grid(lm_gltf_body *body);
/* Rounds positions and normals to whole steps. */
void lm_gltf_quantize(const lm_gltf_grid *grid, lm_vec3 *positions, lm_vec3 *normals,
                      uint32_t count);

/* gltf_tag.c */
/* Where a tag of a body is in a pose of its model. */
bool lm_gltf_place_tag(const lm_gltf_body *body, uint32_t tag, lm_pose pose, lm_gltf_place *out);
static inline bool lm_gltf_is_scaled(const lm_gltf_place *place) {
    return place->scale.x != 1 || place->scale.y != 1 || place->scale.z != 1;
}
/* Fills body->tag_uses, counts what is sheared. */
bool lm_gltf_look_at_tags(lm_gltf_body *body);

/* gltf_nodes.c */
/* Numbers the nodes and meshes of all bodies. */
void lm_gltf_number_nodes(lm_gltf *g);
bool lm_gltf_write_nodes(lm_gltf_body *body);
/* The nodes that stand where a tag of a body is (holder -1: where the scene is). */
void lm_gltf_write_held(const lm_gltf *g, lm_json *json, const char *key, int32_t holder,
                        uint32_t tag);

/* gltf_extras.c */
/* Whether the file says what it takes to read it back: it is one model that moves. */
bool lm_gltf_comes_back(const lm_gltf *g);
/* The scene's extras. */
void lm_gltf_write_extras(const lm_gltf *g, lm_json *json);

/* gltf_animate.c */
bool lm_gltf_write_animations(lm_gltf *g);

/* Where the nodes of a body are: meshes (bundle by bundle), then groups of bundles if there are
 * several, then tags. */
static inline uint32_t lm_gltf_mesh_node(const lm_gltf_body *body, uint32_t bundle, uint32_t mesh) {
    return body->first_node + bundle * body->plan.num_meshes + mesh;
}

static inline uint32_t lm_gltf_bundle_node(const lm_gltf_body *body, uint32_t bundle) {
    return lm_gltf_mesh_node(body, (uint32_t)body->plan.num_bundles, 0) + bundle;
}

static inline uint32_t lm_gltf_tag_node(const lm_gltf_body *body, uint32_t tag) {
    uint32_t groups = body->plan.num_bundles > 1 ? (uint32_t)body->plan.num_bundles : 0;
    return lm_gltf_bundle_node(body, 0) + groups + tag;
}

static inline uint32_t lm_gltf_end_node(const lm_gltf_body *body) {
    return lm_gltf_tag_node(body, body->job.model->num_tags);
}

#endif
