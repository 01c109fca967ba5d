/* Random meshes, and files encoded from meshes. */
#ifndef TESTS_ENCODED_H
#define TESTS_ENCODED_H

#include "core/heap.h"
#include "support.h"

/* Two surfaces and two clips; positions drift, and some frames repeat others. */
typedef struct random_mesh {
    lm_mesh_surface surfaces[2];
    lm_clip clips[2];
    lm_mesh mesh;
} random_mesh;

void make_random_mesh(random_mesh *r, uint32_t seed);
void free_random_mesh(random_mesh *r);

/* An encoded mesh, loaded again. */
typedef struct made {
    const lm_mesh *mesh;
    blob file;
    lm_encode_report *report;
    lm_model *model;
    lm_vec3 **rows; /* [the model's surfaces] as from sample_surface */
} made;

/* Fails the test if the mesh cannot be encoded or loaded. `options` may be NULL. */
made make_file(const lm_mesh *mesh, const char *format, const lm_encode_options *options);
void free_synthetic(made *m);
/* Returns all vertices of a model's surface in all frames: [num_frames * num_vertices]. Release
 * them with `free`. */
lm_vec3 *sample_surface(const lm_model *model, uint32_t surface);

/* Finds the drawn vertex of any surface whose motion is nearest to that of a mesh's vertex. Returns
 * the largest error on an axis in any frame. `surface` and `vertex` receive its position unless
 * they are NULL. */
double find_vertex(const made *m, uint32_t mesh_surface, uint32_t take_vertex, uint32_t *surface,
                   uint32_t *vertex);
bool is_used(const lm_mesh_surface *s, uint32_t vertex);

void expect_file_error(const lm_mesh *mesh, const char *format, const lm_encode_options *options,
                       lm_code code, const char *words);

/* Returns true if a report has a problem with this code and these words. */
bool has_problem(const lm_encode_report *report, lm_code code, const char *words);

/* Returns a heap without limits. */
lm_heap plain_heap(void);

#endif
