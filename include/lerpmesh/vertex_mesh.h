/* lerpmesh/vertex_mesh.h - what MDC and MD3 documents have in common.
 *
 * Source: W. Prinz, "The MDC File Format" (2004), sections 2.2 and 3.5: MDC took both from MD3.
 */
#ifndef LERPMESH_VERTEX_MESH_H
#define LERPMESH_VERTEX_MESH_H

#include "lerpmesh/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes of each element on disk. */
#define LM_MESH_NAME_SIZE 64 /* of the model, a surface, a shader, a tag */
#define LM_MESH_FRAME_SIZE 56
#define LM_MESH_FRAME_NAME_SIZE 16
#define LM_MESH_TRIANGLE_SIZE 12
#define LM_MESH_SHADER_SIZE 68
#define LM_MESH_ST_SIZE 8
#define LM_MESH_VERTEX_SIZE 8

typedef struct lm_mesh_frame {
    lm_vec3 bbox_min, bbox_max;
    lm_vec3 local_origin;
    float radius;
    char name[LM_MESH_FRAME_NAME_SIZE]; /* all 16 bytes */
} lm_mesh_frame;

typedef struct lm_mesh_vertex {
    int16_t v[3];    /* 1/64 unit a step */
    uint16_t normal; /* rho in the low byte, sigma in the high one */
} lm_mesh_vertex;

#ifdef __cplusplus
}
#endif
#endif
