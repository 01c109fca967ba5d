/* Keeps drivers loaded until the program ends. Otherwise LeakSanitizer reports a driver's own
 * memory as a leak once its module, and every pointer in it, is gone. */
#include <dirent.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <threads.h>

__attribute__((visibility("default"))) int dlclose(void *handle) {
    (void)handle;
    return 0;
}

static size_t count_threads(void) {
    DIR *folder = opendir("/proc/self/task");
    size_t count = 0;
    // NOLINTNEXTLINE(concurrency-mt-unsafe): no one else reads this folder
    while (folder && readdir(folder))
        count++;
    if (folder)
        closedir(folder);
    return count;
}

/* Waits until no thread has started or ended for a while. LeakSanitizer crashes if it meets an
 * ending thread, such as a driver's workers. */
static void let_threads_end(void) {
    size_t before = 0, now = count_threads();
    for (int i = 0; i < 20 && now != before; i++) {
        thrd_sleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
        before = now;
        now = count_threads();
    }
}

__attribute__((constructor)) static void begin(void) {
    (void)atexit(let_threads_end);
}
