/* A model and a mesh made by hand, and a packer, for the tests of everything after loading. */
#ifndef TESTS_SYNTHETIC_H
#define TESTS_SYNTHETIC_H

#include "lerpmesh/export.h"
#include "lerpmesh/mesh.h"
#include "lerpmesh/model.h"

/* ---- A model --------------------------------------------------------------------------------- */

/* Frame f shows pose f % period of the surface "body"; "still" never moves. All poses differ. */
typedef struct synthetic_options {
    uint32_t num_frames, period;
    bool no_surfaces, numbered; /* numbered: its shaders have a number */
    const char *name;           /* of the first surface; NULL: "body" */
} synthetic_options;

/* Releases with free_synthetic_model. */
lm_model *make_model(const synthetic_options *options);
void free_synthetic_model(lm_model *model);
static inline void drop_synthetic_model(lm_model **model) {
    free_synthetic_model(*model);
}

/* Makes a model that its block frees: SYNTHETIC_MODEL(model, .num_frames = 3); */
#define SYNTHETIC_MODEL(name, ...) \
    AT_END(drop_synthetic_model)   \
    lm_model *name = make_model(&(synthetic_options){__VA_ARGS__})

/* ---- A mesh ---------------------------------------------------------------------------------- */

enum {
    MESH_FRAMES = 12,
    MESH_VERTICES = 6,
    MESH_TRIANGLES = 4
};

/* Two tags, two clips, a frame in no clip, a seam and a material. */
typedef struct synthetic_mesh {
    float positions[MESH_FRAMES * MESH_VERTICES * 3], normals[MESH_FRAMES * MESH_VERTICES * 3];
    float st[(MESH_VERTICES + 1) * 2];
    uint32_t triangles[MESH_TRIANGLES * 3], st_triangles[MESH_TRIANGLES * 3];
    lm_material material;
    lm_mesh_surface surface;
    lm_transform poses[2][MESH_FRAMES];
    lm_mesh_tag tags[2];
    lm_clip clips[2];
    const char *skin;
    lm_mesh mesh;
} synthetic_mesh;

void make_mesh(synthetic_mesh *m);

/* ---- A packer that copies its input, or fails from the n-th call on -------------------------- */

extern const lm_gltf_packer copy_packer;
extern int copy_packer_calls; /* that may still succeed */

#endif
