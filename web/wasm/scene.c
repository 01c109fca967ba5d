/* Opens scenes from paths, describes them and poses them. */
#include "web.h"

#include "lerpmesh/check.h"

#include <math.h>
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

const lm_model *web_model(const web_scene *scene, uint32_t part) {
    if (part < scene->assets->scene->num_parts)
        return scene->assets->scene->parts[part].model;
    lm_fail_plain(&web_error, LM_CODE_BAD_ARGUMENT, "there is no part %u: there are %u", part,
                  scene->assets->scene->num_parts);
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

static void write_clip(lm_json *json, const lm_clip *clip, uint32_t part, uint32_t number) {
    lmi_json_open(json, NULL, '{');
    lmi_json_string(json, "name", clip->name);
    lmi_json_integer(json, "part", part);
    lmi_json_integer(json, "number", number);
    lmi_json_integer(json, "first", clip->first);
    lmi_json_integer(json, "count", clip->count);
    lmi_json_float(json, "fps", clip->fps);
    lmi_json_integer(json, "loopFrames", clip->loop_frames);
    lmi_json_double(json, "duration", lm_clip_duration(clip, LM_PLAY_AS_CLIP));
    lmi_json_close(json);
}

static void write_clips(lm_json *json, const lm_scene *scene) {
    lmi_json_open(json, "clips", '[');
    for (uint32_t p = 0; p < scene->num_parts; p++)
        for (uint32_t i = 0; i < scene->parts[p].num_clips && !scene->parts[p].follows; i++)
            write_clip(json, &scene->parts[p].clips[i], p, i);
    lmi_json_close(json);
    const lm_clip *rest = lm_scene_rest_clip(scene);
    lmi_json_string(json, "restClip", rest ? rest->name : NULL);
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
    lm_vec3 grid[2];
    if (lmi_model_grid(part->model, grid)) {
        lmi_json_open(json, "grid", '[');
        for (int k = 0; k < 6; k++)
            lmi_json_float(json, NULL, (&grid[k / 3].x)[k % 3]);
        lmi_json_close(json);
    }
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
    write_clips(&json, assets->scene);
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

/* ---- Poses --------------------------------------------------------------------------------- */

bool web_evaluate(web_scene *scene) {
    return lm_scene_evaluate(scene->assets->scene, scene->poses, NULL, NULL,
                             scene->world_transforms, &web_error);
}

/* Poses all parts at `seconds` into the clip; if `clip` is NULL, on their first frames. `stepped`
 * shows the first frame of each pose, as in games without interpolation. */
bool WEB_EXPORT(web_pose)(web_scene *scene, const char *clip, double seconds, bool stepped) {
    lm_scene_pose(scene->assets->scene, clip, seconds, scene->poses);
    for (uint32_t i = 0; stepped && i < scene->assets->scene->num_parts; i++)
        scene->poses[i].t = 0;
    return web_evaluate(scene);
}

/* Poses one part between two frames, and with it the parts that share its frames. */
bool WEB_EXPORT(web_pose_part)(web_scene *scene, uint32_t part, uint32_t frame_a, uint32_t frame_b,
                               float t, bool hidden) {
    if (!web_model(scene, part))
        return false;
    const lm_pose before = scene->poses[part];
    scene->poses[part] = (lm_pose){frame_a, frame_b, t, hidden};
    lm_scene_follow(scene->assets->scene, scene->poses);
    if (web_evaluate(scene))
        return true;
    scene->poses[part] = before;
    lm_scene_follow(scene->assets->scene, scene->poses);
    return false;
}

/* ---- Playing ------------------------------------------------------------------------------- */

static bool show(web_scene *scene) {
    lm_playback_scene(&scene->play, scene->assets->scene, scene->playing_part, scene->playing_name,
                      scene->poses);
    return web_evaluate(scene);
}

/* Starts clip `number` of a part; UINT32_MAX plays all frames of the part. */
bool WEB_EXPORT(web_play)(web_scene *scene, uint32_t part, uint32_t number) {
    const lm_model *model = web_model(scene, part);
    if (!model)
        return false;
    const lm_scene_part *scene_part = &scene->assets->scene->parts[part];
    if (number != UINT32_MAX && number >= scene_part->num_clips)
        return lm_fail_plain(&web_error, LM_CODE_BAD_ARGUMENT, "there is no clip %u: there are %u",
                             number, scene_part->num_clips);
    scene->playing_part = part;
    scene->playing_name = number == UINT32_MAX ? NULL : scene_part->clips[number].name;
    scene->all_frames = (lm_clip){.name = "",
                                  .count = model->num_frames,
                                  .fps = LM_DEFAULT_FPS,
                                  .loop_frames = model->num_frames};
    scene->play.clip = number == UINT32_MAX ? &scene->all_frames : &scene_part->clips[number];
    scene->play.seconds = 0;
    return show(scene);
}

/* Starts the clips of this name, or of several names joined with +. Each part plays the clip that
 * lm_scene_find_clip returns for it; the first part that has one sets the timeline. Returns [2]
 * that part and the clip's number in it. */
const uint32_t *WEB_EXPORT(web_play_named)(web_scene *scene, const char *name) {
    static uint32_t found[2];
    const lm_scene *opened = scene->assets->scene;
    const lm_clip *clip = NULL;
    uint32_t part = 0;
    while (part < opened->num_parts && !(clip = lm_scene_find_clip(opened, part, name)))
        part++;
    const size_t size = strlen(name) + 1;
    char *copy = clip ? malloc(size) : NULL;
    if (!copy) {
        if (clip)
            lm_fail_plain(&web_error, LM_CODE_OUT_OF_MEMORY, "out of memory");
        else
            lm_fail_plain(&web_error, LM_CODE_BAD_ARGUMENT, "there is no clip \"%s\"", name);
        return NULL;
    }
    free(scene->owned_name);
    scene->playing_name = scene->owned_name = memcpy(copy, name, size);
    scene->playing_part = part;
    scene->play.clip = clip;
    scene->play.seconds = 0;
    found[0] = part;
    found[1] = (uint32_t)(clip - opened->parts[part].clips);
    return show(scene) ? found : NULL;
}

/* Sets the playback options and keeps the position. */
void WEB_EXPORT(web_set_playback)(web_scene *scene, lm_play_mode mode, bool backwards,
                                  bool interpolate, double speed) {
    lm_playback *play = &scene->play;
    lm_playback_set(play, mode, backwards, play->playing);
    play->stepped = !interpolate;
    play->speed = (float)speed;
    show(scene);
}

void WEB_EXPORT(web_set_playing)(web_scene *scene, bool playing) {
    lm_playback_set(&scene->play, scene->play.mode, scene->play.backwards, playing);
}

bool WEB_EXPORT(web_is_playing)(const web_scene *scene) {
    return scene->play.playing;
}

/* Advances playback. Returns true if anything moved. */
bool WEB_EXPORT(web_advance)(web_scene *scene, double elapsed) {
    return lm_playback_advance(&scene->play, elapsed) && show(scene);
}

/* Returns the position on the timeline [frames]. */
double WEB_EXPORT(web_position)(const web_scene *scene) {
    return lm_playback_position(&scene->play);
}

/* Returns the time since the clip started [s]. */
double WEB_EXPORT(web_seconds)(const web_scene *scene) {
    return scene->play.seconds;
}

void WEB_EXPORT(web_seek)(web_scene *scene, double position) {
    lm_playback_seek(&scene->play, position);
    show(scene);
}

void WEB_EXPORT(web_step)(web_scene *scene, int frames) {
    lm_playback_step(&scene->play, frames);
    show(scene);
}

/* ---- One pose ------------------------------------------------------------------------------ */

/* Returns a part's pose: [4] first frame, second frame, weight of the second,
 * whether it is hidden. */
const double *WEB_EXPORT(web_pose_of)(const web_scene *scene, uint32_t part) {
    static double out[4];
    if (!web_model(scene, part))
        return NULL;
    const lm_pose *pose = &scene->poses[part];
    out[0] = pose->frame_a, out[1] = pose->frame_b, out[2] = (double)pose->t, out[3] = pose->hidden;
    return out;
}

/* Returns a part's world transform: [12] origin, then x, y and z axes. */
const float *WEB_EXPORT(web_world_transform)(const web_scene *scene, uint32_t part) {
    return web_model(scene, part) ? &scene->world_transforms[part].origin.x : NULL;
}

/* Returns a tag's transform relative to its part, in the same layout. */
const float *WEB_EXPORT(web_tag)(const web_scene *scene, uint32_t part, const char *name) {
    static lm_transform transform;
    const lm_model *model = web_model(scene, part);
    if (!model)
        return NULL;
    const uint32_t tag = lm_model_find_tag(model, name);
    if (tag != LM_NO_TAG &&
        lm_sample_tag(model, tag, &scene->poses[part], &transform) == LM_CODE_OK)
        return &transform.origin.x;
    lm_fail_plain(&web_error, LM_CODE_BAD_ARGUMENT, "this model has no tag \"%s\"", name);
    return NULL;
}

/* ---- Arrays -------------------------------------------------------------------------------- */

const lm_surface *web_surface_of(const web_scene *scene, uint32_t part, uint32_t surface) {
    const lm_model *model = web_model(scene, part);
    if (!model)
        return NULL;
    if (surface < model->num_surfaces)
        return &model->surfaces[surface];
    lm_fail_plain(&web_error, LM_CODE_BAD_ARGUMENT, "there is no surface %u: there are %u", surface,
                  model->num_surfaces);
    return NULL;
}

/* A surface's arrays: [3 * triangles] vertex indices; [2 * vertices] texture coordinates;
 * [vertices] indices of the file's vertices. */
const uint32_t *WEB_EXPORT(web_triangles)(const web_scene *scene, uint32_t part, uint32_t surface) {
    const lm_surface *found = web_surface_of(scene, part, surface);
    return found ? found->triangles : NULL;
}

const float *WEB_EXPORT(web_st)(const web_scene *scene, uint32_t part, uint32_t surface) {
    const lm_surface *found = web_surface_of(scene, part, surface);
    return found ? &found->st->x : NULL;
}

const uint32_t *WEB_EXPORT(web_file_vertices)(const web_scene *scene, uint32_t part,
                                              uint32_t surface) {
    const lm_surface *found = web_surface_of(scene, part, surface);
    return found ? found->file_vertices : NULL;
}

/* Samples positions and normals of a surface in its part's pose: [3 * vertices] floats each. Either
 * may be NULL. */
/* NOLINTBEGIN(readability-non-const-parameter): the sampler fills them */
bool WEB_EXPORT(web_sample)(const web_scene *scene, uint32_t part, uint32_t surface,
                            float *positions, float *normals) {
    const lm_sample_target target = {.positions = positions, .normals = normals};
    if (!web_surface_of(scene, part, surface))
        return false;
    return lm_sample(web_model(scene, part), surface, &scene->poses[part], 1, &target) ==
               LM_CODE_OK ||
           lm_fail_plain(&web_error, LM_CODE_BAD_ARGUMENT, "the model has no such frame");
}
/* NOLINTEND(readability-non-const-parameter) */

/* Returns the bounds of a part over `count` frames: [6] minimum x, y, z, then maximum x, y, z. */
const float *WEB_EXPORT(web_bounds)(const web_scene *scene, uint32_t part, uint32_t first,
                                    uint32_t count) {
    static lm_vec3 box[2];
    const lm_model *model = web_model(scene, part);
    if (model && lm_model_bounds(model, first, count, &box[0], &box[1]) != LM_CODE_OK)
        lm_fail_plain(&web_error, LM_CODE_BAD_ARGUMENT, "there are no vertices in these frames");
    else if (model)
        return &box[0].x;
    return NULL;
}

/* ---- Images -------------------------------------------------------------------------------- */

static bool write_image(const uint8_t *pixels, uint32_t width, uint32_t height) {
    const uint32_t head[2] = {width, height};
    lm_buffer_append(web_begin(), head, sizeof head);
    lm_buffer_append(&web_result, pixels, (size_t)width * height * 4);
    return web_end();
}

/* Decodes an image file into the result: width and height (uint32 each), then RGBA pixels. */
bool WEB_EXPORT(web_image)(const void *data, size_t size) {
    lm_image *image = lm_image_read(data, size, NULL, &web_error);
    const bool ok = image && write_image(image->pixels, image->width, image->height);
    lm_image_free(image);
    return ok;
}

/* Writes an image of the scene to the result, in web_image's layout. */
bool WEB_EXPORT(web_texture)(const web_scene *scene, uint32_t texture) {
    const lm_scene *opened = scene->assets->scene;
    if (texture >= opened->num_textures || !opened->textures[texture].pixels)
        return lm_fail_plain(&web_error, LM_CODE_BAD_ARGUMENT, "there is no image %u", texture);
    const lm_scene_texture *found = &opened->textures[texture];
    return write_image(found->pixels, found->width, found->height);
}
