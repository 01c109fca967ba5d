/* Measures the command as its users run it: the whole process, from its start to its end. */
#include "harness.h"
#include "lerpmesh/files.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define RENDER_ROUNDS 9u /* a run takes tenths of a second */

static void run_command(void *context) {
    char **words = context;
    pid_t child;
    int status = -1;
    posix_spawn_file_actions_t quiet;
    posix_spawn_file_actions_init(&quiet);
    posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    const bool ran = posix_spawnp(&child, words[0], &quiet, NULL, words, environ) == 0 &&
                     waitpid(child, &status, 0) == child && status == 0;
    posix_spawn_file_actions_destroy(&quiet);
    bench_failed = bench_failed || !ran;
}

static void compare(const char *tool, const char *path) {
    const char *commands[][4] = {{"true"}, {tool, "--version"}, {tool, "info", path}};
    const bench_contender contenders[] = {
        {"a process that does nothing (true)", run_command, (void *)commands[0], 1e6},
        {"lerpmesh --version", run_command, (void *)commands[1], 1e6},
        {"lerpmesh info", run_command, (void *)commands[2], 1e6}};
    bench_compare("whole process, a made MD2 of 198 frames, 342 vertices", "ms", CLOCK_MONOTONIC,
                  contenders, 3);
}

static void compare_render(const char *tool, const char *path) {
    char folder[] = "/tmp/lerpmesh-bench-XXXXXX", image[64];
    const unsigned rounds = bench_rounds;
    if (!bench_require(mkdtemp(folder) != NULL, folder))
        return;
    snprintf(image, sizeof image, "%s/image.png", folder);
    const char *words[] = {tool, "render", path, "--size", "256", "-q", "-o", image, NULL};
    const bench_contender contender = {"lerpmesh render --size 256", run_command, (void *)words,
                                       1e6};
    bench_rounds = rounds < RENDER_ROUNDS ? rounds : RENDER_ROUNDS;
    bench_compare("whole process, drawing it", "ms", CLOCK_MONOTONIC, &contender, 1);
    bench_rounds = rounds;
    unlink(image);
    rmdir(folder);
}

void bench_process(const bench_corpus *corpus, const char *tool) {
    char path[] = "/tmp/lerpmesh-bench-XXXXXX";
    (void)corpus;
    lm_buffer made = bench_make_file("md2", 342, 198);
    const int descriptor = mkstemp(path);
    const bool written = descriptor >= 0 && lm_file_write(path, made.data, made.size, NULL);
    if (!bench_require(written && access(tool, X_OK) == 0, tool))
        return;
    bench_pin(false);
    compare(tool, path);
    compare_render(tool, path);
    close(descriptor);
    unlink(path);
    lm_buffer_free(&made);
    bench_pin(true);
}
