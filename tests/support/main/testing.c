#include "testing.h"

#include <stdlib.h>

typedef struct listed {
    int line;
    struct CMUnitTest test;
} listed;

static listed list[100];
static size_t count;
static int (*before)(void **state), (*after)(void **state);

void add_test(int line, struct CMUnitTest test) {
    if (count == sizeof list / sizeof *list)
        abort();
    list[count++] = (listed){line, test};
}

void set_test_group(int (*setup)(void **state), int (*teardown)(void **state)) {
    before = setup;
    after = teardown;
}

static int compare_lines(const void *a, const void *b) {
    return ((const listed *)a)->line - ((const listed *)b)->line;
}

/* Compilers call constructors in any order. */
int run_test_list(void) {
    static struct CMUnitTest
        tests[sizeof list / sizeof *list]; /* cmocka ignores those without a name */
    qsort(list, count, sizeof *list, compare_lines);
    for (size_t i = 0; i < count; i++)
        tests[i] = list[i].test;
    return cmocka_run_group_tests(tests, before, after);
}
