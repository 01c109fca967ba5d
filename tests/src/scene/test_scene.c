/* Tests scenes: world transforms and poses of parts, compared with products of 4 x 4 matrices. */
#include "core/bytes.h"
#include "support.h"
#include "synthetic.h"

/* ---- Three models, attached to each other ---------------------------------------------------- */

typedef struct fixture {
    lm_model *lower, *upper, *head;
    lm_scene_part parts[4];
    lm_scene scene;
} fixture;

static fixture make_player(void) {
    fixture f = {.lower = make_model(&(synthetic_options){.num_frames = 9}),
                 .upper = make_model(&(synthetic_options){.num_frames = 7}),
                 .head = make_model(&(synthetic_options){.num_frames = 5})};
    f.parts[0] = (lm_scene_part){.model = f.lower};
    f.parts[1] = (lm_scene_part){.model = f.upper, .tag = "tag_\xE9nd"};
    f.parts[2] = (lm_scene_part){.model = f.head, .parent = 1, .tag = "tag_\xE9nd"};
    f.parts[3] = (lm_scene_part){.model = f.head, .parent = 2, .follows = true};
    return f;
}

/* The fixture must not move after this call. */
static const lm_scene *scene_of(fixture *f) {
    f->scene = (lm_scene){.parts = f->parts, .num_parts = 4};
    lm_error error = {0};
    assert_done(lm_scene_check(&f->scene, &error), error);
    return &f->scene;
}

static void free_player(fixture *f) {
    free_synthetic_model(f->lower);
    free_synthetic_model(f->upper);
    free_synthetic_model(f->head);
}

/* ---- The independent computation ------------------------------------------------------------- */

typedef struct matrix {
    double m[4][4]; /* row, column */
} matrix;

static matrix multiply(matrix a, matrix b) {
    matrix out = {{{0}}};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            for (int k = 0; k < 4; k++)
                out.m[i][j] += a.m[i][k] * b.m[k][j];
    return out;
}

static matrix turn(unsigned about, double degrees) {
    unsigned i = (about + 1) % 3, j = (about + 2) % 3;
    double c = cos(degrees * 3.14159265358979323846 / 180);
    double s = sin(degrees * 3.14159265358979323846 / 180);
    matrix out = {{{1}, {0, 1}, {0, 0, 1}, {0, 0, 0, 1}}};
    out.m[i][i] = out.m[j][j] = c;
    out.m[i][j] = -s;
    out.m[j][i] = s;
    return out;
}

/* Computes a synthetic model's tag (MDC, W. Prinz, 2.3): yaw about up, then pitch (down is
 * positive) about left, then roll about forward. */
static matrix tag_matrix(const lm_model *model, uint32_t frame) {
    const uint8_t *p = model->tags[0].poses + frame * model->tags[0].pose_stride;
    double angles[3];
    for (unsigned i = 0; i < 3; i++)
        angles[i] = lmi_get_s16(p + 6 + 2 * i) * 360.0 / 32700;
    matrix out = multiply(multiply(turn(2, angles[1]), turn(1, angles[0])), turn(0, angles[2]));
    for (unsigned i = 0; i < 3; i++)
        out.m[i][3] = lmi_get_s16(p + 2 * i) / 64.0;
    return out;
}

static void assert_near(lm_vec3 got, const double want[3], double tolerance) {
    double off = hypot(hypot(got.x - want[0], got.y - want[1]), got.z - want[2]);
    if (!(off <= tolerance))
        fail_msg("(%g %g %g) instead of (%g %g %g)", (double)got.x, (double)got.y, (double)got.z,
                 want[0], want[1], want[2]);
}

static lm_vec3 moved(const lm_transform *transform, lm_vec3 point) {
    lm_transform_vertices(transform, &point, NULL, 1, 0);
    return point;
}

static void assert_transform(const lm_transform *place, matrix want) {
    static const lm_vec3 points[] = {{0, 0, 0}, {10, 0, 0}, {0, 20, 0}, {0, 0, 30}, {5, -7, 11}};
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        const double p[] = {points[i].x, points[i].y, points[i].z, 1};
        double q[3] = {0, 0, 0};
        for (int row = 0; row < 3; row++)
            for (int k = 0; k < 4; k++)
                q[row] += want.m[row][k] * p[k];
        assert_near(moved(place, points[i]), q, 1e-4);
    }
}

TEST(nested_tags_are_products_of_matrices) {
    AT_END(free_player) fixture f = make_player();
    const lm_scene *scene = scene_of(&f);
    for (uint32_t frame = 0; frame < 5; frame++) {
        const lm_pose poses[] = {
            {8 - frame, 8 - frame, 0}, {frame + 2, frame, 0}, {frame, frame, 0}, {0, 0, 0}};
        lm_transform places[4];
        assert_true(lm_scene_evaluate(scene, poses, NULL, NULL, places, NULL));
        matrix upper = tag_matrix(f.lower, 8 - frame);
        matrix head = multiply(upper, tag_matrix(f.upper, frame + 2));
        assert_transform(&places[0], (matrix){{{1}, {0, 1}, {0, 0, 1}, {0, 0, 0, 1}}});
        assert_transform(&places[1], upper);
        assert_transform(&places[2], head);
        assert_transform(&places[3], head);
    }
}

TEST(tags_between_frames_equal_the_samplers) {
    AT_END(free_player) fixture f = make_player();
    const lm_pose poses[] = {{2, 3, 0.25f}, {4, 5, 0.5f}, {0, 0, 0}, {0, 0, 0}};
    lm_transform places[4], tag;
    assert_true(lm_scene_evaluate(scene_of(&f), poses, NULL, NULL, places, NULL));
    assert_int_equal(lm_sample_tag(f.lower, 0, &poses[0], &tag), LM_CODE_OK);
    assert_memory_equal(&places[1].axis, &tag.axis, sizeof tag.axis);
    assert_memory_equal(&places[1].origin, &tag.origin, sizeof tag.origin);
}

TEST(parts_without_tags_are_at_the_origin) {
    static const lm_transform identity = LM_TRANSFORM_IDENTITY;
    AT_END(free_player) fixture f = make_player();
    const lm_scene_part alone[] = {
        {.model = f.upper}, {.model = f.head}, {.model = f.head, .parent = 1}};
    f.scene = (lm_scene){.parts = alone, .num_parts = 3};
    const lm_pose poses[] = {{1, 1, 0}, {2, 2, 0}, {3, 3, 0}};
    lm_transform places[3];
    assert_true(lm_scene_check(&f.scene, NULL));
    assert_true(lm_scene_evaluate(&f.scene, poses, NULL, NULL, places, NULL));
    for (int i = 0; i < 3; i++)
        assert_memory_equal(&places[i], &identity, sizeof identity);
}

#define EXPECT_REFUSED(from, to, weights, sentence)                                \
    do {                                                                           \
        lm_error error = {.code = LM_CODE_OK};                                     \
        assert_false(lm_scene_evaluate(scene, from, to, weights, places, &error)); \
        assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);                        \
        assert_string_equal(error.message, sentence);                              \
        assert_false(lm_scene_evaluate(scene, from, to, weights, places, NULL));   \
    } while (0)

TEST(invalid_poses_are_rejected) {
    AT_END(free_player) fixture f = make_player();
    const lm_scene *scene = scene_of(&f);
    lm_transform places[4];
    lm_pose poses[] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    assert_true(lm_scene_evaluate(scene, poses, NULL, NULL, places, NULL));
    poses[3].frame_b = 5;
    EXPECT_REFUSED(poses, NULL, NULL, "part 3 has 5 frames, but its pose uses frames 0 and 5");
    poses[3] = (lm_pose){0, 0, NAN};
    EXPECT_REFUSED(poses, NULL, NULL, "the pose of part 3 is not between its two frames");
}

/* ---- From pose to pose ----------------------------------------------------------------------- */

static const lm_pose fade_from[] = {{2, 3, 0.25f}, {4, 5, 0.5f}, {0, 1, 0.75f}, {0, 1, 0.75f}};
static const lm_pose fade_to[] = {{8, 0, 0.5f}, {6, 6, 0}, {3, 4, 0.125f}, {3, 4, 0.125f}};

TEST(a_fade_ends_in_the_pure_poses) {
    AT_END(free_player) fixture f = make_player();
    const lm_scene *scene = scene_of(&f);
    for (int end = 0; end < 2; end++) {
        const float w = (float)end, weights[] = {w, w, w, w};
        const lm_pose *pure = end ? fade_to : fade_from;
        lm_transform mixed[4], places[4];
        assert_true(lm_scene_evaluate(scene, fade_from, fade_to, weights, mixed, NULL));
        assert_true(lm_scene_evaluate(scene, pure, NULL, NULL, places, NULL));
        assert_memory_equal(mixed, places, sizeof places);
        for (uint32_t i = 0; i < 4; i++) {
            const lm_model *model = scene->parts[i].model;
            size_t count = 3 * (size_t)model->surfaces[0].num_vertices;
            float *a = calloc(4 * count, sizeof *a), *b = a + 2 * count;
            lm_sample_target target = {.positions = a, .normals = a + count};
            lm_sample_blend(model, 0, &fade_from[i], &fade_to[i], weights[i], &target);
            target = (lm_sample_target){.positions = b, .normals = b + count};
            lm_sample(model, 0, &pure[i], 1, &target);
            assert_memory_equal(a, b, 2 * count * sizeof *a);
            free(a);
        }
    }
}

TEST(in_a_fade_each_part_has_its_weight) {
    const float weights[] = {0.25f, 0.875f, 1, 1};
    AT_END(free_player) fixture f = make_player();
    lm_transform places[4], tag, want[2];
    assert_true(lm_scene_evaluate(scene_of(&f), fade_from, fade_to, weights, places, NULL));
    assert_int_equal(lm_sample_tag_blend(f.lower, 0, &fade_from[0], &fade_to[0], 0.25f, &tag),
                     LM_CODE_OK);
    lm_transform_nest(NULL, &tag, &want[0]);
    assert_int_equal(lm_sample_tag_blend(f.upper, 0, &fade_from[1], &fade_to[1], 0.875f, &tag),
                     LM_CODE_OK);
    lm_transform_nest(&want[0], &tag, &want[1]);
    assert_memory_equal(&places[1], &want[0], sizeof tag);
    assert_memory_equal(&places[2], &want[1], sizeof tag);
    assert_memory_equal(&places[3], &want[1], sizeof tag);
}

TEST(fades_of_invalid_poses_or_weights_are_rejected) {
    static const float wrong[] = {-0.5f, 1.5f, NAN};
    float weights[] = {0, 0.5f, 1, 1};
    AT_END(free_player) fixture f = make_player();
    const lm_scene *scene = scene_of(&f);
    lm_transform places[4];
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        for (int part = 0; part < 4; part++) {
            float good = weights[part];
            weights[part] = wrong[i];
            assert_false(lm_scene_evaluate(scene, fade_from, fade_to, weights, places, NULL));
            weights[part] = good;
        }
    assert_false(lm_scene_evaluate(&(lm_scene){0}, fade_from, NULL, NULL, places, NULL));
    lm_pose beyond[4];
    memcpy(beyond, fade_to, sizeof beyond);
    beyond[3].frame_a = 5;
    EXPECT_REFUSED(fade_from, beyond, weights,
                   "part 3 has 5 frames, but its pose uses frames 5 and 4");
    EXPECT_REFUSED(beyond, fade_to, weights,
                   "part 3 has 5 frames, but its pose uses frames 5 and 4");
    EXPECT_REFUSED(fade_from, fade_to, NULL, "a cross-fade needs both to and weights");
    EXPECT_REFUSED(fade_from, NULL, weights, "a cross-fade needs both to and weights");
    assert_true(lm_scene_evaluate(scene, fade_from, fade_to, weights, places, NULL));
}

/* ---- Time ------------------------------------------------------------------------------------ */

TEST(each_part_plays_its_matching_clip) {
    static const lm_clip legs[] = {
        {.name = "walk", .first = 2, .count = 4, .fps = 10, .loop_frames = 4},
        {.name = "die", .first = 0, .count = 2, .fps = 10, .loop_frames = 0}};
    static const lm_clip torso[] = {
        {.name = "die", .first = 3, .count = 4, .fps = 5, .loop_frames = 0},
        {.name = "stand", .first = 1, .count = 2, .fps = 10, .loop_frames = 2}};
    AT_END(free_player) fixture f = make_player();
    f.parts[0].clips = legs, f.parts[0].num_clips = 2;
    f.parts[1].clips = torso, f.parts[1].num_clips = 2;
    f.parts[1].idle = &torso[1];
    f.parts[3].parent = 0; /* has 5 frames, and follows one of 9 */
    const lm_scene *scene = scene_of(&f);
    lm_pose poses[4];
    lm_scene_pose(scene, "walk", 0.35, poses);
    assert_int_equal(poses[0].frame_a, 5);
    assert_int_equal(poses[0].frame_b, 2);
    assert_float_equal(poses[0].t, 0.5, 1e-4);
    assert_int_equal(poses[1].frame_a, 2); /* 3.5 frames into a loop of 2 */
    assert_int_equal(poses[1].frame_b, 1);
    assert_int_equal(poses[2].frame_a, 0); /* has neither the clip nor an idle one */
    assert_float_equal(poses[2].t, 0, 0);
    assert_int_equal(poses[3].frame_a, 4);
    assert_int_equal(poses[3].frame_b, 2);
    lm_scene_pose(scene, "die", 0.2, poses);
    assert_int_equal(poses[0].frame_a, 1); /* stays on its last frame */
    assert_int_equal(poses[1].frame_a, 4);
    assert_null(lm_scene_find_clip(scene, 0, NULL));
    assert_null(lm_scene_find_clip(scene, 99, "stand"));
    assert_null(lm_scene_find_clip(NULL, 0, "stand"));
    assert_int_equal(lm_model_find_tag(NULL, "tag_torso"), LM_NO_TAG);
    assert_null(lm_scene_find_clip(scene, 0, "stand"));
    assert_null(lm_scene_find_clip(scene, 3, "all"));
    assert_ptr_equal(lm_scene_find_clip(scene, 1, "stand"), &torso[1]);
    assert_string_equal(lm_scene_find_clip(scene, 2, "all")->name, "all");
    lm_scene_pose(scene, NULL, 0.1, poses);
    assert_int_equal(poses[0].frame_a, 0);
    assert_int_equal(poses[1].frame_a, 2);
    /* With joined names each part plays the first one that it has. */
    assert_ptr_equal(lm_scene_find_clip(scene, 0, "walk+stand"), &legs[0]);
    assert_ptr_equal(lm_scene_find_clip(scene, 1, "walk+stand"), &torso[1]);
    assert_ptr_equal(lm_scene_find_clip(scene, 1, "walk+die+stand"), &torso[0]);
    assert_ptr_equal(lm_scene_find_clip(scene, 1, "walk+run+stand"), &torso[1]);
    assert_null(lm_scene_find_clip(scene, 2, "walk+stand"));
    assert_null(lm_scene_find_clip(scene, 0, "stand+"));
    assert_null(lm_scene_find_clip(scene, 0, "wal+stand"));
    assert_null(lm_scene_find_clip(scene, 0, "+"));
    lm_scene_pose(scene, "walk+stand", 0.1, poses);
    assert_int_equal(poses[0].frame_a, 3);
    assert_int_equal(poses[1].frame_a, 2);
}

static bool is_point(const lm_transform *place) {
    bool all = true;
    for (int i = 0; i < 3; i++)
        all = all && place->axis[i].x == 0 && place->axis[i].y == 0 && place->axis[i].z == 0;
    return all;
}

/* A part that plays a hidden clip is a point, and so are those that it holds. Time that is negative
 * zero hides nothing. */
TEST(hidden_clips_make_points) {
    static const lm_clip torso[] = {
        {.name = "walk", .first = 1, .count = 2, .fps = 10, .loop_frames = 2, .hidden = true},
        {.name = "die", .first = 1, .count = 2, .fps = 10, .loop_frames = 2}};
    AT_END(free_player) fixture f = make_player();
    f.parts[1].clips = torso, f.parts[1].num_clips = 2;
    const lm_scene *scene = scene_of(&f);
    lm_pose hidden[4], shown[4];
    lm_transform places[4], expected[4];
    lm_scene_pose(scene, "walk", 0.05, hidden);
    lm_scene_pose(scene, "die", -0.0, shown);
    assert_int_equal(hidden[1].frame_a, 1);
    assert_true(hidden[1].hidden && !shown[1].hidden && !hidden[0].hidden);
    assert_float_equal(hidden[1].t, 0.5f, 1e-6f);
    assert_true(lm_scene_evaluate(scene, shown, NULL, NULL, expected, NULL));
    assert_true(lm_scene_evaluate(scene, hidden, NULL, NULL, places, NULL));
    for (uint32_t i = 0; i < 4; i++)
        assert_true(is_point(&places[i]) == (i > 0));
    assert_memory_equal(&places[1].origin, &places[2].origin, sizeof places[1].origin);
    for (int i = 0; i < 3; i++) { /* in a cross-fade, the nearer pose counts */
        const float w = 0.25f + 0.25f * (float)i, weights[] = {0, w, 0, 0};
        assert_true(lm_scene_evaluate(scene, shown, hidden, weights, places, NULL));
        assert_true(is_point(&places[1]) == (i == 2));
    }
    const lm_playback stepped = {.clip = &torso[0], .playing = true, .stepped = true};
    lm_playback_scene(&stepped, scene, 1, "walk", hidden);
    assert_true(hidden[1].hidden && hidden[1].t == 0 && !hidden[0].hidden);
    const float still[4] = {0};
    assert_true(lm_scene_evaluate(scene, shown, hidden, still, places, NULL));
    assert_memory_equal(places, expected, sizeof places);
}

/* ---- Tags by name ---------------------------------------------------------------------------- */

TEST(tags_are_found_by_name) {
    AT_END(free_player) fixture f = make_player();
    lm_tag both[] = {f.lower->tags[0], f.lower->tags[0]};
    both[0].name = "tag_Torso", both[1].name = "TAG_TORSO";
    const lm_model two = {.tags = both, .num_tags = 2};
    assert_int_equal(lm_model_find_tag(&two, "TAG_TORSO"), 1);
    assert_int_equal(lm_model_find_tag(&two, "tag_torso"), 0);
    assert_int_equal(lm_model_find_tag(&two, "tag_torsos"), LM_NO_TAG);
    assert_int_equal(lm_model_find_tag(&two, "tag_tors"), LM_NO_TAG);
    assert_int_equal(lm_model_find_tag(&two, NULL), LM_NO_TAG);
}

TEST(scenes_may_have_the_maximum_of_parts) {
    AT_END(free_player) fixture f = make_player();
    lm_scene_part parts[LM_MAX_PARTS] = {f.parts[0]};
    for (uint32_t i = 1; i < LM_MAX_PARTS; i++)
        parts[i] = (lm_scene_part){.model = f.head, .parent = i - 1};
    const lm_scene scene = {.parts = parts, .num_parts = LM_MAX_PARTS};
    assert_true(lm_scene_check(&scene, NULL));
}

/* Tangents of a surface stay in it. Its normal stays perpendicular to them, with length 1, and a
 * mirror does not turn it inward. If the transform flattens the surface, the normals are kept. */
TEST(points_and_normals_are_transformed) {
    static const lm_transform list[] = {
        {{1, 2, 3}, {{2, 0, 0}, {0, 3, 0}, {0, 0, 0.5f}}},
        {{-4, 0, 1}, {{0, 1, 0}, {1, 0.5f, 0}, {0, 0, -1}}},
        {{0, 7, 0}, {{-1, 0, 0}, {0, 1, 0.25f}, {0.5f, 0, 1}}},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        /* A corner, the ends of its three edges, and the normals of the planes between these. */
        lm_vec3 p[4] = {{1, 1, 1}, {2, 1, 1}, {1, 2, 1}, {1, 1, 2}};
        lm_vec3 n[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        lm_transform_vertices(&list[i], p, NULL, 4, 0);
        lm_transform_vertices(&list[i], NULL, n, 3, 0);
        for (int k = 0; k < 3; k++) {
            const lm_vec3 *a = list[i].axis, *o = &list[i].origin;
            assert_float_equal(p[0].x, o->x + a[0].x + a[1].x + a[2].x, 1e-5);
            assert_float_equal(n[k].x * n[k].x + n[k].y * n[k].y + n[k].z * n[k].z, 1, 1e-5);
            for (int side = 0; side < 3; side++) {
                float along = n[k].x * (p[1 + side].x - p[0].x) +
                              n[k].y * (p[1 + side].y - p[0].y) + n[k].z * (p[1 + side].z - p[0].z);
                assert_true(side == k ? along > 0.1f : fabsf(along) < 1e-5f);
            }
        }
        lm_transform_vertices(NULL, p, NULL, 4, 0);
        lm_transform_vertices(NULL, NULL, n, 3, 0);
    }
    float rows[2][8] = {{1, 1, 1, 1, 0, 0, 7, 8}, {2, 1, 1, 0, 1, 0, 9, 10}}; /* interleaved */
    lm_vec3 apart[4] = {{1, 1, 1}, {2, 1, 1}, {1, 0, 0}, {0, 1, 0}};
    lm_transform_vertices(&list[1], rows[0], rows[0] + 3, 2, sizeof rows[0]);
    lm_transform_vertices(&list[1], apart, apart + 2, 2, 0);
    for (int i = 0; i < 2; i++) {
        assert_memory_equal(rows[i], &apart[i], sizeof *apart);
        assert_memory_equal(rows[i] + 3, &apart[2 + i], sizeof *apart);
        assert_true(rows[i][6] == 7 + 2 * (float)i && rows[i][7] == 8 + 2 * (float)i);
    }
    const lm_transform flat = {{0, 0, 0}, {{1, 0, 0}, {1, 0, 0}, {1, 0, 0}}};
    lm_vec3 n = {0.6f, 0, 0.8f};
    lm_transform_vertices(&flat, NULL, &n, 1, 0);
    assert_true(n.x == 0.6f && n.y == 0 && n.z == 0.8f);
}

/* Tests the clock that plays clips. */

#define NEAR 1e-6

static lm_clip clip;

/* Ten frames from frame 100 on, at 10 fps. */
static lm_playback make(lm_play_mode mode) {
    clip = (lm_clip){.name = "", .first = 100, .count = 10, .fps = 10, .loop_frames = 10};
    return (lm_playback){.clip = &clip, .mode = mode, .playing = true};
}

static double frame_now(const lm_playback *p) {
    const lm_model model = {.num_frames = 110};
    const lm_scene_part part = {.model = &model};
    lm_pose pose;
    lm_playback_scene(p, &(lm_scene){.num_parts = 1, .parts = &part}, 0, NULL, &pose);
    return (double)pose.frame_a + (double)pose.t * ((double)pose.frame_b - (double)pose.frame_a);
}

TEST(test_plays_at_its_rate) {
    lm_playback p = make(LM_PLAY_LOOP);
    assert_true(lm_playback_advance(&p, 0.35));
    assert_true(fabs(frame_now(&p) - 103.5) < NEAR);
    assert_true(fabs(lm_playback_position(&p) - 3.5) < NEAR);
    p.speed = 2;
    lm_playback_advance(&p, 0.1);
    assert_true(fabs(lm_playback_position(&p) - 5.5) < NEAR);
    lm_playback_advance(&p, 0.2); /* between the last frame and the first */
    assert_true(fabs(lm_playback_position(&p) - 9.5) < NEAR);
    lm_playback_set(&p, p.mode, p.backwards, false);
    assert_false(lm_playback_advance(&p, 1));
}

TEST(test_stops_at_the_end) {
    lm_playback p = make(LM_PLAY_ONCE);
    lm_playback_advance(&p, 100);
    assert_false(p.playing);
    assert_true(fabs(frame_now(&p) - 109) < NEAR);
    lm_playback_set(&p, p.mode, p.backwards, true); /* from its start again */
    assert_true(fabs(frame_now(&p) - 100) < NEAR);
    p = make(LM_PLAY_AS_CLIP);
    clip.loop_frames = 0;
    lm_playback_advance(&p, 100);
    assert_false(p.playing);
    p = make(LM_PLAY_AS_CLIP);
    lm_playback_advance(&p, 100);
    assert_true(p.playing);
}

TEST(test_there_and_back) {
    lm_playback p = make(LM_PLAY_PING_PONG);
    lm_playback_advance(&p, 1.2); /* nine frames forward, three back */
    assert_true(fabs(lm_playback_position(&p) - 6) < NEAR);
    assert_true(p.playing);
}

TEST(test_backwards) {
    lm_playback p = make(LM_PLAY_LOOP);
    lm_playback_seek(&p, 6);
    lm_playback_set(&p, p.mode, true, p.playing);
    assert_true(fabs(lm_playback_position(&p) - 6) < NEAR); /* the position stays */
    lm_playback_advance(&p, 0.25);
    assert_true(fabs(lm_playback_position(&p) - 3.5) < NEAR);
    lm_playback_set(&p, p.mode, false, p.playing);
    assert_true(fabs(lm_playback_position(&p) - 3.5) < NEAR);
    clip.backwards = true; /* the clip's own direction, reversed again */
    lm_playback_set(&p, p.mode, true, p.playing);
    lm_playback_seek(&p, 2);
    lm_playback_advance(&p, 0.1);
    assert_true(fabs(lm_playback_position(&p) - 3) < NEAR);
}

TEST(test_seek_and_step) {
    static const lm_play_mode modes[] = {LM_PLAY_AS_CLIP, LM_PLAY_LOOP, LM_PLAY_ONCE,
                                         LM_PLAY_PING_PONG};
    for (int i = 0; i < 8; i++) {
        lm_playback p = make(modes[i / 2]);
        lm_playback_set(&p, p.mode, i % 2, p.playing);
        for (int frame = 0; frame < 10; frame++) {
            lm_playback_seek(&p, frame);
            assert_true(fabs(lm_playback_position(&p) - frame) < NEAR);
        }
        lm_playback_seek(&p, 1e9);
        assert_true(fabs(lm_playback_position(&p) - 9) < NEAR);
        lm_playback_step(&p, 1); /* wraps around */
        assert_true(fabs(lm_playback_position(&p)) < NEAR);
        lm_playback_step(&p, -1);
        assert_true(fabs(lm_playback_position(&p) - 9) < NEAR);
        assert_false(p.playing);
        lm_playback_seek(&p, (double)NAN);
        assert_true(fabs(lm_playback_position(&p)) < NEAR);
    }
}

TEST(test_frame_by_frame) {
    lm_playback p = make(LM_PLAY_LOOP);
    p.stepped = true;
    lm_playback_advance(&p, 0.39);
    assert_true(frame_now(&p) == 103);
}

/* The position stays if the mode and the direction change, and the clock goes on. */
TEST(test_setting_all) {
    lm_playback p = make(LM_PLAY_LOOP);
    lm_playback_seek(&p, 6);
    lm_playback_set(&p, LM_PLAY_ONCE, true, true);
    assert_true(p.playing && p.mode == LM_PLAY_ONCE && p.backwards);
    assert_true(fabs(lm_playback_position(&p) - 6) < NEAR);
    lm_playback_advance(&p, 9);
    assert_false(p.playing);
    assert_true(fabs(lm_playback_position(&p)) < NEAR);
    lm_playback_set(&p, LM_PLAY_ONCE, false, false);
    assert_true(fabs(lm_playback_position(&p)) < NEAR);
}

/* A playback without a clip, such as {0}, stays on frame 0. */
TEST(test_no_clip) {
    lm_playback p = {.playing = true};
    assert_true(lm_playback_advance(&p, 0.5));
    assert_false(p.playing);
    lm_playback_set(&p, LM_PLAY_PING_PONG, true, true);
    lm_playback_step(&p, 3);
    assert_true(lm_playback_position(&p) == 0 && frame_now(&p) == 0);
}

TEST(test_one_frame) {
    lm_playback p = make(LM_PLAY_LOOP);
    clip.count = clip.loop_frames = 1;
    lm_playback_advance(&p, 0.35);
    lm_playback_step(&p, 1);
    assert_true(frame_now(&p) == 100);
    assert_true(lm_playback_position(&p) == 0);
}

TEST(test_invalid_values) {
    static const float speeds[] = {-2, NAN, INFINITY};
    lm_playback p = make((lm_play_mode)77); /* invalid modes act like LM_PLAY_AS_CLIP, and this clip
                                             * loops */
    lm_playback_advance(&p, 1.25);
    assert_true(p.playing && fabs(frame_now(&p) - 102.5) < NEAR);
    p = make((lm_play_mode)77);
    clip.loop_frames = 0;
    lm_playback_advance(&p, 100);
    assert_false(p.playing);
    assert_true(frame_now(&p) == 109);
    for (size_t i = 0; i < sizeof speeds / sizeof *speeds; i++) {
        p = make(LM_PLAY_LOOP);
        p.speed = speeds[i];
        lm_playback_advance(&p, 0.35);
        assert_true(fabs(frame_now(&p) - 103.5) < NEAR);
    }
}
