/* Tests .skin files: supported and ignored lines, and the engine's comparison of names. */
#include "lerpmesh/assets.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

#include "image_maker.h"

OWNER(lm_skin_file, lm_skin_free)

/* Reads from a copy of exactly `size` bytes. */
static lm_skin_file *read_bytes(const char *text, size_t size, const lm_memory *memory,
                                lm_error *error) {
    char *copy = malloc(size ? size : 1);
    memcpy(copy, text, size);
    lm_skin_file *skin = lm_skin_read(copy, size, memory, error);
    free(copy);
    return skin;
}

static lm_skin_file *read_text(const char *text) {
    lm_error error = {0};
    lm_skin_file *skin = read_bytes(text, strlen(text), NULL, &error);
    if (!skin)
        fail_msg("%s", error.message);
    return skin;
}

static void expect_entry(const lm_skin_file *skin, uint32_t index, const char *surface,
                         const char *path, uint32_t line) {
    assert_true(index < skin->num_entries);
    assert_string_equal(skin->entries[index].surface, surface);
    assert_string_equal(skin->entries[index].path, path);
    assert_int_equal(skin->entries[index].line, line);
}

static const char sample[] = "tag_head,\r\n"
                             "H_Head,models/players/a/Head.tga\r\n"
                             "\r\n"
                             "  u_torso\t, \t models\\b.tga  \n"
                             "// a comment, with a comma\n"
                             "\"l_legs\",\"models/with space, and comma.tga\"\n"
                             "/* over,\n lines */ sleeve,models//c.tga // why\r"
                             "TAG_Weapon\n"
                             "belt,models/my skin.jpg,\n"
                             "nothing\n"
                             "empty,\n"
                             ",path\n"
                             "last,models/d";

TEST(test_valid_lines) {
    OWNED(lm_skin_file) *skin = read_text(sample);
    assert_int_equal(skin->num_entries, 6);
    expect_entry(skin, 0, "h_head", "models/players/a/Head.tga", 2);
    expect_entry(skin, 1, "u_torso", "models\\b.tga", 4);
    expect_entry(skin, 2, "l_legs", "models/with space, and comma.tga", 6);
    expect_entry(skin, 3, "sleeve", "models//c.tga", 8);
    expect_entry(skin, 4, "belt", "models/my skin.jpg", 10);
    expect_entry(skin, 5, "last", "models/d", 14);
    assert_int_equal(skin->num_tags, 2);
    assert_string_equal(skin->tags[0], "tag_head");
    assert_string_equal(skin->tags[1], "tag_weapon");
    assert_int_equal(skin->num_warnings, 1);
    assert_int_equal(skin->warnings[0].code, LM_CODE_SKIN_LINE);
    assert_int_equal(skin->warnings[0].count, 3);
    assert_non_null(strstr(skin->warnings[0].text, "line 11"));
}

TEST(test_lookup) {
    OWNED(lm_skin_file) *skin =
        read_text("H_Head,first\nh_head,second\nx_3,third\n_1,fourth\nl_1,fifth\n");
    assert_string_equal(lm_skin_path(skin, "h_head"), "first");
    assert_string_equal(lm_skin_path(skin, "H_HEAD_1"), "first");
    assert_string_equal(lm_skin_path(skin, "h_head_2"), "first");
    assert_string_equal(lm_skin_path(skin, "h_head_3"), "first");
    assert_null(lm_skin_path(skin, "h_hea"));
    assert_null(lm_skin_path(skin, "h_heads"));
    assert_null(lm_skin_path(skin, ""));
    assert_null(lm_skin_path(skin, "x_3"));
    assert_string_equal(lm_skin_path(skin, "_1"), "fourth");
    /* The engine removes the suffix from the model's name only. */
    assert_null(lm_skin_path(skin, "l_1"));
}

TEST(test_empty) {
    OWNED(lm_skin_file) *skin = lm_skin_read(NULL, 0, NULL, NULL);
    assert_non_null(skin);
    assert_int_equal(skin->num_entries + skin->num_tags + skin->num_warnings, 0);
}

TEST(test_prefixes_and_patches) {
    static const char values[] = "\0\n\r,\"/* \xff";
    char text[sizeof sample];
    size_t entries = 0;
    memcpy(text, sample, sizeof sample);
    for (size_t size = 0; size < sizeof sample; size++) {
        lm_skin_file *skin = read_bytes(sample, size, NULL, NULL);
        entries += skin->num_entries;
        lm_skin_free(skin);
        for (size_t v = 0; v < sizeof values; v++) {
            text[size] = values[v];
            skin = read_bytes(text, sizeof text, NULL, NULL);
            for (uint32_t i = 0; i < skin->num_entries; i++)
                assert_true(skin->entries[i].surface[0] && skin->entries[i].path[0]);
            lm_skin_free(skin);
        }
        text[size] = sample[size];
    }
    assert_true(entries > 100);
}

TEST(test_limits) {
    lm_error error = {0};
    counted memory = {.fail_at = 1};
    lm_memory limits = {.allocator = counting_allocator(&memory)};
    assert_null(lm_skin_read(sample, sizeof sample - 1, &limits, &error));
    assert_int_equal(error.code, LM_CODE_OUT_OF_MEMORY);
    limits.max_bytes = 100;
    assert_null(lm_skin_read(sample, sizeof sample - 1, &limits, &error));
    assert_int_equal(error.code, LM_CODE_LIMIT);
    /* Files of the shortest possible lines stay within the stated bound. */
    AT_END(lm_buffer_free) lm_buffer many = {0};
    for (int i = 0; i < 200000; i++)
        lm_buffer_text(&many, i % 2 ? "a,b\n" : "tag_,\n");
    memory = (counted){0};
    limits.max_bytes = 0;
    lm_skin_file *skin = lm_skin_read(many.data, many.size, &limits, &error);
    assert_non_null(skin);
    assert_int_equal(skin->num_entries, 100000);
    lm_skin_free(skin);
    assert_int_equal(memory.live_bytes, 0);
}

/* Spaces and commas are quoted; the writer rejects a surface that readers would not find. */
TEST(test_written) {
    const lm_skin_entry entries[] = {{.surface = "h_head", .path = "models/a b.tga"},
                                     {.surface = "u,torso", .path = "models/t.tga"}};
    const lm_skin_entry same[] = {{.surface = "head", .path = "a.tga"},
                                  {.surface = "HEAD", .path = "b.tga"}};
    const char *const tags[] = {"tag_weapon"};
    AT_END(lm_buffer_free) lm_buffer out = {0};
    lm_error error;
    assert_true(lm_skin_write(entries, 2, tags, 1, &out, &error));
    lm_buffer_append(&out, "", 1);
    assert_string_equal((const char *)out.data, "h_head,\"models/a b.tga\"\n"
                                                "\"u,torso\",models/t.tga\ntag_weapon,\n");
    const size_t size = out.size;
    assert_false(lm_skin_write(same, 2, NULL, 0, &out, &error));
    assert_int_equal(error.code, LM_CODE_NOT_HELD);
    assert_int_equal(out.size, size);
}
