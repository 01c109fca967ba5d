/* Tick's clips: his movements, frame by frame. */
#ifndef SAMPLES_CLIPS_H
#define SAMPLES_CLIPS_H

#include "tick.h"

struct clip {
    const char *name; /* of its frames, before their numbers */
    int first_number, count;
    struct pose (*at)(float phase); /* 0 is the first frame; a loop returns to it at 1 */
    bool once;                      /* not a loop: its last frame is at 1 */
};

/* Returns a frame in a sequence of clips: its pose, and its name of at most 15 characters. Returns
 * false at the end. */
bool clip_frame(const struct clip *clips, int num_clips, int frame, struct pose *pose,
                char name[16]);

/* ---- Movements (movements.c) --------------------------------------------------------------- */

/* Stands with his arms a little away from the body. */
struct pose at_ease(void);
/* Returns 0 outside from..to, and rises to 1 and falls again between them. */
float hump(float phase, float from, float to);
/* He breathes, looks around, and his key rotates by half a turn. */
struct pose stand(float phase);
struct pose run(float phase);
/* He crouches, flies with his arms up, and lands. */
struct pose jump(float phase);
/* He lifts his right arm, and waves twice. */
struct pose wave(float phase);

#endif
