#include <lerpmesh/files.h>
#include <lerpmesh/lerpmesh.h>

#include <stdio.h>
#include <stdlib.h>

/* Prints the position of each surface's first vertex, 0.1 seconds into the first clip. */
int main(int argc, char **argv) {
    lm_error error;
    lm_model *model = argc > 1 ? lm_load_file(argv[1], NULL, &error) : NULL;
    if (!model)
        return fprintf(stderr, "%s\n", argc > 1 ? error.message : "usage: pose MODEL"), 1;
    lm_pose pose;
    lm_clip_pose(&model->clips[0], 0.1, LM_PLAY_LOOP, false, &pose);
    for (uint32_t s = 0; s < model->num_surfaces && model->surfaces[s].num_vertices > 0; s++) {
        float *xyz = (float *)malloc(model->surfaces[s].num_vertices * 3 * sizeof *xyz);
        lm_sample_target target = {0};
        target.positions = xyz;
        if (xyz && lm_sample(model, s, &pose, 1, &target) == LM_CODE_OK)
            printf("%s: %g %g %g\n", model->clips[0].name, xyz[0], xyz[1], xyz[2]);
        free(xyz);
    }
    lm_model_free(model);
    return 0;
}
