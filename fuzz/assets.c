/* Fuzzes lm_assets_open. Each part of the input begins with a line with its path; the parts become
 * members of a PAK. The first one is opened with skins from the others, reported and exported. A
 * part without contents becomes no member: its path may lead into a script. */
#include "fuzz.h"

#include "describe.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_OUTPUT (1 << 16)
#define ENTRY 64
#define ENTRY_NAME 56

/* ---- The archive --------------------------------------------------------------------------- */

/* The only file of a folder: a script's game is the folder of its archive. */
static char folder[] = "/tmp/lerpmesh-fuzz-XXXXXX";
static char pak_path[sizeof folder + sizeof "/a.pak"];

static void remove_pak(void) {
    unlink(pak_path);
    rmdir(folder);
}

/* Returns the PAK's file, made once per process, because opening takes a path. */
static int pak_file(void) {
    static int file = -1;
    if (file < 0) {
        if (!mkdtemp(folder) || snprintf(pak_path, sizeof pak_path, "%s/a.pak", folder) < 0)
            abort();
        file = open(pak_path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        if (file < 0 || atexit(remove_pak) != 0)
            abort();
    }
    return file;
}

static void put32(uint8_t *out, size_t value) {
    for (int i = 0; i < 4; i++)
        out[i] = (uint8_t)(value >> 8 * i);
}

/* Returns the length of the path at a part's start. */
static size_t path_length(const uint8_t *data, size_t size) {
    size_t length = 0;
    while (length < size && data[length] != '\n')
        length++;
    return length;
}

static void append_member(lm_buffer *pak, lm_buffer *entries, const uint8_t *data, size_t size) {
    const size_t length = path_length(data, size);
    const size_t begin = length < size ? length + 1 : size;
    if (begin == size)
        return;
    uint8_t entry[ENTRY] = {0};
    snprintf((char *)entry, ENTRY_NAME, "%.*s", (int)length, (const char *)data);
    put32(entry + ENTRY_NAME, pak->size);
    put32(entry + ENTRY_NAME + 4, size - begin);
    lm_buffer_append(pak, data + begin, size - begin);
    lm_buffer_append(entries, entry, ENTRY);
}

static void write_pak(const fuzz_input *input) {
    lm_buffer pak = {0}, entries = {0};
    lm_buffer_append(&pak, "PACK\0\0\0\0\0\0\0\0", 12);
    const int file = pak_file();
    for (size_t i = 0; i < input->num_parts; i++)
        append_member(&pak, &entries, input->parts[i].data, input->parts[i].size);
    const size_t directory = pak.size;
    lm_buffer_append(&pak, entries.data, entries.size);
    if (pak.failed || entries.failed)
        abort();
    put32(pak.data + 4, directory);
    put32(pak.data + 8, entries.size);
    if (pwrite(file, pak.data, pak.size, 0) != (ssize_t)pak.size ||
        ftruncate(file, (off_t)pak.size) != 0)
        abort();
    lm_buffer_free(&pak);
    lm_buffer_free(&entries);
}

/* ---- Opened assets ------------------------------------------------------------------------- */

static void print_results(const lm_assets *assets) {
    lm_buffer text = {.max_size = MAX_OUTPUT};
    lm_error error = {0};
    char path[LM_PATH_SIZE];
    for (uint32_t i = 0; i < assets->scene->num_parts; i++) {
        lmi_describe(assets, i, true, &text);
        lmi_describe_json(assets, i, NULL, &text, &error);
        for (uint32_t t = 0; t < assets->assets[i].num_textures; t++)
            for (uint32_t n = 0; lmi_assets_tried(assets, i, t, n, path, sizeof path); n++)
                PROMISE(memchr(path, 0, sizeof path));
    }
    lm_skin_choices_free(lm_assets_list_skins(assets, NULL));
    lm_buffer_free(&text);
}

static void export_assets(lm_assets *assets, fuzz_input *input) {
    lm_error error = {0};
    lm_buffer out = {.max_size = MAX_OUTPUT}, more = {.max_size = MAX_OUTPUT};
    const lm_gltf_options gltf = {.bin_uri = fuzz_choose(input, 2) ? "a.bin" : NULL};
    if (!lm_assets_make_portable(assets, "stem", &error) ||
        !(fuzz_choose(input, 3) == 1
              ? lm_obj_write(assets->scene, &gltf.common, "a.mtl", &out, &more, &error)
              : lm_gltf_write(assets->scene, &gltf, &out, &more, NULL, &error)))
        assert_error_valid(&error);
    lm_buffer_free(&out);
    lm_buffer_free(&more);
}

static void examine(lm_assets *assets, lm_image_mode images, fuzz_input *input) {
    lm_error error = {0};
    for (uint32_t i = 0; i < assets->num_diagnostics; i++)
        PROMISE(assets->diagnostics[i].subject && assets->diagnostics[i].text[0]);
    if (!assets->scene) {
        PROMISE(assets->num_diagnostics && lmi_assets_reason(assets)->code);
        return;
    }
    PROMISE(lm_scene_check(assets->scene, &error));
    print_results(assets);
    if (images == LM_IMAGES_PORTABLE)
        export_assets(assets, input);
}

void fuzz_assets(fuzz_input *input) {
    static const char *const skins[] = {"blue", "skin.tga", "a=skin.pcx", "none", "a.skin"};
    char path[256];
    const char *skin = skins[fuzz_choose(input, 5)];
    const char *const game = pak_path;
    fuzz_split(input);
    write_pak(input);
    const size_t length = path_length(input->parts[0].data, input->parts[0].size);
    lm_assets_options options = {.related = fuzz_choose(input, 2) != 0, .skins = &skin};
    options.num_skins = fuzz_choose(input, 2);
    options.num_games = fuzz_choose(input, 2);
    options.games = &game;
    options.images = fuzz_choose(input, 3) ? LM_IMAGES_PORTABLE : LM_IMAGES_PIXELS;
    options.alpha = (lm_alpha_use)fuzz_choose(input, LM_ALPHA_USE_BLEND + 1);
    options.load.repair = fuzz_choose(input, 2) != 0;
    options.transparent_255 = fuzz_choose(input, 2) != 0;
    options.clips = fuzz_choose(input, 4) == 1 ? "quake2" : NULL;
    options.load.normals = fuzz_choose(input, 2) ? LM_NORMALS_STORED : LM_NORMALS_AUTO;
    options.engine = fuzz_choose(input, 2) ? LM_ENGINE_UFOAI : LM_ENGINE_ANY;
    snprintf(path, sizeof path, "%s:%.*s", pak_path, (int)(length < 128 ? length : 128),
             (const char *)input->parts[0].data);
    lm_vfs *vfs = lm_vfs_new(NULL, NULL);
    lm_assets *assets = vfs ? lm_assets_open(vfs, path, &options, NULL) : NULL;
    PROMISE(assets);
    examine(assets, options.images, input);
    lm_assets_free(assets);
    lm_vfs_free(vfs);
}
