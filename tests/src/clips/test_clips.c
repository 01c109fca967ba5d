/* Tests clips from frame names and from the standard table. */

#include "clips/clip_names.h"
#include "support.h"

#define FIELD 16

/* ---- Clips from names ---------------------------------------------------------------------- */

typedef struct clip_set {
    uint8_t *fields;  /* of exactly their size, to detect reads past the end */
    lm_clips *memory; /* an object that owns the clips */
    uint32_t num_frames, num_clips;
    const lm_clip *clips;
} clip_set;

static void release(clip_set *c) {
    free(c->fields);
    lmi_object_free(c->memory);
}

/* Checks that each frame is in exactly one clip, in order, and that all names differ. */
static void expect_valid_clips(const clip_set *c) {
    uint32_t next = 0;
    for (uint32_t i = 0; i < c->num_clips; i++) {
        const lm_clip *clip = &c->clips[i];
        assert_int_equal(clip->first, next);
        assert_true(clip->count >= 1);
        assert_true(clip->fps == LM_DEFAULT_FPS);
        assert_true(clip->loop_frames == 0 || clip->loop_frames == clip->count);
        assert_false(clip->backwards);
        assert_int_not_equal(clip->source, LM_CLIP_CUSTOM);
        assert_true(strlen(clip->name) > 0);
        next += clip->count;
        for (uint32_t j = 0; i < 200 && j < i; j++)
            assert_string_not_equal(clip->name, c->clips[j].name);
    }
    assert_int_equal(next, c->num_frames);
}

static clip_set clips_of_groups(uint8_t *fields, uint32_t count, size_t stride,
                                const uint32_t *groups) {
    clip_set c = {.num_frames = count};
    c.fields = fields;
    lm_name_fields names = {
        .first = fields, .stride = stride, .size = FIELD, .count = count, .groups = groups};
    lm_heap heap;
    lmi_heap_init(&heap, NULL, (size_t)count * 44); /* a frame of MD2 takes at least this much */
    c.memory = lmi_object(&heap, sizeof *c.memory);
    assert_non_null(c.memory);
    assert_true(lmi_clips_of_names(lmi_arena_of(c.memory), &names, &c.clips, &c.num_clips));
    expect_valid_clips(&c);
    return c;
}

static clip_set clips_of_fields(uint8_t *fields, uint32_t count, size_t stride) {
    return clips_of_groups(fields, count, stride, NULL);
}

/* Makes clips from frame names in one string: "a1 a2"; '~' stands for a space, NULs fill each
 * field. */
static clip_set clips_of_grouped(const char *text, const uint32_t *groups) {
    uint32_t count = 0;
    for (const char *p = text; *p; p += strcspn(p, " "), p += *p == ' ')
        count++;
    uint8_t *fields = calloc(count, FIELD);
    assert_non_null(fields);
    for (uint32_t i = 0; i < count; i++) {
        size_t length = strcspn(text, " ");
        assert_true(length <= FIELD);
        for (size_t j = 0; j < length; j++)
            fields[i * FIELD + j] = (uint8_t)(text[j] == '~' ? ' ' : text[j]);
        text += length + (text[length] == ' ');
    }
    return clips_of_groups(fields, count, FIELD, groups);
}

static clip_set clips_of(const char *text) {
    return clips_of_grouped(text, NULL);
}

/* Describes the clips: "name*count name*count". */
static void describe(const lm_clip *clips, uint32_t count, char *out, size_t size) {
    size_t used = 0;
    out[0] = '\0';
    for (uint32_t i = 0; i < count && used < size; i++)
        used += (size_t)snprintf(out + used, size - used, "%s%s*%u", i ? " " : "", clips[i].name,
                                 clips[i].count);
}

static void expect_clips(const char *names, const char *expected) {
    char text[1000];
    AT_END(release) clip_set c = clips_of(names);
    describe(c.clips, c.num_clips, text, sizeof text);
    assert_string_equal(text, expected);
}

static void expect_grouped(const char *names, const uint32_t *groups, const char *expected) {
    char text[1000];
    AT_END(release) clip_set c = clips_of_grouped(names, groups);
    describe(c.clips, c.num_clips, text, sizeof text);
    assert_string_equal(text, expected);
}

/* A group in the file is exactly one clip, independent of its frames' names. */
TEST(test_groups) {
    expect_grouped("run1 run2 run3 run4", (const uint32_t[]){0, 0, 0, 0}, "run*4");
    expect_grouped("run1 run2 run3 run4", (const uint32_t[]){0, 2, 2, 0}, "run*1 run_2*2 run_3*1");
    expect_grouped("a1 b1 c a1 x", (const uint32_t[]){1, 1, 1, 2, 2}, "a*3 a_2*2");
    expect_grouped("pain101 pain201 pain301", (const uint32_t[]){4, 4, 4}, "pain*3");
    expect_grouped("pain101 pain201 pain301", (const uint32_t[]){0, 0, 0},
                   "pain1*1 pain2*1 pain3*1");
}

TEST(test_numbers_at_the_end) {
    expect_clips("stand01 stand02 stand03", "stand*3");
    expect_clips("run1 run2 run3 attack1 attack2", "run*3 attack*2");
    expect_clips("pain1 pain2 pain9 pain10 pain12", "pain*5");
    expect_clips("run001 run002 run003", "run*3");
    expect_clips("walk098 walk099 walk100 walk101", "walk*4");
    expect_clips("walk99 walk100 walk101 walk102", "walk*4");
    expect_clips("crdeth1 crdeth2 death1 death2", "crdeth*2 death*2");
    expect_clips("frame0001 frame0002 frame1003", "frame*3");
    expect_clips("a99999999999999 a0", "a*1 a_2*1");
}

TEST(test_first_of_three_digits) {
    expect_clips("pain101 pain102 pain103 pain104 pain201 pain202 pain301 pain302",
                 "pain1*4 pain2*2 pain3*2");
    expect_clips("death101 death102 death103", "death1*3");
    expect_clips("a100 a101 b1", "a*2 b*1");
    expect_clips("a100 a101 a200 a201", "a1*2 a2*2");
    expect_clips("a198 a199 a200 a201", "a*4"); /* continues past the hundred */
    expect_clips("a101 a102 a202 a203", "a*4"); /* does not start a new clip */
    expect_clips("a101 a102 a101 a102 a201", "a1*2 a1_2*2 a2*1");
    expect_clips("pain~101 pain~102 pain~201", "pain 1*2 pain 2*1");
}

/* a100 .. a199, and on to a250. */
TEST(test_a_hundred_numbers_of_one_clip) {
    char names[151 * 5];
    for (int i = 0; i < 151; i++) {
        const char name[] = {'a', (char)('1' + i / 100), (char)('0' + i / 10 % 10),
                             (char)('0' + i % 10), ' '};
        memcpy(names + 5 * i, name, sizeof name);
    }
    names[5 * 151 - 1] = '\0';
    expect_clips(names, "a*151");
    names[5 * 100 - 1] = '\0';
    expect_clips(names, "a*100");
}

TEST(test_names_without_numbers) {
    expect_clips("g_view", "g_view*1");
    expect_clips("base run1 run2", "base*1 run*2");
    expect_clips("same same same", "same*3"); /* some exporters give every frame the same name */
    expect_clips("run run1 run2", "run*1 run_2*2");
    expect_clips("0001 0002 0003", "frames*3");
    expect_clips("101 102 201 202", "frames*4");
    expect_clips("_1 -2", "frames*2");
    /* The stamps of programs are no names. */
    expect_clips("(from~ASE) (from~ASE)", "frames*2");
    expect_clips("~(from~3DSMax)~ (from~3DSMax)", "frames*2");
    expect_clips("(md3~frame) (from~Blender) From~ASE MilkShape~3D", "frames*4");
    expect_clips("(a (a ASE) from~ase2", "(a*2 ASE)*1 from ase*1");
}

TEST(test_spaces_case_and_separators) {
    expect_clips("stand01~ stand02~~ ~stand03", "stand*3");
    expect_clips("stand_01 stand_02 stand-03 stand.04 stand~05 stand06", "stand*6");
    expect_clips("Stand01 stand02 STAND03", "Stand*3");
    expect_clips("walk_1_01 walk_1_02 walk_2_01", "walk_1*2 walk_2*1");
    expect_clips("up_ up_", "up_*2");
}

TEST(test_the_same_clip_again) {
    expect_clips("run1 run2 walk1 run1 run2", "run*2 walk*1 run_2*2");
    expect_clips("run1 run2 run1 run2 run1", "run*2 run_2*2 run_3*1");
    expect_clips("run1 run1 run2", "run*3");
    expect_clips("Crouchwalk1 a CROUCHWALK1 b crouchWALK1", /* equal in a case-insensitive hash */
                 "Crouchwalk*1 a*1 CROUCHWALK_2*1 b*1 crouchWALK_3*1");
    /* Names already in use are skipped, and new ones become used. */
    expect_clips("a_201 b1 a1 b1 a1", "a_2*1 b*1 a*1 b_2*1 a_3*1");
    expect_clips("a1 b1 a1 c1 a_201", "a*1 b*1 a_2*1 c*1 a_2_2*1");
}

TEST(test_raw_fields) {
    uint8_t *fields = malloc(5 * FIELD);
    assert_non_null(fields);
    put_bytes(fields, "run1\0junk7\0\xff\xff\xff\xff\xff", FIELD);
    put_bytes(fields + FIELD, "run2\0other8\0\1\2\3\4", FIELD);
    put_bytes(fields + 2 * FIELD, "sixteenletters01", FIELD);
    put_bytes(fields + 3 * FIELD, "sixteenletters02", FIELD);
    put_bytes(fields + 4 * FIELD, "\0stand01\0\0\0\0\0\0\0", FIELD);
    AT_END(release) clip_set c = clips_of_fields(fields, 5, FIELD);
    char text[200];
    describe(c.clips, c.num_clips, text, sizeof text);
    assert_string_equal(text, "run*2 sixteenletters*2 frames*1");
}

/* Sixteen letters without a number, repeated: the name outgrows its field. */
TEST(test_full_names_stay_unique) {
    expect_clips("abcdefghijklmnop b abcdefghijklmnop b abcdefghijklmnop",
                 "abcdefghijklmnop*1 b*1 abcdefghijklmnop_2*1 b_2*1 abcdefghijklmnop_3*1");
}

TEST(test_any_bytes) {
    uint32_t seed = 1;
    for (uint32_t round = 0; round < 3000; round++) {
        uint32_t count = 1 + round % 60;
        uint8_t *fields = malloc((size_t)count * FIELD);
        assert_non_null(fields);
        for (size_t i = 0; i < (size_t)count * FIELD; i++) {
            seed = seed * 1664525u + 1013904223u;
            fields[i] = (uint8_t)(round % 2 ? "a1 0_2b9\0A"[seed >> 24 & 7] : (int)(seed >> 24));
        }
        AT_END(release) clip_set c = clips_of_fields(fields, count, FIELD);
    }
}

/* A linear search through the earlier names would take hours here. */
TEST(test_many_clips) {
    enum {
        FRAMES = 300000,
        STRIDE = 20
    };
    for (int kind = 0; kind < 3; kind++) {
        uint8_t *fields = calloc(FRAMES, STRIDE);
        assert_non_null(fields);
        for (uint32_t i = 0; i < FRAMES; i++) {
            char name[FIELD];
            if (kind == 0)
                snprintf(name, sizeof name, "%s", i % 2 ? "run" : "walk");
            else if (kind == 1)
                snprintf(name, sizeof name, "run%u", FRAMES - i);
            else
                snprintf(name, sizeof name, "n%ux", i % (FRAMES / 2));
            put_bytes(fields + (size_t)i * STRIDE, name, strlen(name));
        }
        AT_END(release) clip_set c = clips_of_fields(fields, FRAMES, STRIDE);
        assert_int_equal(c.num_clips, FRAMES);
        assert_string_equal(c.clips[FRAMES - 1].name, kind == 0   ? "run_150000"
                                                      : kind == 1 ? "run_300000"
                                                                  : "n149999x_2");
    }
}

/* ---- The standard table -------------------------------------------------------------------- */

static const char all_twenty[] =
    "stand*40 run*6 attack*8 pain1*4 pain2*4 pain3*4 jump*6 flip*12 salute*11 taunt*17 wave*11 "
    "point*12 crstnd*19 crwalk*6 crattak*9 crpain*4 crdeath*5 death1*6 death2*6 death3*8";

/* Writes `count` names of a player: as in the table, or with continuing numbers. */
static uint8_t *player_fields(uint32_t count) {
    static const struct {
        const char *name;
        int count;
    } clips[] = {{"stand", 40},  {"run", 6},    {"attack", 8},  {"pain", 12},
                 {"jump", 6},    {"flip", 12},  {"salute", 11}, {"taunt", 17},
                 {"wave", 11},   {"point", 12}, {"crstnd", 19}, {"crwalk", 6},
                 {"crattak", 9}, {"crpain", 4}, {"crdeth", 5},  {"death", 20}};
    uint8_t *fields = calloc(count, FIELD);
    assert_non_null(fields);
    for (uint32_t clip = 0, frame = 0; clip < 16; clip++)
        for (int i = 1; i <= clips[clip].count && frame < count; i++, frame++)
            snprintf((char *)fields + frame * FIELD, FIELD, "%s%d", clips[clip].name, i);
    return fields;
}

static void expect_player(uint8_t *fields, uint32_t count, const char *expected) {
    char text[1000];
    AT_END(release) clip_set c = clips_of_fields(fields, count, FIELD);
    describe(c.clips, c.num_clips, text, sizeof text);
    assert_string_equal(text, expected);
}

static void rename_frame(uint8_t *fields, uint32_t frame, const char *name) {
    memset(fields + frame * FIELD, 0, FIELD);
    put_bytes(fields + frame * FIELD, name, strlen(name));
}

TEST(test_player_table) {
    expect_player(player_fields(198), 198, all_twenty);

    uint8_t *fields = player_fields(198);
    for (uint32_t i = 0; i < 198 * FIELD; i++) /* upper case is equivalent */
        if (fields[i] >= 'a')
            fields[i] = (uint8_t)(fields[i] - 32);
    expect_player(fields, 198, all_twenty);
}

static const uint32_t starts[20] = {0,   40,  46,  54,  58,  62,  66,  72,  84,  95,
                                    112, 123, 135, 154, 160, 169, 173, 178, 184, 190};

/* Nineteen of the twenty fit: crdeth1 does not. Eight others may have other names, nine may not. */
TEST(test_most_names_must_fit) {
    for (uint32_t others = 0; others < 12; others++) {
        uint8_t *fields = player_fields(198);
        for (uint32_t i = 0; i < others; i++)
            rename_frame(fields, starts[i], "other");
        AT_END(release) clip_set c = clips_of_fields(fields, 198, FIELD);
        assert_true((c.num_clips == 20) == (others <= 8));
    }
    uint8_t *fields = calloc(198, FIELD);
    assert_non_null(fields);
    expect_player(fields, 198, "frames*198");
}

/* ---- Loops ----------------- */

static void list_loops(const lm_clip *clips, uint32_t count, char *out, size_t size) {
    size_t used = 0;
    out[0] = '\0';
    for (uint32_t i = 0; i < count; i++)
        if (clips[i].loop_frames > 0)
            used +=
                (size_t)snprintf(out + used, size - used, "%s%s", used ? " " : "", clips[i].name);
}

static void expect_loops(const char *names, const uint32_t *groups, const char *expected) {
    char text[300];
    AT_END(release) clip_set c = clips_of_grouped(names, groups);
    list_loops(c.clips, c.num_clips, text, sizeof text);
    assert_string_equal(text, expected);
    for (uint32_t i = 0; i < c.num_clips; i++)
        assert_int_equal(c.clips[i].source,
                         groups && groups[c.clips[i].first] ? LM_CLIP_GROUP : LM_CLIP_FRAME_NAMES);
}

TEST(test_looping_is_inferred_from_names) {
    expect_loops("stand1 Run1 death1 jump1 walk1 swim1 idle1 salute1", NULL,
                 "stand Run walk swim idle");
    /* A word begins where no letter a to z precedes it. */
    expect_loops("arun1 zrun1 Arun1 Zrun1 0run1 @run1 [run1 {run1", NULL, "0run @run [run {run");
    expect_loops("legs_run1 crouch-walk1 drunk1 understand1 fire_loop1 flyer1 thing1", NULL,
                 "legs_run crouch-walk fire_loop flyer");
    /* A single clip loops unless its name marks an end. */
    expect_loops("flame1 flame2 flame3", NULL, "flame");
    expect_loops("death1 death2 death3", NULL, "");
    expect_loops("die1 die2", NULL, "");
    expect_loops("flame1 spark1", NULL, "");
    expect_loops("1 2 3", NULL, "frames");
    expect_loops("1 2 spark1", NULL, "frames");
    /* The engine plays groups in a loop. */
    expect_loops("death1 death2 flame1 other1", (const uint32_t[]){1, 1, 2, 0}, "death flame");
}

/* Each word that marks a loop or an end works; their prefixes do not. */
TEST(test_words_that_loop_or_end) {
    static const char *const loops[] = {"stand",  "stnd",  "idle",  "breath", "walk",  "run",
                                        "swim",   "fly",   "hover", "float",  "crawl", "crstnd",
                                        "crwalk", "tread", "loop",  "cycle",  "spin",  "rotate"};
    static const char *const ends[] = {"att",     "pain",  "jump",  "flip",  "salute",
                                       "taunt",   "wave",  "point", "cratt", "crpain",
                                       "crdeath", "death", "die",   "dead"};
    char names[60], shorter[20];
    for (size_t i = 0; i < COUNT_OF(loops); i++) {
        snprintf(names, sizeof names, "%s1 flame1", loops[i]);
        expect_loops(names, NULL, loops[i]);
        snprintf(names, sizeof names, "%.*s1 flame1", (int)strlen(loops[i]) - 1, loops[i]);
        expect_loops(names, NULL, "");
    }
    for (size_t i = 0; i < COUNT_OF(ends); i++) {
        snprintf(names, sizeof names, "%s1", ends[i]);
        expect_loops(names, NULL, "");
        snprintf(shorter, sizeof shorter, "%.*s", (int)strlen(ends[i]) - 1, ends[i]);
        snprintf(names, sizeof names, "%s1", shorter);
        expect_loops(names, NULL, shorter);
    }
}

TEST(test_looping_clips_of_the_player_table) {
    char text[300];
    AT_END(release) clip_set c = clips_of_fields(player_fields(198), 198, FIELD);
    list_loops(c.clips, c.num_clips, text, sizeof text);
    assert_string_equal(text, "stand run crstnd crwalk");
    assert_int_equal(c.clips[19].source, LM_CLIP_TABLE);
}

/* The table applies to any frame names; clips beyond the model are left out. */
TEST(test_player_table_fits_any_model) {
    static const struct {
        uint32_t num_frames;
        const char *expected;
    } cases[] = {{198, NULL},
                 {300, NULL},
                 {50, "stand*40 run*6 attack*4"},
                 {40, "stand*40"},
                 {1, "stand*1"}};
    lm_clips_options table = {.format = LM_CLIPS_QUAKE2};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[300];
        OWNED(lm_clips) *clips = lm_clips_read(NULL, 0, cases[i].num_frames, &table, NULL);
        assert_non_null(clips);
        describe(clips->clips, clips->num_clips, text, sizeof text);
        assert_string_equal(text, cases[i].expected ? cases[i].expected : all_twenty);
        assert_int_equal(clips->clips[0].loop_frames, clips->clips[0].count);
    }
    lm_error error;
    table.memory.max_bytes = 100;
    assert_null(lm_clips_read(NULL, 0, 198, &table, &error));
    assert_int_equal(error.code, LM_CODE_LIMIT);
}

#define LIVING                                                                                   \
    "stand*40 run*6 attack*8 pain1*4 pain2*4 pain3*4 jump*6 flip*12 salute*11 taunt*17 wave*11 " \
    "point*12 crstnd*19 crwalk*6 crattak*9 "

TEST(test_weapons) {
    uint8_t *fields = player_fields(174);
    rename_frame(fields, 173, "g_view");
    expect_player(fields, 174, LIVING "crpain*4 g_view*1");
    expect_player(player_fields(174), 174, LIVING "crpain*4 g_view*1");
    expect_player(player_fields(173), 173, LIVING "crpain*4");
    fields = player_fields(173);
    rename_frame(fields, 172, "G_View");
    expect_player(fields, 173, LIVING "crpain*3 g_view*1");
    AT_END(release)
    clip_set c = clips_of_fields(player_fields(172), 172, FIELD); /* not the table's length */
    assert_int_equal(c.num_clips, 14);
}

/* sydney.md2 uses crdeth1, pain1 .. pain12 and death1 .. death20. */
TEST(test_real_players) {
    file_list list = list_models(".md2");
    unsigned players = 0;
    for (size_t i = 0; i < list.count; i++) {
        char text[1000];
        const char *name = strrchr(list.paths[i], '/') + 1;
        if (strcmp(name, "sydney.md2") != 0 && strcmp(name, "faerie.md2") != 0)
            continue;
        AT_END(blob_free) blob file = blob_read(list.paths[i]);
        OWNED(lm_model) *model = load_blob(&file);
        describe(model->clips, model->num_clips, text, sizeof text);
        assert_string_equal(text, all_twenty);
        players++;
    }
    free_list(&list);
    if (players < 2)
        fail_msg("no model to test: install assimp-testmodels");
}
