/* lerpmesh/playback.h - the clock of a program that plays clips: which pose is shown now.
 *
 *     #include <lerpmesh/playback.h>
 *
 *     // Begins to play a clip, as it is meant.
 *     void begin(lm_playback *playback, const lm_clip *clip) {
 *         const lm_playback fresh = {.playing = true};
 *         *playback = fresh;
 *         lm_playback_begin(playback, clip);
 *     }
 *
 *     // What it shows, so many seconds after it was last asked.
 *     void tick(lm_playback *playback, const lm_scene *scene, double elapsed, lm_pose *poses) {
 *         lm_playback_advance(playback, elapsed);
 *         lm_playback_scene(playback, scene, 0, playback->clip.name, poses);
 *     }
 *
 * Knows no window: time is told to it. A playback is the caller's, a plain struct; no call here
 * allocates, fails or keeps state elsewhere.
 */
#ifndef LERPMESH_PLAYBACK_H
#define LERPMESH_PLAYBACK_H

#include "lerpmesh/clips.h"
#include "lerpmesh/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lm_playback {
    lm_clip clip; /* that the timeline is of */
    lm_play_mode mode;
    bool playing;
    bool backwards; /* turns the clip's own direction */
    bool stepped;   /* shows whole frames; else mixes each frame with the next */
    double speed;   /* times the clip's own rate; 0: 1 */
    double seconds; /* since the clip began */
} lm_playback;

/* Plays a clip from its start; how it is played stays as it is. */
LM_API void lm_playback_begin(lm_playback *playback, const lm_clip *clip);

/* Starts or stops. What has come to its end starts again. */
LM_API void lm_playback_set_playing(lm_playback *playback, bool playing);

/* Lets so many seconds pass. Stops at the end of what is played once. Returns whether it moved. */
LM_API bool lm_playback_advance(lm_playback *playback, double elapsed);

/* The pose of `clip` now: of the playback's own, or of another part's of the same name. */
LM_API void lm_playback_pose(const lm_playback *playback, const lm_clip *clip, lm_pose *out);

/* The pose of each part of a scene now, into poses[num_parts]: of `part` the playback's clip, of
 * the others the clip that lm_scene_find_clip finds by `name`, in the same mode; else as
 * lm_scene_pose has it. `name` NULL: `part` alone plays. */
LM_API void lm_playback_scene(const lm_playback *playback, const lm_scene *scene, uint32_t part,
                              const char *name, lm_pose *poses);

/* Where on the timeline it is: 0 is the clip's first frame in the file's order, count - 1 its last;
 * between the last and the first of a loop up to one beyond either. */
LM_API double lm_playback_position(const lm_playback *playback);
/* Goes there; beyond the ends counts as the end, what is not a number as 0. */
LM_API void lm_playback_seek(lm_playback *playback, double position);
/* Stops, and goes to a neighbouring frame, around the ends. */
LM_API void lm_playback_step(lm_playback *playback, int frames);

/* Turns the direction and stays where it is. */
LM_API void lm_playback_set_backwards(lm_playback *playback, bool backwards);
LM_API void lm_playback_set_mode(lm_playback *playback, lm_play_mode mode);

#ifdef __cplusplus
}
#endif
#endif
