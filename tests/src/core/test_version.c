/* Tests that the headers and the library have the same version. */
#include <stdio.h>

#include "lerpmesh/base.h"
#include "testing.h"

TEST(library_and_headers_agree) {
    char text[32];
    snprintf(text, sizeof text, "%d.%d.%d", LM_VERSION_MAJOR, LM_VERSION_MINOR, LM_VERSION_PATCH);
    assert_string_equal(lm_version(), text);
    assert_int_equal(lm_version_number(), LM_VERSION_NUMBER);
    assert_int_equal(lm_version_number() / 100 % 100, LM_VERSION_MINOR);
}
