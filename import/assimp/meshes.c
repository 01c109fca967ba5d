#include "assimp.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool is_finite3(const struct aiVector3D *v) {
    return isfinite(v->x) && isfinite(v->y) && isfinite(v->z);
}

/* Copies three floats per vertex. Returns NULL if one is not finite, and fills the error if
 * `needed`. */
static float *copy_vectors(importing *im, const struct aiVector3D *from, uint32_t count,
                           bool needed) {
    float *out = lmi_arena_zeros(im->arena, (uint64_t)count * 3, sizeof *out);
    for (uint32_t i = 0; out && i < count; i++) {
        if (!is_finite3(&from[i])) {
            if (needed)
                lmi_im_fail(im, LM_CODE_NOT_FINITE, NULL,
                            "vertex %u has a number that is not finite", (unsigned)i);
            return NULL;
        }
        out[3 * (size_t)i] = from[i].x;
        out[3 * (size_t)i + 1] = from[i].y;
        out[3 * (size_t)i + 2] = from[i].z;
    }
    return out;
}

/* Reads the normals. If they are invalid, they are computed instead: a model without valid normals
 * is still imported. */
static bool read_normals(importing *im, const struct aiMesh *mesh, lm_im_part *part) {
    if (!mesh->mNormals)
        return true;
    for (uint32_t i = 0; i < mesh->mNumVertices; i++)
        if (!is_finite3(&mesh->mNormals[i]))
            return true;
    part->normals = copy_vectors(im, mesh->mNormals, mesh->mNumVertices, false);
    return part->normals != NULL;
}

static bool read_st(importing *im, const struct aiMesh *mesh, lm_im_part *part) {
    const struct aiVector3D *from = mesh->mTextureCoords[0];
    float *st =
        from ? lmi_arena_zeros(im->arena, (uint64_t)mesh->mNumVertices * 2, sizeof *st) : NULL;
    for (uint32_t i = 0; st && i < mesh->mNumVertices; i++) {
        st[2 * (size_t)i] = isfinite(from[i].x) ? from[i].x : 0;
        st[2 * (size_t)i + 1] = isfinite(from[i].y) ? 1 - from[i].y : 0;
    }
    part->st = st;
    return !from || st;
}

static bool read_triangles(importing *im, const struct aiMesh *mesh, lm_im_part *part) {
    part->triangles =
        lmi_arena_zeros(&im->scratch, (uint64_t)mesh->mNumFaces * 3, sizeof *part->triangles);
    for (uint32_t i = 0; part->triangles && i < mesh->mNumFaces; i++) {
        const struct aiFace *face = &mesh->mFaces[i];
        if (face->mNumIndices != 3)
            continue;
        uint32_t *corners = part->triangles + 3 * (size_t)part->num_triangles++;
        for (int k = 0; k < 3; k++) {
            corners[k] = face->mIndices[k];
            if (corners[k] >= mesh->mNumVertices)
                return lmi_im_fail(im, LM_CODE_VERTEX_INDEX, NULL,
                                   "triangle %u uses vertex %u, but there are %u", (unsigned)i,
                                   (unsigned)corners[k], (unsigned)mesh->mNumVertices);
        }
    }
    return part->triangles != NULL;
}

/* ---- Morph targets --------------------------------------------------------------------------- */

/* Returns a target's differences from the base. Assimp stores whole meshes, except for relative
 * targets. */
static const float *differences(importing *im, const struct aiVector3D *from, const float *base,
                                uint32_t count, bool relative) {
    float *out = copy_vectors(im, from, count, true);
    for (size_t i = 0; out && !relative && i < (size_t)count * 3; i++)
        out[i] -= base[i];
    return out;
}

static bool read_targets(importing *im, const struct aiMesh *mesh, lm_im_part *part,
                         uint32_t num_targets) {
    const bool relative = mesh->mMethod == 3; /* aiMorphingMethod_MORPH_RELATIVE */
    lm_im_target *targets = lmi_arena_zeros(im->arena, num_targets, sizeof *targets);
    part->num_targets = num_targets;
    part->targets = targets;
    for (uint32_t i = 0; targets && i < mesh->mNumAnimMeshes && i < num_targets; i++) {
        const struct aiAnimMesh *target = mesh->mAnimMeshes[i];
        if (target->mNumVertices != mesh->mNumVertices)
            return lmi_im_fail(im, LM_CODE_BAD_ARGUMENT, NULL,
                               "a morph target has %u vertices, its mesh %u",
                               (unsigned)target->mNumVertices, (unsigned)mesh->mNumVertices);
        if (target->mVertices &&
            !(targets[i].positions = differences(im, target->mVertices, part->positions,
                                                 part->num_vertices, relative)))
            return false;
        if (target->mNormals && part->normals &&
            !(targets[i].normals =
                  differences(im, target->mNormals, part->normals, part->num_vertices, relative)))
            return false;
    }
    return targets != NULL;
}

/* ---- Skins ----------------------------------------------------------------------------------- */

static bool read_joints(lm_im_assimp *a, const struct aiMesh *mesh, uint32_t node,
                        lm_im_skin *skin) {
    uint32_t *joints = lmi_arena_zeros(a->im->arena, mesh->mNumBones, sizeof *joints);
    float *inverse = lmi_arena_zeros(a->im->arena, (uint64_t)mesh->mNumBones * 16, sizeof *inverse);
    if (!joints || !inverse)
        return false;
    *skin = (lm_im_skin){mesh->mNumBones, joints, inverse};
    for (uint32_t i = 0; i < mesh->mNumBones; i++, inverse += 16) {
        const struct aiBone *bone = mesh->mBones[i];
        joints[i] = lmi_im_assimp_find(a, &bone->mName);
        if (!lmi_im_assimp_matrix(&bone->mOffsetMatrix, inverse))
            return lmi_im_fail(a->im, LM_CODE_NOT_FINITE, NULL,
                               "bone %u has a number that is not finite", (unsigned)i);
        if (joints[i] == IM_NONE) { /* follows the mesh's node */
            static const float still[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
            lmi_im_note(a->im, IM_NO_WEIGHTS,
                        "a bone has no node: its vertices follow their mesh instead");
            joints[i] = node;
            memcpy(inverse, still, sizeof still);
        }
    }
    return true;
}

/* Counts the bones of each vertex. Returns the largest count; IM_NONE if a vertex or a weight is
 * invalid. */
static uint32_t count_followed(const struct aiMesh *mesh, uint32_t *counts) {
    uint32_t most = 0;
    for (uint32_t i = 0; i < mesh->mNumBones; i++)
        for (uint32_t w = 0; w < mesh->mBones[i]->mNumWeights; w++) {
            const struct aiVertexWeight *weight = &mesh->mBones[i]->mWeights[w];
            if (weight->mVertexId >= mesh->mNumVertices || !isfinite(weight->mWeight))
                return IM_NONE;
            if (weight->mWeight > 0 && ++counts[weight->mVertexId] > most)
                most = counts[weight->mVertexId];
        }
    return most;
}

static bool read_weights(lm_im_assimp *a, const struct aiMesh *mesh, lm_im_part *part) {
    uint32_t *counts = lmi_arena_zeros(a->im->arena, mesh->mNumVertices, sizeof *counts);
    if (!counts)
        return false;
    part->num_joints = count_followed(mesh, counts);
    if (part->num_joints == IM_NONE)
        return lmi_im_fail(
            a->im, LM_CODE_VERTEX_INDEX, NULL,
            "a bone refers to a vertex that does not exist, or a weight is not a number");
    part->num_joints += part->num_joints == 0; /* even if no vertex follows a bone */
    const uint64_t total = (uint64_t)mesh->mNumVertices * part->num_joints;
    uint32_t *joints = lmi_arena_zeros(a->im->arena, total, sizeof *joints);
    float *weights = lmi_arena_zeros(a->im->arena, total, sizeof *weights);
    if (!joints || !weights)
        return false;
    for (uint32_t i = 0; i < mesh->mNumBones; i++)
        for (uint32_t w = 0; w < mesh->mBones[i]->mNumWeights; w++) {
            const struct aiVertexWeight *weight = &mesh->mBones[i]->mWeights[w];
            if (!(weight->mWeight > 0))
                continue;
            const size_t at =
                (size_t)weight->mVertexId * part->num_joints + --counts[weight->mVertexId];
            joints[at] = i;
            weights[at] = weight->mWeight;
        }
    lmi_im_normalise_weights(a->im, part, weights);
    part->joints = joints;
    part->weights = weights;
    return true;
}

/* ---- Names ----------------------------------------------------------------------------------- */

static bool read_material(lm_im_assimp *a, const struct aiMesh *mesh, lm_im_part *part) {
    struct aiString name = {.length = 0};
    if (mesh->mMaterialIndex >= a->scene->mNumMaterials)
        return true;
    const struct aiMaterial *material = a->scene->mMaterials[mesh->mMaterialIndex];
    if (a->materials)
        part->images = &a->materials[mesh->mMaterialIndex];
    if (a->library->aiGetMaterialString(material, AI_MATKEY_NAME, &name) != aiReturn_SUCCESS ||
        name.length == 0 || strcmp(name.data, AI_DEFAULT_MATERIAL_NAME) == 0) {
        name.length = 0;
        if (a->library->aiGetMaterialTexture(material, aiTextureType_DIFFUSE, 0, &name, NULL, NULL,
                                             NULL, NULL, NULL, NULL) != aiReturn_SUCCESS)
            return true;
    }
    lm_material *out = lmi_arena_zeros(a->im->arena, 1, sizeof *out);
    if (!out || !(out->name = lmi_im_assimp_text(a->im, &name)))
        return false;
    part->materials = out;
    part->num_materials = *out->name != '\0';
    return true;
}

static bool name_part(lm_im_assimp *a, const struct aiMesh *mesh, unsigned index,
                      lm_im_part *part) {
    const char *name = a->gltf->nodes[part->node].name;
    if (!*name || part->node == 0) /* the root is usually named after the format */
        name = lmi_im_assimp_text(a->im, &mesh->mName);
    if (!name)
        return false;
    if (!*name)
        name = "mesh";
    part->name = lmi_arena_printf(a->im->arena, index > 0 ? "%s_%u" : "%s", name, index + 1);
    return part->name != NULL;
}

/* ---- Parts ----------------------------------------------------------------------------------- */

static bool read_part(lm_im_assimp *a, const struct aiMesh *mesh, unsigned index,
                      lm_im_part *part) {
    importing *im = a->im;
    lm_im_gltf *gltf = a->gltf;
    if (mesh->mColors[0])
        lmi_im_note_colors(im);
    part->num_vertices = mesh->mNumVertices;
    part->positions = copy_vectors(im, mesh->mVertices, mesh->mNumVertices, true);
    if (!part->positions || !read_normals(im, mesh, part) || !read_st(im, mesh, part) ||
        !read_triangles(im, mesh, part) ||
        !read_targets(im, mesh, part, gltf->num_targets[part->node]) ||
        !read_material(a, mesh, part) || !name_part(a, mesh, index, part))
        return false;
    if (mesh->mNumBones == 0)
        return true;
    part->skin = gltf->num_skins++;
    return read_joints(a, mesh, part->node, (lm_im_skin *)&gltf->skins[part->skin]) &&
           read_weights(a, mesh, part);
}

/* Counts the targets of each node, the most of any of its meshes, and adds up the number of
 * parts. */
static bool count_targets(lm_im_assimp *a, uint64_t *num_parts) {
    uint32_t *counts = lmi_arena_zeros(a->im->arena, a->gltf->num_nodes, sizeof *counts);
    a->gltf->num_targets = counts;
    for (uint32_t i = 0; counts && i < a->gltf->num_nodes; i++) {
        for (unsigned k = 0; k < a->nodes[i]->mNumMeshes; k++) {
            const uint32_t index = a->nodes[i]->mMeshes[k];
            if (index >= a->scene->mNumMeshes || !a->scene->mMeshes[index] ||
                !a->scene->mMeshes[index]->mVertices)
                return lmi_im_fail(a->im, LM_CODE_BAD_ARGUMENT, NULL,
                                   "node %u refers to mesh %u, which does not exist", (unsigned)i,
                                   (unsigned)index);
            const uint32_t targets = a->scene->mMeshes[index]->mNumAnimMeshes;
            counts[i] = targets > counts[i] ? targets : counts[i];
        }
        *num_parts += a->nodes[i]->mNumMeshes;
    }
    return counts != NULL;
}

/* Sets a node's weights at rest: those of its first mesh with targets. */
static bool read_rest_weights(lm_im_assimp *a, uint32_t node) {
    const uint32_t count = a->gltf->num_targets[node];
    float *weights = lmi_arena_zeros(a->im->arena, count, sizeof *weights);
    a->gltf->nodes[node].weights = weights;
    a->gltf->nodes[node].num_weights = count;
    for (unsigned k = a->nodes[node]->mNumMeshes; weights && k > 0; k--) {
        const struct aiMesh *mesh = a->scene->mMeshes[a->nodes[node]->mMeshes[k - 1]];
        for (uint32_t i = 0; i < mesh->mNumAnimMeshes && !a->no_weights; i++)
            weights[i] =
                isfinite(mesh->mAnimMeshes[i]->mWeight) ? mesh->mAnimMeshes[i]->mWeight : 0;
    }
    if (a->no_weights && count > 0)
        lmi_im_note(a->im, IM_TARGETS,
                    "Assimp does not read the values of shape keys in FBX: keys that are not "
                    "animated count as 0");
    return weights != NULL;
}

bool lmi_im_assimp_parts(lm_im_assimp *a, const bool *tagged, lm_im_scene *scene) {
    uint64_t most = 0;
    if (!count_targets(a, &most))
        return false;
    scene->parts = lmi_arena_zeros(a->im->arena, most, sizeof *scene->parts);
    a->gltf->skins = lmi_arena_zeros(a->im->arena, most, sizeof *a->gltf->skins);
    if (!scene->parts || !a->gltf->skins)
        return false;
    for (uint32_t i = 0; i < a->gltf->num_nodes; i++) {
        if (!read_rest_weights(a, i))
            return false;
        for (unsigned k = 0; k < a->nodes[i]->mNumMeshes; k++) {
            if (tagged[i]) {
                lmi_im_note(
                    a->im, IM_TAG_MESH,
                    "the mesh of a tag's node is skipped: only the node's transform is used");
                break;
            }
            lm_im_part *part = &scene->parts[scene->num_parts];
            *part = (lm_im_part){.node = i, .skin = IM_NONE, .same_as = {i, k, 0}};
            if (!read_part(a, a->scene->mMeshes[a->nodes[i]->mMeshes[k]], k, part))
                return false;
            scene->num_parts += part->num_triangles > 0;
        }
    }
    return true;
}
