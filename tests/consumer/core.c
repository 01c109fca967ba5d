/* A separate program with the core: reads a model from standard input, samples it, and prints the
 * sum of its numbers, which is the same on every machine. */
#include <lerpmesh/lerpmesh.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#endif

/* FNV-1a of the bits of `count` floats. */
static uint64_t add(uint64_t sum, const float *values, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        sum = (sum ^ bits) * UINT64_C(0x100000001b3);
    }
    return sum;
}

/* Samples a whole surface at each quarter of a frame. Returns 0 after a failure. */
static uint64_t sample(const lm_model *model, uint32_t surface, uint64_t sum) {
    size_t count = 6 * (size_t)model->surfaces[surface].num_vertices;
    lm_sample_target target = {0};
    float *values = malloc(count * sizeof *values + 1);
    target.positions = values;
    target.normals = values + 3;
    target.stride = 24;
    for (uint32_t quarter = 0; values && sum && quarter < 4 * model->num_frames; quarter++) {
        lm_pose pose;
        lm_model_pose_at(model, quarter / 4.0, &pose);
        sum = lm_sample(model, surface, &pose, 1, &target) == LM_CODE_OK ? add(sum, values, count)
                                                                         : 0;
    }
    free(values);
    return values ? sum : 0;
}

int main(void) {
    static unsigned char bytes[1 << 20];
#ifdef _WIN32
    _setmode(0, _O_BINARY);
#endif
    size_t size = fread(bytes, 1, sizeof bytes, stdin);
    char compiled[40];
    lm_error error;
    lm_model *model = lm_load_memory(bytes, size, NULL, &error);
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    snprintf(compiled, sizeof compiled, "%d.%d.%d", LM_VERSION_MAJOR, LM_VERSION_MINOR,
             LM_VERSION_PATCH);
    if (!model || strcmp(lm_version(), compiled) != 0)
        return fprintf(stderr, "%s %s\n", compiled, model ? lm_version() : error.message), 1;
    for (uint32_t s = 0; s < model->num_surfaces; s++)
        sum = sample(model, s, sum);
    printf("lerpmesh %s: %s, %u frames, %016llx\n", lm_version(), model->format,
           (unsigned)model->num_frames, (unsigned long long)sum);
    lm_model_free(model);
    return sum == 0;
}
