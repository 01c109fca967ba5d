/* The positions of the lumps in each format's files. */
#ifndef TESTS_LAYOUTS_H
#define TESTS_LAYOUTS_H

#include "support.h"

enum {
    MD2,
    MD3,
    MDC,
    MDL,
    NUM_FORMATS
};

/* Returns the same file with its lumps in another of 14 orders, and `gap` unused bytes around each.
 * MDL supports neither. */
blob rearrange(int format, const blob *file, size_t order, size_t gap);
/* Returns true if a byte is part of an offset of a lump or of the end. */
bool is_layout(int format, const blob *file, size_t at);

#endif
