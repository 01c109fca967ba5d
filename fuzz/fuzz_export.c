/* Any model to every file that is written of models: twice, in memory full of other bytes, and the
 * two are the same. */
#include "fuzz.h"

#include <math.h>
#include <stdlib.h>

#define MOST_OUTPUT (1 << 15)

typedef struct output {
    lm_buffer file, more; /* a .gltf and its .bin */
    bool written;
    lm_error error;
} output;

static lm_export_options choose_common(fuzz_input *input) {
    static const float scales[] = {0, 1, -2, 1e30f, 1e-30f};
    lm_export_options common = {.name = "name"};
    common.axes = (lm_axes)fuzz_choose(input, 3);
    common.scale = scales[fuzz_choose(input, 5)];
    common.still = fuzz_choose(input, 3) == 1;
    common.frame = 0.5 * fuzz_choose(input, 8) - 0.5;
    common.num_frames = fuzz_choose(input, 4);
    common.first_frame = common.num_frames ? fuzz_choose(input, 4) : 0;
    common.fps = (float)fuzz_choose(input, 2) * 7;
    return common;
}

static bool export_model(const lm_model *model, fuzz_input input, output *out) {
    lm_gltf_result result;
    const uint32_t kind = fuzz_choose(&input, 4);
    const lm_gltf_options gltf = {.quantize = fuzz_choose(&input, 2) != 0,
                                  .unlit = fuzz_choose(&input, 4) == 1,
                                  .bin_uri = kind == 1 ? "a b.bin" : NULL,
                                  .common = choose_common(&input)};
    const lm_uv_options uv = {.exact = gltf.quantize};
    if (kind == 2)
        return lm_obj_write(model, &gltf.common, &out->file, &out->error);
    if (kind == 3)
        return lm_uv_svg_write(model, &uv, &out->file, &out->error);
    return lm_gltf_write(model, &gltf, &out->file, &out->more, &result, &out->error);
}

/* With memory that is full of `fill` wherever nobody wrote. */
static void run(fuzz_input input, uint8_t *fill, output *out) {
    const lm_allocator memory = fuzz_filled(fill);
    *out = (output){.file = {.allocator = memory, .max_size = MOST_OUTPUT},
                    .more = {.allocator = memory, .max_size = MOST_OUTPUT}};
    lm_model *model = fuzz_load(&input, &memory);
    if (model)
        out->written = export_model(model, input, out);
    if (model && !out->written) {
        assert_error_told(&out->error);
        PROMISE(out->file.size == 0 && out->more.size == 0);
    }
    lm_model_free(model);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static uint8_t fills[] = {0x00, 0xFF};
    output outs[2];
    fuzz_input input = fuzz_open(data, size);
    for (size_t i = 0; i < 2; i++)
        run(input, &fills[i], &outs[i]);
    PROMISE(outs[0].written == outs[1].written);
    fuzz_assert_same(&outs[0].file, &outs[1].file);
    fuzz_assert_same(&outs[0].more, &outs[1].more);
    for (size_t i = 0; i < 2; i++) {
        lm_buffer_free(&outs[i].file);
        lm_buffer_free(&outs[i].more);
    }
    fuzz_close(&input);
    return 0;
}
