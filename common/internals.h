/* The internal functions of the libraries that programs use too, and the only file of theirs that
 * includes internal headers: the JSON writer, the nearest of several words, paths. */
#ifndef COMMON_INTERNALS_H
#define COMMON_INTERNALS_H

#include "core/guess.h"
#include "core/json.h"
#include "disk_path.h"
#include "files/path.h"

#endif
