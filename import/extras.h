/* The description of the model that lm_gltf_write stores in the scene's extras. With it, an import
 * restores the original model. */
#ifndef IMPORT_EXTRAS_H
#define IMPORT_EXTRAS_H

#include "gltf.h"

/* The moment at which a frame is shown. */
typedef struct lm_im_moment {
    const lm_im_animation *animation; /* NULL: at rest */
    double time;
} lm_im_moment;

typedef struct lm_im_extras {
    uint32_t num_frames; /* 0: not in the file, or its animations have changed */
    const char **frame_names;
    const lm_im_moment *moments; /* [num_frames] */
    uint32_t num_clips;
    const lm_clip *clips;
    const char *model; /* its name, or "" */
    int32_t flags, synctype;
    double eye[3]; /* in the file's coordinates */
    uint32_t num_skins, skin_width, skin_height;
    const char **skins;
} lm_im_extras;

/* Reads the extras. Fails only if out of memory. */
bool lm_im_read_extras(importing *im, const lm_im_gltf *gltf, lm_im_extras *extras);
/* Returns a number as the 32 bits of a header; 0 if it is not one. */
uint32_t lm_im_bits(const lm_im_json *json, lm_im_ref value);
/* Returns such a number from an object's member; 0 if there is none. */
int32_t lm_im_flags_of(const lm_im_json *json, lm_im_ref object, const char *name);
/* Returns the strings of an array; other elements become "". NULL if out of memory. */
const char **lm_im_strings_of(importing *im, const lm_im_json *json, lm_im_ref array,
                              uint32_t *count);

#endif
