#include "motions.h"

#include <math.h>
#include <string.h>

/* Transforms that differ by less than this fraction are equal. */
#define SAME 1e-5

bool *lm_im_joints(importing *im, const lm_im_gltf *gltf) {
    bool *joints = lm_arena_zeros(im->arena, gltf->num_nodes, sizeof *joints);
    for (uint32_t i = 0; joints && i < gltf->num_skins; i++)
        for (uint32_t k = 0; k < gltf->skins[i].num_joints; k++)
            joints[gltf->skins[i].joints[k]] = true;
    return joints;
}

/* Returns the node that an animation moves; IM_NONE if it moves several, or also morph targets. */
static uint32_t only_node(const lm_im_animation *animation) {
    uint32_t node = IM_NONE;
    for (uint32_t i = 0; i < animation->num_channels; i++) {
        const lm_im_channel *channel = &animation->channels[i];
        if (channel->path == IM_WEIGHTS || (i > 0 && channel->node != node))
            return IM_NONE;
        node = channel->node;
    }
    return node;
}

static bool is_close(double a, double b) {
    return fabs(a - b) <= SAME * (1 + fabs(a));
}

/* Returns true if all keys have the same value. Tangents of cubic keys must be 0. */
static bool is_constant(const lm_im_channel *channel) {
    const bool cubic = channel->interpolation == IM_CUBIC;
    const uint32_t rows = channel->num_keys * (cubic ? 3 : 1);
    const float *first = channel->values + (size_t)(cubic ? channel->width : 0);
    for (uint32_t row = 0; row < rows; row++)
        for (uint32_t i = 0; i < channel->width; i++) {
            const float x = channel->values[(size_t)row * channel->width + i];
            if (!is_close(cubic && row % 3 != 1 ? 0 : (double)first[i], (double)x))
                return false;
        }
    return true;
}

static bool is_still(const lm_im_gltf *gltf, const lm_im_animation *animation, uint32_t node) {
    lm_im_matrix rest, held;
    for (uint32_t i = 0; i < animation->num_channels; i++)
        if (!is_constant(&animation->channels[i]))
            return false;
    lm_im_local_at(gltf, node, NULL, &rest);
    lm_im_local_at(gltf, node, animation, &held);
    for (int i = 0; i < 16; i++)
        if (!is_close(rest.m[i], held.m[i]))
            return false;
    return true;
}

bool lm_im_drop_still(importing *im, lm_im_gltf *gltf) {
    lm_im_animation *kept = lm_arena_zeros(im->arena, gltf->num_animations, sizeof *kept);
    bool *moved = lm_arena_zeros(im->arena, gltf->num_nodes, sizeof *moved);
    const bool *joints = lm_im_joints(im, gltf);
    uint32_t count = 0, of_one = 0;
    if (!kept || !moved || !joints)
        return false;
    for (uint32_t i = 0; i < gltf->num_animations; i++) {
        const lm_im_animation *animation = &gltf->animations[i];
        const uint32_t node = only_node(animation);
        const bool object = node != IM_NONE && !joints[node];
        if (object && is_still(gltf, animation, node)) {
            lm_im_note(im, IM_STILL, "an animation only holds one object still: it is no clip");
            continue;
        }
        kept[count++] = *animation;
        of_one += object && !moved[node];
        if (object)
            moved[node] = true;
    }
    gltf->animations = kept;
    gltf->num_animations = count;
    if (count > 1 && of_one == count)
        lm_im_note(im, IM_ONE_OBJECT,
                   "each animation moves another object, so that no clip moves several: if they "
                   "belong together, export one animation, in Blender's glTF exporter without "
                   "Group by NLA Track");
    return true;
}

/* ---- Ends ------------------------------------------------------------------------------------ */

static bool is_named(const char *const *names, uint32_t count, const char *name) {
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

lm_im_ending lm_im_ending_of(const lm_import_options *options, const char *clip) {
    if (is_named(options->loops, options->num_loops, clip))
        return IM_LOOPS;
    if (options->all_frames || is_named(options->onces, options->num_onces, clip))
        return IM_PLAYS_ONCE;
    return IM_AS_IT_BEGAN;
}

static bool check_names(importing *im, const lm_mesh *mesh, const char *const *names,
                        uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t k = 0;
        while (k < mesh->num_clips && strcmp(mesh->clips[k].name, names[i]) != 0)
            k++;
        if (k == mesh->num_clips)
            return lm_im_fail(im, LM_CODE_BAD_ARGUMENT, NULL, "there is no clip \"%.100s\"",
                              names[i]);
    }
    return true;
}

bool lm_im_check_endings(importing *im, const lm_mesh *mesh) {
    const lm_import_options *options = im->options;
    return check_names(im, mesh, options->loops, options->num_loops) &&
           check_names(im, mesh, options->onces, options->num_onces);
}
