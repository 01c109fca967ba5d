/* What paths lead to. */
#include "disk.h"

#include "core/report.h"
#include "lock.h"
#include "system.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_CLIPS_FILE ((size_t)1 << 20) /* real ones have a few kilobytes */
#define MAX_SKIN_FILE ((size_t)1 << 20)
#define MAX_PALETTE_FILE ((size_t)16 << 20) /* a picture may bring it */

/* An archive that was asked for, or why there is none. */
typedef struct known_archive {
    lm_archive *archive;
    lm_error error;
} known_archive;

/* What was asked for at a path. */
typedef struct known_place {
    void *what;  /* NULL: it could not be opened */
    char path[]; /* with its NUL */
} known_place;

/* A batch may have as many as models: they are found by their paths, each in a known_place. */
typedef struct known_places {
    lm_heap heap;
    lm_arena arena;
    lm_names paths;
} known_places;

struct lm_disk {
    lm_lock lock; /* guards what is known; what that holds is constant, or guards itself */
    known_places archives, folders, galleries, scripts; /* the last by the names of their shelves */
    known_places kept[LM_KEPT_KINDS];
};

static void know_nothing(known_places *places) {
    lm_heap_init(&places->heap, &(lm_memory){.max_bytes = SIZE_MAX}, 0);
    places->arena = (lm_arena){.heap = &places->heap};
    places->paths = (lm_names){.arena = &places->arena};
}

lm_disk *lm_disk_new(void) {
    lm_disk *disk = calloc(1, sizeof *disk);
    if (!disk)
        return NULL;
    *disk = (lm_disk){.lock = LM_LOCK_INIT};
    know_nothing(&disk->archives);
    know_nothing(&disk->folders);
    know_nothing(&disk->galleries);
    know_nothing(&disk->scripts);
    for (unsigned kind = 0; kind < LM_KEPT_KINDS; kind++)
        know_nothing(&disk->kept[kind]);
    return disk;
}

static void free_kept(void *what) {
    lm_kept *kept = what;
    if (!kept)
        return;
    lm_file_free(&kept->file);
    lm_skin_free(kept->skin);
    lm_pool_free(&kept->pool);
    free(kept);
}

static known_place *place_of(const char *path) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): not const, for it is the disk's own
    return (known_place *)(void *)(uintptr_t)(path - offsetof(known_place, path));
}

static void close_folder(void *folder) {
    lm_folder_free(folder);
}

static void close_gallery(void *gallery) {
    lm_gallery_close(gallery);
}

static void close_archive(void *what) {
    known_archive *known = what;
    if (known)
        lm_archive_free(known->archive);
    free(known);
}

static void close_scripts(void *scripts) {
    lm_scripts_free(scripts);
}

static void forget_places(known_places *places, void (*close)(void *what)) {
    for (size_t i = 0; i < places->paths.count; i++) {
        known_place *known = place_of(places->paths.names[i].text);
        close(known->what);
        free(known);
    }
    lm_arena_free(&places->arena);
    know_nothing(places);
}

void lm_disk_forget(lm_disk *disk) {
    forget_places(&disk->folders, close_folder);
    forget_places(&disk->galleries, close_gallery);
    forget_places(&disk->archives, close_archive);
    forget_places(&disk->scripts, close_scripts);
    for (unsigned kind = 0; kind < LM_KEPT_KINDS; kind++)
        forget_places(&disk->kept[kind], free_kept);
}

void lm_disk_free(lm_disk *disk) {
    if (!disk)
        return;
    lm_disk_forget(disk);
    free(disk);
}

/* With the lock held. NULL without memory. */
static known_place *know(known_places *places, const char *path, size_t length) {
    known_place *made = calloc(1, sizeof *made + length + 1);
    if (!made)
        return NULL;
    memcpy(made->path, path, length);
    const lm_name *name = lm_names_put(&places->paths, made->path);
    if (name && name->text == made->path)
        return made;
    free(made);
    return name ? place_of(name->text) : NULL;
}

/* ---- Archives ------------------------------------------------------------------------------ */

/* NULL without memory; what was wrong otherwise is remembered. */
static known_archive *open_new(const char *path) {
    known_archive *made = calloc(1, sizeof *made);
    if (!made)
        return NULL;
    made->archive = lm_archive_open(path, &made->error);
    if (made->archive || made->error.code != LM_CODE_OUT_OF_MEMORY)
        return made;
    free(made);
    return NULL;
}

/* With the lock held. */
static lm_archive *archive_at(lm_disk *disk, const char *path, size_t length, lm_error *error) {
    known_place *place = know(&disk->archives, path, length);
    known_archive *k = place ? place->what : NULL;
    if (place && !k)
        place->what = k = open_new(place->path);
    if (k && !k->archive && error)
        *error = k->error;
    else if (!k)
        lm_fail_memory(error);
    return k ? k->archive : NULL;
}

lm_archive *lm_disk_archive(lm_disk *disk, const char *path, size_t length, lm_error *error) {
    lm_lock_take(&disk->lock);
    lm_archive *archive = archive_at(disk, path, length, error);
    lm_lock_give(&disk->lock);
    return archive;
}

/* With the lock held. */
static bool is_archive(const lm_disk *disk, const char *path, size_t length) {
    char copy[4096]; /* no system opens a longer path */
    if (length >= sizeof copy)
        return false;
    memcpy(copy, path, length);
    copy[length] = '\0';
    /* What cannot be opened is one, so that who opens it says why it cannot. */
    return lm_names_find(&disk->archives.paths, copy) || lm_archive_is(copy) ||
           (lm_kind_of(copy) == LM_PATH_FILE && !lm_can_open(copy, "", NULL));
}

/* With the lock held. */
static size_t archive_length(const lm_disk *disk, const char *path) {
    const char *colon = strchr(path, ':');
    if (!colon || lm_kind_of(path) != LM_PATH_NOTHING)
        return 0;
    while (colon && !(colon > path && is_archive(disk, path, (size_t)(colon - path))))
        colon = strchr(colon + 1, ':');
    return colon ? (size_t)(colon - path) : 0;
}

size_t lm_disk_archive_length(lm_disk *disk, const char *path) {
    if (!strchr(path, ':'))
        return 0;
    lm_lock_take(&disk->lock);
    size_t length = archive_length(disk, path);
    lm_lock_give(&disk->lock);
    return length;
}

/* ---- Folders ------------------------------------------------------------------------------- */

lm_folder *lm_disk_folder(lm_disk *disk, const char *path, lm_error *error) {
    lm_lock_take(&disk->lock);
    known_place *known = know(&disk->folders, path, strlen(path));
    if (known && !known->what)
        known->what = lm_folder_open(path, error);
    else if (!known)
        lm_fail_memory(error);
    lm_folder *folder = known ? known->what : NULL;
    lm_lock_give(&disk->lock);
    return folder;
}

const lm_gallery *lm_disk_gallery(lm_disk *disk, const lm_shelf *shelf) {
    char path[4096 + LM_PATH_SIZE]; /* a longer one shares the pictures of what it begins with */
    snprintf(path, sizeof path, "%s:%s", shelf->folder, shelf->files->name);
    lm_lock_take(&disk->lock);
    known_place *known = know(&disk->galleries, path, strlen(path));
    if (known && !known->what)
        known->what = lm_gallery_open(shelf);
    const lm_gallery *gallery = known ? known->what : NULL;
    lm_lock_give(&disk->lock);
    return gallery;
}

/* ---- Files --------------------------------------------------------------------------------- */

static bool read_at(const lm_archive *archive, size_t length, const char *path, size_t max_size,
                    lm_file *file, lm_error *error) {
    if (length == 0)
        return lm_file_read(path, max_size ? max_size : LM_MAX_MODEL_FILE, file, error);
    *file = (lm_file){0};
    return archive && lm_archive_read_file(archive, path + length + 1, max_size, file, error);
}

bool lm_disk_read(lm_disk *disk, const char *path, size_t max_size, lm_file *file,
                  lm_error *error) {
    if (!path)
        return lm_file_read(path, max_size, file, error); /* which says so */
    size_t length = strcmp(path, "-") == 0 ? 0 : lm_disk_archive_length(disk, path);
    const lm_archive *archive = length > 0 ? lm_disk_archive(disk, path, length, error) : NULL;
    return read_at(archive, length, path, max_size, file, error);
}

/* The same with the lock held. */
static bool read_held(lm_disk *disk, const char *path, size_t max_size, lm_file *file,
                      lm_error *error) {
    size_t length = strcmp(path, "-") == 0 ? 0 : archive_length(disk, path);
    const lm_archive *archive = length > 0 ? archive_at(disk, path, length, error) : NULL;
    return read_at(archive, length, path, max_size, file, error);
}

bool lm_disk_is_file(lm_disk *disk, const char *path) {
    lm_path_kind kind = lm_kind_of(path);
    if (kind != LM_PATH_NOTHING)
        return kind == LM_PATH_FILE;
    size_t length = lm_disk_archive_length(disk, path);
    lm_archive *archive = length > 0 ? lm_disk_archive(disk, path, length, NULL) : NULL;
    const lm_member *member = archive ? lm_archive_find(archive, path + length + 1) : NULL;
    return member && member->code == LM_CODE_OK;
}

bool lm_disk_can_open(lm_disk *disk, const char *path, lm_error *error) {
    static const char missing[] = "there is no such file";
    size_t length = lm_disk_archive_length(disk, path);
    if (length == 0)
        return lm_can_open(path, missing, error);
    return lm_disk_archive(disk, path, length, error) &&
           (lm_disk_is_file(disk, path) || lm_fail_plain(error, LM_CODE_IO, "%s", missing));
}

bool lm_disk_is_folder(const char *path) {
    return lm_kind_of(path) == LM_PATH_FOLDER;
}

/* ---- Names --------------------------------------------------------------------------------- */

const char *lm_disk_base_name(lm_disk *disk, const char *path) {
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    size_t length = lm_disk_archive_length(disk, path);
    return length > 0 && path + length >= name ? path + length + 1 : name;
}

const char *lm_disk_extension(lm_disk *disk, const char *path) {
    const char *name = lm_disk_base_name(disk, path);
    const char *dot = strrchr(name, '.');
    return dot && dot != name ? dot : name + strlen(name);
}

const char *lm_disk_stem(lm_disk *disk, const char *path, size_t *length) {
    size_t end = strlen(path);
    while (end > 1 && path[end - 1] == '/')
        end--;
    size_t begin = end, archive = lm_disk_archive_length(disk, path);
    while (begin > 0 && path[begin - 1] != '/' && !(archive > 0 && begin == archive + 1))
        begin--;
    const char *dot = path[end] == '/' ? NULL : strrchr(path + begin, '.');
    *length = (dot && dot != path + begin ? (size_t)(dot - path) : end) - begin;
    return path + begin;
}

/* ---- What options name --------------------------------------------------------------------- */

static bool read_palette(lm_disk *disk, lm_kept *kept, lm_error *error) {
    lm_file file;
    if (!read_held(disk, kept->path, MAX_PALETTE_FILE, &file, error))
        return false;
    bool ok = lm_palette_read(file.data, file.size, &kept->palette, error);
    lm_file_free(&file);
    return ok;
}

static bool read_skin(lm_disk *disk, lm_kept *kept, lm_error *error) {
    lm_file file;
    if (!read_held(disk, kept->path, MAX_SKIN_FILE, &file, error))
        return false;
    kept->skin = lm_skin_read(file.data, file.size, NULL, error);
    lm_file_free(&file);
    return kept->skin != NULL;
}

static bool fill_kept(lm_disk *disk, lm_kept_kind kind, lm_kept *kept, lm_error *error) {
    switch (kind) {
    case LM_KEPT_CLIPS:
        return read_held(disk, kept->path, MAX_CLIPS_FILE, &kept->file, error);
    case LM_KEPT_GAME:
        return lm_games_list(kept, error);
    case LM_KEPT_PALETTE:
        return read_palette(disk, kept, error);
    default:
        return read_skin(disk, kept, error);
    }
}

/* With the lock held. */
static lm_kept *find_or_read(lm_disk *disk, lm_kept_kind kind, const char *path, lm_error *error) {
    known_place *place = know(&disk->kept[kind], path, strlen(path));
    if (place && place->what)
        return place->what;
    lm_kept *made = place ? calloc(1, sizeof *made) : NULL;
    if (!made) {
        lm_fail_memory(error);
        return NULL;
    }
    made->path = place->path;
    lm_pool_init(&made->pool, NULL);
    if (!fill_kept(disk, kind, made, error)) {
        free_kept(made);
        return NULL;
    }
    return place->what = made;
}

const lm_kept *lm_disk_keep(lm_disk *disk, lm_kept_kind kind, const char *path, lm_error *error) {
    lm_lock_take(&disk->lock);
    const lm_kept *kept = find_or_read(disk, kind, path, error);
    lm_lock_give(&disk->lock);
    return kept;
}

/* ---- Shader scripts ------------------------------------------------------------------------ */

const lm_scripts *lm_disk_scripts(lm_disk *disk, const lm_shelf *shelf) {
    const char *name = shelf->files->name;
    lm_lock_take(&disk->lock);
    known_place *known = know(&disk->scripts, name, strlen(name));
    if (known && !known->what)
        known->what = lm_scripts_read(shelf);
    const lm_scripts *scripts = known ? known->what : NULL;
    lm_lock_give(&disk->lock);
    return scripts;
}
