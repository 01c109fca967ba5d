#include "export/gltf.h"

#include <stdio.h>

void lm_gltf_number_nodes(lm_gltf *g) {
    uint32_t node = 0, mesh = 0;
    for (uint32_t i = 0; i < g->scene->num_parts; i++) {
        lm_gltf_body *body = &g->bodies[i];
        body->first_node = node;
        body->first_mesh = mesh;
        node = lm_gltf_end_node(body);
        mesh += (uint32_t)body->plan.num_parts * body->plan.num_meshes;
    }
}

static void write_vec3(lm_json *json, const char *key, lm_vec3 v) {
    lm_json_open(json, key, '[');
    lm_json_float(json, NULL, v.x);
    lm_json_float(json, NULL, v.y);
    lm_json_float(json, NULL, v.z);
    lm_json_close(json);
}

static bool open_node(lm_gltf *g, const char *wanted) {
    const char *name = lm_names_add(&g->node_names, wanted);
    if (!name)
        return false;
    lm_json_open(&g->nodes, NULL, '{');
    lm_json_string(&g->nodes, "name", name);
    g->num_nodes++;
    return true;
}

/* The first and the last but one of a body's nodes that have no parent among its own. */
static uint32_t first_top_node(const lm_gltf_body *body) {
    return body->plan.num_parts > 1 ? lm_gltf_part_node(body, 0) : body->first_node;
}

bool lm_gltf_write_held(const lm_gltf *g, lm_json *json, const char *key, int32_t holder,
                        uint32_t tag) {
    bool any = false;
    for (uint32_t i = 0; i < g->scene->num_parts; i++) {
        const lm_gltf_body *body = &g->bodies[i];
        if (body->holder != holder || (holder >= 0 && body->tag != tag))
            continue;
        for (uint32_t node = first_top_node(body); node < lm_gltf_end_node(body); node++) {
            if (!any)
                lm_json_open(json, key, '[');
            any = true;
            lm_json_integer(json, NULL, node);
        }
    }
    if (any)
        lm_json_close(json);
    return any;
}

static bool write_mesh_node(lm_gltf *g, uint32_t part, uint32_t mesh) {
    const lm_gltf_body *body = g->body;
    const char *name = body->job.model->surfaces[body->plan.surfaces[mesh]].name;
    if (!open_node(g, name[0] ? name : body->job.name))
        return false;
    lm_json_integer(&g->nodes, "mesh",
                    (int64_t)body->first_mesh + (int64_t)mesh * (int64_t)body->plan.num_parts +
                        part);
    if (body->quantized) {
        float step = body->grid.step;
        write_vec3(&g->nodes, "translation", body->grid.offset);
        write_vec3(&g->nodes, "scale", (lm_vec3){step, step, step});
    }
    lm_json_close(&g->nodes);
    return true;
}

/* The node that shows and hides a part: at first, the first one shows. */
static bool write_part_node(lm_gltf *g, uint32_t part) {
    char name[24];
    snprintf(name, sizeof name, "part %u", (unsigned)part + 1);
    if (!open_node(g, name))
        return false;
    lm_json_open(&g->nodes, "children", '[');
    for (uint32_t mesh = 0; mesh < g->body->plan.num_meshes; mesh++)
        lm_json_integer(&g->nodes, NULL, lm_gltf_mesh_node(g->body, part, mesh));
    lm_json_close(&g->nodes);
    if (part > 0)
        write_vec3(&g->nodes, "scale", (lm_vec3){0, 0, 0});
    lm_json_close(&g->nodes);
    return true;
}

static bool write_tag_node(lm_gltf *g, uint32_t tag) {
    const lm_gltf_body *body = g->body;
    const char *name = body->job.model->tags[tag].name;
    lm_gltf_place place;
    if (!lm_gltf_place_tag(g, tag, lm_export_pose(&body->job, 0), &place) ||
        !open_node(g, name[0] ? name : "tag"))
        return false;
    lm_gltf_write_held(g, &g->nodes, "children", (int32_t)(body - g->bodies), tag);
    write_vec3(&g->nodes, "translation", place.translation);
    lm_json_open(&g->nodes, "rotation", '[');
    for (unsigned i = 0; i < 4; i++)
        lm_json_float(&g->nodes, NULL, place.rotation[i]);
    lm_json_close(&g->nodes);
    if (place.scale.x != 1 || place.scale.y != 1 || place.scale.z != 1)
        write_vec3(&g->nodes, "scale", place.scale);
    lm_json_open(&g->nodes, "extras", '{');
    lm_json_string(&g->nodes, "tag", name);
    lm_json_close(&g->nodes);
    lm_json_close(&g->nodes);
    return true;
}

static bool write_body(lm_gltf *g) {
    uint32_t num_parts = (uint32_t)g->body->plan.num_parts;
    for (uint32_t part = 0; part < num_parts; part++)
        for (uint32_t mesh = 0; mesh < g->body->plan.num_meshes; mesh++)
            if (!write_mesh_node(g, part, mesh))
                return false;
    for (uint32_t part = 0; part < num_parts && num_parts > 1; part++)
        if (!write_part_node(g, part))
            return false;
    for (uint32_t tag = 0; tag < g->body->job.model->num_tags; tag++)
        if (!write_tag_node(g, tag))
            return false;
    return true;
}

bool lm_gltf_write_nodes(lm_gltf *g) {
    for (uint32_t i = 0; i < g->scene->num_parts; i++) {
        g->body = &g->bodies[i];
        if (!write_body(g))
            return false;
    }
    return true;
}
