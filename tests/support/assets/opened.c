#include "opened.h"

#include <string.h>

static lm_disk *fresh;

lm_assets *open_sound(lm_disk *disk, const char *path, const lm_assets_options *options) {
    lm_error error = {0};
    lm_assets *assets = lm_assets_open(disk, path, options);
    assert_non_null(assets);
    if (!assets->scene)
        fail_msg("%s: %s", path, assets->error->message);
    assert_null(assets->error);
    if (!lm_scene_check(assets->scene, &error))
        fail_msg("%s: %s", path, error.message);
    return assets;
}

lm_assets *open_fresh(const char *path, const lm_assets_options *options) {
    fresh = lm_disk_new(NULL);
    return open_sound(fresh, path, options);
}

lm_disk *fresh_disk(void) {
    return fresh;
}

void close_fresh(lm_assets *assets) {
    lm_assets_free(assets);
    lm_disk_free(fresh);
}

const lm_diagnostic *finding(const lm_assets *assets, const char *piece) {
    for (uint32_t i = 0; i < assets->num_findings; i++)
        if (strstr(assets->findings[i].text, piece))
            return &assets->findings[i];
    return NULL;
}
