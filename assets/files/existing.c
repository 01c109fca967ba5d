/* Compares files to write with those that exist. */
#include "core/report.h"
#include "core/text.h"
#include "files/file.h"
#include "lerpmesh/image.h"

#include <string.h>

bool lmi_file_is_there(const char *path, const void *data, size_t size, lm_error *error) {
    lm_path_identity identity;
    lm_buffer file = {0};
    lmi_path_identify(path, &identity);
    const bool same = identity.kind == LM_PATH_FILE && !lmi_os_is_link(path) &&
                      lm_file_read(path, size + 1, &file, error) && file.size == size &&
                      (size == 0 || memcmp(file.data, data, size) == 0);
    lm_buffer_free(&file);
    return same;
}

static bool image_is_there(const char *path, const void *data, size_t size, uint64_t max_input,
                           lm_error *error) {
    lm_path_identity identity;
    lm_buffer file = {0};
    lmi_path_identify(path, &identity);
    lm_image *other = identity.kind == LM_PATH_FILE ? lm_image_read(data, size, NULL, error) : NULL;
    const bool read = other && lm_file_read(path, (size_t)max_input, &file, error);
    lm_image *old = read ? lm_image_read(file.data, file.size, NULL, error) : NULL;
    const bool same = old && old->width == other->width && old->height == other->height &&
                      memcmp(old->pixels, other->pixels, 4 * (size_t)old->width * old->height) == 0;
    lm_image_free(other);
    lm_image_free(old);
    lm_buffer_free(&file);
    return same;
}

bool lmi_output_is_there(const char *path, const void *data, size_t size, uint64_t max_input,
                         lm_error *error) {
    static const char *const images[] = {".png", ".tga", ".pcx"};
    bool same = lmi_file_is_there(path, data, size, error);
    for (size_t i = 0; i < sizeof images / sizeof *images && !same; i++)
        same = lmi_ends_in(path, images[i]) && image_is_there(path, data, size, max_input, error);
    return same;
}

bool lmi_file_existing(const lm_file_output *file, bool *writes, lm_error *error) {
    lm_path_identity identity;
    lm_error problem = {.code = LM_CODE_OK};
    *writes = true;
    if (file->stayed)
        *file->stayed = false;
    if (file->existing > LM_EXISTING_STAYS)
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "writing: existing of %s is invalid",
                             file->path);
    if (file->existing == LM_EXISTING_REPLACED || strcmp(file->path, "-") == 0)
        return true;
    lmi_path_identify(file->path, &identity);
    if (identity.kind != LM_PATH_FILE) /* writing reports a folder */
        return true;
    const bool same = lmi_output_is_there(file->path, file->data, file->size, 0, &problem);
    if (problem.code == LM_CODE_OUT_OF_MEMORY)
        return lmi_fail_memory(error);
    *writes = !same && file->existing == LM_EXISTING_STOPS;
    if (file->stayed)
        *file->stayed = !same && file->existing == LM_EXISTING_STAYS;
    return !*writes ||
           lm_fail_plain(error, LM_CODE_IO, "%s exists, with other contents", file->path);
}
