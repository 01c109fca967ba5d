/* Pictures beside a model where there are some already: those that it was made with stay. */
#include "convert.h"
#include "lerpmesh/image.h"
#include "paths.h"

#include <string.h>

/* Whether what is there is a picture of the same pixels. */
static bool is_there(const tool_job *job, const convert_beside *b) {
    lm_error error;
    lm_file file = {0};
    if (!lm_disk_read(job->disk, (const char *)b->path.data, job->max_input, &file, &error))
        return false;
    lm_image *old = lm_image_read(file.data, file.size, NULL, NULL);
    lm_image *other = old ? lm_image_read(b->data.data, b->data.size, NULL, NULL) : NULL;
    const bool same = other && old->width == other->width && old->height == other->height &&
                      memcmp(old->pixels, other->pixels, 4 * (size_t)old->width * old->height) == 0;
    lm_image_free(other);
    lm_image_free(old);
    lm_file_free(&file);
    return same;
}

static bool is_one(const lm_path_about *a, const lm_path_about *b) {
    return a->kind == LM_PATH_FILE && b->kind == LM_PATH_FILE && a->disk == b->disk &&
           a->number == b->number;
}

/* Whether the model was made with that file. */
static bool was_read(const tool_job *job, const lm_assets *assets, const char *path) {
    lm_path_about about, other;
    lm_path_look(path, &about);
    for (size_t at = 0; at < job->beside.size; at += sizeof other) {
        memcpy(&other, job->beside.data + at, sizeof other);
        if (is_one(&about, &other))
            return true;
    }
    for (uint32_t i = 0; assets && i < assets->scene->num_parts; i++)
        for (uint32_t k = 0; k < assets->assets[i].num_textures; k++) {
            const char *texture = assets->assets[i].textures[k].path;
            if (!texture)
                continue;
            lm_path_look(texture, &other);
            if (is_one(&about, &other))
                return true;
        }
    return false;
}

bool convert_beside_settle(tool_job *job, const lm_assets *assets, convert_beside *beside) {
    const char *path = (const char *)beside->path.data;
    beside->there = beside->picture && is_there(job, beside);
    if (!beside->picture || beside->there || !was_read(job, assets, path))
        return true;
    tool_fail(job,
              "%s, which the model wears, would be replaced by another picture: write the model "
              "under another name, or into another folder",
              path);
    return false;
}
