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

#endif
