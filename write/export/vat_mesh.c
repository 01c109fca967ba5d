#include "export/vat.h"

#include "core/bytes.h"
#include "math/vectors.h"

#include <string.h>

/* ---- Welding -------------------------------------------------------------------------------- */

/* The corners of a surface, and memory for its largest number of vertices. */
typedef struct welder {
    const lm_mesh_surface *surface;
    const uint32_t *st_triangles; /* NULL: the corner's vertex; without coordinates, all are 0 */
    uint32_t *corners;            /* [3 * num_triangles] the drawn vertex of each corner */
    uint32_t *vertices, *st;      /* [3 * num_triangles] of the drawn vertices */
    uint32_t num_drawn;
    lm_index index;
    lm_welding welding;
    lm_vec3 *positions, *normals; /* [3 * num_triangles] of the drawn vertices in a frame */
} welder;

static uint32_t st_of(const welder *w, uint32_t corner) {
    if (w->surface->num_st == 0)
        return 0;
    return (w->st_triangles ? w->st_triangles : w->surface->triangles)[corner];
}

static bool is_same_corner(const void *context, uint32_t a, uint32_t b) {
    const welder *w = context;
    return w->surface->triangles[a] == w->surface->triangles[b] && st_of(w, a) == st_of(w, b);
}

/* Lists each pair of a vertex and a texture coordinate once. */
static void list_drawn(welder *w) {
    const uint32_t count = 3 * w->surface->num_triangles;
    lm_index_clear(&w->index, count);
    w->num_drawn = 0;
    for (uint32_t c = 0; c < count; c++) {
        const uint64_t hash = lm_hash(lm_hash(0, w->surface->triangles[c]), st_of(w, c));
        const uint32_t first = lm_index_find(&w->index, hash, c, is_same_corner, w);
        if (first != c) {
            w->corners[c] = w->corners[first];
            continue;
        }
        w->vertices[w->num_drawn] = w->surface->triangles[c];
        w->st[w->num_drawn] = st_of(w, c);
        w->corners[c] = w->num_drawn++;
    }
}

/* Divides the drawn vertices by the values that they have in a frame. */
static void divide(welder *w, uint32_t frame) {
    const size_t row = (size_t)frame * w->surface->num_vertices;
    for (uint32_t i = 0; i < w->num_drawn; i++) {
        w->positions[i] = lm_vec3_at(w->surface->positions, row + w->vertices[i]);
        w->normals[i] = lm_vec3_at(w->surface->normals, row + w->vertices[i]);
    }
    lm_welding_divide(&w->welding, w->positions, sizeof(lm_vec3), w->normals, sizeof(lm_vec3));
}

static bool weld_surface(lm_vat *vat, welder *w, lm_vat_surface *out) {
    lm_arena *arena = &vat->g.arena;
    lm_welded welded;
    list_drawn(w);
    lm_welding_start(&w->welding, w->num_drawn);
    for (uint32_t i = 0; i < w->num_drawn && w->surface->num_st > 0; i++)
        w->positions[i] = (lm_vec3){w->surface->st[2 * (size_t)w->st[i]],
                                    w->surface->st[2 * (size_t)w->st[i] + 1], 0};
    if (w->surface->num_st > 0)
        lm_welding_divide(&w->welding, w->positions, sizeof(lm_vec3), w->positions, 0);
    for (uint32_t f = 0; f < vat->mesh->num_frames && w->welding.num_classes < w->num_drawn; f++)
        divide(w, f);
    if (!lm_welding_end(&w->welding, arena, &welded))
        return false;
    *out = (lm_vat_surface){.surface = w->surface, .count = welded.count};
    out->vertices = welded.vertices;
    out->st = lm_arena_alloc(arena, welded.count, sizeof *out->st);
    out->triangles = lm_arena_alloc(arena, w->surface->num_triangles, 3 * sizeof *out->triangles);
    if (!out->st || !out->triangles)
        return false;
    for (uint32_t i = 0; i < welded.count; i++) {
        out->st[i] = w->st[welded.vertices[i]];
        out->vertices[i] = w->vertices[welded.vertices[i]];
    }
    /* List the triangles with three different vertices, as a, c, b: counter-clockwise. */
    uint32_t corners[3];
    for (uint32_t t = 0; t < w->surface->num_triangles; t++) {
        if (!lm_gltf_corners(&welded, w->corners + 3 * (size_t)t, corners))
            continue;
        for (unsigned k = 0; k < 3; k++)
            out->triangles[3 * (size_t)out->num_triangles + k] = corners[(3 - k) % 3];
        out->num_triangles++;
    }
    return true;
}

static bool alloc_welder(lm_vat *vat, welder *w, lm_arena *scratch) {
    uint32_t most = 0;
    for (uint32_t i = 0; i < vat->mesh->num_surfaces; i++)
        most = vat->mesh->surfaces[i].num_triangles > most ? vat->mesh->surfaces[i].num_triangles
                                                           : most;
    if (most > UINT32_MAX / 3)
        return lm_call_fail(&vat->g.heap.call, LM_CODE_LIMIT,
                            "a surface with %u triangles is too large", (unsigned)most);
    most *= 3;
    w->corners = lm_arena_alloc(scratch, most, sizeof *w->corners);
    w->vertices = lm_arena_alloc(scratch, most, sizeof *w->vertices);
    w->st = lm_arena_alloc(scratch, most, sizeof *w->st);
    w->positions = lm_arena_alloc(scratch, most, sizeof *w->positions);
    w->normals = lm_arena_alloc(scratch, most, sizeof *w->normals);
    w->index.slots = lm_arena_alloc(scratch, lm_index_slots(most), sizeof *w->index.slots);
    lm_welding_alloc(&w->welding, scratch, most);
    return !lm_arena_failed(scratch);
}

bool lm_vat_weld(lm_vat *vat) {
    lm_arena scratch = {.heap = &vat->g.heap};
    lm_vat_result *result = &vat->result;
    welder w = {0};
    uint64_t num_vertices = 0;
    vat->surfaces = lm_arena_alloc(&vat->g.arena, vat->mesh->num_surfaces, sizeof *vat->surfaces);
    bool ok = vat->surfaces && alloc_welder(vat, &w, &scratch);
    for (uint32_t i = 0; ok && i < vat->mesh->num_surfaces; i++) {
        lm_vat_surface *out = &vat->surfaces[result->num_primitives];
        w.surface = &vat->mesh->surfaces[i];
        w.st_triangles = w.surface->st_triangles;
        ok = weld_surface(vat, &w, out);
        if (!ok || out->num_triangles == 0)
            continue;
        out->index = i;
        out->first = (uint32_t)num_vertices;
        num_vertices += out->count;
        ok = num_vertices <= UINT32_MAX || lm_gltf_too_large(&vat->g);
        result->num_primitives++;
    }
    result->num_vertices = (uint32_t)num_vertices;
    lm_arena_free(&scratch);
    return ok;
}

/* ---- Primitives ----------------------------------------------------------------------------- */

/* Writes the positions and normals of a surface in the first frame. */
static bool add_base(lm_vat *vat, const lm_vat_surface *s, uint32_t *position, uint32_t *normal) {
    lm_gltf *g = &vat->g;
    lm_arena scratch = {.heap = &g->heap};
    lm_vec3 *vectors = lm_arena_alloc(&scratch, s->count, 2 * sizeof *vectors);
    bool ok = vectors;
    for (uint32_t i = 0; ok && i < s->count; i++) {
        const uint32_t v = s->vertices[i];
        vectors[i] = lm_vat_axes(lm_vec3_at(s->surface->positions, v), vat->scale);
        vectors[s->count + i] = lm_vat_axes(lm_unit(lm_vec3_at(s->surface->normals, v)), 1);
    }
    ok = ok && lm_gltf_add_vectors(g, vectors, s->count, 0, position) &&
         lm_gltf_add_vectors(g, vectors + s->count, s->count, LM_VECTORS_NORMALS, normal);
    lm_arena_free(&scratch);
    return ok;
}

/* Writes the texture coordinates, or with `columns` the centres of the vertices' pixels. */
static bool add_st(lm_vat *vat, const lm_vat_surface *s, bool columns, uint32_t *accessor) {
    const lm_vat_result *layout = &vat->result;
    lm_accessor entry = {
        .stream = LM_STREAM_8, .component = LM_GLTF_FLOAT, .count = s->count, .type = "VEC2"};
    uint8_t *out = lm_gltf_reserve_elements(&vat->g, &entry, 8);
    if (!out)
        return false;
    for (uint32_t i = 0; i < s->count; i++, out += 8) {
        lm_vec2 st = {0, 0};
        if (columns) {
            const size_t pixel = lm_vat_pixel(layout, s->first + i, 0), row = pixel / layout->width;
            st.x = (float)(((double)(pixel % layout->width) + 0.5) / layout->width);
            st.y = (float)(((double)row + 0.5) / layout->height);
        } else if (s->surface->num_st > 0) {
            memcpy(&st, s->surface->st + 2 * (size_t)s->st[i], sizeof st);
        }
        lm_put_f32(out, st.x);
        lm_put_f32(out + 4, st.y);
    }
    *accessor = lm_gltf_add_accessor(&vat->g, &entry);
    return true;
}

static bool add_indices(lm_vat *vat, const lm_vat_surface *s, uint32_t *accessor) {
    const unsigned size = lm_gltf_index_size(s->count);
    lm_accessor entry = {.stream = LM_STREAM_INDICES,
                         .component = lm_gltf_unsigned(size),
                         .count = 3 * s->num_triangles,
                         .type = "SCALAR"};
    uint8_t *out = lm_gltf_reserve_elements(&vat->g, &entry, size);
    if (!out)
        return false;
    for (size_t i = 0; i < entry.count; i++)
        lm_gltf_put_unsigned(out + i * size, s->triangles[i], size);
    *accessor = lm_gltf_add_accessor(&vat->g, &entry);
    return true;
}

/* Returns the material of a surface; if the options have none, only a name. */
static lm_scene_material material_of(const lm_vat *vat, const lm_vat_surface *s) {
    const lm_mesh *mesh = vat->mesh;
    if (vat->options->materials)
        return vat->options->materials[s->index];
    const char *name = s->surface->num_materials > 0 ? s->surface->materials[0].name
                       : mesh->num_skins > 0         ? mesh->skins[0]
                                                     : "";
    return (lm_scene_material){.name = *name ? name : "material", .texture = LM_NO_TEXTURE};
}

/* Finds the index of a surface's material, and writes it unless an earlier surface has it. */
static bool find_material(lm_vat *vat, lm_vat_surface *s) {
    const lm_scene_material material = material_of(vat, s);
    for (const lm_vat_surface *other = vat->surfaces; other < s; other++) {
        const lm_scene_material earlier = material_of(vat, other);
        s->material = other->material;
        if (lm_gltf_is_same_material(&earlier, &material))
            return true;
    }
    s->material = vat->g.materials.count;
    return lm_gltf_write_material(&vat->g, &material);
}

static bool write_primitive(lm_vat *vat, lm_vat_surface *s) {
    uint32_t position, normal, st, columns, indices;
    if (!find_material(vat, s) || !add_base(vat, s, &position, &normal) ||
        !add_st(vat, s, false, &st) || !add_st(vat, s, true, &columns) ||
        !add_indices(vat, s, &indices))
        return false;
    lm_json *json = &vat->g.meshes.json;
    lm_json_open(json, NULL, '{');
    lm_json_open(json, "attributes", '{');
    lm_json_integer(json, "POSITION", position);
    lm_json_integer(json, "NORMAL", normal);
    lm_json_integer(json, "TEXCOORD_0", st);
    lm_json_integer(json, "TEXCOORD_1", columns);
    lm_json_close(json);
    lm_json_integer(json, "indices", indices);
    lm_json_integer(json, "material", s->material);
    lm_json_close(json);
    return true;
}

/* ---- The file ------------------------------------------------------------------------------- */

/* Writes a node with the mesh, and a scene with the node. */
static bool write_node(lm_vat *vat, const char *name) {
    lm_gltf *g = &vat->g;
    lm_json *node = lm_gltf_open(&g->nodes, &g->node_names, name);
    const char *named = node ? lm_arena_printf(&g->arena, "%s scene", name) : NULL;
    if (!named)
        return false;
    if (g->meshes.count > 0)
        lm_json_integer(node, "mesh", 0);
    lm_json_close(node);
    lm_json *scene = lm_gltf_open(&g->scenes, &g->node_names, named);
    if (!scene)
        return false;
    lm_json_open(scene, "nodes", '[');
    lm_json_integer(scene, NULL, 0);
    lm_json_close(scene);
    lm_json_close(scene);
    return true;
}

bool lm_vat_write_mesh(lm_vat *vat, lm_buffer *glb) {
    lm_gltf *g = &vat->g;
    const char *given = vat->options->name ? vat->options->name : vat->mesh->name;
    const char *name = given && *given ? given : "model";
    lm_json *json = &g->meshes.json;
    if (vat->result.num_primitives > 0) {
        lm_json_open(json, NULL, '{');
        lm_json_string(json, "name", name);
        lm_json_open(json, "primitives", '[');
        for (uint32_t i = 0; i < vat->result.num_primitives; i++)
            if (!write_primitive(vat, &vat->surfaces[i]))
                return false;
        lm_json_close(json);
        lm_json_close(json);
        g->meshes.count++;
    }
    return write_node(vat, name) && lm_gltf_finish_files(g, glb);
}
