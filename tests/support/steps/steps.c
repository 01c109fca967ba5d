/* Preloaded before a program under valgrind: runs the main() of the program that STEPS_OF names for
 * each line of the standard input, so that valgrind starts once. A line has fields separated by
 * tabs: `here` or `apart`, a folder, and the arguments. The run happens in that folder, with
 * nothing on its standard input and output. `apart` runs in a new process, a copy of this one.
 * `here` runs in this process; valgrind then has the translated code, also for later copies. For
 * each run this writes a line to the standard output: the process and the exit status, 255 if a
 * signal ended it. */
// NOLINTNEXTLINE(bugprone-reserved-identifier): the C library wants it
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_ARGUMENTS 64

typedef int program_main(int argc, char **argv, char **environment);

static program_main *program;
static char **environment;

static int run(const char *folder, int argc, char **argv) {
    return chdir(folder) == 0 ? program(argc, argv, environment) : 254;
}

static int run_apart(const char *folder, int argc, char **argv, pid_t *process) {
    int status = 0;
    *process = fork();
    if (*process == 0)
        _exit(run(folder, argc, argv)); /* exit() would move the place in the lines */
    if (*process < 0 || waitpid(*process, &status, 0) < 0)
        return 255;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

/* Runs a line, with the program's name as the first argument. */
static void answer(char *line, char *name, int to) {
    char *where = strsep(&line, "\t"), *folder = strsep(&line, "\t"),
         *argv[MAX_ARGUMENTS + 2] = {name};
    int argc = 1;
    while (line && argc <= MAX_ARGUMENTS)
        argv[argc++] = strsep(&line, "\t");
    pid_t process = getpid();
    const int status = strcmp(where, "apart") == 0 ? run_apart(folder, argc, argv, &process)
                                                   : run(folder, argc, argv);
    dprintf(to, "%d %d\n", (int)process, status);
}

static int serve(int argc, char **argv, char **given) {
    (void)argc;
    environment = given;
    FILE *lines = fdopen(fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 10), "r");
    const int to = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10),
              nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (!lines || to < 0 || dup2(nothing, STDIN_FILENO) < 0 || dup2(nothing, STDOUT_FILENO) < 0)
        return EXIT_FAILURE;
    char *line = NULL;
    size_t room = 0;
    for (ssize_t length; (length = getline(&line, &room, lines)) > 0;) {
        line[length - 1] = '\0';
        answer(line, argv[0], to);
    }
    free(line);
    return fclose(lines) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

typedef int start_main(program_main *start, int argc, char **argv, void (*init)(void),
                       void (*finish)(void), void (*loader)(void), void *stack);

start_main __libc_start_main; // NOLINT(bugprone-reserved-identifier): the C library's own

int __libc_start_main(program_main *start, int argc, char **argv, void (*init)(void),
                      void (*finish)(void), void (*loader)(void), void *stack) {
    start_main *real;
    *(void **)&real = dlsym(RTLD_NEXT, "__libc_start_main");
    program = start;
    const char *name =
        getenv("STEPS_OF"); /* valgrind itself, which is a script, starts other programs before */
    const bool wanted = name && argc > 0 && strcmp(argv[0], name) == 0;
    return real(wanted ? serve : start, argc, argv, init, finish, loader, stack);
}
