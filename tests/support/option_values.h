/* Options with one wrong member each: calls must reject them, and name the member. */
#ifndef OPTION_VALUES_H
#define OPTION_VALUES_H

#include "core/options.h"
#include "support.h"

/* A call with options that are zero but for one member; whether it succeeded. */
typedef bool option_call(const void *options, lm_error *error);

typedef struct option_of_call {
    lm_option option;
    option_call *call;
} option_of_call;

/* Calls each with bad values of its member: enums beyond the limit and below 0, unknown flags,
 * numbers that are negative or not finite, some functions of an allocator, reserved members. */
void assert_bad_values_rejected(const option_of_call *list, size_t count);

#endif
