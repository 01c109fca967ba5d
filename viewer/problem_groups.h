/* Groups the problems of a check report, and locates them on the model. Independent of GTK's
 * widgets. */
#ifndef VIEWER_PROBLEM_GROUPS_H
#define VIEWER_PROBLEM_GROUPS_H

#include "lerpmesh/check.h"
#include "lerpmesh/model.h"

#include <glib.h>

/* A problem: an index of the report of a part's file. */
typedef struct problem_place {
    uint32_t part, index;
} problem_place;

typedef enum problem_kind {
    PROBLEM_PART, /* the heading of a part: all its problems, or none */
    PROBLEM_CODE, /* the problems of one code: >= 2 */
    PROBLEM_ONE
} problem_kind;

/* A row: the problems order[first .. first + count - 1], all of one part. */
typedef struct problem_row {
    problem_kind kind;
    uint32_t part, first, count;
} problem_row;

/* The reports of a scene's parts. Each is grouped by code: errors, then warnings, then notes. A
 * group of several problems has a row for all of them, followed by one row each. With several
 * parts, each starts with a heading. */
typedef struct problem_groups {
    GArray *order; /* problem_place */
    GArray *rows;  /* problem_row */
} problem_groups;

/* A report that is NULL has no problems. */
problem_groups problem_groups_new(lm_report *const *reports, uint32_t num_parts);
void problem_groups_clear(problem_groups *groups);

/* lm_diagnostic_locate, appending to an array of triangles. */
uint32_t problem_locate(const lm_model *model, const lm_diagnostic *problem, GArray *triangles);

#endif
