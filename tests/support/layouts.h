/* Where the lumps of each format's files lie. */
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

/* The same file with its lumps in another order, of 14, and `gap` bytes without meaning around
 * each. MDL has room for neither. */
blob rearrange(int format, const blob *file, size_t order, size_t gap);
/* Whether a byte belongs to an offset of a lump or of the end. */
bool is_layout(int format, const blob *file, size_t at);

#endif
