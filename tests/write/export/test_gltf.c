#include "core/bytes.h"
#include "core/crc.h"
#include "gltf_reader.h"
#include "json_reader.h"
#include "support.h"
#include "synthetic.h"

/* ---- A separate reader ----------------------------------------------------------------------- */

enum {
    NUM_VERTICES = 5,
    BODY = 0,
    STILL = 1
};

/* Reads the vertices of a mesh with weight 1 for `target`, or of the base if it is -1. */
static void read_vertices(const glb *f, size_t mesh, const char *attribute, int target,
                          double out[][3]) {
    glb_accessor base =
        open_accessor(f, json_integer(f, "meshes/%zu/primitives/0/attributes/%s", mesh, attribute));
    glb_accessor moved = {0};
    if (target >= 0)
        moved = open_accessor(
            f, json_integer(f, "meshes/%zu/primitives/0/targets/%d/%s", mesh, target, attribute));
    for (size_t v = 0; v < NUM_VERTICES; v++)
        for (size_t k = 0; k < 3; k++)
            out[v][k] = read_element(&base, v, k) + (target < 0 ? 0 : read_element(&moved, v, k));
}

/* ---- Comparing with the sampler -------------------------------------------------------------- */

static void sample(const lm_model *model, uint32_t frame, double positions[][3],
                   double normals[][3]) {
    lm_vec3 p[NUM_VERTICES], n[NUM_VERTICES];
    const lm_pose pose = {frame, frame, 0};
    const lm_sample_target target = {.positions = &p[0].x, .normals = &n[0].x};
    assert_int_equal(lm_sample(model, BODY, &pose, 1, &target), LM_CODE_OK);
    for (size_t v = 0; v < NUM_VERTICES; v++) {
        const double metres = 0.0254;
        const double wanted[] = {p[v].y * metres, p[v].z * metres, p[v].x * metres};
        const double direction[] = {n[v].y, n[v].z, n[v].x};
        memcpy(positions[v], wanted, sizeof wanted);
        memcpy(normals[v], direction, sizeof direction);
    }
}

/* Applies a node's transform to its mesh: x * scale + translation. */
static double transform(const glb *f, size_t node, size_t k, double x) {
    double scale = json_number(json_at(f->json, "nodes/%zu/scale/%zu", node, k), 1);
    return x * scale + json_number(json_at(f->json, "nodes/%zu/translation/%zu", node, k), 0);
}

static void compare_pose(const glb *f, const lm_model *model, size_t node, int target,
                         uint32_t frame) {
    double positions[NUM_VERTICES][3], normals[NUM_VERTICES][3];
    double v[NUM_VERTICES][3], n[NUM_VERTICES][3];
    double step = json_number(json_at(f->json, "nodes/%zu/scale/0", node), 0);
    double normal_step = step > 0 ? 1.0 / 127 : 0;
    size_t mesh = json_integer(f, "nodes/%zu/mesh", node);
    sample(model, frame, positions, normals);
    read_vertices(f, mesh, "POSITION", target, v);
    read_vertices(f, mesh, "NORMAL", target, n);
    for (size_t i = 0; i < NUM_VERTICES; i++)
        for (size_t k = 0; k < 3; k++) {
            double position = transform(f, node, k, v[i][k]);
            if (fabs(position - positions[i][k]) > step / 2 + 1e-6)
                fail_msg("frame %u vertex %zu: %g is not %g", (unsigned)frame, i, position,
                         positions[i][k]);
            assert_true(fabs(n[i][k] - normals[i][k]) <= normal_step / 2 + 1e-6);
        }
}

/* Returns the target with weight 1 in a key, or -1 if there is none. Fails if several have a
 * weight. */
static int find_target(const glb *f, size_t node, size_t output, size_t key) {
    char path[64];
    snprintf(path, sizeof path, "meshes/%zu/primitives/0/targets",
             json_integer(f, "nodes/%zu/mesh", node));
    size_t count = json_count(f->json, path);
    int found = -1;
    glb_accessor weights = open_accessor(f, output);
    for (size_t i = 0; i < count; i++) {
        double weight = read_element(&weights, key * count + i, 0);
        assert_true(weight == 0 || (weight == 1 && found < 0));
        found = weight == 1 ? (int)i : found;
    }
    return found;
}

static void compare_clip(const glb *f, const lm_model *model, size_t animation,
                         const uint32_t *frames, size_t count, double fps) {
    size_t input, output;
    assert_true(find_sampler(f, animation, BODY, "weights", &input, &output));
    assert_int_equal(json_integer(f, "accessors/%zu/count", input), count);
    for (size_t key = 0; key < count; key++) {
        assert_true(fabs(read_accessor(f, input, key, 0) - (double)key / fps) < 1e-5);
        compare_pose(f, model, BODY, find_target(f, BODY, output, key), frames[key]);
    }
}

/* ---- Tests ----------------------------------------------------------------------------------- */

TEST(keys_show_the_frames) {
    SYNTHETIC_MODEL(model, .num_frames = 6);
    for (int quantize = 0; quantize < 2; quantize++) {
        AT_END(close_glb) glb f = write_glb(model, (lm_gltf_options){.quantize = quantize});
        compare_pose(&f, model, BODY, -1, 0);
        compare_clip(&f, model, 0, (uint32_t[]){0, 1, 2, 3, 4, 5, 0}, 7, 10);
        assert_int_equal(f.result.num_meshes, 2);
        assert_int_equal(f.result.num_targets, 5);
        assert_int_equal(f.result.num_bundles, 1);
        assert_int_equal(f.result.num_animations, 1);
        assert_null(json_at(f.json, "meshes/1/primitives/0/targets"));
        assert_false(find_sampler(&f, 0, STILL, "weights", &(size_t){0}, &(size_t){0}));
    }
}

/* Reads a key's positions: the base and its targets by their weights. */
static void read_blend(const glb *f, size_t node, size_t output, size_t key, double out[][3]) {
    char path[64];
    const size_t mesh = json_integer(f, "nodes/%zu/mesh", node);
    snprintf(path, sizeof path, "meshes/%zu/primitives/0/targets", mesh);
    const size_t count = json_count(f->json, path);
    const glb_accessor weights = open_accessor(f, output);
    read_vertices(f, mesh, "POSITION", -1, out);
    for (size_t i = 0; i < count; i++) {
        const double weight = read_element(&weights, key * count + i, 0);
        const glb_accessor moved = open_accessor(
            f, json_integer(f, "meshes/%zu/primitives/0/targets/%zu/POSITION", mesh, i));
        for (size_t v = 0; v < NUM_VERTICES && weight != 0; v++)
            for (size_t k = 0; k < 3; k++)
                out[v][k] += weight * read_element(&moved, v, k);
    }
    for (size_t v = 0; v < NUM_VERTICES; v++)
        for (size_t k = 0; k < 3; k++)
            out[v][k] = transform(f, node, k, out[v][k]) / 0.0254;
}

/* Compares each key of a resampled clip with the pose that the sampler computes for its time. */
static void compare_resampled(const lm_model *model, const lm_clip *clip, lm_gltf_options options) {
    options.common.clips = clip;
    options.common.num_clips = 1;
    AT_END(close_glb) glb f = write_glb(model, options);
    const double end = lm_clip_duration(clip, LM_PLAY_AS_CLIP);
    const double step = json_number(json_at(f.json, "nodes/0/scale/0"), 0) / 0.0254;
    size_t input, output;
    assert_true(find_sampler(&f, 0, BODY, "weights", &input, &output));
    const size_t count = json_integer(&f, "accessors/%zu/count", input);
    assert_int_equal(count, 1 + ceil(end * (double)options.fps - 1e-6));
    for (size_t key = 0; key < count; key++) {
        const double time = key + 1 < count ? (double)key / (double)options.fps : end;
        lm_vec3 wanted[NUM_VERTICES];
        const lm_sample_target target = {.positions = &wanted[0].x};
        double found[NUM_VERTICES][3];
        lm_pose pose;
        assert_true(fabs(read_accessor(&f, input, key, 0) - time) < 1e-5);
        lm_clip_pose(clip, time, LM_PLAY_AS_CLIP, false, &pose);
        assert_int_equal(lm_sample(model, BODY, &pose, 1, &target), LM_CODE_OK);
        read_blend(&f, BODY, output, key, found);
        for (size_t v = 0; v < NUM_VERTICES; v++) {
            const double axes[] = {wanted[v].y, wanted[v].z, wanted[v].x};
            for (size_t k = 0; k < 3; k++)
                assert_true(fabs(found[v][k] - axes[k]) <= step / 2 + 1e-4);
        }
    }
}

TEST(a_rate_keeps_the_duration) {
    static const float rates[] = {2.5f, 7, 10, 20, 24, 60};
    static const float times[] = {0, 0.5f, 0.75f, 1.75f, 2, 2.25f};
    const lm_clip clips[] = {
        {.name = "loop", .first = 1, .count = 5, .fps = 10, .loop_frames = 5},
        {.name = "tail", .first = 0, .count = 5, .fps = 9, .loop_frames = 2, .backwards = true},
        {.name = "once", .first = 0, .count = 6, .fps = 15},
        {.name = "timed", .first = 0, .count = 5, .fps = 10, .times = times}};
    SYNTHETIC_MODEL(model, .num_frames = 6);
    for (size_t i = 0; i < sizeof clips / sizeof *clips; i++)
        for (size_t r = 0; r < sizeof rates / sizeof *rates; r++) {
            compare_resampled(model, &clips[i], (lm_gltf_options){.fps = rates[r]});
            compare_resampled(model, &clips[i],
                              (lm_gltf_options){.fps = rates[r], .quantize = true});
        }
}

TEST(quantised_steps_match_the_file) {
    SYNTHETIC_MODEL(model, .num_frames = 6);
    AT_END(close_glb) glb f = write_glb(model, (lm_gltf_options){.quantize = true});
    double step = json_number(json_at(f.json, "nodes/0/scale/0"), 0);
    assert_true(fabs(step - 0.0254 / 64) < 1e-9);
    assert_true(json_is(json_at(f.json, "extensionsRequired/0"), "KHR_mesh_quantization"));
}

TEST(same_poses_are_one_target) {
    SYNTHETIC_MODEL(model, .num_frames = 12, .period = 4);
    AT_END(close_glb) glb f = write_glb(model, (lm_gltf_options){0});
    assert_int_equal(f.result.num_targets, 3);
    assert_int_equal(f.result.shared_frames, 8);
    assert_int_equal(json_count(f.json, "meshes/0/primitives/0/targets"), 3);
    assert_int_equal(json_count(f.json, "meshes/0/extras/targetNames"), 3);
    assert_int_equal(json_count(f.json, "scenes/0/extras/frames"), 12);
    compare_clip(&f, model, 0, (uint32_t[]){0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0}, 13, 10);
}

TEST(clips_are_cut_to_the_frames) {
    SYNTHETIC_MODEL(model, .num_frames = 10);
    const lm_clip clips[] = {
        {.name = "once", .first = 0, .count = 4, .fps = 10, .loop_frames = 0},
        {.name = "back", .first = 3, .count = 3, .fps = 10, .loop_frames = 3, .backwards = true},
        {.name = "tail", .first = 5, .count = 4, .fps = 10, .loop_frames = 2},
        {.name = "outside", .first = 8, .count = 2, .fps = 10, .loop_frames = 2},
        {.name = "once", .first = 4, .count = 1, .fps = 10, .loop_frames = 0}};
    const lm_export_options common = {
        .first_frame = 2, .num_frames = 6, .clips = clips, .num_clips = 5};
    AT_END(close_glb) glb f = write_glb(model, (lm_gltf_options){.common = common});
    assert_int_equal(json_count(f.json, "animations"), 4);
    compare_pose(&f, model, BODY, -1, 2);
    compare_clip(&f, model, 0, (uint32_t[]){2, 3}, 2, 10);
    compare_clip(&f, model, 1, (uint32_t[]){5, 4, 3, 5}, 4, 10);
    compare_clip(&f, model, 2, (uint32_t[]){5, 6, 7, 6}, 4, 10);
    compare_clip(&f, model, 3, (uint32_t[]){4, 4}, 2, 10);
    assert_true(json_is(json_at(f.json, "animations/3/name"), "once_2"));
}

/* Most programs show the first animation and need distinct names. */
TEST(the_rest_clip_comes_first) {
    SYNTHETIC_MODEL(model, .num_frames = 10, .name = "legs");
    const lm_clip clips[] = {
        {.name = "death", .first = 0, .count = 3, .fps = 10, .loop_frames = 0},
        {.name = "run", .first = 3, .count = 2, .fps = 10, .loop_frames = 2},
        {.name = "LEGS_IDLE", .first = 5, .count = 3, .fps = 10, .loop_frames = 3},
        {.name = "jump", .first = 8, .count = 2, .fps = 10, .loop_frames = 0}};
    const lm_export_options common = {.name = "legs", .clips = clips, .num_clips = 4};
    static const char *const names[] = {"LEGS_IDLE", "death", "run", "jump"};
    AT_END(close_glb) glb f = write_glb(model, (lm_gltf_options){.common = common});
    for (size_t i = 0; i < 4; i++)
        assert_true(json_is(json_at(f.json, "animations/%zu/name", i), names[i]));
    compare_clip(&f, model, 0, (uint32_t[]){5, 6, 7, 5}, 4, 10);
    compare_clip(&f, model, 1, (uint32_t[]){0, 1, 2}, 3, 10);
    assert_true(json_is(json_at(f.json, "nodes/0/name"), "legs"));
    assert_true(json_is(json_at(f.json, "scenes/0/name"), "legs scene"));
}

/* Programs without animation show the rest pose: the mesh itself and the tags. */
TEST(the_rest_pose_is_the_base) {
    const lm_clip idle = {.name = "idle", .first = 5, .count = 3, .fps = 10, .loop_frames = 3};
    const uint32_t counts[] = {10, 600};
    for (int i = 0; i < 4; i++) {
        SYNTHETIC_MODEL(model, .num_frames = counts[i / 2]);
        const lm_clip clips[] = {{.name = "all", .count = counts[i / 2], .fps = 10}, idle};
        AT_END(close_glb)
        glb f = write_glb(model, (lm_gltf_options){.common = {.clips = clips, .num_clips = 2},
                                                   .quantize = i % 2});
        size_t tag = 2 * f.result.num_bundles;
        tag += f.result.num_bundles > 1 ? f.result.num_bundles : 0;
        compare_pose(&f, model, BODY, -1, 5);
        compare_clip(&f, model, 0, (uint32_t[]){5, 6, 7, 5}, 4, 10);
        assert_int_equal(f.result.num_targets, counts[i / 2] - 1);
        assert_true(fabs(json_number(json_at(f.json, "nodes/%zu/translation/0", tag), 0) +
                         5 * 0.0254 / 64) < 1e-6);
    }
}

/* A base that no clip shows is not stored again among the frames of no clip. */
TEST(frames_of_no_clip_are_stored_once) {
    SYNTHETIC_MODEL(model, .num_frames = 260);
    const lm_clip clip = {.name = "idle", .first = 258, .count = 1, .fps = 10, .loop_frames = 1};
    const lm_export_options common = {
        .first_frame = 3, .num_frames = 256, .clips = &clip, .num_clips = 1};
    AT_END(close_glb) glb f = write_glb(model, (lm_gltf_options){.common = common});
    assert_int_equal(f.result.num_targets, 255);
    assert_int_equal(f.result.num_bundles, 1);
}

/* Returns the part visible at a key's time: the one with scale 1 since the last step. */
static size_t shown_part(const glb *f, size_t num_parts, double time) {
    size_t shown = num_parts, input, output;
    for (size_t part = 0; part < num_parts; part++) {
        assert_true(find_sampler(f, 0, 2 * num_parts + part, "scale", &input, &output));
        size_t step = 0, count = json_integer(f, "accessors/%zu/count", input);
        while (step + 1 < count && read_accessor(f, input, step + 1, 0) <= time)
            step++;
        if (read_accessor(f, output, step, 0) == 1) {
            assert_int_equal(shown, num_parts);
            shown = part;
        }
    }
    assert_true(shown < num_parts);
    return shown;
}

static void compare_at(const glb *f, const lm_model *model, size_t num_parts, uint32_t frame) {
    size_t input, output, key = 0;
    double time = frame / 10.0;
    size_t node = 2 * shown_part(f, num_parts, time + 0.001);
    assert_true(find_sampler(f, 0, node, "weights", &input, &output));
    glb_accessor times = open_accessor(f, input);
    while (key < times.count && fabs(read_element(&times, key, 0) - time) > 1e-4)
        key++;
    assert_true(key + 1 < times.count); /* both ends of the next interval are in this part */
    compare_pose(f, model, node, find_target(f, node, output, key), frame);
    int next = find_target(f, node, output, key + 1);
    compare_pose(f, model, node, next, (frame + 1) % model->num_frames);
}

TEST(many_frames_are_split) {
    SYNTHETIC_MODEL(model, .num_frames = 600);
    AT_END(close_glb) glb f = write_glb(model, (lm_gltf_options){0});
    size_t num_parts = f.result.num_bundles, num_meshes = json_count(f.json, "meshes");
    assert_int_equal(num_parts, 3);
    for (size_t mesh = 0; mesh < num_meshes; mesh++) {
        char path[64];
        snprintf(path, sizeof path, "meshes/%zu/primitives/0/targets", mesh);
        assert_true(json_count(f.json, path) <= 255);
    }
    const uint32_t frames[] = {0, 1, 100, 254, 255, 256, 300, 509, 510, 511, 599};
    for (size_t i = 0; i < sizeof frames / sizeof *frames; i++)
        compare_at(&f, model, num_parts, frames[i]);
}

TEST(tags_need_no_surface) {
    SYNTHETIC_MODEL(model, .num_frames = 4, .no_surfaces = true);
    AT_END(close_glb) glb f = write_glb(model, (lm_gltf_options){0});
    size_t input, output;
    assert_null(json_at(f.json, "meshes"));
    assert_true(json_is(json_at(f.json, "nodes/0/name"), "tag_\xC3\xA9nd"));
    assert_true(find_sampler(&f, 0, 0, "translation", &input, &output));
    for (size_t key = 0; key < 5; key++) {
        const double frame = (double)(key % 4), step = 0.0254 / 64;
        assert_true(fabs(read_accessor(&f, output, key, 0) + frame * step) < 1e-6);
        assert_true(fabs(read_accessor(&f, output, key, 1) - 100 * step) < 1e-6);
        assert_true(fabs(read_accessor(&f, output, key, 2) - 3 * frame * step) < 1e-6);
    }
    assert_true(find_sampler(&f, 0, 0, "rotation", &input, &output));
    for (size_t key = 0; key < 5; key++) {
        double length = 0, dot = 0;
        for (size_t k = 0; k < 4; k++) {
            double q = read_accessor(&f, output, key, k);
            length += q * q;
            dot += q * read_accessor(&f, output, key ? key - 1 : 0, k);
        }
        assert_true(fabs(length - 1) < 1e-5 && dot >= 0);
    }
}

TEST(a_still_is_one_blended_pose) {
    SYNTHETIC_MODEL(model, .num_frames = 4);
    AT_END(close_glb)
    glb f = write_glb(model, (lm_gltf_options){.common = {.still = true, .frame = 1.5}});
    double a[NUM_VERTICES][3], b[NUM_VERTICES][3], normals[NUM_VERTICES][3], out[NUM_VERTICES][3];
    sample(model, 1, a, normals);
    sample(model, 2, b, normals);
    assert_null(json_at(f.json, "animations"));
    assert_null(json_at(f.json, "meshes/0/primitives/0/targets"));
    read_vertices(&f, 0, "POSITION", -1, out);
    for (size_t v = 0; v < NUM_VERTICES; v++)
        for (size_t k = 0; k < 3; k++)
            assert_true(fabs(out[v][k] - (a[v][k] + b[v][k]) / 2) < 1e-6);
}

TEST(faces_are_counter_clockwise_and_have_area) {
    SYNTHETIC_MODEL(model, .num_frames = 1);
    AT_END(close_glb) glb f = write_glb(model, (lm_gltf_options){0});
    const size_t wanted[] = {0, 2, 1, 0, 1, 3, 4, 3, 2};
    size_t indices = json_integer(&f, "meshes/0/primitives/0/indices");
    assert_int_equal(json_integer(&f, "accessors/%zu/count", indices), 9);
    for (size_t i = 0; i < 9; i++)
        assert_int_equal((size_t)read_accessor(&f, indices, i, 0), wanted[i]);
}

/* Makes vertex `to` of the first surface equal to `from` in all frames. */
static void make_same(lm_surface *surface, lm_vec2 *st, uint32_t from, uint32_t to) {
    uint8_t *keys = (uint8_t *)surface->keys;
    for (uint32_t i = 0; i < surface->num_keys; i++, keys += surface->key_stride)
        memcpy(keys + to * surface->key_size, keys + from * surface->key_size, surface->key_size);
    st[to] = st[from];
    surface->st = st;
}

static size_t count_welded(const lm_model *model, size_t *num_indices) {
    size_t count = 0;
    for (int quantize = 0; quantize < 2; quantize++) {
        AT_END(close_glb) glb f = write_glb(model, (lm_gltf_options){.quantize = quantize});
        size_t position = json_integer(&f, "meshes/0/primitives/0/attributes/POSITION");
        size_t st = json_integer(&f, "meshes/0/primitives/0/attributes/TEXCOORD_0");
        size_t indices = json_integer(&f, "meshes/0/primitives/0/indices");
        count = json_integer(&f, "accessors/%zu/count", position);
        assert_int_equal(json_integer(&f, "accessors/%zu/count", st), count);
        *num_indices = json_integer(&f, "accessors/%zu/count", indices);
        for (size_t i = 0; i < *num_indices; i++)
            assert_true(read_accessor(&f, indices, i, 0) < (double)count);
    }
    return count;
}

/* Vertices that are equal in all frames are welded; triangles left without area are removed. */
TEST(same_vertices_are_welded) {
    SYNTHETIC_MODEL(model, .num_frames = 6);
    lm_surface *surface = (lm_surface *)&model->surfaces[0];
    uint8_t *last = (uint8_t *)surface->keys + 5 * surface->key_stride + 2 * surface->key_size;
    lm_vec2 st[NUM_VERTICES];
    size_t num_indices;
    memcpy(st, surface->st, sizeof st);
    assert_int_equal(count_welded(model, &num_indices), 5);
    make_same(surface, st, 1, 2);
    assert_int_equal(count_welded(model, &num_indices), 4);
    assert_int_equal(num_indices, 6);
    st[2].y = 0.5f;
    assert_int_equal(count_welded(model, &num_indices), 5);
    st[2] = st[1];
    last[0]++; /* another position in the last frame */
    assert_int_equal(count_welded(model, &num_indices), 5);
    last[0]--;
    last[6] += 60; /* another normal there */
    assert_int_equal(count_welded(model, &num_indices), 5);
    assert_int_equal(num_indices, 9);
}

TEST(surfaces_without_area_are_skipped) {
    SYNTHETIC_MODEL(model, .num_frames = 6);
    lm_surface *surface = (lm_surface *)&model->surfaces[0];
    lm_vec2 st[NUM_VERTICES];
    memcpy(st, surface->st, sizeof st);
    for (uint32_t i = 1; i < NUM_VERTICES; i++)
        make_same(surface, st, 0, i);
    AT_END(close_glb) glb f = write_glb(model, (lm_gltf_options){0});
    assert_int_equal(f.result.num_meshes, 1);
    assert_true(json_is(json_at(f.json, "meshes/0/name"), "still"));
}

TEST(separate_files_match_the_glb) {
    SYNTHETIC_MODEL(model, .num_frames = 3, .name = "a\"<\xFF\n");
    AT_END(lm_buffer_free) lm_buffer json = {0}, bin = {0};
    AT_END(close_glb) glb f = write_glb(model, (lm_gltf_options){0});
    const lm_gltf_options options = {.bin_uri = "a b%:\xE9.bin"};
    assert_true(lm_gltf_write(LM_SCENE_OF(model), &options, &json, &bin, NULL, NULL));
    lm_buffer_append(&json, "", 1);
    const char *text = (const char *)json.data;
    assert_true(json_is_valid(text));
    assert_true(json_is(json_at(text, "buffers/0/uri"), "a%20b%25%3A%E9.bin"));
    assert_int_equal(bin.size, json_integer(&f, "buffers/0/byteLength"));
    assert_memory_equal(bin.data, f.bin, bin.size);
}

TEST(same_input_gives_the_same_bytes) {
    SYNTHETIC_MODEL(model, .num_frames = 300);
    for (int quantize = 0; quantize < 2; quantize++) {
        AT_END(close_glb) glb a = write_glb(model, (lm_gltf_options){.quantize = quantize});
        AT_END(close_glb) glb b = write_glb(model, (lm_gltf_options){.quantize = quantize});
        assert_int_equal(a.bytes.size, b.bytes.size);
        assert_memory_equal(a.bytes.data, b.bytes.data, a.bytes.size);
    }
}

static void expect_error(const lm_model *model, lm_gltf_options options, size_t max_size,
                         lm_code code) {
    AT_END(lm_buffer_free) lm_buffer out = {.max_size = max_size};
    lm_error error = {0};
    lm_buffer_text(&out, "before");
    assert_false(lm_gltf_write(LM_SCENE_OF(model), &options, &out, NULL, NULL, &error));
    assert_int_equal(error.code, code);
    assert_true(error.message[0] != '\0');
    if (code != LM_CODE_LIMIT)
        record_output("%s", error.message);
    assert_int_equal(out.size, 6);
    assert_memory_equal(out.data, "before", 6);
}

TEST(impossible_requests_are_rejected) {
    SYNTHETIC_MODEL(model, .num_frames = 4);
    const lm_export_options requests[] = {{.scale = -1},
                                          {.scale = NAN},
                                          {.first_frame = 4},
                                          {.first_frame = 2, .num_frames = 3},
                                          {.still = true, .frame = 3.5},
                                          {.still = true, .frame = -1},
                                          {.still = true, .frame = NAN}};
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++)
        expect_error(model, (lm_gltf_options){.common = requests[i]}, 0, LM_CODE_BAD_ARGUMENT);
    expect_error(model, (lm_gltf_options){.bin_uri = "a.bin"}, 0,
                 LM_CODE_BAD_ARGUMENT); /* no .bin */
    expect_error(model, (lm_gltf_options){.fps = -1}, 0, LM_CODE_BAD_ARGUMENT);
    expect_error(model, (lm_gltf_options){.fps = 1e9f}, 0, LM_CODE_LIMIT);
    expect_error(model, (lm_gltf_options){.common = {.scale = 3e38f}}, 0, LM_CODE_NOT_FINITE);
}

TEST(every_limit_is_respected) {
    SYNTHETIC_MODEL(model, .num_frames = 4);
    for (int quantize = 0; quantize < 2; quantize++) {
        lm_gltf_options options = {.quantize = quantize};
        glb f = write_glb(model, options);
        size_t size = f.bytes.size;
        close_glb(&f);
        for (size_t limit = 6; limit < size + 6; limit += 61)
            expect_error(model, options, limit, LM_CODE_LIMIT);
        expect_error(model, options, size + 5, LM_CODE_LIMIT);
        AT_END(lm_buffer_free) lm_buffer out = {.max_size = size};
        assert_true(lm_gltf_write(LM_SCENE_OF(model), &options, &out, NULL, NULL, NULL));
        assert_int_equal(out.size, size);
    }
}

/* Fails the first allocation, and then each one `step` later, until the call needs no more. */
static void fail_allocations(uint32_t num_frames, size_t step, bool quantize) {
    SYNTHETIC_MODEL(model, .num_frames = num_frames);
    const lm_gltf_options options = {.quantize = quantize};
    bool written = false;
    for (size_t fail_at = 1; !written; fail_at += step) {
        counted count = {.fail_at = fail_at};
        lm_buffer out = {.allocator = counting_allocator(&count)};
        lm_error error = {0};
        written = lm_gltf_write(LM_SCENE_OF(model), &options, &out, NULL, NULL, &error);
        assert_true(written == (count.calls < fail_at));
        assert_int_equal(error.code, written ? LM_CODE_OK : LM_CODE_OUT_OF_MEMORY);
        lm_buffer_free(&out);
        assert_int_equal(count.live_blocks, 0);
        assert_int_equal(count.live_bytes, 0);
    }
}

TEST(every_failing_allocation_is_survived) {
    fail_allocations(8, 1, false);
    fail_allocations(8, 1, true);
    fail_allocations(300, 41, false); /* split into parts, and buffers that grow */
}

/* ---- Complete outputs ---------------------------------------------------------------------- */

static void record_exports(const char *name, const lm_model *model) {
    static const lm_gltf_options list[] = {
        {.unlit = false},
        {.unlit = true, .fps = 3, .common = {.axes = LM_AXES_MODEL, .scale = 2}},
        {.quantize = true},
        {.common = {.still = true, .frame = 1.25}},
        {.common = {.first_frame = 1, .num_frames = 2}}};
    for (size_t i = 0; i < COUNT_OF(list); i++) {
        lm_gltf_options options = list[i];
        AT_END(lm_buffer_free) lm_buffer binary = {0}, json = {0}, bin = {0};
        options.generator = "a test";
        assert_true(lm_gltf_write(LM_SCENE_OF(model), &options, &binary, NULL, NULL, NULL));
        options.bin_uri = "a.bin";
        assert_true(lm_gltf_write(LM_SCENE_OF(model), &options, &json, &bin, NULL, NULL));
        lm_buffer_append(&json, "", 1);
        const bool short_text = i == 0 && json.size < 12000;
        record_output("%s %zu: glb %08x, json %08x, bin %08x%s%s", name, i,
                      (unsigned)lmi_crc32(0, binary.data, binary.size),
                      (unsigned)lmi_crc32(0, json.data, json.size),
                      (unsigned)lmi_crc32(0, bin.data, bin.size), short_text ? "\n" : "",
                      short_text ? (const char *)json.data : "");
    }
}

static void record_small(const char *format, const blob *file) {
    OWNED(lm_model) *model = load_blob(file);
    record_exports(format, model);
}

/* The sums also catch changes in members that no test reads. */
TEST(outputs_of_small_models) {
    each_small_model(record_small);
    SYNTHETIC_MODEL(model, .num_frames = 300);
    record_exports("300 frames", model);
}

TEST(all_messages) {
    assert_matches_golden("gltf");
}

/* A buffer's earlier contents stay, and the appended output is the same. */
TEST(outputs_are_appended) {
    SYNTHETIC_MODEL(model, .num_frames = 6);
    for (int i = 0; i < 2; i++) {
        const lm_gltf_options options = {.bin_uri = i ? "a.bin" : NULL};
        lm_buffer out[2] = {{0}, {0}}, bin[2] = {{0}, {0}};
        lm_buffer_text(&out[1], "before ");
        lm_buffer_text(&bin[1], "this ");
        for (int k = 0; k < 2; k++)
            assert_true(lm_gltf_write(LM_SCENE_OF(model), &options, &out[k], &bin[k], NULL, NULL));
        assert_int_equal(out[1].size, 7 + out[0].size);
        assert_memory_equal(out[1].data, "before ", 7);
        assert_memory_equal(out[1].data + 7, out[0].data, out[0].size);
        assert_int_equal(bin[1].size, 5 + bin[0].size);
        assert_memory_equal(bin[1].data, "this ", 5);
        assert_true(!bin[0].size || memcmp(bin[1].data + 5, bin[0].data, bin[0].size) == 0);
        for (int k = 0; k < 2; k++) {
            lm_buffer_free(&out[k]);
            lm_buffer_free(&bin[k]);
        }
    }
}
