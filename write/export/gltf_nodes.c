#include "export/gltf.h"

#include <stdio.h>

void lm_gltf_number_nodes(lm_gltf *g) {
    uint32_t node = 0, mesh = 0;
    for (uint32_t i = 0; i < g->scene->num_parts; i++) {
        lm_gltf_body *body = &g->bodies[i];
        body->first_node = node;
        body->first_mesh = mesh;
        node = lm_gltf_end_node(body);
        mesh += (uint32_t)body->plan.num_bundles * body->plan.num_meshes;
    }
}

/* Returns whether a node of a body is written below a tag of `holder`; -1: in the scene. */
static bool is_held(const lm_gltf_body *body, uint32_t node, int32_t holder, uint32_t tag) {
    const bool here = body->holder == holder && (holder < 0 || body->tag == tag);
    if (!body->skeleton)
        return here;
    if (node < lm_gltf_tag_node(body, 0)) /* joints alone move a skinned mesh */
        return holder < 0;
    return here && node == lm_gltf_joint_node(body, 0); /* the others are below it */
}

void lm_gltf_write_held(const lm_gltf *g, lm_json *json, const char *key, int32_t holder,
                        uint32_t tag) {
    bool any = false;
    for (uint32_t i = 0; i < g->scene->num_parts; i++) {
        const lm_gltf_body *body = &g->bodies[i];
        /* With several bundles, the meshes are children of the groups. */
        bool groups = body->plan.num_bundles > 1;
        uint32_t node = groups ? lm_gltf_bundle_node(body, 0) : body->first_node;
        for (; node < lm_gltf_end_node(body); node++) {
            if (!is_held(body, node, holder, tag))
                continue;
            if (!any)
                lm_json_open(json, key, '[');
            any = true;
            lm_json_integer(json, NULL, node);
        }
    }
    if (any)
        lm_json_close(json);
}

static bool write_mesh_node(lm_gltf_body *body, uint32_t bundle, uint32_t mesh) {
    const char *name = body->job.model->surfaces[body->plan.surfaces[mesh]].name;
    uint64_t index = body->first_mesh + (uint64_t)mesh * body->plan.num_bundles + bundle;
    lm_json *json =
        lm_gltf_open(&body->g->nodes, &body->g->node_names, name[0] ? name : body->job.name);
    if (!json)
        return false;
    lm_json_integer(json, "mesh", (int64_t)index);
    if (body->skeleton)
        lm_json_integer(json, "skin", body->skin);
    if (body->quantized) {
        const float step = body->grid.step, steps[] = {step, step, step};
        lm_gltf_write_floats(json, "translation", &body->grid.offset.x, 3);
        lm_gltf_write_floats(json, "scale", steps, 3);
    }
    lm_json_close(json);
    return true;
}

/* Writes the node that shows and hides a bundle. Initially, the first bundle is visible. */
static bool write_bundle_node(lm_gltf_body *body, uint32_t bundle) {
    static const float nothing[] = {0, 0, 0};
    char name[24];
    snprintf(name, sizeof name, "part %u", (unsigned)bundle + 1);
    lm_json *json = lm_gltf_open(&body->g->nodes, &body->g->node_names, name);
    if (!json)
        return false;
    lm_json_open(json, "children", '[');
    for (uint32_t mesh = 0; mesh < body->plan.num_meshes; mesh++)
        lm_json_integer(json, NULL, lm_gltf_mesh_node(body, bundle, mesh));
    lm_json_close(json);
    if (bundle > 0)
        lm_gltf_write_floats(json, "scale", nothing, 3);
    lm_json_close(json);
    return true;
}

static bool write_tag_node(lm_gltf_body *body, uint32_t tag) {
    const char *name = body->job.model->tags[tag].name;
    lm_gltf_transform transform;
    if (!lm_gltf_transform_tag(body, tag, lm_export_pose(&body->job, body->plan.base), &transform))
        return false;
    lm_json *json = lm_gltf_open(&body->g->nodes, &body->g->node_names, name[0] ? name : "tag");
    if (!json)
        return false;
    lm_gltf_write_held(body->g, json, "children", (int32_t)(body - body->g->bodies), tag);
    lm_gltf_write_floats(json, "translation", &transform.translation.x, 3);
    lm_gltf_write_floats(json, "rotation", transform.rotation, 4);
    if (lm_gltf_is_scaled(&transform))
        lm_gltf_write_floats(json, "scale", &transform.scale.x, 3);
    lm_json_open(json, "extras", '{');
    lm_json_string(json, "tag", name);
    lm_json_close(json);
    lm_json_close(json);
    return true;
}

bool lm_gltf_write_nodes(lm_gltf_body *body) {
    uint32_t num_bundles = (uint32_t)body->plan.num_bundles;
    for (uint32_t bundle = 0; bundle < num_bundles; bundle++)
        for (uint32_t mesh = 0; mesh < body->plan.num_meshes; mesh++)
            if (!write_mesh_node(body, bundle, mesh))
                return false;
    for (uint32_t bundle = 0; bundle < num_bundles && num_bundles > 1; bundle++)
        if (!write_bundle_node(body, bundle))
            return false;
    for (uint32_t tag = 0; tag < body->job.model->num_tags; tag++)
        if (!write_tag_node(body, tag))
            return false;
    return lm_gltf_write_joints(body);
}
