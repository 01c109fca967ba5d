/* Blends two poses, each of which is between two frames. A block of vertices of each pose at a time
 * is sampled into local planes, and the planes are blended. All kernels fill the planes
 * identically, and the blend is the same scalar code for all. */
#include "core/bytes.h"
#include "sample/run.h"
#include "sample/scalar.h"

#define BLOCK ((size_t)64) /* vertices at a time */

typedef struct soa {
    float positions[3][BLOCK], normals[3][BLOCK];
} soa;

typedef struct blending {
    lm_sample_job jobs[2]; /* of the two poses, into planes */
    soa soa[2];
    float weight;      /* of the second pose */
    lm_sample_job out; /* the caller's outputs and strides */
} blending;

static lm_vec3 vector_at(const float component[3][BLOCK], size_t i) {
    return (lm_vec3){component[0][i], component[1][i], component[2][i]};
}

static lm_vec3 blend(lm_vec3 a, lm_vec3 b, float weight) {
    return lm_sum_of(lm_scaled(a, 1 - weight), b, weight);
}

static void write_block(const blending *m, size_t first, size_t count) {
    for (size_t i = 0; i < count; i++) {
        size_t at = (first + i) * m->out.stride;
        if (m->out.positions)
            lm_store_vec3(m->out.positions + at, m->out.component,
                          blend(vector_at(m->soa[0].positions, i),
                                vector_at(m->soa[1].positions, i), m->weight));
        if (m->out.normals || m->out.packed) {
            lm_vec3 a = vector_at(m->soa[0].normals, i), b = vector_at(m->soa[1].normals, i);
            lm_vec3 n = blend(a, b, m->weight);
            const lm_vec3 nearer = m->weight <= 0.5f ? a : b;
            float scale = lm_scale_for(&n, nearer, 1);
            if (m->out.normals)
                lm_store_vec3(m->out.normals + at, m->out.component, lm_scaled(n, scale));
            scale = lm_scale_for(&n, nearer, 127);
            if (m->out.packed)
                lm_put_u32((uint8_t *)m->out.packed + at, lm_packed_of(lm_scaled(n, scale)));
        }
    }
}

void lm_run_blend(const lm_sample_kernels *kernels, const lm_sample_job jobs[2],
                  const lm_sample_job *out, float weight, const lm_surface *surface) {
    blending m = {.jobs = {jobs[0], jobs[1]}, .weight = weight, .out = *out};
    m.jobs[0].component = m.jobs[1].component = sizeof *m.soa->positions;
    for (size_t v = 0; v < surface->num_vertices; v += BLOCK) {
        size_t left = surface->num_vertices - v, count = left < BLOCK ? left : BLOCK;
        for (unsigned i = 0; i < 2; i++) {
            lm_sample_job *job = &m.jobs[i];
            soa *to = &m.soa[i];
            job->positions = m.out.positions ? (char *)to->positions : NULL;
            job->normals = m.out.normals || m.out.packed ? (char *)to->normals : NULL;
            job->packed = NULL;
            job->count = 0;
            lm_run_vertices(kernels, job, surface->file_vertices + v, count);
        }
        write_block(&m, v, count);
    }
}
