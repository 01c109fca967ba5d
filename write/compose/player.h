/* Players: which clips and frames their models have. */
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

/* Returns the first clip whose name is one of these words, separated by spaces, without regard to
 * case and punctuation; an earlier word comes first. NULL: there is none. */
const lm_clip *lm_player_find_clip(const lm_mesh *mesh, const char *words);

/* Returns whether a clip lacks its last frame. An import leaves it out if it equals the first; a
 * clip that plays once needs it. */
static inline bool lm_player_lacks_end(const lm_composing *c, const lm_clip *clip) {
    return !c->made.from_scene && clip->count > 1 && clip->loop_frames == clip->count &&
           clip->source == LM_CLIP_FILE;
}

/* Returns how far to move the player up, and reports it. Scenes often have the floor at 0, the
 * games below a player's origin. `frame`: in which the player stands. `legs`: only the lower body
 * counts. */
float lm_player_lift(lm_composing *c, uint32_t frame, bool legs);

/* Gives the mesh the 198 frames of Quake II's table, and puts its feet on the game's floor. */
bool lm_player_fill_table(lm_composing *c);

/* Renames surfaces that the game could not tell apart. */
bool lm_player_rename(lm_composing *c);
/* Splits the mesh into the models of the player. */
bool lm_player_split(lm_composing *c);
/* Gives grey images to a Quake III player's surfaces that have none, and adds the icons of whole
 * players. */
bool lm_player_images(lm_image_plan *plan);

#endif
