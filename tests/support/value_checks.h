/* Checks of calls with many values: options that must be rejected, and changes of clips files. */
#ifndef TESTS_VALUE_CHECKS_H
#define TESTS_VALUE_CHECKS_H

#include "core/options.h"
#include "support.h"

/* ---- Options with one invalid member each: calls must reject them and name the member
 * ------------ */

/* Calls with options that are zero except for one member. Returns whether the call succeeded. */
typedef bool option_call(const void *options, lm_error *error);

typedef struct option_of_call {
    lm_option_member option;
    option_call *call;
} option_of_call;

/* Tries invalid values of each member: enums beyond the limit and below 0, unknown flags, negative
 * or non-finite numbers, an incomplete allocator, nonzero reserved members. */
void assert_bad_values_rejected(const option_of_call *list, size_t count);

/* ---- The properties of lm_clips_change, for any text of a clips file
 * ----------------------------- */

/* Returns the number of successful changes of other values. Fails the test if the same values
 * change a byte, or if a change alters another line or reads back as something else. */
size_t check_clip_changes(const char *file_name, const void *text, size_t size, uint32_t num_frames,
                          uint32_t seed);

#endif
