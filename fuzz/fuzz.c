#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    free(input->data);
}

uint32_t fuzz_choose(fuzz_input *input, uint32_t limit) {
    const uint32_t choice = input->choices % limit;
    input->choices /= limit;
    return choice;
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

void fuzz_split(const fuzz_input *input, fuzz_parts *parts) {
    *parts = (fuzz_parts){0};
    for (size_t at = 0; at <= input->size && parts->count < FUZZ_MAX_PARTS; parts->count++) {
        const size_t size = find_separator(input->data + at, input->size - at);
        parts->parts[parts->count].data = copy_of(input->data + at, size);
        parts->parts[parts->count].size = size;
        at += size + FUZZ_SEPARATOR_SIZE;
    }
}

void fuzz_parts_free(fuzz_parts *parts) {
    for (size_t i = 0; i < parts->count; i++)
        free(parts->parts[i].data);
}

char *fuzz_text(const fuzz_parts *parts, size_t index) {
    const size_t size = parts->parts[index].size;
    char *text = malloc(size + 1);
    if (!text)
        abort();
    memcpy(text, parts->parts[index].data, size);
    text[size] = '\0';
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

static void assert_same(const lm_buffer *a, const lm_buffer *b) {
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
        assert_same(&out.file, &again.file);
        assert_same(&out.more, &again.more);
        free_output(&again);
    }
    free_output(&out);
}

/* ---- Models -------------------------------------------------------------------------------- */

lm_model *fuzz_load(fuzz_input *input, const lm_allocator *allocator) {
    lm_error error = {0};
    lm_load_options options = {.repair = fuzz_choose(input, 2) != 0};
    const uint32_t normals = fuzz_choose(input, 8); /* computing them takes most of the time */
    options.normals = normals <= LM_NORMALS_AUTO ? (lm_normals)normals : LM_NORMALS_STORED;
    options.strict = normals == 7;
    options.topology = fuzz_choose(input, 2) ? LM_TOPOLOGY_GL_COMMANDS : LM_TOPOLOGY_TRIANGLES;
    options.quirks = fuzz_choose(input, 2) ? LM_QUIRK_MDC_PRINZ : 0;
    options.borrow = fuzz_choose(input, 2) != 0;
    if (allocator)
        options.memory.allocator = *allocator;
    lm_model *model = lm_load_memory(input->data, input->size, &options, &error);
    if (model)
        assert_model_valid(model);
    else
        assert_error_valid(&error);
    return model;
}
