/* fuzz NAME PATH…: runs a fuzzer's inputs once each, files or all files in folders, in any build
 * and without libFuzzer. A path without any file is a failure. */
#include "fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool run_file(const char *path) {
    lm_error error;
    lm_buffer file = {0};
    if (!lm_file_read(path, 0, &file, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return false;
    }
    fprintf(stderr, "%s\n", path); /* the last path printed before a crash is its cause */
    LLVMFuzzerTestOneInput(file.data, file.size);
    lm_buffer_free(&file);
    return true;
}

/* Returns the number of files that were run; 0 is a failure. */
static size_t run_folder(DIR *folder, const char *path) {
    size_t count = 0;
    const struct dirent *entry;
    // NOLINTNEXTLINE(concurrency-mt-unsafe): there is one thread
    while ((entry = readdir(folder)) != NULL) {
        char name[4096];
        if (entry->d_name[0] == '.')
            continue;
        if ((size_t)snprintf(name, sizeof name, "%s/%s", path, entry->d_name) >= sizeof name ||
            !run_file(name))
            return 0;
        count++;
    }
    return count;
}

static size_t run(const char *path) {
    DIR *folder = opendir(path);
    if (!folder)
        return run_file(path);
    const size_t count = run_folder(folder, path);
    closedir(folder);
    return count;
}

int main(int argc, char **argv) {
    size_t count = 0;
    fuzz_choose_surface(&argc, argv);
    fuzz_all_checks = true;
    for (int i = 1; i < argc; i++) {
        const size_t found = run(argv[i]);
        if (!found)
            return fprintf(stderr, "%s: there is no input\n", argv[i]), 1;
        count += found;
    }
    if (!count)
        return fprintf(stderr, "usage: %s NAME FILE-OR-FOLDER...\n", argv[0]), 2;
    printf("%zu inputs\n", count);
    return 0;
}
