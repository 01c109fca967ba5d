/* Tests scenes for games: the transform of the root, cross-fades, instances and shared uploads. The
 * reference is a rasteriser of the test's own, which fills the triangles of vertices sampled by the
 * processor. */

#include "gl_support.h"

#include <epoxy/gl.h>

#define SIDE 192
#define PIXELS ((size_t)SIDE * SIDE)
#define NUM_PARTS 3
#define NUM_INSTANCES 6

/* A head, another on its tag, and a body on a tag of that, which does not move with it. */
typedef struct player {
    lm_model *head, *body;
    lm_scene_part parts[NUM_PARTS];
    lm_scene scene;
} player;

/* The poses and the root of an instance. */
typedef struct player_state {
    lm_pose from[NUM_PARTS], to[NUM_PARTS];
    float weights[NUM_PARTS];
    lm_transform root;
} player_state;

static lm_gl_target *target;
static uint8_t drawn[4 * PIXELS], other[4 * PIXELS];

static void open_player(player *p) {
    p->head = load(source_path("samples/tick_head.mdc"), LM_TOPOLOGY_TRIANGLES, 0);
    p->body = load(source_path("samples/tick.md2"), LM_TOPOLOGY_TRIANGLES, 0);
    p->parts[0] = (lm_scene_part){.model = p->head};
    p->parts[1] = (lm_scene_part){.model = p->head, .parent = 0, .tag = "tag_hat"};
    p->parts[2] = (lm_scene_part){.model = p->body, .parent = 1, .tag = "tag_mouth"};
    p->scene = (lm_scene){.num_parts = NUM_PARTS, .parts = p->parts};
    assert_true(lm_scene_check(&p->scene, NULL));
}

static void close_player(player *p) {
    lm_model_free(p->head);
    lm_model_free(p->body);
}

/* Returns state `i`: every third one without a cross-fade; roots are rotated, scaled and apart. */
static player_state state_of(const player *p, unsigned i) {
    player_state s = {.root = LM_TRANSFORM_IDENTITY};
    const float angle = 0.7f * (float)i, size = 0.8f + 0.1f * (float)i;
    const unsigned row = i / 3, column = i % 3;
    s.root.origin = (lm_vec3){60.0f * (float)row, 60.0f * (float)column, 5.0f * (float)i};
    s.root.axis[0] = (lm_vec3){size * cosf(angle), size * sinf(angle), 0};
    s.root.axis[1] = (lm_vec3){-size * sinf(angle), size * cosf(angle), 0};
    s.root.axis[2] = (lm_vec3){0, 0, size};
    for (unsigned k = 0; k < NUM_PARTS; k++) {
        const uint32_t count = p->parts[k].model->num_frames, frame = (7 * i + 5 * k) % count;
        s.from[k] = (lm_pose){frame, (frame + 1) % count, 0.25f};
        s.to[k] = (lm_pose){(frame + 20) % count, (frame + 21) % count, 0.75f};
        s.weights[k] = i % 3 == 0 ? 0 : 0.2f * (float)(i % 4 + k);
    }
    return s;
}

static lm_gl_scene_instance instance_of(const player_state *s) {
    return (lm_gl_scene_instance){
        .transform = &s->root, .poses = s->from, .to = s->to, .weights = s->weights};
}

/* ---- Our own rasteriser -------------------------------------------------------------------- */

static float side_of(const float *a, const float *b, float x, float y) {
    return (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]);
}

static void fill(const float *a, const float *b, const float *c, uint8_t *mask) {
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            const float at[2] = {(float)x + 0.5f, (float)y + 0.5f};
            const float u = side_of(a, b, at[0], at[1]), v = side_of(b, c, at[0], at[1]),
                        w = side_of(c, a, at[0], at[1]);
            if ((u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0))
                mask[y * SIDE + x] = 1;
        }
}

static void project(const lm_gl_view *view, lm_vec3 p, float out[2]) {
    const float *m = view->matrix;
    const float w = m[3] * p.x + m[7] * p.y + m[11] * p.z + m[15];
    const float x = m[0] * p.x + m[4] * p.y + m[8] * p.z + m[12];
    const float y = m[1] * p.x + m[5] * p.y + m[9] * p.z + m[13];
    out[0] = (x / w + 1) / 2 * SIDE;
    out[1] = (1 - y / w) / 2 * SIDE;
}

static void fill_surface(const lm_model *model, uint32_t surface, const player_state *s,
                         unsigned part, const lm_transform *place, const lm_gl_view *view,
                         uint8_t *mask) {
    const lm_surface *from = &model->surfaces[surface];
    lm_vec3 *at = malloc(from->num_vertices * sizeof *at);
    float(*points)[2] = malloc(from->num_vertices * sizeof *points);
    assert_true(at && points);
    const lm_sample_target to = {.positions = &at->x};
    assert_int_equal(
        lm_sample_blend(model, surface, &s->from[part], &s->to[part], s->weights[part], &to),
        LM_CODE_OK);
    lm_transform_vertices(place, at, NULL, from->num_vertices, 0);
    lm_transform_vertices(&s->root, at, NULL, from->num_vertices, 0);
    for (uint32_t v = 0; v < from->num_vertices; v++)
        project(view, at[v], points[v]);
    for (size_t i = 0; i < 3 * (size_t)from->num_triangles; i += 3)
        fill(points[from->triangles[i]], points[from->triangles[i + 1]],
             points[from->triangles[i + 2]], mask);
    free(at);
    free(points);
}

static void fill_player(const player *p, const player_state *s, const lm_gl_view *view,
                        uint8_t *mask) {
    lm_transform places[NUM_PARTS];
    assert_true(lm_scene_evaluate(&p->scene, s->from, s->to, s->weights, places, NULL));
    for (unsigned k = 0; k < NUM_PARTS; k++)
        for (uint32_t i = 0; i < p->parts[k].model->num_surfaces; i++)
            fill_surface(p->parts[k].model, i, s, k, &places[k], view, mask);
}

/* Edges may round differently: one pixel in 100. */
static void expect_mask(const uint8_t *mask, const uint8_t *pixels, unsigned least) {
    unsigned covered = 0, wrong = 0;
    for (size_t i = 0; i < PIXELS; i++) {
        covered += mask[i];
        wrong += mask[i] != (pixels[4 * i + 3] > 0);
    }
    printf("%u of %u pixels differ\n", wrong, covered);
    assert_true(covered > least);
    if (wrong * 100 > covered)
        fail_msg("%u of %u pixels differ", wrong, covered);
}

/* ---- Drawing ------------------------------------------------------------------------------- */

static const lm_gl_render_options flat = {.shade = LM_GL_SHADE_NORMALS, .two_sided = true};

static lm_gl_view view_of(float azimuth) {
    lm_gl_camera camera = {.azimuth = azimuth, .elevation = 25};
    const lm_gl_view view = fitted_view(&camera, (lm_vec3){-40, -40, -40}, (lm_vec3){120, 180, 90});
    return view;
}

static void begin(void) {
    begin_image(target, 0, 0, 0, 0);
}

static void end(bool ok, uint8_t *pixels, lm_error *error) {
    if (!ok || !lm_gl_target_read(target, pixels, error))
        fail_msg("%s", error->message);
    expect_quiet();
}

/* Draws the instances one after the other. */
static bool draw_each(lm_gl_scene *scene, const lm_gl_scene_instance *instances, unsigned count,
                      const lm_gl_view *view, const lm_gl_render_options *options,
                      lm_error *error) {
    for (unsigned i = 0; i < count; i++)
        if (!lm_gl_scene_draw(scene, view, &instances[i], 1, options, error))
            return false;
    return true;
}

/* A posed scene covers the same pixels as its sampled vertices: root transform, tags and
 * cross-fades agree with the processor. */
TEST(test_root_and_cross_fade) {
    AT_END(close_player) player p;
    lm_error error = {0};
    open_player(&p);
    OWNED(lm_gl_scene) *scene = lm_gl_scene_new(world.gl, &p.scene, &error);
    assert_non_null(scene);
    for (unsigned i = 0; i < NUM_INSTANCES; i++) {
        static uint8_t mask[PIXELS];
        const player_state s = state_of(&p, i);
        const lm_gl_scene_instance instance = instance_of(&s);
        const lm_gl_view view = view_of(20 + 50 * (float)i);
        memset(mask, 0, sizeof mask);
        fill_player(&p, &s, &view, mask);
        begin();
        end(draw_each(scene, &instance, 1, &view, &flat, &error), drawn, &error);
        expect_mask(mask, drawn, 200);
    }
}

static PFNGLDRAWELEMENTSPROC real_draw;
static PFNGLDRAWELEMENTSINSTANCEDPROC real_draw_instanced;
static unsigned num_draws;

static void GLAPIENTRY count_draw(GLenum mode, GLsizei count, GLenum type, const void *offset) {
    num_draws++;
    real_draw(mode, count, type, offset);
}

static void GLAPIENTRY count_draw_instanced(GLenum mode, GLsizei count, GLenum type,
                                            const void *offset, GLsizei instances) {
    num_draws++;
    assert_int_equal(instances, NUM_INSTANCES);
    real_draw_instanced(mode, count, type, offset, instances);
}

/* Instances cover the pixels of each of them, look as if drawn one by one, and take one draw call
 * per surface. */
TEST(test_instances_of_a_scene) {
    static uint8_t mask[PIXELS];
    AT_END(close_player) player p;
    player_state states[NUM_INSTANCES];
    lm_gl_scene_instance instances[NUM_INSTANCES];
    lm_error error = {0};
    const lm_gl_view view = view_of(40);
    open_player(&p);
    OWNED(lm_gl_scene) *scene = lm_gl_scene_new(world.gl, &p.scene, &error);
    assert_non_null(scene);
    for (unsigned i = 0; i < NUM_INSTANCES; i++) {
        states[i] = state_of(&p, i);
        instances[i] = instance_of(&states[i]);
        fill_player(&p, &states[i], &view, mask);
    }
    begin();
    end(draw_each(scene, instances, NUM_INSTANCES, &view, &flat, &error), other, &error);
    expect_mask(mask, other, 2500);
    begin(); /* libepoxy finds a function when it is first called */
    assert_true(lm_gl_scene_draw(scene, &view, instances, NUM_INSTANCES, &flat, &error));
    begin();
    real_draw = epoxy_glDrawElements;
    real_draw_instanced = epoxy_glDrawElementsInstanced;
    epoxy_glDrawElements = count_draw;
    epoxy_glDrawElementsInstanced = count_draw_instanced;
    const bool ok = lm_gl_scene_draw(scene, &view, instances, NUM_INSTANCES, &flat, &error);
    epoxy_glDrawElements = real_draw;
    epoxy_glDrawElementsInstanced = real_draw_instanced;
    end(ok, drawn, &error);
    assert_int_equal(num_draws, 2 * p.head->num_surfaces + p.body->num_surfaces);
    expect_mask(mask, drawn, 2500);
    unsigned apart = 0;
    for (size_t i = 0; i < sizeof drawn; i++)
        apart += abs(drawn[i] - other[i]) > 3;
    printf("%u of %zu bytes differ\n", apart, sizeof drawn);
    assert_true(apart * 200 < sizeof drawn);
}

/* Surfaces with shaders are drawn for each instance. */
TEST(test_instances_with_shaders) {
    const lm_stage glow = {.rgb_gen = LM_RGB_CONST, .rgb = {1, 1, 1}};
    const lm_shader shader = {.num_stages = 1, .stages = &glow, .sides = LM_SIDES_BOTH};
    const lm_scene_material material = {.name = "", .texture = LM_NO_TEXTURE, .shader = &shader};
    const lm_material_set skin = {.name = "", .materials = &material};
    static uint8_t mask[PIXELS];
    AT_END(close_player) player p;
    lm_error error = {0};
    const lm_gl_view view = view_of(40);
    open_player(&p);
    p.parts[0] = (lm_scene_part){.model = p.body, .num_skins = 1, .skins = &skin};
    p.scene.num_parts = 1;
    player_state states[NUM_INSTANCES];
    lm_gl_scene_instance instances[NUM_INSTANCES];
    OWNED(lm_gl_scene) *scene = lm_gl_scene_new(world.gl, &p.scene, &error);
    assert_non_null(scene);
    for (unsigned i = 0; i < NUM_INSTANCES; i++) {
        const lm_transform origin = LM_TRANSFORM_IDENTITY;
        states[i] = state_of(&p, i);
        instances[i] = instance_of(&states[i]);
        fill_surface(p.body, 0, &states[i], 0, &origin, &view, mask);
    }
    begin();
    end(lm_gl_scene_draw(scene, &view, instances, NUM_INSTANCES, NULL, &error), drawn, &error);
    expect_mask(mask, drawn, 2000);
}

/* ---- Sharing ------------------------------------------------------------------------------- */

static unsigned count_objects(void) {
    unsigned count = 0;
    for (GLuint name = 1; name < 4000; name++) {
        count += glIsBuffer(name);
        count += glIsTexture(name);
        count += glIsVertexArray(name);
    }
    return count;
}

/* A hundred scenes of the same models and pixels share one upload, which exists until the last of
 * them is freed. */
TEST(test_scenes_share_uploads) {
    static const uint8_t pixels[2 * 2 * 4] = {255, 0, 0, 255, 0, 255, 0, 255,
                                              255, 0, 0, 255, 0, 255, 0, 255};
    const lm_scene_texture texture = {.name = "", .width = 2, .height = 2, .pixels = pixels};
    lm_scene_material materials[8];
    const lm_material_set skin = {.name = "", .materials = materials};
    const lm_gl_view view = view_of(40);
    lm_gl_scene *scenes[100];
    AT_END(close_player) player p;
    lm_error error = {0};
    for (int i = 0; i < 8; i++)
        materials[i] = (lm_scene_material){.name = "", .texture = 0};
    open_player(&p);
    for (int k = 0; k < NUM_PARTS; k++) {
        p.parts[k].num_skins = 1;
        p.parts[k].skins = &skin;
    }
    p.scene.num_textures = 1;
    p.scene.textures = &texture;
    const unsigned before = count_objects();
    unsigned one = 0;
    for (int i = 0; i < 100; i++) {
        scenes[i] = lm_gl_scene_new(world.gl, &p.scene, &error);
        assert_non_null(scenes[i]);
        one = one ? one : count_objects();
    }
    assert_true(one > before);
    assert_int_equal(count_objects(), one);
    lm_gl_model *head = lm_gl_model_new(world.gl, p.head, &error);
    begin();
    end(lm_gl_scene_draw(scenes[0], &view, AT_REST, 1, NULL, &error), drawn, &error);
    for (int i = 0; i < 99; i++)
        lm_gl_scene_free(scenes[i]);
    begin();
    end(lm_gl_scene_draw(scenes[99], &view, AT_REST, 1, NULL, &error), other, &error);
    assert_memory_equal(drawn, other, sizeof drawn);
    assert_int_equal(count_objects(), one);
    lm_gl_scene_free(scenes[99]);
    assert_in_range(count_objects(), before + 1, one - 1); /* the head remains */
    begin();
    assert_true(lm_gl_draw(head, &view, AT_ORIGIN({0, 0, 0}), 1, NULL, &error));
    lm_gl_model_free(head);
    assert_int_equal(count_objects(), before);
}

/* ---- Defaults ------------------------------------------------------------------------------ */

/* Zeros are the first frame at the origin, of models and of scenes. */
TEST(test_zeroed_instances) {
    const lm_transform origin = LM_TRANSFORM_IDENTITY;
    const lm_pose first[NUM_PARTS] = {{0, 0, 0}};
    const lm_gl_instance models[2] = {{.transform = &origin}, {.weight = 0}};
    const lm_gl_scene_instance scenes[2] = {{.transform = &origin, .poses = first},
                                            {.poses = NULL}};
    const lm_gl_view view = view_of(40);
    AT_END(close_player) player p;
    lm_error error = {0};
    open_player(&p);
    OWNED(lm_gl_scene) *scene = lm_gl_scene_new(world.gl, &p.scene, &error);
    OWNED(lm_gl_model) *model = lm_gl_model_new(world.gl, p.body, &error);
    assert_true(scene && model);
    for (int kind = 0; kind < 3; kind++) {
        for (int zero = 0; zero < 2; zero++) {
            const lm_gl_instance two[2] = {models[zero], models[zero]};
            begin();
            end(kind == 2 ? lm_gl_scene_draw(scene, &view, &scenes[zero], 1, NULL, &error)
                          : lm_gl_draw(model, &view, two, kind == 0 ? 1 : 2, NULL, &error),
                zero ? other : drawn, &error);
        }
        unsigned covered = 0;
        for (size_t i = 3; i < sizeof other; i += 4)
            covered += other[i] > 0;
        assert_true(covered > 300);
        assert_memory_equal(drawn, other, sizeof drawn);
    }
}

/* A fit includes what is shown: the box around all parts, and the axes, in the size of all. */
TEST(test_fit_includes_guides) {
    AT_END(close_player) player p;
    lm_error error = {0};
    lm_gl_box plain, boxes[2][2];
    open_player(&p);
    for (uint32_t parts = 1; parts <= NUM_PARTS; parts += NUM_PARTS - 1) {
        p.scene.num_parts = parts;
        OWNED(lm_gl_scene) *scene = lm_gl_scene_new(world.gl, &p.scene, &error);
        assert_done(scene, error);
        for (int axes = 0; axes < 2; axes++) {
            const unsigned show = axes ? LM_GL_SHOW_AXES : LM_GL_SHOW_BOX;
            lm_gl_box *box = &boxes[parts > 1][axes];
            lm_gl_camera camera = {.azimuth = 30}, closer = camera;
            lm_gl_view view;
            assert_true(lm_gl_scene_fit(scene, AT_REST, 1, NULL, &closer, &plain, &error));
            assert_true(lm_gl_scene_fit(scene, AT_REST, 1, &(lm_gl_render_options){.show = show},
                                        &camera, box, &error));
            assert_true(box->min.y <= plain.min.y && box->max.y >= plain.max.y);
            lm_gl_camera_view(&camera, &view);
            for (int i = 0; !axes && i < 8; i++) { /* all corners are in the image */
                float at[2];
                project(&view,
                        (lm_vec3){i & 1 ? box->max.x : box->min.x, i & 2 ? box->max.y : box->min.y,
                                  i & 4 ? box->max.z : box->min.z},
                        at);
                assert_true(fabsf(at[0] - SIDE / 2.0f) < SIDE * 0.501f &&
                            fabsf(at[1] - SIDE / 2.0f) < SIDE * 0.501f);
            }
        }
    }
    for (int axes = 0; axes < 2; axes++)
        assert_true(boxes[1][axes].max.z - boxes[1][axes].min.z >
                    1.2f * (boxes[0][axes].max.z - boxes[0][axes].min.z));
}

/* ---- Arguments ----------------------------------------------------------------------------- */

static void expect_call_rejected(bool done, lm_error *error) {
    assert_false(done);
    assert_int_equal(error->code, LM_CODE_BAD_ARGUMENT);
    assert_true(error->message[0] != '\0');
    *error = (lm_error){0};
}

TEST(test_bad_poses_of_scenes) {
    AT_END(close_player) player p;
    lm_error error = {0};
    open_player(&p);
    OWNED(lm_gl_scene) *scene = lm_gl_scene_new(world.gl, &p.scene, &error);
    const player_state good = state_of(&p, 1);
    player_state bad[4] = {good, good, good, good};
    const lm_gl_view view = view_of(0);
    assert_non_null(scene);
    bad[0].from[1].frame_b = p.head->num_frames;
    bad[1].to[2].t = NAN;
    bad[2].weights[0] = 1.5f;
    bad[3].weights[1] = NAN;
    for (int i = 0; i < 4; i++) {
        const lm_gl_scene_instance two[2] = {instance_of(&good), instance_of(&bad[i])};
        lm_gl_camera camera = {.azimuth = 1};
        expect_call_rejected(lm_gl_scene_draw(scene, &view, &two[1], 1, NULL, &error), &error);
        expect_call_rejected(lm_gl_scene_fit(scene, two, 2, NULL, &camera, NULL, &error), &error);
        assert_true(camera.distance <= 0);
        expect_call_rejected(lm_gl_scene_draw(scene, &view, two, 2, NULL, &error), &error);
        assert_true(lm_gl_scene_draw(scene, &view, two, 1, NULL, &error));
        assert_true(lm_gl_scene_draw(scene, &view, NULL, 0, NULL, &error));
    }
    lm_gl_scene_instance half = instance_of(&good);
    half.weights = NULL;
    expect_call_rejected(lm_gl_scene_draw(scene, &view, &half, 1, NULL, &error), &error);
    half = instance_of(&good);
    half.to = NULL;
    expect_call_rejected(lm_gl_scene_draw(scene, &view, &half, 1, NULL, &error), &error);
}

TEST(test_unknown_values_of_scenes) {
    const lm_gl_box nowhere[] = {{.any = true, .max = {1, NAN, 1}},
                                 {.any = true, .min = {-INFINITY, 0, 0}}};
    const lm_diagnostic_triangle marks[] = {{99, {0, 0, 0}}, {0, {0, 99999, 0}}, {0, {0, 0, 0}}};
    const lm_gl_render_options options[] = {
        {.shade = (lm_gl_shade)77},
        {.engine = LM_NUM_ENGINES},
        {.show = 128},
        {.extent = &nowhere[0]},
        {.extent = &nowhere[1]},
        {.shade = (lm_gl_shade)-1},
        {.exposure = -1},
        {.exposure = NAN},
        {.num_marks = 1},
        {.num_marks = 1, .marks = &marks[0]},
        {.num_marks = 1, .marks = &marks[1]},
        {.num_marks = 1, .marks = &marks[2], .marked_part = 9},
    };
    const lm_gl_view view = view_of(0);
    const lm_gl_scene_instance none[2] = {{.seconds = 0}};
    lm_gl_camera camera = {.azimuth = 1};
    lm_gl_box box = {.any = false};
    lm_error error = {0};
    AT_END(close_player) player p;
    open_player(&p);
    OWNED(lm_gl_scene) *scene = lm_gl_scene_new(world.gl, &p.scene, &error);
    assert_done(scene, error);
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        expect_call_rejected(lm_gl_scene_draw(scene, &view, none, 1, &options[i], &error), &error);
        expect_call_rejected(lm_gl_scene_draw(scene, &view, none, 0, &options[i], &error), &error);
        expect_call_rejected(lm_gl_scene_fit(scene, none, 1, &options[i], &camera, &box, &error),
                             &error);
    }
    assert_false(box.any || camera.distance > 0);
    const lm_gl_scene_instance timeless = {.seconds = (double)NAN};
    expect_call_rejected(lm_gl_scene_draw(scene, &view, &timeless, 1, NULL, &error), &error);
    const lm_gl_render_options shown[] = {{.show = LM_GL_SHOW_BOX},
                                          {.num_marks = 1, .marks = &marks[2]}};
    for (int i = 0; i < 2; i++) {
        assert_true(lm_gl_scene_draw(scene, &view, none, 1, &shown[i], &error));
        expect_call_rejected(lm_gl_scene_draw(scene, &view, none, 2, &shown[i], &error), &error);
    }
}

TEST(test_unknown_values_of_models) {
    const lm_gl_style styles[] = {{.shade = (lm_gl_shade)77},
                                  {.exposure = -1},
                                  {.alpha = (lm_gl_alpha)4},
                                  {.engine = (lm_engine)99},
                                  {.num_textures = 1}};
    const lm_gl_instance instances[] = {
        {.weight = NAN},
        {.weight = -0.5f},
        {.to = {0, 99, 0}},
        {.pose = {99, 0, 0}, .weight = 1},
    };
    const lm_gl_view view = view_of(0);
    lm_error error = {0};
    AT_END(close_player) player p;
    open_player(&p);
    OWNED(lm_gl_model) *model = lm_gl_model_new(world.gl, p.body, &error);
    assert_done(model, error);
    for (size_t i = 0; i < sizeof styles / sizeof *styles; i++) {
        expect_call_rejected(lm_gl_draw(model, &view, AT_ORIGIN({0, 0, 0}), 1, &styles[i], &error),
                             &error);
        expect_call_rejected(lm_gl_draw(model, &view, NULL, 0, &styles[i], &error), &error);
    }
    for (size_t i = 0; i < sizeof instances / sizeof *instances; i++) {
        const lm_gl_instance two[2] = {{.weight = 0}, instances[i]};
        expect_call_rejected(lm_gl_draw(model, &view, &instances[i], 1, NULL, &error), &error);
        expect_call_rejected(lm_gl_draw(model, &view, two, 2, NULL, &error), &error);
    }
}

TEST(test_unknown_textures) {
    const uint8_t pixel[4] = {0};
    lm_error error = {0};
    expect_call_rejected(lm_gl_texture_new(world.gl,
                                           &(lm_gl_image){.width = 1, .height = 1, .pixels = pixel},
                                           (lm_gl_filter)3, &error),
                         &error);
    expect_call_rejected(lm_gl_texture_new(world.gl,
                                           &(lm_gl_image){.width = 1, .height = 1, .pixels = NULL},
                                           LM_GL_FILTER_SMOOTH, &error),
                         &error);
}

static int open_scenes(void **state) {
    lm_error error = {0};
    open_world(state);
    target = lm_gl_target_new(world.gl, SIDE, SIDE, 0, &error);
    return target ? 0 : -1;
}

static int close_scenes(void **state) {
    lm_gl_target_free(target);
    return close_world(state);
}

TEST_GROUP(open_scenes, close_scenes)
