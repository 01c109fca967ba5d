/* A file system for assets/files, which JavaScript provides: files in memory, a browser's Files, or
 * Node's disk. Error numbers are WASI's, as in this libc. */
#include "files/os.h"

#include "internals.h"
#include "web.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Each returns its result, or -errno. */
#define FILES(name) WEB_IMPORT("files", #name) int name
/* Mode 0: read, 1: write, 2: create with the permissions of `like` */
FILES(files_open)(const char *path, int mode, const char *like);
FILES(files_close)(int file);
FILES(files_kind)(const char *path);
FILES(files_kind_of_open)(int file);
WEB_IMPORT("files", "files_size") double files_size(int file);
/* Reads from `offset`; -1: from the current position. */
FILES(files_read)(int file, double offset, void *bytes, size_t size);
FILES(files_write)(int file, const void *bytes, size_t size);
FILES(files_flush)(int file);
FILES(files_is_link)(const char *path);
FILES(files_make_folder)(const char *path);
/* Lists the program's arguments in the form of files_list, and returns their number. */
FILES(files_arguments)(char **out);
FILES(files_replace)(const char *from, const char *to);
FILES(files_remove)(const char *path);
FILES(files_remove_folder)(const char *path);
/* Set *out to memory from web_alloc: the NUL-terminated names in a folder, ended by an empty name;
 * a path. */
FILES(files_list)(const char *path, char **out);
FILES(files_real_path)(const char *path, char **out);
WEB_IMPORT("files", "files_process") unsigned files_process(void);

/* Limits the size of one read or write, because an int returns the count. */
static size_t limit_size(size_t size) {
    return size < (size_t)1 << 30 ? size : (size_t)1 << 30;
}

/* Returns -1 and sets errno if the result is -errno. */
static int check_result(int result) {
    if (result >= 0)
        return result;
    errno = -result;
    return -1;
}

int lmi_os_open(const char *path, bool patient) {
    (void)patient;
    return check_result(files_open(path, 0, NULL));
}

int lmi_os_open_to_write(const char *path) {
    return check_result(files_open(path, 1, NULL));
}

bool lmi_os_close(int file) {
    return check_result(files_close(file)) == 0;
}

lm_path_kind lmi_os_stat(int file, uint64_t *size) {
    const lm_path_kind kind = (lm_path_kind)files_kind_of_open(file);
    *size = kind == LM_PATH_FILE ? (uint64_t)files_size(file) : 0;
    return kind;
}

lm_path_kind lmi_os_kind_of(const char *path) {
    const int kind = check_result(files_kind(path));
    return kind < 0 ? LM_PATH_NOTHING : (lm_path_kind)kind;
}

/* JavaScript has no file numbers, so a hash (FNV-1a) of the real path serves as one. */
void lmi_path_identify(const char *path, lm_path_identity *identity) {
    char *real = path ? lmi_os_real_path(path) : NULL;
    uint64_t number = UINT64_C(0xCBF29CE484222325);
    for (const char *c = real; c && *c; c++)
        number = (number ^ (uint8_t)*c) * UINT64_C(0x100000001B3);
    *identity = real ? (lm_path_identity){0, number, lmi_os_kind_of(path)} : (lm_path_identity){0};
    free(real);
}

bool lmi_os_is_link(const char *path) {
    return files_is_link(path) > 0;
}

bool lmi_os_make_folder(const char *path) {
    return check_result(files_make_folder(path)) == 0;
}

void lmi_utf8_arguments(int *argc, char ***argv) {
    char *all = NULL;
    const int found = files_arguments(&all);
    char **texts = found > 0 ? calloc((size_t)found + 1, sizeof *texts) : NULL;
    for (int i = 0; texts && i < found; i++, all += strlen(all) + 1)
        texts[i] = all;
    *argc = texts ? found : *argc;
    *argv = texts ? texts : *argv;
}

int64_t lmi_os_read(int file, void *bytes, size_t size) {
    return check_result(files_read(file, -1, bytes, limit_size(size)));
}

int64_t lmi_os_read_at(int file, uint64_t offset, void *bytes, size_t size) {
    return check_result(files_read(file, (double)offset, bytes, limit_size(size)));
}

int64_t lmi_os_write(int file, const void *bytes, size_t size) {
    return check_result(files_write(file, bytes, size)) == 0 ? (int64_t)size : -1;
}

bool lmi_os_flush(int file) {
    return check_result(files_flush(file)) == 0;
}

int lmi_os_create(int folder, const char *path, int like_folder, const char *like) {
    (void)folder;
    return check_result(
        files_open(path, 2, lmi_os_kind_in(like_folder, like) == LM_PATH_FILE ? like : ""));
}

bool lmi_os_flush_folder(int folder, const char *path) {
    (void)folder, (void)path; /* Node cannot do this */
    return true;
}

/* Locks nothing: there is one thread, and JavaScript cannot lock folders. */
int lmi_os_lock_folder(int folder, const char *path) {
    (void)folder, (void)path;
    return -1;
}

void lmi_os_unlock_folder(int lock) {
    (void)lock;
}

bool lmi_os_replace(int folder, const char *from, const char *to) {
    (void)folder;
    return check_result(files_replace(from, to)) == 0;
}

void lmi_os_remove(int folder, const char *path) {
    (void)folder;
    (void)files_remove(path);
}

void lmi_os_remove_folder(int folder, const char *path) {
    (void)folder;
    (void)files_remove_folder(path);
}

unsigned lmi_os_process(void) {
    return files_process();
}

char *lmi_os_real_path(const char *path) {
    char *real = NULL;
    return check_result(files_real_path(path, &real)) == 0 ? real : NULL;
}

int lmi_os_open_real(const char *root, const char *real) {
    (void)root;
    return lmi_os_open(real, false);
}

bool lmi_os_list(const char *path, bool (*each)(void *user, const char *name), void *user) {
    char *names = NULL;
    if (check_result(files_list(path, &names)) < 0)
        return false;
    for (const char *name = names; *name && each(user, name); name += strlen(name) + 1)
        ;
    free(names);
    return true;
}
