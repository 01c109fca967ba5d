/* Compares surfaces drawn by a shader script with shader-*.png of tests/images.zip. Each must
 * differ from the same surface without the shader. test_gl_rules.c computes the other rules.
 *
 *     test_gl_shaders write  draws them again: look at them before you commit them */

#include "gl_support.h"
#include "lerpmesh/files.h"

static lm_gl_target *target;
static bool writing;

/* ---- Images that stages show --------------------------------------------------------------- */

enum {
    SKIN,
    RAMP,  /* a checkerboard whose alpha grows from left to right */
    RINGS, /* bright on black */
    NUM_TEXTURES
};
#define TEXTURE_SIDE 64

static uint8_t ramp[4 * TEXTURE_SIDE * TEXTURE_SIDE], rings[4 * TEXTURE_SIDE * TEXTURE_SIDE];
static lm_scene_texture textures[NUM_TEXTURES];
static lm_image *skin;

static void paint_textures(void) {
    for (int y = 0; y < TEXTURE_SIDE; y++)
        for (int x = 0; x < TEXTURE_SIDE; x++) {
            size_t at = 4 * ((size_t)y * TEXTURE_SIDE + (size_t)x);
            bool light = (x / 8 + y / 8) % 2 == 0;
            int dx = x - 32, dy = y - 32, ring = (dx * dx + dy * dy) / 64 % 3;
            memcpy(ramp + at, light ? "\xff\xe0\x90" : "\x30\x60\xa0", 3);
            ramp[at + 3] = (uint8_t)(x * 255 / (TEXTURE_SIDE - 1));
            memcpy(rings + at, ring ? "\x00\x00\x00" : "\x40\xc0\x60", 3);
            rings[at + 3] = 255;
        }
    const lm_scene_texture made = {.name = "made", .width = TEXTURE_SIDE, .height = TEXTURE_SIDE};
    textures[RAMP] = textures[RINGS] = made;
    textures[RAMP].pixels = ramp;
    textures[RINGS].pixels = rings;
    textures[SKIN] = (lm_scene_texture){
        .name = "skin", .width = skin->width, .height = skin->height, .pixels = skin->pixels};
}

/* ---- Shaders ------------------------------------------------------------------------------- */

static const uint32_t of_skin[] = {SKIN}, of_ramp[] = {RAMP}, of_rings[] = {RINGS};

#define LIT .num_images = 1, .images = of_skin
#define SHOWN(name) .num_images = 1, .images = of_##name, .rgb_gen = LM_RGB_IDENTITY
#define BLEND(from, to) \
    .blended = true, .keeps_depth = true, .source = LM_BLEND_##from, .destination = LM_BLEND_##to
#define STAGES(list) .num_stages = sizeof(list) / sizeof *(list), .stages = (list)

static const lm_stage solid[] = {{.num_images = 1, .images = of_ramp}};
static const lm_stage add[] = {{LIT}, {SHOWN(rings), BLEND(ONE, ONE)}},
                      equal[] = {{LIT}, {SHOWN(rings), BLEND(ONE, ONE), .depth_equal = true}},
                      glow[] = {{SHOWN(rings), BLEND(ONE, ONE)}},
                      environment[] = {{LIT},
                                       {SHOWN(rings), BLEND(ONE, ONE),
                                        .tc_gen = LM_TC_GEN_ENVIRONMENT}},
                      shines[] = {{LIT},
                                  {.rgb_gen = LM_RGB_CONST,
                                   .rgb = {1, 0.8f, 0.4f},
                                   .alpha_gen = LM_ALPHA_GEN_SPECULAR,
                                   BLEND(SRC_ALPHA, ONE)}},
                      fades[] = {{SHOWN(skin), .alpha_gen = LM_ALPHA_GEN_PORTAL, .range = 400,
                                  BLEND(SRC_ALPHA, ONE_MINUS_SRC_ALPHA)}};
static const lm_deform waves[] = {{.kind = LM_DEFORM_WAVE,
                                   .spread = 0.05f,
                                   .wave = {1, 2, 0, 1, LM_WAVE_SIN}}},
                       moves[] = {{.kind = LM_DEFORM_MOVE,
                                   .values = {0, 8, 4},
                                   .wave = {0, 1, 0, 1, LM_WAVE_SAWTOOTH}},
                                  {.kind = LM_DEFORM_BULGE, .values = {20, 2, 1}}},
                       faces[] = {{.kind = LM_DEFORM_AUTOSPRITE}},
                       leans[] = {{.kind = LM_DEFORM_AUTOSPRITE2}};

#define DEFORMS(list) .num_deforms = sizeof(list) / sizeof *(list), .deforms = (list)

typedef struct shader_case {
    const char *name;
    lm_shader shader;
    double seconds;
    bool squares; /* two squares instead of the knight */
} shader_case;

static const shader_case cases[] = {
    {"shader-environment", {STAGES(environment)}, 0, false},
    {"shader-specular", {STAGES(shines)}, 0, false},
    {"shader-portal", {STAGES(fades)}, 0, false},
    {"shader-deform", {DEFORMS(waves)}, 0.3, false},
    {"shader-move", {DEFORMS(moves)}, 0.6, false},
    {"shader-autosprite", {DEFORMS(faces)}, 0, true},
    {"shader-autosprite2", {DEFORMS(leans)}, 0, true},
};
#define NUM_CASES (sizeof cases / sizeof *cases)

/* ---- Drawing ------------------------------------------------------------------------------- */

/* Makes two horizontal squares, one of them elongated. */
static void make_squares(handmade *h) {
    static const uint8_t corners[8][3] = {{0, 0, 0},   {0, 100, 0},   {100, 100, 0},  {100, 0, 0},
                                          {150, 0, 0}, {150, 200, 0}, {170, 200, 40}, {170, 0, 40}};
    static const uint32_t triangles[12] = {0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7};
    make_model(h, 8, 4);
    for (size_t v = 0; v < 16; v++) {
        memcpy(h->keys + 4 * v, corners[v % 8], 3);
        h->keys[4 * v + 3] = 5; /* up */
    }
    for (size_t v = 0; v < 8; v++)
        h->st[v] = (lm_vec2){v % 4 == 1 || v % 4 == 2, v % 4 >= 2};
    memcpy(h->triangles, triangles, sizeof triangles);
}

/* Draws a scene seen from the front left, fitted to the first part. */
static void draw_scene(const lm_scene *scene, double seconds, uint8_t *pixels) {
    lm_error error = {0};
    const lm_gl_scene_instance instance = {.seconds = seconds};
    lm_gl_camera camera = {.azimuth = 30, .elevation = 20, .zoom = 0.8f};
    lm_gl_view view;
    lm_vec3 min, max;
    assert_done(lm_scene_check(scene, &error), error);
    assert_int_equal(lm_model_bounds(scene->parts[0].model, 0, 1, &min, &max), LM_CODE_OK);
    lm_gl_camera_fit(&camera, &min, &max);
    lm_gl_camera_view(&camera, &view);
    begin_image(target, 0.3f, 0.3f, 0.35f, 1);
    OWNED(lm_gl_scene) *drawn = lm_gl_scene_new(world.gl, scene, &error);
    assert_done(drawn && lm_gl_scene_draw(drawn, &view, &instance, 1, NULL, &error) &&
                    lm_gl_target_read(target, pixels, &error),
                error);
    expect_quiet();
}

/* Draws a model with one surface by the shader; NULL: without one. */
static void draw_shader(const lm_model *model, const lm_shader *shader, double seconds,
                        uint8_t *pixels) {
    const lm_scene_material material = {.name = "made", .texture = SKIN, .shader = shader};
    const lm_material_set worn = {.name = "made", .materials = &material};
    const lm_scene_part part = {.model = model, .num_skins = 1, .skins = &worn};
    const lm_scene scene = {
        .num_parts = 1, .parts = &part, .num_textures = NUM_TEXTURES, .textures = textures};
    draw_scene(&scene, seconds, pixels);
}

TEST(test_shaders) {
    static uint8_t drawn[4 * REFERENCE_PIXELS], plain[4 * REFERENCE_PIXELS];
    unsigned num_failed = 0;
    OWNED(lm_model) *knight = load(source_path("samples/tick.md2"), 0, 0);
    AT_END(free_model) handmade squares;
    make_squares(&squares);
    for (size_t i = 0; i < NUM_CASES; i++) {
        const shader_case *c = &cases[i];
        const lm_model *model = c->squares ? &squares.model : knight;
        draw_shader(model, &c->shader, c->seconds, drawn);
        draw_shader(model, NULL, c->seconds, plain);
        num_failed += !equals_reference(c->name, drawn, writing);
        if (mean_error(drawn, plain) < 1.5 * REFERENCE_THRESHOLD)
            fail_msg("%s: the shader changes nothing", c->name);
    }
    assert_int_equal(num_failed, 0);
}

/* ---- Properties ---------------------------------------------------------------------------- */

TEST(test_shader_defaults) {
    static uint8_t drawn[4 * REFERENCE_PIXELS], plain[4 * REFERENCE_PIXELS];
    const lm_shader zero = {0}, hidden = {.hidden = true}, same = {STAGES(equal)};
    const lm_shader added = {STAGES(add)};
    OWNED(lm_model) *knight = load(source_path("samples/tick.md2"), 0, 0);
    draw_shader(knight, NULL, 0, plain);
    draw_shader(knight, &zero, 0, drawn);
    assert_true(mean_error(drawn, plain) < 0.02);
    draw_shader(knight, &hidden, 0, drawn);
    for (size_t i = 0; i < REFERENCE_PIXELS; i++)
        assert_memory_equal(drawn + 4 * i, drawn, 4);
    /* A second stage has exactly the depth of the first. */
    draw_shader(knight, &added, 0, plain);
    draw_shader(knight, &same, 0, drawn);
    assert_true(mean_error(drawn, plain) < 0.02);
}

/* Without a shader, the material defines the use of alpha, independent of the image. */
TEST(test_alpha_of_materials) {
    static uint8_t drawn[3][4 * REFERENCE_PIXELS];
    const lm_shader opaque = {STAGES(solid)};
    OWNED(lm_model) *knight = load(source_path("samples/tick.md2"), 0, 0);
    for (int i = 0; i < 3; i++) {
        const lm_scene_material material = {.name = "made",
                                            .texture = RAMP,
                                            .alpha = i ? LM_ALPHA_BLEND : LM_ALPHA_OPAQUE,
                                            .shader = i == 2 ? &opaque : NULL};
        const lm_material_set worn = {.name = "made", .materials = &material};
        const lm_scene_part part = {.model = knight, .num_skins = 1, .skins = &worn};
        draw_scene(
            &(lm_scene){
                .num_parts = 1, .parts = &part, .num_textures = NUM_TEXTURES, .textures = textures},
            0, drawn[i]);
    }
    assert_true(mean_error(drawn[0], drawn[1]) > 2);
    assert_true(mean_error(drawn[0], drawn[2]) < 0.02);
}

/* A wall behind a glowing surface is drawn first, though it is last in the scene. */
TEST(test_order) {
    static uint8_t sorted[4 * REFERENCE_PIXELS], drawn_reversed[4 * REFERENCE_PIXELS];
    const lm_shader glowing = {STAGES(glow)}, early = {STAGES(glow), .sort = LM_SORT_PORTAL};
    const lm_scene_material lit = {.name = "made", .texture = SKIN},
                            bright = {.name = "made", .texture = SKIN, .shader = &glowing},
                            first = {.name = "made", .texture = SKIN, .shader = &early};
    const lm_material_set skins[] = {{.name = "made", .materials = &bright},
                                     {.name = "made", .materials = &lit},
                                     {.name = "made", .materials = &first}};
    OWNED(lm_model) *knight = load(source_path("samples/tick.md2"), 0, 0);
    AT_END(free_model) handmade wall;
    make_model(&wall, 3, 1);
    static const uint8_t corners[3][3] = {{0, 0, 0}, {0, 255, 0}, {0, 0, 255}};
    for (size_t v = 0; v < 6; v++)
        memcpy(wall.keys + 4 * v, corners[v % 3], 3);
    for (int f = 0; f < 2; f++)
        wall.frames[f].translate = (lm_vec3){-25, -60, -30};
    for (uint32_t v = 0; v < 3; v++)
        wall.triangles[v] = 2 - v;
    lm_scene_part parts[] = {{.model = knight, .num_skins = 1, .skins = &skins[0]},
                             {.model = &wall.model, .num_skins = 1, .skins = &skins[1]}};
    const lm_scene scene = {
        .num_parts = 2, .parts = parts, .num_textures = NUM_TEXTURES, .textures = textures};
    draw_scene(&scene, 0, sorted);
    parts[0].skins = &skins[2];
    draw_scene(&scene, 0, drawn_reversed);
    assert_true(mean_error(sorted, drawn_reversed) > 2);
    assert_true(equals_reference("shader-order", sorted, writing));
}

/* ---- All of it ----------------------------------------------------------------------------- */

static int open_stage(void **state) {
    lm_error error = {0};
    lm_buffer file = {0};
    open_world(state);
    target = lm_gl_target_new(world.gl, REFERENCE_SIDE, REFERENCE_SIDE, 4, &error);
    assert_done(target && lm_file_read(source_path("samples/tick.pcx"), 0, &file, &error), error);
    skin = lm_image_read(file.data, file.size, NULL, &error);
    assert_non_null(skin);
    lm_buffer_free(&file);
    paint_textures();
    return 0;
}

static int close_stage(void **state) {
    lm_image_free(skin);
    lm_gl_target_free(target);
    return close_world(state);
}

TEST_GROUP(open_stage, close_stage)

int main(int argc, char **argv) {
    writing = argc > 1 && strcmp(argv[1], "write") == 0;
    return run_test_list();
}
