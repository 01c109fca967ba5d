/* What games want beside a player's MD3: the clips and the skin, as text. Either is read back
 * before it is written. */
#include "convert.h"

#include "lerpmesh/assets.h"
#include "lerpmesh/clips.h"
#include "paths.h"

#include <stdlib.h>
#include <string.h>

/* ---- Clips ---------------------------------------------------------------------------------- */

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
    if (error.code != LM_CODE_OUT_OF_MEMORY &&
        lm_clips_write(take->clips, take->num_clips, take->num_frames, text, &error))
        return true;
    tool_fail(job,
              error.code == LM_CODE_NOT_HELD
                  ? "%s; choose some with --clip, or convert a player's models one by one"
                  : "out of memory",
              error.message);
    return false;
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
    if (lm_compose_source(w->scene, index, &part, &own) && w->worn[part])
        path = lm_skin_path(w->worn[part], w->scene->parts[part].model->surfaces[own].name);
    return path                   ? path
           : s->num_materials > 0 ? s->materials[0].name
           : take->num_skins > 0  ? take->skins[0]
                                  : "";
}

static bool write_skin(tool_job *job, const wearing *w, lm_buffer *out) {
    const lm_take *take = w->take;
    lm_error error = {.code = LM_CODE_OUT_OF_MEMORY};
    lm_skin_entry *entries = calloc(take->num_surfaces + (size_t)1, sizeof *entries);
    const char **tags = (const char **)calloc(take->num_tags + (size_t)1, sizeof *tags);
    for (uint32_t i = 0; entries && i < take->num_surfaces; i++)
        entries[i] = (lm_skin_entry){.surface = take->surfaces[i].name, .path = texture_of(w, i)};
    for (uint32_t i = 0; tags && i < take->num_tags; i++)
        tags[i] = take->tags[i].name;
    const bool done = entries && tags &&
                      lm_skin_write(entries, take->num_surfaces, tags, take->num_tags, out, &error);
    if (!done)
        tool_fail(job, "%s", error.code == LM_CODE_OUT_OF_MEMORY ? "out of memory" : error.message);
    free(entries);
    free((void *)tags);
    return done;
}

static bool make_skin(tool_job *job, const lm_scene *scene, const lm_take *take,
                      convert_made *made) {
    wearing w = {.scene = scene, .take = take};
    convert_beside *beside = convert_beside_add(job, made, made->stem, "_default.skin");
    const bool ok = beside && read_worn(job, made->asset, &w) && write_skin(job, &w, &beside->data);
    free_worn(&w);
    return ok;
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
