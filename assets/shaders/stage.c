/* The stages of a shader. */
#include "shaders/reading.h"

#include <string.h>

/* ---- Pictures ------------------------------------------------------------------------------- */

static void add_picture(lm_reading *r) {
    if (r->stage->num_pictures < LM_MAX_STAGE_PICTURES)
        r->words.pictures[r->stage->num_pictures++] = lm_reading_picture(r, r->tokens.word);
}

static bool is_white(const lm_reading *r) {
    static const char *const names[] = {"$whiteimage", "*white", "$lightmap", "$dlight"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (lm_tokens_is(&r->tokens, names[i]))
            return true;
    return false;
}

/* A later map takes the place of an earlier one. */
static void read_map(lm_reading *r) {
    r->words.has_picture = lm_tokens_argument(&r->tokens) && r->tokens.word[0];
    r->stage->num_pictures = 0;
    if (!r->words.has_picture)
        lm_reading_note(r, true, "map without a picture");
    else if (!is_white(r))
        add_picture(r);
}

static void read_clamp_map(lm_reading *r) {
    r->stage->clamp = true;
    read_map(r);
}

static void read_anim_map(lm_reading *r) {
    r->stage->picture_rate = lm_reading_number(r, "animMap");
    r->stage->num_pictures = 0;
    while (lm_tokens_argument(&r->tokens) && r->tokens.word[0])
        add_picture(r);
    r->words.has_picture = r->stage->num_pictures > 0;
    if (!r->words.has_picture)
        lm_reading_note(r, true, "animMap without pictures");
}

/* ---- Blending ------------------------------------------------------------------------------- */

static const char *const factors[] = {/* as lm_blend */
                                      "GL_ZERO",
                                      "GL_ONE",
                                      "GL_SRC_COLOR",
                                      "GL_ONE_MINUS_SRC_COLOR",
                                      "GL_DST_COLOR",
                                      "GL_ONE_MINUS_DST_COLOR",
                                      "GL_SRC_ALPHA",
                                      "GL_ONE_MINUS_SRC_ALPHA",
                                      "GL_DST_ALPHA",
                                      "GL_ONE_MINUS_DST_ALPHA",
                                      "GL_SRC_ALPHA_SATURATE",
                                      NULL};

static lm_blend factor_of(lm_reading *r, unsigned forbidden) {
    for (unsigned i = 0; factors[i]; i++)
        if (lm_tokens_is(&r->tokens, factors[i]) && !(forbidden >> i & 1))
            return (lm_blend)i;
    lm_reading_note(r, false, "blendFunc does not know \"%s\" here, and takes GL_ONE",
                    r->tokens.word);
    return LM_BLEND_ONE;
}

static void read_blend_func(lm_reading *r) {
    static const lm_blend shorts[][2] = {{LM_BLEND_ONE, LM_BLEND_ONE},
                                         {LM_BLEND_DST_COLOR, LM_BLEND_ZERO},
                                         {LM_BLEND_SRC_ALPHA, LM_BLEND_ONE_MINUS_SRC_ALPHA}};
    static const char *const words[] = {"add", "filter", "blend"};
    lm_stage *stage = r->stage;
    if (!lm_tokens_argument(&r->tokens)) {
        lm_reading_note(r, false, "blendFunc without a word behind it");
        return;
    }
    stage->blended = true;
    for (unsigned i = 0; i < 3; i++)
        if (lm_tokens_is(&r->tokens, words[i])) {
            stage->source = shorts[i][0], stage->destination = shorts[i][1];
            return;
        }
    stage->source = factor_of(r, 1u << LM_BLEND_SRC_COLOR | 1u << LM_BLEND_ONE_MINUS_SRC_COLOR);
    lm_tokens_argument(&r->tokens);
    stage->destination =
        factor_of(r, 1u << LM_BLEND_DST_COLOR | 1u << LM_BLEND_ONE_MINUS_DST_COLOR |
                         1u << LM_BLEND_SRC_ALPHA_SATURATE);
}

static void read_alpha_func(lm_reading *r) {
    static const char *const words[] = {"GT0", "LT128", "GE128", NULL};
    int word = lm_reading_choice(r, "alphaFunc", words);
    r->stage->alpha_test = word < 0 ? LM_TEST_NONE : (lm_alpha_test)(LM_TEST_GT0 + word);
}

static void read_depth_func(lm_reading *r) {
    static const char *const words[] = {"lequal", "equal", NULL};
    r->stage->depth_equal = lm_reading_choice(r, "depthFunc", words) == 1;
}

static void read_depth_write(lm_reading *r) {
    r->words.writes_depth = true;
}

/* ---- Colours -------------------------------------------------------------------------------- */

static void read_rgb_gen(lm_reading *r) {
    /* As lm_rgb_gen. */
    static const char *const words[] = {"lightingDiffuse",
                                        "identity",
                                        "identityLighting",
                                        "entity",
                                        "oneMinusEntity",
                                        "vertex",
                                        "exactVertex",
                                        "oneMinusVertex",
                                        "const",
                                        "wave",
                                        NULL};
    lm_stage *stage = r->stage;
    int word = lm_reading_choice(r, "rgbGen", words);
    if (word < 0)
        return;
    r->words.has_rgb = true;
    stage->rgb_gen = (lm_rgb_gen)word;
    if (word == LM_RGB_WAVE)
        lm_reading_wave(r, "rgbGen wave", &stage->rgb_wave);
    else if (word == LM_RGB_CONST)
        lm_reading_vector(r, "rgbGen const", stage->rgb);
    else if (word == LM_RGB_VERTEX && stage->alpha_gen == LM_ALPHA_GEN_IDENTITY)
        stage->alpha_gen = LM_ALPHA_GEN_VERTEX;
}

static void read_alpha_gen(lm_reading *r) {
    /* As lm_alpha_gen. */
    static const char *const words[] = {"identity",         "entity", "oneMinusEntity", "vertex",
                                        "oneMinusVertex",   "const",  "wave",           "portal",
                                        "lightingSpecular", NULL};
    lm_stage *stage = r->stage;
    int word = lm_reading_choice(r, "alphaGen", words);
    if (word < 0)
        return;
    stage->alpha_gen = (lm_alpha_gen)word;
    if (word == LM_ALPHA_GEN_WAVE)
        lm_reading_wave(r, "alphaGen wave", &stage->alpha_wave);
    else if (word == LM_ALPHA_GEN_CONST)
        stage->alpha = lm_reading_number(r, "alphaGen const");
    else if (word == LM_ALPHA_GEN_PORTAL)
        stage->range = lm_tokens_argument(&r->tokens) ? lm_tokens_number(&r->tokens) : 256;
}

/* ---- Texture coordinates -------------------------------------------------------------------- */

static void read_tc_gen(lm_reading *r) {
    /* As lm_tc_gen, and another word for the first. */
    static const char *const words[] = {"base",   "environment", "lightmap",
                                        "vector", "texture",     NULL};
    int word = lm_reading_choice(r, "tcGen", words);
    if (word < 0)
        return;
    r->stage->tc_gen = word == 4 ? LM_TC_BASE : (lm_tc_gen)word;
    for (unsigned i = 0; i < 2 && r->stage->tc_gen == LM_TC_VECTOR; i++)
        lm_reading_vector(r, "tcGen vector", r->stage->tc_vectors[i]);
}

/* Returns whether all of its numbers are there. */
static bool read_tc_numbers(lm_reading *r, lm_tc_mod *mod) {
    /* By lm_tc_mod_kind. */
    static const unsigned counts[] = {2, 2, 1, 0, 0, 6};
    r->missing = false;
    if (mod->kind == LM_TC_STRETCH)
        lm_reading_wave(r, "tcMod stretch", &mod->wave);
    else if (mod->kind == LM_TC_TURB)
        lm_reading_wave_numbers(r, "tcMod turb", &mod->wave);
    else
        lm_reading_numbers(r, "tcMod", mod->values, counts[mod->kind]);
    return !r->missing;
}

static void read_tc_mod(lm_reading *r) {
    /* As lm_tc_mod_kind; then what an entity has. */
    static const char *const words[] = {"scroll", "scale",     "rotate",          "stretch",
                                        "turb",   "transform", "entityTranslate", NULL};
    lm_stage *stage = r->stage;
    int word = lm_reading_choice(r, "tcMod", words);
    bool full = stage->num_tc_mods == LM_MAX_TC_MODS;
    if (full)
        lm_reading_note(r, true, "more than %d tcMods", LM_MAX_TC_MODS);
    if (word >= 0 && word <= LM_TC_TRANSFORM && !full && !r->words.ended) {
        lm_tc_mod *mod = &r->words.mods[stage->num_tc_mods];
        *mod = (lm_tc_mod){.kind = (lm_tc_mod_kind)word};
        r->words.ended = !read_tc_numbers(r, mod);
        stage->num_tc_mods += !r->words.ended;
    }
    r->words.ended = r->words.ended || word < 0;
    lm_tokens_skip_line(&r->tokens);
}

/* ---- All of it ------------------------------------------------------------------------------ */

static const lm_script_word words_of_stages[] = {
    {"map", read_map},
    {"clampmap", read_clamp_map},
    {"animMap", read_anim_map},
    {"videoMap", lm_reading_skip_word},
    {"blendFunc", read_blend_func},
    {"alphaFunc", read_alpha_func},
    {"depthFunc", read_depth_func},
    {"depthWrite", read_depth_write},
    {"detail", lm_reading_skip},
    {"rgbGen", read_rgb_gen},
    {"alphaGen", read_alpha_gen},
    {"tcGen", read_tc_gen},
    {"texgen", read_tc_gen},
    {"tcMod", read_tc_mod},
    /* RtCW and ET: of several maps the one for screens of 32 bits and pictures as they are. */
    {"map32", read_map},
    {"mapnocomp", read_map},
    {"map16", lm_reading_skip_line},
    {"mapcomp", lm_reading_skip_line},
    {"fog", lm_reading_skip_word},
    {0}};

void lm_stage_begin(lm_reading *r, uint32_t number) {
    r->stage = &r->stages[number];
    r->words = (lm_stage_words){.mods = r->mods[number], .pictures = r->numbers[number]};
    *r->stage = (lm_stage){.tc_mods = r->words.mods, .pictures = r->words.pictures};
}

static void resolve(lm_stage *stage, const lm_stage_words *words) {
    if (stage->source == LM_BLEND_ONE && stage->destination == LM_BLEND_ZERO)
        stage->blended = false;
    stage->keeps_depth = stage->blended && !words->writes_depth;
    if (words->has_rgb)
        return;
    bool bright =
        !stage->blended || stage->source == LM_BLEND_ONE || stage->source == LM_BLEND_SRC_ALPHA;
    stage->rgb_gen = bright ? LM_RGB_IDENTITY_LIGHTING : LM_RGB_IDENTITY;
}

void lm_stage_end(lm_reading *r) {
    uint32_t number = (uint32_t)(r->stage - r->stages), *count = &r->shader->num_stages;
    resolve(r->stage, &r->words);
    if (!r->words.has_picture)
        lm_reading_note(r, false, "a stage without a picture is not drawn");
    else if (number == LM_MAX_STAGES)
        lm_reading_note(r, true, "more than %d stages", LM_MAX_STAGES);
    else if (number == *count)
        ++*count;
}

void lm_reading_stage(lm_reading *r) {
    lm_stage_begin(r, r->shader->num_stages);
    while (lm_tokens_next(&r->tokens) && strcmp(r->tokens.word, "}") != 0) {
        if (lm_reading_dispatch(r, words_of_stages))
            continue;
        lm_reading_note(r, true, "\"%s\" is not known in a stage", r->tokens.word);
        if (strcmp(r->tokens.word, "{") == 0)
            lm_tokens_skip_braces(&r->tokens);
        else
            lm_tokens_skip_line(&r->tokens);
    }
    lm_stage_end(r);
}
