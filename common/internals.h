/* The libraries' internal functions that programs use: the JSON writer, checksums, suggestions for
 * misspelled words, memory, numbers, paths, grids, equal geometry, look-alikes of models, what
 * depends on the order of triangles, and what engines demand of other files. No other file of the
 * programs includes internal headers. */
#ifndef COMMON_INTERNALS_H
#define COMMON_INTERNALS_H

#include "core/arena.h"
#include "core/crc.h"
#include "core/exact.h"
#include "core/json.h"
#include "core/names.h"
#include "core/report.h"
#include "core/text.h"
#include "files/path.h"
#include "model/grid.h"
#include "model/lookalike.h"
#include "order.h"
#include "sample/geometry.h"
#include "scene/join.h"
#include "vfs_path.h"

#endif
