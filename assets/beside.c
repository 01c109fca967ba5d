/* Clips: of a file that was named, of one beside the model, or the model's own. */
#include "opening.h"

#include "system.h"

#include <string.h>

#define MAX_CLIPS_FILE ((size_t)1 << 20) /* real ones have a few kilobytes */

/* MODEL.framegroups, with and without the model's own extension. NULL: neither is there, but for
 * links that lead out of the model's folder. */
static const char *find_frame_groups(lm_opening *o, const char *path) {
    const char *file = lm_disk_base_name(o->disk, path);
    const size_t whole = strlen(file), stem = whole - strlen(lm_disk_extension(o->disk, path));
    const size_t lengths[] = {whole, stem};
    const char *found = NULL;
    lm_shelf shelf;
    lm_error error;
    if (!lm_shelf_of_file(o->disk, path, &o->pool, &shelf, &error)) {
        lm_pool_starved(&o->pool, error.code);
        return NULL;
    }
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths && !found; i++) {
        const char *name = lm_pool_printf(&o->pool, "%.*s.framegroups", (int)lengths[i], file);
        found = name ? lm_shelf_beside(o->disk, &shelf, path, name, &o->pool) : NULL;
    }
    return found;
}

/* The clips file that there is for a model: one of its own, else its folder's animation.cfg, which
 * a game may have elsewhere. NULL: none. */
static const char *find_clips_file(lm_opening *o, const char *path) {
    char actual[LM_PATH_SIZE];
    lm_places places;
    const char *found = find_frame_groups(o, path);
    if (found || !lm_places_open(o, path, &places))
        return found;
    const lm_shelf *shelf = lm_places_find(&places, "animation.cfg", &o->pool, actual);
    if (shelf && strcmp(shelf->files->name, ".") == 0)
        return lm_pool_text(&o->pool, actual, strlen(actual));
    return shelf ? lm_shelf_path(shelf, actual, &o->pool) : NULL;
}

/* False if there are none. */
static bool use_clips(lm_opening *o, uint32_t part, lm_clips *clips, const char *path) {
    if (!clips)
        return false;
    o->files[part].clips = o->states[part].clips = clips;
    o->files[part].clips_path = path;
    o->parts[part].clips = clips->clips;
    o->parts[part].num_clips = clips->num_clips;
    return true;
}

static bool use_clips_file(lm_opening *o, uint32_t part, const lm_file *file, const char *path,
                           lm_error *error) {
    const lm_clips_options options = {.file_name = path};
    uint32_t num_frames = o->files[part].model->num_frames;
    return use_clips(o, part, lm_clips_read(file->data, file->size, num_frames, &options, error),
                     path);
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
        used = use_clips_file(o, part, &file, path, &error);
        lm_file_free(&file);
    }
    if (!used && !lm_pool_starved(&o->pool, error.code))
        lm_note(o, LM_SUBJECT_CLIPS, LM_WARNING, error.code, asset->path,
                "the clips in %s are not used: %s", path, error.message);
}

static void leave_out(lm_opening *o, uint32_t index, const char *prefix) {
    lm_scene_part *part = &o->parts[index];
    lm_clip *kept = lm_pool_get(&o->pool, part->num_clips + (size_t)1, sizeof *kept);
    uint32_t count = 0;
    for (uint32_t i = 0; kept && i < part->num_clips; i++)
        if (strncmp(part->clips[i].name, prefix, strlen(prefix)) != 0)
            kept[count++] = part->clips[i];
    /* One that has the other half's alone is no such file. */
    if (count > 0) {
        part->clips = kept;
        part->num_clips = count;
    }
}

/* Whether a model is called STEM, or STEM_1 as what is drawn far away is. */
static bool is_half(lm_disk *disk, const char *path, const char *half) {
    size_t length, size = strlen(half);
    const char *stem = lm_disk_stem(disk, path, &length);
    return length >= size && lm_begins_same(stem, half, size) &&
           (length == size || stem[size] == '_');
}

/* The halves of a player share a clips file, of which each plays its own lines. */
static void keep_own(lm_opening *o, uint32_t part) {
    const char *path = o->files[part].path;
    if (is_half(o->disk, path, "lower"))
        leave_out(o, part, "TORSO_");
    else if (is_half(o->disk, path, "upper"))
        leave_out(o, part, "LEGS_");
}

bool lm_choose_clips(lm_opening *o, uint32_t part, lm_error *error) {
    const lm_kept *named = o->settings.clips;
    o->parts[part].clips = o->files[part].model->clips;
    o->parts[part].num_clips = o->files[part].model->num_clips;
    bool chosen = true;
    if (o->settings.clips_of_quake2 && part == 0)
        return use_clips(o, part, lm_clips_quake2(o->files[part].model->num_frames, NULL, error),
                         NULL);
    if (!named)
        use_clips_beside(o, part);
    else /* clips that were named need not be for all that hangs on the model */
        chosen = use_clips_file(o, part, &named->file, named->path, error) || part > 0;
    keep_own(o, part);
    return chosen;
}
