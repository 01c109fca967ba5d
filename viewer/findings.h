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

/* Problems of one kind, or one of them: order[first] and so on are their places in the report. */
typedef struct finding_row {
    uint32_t first, count; /* >= 1 */
} finding_row;

/* A report by kinds, errors before warnings before notes. Of several problems of a kind there is a
 * row for all of them, then one for each. */
typedef struct findings {
    GArray *order; /* uint32_t */
    GArray *rows;  /* finding_row */
} findings;

findings findings_group(const lm_report *report); /* NULL is one without problems */
void findings_clear(findings *groups);

#define FINDING_NO_FRAME UINT32_MAX

/* Appends the triangles that the problem is about, none where it is about no triangles. Returns the
 * frame that it is about, FINDING_NO_FRAME if none. */
uint32_t findings_locate(const lm_model *model, const lm_problem *problem, GArray *triangles);

#endif
