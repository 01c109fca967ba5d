/* lerpmesh/clips.h - clips: their sources, clips files and playback.
 *
 *     #include <lerpmesh/clips.h>
 *
 *     // Computes the pose of the clip `run`. Returns false if the model has no such clip.
 *     bool run_pose(const lm_model *model, double seconds, lm_pose *pose) {
 *         const lm_clip *run = lm_model_find_clip(model, "run");
 *         if (run)
 *             lm_clip_pose(run, seconds, LM_PLAY_AS_CLIP, false, pose);
 *         return run != NULL;
 *     }
 *
 * A loaded model already has clips: those of Quake II's standard table of 20 player animations if
 * the table fits, otherwise clips derived from its frame names. This header reads the clips file
 * next to a model and computes the pose of a clip at a time.
 */
#ifndef LERPMESH_CLIPS_H
#define LERPMESH_CLIPS_H

#include "lerpmesh/model.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LM_DEFAULT_FPS 10.0f /* Quake II plays 10 fps */

/* A list of clips, which owns the clips and their names. */
typedef struct lm_clips {
    uint32_t num_clips;
    const lm_clip *clips;  /* [num_clips], as in the file or the table */
    uint32_t num_warnings; /* lines that were not understood, clips that were shortened */
    const lm_diagnostic *warnings;
} lm_clips;

/* Clips from frame names: a clip is a run of consecutive frames whose names differ only in the
 * number at the end. stand01 .. stand40 is `stand`, run1 .. run6 is `run`. If names end in three
 * digits and the first digit counts clips, that digit belongs to the clip's name: pain101 ..
 * pain104, pain201 .. pain204 are `pain1` and `pain2`. A frame name without a number makes a clip
 * of its own. If a clip name repeats, "_2", "_3" are appended. Every frame is in exactly one clip,
 * in order.
 *
 * A clip loops if its name contains a word for a continuous movement (stand, idle, walk, run, swim,
 * fly and so on: docs/reference/clips.md). The only clip of a model loops too, unless its name is a
 * word for an action that ends, such as `death`. Other clips play once and stay on their last
 * frame.
 *
 * Clips from the standard table: the table is used for models of 198 frames (20 clips), and for
 * weapons of 173 or 174 frames. Most frame names at the starts of the table's clips must begin like
 * the clips' names. For weapons, the death clips are left out, and a last frame beyond the table
 * becomes a clip `g_view`. The clips stand, run, crstnd and crwalk loop. */

/* The format of a clips file. */
typedef enum lm_clips_format {
    LM_CLIPS_AUTO,          /* by the extension of the file's name and by the columns */
    LM_CLIPS_ANIMATION_CFG, /* Quake III: lines "first count looping fps  // NAME" */
    LM_CLIPS_FRAMEGROUPS,   /* Xonotic: lines "first count fps loop  // name" */
    LM_CLIPS_ANM,           /* UFO: Alien Invasion: lines "name first last fps" */
    LM_CLIPS_WEAPON_CFG,    /* Return to Castle Wolfenstein: lines "first count fps looping" */
    LM_CLIPS_QUAKE2         /* no file: the standard table of 20 clips, for any model */
} lm_clips_format;

/* The part of a Quake III player that a model is. The legs (lower.md3) and the torso (upper.md3)
 * share one animation.cfg. */
typedef enum lm_player_part {
    LM_PART_FULL, /* all clips; if the number of frames identifies the model as legs or torso,
                     without the clips of the other part */
    LM_PART_LEGS, /* without the TORSO_ clips */
    LM_PART_TORSO /* without the LEGS_ clips */
} lm_player_part;

/* Options for reading clips files. Zeros are the defaults: `= {0}`, in C++ `= {}`. */
typedef struct lm_clips_options {
    lm_memory memory;           /* max_bytes 0: the limit of lm_memory */
    lm_clips_format format;     /* LM_CLIPS_AUTO: by `file_name`'s extension and by the columns */
    lm_player_part player_part; /* ignored if the file has clips of the other part only */
    const char *file_name;      /* for the format and for messages; may be NULL */
    uint64_t reserved[4];       /* zeros; space for later options */
} lm_clips_options;

/* Reads a clips file for a model of `num_frames` frames. Clips that extend beyond the last frame
 * are shortened or dropped, with a warning. In Quake III's player files (with the names BOTH_,
 * TORSO_ and LEGS_), the offset of the LEGS_ clips is subtracted, as in the engine. Returns NULL if
 * no clip remains or the text has none of the formats (LM_CODE_UNKNOWN_FORMAT). The rows of a
 * weapon.cfg have no names: they are the game's twelve, by their order. An .anm file has no
 * loops: its clips repeat, as in the engine, except those that the game always follows by another
 * (names that begin with death, shoot or cshoot). With
 * LM_CLIPS_QUAKE2, returns the clips of the standard table and ignores `data`, which may be NULL.
 * Safe for any bytes. */
LM_API lm_clips *lm_clips_read(const void *data, size_t size, uint32_t num_frames,
                               const lm_clips_options *options, lm_error *error);
/* Frees a list of clips with their names. */
LM_API void lm_clips_free(lm_clips *clips);

/* Appends clips as a clips file, one line per clip. The format is LM_CLIPS_ANIMATION_CFG (also
 * LM_CLIPS_AUTO), "first count looping fps // NAME", LM_CLIPS_FRAMEGROUPS, "first count fps loop
 * // NAME", or LM_CLIPS_WEAPON_CFG, "first count fps looping" and the three bits. If LEGS_WALKCR
 * and TORSO_GESTURE begin at the same frame, as in the models of a player, the LEGS_ clips of an
 * animation.cfg get the offset that the reader subtracts. Reads the text back for a model of
 * `num_frames` frames. If the clips differ, fails with LM_CODE_NOT_HELD. Fails with
 * LM_CODE_BAD_ARGUMENT for other formats, and for a clip without a name or with values that lm_clip
 * does not allow. In lerpmesh-write. */
LM_WRITE_API bool lm_clips_write(const lm_clip *clips, uint32_t num_clips, uint32_t num_frames,
                                 lm_clips_format format, lm_buffer *out, lm_error *error);

/* Appends the text of a clips file with other values of one clip: `to` has its new name, frames,
 * rate, `loop_frames` and `backwards`. Values that already read so keep their bytes, and so does
 * the rest of the text. `clip` is an index in the list that lm_clips_read returns for the same
 * text, number of frames and options.
 *
 * Reads the new text back. Fails with LM_CODE_NOT_HELD if the clip has other values then, or
 * another clip other frames, rates or loops: a .framegroups file has no `loop_frames` between 0 and
 * `count`, an .anm file no loops, an animation.cfg no names with spaces. Errors: those of
 * lm_clips_read, and LM_CODE_BAD_ARGUMENT (there is no such clip; `to` has values that lm_clip does
 * not allow). Safe for any text. In
 * lerpmesh-write. */
LM_WRITE_API bool lm_clips_change(const void *data, size_t size, uint32_t num_frames, uint32_t clip,
                                  const lm_clip *to, const lm_clips_options *options,
                                  lm_buffer *out, lm_error *error);

/* The mode in which a clip is played. Other values count as LM_PLAY_AS_CLIP. */
typedef enum lm_play_mode {
    LM_PLAY_AS_CLIP,  /* as specified by loop_frames */
    LM_PLAY_LOOP,     /* the last frame blends into the first; a cycle takes count / fps seconds */
    LM_PLAY_ONCE,     /* stops on the last frame after (count - 1) / fps seconds */
    LM_PLAY_PING_PONG /* forwards and backwards; a cycle takes 2 * (count - 1) / fps seconds */
} lm_play_mode;

/* Computes the pose of a clip `seconds` after its start. Before the start (negative values), a loop
 * continues backwards; other modes stay on their first frame. `backwards` reverses the clip's own
 * direction. Keeps no state: call it with any time, in any order. Takes constant time, or
 * logarithmic time if the clip has `times`. A time that is not finite counts as 0. Frames are
 * numbered as in the model. A clip without frames (`count` 0) shows frame 0, and lasts 0 seconds in
 * the functions below. */
LM_API void lm_clip_pose(const lm_clip *clip, double seconds, lm_play_mode mode, bool backwards,
                         lm_pose *out);

/* Returns the clip with this name, compared as by lm_model_find_tag. Returns NULL if the model has
 * none, and for NULL. */
LM_API const lm_clip *lm_model_find_clip(const lm_model *model, const char *name);

/* Transitions between clips. The engines keep the last frame shown. In the time of one frame, they
 * blend from it to the first frame of the new clip:
 *
 *     lm_pose change = {shown.t < 0.5f ? shown.frame_a : shown.frame_b, clip->first, t, false};
 *
 * with t = seconds * clip->fps while t is below 1. After that, the new clip plays, delayed by this
 * one frame. For a slower cross-fade, in which both clips keep playing, blend their poses: use
 * lm_sample_blend and lm_sample_tag_blend or, for a scene, lm_scene_evaluate.
 */

/* Returns the seconds until the clip ends (once) or starts again (loop, ping-pong). */
LM_API double lm_clip_duration(const lm_clip *clip, lm_play_mode mode);

/* Converts a number of played frames to seconds since the start of a clip, as in the mode
 * LM_PLAY_AS_CLIP. 2.5 frames is midway between the third and the fourth frame. After the last
 * frame, the frames that repeat continue. If none repeats, each further frame lasts as long as the
 * last. Takes no negative values. */
LM_API double lm_clip_seconds(const lm_clip *clip, double frames);
#ifdef __cplusplus
}
#endif
#endif
