/* What the headers promise of everything that the library gives, as checks for tests and for
 * fuzzers. Each program says what happens when a promise is broken. */
#ifndef TESTS_PROMISES_H
#define TESTS_PROMISES_H

#include "lerpmesh/lerpmesh.h"

#define PROMISE(condition) ((condition) ? (void)0 : promise_broken(#condition, __FILE__, __LINE__))

/* The program's own. */
_Noreturn void promise_broken(const char *promise, const char *file, int line);

/* Everything that model.h says of a model that loaded. */
void assert_model_valid(const lm_model *model);
/* What base.h says of an error after a failure. */
void assert_error_told(const lm_error *error);

#endif
