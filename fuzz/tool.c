/* Fuzzes the command. The first part of the input is its arguments, one per line; each other
 * part begins with a line with a name, and becomes a file. The command runs in a folder of its
 * own. It ends with a documented status, leaves no temporary file, and writes nothing outside
 * its folder. */
#include "fuzz.h"

#include "convert_internal.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_ARGUMENTS 24
#define MAX_NAME 64

/* main() of tool/main.c, renamed. */
int lerpmesh_main(int argc, char **argv);

/* ---- In place of Assimp ---------------------------------------------------------------------- */

bool lmi_cv_assimp_reads(conversion *c) {
    (void)c;
    return false;
}

lm_import *lmi_cv_read_assimp(conversion *c, const lm_buffer *file,
                              const lm_import_options *options) {
    (void)file, (void)options;
    lm_cv_fail(c, "Assimp is not part of this program");
    return NULL;
}

/* ---- The folder ------------------------------------------------------------------------------ */

/* The command works in WORK, the only entry of the parent. */
static char parent[] = "/dev/shm/lerpmesh-fuzz-XXXXXX";
static char fallback[] = "/tmp/lerpmesh-fuzz-XXXXXX";
static char *folder;
static int work, before; /* the folder of the command, and the current one of this process */

#define WORK "work"

/* Removes everything in a folder, and closes it. */
// NOLINTNEXTLINE(misc-no-recursion)
static void empty_folder(int fd) {
    PROMISE(fd >= 0);
    DIR *list = fdopendir(fd);
    PROMISE(list);
    // NOLINTNEXTLINE(concurrency-mt-unsafe): the fuzzer has one thread
    for (const struct dirent *entry; (entry = readdir(list));) {
        const char *name = entry->d_name;
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
            continue;
        PROMISE(strncmp(name, ".lerpmesh-", 10) != 0);
        if (unlinkat(fd, name, 0) == 0)
            continue;
        empty_folder(openat(fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
        PROMISE(unlinkat(fd, name, AT_REMOVEDIR) == 0);
    }
    closedir(list);
}

static void remove_folder(void) {
    unlinkat(work, "../" WORK, AT_REMOVEDIR);
    rmdir(folder);
}

static void make_folder(void) {
    char path[sizeof parent + sizeof WORK];
    folder = mkdtemp(parent) ? parent : mkdtemp(fallback);
    if (!folder || snprintf(path, sizeof path, "%s/" WORK, folder) < 0 || mkdir(path, 0700) != 0)
        abort();
    work = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    before = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (work < 0 || before < 0 || !freopen("/dev/null", "r", stdin) || atexit(remove_folder) != 0)
        abort();
}

static void assert_nothing_outside(void) {
    DIR *list = opendir(folder);
    const struct dirent *entry;
    PROMISE(list);
    // NOLINTNEXTLINE(concurrency-mt-unsafe): there is one thread
    while ((entry = readdir(list)) != NULL)
        PROMISE(entry->d_name[0] == '.' || strcmp(entry->d_name, WORK) == 0);
    closedir(list);
}

/* ---- Arguments and files --------------------------------------------------------------------- */

/* Rejects paths that leave the folder. A slash follows a letter, a digit or a brace, and is not in
 * a short option, so that the path is relative. */
static bool stays_inside(const char *text) {
    for (const char *at = strchr(text, '/'); at; at = strchr(at + 1, '/'))
        if (at == text || !strchr("abcdefghijklmnopqrstuvwxyz0123456789}", at[-1]))
            return false;
    return !strstr(text, "..") && !(text[0] == '-' && text[1] != '-' && strchr(text, '/'));
}

static void add_argument(int *argc, char **argv, const char *text, size_t length) {
    char *copy = malloc(length + 1);
    if (!copy)
        abort();
    memcpy(copy, text, length);
    copy[length] = '\0';
    argv[(*argc)++] = copy;
}

/* Makes an argument of each line, in memory of its own: the sanitizer sees its end. Returns false
 * if the command must not run with them. */
static bool split_arguments(const char *text, int *argc, char **argv) {
    bool inside = true;
    *argc = 0;
    add_argument(argc, argv, "lerpmesh", strlen("lerpmesh"));
    while (*text && *argc < MAX_ARGUMENTS) {
        const size_t length = strcspn(text, "\n");
        add_argument(argc, argv, text, length);
        inside = inside && stays_inside(argv[*argc - 1]);
        text += length + (text[length] == '\n');
    }
    argv[*argc] = NULL;
    return inside;
}

/* Writes a part to the file that its first line names, in a folder of one level at most. */
static void write_file(const uint8_t *data, size_t size) {
    char name[MAX_NAME];
    const uint8_t *end = memchr(data, '\n', size);
    const size_t length = end ? (size_t)(end - data) : size;
    if (!end || length == 0 || length >= sizeof name || memchr(data, 0, length) || data[0] == '.')
        return;
    memcpy(name, data, length);
    name[length] = '\0';
    if (!stays_inside(name))
        return;
    char *slash = strchr(name, '/');
    if (slash) {
        *slash = '\0';
        mkdirat(work, name, 0700);
        *slash = '/';
    }
    const int file =
        openat(work, name, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0) /* a folder, or in two folders */
        return;
    if (write(file, end + 1, size - length - 1) != (ssize_t)(size - length - 1))
        abort();
    close(file);
}

void fuzz_tool(fuzz_input *input) {
    char *argv[MAX_ARGUMENTS + 1];
    int argc;
    if (!folder)
        make_folder();
    fuzz_split(input);
    char *text = fuzz_text(&input->parts[0]);
    if (split_arguments(text, &argc, argv)) {
        for (size_t i = 1; i < input->num_parts; i++)
            write_file(input->parts[i].data, input->parts[i].size);
        if (fchdir(work) != 0)
            abort();
        const int status = lerpmesh_main(argc, argv);
        PROMISE(status >= 0 && status <= 2);
        empty_folder(open(".", O_RDONLY | O_DIRECTORY));
        if (fchdir(before) != 0)
            abort();
        assert_nothing_outside();
    }
    for (int i = 0; i < argc; i++)
        free(argv[i]);
    free(text);
}
