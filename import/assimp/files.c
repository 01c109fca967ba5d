/* The files that Assimp opens: the source, and the files that it refers to. */
#include "assimp.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

typedef struct lm_im_vfs {
    importing *im;
    const lm_im_source *source;
} lm_im_vfs;

typedef struct lm_im_open_file {
    struct aiFile file; /* first: Assimp has its address */
    lm_im_bytes bytes;
    uint64_t at;
    lm_buffer external; /* the bytes of a file other than the source */
} lm_im_open_file;

static lm_im_open_file *own(struct aiFile *file) {
    return (lm_im_open_file *)(void *)file;
}

static size_t read_bytes(struct aiFile *file, char *out, size_t size, size_t count) {
    lm_im_open_file *f = own(file);
    const uint64_t left = f->bytes.size - f->at;
    const uint64_t rows = size == 0 ? 0 : left / size < count ? left / size : count;
    if (rows > 0)
        memcpy(out, f->bytes.data + f->at, (size_t)rows * size);
    f->at += rows * size;
    return (size_t)rows;
}

static size_t write_nothing(struct aiFile *file, const char *bytes, size_t size, size_t count) {
    (void)file;
    (void)bytes;
    (void)size;
    (void)count;
    return 0;
}

static size_t position_of(struct aiFile *file) {
    return (size_t)own(file)->at;
}

static size_t size_of(struct aiFile *file) {
    return (size_t)own(file)->bytes.size;
}

static enum aiReturn seek(struct aiFile *file, size_t offset, enum aiOrigin origin) {
    lm_im_open_file *f = own(file);
    /* Offsets from the end and backwards are negative numbers, converted to size_t. */
    const uint64_t from = origin == aiOrigin_SET   ? 0
                          : origin == aiOrigin_CUR ? f->at
                                                   : f->bytes.size;
    const uint64_t to = from + offset;
    if (to > f->bytes.size)
        return aiReturn_FAILURE;
    f->at = to;
    return aiReturn_SUCCESS;
}

static void flush(struct aiFile *file) {
    (void)file;
}

/* Removes a leading "./", which Assimp puts before some names: "./x.mtl". */
static const char *plain_name(const char *name) {
    while (name[0] == '.' && (name[1] == '/' || name[1] == '\\'))
        name += 2;
    return name;
}

static bool read_sidecar(const lm_im_vfs *vfs, const char *name, lm_im_open_file *file) {
    const lm_import_options *options = vfs->im->options;
    lm_error ignored;
    file->external = (lm_buffer){.allocator = options->memory.allocator,
                                 .max_size = lmi_im_max_file(vfs->im, LM_IMPORT_ASSIMP_BYTES)};
    if (!options->read || !options->read(options->user, name, &file->external, &ignored) ||
        file->external.failed) {
        lm_buffer_free(&file->external);
        return false;
    }
    lmi_im_add_input(vfs->im, file->external.size);
    file->bytes = (lm_im_bytes){file->external.data, file->external.size};
    return true;
}

static struct aiFile *open_file(struct aiFileIO *io, const char *name, const char *mode) {
    const lm_im_vfs *vfs = (const lm_im_vfs *)(const void *)io->UserData;
    const lm_allocator allocator = vfs->im->arena->heap->allocator;
    if (mode[0] != 'r')
        return NULL;
    lm_im_open_file *file = allocator.alloc(allocator.user, sizeof *file);
    if (!file)
        return NULL;
    *file = (lm_im_open_file){
        .file = {read_bytes, write_nothing, position_of, size_of, seek, flush, NULL}};
    name = plain_name(name);
    if (strcmp(name, vfs->source->name) == 0)
        file->bytes = (lm_im_bytes){vfs->source->bytes, vfs->source->size};
    else if (!read_sidecar(vfs, name, file)) {
        allocator.free(allocator.user, file, sizeof *file);
        return NULL;
    }
    return &file->file;
}

static void close_file(struct aiFileIO *io, struct aiFile *file) {
    const lm_im_vfs *vfs = (const lm_im_vfs *)(const void *)io->UserData;
    const lm_allocator allocator = vfs->im->arena->heap->allocator;
    if (!file)
        return;
    lm_buffer_free(&own(file)->external);
    allocator.free(allocator.user, own(file), sizeof(lm_im_open_file));
}

#define STEPS                                                                      \
    (aiProcess_Triangulate | aiProcess_SortByPType | aiProcess_TransformUVCoords | \
     aiProcess_FindInvalidData)

typedef struct lm_im_loading {
    const lm_im_library *library;
    lm_im_vfs *vfs;
    const struct aiScene *scene;
    char why[256];
} lm_im_loading;

static void load(void *user) {
    lm_im_loading *l = user;
    const lm_im_library *library = l->library;
    struct aiFileIO io = {open_file, close_file, (char *)(void *)l->vfs};
    struct aiPropertyStore *properties = library->aiCreatePropertyStore();
    library->aiSetImportPropertyInteger(properties, "PP_SBP_REMOVE",
                                        aiPrimitiveType_POINT | aiPrimitiveType_LINE);
    l->scene = library->aiImportFileExWithProperties(l->vfs->source->name, STEPS, &io, properties);
    if (!l->scene)
        snprintf(l->why, sizeof l->why, "%s", library->aiGetErrorString());
    library->aiReleasePropertyStore(properties);
}

/* ---- Recovering from abort() -------------------------------------------------------------- */

static _Thread_local sigjmp_buf jump;
static _Thread_local volatile sig_atomic_t guarded;

static void leave(int number) {
    if (guarded)
        siglongjmp(jump, 1);
    signal(number, SIG_DFL); /* another thread called abort(): end the program as usual */
    raise(number);
}

/* Calls `work`, and returns false if it called abort(), as packaged builds of Assimp do if a file
 * violates an assertion. After abort(), memory and other resources of the work are leaked. */
static bool guarded_call(void (*work)(void *user), void *user) {
    struct sigaction own = {.sa_handler = leave}, before;
    sigemptyset(&own.sa_mask);
    sigaction(SIGABRT, &own, &before);
    const bool done = sigsetjmp(jump, 1) == 0;
    if (done) {
        guarded = 1;
        work(user);
    }
    guarded = 0;
    sigaction(SIGABRT, &before, NULL);
    return done;
}

const struct aiScene *lmi_im_assimp_load(importing *im, const lm_im_library *library,
                                         const lm_im_source *source) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    lm_im_vfs vfs = {im, source};
    lm_im_loading loading = {.library = library, .vfs = &vfs};
    pthread_mutex_lock(&lock);
    const bool done = guarded_call(load, &loading);
    pthread_mutex_unlock(&lock);
    if (!done)
        lmi_im_fail(im, LM_CODE_UNKNOWN_FORMAT, NULL,
                    "Assimp aborted while reading it: export to glTF instead");
    else if (!loading.scene && strstr(loading.why, "bad_alloc")) /* the C++ exception for it */
        lm_fail_plain(im->error, LM_CODE_OUT_OF_MEMORY, "out of memory");
    else if (!loading.scene)
        lmi_im_fail(im, LM_CODE_UNKNOWN_FORMAT, NULL, "Assimp cannot read it: %.200s",
                    loading.why[0] ? loading.why : "it gives no reason");
    return done ? loading.scene : NULL;
}
