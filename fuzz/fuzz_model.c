/* Any bytes as a model: loaded, strictly and repaired, with its own normals and others, sampled,
 * checked, laid out; and as a document, which is equal to itself when it was written and read
 * again. */
#include "lerpmesh/lerpmesh.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Every surface in its first and last frame and between. */
static void sample(const lm_model *model) {
    const lm_pose pose = {0, model->num_frames - 1, 0.5f};
    for (uint32_t s = 0; s < model->num_surfaces; s++) {
        size_t count = (size_t)3 * model->surfaces[s].num_vertices + 1;
        float *positions = malloc(count * sizeof *positions);
        float *normals = malloc(count * sizeof *normals);
        const lm_sample_target target = {.positions = positions, .normals = normals};
        if (!positions || !normals || lm_sample(model, s, &pose, 1, &target) != LM_CODE_OK)
            abort();
        free(positions);
        free(normals);
    }
    for (uint32_t t = 0; t < model->num_tags; t++) {
        lm_transform tag;
        if (lm_sample_tag(model, t, &pose, &tag) != LM_CODE_OK)
            abort();
    }
}

static void load(const uint8_t *data, size_t size) {
    lm_error error;
    for (int repair = 0; repair < 2; repair++) {
        const lm_load_options options = {.repair = repair, .normals = (lm_normals)(size % 3)};
        lm_model *model = lm_load_memory(data, size, &options, &error);
        if (model)
            sample(model);
        lm_model_free(model);
    }
}

static void look(const uint8_t *data, size_t size) {
    lm_error error;
    lm_report_free(lm_check_memory(data, size, NULL, &error));
    lm_layout *layout = lm_layout_memory(data, size, NULL, &error);
    for (uint32_t i = 0; layout && i < layout->num_lumps && i < 16; i++) {
        lm_buffer out = {.max_size = 1 << 20};
        (void)lm_layout_table(data, size, layout->lumps[i].name, &out, &error);
        lm_buffer_free(&out);
    }
    lm_layout_free(layout);
}

/* FORMATS is X(md2) X(mdc) and so on, which CMake takes from src/load.c. */
#define X(name)                                                                   \
    static void rewrite_##name(const uint8_t *data, size_t size) {                \
        lm_buffer out = {0};                                                      \
        lm_##name *read = lm_##name##_read(data, size, NULL, NULL);               \
        if (!read)                                                                \
            return;                                                               \
        lm_##name *again = lm_##name##_write(read, &out, NULL)                    \
                               ? lm_##name##_read(out.data, out.size, NULL, NULL) \
                               : NULL;                                            \
        if (!again || !lm_##name##_equal(read, again))                            \
            abort();                                                              \
        lm_##name##_free(again);                                                  \
        lm_##name##_free(read);                                                   \
        lm_buffer_free(&out);                                                     \
    }
FORMATS
#undef X

/* As a document of every format; all but one refuse it. */
static void rewrite(const uint8_t *data, size_t size) {
    uint32_t count = 0;
#define X(name) rewrite_##name(data, size), count++;
    FORMATS
#undef X
    if (count != lm_format_count())
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    load(data, size);
    look(data, size);
    rewrite(data, size);
    return 0;
}
