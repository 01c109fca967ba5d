/* A composition while it is made: its memory, and what its owner may change. */
#ifndef LM_COMPOSE_COMPOSING_H
#define LM_COMPOSE_COMPOSING_H

#include "core/arena.h"
#include "core/report.h"
#include "lerpmesh/compose.h"

#include <string.h>

typedef struct lm_composing {
    lm_composition made;
    lm_heap heap; /* with the call: functions that can fail return false and have ended it */
    lm_arena arena;
    const lm_compose_options *options; /* of the call that makes it */
    lm_take *take;                     /* that the mesh is, if the composition owns it */
    lm_take_surface *surfaces;         /* the mesh's, if they are of the arena */
    const lm_scene_material *shown; /* [mesh.num_surfaces] of several parts; NULL: as skins say */
    lm_scene_texture *images;
    lm_diagnostics notes;
    size_t image_capacity;
} lm_composing;

/* Takes over the mesh that an inner call made, frees the one before. NULL: it has failed. */
bool lm_composing_adopt(lm_composing *c, lm_take *take);
/* Scales the mesh as the options say. */
bool lm_composing_scale(lm_composing *c);
/* The surfaces as an array that may be changed; NULL if there is no memory. */
lm_take_surface *lm_composing_surfaces(lm_composing *c);
void *lm_composing_alloc(lm_composing *c, uint64_t count, size_t element); /* cleared */
/* Ends the call with an error. Returns false. */
bool lm_composing_fail(lm_composing *c, lm_code code, const char *sentence, ...) LM_PRINTF(3, 4);
void lm_composing_note(lm_composing *c, lm_severity severity, const char *sentence, ...)
    LM_PRINTF(3, 4);
bool lm_composing_add_image(lm_composing *c, const char *name, const lm_scene_texture *pixels);

/* The clips of a part. */
static inline const lm_clip *lm_compose_clips(const lm_scene_part *part, uint32_t *count) {
    *count = part->clips ? part->num_clips : part->model->num_clips;
    return part->clips ? part->clips : part->model->clips;
}

/* Several parts as one mesh. */
bool lm_compose_merge(lm_composing *c, const lm_scene *scene);

/* What lm_compose_images was asked for. */
typedef struct lm_image_plan {
    lm_composing *c;
    const lm_format_info *format;
    char folder[72]; /* of images in the game, with its '/', or "" */
    bool folder_given;
    char called[60]; /* the mesh's name as games have names */
    bool filed;      /* the images have files */
    const lm_scene_texture *atlas;
} lm_image_plan;

static inline bool lm_has_ability(const lm_image_plan *plan, lm_ability ability) {
    return (plan->format->abilities & ability) != 0;
}

/* Images in the model's own file become files. */
bool lm_compose_files(lm_image_plan *plan);
/* Several textures become one. */
bool lm_compose_atlas(lm_image_plan *plan);
/* Textures become embedded skins. */
bool lm_compose_embed(lm_image_plan *plan);

#define LM_COMPOSE_MOST_PATH 63u /* bytes that formats have for a path */

/* Returns the name of a file in its path, which begins after a separator, and how many bytes it has
 * without its extension. */
const char *lm_compose_stem(const char *path, const char *separators, size_t *length);
/* Copies a name in small letters. Bytes other than letters, digits and those that are allowed
 * become '_'; `wide`: those beyond ASCII stay. */
void lm_compose_clean(const char *name, size_t length, const char *allowed, bool wide, char *out,
                      size_t room);

/* Chooses the folder of the images in the game: the given one; from models/ or players/ on, where
 * the path has one; models/CALLED/, for a long name models/. "" if none fits. */
void lm_compose_folder(lm_image_plan *plan, const char *path, const char *given);

/* Colours of indexed skins: the nearest of `num_colors` (red, green, blue each) to each pixel;
 * alpha is not looked at. */
void lm_pixels_to_indices(const uint8_t *pixels, size_t count, const uint8_t *rgb,
                          uint32_t num_colors, uint8_t *indices);
/* An image of another size, 4 bytes a pixel: each pixel is the mean of the pixels that it covers.
 */
void lm_pixels_resize(const uint8_t *pixels, uint32_t width, uint32_t height, uint8_t *out,
                      uint32_t new_width, uint32_t new_height);

#endif
