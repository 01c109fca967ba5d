/* Players of Quake III: which clips and frames each of their models has. */
#ifndef LM_COMPOSE_PLAYER_H
#define LM_COMPOSE_PLAYER_H

#include "compose/composing.h"

#define LM_PLAYER_ROWS 31     /* of an animation.cfg: 25, and six of the expansion */
#define LM_PLAYER_OLD_ROWS 25 /* those that every player has */

/* The frames of one model, as frames of the mesh. */
typedef struct lm_player_frames {
    uint32_t *frames;
    uint32_t count;
} lm_player_frames;

/* The rows of animation.cfg, and the frames that they play. */
typedef struct lm_player_plan {
    uint32_t num_rows;
    lm_clip *rows; /* [num_rows] */
    lm_player_frames lower, upper;
    uint32_t rest; /* the mesh's frame for the head, which does not move */
    uint32_t idle; /* the mesh's frame in which the legs stand */
} lm_player_plan;

/* Chooses a clip of the mesh for each row, and reports rows without one. Fails with LM_CODE_LIMIT
 * beyond LM_MAX_COMPOSED_FRAMES frames. */
bool lm_player_plan_clips(lm_composing *c, lm_player_plan *plan);

/* Renames surfaces that the game could not tell apart. */
bool lm_player_rename(lm_composing *c);
/* Splits the mesh into the models of the player. */
bool lm_player_split(lm_composing *c);
/* Gives grey images to surfaces that have none, and adds the icon of a whole player. */
bool lm_player_images(lm_image_plan *plan);

#endif
