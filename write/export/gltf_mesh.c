#include "export/gltf.h"

#include "core/bytes.h"

#include <math.h>

/* ---- Accessors that all bundles of a surface share ------------------------------------------ */

uint32_t lmi_gltf_add_triangles(lm_gltf *g, const lm_welded *weld, const uint32_t *triangles,
                                uint32_t num_triangles, uint32_t num_drawn, unsigned size) {
    lm_accessor entry = {.stream = LM_STREAM_INDICES,
                         .component = lmi_gltf_unsigned(size),
                         .count = 3 * num_drawn,
                         .type = "SCALAR"};
    uint32_t corners[3];
    uint8_t *out = lmi_gltf_reserve_elements(g, &entry, size);
    for (uint32_t i = 0; out && i < num_triangles; i++) {
        if (!lmi_gltf_corners(weld, triangles + 3 * (size_t)i, corners))
            continue;
        for (unsigned k = 0; k < 3; k++, out += size) /* a, c, b: counter-clockwise */
            lmi_gltf_put_unsigned(out, corners[(3 - k) % 3], size);
    }
    return lmi_gltf_add_accessor(g, &entry);
}

uint32_t lmi_gltf_add_st(lm_gltf *g, const lm_vec2 *st, uint32_t count, bool small) {
    lm_accessor entry = {.stream = small ? LM_STREAM_4 : LM_STREAM_8,
                         .component = small ? LM_GLTF_UNSIGNED_SHORT : LM_GLTF_FLOAT,
                         .normalized = small,
                         .count = count,
                         .type = "VEC2"};
    uint8_t *out = lmi_gltf_reserve_elements(g, &entry, small ? 4 : 8);
    for (uint32_t i = 0; out && i < count; i++, out += small ? 4 : 8) {
        if (small) {
            lmi_put_u16(out, (uint16_t)lrintf(st[i].x * UINT16_MAX));
            lmi_put_u16(out + 2, (uint16_t)lrintf(st[i].y * UINT16_MAX));
        } else {
            lmi_put_f32(out, st[i].x);
            lmi_put_f32(out + 4, st[i].y);
        }
    }
    return lmi_gltf_add_accessor(g, &entry);
}

/* Samples the welded vertices in a frame. */
static bool sample(const lm_gltf_mesh *mesh, uint32_t frame, lm_vec3 *positions, lm_vec3 *normals) {
    if (!lmi_export_sample(&mesh->body->job, mesh->surface_index, frame, positions, normals))
        return false;
    for (uint32_t i = 0; i < mesh->count; i++) {
        positions[i] = positions[mesh->weld->vertices[i]];
        normals[i] = normals[mesh->weld->vertices[i]];
    }
    return true;
}

/* The same, in integer steps if the body is quantised. */
static bool sample_steps(const lm_gltf_mesh *mesh, uint32_t frame, lm_vec3 *positions,
                         lm_vec3 *normals) {
    const bool sampled = sample(mesh, frame, positions, normals);
    if (sampled && mesh->body->quantized)
        lmi_gltf_quantize(&mesh->body->grid, positions, normals, mesh->count);
    return sampled;
}

static bool add_base(lm_gltf_mesh *mesh) {
    const lm_gltf_body *body = mesh->body;
    const uint32_t count = mesh->count;
    const unsigned kind = body->quantized ? LM_VECTORS_INTEGERS : 0;
    lm_gltf *g = body->g;
    if (mesh->steps) {
        const int32_t *base = mesh->steps->base;
        mesh->position = lmi_gltf_add_positions(g, base, count, false);
        mesh->normal =
            lmi_gltf_add_normals(g, base + 3 * (size_t)count, count, LM_BASE_NORMAL_EXPONENT);
        return true;
    }
    if (!sample_steps(mesh, body->plan.base, mesh->base_positions, mesh->base_normals))
        return false;
    if (body->skeleton) {
        lmi_gltf_add_correctives(mesh);
        lmi_gltf_add_influences(mesh);
        lmi_gltf_sample_rest(mesh);
    }
    mesh->position = lmi_gltf_add_vectors(g, mesh->base_positions, count, kind);
    mesh->normal = lmi_gltf_add_vectors(g, mesh->base_normals, count, kind | LM_VECTORS_NORMALS);
    return true;
}

/* ---- Morph targets ------------------------------------------------------------------------- */

static void subtract(lm_vec3 *from, const lm_vec3 *what, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        from[i] = (lm_vec3){from[i].x - what[i].x, from[i].y - what[i].y, from[i].z - what[i].z};
}

/* Returns true if a component of a normal changes by more than 1, the limit of normalised
 * integers. */
static bool rotates_far(const lm_vec3 *steps, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (fabsf(steps[i].x) > LM_NORMAL_STEPS || fabsf(steps[i].y) > LM_NORMAL_STEPS ||
            fabsf(steps[i].z) > LM_NORMAL_STEPS)
            return true;
    return false;
}

/* Samples such normals, which stay floats, as differences from the base. */
static bool sample_far_normals(const lm_gltf_mesh *mesh, uint32_t frame) {
    if (!sample(mesh, frame, mesh->positions, mesh->normals))
        return false;
    for (uint32_t i = 0; i < mesh->count; i++) {
        const lm_vec3 base = mesh->base_normals[i];
        lm_vec3 *n = &mesh->normals[i];
        *n = (lm_vec3){n->x - base.x / LM_NORMAL_STEPS, n->y - base.y / LM_NORMAL_STEPS,
                       n->z - base.z / LM_NORMAL_STEPS};
    }
    return true;
}

/* Adds the two accessors of a target: positions, then normals. */
static bool add_target(lm_gltf_mesh *mesh, uint32_t frame) {
    lm_gltf *g = mesh->body->g;
    unsigned kind = LM_VECTORS_TARGET | (mesh->body->quantized ? LM_VECTORS_INTEGERS : 0);
    if (!sample_steps(mesh, frame, mesh->positions, mesh->normals))
        return false;
    subtract(mesh->positions, mesh->base_positions, mesh->count);
    subtract(mesh->normals, mesh->base_normals, mesh->count);
    mesh->target_accessors[frame] = lmi_gltf_add_vectors(g, mesh->positions, mesh->count, kind) + 1;
    if (mesh->body->quantized && rotates_far(mesh->normals, mesh->count)) {
        kind = 0;
        if (!sample_far_normals(mesh, frame))
            return false;
    }
    lmi_gltf_add_vectors(g, mesh->normals, mesh->count, kind | LM_VECTORS_NORMALS);
    return true;
}

/* The same, as differences from another pose. */
static void add_packed_target(lm_gltf_mesh *mesh, uint32_t frame, uint32_t reference) {
    const lm_gltf_steps *steps = mesh->steps;
    const int16_t *row = lmi_gltf_row(steps, steps->rows_of[frame]);
    const int16_t *other = lmi_gltf_row(steps, steps->rows_of[reference]);
    const size_t count = mesh->count;
    lm_gltf *g = mesh->body->g;
    for (size_t i = 0; i < 6 * count; i++)
        mesh->difference[i] = row[i] - other[i];
    mesh->target_accessors[frame] =
        lmi_gltf_add_positions(g, mesh->difference, mesh->count, true) + 1;
    mesh->target_references[frame] = reference;
    if (steps->normals_move)
        lmi_gltf_add_normals(g, mesh->difference + 3 * count, mesh->count, steps->normal_exponent);
}

/* Adds those targets of a bundle that no earlier bundle has. */
static bool add_targets(lm_gltf_mesh *mesh, const lm_gltf_targets *targets) {
    for (uint32_t i = 0; i < targets->count; i++) {
        const uint32_t pose = mesh->poses[targets->frames[i]];
        const uint8_t known = targets->references ? targets->references[i] : 0;
        const uint32_t reference = /* the pose from which the target differs */
            mesh->poses[known == 0 ? mesh->body->plan.base : targets->frames[known - 1]];
        if (mesh->target_accessors[pose] != 0 &&
            (!mesh->steps || mesh->target_references[pose] == reference))
            continue;
        if (mesh->steps)
            add_packed_target(mesh, pose, reference);
        else if (!add_target(mesh, pose))
            return false;
        mesh->body->g->num_targets++;
    }
    return lmi_gltf_continues(mesh->body->g);
}

/* ---- Meshes --------------------------------------------------------------------------------- */

/* Writes the shader numbers, if one of them is not 0. */
static void write_shader_numbers(lm_json *json, const lm_surface *surface) {
    bool numbered = false;
    for (uint32_t i = 0; i < surface->num_materials; i++)
        numbered = numbered || surface->materials[i].flags != 0;
    if (!numbered)
        return;
    lmi_json_open(json, "shaderNumbers", '[');
    for (uint32_t i = 0; i < surface->num_materials; i++)
        lmi_json_integer(json, NULL, (uint32_t)surface->materials[i].flags);
    lmi_json_close(json);
}

/* Writes the surface's name and shaders in the model, which may differ from those in the glTF. */
static void write_extras(lm_json *json, const lm_gltf_mesh *mesh, const lm_gltf_targets *targets) {
    const lm_surface *surface = mesh->surface;
    const bool comes_back = lmi_gltf_round_trips(mesh->body->g);
    const bool corrected = lmi_gltf_num_correctives(mesh->body) > 0;
    if (!comes_back && !corrected && (targets->count == 0 || mesh->steps))
        return;
    lmi_json_open(json, "extras", '{');
    if (comes_back) {
        lmi_json_string(json, "surface", surface->name);
        lmi_json_open(json, "shaders", '[');
        for (uint32_t i = 0; i < surface->num_materials; i++)
            lmi_json_string(json, NULL, surface->materials[i].name);
        lmi_json_close(json);
        write_shader_numbers(json, surface);
        if (surface->flags != 0)
            lmi_json_integer(json, "flags", (uint32_t)surface->flags);
    }
    /* Compressed targets may be differences, which have no name. */
    if (corrected || (targets->count > 0 && !mesh->steps)) {
        lmi_json_open(json, "targetNames", '[');
        for (uint32_t i = 0; i < targets->count; i++)
            lmi_json_string(json, NULL, mesh->body->frame_names[targets->frames[i]]);
        for (uint32_t i = 0; i < lmi_gltf_num_correctives(mesh->body); i++)
            lmi_gltf_print(json, NULL, "'corrective.%02u'", (unsigned)i);
        lmi_json_close(json);
    }
    lmi_json_close(json);
}

/* Writes the targets: those of a bundle, or the corrective shapes of a skeleton. */
static void write_targets(lm_json *json, const lm_gltf_mesh *mesh, const lm_gltf_targets *targets) {
    const uint32_t num_correctives = lmi_gltf_num_correctives(mesh->body);
    if (targets->count == 0 && num_correctives == 0)
        return;
    lmi_json_open(json, "targets", '[');
    for (uint32_t i = 0; i < targets->count; i++) {
        const unsigned position = mesh->target_accessors[mesh->poses[targets->frames[i]]] - 1;
        if (!mesh->steps || mesh->steps->normals_move)
            lmi_gltf_print(json, NULL, "{'POSITION':%u,'NORMAL':%u}", position, position + 1);
        else
            lmi_gltf_print(json, NULL, "{'POSITION':%u}", position);
    }
    for (uint32_t i = 0; i < num_correctives; i++)
        lmi_gltf_print(json, NULL, "{'POSITION':%u}", (unsigned)mesh->correctives[i]);
    lmi_json_close(json);
}

static void write_mesh(const lm_gltf_mesh *mesh, const lm_gltf_targets *targets) {
    const lm_gltf_body *body = mesh->body;
    const char *name = mesh->surface->name;
    lm_json *json = &body->g->meshes.json;
    lmi_json_open(json, NULL, '{');
    lmi_json_string(json, "name", name[0] ? name : body->job.name);
    lmi_json_open(json, "primitives", '[');
    lmi_json_open(json, NULL, '{');
    lmi_json_open(json, "attributes", '{');
    lmi_json_integer(json, "POSITION", mesh->position);
    lmi_json_integer(json, "NORMAL", mesh->normal);
    lmi_json_integer(json, "TEXCOORD_0", mesh->st);
    if (body->skeleton)
        lmi_gltf_write_influences(json, mesh);
    lmi_json_close(json);
    lmi_json_integer(json, "indices", mesh->indices);
    lmi_json_integer(json, "material", mesh->material);
    write_targets(json, mesh, targets);
    lmi_gltf_write_mappings(body, mesh->index);
    lmi_json_close(json);
    lmi_json_close(json);
    if (lmi_gltf_num_correctives(body) > 0)
        lmi_gltf_write_corrective_weights(json, body);
    write_extras(json, mesh, targets);
    lmi_json_close(json);
    body->g->meshes.count++;
}

/* ---- Surfaces ------------------------------------------------------------------------------- */

static bool write_surface(lm_gltf_mesh *mesh, lm_arena *scratch) {
    const lm_gltf_body *body = mesh->body;
    const lm_surface *surface = mesh->surface;
    lm_gltf *g = body->g;
    const unsigned index_size =
        g->options->packer ? g->index_size : lmi_gltf_index_size(mesh->count);
    lm_vec2 *st = lmi_arena_alloc(scratch, mesh->count, sizeof *st);
    for (uint32_t i = 0; st && i < mesh->count; i++)
        st[i] = surface->st[mesh->weld->vertices[i]];
    if (!st || !lmi_gltf_find_materials(mesh->body, mesh->index, &mesh->material) ||
        !add_base(mesh))
        return false;
    mesh->st = lmi_gltf_add_st(g, st, mesh->count, body->quantized && lmi_is_on_skin(surface));
    mesh->indices =
        lmi_gltf_add_triangles(g, mesh->weld, surface->triangles, surface->num_triangles,
                               body->plan.triangles[mesh->index], index_size);
    for (uint32_t bundle = 0; bundle < body->plan.num_bundles; bundle++) {
        const lm_gltf_targets targets =
            lmi_gltf_find_targets(&body->plan, bundle, mesh->index, body->of_pose);
        if (!add_targets(mesh, &targets))
            return false;
        write_mesh(mesh, &targets);
    }
    return true;
}

static bool write_body_mesh(lm_gltf_body *body, uint32_t index, lm_arena *scratch) {
    const lm_gltf_plan *plan = &body->plan;
    const lm_surface *surface = &body->job.model->surfaces[plan->surfaces[index]];
    const size_t room = surface->num_vertices; /* samples are welded in place */
    lm_vec3 *vectors = lmi_arena_alloc(scratch, room, 4 * sizeof *vectors);
    lm_gltf_mesh mesh = {.body = body,
                         .index = index,
                         .surface_index = plan->surfaces[index],
                         .surface = surface,
                         .weld = &plan->welds[index],
                         .poses = lmi_gltf_poses(plan, index),
                         .count = plan->welds[index].count};
    mesh.target_accessors =
        lmi_arena_zeros(scratch, plan->num_frames, sizeof *mesh.target_accessors);
    if (plan->steps) {
        mesh.steps = &plan->steps[index];
        mesh.difference = lmi_arena_alloc(scratch, mesh.count, 6 * sizeof *mesh.difference);
        mesh.target_references =
            lmi_arena_alloc(scratch, plan->num_frames, sizeof *mesh.target_references);
    }
    if (lmi_arena_failed(scratch))
        return false;
    mesh.base_positions = vectors;
    mesh.base_normals = vectors + room;
    mesh.positions = vectors + 2 * room;
    mesh.normals = vectors + 3 * room;
    return write_surface(&mesh, scratch);
}

bool lmi_gltf_write_meshes(lm_gltf_body *body) {
    bool ok = lmi_gltf_find_variants(body);
    for (uint32_t i = 0; ok && i < body->plan.num_meshes; i++) {
        lm_arena scratch = {.heap = &body->g->heap};
        ok = write_body_mesh(body, i, &scratch);
        lmi_arena_free(&scratch);
    }
    return ok;
}
