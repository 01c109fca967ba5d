#include "formats/packed_encode.h"

#include "core/text.h"
#include "encode/encoding.h"
#include "math/vectors.h"
#include "mesh/mesh_make.h"

#define MAX_TEXELS 32767

/* Reports that textures of surfaces are lost. */
static bool note_materials(lm_encoding *encoding) {
    const lm_mesh *mesh = encoding->mesh;
    const lm_mesh_surface *from = NULL;
    uint32_t others = 0, other = 0;
    for (uint32_t i = 0; i < mesh->num_surfaces; i++) {
        const lm_mesh_surface *s = &mesh->surfaces[i];
        if (s->num_materials > 0 && from && !lmi_same_materials(s, from)) {
            other = others++ == 0 ? i : other;
        } else if (s->num_materials > 0 && !from) {
            from = s;
        }
    }
    return others == 0 ||
           lmi_encode_note(encoding, LM_CODE_NOT_HELD, "surfaces", other,
                           "%s another texture than the first, such as surface %u with \"%s\", but "
                           "the format has one texture for all surfaces",
                           lmi_count_words(others, "{surface has|surfaces have}").text,
                           (unsigned)other, mesh->surfaces[other].materials[0].name);
}

static bool check_size(lm_packed *p, size_t triangle_size, size_t frame_size) {
    lm_call *call = &p->encoding->heap->call;
    const uint64_t triangles = p->surface.num_triangles;
    if (triangles == 0)
        return lmi_call_fail(
            call, LM_CODE_LIMIT,
            "the mesh has no triangles, but the format needs at least one; MD3 and MDC do not");
    p->num_corners = (uint32_t)(triangles * 3);
    return (triangles * triangle_size <= INT32_MAX &&
            (uint64_t)p->encoding->mesh->num_frames * frame_size <= INT32_MAX) ||
           lmi_call_fail(call, LM_CODE_LIMIT,
                         "the file would exceed 2 GiB; remove frames or triangles") ||
           lmi_fail_in(call->error, LM_SECTION_TRIANGLES);
}

static bool find_moves(lm_packed *p) {
    const lm_mesh_surface *s = &p->surface;
    const uint64_t count = (uint64_t)p->encoding->mesh->num_frames * s->num_vertices;
    uint32_t *firsts = lmi_arena_alloc(&p->scratch, s->num_vertices, sizeof *firsts);
    p->normals = lmi_packed_alloc(p, count, sizeof *p->normals);
    p->moves = lmi_packed_alloc(p, p->num_corners, sizeof *p->moves);
    if (!firsts || !p->normals || !p->moves)
        return false;
    for (uint64_t i = 0; i < count; i++)
        p->normals[i] = lmi_nearest_normal_162((const lm_vec3 *)(const void *)(s->normals + 3 * i));
    if (!lmi_weld_trajectories(p->encoding, s, p->normals, firsts, p->scratch.heap))
        return false;
    for (uint32_t c = 0; c < p->num_corners; c++)
        p->moves[c] = firsts[s->triangles[c]];
    return true;
}

bool lmi_packed_begin(lm_packed *p, size_t triangle_size, size_t frame_size) {
    const lm_mesh *mesh = p->encoding->mesh;
    if (mesh->num_surfaces == 1 && mesh->surfaces[0].num_st > 0)
        p->surface = mesh->surfaces[0];
    else if (!lmi_merge_surfaces(mesh, mesh->num_frames, &p->encoding->arena, &p->surface) ||
             !note_materials(p->encoding))
        return false;
    return check_size(p, triangle_size, frame_size) && find_moves(p);
}

bool lmi_find_texel(lm_encoding *encoding, const float st[2], int32_t width, int32_t height,
                    double middle, int16_t texel[2]) {
    const double s = floor((double)st[0] * width + middle + 0.5);
    const double t = floor((double)st[1] * height + middle + 0.5);
    if (fabs(s) > MAX_TEXELS || fabs(t) > MAX_TEXELS)
        return lmi_call_fail(&encoding->heap->call, LM_CODE_LIMIT,
                             "the texture coordinate (%g, %g) is pixel (%.0f, %.0f) of a %d x %d "
                             "skin, but the format's limit is 32767; use coordinates from 0 to 1",
                             (double)st[0], (double)st[1], s, t, (int)width, (int)height);
    texel[0] = (int16_t)(s == width && st[0] <= 1 ? s - 1 : s);
    texel[1] = (int16_t)(t == height && st[1] <= 1 ? t - 1 : t);
    return true;
}

bool lmi_packed_locate_vertices(lm_packed *p, const uint32_t *vertices, uint32_t count) {
    lm_encoding *encoding = p->encoding;
    lm_vertex_source *merged = lmi_packed_scratch(p, p->surface.num_vertices, sizeof *merged);
    encoding->sources = lmi_packed_alloc(p, count, sizeof *encoding->sources);
    encoding->num_sources = count;
    if (!merged || !encoding->sources)
        return false;
    size_t first = 0;
    for (uint32_t i = 0; i < encoding->mesh->num_surfaces; i++) {
        const lm_mesh_surface *s = &encoding->mesh->surfaces[i];
        for (size_t c = 0; c < (size_t)s->num_triangles * 3; c++)
            encoding->vertices[i][s->triangles[c]] = (lm_encoded_vertex){0, *vertices++};
        for (uint32_t v = 0; v < s->num_vertices; v++)
            merged[first++] = (lm_vertex_source){i, v};
    }
    for (uint32_t v = 0; v < count; v++)
        encoding->sources[v] = merged[p->vertices[v]];
    return true;
}

bool lmi_check_engine(lm_encoding *encoding, const lm_header *header, const void *document) {
    const lm_engine engine = encoding->options->engine;
    for (size_t i = 0; i < header->limits.count; i++) {
        const lm_header_limit *limit = &header->limits.list[i];
        const int32_t found = lmi_number(document, limit->member);
        if (limit->engine == engine && found > limit->max)
            return lmi_call_fail(&encoding->heap->call, LM_CODE_LIMIT,
                                 "the model has %d %s, but %s loads at most %d; simplify the model "
                                 "or choose another engine",
                                 (int)found, limit->element_name, lm_engine_name(engine),
                                 (int)limit->max) ||
                   lmi_fail_in(encoding->heap->call.error, limit->element_name);
    }
    return true;
}

bool lmi_note_clip_name(lm_encoding *encoding, uint32_t index) {
    const lm_mesh *mesh = encoding->mesh;
    const lm_clip *clip = &mesh->clips[index];
    const bool made = clip->source == LM_CLIP_CUSTOM || clip->source == LM_CLIP_FILE;
    const char *first = mesh->frame_names[clip->first];
    return !made || strncmp(first, clip->name, strlen(clip->name)) == 0 ||
           lmi_encode_note(encoding, LM_CODE_NOT_HELD, "clips", index,
                           "clip %u, \"%s\": the format stores clips as frame names, and its first "
                           "frame is named \"%s\"",
                           (unsigned)index, clip->name, first);
}
