/* Where the textures are, for people and for programs. */
#include "describing.h"
#include "paths.h"

#include <string.h>

#define MAX_LISTED 256   /* names; real models have a few */
#define PATH_LENGTH 8192 /* what is longer is cut */

static const char *source_of(const lm_asset *asset, const lm_asset_texture *texture) {
    switch (texture->source) {
    case LM_TEXTURE_OF_MODEL:
        return "the model";
    case LM_TEXTURE_OF_FILE_NAME:
        return "the model's file name";
    case LM_TEXTURE_OF_SKIN_FILE:
        return asset->skin_path;
    case LM_TEXTURE_GUESSED:
        return "a guess: what is named is not there, and the size fits";
    case LM_TEXTURE_EMBEDDED:
        return "the pixels in the file";
    default:
        return "--skin";
    }
}

static const char *word_of_source(lm_texture_source source) {
    static const char *const words[] = {"model",  "file-name", "skin-file",
                                        "option", "embedded",  "guess"};
    return words[source];
}

static const char *word_of_way(lm_texture_way way) {
    static const char *const words[] = {NULL, "name", "script", "fallback", "left-out"};
    return words[way];
}

/* Of two textures with one name, which an option can make, the first is shown. */
static bool is_listed(const lm_asset *asset, uint32_t index) {
    for (uint32_t i = 0; i < index; i++)
        if (strcmp(asset->textures[i].name, asset->textures[index].name) == 0)
            return true;
    return false;
}

/* Calls `tell` with each texture that a part wears, once a name. */
static void list(const lm_assets *assets, uint32_t part,
                 void (*tell)(const lm_assets *assets, uint32_t part, uint32_t texture,
                              void *context),
                 void *context) {
    const lm_asset *asset = &assets->assets[part];
    for (uint32_t i = 0; i < asset->num_textures && i < MAX_LISTED; i++)
        if (!is_listed(asset, i))
            tell(assets, part, i, context);
}

/* ---- For people -------------------------------------------------------------------------------
 */

static void print_shader(const lm_shader *shader, lm_buffer *out) {
    lm_buffer_text(out, "        script: ");
    lm_text_harmless(out, shader->path);
    lm_buffer_printf(out, ", line %u", (unsigned)shader->line);
    if (shader->hidden)
        lm_buffer_text(out, "; draws nothing");
    else if (shader->num_stages != 1)
        lm_buffer_printf(out, ", %u stages", (unsigned)shader->num_stages);
    lm_buffer_text(out, "\n");
}

typedef struct printing {
    lm_buffer *out;
    bool verbose;
} printing;

/* Where a texture was looked for in vain: how often, or each path. */
static void print_tried(const lm_assets *assets, uint32_t part, uint32_t index,
                        const printing *how) {
    char path[PATH_LENGTH];
    uint32_t count = assets->assets[part].textures[index].num_tried;
    lm_buffer_text(how->out, "        not found; ");
    lm_text_count(how->out, count, "path");
    lm_buffer_text(how->out, how->verbose ? " tried:\n" : " tried\n");
    for (uint32_t i = 0; how->verbose && lm_assets_tried(assets, part, index, i, path, sizeof path);
         i++) {
        lm_buffer_text(how->out, "          ");
        lm_text_harmless(how->out, path);
        lm_buffer_text(how->out, "\n");
    }
}

static void print_texture(const lm_assets *assets, uint32_t part, uint32_t index, void *context) {
    const lm_asset *asset = &assets->assets[part];
    const lm_asset_texture *texture = &asset->textures[index];
    const printing *how = context;
    lm_buffer *out = how->out;
    lm_buffer_text(out, "    ");
    lm_text_harmless(out, texture->name);
    lm_buffer_text(out, " (from ");
    lm_text_harmless(out, source_of(asset, texture));
    lm_buffer_text(out, texture->way == LM_FOUND_BY_FALLBACK ? "; found elsewhere)\n" : ")\n");
    if (texture->unsafe)
        lm_buffer_printf(
            out, "        [%s] %s\n", lm_code_name(LM_CODE_UNSAFE_PATH),
            lm_path_is_absolute(texture->name)
                ? "an absolute path is ignored: its last part is looked for beside the "
                  "model"
                : "the name leads outside the folders where textures are looked for");
    if (texture->way == LM_FOUND_LEFT_OUT) {
        lm_buffer_text(out, "        neither picture nor script: it draws nothing\n");
        return;
    }
    if (texture->shader)
        print_shader(texture->shader, out);
    bool sought = texture->num_tried > 0 || texture->source == LM_TEXTURE_GUESSED;
    if (texture->way != LM_FOUND_NOT && !sought)
        return;
    if (!texture->path) {
        print_tried(assets, part, index, how);
        return;
    }
    lm_buffer_text(out, "        found: ");
    lm_text_harmless(out, texture->path);
    lm_buffer_text(out, "\n");
}

void lm_describe_textures(const lm_assets *assets, uint32_t part, bool verbose, lm_buffer *out) {
    printing how = {out, verbose};
    if (assets->assets[part].num_textures > 0)
        lm_buffer_text(out, "\n  Textures\n");
    list(assets, part, print_texture, &how);
}

/* ---- For programs -----------------------------------------------------------------------------
 */

static void json_shader(const lm_shader *shader, lm_json *json) {
    if (!shader)
        return;
    lm_json_open(json, "shader", '{');
    lm_json_string(json, "name", shader->name);
    lm_json_string(json, "script", shader->path);
    lm_json_integer(json, "line", shader->line);
    lm_json_integer(json, "stages", shader->num_stages);
    lm_json_bool(json, "hidden", shader->hidden);
    lm_json_close(json);
}

static void json_texture(const lm_assets *assets, uint32_t part, uint32_t index, void *context) {
    const lm_asset_texture *texture = &assets->assets[part].textures[index];
    char path[PATH_LENGTH];
    lm_json *json = context;
    lm_json_open(json, NULL, '{');
    lm_json_string(json, "name", texture->name);
    lm_json_string(json, "source", word_of_source(texture->source));
    lm_json_string(json, "way", word_of_way(texture->way));
    lm_json_string(json, "found", texture->path);
    json_shader(texture->shader, json);
    lm_json_bool(json, "unsafe", texture->unsafe);
    lm_json_open(json, "tried", '[');
    for (uint32_t i = 0; lm_assets_tried(assets, part, index, i, path, sizeof path); i++)
        lm_json_string(json, NULL, path);
    lm_json_close(json);
    lm_json_close(json);
}

void lm_describe_json_textures(const lm_assets *assets, uint32_t part, lm_json *json) {
    lm_json_open(json, "textures", '[');
    list(assets, part, json_texture, json);
    lm_json_close(json);
}
