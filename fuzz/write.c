/* Fuzzes writing: exporting a model, writing a document again, optimizing, and editing. */
#include "fuzz.h"

#include "formats/edit_document.h"
#include "formats/writer.h"

#include <stdio.h>
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

static const lm_gltf_packer copying = {.pack_elements = copy_elements,
                                       .pack_indices = copy_indices};

static lm_export_options choose_common(fuzz_input *input) {
    static const float scales[] = {0, 1, -2, 1e30f, 1e-30f};
    lm_export_options common = {.name = "name"};
    common.axes = (lm_axes)fuzz_choose(input, 3);
    common.scale = scales[fuzz_choose(input, 5)];
    common.still = fuzz_choose(input, 3) == 1;
    common.frame = 0.5 * fuzz_choose(input, 8) - 0.5;
    common.num_frames = fuzz_choose(input, 4);
    common.first_frame = common.num_frames ? fuzz_choose(input, 4) : 0;
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
        return lm_obj_write(LM_SCENE_OF(model), &gltf.common, NULL, &out->file, NULL, &out->error);
    if (kind == 3)
        return lm_uv_write(model, &uv, &out->file, NULL, &out->error);
    if (kind == 4)
        return write_vat(model, &gltf.common, gltf.quantize, out);
    return lm_gltf_write(LM_SCENE_OF(model), &gltf, &out->file, &out->more, &result, &out->error);
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
    const bool written = lmi_put_as(editor, document, out, &error);
    PROMISE(written);
}

static void compare(const lm_editor *editor, const void *document) {
    lm_error error = {0};
    lm_buffer out = {0}, twice = {0};
    put(editor, document, &out);
    void *again = lmi_read_document(editor->kind, out.data, out.size, NULL, &error);
    PROMISE(again && lmi_equal_as(editor, document, again));
    put(editor, again, &twice);
    fuzz_assert_same(&out, &twice);
    lmi_object_free(again);
    lm_buffer_free(&out);
    lm_buffer_free(&twice);
}

/* Changes the header's flags, if the format has them; fuzz_edit changes lumps. */
static void change(const lm_header *header, void *document, int32_t by) {
    for (size_t i = 0; i < header->fields.count; i++)
        if (strcmp(header->fields.list[i].name, "flags") == 0)
            lmi_set_number(document, header->fields.list[i].member,
                           lmi_number(document, header->fields.list[i].member) ^ by);
}

static void rewrite_as(const lm_editor *editor, fuzz_input input) {
    lm_error error = {0};
    void *document = lmi_read_document(editor->kind, input.data, input.size, NULL, &error);
    if (!document) {
        assert_error_valid(&error);
        return;
    }
    compare(editor, document);
    if (fuzz_choose(&input, 2)) {
        change(editor->kind->header, document, (int32_t)fuzz_choose(&input, 4));
        compare(editor, document);
    }
    lmi_object_free(document);
}

/* Reads the input as a document of every format; all but one reject it. A document that is read
 * is written, reads as the same again, and is then written as the same bytes; also after a
 * number changed. */
void fuzz_rewrite(fuzz_input *input) {
    for (uint32_t i = 0; lm_format_at(i); i++) {
        const lm_writer *writer = lmi_find_writer(lm_format_at(i)->name);
        if (writer)
            rewrite_as(writer->edit, *input);
    }
}

/* ---- Optimizing ------------------------------------------------------------------------------ */

static bool optimize(const uint8_t *data, size_t size, const lm_optimize_options *options,
                     lm_buffer *out) {
    lm_error error = {0};
    lm_optimize_report *report = NULL;
    const bool done = lm_optimize(data, size, options, out, &report, &error);
    lm_model *model = lm_load_memory(data, size, NULL, NULL);
    PROMISE(done ? model != NULL
                 : !model || error.code == LM_CODE_LIMIT || error.code == LM_CODE_GL_COMMANDS);
    PROMISE(!done || (report->size_before == size && report->size_after == out->size));
    PROMISE(!done || report->max_error <= options->max_error);
    PROMISE(out->size <= size);
    if (!done)
        assert_error_valid(&error);
    lm_optimize_report_free(report);
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

/* ---- Editing --------------------------------------------------------------------------------- */

#define MAX_STEPS 8
#define MAX_PICKED 16

static uint32_t size_of(lm_edit *edit, lm_edit_list list, uint32_t surface) {
    uint32_t count;
    PROMISE(lm_edit_count(edit, list, surface, &count, NULL));
    return count;
}

static bool select_some(lm_edit *edit, uint32_t *state, lm_edit_list list, uint32_t surface,
                        lm_error *error) {
    uint32_t selected[MAX_PICKED];
    const uint32_t all = size_of(edit, list, surface), count = fuzz_chance(state, MAX_PICKED);
    for (uint32_t i = 0; i < count; i++)
        selected[i] = fuzz_chance(state, all + (fuzz_chance(state, 16) == 0));
    return lm_edit_select(edit, list, surface, selected, count, error);
}

static bool encode(lm_edit *edit, uint32_t *state, lm_error *error) {
    const lm_edit_reencode_options to = {.degrees = fuzz_chance(state, 360),
                                         .fps = (float)fuzz_chance(state, 30)};
    return size_of(edit, LM_EDIT_FRAMES, 0) > 64 || lm_edit_reencode(edit, &to, NULL, error);
}

/* Moves a vertex of each surface in a frame, and the tags. */
static bool move_vertices(lm_edit *edit, uint32_t *state, lm_error *error) {
    lm_buffer file = {0};
    PROMISE(lm_edit_write(edit, &file, error));
    lm_model *model = lm_load_memory(file.data, file.size, NULL, error);
    lm_mesh *mesh = model ? lm_mesh_from_model(model, NULL, error) : NULL;
    const uint32_t frame = mesh ? fuzz_chance(state, mesh->num_frames) : 0;
    const float to = (float)fuzz_chance(state, 256);
    for (uint32_t s = 0; mesh && s < mesh->num_surfaces; s++) {
        const lm_mesh_surface *surface = &mesh->surfaces[s];
        if (surface->num_vertices > 0)
            ((float *)surface->positions)[3 * (size_t)frame * surface->num_vertices] = to;
    }
    for (uint32_t t = 0; mesh && t < mesh->num_tags; t++)
        ((lm_transform *)mesh->tags[t].poses)[frame].origin.y = to;
    const bool done = mesh && lm_edit_put_frames(edit, mesh, 1e-4, NULL, error);
    lm_mesh_free(mesh);
    lm_model_free(model);
    lm_buffer_free(&file);
    return done;
}

bool fuzz_edit_step(lm_edit *edit, uint32_t *state, lm_error *error) {
    static const char *const changes[][2] = {{"rename", "frames:s/(.)(.*)/\\2\\1/"},
                                             {"rename", "clips:s/[^a-m]+|b$/&&/g"},
                                             {"rename", "tags:s/^/x/i"},
                                             {"rename", "surface:0=other"},
                                             {"rename", "header:s/.*//"},
                                             {"path", "s/a*/b/"},
                                             {"add-skin", "0=a/path.tga"},
                                             {"set-skin", "1:0=b"},
                                             {"drop", "skins:0:0"},
                                             {"order", "clips:1,0,1"},
                                             {"keep", "surfaces:1"},
                                             {"reverse", "all"},
                                             {"add-tag", "tag_x=3,0,-1"},
                                             {"add-tag", "tag_x=9,0,-1,follow"},
                                             {"move-tag", "0,2=4,0,-1"},
                                             {"scale", "1.5"},
                                             {"rotate", "-90"},
                                             {"move", "0.375,-1,0"},
                                             {"round", NULL},
                                             {"compute-normals", NULL},
                                             {"compute-bounds", NULL},
                                             {"remove-unused", NULL},
                                             {"fix", "all"}};
    const lm_edit_list list = (lm_edit_list)fuzz_chance(state, LM_NUM_EDIT_LISTS);
    const uint32_t surface = fuzz_chance(state, 3);
    const uint32_t change = fuzz_chance(state, sizeof changes / sizeof *changes);
    char name[24];
    switch (fuzz_chance(state, 12)) {
    case 0:
        snprintf(name, sizeof name, "name%u", (unsigned)fuzz_chance(state, 1u << 24));
        return lm_edit_rename(edit, list, surface,
                              fuzz_chance(state, size_of(edit, list, surface) + 1), name, error);
    case 1:
    case 2:
        return select_some(edit, state, list, surface, error);
    case 3:
        return lm_edit_append(edit, edit, error);
    case 4:
        return fuzz_chance(state, 4) == 0 ? encode(edit, state, error) : true;
    case 5:
        return move_vertices(edit, state, error);
    default:
        return lm_edit_set(edit, changes[change][0], changes[change][1], NULL, error);
    }
}

static void write_twice(const lm_edit *edit) {
    lm_error error = {0};
    lm_buffer out = {0}, twice = {0};
    const bool written = lm_edit_write(edit, &out, &error);
    PROMISE(written);
    lm_edit *again = lm_edit_open(out.data, out.size, NULL, &error);
    PROMISE(again && lm_edit_write(again, &twice, &error));
    fuzz_assert_same(&out, &twice);
    lm_edit_free(again);
    lm_buffer_free(&out);
    lm_buffer_free(&twice);
}

void fuzz_edit(fuzz_input *input) {
    lm_error error = {0};
    const lm_load_options options = {.repair = input->choices >> 31};
    lm_edit *edit = lm_edit_open(input->data, input->size, &options, &error);
    if (!edit)
        assert_error_valid(&error);
    uint32_t state = input->choices;
    for (uint32_t i = state % MAX_STEPS; edit && i > 0; i--)
        if (!fuzz_edit_step(edit, &state, &error))
            assert_error_valid(&error);
    if (edit)
        write_twice(edit);
    lm_edit_free(edit);
}
