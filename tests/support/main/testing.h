/* A test program is a list of tests:
 *
 *     TEST(numbers_are_rounded) { assert_int_equal(rounded(2.5), 3); }
 *
 * Each TEST adds itself to the list before main() starts. main() of main.c runs them from the top
 * of the file to its end. */
#ifndef TESTS_TESTING_H
#define TESTS_TESTING_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Defines a test, with functions to call before and after it, each of which may be NULL. */
#define TEST_WITH(test, setup, teardown)                                             \
    static void test(void **state);                                                  \
    __attribute__((constructor)) static void add_##test(void) {                      \
        add_test(__LINE__, (struct CMUnitTest){#test, test, setup, teardown, NULL}); \
    }                                                                                \
    static void test(void **state __attribute__((unused)))
#define TEST(test) TEST_WITH(test, NULL, NULL)
/* Sets the functions to call before the first test and after the last one. */
#define TEST_GROUP(setup, teardown)                               \
    __attribute__((constructor)) static void set_up_tests(void) { \
        set_test_group(setup, teardown);                          \
    }

void add_test(int line, struct CMUnitTest test);
void set_test_group(int (*setup)(void **state), int (*teardown)(void **state));
/* Returns the exit status. Only programs with their own main() call it. */
int run_test_list(void);

#endif
