/* lerpmesh/model.h - the model: one shape for every format, quantised as in the file, validated.
 *
 *     #include <lerpmesh/model.h>
 *
 *     // How many triangles a model has, over all of its surfaces.
 *     uint32_t triangles_of(const lm_model *model) {
 *         uint32_t count = 0;
 *         for (uint32_t s = 0; s < model->num_surfaces; s++)
 *             count += model->surfaces[s].num_triangles;
 *         return count;
 *     }
 *
 * A model is a row of frames. Its surfaces keep their vertices packed as the file packs them;
 * lerpmesh/sample.h turns a pose into floats. Everything is constant once loaded, so that any
 * number of threads may read it. Whatever comes from lm_load_memory satisfies all that is said
 * here: nobody downstream checks again.
 *
 * Model space: x forward, y left, z up; front faces are clockwise; a unit is an inch by custom.
 * Names are NUL-terminated, never NULL, cut at the field's NUL or end, otherwise the file's bytes
 * (not always UTF-8).
 */
#ifndef LERPMESH_MODEL_H
#define LERPMESH_MODEL_H

#include "lerpmesh/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lm_frame {
    const char *name;
    /* Box around the frame. MD2: computed from its vertices. MDC, MD3: as the file says, or
     * computed where the file's is not finite or inside out. */
    lm_vec3 min, max;
    /* Centre and radius of the culling sphere (MDC, MD3: localOrigin, radius; MD2: from the box).
     */
    lm_vec3 origin;
    float radius;
    /* Position = packed position * scale + translate. MDC, MD3: 1/64 and 0. */
    lm_vec3 scale, translate;
} lm_frame;

/* How a key vertex is packed, little-endian. */
typedef enum lm_vertex_encoding {
    LM_VERTEX_U8,  /* 4 bytes: x, y, z unsigned; index into the 162 normals */
    LM_VERTEX_S16, /* 8 bytes: x, y, z signed 16 bit; normal as bytes rho (angle from +z towards
                      +x) and sigma (from +x towards +y), 360/256 degrees a step */
} lm_vertex_encoding;

/* A delta vertex (MDC's compressed vertex): 4 bytes: x, y, z with bias LM_DELTA_BIAS, in steps of
 * the model's delta_scale; index into the 256 normals. */
#define LM_DELTA_BIAS 127
#define LM_NO_DELTA UINT16_MAX

/* What a surface itself names as its texture: MDC's and MD3's shaders. MD2 lists skins for the
 * whole model instead. */
typedef struct lm_material {
    const char *name;
    uint32_t flags; /* as in the file */
} lm_material;

/* A surface: triangles that share one set of vertices, drawn with one material.
 *
 * num_vertices counts the vertices as drawn: one a pair of position and texture coordinate. The
 * first num_file_vertices are the file's, in its order (those that nothing uses among them); what
 * follows are copies of them with other texture coordinates, for seams. */
typedef struct lm_surface {
    const char *name; /* "" for MD2, which has no surface names */

    uint32_t num_vertices;
    uint32_t num_file_vertices;
    const uint32_t *file_vertices; /* [num_vertices] of each; v itself for the file's own */
    const lm_vec2 *st;             /* [num_vertices] 0..1 over the skin, from its top left */

    uint32_t num_triangles;
    const uint32_t *triangles; /* [3 * num_triangles] in the file's order, clockwise from outside */

    uint32_t num_materials;
    const lm_material *materials;
    int32_t flags; /* as in the file (MD3, MDC); their games do not use them */

    /* The pose of frame f: vertex v is packed at
     *     keys + frame_keys[f] * key_stride + file_vertices[v] * key_size
     * with the vertex at deltas + frame_deltas[f] * delta_stride + 4 * file_vertices[v] added
     * unless frame_deltas[f] is LM_NO_DELTA (LM_VERTEX_S16 only). Reading whole rows of
     * num_file_vertices is safe, not a byte more. */
    lm_vertex_encoding encoding;
    uint32_t num_keys;            /* MDC: base frames */
    const uint8_t *keys;          /* num_keys rows */
    size_t key_size;              /* bytes a vertex: 4 or 8 */
    size_t key_stride;            /* bytes from one row to the next */
    const uint16_t *frame_keys;   /* [num_frames], NULL: frame f uses key f */
    uint32_t num_deltas;          /* MDC: compressed frames */
    const uint8_t *deltas;        /* num_deltas rows */
    size_t delta_stride;          /* bytes from one to the next */
    const uint16_t *frame_deltas; /* [num_frames], NULL: no frame has one */
} lm_surface;

/* A tag: a place that other models are attached to. lm_sample_tag decodes it. */
typedef enum lm_tag_encoding {
    LM_TAG_S16, /* 12 bytes: position x, y, z, signed 16 bit, 1/64 a step; pitch, yaw, roll, signed
                   16 bit, 360/32700 degrees a step */
    LM_TAG_U16, /* the same with an unsigned position (LM_QUIRK_MDC_PRINZ) */
    LM_TAG_AXES /* 48 bytes: origin, then the three axes: 12 floats, finite (MD3) */
} lm_tag_encoding;

typedef struct lm_tag {
    const char *name;
    lm_tag_encoding encoding;
    const uint8_t *poses; /* the pose of frame f is at poses + f * pose_stride */
    size_t pose_stride;
} lm_tag;

/* Between frame a (t = 0) and frame b (t = 1). Positions are mixed linearly, (1-t)*a + t*b, as
 * the engines do; t = 0 is frame a to the bit, t = 1 frame b. */
typedef struct lm_pose {
    uint32_t frame_a, frame_b; /* < num_frames */
    float t;                   /* 0 .. 1, unless a target asks to extrapolate */
} lm_pose;

/* Where a clip comes from. */
typedef enum lm_clip_source {
    LM_CLIP_MADE,        /* by the caller */
    LM_CLIP_FRAME_NAMES, /* of the names of its frames */
    LM_CLIP_TABLE,       /* of the table of Quake II's 20 player animations */
    LM_CLIP_GROUP,       /* it is a group of frames in the file */
    LM_CLIP_FILE         /* of a clips file */
} lm_clip_source;

/* A clip: a run of frames that is played as one movement. lerpmesh/clips.h plays and makes them. */
typedef struct lm_clip {
    const char *name;
    uint32_t first, count; /* frames first .. first + count - 1; count >= 1 */
    float fps;             /* frames a second, > 0 */
    /* How many of the last frames repeat once the end is reached: count is a plain loop, 0 stops
     * on the last frame (Quake III's animation.cfg, third column). */
    uint32_t loop_frames;
    bool backwards; /* plays from its last frame to its first */
    /* Frames that do not all last as long: [count + 1] seconds at which each begins, in the order
     * in which they are played, and at which the last ends. They grow; only their differences
     * count. `fps` is then the mean. NULL: each lasts 1 / fps seconds. */
    const float *times;
    lm_clip_source source;
} lm_clip;

/* MD2's GL commands: strips and fans with texture coordinates of their own. */
typedef struct lm_gl_vertex {
    float s, t;
    uint32_t vertex; /* the file's vertex */
} lm_gl_vertex;

typedef struct lm_gl_primitive {
    bool fan;       /* else a strip, whose every second triangle is turned */
    uint32_t first; /* of its vertices */
    uint32_t count; /* of its vertices */
} lm_gl_primitive;

typedef struct lm_gl_commands {
    uint32_t num_integers; /* as the header counts them; 0: the model has no GL commands */
    uint32_t num_strips, num_fans, num_triangles;
    uint32_t num_primitives;
    const lm_gl_primitive *primitives;
    uint32_t num_vertices;
    const lm_gl_vertex *vertices;
    /* [num_vertices] the surface's vertex for each GL vertex, if the model was loaded with
     * LM_TOPOLOGY_GL_COMMANDS; else NULL. */
    const uint32_t *drawn;
} lm_gl_commands;

/* A skin whose pixels are in the model's file. */
typedef struct lm_embedded_skin {
    uint32_t num_pictures; /* >= 1; more than one play one after the other, over and over */
    const uint8_t *pixels; /* [num_pictures * skin_height * skin_width] indices into the model's
                              palette, rows from the top */
    const float *times;    /* as a clip's: [num_pictures + 1]; NULL for one picture */
} lm_embedded_skin;

typedef struct lm_model {
    const char *format; /* "md2", ...: as lm_format_of says */
    int32_t version;
    unsigned abilities; /* what its format has room for: lm_ability of lerpmesh/load.h */
    const char *name;   /* the name in the header, "" if the format has none */
    /* The header's, as in the file. MDL: what the game does with whatever looks like this
     * (LM_MDL_ROTATES, ...). MD3, MDC: their games do not use them. */
    int32_t flags;
    int32_t synctype; /* MDL: 1 if each thing begins its groups at a random time */
    lm_vec3 eye;      /* MDL: where the eyes are; the game looks from elsewhere */

    uint32_t num_frames; /* >= 1 */
    const lm_frame *frames;
    uint32_t num_surfaces; /* 0 for a model that has tags only */
    const lm_surface *surfaces;
    uint32_t num_tags;
    const lm_tag *tags;
    uint32_t num_clips; /* >= 1; together they hold every frame */
    const lm_clip *clips;
    uint32_t num_skins; /* alternatives for the whole model, paths as in the file */
    const char *const *skins;
    /* [num_skins] the pixels of skins that are in the file, whose names are made up; NULL: skins
     * are files of their own. */
    const lm_embedded_skin *embedded_skins;
    const uint8_t *palette; /* [256 * 3] red, green, blue, for embedded skins: the game's own */
    bool holes;             /* their pixels with index 255 are transparent */
    lm_gl_commands gl_commands;
    uint32_t skin_width, skin_height; /* pixels of the skin, if the format says; else 0 */

    float delta_scale;      /* units a step of a delta vertex */
    bool delta_normals_add; /* a delta's normal is added to the key's (LM_QUIRK_MDC_PRINZ);
                               otherwise it replaces it */
    uint32_t num_warnings;
    const lm_diagnostic *warnings;
} lm_model;

#ifdef __cplusplus
}
#endif
#endif
