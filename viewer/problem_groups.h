/* Groups the problems of a check report, and locates them on the model. Independent of GTK's
 * widgets. */
#ifndef VIEWER_PROBLEM_GROUPS_H
#define VIEWER_PROBLEM_GROUPS_H

#include "lerpmesh/check.h"
#include "lerpmesh/model.h"

#include <glib.h>

/* A row: the problems of one code, or a single one. order[first ..] are indices of the report. */
typedef struct problem_row {
    uint32_t first, count; /* >= 1 */
} problem_row;

/* A report grouped by code: errors, then warnings, then notes. A group of several problems has a
 * row for all of them, followed by one row each. */
typedef struct problem_groups {
    GArray *order; /* uint32_t */
    GArray *rows;  /* problem_row */
} problem_groups;

problem_groups problem_groups_new(const lm_report *report); /* NULL: a report without problems */
void problem_groups_clear(problem_groups *groups);

/* lm_diagnostic_locate, appending to an array of triangles. */
uint32_t problem_locate(const lm_model *model, const lm_diagnostic *problem, GArray *triangles);

#endif
