/* Where on a model a problem is that `lerpmesh check` found. Knows no window. */
#ifndef VIEWER_FINDINGS_H
#define VIEWER_FINDINGS_H

#include "lerpmesh/check.h"
#include "lerpmesh/model.h"

#include <glib.h>

typedef lm_problem_triangle finding_triangle;

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

#define FINDING_NO_FRAME LM_NO_FRAME

/* lm_problem_locate, into an array of triangles. */
uint32_t findings_locate(const lm_model *model, const lm_diagnostic *problem, GArray *triangles);

#endif
