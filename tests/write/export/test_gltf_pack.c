/* Compressed glTF without a codec: a packer that copies. tests/tool/test_compress.py checks files
 * of meshoptimizer. */
#include "core/bytes.h"
#include "gltf_reader.h"
#include "json_reader.h"
#include "support.h"
#include "synthetic.h"

#include <limits.h>

#define METRES 0.0254
#define EXTENSION "extensions/EXT_meshopt_compression"

static glb write_packed(const lm_model *model, lm_gltf_options options) {
    options.packer = &copy_packer;
    return write_glb(model, options);
}

static size_t whole(const glb *f, size_t view, const char *member) {
    return json_integer(f, "bufferViews/%zu/%s", view, member);
}

enum {
    NUM_VERTICES = 5
};

/* Adds an attribute of the base or of a target. */
static void add(const glb *f, const char *attributes, const char *name, double weight,
                double out[][3]) {
    const glb_accessor values =
        open_accessor(f, json_integer(f, "meshes/0/primitives/0/%s/%s", attributes, name));
    for (size_t v = 0; v < NUM_VERTICES; v++)
        for (size_t k = 0; k < 3; k++)
            out[v][k] += weight * read_element(&values, v, k);
}

/* Adds up the base and the targets of a key of the first animation. */
static void read_pose(const glb *f, size_t key, double positions[][3], double normals[][3]) {
    const size_t count = json_count(f->json, "meshes/0/primitives/0/targets");
    size_t input, output;
    assert_true(find_sampler(f, 0, 0, "weights", &input, &output));
    const glb_accessor weights = open_accessor(f, output);
    add(f, "attributes", "POSITION", 1, positions);
    add(f, "attributes", "NORMAL", 1, normals);
    for (size_t t = 0; t < count; t++) {
        const double weight = read_element(&weights, key * count + t, 0);
        char target[32];
        snprintf(target, sizeof target, "targets/%zu", t);
        if (weight == 0)
            continue;
        add(f, target, "POSITION", weight, positions);
        add(f, target, "NORMAL", weight, normals);
    }
    for (size_t v = 0; v < NUM_VERTICES; v++)
        for (size_t k = 0; k < 3; k++)
            positions[v][k] =
                positions[v][k] * json_number(json_at(f->json, "nodes/0/scale/0"), 0) +
                json_number(json_at(f->json, "nodes/0/translation/%zu", k), 0);
}

/* Returns true if a vertex of the file has the position, normal and texture coordinates of a vertex
 * of the model, whose order differs. */
static bool is_same(const lm_vec3 *p, const lm_vec3 *n, const double position[3],
                    const double normal[3], double error) {
    const double wanted[] = {(double)p->y, (double)p->z, (double)p->x};
    const double turned[] = {(double)n->y, (double)n->z, (double)n->x};
    double dot = 0, square = 0;
    for (unsigned k = 0; k < 3; k++) {
        if (fabs(position[k] / METRES - wanted[k]) > error + 1e-5)
            return false;
        dot += normal[k] * turned[k];
        square += normal[k] * normal[k];
    }
    return dot / sqrt(square) > 1 - 1e-5;
}

static void compare_key(const glb *f, const lm_model *model, size_t key, uint32_t frame,
                        double error) {
    double positions[NUM_VERTICES][3] = {{0}}, normals[NUM_VERTICES][3] = {{0}};
    lm_vec3 p[NUM_VERTICES], n[NUM_VERTICES];
    const lm_pose pose = {frame, frame, 0};
    const lm_sample_target target = {.positions = &p[0].x, .normals = &n[0].x};
    unsigned found = 0;
    assert_int_equal(lm_sample(model, 0, &pose, 1, &target), LM_CODE_OK);
    read_pose(f, key, positions, normals);
    for (size_t i = 0; i < NUM_VERTICES; i++)
        for (size_t v = 0; v < NUM_VERTICES; v++)
            if (is_same(&p[i], &n[i], positions[v], normals[v], error)) {
                found++;
                break;
            }
    assert_int_equal(found, NUM_VERTICES);
}

/* ---- Tests ----------------------------------------------------------------------------------- */

TEST(keys_show_the_frames) {
    SYNTHETIC_MODEL(model, .num_frames = 40);
    AT_END(close_glb) glb f = write_packed(model, (lm_gltf_options){.max_error = 0});
    for (uint32_t key = 0; key < 40; key++)
        compare_key(&f, model, key, key, 0.0015);
    assert_null(json_at(f.json, "meshes/0/extras/targetNames"));
}

TEST(larger_errors_need_fewer_steps) {
    SYNTHETIC_MODEL(model, .num_frames = 3);
    double last = 0;
    for (double error = 0.01; error < 1; error *= 3) {
        AT_END(close_glb) glb f = write_packed(model, (lm_gltf_options){.max_error = error});
        const double step = json_number(json_at(f.json, "nodes/0/scale/0"), 0) / METRES;
        assert_true(fabs(step - error * 2 / sqrt(3)) < 1e-6);
        assert_true(step > last);
        last = step;
    }
}

/* The extension's rules for views and for the buffer without bytes. */
TEST(views_follow_the_rules) {
    SYNTHETIC_MODEL(model, .num_frames = 6);
    AT_END(close_glb) glb f = write_packed(model, (lm_gltf_options){.max_error = 0});
    const char *json = f.json;
    const size_t count = json_count(json, "bufferViews");
    size_t whole_size = 0;
    assert_int_equal(count, 5);
    for (size_t i = 0; i < count; i++) {
        const size_t size = whole(&f, i, "byteLength");
        const size_t stride = whole(&f, i, EXTENSION "/byteStride");
        const char *mode = json_at(json, "bufferViews/%zu/" EXTENSION "/mode", i);
        const char *own = json_at(json, "bufferViews/%zu/byteStride", i);
        whole_size += size;
        assert_int_equal(whole(&f, i, "buffer"), 1);
        assert_int_equal(whole(&f, i, EXTENSION "/buffer"), 0);
        assert_int_equal(size, stride * whole(&f, i, EXTENSION "/count"));
        assert_true(json_number(own, (double)stride) == (double)stride);
        assert_true(json_is(mode, "ATTRIBUTES") || (json_is(mode, "INDICES") && stride == 2));
        assert_int_equal(whole(&f, i, EXTENSION "/byteOffset") % 4, 0);
    }
    assert_int_equal(json_count(json, "buffers"), 2);
    assert_int_equal(json_integer(&f, "buffers/1/byteLength"), whole_size);
    assert_null(json_at(json, "buffers/1/uri"));
    assert_memory_equal(json_at(json, "buffers/1/" EXTENSION "/fallback"), "true", 4);
    assert_true(json_is(json_at(json, "extensionsRequired/1"), "EXT_meshopt_compression"));
}

/* Normals that never change, and a model that never moves. */
TEST(still_data_is_left_out) {
    SYNTHETIC_MODEL(model, .num_frames = 6, .period = 1);
    AT_END(close_glb) glb f = write_packed(model, (lm_gltf_options){.max_error = 0});
    assert_null(json_at(f.json, "meshes/0/primitives/0/targets"));
    close_glb(&f);
    f = write_packed(model, (lm_gltf_options){.common = {.still = true, .frame = 2.5}});
    assert_int_equal(json_count(f.json, "buffers"), 2);
}

TEST(a_model_without_meshes_has_no_extension) {
    SYNTHETIC_MODEL(model, .num_frames = 1, .no_surfaces = true);
    AT_END(close_glb) glb f = write_packed(model, (lm_gltf_options){.max_error = 0});
    assert_null(json_at(f.json, "extensionsRequired"));
    assert_null(json_at(f.json, "buffers"));
}

TEST(many_targets_are_in_bundles) {
    SYNTHETIC_MODEL(model, .num_frames = 300);
    AT_END(close_glb) glb f = write_packed(model, (lm_gltf_options){.max_error = 0});
    assert_int_equal(json_count(f.json, "meshes/0/primitives/0/targets"), 255);
    for (uint32_t key = 0; key < 250; key += 60)
        compare_key(&f, model, key, key, 0.0015);
}

static void expect_mistake(const lm_model *model, lm_gltf_options options) {
    AT_END(lm_buffer_free) lm_buffer out = {0};
    lm_error error;
    options.packer = &copy_packer;
    assert_false(lm_gltf_write(LM_SCENE_OF(model), &options, &out, NULL, NULL, &error));
    assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
    assert_int_equal(out.size, 0);
}

TEST(members_of_later_packers_are_rejected) {
    SYNTHETIC_MODEL(model, .num_frames = 4);
    lm_gltf_packer later = copy_packer;
    AT_END(lm_buffer_free) lm_buffer out = {0};
    later.reserved[3] = 1;
    assert_false(lm_gltf_write(LM_SCENE_OF(model), &(lm_gltf_options){.packer = &later}, &out, NULL,
                               NULL, NULL));
    const lm_gltf_packer none = {.pack_indices = copy_packer.pack_indices};
    lm_error error;
    assert_false(lm_gltf_write(LM_SCENE_OF(model), &(lm_gltf_options){.packer = &none}, &out, NULL,
                               NULL, &error));
    assert_non_null(strstr(error.message, "pack_elements or pack_indices of the packer is NULL"));
}

TEST(mistakes_are_errors) {
    SYNTHETIC_MODEL(model, .num_frames = 4);
    expect_mistake(model, (lm_gltf_options){.quantize = true});
    expect_mistake(model, (lm_gltf_options){.max_error = -1});
    for (int calls = 0; calls < 5; calls++) {
        copy_packer_calls = calls;
        expect_mistake(model, (lm_gltf_options){0});
    }
    copy_packer_calls = INT_MAX;
}

TEST(every_failing_allocation_is_survived) {
    SYNTHETIC_MODEL(model, .num_frames = 8);
    const lm_gltf_options options = {.packer = &copy_packer, .loop_suffix = "-loop"};
    EACH_ALLOCATION_FAILS (f) {
        AT_END(lm_buffer_free) lm_buffer out = {.allocator = f.memory.allocator};
        f.done = lm_gltf_write(LM_SCENE_OF(model), &options, &out, NULL, NULL, &f.error);
    }
}

TEST(looping_animations_have_a_suffix) {
    SYNTHETIC_MODEL(model, .num_frames = 4);
    const lm_clip clips[] = {{.name = "run", .count = 2, .fps = 10, .loop_frames = 2},
                             {.name = "die", .first = 2, .count = 2, .fps = 10}};
    const lm_export_options common = {.clips = clips, .num_clips = 2};
    AT_END(close_glb)
    glb f = write_packed(model, (lm_gltf_options){.common = common, .loop_suffix = "-loop"});
    const char *json = f.json;
    assert_true(json_is(json_at(json, "animations/0/name"), "run-loop"));
    assert_true(json_is(json_at(json, "animations/1/name"), "die"));
    assert_true(json_is(json_at(json, "scenes/0/extras/clips/0/name"), "run"));
    assert_true(json_is(json_at(json, "scenes/0/extras/clips/0/animation"), "run-loop"));
}
