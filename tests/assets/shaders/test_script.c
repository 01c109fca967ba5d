/* Tests shader scripts: defaults, messages, limits, and safety against any input. test_scripts.py
 * compares what each word sets with an oracle. */
#include "image_maker.h"
#include "scene/check.h"
#include "shaders/script.h"
#include "support.h"

#include <time.h>

OWNER(lm_script, lmi_script_free)
OWNER(lm_script_shader, lmi_object_free)

/* ---- Reading ------------------------------------------------------------------------------- */

static lm_script *script_of(const char *text) {
    lm_error error = {0};
    lm_script *script = lmi_script_read(text, strlen(text), NULL, &error);
    assert_done(script, error);
    return script;
}

/* NULL: out of memory. */
static lm_script_shader *read_shader(const lm_script *script, uint32_t label,
                                     const lm_allocator *memory) {
    lm_script_shader *shader = lmi_object_new(memory, sizeof *shader);
    if (shader && lmi_shader_fill(script, label, lmi_arena_of(shader), shader))
        return shader;
    lmi_object_free(shader);
    return NULL;
}

/* Parses the first label of a text without damage and with that many notes; the script is freed at
 * once. */
static lm_script_shader *shader_of(const char *text, uint32_t num_notes) {
    lm_script *script = script_of(text);
    assert_true(script->num_labels > 0);
    lm_script_shader *shader = read_shader(script, 0, NULL);
    assert_non_null(shader);
    if (shader->num_notes != num_notes)
        fail_msg("%u notes, the first: %s", (unsigned)shader->num_notes,
                 shader->num_notes ? shader->notes[0].text : "none");
    assert_true(lmi_shader_valid(&shader->shader, shader->num_images));
    lmi_script_free(script);
    return shader;
}

/* ---- Labels -------------------------------------------------------------------------------- */

TEST(labels_are_found) {
    OWNED(lm_script) *s =
        script_of("// a { }\r\na\r\n{\r\n { map x }\r\n}\r\n/* b {\n} */ b/c { cull none }\r"
                  "\"d e\" { /* } */ \"}\n\" // }\n } d/*x\n*/f { }");
    static const char *const names[] = {"a", "b/c", "d e", "df"};
    static const uint32_t lines[] = {2, 7, 8, 10};
    assert_int_equal(s->num_labels, 4);
    assert_null(s->damage);
    for (unsigned i = 0; i < 4; i++) {
        assert_string_equal(s->labels[i].name, names[i]);
        assert_int_equal(s->labels[i].line, lines[i]);
    }
    lmi_script_free(s);
    s = script_of("");
    assert_int_equal(s->num_labels, 0);
}

static void expect_damage(const char *text, uint32_t num_labels, uint32_t line) {
    OWNED(lm_script) *s = script_of(text);
    assert_int_equal(s->num_labels, num_labels);
    assert_non_null(s->damage);
    assert_int_equal(s->damage_line, line);
}

TEST(unbalanced_braces_are_reported) {
    expect_damage("a { }\nb\nc { }", 1, 2);
    expect_damage("a { }\nb{ }", 1, 2); /* the engines require a space */
    expect_damage("a { }\nb { { }", 2, 2);
    expect_damage("a { } }", 1, 1);
    expect_damage("a", 0, 1);
}

/* ---- Shaders ------------------------------------------------------------------------------- */

TEST(defaults_are_the_engines) {
    OWNED(lm_script_shader) *s =
        shader_of("x { { map a blendFunc gl_one gl_zero }\n"
                  "{ map b blendFunc gl_dst_color gl_one }\n"
                  "{ map c blendFunc gl_one gl_one depthwrite alphaGen portal\n } }",
                  0);
    assert_int_equal(s->shader.num_stages, 3);
    assert_false(s->shader.stages[0].blended || s->shader.stages[0].keeps_depth);
    assert_int_equal(s->shader.stages[0].rgb_gen, LM_RGB_IDENTITY_LIGHTING);
    assert_int_equal(s->shader.stages[1].rgb_gen, LM_RGB_IDENTITY);
    assert_true(s->shader.stages[1].keeps_depth);
    assert_int_equal(s->shader.stages[2].rgb_gen, LM_RGB_IDENTITY_LIGHTING);
    assert_false(s->shader.stages[2].keeps_depth);
}

static void expect_note(const char *text, uint32_t line, bool refused, uint32_t num_stages) {
    OWNED(lm_script_shader) *s = shader_of(text, 1);
    assert_int_equal(s->notes[0].line, line);
    assert_int_equal(s->notes[0].rejected, refused);
    assert_int_equal(s->shader.num_stages, num_stages);
}

TEST(unknown_words_are_noted) {
    expect_note("x {\n foo bar baz\n { map a } }", 2, true, 1);
    expect_note("x {\n { map a\n foo { b }\n } }", 3, true, 1);
    expect_note("x { { map a\n { b }\n rgbGen identity } { map c } }", 2, true, 2);
    OWNED(lm_script_shader) *s = shader_of("x {\n{ map\n } }", 2);
    assert_true(s->notes[0].rejected && s->notes[0].line == 2);
    assert_int_equal(s->shader.num_stages, 0);
}

TEST(invalid_values_are_reported) {
    expect_note("x { cull front\n { map a } }", 1, false, 1);
    expect_note("x { { map a\n rgbGen dynamic\n } }", 2, false, 1);
    expect_note("x { { map a\n tcMod jitter 1 2\n tcMod scale 2 2\n } }", 2, false, 1);
    expect_note("x { { map a\n blendFunc GL_SRC_COLOR GL_ONE } }", 2, false, 1);
    expect_note("x { { map a\n rgbGen wave sin 1 2 3\n } }", 2, false, 1);
    expect_note("x { { videoMap a.roq } { map $whiteimage } }", 1, false, 1);
    OWNED(lm_script_shader) *s = shader_of("x { { map a\n tcMod scale 2\n tcMod scroll 1 1\n"
                                           "blendFunc GL_ONE GL_DST_COLOR } }",
                                           2);
    assert_int_equal(s->shader.stages[0].num_tc_mods, 0); /* the chain ends at the cut */
    assert_int_equal(s->shader.stages[0].destination, LM_BLEND_ONE);
}

TEST(limits_are_enforced) {
    OWNED(lm_script_shader) *s = shader_of(
        "x { deformVertexes autosprite deformVertexes autosprite deformVertexes autosprite\n"
        "deformVertexes autosprite\n"
        "{ animMap 1 a b c d e f g h i j k l m n o p q r\n tcMod rotate 1\n tcMod rotate 1\n"
        " tcMod rotate 1\n tcMod rotate 1\n tcMod rotate 1\n }\n"
        "{ map b } { map b } { map b } { map b } { map b } { map b } { map b } { map b } { map b } "
        "}",
        4);
    assert_int_equal(s->shader.num_deforms, LM_MAX_DEFORMS);
    assert_int_equal(s->shader.num_stages, LM_MAX_STAGES);
    assert_int_equal(s->shader.stages[0].num_images, LM_MAX_STAGE_IMAGES);
    assert_int_equal(s->shader.stages[0].num_tc_mods, LM_MAX_TC_MODS);
}

/* ---- Damage -------------------------------------------------------------------------------- */

static void read_all(const char *text, size_t size) {
    lm_error error = {0};
    char *copy = malloc(size ? size : 1); /* of the exact size, for the sanitizer */
    memcpy(copy, text, size);
    lm_script *script = lmi_script_read(copy, size, NULL, &error);
    assert_non_null(script);
    for (uint32_t i = 0; i < script->num_labels; i++) {
        OWNED(lm_script_shader) *shader = read_shader(script, i, NULL);
        assert_non_null(shader);
        assert_true(lmi_shader_valid(&shader->shader, shader->num_images));
    }
    lmi_script_free(script);
    free(copy);
}

static const char whole[] =
    "models/a { cull none deformVertexes wave 100 sin 1 2 3 4\n { map \"a b.tga\" // c\n"
    "blendFunc GL_ONE GL_ONE tcMod turb 1 2 3 4\n rgbGen wave sin 1 2 3 4 /* d */ }\n"
    "{ animMap 5 a b alphaGen wave noise 1 2 3 4 } } b { { map $lightmap } }";

TEST(every_prefix_and_every_changed_byte_is_read) {
    static const char changes[] = {'{', '}', '"', '/', '*', '\n', 0, '\xff'};
    char text[sizeof whole];
    for (size_t i = 0; i < sizeof whole; i++)
        read_all(whole, i);
    for (size_t i = 0; i + 1 < sizeof whole; i++)
        for (size_t k = 0; k < sizeof changes; k++) {
            memcpy(text, whole, sizeof whole);
            text[i] = changes[k];
            read_all(text, sizeof whole - 1);
        }
}

TEST(lack_of_memory_is_reported) {
    lm_script *script = script_of(whole);
    EACH_ALLOCATION_FAILS (f) {
        OWNED(lm_script_shader) *shader = read_shader(script, 0, &f.memory.allocator);
        f.done = shader != NULL;
        if (!f.done)
            f.error.code = LM_CODE_OUT_OF_MEMORY; /* lmi_shader_fill has no error */
    }
    lmi_script_free(script);
    counted memory = {.fail_at = 1};
    lm_memory bounded = {.allocator = counting_allocator(&memory)};
    lm_error error = {0};
    assert_null(lmi_script_read(whole, sizeof whole - 1, &bounded, &error));
    assert_int_equal(error.code, LM_CODE_OUT_OF_MEMORY);
}

/* Measures that cost is linear in the text's length, for words that are parsed repeatedly. */
static double seconds_for(const char *piece, size_t size) {
    AT_END(drop_bytes) char *text = malloc(size);
    size_t length = strlen(piece);
    for (size_t i = 0; i < size; i++)
        text[i] = piece[i % length];
    clock_t begin = clock();
    read_all(text, size);
    return (double)(clock() - begin) / CLOCKS_PER_SEC;
}

TEST(hostile_texts_take_linear_time) {
    static const char *const pieces[] = {"a { ", "a { } ", "{ ",           "a/* ",
                                         "\"a",  "} ",     "a { { map b\n"};
    for (size_t i = 0; i < COUNT_OF(pieces); i++)
        assert_true(seconds_for(pieces[i], 1000000) < 3);
}
