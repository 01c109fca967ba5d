/* What a test leaves out is said on a line of its own, for the last line of `make test` to count.
 */
#ifndef TESTS_SKIPPING_H
#define TESTS_SKIPPING_H

#include <stdio.h>

#define SAY_SKIPPED(what, why) fprintf(stderr, "skipped: %s: %s\n", what, why)

/* Ends a cmocka test before it has tested. */
#define SKIP(why)                   \
    do {                            \
        SAY_SKIPPED(__func__, why); \
        skip();                     \
    } while (0)

#endif
