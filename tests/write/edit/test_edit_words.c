/* Tests elements named by words: the elements that they select, and missing ones. */
#include "edits.h"

/* Returns the last change of frames: their number before and after, and their list. */
static void expect(const char *words, bool *missing, const char *selected) {
    uint32_t count;
    AT_END(blob_free) blob file = make_md3(&small_md3);
    OWNED(lm_edit) *edit = open_edit(&file);
    assert_true(lm_edit_set(edit, "order", words, missing, NULL));
    const lm_edit_change *changes = lm_edit_changes(edit, &count);
    assert_int_equal(count, 1);
    assert_string_equal(changes[0].after, selected);
}

TEST(test_words) {
    bool missing = false;
    expect("frames:0", NULL, "1: 0");
    expect("frames:1,0,,1", NULL, "3: 1, 0-1");
    expect("frames:0-1", NULL, "2: 0-1");
    expect("frames:nobody,1,900", &missing, "1: 1");
    assert_true(missing);
}

/* Values that are wrong for every file, or for this MD3. */
TEST(test_rejected_changes) {
    static const struct {
        const char *name, *value, *sentence;
        bool always; /* found without a file */
    } list[] = {
        {"order", "frames:900", "there is no frame 900: the model has", false},
        {"order", "frames:1-0", "there is no frame \"1-0\"", false},
        {"order", "frames:4294967296", "there is no frame \"4294967296\"", false},
        {"order", "frames:1-", "there is no frame \"1-\"", false},
        {"drop", "frames:0-3", "no frames would remain", false},
        {"keep", "clips:", "no frames would remain", false},
        {"keep", "skins:0", "the surface is missing: use SURFACE:0", false},
        {"rename", "tags:none=a", "there is no tag \"none\"", false},
        {"set-skin", "9=a", "there is no surface 9: the model has 2", false},
        {"set-skin", "0:x=a", "takes SURFACE:N=PATH, where N is a number, not \"0:x\"", false},
        {"--add-skin", "a", "--add-skin needs a surface for this format: SURFACE=a", false},
        {"rename", "frames:a", "takes KIND:OLD=NEW or KIND:s/RE/NEW/, not \"a\"", true},
        {"rename", "skins:a=b", "rename does not apply to skins; use set-skin or path", true},
        {"keep", "clip:a", "keep takes KIND:LIST, where KIND is skins,", true},
        {"normals", "stored", "normals takes the word computed", true},
        {"--keep", "things:a", "--keep takes KIND:LIST, where KIND is skins,", true},
        {"--move-tag", "0=1,2", "--move-tag takes NAME=X,Y,Z, not \"0=1,2\"", true},
        {"add-tag", "a=1,2,3,follow@x", "takes NAME=X,Y,Z or NAME=X,Y,Z,follow@FRAME", true},
        {"fix", "name-junk,no", "fix takes codes that check reports, such as", true},
        {"--scale", "0", "--scale needs a number greater than 0 and at most 1000000", true},
        {"--rotate", "nan", "--rotate takes degrees, at most 1000000, not \"nan\"", true},
        {"rotate", "45", "rotate takes 90, 180, 270 or -90 degrees; other angles need reencode",
         true},
        {"--rotate", "45", "other angles need --reencode", true},
        {"--fps", "10", "--fps resamples the frames, which needs --reencode", true},
        {"--move", "1,2,3,", "--move takes X,Y,Z, not \"1,2,3,\"", true},
        {"move", NULL, "move needs a value", true},
        {"--round", "1", "--round takes no value", true},
        {"--in-place", NULL, "there is no change \"--in-place\"", true},
        {NULL, NULL, "there is no change \"\"", true},
    };
    AT_END(blob_free) blob file = make_md3(&small_md3);
    OWNED(lm_edit) *edit = open_edit(&file);
    for (size_t i = 0; i < COUNT_OF(list); i++)
        for (int k = 0; k < 2; k++) {
            lm_error error = {0};
            if (lm_edit_set(k ? edit : NULL, list[i].name, list[i].value, NULL, &error) !=
                (k == 0 && !list[i].always))
                fail_msg("%s %s: %s", list[i].name, list[i].value, error.message);
            if (k == 1 && (!strstr(error.message, list[i].sentence) ||
                           (strstr(error.message, "--") && !strstr(list[i].sentence, "--"))))
                fail_msg("\"%s\" is not in \"%s\"", list[i].sentence, error.message);
        }
}

/* With `missing`, an element that does not exist is skipped in every change; without, an error. */
TEST(test_missing_elements) {
    static const struct {
        const char *name, *value;
    } list[] = {{"rename", "tags:none=a"}, {"rename", "tags:99=a"},  {"rename", "surfaces:none=a"},
                {"set-skin", "none=a"},    {"set-skin", "0:9=a"},    {"set-skin", "9=a"},
                {"add-skin", "none=a"},    {"drop", "skins:none:0"}, {"drop", "tags:none"},
                {"move-tag", "none=1,2,3"}};
    AT_END(blob_free) blob file = make_md3(&small_md3);
    OWNED(lm_edit) *edit = open_edit(&file);
    uint32_t count;
    for (size_t i = 0; i < COUNT_OF(list); i++) {
        bool missing = false;
        lm_error error = {0};
        if (lm_edit_set(edit, list[i].name, list[i].value, NULL, &error))
            fail_msg("%s %s is accepted", list[i].name, list[i].value);
        assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
        if (!lm_edit_set(edit, list[i].name, list[i].value, &missing, &error) || !missing)
            fail_msg("%s %s is not missing: %s", list[i].name, list[i].value, error.message);
    }
    lm_edit_changes(edit, &count);
    assert_int_equal(count, 0);
}

TEST(test_lists_and_names_that_do_not_exist) {
    AT_END(blob_free) blob file = make_md3(&small_md3);
    OWNED(lm_edit) *edit = open_edit(&file);
    uint32_t count;
    lm_error error = {0};
    assert_false(lm_edit_count(edit, (lm_edit_list)77, 0, &count, &error));
    assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
    assert_false(lm_edit_select(edit, LM_EDIT_TAGS, 0, NULL, 1, &error));
    assert_string_equal(error.message, "md3: indices is NULL, but its number is 1");
    for (int list = LM_EDIT_SKINS; list < LM_NUM_EDIT_LISTS; list++) {
        error.code = LM_CODE_OK;
        assert_false(lm_edit_rename(edit, (lm_edit_list)list, 0, 0, NULL, &error));
        assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
    }
}

TEST(test_choices) {
    lm_error *error = NULL;
    AT_END(blob_free) blob file = make_md3(&small_md3);
    OWNED(lm_edit) *edit = open_edit(&file);
    const uint32_t all = (uint32_t)small_md3.num_frames;
    assert_true(SET("drop", "frames:1"));
    assert_int_equal(count_of(edit, LM_EDIT_FRAMES), all - 1);
    assert_true(SET("reverse", ""));
    assert_true(SET("order", "frames:0,0") && SET("reverse", "all") && SET("keep", "frames:1,0"));
    assert_int_equal(count_of(edit, LM_EDIT_FRAMES), 2);
    assert_true(SET("keep", "skins:0:0"));
    assert_int_equal(count_of(edit, LM_EDIT_SKINS), 1);
    assert_true(SET("add-skin", "0=b/c.tga") && SET("set-skin", "0:1=d") && SET("path", "s/d/e/"));
    assert_edit_name(edit, LM_EDIT_SKINS, 1, "e");
    assert_true(SET("rename", "header:s/.*/x/") && SET("rename", "surfaces:0=y"));
    assert_edit_name(edit, LM_EDIT_HEADER, 0, "x");
    assert_edit_name(edit, LM_EDIT_SURFACES, 0, "y");
    assert_false(SET("move", "0.01,0,0"));
    assert_true(SET("round", NULL) && SET("move", "0.01,0,0"));
    assert_true(SET("rotate", "-90") && SET("reencode", "") && SET("rotate", "45"));
    assert_true(SET("fix", "all"));
}

/* Tests names: clips are renamed through their frames' names, and found by name. */

TEST(test_a_clip_names_its_frames) {
    AT_END(blob_free) blob file = make_md2(&small_md2); /* stand01, stand02, run3 */
    OWNED(lm_edit) *edit = open_edit(&file);
    uint32_t first, count;
    assert_int_equal(count_of(edit, LM_EDIT_CLIPS), 2);
    assert_true(lm_edit_clip(edit, 1, &first, &count, NULL));
    assert_int_equal(first, 2);
    assert_int_equal(count, 1);
    assert_true(lm_edit_rename(edit, LM_EDIT_CLIPS, 0, 0, "idle", NULL));
    assert_edit_name(edit, LM_EDIT_FRAMES, 0, "idle01");
    assert_edit_name(edit, LM_EDIT_FRAMES, 1, "idle02");
    assert_edit_name(edit, LM_EDIT_CLIPS, 0, "idle");
    assert_true(lm_edit_set(edit, "rename", "clips:s/^/x/", NULL, NULL));
    assert_edit_name(edit, LM_EDIT_FRAMES, 0, "xidle01");
    assert_edit_name(edit, LM_EDIT_FRAMES, 2, "xrun3");
    assert_true(lm_edit_rename(edit, LM_EDIT_FRAMES, 0, 1, "walk07", NULL));
    assert_int_equal(count_of(edit, LM_EDIT_CLIPS), 3);
    lm_edit_changes(edit, &count);
    assert_int_equal(count, 4);
}

/* Clips of a file take the place of those that names form, and go with their frames. */
TEST(test_clips_of_a_file) {
    static const lm_clip clips[] = {{.name = "IDLE1", .count = 1, .fps = 10},
                                    {.name = "RELOAD1", .first = 1, .count = 2, .fps = 10}};
    static const struct {
        const char *name, *value, *after, *next, *last; /* next: another change of clips */
    } list[] = {{"keep", "clips:RELOAD1", "2: 1-2", "reload1", "2: 1, 0"},
                {"drop", "clips:idle1", "2: 1-2", "RELOAD1", "2: 1, 0"},
                {"order", "clips:RELOAD1,IDLE1", "3: 1-2, 0", "RELOAD1", "3: 1, 0, 2"},
                {"order", "frames:0,1,0,2", "4: 0-1, 0, 2", "RELOAD1", NULL}, /* 2 is not after 1 */
                {"keep", "clips:IDLE1", "1: 0", "RELOAD1", ""}};
    lm_error error;
    counted counts = {0};
    const lm_load_options options = {.memory = {.allocator = counting_allocator(&counts)}};
    AT_END(blob_free) blob file = make_md2(&small_md2); /* stand01, stand02, run3 */
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        uint32_t count;
        const char *last = list[i].last;
        OWNED(lm_edit) *edit = open_edit(&file);
        assert_true(lm_edit_use_clips(edit, clips, 2, &error));
        assert_edit_name(edit, LM_EDIT_CLIPS, 0, "IDLE1");
        assert_false(lm_edit_set(edit, "keep", "clips:stand", NULL, NULL));
        assert_true(lm_edit_set(edit, list[i].name, list[i].value, NULL, NULL));
        assert_string_equal(lm_edit_changes(edit, &count)[0].after, list[i].after);
        assert_int_equal(lm_edit_set(edit, "reverse", list[i].next, NULL, NULL), !last || *last);
        const lm_edit_change *changes = lm_edit_changes(edit, &count);
        assert_int_equal(count, last && *last ? 2 : 1);
        if (count == 2)
            assert_string_equal(changes[1].after, last);
    }
    OWNED(lm_edit) *chosen = open_edit(&file);
    assert_true(lm_edit_use_clips(chosen, clips, 2, &error));
    assert_true(lm_edit_rename(chosen, LM_EDIT_CLIPS, 0, 1, "walk", &error));
    assert_edit_name(chosen, LM_EDIT_FRAMES, 1, "walk01");
    assert_edit_name(chosen, LM_EDIT_CLIPS, 1, "RELOAD1"); /* as in its file */
    assert_true(lm_edit_select(chosen, LM_EDIT_FRAMES, 0, &(uint32_t){0}, 1, &error));
    assert_false(lm_edit_set(chosen, "reverse", "RELOAD1", NULL, NULL));
    OWNED(lm_edit) *edit = lm_edit_open(file.data, file.size, &options, NULL);
    const lm_clip beyond = {.name = "x", .first = 2, .count = 2, .fps = 10};
    assert_false(lm_edit_use_clips(edit, &beyond, 1, &error));
    assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
    assert_false(lm_edit_use_clips(edit, NULL, 1, &error));
    counts.fail_at = counts.calls + 1;
    assert_false(lm_edit_use_clips(edit, clips, 2, &error));
    assert_int_equal(error.code, LM_CODE_OUT_OF_MEMORY);
}

TEST(test_names_are_found) {
    AT_END(blob_free) blob file = make_md2(&small_md2); /* stand01, stand02, run3 */
    OWNED(lm_edit) *edit = open_edit(&file);
    uint32_t index = 9;
    lm_error error = {0};
    assert_false(lm_edit_find(edit, LM_EDIT_FRAMES, 0, "stand", &index, &error));
    assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
    assert_false(lm_edit_find(edit, LM_EDIT_SKINS, 0, "stand02", &index, NULL));
    assert_false(lm_edit_find(edit, LM_EDIT_FRAMES, 0, NULL, &index, NULL));
    assert_int_equal(index, 9);
    assert_true(lm_edit_find(edit, LM_EDIT_FRAMES, 0, "stand02", &index, NULL));
    assert_int_equal(index, 1);
    assert_true(lm_edit_find(edit, LM_EDIT_FRAMES, 0, "RUN3", &index, NULL));
    assert_int_equal(index, 2);
    assert_true(lm_edit_find(edit, LM_EDIT_CLIPS, 0, "run", &index, NULL));
    assert_int_equal(index, 1);
}

/* Two clips with one name get different names, which their frames' names lack. */
TEST(test_clip_with_a_distinguishing_suffix) {
    AT_END(blob_free) blob file = make_md2(&small_md2);
    OWNED(lm_edit) *edit = open_edit(&file);
    for (uint32_t i = 0; i < 3; i++)
        assert_true(lm_edit_rename(edit, LM_EDIT_FRAMES, 0, i, i == 1 ? "b01" : "run01", NULL));
    assert_edit_name(edit, LM_EDIT_CLIPS, 2, "run_2");
    assert_true(lm_edit_rename(edit, LM_EDIT_CLIPS, 0, 2, "sprint", NULL));
    assert_edit_name(edit, LM_EDIT_FRAMES, 2, "sprint01");
    assert_edit_name(edit, LM_EDIT_FRAMES, 0, "run01");
}

/* Finding clips needs memory: if it fails, the error is not a missing clip. */
TEST(test_lack_of_memory_is_not_a_missing_clip) {
    counted counts = {0};
    const lm_memory memory = {.allocator = counting_allocator(&counts)};
    uint32_t first, count, index;
    lm_error error = {0};
    AT_END(blob_free) blob file = make_md2(&small_md2);
    OWNED(lm_edit) *edit =
        lm_edit_open(file.data, file.size, &(lm_load_options){.memory = memory}, NULL);
    counts.fail_at = counts.calls + 1;
    assert_false(lm_edit_clip(edit, 1, &first, &count, &error));
    assert_int_equal(error.code, LM_CODE_OUT_OF_MEMORY);
    counts.fail_at = counts.calls + 1;
    assert_false(lm_edit_count(edit, LM_EDIT_CLIPS, 0, &count, &error));
    assert_int_equal(error.code, LM_CODE_OUT_OF_MEMORY);
    counts.fail_at = counts.calls + 1;
    assert_false(lm_edit_find(edit, LM_EDIT_CLIPS, 0, "run", &index, &error));
    assert_int_equal(error.code, LM_CODE_OUT_OF_MEMORY);
    assert_false(lm_edit_clip(edit, 2, &first, &count, &error));
    assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
    assert_true(lm_edit_find(edit, LM_EDIT_CLIPS, 0, "run", &index, &error));
}

/* Tests substitutions: patterns and their matches. */

TEST(test_patterns) {
    static const struct {
        const char *pattern, *name, *expected;
    } tries[] = {
        {"s/a/b/", "banana", "bbnana"},
        {"s/a/b/g", "banana", "bbnbnb"},
        {"s#^models/#players/#", "models/a/b.pcx", "players/a/b.pcx"},
        {"s#^models/#players/#", "xmodels/a", "xmodels/a"},
        {"s#\\.pcx$#.tga#", "a.pcx.pcx", "a.pcx.tga"},
        {"s/.pcx/x/", "apcx", "x"},
        {"s/.pcx/x/", "apcxx.pcx", "xx.pcx"},
        {"s/PCX/tga/i", "a.pcX", "a.tga"},
        {"s/[A-C]/x/gi", "aBcD", "xxxD"},
        {"s/[^a-c/]/-/g", "ab/de", "ab/--"},
        {"s/[]x]/-/g", "a]x", "a--"},
        {"s/[]/]/-/g", "a]/", "a--"},
        {"s/[^]/]/-/g", "a]/b", "-]/-"},
        {"s/(.*)\\/(.*)/\\2 of \\1/", "a/b/c", "c of a/b"},
        {"s/a*/x/", "baaa", "xbaaa"},
        {"s/a*/x/g", "baac", "xbxcx"},
        {"s/a+/x/g", "baac", "bxc"},
        {"s/(ab)+/<&>/", "xababa", "x<abab>a"},
        {"s/colou?r/x/", "color", "x"},
        {"s/cat|dog/pet/g", "cat dog cow", "pet pet cow"},
        {"s/^(a|ab)(c|bcd)$/\\2\\1/", "abcd", "bcda"},
        {"s/$/!/", "a", "a!"},
        {"s/^/!/g", "a", "!a"},
        {"s/x/a\\&b/", "x", "a&b"},
        {"s,a\\,b,c,", "a,b", "c"},
        {"s/a\\/b/c/", "a/b", "c"},
        {"s/(a)|b/[\\1]/g", "ab", "[a][]"},
        {"s/(a*)*b/x/", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaac", ""},
        {"s/^(abcdefghijkl)*z$/x/", "abcdefghijklabcdefghijklz", "x"},
        {"s/^abcdefghijkl|m$/x/", "abcdefghijklm", "xm"},
        {"s/(a|a)*(a|a)*(a|a)*$/x/", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab",
         "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaabx"},
        {"s/a//", "a", ""},
    };
    AT_END(blob_free) blob file = make_md3(&small_md3);
    for (size_t i = 0; i < COUNT_OF(tries); i++) {
        lm_error error;
        OWNED(lm_edit) *edit = open_edit(&file);
        const char *expected =
            *tries[i].expected || strlen(tries[i].name) < 2 ? tries[i].expected : tries[i].name;
        assert_true(lm_edit_rename(edit, LM_EDIT_HEADER, 0, 0, tries[i].name, NULL));
        char change[96];
        snprintf(change, sizeof change, "header:%s", tries[i].pattern);
        assert_done(lm_edit_set(edit, "rename", change, NULL, &error), error);
        assert_edit_name(edit, LM_EDIT_HEADER, 0, expected);
    }
}

TEST(test_invalid_patterns) {
    static const char *const none[] = {"",
                                       "s",
                                       "x/a/b/",
                                       "s/a/b",
                                       "s/a",
                                       "sxaxbx",
                                       "s/a/b/q",
                                       "s/(a/b/",
                                       "s/a)/b/",
                                       "s/[a/b/",
                                       "s/*a/b/",
                                       "s/a|+/b/",
                                       "s/(/b/",
                                       "s/[]/b/",
                                       "s\\a\\b\\",
                                       "s a b ",
                                       "s/((((((((((a))))))))))/b/",
                                       ("s/[a][a][a][a][a][a][a][a][a][a][a][a]"
                                        "[a][a][a][a][a]/b/")};
    /* Patterns with the maximum of 255 steps, and with one more, by each way to add a step. */
    static const struct {
        int plain;
        const char *behind;
        bool fits;
    } edges[] = {{255, "", true},    {256, "", false},  {253, "b*", false}, {252, "b*", true},
                 {254, "b*", false}, {255, "*", false}, {255, "+", false},  {254, "+", true},
                 {255, "?", false},  {254, "?", true},  {254, "|", false},  {253, "|", true},
                 {255, "|", false},  {255, "(", false}, {254, "()", false}, {253, "()", true}};
    char longer[700] = "s/";
    lm_error error;
    for (size_t i = 0; i < COUNT_OF(none); i++) {
        if (lm_edit_set(NULL, "path", none[i], NULL, &error))
            fail_msg("%s is understood", none[i]);
        assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
        record_output("%s", error.message);
    }
    for (size_t i = 0; i < COUNT_OF(edges); i++) {
        memset(longer + 2, 'a', (size_t)edges[i].plain);
        snprintf(longer + 2 + edges[i].plain, 8, "%s/b/", edges[i].behind);
        if (lm_edit_set(NULL, "path", longer, NULL, &error) != edges[i].fits)
            fail_msg("%d bytes and %s", edges[i].plain, edges[i].behind);
        if (!edges[i].fits)
            assert_non_null(strstr(error.message, "too long"));
    }
    memset(longer + 2, 'a', 500);
    memcpy(longer + 502, "/b/", 4);
    assert_false(lm_edit_set(NULL, "path", longer, NULL, &error));
    record_output("%.120s", strstr(error.message, " is not"));
    assert_matches_golden("patterns");
}
