/* Parses the text between a label's braces. */
#include "core/report.h"
#include "core/text.h"
#include "shaders/tokens.h"

#include <stdarg.h>
#include <string.h>

/* The stages that are kept, and one to detect an excess. */
#define MAX_READ_STAGES (LM_MAX_STAGES + 1)

/* The state of a stage beyond its result. */
typedef struct stage_words {
    bool has_image; /* or is white: it has a map */
    bool writes_depth;
    bool has_rgb;
    bool ended;       /* at an unknown tcMod, the engines ignore all following ones */
    lm_tc_mod *mods;  /* [LM_MAX_TC_MODS] */
    uint32_t *images; /* [LM_MAX_STAGE_IMAGES] */
} stage_words;

typedef struct reading {
    lm_tokens tokens;
    lm_arena *arena;
    lm_script_shader *out;
    lm_shader *shader;
    lm_stage *stages; /* [MAX_READ_STAGES], like the next two */
    lm_tc_mod (*mods)[LM_MAX_TC_MODS];
    uint32_t (*numbers)[LM_MAX_STAGE_IMAGES];
    lm_stage *stage; /* the current one */
    stage_words words;
    lm_deform *deforms; /* [LM_MAX_DEFORMS] */
    const char **images;
    size_t image_capacity;
    lm_script_note *notes; /* [LM_MAX_SCRIPT_NOTES] */
    bool missing;          /* set when a word or number is missing; callers clear it */
} reading;

/* Words separated by spaces, and the function that parses their arguments. */
typedef struct script_words {
    const char *words;
    void (*read)(reading *r);
} script_words;

/* ---- Words ---------------------------------------------------------------------------------- */

/* Adds a note at the word just read. `rejected`: the engines reject the shader. */
static void note(reading *r, bool rejected, const char *sentence, ...) {
    char text[256]; /* shortens long names from files */
    va_list arguments;
    if (r->out->num_notes == LM_MAX_SCRIPT_NOTES)
        return;
    va_start(arguments, sentence);
    lmi_text_fit(text, sizeof text, sentence, arguments);
    va_end(arguments);
    const char *copy = lmi_copy_text(r->arena, text);
    r->notes[r->out->num_notes++] = (lm_script_note){r->tokens.word_line, rejected, copy};
}

/* Returns the index of the word just read in a space-separated list; -1: not in the list. */
static int index_in(const reading *r, const char *words) {
    const size_t length = strlen(r->tokens.word);
    for (int i = 0; *words; i++) {
        const size_t size = strcspn(words, " ");
        if (size == length && lmi_same_letters(words, r->tokens.word, length))
            return i;
        words += size + (words[size] == ' ');
    }
    return -1;
}

/* Parses the arguments of the word just read, if the table, which ends with {0}, has it. */
static bool dispatch(reading *r, const script_words *table) {
    while (table->words && index_in(r, table->words) < 0)
        table++;
    if (table->words)
        table->read(r);
    return table->words != NULL;
}

/* Reads the next word and returns its index in a list. Returns -1 with a note if it is not in the
 * list or the line has no more words. `word` is the word before it. */
static int choose(reading *r, const char *word, const char *words) {
    if (!lmi_tokens_argument(&r->tokens)) {
        r->missing = true;
        note(r, false, "%s has no argument", word);
        return -1;
    }
    int found = index_in(r, words);
    if (found < 0)
        note(r, false, "%s: unknown argument \"%s\"", word, r->tokens.word);
    return found;
}

/* Reads the next number of the line; 0 with a note if there is none. */
static float read_number(reading *r, const char *word) {
    if (lmi_tokens_argument(&r->tokens))
        return lmi_tokens_number(&r->tokens);
    r->missing = true;
    note(r, false, "%s has too few numbers", word);
    return 0;
}

static void read_numbers(reading *r, const char *word, float *out, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        out[i] = read_number(r, word);
}

/* Reads "( x y z )". */
static void read_vector(reading *r, const char *word, float out[3]) {
    if (choose(r, word, "(") < 0)
        return;
    read_numbers(r, word, out, 3);
    choose(r, word, ")");
}

static void read_wave_numbers(reading *r, const char *word, lm_wave *wave) {
    wave->base = read_number(r, word);
    wave->amplitude = read_number(r, word);
    wave->phase = read_number(r, word);
    wave->frequency = read_number(r, word);
}

/* Reads a wave function and its four numbers. */
static void read_wave(reading *r, const char *word, lm_wave *wave) {
    /* In the order of lm_wave_function. */
    int function = choose(r, word, "sin triangle square sawtooth inversesawtooth noise");
    wave->function = function < 0 ? LM_WAVE_SIN : (lm_wave_function)function;
    read_wave_numbers(r, word, wave);
}

/* Adds an image's name to those of the shader, and returns its number. */
static uint32_t number_image(reading *r, const char *name) {
    uint32_t number = r->out->num_images;
    if (!lmi_arena_grow(r->arena, &r->images, &r->image_capacity, number + (size_t)1,
                        sizeof *r->images))
        return 0;
    r->images[number] = lmi_copy_text(r->arena, name);
    return r->out->num_images++;
}

/* ---- General -------------------------------------------------------------------------------- */

static void skip(reading *r) {
    (void)r;
}

static void skip_word(reading *r) {
    lmi_tokens_argument(&r->tokens);
}

static void skip_line(reading *r) {
    lmi_tokens_skip_line(&r->tokens);
}

static void read_cull(reading *r) {
    int word = choose(r, "cull", "none twosided disable back backside backsided");
    if (word >= 0)
        r->shader->sides = word < 3 ? LM_SIDES_BOTH : LM_SIDES_BACK;
}

static void read_sort(reading *r) {
    static const float values[] = {LM_SORT_PORTAL,     LM_SORT_SKY,         LM_SORT_OPAQUE,
                                   LM_SORT_DECAL,      LM_SORT_SEE_THROUGH, LM_SORT_BANNER,
                                   LM_SORT_UNDERWATER, LM_SORT_ADDITIVE,    LM_SORT_NEAREST};
    if (!lmi_tokens_argument(&r->tokens))
        return;
    int word = index_in(r, "portal sky opaque decal seeThrough banner underwater additive nearest");
    float value = word < 0 ? lmi_tokens_number(&r->tokens) : values[word];
    r->shader->sort = value > 0 ? value : 0;
}

static void read_surfaceparm(reading *r) {
    if (!lmi_tokens_argument(&r->tokens))
        return;
    r->shader->trans = r->shader->trans || lmi_tokens_is(&r->tokens, "trans");
    r->shader->nodraw = r->shader->nodraw || lmi_tokens_is(&r->tokens, "nodraw");
}

static void read_polygon_offset(reading *r) {
    r->shader->polygon_offset = true;
}

/* ---- Deforming ------------------------------------------------------------------------------ */

static void read_deform_numbers(reading *r, lm_deform *deform) {
    /* Indexed by lm_deform_kind. */
    static const char *const names[] = {"deformVertexes wave", "deformVertexes bulge",
                                        "deformVertexes move", "deformVertexes normal"};
    static const unsigned counts[] = {0, 3, 3, 2};
    if (deform->kind > LM_DEFORM_NORMAL)
        return;
    const char *word = names[deform->kind];
    if (deform->kind == LM_DEFORM_WAVE) {
        const float division = read_number(r, word);
        deform->spread = division != 0 ? 1 / division : 100; /* the engine's value for 0 */
    }
    read_numbers(r, word, deform->values, counts[deform->kind]);
    if (deform->kind == LM_DEFORM_WAVE || deform->kind == LM_DEFORM_MOVE)
        read_wave(r, word, &deform->wave);
}

static void read_deform(reading *r) {
    /* In the order of lm_deform_kind; the rest needs the game. */
    int kind = choose(r, "deformVertexes",
                      "wave bulge move normal autosprite autosprite2 projectionShadow text0 text1 "
                      "text2 text3 text4 text5 text6 text7");
    if (kind < 0 || kind > LM_DEFORM_AUTOSPRITE2)
        return;
    if (r->shader->num_deforms == LM_MAX_DEFORMS) {
        note(r, false, "more than %d deformVertexes", LM_MAX_DEFORMS);
        lmi_tokens_skip_line(&r->tokens);
        return;
    }
    lm_deform *deform = &r->deforms[r->shader->num_deforms++];
    *deform = (lm_deform){.kind = (lm_deform_kind)kind};
    read_deform_numbers(r, deform);
}

/* ---- Images ---------------------------------------------------------------------------------- */

static void add_image(reading *r) {
    if (r->stage->num_images < LM_MAX_STAGE_IMAGES)
        r->words.images[r->stage->num_images++] = number_image(r, r->tokens.word);
}

/* A later map replaces an earlier one. */
static void read_map(reading *r) {
    r->stage->clamp = r->stage->clamp || lmi_tokens_is(&r->tokens, "clampmap");
    r->words.has_image = lmi_tokens_argument(&r->tokens) && r->tokens.word[0];
    r->stage->num_images = 0;
    if (!r->words.has_image)
        note(r, true, "map has no image");
    else if (index_in(r, "$whiteimage *white $lightmap $dlight") < 0)
        add_image(r);
}

static void read_anim_map(reading *r) {
    r->stage->image_rate = read_number(r, "animMap");
    r->stage->num_images = 0;
    while (lmi_tokens_argument(&r->tokens) && r->tokens.word[0])
        add_image(r);
    r->words.has_image = r->stage->num_images > 0;
    if (!r->words.has_image)
        note(r, true, "animMap has no images");
}

/* ---- Blending ------------------------------------------------------------------------------- */

static lm_blend factor_of(reading *r, unsigned forbidden) {
    /* In the order of lm_blend. */
    const int factor =
        index_in(r, "GL_ZERO GL_ONE GL_SRC_COLOR GL_ONE_MINUS_SRC_COLOR GL_DST_COLOR "
                    "GL_ONE_MINUS_DST_COLOR GL_SRC_ALPHA GL_ONE_MINUS_SRC_ALPHA GL_DST_ALPHA "
                    "GL_ONE_MINUS_DST_ALPHA GL_SRC_ALPHA_SATURATE");
    if (factor >= 0 && !(forbidden >> factor & 1))
        return (lm_blend)factor;
    note(r, false, "blendFunc: unknown factor \"%s\"; the engines use GL_ONE", r->tokens.word);
    return LM_BLEND_ONE;
}

static void read_blend_func(reading *r) {
    static const lm_blend shorts[][2] = {{LM_BLEND_ONE, LM_BLEND_ONE},
                                         {LM_BLEND_DST_COLOR, LM_BLEND_ZERO},
                                         {LM_BLEND_SRC_ALPHA, LM_BLEND_ONE_MINUS_SRC_ALPHA}};
    lm_stage *stage = r->stage;
    if (!lmi_tokens_argument(&r->tokens)) {
        note(r, false, "blendFunc has no argument");
        return;
    }
    stage->blended = true;
    const int word = index_in(r, "add filter blend");
    if (word >= 0) {
        stage->source = shorts[word][0];
        stage->destination = shorts[word][1];
        return;
    }
    stage->source = factor_of(r, 1u << LM_BLEND_SRC_COLOR | 1u << LM_BLEND_ONE_MINUS_SRC_COLOR);
    lmi_tokens_argument(&r->tokens);
    stage->destination =
        factor_of(r, 1u << LM_BLEND_DST_COLOR | 1u << LM_BLEND_ONE_MINUS_DST_COLOR |
                         1u << LM_BLEND_SRC_ALPHA_SATURATE);
}

static void read_alpha_func(reading *r) {
    int word = choose(r, "alphaFunc", "GT0 LT128 GE128");
    r->stage->alpha_test = word < 0 ? LM_TEST_NONE : (lm_alpha_test)(LM_TEST_GT0 + word);
}

static void read_depth_func(reading *r) {
    r->stage->depth_equal = choose(r, "depthFunc", "lequal equal") == 1;
}

static void read_depth_write(reading *r) {
    r->words.writes_depth = true;
}

/* ---- Colours -------------------------------------------------------------------------------- */

static void read_rgb_gen(reading *r) {
    /* In the order of lm_rgb_gen. */
    lm_stage *stage = r->stage;
    int word = choose(r, "rgbGen",
                      "lightingDiffuse identity identityLighting entity oneMinusEntity vertex "
                      "exactVertex oneMinusVertex const wave");
    if (word < 0)
        return;
    r->words.has_rgb = true;
    stage->rgb_gen = (lm_rgb_gen)word;
    if (word == LM_RGB_WAVE)
        read_wave(r, "rgbGen wave", &stage->rgb_wave);
    else if (word == LM_RGB_CONST)
        read_vector(r, "rgbGen const", stage->rgb);
    else if (word == LM_RGB_VERTEX && stage->alpha_gen == LM_ALPHA_GEN_IDENTITY)
        stage->alpha_gen = LM_ALPHA_GEN_VERTEX;
}

static void read_alpha_gen(reading *r) {
    /* In the order of lm_alpha_gen. */
    lm_stage *stage = r->stage;
    int word = choose(r, "alphaGen",
                      "identity entity oneMinusEntity vertex oneMinusVertex const wave portal "
                      "lightingSpecular");
    if (word < 0)
        return;
    stage->alpha_gen = (lm_alpha_gen)word;
    if (word == LM_ALPHA_GEN_WAVE)
        read_wave(r, "alphaGen wave", &stage->alpha_wave);
    else if (word == LM_ALPHA_GEN_CONST)
        stage->alpha = read_number(r, "alphaGen const");
    else if (word == LM_ALPHA_GEN_PORTAL)
        stage->range = lmi_tokens_argument(&r->tokens) ? lmi_tokens_number(&r->tokens) : 256;
}

/* ---- Texture coordinates -------------------------------------------------------------------- */

static void read_tc_gen(reading *r) {
    /* In the order of lm_tc_gen, with a synonym of the first at the end. */
    int word = choose(r, "tcGen", "base environment lightmap vector texture");
    if (word < 0)
        return;
    r->stage->tc_gen = word == 4 ? LM_TC_GEN_BASE : (lm_tc_gen)word;
    for (unsigned i = 0; i < 2 && r->stage->tc_gen == LM_TC_GEN_VECTOR; i++)
        read_vector(r, "tcGen vector", r->stage->tc_vectors[i]);
}

/* Returns whether all numbers are present. */
static bool read_tc_numbers(reading *r, lm_tc_mod *mod) {
    /* Indexed by lm_tc_mod_kind. */
    static const unsigned counts[] = {2, 2, 1, 0, 0, 6};
    r->missing = false;
    if (mod->kind == LM_TC_MOD_STRETCH)
        read_wave(r, "tcMod stretch", &mod->wave);
    else if (mod->kind == LM_TC_MOD_TURB)
        read_wave_numbers(r, "tcMod turb", &mod->wave);
    else
        read_numbers(r, "tcMod", mod->values, counts[mod->kind]);
    return !r->missing;
}

static void read_tc_mod(reading *r) {
    /* In the order of lm_tc_mod_kind; the last depends on the entity. */
    lm_stage *stage = r->stage;
    int word = choose(r, "tcMod", "scroll scale rotate stretch turb transform entityTranslate");
    bool full = stage->num_tc_mods == LM_MAX_TC_MODS;
    if (full)
        note(r, true, "more than %d tcMods", LM_MAX_TC_MODS);
    if (word >= 0 && word <= LM_TC_MOD_TRANSFORM && !full && !r->words.ended) {
        lm_tc_mod *mod = &r->words.mods[stage->num_tc_mods];
        *mod = (lm_tc_mod){.kind = (lm_tc_mod_kind)word};
        r->words.ended = !read_tc_numbers(r, mod);
        stage->num_tc_mods += !r->words.ended;
    }
    r->words.ended = r->words.ended || word < 0;
    lmi_tokens_skip_line(&r->tokens);
}

/* ---- A stage ------------------------------------------------------------------------------- */

/* RtCW and ET have several maps. This uses the one for 32-bit screens and uncompressed images. */
static const script_words words_of_stages[] = {{"map clampmap map32 mapnocomp", read_map},
                                               {"animMap", read_anim_map},
                                               {"blendFunc", read_blend_func},
                                               {"alphaFunc", read_alpha_func},
                                               {"depthFunc", read_depth_func},
                                               {"depthWrite", read_depth_write},
                                               {"rgbGen", read_rgb_gen},
                                               {"alphaGen", read_alpha_gen},
                                               {"tcGen texgen", read_tc_gen},
                                               {"tcMod", read_tc_mod},
                                               {"detail", skip},
                                               {"videoMap fog", skip_word},
                                               {"map16 mapcomp", skip_line},
                                               {0}};

/* Begins stage `number`. */
static void begin_stage(reading *r, uint32_t number) {
    r->stage = &r->stages[number];
    r->words = (stage_words){.mods = r->mods[number], .images = r->numbers[number]};
    *r->stage = (lm_stage){.tc_mods = r->words.mods, .images = r->words.images};
}

static void resolve(lm_stage *stage, const stage_words *words) {
    if (stage->source == LM_BLEND_ONE && stage->destination == LM_BLEND_ZERO)
        stage->blended = false;
    stage->keeps_depth = stage->blended && !words->writes_depth;
    if (words->has_rgb)
        return;
    bool bright =
        !stage->blended || stage->source == LM_BLEND_ONE || stage->source == LM_BLEND_SRC_ALPHA;
    stage->rgb_gen = bright ? LM_RGB_IDENTITY_LIGHTING : LM_RGB_IDENTITY;
}

/* Ends the stage, which counts if it has an image and there is room. */
static void end_stage(reading *r) {
    uint32_t number = (uint32_t)(r->stage - r->stages), *count = &r->shader->num_stages;
    resolve(r->stage, &r->words);
    if (!r->words.has_image)
        note(r, false, "a stage without an image is not drawn");
    else if (number == LM_MAX_STAGES)
        note(r, true, "more than %d stages", LM_MAX_STAGES);
    else if (number == *count)
        ++*count;
}

/* Parses a stage, after its opening brace. */
static void read_stage(reading *r) {
    begin_stage(r, r->shader->num_stages);
    while (lmi_tokens_next(&r->tokens) && strcmp(r->tokens.word, "}") != 0) {
        if (dispatch(r, words_of_stages))
            continue;
        note(r, true, "unknown word \"%s\" in a stage", r->tokens.word);
        if (strcmp(r->tokens.word, "{") == 0)
            lmi_tokens_skip_braces(&r->tokens);
        else
            lmi_tokens_skip_line(&r->tokens);
    }
    end_stage(r);
}

/* ---- ET's implicit stages -------------------------------------------------------------------- */

/* Replaces the first stage. */
static void read_implicit(reading *r) {
    const bool masked = lmi_tokens_is(&r->tokens, "implicitMask");
    const bool blended = lmi_tokens_is(&r->tokens, "implicitBlend");
    bool named = lmi_tokens_argument(&r->tokens) && strcmp(r->tokens.word, "-") != 0;
    begin_stage(r, 0);
    r->words.has_image = r->words.has_rgb = r->words.writes_depth = true;
    r->stage->num_images = 1;
    r->words.images[0] = number_image(r, named ? r->tokens.word : "");
    r->stage->alpha_test = masked ? LM_TEST_GE128 : LM_TEST_NONE;
    r->stage->blended = blended;
    r->stage->source = LM_BLEND_SRC_ALPHA;
    r->stage->destination = LM_BLEND_ONE_MINUS_SRC_ALPHA;
    end_stage(r);
    if (masked || blended)
        r->shader->sides = LM_SIDES_BOTH;
}

/* ---- The shader ------------------------------------------------------------------------------ */

static const script_words general[] = {
    {"{", read_stage},
    {"cull", read_cull},
    {"sort", read_sort},
    {"surfaceparm", read_surfaceparm},
    {"polygonOffset", read_polygon_offset},
    {"deformVertexes", read_deform},
    {"implicitMap implicitMask implicitBlend", read_implicit},
    {"skyparms fogparms tesssize", skip_line},
    {"portal nomipmaps nopicmip entityMergable", skip},
    {"light clampTime", skip_word},
    /* RtCW and ET */
    {"picmip2 nofog allowcompress nocompress", skip},
    {"distanceCull fogvars skyfogvars waterfogvars sunshader lightgridmulamb lightgridmulcol",
     skip_line},
    {0}};

/* Returns the index of the stage with the material's texture; the number of stages if there is
 * none. */
static uint32_t base_of(const lm_shader *shader) {
    for (uint32_t i = 0; i < shader->num_stages; i++) {
        const lm_stage *stage = &shader->stages[i];
        if (stage->num_images > 0 && stage->tc_gen != LM_TC_GEN_ENVIRONMENT &&
            stage->tc_gen != LM_TC_GEN_LIGHTMAP)
            return i;
    }
    return shader->num_stages;
}

bool lmi_shader_fill(const lm_script *script, uint32_t number, lm_arena *arena,
                     lm_script_shader *out) {
    const lm_script_label *label = &script->labels[number];
    lm_shader *shader = &out->shader;
    reading r = {.tokens = {.at = script->text + label->begin,
                            .end = script->text + label->end,
                            .line = label->line},
                 .arena = arena,
                 .out = out,
                 .shader = shader};
    *out = (lm_script_shader){.shader = {.line = label->line}};
    shader->name = lmi_copy_text(arena, label->name);
    shader->stages = r.stages = lmi_arena_zeros(arena, MAX_READ_STAGES, sizeof *r.stages);
    shader->deforms = r.deforms = lmi_arena_zeros(arena, LM_MAX_DEFORMS, sizeof *r.deforms);
    out->notes = r.notes = lmi_arena_zeros(arena, LM_MAX_SCRIPT_NOTES, sizeof *r.notes);
    r.mods = lmi_arena_zeros(arena, MAX_READ_STAGES, sizeof *r.mods);
    r.numbers = lmi_arena_zeros(arena, MAX_READ_STAGES, sizeof *r.numbers);
    if (lmi_arena_failed(arena))
        return false;
    lmi_tokens_next(&r.tokens); /* the name and its brace */
    lmi_tokens_next(&r.tokens);
    while (lmi_tokens_next(&r.tokens)) {
        const char *word = r.tokens.word; /* of the editor, the map compiler or the games */
        const bool foreign = lmi_same_letters(word, "qer", 3) || lmi_same_letters(word, "q3map", 5);
        if (!foreign && dispatch(&r, general))
            continue;
        if (!foreign)
            note(&r, true, "unknown word \"%s\"", word);
        lmi_tokens_skip_line(&r.tokens);
    }
    shader->base = base_of(shader);
    out->images = r.images;
    return !lmi_arena_failed(arena);
}
