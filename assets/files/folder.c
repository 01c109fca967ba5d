/* A folder as a view of files. What is looked for is found by listing folders, because letters may
 * be in either case; where it really is, links followed, decides whether it is given out. */
#include "lerpmesh/io.h"

#include "core/report.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A tree of links may offer more ways than there are folders. */
#define MAX_STEPS 1000

/* What a folder holds, in byte order. */
typedef struct listing {
    struct listing *next;
    char *path; /* of the folder below the root, "" for the root */
    size_t num_names;
    char **names;
} listing;

struct lm_folder {
    lm_files files;
    char *root; /* without links */
    listing *listings;
};

/* ---- Listings ---------------------------------------------------------------------------------
 */

static int compare_names(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void free_listing(listing *l) {
    for (size_t i = 0; i < l->num_names; i++)
        free(l->names[i]);
    free((void *)l->names);
    free(l->path);
    free(l);
}

static bool add_name(listing *l, const char *name, size_t *capacity) {
    if (l->num_names == *capacity) {
        size_t wanted = *capacity ? *capacity * 2 : 32;
        char **grown = realloc((void *)l->names, wanted * sizeof *grown);
        if (!grown)
            return false;
        l->names = grown;
        *capacity = wanted;
    }
    l->names[l->num_names] = strdup(name);
    return l->names[l->num_names++] != NULL;
}

static void read_names(listing *l, DIR *stream) {
    size_t capacity = 0;
    bool more = true;
    for (const struct dirent *entry; more && (entry = readdir(stream));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            more = add_name(l, entry->d_name, &capacity);
    while (l->num_names && !l->names[l->num_names - 1])
        l->num_names--;
    if (l->num_names)
        qsort((void *)l->names, l->num_names, sizeof *l->names, compare_names);
}

/* ROOT/PATH, for the caller to free. */
static char *full_path(const lm_folder *folder, const char *path) {
    size_t size = strlen(folder->root) + strlen(path) + 2;
    char *full = malloc(size);
    if (full)
        snprintf(full, size, "%s/%s", folder->root, path);
    return full;
}

/* The names in a folder below the root; a folder that cannot be read has none. NULL without
 * memory. */
static const listing *list(lm_folder *folder, const char *path) {
    for (const listing *l = folder->listings; l; l = l->next)
        if (strcmp(l->path, path) == 0)
            return l;
    listing *made = calloc(1, sizeof *made);
    char *full = full_path(folder, path);
    if (made)
        made->path = strdup(path);
    if (!made || !full || !made->path) {
        free(full);
        if (made)
            free_listing(made);
        return NULL;
    }
    DIR *stream = opendir(full);
    free(full);
    if (stream) {
        read_names(made, stream);
        closedir(stream);
    }
    made->next = folder->listings;
    folder->listings = made;
    return made;
}

/* ---- Finding ----------------------------------------------------------------------------------
 */

typedef enum where {
    NOWHERE,
    INSIDE,
    OUTSIDE
} where;

/* Where a path really is. */
static where locate(const lm_folder *folder, const char *path, char **real) {
    char *full = full_path(folder, path);
    *real = full ? realpath(full, NULL) : NULL;
    free(full);
    if (!*real)
        return NOWHERE;
    size_t length = strlen(folder->root);
    bool inside = strncmp(*real, folder->root, length) == 0 &&
                  ((*real)[length] == '/' || (*real)[length] == '\0');
    return inside ? INSIDE : OUTSIDE;
}

/* Opens a real path below the root for reading, following no link: what has become one meanwhile
 * is not opened. -1 if that fails. */
static int open_real(const lm_folder *folder, const char *real) {
    const char *part = real + strlen(folder->root);
    int at = open(*folder->root ? folder->root : "/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    while (at >= 0 && *part) {
        char name[LM_PATH_SIZE];
        size_t length = strcspn(++part, "/");
        if (length >= sizeof name) {
            close(at);
            return -1;
        }
        memcpy(name, part, length);
        name[length] = '\0';
        part += length;
        int flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | (*part ? O_DIRECTORY : 0);
        int next = openat(at, name, flags);
        close(at);
        at = next;
    }
    return at;
}

static bool is_file(const char *real) {
    struct stat info;
    return stat(real, &info) == 0 && S_ISREG(info.st_mode);
}

static lm_find judge(const lm_folder *folder, const char *path) {
    char *real;
    where place = locate(folder, path, &real);
    lm_find found = LM_FIND_NOTHING;
    if (place == OUTSIDE)
        found = LM_FIND_OUTSIDE;
    else if (place == INSIDE && is_file(real))
        found = LM_FIND_FILE;
    free(real);
    return found;
}

/* A walk along a path, a part at a time; `actual` is what is walked so far. */
typedef struct walk {
    lm_folder *folder;
    unsigned steps;
    char *actual;
} walk;

static bool same_letters(const char *name, const char *part, size_t length) {
    for (size_t i = 0; i < length; i++) {
        char a = name[i] >= 'A' && name[i] <= 'Z' ? (char)(name[i] + 32) : name[i];
        char b = part[i] >= 'A' && part[i] <= 'Z' ? (char)(part[i] + 32) : part[i];
        if (a != b)
            return false;
    }
    return name[length] == '\0';
}

static lm_find walk_on(walk *w, size_t used, const char *path);

/* Goes on with a name that fits the path's first part, of `length` bytes. */
// NOLINTNEXTLINE(misc-no-recursion)
static lm_find enter(walk *w, size_t used, const char *name, const char *path, size_t length) {
    size_t now = used + (used > 0) + length;
    if (now >= LM_PATH_SIZE)
        return LM_FIND_NOTHING;
    snprintf(w->actual + used, LM_PATH_SIZE - used, "%s%s", used ? "/" : "", name);
    if (path[length] == '\0')
        return judge(w->folder, w->actual);
    char *real;
    where place = locate(w->folder, w->actual, &real);
    free(real);
    if (place != INSIDE)
        return place == OUTSIDE ? LM_FIND_OUTSIDE : LM_FIND_NOTHING;
    return walk_on(w, now, path + length + 1);
}

/* Tries the exact spelling first, then every other, until one leads to a file. Parts are at most
 * LM_PATH_SIZE / 2, so that this is not deep. */
// NOLINTNEXTLINE(misc-no-recursion)
static lm_find walk_on(walk *w, size_t used, const char *path) {
    size_t length = strcspn(path, "/");
    lm_find best = LM_FIND_NOTHING;
    w->actual[used] = '\0';
    const listing *l = w->steps++ < MAX_STEPS ? list(w->folder, w->actual) : NULL;
    for (int exact = 1; l && exact >= 0; exact--)
        for (size_t i = 0; i < l->num_names; i++) {
            bool same = strlen(l->names[i]) == length && memcmp(l->names[i], path, length) == 0;
            if (same != (exact == 1) || !same_letters(l->names[i], path, length))
                continue;
            lm_find found = enter(w, used, l->names[i], path, length);
            if (found == LM_FIND_FILE)
                return found;
            best = found == LM_FIND_OUTSIDE ? found : best;
        }
    return best;
}

static lm_find folder_find(void *user, const char *path, char actual[LM_PATH_SIZE]) {
    char clean[LM_PATH_SIZE];
    walk w = {user, 0, actual};
    bool sound = lm_path_clean(path, clean) && strcmp(clean, path) == 0;
    lm_find found = sound ? walk_on(&w, 0, path) : LM_FIND_NOTHING;
    if (found != LM_FIND_FILE)
        actual[0] = '\0';
    return found;
}

/* ---- Reading ----------------------------------------------------------------------------------
 */

static bool read_file(int descriptor, const char *path, size_t max_size, lm_buffer *out,
                      lm_error *error) {
    size_t most = max_size ? max_size : SIZE_MAX, total = 0;
    for (;;) {
        uint8_t step[16384];
        ssize_t got = read(descriptor, step, sizeof step);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return lm_fail_plain(error, LM_CODE_IO, "cannot read %s: %s", path, strerror(errno));
        if (got == 0)
            break;
        if ((size_t)got > most - total)
            return lm_fail_plain(error, LM_CODE_LIMIT, "%s has more than the limit of %zu bytes",
                                 path, max_size);
        total += (size_t)got;
        lm_buffer_append(out, step, (size_t)got);
    }
    return !out->failed || lm_fail_plain(error, LM_CODE_OUT_OF_MEMORY, "%s: out of memory", path);
}

static bool folder_read(void *user, const char *path, size_t max_size, lm_buffer *out,
                        lm_error *error) {
    const lm_folder *folder = user;
    char clean[LM_PATH_SIZE];
    char *real = NULL;
    struct stat info;
    bool sound = lm_path_clean(path, clean) && strcmp(clean, path) == 0;
    bool inside = sound && locate(folder, path, &real) == INSIDE;
    int descriptor = inside ? open_real(folder, real) : -1;
    free(real);
    if (descriptor < 0)
        return lm_fail_plain(error, LM_CODE_IO, "cannot open %s in %s", path, folder->files.name);
    bool done = fstat(descriptor, &info) == 0 && S_ISREG(info.st_mode);
    if (!done)
        lm_fail_plain(error, LM_CODE_IO, "%s in %s is no file", path, folder->files.name);
    done = done && read_file(descriptor, path, max_size, out, error);
    close(descriptor);
    return done;
}

/* ---- Opening ----------------------------------------------------------------------------------
 */

lm_folder *lm_folder_open(const char *path, lm_error *error) {
    lm_folder *folder = calloc(1, sizeof *folder);
    char *name = strdup(path);
    char *root = realpath(path, NULL);
    struct stat info;
    bool there = root && stat(root, &info) == 0;
    if (there && !S_ISDIR(info.st_mode)) {
        errno = ENOTDIR;
        there = false;
    }
    if (!folder || !name || !there) {
        lm_fail_plain(error, LM_CODE_IO, "cannot open the folder %s: %s", path, strerror(errno));
        free(folder);
        free(name);
        free(root);
        return NULL;
    }
    /* The root of all is "", so that a path below it begins with '/' as everywhere. */
    if (strcmp(root, "/") == 0)
        root[0] = '\0';
    folder->root = root;
    folder->files = (lm_files){folder, name, folder_find, folder_read};
    return folder;
}

const lm_files *lm_folder_files(const lm_folder *folder) {
    return &folder->files;
}

void lm_folder_close(lm_folder *folder) {
    if (!folder)
        return;
    while (folder->listings) {
        listing *next = folder->listings->next;
        free_listing(folder->listings);
        folder->listings = next;
    }
    free((void *)folder->files.name);
    free(folder->root);
    free(folder);
}
