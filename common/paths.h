/* Paths, for programs. */
#ifndef COMMON_PATHS_H
#define COMMON_PATHS_H

#include "disk_path.h"
#include "files/path.h"

#endif
