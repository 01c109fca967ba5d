/* Tests maps: images that belong to a texture by their names, and become parts of its material. */
#include "image_maker.h"
#include "lerpmesh/export.h"
#include "lerpmesh/image.h"
#include "opened.h"
#include "tree.h"

#include <stdio.h>

/* Puts an image of one colour. */
static void put_colour(const char *path, const uint8_t rgba[4]) {
    uint8_t pixels[4 * 64 * 32];
    lm_buffer png = {0};
    for (size_t i = 0; i < sizeof pixels; i++)
        pixels[i] = rgba[i % 4];
    assert_true(lm_pixels_write_png(pixels, 64, 32, &png, NULL));
    tree_put_buffer(path, png);
}

static void put_model(const char *path, const char *skin) {
    blob model = make_md2(&small_md2);
    strcpy((char *)model.data + get32(&model, MD2_AT_OFS_SKINS), skin);
    tree_put_blob(path, model);
}

static void put_all(const char *folder) {
    static const struct {
        const char *name;
        uint8_t rgba[4];
    } images[] = {{"oak.png", {200, 150, 100, 255}},  {"oak_nm.png", {128, 128, 255, 90}},
                  {"OAK_gm.png", {100, 50, 255, 51}}, {"oak_sm.png", {10, 20, 30, 255}},
                  {"oak_rm.png", {64, 77, 88, 99}},   {"oak_nmx.png", {1, 1, 1, 255}}};
    char path[64];
    tree_folder(folder);
    snprintf(path, sizeof path, "%s/lamp.md2", folder);
    put_model(path, ".oak");
    for (size_t i = 0; i < COUNT_OF(images); i++) {
        snprintf(path, sizeof path, "%s/%s", folder, images[i].name);
        put_colour(path, images[i].rgba);
    }
}

static lm_assets *open_as(const char *path, lm_image_mode images, const char *skin) {
    return open_fresh(
        path, &(lm_assets_options){.images = images, .num_skins = skin != NULL, .skins = &skin});
}

static const uint32_t *maps_of(const lm_assets *assets) {
    const lm_scene_part *part = &assets->scene->parts[0];
    return part->skins[part->skin].materials[0].maps;
}

static void expect_colour(const lm_assets *assets, uint32_t texture, const uint8_t rgba[4]) {
    assert_true(texture < assets->scene->num_textures);
    const lm_scene_texture *t = &assets->scene->textures[texture];
    OWNED(lm_image) *image = lm_image_read(t->data, t->size, NULL, NULL);
    assert_non_null(image);
    assert_memory_equal(image->pixels, rgba, 4);
    assert_memory_equal(image->pixels + 4 * 2047, rgba, 4);
}

/* ---- Tests --------------------------------------------------------------------------------- */

TEST(paths_are_found_by_name) {
    put_all("names");
    AT_END(drop_fresh)
    lm_assets *assets = open_as(tree_at("names/lamp.md2"), LM_IMAGES_FOUND, NULL);
    const lm_asset_texture *texture = &assets->assets[0].textures[0];
    assert_int_equal(texture->match, LM_MATCH_NAME);
    assert_string_equal(texture->path, tree_at("names/oak.png"));
    assert_string_equal(texture->maps[LM_MAP_NORMAL], tree_at("names/oak_nm.png"));
    assert_string_equal(texture->maps[LM_MAP_EMISSIVE], tree_at("names/OAK_gm.png"));
    assert_string_equal(texture->maps[LM_MAP_SPECULAR], tree_at("names/oak_sm.png"));
    assert_string_equal(texture->maps[LM_MAP_ROUGHNESS], tree_at("names/oak_rm.png"));
    assert_int_equal(assets->scene->parts[0].num_skins, 0); /* no image was read */
    close_fresh(assets);
    tree_drop("names/OAK_gm.png");
    assets = open_as(tree_at("names/lamp.md2"), LM_IMAGES_FOUND, NULL);
    assert_null(assets->assets[0].textures[0].maps[LM_MAP_EMISSIVE]);
    close_fresh(assets);
    assets = open_as(tree_at("names/lamp.md2"), LM_IMAGES_FOUND, tree_at("names/oak_nmx.png"));
    assert_null(assets->assets[0].textures[0].maps);
}

/* The pixels have glTF's meaning: a glow's alpha scales its colour; the square root of 64 / 255 is
 * the roughness. */
TEST(pixels_are_converted) {
    static const uint8_t normal[] = {128, 128, 255, 90}, glow[] = {20, 10, 51, 255},
                         specular[] = {10, 20, 30, 255}, rough[] = {255, 128, 0, 255};
    static const lm_image_mode modes[] = {LM_IMAGES_PIXELS, LM_IMAGES_PORTABLE};
    put_all("pixels");
    for (size_t i = 0; i < COUNT_OF(modes); i++) {
        AT_END(drop_fresh) lm_assets *assets = open_as(tree_at("pixels/lamp.md2"), modes[i], NULL);
        const uint32_t *maps = maps_of(assets);
        assert_non_null(maps);
        assert_int_equal(assets->scene->num_textures, 5);
        expect_colour(assets, maps[LM_MAP_NORMAL], normal);
        expect_colour(assets, maps[LM_MAP_EMISSIVE], glow);
        expect_colour(assets, maps[LM_MAP_SPECULAR], specular);
        expect_colour(assets, maps[LM_MAP_ROUGHNESS], rough);
    }
}

/* An image can be the skin of one model and the map of another's. */
TEST(a_map_may_be_a_skin_too) {
    static const uint8_t rough[] = {255, 128, 0, 255}, plain[] = {64, 77, 88, 99};
    put_all("both");
    put_model("both/post.md2", ".oak_rm");
    AT_END(drop_fresh)
    lm_assets *assets = open_fresh(
        tree_at("both/lamp.md2"),
        &(lm_assets_options){.num_attachments = 1,
                             .attachments = &(lm_attachment){.path = tree_at("both/post.md2")}});
    const lm_scene_part *post = &assets->scene->parts[1];
    assert_int_equal(assets->scene->num_textures, 6);
    expect_colour(assets, maps_of(assets)[LM_MAP_ROUGHNESS], rough);
    expect_colour(assets, post->skins[0].materials[0].texture, plain);
    assert_null(post->skins[0].materials[0].maps);
}

TEST(maps_in_archives_are_found) {
    put_model("lamp.md2", ".oak");
    AT_END(blob_free) blob model = make_md2(&small_md2);
    strcpy((char *)model.data + get32(&model, MD2_AT_OFS_SKINS), ".oak");
    AT_END(lm_buffer_free) lm_buffer image = make_png(64, 32);
    const packed_file files[] = {
        {.name = "models/lamp.md2", .data = model.data, .size = model.size},
        {.name = "models/oak.png", .data = image.data, .size = image.size},
        {.name = "models/oak_sm.png", .data = image.data, .size = image.size}};
    tree_put_blob("maps.pk3", make_pk3(files, COUNT_OF(files)));
    char path[256];
    snprintf(path, sizeof path, "%s:models/lamp.md2", tree_at("maps.pk3"));
    AT_END(drop_fresh) lm_assets *assets = open_as(path, LM_IMAGES_PORTABLE, NULL);
    const uint32_t *maps = maps_of(assets);
    assert_non_null(maps);
    assert_int_equal(maps[LM_MAP_NORMAL], LM_NO_TEXTURE);
    assert_true(maps[LM_MAP_SPECULAR] < assets->scene->num_textures);
}

TEST(damaged_maps_are_reported) {
    put_all("damaged");
    tree_put_text("damaged/oak_nm.png", "no picture");
    AT_END(drop_fresh)
    lm_assets *assets = open_as(tree_at("damaged/lamp.md2"), LM_IMAGES_PORTABLE, NULL);
    const lm_diagnostic *problem = diagnostic(assets, "oak_nm.png: ");
    assert_non_null(problem);
    assert_int_equal(problem->severity, LM_WARNING);
    assert_int_equal(maps_of(assets)[LM_MAP_NORMAL], LM_NO_TEXTURE);
    assert_true(maps_of(assets)[LM_MAP_SPECULAR] < assets->scene->num_textures);
}

/* The scene passes the exporter's check, and every map is in the file. */
TEST(scenes_with_maps_are_exported) {
    put_all("export");
    AT_END(drop_fresh)
    lm_assets *assets = open_as(tree_at("export/lamp.md2"), LM_IMAGES_PIXELS, NULL);
    AT_END(lm_buffer_free) lm_buffer out = {0};
    lm_gltf_result result;
    lm_error error;
    assert_true(lm_assets_make_portable(assets, "lamp", &error));
    for (uint32_t i = 0; i < assets->scene->num_textures; i++)
        for (uint32_t k = 0; k < i; k++)
            assert_string_not_equal(assets->scene->textures[i].uri, assets->scene->textures[k].uri);
    assert_true(lm_gltf_write_scene(assets->scene, NULL, &out, NULL, &result, &error));
    assert_int_equal(result.num_textures, 5);
}

/* Each allocation fails once: then opening fails, or an image is left out with a message. */
TEST(lack_of_memory_is_reported) {
    counted counts = {0};
    const lm_allocator memory = counting_allocator(&counts);
    const lm_assets_options options = {.images = LM_IMAGES_PORTABLE};
    bool failed = true;
    put_all("memory");
    for (size_t at = 1; failed; at++) {
        counts.calls = 0;
        counts.fail_at = at;
        lm_vfs *vfs = lm_vfs_new(&memory);
        lm_assets *assets = vfs ? lm_assets_open(vfs, tree_at("memory/lamp.md2"), &options) : NULL;
        failed = counts.calls >= counts.fail_at;
        assert_true(assets || failed);
        assert_true(!failed || !assets || !assets->scene);
        lm_assets_free(assets);
        lm_vfs_free(vfs);
        assert_all_released(&counts);
        assert_true(at > 20 || failed);
    }
}

TEST_GROUP(tree_make, tree_remove)
