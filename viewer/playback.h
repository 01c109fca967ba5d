/* The clock of the viewer: which pose a clip shows now. Knows no window; time is told to it. */
#ifndef VIEWER_PLAYBACK_H
#define VIEWER_PLAYBACK_H

#include "lerpmesh/clips.h"

typedef struct playback {
    lm_clip clip; /* that the timeline is of; its name is not looked at */
    lm_play_mode mode;
    bool playing;
    bool backwards;   /* turns the clip's own direction */
    bool interpolate; /* else each frame stands until the next */
    double speed;     /* 1: as the clip says */
    double seconds;   /* since the clip began */
} playback;

/* Plays a clip from its start; how it is played stays as it is. */
void playback_begin(playback *p, const lm_clip *clip);

/* Starts or stops. What has come to its end starts again. */
void playback_set_playing(playback *p, bool playing);

/* Lets time pass. Stops at the end of what is played once. Returns whether it moved. */
bool playback_advance(playback *p, double elapsed);

/* The pose of `clip` now: of the playback's own or of another part's of the same name. */
lm_pose playback_pose(const playback *p, const lm_clip *clip);

/* Where on the timeline it is: 0 is the clip's first frame in the file's order, count - 1 its last;
 * between the last and the first of a loop up to one beyond either. */
double playback_position(const playback *p);
/* Goes there; beyond the ends counts as the end. */
void playback_seek(playback *p, double position);
/* Stops, and goes to a neighbouring frame, around the ends. */
void playback_step(playback *p, int frames);

/* Turns the direction and stays where it is. */
void playback_set_backwards(playback *p, bool backwards);
void playback_set_mode(playback *p, lm_play_mode mode);

#endif
