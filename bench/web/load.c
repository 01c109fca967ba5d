/* Measures reading and sampling alone. bench.mjs links this with the core as compiled for the web's
 * module, and calls the exports. Natively it is lerpmesh-bench-web MODEL, which reads commands line
 * by line, "load COUNT" or "sample COUNT", so that it alternates with node, and answers with
 * microseconds of CPU time per run. Kernels for instructions that only some processors have are
 * left out. */
#include "lerpmesh/load.h"
#include "lerpmesh/files.h"
#include "sample/kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef __wasm__
#define EXPORT(type, name) __attribute__((export_name(#name))) type name
#else
#define EXPORT(type, name) static type name
#endif

EXPORT(unsigned, bench_load)(const void *data, size_t size, unsigned count) {
    unsigned loaded = 0;
    for (unsigned i = 0; i < count; i++) {
        lm_model *model = lm_load_memory(data, size, NULL, NULL);
        loaded += model != NULL;
        lm_model_free(model);
    }
    return loaded;
}

/* Samples the first surface `count` times, into memory of 24 bytes per vertex. */
// NOLINTNEXTLINE(readability-non-const-parameter): the sampler fills it
EXPORT(unsigned, bench_sample)(const lm_model *model, float *memory, unsigned count) {
    const size_t floats = 3 * (size_t)model->surfaces->num_vertices;
    const lm_sample_target target = {.positions = memory, .normals = memory + floats};
    const lm_sample_kernels *kernels = lm_sample_choice_of(false, 0);
    unsigned sampled = 0;
    for (unsigned i = 0; i < count; i++) {
        const lm_pose pose = {i % model->num_frames, (i + 1) % model->num_frames, 0.3f};
        sampled += lm_sample_with(kernels, SIZE_MAX, model, 0, &pose, 1, &target) == LM_CODE_OK;
    }
    return sampled;
}

#ifdef __wasm__
EXPORT(void *, bench_alloc)(size_t size) {
    return malloc(size);
}

EXPORT(lm_model *, bench_open)(const void *data, size_t size) {
    return lm_load_memory(data, size, NULL, NULL);
}
#else
static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

int main(int argc, char **argv) {
    char command[16];
    unsigned count;
    lm_file file = {0};
    lm_model *model = argc == 2 && lm_file_read(argv[1], 0, &file, NULL)
                          ? lm_load_memory(file.data, file.size, NULL, NULL)
                          : NULL;
    float *out =
        model && model->num_surfaces ? malloc(24 * model->surfaces->num_vertices + 1) : NULL;
    bool ok = out != NULL;
    while (ok && scanf("%15s %u", command, &count) == 2 && count > 0) {
        const double start = now();
        ok = count == (strcmp(command, "load") == 0 ? bench_load(file.data, file.size, count)
                                                    : bench_sample(model, out, count));
        printf("%.6f\n", (now() - start) / count); // NOLINT: count is not 0
        fflush(stdout);
    }
    lm_model_free(model);
    lm_file_free(&file);
    free(out);
    return ok ? 0 : 1;
}
#endif
