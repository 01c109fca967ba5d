/* Tests the reading library's options: each member with invalid values. */
#include "option_values.h"

static bool load(const void *options, lm_error *error) {
    blob file = make_md2(&small_md2);
    lm_model *model = lm_load_memory(file.data, file.size, options, error);
    lm_model_free(model);
    blob_free(&file);
    return model != NULL;
}

static bool check(const void *options, lm_error *error) {
    blob file = make_md2(&small_md2);
    lm_report *report = lm_check_memory(file.data, file.size, options, error);
    lm_report_free(report);
    blob_free(&file);
    return report != NULL;
}

static bool read_clips(const void *options, lm_error *error) {
    static const char text[] = "0 1 0 10 // stand";
    lm_clips *clips = lm_clips_read(text, sizeof text - 1, 1, options, error);
    lm_clips_free(clips);
    return clips != NULL;
}

TEST(test_invalid_values) {
    static const option_of_call list[] = {
        {LM_OPTION(lm_load_options, memory, MEMORY, 0), load},
        {LM_OPTION(lm_load_options, quirks, FLAGS, LM_QUIRK_MDC_PRINZ), load},
        {LM_OPTION(lm_load_options, topology, ENUM, LM_TOPOLOGY_GL_COMMANDS), load},
        {LM_OPTION(lm_load_options, normals, ENUM, LM_NORMALS_AUTO), load},
        {LM_OPTION(lm_check_options, memory, MEMORY, 0), check},
        {LM_OPTION(lm_check_options, engine, ENUM, LM_NUM_ENGINES - 1), check},
        {LM_OPTION(lm_clips_options, memory, MEMORY, 0), read_clips},
        {LM_OPTION(lm_clips_options, format, ENUM, LM_CLIPS_ANM), read_clips},
        {LM_OPTION(lm_clips_options, player_part, ENUM, LM_TORSO), read_clips},
        {LM_OPTION(lm_load_options, reserved, RESERVED, 0), load},
        {LM_OPTION(lm_check_options, reserved, RESERVED, 0), check},
        {LM_OPTION(lm_clips_options, reserved, RESERVED, 0), read_clips}};
    assert_true(load(NULL, NULL) && check(NULL, NULL) && read_clips(NULL, NULL));
    assert_bad_values_rejected(list, COUNT_OF(list));
}

TEST(test_messages) {
    lm_error error;
    assert_false(load(&(lm_load_options){.quirks = 0xff01}, &error));
    assert_string_equal(error.message, "load: quirks is 0xff01, but the bits 0xff00 are undefined");
    assert_false(load(&(lm_load_options){.topology = (lm_topology)77}, &error));
    assert_string_equal(error.message, "load: topology is 77, but must be 0 to 1");
    assert_false(load(&(lm_load_options){.reserved = {0, 1}}, &error));
    assert_string_equal(error.message, "load: reserved must be 0");
    assert_false(check(&(lm_check_options){.engine = (lm_engine)-1}, &error));
    assert_string_equal(error.message, "check: engine is -1, but must be 0 to 8");
}
