/* A checked glTF file: every index is in range, and every accessor's bytes exist. */
#ifndef IMPORT_GLTF_H
#define IMPORT_GLTF_H

#include "json.h"

#define IM_NONE UINT32_MAX

/* An array of the file, with its elements by index. */
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
    uint32_t stride; /* 0: not given */
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
    const uint8_t *data; /* NULL: all zeros */
    uint32_t stride;
    uint32_t count, width; /* elements, and numbers per element: 1 .. 4, 16 */
    lm_im_component component;
    bool normalized;
    uint32_t num_sparse;
    lm_im_component sparse_component;
    const uint8_t *sparse_indices, *sparse_values;
} lm_im_accessor;

/* The numbers of an accessor, once they have been read. */
typedef struct lm_im_numbers {
    const float *floats; /* NULL: not read yet */
    bool increase;       /* known to increase */
    uint32_t used;       /* 1 + the last animation that a channel with these times is part of */
} lm_im_numbers;

typedef struct lm_im_node {
    const char *name; /* "" if it has none */
    uint32_t parent;  /* IM_NONE: a root */
    uint32_t mesh, skin;
    bool has_matrix;
    bool shown; /* is part of the shown scene */
    float matrix[16];
    float translation[3], rotation[4], scale[3];
    uint32_t num_weights; /* of the node itself */
    const float *weights;
    const char *tag;   /* extras.tag, or NULL */
    lm_body_part body; /* of the node, or of the nearest one above it */
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
    const float *times;  /* strictly increasing */
    const float *values; /* [num_keys * width]; cubic: [num_keys * 3 * width] */
    bool shares_times;   /* with an earlier channel of the animation */
} lm_im_channel;

typedef struct lm_im_animation {
    const char *name;
    uint32_t num_channels;
    const lm_im_channel *channels;
} lm_im_animation;

typedef struct lm_im_gltf {
    lm_im_json json;
    lm_im_bytes bin; /* binary chunk of a .glb; NULL: none */
    uint32_t num_buffers, num_views, num_accessors;
    const lm_im_bytes *buffers;
    const lm_im_view *views;
    const lm_im_accessor *accessors;
    lm_im_numbers *numbers; /* [num_accessors] */
    lm_im_list meshes, materials, textures, images;
    uint32_t num_variants;           /* material variants; 0 if images are not read */
    const uint32_t *material_images; /* [materials.count] of their base colours, or IM_NONE */
    const uint32_t *num_targets;     /* [meshes.count] morph targets of the first primitive */
    uint32_t num_nodes, num_skins, num_animations;
    lm_im_node *nodes;
    const uint32_t *order; /* [num_nodes] parents before children */
    const lm_im_skin *skins;
    const lm_im_animation *animations;
    bool packed;     /* some buffers exist only as compressed views */
    bool own_export; /* written by lm_gltf_write, with unchanged animations */
} lm_im_gltf;

/* Each function reads one part of the file. Call them in this order. */
bool lm_im_read_container(importing *im, const void *bytes, size_t size, lm_im_gltf *gltf);
bool lm_im_read_buffers(importing *im, lm_im_gltf *gltf);
bool lm_im_read_accessors(importing *im, lm_im_gltf *gltf);
bool lm_im_read_nodes(importing *im, lm_im_gltf *gltf);
bool lm_im_read_skins(importing *im, lm_im_gltf *gltf);
bool lm_im_read_animations(importing *im, lm_im_gltf *gltf);

/* Returns the bytes of a data: URI, or of the file that the URI names. */
bool lm_im_read_uri(importing *im, const char *location, const char *uri, lm_im_bytes *out);

/* Reads a member that is one of the file's arrays. */
bool lm_im_list_of(importing *im, const lm_im_json *json, lm_im_ref object, const char *name,
                   lm_im_list *list);
/* Reads a member that is a whole number below `limit`; gives `otherwise` if the member is missing.
 * `location` is the object's location. */
bool lm_im_index_of(importing *im, const lm_im_json *json, lm_im_ref object, const char *location,
                    const char *name, uint64_t limit, uint32_t otherwise, uint32_t *out);
/* Reads a member that is an array of `count` numbers. If the member is missing, `out` is
 * unchanged. */
bool lm_im_floats_of(importing *im, const lm_im_json *json, lm_im_ref object, const char *location,
                     const char *name, uint32_t count, float *out);

/* Reads all numbers of an accessor. Returns NULL and fills the error if memory runs out or a number
 * is not finite. */
float *lm_im_read_floats(importing *im, lm_arena *arena, const lm_im_gltf *gltf, uint32_t accessor);
/* The same, but reads each accessor only once, into the import's memory. */
const float *lm_im_shared_floats(importing *im, const lm_im_gltf *gltf, uint32_t accessor);
uint32_t *lm_im_read_integers(importing *im, const lm_im_gltf *gltf, uint32_t accessor);

#endif
