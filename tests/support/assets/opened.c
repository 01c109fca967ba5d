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
