/* Opens the input of convert: a scene or an imported mesh. */
#include "convert.h"

/* If the input cannot be read, opening it as a model reports the reason. Only lack of memory is
 * reported here. */
bool convert_open(conversion *c) {
    tool_job *job = c->job;
    lm_assets_options options = c->settings->options;
    lm_given_file given = {.path = job->path};
    lm_error error;
    if (convert_is_sequence(job))
        return convert_import(c);
    const bool folder = lm_vfs_is_folder(job->vfs, job->path);
    if (!folder && !lm_vfs_read(job->vfs, job->path, job->max_input, &c->file, &error)) {
        if (error.code == LM_CODE_OUT_OF_MEMORY)
            return tool_fail_error(job, &error);
    } else if (!folder) {
        if (convert_is_import(job, &c->file))
            return convert_import(c);
        given.file = c->file;
        options.files = &given;
        options.num_files = 1;
        const char *name = lm_format_of(c->file.data, c->file.size);
        const lm_format_info *format = name ? lm_format_by_name(name) : NULL;
        if (convert_has_sidecar(c->settings) && format &&
            (format->features & LM_FEATURE_EMBEDDED_SKINS))
            options.images = LM_IMAGES_PIXELS;
    }
    if (tool_has(job->args, TOOL_TAG))
        tool_warn(job, "--tag applies only to imported files (glTF, FBX and others); the model's "
                       "tags are unchanged");
    if (tool_has(job->args, TOOL_LOOP) || tool_has(job->args, TOOL_ONCE))
        tool_warn(job, "--loop and --once apply only to imported files (glTF, FBX and others); the "
                       "model's clips are unchanged");
    c->assets = tool_open(job, &options);
    return c->assets &&
           convert_plan(c, c->assets->scene, c->assets->scene->parts[0].model->num_frames);
}

void convert_close(conversion *c) {
    for (convert_sidecar *b = c->sidecars; b; b = b->next)
        lm_buffer_free(&b->data);
    lm_buffer_free(&c->out);
    lm_buffer_free(&c->bin);
    lm_encode_report_free(c->report);
    convert_imported_free(&c->imported);
    lm_assets_free(c->assets);
    lm_file_free(&c->file);
}
