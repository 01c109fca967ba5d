/* What `lerpmesh render` does, in a build with the renderer; else it says what is missing. */
#ifndef TOOL_RENDER_H
#define TOOL_RENDER_H

#include "options.h"

int render_run(const tool_args *args);

#endif
