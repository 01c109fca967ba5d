/* What the writers of all formats share: the order of lumps. */
#ifndef LM_FORMATS_LUMPS_H
#define LM_FORMATS_LUMPS_H

#include <stdint.h>

/* The order in which lumps stood in the file that a document was read from: by offset, and for
 * equal offsets (empty lumps, or a document made from nothing) as they are listed. */
void lm_order_lumps(const int32_t *offsets, int count, int *order);

#endif
