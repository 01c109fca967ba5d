/* The files below a folder of a view, as a view. */
#ifndef LM_FILES_BELOW_H
#define LM_FILES_BELOW_H

#include "core/arena.h"
#include "lerpmesh/files.h"

/* A view called `name` of what is below `folder` ("": all) in another, which must last. NULL
 * without memory. */
const lm_files *lm_below_open(const lm_files *files, const char *folder, const char *name,
                              lm_arena *arena);

#endif
