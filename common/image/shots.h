/* Series of images: an animation, or a turntable of a scene. */
#ifndef IMAGE_SHOTS_H
#define IMAGE_SHOTS_H

#include "image/studio.h"

/* A list of shots. Start from {0} with the first three set. Free it in any case. */
typedef struct shot_list {
    double rate;        /* images per second; 0: the clip's rate, which is then filled in */
    uint32_t turntable; /* images per full turn around the scene; 0: no turntable */
    uint64_t triangles; /* in each image; limits the number of images */
    studio_shot *shots;
    uint32_t num_shots;
} shot_list;

/* Returns the number of a scene's triangles. */
uint64_t shots_triangles(const lm_scene *scene);
/* Makes one shot, or a turntable, of one moment. Fails with `error` filled. */
bool shots_still(shot_list *list, const studio_shot *moment, lm_error *error);
/* Makes one shot per frame, or at the given rate; a turntable decides the number of shots. `name`:
 * the clip that all parts play; NULL: the first part alone plays `clip`. */
bool shots_played(shot_list *list, const lm_clip *clip, const char *name, lm_error *error);
void shots_free(shot_list *list);

#endif
