/* Tests changes in the text of clips files. */
#include "clip_changes.h"
#include "skipping.h"

static const char cfg[] = "\xef\xbb\xbf// animation config file\r\n"
                          "sex f\r\n"
                          "/* a block\r\n 1 2 3 4 // NOT_A_CLIP */\r\n"
                          "0\t30\t0\t25\t\t// BOTH_DEATH1\r\n"
                          "29 1 0 25 // BOTH_DEAD1 (the last of it)\r\n"
                          "30 40 40 18 /* why */ // TORSO_GESTURE\n"
                          "70 -6 1 15\t \n"
                          "not a clip\n"
                          "76 8 -1 20 // LEGS_WALKCR\r"
                          "84 99 4 12.5 // LEGS_RUN, to the end\n"
                          "RUN 1 2 2 10 7 8 // --\n"
                          "5 6 7 8 // ---\n"
                          "5 6 7 8 //\n"
                          "6 6 7 8";
static const char groups[] = "1 56 60 0 // dieone\n57 46\t30 1   //  two words  \r\n"
                             "3 4\n5 6 7\n8 9 10 1 fifth // comment\n1 2 3 4 // dieone\n";
static const char anm[] = "// UFO\nrifle 0\n death1\t826  856 30\nstand0 207 237 0.001 // x\n"
                          "shoot 1 2 1e1\n";

static void expect(const char *name, const char *text, uint32_t clip, const lm_clip *to,
                   const char *expected) {
    const lm_clips_options options = {.file_name = name};
    AT_END(lm_buffer_free) lm_buffer out = {0};
    lm_error error = {0};
    const size_t size = strlen(text);
    lm_buffer_text(&out, "kept ");
    const bool done = lm_clips_change(text, size, 100, &options, clip, to, &out, &error);
    assert_true(done == (expected[0] != '!'));
    lm_buffer_append(&out, "", 1);
    assert_string_equal(done ? (const char *)out.data + 5 : error.message,
                        done ? expected : expected + 1);
    if (!done)
        assert_string_equal((const char *)out.data, "kept ");
}

TEST(test_values) {
    const lm_clip same = {.name = "run", .first = 2, .count = 6, .fps = 10, .loop_frames = 6};
    lm_clip to = same;
    expect("a.cfg", "\t2 6 -1 10.0 // run (x)\r\n", 0, &to, "\t2 6 -1 10.0 // run (x)\r\n");
    to.fps = 12.5f;
    expect("a.cfg", "\t2 6 -1 10.0 // run (x)\r\n", 0, &to, "\t2 6 -1 12.5 // run (x)\r\n");
    to = same, to.count = 4, to.loop_frames = 4;
    expect("a.cfg", "2 6 -1 10 // run", 0, &to, "2 4 -1 10 // run");
    expect("a.cfg", "2 6 6 10 // run", 0, &to, "2 4 6 10 // run");
    expect("a.anm", "run 2 7 10", 0, &to, "run 2 5 10");
    expect("a.framegroups", "2 6 // run", 0, &to, "2 4 // run");
    to = same, to.loop_frames = 0;
    expect("a.framegroups", "2 6 // run", 0, &to, "2 6 10 0 // run");
    expect("a.framegroups", "2 6 10 1 // run", 0, &to, "2 6 10 0 // run");
    expect("a.anm", "run 2 7 10", 0, &to, "!a.anm: the file cannot store this loop of a clip");
    to.loop_frames = 2;
    expect("a.cfg", "2 6 -1 10 // run", 0, &to, "2 6 2 10 // run");
    expect("a.framegroups", "2 6 10 1 // run", 0, &to,
           "!a.framegroups: the file cannot store this loop of a clip");
    to = same, to.first = 3;
    expect("a.anm", "run 2 7 10", 0, &to, "run 3 8 10");
    expect("a.cfg", "run 2 6 6 10 more", 0, &to, "run 3 6 6 10 more");
    to = same, to.backwards = true;
    expect("a.cfg", "2 6 -1 10 // run", 0, &to, "2 -6 -1 10 // run");
    expect("a.anm", "run 2 7 10", 0, &to, "!a.anm: the file cannot store this direction");
    to = same, to.fps = 0;
    expect("a.cfg", "2 6 -1 10 // run", 0, &to,
           "!a.cfg: the file cannot store this rate of a clip");
    to = same, to.first = 98;
    expect("a.cfg", "2 6 -1 10 // run", 0, &to, "!a.cfg: the model does not have these frames");
    expect("a.cfg", "2 6 -1 10 // run", 1, &same, "!a.cfg: there is no clip 1");
    expect("a.cfg", "nothing", 0, &same,
           "!a.cfg: no line has the form of an animation.cfg, .framegroups or .anm file");
}

TEST(test_names) {
    lm_clip to = {.name = "walk", .first = 2, .count = 6, .fps = 10, .loop_frames = 6};
    expect("a.cfg", "2 6 6 10 // run (x)\n", 0, &to, "2 6 6 10 // walk (x)\n");
    expect("a.cfg", "run 2 6 6 10\n", 0, &to, "walk 2 6 6 10\n");
    expect("a.cfg", "2 6 6 10 \r\n", 0, &to, "2 6 6 10\t// walk \r\n");
    expect("a.cfg", "2 6 6 10 // -- \n", 0, &to, "2 6 6 10 // -- walk \n");
    expect("a.framegroups", "2 6 10 1 run // x\n", 0, &to, "2 6 10 1 walk // x\n");
    expect("a.framegroups", "2 6 10 1 //\n", 0, &to, "2 6 10 1 // walk\n");
    expect("a.anm", "run 2 7 10 // run\n", 0, &to, "walk 2 7 10 // run\n");
    /* LEGS_ clips begin 10 frames later in the file. */
    to.name = "LEGS_X";
    expect("a.cfg", "5 6 6 9 // TORSO_GESTURE\n15 6 6 9 // LEGS_WALKCR\n2 6 6 10 // run\n", 2, &to,
           "5 6 6 9 // TORSO_GESTURE\n15 6 6 9 // LEGS_WALKCR\n12 6 6 10 // LEGS_X\n");
    to = (lm_clip){.name = "run", .first = 5, .count = 6, .fps = 9, .loop_frames = 6};
    expect("a.cfg", "5 6 6 9 // TORSO_GESTURE\n15 6 6 9 // LEGS_WALKCR\n12 6 6 10 // LEGS_X\n", 0,
           &to, "!a.cfg: other clips would change too");
    to = (lm_clip){.name = "a b", .first = 2, .count = 6, .fps = 10, .loop_frames = 6};
    expect("a.framegroups", "2 6 10 1 // run\n", 0, &to, "2 6 10 1 // a b\n");
    expect("a.cfg", "2 6 6 10 // x\n", 0, &to, "!a.cfg: the file cannot store this name of a clip");
    to.name = "";
    expect("a.cfg", "2 6 6 10 // x\n", 0, &to, "!a.cfg: the file cannot store this name of a clip");
}

TEST(test_properties) {
    const struct {
        const char *name, *text;
        size_t size;
    } files[] = {{"a.cfg", cfg, sizeof cfg - 1},    {"a.framegroups", groups, sizeof groups - 1},
                 {"a.anm", anm, sizeof anm - 1},    {NULL, cfg, sizeof cfg - 1},
                 {NULL, groups, sizeof groups - 1}, {NULL, anm, sizeof anm - 1}};
    for (size_t i = 0; i < COUNT_OF(files); i++)
        for (uint32_t frames = 1; frames < 1000; frames = frames * 3 + 1) {
            const size_t changed = check_clip_changes(files[i].name, files[i].text, files[i].size,
                                                      frames, (uint32_t)i + frames);
            assert_true(changed > 0 || frames < 600);
        }
}

/* Prefixes, and texts with random bytes. */
TEST(test_damage) {
    const char *const texts[] = {cfg, groups, anm};
    const char *const names[] = {"a.cfg", "a.framegroups", "a.anm"};
    chance c = chance_from(5);
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        const size_t size = strlen(texts[i]);
        for (size_t length = 0; length < size; length += case_stride())
            check_clip_changes(names[i], texts[i], length, 90, (uint32_t)length);
        for (unsigned round = 0; round < 300; round += case_stride()) {
            AT_END(blob_free) blob text = blob_copy(texts[i], size);
            for (unsigned k = 0; k < 8; k++)
                text.data[chance_below(&c, (uint32_t)size)] =
                    k % 2 ? (uint8_t)chance_next(&c)
                          : (uint8_t)" /*\n\r-.9\"\0"[chance_below(&c, 10)];
            check_clip_changes(names[i], text.data, text.size, 90, round);
        }
    }
}

TEST(test_memory) {
    const lm_clip to = {.name = "x", .first = 1, .count = 2, .fps = 3, .loop_frames = 2};
    EACH_ALLOCATION_FAILS (f) {
        const lm_clips_options options = {.file_name = "a.cfg", .memory = f.memory};
        AT_END(lm_buffer_free) lm_buffer out = {.allocator = f.memory.allocator};
        f.done = lm_clips_change(cfg, sizeof cfg - 1, 90, &options, 1, &to, &out, &f.error);
        assert_true(f.done ? f.at > 5 : out.size == 0);
    }
}

/* The bytes of memory grow with the clips. */
TEST(test_linear) {
    size_t most[3];
    for (unsigned i = 0; i < COUNT_OF(most); i++) {
        const unsigned rows = 500U << i;
        AT_END(assert_all_released) counted counts = {0};
        const lm_clips_options options = {.file_name = "a.cfg",
                                          .memory.allocator = counting_allocator(&counts)};
        const lm_clip to = {.name = "x", .first = 1, .count = 2, .fps = 3, .loop_frames = 2};
        AT_END(lm_buffer_free) lm_buffer text = {0}, out = {0};
        for (unsigned k = 0; k < rows; k++)
            lm_buffer_text(&text, "1 2 2 10 // run\n");
        assert_true(lm_clips_change(text.data, text.size, 90, &options, rows / 2, &to, &out, NULL));
        most[i] = counts.most_bytes;
    }
    assert_true(most[2] < 5 * most[0]);
}

TEST(test_sample) {
    char path[4096];
    const char *root = getenv("LERPMESH_SOURCE_DIR");
    if (!root)
        SKIP("LERPMESH_SOURCE_DIR is not set");
    snprintf(path, sizeof path, "%s/samples/models/players/tick/animation.cfg", root);
    AT_END(blob_free) blob text = blob_read(path);
    assert_true(check_clip_changes(path, text.data, text.size, 500, 1) > 0);
}
