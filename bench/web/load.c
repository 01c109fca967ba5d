/* Measures reading and sampling alone, like native.c. bench.mjs links this with the core as
 * compiled for the web's module. */
#include "lerpmesh/load.h"
#include "lerpmesh/sample.h"

#include <stdlib.h>

#define EXPORT(name) __attribute__((export_name(#name))) name

void *EXPORT(bench_alloc)(size_t size) {
    return malloc(size);
}

int EXPORT(bench_load)(const void *data, size_t size, unsigned count) {
    int loaded = 0;
    for (unsigned i = 0; i < count; i++) {
        lm_model *model = lm_load_memory(data, size, NULL, NULL);
        loaded += model != NULL;
        lm_model_free(model);
    }
    return loaded;
}

lm_model *EXPORT(bench_open)(const void *data, size_t size) {
    return lm_load_memory(data, size, NULL, NULL);
}

/* NOLINTBEGIN(readability-non-const-parameter): the sampler fills it */
/* Samples the first surface `count` times, into memory of 24 bytes per vertex. */
int EXPORT(bench_sample)(const lm_model *model, float *memory, unsigned count) {
    const size_t floats = 3 * (size_t)model->surfaces->num_vertices;
    const lm_sample_target target = {.positions = memory, .normals = memory + floats};
    int sampled = 0;
    for (unsigned i = 0; i < count; i++) {
        const lm_pose pose = {i % model->num_frames, (i + 1) % model->num_frames, 0.3f};
        sampled += lm_sample(model, 0, &pose, 1, &target) == LM_CODE_OK;
    }
    return sampled;
}
/* NOLINTEND(readability-non-const-parameter) */
