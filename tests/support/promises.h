/* Checks of the headers' guarantees about the library's results, for tests and fuzzers. Each
 * program defines how it handles a broken guarantee. */
#ifndef TESTS_PROMISES_H
#define TESTS_PROMISES_H

#include "lerpmesh/lerpmesh.h"

#define PROMISE(condition) ((condition) ? (void)0 : promise_broken(#condition, __FILE__, __LINE__))

/* Defined by each program. */
_Noreturn void promise_broken(const char *promise, const char *file, int line);

/* Checks every guarantee of model.h about a loaded model. */
void assert_model_valid(const lm_model *model);
/* Checks the guarantees of base.h about an error after a failure. */
void assert_error_valid(const lm_error *error);

#endif
