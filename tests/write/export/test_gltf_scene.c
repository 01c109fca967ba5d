/* Tests scenes as glTF, beyond the reach of tests/web/test_scene.mjs, which tests transforms. */
#include "json_reader.h"
#include "support.h"
#include "synthetic.h"

/* ---- A scene with every kind of content ------------------------------------------------------ */

typedef struct fixture {
    lm_model *body, *head;
    lm_scene_part parts[3];
    lm_scene_texture textures[2];
    lm_scene_material materials[2][2];
    lm_material_set skins[2];
    lm_clip nod;
    lm_scene scene;
} fixture;

static void set_up(fixture *f, uint32_t head_frames) {
    *f = (fixture){
        .body = make_model(&(synthetic_options){.num_frames = 6}),
        .head = make_model(&(synthetic_options){.num_frames = head_frames}),
        .nod = {.name = "nod", .count = head_frames, .fps = 7, .loop_frames = head_frames}};
    f->textures[0] = (lm_scene_texture){.name = "a",
                                        .mime = "image/png",
                                        .data = "PNG",
                                        .size = 3,
                                        .alpha = LM_ALPHA_MASK,
                                        .uri = "a b.png"};
    f->textures[1] = (lm_scene_texture){
        .name = "b", .mime = "image/jpeg", .data = "JPEG", .size = 4, .uri = "b.jpg"};
    for (uint32_t skin = 0; skin < 2; skin++) {
        f->materials[skin][0] =
            (lm_scene_material){.name = "cloth", .texture = skin, .alpha = f->textures[skin].alpha};
        f->materials[skin][1] = (lm_scene_material){.name = "iron", .texture = LM_NO_TEXTURE};
        f->skins[skin] =
            (lm_material_set){.name = skin ? "blue" : "red", .materials = f->materials[skin]};
    }
    f->parts[0] = (lm_scene_part){.model = f->body};
    f->parts[0].skins = f->skins;
    f->parts[0].num_skins = 2;
    f->parts[1] = (lm_scene_part){.model = f->head, .name = "head", .idle = &f->nod};
    f->parts[1].tag = "tag_\xE9nd";
    f->parts[1].clips = &f->nod;
    f->parts[1].num_clips = 1;
    f->parts[1].skins = f->skins;
    f->parts[1].num_skins = 2;
    f->parts[1].skin = 1;
    f->parts[2] = (lm_scene_part){.model = f->head, .name = "twin", .parent = 1, .follows = true};
    f->scene =
        (lm_scene){.num_parts = 3, .parts = f->parts, .num_textures = 2, .textures = f->textures};
}

static void clean(fixture *f) {
    free_synthetic_model(f->body);
    free_synthetic_model(f->head);
}

/* Makes a scene that its block frees. */
#define SCENE(name, head_frames) \
    AT_END(clean) fixture name;  \
    set_up(&(name), head_frames)

/* Returns the text of a .gltf, to be freed by the caller. */
static char *write_text(const fixture *f, lm_gltf_options options, lm_gltf_result *result) {
    lm_buffer out = {0}, bin = {0};
    lm_error error = {0};
    options.bin_uri = "a.bin";
    assert_done(lm_gltf_write(&f->scene, &options, &out, &bin, result, &error), error);
    lm_buffer_append(&out, "", 1);
    lm_buffer_free(&bin);
    assert_true(json_is_valid((const char *)out.data));
    return (char *)out.data;
}

/* ---- Tests ----------------------------------------------------------------------------------- */

TEST(skins_of_the_same_name_are_one_variant) {
    SCENE(f, 4);
    lm_gltf_result result;
    AT_END(drop_bytes) char *json = write_text(&f, (lm_gltf_options){0}, &result);
    assert_int_equal(result.num_variants, 2);
    assert_int_equal(result.num_textures, 2);
    assert_int_equal(json_count(json, "extensions/KHR_materials_variants/variants"), 2);
    assert_true(json_is(json_at(json, "images/0/uri"), "a%20b.png"));
    assert_true(json_is(json_at(json, "materials/0/alphaMode"), "MASK"));
    /* cloth in red, cloth_2 in blue, and iron once though both skins have it. */
    assert_int_equal(json_count(json, "materials"), 7);
    const char *first = "meshes/%u/primitives/0/material";
    assert_true(json_number(json_at(json, first, 0u), -1) == 0);
    assert_true(json_number(json_at(json, first, 1u), -1) == 2);
    assert_true(json_number(json_at(json, first, 2u), -1) == 4); /* the head has the other
                                                                  * material */
    for (unsigned mesh = 0; mesh < 4; mesh++)
        for (unsigned skin = 0; skin < 2; skin++)
            assert_true(json_number(json_at(json,
                                            "meshes/%u/primitives/0/extensions/"
                                            "KHR_materials_variants/mappings/%u/variants/0",
                                            mesh, skin),
                                    -1) == skin);
}

/* Some models list a skin three times. */
TEST(a_skin_listed_twice_is_one_variant) {
    SCENE(f, 4);
    const lm_material_set skins[] = {f.skins[0], f.skins[0], f.skins[1], f.skins[0]};
    for (uint32_t part = 0; part < 2; part++) {
        f.parts[part].skins = skins;
        f.parts[part].num_skins = 4;
    }
    lm_gltf_result result;
    AT_END(drop_bytes) char *json = write_text(&f, (lm_gltf_options){0}, &result);
    const char *mappings = "meshes/0/primitives/0/extensions/KHR_materials_variants/mappings";
    assert_int_equal(result.num_variants, 2);
    assert_int_equal(json_count(json, mappings), 2);
    assert_true(json_number(json_at(json, "%s/1/variants/0", mappings), -1) == 1);
    free(json);
    f.parts[0].num_skins = f.parts[1].num_skins = 2; /* red, and red */
    json = write_text(&f, (lm_gltf_options){0}, &result);
    assert_int_equal(result.num_variants, 0);
    assert_null(json_at(json, "%s", mappings));
    assert_null(json_at(json, "extensionsUsed"));
}

/* Maps are textures of the material, and tell materials apart. */
TEST(maps_become_textures) {
    static const uint32_t all[LM_NUM_MAPS] = {
        [LM_MAP_NORMAL] = 0, [LM_MAP_EMISSIVE] = 1, [LM_MAP_SPECULAR] = 0, [LM_MAP_ROUGHNESS] = 1};
    static const uint32_t glow[LM_NUM_MAPS] = {LM_NO_TEXTURE, 1, LM_NO_TEXTURE, LM_NO_TEXTURE};
    AT_END(clean) fixture f;
    lm_gltf_result result;
    set_up(&f, 4);
    f.materials[0][0].maps = all;
    f.materials[1][0] = f.materials[0][0];
    f.materials[1][0].maps = glow;
    AT_END(drop_bytes) char *json = write_text(&f, (lm_gltf_options){0}, &result);
    assert_int_equal(result.num_variants, 2);
    assert_int_equal(result.num_textures, 2);
    const char *pbr = "materials/0/pbrMetallicRoughness";
    assert_true(json_number(json_at(json, "%s/baseColorTexture/index", pbr), -1) == 0);
    assert_true(json_number(json_at(json, "%s/metallicRoughnessTexture/index", pbr), -1) == 1);
    assert_true(json_number(json_at(json, "%s/metallicFactor", pbr), -1) == 0);
    assert_true(json_number(json_at(json, "materials/0/normalTexture/index"), -1) == 0);
    assert_true(json_number(json_at(json, "materials/0/emissiveTexture/index"), -1) == 1);
    assert_true(json_number(json_at(json, "materials/0/emissiveFactor/2"), -1) == 1);
    assert_true(json_number(json_at(json, "materials/0/extensions/KHR_materials_specular/"
                                          "specularColorTexture/index"),
                            -1) == 0);
    assert_true(json_is(json_at(json, "extensionsUsed/1"), "KHR_materials_specular"));
    assert_null(json_at(json, "materials/1/normalTexture"));
    assert_null(json_at(json, "materials/1/extensions"));
    assert_true(json_number(json_at(json, "materials/1/emissiveTexture/index"), -1) == 1);
    free(json);
    json = write_text(&f, (lm_gltf_options){.unlit = true}, &result);
    assert_null(json_at(json, "materials/0/normalTexture"));
    assert_null(json_at(json, "materials/0/emissiveTexture"));
    assert_null(json_at(json, "%s/metallicRoughnessTexture", pbr));
    assert_null(json_at(json, "materials/0/extensions/KHR_materials_specular"));
    assert_null(json_at(json, "extensionsUsed/2"));
    assert_int_equal(result.num_textures, 1);
}

/* A skin with the same name and other materials is another variant. */
TEST(another_skin_of_a_name_is_a_variant) {
    SCENE(f, 4);
    f.skins[1].name = f.skins[0].name;
    lm_gltf_result result;
    AT_END(drop_bytes) char *json = write_text(&f, (lm_gltf_options){0}, &result);
    assert_int_equal(result.num_variants, 2);
    assert_true(
        json_is(json_at(json, "extensions/KHR_materials_variants/variants/1/name"), "red_2"));
}

/* The animation of the first part's idle clip is first, whatever the others' names. */
TEST(the_first_parts_rest_clip_comes_first) {
    SCENE(f, 4);
    const lm_clip clips[] = {{.name = "idle", .count = 2, .fps = 10, .loop_frames = 2},
                             {.name = "legs", .first = 2, .count = 2, .fps = 10, .loop_frames = 2}};
    f.parts[0].clips = clips;
    f.parts[0].num_clips = 2;
    f.parts[0].idle = &clips[1];
    assert_ptr_equal(lm_scene_rest_clip(&f.scene), &clips[1]);
    AT_END(drop_bytes) char *json = write_text(&f, (lm_gltf_options){0}, NULL);
    assert_true(json_is(json_at(json, "animations/0/name"), "legs"));
    assert_true(json_is(json_at(json, "animations/1/name"), "idle"));
    f.parts[0].idle = NULL;
    assert_ptr_equal(lm_scene_rest_clip(&f.scene), &clips[0]);
    f.parts[0].num_clips = 0;
    assert_ptr_equal(lm_scene_rest_clip(&f.scene), &f.nod);
    f.parts[1].num_clips = 0;
    assert_null(lm_scene_rest_clip(&f.scene));
}

/* Returns the accessor of the last animated weights' times: those of the head's copy. */
static unsigned last_times(const char *json, unsigned animation) {
    double sampler = -1;
    for (unsigned i = 0; json_at(json, "animations/%u/channels/%u", animation, i); i++)
        if (json_is(json_at(json, "animations/%u/channels/%u/target/path", animation, i),
                    "weights"))
            sampler =
                json_number(json_at(json, "animations/%u/channels/%u/sampler", animation, i), -1);
    assert_true(sampler >= 0);
    return (unsigned)json_number(
        json_at(json, "animations/%u/samplers/%u/input", animation, (unsigned)sampler), -1);
}

/* While the body walks for half a second, the head plays its idle clip. A loop continues for that
 * time, a shorter clip holds its last frame, and a longer one is cut. */
TEST(simultaneous_clips_end_together) {
    static const struct {
        uint32_t count, loops;
        float fps;
        uint32_t keys;
        double end;
    } tries[] = {
        {4, 4, 8, 5, 0.5},     {4, 4, 7, 5, 0.5},          {4, 4, 20, 11, 0.5},
        {4, 2, 18, 10, 0.5},   {4, 1, 20, 5, 0.2},         {4, 2, 20, 11, 0.5},
        {4, 1, 10, 5, 0.4},    {4, 4, 10, 6, 0.5},         {4, 0, 6, 4, 0.5},
        {4, 0, 8, 4, 3.0 / 8}, {4, 0, 7, 4, 3.0 / 7},      {4, 0, 60, 4, 3.0 / 60},
        {4, 0, 3, 3, 0.5},     {1, 1, 100, 2, 0.01},       {1, 0, 1, 2, 0.5},
        {4, 4, 2, 2, 0.5},     {2, 2, 131072, 65537, 0.5}, {2, 2, 131073, 65537, 65536.0 / 131073},
    };
    for (size_t i = 0; i < COUNT_OF(tries); i++) {
        AT_END(clean) fixture f;
        set_up(&f, 4);
        const lm_clip walk = {.name = "walk", .count = 6, .fps = 10};
        f.nod = (lm_clip){.name = "nod",
                          .count = tries[i].count,
                          .fps = tries[i].fps,
                          .loop_frames = tries[i].loops};
        f.parts[0].clips = &walk;
        f.parts[0].num_clips = 1;
        f.parts[1].num_clips = 0;
        AT_END(drop_bytes) char *json = write_text(&f, (lm_gltf_options){0}, NULL);
        assert_int_equal(json_count(json, "animations"), 1);
        const unsigned times = last_times(json, 0);
        const double count = json_number(json_at(json, "accessors/%u/count", times), -1);
        const double end = json_number(json_at(json, "accessors/%u/max/0", times), -1);
        if (count != tries[i].keys || fabs(end - tries[i].end) > 1e-6)
            fail_msg("try %zu: %g keys until %g", i, count, end);
    }
}

TEST(an_attached_model_may_be_split_too) {
    SCENE(f, 600);
    f.nod.fps = 100;
    lm_gltf_result result;
    AT_END(drop_bytes) char *json = write_text(&f, (lm_gltf_options){0}, &result);
    assert_int_equal(result.num_bundles, 4); /* one for the head's motion while the body moves */
    assert_int_equal(json_count(json, "scenes/0/nodes"), 3); /* the body alone */
    /* Four groups and a tag of the head, and those of its copy. */
    assert_int_equal(json_count(json, "nodes/2/children"), 10);
    for (unsigned mesh = 0; json_at(json, "meshes/%u", mesh); mesh++) {
        char path[48];
        snprintf(path, sizeof path, "meshes/%u/primitives/0/targets", mesh);
        if (json_at(json, "%s", path))
            assert_true(json_count(json, path) <= 255);
    }
}

TEST(frame_ranges_apply_to_the_first_part) {
    SCENE(f, 40);
    lm_gltf_result all, some;
    free(write_text(&f, (lm_gltf_options){0}, &all));
    const lm_gltf_options options = {.common = {.first_frame = 2, .num_frames = 3}};
    f.parts[1].num_clips = 0;
    f.parts[1].idle = NULL;
    f.parts[2].follows = false;
    f.parts[2].clips = f.parts[1].clips;
    AT_END(drop_bytes) char *json = write_text(&f, options, &some);
    assert_int_equal(json_count(json, "scenes/0/extras/frames"), 3);
    assert_int_equal(some.num_animations, 1);
    assert_int_equal(some.num_targets, 2); /* frames of no animation are not stored */
    assert_true(all.num_targets > 80);
}

/* Allocates memory filled with one number. */
static void *filled(void *user, size_t size) {
    uint32_t *words = malloc(size + 4);
    for (size_t i = 0; words && i <= size / 4; i++)
        words[i] = *(const uint32_t *)user;
    return words;
}

static void *refilled(void *user, void *pointer, size_t old_size, size_t new_size) {
    return realloc(pointer, new_size + 4);
}

static void release(void *user, void *pointer, size_t size) {
    free(pointer);
}

/* Images next to a .gltf have no buffer view, whatever the memory contained before. */
TEST(external_files_have_no_views) {
    SCENE(f, 4);
    const lm_gltf_options options = {.bin_uri = "a.bin"};
    for (uint32_t fill = 0; fill < 6; fill++) {
        AT_END(lm_buffer_free)
        lm_buffer out = {.allocator = {filled, refilled, release, &fill}}, bin = {0};
        lm_error error = {0};
        assert_true(lm_gltf_write(&f.scene, &options, &out, &bin, NULL, &error));
        lm_buffer_append(&out, "", 1);
        const char *json = (const char *)out.data;
        double length = json_number(json_at(json, "buffers/0/byteLength"), 0);
        for (size_t i = 0; i < json_count(json, "bufferViews"); i++) {
            double start = json_number(json_at(json, "bufferViews/%zu/byteOffset", i), 0);
            double size = json_number(json_at(json, "bufferViews/%zu/byteLength", i), 0);
            assert_true(start + size <= length);
        }
    }
}

static char *write_obj(const fixture *f, char **mtl) {
    lm_buffer out = {0}, materials = {0};
    lm_error error = {0};
    assert_done(lm_obj_write(&f->scene, NULL, "a.mtl", &out, &materials, &error), error);
    lm_buffer_append(&out, "", 1);
    lm_buffer_append(&materials, "", 1);
    *mtl = (char *)materials.data;
    return (char *)out.data;
}

/* Each material is written once, with its texture; one with the same name and other textures gets
 * another name. */
TEST(obj_surfaces_have_materials) {
    AT_END(clean) fixture f;
    char *mtl;
    set_up(&f, 4);
    f.materials[0][1].name = "cold iron";
    f.materials[1][1].name = "cold iron";
    char *text = write_obj(&f, &mtl);
    assert_string_equal(mtl, "newmtl cloth\nKd 1 1 1\nmap_Kd a b.png\nmap_d -imfchan m a b.png\n"
                             "newmtl cold_iron\nKd 1 1 1\n"
                             "newmtl cloth_2\nKd 1 1 1\nmap_Kd b.jpg\n");
    static const char *const uses[] = {"usemtl cloth\n", "usemtl cold_iron\n", "usemtl cloth_2\n",
                                       "usemtl cold_iron\n"};
    const char *at = text;
    assert_memory_equal(at, "mtllib a.mtl\n", 13);
    for (size_t i = 0; i < 4; i++) {
        at = strstr(at, "usemtl ");
        assert_non_null(at);
        assert_memory_equal(at, uses[i], strlen(uses[i]));
        at++;
    }
    assert_null(strstr(at, "usemtl ")); /* the copy has no materials */
    free(text);
    free(mtl);
    f.textures[1].uri = NULL;
    lm_buffer out = {0};
    lm_error error = {0};
    assert_false(lm_obj_write(&f.scene, NULL, "a.mtl", &out, &out, &error));
    assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
}

TEST(unwritable_models_are_rejected) {
    SCENE(f, 4);
    AT_END(lm_buffer_free) lm_buffer out = {0}, bin = {0};
    lm_error error = {0};
    const lm_gltf_options files = {.bin_uri = "a.bin"}, glb = {0};
    assert_false(lm_gltf_write(&f.scene, &files, &out, NULL, NULL, &error));
    assert_string_equal(error.message, "a .gltf needs a buffer for its .bin");
    assert_false(lm_obj_write(&f.scene, NULL, "a.mtl", &out, NULL, &error));
    assert_string_equal(error.message, "an .obj needs a buffer for its .mtl");
    f.textures[1].uri = NULL;
    assert_false(lm_gltf_write(&f.scene, &files, &out, &bin, NULL, &error));
    assert_string_equal(error.message, "a .gltf needs the uri of texture 1");
    assert_false(lm_obj_write(&f.scene, NULL, "a.mtl", &out, &bin, &error));
    assert_string_equal(error.message, "an .mtl needs the uri of texture 1");
    assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
    assert_int_equal(out.size + bin.size, 0);
    assert_true(lm_gltf_write(&f.scene, &glb, &out, NULL, NULL, &error));
    f.parts[2].parent = 2; /* its own parent */
    size_t size = out.size;
    assert_false(lm_gltf_write(&f.scene, &glb, &out, NULL, NULL, &error));
    assert_false(lm_obj_write(&f.scene, NULL, NULL, &out, NULL, &error));
    assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
    assert_int_equal(out.size, size);
}

TEST(every_failing_allocation_is_survived) {
    SCENE(s, 5);
    for (int quantize = 0; quantize < 2; quantize++) {
        const lm_gltf_options options = {.quantize = quantize};
        EACH_ALLOCATION_FAILS (f) {
            AT_END(lm_buffer_free) lm_buffer out = {.allocator = f.memory.allocator};
            f.done = lm_gltf_write(&s.scene, &options, &out, NULL, NULL, &f.error);
        }
    }
    EACH_ALLOCATION_FAILS (f) {
        AT_END(lm_buffer_free) lm_buffer out = {.allocator = f.memory.allocator}, mtl = out;
        f.done = lm_obj_write(&s.scene, NULL, "a.mtl", &out, &mtl, &f.error);
        assert_true(f.done || (out.size == 0 && mtl.size == 0));
    }
}

TEST(materials_take_over_shader_features) {
    static const lm_tc_mod mods[] = {
        {.kind = LM_TC_MOD_SCALE, .values = {2, 3}},
        {.kind = LM_TC_MOD_SCROLL, .values = {1, 1}},
        {.kind = LM_TC_MOD_TRANSFORM, .values = {4, 0, 0, 5, 0.5f, 0.25f}}};
    static const lm_stage stages[] = {
        {.alpha_test = LM_TEST_GT0, .tc_mods = mods, .num_tc_mods = 3}, {.blended = true}};
    static const lm_shader shader = {.name = "a/b",
                                     .path = "pak0.pk3:scripts/a.shader",
                                     .sides = LM_SIDES_BOTH,
                                     .num_stages = 2,
                                     .stages = stages},
                           hidden = {.name = "nodraw", .hidden = true};
    SCENE(f, 2);
    for (unsigned skin = 0; skin < 2; skin++) {
        f.materials[skin][0].shader = &shader;
        f.materials[skin][0].alpha = LM_ALPHA_MASK;
        f.materials[skin][1].shader = &hidden;
    }
    f.scene.num_parts = 1;
    f.parts[0].num_skins = 1;
    lm_gltf_result result;
    AT_END(drop_bytes) char *json = write_text(&f, (lm_gltf_options){.unlit = true}, &result);
    const char *texture = "materials/0/pbrMetallicRoughness/baseColorTexture/extensions/"
                          "KHR_texture_transform";
    static const double scale[] = {8, 15}, offset[] = {0.5, 0.25};
    for (unsigned i = 0; i < 2; i++) {
        assert_true(json_number(json_at(json, "%s/scale/%u", texture, i), 0) == scale[i]);
        assert_true(json_number(json_at(json, "%s/offset/%u", texture, i), 0) == offset[i]);
    }
    assert_true(json_is(json_at(json, "materials/0/alphaMode"), "MASK"));
    assert_float_equal(json_number(json_at(json, "materials/0/alphaCutoff"), 0), 1.0 / 512, 1e-9);
    assert_memory_equal(json_at(json, "materials/0/doubleSided"), "true", 4);
    assert_true(json_is(json_at(json, "materials/0/extras/shader"), "a/b"));
    assert_true(json_is(json_at(json, "materials/0/extras/script"), "a.shader"));
    assert_non_null(json_at(json, "materials/0/extensions/KHR_materials_unlit"));
    assert_true(json_is(json_at(json, "extensionsUsed/0"), "KHR_texture_transform"));
    assert_true(json_is(json_at(json, "extensionsUsed/1"), "KHR_materials_unlit"));
    assert_true(json_is(json_at(json, "materials/1/alphaMode"), "MASK"));
    assert_true(
        json_number(json_at(json, "materials/1/pbrMetallicRoughness/baseColorFactor/3"), 1) == 0);
    assert_int_equal(result.num_dropped, 2); /* a stage, and the scroll */
}

/* One image with two samplers; only the samplers in use are written. */
TEST(clamped_textures_end_at_their_edges) {
    static const lm_stage stage = {.clamp = true};
    static const lm_shader shader = {.name = "a", .num_stages = 1, .stages = &stage};
    for (unsigned clamped = 0; clamped < 3; clamped++) {
        AT_END(clean) fixture f;
        set_up(&f, 2);
        f.scene.num_parts = 1;
        f.parts[0].num_skins = 1;
        for (unsigned surface = 0; surface < 2; surface++) {
            f.materials[0][surface].texture = 0;
            f.materials[0][surface].shader = surface < clamped ? &shader : NULL;
        }
        lm_gltf_result result;
        AT_END(drop_bytes) char *json = write_text(&f, (lm_gltf_options){0}, &result);
        assert_int_equal(result.num_dropped, 0);
        assert_non_null(json_at(json, "images/0"));
        assert_null(json_at(json, "images/1"));
        for (unsigned surface = 0; surface < 2; surface++) {
            double texture = json_number(
                json_at(json, "materials/%u/pbrMetallicRoughness/baseColorTexture/index", surface),
                -1);
            double sampler = json_number(json_at(json, "textures/%.0f/sampler", texture), -1);
            double wrap = surface < clamped ? 33071 : 10497;
            assert_true(json_number(json_at(json, "textures/%.0f/source", texture), -1) == 0);
            assert_true(json_number(json_at(json, "samplers/%.0f/wrapS", sampler), 0) == wrap);
            assert_true(json_number(json_at(json, "samplers/%.0f/wrapT", sampler), 0) == wrap);
        }
        assert_int_equal(json_at(json, "samplers/1") != NULL, clamped == 1);
        assert_int_equal(json_at(json, "textures/1") != NULL, clamped == 1);
    }
}
