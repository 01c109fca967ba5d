/* Clips: of a file that was named, of one beside the model, or the model's own. */
#include "opening.h"

#include <string.h>

#define MAX_CLIPS_FILE ((size_t)1 << 20) /* real ones have a few kilobytes */

/* The first clips file there is for a model: MODEL.framegroups with and without the model's own
 * extension, then the folder's animation.cfg. NULL: none. */
static const char *find_clips_file(lm_opening *o, const char *model_path) {
    size_t folder = (size_t)(lm_disk_base_name(o->disk, model_path) - model_path);
    const char *dot = strrchr(model_path + folder, '.');
    size_t stem = dot && dot > model_path + folder ? (size_t)(dot - model_path) : 0;
    const struct {
        size_t length; /* of the model's path */
        const char *end;
    } candidates[] = {
        {strlen(model_path), ".framegroups"}, {stem, ".framegroups"}, {folder, "animation.cfg"}};
    for (size_t i = 0; i < sizeof candidates / sizeof *candidates; i++) {
        if (candidates[i].end[0] == '.' && candidates[i].length == 0)
            continue;
        const char *path = lm_pool_printf(&o->pool, "%.*s%s", (int)candidates[i].length, model_path,
                                          candidates[i].end);
        if (path && lm_disk_is_file(o->disk, path))
            return path;
    }
    return NULL;
}

static bool use_clips(lm_opening *o, uint32_t part, const lm_file *file, const char *path,
                      lm_error *error) {
    const lm_clips_options options = {.file_name = path};
    lm_asset *asset = &o->files[part];
    lm_clips *clips =
        lm_clips_read(file->data, file->size, asset->model->num_frames, &options, error);
    if (!clips)
        return false;
    asset->clips = o->states[part].clips = clips;
    asset->clips_path = path;
    o->parts[part].clips = clips->clips;
    o->parts[part].num_clips = clips->num_clips;
    return true;
}

static void use_clips_beside(lm_opening *o, uint32_t part) {
    const lm_asset *asset = &o->files[part];
    lm_file file;
    lm_error error;
    /* A model of one frame has nothing to play: the head beside a player's animation.cfg. */
    const char *path =
        o->settings.no_clip_files || strcmp(asset->path, "-") == 0 || asset->model->num_frames < 2
            ? NULL
            : find_clips_file(o, asset->path);
    if (!path)
        return;
    bool used = lm_disk_read(o->disk, path, MAX_CLIPS_FILE, &file, &error);
    if (used) {
        used = use_clips(o, part, &file, path, &error);
        lm_file_close(&file);
    }
    if (!used)
        lm_note(o, LM_SUBJECT_CLIPS, LM_WARNING, error.code, asset->path,
                "the clips in %s are not used: %s", path, error.message);
}

bool lm_choose_clips(lm_opening *o, uint32_t part, lm_error *error) {
    const lm_kept *named = o->settings.clips;
    o->parts[part].clips = o->files[part].model->clips;
    o->parts[part].num_clips = o->files[part].model->num_clips;
    if (!named) {
        use_clips_beside(o, part);
        return true;
    }
    /* Clips that were named need not be for all that hangs on the model. */
    return use_clips(o, part, &named->file, named->path, error) || part > 0;
}
