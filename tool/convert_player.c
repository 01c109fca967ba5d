/* What games want beside a player's MD3: the clips and the skin, as text. Either is read back
 * before it is written. */
#include "convert.h"

#include "lerpmesh/clips.h"
#include "lerpmesh/skin.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The job fails: for want of memory, where there was too little for the text or for reading it. */
static bool fail_said(tool_job *job, const lm_buffer *text, const lm_error *error,
                      const char *sentence) {
    const bool memory = text->failed || error->code == LM_CODE_OUT_OF_MEMORY;
    tool_fail(job, "%s", memory ? "out of memory" : sentence);
    return false;
}

/* ---- Clips ---------------------------------------------------------------------------------- */

/* A clip's name in a comment, of which nothing ends it. */
static void add_name(const char *name, lm_buffer *out) {
    for (const char *c = name; *c; c++)
        lm_buffer_append(out, (unsigned char)*c <= ' ' || strchr("(),;:/*", *c) ? "_" : c, 1);
}

static void write_clips(const lm_take *take, lm_buffer *out) {
    lm_buffer_text(out, "// first frame, frames, of which loop, frames a second\n");
    for (uint32_t i = 0; i < take->num_clips; i++) {
        const lm_clip *clip = &take->clips[i];
        lm_buffer_printf(out, "%u\t%s%u\t%u\t", (unsigned)clip->first, clip->backwards ? "-" : "",
                         (unsigned)clip->count, (unsigned)clip->loop_frames);
        lm_buffer_float(out, clip->fps);
        lm_buffer_text(out, "\t\t// ");
        add_name(clip->name, out);
        lm_buffer_text(out, "\n");
    }
}

static bool same_clip(const lm_clip *a, const lm_clip *b) {
    return a->first == b->first && a->count == b->count && a->loop_frames == b->loop_frames &&
           a->backwards == b->backwards && fabsf(a->fps - b->fps) <= 1e-5f * a->fps;
}

/* Whether a reader finds the clips that were meant: it takes off LEGS_ clips the distance from
 * TORSO_GESTURE to LEGS_WALKCR, as games do, which is nothing where both begin at one frame, as in
 * the halves of a player. */
static bool clips_come_back(const lm_take *take, const lm_buffer *text, lm_error *error) {
    const lm_clips_options options = {.format = LM_CLIPS_ANIMATION_CFG};
    lm_clips *clips = lm_clips_read(text->data, text->size, take->num_frames, &options, error);
    bool same = clips && clips->num_clips == take->num_clips;
    for (uint32_t i = 0; same && i < take->num_clips; i++)
        same = same_clip(&clips->clips[i], &take->clips[i]);
    lm_clips_free(clips);
    return same;
}

/* The model's own animation.cfg serves as it is where all frames stay; of several models that
 * become one they come anew, clip by clip. */
static bool copy_clips(tool_job *job, const convert_settings *settings, const lm_scene *scene,
                       const lm_asset *asset, lm_buffer *out, lm_error *error) {
    lm_file file;
    const bool whole = scene->num_parts == 1 && !settings->has_frames && !settings->has_frame &&
                       settings->fps <= 0 && !tool_has(settings->args, TOOL_CLIP);
    if (!whole || !asset || !asset->clips_path ||
        strcmp(lm_disk_base_name(job->disk, asset->clips_path), "animation.cfg") != 0 ||
        !lm_disk_read(job->disk, asset->clips_path, 0, &file, error))
        return false;
    lm_buffer_append(out, file.data, file.size);
    lm_file_free(&file);
    return !out->failed;
}

static bool make_clips(tool_job *job, const convert_settings *settings, const lm_scene *scene,
                       const lm_take *take, convert_made *made) {
    if (take->num_clips == 0)
        return true;
    convert_beside *beside = convert_beside_add(job, made, "animation", ".cfg");
    if (!beside)
        return false;
    lm_error error = {.code = LM_CODE_OK};
    lm_buffer *text = &beside->data;
    if (copy_clips(job, settings, scene, made->asset, text, &error))
        return true;
    if (error.code != LM_CODE_OUT_OF_MEMORY) {
        write_clips(take, text);
        if (!text->failed && clips_come_back(take, text, &error))
            return true;
    }
    return fail_said(job, text, &error,
                     "its clips cannot be said in an animation.cfg: they begin where games would "
                     "look elsewhere, or last differently; choose some with --clip, or convert a "
                     "player's models one by one");
}

/* ---- The skin ------------------------------------------------------------------------------- */

/* The .skin files that the models wear, of which the take's surfaces are. */
typedef struct wearing {
    const lm_scene *scene;
    const lm_take *take;
    lm_skin_file **worn; /* [scene->num_parts] NULL: none, or it cannot be read */
} wearing;

static lm_skin_file *read_skin(const tool_job *job, const char *path, lm_error *error) {
    lm_file file;
    if (!path || !lm_disk_read(job->disk, path, 0, &file, error))
        return NULL;
    lm_skin_file *skin = lm_skin_read(file.data, file.size, NULL, error);
    lm_file_free(&file);
    return skin;
}

static bool read_worn(tool_job *job, const lm_asset *assets, wearing *w) {
    bool ok;
    w->worn = (lm_skin_file **)calloc(w->scene->num_parts, sizeof(lm_skin_file *));
    ok = w->worn != NULL;
    for (uint32_t i = 0; ok && assets && i < w->scene->num_parts; i++) {
        lm_error error = {.code = LM_CODE_OK};
        w->worn[i] = read_skin(job, assets[i].skin_path, &error);
        ok = error.code != LM_CODE_OUT_OF_MEMORY;
    }
    if (!ok)
        tool_fail(job, "out of memory");
    return ok;
}

static void free_worn(wearing *w) {
    for (uint32_t i = 0; w->worn && i < w->scene->num_parts; i++)
        lm_skin_free(w->worn[i]);
    free((void *)w->worn);
}

/* The texture of a surface: as its model wears it, else as it names it itself. */
static const char *texture_of(const wearing *w, uint32_t index) {
    const lm_take *take = w->take;
    const lm_take_surface *s = &take->surfaces[index];
    uint32_t part, own;
    const char *path = NULL;
    if (convert_find_surface(w->scene, index, &part, &own) && w->worn[part])
        path = lm_skin_path(w->worn[part], w->scene->parts[part].model->surfaces[own].name);
    return path                   ? path
           : s->num_materials > 0 ? s->materials[0].name
           : take->num_skins > 0  ? take->skins[0]
                                  : "";
}

static void add_line(const char *name, const char *path, lm_buffer *out) {
    const char *mark = strpbrk(name, " \t,") ? "\"" : "";
    const char *path_mark = strpbrk(path, " \t,") ? "\"" : "";
    lm_buffer_printf(out, "%s%s%s,%s%s%s\n", mark, name, mark, path_mark, path, path_mark);
}

static bool skin_comes_back(const wearing *w, const lm_buffer *text, lm_error *error) {
    lm_skin_file *skin = lm_skin_read(text->data, text->size, NULL, error);
    bool same = skin && skin->num_warnings == 0;
    for (uint32_t i = 0; same && i < w->take->num_surfaces; i++) {
        const char *path = lm_skin_path(skin, w->take->surfaces[i].name);
        same = path && strcmp(path, texture_of(w, i)) == 0;
    }
    lm_skin_free(skin);
    return same;
}

static bool write_skin(tool_job *job, const wearing *w, lm_buffer *out) {
    lm_error error = {.code = LM_CODE_OK};
    for (uint32_t i = 0; i < w->take->num_surfaces; i++)
        add_line(w->take->surfaces[i].name, texture_of(w, i), out);
    for (uint32_t i = 0; i < w->take->num_tags; i++)
        add_line(w->take->tags[i].name, "", out);
    return (!out->failed && skin_comes_back(w, out, &error)) ||
           fail_said(job, out, &error,
                     "its surfaces cannot be told apart in a .skin file: each needs a name of its "
                     "own, and a texture");
}

static bool make_skin(tool_job *job, const lm_scene *scene, const lm_take *take,
                      convert_made *made) {
    wearing w = {.scene = scene, .take = take};
    convert_beside *beside = convert_beside_add(job, made, made->stem, "_default.skin");
    const bool ok = beside && read_worn(job, made->asset, &w) && write_skin(job, &w, &beside->data);
    free_worn(&w);
    return ok;
}

bool convert_player_name(tool_job *job, const convert_settings *settings, const char *stem,
                         lm_take *take, lm_take_surface **named) {
    *named = NULL;
    if (!settings->player || take->num_surfaces != 1 ||
        (take->surfaces[0].name && *take->surfaces[0].name))
        return true;
    *named = malloc(sizeof **named);
    if (!*named) {
        tool_fail(job, "out of memory");
        return false;
    }
    **named = take->surfaces[0];
    (*named)->name = stem;
    take->surfaces = *named;
    return true;
}

bool convert_player_make(tool_job *job, const convert_settings *settings, const lm_scene *scene,
                         const lm_take *take, convert_made *made) {
    return !settings->player || (make_clips(job, settings, scene, take, made) &&
                                 (take->num_surfaces == 0 || make_skin(job, scene, take, made)));
}

bool convert_player_read(const tool_args *args, convert_settings *settings) {
    settings->player = settings->encoding.clips_beside = tool_has(args, TOOL_PLAYER);
    if (!settings->player)
        return true;
    const char *format = settings->model ? settings->model->name : "";
    if (strcmp(format, "md3") != 0 && strcmp(format, "mdc") != 0)
        return tool_usage(args, "--player is for .md3 and .mdc");
    return settings->output.kind == TOOL_TO_FILE ||
           tool_usage(args,
                      "--player writes an animation.cfg, of which a folder has one: convert one "
                      "model into one file");
}
