/* lerpmesh/mesh.h - animated meshes in floats: the input of the encoders. Models, scenes, imported
 * files and a program's own arrays become meshes.
 *
 *     #include <lerpmesh/encode.h>
 *     #include <lerpmesh/mesh.h>
 *     #include <stdio.h>
 *
 *     // Encodes a rising triangle of 10 frames as an MD3. Returns false if that fails.
 *     bool rising(lm_buffer *md3) {
 *         static const uint32_t triangle[3] = {0, 2, 1};
 *         static const float st[6] = {0, 0, 1, 0, 0, 1};
 *         float xyz[10][9];
 *         for (int f = 0; f < 10; f++)
 *             for (int i = 0; i < 9; i++)
 *                 xyz[f][i] = i == 3 || i == 7 ? 16.0f : i % 3 == 2 ? (float)f : 0.0f;
 *         lm_mesh_surface surface = {.name = "flag", .num_vertices = 3, .positions = xyz[0],
 *                                    .num_st = 3, .st = st, .num_triangles = 1,
 *                                    .triangles = triangle};
 *         lm_mesh mesh = {.num_frames = 10, .num_surfaces = 1, .surfaces = &surface};
 *         lm_error error;
 *         if (lm_encode(&mesh, lm_format_by_name("md3"), NULL, md3, NULL, &error))
 *             return true;
 *         return fprintf(stderr, "%s\n", error.message), false;
 *     }
 *
 * A mesh (lm_mesh) is a plain struct of counts and pointers. Fill it with your own arrays, or make
 * it from a model with lm_mesh_from_model. A mesh that the library made owns everything that it
 * points to. Functions do not change the meshes that they read, so any number of threads may read
 * one at once.
 *
 * Space, winding and texture coordinates are those of the model (lerpmesh/model.h): x forward, y
 * left, z up; front faces are clockwise; s and t run from 0 to 1 over the skin, from its top left.
 * In C++, write = {} in place of = {0}.
 */
#ifndef LERPMESH_MESH_H
#define LERPMESH_MESH_H

#include "lerpmesh/clips.h"
#include "lerpmesh/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The part of a player that a surface belongs to, if its file says so: by a node named lower, upper
 * or head above it, or by the tag that it is attached to. */
typedef enum lm_body_part {
    LM_BODY_UNKNOWN,  /* the file does not say */
    LM_BODY_LOWER,    /* legs: lower.md3 */
    LM_BODY_UPPER,    /* torso and arms: upper.md3 */
    LM_BODY_HEAD,     /* head.md3 */
    LM_NUM_BODY_PARTS /* not a part: their number */
} lm_body_part;

/* A surface: triangles that share one set of vertices and are drawn with one material. */
typedef struct lm_mesh_surface {
    const char *name; /* NULL: "" */

    /* Vertices move; texture coordinates do not, and are stored separately. A vertex on a seam is
     * therefore one vertex. Frame f, vertex v is at positions[3 * (f * num_vertices + v)]. */
    uint32_t num_vertices;
    const float *positions; /* [num_frames * num_vertices * 3] */
    /* [num_frames * num_vertices * 3] directions of any length. NULL: computed from the triangles,
     * smooth across vertices at the same position. Two vertices at the same position with different
     * normals make a sharp edge. */
    const float *normals;

    uint32_t num_st;
    const float *st; /* [num_st * 2]; NULL, with num_st 0: all coordinates are 0 */

    uint32_t num_triangles;
    const uint32_t *triangles; /* [num_triangles * 3] the vertex of each corner */
    /* [num_triangles * 3] the texture coordinate of each corner. NULL: that of the corner's vertex;
     * num_st is then num_vertices or 0. */
    const uint32_t *st_triangles;

    /* The materials: paths of textures or shaders. May be empty. */
    uint32_t num_materials;
    const lm_material *materials;
    int32_t flags;     /* as lm_surface's; 0: none */
    lm_body_part body; /* only composing a player uses it */
    /* The model of a weapon that its file puts it into, by a node above it or its own:
     * "v_x_barrel". NULL: none. Only composing a weapon uses it. */
    const char *piece;
    uint64_t reserved[1]; /* zeros; space for later members */
} lm_mesh_surface;

/* A tag: a transform per frame that other models are attached to. */
typedef struct lm_mesh_tag {
    const char *name;          /* not NULL */
    const lm_transform *poses; /* [num_frames] */
    const char *piece;         /* the model of a weapon whose tag it is; NULL: the hand */
    uint64_t reserved[1];      /* zeros; space for later members */
} lm_mesh_tag;

/* An animated mesh: surfaces and tags in every frame, with clips and skins. */
typedef struct lm_mesh {
    const char *name; /* of the model; NULL: "" */

    uint32_t num_frames;            /* >= 1 */
    const char *const *frame_names; /* [num_frames]; NULL: the clips' names with a number */

    /* MD2 and MDL store all surfaces as one. */
    uint32_t num_surfaces;
    const lm_mesh_surface *surfaces;
    /* MD2 and MDL cannot store tags; encoding reports them as lost. */
    uint32_t num_tags;
    const lm_mesh_tag *tags;

    /* Clips: runs of frames, each one movement. They may share frames, and there may be none. Two
     * consecutive frames belong to one movement if one clip contains both, or if no clip contains
     * either. */
    uint32_t num_clips;
    const lm_clip *clips;

    /* Alternative skins for the whole model, if it has one texture: paths, none of them NULL. */
    uint32_t num_skins;
    const char *const *skins;
    const lm_embedded_skin *embedded_skins; /* [num_skins] their pixels; NULL: they are files */
    uint32_t skin_width, skin_height;       /* pixels; 0: unknown */
    bool transparent_255;                   /* index 255 is transparent in embedded skins */

    /* Values of the format's header, as in lm_model; 0: not set. */
    int32_t flags, synctype;
    lm_vec3 eye; /* position of the eyes, in units (MDL) */
    /* The scale and translate of the file that the positions are from, if all frames had the same.
     * MDL keeps them if every position lies on this grid; otherwise, and with 0, it fits a grid. */
    lm_vec3 grid[2];
    uint64_t reserved[4]; /* zeros; space for later members */
} lm_mesh;

/* Checks that a mesh can be encoded: counts and pointers agree, indices are in range, numbers are
 * finite and below 2^40, clips lie within the frames and have a known source, embedded skins have
 * pixels, times increase, parts of bodies are known, and `reserved` is 0. Fails with
 * LM_CODE_BAD_ARGUMENT, LM_CODE_VERTEX_INDEX, LM_CODE_ST_INDEX or LM_CODE_NOT_FINITE and a message
 * that names the element. Takes linear time. Encoders call it first. */
LM_WRITE_API bool lm_mesh_check(const lm_mesh *mesh, lm_error *error);

/* Makes a mesh from a model: the positions and normals of the file's own vertices in every frame,
 * and the tags, clips, names, skins and materials. The mesh does not need the model afterwards.
 * `memory` bounds its size (NULL: no bound). The floats take up to 6 times the bytes of an MD2. */
LM_WRITE_API lm_mesh *lm_mesh_from_model(const lm_model *model, const lm_memory *memory,
                                         lm_error *error);

/* Makes a mesh whose frames are the given poses. Use it to keep, drop, reorder, reverse or resample
 * frames. Between two frames, positions are interpolated linearly, as in the games. Frames keep
 * their names if every pose is a whole frame. The new mesh has the given clips, which count its own
 * frames. Memory as above. Also fails with LM_CODE_BAD_ARGUMENT if a pose uses a frame that does
 * not exist. */
LM_WRITE_API lm_mesh *lm_mesh_select_frames(const lm_mesh *mesh, const lm_pose *poses,
                                            uint32_t num_poses, const lm_clip *clips,
                                            uint32_t num_clips, const lm_memory *memory,
                                            lm_error *error);

#define LM_MAX_MESH_FRAMES (1u << 20) /* of a resampled mesh */

struct lm_skeleton;

/* Makes a mesh whose clips follow each other, sampled at `fps` frames per second. A looping clip
 * ends before its first frame would repeat. Frames have no names; encoders make them from the
 * clips' names.
 *
 * If `skeleton` is NULL, positions between two frames are interpolated as above. Otherwise it is
 * the skeleton of the mesh (lerpmesh/skeleton.h), which moves vertices and tags between two frames.
 * The error of the skeleton is interpolated and subtracted, so the frames of the mesh itself stay
 * as they are. Normals are interpolated linearly.
 *
 * Fails with LM_CODE_BAD_ARGUMENT if there are no clips, or if the skeleton has other numbers of
 * frames, surfaces or vertices, and with LM_CODE_LIMIT beyond LM_MAX_MESH_FRAMES frames. */
LM_WRITE_API lm_mesh *lm_mesh_resample(const lm_mesh *mesh, const struct lm_skeleton *skeleton,
                                       float fps, const lm_memory *memory, lm_error *error);

/* Makes a mesh moved, rotated and scaled by `to`. If `to` mirrors it, the triangles' winding is
 * reversed. Tags are transformed too, but their axes keep length 1, so attached models keep their
 * size. NULL is the identity. Also fails with LM_CODE_BAD_ARGUMENT if the axes lie in one plane. */
LM_WRITE_API lm_mesh *lm_mesh_transform(const lm_mesh *mesh, const lm_transform *to,
                                        const lm_memory *memory, lm_error *error);

/* Makes a mesh with fewer triangles: `triangles`, or one fewer if the last edge removes two.
 *
 * Decimation collapses edges into one of their ends, first those that change the shape least over
 * all frames. Remaining vertices keep their positions in every frame. Borders, seams of texture
 * coordinates and lines between surfaces keep their shape. No triangle flips or becomes flat in any
 * frame, vertices that move alike stay together, and no limb disappears. Tags stay, and unused
 * vertices are removed. If no further edge can be collapsed, more triangles than requested remain.
 *
 * Takes some milliseconds per thousand triangles and ten frames. Memory as above. Also fails with
 * LM_CODE_LIMIT (2^32 corners). */
LM_WRITE_API lm_mesh *lm_mesh_decimate(const lm_mesh *mesh, uint32_t triangles,
                                       const lm_memory *memory, lm_error *error);

/* Frees a mesh made by one of the functions above. */
LM_WRITE_API void lm_mesh_free(lm_mesh *mesh);

/* ---- Comparing ----------------------------------------------------------------------------- */

/* Comparing two animated meshes, of the same format or of different ones.
 *
 *     #include <lerpmesh/mesh.h>
 *     #include <stdio.h>
 *
 *     // Prints the distance between two models. Returns false if that fails.
 *     bool print_distance(const lm_model *a, const lm_model *b) {
 *         lm_error error;
 *         lm_mesh *first = lm_mesh_from_model(a, NULL, &error), *second = NULL;
 *         lm_comparison *comparison = NULL;
 *         if (first && (second = lm_mesh_from_model(b, NULL, &error)) != NULL)
 *             comparison = lm_mesh_compare(first, second, NULL, &error);
 *         if (comparison)
 *             printf("maximum distance: %g units\n", comparison->all.max_distance);
 *         else
 *             fprintf(stderr, "%s\n", error.message);
 *         lm_comparison_free(comparison);
 *         lm_mesh_free(second);
 *         lm_mesh_free(first);
 *         return comparison != NULL;
 *     }
 *
 * Encoders weld vertices, split surfaces and change their order, so numbers of vertices cannot be
 * compared. lm_mesh_compare compares drawn vertices. For each vertex that a triangle of one mesh
 * uses, it finds the vertex of the other mesh that stays nearest to it. If several do, it takes the
 * one with the nearest texture coordinates. It then does the same in the other direction.
 *
 * Triangles without area are left out, because nobody sees them: two of their corners are at one
 * position in every frame. So are vertices that only such triangles use. If the meshes have
 * different numbers of triangles without area, this is one of the differences.
 */

/* The distance between the vertices of two meshes, over some frames. */
typedef struct lm_distance {
    double rms_distance, max_distance;        /* units */
    double mean_angle_error, max_angle_error; /* degrees between normals; 0 if a mesh has none */
    bool of_second; /* max_distance is at a vertex of the second mesh, else of the first */
    /* The position of max_distance: a surface and vertex of that mesh, and the frames of both. */
    uint32_t surface, vertex, frame_a, frame_b;
} lm_distance;

/* The distance within one clip. Clips are matched by name; several clips of one name by their
 * order. If no names match, all frames that both meshes have are compared as one clip. */
typedef struct lm_clip_distance {
    const char *name;                             /* of the clip; "" if all frames count as one */
    uint32_t first_a, first_b, count;             /* frames compared */
    lm_distance distance;                         /* over these frames */
    double max_tag_distance, max_tag_angle_error; /* between the tags that both meshes have */
    uint32_t tag;                                 /* of mesh a: the one with the largest distance */
    uint32_t tag_frame;                           /* of the clip: the one with that distance */
} lm_clip_distance;

/* A comparison of two meshes, a and b. */
typedef struct lm_comparison {
    lm_distance all; /* over all clips */
    double max_st;   /* between texture coordinates; 1 is the whole skin */
    /* Between the tags that both meshes have, over all frames compared; units and degrees. */
    double max_tag_distance, max_tag_angle_error;
    uint32_t num_clips;
    const lm_clip_distance *clips; /* in the order of mesh a */
    /* Differences that have no number: a clip, name, skin or tag that only one mesh has. The
     * subject is "frames", "clips", "surfaces", "tags", "skins", "triangles" or "names". */
    uint32_t num_differences;
    const lm_diagnostic *differences;
} lm_comparison;

/* Compares two meshes. Takes O(n log n) time per clip for n vertices, unless all are at one
 * position. Fails as lm_mesh_check does, or with LM_CODE_OUT_OF_MEMORY or LM_CODE_LIMIT. Free the
 * result with lm_comparison_free. */
LM_WRITE_API lm_comparison *lm_mesh_compare(const lm_mesh *a, const lm_mesh *b,
                                            const lm_memory *memory, lm_error *error);
/* Frees a comparison. */
LM_WRITE_API void lm_comparison_free(lm_comparison *comparison);

/* Computes the distance of each vertex of one mesh, in one frame, to the vertex that
 * lm_mesh_compare matched with it, for example to colour the differences. `clip` is a clip of the
 * meshes' comparison, and `frame` one of its frames, from 0 to clip->count - 1. `distances`
 * receives one number for each vertex of the first mesh (of the second if `of_second`), surface
 * after surface, in units. The number is -1 if no triangle with an area uses the vertex, or if the
 * other mesh has none. Takes as long as comparing that clip, and fails as lm_mesh_compare does.
 * Also fails with LM_CODE_BAD_ARGUMENT for frames that do not exist. */
LM_WRITE_API bool lm_mesh_compare_frame(const lm_mesh *a, const lm_mesh *b,
                                        const lm_clip_distance *clip, uint32_t frame,
                                        bool of_second, float *distances, const lm_memory *memory,
                                        lm_error *error);

#ifdef __cplusplus
}
#endif
#endif
