/* Tests lm_gl_scene_fill. The reference tests each pixel against each triangle, in homogeneous
 * coordinates, without clipping. */

#include "gl_support.h"

#define SIDE 256

typedef double row[3];

static double determinant(const row a, const row b, const row c) {
    return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
}

/* A pixel is inside if it is a sum of the corners with shares of at least 0. */
static bool is_inside(const row corners[3], const row at) {
    const double all = determinant(corners[0], corners[1], corners[2]);
    const double shares[3] = {determinant(at, corners[1], corners[2]) / all,
                              determinant(corners[0], at, corners[2]) / all,
                              determinant(corners[0], corners[1], at) / all};
    return shares[0] >= 0 && shares[1] >= 0 && shares[2] >= 0;
}

/* The pixels of triangles, and the lengths of their longer sides. */
typedef struct counted {
    double pixels, lengths;
    unsigned triangles, visible;
} counted;

static void count(counted *all, const row corners[3]) {
    int left = SIDE, right = -1, top = SIDE, bottom = -1;
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            const row at = {(x + 0.5) * 2 / SIDE - 1, (y + 0.5) * 2 / SIDE - 1, 1};
            if (!is_inside(corners, at))
                continue;
            all->pixels++;
            left = x < left ? x : left;
            right = x > right ? x : right;
            top = y < top ? y : top;
            bottom = y > bottom ? y : bottom;
        }
    all->triangles++;
    all->visible += right >= 0;
    if (right >= 0)
        all->lengths += right - left > bottom - top ? right - left : bottom - top;
}

static counted count_model(const lm_model *model, const lm_pose *pose, const lm_gl_view *view) {
    counted all = {0, 0, 0, 0};
    const float *m = view->matrix;
    for (uint32_t i = 0; i < model->num_surfaces; i++) {
        const lm_surface *s = &model->surfaces[i];
        AT_END(drop_bytes) lm_vec3 *at = malloc(s->num_vertices * sizeof *at);
        assert_non_null(at);
        const lm_sample_target target = {.positions = &at->x};
        assert_int_equal(lm_sample_blend(model, i, pose, pose, 0, &target), LM_CODE_OK);
        for (uint32_t t = 0; t < s->num_triangles; t++) {
            row corners[3];
            for (uint32_t k = 0; k < 3; k++) {
                const lm_vec3 p = at[s->triangles[3 * t + k]];
                const int rows[3] = {0, 1, 3};
                for (int r = 0; r < 3; r++)
                    corners[k][r] = (double)(m[rows[r]] * p.x + m[rows[r] + 4] * p.y +
                                             m[rows[r] + 8] * p.z + m[rows[r] + 12]);
            }
            count(&all, (const row *)corners);
        }
    }
    return all;
}

typedef struct subject {
    lm_model *model;
    lm_scene_part part;
    lm_scene scene;
    lm_gl_scene *drawn;
    lm_gl_scene_instance instance; /* the first frame */
} subject;

static void open_subject(subject *s, const char *path, const lm_material_set *skin) {
    lm_error error = {0};
    s->model = load(source_path(path), LM_TOPOLOGY_TRIANGLES, 0);
    s->part = (lm_scene_part){.model = s->model, .num_skins = skin != NULL, .skins = skin};
    s->scene = (lm_scene){.num_parts = 1, .parts = &s->part};
    s->drawn = lm_gl_scene_new(world.gl, &s->scene, &error);
    s->instance = (lm_gl_scene_instance){0};
    assert_done(s->drawn, error);
}

static void close_subject(subject *s) {
    lm_gl_scene_free(s->drawn);
    lm_model_free(s->model);
}

/* Returns a view that fits the model, enlarged. `near`: from inside the model. */
static lm_gl_view view_of(const lm_model *model, float zoom, bool near) {
    lm_gl_camera camera = {.azimuth = 30, .elevation = 20, .zoom = zoom};
    lm_gl_view view;
    lm_gl_camera_fit(&camera, &model->frames[0].min, &model->frames[0].max);
    if (near)
        camera.distance = camera.radius / 8;
    lm_gl_camera_view(&camera, &view);
    return view;
}

static double fill_of(const subject *s, const lm_gl_view *view, lm_gl_shade shade, unsigned show) {
    const lm_gl_render_options options = {.shade = shade, .show = show};
    double fill = -1;
    lm_error error = {0};
    assert_done(lm_gl_scene_fill(s->drawn, view, &s->instance, SIDE, SIDE, &options, &fill, &error),
                error);
    return fill * SIDE * SIDE;
}

/* The estimate is the number of pixels, and four per pixel of length, in views that show all, a
 * part, and triangles behind the eye. */
GL_TEST(test_pixels_of_triangles) {
    static const char *const paths[] = {"samples/tick.md2", "samples/tick_head.mdc"};
    static const struct {
        float zoom;
        bool near;
    } views[] = {{1, false}, {4, false}, {30, false}, {1, true}};
    for (unsigned i = 0; i < 2; i++) {
        AT_END(close_subject) subject s;
        open_subject(&s, paths[i], NULL);
        const lm_pose pose = {0, s.model->num_frames - 1, 0.25f};
        s.instance.poses = &pose;
        for (unsigned k = 0; k < sizeof views / sizeof *views; k++) {
            const lm_gl_view view = view_of(s.model, views[k].zoom, views[k].near);
            const counted found = count_model(s.model, &pose, &view);
            const double fill = fill_of(&s, &view, LM_GL_SHADE_NORMALS, 0);
            printf("%s: %u of %u triangles, %.0f pixels, length %.0f: estimate %.0f\n", paths[i],
                   found.visible, found.triangles, found.pixels, found.lengths, fill);
            assert_true(found.visible > 5);
            assert_true(fill > 0.97 * found.pixels + 4 * found.lengths);
            assert_true(fill < 1.03 * found.pixels + 4 * found.lengths + 12.0 * found.triangles);
        }
    }
}

static bool is_about(double value, double expected) {
    return fabs(value - expected) < 0.001 * expected;
}

/* Each stage of a shader draws the surface once, unless the shading shows no textures. */
GL_TEST(test_stages) {
    const lm_stage stages[3] = {{.blended = false}, {.blended = true}, {.blended = true}};
    lm_shader shaders[2] = {{.num_stages = 3, .stages = stages, .base = 3}, {.hidden = true}};
    for (int hidden = 0; hidden < 2; hidden++) {
        lm_scene_material materials[8];
        for (int i = 0; i < 8; i++)
            materials[i] =
                (lm_scene_material){.texture = LM_NO_TEXTURE, .shader = &shaders[hidden]};
        const lm_material_set skin = {.materials = materials};
        AT_END(close_subject) subject plain, shaded;
        open_subject(&plain, "samples/tick.md2", NULL);
        open_subject(&shaded, "samples/tick.md2", &skin);
        assert_true(plain.model->num_surfaces <= 8);
        const lm_gl_view view = view_of(plain.model, 1, false);
        const double once = fill_of(&plain, &view, LM_GL_SHADE_STUDIO, 0);
        assert_true(once > 1000);
        assert_true(
            is_about(fill_of(&shaded, &view, LM_GL_SHADE_STUDIO, 0), hidden ? 0 : 3 * once) ||
            (hidden && fill_of(&shaded, &view, LM_GL_SHADE_STUDIO, 0) == 0));
        if (!hidden)
            assert_true(is_about(fill_of(&shaded, &view, LM_GL_SHADE_NORMALS, 0), once));
        assert_true(is_about(fill_of(&plain, &view, LM_GL_SHADE_WIRE, 0), 4 * once));
    }
}

/* The GL commands of this model have the same triangles as its surface. Normals are lines. */
GL_TEST(test_overlays) {
    AT_END(close_subject) subject s;
    open_subject(&s, "samples/tick.md2", NULL);
    const lm_gl_view view = view_of(s.model, 1, false);
    const double once = fill_of(&s, &view, LM_GL_SHADE_STUDIO, 0);
    assert_true(is_about(fill_of(&s, &view, LM_GL_SHADE_STUDIO, LM_GL_SHOW_COMMANDS), 2 * once));
    const double lines = fill_of(&s, &view, LM_GL_SHADE_STUDIO, LM_GL_SHOW_NORMALS) - once;
    const uint32_t count = s.model->surfaces[0].num_vertices;
    /* Each is at most 3 % of the model's size long, which at most fills the image. */
    assert_true(lines > count && lines < 4 * 0.03 * SIDE * 1.5 * count);
}

GL_TEST(test_rejects_unknown_values) {
    AT_END(close_subject) subject s;
    lm_error error = {0};
    double fill = 7;
    open_subject(&s, "samples/tick.md2", NULL);
    const lm_gl_view view = view_of(s.model, 1, false);
    const lm_gl_render_options options = {.show = 128};
    assert_false(lm_gl_scene_fill(s.drawn, &view, AT_REST, SIDE, SIDE, &options, &fill, &error));
    assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
    assert_true(fill == 7);
    assert_true(lm_gl_scene_fill(s.drawn, &view, AT_REST, SIDE, SIDE, NULL, &fill, &error));
    assert_true(is_about(fill * SIDE * SIDE, fill_of(&s, &view, LM_GL_SHADE_STUDIO, 0)));
}
