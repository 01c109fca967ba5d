/* Checks that a scene has all its pieces: some of Assimp's importers leave null pointers. */
#include "assimp.h"

/* Returns false from its function unless the array exists and all its pieces pass. */
#define REQUIRE_EACH(array, count, passes)   \
    for (unsigned i = 0; i < (count); i++)   \
        if (!(array) || !passes((array)[i])) \
            return false;

static bool is_there(const void *piece) {
    return piece != NULL;
}

static bool is_array(const void *array, unsigned count) {
    return array || count == 0;
}

static bool is_face(struct aiFace face) {
    return is_array(face.mIndices, face.mNumIndices);
}

static bool is_bone(const struct aiBone *bone) {
    return bone && is_array(bone->mWeights, bone->mNumWeights);
}

/* A missing mesh matters only if a node refers to it. */
static bool is_mesh(const struct aiMesh *mesh) {
    if (!mesh)
        return true;
    REQUIRE_EACH(mesh->mFaces, mesh->mNumFaces, is_face)
    REQUIRE_EACH(mesh->mBones, mesh->mNumBones, is_bone)
    REQUIRE_EACH(mesh->mAnimMeshes, mesh->mNumAnimMeshes, is_there)
    return true;
}

static bool is_channel(const struct aiNodeAnim *channel) {
    return channel && is_array(channel->mPositionKeys, channel->mNumPositionKeys) &&
           is_array(channel->mRotationKeys, channel->mNumRotationKeys) &&
           is_array(channel->mScalingKeys, channel->mNumScalingKeys);
}

static bool is_morph_key(struct aiMeshMorphKey key) {
    return is_array(key.mValues, key.mNumValuesAndWeights) &&
           is_array(key.mWeights, key.mNumValuesAndWeights);
}

static bool is_morph_channel(const struct aiMeshMorphAnim *channel) {
    if (!channel)
        return false;
    REQUIRE_EACH(channel->mKeys, channel->mNumKeys, is_morph_key)
    return true;
}

static bool is_animation(const struct aiAnimation *animation) {
    if (!animation)
        return false;
    REQUIRE_EACH(animation->mChannels, animation->mNumChannels, is_channel)
    REQUIRE_EACH(animation->mMorphMeshChannels, animation->mNumMorphMeshChannels, is_morph_channel)
    return true;
}

static bool is_scene(const struct aiScene *scene) {
    REQUIRE_EACH(scene->mMeshes, scene->mNumMeshes, is_mesh)
    REQUIRE_EACH(scene->mMaterials, scene->mNumMaterials, is_there)
    REQUIRE_EACH(scene->mAnimations, scene->mNumAnimations, is_animation)
    return is_array(scene->mTextures, scene->mNumTextures);
}

bool lm_im_assimp_check(const lm_im_assimp *a) {
    if (!a->scene->mRootNode)
        return lm_im_fail(a->im, LM_CODE_BAD_ARGUMENT, NULL, "it is empty");
    return is_scene(a->scene) ||
           lm_im_fail(a->im, LM_CODE_BAD_ARGUMENT, NULL,
                      "Assimp returned an incomplete scene: export to glTF instead");
}
