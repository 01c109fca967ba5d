/* Folders and archives in which files are looked for. */
#include "disk.h"

#include "core/report.h"
#include "system.h"

#include <string.h>

static bool open_folder(lm_disk *disk, const char *path, lm_shelf *shelf, lm_error *error) {
    const lm_folder *folder = lm_disk_folder(disk, path, error);
    if (folder)
        shelf->files = lm_folder_files(folder);
    return folder != NULL;
}

static bool open_archive(lm_disk *disk, const char *path, size_t length, lm_shelf *shelf,
                         lm_error *error) {
    lm_archive *archive = lm_disk_archive(disk, path, length, error);
    shelf->archive = archive;
    if (archive)
        shelf->files = lm_archive_files(archive);
    return archive != NULL;
}

bool lm_shelf_of_file(lm_disk *disk, const char *path, lm_pool *pool, lm_shelf *shelf,
                      lm_error *error) {
    size_t length = lm_disk_archive_length(disk, path), before = length ? length + 1 : 0;
    size_t end = (size_t)(lm_disk_base_name(disk, path) - path);
    *shelf = (lm_shelf){.folder = ""};
    if (length == 0) {
        const char *folder = end > 0 ? lm_pool_text(pool, path, end) : ".";
        return folder ? open_folder(disk, folder, shelf, error) : lm_fail_memory(error);
    }
    while (end > before && path[end - 1] == '/')
        end--;
    shelf->folder = lm_pool_text(pool, path + before, end > before ? end - before : 0);
    return shelf->folder ? open_archive(disk, path, length, shelf, error) : lm_fail_memory(error);
}

bool lm_shelf_of_game(lm_disk *disk, const lm_game_place *place, lm_shelf *shelf, lm_error *error) {
    const char *path = place->path;
    *shelf = (lm_shelf){0};
    return place->is_archive ? open_archive(disk, path, strlen(path), shelf, error)
                             : open_folder(disk, path, shelf, error);
}

char *lm_shelf_path(const lm_shelf *shelf, const char *path, lm_pool *pool) {
    return shelf->archive ? lm_pool_printf(pool, "%s:%s", shelf->files->name, path)
                          : lm_join(pool, shelf->files->name, path);
}

const char *lm_shelf_beside(lm_disk *disk, const lm_shelf *shelf, const char *path,
                            const char *name, lm_pool *pool) {
    char actual[LM_PATH_SIZE];
    const char *inside = *shelf->folder ? lm_pool_printf(pool, "%s/%s", shelf->folder, name) : name;
    const lm_files *files = shelf->files;
    const lm_find met = inside ? files->find(files->user, inside, actual) : LM_FIND_STARVED;
    pool->failed = pool->failed || met == LM_FIND_STARVED;
    if (met != LM_FIND_FILE)
        return NULL;
    if (shelf->archive)
        return lm_shelf_path(shelf, actual, pool);
    return lm_pool_printf(pool, "%.*s%s", (int)(lm_disk_base_name(disk, path) - path), path,
                          actual);
}
