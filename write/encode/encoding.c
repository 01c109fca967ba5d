/* Functions that encoders share, and the completion of meshes with what encoders need: frame names,
 * normals, materials, skins and movements. */
#include "encode/encoding.h"

#include "core/bytes.h"
#include "core/index.h"
#include "core/names.h"
#include "core/report.h"
#include "core/text.h"
#include "math/vectors.h"
#include "mesh/mesh_make.h"
#include "sample/smooth.h"

#include <stdio.h>
#include <string.h>

bool lmi_encode_note(lm_encoding *encoding, lm_code code, const char *section, uint32_t index,
                     const char *sentence, ...) {
    va_list arguments;
    va_start(arguments, sentence);
    const uint32_t surface = strcmp(section, "surfaces") == 0 ? index : 0;
    const lm_diagnostic note = {.location = {section, 0, surface, index},
                                .code = code,
                                .severity = lm_code_severity(code),
                                .count = 1};
    const bool done =
        lmi_diagnostics_vprintf(&encoding->notes, &encoding->arena, note, sentence, arguments);
    va_end(arguments);
    return done;
}

/* Returns the start of the part of a long name that must be kept: its number, or in a path the part
 * from the last slash on, if that fits. */
static size_t tail_of(const char *name, size_t length, size_t room) {
    const char *slash = strrchr(name, '/');
    size_t start = length;
    if (slash && length - (size_t)(slash - name) < room)
        return (size_t)(slash - name);
    while (start > 0 && name[start - 1] >= '0' && name[start - 1] <= '9')
        start--;
    return length - start < room ? start : length - room;
}

bool lmi_encode_name(uint8_t *field, size_t size, const char *name) {
    const size_t length = strlen(name), room = size - 1;
    memset(field, 0, size);
    if (length <= room) {
        memcpy(field, name, length + 1);
        return true;
    }
    const size_t tail = tail_of(name, length, room), head = length - tail;
    memcpy(field, name, room - head);
    memcpy(field + room - head, name + tail, head);
    return false;
}

bool lmi_encode_text(lm_encoding *encoding, uint8_t *field, size_t size, const char *name,
                     const char *section, const char *whose, uint32_t index) {
    const int singular = (int)strlen(section) - 1;
    return lmi_encode_name(field, size, name) ||
           lmi_encode_note(encoding, LM_CODE_NAME_SHORTENED, section, index,
                           "%.*s %u: %s \"%s\" has more than %u bytes and is shortened", singular,
                           section, (unsigned)index, whose, name, (unsigned)(size - 1));
}

bool lmi_same_materials(const lm_mesh_surface *a, const lm_mesh_surface *b) {
    bool same = a->num_materials == b->num_materials;
    for (uint32_t i = 0; same && i < a->num_materials; i++)
        same = strcmp(a->materials[i].name, b->materials[i].name) == 0;
    return same;
}

/* ---- Trajectories ------------------------------------------------------------------------- */

typedef struct trajectories {
    uint32_t num_frames, num_vertices;
    const float *positions;
    const uint16_t *normals;
} trajectories;

static bool same(const void *context, uint32_t a, uint32_t b) {
    const trajectories *t = context;
    for (uint32_t f = 0; f < t->num_frames; f++) {
        const size_t row = (size_t)f * t->num_vertices;
        const float *p = t->positions + 3 * (row + a), *q = t->positions + 3 * (row + b);
        if (t->normals[row + a] != t->normals[row + b] || p[0] != q[0] || p[1] != q[1] ||
            p[2] != q[2])
            return false;
    }
    return true;
}

bool lmi_weld_trajectories(const lm_encoding *encoding, const lm_mesh_surface *surface,
                           const uint16_t *normals, uint32_t *firsts, lm_heap *heap) {
    const trajectories t = {encoding->mesh->num_frames, surface->num_vertices, surface->positions,
                            normals};
    for (uint32_t v = 0; v < t.num_vertices; v++)
        firsts[v] = v;
    if (encoding->options->keep_numbers)
        return true;
    uint64_t *keys = lmi_heap_alloc(heap, t.num_vertices, sizeof *keys);
    if (!keys)
        return false;
    memset(keys, 0, t.num_vertices * sizeof *keys);
    const float *p = t.positions;
    const uint16_t *normal = t.normals;
    for (uint32_t f = 0; f < t.num_frames; f++)
        for (uint32_t v = 0; v < t.num_vertices; v++, p += 3)
            keys[v] = lmi_hash(lmi_hash_vec3(keys[v], lmi_vec3_at(p, 0)), *normal++);
    const bool done = lmi_find_equal(t.num_vertices, keys, same, &t, firsts, heap);
    lmi_heap_free(heap, keys, t.num_vertices * sizeof *keys);
    return done;
}

/* ---- Movements ------------------------------------------------------------------------------ */

/* `ends`: for each frame, the end (exclusive) of the longest clip that begins there. */
bool *lmi_encode_movements(const lm_mesh *mesh, lm_arena *arena) {
    bool *begins = lmi_arena_alloc(arena, mesh->num_frames, sizeof *begins);
    uint32_t *ends = lmi_arena_zeros(arena, mesh->num_frames, sizeof *ends);
    if (!begins || !ends)
        return NULL;
    for (uint32_t i = 0; i < mesh->num_clips; i++) {
        const lm_clip *clip = &mesh->clips[i];
        const uint32_t end = clip->first + clip->count;
        ends[clip->first] = end > ends[clip->first] ? end : ends[clip->first];
    }
    uint32_t end = 0; /* of the clips that began before the frame */
    for (uint32_t f = 0; f < mesh->num_frames; f++) {
        const bool free_before = end < f; /* no clip contains the previous frame */
        const bool joined = f > 0 && (end > f || (free_before && ends[f] == 0));
        begins[f] = !joined;
        end = ends[f] > end ? ends[f] : end;
    }
    return begins;
}

/* ---- Names of frames ------------------------------------------------------------------------ */

/* Names frames that have no name: the text and a number, with as many digits as `count` but at
 * least two. */
static bool name_run(lm_arena *arena, const char **names, const char *name, uint32_t first,
                     uint32_t count) {
    const int digits = count < 10 ? 2 : snprintf(NULL, 0, "%u", (unsigned)count);
    for (uint32_t i = 0; i < count; i++) {
        if (!names[first + i])
            names[first + i] = lmi_arena_printf(arena, "%s%0*u", name, digits, (unsigned)(i + 1));
        if (!names[first + i])
            return false;
    }
    return true;
}

static const char **name_frames(lm_encoding *encoding) {
    const lm_mesh *mesh = encoding->mesh;
    lm_arena *arena = &encoding->arena;
    const char **names = lmi_arena_zeros(arena, mesh->num_frames, sizeof *names);
    bool named = names != NULL;
    for (uint32_t i = 0; named && i < mesh->num_clips; i++)
        named =
            name_run(arena, names, mesh->clips[i].name, mesh->clips[i].first, mesh->clips[i].count);
    return named && name_run(arena, names, "frame", 0, mesh->num_frames) ? names : NULL;
}

/* ---- Normals -------------------------------------------------------------------------------- */

static bool smooth_frame(lm_smoothing *s, const lm_mesh *mesh, uint32_t frame, float **normals) {
    uint32_t first = 0;
    for (uint32_t i = 0; i < mesh->num_surfaces; first += mesh->surfaces[i++].num_vertices) {
        const size_t count = mesh->surfaces[i].num_vertices;
        if (count > 0)
            memcpy(s->positions + first, mesh->surfaces[i].positions + 3 * frame * count,
                   count * sizeof *s->positions);
    }
    if (!lmi_smoothing_frame(s))
        return false;
    first = 0;
    for (uint32_t i = 0; i < mesh->num_surfaces; first += mesh->surfaces[i++].num_vertices) {
        const uint32_t *v = mesh->surfaces[i].triangles;
        for (uint32_t t = 0; t < mesh->surfaces[i].num_triangles; t++, v += 3)
            lmi_smoothing_triangle(s, (uint32_t[]){first + v[0], first + v[1], first + v[2]});
    }
    first = 0;
    for (uint32_t i = 0; i < mesh->num_surfaces; first += mesh->surfaces[i++].num_vertices) {
        const size_t count = mesh->surfaces[i].num_vertices;
        for (uint32_t v = 0; normals[i] && v < count; v++)
            lmi_mesh_rows(normals[i])[frame * count + v] = lmi_smoothing_normal(s, first + v);
    }
    return true;
}

bool lmi_encode_fill_normals(const lm_mesh *mesh, lm_mesh_surface *surfaces, lm_arena *arena) {
    uint64_t count = 0;
    bool any = false, done = true;
    float **normals = lmi_arena_zeros(arena, mesh->num_surfaces, sizeof *normals);
    for (uint32_t i = 0; normals && done && i < mesh->num_surfaces; i++) {
        const lm_mesh_surface *s = &mesh->surfaces[i];
        count += s->num_vertices;
        if (s->normals)
            continue;
        any = true;
        normals[i] = lmi_arena_alloc(arena, (uint64_t)mesh->num_frames * s->num_vertices,
                                     3 * sizeof **normals);
        done = normals[i] != NULL;
        surfaces[i].normals = normals[i];
    }
    lm_smoothing s;
    if (!normals || !done || !any)
        return normals && done;
    done = lmi_smoothing_begin(&s, count, arena->heap);
    for (uint32_t f = 0; done && f < mesh->num_frames; f++)
        done = smooth_frame(&s, mesh, f, normals);
    lmi_smoothing_end(&s);
    return done;
}

/* ---- Textures ------------------------------------------------------------------------------- */

/* Gives the model's skins to surfaces that name no texture: the first is shown, the others are
 * alternatives. */
static bool fill_materials(lm_encoding *encoding, lm_mesh_surface *surfaces) {
    const lm_mesh *mesh = encoding->mesh;
    lm_material *materials = lmi_arena_alloc(&encoding->arena, mesh->num_skins, sizeof *materials);
    if (!materials)
        return false;
    for (uint32_t i = 0; i < mesh->num_skins; i++)
        materials[i] = (lm_material){.name = mesh->skins[i]};
    for (uint32_t i = 0; mesh->num_skins > 0 && i < mesh->num_surfaces; i++)
        if (surfaces[i].num_materials == 0) {
            surfaces[i].num_materials = mesh->num_skins;
            surfaces[i].materials = materials;
        }
    return true;
}

/* Returns true if all surfaces that name textures name the same several ones: alternatives, like a
 * model's skins. Sets `with` to one of the surfaces. */
static bool share_choice(const lm_mesh *mesh, const lm_mesh_surface **with) {
    *with = NULL;
    for (uint32_t i = 0; i < mesh->num_surfaces; i++) {
        const lm_mesh_surface *s = &mesh->surfaces[i];
        if (s->num_materials == 0)
            continue;
        if (*with && !lmi_same_materials(*with, s))
            return false;
        *with = s;
    }
    return *with && (*with)->num_materials > 1;
}

/* If only surfaces name textures, lists these as the model's skins, without duplicates. */
static bool fill_skins(lm_encoding *encoding, lm_mesh *mesh) {
    lm_names names = {.arena = &encoding->arena};
    const lm_mesh_surface *from = NULL;
    const bool choice = mesh->num_skins == 0 && share_choice(mesh, &from);
    const uint32_t most = choice ? from->num_materials : mesh->num_surfaces;
    const char **skins = lmi_arena_alloc(&encoding->arena, most, sizeof *skins);
    if (!skins)
        return false;
    if (mesh->num_skins == 0)
        mesh->embedded_skins = NULL; /* an empty list, which does not fit the skins below */
    for (uint32_t m = 0; choice && m < most; m++)
        skins[m] = from->materials[m].name;
    if (choice) {
        mesh->num_skins = most;
        mesh->skins = skins;
    }
    for (uint32_t i = 0; mesh->num_skins == 0 && i < mesh->num_surfaces; i++) {
        if (mesh->surfaces[i].num_materials == 0)
            continue;
        const size_t before = names.count;
        const char *name = mesh->surfaces[i].materials[0].name;
        if (!lmi_names_put(&names, name))
            return false;
        if (names.count > before)
            skins[before] = name;
    }
    if (names.count > 0) {
        mesh->num_skins = (uint32_t)names.count;
        mesh->skins = skins;
    }
    return true;
}

/* ---- Winding -------------------------------------------------------------------------------- */

static bool flip(lm_arena *arena, const uint32_t **corners, uint32_t num_triangles) {
    const size_t size = (size_t)num_triangles * 3 * sizeof(uint32_t);
    uint32_t *flipped = lmi_arena_alloc(arena, size, 1);
    if (flipped && size > 0)
        memcpy(flipped, *corners, size);
    lmi_mesh_rotate(flipped, num_triangles);
    *corners = flipped;
    return flipped != NULL;
}

static bool flip_surfaces(lm_encoding *encoding, lm_mesh_surface *surfaces) {
    bool done = true;
    for (uint32_t i = 0; done && i < encoding->mesh->num_surfaces; i++) {
        lm_mesh_surface *s = &surfaces[i];
        done = flip(&encoding->arena, &s->triangles, s->num_triangles) &&
               (!s->st_triangles || flip(&encoding->arena, &s->st_triangles, s->num_triangles));
    }
    return done;
}

bool lmi_encode_fill_missing(lm_encoding *encoding) {
    const lm_mesh *mesh = encoding->mesh;
    lm_mesh *filled = lmi_arena_alloc(&encoding->arena, 1, sizeof *filled);
    lm_mesh_surface *surfaces =
        lmi_arena_alloc(&encoding->arena, mesh->num_surfaces, sizeof *surfaces);
    encoding->begins = lmi_encode_movements(mesh, &encoding->arena);
    if (!filled || !surfaces || !encoding->begins)
        return false;
    *filled = *mesh;
    filled->name = mesh->name ? mesh->name : "";
    filled->surfaces = surfaces;
    filled->frame_names = mesh->frame_names ? mesh->frame_names : name_frames(encoding);
    for (uint32_t i = 0; i < mesh->num_surfaces; i++) {
        lm_mesh_surface *s = &surfaces[i];
        *s = mesh->surfaces[i];
        s->name = s->name ? s->name : "";
        s->st_triangles = s->num_st > 0 && !s->st_triangles ? s->triangles : s->st_triangles;
    }
    encoding->mesh = filled;
    return filled->frame_names &&
           (!encoding->options->flip_winding || flip_surfaces(encoding, surfaces)) &&
           lmi_encode_fill_normals(filled, surfaces, &encoding->arena) &&
           fill_materials(encoding, surfaces) && fill_skins(encoding, filled);
}
