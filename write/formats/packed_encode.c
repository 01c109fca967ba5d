#include "formats/packed_encode.h"

#include "lerpmesh/base.h"
#include "model/weld.h"

#include <math.h>

#define MOST_TEXELS 32767

uint16_t *lm_packed_normals(lm_encoding *encoding, const lm_take_surface *surface) {
    const uint64_t count = (uint64_t)encoding->take->num_frames * surface->num_vertices;
    uint16_t *normals = lm_arena_alloc(&encoding->arena, count, sizeof *normals);
    const float *p = surface->normals;
    for (uint64_t i = 0; normals && i < count; i++, p += 3)
        normals[i] = lm_nearest_normal_162((const lm_vec3 *)(const void *)p);
    return normals;
}

uint32_t lm_number_by_use(uint32_t *ids, size_t num_corners, uint32_t num_ids, uint32_t *order,
                          lm_arena *scratch) {
    uint32_t count = 0;
    uint32_t *numbers = lm_arena_alloc(scratch, num_ids, sizeof *numbers);
    if (!numbers)
        return UINT32_MAX;
    memset(numbers, 0xFF, num_ids * sizeof *numbers);
    for (size_t c = 0; c < num_corners; c++) {
        uint32_t *number = &numbers[ids[c]];
        if (*number == LM_UNUSED) {
            order[count] = (uint32_t)c;
            *number = count++;
        }
        ids[c] = *number;
    }
    return count;
}

bool lm_find_texel(lm_encoding *encoding, const float st[2], int32_t width, int32_t height,
                   double middle, int16_t texel[2]) {
    const double s = floor((double)st[0] * width + middle + 0.5);
    const double t = floor((double)st[1] * height + middle + 0.5);
    if (fabs(s) > MOST_TEXELS || fabs(t) > MOST_TEXELS)
        return lm_call_fail(&encoding->heap->call, LM_CODE_LIMIT,
                            "a texture coordinate is (%g, %g), which is pixel (%.0f, %.0f) of a "
                            "skin of %d x %d, but the format reaches to 32767; bring coordinates "
                            "to 0 .. 1",
                            (double)st[0], (double)st[1], s, t, (int)width, (int)height);
    texel[0] = (int16_t)s;
    texel[1] = (int16_t)t;
    return true;
}

void lm_packed_say_where(lm_encoding *encoding, const uint32_t *vertices) {
    for (uint32_t i = 0; i < encoding->take->num_surfaces; i++) {
        const lm_take_surface *s = &encoding->take->surfaces[i];
        for (size_t c = 0; c < (size_t)s->num_triangles * 3; c++)
            encoding->vertices[i][s->triangles[c]] = (lm_encoded_vertex){0, *vertices++};
    }
}

bool lm_check_engine(lm_encoding *encoding, const lm_header *header, const void *document) {
    const lm_engine engine = encoding->options->engine;
    for (size_t i = 0; i < header->limits.count; i++) {
        const lm_header_limit *limit = &header->limits.list[i];
        const int32_t found = lm_number(document, limit->member);
        if (limit->engine == engine && found > limit->most)
            return lm_call_fail(&encoding->heap->call, LM_CODE_LIMIT,
                                "there are %d %s, but %s loads at most %d; make the model "
                                "smaller, or choose another engine",
                                (int)found, limit->what, lm_engine_name(engine), (int)limit->most);
    }
    return true;
}

bool lm_say_clip_name(lm_encoding *encoding, uint32_t index) {
    const lm_take *take = encoding->take;
    const lm_clip *clip = &take->clips[index];
    const bool made = clip->source == LM_CLIP_MADE || clip->source == LM_CLIP_FILE;
    const char *first = take->frame_names[clip->first];
    return !made || strncmp(first, clip->name, strlen(clip->name)) == 0 ||
           lm_encode_say(encoding, LM_CODE_NOT_HELD, 0, index,
                         "clip %u, \"%s\": movements are known by the names of their frames, and "
                         "its first is \"%s\"",
                         (unsigned)index, clip->name, first);
}
