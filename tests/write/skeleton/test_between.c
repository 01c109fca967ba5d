/* Tests poses of skeletons between frames, and meshes that they resample. */
#include "documents.h"
#include "lerpmesh/sample.h"
#include "skeleton/evaluate.h"
#include "support.h"
#include "synthetic.h"

enum {
    PART = 24,
    FIXED = 2 * PART,
    VERTICES = FIXED + PART,
    FRAMES = 9
};

/* An arm of two stiff parts along x, each 10 long. The second swings by half a radian per frame,
 * and has a tag at its end. */
typedef struct arm {
    float positions[FRAMES][VERTICES][3];
    uint32_t triangles[3];
    lm_transform ends[FRAMES];
    lm_mesh_tag tag;
    lm_clip clips[2];
    lm_mesh_surface surface;
    lm_mesh mesh;
} arm;

/* The angle of the second part in a frame; the frame may be between two. */
static float angle_at(float frame) {
    return 0.5f * (frame < 5 ? frame : 8 - frame);
}

/* Turns a point about the y axis through (10, 0, 0). */
static lm_vec3 turned(lm_vec3 p, float angle) {
    const float c = cosf(angle), s = sinf(angle), x = p.x - 10;
    return (lm_vec3){10 + c * x + s * p.z, p.y, c * p.z - s * x};
}

static void make_arm(arm *a) {
    chance random = {3};
    *a = (arm){.triangles = {0, 1, 2}};
    for (uint32_t v = 0; v < VERTICES; v++) {
        const float x =
            v < FIXED ? ((float)v + 0.5f) / FIXED : 1 + ((float)(v - FIXED) + 0.5f) / PART;
        const lm_vec3 rest = {10 * x, chance_real(&random, -2, 2), chance_real(&random, -2, 2)};
        for (uint32_t f = 0; f < FRAMES; f++) {
            const lm_vec3 p = v < FIXED ? rest : turned(rest, angle_at((float)f));
            memcpy(a->positions[f][v], &p, sizeof p);
        }
    }
    for (uint32_t f = 0; f < FRAMES; f++) {
        const float angle = angle_at((float)f), c = cosf(angle), s = sinf(angle);
        a->ends[f] =
            (lm_transform){turned((lm_vec3){20, 0, 0}, angle), {{c, 0, -s}, {0, 1, 0}, {s, 0, c}}};
    }
    a->tag = (lm_mesh_tag){.name = "end", .poses = a->ends};
    a->clips[0] = (lm_clip){.name = "swing", .count = 5, .fps = 10};
    a->clips[1] = (lm_clip){.name = "back", .first = 5, .count = 4, .fps = 10, .loop_frames = 4};
    a->surface = MESH_SURFACE(VERTICES, a->positions[0][0], 1, a->triangles, .name = "arm");
    a->mesh = MESH_OF(FRAMES, 1, &a->surface, .num_tags = 1, .tags = &a->tag, .num_clips = 2,
                      .clips = a->clips);
}

static lm_skeleton *fit(const arm *a) {
    lm_error error;
    lm_skeleton *s = lm_skeleton_fit(&a->mesh, &(lm_skeleton_options){.quantum = 1e-3}, &error);
    assert_done(s, error);
    assert_true(s->num_joints == 2 && s->all.max_error < 1e-3);
    return s;
}

static lm_vec3 row(const lm_mesh *mesh, uint32_t frame, uint32_t vertex) {
    const float *p = mesh->surfaces[0].positions + 3 * ((size_t)frame * VERTICES + vertex);
    return (lm_vec3){p[0], p[1], p[2]};
}

static double distance(lm_vec3 a, lm_vec3 b) {
    return sqrt(pow((double)a.x - (double)b.x, 2) + pow((double)a.y - (double)b.y, 2) +
                pow((double)a.z - (double)b.z, 2));
}

/* ---- Poses ---------------------------------------------------------------------------------- */

/* The formula of glTF 2.0, appendix C, by the C library's functions. */
TEST(test_rotations_are_spherical) {
    arm a;
    make_arm(&a);
    OWNED(lm_skeleton) *s = fit(&a);
    for (uint32_t f = 0; f + 1 < FRAMES; f++)
        for (int k = 0; k <= 8; k++) {
            const lm_pose pose = {f, f + 1, (float)k / 8};
            lm_joint_pose joints[2];
            lmi_joints_between(s, &pose, joints);
            for (uint32_t j = 0; j < 2; j++) {
                const float *p = s->poses[2 * f + j].rotation,
                            *q = s->poses[2 * f + 2 + j].rotation;
                double dot = 0;
                for (int i = 0; i < 4; i++)
                    dot += (double)p[i] * (double)q[i];
                const double angle = acos(fmin(dot, 1)), t = (double)pose.t;
                for (int i = 0; i < 4 && angle > 1e-3; i++) {
                    const double wanted =
                        (sin((1 - t) * angle) * (double)p[i] + sin(t * angle) * (double)q[i]) /
                        sin(angle);
                    assert_true(fabs(wanted - (double)joints[j].rotation[i]) < 2e-7);
                }
            }
        }
}

/* Two opposite signs are one rotation; the way between them is the shorter one. */
TEST(test_the_shorter_way) {
    arm a;
    make_arm(&a);
    OWNED(lm_skeleton) *s = fit(&a);
    lm_joint_pose before[2], after[2];
    const lm_pose pose = {1, 2, 0.25f};
    lmi_joints_between(s, &pose, before);
    float *q = (float *)s->poses[2 * 2 + 1].rotation;
    for (int i = 0; i < 4; i++)
        q[i] = -q[i];
    lmi_joints_between(s, &pose, after);
    assert_memory_equal(before, after, sizeof before);
}

TEST(test_samples_begin_and_end_at_frames) {
    arm a;
    lm_vec3 whole[VERTICES], sampled[VERTICES];
    make_arm(&a);
    OWNED(lm_skeleton) *s = fit(&a);
    const lm_pose poses[] = {{3, 4, 0}, {2, 3, 1}, {3, 3, 0.5f}};
    lm_skeleton_sample(s, 0, &(lm_pose){3, 3, 0}, whole, NULL);
    for (size_t i = 0; i < COUNT_OF(poses); i++) {
        lm_skeleton_sample(s, 0, &poses[i], sampled, NULL);
        assert_memory_equal(whole, sampled, sizeof whole);
    }
    lm_skeleton_sample(s, 0, &(lm_pose){2, 3, 0.999f}, sampled, NULL);
    for (uint32_t v = 0; v < VERTICES; v++)
        assert_true(distance(whole[v], sampled[v]) < 0.02);
}

/* ---- Resampling ----------------------------------------------------------------------------- */

/* Vertices and the tag move on circles, not on chords, and frames of the mesh do not change. */
TEST(test_resampled_parts_stay_stiff) {
    arm a;
    lm_error error;
    make_arm(&a);
    OWNED(lm_skeleton) *s = fit(&a);
    OWNED(lm_mesh) *made = lm_mesh_resample(&a.mesh, s, 30, NULL, &error);
    OWNED(lm_mesh) *mixed = lm_mesh_resample(&a.mesh, NULL, 30, NULL, &error);
    assert_non_null(made);
    assert_int_equal(made->num_frames, mixed->num_frames);
    assert_int_equal(made->num_frames, 13 + 12);
    double worst = 0, chord = 0;
    for (uint32_t f = 0; f < 13; f++) {
        const float angle = angle_at((float)f / 3);
        for (uint32_t v = 0; v < VERTICES; v++) {
            const lm_vec3 p = {a.positions[0][v][0], a.positions[0][v][1], a.positions[0][v][2]};
            const lm_vec3 wanted = v < FIXED ? p : turned(p, angle);
            worst = fmax(worst, distance(row(made, f, v), wanted));
            chord = fmax(chord, distance(row(mixed, f, v), wanted));
            if (f % 3 == 0)
                assert_memory_equal(&made->surfaces[0].positions[3 * ((size_t)f * VERTICES + v)],
                                    a.positions[f / 3][v], sizeof a.positions[0][0]);
        }
        const lm_transform *end = &made->tags[0].poses[f];
        assert_true(distance(end->origin, turned((lm_vec3){20, 0, 0}, angle)) < 2e-3);
        assert_true(fabsf(end->axis[0].x - cosf(angle)) < 1e-3f);
    }
    assert_true(worst < 2e-3 && chord > 0.2);
}

/* What the skeleton does not explain is kept: it fades from one frame to the next. */
TEST(test_errors_are_interpolated) {
    arm a;
    lm_error error;
    make_arm(&a);
    OWNED(lm_skeleton) *s = fit(&a);
    a.positions[2][5][1] += 3;
    OWNED(lm_mesh) *made = lm_mesh_resample(&a.mesh, s, 40, NULL, &error);
    assert_non_null(made);
    for (uint32_t f = 4; f <= 12; f++) {
        const float wanted = a.positions[0][5][1] + 3 * (1 - fabsf((float)f - 8) / 4);
        assert_true(fabsf(row(made, f, 5).y - wanted) < 1e-3f);
    }
}

TEST(test_composed_meshes) {
    arm a;
    lm_error error;
    make_arm(&a);
    OWNED(lm_skeleton) *s = fit(&a);
    const lm_skeleton *skeletons[] = {s};
    lm_compose_options options = {.fps = 20, .skeletons = skeletons};
    OWNED(lm_mesh) *wanted = lm_mesh_resample(&a.mesh, s, 20, NULL, &error);
    OWNED(lm_composition) *made = lm_compose_mesh(&a.mesh, &options, &error);
    assert_non_null(made);
    assert_memory_equal(made->mesh->surfaces[0].positions, wanted->surfaces[0].positions,
                        (size_t)wanted->num_frames * sizeof a.positions[0]);
    lm_composition_free(made);
    options.first_frame = 5; /* the second clip alone */
    options.num_frames = 4;
    made = lm_compose_mesh(&a.mesh, &options, &error);
    assert_non_null(made);
    assert_int_equal(made->mesh->num_clips, 1);
    assert_int_equal(made->mesh->num_frames, 8);
    assert_memory_equal(made->mesh->surfaces[0].positions,
                        wanted->surfaces[0].positions + (size_t)9 * 3 * VERTICES,
                        8 * sizeof a.positions[0]);
}

/* The skeleton of a composition has its frames and its scale. */
TEST(test_composed_skeletons) {
    arm a;
    lm_error error;
    make_arm(&a);
    OWNED(lm_skeleton) *s = fit(&a);
    const lm_skeleton *skeletons[] = {s};
    lm_compose_options options = {.fps = 20, .scale = 2, .skeletons = skeletons, .skinned = true};
    OWNED(lm_composition) *made = lm_compose_mesh(&a.mesh, &options, &error);
    assert_non_null(made);
    const lm_mesh *mesh = made->mesh;
    assert_int_equal(made->skeleton->num_frames, mesh->num_frames);
    for (uint32_t i = 0; i < mesh->num_clips; i++)
        for (uint32_t f = 0; f < mesh->clips[i].count; f++) {
            const uint32_t frame = mesh->clips[i].first + f;
            lm_vec3 from[VERTICES], to[VERTICES];
            lm_pose pose;
            lm_clip_pose(&a.mesh.clips[i], f / 20.0, LM_PLAY_AS_CLIP, false, &pose);
            lm_skeleton_sample(s, 0, &pose, from, NULL);
            lm_skeleton_sample(made->skeleton, 0, &(lm_pose){frame, frame, 0, false}, to, NULL);
            for (uint32_t v = 0; v < VERTICES; v++) {
                assert_true(fabsf(to[v].x - 2 * from[v].x) < 1e-3f);
                assert_true(fabsf(to[v].y - 2 * from[v].y) < 1e-3f);
                assert_true(fabsf(to[v].z - 2 * from[v].z) < 1e-3f);
            }
        }
    lm_composition_free(made);
    /* Nothing changes: it is the given one. */
    made = lm_compose_mesh(&a.mesh, &(lm_compose_options){.skeletons = skeletons, .skinned = true},
                           &error);
    assert_ptr_equal(made->skeleton, s);
    a.mesh.num_frames--;
    a.mesh.num_clips = 1;
    assert_null(lm_compose_mesh(&a.mesh, &options, &error));
    assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
}

/* ---- The call ------------------------------------------------------------------------------- */

TEST(test_skeletons_of_other_meshes) {
    arm a;
    lm_error error;
    make_arm(&a);
    OWNED(lm_skeleton) *s = fit(&a);
    lm_mesh other = a.mesh;
    other.num_frames--;
    other.num_clips = 1;
    assert_null(lm_mesh_resample(&other, s, 20, NULL, &error));
    assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "other numbers"));
    assert_null(lm_mesh_resample(&a.mesh, s, 0, NULL, &error));
    assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
    a.surface.num_vertices--;
    assert_null(lm_mesh_resample(&a.mesh, s, 20, NULL, &error));
    assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
}

TEST(test_failing_allocations) {
    arm a;
    make_arm(&a);
    OWNED(lm_skeleton) *s = fit(&a);
    EACH_ALLOCATION_FAILS (f) {
        OWNED(lm_mesh) *made = lm_mesh_resample(&a.mesh, s, 20, &f.memory, &f.error);
        f.done = made != NULL;
        assert_true(!f.done || f.at > 4);
    }
}

/* Tests skinned glTF: what it consists of, and which skeletons it rejects. */

/* A model with a skeleton, good or not. */
typedef struct rigged {
    lm_model *model;
    lm_skeleton *skeleton;
} rigged;

static rigged make_rigged(uint32_t num_frames, uint32_t max_correctives) {
    const lm_skeleton_options options = {.max_correctives = max_correctives};
    lm_error error;
    rigged r = {.model = make_model(&(synthetic_options){.num_frames = num_frames})};
    lm_mesh *mesh = lm_mesh_from_model(r.model, NULL, &error);
    r.skeleton = mesh ? lm_skeleton_fit(mesh, &options, &error) : NULL;
    lm_mesh_free(mesh);
    assert_done(r.skeleton, error);
    return r;
}

static void free_rigged(rigged *r) {
    lm_skeleton_free(r->skeleton);
    free_synthetic_model(r->model);
}

/* Writes a glTF with the skeleton, and returns its JSON. Release it with lm_buffer_free. */
static lm_buffer write_json(const rigged *r, lm_gltf_result *result) {
    const lm_skeleton *skeleton = r->skeleton;
    const lm_gltf_options options = {.skeletons = &skeleton, .bin_uri = "a.bin"};
    AT_END(lm_buffer_free) lm_buffer bin = {0};
    lm_buffer json = {0};
    lm_error error;
    assert_done(lm_gltf_write(LM_SCENE_OF(r->model), &options, &json, &bin, result, &error), error);
    lm_buffer_append(&json, "", 1);
    return json;
}

static lm_gltf_options with(const lm_skeleton *const *skeleton) {
    return (lm_gltf_options){.skeletons = skeleton};
}

TEST(test_joints_replace_targets) {
    AT_END(free_rigged) rigged r = make_rigged(9, 0);
    lm_gltf_result result;
    AT_END(lm_buffer_free) lm_buffer json = write_json(&r, &result);
    assert_int_equal(result.num_targets, 0);
    assert_int_equal(result.num_bundles, 1);
    assert_int_equal(result.num_joints, r.skeleton->num_joints);
    const char *text = (const char *)json.data;
    assert_non_null(strstr(text, "\"inverseBindMatrices\""));
    assert_non_null(strstr(text, "\"JOINTS_0\""));
    assert_non_null(strstr(text, "\"rotation\""));
    assert_null(strstr(text, "\"weights\""));
    assert_null(strstr(text, "\"targets\""));
}

static unsigned count_words(const char *text, const char *word) {
    unsigned count = 0;
    for (; (text = strstr(text, word)) != NULL; text++)
        count++;
    return count;
}

/* Each mesh has each shape, and all meshes share one track of weights per animation. */
TEST(test_correctives_are_targets) {
    AT_END(free_rigged) rigged r = make_rigged(9, 3);
    lm_gltf_result result;
    AT_END(lm_buffer_free) lm_buffer json = write_json(&r, &result);
    const uint32_t count = r.skeleton->num_correctives;
    assert_in_range(count, 1, 3);
    const char *text = (const char *)json.data;
    assert_int_equal(result.num_targets, count * result.num_meshes);
    assert_int_equal(count_words(text, "\"targets\""), result.num_meshes);
    assert_int_equal(count_words(text, "\"corrective.00\""), result.num_meshes);
    assert_int_equal(count_words(text, "\"path\":\"weights\""),
                     result.num_meshes * result.num_animations);
}

/* A missing skeleton gives the same bytes as no list. */
TEST(test_a_list_without_skeletons) {
    AT_END(free_rigged) rigged r = make_rigged(5, 0);
    const lm_skeleton *none = NULL;
    const lm_gltf_options options = with(&none);
    AT_END(lm_buffer_free) lm_buffer with_list = {0}, without = {0};
    assert_true(lm_gltf_write(LM_SCENE_OF(r.model), &options, &with_list, NULL, NULL, NULL));
    assert_true(lm_gltf_write(LM_SCENE_OF(r.model), NULL, &without, NULL, NULL, NULL));
    assert_int_equal(with_list.size, without.size);
    assert_memory_equal(with_list.data, without.data, without.size);
}

TEST(test_skeletons_that_do_not_fit) {
    AT_END(free_rigged) rigged r = make_rigged(5, 0), other = make_rigged(6, 0);
    const lm_skeleton *skeleton = r.skeleton, *wrong = other.skeleton;
    lm_gltf_options options = with(&wrong);
    AT_END(lm_buffer_free) lm_buffer glb = {0};
    lm_error error;
    assert_false(lm_gltf_write(LM_SCENE_OF(r.model), &options, &glb, NULL, NULL, &error));
    assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "other numbers"));
    options = with(&skeleton);
    options.packer = &copy_packer;
    assert_false(lm_gltf_write(LM_SCENE_OF(r.model), &options, &glb, NULL, NULL, &error));
    assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
    assert_int_equal(glb.size, 0);
}

TEST(test_failing_allocations_of_a_skinned_gltf) {
    AT_END(free_rigged) rigged r = make_rigged(6, 2);
    const lm_skeleton *skeleton = r.skeleton;
    const lm_gltf_options options = with(&skeleton);
    EACH_ALLOCATION_FAILS (f) {
        AT_END(lm_buffer_free) lm_buffer glb = {.allocator = f.memory.allocator};
        f.done = lm_gltf_write(LM_SCENE_OF(r.model), &options, &glb, NULL, NULL, &f.error);
        assert_true(!f.done || f.at > 8);
    }
}

/* ---- A model's own bones --------------------------------------------------------------------- */

/* Returns an element of a rotation relative to another one. */
static double relative_turn(const lm_placed *a, const lm_placed *b, int line, int column) {
    return a->m[line][0] * b->m[column][0] + a->m[line][1] * b->m[column][1] +
           a->m[line][2] * b->m[column][2];
}

TEST(test_own_bones_are_posed_as_in_the_game) {
    AT_END(blob_free) blob file = make_mds();
    OWNED(lm_model) *model = load_blob(&file);
    lm_error error;
    OWNED(lm_skeleton) *s = lm_skeleton_of_model(model, NULL, &error);
    assert_done(s, error);
    assert_int_equal(s->num_joints, 4);
    assert_int_equal(s->num_tags, 2);
    assert_true(s->tag_joints[0] == 2 && s->tag_joints[1] == 3);
    lm_transform bones[4];
    lm_placed first[4], joints[4], base[4];
    const lm_pose start = {0, 0, 0, false};
    lm_sample_bones(model, &start, &start, NULL, bones);
    lmi_place_joints(s, &start, first);
    for (int j = 0; j < 4; j++)
        base[j] = lmi_placed_bone(&bones[j]);
    for (int step = 0; step <= 4; step++) {
        const lm_pose pose = {1, 2, (float)step / 4, false};
        lm_joint_pose local[4];
        lm_sample_bones(model, &pose, &pose, NULL, bones);
        lmi_place_joints(s, &pose, joints);
        lmi_joints_between(s, &pose, local);
        for (int j = 0; j < 4; j++) {
            const lm_placed bone = lmi_placed_bone(&bones[j]), own = lmi_placed_of(&local[j]);
            const lm_placed sum =
                j > 0 ? lmi_placed_product(&joints[s->joints[j].parent], &own) : own;
            for (int r = 0; r < 3; r++) {
                assert_true(fabs(joints[j].m[r][3] - bone.m[r][3]) < 1e-4);
                for (int c = 0; c < 4; c++)
                    assert_true(fabs(sum.m[r][c] - joints[j].m[r][c]) < 1e-4);
                for (int c = 0; c < 3; c++)
                    assert_true(fabs(relative_turn(&joints[j], &first[j], r, c) -
                                     relative_turn(&bone, &base[j], r, c)) < 1e-5);
            }
        }
    }
}

TEST(test_own_bones_without_memory) {
    AT_END(blob_free) blob file = make_mds();
    OWNED(lm_model) *model = load_blob(&file);
    size_t most = 0;
    for (bool done = false; !done;) {
        lm_error error;
        const lm_skeleton_options options = {.memory.max_allocations = ++most};
        OWNED(lm_skeleton) *s = lm_skeleton_of_model(model, &options, &error);
        done = s != NULL;
        assert_true(done || error.code == LM_CODE_LIMIT || error.code == LM_CODE_OUT_OF_MEMORY);
    }
    assert_in_range(most, 2, 1000);
}
