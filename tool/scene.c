#include "scene.h"

#include "archives.h"
#include "player.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- How --attach is written ------------------------------------------------------------------
 *
 * TAG=MODEL[@CLIP], several with commas between them. A comma without a TAG= behind it belongs to
 * the file's name. */

typedef struct attachment {
    char *tag, *path, *clip; /* into `text` */
    char *text;              /* to be freed */
} attachment;

/* Where the item ends that begins here. */
static size_t item_length(const char *text) {
    size_t length = strcspn(text, ",");
    while (text[length] == ',') {
        const char *next = text + length + 1;
        size_t next_length = strcspn(next, ",");
        const char *equals = memchr(next, '=', next_length);
        if (equals && equals > next && !memchr(next, '/', (size_t)(equals - next)))
            return length;
        length += 1 + next_length;
    }
    return length;
}

static bool is_there(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 || tool_file_exists(path);
}

/* Splits an item; false if it is not TAG=MODEL, or memory ran out. */
static bool split_item(const char *item, size_t length, attachment *out) {
    *out = (attachment){.text = malloc(length + 1)};
    if (!out->text)
        return false;
    memcpy(out->text, item, length);
    out->text[length] = '\0';
    char *equals = strchr(out->text, '=');
    if (!equals || equals == out->text || equals[1] == '\0')
        return false;
    *equals = '\0';
    out->tag = out->text;
    out->path = equals + 1;
    /* A file whose name has an @ in it is that file. */
    char *at = is_there(out->path) ? NULL : strrchr(out->path, '@');
    if (at) {
        *at = '\0';
        out->clip = at + 1;
    }
    return *out->path && (!at || *out->clip);
}

static bool check_attach(const tool_args *args, const char *text) {
    for (const char *item = text;;) {
        attachment parsed;
        size_t length = item_length(item);
        bool ok = split_item(item, length, &parsed);
        free(parsed.text);
        if (!ok)
            return tool_usage(args,
                              "--attach wants TAG=MODEL, for example tag_head=head.md3, not "
                              "\"%.*s\"",
                              (int)(length < 200 ? length : 200), item);
        if (item[length] == '\0')
            return true;
        item += length + 1;
    }
}

bool tool_scene_check(const tool_args *args) {
    for (size_t i = 0; i < args->num_given; i++)
        if (args->given[i].option == TOOL_ATTACH && !check_attach(args, args->given[i].value))
            return false;
    const char *with = tool_value(args, TOOL_WITH);
    return !with || *with || tool_usage(args, "--with wants a model");
}

/* ---- Loading ----------------------------------------------------------------------------------
 */

typedef struct scene_loader {
    tool_job *job;
    const tool_load_settings *settings;
    tool_scene *scene;
} scene_loader;

static bool open_input(scene_loader *l, tool_job *job, tool_input *input) {
    lm_error error;
    tool_load_settings settings = *l->settings;
    bool attached = l->scene->scene.num_parts > 0;
    if (tool_input_open(job, &settings, input, &error))
        return true;
    /* Clips that were named need not be for all that hangs on the model. */
    if (attached && settings.clips_path) {
        settings.clips_path = NULL;
        settings.no_clip_files = true;
        if (tool_input_open(job, &settings, input, &error))
            return true;
    }
    tool_fail_error(job, &error, false);
    return false;
}

/* Loads a model as one more part; what there is to say about it names its own file. */
static lm_scene_part *add_part(scene_loader *l, const char *path) {
    lm_scene *scene = &l->scene->scene;
    uint32_t index = scene->num_parts;
    if (index == LM_MAX_PARTS) {
        tool_fail(l->job, "there are more than %d models to attach", LM_MAX_PARTS);
        return NULL;
    }
    tool_member *member = &l->scene->members[index];
    size_t size = strlen(path) + 1;
    member->path = malloc(size);
    if (!member->path) {
        tool_fail(l->job, "there is not enough memory");
        return NULL;
    }
    memcpy(member->path, path, size);
    tool_job job = {.path = member->path, .max_input = l->job->max_input};
    bool opened = open_input(l, &job, &member->input);
    lm_buffer_append(&l->job->log, job.log.data, job.log.size);
    for (unsigned code = 0; code < LM_NUM_CODES; code++)
        tool_mark(l->job, (lm_code)code, (tool_code_mark)job.codes[code]);
    lm_buffer_free(&job.log);
    if (!opened) {
        free(member->path);
        l->job->status = TOOL_FAILED;
        return NULL;
    }
    lm_scene_part *part = &l->scene->parts[index];
    scene->num_parts++;
    *part = (lm_scene_part){.model = member->input.model, .parent = -1};
    member->clips = malloc((member->input.num_clips + (size_t)1) * sizeof *member->clips);
    part->clips = member->input.clips;
    part->num_clips = member->input.num_clips;
    if (member->clips)
        return part;
    tool_fail(l->job, "there is not enough memory");
    return NULL;
}

static const lm_clip *clip_named(const tool_input *input, const char *name) {
    for (uint32_t i = 0; i < input->num_clips; i++)
        if (strcmp(input->clips[i].name, name) == 0)
            return &input->clips[i];
    return NULL;
}

static bool set_idle(scene_loader *l, lm_scene_part *part, const char *clip) {
    const tool_member *member = &l->scene->members[part - l->scene->parts];
    part->idle = clip_named(&member->input, clip);
    if (part->idle)
        return true;
    tool_guess guess = {.word = clip};
    for (uint32_t i = 0; i < member->input.num_clips; i++)
        tool_guess_try(&guess, member->input.clips[i].name);
    const char *best = tool_guess_best(&guess);
    tool_fail(l->job, "%s has no clip \"%s\"%s%s%s", member->path, clip,
              best ? "; did you mean \"" : "", best ? best : "", best ? "\"?" : "");
    return false;
}

static bool fail_unknown_tag(scene_loader *l, const char *tag) {
    const lm_scene *scene = &l->scene->scene;
    tool_guess guess = {.word = tag};
    uint32_t num_tags = 0;
    for (uint32_t i = 0; i < scene->num_parts; i++) {
        const lm_model *model = scene->parts[i].model;
        num_tags += model->num_tags;
        for (uint32_t k = 0; k < model->num_tags; k++)
            tool_guess_try(&guess, model->tags[k].name);
    }
    const char *best = tool_guess_best(&guess);
    if (best)
        tool_fail(l->job, "there is no tag \"%s\"; did you mean \"%s\"?", tag, best);
    else if (num_tags == 0)
        tool_fail(l->job, "there is no tag \"%s\": the model has no tags", tag);
    else
        tool_fail(l->job, "there is no tag \"%s\"; info lists those that there are", tag);
    return false;
}

/* Hangs a model on the tag, of the model that was attached last and has it. */
static lm_scene_part *attach(scene_loader *l, const char *tag_name, const char *path) {
    const char *tag;
    int32_t parent = lm_scene_find_tag(&l->scene->scene, tag_name, &tag);
    if (parent < 0) {
        fail_unknown_tag(l, tag_name);
        return NULL;
    }
    lm_scene_part *part = add_part(l, path);
    if (part) {
        part->parent = parent;
        part->tag = tag;
    }
    return part;
}

/* A model that is not where its name says is looked for beside the one that carries it. */
static char *beside(const scene_loader *l, const char *path) {
    const char *body = l->scene->members[0].path;
    size_t folder = (size_t)(tool_base_name(body) - body), length = strlen(path);
    if (path[0] == '/' || is_there(path))
        folder = 0;
    char *out = malloc(folder + length + 1);
    if (!out)
        return NULL;
    memcpy(out, body, folder);
    memcpy(out + folder, path, length + 1);
    if (folder > 0 && !is_there(out)) /* then the error is about the name as it was given */
        memcpy(out, path, length + 1);
    return out;
}

static bool attach_item(scene_loader *l, const attachment *item) {
    char *path = beside(l, item->path);
    lm_scene_part *part = path ? attach(l, item->tag, path) : NULL;
    if (!path)
        tool_fail(l->job, "there is not enough memory");
    free(path);
    return part && (!item->clip || set_idle(l, part, item->clip));
}

static bool attach_all(scene_loader *l, const char *text) {
    for (const char *item = text;;) {
        attachment parsed;
        size_t length = item_length(item);
        bool ok = split_item(item, length, &parsed) && attach_item(l, &parsed);
        free(parsed.text);
        if (!ok || item[length] == '\0')
            return ok;
        item += length + 1;
    }
}

static bool follow(scene_loader *l, const char *path) {
    char *found = beside(l, path);
    lm_scene_part *part = found ? add_part(l, found) : NULL;
    free(found);
    if (!part)
        return false;
    part->parent = 0;
    part->follows = true;
    return true;
}

/* ---- Players ----------------------------------------------------------------------------------
 */

/* What stands still while the other half moves does so as the games' players do. */
static void stand(scene_loader *l, uint32_t index, const char *clip) {
    l->scene->parts[index].idle = clip_named(&l->scene->members[index].input, clip);
}

/* The halves of a player share a clips file, of which each plays its own lines. */
static bool leave_out(scene_loader *l, uint32_t index, const char *prefix) {
    tool_member *member = &l->scene->members[index];
    tool_input *input = &member->input;
    lm_clip *kept = member->kept = malloc((input->num_clips + (size_t)1) * sizeof *kept);
    uint32_t count = 0;
    if (!kept) {
        tool_fail(l->job, "there is not enough memory");
        return false;
    }
    for (uint32_t i = 0; i < input->num_clips; i++)
        if (strncmp(input->clips[i].name, prefix, strlen(prefix)) != 0)
            kept[count++] = input->clips[i];
    l->scene->parts[index].clips = input->clips = kept;
    l->scene->parts[index].num_clips = input->num_clips = count;
    return true;
}

static void say_missing(scene_loader *l, const char *what) {
    if (!l->settings->quiet)
        tool_say(l->job, "the player has no %s", what);
}

static bool load_quake3(scene_loader *l, const tool_player *player) {
    if (!add_part(l, player->body) || !leave_out(l, 0, "TORSO_"))
        return false;
    stand(l, 0, "LEGS_IDLE");
    if (!player->upper)
        say_missing(l, "upper.md3");
    else if (!attach(l, "tag_torso", player->upper) || !leave_out(l, 1, "LEGS_"))
        return false;
    else
        stand(l, 1, "TORSO_STAND");
    if (!player->head)
        say_missing(l, "head.md3");
    else if (player->upper && !attach(l, "tag_head", player->head))
        return false;
    return true;
}

static bool load_player(scene_loader *l) {
    tool_player player;
    bool ok = false;
    tool_player_find(l->job->path, &player);
    if (player.kind == TOOL_PLAYER_QUAKE3)
        ok = load_quake3(l, &player);
    else if (player.kind == TOOL_PLAYER_QUAKE2)
        ok = add_part(l, player.body) && (!player.weapon || follow(l, player.weapon));
    else
        tool_fail(l->job, "there is no player in this folder: neither lower.md3 nor lower.mdc nor "
                          "tris.md2");
    tool_player_free(&player);
    return ok;
}

/* ---- All of it --------------------------------------------------------------------------------
 */

/* Parts are called after their files, which is what surfaces without a name are called too. */
static bool name_parts(tool_scene *scene) {
    for (uint32_t i = 0; i < scene->scene.num_parts; i++) {
        const char *file = tool_base_name(scene->members[i].path);
        size_t length = (size_t)(tool_extension(file) - file);
        char *name = malloc(length + 1);
        if (!name)
            return false;
        memcpy(name, file, length);
        name[length] = '\0';
        scene->parts[i].name = scene->members[i].name = name;
    }
    return true;
}

static bool load_all(scene_loader *l, const tool_args *args) {
    if (tool_is_player(l->job->path) ? !load_player(l) : !add_part(l, l->job->path))
        return false;
    for (size_t i = 0; i < args->num_given; i++) {
        const tool_given *given = &args->given[i];
        if (given->option == TOOL_ATTACH && !attach_all(l, given->value))
            return false;
        if (given->option == TOOL_WITH && !follow(l, given->value))
            return false;
    }
    if (name_parts(l->scene))
        return true;
    tool_fail(l->job, "there is not enough memory");
    return false;
}

bool tool_scene_open(tool_job *job, const tool_args *args, const tool_load_settings *settings,
                     tool_scene *scene) {
    *scene = (tool_scene){.members = calloc(LM_MAX_PARTS, sizeof *scene->members),
                          .parts = calloc(LM_MAX_PARTS, sizeof *scene->parts)};
    scene_loader loader = {job, settings, scene};
    scene->scene.parts = scene->parts;
    bool ok = scene->members && scene->parts;
    if (!ok)
        tool_fail(job, "there is not enough memory");
    else
        ok = load_all(&loader, args);
    if (!ok)
        tool_scene_close(scene);
    return ok;
}

void tool_scene_close(tool_scene *scene) {
    for (uint32_t i = 0; i < scene->scene.num_parts; i++) {
        tool_input_close(&scene->members[i].input);
        free(scene->members[i].path);
        free(scene->members[i].name);
        free(scene->members[i].clips);
        free(scene->members[i].kept);
    }
    free(scene->members);
    free(scene->parts);
}
