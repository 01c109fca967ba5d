#include "assimp.h"

#include "core/text.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Checks ------------------------------------------------------------------------------- */

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

static bool im_assimp_check(const lm_im_assimp *a) {
    if (!a->scene->mRootNode)
        return lmi_im_fail(a->im, LM_CODE_BAD_ARGUMENT, NULL, "it is empty");
    return is_scene(a->scene) ||
           lmi_im_fail(a->im, LM_CODE_BAD_ARGUMENT, NULL,
                       "Assimp returned an incomplete scene: export to glTF instead");
}

/* ---- Nodes -------------------------------------------------------------------------------- */

char *lmi_im_assimp_text(importing *im, const struct aiString *text) {
    const size_t length = text->length < sizeof text->data ? text->length : sizeof text->data - 1;
    char *out = lmi_arena_text(im->arena, text->data, length);
    for (size_t i = 0; out && i < length; i++)
        out[i] = (char)(lmi_is_control(out[i]) ? '_' : out[i]);
    return out;
}

bool lmi_im_assimp_matrix(const struct aiMatrix4x4 *m, float out[16]) {
    const float matrix[16] = {m->a1, m->b1, m->c1, m->d1, m->a2, m->b2, m->c2, m->d2,
                              m->a3, m->b3, m->c3, m->d3, m->a4, m->b4, m->c4, m->d4};
    bool finite = true;
    for (int i = 0; i < 16; i++)
        finite = finite && isfinite(matrix[i]);
    memcpy(out, matrix, sizeof matrix);
    return finite;
}

static bool is_called(const struct aiString *a, const struct aiString *b) {
    return a->length == b->length && a->length < sizeof a->data &&
           memcmp(a->data, b->data, a->length) == 0;
}

uint32_t lmi_im_assimp_find(const lm_im_assimp *a, const struct aiString *name) {
    uint32_t found = IM_NONE, count = 0;
    for (uint32_t i = 0; i < a->gltf->num_nodes; i++) {
        if (!is_called(&a->nodes[i]->mName, name))
            continue;
        if (found == IM_NONE || (a->nodes[found]->mNumMeshes > 0 && a->nodes[i]->mNumMeshes == 0))
            found = i;
        count++;
    }
    if (count > 1)
        lmi_im_note(a->im, IM_SAME_NAMES,
                    "several nodes have the same name, and Assimp identifies nodes by name only: "
                    "give every node a unique name");
    return found;
}

static bool fill_node(lm_im_assimp *a, uint32_t index, uint32_t parent) {
    const struct aiNode *from = a->nodes[index];
    lm_im_node *node = &a->gltf->nodes[index];
    *node = (lm_im_node){.name = lmi_im_assimp_text(a->im, &from->mName),
                         .parent = parent,
                         .mesh = index, /* one per node, of the node's parts */
                         .skin = IM_NONE,
                         .has_matrix = true, /* Assimp completes the keys of animated nodes */
                         .rotation = {0, 0, 0, 1},
                         .scale = {1, 1, 1},
                         .shown = true};
    if (!lmi_im_assimp_matrix(&from->mTransformation, node->matrix))
        return lmi_im_fail(a->im, LM_CODE_NOT_FINITE, NULL,
                           "node %u has a number that is not finite", (unsigned)index);
    return node->name != NULL;
}

/* Lists the nodes level by level, so that parents come before their children. Without recursion:
 * files nest nodes as deep as they want. */
static bool list_nodes(lm_im_assimp *a, size_t *count) {
    size_t capacity = 0;
    *count = 0;
    if (!lmi_arena_grow(&a->im->scratch, &a->nodes, &capacity, 1, sizeof(struct aiNode *)))
        return false;
    a->nodes[(*count)++] = a->scene->mRootNode;
    for (size_t at = 0; at < *count; at++)
        for (unsigned i = 0; i < a->nodes[at]->mNumChildren; i++) {
            const struct aiNode *child = a->nodes[at]->mChildren[i];
            if (!child) /* as in RAW files */
                continue;
            if (!lmi_arena_grow(&a->im->scratch, &a->nodes, &capacity, *count + 1,
                                sizeof(struct aiNode *)))
                return false;
            a->nodes[(*count)++] = child;
        }
    return true;
}

/* Fails if the scene is empty or lacks a piece that the functions below take for granted. Node
 * children, meshes of no node, and images may be missing. */
static bool im_assimp_nodes(lm_im_assimp *a) {
    lm_im_gltf *gltf = a->gltf;
    size_t count;
    if (!list_nodes(a, &count))
        return false;
    uint32_t *order = lmi_arena_zeros(a->im->arena, count, sizeof *order);
    gltf->nodes = lmi_arena_zeros(a->im->arena, count, sizeof *gltf->nodes);
    if (!order || !gltf->nodes)
        return false;
    gltf->order = order;
    gltf->num_nodes = 1;
    if (!fill_node(a, 0, IM_NONE))
        return false;
    for (uint32_t at = 0; at < count; at++) {
        order[at] = at;
        for (unsigned i = 0; i < a->nodes[at]->mNumChildren; i++)
            if (a->nodes[at]->mChildren[i] && !fill_node(a, gltf->num_nodes++, at))
                return false;
    }
    return true;
}

/* What is known of a format. */
typedef struct lm_im_format {
    const char *extension;
    double metres; /* its unit; 0: not defined, and taken to be the models' own */
    enum {
        GLTF_AXES,
        GAME_AXES, /* x forward and z up, like the models; Assimp keeps them */
        GAME_Y_UP  /* the same, but Assimp makes y up, and x stays forward */
    } axes;
    bool curved; /* Assimp interpolates its curved and stepped keys linearly */
    bool still;  /* Assimp reads no animations from it */
} lm_im_format;

static const lm_im_format *find_format(const char *extension) {
    static const lm_im_format formats[] = {
        {"3ds", .curved = true},       {"ase", .curved = true},
        {"b3d", .still = true},        {"blend", .metres = 1},
        {"cob", .axes = GAME_AXES},    {"dae", .metres = 1, .curved = true},
        {"fbx", 0.01, .curved = true}, {"iqm", .still = true},
        {"irr", .curved = true},       {"lwo", .metres = 1},
        {"lws", 1, .curved = true},    {"md5mesh", .axes = GAME_Y_UP},
        {"ogex", .curved = true},      {"scn", .axes = GAME_AXES},
        {"smd", .axes = GAME_AXES},    {"vta", .axes = GAME_AXES},
        {"wrl", .metres = 1},          {"x3d", .metres = 1},
        {"zae", 1, .curved = true}};
    static const lm_im_format other = {.extension = ""};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (strcmp(extension, formats[i].extension) == 0)
            return &formats[i];
    return &other;
}

static bool is_fbx(const lm_im_format *format) {
    return strcmp(format->extension, "fbx") == 0;
}

/* Returns the unit of an FBX file in metres. UnitScaleFactor is in centimetres. */
static double fbx_unit(const struct aiScene *scene) {
    const struct aiMetadata *data = scene->mMetaData;
    for (unsigned i = 0; data && i < data->mNumProperties; i++) {
        const struct aiMetadataEntry *entry = &data->mValues[i];
        if (strcmp(data->mKeys[i].data, "UnitScaleFactor") != 0)
            continue;
        double value = 0;
        if (entry->mType == AI_DOUBLE)
            memcpy(&value, entry->mData, sizeof value);
        else if (entry->mType == AI_FLOAT)
            value = (double)*(const float *)entry->mData;
        if (value > 1e-6 && value < 1e6)
            return value * 0.01;
    }
    return 0.01;
}

static float scale_of(const lm_im_assimp *a, const lm_im_format *format) {
    const double metres = is_fbx(format)       ? fbx_unit(a->scene)
                          : format->metres > 0 ? format->metres
                                               : 1 / (double)LM_IMPORT_SCALE;
    return (float)((double)a->im->options->scale * metres);
}

/* Reports known limits of Assimp for this format. */
static void warn(const lm_im_assimp *a, const lm_im_format *format) {
    const lm_im_gltf *gltf = a->gltf;
    if (format->curved && gltf->num_animations > 0)
        lmi_im_note(a->im, IM_CURVES,
                    "Assimp interpolates curved and stepped keys linearly: if that is visible, "
                    "export with a key per frame");
    else if (format->still && gltf->num_animations == 0)
        lmi_im_note(a->im, IM_CURVES,
                    "Assimp reads no animations from such files: export to glTF instead");
    else if (gltf->num_animations == 0 && gltf->num_skins > 0 &&
             strcmp(format->extension, "dae") == 0)
        lmi_im_note(a->im, IM_CURVES,
                    "it has bones but no animation: Blender's Collada exporter writes the active "
                    "action and no NLA strips; export to glTF instead");
}

/* Rotates the scene of a format with x forward to glTF's axes. */
static void rotate_root(const lm_im_assimp *a, const lm_im_format *format) {
    float *m = a->gltf->nodes[0].matrix;
    for (int c = 0; c < 4 && format->axes != GLTF_AXES; c++, m += 4) {
        const float x = m[0], y = m[1], z = m[2];
        m[0] = format->axes == GAME_AXES ? y : -z;
        m[1] = format->axes == GAME_AXES ? z : y;
        m[2] = x;
    }
}

/* Returns true if the scene is an FBX of Blender. Its objects, not its root, have the turn from z
 * up to y up. */
static bool is_blender_fbx(const struct aiScene *scene, const lm_im_format *format) {
    const struct aiMetadata *data = scene->mMetaData;
    for (unsigned i = 0; data && is_fbx(format) && i < data->mNumProperties; i++)
        if (strcmp(data->mKeys[i].data, AI_METADATA_SOURCE_GENERATOR) == 0 &&
            data->mValues[i].mType == AI_AISTRING)
            return strstr(((const struct aiString *)data->mValues[i].mData)->data, "Blender");
    return false;
}

/* Finds the turn of the file's axes: that of the root, if it only exchanges axes. */
static void find_turn(const lm_im_assimp *a, const lm_im_format *format, lm_im_scene *scene) {
    static const double z_up[9] = {1, 0, 0, 0, 0, -1, 0, 1, 0};
    const float *m = a->gltf->nodes[0].matrix;
    if (is_blender_fbx(a->scene, format)) {
        memcpy(scene->turn, z_up, sizeof z_up);
        scene->is_turned = true;
        return;
    }
    for (int c = 0; c < 3; c++, m += 4) {
        const double length = sqrt((double)(m[0] * m[0] + m[1] * m[1] + m[2] * m[2]));
        for (int r = 0; r < 3; r++) {
            const double x = length > 0 ? (double)m[r] / length : 2, whole = floor(x + 0.5);
            if (fabs(x - whole) > 1e-4) {
                scene->is_turned = false;
                return;
            }
            scene->turn[3 * c + r] = whole;
            scene->is_turned = scene->is_turned || (r != c && whole != 0);
        }
    }
}

/* Models of games are larger than this, in units, and those in metres smaller. */
#define LEAST_SIZE 3

/* Warns if a file without a unit seems to be in metres. */
static void warn_unit(const lm_im_assimp *a, const lm_im_format *format, const lm_mesh *mesh) {
    float low = INFINITY, high = -INFINITY;
    if (format->metres > 0 || format->axes != GLTF_AXES || a->im->options->scale != LM_IMPORT_SCALE)
        return;
    for (uint32_t i = 0; i < mesh->num_surfaces; i++)
        for (size_t v = 0; v < 3 * (size_t)mesh->surfaces[i].num_vertices; v++) {
            low = fminf(low, mesh->surfaces[i].positions[v]);
            high = fmaxf(high, mesh->surfaces[i].positions[v]);
        }
    if (high - low > 0 && high - low < LEAST_SIZE)
        lmi_im_note(a->im, IM_UNIT,
                    "the model is smaller than 3 units, and its file states no unit: if that is "
                    "metres, scale it by 39.37");
}

static bool build(lm_im_assimp *a, const lm_im_format *format, lm_mesh *mesh) {
    const lm_im_extras extras = {.num_frames = 0};
    lm_im_scene scene = {.gltf = a->gltf, .extras = &extras, .scale = scale_of(a, format)};
    bool *tagged;
    if (!im_assimp_nodes(a))
        return false;
    rotate_root(a, format);
    find_turn(a, format, &scene);
    a->no_weights = is_fbx(format);
    if (!(tagged = lmi_arena_zeros(a->im->arena, a->gltf->num_nodes, sizeof *tagged)) ||
        !lmi_im_find_tags(a->im, a->gltf, tagged, &scene) || !lmi_im_assimp_images(a) ||
        !lmi_im_assimp_parts(a, tagged, &scene) || !lmi_im_assimp_motion(a))
        return false;
    warn(a, format);
    if (!lmi_im_drop_still(a->im, a->gltf) || !lmi_im_bake_scene(a->im, &scene, mesh))
        return false;
    warn_unit(a, format, mesh);
    return lmi_im_assimp_read_images(a);
}

/* Writes a file name's extension in lower case, without the dot. */
static void extension_of(const char *name, char *out, size_t size) {
    const char *dot = strrchr(name, '.');
    snprintf(out, size, "%s", dot ? dot + 1 : "");
    for (; *out; out++)
        *out = (char)tolower((unsigned char)*out);
}

bool lmi_im_read_assimp(importing *im, const lm_im_source *source, lm_mesh *mesh) {
    char extension[16];
    lm_im_gltf gltf = {.bin = {NULL, 0}};
    lm_im_assimp a = {.im = im, .gltf = &gltf};
    extension_of(source->name, extension, sizeof extension);
    const size_t most = lmi_im_max_file(im, LM_IMPORT_ASSIMP_BYTES);
    if (!(source->size <= most ||
          lmi_im_fail(im, LM_CODE_LIMIT, NULL,
                      "it has %zu bytes, but Assimp receives at most %zu, because its memory "
                      "cannot be limited: export to glTF instead",
                      source->size, most)))
        return false;
    a.library = lmi_im_library_open(im->error);
    a.scene = a.library ? lmi_im_assimp_load(im, a.library, source) : NULL;
    if (!a.scene)
        return false;
    const bool made = im_assimp_check(&a) && build(&a, find_format(extension), mesh);
    a.library->aiReleaseImport(a.scene);
    return made;
}

bool lmi_im_assimp_reads(const char *name) {
    char extension[18] = ".";
    const lm_im_library *library = lmi_im_library_open(NULL);
    extension_of(name, extension + 1, sizeof extension - 1);
    return library && extension[1] && library->aiIsExtensionSupported(extension) == AI_TRUE;
}
