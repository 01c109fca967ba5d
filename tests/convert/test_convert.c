/* Tests lm_convert as a program calls it: files in memory, messages, and writing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lerpmesh/convert.h"
#include "testing.h"

OWNER(lm_vfs, lm_vfs_free)
OWNER(lm_conversion, lm_conversion_free)
OWNER(lm_convert_settings, lm_convert_settings_free)
OWNER(lm_model, lm_model_free)
OWNER(lm_assets, lm_assets_free)

static char folder[] = "/tmp/lerpmesh-convert-XXXXXX";
static char sample[4096];
static const char *const files[] = {"tick.tga", "animation.cfg", "tick_default.skin", "tick.md3"};

static int make_folder(void **state) {
    (void)state;
    // NOLINTNEXTLINE(concurrency-mt-unsafe): no other thread sets variables
    const char *source = getenv("LERPMESH_SOURCE_DIR");
    snprintf(sample, sizeof sample, "%s/samples/tick.md2", source ? source : ".");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
    char path[4200];
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, files[i]);
        unlink(path);
    }
    return rmdir(folder);
}

TEST_GROUP(make_folder, remove_folder)

/* The messages of a conversion. */
typedef struct heard {
    unsigned counts[LM_CONVERT_KIND_MODEL + 1];
    char last[1024];
} heard;

static void hear(void *user, const lm_convert_message *message) {
    heard *h = user;
    h->counts[message->kind]++;
    snprintf(h->last, sizeof h->last, "%s", message->text);
}

static lm_conversion *convert(const lm_convert_source *source, const lm_convert_options *options,
                              heard *h, lm_error *error) {
    const lm_convert_calls calls = {.user = h, .report = hear};
    *h = (heard){{0}, ""};
    return lm_convert(source, options, &calls, error);
}

static const char *named(const char *name) {
    static char path[4200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

TEST(one_file_in_memory) {
    OWNED(lm_vfs) *vfs = lm_vfs_new(NULL, NULL);
    const lm_convert_source source = {.vfs = vfs, .path = sample};
    const lm_convert_options options = {.format = "glb"};
    lm_error error;
    OWNED(lm_conversion) *made = lm_convert(&source, &options, NULL, &error);
    assert_non_null(made);
    assert_int_equal(made->num_files, 1);
    assert_int_equal(made->files[0].role, LM_CONVERT_ROLE_MAIN);
    assert_memory_equal(made->files[0].data.data, "glTF", 4);
    assert_int_equal(made->gltf->num_animations, 6);
    assert_non_null(made->assets);
}

static void write_byte(const char *path) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fputc('x', file), 'x');
    assert_int_equal(fclose(file), 0);
}

/* The output comes last. The second run writes only the output: the other files exist with the same
 * contents. The third run finds one with other contents, and writes nothing. */
TEST(files_on_disk) {
    static const lm_convert_role roles[] = {LM_CONVERT_ROLE_IMAGE, LM_CONVERT_ROLE_SIDE,
                                            LM_CONVERT_ROLE_SIDE, LM_CONVERT_ROLE_MAIN};
    OWNED(lm_vfs) *vfs = lm_vfs_new(NULL, NULL);
    const lm_convert_source source = {.vfs = vfs, .path = sample};
    char path[4200];
    const lm_convert_options options = {
        .format = "md3", .path = strcpy(path, named(files[3])), .player = LM_PLAYER_MODEL};
    lm_error error;
    heard h;
    for (int run = 0; run < 5; run++) {
        OWNED(lm_conversion) *made = convert(&source, &options, &h, &error);
        assert_non_null(made);
        if (run >= 2) {
            const char *name = files[run - 2];
            unlink(named(files[3]));
            write_byte(named(name));
            assert_false(lm_convert_write(made, NULL, &error));
            assert_int_equal(error.code, LM_CODE_IO);
            assert_non_null(strstr(error.message, name));
            assert_int_not_equal(access(named(files[3]), R_OK), 0);
            assert_true(lm_convert_write(made, &(lm_convert_target){.replaces = true}, &error));
            assert_int_equal(made->num_written, run == 2 ? 4 : 3); /* the same image stays */
            continue;
        }
        assert_non_null(made->report);
        for (uint32_t i = 0; i < made->report->num_problems; i++) /* animation.cfg has the clips */
            assert_string_not_equal(made->report->problems[i].location.section, "clips");
        assert_int_equal(made->num_files, 4);
        for (uint32_t i = 0; i < 4; i++) {
            assert_int_equal(made->files[i].role, roles[i]);
            assert_string_equal(made->files[i].name, files[i]);
        }
        assert_int_equal(h.counts[LM_CONVERT_KIND_NOTE], 1);
        assert_non_null(strstr(h.last, "(skin-path)")); /* the name of an option */
        assert_true(lm_convert_write(made, NULL, &error));
        assert_int_equal(made->num_written, run == 0 ? 4 : 1);
        for (uint32_t i = 0; i < 4; i++)
            assert_int_equal(access(named(files[i]), R_OK), 0);
    }
}

/* The clips of a model that is no player stay: other models in the folder may need them. */
TEST(optional_files_stay) {
    OWNED(lm_vfs) *vfs = lm_vfs_new(NULL, NULL);
    const lm_convert_source source = {.vfs = vfs, .path = sample};
    char path[4200];
    const lm_convert_options options = {
        .format = "md3", .path = strcpy(path, named("prop.md3")), .encode.sidecar_clips = true};
    lm_error error;
    heard h;
    unlink(named("prop.md3"));
    write_byte(named("animation.cfg"));
    OWNED(lm_conversion) *made = convert(&source, &options, &h, &error);
    assert_non_null(made);
    assert_int_equal(made->num_files, 2);
    assert_int_equal(made->files[0].role, LM_CONVERT_ROLE_OPTIONAL);
    for (uint32_t replaces = 0; replaces < 2; replaces++) {
        assert_true(lm_convert_write(made, &(lm_convert_target){.replaces = replaces}, &error));
        assert_int_equal(made->num_written, 1 + replaces);
        lm_buffer clips = {0};
        assert_true(lm_file_read(named("animation.cfg"), 0, &clips, &error));
        assert_int_equal(clips.size > 1, replaces);
        lm_buffer_free(&clips);
        assert_int_equal(access(named("prop.md3"), R_OK), 0);
    }
    unlink(named("animation.cfg"));
    unlink(named("prop.md3"));
}

static const struct {
    const char *path; /* NULL: the sample */
    lm_convert_options options;
    const char *message; /* a part of it */
} failures[] = {
    {NULL, {.format = "fbx"}, "there is no format \"fbx\""},
    {"/nowhere/a.md2", {.format = "glb"}, "cannot open"},
    {NULL, {.format = "glb", .num_frames = 100}, "there are no frames 0-99"},
    {NULL, {.format = "glb", .first_frame = 9, .num_frames = UINT32_MAX}, "frames 9-4294967303"},
    {NULL, {.format = "glb", .still = true, .frame = 49}, "there is no frame 49"},
    {NULL,
     {.format = "glb", .num_clips = 1, .clips = (const char *const[]){"rum"}},
     "did you mean \"run\"?"},
    {NULL, {.format = "glb", .max_output = 1000, .option_prefix = "--"}, "(--max-output)"},
};

/* ---- Options that are not complete ----------------------------------------------------------- */

#define NO_CLIPS ((const char *const[]){NULL})

/* Contradictions, and NULL where a value is required. The message names the member. */
static const struct {
    lm_convert_options options;
    const char *message;
} incomplete[] = {
    {{.format = "glb", .path = "x.gltf"}, "x.gltf does not match format glb"},
    {{.format = "gltf", .path = "x.md2"}, "x.md2 does not match format gltf"},
    {{.format = "gltf"}, "format gltf writes several files"},
    {{.format = "md3", .lods = 1}, "lods writes several files"},
    {{.format = "md3", .path = "a.md3", .lods = 99}, "lods is 99"},
    {{.format = "glb", .vat = LM_CONVERT_VAT_PNG}, "vat writes several files"},
    {{.format = "md3", .path = "a.md3", .vat = LM_CONVERT_VAT_PNG}, "vat does not apply to md3"},
    {{.format = "md3", .encode.sidecar_clips = true}, "write-clips writes several files"},
    {{.format = "md3", .player = LM_PLAYER_MODEL}, "player writes several files"},
    {{.format = "md3", .path = "a.md3", .player = LM_PLAYER_QUAKE3}, "player_name is NULL"},
    {{.format = "mdc", .path = "a/weapon.cfg", .player = LM_PLAYER_WEAPON}, "player_name is NULL"},
    {{.format = "mdc", .player = LM_PLAYER_WEAPON}, "weapon writes several files"},
    {{.format = "glb", .path = "a/weapon.cfg", .player = LM_PLAYER_WEAPON},
     "does not apply to glb"},
    {{.format = "md3", .path = "a.pk3", .archive = true}, "becomes an archive"},
    {{.format = "md2", .decimate = 500, .decimate_percent = true}, "decimate is 500 %"},
    {{.format = "glb", .num_clips = 1}, "clips is NULL, but its number is 1"},
    {{.format = "glb", .num_clips = 1, .clips = NO_CLIPS}, "clips[0] is NULL"},
    {{.format = "md2", .num_shared_grids = 2}, "shared_grids is NULL, but its number is 2"},
    {{.format = "md2", .num_shared_grids = 1, .shared_grids = NO_CLIPS}, "shared_grids[0] is NULL"},
    {{.format = "md3", .num_loops = 1}, "loops is NULL, but its number is 1"},
    {{.format = "md3", .num_loops = 1, .loops = NO_CLIPS}, "loops[0] is NULL"},
    {{.format = "md3", .num_onces = 1}, "onces is NULL"},
    {{.format = "md3", .num_onces = 1, .onces = NO_CLIPS}, "onces[0] is NULL"},
    {{.format = "md3", .num_tags = 1}, "tags is NULL"},
    {{.format = "md3", .num_tags = 1, .tags = &(lm_import_tag){0}}, "tags[0].name is NULL"},
    {{.format = "md3", .num_tags = 1, .tags = &(lm_import_tag){.name = "tag_a"}},
     "tags[0].node is NULL"},
    {{.format = "glb", .open.num_games = 1}, "games is NULL"},
    {{.format = "glb", .open.num_games = 1, .open.games = NO_CLIPS}, "games[0] is NULL"},
    {{.format = "glb", .open.num_skins = 1}, "skins is NULL"},
    {{.format = "glb", .open.num_skins = 1, .open.skins = NO_CLIPS}, "skins[0] is NULL"},
    {{.format = "glb", .open.num_files = 1}, "files is NULL"},
    {{.format = "glb", .open.num_attachments = 1}, "attachments is NULL"},
    {{.format = "glb", .open.num_attachments = 1, .open.attachments = &(lm_attachment){0}},
     "attachments[0].path is NULL"},
};

/* They fail whatever the source is. */
TEST(incomplete_options) {
    OWNED(lm_vfs) *vfs = lm_vfs_new(NULL, NULL);
    OWNED(lm_model) *model = lm_load_file(sample, NULL, NULL);
    const lm_scene_part part = {.model = model};
    const lm_scene scene = {.num_parts = 1, .parts = &part};
    const lm_convert_source sources[] = {
        {.vfs = vfs, .path = sample}, {.vfs = vfs, .scene = &scene}, {.vfs = vfs, .path = "a.glb"}};
    for (size_t i = 0; i < sizeof incomplete / sizeof *incomplete; i++)
        for (size_t k = 0; k < sizeof sources / sizeof *sources; k++) {
            lm_error error;
            heard h;
            assert_null(convert(&sources[k], &incomplete[i].options, &h, &error));
            assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
            assert_int_equal(h.counts[LM_CONVERT_KIND_FAILURE], 1);
            if (!strstr(error.message, incomplete[i].message))
                fail_msg("%s instead of %s", error.message, incomplete[i].message);
        }
    lm_buffer out = {0};
    lm_error error;
    OWNED(lm_convert_settings) *settings = lm_convert_settings_new(vfs, NULL, NULL);
    assert_false(lm_convert_set(settings, NULL, "1", &error));
    assert_non_null(strstr(error.message, "there is no option"));
    lm_options_json(NULL, true, &out);
    assert_memory_equal(out.data, "[]", 2);
    lm_buffer_free(&out);
}

/* A source in memory needs neither path nor name. */
TEST(sources_without_a_path) {
    static const char *const formats[] = {"glb", "obj", "md3"};
    OWNED(lm_vfs) *vfs = lm_vfs_new(NULL, NULL);
    OWNED(lm_model) *model = lm_load_file(sample, NULL, NULL);
    lm_mesh *mesh = lm_mesh_from_model(model, NULL, NULL);
    const lm_scene_part part = {.model = model};
    const lm_scene scene = {.num_parts = 1, .parts = &part};
    lm_buffer file = {0};
    lm_error error;
    heard h;
    assert_true(lm_vfs_read(vfs, sample, 0, &file, &error));
    const lm_convert_source sources[] = {{.vfs = vfs, .scene = &scene},
                                         {.vfs = vfs, .data = file.data, .size = file.size},
                                         {.vfs = vfs, .mesh = mesh}};
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
        for (size_t k = sources[i].mesh ? 2 : 0; k < sizeof formats / sizeof *formats; k++) {
            const lm_convert_options options = {.format = formats[k]};
            OWNED(lm_conversion) *made = convert(&sources[i], &options, &h, &error);
            assert_non_null(made);
            assert_false(lm_convert_write(made, NULL, &error));
            assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
            assert_non_null(strstr(error.message, "no path"));
        }
    /* An imported file without a path has no files next to it. */
    static const char gltf[] = "{\"asset\":{\"version\":\"2.0\"},\"meshes\":[{\"primitives\":[{"
                               "\"attributes\":{\"POSITION\":0}}]}],\"nodes\":[{\"mesh\":0}],"
                               "\"scenes\":[{\"nodes\":[0]}],\"scene\":0,\"accessors\":[{"
                               "\"bufferView\":0,\"componentType\":5126,\"count\":3,"
                               "\"type\":\"VEC3\"}],\"bufferViews\":[{\"buffer\":0,"
                               "\"byteLength\":36}],\"buffers\":[{\"uri\":\"a.bin\","
                               "\"byteLength\":36}]}";
    const lm_convert_source import = {.vfs = vfs, .data = gltf, .size = sizeof gltf - 1};
    const lm_convert_options md3 = {.format = "md3"};
    assert_null(convert(&import, &md3, &h, &error));
    assert_int_equal(error.code, LM_CODE_IO);
    assert_non_null(strstr(error.message, "which cannot be read here"));
    const lm_convert_source faults[] = {
        {.vfs = vfs}, {.path = sample}, {.vfs = vfs, .path = sample, .size = 3}};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        assert_null(convert(&faults[i], &md3, &h, &error));
        assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
    }
    const lm_convert_source images[] = {
        {.vfs = vfs, .mesh = mesh, .num_textures = 1},
        {.vfs = vfs, .mesh = mesh, .num_textures = 1, .textures = &(lm_scene_texture){0}},
        {.vfs = vfs, .mesh = mesh, .num_skins = 1},
        {.vfs = vfs, .mesh = mesh, .num_skins = 1, .skins = &(lm_material_set){.name = ""}}};
    for (size_t i = 0; i < sizeof images / sizeof *images; i++) {
        assert_null(convert(&images[i], &md3, &h, &error));
        assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
    }
    lm_mesh_free(mesh);
    lm_buffer_free(&file);
}

static bool refuse_opened(void *user, const lm_assets *assets) {
    (void)user, (void)assets;
    return false;
}

static bool refuse_file(void *user, const char *path) {
    (void)user, (void)path;
    return false;
}

static bool refuse_files(void *user, lm_file_output *outputs, size_t count) {
    (void)user, (void)outputs, (void)count;
    return false;
}

/* A caller that refuses to continue stops the call. */
TEST(refusals) {
    char path[4200];
    OWNED(lm_vfs) *vfs = lm_vfs_new(NULL, NULL);
    const lm_convert_source source = {.vfs = vfs, .path = sample},
                            missing = {.vfs = vfs, .path = "missing.md2"};
    const lm_convert_options options = {
        .format = "md3", .path = strcpy(path, named("refused.md3")), .player = LM_PLAYER_MODEL};
    const lm_convert_calls calls = {.opened = refuse_opened};
    const lm_convert_target targets[] = {{.allows = refuse_file}, {.write = refuse_files}};
    lm_error error;
    assert_null(lm_convert(&source, &options, &calls, &error));
    assert_int_equal(error.code, LM_CODE_STOPPED);
    assert_null(lm_convert(&missing, &options, &calls, &error));
    assert_int_equal(error.code, LM_CODE_IO);
    OWNED(lm_conversion) *made = lm_convert(&source, &options, NULL, &error);
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        assert_false(lm_convert_write(made, &targets[i], &error));
        assert_int_equal(error.code, LM_CODE_STOPPED);
    }
}

/* Every client hears of repairs, with the file that they are about. */
TEST(repairs_of_the_source) {
    OWNED(lm_vfs) *vfs = lm_vfs_new(NULL, NULL);
    lm_convert_options options = {.format = "glb", .open.load.repair = true};
    lm_buffer file = {0};
    lm_error error;
    heard h;
    assert_true(lm_vfs_read(vfs, sample, 0, &file, &error));
    uint8_t *bytes = malloc(file.size);
    memcpy(bytes, file.data, file.size);
    const uint32_t triangles = bytes[52] | (uint32_t)bytes[53] << 8 | (uint32_t)bytes[54] << 16;
    memset(bytes + triangles, 0x7f, 2); /* a vertex that does not exist */
    const lm_convert_source source = {
        .vfs = vfs, .path = "tick.md2", .data = bytes, .size = file.size};
    OWNED(lm_conversion) *made = convert(&source, &options, &h, &error);
    assert_non_null(made);
    assert_int_equal(h.counts[LM_CONVERT_KIND_DETAIL], 1); /* its texture is missing */
    assert_int_equal(h.counts[LM_CONVERT_KIND_PROBLEM], 1);
    assert_non_null(strstr(h.last, "triangle 0"));
    options.open.load.repair = false;
    assert_null(convert(&source, &options, &h, &error));
    lm_buffer_free(&file);
    free(bytes);
}

/* A part without clips has those of its model. A scene without parts, and a source that could not
 * be opened, fail. */
TEST(scenes_of_the_caller) {
    OWNED(lm_vfs) *vfs = lm_vfs_new(NULL, NULL);
    OWNED(lm_model) *model = lm_load_file(sample, NULL, NULL);
    assert_non_null(model);
    const lm_scene_part part = {.model = model};
    const lm_scene scene = {.num_parts = 1, .parts = &part}, empty = {0};
    const lm_convert_options options = {.format = "glb"};
    lm_convert_source source = {.vfs = vfs, .path = "tick", .scene = &scene};
    lm_error error;
    OWNED(lm_conversion) *made = lm_convert(&source, &options, NULL, &error);
    assert_non_null(made);
    assert_int_equal(made->gltf->num_animations, model->num_clips);
    source.scene = &empty;
    assert_null(lm_convert(&source, &options, NULL, &error));
    assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
    OWNED(lm_assets) *failed = lm_assets_open(vfs, "missing.md2", NULL, NULL);
    source = (lm_convert_source){.vfs = vfs, .path = "missing.md2", .assets = failed};
    assert_null(lm_convert(&source, &options, NULL, &error));
    assert_int_equal(error.code, LM_CODE_IO);
}

/* How to open a source does not apply to one that is open. */
TEST(options_of_opening) {
    static const char *const words[][2] = {{"--normals computed", "normals"},
                                           {"--alpha blend", "alpha"},
                                           {"--topology glcommands", "topology"},
                                           {"--quirk mdc-prinz", "quirk"},
                                           {"--repair", "repair"},
                                           {"--strict", "strict"},
                                           {"--attach tag_x=a.md3", "attach"},
                                           {"--with a.md2", "with"},
                                           {"--game a", "game"},
                                           {"--skin none", "skin"},
                                           {"--clips-from none", "clips"},
                                           {"--palette a.lmp", "palette"},
                                           {"--transparent-255", "transparent-255"}};
    OWNED(lm_vfs) *vfs = lm_vfs_new(NULL, NULL);
    OWNED(lm_assets) *assets = lm_assets_open(vfs, sample, NULL, NULL);
    const lm_convert_source source = {.vfs = vfs, .path = sample, .assets = assets};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        lm_error error = {0};
        OWNED(lm_convert_settings) *settings = lm_convert_settings_new(vfs, "--", NULL);
        settings->options.format = "glb";
        assert_true(lm_convert_set_words(settings, words[i][0], &error));
        OWNED(lm_conversion) *made = lm_convert(&source, &settings->options, NULL, &error);
        assert_null(made);
        if (!strstr(error.message, words[i][1]) || !strstr(error.message, "that are open"))
            fail_msg("%s: %s", words[i][0], error.message);
    }
}

/* The steps of a conversion. */
typedef struct steps {
    uint32_t count, stop; /* the number of the step that is refused */
    double share;
} steps;

static bool step(void *user, double share, const char *what) {
    steps *s = user;
    assert_true(share >= s->share && share < 1 && *what);
    s->share = share;
    return s->count++ != s->stop;
}

/* Every step can be the last one. */
TEST(stopped) {
    const lm_convert_options outputs[] = {
        {.format = "glb", .skeleton = true, .max_bones = 3},
        {.format = "obj", .still = true},
        {.format = "glb", .path = "a.glb", .vat = LM_CONVERT_VAT_PNG},
        {.format = "md3", .path = "a.md3", .lods = 2, .player = LM_PLAYER_MODEL}};
    const unsigned least[] = {5, 2, 2, 6};
    OWNED(lm_vfs) *vfs = lm_vfs_new(NULL, NULL);
    const lm_convert_source source = {.vfs = vfs, .path = sample};
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++) {
        steps s = {.stop = UINT32_MAX};
        const lm_convert_calls calls = {.user = &s, .progress = step};
        lm_error error;
        lm_conversion_free(lm_convert(&source, &outputs[i], &calls, &error));
        assert_int_equal(error.code, LM_CODE_OK);
        const unsigned all = s.count;
        assert_true(all >= least[i]);
        for (unsigned k = 0; k < all; k++) {
            s = (steps){.stop = k};
            assert_null(lm_convert(&source, &outputs[i], &calls, &error));
            assert_int_equal(error.code, LM_CODE_STOPPED);
            assert_int_equal(s.count, k + 1);
        }
    }
}

/* Options without a format, and with lm_convert_options reserved members, fail with a reason. */
TEST(options_of_later_versions) {
    OWNED(lm_vfs) *vfs = lm_vfs_new(NULL, NULL);
    const lm_convert_source source = {.vfs = vfs, .path = sample};
    const lm_convert_options later = {.format = "md3", .reserved = {0, 0, 0, 1}};
    lm_error error;
    assert_null(lm_convert(&source, &later, NULL, &error));
    assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
    assert_null(lm_convert(&source, NULL, NULL, &error));
    assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
    const lm_convert_options now = {.format = "md3"};
    const lm_convert_calls later_calls = {.reserved = {1}};
    assert_null(lm_convert(&source, &now, &later_calls, &error));
    assert_non_null(strstr(error.message, "reserved must be 0"));
    const lm_convert_source later_source = {.vfs = vfs, .path = sample, .reserved = {0, 1}};
    assert_null(lm_convert(&later_source, &now, NULL, &error));
    assert_non_null(strstr(error.message, "reserved must be 0"));
    OWNED(lm_conversion) *made = lm_convert(&source, &now, NULL, &error);
    const lm_convert_target later_target = {.reserved = {0, 0, 1}};
    assert_false(lm_convert_write(made, &later_target, &error));
    assert_non_null(strstr(error.message, "reserved must be 0"));
}

/* What the options say together, without a source. */
TEST(contradictions) {
    static const struct {
        const char *format, *path, *words, *reason; /* NULL: there is none */
    } cases[] = {
        {"md2", "a.md2", "--strips none --hd --smooth --stability 9", NULL},
        {"md2", "A.MD2", NULL, NULL},
        {"md2", "models/monster.old", NULL, NULL},
        {"fbx", NULL, NULL, "there is no format \"fbx\""},
        {"glb", "a.md3", NULL, "a.md3 does not match format glb"},
        {"md3", "out.d/a.glb", NULL, "does not match format md3"},
        {"md3", NULL, "--strips none", "strips does not apply to md3 files"},
        {"mdl", NULL, "--hd", "hd does not apply to mdl files"},
        {"md3", NULL, "--smallest", "smallest does not apply to md3 files"},
        {"mdc", NULL, "--smallest", NULL},
        {"md2", NULL, "--write-clips", "write-clips does not apply to md2 files"},
        {"obj", NULL, "--fps 5", "use frames F"},
        {"obj", NULL, "--frames 0-3", "use frames F"},
        {"obj", NULL, "--frames 3.5", NULL},
        {"glb", NULL, "--frames 2 --clip run", "clip cannot be combined with frames F"},
        {"glb", NULL, "--frames 0-3 --clip run", NULL},
        {"glb", NULL, "--frames 2 --frames 0-3 --fps 5", NULL},
        {"md3", NULL, "--frames 2 --speed 5", "speed cannot be combined with frames F"},
        {"md3", NULL, "--unit 1", "unit does not apply to md3 files"},
        {"glb", NULL, "--decimate 5", "decimate does not apply to glb files"},
    };
    OWNED(lm_vfs) *vfs = lm_vfs_new(NULL, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lm_error error = {0};
        OWNED(lm_convert_settings) *settings = lm_convert_settings_new(vfs, NULL, NULL);
        settings->options.format = cases[i].format;
        settings->options.path = cases[i].path;
        assert_true(lm_convert_set_words(settings, cases[i].words, &error));
        const bool fits = lm_convert_settings_check(settings, &error);
        if (fits != !cases[i].reason || (!fits && !strstr(error.message, cases[i].reason)))
            fail_msg("%u: %s", (unsigned)i, error.message);
    }
}

/* Options that are written as for the command, or the reason why not. */
TEST(options_as_words) {
    static const struct {
        const char *words, *reason;
        double fps;
        const char *clip; /* the last one */
        unsigned num_clips;
    } cases[] = {
        {NULL, NULL, 0, NULL, 0},
        {"", NULL, 0, NULL, 0},
        {" \t\n", NULL, 0, NULL, 0},
        {"--fps 7", NULL, 7, NULL, 0},
        {"--fps=7 --fps\t8\n", NULL, 8, NULL, 0},
        {"--clip run --clip 'long jump'", NULL, 0, "long jump", 2},
        {"--clip=\"a b\"c --fps 5", NULL, 5, "a bc", 1},
        {"--clip \"--it's\"", NULL, 0, "--it's", 1},
        {"--unlit --fps 5", NULL, 5, NULL, 0},
        {"fps 7", "begin with --", 0, NULL, 0},
        {"--fps 7 8", "begin with --", 7, NULL, 0},
        {"'' --fps 7", "begin with --", 0, NULL, 0},
        {"--", "no option", 0, NULL, 0},
        {"--fpss 7", "did you mean fps", 0, NULL, 0},
        {"--fps", "needs a value", 0, NULL, 0},
        {"--unlit=", "has no value", 0, NULL, 0},
        {"--unlit 1", "takes no value", 0, NULL, 0},
        {"--force", "of the command only", 0, NULL, 0},
        {"--clip 'run", "not closed", 0, NULL, 0},
        {"'", "not closed", 0, NULL, 0},
    };
    OWNED(lm_vfs) *vfs = lm_vfs_new(NULL, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lm_error error = {0};
        OWNED(lm_convert_settings) *settings = lm_convert_settings_new(vfs, NULL, NULL);
        assert_non_null(settings);
        const lm_convert_options *options = &settings->options;
        const bool set = lm_convert_set_words(settings, cases[i].words, &error);
        if (set != !cases[i].reason || (!set && !strstr(error.message, cases[i].reason)))
            fail_msg("%s: %s", cases[i].words, error.message);
        assert_true(options->fps == (float)cases[i].fps);
        assert_int_equal(options->num_clips, cases[i].num_clips);
        if (cases[i].clip)
            assert_string_equal(options->clips[options->num_clips - 1], cases[i].clip);
    }
}

TEST(reasons_of_failures) {
    OWNED(lm_vfs) *vfs = lm_vfs_new(NULL, NULL);
    for (size_t i = 0; i < sizeof failures / sizeof *failures; i++) {
        lm_error error;
        heard h;
        const lm_convert_source source = {.vfs = vfs,
                                          .path = failures[i].path ? failures[i].path : sample};
        assert_null(convert(&source, &failures[i].options, &h, &error));
        assert_int_equal(h.counts[LM_CONVERT_KIND_FAILURE], 1);
        assert_string_equal(h.last, error.message);
        if (!strstr(error.message, failures[i].message))
            fail_msg("%s", error.message);
    }
}
