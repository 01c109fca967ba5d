/* Files that the caller of lm_assets_open has in memory. */
#include "parts.h"

#include <string.h>

/* Returns the bytes that the caller gave for a path; NULL: none. */
static const lm_file *find_given(const lm_parts *all, const char *path) {
    const lm_assets_options *options = all->settings->options;
    for (uint32_t i = 0; i < options->num_files; i++)
        if (strcmp(options->files[i].path, path) == 0)
            return &options->files[i].file;
    return NULL;
}

bool lm_part_is_given(const lm_parts *all, const char *path) {
    return find_given(all, path) != NULL;
}

bool lm_part_read(const lm_parts *all, const char *path, size_t max_size, lm_file *file,
                  lm_error *error) {
    const lm_file *given = find_given(all, path);
    if (!given)
        return lm_vfs_read(all->context->vfs, path, max_size, file, error);
    *file = (lm_file){given->data, given->size, NULL};
    return true;
}
