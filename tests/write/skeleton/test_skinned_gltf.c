/* Tests skinned glTF: what it consists of, and which skeletons it rejects. */
#include "copy_packer.h"
#include "lerpmesh/skeleton.h"
#include "support.h"
#include "synthetic_model.h"

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
    if (!r.skeleton)
        fail_msg("%s", error.message);
    return r;
}

static void free_rigged(rigged *r) {
    lm_skeleton_free(r->skeleton);
    free_synthetic_model(r->model);
}

static lm_gltf_options with(const lm_skeleton *const *skeleton) {
    return (lm_gltf_options){.skeletons = skeleton};
}

TEST(test_joints_replace_targets) {
    AT_END(free_rigged) rigged r = make_rigged(9, 0);
    const lm_skeleton *skeleton = r.skeleton;
    const lm_gltf_options options = with(&skeleton);
    AT_END(lm_buffer_free) lm_buffer json = {0}, bin = {0};
    lm_gltf_options files = options;
    lm_gltf_result result;
    lm_error error;
    files.bin_uri = "a.bin";
    if (!lm_gltf_write(r.model, &files, &json, &bin, &result, &error))
        fail_msg("%s", error.message);
    lm_buffer_append(&json, "", 1);
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
    const lm_skeleton *skeleton = r.skeleton;
    lm_gltf_options options = with(&skeleton);
    AT_END(lm_buffer_free) lm_buffer json = {0}, bin = {0};
    lm_gltf_result result;
    lm_error error;
    options.bin_uri = "a.bin";
    const uint32_t count = skeleton->num_correctives;
    assert_in_range(count, 1, 3);
    if (!lm_gltf_write(r.model, &options, &json, &bin, &result, &error))
        fail_msg("%s", error.message);
    lm_buffer_append(&json, "", 1);
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
    assert_true(lm_gltf_write(r.model, &options, &with_list, NULL, NULL, NULL));
    assert_true(lm_gltf_write(r.model, NULL, &without, NULL, NULL, NULL));
    assert_int_equal(with_list.size, without.size);
    assert_memory_equal(with_list.data, without.data, without.size);
}

TEST(test_skeletons_that_do_not_fit) {
    AT_END(free_rigged) rigged r = make_rigged(5, 0), other = make_rigged(6, 0);
    const lm_skeleton *skeleton = r.skeleton, *wrong = other.skeleton;
    lm_gltf_options options = with(&wrong);
    AT_END(lm_buffer_free) lm_buffer glb = {0};
    lm_error error;
    assert_false(lm_gltf_write(r.model, &options, &glb, NULL, NULL, &error));
    assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "other numbers"));
    options = with(&skeleton);
    options.packer = &copy_packer;
    assert_false(lm_gltf_write(r.model, &options, &glb, NULL, NULL, &error));
    assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
    assert_int_equal(glb.size, 0);
}

TEST(test_failing_allocations) {
    AT_END(free_rigged) rigged r = make_rigged(6, 2);
    const lm_skeleton *skeleton = r.skeleton;
    const lm_gltf_options options = with(&skeleton);
    EACH_ALLOCATION_FAILS (f) {
        AT_END(lm_buffer_free) lm_buffer glb = {.allocator = f.memory.allocator};
        f.done = lm_gltf_write(r.model, &options, &glb, NULL, NULL, &f.error);
        assert_true(!f.done || f.at > 8);
    }
}
