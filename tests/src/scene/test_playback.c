/* Tests the clock that plays clips. */
#include <math.h>

#include "lerpmesh/scene.h"
#include "testing.h"

#define NEAR 1e-6

/* Ten frames from frame 100 on, at 10 fps. */
static lm_playback make(lm_play_mode mode) {
    lm_playback p = {.mode = mode, .playing = true};
    const lm_clip clip = {.name = "", .first = 100, .count = 10, .fps = 10, .loop_frames = 10};
    lm_playback_begin(&p, &clip);
    return p;
}

static double frame_now(const lm_playback *p) {
    lm_pose pose;
    lm_playback_pose(p, &p->clip, &pose);
    return (double)pose.frame_a + (double)pose.t * ((double)pose.frame_b - (double)pose.frame_a);
}

TEST(test_plays_at_its_rate) {
    lm_playback p = make(LM_PLAY_LOOP);
    assert_true(lm_playback_advance(&p, 0.35));
    assert_true(fabs(frame_now(&p) - 103.5) < NEAR);
    assert_true(fabs(lm_playback_position(&p) - 3.5) < NEAR);
    p.speed = 2;
    lm_playback_advance(&p, 0.1);
    assert_true(fabs(lm_playback_position(&p) - 5.5) < NEAR);
    lm_playback_advance(&p, 0.2); /* between the last frame and the first */
    assert_true(fabs(lm_playback_position(&p) - 9.5) < NEAR);
    lm_playback_set_playing(&p, false);
    assert_false(lm_playback_advance(&p, 1));
}

TEST(test_stops_at_the_end) {
    lm_playback p = make(LM_PLAY_ONCE);
    lm_playback_advance(&p, 100);
    assert_false(p.playing);
    assert_true(fabs(frame_now(&p) - 109) < NEAR);
    lm_playback_set_playing(&p, true); /* from its start again */
    assert_true(fabs(frame_now(&p) - 100) < NEAR);
    p = make(LM_PLAY_AS_CLIP);
    p.clip.loop_frames = 0;
    lm_playback_advance(&p, 100);
    assert_false(p.playing);
    p = make(LM_PLAY_AS_CLIP);
    lm_playback_advance(&p, 100);
    assert_true(p.playing);
}

TEST(test_there_and_back) {
    lm_playback p = make(LM_PLAY_PING_PONG);
    lm_playback_advance(&p, 1.2); /* nine frames forward, three back */
    assert_true(fabs(lm_playback_position(&p) - 6) < NEAR);
    assert_true(p.playing);
}

TEST(test_backwards) {
    lm_playback p = make(LM_PLAY_LOOP);
    lm_playback_seek(&p, 6);
    lm_playback_set_backwards(&p, true);
    assert_true(fabs(lm_playback_position(&p) - 6) < NEAR); /* the position stays */
    lm_playback_advance(&p, 0.25);
    assert_true(fabs(lm_playback_position(&p) - 3.5) < NEAR);
    lm_playback_set_backwards(&p, false);
    assert_true(fabs(lm_playback_position(&p) - 3.5) < NEAR);
    p.clip.backwards = true; /* the clip's own direction, reversed again */
    lm_playback_set_backwards(&p, true);
    lm_playback_seek(&p, 2);
    lm_playback_advance(&p, 0.1);
    assert_true(fabs(lm_playback_position(&p) - 3) < NEAR);
}

TEST(test_seek_and_step) {
    static const lm_play_mode modes[] = {LM_PLAY_AS_CLIP, LM_PLAY_LOOP, LM_PLAY_ONCE,
                                         LM_PLAY_PING_PONG};
    for (int i = 0; i < 8; i++) {
        lm_playback p = make(modes[i / 2]);
        lm_playback_set_backwards(&p, i % 2);
        for (int frame = 0; frame < 10; frame++) {
            lm_playback_seek(&p, frame);
            assert_true(fabs(lm_playback_position(&p) - frame) < NEAR);
        }
        lm_playback_seek(&p, 1e9);
        assert_true(fabs(lm_playback_position(&p) - 9) < NEAR);
        lm_playback_step(&p, 1); /* wraps around */
        assert_true(fabs(lm_playback_position(&p)) < NEAR);
        lm_playback_step(&p, -1);
        assert_true(fabs(lm_playback_position(&p) - 9) < NEAR);
        assert_false(p.playing);
        lm_playback_seek(&p, (double)NAN);
        assert_true(fabs(lm_playback_position(&p)) < NEAR);
    }
}

TEST(test_frame_by_frame) {
    lm_playback p = make(LM_PLAY_LOOP);
    p.stepped = true;
    lm_playback_advance(&p, 0.39);
    assert_true(frame_now(&p) == 103);
}

TEST(test_one_frame) {
    lm_playback p = make(LM_PLAY_LOOP);
    p.clip.count = p.clip.loop_frames = 1;
    lm_playback_advance(&p, 0.35);
    lm_playback_step(&p, 1);
    assert_true(frame_now(&p) == 100);
    assert_true(lm_playback_position(&p) == 0);
}

TEST(test_invalid_values) {
    static const double speeds[] = {-2, (double)NAN, (double)INFINITY};
    lm_playback p = make((lm_play_mode)77); /* invalid modes act like LM_PLAY_AS_CLIP, and this clip
                                             * loops */
    lm_playback_advance(&p, 1.25);
    assert_true(p.playing && fabs(frame_now(&p) - 102.5) < NEAR);
    p = make((lm_play_mode)77);
    p.clip.loop_frames = 0;
    lm_playback_advance(&p, 100);
    assert_false(p.playing);
    assert_true(frame_now(&p) == 109);
    for (size_t i = 0; i < sizeof speeds / sizeof *speeds; i++) {
        p = make(LM_PLAY_LOOP);
        p.speed = speeds[i];
        lm_playback_advance(&p, 0.35);
        assert_true(fabs(frame_now(&p) - 103.5) < NEAR);
    }
}
