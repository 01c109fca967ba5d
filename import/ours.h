/* What lm_gltf_write says of the model in the scene's extras, so that it comes back as it was. */
#ifndef IMPORT_OURS_H
#define IMPORT_OURS_H

#include "gltf.h"

/* When a frame is seen. */
typedef struct lm_im_moment {
    const lm_im_animation *animation; /* NULL: at rest */
    double time;
} lm_im_moment;

typedef struct lm_im_ours {
    uint32_t num_frames; /* 0: the file does not say, or its animations are others */
    const char **frame_names;
    const lm_im_moment *moments; /* [num_frames] */
    uint32_t num_clips;
    const lm_clip *clips;
    const char *model; /* its name; "" */
    int32_t flags, synctype;
    double eye[3]; /* in the file's space */
    uint32_t num_skins, skin_width, skin_height;
    const char **skins;
} lm_im_ours;

/* Fails only for want of memory. */
bool lm_im_read_ours(importing *im, const lm_im_gltf *gltf, lm_im_ours *ours);
/* A number that is a header's 32 bits; 0 if it is none. */
uint32_t lm_im_bits(const lm_im_json *json, lm_im_ref value);
/* The member of an object that is one; 0 if there is none. */
int32_t lm_im_flags_of(const lm_im_json *json, lm_im_ref object, const char *name);
/* The texts of an array; those that are none are "". NULL if there is no memory. */
const char **lm_im_strings_of(importing *im, const lm_im_json *json, lm_im_ref array,
                              uint32_t *count);

#endif
