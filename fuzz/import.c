/* Fuzzes imports of glTF and IQM. The input is an IQM, a .glb or a .gltf, or two parts, a JSON and
 * its buffer. The two parts become a .glb with correct lengths, or a .gltf and a sidecar file. The
 * result is a valid mesh, and the same in memory filled with other bytes. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

/* ---- Results --------------------------------------------------------------------------------- */

#define MAX_BYTES ((size_t)1 << 19) /* a few bytes can describe a long animation */

lm_import_options fuzz_import_options(fuzz_input *input, const lm_allocator *memory) {
    static const float rates[] = {0, 10, 1000, 0.01f}, scales[] = {0, 1, 1e20f};
    static const lm_import_tag tag = {.name = "tag_made", .node = "Bone"};
    lm_import_options options = {.memory = {.allocator = *memory, .max_bytes = MAX_BYTES}};
    options.fps = rates[fuzz_choose(input, 4)];
    options.scale = scales[fuzz_choose(input, 3)];
    options.num_tags = fuzz_choose(input, 2);
    options.tags = &tag;
    options.skeleton = fuzz_choose(input, 2) == 0;
    return options;
}

static void assert_import(const lm_import *import) {
    lm_error error = {0};
    PROMISE(lm_mesh_check(import->mesh, &error));
    PROMISE(import->mesh->num_frames <= LM_MAX_IMPORT_FRAMES);
    for (uint32_t i = 0; i < import->num_diagnostics; i++)
        PROMISE(import->diagnostics[i].code != LM_CODE_OK && import->diagnostics[i].text[0]);
    for (uint32_t i = 0; i < import->num_variants * import->mesh->num_surfaces; i++)
        PROMISE(import->num_images == 0 || import->surface_images[i] < import->num_images ||
                import->surface_images[i] == LM_IMPORT_NO_IMAGE);
}

void fuzz_import_put(lm_import *found, fuzz_output *out) {
    out->tried = true;
    out->written = found != NULL;
    if (found) {
        assert_import(found);
        out->file.max_size = 0;
        fuzz_mesh_print(found->mesh, &out->file);
        for (uint32_t i = 0; i < found->num_images; i++)
            if (found->images[i].data)
                lm_buffer_append(&out->file, found->images[i].data, found->images[i].size);
        PROMISE(!out->file.failed);
    }
    if (found && found->skeleton) {
        lm_error error;
        out->more.max_size = 0;
        PROMISE(lm_encode_iqm(found->mesh, found->skeleton, &out->more, NULL, &error) ||
                error.code == LM_CODE_LIMIT || error.code == LM_CODE_OUT_OF_MEMORY);
    }
    lm_import_free(found);
}

/* ---- Files ----------------------------------------------------------------------------------- */

static void append_number(lm_buffer *out, size_t number) {
    const uint8_t bytes[] = {(uint8_t)number, (uint8_t)(number >> 8), (uint8_t)(number >> 16),
                             (uint8_t)(number >> 24)};
    lm_buffer_append(out, bytes, sizeof bytes);
}

static void append_chunk(lm_buffer *out, const char *kind, const uint8_t *data, size_t size) {
    const char *fill = kind[0] == 'J' ? "   " : "\0\0\0";
    append_number(out, (size + 3) / 4 * 4);
    lm_buffer_append(out, kind, 4);
    lm_buffer_append(out, data, size);
    lm_buffer_append(out, fill, (4 - size % 4) % 4);
}

/* Changes one of the numbers in a .glb's structure. */
static void damage_glb(lm_buffer *glb, fuzz_input *input) {
    const size_t bin_chunk = 20 + (input->parts[0].size + 3) / 4 * 4;
    const size_t offsets[] = {4, 8, 12, 16, bin_chunk, bin_chunk + 4};
    const size_t offset = offsets[fuzz_choose(input, sizeof offsets / sizeof *offsets)];
    glb->data[offset] = (uint8_t)(glb->data[offset] + fuzz_choose(input, 64) - 32);
}

static void make_glb(const fuzz_input *input, lm_buffer *out) {
    lm_buffer chunks = {0};
    append_chunk(&chunks, "JSON", input->parts[0].data, input->parts[0].size);
    append_chunk(&chunks, "BIN\0", input->parts[1].data, input->parts[1].size);
    lm_buffer_append(out, "glTF\2\0\0\0", 8);
    append_number(out, chunks.size + 12);
    lm_buffer_append(out, chunks.data, chunks.size);
    lm_buffer_free(&chunks);
}

/* Every sidecar file is the second part, except for one. */
static bool read_sidecar(void *user, const char *uri, lm_buffer *out, lm_error *error) {
    const fuzz_part *bin = user;
    if (strcmp(uri, "missing.bin") == 0)
        return lm_fail_plain(error, LM_CODE_IO, "there is no %s", uri);
    lm_buffer_append(out, bin->data, bin->size);
    return !out->failed || lm_fail_plain(error, LM_CODE_LIMIT, "too large");
}

static void import(fuzz_input input, const lm_allocator *memory, fuzz_output *out) {
    lm_import_options options = fuzz_import_options(&input, memory);
    options.read = input.num_parts > 1 ? read_sidecar : NULL;
    options.user = &input.parts[1];
    options.images = true;
    fuzz_import_put(lm_import_read(input.data, input.size, &options, &out->error), out);
}

void fuzz_import(fuzz_input *input) {
    lm_buffer file = {0};
    fuzz_split(input);
    const uint32_t kind = input->num_parts > 1 ? fuzz_choose(input, 3) : 1;
    if (kind == 1)
        lm_buffer_append(&file, input->parts[0].data, input->parts[0].size);
    else
        make_glb(input, &file);
    if (kind == 2)
        damage_glb(&file, input);
    /* A copy of exact size lets the sanitizer detect reads past the end, unlike a buffer. */
    const fuzz_input exact = fuzz_open(file.data, file.size);
    fuzz_input whole = *input;
    whole.data = exact.data;
    whole.size = exact.size;
    lm_buffer_free(&file);
    PROMISE(lm_importer_find(whole.data, whole.size, NULL) != LM_IMPORTER_GLTF || whole.size > 0);
    fuzz_write_twice(&whole, import);
    free(exact.data);
}
