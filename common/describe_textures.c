/* Descriptions of textures as text and JSON. */
#include "describe.h"

#include <string.h>

#define MAX_LISTED 256   /* names; real models have a few */
#define PATH_LENGTH 8192 /* longer paths are cut */

static const char *source_of(const lm_asset *asset, const lm_asset_texture *texture) {
    switch (texture->source) {
    case LM_TEXTURE_OF_MODEL:
        return "the model";
    case LM_TEXTURE_OF_FILE_NAME:
        return "the model's file name";
    case LM_TEXTURE_OF_SKIN_FILE:
        return asset->skin_path;
    case LM_TEXTURE_GUESSED:
        return "a guess, because the named texture is missing";
    case LM_TEXTURE_EMBEDDED:
        return "the model's own pixels";
    default:
        return "--skin";
    }
}

/* If an option gives two textures the same name, only the first is shown. */
static bool is_listed(const lm_asset *asset, uint32_t index) {
    for (uint32_t i = 0; i < index; i++)
        if (strcmp(asset->textures[i].name, asset->textures[index].name) == 0)
            return true;
    return false;
}

/* ---- Text ------------------------------------------------------------------------------------ */

/* Prints the paths tried for a missing texture: their number, or each of them. */
static void print_tried(const lm_assets *assets, uint32_t part, uint32_t index, bool verbose,
                        lm_buffer *out) {
    char path[PATH_LENGTH];
    lm_buffer_printf(out, "        not found; %s tried%s\n",
                     lmi_count_nouns(assets->assets[part].textures[index].num_tried, "paths").text,
                     verbose ? ":" : "");
    for (uint32_t i = 0; verbose && lmi_assets_tried(assets, part, index, i, path, sizeof path);
         i++)
        lmi_text_line(out, "          ", path);
}

static const char *const map_names[LM_NUM_MAPS] = {[LM_MAP_NORMAL] = "normal",
                                                   [LM_MAP_EMISSIVE] = "emissive",
                                                   [LM_MAP_SPECULAR] = "specular",
                                                   [LM_MAP_ROUGHNESS] = "roughness"};

static void print_texture(const lm_assets *assets, uint32_t part, uint32_t index, bool verbose,
                          lm_buffer *out) {
    const lm_asset *asset = &assets->assets[part];
    const lm_asset_texture *texture = &asset->textures[index];
    lm_buffer_text(out, "    ");
    lmi_text_harmless(out, texture->name);
    lm_buffer_text(out, " (from ");
    lmi_text_harmless(out, source_of(asset, texture));
    lm_buffer_text(out, texture->match == LM_MATCH_FALLBACK ? "; found elsewhere)\n" : ")\n");
    if (texture->unsafe)
        lm_buffer_printf(
            out, "        [%s] %s\n", lm_code_name(LM_CODE_UNSAFE_PATH),
            lmi_path_is_absolute(texture->name)
                ? "the absolute path is ignored; its file name is searched for in the model's "
                  "folder"
                : "the path leads outside the folders that are searched for textures");
    if (texture->match == LM_MATCH_NOT_DRAWN) {
        lm_buffer_text(out, "        no image and no script: not drawn\n");
        return;
    }
    if (texture->shader) {
        const lm_shader *shader = texture->shader;
        lm_buffer_text(out, "        script: ");
        lmi_text_harmless(out, shader->path);
        lm_buffer_printf(out, ", line %u", (unsigned)shader->line);
        if (shader->hidden)
            lm_buffer_text(out, "; not drawn");
        else if (shader->num_stages != 1)
            lm_buffer_printf(out, ", %u stages", (unsigned)shader->num_stages);
        lm_buffer_text(out, "\n");
    }
    const bool searched = texture->match == LM_MATCH_NONE || texture->num_tried > 0 ||
                          texture->source == LM_TEXTURE_GUESSED;
    if (searched && texture->path)
        lmi_text_line(out, "        found: ", texture->path);
    else if (searched)
        print_tried(assets, part, index, verbose, out);
    for (unsigned map = 0; texture->maps && map < LM_NUM_MAPS; map++)
        if (texture->maps[map]) {
            lm_buffer_printf(out, "        %s map: ", map_names[map]);
            lmi_text_line(out, "", texture->maps[map]);
        }
}

void lmi_describe_textures(const lm_assets *assets, uint32_t part, bool verbose, lm_buffer *out) {
    const lm_asset *asset = &assets->assets[part];
    if (asset->num_textures > 0)
        lm_buffer_text(out, "\n  Textures\n");
    for (uint32_t i = 0; i < asset->num_textures && i < MAX_LISTED; i++)
        if (!is_listed(asset, i))
            print_texture(assets, part, i, verbose, out);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void json_shader(const lm_shader *shader, lm_json *json) {
    if (!shader)
        return;
    lmi_json_open(json, "shader", '{');
    lmi_json_string(json, "name", shader->name);
    lmi_json_path(json, "script", shader->path);
    lmi_json_integer(json, "line", shader->line);
    lmi_json_integer(json, "stages", shader->num_stages);
    lmi_json_bool(json, "hidden", shader->hidden);
    lmi_json_close(json);
}

static void json_maps(const lm_asset_texture *texture, lm_json *json) {
    if (!texture->maps)
        return;
    lmi_json_open(json, "maps", '{');
    for (unsigned map = 0; map < LM_NUM_MAPS; map++)
        if (texture->maps[map])
            lmi_json_string(json, map_names[map], texture->maps[map]);
    lmi_json_close(json);
}

static void json_texture(const lm_assets *assets, uint32_t part, uint32_t index, lm_json *json) {
    static const char *const sources[] = {"model",  "file-name", "skin-file",
                                          "option", "embedded",  "guess"};
    static const char *const matches[] = {NULL, "name", "script", "fallback", "not-drawn"};
    const lm_asset_texture *texture = &assets->assets[part].textures[index];
    char path[PATH_LENGTH];
    lmi_json_open(json, NULL, '{');
    lmi_json_string(json, "name", texture->name);
    lmi_json_string(json, "source", sources[texture->source]);
    lmi_json_string(json, "match", matches[texture->match]);
    lmi_json_path(json, "found", texture->path);
    json_shader(texture->shader, json);
    json_maps(texture, json);
    lmi_json_bool(json, "unsafe", texture->unsafe);
    lmi_json_open(json, "tried", '[');
    for (uint32_t i = 0; lmi_assets_tried(assets, part, index, i, path, sizeof path); i++)
        lmi_json_string(json, NULL, path);
    lmi_json_close(json);
    lmi_json_close(json);
}

void lmi_describe_json_textures(const lm_assets *assets, uint32_t part, lm_json *json) {
    const lm_asset *asset = &assets->assets[part];
    lmi_json_open(json, "textures", '[');
    for (uint32_t i = 0; i < asset->num_textures && i < MAX_LISTED; i++)
        if (!is_listed(asset, i))
            json_texture(assets, part, i, json);
    lmi_json_close(json);
}
