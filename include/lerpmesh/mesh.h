/* lerpmesh/mesh.h - an animation in floats: what encoders take, and what everything else becomes on
 * its way to them.
 *
 *     #include <lerpmesh/encode.h>
 *     #include <lerpmesh/mesh.h>
 *     #include <stdio.h>
 *
 *     // A triangle that rises, in 10 frames, as an MD3; false, and why on the way out, if not.
 *     bool rising(lm_buffer *md3) {
 *         static const uint32_t triangle[3] = {0, 2, 1};
 *         static const float st[6] = {0, 0, 1, 0, 0, 1};
 *         float xyz[10][9];
 *         for (int f = 0; f < 10; f++)
 *             for (int i = 0; i < 9; i++)
 *                 xyz[f][i] = i == 3 || i == 7 ? 16.0f : i % 3 == 2 ? (float)f : 0.0f;
 *         lm_take_surface surface = {.name = "flag", .num_vertices = 3, .positions = xyz[0],
 *                                    .num_st = 3, .st = st, .num_triangles = 1,
 *                                    .triangles = triangle};
 *         lm_take take = {.num_frames = 10, .num_surfaces = 1, .surfaces = &surface};
 *         lm_error error;
 *         if (lm_encode(&take, lm_format_by_name("md3"), NULL, md3, NULL, &error))
 *             return true;
 *         return fprintf(stderr, "%s\n", error.message), false;
 *     }
 *
 * A take is a plain struct of counts and pointers, which you fill with your own arrays; or it is
 * made of a model (lm_take_from_model), and then it owns all it points to. It is never changed by
 * who reads it, so that any number of threads may.
 *
 * Space, winding and texture coordinates are the model's (lerpmesh/model.h): x forward, y left,
 * z up; front faces are clockwise; s and t run from 0 to 1 over the skin, from its top left.
 */
#ifndef LERPMESH_MESH_H
#define LERPMESH_MESH_H

#include "lerpmesh/clips.h"
#include "lerpmesh/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Triangles that share one set of vertices and are drawn with one material. */
typedef struct lm_take_surface {
    const char *name; /* NULL: "" */

    /* Vertices move; what does not (texture coordinates) is kept apart from them, so that a vertex
     * on a seam is one vertex. Frame f, vertex v is at positions[3 * (f * num_vertices + v)]. */
    uint32_t num_vertices;
    const float *positions; /* [num_frames * num_vertices * 3] */
    /* [num_frames * num_vertices * 3] directions of any length. NULL: computed of the triangles,
     * smooth over vertices that lie in one place. Where two vertices lie in one place and their
     * normals differ, there is an edge. */
    const float *normals;

    uint32_t num_st;
    const float *st; /* [num_st * 2]; NULL, with num_st 0: all coordinates are 0 */

    uint32_t num_triangles;
    const uint32_t *triangles; /* [num_triangles * 3] the vertex of each corner */
    /* [num_triangles * 3] the texture coordinate of each corner; NULL: that of its vertex, of which
     * there are then as many as vertices (or none). */
    const uint32_t *st_triangles;

    /* What it is drawn with: the texture's or the shader's path. None is allowed. */
    uint32_t num_materials;
    const lm_material *materials;
    int32_t flags; /* as lm_surface's; 0: none */
} lm_take_surface;

/* A place that others are attached to, in each frame. */
typedef struct lm_take_tag {
    const char *name;
    const lm_transform *poses; /* [num_frames] */
} lm_take_tag;

typedef struct lm_take {
    const char *name; /* of the model; NULL: "" */

    uint32_t num_frames;            /* >= 1 */
    const char *const *frame_names; /* [num_frames]; NULL: made of the clips' names and a number */

    uint32_t num_surfaces;
    const lm_take_surface *surfaces;
    uint32_t num_tags;
    const lm_take_tag *tags;

    /* What its frames are: movements, each a run of frames; they may share frames. Two neighbours
     * belong to one movement if a clip has both, or none has either. None is allowed. */
    uint32_t num_clips;
    const lm_clip *clips;

    /* Alternatives for the whole model, where it has one texture; paths, of which NULL is none. */
    uint32_t num_skins;
    const char *const *skins;
    const lm_embedded_skin *embedded_skins; /* [num_skins] their pixels; NULL: files of their own */
    uint32_t skin_width, skin_height;       /* pixels; 0: not known */
    bool holes;                             /* their pixels with index 255 are transparent */

    /* What formats have in their headers, as lm_model has it; 0: nothing. */
    int32_t flags, synctype;
    lm_vec3 eye;
} lm_take;

/* Whether a take can be encoded: counts and pointers agree, indices are in range, numbers are
 * finite and below 2^40, clips lie within the frames and have a known source, times grow. Fails
 * with LM_CODE_BAD_ARGUMENT, LM_CODE_VERTEX_INDEX, LM_CODE_ST_INDEX or LM_CODE_NOT_FINITE and a
 * sentence that names the element. Linear. Encoders ask this first. */
LM_WRITE_API bool lm_take_check(const lm_take *take, lm_error *error);

/* What a model shows, as a take: positions and normals of the file's own vertices in every frame,
 * tags as they are attached to, its clips, names, skins and materials. It needs nothing of the
 * model afterwards. Its memory is bounded by `memory` (NULL: no bound; the floats are up to 6 times
 * what an MD2 has packed). */
LM_WRITE_API lm_take *lm_take_from_model(const lm_model *model, const lm_memory *memory,
                                         lm_error *error);

/* A take of other frames: each of the poses is one. So frames are kept, dropped, reordered, turned
 * round, or taken at another rate; between two frames positions are mixed linearly, as games do.
 * Frames keep their names if all poses are whole frames; clips are those that are given, of the new
 * frames. Memory as above. Fails with LM_CODE_BAD_ARGUMENT too (a pose of frames that are not
 * there). */
LM_WRITE_API lm_take *lm_take_pick(const lm_take *take, const lm_pose *poses, uint32_t num_poses,
                                   const lm_clip *clips, uint32_t num_clips,
                                   const lm_memory *memory, lm_error *error);

/* A take whose clips, one behind the other, have so many frames a second: where one lies between
 * two frames positions are mixed as above, and those that loop end before they would begin again.
 * Frames have no names; they are made of the clips'. Fails with LM_CODE_BAD_ARGUMENT where there
 * are no clips, and LM_CODE_LIMIT beyond LM_TAKE_MAX_POSES frames. */
#define LM_TAKE_MAX_POSES (1u << 20)
LM_WRITE_API lm_take *lm_take_at_rate(const lm_take *take, double fps, const lm_memory *memory,
                                      lm_error *error);

/* A take that stands elsewhere: moved, turned, scaled, and, where the axes mirror it, with its
 * triangles turned. Tags go with it, but what hangs on them keeps its size. Fails with
 * LM_CODE_BAD_ARGUMENT too (axes that lie in one plane). */
LM_WRITE_API lm_take *lm_take_place(const lm_take *take, const lm_transform *to,
                                    const lm_memory *memory, lm_error *error);

/* A take of fewer triangles: of `triangles` if that can be, of one fewer where only pairs can go.
 * Edges are taken away, those that change least over all frames first, at one end: vertices that
 * stay are where they were in every frame. Borders, the seams of texture coordinates and where
 * surfaces meet keep their lines, no triangle turns over or becomes flat in any frame, and vertices
 * that move alike stay together. Tags stay, and what no triangle uses goes. Where nothing more can
 * go, more triangles are left: count them. Some milliseconds a thousand triangles and ten frames.
 * Memory as above. Fails with LM_CODE_LIMIT too (2^32 corners). */
LM_WRITE_API lm_take *lm_take_decimate(const lm_take *take, uint32_t triangles,
                                       const lm_memory *memory, lm_error *error);

/* Releases what the calls above made; */
LM_WRITE_API void lm_take_free(lm_take *take);

/* The bytes of all that a take points to, counted once. */
LM_WRITE_API uint64_t lm_take_size(const lm_take *take);

/* ---- Comparing ----------------------------------------------------------------------------- */

/* How far one animation is from another, of the same format or not.
 *
 *     #include <lerpmesh/mesh.h>
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
LM_WRITE_API void lm_comparison_free(lm_comparison *comparison);

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
