/* Tests the search for textures: untrusted names, and folders with files out of bounds. */
#include "files/file.h"
#include "files/path.h"
#include "sources.h"
#include "testing.h"
#include "tree.h"

#include <sys/stat.h>
#include <unistd.h>

OWNER(lm_folder, lmi_folder_free)

/* ---- Names ----------------------------------------------------------------------------------- */

TEST(test_clean) {
    static const struct {
        const char *name, *path; /* NULL: rejected */
    } cases[] = {
        {"skin.pcx", "skin.pcx"},
        {"players\\Male\\Grunt.PCX", "players/Male/Grunt.PCX"},
        {"./a//b/./c.tga", "a/b/c.tga"},
        {"a/b/", "a/b"},
        {"...", "..."},
        {"a/..b/c..", "a/..b/c.."},
        {"", NULL},
        {".", NULL},
        {"/etc/passwd", NULL},
        {"\\\\server\\share", NULL},
        {"C:\\skins\\a.pcx", NULL},
        {"c:a.pcx", NULL},
        {"..", NULL},
        {"../a", NULL},
        {"a/../../b", NULL},
        {"a\\..\\b", "b"},
        {"a/b/../../c/./d/../e.tga", "c/e.tga"},
        {"a/..", NULL},
    };
    char out[LM_PATH_SIZE];
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        bool sound = lmi_path_clean(cases[i].name, out);
        if (sound != (cases[i].path != NULL))
            fail_msg("%s: %s", cases[i].name, out);
        assert_string_equal(out, sound ? cases[i].path : "");
    }
}

TEST(test_long_names) {
    char name[2 * LM_PATH_SIZE + 1], out[LM_PATH_SIZE];
    lm_files files = {0};
    lm_source root = {&files, NULL, "folder"};
    lm_search_path search = {.sources = &root, .count = 1};
    for (size_t length = 1; length < sizeof name; length++) {
        memset(name, 'a', length);
        name[length] = '\0';
        bool sound = lmi_path_clean(name, out);
        assert_true(sound == (length < LM_PATH_SIZE - 1));
        assert_int_equal(strlen(out), sound ? length : 0);
        uint32_t where;
        for (uint32_t i = 0; lmi_texture_candidate(&search, name, i, &where, out); i++)
            assert_true(strlen(out) < LM_PATH_SIZE);
    }
}

/* ---- Candidates ------------------------------------------------------------------------------ */

/* A view that has one file and records the requests. */
typedef struct fake_view {
    const char *has;
    unsigned asked;
} fake_view;

static lm_find fake_find(void *user, const char *path, char actual[LM_PATH_SIZE]) {
    fake_view *view = user;
    char clean[LM_PATH_SIZE];
    view->asked++;
    assert_true(lmi_path_clean(path, clean));
    assert_string_equal(clean, path);
    if (!view->has || strcmp(path, view->has) != 0)
        return LM_FIND_NOTHING;
    snprintf(actual, LM_PATH_SIZE, "%s", path);
    return LM_FIND_FILE;
}

/* Expects all candidates, "PLACE:PATH " each. */
static void expect_candidates(const lm_search_path *search, const char *name,
                              const char *expected) {
    AT_END(lm_buffer_free) lm_buffer text = {0};
    char path[LM_PATH_SIZE];
    uint32_t root;
    for (uint32_t i = 0; lmi_texture_candidate(search, name, i, &root, path); i++)
        lm_buffer_printf(&text, "%u:%s ", (unsigned)root, path);
    lm_buffer_append(&text, "", 1);
    assert_string_equal((char *)text.data, expected);
}

TEST(test_candidates) {
    lm_files files = {0};
    lm_source own = {&files, NULL, ""}, both[] = {{&files, NULL, "m/x"}, {&files, NULL, NULL}};
    lm_source deep = {&files, NULL, "m/y"};
    lm_search_path up = {.sources = &deep, .count = 1, .own = LM_NO_SOURCE};
    lm_search_path one = {.sources = &own, .count = 1}, two = {.sources = both, .count = 2};
    expect_candidates(&one, "a.TGA", "0:a.TGA 0:a.jpg 0:a.jpeg 0:a.png 0:a.pcx 0:a.webp 0:a.bmp ");
    expect_candidates(&one, "d\\a.bmp",
                      "0:d/a.bmp 0:d/a.tga 0:d/a.jpg 0:d/a.jpeg 0:d/a.png 0:d/a.pcx 0:d/a.webp "
                      "0:a.bmp 0:a.tga 0:a.jpg 0:a.jpeg 0:a.png 0:a.pcx 0:a.webp ");
    expect_candidates(&one, "v1.longer",
                      "0:v1.longer.tga 0:v1.longer.jpg 0:v1.longer.jpeg 0:v1.longer.png "
                      "0:v1.longer.pcx 0:v1.longer.webp 0:v1.longer.bmp ");
    expect_candidates(
        &one, "./.pcx",
        "0:.pcx.tga 0:.pcx.jpg 0:.pcx.jpeg 0:.pcx.png 0:.pcx.pcx 0:.pcx.webp 0:.pcx.bmp ");
    expect_candidates(
        &two, "m/x/a.jpeg",
        "0:m/x/a.jpeg 0:m/x/a.tga 0:m/x/a.jpg 0:m/x/a.png 0:m/x/a.pcx 0:m/x/a.webp 0:m/x/a.bmp "
        "0:m/x/m/x/a.jpeg 0:m/x/m/x/a.tga 0:m/x/m/x/a.jpg 0:m/x/m/x/a.png "
        "0:m/x/m/x/a.pcx 0:m/x/m/x/a.webp 0:m/x/m/x/a.bmp 1:m/x/a.jpeg 1:m/x/a.tga 1:m/x/a.jpg "
        "1:m/x/a.png 1:m/x/a.pcx 1:m/x/a.webp 1:m/x/a.bmp ");
    expect_candidates(&one, "C:a.png",
                      "0:a.png 0:a.tga 0:a.jpg 0:a.jpeg 0:a.pcx 0:a.webp 0:a.bmp ");
    expect_candidates(&one, "", "");
    expect_candidates(&one, "..", "");
    /* From the model's folder, a name may lead up, but not out of the root. */
    expect_candidates(&up, "../x/a.tga",
                      "0:m/x/a.tga 0:m/x/a.jpg 0:m/x/a.jpeg 0:m/x/a.png 0:m/x/a.pcx 0:m/x/a.webp "
                      "0:m/x/a.bmp ");
    expect_candidates(&up, "../../../x/a.tga", "");
    expect_candidates(&one, "../x/a.png",
                      "0:a.png 0:a.tga 0:a.jpg 0:a.jpeg 0:a.pcx 0:a.webp 0:a.bmp ");
}

/* The dot goes, and the rest replaces the model's file name. */
TEST(test_candidates_beside) {
    lm_files files = {0};
    lm_source sources[] = {{&files, NULL, "m/x"}, {&files, NULL, "m/y"}, {&files, NULL, NULL}};
    lm_search_path own = {.sources = sources, .count = 3};
    lm_search_path game = {.sources = sources + 1, .count = 1, .own = LM_NO_SOURCE};
    expect_candidates(&game, ".red",
                      "0:m/y/red.png 0:m/y/red.jpg 0:m/y/red.jpeg 0:m/y/red.tga 0:m/y/red.pcx "
                      "0:m/y/red.webp 0:m/y/red.bmp ");
    expect_candidates(&game, ".red.v2.005",
                      "0:m/y/red.v2.png 0:m/y/red.v2.jpg 0:m/y/red.v2.jpeg 0:m/y/red.v2.tga "
                      "0:m/y/red.v2.pcx 0:m/y/red.v2.webp 0:m/y/red.v2.bmp ");
    expect_candidates(
        &own, ".a\\b",
        "0:m/x/a/b.png 0:m/x/a/b.jpg 0:m/x/a/b.jpeg 0:m/x/a/b.tga 0:m/x/a/b.pcx "
        "0:m/x/a/b.webp 0:m/x/a/b.bmp 0:m/x/b.png 0:m/x/b.jpg 0:m/x/b.jpeg 0:m/x/b.tga "
        "0:m/x/b.pcx 0:m/x/b.webp 0:m/x/b.bmp 1:m/y/a/b.png 1:m/y/a/b.jpg 1:m/y/a/b.jpeg "
        "1:m/y/a/b.tga 1:m/y/a/b.pcx 1:m/y/a/b.webp 1:m/y/a/b.bmp ");
    expect_candidates(&game, ".a/../../b",
                      "0:m/b.png 0:m/b.jpg 0:m/b.jpeg 0:m/b.tga 0:m/b.pcx 0:m/b.webp 0:m/b.bmp ");
    expect_candidates(&game, ".a/../../../../b", "");
    expect_candidates(&game, ".", "");
    assert_true(lmi_texture_is_beside(".red") && lmi_texture_is_beside(".r"));
    assert_false(lmi_texture_is_beside("./red") || lmi_texture_is_beside(".\\red"));
    assert_false(lmi_texture_is_beside("red") || lmi_texture_is_beside("..red"));
    assert_false(lmi_texture_is_beside(".") || lmi_texture_is_beside(""));
}

TEST(test_search_beside) {
    fake_view view = {"m/x/red.jpg", 0};
    lm_files files = {.user = &view, .name = "view", .find = fake_find};
    lm_source source = {&files, NULL, "m/x"};
    lm_search_path search = {.sources = &source, .count = 1};
    lm_texture texture;
    assert_true(lmi_texture_find(&search, ".red.tga", &texture));
    assert_string_equal(texture.path, "m/x/red.jpg");
    assert_true(texture.is_named && !texture.unsafe);
    assert_int_equal(texture.num_tried, 2);
    assert_true(lmi_texture_find(&search, ".deep/red", &texture));
    assert_false(texture.is_named);
    assert_false(lmi_texture_find(&search, ".redder", &texture));
    assert_true(lmi_texture_find(&search, "..\\red", &texture));
    assert_false(texture.unsafe || texture.is_named);
    assert_true(lmi_texture_find(&search, "..\\..\\..\\red", &texture));
    assert_true(texture.unsafe);
    assert_true(lmi_texture_find(&search, ".a/../../../../red", &texture));
    assert_true(texture.unsafe && !texture.is_named);
}

TEST(test_search) {
    fake_view first = {NULL, 0}, second = {"skins/a.png", 0};
    lm_files views[] = {{.user = &first, .name = "first", .find = fake_find},
                        {.user = &second, .name = "second", .find = fake_find}};
    lm_source roots[] = {{&views[0], NULL, ""}, {&views[1], NULL, NULL}};
    lm_search_path search = {.sources = roots, .count = 2};
    lm_texture texture;
    assert_true(lmi_texture_find(&search, "skins\\a.pcx", &texture));
    assert_int_equal(texture.source, 1);
    assert_string_equal(texture.path, "skins/a.png");
    assert_false(texture.unsafe);
    assert_int_equal(texture.num_tried, first.asked + second.asked);
    assert_int_equal(first.asked, 14);
    assert_false(lmi_texture_find(&search, "skins/b.pcx", &texture));
    assert_int_equal(texture.num_tried, 21);
    assert_string_equal(texture.path, "");
    /* The rest of an unsafe name is looked up only in the model's own folder. */
    second.has = "a.png";
    assert_false(lmi_texture_find(&search, "C:\\a.png", &texture));
    assert_true(texture.unsafe);
    first.has = "a.png";
    assert_true(lmi_texture_find(&search, "C:\\a.png", &texture));
    assert_true(texture.unsafe && texture.source == 0);
    assert_false(lmi_texture_find(&search, "", &texture));
    assert_false(texture.unsafe);
    assert_int_equal(texture.num_tried, 0);
}

/* ---- Folders --------------------------------------------------------------------------------- */

/* A tree in a temporary folder: in/ is the view, and out/ must stay inaccessible. */
static const char *const folders[] = {"in",      "out",       "in/Models", "in/models",
                                      "in/deep", "in/deep/A", "inside"};
static const char *const files[] = {
    "in/Skin.PCX",     "in/skin.tga",    "in/Models/Only.tga", "in/models/b.tga", "in/Models/B.tga",
    "in/deep/A/x.PNG", "out/secret.tga", "inside/secret.tga",  "out/x.png",       "in/way..png"};

static int make_tree(void **state) {
    if (tree_make(state) != 0)
        return -1;
    for (size_t i = 0; i < COUNT_OF(folders); i++)
        tree_folder(folders[i]);
    for (size_t i = 0; i < COUNT_OF(files); i++)
        tree_put_text(files[i], files[i]);
    tree_link("../out/secret.tga", "in/leak.tga");
    tree_link(tree_at("out"), "in/leaks");
    tree_link("..", "in/up");
    tree_link("/", "in/root");
    tree_link("../inside/secret.tga", "in/beside.tga");
    tree_link("deep/A/x.PNG", "in/inner.png");
    tree_link("deep", "in/way");
    tree_link("loop.png", "in/loop.png");
    tree_link("nowhere", "in/dead.png");
    tree_link(".", "in/Same");
    tree_link(".", "in/same");
    return mkfifo(tree_at("in/pipe.tga"), 0600);
}

static lm_folder *open_in(void) {
    lm_error error = {0};
    lm_folder *folder = lmi_folder_open(tree_at("in"), NULL, &error);
    assert_done(folder, error);
    return folder;
}

TEST(test_folder_find) {
    static const struct {
        const char *path;
        lm_find found;
        const char *actual;
    } cases[] = {
        {"Skin.PCX", LM_FIND_FILE, "Skin.PCX"},
        {"SKIN.pcx", LM_FIND_FILE, "Skin.PCX"},
        {"skin.tga", LM_FIND_FILE, "skin.tga"},
        {"MODELS/ONLY.TGA", LM_FIND_FILE, "Models/Only.tga"},
        {"models/only.tga", LM_FIND_FILE, "Models/Only.tga"},
        {"models/b.tga", LM_FIND_FILE, "models/b.tga"},
        {"Models/B.tga", LM_FIND_FILE, "Models/B.tga"},
        {"Models/b.tga", LM_FIND_FILE, "Models/B.tga"},
        {"DEEP/a/X.png", LM_FIND_FILE, "deep/A/x.PNG"},
        {"way/a/x.png", LM_FIND_FILE, "way/A/x.PNG"},
        {"inner.png", LM_FIND_FILE, "inner.png"},
        {"way..png", LM_FIND_FILE, "way..png"},
        {"Models", LM_FIND_NOTHING, ""},
        {"missing.tga", LM_FIND_NOTHING, ""},
        {"Skin.PCX/x", LM_FIND_NOTHING, ""},
        {"pipe.tga", LM_FIND_NOTHING, ""},
        {"loop.png", LM_FIND_NOTHING, ""},
        {"dead.png", LM_FIND_NOTHING, ""},
        {"leak.tga", LM_FIND_OUTSIDE, ""},
        {"LEAKS/secret.tga", LM_FIND_OUTSIDE, ""},
        {"up/out/secret.tga", LM_FIND_OUTSIDE, ""},
        {"beside.tga", LM_FIND_OUTSIDE, ""},
        {"root/etc/passwd", LM_FIND_OUTSIDE, ""},
        {"../out/secret.tga", LM_FIND_NOTHING, ""},
        {"deep/../Skin.PCX", LM_FIND_NOTHING, ""},
        {"/etc/passwd", LM_FIND_NOTHING, ""},
        {"models//b.tga", LM_FIND_NOTHING, ""},
        {"models\\b.tga", LM_FIND_NOTHING, ""},
        {"", LM_FIND_NOTHING, ""},
    };
    OWNED(lm_folder) *folder = open_in();
    const lm_files *view = lmi_folder_files(folder);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char actual[LM_PATH_SIZE] = "?";
        lm_find found = view->find(view->user, cases[i].path, actual);
        if (found != cases[i].found || strcmp(actual, cases[i].actual) != 0)
            fail_msg("%s: %d %s", cases[i].path, (int)found, actual);
    }
}

TEST(test_folder_read) {
    static const char *const refused[] = {
        "leak.tga",          "root/etc/passwd",   "beside.tga",  "leaks/secret.tga",
        "up/out/secret.tga", "../out/secret.tga", "/etc/passwd", "Models",
        "pipe.tga",          "missing",           "loop.png",    ""};
    OWNED(lm_folder) *folder = open_in();
    const lm_files *view = lmi_folder_files(folder);
    AT_END(lm_buffer_free) lm_buffer out = {0};
    lm_error error = {0};
    for (size_t i = 0; i < COUNT_OF(refused); i++) {
        assert_false(view->read(view->user, refused[i], 0, &out, &error));
        assert_int_equal(error.code, LM_CODE_IO);
        assert_int_equal(out.size, 0);
    }
    assert_true(view->read(view->user, "inner.png", 15, &out, &error));
    assert_int_equal(out.size, 15);
    assert_memory_equal(out.data, "in/deep/A/x.PNG", 15);
    out.size = 0;
    assert_false(view->read(view->user, "inner.png", 14, &out, &error));
    assert_int_equal(error.code, LM_CODE_LIMIT);
    assert_string_equal(error.message, "inner.png exceeds the limit of 14 bytes");
}

static void assert_lists(const lm_files *view, const char *folder, unsigned most,
                         const char *expected) {
    told_names t = {"", most};
    lm_error error = {0};
    assert_done(view->list(view->user, folder, tell, &t, &error), error);
    assert_string_equal(t.text, expected);
}

/* The list has no links that lead outside or nowhere, and only files and folders. */
TEST(test_folder_list) {
    static const char *const refused[] = {"leaks", "up",     "none",     "Skin.PCX", "deep/..",
                                          "/etc",  "../out", "root/etc", ".",        "deep//A"};
    OWNED(lm_folder) *folder = open_in();
    const lm_files *view = lmi_folder_files(folder);
    assert_lists(view, "", 99,
                 "Models/ Same/ Skin.PCX deep/ inner.png models/ same/ skin.tga way/ way..png ");
    assert_lists(view, "", 3, "Models/ Same/ Skin.PCX ");
    assert_lists(view, "models", 9, "b.tga ");
    assert_lists(view, "Models", 9, "B.tga Only.tga ");
    assert_lists(view, "MODELS", 9, "B.tga Only.tga ");
    assert_lists(view, "WAY/a", 9, "x.PNG ");
    for (size_t i = 0; i < COUNT_OF(refused); i++) {
        lm_error error = {0};
        told_names t = {"", 9};
        assert_false(view->list(view->user, refused[i], tell, &t, &error));
        assert_int_equal(error.code, LM_CODE_IO);
        assert_string_equal(t.text, "");
    }
}

/* Two spellings at every level, each a link to the same folder: a walk of every path never ends. */
TEST(test_folder_with_cyclic_links) {
    OWNED(lm_folder) *folder = open_in();
    const lm_files *view = lmi_folder_files(folder);
    char path[LM_PATH_SIZE], actual[LM_PATH_SIZE];
    for (size_t i = 0; i < 300; i++)
        path[i] = "sAme/"[i % 5];
    memcpy(path + 300, "none.tga", 9);
    assert_int_equal(view->find(view->user, path, actual), LM_FIND_NOTHING);
    assert_int_equal(view->find(view->user, "sAmE/SAME/skin.tga", actual), LM_FIND_FILE);
    assert_string_equal(actual, "Same/Same/skin.tga");
}

TEST(test_folder_texture) {
    OWNED(lm_folder) *folder = open_in();
    lm_source root = {lmi_folder_files(folder), NULL, "deep/A"};
    lm_search_path search = {.sources = &root, .count = 1};
    lm_texture texture;
    assert_true(lmi_texture_find(&search, "players\\any\\X.pcx", &texture));
    assert_string_equal(texture.path, "deep/A/x.PNG");
    assert_false(texture.unsafe);
    assert_true(lmi_texture_find(&search, "..\\out\\x.png", &texture));
    assert_string_equal(texture.path, "deep/A/x.PNG");
    assert_false(texture.unsafe);
    assert_true(lmi_texture_find(&search, "..\\..\\..\\out\\x.png", &texture));
    assert_string_equal(texture.path, "deep/A/x.PNG");
    assert_true(texture.unsafe);
    assert_false(lmi_texture_find(&search, "leaks/secret.tga", &texture));
    assert_true(texture.unsafe);
}

TEST(test_folder_rejected) {
    static const char *const paths[] = {"none", "in/skin.tga"};
    for (size_t i = 0; i < COUNT_OF(paths); i++) {
        lm_error error = {0};
        assert_null(lmi_folder_open(tree_at(paths[i]), NULL, &error));
        assert_int_equal(error.code, LM_CODE_IO);
    }
    lmi_folder_free(NULL);
}

TEST(test_folder_is_root) {
    char actual[LM_PATH_SIZE];
    const char *path = tree_at("in/skin.tga");
    OWNED(lm_folder) *folder = lmi_folder_open("/", NULL, NULL);
    assert_non_null(folder);
    const lm_files *view = lmi_folder_files(folder);
    AT_END(lm_buffer_free) lm_buffer out = {0};
    assert_int_equal(view->find(view->user, path + 1, actual), LM_FIND_FILE);
    assert_string_equal(actual, path + 1);
    assert_true(view->read(view->user, actual, 0, &out, NULL));
    assert_memory_equal(out.data, "in/skin.tga", 11);
}

TEST_GROUP(make_tree, tree_remove)
