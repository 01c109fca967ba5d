/* lerpmesh-bench-web MODEL: the native side of `make bench-web`. It reads commands line by line,
 * "load COUNT" or "sample COUNT", so that it alternates with node, and answers with microseconds of
 * CPU time per run. A sample covers all surfaces, with positions and normals in separate arrays, by
 * SSE2's kernel. */
#include "lerpmesh/load.h"
#include "sample/kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

typedef struct benchmark {
    uint8_t *data;
    size_t size;
    lm_model *model;
    float *positions, *normals; /* of the largest surface */
    const lm_sample_kernels *kernels;
} benchmark;

static bool read_all(benchmark *s, const char *path) {
    FILE *file = fopen(path, "rb");
    const bool opened = file && fseek(file, 0, SEEK_END) == 0;
    s->size = opened ? (size_t)ftell(file) : 0;
    s->data = malloc(s->size + 1);
    const bool read = opened && s->data && fseek(file, 0, SEEK_SET) == 0 &&
                      fread(s->data, 1, s->size, file) == s->size;
    if (file)
        fclose(file);
    return read;
}

static bool begin(benchmark *s, const char *path) {
    uint32_t max_vertices = 1;
    s->model = read_all(s, path) ? lm_load_memory(s->data, s->size, NULL, NULL) : NULL;
    if (!s->model)
        return false;
    for (uint32_t i = 0; i < s->model->num_surfaces; i++)
        if (s->model->surfaces[i].num_vertices > max_vertices)
            max_vertices = s->model->surfaces[i].num_vertices;
    s->positions = calloc(max_vertices, 12);
    s->normals = calloc(max_vertices, 12);
    s->kernels = lm_sample_choice_of(0, 0); /* available on every processor */
    return s->positions && s->normals;
}

static bool load(const benchmark *s, unsigned run) {
    lm_model *model = lm_load_memory(s->data, s->size, NULL, NULL);
    lm_model_free(model);
    (void)run;
    return model != NULL;
}

static bool sample(const benchmark *s, unsigned run) {
    const lm_pose pose = {run % s->model->num_frames, (run + 1) % s->model->num_frames, 0.3f};
    const lm_sample_target target = {.positions = s->positions, .normals = s->normals};
    bool ok = true;
    for (uint32_t i = 0; i < s->model->num_surfaces; i++)
        ok = lm_sample_with(s->kernels, SIZE_MAX, s->model, i, &pose, 1, &target) == LM_CODE_OK &&
             ok;
    return ok;
}

static bool answer(const benchmark *s, const char *command, unsigned count) {
    bool (*run)(const benchmark *, unsigned) = strcmp(command, "load") == 0 ? load : sample;
    bool ok = run(s, 0);
    const double start = now();
    for (unsigned i = 0; i < count; i++)
        ok = run(s, i) && ok;
    printf("%.6f\n", (now() - start) / count);
    fflush(stdout);
    return ok;
}

int main(int argc, char **argv) {
    benchmark s = {0};
    char command[16];
    unsigned count;
    bool ok = argc == 2 && begin(&s, argv[1]);
    if (!ok)
        fprintf(stderr, "lerpmesh-bench-web: cannot read the model\n");
    else
        fprintf(stderr, "native: %s\n", s.kernels->name);
    while (ok && scanf("%15s %u", command, &count) == 2 && count > 0)
        ok = answer(&s, command, count);
    lm_model_free(s.model);
    free(s.positions);
    free(s.normals);
    free(s.data);
    return ok ? 0 : 1;
}
