#include "export/gltf.h"

#include "core/bytes.h"

#include <string.h>

/* ---- What all bundles of a surface share ----------------------------------------------------- */

static bool add_indices(lm_gltf_mesh *mesh) {
    const lm_surface *surface = mesh->surface;
    /* 65535 itself would restart a primitive. */
    bool wide = mesh->count > UINT16_MAX;
    lm_accessor entry = {.stream = LM_STREAM_INDICES,
                         .component = wide ? LM_GLTF_UNSIGNED_INT : LM_GLTF_UNSIGNED_SHORT,
                         .type = "SCALAR"};
    uint32_t corners[3];
    for (uint32_t i = 0; i < surface->num_triangles; i++)
        entry.count +=
            lm_gltf_corners(mesh->weld, surface->triangles + 3 * (size_t)i, corners) ? 3 : 0;
    uint8_t *out = lm_gltf_reserve_elements(mesh->body->g, &entry, wide ? 4 : 2);
    if (!out)
        return false;
    for (uint32_t i = 0; i < surface->num_triangles; i++) {
        if (!lm_gltf_corners(mesh->weld, surface->triangles + 3 * (size_t)i, corners))
            continue;
        for (unsigned k = 0; k < 3; k++, out += wide ? 4 : 2) {
            uint32_t corner = corners[(3 - k) % 3]; /* a, c, b: counter-clockwise */
            if (wide)
                lm_put_u32(out, corner);
            else
                lm_put_u16(out, (uint16_t)corner);
        }
    }
    mesh->indices = lm_gltf_add_accessor(mesh->body->g, &entry);
    return true;
}

static bool add_st(lm_gltf_mesh *mesh) {
    const lm_vec2 *st = mesh->surface->st;
    if (mesh->body->quantized && lm_gltf_can_quantize_st(mesh->surface))
        return lm_gltf_quantize_st(mesh);
    lm_accessor entry = {
        .stream = LM_STREAM_8, .component = LM_GLTF_FLOAT, .count = mesh->count, .type = "VEC2"};
    uint8_t *out = lm_gltf_reserve_elements(mesh->body->g, &entry, 8);
    if (!out)
        return false;
    for (uint32_t i = 0; i < mesh->count; i++) {
        uint32_t vertex = mesh->weld->vertices[i];
        lm_put_f32(out + 8 * (size_t)i, st[vertex].x);
        lm_put_f32(out + 8 * (size_t)i + 4, st[vertex].y);
    }
    mesh->st = lm_gltf_add_accessor(mesh->body->g, &entry);
    return true;
}

/* Two accessors, one after the other. */
static bool add_vectors(lm_gltf_mesh *mesh, const lm_vec3 *positions, const lm_vec3 *normals,
                        uint32_t *position, uint32_t *normal) {
    lm_gltf *g = mesh->body->g;
    return lm_gltf_add_vectors(g, positions, mesh->count, true, position) &&
           lm_gltf_add_vectors(g, normals, mesh->count, false, normal);
}

/* The welded vertices in a frame. */
static bool sample(const lm_gltf_mesh *mesh, uint32_t frame, lm_vec3 *positions, lm_vec3 *normals) {
    if (!lm_export_sample(&mesh->body->job, mesh->surface_index, frame, positions, normals,
                          mesh->body->g->error))
        return false;
    for (uint32_t i = 0; i < mesh->count; i++) {
        positions[i] = positions[mesh->weld->vertices[i]];
        normals[i] = normals[mesh->weld->vertices[i]];
    }
    return true;
}

static bool add_base(lm_gltf_mesh *mesh) {
    if (!sample(mesh, mesh->body->plan.base, mesh->base_positions, mesh->base_normals))
        return false;
    return mesh->body->quantized ? lm_gltf_quantize_base(mesh)
                                 : add_vectors(mesh, mesh->base_positions, mesh->base_normals,
                                               &mesh->position, &mesh->normal);
}

/* ---- Morph targets ------------------------------------------------------------------------- */

static void subtract(lm_vec3 *from, const lm_vec3 *what, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        from[i] = (lm_vec3){from[i].x - what[i].x, from[i].y - what[i].y, from[i].z - what[i].z};
}

static bool add_target(lm_gltf_mesh *mesh, uint32_t frame) {
    uint32_t normal;
    uint32_t *position = &mesh->target_accessors[frame];
    if (!sample(mesh, frame, mesh->positions, mesh->normals))
        return false;
    mesh->body->g->num_targets++;
    if (mesh->body->quantized)
        return lm_gltf_quantize_target(mesh, position, &normal);
    subtract(mesh->positions, mesh->base_positions, mesh->count);
    subtract(mesh->normals, mesh->base_normals, mesh->count);
    return add_vectors(mesh, mesh->positions, mesh->normals, position, &normal);
}

/* Adds those targets of a bundle that no earlier bundle has. */
static bool add_targets(lm_gltf_mesh *mesh, const uint32_t *frames, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t pose = mesh->poses[frames[i]];
        if (mesh->target_accessors[pose] == LM_NO_INDEX && !add_target(mesh, pose))
            return false;
    }
    return true;
}

/* ---- The mesh itself ----------------------------------------------------------------------- */

static void write_targets(lm_json *json, const lm_gltf_mesh *mesh, const uint32_t *frames,
                          uint32_t count) {
    lm_json_open(json, "targets", '[');
    for (uint32_t i = 0; i < count; i++) {
        uint32_t position = mesh->target_accessors[mesh->poses[frames[i]]];
        lm_json_open(json, NULL, '{');
        lm_json_integer(json, "POSITION", position);
        lm_json_integer(json, "NORMAL", position + 1);
        lm_json_close(json);
    }
    lm_json_close(json);
}

/* Where one of them is not 0, which is what real files have. */
static void write_shader_numbers(lm_json *json, const lm_surface *surface) {
    bool numbered = false;
    for (uint32_t i = 0; i < surface->num_materials; i++)
        numbered = numbered || surface->materials[i].flags != 0;
    if (!numbered)
        return;
    lm_json_open(json, "shaderNumbers", '[');
    for (uint32_t i = 0; i < surface->num_materials; i++)
        lm_json_integer(json, NULL, (uint32_t)surface->materials[i].flags);
    lm_json_close(json);
}

/* What the surface is called and wears in the model, which may differ from what is needed here. */
static void write_extras(lm_json *json, const lm_gltf_mesh *mesh, const uint32_t *frames,
                         uint32_t count) {
    const lm_surface *surface = mesh->surface;
    const bool comes_back = lm_gltf_comes_back(mesh->body->g);
    if (!comes_back && count == 0)
        return;
    lm_json_open(json, "extras", '{');
    if (comes_back) {
        lm_json_string(json, "surface", surface->name);
        lm_json_open(json, "shaders", '[');
        for (uint32_t i = 0; i < surface->num_materials; i++)
            lm_json_string(json, NULL, surface->materials[i].name);
        lm_json_close(json);
        write_shader_numbers(json, surface);
        if (surface->flags != 0)
            lm_json_integer(json, "flags", (uint32_t)surface->flags);
    }
    if (count > 0) {
        lm_json_open(json, "targetNames", '[');
        for (uint32_t i = 0; i < count; i++)
            lm_json_string(json, NULL, mesh->body->frame_names[frames[i]]);
        lm_json_close(json);
    }
    lm_json_close(json);
}

static void write_mesh(const lm_gltf_mesh *mesh, const uint32_t *frames, uint32_t count) {
    const lm_gltf_body *body = mesh->body;
    const char *name = mesh->surface->name;
    lm_json *json = &body->g->meshes.json;
    lm_json_open(json, NULL, '{');
    lm_json_string(json, "name", name[0] ? name : body->job.name);
    lm_json_open(json, "primitives", '[');
    lm_json_open(json, NULL, '{');
    lm_json_open(json, "attributes", '{');
    lm_json_integer(json, "POSITION", mesh->position);
    lm_json_integer(json, "NORMAL", mesh->normal);
    lm_json_integer(json, "TEXCOORD_0", mesh->st);
    lm_json_close(json);
    lm_json_integer(json, "indices", mesh->indices);
    lm_json_integer(json, "material", mesh->material);
    if (count > 0)
        write_targets(json, mesh, frames, count);
    lm_gltf_write_mappings(body, mesh->index);
    lm_json_close(json);
    lm_json_close(json);
    write_extras(json, mesh, frames, count);
    lm_json_close(json);
    body->g->meshes.count++;
}

/* ---- All of them --------------------------------------------------------------------------- */

static bool write_surface(lm_gltf_mesh *mesh) {
    const lm_gltf_body *body = mesh->body;
    if (!lm_gltf_find_materials(mesh->body, mesh->index, &mesh->material) || !add_base(mesh) ||
        !add_st(mesh) || !add_indices(mesh))
        return false;
    for (uint32_t bundle = 0; bundle < body->plan.num_bundles; bundle++) {
        const lm_gltf_targets targets =
            lm_gltf_find_targets(&body->plan, bundle, mesh->index, body->of_pose);
        if (!add_targets(mesh, targets.frames, targets.count))
            return false;
        write_mesh(mesh, targets.frames, targets.count);
    }
    return true;
}

static bool alloc_scratch(lm_arena *scratch, lm_gltf_mesh *mesh) {
    uint32_t num_frames = mesh->body->plan.num_frames;
    size_t room = mesh->surface->num_vertices; /* sampled, and then welded */
    lm_vec3 *vectors = lm_arena_alloc(scratch, room, 4 * sizeof *vectors);
    mesh->target_accessors = lm_arena_alloc(scratch, num_frames, sizeof *mesh->target_accessors);
    if (!vectors || !mesh->target_accessors)
        return false;
    memset(mesh->target_accessors, 0xFF, num_frames * sizeof *mesh->target_accessors);
    mesh->base_positions = vectors;
    mesh->base_normals = vectors + room;
    mesh->positions = vectors + 2 * room;
    mesh->normals = vectors + 3 * room;
    if (!mesh->body->quantized)
        return true;
    mesh->base_steps = lm_arena_alloc(scratch, mesh->count, 3 * sizeof *mesh->base_steps);
    if (!mesh->base_steps)
        return false;
    mesh->base_normal_steps = mesh->base_steps + mesh->count;
    mesh->steps = mesh->base_steps + 2 * (size_t)mesh->count;
    return true;
}

bool lm_gltf_write_meshes(lm_gltf_body *body) {
    const lm_gltf_plan *plan = &body->plan;
    if (!lm_gltf_find_variants(body))
        return false;
    for (uint32_t i = 0; i < plan->num_meshes; i++) {
        const lm_surface *surface = &body->job.model->surfaces[plan->surfaces[i]];
        lm_arena scratch = {.heap = &body->g->heap};
        lm_gltf_mesh mesh = {.body = body,
                             .index = i,
                             .surface_index = plan->surfaces[i],
                             .surface = surface,
                             .weld = &plan->welds[i],
                             .poses = lm_gltf_poses(plan, i),
                             .count = plan->welds[i].count};
        bool ok = alloc_scratch(&scratch, &mesh) && write_surface(&mesh);
        lm_arena_free(&scratch);
        if (!ok)
            return false;
    }
    return true;
}
