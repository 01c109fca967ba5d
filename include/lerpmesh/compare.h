/* lerpmesh/compare.h - how far one animation is from another, of the same format or not.
 *
 *     #include <lerpmesh/compare.h>
 *     #include <stdio.h>
 *
 *     // Says how far two models are apart; false, and why on the way out, if that cannot be said.
 *     bool tell(const lm_model *a, const lm_model *b) {
 *         lm_error error;
 *         lm_take *first = lm_take_from_model(a, NULL, &error), *second = NULL;
 *         lm_comparison *found = NULL;
 *         if (first && (second = lm_take_from_model(b, NULL, &error)) != NULL)
 *             found = lm_compare(first, second, NULL, &error);
 *         if (found)
 *             printf("%g units at most\n", found->all.max_distance);
 *         else
 *             fprintf(stderr, "%s\n", error.message);
 *         lm_comparison_free(found);
 *         lm_take_free(second);
 *         lm_take_free(first);
 *         return found != NULL;
 *     }
 *
 * Encoders weld vertices, cut surfaces and change their order, so that numbers of vertices say
 * nothing. What is compared is what is drawn: for each vertex that a triangle of one take uses the
 * vertex of the other that stays nearest to it, with the nearest texture coordinates where several
 * do, and the other way round.
 */
#ifndef LERPMESH_COMPARE_H
#define LERPMESH_COMPARE_H

#include "lerpmesh/take.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How far vertices are apart, in some frames. */
typedef struct lm_distance {
    double rms_distance, max_distance; /* units */
    double mean_turn, max_turn;        /* degrees between normals; 0 where one take has none */
    /* Where max_distance is: in the second take (else in the first), its surface and vertex, and
     * the frames of the two. */
    bool of_second;
    uint32_t surface, vertex, frame_a, frame_b;
} lm_distance;

/* A clip that both takes have, by its name (of several of one name by their order); without names
 * that agree, all frames that both have. */
typedef struct lm_clip_distance {
    const char *name;
    uint32_t first_a, first_b, count; /* frames that were compared */
    lm_distance distance;
} lm_clip_distance;

typedef struct lm_comparison {
    lm_distance all; /* over all clips */
    double max_st;   /* between texture coordinates, of 1 over the skin */
    /* Of the tags that both have, in all frames that were compared. */
    double max_tag_distance, max_tag_turn;
    uint32_t num_clips;
    const lm_clip_distance *clips;
    /* Differences that have no number: a clip that only one mesh has, another name, skin or tag.
     * The subject is "frames", "clips", "surfaces", "tags", "skins", "triangles" or "names". */
    uint32_t num_differences;
    const lm_diagnostic *differences;
} lm_comparison;

/* Compares two takes. Takes about n log n steps a clip for n vertices, where they are not all in
 * one place. Fails as lm_take_check does, or with LM_CODE_OUT_OF_MEMORY, LM_CODE_LIMIT. Free with
 * lm_comparison_free. */
LM_WRITE_API lm_comparison *lm_compare(const lm_take *a, const lm_take *b, const lm_memory *memory,
                                       lm_error *error);
LM_WRITE_API void lm_comparison_free(lm_comparison *comparison); /* NULL is allowed */

/* How far each vertex of one of the takes is in one frame from the vertex that lm_compare compared
 * it with: for a picture of where they differ. `clip` is one of their comparison's, `frame` one of
 * its frames, from 0 to clip->count - 1. `distances` takes a number for each vertex of the first
 * take (`of_second`: of the second), surface after surface: units, or -1 where there is none,
 * because no triangle uses the vertex or the other take has no triangles. Takes as long as
 * comparing that clip, and fails as lm_compare does; also with LM_CODE_BAD_ARGUMENT for frames that
 * are not there. */
LM_WRITE_API bool lm_compare_frame(const lm_take *a, const lm_take *b, const lm_clip_distance *clip,
                                   uint32_t frame, bool of_second, float *distances,
                                   const lm_memory *memory, lm_error *error);

#ifdef __cplusplus
}
#endif
#endif
