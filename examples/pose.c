#include <lerpmesh/assets.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    lm_error error;
    lm_model *model = lm_load_file(argc > 1 ? argv[1] : "tris.md2", NULL, &error);
    if (!model)
        return fprintf(stderr, "%s\n", error.message), 1;
    lm_pose pose; /* 0.1 seconds after the start of the first clip */
    lm_clip_pose(&model->clips[0], 0.1, LM_PLAY_AS_CLIP, false, &pose);
    for (uint32_t s = 0; s < model->num_surfaces; s++) {
        float *xyz = (float *)calloc(model->surfaces[s].num_vertices + 1, 3 * sizeof *xyz);
        lm_sample_target target = {0};
        target.positions = xyz;
        if (xyz && lm_sample(model, s, &pose, 1, &target) == LM_CODE_OK)
            printf("the first vertex is at %g %g %g\n", xyz[0], xyz[1], xyz[2]);
        free(xyz);
    }
    lm_model_free(model);
}
