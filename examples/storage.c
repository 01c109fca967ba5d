/* Opens a model and its skin from a program's own storage, with its own memory: storage MODEL SKIN.
 * Here the storage is two files in memory, models/a/a.EXTENSION and models/a/a.pcx. */
#include <lerpmesh/assets.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct stored {
    char path[64];
    lm_buffer bytes;
} stored;

static lm_find find(void *user, const char *path, char actual[LM_PATH_SIZE]) {
    for (const stored *file = user; file->path[0]; file++)
        if (strcmp(file->path, path) == 0)
            return snprintf(actual, LM_PATH_SIZE, "%s", path), LM_FIND_FILE;
    return LM_FIND_NOTHING;
}

static bool read(void *user, const char *path, size_t max_size, lm_buffer *out, lm_error *error) {
    for (const stored *file = user; file->path[0]; file++)
        if (strcmp(file->path, path) == 0 && (max_size == 0 || file->bytes.size <= max_size))
            return lm_buffer_append(out, file->bytes.data, file->bytes.size), true;
    return lm_fail_plain(error, LM_CODE_IO, "%s is not stored", path);
}

static size_t used, peak; /* bytes */

static void *take(void *user, size_t size) {
    (void)user;
    peak = (used += size) > peak ? used : peak;
    return malloc(size);
}

static void *resize(void *user, void *pointer, size_t old_size, size_t new_size) {
    (void)user;
    peak = (used += new_size - old_size) > peak ? used : peak;
    return realloc(pointer, new_size);
}

static void give(void *user, void *pointer, size_t size) {
    (void)user;
    used -= size;
    free(pointer);
}

int main(int argc, char **argv) {
    stored files[3] = {{.path = ""}, {.path = "models/a/a.pcx"}};
    const char *dot = argc == 3 ? strrchr(argv[1], '.') : NULL;
    lm_error error = {.message = "usage: storage MODEL SKIN"};
    const lm_memory memory = {.allocator = {.alloc = take, .realloc = resize, .free = give}};
    const lm_files view = {.user = files, .name = "storage", .find = find, .read = read};
    if (!dot || !lm_file_read(argv[1], 0, &files[0].bytes, &error) ||
        !lm_file_read(argv[2], 0, &files[1].bytes, &error))
        return fprintf(stderr, "%s\n", error.message), 1;
    snprintf(files[0].path, sizeof files[0].path, "models/a/a%s", dot);
    char path[80];
    snprintf(path, sizeof path, "game/%s", files[0].path);
    const char *const skins[] = {"game/models/a/a.pcx"};
    const lm_assets_options options = {.num_skins = 1, .skins = skins};
    lm_vfs *vfs = lm_vfs_new(&memory, &error);
    lm_assets *assets = NULL;
    if (vfs && lm_vfs_mount(vfs, "game", &view, &error))
        assets = lm_assets_open(vfs, path, &options, &error);
    const lm_scene *scene = assets ? assets->scene : NULL;
    if (scene)
        printf("%u frames, %u textures, peak %zu bytes\n", scene->parts[0].model->num_frames,
               scene->num_textures, peak);
    else
        fprintf(stderr, "%s\n", error.message);
    lm_assets_free(assets);
    lm_vfs_free(vfs);
    printf("%zu bytes left\n", used);
    lm_buffer_free(&files[0].bytes);
    lm_buffer_free(&files[1].bytes);
    return scene ? 0 : 1;
}
