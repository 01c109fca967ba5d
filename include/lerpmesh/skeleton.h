/* lerpmesh/skeleton.h - the skeleton of a model: its own, or one that is found in its movement.
 *
 *     #include <lerpmesh/export.h>
 *     #include <lerpmesh/skeleton.h>
 *     #include <stdio.h>
 *
 *     // Exports a model with a skeleton, or with morph targets if it has no good one.
 *     bool rig(const lm_model *model, lm_buffer *glb) {
 *         lm_error error;
 *         lm_skeleton *found = lm_skeleton_of_model(model, NULL, &error);
 *         const bool good = found && found->verdict != LM_SKELETON_REFUSED;
 *         const lm_skeleton *const skeletons[] = {good ? found : NULL};
 *         const lm_gltf_options gltf = {.skeletons = skeletons};
 *         if (found)
 *             printf("%u joints, error %g units\n", found->num_joints, found->all.rms_error);
 *         const lm_scene_part part = {.model = model};
 *         const lm_scene scene = {.num_parts = 1, .parts = &part};
 *         const bool ok = found && lm_gltf_write(&scene, &gltf, glb, NULL, NULL, &error);
 *         if (!ok)
 *             fprintf(stderr, "%s\n", error.message);
 *         lm_skeleton_free(found);
 *         return ok;
 *     }
 *
 * A skeleton is a tree of joints. In each frame, each joint has a rotation and a translation
 * relative to its parent. A vertex follows up to LM_SKELETON_WEIGHTS joints: its position is the
 * mean, by weight, of the positions to which these joints move it. Corrective shapes may move the
 * vertices of the rest pose before: they are the principal components of the remaining error.
 *
 * Space: that of the mesh, in units (x forward, y left, z up). In the rest pose, all joints have
 * the axes of the mesh. The rest pose is near the first frame of the clip at rest (stand, idle).
 *
 * The method is smooth skinning decomposition (James and Twigg, "Skinning Mesh Animations", 2005;
 * Le and Deng, "Smooth Skinning Decomposition with Rigid Bones", 2012) with joints from Le and
 * Hodgins ("Robust and Accurate Skeletal Rigging from Mesh Sequences", 2014). It uses positions
 * only. docs/internals/skeleton.md describes the steps and the errors that it reaches.
 *
 * The same mesh and options give the same skeleton on every machine. Any number of threads may fit
 * at once. */
#ifndef LERPMESH_SKELETON_H
#define LERPMESH_SKELETON_H

#include "lerpmesh/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LM_SKELETON_WEIGHTS 4          /* joints per vertex, as glTF and most engines allow */
#define LM_SKELETON_BONES 40           /* joints by default */
#define LM_MAX_SKELETON_BONES 128      /* joints that max_bones may allow, and IQM with its tags */
#define LM_MAX_SKELETON_JOINTS 256     /* joints of any skeleton, such as an imported one */
#define LM_MAX_SKELETON_CORRECTIVES 64 /* shapes that max_correctives may allow */
#define LM_SKELETON_NO_PARENT UINT32_MAX /* the parent of the root */

/* The verdict on a skeleton. */
typedef enum lm_skeleton_verdict {
    LM_SKELETON_ACCEPTED, /* the error is within max_error */
    LM_SKELETON_WARNED,   /* usable, but `reason` names what is off */
    LM_SKELETON_REFUSED   /* no skeleton explains the movement; `reason` says so */
} lm_skeleton_verdict;

/* Options. Zeros are the defaults. */
typedef struct lm_skeleton_options {
    lm_memory memory; /* bounds; max_bytes 0: 16 times the positions, and 16 MB */
    /* The largest number of joints, 1 to LM_MAX_SKELETON_BONES. 0: LM_SKELETON_BONES. Fewer are
     * used if more do not reduce the error. */
    uint32_t max_bones;
    /* The root mean square error of a coordinate that the file's own rounding causes, in units
     * (lm_skeleton_quantum). 0: that of 8 bits per coordinate over the mesh's size. */
    double quantum;
    /* The largest error of an accepted skeleton, as a root mean square over all coordinates, in
     * units. 0: 2 quanta or 0.1 % of the mesh's size, whichever is more. Up to twice this error,
     * the verdict is a warning. */
    double max_error;
    /* The largest amount of work, in millions of steps, after which no joints are added. A step is
     * about a multiplication; a million take about a millisecond. 0: no bound. The number of passes
     * is bounded in any case. */
    uint32_t max_work;
    /* No joint but the root moves relative to its parent. Otherwise a joint does if its bone cannot
     * keep its length. */
    bool constant_lengths;
    /* The largest number of corrective shapes, up to LM_MAX_SKELETON_CORRECTIVES. 0: none. Fewer
     * are used if the error reaches that of rounding. */
    uint32_t max_correctives;
    /* Called now and then with the finished share, from 0 to 1. Returns false to stop: the call
     * then fails with LM_CODE_STOPPED. NULL: not called. */
    bool (*progress)(void *user, double share);
    void *user;           /* passed to `progress` */
    uint64_t reserved[4]; /* zeros: room for later options */
} lm_skeleton_options;

/* A joint. A joint comes after its parent. */
typedef struct lm_joint {
    /* By role where the shape shows it: "hips", "spine", "head", "hip.L", "knee.R", ...; otherwise
     * "bone.07" by its number, and "bone.07.L" and "bone.07.R" for a pair. Names are unique. ".L"
     * is the model's left. */
    const char *name;
    uint32_t parent; /* LM_SKELETON_NO_PARENT: the root, which is joint 0 */
    /* In the rest pose. Pairs are mirrored, or as far from their parents, if the error allows it.
     */
    lm_vec3 position;
    /* It moves relative to its parent; otherwise its translation is the same in all frames. */
    bool translates;
    uint32_t mirror; /* the joint on the other side; its own index if there is none */
} lm_joint;

/* The pose of a joint relative to its parent, or to the mesh for the root. A point p of the joint's
 * space is at translation + rotation * p in the parent's space. In the rest pose, p is the position
 * of a vertex less that of the joint. */
typedef struct lm_joint_pose {
    float rotation[4];   /* x, y, z, w, of length 1; consecutive frames have the nearer sign */
    lm_vec3 translation; /* units */
} lm_joint_pose;

/* The joints that a vertex follows. Weights are not negative and their sum is 1, that of all
 * influences of the vertex. Unused entries are 0. The first weight is the largest. */
typedef struct lm_influence {
    uint16_t joints[LM_SKELETON_WEIGHTS]; /* by weight, the largest first */
    float weights[LM_SKELETON_WEIGHTS];   /* of these joints */
} lm_influence;

/* The rest pose of a surface. */
typedef struct lm_skeleton_surface {
    uint32_t num_vertices;          /* as in the mesh */
    const lm_vec3 *positions;       /* [num_vertices] */
    const lm_vec3 *normals;         /* [num_vertices] of length 1; NULL if the mesh has none */
    const lm_influence *influences; /* [1 + more_influences][num_vertices] */
    /* [num_correctives][num_vertices] Corrective shapes: they move vertices of the rest pose before
     * the joints do. NULL: none. */
    const lm_vec3 *correctives;
} lm_skeleton_surface;

/* An error: the distance between the mesh and the skinned rest pose over some frames, in units. */
typedef struct lm_skeleton_error {
    double rms_error; /* root mean square over all coordinates */
    double max_error; /* the largest distance of a vertex */
} lm_skeleton_error;

struct lm_own_bones; /* not public */

/* A skeleton with its animation. */
typedef struct lm_skeleton {
    uint32_t num_joints;        /* 1 to LM_MAX_SKELETON_JOINTS */
    const lm_joint *joints;     /* [num_joints] */
    uint32_t num_frames;        /* as in the mesh */
    const lm_joint_pose *poses; /* [num_frames][num_joints] */
    uint32_t num_surfaces;      /* as in the mesh */
    const lm_skeleton_surface *surfaces;

    uint32_t num_translating;        /* joints that translate, besides the root */
    lm_skeleton_error all;           /* over all frames */
    const lm_skeleton_error *frames; /* [num_frames] */
    uint32_t num_clips;
    const lm_skeleton_error *clips; /* [num_clips] of the mesh's clips */
    double quantum;                 /* as in the options, or its default */
    lm_skeleton_verdict verdict;    /* on all of these errors */
    const char *reason;             /* one sentence; "" if accepted */

    uint32_t num_correctives; /* corrective shapes of each surface */
    /* [num_frames][num_correctives] from 0 to 1, the shares of the shapes; NULL: none */
    const float *corrective_weights;
    lm_skeleton_error uncorrected; /* over all frames, without correctives */
    /* Lists of influences after the first, for vertices that follow more joints. 0, unless the
     * skeleton is a model's own. */
    uint32_t more_influences;
    /* The joint that holds each tag of the mesh, if the file says so. Other tags are held by the
     * joint relative to which they move least. */
    uint32_t num_tags;              /* as in the mesh, or 0 */
    const uint32_t *tag_joints;     /* [num_tags] LM_SKELETON_NO_PARENT: the file does not say */
    const struct lm_own_bones *own; /* for poses between frames, if it is a model's own; or NULL */
} lm_skeleton;

/* Finds a skeleton. Always returns one, with the verdict, unless the call fails: as lm_mesh_check
 * does, with LM_CODE_BAD_ARGUMENT (an option), LM_CODE_OUT_OF_MEMORY, LM_CODE_LIMIT (memory) or
 * LM_CODE_STOPPED. Time is linear in frames * vertices * joints, memory in frames * vertices. Free
 * the result with lm_skeleton_free. */
LM_WRITE_API lm_skeleton *lm_skeleton_fit(const lm_mesh *mesh, const lm_skeleton_options *options,
                                          lm_error *error);
/* Returns the model's own skeleton if it has bones (MDS), or finds one as lm_skeleton_fit does, by
 * default with the model's own quantum. Of its own skeleton, the joints are the bones with their
 * names, except those that are only tags; of the options, the memory, max_error and progress count.
 * Such a model has no rest pose: it stores each vertex for each of its bones. The rest pose is
 * where these points meet best, and `all.max_error` what remains; clips have no errors of their
 * own. Errors: those of lm_skeleton_fit. */
LM_WRITE_API lm_skeleton *lm_skeleton_of_model(const lm_model *model,
                                               const lm_skeleton_options *options, lm_error *error);
/* Frees a skeleton. */
LM_WRITE_API void lm_skeleton_free(lm_skeleton *skeleton);

/* Returns the root mean square error of a coordinate that the rounding of the model's file causes:
 * step / sqrt(12) over all frames and axes, in units. */
LM_WRITE_API double lm_skeleton_quantum(const lm_model *model);

/* Computes the positions [num_vertices] of a surface in a pose, and its normals if `normals` is not
 * NULL and the skeleton has them. Between two frames, a model's own bones are posed as in its game.
 * Otherwise, the rotations of the joints are interpolated spherically, and their translations
 * linearly, as in glTF. Limbs thus keep their length.
 * Correctives move positions, but do not turn normals. The surface and the frames must exist, and t
 * is from 0 to 1. lm_mesh_resample makes a mesh of such poses. */
LM_WRITE_API void lm_skeleton_sample(const lm_skeleton *skeleton, uint32_t surface,
                                     const lm_pose *pose, lm_vec3 *positions, lm_vec3 *normals);

#ifdef __cplusplus
}
#endif
#endif
