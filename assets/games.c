/* Games: a folder stands for itself and for the archives in it. */
#include "disk.h"

#include "core/report.h"
#include "system.h"

#include <string.h>

static bool add(lm_kept *kept, uint32_t *capacity, const char *path) {
    if (!path || !lm_pool_grow(&kept->pool, (void **)&kept->games, capacity, kept->num_games,
                               sizeof *kept->games))
        return false;
    kept->games[kept->num_games++] = path;
    return true;
}

/* By extension, as the engines do. */
static bool is_archive_name(const char *name) {
    const char *dot = strrchr(name, '.');
    return dot && (lm_same_text(dot, ".pak") || lm_same_text(dot, ".pk3"));
}

bool lm_games_list(lm_kept *kept, lm_error *error) {
    bool folder = lm_disk_is_folder(kept->path);
    uint32_t capacity = 0;
    lm_name_list names = {0};
    if (!folder && !lm_archive_is(kept->path))
        return lm_fail_plain(error, LM_CODE_IO, "there is no such folder or archive");
    bool ok = add(kept, &capacity, kept->path);
    /* A folder that cannot be listed has none; opening it says why. */
    if (folder)
        lm_list_names(kept->path, &kept->pool, &names, NULL);
    for (uint32_t i = names.count; ok && i > 0; i--) {
        const char *path = is_archive_name(names.names[i - 1])
                               ? lm_join(&kept->pool, kept->path, names.names[i - 1])
                               : NULL;
        ok = !path || !lm_archive_is(path) || add(kept, &capacity, path);
    }
    return (ok && !kept->pool.failed) || lm_fail_memory(error);
}
