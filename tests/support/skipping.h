/* A skipped test prints a line of its own, which `make test` counts in its last line. */
#ifndef TESTS_SKIPPING_H
#define TESTS_SKIPPING_H

#include <stdio.h>

#define REPORT_SKIPPED(what, why) fprintf(stderr, "skipped: %s: %s\n", what, why)

/* Ends a cmocka test before it tests anything. */
#define SKIP(why)                      \
    do {                               \
        REPORT_SKIPPED(__func__, why); \
        skip();                        \
    } while (0)

#endif
