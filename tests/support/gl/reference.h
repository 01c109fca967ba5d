/* Compares drawn images with those in tests/images.zip. */
#ifndef REFERENCE_H
#define REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define REFERENCE_SIDE 256
#define REFERENCE_PIXELS ((size_t)REFERENCE_SIDE * REFERENCE_SIDE)
/* The mean error per channel, of 255. The same driver gives the same bytes; another version may
 * round differently at edges. A mirrored "2" costs more than twice this. */
#define REFERENCE_THRESHOLD 0.5

double mean_error(const uint8_t *a, const uint8_t *b);

/* Compares with the reference NAME.png. A differing image is written to the folder `images` of
 * the build, with its difference. With `writing`, writes the reference itself there, for
 * `zip -jX0 tests/images.zip`. */
bool equals_reference(const char *name, const uint8_t *drawn, bool writing);

#endif
