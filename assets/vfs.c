/* The virtual file system: opens and caches the files, folders, archives and mounted views that
 * paths lead to. */
#include "vfs.h"

#include "core/names.h"
#include "core/options.h"
#include "core/text.h"
#include "files/directory.h"
#include "files/file.h"
#include "lock.h"

#include <errno.h>
#include <string.h>

#define MAX_PATH_BYTES 4096 /* no system opens a longer path */

/* ---- Cache ----------------------------------------------------------------------------------- */

typedef struct cached {
    void *object;
    const lm_opener *opener;
} cached;

typedef struct cache {
    lm_lock lock; /* held while an object is opened */
    lm_arena *arena;
    lm_names names[LM_NUM_CACHED]; /* the keys; their numbers are indices of `items` */
    cached *items;
    size_t num_items, capacity;
} cache;

typedef struct mount {
    const char *path;
    size_t length;
    const lm_files *files;
} mount;

/* Values are read from files. They have a cache of their own, because its lock is held while they
 * ask the cache of files. */
struct lm_vfs {
    cache files, values;
    mount *mounts;
    size_t num_mounts, mount_capacity;
};

static bool cache_begin(cache *c, const lm_allocator *memory) {
    *c = (cache){.lock = LM_LOCK_INIT, .arena = lmi_arena_new(memory)};
    for (unsigned i = 0; i < LM_NUM_CACHED; i++)
        c->names[i].arena = c->arena;
    return c->arena != NULL;
}

static void close_object(void *object, const lm_opener *opener) {
    if (object && opener->close)
        opener->close(object);
    lmi_object_free(object);
}

static void *open_object(const lm_opener *opener, const lm_request *request, lm_error *error) {
    void *object = lmi_object_new(lmi_vfs_memory(request->vfs), opener->size);
    if (object && opener->open(request, object, error) && !lmi_arena_failed(lmi_arena_of(object)))
        return object;
    if (!object || lmi_arena_failed(lmi_arena_of(object)))
        lmi_fail_memory(error);
    close_object(object, opener);
    return NULL;
}

static void cache_end(cache *c) {
    for (size_t i = 0; i < c->num_items; i++)
        close_object(c->items[i].object, c->items[i].opener);
    lmi_arena_delete(c->arena);
}

/* Needs the lock. */
static bool cache_add(cache *c, lm_names *names, const char *key, cached item) {
    const char *own = lmi_copy_text(c->arena, key);
    if (!own || !lmi_arena_grow(c->arena, &c->items, &c->capacity, c->num_items + 1, sizeof item))
        return false;
    lm_name *name = lmi_names_put(names, own);
    if (!name)
        return false;
    name->number = (uint32_t)c->num_items;
    c->items[c->num_items++] = item;
    return true;
}

static void *open_once(cache *c, const lm_opener *opener, const lm_request *request,
                       lm_error *error) {
    lm_lock_acquire(&c->lock);
    lm_names *names = &c->names[opener->kind];
    const lm_name *known = lmi_names_find(names, request->key);
    void *object = known ? c->items[known->number].object : open_object(opener, request, error);
    if (object && !known && !cache_add(c, names, request->key, (cached){object, opener})) {
        close_object(object, opener);
        lmi_fail_memory(error);
        object = NULL;
    }
    lm_lock_release(&c->lock);
    return object;
}

const void *lmi_vfs_open_once(const lm_opener *opener, const lm_request *request, lm_error *error) {
    return open_once(&request->vfs->values, opener, request, error);
}

/* ---- The virtual file system ----------------------------------------------------------------- */

lm_vfs *lm_vfs_new(const lm_memory *memory, lm_error *error) {
    const lm_allocator *allocator = memory ? &memory->allocator : NULL;
    if (!lmi_allocator_valid(allocator, "memory", NULL, error))
        return NULL;
    lm_vfs *vfs = lmi_object_new(allocator, sizeof *vfs);
    if (vfs && cache_begin(&vfs->files, allocator) && cache_begin(&vfs->values, allocator))
        return vfs;
    if (vfs)
        lmi_arena_delete(vfs->files.arena);
    lmi_object_free(vfs);
    lmi_fail_memory(error);
    return NULL;
}

const lm_allocator *lmi_vfs_memory(const lm_vfs *vfs) {
    return &lmi_arena_of(vfs)->heap->allocator;
}

void lm_vfs_free(lm_vfs *vfs) {
    if (!vfs)
        return;
    cache_end(&vfs->values);
    cache_end(&vfs->files);
    lmi_object_free(vfs);
}

/* ---- Mounted views ------------------------------------------------------------------------- */

bool lm_vfs_mount(lm_vfs *vfs, const char *path, const lm_files *files, lm_error *error) {
    if (!LM_GIVEN(error, vfs))
        return false;
    size_t length = path ? strlen(path) : 0;
    while (length > 0 && path[length - 1] == '/')
        length--;
    if (length == 0)
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT,
                             "cannot mount a view at \"%s\": the path must not be empty",
                             path ? path : "");
    if (!lmi_view_valid(files, true, error))
        return false;
    lm_arena *arena = lmi_arena_of(vfs);
    const char *own = lmi_arena_text(arena, path, length);
    if (!own || !lmi_arena_grow(arena, &vfs->mounts, &vfs->mount_capacity, vfs->num_mounts + 1,
                                sizeof *vfs->mounts))
        return lmi_fail_memory(error);
    vfs->mounts[vfs->num_mounts++] = (mount){own, length, files};
    return true;
}

/* Returns the last mounted view that a path leads into, with the path inside it. NULL: the path is
 * the file system's. */
static const lm_files *view_of(const lm_vfs *vfs, const char *path, char inside[LM_PATH_SIZE]) {
    for (size_t i = vfs->num_mounts; i > 0; i--) {
        const mount *m = &vfs->mounts[i - 1];
        const char *rest = path + m->length;
        if (strncmp(path, m->path, m->length) != 0 || (*rest != '\0' && *rest != '/'))
            continue;
        rest += strspn(rest, "/");
        inside[0] = '\0';
        if (*rest == '\0' || lmi_path_clean(rest, inside))
            return m->files;
    }
    return NULL;
}

static bool stop(void *caller, const char *name, bool is_folder) {
    (void)caller, (void)name, (void)is_folder;
    return false;
}

static lm_path_kind kind_in(const lm_files *files, const char *inside) {
    char actual[LM_PATH_SIZE];
    lm_error error;
    if (*inside && files->find(files->user, inside, actual) == LM_FIND_FILE)
        return LM_PATH_FILE;
    const bool folder =
        !*inside || (files->list && files->list(files->user, inside, stop, NULL, &error));
    return folder ? LM_PATH_FOLDER : LM_PATH_NOTHING;
}

/* ---- Archives ------------------------------------------------------------------------------ */

/* An archive that was requested, or the reason why it cannot be opened. */
typedef struct known_archive {
    lm_archive *archive;
    lm_error error;
} known_archive;

static void close_archive(void *object) {
    lm_archive_free(((known_archive *)object)->archive);
}

/* Caches every error of an archive except lack of memory. */
static bool open_archive(const lm_request *request, void *object, lm_error *error) {
    known_archive *known = object;
    const lm_memory memory = {.allocator = *lmi_vfs_memory(request->vfs)};
    known->archive = lm_archive_open(request->key, NULL, &memory, &known->error);
    return known->archive || known->error.code != LM_CODE_OUT_OF_MEMORY || lmi_fail_memory(error);
}

static const lm_opener archives = {LM_CACHED_ARCHIVE, sizeof(known_archive), open_archive,
                                   close_archive};

/* Returns false if the path is too long. */
static bool copy_path(const char *path, size_t length, char copy[MAX_PATH_BYTES]) {
    if (length >= MAX_PATH_BYTES)
        return false;
    memcpy(copy, path, length);
    copy[length] = '\0';
    return true;
}

lm_archive *lmi_vfs_archive(lm_vfs *vfs, const char *path, size_t length, lm_error *error) {
    char copy[MAX_PATH_BYTES];
    if (!copy_path(path, length, copy)) {
        lm_fail_plain(error, LM_CODE_IO, "cannot open %s: the path is too long", path);
        return NULL;
    }
    const lm_request request = {vfs, copy, NULL};
    const known_archive *known = open_once(&vfs->files, &archives, &request, error);
    if (known && !known->archive && error)
        *error = known->error;
    return known ? known->archive : NULL;
}

bool lmi_member_is_hidden(const lm_archive *archive, const lm_member *member) {
    const lm_member *found = lm_archive_find(archive, member->name);
    return member->code == LM_CODE_BAD_ARCHIVE && found && found != member &&
           strcmp(found->name, member->name) == 0;
}

static bool is_known_archive(lm_vfs *vfs, const char *path) {
    lm_lock_acquire(&vfs->files.lock);
    const bool known = lmi_names_find(&vfs->files.names[LM_CACHED_ARCHIVE], path) != NULL;
    lm_lock_release(&vfs->files.lock);
    return known;
}

static bool can_open(const char *path, const char *missing, lm_error *error) {
    uint64_t size;
    int file = lmi_os_open(path, false), problem = errno;
    bool is_file = file >= 0 && lmi_os_stat(file, &size) != LM_PATH_FOLDER;
    if (file >= 0)
        lmi_os_close(file);
    if (is_file)
        return true;
    bool none = file >= 0 || problem == ENOENT || problem == ENOTDIR || problem == EISDIR;
    return lm_fail_plain(error, LM_CODE_IO, "%s", none ? missing : strerror(problem));
}

size_t lmi_vfs_archive_length(lm_vfs *vfs, const char *path) {
    char copy[MAX_PATH_BYTES];
    const char *colon = strchr(path, ':');
    if (!colon || view_of(vfs, path, copy) || lmi_os_kind_of(path) != LM_PATH_NOTHING)
        return 0;
    for (; colon; colon = strchr(colon + 1, ':')) {
        if (colon == path || !copy_path(path, (size_t)(colon - path), copy))
            continue;
        /* A file that cannot be opened counts as an archive, so that opening it reports the
         * reason. */
        if (is_known_archive(vfs, copy) || lm_archive_is(copy) ||
            (lmi_os_kind_of(copy) == LM_PATH_FILE && !can_open(copy, "", NULL)))
            return (size_t)(colon - path);
    }
    return 0;
}

bool lmi_vfs_is_archive(lm_vfs *vfs, const char *path) {
    char inside[LM_PATH_SIZE];
    return !view_of(vfs, path, inside) && lm_archive_is(path);
}

/* ---- Folders ------------------------------------------------------------------------------- */

typedef struct known_folder {
    const lm_files *files;
    lm_folder *folder; /* NULL: it is in a mounted view */
} known_folder;

static void close_folder(void *object) {
    lmi_folder_free(((known_folder *)object)->folder);
}

static bool open_folder(const lm_request *request, void *object, lm_error *error) {
    known_folder *known = object;
    char inside[LM_PATH_SIZE];
    const char *path = request->key;
    const lm_files *files = view_of(request->vfs, path, inside);
    if (!files)
        known->folder = lmi_folder_open(path, lmi_vfs_memory(request->vfs), error);
    else if (!files->list || kind_in(files, inside) == LM_PATH_FOLDER)
        known->files = lmi_subfolder_open(files, inside, path, lmi_arena_of(object));
    else
        lm_fail_plain(error, LM_CODE_IO, "cannot open folder %s: no such folder", path);
    if (known->folder)
        known->files = lmi_folder_files(known->folder);
    return known->files != NULL;
}

const lm_files *lm_vfs_folder(lm_vfs *vfs, const char *path, lm_error *error) {
    if (!LM_GIVEN(error, vfs))
        return NULL;
    static const lm_opener folders = {LM_CACHED_FOLDER, sizeof(known_folder), open_folder,
                                      close_folder},
                           views = {LM_CACHED_VIEW, sizeof(known_folder), open_folder,
                                    close_folder};
    char inside[LM_PATH_SIZE];
    if (!path) {
        lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "the path of the folder is NULL");
        return NULL;
    }
    const lm_opener *opener = view_of(vfs, path, inside) ? &views : &folders;
    const lm_request request = {vfs, path, NULL};
    const known_folder *known = open_once(&vfs->files, opener, &request, error);
    return known ? known->files : NULL;
}

/* ---- Queries --------------------------------------------------------------------------------- */

lm_path_kind lmi_vfs_kind(lm_vfs *vfs, const char *path) {
    char inside[LM_PATH_SIZE];
    const lm_files *files = view_of(vfs, path, inside);
    return files ? kind_in(files, inside) : lmi_os_kind_of(path);
}

bool lmi_vfs_is_real_folder(lm_vfs *vfs, const char *path) {
    char inside[LM_PATH_SIZE];
    return lmi_vfs_kind(vfs, path) == LM_PATH_FOLDER &&
           (view_of(vfs, path, inside) || !lmi_os_is_link(path));
}

bool lmi_vfs_is_folder(lm_vfs *vfs, const char *path) {
    return lmi_vfs_kind(vfs, path) == LM_PATH_FOLDER;
}

bool lmi_vfs_is_file(lm_vfs *vfs, const char *path) {
    lm_path_kind kind = lmi_vfs_kind(vfs, path);
    if (kind != LM_PATH_NOTHING)
        return kind == LM_PATH_FILE;
    size_t length = lmi_vfs_archive_length(vfs, path);
    lm_archive *archive = length > 0 ? lmi_vfs_archive(vfs, path, length, NULL) : NULL;
    const lm_member *member = archive ? lm_archive_find(archive, path + length + 1) : NULL;
    return member && member->code == LM_CODE_OK;
}

bool lmi_vfs_can_open(lm_vfs *vfs, const char *path, const char *missing, lm_error *error) {
    char inside[LM_PATH_SIZE];
    const size_t length = lmi_vfs_archive_length(vfs, path);
    if (length == 0 && !view_of(vfs, path, inside))
        return can_open(path, missing, error);
    return (length == 0 || lmi_vfs_archive(vfs, path, length, error)) &&
           (lmi_vfs_is_file(vfs, path) || lm_fail_plain(error, LM_CODE_IO, "%s", missing));
}

bool lmi_vfs_can_list(lm_vfs *vfs, const char *path) {
    char inside[LM_PATH_SIZE];
    const lm_files *files = view_of(vfs, path, inside);
    return !files || files->list;
}

static bool add_listed(void *caller, const char *name, bool is_folder) {
    (void)is_folder;
    return lmi_listing_add_name(caller, name);
}

bool lmi_vfs_list_names(lm_vfs *vfs, const char *folder, lm_arena *arena, lm_listing *names,
                        lm_error *error) {
    char inside[LM_PATH_SIZE];
    const lm_files *files = view_of(vfs, folder, inside);
    *names = (lm_listing){.arena = arena};
    if (files)
        return files->list ? lmi_view_list(files, inside, add_listed, names, error)
                           : lm_fail_plain(error, LM_CODE_IO, "this view cannot list its files");
    const bool listed = lmi_os_list(folder, lmi_listing_add_name, names);
    lmi_arena_out_of_memory(arena, !listed && errno == ENOMEM);
    if (lmi_arena_failed(arena))
        return lmi_fail_memory(error);
    if (!listed)
        return lm_fail_plain(error, LM_CODE_IO, "cannot read this folder: %s", strerror(errno));
    lmi_listing_sort(names);
    return true;
}

bool lm_vfs_read(lm_vfs *vfs, const char *path, size_t max_size, lm_buffer *out, lm_error *error) {
    if (!LM_GIVEN(error, vfs, out) || !lmi_buffer_valid(out, __func__, error))
        return false;
    char inside[LM_PATH_SIZE];
    const lm_files *files = path ? view_of(vfs, path, inside) : NULL;
    if (files) {
        char actual[LM_PATH_SIZE];
        const lm_find found = files->find(files->user, inside, actual);
        if (found == LM_FIND_FILE)
            return lmi_view_read(files, actual, max_size, out, error);
        return found == LM_FIND_OUT_OF_MEMORY
                   ? lmi_fail_memory(error)
                   : lm_fail_plain(error, LM_CODE_IO, "cannot open %s: no such file", path);
    }
    const size_t length = path && strcmp(path, "-") != 0 ? lmi_vfs_archive_length(vfs, path) : 0;
    if (length == 0)
        return lm_file_read(path, max_size ? max_size : LM_MAX_MODEL_FILE, out, error);
    const lm_archive *archive = lmi_vfs_archive(vfs, path, length, error);
    return archive && lm_archive_read(archive, path + length + 1, max_size, out, error);
}

/* ---- Names --------------------------------------------------------------------------------- */

const char *lmi_vfs_base_name(lm_vfs *vfs, const char *path) {
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    size_t length = lmi_vfs_archive_length(vfs, path);
    return length > 0 && path + length >= name ? path + length + 1 : name;
}

const char *lmi_vfs_extension(lm_vfs *vfs, const char *path) {
    const char *name = lmi_vfs_base_name(vfs, path);
    const char *dot = strrchr(name, '.');
    return dot && dot != name ? dot : name + strlen(name);
}

const char *lmi_vfs_stem(lm_vfs *vfs, const char *path, size_t *length) {
    size_t end = strlen(path);
    while (end > 1 && path[end - 1] == '/')
        end--;
    size_t begin = end, archive = lmi_vfs_archive_length(vfs, path);
    while (begin > 0 && path[begin - 1] != '/' && !(archive > 0 && begin == archive + 1))
        begin--;
    const char *dot = path[end] == '/' ? NULL : strrchr(path + begin, '.');
    *length = (dot && dot != path + begin ? (size_t)(dot - path) : end) - begin;
    return path + begin;
}

char *lmi_join(lm_arena *arena, const char *folder, const char *name) {
    size_t length = strlen(folder);
    bool ends = length > 0 && folder[length - 1] == '/';
    return lmi_arena_printf(arena, "%s%s%s", folder, ends ? "" : "/", name);
}

bool lmi_begins_same(const char *a, const char *b, size_t length) {
    return strlen(a) >= length && strlen(b) >= length && lmi_same_letters(a, b, length);
}

bool lmi_same_text(const char *a, const char *b) {
    return lmi_compare_letters(a, b) == 0;
}
