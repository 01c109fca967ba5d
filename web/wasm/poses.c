/* Describes, poses and samples open scenes. The core's module has this file too. */
#include "web.h"

#include <stdlib.h>
#include <string.h>

const lm_model *web_model(const web_scene *scene, uint32_t part) {
    if (part < scene->scene->num_parts)
        return scene->scene->parts[part].model;
    lm_fail_plain(&web_error, LM_CODE_BAD_ARGUMENT, "there is no part %u: there are %u", part,
                  scene->scene->num_parts);
    return NULL;
}

void web_write_grid(lm_json *json, const lm_model *model) {
    lm_vec3 grid[2];
    if (lmi_model_grid(model, grid)) {
        lmi_json_open(json, "grid", '[');
        for (int k = 0; k < 6; k++)
            lmi_json_float(json, NULL, (&grid[k / 3].x)[k % 3]);
        lmi_json_close(json);
    }
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

void web_write_clips(lm_json *json, const lm_scene *scene) {
    lmi_json_open(json, "clips", '[');
    for (uint32_t p = 0; p < scene->num_parts; p++)
        for (uint32_t i = 0; i < scene->parts[p].num_clips && !scene->parts[p].follows; i++)
            write_clip(json, &scene->parts[p].clips[i], p, i);
    lmi_json_close(json);
    const lm_clip *rest = lm_scene_rest_clip(scene);
    lmi_json_string(json, "restClip", rest ? rest->name : NULL);
}

/* ---- Poses --------------------------------------------------------------------------------- */

bool web_evaluate(web_scene *scene) {
    return lm_scene_evaluate(scene->scene, scene->poses, NULL, NULL, scene->world_transforms,
                             &web_error);
}

/* Poses all parts at `seconds` into the clip; if `clip` is NULL, on their first frames. `stepped`
 * shows the first frame of each pose, as in games without interpolation. */
bool WEB_EXPORT(web_pose)(web_scene *scene, const char *clip, double seconds, bool stepped) {
    lm_scene_pose(scene->scene, clip, seconds, scene->poses);
    for (uint32_t i = 0; stepped && i < scene->scene->num_parts; i++)
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
    lm_scene_follow(scene->scene, scene->poses);
    if (web_evaluate(scene))
        return true;
    scene->poses[part] = before;
    lm_scene_follow(scene->scene, scene->poses);
    return false;
}

/* ---- Playing ------------------------------------------------------------------------------- */

static bool show(web_scene *scene) {
    lm_playback_scene(&scene->play, scene->scene, scene->playing_part, scene->playing_name,
                      scene->poses);
    return web_evaluate(scene);
}

/* Starts clip `number` of a part; UINT32_MAX plays all frames of the part. */
bool WEB_EXPORT(web_play)(web_scene *scene, uint32_t part, uint32_t number) {
    const lm_model *model = web_model(scene, part);
    if (!model)
        return false;
    const lm_scene_part *scene_part = &scene->scene->parts[part];
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
    const lm_scene *opened = scene->scene;
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
