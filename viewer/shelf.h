/* A disk that is shared: archives stay open on it as long as somebody has a reference. What changed
 * is read again by taking a new one. Any thread may take and drop references. */
#ifndef VIEWER_SHELF_H
#define VIEWER_SHELF_H

#include "lerpmesh/assets.h"

typedef struct shelf {
    lm_disk *disk;
} shelf;

shelf *shelf_new(void);
shelf *shelf_ref(shelf *s);
void shelf_unref(shelf *s); /* NULL is allowed */

#endif
