/* Fuzzes writing: exporting a model, writing a document again, and optimizing. */
#include "fuzz.h"

#include "formats/edit_document.h"
#include "formats/writer.h"

#include <string.h>

/* ---- Exporting ------------------------------------------------------------------------------- */

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
    lm_model *model = fuzz_load_model(&input, memory);
    out->tried = model != NULL;
    out->written = model && export_model(model, input, out);
    lm_model_free(model);
}

/* Two runs of an export, in memory filled with different bytes, give the same file. */
void fuzz_export(fuzz_input *input) {
    fuzz_write_twice(input, write_model);
}

/* ---- Documents ------------------------------------------------------------------------------- */

static void put(const lm_editor *editor, const void *document, lm_buffer *out) {
    lm_error error = {0};
    const bool written = lm_put_as(editor, document, out, &error);
    PROMISE(written);
}

static void compare(const lm_editor *editor, const void *document) {
    lm_error error = {0};
    lm_buffer out = {0}, twice = {0};
    put(editor, document, &out);
    void *again = lm_read_document(editor->kind, out.data, out.size, NULL, &error);
    PROMISE(again && lm_equal_as(editor, document, again));
    put(editor, again, &twice);
    fuzz_assert_same(&out, &twice);
    lm_free_document(editor->kind->header, again);
    lm_buffer_free(&out);
    lm_buffer_free(&twice);
}

/* Changes the header's flags, if the format has them; fuzz_edit changes lumps. */
static void change(const lm_header *header, void *document, int32_t by) {
    for (size_t i = 0; i < header->fields.count; i++)
        if (strcmp(header->fields.list[i].name, "flags") == 0)
            lm_set_number(document, header->fields.list[i].member,
                          lm_number(document, header->fields.list[i].member) ^ by);
}

static void rewrite_as(const lm_editor *editor, fuzz_input input) {
    lm_error error = {0};
    void *document = lm_read_document(editor->kind, input.data, input.size, NULL, &error);
    if (!document) {
        assert_error_valid(&error);
        return;
    }
    compare(editor, document);
    if (fuzz_choose(&input, 2)) {
        change(editor->kind->header, document, (int32_t)fuzz_choose(&input, 4));
        compare(editor, document);
    }
    lm_free_document(editor->kind->header, document);
}

/* Reads the input as a document of every format; all but one reject it. A document that is read
 * is written, reads as the same again, and is then written as the same bytes; also after a
 * number changed. */
void fuzz_rewrite(fuzz_input *input) {
    for (uint32_t i = 0; i < lm_format_count(); i++) {
        const lm_writer *writer = lm_find_writer(lm_format_at(i)->name);
        if (writer)
            rewrite_as(writer->edit, *input);
    }
}

/* ---- Optimizing ------------------------------------------------------------------------------ */

static bool optimize(const uint8_t *data, size_t size, const lm_optimize_options *options,
                     lm_buffer *out) {
    lm_error error = {0};
    lm_optimize_report report;
    const bool done = lm_optimize(data, size, options, out, &report, &error);
    lm_model *model = lm_load_memory(data, size, NULL, NULL);
    PROMISE(done ? model != NULL
                 : !model || error.code == LM_CODE_LIMIT || error.code == LM_CODE_GL_COMMANDS);
    PROMISE(!done || (report.size_before == size && report.size_after == out->size));
    PROMISE(!done || report.max_error <= options->max_error);
    PROMISE(out->size <= size);
    if (!done)
        assert_error_valid(&error);
    lm_model_free(model);
    return done;
}

/* The result of a valid file is no larger, and optimizing it again gives the same bytes. The
 * library itself proves that the result is equivalent, and fails otherwise. */
void fuzz_optimize(fuzz_input *input) {
    lm_buffer once = {0}, twice = {0};
    const lm_optimize_options options = {.strips = (lm_strips)fuzz_choose(input, 3),
                                         .max_error = fuzz_choose(input, 2) ? 0.05 : 0};
    if (optimize(input->data, input->size, &options, &once) &&
        optimize(once.data, once.size, &options, &twice) && !(options.max_error > 0))
        fuzz_assert_same(&once, &twice);
    lm_buffer_free(&once);
    lm_buffer_free(&twice);
}
