/* Tests finding the skeletons of a scene, and making their bones, while allocations fail. */
#include <stdlib.h>
#include <string.h>

/* The allocations of skeletons.c itself: the call `fail_at`, counted from 1, fails. */
static size_t calls, fail_at, live;

static void *failing_calloc(size_t count, size_t size) {
    void *block = ++calls == fail_at ? NULL : calloc(count, size);
    live += block != NULL;
    return block;
}

static void *failing_malloc(size_t size) {
    return failing_calloc(1, size);
}

static void counting_free(void *block) {
    live -= block != NULL;
    free(block);
}

#define malloc failing_malloc
#define calloc failing_calloc
#define free counting_free
#include "skeletons.c" // NOLINT(bugprone-suspicious-include): its allocations fail
#undef malloc
#undef calloc
#undef free

#include "gl_support.h" // its `world` would be shadowed above

/* The library's allocator counts and fails in the same way. */
static void *fail_alloc(void *user, size_t size) {
    return failing_malloc(size);
}

static void *fail_realloc(void *user, void *block, size_t old_size, size_t size) {
    void *moved = ++calls == fail_at ? NULL : realloc(block, size);
    live += moved && !block;
    return moved;
}

static void count_free(void *user, void *block, size_t size) {
    counting_free(block);
}

/* Finds the skeletons of two parts. */
static bool find_two(lm_skeleton **found, lm_scene *scene, lm_error *error) {
    static lm_scene_part parts[2];
    const lm_skeleton_options options = {
        .max_bones = 2, .memory.allocator = {fail_alloc, fail_realloc, count_free, NULL}};
    for (int i = 0; i < 2; i++)
        if (!parts[i].model)
            parts[i].model = load(source_path("samples/tick_torch.mdl"), LM_TOPOLOGY_TRIANGLES, 0);
    *scene = (lm_scene){.num_parts = 2, .parts = parts};
    return skeletons_find(scene, &options, found, error);
}

GL_TEST(test_finding) {
    bool done = false;
    for (size_t k = 1; !done; k++) {
        lm_skeleton *found[2];
        lm_scene scene;
        lm_error error;
        calls = live = 0, fail_at = k;
        done = find_two(found, &scene, &error);
        assert_true(done || error.code == LM_CODE_OUT_OF_MEMORY);
        assert_true(done ? found[0] && found[1] : !found[0] && !found[1]);
        assert_true(!done || k > 20);
        skeletons_free(found, 2);
        assert_int_equal(live, 0);
    }
}

GL_TEST(test_bones_and_drawing) {
    lm_skeleton *found[2];
    skeleton_bones *bones = NULL, *parts[2];
    lm_gl_view view = {0};
    lm_scene scene;
    lm_error error;
    const lm_pose poses[2] = {{0, 1, 0.5f}, {0, 1, 0.5f}};
    fail_at = 0;
    assert_true(find_two(found, &scene, &error));
    const size_t before = live;
    for (size_t k = 1; !bones; k++) {
        calls = 0, fail_at = k;
        bones = skeleton_bones_new(found[0]);
        assert_true(bones ? k == 6 : live == before);
    }
    parts[0] = parts[1] = bones;
    calls = 0, fail_at = 1;
    assert_false(skeletons_draw(world.gl, &view, &scene, poses, parts, &error));
    assert_int_equal(error.code, LM_CODE_OUT_OF_MEMORY);
    skeleton_bones_free(bones);
    assert_int_equal(live, before);
    skeletons_free(found, 2);
    assert_int_equal(live, 0);
    lm_model_free((lm_model *)scene.parts[0].model);
    lm_model_free((lm_model *)scene.parts[1].model);
}
