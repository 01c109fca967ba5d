/* Tests the writing library's options: each member with invalid values. */
#include "lerpmesh/compose.h"
#include "lerpmesh/skeleton.h"
#include "option_values.h"
#include "synthetic_mesh.h"
#include "synthetic_model.h"

static bool encode(const void *options, lm_error *error) {
    synthetic_mesh m;
    lm_buffer out = {0};
    make_mesh(&m);
    const bool done = lm_encode(&m.mesh, lm_format_by_name("md3"), options, &out, NULL, error);
    lm_buffer_free(&out);
    return done;
}

static bool optimize(const void *options, lm_error *error) {
    blob file = make_md2(&small_md2);
    lm_buffer out = {0};
    const bool done = lm_optimize(file.data, file.size, options, &out, NULL, error);
    lm_buffer_free(&out);
    blob_free(&file);
    return done;
}

static bool edit_with(bool (*change)(lm_edit *edit, const void *options, lm_error *error),
                      const void *options, lm_error *error) {
    blob file = make_md3(&small_md3);
    lm_edit *edit = lm_edit_open(file.data, file.size, NULL, error);
    const bool done = edit && change(edit, options, error);
    lm_edit_free(edit);
    blob_free(&file);
    return done;
}

static bool change_transform(lm_edit *edit, const void *options, lm_error *error) {
    return lm_edit_set_transform(edit, options, error);
}

static bool change_encoding(lm_edit *edit, const void *options, lm_error *error) {
    return lm_edit_encode(edit, options, NULL, error);
}

static bool set_transform(const void *options, lm_error *error) {
    return edit_with(change_transform, options, error);
}

static bool recast(const void *options, lm_error *error) {
    return edit_with(change_encoding, options, error);
}

static bool write_gltf(const void *options, lm_error *error) {
    lm_model *model = make_model(&(synthetic_options){.num_frames = 3});
    lm_buffer out = {0};
    const bool done = lm_gltf_write(model, options, &out, NULL, NULL, error);
    lm_buffer_free(&out);
    free_synthetic_model(model);
    return done;
}

static bool fit_skeleton(const void *options, lm_error *error) {
    synthetic_mesh m;
    make_mesh(&m);
    lm_skeleton *made = lm_skeleton_fit(&m.mesh, options, error);
    lm_skeleton_free(made);
    return made != NULL;
}

static bool write_vat(const void *options, lm_error *error) {
    synthetic_mesh m;
    lm_buffer glb = {0}, info = {0}, pixels = {0};
    make_mesh(&m);
    const bool done = lm_vat_write(&m.mesh, options, &glb, &info, &pixels, NULL, error);
    lm_buffer_free(&glb);
    lm_buffer_free(&info);
    lm_buffer_free(&pixels);
    return done;
}

static bool write_obj(const void *options, lm_error *error) {
    lm_model *model = make_model(&(synthetic_options){.num_frames = 3});
    lm_buffer out = {0};
    const bool done = lm_obj_write(model, options, &out, error);
    lm_buffer_free(&out);
    free_synthetic_model(model);
    return done;
}

static bool write_uv_svg(const void *options, lm_error *error) {
    lm_model *model = make_model(&(synthetic_options){.num_frames = 3});
    lm_buffer out = {0};
    const bool done = lm_uv_svg_write(model, options, &out, error);
    lm_buffer_free(&out);
    free_synthetic_model(model);
    return done;
}

static bool draw_uv(const void *options, lm_error *error) {
    lm_model *model = make_model(&(synthetic_options){.num_frames = 3});
    uint32_t width, height;
    lm_buffer out = {0};
    const bool done = lm_uv_draw(model, options, &out, &width, &height, error);
    lm_buffer_free(&out);
    free_synthetic_model(model);
    return done;
}

static bool compose(const void *options, lm_error *error) {
    lm_model *model = make_model(&(synthetic_options){.num_frames = 3});
    const lm_scene_part part = {.model = model};
    const lm_scene scene = {.num_parts = 1, .parts = &part};
    lm_composition *made = lm_compose_scene(&scene, options, error);
    lm_composition_free(made);
    free_synthetic_model(model);
    return made != NULL;
}

static bool compose_mesh(const void *options, lm_error *error) {
    synthetic_mesh m;
    make_mesh(&m);
    lm_composition *made = lm_compose_mesh(&m.mesh, m.clips, 1, options, error);
    lm_composition_free(made);
    return made != NULL;
}

TEST(test_meaningless_values) {
    static const lm_edit_transform no_transform;
    static const lm_edit_reencode no_reencoding;
    static const option_of_call list[] = {
        {LM_OPTION(lm_encode_options, memory, MEMORY, 0), encode},
        {LM_OPTION(lm_encode_options, engine, ENUM, LM_NUM_ENGINES - 1), encode},
        {LM_OPTION(lm_encode_options, max_error, DOUBLE, 0), encode},
        {LM_OPTION(lm_encode_options, stability, FLOAT, 0), encode},
        {LM_OPTION(lm_encode_options, strips, ENUM, LM_STRIPS_NONE), encode},
        {LM_OPTION(lm_optimize_options, memory, MEMORY, 0), optimize},
        {LM_OPTION(lm_optimize_options, strips, ENUM, LM_STRIPS_NONE), optimize},
        {LM_OPTION(lm_optimize_options, max_error, DOUBLE, 0), optimize},
        {LM_OPTION(lm_edit_transform, scale, FLOAT, 0), set_transform},
        {LM_OPTION(lm_edit_transform, move, VEC3, 0), set_transform},
        {LM_OPTION(lm_edit_reencode, scale, DOUBLE, 0), recast},
        {LM_OPTION(lm_edit_reencode, degrees, REAL, 0), recast},
        {LM_OPTION(lm_edit_reencode, move, VEC3, 0), recast},
        {LM_OPTION(lm_edit_reencode, fps, DOUBLE, 0), recast},
        {LM_OPTION(lm_gltf_options, common.axes, ENUM, LM_AXES_MODEL), write_gltf},
        {LM_OPTION(lm_gltf_options, common.scale, FLOAT, 0), write_gltf},
        {LM_OPTION(lm_gltf_options, common.fps, FLOAT, 0), write_gltf},
        {LM_OPTION(lm_export_options, axes, ENUM, LM_AXES_MODEL), write_obj},
        {LM_OPTION(lm_export_options, scale, FLOAT, 0), write_obj},
        {LM_OPTION(lm_export_options, fps, FLOAT, 0), write_obj},
        {LM_OPTION(lm_compose_options, memory, MEMORY, 0), compose},
        {LM_OPTION(lm_compose_options, frame, DOUBLE, 0), compose},
        {LM_OPTION(lm_compose_options, fps, FLOAT, 0), compose},
        {LM_OPTION(lm_compose_options, scale, FLOAT, 0), compose},
        {LM_OPTION(lm_compose_options, scale, FLOAT, 0), compose_mesh},
        {LM_OPTION(lm_skeleton_options, memory, MEMORY, 0), fit_skeleton},
        {LM_OPTION(lm_skeleton_options, quantum, DOUBLE, 0), fit_skeleton},
        {LM_OPTION(lm_skeleton_options, max_error, DOUBLE, 0), fit_skeleton},
        {LM_OPTION(lm_skeleton_options, reserved, RESERVED, 0), fit_skeleton},
        {LM_OPTION(lm_encode_options, reserved, RESERVED, 0), encode},
        {LM_OPTION(lm_optimize_options, reserved, RESERVED, 0), optimize},
        {LM_OPTION(lm_gltf_options, common.reserved, RESERVED, 0), write_gltf},
        {LM_OPTION(lm_gltf_options, reserved, RESERVED, 0), write_gltf},
        {LM_OPTION(lm_export_options, reserved, RESERVED, 0), write_obj},
        {LM_OPTION(lm_vat_options, scale, FLOAT, 0), write_vat},
        {LM_OPTION(lm_vat_options, reserved, RESERVED, 0), write_vat},
        {LM_OPTION(lm_uv_options, reserved, RESERVED, 0), write_uv_svg},
        {LM_OPTION(lm_uv_options, reserved, RESERVED, 0), draw_uv},
        {LM_OPTION(lm_compose_options, reserved, RESERVED, 0), compose}};
    assert_true(encode(NULL, NULL) && optimize(NULL, NULL) && set_transform(&no_transform, NULL));
    assert_true(recast(&no_reencoding, NULL) && write_gltf(NULL, NULL) && write_obj(NULL, NULL));
    assert_true(write_uv_svg(NULL, NULL) && draw_uv(NULL, NULL));
    assert_true(compose(NULL, NULL) && compose_mesh(NULL, NULL));
    assert_bad_values_rejected(list, COUNT_OF(list));
}

TEST(test_clips_to_export) {
    static const lm_clip clips[] = {{"a", 0, 3, 10, 0, false, NULL, LM_CLIP_CUSTOM},
                                    {"b", 1, 3, 10, 0, false, NULL, LM_CLIP_CUSTOM}};
    lm_gltf_options options = {.common = {.clips = clips, .num_clips = 1}};
    lm_error error;
    assert_true(write_gltf(&options, NULL));
    options.common.num_clips = 2;
    assert_false(write_gltf(&options, &error));
    assert_string_equal(error.message, "export: clip 1 has frames that the model does not have");
    options.common.clips = NULL;
    assert_false(write_gltf(&options, &error));
    assert_string_equal(error.message, "export: num_clips is 2, but clips is NULL");
}

/* lm_scene_check is tested separately; this tests that composing calls it. */
TEST(test_scenes_to_compose) {
    lm_error error = {.code = LM_CODE_OK};
    assert_null(lm_compose_scene(&(lm_scene){.num_parts = 0}, NULL, &error));
    assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
}
