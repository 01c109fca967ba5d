/* The options of loading, for each library that takes them. */
#ifndef LM_MODEL_LOAD_OPTIONS_H
#define LM_MODEL_LOAD_OPTIONS_H

#include "lerpmesh/load.h"

/* Returns whether all members have values that this version defines; else fails with
 * LM_CODE_BAD_ARGUMENT. */
bool lmi_load_options_valid(const lm_load_options *options, lm_error *error);

#endif
