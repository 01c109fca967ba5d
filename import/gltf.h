/* A glTF file, checked: every index is in range, and every accessor's bytes are there. */
#ifndef IMPORT_GLTF_H
#define IMPORT_GLTF_H

#include "json.h"

#define IM_NONE UINT32_MAX

/* One of the file's arrays: its elements by their numbers. */
typedef struct lm_im_list {
    uint32_t count;
    const lm_im_ref *refs;
} lm_im_list;

typedef struct lm_im_bytes {
    const uint8_t *data;
    uint64_t size;
} lm_im_bytes;

typedef struct lm_im_view {
    const uint8_t *data;
    uint64_t size;
    uint32_t stride; /* 0: none is said */
} lm_im_view;

typedef enum lm_im_component {
    IM_BYTE = 5120,
    IM_UNSIGNED_BYTE,
    IM_SHORT,
    IM_UNSIGNED_SHORT,
    IM_UNSIGNED_INT = 5125,
    IM_FLOAT
} lm_im_component;

typedef struct lm_im_accessor {
    const uint8_t *data; /* NULL: all are 0 */
    uint32_t stride;
    uint32_t count, width; /* elements, and numbers in each: 1 .. 4, 16 */
    lm_im_component component;
    bool normalized;
    uint32_t num_sparse;
    lm_im_component sparse_component;
    const uint8_t *sparse_indices, *sparse_values;
} lm_im_accessor;

typedef struct lm_im_node {
    const char *name; /* "" */
    uint32_t parent;  /* IM_NONE */
    uint32_t mesh, skin;
    bool has_matrix;
    bool shown; /* stands in the scene */
    float matrix[16];
    float translation[3], rotation[4], scale[3];
    uint32_t num_weights; /* its own */
    const float *weights;
    const char *tag; /* extras.tag; NULL */
} lm_im_node;

typedef struct lm_im_skin {
    uint32_t num_joints;
    const uint32_t *joints;
    const float *inverse; /* [num_joints * 16] */
} lm_im_skin;

typedef enum lm_im_path {
    IM_TRANSLATION,
    IM_ROTATION,
    IM_SCALE,
    IM_WEIGHTS
} lm_im_path;

typedef enum lm_im_interpolation {
    IM_LINEAR,
    IM_STEP,
    IM_CUBIC
} lm_im_interpolation;

typedef struct lm_im_channel {
    uint32_t node;
    lm_im_path path;
    lm_im_interpolation interpolation;
    uint32_t num_keys, width;
    const float *times;  /* they grow */
    const float *values; /* [num_keys * width], of cubic ones three times as many */
} lm_im_channel;

typedef struct lm_im_animation {
    const char *name;
    uint32_t num_channels;
    const lm_im_channel *channels;
} lm_im_animation;

typedef struct lm_im_gltf {
    lm_im_json json;
    lm_im_bytes bin; /* of a .glb; NULL: it has none */
    uint32_t num_buffers, num_views, num_accessors;
    const lm_im_bytes *buffers;
    const lm_im_view *views;
    const lm_im_accessor *accessors;
    lm_im_list meshes, materials, textures, images;
    uint32_t num_variants;       /* in which materials change; 0: no pictures are read */
    const uint32_t *num_targets; /* of each mesh: those of its first primitive */
    uint32_t num_nodes, num_skins, num_animations;
    lm_im_node *nodes;
    const uint32_t *order; /* [num_nodes] parents before their children */
    const lm_im_skin *skins;
    const lm_im_animation *animations;
    bool packed; /* some buffers are there only in compressed views */
    bool ours;   /* written by lm_gltf_write, and the animations are still those */
} lm_im_gltf;

/* Each reads one part of the file, in this order. */
bool lm_im_read_container(importing *im, const void *bytes, size_t size, lm_im_gltf *gltf);
bool lm_im_read_buffers(importing *im, lm_im_gltf *gltf);
bool lm_im_read_accessors(importing *im, lm_im_gltf *gltf);
bool lm_im_read_nodes(importing *im, lm_im_gltf *gltf);
bool lm_im_read_skins(importing *im, lm_im_gltf *gltf);
bool lm_im_read_animations(importing *im, lm_im_gltf *gltf);

/* The bytes that a URI has in itself, or that the file has which it names. */
bool lm_im_read_uri(importing *im, const char *place, const char *uri, lm_im_bytes *out);

/* A member that is one of the file's arrays. */
bool lm_im_list_of(importing *im, const lm_im_json *json, lm_im_ref object, const char *name,
                   lm_im_list *list);
/* A member that is a number below `limit`; `otherwise` if it is not there. `place` is that of the
 * object. */
bool lm_im_index_of(importing *im, const lm_im_json *json, lm_im_ref object, const char *place,
                    const char *name, uint64_t limit, uint32_t otherwise, uint32_t *out);
/* A member that is an array of `count` numbers, which are left as they are if it is not there. */
bool lm_im_floats_of(importing *im, const lm_im_json *json, lm_im_ref object, const char *place,
                     const char *name, uint32_t count, float *out);

/* All numbers of an accessor; NULL, and why, if there is no memory or one is not finite. */
float *lm_im_read_floats(importing *im, lm_arena *arena, const lm_im_gltf *gltf, uint32_t accessor);
uint32_t *lm_im_read_whole(importing *im, const lm_im_gltf *gltf, uint32_t accessor);

#endif
