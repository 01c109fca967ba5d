/* Series of pictures: moments of a scene, played or turned. */
#ifndef PICTURE_SHOTS_H
#define PICTURE_SHOTS_H

#include "picture/studio.h"

/* Start from {0} with these two set. Free in any case. */
typedef struct shot_list {
    double rate;        /* pictures a second; 0: the clip's, and then it is filled in */
    uint32_t turntable; /* pictures of one turn around the scene; 0: none */
    studio_shot *shots;
    uint32_t num_shots;
} shot_list;

/* One moment: alone, or from all sides. False, and why. */
bool shots_still(shot_list *list, const studio_shot *moment, lm_error *error);
/* A picture a frame, or at the rate; with a turntable, as many as that has. `name`: of the clip
 * that all parts play; NULL: the first part alone plays `clip`. */
bool shots_played(shot_list *list, const lm_clip *clip, const char *name, lm_error *error);
void shots_free(shot_list *list);

#endif
