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

/* Splits a transform into translation, rotation and scale, for animations that lack keys of some of
 * them. The rotation is never a mirroring: mirrored nodes get a negative scale. */
static void decompose(const struct aiMatrix4x4 *m, lm_im_node *node) {
    const double rows[3][3] = {{(double)m->a1, (double)m->a2, (double)m->a3},
                               {(double)m->b1, (double)m->b2, (double)m->b3},
                               {(double)m->c1, (double)m->c2, (double)m->c3}};
    double r[3][3], q[4];
    const bool mirrored = lm_im_determinant((const double[16]){
                              rows[0][0], rows[1][0], rows[2][0], 0, rows[0][1], rows[1][1],
                              rows[2][1], 0, rows[0][2], rows[1][2], rows[2][2]}) < 0;
    for (int c = 0; c < 3; c++) {
        const double length =
            sqrt(rows[0][c] * rows[0][c] + rows[1][c] * rows[1][c] + rows[2][c] * rows[2][c]) *
            (mirrored ? -1 : 1);
        node->scale[c] = (float)length;
        for (int i = 0; i < 3; i++)
            r[i][c] = length == 0 ? i == c : rows[i][c] / length;
    }
    /* Starts from the quaternion's largest component, because small ones are inaccurate. */
    int i = r[1][1] > r[0][0] ? 1 : 0;
    i = r[2][2] > r[i][i] ? 2 : i;
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const double trace = r[0][0] + r[1][1] + r[2][2];
    if (trace > r[i][i]) {
        q[3] = 1 + trace;
        for (int n = 0; n < 3; n++)
            q[n] = r[(n + 2) % 3][(n + 1) % 3] - r[(n + 1) % 3][(n + 2) % 3];
    } else {
        q[i] = 1 + r[i][i] - r[j][j] - r[k][k];
        q[j] = r[j][i] + r[i][j];
        q[k] = r[k][i] + r[i][k];
        q[3] = r[k][j] - r[j][k];
    }
    for (int n = 0; n < 4; n++) /* not normalised */
        node->rotation[n] = (float)q[n];
    node->translation[0] = m->a4;
    node->translation[1] = m->b4;
    node->translation[2] = m->c4;
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
                         .has_matrix = true,
                         .shown = true};
    for (int i = 0; i < 16; i++)
        if (!isfinite(matrix[i]))
            return lm_im_fail(a->im, LM_CODE_NOT_FINITE, NULL,
                              "node %u has a number that is not finite", (unsigned)index);
    memcpy(node->matrix, matrix, sizeof matrix);
    decompose(m, node);
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
