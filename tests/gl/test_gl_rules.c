/* Tests the rules of shader scripts, one by one, by the colours of pixels. A wall fills the image;
 * its texture coordinates are (0, 0) at the top left and (1, 1) at the bottom right. */

#include "gl_support.h"
#include "math/vectors.h"

#include <epoxy/gl.h>

#define SIDE 64
#define WALL 200 /* units per side */

enum {
    PLACES, /* red grows with s, green with t */
    RED,
    GREEN,
    NUM_TEXTURES
};
#define TEXTURE_SIDE 256

static uint8_t places[4 * TEXTURE_SIDE * TEXTURE_SIDE];
static const uint8_t red[4] = {255, 0, 0, 255}, green[4] = {0, 255, 0, 255};
static const lm_scene_texture textures[NUM_TEXTURES] = {
    {.name = "places", .width = TEXTURE_SIDE, .height = TEXTURE_SIDE, .pixels = places},
    {.name = "red", .width = 1, .height = 1, .pixels = red},
    {.name = "green", .width = 1, .height = 1, .pixels = green}};
static const uint32_t of_places[] = {PLACES}, of_two[] = {RED, GREEN}, of_none[] = {LM_NO_TEXTURE};

#define SHOWN .num_images = 1, .images = of_places, .rgb_gen = LM_RGB_IDENTITY
#define COLOR(r, g, b) .rgb_gen = LM_RGB_CONST, .rgb = {r, g, b}
#define ALPHA(a) .alpha_gen = LM_ALPHA_GEN_CONST, .alpha = (a)
#define STAGES(list) .num_stages = sizeof(list) / sizeof *(list), .stages = (list)

static lm_gl_target *target;
static handmade wall;
static uint8_t drawn[4 * SIDE * SIDE];

/* ---- Drawing ------------------------------------------------------------------------------- */

static void make_wall(handmade *h) {
    static const uint8_t corners[4][3] = {{0, 0, WALL}, {0, WALL, WALL}, {0, WALL, 0}, {0, 0, 0}};
    static const uint32_t triangles[6] = {0, 1, 2, 0, 2, 3};
    const lm_vec3 forward = {1, 0, 0};
    make_model(h, 4, 2);
    for (size_t v = 0; v < 8; v++) {
        memcpy(h->keys + 4 * v, corners[v % 4], 3);
        h->keys[4 * v + 3] = lmi_nearest_normal_162(&forward);
    }
    for (size_t v = 0; v < 4; v++)
        h->st[v] = (lm_vec2){v == 1 || v == 2, v >= 2};
    memcpy(h->triangles, triangles, sizeof triangles);
}

static lm_gl_camera camera_at(float azimuth) {
    lm_gl_camera camera = {.azimuth = azimuth};
    lm_gl_camera_fit(&camera, &(lm_vec3){0, 0, 0}, &(lm_vec3){0, WALL, WALL});
    return camera;
}

static lm_gl_shade shade = LM_GL_SHADE_STUDIO;

static void draw_scene(const lm_scene *scene, const lm_gl_camera *camera, double seconds) {
    const lm_gl_render_options options = {.shade = shade};
    const lm_gl_scene_instance instance = {.seconds = seconds};
    lm_error error = {0};
    lm_gl_view view;
    assert_done(lm_scene_check(scene, &error), error);
    lm_gl_camera_view(camera, &view);
    begin_image(target, 0, 0, 0.2f, 1);
    OWNED(lm_gl_scene) *made = lm_gl_scene_new(world.gl, scene, &error);
    assert_done(made && lm_gl_scene_draw(made, &view, &instance, 1, &options, &error) &&
                    lm_gl_target_read(target, drawn, &error),
                error);
    expect_quiet();
}

/* Draws walls in a row in the scene, each with a shader. */
static void draw_walls(const lm_shader *shaders, uint32_t count, float azimuth, double seconds) {
    const lm_gl_camera camera = camera_at(azimuth);
    lm_scene_material materials[2];
    lm_material_set skins[2];
    lm_scene_part parts[2];
    for (uint32_t i = 0; i < count; i++) {
        materials[i] =
            (lm_scene_material){.name = "made", .texture = PLACES, .shader = &shaders[i]};
        skins[i] = (lm_material_set){.name = "made", .materials = &materials[i]};
        parts[i] = (lm_scene_part){.model = &wall.model, .num_skins = 1, .skins = &skins[i]};
    }
    draw_scene(
        &(lm_scene){
            .num_parts = count, .parts = parts, .num_textures = NUM_TEXTURES, .textures = textures},
        &camera, seconds);
}

static void draw(const lm_shader *shader, double seconds) {
    draw_walls(shader, 1, 0, seconds);
}

static const uint8_t *pixel_at(unsigned x, unsigned y) {
    return drawn + 4 * ((size_t)y * SIDE + x);
}

static void expect_color(const char *what, double r, double g, double b) {
    const double expected[3] = {r, g, b};
    const uint8_t *pixel = pixel_at(SIDE / 2, SIDE / 2);
    for (int i = 0; i < 3; i++)
        if (fabs(pixel[i] - 255 * fmin(fmax(expected[i], 0), 1)) > 2.1)
            fail_msg("%s: %u %u %u, not %.0f %.0f %.0f", what, pixel[0], pixel[1], pixel[2],
                     255 * r, 255 * g, 255 * b);
}

static bool shows_wall(void) {
    const uint8_t *pixel = pixel_at(SIDE / 2, SIDE / 2);
    return pixel[0] > 0 || pixel[1] > 0;
}

/* ---- Blending ------------------------------------------------------------------------------ */

typedef struct colors {
    double source[4], screen[4];
} colors;

/* Returns the number that a factor multiplies channel `i` by. */
static double factor_of(lm_blend factor, const colors *c, int i) {
    switch (factor) {
    case LM_BLEND_ZERO:
        return 0;
    case LM_BLEND_ONE:
        return 1;
    case LM_BLEND_SRC_COLOR:
        return c->source[i];
    case LM_BLEND_ONE_MINUS_SRC_COLOR:
        return 1 - c->source[i];
    case LM_BLEND_DST_COLOR:
        return c->screen[i];
    case LM_BLEND_ONE_MINUS_DST_COLOR:
        return 1 - c->screen[i];
    case LM_BLEND_SRC_ALPHA:
        return c->source[3];
    case LM_BLEND_ONE_MINUS_SRC_ALPHA:
        return 1 - c->source[3];
    case LM_BLEND_DST_ALPHA:
        return c->screen[3];
    case LM_BLEND_ONE_MINUS_DST_ALPHA:
        return 1 - c->screen[3];
    case LM_BLEND_SRC_ALPHA_SATURATE:
        return fmin(c->source[3], 1 - c->screen[3]);
    }
    return -1;
}

static void expect_blend(lm_blend from, lm_blend to) {
    const colors c = {{0.8, 0.2, 0.4, 0.3}, {0.3, 0.6, 0.5, 1}};
    const lm_stage stages[] = {
        {COLOR(0.3f, 0.6f, 0.5f)},
        {COLOR(0.8f, 0.2f, 0.4f), ALPHA(0.3f), .blended = true, .source = from, .destination = to}};
    double expected[3];
    char name[32];
    for (int i = 0; i < 3; i++)
        expected[i] = c.source[i] * factor_of(from, &c, i) + c.screen[i] * factor_of(to, &c, i);
    snprintf(name, sizeof name, "factors %u and %u", (unsigned)from, (unsigned)to);
    draw(&(lm_shader){STAGES(stages)}, 0);
    expect_color(name, expected[0], expected[1], expected[2]);
}

/* Each factor alone, then pairs. The background is opaque, as on a game's screen. */
TEST(test_blend_factors) {
    for (unsigned factor = 0; factor <= LM_BLEND_SRC_ALPHA_SATURATE; factor++) {
        if (factor != LM_BLEND_SRC_COLOR && factor != LM_BLEND_ONE_MINUS_SRC_COLOR)
            expect_blend((lm_blend)factor, LM_BLEND_ZERO);
        if (factor != LM_BLEND_DST_COLOR && factor != LM_BLEND_ONE_MINUS_DST_COLOR &&
            factor != LM_BLEND_SRC_ALPHA_SATURATE)
            expect_blend(LM_BLEND_ZERO, (lm_blend)factor);
    }
    expect_blend(LM_BLEND_ONE, LM_BLEND_ONE);
    expect_blend(LM_BLEND_SRC_ALPHA, LM_BLEND_ONE_MINUS_SRC_ALPHA);
    expect_blend(LM_BLEND_DST_COLOR, LM_BLEND_SRC_ALPHA);
    expect_blend(LM_BLEND_ONE_MINUS_DST_COLOR, LM_BLEND_SRC_COLOR);
}

/* On a transparent image, additive stages are as opaque as they are bright, and purely darkening
 * stages are invisible. Stages that keep the background by an alpha of 1 act as additive ones. */
TEST(test_opacity_of_stages) {
    const struct {
        lm_blend from, to;
        double alpha;
    } cases[] = {{LM_BLEND_ONE, LM_BLEND_ONE, 0.8},
                 {LM_BLEND_ONE, LM_BLEND_SRC_ALPHA, 0.8},
                 {LM_BLEND_SRC_ALPHA, LM_BLEND_ONE_MINUS_SRC_ALPHA, 1},
                 {LM_BLEND_DST_COLOR, LM_BLEND_ZERO, 0}};
    const lm_gl_camera camera = camera_at(0);
    lm_gl_view view;
    lm_gl_camera_view(&camera, &view);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const lm_stage stages[] = {{COLOR(0.8f, 0.2f, 0.4f), .blended = true,
                                    .source = cases[i].from, .destination = cases[i].to}};
        const lm_shader shader = {STAGES(stages)};
        const lm_scene_material material = {
            .name = "made", .texture = LM_NO_TEXTURE, .shader = &shader};
        const lm_material_set skin = {.name = "made", .materials = &material};
        const lm_scene_part part = {.model = &wall.model, .num_skins = 1, .skins = &skin};
        const lm_scene scene = {.num_parts = 1, .parts = &part};
        lm_error error;
        OWNED(lm_gl_scene) *made = lm_gl_scene_new(world.gl, &scene, &error);
        begin_image(target, 0, 0, 0, 0);
        assert_true(made && lm_gl_scene_draw(made, &view, AT_REST, 1, NULL, &error) &&
                    lm_gl_target_read(target, drawn, &error));
        const uint8_t *pixel = pixel_at(SIDE / 2, SIDE / 2);
        if (fabs(pixel[3] - 255 * cases[i].alpha) > 1.1)
            fail_msg("case %zu: alpha %u", i, pixel[3]);
    }
}

TEST(test_alpha_tests) {
    static const struct {
        lm_alpha_test test;
        int alpha;
        bool shown;
    } cases[] = {{LM_TEST_NONE, 0, true},     {LM_TEST_GT0, 0, false},
                 {LM_TEST_GT0, 1, true},      {LM_TEST_LT128, 127, true},
                 {LM_TEST_LT128, 128, false}, {LM_TEST_GE128, 127, false},
                 {LM_TEST_GE128, 128, true},  {LM_TEST_GE128, 255, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const lm_stage stages[] = {
            {COLOR(1, 1, 1), ALPHA((float)cases[i].alpha / 255), .alpha_test = cases[i].test}};
        draw(&(lm_shader){STAGES(stages)}, 0);
        if (shows_wall() != cases[i].shown)
            fail_msg("test %u of alpha %d", (unsigned)cases[i].test, cases[i].alpha);
    }
}

/* ---- Colours ------------------------------------------------------------------------------- */

TEST(test_colors) {
    const lm_wave wave = {0.25f, 0.5f, 0, 1, LM_WAVE_TRIANGLE};
    const lm_stage white[] = {{.rgb_gen = LM_RGB_IDENTITY}}, fixed[] = {{COLOR(0.1f, 0.5f, 2)}},
                   moving[] = {{.rgb_gen = LM_RGB_WAVE, .rgb_wave = wave}},
                   lit[] = {{.rgb_gen = LM_RGB_LIGHTING_DIFFUSE}},
                   veil[] = {{COLOR(0, 0, 0)},
                             {.rgb_gen = LM_RGB_IDENTITY,
                              .alpha_gen = LM_ALPHA_GEN_WAVE,
                              .alpha_wave = wave,
                              .blended = true,
                              .source = LM_BLEND_SRC_ALPHA,
                              .destination = LM_BLEND_ONE_MINUS_SRC_ALPHA}};
    draw(&(lm_shader){STAGES(white)}, 0);
    expect_color("identity", 1, 1, 1);
    draw(&(lm_shader){STAGES(fixed)}, 0);
    expect_color("const", 0.1, 0.5, 1);
    draw(&(lm_shader){STAGES(moving)}, 0.125);
    expect_color("wave", 0.5, 0.5, 0.5);
    draw(&(lm_shader){STAGES(veil)}, 0.125);
    expect_color("wave of alpha", 0.5, 0.5, 0.5);
    draw(&(lm_shader){STAGES(lit)}, 0);
    assert_true(pixel_at(SIDE / 2, SIDE / 2)[0] < 250);
}

TEST(test_images_alternate) {
    const lm_stage stages[] = {
        {.num_images = 2, .images = of_two, .image_rate = 4, .rgb_gen = LM_RGB_IDENTITY}};
    for (int i = 0; i < 5; i++) {
        draw(&(lm_shader){STAGES(stages)}, i * 0.25 + 0.1);
        expect_color("animMap", i % 2 == 0, i % 2 == 1, 0);
    }
}

/* A stage with a missing image is left out if another stage shows something. */
TEST(test_missing_images) {
    const lm_stage added[] = {{COLOR(0.5f, 0.25f, 0)},
                              {.num_images = 1,
                               .images = of_none,
                               .rgb_gen = LM_RGB_IDENTITY,
                               .blended = true,
                               .source = LM_BLEND_ONE,
                               .destination = LM_BLEND_ONE}};
    const lm_stage alone[] = {{.num_images = 1, .images = of_none, .rgb_gen = LM_RGB_IDENTITY}};
    draw(&(lm_shader){STAGES(added)}, 0);
    expect_color("a missing second stage", 0.5, 0.25, 0);
    draw(&(lm_shader){STAGES(alone)}, 0);
    expect_color("a missing only stage", 1, 1, 1);
}

/* ---- Texture coordinates ------------------------------------------------------------------- */

/* Compares all pixels except those near a seam of the image. */
static void expect_coordinates(const char *what, lm_vec2 (*rule)(float s, float t)) {
    unsigned compared = 0;
    for (unsigned y = 2; y < SIDE; y += 5)
        for (unsigned x = 2; x < SIDE; x += 5) {
            lm_vec2 st = rule(((float)x + 0.5f) / SIDE, ((float)y + 0.5f) / SIDE);
            float s = st.x - floorf(st.x), t = st.y - floorf(st.y);
            const uint8_t *pixel = pixel_at(x, y);
            if (fminf(s, t) < 0.1f || fmaxf(s, t) > 0.9f)
                continue;
            compared++;
            if (fabsf(pixel[0] + 0.5f - s * 256) > 3 || fabsf(pixel[1] + 0.5f - t * 256) > 3)
                fail_msg("%s: at %u, %u texel %u, %u and not %.1f, %.1f", what, x, y, pixel[0],
                         pixel[1], (double)(s * 256), (double)(t * 256));
        }
    assert_true(compared > 20);
}

static lm_vec2 unmoved(float s, float t) {
    return (lm_vec2){s, t};
}
static lm_vec2 scrolled(float s, float t) {
    return (lm_vec2){s + 0.5f * 0.5f, t - 0.25f * 0.5f};
}
static lm_vec2 scaled(float s, float t) {
    return (lm_vec2){s * 0.5f, t * 2};
}
/* 60 degrees per second, half a second. */
static lm_vec2 rotated(float s, float t) {
    const float sine = -0.5f, cosine = 0.8660254f;
    float x = s - 0.5f, y = t - 0.5f;
    return (lm_vec2){x * cosine - y * sine + 0.5f, x * sine + y * cosine + 0.5f};
}
/* The wave is 0.5 + 0.5 * 0.5, that is 0.75. */
static lm_vec2 stretched(float s, float t) {
    return (lm_vec2){(s - 0.5f) / 0.75f + 0.5f, (t - 0.5f) / 0.75f + 0.5f};
}
static lm_vec2 transformed(float s, float t) {
    return (lm_vec2){s * 0.5f + t * 0.25f + 0.125f, s * -0.25f + t * 0.75f + 0.25f};
}
/* Computed at the corners. */
static lm_vec2 stirred(float s, float t) {
    float near = 0.2f * sinf(6.2831853f * (0.1f + 0.5f));
    float far = 0.2f * sinf(6.2831853f * (WALL / 1024.0f + 0.1f + 0.5f));
    return (lm_vec2){s + near * t + far * (1 - t), t + near * (1 - s) + far * s};
}
static lm_vec2 scrolled_then_scaled(float s, float t) {
    lm_vec2 st = scrolled(s, t);
    return scaled(st.x, st.y);
}

TEST(test_modifiers_of_coordinates) {
    const lm_tc_mod scroll = {.kind = LM_TC_MOD_SCROLL, .values = {0.5f, -0.25f}},
                    scale = {.kind = LM_TC_MOD_SCALE, .values = {0.5f, 2}},
                    rotate = {.kind = LM_TC_MOD_ROTATE, .values = {60}},
                    stretch = {.kind = LM_TC_MOD_STRETCH,
                               .wave = {0.5f, 0.5f, 0, 1, LM_WAVE_SAWTOOTH}},
                    transform = {.kind = LM_TC_MOD_TRANSFORM,
                                 .values = {0.5f, -0.25f, 0.25f, 0.75f, 0.125f, 0.25f}},
                    turb = {.kind = LM_TC_MOD_TURB, .wave = {0, 0.2f, 0.1f, 1, LM_WAVE_SIN}};
    const struct {
        const char *name;
        uint32_t count;
        lm_tc_mod mods[2];
        lm_vec2 (*rule)(float s, float t);
    } cases[] = {{"none", 0, {{.kind = LM_TC_MOD_SCROLL}}, unmoved},
                 {"scroll", 1, {scroll}, scrolled},
                 {"scale", 1, {scale}, scaled},
                 {"rotate", 1, {rotate}, rotated},
                 {"stretch", 1, {stretch}, stretched},
                 {"transform", 1, {transform}, transformed},
                 {"turb", 1, {turb}, stirred},
                 {"scroll, scale", 2, {scroll, scale}, scrolled_then_scaled}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const lm_stage stages[] = {
            {SHOWN, .num_tc_mods = cases[i].count, .tc_mods = cases[i].mods}};
        draw(&(lm_shader){STAGES(stages)}, 0.5);
        expect_coordinates(cases[i].name, cases[i].rule);
    }
}

/* Along the ray from the wall to the eye and back. */
static lm_vec2 reflected(float s, float t) {
    const lm_gl_camera camera = camera_at(0);
    const float x = camera.distance, y = WALL * (0.5f - s), z = WALL * (t - 0.5f);
    float length = sqrtf(x * x + y * y + z * z);
    /* The normal is +x: a ray from one side is reflected to the other. */
    return (lm_vec2){0.5f - y / length / 2, 0.5f + z / length / 2};
}
static lm_vec2 of_vectors(float s, float t) {
    return (lm_vec2){s * WALL * 0.004f, (1 - t) * WALL * 0.003f};
}

TEST(test_generators_of_coordinates) {
    const lm_stage mirror[] = {{SHOWN, .tc_gen = LM_TC_GEN_ENVIRONMENT}},
                   vector[] = {{SHOWN, .tc_gen = LM_TC_GEN_VECTOR,
                                .tc_vectors = {{0, 0.004f, 0}, {0, 0, 0.003f}}}};
    draw(&(lm_shader){STAGES(mirror)}, 0);
    expect_coordinates("environment", reflected);
    draw(&(lm_shader){STAGES(vector)}, 0);
    expect_coordinates("vector", of_vectors);
}

/* Other normals reflect other directions; the wall does not move. */
TEST(test_deformed_normals) {
    static uint8_t still[sizeof drawn];
    const lm_stage mirror[] = {{SHOWN, .tc_gen = LM_TC_GEN_ENVIRONMENT}};
    const lm_deform shakes = {.kind = LM_DEFORM_NORMAL, .values = {0.5f, 1}};
    unsigned others = 0;
    draw(&(lm_shader){STAGES(mirror)}, 0.4);
    memcpy(still, drawn, sizeof still);
    draw(&(lm_shader){.num_deforms = 1, .deforms = &shakes, STAGES(mirror)}, 0.4);
    for (size_t i = 0; i < sizeof drawn; i += 4) {
        others += abs(drawn[i] - still[i]) > 4 || abs(drawn[i + 1] - still[i + 1]) > 4;
        assert_int_equal(drawn[i + 2], still[i + 2]);
    }
    assert_true(others > SIDE * SIDE / 2);
}

TEST(test_clamping) {
    const lm_tc_mod far = {.kind = LM_TC_MOD_TRANSFORM, .values = {1, 0, 0, 1, 1, 1}};
    const lm_stage repeats[] = {{SHOWN, .num_tc_mods = 1, .tc_mods = &far}},
                   clamps[] = {{SHOWN, .clamp = true, .num_tc_mods = 1, .tc_mods = &far}};
    draw(&(lm_shader){STAGES(repeats)}, 0);
    expect_coordinates("map", unmoved);
    draw(&(lm_shader){STAGES(clamps)}, 0);
    expect_color("clampmap", 1, 1, 0.5);
    draw(&(lm_shader){STAGES(repeats)}, 0);
    expect_coordinates("map after clampmap", unmoved);
}

/* ---- Surfaces ------------------------------------------------------------------------------ */

TEST(test_sides) {
    const lm_stage stages[] = {{COLOR(1, 1, 1)}};
    for (int back = 0; back < 2; back++)
        for (unsigned sides = LM_SIDES_FRONT; sides <= LM_SIDES_BOTH; sides++) {
            const lm_shader shader = {.sides = (lm_sides)sides, STAGES(stages)};
            draw_walls(&shader, 1, back ? 180 : 0, 0);
            bool seen = sides == LM_SIDES_BOTH || (sides == LM_SIDES_BACK) == back;
            if (shows_wall() != seen)
                fail_msg("sides %u from %s", sides, back ? "behind" : "before");
        }
    /* Shading modes without skins draw no stages, but show the same sides, or both. */
    shade = LM_GL_SHADE_NORMALS;
    draw_walls(&(lm_shader){.sides = LM_SIDES_BOTH, STAGES(stages)}, 1, 180, 0);
    assert_true(shows_wall());
    draw_walls(&(lm_shader){STAGES(stages)}, 1, 180, 0);
    assert_false(shows_wall());
    shade = LM_GL_SHADE_STUDIO;
}

TEST(test_hidden) {
    const lm_stage stages[] = {{COLOR(1, 1, 1)}};
    draw(&(lm_shader){.hidden = true, STAGES(stages)}, 0);
    assert_false(shows_wall());
    draw(&(lm_shader){.nodraw = true, .trans = true, STAGES(stages)}, 0);
    assert_true(shows_wall());
}

/* If two walls are at one position, the later hides the earlier, unless that is offset nearer. */
TEST(test_order_and_offset) {
    const lm_stage reds[] = {{COLOR(1, 0, 0)}}, greens[] = {{COLOR(0, 1, 0)}},
                   adds[] = {{COLOR(0, 0.5f, 0), .blended = true, .keeps_depth = true,
                              .source = LM_BLEND_ONE, .destination = LM_BLEND_ONE}};
    const struct {
        const char *name;
        lm_shader shaders[2];
        lm_vec3 expected;
    } cases[] = {
        {"as they come", {{STAGES(reds)}, {STAGES(greens)}}, {0, 1, 0}},
        {"sort", {{.sort = LM_SORT_NEAREST, STAGES(reds)}, {STAGES(greens)}}, {1, 0, 0}},
        {"blended", {{STAGES(adds)}, {STAGES(reds)}}, {1, 0.5f, 0}},
        {"an early blended one", {{.sort = 1, STAGES(adds)}, {STAGES(reds)}}, {1, 0, 0}},
        {"a decal", {{.polygon_offset = true, STAGES(reds)}, {STAGES(greens)}}, {1, 0, 0}},
        {"a blended decal", {{.polygon_offset = true, STAGES(adds)}, {STAGES(reds)}}, {1, 0.5f, 0}},
        {"a decal below what is blended",
         {{.sort = 6, STAGES(reds)}, {.polygon_offset = true, STAGES(greens)}},
         {0, 1, 0}},
        {"an early decal",
         {{.polygon_offset = true, .sort = 1, STAGES(reds)}, {STAGES(greens)}},
         {1, 0, 0}},
        {"a late one", {{STAGES(reds)}, {.sort = 1, STAGES(greens)}}, {1, 0, 0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        draw_walls(cases[i].shaders, 2, 0, 0);
        const lm_vec3 *c = &cases[i].expected;
        expect_color(cases[i].name, (double)c->x, (double)c->y, (double)c->z);
    }
    float factor, units; /* the games' own values (r_offsetFactor, r_offsetUnits) */
    glGetFloatv(GL_POLYGON_OFFSET_FACTOR, &factor);
    glGetFloatv(GL_POLYGON_OFFSET_UNITS, &units);
    assert_true(factor >= -1 && factor <= -1 && units >= -2 && units <= -2);
}

/* Surfaces that write no depth hide nothing; those drawn at equal depth need an earlier one. */
TEST(test_depth) {
    const lm_stage writes[] = {{COLOR(1, 0, 0)}},
                   equals[] = {{COLOR(0, 1, 0), .depth_equal = true}},
                   keeps[] = {{COLOR(1, 0, 0), .keeps_depth = true}};
    const lm_shader met[2] = {{STAGES(writes)}, {STAGES(equals)}},
                    missed[2] = {{STAGES(keeps)}, {STAGES(equals)}};
    draw_walls(met, 2, 0, 0);
    expect_color("at the depth of another", 0, 1, 0);
    draw_walls(missed, 2, 0, 0);
    expect_color("where there is no depth", 1, 0, 0);
}

/* ---- Fitting ------------------------------------------------------------------------------- */

/* Finds left, top, right and bottom of the drawn pixels. Returns false if there are none. */
static bool find_extent(unsigned box[4]) {
    box[0] = box[1] = SIDE;
    box[2] = box[3] = 0;
    for (unsigned y = 0; y < SIDE; y++)
        for (unsigned x = 0; x < SIDE; x++)
            if (pixel_at(x, y)[0] > 0) {
                box[0] = x < box[0] ? x : box[0];
                box[1] = y < box[1] ? y : box[1];
                box[2] = x + 1 > box[2] ? x + 1 : box[2];
                box[3] = y + 1 > box[3] ? y + 1 : box[3];
            }
    return box[2] > 0;
}

/* A camera fitted to the drawn pixels shows all of them, and little else. */
TEST(test_fit_includes_all_drawn_vertices) {
    const lm_stage stages[] = {{COLOR(1, 1, 1)}};
    const lm_deform faces = {.kind = LM_DEFORM_AUTOSPRITE}, leans = {.kind = LM_DEFORM_AUTOSPRITE2},
                    moves = {.kind = LM_DEFORM_MOVE,
                             .values = {-300, 500, 100},
                             .wave = {0, 1, 0, 1, LM_WAVE_SAWTOOTH}},
                    bulges = {.kind = LM_DEFORM_BULGE, .values = {1, 300, 1}};
    const lm_deform *const deforms[] = {&faces, &leans, &moves, &bulges};
    for (size_t i = 0; i < 4; i++)
        for (int around = 0; around < 2; around++) {
            const lm_shader shader = {
                .sides = LM_SIDES_BOTH, .num_deforms = 1, .deforms = deforms[i], STAGES(stages)};
            const lm_scene_material material = {
                .name = "made", .texture = LM_NO_TEXTURE, .shader = &shader};
            const lm_material_set skin = {.name = "made", .materials = &material};
            const lm_scene_part part = {.model = &wall.model, .num_skins = 1, .skins = &skin};
            const lm_scene scene = {.num_parts = 1, .parts = &part};
            const lm_gl_scene_instance instance = {.seconds = 0.6};
            lm_gl_camera camera = {
                .azimuth = 150, .elevation = 20, .zoom = 0.95f, .orbits = around == 1};
            lm_error error;
            lm_gl_scene *made = lm_gl_scene_new(world.gl, &scene, &error);
            assert_non_null(made);
            assert_true(lm_gl_scene_fit(made, &instance, 1, NULL, &camera, NULL, &error));
            lm_gl_scene_free(made);
            unsigned box[4], most = 0;
            for (int turn = 0; turn < (around ? 8 : 1); turn++) {
                camera.azimuth += 45 * (float)around;
                draw_scene(&scene, &camera, 0.6);
                if (!find_extent(box) || box[0] == 0 || box[1] == 0 || box[2] == SIDE ||
                    box[3] == SIDE)
                    fail_msg("deform %zu is cut off", i);
                most = box[2] - box[0] > most ? box[2] - box[0] : most;
                most = box[3] - box[1] > most ? box[3] - box[1] : most;
            }
            if (!around && most < SIDE * 0.8)
                fail_msg("deform %zu fills %u of %u", i, most, SIDE);
        }
}

/* Draws a square that faces up, and its shadow 30 units below. */
static void draw_shadow(const lm_deform *deform, float y) {
    const lm_stage stages[] = {{COLOR(1, 1, 1)}};
    const lm_shader shader = {
        .sides = LM_SIDES_BOTH, .num_deforms = deform != NULL, .deforms = deform, STAGES(stages)};
    const lm_scene_material material = {
        .name = "made", .texture = LM_NO_TEXTURE, .shader = &shader};
    const lm_material_set skin = {.name = "made", .materials = &material};
    const lm_scene_part part = {.model = &wall.model, .num_skins = 1, .skins = &skin};
    const lm_scene scene = {.num_parts = 1, .parts = &part};
    const lm_gl_box extent = {.any = true, .min = {0, 0, -30}};
    const lm_gl_render_options options = {.show = LM_GL_SHOW_SHADOW, .extent = &extent};
    lm_gl_camera camera = {.azimuth = 50, .elevation = 40};
    lm_error error;
    lm_gl_view view;
    lm_gl_camera_fit(&camera, &(lm_vec3){-50, -50, -30}, &(lm_vec3){250, 250, 0});
    camera.target.y += y;
    lm_gl_camera_view(&camera, &view);
    OWNED(lm_gl_scene) *made = lm_gl_scene_new(world.gl, &scene, &error);
    begin_image(target, 0.8f, 0.8f, 0.8f, 1);
    assert_true(made && lm_gl_scene_draw(made, &view, AT_REST, 1, &options, &error) &&
                lm_gl_target_read(target, drawn, &error));
}

/* The shadow of a deformed surface lies below its drawn position. */
TEST(test_shadow_follows) {
    static uint8_t there[4 * SIDE * SIDE];
    const lm_deform moves = {
        .kind = LM_DEFORM_MOVE, .values = {0, 300, 0}, .wave = {1, 0, 0, 0, LM_WAVE_SAWTOOTH}};
    unsigned dark = 0;
    for (size_t v = 0; v < 8; v++) {
        uint8_t *key = wall.keys + 4 * v;
        key[0] = key[2]; /* made horizontal */
        key[2] = 0;
    }
    draw_shadow(NULL, 0);
    memcpy(there, drawn, sizeof there);
    draw_shadow(&moves, 300);
    for (size_t k = 0; k < sizeof drawn; k++) {
        dark += drawn[k] < 190;
        if (abs(drawn[k] - there[k]) > 12)
            fail_msg("byte %zu: %u and %u", k, drawn[k], there[k]);
    }
    assert_true(dark > 300);
}

/* ---- All of it ----------------------------------------------------------------------------- */

static int open_wall(void **state) {
    lm_error error = {0};
    open_world(state);
    for (size_t i = 0; i < (size_t)TEXTURE_SIDE * TEXTURE_SIDE; i++) {
        const uint8_t texel[4] = {(uint8_t)(i % TEXTURE_SIDE), (uint8_t)(i / TEXTURE_SIDE), 128,
                                  255};
        memcpy(places + 4 * i, texel, 4);
    }
    make_wall(&wall);
    target = lm_gl_target_new(world.gl, SIDE, SIDE, 1, &error);
    return target ? 0 : -1;
}

static int close_wall(void **state) {
    lm_gl_target_free(target);
    free_model(&wall);
    return close_world(state);
}

TEST_GROUP(open_wall, close_wall)
