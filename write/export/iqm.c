/* Writes IQM, the Inter-Quake Model: a skinned mesh, with poses in 16 bits per channel. */
#include "encode/encoding.h"
#include "export/export_common.h"
#include "mesh/mesh_make.h"
#include "skeleton/evaluate.h"

#include "core/bytes.h"
#include "core/names.h"
#include "core/options.h"
#include "core/report.h"
#include "core/text.h"
#include "lerpmesh/encode.h"

#include <string.h>

#define MAGIC "INTERQUAKEMODEL"
#define HEADER_FIELDS 27
#define NUM_MOVING 7    /* channels of a pose: translation, rotation */
#define NUM_CHANNELS 10 /* and scale, which stays 1 */

/* The channels of a joint. */
typedef struct iqm_channels {
    uint32_t mask; /* of those that vary */
    float offset[NUM_CHANNELS], scale[NUM_CHANNELS];
} iqm_channels;

typedef struct iqm {
    const lm_mesh *mesh;
    const lm_skeleton *given; /* NULL: no vertex moves */
    lm_heap heap;
    lm_arena arena;
    lm_buffer *out, text;
    size_t start; /* of the file in `out` */
    uint32_t fields[HEADER_FIELDS];
    uint32_t *frames; /* [made.num_frames] those of the mesh */
    uint32_t *firsts; /* [num_clips] of the mesh's clips, in the file's frames */
    lm_skeleton made; /* as the file has it: tags are joints, numbers are rounded */
    lm_joint *joints;
    lm_joint_pose *poses;
    iqm_channels *channels;   /* [made.num_joints] */
    lm_mesh_surface rest;     /* the surfaces of the mesh as one, in the rest pose */
    lm_skeleton_surface skin; /* the same */
    uint32_t *corners;        /* [3 * rest.num_triangles] vertices of the file */
    uint32_t *vertices, *st;  /* [report->num_vertices] of `rest` */
    float (*tangents)[4];     /* [report->num_vertices] */
    lm_encode_report *report;
    lm_diagnostics notes; /* of the report */
} iqm;

/* ---- Notes ----------------------------------------------------------------------------------- */

/* Returns the material of a surface, or "". */
static const char *material_of(const iqm *q, uint32_t surface) {
    const lm_mesh_surface *s = &q->mesh->surfaces[surface];
    return s->num_materials > 0     ? s->materials[0].name
           : q->mesh->num_skins > 0 ? q->mesh->skins[0]
                                    : "";
}

static void add_note(iqm *q, lm_code code, const char *section, uint32_t index,
                     const char *sentence) {
    const lm_diagnostic one = {.text = sentence,
                               .location = {.section = section, .index = index},
                               .code = code,
                               .severity = lm_code_severity(code),
                               .count = 1};
    lmi_diagnostics_add(&q->notes, lmi_arena_of(q->report), &one);
    q->report->problems = q->notes.list;
    q->report->num_problems = (uint32_t)q->notes.count;
}

/* Reports names of materials that are no good paths, as those of an MD3. */
static void note_materials(iqm *q) {
    for (uint32_t i = 0; i < q->mesh->num_surfaces; i++) {
        const char *name = material_of(q, i), *fault = lmi_path_fault(name, strlen(name));
        const char *text =
            fault ? lmi_arena_printf(&q->arena, "surface %u: its material %s", (unsigned)i, fault)
                  : NULL;
        if (text)
            add_note(q, LM_CODE_SKIN_PATH, "surfaces", i, text);
    }
}

static void note_clips(iqm *q) {
    const lm_mesh *mesh = q->mesh;
    uint32_t partial = mesh->num_clips, uneven = mesh->num_clips;
    for (uint32_t i = mesh->num_clips; i-- > 0;) {
        const lm_clip *clip = &mesh->clips[i];
        partial = clip->loop_frames > 0 && clip->loop_frames < clip->count ? i : partial;
        uneven = clip->times ? i : uneven;
    }
    if (partial < mesh->num_clips)
        add_note(q, LM_CODE_NOT_HELD, "clips", partial,
                 "a clip of which only the end repeats plays once");
    if (uneven < mesh->num_clips)
        add_note(q, LM_CODE_NOT_HELD, "clips", uneven,
                 "a clip with frames of different durations gets their mean rate");
}

/* ---- Frames ---------------------------------------------------------------------------------- */

/* Lists the frames that clips show, or all without clips. A clip that plays backwards gets frames
 * of its own, in reverse. */
static bool list_frames(iqm *q) {
    const lm_mesh *mesh = q->mesh;
    uint64_t most = mesh->num_frames;
    for (uint32_t i = 0; i < mesh->num_clips; i++)
        most += mesh->clips[i].backwards ? mesh->clips[i].count : 0;
    uint32_t *places = lmi_unused_numbers(&q->arena, mesh->num_frames), count = 0;
    q->frames = lmi_arena_alloc(&q->arena, most, sizeof *q->frames);
    q->firsts = lmi_arena_alloc(&q->arena, mesh->num_clips, sizeof *q->firsts);
    if (!places || !q->frames || !q->firsts)
        return false;
    for (uint32_t i = 0; i < mesh->num_clips; i++)
        for (uint32_t f = 0; f < mesh->clips[i].count && !mesh->clips[i].backwards; f++)
            places[mesh->clips[i].first + f] = 0;
    for (uint32_t f = 0; f < mesh->num_frames; f++)
        if (places[f] == 0 || mesh->num_clips == 0) {
            places[f] = count;
            q->frames[count++] = f;
        }
    for (uint32_t i = 0; i < mesh->num_clips; i++) {
        const lm_clip *clip = &mesh->clips[i];
        q->firsts[i] = clip->backwards ? count : places[clip->first];
        for (uint32_t f = clip->count; clip->backwards && f-- > 0;)
            q->frames[count++] = clip->first + f;
    }
    q->made.num_frames = count;
    return true;
}

/* ---- Joints ---------------------------------------------------------------------------------- */

static lm_joint_pose *pose_of(const iqm *q, uint32_t frame, uint32_t joint) {
    return &q->poses[(size_t)frame * q->made.num_joints + joint];
}

/* Places the joints of the skeleton in a frame of the file. */
static void place_joints(const iqm *q, uint32_t frame, lm_placed *placed) {
    lmi_place_joints(q->given, &(lm_pose){q->frames[frame], q->frames[frame], 0, false}, placed);
}

/* Returns whether a tag is a joint of the skeleton. */
static bool is_joint(const lm_skeleton *s, const lm_mesh_tag *tag) {
    return s && lmi_joint_that_is_tag(s, tag->name, tag->poses) < s->num_joints;
}

/* Adds a tag as a joint below the one that holds it. */
static void add_tag(iqm *q, const lm_mesh_tag *tag, uint32_t index) {
    lm_placed placed[LM_MAX_SKELETON_BONES] = {{{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}}};
    const uint32_t parent =
        q->given ? lmi_joint_of_tag(q->given, (uint32_t)(tag - q->mesh->tags), tag->poses) : 0;
    for (uint32_t f = 0; f < q->made.num_frames; f++) {
        lm_joint_pose *pose = pose_of(q, f, index);
        if (q->given)
            place_joints(q, f, placed);
        const lm_placed at = lmi_place_tag(&tag->poses[q->frames[f]]);
        const lm_placed local = lmi_placed_relative(&placed[parent], &at);
        pose->translation = lmi_placed_split(
            &local, f > 0 ? pose_of(q, f - 1, index)->rotation : NULL, pose->rotation);
    }
    const lm_vec3 up = q->joints[parent].position, own = pose_of(q, 0, index)->translation;
    q->joints[index] = (lm_joint){.name = tag->name,
                                  .parent = parent,
                                  .position = {up.x + own.x, up.y + own.y, up.z + own.z}};
}

/* Lists the joints of the skeleton, then the tags that are none of them, each name once. Tags alone
 * hang below a joint that stands still. Another joint with the name of a tag gets another name. */
static bool list_joints(iqm *q) {
    const lm_joint_pose still = {{0, 0, 0, 1}, {0, 0, 0}};
    const uint32_t own = q->given ? q->given->num_joints : q->mesh->num_tags > 0;
    const lm_mesh_tag **list = lmi_arena_alloc(&q->arena, q->mesh->num_tags, sizeof *list);
    lm_names names = {.arena = &q->arena};
    uint32_t tags = 0;
    for (uint32_t t = 0; list && t < q->mesh->num_tags; t++) {
        lm_name *name = lmi_names_put(&names, q->mesh->tags[t].name);
        if (name && name->number > 0)
            add_note(q, LM_CODE_NOT_HELD, "tags", t,
                     "a tag with the name of an earlier one is left out");
        else if (!is_joint(q->given, &q->mesh->tags[t]))
            list[tags++] = &q->mesh->tags[t];
        if (name)
            name->number++;
    }
    const uint64_t all = (uint64_t)own + tags;
    if (all > LM_MAX_SKELETON_BONES)
        return lmi_call_fail(&q->heap.call, LM_CODE_LIMIT,
                             "%s and %s are more than the %u joints that engines read",
                             lmi_count_nouns(own, "joints").text,
                             lmi_count_nouns(tags, "tags").text, LM_MAX_SKELETON_BONES);
    q->made.num_joints = (uint32_t)all;
    q->made.joints = q->joints = lmi_arena_zeros(&q->arena, all, sizeof *q->joints);
    q->made.poses = q->poses =
        lmi_arena_alloc(&q->arena, q->made.num_frames * all, sizeof *q->poses);
    q->channels = lmi_arena_zeros(&q->arena, all, sizeof *q->channels);
    if (lmi_arena_failed(&q->arena))
        return false;
    for (uint32_t j = 0; j < own; j++) {
        static const lm_joint root = {.name = "root", .parent = LM_SKELETON_NO_PARENT};
        lm_joint *joint = &q->joints[j];
        *joint = q->given ? q->given->joints[j] : root;
        for (uint32_t t = 0; t < tags; t++)
            if (joint->name && strcmp(list[t]->name, joint->name) == 0)
                joint->name = lmi_arena_printf(&q->arena, "%s_bone", list[t]->name);
        for (uint32_t f = 0; f < q->made.num_frames; f++)
            *pose_of(q, f, j) = q->given ? q->given->poses[(size_t)q->frames[f] * own + j] : still;
        if (!joint->name)
            return false;
    }
    for (uint32_t t = 0; t < tags; t++)
        add_tag(q, list[t], own + t);
    return true;
}

/* ---- Rounding -------------------------------------------------------------------------------- */

/* Returns a channel of a pose. A pose begins with its rotation. */
static float *channel_of(const iqm *q, uint32_t frame, uint32_t joint, unsigned channel) {
    lm_joint_pose *pose = pose_of(q, frame, joint);
    return channel < 3 ? &pose->translation.x + channel : &pose->rotation[channel - 3];
}

/* Returns the step of a value in a channel that varies. */
static uint16_t step_of(const iqm_channels *c, unsigned channel, float value) {
    const float step = floorf((value - c->offset[channel]) / c->scale[channel] + 0.5f);
    return (uint16_t)fminf(step, UINT16_MAX);
}

/* Rounds a channel to steps of its range. */
static void round_channel(iqm *q, uint32_t joint, unsigned channel) {
    iqm_channels *c = &q->channels[joint];
    float least = INFINITY, most = -INFINITY;
    for (uint32_t f = 0; f < q->made.num_frames; f++) {
        const float value = *channel_of(q, f, joint, channel);
        least = fminf(least, value);
        most = fmaxf(most, value);
    }
    c->offset[channel] = least;
    c->scale[channel] = (most - least) / UINT16_MAX;
    if (!(c->scale[channel] > 0))
        return;
    c->mask |= 1u << channel;
    q->fields[20]++;
    for (uint32_t f = 0; f < q->made.num_frames; f++) {
        float *value = channel_of(q, f, joint, channel);
        *value = least + (float)step_of(c, channel, *value) * c->scale[channel];
    }
}

/* Rounds weights to steps of 1/255 whose sum is 1. That of `from` is less if the vertex follows
 * more joints, which the file does not hold. */
static lm_influence round_weights(const lm_influence *from) {
    lm_influence out = *from;
    int left = UINT8_MAX;
    float sum = 0;
    for (unsigned i = 0; i < LM_SKELETON_WEIGHTS; i++)
        sum += from->weights[i];
    for (unsigned i = LM_SKELETON_WEIGHTS; i-- > 1;) {
        const int rounded = (int)(from->weights[i] / sum * UINT8_MAX + 0.5f);
        out.joints[i] = rounded > 0 ? from->joints[i] : 0;
        out.weights[i] = (float)rounded / UINT8_MAX;
        left -= rounded;
    }
    out.weights[0] = (float)left / UINT8_MAX; /* the largest */
    return out;
}

/* Merges the surfaces in the rest pose, with smooth normals where the mesh has none. */
static bool make_rest(iqm *q) {
    static const lm_influence first = {{0}, {1}};
    const uint32_t count = q->mesh->num_surfaces;
    lm_mesh_surface *surfaces = lmi_arena_alloc(&q->arena, count, sizeof *surfaces);
    const lm_mesh rest = {.num_frames = 1, .num_surfaces = count, .surfaces = surfaces};
    for (uint32_t i = 0; surfaces && i < count; i++) {
        surfaces[i] = q->mesh->surfaces[i];
        if (q->given) {
            surfaces[i].positions = (const float *)q->given->surfaces[i].positions;
            surfaces[i].normals = (const float *)q->given->surfaces[i].normals;
        }
    }
    if (!surfaces || !lmi_encode_fill_normals(&rest, surfaces, &q->arena) ||
        !lmi_merge_surfaces(&rest, 1, &q->arena, &q->rest))
        return false;
    lm_vec3 *normals = lmi_mesh_rows(q->rest.normals);
    lm_influence *influences = lmi_arena_alloc(&q->arena, q->rest.num_vertices, sizeof *influences);
    for (uint32_t i = 0, v = 0; influences && i < count; i++)
        for (uint32_t k = 0; k < surfaces[i].num_vertices; k++, v++) {
            normals[v] = lmi_unit(normals[v]);
            influences[v] = round_weights(q->given ? &q->given->surfaces[i].influences[k] : &first);
        }
    q->skin = (lm_skeleton_surface){q->rest.num_vertices, lmi_mesh_rows(q->rest.positions), normals,
                                    influences, NULL};
    q->made.surfaces = &q->skin;
    return influences != NULL;
}

/* ---- Writing --------------------------------------------------------------------------------- */

static void put_u32(iqm *q, uint32_t value) {
    uint8_t bytes[4];
    lmi_put_u32(bytes, value);
    lm_buffer_append(q->out, bytes, sizeof bytes);
}

static void put_floats(iqm *q, const float *values, size_t count) {
    for (size_t i = 0; i < count; i++)
        put_u32(q, lmi_bits(values[i] + 0.0f));
}

/* Begins a list, and returns its offset. */
static uint32_t begin_list(iqm *q) {
    lm_buffer_append(q->out, "\0\0", (4 - (q->out->size - q->start) % 4) % 4);
    return (uint32_t)(q->out->size - q->start);
}

/* Begins a list of the header: its number, and its offset in the field after that. */
static void begin(iqm *q, unsigned field, uint32_t count) {
    q->fields[field] = count;
    q->fields[field + 1] = count > 0 ? begin_list(q) : 0;
}

/* Writes the offset of a text. */
static void put_text(iqm *q, const char *text) {
    put_u32(q, text && *text ? (uint32_t)q->text.size : 0);
    if (text && *text)
        lm_buffer_append(&q->text, text, strlen(text) + 1);
}

/* ---- Vertices and meshes --------------------------------------------------------------------- */

/* Finds the first vertex of the surface that equals each corner's, whatever its texture coordinate.
 */
static uint32_t *weld_corners(iqm *q) {
    const lm_skeleton_surface *s = &q->skin;
    const size_t corners = 3 * (size_t)q->rest.num_triangles;
    uint32_t *firsts = lmi_arena_alloc(&q->arena, s->num_vertices, sizeof *firsts);
    uint32_t *keys = lmi_arena_alloc(&q->arena, corners, sizeof *keys);
    lm_welding w = {.count = 0};
    lmi_welding_alloc(&w, &q->arena, s->num_vertices);
    if (lmi_arena_failed(&q->arena))
        return NULL;
    for (uint32_t i = 0, first = 0; i < q->mesh->num_surfaces; i++) {
        const lm_influence *follow = s->influences + first;
        lmi_welding_start(&w, q->mesh->surfaces[i].num_vertices);
        lmi_welding_divide(&w, s->positions + first, sizeof *s->positions, s->normals + first,
                           sizeof *s->normals);
        lmi_welding_divide(&w, follow, sizeof *follow, follow, 0);
        for (uint32_t v = 0; v < w.count; v++)
            firsts[first + v] = first + w.classes[v];
        first += w.count;
    }
    for (size_t c = 0; c < corners; c++)
        keys[c] = firsts[q->rest.triangles[c]];
    return keys;
}

/* Merges equal vertices, splits those that have several texture coordinates, and lists where those
 * of the file come from: those of each surface in turn. */
static bool index_vertices(iqm *q) {
    const lm_mesh_surface *rest = &q->rest;
    const size_t corners = 3 * (size_t)rest->num_triangles;
    const uint32_t *keys = weld_corners(q);
    uint32_t *numbers = lmi_arena_alloc(&q->arena, corners, sizeof *numbers);
    uint32_t *used = lmi_arena_alloc(&q->arena, corners, sizeof *used), num_ids;
    q->corners = lmi_arena_alloc(&q->arena, corners, sizeof *q->corners);
    q->vertices = lmi_arena_alloc(&q->arena, corners, sizeof *q->vertices);
    q->st = lmi_arena_alloc(&q->arena, corners, sizeof *q->st);
    if (lmi_arena_failed(&q->arena) ||
        !lmi_rank_corners(rest, keys, q->corners, &num_ids, &q->arena))
        return false;
    const uint32_t count = lmi_rename_by_use(q->corners, corners, num_ids, numbers, used);
    for (size_t c = 0; c < corners; c++) {
        q->vertices[q->corners[c]] = keys[c];
        q->st[q->corners[c]] = rest->st_triangles[c];
    }
    lm_vertex_source *sources = lmi_arena_alloc(lmi_arena_of(q->report), count, sizeof *sources);
    for (uint32_t k = 0, i = 0, first = 0; sources && k < count; k++) {
        while (q->vertices[k] - first >= q->mesh->surfaces[i].num_vertices)
            first += q->mesh->surfaces[i++].num_vertices;
        sources[k] = (lm_vertex_source){i, q->vertices[k] - first};
    }
    q->report->sources = sources;
    q->report->num_vertices = count;
    q->report->num_triangles = rest->num_triangles;
    return sources != NULL;
}

/* Computes tangents, in which s grows, and the side of t. ioquake3 demands them. */
static bool find_tangents(iqm *q) {
    const uint32_t count = q->report->num_vertices;
    lm_wide *sums = lmi_arena_zeros(&q->arena, count, 2 * sizeof *sums);
    q->tangents = lmi_arena_alloc(&q->arena, count, sizeof *q->tangents);
    if (!sums || !q->tangents)
        return false;
    for (size_t t = 0; t < q->rest.num_triangles; t++) {
        const uint32_t *corners = q->corners + 3 * t;
        const lm_vec3 at = q->skin.positions[q->vertices[corners[0]]];
        const float *st = q->rest.st + 2 * (size_t)q->st[corners[0]];
        lm_wide edges[2], grows[2]; /* where s grows, where t grows */
        double sides[2][2];
        for (int i = 0; i < 2; i++) {
            const float *end = q->rest.st + 2 * (size_t)q->st[corners[i + 1]];
            edges[i] = lmi_wide_sum(lmi_wide_of(q->skin.positions[q->vertices[corners[i + 1]]]),
                                    lmi_wide_of(at), -1);
            sides[i][0] = (double)end[0] - (double)st[0];
            sides[i][1] = (double)end[1] - (double)st[1];
        }
        const double area = sides[0][0] * sides[1][1] - sides[1][0] * sides[0][1];
        const double sign = area < 0 ? -1 : 1;
        const lm_wide none = {0, 0, 0};
        grows[0] = lmi_wide_sum(lmi_wide_sum(none, edges[0], sides[1][1]), edges[1], -sides[0][1]);
        grows[1] = lmi_wide_sum(lmi_wide_sum(none, edges[1], sides[0][0]), edges[0], -sides[1][0]);
        for (int c = 0; c < 6; c++) {
            lm_wide *sum = &sums[2 * (size_t)corners[c / 2] + (size_t)c % 2];
            *sum = lmi_wide_sum(*sum, grows[c % 2], sign);
        }
    }
    for (uint32_t k = 0; k < count; k++) {
        const lm_wide n = lmi_wide_of(q->skin.normals[q->vertices[k]]), *sum = &sums[2 * (size_t)k];
        lm_wide flat = lmi_wide_sum(sum[0], n, -lmi_wide_dot(sum[0], n));
        if (!(lmi_wide_length(flat) > 1e-6 * lmi_wide_length(sum[0]))) /* any */
            flat = lmi_wide_cross(
                n, (lm_wide){(double)(fabs(n.x) < 0.9), (double)(fabs(n.x) >= 0.9), 0});
        const lm_vec3 unit = lmi_unit((lm_vec3){(float)flat.x, (float)flat.y, (float)flat.z});
        memcpy(q->tangents[k], &unit, sizeof unit);
        q->tangents[k][3] = lmi_wide_dot(lmi_wide_cross(n, lmi_wide_of(unit)), sum[1]) < 0 ? -1 : 1;
    }
    return true;
}

/* The vertex arrays: position, texture coordinates, normal, tangent, blend indices, weights. */
static const uint8_t widths[] = {3, 2, 3, 4, 4, 4};
#define NUM_FLOATS 4u /* of these arrays, the first */

static void put_vertex(iqm *q, unsigned array, uint32_t index) {
    const uint32_t v = q->vertices[index];
    const float *const floats[NUM_FLOATS] = {&q->skin.positions[v].x,
                                             q->rest.st + 2 * (size_t)q->st[index],
                                             &q->skin.normals[v].x, q->tangents[index]};
    uint8_t bytes[LM_SKELETON_WEIGHTS];
    if (array < NUM_FLOATS) {
        put_floats(q, floats[array], widths[array]);
        return;
    }
    for (int i = 0; i < LM_SKELETON_WEIGHTS; i++) {
        const lm_influence *follows = &q->skin.influences[v];
        const uint8_t weight = (uint8_t)(follows->weights[i] * UINT8_MAX + 0.5f);
        bytes[i] = array == NUM_FLOATS + 1 ? weight : (uint8_t)follows->joints[i];
    }
    lm_buffer_append(q->out, bytes, sizeof bytes);
}

static void write_meshes(iqm *q) {
    const lm_mesh *mesh = q->mesh;
    uint32_t first = 0, first_triangle = 0, most = 0, worst = 0;
    for (uint32_t i = 0; i < mesh->num_surfaces; i++)
        q->report->num_surfaces += mesh->surfaces[i].num_triangles > 0;
    begin(q, 5, q->report->num_surfaces);
    for (uint32_t i = 0; i < mesh->num_surfaces; i++) {
        const lm_mesh_surface *s = &mesh->surfaces[i];
        uint32_t count = 0;
        if (s->num_triangles == 0)
            continue;
        while (first + count < q->report->num_vertices &&
               q->report->sources[first + count].surface == i)
            count++;
        put_text(q, s->name);
        put_text(q, material_of(q, i));
        put_u32(q, first);
        put_u32(q, count);
        put_u32(q, first_triangle);
        put_u32(q, s->num_triangles);
        first += count;
        first_triangle += s->num_triangles;
        worst = count > most ? i : worst;
        most = count > most ? count : most;
    }
    if (most >= 1000)
        add_note(q, LM_CODE_NOT_HELD, "surfaces", worst,
                 "it has 1000 vertices or more, with which ioquake3 does not load a model");
    uint32_t offsets[sizeof widths];
    const uint32_t num_types = q->report->num_vertices == 0 ? 0
                               : q->made.num_joints > 0     ? sizeof widths
                                                            : NUM_FLOATS;
    for (unsigned a = 0; a < num_types; a++) {
        offsets[a] = begin_list(q);
        for (uint32_t k = 0; k < q->report->num_vertices; k++)
            put_vertex(q, a, k);
    }
    begin(q, 8, q->report->num_vertices);
    q->fields[7] = num_types;
    for (unsigned a = 0; a < num_types; a++) {
        const uint32_t array[5] = {a, 0, a < NUM_FLOATS ? 7U : 1U, widths[a], offsets[a]};
        for (int k = 0; k < 5; k++)
            put_u32(q, array[k]);
    }
    begin(q, 10, q->report->num_triangles);
    for (size_t c = 0; c < 3 * (size_t)q->report->num_triangles; c++)
        put_u32(q, q->corners[c]);
}

/* ---- Joints, clips and frames ---------------------------------------------------------------- */

static void write_joints(iqm *q) {
    static const float base[7] = {0, 0, 0, 1, 1, 1, 1}; /* rotation, scale */
    begin(q, 13, q->made.num_joints);
    for (uint32_t j = 0; j < q->made.num_joints; j++) {
        const lm_joint *joint = &q->joints[j];
        const bool root = joint->parent == LM_SKELETON_NO_PARENT;
        const lm_vec3 up = root ? (lm_vec3){0, 0, 0} : q->joints[joint->parent].position;
        const float at[3] = {joint->position.x - up.x, joint->position.y - up.y,
                             joint->position.z - up.z};
        put_text(q, joint->name);
        put_u32(q, joint->parent);
        put_floats(q, at, 3);
        put_floats(q, base, 7);
    }
    begin(q, 15, q->made.num_joints);
    for (uint32_t j = 0; j < q->made.num_joints; j++) {
        put_u32(q, q->joints[j].parent);
        put_u32(q, q->channels[j].mask);
        put_floats(q, q->channels[j].offset, NUM_CHANNELS);
        put_floats(q, q->channels[j].scale, NUM_CHANNELS);
    }
}

static void write_clips(iqm *q) {
    const lm_clip all = {.name = "all", .count = q->made.num_frames, .fps = LM_DEFAULT_FPS};
    const uint32_t own = q->mesh->num_clips;
    const uint32_t count = q->made.num_joints == 0 ? 0 : own > 0 ? own : q->made.num_frames > 1;
    begin(q, 17, count);
    for (uint32_t i = 0; i < count; i++) {
        const lm_clip *clip = own > 0 ? &q->mesh->clips[i] : &all;
        put_text(q, clip->name);
        put_u32(q, own > 0 ? q->firsts[i] : 0);
        put_u32(q, clip->count);
        put_floats(q, &clip->fps, 1);
        put_u32(q, clip->loop_frames > 0 && clip->loop_frames == clip->count);
    }
}

static void write_channels(iqm *q) {
    q->fields[19] = q->made.num_frames;
    q->fields[21] = begin_list(q);
    for (uint32_t f = 0; f < q->made.num_frames; f++)
        for (uint32_t j = 0; j < q->made.num_joints; j++)
            for (unsigned c = 0; c < NUM_MOVING; c++) {
                const iqm_channels *channels = &q->channels[j];
                uint8_t bytes[2];
                if ((channels->mask >> c & 1) == 0)
                    continue;
                lmi_put_u16(bytes, step_of(channels, c, *channel_of(q, f, j, c)));
                lm_buffer_append(q->out, bytes, sizeof bytes);
            }
}

/* Writes the bounds of a frame: the box, its radius about z, and that of a sphere. Measures the
 * error. `at` [rest.num_vertices] is scratch. */
static void write_frame_bounds(iqm *q, uint32_t frame, lm_vec3 *at, double *square) {
    const lm_pose pose = {frame, frame, 0, false};
    lm_encode_report *report = q->report;
    lm_placed joints[LM_MAX_SKELETON_BONES];
    lm_box box = LM_EMPTY_BOX;
    float radii[2] = {0, 0};
    lmi_move_joints(&q->made, &pose, joints);
    lmi_move_surface(&q->made, 0, &pose, joints, at, NULL);
    for (uint32_t i = 0; i < q->mesh->num_surfaces; i++) {
        const lm_mesh_surface *s = &q->mesh->surfaces[i];
        const size_t row = (size_t)q->frames[frame] * s->num_vertices;
        for (uint32_t v = 0; v < s->num_vertices; v++, at++) {
            const double away = lmi_square_between(*at, lmi_vec3_at(s->positions, row + v));
            const float flat = at->x * at->x + at->y * at->y;
            lmi_box_add(&box, *at);
            radii[0] = fmaxf(radii[0], sqrtf(flat));
            radii[1] = fmaxf(radii[1], sqrtf(flat + at->z * at->z));
            *square += away;
            if (sqrt(away) > report->max_error) {
                report->max_error = sqrt(away);
                report->worst_surface = i;
                report->worst_vertex = v;
                report->worst_frame = q->frames[frame];
            }
        }
    }
    if (q->rest.num_vertices == 0)
        box = (lm_box){{0}, {0}};
    put_floats(q, box.low, 3);
    put_floats(q, box.high, 3);
    put_floats(q, radii, 2);
}

static bool write_bounds(iqm *q) {
    const double count = 3.0 * q->rest.num_vertices * q->made.num_frames;
    double square = 0;
    lm_vec3 *scratch = lmi_arena_alloc(&q->arena, q->rest.num_vertices, sizeof *scratch);
    q->fields[22] = begin_list(q);
    /* Engines normalise rotations, too. */
    for (size_t i = 0; i < (size_t)q->made.num_frames * q->made.num_joints; i++) {
        float *r = q->poses[i].rotation;
        const float length = sqrtf(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3]);
        for (int k = 0; k < 4; k++)
            r[k] /= length;
    }
    for (uint32_t f = 0; scratch && f < q->made.num_frames; f++)
        write_frame_bounds(q, f, scratch, &square);
    q->report->rms_error = count > 0 ? sqrt(square / count) : 0;
    return scratch != NULL;
}

/* ---- All ------------------------------------------------------------------------------------- */

static bool is_still(const lm_mesh *mesh) {
    for (uint32_t i = 0; i < mesh->num_surfaces; i++) {
        const size_t count = 3 * (size_t)mesh->surfaces[i].num_vertices;
        const float *first = mesh->surfaces[i].positions;
        for (size_t f = 1; count > 0 && f < mesh->num_frames; f++)
            if (memcmp(first, first + f * count, count * sizeof *first) != 0)
                return false;
    }
    return true;
}

static bool write_all(iqm *q) {
    lm_buffer_append(&q->text, "", 1);
    lm_buffer_append(q->out, MAGIC, sizeof MAGIC);
    lm_buffer_append(q->out, q->fields, sizeof q->fields);
    if (q->given && !lmi_skeleton_fits_mesh(q->given, q->mesh))
        return lmi_call_fail(
            &q->heap.call, LM_CODE_BAD_ARGUMENT,
            "the skeleton is not that of the mesh: it has other numbers of frames, "
            "surfaces or vertices");
    if (!q->given && !is_still(q->mesh))
        return lmi_call_fail(&q->heap.call, LM_CODE_NOT_HELD,
                             "vertices move, which needs a skeleton");
    if (!list_frames(q) || !list_joints(q) || !make_rest(q) || !index_vertices(q) ||
        !find_tangents(q))
        return false;
    for (uint32_t j = 0; j < q->made.num_joints; j++)
        for (unsigned c = 0; c < NUM_CHANNELS; c++)
            if (c < NUM_MOVING)
                round_channel(q, j, c);
            else
                q->channels[j].offset[c] = 1;
    write_meshes(q);
    note_materials(q);
    note_clips(q);
    write_joints(q);
    write_clips(q);
    if (q->made.num_joints > 0) {
        write_channels(q);
        if (!write_bounds(q))
            return false;
    }
    begin(q, 3, (uint32_t)q->text.size);
    lm_buffer_append(q->out, q->text.data, q->text.size);
    if (q->out->size - q->start > UINT32_MAX)
        return lmi_call_fail(&q->heap.call, LM_CODE_LIMIT, "an IQM has less than 4 GiB");
    q->fields[0] = 2;
    q->fields[1] = (uint32_t)(q->out->size - q->start);
    for (size_t i = 0; i < HEADER_FIELDS && !q->out->failed; i++)
        lmi_put_u32(q->out->data + q->start + sizeof MAGIC + 4 * i, q->fields[i]);
    q->report->size = q->fields[1];
    return true;
}

bool lm_encode_iqm(const lm_mesh *mesh, const lm_skeleton *skeleton, lm_buffer *out,
                   lm_encode_report **report, lm_error *error) {
    if (report)
        *report = NULL;
    if (!LM_GIVEN(error, mesh, out) || !lmi_buffer_valid(out, __func__, error) ||
        !lm_mesh_check(mesh, error))
        return false;
    iqm q = {.mesh = mesh, .given = skeleton, .out = out, .text = {.allocator = out->allocator}};
    lmi_export_begin(&q.heap, out, error);
    q.arena.heap = &q.heap;
    q.start = out->size;
    const lm_buffer_mark mark = lmi_buffer_begin(out);
    q.report = lmi_object(&q.heap, sizeof *q.report);
    if (q.report) {
        *q.report = (lm_encode_report){.format = "iqm"};
        write_all(&q);
    }
    if (out->failed || q.text.failed)
        lmi_call_end(&q.heap.call, LM_NO_MEMORY);
    lmi_arena_free(&q.arena);
    lm_buffer_free(&q.text);
    const bool done = lmi_export_end(&q.heap, out, mark, "IQM");
    q.report = lmi_object_end(q.report, done);
    if (report)
        *report = q.report;
    else
        lm_encode_report_free(q.report);
    return done;
}
