/* Compares images of our samples with those in tests/pictures, one line per case.
 *
 *     test_gl_images        compares
 *     test_gl_images write  draws them again: look at them before you commit them
 *
 * A differing image is written to the build's folder `images`, with its difference. */

#include "gl_support.h"
#include "lerpmesh/files.h"
#include "math/vectors.h"

#include <sys/stat.h>

#define SIDE REFERENCE_SIDE
#define PIXELS REFERENCE_PIXELS
#define THRESHOLD REFERENCE_THRESHOLD

static const char knight[] = "samples/tick.md2", head[] = "samples/tick_head.mdc";

typedef enum scene {
    NOTHING,
    SCENERY,   /* box, grid, axes, tags */
    STUDIO,    /* a background and a shadow */
    INSTANCES, /* nine, each in another pose */
    HOLES,     /* a texture with transparent squares */
    GLASS      /* a half transparent texture, blended; two-sided */
} scene;

typedef struct image_case {
    const char *name, *model;
    double frame;
    float azimuth, elevation;
    lm_gl_shade shade;
    lm_topology topology;
    bool bare; /* without a texture */
    scene extra;
} image_case;

static const image_case cases[] = {
    {"knight-front", knight, 0, 0, 0, LM_GL_SHADE_STUDIO, 0, false, NOTHING},
    {"knight-side", knight, 14.5, 90, 0, LM_GL_SHADE_STUDIO, 0, false, NOTHING},
    {"knight-top", knight, 0, 0, 90, LM_GL_SHADE_STUDIO, 0, false, NOTHING},
    {"knight-commands", knight, 24, 30, 20, LM_GL_SHADE_STUDIO, LM_TOPOLOGY_GL_COMMANDS, false,
     NOTHING},
    {"knight-texture", knight, 33, 0, 0, LM_GL_SHADE_TEXTURE, 0, false, NOTHING},
    {"knight-normals", knight, 41.25, 0, 0, LM_GL_SHADE_NORMALS, 0, false, NOTHING},
    {"knight-wire", knight, 0, 45, 30, LM_GL_SHADE_WIRE, 0, false, NOTHING},
    {"knight-uv", knight, 0, 0, 0, LM_GL_SHADE_UV, 0, false, NOTHING},
    {"knight-bare", knight, 0, 0, 0, LM_GL_SHADE_STUDIO, 0, true, NOTHING},
    {"knight-holes", knight, 0, 180, 0, LM_GL_SHADE_STUDIO, 0, false, HOLES},
    {"knight-glass", knight, 0, 20, 10, LM_GL_SHADE_STUDIO, 0, false, GLASS},
    {"knight-crowd", knight, 0, 20, 25, LM_GL_SHADE_STUDIO, LM_TOPOLOGY_GL_COMMANDS, false,
     INSTANCES},
    {"knight-engine", knight, 0, 30, 20, LM_GL_SHADE_ENGINE, 0, false, NOTHING},
    {"knight-studio", knight, 0, 40, 40, LM_GL_SHADE_STUDIO, 0, false, STUDIO},
    {"head-engine", head, 0, 45, 30, LM_GL_SHADE_ENGINE, 0, false, NOTHING},
    {"head-iso", head, 0, 45, 30, LM_GL_SHADE_STUDIO, 0, false, NOTHING},
    {"head-scenery", head, 17.5, -40, 20, LM_GL_SHADE_STUDIO, 0, false, SCENERY},
    {"head-crowd", head, 0, 0, 20, LM_GL_SHADE_NORMALS, 0, true, INSTANCES},
};
#define NUM_CASES (sizeof cases / sizeof *cases)

static lm_gl_target *target;
static bool writing;

/* ---- Drawing ------------------------------------------------------------------------------- */

static lm_gl_texture *make_texture(scene extra) {
    lm_error error = {0};
    AT_END(lm_buffer_free) lm_buffer file = {0};
    assert_done(lm_file_read(source_path("samples/tick.pcx"), 0, &file, &error), error);
    OWNED(lm_image) *image = lm_image_read(file.data, file.size, NULL, &error);
    assert_done(image, error);
    if (!image)
        abort();
    AT_END(drop_bytes) uint8_t *pixels = malloc((size_t)image->width * image->height * 4);
    assert_non_null(pixels);
    memcpy(pixels, image->pixels, (size_t)image->width * image->height * 4);
    for (size_t i = 0; i < (size_t)image->width * image->height; i++) {
        bool hole = (i % image->width / 8 + i / image->width / 8) % 2 == 1;
        if (extra == HOLES)
            pixels[4 * i + 3] = hole ? 0 : 255;
        if (extra == GLASS)
            pixels[4 * i + 3] = 128;
    }
    lm_gl_image picture = {.width = image->width, .height = image->height, .pixels = pixels};
    lm_gl_texture *texture = lm_gl_texture_new(world.gl, &picture, LM_GL_FILTER_SMOOTH, &error);
    assert_done(texture, error);
    return texture;
}

static bool draw_nine(lm_gl_model *drawn, const lm_model *model, const lm_gl_view *view,
                      const lm_gl_style *style, float step, lm_error *error) {
    lm_gl_instance nine[9];
    lm_transform places[9];
    for (int i = 0; i < 9; i++) {
        uint32_t frame = (uint32_t)(i * 5) % model->num_frames;
        float angle = (float)(i - 4) * 0.2f;
        int row = i / 3 - 1, column = i % 3 - 1;
        places[i] = (lm_transform){
            {(float)row * step, (float)column * step, 0},
            {{cosf(angle), sinf(angle), 0}, {-sinf(angle), cosf(angle), 0}, {0, 0, 1}}};
        nine[i] = (lm_gl_instance){.transform = &places[i],
                                   .pose = {frame, (frame + 1) % model->num_frames, 0.5f}};
    }
    return lm_gl_draw(drawn, view, nine, 9, style, error);
}

static bool draw_scenery(lm_gl_model *drawn, const lm_model *model, const lm_gl_view *view,
                         lm_pose pose, lm_vec3 min, lm_vec3 max, lm_error *error) {
    lm_vec3 ground = {(min.x + max.x) / 2, (min.y + max.y) / 2, min.z};
    return lmi_gl_draw_box(world.gl, view, NULL, &min, &max, error) &&
           lmi_gl_draw_grid(world.gl, view, &ground, max.z - min.z, error) &&
           lmi_gl_draw_axes(world.gl, view, NULL, 10, error) &&
           lmi_gl_draw_tags(drawn, view, AT_ORIGIN(pose), 5, error);
}

static bool shadow = true;

/* Draws a scene with that model alone, slightly above the ground. */
static bool draw_studio(const lm_model *model, const lm_gl_view *view, const lm_pose *pose,
                        float ground, lm_error *error) {
    const lm_scene_part part = {.model = model};
    const lm_scene alone = {.num_parts = 1, .parts = &part};
    const lm_gl_box extent = {.any = true, .min = {0, 0, ground}};
    const lm_gl_render_options options = {.show = shadow ? LM_GL_SHOW_SHADOW : 0u,
                                          .extent = &extent};
    const lm_gl_scene_instance instance = {.poses = pose};
    OWNED(lm_gl_scene) *drawn = lm_gl_scene_new(world.gl, &alone, error);
    bool ok = drawn && lm_gl_scene_draw(drawn, view, &instance, 1, &options, error);
    return ok;
}

static bool draw_on_target(const image_case *c, lm_gl_model *drawn, const lm_model *model,
                           const lm_gl_texture *texture, lm_error *error) {
    const lm_gl_background background = {.color = {0.18f, 0.2f, 0.22f, 1},
                                         .gradient = c->extra == STUDIO,
                                         .middle = {150, 155, 160},
                                         .edge = {90, 95, 100}};
    const lm_gl_style style = {
        .shade = c->shade, .texture = texture, .two_sided = c->extra == GLASS};
    lm_gl_camera camera = {.azimuth = c->azimuth, .elevation = c->elevation};
    lm_pose pose;
    lm_model_pose_at(model, c->frame, &pose);
    lm_vec3 min, max;
    assert_int_equal(lm_model_bounds(model, 0, model->num_frames, &min, &max), LM_CODE_OK);
    float step = max.y - min.y;
    if (c->extra == INSTANCES)
        lm_gl_camera_fit(&camera, &(lm_vec3){min.x - step, min.y - step, min.z},
                         &(lm_vec3){max.x + step, max.y + step, max.z});
    else
        lm_gl_camera_fit(&camera, &min, &max);
    lm_gl_view view;
    lm_gl_camera_view(&camera, &view);
    assert_true(lm_gl_begin(world.gl, target, 0, 0, &background, error));
    if (c->extra == INSTANCES)
        return draw_nine(drawn, model, &view, &style, step, error);
    if (c->extra == STUDIO)
        return draw_studio(model, &view, &pose, min.z, error);
    return lm_gl_draw(drawn, &view, AT_ORIGIN(pose), 1, &style, error) &&
           (c->extra != SCENERY || draw_scenery(drawn, model, &view, pose, min, max, error));
}

/* Draws a case into `pixels` [4 * PIXELS]. */
static void draw_case(const image_case *c, uint8_t *pixels) {
    lm_error error = {0};
    OWNED(lm_model) *model = load(source_path(c->model), c->topology, 0);
    OWNED(lm_gl_model) *drawn = lm_gl_model_new(world.gl, model, &error);
    OWNED(lm_gl_texture) *texture = c->bare ? NULL : make_texture(c->extra);
    if (!drawn || !draw_on_target(c, drawn, model, texture, &error) ||
        !lm_gl_target_read(target, pixels, &error))
        fail_msg("%s: %s", c->name, error.message);
    expect_quiet();
}

/* ---- Comparison ---------------------------------------------------------------------------- */

static int open_images(void **state) {
    lm_error error = {0};
    open_world(state);
    target = lm_gl_target_new(world.gl, SIDE, SIDE, 4, &error);
    assert_done(target, error);
    return 0;
}

static int close_images(void **state) {
    lm_gl_target_free(target);
    return close_world(state);
}

TEST(test_images) {
    static uint8_t drawn[4 * PIXELS];
    unsigned num_failed = 0;
    for (size_t i = 0; i < NUM_CASES; i++) {
        draw_case(&cases[i], drawn);
        num_failed += !equals_reference(cases[i].name, drawn, writing);
    }
    assert_int_equal(num_failed, 0);
}

/* ---- Properties ---------------------------------------------------------------------------- */

/* If the knight were symmetric, the images above would not reveal a mirrored one. */
TEST(test_mirrored_knight_differs) {
    static uint8_t drawn[4 * PIXELS], mirrored[4 * PIXELS];
    draw_case(&cases[0], drawn);
    for (size_t y = 0; y < SIDE; y++)
        for (size_t x = 0; x < SIDE; x++)
            memcpy(mirrored + 4 * (y * SIDE + x), drawn + 4 * (y * SIDE + SIDE - 1 - x), 4);
    assert_true(mean_error(drawn, mirrored) > 2 * THRESHOLD);
}

static bool is_white(const uint8_t *pixel) {
    return pixel[0] > 170 && pixel[1] > 170 && pixel[2] > 150;
}

/* The upper half of a 2 is open on the left and closed on the right, as read. */
TEST(test_chest_reads_two) {
    static uint8_t front[4 * PIXELS], back[4 * PIXELS];
    image_case c = cases[0];
    unsigned left = 0, right = 0, behind = 0;
    c.shade = LM_GL_SHADE_TEXTURE;
    draw_case(&c, front);
    c.azimuth = 180;
    draw_case(&c, back);
    for (size_t y = 144; y < 150; y++)
        for (size_t x = 116; x < 148; x++) {
            bool white = is_white(front + 4 * (y * SIDE + x));
            left += white && x < 130;
            right += white && x >= 130;
            behind += is_white(back + 4 * (y * SIDE + x));
        }
    printf("white pixels of the 2: %u left, %u right, %u on the back\n", left, right, behind);
    assert_true(right > 10 && right > 2 * left);
    assert_int_equal(behind, 0);
}

/* GL commands draw the same triangles, with texture coordinates half a texel apart. */
TEST(test_commands_agree_with_triangles) {
    static uint8_t triangles[4 * PIXELS], commands[4 * PIXELS];
    const lm_gl_shade shades[] = {LM_GL_SHADE_NORMALS, LM_GL_SHADE_TEXTURE};
    for (int i = 0; i < 2; i++) {
        image_case c = {"both", knight, 20.5, 30, 20, shades[i], 0, false, NOTHING};
        draw_case(&c, triangles);
        c.topology = LM_TOPOLOGY_GL_COMMANDS;
        draw_case(&c, commands);
        double error = mean_error(triangles, commands);
        printf("commands and triangles, %s: %.4f\n", i ? "texture" : "normals", error);
        assert_true(error < (i ? 2.0 : 0.02));
    }
}

/* An instance looks the same alone and among many. */
TEST(test_single_instance) {
    static uint8_t alone[4 * PIXELS], instanced[4 * PIXELS];
    const char *const paths[] = {knight, head};
    for (int i = 0; i < 4; i++) {
        lm_error error = {0};
        OWNED(lm_model) *model =
            load(source_path(paths[i / 2]), i % 2 ? LM_TOPOLOGY_GL_COMMANDS : 0, 0);
        OWNED(lm_gl_model) *drawn = lm_gl_model_new(world.gl, model, &error);
        assert_non_null(drawn);
        lm_gl_camera camera = {.azimuth = 30};
        lm_vec3 min, max;
        assert_int_equal(lm_model_bounds(model, 0, model->num_frames, &min, &max), LM_CODE_OK);
        const lm_gl_view view = fitted_view(&camera, min, max);
        static const lm_transform away = {{1e6f, 0, 0}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
        lm_gl_instance two[2] = {{.weight = 0}, {.transform = &away}};
        lm_model_pose_at(model, 17.25, &two[0].pose);
        begin_image(target, 0, 0, 0, 1);
        assert_true(lm_gl_draw(drawn, &view, two, 1, NULL, &error));
        assert_true(lm_gl_target_read(target, alone, &error));
        begin_image(target, 0, 0, 0, 1);
        assert_true(lm_gl_draw(drawn, &view, two, 2, NULL, &error));
        assert_true(lm_gl_target_read(target, instanced, &error));
        assert_true(mean_error(alone, instanced) < 0.02);
    }
    expect_quiet();
}

/* ---- Light --------------------------------------------------------------------------------- */

static double mean_light(const uint8_t *pixels) {
    double sum = 0;
    for (size_t i = 0; i < PIXELS; i++)
        sum += pixels[4 * i] + pixels[4 * i + 1] + pixels[4 * i + 2];
    return sum / (3 * (double)PIXELS);
}

/* Draws the head on black, with or without all of its normals reversed. */
static void draw_head(lm_gl_shade shade, bool inward, uint8_t *pixels) {
    lm_error error = {0};
    OWNED(lm_model) *model = load(source_path(head), 0, 0);
    lm_surface surface = model->surfaces[0];
    lm_model turned = *model;
    size_t size = surface.num_keys * surface.key_stride;
    AT_END(drop_bytes) uint8_t *keys = malloc(size);
    assert_non_null(keys);
    memcpy(keys, surface.keys, size);
    /* The opposite direction: rho from the other pole, half a turn of sigma. */
    for (size_t i = 0; inward && i + 8 <= size; i += 8) {
        keys[i + 6] = (uint8_t)(128 - keys[i + 6]);
        keys[i + 7] = (uint8_t)(keys[i + 7] + 128);
    }
    surface.keys = keys;
    surface.frame_deltas = NULL;
    turned.surfaces = &surface;
    turned.num_surfaces = 1;
    OWNED(lm_gl_model) *drawn = lm_gl_model_new(world.gl, &turned, &error);
    const lm_gl_style style = {.shade = shade};
    lm_gl_camera camera = {.azimuth = 30, .elevation = 10};
    lm_vec3 min, max;
    assert_int_equal(lm_model_bounds(model, 0, 1, &min, &max), LM_CODE_OK);
    const lm_gl_view view = fitted_view(&camera, min, max);
    begin_image(target, 0, 0, 0, 1);
    if (!drawn || !lm_gl_draw(drawn, &view, AT_ORIGIN({0, 0, 0}), 1, &style, &error) ||
        !lm_gl_target_read(target, pixels, &error))
        fail_msg("%s", error.message);
}

/* A shadow only darkens, and a considerable part of the ground. */
TEST(test_shadow) {
    static uint8_t with[4 * PIXELS], without[4 * PIXELS];
    const image_case c = {"shadow", knight, 0, 40, 40, LM_GL_SHADE_STUDIO, 0, false, STUDIO};
    unsigned darker = 0;
    draw_case(&c, with);
    shadow = false;
    draw_case(&c, without);
    shadow = true;
    for (size_t i = 0; i < 4 * PIXELS; i++) {
        assert_true(with[i] <= without[i]);
        darker += with[i] + 20 < without[i];
    }
    printf("%u pixels lie in the shadow\n", darker / 3);
    assert_true(darker / 3 > 500);
}

/* Normals that point inward do not darken the studio; engines light by the stored normals. */
TEST(test_inward_normals) {
    static uint8_t right[4 * PIXELS], inward[4 * PIXELS];
    draw_head(LM_GL_SHADE_STUDIO, false, right);
    draw_head(LM_GL_SHADE_STUDIO, true, inward);
    printf("studio: %.2f apart\n", mean_error(right, inward));
    assert_true(mean_error(right, inward) < 1 && mean_light(right) > 20);
    draw_head(LM_GL_SHADE_ENGINE, false, right);
    draw_head(LM_GL_SHADE_ENGINE, true, inward);
    assert_true(mean_error(right, inward) > 4);
}

/* Returns a style's lighting of a single-coloured texture on a wall that faces `normal`. The
 * normals of 162 are not blended, so that a triangle with one normal has one light. */
static void light_wall(lm_gl_style style, lm_vec3 normal, const uint8_t texel[4], uint8_t rgb[3]) {
    static uint8_t drawn[4 * PIXELS];
    static const uint8_t corners[3][3] = {{100, 0, 0}, {100, 0, 200}, {100, 200, 0}};
    lm_error error = {0};
    AT_END(free_model) handmade h;
    make_model(&h, 3, 1);
    for (size_t v = 0; v < 6; v++) {
        memcpy(h.keys + 4 * v, corners[v % 3], 3);
        h.keys[4 * v + 3] = lmi_nearest_normal_162(&normal);
    }
    for (uint32_t v = 0; v < 3; v++)
        h.triangles[v] = v;
    OWNED(lm_gl_model) *model = lm_gl_model_new(world.gl, &h.model, &error);
    OWNED(lm_gl_texture) *texture =
        lm_gl_texture_new(world.gl, &(lm_gl_image){.width = 1, .height = 1, .pixels = texel},
                          LM_GL_FILTER_SMOOTH, &error);
    style.texture = texture;
    style.two_sided = true;
    lm_gl_camera camera = {0};
    const lm_gl_view view = fitted_view(&camera, (lm_vec3){100, 0, 0}, (lm_vec3){100, 200, 200});
    begin_image(target, 0, 0, 0, 1);
    assert_true(model && texture);
    assert_true(lm_gl_draw(model, &view, AT_ORIGIN({0, 0, 0}), 1, &style, &error));
    assert_true(lm_gl_target_read(target, drawn, &error));
    memcpy(rgb, drawn + 4 * ((size_t)SIDE * 180 + 70), 3);
    expect_quiet();
}

/* Quake II in half of its maximal light: D is 1 towards the light and 0.35 on the far side. The
 * skin is twice as bright, and compressed to white, which keeps its hue. Quake's light is 96 of
 * 200, its skin unchanged. The others add directed light to ambient light: Quake III 150 to 182 of
 * 255, RtCW 150 to 150, ET (255, 232, 224) to (64, 64, 96). */
static const struct engine_light {
    lm_engine engine;
    double toward[3], everywhere[3], from_there[3], away, gain;
} lights[] = {
    {LM_ENGINE_QUAKE2, {0.7071, 0, 0.7071}, {0.5, 0.5, 0.5}, {0.5, 0.5, 0.5}, 0.3, 2},
    {LM_ENGINE_ANY, {0.7071, 0, 0.7071}, {0.5, 0.5, 0.5}, {0.5, 0.5, 0.5}, 0.3, 2}, /* an MD2's
                                                                                     */
    {LM_ENGINE_QUAKE, {0.7071, 0, 0.7071}, {0.48, 0.48, 0.48}, {0.48, 0.48, 0.48}, 0.3, 1},
    {LM_ENGINE_GLQUAKE, {0.7071, 0, 0.7071}, {0.48, 0.48, 0.48}, {0.48, 0.48, 0.48}, 0.3, 1},
    {LM_ENGINE_QUAKE3,
     {0.4286, 0.2857, 0.8571},
     {0.7137, 0.7137, 0.7137},
     {0.5882, 0.5882, 0.5882},
     0,
     1},
    {LM_ENGINE_RTCW,
     {0.4286, 0.2857, 0.8571},
     {0.5882, 0.5882, 0.5882},
     {0.5882, 0.5882, 0.5882},
     0,
     1},
    {LM_ENGINE_RTCW_SP,
     {0.4286, 0.2857, 0.8571},
     {0.5882, 0.5882, 0.5882},
     {0.5882, 0.5882, 0.5882},
     0,
     1},
    {LM_ENGINE_ET, {-0.5298, 0.5298, 0.6623}, {0.2510, 0.2510, 0.3765}, {1, 0.9098, 0.8784}, 0, 1},
};

TEST(test_engine_light) {
    for (size_t i = 0; i < sizeof lights / sizeof *lights; i++)
        for (int side = 0; side < 12; side++) {
            const double sign = side % 2 ? -1 : 1;
            const lm_vec3 normal = {side / 4 == 0 ? (float)sign : 0,
                                    side / 4 == 1 ? (float)sign : 0,
                                    side / 4 == 2 ? (float)sign : 0};
            static const uint8_t texels[2][4] = {{100, 100, 100, 255}, {240, 140, 60, 255}};
            const uint8_t *texel = texels[side % 4 / 2];
            const double cosine = sign * lights[i].toward[side / 4], gain = lights[i].gain;
            double product[3], most = 0;
            uint8_t rgb[3];
            light_wall((lm_gl_style){.shade = LM_GL_SHADE_ENGINE, .engine = lights[i].engine},
                       normal, texel, rgb);
            for (int c = 0; c < 3; c++) {
                const double light =
                    lights[i].everywhere[c] +
                    lights[i].from_there[c] * cosine * (cosine < 0 ? lights[i].away : 1);
                product[c] = fmin(light, 1) * gain * texel[c] / 255;
                most = fmax(most, product[c]);
            }
            for (int c = 0; c < 3; c++) {
                const double expected = 255 * product[c] * (1 - most * (gain - 1) / (gain * gain));
                if (fabs(rgb[c] - expected) > 1.1)
                    fail_msg("light %zu, side %d, channel %d: %u, not %.1f", i, side, c, rgb[c],
                             expected);
            }
        }
}

static double to_linear(double c) {
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static double to_srgb(double c) {
    return c <= 0.0031308 ? c * 12.92 : 1.055 * pow(c, 1 / 2.4) - 0.055;
}

/* An environment replaces the studio's lights, in linear light; the exposure multiplies both. */
TEST(test_environment) {
    static const uint8_t texel[4] = {200, 120, 60, 255};
    static const lm_gl_environment environments[] = {
        {.ambient = {{0}, {0}, {0}, {0.5f, 0.6f, 0.7f}}},
        {.ambient = {{0.2f, -0.1f, -2}, {9, 9, 9}, {9, 9, 9}, {0.5f, 0.6f, 0.7f}}},
        {.toward = {0.6f, 0.8f, 0}, .key = {2, 1, 0.5f}},
        {.ambient = {{0}, {0}, {0}, {0.1f, 0.1f, 0.1f}}, .toward = {-1, 0, 0}, .key = {5, 5, 5}},
    };
    const lm_vec3 normal = {1, 0, 0};
    for (size_t i = 0; i < 2 * sizeof environments / sizeof *environments; i++) {
        const lm_gl_environment *e = &environments[i / 2];
        const float exposure = i % 2 ? 2.5f : 0;
        const double key = fmax(e->toward.x, 0), factor = i % 2 ? 2.5 : 1;
        const double light[3] = {fmax(e->ambient[0].x + e->ambient[3].x, 0) + key * e->key.x,
                                 fmax(e->ambient[0].y + e->ambient[3].y, 0) + key * e->key.y,
                                 fmax(e->ambient[0].z + e->ambient[3].z, 0) + key * e->key.z};
        uint8_t rgb[3];
        light_wall((lm_gl_style){.environment = e, .exposure = exposure}, normal, texel, rgb);
        for (int c = 0; c < 3; c++) {
            const double color = to_linear(texel[c] / 255.0) * light[c] * factor;
            const double expected = 255 * to_srgb(fmin(color * (1 + color / 4) / (1 + color), 1));
            if (fabs(rgb[c] - expected) > 1.1)
                fail_msg("case %zu, channel %d: %u, not %.1f", i, c, rgb[c], expected);
        }
    }
    uint8_t dark[3], bright[3];
    light_wall((lm_gl_style){.exposure = 0.5f}, normal, texel, dark);
    light_wall((lm_gl_style){.exposure = 2}, normal, texel, bright);
    assert_true(dark[0] + 30 < bright[0] && dark[2] < bright[2]);
}

/* More samples than the driver supports: nearly the same image, in finer steps. */
TEST(test_many_samples) {
    static uint8_t few[4 * PIXELS], many[4 * PIXELS];
    lm_gl_target *kept = target;
    lm_error error = {0};
    draw_case(&cases[0], few);
    target = lm_gl_target_new(world.gl, SIDE, SIDE, 16, &error);
    assert_non_null(target);
    draw_case(&cases[0], many);
    lm_gl_target_free(target);
    target = kept;
    double d = mean_error(few, many);
    printf("4 and 16 samples: %.4f\n", d);
    assert_true(d > 0.01 && d < 1);
}

TEST_GROUP(open_images, close_images)

int main(int argc, char **argv) {
    writing = argc > 1 && strcmp(argv[1], "write") == 0;
    return run_test_list();
}
