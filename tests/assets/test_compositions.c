/* Tests compositions: the entries of scripts, also of damaged ones, and the clips at rest. */
#include "tree.h"

#include "sources.h"

#define BASE "x/base/"

static const char script[] =
    "menu_model hat // menu_model comment { }\n"
    "{\n\tmodel\t\"a/hat\"\n\ttag \"tag_head\"\n\tparent man\n\tskin 2\n\tcolor \"1 1 1\"\n}\n"
    "menu_model man { model a/man need hat need hat2 anim \"stand\" }\n"
    "menu_model MAN { model a/other }\n"
    "other { menu_model inside { model a/man } }\n"
    "menu_model flat { model a/flat shadow }\n"
    "team squad { size 1 templates ( soldier ) models {\n"
    "male(\"a\" \"man\" \"hat\" 1 2) female ( a man hat 0 -7 ) male(\"a\" \"man\" \"\" 70000 0 9) "
    "}\n"
    "actorsounds { male { hurt \"a\" } } }\n";

/* A name, model, folder, head, tag, parent and clip; skins and the number of needs. */
typedef struct expected {
    const char *texts[7];
    uint32_t skin, head_skin, num_needs;
} expected;

static const expected all[] = {
    {{"hat", "a/hat", NULL, NULL, "tag_head", "man", NULL}, 2, 0, 0},
    {{"man", "a/man", NULL, NULL, NULL, NULL, "stand"}, 0, 0, 2},
    {{"flat", "a/flat", NULL, NULL, NULL, NULL, NULL}, 0, 0, 0},
    {{"squad/male1", "man", "a", "hat", NULL, NULL, "stand0"}, 1, 2, 0},
    {{"squad/female1", "man", "a", "hat", NULL, NULL, "stand0"}, 0, 0, 0},
    {{"squad/male2", "man", "a", "", NULL, NULL, "stand0"}, 0, 0, 0},
};

static void expect_entry(const lm_ufo_entry *entry, const expected *e) {
    const char *const texts[] = {entry->name, entry->model,  entry->folder, entry->head,
                                 entry->tag,  entry->parent, entry->clip};
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        if (e->texts[i])
            assert_string_equal(texts[i], e->texts[i]);
        else
            assert_null(texts[i]);
    assert_int_equal(entry->skin, e->skin);
    assert_int_equal(entry->head_skin, e->head_skin);
    assert_int_equal(entry->num_needs, e->num_needs);
}

/* Reads the first `size` bytes of the script. Returns the number of its entries, which are those
 * that end before. */
static size_t count_entries(size_t size) {
    static const char path[] = BASE "ufos/s.ufo";
    tree_put(path, script, size);
    lm_error error;
    OWNED(lm_vfs) *vfs = lm_vfs_new(NULL, NULL);
    const char *at = tree_at(path);
    assert_int_equal(lmi_ufo_length(vfs, at), strlen(at));
    const lm_ufo_script *read = lmi_ufo_script_of(vfs, at, strlen(at), &error);
    assert_non_null(read);
    const size_t count = read->num_entries;
    assert_true(count <= COUNT_OF(all));
    for (size_t i = 0; i < count; i++) {
        expect_entry(&read->entries[i], &all[i]);
        assert_ptr_equal(lmi_ufo_find(read, all[i].texts[0]), &read->entries[i]);
    }
    if (count > 1) {
        assert_string_equal(read->needs[read->entries[1].first_need + 1], "hat2");
        assert_ptr_equal(lmi_ufo_find(read, "Man"), &read->entries[1]);
    }
    assert_null(lmi_ufo_find(read, "inside"));
    return count;
}

TEST(entries_of_a_script) {
    assert_int_equal(count_entries(strlen(script)), COUNT_OF(all));
}

/* A prefix has the entries before its end. */
TEST(prefixes) {
    size_t last = 0;
    for (size_t size = 0; size < strlen(script); size++) {
        const size_t count = count_entries(size);
        assert_true(count >= last && count <= last + 1);
        last = count;
    }
    assert_int_equal(last, COUNT_OF(all));
}

/* ---- Scenes ---------------------------------------------------------------------------------- */

static void expect_rest(const char *path, const char *clip) {
    AT_END(drop_fresh) lm_assets *assets = open_fresh(tree_at(path), NULL);
    const lm_clip *idle = assets->scene->parts[0].idle;
    assert_non_null(idle);
    assert_string_equal(idle->name, clip);
}

/* Members stand as without a weapon. */
TEST(clips_at_rest) {
    static const char text[] = "menu_model m { model a/man anim run }\n"
                               "team t { models { male(a man \"\" 0 0) } }\n";
    tree_put_text(BASE "ufos/rest.ufo", text);
    tree_folder(BASE "models/a");
    tree_put_blob(BASE "models/a/man.md2", make_md2(&small_md2));
    tree_put_text(BASE "models/a/man.anm", "walk 0 0 10\nrun 1 1 10\nstand0 0 1 10\n");
    expect_rest(BASE "ufos/rest.ufo/m", "run");
    expect_rest(BASE "ufos/rest.ufo/t/male1", "stand0");
}

static int make_game(void **state) {
    const int failed = tree_make(state);
    tree_folder(BASE "ufos");
    return failed;
}

TEST_GROUP(make_game, tree_remove)
