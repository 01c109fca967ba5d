/* Compressed glTF without a codec: a packer that copies. tests/tool/test_compress.py checks files
 * of meshoptimizer. */
#include "copy_packer.h"
#include "core/bytes.h"
#include "json_reader.h"
#include "support.h"
#include "synthetic_model.h"

#include <limits.h>

#define METRES 0.0254
#define EXTENSION "extensions/EXT_meshopt_compression"

/* ---- A separate reader ----------------------------------------------------------------------- */

typedef struct file {
    lm_buffer json, bin;
} file;

/* The number at a path, or 0 if it is absent. */
#define number(f, ...) json_number(json_at((const char *)(f)->json.data, __VA_ARGS__), 0)

static size_t whole(const file *f, const char *path, size_t index, const char *member) {
    return (size_t)number(f, "%s/%zu/%s", path, index, member);
}

static bool write_file(const lm_model *model, lm_gltf_options options, file *f, lm_error *error) {
    *f = (file){{0}, {0}};
    options.bin_uri = "a.bin";
    options.packer = &copy_packer;
    if (!lm_gltf_write(model, &options, &f->json, &f->bin, NULL, error))
        return false;
    lm_buffer_append(&f->json, "", 1);
    assert_true(json_is_valid((const char *)f->json.data));
    return true;
}

static file open_file(const lm_model *model, lm_gltf_options options) {
    file f;
    lm_error error = {0};
    assert_done(write_file(model, options, &f, &error), error);
    return f;
}

static void close_file(file *f) {
    lm_buffer_free(&f->json);
    lm_buffer_free(&f->bin);
}

/* Reads a component of an accessor's element. */
static double element(const file *f, size_t accessor, size_t index, size_t k) {
    const size_t view = whole(f, "accessors", accessor, "bufferView");
    const size_t type = whole(f, "accessors", accessor, "componentType");
    const size_t size = type == 5121 ? 1 : type == 5126 || type == 5125 ? 4 : 2;
    size_t stride = whole(f, "bufferViews", view, "byteStride");
    stride = stride ? stride : size;
    const uint8_t *at = f->bin.data + whole(f, "bufferViews", view, EXTENSION "/byteOffset") +
                        whole(f, "accessors", accessor, "byteOffset") + index * stride + k * size;
    const char *filter =
        json_at((const char *)f->json.data, "bufferViews/%zu/" EXTENSION "/filter", view);
    if (filter) {
        assert_true(json_is(filter, "EXPONENTIAL"));
        const uint32_t word = lm_get_u32(at);
        return ldexp((int32_t)(word << 8), (int8_t)(word >> 24) - 8);
    }
    return type == 5121   ? *at / 255.0
           : type == 5122 ? lm_get_s16(at)
           : type == 5123 ? lm_get_u16(at)
                          : (double)lm_get_f32(at);
}

enum {
    NUM_VERTICES = 5
};

/* Returns the accessor of the first mesh's weights in the first animation. */
static size_t find_weights(const file *f) {
    const char *json = (const char *)f->json.data;
    size_t channel = 0;
    while (!json_is(json_at(json, "animations/0/channels/%zu/target/path", channel), "weights"))
        channel++;
    return (size_t)number(f, "animations/0/samplers/%zu/output",
                          whole(f, "animations/0/channels", channel, "sampler"));
}

/* Adds an attribute of the base or of a target. */
static void add(const file *f, const char *attributes, const char *name, double weight,
                double out[][3]) {
    const size_t accessor = (size_t)number(f, "meshes/0/primitives/0/%s/%s", attributes, name);
    for (size_t v = 0; v < NUM_VERTICES; v++)
        for (size_t k = 0; k < 3; k++)
            out[v][k] += weight * element(f, accessor, v, k);
}

/* Adds up the base and the targets of a key of the first animation. */
static void read_pose(const file *f, size_t key, double positions[][3], double normals[][3]) {
    const size_t count = json_count((const char *)f->json.data, "meshes/0/primitives/0/targets");
    const size_t weights = find_weights(f);
    add(f, "attributes", "POSITION", 1, positions);
    add(f, "attributes", "NORMAL", 1, normals);
    for (size_t t = 0; t < count; t++) {
        const double weight = element(f, weights, key * count + t, 0);
        char target[32];
        snprintf(target, sizeof target, "targets/%zu", t);
        if (weight == 0)
            continue;
        add(f, target, "POSITION", weight, positions);
        add(f, target, "NORMAL", weight, normals);
    }
    for (size_t v = 0; v < NUM_VERTICES; v++)
        for (size_t k = 0; k < 3; k++)
            positions[v][k] = positions[v][k] * number(f, "nodes/0/scale/0") +
                              number(f, "nodes/0/translation/%zu", k);
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

static void compare_key(const file *f, const lm_model *model, size_t key, uint32_t frame,
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
    AT_END(close_file) file f = open_file(model, (lm_gltf_options){.max_error = 0});
    for (uint32_t key = 0; key < 40; key++)
        compare_key(&f, model, key, key, 0.0015);
    assert_null(json_at((const char *)f.json.data, "meshes/0/extras/targetNames"));
}

TEST(larger_errors_need_fewer_steps) {
    SYNTHETIC_MODEL(model, .num_frames = 3);
    double last = 0;
    for (double error = 0.01; error < 1; error *= 3) {
        AT_END(close_file) file f = open_file(model, (lm_gltf_options){.max_error = error});
        const double step = number(&f, "nodes/0/scale/0") / METRES;
        assert_true(fabs(step - error * 2 / sqrt(3)) < 1e-6);
        assert_true(step > last);
        last = step;
    }
}

/* The extension's rules for views and for the buffer without bytes. */
TEST(views_follow_the_rules) {
    SYNTHETIC_MODEL(model, .num_frames = 6);
    AT_END(close_file) file f = open_file(model, (lm_gltf_options){.max_error = 0});
    const char *json = (const char *)f.json.data;
    const size_t count = json_count(json, "bufferViews");
    size_t whole_size = 0;
    assert_int_equal(count, 5);
    for (size_t i = 0; i < count; i++) {
        const size_t size = whole(&f, "bufferViews", i, "byteLength");
        const size_t stride = whole(&f, "bufferViews", i, EXTENSION "/byteStride");
        const char *mode = json_at(json, "bufferViews/%zu/" EXTENSION "/mode", i);
        const char *own = json_at(json, "bufferViews/%zu/byteStride", i);
        whole_size += size;
        assert_int_equal(whole(&f, "bufferViews", i, "buffer"), 1);
        assert_int_equal(whole(&f, "bufferViews", i, EXTENSION "/buffer"), 0);
        assert_int_equal(size, stride * whole(&f, "bufferViews", i, EXTENSION "/count"));
        assert_true(json_number(own, (double)stride) == (double)stride);
        assert_true(json_is(mode, "ATTRIBUTES") || (json_is(mode, "INDICES") && stride == 2));
        assert_int_equal(whole(&f, "bufferViews", i, EXTENSION "/byteOffset") % 4, 0);
    }
    assert_int_equal(json_count(json, "buffers"), 2);
    assert_int_equal(number(&f, "buffers/1/byteLength"), whole_size);
    assert_null(json_at(json, "buffers/1/uri"));
    assert_memory_equal(json_at(json, "buffers/1/" EXTENSION "/fallback"), "true", 4);
    assert_int_equal(number(&f, "buffers/0/byteLength"), f.bin.size);
    assert_true(json_is(json_at(json, "extensionsRequired/1"), "EXT_meshopt_compression"));
}

/* Normals that never change, and a model that never moves. */
TEST(still_data_is_left_out) {
    SYNTHETIC_MODEL(model, .num_frames = 6, .period = 1);
    AT_END(close_file) file f = open_file(model, (lm_gltf_options){.max_error = 0});
    assert_null(json_at((const char *)f.json.data, "meshes/0/primitives/0/targets"));
    close_file(&f);
    f = open_file(model, (lm_gltf_options){.common = {.still = true, .frame = 2.5}});
    assert_int_equal(json_count((const char *)f.json.data, "buffers"), 2);
}

TEST(a_model_without_meshes_has_no_extension) {
    SYNTHETIC_MODEL(model, .num_frames = 1, .no_surfaces = true);
    AT_END(close_file) file f = open_file(model, (lm_gltf_options){.max_error = 0});
    assert_null(json_at((const char *)f.json.data, "extensionsRequired"));
    assert_null(json_at((const char *)f.json.data, "buffers"));
}

TEST(many_targets_are_in_bundles) {
    SYNTHETIC_MODEL(model, .num_frames = 300);
    AT_END(close_file) file f = open_file(model, (lm_gltf_options){.max_error = 0});
    assert_int_equal(json_count((const char *)f.json.data, "meshes/0/primitives/0/targets"), 255);
    for (uint32_t key = 0; key < 250; key += 60)
        compare_key(&f, model, key, key, 0.0015);
}

TEST(mistakes_are_errors) {
    SYNTHETIC_MODEL(model, .num_frames = 4);
    lm_error error;
    file f;
    assert_false(write_file(model, (lm_gltf_options){.quantize = true}, &f, &error));
    assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
    assert_false(write_file(model, (lm_gltf_options){.max_error = -1}, &f, &error));
    assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
    for (int calls = 0; calls < 5; calls++) {
        copy_packer_calls = calls;
        assert_false(write_file(model, (lm_gltf_options){.max_error = 0}, &f, &error));
        assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
        assert_int_equal(f.json.size + f.bin.size, 0);
        close_file(&f);
    }
    copy_packer_calls = INT_MAX;
}

TEST(every_failing_allocation_is_survived) {
    SYNTHETIC_MODEL(model, .num_frames = 8);
    const lm_gltf_options options = {.packer = &copy_packer, .loop_suffix = "-loop"};
    EACH_ALLOCATION_FAILS (f) {
        AT_END(lm_buffer_free) lm_buffer out = {.allocator = f.memory.allocator};
        f.done = lm_gltf_write(model, &options, &out, NULL, NULL, &f.error);
    }
}

TEST(looping_animations_have_a_suffix) {
    SYNTHETIC_MODEL(model, .num_frames = 4);
    const lm_clip clips[] = {{"run", 0, 2, 10, 2, false, NULL, LM_CLIP_CUSTOM},
                             {"die", 2, 2, 10, 0, false, NULL, LM_CLIP_CUSTOM}};
    const lm_export_options common = {.clips = clips, .num_clips = 2};
    AT_END(close_file)
    file f = open_file(model, (lm_gltf_options){.common = common, .loop_suffix = "-loop"});
    const char *json = (const char *)f.json.data;
    assert_true(json_is(json_at(json, "animations/0/name"), "run-loop"));
    assert_true(json_is(json_at(json, "animations/1/name"), "die"));
    assert_true(json_is(json_at(json, "scenes/0/extras/clips/0/name"), "run"));
    assert_true(json_is(json_at(json, "scenes/0/extras/clips/0/animation"), "run-loop"));
}
