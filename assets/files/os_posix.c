#ifndef _WIN32

#include "files/os.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* The limit of one call: macOS rejects 2 GiB and more. */
#define AT_ONCE ((size_t)1 << 30)

static size_t at_once(size_t size) {
    return size < AT_ONCE ? size : AT_ONCE;
}

int lm_os_open(const char *path, bool patient) {
    return open(path, O_RDONLY | O_CLOEXEC | (patient ? 0 : O_NONBLOCK));
}

int lm_os_open_to_write(const char *path) {
    return open(path, O_WRONLY | O_CLOEXEC);
}

/* mkstemp would make files that only their owner can read. The right mode needs umask(), which can
 * only be read by changing it for all threads. */
static int create(const char *path, mode_t mode) {
    return open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
}

/* A file that cannot have the group gives its group no more than everyone. A file whose mode cannot
 * be set stays private. */
int lm_os_create(const char *path, const char *like) {
    struct stat info;
    if (stat(like, &info) != 0 || !S_ISREG(info.st_mode))
        return create(path, 0666);
    const int file = create(path, 0600);
    mode_t mode = info.st_mode & 0777;
    if (file < 0)
        return -1;
    if (fchown(file, info.st_uid, info.st_gid) != 0 && fchown(file, (uid_t)-1, info.st_gid) != 0)
        mode = (mode & 0707) | (mode & 0007) << 3;
    (void)fchmod(file, mode);
    return file;
}

bool lm_os_close(int file) {
    return close(file) == 0;
}

static lm_path_kind kind_of(const struct stat *info) {
    return S_ISREG(info->st_mode)   ? LM_PATH_FILE
           : S_ISDIR(info->st_mode) ? LM_PATH_FOLDER
                                    : LM_PATH_OTHER;
}

lm_path_kind lm_os_stat(int file, uint64_t *size) {
    struct stat info;
    *size = 0;
    if (fstat(file, &info) != 0)
        return LM_PATH_NOTHING;
    if (S_ISREG(info.st_mode) && info.st_size > 0)
        *size = (uint64_t)info.st_size;
    return kind_of(&info);
}

lm_path_kind lm_os_kind_of(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 ? kind_of(&info) : LM_PATH_NOTHING;
}

bool lm_os_is_link(const char *path) {
    struct stat info;
    return lstat(path, &info) == 0 && S_ISLNK(info.st_mode);
}

void lm_path_identify(const char *path, lm_path_identity *identity) {
    struct stat info;
    *identity = (lm_path_identity){0};
    if (path && stat(path, &info) == 0)
        *identity =
            (lm_path_identity){(uint64_t)info.st_dev, (uint64_t)info.st_ino, kind_of(&info)};
}

bool lm_os_make_folder(const char *path) {
    return mkdir(path, 0777) == 0;
}

// NOLINTNEXTLINE(readability-non-const-parameter): another system fills them
void lm_utf8_arguments(int *argc, char ***argv) {
    (void)argc, (void)argv;
}

int64_t lm_os_read(int file, void *bytes, size_t size) {
    ssize_t got;
    do
        got = read(file, bytes, at_once(size));
    while (got < 0 && errno == EINTR);
    return got;
}

int64_t lm_os_read_at(int file, uint64_t offset, void *bytes, size_t size) {
    ssize_t got;
    do
        got = pread(file, bytes, at_once(size), (off_t)offset);
    while (got < 0 && errno == EINTR);
    return got;
}

int64_t lm_os_write(int file, const void *bytes, size_t size) {
    ssize_t put;
    do
        put = write(file, bytes, at_once(size));
    while (put < 0 && errno == EINTR);
    return put;
}

bool lm_os_flush(int file) {
    const bool flushed = fsync(file) == 0;
#ifdef POSIX_FADV_DONTNEED
    const int problem = errno;
    (void)posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED); /* a hint: failure does not matter */
    errno = problem;
#endif
    return flushed;
}

bool lm_os_flush_folder(const char *path) {
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool flushed = folder >= 0 && fsync(folder) == 0;
    int problem = errno;
    if (folder >= 0)
        close(folder);
    errno = problem;
    return flushed;
}

int lm_os_lock_folder(const char *path) {
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int result = -1;
    while (folder >= 0 && (result = flock(folder, LOCK_EX)) != 0 && errno == EINTR)
        ;
    if (folder >= 0 && result != 0) {
        close(folder);
        return -1;
    }
    return folder;
}

void lm_os_unlock_folder(int lock) {
    if (lock >= 0)
        close(lock);
}

bool lm_os_replace(const char *from, const char *to) {
    return rename(from, to) == 0;
}

void lm_os_remove(const char *path) {
    unlink(path);
}

unsigned lm_os_process(void) {
    return (unsigned)getpid();
}

char *lm_os_real_path(const char *path) {
    char *real = realpath(path, NULL);
    if (real && strcmp(real, "/") == 0)
        real[0] = '\0';
    return real;
}

int lm_os_open_real(const char *root, const char *real) {
    const char *part = real + strlen(root);
    int at = open(*root ? root : "/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    while (at >= 0 && *part) {
        char name[NAME_MAX + 1];
        size_t length = strcspn(++part, "/");
        int next = -1;
        if (length < sizeof name) {
            memcpy(name, part, length);
            name[length] = '\0';
            part += length;
            next =
                openat(at, name,
                       O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | (*part ? O_DIRECTORY : 0));
        }
        close(at);
        at = next;
    }
    return at;
}

bool lm_os_list(const char *path, bool (*each)(void *user, const char *name), void *user) {
    DIR *stream = opendir(path);
    bool more = stream != NULL;
    for (const struct dirent *entry; more && (entry = readdir(stream));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            more = each(user, entry->d_name);
    if (stream)
        closedir(stream);
    return stream != NULL;
}

#else
typedef int lm_no_posix; /* a translation unit must not be empty */
#endif
