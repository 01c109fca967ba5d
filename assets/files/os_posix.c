#ifndef _WIN32

#if defined __linux__ && !defined _GNU_SOURCE
#define _GNU_SOURCE /* O_PATH */ // NOLINT(bugprone-reserved-identifier)
#endif
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

int lmi_os_open(const char *path, bool patient) {
    return open(path, O_RDONLY | O_CLOEXEC | (patient ? 0 : O_NONBLOCK));
}

int lmi_os_open_to_write(const char *path) {
    return open(path, O_WRONLY | O_CLOEXEC);
}

bool lmi_os_close(int file) {
    return close(file) == 0;
}

static lm_path_kind kind_of(const struct stat *info) {
    return S_ISREG(info->st_mode)   ? LM_PATH_FILE
           : S_ISDIR(info->st_mode) ? LM_PATH_FOLDER
                                    : LM_PATH_OTHER;
}

lm_path_kind lmi_os_stat(int file, uint64_t *size) {
    struct stat info;
    *size = 0;
    if (fstat(file, &info) != 0)
        return LM_PATH_NOTHING;
    if (S_ISREG(info.st_mode) && info.st_size > 0)
        *size = (uint64_t)info.st_size;
    return kind_of(&info);
}

lm_path_kind lmi_os_kind_of(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 ? kind_of(&info) : LM_PATH_NOTHING;
}

bool lmi_os_is_link(const char *path) {
    struct stat info;
    return lstat(path, &info) == 0 && S_ISLNK(info.st_mode);
}

void lmi_path_identify(const char *path, lm_path_identity *identity) {
    struct stat info;
    *identity = (lm_path_identity){0};
    if (path && stat(path, &info) == 0)
        *identity =
            (lm_path_identity){(uint64_t)info.st_dev, (uint64_t)info.st_ino, kind_of(&info)};
}

bool lmi_os_make_folder(const char *path) {
    return mkdir(path, 0777) == 0;
}

// NOLINTNEXTLINE(readability-non-const-parameter): another system fills them
void lmi_utf8_arguments(int *argc, char ***argv) {
    (void)argc, (void)argv;
}

int64_t lmi_os_read(int file, void *bytes, size_t size) {
    ssize_t got;
    do
        got = read(file, bytes, at_once(size));
    while (got < 0 && errno == EINTR);
    return got;
}

int64_t lmi_os_read_at(int file, uint64_t offset, void *bytes, size_t size) {
    ssize_t got;
    do
        got = pread(file, bytes, at_once(size), (off_t)offset);
    while (got < 0 && errno == EINTR);
    return got;
}

int64_t lmi_os_write(int file, const void *bytes, size_t size) {
    ssize_t put;
    do
        put = write(file, bytes, at_once(size));
    while (put < 0 && errno == EINTR);
    return put;
}

bool lmi_os_flush(int file) {
    const bool flushed = fsync(file) == 0;
#ifdef POSIX_FADV_DONTNEED
    const int problem = errno;
    (void)posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED); /* a hint: failure does not matter */
    errno = problem;
#endif
    return flushed;
}

/* ---- Writing in a folder --------------------------------------------------------------------- */

/* Without O_PATH or O_SEARCH, the folder must be readable. */
#if defined O_PATH
#define OPEN_FOLDER (O_PATH | O_DIRECTORY | O_CLOEXEC)
#elif defined O_SEARCH
#define OPEN_FOLDER (O_SEARCH | O_DIRECTORY | O_CLOEXEC)
#else
#define OPEN_FOLDER (O_RDONLY | O_DIRECTORY | O_CLOEXEC)
#endif

static int base_of(int folder) {
    return folder == LM_OS_ANY_FOLDER ? AT_FDCWD : folder;
}

/* Returns the path of a file relative to base_of(folder). */
static const char *path_in(int folder, const char *path) {
    const char *slash = folder == LM_OS_ANY_FOLDER ? NULL : strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static int stat_in(int folder, const char *path, struct stat *info) {
    return fstatat(base_of(folder), path_in(folder, path), info,
                   folder == LM_OS_ANY_FOLDER ? 0 : AT_SYMLINK_NOFOLLOW);
}

/* Opens the folder `name` of an open folder, or creates it, and closes the other. Systems disagree
 * on the errno of a link. */
static int enter(int at, const char *name, size_t length) {
    char part[NAME_MAX + 1];
    struct stat info;
    int next = -1;
    errno = length < sizeof part ? ELOOP : ENAMETOOLONG;
    snprintf(part, sizeof part, "%.*s", length < sizeof part ? (int)length : 0, name);
    if (strlen(part) == length && strcmp(part, "..") != 0) {
        next = openat(at, part, OPEN_FOLDER | O_NOFOLLOW);
        if (next < 0 && errno == ENOENT && (mkdirat(at, part, 0777) == 0 || errno == EEXIST))
            next = openat(at, part, OPEN_FOLDER | O_NOFOLLOW);
        const int problem = errno;
        const bool is_link =
            next < 0 && fstatat(at, part, &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(info.st_mode);
        errno = is_link ? ELOOP : problem;
    }
    lmi_os_close_folder(at);
    return next;
}

int lmi_os_open_folder(const char *path, const char *below) {
    if (!below)
        return LM_OS_ANY_FOLDER;
    char root[4096]; /* no system opens a longer path */
    const size_t length = (size_t)(below - path);
    errno = ENAMETOOLONG;
    snprintf(root, sizeof root, "%.*s", (int)length, path);
    int at = length < sizeof root ? open(length > 0 ? root : ".", OPEN_FOLDER) : -1;
    for (const char *slash; at >= 0 && (slash = strchr(below, '/')); below = slash + 1)
        if (slash > below)
            at = enter(at, below, (size_t)(slash - below));
    return at;
}

void lmi_os_close_folder(int folder) {
    const int problem = errno;
    if (folder >= 0)
        close(folder);
    errno = problem;
}

lm_path_kind lmi_os_kind_in(int folder, const char *path) {
    struct stat info;
    return stat_in(folder, path, &info) == 0 && !S_ISLNK(info.st_mode) ? kind_of(&info)
                                                                       : LM_PATH_NOTHING;
}

/* mkstemp would make files that only their owner can read. The right mode needs umask(), which can
 * only be read by changing it for all threads. */
static int create(int folder, const char *path, mode_t mode) {
    return openat(base_of(folder), path_in(folder, path),
                  O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
}

/* A file that cannot have the group gives its group no more than everyone. A file whose mode cannot
 * be set stays private. */
int lmi_os_create(int folder, const char *path, int like_folder, const char *like) {
    struct stat info;
    if (stat_in(like_folder, like, &info) != 0 || !S_ISREG(info.st_mode))
        return create(folder, path, 0666);
    const int file = create(folder, path, 0600);
    mode_t mode = info.st_mode & 0777;
    if (file < 0)
        return -1;
    if (fchown(file, info.st_uid, info.st_gid) != 0 && fchown(file, (uid_t)-1, info.st_gid) != 0)
        mode = (mode & 0707) | (mode & 0007) << 3;
    (void)fchmod(file, mode);
    return file;
}

int lmi_os_open_created(int folder, const char *path) {
    return openat(base_of(folder), path_in(folder, path),
                  O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
}

bool lmi_os_replace(int folder, const char *from, const char *to) {
    return renameat(base_of(folder), path_in(folder, from), base_of(folder), path_in(folder, to)) ==
           0;
}

void lmi_os_remove(int folder, const char *path) {
    unlinkat(base_of(folder), path_in(folder, path), 0);
}

void lmi_os_remove_folder(int folder, const char *path) {
    unlinkat(base_of(folder), path_in(folder, path), AT_REMOVEDIR);
}

/* Opens the folder itself for reading. */
static int read_folder(int folder, const char *path) {
    return openat(base_of(folder), folder == LM_OS_ANY_FOLDER ? path : ".",
                  O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

bool lmi_os_flush_folder(int folder, const char *path) {
    const int file = read_folder(folder, path);
    const bool flushed = file >= 0 && fsync(file) == 0;
    lmi_os_close_folder(file);
    return flushed;
}

int lmi_os_lock_folder(int folder, const char *path) {
    const int file = read_folder(folder, path);
    int result = -1;
    while (file >= 0 && (result = flock(file, LOCK_EX)) != 0 && errno == EINTR)
        ;
    if (file >= 0 && result != 0) {
        close(file);
        return -1;
    }
    return file;
}

void lmi_os_unlock_folder(int lock) {
    lmi_os_close_folder(lock);
}

/* ---- The process, and reading ---------------------------------------------------------------- */

unsigned lmi_os_process(void) {
    return (unsigned)getpid();
}

char *lmi_os_real_path(const char *path) {
    char *real = realpath(path, NULL);
    if (real && strcmp(real, "/") == 0)
        real[0] = '\0';
    return real;
}

int lmi_os_open_real(const char *root, const char *real) {
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

bool lmi_os_list(const char *path, bool (*each)(void *user, const char *name), void *user) {
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
