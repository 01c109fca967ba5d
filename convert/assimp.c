/* Imports files through Assimp, in a process of its own: Assimp limits neither time nor memory, and
 * some files crash it. Even loading it may end a process without memory, so that each process loads
 * it again. This process reads the files that Assimp asks for, so that the rules for
 * paths and archives apply. */
#include "convert_internal.h"
#include "isolate.h"

#include <string.h>

#if !LM_ISOLATES

bool lmi_cv_assimp_reads(conversion *c) {
    return lm_importer_find(NULL, 0, c->subject) == LM_IMPORTER_ASSIMP;
}

lm_import *lmi_cv_read_assimp(conversion *c, const lm_buffer *file,
                              const lm_import_options *options) {
    lm_error error;
    lm_import *import = lm_import_read(file->data, file->size, options, &error);
    if (!import)
        lmi_cv_fail_error(c, &error);
    return import;
}

#else

#define DEFAULT_MEMORY ((size_t)1 << 31)

/* One import. It lies in shared memory. */
typedef struct assimp_run {
    lm_isolation isolation;
    const lm_buffer *file;
    const lm_import_options *given; /* whose callback needs this process */
    lm_import_options options;
    lm_import *import;
    lm_error error;
} assimp_run;

/* A file that Assimp asks for. */
typedef struct assimp_request {
    const char *uri;
    lm_buffer out;
    lm_error error;
    bool read;
} assimp_request;

/* ---- In the process of the import ------------------------------------------------------------ */

static bool request_file(void *user, const char *uri, lm_buffer *out, lm_error *error) {
    const assimp_run *run = user;
    const lm_allocator shared = run->options.memory.allocator;
    const size_t size = strlen(uri) + 1;
    assimp_request *request = shared.alloc(shared.user, sizeof *request);
    char *copy = shared.alloc(shared.user, size);
    if (!request || !copy)
        return lm_fail_plain(error, LM_CODE_OUT_OF_MEMORY, "out of memory");
    *request = (assimp_request){.uri = memcpy(copy, uri, size),
                                .out = {.max_size = out->max_size, .allocator = shared}};
    lmi_isolate_call(&run->isolation, request);
    lm_buffer_append(out, request->out.data, request->out.size);
    if (error)
        *error = request->error;
    return request->read;
}

static void import_file(void *user) {
    assimp_run *run = user;
    run->import = lm_import_read(run->file->data, run->file->size, &run->options, &run->error);
}

typedef struct assimp_question {
    const char *path;
    bool reads;
} assimp_question;

static void ask(void *user) {
    assimp_question *question = user;
    question->reads = lm_importer_find(NULL, 0, question->path) == LM_IMPORTER_ASSIMP;
}

/* ---- In this process ------------------------------------------------------------------------- */

static void read_file(void *user, void *requested) {
    const assimp_run *run = user;
    assimp_request *request = requested;
    request->read =
        run->given->read(run->given->user, request->uri, &request->out, &request->error);
}

/* Returns the memory for the job's next import, with room for what it keeps and its copies of
 * files. */
static lm_shared *memory_of(conversion *c, size_t given) {
    const size_t most = given > 0 ? given : LM_MAX_IMPORT_BYTES;
    if (c->shared && lmi_shared_size(c->shared) >= most &&
        lmi_shared_left(c->shared) >= lmi_shared_size(c->shared) / 2)
        return c->shared;
    lm_shared *shared = lmi_shared_new(most < SIZE_MAX / 2 ? 2 * most : most, c->shared);
    if (shared)
        c->shared = shared;
    return shared;
}

bool lmi_cv_assimp_reads(conversion *c) {
    lm_shared *shared = memory_of(c, 0);
    const lm_allocator memory = shared ? lmi_shared_allocator(shared) : (lm_allocator){0};
    assimp_question *question = shared ? memory.alloc(memory.user, sizeof *question) : NULL;
    int number;
    if (!question)
        return false;
    *question = (assimp_question){.path = c->subject};
    lmi_isolate(&(lm_isolation){.shared = shared,
                                .max_bytes = DEFAULT_MEMORY,
                                .max_seconds = LM_CONVERT_IMPORT_SECONDS,
                                .work = ask,
                                .user = question},
                &number);
    return question->reads;
}

/* Fails the job with the reason why there is no import. */
static void explain(conversion *c, const assimp_run *run, lm_ending ending, int number) {
    switch (ending) {
    case LM_RETURNED:
        if (run->error.code == LM_CODE_OUT_OF_MEMORY)
            lm_cv_fail_code(c, LM_CODE_LIMIT,
                            "import: Assimp needs more than %zu bytes of memory: raise " OPTION
                            "import-memory, or export to glTF instead",
                            run->isolation.max_bytes);
        else
            lmi_cv_fail_error(c, &run->error);
        return;
    case LM_CRASHED:
        lm_cv_fail_code(
            c, LM_CODE_UNKNOWN_FORMAT,
            "import: Assimp crashed while reading it (signal %d): export to glTF instead", number);
        return;
    case LM_EXITED:
        lm_cv_fail_code(c, LM_CODE_UNKNOWN_FORMAT,
                        "import: Assimp ended its process while reading it (status %d): export to "
                        "glTF instead",
                        number);
        return;
    case LM_TIMED_OUT:
        lm_cv_fail_code(c, LM_CODE_LIMIT,
                        "import: Assimp needs more than %u s: raise " OPTION
                        "import-time, or export "
                        "to glTF instead",
                        run->isolation.max_seconds);
        return;
    case LM_KILLED:
        lm_cv_fail_code(
            c, LM_CODE_OUT_OF_MEMORY,
            "import: Assimp was killed while reading it: the system may have run out of "
            "memory");
        return;
    case LM_NOT_STARTED:
        lm_cv_fail_code(c, LM_CODE_IO, "cannot start a process for Assimp: %s", strerror(number));
    }
}

lm_import *lmi_cv_read_assimp(conversion *c, const lm_buffer *file,
                              const lm_import_options *options) {
    lm_shared *shared = memory_of(c, options->memory.max_bytes);
    const lm_allocator memory = shared ? lmi_shared_allocator(shared) : (lm_allocator){0};
    assimp_run *run = shared ? memory.alloc(memory.user, sizeof *run) : NULL;
    int number;
    if (!run) {
        lmi_arena_out_of_memory(c->arena, true);
        return NULL;
    }
    *run = (assimp_run){.isolation = {.shared = shared,
                                      .max_bytes = c->options->import_memory,
                                      .max_seconds = c->options->import_seconds,
                                      .work = import_file,
                                      .serve = read_file,
                                      .user = run},
                        .file = file,
                        .given = options,
                        .options = *options};
    if (run->isolation.max_seconds == 0)
        run->isolation.max_seconds = LM_CONVERT_IMPORT_SECONDS;
    if (run->isolation.max_bytes == 0)
        run->isolation.max_bytes = DEFAULT_MEMORY;
    run->options.memory.allocator = memory;
    run->options.read = request_file;
    run->options.user = run;
    const lm_ending ending = lmi_isolate(&run->isolation, &number);
    if (ending == LM_RETURNED && run->import)
        return run->import;
    explain(c, run, ending, number);
    return NULL;
}

#endif
