#include "opened.h"

static lm_vfs *fresh;

lm_assets *open_without_errors(lm_vfs *vfs, const char *path, const lm_assets_options *options) {
    lm_error error = {0};
    lm_assets *assets = lm_assets_open(vfs, path, options);
    assert_non_null(assets);
    if (!assets->scene)
        fail_msg("%s: %s", path, assets->error->message);
    assert_null(assets->error);
    if (!lm_scene_check(assets->scene, &error))
        fail_msg("%s: %s", path, error.message);
    return assets;
}

lm_assets *open_fresh(const char *path, const lm_assets_options *options) {
    fresh = lm_vfs_new(NULL);
    return open_without_errors(fresh, path, options);
}

lm_vfs *fresh_vfs(void) {
    return fresh;
}

void close_fresh(lm_assets *assets) {
    lm_assets_free(assets);
    lm_vfs_free(fresh);
}

const lm_diagnostic *diagnostic(const lm_assets *assets, const char *piece) {
    for (uint32_t i = 0; i < assets->num_diagnostics; i++)
        if (strstr(assets->diagnostics[i].text, piece))
            return &assets->diagnostics[i];
    return NULL;
}

void assert_opening_needs_memory(const char *path, const lm_assets_options *options) {
    counted counts = {0};
    const lm_allocator memory = counting_allocator(&counts);
    lm_assets *whole = open_fresh(path, options);
    const uint32_t num_textures = whole->scene->num_textures;
    bool failed = true;
    close_fresh(whole);
    for (size_t at = 1; failed; at++) {
        counts.calls = 0;
        counts.fail_at = at;
        lm_vfs *vfs = lm_vfs_new(&memory);
        lm_assets *assets = vfs ? lm_assets_open(vfs, path, options) : NULL;
        lm_skin_choices *skins = assets ? lm_vfs_skins(vfs, assets) : NULL;
        failed = counts.calls >= at;
        assert_true(failed || (assets->scene && skins));
        if (assets && assets->scene) { /* stb may work without its memory */
            assert_int_equal(assets->scene->num_textures, num_textures);
        } else if (assets) {
            assert_int_equal(assets->error->code, LM_CODE_OUT_OF_MEMORY);
            assert_int_equal(assets->diagnostics[assets->num_diagnostics - 1].code,
                             LM_CODE_OUT_OF_MEMORY);
        }
        lm_skin_choices_free(skins);
        lm_assets_free(assets);
        lm_vfs_free(vfs);
        assert_all_released(&counts);
        assert_true(failed || at > 20);
    }
}
