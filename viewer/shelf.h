/* A reference-counted lm_disk, which keeps archives open as long as there is a reference. To read
 * changed files, create a new one. References may be taken and dropped in any thread. */
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
