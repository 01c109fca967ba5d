/* lerpmesh/clips.h - clips: where they come from, and playing them.
 *
 *     #include <lerpmesh/clips.h>
 *
 *     // The pose of a model's `run` after so many seconds; false if it has none.
 *     bool run_pose(const lm_model *model, double seconds, lm_pose *pose) {
 *         const lm_clip *run = lm_find_clip(model, "run");
 *         if (run)
 *             lm_clip_pose(run, seconds, LM_PLAY_AS_CLIP, false, pose);
 *         return run != NULL;
 *     }
 *
 * A loaded model already has clips: from the standard table of 20 player animations where that
 * fits, else from its frame names. This header is for clip files that lie beside a model, and for
 * the time within a clip.
 */
#ifndef LERPMESH_CLIPS_H
#define LERPMESH_CLIPS_H

#include "lerpmesh/model.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LM_DEFAULT_FPS 10.0f /* Quake II plays 10 frames a second */

/* A list of clips that owns its names. */
typedef struct lm_clips {
    uint32_t num_clips;
    const lm_clip *clips;
    uint32_t num_warnings; /* lines that were not understood, clips cut to the model's frames */
    const lm_diagnostic *warnings;
} lm_clips;

/* Clips from frame names. A clip is a run of neighbours whose names agree but for the number at
 * their end: stand01 .. stand40 is `stand`, run1 .. run6 `run`. Where names end in three digits
 * and the first of them counts clips (pain101 .. pain104, pain201 .. pain204), that digit belongs
 * to the clip: `pain1`, `pain2`. Names without a number make a clip of their own; a clip name that
 * comes again is told apart by "_2", "_3". Every frame is in exactly one clip, in order.
 *
 * They loop if they are called like something that goes on (stand, idle, walk, run, swim, fly and
 * so on: docs/clips.md), or are all that the model has; the others play once and stay on their last
 * frame.
 *
 * Clips from the standard table: if there are 198 frames (20 clips), or 173 or 174 (weapons: the
 * table without the death clips, a last clip `g_view` for what is left), and most names at the
 * table's starts begin as the table's clips do. Of these stand, run, crstnd and crwalk loop. */

/* Which clips file this is, by its contents. */
typedef enum lm_clips_format {
    LM_CLIPS_AUTO,
    LM_CLIPS_ANIMATION_CFG, /* Quake III: "first count looping fps  // NAME" a line */
    LM_CLIPS_FRAMEGROUPS    /* Xonotic: "first count fps loop  // name" a line */
} lm_clips_format;

/* Which part of a Quake III player a model is: its legs (lower.md3) and its torso (upper.md3) share
 * one animation.cfg. */
typedef enum lm_player_part {
    LM_FULL_BODY, /* all clips, but for those of the other part where the number of frames shows
                     which one the model is */
    LM_LEGS,      /* without the TORSO_ clips */
    LM_TORSO      /* without the LEGS_ clips */
} lm_player_part;

typedef struct lm_clips_options {
    lm_memory memory;
    lm_clips_format format;     /* LM_CLIPS_AUTO: by `file_name`'s end, else by the columns */
    lm_player_part player_part; /* a file with clips of the other part alone is used as it is */
    const char *file_name;      /* for format and messages; may be NULL */
    uint64_t reserved[4];       /* zeros: room for later options */
} lm_clips_options;

/* Reads a clips file for a model of `num_frames` frames. Clips that reach beyond the frames are cut
 * or dropped with a warning. In Quake III's player form (the names BOTH_, TORSO_ and LEGS_) the
 * offset of the LEGS_ clips is taken off, as the engine does. NULL if nothing is left or the
 * text is none of the formats (LM_CODE_UNKNOWN_FORMAT). Safe on any bytes. */
LM_API lm_clips *lm_clips_read(const void *text, size_t size, uint32_t num_frames,
                               const lm_clips_options *options, lm_error *error);
/* The standard table's clips for any model, cut and dropped where it has fewer frames than 198.
 * NULL if memory fails. */
LM_API lm_clips *lm_clips_quake2(uint32_t num_frames, const lm_memory *memory, lm_error *error);
LM_API void lm_clips_free(lm_clips *clips);

/* Appends clips as an animation.cfg: "first count looping fps // NAME" a line. The text is read
 * back for a model of `num_frames` frames: if the clips came back differently, fails with
 * LM_CODE_NOT_HELD. In lerpmesh-write. */
LM_WRITE_API bool lm_clips_write(const lm_clip *clips, uint32_t num_clips, uint32_t num_frames,
                                 lm_buffer *out, lm_error *error);

/* How a clip is played. Other values count as LM_PLAY_AS_CLIP. */
typedef enum lm_play_mode {
    LM_PLAY_AS_CLIP,  /* as loop_frames says */
    LM_PLAY_LOOP,     /* the last frame mixes into the first; a turn takes count / fps seconds */
    LM_PLAY_ONCE,     /* stops on the last frame after (count - 1) / fps seconds */
    LM_PLAY_PING_PONG /* there and back; a turn takes 2 * (count - 1) / fps seconds */
} lm_play_mode;

/* The pose `seconds` after the clip began (before it, for negative values: a loop goes on
 * backwards, the others stay on their first frame). `backwards` turns the clip's own direction.
 * No state: call it with any time in any order. Takes constant time, or logarithmic where the clip
 * has times of its own. Times that are not finite count as 0. Frames are the model's. */
LM_API void lm_clip_pose(const lm_clip *clip, double seconds, lm_play_mode mode, bool backwards,
                         lm_pose *out);

/* Returns the clip of that name, by the rule of lm_find_tag; NULL if the model has none. */
LM_API const lm_clip *lm_find_clip(const lm_model *model, const char *name);

/* The clip that a model is first seen in, at rest: the first that is called `stand` or `idle`, else
 * the first whose name begins so, else the first that has it anywhere (`LEGS_IDLE`), letters in
 * either case; else the first of all. NULL if there are none. */
LM_API const lm_clip *lm_rest_clip(const lm_clip *clips, uint32_t num_clips);

/* Changing from one clip to another. The engines keep the frame that was shown and go from it to
 * the new clip's first in the time of one frame:
 *
 *     lm_pose change = {shown.t < 0.5f ? shown.frame_a : shown.frame_b, clip->first, t};
 *
 * with t = seconds * clip->fps while that is below 1, and the clip itself from then on, that much
 * later. To fade over more slowly, while both clips go on, mix their poses: lm_sample_mix and
 * lm_tag_mix, of a scene lm_scene_place_mix. */

/* Seconds until the clip is at its end (once) or starts again (loop, ping-pong). */
LM_API double lm_clip_duration(const lm_clip *clip, lm_play_mode mode);

/* How long after its beginning a clip, played as it is, has played `frames` frames: 2.5 is midway
 * between its third frame and its fourth. Beyond the last it goes on with those that it repeats,
 * or for as long as its last frame lasts. And the other way round. Neither is for negative
 * values. */
LM_API double lm_clip_seconds(const lm_clip *clip, double frames);
LM_API double lm_clip_frames(const lm_clip *clip, double seconds);

#ifdef __cplusplus
}
#endif
#endif
