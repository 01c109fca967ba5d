/* Sidecar files of a model. Existing images that the model was made from are never replaced. */
#include "convert.h"

#include <string.h>

convert_sidecar *convert_sidecar_add(conversion *c, const char *stem, const char *suffix) {
    convert_sidecar *sidecar = tool_alloc(&c->job->memory, 1, sizeof *sidecar),
                    **end = &c->sidecars;
    const char *name = tool_format(&c->job->memory, "%s%s", stem, suffix);
    if (!sidecar || !name)
        return NULL;
    sidecar->name = name;
    while (*end)
        end = &(*end)->next;
    return *end = sidecar;
}

/* Returns whether the file at `path` is an image with the same pixels. Lack of memory fails the
 * job. */
static bool is_same_image(tool_job *job, const char *path, const lm_buffer *data) {
    lm_error error = {.code = LM_CODE_OK};
    lm_file file = {0};
    const bool read = lm_vfs_read(job->vfs, path, job->max_input, &file, &error);
    lm_image *old = read ? lm_image_read(file.data, file.size, NULL, &error) : NULL;
    lm_image *other = old ? lm_image_read(data->data, data->size, NULL, &error) : NULL;
    job->memory.failed = job->memory.failed || error.code == LM_CODE_OUT_OF_MEMORY;
    const bool same = other && old->width == other->width && old->height == other->height &&
                      memcmp(old->pixels, other->pixels, 4 * (size_t)old->width * old->height) == 0;
    lm_image_free(other);
    lm_image_free(old);
    lm_file_free(&file);
    return same;
}

/* Returns whether the model was made from that file. */
static bool was_read(const conversion *c, const char *path) {
    const lm_buffer *read = &c->job->sidecar_inputs;
    lm_path_identity about, other;
    lm_path_identify(path, &about);
    for (size_t at = 0; at < read->size; at += sizeof other) {
        memcpy(&other, read->data + at, sizeof other);
        if (tool_is_same(&about, &other))
            return true;
    }
    for (uint32_t i = 0; c->assets && i < c->assets->scene->num_parts; i++)
        for (uint32_t k = 0; k < c->assets->assets[i].num_textures; k++) {
            const char *texture = c->assets->assets[i].textures[k].path;
            if (!texture)
                continue;
            lm_path_identify(texture, &other);
            if (tool_is_same(&about, &other))
                return true;
        }
    return false;
}

bool convert_sidecar_set_path(conversion *c, convert_sidecar *sidecar) {
    const char *path = tool_output_sibling(c->job, &c->settings->output, c->path, sidecar->name);
    if (!path)
        return false;
    if (sidecar->image && is_same_image(c->job, path, &sidecar->data))
        return true;
    if (sidecar->kept && !c->settings->output.force && lm_vfs_is_file(c->job->vfs, path)) {
        if (!tool_has_content(c->job, path, sidecar->data.data, sidecar->data.size) &&
            !c->job->memory.failed)
            tool_warn(c->job,
                      "%s exists and stays as it is, because other models may need it; --force "
                      "replaces it",
                      path);
        return !c->job->memory.failed;
    }
    if (c->job->memory.failed)
        return false;
    if (was_read(c, path))
        return tool_fail(
            c->job,
            "%s, a texture of the model, would be replaced by another file: write the model "
            "under another name, or into another folder",
            path);
    sidecar->file = (lm_file_output){path, sidecar->data.data, sidecar->data.size, NULL, NULL};
    return true;
}
