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

/* The output comes last. The second run writes neither the same image nor clips that may be those
 * of another model. */
TEST(files_on_disk) {
    static const lm_convert_role roles[] = {LM_CONVERT_ROLE_IMAGE, LM_CONVERT_ROLE_CLIPS,
                                            LM_CONVERT_ROLE_SIDE, LM_CONVERT_ROLE_MAIN};
    OWNED(lm_vfs) *vfs = lm_vfs_new(NULL, NULL);
    const lm_convert_source source = {.vfs = vfs, .path = sample};
    char path[4200];
    const lm_convert_options options = {
        .format = "md3", .path = strcpy(path, named(files[3])), .player = LM_PLAYER_MODEL};
    lm_error error;
    heard h;
    for (int run = 0; run < 2; run++) {
        OWNED(lm_conversion) *made = convert(&source, &options, &h, &error);
        assert_non_null(made);
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
        assert_int_equal(made->num_written, run == 0 ? 4 : 2);
        for (uint32_t i = 0; i < 4; i++)
            assert_int_equal(access(named(files[i]), R_OK), 0);
    }
}

static const struct {
    const char *path; /* NULL: the sample */
    lm_convert_options options;
    const char *message; /* a part of it */
} failures[] = {
    {NULL, {.format = "fbx"}, "there is no format \"fbx\""},
    {"/nowhere/a.md2", {.format = "glb"}, "cannot open"},
    {NULL, {.format = "glb", .has_frames = true, .last_frame = 99}, "there are no frames 0-99"},
    {NULL, {.format = "glb", .still = true, .frame = 49}, "there is no frame 49"},
    {NULL,
     {.format = "glb", .num_clips = 1, .clips = (const char *const[]){"rum"}},
     "did you mean \"run\"?"},
    {NULL, {.format = "glb", .max_output = 1000, .option_prefix = "--"}, "(--max-output)"},
};

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
