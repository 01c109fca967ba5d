/* lerpmesh/model.h - the loaded model of any format: validated, quantised as in the file.
 *
 *     #include <lerpmesh/model.h>
 *
 *     // Counts the triangles of all surfaces of a model.
 *     uint32_t triangles_of(const lm_model *model) {
 *         uint32_t count = 0;
 *         for (uint32_t s = 0; s < model->num_surfaces; s++)
 *             count += model->surfaces[s].num_triangles;
 *         return count;
 *     }
 *
 * A model is a sequence of frames. Its surfaces keep their vertices packed as in the file;
 * lerpmesh/sample.h decodes a pose to floats. A loaded model is constant, so any number of threads
 * may read it. lm_load_memory guarantees every property in this header, and other functions do not
 * check them again.
 *
 * Model space: x forward, y left, z up; front faces are clockwise; a unit is an inch by convention.
 * Names are NUL-terminated and never NULL. They end at the first NUL or the end of their field, and
 * are otherwise the file's bytes (not always UTF-8).
 */
#ifndef LERPMESH_MODEL_H
#define LERPMESH_MODEL_H

#include "lerpmesh/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A frame: its name, its bounds and its quantisation. */
typedef struct lm_frame {
    const char *name; /* as in the file; may be "", as always in MDS */
    /* The bounding box. MD2, MDL: computed from the vertices. Others: as in the file; computed if
     * that box is not finite or is inside out. */
    lm_vec3 min, max;
    /* Centre and radius of the culling sphere. MD2, MDL: computed from the box. Others: localOrigin
     * and radius. */
    lm_vec3 origin;
    float radius; /* units */
    /* Position = packed position * scale + translate. MDC, MD3: scale 1/64, translate 0. MDS: scale
     * 0, as positions are floats; `translate` is the position of root bones. */
    lm_vec3 scale, translate;
} lm_frame;

/* The encoding of the vertices. A key vertex is little-endian. */
typedef enum lm_vertex_encoding {
    LM_VERTEX_U8,  /* 4 bytes: x, y, z unsigned 8 bit; index into the 162 normals */
    LM_VERTEX_S16, /* 8 bytes: x, y, z signed 16 bit; the normal as bytes rho (angle from +z towards
                      +x) and sigma (from +x towards +y), in steps of 360/256 degrees */
    LM_VERTEX_WEIGHTS, /* no keys: bones move the vertices (lm_weights) */
} lm_vertex_encoding;

/* A delta vertex (a vertex of a compressed frame in MDC) has 4 bytes. The first three are x, y, z
 * with bias LM_DELTA_BIAS, in steps of the model's delta_scale. The last is an index into the 256
 * normals. */
#define LM_DELTA_BIAS 127
#define LM_NO_DELTA UINT16_MAX /* in frame_deltas: the frame has no deltas */

/* A material: the texture or shader that a surface itself names (the shaders of MDC and MD3). MD2
 * instead lists skins for the whole model. */
typedef struct lm_material {
    const char *name;     /* of the texture or shader; may be "" */
    uint32_t flags;       /* as in the file */
    uint64_t reserved[2]; /* zeros; space for later members */
} lm_material;

/* A bone of a model, which moves vertices and tags. */
typedef struct lm_bone {
    const char *name; /* as in the file */
    uint32_t parent;  /* an earlier bone; LM_NO_BONE: it is a root */
    /* Units from its parent's position, in every pose. */
    float parent_dist;
    float torso_weight; /* 0 .. 1: how much it follows the torso instead of the legs */
    uint32_t flags;     /* as in the file: LM_BONE_TAG */
} lm_bone;

#define LM_MAX_BONES 128      /* per model */
#define LM_NO_BONE UINT32_MAX /* the parent of a root */
#define LM_BONE_TAG 1         /* the bone is a tag */

/* The bones of a model, and their poses as in the file. The pose of bone b in frame f is at
 *     poses + f * pose_stride + 12 * b
 * It is six little-endian signed 16-bit numbers: pitch, yaw and roll of the bone in the model's
 * space, one unused, and pitch and yaw of the direction from its parent, in steps of 360/65536
 * degrees. lm_sample_bones decodes it. */
typedef struct lm_bones {
    uint32_t num_bones;        /* 1 .. LM_MAX_BONES */
    const lm_bone *bones;      /* parents come before their children */
    uint32_t torso_parent;     /* the bone about which the torso turns */
    const uint8_t *poses;      /* [num_frames] */
    size_t pose_stride;        /* bytes from one frame to the next */
    const uint32_t *tag_bones; /* [num_tags] the bone that each tag is */
} lm_bones;

/* A bone that a vertex follows. */
typedef struct lm_weight {
    uint32_t bone;  /* an index into the model's bones */
    float weight;   /* 0 .. 1 */
    lm_vec3 offset; /* the vertex in the bone's space */
} lm_weight;

/* The vertices of a surface that bones move. Vertex v follows the bones of weights firsts[v] to
 * firsts[v + 1] - 1; it has at least one. Its position is the sum of weight times the position to
 * which the bone moves the offset. */
typedef struct lm_weights {
    const uint32_t *firsts;   /* [num_file_vertices + 1] */
    const lm_weight *weights; /* [firsts[num_file_vertices]] */
    const lm_vec3 *normals;   /* [num_file_vertices] in the space of the first bone, of length 1 */
} lm_weights;

/* A surface: triangles that share one set of vertices and are drawn with one material.
 *
 * num_vertices counts the vertices for drawing: one per pair of position and texture coordinate.
 * The first num_file_vertices are the vertices of the file, in its order, including unused ones.
 * The rest are copies of these with other texture coordinates, for seams. */
typedef struct lm_surface {
    const char *name; /* "" for MD2, which has no surface names */

    uint32_t num_vertices;         /* vertices to draw */
    uint32_t num_file_vertices;    /* vertices in the file */
    const uint32_t *file_vertices; /* [num_vertices] index of the vertex in the file; v itself
                                      below num_file_vertices */
    const lm_vec2 *st;             /* [num_vertices] 0 .. 1 across the skin, from its top left */

    uint32_t num_triangles;
    const uint32_t *triangles; /* [3 * num_triangles] in the file's order, clockwise from outside */

    /* Empty for MD2 and MDL, whose skins are those of the whole model. */
    uint32_t num_materials;
    const lm_material *materials;
    int32_t flags; /* as in the file (MD3, MDC); the games do not use them */

    /* Vertex v of frame f is packed at
     *     keys + frame_keys[f] * key_stride + file_vertices[v] * key_size
     * Unless frame_deltas[f] is LM_NO_DELTA, the delta vertex at
     *     deltas + frame_deltas[f] * delta_stride + 4 * file_vertices[v]
     * is added to it (LM_VERTEX_S16 only). Whole rows of num_file_vertices may be read, but not a
     * byte more. With LM_VERTEX_WEIGHTS, there are no keys and no deltas. */
    lm_vertex_encoding encoding;
    uint32_t num_keys;            /* MDC: base frames */
    const uint8_t *keys;          /* num_keys rows */
    size_t key_size;              /* bytes per vertex: 4 or 8 */
    size_t key_stride;            /* bytes from one row to the next */
    const uint16_t *frame_keys;   /* [num_frames]; NULL: frame f uses key row f */
    uint32_t num_deltas;          /* MDC: compressed frames */
    const uint8_t *deltas;        /* num_deltas rows */
    size_t delta_stride;          /* bytes from one row to the next */
    const uint16_t *frame_deltas; /* [num_frames]; NULL: no frame has deltas */
    const lm_weights *weights;    /* LM_VERTEX_WEIGHTS; otherwise NULL */
} lm_surface;

/* The encoding of a tag's transform. */
typedef enum lm_tag_encoding {
    LM_TAG_S16,  /* 12 bytes: position x, y, z, signed 16 bit, in steps of 1/64 unit; pitch, yaw,
                    roll, signed 16 bit, in steps of 360/32700 degrees */
    LM_TAG_U16,  /* the same with an unsigned position (LM_QUIRK_MDC_PRINZ) */
    LM_TAG_AXES, /* 48 bytes: origin, then three axes: 12 finite floats (MD3) */
    LM_TAG_BONE  /* no bytes: the tag is a bone (lm_bones.tag_bones) */
} lm_tag_encoding;

/* A tag: a transform per frame, to which other models are attached. lm_sample_tag decodes it. */
typedef struct lm_tag {
    const char *name;         /* MD3: as in the first frame */
    lm_tag_encoding encoding; /* of each transform */
    const uint8_t *poses;     /* the transform of frame f is at poses + f * pose_stride */
    size_t pose_stride;       /* bytes from one frame to the next */
} lm_tag;

/* A pose: two frames and a fraction. Positions are blended linearly, (1-t)*a + t*b, as in the
 * engines. At t = 0 the result is bit-identical to frame a, at t = 1 to frame b. */
typedef struct lm_pose {
    uint32_t frame_a, frame_b; /* < num_frames */
    float t;                   /* 0 .. 1, unless a sample target extrapolates */
    /* A hidden clip plays. Samples do not change, but lm_scene_evaluate gives the part a transform
     * with axes of length 0, so that it is a point. */
    bool hidden;
} lm_pose;

/* The origin of a clip. */
typedef enum lm_clip_source {
    LM_CLIP_CUSTOM,      /* made by the caller */
    LM_CLIP_FRAME_NAMES, /* derived from the names of its frames */
    LM_CLIP_TABLE,       /* from the table of Quake II's 20 player animations */
    LM_CLIP_GROUP,       /* a group of frames in the file */
    LM_CLIP_FILE         /* read from a clips file */
} lm_clip_source;

/* A clip: a range of frames that plays as one animation. lerpmesh/clips.h reads and plays clips.
 * Start your own from `= {0}` (`= {}` in C++). */
typedef struct lm_clip {
    const char *name;      /* not NULL */
    uint32_t first, count; /* frames first .. first + count - 1; count >= 1 */
    float fps;             /* frames per second, > 0 */
    /* The number of frames at the end that repeat. `count` makes a plain loop; 0 stops on the last
     * frame (the third column of Quake III's animation.cfg). */
    uint32_t loop_frames;
    bool backwards; /* plays from the last frame to the first */
    bool hidden;    /* a part of a scene that plays the clip is not drawn */
    /* Of a row of weapon.cfg (docs/reference/clips.md), for the barrels of a weapon; bit N is
     * barrel N + 1. 0 in other clips. */
    uint8_t animated_barrels; /* barrels with frames of their own; the others show frame 0 */
    uint8_t hidden_barrels;   /* barrels that are not drawn */
    bool animated_weapon;     /* no game uses it */
    /* Times of frames with different durations: [count + 1] seconds at which each frame begins, in
     * playing order, and at which the last one ends. They increase; only their differences matter.
     * `fps` is then the mean rate. NULL: each frame lasts 1 / fps seconds. */
    const float *times;
    lm_clip_source source; /* how the clip was made */
    uint64_t reserved[2];  /* zeros; space for later members */
} lm_clip;

/* A vertex of MD2's GL commands, with its own texture coordinates. */
typedef struct lm_gl_vertex {
    float s;         /* 0 .. 1 across the skin, from its left */
    float t;         /* the same from its top */
    uint32_t vertex; /* index of the file's vertex */
} lm_gl_vertex;

/* A strip or a fan of MD2's GL commands. */
typedef struct lm_gl_primitive {
    bool fan; /* a fan; otherwise a strip, in which every second triangle has reversed winding */
    uint32_t first; /* its first vertex in lm_gl_commands.vertices */
    uint32_t count; /* its number of vertices */
} lm_gl_primitive;

/* MD2's GL commands: strips and fans that draw the model. */
typedef struct lm_gl_commands {
    uint32_t num_integers;  /* as counted in the header; 0: the model has no GL commands */
    uint32_t num_strips;    /* of num_primitives */
    uint32_t num_fans;      /* of num_primitives */
    uint32_t num_triangles; /* with three different vertices; joints of a strip do not count */
    uint32_t num_primitives;
    const lm_gl_primitive *primitives; /* in the order of the file */
    uint32_t num_vertices;
    const lm_gl_vertex *vertices; /* of all primitives, one after another */
    /* [num_vertices] the vertex of the surface for each GL vertex, if the model was loaded with
     * LM_TOPOLOGY_GL_COMMANDS; otherwise NULL. */
    const uint32_t *drawn;
} lm_gl_commands;

/* A skin whose pixels are in the model's file (MDL). */
typedef struct lm_embedded_skin {
    uint32_t num_images;   /* >= 1; several play one after another in a loop */
    const uint8_t *pixels; /* [num_images * skin_height * skin_width] indices into the model's
                              palette, rows from the top */
    const float *times;    /* as in lm_clip: [num_images + 1]; NULL for an image without a group */
} lm_embedded_skin;

/* A model, as lm_load_memory returns it. */
typedef struct lm_model {
    const char *format; /* "md2", ...: as lm_format_of returns it */
    int32_t version;    /* as in the header */
    unsigned features;  /* the features of its format: lm_feature flags (lerpmesh/load.h) */
    const char *name;   /* name in the header; "" if the format has none */
    /* Flags of the header, as in the file. MDL: effects that the game adds to entities with this
     * model (LM_MDL_ROTATES, ...). MD3, MDC: the games do not use them. */
    int32_t flags;
    int32_t synctype; /* MDL: 1 if each entity starts its groups at a random time */
    lm_vec3 eye;      /* MDL: position of the eyes; the game does not use it for its view */

    uint32_t num_frames; /* >= 1 */
    const lm_frame *frames;
    uint32_t num_surfaces; /* 0 for a model with tags only */
    const lm_surface *surfaces;
    /* Attachment points (MD3, MDC, MDS). */
    uint32_t num_tags;
    const lm_tag *tags;
    uint32_t num_clips; /* >= 1; together they contain every frame */
    const lm_clip *clips;
    uint32_t num_skins; /* alternatives for the whole model, as paths in the file */
    const char *const *skins;
    /* [num_skins] The pixels of each skin, if they are in the model's file; the names of the skins
     * are then generated. NULL: skins are separate files. */
    const lm_embedded_skin *embedded_skins;
    const uint8_t *palette; /* [256 * 3] red, green, blue, for embedded skins: the game's palette */
    bool transparent_255;   /* pixels of embedded skins with index 255 are transparent */
    lm_gl_commands gl_commands;       /* MD2's strips and fans */
    uint32_t skin_width, skin_height; /* pixels, if the format stores them; else 0 */

    float delta_scale;      /* units per step of a delta vertex */
    bool delta_normals_add; /* a delta's normal is added to the key's (LM_QUIRK_MDC_PRINZ);
                               otherwise it replaces it */
    uint32_t num_warnings;
    const lm_diagnostic *warnings; /* repairs and other harmless damage */
    const lm_bones *bones;         /* they move all vertices (MDS); NULL: vertices have keys */
} lm_model;

#ifdef __cplusplus
}
#endif
#endif
