/* Tests overlays on models: normals, GL commands, marks. */

#include "gl_support.h"

#include "orbit.h"

#define SIDE 64
static uint8_t plain[4 * SIDE * SIDE], shown[4 * SIDE * SIDE];

typedef struct sight {
    lm_model *model;
    lm_scene_part part;
    lm_scene scene;
    lm_pose pose;
    lm_gl_scene_instance instance;
    lm_gl_scene *drawn;
    lm_gl_view view;
} sight;

static void open_sight(sight *s, lm_topology topology) {
    lm_error error;
    orbit_camera orbit = {.camera = {.azimuth = 30, .elevation = 15}};
    s->model = load(source_path("samples/tick.md2"), topology, 0);
    s->part = (lm_scene_part){.model = s->model};
    s->scene = (lm_scene){.num_parts = 1, .parts = &s->part};
    s->pose = (lm_pose){0, 1, 0.5f};
    s->instance = (lm_gl_scene_instance){.poses = &s->pose};
    s->drawn = lm_gl_scene_new(world.gl, &s->scene, &error);
    assert_done(s->drawn && orbit_aim(&orbit, s->drawn, &s->instance, 1, NULL, NULL, &error),
                error);
    lm_gl_camera_view(&orbit.camera, &s->view);
}

static void close_sight(sight *s) {
    lm_gl_scene_free(s->drawn);
    lm_model_free(s->model);
    expect_quiet();
}

static void draw(const sight *s, unsigned show, const lm_diagnostic_triangle *marks, uint32_t count,
                 uint8_t *pixels) {
    const lm_gl_render_options options = {
        .show = show, .marks = marks, .num_marks = count, .mark_size = 3};
    lm_error error;
    begin_image(world.target, 0, 0, 0, 0);
    assert_done(lm_gl_scene_draw(s->drawn, &s->view, &s->instance, 1, &options, &error) &&
                    lm_gl_target_read(world.target, pixels, &error),
                error);
}

/* Counts the pixels that differ from the image without the overlay. */
static int changed(void) {
    int count = 0;
    for (size_t i = 0; i < sizeof shown; i += 4)
        count += memcmp(&plain[i], &shown[i], 4) != 0;
    return count;
}

static int covered(const uint8_t *pixels) {
    int count = 0;
    for (size_t i = 3; i < sizeof shown; i += 4)
        count += pixels[i] != 0;
    return count;
}

/* Returns true if a colour encodes a direction: half of each axis, from grey. */
static bool is_direction(const uint8_t *rgb) {
    float square = 0;
    for (int i = 0; i < 3; i++) {
        const float axis = (float)rgb[i] / 127.5f - 1;
        square += axis * axis;
    }
    return square > 0.81f && square < 1.21f;
}

/* Lines extend beyond the figure, coloured by direction; on the figure they change little. */
GL_TEST(test_normals) {
    AT_END(close_sight) sight s;
    open_sight(&s, LM_TOPOLOGY_TRIANGLES);
    draw(&s, 0, NULL, 0, plain);
    draw(&s, LM_GL_SHOW_NORMALS, NULL, 0, shown);
    assert_true(changed() > covered(plain) / 10);
    assert_true(covered(shown) > covered(plain));
    assert_true(covered(shown) < 2 * covered(plain));
    int beside = 0, directed = 0;
    for (size_t i = 0; i < sizeof shown; i += 4)
        if (plain[i + 3] == 0 && shown[i + 3] == 255) {
            beside++;
            directed += is_direction(&shown[i]);
        }
    assert_true(beside > 100);
    assert_true(directed > beside * 9 / 10);
}

/* Strips cover the figure and nothing else, in many colours. */
GL_TEST(test_commands) {
    AT_END(close_sight) sight s;
    bool seen[512] = {false};
    int colors = 0;
    open_sight(&s, LM_TOPOLOGY_TRIANGLES);
    draw(&s, 0, NULL, 0, plain);
    draw(&s, LM_GL_SHOW_COMMANDS, NULL, 0, shown);
    assert_true(changed() > covered(plain) * 9 / 10);
    assert_int_equal(covered(shown), covered(plain));
    for (size_t i = 0; i < sizeof shown; i += 4)
        seen[shown[i] / 32 * 64 + shown[i + 1] / 32 * 8 + shown[i + 2] / 32] = true;
    for (size_t i = 0; i < sizeof seen; i++)
        colors += seen[i];
    assert_true(colors > 20);
}

/* A model without commands has no overlay. */
GL_TEST(test_without_commands) {
    AT_END(close_sight) sight s;
    open_sight(&s, LM_TOPOLOGY_GL_COMMANDS);
    draw(&s, LM_GL_SHOW_COMMANDS, NULL, 0, shown);
    s.model->gl_commands.num_primitives = 0;
    draw(&s, 0, NULL, 0, plain);
    assert_true(changed() > 0);
    draw(&s, LM_GL_SHOW_COMMANDS, NULL, 0, shown);
    assert_int_equal(changed(), 0);
}

static int pink(const uint8_t *pixels) {
    int count = 0;
    for (size_t i = 0; i < sizeof shown; i += 4)
        count += pixels[i] > 230 && pixels[i + 1] > 50 && pixels[i + 1] < 80 && pixels[i + 2] > 100;
    return count;
}

/* Triangles are visible through everything in front of them; a vertex is a cross. */
GL_TEST(test_marks) {
    AT_END(close_sight) sight s;
    open_sight(&s, LM_TOPOLOGY_TRIANGLES);
    const uint32_t count = s.model->surfaces[0].num_triangles;
    AT_END(drop_bytes) lm_diagnostic_triangle *all = calloc(count, sizeof *all);
    assert_non_null(all);
    for (uint32_t i = 0; all && i < count; i++)
        memcpy(all[i].vertices, &s.model->surfaces[0].triangles[(size_t)3 * i],
               sizeof all[i].vertices);
    draw(&s, 0, NULL, 0, plain);
    for (uint32_t i = 0; i < count; i += 111) {
        draw(&s, 0, &all[i], 1, shown);
        assert_true(changed() > 0);
    }
    assert_int_equal(pink(plain), 0);
    draw(&s, 0, all, count, shown);
    assert_true(pink(shown) > covered(plain) / 2);
    const lm_diagnostic_triangle vertex = {0, {7, 7, 7}};
    draw(&s, 0, &vertex, 1, shown);
    assert_true(changed() > 0);
}

/* A rotated model looks as from the other side to a camera that is rotated back. */
GL_TEST(test_rotated_surfaces) {
    const lm_pose pose = {0, 1, 0.5f};
    const lm_transform turn = {{0, 0, 0}, {{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}}};
    const lm_gl_instance quarter = {.transform = &turn, .pose = pose};
    lm_error error;
    OWNED(lm_model) *model = load(source_path("samples/tick.md2"), LM_TOPOLOGY_TRIANGLES, 0);
    OWNED(lm_gl_model) *drawn = lm_gl_model_new(world.gl, model, &error);
    assert_non_null(drawn);
    for (int turned = 0; turned < 2; turned++) {
        lm_gl_camera camera = {.azimuth = turned ? 100.0f : 10.0f, .elevation = 15};
        const lm_gl_view view =
            fitted_view(&camera, (lm_vec3){-35, -35, -35}, (lm_vec3){35, 35, 35});
        begin_image(world.target, 0, 0, 0, 0);
        assert_true(lm_gl_draw(drawn, &view, turned ? &quarter : AT_ORIGIN(pose), 1, NULL, &error));
        assert_true(lm_gl_target_read(world.target, turned ? shown : plain, &error));
    }
    int apart = 0;
    for (size_t i = 3; i < sizeof shown; i += 4)
        apart += (plain[i] != 0) != (shown[i] != 0);
    assert_in_range(covered(plain), 300, 1500);
    assert_true(apart <= 8); /* along the edge */
    expect_quiet();
}

/* Returns the axes at a tag's origin, of a model with a transform. */
static uint32_t axes_of(const lm_transform *tag, const lm_transform *place, float length,
                        lm_gl_line lines[3]) {
    for (int i = 0; i < 3; i++) {
        lm_vec3 ends[2] = {{0, 0, 0},
                           {i == 0 ? length : 0, i == 1 ? length : 0, i == 2 ? length : 0}};
        lm_transform_vertices(tag, ends, NULL, 2, 0);
        lm_transform_vertices(place, ends, NULL, 2, 0);
        lines[i] = (lm_gl_line){ends[0], ends[1], {255, 255, 255, 255}};
    }
    return 3;
}

/* Tags follow the model's transform: they rotate with it, not about themselves. */
GL_TEST(test_tags_of_transformed_parts) {
    const float length = 6;
    const lm_pose pose = {0, 1, 0.5f};
    const lm_transform place = {{9, -4, 2}, {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}};
    lm_gl_camera camera = {.azimuth = 30, .elevation = 15};
    lm_error error;
    lm_gl_line lines[6];
    uint32_t count = 0;
    OWNED(lm_model) *model = load(source_path("samples/tick_head.mdc"), LM_TOPOLOGY_TRIANGLES, 0);
    OWNED(lm_gl_model) *drawn = lm_gl_model_new(world.gl, model, &error);
    assert_non_null(drawn);
    assert_int_equal(model->num_tags, 2);
    for (uint32_t i = 0; i < 2; i++) {
        lm_transform tag;
        assert_int_equal(lm_sample_tag(model, i, &pose, &tag), LM_CODE_OK);
        count += axes_of(&tag, &place, length, lines + count);
    }
    const lm_gl_view view = fitted_view(&camera, (lm_vec3){-8, -20, -8}, (lm_vec3){28, 12, 28});
    begin_image(world.target, 0, 0, 0, 0);
    assert_true(lm_gl_draw_lines(world.gl, &view, lines, count, LM_GL_LINE_THIN, &error));
    assert_true(lm_gl_target_read(world.target, plain, &error));
    begin_image(world.target, 0, 0, 0, 0);
    assert_true(lmi_gl_draw_tags(drawn, &view, &(lm_gl_instance){.transform = &place, .pose = pose},
                                 length, &error));
    assert_true(lm_gl_target_read(world.target, shown, &error));
    assert_in_range(covered(plain), 30, 400);
    for (size_t i = 3; i < sizeof shown; i += 4)
        assert_int_equal(plain[i] != 0, shown[i] != 0);
    expect_quiet();
}

static void draw_bones(const sight *s, const lm_gl_line *bones, uint32_t count, uint8_t *pixels) {
    lm_error error;
    begin_image(world.target, 0, 0, 0, 0);
    assert_done(lm_gl_scene_draw(s->drawn, &s->view, &s->instance, 1, NULL, &error) &&
                    lm_gl_draw_lines(world.gl, &s->view, bones, count, LM_GL_LINE_BONE, &error) &&
                    lm_gl_target_read(world.target, pixels, &error),
                error);
}

/* Returns where a point is in the image. */
static size_t pixel_at(const sight *s, lm_vec3 p) {
    const float *m = s->view.matrix;
    const float w = m[3] * p.x + m[7] * p.y + m[11] * p.z + m[15];
    const float x = (m[0] * p.x + m[4] * p.y + m[8] * p.z + m[12]) / w;
    const float y = (m[1] * p.x + m[5] * p.y + m[9] * p.z + m[13]) / w;
    return 4 * ((size_t)((1 - y) / 2 * SIDE) * SIDE + (size_t)((1 + x) / 2 * SIDE));
}

/* Bones are visible through the model, also behind it; one without length is not. The nearer of two
 * covers the other, in whichever order they are given. */
GL_TEST(test_bones) {
    AT_END(close_sight) sight s;
    open_sight(&s, LM_TOPOLOGY_TRIANGLES);
    const lm_vec3 t = s.view.toward, up = s.view.up, side = s.view.right;
    lm_gl_line bones[4] = {
        {{-20 * t.x, -20 * t.y, -20 * t.z}, {0, 0, 0}, {255, 0, 0, 255}},
        {{20 * t.x, 20 * t.y, 20 * t.z}, {0, 0, 0}, {0, 255, 0, 255}},
        {{1, 2, 3}, {1, 2, 3}, {0, 0, 255, 255}},
        {{1e30f, 0, 0}, {0, 0, 1e30f}, {0, 0, 255, 255}},
    };
    for (unsigned i = 0; i < 2; i++) { /* crosswise */
        const lm_vec3 along = i ? side : up;
        lm_gl_line *b = &bones[i];
        b->to =
            (lm_vec3){b->from.x + 15 * along.x, b->from.y + 15 * along.y, b->from.z + 15 * along.z};
        b->from =
            (lm_vec3){b->from.x - 3 * along.x, b->from.y - 3 * along.y, b->from.z - 3 * along.z};
    }
    draw_bones(&s, NULL, 0, plain);
    draw_bones(&s, &bones[2], 1, shown);
    assert_int_equal(changed(), 0);
    draw_bones(&s, bones, 1, shown);
    assert_in_range(changed(), 20, 200);
    draw_bones(&s, bones, 4, plain);
    const size_t middle = pixel_at(&s, (lm_vec3){19 * t.x, 19 * t.y, 19 * t.z});
    assert_true(plain[middle + 1] > 40 && plain[middle] < 10);
    const lm_gl_line other[2] = {bones[1], bones[0]};
    draw_bones(&s, bones, 2, plain);
    draw_bones(&s, other, 2, shown);
    assert_int_equal(changed(), 0);
}

GL_TEST(test_orbit_rotation) {
    orbit_camera orbit = {.camera = {.azimuth = 30, .elevation = 15}};
    orbit_turn(&orbit, 25, 40);
    assert_true(fabsf(orbit.camera.azimuth - 55) < 1e-3f);
    assert_true(fabsf(orbit.camera.elevation - 55) < 1e-3f);
    orbit_turn(&orbit, 320, 40);
    assert_true(fabsf(orbit.camera.azimuth - 15) < 1e-3f);
    assert_true(orbit.camera.elevation <= 90 && orbit.camera.elevation >= 90);
    orbit_turn(&orbit, -20, -200);
    assert_true(fabsf(orbit.camera.azimuth + 5) < 1e-3f);
    assert_true(orbit.camera.elevation <= -90 && orbit.camera.elevation >= -90);
}
