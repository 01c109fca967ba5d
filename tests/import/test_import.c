/* glTF as takes: small files by hand, damaged ones, memory that fails, and our own exports. */
#include <math.h>
#include <stdio.h>

#include "lerpmesh/export.h"
#include "made_gltf.h"

static void assert_near(double a, double b, double most) {
    if (!(fabs(a - b) <= most))
        fail_msg("%.9g is not %.9g", a, b);
}

static void assert_at(const float *at, double x, double y, double z) {
    assert_near((double)at[0], x, 1e-5);
    assert_near((double)at[1], y, 1e-5);
    assert_near((double)at[2], z, 1e-5);
}

/* ---- What a file means -------------------------------------------------------------------------
 */

static void check_small(const lm_take *take) {
    assert_int_equal(take->num_frames, 3);
    assert_int_equal(take->num_clips, 1);
    assert_string_equal(take->clips[0].name, "walk");
    assert_int_equal(take->clips[0].count, 3);
    assert_int_equal(take->clips[0].loop_frames, 0);
    assert_near((double)take->clips[0].fps, 10, 1e-4);
    assert_int_equal(take->num_surfaces, 1);
    const lm_take_surface *s = &take->surfaces[0];
    assert_string_equal(s->name, "body");
    assert_string_equal(s->materials[0].name, "cloth");
    assert_int_equal(s->num_vertices, 3);
    /* Its corners the other way round; y of the file is up, z forward, x left. */
    assert_memory_equal(s->triangles, ((const uint32_t[3]){0, 2, 1}), 12);
    assert_at(s->positions, 0, 0, 0);
    assert_at(s->positions + 3, 0, 1, 0);
    assert_at(s->positions + 6, 0, 0, 1);
    /* Second frame: the hip is one forward, the arm with it, the third vertex follows no joint, and
     * the target takes it up by 2. */
    assert_at(s->positions + 9, 1, 0, 0);
    assert_at(s->positions + 12, 1, 1, 0);
    assert_at(s->positions + 15, 0, 0, 3);
    assert_at(s->positions + 18, 2, 0, 0);
    assert_at(s->positions + 24, 0, 0, 2);
    assert_at(s->normals, 1, 0, 0);
    assert_near((double)s->st[2], 1, 0);
    assert_int_equal(take->num_tags, 1);
    assert_string_equal(take->tags[0].name, "tag_head");
    assert_at(&take->tags[0].poses[1].origin.x, 1, 0, 1);
    assert_at(&take->tags[0].poses[1].axis[0].x, 1, 0, 0);
    assert_at(&take->tags[0].poses[1].axis[1].x, 0, 1, 0);
}

static void test_small_files_are_played(void **state) {
    (void)state;
    for (int glb = 0; glb < 2; glb++) {
        blob file = small_gltf(glb);
        assert_true(lm_import_is_gltf(file.data, file.size));
        lm_import *import = import_of(&file, &(lm_import_options){.scale = 1});
        check_small(import->take);
        assert_int_equal(import->num_findings, 1);
        assert_non_null(strstr(import->findings[0].message, "follows no joint"));
        lm_import_free(import);
        blob_free(&file);
    }
}

static void test_rates_scales_and_tags_are_chosen(void **state) {
    (void)state;
    blob file = small_gltf(true);
    const lm_import_tag tag = {"tag_weapon", "arm"};
    lm_import *import =
        import_of(&file, &(lm_import_options){.scale = 2, .fps = 20, .num_tags = 1, .tags = &tag});
    assert_int_equal(import->take->num_frames, 5);
    assert_at(import->take->surfaces[0].positions + 9, 1, 0, 0);
    assert_int_equal(import->take->num_tags, 2);
    assert_string_equal(import->take->tags[1].name, "tag_weapon");
    lm_import_free(import);
    import = import_of(&file, NULL);
    assert_at(import->take->surfaces[0].positions + 3, 0, 1 / 0.0254, 0);
    lm_import_free(import);
    lm_error error;
    const lm_import_tag wrong = {"tag_weapon", "leg"};
    assert_null(lm_import_gltf(file.data, file.size,
                               &(lm_import_options){.num_tags = 1, .tags = &wrong}, &error));
    assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
    assert_null(lm_import_gltf(file.data, file.size, &(lm_import_options){.fps = NAN}, &error));
    blob_free(&file);
}

/* ---- Damage ------------------------------------------------------------------------------------
 */

/* The small file with one text in the place of another, which are equally long or not. */
static blob with(const char *from, const char *to) {
    blob file = small_gltf(false);
    lm_buffer out = {0};
    const char *text = (const char *)file.data, *at = NULL;
    for (size_t i = 0; i + strlen(from) <= file.size && !at; i++)
        if (memcmp(text + i, from, strlen(from)) == 0)
            at = text + i;
    assert_non_null(at);
    lm_buffer_append(&out, text, (size_t)(at - text));
    lm_buffer_text(&out, to);
    at += strlen(from);
    lm_buffer_append(&out, at, file.size - (size_t)(at - text));
    blob_free(&file);
    return blob_from_buffer(&out);
}

static void test_what_contradicts_itself_is_refused_with_its_place(void **state) {
    (void)state;
    static const struct {
        const char *from, *to;
        lm_code code;
        const char *section, *sentence;
    } cases[] = {
        {"\"2.0\"", "\"1.0\"", LM_CODE_BAD_VERSION, "asset.version", "only version 2"},
        {"{\"version\":\"2.0\"}", "[]", LM_CODE_UNKNOWN_FORMAT, "asset.version", "no glTF"},
        {"\"children\":[2,3]", "\"children\":[1,3]", LM_CODE_BAD_GLTF, "nodes", "own ancestors"},
        {"\"children\":[2,3]", "\"children\":[2,2]", LM_CODE_BAD_GLTF, "nodes[1].children",
         "one parent"},
        {"\"children\":[2,3]", "\"children\":[2,9]", LM_CODE_BAD_GLTF, "nodes[1].children",
         "is no node"},
        {"\"mesh\":0", "\"mesh\":7", LM_CODE_BAD_GLTF, "nodes[0].mesh", "must be below 1"},
        {"\"joints\":[1,2]", "\"joints\":[1,8]", LM_CODE_BAD_GLTF, "skins[0].joints", "is no node"},
        {"\"joints\":[1,2]", "\"joints\":[1]", LM_CODE_BAD_GLTF, "meshes[0].primitives[0]",
         "joint 1, but the skin has 1"},
        {"\"bufferView\":0,", "\"bufferView\":99,", LM_CODE_BAD_GLTF, "accessors[0].bufferView",
         "below 11"},
        {"\"type\":\"VEC3\",\"count\":3", "\"type\":\"VEC3\",\"count\":4", LM_CODE_BAD_OFFSET,
         "accessors[0]", "not in buffer view 0"},
        {"\"byteOffset\":36", "\"byteOffset\":4000000000", LM_CODE_BAD_OFFSET, "bufferViews[1]",
         "not in buffer 0"},
        {"\"indices\":3", "\"indices\":0", LM_CODE_BAD_GLTF, "meshes[0].primitives[0]",
         "no single numbers"},
        {"\"componentType\":5123", "\"componentType\":5124", LM_CODE_BAD_GLTF,
         "accessors[3].componentType", "no type"},
        {"\"input\":8,\"output\":9", "\"input\":8,\"output\":8", LM_CODE_BAD_GLTF,
         "animations[0].channels[0]", "do not go with"},
        {"\"input\":8,\"output\":9", "\"input\":10,\"output\":9", LM_CODE_BAD_GLTF, "accessors[10]",
         "do not grow"},
        {"\"scene\":0", "\"extensionsRequired\":[\"KHR_draco_mesh_compression\"]",
         LM_CODE_NOT_BUILT_IN, "extensionsRequired[0]", "without Draco"},
        {"\"scene\":0", "\"extensionsRequired\":[\"EXT_meshopt_compression\"]",
         LM_CODE_NOT_BUILT_IN, "extensionsRequired[0]", "without meshopt"},
        {"data:application/octet-stream;base64,", "body.bin?", LM_CODE_IO, "buffers[0]",
         "body.bin"},
        {"\"mesh\":0,", "", LM_CODE_BAD_GLTF, "animations[0].channels[1]", "do not go"},
        {"\"translation\":[0,1,0]", "\"translation\":[0,1e99,0]", LM_CODE_NOT_FINITE,
         "nodes[3].translation", "no number"},
        {"\"scene\":0", "\"a\":[1 2}", LM_CODE_BAD_GLTF, "", "JSON"},
        {"\"scene\":0", "\"a\" \"b\"", LM_CODE_BAD_GLTF, "", "JSON"},
        {"\"scene\":0", "\"a\":tru", LM_CODE_BAD_GLTF, "", "JSON"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        blob file = with(cases[i].from, cases[i].to);
        lm_error error = {.code = LM_CODE_OK};
        lm_import *import = lm_import_gltf(file.data, file.size, NULL, &error);
        if (!import &&
            (error.code != cases[i].code || strcmp(error.section, cases[i].section) != 0 ||
             !strstr(error.message, cases[i].sentence)))
            fail_msg("%s for %s: %s, %s", cases[i].to, cases[i].from, error.section, error.message);
        /* A channel of weights whose node has no mesh moves nothing. */
        assert_true(!import || *cases[i].to == '\0');
        lm_import_free(import);
        blob_free(&file);
    }
}

static void test_numbers_that_are_none_are_refused(void **state) {
    (void)state;
    blob file = small_gltf(true);
    const size_t bin = 20 + get32(&file, 12) + 8;
    lm_error error;
    put_real(&file, bin + 4, NAN);
    assert_null(lm_import_gltf(file.data, file.size, NULL, &error));
    assert_int_equal(error.code, LM_CODE_NOT_FINITE);
    assert_string_equal(error.section, "accessors[0]");
    put_real(&file, bin + 4, 1e30f);
    assert_null(lm_import_gltf(file.data, file.size, NULL, &error));
    assert_int_equal(error.code, LM_CODE_NOT_FINITE);
    blob_free(&file);
}

/* A few bytes that would be an animation of years, or vertices without end. */
static void test_explosions_are_refused(void **state) {
    (void)state;
    lm_error error;
    blob file = small_gltf(true);
    const size_t bin = 20 + get32(&file, 12) + 8, times = 36 + 36 + 24 + 8 + 12 + 48 + 36 + 128;
    assert_near((double)get32(&file, bin + times), 0, 0);
    put_real(&file, bin + times + 8, 1e9f);
    assert_null(lm_import_gltf(file.data, file.size, NULL, &error));
    assert_int_equal(error.code, LM_CODE_LIMIT);
    assert_string_equal(error.section, "animations[0]");
    blob_free(&file);
    file = with("\"bufferView\":0,\"componentType\":5126,\"type\":\"VEC3\",\"count\":3",
                "\"componentType\":5126,\"type\":\"VEC3\",\"count\":2000000000");
    assert_null(lm_import_gltf(file.data, file.size, NULL, &error));
    assert_int_equal(error.code, LM_CODE_LIMIT);
    blob_free(&file);
    lm_buffer deep = {0};
    lm_buffer_text(&deep, "{\"a\":");
    for (int i = 0; i < 100000; i++)
        lm_buffer_text(&deep, "[");
    file = blob_from_buffer(&deep);
    assert_null(lm_import_gltf(file.data, file.size, NULL, &error));
    assert_non_null(strstr(error.message, "nested"));
    blob_free(&file);
}

/* Every beginning of a small file, and many bytes of it that are others. */
static void test_damage_is_met_with_an_error_or_a_take(void **state) {
    (void)state;
    chance c = chance_from(12);
    for (int glb = 0; glb < 2; glb++) {
        blob whole = small_gltf(glb);
        for (size_t size = 0; size < whole.size; size++) {
            lm_error error = {.code = LM_CODE_OK};
            blob part = blob_copy(whole.data, size);
            assert_null(lm_import_gltf(part.data, part.size, NULL, &error));
            assert_true(error.code != LM_CODE_OK && error.message[0]);
            blob_free(&part);
        }
        for (int i = 0; i < 20000; i++) {
            lm_error error = {.code = LM_CODE_OK};
            blob damaged = blob_copy(whole.data, whole.size);
            for (uint32_t k = 1 + chance_below(&c, 3); k > 0; k--) {
                const uint32_t at = chance_below(&c, (uint32_t)damaged.size);
                damaged.data[at] =
                    (uint8_t)(i % 2 ? chance_below(&c, 256) : '0' + chance_below(&c, 10));
            }
            lm_import *import =
                lm_import_gltf(damaged.data, damaged.size,
                               &(lm_import_options){.memory = {.max_bytes = 1 << 22}}, &error);
            if (import)
                assert_true(lm_take_check(import->take, &error));
            else
                assert_error_told(&error);
            lm_import_free(import);
            blob_free(&damaged);
        }
        blob_free(&whole);
    }
}

static void test_memory_fails_everywhere(void **state) {
    (void)state;
    blob file = small_gltf(false);
    size_t failed = 0;
    for (size_t at = 1;; at++) {
        counted counts = {.fail_at = at};
        lm_error error;
        const lm_import_options options = {.memory.allocator = counting_allocator(&counts)};
        lm_import *import = lm_import_gltf(file.data, file.size, &options, &error);
        if (!import)
            assert_int_equal(error.code, LM_CODE_OUT_OF_MEMORY);
        lm_import_free(import);
        assert_all_released(&counts);
        if (import)
            break;
        failed++;
    }
    assert_true(failed > 0);
    lm_error error;
    assert_null(lm_import_gltf(file.data, file.size,
                               &(lm_import_options){.memory.max_bytes = 20000}, &error));
    assert_int_equal(error.code, LM_CODE_LIMIT);
    blob_free(&file);
}

/* ---- Our own exports ---------------------------------------------------------------------------
 */

/* How far a point is from the nearest of a surface of the model in a frame. */
static double distance_to(const lm_model *model, uint32_t surface, const lm_vec3 *points,
                          const float *at) {
    double nearest = INFINITY;
    for (uint32_t v = 0; v < model->surfaces[surface].num_vertices; v++) {
        const double x = (double)(points[v].x - at[0]), y = (double)(points[v].y - at[1]),
                     z = (double)(points[v].z - at[2]);
        nearest = fmin(nearest, x * x + y * y + z * z);
    }
    return sqrt(nearest);
}

/* Which surface of the model a surface of the take was; they are in order, but for those that draw
 * nothing. */
static void compare_frame(const lm_model *model, const lm_take *take, uint32_t frame,
                          uint32_t source) {
    uint32_t s = 0;
    for (uint32_t t = 0; t < take->num_surfaces; t++, s++) {
        const lm_take_surface *surface = &take->surfaces[t];
        while (s < model->num_surfaces && model->surfaces[s].name[0] &&
               strncmp(model->surfaces[s].name, surface->name, strlen(model->surfaces[s].name)) !=
                   0)
            s++;
        assert_true(s < model->num_surfaces);
        lm_vec3 *points = malloc(model->surfaces[s].num_vertices * sizeof *points);
        const lm_sample_target target = {.positions = &points[0].x};
        assert_int_equal(lm_sample(model, s, &(lm_pose){source, source, 0}, 1, &target),
                         LM_CODE_OK);
        for (uint32_t v = 0; v < surface->num_vertices; v += 1 + surface->num_vertices / 25)
            assert_near(
                distance_to(model, s, points,
                            surface->positions + 3 * ((size_t)frame * surface->num_vertices + v)),
                0, 0.01);
        free(points);
    }
}

static const lm_clip *clip_called(const lm_model *model, const char *name) {
    for (uint32_t i = 0; i < model->num_clips; i++)
        if (strcmp(model->clips[i].name, name) == 0)
            return &model->clips[i];
    return NULL;
}

static size_t compared;

static void export_comes_back(const char *path, const blob *file) {
    lm_error error;
    lm_model *model = lm_load_memory(file->data, file->size, NULL, &error);
    lm_buffer glb = {0}, bin = {0};
    if (!model || file->size > 600000)
        goto done;
    assert_true(lm_gltf_write(model, NULL, &glb, &bin, NULL, &error));
    lm_import *import = lm_import_gltf(glb.data, glb.size, NULL, &error);
    if (!import)
        fail_msg("%s: %s", path, error.message);
    const lm_take *take = import->take;
    assert_int_equal(take->num_tags, model->num_tags);
    for (uint32_t i = 0; i < take->num_clips; i++) {
        const lm_clip *clip = &take->clips[i], *was = clip_called(model, clip->name);
        if (!was || was->times || was->backwards)
            continue;
        assert_near((double)clip->fps, (double)was->fps, 0.01 * (double)was->fps);
        if (clip->count != was->count && !(clip->loop_frames && clip->count + 1 == was->count))
            fail_msg("%s: %s has %u frames of %u", path, clip->name, clip->count, was->count);
        for (uint32_t f = 0; f < clip->count; f += 1 + clip->count / 3)
            compare_frame(model, take, clip->first + f, was->first + f);
        compared++;
    }
    lm_import_free(import);
done:
    lm_buffer_free(&glb);
    lm_buffer_free(&bin);
    lm_model_free(model);
}

static void test_exports_come_back(void **state) {
    (void)state;
    each_model(export_comes_back);
    print_message("%zu clips came back\n", compared);
    if (compared == 0)
        skip();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_files_are_played),
        cmocka_unit_test(test_rates_scales_and_tags_are_chosen),
        cmocka_unit_test(test_what_contradicts_itself_is_refused_with_its_place),
        cmocka_unit_test(test_numbers_that_are_none_are_refused),
        cmocka_unit_test(test_explosions_are_refused),
        cmocka_unit_test(test_damage_is_met_with_an_error_or_a_take),
        cmocka_unit_test(test_memory_fails_everywhere),
        cmocka_unit_test(test_exports_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
