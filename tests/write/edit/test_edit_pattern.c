/* Tests substitutions: patterns and their matches. */
#include "edits.h"

#include <stdio.h>

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
        if (!lm_edit_substitute(edit, LM_EDIT_HEADER, tries[i].pattern, NULL, &error))
            fail_msg("%s", error.message);
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
        if (lm_edit_check_substitution(none[i], &error))
            fail_msg("%s is understood", none[i]);
        assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
        record_output("%s", error.message);
    }
    for (size_t i = 0; i < COUNT_OF(edges); i++) {
        memset(longer + 2, 'a', (size_t)edges[i].plain);
        snprintf(longer + 2 + edges[i].plain, 8, "%s/b/", edges[i].behind);
        if (lm_edit_check_substitution(longer, &error) != edges[i].fits)
            fail_msg("%d bytes and %s", edges[i].plain, edges[i].behind);
        if (!edges[i].fits)
            assert_non_null(strstr(error.message, "too long"));
    }
    memset(longer + 2, 'a', 500);
    memcpy(longer + 502, "/b/", 4);
    assert_false(lm_edit_check_substitution(longer, &error));
    record_output("%.120s", strstr(error.message, " is not"));
    assert_matches_golden("patterns");
}
