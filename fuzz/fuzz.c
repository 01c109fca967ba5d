#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Surfaces -------------------------------------------------------------------------------- */

typedef struct surface {
    const char *name, *kind; /* the only kind of file that it reads, or NULL */
    fuzz_surface *run;
    int max_size;                   /* bytes of the largest input */
    const char *dictionary, *seeds; /* fuzz/DICTIONARY.dict, fuzz/seeds/SEEDS.zip */
} surface;

/* The surfaces of attack. cmake/fuzz.cmake reads these lines. */
// clang-format off
static const surface surfaces[] = {
    {"load_md2", "md2", fuzz_load, 1536, "model", "md2"},
    {"load_mdc", "mdc", fuzz_load, 4096, "model", "mdc"},
    {"load_md3", "md3", fuzz_load, 4096, "model", "md3"},
    {"load_mdl", "mdl", fuzz_load, 4096, "model", "mdl"},
    {"load_mds", "mds", fuzz_load, 4096, "model", "mds"},
    {"sample", NULL, fuzz_sample, 1536, "model", "md2 mdc md3 mdl mds"},
    {"export", NULL, fuzz_export, 1536, "model", "md2 mdc md3 mdl mds"},
    {"rewrite", NULL, fuzz_rewrite, 3072, "model", "md2 mdc md3 mdl mds"},
    {"optimize", NULL, fuzz_optimize, 3072, "model", "md2 mdc md3 mdl"},
    {"check", NULL, fuzz_check, 1536, "model", "md2 mdc md3 mdl mds"},
    {"examine", NULL, fuzz_examine, 2048, "model", "md2 mdc md3 mdl mds"},
    {"scene", NULL, fuzz_scene, 4096, "scene", "scene"},
    {"assets", NULL, fuzz_assets, 6144, "scene", "assets"},
    {"clips", NULL, fuzz_clips, 768, "clips", "clips"},
    {"skin", NULL, fuzz_skin, 1024, "skin", "skin"},
    {"shader", NULL, fuzz_shader, 1280, "shader", "shader"},
    {"image_pcx", "pcx", fuzz_image, 2048, "image", "pcx"},
    {"image_bmp", "bmp", fuzz_image, 2048, "image", "bmp"},
    {"image_png", "png", fuzz_image, 2048, "image", "png"},
    {"image_jpeg", "jpeg", fuzz_image, 2048, "image", "jpeg"},
    {"image_tga", "tga", fuzz_image, 2048, "image", "tga"},
    {"palette", NULL, fuzz_palette, 2048, "image", "palette"},
    {"archive_pak", "pak", fuzz_archive, 2048, "archive", "pak"},
    {"archive_pk3", "pk3", fuzz_archive, 2048, "archive", "pk3"},
    {"encode", NULL, fuzz_encode, 1536, "model", "mesh md2 mdc md3 mdl"},
    {"compare", NULL, fuzz_compare, 1536, "model", "mesh md2 mdc md3 mdl mds"},
    {"skeleton", NULL, fuzz_skeleton, 1536, "model", "mesh md2 mdc md3 mdl"},
    {"edit", NULL, fuzz_edit, 2048, "model", "md2 mdc md3 mdl mds"},
    {"sheet", NULL, fuzz_sheet, 2048, "model", "sheet"},
#ifdef FUZZ_HAVE_IMPORT
    {"import", NULL, fuzz_import, 3072, "gltf", "gltf"},
    {"import_iqm", NULL, fuzz_import, 2560, "model", "iqm"},
    {"tool_arguments", NULL, fuzz_tool, 2048, "tool", "arguments"},
    {"tool_sidecars", NULL, fuzz_tool, 4096, "tool", "sidecars"},
#endif
#ifdef FUZZ_HAVE_ASSIMP
    {"assimp", NULL, fuzz_assimp, 1024, "assimp", "assimp"},
#endif
};
// clang-format on

static const surface *chosen;

static const surface *find_surface(const char *name) {
    for (size_t i = 0; i < sizeof surfaces / sizeof *surfaces; i++)
        if (strcmp(surfaces[i].name, name) == 0)
            return &surfaces[i];
    return NULL;
}

void fuzz_choose_surface(int *argc, char **argv) {
    const char *slash = strrchr(argv[0], '/'), *name = slash ? slash + 1 : argv[0];
    if (strncmp(name, "fuzz_", 5) == 0)
        chosen = find_surface(name + 5);
    if (!chosen && *argc > 1 && (chosen = find_surface(argv[1]))) {
        memmove(&argv[1], &argv[2], (size_t)(*argc - 1) * sizeof *argv); /* and the NULL */
        --*argc;
    }
    if (chosen)
        return;
    for (size_t i = 0; i < sizeof surfaces / sizeof *surfaces; i++)
        printf("%s %d %s %s\n", surfaces[i].name, surfaces[i].max_size, surfaces[i].dictionary,
               surfaces[i].seeds);
    exit(*argc > 1 ? 2 : 0);
}

/* Adds the options that a surface needs, before those of the user. */
int LLVMFuzzerInitialize(int *argc, char ***argv) {
    static char size[32], quiet[] = "-close_fd_mask=3"; /* libFuzzer keeps streams of its own */
    fuzz_choose_surface(argc, *argv);
    char **more = malloc(((size_t)*argc + 3) * sizeof *more);
    if (!more)
        abort();
    int count = 0;
    more[count++] = (*argv)[0];
    snprintf(size, sizeof size, "-max_len=%d", chosen->max_size);
    more[count++] = size;
    if (strncmp(chosen->name, "tool_", 5) == 0)
        more[count++] = quiet;
    memcpy(&more[count], &(*argv)[1], (size_t)*argc * sizeof *more);
    *argc += count - 1;
    *argv = more;
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input input = fuzz_open(data, size);
    input.kind = chosen->kind;
    chosen->run(&input);
    fuzz_close(&input);
    return 0;
}

void promise_broken(const char *promise, const char *file, int line) {
    fprintf(stderr, "%s:%d: broken promise: %s\n", file, line, promise);
    abort();
}

/* ---- Inputs -------------------------------------------------------------------------------- */

static uint8_t *copy_of(const uint8_t *data, size_t size) {
    uint8_t *copy = malloc(size ? size : 1);
    if (!copy)
        abort();
    if (size)
        memcpy(copy, data, size);
    return copy;
}

size_t fuzz_file_size(const uint8_t *data, size_t size) {
    return size >= FUZZ_TAIL && data[size - 1] == FUZZ_MARK ? size - FUZZ_TAIL : size;
}

fuzz_input fuzz_open(const uint8_t *data, size_t size) {
    fuzz_input input = {.size = fuzz_file_size(data, size)};
    input.data = copy_of(data, input.size);
    for (size_t i = 0; input.size < size && i < 4; i++)
        input.choices |= (uint32_t)data[input.size + i] << 8 * i;
    return input;
}

void fuzz_close(fuzz_input *input) {
    for (size_t i = 0; i < input->num_parts; i++)
        free(input->parts[i].data);
    free(input->data);
}

uint32_t fuzz_choose(fuzz_input *input, uint32_t limit) {
    const uint32_t choice = input->choices % limit;
    input->choices /= limit;
    return choice;
}

uint32_t fuzz_chance(uint32_t *state, size_t limit) {
    *state = *state * 1664525 + 1013904223;
    return (uint32_t)((uint64_t)(*state >> 8) * limit >> 24);
}

bool fuzz_all_checks;

bool fuzz_one_in(const fuzz_input *input, uint32_t count) {
    uint32_t hash = 2166136261u ^ input->choices;
    for (size_t i = 0; i < input->size; i++)
        hash = (hash ^ input->data[i]) * 16777619u;
    return fuzz_all_checks || (hash ^ hash >> 15) % count == 0;
}

/* ---- Inputs of several files --------------------------------------------------------------- */

static size_t find_separator(const uint8_t *data, size_t size) {
    const uint8_t *at = data, *const end = data + size;
    while (at && (size_t)(end - at) >= FUZZ_SEPARATOR_SIZE) {
        if (memcmp(at, FUZZ_SEPARATOR, FUZZ_SEPARATOR_SIZE) == 0)
            return (size_t)(at - data);
        at = memchr(at + 1, FUZZ_SEPARATOR[0], (size_t)(end - at) - 1);
    }
    return size;
}

void fuzz_split(fuzz_input *input) {
    for (size_t at = 0; at <= input->size && input->num_parts < FUZZ_MAX_PARTS;) {
        const size_t size = find_separator(input->data + at, input->size - at);
        input->parts[input->num_parts++] = (fuzz_part){copy_of(input->data + at, size), size};
        at += size + FUZZ_SEPARATOR_SIZE;
    }
}

char *fuzz_text(const fuzz_part *part) {
    char *text = malloc(part->size + 1);
    if (!text)
        abort();
    memcpy(text, part->data, part->size);
    text[part->size] = '\0';
    return text;
}

/* ---- Memory -------------------------------------------------------------------------------- */

static void *filled_alloc(void *user, size_t size) {
    void *block = malloc(size ? size : 1);
    if (block)
        memset(block, *(const uint8_t *)user, size);
    return block;
}

static void *filled_realloc(void *user, void *pointer, size_t old_size, size_t new_size) {
    uint8_t *block = realloc(pointer, new_size ? new_size : 1);
    if (block && new_size > old_size)
        memset(block + old_size, *(const uint8_t *)user, new_size - old_size);
    return block;
}

static void filled_free(void *user, void *pointer, size_t size) {
    (void)user;
    (void)size;
    free(pointer);
}

static void write_with(const lm_allocator *memory, const fuzz_input *input, fuzz_writer *write,
                       fuzz_output *out) {
    *out = (fuzz_output){.file = {.allocator = *memory, .max_size = FUZZ_MAX_OUTPUT},
                         .more = {.allocator = *memory, .max_size = FUZZ_MAX_OUTPUT}};
    write(*input, memory, out);
    if (out->tried && !out->written)
        assert_error_valid(&out->error);
    PROMISE(out->written || (out->file.size == 0 && out->more.size == 0));
}

static void free_output(fuzz_output *out) {
    lm_buffer_free(&out->file);
    lm_buffer_free(&out->more);
}

void fuzz_assert_same(const lm_buffer *a, const lm_buffer *b) {
    PROMISE(a->size == b->size && (a->size == 0 || memcmp(a->data, b->data, a->size) == 0));
}

void fuzz_write_twice(const fuzz_input *input, fuzz_writer *write) {
    uint8_t fills[] = {0xFF, 0x00};
    const lm_allocator memory = {filled_alloc, filled_realloc, filled_free, &fills[0]},
                       other = {filled_alloc, filled_realloc, filled_free, &fills[1]};
    fuzz_output out, again;
    write_with(&memory, input, write, &out);
    if (fuzz_one_in(input, 4)) {
        write_with(&other, input, write, &again);
        PROMISE(out.tried == again.tried && out.written == again.written);
        fuzz_assert_same(&out.file, &again.file);
        fuzz_assert_same(&out.more, &again.more);
        free_output(&again);
    }
    free_output(&out);
}

/* ---- Models -------------------------------------------------------------------------------- */

lm_model *fuzz_load_model(fuzz_input *input, const lm_allocator *allocator) {
    lm_error error = {0};
    lm_load_options options = {.repair = fuzz_choose(input, 2) != 0};
    const uint32_t normals = fuzz_choose(input, 8); /* computing them takes most of the time */
    options.normals = normals <= LM_NORMALS_AUTO ? (lm_normals)normals : LM_NORMALS_STORED;
    options.strict = normals == 7;
    options.topology = fuzz_choose(input, 2) ? LM_TOPOLOGY_GL_COMMANDS : LM_TOPOLOGY_TRIANGLES;
    options.quirks = fuzz_choose(input, 2) ? LM_QUIRK_MDC_PRINZ : 0;
    options.bytes = fuzz_choose(input, 2) ? LM_BYTES_BORROWED : LM_BYTES_COPIED;
    if (allocator)
        options.memory.allocator = *allocator;
    lm_model *model = lm_load_memory(input->data, input->size, &options, &error);
    if (model)
        assert_model_valid(model);
    else
        assert_error_valid(&error);
    return model;
}
