/* Clips: from a requested file, from a file in the model's folder, or the model's own. */
#include "parts.h"

#include <string.h>

/* Returns MODEL.md2.framegroups, MODEL.framegroups or MODEL.anm. NULL: none exists, or it is a link
 * that leads out of the model's folder. */
static const char *find_own_clips(lm_parts *all, uint32_t part) {
    lm_vfs *vfs = all->context->vfs;
    static const char extension[] = ".framegroups";
    const char *long_extension = lm_arena_printf(
        all->context->arena, "%s%s", lm_vfs_extension(vfs, all->files[part].path), extension);
    const char *extensions[] = {long_extension, extension, ".anm"}, *found = NULL;
    for (size_t i = 0; i < sizeof extensions / sizeof *extensions && !found; i++)
        found = extensions[i] ? lm_part_sibling(all, part, extensions[i]) : NULL;
    return found;
}

/* Returns the clips file of a model: its own, else its folder's animation.cfg, which may be in any
 * of the game's search. NULL: none. */
static const char *find_clips_file(lm_parts *all, uint32_t part) {
    lm_context *c = all->context;
    const lm_search_path *search = &all->search[part];
    char actual[LM_PATH_SIZE];
    const char *given = lm_arena_printf(c->arena, "%s.framegroups", all->files[part].path);
    if (given && lm_part_is_given(all, given))
        return given;
    const char *found = find_own_clips(all, part);
    if (found)
        return found;
    const lm_source *source = lm_search_path_find(search, "animation.cfg", c->arena, actual);
    if (source && strcmp(source->files->name, ".") == 0)
        return lm_copy_text(c->arena, actual);
    return source ? lm_source_path(source, actual, c->arena) : NULL;
}

/* Returns false if there are none. */
static bool use_clips(lm_parts *all, uint32_t part, lm_clips *clips, const char *path) {
    if (!clips)
        return false;
    all->files[part].clips = clips;
    all->files[part].clips_path = path;
    all->parts[part].clips = clips->clips;
    all->parts[part].num_clips = clips->num_clips;
    return true;
}

/* Returns the player part that a file's name means: lower or upper, also with a suffix such as _1
 * for distant levels of detail. */
static lm_player_part part_of(lm_vfs *vfs, const char *path) {
    size_t length;
    const char *stem = lm_vfs_stem(vfs, path, &length);
    if (length < 5 || (length > 5 && stem[5] != '_'))
        return LM_FULL_BODY;
    return lm_begins_same(stem, "lower", 5)   ? LM_LEGS
           : lm_begins_same(stem, "upper", 5) ? LM_TORSO
                                              : LM_FULL_BODY;
}

/* Uses the model's own clips without those of the player's other part, or all of them if none are
 * left. */
static void use_own_clips(lm_parts *all, uint32_t part) {
    static const char *const others[] = {NULL, "TORSO_", "LEGS_"}; /* by lm_player_part */
    const lm_model *model = all->files[part].model;
    const char *other = others[part_of(all->context->vfs, all->files[part].path)];
    lm_clip *clips =
        other ? lm_arena_alloc(all->context->arena, model->num_clips, sizeof *clips) : NULL;
    uint32_t count = 0;
    for (uint32_t i = 0; clips && i < model->num_clips; i++)
        if (!lm_begins_same(model->clips[i].name, other, strlen(other)))
            clips[count++] = model->clips[i];
    all->parts[part].clips = count ? clips : model->clips;
    all->parts[part].num_clips = count ? count : model->num_clips;
}

static bool use_clips_file(lm_parts *all, uint32_t part, const lm_file *file, const char *path,
                           lm_error *error) {
    const lm_asset *asset = &all->files[part];
    const lm_clips_options options = {.file_name = path,
                                      .player_part = part_of(all->context->vfs, asset->path),
                                      .memory.allocator = *lm_vfs_memory(all->context->vfs)};
    uint32_t num_frames = asset->model->num_frames;
    return use_clips(all, part, lm_clips_read(file->data, file->size, num_frames, &options, error),
                     path);
}

static void use_sibling_clips(lm_parts *all, uint32_t part) {
    lm_context *c = all->context;
    const lm_asset *asset = &all->files[part];
    lm_file file;
    lm_error error;
    /* A model with one frame has nothing to play, such as a player's head. */
    const char *path = all->settings->no_clip_files || asset->model->num_frames < 2
                           ? NULL
                           : find_clips_file(all, part);
    if (!path)
        return;
    bool used = lm_part_read(all, path, LM_MAX_TEXT_FILE, &file, &error);
    if (used) {
        used = use_clips_file(all, part, &file, path, &error);
        lm_file_free(&file);
    }
    if (!used && !lm_ran_out(c->arena, &error))
        lm_context_add(c, LM_SUBJECT_CLIPS, LM_WARNING, error.code, asset->path,
                       "cannot use the clips in %s: %s", path, error.message);
}

bool lm_part_choose_clips(lm_parts *all, uint32_t part, lm_error *error) {
    const lm_settings *s = all->settings;
    const lm_model *model = all->files[part].model;
    use_own_clips(all, part);
    if (s->clips_of_quake2 && part == 0) {
        const lm_memory memory = {.allocator = *lm_vfs_memory(all->context->vfs)};
        return use_clips(all, part, lm_clips_quake2(model->num_frames, &memory, error), NULL);
    }
    if (!s->clips) {
        use_sibling_clips(all, part);
        return true;
    }
    /* Requested clips need not fit the models attached to the first. */
    const char *path = lm_copy_text(all->context->arena, s->options->clips);
    return (path && use_clips_file(all, part, s->clips, path, error)) || part > 0;
}
