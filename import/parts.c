#include "bake.h"

#include "core/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The numbers that vertices of the file get in a part; 0 between parts, so that a part of few
 * vertices costs little, however many the file has. */
typedef struct vertex_numbers {
    uint32_t *numbers; /* [size] */
    uint64_t size;
} vertex_numbers;

/* State of reading a primitive, with its location. */
typedef struct making {
    importing *im;
    const lm_im_gltf *gltf;
    vertex_numbers *numbering;
    char location[48];
    lm_im_part *part;
} making;

/* ---- Vertices -------------------------------------------------------------------------------- */

/* Finds the accessor of an attribute; IM_NONE if there is none. */
static bool attribute(const making *m, lm_im_ref attributes, const char *name, uint32_t *accessor) {
    return lmi_im_index_of(m->im, attributes, m->location, name, m->gltf->num_accessors, IM_NONE,
                           accessor);
}

static lm_im_rows used_vertices(const making *m) {
    return (lm_im_rows){m->part->file_vertices, m->part->num_vertices};
}

/* Reads an attribute's rows for the used vertices. `out` stays NULL if there is no such
 * attribute. */
static bool read_rows(const making *m, lm_im_ref attributes, const char *name, uint32_t width,
                      const float **out) {
    uint32_t accessor;
    if (!attribute(m, attributes, name, &accessor))
        return false;
    if (accessor == IM_NONE)
        return true;
    const lm_im_accessor *a = &m->gltf->accessors[accessor];
    if (a->width != width || a->count != m->part->num_file_vertices)
        return lmi_im_fail(m->im, LM_CODE_BAD_GLTF, m->location,
                           "%s has %u elements of %u numbers, but %u vertices need %u numbers each",
                           name, (unsigned)a->count, (unsigned)a->width,
                           (unsigned)m->part->num_file_vertices, (unsigned)width);
    /* Positions and normals are needed only until the frames are baked. */
    lm_arena *arena = width == 3 ? &m->im->scratch : m->im->arena;
    *out = lmi_im_read_floats(m->im, arena, m->gltf, accessor, used_vertices(m));
    return *out != NULL;
}

static bool read_targets(making *m) {
    const lm_im_ref list = lmi_im_member(m->part->primitive, "targets");
    lm_im_part *part = m->part;
    part->num_targets = lmi_im_count(list);
    lm_im_target *targets = lmi_arena_zeros(m->im->arena, part->num_targets, sizeof *targets);
    part->targets = targets;
    for (lm_im_ref e = lmi_im_first(list); targets && e; e = lmi_im_next(list, e), targets++)
        if (!read_rows(m, e, "POSITION", 3, &targets->positions) ||
            !read_rows(m, e, "NORMAL", 3, &targets->normals))
            return false;
    return part->targets != NULL;
}

/* ---- Skins ----------------------------------------------------------------------------------- */

static bool add_set(const making *m, unsigned set, const uint32_t *joints, const float *weights,
                    uint32_t *out_joints, float *out_weights) {
    const lm_im_part *part = m->part;
    const uint32_t limit = m->gltf->skins[part->skin].num_joints;
    for (uint32_t v = 0; v < part->num_vertices; v++)
        for (unsigned k = 0; k < 4; k++) {
            const float weight = weights[(size_t)v * 4 + k];
            const uint32_t joint = joints[(size_t)v * 4 + k];
            const size_t at = (size_t)v * part->num_joints + (size_t)set * 4 + k;
            if (weight == 0)
                continue;
            if (joint >= limit)
                return lmi_im_fail(m->im, LM_CODE_BAD_GLTF, m->location,
                                   "vertex %u uses joint %u, but the skin has %u",
                                   (unsigned)m->part->file_vertices[v], (unsigned)joint,
                                   (unsigned)limit);
            out_joints[at] = joint;
            out_weights[at] = weight;
        }
    return true;
}

void lmi_im_normalise_weights(importing *im, const lm_im_part *part, float *weights) {
    for (uint32_t v = 0; v < part->num_vertices; v++) {
        float *row = weights + (size_t)v * part->num_joints;
        double sum = 0;
        for (uint32_t k = 0; k < part->num_joints; k++)
            sum += (double)row[k];
        if (!(sum > 0))
            lmi_im_note(im, IM_NO_WEIGHTS, "a skinned vertex has no weights: it follows its node");
        for (uint32_t k = 0; k < part->num_joints; k++)
            row[k] = sum > 0 ? (float)((double)row[k] / sum) : 0;
    }
}

static bool read_skin_sets(making *m, lm_im_ref attributes) {
    lm_im_part *part = m->part;
    uint32_t sets = 0, accessors[LM_MAX_IMPORT_SETS];
    char name[24];
    for (; sets < LM_MAX_IMPORT_SETS; sets++) {
        snprintf(name, sizeof name, "JOINTS_%u", (unsigned)sets);
        if (!attribute(m, attributes, name, &accessors[sets]))
            return false;
        if (accessors[sets] == IM_NONE)
            break;
    }
    part->num_joints = sets * 4;
    uint32_t *joints = lmi_arena_zeros(
        m->im->arena, (uint64_t)part->num_vertices * part->num_joints, sizeof *joints);
    float *weights = lmi_arena_zeros(m->im->arena, (uint64_t)part->num_vertices * part->num_joints,
                                     sizeof *weights);
    if (!joints || !weights)
        return false;
    for (unsigned set = 0; set < sets; set++) {
        const lm_im_accessor *a = &m->gltf->accessors[accessors[set]];
        const float *rows = NULL;
        snprintf(name, sizeof name, "WEIGHTS_%u", set);
        if (!read_rows(m, attributes, name, 4, &rows))
            return false;
        if (!rows || a->width != 4 || a->count != m->part->num_file_vertices)
            return lmi_im_fail(
                m->im, LM_CODE_BAD_GLTF, m->location,
                "JOINTS_%u or WEIGHTS_%u does not have 4 numbers for each of %u vertices", set, set,
                (unsigned)m->part->num_file_vertices);
        lm_arena once = {.heap = m->im->arena->heap};
        const uint32_t *numbers =
            lmi_im_read_integers(m->im, &once, m->gltf, accessors[set], used_vertices(m));
        const bool added = numbers && add_set(m, set, numbers, rows, joints, weights);
        lmi_arena_free(&once);
        if (!added)
            return false;
    }
    lmi_im_normalise_weights(m->im, part, weights);
    part->joints = joints;
    part->weights = weights;
    return true;
}

/* ---- Triangles ------------------------------------------------------------------------------- */

/* Returns the vertex indices in drawing order; without indices, 0, 1, 2, ... */
static uint32_t *read_corners(making *m, lm_arena *arena, uint32_t accessor, uint32_t *count) {
    uint32_t *corners;
    if (accessor == IM_NONE) {
        corners = lmi_arena_zeros(arena, m->part->num_file_vertices, sizeof *corners);
        for (uint32_t i = 0; corners && i < m->part->num_file_vertices; i++)
            corners[i] = i;
        *count = m->part->num_file_vertices;
        return corners;
    }
    const lm_im_accessor *a = &m->gltf->accessors[accessor];
    if (a->width != 1) {
        lmi_im_fail(m->im, LM_CODE_BAD_GLTF, m->location, "its indices are not scalars");
        return NULL;
    }
    *count = a->count;
    corners = lmi_im_read_integers(m->im, arena, m->gltf, accessor, (lm_im_rows){0});
    for (uint32_t i = 0; corners && i < *count; i++)
        if (corners[i] >= m->part->num_file_vertices) {
            lmi_im_fail(m->im, LM_CODE_VERTEX_INDEX, m->location,
                        "index %u uses vertex %u, but there are %u", (unsigned)i,
                        (unsigned)corners[i], (unsigned)m->part->num_file_vertices);
            return NULL;
        }
    return corners;
}

#define MODE_TRIANGLES 4u
#define MODE_STRIP 5u
#define MODE_FAN 6u

static bool cut_triangles(making *m, uint32_t mode, const uint32_t *corners, uint32_t count) {
    lm_im_part *part = m->part;
    part->num_triangles = mode == MODE_TRIANGLES ? count / 3 : count < 3 ? 0 : count - 2;
    part->triangles = lmi_arena_zeros(&m->im->scratch, (uint64_t)part->num_triangles * 3,
                                      sizeof *part->triangles);
    if (!part->triangles)
        return false;
    for (uint32_t i = 0; i < part->num_triangles; i++) {
        uint32_t *t = part->triangles + (size_t)i * 3;
        if (mode == MODE_TRIANGLES) {
            memcpy(t, corners + (size_t)i * 3, 3 * sizeof *t);
        } else if (mode == MODE_STRIP) {
            t[0] = corners[i];
            t[1] = corners[i + 1 + i % 2];
            t[2] = corners[i + 2 - i % 2];
        } else {
            t[0] = corners[i + 1];
            t[1] = corners[i + 2];
            t[2] = corners[0];
        }
    }
    return true;
}

/* Makes room for the numbers of all vertices of the file. */
static bool grow_numbering(const making *m) {
    const uint64_t need = m->part->num_file_vertices;
    vertex_numbers *n = m->numbering;
    if (n->size >= need)
        return true;
    n->size = need > 2 * n->size ? need : 2 * n->size;
    n->numbers = lmi_arena_zeros(&m->im->scratch, n->size, sizeof *n->numbers);
    return n->numbers != NULL;
}

static int compare_vertices(const void *a, const void *b) {
    const uint32_t *v = a, *w = b;
    return (*v > *w) - (*v < *w);
}

/* Renumbers the used vertices in file order. */
static bool renumber_used(const making *m) {
    lm_im_part *part = m->part;
    const size_t corners = (size_t)part->num_triangles * 3;
    const uint64_t most = corners < part->num_file_vertices ? corners : part->num_file_vertices;
    uint32_t *used = lmi_arena_alloc(&m->im->scratch, most, sizeof *used), count = 0;
    if (!used || !grow_numbering(m))
        return false;
    uint32_t *numbers = m->numbering->numbers;
    bool ordered = true;
    for (size_t c = 0; c < corners; c++) {
        const uint32_t v = part->triangles[c];
        if (numbers[v] > 0)
            continue;
        numbers[v] = 1;
        ordered &= count == 0 || v > used[count - 1];
        used[count++] = v;
    }
    if (!ordered)
        qsort(used, count, sizeof *used, compare_vertices);
    for (uint32_t i = 0; i < count; i++)
        numbers[used[i]] = i;
    for (size_t c = 0; c < corners; c++)
        part->triangles[c] = numbers[part->triangles[c]];
    for (uint32_t i = 0; i < count; i++)
        numbers[used[i]] = 0;
    part->file_vertices = used;
    part->num_vertices = count;
    return true;
}

/* ---- Materials ------------------------------------------------------------------------------- */

/* Scales, then rotates, then shifts texture coordinates (KHR_texture_transform). */
static bool transform_st(const making *m, lm_im_ref transform, float *st) {
    float offset[2] = {0, 0}, scale[2] = {1, 1};
    double turn = 0;
    if (!lmi_im_floats_of(m->im, transform, m->location, "offset", 2, offset) ||
        !lmi_im_floats_of(m->im, transform, m->location, "scale", 2, scale))
        return false;
    lmi_im_number(lmi_im_member(transform, "rotation"), &turn);
    const double c = cos(turn), s = sin(turn);
    for (uint32_t v = 0; v < m->part->num_vertices; v++) {
        const double x = (double)st[2 * (size_t)v] * (double)scale[0];
        const double y = (double)st[2 * (size_t)v + 1] * (double)scale[1];
        st[2 * (size_t)v] = (float)(c * x + s * y + (double)offset[0]);
        st[2 * (size_t)v + 1] = (float)(c * y - s * x + (double)offset[1]);
    }
    return true;
}

/* Sets the part's materials. `numbers`: an array of the shaders' numbers; NULL: there are none. */
static bool set_materials(const making *m, const char *const *names, uint32_t count,
                          lm_im_ref numbers) {
    lm_material *materials = lmi_arena_zeros(m->im->arena, count, sizeof *materials);
    lm_im_ref number = lmi_im_first(numbers);
    for (uint32_t i = 0; materials && i < count; i++) {
        materials[i] = (lm_material){.name = names[i], .flags = lmi_im_bits(number)};
        number = number ? lmi_im_next(numbers, number) : 0;
    }
    m->part->num_materials = count;
    m->part->materials = materials;
    return materials != NULL;
}

/* Blender kept 63 bytes of a name until its version 5, and puts numbers there. */
#define BLENDER_NAME 59u

/* Returns the length of a path's last part without its extension, and sets where it begins. */
static size_t stem_of(const char *path, const char **stem) {
    *stem = path;
    for (const char *slash; (slash = strpbrk(*stem, "/\\")) != NULL;)
        *stem = slash + 1;
    const char *dot = strrchr(*stem, '.');
    return dot ? (size_t)(dot - *stem) : strlen(*stem);
}

/* Returns whether a name is neither the old one nor the old one with a number. */
static bool is_renamed(const char *name, size_t length, const char *old, size_t old_length) {
    const size_t kept = old_length < BLENDER_NAME ? old_length : BLENDER_NAME;
    return length < kept || !lmi_same_letters(name, old, kept) ||
           (kept < BLENDER_NAME && kept + strspn(name + kept, "._0123456789") < length);
}

/* Returns whether a name is the end of another one. Blender calls an image that is a file after it,
 * and that of a .gltf begins with the name of this. */
static bool is_end(const char *name, size_t length, const char *old, size_t old_length) {
    return length > old_length && name[length - old_length - 1] == '_' &&
           lmi_same_letters(name + length - old_length, old, old_length);
}

/* Finds out whether a weapon's surface has another material than in the export, or another image,
 * whose name then becomes the material's. That of a material with a script may have any name. */
static bool find_change(const making *m, const char *shader, bool *changed) {
    const uint32_t material = m->part->same_as[2];
    if (!*shader || material == IM_NONE || m->part->num_materials == 0)
        return true;
    const lm_im_ref ref = m->gltf->materials.refs[material];
    const char *name = m->part->materials[0].name, *stem, *old_stem;
    *changed = is_renamed(name, strlen(name), shader, strlen(shader));
    const lm_im_ref extras = lmi_im_member(ref, "extras"), own = lmi_im_member(extras, "image");
    if (*changed || (!own && lmi_im_member(extras, "shader")))
        return true;
    const char *old = own ? lmi_im_string(m->im, own) : shader;
    const uint32_t index = m->gltf->material_images[material];
    const char *image = lmi_im_image_name(m->im, m->gltf, index);
    const lm_im_ref sum = lmi_im_member(extras, "imageSum");
    bool same;
    if (!image || !old || !lmi_im_has_sum(m->im, m->gltf, index, sum, &same))
        return false;
    const size_t length = stem_of(image, &stem), old_length = stem_of(old, &old_stem);
    const bool renamed = is_renamed(stem, length, old_stem, old_length);
    *changed =
        *image && (!same || (renamed && !(sum && is_end(stem, length, old_stem, old_length))));
    if (*changed)
        image = renamed ? lmi_arena_text(m->im->arena, stem, length)
                        : lmi_arena_text(m->im->arena, old_stem, old_length);
    return image && (!*changed || set_materials(m, &image, 1, 0));
}

/* Reads the shaders that lm_gltf_write stores in the extras; they replace the material, unless
 * somebody gave a weapon another one. */
static bool read_shaders(const making *m, lm_im_ref mesh) {
    const lm_im_ref list = lmi_im_member(lmi_im_member(mesh, "extras"), "shaders");
    uint32_t count;
    if (!m->gltf->own_export || !list)
        return true;
    m->part->flags = lmi_im_flags_of(lmi_im_member(mesh, "extras"), "flags");
    const char **names = lmi_im_strings_of(m->im, list, &count);
    const lm_im_ref numbers = lmi_im_member(lmi_im_member(mesh, "extras"), "shaderNumbers");
    bool changed = false;
    if (names && m->im->options->weapon && count > 0 && !find_change(m, names[0], &changed))
        return false;
    return names && (changed || set_materials(m, names, count, numbers));
}

static bool read_material(making *m, lm_im_ref attributes) {
    uint32_t material, set = 0;
    lm_im_ref texture = NULL, transform = NULL;
    char name[24];
    if (!lmi_im_index_of(m->im, m->part->primitive, m->location, "material",
                         m->gltf->materials.count, IM_NONE, &material))
        return false;
    m->part->same_as[2] = material;
    if (!lmi_im_read_variants(m->im, m->gltf, m->part->primitive, material, &m->part->images))
        return false;
    if (material != IM_NONE) {
        const lm_im_ref ref = m->gltf->materials.refs[material];
        texture = lmi_im_member(lmi_im_member(ref, "pbrMetallicRoughness"), "baseColorTexture");
        transform = lmi_im_member(lmi_im_member(texture, "extensions"), "KHR_texture_transform");
        const char *called = lmi_im_string(m->im, lmi_im_member(ref, "name"));
        if (called && !*called)
            called = lmi_im_image_name(m->im, m->gltf, m->gltf->material_images[material]);
        if (!called || !set_materials(m, &called, *called != '\0', 0))
            return false;
    }
    if (!lmi_im_index_of(m->im, texture, m->location, "texCoord", 1000, 0, &set) ||
        !lmi_im_index_of(m->im, transform, m->location, "texCoord", 1000, set, &set))
        return false;
    snprintf(name, sizeof name, "TEXCOORD_%u", (unsigned)set);
    return read_rows(m, attributes, name, 2, &m->part->st) &&
           (!transform || !m->part->st || transform_st(m, transform, (float *)m->part->st));
}

/* ---- Primitives ------------------------------------------------------------------------------ */

/* Reads the part's triangles as vertex indices of the file; none if it draws none. */
static bool read_triangles(making *m, lm_im_ref attributes) {
    uint32_t position, indices, mode, count = 0;
    if (!attribute(m, attributes, "POSITION", &position) ||
        !lmi_im_index_of(m->im, m->part->primitive, m->location, "indices", m->gltf->num_accessors,
                         IM_NONE, &indices) ||
        !lmi_im_index_of(m->im, m->part->primitive, m->location, "mode", 7, MODE_TRIANGLES, &mode))
        return false;
    if (position == IM_NONE) {
        lmi_im_note(m->im, IM_EMPTY_MESH, "a primitive without positions is skipped");
        return true;
    }
    if (mode < MODE_TRIANGLES) {
        lmi_im_note(m->im, IM_POINTS,
                    "points or lines are skipped: these models have only triangles");
        return true;
    }
    m->part->num_file_vertices = m->gltf->accessors[position].count;
    m->part->same_as[0] = position;
    m->part->same_as[1] = indices;
    lm_arena once = {.heap = m->im->arena->heap};
    const uint32_t *corners = read_corners(m, &once, indices, &count);
    const bool cut = corners && cut_triangles(m, mode, corners, count);
    lmi_arena_free(&once);
    return cut;
}

static bool name_part(making *m, lm_im_ref mesh) {
    const lm_im_node *node = &m->gltf->nodes[m->part->node];
    const lm_im_ref original = lmi_im_member(lmi_im_member(mesh, "extras"), "surface");
    const char *name = node->name;
    const bool stray = m->im->options->weapon && !node->piece; /* which only its object tells */
    if (m->gltf->own_export && original && !stray)
        return (m->part->name = lmi_im_string(m->im, original)) != NULL;
    if (!*name)
        name = lmi_im_string(m->im, lmi_im_member(mesh, "name"));
    if (!name)
        return false;
    if (!*name)
        name = "mesh";
    m->part->name = lmi_arena_printf(m->im->arena, m->part->index > 0 ? "%s_%u" : "%s", name,
                                     (unsigned)m->part->index + 1);
    return m->part->name != NULL;
}

/* Fills in the part. A primitive that draws nothing has no triangles. */
static bool read_primitive(making *m, lm_im_ref mesh) {
    const lm_im_ref attributes = lmi_im_member(m->part->primitive, "attributes");
    lm_im_part *part = m->part;
    if (!read_triangles(m, attributes))
        return false;
    if (part->num_triangles == 0)
        return true;
    if (lmi_im_member(attributes, "COLOR_0"))
        lmi_im_note_colors(m->im);
    if (!renumber_used(m) || !read_rows(m, attributes, "POSITION", 3, &part->positions) ||
        !read_rows(m, attributes, "NORMAL", 3, &part->normals) || !read_targets(m) ||
        !read_material(m, attributes) || !read_shaders(m, mesh) || !name_part(m, mesh))
        return false;
    if (part->num_targets != m->gltf->num_targets[m->gltf->nodes[part->node].mesh])
        return lmi_im_fail(m->im, LM_CODE_BAD_GLTF, m->location,
                           "its number of targets differs from that of the mesh's first primitive");
    return part->skin == IM_NONE || read_skin_sets(m, attributes);
}

/* Makes the part of another node from a part with the same primitive. */
static bool share_primitive(making *m, lm_im_ref mesh, const lm_im_part *first) {
    lm_im_part *part = m->part;
    const uint32_t node = part->node, skin = part->skin;
    *part = *first;
    part->node = node;
    part->skin = skin;
    part->num_joints = skin == first->skin ? first->num_joints : 0;
    return name_part(m, mesh) && (skin == first->skin || skin == IM_NONE ||
                                  read_skin_sets(m, lmi_im_member(part->primitive, "attributes")));
}

/* The parts of the first node that shows a mesh. */
typedef struct mesh_parts {
    uint32_t first, count;
    bool read;
} mesh_parts;

/* Appends the parts of a node. Reads each mesh once. */
static bool add_node(importing *im, const lm_im_gltf *gltf, uint32_t index, mesh_parts *known,
                     vertex_numbers *numbering, lm_im_part *parts, uint32_t *count) {
    const lm_im_node *node = &gltf->nodes[index];
    const lm_im_ref mesh = gltf->meshes.refs[node->mesh];
    const lm_im_ref list = lmi_im_member(mesh, "primitives");
    const uint32_t first = *count;
    uint32_t k = 0;
    lm_im_ref e = known->read ? 0 : lmi_im_first(list);
    for (; known->read ? k < known->count : e != 0; k++) {
        making m = {.im = im, .gltf = gltf, .numbering = numbering, .part = &parts[*count]};
        *m.part = (lm_im_part){.node = index, .skin = node->skin, .primitive = e, .index = k};
        snprintf(m.location, sizeof m.location, "meshes[%u].primitives[%u]", (unsigned)node->mesh,
                 (unsigned)(known->read ? parts[known->first + k].index : k));
        if (known->read ? !share_primitive(&m, mesh, &parts[known->first + k])
                        : !read_primitive(&m, mesh))
            return false;
        *count += m.part->num_triangles > 0;
        e = e ? lmi_im_next(list, e) : 0;
    }
    if (!known->read)
        *known = (mesh_parts){first, *count - first, true};
    return true;
}

#define MORE_MATERIALS ((uint64_t)1 << 18) /* than bytes in the input */

bool lmi_im_read_parts(importing *im, const lm_im_gltf *gltf, const bool *tagged,
                       uint32_t num_empty, lm_im_part **parts, uint32_t *count) {
    uint64_t most = num_empty;
    for (uint32_t i = 0; i < gltf->num_nodes; i++)
        if (gltf->nodes[i].mesh != IM_NONE)
            most +=
                lmi_im_count(lmi_im_member(gltf->meshes.refs[gltf->nodes[i].mesh], "primitives"));
    /* Each surface has a material in each variant. */
    if (most * gltf->num_variants > im->input + MORE_MATERIALS)
        return lmi_im_fail(im, LM_CODE_LIMIT, "KHR_materials_variants",
                           "%u variants of %llu surfaces are too many for a file of this size",
                           (unsigned)gltf->num_variants, (unsigned long long)most);
    *parts = lmi_arena_zeros(&im->scratch, most, sizeof **parts);
    mesh_parts *known = lmi_arena_zeros(&im->scratch, gltf->meshes.count, sizeof *known);
    vertex_numbers numbering = {0};
    *count = 0;
    if (!*parts || !known)
        return false;
    for (uint32_t i = 0; i < gltf->num_nodes; i++) {
        const lm_im_node *node = &gltf->nodes[i];
        if (node->mesh == IM_NONE || !node->shown)
            continue;
        if (tagged[i])
            lmi_im_note(im, IM_TAG_MESH,
                        "the mesh of a tag's node is skipped: only the node's transform is used");
        else if (!add_node(im, gltf, i, &known[node->mesh], &numbering, *parts, count))
            return false;
    }
    return true;
}
