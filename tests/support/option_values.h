/* Options with one invalid member each: calls must reject them and name the member. */
#ifndef OPTION_VALUES_H
#define OPTION_VALUES_H

#include "core/options.h"
#include "support.h"

/* Calls with options that are zero except for one member. Returns whether the call succeeded. */
typedef bool option_call(const void *options, lm_error *error);

typedef struct option_of_call {
    lm_option_member option;
    option_call *call;
} option_of_call;

/* Tries invalid values of each member: enums beyond the limit and below 0, unknown flags, negative
 * or non-finite numbers, an incomplete allocator, nonzero reserved members. */
void assert_bad_values_rejected(const option_of_call *list, size_t count);

#endif
