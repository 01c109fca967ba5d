/* lerpmesh/check.h - every problem of a file at once, for people who mend files.
 *
 *     #include <lerpmesh/check.h>
 *     #include <stdio.h>
 *
 *     // Prints what is wrong with a file; false if it would not load.
 *     bool check(const void *bytes, size_t size) {
 *         lm_error error;
 *         lm_report *report = lm_check_memory(bytes, size, NULL, &error);
 *         if (!report)
 *             return fprintf(stderr, "%s\n", error.message), false;
 *         for (uint32_t i = 0; i < report->num_problems; i++)
 *             printf("%s: %s\n", lm_severity_name(report->problems[i].severity),
 *                    report->problems[i].text);
 *         bool sound = report->num_errors == 0;
 *         lm_report_free(report);
 *         return sound;
 *     }
 *
 * Loading stops at the first error. Checking goes on: it lists each error, what breaks in other
 * programs, and what given engines do not load.
 */
#ifndef LERPMESH_CHECK_H
#define LERPMESH_CHECK_H

#include "lerpmesh/format.h" /* engines */
#include "lerpmesh/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lm_report {
    const char *format; /* NULL if the format is unknown: then that is the only problem */
    uint32_t num_problems;
    const lm_diagnostic *problems;                /* in the order of the file's parts */
    uint32_t num_errors, num_warnings, num_notes; /* all that were found, listed or not; what is
                                                     said once of many elements is one */
} lm_report;

typedef struct lm_check_options {
    lm_memory memory;
    /* With an engine named, exceeding its limits is an error; otherwise Quake II's, RtCW's and so
     * on are warnings that name the engine. */
    lm_engine engine;
    uint32_t max_per_code; /* of one code are listed; 0: 16. All are counted. */
    uint64_t reserved[4];  /* zeros: room for later options */
} lm_check_options;

/* Checks a file. NULL only if memory fails or an option is wrong (LM_CODE_BAD_ARGUMENT): a file
 * that is nothing but damage has a report too.
 * A file has errors exactly if lm_load_memory refuses it (engines' limits and LM_CODE_LIMIT
 * aside). */
LM_API lm_report *lm_check_memory(const void *data, size_t size, const lm_check_options *options,
                                  lm_error *error);
LM_API void lm_report_free(lm_report *report);

/* ---- Where on the model -------------------------------------------------------------------- */

/* Three vertices of a surface, as it is drawn. All the same: that vertex is meant. */
typedef struct lm_problem_triangle {
    uint32_t surface;
    uint32_t vertices[3];
} lm_problem_triangle;

#define LM_NO_FRAME UINT32_MAX

/* Appends the triangles of a file's model that one of its problems is about, an
 * lm_problem_triangle each; none where it is about no triangles. Returns the frame that it is
 * about, LM_NO_FRAME if none. Time is that of the triangles, and of sorting GL commands. There
 * being no memory sets the buffer's `failed`. */
LM_API uint32_t lm_problem_locate(const lm_model *model, const lm_diagnostic *problem,
                                  lm_buffer *triangles);

#ifdef __cplusplus
}
#endif
#endif
