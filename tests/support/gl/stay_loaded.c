/* Drivers stay loaded to the end. What one keeps for itself would else be a leak to LeakSanitizer
 * once its module is gone, and with it all that pointed there. */
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
    // NOLINTNEXTLINE(concurrency-mt-unsafe): a folder that nobody else reads
    while (folder && readdir(folder))
        count++;
    if (folder)
        closedir(folder);
    return count;
}

/* LeakSanitizer crashes where it meets a thread that is just ending, as those of a driver or of
 * GLib do when the last of their work is gone. Waits until none has come or gone for a while. */
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
