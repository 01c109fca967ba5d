/* Tests clips whose frames have different durations: playback, lengths, cutting and export. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"
#include "json_reader.h"
#include "lerpmesh/lerpmesh.h"
#include "synthetic_model.h"
#include "testing.h"

#define NEAR 1e-6

/* Durations 0.5, 0.25, 1 and 0.25: two seconds. The first time is not 0: only differences count. */
static const float times[] = {3.0f, 3.5f, 3.75f, 4.75f, 5.0f};

static lm_clip timed(uint32_t loop_frames) {
    return (lm_clip){.name = "flame",
                     .first = 10,
                     .count = 4,
                     .fps = 2,
                     .loop_frames = loop_frames,
                     .times = times};
}

static void expect_near(double found, double expected) {
    if (!(fabs(found - expected) < NEAR))
        fail_msg("%.9g instead of %.9g", found, expected);
}

static void expect_pose(const lm_clip *clip, double seconds, lm_play_mode mode, uint32_t a,
                        uint32_t b, double t) {
    lm_pose pose;
    lm_clip_pose(clip, seconds, mode, false, &pose);
    assert_int_equal(pose.frame_a, a);
    assert_int_equal(pose.frame_b, b);
    expect_near((double)pose.t, t);
}

TEST(frames_last_for_their_durations) {
    const lm_clip clip = timed(4);
    expect_pose(&clip, 0, LM_PLAY_AS_CLIP, 10, 11, 0);
    expect_pose(&clip, 0.25, LM_PLAY_AS_CLIP, 10, 11, 0.5);
    expect_pose(&clip, 0.5, LM_PLAY_AS_CLIP, 11, 12, 0);
    expect_pose(&clip, 1.25, LM_PLAY_AS_CLIP, 12, 13, 0.5);
    expect_pose(&clip, 1.875, LM_PLAY_AS_CLIP, 13, 10, 0.5);
    expect_pose(&clip, 2, LM_PLAY_AS_CLIP, 10, 11, 0);
    expect_pose(&clip, 200.25, LM_PLAY_LOOP, 10, 11, 0.5);
    expect_pose(&clip, -0.125, LM_PLAY_LOOP, 13, 10, 0.5);
    expect_pose(&clip, INFINITY, LM_PLAY_LOOP, 10, 11, 0);
}

/* Searches among any number of frames find each one. */
TEST(each_of_many_frames_is_found) {
    float begins[40] = {0};
    for (uint32_t count = 1; count < 40; count++) {
        begins[count] = begins[count - 1] + 0.25f * (float)(1 + count * 7 % 5);
        const lm_clip clip = {.count = count, .fps = 1, .loop_frames = count, .times = begins};
        for (uint32_t i = 0; i < count; i++) {
            double middle = ((double)begins[i] + (double)begins[i + 1]) / 2;
            expect_pose(&clip, (double)begins[i], LM_PLAY_ONCE, i, i + 1 < count ? i + 1 : i, 0);
            expect_pose(&clip, middle, LM_PLAY_LOOP, i, (i + 1) % count, count > 1 ? 0.5 : 0);
        }
    }
}

TEST(play_modes_use_frame_durations) {
    const lm_clip clip = timed(0), tail = timed(2);
    expect_pose(&clip, 1.7, LM_PLAY_ONCE, 12, 13, 0.95);
    expect_pose(&clip, 9, LM_PLAY_AS_CLIP, 13, 13, 0);
    expect_pose(&clip, 2, LM_PLAY_PING_PONG, 12, 13, 0.75);
    expect_pose(&clip, 3.5, LM_PLAY_PING_PONG, 10, 11, 0);
    /* The last two frames repeat: 1.25 seconds. */
    expect_pose(&tail, 2, LM_PLAY_AS_CLIP, 12, 13, 0);
    expect_pose(&tail, 1.75 + 1.25 * 7 + 0.125, LM_PLAY_AS_CLIP, 13, 12, 0.5);
    lm_pose back;
    lm_clip_pose(&clip, 0.25, LM_PLAY_LOOP, true, &back);
    assert_int_equal(back.frame_a, 13);
    assert_int_equal(back.frame_b, 12);
}

TEST(durations) {
    const lm_clip clip = timed(4), once = timed(0);
    expect_near(lm_clip_duration(&clip, LM_PLAY_AS_CLIP), 2);
    expect_near(lm_clip_duration(&once, LM_PLAY_AS_CLIP), 1.75);
    expect_near(lm_clip_duration(&clip, LM_PLAY_PING_PONG), 3.5);
}

TEST(frames_and_seconds_are_each_others_inverse) {
    static const double ends[][2] = {{0, 0},   {0.5, 0.25}, {1, 0.5}, {2.5, 1.25}, {4, 2},
                                     {5, 2.5}, {6.5, 3.25}, {8, 4},   {41, 20.5}};
    const lm_clip clip = timed(4), plain = {.count = 4, .fps = 8, .loop_frames = 4};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        expect_near(lm_clip_seconds(&clip, ends[i][0]), ends[i][1]);
        expect_near(lm_clip_frames(&clip, ends[i][1]), ends[i][0]);
        expect_near(lm_clip_seconds(&plain, ends[i][0]), ends[i][0] / 8);
        expect_near(lm_clip_frames(&plain, ends[i][1]), ends[i][1] * 8);
    }
    /* A clip that does not loop ends with its last frame, a quarter of a second long. */
    const lm_clip once = timed(0);
    expect_near(lm_clip_seconds(&once, 6), 2.5);
    expect_near(lm_clip_frames(&once, 2.5), 6);
}

/* ---- glTF ---------------------------------------------------------------------------------- */

/* Reads the times of the keys of the file's one animation. */
static uint32_t read_keys(const lm_model *model, const lm_gltf_options *request, float *keys) {
    lm_gltf_options options = *request;
    lm_buffer out = {0};
    lm_error error;
    if (!lm_gltf_write(model, &options, &out, NULL, NULL, &error))
        fail_msg("%s", error.message);
    size_t json_size = lm_get_u32(out.data + 12);
    char *json = calloc(json_size + 1, 1);
    assert_non_null(json);
    memcpy(json, out.data + 20, json_size);
    assert_int_equal(json_count(json, "animations"), 1);
    unsigned accessor = (unsigned)json_number(json_at(json, "animations/0/samplers/0/input"), 0);
    uint32_t count = (uint32_t)json_number(json_at(json, "accessors/%u/count", accessor), 0);
    unsigned view = (unsigned)json_number(json_at(json, "accessors/%u/bufferView", accessor), 0);
    size_t at = (size_t)json_number(json_at(json, "accessors/%u/byteOffset", accessor), 0) +
                (size_t)json_number(json_at(json, "bufferViews/%u/byteOffset", view), 0);
    for (uint32_t i = 0; i < count && i < 8; i++)
        keys[i] = lm_get_f32(out.data + 28 + json_size + at + 4 * (size_t)i);
    free(json);
    lm_buffer_free(&out);
    return count;
}

static void expect_keys(const lm_gltf_options *options, uint32_t count, const double *expected) {
    AT_END(drop_synthetic_model)
    lm_model *model = make_model(&(synthetic_options){.num_frames = 20, .period = 20});
    float keys[8];
    assert_int_equal(read_keys(model, options, keys), count);
    for (uint32_t i = 0; i < count; i++)
        expect_near((double)keys[i], expected[i]);
}

TEST(gltf_keys_match_frame_times) {
    lm_clip clip = timed(4);
    lm_gltf_options options = {.common = {.clips = &clip, .num_clips = 1}};
    expect_keys(&options, 5, (const double[]){0, 0.5, 0.75, 1.75, 2});
    options.common.fps = 10;
    expect_keys(&options, 5, (const double[]){0, 0.1, 0.2, 0.3, 0.4});
}

TEST(shortened_clips_preserve_frame_durations) {
    lm_clip clip = timed(0);
    lm_gltf_options options = {.common = {.clips = &clip, .num_clips = 1}};
    options.common.first_frame = 11;
    options.common.num_frames = 3;
    expect_keys(&options, 3, (const double[]){0, 0.25, 1.25});
    clip.backwards = true; /* played backwards, the last frames come first */
    expect_keys(&options, 3, (const double[]){0, 0.5, 0.75});
    options.common.first_frame = 10;
    expect_keys(&options, 3, (const double[]){0, 0.25, 1.25});
}
