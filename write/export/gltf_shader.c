/* Converts the properties of a shader that glTF can express: sides, alpha, scaled textures. Counts
 * the others. */
#include "export/gltf.h"

#include <math.h>

/* Returns true if a modification only scales and shifts texture coordinates, without animation, as
 * KHR_texture_transform does: the shift follows the scale. */
static bool is_still(const lm_tc_mod *mod) {
    return mod->kind == LM_TC_SCALE ||
           (mod->kind == LM_TC_TRANSFORM && mod->values[1] == 0 && mod->values[2] == 0);
}

static void read_coordinates(const lm_stage *stage, lm_gltf_appearance *appearance) {
    appearance->clamp = stage->clamp;
    for (uint32_t i = 0; i < stage->num_tc_mods; i++) {
        lm_tc_step step;
        if (!is_still(&stage->tc_mods[i])) { /* animated: dropped */
            appearance->num_dropped++;
            continue;
        }
        lm_tc_mod_at(&stage->tc_mods[i], 0, &step);
        for (unsigned k = 0; k < 2; k++) {
            appearance->scale[k] *= step.matrix[3 * k];
            appearance->offset[k] = appearance->offset[k] * step.matrix[3 * k] + step.matrix[4 + k];
        }
    }
    bool finite = isfinite(appearance->scale[0]) && isfinite(appearance->scale[1]) &&
                  isfinite(appearance->offset[0]) && isfinite(appearance->offset[1]);
    appearance->moved = finite && (appearance->scale[0] != 1 || appearance->scale[1] != 1 ||
                                   appearance->offset[0] != 0 || appearance->offset[1] != 0);
    appearance->num_dropped += !finite;
}

/* Counts properties that alphaMode cannot express: other blend factors, and a test for lower
 * values. */
static uint32_t dropped_by_blending(const lm_stage *stage) {
    bool mixed =
        stage->source == LM_BLEND_SRC_ALPHA && stage->destination == LM_BLEND_ONE_MINUS_SRC_ALPHA;
    return (uint32_t)(stage->blended && !mixed) + (stage->alpha_test == LM_TEST_LT128);
}

static void read_stages(const lm_shader *shader, lm_gltf_appearance *appearance) {
    if (shader->num_stages > 0)
        appearance->num_dropped += dropped_by_blending(&shader->stages[0]);
    if (shader->num_stages > 0 && shader->stages[0].alpha_test == LM_TEST_GT0)
        appearance->cutoff = 1 / 512.f; /* less than the smallest 8-bit alpha above 0 */
    for (uint32_t i = 0; i < shader->num_stages; i++) {
        const lm_stage *stage = &shader->stages[i];
        if (i != shader->base) {
            appearance->num_dropped++;
            continue;
        }
        read_coordinates(stage, appearance);
        appearance->num_dropped += (uint32_t)(stage->num_images > 1) +
                                   (stage->rgb_gen >= LM_RGB_CONST) +
                                   (stage->alpha_gen >= LM_ALPHA_GEN_CONST);
    }
}

lm_gltf_appearance lm_gltf_appearance_of(const lm_scene_material *material) {
    const lm_shader *shader = material->shader;
    lm_gltf_appearance appearance = {.alpha = material->alpha, .scale = {1, 1}};
    if (!shader)
        return appearance;
    appearance.hidden = shader->hidden;
    if (appearance.hidden)
        return appearance;
    appearance.both_sides = shader->sides == LM_SIDES_BOTH;
    appearance.num_dropped = shader->num_deforms + (shader->sides == LM_SIDES_BACK);
    read_stages(shader, &appearance);
    return appearance;
}
