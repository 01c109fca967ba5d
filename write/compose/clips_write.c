/* Writes a model's clips as a clips file. */
#include "core/report.h"
#include "core/writing.h"
#include "lerpmesh/clips.h"

#include <math.h>
#include <string.h>

/* Writes a clip's name in a comment. Replaces every character that would end the name. */
static void add_name(const char *name, bool ends_at_space, lm_buffer *out) {
    for (const char *c = name; *c; c++) {
        const bool ends = (unsigned char)*c < ' ' || (ends_at_space && strchr(" (),;:/*", *c));
        lm_buffer_append(out, ends ? "_" : c, 1);
    }
}

static bool same_clip(const lm_clip *a, const lm_clip *b) {
    return a->first == b->first && a->count == b->count && a->loop_frames == b->loop_frames &&
           a->backwards == b->backwards && fabsf(a->fps - b->fps) <= 1e-5f * a->fps;
}

/* Reads the text back and compares the clips. Like the games, the reader subtracts the distance
 * from TORSO_GESTURE to LEGS_WALKCR from LEGS_ clips. */
static bool check_round_trip(const lm_clip *clips, uint32_t num_clips, uint32_t num_frames,
                             lm_clips_format format, const void *text, size_t size,
                             lm_error *error) {
    const lm_clips_options options = {.format = format};
    lm_error why = {.code = LM_CODE_OK};
    lm_clips *read = lm_clips_read(text, size, num_frames, &options, &why);
    bool same = read && read->num_clips == num_clips;
    for (uint32_t i = 0; same && i < num_clips; i++)
        same = same_clip(&read->clips[i], &clips[i]);
    lm_clips_free(read);
    if (why.code == LM_CODE_OUT_OF_MEMORY)
        return lm_fail_memory(error);
    return same || lm_fail_plain(
                       error, LM_CODE_NOT_HELD,
                       "%s cannot store these clips: games would play other frames or rates",
                       format == LM_CLIPS_FRAMEGROUPS ? "a .framegroups file" : "an animation.cfg");
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

static void add_cfg(const lm_clip *clip, uint32_t first, lm_buffer *out) {
    lm_buffer_printf(out, "%u\t%s%u\t%u\t", (unsigned)first, clip->backwards ? "-" : "",
                     (unsigned)clip->count, (unsigned)clip->loop_frames);
    lm_buffer_float(out, clip->fps);
    lm_buffer_text(out, "\t\t// ");
    add_name(clip->name, true, out);
    lm_buffer_text(out, "\n");
}

static void add_framegroup(const lm_clip *clip, lm_buffer *out) {
    lm_buffer_printf(out, "%u %s%u ", (unsigned)clip->first, clip->backwards ? "-" : "",
                     (unsigned)clip->count);
    lm_buffer_float(out, clip->fps);
    lm_buffer_text(out, clip->loop_frames > 0 ? " 1 // " : " 0 // ");
    add_name(clip->name, false, out);
    lm_buffer_text(out, "\n");
}

bool lm_clips_write(const lm_clip *clips, uint32_t num_clips, uint32_t num_frames,
                    lm_clips_format format, lm_buffer *out, lm_error *error) {
    const lm_buffer_mark mark = lm_buffer_begin(out);
    const uint32_t offset = legs_offset(clips, num_clips);
    const bool is_cfg = format != LM_CLIPS_FRAMEGROUPS;
    if (is_cfg && format != LM_CLIPS_AUTO && format != LM_CLIPS_ANIMATION_CFG)
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT,
                             "clips are written as animation.cfg or .framegroups only");
    format = is_cfg ? LM_CLIPS_ANIMATION_CFG : format;
    lm_buffer_text(out,
                   is_cfg ? "// first frame, number of frames, looping frames, frames per second\n"
                          : "// first frame, number of frames, frames per second, loop\n");
    for (uint32_t i = 0; i < num_clips; i++)
        if (is_cfg)
            add_cfg(&clips[i], clips[i].first + (begins(&clips[i], "LEGS_") ? offset : 0), out);
        else
            add_framegroup(&clips[i], out);
    const bool done =
        !out->failed && check_round_trip(clips, num_clips, num_frames, format,
                                         out->data + mark.size, out->size - mark.size, error);
    return lm_buffer_end(out, mark, done, is_cfg ? "animation.cfg" : "a .framegroups file", error);
}
