#include "support.h"
#include "skipping.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Bytes --------------------------------------------------------------------------------- */

blob blob_copy(const void *data, size_t size) {
    blob b = {malloc(size ? size : 1), size};
    assert_non_null(b.data);
    if (size)
        memcpy(b.data, data, size);
    return b;
}

blob blob_from_buffer(lm_buffer *buffer) {
    assert_false(buffer->failed);
    blob b = blob_copy(buffer->data, buffer->size);
    lm_buffer_free(buffer);
    return b;
}

blob blob_read(const char *path) {
    struct stat info;
    FILE *file = fopen(path, "rb");
    if (!file || fstat(fileno(file), &info) != 0)
        fail_msg("cannot open %s", path);
    AT_END(blob_free) blob b = {malloc((size_t)info.st_size + 1), (size_t)info.st_size};
    assert_non_null(b.data);
    assert_int_equal(fread(b.data, 1, b.size + 1, file), b.size);
    fclose(file);
    return blob_copy(b.data, b.size);
}

void blob_free(blob *b) {
    free(b->data);
    *b = (blob){0};
}

lm_model *load_blob_with(const blob *file, const lm_load_options *options) {
    lm_error error;
    lm_model *model = lm_load_memory(file->data, file->size, options, &error);
    assert_done(model, error);
    assert_model_valid(model);
    return model;
}

lm_model *load_blob(const blob *file) {
    return load_blob_with(file, NULL);
}

uint32_t get32(const blob *b, size_t at) {
    assert_true(at + 4 <= b->size);
    return b->data[at] | (uint32_t)b->data[at + 1] << 8 | (uint32_t)b->data[at + 2] << 16 |
           (uint32_t)b->data[at + 3] << 24;
}

void put32(blob *b, size_t at, uint32_t value) {
    put16(b, at, value & 0xFFFF);
    put16(b, at + 2, value >> 16);
}

void put16(blob *b, size_t at, unsigned value) {
    assert_true(at + 2 <= b->size);
    b->data[at] = (uint8_t)value;
    b->data[at + 1] = (uint8_t)(value >> 8);
}

void put_bytes(void *out, const char *bytes, size_t size) {
    uint8_t *to = out;
    for (size_t i = 0; i < size; i++)
        to[i] = (uint8_t)bytes[i];
}

void put_real(blob *b, size_t at, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put32(b, at, bits);
}

/* ---- Chance -------------------------------------------------------------------------------- */

chance chance_from(uint32_t seed) {
    return (chance){88172645463325252u ^ (uint64_t)seed << 20};
}

uint32_t chance_next(chance *c) {
    c->state ^= c->state << 13;
    c->state ^= c->state >> 7;
    c->state ^= c->state << 17;
    return (uint32_t)(c->state >> 32);
}

uint32_t chance_below(chance *c, uint32_t limit) {
    return (uint32_t)((uint64_t)chance_next(c) * limit >> 32);
}

float chance_real(chance *c, float low, float high) {
    return low + (high - low) * (float)(chance_next(c) >> 8) / 16777216.0f;
}

/* ---- Reduced runs -------------------------------------------------------------------------- */

uint32_t case_stride(void) {
    const char *each = getenv("LERPMESH_EACH");
    const unsigned long count = each ? strtoul(each, NULL, 10) : 1;
    return count > 0 ? (uint32_t)count : 1;
}

bool case_is_skipped(void) {
    static uint32_t each, turn;
    if (each == 0)
        each = case_stride();
    return turn++ % each != 0;
}

/* ---- Real files ---------------------------------------------------------------------------- */

static bool ends_in(const char *text, const char *end) {
    size_t length = strlen(text), end_length = strlen(end);
    return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

static bool same_content(const char *a, const char *b) {
    AT_END(blob_free) blob left = blob_read(a), right = blob_read(b);
    return left.size == right.size && memcmp(left.data, right.data, left.size) == 0;
}

static void add_path(file_list *list, const char *path) {
    for (size_t i = 0; i < list->count; i++)
        if (same_content(list->paths[i], path))
            return;
    char **longer = realloc(list->paths, (list->count + 1) * sizeof *list->paths);
    assert_non_null(longer);
    list->paths = longer;
    list->paths[list->count] = strdup(path);
    assert_non_null(list->paths[list->count++]);
}

/* Other games have models with this extension as well. */
static bool is_of_its_format(const char *path) {
    char ident[5] = {0};
    FILE *file = fopen(path, "rb");
    bool read = file && fread(ident, 1, 4, file) == 4;
    if (file)
        fclose(file);
    return read && strcmp(ident, lm_format_by_extension(path)->ident) == 0;
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void walk_folder(file_list *list, const char *folder, const char *extension) {
    char path[4096];
    struct stat info;
    DIR *open = opendir(folder);
    if (!open)
        return;
    for (struct dirent *entry = readdir(open); entry; entry = readdir(open)) {
        if (entry->d_name[0] == '.' || strcmp(entry->d_name, "broken") == 0 ||
            strcmp(entry->d_name, "attack") == 0 || strcmp(entry->d_name, "invalid") == 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (stat(path, &info) != 0)
            continue;
        if (S_ISDIR(info.st_mode))
            walk_folder(list, path, extension);
        else if (ends_in(path, extension) && is_of_its_format(path))
            add_path(list, path);
    }
    closedir(open);
}

file_list list_models(const char *extension) {
    static const char *const roots[] = {"LERPMESH_CORPUS", "ASSIMP_MODELS", "LERPMESH_SOURCE_DIR",
                                        "LERPMESH_CORPUS"};
    static const char *const folders[] = {"", "", "/samples", "/../rtcw/main/models/players"};
    char path[4096];
    file_list list = {0};
    bool complete = true;
    for (size_t i = 0; i < COUNT_OF(roots); i++) {
        const char *root = getenv(roots[i]);
        snprintf(path, sizeof path, "%s%s", root ? root : "", folders[i]);
        if (!root || access(path, F_OK) != 0)
            REPORT_SKIPPED(roots[i], "there are no such models here"), complete = false;
        else
            walk_folder(&list, path, extension);
    }
    if (list.count == 0 && complete)
        fail_msg("no %s below LERPMESH_CORPUS, ASSIMP_MODELS or samples/", extension);
    if (list.count > 0)
        qsort(list.paths, list.count, sizeof *list.paths, by_name);
    return list;
}

void free_list(file_list *list) {
    for (size_t i = 0; i < list->count; i++)
        free(list->paths[i]);
    free(list->paths);
    *list = (file_list){0};
}

void each_model(void (*visit)(const char *path, const blob *file)) {
    for (uint32_t f = 0; lm_format_at(f); f++) {
        char extension[16];
        snprintf(extension, sizeof extension, ".%s", lm_format_at(f)->extension);
        AT_END(free_list) file_list list = list_models(extension);
        for (size_t i = 0; i < list.count; i++) {
            AT_END(blob_free) blob file = blob_read(list.paths[i]);
            visit(list.paths[i], &file);
        }
    }
}

/* ---- Messages of the library --------------------------------------------------------------- */

static lm_buffer said;

void record_output(const char *format, ...) {
    char text[16384];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    assert_true(length >= 0 && (size_t)length < sizeof text);
    lm_buffer_append(&said, text, (size_t)length);
    lm_buffer_append(&said, "\n", 1);
}

/* Returns the first line that differs, or NULL if the texts are the same. */
static const char *differing_line(const char *a, const char *b) {
    const char *line = a;
    for (; *a && *a == *b; a++, b++)
        if (*a == '\n')
            line = a + 1;
    return *a == *b ? NULL : line;
}

void assert_matches_golden(const char *name) {
    const char *root = getenv("LERPMESH_SOURCE_DIR");
    char path[4096];
    if (!root)
        SKIP("LERPMESH_SOURCE_DIR is not set");
    snprintf(path, sizeof path, "%s/tests/golden/%s.txt", root, name);
    lm_buffer_append(&said, "", 1);
    assert_false(said.failed);
    if (getenv("LERPMESH_RENEW")) {
        FILE *file = fopen(path, "wb");
        assert_non_null(file);
        assert_int_equal(fwrite(said.data, 1, said.size - 1, file), said.size - 1);
        assert_int_equal(fclose(file), 0);
    }
    blob expected = blob_read(path);
    lm_buffer text = {0};
    lm_buffer_append(&text, expected.data, expected.size);
    lm_buffer_append(&text, "", 1);
    const char *line = differing_line((const char *)said.data, (const char *)text.data);
    if (line)
        fail_msg("%s has another line than: %.*s", path, (int)strcspn(line, "\n"), line);
    lm_buffer_free(&text);
    blob_free(&expected);
    lm_buffer_free(&said);
}

/* ---- Memory that fails --------------------------------------------------------------------- */

/* Precedes each block and keeps malloc's alignment. */
typedef union block_head {
    size_t size;
    max_align_t align;
} block_head;

static void *counted_alloc(void *user, size_t size) {
    counted *counts = user;
    if (++counts->calls == counts->fail_at)
        return NULL;
    block_head *head = malloc(sizeof *head + size);
    assert_non_null(head);
    head->size = size;
    memset(head + 1, counts->zeros ? 0 : 0xA5, size); /* exposes uninitialised reads */
    counts->live_blocks++;
    counts->live_bytes += size;
    if (counts->live_bytes > counts->most_bytes)
        counts->most_bytes = counts->live_bytes;
    return head + 1;
}

static void counted_free(void *user, void *pointer, size_t size) {
    counted *counts = user;
    if (!pointer)
        return;
    AT_END(drop_bytes) block_head *head = (block_head *)pointer - 1;
    if (head->size != size)
        fail_msg("a block of %zu bytes is released as one of %zu", head->size, size);
    counts->live_blocks--;
    counts->live_bytes -= size;
    memset(pointer, 0x5A, size);
}

static void *counted_realloc(void *user, void *pointer, size_t old_size, size_t new_size) {
    void *grown = counted_alloc(user, new_size);
    if (grown && pointer)
        memcpy(grown, pointer, old_size < new_size ? old_size : new_size);
    if (grown)
        counted_free(user, pointer, old_size);
    return grown;
}

lm_allocator counting_allocator(counted *counts) {
    return (lm_allocator){counted_alloc, counted_realloc, counted_free, counts};
}

void assert_all_released(const counted *counts) {
    assert_int_equal(counts->live_blocks, 0);
    assert_int_equal(counts->live_bytes, 0);
}

bool next_allocation(failing *f) {
    if (f->at > 0) {
        assert_all_released(&f->counts);
        if (!f->done && f->error.code != LM_CODE_OUT_OF_MEMORY)
            fail_msg("allocation %zu: %s", f->at, f->error.message);
        assert_int_equal(f->done, f->counts.calls < f->at);
        if (f->done) {
            assert_true(f->at > 1);
            return false;
        }
    }
    f->counts = (counted){.fail_at = ++f->at};
    f->memory.allocator = counting_allocator(&f->counts);
    f->error = (lm_error){.code = LM_CODE_OK};
    return true;
}

/* ---- Promises ------------------------------------------------------------------------------ */

void promise_broken(const char *promise, const char *file, int line) {
    fail_msg("%s:%d: promised, but not so: %s", file, line, promise);
    abort(); /* fail_msg() does not return */
}
