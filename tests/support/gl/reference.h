/* Pictures against those in tests/pictures. */
#ifndef REFERENCE_H
#define REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define REFERENCE_SIDE 256
#define REFERENCE_PIXELS ((size_t)REFERENCE_SIDE * REFERENCE_SIDE)
/* Mean error of a channel, of 255. The same driver gives the same bytes; another version may round
 * otherwise at edges. A "2" that is mirrored costs more than twice this. */
#define REFERENCE_THRESHOLD 0.5

double mean_error(const uint8_t *a, const uint8_t *b);

/* Compares with tests/pictures/NAME.png. What differs is written to the build's folder `pictures`,
 * with its difference. `writing`: writes the picture there instead. */
bool equals_reference(const char *name, const uint8_t *drawn, bool writing);

#endif
