/* Where on a model a problem is that `lerpmesh check` found. Knows no window. */
#ifndef VIEWER_FINDINGS_H
#define VIEWER_FINDINGS_H

#include "lerpmesh/check.h"
#include "lerpmesh/model.h"

#include <glib.h>

/* Three vertices of a surface. All the same: that vertex is meant. */
typedef struct finding_triangle {
    uint32_t surface;
    uint32_t vertices[3];
} finding_triangle;

#define FINDING_NO_FRAME UINT32_MAX

/* Appends the triangles that the problem is about, none where it is about no triangles. Returns the
 * frame that it is about, FINDING_NO_FRAME if none. */
uint32_t findings_locate(const lm_model *model, const lm_problem *problem, GArray *triangles);

#endif
