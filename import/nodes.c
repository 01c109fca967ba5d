/* Reads nodes and skins. */
#include "gltf.h"

/* ---- Nodes ----------------------------------------------------------------------------------- */

static bool read_node(importing *im, const lm_im_gltf *gltf, uint32_t index, lm_im_ref ref,
                      uint32_t num_skins, lm_im_node *node) {
    const char *location = lmi_im_location(im, "nodes[%u]", (unsigned)index);
    const lm_im_ref extras = lmi_im_member(ref, "extras");
    const lm_im_ref tag = lmi_im_member(extras, "tag"), holds = lmi_im_member(extras, "holds");
    *node = (lm_im_node){.parent = IM_NONE, .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
    node->has_matrix = lmi_im_member(ref, "matrix") != 0;
    node->name = lmi_im_string(im, lmi_im_member(ref, "name"));
    if (!node->name || (tag && !(node->tag = lmi_im_string(im, tag))) ||
        (holds && !(node->holds = lmi_im_string(im, holds))))
        return false;
    if (!lmi_im_floats_of(im, ref, location, "matrix", 16, node->matrix) ||
        !lmi_im_floats_of(im, ref, location, "translation", 3, node->translation) ||
        !lmi_im_floats_of(im, ref, location, "rotation", 4, node->rotation) ||
        !lmi_im_floats_of(im, ref, location, "scale", 3, node->scale) ||
        !lmi_im_index_of(im, ref, location, "mesh", gltf->meshes.count, IM_NONE, &node->mesh) ||
        !lmi_im_index_of(im, ref, location, "skin", num_skins, IM_NONE, &node->skin))
        return false;
    const lm_im_ref weights = lmi_im_member(ref, "weights");
    if (!weights)
        return true;
    node->num_weights = lmi_im_count(weights);
    float *out = lmi_arena_zeros(im->arena, node->num_weights, sizeof *out);
    node->weights = out;
    return out && lmi_im_floats_of(im, ref, location, "weights", node->num_weights, out);
}

static bool read_children(importing *im, const lm_im_gltf *gltf, uint32_t index, lm_im_ref ref) {
    const lm_im_ref children = lmi_im_member(ref, "children");
    for (lm_im_ref e = lmi_im_first(children); e; e = lmi_im_next(children, e)) {
        const char *location = lmi_im_location(im, "nodes[%u].children", (unsigned)index);
        uint64_t child;
        if (!lmi_im_integer(e, &child) || child >= gltf->num_nodes)
            return lmi_im_fail(im, LM_CODE_BAD_GLTF, location,
                               "it has an element that is not the index of a node; there are %u",
                               (unsigned)gltf->num_nodes);
        lm_im_node *node = &gltf->nodes[child];
        if (node->parent != IM_NONE)
            return lmi_im_fail(im, LM_CODE_BAD_GLTF, location,
                               "node %u is already a child of node %u; a node has one parent",
                               (unsigned)child, (unsigned)node->parent);
        node->parent = index;
    }
    return true;
}

/* Sorts the nodes, parents before their children. Nodes that no root reaches form a cycle, which is
 * an error. */
static bool order_nodes(importing *im, lm_im_gltf *gltf, const lm_im_list *list) {
    uint32_t *order = lmi_arena_zeros(im->arena, gltf->num_nodes, sizeof *order), count = 0;
    if (!order)
        return false;
    for (uint32_t i = 0; i < gltf->num_nodes; i++)
        if (gltf->nodes[i].parent == IM_NONE)
            order[count++] = i;
    for (uint32_t at = 0; at < count; at++) {
        const lm_im_ref children = lmi_im_member(list->refs[order[at]], "children");
        for (lm_im_ref e = lmi_im_first(children); e; e = lmi_im_next(children, e)) {
            uint64_t child = 0;
            lmi_im_integer(e, &child);
            order[count++] = (uint32_t)child;
        }
    }
    gltf->order = order;
    return count == gltf->num_nodes ||
           lmi_im_fail(im, LM_CODE_BAD_GLTF, "nodes", "%u of them are their own ancestors",
                       (unsigned)(gltf->num_nodes - count));
}

/* Marks the nodes of the default scene as shown; without scenes, all nodes. */
static bool show_nodes(importing *im, lm_im_gltf *gltf) {
    lm_im_list scenes;
    uint32_t scene;
    if (!lmi_im_list_of(im, gltf->root, "scenes", &scenes) ||
        !lmi_im_index_of(im, gltf->root, "(file)", "scene", scenes.count, 0, &scene))
        return false;
    for (uint32_t i = 0; scenes.count == 0 && i < gltf->num_nodes; i++)
        gltf->nodes[i].shown = gltf->nodes[i].parent == IM_NONE;
    const lm_im_ref roots = scenes.count ? lmi_im_member(scenes.refs[scene], "nodes") : 0;
    for (lm_im_ref e = lmi_im_first(roots); e; e = lmi_im_next(roots, e)) {
        uint64_t root;
        if (!lmi_im_integer(e, &root) || root >= gltf->num_nodes)
            return lmi_im_fail(im, LM_CODE_BAD_GLTF,
                               lmi_im_location(im, "scenes[%u].nodes", (unsigned)scene),
                               "it has an element that is not the index of a node; there are %u",
                               (unsigned)gltf->num_nodes);
        gltf->nodes[root].shown = true;
    }
    for (uint32_t i = 0; i < gltf->num_nodes; i++) {
        lm_im_node *node = &gltf->nodes[gltf->order[i]];
        if (node->parent != IM_NONE && gltf->nodes[node->parent].shown)
            node->shown = true;
    }
    return true;
}

static bool count_targets(importing *im, lm_im_gltf *gltf) {
    uint32_t *counts = lmi_arena_zeros(im->arena, gltf->meshes.count, sizeof *counts);
    for (uint32_t i = 0; counts && i < gltf->meshes.count; i++) {
        const lm_im_ref primitives = lmi_im_member(gltf->meshes.refs[i], "primitives");
        counts[i] = lmi_im_count(lmi_im_member(lmi_im_first(primitives), "targets"));
    }
    gltf->num_targets = counts;
    return counts != NULL;
}

bool lmi_im_read_nodes(importing *im, lm_im_gltf *gltf) {
    lm_im_list list;
    if (!lmi_im_list_of(im, gltf->root, "meshes", &gltf->meshes) ||
        !lmi_im_list_of(im, gltf->root, "materials", &gltf->materials) ||
        !lmi_im_list_of(im, gltf->root, "textures", &gltf->textures) ||
        !lmi_im_list_of(im, gltf->root, "images", &gltf->images) ||
        !lmi_im_list_of(im, gltf->root, "nodes", &list) || !count_targets(im, gltf) ||
        !lmi_im_read_materials(im, gltf))
        return false;
    const uint32_t num_skins = lmi_im_count(lmi_im_member(gltf->root, "skins"));
    gltf->nodes = lmi_arena_zeros(&im->scratch, list.count, sizeof *gltf->nodes);
    gltf->num_nodes = list.count;
    if (!gltf->nodes)
        return false;
    for (uint32_t i = 0; i < list.count; i++)
        if (!read_node(im, gltf, i, list.refs[i], num_skins, &gltf->nodes[i]))
            return false;
    for (uint32_t i = 0; i < list.count; i++)
        if (!read_children(im, gltf, i, list.refs[i]))
            return false;
    return order_nodes(im, gltf, &list) && show_nodes(im, gltf);
}

/* ---- Skins ----------------------------------------------------------------------------------- */

static bool read_joints(importing *im, const lm_im_gltf *gltf, uint32_t index, lm_im_ref joints,
                        lm_im_skin *skin) {
    skin->num_joints = lmi_im_count(joints);
    uint32_t *out = lmi_arena_zeros(im->arena, skin->num_joints, sizeof *out);
    skin->joints = out;
    if (!out)
        return false;
    for (lm_im_ref e = lmi_im_first(joints); e; e = lmi_im_next(joints, e)) {
        uint64_t joint;
        if (!lmi_im_integer(e, &joint) || joint >= gltf->num_nodes)
            return lmi_im_fail(im, LM_CODE_BAD_GLTF,
                               lmi_im_location(im, "skins[%u].joints", (unsigned)index),
                               "it has an element that is not the index of a node; there are %u",
                               (unsigned)gltf->num_nodes);
        *out++ = (uint32_t)joint;
    }
    return skin->num_joints > 0 ||
           lmi_im_fail(im, LM_CODE_BAD_GLTF,
                       lmi_im_location(im, "skins[%u].joints", (unsigned)index), "it is empty");
}

static bool read_skin(importing *im, lm_im_gltf *gltf, uint32_t index, lm_im_ref ref, void *out) {
    lm_im_skin *skin = out;
    uint32_t accessor;
    if (!read_joints(im, gltf, index, lmi_im_member(ref, "joints"), skin))
        return false;
    const char *location = lmi_im_location(im, "skins[%u]", (unsigned)index);
    if (!lmi_im_index_of(im, ref, location, "inverseBindMatrices", gltf->num_accessors, IM_NONE,
                         &accessor))
        return false;
    if (accessor == IM_NONE) {
        float *inverse =
            lmi_arena_zeros(im->arena, (uint64_t)skin->num_joints * 16, sizeof *inverse);
        for (uint32_t i = 0; inverse && i < skin->num_joints * (uint64_t)4; i++)
            inverse[(size_t)i / 4 * 16 + i % 4 * 5] = 1;
        skin->inverse = inverse;
    } else if (gltf->accessors[accessor].width != 16 ||
               gltf->accessors[accessor].count < skin->num_joints) {
        return lmi_im_fail(im, LM_CODE_BAD_GLTF, location,
                           "its inverse bind matrices are %u of %u numbers each, but there are %u "
                           "joints",
                           (unsigned)gltf->accessors[accessor].count,
                           (unsigned)gltf->accessors[accessor].width, (unsigned)skin->num_joints);
    } else {
        skin->inverse = lmi_im_shared_floats(im, gltf, accessor);
    }
    return skin->inverse != NULL;
}

bool lmi_im_read_skins(importing *im, lm_im_gltf *gltf) {
    gltf->skins =
        lmi_im_read_array(im, gltf, "skins", sizeof *gltf->skins, read_skin, &gltf->num_skins);
    return gltf->skins != NULL;
}
