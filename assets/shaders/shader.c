/* What a label's braces say: all but the stages. */
#include "shaders/reading.h"

#include "core/report.h"
#include "core/text.h"
#include "owned.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- Words ---------------------------------------------------------------------------------- */

void lm_reading_note(lm_reading *r, bool refused, const char *sentence, ...) {
    char text[256]; /* names of strangers are shortened */
    va_list arguments;
    if (r->out->num_notes == LM_MAX_SCRIPT_NOTES)
        return;
    va_start(arguments, sentence);
    lm_text_fit(text, sizeof text, sentence, arguments);
    va_end(arguments);
    const char *kept = lm_arena_text(r->arena, text, strlen(text));
    r->notes[r->out->num_notes++] = (lm_script_note){r->tokens.word_line, refused, kept};
}

bool lm_reading_dispatch(lm_reading *r, const lm_script_word *words) {
    for (; words->text; words++)
        if (lm_tokens_is(&r->tokens, words->text)) {
            words->read(r);
            return true;
        }
    return false;
}

static int find_word(const lm_reading *r, const char *const *words) {
    for (int i = 0; words[i]; i++)
        if (lm_tokens_is(&r->tokens, words[i]))
            return i;
    return -1;
}

int lm_reading_choice(lm_reading *r, const char *what, const char *const *words) {
    if (!lm_tokens_argument(&r->tokens)) {
        r->missing = true;
        lm_reading_note(r, false, "%s without a word behind it", what);
        return -1;
    }
    int found = find_word(r, words);
    if (found < 0)
        lm_reading_note(r, false, "%s does not know \"%s\"", what, r->tokens.word);
    return found;
}

float lm_reading_number(lm_reading *r, const char *what) {
    if (lm_tokens_argument(&r->tokens))
        return lm_tokens_number(&r->tokens);
    r->missing = true;
    lm_reading_note(r, false, "%s with too few numbers", what);
    return 0;
}

void lm_reading_numbers(lm_reading *r, const char *what, float *out, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        out[i] = lm_reading_number(r, what);
}

void lm_reading_vector(lm_reading *r, const char *what, float out[3]) {
    static const char *const open[] = {"(", NULL}, *const close[] = {")", NULL};
    if (lm_reading_choice(r, what, open) < 0)
        return;
    lm_reading_numbers(r, what, out, 3);
    lm_reading_choice(r, what, close);
}

void lm_reading_wave_numbers(lm_reading *r, const char *what, lm_wave *wave) {
    wave->base = lm_reading_number(r, what);
    wave->amplitude = lm_reading_number(r, what);
    wave->phase = lm_reading_number(r, what);
    wave->frequency = lm_reading_number(r, what);
}

void lm_reading_wave(lm_reading *r, const char *what, lm_wave *wave) {
    /* As lm_wave_function. */
    static const char *const functions[] = {
        "sin", "triangle", "square", "sawtooth", "inversesawtooth", "noise", NULL};
    int function = lm_reading_choice(r, what, functions);
    wave->function = function < 0 ? LM_WAVE_SIN : (lm_wave_function)function;
    lm_reading_wave_numbers(r, what, wave);
}

uint32_t lm_reading_picture(lm_reading *r, const char *name) {
    uint32_t number = r->out->num_pictures;
    if (!lm_arena_grow(r->arena, &r->pictures, &r->picture_capacity, number + (size_t)1,
                       sizeof *r->pictures))
        return 0;
    r->pictures[number] = lm_arena_text(r->arena, name, strlen(name));
    return r->out->num_pictures++;
}

/* ---- General -------------------------------------------------------------------------------- */

void lm_reading_skip(lm_reading *r) {
    (void)r;
}

void lm_reading_skip_word(lm_reading *r) {
    lm_tokens_argument(&r->tokens);
}

void lm_reading_skip_line(lm_reading *r) {
    lm_tokens_skip_line(&r->tokens);
}

static void read_cull(lm_reading *r) {
    static const char *const words[] = {"none",     "twosided",  "disable", "back",
                                        "backside", "backsided", NULL};
    int word = lm_reading_choice(r, "cull", words);
    if (word >= 0)
        r->shader->sides = word < 3 ? LM_SIDES_BOTH : LM_SIDES_BACK;
}

static void read_sort(lm_reading *r) {
    static const char *const words[] = {"portal", "sky",        "opaque",   "decal",   "seeThrough",
                                        "banner", "underwater", "additive", "nearest", NULL};
    static const float values[] = {LM_SORT_PORTAL,     LM_SORT_SKY,         LM_SORT_OPAQUE,
                                   LM_SORT_DECAL,      LM_SORT_SEE_THROUGH, LM_SORT_BANNER,
                                   LM_SORT_UNDERWATER, LM_SORT_ADDITIVE,    LM_SORT_NEAREST};
    if (!lm_tokens_argument(&r->tokens))
        return;
    int word = find_word(r, words);
    float value = word < 0 ? lm_tokens_number(&r->tokens) : values[word];
    r->shader->sort = value > 0 ? value : 0;
}

static void read_surfaceparm(lm_reading *r) {
    if (!lm_tokens_argument(&r->tokens))
        return;
    r->shader->trans = r->shader->trans || lm_tokens_is(&r->tokens, "trans");
    r->shader->nodraw = r->shader->nodraw || lm_tokens_is(&r->tokens, "nodraw");
}

static void read_polygon_offset(lm_reading *r) {
    r->shader->polygon_offset = true;
}

/* ---- Deforming ------------------------------------------------------------------------------ */

static void read_deform_numbers(lm_reading *r, lm_deform *deform) {
    float division;
    switch (deform->kind) {
    case LM_DEFORM_WAVE:
        division = lm_reading_number(r, "deformVertexes wave");
        deform->spread = division != 0 ? 1 / division : 100; /* the engine's answer to 0 */
        lm_reading_wave(r, "deformVertexes wave", &deform->wave);
        break;
    case LM_DEFORM_BULGE:
        lm_reading_numbers(r, "deformVertexes bulge", deform->values, 3);
        break;
    case LM_DEFORM_MOVE:
        lm_reading_numbers(r, "deformVertexes move", deform->values, 3);
        lm_reading_wave(r, "deformVertexes move", &deform->wave);
        break;
    case LM_DEFORM_NORMAL:
        lm_reading_numbers(r, "deformVertexes normal", deform->values, 2);
        break;
    default:
        break;
    }
}

static void read_deform(lm_reading *r) {
    /* As lm_deform_kind; then what needs the game. */
    static const char *const kinds[] = {
        "wave",  "bulge", "move",  "normal", "autosprite", "autosprite2", "projectionShadow",
        "text0", "text1", "text2", "text3",  "text4",      "text5",       "text6",
        "text7", NULL};
    int kind = lm_reading_choice(r, "deformVertexes", kinds);
    if (kind < 0 || kind > LM_DEFORM_AUTOSPRITE2)
        return;
    if (r->shader->num_deforms == LM_MAX_DEFORMS) {
        lm_reading_note(r, false, "more than %d deformVertexes", LM_MAX_DEFORMS);
        lm_tokens_skip_line(&r->tokens);
        return;
    }
    lm_deform *deform = &r->deforms[r->shader->num_deforms++];
    *deform = (lm_deform){.kind = (lm_deform_kind)kind};
    read_deform_numbers(r, deform);
}

/* ---- ET's stage in one word ----------------------------------------------------------------- */

/* The first stage is this one, whatever it was. */
static void read_implicit(lm_reading *r, lm_alpha_test test, bool blended) {
    bool named = lm_tokens_argument(&r->tokens) && strcmp(r->tokens.word, "-") != 0;
    lm_stage_begin(r, 0);
    r->words.has_picture = r->words.has_rgb = r->words.writes_depth = true;
    r->stage->num_pictures = 1;
    r->words.pictures[0] = lm_reading_picture(r, named ? r->tokens.word : "");
    r->stage->alpha_test = test;
    r->stage->blended = blended;
    r->stage->source = LM_BLEND_SRC_ALPHA;
    r->stage->destination = LM_BLEND_ONE_MINUS_SRC_ALPHA;
    lm_stage_end(r);
    if (test != LM_TEST_NONE || blended)
        r->shader->sides = LM_SIDES_BOTH;
}

static void read_implicit_map(lm_reading *r) {
    read_implicit(r, LM_TEST_NONE, false);
}

static void read_implicit_mask(lm_reading *r) {
    read_implicit(r, LM_TEST_GE128, false);
}

static void read_implicit_blend(lm_reading *r) {
    read_implicit(r, LM_TEST_NONE, true);
}

/* ---- All of it ------------------------------------------------------------------------------ */

static const lm_script_word general[] = {{"{", lm_reading_stage},
                                         {"cull", read_cull},
                                         {"sort", read_sort},
                                         {"surfaceparm", read_surfaceparm},
                                         {"polygonOffset", read_polygon_offset},
                                         {"deformVertexes", read_deform},
                                         {"implicitMap", read_implicit_map},
                                         {"implicitMask", read_implicit_mask},
                                         {"implicitBlend", read_implicit_blend},
                                         {"skyparms", lm_reading_skip_line},
                                         {"fogparms", lm_reading_skip_line},
                                         {"portal", lm_reading_skip},
                                         {"nomipmaps", lm_reading_skip},
                                         {"nopicmip", lm_reading_skip},
                                         {"entityMergable", lm_reading_skip},
                                         {"light", lm_reading_skip_word},
                                         {"clampTime", lm_reading_skip_word},
                                         {"tesssize", lm_reading_skip_line},
                                         /* RtCW and ET */
                                         {"picmip2", lm_reading_skip},
                                         {"nofog", lm_reading_skip},
                                         {"allowcompress", lm_reading_skip},
                                         {"nocompress", lm_reading_skip},
                                         {"distanceCull", lm_reading_skip_line},
                                         {"fogvars", lm_reading_skip_line},
                                         {"skyfogvars", lm_reading_skip_line},
                                         {"waterfogvars", lm_reading_skip_line},
                                         {"sunshader", lm_reading_skip_line},
                                         {"lightgridmulamb", lm_reading_skip_line},
                                         {"lightgridmulcol", lm_reading_skip_line},
                                         {0}};

/* Words for the editor and for the compiler of maps. */
static bool is_for_others(const char *word) {
    return lm_same_letters(word, "qer", 3) || lm_same_letters(word, "q3map", 5);
}

static void read_general(lm_reading *r) {
    while (lm_tokens_next(&r->tokens)) {
        if (is_for_others(r->tokens.word)) {
            lm_tokens_skip_line(&r->tokens);
        } else if (!lm_reading_dispatch(r, general)) {
            lm_reading_note(r, true, "\"%s\" is not known", r->tokens.word);
            lm_tokens_skip_line(&r->tokens);
        }
    }
}

/* What the material's texture is. */
static uint32_t base_of(const lm_shader *shader) {
    for (uint32_t i = 0; i < shader->num_stages; i++) {
        const lm_stage *stage = &shader->stages[i];
        if (stage->num_pictures > 0 && stage->tc_gen != LM_TC_ENVIRONMENT &&
            stage->tc_gen != LM_TC_LIGHTMAP)
            return i;
    }
    return shader->num_stages;
}

bool lm_shader_fill(const lm_script *script, uint32_t number, lm_arena *arena,
                    lm_script_shader *out) {
    const lm_script_label *label = &script->labels[number];
    lm_shader *shader = &out->shader;
    lm_reading r = {.tokens = {.at = script->text + label->begin,
                               .end = script->text + label->end,
                               .line = label->line},
                    .arena = arena,
                    .out = out,
                    .shader = shader};
    *out = (lm_script_shader){.shader = {.line = label->line}};
    shader->name = lm_arena_text(arena, label->name, strlen(label->name));
    shader->stages = r.stages = lm_arena_zeros(arena, LM_READ_STAGES, sizeof *r.stages);
    shader->deforms = r.deforms = lm_arena_zeros(arena, LM_MAX_DEFORMS, sizeof *r.deforms);
    out->notes = r.notes = lm_arena_zeros(arena, LM_MAX_SCRIPT_NOTES, sizeof *r.notes);
    r.mods = lm_arena_zeros(arena, LM_READ_STAGES, sizeof *r.mods);
    r.numbers = lm_arena_zeros(arena, LM_READ_STAGES, sizeof *r.numbers);
    if (lm_arena_failed(arena))
        return false;
    lm_tokens_next(&r.tokens); /* the name, and its brace */
    lm_tokens_next(&r.tokens);
    read_general(&r);
    shader->base = base_of(shader);
    out->pictures = r.pictures;
    return !lm_arena_failed(arena);
}

lm_script_shader *lm_script_shader_read(const lm_script *script, uint32_t label,
                                        const lm_allocator *allocator, lm_error *error) {
    lm_script_shader *made = lm_owned_new(allocator, sizeof *made);
    if (made && lm_shader_fill(script, label, lm_owned_arena(made), made))
        return made;
    lm_owned_free(made);
    lm_fail_memory(error);
    return NULL;
}

void lm_script_shader_free(lm_script_shader *shader) {
    lm_owned_free(shader);
}
