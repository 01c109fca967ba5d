/* Evaluates shader scripts at a point in time. */
#include "lerpmesh/scene.h"

#include "core/exact.h"
#include "core/options.h"
#include "scene/check.h"

#include <math.h>

#define SMALLEST_STRETCH 1e-4

/* ---- Waves ---------------------------------------------------------------------------------- */

/* Returns the fractional part, from 0 to 1; 0 for numbers that are not finite. */
static double fraction(double value) {
    double rest = value - floor(value);
    return rest >= 0 && rest < 1 ? rest : 0;
}

/* Returns a pseudo-random number from -1 to 1 for a whole number: hashes its bits with the
 * finaliser of MurmurHash3. */
static double lattice(double whole) {
    uint32_t bits = (uint32_t)(int32_t)fmod(whole, 0x1p30);
    bits ^= bits >> 16;
    bits *= 0x85ebca6bu;
    bits ^= bits >> 13;
    bits *= 0xc2b2ae35u;
    bits ^= bits >> 16;
    return bits / (double)UINT32_MAX * 2 - 1;
}

static double noise(double value) {
    if (!isfinite(value))
        return 0;
    double whole = floor(value), rest = value - whole;
    return lattice(whole) * (1 - rest) + lattice(whole + 1) * rest;
}

float lm_wave_value(const lm_wave *wave, double phase, double seconds) {
    double at = phase + (double)wave->phase + seconds * (double)wave->frequency;
    double x = fraction(at), value = 0;
    switch (wave->function) {
    case LM_WAVE_SIN:
        value = lmi_sine(x);
        break;
    case LM_WAVE_TRIANGLE:
        value = x < 0.25 ? 4 * x : x < 0.75 ? 2 - 4 * x : 4 * x - 4;
        break;
    case LM_WAVE_SQUARE:
        value = x < 0.5 ? 1 : -1;
        break;
    case LM_WAVE_SAWTOOTH:
        value = x;
        break;
    case LM_WAVE_INVERSE_SAWTOOTH:
        value = 1 - x;
        break;
    case LM_WAVE_NOISE:
        value = noise(at);
        break;
    }
    return (float)((double)wave->base + (double)wave->amplitude * value);
}

/* ---- Texture coordinates -------------------------------------------------------------------- */

/* Makes the matrix of s' = a s + c t, t' = b s + d t, with (1/2, 1/2) as its fixed point. */
static void about_centre(double a, double b, double c, double d, float matrix[6]) {
    const double values[6] = {a, b, c, d, 0.5 - 0.5 * (a + c), 0.5 - 0.5 * (b + d)};
    for (unsigned i = 0; i < 6; i++)
        matrix[i] = (float)values[i];
}

static void evaluate_mod(const lm_tc_mod *mod, double seconds, lm_tc_step *step) {
    double turns, wave;
    *step = (lm_tc_step){.matrix = {1, 0, 0, 1, 0, 0}};
    switch (mod->kind) {
    case LM_TC_MOD_SCROLL:
        for (unsigned i = 0; i < 2; i++)
            step->matrix[4 + i] = (float)fraction(seconds * (double)mod->values[i]);
        break;
    case LM_TC_MOD_SCALE:
        step->matrix[0] = mod->values[0];
        step->matrix[3] = mod->values[1];
        break;
    case LM_TC_MOD_ROTATE:
        turns = -fraction(seconds * (double)mod->values[0] / 360);
        about_centre(lmi_cosine(turns), lmi_sine(turns), -lmi_sine(turns), lmi_cosine(turns),
                     step->matrix);
        break;
    case LM_TC_MOD_STRETCH:
        wave = (double)lm_wave_value(&mod->wave, 0, seconds);
        /* Keeps coordinates finite: the image shrinks to a point. */
        wave = fabs(wave) > SMALLEST_STRETCH ? 1 / wave : 1 / SMALLEST_STRETCH;
        about_centre(wave, 0, 0, wave, step->matrix);
        break;
    case LM_TC_MOD_TURB:
        step->turbulence = mod->wave.amplitude;
        step->phase =
            (float)fraction((double)mod->wave.phase + seconds * (double)mod->wave.frequency);
        break;
    case LM_TC_MOD_TRANSFORM:
        for (unsigned i = 0; i < 6; i++)
            step->matrix[i] = mod->values[i];
        break;
    }
}

/* ---- Stages --------------------------------------------------------------------------------- */

static uint32_t image_at(const lm_stage *stage, double seconds) {
    double shown = floor(seconds * (double)stage->image_rate);
    if (stage->num_images < 2 || !(shown >= 0) || isinf(shown))
        return 0;
    return (uint32_t)fmod(shown, stage->num_images);
}

static float clamped(float value) {
    return value >= 1 ? 1 : value > 0 ? value : 0;
}

void lm_stage_at(const lm_stage *stage, double seconds, lm_stage_state *state) {
    float *rgba = state->rgba;
    *state = (lm_stage_state){.image = LM_NO_TEXTURE, .rgba = {1, 1, 1, 1}};
    if (stage->num_images > 0)
        state->image = stage->images[image_at(stage, seconds)];
    for (uint32_t i = 0; i < stage->num_tc_mods; i++)
        evaluate_mod(&stage->tc_mods[i], seconds, &state->steps[i]);
    float wave = clamped(lm_wave_value(&stage->rgb_wave, 0, seconds));
    for (unsigned i = 0; i < 3; i++)
        if (stage->rgb_gen == LM_RGB_WAVE)
            rgba[i] = wave;
        else if (stage->rgb_gen == LM_RGB_CONST)
            rgba[i] = clamped(stage->rgb[i]);
    if (stage->alpha_gen == LM_ALPHA_GEN_WAVE)
        rgba[3] = clamped(lm_wave_value(&stage->alpha_wave, 0, seconds));
    else if (stage->alpha_gen == LM_ALPHA_GEN_CONST)
        rgba[3] = clamped(stage->alpha);
}

/* ---- Shaders -------------------------------------------------------------------------------- */

static float sort_of(const lm_shader *shader) {
    if (shader->sort > 0)
        return shader->sort;
    if (shader->polygon_offset)
        return LM_SORT_DECAL;
    if (shader->num_stages == 0 || !shader->stages[0].blended)
        return LM_SORT_OPAQUE;
    return shader->stages[0].keeps_depth ? LM_SORT_BLENDED : LM_SORT_SEE_THROUGH;
}

static lm_alpha alpha_of(const lm_shader *shader) {
    if (shader->num_stages == 0)
        return LM_ALPHA_OPAQUE;
    const lm_stage *stage = &shader->stages[0];
    if (stage->blended)
        return LM_ALPHA_BLEND;
    bool tested = stage->alpha_test == LM_TEST_GT0 || stage->alpha_test == LM_TEST_GE128;
    return tested ? LM_ALPHA_MASK : LM_ALPHA_OPAQUE;
}

static bool wave_moves(const lm_wave *wave) {
    return wave->frequency != 0 && wave->amplitude != 0;
}

static bool stage_moves(const lm_stage *stage) {
    bool moves = (stage->num_images > 1 && stage->image_rate != 0) ||
                 (stage->rgb_gen == LM_RGB_WAVE && wave_moves(&stage->rgb_wave)) ||
                 (stage->alpha_gen == LM_ALPHA_GEN_WAVE && wave_moves(&stage->alpha_wave));
    for (uint32_t i = 0; i < stage->num_tc_mods; i++) {
        const lm_tc_mod *mod = &stage->tc_mods[i];
        if (mod->kind == LM_TC_MOD_SCROLL || mod->kind == LM_TC_MOD_ROTATE)
            moves = moves || mod->values[0] != 0 || mod->values[1] != 0;
        else if (mod->kind == LM_TC_MOD_STRETCH || mod->kind == LM_TC_MOD_TURB)
            moves = moves || wave_moves(&mod->wave);
    }
    return moves;
}

static bool deform_moves(const lm_deform *deform) {
    switch (deform->kind) {
    case LM_DEFORM_WAVE:
    case LM_DEFORM_MOVE:
        return wave_moves(&deform->wave);
    case LM_DEFORM_BULGE:
        return deform->values[2] != 0;
    case LM_DEFORM_NORMAL:
        return deform->values[1] != 0;
    default:
        return false;
    }
}

void lm_shader_summarize(const lm_shader *shader, lm_shader_summary *summary) {
    bool moves = false;
    for (uint32_t i = 0; i < shader->num_stages; i++)
        moves = moves || stage_moves(&shader->stages[i]);
    for (uint32_t i = 0; i < shader->num_deforms; i++)
        moves = moves || deform_moves(&shader->deforms[i]);
    *summary = (lm_shader_summary){
        .sort = sort_of(shader), .alpha = alpha_of(shader), .moves = moves && !shader->hidden};
}

/* ---- Checking ------------------------------------------------------------------------------- */

static bool check_images(const lm_stage *stage, uint32_t num_textures) {
    bool ok = stage->num_images <= LM_MAX_STAGE_IMAGES && (stage->num_images == 0 || stage->images);
    for (uint32_t i = 0; ok && i < stage->num_images; i++)
        ok = stage->images[i] == LM_NO_TEXTURE || stage->images[i] < num_textures;
    return ok;
}

/* Returns true if an enum's value is above its last one or negative. */
#define BEYOND(value, last) ((unsigned)(value) > (unsigned)(last))

static bool check_wave(const lm_wave *wave) {
    return !BEYOND(wave->function, LM_WAVE_NOISE);
}

static bool check_stage(const lm_stage *stage, uint32_t num_textures) {
    bool ok = stage->num_tc_mods <= LM_MAX_TC_MODS && (stage->num_tc_mods == 0 || stage->tc_mods);
    for (uint32_t i = 0; ok && i < stage->num_tc_mods; i++) {
        const lm_tc_mod *mod = &stage->tc_mods[i];
        ok = !BEYOND(mod->kind, LM_TC_MOD_TRANSFORM) && check_wave(&mod->wave);
    }
    return ok && check_images(stage, num_textures) && !BEYOND(stage->tc_gen, LM_TC_GEN_VECTOR) &&
           !BEYOND(stage->alpha_test, LM_TEST_GE128) &&
           !BEYOND(stage->source, LM_BLEND_SRC_ALPHA_SATURATE) &&
           !BEYOND(stage->destination, LM_BLEND_SRC_ALPHA_SATURATE) &&
           !BEYOND(stage->rgb_gen, LM_RGB_WAVE) && check_wave(&stage->rgb_wave) &&
           !BEYOND(stage->alpha_gen, LM_ALPHA_GEN_SPECULAR) && check_wave(&stage->alpha_wave);
}

bool lmi_shader_valid(const lm_shader *shader, uint32_t num_textures) {
    bool ok = shader->num_deforms <= LM_MAX_DEFORMS &&
              (shader->num_deforms == 0 || shader->deforms) &&
              shader->num_stages <= LM_MAX_STAGES && (shader->num_stages == 0 || shader->stages) &&
              shader->base <= shader->num_stages && !BEYOND(shader->sides, LM_SIDES_BOTH) &&
              LM_RESERVED_VALID(shader, NULL, "shader");
    for (uint32_t i = 0; ok && i < shader->num_deforms; i++) {
        const lm_deform *deform = &shader->deforms[i];
        ok = !BEYOND(deform->kind, LM_DEFORM_AUTOSPRITE2) && check_wave(&deform->wave);
    }
    for (uint32_t i = 0; ok && i < shader->num_stages; i++)
        ok = check_stage(&shader->stages[i], num_textures);
    return ok;
}
