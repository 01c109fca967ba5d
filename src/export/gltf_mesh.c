#include "export/gltf.h"

#include "core/bytes.h"

#include <string.h>

/* ---- What all parts of a surface share --------------------------------------------------------
 */

static bool add_indices(lm_gltf *g, lm_gltf_mesh *mesh) {
    const lm_surface *surface = mesh->surface;
    /* 65535 itself would restart a primitive. */
    bool wide = surface->num_vertices > UINT16_MAX;
    lm_accessor entry = {.stream = LM_STREAM_INDICES,
                         .component = wide ? LM_GLTF_UNSIGNED_INT : LM_GLTF_UNSIGNED_SHORT,
                         .type = "SCALAR"};
    for (uint32_t i = 0; i < surface->num_triangles; i++)
        entry.count += lm_is_degenerate(surface->triangles + 3 * (size_t)i) ? 0 : 3;
    uint8_t *out = lm_gltf_reserve(g, LM_STREAM_INDICES, (uint64_t)entry.count * (wide ? 4 : 2),
                                   &entry.offset);
    if (!out)
        return false;
    for (uint32_t i = 0; i < surface->num_triangles; i++) {
        const uint32_t *corners = surface->triangles + 3 * (size_t)i;
        if (lm_is_degenerate(corners))
            continue;
        for (unsigned k = 0; k < 3; k++, out += wide ? 4 : 2) {
            uint32_t corner = corners[(3 - k) % 3]; /* a, c, b: counter-clockwise */
            if (wide)
                lm_put_u32(out, corner);
            else
                lm_put_u16(out, (uint16_t)corner);
        }
    }
    mesh->indices = lm_gltf_add_accessor(g, &entry);
    return true;
}

static bool add_st(lm_gltf *g, lm_gltf_mesh *mesh) {
    const lm_surface *surface = mesh->surface;
    if (g->body->quantized && lm_gltf_can_quantize_st(surface))
        return lm_gltf_quantize_st(g, surface, &mesh->st);
    lm_accessor entry = {
        .stream = LM_STREAM_8, .component = LM_GLTF_FLOAT, .count = mesh->count, .type = "VEC2"};
    uint8_t *out = lm_gltf_reserve(g, LM_STREAM_8, (uint64_t)mesh->count * 8, &entry.offset);
    if (!out)
        return false;
    for (uint32_t i = 0; i < mesh->count; i++) {
        lm_put_f32(out + 8 * (size_t)i, surface->st[i].x);
        lm_put_f32(out + 8 * (size_t)i + 4, surface->st[i].y);
    }
    mesh->st = lm_gltf_add_accessor(g, &entry);
    return true;
}

static bool add_base(lm_gltf *g, lm_gltf_mesh *mesh) {
    if (!lm_export_sample(&g->body->job, mesh->surface_index, 0, mesh->base_positions,
                          mesh->base_normals, g->error))
        return false;
    if (g->body->quantized)
        return lm_gltf_quantize_base(g, mesh);
    return lm_gltf_add_vectors(g, mesh->base_positions, mesh->count, true, &mesh->position) &&
           lm_gltf_add_vectors(g, mesh->base_normals, mesh->count, false, &mesh->normal);
}

/* ---- Morph targets ----------------------------------------------------------------------------
 */

static void subtract(lm_vec3 *from, const lm_vec3 *what, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        from[i] = (lm_vec3){from[i].x - what[i].x, from[i].y - what[i].y, from[i].z - what[i].z};
}

static bool add_target(lm_gltf *g, lm_gltf_mesh *mesh, uint32_t frame) {
    uint32_t normal;
    uint32_t *position = &mesh->target_accessors[frame];
    if (!lm_export_sample(&g->body->job, mesh->surface_index, frame, mesh->positions, mesh->normals,
                          g->error))
        return false;
    g->num_targets++;
    if (g->body->quantized)
        return lm_gltf_quantize_target(g, mesh, position, &normal);
    subtract(mesh->positions, mesh->base_positions, mesh->count);
    subtract(mesh->normals, mesh->base_normals, mesh->count);
    return lm_gltf_add_vectors(g, mesh->positions, mesh->count, true, position) &&
           lm_gltf_add_vectors(g, mesh->normals, mesh->count, false, &normal);
}

/* Adds those targets of a part that no earlier part has. */
static bool add_targets(lm_gltf *g, lm_gltf_mesh *mesh, const uint32_t *frames, uint32_t count) {
    const uint32_t *poses = g->body->plan.poses + (size_t)mesh->index * g->body->plan.num_frames;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t pose = poses[frames[i]];
        if (mesh->target_accessors[pose] == LM_NO_INDEX && !add_target(g, mesh, pose))
            return false;
    }
    return true;
}

/* ---- The mesh itself --------------------------------------------------------------------------
 */

static void write_targets(lm_gltf *g, const lm_gltf_mesh *mesh, const uint32_t *frames,
                          uint32_t count) {
    const uint32_t *poses = g->body->plan.poses + (size_t)mesh->index * g->body->plan.num_frames;
    lm_json_open(&g->meshes, "targets", '[');
    for (uint32_t i = 0; i < count; i++) {
        uint32_t position = mesh->target_accessors[poses[frames[i]]];
        lm_json_open(&g->meshes, NULL, '{');
        lm_json_integer(&g->meshes, "POSITION", position);
        lm_json_integer(&g->meshes, "NORMAL", position + 1);
        lm_json_close(&g->meshes);
    }
    lm_json_close(&g->meshes);
}

static void write_target_names(lm_gltf *g, const uint32_t *frames, uint32_t count) {
    lm_json_open(&g->meshes, "extras", '{');
    lm_json_open(&g->meshes, "targetNames", '[');
    for (uint32_t i = 0; i < count; i++)
        lm_json_string(&g->meshes, NULL, g->body->frame_names[frames[i]]);
    lm_json_close(&g->meshes);
    lm_json_close(&g->meshes);
}

static void write_mesh(lm_gltf *g, const lm_gltf_mesh *mesh, const char *name,
                       const uint32_t *frames, uint32_t count) {
    lm_json *json = &g->meshes;
    lm_json_open(json, NULL, '{');
    lm_json_string(json, "name", name);
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
        write_targets(g, mesh, frames, count);
    lm_gltf_write_mappings(g, mesh->index);
    lm_json_close(json);
    lm_json_close(json);
    if (count > 0)
        write_target_names(g, frames, count);
    lm_json_close(json);
}

static const char *surface_name(const lm_gltf *g, const lm_surface *surface) {
    return surface->name[0] ? surface->name : g->body->job.name;
}

static bool write_part(lm_gltf *g, lm_gltf_mesh *mesh, uint32_t part, uint8_t *slots) {
    uint32_t frames[LM_MAX_TARGETS];
    uint32_t count = lm_gltf_slots(&g->body->plan, part, mesh->index, slots, frames);
    if (!add_targets(g, mesh, frames, count))
        return false;
    write_mesh(g, mesh, surface_name(g, mesh->surface), frames, count);
    return true;
}

/* ---- All of them ------------------------------------------------------------------------------
 */

static bool write_surface(lm_gltf *g, lm_gltf_mesh *mesh, uint8_t *slots) {
    if (!lm_gltf_find_materials(g, mesh->index, &mesh->material) || !add_base(g, mesh) ||
        !add_st(g, mesh) || !add_indices(g, mesh))
        return false;
    for (uint32_t i = 0; i < g->body->plan.num_frames; i++)
        mesh->target_accessors[i] = LM_NO_INDEX;
    for (uint32_t part = 0; part < g->body->plan.num_parts; part++)
        if (!write_part(g, mesh, part, slots))
            return false;
    return true;
}

/* Lays a surface's scratch out in one block. */
static void carve_scratch(const lm_gltf *g, lm_block *block, lm_gltf_mesh *mesh) {
    lm_vec3 **vectors[] = {&mesh->base_positions, &mesh->base_normals, &mesh->positions,
                           &mesh->normals};
    for (unsigned i = 0; i < 4; i++)
        *vectors[i] = lm_carve(block, mesh->count, sizeof **vectors[i]);
    if (!g->body->quantized)
        return;
    lm_gltf_ints **steps[] = {&mesh->base_steps, &mesh->base_normal_steps, &mesh->steps};
    for (unsigned i = 0; i < 3; i++)
        *steps[i] = lm_carve(block, mesh->count, sizeof **steps[i]);
}

static bool write_surface_with_scratch(lm_gltf *g, uint32_t index) {
    lm_gltf_mesh mesh = {.index = index, .surface_index = g->body->plan.surfaces[index]};
    mesh.surface = &g->body->job.model->surfaces[mesh.surface_index];
    mesh.count = mesh.surface->num_vertices;
    lm_block block = {0};
    uint8_t *slots = NULL;
    for (int pass = 0; pass < 2; pass++) {
        uint64_t size = block.size;
        if (pass == 1 && !(block.base = lm_heap_alloc(&g->heap, size, 1)))
            return false;
        block.size = 0;
        carve_scratch(g, &block, &mesh);
        mesh.target_accessors =
            lm_carve(&block, g->body->plan.num_frames, sizeof *mesh.target_accessors);
        slots = lm_carve(&block, g->body->plan.num_frames, 1);
    }
    bool ok = write_surface(g, &mesh, slots);
    lm_heap_free(&g->heap, block.base, (size_t)block.size);
    return ok;
}

static bool write_body(lm_gltf *g) {
    if (!lm_gltf_find_variants(g))
        return false;
    for (uint32_t i = 0; i < g->body->plan.num_meshes; i++)
        if (!write_surface_with_scratch(g, i))
            return false;
    return true;
}

bool lm_gltf_write_meshes(lm_gltf *g) {
    for (uint32_t i = 0; i < g->scene->num_parts; i++) {
        g->body = &g->bodies[i];
        if (!write_body(g))
            return false;
        g->num_meshes += g->body->plan.num_meshes * (uint32_t)g->body->plan.num_parts;
    }
    return true;
}
