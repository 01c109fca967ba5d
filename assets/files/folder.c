/* A folder as a view of files. Names are case-insensitive, so they are found by listing folders. A
 * file is only returned if its real path, with links resolved, is inside the folder. A folder of a
 * view as a view of its own. */
#include "files/file.h"

#include "core/report.h"
#include "core/text.h"
#include "files/os.h"
#include "files/path.h"
#include "lerpmesh/files.h"
#include "lock.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Lists of names -------------------------------------------------------------------------- */

void lmi_listing_add(lm_listing *listing, const char *name, size_t length, lm_path_kind kind) {
    const char *copy = lmi_arena_text(listing->arena, name, length);
    listing->failed = listing->failed || !copy ||
                      !lmi_arena_grow(listing->arena, &listing->names, &listing->capacity,
                                      listing->count + 1, sizeof *listing->names);
    if (!listing->failed)
        listing->names[listing->count++] = (lm_listed){copy, kind, NULL};
}

bool lmi_listing_add_name(void *listing, const char *name) {
    lmi_listing_add(listing, name, strlen(name), LM_PATH_NOTHING);
    return !((lm_listing *)listing)->failed;
}

int lmi_compare_names(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void lmi_listing_sort(lm_listing *listing) {
    size_t count = 0;
    if (listing->count)
        qsort(listing->names, listing->count, sizeof *listing->names, lmi_compare_names);
    for (size_t i = 0; i < listing->count; i++)
        if (!count || strcmp(listing->names[count - 1].name, listing->names[i].name) != 0)
            listing->names[count++] = listing->names[i];
    listing->count = count;
}

static int compare_letters(const void *a, const void *b) {
    const char *left = (*(lm_listed *const *)a)->name, *right = (*(lm_listed *const *)b)->name;
    int order = lmi_compare_letters(left, right);
    return order ? order : strcmp(left, right);
}

/* Returns the first position of `by_letters` where a name of `length` bytes is or would be. The
 * entries from there on may match in another case. */
static size_t find_listed(const lm_listing *listing, const char *name, size_t length) {
    size_t first = 0, end = listing->count;
    while (first < end) {
        size_t middle = first + (end - first) / 2;
        if (lmi_compare_part(listing->by_letters[middle]->name, name, length) < 0)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

/* Links can make more paths than there are folders. */
#define MAX_STEPS 1000
#define MAX_FULL (4096 + LM_PATH_SIZE) /* no system opens a longer path than the root's */

/* Everything is in its arena. */
struct lm_folder {
    lm_files files;
    char *root;          /* without links */
    lm_lock lock;        /* guards the cached listings; a finished listing is constant */
    lm_listing *listing; /* of the root; NULL: not read yet */
};

/* ---- Listings -------------------------------------------------------------------------------- */

/* Writes ROOT/PATH to `full`. The root itself has no '/' at its end, unless it is "/". */
static const char *full_path(const lm_folder *folder, const char *path, char full[MAX_FULL]) {
    snprintf(full, MAX_FULL, "%s%s%s", folder->root, *path || !*folder->root ? "/" : "", path);
    return full;
}

/* Lists the folder at a path; empty if it cannot be read. NULL if there is no memory. */
static lm_listing *read_listing(const lm_folder *folder, const char *path) {
    char full[MAX_FULL];
    lm_listing *listing = lmi_arena_alloc(lmi_arena_of(folder), 1, sizeof *listing);
    if (!listing)
        return NULL;
    *listing = (lm_listing){.arena = lmi_arena_of(folder)};
    if (!lmi_os_list(full_path(folder, path, full), lmi_listing_add_name, listing))
        listing->failed = errno == ENOMEM;
    lmi_listing_sort(listing);
    listing->by_letters = lmi_arena_alloc(listing->arena, listing->count, sizeof(lm_listed *));
    if (listing->failed || !listing->by_letters)
        return NULL;
    for (size_t i = 0; i < listing->count; i++)
        listing->by_letters[i] = &listing->names[i];
    qsort((void *)listing->by_letters, listing->count, sizeof(lm_listed *), compare_letters);
    return listing;
}

/* Returns the names in the folder listed as `listed` (NULL: the root), and reads each folder only
 * once. NULL if there is no memory. */
static const lm_listing *names_in(lm_folder *folder, lm_listed *listed, const char *path) {
    lm_listing **listing = listed ? &listed->inside : &folder->listing;
    lm_lock_acquire(&folder->lock);
    if (!*listing)
        *listing = read_listing(folder, path);
    const lm_listing *names = *listing;
    lm_lock_release(&folder->lock);
    return names;
}

/* ---- Finding --------------------------------------------------------------------------------- */

/* Resolves a path. LM_FIND_FILE: it is inside the folder, and may be of any kind. */
static lm_find locate(const lm_folder *folder, const char *path, char **real) {
    char full[MAX_FULL];
    *real = lmi_os_real_path(full_path(folder, path, full));
    if (!*real)
        return errno == ENOMEM ? LM_FIND_OUT_OF_MEMORY : LM_FIND_NOTHING;
    size_t length = strlen(folder->root);
    bool inside = strncmp(*real, folder->root, length) == 0 &&
                  ((*real)[length] == '/' || (*real)[length] == '\0');
    return inside ? LM_FIND_FILE : LM_FIND_OUTSIDE;
}

/* Returns a path's kind, and the reason if it leads to nothing. */
static lm_find find_kind(const lm_folder *folder, const char *path, lm_path_kind *kind) {
    char *real;
    lm_find found = locate(folder, path, &real);
    *kind = found == LM_FIND_FILE ? lmi_os_kind_of(real) : LM_PATH_NOTHING;
    free(real);
    return found == LM_FIND_FILE ? LM_FIND_NOTHING : found;
}

/* A walk along a path, one part at a time; `actual` is the path walked so far. */
typedef struct walk {
    lm_folder *folder;
    lm_path_kind wanted;
    unsigned steps;
    char *actual;
    lm_listed *found; /* the last part */
} walk;

static lm_find walk_on(walk *w, lm_listed *in, size_t used, const char *path);

/* Continues with a name that matches the path's first part, of `length` bytes. */
// NOLINTNEXTLINE(misc-no-recursion)
static lm_find enter(walk *w, size_t used, lm_listed *listed, const char *path, size_t length) {
    size_t now = used + (used > 0) + length;
    if (now >= LM_PATH_SIZE)
        return LM_FIND_NOTHING;
    snprintf(w->actual + used, LM_PATH_SIZE - used, "%s%s", used ? "/" : "", listed->name);
    lm_path_kind kind;
    lm_find found = find_kind(w->folder, w->actual, &kind);
    bool last = path[length] == '\0';
    if (found != LM_FIND_NOTHING || kind != (last ? w->wanted : LM_PATH_FOLDER))
        return found;
    w->found = listed;
    return last ? LM_FIND_FILE : walk_on(w, listed, now, path + length + 1);
}

/* Tries the exact spelling first, then all others, until one leads to a file. A path has at most
 * LM_PATH_SIZE / 2 parts, which bounds the recursion. */
// NOLINTNEXTLINE(misc-no-recursion)
static lm_find walk_on(walk *w, lm_listed *in, size_t used, const char *path) {
    size_t length = strcspn(path, "/");
    lm_find best = LM_FIND_NOTHING;
    w->actual[used] = '\0';
    if (w->steps++ >= MAX_STEPS)
        return LM_FIND_NOTHING;
    const lm_listing *l = names_in(w->folder, in, w->actual);
    if (!l)
        return LM_FIND_OUT_OF_MEMORY;
    size_t first = find_listed(l, path, length);
    for (int exact = 1; exact >= 0; exact--)
        for (size_t i = first; i < l->count; i++) {
            lm_listed *listed = l->by_letters[i];
            if (strlen(listed->name) != length || !lmi_same_letters(listed->name, path, length))
                break;
            if ((memcmp(listed->name, path, length) == 0) != (exact == 1))
                continue;
            lm_find found = enter(w, used, listed, path, length);
            if (found == LM_FIND_FILE || found == LM_FIND_OUT_OF_MEMORY)
                return found;
            best = found == LM_FIND_OUTSIDE ? found : best;
        }
    return best;
}

/* `found` is the entry in the last folder's listing. */
static lm_find find(lm_folder *folder, lm_path_kind wanted, const char *path,
                    char actual[LM_PATH_SIZE], lm_listed **found) {
    walk w = {folder, wanted, 0, actual, NULL};
    lm_find result = lmi_path_is_clean(path) ? walk_on(&w, NULL, 0, path) : LM_FIND_NOTHING;
    if (result != LM_FIND_FILE)
        actual[0] = '\0';
    *found = w.found;
    return result;
}

static lm_find folder_find(void *user, const char *path, char actual[LM_PATH_SIZE]) {
    lm_listed *found;
    return find(user, LM_PATH_FILE, path, actual, &found);
}

static bool folder_list(void *user, const char *path, lm_list_each each, void *caller,
                        lm_error *error) {
    lm_folder *folder = user;
    char actual[LM_PATH_SIZE] = "", full[2 * LM_PATH_SIZE];
    lm_listed *entry = NULL;
    const lm_find found = *path ? find(folder, LM_PATH_FOLDER, path, actual, &entry) : LM_FIND_FILE;
    if (found == LM_FIND_OUT_OF_MEMORY)
        return lmi_fail_memory(error);
    if (found != LM_FIND_FILE)
        return lm_fail_plain(error, LM_CODE_IO, "no folder %s in %s", path, folder->files.name);
    const lm_listing *l = names_in(folder, entry, actual);
    if (!l)
        return lmi_fail_memory(error);
    for (size_t i = 0; i < l->count; i++) {
        lm_path_kind kind;
        const char *name = l->names[i].name;
        snprintf(full, sizeof full, "%s%s%s", actual, *actual ? "/" : "", name);
        if (find_kind(folder, full, &kind) == LM_FIND_OUT_OF_MEMORY)
            return lmi_fail_memory(error);
        if ((kind == LM_PATH_FILE || kind == LM_PATH_FOLDER) &&
            !each(caller, name, kind == LM_PATH_FOLDER))
            break;
    }
    return true;
}

/* ---- Reading --------------------------------------------------------------------------------- */

static bool read_all(int file, const char *path, size_t max_size, lm_buffer *out, lm_error *error) {
    uint64_t known_size;
    if (lmi_os_stat(file, &known_size) != LM_PATH_FILE)
        return lm_fail_plain(error, LM_CODE_IO, "%s is not a regular file", path);
    if (lmi_read_to_end(file, max_size, out))
        return true;
    if (errno == ENOMEM)
        return lm_fail_plain(error, LM_CODE_OUT_OF_MEMORY, "%s: out of memory", path);
    if (errno == EFBIG)
        return lm_fail_plain(error, LM_CODE_LIMIT, "%s exceeds the limit of %zu bytes", path,
                             max_size);
    return lm_fail_plain(error, LM_CODE_IO, "cannot read %s: %s", path, strerror(errno));
}

/* Opens a file of the folder. -1 with errno set on failure. */
static int open_inside(const lm_folder *folder, const char *path, lm_find *found) {
    char *real = NULL;
    *found = lmi_path_is_clean(path) ? locate(folder, path, &real) : LM_FIND_OUTSIDE;
    const int file = *found == LM_FIND_FILE ? lmi_os_open_real(folder->root, real) : -1,
              problem = errno;
    free(real);
    errno = problem;
    return file;
}

static bool folder_read(void *user, const char *path, size_t max_size, lm_buffer *out,
                        lm_error *error) {
    const lm_folder *folder = user;
    lm_find found;
    int file = open_inside(folder, path, &found);
    if (found == LM_FIND_OUT_OF_MEMORY)
        return lmi_fail_memory(error);
    if (file < 0)
        return lm_fail_plain(
            error, LM_CODE_IO, "cannot open %s in %s: %s", path ? path : "NULL", folder->files.name,
            found == LM_FIND_OUTSIDE ? "it lies outside the folder" : strerror(errno));
    bool done = read_all(file, path, max_size, out, error);
    lmi_os_close(file);
    return done;
}

static bool folder_peek(void *user, const char *path, size_t size, lm_buffer *out) {
    const lm_folder *folder = user;
    const size_t before = out->size;
    uint64_t known;
    lm_find found;
    int file = open_inside(folder, path, &found);
    out->failed = out->failed || found == LM_FIND_OUT_OF_MEMORY;
    if (file < 0)
        return false;
    uint8_t *bytes =
        lmi_os_stat(file, &known) == LM_PATH_FILE ? lm_buffer_reserve(out, size) : NULL;
    int64_t got = bytes ? lmi_os_read(file, bytes, size) : -1;
    lmi_os_close(file);
    out->size = before + (got > 0 ? (size_t)got : 0);
    return got >= 0;
}

/* ---- Opening --------------------------------------------------------------------------------- */

/* Creates the folder whose real path is `root`. NULL if there is no memory. */
static lm_folder *make_folder(const char *path, const char *root, const lm_allocator *memory) {
    lm_folder *folder = lmi_object_new(memory, sizeof *folder);
    if (!folder)
        return NULL;
    lm_arena *arena = lmi_arena_of(folder);
    *folder = (lm_folder){.files = {.user = folder,
                                    .name = lmi_copy_text(arena, path),
                                    .find = folder_find,
                                    .read = folder_read,
                                    .list = folder_list,
                                    .peek = folder_peek},
                          .root = lmi_copy_text(arena, root),
                          .lock = LM_LOCK_INIT};
    return lmi_object_end(folder, true);
}

lm_folder *lmi_folder_open(const char *path, const lm_allocator *memory, lm_error *error) {
    char *root = lmi_os_real_path(path);
    const bool out_of_memory = !root && errno == ENOMEM;
    lm_path_kind kind = root ? lmi_os_kind_of(*root ? root : "/") : LM_PATH_NOTHING;
    if (kind != LM_PATH_NOTHING && kind != LM_PATH_FOLDER)
        errno = ENOTDIR;
    const int problem = errno;
    lm_folder *folder = kind == LM_PATH_FOLDER ? make_folder(path, root, memory) : NULL;
    free(root);
    if (out_of_memory || (kind == LM_PATH_FOLDER && !folder))
        lmi_fail_memory(error);
    else if (!folder)
        lm_fail_plain(error, LM_CODE_IO, "cannot open folder %s: %s", path, strerror(problem));
    return folder;
}

const lm_files *lmi_folder_files(const lm_folder *folder) {
    return &folder->files;
}

void lmi_folder_free(lm_folder *folder) {
    lmi_object_free(folder);
}

/* ---- Views ----------------------------------------------------------------------------------- */

/* Copies the reason of a view to the caller's error. Adds the code and the message if they are
 * missing. */
static bool fail_view(lm_error *reason, lm_code code, const char *path, lm_error *error) {
    reason->code = reason->code ? reason->code : code;
    if (!*reason->message)
        lm_fail_plain(reason, reason->code, "cannot read %s: %s", path,
                      lm_code_meaning(reason->code));
    if (error)
        *error = *reason;
    return false;
}

bool lmi_view_read(const lm_files *files, const char *path, size_t max_size, lm_buffer *out,
                   lm_error *error) {
    const size_t before = out->size;
    lm_error reason = {0};
    if (files->read(files->user, path, max_size, out, &reason) && !out->failed)
        return true;
    lmi_restore(out, before);
    return fail_view(&reason,
                     !out->failed ? LM_CODE_IO
                     : out->full  ? LM_CODE_LIMIT
                                  : LM_CODE_OUT_OF_MEMORY,
                     path, error);
}

bool lmi_view_list(const lm_files *files, const char *folder, lm_list_each each, void *caller,
                   lm_error *error) {
    lm_error reason = {0};
    return files->list(files->user, folder, each, caller, &reason) ||
           fail_view(&reason, LM_CODE_IO, *folder ? folder : "the folder", error);
}

/* ---- A folder of a view ---------------------------------------------------------------------- */

bool lmi_path_join(const char *folder, const char *name, char path[LM_PATH_SIZE]) {
    const char *slash = *folder && *name ? "/" : "";
    return snprintf(path, LM_PATH_SIZE, "%s%s%s", folder, slash, name) < LM_PATH_SIZE;
}

lm_find lmi_find_in(const lm_files *files, const char *folder, const char *name,
                    char actual[LM_PATH_SIZE]) {
    char path[LM_PATH_SIZE];
    return name && lmi_path_join(folder, name, path) ? files->find(files->user, path, actual)
                                                     : LM_FIND_NOTHING;
}

typedef struct subfolder {
    lm_files view;
    const lm_files *files; /* the underlying view */
    const char *folder;
} subfolder;

static bool fail_missing(const subfolder *s, const char *path, lm_error *error) {
    return lm_fail_plain(error, LM_CODE_IO, "no file %s in %s", path ? path : "NULL", s->view.name);
}

static lm_find subfolder_find(void *user, const char *path, char actual[LM_PATH_SIZE]) {
    const subfolder *s = user;
    char found[LM_PATH_SIZE];
    const size_t length = strlen(s->folder), skipped = length + (length > 0);
    lm_find result = lmi_find_in(s->files, s->folder, path, found);
    if (result == LM_FIND_FILE && strlen(found) <= skipped)
        result = LM_FIND_NOTHING;
    snprintf(actual, LM_PATH_SIZE, "%s", result == LM_FIND_FILE ? found + skipped : "");
    return result;
}

static bool subfolder_read(void *user, const char *path, size_t max_size, lm_buffer *out,
                           lm_error *error) {
    const subfolder *s = user;
    char full[LM_PATH_SIZE]; /* the folder's spelling may be the caller's */
    const lm_find found = lmi_find_in(s->files, s->folder, path, full);
    return found == LM_FIND_FILE            ? lmi_view_read(s->files, full, max_size, out, error)
           : found == LM_FIND_OUT_OF_MEMORY ? lmi_fail_memory(error)
                                            : fail_missing(s, path, error);
}

static bool subfolder_list(void *user, const char *folder, lm_list_each each, void *caller,
                           lm_error *error) {
    const subfolder *s = user;
    char full[LM_PATH_SIZE];
    return lmi_path_join(s->folder, folder, full)
               ? lmi_view_list(s->files, full, each, caller, error)
               : fail_missing(s, folder, error);
}

static bool subfolder_peek(void *user, const char *path, size_t size, lm_buffer *out) {
    const subfolder *s = user;
    char full[LM_PATH_SIZE];
    const lm_find found = lmi_find_in(s->files, s->folder, path, full);
    out->failed = out->failed || found == LM_FIND_OUT_OF_MEMORY;
    return found == LM_FIND_FILE && s->files->peek(s->files->user, full, size, out);
}

const lm_files *lmi_subfolder_open(const lm_files *files, const char *folder, const char *name,
                                   lm_arena *arena) {
    subfolder *s = lmi_arena_alloc(arena, 1, sizeof *s);
    const char *own_name = lmi_copy_text(arena, name);
    const char *own_folder = lmi_copy_text(arena, folder);
    if (!s || !own_name || !own_folder)
        return NULL;
    *s = (subfolder){.view = {.user = s,
                              .name = own_name,
                              .find = subfolder_find,
                              .read = subfolder_read,
                              .list = files->list ? subfolder_list : NULL,
                              .peek = files->peek ? subfolder_peek : NULL},
                     .files = files,
                     .folder = own_folder};
    return &s->view;
}
