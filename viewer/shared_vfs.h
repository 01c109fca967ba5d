/* A reference-counted lm_vfs, which keeps archives open as long as there is a reference. To read
 * changed files, create a new one. References may be taken and dropped in any thread. */
#ifndef VIEWER_SHARED_VFS_H
#define VIEWER_SHARED_VFS_H

#include "lerpmesh/assets.h"

/* The sample model, Tick, which is part of the program. It is mounted. */
#define SAMPLE_PATH "lerpmesh-samples/tick.md2" /* no absolute path, so no file's */

typedef struct shared_vfs {
    lm_vfs *vfs;
} shared_vfs;

shared_vfs *shared_vfs_new(void);
shared_vfs *shared_vfs_ref(shared_vfs *s);
void shared_vfs_unref(shared_vfs *s); /* NULL is allowed */

#endif
