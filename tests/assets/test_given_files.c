/* Tests files that the caller has in memory (lm_assets_options.files). */
#include "support.h"

#include <stdio.h>

static lm_assets *open_with(lm_vfs *vfs, const char *path, const lm_given_file *files,
                            uint32_t num_files) {
    const lm_assets_options options = {.related = true, .num_files = num_files, .files = files};
    lm_assets *assets = lm_assets_open(vfs, path, &options);
    assert_non_null(assets);
    assert_non_null(assets->scene);
    return assets;
}

static const char *sample(const char *name, char path[1024]) {
    const char *root = getenv("LERPMESH_SOURCE_DIR");
    assert_non_null(root);
    snprintf(path, 1024, "%s/samples/%s", root, name);
    return path;
}

/* The bytes replace those of any part and of the clips file. */
TEST(test_player) {
    char lower[1024], upper[1024], clips[1024];
    static const char text[] = "0 2 2 7 // TORSO_ONLY\n";
    sample("models/players/tick/lower.md3", lower);
    AT_END(blob_free) blob torso = blob_read(sample("models/players/tick/upper.md3", upper));
    const lm_given_file files[] = {
        {upper, {torso.data, torso.size, NULL}},
        {sample("models/players/tick/animation.cfg", clips),
         {(const uint8_t *)text, sizeof text - 1, NULL}},
        {"elsewhere/upper.md3", {(const uint8_t *)text, sizeof text - 1, NULL}}};
    OWNED(lm_vfs) *vfs = lm_vfs_new(NULL);
    OWNED(lm_assets) *assets = open_with(vfs, lower, files, COUNT_OF(files));
    assert_ptr_equal(assets->assets[1].file.data, torso.data);
    assert_true(assets->assets[0].file.data != torso.data);
    assert_string_equal(assets->assets[1].clips_path, clips);
    assert_int_equal(assets->scene->parts[1].num_clips, 1);
    assert_string_equal(assets->scene->parts[1].clips[0].name, "TORSO_ONLY");
}

/* A clips file of the model's name applies although it is not on the disk. */
TEST(test_new_clips) {
    char path[1024], clips[1100];
    static const char text[] = "3 4 7 1 // only\n", damaged[] = "?";
    sample("tick.md2", path);
    snprintf(clips, sizeof clips, "%s.framegroups", path);
    lm_given_file file = {clips, {(const uint8_t *)text, sizeof text - 1, NULL}};
    OWNED(lm_vfs) *vfs = lm_vfs_new(NULL);
    OWNED(lm_assets) *assets = open_with(vfs, path, &file, 1);
    assert_int_equal(assets->scene->parts[0].num_clips, 1);
    assert_string_equal(assets->scene->parts[0].clips[0].name, "only");
    assert_string_equal(assets->assets[0].clips_path, clips);
    lm_assets_free(assets);
    file.file = (lm_file){(const uint8_t *)damaged, 1, NULL};
    assets = open_with(vfs, path, &file, 1);
    assert_null(assets->assets[0].clips);
    assert_true(assets->scene->parts[0].num_clips > 1);
    assert_true(assets->num_diagnostics > 0);
}
