/* Tests glTF as meshes: small files made by hand, damaged ones, failing memory, and our own
 * exports. */
#include "core/bytes.h"
#include "run_threads.h"
#include "synthetic.h"
#include "synthetic_gltf.h"
#include "value_checks.h"
#include <pthread.h>

static void assert_near(double a, double b, double most) {
    if (!(fabs(a - b) <= most))
        fail_msg("%.9g is not %.9g", a, b);
}

static void assert_at(const float *at, double x, double y, double z) {
    assert_near((double)at[0], x, 1e-5);
    assert_near((double)at[1], y, 1e-5);
    assert_near((double)at[2], z, 1e-5);
}

/* ---- Contents -------------------------------------------------------------------------------- */

static void check_small_gltf(const lm_mesh *mesh) {
    assert_int_equal(mesh->num_frames, 3);
    assert_int_equal(mesh->num_clips, 1);
    assert_string_equal(mesh->clips[0].name, "walk");
    assert_int_equal(mesh->clips[0].count, 3);
    assert_int_equal(mesh->clips[0].loop_frames, 0);
    assert_near((double)mesh->clips[0].fps, 10, 1e-4);
    assert_int_equal(mesh->num_surfaces, 1);
    const lm_mesh_surface *s = &mesh->surfaces[0];
    assert_string_equal(s->name, "body");
    assert_string_equal(s->materials[0].name, "cloth");
    assert_int_equal(s->num_vertices, 3);
    /* Its corners are reversed; y of the file is up, z forward, x left. */
    assert_memory_equal(s->triangles, ((const uint32_t[3]){0, 2, 1}), 12);
    assert_at(s->positions, 0, 0, 0);
    assert_at(s->positions + 3, 0, 1, 0);
    assert_at(s->positions + 6, 0, 0, 1);
    /* Second frame: the hip moves forward by 1, the arm follows it, the third vertex follows no
     * joint, and the morph target raises it by 2. */
    assert_at(s->positions + 9, 1, 0, 0);
    assert_at(s->positions + 12, 1, 1, 0);
    assert_at(s->positions + 15, 0, 0, 3);
    assert_at(s->positions + 18, 2, 0, 0);
    assert_at(s->positions + 24, 0, 0, 2);
    assert_at(s->normals, 1, 0, 0);
    assert_near((double)s->st[2], 1, 0);
    assert_int_equal(mesh->num_tags, 1);
    assert_string_equal(mesh->tags[0].name, "tag_head");
    assert_at(&mesh->tags[0].poses[1].origin.x, 1, 0, 1);
    assert_at(&mesh->tags[0].poses[1].axis[0].x, 1, 0, 0);
    assert_at(&mesh->tags[0].poses[1].axis[1].x, 0, 1, 0);
}

TEST(test_small_files_are_imported) {
    for (int glb = 0; glb < 2; glb++) {
        AT_END(blob_free) blob file = small_gltf(glb);
        assert_int_equal(lm_importer_find(file.data, file.size, "a.glb"), LM_IMPORTER_GLTF);
        OWNED(lm_import) *import = import_of(&file, &(lm_import_options){.scale = 1});
        check_small_gltf(import->mesh);
        assert_int_equal(import->num_diagnostics, 1);
        assert_non_null(strstr(import->diagnostics[0].text, "has no weights"));
    }
}

TEST(test_rates_scales_and_tags) {
    AT_END(blob_free) blob file = small_gltf(true);
    const lm_import_tag tag = {.name = "tag_weapon", .node = "arm"};
    lm_import *import =
        import_of(&file, &(lm_import_options){.scale = 2, .fps = 20, .num_tags = 1, .tags = &tag});
    assert_int_equal(import->mesh->num_frames, 5);
    assert_at(import->mesh->surfaces[0].positions + 9, 1, 0, 0);
    assert_int_equal(import->mesh->num_tags, 2);
    assert_string_equal(import->mesh->tags[1].name, "tag_weapon");
    lm_import_free(import);
    import = import_of(&file, NULL);
    assert_at(import->mesh->surfaces[0].positions + 3, 0, 1 / 0.0254, 0);
    lm_import_free(import);
}

/* ---- Damage ---------------------------------------------------------------------------------- */

TEST(test_invalid_numbers_are_rejected) {
    AT_END(blob_free) blob file = small_gltf(true);
    const size_t bin = 20 + get32(&file, 12) + 8;
    lm_error error;
    put_real(&file, bin + 4, NAN);
    assert_null(lm_import_read(file.data, file.size, NULL, &error));
    assert_int_equal(error.code, LM_CODE_NOT_FINITE);
    assert_string_equal(error.section, "accessors[0]");
    put_real(&file, bin + 4, 1e30f);
    assert_null(lm_import_read(file.data, file.size, NULL, &error));
    assert_int_equal(error.code, LM_CODE_NOT_FINITE);
}

static bool import_small(const void *options, lm_error *error) {
    AT_END(blob_free) blob file = small_gltf(true);
    lm_import *import = lm_import_read(file.data, file.size, options, error);
    lm_import_free(import);
    return import != NULL;
}

TEST(test_reserved_options_are_rejected) {
    static const option_of_call list[] = {
        {LM_MEMBER(lm_import_options, fps, FLOAT, 0), import_small},
        {LM_MEMBER(lm_import_options, scale, FLOAT, 0), import_small},
        {LM_MEMBER(lm_import_options, reserved, RESERVED, 0), import_small}};
    assert_true(import_small(NULL, NULL));
    assert_bad_values_rejected(list, COUNT_OF(list));
}

/* A few bytes that request an animation of years, or huge numbers of vertices. */
TEST(test_excessive_sizes_are_rejected) {
    lm_error error;
    AT_END(blob_free) blob file = small_gltf(true);
    const size_t bin = 20 + get32(&file, 12) + 8, times = 36 + 36 + 24 + 8 + 12 + 48 + 36 + 128;
    assert_near((double)get32(&file, bin + times), 0, 0);
    put_real(&file, bin + times + 8, 1e9f);
    assert_null(lm_import_read(file.data, file.size, NULL, &error));
    assert_int_equal(error.code, LM_CODE_LIMIT);
    assert_string_equal(error.section, "animations[0]");
    blob_free(&file);
    file = small_gltf_with("\"bufferView\":0,\"componentType\":5126,\"type\":\"VEC3\",\"count\":3",
                           "\"componentType\":5126,\"type\":\"VEC3\",\"count\":2000000000");
    assert_null(lm_import_read(file.data, file.size, NULL, &error));
    assert_int_equal(error.code, LM_CODE_LIMIT);
}

/* Makes a file whose JSON includes `rest`, with a triangle in accessor 0. */
static blob triangle_with(const char *rest) {
    static const float xyz[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    synthetic_gltf g = {0};
    put_floats(&g, "VEC3", xyz, 3);
    return finish_glb(&g, rest);
}

/* A vertex that no triangle uses is not read. */
TEST(test_unused_vertices_may_be_damaged) {
    static const float xyz[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, NAN, 0, 0};
    synthetic_gltf g = {0};
    put_floats(&g, "VEC3", xyz, 4);
    AT_END(blob_free)
    blob file = finish_glb(&g, "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
                               "\"nodes\":[{\"mesh\":0}]");
    OWNED(lm_import) *import = import_of(&file, NULL);
    assert_int_equal(import->mesh->surfaces[0].num_vertices, 3);
}

/* By default, memory depends on the number of bytes read: a few bytes cannot request 20 million
 * vertices. A larger limit in the options allows them. */
TEST(test_memory_depends_on_the_input) {
    lm_error error;
    counted counts = {0};
    lm_import_options options = {.memory.allocator = counting_allocator(&counts)};
    AT_END(blob_free)
    blob file =
        small_gltf_with("\"bufferView\":0,\"componentType\":5126,\"type\":\"VEC3\",\"count\":3",
                        "\"componentType\":5126,\"type\":\"VEC3\",\"count\":20000000");
    assert_null(lm_import_read(file.data, file.size, &options, &error));
    assert_int_equal(error.code, LM_CODE_LIMIT);
    assert_true(counts.most_bytes <= LM_IMPORT_EXTRA + file.size * LM_IMPORT_MULTIPLE);
    assert_all_released(&counts);
    options.memory.max_bytes = (size_t)1 << 30;
    assert_null(lm_import_read(file.data, file.size, &options, &error));
    assert_int_not_equal(error.code, LM_CODE_LIMIT); /* other accessors have 3 elements */
}

/* So does the memory of frames, which has a larger share: 20,001 vertices move. */
TEST(test_memory_of_frames_depends_on_the_input) {
    static float xyz[3 * 20001];
    static const float times[2] = {0, 1}, way[6] = {1};
    static const float rates[] = {100, 400, 1000}; /* 24, 96 and 240 MB */
    lm_error error;
    synthetic_gltf g = {0};
    for (size_t i = 0; i < COUNT_OF(xyz); i++)
        xyz[i] = (float)(i % 7);
    put_floats(&g, "VEC3", xyz, 20001);
    put_floats(&g, "SCALAR", times, 2);
    put_floats(&g, "VEC3", way, 2);
    AT_END(blob_free)
    blob file = finish_glb(&g, "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
                               "\"animations\":[{\"samplers\":[{\"input\":1,\"output\":2}],"
                               "\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,"
                               "\"path\":\"translation\"}}]}],\"nodes\":[{\"mesh\":0}]");
    for (size_t i = 0; i < COUNT_OF(rates); i++) {
        counted counts = {0};
        const lm_import_options options = {.fps = rates[i],
                                           .memory.allocator = counting_allocator(&counts)};
        lm_import *import = lm_import_read(file.data, file.size, &options, &error);
        assert_int_equal(import != NULL, rates[i] < 1000);
        assert_true((counts.most_bytes > LM_IMPORT_EXTRA + file.size * LM_IMPORT_MULTIPLE) ==
                    (rates[i] == 400));
        assert_true(counts.most_bytes <= LM_IMPORT_EXTRA + file.size * LM_IMPORT_FRAMES_MULTIPLE);
        if (!import)
            assert_int_equal(error.code, LM_CODE_LIMIT);
        lm_import_free(import);
        assert_all_released(&counts);
    }
}

/* The number of nodes times frames depends on the number of bytes read. */
TEST(test_steps_depend_on_the_input) {
    static const float xyz[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0}, times[2] = {0, 1083}, way[6] = {1};
    lm_error error;
    for (unsigned nodes = 10; nodes <= 10000; nodes *= 1000) {
        synthetic_gltf g = {0};
        AT_END(lm_buffer_free) lm_buffer rest = {0};
        put_floats(&g, "VEC3", xyz, 3);
        put_floats(&g, "SCALAR", times, 2);
        put_floats(&g, "VEC3", way, 2);
        lm_buffer_text(&rest,
                       "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
                       "\"animations\":[{\"samplers\":[{\"input\":1,\"output\":2}],\"channels\":"
                       "[{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"translation\"}}]}],"
                       "\"nodes\":[{\"mesh\":0}");
        for (unsigned i = 1; i < nodes; i++)
            lm_buffer_text(&rest, ",{}");
        lm_buffer_text(&rest, "]");
        lm_buffer_append(&rest, "", 1);
        AT_END(blob_free) blob file = finish_glb(&g, (const char *)rest.data);
        OWNED(lm_import) *import =
            lm_import_read(file.data, file.size, &(lm_import_options){.fps = 60}, &error);
        assert_int_equal(import != NULL, nodes == 10);
        if (!import) {
            assert_int_equal(error.code, LM_CODE_LIMIT);
            assert_non_null(strstr(error.message, "frames are too many"));
        }
    }
}

/* Rows of a weapon.cfg in a file of ours: their frames, with those of the hand, have the same limit
 * as others. */
TEST(test_rows_have_a_limit_of_frames) {
    lm_error error;
    for (unsigned rows = 1; rows <= 2; rows++) {
        AT_END(lm_buffer_free) lm_buffer rest = {0};
        lm_buffer_text(
            &rest, "\"nodes\":[{\"name\":\"tag_a\"}],\"scenes\":[{\"nodes\":[0],"
                   "\"extras\":{\"hand\":\"a\",\"clips\":[{\"first\":0,\"count\":30000,\"fps\":9}");
        for (unsigned i = 0; i < rows; i++)
            lm_buffer_printf(&rest, ",{\"name\":\"%u\",\"first\":0,\"count\":30000,\"fps\":%u}", i,
                             10 + i);
        lm_buffer_text(&rest, "],\"frames\":[0");
        for (unsigned i = 1; i < 30000; i++)
            lm_buffer_text(&rest, ",0");
        lm_buffer_text(&rest, "]}}]");
        lm_buffer_append(&rest, "", 1);
        AT_END(blob_free) blob file = triangle_with((const char *)rest.data);
        OWNED(lm_import) *import = lm_import_read(file.data, file.size, NULL, &error);
        assert_int_equal(import != NULL, rows == 1);
        if (!import)
            assert_int_equal(error.code, LM_CODE_LIMIT);
    }
}

/* Each surface has a material in each variant, also one without triangles. */
TEST(test_variants_of_empty_surfaces_have_a_limit) {
    lm_error error;
    for (unsigned variants = 10; variants <= 1000; variants *= 100) {
        AT_END(lm_buffer_free) lm_buffer rest = {0};
        lm_buffer_text(&rest, "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
                              "\"nodes\":[{\"mesh\":0}],\"images\":[{\"uri\":\"\"}],"
                              "\"extensions\":{\"KHR_materials_variants\":{\"variants\":[{}");
        for (unsigned i = 1; i < variants; i++)
            lm_buffer_text(&rest, ",{}");
        lm_buffer_text(&rest,
                       "]}},\"scenes\":[{\"nodes\":[0],\"extras\":{\"frames\":[0],\"clips\":[{"
                       "\"first\":0,\"count\":1,\"fps\":9}],\"emptySurfaces\":[{\"index\":1}");
        for (unsigned i = 2; i <= 1000; i++)
            lm_buffer_printf(&rest, ",{\"index\":%u}", i);
        lm_buffer_text(&rest, "]}}]");
        lm_buffer_append(&rest, "", 1);
        AT_END(blob_free) blob file = triangle_with((const char *)rest.data);
        OWNED(lm_import) *import =
            lm_import_read(file.data, file.size, &(lm_import_options){.images = true}, &error);
        assert_int_equal(import != NULL, variants == 10);
        if (import)
            assert_int_equal(import->mesh->num_surfaces, 1001);
        else
            assert_int_equal(error.code, LM_CODE_LIMIT);
    }
}

/* A chain of nodes, each 1 above its parent, and then as many children of the first. */
TEST(test_covers_of_thousands_of_nodes) {
    const unsigned count = 5000;
    for (int chain = 0; chain < 2; chain++) {
        AT_END(lm_buffer_free) lm_buffer rest = {0};
        lm_buffer_text(&rest, "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
                              "\"nodes\":[{\"name\":\"top\",\"children\":[1");
        for (unsigned i = 2; !chain && i <= count; i++)
            lm_buffer_printf(&rest, ",%u", i);
        lm_buffer_text(&rest, "]}");
        for (unsigned i = 1; i <= count; i++) {
            lm_buffer_text(&rest, ",{\"translation\":[0,1,0]");
            if (chain && i < count)
                lm_buffer_printf(&rest, ",\"children\":[%u]", i + 1);
            lm_buffer_text(&rest, i == count ? ",\"name\":\"last\",\"mesh\":0}" : "}");
        }
        lm_buffer_printf(&rest, "],\"scenes\":[{\"nodes\":[0]}]");
        lm_buffer_append(&rest, "", 1);
        AT_END(blob_free) blob file = triangle_with((const char *)rest.data);
        OWNED(lm_import) *import = import_of(&file, &(lm_import_options){.scale = 1});
        assert_string_equal(import->mesh->surfaces[0].name, "last");
        assert_at(import->mesh->surfaces[0].positions, 0, 0, chain ? count : 1);
    }
}

TEST(test_names_in_any_script_are_preserved) {
    /* Unescaped, and as escapes: two, three and four bytes each. */
    AT_END(blob_free)
    blob file = triangle_with(
        "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"material\":0}]}],"
        "\"materials\":[{\"name\":\"\\u043a\\u043e\\u0436\\u0430 \\u76ae "
        "\\ud83d\\udc0d \\\"x\\\" \\ud83d \\ud7ff\\ue000\"}],"
        "\"nodes\":[{\"name\":\"\xd0\xbc\xd0\xb5\xd1\x87 \xe5\x88\x80\",\"mesh\":0}],"
        "\"scenes\":[{\"nodes\":[0]}]");
    OWNED(lm_import) *import = import_of(&file, NULL);
    const lm_mesh_surface *s = &import->mesh->surfaces[0];
    assert_string_equal(s->name, "\xd0\xbc\xd0\xb5\xd1\x87 \xe5\x88\x80");
    assert_string_equal(s->materials[0].name,
                        "\xd0\xba\xd0\xbe\xd0\xb6\xd0\xb0 \xe7\x9a\xae \xf0\x9f\x90\x8d \"x\" "
                        "\xef\xbf\xbd \xed\x9f\xbf\xee\x80\x80");
}

/* Without inverse bind matrices, the joints' rest poses are identities. */
TEST(test_skins_need_no_matrices) {
    AT_END(blob_free) blob file = small_gltf_with(",'inverseBindMatrices':7", "");
    OWNED(lm_import) *import = import_of(&file, &(lm_import_options){.scale = 1});
    check_small_gltf(import->mesh);
}

/* A node without size keeps its turn: here a quarter about the file's y, which is the models' z. */
TEST(test_tags_of_flat_nodes_have_axes) {
    AT_END(blob_free)
    blob file = small_gltf_with("'translation':[0,1,0]", "'translation':[0,1,0],'scale':[0,0,0],"
                                                         "'rotation':[0,1,0,1]");
    OWNED(lm_import) *import = import_of(&file, &(lm_import_options){.scale = 1});
    const lm_transform *pose = &import->mesh->tags[0].poses[1];
    assert_at(&pose->axis[0].x, 0, 1, 0);
    assert_at(&pose->axis[1].x, -1, 0, 0);
    assert_at(&pose->axis[2].x, 0, 0, 1);
}

/* A skin may name its own mesh's node, and a joint may be the mesh's child: transforms of nodes are
 * computed first. */
TEST(test_cyclic_skins_are_at_rest) {
    AT_END(blob_free) blob file = small_gltf_with("\"joints\":[1,2]", "\"joints\":[0,0]");
    OWNED(lm_import) *import = import_of(&file, &(lm_import_options){.scale = 1});
    assert_at(import->mesh->surfaces[0].positions + 9, 0, 0, 0);
    assert_at(import->mesh->surfaces[0].positions + 12, 0, 1, 0);
}

/* Every prefix of a small file, and changes to many of its bytes. */
TEST(test_damaged_files_give_an_error_or_a_mesh) {
    chance c = chance_from(12);
    for (int glb = 0; glb < 2; glb++) {
        AT_END(blob_free) blob whole = small_gltf(glb);
        for (size_t size = 0; size < whole.size; size++) {
            lm_error error = {.code = LM_CODE_OK};
            AT_END(blob_free) blob part = blob_copy(whole.data, size);
            assert_null(lm_import_read(part.data, part.size, NULL, &error));
            assert_true(error.code != LM_CODE_OK && error.message[0]);
        }
        for (int i = 0; i < 8000; i++) {
            lm_error error = {.code = LM_CODE_OK};
            AT_END(blob_free) blob damaged = blob_copy(whole.data, whole.size);
            for (uint32_t k = 1 + chance_below(&c, 3); k > 0; k--) {
                const uint32_t at = chance_below(&c, (uint32_t)damaged.size);
                damaged.data[at] =
                    (uint8_t)(i % 2 ? chance_below(&c, 256) : '0' + chance_below(&c, 10));
            }
            OWNED(lm_import) *import =
                lm_import_read(damaged.data, damaged.size,
                               &(lm_import_options){.memory = {.max_bytes = 1 << 22}}, &error);
            if (import)
                assert_true(lm_mesh_check(import->mesh, &error));
            else
                assert_error_valid(&error);
        }
    }
}

TEST(test_failing_allocations_are_handled) {
    AT_END(blob_free) blob file = small_gltf(false);
    EACH_ALLOCATION_FAILS (f) {
        const lm_import_options options = {.memory = f.memory};
        OWNED(lm_import) *import = lm_import_read(file.data, file.size, &options, &f.error);
        f.done = import != NULL;
    }
}

/* ---- Images ---------------------------------------------------------------------------------- */

/* Two variants; an image in a buffer, one in the same folder, one in its URI, and two missing
 * ones. */
static const char dressed[] =
    "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0,1]}],\"nodes\":[{"
    "\"mesh\":0},{\"mesh\":1}],"
    "\"extensions\":{\"KHR_materials_variants\":{\"variants\":[{\"name\":\"a\"},{\"name\":\"b\"}]}}"
    ","
    "\"images\":[{\"name\":\"one\",\"bufferView\":1},{\"uri\":\"two.png\"},{\"uri\":\"data:image/"
    "png;base64,UE5HMw==\"},{\"uri\":\"none.png\"}],"
    "\"textures\":[{\"source\":0},{\"source\":1},{\"source\":2},{\"source\":9}],"
    "\"materials\":[{\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":0}},\"alphaMode\":"
    "\"MASK\"},{\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":1}}},{"
    "\"alphaMode\":\"BLEND\",\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":2}}},{"
    "\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":3}}},{\"pbrMetallicRoughness\":{"
    "\"baseColorTexture\":{\"index\":9}}}],"
    "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"material\":0,\"extensions\":{"
    "\"KHR_materials_variants\":{\"mappings\":[{\"material\":1,\"variants\":[1,2,7]},{\"material\":"
    "9,"
    "\"variants\":[0]}]}}}]},{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"material\":2},{"
    "\"attributes\":{\"POSITION\":0},\"material\":3},{\"attributes\":{\"POSITION\":0}}]}],"
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}],"
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36},{\"buffer\":0,\"byteOffset\":36,"
    "\"byteLength\":4}],"
    "\"buffers\":[{\"byteLength\":44,\"uri\":\"data:;base64,"
    "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAUE5HMVBORzI=\"}]}";

static bool read_png(void *user, const char *uri, lm_buffer *out, lm_error *error) {
    ++*(unsigned *)user;
    if (strcmp(uri, "two.png") != 0)
        return lm_fail_plain(error, LM_CODE_IO, "there is no %s", uri);
    lm_buffer_text(out, "PNG2");
    return true;
}

static bool read_zeros(void *user, const char *uri, lm_buffer *out, lm_error *error) {
    static const uint8_t zeros[65536];
    return lm_buffer_append(out, zeros, sizeof zeros), true;
}

static void check_images(const lm_import *import) {
    static const char *const bytes[] = {"PNG1", "PNG2", "PNG3"};
    static const uint32_t none = LM_IMPORT_NO_IMAGE;
    const uint32_t surface_images[] = {0, 2, none, none, 1, 2, none, none};
    assert_int_equal(import->mesh->num_surfaces, 4);
    assert_int_equal(import->num_variants, 2);
    assert_memory_equal(import->surface_images, surface_images, sizeof surface_images);
    assert_int_equal(import->num_images, 4);
    for (size_t i = 0; i < COUNT_OF(bytes); i++) {
        assert_int_equal(import->images[i].size, 4);
        assert_memory_equal(import->images[i].data, bytes[i], 4);
        assert_int_equal(import->images[i].transparent, i != 1);
    }
    assert_null(import->images[3].data);
    assert_string_equal(import->images[0].name, "one");
    assert_string_equal(import->images[1].name, "two.png");
    assert_false(import->own_export);
}

TEST(test_images_with_failing_allocations) {
    unsigned asked = 0;
    lm_error error;
    EACH_ALLOCATION_FAILS (f) {
        const lm_import_options options = {
            .memory = f.memory, .read = read_png, .user = &asked, .images = true};
        asked = 0;
        OWNED(lm_import) *import = lm_import_read(dressed, sizeof dressed - 1, &options, &f.error);
        f.done = import != NULL;
        if (import)
            check_images(import);
    }
    assert_int_equal(asked, 1); /* no material uses the other */
    lm_import *import = lm_import_read(dressed, sizeof dressed - 1, NULL, &error);
    assert_int_equal(import->num_images, 0);
    lm_import_free(import);
    import =
        lm_import_read(dressed, sizeof dressed - 1, &(lm_import_options){.images = true}, &error);
    assert_null(import->images[1].data);
    assert_int_equal(import->num_diagnostics, 1);
    assert_non_null(strstr(import->diagnostics[0].text, "\"two.png\" of a surface is missing"));
    lm_import_free(import);
    const lm_import_options small = {.images = true, .read = read_zeros, .memory.max_bytes = 65536};
    assert_null(lm_import_read(dressed, sizeof dressed - 1, &small, &error));
    assert_int_equal(error.code, LM_CODE_LIMIT);
}

/* ---- Our own exports ------------------------------------------------------------------------- */

static const char *path_of_model;

static bool is_degenerate(const uint32_t *c) {
    return c[0] == c[1] || c[1] == c[2] || c[2] == c[0];
}

static bool is_same_position(lm_vec3 a, lm_vec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/* Corners with equal positions may become one vertex. */
static bool is_flat(const lm_vec3 *positions, const uint32_t *c) {
    return is_same_position(positions[c[0]], positions[c[1]]) ||
           is_same_position(positions[c[1]], positions[c[2]]) ||
           is_same_position(positions[c[2]], positions[c[0]]);
}

/* One surface of the model in one frame, and the vertices at its triangles' corners. */
typedef struct sampled {
    const lm_surface *surface;
    lm_vec3 *positions, *normals;
} sampled;

static sampled sample_surface(const lm_model *model, uint32_t index, uint32_t frame) {
    sampled s = {.surface = &model->surfaces[index]};
    s.positions = malloc(s.surface->num_vertices * sizeof *s.positions);
    s.normals = malloc(s.surface->num_vertices * sizeof *s.normals);
    const lm_sample_target target = {.positions = &s.positions[0].x, .normals = &s.normals[0].x};
    assert_int_equal(lm_sample(model, index, &(lm_pose){frame, frame, 0}, 1, &target), LM_CODE_OK);
    return s;
}

static bool is_near3(lm_vec3 a, const float *b, double most) {
    return fabs((double)a.x - (double)b[0]) <= most && fabs((double)a.y - (double)b[1]) <= most &&
           fabs((double)a.z - (double)b[2]) <= most;
}

/* Returns true if an imported triangle is one of the model's. */
static bool is_triangle(const sampled *s, const uint32_t *corners, const lm_mesh_surface *surface,
                        uint32_t frame, const uint32_t *taken, double size) {
    const size_t row = (size_t)frame * surface->num_vertices;
    for (int k = 0; k < 3; k++) {
        const uint32_t v = corners[k];
        const float *st = surface->st + 2 * (size_t)taken[k];
        if (!is_near3(s->positions[v], surface->positions + 3 * (row + taken[k]), 1e-5 * size) ||
            !is_near3(s->normals[v], surface->normals + 3 * (row + taken[k]), 1e-3) ||
            fabsf(s->surface->st[v].x - st[0]) > 1e-5f ||
            fabsf(s->surface->st[v].y - st[1]) > 1e-5f)
            return false;
    }
    return true;
}

/* Checks that the triangles return in their order, without those of no area. Returns whether any of
 * them is drawn. */
static bool compare_surface(const lm_model *model, uint32_t index, const lm_mesh_surface *surface,
                            uint32_t frame, double size) {
    sampled s = sample_surface(model, index, frame);
    uint32_t t = 0;
    for (uint32_t i = 0; i < s.surface->num_triangles; i++) {
        const uint32_t *corners = s.surface->triangles + 3 * (size_t)i;
        if (t < surface->num_triangles &&
            is_triangle(&s, corners, surface, frame, surface->triangles + 3 * (size_t)t, size))
            t++;
        else if (!is_degenerate(corners) && !is_flat(s.positions, corners))
            fail_msg("%s: frame %u: triangle %u of surface %u did not come back", path_of_model,
                     (unsigned)frame, (unsigned)i, (unsigned)index);
    }
    assert_int_equal(t, surface->num_triangles);
    free(s.positions);
    free(s.normals);
    return t > 0;
}

static bool draws(const lm_surface *surface) {
    for (uint32_t i = 0; i < surface->num_triangles; i++)
        if (!is_degenerate(surface->triangles + 3 * (size_t)i))
            return true;
    return false;
}

static void compare_names(const lm_surface *was, const lm_mesh_surface *surface) {
    assert_string_equal(surface->name, was->name);
    assert_int_equal(surface->num_materials, was->num_materials);
    for (uint32_t i = 0; i < was->num_materials; i++) {
        assert_string_equal(surface->materials[i].name, was->materials[i].name);
        assert_int_equal(surface->materials[i].flags, was->materials[i].flags);
    }
}

static void compare_surfaces(const lm_model *model, const lm_mesh *mesh) {
    lm_vec3 min = {0, 0, 0}, max = {0, 0, 0};
    lm_model_bounds(model, 0, model->num_frames, &min, &max);
    const double size =
        fmax((double)(max.x - min.x), fmax((double)(max.y - min.y), (double)(max.z - min.z)));
    uint32_t s = 0;
    for (uint32_t i = 0; i < model->num_surfaces; i++) {
        if (!draws(&model->surfaces[i]))
            continue;
        assert_true(s < mesh->num_surfaces);
        compare_names(&model->surfaces[i], &mesh->surfaces[s]);
        for (uint32_t f = 0; f < model->num_frames; f += 1 + model->num_frames / 40)
            compare_surface(model, i, &mesh->surfaces[s], f, size);
        s++;
    }
    assert_int_equal(s, mesh->num_surfaces);
}

static void compare_clips(const lm_model *model, const lm_mesh *mesh) {
    assert_int_equal(mesh->num_clips, model->num_clips);
    for (uint32_t i = 0; i < model->num_clips; i++) {
        const lm_clip *clip = &mesh->clips[i], *was = &model->clips[i];
        assert_string_equal(clip->name, was->name);
        assert_int_equal(clip->first, was->first);
        assert_int_equal(clip->count, was->count);
        assert_int_equal(clip->loop_frames, was->loop_frames);
        assert_int_equal(clip->backwards, was->backwards);
        assert_near((double)clip->fps, (double)was->fps, 1e-6 * (double)was->fps);
        assert_int_equal(clip->times != NULL, was->times != NULL);
        for (uint32_t k = 0; was->times && k <= was->count; k++)
            assert_near((double)clip->times[k], (double)(was->times[k] - was->times[0]), 1e-5);
    }
}

static void compare_tags(const lm_model *model, const lm_mesh *mesh, bool sheared) {
    assert_int_equal(mesh->num_tags, model->num_tags);
    for (uint32_t i = 0; i < model->num_tags; i++) {
        assert_string_equal(mesh->tags[i].name, model->tags[i].name);
        for (uint32_t f = 0; f < model->num_frames; f++) {
            lm_transform was;
            const lm_transform *now = &mesh->tags[i].poses[f];
            assert_int_equal(lm_sample_tag(model, i, &(lm_pose){f, f, 0}, &was), LM_CODE_OK);
            assert_true(is_near3(was.origin, &now->origin.x, 1e-4));
            for (int k = 0; k < 3 && !sheared; k++)
                assert_true(is_near3(was.axis[k], &now->axis[k].x, 2e-3));
        }
    }
}

/* Written in the model's own format, the mesh is as accurate as the model's own frames. */
static void compare_written(const lm_model *model, const lm_mesh *mesh) {
    const lm_format_info *format = lm_format_by_name(model->format);
    lm_error error;
    double off[2];
    OWNED(lm_mesh) *own = lm_mesh_from_model(model, NULL, &error);
    const lm_mesh *meshes[2] = {own, mesh};
    assert_non_null(own);
    for (int i = 0; i < 2; i++) {
        const lm_encode_options options = {.strips = LM_STRIPS_FAST};
        AT_END(lm_buffer_free) lm_buffer file = {0};
        OWNED(lm_encode_report) *report = NULL;
        if (!lm_encode(meshes[i], format, &options, &file, &report, &error)) {
            if (i == 1 || error.code != LM_CODE_BAD_ARGUMENT)
                fail_msg("%s: %s", path_of_model, error.message);
            off[0] = off[1] = 0; /* the format cannot be written */
            break;
        }
        off[i] = report->max_error;
    }
    if (off[1] > off[0] * 1.25 + 1e-4)
        fail_msg("%s: by way of glTF it is off by %g, else by %g", path_of_model, off[1], off[0]);
}

static size_t compared;

static void check_export_round_trip(const char *path, const blob *file) {
    lm_error error;
    path_of_model = path;
    lm_gltf_result result;
    lm_model *model =
        file->size > 600000 ? NULL : lm_load_memory(file->data, file->size, NULL, &error);
    if (!model)
        return;
    lm_buffer glb = {0};
    assert_true(lm_gltf_write(LM_SCENE_OF(model), NULL, &glb, NULL, &result, &error));
    lm_import *import = lm_import_read(glb.data, glb.size, NULL, &error);
    if (!import && model->num_tags == 0 && result.num_meshes == 0) {
        assert_int_equal(error.code, LM_CODE_BAD_GLTF); /* the file is empty */
        goto done;
    }
    if (!import)
        fail_msg("%s: %s", path, error.message);
    const lm_mesh *mesh = import->mesh;
    assert_int_equal(mesh->num_frames, model->num_frames);
    for (uint32_t f = 0; f < model->num_frames; f++)
        assert_string_equal(mesh->frame_names[f], model->frames[f].name);
    assert_string_equal(mesh->name, model->name);
    assert_int_equal(mesh->num_skins, model->num_skins);
    for (uint32_t i = 0; i < model->num_skins; i++)
        assert_string_equal(mesh->skins[i], model->skins[i]);
    assert_int_equal(mesh->skin_width, model->skin_width);
    assert_int_equal(mesh->skin_height, model->skin_height);
    compare_clips(model, mesh);
    compare_surfaces(model, mesh);
    compare_tags(model, mesh, result.num_sheared_tags > 0);
    if (model->num_frames <= 200)
        compare_written(model, mesh);
    compared++;
    lm_import_free(import);
done:
    lm_buffer_free(&glb);
    lm_model_free(model);
}

TEST(test_exports_round_trip) {
    each_model(check_export_round_trip);
    printf("%zu models came back\n", compared);
    if (compared == 0)
        skip();
}

/* A file of clips may leave frames out: they are exported all the same, and imported again. */
TEST(test_frames_without_a_clip_round_trip) {
    lm_error error;
    AT_END(drop_synthetic_model)
    lm_model *model =
        make_model(&(synthetic_options){.num_frames = 6, .period = 6, .numbered = true});
    const lm_clip clip = {.name = "middle", .first = 1, .count = 2, .fps = 0.5f};
    const lm_scene_part part = {.model = model, .num_clips = 1, .clips = &clip};
    const lm_scene scene = {.num_parts = 1, .parts = &part};
    AT_END(lm_buffer_free) lm_buffer glb = {0};
    lm_gltf_result result;
    assert_true(lm_gltf_write(&scene, NULL, &glb, NULL, &result, &error));
    assert_int_equal(result.num_animations, 3);
    OWNED(lm_import) *import = lm_import_read(glb.data, glb.size, NULL, &error);
    assert_non_null(import);
    assert_int_equal(import->mesh->num_frames, model->num_frames);
    assert_int_equal(import->mesh->num_clips, 1);
    assert_string_equal(import->mesh->clips[0].name, "middle");
    assert_int_equal(import->mesh->clips[0].first, 1);
    assert_near((double)import->mesh->clips[0].fps, 0.5, 1e-6);
    compare_surfaces(model, import->mesh);
    lm_import_free(import);
    /* An export of part of the frames comes back without those that no animation shows. */
    glb.size = 0;
    assert_true(lm_gltf_write(&scene,
                              &(lm_gltf_options){.common = {.first_frame = 0, .num_frames = 3}},
                              &glb, NULL, &result, &error));
    assert_int_equal(result.num_animations, 1);
    import = lm_import_read(glb.data, glb.size, NULL, &error);
    assert_non_null(import);
    assert_int_equal(import->mesh->num_frames, 2);
    assert_int_equal(import->mesh->clips[0].first, 0);
    for (uint32_t f = 0; f < 2; f++)
        assert_string_equal(import->mesh->frame_names[f], model->frames[1 + f].name);
}

/* Counts the copies of an animation's positions in memory on the way from a glTF to a model. */

enum {
    SIDE = 40,
    FRAMES = 60
};

static blob make_glb(void) {
    static float positions[FRAMES * SIDE * SIDE * 3];
    static uint32_t triangles[(SIDE - 1) * (SIDE - 1) * 3];
    static float st[SIDE * SIDE * 2];
    size_t at = 0, corner = 0;
    for (int f = 0; f < FRAMES; f++)
        for (int v = 0; v < SIDE * SIDE; v++, at += 3) {
            positions[at] = (float)(v % SIDE);
            const int row = v / SIDE;
            positions[at + 1] = (float)row;
            positions[at + 2] = (float)((v * 7 + f * (v % 5)) % 100) / 10;
        }
    for (int y = 0; y + 1 < SIDE; y++)
        for (int x = 0; x + 1 < SIDE; x++, corner += 3) {
            triangles[corner] = (uint32_t)(y * SIDE + x);
            triangles[corner + 1] = triangles[corner] + 1;
            triangles[corner + 2] = triangles[corner] + SIDE;
        }
    const lm_mesh_surface surface =
        MESH_SURFACE(SIDE * SIDE, positions, (uint32_t)corner / 3, triangles, .name = "sheet",
                     .num_st = SIDE * SIDE, .st = st);
    const lm_mesh mesh = {.num_frames = FRAMES, .num_surfaces = 1, .surfaces = &surface};
    lm_buffer md3 = {0}, glb = {0};
    lm_error error;
    assert_done(lm_encode(&mesh, lm_format_by_name("md3"), NULL, &md3, NULL, &error), error);
    OWNED(lm_model) *model = lm_load_memory(md3.data, md3.size, NULL, &error);
    assert_non_null(model);
    assert_true(lm_gltf_write(LM_SCENE_OF(model), NULL, &glb, NULL, NULL, &error));
    lm_buffer_free(&md3);
    return blob_from_buffer(&glb);
}

TEST(test_peak) {
    AT_END(blob_free) blob glb = make_glb();
    AT_END(assert_all_released) counted counts = {0};
    const lm_memory memory = {.allocator = counting_allocator(&counts)};
    lm_error error;
    OWNED(lm_import) *import =
        lm_import_read(glb.data, glb.size, &(lm_import_options){.memory = memory}, &error);
    assert_done(import, error);
    const lm_mesh *mesh = import->mesh;
    size_t one = 0;
    for (uint32_t i = 0; i < mesh->num_surfaces; i++)
        one += (size_t)mesh->num_frames * mesh->surfaces[i].num_vertices * sizeof(lm_vec3);
    const size_t before = counts.live_bytes;
    OWNED(lm_composition) *made =
        lm_compose_mesh(mesh, &(lm_compose_options){.memory = memory}, &error);
    assert_non_null(made);
    assert_ptr_equal(made->mesh->surfaces[0].positions, mesh->surfaces[0].positions);
    assert_true(counts.live_bytes - before < one / 10);
    AT_END(lm_buffer_free) lm_buffer out = {.allocator = memory.allocator};
    assert_true(lm_encode(made->mesh, lm_format_by_name("md3"),
                          &(lm_encode_options){.memory = memory}, &out, NULL, &error));
    assert_true(counts.most_bytes < 3 * 2 * one); /* with normals, three copies */
}

/* Tests threads that import, encode, optimize and compare the same files at the same time. */

/* A triangle that moves: its positions, the times of three keys, and their translations. */
static const char gltf[] =
    "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{"
    "\"mesh\":0}],"
    "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],\"animations\":[{\"name\":"
    "\"run\","
    "\"samplers\":[{\"input\":1,\"output\":2}],\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,"
    "\"path\":\"translation\"}}]}],\"buffers\":[{\"byteLength\":84,\"uri\":\"a.bin\"}],"
    "\"bufferViews\":["
    "{\"buffer\":0,\"byteLength\":36},{\"buffer\":0,\"byteOffset\":36,\"byteLength\":12},"
    "{\"buffer\":0,\"byteOffset\":48,\"byteLength\":36}],\"accessors\":["
    "{\"bufferView\":0,\"componentType\":5126,\"type\":\"VEC3\",\"count\":3},"
    "{\"bufferView\":1,\"componentType\":5126,\"type\":\"SCALAR\",\"count\":3},"
    "{\"bufferView\":2,\"componentType\":5126,\"type\":\"VEC3\",\"count\":3}]}";
static const float numbers[21] = {0,    0, 0, 1, 0, 0, 0, 1, 0,    0, 0.1f,
                                  0.2f, 0, 0, 0, 1, 2, 3, 0, 0.5f, 0};

static bool read_numbers(void *user, const char *uri, lm_buffer *out, lm_error *error) {
    uint8_t bytes[sizeof numbers];
    for (size_t i = 0; i < COUNT_OF(numbers); i++)
        lmi_put_f32(bytes + 4 * i, numbers[i]);
    lm_buffer_append(out, bytes, sizeof bytes);
    return !out->failed;
}

static lm_import *import(void) {
    const lm_import_options options = {.read = read_numbers};
    return lm_import_read((const uint8_t *)gltf, sizeof gltf - 1, &options, NULL);
}

static uint64_t sum_of_import(const void *shared, unsigned which) {
    OWNED(lm_import) *made = import();
    const lm_mesh *mesh = made ? made->mesh : NULL;
    return mesh ? sum_bytes(SUM_START, mesh->surfaces[0].positions,
                            (size_t)mesh->num_frames * 9 * sizeof(float))
                : which;
}

typedef struct shared_objects {
    const lm_mesh *mesh;
    lm_buffer file; /* an MD2 */
} shared_objects;

static uint64_t sum_encode(const lm_mesh *mesh, uint64_t sum) {
    for (uint32_t i = 0; sum && lm_encoder_at(i); i++) {
        AT_END(lm_buffer_free) lm_buffer out = {0};
        OWNED(lm_encode_report) *report = NULL;
        const bool done = lm_encode(mesh, lm_encoder_at(i), NULL, &out, &report, NULL);
        sum =
            done ? sum_bytes(sum_bytes(sum, out.data, out.size), &report->max_error, sizeof(double))
                 : 0;
    }
    return sum;
}

/* Encodes in each format, optimizes, or compares. */
static uint64_t sum_of_call(const void *context, unsigned which) {
    const shared_objects *s = context;
    AT_END(lm_buffer_free) lm_buffer out = {0};
    if (which == 0)
        return sum_encode(s->mesh, SUM_START);
    if (which == 1)
        return lm_optimize(s->file.data, s->file.size, NULL, &out, NULL, NULL)
                   ? sum_bytes(SUM_START, out.data, out.size)
                   : 0;
    OWNED(lm_model) *model = lm_load_memory(s->file.data, s->file.size, NULL, NULL);
    OWNED(lm_mesh) *other = model ? lm_mesh_from_model(model, NULL, NULL) : NULL;
    OWNED(lm_comparison) *found = other ? lm_mesh_compare(s->mesh, other, NULL, NULL) : NULL;
    return found ? sum_bytes(SUM_START, &found->all.max_distance, sizeof(double)) : 0;
}

/* The import's lock orders the threads, which would hide races in the other calls. */
TEST(test_shared_mesh_and_file) {
    OWNED(lm_import) *made = import();
    assert_non_null(made);
    assert_true(made->mesh->num_frames > 1);
    shared_objects shared = {.mesh = made->mesh};
    assert_true(lm_encode(made->mesh, lm_format_by_name("md2"), NULL, &shared.file, NULL, NULL));
    assert_threads_agree(sum_of_call, &shared, 3, 2);
    assert_threads_agree(sum_of_import, NULL, 1, 2);
    lm_buffer_free(&shared.file);
}
