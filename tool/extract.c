#include "batch.h"
#include "describe.h"

#include <inttypes.h>
#include <string.h>

typedef struct extraction {
    lm_assets_options options;
    tool_output output;
    bool images;
} extraction;

/* `same`: the file existed with the same contents. */
static void report_written(tool_job *job, const char *path, size_t size, bool same) {
    if (job->json) {
        lm_json json = tool_json_begin(job);
        lmi_json_path(&json, "output", path);
        lmi_json_integer(&json, "size", (int64_t)size);
        tool_json_end(&json);
    } else {
        tool_note(job, "%s %s: %s", same ? "has" : "wrote", path,
                  lmi_count_nouns(size, "bytes").text);
    }
}

/* ---- Members -------------------------------------------------------------------------------- */

/* Returns whether a terminal would show the whole file as plain text. */
static bool is_text(const lm_buffer *file) {
    lm_buffer text = {0}, shown = {0};
    lm_buffer_append(&text, file->data, file->size);
    lm_buffer_append(&text, "", 1);
    for (size_t i = 0; !text.failed && i < file->size; i++)
        if (text.data[i] == '\t' || text.data[i] == '\n' || text.data[i] == '\r')
            text.data[i] = ' ';
    if (!text.failed && strlen((const char *)text.data) == file->size)
        lmi_text_harmless(&shown, (const char *)text.data);
    const bool same = !shown.failed && shown.size == file->size;
    lm_buffer_free(&shown);
    lm_buffer_free(&text);
    return same;
}

/* Reads the member before it makes a path from its name: reading rejects names that lead out of the
 * archive. */
static void extract_member(tool_job *job, const extraction *context) {
    lm_buffer file = {0};
    const char *path;
    bool same;
    if (!tool_read(job, &file))
        return;
    if (tool_output_place(job, &context->output, &file, &path, &same)) {
        if (path && (same || tool_output_write(job, path, file.data, file.size)))
            report_written(job, path, file.size, same);
        else if (!path && tool_system_is_terminal(TOOL_STDOUT) && !is_text(&file))
            tool_fail(job, "lerpmesh writes no binary output to a terminal: name a file with -o, "
                           "or redirect it");
        else if (!path)
            tool_output_put(job, NULL, &file);
    }
    lm_buffer_free(&file);
}

/* ---- Images ---------------------------------------------------------------------------------- */

/* Makes a PNG of an image, with its palette if it has one. A PNG stays as it is. */
static bool make_png(tool_job *job, const lm_scene_texture *texture, lm_buffer *png,
                     lm_file_output *made) {
    lm_error error;
    const bool is_png = strcmp(texture->mime, "image/png") == 0;
    if (!is_png && !lm_pixels_write(texture->pixels, texture->width, texture->height, LM_PIXELS_PNG,
                                    NULL, png, &error))
        return tool_fail_error(job, &error);
    made->data = is_png ? texture->data : png->data;
    made->size = is_png ? texture->size : png->size;
    return true;
}

/* Returns the file name of a texture. A JPEG, which becomes a PNG, is named "a_jpg.png" if another
 * image is named "a.png". */
static const char *name_png(tool_job *job, const lm_names *uris, const char *uri) {
    const int length = (int)(strlen(uri) - strlen(".jpg"));
    const char *name = lmi_arena_printf(job->arena, "%.*s.png", length, uri);
    return name && strcmp(uri + length, ".jpg") == 0 && lmi_names_find(uris, name)
               ? lmi_arena_printf(job->arena, "%.*s_jpg.png", length, uri)
               : name;
}

/* Converts the images to PNG and writes all or none. */
static void write_images(tool_job *job, const extraction *context, const lm_scene *scene,
                         const char *path) {
    const tool_output *output = &context->output;
    const uint32_t count = scene->num_textures;
    lm_file_output *files = lmi_arena_zeros(job->arena, count, sizeof *files);
    lm_buffer *pngs = lmi_arena_zeros(job->arena, count, sizeof *pngs);
    lm_file_output *left = lmi_arena_zeros(job->arena, count, sizeof *left);
    bool *same = lmi_arena_zeros(job->arena, count, sizeof *same);
    lm_names uris = {.arena = job->arena};
    bool ok = files && pngs && left && same;
    uint32_t num_left = 0;
    for (uint32_t i = 0; ok && i < count; i++)
        ok = lmi_names_put(&uris, scene->textures[i].uri) != NULL;
    for (uint32_t i = 0; ok && i < count; i++) {
        const char *name = name_png(job, &uris, scene->textures[i].uri);
        ok = name && make_png(job, &scene->textures[i], &pngs[i], &files[i]) &&
             tool_output_sibling(job, output, path, name, &files[i], &same[i]);
        if (ok && !same[i])
            left[num_left++] = files[i];
    }
    if (ok && (num_left == 0 || tool_output_write_all(job, left, num_left)))
        for (uint32_t i = 0; i < count; i++)
            report_written(job, files[i].path, files[i].size, same[i]);
    for (uint32_t i = 0; pngs && i < count; i++)
        lm_buffer_free(&pngs[i]);
}

/* Writes the images next to the model's output path. Removes the slash at the end of a folder's
 * path. */
static void extract_textures(tool_job *job, const extraction *context, lm_assets *assets) {
    const tool_output *output = &context->output;
    lm_error error;
    size_t length;
    char *path = tool_output_name(job, output);
    for (size_t end = path ? strlen(path) : 0; end > 1 && path[end - 1] == '/'; end--)
        path[end - 1] = '\0';
    const char *name = path ? lmi_vfs_stem(job->vfs, path, &length) : NULL;
    const char *stem = name ? lmi_arena_text(job->arena, name, length) : NULL;
    if (stem && ((lmi_assets_read_groups(assets, &error) &&
                  lm_assets_make_portable(assets, stem, &error)) ||
                 tool_fail_error(job, &error)))
        write_images(job, context, assets->scene, path);
}

static void report_no_images(tool_job *job) {
    static const char sentence[] =
        "no image found: none is embedded, and no texture file can be read";
    lm_error error;
    lm_fail_plain(&error, LM_CODE_BAD_ARGUMENT, "%s", sentence);
    job->unwritten = tool_inapplicable(job, "%s", sentence);
    if (!job->unwritten && job->json)
        tool_write_failure(job, &error);
}

static void extract_images(tool_job *job, const extraction *context) {
    lm_assets *assets = tool_open(job, &context->options, false);
    if (!assets)
        return;
    if (context->output.kind != TOOL_TO_FOLDER) {
        tool_fail_code(job, LM_CODE_BAD_ARGUMENT, "the images of a model need a folder: -o DIR/");
        lm_assets_free(assets);
        return;
    }
    tool_report_textures(job, assets, LM_SEVERITY_WARNING);
    tool_report_textures(job, assets, LM_SEVERITY_NOTE);
    tool_report_tried(job, assets);
    if (assets->scene->num_textures > 0)
        extract_textures(job, context, assets);
    else
        report_no_images(job);
    lm_assets_free(assets);
}

/* ---- The command ---------------------------------------------------------------------------- */

static void extract_file(tool_job *job, const void *user) {
    const extraction *context = user;
    const bool standard = strcmp(job->path, "-") == 0;
    if (!context->images && !standard && lmi_vfs_archive_length(job->vfs, job->path) > 0)
        extract_member(job, context);
    else
        extract_images(job, context);
}

/* An output that several files may go into is a folder, even if it does not exist yet. */
static bool read_output(const tool_args *args, tool_output *output) {
    if (args->num_inputs == 0)
        return true;
    if (!tool_output_read(args, output))
        return false;
    const tool_input *first = &args->inputs[0];
    const bool named = *lmi_vfs_extension(args->vfs, output->path) != 0;
    const bool several = first->tree || lmi_vfs_archive_length(args->vfs, first->path) == 0;
    if (output->kind == TOOL_TO_FILE && named && first->tree)
        return tool_usage(args,
                          "%s: end the name with a slash for a folder, or name one file of "
                          "the archive",
                          output->path);
    if (output->kind == TOOL_TO_FILE && !named && args->num_inputs == 1 && several)
        output->kind = TOOL_TO_FOLDER;
    output->extension = "";
    output->full_names = true;
    return true;
}

/* Returns the size of all members to extract. Reading a member fails if it has another size than
 * its directory lists. */
static uint64_t total_size(const tool_args *args) {
    uint64_t sum = 0;
    for (size_t i = 0; i < args->num_inputs; i++) {
        const char *path = args->inputs[i].path;
        const size_t length = strcmp(path, "-") == 0 || args->inputs[i].problem
                                  ? 0
                                  : lmi_vfs_archive_length(args->vfs, path);
        const lm_archive *archive =
            length > 0 ? lmi_vfs_archive(args->vfs, path, length, NULL) : NULL;
        const lm_member *member = archive ? lm_archive_find(archive, path + length + 1) : NULL;
        sum += member && member->code == LM_CODE_OK ? member->size : 0;
    }
    return sum;
}

/* Checks the total before anything is written. */
static bool fits_all(const tool_args *args, const extraction *context) {
    const uint64_t sum = context->images ? 0 : total_size(args);
    const uint64_t most = args->settings->options.max_output;
    lm_buffer message = {0};
    if (sum <= most)
        return true;
    lm_buffer_printf(&message,
                     "lerpmesh: nothing extracted: the files would have %" PRIu64
                     " bytes, more than %" PRIu64 " (--max-output)\n",
                     sum, most);
    tool_write_error(&message);
    return false;
}

static int run_extract(const tool_args *args) {
    extraction context = {.images = tool_has(args, LM_OPTION_IMAGES)};
    if (!tool_open_options_read(args, &context.options) || !read_output(args, &context.output))
        return TOOL_USAGE;
    if (!fits_all(args, &context))
        return TOOL_FAILED;
    return tool_batch_run(&(tool_batch){.args = args,
                                        .work = extract_file,
                                        .context = &context,
                                        .done = "extracted",
                                        .output = &context.output});
}

const tool_command tool_extract = {
    .name = "extract",
    .usage = "[options] ARCHIVE[:PATTERN]|MODEL... -o DIR/",
    .summary = "write files of archives, or the images of models as PNG",
    .about =
        "Writes the files of archives (PAK, PK3): all of them, or those that match a pattern.\n"
        "Each gets its own path below DIR and never one outside of it. A member that is named\n"
        "exactly may also go into a file or to standard output. For a model, extract writes the\n"
        "images as MODEL_IMAGE.png: skins embedded in an MDL, and textures found in the model's\n"
        "folder or in the game. --images does so for all models in archives and folders.",
    .usual = {LM_OPTION_OUTPUT, LM_OPTION_FORCE, LM_OPTION_IMAGES, LM_OPTION_GAME, LM_OPTION_SKIN,
              LM_OPTION_PALETTE, LM_OPTION_REPAIR, LM_OPTION_MAX_OUTPUT, LM_OPTION_JSON,
              LM_OPTION_JOBS, LM_OPTION_QUIET, LM_OPTION_VERBOSE},
    .expand = TOOL_EXPAND_FILES,
    .examples = "  lerpmesh extract pak0.pk3 -o baseq3/\n"
                "  lerpmesh extract 'pak0.pk3:models/**/*.md3' -o out/\n"
                "  lerpmesh extract pak0.pk3:scripts/items.shader | less\n"
                "  lerpmesh extract --images pak0.pak -o skins/\n"
                "  lerpmesh extract soldier.mdl -o .\n",
    .run = run_extract,
};
