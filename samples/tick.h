/* Tick, a clockwork knight: his parts, his joints, his poses, his skin. */
#ifndef SAMPLES_TICK_H
#define SAMPLES_TICK_H

#include "elements.h"
#include "exact.h"
#include "lerpmesh/md2.h"

/* ---- Joints and poses (rig.c) -------------------------------------------------------------- */

enum joint {
    PELVIS,
    BODY,
    HEAD,
    JAW,
    EYE_LEFT,
    EYE_RIGHT,
    KEY,
    UPPER_ARM_LEFT,
    UPPER_ARM_RIGHT,
    FOREARM_LEFT,
    FOREARM_RIGHT,
    THIGH_LEFT,
    THIGH_RIGHT,
    BOOT_LEFT,
    BOOT_RIGHT,
    NUM_JOINTS
};

typedef struct angles {
    float pitch, yaw, roll; /* degrees; pitch is downwards, roll to the right */
} angles;

typedef struct limb {
    float forward, outward; /* of the upper limb, from hanging down */
    float bend;             /* of the lower limb: elbows forwards, knees backwards */
    float swing;            /* of the lower limb, outwards */
} limb;

enum {
    LEFT,
    RIGHT
};

/* Degrees and units. With all 0 he stands at attention. */
struct pose {
    angles pelvis, body, head, eyes;
    float jaw, key;
    limb arm[2], leg[2];
    float lift; /* of the feet above the ground */
};

/* Computes the joints with the soles on the ground (z = -24), raised by `lift`. */
void pose_joints(const struct pose *pose, transform joints[NUM_JOINTS]);
/* Computes the head alone, with its joint as the origin. Other joints are not set. */
void pose_head(const struct pose *pose, transform joints[NUM_JOINTS]);

/* ---- Parts and meshes (mesh.c) ------------------------------------------------------------- */

/* Parts are tubes around an axis, closed at both ends. Parts that look the same share a chart. */
enum chart {
    CHART_BODY,
    CHART_SKULL,
    CHART_JAW,
    CHART_EYE,
    CHART_CREST,
    CHART_KEY,
    CHART_UPPER_ARM,
    CHART_FOREARM,
    CHART_THIGH,
    CHART_BOOT,
    NUM_CHARTS
};

#define SKIN_SIZE 256
#define MAX_RINGS 8

typedef struct rectangle {
    int x, y, width, height; /* pixels of the skin */
} rectangle;

extern const rectangle charts[NUM_CHARTS];

/* Returns the number of rows of the skin on which the rings of a chart's parts lie, and the
 * rows. */
int chart_rows(enum chart chart, int rows[MAX_RINGS]);

enum {
    MAX_VERTICES = 1024,
    MAX_ST = 1024,
    MAX_TRIANGLES = 1536
};

struct mesh {
    int num_vertices, num_st, num_triangles;
    lm_vec3 position[MAX_VERTICES], normal[MAX_VERTICES]; /* from their joint */
    uint8_t joint[MAX_VERTICES];
    lm_md2_st st[MAX_ST];
    uint16_t st_vertex[MAX_ST];              /* the vertex of each texture coordinate */
    lm_md2_triangle triangle[MAX_TRIANGLES]; /* clockwise from outside */
};

/* Adds the part of `joint` and `chart`, with `detail` times its usual number of corners. */
void add_part(struct mesh *mesh, enum joint joint, enum chart chart, int detail);

/* Poses the mesh. MD3 and MDC have one vertex per texture coordinate: the arrays have num_st
 * elements. */
void pose_mesh(const struct mesh *mesh, const transform joints[NUM_JOINTS], lm_vec3 *position,
               lm_vec3 *normal);
/* Appends the triangles and texture coordinates of an MD3 or MDC. */
void put_mesh(const struct mesh *mesh, lm_buffer *triangles, lm_buffer *st);

struct points {
    const lm_vec3 *at;
    int count;
};

/* Appends a frame of an MD3 or MDC, with the bounds of all points. */
void put_frame(lm_buffer *out, const struct points *sets, int num_sets, const char name[16]);

/* ---- The files ----------------------------------------------------------------------------- */

/* skin.c. `red` exchanges blue and red. */
bool make_skin(lm_buffer *out, bool red);
bool make_icon(lm_buffer *out, bool red);
bool make_md2(lm_buffer *out, lm_error *error); /* knight.c */
bool make_mdc(lm_buffer *out, lm_error *error); /* head.c */
bool make_mdl(lm_buffer *out, lm_error *error); /* torch.c */
/* player.c */
bool make_lower(lm_buffer *out, lm_error *error);
bool make_upper(lm_buffer *out, lm_error *error);
bool make_head(lm_buffer *out, lm_error *error);
bool make_animations(lm_buffer *out, lm_error *error);

#endif
