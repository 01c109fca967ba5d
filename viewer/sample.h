/* The sample model, Tick, which is part of the program. */
#ifndef VIEWER_SAMPLE_H
#define VIEWER_SAMPLE_H

#include "lerpmesh/assets.h"

#define SAMPLE_PATH "lerpmesh-samples/tick.md2" /* no absolute path, so no file's */

/* Mounts the sample. Returns false if memory runs out. */
bool sample_mount(lm_vfs *vfs);

#endif
