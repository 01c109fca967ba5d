/* Writes a model's clips as an animation.cfg. */
#include "core/report.h"
#include "core/writing.h"
#include "lerpmesh/clips.h"

#include <math.h>
#include <string.h>

/* Writes a clip's name in a comment. Replaces every character that would end the comment. */
static void add_name(const char *name, lm_buffer *out) {
    for (const char *c = name; *c; c++)
        lm_buffer_append(out, (unsigned char)*c <= ' ' || strchr("(),;:/*", *c) ? "_" : c, 1);
}

static bool same_clip(const lm_clip *a, const lm_clip *b) {
    return a->first == b->first && a->count == b->count && a->loop_frames == b->loop_frames &&
           a->backwards == b->backwards && fabsf(a->fps - b->fps) <= 1e-5f * a->fps;
}

/* Reads the text back and compares the clips. Like the games, the reader subtracts the distance
 * from TORSO_GESTURE to LEGS_WALKCR from LEGS_ clips. */
static bool check_round_trip(const lm_clip *clips, uint32_t num_clips, uint32_t num_frames,
                             const void *text, size_t size, lm_error *error) {
    const lm_clips_options options = {.format = LM_CLIPS_ANIMATION_CFG};
    lm_error why = {.code = LM_CODE_OK};
    lm_clips *read = lm_clips_read(text, size, num_frames, &options, &why);
    bool same = read && read->num_clips == num_clips;
    for (uint32_t i = 0; same && i < num_clips; i++)
        same = same_clip(&read->clips[i], &clips[i]);
    lm_clips_free(read);
    if (why.code == LM_CODE_OUT_OF_MEMORY)
        return lm_fail_memory(error);
    return same ||
           lm_fail_plain(
               error, LM_CODE_NOT_HELD,
               "an animation.cfg cannot store these clips: games would play other frames or rates");
}

static bool begins(const lm_clip *clip, const char *with) {
    return strncmp(clip->name, with, strlen(with)) == 0;
}

/* Returns the number that is added to the first frames of LEGS_ clips: the frames of the TORSO_
 * ones if legs and torso count their frames separately, as in the files of the games. */
static uint32_t legs_offset(const lm_clip *clips, uint32_t num_clips) {
    const lm_clip *torso = NULL, *legs = NULL;
    uint32_t end = 0;
    for (uint32_t i = 0; i < num_clips; i++) {
        if (strcmp(clips[i].name, "TORSO_GESTURE") == 0)
            torso = &clips[i];
        else if (strcmp(clips[i].name, "LEGS_WALKCR") == 0)
            legs = &clips[i];
        if (begins(&clips[i], "TORSO_") && clips[i].first + clips[i].count > end)
            end = clips[i].first + clips[i].count;
    }
    return torso && legs && torso->first == legs->first ? end - torso->first : 0;
}

bool lm_clips_write(const lm_clip *clips, uint32_t num_clips, uint32_t num_frames, lm_buffer *out,
                    lm_error *error) {
    const lm_buffer_mark mark = lm_buffer_begin(out);
    const uint32_t offset = legs_offset(clips, num_clips);
    lm_buffer_text(out, "// first frame, number of frames, looping frames, frames per second\n");
    for (uint32_t i = 0; i < num_clips; i++) {
        const lm_clip *clip = &clips[i];
        lm_buffer_printf(
            out, "%u\t%s%u\t%u\t", (unsigned)(clip->first + (begins(clip, "LEGS_") ? offset : 0)),
            clip->backwards ? "-" : "", (unsigned)clip->count, (unsigned)clip->loop_frames);
        lm_buffer_float(out, clip->fps);
        lm_buffer_text(out, "\t\t// ");
        add_name(clip->name, out);
        lm_buffer_text(out, "\n");
    }
    const bool done =
        !out->failed && check_round_trip(clips, num_clips, num_frames, out->data + mark.size,
                                         out->size - mark.size, error);
    return lm_buffer_end(out, mark, done, "animation.cfg", error);
}
