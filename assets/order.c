#include "order.h"

#include "materials.h"

#include <string.h>

/* ---- Engines ------------------------------------------------------------------------------ */

/* Sources: docs/reference/formats/ufoai.md; Quake II, client/menu.c (PlayerConfig_ScanDirectories,
 * IconOfSkinExists) and cl_parse.c. */
static const lm_engine_files all[] = {
    {LM_ENGINE_UFOAI, ".png or .jpg", {"png", "jpeg"}, true, NULL},
    {LM_ENGINE_QUAKE2, ".pcx", {"pcx", NULL}, false, "_i"}};

const lm_engine_files *lmi_engine_files_of(lm_engine engine) {
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].engine == engine)
            return &all[i];
    return NULL;
}

bool lmi_engine_reads_image(const lm_engine_files *demands, const char *path) {
    const char *extension = strrchr(path, '.');
    return extension && extension[1] && strstr(demands->images, extension);
}

bool lmi_engine_reads_format(const lm_engine_files *demands, const char *format) {
    for (size_t i = 0; i < 2 && demands->formats[i]; i++)
        if (strcmp(demands->formats[i], format) == 0)
            return true;
    return false;
}

/* ---- Order -------------------------------------------------------------------------------- */

/* Returns whether a surface is blended with what is behind it. A first stage that is neither
 * blended nor has holes covers everything behind it, and those that follow are drawn onto it. */
static bool is_blended(const lm_shader *shader) {
    const bool holes = shader->num_stages > 0 && shader->stages[0].alpha_test != LM_TEST_NONE;
    for (uint32_t i = 0; i < shader->num_stages; i++)
        if (shader->stages[i].blended && (i == 0 || holes))
            return true;
    return false;
}

static lm_order_risk risk_of(const lm_opening *o, const lm_asset_texture *texture) {
    const lm_shader *shader = texture->shader;
    const bool named = o->parts.files[0].model->features & LM_FEATURE_SURFACES;
    const bool searched = texture->match == LM_MATCH_NAME && o->textures[0].found.num_scripts > 0;
    if (shader)
        return is_blended(shader) && !shader->hidden ? LM_ORDER_BLENDED : LM_ORDER_INVISIBLE;
    return named && !searched ? LM_ORDER_UNKNOWN : LM_ORDER_INVISIBLE;
}

lm_order_risk lmi_order_risk_of(const lm_assets *assets, const char **name) {
    const lm_opening *o = (const lm_opening *)(const void *)assets;
    lm_order_risk worst = LM_ORDER_INVISIBLE;
    *name = "";
    for (uint32_t i = 0; worst != LM_ORDER_BLENDED && i < assets->assets[0].num_textures; i++) {
        const lm_asset_texture *texture = &assets->assets[0].textures[i];
        const lm_order_risk risk = risk_of(o, texture);
        if (risk != LM_ORDER_INVISIBLE &&
            (worst == LM_ORDER_INVISIBLE || risk == LM_ORDER_BLENDED)) {
            worst = risk;
            *name = texture->name;
        }
    }
    return worst;
}

bool lmi_order_sidecar(lm_vfs *vfs, const char *path, lm_buffer *out) {
    size_t length;
    lm_error error = {0};
    const char *stem = lmi_vfs_stem(vfs, path, &length);
    lm_buffer_append(out, path, (size_t)(stem - path) + length);
    lm_buffer_append(out, ".mdx", sizeof ".mdx");
    if (out->failed)
        return false;
    if (!lmi_vfs_can_open(vfs, (const char *)out->data, "", &error))
        out->size = 0;
    return error.code != LM_CODE_OUT_OF_MEMORY;
}
