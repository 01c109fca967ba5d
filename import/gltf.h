/* The state of an import, its JSON, and a checked glTF file: every index is in range, and every
 * accessor's bytes exist. */
#ifndef IMPORT_GLTF_H
#define IMPORT_GLTF_H

#include "core/arena.h"
#include "lerpmesh/import.h"

/* ---- The import ------------------------------------------------------------------------------ */

/* Kinds of data that the importer skips or repairs. */
typedef enum lm_im_issue {
    IM_POINTS,
    IM_NO_WEIGHTS,
    IM_CHANNEL,
    IM_EXTENSION,
    IM_TAG_MESH,
    IM_EMPTY_MESH,
    IM_SAME_NAMES,
    IM_CURVES,
    IM_IMAGE,
    IM_COLORS,
    IM_UNIT,
    IM_STILL,
    IM_EMPTY,
    IM_COPIES,
    IM_SAME_CLIPS,
    IM_ONE_OBJECT,
    IM_TARGETS,
    IM_SKELETON,
    IM_TRAILING,
    IM_RATE,
    IM_OUTSIDE,
    IM_NUM_ISSUES
} lm_im_issue;

typedef struct importing {
    const char *what; /* prefix of its messages: "gltf" */
    const lm_import_options *options;
    lm_arena *arena;  /* of the result */
    lm_arena scratch; /* of the same heap; freed once everything is read: what only reading needs */
    uint64_t input;   /* bytes of the file and of the files that it refers to */
    uint64_t sparse;  /* elements of all sparse accessors that were read */
    size_t multiple;  /* of them, which it may use in memory */
    lm_error *error;
    char location[48];
    lm_diagnostic diagnostics[IM_NUM_ISSUES];
    lm_import *import;  /* the result */
    const char *reason; /* the first why an image could not be read; NULL: none */
} importing;

/* Counts the bytes of a file that is read, on which the limits depend. */
void lmi_im_add_input(importing *im, uint64_t bytes);
/* Returns the size of the largest file to read: the given limit, or else `otherwise`. */
size_t lmi_im_max_file(const importing *im, size_t otherwise);
/* Formats a location in the JSON for lmi_im_fail: "accessors[3].count". */
const char *lmi_im_location(importing *im, const char *format, ...) LM_PRINTF(2, 3);
/* Fills the error: "WHAT: LOCATION: SENTENCE". `location` NULL: the whole file. Returns false. */
bool lmi_im_fail(importing *im, lm_code code, const char *location, const char *sentence, ...)
    LM_PRINTF(4, 5);
/* Counts a diagnostic. The first `sentence` of each kind is kept as its text. */
void lmi_im_note(importing *im, lm_im_issue issue, const char *sentence);
void lmi_im_note_colors(importing *im);

#define IM_NONE UINT32_MAX
#define IM_SLOWEST_FPS 0.001 /* a frame that lasts a quarter of an hour is no animation */

/* ---- JSON ------------------------------------------------------------------------------------ */

/* JSON as a flat array of values. jsmn parses it; our checks then reject the malformed JSON that
 * jsmn accepts. */
typedef enum lm_im_kind {
    IM_OBJECT,
    IM_ARRAY,
    IM_STRING,
    IM_OTHER /* number, true, false, null */
} lm_im_kind;

/* A value. The contents of an object or array follow it directly. In an object, names and values
 * alternate. */
typedef struct lm_im_value {
    lm_im_kind kind;
    uint32_t size;   /* of an object: its members; of an array: its elements */
    uint32_t length; /* of its text */
    uint32_t values; /* itself and its contents */
    union {
        const char *text;              /* a string's without quotes */
        const struct lm_im_json *json; /* of an object */
    };
} lm_im_value;

/* A value; NULL: it is missing. */
typedef const lm_im_value *lm_im_ref;

/* An array of the file, with its elements by index. */
typedef struct lm_im_list {
    uint32_t count;
    const lm_im_ref *refs;
} lm_im_list;

/* Reads a text; `root` is the whole, an object. */
bool lmi_im_json_read(importing *im, const char *text, size_t size, lm_im_ref *root);

/* Returns the member of that name; NULL if there is none, or if `object` is not an object. Takes a
 * bounded number of steps. */
lm_im_ref lmi_im_member(lm_im_ref object, const char *name);
/* Return the first element of an array, and the one after `element`; NULL after the last, or if
 * `array` is not an array. */
lm_im_ref lmi_im_first(lm_im_ref array);
lm_im_ref lmi_im_next(lm_im_ref array, lm_im_ref element);
uint32_t lmi_im_count(lm_im_ref array);

/* Reads a number. Returns false if it is not a number, or not finite. */
bool lmi_im_number(lm_im_ref value, double *out);
/* Reads a whole number from 0 to 2^53 - 1. */
bool lmi_im_integer(lm_im_ref value, uint64_t *out);
bool lmi_im_is_true(lm_im_ref value);
bool lmi_im_is_string(lm_im_ref value, const char *text);
/* Returns a copy of a string with its escapes decoded, NUL-terminated; "" if the value is not a
 * string, NULL if out of memory. Control characters become '_'. */
char *lmi_im_string(importing *im, lm_im_ref value);
int lmi_im_hex_digit(char c); /* -1: it is none */

/* Reads a member that is one of the file's arrays. */
bool lmi_im_list_of(importing *im, lm_im_ref object, const char *name, lm_im_list *list);
/* Reads a member that is a whole number below `limit`; gives `otherwise` if the member is missing.
 * `location` is the object's location. */
bool lmi_im_index_of(importing *im, lm_im_ref object, const char *location, const char *name,
                     uint64_t limit, uint32_t otherwise, uint32_t *out);
/* Reads a member that is an array of `count` numbers. If the member is missing, `out` is
 * unchanged. */
bool lmi_im_floats_of(importing *im, lm_im_ref object, const char *location, const char *name,
                      uint32_t count, float *out);

/* ---- The file -------------------------------------------------------------------------------- */

typedef struct lm_im_bytes {
    const uint8_t *data;
    uint64_t size;
} lm_im_bytes;

typedef struct lm_im_view {
    lm_im_bytes bytes;
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
    bool knows_sparse;   /* its sparse indices are known to be in range, */
    bool orders_sparse;  /* and to increase, as they should */
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
    const char *holds; /* extras.holds: the model at a tag, or NULL */
    lm_body_part body; /* of the node, or of the nearest one above it */
    const char *piece; /* the same: the model of a weapon; NULL: none */
    bool is_held;      /* `piece` is from extras.holds: names below do not count */
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
    lm_clip clip; /* of the extras, which fits the keys; without frames: none */
} lm_im_animation;

/* Returns the frame of the last key of a clip's animation: a loop, and a clip of one frame, end
 * with a key more. */
static inline uint32_t lmi_im_last_key(const lm_clip *clip) {
    return clip->count - 1 + (clip->loop_frames > 0 || clip->count == 1);
}

typedef struct lm_im_gltf {
    lm_im_ref root;
    lm_im_bytes bin; /* binary chunk of a .glb; NULL: none */
    uint32_t num_buffers, num_views, num_accessors;
    const lm_im_bytes *buffers;
    const lm_im_view *views;
    const lm_im_accessor *accessors;
    lm_im_numbers *numbers; /* [num_accessors] */
    lm_im_list meshes, materials, textures, images;
    uint32_t num_variants;           /* material variants; 0 if images are not read */
    const uint32_t *material_images; /* [materials.count] of their base colours, or IM_NONE */
    struct lm_im_sums *sums;         /* of the images */
    const uint32_t *num_targets;     /* [meshes.count] morph targets of the first primitive */
    uint32_t num_nodes, num_skins, num_animations;
    lm_im_node *nodes;
    const uint32_t *order; /* [num_nodes] parents before children */
    const lm_im_skin *skins;
    const lm_im_animation *animations;
    bool packed;     /* some buffers exist only as compressed views */
    bool own_export; /* written by lm_gltf_write, with unchanged animations */
} lm_im_gltf;

/* Reads an element of one of the file's arrays into zeroed memory. */
typedef bool lm_im_element_reader(importing *im, lm_im_gltf *gltf, uint32_t index, lm_im_ref ref,
                                  void *out);
/* Reads the array of that name at the root, whose elements have `size` bytes each. Returns NULL if
 * that fails. */
void *lmi_im_read_array(importing *im, lm_im_gltf *gltf, const char *name, size_t size,
                        lm_im_element_reader *read, uint32_t *count);
/* Each function reads one part of the file. Call them in this order. */
bool lmi_im_read_container(importing *im, const void *bytes, size_t size, lm_im_gltf *gltf);
bool lmi_im_read_buffers(importing *im, lm_im_gltf *gltf);
bool lmi_im_read_accessors(importing *im, lm_im_gltf *gltf);
bool lmi_im_read_nodes(importing *im, lm_im_gltf *gltf);
bool lmi_im_read_skins(importing *im, lm_im_gltf *gltf);
bool lmi_im_read_animations(importing *im, lm_im_gltf *gltf);

/* Returns the bytes of a data: URI, or of the file that the URI names. */
bool lmi_im_read_uri(importing *im, const char *location, const char *uri, lm_im_bytes *out);

/* Elements of an accessor to read. */
typedef struct lm_im_rows {
    const uint32_t *list; /* [count]; NULL: all integers */
    uint32_t count;
} lm_im_rows;

/* Read numbers of an accessor, in time that does not depend on the other elements. Return NULL and
 * fill the error if memory runs out or a number is not finite. */
float *lmi_im_read_floats(importing *im, lm_arena *arena, const lm_im_gltf *gltf, uint32_t accessor,
                          lm_im_rows rows);
uint32_t *lmi_im_read_integers(importing *im, lm_arena *arena, const lm_im_gltf *gltf,
                               uint32_t accessor, lm_im_rows rows);
/* Reads all numbers of an accessor, but only once, into the import's memory. */
const float *lmi_im_shared_floats(importing *im, const lm_im_gltf *gltf, uint32_t accessor);

/* ---- Images of parts, as encoded files ------------------------------------------------------- */

/* Returns an image's file name, else its name, else "". In the export of a weapon the name
 * precedes, because the file is called after the glTF. NULL if out of memory. */
const char *lmi_im_image_name(importing *im, const lm_im_gltf *gltf, uint32_t image);
/* Sets whether an image has the sum that the export of a weapon wrote, also if either is missing.
 * Returns false only if out of memory. */
bool lmi_im_has_sum(importing *im, const lm_im_gltf *gltf, uint32_t image, lm_im_ref sum,
                    bool *has);

/* Reads the images of the materials, and the number of variants. */
bool lmi_im_read_materials(importing *im, lm_im_gltf *gltf);
/* Returns the number of images per surface: one for each variant, or one if there are no
 * variants. */
uint32_t lmi_im_num_variants(const lm_im_gltf *gltf);
/* Reads a primitive's images: [lmi_im_num_variants()] indices, or IM_NONE. `images` stays NULL if
 * the options request no images, or the file has none. */
bool lmi_im_read_variants(importing *im, const lm_im_gltf *gltf, lm_im_ref primitive,
                          uint32_t material, const uint32_t **images);
/* Records the images of the mesh's surfaces. images[s]: those of surface s, or NULL. */
bool lmi_im_bind_images(importing *im, uint32_t num_variants, uint32_t num_surfaces,
                        const uint32_t *const *images);
/* Reads the images that surfaces use. */
bool lmi_im_read_images(importing *im, const lm_im_gltf *gltf);

/* Fills in an image's name and, if a surface uses it (`surface_images`), its bytes; no bytes if the
 * image is missing. Returns false only if out of memory. */
typedef bool lm_im_image_filler(importing *im, const void *user, uint32_t index,
                                bool surface_images, lm_import_image *out);
/* Records `count` images, and reports a diagnostic for each used image that is missing. */
bool lmi_im_fill_images(importing *im, uint32_t count, lm_im_image_filler *fill, const void *user);
/* Reads the bytes of a file that the model refers to, or of a data: URI; no bytes if it is missing.
 * Returns false only if out of memory. */
bool lmi_im_read_image(importing *im, const char *location, const char *uri, lm_import_image *out);

/* ---- Compressed buffer views ----------------------------------------------------------------- */

typedef enum lm_im_pack_mode {
    IM_ATTRIBUTES,
    IM_TRIANGLES,
    IM_INDICES
} lm_im_pack_mode;

typedef enum lm_im_filter {
    IM_NO_FILTER,
    IM_OCTAHEDRAL,
    IM_QUATERNION,
    IM_EXPONENTIAL
} lm_im_filter;

typedef struct lm_im_packed {
    lm_im_bytes bytes;
    uint32_t count, stride; /* elements, and decoded bytes per element */
    lm_im_pack_mode mode;
    lm_im_filter filter;
} lm_im_packed;

/* Returns true if meshoptimizer is available; loads it on first use. */
bool lmi_im_can_unpack(void);
/* Decodes a view. The caller has checked that the extension allows its count and stride. */
bool lmi_im_unpack(importing *im, const char *location, const lm_im_packed *packed,
                   lm_im_bytes *out);

/* ---- The description that lm_gltf_write stores ----------------------------------------------- */

/* The moment at which a frame is shown. */
typedef struct lm_im_moment {
    const lm_im_animation *animation; /* NULL: at rest */
    double time;                      /* [s] */
    double early; /* [s] keys so little after `time` are at it: both are rounded */
} lm_im_moment;

typedef struct lm_im_extras {
    uint32_t num_frames; /* 0: not in the file, or its animations have changed */
    const char **frame_names;
    const lm_im_moment *moments; /* [num_frames] */
    uint32_t num_clips;          /* a weapon's count also if its animations have changed */
    const lm_clip *clips;
    const bool *still; /* [num_clips] nothing moved, so that a clip got no animation */
    const lm_im_animation *const *animations; /* [num_clips] NULL: it has none */
    const char *model;                        /* its name, or "" */
    int32_t flags, synctype;
    double eye[3];   /* in the file's coordinates */
    double unit;     /* metres in a unit of the model */
    bool model_axes; /* the file has the model's axes instead of glTF's */
    bool is_weapon;  /* frames of the hand that no clip shows are not in the file */
    uint32_t num_skins, skin_width, skin_height;
    const char **skins;
    float grid[6];   /* of lm_mesh */
    lm_im_ref empty; /* list of surfaces without triangles */
} lm_im_extras;

/* Reads the extras. Fails only if out of memory. */
bool lmi_im_read_extras(importing *im, const lm_im_gltf *gltf, lm_im_extras *extras);
/* Returns a number as the 32 bits of a header; 0 if it is not one. */
uint32_t lmi_im_bits(lm_im_ref value);
/* Returns such a number from an object's member; 0 if there is none. */
int32_t lmi_im_flags_of(lm_im_ref object, const char *name);
/* Returns the strings of an array; other elements become "". NULL if out of memory. */
const char **lmi_im_strings_of(importing *im, lm_im_ref array, uint32_t *count);

#endif
