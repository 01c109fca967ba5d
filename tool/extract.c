#include "batch.h"
#include "commands.h"
#include "describe.h"
#include "json.h"
#include "open.h"
#include "output.h"
#include "paths.h"
#include "terminal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct extraction {
    tool_wishes wishes;
    tool_output output;
    bool pictures, json, quiet;
} extraction;

static void tell_written(tool_job *job, const extraction *context, const char *path, size_t size) {
    if (context->json) {
        lm_json json = {.out = &job->out};
        lm_json_open(&json, NULL, '{');
        lm_json_string(&json, "file", job->path);
        lm_json_string(&json, "output", path);
        lm_json_integer(&json, "size", (int64_t)size);
        lm_json_close(&json);
        lm_buffer_text(&job->out, "\n");
    } else if (!context->quiet) {
        tool_say(job, "wrote %s: %zu byte%s", path, size, size == 1 ? "" : "s");
    }
}

/* ---- Members -------------------------------------------------------------------------------- */

/* Whether a terminal would show all of it, and obey nothing. */
static bool is_text(const lm_file *file) {
    lm_buffer text = {0}, shown = {0};
    lm_buffer_append(&text, file->data, file->size);
    lm_buffer_append(&text, "", 1);
    for (size_t i = 0; !text.failed && i < file->size; i++)
        if (text.data[i] == '\t' || text.data[i] == '\n' || text.data[i] == '\r')
            text.data[i] = ' ';
    if (!text.failed && strlen((const char *)text.data) == file->size)
        lm_text_harmless(&shown, (const char *)text.data);
    const bool same = !shown.failed && shown.size == file->size;
    lm_buffer_free(&shown);
    lm_buffer_free(&text);
    return same;
}

/* What lies in an archive is read before a path is made of its name: names that lead out of the
 * archive are refused there. */
static void extract_member(tool_job *job, const extraction *context) {
    lm_file file;
    lm_buffer path = {0};
    if (!tool_read(job, &file, context->json))
        return;
    if (context->output.kind == TOOL_TO_STDOUT) {
        if (tool_output_is_terminal() && !is_text(&file))
            tool_fail(job, "binary output does not go to a terminal: name a file with -o, or "
                           "redirect it");
        else
            lm_buffer_append(&job->out, file.data, file.size);
    } else if (tool_output_path(job, &context->output, &path, NULL) &&
               tool_output_write(job, (const char *)path.data, file.data, file.size)) {
        tell_written(job, context, (const char *)path.data, file.size);
    }
    lm_buffer_free(&path);
    lm_file_free(&file);
}

/* ---- Pictures ------------------------------------------------------------------------------- */

typedef struct picture {
    lm_buffer path, png;
    const void *data;
    size_t size;
} picture;

/* A picture as PNG: with its palette if it has one, and as it is if it is one. */
static bool make_png(tool_job *job, const lm_scene_texture *texture, picture *made) {
    lm_error error;
    made->data = texture->data;
    made->size = texture->size;
    if (strcmp(texture->mime, "image/png") == 0)
        return true;
    if (!lm_pixels_write_png(texture->pixels, texture->width, texture->height, &made->png,
                             &error)) {
        tool_fail_error(job, &error, job->json);
        return false;
    }
    made->data = made->png.data;
    made->size = made->png.size;
    return true;
}

/* The name of a texture's file; of a JPEG, which becomes a PNG, "a_jpg.png" where an "a.png" is
 * another's. */
static bool name_png(const lm_scene *scene, uint32_t index, lm_buffer *name) {
    const char *uri = scene->textures[index].uri;
    const size_t length = strlen(uri) - strlen(".png");
    bool taken = false;
    lm_buffer_append(name, uri, length);
    for (uint32_t i = 0; i < scene->num_textures; i++)
        taken = taken || (i != index && strncmp(scene->textures[i].uri, uri, length) == 0 &&
                          strcmp(scene->textures[i].uri + length, ".png") == 0);
    lm_buffer_text(name, taken && strcmp(uri + length, ".jpg") == 0 ? "_jpg.png" : ".png");
    lm_buffer_append(name, "", 1);
    return !name->failed;
}

/* What a model would be called; a folder without the slash behind its name. */
static bool name_model(tool_job *job, const extraction *context, lm_buffer *path) {
    if (!tool_output_name(job, &context->output, path))
        return false;
    while (path->size > 2 && path->data[path->size - 2] == '/')
        path->data[--path->size - 1] = '\0';
    return true;
}

static bool make_picture(tool_job *job, const extraction *context, const lm_scene *scene,
                         uint32_t index, const char *path, picture *made) {
    lm_buffer name = {0};
    bool ok = name_png(scene, index, &name) || tool_no_memory();
    ok = ok &&
         tool_output_beside(job, &context->output, path, (const char *)name.data, &made->path) &&
         make_png(job, &scene->textures[index], made);
    lm_buffer_free(&name);
    return ok;
}

static void write_pictures(tool_job *job, const extraction *context, const picture *pictures,
                           uint32_t count) {
    lm_file_output *files = calloc(count, sizeof *files);
    for (uint32_t i = 0; files && i < count; i++)
        files[i] = (lm_file_output){(const char *)pictures[i].path.data, pictures[i].data,
                                    pictures[i].size};
    if (!files)
        tool_no_memory();
    else if (tool_output_write_all(job, files, count))
        for (uint32_t i = 0; i < count; i++)
            tell_written(job, context, files[i].path, files[i].size);
    free(files);
}

/* Names them, makes PNG of them, and writes all or none. `path` is what the model would be called.
 */
static void extract_textures(tool_job *job, const extraction *context, lm_assets *assets,
                             const char *path) {
    const lm_scene *scene = assets->scene;
    lm_error error;
    size_t length;
    lm_buffer stem = {0};
    const char *name = lm_disk_stem(job->disk, path, &length);
    lm_buffer_append(&stem, name, length);
    lm_buffer_append(&stem, "", 1);
    picture *pictures = calloc(scene->num_textures, sizeof *pictures);
    bool ok = pictures && !stem.failed;
    if (!ok)
        tool_no_memory();
    else if (!lm_assets_make_portable(assets, (const char *)stem.data, &error)) {
        tool_fail_error(job, &error, context->json);
        ok = false;
    }
    for (uint32_t i = 0; pictures && ok && i < scene->num_textures; i++)
        ok = make_picture(job, context, scene, i, path, &pictures[i]);
    if (ok)
        write_pictures(job, context, pictures, scene->num_textures);
    for (uint32_t i = 0; pictures && i < scene->num_textures; i++) {
        lm_buffer_free(&pictures[i].path);
        lm_buffer_free(&pictures[i].png);
    }
    free(pictures);
    lm_buffer_free(&stem);
}

static void miss(tool_job *job) {
    static const char sentence[] = "it has no picture in it, and none that it names was found";
    lm_error error;
    lm_fail_plain(&error, LM_CODE_BAD_ARGUMENT, "%s", sentence);
    job->passed_over = tool_misfit(job, "%s", sentence);
    if (!job->passed_over && job->json)
        tool_write_failure(job, &error);
}

static void extract_pictures(tool_job *job, const extraction *context) {
    lm_buffer path = {0};
    if (context->output.kind != TOOL_TO_FOLDER) {
        tool_fail_code(job, LM_CODE_BAD_ARGUMENT, "a model's pictures go into a folder: -o DIR/");
        return;
    }
    lm_assets *assets = tool_open(job, &context->wishes, context->json);
    if (assets) {
        tool_tell_textures(job, assets, &context->wishes, LM_WARNING);
        tool_tell_textures(job, assets, &context->wishes, LM_NOTE);
        if (assets->scene->num_textures > 0) {
            if (name_model(job, context, &path))
                extract_textures(job, context, assets, (const char *)path.data);
        } else {
            miss(job);
        }
    }
    lm_buffer_free(&path);
    lm_assets_free(assets);
}

/* ---- The command ---------------------------------------------------------------------------- */

static void extract_file(tool_job *job, const void *user) {
    const extraction *context = user;
    const bool standard = strcmp(job->path, "-") == 0;
    if (!context->pictures && !standard && lm_disk_archive_length(job->disk, job->path) > 0)
        extract_member(job, context);
    else
        extract_pictures(job, context);
}

/* What several files may come of goes into a folder, whether it is there already or not. */
static bool read_output(const tool_args *args, extraction *context) {
    tool_output *output = &context->output;
    if (!tool_output_read(args, output))
        return false;
    if (output->kind == TOOL_TO_FILE && args->num_inputs == 1 &&
        (args->trees[0] || lm_disk_archive_length(args->disk, args->inputs[0]) == 0))
        output->kind = TOOL_TO_FOLDER;
    output->extension = "";
    output->whole_names = true;
    return output->kind != TOOL_TO_STDOUT || !context->json ||
           tool_usage(args, "--json tells of files, which need a folder: -o DIR/");
}

static int run_extract(const tool_args *args) {
    extraction context = {.pictures = tool_has(args, TOOL_PICTURES),
                          .json = tool_has(args, TOOL_JSON),
                          .quiet = tool_has(args, TOOL_QUIET)};
    int status = TOOL_USAGE;
    if (tool_wishes_read(args, &context.wishes) &&
        (args->num_inputs == 0 || read_output(args, &context))) {
        status = args->num_inputs == 0 ? TOOL_DONE : tool_output_prepare(&context.output);
        if (status == TOOL_DONE)
            status = tool_batch_run(&(tool_batch){.args = args,
                                                  .work = extract_file,
                                                  .context = &context,
                                                  .done = "extracted",
                                                  .writes = true});
    }
    tool_output_free(&context.output);
    tool_wishes_free(&context.wishes);
    return status;
}

static const tool_option options[] = {
    TOOL_OUTPUT,  TOOL_FORCE,           TOOL_PICTURES, TOOL_GAME,  TOOL_SKIN,
    TOOL_PALETTE, TOOL_TRANSPARENT_255, TOOL_REPAIR,   TOOL_JSON,  TOOL_SUMMARY,
    TOOL_JOBS,    TOOL_MAX_INPUT,       TOOL_SYNC,     TOOL_QUIET, TOOL_VERBOSE,
    TOOL_HELP,
};

const tool_command tool_extract = {
    .name = "extract",
    .usage = "[options] ARCHIVE[:PATTERN]|MODEL... -o DIR/",
    .summary = "write files of archives, or the pictures of models as PNG",
    .about =
        "Writes what is in archives (PAK, PK3), all or what fits a pattern, each file at its\n"
        "own path below DIR; never outside of it. A member that is named exactly may go into\n"
        "a file or to standard output. Of a model, and with --pictures of every model in\n"
        "archives and folders, it writes the pictures that it wears, as MODEL_PICTURE.png:\n"
        "those that are in the model's file, as MDL has them, and those that are found beside\n"
        "it and in the game.",
    .options = options,
    .num_options = TOOL_COUNT_OF(options),
    .expand = TOOL_EXPAND_FILES,
    .examples = "  lerpmesh extract pak0.pk3 -o baseq3/\n"
                "  lerpmesh extract 'pak0.pk3:models/**/*.md3' -o out/\n"
                "  lerpmesh extract pak0.pk3:scripts/items.shader | less\n"
                "  lerpmesh extract --pictures pak0.pak -o skins/\n"
                "  lerpmesh extract soldier.mdl -o .\n",
    .run = run_extract,
};
