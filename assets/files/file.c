/* Files: read as a whole; written under a temporary name and then renamed. */
#include "lerpmesh/files.h"

#include "core/heap.h"
#include "core/options.h"
#include "core/report.h"
#include "files/file.h"
#include "files/os.h"
#include "model/load_options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define READ_STEP ((size_t)1 << 16)
#define READ_BACK_STEP ((size_t)1 << 14)

static bool fail_io(lm_error *error, const char *path, const char *action) {
    return lm_fail_plain(error, errno == ENOMEM ? LM_CODE_OUT_OF_MEMORY : LM_CODE_IO,
                         "cannot %s %s: %s", action, path,
                         errno == ENOMEM ? "out of memory" : strerror(errno));
}

static bool is_standard(const char *path) {
    return strcmp(path, "-") == 0;
}

/* ---- Reading --------------------------------------------------------------------------------- */

static bool reserve(lm_buffer *out, size_t capacity) {
    const lm_allocator from = lmi_allocator_or_default(&out->allocator);
    uint8_t *data = out->data ? from.realloc(from.user, out->data, out->capacity, capacity)
                              : from.alloc(from.user, capacity);
    if (!data) {
        errno = ENOMEM;
        return false;
    }
    out->data = data;
    out->capacity = capacity;
    return true;
}

/* If the system reports a file's size, reserves it at once or rejects the file. Reserves one byte
 * more, so that reading meets the end of the file without growing the buffer. */
static bool read_on(int file, size_t limit, lm_buffer *out) {
    const size_t before = out->size;
    uint64_t known_size;
    lmi_os_stat(file, &known_size);
    size_t first = known_size ? (size_t)known_size + 1 : READ_STEP <= limit ? READ_STEP : limit + 1;
    if (known_size <= limit && before + first > out->capacity && !reserve(out, before + first))
        return false;
    while (known_size <= limit && out->size - before <= limit) {
        size_t room = out->capacity - out->size;
        size_t grown = out->capacity <= limit / 2 ? out->capacity * 2 : before + limit + 1;
        if (room == 0 && !reserve(out, grown))
            return false;
        int64_t got = room ? lmi_os_read(file, out->data + out->size, room) : 1;
        if (got <= 0)
            return got == 0;
        out->size += room ? (size_t)got : 0;
    }
    errno = EFBIG;
    return false;
}

void lmi_restore(lm_buffer *out, size_t size) {
    out->size = size;
    if (size == 0)
        lm_buffer_free(out);
}

bool lmi_view_valid(const lm_files *files, bool finds, lm_error *error) {
    const char *missing = !files                  ? ""
                          : finds && !files->find ? "find of "
                          : !files->read          ? "read of "
                                                  : NULL;
    if (missing)
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "%sthe view of files is NULL", missing);
    return LM_RESERVED_VALID(files, error, "the view of files");
}

bool lmi_read_to_end(int file, size_t max_size, lm_buffer *out) {
    const size_t before = out->size;
    const bool done = read_on(file, max_size ? max_size : SIZE_MAX / 4, out);
    if (!done)
        lmi_restore(out, before);
    return done;
}

bool lm_file_read(const char *path, size_t max_size, lm_buffer *out, lm_error *error) {
    if (!LM_GIVEN(error, out) || !lmi_buffer_valid(out, __func__, error))
        return false;
    if (!path)
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "the path to read from is NULL");
    if (!*path)
        return lm_fail_plain(error, LM_CODE_IO, "cannot open: the file name is empty");
    int file = is_standard(path) ? LM_OS_INPUT : lmi_os_open(path, true);
    if (file < 0)
        return fail_io(error, path, "open");
    bool done = lmi_read_to_end(file, max_size, out);
    int problem = errno;
    if (file != LM_OS_INPUT)
        lmi_os_close(file);
    const char *name = is_standard(path) ? "standard input" : path;
    if (!done && problem == EFBIG)
        return lm_fail_plain(error, LM_CODE_LIMIT,
                             "cannot read %s: it exceeds the limit of %zu bytes", name, max_size);
    errno = problem;
    return done || fail_io(error, name, "read");
}

/* ---- Writing --------------------------------------------------------------------------------- */

/* The temporary name, which follows the folder part of the path. Its length does not depend on the
 * file's name, so that the longest names that a system allows can be written. */
#define TEMPORARY ".lerpmesh-%u-%zx"
#define MAX_TEMPORARY sizeof ".lerpmesh-4294967295-0123456789abcdef"

static size_t folder_length(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

static bool fail_write(lm_error *error, const lm_file_output *output) {
    const char *reason = errno == ENOENT                     ? "no such folder"
                         : output->below && errno == ELOOP   ? "a folder in its path is a link"
                         : output->below && errno == ENOTDIR ? "a folder in its path is a file"
                                                             : NULL;
    if (!reason)
        return fail_io(error, output->path, "write");
    return lm_fail_plain(error, LM_CODE_IO, "cannot write %s: %s", output->path, reason);
}

/* No system opens a longer path. */
#define MAX_PATH_BYTES 4096

/* A file of a group while it is written. */
typedef struct writing {
    char *temporary; /* its temporary name; NULL: none */
    size_t made;     /* length of the path of the first folder that was missing; 0: none was */
} writing;

/* Sets `length` to that of the path of the folder that contains the first `length` bytes of a path.
 * Returns false if they name no folder. */
static bool go_up(const char *path, size_t *length, char folder[MAX_PATH_BYTES]) {
    size_t end = *length;
    while (end > 0 && path[end - 1] != '/')
        end--;
    while (end > 0 && path[end - 1] == '/')
        end--;
    *length = end;
    if (end == 0 || end >= MAX_PATH_BYTES)
        return false;
    memcpy(folder, path, end);
    folder[end] = '\0';
    return true;
}

/* Returns the length of the path of the first folder that is missing for a file; 0: none. */
static size_t find_missing(const char *path) {
    char folder[MAX_PATH_BYTES];
    size_t missing = 0;
    for (size_t length = strlen(path);
         go_up(path, &length, folder) && lmi_os_kind_of(folder) == LM_PATH_NOTHING;)
        missing = length;
    return missing;
}

/* Removes the folders that were missing for a file and are empty. */
static void remove_folders(const lm_file_output *output, size_t missing) {
    const char *path = output->path;
    const size_t trusted = output->below ? (size_t)(output->below - path) : SIZE_MAX;
    char folder[MAX_PATH_BYTES];
    for (size_t length = strlen(path);
         missing > 0 && go_up(path, &length, folder) && length >= missing;) {
        const int above = lmi_os_open_folder(folder, length > trusted ? folder + trusted : NULL);
        if (above != -1)
            lmi_os_remove_folder(above, folder);
        lmi_os_close_folder(above);
    }
}

/* Creates the folder of a file if it is missing; that above `below`, if that is given. */
static bool make_folder(const lm_file_output *output, lm_error *error) {
    const char *path = output->path;
    const size_t length =
        output->below ? strlen(path) - strlen(output->below) : folder_length(path);
    char *folder = malloc(length + 1);
    if (!folder)
        return lmi_fail_memory(error);
    memcpy(folder, path, length);
    folder[length] = '\0';
    const bool made =
        length == 0 || lmi_os_kind_of(folder) == LM_PATH_FOLDER || lmi_folder_make(folder, error);
    free(folder);
    return made;
}

static int open_folder(const lm_file_output *output) {
    return lmi_os_open_folder(output->path, output->below);
}

/* Returns whether a path is no regular file (a pipe, /dev/full). Such a file is written directly:
 * nothing can be renamed over it. */
static bool is_special(const lm_file_output *output) {
    return !output->below &&
           (is_standard(output->path) || lmi_os_kind_of(output->path) == LM_PATH_OTHER);
}

/* Creates a new file in the folder that `name` begins with. The output's address serves as a number
 * that no other thread uses at the same time. */
static int create_temporary(int folder, char *name, size_t length, const lm_file_output *output) {
    const size_t number = (uintptr_t)output;
    int file = -1;
    for (size_t i = 0; i < 1000; i++) {
        snprintf(name + length, MAX_TEMPORARY, TEMPORARY, lmi_os_process(), number + i);
        file = lmi_os_create(folder, name, output->like ? LM_OS_ANY_FOLDER : folder,
                             output->like ? output->like : output->path);
        if (file >= 0 || errno != EEXIST)
            break;
    }
    return file;
}

/* Writes all bytes and closes the file. Fails with the errno of the first failure. */
static bool write_and_close(int file, const lm_file_output *output, bool flush) {
    const uint8_t *bytes = output->data;
    int64_t put = 0;
    for (size_t left = output->size; put >= 0 && left > 0; bytes += put, left -= (size_t)put)
        if ((put = lmi_os_write(file, bytes, left)) < 0)
            break;
    bool written = put >= 0 && (!flush || lmi_os_flush(file));
    int problem = errno;
    bool closed = file == LM_OS_OUTPUT || lmi_os_close(file);
    errno = written ? errno : problem;
    return written && closed;
}

/* Finds the first byte where a file differs from the bytes written to it. If they are equal, *same
 * is the size; if the file is longer, it is the size plus 1. Fails with errno set if reading
 * fails. */
static bool find_difference(int file, const lm_file_output *output, size_t *same) {
    uint8_t bytes[READ_BACK_STEP];
    const uint8_t *expected = output->data;
    size_t at = 0;
    int64_t got, i;
    do {
        got = lmi_os_read(file, bytes, sizeof bytes);
        for (i = 0; i < got && at < output->size && bytes[i] == expected[at]; i++)
            at++;
    } while (got > 0 && i == got);
    *same = at + (i < got && at == output->size);
    return got >= 0;
}

/* Reads the written file back and compares it, so that a silent write failure never replaces a
 * file. */
static bool read_back(int folder, const char *name, const lm_file_output *output, lm_error *error) {
    size_t same = 0;
    const int file = lmi_os_open_created(folder, name);
    const bool done = file >= 0 && find_difference(file, output, &same);
    const int problem = errno;
    if (file >= 0)
        lmi_os_close(file);
    errno = problem;
    if (!done)
        return fail_io(error, output->path, "read back");
    return same == output->size ||
           lm_fail_plain(error, LM_CODE_IO,
                         "cannot write %s: the file on disk differs from the data at byte %zu",
                         output->path, same < output->size ? same : output->size);
}

static bool write_special(const lm_file_output *output, lm_error *error) {
    int file = is_standard(output->path) ? LM_OS_OUTPUT : lmi_os_open_to_write(output->path);
    const char *name = is_standard(output->path) ? "standard output" : output->path;
    if (file < 0)
        return fail_io(error, name, "open");
    return write_and_close(file, output, false) || fail_io(error, name, "write");
}

/* Writes a file in an open folder under a temporary name, and reads the file back. */
static bool write_in(int folder, const lm_file_output *output, bool flush, writing *w,
                     lm_error *error) {
    const lm_path_kind kind = lmi_os_kind_in(folder, output->path);
    /* Renaming would fail, too late for the files of the group that are then replaced. */
    if (kind == LM_PATH_FOLDER) {
        errno = EISDIR;
        return fail_write(error, output);
    }
    if (output->below && kind == LM_PATH_OTHER)
        return lm_fail_plain(error, LM_CODE_IO, "cannot write %s: it is a pipe, socket or device",
                             output->path);
    const size_t length = folder_length(output->path);
    char *temporary = malloc(length + MAX_TEMPORARY);
    if (!temporary)
        return fail_io(error, output->path, "write");
    memcpy(temporary, output->path, length);
    int file = create_temporary(folder, temporary, length, output);
    if (file < 0) {
        fail_write(error, output);
        free(temporary);
        return false;
    }
    w->temporary = temporary;
    if (!write_and_close(file, output, flush))
        return fail_io(error, output->path, "write");
    return read_back(folder, temporary, output, error);
}

static bool write_in_folder(const lm_file_output *output, bool flush, writing *w, lm_error *error) {
    if (!make_folder(output, error))
        return false;
    const int folder = open_folder(output);
    if (folder == -1)
        return fail_write(error, output);
    const bool written = write_in(folder, output, flush, w, error);
    lmi_os_close_folder(folder);
    return written;
}

/* The temporary name stays NULL if the target is no regular file. Tries again if the folder is
 * missing: another thread, whose own file failed, may have removed it. */
static bool write_temporary(const lm_file_output *output, bool flush, writing *w, lm_error *error) {
    if (!output->data && output->size > 0)
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "writing: data of %s is NULL",
                             output->path);
    if (is_special(output))
        return true;
    bool done = false;
    for (int tries = 0; !done && tries < 4 && (tries == 0 || find_missing(output->path)); tries++) {
        const size_t missing = find_missing(output->path);
        w->made = w->made > 0 && (missing == 0 || w->made < missing) ? w->made : missing;
        done = write_in_folder(output, flush, w, error);
    }
    return done;
}

/* Renames a temporary file to its target, or writes to a target that is no regular file. */
static bool put(const lm_file_output *output, writing *w, lm_error *error) {
    if (!w->temporary)
        return write_special(output, error);
    const int folder = open_folder(output);
    const bool done = folder != -1 && lmi_os_replace(folder, w->temporary, output->path);
    lmi_os_close_folder(folder);
    if (!done)
        return fail_write(error, output);
    free(w->temporary);
    w->temporary = NULL;
    return true;
}

static const char *folder_of(const char *path, char folder[MAX_PATH_BYTES]) {
    const size_t length = folder_length(path);
    snprintf(folder, MAX_PATH_BYTES, "%.*s", length > 0 ? (int)length : 1, length > 0 ? path : ".");
    return folder;
}

static bool flush_folder(const lm_file_output *output, lm_error *error) {
    char path[MAX_PATH_BYTES];
    const int folder = is_special(output) ? -1 : open_folder(output);
    const bool done = is_special(output) ||
                      (folder != -1 && lmi_os_flush_folder(folder, folder_of(output->path, path)));
    lmi_os_close_folder(folder);
    return done || fail_io(error, output->path, "write");
}

/* Removes the file under an output's name, or another one in the same folder. */
static void remove_in(const lm_file_output *output, const char *name) {
    const int folder = open_folder(output);
    if (folder != -1)
        lmi_os_remove(folder, name);
    lmi_os_close_folder(folder);
}

static int lock_folder(const lm_file_output *output) {
    char path[MAX_PATH_BYTES];
    const int folder = open_folder(output);
    const int lock = folder == -1 ? -1 : lmi_os_lock_folder(folder, folder_of(output->path, path));
    lmi_os_close_folder(folder);
    return lock;
}

/* Renames all files, the last one last. If two programs do this at once, one waits, so that a
 * folder never has some files of each. */
static bool put_all(const lm_file_output *files, size_t count, writing *all, lm_error *error) {
    const lm_file_output *last = &files[count - 1];
    const bool several = count > 1 && !is_special(last);
    const int lock = several ? lock_folder(last) : -1;
    bool done = true;
    if (several)
        remove_in(last, last->path);
    for (size_t i = 0; done && i < count; i++)
        done = put(&files[i], &all[i], error);
    lmi_os_unlock_folder(lock);
    return done;
}

/* Writes all files under temporary names, and renames them. */
static bool write_all(const lm_file_output *files, size_t count, writing *all, bool flush,
                      lm_error *error) {
    bool done = true;
    for (size_t i = 0; done && i < count; i++)
        done = write_temporary(&files[i], flush, &all[i], error);
    done = done && put_all(files, count, all, error);
    for (size_t i = 0; done && flush && i < count; i++)
        done = flush_folder(&files[i], error);
    for (size_t i = 0; i < count; i++)
        if (all[i].temporary) {
            remove_in(&files[i], all[i].temporary);
            free(all[i].temporary);
        }
    for (size_t i = count; !done && i > 0; i--)
        remove_folders(&files[i - 1], all[i - 1].made);
    return done;
}

bool lm_file_write(const lm_file_output *files, size_t count, bool flush, lm_error *error) {
    const lm_list list = {"files",       files,   count,
                          sizeof *files, ".path", offsetof(lm_file_output, path)};
    if (!lmi_lists_valid("writing", &list, 1, error))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!LM_RESERVED_VALID(&files[i], error, "file %zu to write", i))
            return false;
    if (count == 0)
        return true;
    lm_file_output *left = calloc(count, sizeof *left);
    writing *all = calloc(count, sizeof *all);
    size_t num_left = 0;
    bool done = (left && all) || lmi_fail_memory(error);
    for (size_t i = 0; done && i < count; i++) {
        bool writes = false;
        done = lmi_file_existing(&files[i], &writes, error);
        if (writes)
            left[num_left++] = files[i];
    }
    done = done && (num_left == 0 || write_all(left, num_left, all, flush, error));
    free(left);
    free(all);
    return done;
}

/* Gives back the memory after the contents, so that their size is that of the allocation. */
static bool trim(lm_buffer *bytes, lm_error *error) {
    const lm_allocator *a = &bytes->allocator;
    if (bytes->size == bytes->capacity || bytes->size == 0)
        return true;
    uint8_t *trimmed = a->realloc(a->user, bytes->data, bytes->capacity, bytes->size);
    if (!trimmed)
        return lmi_fail_memory(error);
    bytes->data = trimmed;
    bytes->capacity = bytes->size;
    return true;
}

lm_model *lm_load_file(const char *path, const lm_load_options *options, lm_error *error) {
    lm_load_options adopting = options ? *options : (lm_load_options){0};
    if (!lmi_load_options_valid(&adopting, error))
        return NULL;
    lm_buffer bytes = {.allocator = lmi_allocator_or_default(&adopting.memory.allocator)};
    adopting.bytes = LM_BYTES_ADOPTED; /* the model owns the bytes just read */
    lm_model *model = NULL;
    const size_t limit = adopting.memory.max_bytes;
    if (lm_file_read(path, limit ? limit : LM_MAX_MODEL_FILE, &bytes, error) && trim(&bytes, error))
        model = lm_load_memory(bytes.data, bytes.size, &adopting, error);
    if (!model)
        lm_buffer_free(&bytes);
    return model;
}
