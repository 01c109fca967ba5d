/* Tests the evaluation of shader scripts at a time. The expected numbers were computed by the
 * formulas in Python. */
#include "lerpmesh/scene.h"
#include "scene/check.h"
#include "testing.h"

static const uint32_t numbers[] = {0, 1, 2};

static lm_stage_state state_of(const lm_stage *stage, double seconds) {
    lm_stage_state state;
    lm_stage_at(stage, seconds, &state);
    return state;
}

static lm_tc_step step_of(const lm_tc_mod *mod, double seconds) {
    return state_of(&(lm_stage){.num_tc_mods = 1, .tc_mods = mod}, seconds).steps[0];
}

static lm_shader_summary summary_of(lm_shader shader) {
    lm_shader_summary summary;
    lm_shader_summarize(&shader, &summary);
    return summary;
}

/* ---- Waves ----------------------------------------------------------------------------------- */

TEST(waves_have_the_value_of_their_formula) {
    static const double seconds[] = {0, 0.4, 0.8, 1, -0.3};
    static const float values[][5] = {
        [LM_WAVE_SIN] = {2.118034f, -1.118034f, -0.118034f, 1.675571f, 1.914214f},
        [LM_WAVE_TRIANGLE] = {1.7f, -0.7f, 0.1f, 1.3f, 1.5f},
        [LM_WAVE_SQUARE] = {2.5f, -1.5f, -1.5f, 2.5f, 2.5f},
        [LM_WAVE_SAWTOOTH] = {1.2f, 1.8f, 2.4f, 0.7f, 0.75f},
        [LM_WAVE_INVERSE_SAWTOOTH] = {1.8f, 1.2f, 0.6f, 2.3f, 2.25f}};
    for (unsigned f = LM_WAVE_SIN; f < LM_WAVE_NOISE; f++)
        for (unsigned i = 0; i < 5; i++) {
            lm_wave wave = {0.5f, 2, 0.1f, 0.75f, (lm_wave_function)f};
            assert_float_equal(lm_wave_value(&wave, 0.25, seconds[i]), values[f][i], 1e-5);
        }
}

TEST(noise_is_smooth_and_does_not_repeat) {
    lm_wave wave = {0, 1, 0, 1, LM_WAVE_NOISE};
    float least = 1, most = -1, steepest = 0, before = lm_wave_value(&wave, 0, 0);
    for (unsigned i = 0; i < 2000; i++) {
        float value = lm_wave_value(&wave, 0, i * 0.01);
        least = fminf(least, value), most = fmaxf(most, value);
        steepest = fmaxf(steepest, fabsf(value - before));
        before = value;
    }
    assert_true(least >= -1 && least < -0.5f && most > 0.5f && most <= 1);
    assert_true(steepest <= 0.0201f);
    assert_true(lm_wave_value(&wave, 0, 3.5) != lm_wave_value(&wave, 0, 4.5));
    /* At whole numbers the noise is MurmurHash3 of no bytes, with them as seeds. */
    const double hashes[] = {0x81f16f39, 0, 0x514e28b7};
    for (int i = 0; i < 3; i++)
        assert_float_equal(lm_wave_value(&wave, i - 1, 0),
                           (float)(hashes[i] / 4294967295.0 * 2 - 1), 1e-6);
}

TEST(non_finite_times_are_harmless) {
    static const lm_tc_mod mod = {.kind = LM_TC_MOD_SCROLL, .values = {1, 1}};
    static const double times[] = {NAN, INFINITY, -INFINITY, 1e300};
    const lm_stage stage = {
        .num_images = 3, .images = numbers, .image_rate = 1, .num_tc_mods = 1, .tc_mods = &mod};
    for (unsigned f = LM_WAVE_SIN; f <= LM_WAVE_NOISE; f++) {
        lm_wave wave = {0.5f, 2, 0.1f, 0.75f, (lm_wave_function)f};
        assert_true(isfinite(lm_wave_value(&wave, 0, INFINITY)));
        assert_true(isfinite(lm_wave_value(&wave, 0, 1e300)));
    }
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        const lm_stage_state at = state_of(&stage, times[i]);
        assert_true(i < 3 ? at.image == 0 : at.image < 3);
        assert_true(isfinite(at.steps[0].matrix[4]));
        assert_true(i == 3 || at.steps[0].matrix[4] == 0);
    }
}

/* ---- Texture coordinates --------------------------------------------------------------------- */

static void assert_moved(const lm_tc_mod *mod, double seconds, float s, float t, float s2,
                         float t2) {
    const lm_tc_step step = step_of(mod, seconds);
    const float *m = step.matrix;
    assert_float_equal(s * m[0] + t * m[2] + m[4], s2, 1e-5);
    assert_float_equal(s * m[1] + t * m[3] + m[5], t2, 1e-5);
    assert_float_equal(step.turbulence, 0, 0);
}

TEST(coordinates_move_by_their_formula) {
    static const lm_tc_mod scroll = {.kind = LM_TC_MOD_SCROLL, .values = {0.3f, -0.25f}},
                           scale = {.kind = LM_TC_MOD_SCALE, .values = {3, -2}},
                           rotate = {.kind = LM_TC_MOD_ROTATE, .values = {30}},
                           stretch = {.kind = LM_TC_MOD_STRETCH,
                                      .wave = {0.5f, 0.25f, 0.1f, 0.3f, LM_WAVE_SIN}},
                           flat = {.kind = LM_TC_MOD_STRETCH},
                           transform = {.kind = LM_TC_MOD_TRANSFORM, .values = {1, 2, 3, 4, 5, 6}},
                           turb = {.kind = LM_TC_MOD_TURB,
                                   .wave = {9, 0.2f, 0.25f, 0.9f, LM_WAVE_SIN}};
    assert_moved(&scroll, 1.7, 1, 2, 1.51f, 2.575f);
    assert_moved(&scale, 1.7, 1, 2, 3, -4);
    assert_moved(&rotate, 1.7, 0, 0, -0.203233f, 0.573913f);
    assert_moved(&rotate, 1.7, 1, 0, 0.426087f, -0.203233f);
    assert_moved(&rotate, 1.7, 0.25f, 0.75f, 0.536956f, 0.851617f);
    assert_moved(&stretch, 1.7, 1, 0, 1.967808f, -0.967808f);
    assert_moved(&flat, 1.7, 1, 0, 5000.5f, -4999.5f); /* a point, far outside the image */
    assert_moved(&transform, 1.7, 1, 2, 12, 16);
    const lm_tc_step step = step_of(&turb, 1.7);
    assert_float_equal(step.turbulence, 0.2f, 0);
    assert_float_equal(step.phase, 0.78f, 1e-5);
    assert_float_equal(step.matrix[0] + step.matrix[3], 2, 0);
}

/* ---- Stages ---------------------------------------------------------------------------------- */

TEST(moving_shaders_are_detected) {
    static const lm_tc_mod still = {.kind = LM_TC_MOD_SCALE, .values = {2, 2}},
                           scroll = {.kind = LM_TC_MOD_SCROLL, .values = {0, 1}},
                           turb = {.kind = LM_TC_MOD_TURB, .wave = {0, 1, 0, 1, LM_WAVE_SIN}};
    static const lm_deform faces = {.kind = LM_DEFORM_AUTOSPRITE},
                           bulges = {.kind = LM_DEFORM_BULGE, .values = {1, 1, 1}},
                           waves = {.kind = LM_DEFORM_WAVE, .wave = {0, 1, 0, 1, LM_WAVE_SIN}};
    const lm_stage stages[] = {
        {.num_images = 1, .image_rate = 2},
        {.num_tc_mods = 1, .tc_mods = &still},
        {.rgb_wave = {0, 1, 0, 1, LM_WAVE_SIN}},
        {.num_images = 2, .image_rate = 2},
        {.num_tc_mods = 1, .tc_mods = &scroll},
        {.num_tc_mods = 1, .tc_mods = &turb},
        {.rgb_gen = LM_RGB_WAVE, .rgb_wave = {0, 1, 0, 1, LM_WAVE_SIN}},
        {.alpha_gen = LM_ALPHA_GEN_WAVE, .alpha_wave = {0, 1, 0, 1, LM_WAVE_SIN}},
    };
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++)
        assert_int_equal(summary_of((lm_shader){.num_stages = 1, .stages = &stages[i]}).moves,
                         i >= 3);
    /* An animated stage after a static one. */
    const lm_stage pair[] = {stages[1], stages[4]};
    const lm_tc_mod mods[] = {still, turb};
    const lm_deform deforms[] = {faces, bulges};
    const lm_stage last = {.num_tc_mods = 2, .tc_mods = mods};
    assert_true(summary_of((lm_shader){.num_stages = 2, .stages = pair}).moves);
    assert_false(summary_of((lm_shader){.num_stages = 1, .stages = pair}).moves);
    assert_true(summary_of((lm_shader){.num_stages = 1, .stages = &last}).moves);
    assert_true(summary_of((lm_shader){.num_deforms = 2, .deforms = deforms}).moves);
    assert_false(summary_of((lm_shader){.num_deforms = 1, .deforms = &faces}).moves);
    assert_true(summary_of((lm_shader){.num_deforms = 1, .deforms = &bulges}).moves);
    assert_true(summary_of((lm_shader){.num_deforms = 1, .deforms = &waves}).moves);
    assert_false(
        summary_of((lm_shader){.hidden = true, .num_deforms = 1, .deforms = &waves}).moves);
}

TEST(images_follow_each_other) {
    lm_stage stage = {.num_images = 3, .images = numbers, .image_rate = 2};
    static const uint32_t shown[] = {0, 0, 1, 1, 2, 2, 0, 0, 1};
    for (unsigned i = 0; i < 9; i++)
        assert_int_equal(state_of(&stage, 0.25 * i + 0.01).image, shown[i]);
    assert_int_equal(state_of(&stage, -1).image, 0);
    stage.num_images = 1;
    assert_int_equal(state_of(&stage, 0.6).image, 0);
    stage.num_images = 0;
    assert_int_equal(state_of(&stage, 0.6).image, LM_NO_TEXTURE);
}

static void assert_color(const lm_stage *stage, double seconds, float r, float g, float b,
                         float a) {
    const lm_stage_state state = state_of(stage, seconds);
    const float *rgba = state.rgba;
    assert_float_equal(rgba[0], r, 1e-6);
    assert_float_equal(rgba[1], g, 1e-6);
    assert_float_equal(rgba[2], b, 1e-6);
    assert_float_equal(rgba[3], a, 1e-6);
}

TEST(colours_are_those_of_the_generators) {
    lm_stage stage = {.rgb = {0.25f, 2, -1}, .alpha = 0.3f};
    stage.rgb_wave = (lm_wave){0.25f, 1, 0, 1, LM_WAVE_SAWTOOTH};
    stage.alpha_wave = (lm_wave){0, 1, 0, 1, LM_WAVE_INVERSE_SAWTOOTH};
    assert_color(&stage, 0.5, 1, 1, 1, 1);
    stage.rgb_gen = LM_RGB_CONST, stage.alpha_gen = LM_ALPHA_GEN_CONST;
    assert_color(&stage, 0.5, 0.25f, 1, 0, 0.3f);
    stage.rgb_gen = LM_RGB_WAVE, stage.alpha_gen = LM_ALPHA_GEN_WAVE;
    assert_color(&stage, 0.5, 0.75f, 0.75f, 0.75f, 0.5f);
    assert_color(&stage, 0.9, 1, 1, 1, 0.1f);
}

/* ---- Shaders --------------------------------------------------------------------------------- */

TEST(sort_order_matches_the_engine) {
    lm_stage stages[2] = {{.blended = false}, {.blended = true, .keeps_depth = true}};
    lm_shader shader = {.num_stages = 0};
    assert_float_equal(summary_of(shader).sort, LM_SORT_OPAQUE, 0);
    shader.stages = stages, shader.num_stages = 2;
    assert_float_equal(summary_of(shader).sort, LM_SORT_OPAQUE, 0);
    stages[0].blended = true;
    assert_float_equal(summary_of(shader).sort, LM_SORT_SEE_THROUGH, 0);
    stages[0].keeps_depth = true;
    assert_float_equal(summary_of(shader).sort, LM_SORT_BLENDED, 0);
    shader.polygon_offset = true;
    assert_float_equal(summary_of(shader).sort, LM_SORT_DECAL, 0);
    shader.sort = 7.5f;
    assert_float_equal(summary_of(shader).sort, 7.5f, 0);
}

TEST(alpha_comes_from_the_first_stage) {
    lm_stage stages[2] = {{.alpha_test = LM_TEST_NONE}, {.blended = true}};
    lm_shader shader = {.stages = stages};
    assert_int_equal(summary_of(shader).alpha, LM_ALPHA_OPAQUE);
    shader.num_stages = 2;
    assert_int_equal(summary_of(shader).alpha, LM_ALPHA_OPAQUE);
    stages[0].alpha_test = LM_TEST_GT0;
    assert_int_equal(summary_of(shader).alpha, LM_ALPHA_MASK);
    stages[0].alpha_test = LM_TEST_LT128; /* has no alpha mask */
    assert_int_equal(summary_of(shader).alpha, LM_ALPHA_OPAQUE);
    stages[0].blended = true;
    assert_int_equal(summary_of(shader).alpha, LM_ALPHA_BLEND);
}

#define REFUSED(lvalue, value)                         \
    do {                                               \
        const lm_shader shader_before = shader;        \
        const lm_stage stage_before = *stage;          \
        const lm_tc_mod mod_before = *mod;             \
        const lm_deform deform_before = *deform;       \
        (lvalue) = (value);                            \
        assert_false(lmi_shader_valid(&shader, 2));    \
        shader = shader_before, *stage = stage_before; \
        *mod = mod_before, *deform = deform_before;    \
    } while (0)

TEST(invalid_shaders_are_rejected) {
    static const uint32_t images[] = {1, UINT32_MAX, 0, 2};
    /* The maximum of everything, of the last kinds; the invalid element is the last of each. */
    lm_tc_mod mods[LM_MAX_TC_MODS] = {{.kind = LM_TC_MOD_SCROLL}}, *mod = &mods[LM_MAX_TC_MODS - 1];
    lm_deform deforms[LM_MAX_DEFORMS] = {{0}}, *deform = &deforms[LM_MAX_DEFORMS - 1];
    lm_stage stages[LM_MAX_STAGES] = {{0}}, *stage = &stages[LM_MAX_STAGES - 1];
    *mod = (lm_tc_mod){.kind = LM_TC_MOD_TRANSFORM, .wave.function = LM_WAVE_NOISE};
    *deform = (lm_deform){.kind = LM_DEFORM_AUTOSPRITE2, .wave.function = LM_WAVE_NOISE};
    *stage = (lm_stage){.num_images = 3,
                        .images = images,
                        .num_tc_mods = LM_MAX_TC_MODS,
                        .tc_mods = mods,
                        .tc_gen = LM_TC_GEN_VECTOR,
                        .alpha_test = LM_TEST_GE128,
                        .source = LM_BLEND_SRC_ALPHA_SATURATE,
                        .destination = LM_BLEND_SRC_ALPHA_SATURATE,
                        .rgb_gen = LM_RGB_WAVE,
                        .rgb_wave.function = LM_WAVE_NOISE,
                        .alpha_gen = LM_ALPHA_GEN_SPECULAR,
                        .alpha_wave.function = LM_WAVE_NOISE};
    lm_shader shader = {.num_stages = LM_MAX_STAGES,
                        .stages = stages,
                        .base = LM_MAX_STAGES,
                        .sides = LM_SIDES_BOTH,
                        .num_deforms = LM_MAX_DEFORMS,
                        .deforms = deforms};
    assert_true(lmi_shader_valid(&shader, 2));
    REFUSED(shader.num_stages, LM_MAX_STAGES + 1);
    REFUSED(shader.stages, NULL);
    REFUSED(shader.base, LM_MAX_STAGES + 1);
    REFUSED(shader.sides, (lm_sides)3);
    REFUSED(shader.num_deforms, LM_MAX_DEFORMS + 1);
    REFUSED(shader.deforms, NULL);
    REFUSED(stage->num_images, 4);
    REFUSED(stage->num_images, LM_MAX_STAGE_IMAGES + 1);
    REFUSED(stage->images, NULL);
    REFUSED(stage->num_tc_mods, LM_MAX_TC_MODS + 1);
    REFUSED(stage->tc_mods, NULL);
    REFUSED(stage->tc_gen, (lm_tc_gen)4);
    REFUSED(stage->source, (lm_blend)11);
    REFUSED(stage->destination, (lm_blend)11);
    REFUSED(stage->alpha_test, (lm_alpha_test)4);
    REFUSED(stage->rgb_gen, (lm_rgb_gen)10);
    REFUSED(stage->alpha_gen, (lm_alpha_gen)9);
    REFUSED(stage->rgb_wave.function, (lm_wave_function)6);
    REFUSED(stage->alpha_wave.function, (lm_wave_function)6);
    REFUSED(mod->kind, (lm_tc_mod_kind)6);
    REFUSED(mod->wave.function, (lm_wave_function)6);
    REFUSED(deform->kind, (lm_deform_kind)6);
    REFUSED(deform->wave.function, (lm_wave_function)6);
    REFUSED(shader.reserved[1], 1);
    assert_true(lmi_shader_valid(&shader, 2));
}
