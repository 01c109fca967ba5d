#include "parts.h"

#include "core/report.h"
#include "disk_path.h"

#include <string.h>

/* That normals are not those of the file, people want to know. */
static void note_normals(lm_context *c, const char *path, const lm_model *model) {
    for (uint32_t i = 0; model && i < model->num_warnings; i++) {
        const lm_diagnostic *w = &model->warnings[i];
        if (w->code == LM_CODE_NORMALS_INWARD || w->code == LM_CODE_IDENTICAL_NORMALS)
            lm_note(c, LM_FINDING_MODEL, LM_WARNING, w->code, path, "%s", w->text);
    }
}

/* The code tells a file that is too large from a member that no archive may have. */
static bool read(lm_parts *all, const char *path, lm_file *file, lm_error *error) {
    const size_t most = all->settings->options->max_input;
    if (lm_disk_read(all->context->disk, path, most, file, error))
        return true;
    if (error->code == LM_CODE_LIMIT && !error->section[0])
        error->code = LM_CODE_INPUT_LIMIT;
    return false;
}

static bool load(lm_parts *all, uint32_t part) {
    lm_context *c = all->context;
    const lm_assets_options *options = all->settings->options;
    lm_asset *asset = &all->files[part];
    lm_load_options how = options->load;
    lm_error error;
    if (!how.memory.allocator.alloc)
        how.memory.allocator = *lm_disk_memory(c->disk);
    if (options->file && strcmp(asset->path, c->path) == 0)
        asset->file = (lm_file){options->file->data, options->file->size, NULL};
    else if (!read(all, asset->path, &asset->file, &error))
        return lm_note_failure(c, asset->path, &error);
    lm_model *model = lm_load_memory(asset->file.data, asset->file.size, &how, &error);
    asset->model = all->parts[part].model = model;
    note_normals(c, asset->path, model);
    return (model && lm_part_choose_clips(all, part, &error)) ||
           lm_note_failure(c, asset->path, &error);
}

/* Parts are called after their files, which is what surfaces without a name are called too. */
static const char *name_of(lm_context *c, const char *path) {
    const char *file = lm_disk_base_name(c->disk, path);
    return lm_arena_text(c->arena, file, (size_t)(lm_disk_extension(c->disk, file) - file));
}

lm_scene_part *lm_part_add(lm_parts *all, const char *path) {
    lm_context *c = all->context;
    uint32_t index = all->scene.num_parts;
    if (index == LM_MAX_PARTS) {
        lm_note_refusal(c, LM_CODE_BAD_ARGUMENT, "there are more than %d models to attach",
                        LM_MAX_PARTS);
        return NULL;
    }
    lm_scene_part *part = &all->parts[index];
    *part = (lm_scene_part){.name = name_of(c, path)};
    all->files[index] = (lm_asset){.path = lm_arena_text(c->arena, path, strlen(path))};
    all->scene.num_parts++;
    return !lm_arena_failed(c->arena) &&
                   lm_places_open(c, all->settings, path, &all->places[index]) && load(all, index)
               ? part
               : NULL;
}

static void fail_unknown_tag(lm_parts *all, const char *tag) {
    lm_guess guess = {.word = tag};
    uint32_t num_tags = 0;
    for (uint32_t i = 0; i < all->scene.num_parts; i++) {
        const lm_model *model = all->parts[i].model;
        num_tags += model->num_tags;
        for (uint32_t k = 0; k < model->num_tags; k++)
            lm_guess_try(&guess, model->tags[k].name);
    }
    lm_note_refusal(all->context, num_tags > 0 ? LM_CODE_NO_SUCH_TAG : LM_CODE_BAD_ARGUMENT,
                    "there is no tag \"%s\"%s", tag,
                    num_tags > 0 ? lm_suggestion(all->context->arena, &guess)
                                 : ": the model has no tags");
}

lm_scene_part *lm_part_attach(lm_parts *all, const char *tag_name, const char *path) {
    const char *tag;
    uint32_t parent = lm_scene_find_tag(&all->scene, tag_name, &tag);
    if (parent == LM_NO_PART) {
        fail_unknown_tag(all, tag_name);
        return NULL;
    }
    lm_scene_part *part = lm_part_add(all, path);
    if (part) {
        part->parent = parent;
        part->tag = tag;
    }
    return part;
}

lm_scene_part *lm_part_follow(lm_parts *all, const char *path) {
    lm_scene_part *part = lm_part_add(all, path);
    if (part) {
        part->parent = 0;
        part->follows = true;
    }
    return part;
}
