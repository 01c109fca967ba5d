/* Folders to write in, for systems that cannot open files relative to an open folder: Windows and
 * Node. Their paths are checked for links when they are opened, and used as they are afterwards. */
#if defined _WIN32 || defined __wasm__

#include "files/os.h"
#include "files/path.h"

#define CHECKED_FOLDER 0 /* its path had no links */

int lm_os_open_folder(const char *path, const char *below) {
    return !below ? LM_OS_ANY_FOLDER : lm_folders_make_below(path, below) ? CHECKED_FOLDER : -1;
}

void lm_os_close_folder(int folder) {
    (void)folder;
}

lm_path_kind lm_os_kind_in(int folder, const char *path) {
    return folder == CHECKED_FOLDER && lm_os_is_link(path) ? LM_PATH_NOTHING : lm_os_kind_of(path);
}

int lm_os_open_created(int folder, const char *path) {
    (void)folder;
    return lm_os_open(path, false);
}

#else
typedef int lm_not_checked; /* a translation unit must not be empty */
#endif
