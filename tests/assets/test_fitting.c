/* Tests the skins of an MD2 whose named images are missing: images of its size in the same
 * folder. */
#include "image_maker.h"
#include "sources.h"
#include "tree.h"

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
    OWNED(lm_skin_choices) *choices = lm_assets_list_skins(assets, NULL);
    for (uint32_t i = 0; i < choices->num_choices; i++)
        assert_null(strstr(choices->choices[i].name, "oak_"));
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
    OWNED(lm_skin_choices) *choices = lm_assets_list_skins(assets, NULL);
    assert_int_equal(choices->num_choices, COUNT_OF(names));
    for (uint32_t i = 0; i < COUNT_OF(names); i++) {
        assert_string_equal(choices->choices[i].name, names[i]);
        assert_null(choices->choices[i].option);
        assert_int_equal(choices->choices[i].skin, i);
    }
}

/* ---- Cube ---------------------------------------------------------------------------------- */

/* Expects the texture of each surface of a model's first skin: its path in the tree; NULL: none. */
static void shows(const char *path, const char *const *images, uint32_t count) {
    AT_END(drop_fresh) lm_assets *assets = open_it(path, NULL);
    const lm_scene_part *part = &assets->scene->parts[0];
    assert_int_equal(part->model->num_surfaces, count);
    for (uint32_t s = 0; s < count; s++) {
        const uint32_t texture =
            part->num_skins > 0 ? part->skins[0].materials[s].texture : LM_NO_TEXTURE;
        const char *found = NULL;
        for (uint32_t i = 0; texture != LM_NO_TEXTURE && i < assets->assets[0].num_textures; i++)
            if (assets->assets[0].textures[i].image == texture)
                found = assets->assets[0].textures[i].path;
        if (!images[s])
            assert_null(found);
        else if (!found || strcmp(found, tree_at(images[s])) != 0)
            fail_msg("%s: surface %u has %s, not %s", path, (unsigned)s, found, images[s]);
    }
}

static void shows_all(const char *path, uint32_t count, const char *image) {
    const char *images[2] = {image, image};
    shows(path, images, count);
}

/* A skin's size does not matter, and no picture for a menu precedes it. */
TEST(cubes_skins_are_named_skin) {
    put_player("models/cube/carbine");
    put_pcx("models/cube/carbine", "icon.pcx", 64, 32);
    put_pcx("models/cube/carbine", "map1.pcx", 64, 32);
    shows_all(tree_at("models/cube/carbine/tris.md2"), 1, "models/cube/carbine/icon.pcx");
    put_pcx("models/cube/carbine", "preview2.pcx", 64, 32);
    put_pcx("models/cube/carbine", "sand.pcx", 64, 32);
    shows_all(tree_at("models/cube/carbine/tris.md2"), 1, "models/cube/carbine/sand.pcx");
    put_pcx("models/cube/carbine", "tris.pcx", 8, 8);
    shows_all(tree_at("models/cube/carbine/tris.md2"), 1, "models/cube/carbine/tris.pcx");
    put_pcx("models/cube/carbine", "SKIN.pcx", 128, 128);
    lm_assets *assets = open_it(tree_at("models/cube/carbine/tris.md2"), NULL);
    assert_int_equal(assets->scene->parts[0].num_skins, 1);
    assert_non_null(diagnostic(assets, "using SKIN.pcx, which has the name of skins"));
    close_fresh(assets);
    shows_all(tree_at("models/cube/carbine/tris.md2"), 1, "models/cube/carbine/SKIN.pcx");
    /* The folder above has the skins of several models, also of MD3. */
    put_player("models/cube/far");
    tree_put_blob("models/cube/far/tris.md3", make_md3(&small_md3));
    shows_all(tree_at("models/cube/far/tris.md3"), 2, NULL);
    put_pcx("models/cube", "skin.pcx", 4, 4);
    shows_all(tree_at("models/cube/far/tris.md2"), 1, "models/cube/skin.pcx");
    shows_all(tree_at("models/cube/far/tris.md3"), 2, "models/cube/skin.pcx");
    put_pcx("models/cube/far", "tris.pcx", 4, 4);
    shows_all(tree_at("models/cube/far/tris.md3"), 2, "models/cube/far/tris.pcx");
}

/* A picture for a menu or a map, by a whole word at the start or end of its name, comes last, and
 * is alone only if nothing else fits. */
TEST(pictures_come_last) {
    static const char *const names[] = {
        "preview", "icon_thing", "map",   "thing-preview", "iconic",    "maple",  "mapped2",
        "zskin",   "3map",       "remap", "a.icon.2",      "PREVIEW01", "bigicon"};
    char name[64];
    put_player("pictures");
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        snprintf(name, sizeof name, "%s.pcx", names[i]);
        put_pcx("pictures", name, 64, 32);
    }
    wears(tree_at("pictures/tris.md2"),
          "bigicon.pcx iconic.pcx maple.pcx mapped2.pcx remap.pcx zskin.pcx 3map.pcx PREVIEW01.pcx "
          "a.icon.2.pcx icon_thing.pcx map.pcx preview.pcx thing-preview.pcx");
    tree_folder("object");
    tree_put_blob("object/thing.md2", make_md2(&small_md2));
    put_pcx("object", "preview.pcx", 64, 32);
    put_pcx("object", "thing_icon.pcx", 64, 32);
    wears(tree_at("object/thing.md2"), "preview.pcx thing_icon.pcx");
    lm_assets *assets = open_it(tree_at("object/thing.md2"), NULL);
    assert_non_null(diagnostic(assets, "is a picture of the folder's only model"));
    close_fresh(assets);
    put_pcx("object", "wood.pcx", 64, 32);
    wears(tree_at("object/thing.md2"), "wood.pcx");
    tree_put_blob("object/map.md2", make_md2(&small_md2));
    put_pcx("object", "map.pcx", 64, 32);
    wears(tree_at("object/map.md2"), "map.pcx");
    wears(tree_at("object/thing.md2"), "");
}

/* The folder above the model's needs no models/ in the path, and may be a game's root. */
TEST(the_folder_above_has_skins) {
    put_player("above/w/gun");
    put_pcx("above/w", "skin.pcx", 4, 4);
    put_pcx("above", "skin.pcx", 4, 4);
    shows_all(tree_at("above/w/gun/tris.md2"), 1, "above/w/skin.pcx");
    const char *game = tree_at("above/w"), *path = tree_at("above/w/gun/tris.md2");
    lm_assets *assets = open_fresh(path, &(lm_assets_options){.num_games = 1, .games = &game});
    assert_non_null(diagnostic(assets, "using skin.pcx"));
    close_fresh(assets);
    AT_END(lm_buffer_free) lm_buffer png = make_png(64, 32);
    AT_END(blob_free) blob model = make_md2(&small_md2);
    const packed_file files[] = {{.name = "gun/tris.md2", .data = model.data, .size = model.size},
                                 {.name = "skin.png", .data = png.data, .size = png.size}};
    tree_put_blob("above.pk3", make_pk3(files, 2));
    char inside[256];
    snprintf(inside, sizeof inside, "%s:gun/tris.md2", tree_at("above.pk3"));
    assets = open_it(inside, NULL);
    assert_non_null(diagnostic(assets, "using skin.png"));
    close_fresh(assets);
}

/* ---- Images that cannot be read -------------------------------------------------------------- */

/* Puts a file whose header is sound, without most of its pixels. */
static void put_cut(const char *path) {
    const pcx_kind kind = {.version = 5, .bits = 8, .planes = 1, .width = 64, .height = 32};
    lm_buffer pcx = make_pcx(&kind);
    pcx.size = 200;
    tree_put_buffer(path, pcx);
}

/* Such a file is reported and does not count as found, whether images are read or only found: the
 * next candidate is tried, and at last a guess. */
TEST(unreadable_images_are_passed_over) {
    static const lm_image_mode modes[] = {LM_IMAGES_PIXELS, LM_IMAGES_PORTABLE, LM_IMAGES_FOUND};
    tree_folder("cut");
    put_model_with_skin("cut/lamp.md2", "oak.pcx");
    for (unsigned step = 0; step < 5; step++) {
        const char *const expected[] = {NULL, "cut/oak.tga", "cut/lamp.png", "cut/oak.pcx", NULL};
        put_cut("cut/oak.pcx");
        put_cut("cut/lamp.pcx");
        if (step == 1)
            tree_put_buffer("cut/oak.tga", make_tga(64, 32, 2, 24));
        if (step == 2) {
            tree_drop("cut/oak.tga");
            tree_put_buffer("cut/lamp.png", make_png(64, 32));
        }
        if (step == 3)
            put_pcx("cut", "oak.pcx", 64, 32);
        if (step == 4)
            tree_drop("cut/lamp.png");
        for (size_t i = 0; i < COUNT_OF(modes); i++) {
            AT_END(drop_fresh)
            lm_assets *assets =
                open_fresh(tree_at("cut/lamp.md2"), &(lm_assets_options){.images = modes[i]});
            const lm_asset *asset = &assets->assets[0];
            const lm_asset_texture *last = &asset->textures[step == 2 ? 2 : 0];
            const lm_scene_part *part = &assets->scene->parts[0];
            assert_int_equal(asset->num_textures, step == 2 ? 3 : 2); /* the model has two skins */
            if (expected[step])
                assert_string_equal(last->path, tree_at(expected[step]));
            else
                assert_null(last->path);
            assert_int_equal(last->match == LM_MATCH_NONE, !expected[step]);
            assert_int_equal(part->num_skins > 0, expected[step] && modes[i] != LM_IMAGES_FOUND);
            assert_int_equal(diagnostic(assets, "oak.pcx: pcx: the pixels are cut off") != NULL,
                             step != 3);
            assert_int_equal(diagnostic(assets, "lamp.pcx: pcx: the pixels are cut off") != NULL,
                             step != 1 && step != 3);
        }
    }
}

/* An image that the caller names is an error, also if it is too large; but not if it exceeds the
 * caller's own limit. */
TEST(unreadable_named_images_are_errors) {
    const char *skin = tree_at("cut/oak.pcx"), *large = tree_at("cut/large.bmp");
    lm_buffer bmp = make_bmp(64, 32, 8, false);
    bmp.data[20] = bmp.data[24] = UINT8_MAX; /* 16 million in both directions */
    tree_put_buffer("cut/large.bmp", bmp);
    put_cut("cut/oak.pcx");
    for (unsigned i = 0; i < 4; i++) {
        AT_END(drop_fresh)
        lm_assets *assets =
            open_fresh(tree_at("cut/lamp.md2"),
                       &(lm_assets_options){.num_skins = 1,
                                            .skins = i == 0 ? &skin : &large,
                                            .images = i == 2 ? LM_IMAGES_FOUND : LM_IMAGES_PIXELS,
                                            .max_pixels = i == 3 ? 100 : 0});
        const lm_diagnostic *d = &assets->diagnostics[0];
        assert_int_equal(assets->num_diagnostics, 1);
        assert_int_equal(d->code, i == 3 ? LM_CODE_LIMIT : LM_CODE_BAD_OPTION);
        assert_int_equal(d->severity, i == 3 ? LM_SEVERITY_WARNING : LM_SEVERITY_ERROR);
        assert_non_null(strstr(d->text, i == 0 ? "the pixels are cut off" : "exceed the limit of"));
    }
}

/* md3.cfg gives surfaces their textures, those of the model that was loaded before. */
TEST(cubes_files_define_skins) {
    tree_folder("models/cfg");
    tree_put_blob("models/cfg/tris.md3", make_md3(&small_md3));
    put_pcx("models/cfg", "a.pcx", 4, 4);
    put_pcx("models/cfg", "b.pcx", 4, 4);
    put_pcx("models", "c.pcx", 4, 4);
    tree_put_text("models/cfg/MD3.cfg", "md3load other.md3\nmd3skin * none.pcx\n"
                                        "md3load tris.md3 // ours\n"
                                        "md3skin \"*\" ../c.pcx; md3skin part1 <dds>b.pcx\n");
    const char *images[] = {"models/c.pcx", "models/cfg/b.pcx"};
    shows(tree_at("models/cfg/tris.md3"), images, 2);
    put_player("models/cfg2");
    put_pcx("models/cfg2", "x.pcx", 4, 4);
    tree_put_text("models/cfg2/md2.cfg", "md2skin x.pcx");
    shows_all(tree_at("models/cfg2/tris.md2"), 1, "models/cfg2/x.pcx");
    tree_put_text("models/cfg2/md2.cfg", "md2skin body ../../../../out.pcx\nmd2skin");
    shows_all(tree_at("models/cfg2/tris.md2"), 1, NULL);
}

/* ---- GZDoom -------------------------------------------------------------------------------- */

/* MODELDEF has skins and clips. Textures are found by their names alone. */
TEST(gzdoom_projects) {
    tree_folder("zd/Models/a");
    tree_folder("zd/Textures/deep/er");
    tree_folder("zd/sprites");
    tree_folder("zd/defs");
    tree_put_blob("zd/Models/a/crane.md3", make_md3(&small_md3));
    put_pcx("zd/Textures/deep/er", "PAINT.pcx", 4, 4);
    put_pcx("zd/sprites", "rust.pcx", 4, 4);
    put_pcx("zd/Models/a", "own.pcx", 4, 4);
    shows_all(tree_at("zd/Models/a/crane.md3"), 2, NULL);
    tree_put_text("zd/modeldef.txt", "#include \"Defs/more.txt\"\n#include \"../out.txt\"\n");
    tree_put_text("zd/defs/more.txt", "model Other { path \"models/a\" Model 0 \"other.md3\" }\n"
                                      "Model Crane // the truck\n{\n"
                                      "  Path \"models\\a\"\n  Skin 1 \"none.png\"\n"
                                      "  Skin 0 \"paint.png\"\n  SurfaceSkin 0 1 \"own.pcx\"\n"
                                      "  Model 0 \"CRANE.md3\"\n"
                                      "  FrameIndex CRAN A 0 1\n  FrameIndex CRAN B 0 2\n"
                                      "  FrameIndex CRAN C 0 2\n  FrameIndex CRAN D 0 0\n"
                                      "  FrameIndex BOOM A 0 3\n  FrameIndex BOOM B 0 99\n}\n");
    const char *images[] = {"zd/Textures/deep/er/PAINT.pcx", "zd/Models/a/own.pcx"};
    shows(tree_at("zd/Models/a/crane.md3"), images, 2);
    lm_assets *assets = open_it(tree_at("zd/Models/a/crane.md3"), NULL);
    static const lm_clip clips[] = {{.name = "CRAN", .first = 1, .count = 2},
                                    {.name = "CRAN_2", .count = 1},
                                    {.name = "BOOM", .first = 3, .count = 1}};
    const lm_scene_part *part = &assets->scene->parts[0];
    assert_int_equal(part->num_clips, COUNT_OF(clips));
    for (size_t i = 0; i < COUNT_OF(clips); i++) {
        assert_string_equal(part->clips[i].name, clips[i].name);
        assert_int_equal(part->clips[i].first, clips[i].first);
        assert_int_equal(part->clips[i].count, clips[i].count);
    }
    assert_string_equal(assets->assets[0].clips_path, tree_at("zd/modeldef.txt"));
    assert_string_equal(assets->assets[0].skin_path, tree_at("zd/modeldef.txt"));
    assert_int_equal(assets->num_diagnostics, 1);
    assert_int_equal(assets->diagnostics[0].code, LM_CODE_CLIP_FRAMES);
    assert_non_null(strstr(assets->diagnostics[0].text, "frame 99 of sprite BOOM does not exist"));
    close_fresh(assets);
    /* Without MODELDEF's skins, the names in the model count. */
    tree_put_text("zd/modeldef.txt", "");
    blob model = make_md3(&small_md3);
    const size_t surface = get32(&model, 100);
    strcpy((char *)model.data + surface + get32(&model, surface + 92), "RUST");
    tree_put_blob("zd/Models/a/crane.md3", model);
    const char *named[] = {"zd/sprites/rust.pcx", NULL};
    shows(tree_at("zd/Models/a/crane.md3"), named, 2);
    assert_opening_needs_memory(tree_at("zd/Models/a/crane.md3"), &(lm_assets_options){0});
}

/* Files that define skins, and scripts, are reported if they cannot be read. */
TEST(unreadable_definitions_are_reported) {
    static char large[(4 << 20) + 1]; /* more than any text file may have */
    memset(large, '/', sizeof large - 1);
    tree_folder("bad/models/a");
    tree_folder("bad/scripts/t.shader");
    tree_put_blob("bad/models/a/tris.md3", make_md3(&small_md3));
    tree_put_text("bad/models/a/md3.cfg", large);
    lm_assets *assets = open_it(tree_at("bad/models/a/tris.md3"), NULL);
    const lm_diagnostic *skins = diagnostic(assets, "cannot use its skins: ");
    assert_non_null(skins);
    assert_string_equal(skins->subject, tree_at("bad/models/a/md3.cfg"));
    const lm_diagnostic *folder = diagnostic(assets, "this is a folder, not a script");
    assert_non_null(folder);
    assert_string_equal(folder->subject, tree_at("bad/scripts/t.shader"));
    close_fresh(assets);
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
    AT_END(lm_buffer_free) lm_buffer file = make_pcx(&kind);
    instances *c = user;
    c->peeked++;
    assert_in_range(size, 128, 1024);
    lm_buffer_append(out, file.data, size < file.size ? size : file.size);
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
        OWNED(lm_vfs) *vfs = lm_vfs_new(NULL, NULL);
        const lm_folder_images *images = lmi_folder_images_of(vfs, &source);
        assert_non_null(images);
        assert_in_range(c.told, 0, 5000);
        assert_in_range(c.peeked, i == 2 ? 0 : 50, 256);
        assert_int_equal(images->count, c.peeked);
        assert_ptr_equal(lmi_folder_images_of(vfs, &source), images);
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

TEST(lack_of_memory_is_reported) {
    const char *skins[] = {"red"};
    lm_assets_options options = {.skins = skins};
    for (; options.num_skins <= 1; options.num_skins++)
        assert_opening_needs_memory(tree_at("e/tris.md2"), &options);
}

/* Tests maps: images that belong to a texture by their names, and become parts of its material. */

/* Puts an image of one colour. */
static void put_colour(const char *path, const uint8_t rgba[4]) {
    uint8_t pixels[4 * 64 * 32];
    lm_buffer png = {0};
    for (size_t i = 0; i < sizeof pixels; i++)
        pixels[i] = rgba[i % 4];
    assert_true(lm_pixels_write(pixels, 64, 32, LM_PIXELS_PNG, NULL, &png, NULL));
    tree_put_buffer(path, png);
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
    put_model_with_skin(path, ".oak");
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
    put_model_with_skin("both/post.md2", ".oak_rm");
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
    put_model_with_skin("lamp.md2", ".oak");
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
    assert_int_equal(problem->severity, LM_SEVERITY_WARNING);
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
    assert_true(lm_gltf_write(assets->scene, NULL, &out, NULL, &result, &error));
    assert_int_equal(result.num_textures, 5);
}

TEST(lack_of_memory_for_maps_is_reported) {
    put_all("memory");
    assert_opening_needs_memory(tree_at("memory/lamp.md2"),
                                &(lm_assets_options){.images = LM_IMAGES_PORTABLE});
}

TEST_GROUP(tree_make, tree_remove)
