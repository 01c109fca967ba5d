/* Tests the list of formats and the properties that models report. */
#include <string.h>

#include "lerpmesh/lerpmesh.h"
#include "support.h"

TEST(every_format_is_found_by_all_its_names) {
    assert_true(lm_format_count() >= 3);
    for (uint32_t i = 0; i < lm_format_count(); i++) {
        const lm_format_info *info = lm_format_at(i);
        char path[64] = "models.x/A.B.";
        assert_non_null(info);
        assert_ptr_equal(lm_format_by_name(info->name), info);
        assert_string_equal(lm_format_of(info->ident, strlen(info->ident)), info->name);
        assert_true(info->version > 0 && strlen(info->game) > 0);
        assert_memory_equal(info->mime, "model/x-", 8);
        strcat(path, info->extension);
        assert_ptr_equal(lm_format_by_extension(path), info);
        for (char *c = path + 13; *c; c++)
            *c = (char)(*c >= 'a' && *c <= 'z' ? *c - 'a' + 'A' : *c);
        assert_ptr_equal(lm_format_by_extension(path), info);
        strcat(path, "x");
        assert_null(lm_format_by_extension(path));
    }
    assert_null(lm_format_at(lm_format_count()));
    assert_null(lm_format_at(UINT32_MAX));
}

TEST(unknown_formats_are_not_found) {
    static const char *const paths[] = {"", ".", "md2", "a.md", "a.md2.pk3", "a.md2/b", "a.iqm"};
    for (size_t i = 0; i < COUNT_OF(paths); i++)
        assert_null(lm_format_by_extension(paths[i]));
    assert_null(lm_format_by_name(""));
    assert_null(lm_format_by_name("MD2"));
}

TEST(features) {
    assert_int_equal(lm_format_by_name("md2")->features, LM_FEATURE_SKINS | LM_FEATURE_GL_COMMANDS);
    assert_int_equal(lm_format_by_name("md3")->features, LM_FEATURE_SURFACES | LM_FEATURE_TAGS);
    assert_int_equal(lm_format_by_name("mdc")->features,
                     LM_FEATURE_SURFACES | LM_FEATURE_TAGS | LM_FEATURE_BASE_FRAMES);
    assert_int_equal(lm_format_by_name("mdl")->features, LM_FEATURE_EMBEDDED_SKINS);
}

static int32_t most(const char *format, lm_engine engine, const char *what, bool of_surface) {
    const lm_format_info *info = lm_format_by_name(format);
    lm_format_limit limit;
    for (uint32_t i = 0; lm_format_limits(info, i, &limit); i++)
        if (limit.engine == engine && strcmp(limit.element, what) == 0 &&
            limit.of_surface == of_surface)
            return limit.max;
    return -1;
}

TEST(limits_of_engines) {
    lm_format_limit limit;
    assert_int_equal(most("md2", LM_ENGINE_QUAKE2, "triangles", false), 4096);
    assert_int_equal(most("md2", LM_ENGINE_Q2PRO, "frames", false), 1024);
    assert_int_equal(most("md2", LM_ENGINE_UFOAI, "triangles", false), 4095);
    assert_int_equal(most("md3", LM_ENGINE_QUAKE3, "tags", false), 16);
    assert_int_equal(most("md3", LM_ENGINE_QUAKE3, "shaders", true), 256);
    assert_int_equal(most("mdc", LM_ENGINE_ET, "vertices", true), 10000);
    assert_int_equal(most("mdc", LM_ENGINE_ET, "vertices", false), -1);
    for (uint32_t i = 0; i < lm_format_count(); i++) {
        assert_true(lm_format_limits(lm_format_at(i), 0, &limit));
        assert_false(lm_format_limits(lm_format_at(i), 1000, &limit));
    }
}

static void compare_with_its_format(const char *path, const blob *file) {
    lm_error error;
    lm_model *model = lm_load_memory(file->data, file->size, NULL, &error);
    if (!model)
        return;
    const lm_format_info *info = lm_format_by_name(model->format);
    assert_ptr_equal(lm_format_by_extension(path), info);
    assert_int_equal(model->version, info->version);
    assert_int_equal(model->features, info->features);
    if (model->num_tags > 0)
        assert_true(model->features & LM_FEATURE_TAGS);
    if (model->num_skins > 0)
        assert_true(model->features & (LM_FEATURE_SKINS | LM_FEATURE_EMBEDDED_SKINS));
    assert_int_equal(model->embedded_skins != NULL,
                     (model->features & LM_FEATURE_EMBEDDED_SKINS) && model->num_skins > 0);
    if (model->gl_commands.num_integers > 0)
        assert_true(model->features & LM_FEATURE_GL_COMMANDS);
    for (uint32_t s = 0; s < model->num_surfaces; s++) {
        if (model->surfaces[s].num_deltas > 0)
            assert_true(model->features & LM_FEATURE_BASE_FRAMES);
        if (model->surfaces[s].num_materials > 0 || model->num_surfaces > 1)
            assert_true(model->features & LM_FEATURE_SURFACES);
    }
    lm_model_free(model);
}

TEST(models_have_only_features_of_their_format) {
    each_model(compare_with_its_format);
}
