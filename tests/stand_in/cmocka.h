/* The part of cmocka that our tests use, for systems without it: see cmocka.c. */
#ifndef TESTS_STAND_IN_CMOCKA_H
#define TESTS_STAND_IN_CMOCKA_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __MINGW32__
#define STAND_IN_PRINTF __MINGW_PRINTF_FORMAT
#else
#define STAND_IN_PRINTF printf
#endif

struct CMUnitTest {
    const char *name;
    void (*test)(void **state);
    int (*setup)(void **state);
    int (*teardown)(void **state);
    void *initial_state; /* not used */
};

#define cmocka_run_group_tests(tests, setup, teardown) \
    stand_in_run(#tests, tests, sizeof(tests) / sizeof *(tests), setup, teardown)

int stand_in_run(const char *name, const struct CMUnitTest *tests, size_t count,
                 int (*setup)(void **state), int (*teardown)(void **state));
_Noreturn void stand_in_fail(const char *file, int line, const char *format, ...)
    __attribute__((format(STAND_IN_PRINTF, 3, 4)));
_Noreturn void stand_in_skip(void);

void stand_in_numbers(unsigned long long a, unsigned long long b, int same, const char *file,
                      int line);
void stand_in_texts(const char *a, const char *b, int same, const char *file, int line);
void stand_in_bytes(const void *a, const void *b, size_t size, const char *file, int line);
void stand_in_floats(double a, double b, double slack, const char *file, int line);

#define STAND_IN_TRUE(condition, text) \
    ((condition) ? (void)0 : stand_in_fail(__FILE__, __LINE__, "%s", text))
#define STAND_IN_NUMBER(value) ((unsigned long long)(value))

#define print_message(...) printf(__VA_ARGS__)
#define skip() stand_in_skip()
#define fail() stand_in_fail(__FILE__, __LINE__, "failed")
#define fail_msg(...) stand_in_fail(__FILE__, __LINE__, __VA_ARGS__)
#define assert_true(a) STAND_IN_TRUE(a, #a)
#define assert_false(a) STAND_IN_TRUE(!(a), "not: " #a)
#define assert_null(a) STAND_IN_TRUE((a) == NULL, #a " is not NULL")
#define assert_non_null(a) STAND_IN_TRUE((a) != NULL, #a " is NULL")
#define assert_ptr_equal(a, b) \
    STAND_IN_TRUE((const void *)(a) == (const void *)(b), #a " is not " #b)
#define assert_int_equal(a, b) \
    stand_in_numbers(STAND_IN_NUMBER(a), STAND_IN_NUMBER(b), 1, __FILE__, __LINE__)
#define assert_int_not_equal(a, b) \
    stand_in_numbers(STAND_IN_NUMBER(a), STAND_IN_NUMBER(b), 0, __FILE__, __LINE__)
#define assert_in_range(a, low, high)                               \
    STAND_IN_TRUE(STAND_IN_NUMBER(a) - STAND_IN_NUMBER(low) <=      \
                      STAND_IN_NUMBER(high) - STAND_IN_NUMBER(low), \
                  #a " is not in " #low " .. " #high)
#define assert_string_equal(a, b) \
    stand_in_texts((const char *)(a), (const char *)(b), 1, __FILE__, __LINE__)
#define assert_string_not_equal(a, b) \
    stand_in_texts((const char *)(a), (const char *)(b), 0, __FILE__, __LINE__)
#define assert_memory_equal(a, b, size) stand_in_bytes(a, b, size, __FILE__, __LINE__)
#define assert_float_equal(a, b, slack) \
    stand_in_floats((double)(a), (double)(b), (double)(slack), __FILE__, __LINE__)

#endif
