/* Measures the command as its users run it: the whole process, from its start to its end. */
#include "models.h"
#include "sections.h"

#include "lerpmesh/files.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct command {
    char *words[5];
    posix_spawn_file_actions_t *quiet;
    bool failed;
} command;

static void run_command(void *context) {
    command *c = context;
    pid_t child;
    int status = -1;
    if (posix_spawn(&child, c->words[0], c->quiet, NULL, c->words, environ) != 0 ||
        waitpid(child, &status, 0) != child || status != 0)
        c->failed = true;
}

static void compare_commands(bench *b, const char *tool, const char *path, const char *name,
                             posix_spawn_file_actions_t *quiet) {
    char subject[256], info[] = "info", json[] = "--json";
    char *nothing = access("/bin/true", X_OK) == 0 ? "/bin/true" : "/usr/bin/true";
    command commands[] = {
        {.words = {nothing}, .quiet = quiet},
        {.words = {(char *)tool, "--version"}, .quiet = quiet},
        {.words = {(char *)tool, info, (char *)path}, .quiet = quiet},
        {.words = {(char *)tool, info, json, (char *)path}, .quiet = quiet},
    };
    const bench_contender contenders[] = {
        {"a process that does nothing (true)", run_command, &commands[0]},
        {"lerpmesh --version", run_command, &commands[1]},
        {"lerpmesh info", run_command, &commands[2]},
        {"lerpmesh info --json", run_command, &commands[3]}};
    const bench_claim claims[] = {{BENCH_BELOW, 2, 0, 10}, {BENCH_BELOW, 3, 0, 10}};
    for (int i = 0; i < 4; i++)
        run_command(&commands[i]);
    for (int i = 0; i < 4; i++)
        if (!bench_require(b, !commands[i].failed, commands[i].words[0]))
            return;
    snprintf(subject, sizeof subject, "whole process, %s", name);
    bench_compare(b,
                  &(bench_comparison){.section = "process",
                                      .subject = subject,
                                      .unit = "ms",
                                      .units = 1e6,
                                      .wall = true,
                                      .contenders = contenders,
                                      .num_contenders = 4,
                                      .claims = claims,
                                      .num_claims = 2},
                  NULL);
}

/* Measures a synthetic model of 300 KB, in a file that is removed at the end. */
static void compare_synthetic(bench *b, const char *tool, posix_spawn_file_actions_t *quiet) {
    char path[] = "/tmp/lerpmesh-bench-XXXXXX";
    lm_buffer buffer = {0};
    int descriptor = mkstemp(path);
    bench_make_md2(342, 198, &buffer);
    bool written = descriptor >= 0 && lm_file_write(path, buffer.data, buffer.size, NULL);
    if (bench_require(b, written, "writing a model into /tmp"))
        compare_commands(b, tool, path, "a made MD2 of 198 frames, 342 vertices", quiet);
    if (descriptor >= 0) {
        close(descriptor);
        unlink(path);
    }
    lm_buffer_free(&buffer);
}

void bench_process(bench *b, const bench_corpus *corpus, const char *tool) {
    posix_spawn_file_actions_t quiet;
    if (access(tool, X_OK) != 0) {
        fprintf(stderr, "lerpmesh-bench: there is no command at %s (--tool)\n", tool);
        b->failed = true;
        return;
    }
    bench_unpin();
    posix_spawn_file_actions_init(&quiet);
    posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    for (size_t i = 0; i < corpus->count; i++) {
        const bench_file *file = &corpus->files[i];
        if (file->size >= 250000 && file->size <= 350000)
            compare_commands(b, tool, file->path, file->name, &quiet);
    }
    compare_synthetic(b, tool, &quiet);
    posix_spawn_file_actions_destroy(&quiet);
    bench_pin();
}
