/* Fuzzes the import of Assimp's scenes. The input is not a file for Assimp: a library in its place
 * builds a scene from the bytes, with everything that Assimp's importers leave behind, such as
 * indices out of range, numbers that are not finite and missing pieces. The result is a valid mesh,
 * and the same in memory filled with other bytes.
 *
 * The input is read once from front to end; after its end all bytes are 0. A count is a byte, a
 * name is one of a few, a number is a byte or, after 0xFF, a float. */
#include "fuzz.h"

#include "assimp/assimp.h"

#include <stdlib.h>
#include <string.h>

/* The scene's memory: lists in separate blocks, so that the sanitizer detects reads past their
 * ends. */
typedef struct made {
    fuzz_input bytes;
    size_t at;
    void *lists[4096];
    size_t num_lists;
} made;

static made making;

/* Flags of objects. */
enum {
    NORMALS = 1,
    ST = 2,
    LESS = 4,  /* one vertex less, in morph targets */
    NONE = 128 /* there is nothing but a null pointer */
};

/* ---- Reading --------------------------------------------------------------------------------- */

static unsigned byte(void) {
    return making.at < making.bytes.size ? making.bytes.data[making.at++] : 0;
}

static unsigned count(unsigned most) {
    return byte() % (most + 1);
}

static float number(void) {
    const unsigned first = byte();
    uint8_t raw[4];
    float value;
    if (first < 0xFF)
        return ((float)first - 128) / 8;
    for (int i = 0; i < 4; i++)
        raw[i] = (uint8_t)byte();
    memcpy(&value, raw, sizeof value);
    return value;
}

/* Returns zeros; NULL for 0 elements. */
static void *list(size_t elements, size_t size) {
    if (elements == 0 || making.num_lists == sizeof making.lists / sizeof *making.lists)
        return NULL;
    void *memory = calloc(elements, size);
    if (!memory)
        abort();
    return making.lists[making.num_lists++] = memory;
}

/* Reads a count of at most `most`, and an array of as many pointers; `one` reads each. */
#define ARRAY(owner, plural, number, type, most, one)                 \
    (owner)->number = count(most);                                    \
    (owner)->plural = list((owner)->number, sizeof(type *));          \
    for (unsigned i = 0; (owner)->plural && i < (owner)->number; i++) \
    (owner)->plural[i] = one

/* Returns an object of zeros; NULL if its flags say so. */
static void *object(size_t size, unsigned flags) {
    return flags & NONE ? NULL : list(1, size);
}

static void name(struct aiString *out) {
    static const char *const names[] = {"",
                                        "Bone",
                                        "tag_hand",
                                        "body",
                                        "Armature|Walk",
                                        "UnitScaleFactor",
                                        "*0",
                                        "*1*2",
                                        "a\nb\x1b",
                                        "skin.tga",
                                        "./x/y",
                                        "C:\\art\\a.png",
                                        "DefaultMaterial",
                                        "a",
                                        "\xff\xfe\x80"};
    const unsigned which = count(sizeof names / sizeof *names + 1);
    if (which < sizeof names / sizeof *names) {
        out->length = (ai_uint32)strlen(names[which]);
        memcpy(out->data, names[which], out->length + (size_t)1);
        return;
    }
    /* The longest name, or one with NULs. */
    out->length = which == sizeof names / sizeof *names ? sizeof out->data - 1 : 3;
    memset(out->data, out->length == 3 ? 0 : 'n', out->length);
    out->data[out->length] = '\0';
}

static struct aiVector3D vector(void) {
    struct aiVector3D out;
    out.x = number();
    out.y = number();
    out.z = number();
    return out;
}

static struct aiVector3D *vectors(unsigned elements) {
    struct aiVector3D *out = list(elements, sizeof *out);
    for (unsigned i = 0; out && i < elements; i++)
        out[i] = vector();
    return out;
}

static struct aiMatrix4x4 matrix(void) {
    struct aiMatrix4x4 out = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    float *numbers = &out.a1;
    const unsigned changed = count(16); /* of its numbers */
    for (unsigned i = 0; i < changed; i++)
        numbers[byte() % 16] = number();
    return out;
}

/* ---- Nodes ----------------------------------------------------------------------------------- */

#define MAX_NODES 12

static void fill_node(struct aiNode *node) {
    name(&node->mName);
    node->mTransformation = matrix();
    node->mNumMeshes = count(3);
    node->mMeshes = list(node->mNumMeshes, sizeof *node->mMeshes);
    for (unsigned i = 0; node->mMeshes && i < node->mNumMeshes; i++)
        node->mMeshes[i] = byte();
    node->mChildren = list((size_t)2 * MAX_NODES, sizeof(struct aiNode *));
}

static struct aiNode *nodes(void) {
    struct aiNode *all[MAX_NODES] = {NULL};
    const unsigned total = 1 + count(MAX_NODES - 1);
    for (unsigned i = 0; i < total; i++) {
        all[i] = list(1, sizeof *all[i]);
        if (!all[i])
            abort();
        fill_node(all[i]);
        const unsigned parent = byte();
        if (i == 0)
            continue;
        struct aiNode *above = all[parent % i];
        if (parent >= 128) /* RAW files leave such children */
            above->mChildren[above->mNumChildren++] = NULL;
        above->mChildren[above->mNumChildren++] = all[i];
    }
    return all[0];
}

/* ---- Meshes ---------------------------------------------------------------------------------- */

static void fill_faces(struct aiMesh *mesh) {
    mesh->mNumFaces = count(24);
    mesh->mFaces = list(mesh->mNumFaces, sizeof *mesh->mFaces);
    for (unsigned i = 0; mesh->mFaces && i < mesh->mNumFaces; i++) {
        const unsigned first = byte();
        mesh->mFaces[i].mNumIndices = first == 0xFF ? count(4) : 3;
        mesh->mFaces[i].mIndices = list(mesh->mFaces[i].mNumIndices, sizeof(unsigned));
        for (unsigned k = 0; k < mesh->mFaces[i].mNumIndices; k++)
            mesh->mFaces[i].mIndices[k] = k == 0 && first < 0xFF ? first : byte();
    }
}

static struct aiBone *bone(void) {
    struct aiBone *out = object(sizeof *out, byte());
    if (!out)
        return NULL;
    name(&out->mName);
    out->mOffsetMatrix = matrix();
    out->mNumWeights = count(16);
    out->mWeights = list(out->mNumWeights, sizeof *out->mWeights);
    for (unsigned w = 0; out->mWeights && w < out->mNumWeights; w++) {
        out->mWeights[w].mVertexId = byte();
        out->mWeights[w].mWeight = number();
    }
    return out;
}

/* Returns a morph target of a mesh with so many vertices. */
static struct aiAnimMesh *target(unsigned vertices) {
    const unsigned flags = byte();
    struct aiAnimMesh *out = object(sizeof *out, flags);
    if (!out)
        return NULL;
    out->mNumVertices = vertices - (flags & LESS && vertices > 0);
    out->mVertices = flags & ST ? NULL : vectors(out->mNumVertices);
    out->mNormals = flags & NORMALS ? vectors(out->mNumVertices) : NULL;
    out->mWeight = number();
    return out;
}

static struct aiMesh *mesh(void) {
    const unsigned flags = byte();
    struct aiMesh *out = object(sizeof *out, flags);
    if (!out)
        return NULL;
    name(&out->mName);
    out->mNumVertices = count(24);
    out->mVertices = vectors(out->mNumVertices);
    out->mNormals = flags & NORMALS ? vectors(out->mNumVertices) : NULL;
    out->mTextureCoords[0] = flags & ST ? vectors(out->mNumVertices) : NULL;
    fill_faces(out);
    ARRAY(out, mBones, mNumBones, struct aiBone, 4, bone());
    out->mMethod = count(4);
    ARRAY(out, mAnimMeshes, mNumAnimMeshes, struct aiAnimMesh, 3, target(out->mNumVertices));
    out->mMaterialIndex = byte();
    return out;
}

/* ---- Animations ------------------------------------------------------------------------------ */

static struct aiVectorKey *vector_keys(unsigned *out) {
    *out = count(6);
    struct aiVectorKey *keys = list(*out, sizeof *keys);
    for (unsigned i = 0; keys && i < *out; i++) {
        keys[i].mTime = (double)number();
        keys[i].mValue = vector();
    }
    return keys;
}

static struct aiNodeAnim *channel(void) {
    struct aiNodeAnim *out = object(sizeof *out, byte());
    if (!out)
        return NULL;
    name(&out->mNodeName);
    out->mPositionKeys = vector_keys(&out->mNumPositionKeys);
    out->mScalingKeys = vector_keys(&out->mNumScalingKeys);
    out->mNumRotationKeys = count(6);
    out->mRotationKeys = list(out->mNumRotationKeys, sizeof *out->mRotationKeys);
    for (unsigned i = 0; out->mRotationKeys && i < out->mNumRotationKeys; i++) {
        out->mRotationKeys[i].mTime = (double)number();
        const struct aiVector3D v = vector();
        out->mRotationKeys[i].mValue = (struct aiQuaternion){number(), v.x, v.y, v.z};
    }
    return out;
}

static struct aiMeshMorphAnim *morph(void) {
    struct aiMeshMorphAnim *out = object(sizeof *out, byte());
    if (!out)
        return NULL;
    name(&out->mName);
    out->mNumKeys = count(6);
    out->mKeys = list(out->mNumKeys, sizeof *out->mKeys);
    for (unsigned i = 0; out->mKeys && i < out->mNumKeys; i++) {
        struct aiMeshMorphKey *key = &out->mKeys[i];
        key->mTime = (double)number();
        key->mNumValuesAndWeights = count(3);
        key->mValues = list(key->mNumValuesAndWeights, sizeof *key->mValues);
        key->mWeights = list(key->mNumValuesAndWeights, sizeof *key->mWeights);
        for (unsigned k = 0; k < key->mNumValuesAndWeights; k++) {
            key->mValues[k] = byte();
            key->mWeights[k] = (double)number();
        }
    }
    return out;
}

static struct aiAnimation *animation(void) {
    struct aiAnimation *out = object(sizeof *out, byte());
    if (!out)
        return NULL;
    name(&out->mName);
    out->mTicksPerSecond = (double)number();
    ARRAY(out, mChannels, mNumChannels, struct aiNodeAnim, 4, channel());
    ARRAY(out, mMorphMeshChannels, mNumMorphMeshChannels, struct aiMeshMorphAnim, 3, morph());
    out->mNumMeshChannels = count(1);
    return out;
}

/* ---- Materials ------------------------------------------------------------------------------- */

enum {
    NAMED = 1,
    DIFFUSE = 2,
    BASE_COLOR = 4,
    OPACITY = 8
};

/* In place of Assimp's material. */
typedef struct material {
    unsigned flags;
    struct aiString name, path;
} material;

static void *new_material(void) {
    const unsigned flags = byte();
    material *out = object(sizeof *out, flags);
    if (!out)
        return NULL;
    out->flags = flags;
    name(&out->name);
    name(&out->path);
    return out;
}

static enum aiReturn get_string(const struct aiMaterial *of, const char *key, unsigned type,
                                unsigned index, struct aiString *out) {
    const material *m = (const void *)of;
    (void)key;
    (void)type;
    (void)index;
    *out = m->name;
    return m->flags & NAMED ? aiReturn_SUCCESS : aiReturn_FAILURE;
}

// NOLINTBEGIN(readability-non-const-parameter): as in Assimp's header
static enum aiReturn get_texture(const struct aiMaterial *of, enum aiTextureType type,
                                 unsigned index, struct aiString *path,
                                 enum aiTextureMapping *mapping, unsigned *uvindex, ai_real *blend,
                                 enum aiTextureOp *op, enum aiTextureMapMode *mode,
                                 unsigned *flags) {
    const material *m = (const void *)of;
    PROMISE(index == 0 && !mapping && !uvindex && !blend && !op && !mode && !flags);
    const unsigned wanted = type == aiTextureType_DIFFUSE      ? DIFFUSE
                            : type == aiTextureType_BASE_COLOR ? BASE_COLOR
                                                               : OPACITY;
    *path = m->path;
    return m->flags & wanted ? aiReturn_SUCCESS : aiReturn_FAILURE;
}
// NOLINTEND(readability-non-const-parameter)

static struct aiTexture *texture(void) {
    const unsigned flags = byte();
    struct aiTexture *out = object(sizeof *out, flags);
    if (!out)
        return NULL;
    name(&out->mFilename);
    out->mWidth = count(12);
    out->mHeight = flags & 1 ? count(6) : 0; /* 0: a file of mWidth bytes */
    out->pcData = out->mHeight > 0 ? list((size_t)out->mWidth * out->mHeight, sizeof *out->pcData)
                                   : list(out->mWidth, 1);
    return out;
}

/* ---- The scene ------------------------------------------------------------------------------- */

static struct aiMetadata *metadata(void) {
    static const aiMetadataType types[] = {AI_DOUBLE, AI_FLOAT, AI_BOOL};
    struct aiMetadata *out = list(count(1), sizeof *out);
    if (!out)
        return NULL;
    out->mNumProperties = count(2);
    out->mKeys = list(out->mNumProperties, sizeof *out->mKeys);
    out->mValues = list(out->mNumProperties, sizeof *out->mValues);
    for (unsigned i = 0; i < out->mNumProperties; i++) {
        const unsigned type = count(2);
        const double wide = (double)number();
        const float narrow = (float)wide;
        name(&out->mKeys[i]);
        out->mValues[i].mType = types[type];
        out->mValues[i].mData = list(1, type == 0 ? sizeof wide : type == 1 ? sizeof narrow : 1);
        if (out->mValues[i].mData && type == 0)
            memcpy(out->mValues[i].mData, &wide, sizeof wide);
        else if (out->mValues[i].mData && type == 1)
            memcpy(out->mValues[i].mData, &narrow, sizeof narrow);
    }
    return out;
}

static struct aiScene *scene(void) {
    struct aiScene *out = list(1, sizeof *out);
    if (!out)
        abort();
    if (byte() != NONE)
        out->mRootNode = nodes();
    ARRAY(out, mMeshes, mNumMeshes, struct aiMesh, 4, mesh());
    ARRAY(out, mMaterials, mNumMaterials, struct aiMaterial, 4, new_material());
    ARRAY(out, mTextures, mNumTextures, struct aiTexture, 2, texture());
    ARRAY(out, mAnimations, mNumAnimations, struct aiAnimation, 3, animation());
    out->mMetaData = metadata();
    return out;
}

/* ---- Files ----------------------------------------------------------------------------------- */

/* Uses a file as importers do. */
static void use_file(struct aiFileIO *io, const char *path) {
    static const enum aiOrigin origins[] = {aiOrigin_SET, aiOrigin_CUR, aiOrigin_END};
    char bytes[32];
    struct aiFile *file = io->OpenProc(io, path, "rb");
    PROMISE(!io->OpenProc(io, path, "wb"));
    for (unsigned steps = count(6); file && steps > 0; steps--) {
        const unsigned size = count(4), elements = size > 0 ? count(32 / size) : byte();
        const size_t all = file->FileSizeProc(file), before = file->TellProc(file);
        const size_t got = file->ReadProc(file, bytes, size, elements);
        PROMISE(got <= elements && file->TellProc(file) == before + got * size);
        PROMISE(file->TellProc(file) <= all && file->WriteProc(file, bytes, 1, 1) == 0);
        const size_t offset = (size_t)((int)byte() - 128);
        const enum aiReturn moved = file->SeekProc(file, offset, origins[count(2)]);
        PROMISE(file->TellProc(file) <= all);
        PROMISE(moved == aiReturn_SUCCESS || file->TellProc(file) == before + got * size);
        file->FlushProc(file);
    }
    io->CloseProc(io, file);
}

static const struct aiScene *import_file(const char *path, unsigned flags, struct aiFileIO *io,
                                         const struct aiPropertyStore *properties) {
    struct aiString other;
    (void)flags;
    (void)properties;
    making.at = 0;
    use_file(io, path);
    name(&other);
    use_file(io, other.data);
    switch (byte()) {
    case NONE:
        abort(); /* as at a failed assertion */
    case NONE + 1:
        return NULL;
    default:
        return scene();
    }
}

static void release(const struct aiScene *released) {
    (void)released;
}

static const char *error_string(void) {
    return making.at % 2 ? "" : "std::bad_alloc";
}

static aiBool is_supported(const char *extension) {
    return extension[0] == '.' ? AI_TRUE : AI_FALSE;
}

static struct aiPropertyStore *new_store(void) {
    return NULL;
}

static void free_store(struct aiPropertyStore *store) {
    (void)store;
}

static void set_integer(struct aiPropertyStore *store, const char *key, int value) {
    (void)store;
    (void)key;
    (void)value;
}

/* Replaces that of import/assimp/library.c. */
const lm_im_library *lmi_im_library_open(lm_error *error) {
    static const lm_im_library library = {import_file,  release,    error_string,
                                          is_supported, new_store,  free_store,
                                          set_integer,  get_string, get_texture};
    (void)error;
    return &library;
}

/* ---- Importing ------------------------------------------------------------------------------- */

static bool read_sidecar(void *user, const char *uri, lm_buffer *out, lm_error *error) {
    const fuzz_input *input = user;
    if (strchr(uri, 'C'))
        return lm_fail_plain(error, LM_CODE_IO, "there is no %s", uri);
    lm_buffer_append(out, input->data, input->size);
    return !out->failed || lm_fail_plain(error, LM_CODE_LIMIT, "too large");
}

static void import(fuzz_input input, const lm_allocator *memory, fuzz_output *out) {
    static const char *const files[] = {"a.obj", "a.FBX", "a.smd", "a.md5mesh",
                                        "a.iqm", "a.dae", "a"};
    const char *file = files[fuzz_choose(&input, 7)];
    lm_import_options options = fuzz_import_options(&input, memory);
    options.name = file;
    options.importer = LM_IMPORTER_ASSIMP;
    options.read = fuzz_choose(&input, 2) ? NULL : read_sidecar;
    options.user = &input;
    options.images = !fuzz_choose(&input, 2);
    making = (made){.bytes = input};
    lm_import *found = lm_import_read(input.data, input.size, &options, &out->error);
    /* Nothing may point into Assimp's scene. */
    for (size_t i = 0; i < making.num_lists; i++)
        free(making.lists[i]);
    fuzz_import_put(found, out);
}

void fuzz_assimp(fuzz_input *input) {
    fuzz_write_twice(input, import);
}
