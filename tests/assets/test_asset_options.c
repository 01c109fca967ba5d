/* Tests the asset library's options: each member with invalid values. */
#include "image_maker.h"
#include "option_values.h"
#include "tree.h"

#include "lerpmesh/assets.h"

static bool read_options(const void *options, lm_error *error) {
    const char *option = "";
    lm_vfs *vfs = lm_vfs_new(NULL);
    const bool done = lm_assets_read_options(vfs, options, &option, error);
    assert_string_equal(option, done ? "" : "assets");
    lm_vfs_free(vfs);
    return done;
}

static bool open_assets(const void *options, lm_error *error) {
    lm_vfs *vfs = lm_vfs_new(NULL);
    lm_assets *assets = lm_assets_open(vfs, tree_at("small.md2"), options);
    const bool done = assets->scene != NULL;
    if (!done) {
        assert_int_equal(assets->error->code, LM_CODE_BAD_OPTION);
        lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "%s", assets->error->message);
    }
    lm_assets_free(assets);
    lm_vfs_free(vfs);
    return done;
}

static bool read_image(const void *options, lm_error *error) {
    const pcx_kind kind = {.version = 5, .bits = 8, .planes = 1, .width = 2, .height = 2};
    lm_buffer file = make_pcx(&kind);
    lm_image *image = lm_image_read(file.data, file.size, options, error);
    lm_image_free(image);
    lm_buffer_free(&file);
    return image != NULL;
}

static bool image_of_indices(const void *options, lm_error *error) {
    static const uint8_t indices[1], rgb[768];
    lm_image *image = lm_image_of_indices(1, 1, indices, rgb, options, error);
    lm_image_free(image);
    return image != NULL;
}

TEST(invalid_option_values) {
    static const option_of_call list[] = {
        {LM_OPTION(lm_assets_options, alpha, ENUM, LM_ALPHA_ALL_BLEND), open_assets},
        {LM_OPTION(lm_assets_options, images, ENUM, LM_IMAGES_NONE), open_assets},
        {LM_OPTION(lm_assets_options, engine, ENUM, LM_NUM_ENGINES - 1), open_assets},
        {LM_OPTION(lm_assets_options, reserved, RESERVED, 0), open_assets},
        {LM_OPTION(lm_assets_options, reserved, RESERVED, 0), read_options},
        {LM_OPTION(lm_image_options, memory, MEMORY, 0), read_image},
        {LM_OPTION(lm_image_options, reserved, RESERVED, 0), read_image},
        {LM_OPTION(lm_image_options, reserved, RESERVED, 0), image_of_indices}};
    tree_put_blob("small.md2", make_md2(&small_md2));
    assert_true(read_options(NULL, NULL) && open_assets(NULL, NULL));
    assert_true(read_image(NULL, NULL) && image_of_indices(NULL, NULL));
    assert_bad_values_rejected(list, COUNT_OF(list));
}

TEST_GROUP(tree_make, tree_remove)
