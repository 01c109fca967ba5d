#include "scene/check.h"

#include "clips/clip_names.h"
#include "core/options.h"
#include "lerpmesh/scene.h"

#include <stdio.h>
#include <string.h>

/* Returns whether a model has the lists that every loaded model has. */
static bool model_valid(const lm_model *model) {
    return model->num_frames > 0 && model->frames && (model->num_clips == 0 || model->clips) &&
           (model->num_surfaces == 0 || model->surfaces) && (model->num_tags == 0 || model->tags) &&
           (model->num_skins == 0 || model->skins);
}

static bool check_attachment(const lm_scene *scene, uint32_t index, lm_error *error) {
    const lm_scene_part *part = &scene->parts[index];
    unsigned number = (unsigned)index;
    if (!part->model)
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "part %u has no model", number);
    if (!model_valid(part->model))
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT,
                             "part %u has a model without frames, or without a list", number);
    if (!LM_RESERVED_VALID(part, error, "part %u", number))
        return false;
    if (part->parent != LM_NO_PART && part->parent >= index && part->parent > 0)
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT,
                             "part %u is attached to part %u, which does not precede it", number,
                             (unsigned)part->parent);
    uint32_t parent = lmi_scene_parent(scene, index);
    if (parent == LM_NO_PART && (part->follows || part->tag))
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT,
                             "part %u follows a parent or uses a tag, but has no parent", number);
    if (part->tag && lm_model_find_tag(scene->parts[parent].model, part->tag) == LM_NO_TAG)
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT,
                             "part %u is attached to tag \"%s\", which its parent does not have",
                             number, part->tag);
    return true;
}

static bool check_clips(const lm_scene *scene, uint32_t index, lm_error *error) {
    const lm_scene_part *part = &scene->parts[index];
    const uint32_t num_frames = part->model->num_frames;
    char of[32];
    if (!part->clips && part->num_clips > 0)
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT,
                             "part %u has a number of clips, but clips is NULL", (unsigned)index);
    snprintf(of, sizeof of, "part %u: clip", (unsigned)index);
    for (uint32_t i = 0; i < part->num_clips; i++)
        if (!lmi_clip_valid(&part->clips[i], num_frames, of, i, error))
            return false;
    return !part->idle ||
           lmi_clip_valid(part->idle, num_frames, "the idle clip of part", index, error);
}

static bool check_maps(const lm_scene *scene, const uint32_t *maps) {
    bool ok = true;
    for (unsigned i = 0; maps && i < LM_NUM_MAPS; i++)
        ok = ok && (maps[i] == LM_NO_TEXTURE || maps[i] < scene->num_textures);
    return ok;
}

bool lmi_scene_material_valid(const lm_scene *scene, const lm_scene_material *material) {
    return material->name && LM_RESERVED_VALID(material, NULL, "material") &&
           (material->texture == LM_NO_TEXTURE || material->texture < scene->num_textures) &&
           (unsigned)material->alpha <= LM_ALPHA_BLEND && check_maps(scene, material->maps) &&
           (!material->shader || lmi_shader_valid(material->shader, scene->num_textures));
}

bool lmi_scene_skin_valid(const lm_scene *scene, uint32_t num_surfaces,
                          const lm_material_set *skin) {
    if (!skin->name || !LM_RESERVED_VALID(skin, NULL, "skin") ||
        (!skin->materials && num_surfaces > 0))
        return false;
    for (uint32_t i = 0; i < num_surfaces; i++)
        if (!lmi_scene_material_valid(scene, &skin->materials[i]))
            return false;
    return true;
}

static bool check_skins(const lm_scene *scene, uint32_t index, lm_error *error) {
    const lm_scene_part *part = &scene->parts[index];
    bool ok = part->num_skins == 0 || (part->skins && part->skin < part->num_skins);
    for (uint32_t i = 0; i < part->num_skins && ok; i++)
        ok = lmi_scene_skin_valid(scene, part->model->num_surfaces, &part->skins[i]);
    if (!ok)
        lm_fail_plain(error, LM_CODE_BAD_ARGUMENT,
                      "part %u has an invalid skin, or its skin is out of range", (unsigned)index);
    return ok;
}

bool lmi_scene_check_textures(const lm_scene *scene, lm_error *error) {
    if (scene->num_textures > 0 && !scene->textures)
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT,
                             "the scene has a number of textures, but textures is NULL");
    for (uint32_t i = 0; i < scene->num_textures; i++) {
        const lm_scene_texture *texture = &scene->textures[i];
        bool known = texture->mime && (strcmp(texture->mime, "image/png") == 0 ||
                                       strcmp(texture->mime, "image/jpeg") == 0);
        bool encoded = known && texture->data && texture->size > 0;
        bool raw = !texture->mime && texture->pixels && texture->width > 0 && texture->height > 0;
        if (!texture->name || (unsigned)texture->alpha > LM_ALPHA_BLEND || !(encoded || raw))
            return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT,
                                 "texture %u has no name or bytes, or is neither PNG nor JPEG",
                                 (unsigned)i);
        if (!LM_RESERVED_VALID(texture, error, "texture %u", (unsigned)i))
            return false;
    }
    return true;
}

bool lm_scene_check(const lm_scene *scene, lm_error *error) {
    if (!LM_GIVEN(error, scene))
        return false;
    if (!LM_RESERVED_VALID(scene, error, "scene"))
        return false;
    if (scene->num_parts == 0 || scene->num_parts > LM_MAX_PARTS)
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "a scene has 1 to %d parts, not %u",
                             LM_MAX_PARTS, (unsigned)scene->num_parts);
    if (!scene->parts)
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT,
                             "the scene has a number of parts, but parts is NULL");
    for (uint32_t i = 0; i < scene->num_parts; i++)
        if (!check_attachment(scene, i, error) || !check_clips(scene, i, error) ||
            !check_skins(scene, i, error))
            return false;
    return lmi_scene_check_textures(scene, error);
}

lm_counted lmi_skins_shortened(const lm_embedded_skin *skins, uint32_t num_skins) {
    uint32_t count = 0;
    for (uint32_t i = 0; skins && i < num_skins; i++)
        count += skins[i].num_images > 1;
    return count == 0 ? (lm_counted){""}
                      : lmi_count_words(count, "of the skins {is|are} animated: only the first "
                                               "image is written");
}
