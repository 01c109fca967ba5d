/* Groups the problems of a check report, and locates them on the model. Independent of GTK's
 * widgets. */
#ifndef VIEWER_FINDINGS_H
#define VIEWER_FINDINGS_H

#include "lerpmesh/check.h"
#include "lerpmesh/model.h"

#include <glib.h>

typedef lm_problem_triangle finding_triangle;

/* A row: the problems of one code, or a single one. order[first ..] are indices of the report. */
typedef struct finding_row {
    uint32_t first, count; /* >= 1 */
} finding_row;

/* A report grouped by code: errors, then warnings, then notes. A group of several problems has a
 * row for all of them, followed by one row each. */
typedef struct findings {
    GArray *order; /* uint32_t */
    GArray *rows;  /* finding_row */
} findings;

findings findings_group(const lm_report *report); /* NULL: a report without problems */
void findings_clear(findings *groups);

#define FINDING_NO_FRAME LM_NO_FRAME

/* lm_problem_locate, appending to an array of triangles. */
uint32_t findings_locate(const lm_model *model, const lm_diagnostic *problem, GArray *triangles);

#endif
