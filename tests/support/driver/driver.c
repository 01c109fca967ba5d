/* Preloaded before the command: a graphics driver that fails. The environment configures it:
 *
 *     DRIVER_ENDS_AT=K  the K-th draw call of all processes together ends its process
 *     DRIVER_ENDS_BY=N  by signal N; 0: by exit(3)
 *
 * libepoxy calls each function through a pointer, which the first call replaces if it is the
 * original. */
// NOLINTNEXTLINE(bugprone-reserved-identifier): the C library wants it
#define _GNU_SOURCE
#include <epoxy/gl.h>

#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static PFNGLDRAWELEMENTSPROC draw_elements;
static PFNGLDRAWARRAYSPROC draw_arrays;
static atomic_ulong *draws; /* shared by all processes */
static unsigned long ends_at;
static int ends_by;

static void count_draw(void) {
    if (atomic_fetch_add(draws, 1) + 1 != ends_at)
        return;
    if (ends_by == 0)
        exit(3); // NOLINT(concurrency-mt-unsafe): as a driver would
    signal(ends_by, SIG_DFL);
    kill(getpid(), ends_by);
    pause();
}

static void GLAPIENTRY elements(GLenum mode, GLsizei count, GLenum type, const void *indices) {
    count_draw();
    epoxy_glDrawElements = draw_elements;
    epoxy_glDrawElements(mode, count, type, indices);
    draw_elements = epoxy_glDrawElements;
    epoxy_glDrawElements = elements;
}

static void GLAPIENTRY arrays(GLenum mode, GLint first, GLsizei count) {
    count_draw();
    epoxy_glDrawArrays = draw_arrays;
    epoxy_glDrawArrays(mode, first, count);
    draw_arrays = epoxy_glDrawArrays;
    epoxy_glDrawArrays = arrays;
}

__attribute__((constructor)) static void begin(void) {
    const char *at = getenv("DRIVER_ENDS_AT"), *by = getenv("DRIVER_ENDS_BY");
    draws = mmap(NULL, sizeof *draws, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (draws == MAP_FAILED || !at || !by)
        return;
    ends_at = strtoul(at, NULL, 10);
    ends_by = (int)strtol(by, NULL, 10);
    draw_elements = epoxy_glDrawElements;
    draw_arrays = epoxy_glDrawArrays;
    epoxy_glDrawElements = elements;
    epoxy_glDrawArrays = arrays;
}
