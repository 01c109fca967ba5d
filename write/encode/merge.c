#include "encode/merge.h"

#include "core/text.h"

#include <string.h>

static bool same_materials(const lm_take_surface *a, const lm_take_surface *b) {
    if (a->num_materials != b->num_materials)
        return false;
    for (uint32_t i = 0; i < a->num_materials; i++)
        if (strcmp(a->materials[i].name, b->materials[i].name) != 0)
            return false;
    return true;
}

/* Says that textures of surfaces are lost. */
static bool say_materials(lm_encoding *encoding) {
    const lm_take *take = encoding->take;
    const lm_take_surface *from = NULL;
    uint32_t others = 0, other = 0;
    for (uint32_t i = 0; i < take->num_surfaces; i++) {
        const lm_take_surface *s = &take->surfaces[i];
        if (s->num_materials > 0 && from && !same_materials(s, from)) {
            other = others++ == 0 ? i : other;
        } else if (s->num_materials > 0 && !from) {
            from = s;
        }
    }
    return others == 0 ||
           lm_encode_say(encoding, LM_CODE_NOT_HELD, other, 0,
                         "%s drawn with another texture than the first, such as surface "
                         "%u with \"%s\", but the format has one for all of them",
                         lm_count_words(others, "of the surfaces {is|are}").text, (unsigned)other,
                         take->surfaces[other].materials[0].name);
}

/* The sums of all surfaces, into the counts of one. False if they are too many. */
static bool count_surfaces(lm_encoding *encoding, lm_merged *merged) {
    const lm_take *take = encoding->take;
    uint64_t vertices = 0, triangles = 0, st = 0;
    for (uint32_t i = 0; i < take->num_surfaces; i++) {
        merged->firsts[i] = (uint32_t)vertices;
        vertices += take->surfaces[i].num_vertices;
        triangles += take->surfaces[i].num_triangles;
        st += take->surfaces[i].num_st > 0 ? take->surfaces[i].num_st : 1;
        if (vertices >= UINT32_MAX || triangles >= UINT32_MAX / 3 || st >= UINT32_MAX)
            return lm_call_fail(&encoding->heap->call, LM_CODE_LIMIT,
                                "all surfaces together have more than 2^32 vertices or corners; "
                                "leave surfaces out");
    }
    merged->surface = (lm_take_surface){.name = "",
                                        .num_vertices = (uint32_t)vertices,
                                        .num_st = (uint32_t)st,
                                        .num_triangles = (uint32_t)triangles};
    return true;
}

/* Rows of one surface into the rows of all, frame by frame. */
static void merge_rows(float *out, uint32_t num_out, uint32_t first, const float *rows,
                       uint32_t num_rows, uint32_t num_frames) {
    for (size_t f = 0; f < num_frames && num_rows > 0; f++)
        memcpy(out + 3 * (f * num_out + first), rows + 3 * f * num_rows,
               (size_t)num_rows * 3 * sizeof *out);
}

static bool merge_vertices(lm_encoding *encoding, lm_merged *merged) {
    const lm_take *take = encoding->take;
    const uint32_t count = merged->surface.num_vertices;
    const uint64_t vectors = (uint64_t)take->num_frames * count;
    float *positions = lm_arena_alloc(&encoding->arena, vectors, 3 * sizeof *positions);
    float *normals = lm_arena_alloc(&encoding->arena, vectors, 3 * sizeof *normals);
    if (!positions || !normals)
        return false;
    for (uint32_t i = 0; i < take->num_surfaces; i++) {
        const lm_take_surface *s = &take->surfaces[i];
        merge_rows(positions, count, merged->firsts[i], s->positions, s->num_vertices,
                   take->num_frames);
        merge_rows(normals, count, merged->firsts[i], s->normals, s->num_vertices,
                   take->num_frames);
    }
    merged->surface.positions = positions;
    merged->surface.normals = normals;
    return true;
}

static bool merge_triangles(lm_encoding *encoding, lm_merged *merged) {
    const lm_take *take = encoding->take;
    const uint64_t corners = (uint64_t)merged->surface.num_triangles * 3;
    uint32_t *triangles = lm_arena_alloc(&encoding->arena, corners, sizeof *triangles);
    uint32_t *st_triangles = lm_arena_alloc(&encoding->arena, corners, sizeof *st_triangles);
    float *st = lm_arena_zeros(&encoding->arena, merged->surface.num_st, 2 * sizeof *st);
    uint32_t first_st = 0;
    size_t out = 0;
    if (!triangles || !st_triangles || !st)
        return false;
    for (uint32_t i = 0; i < take->num_surfaces; i++) {
        const lm_take_surface *s = &take->surfaces[i];
        for (size_t c = 0; c < (size_t)s->num_triangles * 3; c++, out++) {
            triangles[out] = merged->firsts[i] + s->triangles[c];
            st_triangles[out] = first_st + (s->num_st > 0 ? s->st_triangles[c] : 0);
        }
        if (s->num_st > 0)
            memcpy(st + 2 * (size_t)first_st, s->st, (size_t)s->num_st * 2 * sizeof *st);
        first_st += s->num_st > 0 ? s->num_st : 1;
    }
    merged->surface.triangles = triangles;
    merged->surface.st_triangles = st_triangles;
    merged->surface.st = st;
    return true;
}

bool lm_encode_merge(lm_encoding *encoding, lm_merged *merged) {
    const lm_take *take = encoding->take;
    merged->firsts = lm_arena_zeros(&encoding->arena, take->num_surfaces, sizeof *merged->firsts);
    if (!merged->firsts)
        return false;
    if (take->num_surfaces == 1 && take->surfaces[0].num_st > 0) {
        merged->surface = take->surfaces[0];
        return true;
    }
    return count_surfaces(encoding, merged) && merge_vertices(encoding, merged) &&
           merge_triangles(encoding, merged) && say_materials(encoding);
}
