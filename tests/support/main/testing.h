/* A test program is a list of tests:
 *
 *     TEST(numbers_are_rounded) { assert_int_equal(rounded(2.5), 3); }
 *
 * Each TEST adds itself to the list before main() starts. main() of main.c runs them from the top
 * of the file to its end. */
#ifndef TESTS_TESTING_H
#define TESTS_TESTING_H

/* The C library's headers that tests need. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Calls a function with the variable's address where its block ends, last variable first:
 *
 *     AT_END(blob_free) blob file = make_md2(&small_md2);
 *     OWNED(lm_model) *model = load_blob(&file);
 */
#define AT_END(function) __attribute__((cleanup(function), unused))
/* A pointer to an object that its own function, lm_model_free for example, frees at the block's
 * end. */
#define OWNED(type) AT_END(drop_##type) type
/* Declares that pointers to a type can be OWNED. A type cannot be in parentheses. */
#define OWNER(type, free)                                                                     \
    static inline void drop_##type(type **pointer) { /* NOLINT(bugprone-macro-parentheses) */ \
        free(*pointer);                                                                       \
    }

/* Frees what malloc returned: AT_END(drop_bytes) char *text = … */
static inline void drop_bytes(void *pointer) {
    free(*(void **)pointer);
}

/* Fails with an lm_error's message unless a call succeeded. */
#define assert_done(done, error)             \
    do {                                     \
        if (!(done))                         \
            fail_msg("%s", (error).message); \
    } while (0)

void add_test(int line, struct CMUnitTest test);
void set_test_group(int (*setup)(void **state), int (*teardown)(void **state));
/* Returns the exit status. Only programs with their own main() call it. */
int run_test_list(void);

#endif
