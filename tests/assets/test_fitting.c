/* Tests the skins of an MD2 whose named images are missing: images of its size in the same
 * folder. */
#include "image_maker.h"
#include "opened.h"
#include "tree.h"

#include "folder_images.h"

#include <stdio.h>

/* ---- Folders ------------------------------------------------------------------------------- */

/* The skin of a small MD2 has 64 x 32 pixels. */
static void put_pcx(const char *folder, const char *name, uint32_t width, uint32_t height) {
    char path[128];
    const pcx_kind kind = {.version = 5, .bits = 8, .planes = 1, .width = width, .height = height};
    snprintf(path, sizeof path, "%s/%s", folder, name);
    tree_put_buffer(path, make_pcx(&kind));
}

static void put_skin(const char *folder, const char *stem) {
    char name[64];
    snprintf(name, sizeof name, "%s.pcx", stem);
    put_pcx(folder, name, 64, 32);
    snprintf(name, sizeof name, "%s_i.PCX", stem);
    put_pcx(folder, name, 32, 32);
}

static void put_player(const char *folder) {
    char path[128];
    tree_folder(folder);
    snprintf(path, sizeof path, "%s/tris.md2", folder);
    tree_put_blob(path, make_md2(&small_md2));
}

static lm_assets *open_it(const char *path, const char *skin) {
    return open_fresh(path, &(lm_assets_options){.num_skins = skin != NULL, .skins = &skin});
}

/* Expects these skins, with spaces between them, the selected one first; "" for none. */
static void wears(const char *path, const char *skins) {
    char told[512] = "";
    AT_END(drop_fresh) lm_assets *assets = open_it(path, NULL);
    const lm_scene_part *part = &assets->scene->parts[0];
    for (uint32_t i = 0; i < part->num_skins; i++) {
        strcat(strcat(told, i > 0 ? " " : ""), part->skins[i].name);
        assert_int_equal(part->skins[i].materials[0].texture, i);
    }
    assert_int_equal(part->skin, 0);
    assert_string_equal(told, skins);
    assert_int_equal(diagnostic(assets, "which has the size of its skin") != NULL, *skins != '\0');
    assert_int_equal(diagnostic(assets, "not found (") != NULL, *skins == '\0');
}

/* ---- Players ------------------------------------------------------------------------------- */

TEST(images_of_the_size_are_used) {
    put_player("a/cobra");
    wears(tree_at("a/cobra/tris.md2"), "");
    put_pcx("a/cobra", "big.pcx", 128, 32);
    put_pcx("a/cobra", "big_i.pcx", 64, 32);
    put_pcx("a/cobra", "leg.pcx", 64, 33);
    put_pcx("a/cobra", "weapon.pcx", 64, 32);
    put_pcx("a/cobra", "w_gun.pcx", 64, 32);
    wears(tree_at("a/cobra/tris.md2"), "");
    put_pcx("a/cobra", "arm.pcx", 64, 32);
    /* An image with an icon is certainly a skin. */
    put_skin("a/cobra", "red");
    put_skin("a/cobra", "blue");
    wears(tree_at("a/cobra/tris.md2"), "blue.pcx red.pcx");
    put_skin("a/cobra", "Cobra");
    wears(tree_at("a/cobra/tris.md2"), "Cobra.pcx blue.pcx red.pcx");
    put_pcx("a/cobra", "tris.pcx", 64, 32);
    wears(tree_at("a/cobra/tris.md2"), "Cobra.pcx blue.pcx red.pcx");
    put_skin("a/cobra", "tris");
    wears(tree_at("a/cobra/tris.md2"), "tris.pcx Cobra.pcx blue.pcx red.pcx");
}

TEST(image_formats_are_equivalent) {
    put_player("b");
    tree_put_buffer("b/one.png", make_png(64, 32));
    tree_put_buffer("b/two.TGA", make_tga(64, 32, 2, 24));
    tree_put_buffer("b/small.png", make_png(32, 64));
    tree_put_text("b/three.pcx", "no picture");
    wears(tree_at("b/tris.md2"), "one.png two.TGA");
    put_pcx("b", "one.pcx", 64, 32);
    wears(tree_at("b/tris.md2"), "one.pcx two.TGA");
}

TEST(weapons_use_their_own_skins) {
    put_player("c");
    put_skin("c", "red");
    tree_put_blob("c/weapon.md2", make_md2(&small_md2));
    tree_put_blob("c/w_gun.md2", make_md2(&small_md2));
    wears(tree_at("c/weapon.md2"), "");
    put_pcx("c", "weapon.pcx", 65, 32);
    wears(tree_at("c/w_gun.md2"), "");
    tree_drop("c/weapon.pcx"); /* on Windows it would keep its name */
    put_pcx("c", "Weapon.pcx", 64, 32);
    wears(tree_at("c/weapon.md2"), "Weapon.pcx");
    wears(tree_at("c/w_gun.md2"), "Weapon.pcx");
    put_pcx("c", "w_gun.pcx", 64, 32);
    wears(tree_at("c/w_gun.md2"), "w_gun.pcx");
    wears(tree_at("c/tris.md2"), "red.pcx");
}

/* An image named like another model belongs to that model; hidden files are ignored. */
TEST(images_named_like_other_models_are_skipped) {
    tree_folder("items");
    tree_put_blob("items/armor.md2", make_md2(&small_md2));
    tree_put_blob("items/health.md2", make_md2(&small_md2));
    put_pcx("items", "ARMOR.pcx", 64, 32);
    put_pcx("items", "._blue.pcx", 64, 32);
    wears(tree_at("items/armor.md2"), "ARMOR.pcx");
    wears(tree_at("items/health.md2"), "");
    put_pcx("items", "red.pcx", 64, 32);
    wears(tree_at("items/armor.md2"), "ARMOR.pcx");
    wears(tree_at("items/health.md2"), ""); /* it may be any model's */
    put_pcx("items", "items.pcx", 64, 32);
    wears(tree_at("items/health.md2"), "items.pcx");
}

/* The size alone proves nothing: something else must show whose skin an image is. */
TEST(size_is_not_enough) {
    tree_folder("lamps");
    tree_put_blob("lamps/lamp.md2", make_md2(&small_md2));
    put_pcx("lamps", "brass.pcx", 64, 32);
    wears(tree_at("lamps/lamp.md2"), "brass.pcx"); /* there is nothing else to choose */
    put_pcx("lamps", "iron.pcx", 64, 32);
    wears(tree_at("lamps/lamp.md2"), "");
    put_pcx("lamps", "iron_i.pcx", 32, 32);
    wears(tree_at("lamps/lamp.md2"), "iron.pcx");
}

/* Sets the first skin's name. */
static void put_model_with_skin(const char *path, const char *skin) {
    blob model = make_md2(&small_md2);
    strcpy((char *)model.data + get32(&model, MD2_AT_OFS_SKINS), skin);
    tree_put_blob(path, model);
}

/* A name that begins with a dot leads to the model's folder: no other image there is meant. */
TEST(names_beside_the_model_are_not_guessed) {
    tree_folder("beside");
    put_model_with_skin("beside/tris.md2", ".brass");
    put_skin("beside", "tris");
    wears(tree_at("beside/tris.md2"), "");
    put_model_with_skin("beside/tris.md2", "brass");
    wears(tree_at("beside/tris.md2"), "tris.pcx");
}

/* X_nm, in other engines X_norm, is the normal map of X, and no skin. */
TEST(maps_are_no_skins) {
    static const char *const images[] = {"oak",      "oak_nm",    "OAK_GM",     "oak_sm",
                                         "oak_rm",   "oak_norm",  "oak_normal", "oak_local",
                                         "oak_bump", "OAK_Gloss", "oak_spec",   "oak_glow",
                                         "oak_luma", "oak_pants", "oak_shirt",  "elm_rm"};
    put_player("maps");
    for (size_t i = 0; i < COUNT_OF(images); i++) {
        char name[32];
        snprintf(name, sizeof name, "%s.pcx", images[i]);
        put_pcx("maps", name, 64, 32);
    }
    wears(tree_at("maps/tris.md2"), "elm_rm.pcx oak.pcx");
    put_model_with_skin("maps/tris.md2", "oak.pcx");
    AT_END(drop_fresh) lm_assets *assets = open_it(tree_at("maps/tris.md2"), NULL);
    lm_skin_choices *choices = lm_vfs_skins(fresh_vfs(), assets);
    for (uint32_t i = 0; i < choices->num_choices; i++)
        assert_null(strstr(choices->choices[i].name, "oak_"));
    lm_skin_choices_free(choices);
}

TEST(default_skin_prefers_non_team_skins) {
    put_player("h");
    put_skin("h", "ctf_b");
    put_skin("h", "CTF_r");
    wears(tree_at("h/tris.md2"), "CTF_r.pcx ctf_b.pcx");
    put_skin("h", "disguise");
    wears(tree_at("h/tris.md2"), "disguise.pcx CTF_r.pcx ctf_b.pcx");
    put_skin("h", "h");
    wears(tree_at("h/tris.md2"), "h.pcx CTF_r.pcx ctf_b.pcx disguise.pcx");
}

/* A typical unpacked folder: its name differs from the file's, and it has a dozen skins with icons,
 * weapon skins with and without icons, and images for other purposes. */
TEST(skins_of_a_typical_mod_folder) {
    static const char *const weapons[] = {"weapon",    "w_bfg",     "w_blaster", "w_chaingun",
                                          "w_railgun", "w_shotgun", "W_Sshotgun"};
    static const char *const skins[] = {"ctf_b",  "ctf_r",  "oni911", "ps9000",
                                        "tyr574", "jungle", "desert"};
    put_player("mod/my cyborg 2.0");
    for (size_t i = 0; i < COUNT_OF(skins); i++)
        put_skin("mod/my cyborg 2.0", skins[i]);
    for (size_t i = 0; i < COUNT_OF(weapons); i++) {
        char path[64];
        snprintf(path, sizeof path, "mod/my cyborg 2.0/%s.md2", weapons[i]);
        tree_put_blob(path, make_md2(&small_md2));
        wears(tree_at(path), "");
    }
    put_pcx("mod/my cyborg 2.0", "WEAPON.PCX", 64, 32);
    put_pcx("mod/my cyborg 2.0", "w_bfg.pcx", 64, 32);
    put_pcx("mod/my cyborg 2.0", "W_RAILGUN.pcx", 64, 64);
    put_pcx("mod/my cyborg 2.0", "w_unknown.pcx", 64, 32);
    tree_put_buffer("mod/my cyborg 2.0/preview.png", make_png(64, 32));
    tree_put_buffer("mod/my cyborg 2.0/screenshot.png", make_png(320, 200));
    tree_put_text("mod/my cyborg 2.0/empty.pcx", "");
    for (size_t i = 0; i < COUNT_OF(weapons); i++) {
        char path[64];
        snprintf(path, sizeof path, "mod/my cyborg 2.0/%s.md2", weapons[i]);
        wears(tree_at(path), i == 1 ? "w_bfg.pcx" : "WEAPON.PCX");
    }
    wears(tree_at("mod/my cyborg 2.0/tris.md2"),
          "desert.pcx ctf_b.pcx ctf_r.pcx jungle.pcx oni911.pcx ps9000.pcx tyr574.pcx");
}

/* An image that the model names is not a guess. */
TEST(named_images_take_precedence) {
    put_player("d");
    put_skin("d", "red");
    put_pcx("d", "skin1.pcx", 8, 8);
    AT_END(drop_fresh) lm_assets *assets = open_it(tree_at("d/tris.md2"), NULL);
    assert_int_equal(assets->scene->parts[0].num_skins, 2);
    assert_int_equal(assets->scene->parts[0].skin, 1);
    assert_null(diagnostic(assets, "which has the size of its skin"));
}

/* ---- Requested skins ----------------------------------------------------------------------- */

TEST(options_override_guesses) {
    put_player("e");
    put_skin("e", "red");
    put_skin("e", "blue");
    AT_END(drop_fresh) lm_assets *assets = open_it(tree_at("e/tris.md2"), "none");
    assert_int_equal(assets->scene->parts[0].num_skins, 0);
    assert_int_equal(assets->assets[0].num_textures, 0);
    assert_int_equal(assets->num_diagnostics, 0);
    close_fresh(assets);
    assets = open_it(tree_at("e/tris.md2"), "RED");
    assert_int_equal(assets->scene->parts[0].num_skins, 1);
    assert_int_equal(assets->assets[0].textures[0].source, LM_TEXTURE_OF_OPTION);
    assert_string_equal(assets->assets[0].textures[0].path, tree_at("e/red.pcx"));
    assert_int_equal(assets->num_diagnostics, 0);
}

TEST(guesses_are_reported_and_listed) {
    static const char *const names[] = {"blue", "red"};
    AT_END(drop_fresh) lm_assets *assets = open_it(tree_at("e/tris.md2"), NULL);
    const lm_asset *asset = &assets->assets[0];
    assert_int_equal(asset->num_textures, 4); /* two of the named ones are missing */
    assert_null(asset->textures[0].path);
    assert_int_equal(asset->textures[2].source, LM_TEXTURE_GUESSED);
    assert_int_equal(asset->textures[2].num_tried, 0); /* it was found before, so the library does
                                                        * not search for it */
    assert_string_equal(asset->textures[2].path, tree_at("e/blue.pcx"));
    lm_skin_choices *choices = lm_vfs_skins(fresh_vfs(), assets);
    assert_int_equal(choices->num_choices, COUNT_OF(names));
    for (uint32_t i = 0; i < COUNT_OF(names); i++) {
        assert_string_equal(choices->choices[i].name, names[i]);
        assert_null(choices->choices[i].option);
        assert_int_equal(choices->choices[i].skin, i);
    }
    lm_skin_choices_free(choices);
}

/* ---- Other places -------------------------------------------------------------------------- */

TEST(archives_are_searched) {
    const pcx_kind large = {.version = 5, .bits = 8, .planes = 1, .width = 64, .height = 32};
    AT_END(blob_free) blob model = make_md2(&small_md2);
    AT_END(lm_buffer_free) lm_buffer skin = make_pcx(&large);
    const packed_file files[] = {
        {.name = "players/cobra/tris.md2", .data = model.data, .size = model.size},
        {.name = "players/cobra/red.pcx", .data = skin.data, .size = skin.size, .deflate = true},
        {.name = "players/cobra/blue.pcx", .data = skin.data, .size = skin.size},
        {.name = "players/other/aqua.pcx", .data = skin.data, .size = skin.size}};
    tree_put_blob("game.pk3", make_pk3(files, COUNT_OF(files)));
    tree_put_blob("game.pak", make_pak(files, COUNT_OF(files)));
    for (int i = 0; i < 2; i++) {
        char path[256];
        snprintf(path, sizeof path, "%s:players/cobra/tris.md2",
                 tree_at(i ? "game.pk3" : "game.pak"));
        wears(path, "blue.pcx red.pcx");
    }
}

TEST(absolute_paths_are_reported) {
    blob model = make_md2(&small_md2);
    static const char name[] = "C:\\quake2\\baseq2\\players\\red.pcx";
    size_t skins = get32(&model, MD2_AT_OFS_SKINS);
    tree_folder("f");
    memcpy(model.data + skins, name, sizeof name);
    tree_put_blob("f/tris.md2", model);
    put_pcx("f", "red.pcx", 64, 32);
    AT_END(drop_fresh) lm_assets *assets = open_it(tree_at("f/tris.md2"), NULL);
    assert_non_null(diagnostic(assets, "red.pcx is an absolute path; its file name"));
    assert_string_equal(assets->assets[0].textures[0].path, tree_at("f/red.pcx"));
    assert_int_equal(assets->assets[0].textures[0].source, LM_TEXTURE_OF_MODEL);
}

/* ---- Large folders ------------------------------------------------------------------------- */

typedef struct instances {
    unsigned names, told, peeked;
    bool no_images;
} instances;

static bool list_many_images(void *user, const char *folder, lm_list_each each, void *caller,
                             lm_error *error) {
    instances *c = user;
    char name[32];
    (void)folder, (void)error;
    for (unsigned i = 0; i < c->names; i++) {
        snprintf(name, sizeof name, i % 2 && !c->no_images ? "%07u.pcx" : "%07u.txt", i);
        c->told++;
        if (!each(caller, name, false))
            break;
    }
    return true;
}

static bool peek_many_images(void *user, const char *path, size_t size, lm_buffer *out) {
    const pcx_kind kind = {.version = 5, .bits = 8, .planes = 1, .width = 64, .height = 32};
    lm_buffer file = make_pcx(&kind);
    instances *c = user;
    (void)path;
    c->peeked++;
    assert_in_range(size, 128, 1024);
    lm_buffer_append(out, file.data, size < file.size ? size : file.size);
    lm_buffer_free(&file);
    return true;
}

/* Few files are read, however many a folder holds. */
TEST(large_folders_cost_little) {
    static const unsigned counts[] = {100, 100000, 100000};
    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        instances c = {.names = counts[i], .no_images = i == 2};
        const lm_files files = {
            .user = &c, .name = "", .list = list_many_images, .peek = peek_many_images};
        const lm_source source = {.files = &files, .folder = ""};
        OWNED(lm_vfs) *vfs = lm_vfs_new(NULL);
        const lm_folder_images *images = lm_folder_images_of(vfs, &source);
        assert_non_null(images);
        assert_in_range(c.told, 0, 5000);
        assert_in_range(c.peeked, i == 2 ? 0 : 50, 256);
        assert_int_equal(images->count, c.peeked);
        assert_ptr_equal(lm_folder_images_of(vfs, &source), images);
        assert_int_equal(images->count, c.peeked);
    }
}

TEST(number_of_skins_is_limited) {
    put_player("g");
    for (unsigned i = 0; i < 100; i++) {
        char name[16];
        snprintf(name, sizeof name, "%u.pcx", i);
        put_pcx("g", name, 64, 32);
    }
    AT_END(drop_fresh) lm_assets *assets = open_it(tree_at("g/tris.md2"), NULL);
    assert_int_equal(assets->scene->parts[0].num_skins, 64);
}

/* Each allocation fails once: then opening fails, or an image is left out with a message. */
TEST(lack_of_memory_is_reported) {
    counted counts = {0};
    const char *skins[] = {"red", "gold"};
    const lm_allocator memory = counting_allocator(&counts);
    lm_assets_options options = {0};
    for (options.num_skins = 0; options.num_skins < 3; options.num_skins++) {
        bool failed = true;
        options.skins = skins;
        for (size_t at = 1; failed; at++) {
            counts.calls = 0;
            counts.fail_at = at;
            lm_vfs *vfs = lm_vfs_new(&memory);
            lm_assets *assets = vfs ? lm_assets_open(vfs, tree_at("e/tris.md2"), &options) : NULL;
            failed = counts.calls >= counts.fail_at;
            assert_true(assets || failed);
            if (assets && !assets->scene)
                assert_int_equal(assets->diagnostics[assets->num_diagnostics - 1].code,
                                 LM_CODE_OUT_OF_MEMORY);
            assert_true(!failed || !assets || !assets->scene);
            lm_assets_free(assets);
            lm_vfs_free(vfs);
            assert_all_released(&counts);
            assert_true(at > 20 || failed);
        }
    }
}

TEST_GROUP(tree_make, tree_remove)
