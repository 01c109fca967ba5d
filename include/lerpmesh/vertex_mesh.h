/* lerpmesh/vertex_mesh.h - what MDC and MD3 documents have in common.
 *
 * Source: W. Prinz, "The MDC File Format" (2004), sections 2.2 and 3.5: MDC took both from MD3.
 */
#ifndef LERPMESH_VERTEX_MESH_H
#define LERPMESH_VERTEX_MESH_H

/* Bytes of each element on disk, by offset; numbers are little-endian.
 *     frame     0 float min[3]; 12 float max[3]: bounds; 24 float origin[3]; 36 float radius;
 *               40 char name[16]
 *     triangle  0 uint32 vertex[3], clockwise from outside
 *     shader    0 char name[64]; 64 int32: MD3's index, MDC's flags
 *     st        0 float s, t: 0 to 1 across the texture, from its top left
 *     vertex    0 int16 position[3]: 1/64 unit per step; 6 uint8 rho, sigma: the normal's angles
 *               (lm_normal_from_angles) */
#define LM_MESH_NAME_SIZE 64 /* of the model, a surface, a shader, a tag */
#define LM_MESH_FRAME_SIZE 56
#define LM_MESH_FRAME_NAME_SIZE 16
#define LM_MESH_TRIANGLE_SIZE 12
#define LM_MESH_SHADER_SIZE 68
#define LM_MESH_ST_SIZE 8
#define LM_MESH_VERTEX_SIZE 8

#endif
