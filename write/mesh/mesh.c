/* Meshes: validation before encoding, and size in memory. */
#include "lerpmesh/mesh.h"

#include "core/report.h"
#include "mesh/mesh_make.h"

#include <string.h>

/* Squared distances of larger numbers lose precision, in any format. */
#define LM_MAX_MESH_VALUES 0x1p40f

/* ---- Checking ------------------------------------------------------------------------------- */

static bool fail_element(lm_error *error, const char *what, unsigned index, const char *why) {
    return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "mesh: %s %u %s", what, index, why);
}

/* Numbers per block. A block is checked without branches. */
#define BLOCK 16

static bool is_in_range(const float *block) {
    int tame = 0;
    for (int i = 0; i < BLOCK; i++)
        tame += (block[i] > -LM_MAX_MESH_VALUES) & (block[i] < LM_MAX_MESH_VALUES);
    return tame == BLOCK;
}

/* Returns the index of the first number that is too large or NaN; `count` if there is none. */
static uint64_t find_invalid(const float *numbers, uint64_t count) {
    uint64_t i = 0;
    while (count - i >= BLOCK && is_in_range(numbers + i))
        i += BLOCK;
    while (i < count && numbers[i] > -LM_MAX_MESH_VALUES && numbers[i] < LM_MAX_MESH_VALUES)
        i++;
    return i;
}

/* `each`: numbers per frame, 3 per vertex. */
static bool check_row(const float *numbers, uint32_t frames, uint64_t each, unsigned surface,
                      const char *what, lm_error *error) {
    const uint64_t invalid = numbers ? find_invalid(numbers, frames * each) : frames * each;
    if (each == 0 || invalid == frames * each)
        return true;
    const unsigned vertex = (unsigned)(invalid % each / 3);
    lm_fail_plain(error, LM_CODE_NOT_FINITE,
                  "mesh: surface %u: the %s of vertex %u in frame %u is not a number below 2^40",
                  surface, what, vertex, (unsigned)(invalid / each));
    return lm_fail_at(error, surface, "vertices", vertex);
}

static bool check_indices(const uint32_t *corners, uint64_t count, uint32_t limit, lm_code code,
                          unsigned surface, const char *what, lm_error *error) {
    uint64_t c = 0;
    while (c < count && corners[c] < limit)
        c++;
    if (c == count)
        return true;
    lm_fail_plain(error, code, "mesh: surface %u: triangle %u uses %s %u, but there are %u",
                  surface, (unsigned)(c / 3), what, (unsigned)corners[c], (unsigned)limit);
    return lm_fail_at(error, surface, "triangles", (uint32_t)(c / 3));
}

static bool check_names(const lm_mesh_surface *s, unsigned surface, lm_error *error) {
    if (s->num_materials > 0 && !s->materials)
        return fail_element(error, "surface", surface, "has materials, but the list is NULL");
    for (uint32_t m = 0; m < s->num_materials; m++)
        if (!s->materials[m].name)
            return fail_element(error, "surface", surface, "has a material without a name");
    return true;
}

static bool check_surface(const lm_mesh *mesh, unsigned index, lm_error *error) {
    const lm_mesh_surface *s = &mesh->surfaces[index];
    const uint64_t corners = (uint64_t)s->num_triangles * 3;
    const uint64_t each = (uint64_t)s->num_vertices * 3;
    if (s->num_vertices > 0 && !s->positions)
        return fail_element(error, "surface", index, "has vertices, but positions is NULL");
    if (s->num_triangles > 0 && !s->triangles)
        return fail_element(error, "surface", index, "has triangles, but the list is NULL");
    if (s->num_st > 0 && !s->st)
        return fail_element(error, "surface", index,
                            "has texture coordinates, but the list is NULL");
    if (s->num_st > 0 && !s->st_triangles && s->num_st != s->num_vertices)
        return fail_element(error, "surface", index,
                            "needs st_triangles, because num_st differs from num_vertices");
    if (!check_names(s, index, error) ||
        !check_indices(s->triangles, corners, s->num_vertices, LM_CODE_VERTEX_INDEX, index,
                       "vertex", error))
        return false;
    if (s->num_st > 0 && s->st_triangles &&
        !check_indices(s->st_triangles, corners, s->num_st, LM_CODE_ST_INDEX, index,
                       "texture coordinate", error))
        return false;
    const uint64_t invalid = find_invalid(s->st, (uint64_t)s->num_st * 2);
    if (invalid < (uint64_t)s->num_st * 2) {
        lm_fail_plain(error, LM_CODE_NOT_FINITE,
                      "mesh: surface %u: texture coordinate %u is not a number below 2^40", index,
                      (unsigned)(invalid / 2));
        return lm_fail_at(error, index, "texture coordinates", (uint32_t)(invalid / 2));
    }
    return check_row(s->positions, mesh->num_frames, each, index, "position", error) &&
           check_row(s->normals, mesh->num_frames, each, index, "normal", error);
}

static bool check_tag(const lm_mesh *mesh, unsigned index, lm_error *error) {
    const lm_mesh_tag *tag = &mesh->tags[index];
    if (!tag->name || !tag->poses)
        return fail_element(error, "tag", index, "has no name or no poses");
    _Static_assert(sizeof *tag->poses == 12 * sizeof(float), "a row of floats");
    const uint64_t count = (uint64_t)mesh->num_frames * 12;
    const uint64_t invalid = find_invalid(&tag->poses->origin.x, count);
    if (invalid < count)
        return lm_fail_plain(error, LM_CODE_NOT_FINITE,
                             "mesh: tag %u is not made of numbers below 2^40 in frame %u", index,
                             (unsigned)(invalid / 12));
    return true;
}

/* Returns true if the `count` times after times[0] increase strictly from it, by less than 2^40
 * seconds in all. */
static bool times_grow(const float *times, uint32_t count) {
    float last = 0;
    for (uint32_t i = 1; i <= count; i++) {
        const float end = times[i] - times[0];
        if (!(end > last && end < LM_MAX_MESH_VALUES))
            return false;
        last = end;
    }
    return true;
}

static bool check_clip(const lm_mesh *mesh, unsigned index, lm_error *error) {
    const lm_clip *clip = &mesh->clips[index];
    if (!clip->name || !(clip->fps > 0 && clip->fps < LM_MAX_MESH_VALUES))
        return fail_element(error, "clip", index,
                            "has no name, or its fps is not above 0 and below 2^40");
    if ((unsigned)clip->source > LM_CLIP_FILE)
        return fail_element(error, "clip", index, "has an unknown source");
    if (!((float)clip->count / clip->fps < LM_MAX_MESH_VALUES))
        return fail_element(error, "clip", index, "lasts 2^40 seconds or longer");
    if (clip->count == 0 || clip->first >= mesh->num_frames ||
        clip->count > mesh->num_frames - clip->first)
        return lm_fail_plain(
            error, LM_CODE_BAD_ARGUMENT, "mesh: clip %u has frames %u to %llu, but there are %u",
            index, (unsigned)clip->first, (unsigned long long)clip->first + clip->count - 1,
            (unsigned)mesh->num_frames);
    if (clip->times && !times_grow(clip->times, clip->count))
        return fail_element(error, "clip", index,
                            "has times that do not increase or that reach 2^40 seconds");
    return true;
}

bool lm_mesh_check_clips(const lm_mesh *mesh, lm_error *error) {
    if (mesh->num_frames == 0)
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "mesh: there are no frames");
    if (mesh->num_clips > 0 && !mesh->clips)
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT,
                             "mesh: num_clips is not 0, but clips is NULL");
    for (uint32_t i = 0; i < mesh->num_clips; i++)
        if (!check_clip(mesh, i, error))
            return false;
    return true;
}

static bool check_lists(const lm_mesh *mesh, lm_error *error) {
    if ((mesh->num_surfaces > 0 && !mesh->surfaces) || (mesh->num_tags > 0 && !mesh->tags) ||
        (mesh->num_skins > 0 && !mesh->skins))
        return lm_fail_plain(
            error, LM_CODE_BAD_ARGUMENT,
            "mesh: num_surfaces, num_tags or num_skins is not 0, but its list is NULL");
    for (uint32_t f = 0; mesh->frame_names && f < mesh->num_frames; f++)
        if (!mesh->frame_names[f])
            return fail_element(error, "frame", f, "has no name");
    for (uint32_t i = 0; i < mesh->num_skins; i++)
        if (!mesh->skins[i])
            return fail_element(error, "skin", i, "has no name");
    for (uint32_t i = 0; mesh->embedded_skins && i < mesh->num_skins; i++)
        if (mesh->embedded_skins[i].times &&
            !times_grow(mesh->embedded_skins[i].times, mesh->embedded_skins[i].num_images))
            return fail_element(error, "skin", i,
                                "has times that do not increase or that reach 2^40 seconds");
    return true;
}

bool lm_mesh_check(const lm_mesh *mesh, lm_error *error) {
    if (!lm_mesh_check_clips(mesh, error) || !check_lists(mesh, error))
        return false;
    if (find_invalid(&mesh->eye.x, 3) < 3)
        return lm_fail_plain(error, LM_CODE_NOT_FINITE,
                             "mesh: the eye is not made of numbers below 2^40");
    for (uint32_t i = 0; i < mesh->num_surfaces; i++)
        if (!check_surface(mesh, i, error))
            return false;
    for (uint32_t i = 0; i < mesh->num_tags; i++)
        if (!check_tag(mesh, i, error))
            return false;
    return true;
}

/* ---- Size ----------------------------------------------------------------------------------- */

uint64_t lm_mesh_size(const lm_mesh *mesh) {
    const uint64_t frames = mesh->num_frames;
    uint64_t size = sizeof *mesh;
    for (uint32_t i = 0; mesh->frame_names && i < frames; i++)
        size += sizeof(char *) + strlen(mesh->frame_names[i]) + 1;
    for (uint32_t i = 0; i < mesh->num_surfaces; i++) {
        const lm_mesh_surface *s = &mesh->surfaces[i];
        const uint64_t vectors = (s->positions ? 1u : 0u) + (s->normals ? 1u : 0u);
        const uint64_t lists = s->st_triangles ? 2 : 1;
        size += sizeof *s + frames * s->num_vertices * 12 * vectors + (uint64_t)s->num_st * 8;
        size += (uint64_t)s->num_triangles * 12 * lists;
        size += s->num_materials * sizeof *s->materials;
    }
    size += mesh->num_tags * (sizeof *mesh->tags + frames * sizeof(lm_transform));
    size += mesh->num_clips * sizeof *mesh->clips + mesh->num_skins * sizeof *mesh->skins;
    for (uint32_t i = 0; mesh->embedded_skins && i < mesh->num_skins; i++)
        size += sizeof *mesh->embedded_skins +
                (uint64_t)mesh->embedded_skins[i].num_images * mesh->skin_width * mesh->skin_height;
    return size;
}
