#include "assimp.h"

#include <math.h>
#include <string.h>

char *lm_im_assimp_text(importing *im, const struct aiString *text) {
    const size_t length = text->length < MAXLEN ? text->length : MAXLEN - 1;
    char *out = lm_arena_text(im->arena, text->data, length);
    for (size_t i = 0; out && i < length; i++)
        out[i] = (char)((unsigned char)out[i] < 0x20 ? '_' : out[i]);
    return out;
}

static bool is_called(const struct aiString *a, const struct aiString *b) {
    return a->length == b->length && a->length < MAXLEN && memcmp(a->data, b->data, a->length) == 0;
}

uint32_t lm_im_assimp_find(const lm_im_assimp *a, const struct aiString *name) {
    uint32_t found = IM_NONE, count = 0;
    for (uint32_t i = 0; i < a->gltf->num_nodes; i++) {
        if (!is_called(&a->nodes[i]->mName, name))
            continue;
        if (found == IM_NONE || (a->nodes[found]->mNumMeshes > 0 && a->nodes[i]->mNumMeshes == 0))
            found = i;
        count++;
    }
    if (count > 1)
        lm_im_note(a->im, IM_SAME_NAMES,
                   "several nodes have the same name, and Assimp identifies nodes by name only: "
                   "give every node a unique name");
    return found;
}

static bool fill_node(lm_im_assimp *a, uint32_t index, uint32_t parent) {
    const struct aiNode *from = a->nodes[index];
    const struct aiMatrix4x4 *m = &from->mTransformation;
    const float matrix[16] = {m->a1, m->b1, m->c1, m->d1, m->a2, m->b2, m->c2, m->d2,
                              m->a3, m->b3, m->c3, m->d3, m->a4, m->b4, m->c4, m->d4};
    lm_im_node *node = &a->gltf->nodes[index];
    *node = (lm_im_node){.name = lm_im_assimp_text(a->im, &from->mName),
                         .parent = parent,
                         .mesh = index, /* one per node, of the node's parts */
                         .skin = IM_NONE,
                         .has_matrix = true, /* Assimp completes the keys of animated nodes */
                         .rotation = {0, 0, 0, 1},
                         .scale = {1, 1, 1},
                         .shown = true};
    for (int i = 0; i < 16; i++)
        if (!isfinite(matrix[i]))
            return lm_im_fail(a->im, LM_CODE_NOT_FINITE, NULL,
                              "node %u has a number that is not finite", (unsigned)index);
    memcpy(node->matrix, matrix, sizeof matrix);
    return node->name != NULL;
}

static uint64_t count_nodes(const struct aiNode *node) { // NOLINT(misc-no-recursion)
    uint64_t count = 1;
    for (unsigned i = 0; i < node->mNumChildren; i++)
        if (node->mChildren[i]) /* in RAW files some are NULL */
            count += count_nodes(node->mChildren[i]);
    return count;
}

/* Visits the nodes level by level, so that parents come before their children. */
bool lm_im_assimp_nodes(lm_im_assimp *a) {
    lm_im_gltf *gltf = a->gltf;
    const uint64_t count = count_nodes(a->scene->mRootNode);
    uint32_t *order = lm_arena_zeros(a->im->arena, count, sizeof *order);
    gltf->nodes = lm_arena_zeros(a->im->arena, count, sizeof *gltf->nodes);
    a->nodes = lm_arena_zeros(a->im->arena, count, sizeof(struct aiNode *));
    if (!order || !gltf->nodes || !a->nodes)
        return false;
    gltf->order = order;
    a->nodes[0] = a->scene->mRootNode;
    gltf->num_nodes = 1;
    if (!fill_node(a, 0, IM_NONE))
        return false;
    for (uint32_t at = 0; at < gltf->num_nodes; at++) {
        order[at] = at;
        for (unsigned i = 0; i < a->nodes[at]->mNumChildren; i++) {
            if (!a->nodes[at]->mChildren[i])
                continue;
            a->nodes[gltf->num_nodes] = a->nodes[at]->mChildren[i];
            if (!fill_node(a, gltf->num_nodes++, at))
                return false;
        }
    }
    return true;
}
