/* A library in place of Assimp. The first line of the file to import is a command, and usually ends
 * with a triangle:
 *
 *     triangle       imports a triangle
 *     deep NODES     the same below nested nodes
 *     ask NAME SIZE  also reads another file, and fails without it or if it has another size
 *     busy SECONDS   uses processor time before
 *     hold MEGABYTES allocates memory before
 *     print          writes to the standard streams before
 *     loop           never ends
 *     sleep          never ends, and uses no processor time
 *     close          never ends, after closing all descriptors
 *     allocate       allocates until there is no memory, and aborts as a C++ program does
 *     starve         the same, and reports it as Assimp does
 *     crash, abort, kill, exit
 */
#include <assimp/types.h>
/* The other headers need this one first. */
#include <assimp/cfileio.h>
#include <assimp/cimport.h>
#include <assimp/material.h>
#include <assimp/mesh.h>
#include <assimp/scene.h>

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static struct aiVector3D vertices[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
static unsigned corners[3] = {0, 1, 2}, first_mesh[1];
static struct aiFace face = {3, corners};
static struct aiMesh mesh = {.mPrimitiveTypes = aiPrimitiveType_TRIANGLE,
                             .mNumVertices = 3,
                             .mNumFaces = 1,
                             .mVertices = vertices,
                             .mFaces = &face};
static struct aiMesh *meshes[1] = {&mesh};
static struct aiNode root = {.mTransformation = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1},
                             .mNumMeshes = 1,
                             .mMeshes = first_mesh};
static struct aiScene scene = {.mRootNode = &root, .mNumMeshes = 1, .mMeshes = meshes};
static const char *problem = "";

/* Reads the first line of a file. Returns false if the file cannot be read, or has another size. */
static bool read_line(struct aiFileIO *io, const char *name, size_t size, char line[256]) {
    struct aiFile *file = io->OpenProc(io, name, "rb");
    if (!file || (size > 0 && file->FileSizeProc(file) != size))
        return false;
    line[file->ReadProc(file, line, 1, 255)] = '\0';
    line[strcspn(line, "\n")] = '\0';
    io->CloseProc(io, file);
    return true;
}

static void busy(double seconds) {
    while ((double)clock() < seconds * CLOCKS_PER_SEC)
        continue;
}

/* Returns whether `megabytes` could be allocated. They are lost. */
static bool hold(unsigned megabytes) {
    void *memory = NULL;
    for (unsigned i = 0; i < megabytes && (memory = malloc(1 << 20)); i++)
        memset(memory, 1, 1 << 20);
    return memory != NULL;
}

/* Nests the mesh's node in others. They are lost. */
static void nest(unsigned depth) {
    struct aiNode *nodes = calloc(depth, sizeof *nodes);
    struct aiNode **pointers = calloc(depth, sizeof(struct aiNode *));
    for (unsigned i = 0; nodes && pointers && i < depth; i++) {
        nodes[i] = root;
        nodes[i].mNumMeshes = 0;
        nodes[i].mNumChildren = 1;
        nodes[i].mChildren = &pointers[i];
        pointers[i] = i + 1 < depth ? &nodes[i + 1] : &root;
        scene.mRootNode = &nodes[0];
    }
}

static void stop(const char *word) {
    volatile unsigned forever = 1;
    if (strcmp(word, "loop") == 0)
        while (forever)
            continue;
    if (strcmp(word, "close") == 0)
        for (int file = 0; file < 64; file++)
            close(file);
    while (strcmp(word, "close") == 0 || strcmp(word, "sleep") == 0)
        pause();
    if (strcmp(word, "crash") == 0)
        raise(SIGSEGV);
    if (strcmp(word, "kill") == 0)
        raise(SIGKILL);
    if (strcmp(word, "exit") == 0)
        exit(3); // NOLINT(concurrency-mt-unsafe)
    if (strcmp(word, "allocate") == 0 || strcmp(word, "abort") == 0) {
        hold(word[1] == 'l' ? ~0U : 0);
        fputs("terminate called after throwing an instance of 'std::bad_alloc'\n", stderr);
        abort();
    }
}

const struct aiScene *aiImportFileExWithProperties(const char *name, unsigned flags,
                                                   struct aiFileIO *io,
                                                   const struct aiPropertyStore *properties) {
    char line[256], word[16] = "", other[256];
    size_t size = 0;
    problem = "it has no command";
    if (!read_line(io, name, 0, line))
        return NULL;
    sscanf(line, "%15s %255s %zu", word, other, &size); // NOLINT(cert-err34-c)
    stop(word);
    if (strcmp(word, "print") == 0) {
        printf("from the library\n");
        fprintf(stderr, "from the library\n");
    }
    if (strcmp(word, "deep") == 0)
        nest((unsigned)strtoul(other, NULL, 10));
    if (strcmp(word, "busy") == 0)
        busy(strtod(other, NULL));
    problem = "std::bad_alloc";
    if (strcmp(word, "starve") == 0 && !hold(~0U))
        return NULL;
    if (strcmp(word, "hold") == 0 && !hold((unsigned)strtoul(other, NULL, 10)))
        return NULL;
    problem = "it refers to a file that is not there";
    return strcmp(word, "ask") != 0 || read_line(io, other, size, line) ? &scene : NULL;
}

void aiReleaseImport(const struct aiScene *released) {}

const char *aiGetErrorString(void) {
    return problem;
}

aiBool aiIsExtensionSupported(const char *extension) {
    return strcmp(extension, ".obj") == 0 ? AI_TRUE : AI_FALSE;
}

struct aiPropertyStore *aiCreatePropertyStore(void) {
    return NULL;
}

void aiReleasePropertyStore(struct aiPropertyStore *store) {}

void aiSetImportPropertyInteger(struct aiPropertyStore *store, const char *name, int value) {}

enum aiReturn aiGetMaterialString(const struct aiMaterial *material, const char *key, unsigned type,
                                  unsigned index, struct aiString *out) {
    return aiReturn_FAILURE;
}

// NOLINTBEGIN(readability-non-const-parameter): as in Assimp's header
enum aiReturn aiGetMaterialTexture(const struct aiMaterial *material, enum aiTextureType type,
                                   unsigned index, struct aiString *path,
                                   enum aiTextureMapping *mapping, unsigned *uvindex,
                                   ai_real *blend, enum aiTextureOp *op,
                                   enum aiTextureMapMode *mapmode, unsigned *flags) {
    return aiReturn_FAILURE;
}
// NOLINTEND(readability-non-const-parameter)
