#include "archives.h"

#include "input.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- Open archives ----------------------------------------------------------------------------
 */

/* An archive that was asked for, or why there is none. */
typedef struct known_archive {
    struct known_archive *next;
    lm_archive *archive;
    lm_error error;
    char path[]; /* with its NUL */
} known_archive;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static known_archive *known;

/* With the lock held. */
static known_archive *find_known(const char *path, size_t length) {
    for (known_archive *k = known; k; k = k->next)
        if (strlen(k->path) == length && memcmp(k->path, path, length) == 0)
            return k;
    return NULL;
}

static known_archive *open_new(const char *path, size_t length) {
    known_archive *made = calloc(1, sizeof *made + length + 1);
    if (!made)
        return NULL;
    memcpy(made->path, path, length);
    made->archive = lm_archive_open(made->path, &made->error);
    made->next = known;
    known = made;
    return made;
}

lm_archive *tool_archive(const char *path, size_t length, lm_error *error) {
    pthread_mutex_lock(&lock);
    known_archive *k = find_known(path, length);
    if (!k)
        k = open_new(path, length);
    pthread_mutex_unlock(&lock);
    if (k && !k->archive)
        *error = k->error;
    else if (!k)
        *error = (lm_error){.code = LM_CODE_OUT_OF_MEMORY, .message = "there is not enough memory"};
    return k ? k->archive : NULL;
}

void tool_archives_close(void) {
    while (known) {
        known_archive *next = known->next;
        lm_archive_close(known->archive);
        free(known);
        known = next;
    }
}

/* ---- Paths ------------------------------------------------------------------------------------
 */

static bool is_archive(const char *path, size_t length) {
    pthread_mutex_lock(&lock);
    bool opened = find_known(path, length) != NULL;
    pthread_mutex_unlock(&lock);
    if (opened)
        return true;
    char *copy = malloc(length + 1);
    if (!copy)
        return false;
    memcpy(copy, path, length);
    copy[length] = '\0';
    bool is = lm_archive_is(copy);
    free(copy);
    return is;
}

size_t tool_archive_length(const char *path) {
    struct stat status;
    const char *colon = strchr(path, ':');
    if (!colon || stat(path, &status) == 0)
        return 0;
    while (colon && !(colon > path && is_archive(path, (size_t)(colon - path))))
        colon = strchr(colon + 1, ':');
    return colon ? (size_t)(colon - path) : 0;
}

bool tool_file_read(const char *path, size_t max_size, lm_file *file, lm_error *error) {
    size_t length = strcmp(path, "-") == 0 ? 0 : tool_archive_length(path);
    if (length == 0)
        return lm_file_read(path, max_size ? max_size : TOOL_LARGEST_INPUT, file, error);
    *file = (lm_file){0};
    lm_archive *archive = tool_archive(path, length, error);
    return archive && lm_archive_read_file(archive, path + length + 1, max_size, file, error);
}

bool tool_file_exists(const char *path) {
    struct stat status;
    lm_error error;
    if (stat(path, &status) == 0)
        return S_ISREG(status.st_mode);
    size_t length = tool_archive_length(path);
    lm_archive *archive = length > 0 ? tool_archive(path, length, &error) : NULL;
    const lm_member *member = archive ? lm_archive_find(archive, path + length + 1) : NULL;
    return member && member->code == LM_CODE_OK;
}

/* ---- Places -----------------------------------------------------------------------------------
 */

static bool fail_memory(lm_error *error) {
    *error = (lm_error){.code = LM_CODE_OUT_OF_MEMORY, .message = "there is not enough memory"};
    return false;
}

static char *copy_of(const char *text, size_t length, const char *if_empty) {
    if (length == 0) {
        text = if_empty;
        length = strlen(if_empty);
    }
    char *copy = malloc(length + 1);
    if (copy) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

static bool open_folder(const char *path, tool_place *place, lm_error *error) {
    place->opened = lm_folder_open(path, error);
    if (place->opened)
        place->files = lm_folder_files(place->opened);
    return place->opened;
}

static bool open_archive(const char *path, size_t length, tool_place *place, lm_error *error) {
    lm_archive *archive = tool_archive(path, length, error);
    if (archive)
        place->files = lm_archive_files(archive);
    return archive;
}

bool tool_files_for_input(const char *path, tool_place *place, lm_error *error) {
    size_t length = tool_archive_length(path), before = length ? length + 1 : 0;
    size_t end = (size_t)(tool_base_name(path) - path);
    *place = (tool_place){0};
    char *folder = copy_of(path, length ? 0 : end, ".");
    while (length && end > before && path[end - 1] == '/')
        end--;
    place->folder = copy_of(path + before, length ? end - before : 0, "");
    bool ok = folder && place->folder;
    if (!ok)
        fail_memory(error);
    else if (length)
        ok = open_archive(path, length, place, error);
    else
        ok = open_folder(folder, place, error);
    free(folder);
    if (!ok)
        tool_place_close(place);
    return ok;
}

bool tool_files_for_game(const char *path, tool_place *place, lm_error *error) {
    *place = (tool_place){0};
    return lm_archive_is(path) ? open_archive(path, strlen(path), place, error)
                               : open_folder(path, place, error);
}

void tool_place_close(tool_place *place) {
    lm_folder_close(place->opened);
    free(place->folder);
    *place = (tool_place){0};
}
