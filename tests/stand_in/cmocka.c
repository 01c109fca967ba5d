/* The part of cmocka that our tests use, for systems where it cannot be installed: other machines
 * under qemu, and Windows. It reports failures and skipped cases like cmocka. */
#include "cmocka.h"

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    PASSED,
    SKIPPED,
    FAILED
};

static jmp_buf leave;
static void *state;

void stand_in_fail(const char *file, int line, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fflush(stdout);
    fprintf(stderr, "[  ERROR   ] --- ");
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\n%s:%d\n", file, line);
    va_end(arguments);
    longjmp(leave, FAILED);
}

void stand_in_skip(void) {
    longjmp(leave, SKIPPED);
}

void stand_in_numbers(unsigned long long a, unsigned long long b, int same, const char *file,
                      int line) {
    if ((a == b) != same)
        stand_in_fail(file, line, "%#" PRIx64 " %s %#" PRIx64, (uint64_t)a,
                      same ? "!=" : "==", (uint64_t)b);
}

void stand_in_texts(const char *a, const char *b, int same, const char *file, int line) {
    if ((strcmp(a, b) == 0) != same)
        stand_in_fail(file, line, "\"%s\" %s \"%s\"", a, same ? "!=" : "==", b);
}

void stand_in_bytes(const void *a, const void *b, size_t size, const char *file, int line) {
    for (size_t i = 0; i < size; i++)
        if (((const uint8_t *)a)[i] != ((const uint8_t *)b)[i])
            stand_in_fail(file, line, "byte %lu differs", (unsigned long)i);
}

void stand_in_floats(double a, double b, double slack, const char *file, int line) {
    if (!(fabs(a - b) <= slack))
        stand_in_fail(file, line, "%.9g != %.9g", a, b);
}

static int run_one(const struct CMUnitTest *test) {
    void *own = state;
    if (test->setup && test->setup(&own) != 0)
        return FAILED;
    const int result = setjmp(leave);
    if (result == PASSED)
        test->test(&own);
    const int torn = test->teardown ? test->teardown(&own) : 0;
    return torn != 0 ? FAILED : result;
}

int stand_in_run(const char *name, const struct CMUnitTest *tests, size_t count,
                 int (*setup)(void **state), int (*teardown)(void **state)) {
    static const char *const says[] = {"[       OK ]", "[  SKIPPED ]", "[  FAILED  ]"};
    size_t sums[3] = {0}, run = 0;
    if (setup && setup(&state) != 0)
        return fprintf(stderr, "[  ERROR   ] %s: cannot be set up\n", name), 1;
    for (size_t i = 0; i < count; i++) {
        if (!tests[i].name)
            continue;
        const int result = run_one(&tests[i]);
        printf("%s %s\n", says[result], tests[i].name);
        fflush(stdout);
        sums[result]++;
        run++;
    }
    const int torn = teardown ? teardown(&state) : 0;
    printf("[==========] %s: %lu test(s) run.\n", name, (unsigned long)run);
    if (sums[SKIPPED] > 0)
        printf("[  SKIPPED ] %lu test(s), listed below:\n", (unsigned long)sums[SKIPPED]);
    return (int)sums[FAILED] + (torn != 0);
}
