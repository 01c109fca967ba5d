#include "lerpmesh/scene.h"

#include "core/report.h"
#include "core/text.h"

#include <string.h>

/* ---- Checking ---------------------------------------------------------------------------------
 */

static uint32_t parent_of(const lm_scene *scene, uint32_t index) {
    return index == 0 ? LM_NO_PART : scene->parts[index].parent;
}

static bool check_place(const lm_scene *scene, uint32_t index, lm_error *error) {
    const lm_scene_part *part = &scene->parts[index];
    unsigned number = (unsigned)index;
    if (!part->model)
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "part %u has no model", number);
    if (part->parent != LM_NO_PART && part->parent >= index && part->parent > 0)
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT,
                             "part %u hangs on part %u, which does not stand before it", number,
                             (unsigned)part->parent);
    uint32_t parent = parent_of(scene, index);
    if (parent == LM_NO_PART && (part->follows || part->tag))
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "part %u has no parent to hang on",
                             number);
    if (part->tag && lm_find_tag(scene->parts[parent].model, part->tag) == LM_NO_TAG)
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT,
                             "part %u hangs on a tag \"%s\", which its parent does not have",
                             number, part->tag);
    return true;
}

static bool check_clip(const lm_scene_part *part, const lm_clip *clip, uint32_t index,
                       lm_error *error) {
    uint32_t num_frames = part->model->num_frames;
    if (clip->name && clip->count > 0 && clip->first < num_frames &&
        clip->count <= num_frames - clip->first)
        return true;
    return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT,
                         "part %u: a clip has no name, or frames that the model does not have",
                         (unsigned)index);
}

static bool check_clips(const lm_scene *scene, uint32_t index, lm_error *error) {
    const lm_scene_part *part = &scene->parts[index];
    if (!part->clips && part->num_clips > 0)
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "part %u counts clips, but has none",
                             (unsigned)index);
    for (uint32_t i = 0; i < part->num_clips; i++)
        if (!check_clip(part, &part->clips[i], index, error))
            return false;
    return !part->idle || check_clip(part, part->idle, index, error);
}

static bool check_material(const lm_scene *scene, const lm_scene_material *material) {
    const char *what;
    return material->name &&
           (material->texture == LM_NO_TEXTURE || material->texture < scene->num_textures) &&
           material->alpha <= LM_ALPHA_BLEND &&
           (!material->shader || lm_shader_check(material->shader, scene->num_textures, &what));
}

static bool check_skin(const lm_scene *scene, const lm_scene_part *part,
                       const lm_scene_skin *skin) {
    if (!skin->name || (!skin->materials && part->model->num_surfaces > 0))
        return false;
    for (uint32_t i = 0; i < part->model->num_surfaces; i++)
        if (!check_material(scene, &skin->materials[i]))
            return false;
    return true;
}

static bool check_skins(const lm_scene *scene, uint32_t index, lm_error *error) {
    const lm_scene_part *part = &scene->parts[index];
    bool ok = part->num_skins == 0 || part->skin < part->num_skins;
    for (uint32_t i = 0; i < part->num_skins && ok; i++)
        ok = check_skin(scene, part, &part->skins[i]);
    if (!ok)
        lm_fail_plain(error, LM_CODE_BAD_ARGUMENT,
                      "part %u has a skin that is not whole, or wears one that is not there",
                      (unsigned)index);
    return ok;
}

static bool check_textures(const lm_scene *scene, lm_error *error) {
    for (uint32_t i = 0; i < scene->num_textures; i++) {
        const lm_scene_texture *texture = &scene->textures[i];
        bool known = texture->mime && (strcmp(texture->mime, "image/png") == 0 ||
                                       strcmp(texture->mime, "image/jpeg") == 0);
        bool is_file = known && texture->data && texture->size > 0;
        bool is_pixels =
            !texture->mime && texture->pixels && texture->width > 0 && texture->height > 0;
        if (!texture->name || !(is_file || is_pixels))
            return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT,
                                 "texture %u has no name or bytes, or is neither PNG nor JPEG",
                                 (unsigned)i);
    }
    return true;
}

bool lm_scene_check(const lm_scene *scene, lm_error *error) {
    if (scene->num_parts == 0 || scene->num_parts > LM_MAX_PARTS)
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "a scene has 1 to %d parts, not %u",
                             LM_MAX_PARTS, (unsigned)scene->num_parts);
    for (uint32_t i = 0; i < scene->num_parts; i++)
        if (!check_place(scene, i, error) || !check_clips(scene, i, error) ||
            !check_skins(scene, i, error))
            return false;
    return check_textures(scene, error);
}

/* ---- Finding ----------------------------------------------------------------------------------
 */

uint32_t lm_find_tag(const lm_model *model, const char *name) {
    return lm_find_name(model->tags, model->num_tags, sizeof *model->tags, name, strlen(name));
}

uint32_t lm_scene_find_tag(const lm_scene *scene, const char *name, const char **tag) {
    for (uint32_t part = scene->num_parts; part-- > 0;) {
        const lm_model *model = scene->parts[part].model;
        uint32_t found = lm_find_tag(model, name);
        if (found == LM_NO_TAG)
            continue;
        *tag = model->tags[found].name;
        return part;
    }
    return LM_NO_PART;
}

static const lm_clip *find_clip(const lm_scene_part *part, const char *name, size_t length) {
    const lm_clip *clips = part->clips ? part->clips : part->model->clips;
    uint32_t count = part->clips ? part->num_clips : part->model->num_clips;
    uint32_t found =
        part->follows ? LM_NO_NAME : lm_find_name(clips, count, sizeof *clips, name, length);
    return found == LM_NO_NAME ? NULL : &clips[found];
}

const lm_clip *lm_scene_find_clip(const lm_scene *scene, uint32_t part, const char *name) {
    const lm_scene_part *p = &scene->parts[part];
    const lm_clip *found = name ? find_clip(p, name, strlen(name)) : NULL;
    while (name && !found) {
        const size_t length = strcspn(name, "+");
        found = find_clip(p, name, length);
        name = name[length] ? name + length + 1 : NULL;
    }
    return found;
}

const lm_clip *lm_scene_rest(const lm_scene *scene) {
    const lm_clip *rest = scene->parts[0].idle;
    for (uint32_t i = 0; i < scene->num_parts && !rest; i++) {
        const lm_scene_part *p = &scene->parts[i];
        const lm_clip *clips = p->clips ? p->clips : p->model->clips;
        if (!p->follows)
            rest = lm_rest_clip(clips, p->clips ? p->num_clips : p->model->num_clips);
    }
    return rest;
}

/* ---- Time -------------------------------------------------------------------------------------
 */

static uint32_t at_most(uint32_t value, uint32_t most) {
    return value < most ? value : most;
}

void lm_scene_follow(const lm_scene *scene, lm_pose *poses) {
    for (uint32_t i = 0; i < scene->num_parts; i++) {
        const lm_scene_part *part = &scene->parts[i];
        if (!part->follows)
            continue;
        uint32_t last = part->model->num_frames - 1;
        const lm_pose *shown = &poses[part->parent];
        poses[i] =
            (lm_pose){at_most(shown->frame_a, last), at_most(shown->frame_b, last), shown->t};
    }
}

static void pose_part(const lm_scene_part *part, const lm_clip *clip, double seconds,
                      lm_pose *pose) {
    clip = clip ? clip : part->idle;
    *pose = (lm_pose){0, 0, 0};
    if (clip)
        lm_clip_pose(clip, seconds, LM_PLAY_AS_CLIP, false, pose);
}

void lm_scene_pose(const lm_scene *scene, const char *name, double seconds, lm_pose *poses) {
    for (uint32_t i = 0; i < scene->num_parts; i++)
        pose_part(&scene->parts[i], lm_scene_find_clip(scene, i, name), seconds, &poses[i]);
    lm_scene_follow(scene, poses);
}

void lm_scene_pose_parts(const lm_scene *scene, const lm_clip *const *clips, const double *seconds,
                         lm_pose *poses) {
    for (uint32_t i = 0; i < scene->num_parts; i++)
        pose_part(&scene->parts[i], clips[i], seconds[i], &poses[i]);
    lm_scene_follow(scene, poses);
}

/* ---- Place ------------------------------------------------------------------------------------
 */

static bool is_sound(const lm_model *model, const lm_pose *pose) {
    return pose->frame_a < model->num_frames && pose->frame_b < model->num_frames && pose->t >= 0 &&
           pose->t <= 1;
}

/* Without `to` all are in `from`. */
static lm_code place_all(const lm_scene *scene, const lm_pose *from, const lm_pose *to,
                         const float *weights, lm_transform *places) {
    static const lm_transform origin = LM_TRANSFORM_IDENTITY;
    for (uint32_t i = 0; i < scene->num_parts; i++) {
        const lm_scene_part *part = &scene->parts[i];
        uint32_t on = parent_of(scene, i);
        lm_transform tag;
        if (!is_sound(part->model, &from[i]) ||
            (to && (!is_sound(part->model, &to[i]) || !(weights[i] >= 0 && weights[i] <= 1))))
            return LM_CODE_BAD_ARGUMENT;
        places[i] = on == LM_NO_PART ? origin : places[on];
        if (!part->tag)
            continue;
        const lm_model *parent = scene->parts[on].model;
        uint32_t index = lm_find_tag(parent, part->tag);
        lm_code code = to ? lm_tag_mix(parent, index, &from[on], &to[on], weights[on], &tag)
                          : lm_sample_tag(parent, index, &from[on], &tag);
        if (code != LM_CODE_OK)
            return code;
        lm_transform_nest(&places[on], &tag, &places[i]);
    }
    return LM_CODE_OK;
}

lm_code lm_scene_place(const lm_scene *scene, const lm_pose *poses, lm_transform *places) {
    return place_all(scene, poses, NULL, NULL, places);
}

lm_code lm_scene_place_mix(const lm_scene *scene, const lm_pose *from, const lm_pose *to,
                           const float *weights, lm_transform *places) {
    return place_all(scene, from, to, weights, places);
}
