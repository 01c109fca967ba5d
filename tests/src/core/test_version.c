/* Tests that the headers and the library have the same version. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "lerpmesh/base.h"

static void library_and_headers_agree(void **state) {
    (void)state;
    char text[32];
    snprintf(text, sizeof text, "%d.%d.%d", LM_VERSION_MAJOR, LM_VERSION_MINOR, LM_VERSION_PATCH);
    assert_string_equal(lm_version(), text);
    assert_int_equal(lm_version_number(), LM_VERSION_NUMBER);
    assert_int_equal(lm_version_number() / 100 % 100, LM_VERSION_MINOR);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(library_and_headers_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
