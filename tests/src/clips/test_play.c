/* Tests playback of a clip: which two frames are blended at a time, and the weight of each. */
#include "clips/clip_names.h"
#include "core/bytes.h"
#include "json_reader.h"
#include "lerpmesh/lerpmesh.h"
#include "synthetic.h"
#include "testing.h"

#include <float.h>

static lm_clip clip_of(uint32_t first, uint32_t count, float fps, uint32_t loop_frames) {
    return (lm_clip){
        .name = "test", .first = first, .count = count, .fps = fps, .loop_frames = loop_frames};
}

static lm_pose pose_of(const lm_clip *clip, double seconds, lm_play_mode mode, bool backwards) {
    lm_pose pose;
    lm_clip_pose(clip, seconds, mode, backwards, &pose);
    return pose;
}

static void expect_pose(const lm_clip *clip, double seconds, lm_play_mode mode, bool backwards,
                        uint32_t a, uint32_t b, double t) {
    lm_pose pose = pose_of(clip, seconds, mode, backwards);
    if (pose.frame_a != a || pose.frame_b != b || fabs((double)pose.t - t) > 1e-6)
        fail_msg("at %g s: %u %u %g, expected %u %u %g", seconds, pose.frame_a, pose.frame_b,
                 (double)pose.t, a, b, t);
}

/* Returns the weight of frame `frame` in a pose: equal poses have equal weights. */
static double weight(lm_pose pose, uint32_t frame) {
    double t = (double)pose.t;
    return (pose.frame_a == frame ? 1 - t : 0) + (pose.frame_b == frame ? t : 0);
}

/* Returns the largest difference of a frame's weight between two poses. */
static double difference(const lm_clip *clip, lm_pose one, lm_pose two) {
    double largest = 0;
    for (uint32_t f = clip->first; f < clip->first + clip->count; f++)
        largest = fmax(largest, fabs(weight(one, f) - weight(two, f)));
    return largest;
}

static void expect_valid(const lm_clip *clip, lm_pose pose) {
    assert_in_range(pose.frame_a, clip->first, clip->first + clip->count - 1);
    assert_in_range(pose.frame_b, clip->first, clip->first + clip->count - 1);
    assert_true(pose.t >= 0 && pose.t <= 1);
}

static const lm_play_mode modes[] = {LM_PLAY_AS_CLIP, LM_PLAY_LOOP, LM_PLAY_ONCE,
                                     LM_PLAY_PING_PONG};

TEST(test_loop) {
    lm_clip clip = clip_of(40, 6, 10, 6);
    for (unsigned i = 0; i < 2; i++) {
        lm_play_mode mode = i ? LM_PLAY_LOOP : LM_PLAY_AS_CLIP;
        expect_pose(&clip, 0, mode, false, 40, 41, 0);
        expect_pose(&clip, 0.25, mode, false, 42, 43, 0.5);
        expect_pose(&clip, 0.5625, mode, false, 45, 40, 0.625); /* the last blends into the first */
        expect_pose(&clip, 0.675, mode, false, 40, 41, 0.75);
        expect_pose(&clip, -0.025, mode, false, 45, 40, 0.75); /* a loop continues backwards */
        expect_pose(&clip, -0.15, mode, false, 44, 45, 0.5);
        assert_true(fabs(lm_clip_duration(&clip, mode) - 0.6) < 1e-12);
    }
}

TEST(test_a_clip_without_frames) {
    static const float start = 1;
    for (int k = 0; k < 8; k++) {
        const lm_clip clip = {
            .fps = k & 1 ? 10 : 0, .times = k & 2 ? &start : NULL, .loop_frames = 1};
        for (int mode = LM_PLAY_AS_CLIP; mode <= LM_PLAY_PING_PONG; mode++) {
            expect_pose(&clip, 0.5, (lm_play_mode)mode, (k & 4) != 0, 0, 0, 0);
            assert_true(lm_clip_duration(&clip, (lm_play_mode)mode) == 0);
        }
        assert_true(lm_clip_seconds(&clip, 3) == 0);
        lm_playback p = {.clip = &clip, .playing = true};
        lm_playback_advance(&p, 1);
        lm_playback_step(&p, 1);
        assert_true(lm_playback_position(&p) == 0);
    }
}

TEST(test_once) {
    lm_clip clip = clip_of(7, 5, 8, 5), stopping = clip_of(7, 5, 8, 0);
    for (unsigned i = 0; i < 2; i++) {
        const lm_clip *played = i ? &stopping : &clip;
        lm_play_mode mode = i ? LM_PLAY_AS_CLIP : LM_PLAY_ONCE;
        expect_pose(played, -3, mode, false, 7, 8, 0);
        expect_pose(played, 0.3125, mode, false, 9, 10, 0.5);
        expect_pose(played, 0.5, mode, false, 11, 11, 0);
        expect_pose(played, 1e300, mode, false, 11, 11, 0);
        assert_true(lm_clip_duration(played, mode) == 0.5);
    }
}

TEST(test_ping_pong) {
    lm_clip clip = clip_of(0, 4, 4, 4);
    expect_pose(&clip, -1, LM_PLAY_PING_PONG, false, 0, 1, 0);
    expect_pose(&clip, 0.625, LM_PLAY_PING_PONG, false, 2, 3, 0.5);
    expect_pose(&clip, 0.875, LM_PLAY_PING_PONG, false, 2, 3, 0.5);
    expect_pose(&clip, 1.375, LM_PLAY_PING_PONG, false, 0, 1, 0.5);
    expect_pose(&clip, 1.625, LM_PLAY_PING_PONG, false, 0, 1, 0.5);
    assert_true(weight(pose_of(&clip, 0.75, LM_PLAY_PING_PONG, false), 3) == 1);
    assert_true(weight(pose_of(&clip, 1.5, LM_PLAY_PING_PONG, false), 0) == 1);
    assert_true(lm_clip_duration(&clip, LM_PLAY_PING_PONG) == 1.5);
}

/* Six frames, the last two of which repeat: 0 1 2 3 4 5 4 5 4 ... */
TEST(test_intro_then_loop) {
    lm_clip clip = clip_of(10, 6, 1, 2);
    expect_pose(&clip, -1, LM_PLAY_AS_CLIP, false, 10, 11, 0);
    expect_pose(&clip, 3.5, LM_PLAY_AS_CLIP, false, 13, 14, 0.5);
    expect_pose(&clip, 5.25, LM_PLAY_AS_CLIP, false, 15, 14, 0.25);
    expect_pose(&clip, 6, LM_PLAY_AS_CLIP, false, 14, 15, 0);
    expect_pose(&clip, 1001.5, LM_PLAY_AS_CLIP, false, 15, 14, 0.5);
    assert_true(lm_clip_duration(&clip, LM_PLAY_AS_CLIP) == 6);
    clip.loop_frames = 1; /* holds the last frame */
    for (int i = 0; i < 50; i++)
        assert_true(weight(pose_of(&clip, 5 + 0.3 * i, LM_PLAY_AS_CLIP, false), 15) == 1);
    clip.loop_frames = 99; /* more than there are: all of them */
    expect_pose(&clip, 5.5, LM_PLAY_AS_CLIP, false, 15, 10, 0.5);
}

TEST(test_backwards_mirrors_the_frames) {
    for (unsigned m = 0; m < 4; m++)
        for (uint32_t loop = 0; loop <= 5; loop++)
            for (int i = -54; i < 108; i++) {
                double s = 0.037 * i;
                lm_clip clip = clip_of(3, 5, 7, loop), turned = clip;
                turned.backwards = true;
                lm_pose there = pose_of(&clip, s, modes[m], false);
                lm_pose back = pose_of(&clip, s, modes[m], true);
                lm_pose own = pose_of(&turned, s, modes[m], false);
                lm_pose twice = pose_of(&turned, s, modes[m], true);
                assert_int_equal(there.frame_a + back.frame_a, 3 + 7);
                assert_int_equal(there.frame_b + back.frame_b, 3 + 7);
                assert_true(there.t == back.t && own.t == back.t);
                assert_int_equal(own.frame_a, back.frame_a);
                assert_true(difference(&clip, twice, there) == 0);
            }
}

TEST(test_loops_are_periodic) {
    for (uint32_t count = 1; count < 9; count++)
        for (unsigned m = 1; m < 4; m += 2) {
            lm_clip clip = clip_of(2, count, 12.5f, count);
            double turn = lm_clip_duration(&clip, modes[m]);
            for (int i = 0; i < 163; i++)
                for (int turns = 1; turns < 1000; turns *= 7) {
                    double s = 0.0123 * i;
                    lm_pose now = pose_of(&clip, s, modes[m], false);
                    lm_pose later = pose_of(&clip, s + turns * turn, modes[m], false);
                    assert_true(difference(&clip, now, later) < 1e-5);
                }
        }
}

/* A small step in time is a small step of the pose: it never jumps and never stops. Between the
 * last and the first frame of an intro's loop lies one frame's time, as anywhere else. */
TEST(test_motion_is_continuous) {
    for (uint32_t count = 1; count < 7; count++)
        for (uint32_t loop = 0; loop <= count; loop++)
            for (unsigned m = 0; m < 4; m++) {
                lm_clip clip = clip_of(5, count, 10, loop);
                lm_pose before = pose_of(&clip, -1, modes[m], false);
                double way = 0;
                for (int i = -1000; i < 3000; i++) {
                    lm_pose pose = pose_of(&clip, i * 0.001, modes[m], false);
                    double moved = difference(&clip, before, pose);
                    expect_valid(&clip, pose);
                    assert_true(moved < 0.0101);
                    way += moved;
                    before = pose;
                }
                assert_true(count == 1 ? way == 0 : way > 0.98 * (count - 1));
            }
}

TEST(test_frame_times_show_frames) {
    for (uint32_t fps = 1; fps < 61; fps++)
        for (uint32_t i = 0; i < 40; i++) {
            lm_clip clip = clip_of(100, 40, (float)fps, 40);
            for (unsigned m = 0; m < 4; m++)
                assert_true(weight(pose_of(&clip, (double)i / fps, modes[m], false), 100 + i) >
                            1 - 1e-6);
        }
}

TEST(test_hostile_times) {
    const double times[] = {NAN,     INFINITY, -INFINITY, 1e300,   -1e300, DBL_MAX, -DBL_MAX,
                            DBL_MIN, -DBL_MIN, 5e-324,    -5e-324, -0.0,   1e15,    -1e15};
    const float rates[] = {10, 1e-30f, FLT_MAX, 1e-45f};
    for (uint32_t count = 1; count < 5; count++)
        for (uint32_t loop = 0; loop <= count; loop++)
            for (unsigned m = 0; m < 4; m++)
                for (unsigned r = 0; r < 4; r++)
                    for (unsigned i = 0; i < sizeof times / sizeof *times; i++) {
                        lm_clip clip = clip_of(9, count, rates[r], loop);
                        expect_valid(&clip, pose_of(&clip, times[i], modes[m], i & 1));
                    }
    lm_clip clip = clip_of(9, 4, 10, 4);
    for (unsigned m = 0; m < 4; m++)
        for (unsigned i = 0; i < 3; i++)
            expect_pose(&clip, times[i], modes[m], false, 9, 10, 0);
}

/* The sum of the intro and the rest of the loop must not round up to the end. */
TEST(test_rounding_at_the_loops_end) {
    lm_clip clip = clip_of(0, 1000003, 1, 3);
    double end = 1000003;
    for (int i = 0; i < 1000; i++) {
        end = nextafter(end, 0);
        expect_valid(&clip, pose_of(&clip, end, LM_PLAY_AS_CLIP, false));
        expect_valid(&clip, pose_of(&clip, end + 3e9, LM_PLAY_AS_CLIP, false));
    }
    clip = clip_of(0, 4000000000u, 10, 1);
    expect_valid(&clip, pose_of(&clip, nextafter(4e8, 0), LM_PLAY_AS_CLIP, false));
}

TEST(test_one_frame) {
    lm_clip clip = clip_of(4, 1, 10, 1);
    for (unsigned m = 0; m < 4; m++)
        for (int i = -15; i < 15; i++)
            expect_pose(&clip, 0.07 * i, modes[m], false, 4, 4, 0);
    assert_true(lm_clip_duration(&clip, LM_PLAY_LOOP) == 1 / 10.0);
    assert_true(lm_clip_duration(&clip, LM_PLAY_ONCE) == 0);
    assert_true(lm_clip_duration(&clip, LM_PLAY_PING_PONG) == 0);
}

/* ---- The description's Animate ------------------------------------------------------------- */

/* A player by the description: the current frame and a fraction of the way to the next. Once the
 * fraction is 1, it advances to the next frame, and from the second to last back to the first. */
typedef struct described_player {
    uint32_t frame;
    double share;
} described_player;

TEST(test_clips_by_name) {
    const lm_clip clips[] = {clip_of(0, 2, 10, 2),
                             {.name = "Run", .first = 2, .count = 3, .fps = 10, .loop_frames = 3},
                             {.name = "run", .first = 5, .count = 1, .fps = 10, .loop_frames = 1},
                             {.name = "run", .first = 6, .count = 1, .fps = 10, .loop_frames = 1}};
    const lm_model model = {.num_frames = 7, .num_clips = 4, .clips = clips};
    assert_ptr_equal(lm_model_find_clip(&model, "test"), &clips[0]);
    assert_ptr_equal(lm_model_find_clip(&model, "run"), &clips[2]);
    assert_ptr_equal(lm_model_find_clip(&model, "RUN"), &clips[1]);
    assert_null(lm_model_find_clip(&model, "ru"));
    assert_null(lm_model_find_clip(&model, "runs"));
    assert_null(lm_model_find_clip(&model, NULL));
    assert_null(lm_model_find_clip(NULL, "run"));
    assert_int_equal(lm_model_count(&model, LM_MODEL_FRAMES), 7);
    assert_int_equal(lm_model_count(&model, LM_MODEL_CLIPS), 4);
    assert_int_equal(lm_model_count(&model, LM_MODEL_TAGS), 0);
    assert_int_equal(lm_model_count(&model, (lm_model_list)99), 0);
}

/* Returns the clip in which a model is first shown, given its clips' names, terminated by "". */
static const char *rest_clip_of(const char *const *names) {
    lm_clip clips[8];
    uint32_t count = 0;
    for (; *names[count]; count++)
        clips[count] = (lm_clip){
            .name = names[count], .first = count, .count = 1, .fps = 10, .loop_frames = 1};
    const lm_clip *rest = lmi_rest_clip(clips, count);
    return rest ? rest->name : NULL;
}

TEST(test_rest_clip) {
    static const struct {
        const char *names[8], *rest;
    } models[] = {{{"run", "stand", "idle", ""}, "stand"},
                  {{"crstand", "Stand1", "STAND", ""}, "STAND"},
                  {{"walk", "npc_idle", "idle2", "stands", ""}, "idle2"},
                  {{"BOTH_DEATH1", "LEGS_WALK", "LEGS_IDLE", "LEGS_IDLECR", ""}, "LEGS_IDLE"},
                  {{"walk", "sta", "nd", "idl", ""}, "walk"}};
    for (size_t i = 0; i < sizeof models / sizeof *models; i++)
        assert_string_equal(rest_clip_of(models[i].names), models[i].rest);
    assert_null(rest_clip_of((const char *const[]){""}));
}

/* Tests clips whose frames have different durations: playback, lengths, cutting and export. */

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

static void expect_pose_at(const lm_clip *clip, double seconds, lm_play_mode mode, uint32_t a,
                           uint32_t b, double t) {
    lm_pose pose;
    lm_clip_pose(clip, seconds, mode, false, &pose);
    assert_int_equal(pose.frame_a, a);
    assert_int_equal(pose.frame_b, b);
    expect_near((double)pose.t, t);
}

TEST(frames_last_for_their_durations) {
    const lm_clip clip = timed(4);
    expect_pose_at(&clip, 0, LM_PLAY_AS_CLIP, 10, 11, 0);
    expect_pose_at(&clip, 0.25, LM_PLAY_AS_CLIP, 10, 11, 0.5);
    expect_pose_at(&clip, 0.5, LM_PLAY_AS_CLIP, 11, 12, 0);
    expect_pose_at(&clip, 1.25, LM_PLAY_AS_CLIP, 12, 13, 0.5);
    expect_pose_at(&clip, 1.875, LM_PLAY_AS_CLIP, 13, 10, 0.5);
    expect_pose_at(&clip, 2, LM_PLAY_AS_CLIP, 10, 11, 0);
    expect_pose_at(&clip, 200.25, LM_PLAY_LOOP, 10, 11, 0.5);
    expect_pose_at(&clip, -0.125, LM_PLAY_LOOP, 13, 10, 0.5);
    expect_pose_at(&clip, INFINITY, LM_PLAY_LOOP, 10, 11, 0);
}

/* Searches among any number of frames find each one. */
TEST(each_of_many_frames_is_found) {
    float begins[40] = {0};
    for (uint32_t count = 1; count < 40; count++) {
        begins[count] = begins[count - 1] + 0.25f * (float)(1 + count * 7 % 5);
        const lm_clip clip = {.count = count, .fps = 1, .loop_frames = count, .times = begins};
        for (uint32_t i = 0; i < count; i++) {
            double middle = ((double)begins[i] + (double)begins[i + 1]) / 2;
            expect_pose_at(&clip, (double)begins[i], LM_PLAY_ONCE, i, i + 1 < count ? i + 1 : i, 0);
            expect_pose_at(&clip, middle, LM_PLAY_LOOP, i, (i + 1) % count, count > 1 ? 0.5 : 0);
        }
    }
}

TEST(play_modes_use_frame_durations) {
    const lm_clip clip = timed(0), tail = timed(2);
    expect_pose_at(&clip, 1.7, LM_PLAY_ONCE, 12, 13, 0.95);
    expect_pose_at(&clip, 9, LM_PLAY_AS_CLIP, 13, 13, 0);
    expect_pose_at(&clip, 2, LM_PLAY_PING_PONG, 12, 13, 0.75);
    expect_pose_at(&clip, 3.5, LM_PLAY_PING_PONG, 10, 11, 0);
    /* The last two frames repeat: 1.25 seconds. */
    expect_pose_at(&tail, 2, LM_PLAY_AS_CLIP, 12, 13, 0);
    expect_pose_at(&tail, 1.75 + 1.25 * 7 + 0.125, LM_PLAY_AS_CLIP, 13, 12, 0.5);
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
        expect_near(lmi_clip_frames(&clip, ends[i][1]), ends[i][0]);
        expect_near(lm_clip_seconds(&plain, ends[i][0]), ends[i][0] / 8);
        expect_near(lmi_clip_frames(&plain, ends[i][1]), ends[i][1] * 8);
    }
    /* A clip that does not loop ends with its last frame, a quarter of a second long. */
    const lm_clip once = timed(0);
    expect_near(lm_clip_seconds(&once, 6), 2.5);
    expect_near(lmi_clip_frames(&once, 2.5), 6);
}

/* ---- glTF ---------------------------------------------------------------------------------- */

/* Reads the times of the keys of the file's one animation. */
static uint32_t read_keys(const lm_model *model, const lm_gltf_options *request, float *keys) {
    lm_gltf_options options = *request;
    AT_END(lm_buffer_free) lm_buffer out = {0};
    lm_error error;
    assert_done(lm_gltf_write(LM_SCENE_OF(model), &options, &out, NULL, NULL, &error), error);
    size_t json_size = lmi_get_u32(out.data + 12);
    AT_END(drop_bytes) char *json = calloc(json_size + 1, 1);
    assert_non_null(json);
    memcpy(json, out.data + 20, json_size);
    assert_int_equal(json_count(json, "animations"), 1);
    unsigned accessor = (unsigned)json_number(json_at(json, "animations/0/samplers/0/input"), 0);
    uint32_t count = (uint32_t)json_number(json_at(json, "accessors/%u/count", accessor), 0);
    unsigned view = (unsigned)json_number(json_at(json, "accessors/%u/bufferView", accessor), 0);
    size_t at = (size_t)json_number(json_at(json, "accessors/%u/byteOffset", accessor), 0) +
                (size_t)json_number(json_at(json, "bufferViews/%u/byteOffset", view), 0);
    for (uint32_t i = 0; i < count && i < 8; i++)
        keys[i] = lmi_get_f32(out.data + 28 + json_size + at + 4 * (size_t)i);
    return count;
}

static void expect_keys(const lm_gltf_options *options, uint32_t count, const double *expected) {
    SYNTHETIC_MODEL(model, .num_frames = 20, .period = 20);
    float keys[8];
    assert_int_equal(read_keys(model, options, keys), count);
    for (uint32_t i = 0; i < count; i++)
        expect_near((double)keys[i], expected[i]);
}

TEST(gltf_keys_match_frame_times) {
    lm_clip clip = timed(4);
    lm_gltf_options options = {.common = {.clips = &clip, .num_clips = 1}};
    expect_keys(&options, 5, (const double[]){0, 0.5, 0.75, 1.75, 2});
    options.fps = 1.25f;
    expect_keys(&options, 4, (const double[]){0, 0.8, 1.6, 2});
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
