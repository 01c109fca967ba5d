/* Files: read whole, written under a temporary name and renamed. */
#include "lerpmesh/io.h"

#include "core/heap.h"
#include "core/report.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define READ_STEP ((size_t)1 << 16)

static bool fail_io(lm_error *error, const char *path, const char *what) {
    return lm_fail_plain(error, LM_CODE_IO, "cannot %s %s: %s", what, path, strerror(errno));
}

static bool is_standard(const char *path) {
    return strcmp(path, "-") == 0;
}

/* What a file promises to hold, as a first guess at the memory needed; 0 if it does not say. */
static size_t promised_size(int descriptor) {
    struct stat info;
    bool known = fstat(descriptor, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0;
    return known ? (size_t)info.st_size : 0;
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

/* Reads to the end, growing; false with errno set, EFBIG beyond max_size. */
static bool read_all(int descriptor, size_t max_size, lm_content *content) {
    /* One byte more than promised, so that the end is met without growing once more. */
    size_t promised = promised_size(descriptor);
    if (!reserve(content, promised ? promised + 1 : READ_STEP))
        return false;
    for (;;) {
        size_t room = content->capacity - content->size;
        if (room == 0) {
            if (!reserve(content, content->capacity * 2))
                return false;
            continue;
        }
        ssize_t got = read(descriptor, content->data + content->size, room);
        if (got == 0)
            return true;
        if (got < 0 && errno != EINTR)
            return false;
        content->size += got > 0 ? (size_t)got : 0;
        if (max_size && content->size > max_size) {
            errno = EFBIG;
            return false;
        }
    }
}

/* Fills `content`, whose allocator is set; what it holds is the caller's to release. */
static bool read_content(const char *path, size_t max_size, lm_content *content, lm_error *error) {
    int descriptor = is_standard(path) ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return fail_io(error, path, "open");
    bool done = read_all(descriptor, max_size, content);
    if (!done)
        fail_io(error, is_standard(path) ? "standard input" : path, "read");
    if (descriptor != STDIN_FILENO)
        close(descriptor);
    return done;
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

void lm_file_close(lm_file *file) {
    lm_allocator allocator = lm_allocator_or_default(NULL);
    if (file->mapping)
        allocator.free(allocator.user, file->mapping, file->size);
    *file = (lm_file){0};
}

static bool write_all(int descriptor, const uint8_t *data, size_t size) {
    while (size > 0) {
        ssize_t put = write(descriptor, data, size);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return false;
        data += put;
        size -= (size_t)put;
    }
    return true;
}

#define MAX_SUFFIX sizeof ".4294967295-4294967295"

/* Makes a file that was not there, named `name` up to `length` and a suffix. Not by mkstemp, whose
 * files only their owner may read: the right mode would have to be asked of umask(), which changes
 * it for every thread while it asks. */
static int create_temporary(char *name, size_t length) {
    int descriptor = -1;
    for (unsigned i = 0; i < 1000; i++) {
        snprintf(name + length, MAX_SUFFIX, ".%u-%u", (unsigned)getpid(), i);
        descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor >= 0 || errno != EEXIST)
            break;
    }
    return descriptor;
}

static bool write_temporary(char *name, size_t length, const void *data, size_t size) {
    int descriptor = create_temporary(name, length);
    if (descriptor < 0)
        return false;
    bool written = write_all(descriptor, data, size);
    int problem = errno;
    written = close(descriptor) == 0 && written;
    errno = problem ? problem : errno;
    if (!written)
        unlink(name);
    return written;
}

/* What is no regular file (a pipe, /dev/full) is written to as it is: nothing can be renamed over
 * it. */
static bool write_special(const char *path, const void *data, size_t size, lm_error *error) {
    int descriptor = is_standard(path) ? STDOUT_FILENO : open(path, O_WRONLY | O_CLOEXEC);
    const char *name = is_standard(path) ? "standard output" : path;
    if (descriptor < 0)
        return fail_io(error, name, "open");
    bool written = write_all(descriptor, data, size);
    if (!written)
        fail_io(error, name, "write");
    if (descriptor != STDOUT_FILENO)
        written = close(descriptor) == 0 && written;
    return written;
}

bool lm_file_write(const char *path, const void *data, size_t size, lm_error *error) {
    struct stat info;
    if (is_standard(path) ||
        (stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)))
        return write_special(path, data, size, error);
    size_t length = strlen(path);
    char *name = malloc(length + MAX_SUFFIX);
    if (!name)
        return fail_io(error, path, "write");
    memcpy(name, path, length);
    bool written = write_temporary(name, length, data, size);
    if (!written)
        fail_io(error, path, "write");
    if (written && rename(name, path) != 0) {
        written = fail_io(error, path, "write");
        unlink(name);
    }
    free(name);
    return written;
}

lm_model *lm_load_file(const char *path, const lm_load_options *options, lm_error *error) {
    lm_load_options borrowing = options ? *options : (lm_load_options){0};
    lm_content content = {.allocator = lm_allocator_or_default(&borrowing.memory.allocator)};
    borrowing.borrow = true; /* from the bytes just read, which the model then keeps */
    lm_model *model = NULL;
    if (read_content(path, 0, &content, error))
        model = lm_load_memory(content.data, content.size, &borrowing, error);
    if (model)
        lm_model_adopt(model, content.data, content.capacity);
    else
        release(&content);
    return model;
}
