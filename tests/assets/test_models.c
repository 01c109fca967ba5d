/* Tests lists of models from a folder, an archive or a pattern: the models, their order, and
 * reports on those that cannot be listed. */
#include "tree.h"

#include "core/arena.h"
#include "vfs_path.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static lm_vfs *vfs;

/* Replaces the system's function, for the library too: the superuser can open any folder. */
// NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name)
DIR *opendir(const char *path) {
    if (strstr(path, "closed")) {
        errno = EACCES;
        return NULL;
    }
    int folder = open(path, O_RDONLY | O_DIRECTORY);
    return folder < 0 ? NULL : fdopendir(folder);
}

static void put_archives(void) {
    const packed_file files[] = {{.name = "models/b.md3", .data = "b", .size = 1},
                                 {.name = "models/sub/c.MD3", .data = "c", .size = 1},
                                 {.name = "models/sub/c.txt", .data = "t", .size = 1},
                                 {.name = "models/substance/d.mdc", .data = "d", .size = 1}};
    AT_END(blob_free) blob whole = make_pk3(files, COUNT_OF(files)), poor = make_pk3(files + 2, 1);
    tree_put("game.pk3", whole.data, whole.size);
    tree_put("poor.pk3", poor.data, poor.size);
    memset(whole.data + pk3_directory(&whole), 0x55, 4);
    tree_put("broken.pk3", whole.data, whole.size);
}

static int make_tree(void **state) {
    static const char *const folders[] = {"tree",           "tree/a", "tree/closed", "tree/.hidden",
                                          "tree/model.md2", "closed", "empty"};
    static const char *const files[] = {"tree/a/b.md2", "tree/a/c.md2", "tree/a.md2",
                                        "tree/z.MDL",   "tree/a.txt",   "tree/.hidden/h.md2"};
    if (tree_make(state) != 0)
        return -1;
    for (size_t i = 0; i < COUNT_OF(folders); i++)
        tree_folder(folders[i]);
    for (size_t i = 0; i < COUNT_OF(files); i++)
        tree_put(files[i], "x", 1);
    tree_link("..", "tree/round");
    tree_link("nowhere", "tree/lost.md2");
    tree_link("nowhere", "tree/lost.txt");
    tree_link("a.md2", "tree/link.md2");
    put_archives();
    vfs = lm_vfs_new(NULL, NULL);
    return vfs ? 0 : -1;
}

static int remove_tree(void **state) {
    lm_vfs_free(vfs);
    return tree_remove(state);
}

/* `trees` are the ends of the models' paths; "!WORDS" is a problem whose message has these
 * words. */
static void expect_models(const char *path, const char *const *trees, size_t count) {
    OWNED(lm_path_list) *list = lm_vfs_list(vfs, path, LM_LIST_MODELS, NULL);
    assert_non_null(list);
    for (size_t i = 0; i < count && i < list->num_paths; i++) {
        const lm_listed_path *listed = &list->paths[i];
        const bool problem = *trees[i] == '!';
        const char *said = listed->problem ? listed->problem->message : listed->tree;
        if (problem != (listed->problem != NULL) ||
            !(problem ? strstr(said, trees[i] + 1) != NULL : strcmp(said, trees[i]) == 0))
            fail_msg("%s: %zu is %s, \"%s\", not \"%s\"", path, i, listed->path, said, trees[i]);
        if (!problem && strcmp(listed->path + strlen(listed->path) - strlen(said), said) != 0)
            fail_msg("%s does not end in %s", listed->path, said);
    }
    assert_int_equal(list->num_paths, count);
}

#define EXPECT_MODELS(path, ...)                            \
    expect_models(path, (const char *const[]){__VA_ARGS__}, \
                  COUNT_OF(((const char *const[]){__VA_ARGS__})))

/* Hidden files are left out, and so are linked folders, which may form cycles. */
TEST(models_below_a_folder) {
    for (int slash = 0; slash < 2; slash++)
        EXPECT_MODELS(tree_at(slash ? "tree/" : "tree"), "!Permission denied", "!leads nowhere",
                      "!leads to a folder", "a.md2", "a/b.md2", "a/c.md2", "link.md2", "z.MDL");
    EXPECT_MODELS(tree_at("tree/a"), "b.md2", "c.md2");
    EXPECT_MODELS(tree_at("closed"), "!Permission denied");
    EXPECT_MODELS(tree_at("empty"), "!this folder contains no models (.md2, ");
}

TEST(models_below_a_folder_of_an_archive) {
    EXPECT_MODELS(tree_at("game.pk3"), "models/b.md3", "models/sub/c.MD3",
                  "models/substance/d.mdc");
    EXPECT_MODELS(tree_at("game.pk3:models/sub"), "c.MD3");
    EXPECT_MODELS(tree_at("game.pk3:models/sub/"), "c.MD3");
    EXPECT_MODELS(tree_at("game.pk3:Models/SUB"), "c.MD3");
    EXPECT_MODELS(tree_at("game.pk3:models/su"),
                  "!the archive has no such file, and no such folder with models");
    EXPECT_MODELS(tree_at("poor.pk3:models"),
                  "!the archive has no such file, and no such folder with models");
}

TEST(models_matching_a_pattern) {
    EXPECT_MODELS(tree_at("game.pk3:**/c.*"), "models/sub/c.MD3");
    EXPECT_MODELS(tree_at("game.pk3:*.md2"), "!no model in the archive matches this pattern");
}

TEST(archives_without_models) {
    EXPECT_MODELS(tree_at("poor.pk3"), "!this archive contains no models (.md2, ");
    OWNED(lm_path_list) *list =
        lm_vfs_list(vfs, tree_at("broken.pk3:models/b.md3"), LM_LIST_MODELS, NULL);
    assert_int_equal(list->num_paths, 1);
    assert_string_equal(list->paths[0].path, tree_at("broken.pk3"));
    assert_error_valid(list->paths[0].problem);
}

/* Any path lists itself: opening it reports a missing file. */
TEST(other_paths_list_themselves) {
    const char *paths[] = {"-", tree_at("none.md2"), tree_at("tree/a.txt"),
                           tree_at("game.pk3:models/b.md3")};
    for (size_t i = 0; i < COUNT_OF(paths); i++) {
        OWNED(lm_path_list) *list = lm_vfs_list(vfs, paths[i], LM_LIST_MODELS, NULL);
        assert_int_equal(list->num_paths, 1);
        assert_string_equal(list->paths[0].path, paths[i]);
        assert_null(list->paths[0].tree);
        assert_null(list->paths[0].problem);
    }
}

/* One letter per path: P a player's body, o another file of the player, - neither. */
static void expect_players(const char *path, const char *letters, const char *folder) {
    OWNED(lm_path_list) *list = lm_vfs_list(vfs, path, LM_LIST_MODELS, NULL);
    assert_non_null(list);
    assert_int_equal(list->num_paths, strlen(letters));
    for (uint32_t i = 0; i < list->num_paths; i++) {
        const lm_listed_path *listed = &list->paths[i];
        const char found = listed->player ? 'P' : listed->of_player ? 'o' : '-';
        if (found != letters[i])
            fail_msg("%s is %c, not %c", listed->path, found, letters[i]);
        if (listed->player)
            assert_string_equal(listed->player, folder);
    }
}

TEST(players_are_recognised) {
    char monk[256];
    snprintf(monk, sizeof monk, "%s", tree_at("[clan]/monk"));
    tree_folder("[clan]/gun");
    tree_folder("[clan]/monk");
    static const char *const files[] = {"gun/head.md3",    "gun/lower.md2",   "monk/extra.md3",
                                        "monk/head_1.md3", "monk/head_3.md3", "monk/heads.md3",
                                        "monk/lower.MD3",  "monk/upper.mdc",  "monk/weapon.md2"};
    for (size_t i = 0; i < COUNT_OF(files); i++) {
        char name[64];
        snprintf(name, sizeof name, "[clan]/%s", files[i]);
        tree_put(name, "x", 1);
    }
    expect_players(tree_at("[clan]"), "---o--Poo", monk);
    expect_players(tree_at("[clan]/monk"), "-o--Poo", monk);

    /* A body with bones wears the models in folders below its own. */
    static const char *const worn[] = {"acc/hat.md3", "acc/pack/kit.md3", "body.mds", "extra.md3",
                                       "head.md3"};
    tree_folder("wolf");
    tree_folder("wolf/multi");
    tree_folder("wolf/multi/acc");
    tree_folder("wolf/multi/acc/pack");
    for (size_t i = 0; i < COUNT_OF(worn); i++) {
        char name[64];
        snprintf(name, sizeof name, "wolf/multi/%s", worn[i]);
        tree_put(name, "x", 1);
    }
    tree_put("wolf/multi.md3", "x", 1);
    snprintf(monk, sizeof monk, "%s", tree_at("wolf/multi"));
    expect_players(tree_at("wolf"), "-ooP-o", monk);
    expect_players(tree_at("wolf/multi"), "ooP-o", monk);

    /* Nearly all Quake II models are called tris.md2: a weapon file or the path marks a
     * player's. */
    const packed_file packed[] = {{.name = "x/weapon.md2", .data = "w", .size = 1},
                                  {.name = "x/tris.md2", .data = "t", .size = 1},
                                  {.name = "x/w_gun.md2", .data = "g", .size = 1},
                                  {.name = "monsters/brain/tris.md2", .data = "t", .size = 1}};
    AT_END(blob_free) blob whole = make_pk3(packed, COUNT_OF(packed));
    tree_put("clan.pk3", whole.data, whole.size);
    expect_players(tree_at("clan.pk3"), "-P-o", tree_at("clan.pk3:x"));
    expect_players(tree_at("clan.pk3:x"), "P-o", tree_at("clan.pk3:x"));
    expect_players(tree_at("clan.pk3:weapon*"), "-", NULL);
}

static void put_empty(const char *folder, const char *name) {
    char path[256];
    tree_folder(folder);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    tree_put(path, "x", 1);
}

TEST(players_are_below_players) {
    put_empty("quake/layers/boss", "tris.md2");
    put_empty("quake/players/cobra", "TRIS.md2");
    put_empty("quake/players/legs", "lower.md3");
    char cobra[256];
    snprintf(cobra, sizeof cobra, "%s", tree_at("quake/players/cobra"));
    expect_players(tree_at("quake"), "-P-", cobra);
    char body[256];
    assert_true(lmi_vfs_is_player_folder(vfs, tree_at("quake/players/cobra/")));
    assert_false(lmi_vfs_is_player_folder(vfs, tree_at("quake/layers/boss")));
    assert_false(lmi_vfs_is_player_folder(vfs, tree_at("quake/players/legs")));
    assert_false(lmi_vfs_is_player_folder(vfs, tree_at("quake/players")));
    assert_true(lm_vfs_find_player(vfs, tree_at("quake/layers/boss"), body, sizeof body, NULL));
    assert_string_equal(body, tree_at("quake/layers/boss/tris.md2"));
}

/* The .mdc comes first, whichever of the two names is asked for. */
TEST(games_open_mdc_first) {
    static const char *const files[] = {"w/a.md3", "w/a.mdc",     "w/B.MD3",     "w/c.MDC",
                                        "w/d.md2", "w/lower.md3", "w/lower.mdc", "w/upper.md3"};
    static const char *const pairs[][2] = {
        {"a.md3", "a.mdc"}, {"A.MDC", "a.mdc"}, {"B.MD3", "B.MD3"}, {"b.mdc", "B.MD3"},
        {"c.md3", "c.MDC"}, {"d.md2", NULL},    {"d.md3", NULL},    {"a", NULL}};
    packed_file packed[COUNT_OF(files)];
    for (size_t i = 0; i < COUNT_OF(files); i++) {
        put_empty("wolf/w", files[i] + 2);
        packed[i] = (packed_file){.name = files[i], .data = "x", .size = 1};
    }
    tree_put_blob("wolf.pk3", make_pk3(packed, COUNT_OF(packed)));
    lm_arena *arena = lmi_arena_new(NULL);
    for (int k = 0; k < 2; k++) {
        char root[256], path[512], body[512];
        snprintf(root, sizeof root, "%s", tree_at(k ? "wolf.pk3:w" : "wolf/w"));
        for (size_t i = 0; i < COUNT_OF(pairs); i++) {
            snprintf(path, sizeof path, "%s/%s", root, pairs[i][0]);
            const char *opened = lmi_vfs_game_model(vfs, path, arena);
            assert_int_equal(opened != NULL, pairs[i][1] != NULL);
            if (opened)
                assert_string_equal(opened + strlen(root) + 1, pairs[i][1]);
        }
        assert_true(lm_vfs_find_player(vfs, root, body, sizeof body, NULL));
        assert_string_equal(body + strlen(root) + 1, "lower.mdc");
    }
    lmi_arena_delete(arena);
}

TEST(names_of_pieces_have_their_tags) {
    static const char *const cases[][3] = {
        {"w/v_gun.mdc", "w/v_gun_hand.mdc", "v_gun_hand:tag_weapon"},
        {"w/V_Gun_Barrel.md3", "w/v_gun.mdc", "V_Gun_hand:tag_barrel"},
        {"w/v_gun_barrel7.mdc", NULL, "v_gun_hand:tag_barrel7"},
        {"w/v_gun_scope.mdc", "w/v_gun_hand.mdc", "v_gun:tag_scope"},
        {"w/v_gun_flash.mdc", NULL, "v_gun:tag_flash"},
        {"w/v_gun_hand.mdc", NULL, NULL},           /* nothing holds the hand */
        {"w/v_gun_barrel.txt", NULL, NULL},         /* no model */
        {"w/gun.mdc", NULL, NULL},                  /* no weapon */
        {"w/v_.mdc", NULL, NULL},                   /* without a name */
        {"w/v_guns.mdc", "w/v_gun_hand.mdc", NULL}, /* another weapon */
        {"x/v_gun.mdc", "w/v_gun_hand.mdc", NULL},  /* another folder */
        {"w/v_gun.mdc", "w/v_gun_barrel.mdc", "v_gun_hand:tag_weapon"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char tag[64] = "";
        const bool is = lmi_weapon_tag(vfs, cases[i][0], cases[i][1], tag, sizeof tag);
        assert_int_equal(is, cases[i][2] != NULL);
        assert_string_equal(tag, cases[i][2] ? cases[i][2] : "");
    }
}

/* A weapon of Return to Castle Wolfenstein is its hand, the model and what belongs to them. */
TEST(weapons_are_recognised) {
    static const char *const files[] = {
        "gun/gun.mdc",       "gun/v_a.mdc",       "gun/v_a_barrel.mdc", "gun/v_a_barrel2.MD3",
        "gun/v_a_flash.mdc", "gun/v_a_hand.md3",  "gun/v_a_hand.mdc",   "gun/v_ab.mdc",
        "gun/v_b_hand.mdc",  "gun/v_c_barrel.mdc"};
    char weapon[256];
    for (size_t i = 0; i < COUNT_OF(files); i++) {
        char folder[64], *slash = strrchr(strcpy(folder, files[i]), '/');
        *slash = '\0';
        char place[80];
        snprintf(place, sizeof place, "arms/%s", folder);
        put_empty(place, slash + 1);
    }
    snprintf(weapon, sizeof weapon, "%s", tree_at("arms/gun/v_a"));
    expect_players(tree_at("arms"),
                   "-ooooo"
                   "P---",
                   weapon);
    char body[256];
    assert_true(lm_vfs_find_player(vfs, tree_at("arms/gun"), body, sizeof body, NULL));
    assert_string_equal(body, tree_at("arms/gun/v_a_hand.mdc"));
    assert_true(lm_vfs_find_player(vfs, weapon, body, sizeof body, NULL));
    assert_true(lmi_vfs_is_player_folder(vfs, tree_at("arms/gun")));
    assert_false(lm_vfs_find_player(vfs, tree_at("arms/gun/v_b"), body, sizeof body, NULL));
    assert_false(lm_vfs_find_player(vfs, tree_at("arms"), body, sizeof body, NULL));
}

TEST_GROUP(make_tree, remove_tree)
