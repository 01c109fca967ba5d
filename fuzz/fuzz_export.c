/* Fuzzes every export of a model: two runs, in memory filled with different bytes, give the same
 * file. */
#include "fuzz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Stands in for a codec, which is no part of the library. */
static size_t copy_elements(const void *elements, size_t count, size_t stride, void *out,
                            size_t room) {
    if (out && room >= count * stride)
        memcpy(out, elements, count * stride);
    return count * stride;
}

static size_t copy_indices(const uint32_t *indices, size_t count, void *out, size_t room) {
    return copy_elements(indices, count, sizeof *indices, out, room);
}

static const lm_gltf_packer copying = {copy_elements, copy_indices};

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

/* Writes vertex-animation textures. The file is their pixels. */
static bool write_vat(const lm_model *model, const lm_export_options *common, bool apart,
                      fuzz_output *out) {
    const lm_memory memory = {.allocator = out->file.allocator, .max_bytes = SIZE_MAX};
    const lm_vat_options options = {.scale = common->scale, .separate_normals = apart};
    lm_buffer info = {.allocator = out->file.allocator};
    lm_mesh *mesh = lm_mesh_from_model(model, &memory, &out->error);
    const bool done =
        mesh && lm_vat_write(mesh, &options, &out->more, &info, &out->file, NULL, &out->error);
    lm_mesh_free(mesh);
    lm_buffer_free(&info);
    return done;
}

static bool export_model(const lm_model *model, fuzz_input input, fuzz_output *out) {
    lm_gltf_result result;
    const uint32_t kind = fuzz_choose(&input, 5);
    const uint32_t size = fuzz_choose(&input, 3);
    const lm_gltf_options gltf = {.quantize = size == 1,
                                  .packer = size == 2 ? &copying : NULL,
                                  .unlit = fuzz_choose(&input, 4) == 1,
                                  .bin_uri = kind == 1 ? "a b.bin" : NULL,
                                  .common = choose_common(&input)};
    const lm_uv_options uv = {.exact = gltf.quantize};
    if (kind == 2)
        return lm_obj_write(model, &gltf.common, &out->file, &out->error);
    if (kind == 3)
        return lm_uv_svg_write(model, &uv, &out->file, &out->error);
    if (kind == 4)
        return write_vat(model, &gltf.common, gltf.quantize, out);
    return lm_gltf_write(model, &gltf, &out->file, &out->more, &result, &out->error);
}

static void write_model(fuzz_input input, const lm_allocator *memory, fuzz_output *out) {
    lm_model *model = fuzz_load(&input, memory);
    out->tried = model != NULL;
    out->written = model && export_model(model, input, out);
    lm_model_free(model);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input input = fuzz_open(data, size);
    fuzz_write_twice(&input, write_model);
    fuzz_close(&input);
    return 0;
}
