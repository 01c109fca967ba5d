/* Internals of the exporter of vertex-animation textures. One lm_vat per call:
 *
 *     vat.c         the rows of the textures, their pixels, and the text of remap_info
 *     vat_mesh.c    welded vertices, and the static mesh as glTF
 *
 * Functions that can fail return false after ending the call, as in gltf.h. */
#ifndef LM_EXPORT_VAT_H
#define LM_EXPORT_VAT_H

#include "export/gltf.h"
#include "lerpmesh/mesh.h"

/* A surface with triangles: one primitive of the mesh. */
typedef struct lm_vat_surface {
    const lm_mesh_surface *surface;
    uint32_t index;          /* in the mesh */
    uint32_t first, count;   /* its welded vertices, counted over all surfaces */
    uint32_t *vertices, *st; /* [count] the surface's vertex and texture coordinate of each */
    uint32_t num_triangles;  /* those with three different vertices */
    uint32_t *triangles;     /* [num_triangles * 3] welded vertices from 0, counter-clockwise */
    uint32_t material;       /* in the file */
} lm_vat_surface;

typedef struct lm_vat {
    lm_gltf g; /* the .glb, and the heap and arena of the call */
    const lm_mesh *mesh;
    const lm_vat_options *options;
    float scale;
    lm_vat_surface *surfaces; /* [result.num_primitives] */
    uint32_t *rows;           /* [result.num_rows] the frame in each row of a block */
    uint32_t *clip_rows;      /* [mesh->num_clips] the first row of each clip */
    float min[3], max[3];     /* of the offsets, on Blender's axes */
    lm_vat_result result;
} lm_vat;

/* Returns a position of the mesh in the target's scale, or a direction, on glTF's axes. */
static inline lm_vec3 lm_vat_axes(lm_vec3 v, float scale) {
    return (lm_vec3){v.y * scale, v.z * scale, v.x * scale};
}

/* Returns the pixel of a vertex in a row of its block. */
static inline size_t lm_vat_pixel(const lm_vat_result *layout, uint32_t vertex, uint32_t row) {
    const size_t y = (size_t)(vertex / layout->width) * layout->num_rows + row;
    return y * layout->width + vertex % layout->width;
}

/* vat_mesh.c */
/* Welds the vertices of all surfaces, and counts them and the primitives. */
bool lm_vat_weld(lm_vat *vat);
/* Writes the .glb. */
bool lm_vat_write_mesh(lm_vat *vat, lm_buffer *glb);

#endif
