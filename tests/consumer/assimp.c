/* Prints what Assimp reads from a file: "mesh NAME VERTICES TARGETS", then "target NAME" with the
 * positions of the triangles' corners, because Assimp 5.4 sorts vertices; "animation NAME", then
 * "key SECONDS" with the target and weight of each key.
 */
#include <assimp/cimport.h>
#include <assimp/scene.h>
#include <stdio.h>

static void print_corners(const char *name, const struct aiVector3D *vertices,
                          const struct aiMesh *mesh) {
    printf("target %s", name);
    for (unsigned f = 0; f < mesh->mNumFaces; f++)
        for (unsigned i = 0; i < mesh->mFaces[f].mNumIndices; i++) {
            const struct aiVector3D *v = &vertices[mesh->mFaces[f].mIndices[i]];
            printf(" %.9g %.9g %.9g", (double)v->x, (double)v->y, (double)v->z);
        }
    printf("\n");
}

static void print_animation(const struct aiAnimation *a) {
    printf("animation %s\n", a->mName.data);
    for (unsigned c = 0; c < a->mNumMorphMeshChannels; c++)
        for (unsigned k = 0; k < a->mMorphMeshChannels[c]->mNumKeys; k++) {
            const struct aiMeshMorphKey *key = &a->mMorphMeshChannels[c]->mKeys[k];
            printf("key %.9g", key->mTime / a->mTicksPerSecond);
            for (unsigned i = 0; i < key->mNumValuesAndWeights; i++)
                if (key->mWeights[i] != 0)
                    printf(" %u %.9g", key->mValues[i], key->mWeights[i]);
            printf("\n");
        }
}

int main(int argc, char **argv) {
    const struct aiScene *scene = argc > 1 ? aiImportFile(argv[1], 0) : NULL;
    if (!scene)
        return fprintf(stderr, "%s\n", aiGetErrorString()), 1;
    for (unsigned m = 0; m < scene->mNumMeshes; m++) {
        const struct aiMesh *mesh = scene->mMeshes[m];
        printf("mesh %s %u %u\n", mesh->mName.data, mesh->mNumVertices, mesh->mNumAnimMeshes);
        print_corners("base", mesh->mVertices, mesh);
        for (unsigned t = 0; t < mesh->mNumAnimMeshes; t++)
            print_corners(mesh->mAnimMeshes[t]->mName.data, mesh->mAnimMeshes[t]->mVertices, mesh);
    }
    for (unsigned a = 0; a < scene->mNumAnimations; a++)
        print_animation(scene->mAnimations[a]);
    aiReleaseImport(scene);
    return 0;
}
