/* Files: read whole, written under a temporary name and renamed. */
#include "lerpmesh/io.h"

#include "core/heap.h"
#include "core/report.h"
#include "files/os.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define READ_STEP ((size_t)1 << 16)

static bool fail_io(lm_error *error, const char *path, const char *what) {
    return lm_fail_plain(error, errno == ENOMEM ? LM_CODE_OUT_OF_MEMORY : LM_CODE_IO,
                         "cannot %s %s: %s", what, path,
                         errno == ENOMEM ? "out of memory" : strerror(errno));
}

static bool fail_write(lm_error *error, const char *path) {
    if (errno == ENOENT)
        return lm_fail_plain(error, LM_CODE_IO, "cannot write %s: there is no such folder", path);
    return fail_io(error, path, "write");
}

static bool is_standard(const char *path) {
    return strcmp(path, "-") == 0;
}

/* Bytes being read, from an allocator. */
typedef struct lm_content {
    lm_allocator allocator;
    uint8_t *data;
    size_t size, capacity;
} lm_content;

static void release(lm_content *content) {
    if (content->data)
        content->allocator.free(content->allocator.user, content->data, content->capacity);
}

static bool reserve(lm_content *content, size_t capacity) {
    const lm_allocator *from = &content->allocator;
    uint8_t *data = content->data
                        ? from->realloc(from->user, content->data, content->capacity, capacity)
                        : from->alloc(from->user, capacity);
    if (!data) {
        errno = ENOMEM;
        return false;
    }
    content->data = data;
    content->capacity = capacity;
    return true;
}

/* Reads to the end, growing; false with errno set, EFBIG beyond `most`. What a file promises to
 * hold is refused or reserved at once, and one byte more, so that the end is met without growing.
 */
static bool read_all(int file, size_t most, lm_content *content) {
    uint64_t promised;
    lm_os_about(file, &promised);
    size_t first = promised ? (size_t)promised + 1 : READ_STEP <= most ? READ_STEP : most + 1;
    if (promised <= most && !reserve(content, first))
        return false;
    while (promised <= most && content->size <= most) {
        size_t room = content->capacity - content->size;
        size_t grown = content->capacity <= most / 2 ? content->capacity * 2 : most + 1;
        if (room == 0 && !reserve(content, grown))
            return false;
        int64_t got = room ? lm_os_read(file, content->data + content->size, room) : 1;
        if (got <= 0)
            return got == 0;
        content->size += room ? (size_t)got : 0;
    }
    errno = EFBIG;
    return false;
}

/* Fills `content`, whose allocator is set; what it holds is the caller's to release. */
static bool read_content(const char *path, size_t max_size, lm_content *content, lm_error *error) {
    if (!path)
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "there is no path to read from");
    int file = is_standard(path) ? LM_OS_INPUT : lm_os_open(path, true);
    if (file < 0)
        return fail_io(error, path, "open");
    bool done = read_all(file, max_size ? max_size : SIZE_MAX / 4, content);
    int problem = errno;
    if (file != LM_OS_INPUT)
        lm_os_close(file);
    const char *name = is_standard(path) ? "standard input" : path;
    if (!done && problem == EFBIG)
        return lm_fail_plain(error, LM_CODE_LIMIT,
                             "cannot read %s: it has more than the limit of %zu bytes", name,
                             max_size);
    errno = problem;
    return done || fail_io(error, name, "read");
}

bool lm_file_read(const char *path, size_t max_size, lm_file *file, lm_error *error) {
    lm_content content = {.allocator = lm_allocator_or_default(NULL)};
    *file = (lm_file){0};
    if (!read_content(path, max_size, &content, error)) {
        release(&content);
        return false;
    }
    *file = (lm_file){content.data, content.size, content.data};
    return true;
}

void lm_file_free(lm_file *file) {
    lm_allocator allocator = lm_allocator_or_default(NULL);
    if (!file)
        return;
    if (file->mapping)
        allocator.free(allocator.user, file->mapping, file->size);
    *file = (lm_file){0};
}

#define MAX_SUFFIX sizeof ".4294967295-4294967295"

/* Makes a file that was not there, named `name` up to `length` and a suffix. */
static int create_temporary(char *name, size_t length) {
    int file = -1;
    for (unsigned i = 0; i < 1000; i++) {
        snprintf(name + length, MAX_SUFFIX, ".%u-%u", lm_os_process(), i);
        file = lm_os_create(name);
        if (file >= 0 || errno != EEXIST)
            break;
    }
    return file;
}

/* Writes all and closes; false with the errno of what failed first. */
static bool write_and_close(int file, const void *data, size_t size) {
    bool written = lm_os_write(file, data, size);
    int problem = errno;
    bool closed = file == LM_OS_OUTPUT || lm_os_close(file);
    errno = written ? errno : problem;
    return written && closed;
}

static bool write_temporary(char *name, size_t length, const void *data, size_t size) {
    int file = create_temporary(name, length);
    if (file < 0)
        return false;
    bool written = write_and_close(file, data, size);
    int problem = errno;
    if (!written)
        lm_os_remove(name);
    errno = problem;
    return written;
}

/* What is no regular file (a pipe, /dev/full) is written to as it is: nothing can be renamed over
 * it. */
static bool write_special(const char *path, const void *data, size_t size, lm_error *error) {
    int file = is_standard(path) ? LM_OS_OUTPUT : lm_os_open_to_write(path);
    const char *name = is_standard(path) ? "standard output" : path;
    if (file < 0)
        return fail_io(error, name, "open");
    return write_and_close(file, data, size) || fail_io(error, name, "write");
}

bool lm_file_write(const char *path, const void *data, size_t size, lm_error *error) {
    if (is_standard(path) || lm_os_kind_of(path) == LM_OS_OTHER)
        return write_special(path, data, size, error);
    size_t length = strlen(path);
    char *name = malloc(length + MAX_SUFFIX);
    if (!name)
        return fail_io(error, path, "write");
    memcpy(name, path, length + 1);
    bool written = write_temporary(name, length, data, size);
    if (!written)
        fail_write(error, path);
    if (written && !lm_os_replace(name, path)) {
        written = fail_write(error, path);
        lm_os_remove(name);
    }
    free(name);
    return written;
}

lm_model *lm_load_file(const char *path, const lm_load_options *options, lm_error *error) {
    lm_load_options borrowing = options ? *options : (lm_load_options){0};
    lm_content content = {.allocator = lm_allocator_or_default(&borrowing.memory.allocator)};
    borrowing.borrow = true; /* from the bytes just read, which the model then keeps */
    lm_model *model = NULL;
    size_t most = borrowing.memory.max_bytes;
    if (read_content(path, most, &content, error))
        model = lm_load_memory(content.data, content.size, &borrowing, error);
    if (model)
        lm_model_adopt(model, content.data, content.capacity);
    else
        release(&content);
    return model;
}
