/* Tests that every model that loads can be drawn. */

#include "gl_support.h"

#include <epoxy/gl.h>

/* Draws a model in every way, without OpenGL errors. */
static void draw_all_ways(const lm_model *model) {
    const lm_gl_shade shades[] = {LM_GL_SHADE_STUDIO, LM_GL_SHADE_TEXTURE, LM_GL_SHADE_NORMALS,
                                  LM_GL_SHADE_WIRE, LM_GL_SHADE_UV};
    const lm_gl_instance two[2] = {{.pose = {0, 1, 0.5f}}, {.pose = {1, 1, 0}}};
    lm_error error = {0};
    lm_gl_view view = any_view();
    OWNED(lm_gl_model) *drawn = lm_gl_model_new(world.gl, model, &error);
    assert_done(drawn, error);
    for (int i = 0; i < 5; i++)
        for (int alpha = 0; alpha < (i == 0 ? 4 : 1); alpha++) {
            lm_gl_style style = {.shade = shades[i], .alpha = (lm_gl_alpha)alpha};
            if (!lm_gl_draw(drawn, &view, AT_ORIGIN({0, 1, 0.25f}), 1, &style, &error) ||
                !lm_gl_draw(drawn, &view, two, 2, &style, &error))
                fail_msg("%s", error.message);
        }
    assert_true(lm_gl_draw(drawn, &view, NULL, 0, NULL, &error));
    assert_true(lmi_gl_draw_tags(drawn, &view, AT_ORIGIN({0, 1, 0}), 1, &error));
    expect_quiet();
}

GL_TEST(test_small_models) {
    const uint32_t sizes[][2] = {{0, 0}, {1, 0}, {1, 1}, {2, 1}, {3, 1}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        AT_END(free_model) handmade h;
        make_model(&h, sizes[i][0], sizes[i][1]);
        draw_all_ways(&h.model);
        h.model.num_surfaces = 0;
        draw_all_ways(&h.model);
    }
}

/* Index counts just below and above the range of two bytes. */
GL_TEST(test_index_sizes) {
    const uint32_t counts[] = {65535, 65536, 65537};
    for (int i = 0; i < 3; i++) {
        AT_END(free_model) handmade h;
        make_model(&h, counts[i], counts[i]);
        draw_all_ways(&h.model);
    }
}

GL_TEST(test_two_million_triangles) {
    lm_error error = {0};
    AT_END(free_model) handmade h;
    make_model(&h, 1000000, 2000000);
    lm_gl_view view = any_view();
    OWNED(lm_gl_model) *drawn = lm_gl_model_new(world.gl, &h.model, &error);
    if (!drawn || !lm_gl_draw(drawn, &view, AT_ORIGIN({0, 1, 0.5f}), 1, NULL, &error))
        fail_msg("%s", error.message);
    glFinish();
    expect_quiet();
}

/* Values that repair keeps or callers provide: NaN and infinite bounds, scales and transforms. */
GL_TEST(test_non_finite_numbers) {
    const float values[] = {3e38f, INFINITY, -INFINITY, NAN};
    lm_error error = {0};
    AT_END(free_model) handmade h;
    make_model(&h, 30, 40);
    lm_gl_view view = any_view();
    for (int i = 0; i < 4; i++) {
        const lm_vec3 odd = {values[i], values[i], values[i]};
        const lm_transform nowhere = {odd, {odd, odd, odd}};
        const lm_gl_instance lost = {.transform = &nowhere, .pose = {0, 1, 1}};
        h.frames[1].min = h.frames[1].max = h.frames[1].scale = h.frames[1].translate = odd;
        draw_all_ways(&h.model);
        OWNED(lm_gl_model) *drawn = lm_gl_model_new(world.gl, &h.model, &error);
        assert_true(drawn && lm_gl_draw(drawn, &view, &lost, 1, NULL, &error));
        assert_true(lmi_gl_draw_box(world.gl, &view, &nowhere, &odd, &odd, &error));
        assert_true(lmi_gl_draw_axes(world.gl, &view, &nowhere, values[i], &error));
    }
    glFinish();
    expect_quiet();
}

GL_TEST(test_textures_of_any_size) {
    const uint32_t sizes[][2] = {{1, 1},     {16384, 1}, {1, 16384}, {3, 5},
                                 {40000, 2}, {2, 40000}, {257, 100}};
    AT_END(free_model) handmade h;
    make_model(&h, 3, 1);
    lm_error error = {0};
    lm_gl_view view = any_view();
    OWNED(lm_gl_model) *drawn = lm_gl_model_new(world.gl, &h.model, &error);
    assert_non_null(drawn);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes * 2; i++) {
        const uint32_t *size = sizes[i / 2];
        uint8_t *pixels = calloc((size_t)size[0] * size[1], 4);
        assert_non_null(pixels);
        const lm_gl_image image = {.width = size[0], .height = size[1], .pixels = pixels};
        OWNED(lm_gl_texture) *texture = lm_gl_texture_new(
            world.gl, &image, i % 2 ? LM_GL_FILTER_PIXELS : LM_GL_FILTER_SMOOTH, &error);
        free(pixels);
        if (!texture)
            fail_msg("%u x %u: %s", size[0], size[1], error.message);
        const lm_gl_style style = {.texture = texture};
        assert_true(lm_gl_draw(drawn, &view, AT_ORIGIN({0, 0, 0}), 1, &style, &error));
    }
    assert_null(lm_gl_texture_new(world.gl, &(lm_gl_image){.width = 0, .height = 1, .pixels = NULL},
                                  LM_GL_FILTER_SMOOTH, &error));
    assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
    expect_quiet();
}

/* The mean of a black and white checkerboard is half of the light, 188 in sRGB, on every level
 * below the first; its alpha is 128. */
GL_TEST(test_mipmaps) {
    uint8_t pixels[16 * 8 * 4], level[8 * 4 * 4];
    lm_error error = {0};
    for (size_t i = 0; i < sizeof pixels; i++)
        pixels[i] = (i / 4 + i / 64) % 2 ? 255 : 0;
    OWNED(lm_gl_texture) *texture =
        lm_gl_texture_new(world.gl, &(lm_gl_image){.width = 16, .height = 8, .pixels = pixels},
                          LM_GL_FILTER_SMOOTH, &error);
    assert_non_null(texture);
    const GLint widths[] = {16, 8, 4, 2, 1}, heights[] = {8, 4, 2, 1, 1};
    for (GLint i = 0; i < 5; i++) {
        GLint width = 0, height = 0;
        glGetTexLevelParameteriv(GL_TEXTURE_2D, i, GL_TEXTURE_WIDTH, &width);
        glGetTexLevelParameteriv(GL_TEXTURE_2D, i, GL_TEXTURE_HEIGHT, &height);
        assert_int_equal(width, widths[i]);
        assert_int_equal(height, heights[i]);
        if (i == 0)
            continue;
        glGetTexImage(GL_TEXTURE_2D, i, GL_RGBA, GL_UNSIGNED_BYTE, level);
        for (GLint p = 0; p < width * height * 4; p++)
            assert_int_equal(level[p], p % 4 == 3 ? 128 : 188);
    }
    expect_quiet();
}

/* ---- Cameras ------------------------------------------------------------------------------- */

static bool is_finite_view(const lm_gl_view *view) {
    bool finite = true;
    for (int i = 0; i < 16; i++)
        finite = finite && isfinite(view->matrix[i]);
    return finite;
}

static void clip_of(const lm_gl_view *view, lm_vec3 p, double clip[4]) {
    const float *m = view->matrix;
    for (int i = 0; i < 4; i++)
        clip[i] = (double)m[i] * (double)p.x + (double)m[4 + i] * (double)p.y +
                  (double)m[8 + i] * (double)p.z + (double)m[12 + i];
}

TEST(test_odd_cameras) {
    const float values[] = {0, 1e-30f, 1, 3e38f, -3e38f, INFINITY, -INFINITY, NAN};
    for (size_t i = 0; i < 8; i++)
        for (size_t j = 0; j < 8; j++)
            for (size_t k = 0; k < 8; k++) {
                lm_gl_camera camera = {.azimuth = values[k],
                                       .field_of_view = values[i],
                                       .aspect = values[j],
                                       .zoom = values[k]};
                lm_gl_camera_fit(&camera, &(lm_vec3){values[i], values[j], 0},
                                 &(lm_vec3){values[k], values[i], values[j]});
                lm_gl_view view;
                lm_gl_camera_view(&camera, &view);
                assert_true(is_finite_view(&view));
            }
}

/* All corners are in the image, and at least one is at its edge. */
TEST(test_camera_just_fits) {
    const lm_vec3 min = {-10, -3, -24}, max = {14, 5, 32};
    for (int azimuth = 0; azimuth < 360; azimuth += 30)
        for (int elevation = -90; elevation <= 90; elevation += 30)
            for (int wide = 0; wide < 2; wide++) {
                lm_gl_camera camera = {.azimuth = (float)azimuth,
                                       .elevation = (float)elevation,
                                       .aspect = wide ? 2.5f : 0.5f};
                double edge = 0;
                lm_gl_camera_fit(&camera, &min, &max);
                lm_gl_view view;
                lm_gl_camera_view(&camera, &view);
                for (int c = 0; c < 8; c++) {
                    double clip[4];
                    clip_of(&view,
                            (lm_vec3){c & 1 ? max.x : min.x, c & 2 ? max.y : min.y,
                                      c & 4 ? max.z : min.z},
                            clip);
                    assert_true(clip[3] > 0 && fabs(clip[2]) <= clip[3] * 1.0001);
                    edge = fmax(edge, fmax(fabs(clip[0]), fabs(clip[1])) / clip[3]);
                }
                assert_true(edge > 0.999 && edge < 1.001);
            }
}

/* All points are in the image. Some touch both sides, or top and bottom; if the camera moves around
 * a vertical axis, top or bottom. */
TEST(test_fit_just_fits) {
    const lm_vec3 points[] = {{-10, -3, -24}, {14, 5, 30}, {2, 9, -7}, {NAN, 0, 0}, {-4, 6, 11}};
    const lm_vec3 axis = {3, -2, 0};
    for (int azimuth = 0; azimuth < 360; azimuth += 30)
        for (int elevation = -90; elevation <= 90; elevation += 30)
            for (int kind = 0; kind < 4; kind++) {
                lm_gl_camera camera = {.azimuth = (float)azimuth,
                                       .elevation = (float)elevation,
                                       .aspect = kind & 1 ? 2.5f : 0.5f,
                                       .zoom = 0.5f};
                double most[4] = {-1, -1, -1, -1};
                gl_fit fit;
                lmi_gl_fit_begin(&fit, &camera, kind & 2 ? &axis : NULL);
                for (size_t i = 0; i < 5; i++)
                    lmi_gl_fit_point(&fit, &points[i]);
                lmi_gl_fit_end(&fit, &camera);
                for (int turn = 0; turn < (kind & 2 ? 360 : 1); turn++) {
                    lm_gl_camera turned = camera;
                    lm_gl_view view;
                    turned.azimuth += (float)turn;
                    lm_gl_camera_view(&turned, &view);
                    for (int i = 0; i < 5; i++) {
                        double clip[4];
                        clip_of(&view, points[i], clip);
                        if (i == 3)
                            continue;
                        assert_true(clip[3] > 0 && fabs(clip[2]) <= clip[3] * 1.0001);
                        for (int side = 0; side < 4; side++)
                            most[side] =
                                fmax(most[side], (side & 1 ? -1 : 1) * clip[side / 2] / clip[3]);
                    }
                }
                double across = fmin(most[0], most[1]);
                double upright = (kind & 2 ? fmax : fmin)(most[2], most[3]);
                for (int side = 0; side < 4; side++)
                    assert_true(most[side] < 0.501);
                assert_true(fmax(across, upright) > 0.495);
                if (kind == 3 && elevation == 0) /* equal margins above and below */
                    assert_true(fabs(most[2] - most[3]) < 0.005);
            }
}

/* If a model consists of a tag only, its axes are visible: the camera fits four points, or a box
 * around them. */
GL_TEST(test_tags_are_fitted) {
    static const float numbers[12] = {1, 2, 3, 0, 1, 0, -1, 0, 0, 0, 0, 1};
    uint8_t pose[48];
    for (size_t i = 0; i < 48; i++) {
        uint32_t bits;
        memcpy(&bits, &numbers[i / 4], 4);
        pose[i] = (uint8_t)(bits >> 8 * (i % 4));
    }
    const lm_tag tag = {"tag_a", LM_TAG_AXES, pose, 48};
    const lm_frame frame = {.name = "only"};
    const lm_model model = {
        .format = "md3", .num_frames = 1, .frames = &frame, .num_tags = 1, .tags = &tag};
    const lm_scene_part part = {.model = &model};
    const lm_scene scene = {.num_parts = 1, .parts = &part};
    const lm_vec3 ends[4] = {{1, 2, 3}, {1, 6, 3}, {-3, 2, 3}, {1, 2, 7}}, middle = {1, 2, 3};
    lm_error error;
    OWNED(lm_gl_scene) *made = lm_gl_scene_new(world.gl, &scene, &error);
    assert_done(made, error);
    for (int around = 0; around < 2; around++) {
        lm_gl_camera camera = {.azimuth = 40, .elevation = 25, .orbits = around == 1};
        lm_gl_camera expected = camera;
        gl_fit fit;
        lm_gl_box box;
        lmi_gl_fit_begin(&fit, &camera, around ? &middle : NULL);
        for (int i = 0; i < 4; i++)
            lmi_gl_fit_point(&fit, &ends[i]);
        lmi_gl_fit_end(&fit, &expected);
        assert_true(lm_gl_scene_fit(made, AT_REST, 1, NULL, &camera, &box, &error));
        assert_true(fabsf(camera.distance - expected.distance) < 1e-4f);
        assert_true(fabsf(camera.target.x - expected.target.x) < 1e-4f &&
                    fabsf(camera.target.z - expected.target.z) < 1e-4f);
        assert_true(box.any && fabsf(box.min.x + 3) < 1e-5f && fabsf(box.min.y - 2) < 1e-5f);
        assert_true(fabsf(box.max.y - 6) < 1e-5f && fabsf(box.max.z - 7) < 1e-5f);
    }
}

/* Without points, or with a single one, the fit still gives a valid view. */
TEST(test_fits_without_extent) {
    for (int count = 0; count < 2; count++)
        for (int around = 0; around < 2; around++) {
            lm_gl_camera camera = {.azimuth = 40, .elevation = 20};
            gl_fit fit;
            lm_gl_view view;
            const lm_vec3 point = {1e20f, 5, -3};
            lmi_gl_fit_begin(&fit, &camera, around ? &point : NULL);
            for (int i = 0; i < count; i++)
                lmi_gl_fit_point(&fit, &point);
            lmi_gl_fit_end(&fit, &camera);
            lm_gl_camera_view(&camera, &view);
            assert_true(camera.distance > 0 && is_finite_view(&view));
        }
}

/* From the front, +y, the model's left, is on the right of the image, and +z is up. */
TEST(test_front_faces_the_camera) {
    double origin[4], left[4], up[4], nose[4];
    lm_gl_camera camera = {0};
    const lm_gl_view view = fitted_view(&camera, (lm_vec3){-1, -1, -1}, (lm_vec3){1, 1, 1});
    clip_of(&view, (lm_vec3){0, 0, 0}, origin);
    clip_of(&view, (lm_vec3){0, 1, 0}, left);
    clip_of(&view, (lm_vec3){0, 0, 1}, up);
    clip_of(&view, (lm_vec3){1, 0, 0}, nose);
    assert_true(left[0] > origin[0] && fabs(left[1]) < 1e-6);
    assert_true(up[1] > origin[1] && fabs(up[0]) < 1e-6);
    assert_true(nose[3] < origin[3]); /* nearer */
}

TEST(test_attaching) {
    const lm_transform parent = {{1, 2, 3}, {{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}}};
    const lm_transform tag = {{10, 0, 0}, {{0, 0, 1}, {0, 1, 0}, {-1, 0, 0}}};
    lm_transform t;
    lm_transform_nest(&parent, &tag, &t);
    /* The tag is 10 ahead of a parent that looks along +y. */
    assert_true(t.origin.x == 1 && t.origin.y == 12 && t.origin.z == 3);
    assert_true(t.axis[0].z == 1 && t.axis[1].x == -1 && t.axis[2].y == -1);
    lm_transform_nest(NULL, &tag, &t);
    assert_true(t.origin.x == 10 && t.axis[0].z == 1);
}

/* ---- Sizes --------------------------------------------------------------------------------- */

/* The renderer draws colours premultiplied by alpha, and they come back straight for any alpha. */
GL_TEST(test_colors_have_straight_alpha) {
    lm_error error = {0};
    OWNED(lm_gl_target) *target = lm_gl_target_new(world.gl, 1, 1, 0, &error);
    assert_non_null(target);
    for (int alpha = 0; alpha < 256; alpha++) {
        const float share = (float)alpha / 255;
        uint8_t pixel[4];
        begin_image(target, share, 0.5f * share, 0, share);
        assert_true(lm_gl_target_read(target, pixel, &error));
        assert_int_equal(pixel[3], alpha);
        assert_int_equal(pixel[0], alpha > 0 ? 255 : 0);
        assert_int_equal(pixel[2], 0);
        if (alpha > 0 && abs(pixel[1] - 128) > 128 / alpha + 1)
            fail_msg("alpha %d: %u, not 128", alpha, pixel[1]);
    }
}

GL_TEST(test_targets_of_any_size) {
    const lm_gl_background grey = {.color = {0.5f, 0.5f, 0.5f, 0.5f}};
    lm_error error = {0};
    uint8_t pixels[4 * 3 * 5];
    assert_null(lm_gl_target_new(world.gl, 0, 5, 0, &error));
    assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
    assert_ptr_equal(
        strstr(error.message, "gl: cannot draw an image of 0 x 5 pixels: each side must be 1 to "),
        error.message);
    assert_null(lm_gl_target_new(world.gl, 5, 1u << 30, 4, &error));
    assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
    for (uint32_t samples = 0; samples < 70; samples += 23) {
        OWNED(lm_gl_target) *target = lm_gl_target_new(world.gl, 3, 5, samples, &error);
        assert_done(target, error);
        assert_true(lm_gl_begin(world.gl, target, 0, 0, &grey, &error));
        assert_true(lm_gl_target_read(target, pixels, &error));
        /* Half transparent at full brightness: divided by its alpha. */
        for (size_t i = 0; i < 15; i++)
            assert_true(pixels[4 * i] == 255 && pixels[4 * i + 3] == 128);
    }
    assert_true(lm_gl_begin(world.gl, world.target, 0, 0, &grey, &error));
    assert_true(lm_gl_begin(world.gl, NULL, 0, 0, &grey, &error));
    handmade h;
    make_model(&h, 3, 1);
    draw_all_ways(&h.model);
    free_model(&h);
    assert_true(lm_gl_begin(world.gl, world.target, 0, 0, &grey, &error));
}

GL_TEST(test_lines) {
    lm_error error = {0};
    lm_gl_view view = any_view();
    const lm_gl_line lines[2] = {{{0, 0, 0}, {9, 9, 9}, {255, 0, 0, 255}},
                                 {{1, 1, 1}, {2, 2, 2}, {0, 0, 0, 0}}};
    for (int shape = LM_GL_LINE_THIN; shape <= LM_GL_LINE_BONE; shape++)
        for (uint32_t count = 0; count < 3; count++)
            assert_true(lm_gl_draw_lines(world.gl, &view, count ? lines : NULL, count,
                                         (lm_gl_line_shape)shape, &error));
    assert_false(lm_gl_draw_lines(world.gl, &view, lines, 1, (lm_gl_line_shape)2, &error));
    assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
    const float sizes[] = {0, 1e-40f, 1, 1e20f, INFINITY, NAN};
    for (int i = 0; i < 6; i++)
        assert_true(
            lmi_gl_draw_grid(world.gl, &view, &(lm_vec3){sizes[i], 0, 0}, sizes[i], &error));
    expect_quiet();
}
