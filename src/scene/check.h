/* Checks scenes from the caller. */
#ifndef LM_SCENE_CHECK_H
#define LM_SCENE_CHECK_H

#include "core/text.h"
#include "lerpmesh/scene.h"

/* Returns the parent of a part, LM_NO_PART if it has none. */
uint32_t lmi_scene_parent(const lm_scene *scene, uint32_t part);

/* Returns the clips that a part plays itself: those of the part, or of its model if the part has
 * none. A part that follows another plays none. */
static inline const lm_clip *lmi_scene_clips(const lm_scene_part *part, uint32_t *count) {
    *count = part->follows ? 0 : part->clips ? part->num_clips : part->model->num_clips;
    return part->clips ? part->clips : part->model->clips;
}

/* Checks a shader whose images are below `num_textures`. */
bool lmi_shader_valid(const lm_shader *shader, uint32_t num_textures);
/* Check the textures of a scene, and a material that uses them. */
bool lmi_scene_check_textures(const lm_scene *scene, lm_error *error);
bool lmi_scene_material_valid(const lm_scene *scene, const lm_scene_material *material);
/* Checks a skin of a model or mesh with so many surfaces. */
bool lmi_scene_skin_valid(const lm_scene *scene, uint32_t num_surfaces,
                          const lm_material_set *skin);

/* Returns "2 of the skins are animated: only the first image is written"; "" if no skin has several
 * images. For an argument of printf. */
lm_counted lmi_skins_shortened(const lm_embedded_skin *skins, uint32_t num_skins);

#endif
