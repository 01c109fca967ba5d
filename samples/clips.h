/* Tick's clips: what he does, frame by frame. */
#ifndef SAMPLES_CLIPS_H
#define SAMPLES_CLIPS_H

#include "tick.h"

struct clip {
    const char *name; /* of its frames, before their numbers */
    int first_number, count;
    struct pose (*at)(float phase); /* 0 is the first frame; a loop comes back to it at 1 */
    bool once;                      /* its last frame is at 1 */
};

/* A frame of a row of clips: its pose, and its name of at most 15 characters. False at the end. */
bool clip_frame(const struct clip *clips, int num_clips, int frame, struct pose *pose,
                char name[16]);

#endif
