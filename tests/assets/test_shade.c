/* Tests surfaces with shader scripts: which script applies, which image becomes the texture, and
 * the messages about missing ones. */
#include "image_maker.h"
#include "tree.h"

#include "core/text.h"

/* ---- Files --------------------------------------------------------------------------------- */

static lm_vfs *vfs;
static blob model; /* an MD3 of part0 and part1, with models/test/part0.tga and part1.tga as
                    * textures */
static lm_buffer image;

static int begin(void **state) {
    model = make_md3(&small_md3);
    image = make_tga(4, 4, 2, 24);
    return tree_make(state);
}

static int end(void **state) {
    blob_free(&model);
    lm_buffer_free(&image);
    return tree_remove(state);
}

static int make_vfs(void **state) {
    vfs = lm_vfs_new(NULL, NULL);
    return vfs ? 0 : -1;
}

static int free_vfs(void **state) {
    lm_vfs_free(vfs);
    return 0;
}

#define SCRIPT(path, text) {.name = (path), .data = (text), .size = sizeof(text) - 1}
#define IMAGE(path) {.name = (path), .data = image.data, .size = image.size}
#define MODEL {.name = "models/a.md3", .data = model.data, .size = model.size}

/* Writes a PK3 of the files up to the first without a name. */
static void put_archive(const char *name, const packed_file *files) {
    size_t count = 0;
    while (files[count].name)
        count++;
    tree_put_blob(name, make_pk3(files, count));
}

static const lm_assets_options plain = {0};

static lm_assets *opened(const char *archive, const lm_assets_options *options) {
    char path[300];
    snprintf(path, sizeof path, "%s:models/a.md3", tree_at(archive));
    return open_without_errors(vfs, path, options);
}

static const lm_scene_material *material(const lm_assets *assets, uint32_t surface) {
    return &assets->scene->parts[0].skins[0].materials[surface];
}

static void expect_texture(const lm_assets *assets, uint32_t surface, const char *name) {
    uint32_t texture = material(assets, surface)->texture;
    assert_int_not_equal(texture, LM_NO_TEXTURE);
    assert_string_equal(assets->scene->textures[texture].name, name);
}

/* ---- The contents of a script -------------------------------------------------------------- */

TEST_WITH(the_first_image_without_reflection_is_the_texture, make_vfs, free_vfs) {
    put_archive("a.pk3", (packed_file[]){MODEL,
                                         IMAGE("env.tga"),
                                         IMAGE("gun/base.tga"),
                                         IMAGE("gun/glow.tga"),
                                         SCRIPT("scripts/a.shader",
                                                "// guns\nMODELS/test/PART0\n{\n cull none\n"
                                                "{ map env.tga tcGen environment }\n"
                                                "{ map gun/base.jpg blendFunc blend }\n"
                                                "{ animMap 2 gun/glow gun/base } }"),
                                         {0}});
    OWNED(lm_assets) *assets = opened("a.pk3", &plain);
    expect_texture(assets, 0, "base.tga");
    const lm_shader *shader = material(assets, 0)->shader;
    assert_non_null(shader);
    assert_string_equal(shader->name, "MODELS/test/PART0");
    assert_true(lmi_ends_in(shader->path, "a.pk3:scripts/a.shader"));
    assert_int_equal(shader->line, 2);
    assert_int_equal(shader->sides, LM_SIDES_BOTH);
    assert_int_equal(shader->num_stages, 3);
    assert_string_equal(assets->scene->textures[shader->stages[0].images[0]].name, "env.tga");
    assert_string_equal(assets->scene->textures[shader->stages[2].images[0]].name, "glow.tga");
    assert_int_equal(shader->stages[2].images[1], material(assets, 0)->texture);
    assert_int_equal(assets->scene->num_textures, 3);
    assert_null(material(assets, 1)->shader);
    const lm_asset_texture *texture = &assets->assets[0].textures[0];
    assert_int_equal(texture->source, LM_TEXTURE_OF_MODEL);
    assert_int_equal(texture->match, LM_MATCH_SCRIPT);
    assert_ptr_equal(texture->shader, shader);
    assert_true(lmi_ends_in(texture->path, "a.pk3:gun/base.tga"));
    assert_int_equal(assets->assets[0].textures[1].match, LM_MATCH_NONE);
    lm_assets_free(assets);
    /* An exporter needs only that image; a search for paths needs none. */
    assets = opened("a.pk3", &(lm_assets_options){.images = LM_IMAGES_PORTABLE});
    assert_int_equal(assets->scene->num_textures, 1);
    expect_texture(assets, 0, "base.tga");
    lm_assets_free(assets);
    assets = opened("a.pk3", &(lm_assets_options){.images = LM_IMAGES_FOUND});
    assert_int_equal(assets->scene->num_textures, 0);
    assert_int_equal(assets->assets[0].textures[0].match, LM_MATCH_SCRIPT);
}

TEST_WITH(white_stages_need_no_image, make_vfs, free_vfs) {
    put_archive("white.pk3",
                (packed_file[]){MODEL,
                                IMAGE("env.tga"),
                                SCRIPT("scripts/a.shader",
                                       "models/test/part0 { { map $whiteimage } }\n"
                                       "models/test/part1 { { map env tcGen environment } }"),
                                {0}});
    OWNED(lm_assets) *assets = opened("white.pk3", &plain);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(material(assets, i)->texture, LM_NO_TEXTURE);
        assert_int_equal(assets->assets[0].textures[i].match, LM_MATCH_SCRIPT);
    }
    assert_null(assets->assets[0].textures[0].path);
    assert_true(lmi_ends_in(assets->assets[0].textures[1].path, "env.tga"));
    assert_null(diagnostic(assets, "not found ("));
}

TEST_WITH(skin_files_hide_by_shaders_without_stages, make_vfs, free_vfs) {
    packed_file files[] = {MODEL,
                           IMAGE("models/test/part1.tga"),
                           SCRIPT("scripts/a.shader", "nodraw { surfaceparm nodraw }\n"
                                                      "models/test/part1 { surfaceparm trans }"),
                           SCRIPT("models/a_default.skin", "part0,nodraw"),
                           {0}};
    put_archive("nodraw.pk3", files);
    OWNED(lm_assets) *assets = opened("nodraw.pk3", &plain);
    assert_true(material(assets, 0)->shader->hidden);
    assert_int_equal(material(assets, 0)->texture, LM_NO_TEXTURE);
    assert_int_equal(assets->assets[0].textures[0].match, LM_MATCH_SCRIPT);
    assert_null(diagnostic(assets, "not found ("));
    assert_false(material(assets, 1)->shader->hidden); /* named by the model */
    expect_texture(assets, 1, "part1.tga");
    assert_int_equal(assets->assets[0].textures[1].match, LM_MATCH_FALLBACK);
}

TEST_WITH(script_errors_are_reported, make_vfs, free_vfs) {
    put_archive(
        "wrong.pk3",
        (packed_file[]){MODEL,
                        IMAGE("models/test/part0.tga"),
                        IMAGE("b.tga"),
                        SCRIPT("scripts/a.shader", "models/test/part0 {\n{ map gone.tga } }\n"
                                                   "models/test/part1 {\n{ map b\n jitter 5\n } }"),
                        SCRIPT("scripts/b.shader", "x { }\ny { {"),
                        {0}});
    OWNED(lm_assets) *assets = opened("wrong.pk3", &plain);
    expect_texture(assets, 0, "part0.tga");
    assert_int_equal(assets->assets[0].textures[0].match, LM_MATCH_FALLBACK);
    expect_texture(assets, 1, "b.tga");
    const lm_diagnostic *gone = diagnostic(assets, "line 1: shader models/test/part0: image "
                                                   "gone.tga");
    assert_non_null(gone);
    assert_int_equal(gone->code, LM_CODE_SHADER_IMAGE);
    assert_true(lmi_ends_in(gone->subject, "wrong.pk3:scripts/a.shader"));
    const lm_diagnostic *word =
        diagnostic(assets, "line 5: shader models/test/part1: unknown word \"jitter\"");
    assert_non_null(word);
    assert_int_equal(word->code, LM_CODE_SHADER_WORD);
    assert_int_equal(word->severity, LM_SEVERITY_WARNING);
    assert_null(diagnostic(assets, "brace")); /* b.shader is not used */
    assert_int_equal(material(assets, 0)->shader->num_stages, 0);
}

/* A damaged script is reported once if the model uses it, with the engine of its game. */
TEST_WITH(damaged_scripts_are_reported_if_used, make_vfs, free_vfs) {
    static const struct {
        const char *archive, *reaction;
        lm_engine engine;
    } cases[] = {
        {"q3.pk3", "ioquake3 ignores the script", LM_ENGINE_ANY},
        {"etmain/q.pk3", "Enemy Territory may misread the scripts after it", LM_ENGINE_ANY},
        {"main/q.pk3", "RtCW may misread the scripts after it", LM_ENGINE_ANY},
        {"q3.pk3", "RtCW may misread the scripts after it", LM_ENGINE_RTCW},
        {"q3.pk3", "RtCW may misread the scripts after it", LM_ENGINE_RTCW_SP}};
    tree_folder("main");
    tree_folder("etmain");
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        put_archive(cases[i].archive, (packed_file[]){MODEL,
                                                      IMAGE("b.tga"),
                                                      SCRIPT("scripts/a.shader",
                                                             "models/test/part0 { { map b.tga } }\n"
                                                             "models/test/part1 { { map b.tga } }\n"
                                                             "x { {"),
                                                      SCRIPT("scripts/b.shader", "y { {"),
                                                      {0}});
        OWNED(lm_assets) *assets =
            opened(cases[i].archive, &(lm_assets_options){.engine = cases[i].engine});
        assert_int_equal(assets->num_diagnostics, 1);
        const lm_diagnostic *braces = diagnostic(assets, cases[i].reaction);
        assert_non_null(braces);
        assert_non_null(strstr(braces->text, "line 3: the shader has no closing brace; "));
        assert_true(lmi_ends_in(braces->subject, ":scripts/a.shader"));
        assert_int_equal(braces->code, LM_CODE_IO);
    }
}

/* Without its solid image, a shader is drawn as a surface without a texture, in every renderer and
 * exporter. What other images show stays. */
TEST_WITH(shaders_without_their_image_are_plain, make_vfs, free_vfs) {
    static const struct {
        const char *stages;
        bool plain;
    } cases[] = {{"{ map gone.tga }", true},
                 {"{ map gone.tga blendFunc blend }", true},
                 {"{ map $whiteimage rgbGen identity } { map gone.tga }", true},
                 {"{ map gone.tga } { map b.tga tcGen environment blendFunc add }", true},
                 {"{ map b.tga } { map gone.tga }", false},
                 {"{ map gone.tga blendFunc add } { map b.tga blendFunc add }", false},
                 {"{ map $whiteimage }", false}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char name[32], script[200];
        snprintf(name, sizeof name, "plain%zu.pk3", i);
        snprintf(script, sizeof script, "models/test/part0 { cull none %s }", cases[i].stages);
        packed_file files[] = {MODEL,
                               IMAGE("b.tga"),
                               {.name = "scripts/a.shader", .data = script, .size = strlen(script)},
                               {0}};
        put_archive(name, files);
        OWNED(lm_assets) *assets = opened(name, &plain);
        const lm_scene_material *m = material(assets, 0);
        assert_int_equal(m->shader->num_stages == 0, cases[i].plain);
        assert_int_equal(m->shader->sides, LM_SIDES_BOTH);
        assert_false(m->shader->hidden);
        if (cases[i].plain)
            assert_int_equal(m->alpha, LM_ALPHA_OPAQUE);
        assert_true(assets->assets[0].textures[0].shader->num_stages > 0);
    }
}

/* ---- Alpha --------------------------------------------------------------------------------- */

static void expect_alpha(const lm_assets_options *options, lm_alpha first, lm_alpha second) {
    OWNED(lm_assets) *assets = opened("alpha.pk3", options);
    assert_int_equal(material(assets, 0)->alpha, first);
    assert_int_equal(material(assets, 1)->alpha, second);
    assert_int_equal(material(assets, 1)->shader->num_stages, options->alpha ? 0 : 2);
    assert_int_equal(material(assets, 1)->shader->sides, LM_SIDES_BOTH);
}

TEST_WITH(scripts_control_alpha, make_vfs, free_vfs) {
    AT_END(lm_buffer_free) lm_buffer clear = make_tga(4, 4, 2, 32);
    packed_file files[] = {
        MODEL,
        {.name = "models/test/part0.tga", .data = clear.data, .size = clear.size},
        {.name = "models/test/part1.tga", .data = clear.data, .size = clear.size},
        SCRIPT("scripts/a.shader",
               "models/test/part1 { cull none { map models/test/part1.tga alphaFunc GE128 }"
               " { map $whiteimage blendFunc add } }"),
        {0}};
    put_archive("alpha.pk3", files);
    lm_assets *assets = opened("alpha.pk3", &plain);
    assert_int_not_equal(assets->scene->textures[0].alpha, LM_ALPHA_OPAQUE);
    lm_assets_free(assets);
    expect_alpha(&plain, LM_ALPHA_OPAQUE, LM_ALPHA_MASK);
    lm_assets_options options = {.alpha = LM_ALPHA_USE_BLEND};
    expect_alpha(&options, LM_ALPHA_BLEND, LM_ALPHA_BLEND);
    options.alpha = LM_ALPHA_USE_OPAQUE;
    expect_alpha(&options, LM_ALPHA_OPAQUE, LM_ALPHA_OPAQUE);
}

/* ---- Precedence ---------------------------------------------------------------------------- */

/* The first definition in a file, the last of an archive's files and the lowest archive apply; but
 * of files with one path only the highest archive's is read. */
TEST_WITH(precedence_of_duplicate_definitions, make_vfs, free_vfs) {
    static const char *const names[] = {"1.tga", "2.tga", "3.tga", "4.tga", "5.tga"};
    packed_file weak[] = {MODEL,
                          SCRIPT("scripts/z.shader", "models/test/part0 { { map 1.tga } }"),
                          SCRIPT("scripts/b.shader", "models/test/part0 { { map 2.tga } }\n"
                                                     "models/test/part0 { { map 1.tga } }\n"
                                                     "models/test/part1 { { map 3.tga } }"),
                          IMAGE(names[0]),
                          IMAGE(names[1]),
                          IMAGE(names[2]),
                          IMAGE(names[3]),
                          IMAGE(names[4]),
                          {0}};
    packed_file strong[] = {SCRIPT("scripts/c.shader", "models/test/part0 { { map 4.tga } }"), {0}};
    packed_file over[] = {SCRIPT("SCRIPTS/B.shader", "models/test/part1 { { map 5.tga } }"), {0}};
    put_archive("pak0.pk3", weak);
    put_archive("pak1.pk3", strong);
    put_archive("pak2.pk3", over);
    const char *both[2] = {tree_at("pak1.pk3"), tree_at("pak0.pk3")};
    lm_assets_options options = {.num_games = 2, .games = both};
    OWNED(lm_assets) *assets = opened("pak0.pk3", &options);
    expect_texture(assets, 0, "2.tga");
    expect_texture(assets, 1, "3.tga");
    lm_assets_free(assets);
    both[0] = tree_at("pak2.pk3");
    assets = opened("pak0.pk3", &options);
    expect_texture(assets, 0, "1.tga");
    expect_texture(assets, 1, "5.tga");
    lm_assets_free(assets);
    options.num_games = 1; /* the model's own archive has the highest precedence */
    both[0] = tree_at("pak1.pk3");
    assets = opened("pak0.pk3", &options);
    expect_texture(assets, 0, "4.tga");
}

TEST_WITH(scripts_in_folders_apply, make_vfs, free_vfs) {
    static const char script[] = "models/test/part0 { { map x.tga } }";
    put_archive("bare.pk3", (packed_file[]){MODEL, IMAGE("x.tga"), {0}});
    tree_folder("game/Scripts");
    tree_put_text("game/Scripts/a.SHADER", script);
    const char *game = tree_at("game");
    OWNED(lm_assets) *assets =
        opened("bare.pk3", &(lm_assets_options){.num_games = 1, .games = &game});
    expect_texture(assets, 0, "x.tga");
    lm_assets_free(assets);
    /* Scripts are cached by the file system. */
    tree_drop("game/Scripts/a.SHADER");
    assets = opened("bare.pk3", &(lm_assets_options){.num_games = 1, .games = &game});
    expect_texture(assets, 0, "x.tga");
    lm_assets_free(assets);
    lm_vfs_free(vfs);
    vfs = lm_vfs_new(NULL, NULL);
    assets = opened("bare.pk3", &(lm_assets_options){.num_games = 1, .games = &game});
    assert_int_equal(assets->scene->num_textures, 0);
}

TEST_GROUP(begin, end)
