/* Tests clips from sidecar files of a model. */

#include "support.h"

/* ---- Files: contents ----------------------------------------------------------------------- */

static const char player_cfg[] = "// animation config file\n"
                                 "\n"
                                 "sex f\r\n"
                                 "headoffset -4 0 0\n"
                                 "footsteps boot\n"
                                 "fixedtorso\n"
                                 "0\t30\t0\t25\t\t// BOTH_DEATH1\n"
                                 "29 1 0 25 // BOTH_DEAD1 (the last of it)\n"
                                 "30 40 40 18 // TORSO_GESTURE\n"
                                 "70 -6 1 15 // TORSO_ATTACK (MUST NOT CHANGE)\n"
                                 "76 8 -1 20 // LEGS_WALKCR\n"
                                 "84 10 4 12.5 // LEGS_RUN";

static lm_clips *read_clips(const char *text, uint32_t frames, lm_clips_format format,
                            const char *file_name, lm_error *error) {
    size_t size = strlen(text);
    AT_END(drop_bytes) char *copy = malloc(size ? size : 1); /* without a terminating NUL */
    assert_non_null(copy);
    put_bytes(copy, text, size);
    lm_clips_options options = {.format = format, .file_name = file_name};
    return lm_clips_read(copy, size, frames, &options, error);
}

/* "name first+count@fps loop", followed by an arrow if backwards. */
static void describe_file(const lm_clips *clips, char *out, size_t size) {
    size_t used = 0;
    for (uint32_t i = 0; i < clips->num_clips && used < size; i++) {
        const lm_clip *c = &clips->clips[i];
        used += (size_t)snprintf(out + used, size - used, "%s%s %u+%u@%g %u%s", i ? "; " : "",
                                 c->name, c->first, c->count, (double)c->fps, c->loop_frames,
                                 c->backwards ? "<" : "");
    }
}

static void expect_file(const char *text, uint32_t frames, lm_clips_format format,
                        const char *expected) {
    char found[2000];
    lm_error error = {0};
    OWNED(lm_clips) *clips = read_clips(text, frames, format, NULL, &error);
    if (!clips) {
        fail_msg("not read: %s", error.message);
        return;
    }
    describe_file(clips, found, sizeof found);
    assert_string_equal(found, expected);
}

/* Returns the number of rows that a warning stands for; 0 if there is none. */
static uint32_t warned(const lm_clips *clips, lm_code code) {
    for (uint32_t i = 0; i < clips->num_warnings; i++)
        if (clips->warnings[i].code == code) {
            assert_true(strlen(clips->warnings[i].text) > 0);
            return clips->warnings[i].count;
        }
    return 0;
}

static void expect_warning(const char *text, uint32_t frames, lm_clips_format format, lm_code code,
                           uint32_t count, const char *sentence) {
    OWNED(lm_clips) *clips = read_clips(text, frames, format, "some/file.txt", NULL);
    assert_non_null(clips);
    assert_int_equal(clips->num_warnings, 1);
    assert_int_equal(warned(clips, code), count);
    assert_string_equal(clips->warnings[0].text, sentence);
}

TEST(test_animation_cfg) {
    expect_file(player_cfg, 1000, LM_CLIPS_AUTO,
                "BOTH_DEATH1 0+30@25 0; BOTH_DEAD1 29+1@25 0; TORSO_GESTURE 30+40@18 40; "
                "TORSO_ATTACK 70+6@15 1<; LEGS_WALKCR 30+8@20 8; LEGS_RUN 38+10@12.5 4");
}

/* upper.md3 has 76 frames, lower.md3 48: each gets its own clips (TORSO_ or LEGS_), and BOTH_. */
TEST(test_clips_of_player_parts) {
    expect_file(player_cfg, 76, LM_CLIPS_AUTO,
                "BOTH_DEATH1 0+30@25 0; BOTH_DEAD1 29+1@25 0; TORSO_GESTURE 30+40@18 40; "
                "TORSO_ATTACK 70+6@15 1<");
    expect_file(player_cfg, 48, LM_CLIPS_AUTO,
                "BOTH_DEATH1 0+30@25 0; BOTH_DEAD1 29+1@25 0; LEGS_WALKCR 30+8@20 8; "
                "LEGS_RUN 38+10@12.5 4");
    expect_warning(player_cfg, 48, LM_CLIPS_AUTO, LM_CODE_CLIP_PART, 2,
                   "some/file.txt: line 9: the clip belongs to the other part of the player (legs "
                   "or torso); ignored");
}

static void expect_part(const char *text, lm_player_part part, const char *expected) {
    char found[2000];
    const lm_clips_options options = {.player_part = part};
    OWNED(lm_clips) *clips = lm_clips_read(text, strlen(text), 1000, &options, NULL);
    assert_non_null(clips);
    describe_file(clips, found, sizeof found);
    assert_string_equal(found, expected);
    assert_int_equal(clips->num_warnings, 0);
}

TEST(test_named_player_parts) {
    static const char legs_alone[] = "0 5 0 9 // LEGS_RUN";
    expect_part(player_cfg, LM_PART_TORSO,
                "BOTH_DEATH1 0+30@25 0; BOTH_DEAD1 29+1@25 0; TORSO_GESTURE 30+40@18 40; "
                "TORSO_ATTACK 70+6@15 1<");
    expect_part(player_cfg, LM_PART_LEGS,
                "BOTH_DEATH1 0+30@25 0; BOTH_DEAD1 29+1@25 0; LEGS_WALKCR 30+8@20 8; "
                "LEGS_RUN 38+10@12.5 4");
    expect_part(legs_alone, LM_PART_LEGS, "LEGS_RUN 0+5@9 0");
    expect_part(legs_alone, LM_PART_TORSO, "LEGS_RUN 0+5@9 0");
}

TEST(test_rows_without_names) {
    char text[2000] = "sex m\n";
    for (int i = 0; i < 32; i++) /* and invalid lines, which do not count */
        snprintf(text + strlen(text), 60, "%s%d 10 0 15\n",
                 i == 8    ? "headoffset 0 0 0 0\n\n"
                 : i == 10 ? "0 10 0\n"
                           : "",
                 10 * i);
    OWNED(lm_clips) *clips = read_clips(text, 1000, LM_CLIPS_AUTO, NULL, NULL);
    assert_non_null(clips);
    assert_int_equal(clips->num_clips, 32);
    assert_string_equal(clips->clips[0].name, "BOTH_DEATH1");
    assert_string_equal(clips->clips[6].name, "TORSO_GESTURE");
    assert_string_equal(clips->clips[13].name, "LEGS_WALKCR");
    assert_int_equal(clips->clips[13].first, 60);
    assert_string_equal(clips->clips[24].name, "LEGS_TURN");
    assert_int_equal(clips->clips[24].first, 170);
    assert_string_equal(clips->clips[25].name, "TORSO_GETFLAG");
    assert_int_equal(clips->clips[25].first, 250);
    assert_string_equal(clips->clips[31].name, "clip31");
}

/* The first word of a comment begins with a letter or a digit. */
TEST(test_names_in_comments) {
    expect_file("0 5 0 9 // -- LEGS_RUN\n0 5 0 9 //\t/:`{@[z9 more\n0 5 0 9 // (2nd one)\n"
                "0 5 0 9 // .0:\n0 5 0 9 // _9\n0 5 0 9 // *A*\n0 5 0 9 // \x7fZ;\n0 5 0 9 // a",
                5, LM_CLIPS_ANIMATION_CFG,
                "LEGS_RUN 0+5@9 0; z9 0+5@9 0; 2nd 0+5@9 0; 0 0+5@9 0; 9 0+5@9 0; A* 0+5@9 0; "
                "Z 0+5@9 0; a 0+5@9 0");
}

TEST(test_names_before_numbers) {
    expect_file("version 2\nskeletal\nstartanims\nidle_one 0 10 10 15 0 200\nrun 10 6 0 20\n"
                "endanims\n",
                16, LM_CLIPS_AUTO, "idle_one 0+10@15 10; run 10+6@20 0");
}

TEST(test_framegroups) {
    expect_file("/* Made for a model\n1 2 3 4\n*/\n"
                "1 56 60 0 // erebus dieone\n57 46 30 1 // draw\n103 61 0.5 0 idle\n104 2\n",
                164, LM_CLIPS_AUTO,
                "erebus dieone 1+56@60 0; draw 57+46@30 46; idle 103+61@0.5 0; clip3 104+2@10 2");
    expect_file("0 5 10 1 // a\n0 5 10 1 // a\n0 5 10 1 // A", 5, LM_CLIPS_FRAMEGROUPS,
                "a 0+5@10 5; a_2 0+5@10 5; A_3 0+5@10 5");
}

/* The last frame is included, and the slowest rate is 0.01. */
TEST(test_anm) {
    const char *text = "// name\tstart\tend\tfps\n\ndeath1\t5\t\t9\t30 // falls\r\n"
                       "walk0 0 4 25.5\nCShoot_rifle 2 2 4\nidle 9 9 0\nwalk0 0 1 -3\n";
    const char *expected = "death1 5+5@30 0; walk0 0+5@25.5 5; CShoot_rifle 2+1@4 0; "
                           "idle 9+1@0.01 1; walk0_2 0+2@0.01 2";
    expect_file(text, 10, LM_CLIPS_ANM, expected);
    expect_file(text, 10, LM_CLIPS_AUTO, expected);
    expect_file("walk 3 9 10\nback 4 2 10", 5, LM_CLIPS_ANM, "walk 3+2@10 2");
    expect_warning("walk 0 9 10\nback 4 2 10\nrun 3 5 10", 5, LM_CLIPS_ANM, LM_CODE_CLIP_FRAMES, 3,
                   "some/file.txt: line 1: the clip extends beyond the model's last frame; "
                   "shortened");
    expect_warning("walk 0 1 10\n0 1 10 20\nrun 0 1\nrun 0 1 10 2\n", 5, LM_CLIPS_ANM,
                   LM_CODE_CLIP_LINE, 3, "some/file.txt: line 2: not a clip; ignored");
}

TEST(test_an_anm_has_128_clips) {
    char text[130 * 12 + 1];
    for (size_t i = 0; i < 130; i++)
        snprintf(text + 12 * i, 13, "c%03zu 0 1 10\n", i);
    OWNED(lm_clips) *clips = read_clips(text, 5, LM_CLIPS_AUTO, "x.anm", NULL);
    assert_non_null(clips);
    assert_int_equal(clips->num_clips, 128);
    assert_string_equal(clips->clips[127].name, "c127");
    assert_int_equal(warned(clips, LM_CODE_CLIP_LINE), 2);
    assert_string_equal(clips->warnings[0].text,
                        "x.anm: line 129: the engine reads only 128 clips; ignored");
}

/* Rows are named by their order alone. Twelve are read, and bits only after "newfmt". */
#define WEAPON_ROWS(bits)                                                                    \
    "0 1 20 1" bits " // IDLE1\n0 1 20 1" bits "\n1 3 20 2" bits " // ATTACK1\n1 3 0 9" bits \
    "\n1 3 20 -1" bits "\n7 5 12.5 0" bits " // ?\n12 6 16 0" bits "\n20 55 18 1" bits       \
    "\n20 55 18 1" bits "\n20 55 18 1" bits "\n"
#define OLD_WEAPON WEAPON_ROWS("")
#define NEW_WEAPON "newfmt\n" WEAPON_ROWS(" 0 0 0")
#define WEAPON_CLIPS                                                                               \
    "IDLE1 0+1@20 1; IDLE2 0+1@20 1; ATTACK1 1+3@20 2; ATTACK2 1+3@1 3; ATTACK_LASTSHOT 1+3@20 0;" \
    " DROP 7+5@12.5 0; RAISE 12+6@16 0; RELOAD1 20+55@18 1; RELOAD2 20+55@18 1; "                  \
    "RELOAD3 20+55@18 1"

#define THREE_ROWS "0 1 9 1 0 0 0\n0 1 9 1 0 0 0\n0 1 9 1 0 0 0\n"
#define NINE_ROWS THREE_ROWS THREE_ROWS THREE_ROWS

TEST(test_weapon_cfg) {
    static const char both[] = WEAPON_CLIPS "; ALTSWITCHFROM 0+1@20 1; ALTSWITCHTO 0+2@20 0";
    expect_file(OLD_WEAPON, 75, LM_CLIPS_WEAPON_CFG, WEAPON_CLIPS);
    expect_file(OLD_WEAPON, 75, LM_CLIPS_AUTO, WEAPON_CLIPS);
    expect_file("// x\n" OLD_WEAPON "0 1 20 1\n0 2 20 0\n", 75, LM_CLIPS_AUTO, both);
    expect_file("/*\n*/" NEW_WEAPON "0 1 20 1 0 0 0\n0 2 20 0 0 0 0\n", 75, LM_CLIPS_AUTO, both);
    expect_warning(NEW_WEAPON THREE_ROWS "0 1 1 1 0 0 0", 75, LM_CLIPS_AUTO, LM_CODE_CLIP_LINE, 2,
                   "some/file.txt: line 14: the game reads only 12 clips; ignored");
    expect_warning("newfmt\n0 4 9 0 0 0 0\n0 -2 9 0 0 0 0\n2 9 9 1 7 0 0\n" NINE_ROWS, 5,
                   LM_CLIPS_AUTO, LM_CODE_CLIP_FRAMES, 2,
                   "some/file.txt: line 3: the model has none of the clip's frames; ignored");
    /* The game rejects a file of less than ten rows. */
    expect_warning("newfmt\n" THREE_ROWS "\n", 5, LM_CLIPS_AUTO, LM_CODE_CLIP_LINE, 1,
                   "some/file.txt: line 4: the last row; the game needs 10 or more");
    /* It also rejects a long file. */
    char text[20000];
    snprintf(text, sizeof text, "%-19998s", NEW_WEAPON);
    expect_file(text, 75, LM_CLIPS_AUTO, WEAPON_CLIPS);
    memcpy(text + 19998, "\n", 2);
    expect_warning(text, 75, LM_CLIPS_AUTO, LM_CODE_CLIP_LINE, 1,
                   "some/file.txt: line 11: the last row; the game reads no file of 19999 bytes or "
                   "more");
    /* The game reads words: a line has any number of rows. */
    expect_file("NEWFMT 0 4 9 0 0 0 0 1 2 8 1 0 0 0 /* x */ 2 2 7 0 0 0 0\n1 1 6 0 0 0 0\n", 5,
                LM_CLIPS_AUTO, "IDLE1 0+4@9 0; IDLE2 1+2@8 1; ATTACK1 2+2@7 0; ATTACK2 1+1@6 0");
    expect_file("0 4 9 0 1 2 8 1\n1 1 6 0\n", 5, LM_CLIPS_WEAPON_CFG,
                "IDLE1 0+4@9 0; IDLE2 1+2@8 1; ATTACK1 1+1@6 0");
    expect_warning("newfmt x 0 4 9 0 0 0 0\n" NINE_ROWS, 5, LM_CLIPS_AUTO, LM_CODE_CLIP_LINE, 1,
                   "some/file.txt: line 1: not a clip; ignored");
    /* A row whose frames do not exist still has its name. */
    expect_file("newfmt\n0 4 9 0 0 0 0\n9 4 9 0 0 0 0\n1 2 9 0 0 0 0\n", 5, LM_CLIPS_AUTO,
                "IDLE1 0+4@9 0; ATTACK1 1+2@9 0");
}

/* Rows have the words that the game gives them, and a warning names the first that it reads
 * otherwise than its line shows it. */
TEST(test_damaged_rows_of_weapon_cfg) {
    static const char number[] = "a word is no number; the game reads the digits that it begins "
                                 "with, or 0",
                      missing[] = "numbers are missing; the game takes those of the next row, or 0",
                      more[] = "the line has more words than its rows; the game begins the next "
                               "row with them";
    static const struct {
        const char *rows, *first; /* the first two clips */
        unsigned line;            /* of the first problem; 0: there is none */
        const char *problem;
    } cases[] = {
        {"0 4 nan 0 0 0 0\n", "IDLE1 0+4@1 0; IDLE2 0+1@9 1;", 2, number},
        {"0 4 20x 0 0 0 0\n", "IDLE1 0+4@20 0; IDLE2 0+1@9 1;", 2, number},
        {"0 4.7 20 0 0 0 0\n", "IDLE1 0+4@20 0; IDLE2 0+1@9 1;", 2, number},
        {"0 4 1e1 2e1 0 0 0\n", "IDLE1 0+4@10 2; IDLE2 0+1@9 1;", 2, number},
        {"0 4 20 0 0 0 0//x\n", "IDLE1 0+4@20 0; IDLE2 0+1@9 1;", 2, number},
        {"0 4 20 0 0 0 0\nnewfmt 2 9 0 0 0 0\n", "IDLE1 0+4@20 0; IDLE2 0+2@9 0;", 3, number},
        {"0 4 // x\n20 /*\n*/ 0 0 0 0\n", "IDLE1 0+4@20 0; IDLE2 0+1@9 1;", 0, NULL},
        {"\"0\"\"4\" 20 0 \"0\" 0 0\n", "IDLE1 0+4@20 0; IDLE2 0+1@9 1;", 0, NULL},
        {"0 4 \"20\n\" \"\" 0 0 0\n", "IDLE1 0+4@20 0; IDLE2 0+1@9 1;", 2, number},
        {"0 4 20 0 0\n", "IDLE1 0+4@20 0; IDLE2 9+1@1 0;", 2, missing},
        {"0 4 20 0 0 0 0 5\n", "IDLE1 0+4@20 0", 2, more},
        {"0 4 20 0 127 0 127\n", "IDLE1 0+4@20 0; IDLE2 0+1@9 1;", 0, NULL},
        {"0 4 20 0 0 0 128\n", "IDLE1 0+4@20 0; IDLE2 0+1@9 1;", 2,
         "a bit is that of no barrel, of which the game has 7"},
        {NINE_ROWS "0 4 20 0", "IDLE1 0+1@9 1; IDLE2 0+1@9 1;", 11, missing},
        {NINE_ROWS "0 4 20", "IDLE1 0+1@9 1; IDLE2 0+1@9 1;", 11, "not a clip; ignored"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1000], found[2000], sentence[200];
        snprintf(text, sizeof text, "newfmt\n%s" NINE_ROWS, cases[i].rows);
        if (cases[i].line > 9)
            text[strlen(text) - strlen(NINE_ROWS)] = '\0';
        OWNED(lm_clips) *clips = read_clips(text, 75, LM_CLIPS_AUTO, "weapon.cfg", NULL);
        assert_non_null(clips);
        describe_file(clips, found, sizeof found);
        found[strlen(cases[i].first)] = '\0';
        assert_string_equal(found, cases[i].first);
        snprintf(sentence, sizeof sentence, "weapon.cfg: line %u: %s", cases[i].line,
                 cases[i].problem);
        assert_int_equal(warned(clips, LM_CODE_CLIP_LINE) > 0, cases[i].problem != NULL);
        if (cases[i].problem)
            assert_string_equal(clips->warnings[0].text, sentence);
    }
}

TEST(test_bits_of_weapon_cfg) {
    OWNED(lm_clips) *clips = read_clips("newfmt\n0 4 9 0 5 1 2\n0 4 9 0 257 9 -1\n0 4 9 0 3\n", 5,
                                        LM_CLIPS_AUTO, NULL, NULL);
    static const uint8_t bits[][3] = {{5, 1, 2}, {1, 1, 127}, {3, 0, 0}};
    assert_non_null(clips);
    assert_int_equal(clips->num_clips, 3);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(clips->clips[i].animated_barrels, bits[i][0]);
        assert_int_equal(clips->clips[i].animated_weapon, bits[i][1]);
        assert_int_equal(clips->clips[i].hidden_barrels, bits[i][2]);
        assert_false(clips->clips[i].hidden);
    }
    lm_clips_free(clips);
    clips = read_clips(OLD_WEAPON, 75, LM_CLIPS_WEAPON_CFG, NULL, NULL);
    assert_int_equal(clips->clips[7].hidden_barrels, 0);
}

/* Files with the extension .cfg are told apart by their contents. */
TEST(test_kinds_of_cfg) {
    static const struct {
        const char *text, *expected; /* NULL: none of them */
    } cases[] = {
        {OLD_WEAPON, WEAPON_CLIPS},
        {"newfmt\n0 9 8 1", "IDLE1 0+9@8 1"},
        {"\"newfmt\" \"0\" 9 8 \"1\"", "IDLE1 0+9@8 1"},
        {"\"a b\" \"0\" 9 \"0\" 5", "a b 0+9@5 0"},
        {"0 9 8 1 // IDLE1", "IDLE1 0+9@1 8"}, /* one row: nothing shows the columns */
        {"0 9 8 20 // IDLE1\n9 1 20 1", "IDLE1 0+9@20 8; BOTH_DEAD1 9+1@1 1"},
        {"0 9 20 1 // a", NULL}, /* the columns of .framegroups */
        {"0 9 12.5 1 // a", NULL},
        {"0 9 12.5 1 // BOTH_DEATH1\n0 9 9 1 // LEGS_RUN", "LEGS_RUN 0+9@1 9"},
        {"STARTANIMS\ndeath\t2\t5\t0\t20\t0\ndeath\t6\t1\t1\t15\t-1\t200\n",
         "death 2+5@20 0; death_2 6+1@15 1"},
        {"models/gibs/foot.md3\n", NULL},
        {"sex m\n", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char found[2000] = "";
        lm_error error = {0};
        OWNED(lm_clips) *clips = read_clips(cases[i].text, 75, LM_CLIPS_AUTO, "b/any.cfg", &error);
        if (clips)
            describe_file(clips, found, sizeof found);
        assert_string_equal(found, cases[i].expected ? cases[i].expected : "");
        if (!clips)
            assert_int_equal(error.code, LM_CODE_UNKNOWN_FORMAT);
    }
}

TEST(test_format_detection) {
    const char *row = "0 9 8 1 // x"; /* 8 frames loop at 1 fps, or all loop at 8 fps */
    const struct {
        const char *file_name;
        lm_clips_format format;
        uint32_t loop;
    } cases[] = {{"a/animation.cfg", LM_CLIPS_AUTO, 8},
                 {"A.CFG", LM_CLIPS_AUTO, 8},
                 {"x.iqm.framegroups", LM_CLIPS_AUTO, 9},
                 {"x.FrameGroups", LM_CLIPS_AUTO, 9},
                 {"x.txt", LM_CLIPS_AUTO, 9},
                 {NULL, LM_CLIPS_AUTO, 9},
                 {"x.cfg", LM_CLIPS_FRAMEGROUPS, 9},
                 {"a/myweapon.cfg", LM_CLIPS_AUTO, 8},
                 {"a/Weapon.cfg", LM_CLIPS_AUTO, 1},
                 {NULL, LM_CLIPS_ANIMATION_CFG, 8}};
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED(lm_clips) *clips = read_clips(row, 9, cases[i].format, cases[i].file_name, NULL);
        assert_non_null(clips);
        assert_int_equal(clips->clips[0].loop_frames, cases[i].loop);
    }
    expect_file("0 9 8 12 // x\n0 9 8 1 // y\n0 9 8 10 // z", 9, LM_CLIPS_AUTO,
                "x 0+9@12 8; y 0+9@1 8; z 0+9@10 8");
    expect_file("0 9 8 1 // x\n0 9 8 1 // y\n0 9 8 2 // z", 9, LM_CLIPS_AUTO,
                "x 0+9@8 9; y 0+9@8 9; z 0+9@8 9");
    expect_file("0 9 8 1 // LEGS_RUN", 9, LM_CLIPS_AUTO, "LEGS_RUN 0+9@1 8");
    expect_file("sex m\n0 9 8 1 // x", 9, LM_CLIPS_AUTO, "x 0+9@1 8");
    /* The contents decide before the name, but the game does not. */
    static const char *const others[] = {"sex m\nLEGS_RUN 0 9 8 1", "0 9 0 25\n0 9 8 1\n"};
    for (unsigned i = 0; i < 2; i++) {
        OWNED(lm_clips) *clips =
            read_clips(others[i], 9, LM_CLIPS_AUTO, "a.pk3:w/weapon.cfg", NULL);
        assert_non_null(clips);
        assert_int_equal(clips->clips[clips->num_clips - 1].loop_frames, 8);
        assert_int_equal(clips->num_warnings, 1);
        assert_string_equal(
            clips->warnings[0].text,
            "a.pk3:w/weapon.cfg: line 2: the last row of an animation.cfg; the game "
            "reads this file as a weapon.cfg, with the rate before the loop");
    }
}

TEST(test_line_endings) {
    const char *expected = "a 0+2@10 2; b 2+2@10 2";
    expect_file("0 2 10 1 // a\r2 2 10 1 // b\r", 4, LM_CLIPS_FRAMEGROUPS, expected);
    expect_file("0 2 10 1 // a\r\n2 2 10 1 // b", 4, LM_CLIPS_FRAMEGROUPS, expected);
    expect_file("\xef\xbb\xbf"
                "0 2 10 1//a\n\n\n2/* x */2 10 1 // b",
                4, LM_CLIPS_FRAMEGROUPS, expected);
    expect_warning("0 2 10 1 // a\r\nwhat\r\n", 4, LM_CLIPS_AUTO, LM_CODE_CLIP_LINE, 1,
                   "some/file.txt: line 2: not a clip; ignored");
}

/* ---- Files: errors ------------------------------------------------------------------------- */

TEST(test_clips_beyond_the_model) {
    const char *text = "0 4 2 15 // a\n4 9 9 15 // b\n10 2 0 15 // c\n-1 2 0 15 // d\n"
                       "3 0 0 15 // e\n99999999999999999999999 1 0 15 // f\n"
                       "1 -99999999999999999999999 0 15 // g";
    expect_file(text, 10, LM_CLIPS_ANIMATION_CFG, "a 0+4@15 2; b 4+6@15 6; g 1+9@15 0<");
    expect_warning(
        text, 10, LM_CLIPS_ANIMATION_CFG, LM_CODE_CLIP_FRAMES, 6,
        "some/file.txt: line 2: the clip extends beyond the model's last frame; shortened");
    lm_error error = {0};
    assert_null(read_clips("5 1 0 15 // a", 5, LM_CLIPS_ANIMATION_CFG, NULL, &error));
    assert_int_equal(error.code, LM_CODE_FRAME_INDEX);
    assert_string_equal(error.message, "clips: none of its 1 clips is within the model's 5 frames");
    assert_null(read_clips(player_cfg, 0, LM_CLIPS_AUTO, NULL, &error));
    /* A LEGS_ clip whose offset would move it before the first frame. */
    expect_file("9 1 0 15 // TORSO_GESTURE\n99 1 0 15 // LEGS_WALKCR\n9 1 0 15 // LEGS_RUN", 50,
                LM_CLIPS_AUTO, "TORSO_GESTURE 9+1@15 0; LEGS_WALKCR 9+1@15 0");
    /* Legs before the torso: there is no offset to subtract. */
    expect_file("9 1 0 15 // LEGS_WALKCR\n19 1 0 15 // TORSO_GESTURE", 50, LM_CLIPS_AUTO,
                "LEGS_WALKCR 9+1@15 0; TORSO_GESTURE 19+1@15 0");
}

TEST(test_rates) {
    const char *const bad[] = {"0", "-5", "1e999", "1e-999", "0e99999999999999999999", "99999999"};
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[100];
        snprintf(text, sizeof text, "0 4 2 %s // a\n", bad[i]);
        expect_file(text, 4, LM_CLIPS_ANIMATION_CFG, "a 0+4@10 2");
        expect_warning(text, 4, LM_CLIPS_ANIMATION_CFG, LM_CODE_CLIP_RATE, 1,
                       "some/file.txt: line 1: the rate is invalid; 10 fps is used");
    }
    const struct {
        const char *text;
        float fps;
    } good[] = {{"0.1", 0.1f},
                {"12000000000000000000e-18", 12},
                {"12.", 12},
                {".5", 0.5f},
                {"+2.5e1", 25},
                {"300E-1", 30},
                {"0000000000000000000000000000012", 12},
                {"29.97002997002997002997002997", 29.97002997f},
                {"0.0000000000000000000000000012e28", 12}};
    for (unsigned i = 0; i < sizeof good / sizeof *good; i++) {
        char text[100];
        snprintf(text, sizeof text, "0 4 2 %s // a\n", good[i].text);
        OWNED(lm_clips) *clips = read_clips(text, 4, LM_CLIPS_ANIMATION_CFG, NULL, NULL);
        assert_non_null(clips);
        assert_true(clips->clips[0].fps == good[i].fps);
        assert_int_equal(clips->num_warnings, 0);
    }
}

TEST(test_invalid_lines) {
    const char *text =
        "0 4 2 15 // a\n1 2 nan 3\n1 2 3 inf\n1 2 3 0x10\n1.5 2 3 4\n1 2 3\n1 2 3 4e\n"
        "- 2 3 4\n1 2 3 .\nname 1 2 3\n1-2 3 4 5\n";
    expect_file(text, 9, LM_CLIPS_ANIMATION_CFG, "a 0+4@15 2");
    expect_warning(text, 9, LM_CLIPS_ANIMATION_CFG, LM_CODE_CLIP_LINE, 10,
                   "some/file.txt: line 2: not a clip; ignored");
}

TEST(test_texts_without_clips) {
    const char *const texts[] = {"",           "\n\n",       "hello",   "IDP2\x08",
                                 "// 0 1 2 3", "/* 0 1 2 3", "sex m\n", "1"};
    for (int format = 0; format < 3; format++)
        for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
            lm_error error = {0};
            assert_null(read_clips(texts[i], 100, (lm_clips_format)format, "x", &error));
            assert_int_equal(error.code, LM_CODE_UNKNOWN_FORMAT);
            assert_true(strlen(error.message) > 0);
        }
    lm_error error = {0};
    assert_null(lm_clips_read(NULL, 0, 10, NULL, &error));
    assert_int_equal(error.code, LM_CODE_UNKNOWN_FORMAT);
    assert_null(lm_clips_read(NULL, 5, 10, NULL, &error));
    assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
    lm_clips_options options = {.format = (lm_clips_format)9};
    assert_null(lm_clips_read("0 1 2 3", 7, 10, &options, &error));
    assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
    assert_null(lm_clips_read(NULL, 5, 10, NULL, NULL));
    lm_clips_free(NULL);
}

/* ---- Files: untrusted input ---------------------------------------------------------------- */

static void expect_valid_file(const lm_clips *clips, uint32_t frames) {
    assert_true(clips->num_clips > 0);
    for (uint32_t i = 0; i < clips->num_clips; i++) {
        const lm_clip *c = &clips->clips[i];
        assert_true(c->count >= 1 && c->first < frames && c->count <= frames - c->first);
        assert_true(c->loop_frames <= c->count);
        assert_true(c->fps >= 0.001f && c->fps <= 10000);
        assert_in_range(strlen(c->name), 1, 80);
    }
}

static void try_bytes(const void *bytes, size_t size, uint32_t frames) {
    for (int format = 0; format < LM_CLIPS_QUAKE2; format++) {
        uint8_t *copy = malloc(size ? size : 1);
        assert_non_null(copy);
        memcpy(copy, bytes, size);
        lm_clips_options options = {.format = (lm_clips_format)format};
        lm_error error = {0};
        OWNED(lm_clips) *clips = lm_clips_read(copy, size, frames, &options, &error);
        free(copy);
        if (clips)
            expect_valid_file(clips, frames);
        else
            assert_true(error.code != LM_CODE_OK && strlen(error.message) > 0);
    }
}

TEST(test_every_prefix) {
    static const char weapon[] = "newfmt\n" OLD_WEAPON "1 2 3 \"4\" 5 6 \"7";
    static const char groups[] = "/* x */ 0 5 10 1 // one\n5 5 20 0 two\n 9 1 1e2 // three";
    for (size_t size = 0; size < sizeof player_cfg; size++)
        try_bytes(player_cfg, size, 76);
    for (size_t size = 0; size < sizeof groups; size++)
        try_bytes(groups, size, 10);
    for (size_t size = 0; size < sizeof weapon; size++)
        try_bytes(weapon, size, 30);
}

TEST(test_changed_bytes) {
    static const uint8_t values[] = {0, '\n', ' ', '9', '-', '/', '*', '.', 'e', 0xff};
    for (size_t at = 0; at < sizeof player_cfg; at++)
        for (size_t v = 0; v < sizeof values; v++) {
            uint8_t text[sizeof player_cfg];
            memcpy(text, player_cfg, sizeof text);
            text[at] = values[v];
            try_bytes(text, sizeof text, 76);
        }
}

TEST(test_long_lines_and_many_rows) {
    const size_t size = 1 << 20;
    AT_END(drop_bytes) char *text = malloc(size);
    assert_non_null(text);
    const char *const patterns[] = {
        "0 1\n", "0 1 2 3\n",       "9", "0 ", "/", "*/", "a", "0 1 2 3 //", "\n",
        "-1 ",   "1 1 1 1 \xc3\xa4"};
    for (unsigned i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        size_t length = strlen(patterns[i]);
        for (size_t at = 0; at < size; at++)
            text[at] = patterns[i][at % length];
        try_bytes(text, size, 5);
    }
    memset(text, 'x', size);
    put_bytes(text, "0 1 2 3 // ", 11);
    try_bytes(text, size, 5);
    lm_clips_options options = {.format = LM_CLIPS_FRAMEGROUPS};
    memset(text, 0xa4, size); /* a name is cut between characters, never within one */
    put_bytes(text, "0 1 2 3 // x", 12);
    for (size_t at = 12; at + 1 < size; at += 2)
        text[at] = (char)0xc3;
    OWNED(lm_clips) *clips = lm_clips_read(text, size, 5, &options, NULL);
    assert_non_null(clips);
    assert_int_equal(strlen(clips->clips[0].name), 63);
    lm_clips_free(clips);
    put_bytes(text, "0 1 2 3 // ", 11);
    memset(text + 11, 0xa4, size - 11);
    for (size_t at = 11; at + 1 < size; at += 2)
        text[at] = (char)0xc3;
    clips = lm_clips_read(text, size, 5, &options, NULL);
    assert_non_null(clips);
    assert_int_equal(strlen(clips->clips[0].name), 62);
}

/* ---- Memory -------------------------------------------------------------------------------- */

static lm_clips *read_limited(lm_memory memory, lm_error *error) {
    return lm_clips_read(player_cfg, sizeof player_cfg - 1, 76,
                         &(lm_clips_options){.memory = memory}, error);
}

TEST(test_memory) {
    size_t needed = 0;
    lm_error error;
    EACH_ALLOCATION_FAILS (f) {
        OWNED(lm_clips) *clips = read_limited(f.memory, &f.error);
        f.done = clips != NULL;
        needed = f.counts.most_bytes;
    }
    assert_null(read_limited((lm_memory){.max_bytes = needed - 1}, &error));
    assert_int_equal(error.code, LM_CODE_LIMIT);
    OWNED(lm_clips) *clips = read_limited((lm_memory){.max_bytes = needed}, &error);
    assert_non_null(clips);
}
