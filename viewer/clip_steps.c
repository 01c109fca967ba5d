#include "clip_steps.h"

#include <math.h>
#include <string.h>

#define RATE_STEP 0.0005 /* a difference that the dialog does not show */

clip_values clip_values_of(const lm_clip *clip) {
    return (clip_values){clip->name, clip->first, clip->first + clip->count - 1, (double)clip->fps,
                         clip->loop_frames > 0};
}

/* Returns the clip with the values. */
static lm_clip with_values(const lm_clip *from, const clip_values *to) {
    lm_clip clip = *from;
    clip.name = to->name;
    clip.first = to->first;
    clip.count = to->last < to->first ? 0 : to->last - to->first + 1;
    if (fabs(to->fps - (double)from->fps) >= RATE_STEP)
        clip.fps = (float)to->fps;
    const bool all = from->loop_frames == 0 || from->loop_frames == from->count;
    clip.loop_frames = !to->loops                              ? 0
                       : all || from->loop_frames > clip.count ? clip.count
                                                               : from->loop_frames;
    return clip;
}

static bool same_numbers(const lm_clip *a, const lm_clip *b) {
    return a->first == b->first && a->count == b->count && a->fps == b->fps &&
           a->loop_frames == b->loop_frames;
}

static bool reads_as(const lm_edit *edit, const lm_clip *clip) {
    lm_buffer file = {0};
    lm_error error;
    const bool written = lm_edit_write(edit, &file, &error);
    lm_model *model = written ? lm_load_memory(file.data, file.size, NULL, &error) : NULL;
    const lm_clip *found = model ? lm_find_clip(model, clip->name) : NULL;
    const bool same = found && same_numbers(found, clip);
    lm_model_free(model);
    lm_buffer_free(&file);
    return same;
}

/* Returns whether other names of frames make the clip: its name decides whether it loops. `index`
 * is that of the clip in the edit. */
static bool names_suffice(const document *d, const document_clip *from, const lm_clip *next,
                          uint32_t *index) {
    const lm_file *file = &d->assets->assets[from->part].file;
    lm_error error;
    lm_edit *edit = lm_edit_open(file->data, file->size, NULL, &error);
    const bool suffice =
        edit && lm_edit_find(edit, LM_EDIT_CLIPS, 0, from->clip.name, index, &error) &&
        lm_edit_rename(edit, LM_EDIT_CLIPS, 0, *index, next->name, &error) && reads_as(edit, next);
    lm_edit_free(edit);
    return suffice;
}

bool clip_step(const document *d, uint32_t clip, const clip_values *to, edit_step *step) {
    const document_clip *from = &d->clips[clip];
    const lm_clip next = with_values(&from->clip, to);
    const bool renamed = strcmp(next.name, from->clip.name) != 0;
    const bool same = same_numbers(&next, &from->clip);
    *step = (edit_step){.kind = EDIT_NAME, .list = LM_EDIT_CLIPS, .name = (char *)next.name};
    if (same && !renamed)
        return false;
    if (same && !d->assets->assets[from->part].clips && names_suffice(d, from, &next, &step->index))
        return true;
    *step = (edit_step){.kind = EDIT_CLIP,
                        .name = (char *)from->clip.name,
                        .clip = next,
                        .num_frames = document_scene(d)->parts[from->part].model->num_frames};
    return true;
}
