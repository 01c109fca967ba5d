#include "assimp.h"

#include <math.h>
#include <string.h>

char *lm_im_assimp_text(importing *im, const struct aiString *text) {
    const size_t length = text->length < sizeof text->data ? text->length : sizeof text->data - 1;
    char *out = lm_arena_text(im->arena, text->data, length);
    for (size_t i = 0; out && i < length; i++)
        out[i] = (char)((unsigned char)out[i] < 0x20 ? '_' : out[i]);
    return out;
}

static bool is_called(const struct aiString *a, const struct aiString *b) {
    return a->length == b->length && a->length < sizeof a->data &&
           memcmp(a->data, b->data, a->length) == 0;
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

/* Lists the nodes level by level, so that parents come before their children. Without recursion:
 * files nest nodes as deep as they want. */
static bool list_nodes(lm_im_assimp *a, size_t *count) {
    size_t capacity = 0;
    *count = 0;
    if (!lm_arena_grow(&a->im->scratch, &a->nodes, &capacity, 1, sizeof(struct aiNode *)))
        return false;
    a->nodes[(*count)++] = a->scene->mRootNode;
    for (size_t at = 0; at < *count; at++)
        for (unsigned i = 0; i < a->nodes[at]->mNumChildren; i++) {
            const struct aiNode *child = a->nodes[at]->mChildren[i];
            if (!child) /* as in RAW files */
                continue;
            if (!lm_arena_grow(&a->im->scratch, &a->nodes, &capacity, *count + 1,
                               sizeof(struct aiNode *)))
                return false;
            a->nodes[(*count)++] = child;
        }
    return true;
}

bool lm_im_assimp_nodes(lm_im_assimp *a) {
    lm_im_gltf *gltf = a->gltf;
    size_t count;
    if (!list_nodes(a, &count))
        return false;
    uint32_t *order = lm_arena_zeros(a->im->arena, count, sizeof *order);
    gltf->nodes = lm_arena_zeros(a->im->arena, count, sizeof *gltf->nodes);
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
