/* The properties of lm_clips_change, for any text of a clips file. */
#ifndef TESTS_CLIP_CHANGES_H
#define TESTS_CLIP_CHANGES_H

#include "support.h"

/* Returns the number of successful changes of other values. Fails the test if the same values
 * change a byte, or if a change alters another line or reads back as something else. */
size_t check_clip_changes(const char *file_name, const void *text, size_t size, uint32_t num_frames,
                          uint32_t seed);

#endif
