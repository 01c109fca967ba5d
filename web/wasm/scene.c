/* Opens scenes from paths, describes them and poses them. */
#include "web.h"

#include <stdlib.h>
#include <string.h>

/* ---- Paths --------------------------------------------------------------------------------- */

lm_vfs *WEB_EXPORT(web_vfs_new)(void) {
    return lm_vfs_new(NULL, &web_error);
}

void WEB_EXPORT(web_vfs_free)(lm_vfs *vfs) {
    lm_vfs_free(vfs);
}

/* Lists the models that a path refers to (lm_vfs_list): [{"path", "relativePath", "player",
 * "ofPlayer", "tag", "problem"}]; "tag": that holds the model of a weapon (lmi_weapon_tag). */
bool WEB_EXPORT(web_vfs_models)(lm_vfs *vfs, const char *path) {
    lm_path_list *list = lm_vfs_list(vfs, path, LM_LIST_MODELS, &web_error);
    lm_json json = {.out = web_begin()};
    lmi_json_open(&json, NULL, '[');
    for (uint32_t i = 0; list && i < list->num_paths; i++) {
        const lm_listed_path *listed = &list->paths[i];
        char tag[LM_PATH_SIZE];
        const bool held =
            listed->of_player && lmi_weapon_tag(vfs, listed->path, NULL, tag, sizeof tag);
        lmi_json_open(&json, NULL, '{');
        lmi_json_string(&json, "path", listed->path);
        lmi_json_string(&json, "relativePath", listed->tree);
        lmi_json_string(&json, "player", listed->player);
        lmi_json_bool(&json, "ofPlayer", listed->of_player);
        lmi_json_string(&json, "tag", held ? tag : NULL);
        lmi_json_string(&json, "problem", listed->problem ? listed->problem->message : NULL);
        lmi_json_close(&json);
    }
    lmi_json_close(&json);
    web_result.failed = web_result.failed || !list;
    lm_path_list_free(list);
    return web_end();
}

/* Reads a file, which may be in an archive. */
bool WEB_EXPORT(web_vfs_read)(lm_vfs *vfs, const char *path) {
    return lm_vfs_read(vfs, path, LM_MAX_ARCHIVE_MEMBER, web_begin(), &web_error) && web_end();
}

/* ---- Opening ------------------------------------------------------------------------------- */

#define MAX_NAMES 64 /* games, skins or attachments */

typedef struct open_options {
    lm_assets_options options;
    const char *games[MAX_NAMES], *skins[MAX_NAMES];
    lm_attachment attachments[MAX_NAMES];
} open_options;

static bool add_name(const char **names, uint32_t *count, const char *value) {
    if (*count == MAX_NAMES)
        return lm_fail_plain(&web_error, LM_CODE_LIMIT, "more than %d names of one kind",
                             MAX_NAMES);
    names[(*count)++] = value;
    return true;
}

static bool parse_option(open_options *parsed, const char *key, const char *value) {
    lm_assets_options *o = &parsed->options;
    if (strcmp(key, "clips") == 0)
        o->clips = value;
    else if (strcmp(key, "palette") == 0)
        o->palette = value;
    else if (strcmp(key, "game") == 0)
        return add_name(parsed->games, &o->num_games, value);
    else if (strcmp(key, "skin") == 0)
        return add_name(parsed->skins, &o->num_skins, value);
    else if (strcmp(key, "listedSkin") == 0)
        o->listed_skin = (uint32_t)strtoul(value, NULL, 10);
    else if (strcmp(key, "repair") == 0)
        o->load.repair = true;
    else if (strcmp(key, "strict") == 0)
        o->load.strict = true;
    else if (strcmp(key, "related") == 0)
        o->related = true;
    else if (strcmp(key, "transparent255") == 0)
        o->transparent_255 = true;
    else if (strcmp(key, "glCommands") == 0)
        o->load.topology = LM_TOPOLOGY_GL_COMMANDS;
    else if (strcmp(key, "normals") == 0)
        o->load.normals = strcmp(value, "stored") == 0     ? LM_NORMALS_STORED
                          : strcmp(value, "computed") == 0 ? LM_NORMALS_COMPUTED
                                                           : LM_NORMALS_AUTO;
    else if (strcmp(key, "alpha") == 0)
        o->alpha = strcmp(value, "opaque") == 0  ? LM_ALPHA_USE_OPAQUE
                   : strcmp(value, "mask") == 0  ? LM_ALPHA_USE_MASK
                   : strcmp(value, "blend") == 0 ? LM_ALPHA_USE_BLEND
                                                 : LM_ALPHA_USE_AUTO;
    else if (strcmp(key, "images") == 0)
        o->images = strcmp(value, "none") == 0    ? LM_IMAGES_NONE
                    : strcmp(value, "found") == 0 ? LM_IMAGES_FOUND
                                                  : LM_IMAGES_PIXELS;
    else
        return lm_fail_plain(&web_error, LM_CODE_BAD_ARGUMENT, "there is no option \"%s\"", key);
    return true;
}

/* Adds an attachment. An empty tag or clip means none. */
static bool add_attachment(open_options *parsed, const char *tag, const char *path,
                           const char *clip) {
    if (parsed->options.num_attachments == MAX_NAMES)
        return lm_fail_plain(&web_error, LM_CODE_LIMIT, "more than %d attachments", MAX_NAMES);
    parsed->attachments[parsed->options.num_attachments++] =
        (lm_attachment){.tag = *tag ? tag : NULL, .path = path, .clip = *clip ? clip : NULL};
    return true;
}

/* Parses the options: NUL-terminated keys and values in turn, up to an empty key. The key "attach"
 * has three values: TAG, PATH and CLIP. */
static bool parse_options(open_options *parsed, const char *text) {
    *parsed = (open_options){
        .options = {.load = {.normals = LM_NORMALS_AUTO}, .max_input = LM_MAX_ARCHIVE_MEMBER}};
    parsed->options.games = parsed->games;
    parsed->options.skins = parsed->skins;
    parsed->options.attachments = parsed->attachments;
    while (*text) {
        const char *value = text + strlen(text) + 1;
        bool ok;
        if (strcmp(text, "attach") == 0) {
            const char *path = value + strlen(value) + 1, *clip = path + strlen(path) + 1;
            ok = add_attachment(parsed, value, path, clip);
            value = clip;
        } else {
            ok = parse_option(parsed, text, value);
        }
        if (!ok)
            return false;
        text = value + strlen(value) + 1;
    }
    return true;
}

void WEB_EXPORT(web_close)(web_scene *scene) {
    if (!scene)
        return;
    lm_gl_scene_free(scene->gl_scene);
    lm_skin_choices_free(scene->skins);
    free(scene->owned_name);
    lm_buffer_free(&scene->marks);
    if (scene->draw_overlay)
        scene->draw_overlay(scene, NULL, NULL);
    lm_assets_free(scene->assets);
    free(scene);
}

static bool fill(web_scene *scene, lm_vfs *vfs, const char *path, const char *options) {
    open_options parsed;
    if (!parse_options(&parsed, options))
        return false;
    scene->assets = lm_assets_open(vfs, path, &parsed.options, &web_error);
    if (!scene->assets || !scene->assets->scene)
        return false;
    scene->scene = scene->assets->scene;
    scene->skins = lm_assets_list_skins(scene->assets, &web_error);
    scene->play = (lm_playback){0};
    return scene->skins && web_evaluate(scene);
}

/* Opens a model, player or folder; web/lib/index.js encodes `options`. A file has at most
 * LM_MAX_ARCHIVE_MEMBER bytes, because memory is limited to 4 GiB. */
web_scene *WEB_EXPORT(web_open)(lm_vfs *vfs, const char *path, const char *options) {
    web_scene *scene = calloc(1, sizeof *scene);
    if (!scene)
        lm_fail_plain(&web_error, LM_CODE_OUT_OF_MEMORY, "out of memory");
    if (scene && fill(scene, vfs, path, options))
        return scene;
    web_close(scene);
    return NULL;
}

/* ---- Descriptions -------------------------------------------------------------------------- */

static void write_diagnostic(lm_json *json, const lm_diagnostic *diagnostic) {
    lmi_json_open(json, NULL, '{');
    lmi_json_string(json, "code", lm_code_name(diagnostic->code));
    lmi_json_string(json, "severity", lm_severity_name(diagnostic->severity));
    lmi_json_string(json, "subject", diagnostic->location.section);
    lmi_json_string(json, "path", diagnostic->subject);
    lmi_json_string(json, "message", diagnostic->text);
    lmi_json_close(json);
}

static void write_skins(lm_json *json, const lm_skin_choices *skins) {
    lmi_json_open(json, "skins", '[');
    for (uint32_t i = 0; i < skins->num_choices; i++) {
        const lm_skin_choice *choice = &skins->choices[i];
        lmi_json_open(json, NULL, '{');
        lmi_json_string(json, "name", choice->name);
        lmi_json_string(json, "option", choice->option);
        lmi_json_integer(json, "skin", choice->skin);
        lmi_json_close(json);
    }
    lmi_json_close(json);
    lmi_json_integer(json, "currentSkin",
                     skins->current < skins->num_choices ? (int)skins->current : -1);
}

static void write_texture(lm_json *json, const lm_asset_texture *texture) {
    lmi_json_open(json, NULL, '{');
    lmi_json_string(json, "name", texture->name);
    lmi_json_string(json, "path", texture->path);
    lmi_json_string(json, "shader", texture->shader ? texture->shader->name : NULL);
    lmi_json_integer(json, "image", texture->image == LM_NO_TEXTURE ? -1 : (int64_t)texture->image);
    lmi_json_close(json);
}

/* Writes the material of each surface: its texture's number and the use of its alpha. */
static void write_materials(lm_json *json, const lm_scene_part *part) {
    static const char *const alphas[] = {"opaque", "mask", "blend"};
    lmi_json_open(json, "materials", '[');
    for (uint32_t i = 0; part->num_skins > 0 && i < part->model->num_surfaces; i++) {
        const lm_scene_material *material = &part->skins[part->skin].materials[i];
        lmi_json_open(json, NULL, '{');
        lmi_json_string(json, "name", material->name);
        lmi_json_integer(json, "texture",
                         material->texture == LM_NO_TEXTURE ? -1 : (int64_t)material->texture);
        lmi_json_string(json, "alpha", alphas[material->alpha]);
        lmi_json_bool(json, "twoSided",
                      material->shader && material->shader->sides == LM_SIDES_BOTH);
        lmi_json_close(json);
    }
    lmi_json_close(json);
}

static void write_part(lm_json *json, const lm_assets *assets, uint32_t i) {
    const lm_scene_part *part = &assets->scene->parts[i];
    const lm_asset *asset = &assets->assets[i];
    lmi_json_open(json, NULL, '{');
    lmi_json_string(json, "name", part->name ? part->name : "model");
    lmi_json_string(json, "path", asset->path);
    lmi_json_string(json, "format", part->model->format);
    lmi_json_integer(json, "parent",
                     i == 0 || part->parent == LM_NO_PART ? -1 : (int64_t)part->parent);
    lmi_json_string(json, "parentTag", part->tag);
    lmi_json_bool(json, "sharesFrames", part->follows);
    lmi_json_integer(json, "frames", part->model->num_frames);
    lmi_json_string(json, "idle", part->idle ? part->idle->name : NULL);
    web_write_grid(json, part->model);
    write_materials(json, part);
    lmi_json_open(json, "textures", '[');
    for (uint32_t k = 0; k < asset->num_textures; k++)
        write_texture(json, &asset->textures[k]);
    lmi_json_close(json);
    lmi_json_close(json);
}

/* Describes the scene: parts, clips by part, the rest clip, available skins, diagnostics. */
bool WEB_EXPORT(web_scene_json)(const web_scene *scene) {
    const lm_assets *assets = scene->assets;
    lm_json json = {.out = web_begin()};
    lmi_json_open(&json, NULL, '{');
    lmi_json_open(&json, "parts", '[');
    for (uint32_t i = 0; i < assets->scene->num_parts; i++)
        write_part(&json, assets, i);
    lmi_json_close(&json);
    web_write_clips(&json, assets->scene);
    write_skins(&json, scene->skins);
    lmi_json_string(&json, "game", assets->game);
    lmi_json_open(&json, "diagnostics", '[');
    for (uint32_t i = 0; i < assets->num_diagnostics; i++)
        write_diagnostic(&json, &assets->diagnostics[i]);
    lmi_json_close(&json);
    lmi_json_close(&json);
    return web_end();
}

/* Describes a part, as `lerpmesh info --json` prints it, without the numbers of problems. */
bool WEB_EXPORT(web_part_json)(const web_scene *scene, uint32_t part) {
    return web_model(scene, part) &&
           lmi_describe_json(scene->assets, part, NULL, web_begin(), &web_error) && web_end();
}

/* Describes a part, as `lerpmesh info` prints it. */
bool WEB_EXPORT(web_part_info_text)(const web_scene *scene, uint32_t part) {
    if (!web_model(scene, part))
        return false;
    lmi_describe(scene->assets, part, false, web_begin());
    return web_end();
}

/* ---- Images -------------------------------------------------------------------------------- */

/* Decodes an image file into the result: width and height (uint32 each), then RGBA pixels. */
bool WEB_EXPORT(web_image)(const void *data, size_t size) {
    lm_image *image = lm_image_read(data, size, NULL, &web_error);
    const bool ok = image && web_write_image(image->pixels, image->width, image->height);
    lm_image_free(image);
    return ok;
}

/* Writes an image of the scene to the result, in web_image's layout. */
bool WEB_EXPORT(web_texture)(const web_scene *scene, uint32_t texture) {
    const lm_scene *opened = scene->assets->scene;
    if (texture >= opened->num_textures || !opened->textures[texture].pixels)
        return lm_fail_plain(&web_error, LM_CODE_BAD_ARGUMENT, "there is no image %u", texture);
    const lm_scene_texture *found = &opened->textures[texture];
    return web_write_image(found->pixels, found->width, found->height);
}
