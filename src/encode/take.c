/* Takes: whether they can be encoded, and making them of models. */
#include "lerpmesh/take.h"

#include "core/bytes.h"
#include "core/report.h"
#include "lerpmesh/sample.h"
#include "sample/smooth.h"

#include <string.h>

/* Beyond, squares of distances lose what matters, in any format. */
#define LM_TAKE_MOST 0x1p40f

/* ---- Checking ------------------------------------------------------------------------------- */

static bool refuse(lm_error *error, const char *what, unsigned index, const char *why) {
    return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "take: %s %u %s", what, index, why);
}

/* The first of `count` numbers that is too large or none; `count` if there is none. */
static uint64_t find_wild(const float *numbers, uint64_t count) {
    uint64_t i = 0;
    while (i < count && numbers[i] > -LM_TAKE_MOST && numbers[i] < LM_TAKE_MOST)
        i++;
    return i;
}

/* `each`: numbers of a frame, 3 a vertex. */
static bool check_row(const float *numbers, uint32_t frames, uint64_t each, unsigned surface,
                      const char *what, lm_error *error) {
    uint64_t wild = numbers ? find_wild(numbers, frames * each) : frames * each;
    if (wild == frames * each)
        return true;
    return lm_fail_plain(error, LM_CODE_NOT_FINITE,
                         "take: surface %u: the %s of vertex %u in frame %u is not a number below "
                         "2^40",
                         surface, what, (unsigned)(wild % each / 3), (unsigned)(wild / each));
}

static bool check_indices(const uint32_t *corners, uint64_t count, uint32_t limit, lm_code code,
                          unsigned surface, const char *what, lm_error *error) {
    uint64_t c = 0;
    while (c < count && corners[c] < limit)
        c++;
    if (c == count)
        return true;
    return lm_fail_plain(error, code, "take: surface %u: triangle %u uses %s %u, but there are %u",
                         surface, (unsigned)(c / 3), what, (unsigned)corners[c], (unsigned)limit);
}

static bool check_names(const lm_take_surface *s, unsigned surface, lm_error *error) {
    if (s->num_materials > 0 && !s->materials)
        return refuse(error, "surface", surface, "has materials, but no list of them");
    for (uint32_t m = 0; m < s->num_materials; m++)
        if (!s->materials[m].name)
            return refuse(error, "surface", surface, "has a material without a name");
    return true;
}

static bool check_surface(const lm_take *take, unsigned index, lm_error *error) {
    const lm_take_surface *s = &take->surfaces[index];
    const uint64_t corners = (uint64_t)s->num_triangles * 3;
    const uint64_t each = (uint64_t)s->num_vertices * 3;
    if (s->num_vertices > 0 && !s->positions)
        return refuse(error, "surface", index, "has vertices, but no positions");
    if (s->num_triangles > 0 && !s->triangles)
        return refuse(error, "surface", index, "has triangles, but no list of them");
    if (s->num_st > 0 && !s->st)
        return refuse(error, "surface", index, "has texture coordinates, but no list of them");
    if (s->num_st > 0 && !s->st_triangles && s->num_st != s->num_vertices)
        return refuse(error, "surface", index,
                      "has another number of texture coordinates than of vertices, and no "
                      "st_triangles that say which is whose");
    if (!check_names(s, index, error))
        return false;
    if (!check_indices(s->triangles, corners, s->num_vertices, LM_CODE_VERTEX_INDEX, index,
                       "vertex", error))
        return false;
    if (s->num_st > 0 && s->st_triangles &&
        !check_indices(s->st_triangles, corners, s->num_st, LM_CODE_ST_INDEX, index,
                       "texture coordinate", error))
        return false;
    const uint64_t wild = find_wild(s->st, (uint64_t)s->num_st * 2);
    if (wild < (uint64_t)s->num_st * 2)
        return lm_fail_plain(error, LM_CODE_NOT_FINITE,
                             "take: surface %u: texture coordinate %u is not a number below 2^40",
                             index, (unsigned)(wild / 2));
    return check_row(s->positions, take->num_frames, each, index, "position", error) &&
           check_row(s->normals, take->num_frames, each, index, "normal", error);
}

static bool check_tag(const lm_take *take, unsigned index, lm_error *error) {
    const lm_take_tag *tag = &take->tags[index];
    if (!tag->name || !tag->poses)
        return refuse(error, "tag", index, "has no name or no poses");
    for (uint32_t f = 0; f < take->num_frames; f++)
        if (find_wild(&tag->poses[f].origin.x, 3) < 3 ||
            find_wild(&tag->poses[f].axis[0].x, 3) < 3 ||
            find_wild(&tag->poses[f].axis[1].x, 3) < 3 ||
            find_wild(&tag->poses[f].axis[2].x, 3) < 3)
            return lm_fail_plain(error, LM_CODE_NOT_FINITE,
                                 "take: tag %u is not at numbers below 2^40 in frame %u", index,
                                 (unsigned)f);
    return true;
}

static bool check_clip(const lm_take *take, unsigned index, lm_error *error) {
    const lm_clip *clip = &take->clips[index];
    if (!clip->name || !(clip->fps > 0 && clip->fps < LM_TAKE_MOST))
        return refuse(error, "clip", index, "has no name, or a rate that is not above 0");
    if (clip->count == 0 || clip->first >= take->num_frames ||
        clip->count > take->num_frames - clip->first)
        return lm_fail_plain(
            error, LM_CODE_BAD_ARGUMENT, "take: clip %u has frames %u to %llu, but there are %u",
            index, (unsigned)clip->first, (unsigned long long)clip->first + clip->count - 1,
            (unsigned)take->num_frames);
    return true;
}

static bool check_lists(const lm_take *take, lm_error *error) {
    if (take->num_frames == 0)
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "take: there are no frames");
    if ((take->num_surfaces > 0 && !take->surfaces) || (take->num_tags > 0 && !take->tags) ||
        (take->num_clips > 0 && !take->clips) || (take->num_skins > 0 && !take->skins))
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT,
                             "take: a list of surfaces, tags, clips or skins is counted, but is "
                             "not there");
    for (uint32_t f = 0; take->frame_names && f < take->num_frames; f++)
        if (!take->frame_names[f])
            return refuse(error, "frame", f, "has no name");
    for (uint32_t i = 0; i < take->num_skins; i++)
        if (!take->skins[i])
            return refuse(error, "skin", i, "has no name");
    return true;
}

bool lm_take_check(const lm_take *take, lm_error *error) {
    if (!check_lists(take, error))
        return false;
    for (uint32_t i = 0; i < take->num_clips; i++)
        if (!check_clip(take, i, error))
            return false;
    for (uint32_t i = 0; i < take->num_surfaces; i++)
        if (!check_surface(take, i, error))
            return false;
    for (uint32_t i = 0; i < take->num_tags; i++)
        if (!check_tag(take, i, error))
            return false;
    return true;
}

/* ---- Size ----------------------------------------------------------------------------------- */

uint64_t lm_take_size(const lm_take *take) {
    const uint64_t frames = take->num_frames;
    uint64_t size = sizeof *take;
    for (uint32_t i = 0; take->frame_names && i < frames; i++)
        size += sizeof(char *) + strlen(take->frame_names[i]) + 1;
    for (uint32_t i = 0; i < take->num_surfaces; i++) {
        const lm_take_surface *s = &take->surfaces[i];
        const uint64_t vectors = (s->positions ? 1u : 0u) + (s->normals ? 1u : 0u);
        const uint64_t lists = s->st_triangles ? 2 : 1;
        size += sizeof *s + frames * s->num_vertices * 12 * vectors + (uint64_t)s->num_st * 8;
        size += (uint64_t)s->num_triangles * 12 * lists;
        size += s->num_materials * sizeof *s->materials;
    }
    size += take->num_tags * (sizeof *take->tags + frames * sizeof(lm_transform));
    size += take->num_clips * sizeof *take->clips + take->num_skins * sizeof *take->skins;
    for (uint32_t i = 0; take->embedded_skins && i < take->num_skins; i++)
        size += sizeof *take->embedded_skins + (uint64_t)take->embedded_skins[i].num_pictures *
                                                   take->skin_width * take->skin_height;
    return size;
}

/* ---- Of a model ----------------------------------------------------------------------------- */

static char *carve_text(lm_block *block, const char *text) {
    return lm_carve_name(block, (const uint8_t *)text, strlen(text));
}

static const void *carve_copy(lm_block *block, const void *data, uint64_t count, size_t element) {
    return lm_carve_bytes(block, data, count, element);
}

static lm_material *carve_materials(lm_block *block, const lm_surface *from) {
    lm_material *materials = lm_carve(block, from->num_materials, sizeof *materials);
    for (uint32_t m = 0; m < from->num_materials; m++) {
        char *name = carve_text(block, from->materials[m].name);
        if (materials)
            materials[m] = (lm_material){name, from->materials[m].flags};
    }
    return materials;
}

static void fill_vertices(const lm_model *model, uint32_t surface, float *positions,
                          float *normals) {
    const size_t row = (size_t)model->surfaces[surface].num_file_vertices;
    for (uint32_t f = 0; f < model->num_frames; f++)
        lm_sample_own(model, surface, f, (lm_vec3 *)(void *)(positions + 3 * row * f),
                      (lm_vec3 *)(void *)(normals + 3 * row * f));
}

static void carve_surface(lm_block *block, const lm_model *model, uint32_t surface,
                          lm_take_surface *out) {
    const lm_surface *from = &model->surfaces[surface];
    const uint64_t corners = (uint64_t)from->num_triangles * 3;
    const uint64_t vectors = (uint64_t)model->num_frames * from->num_file_vertices;
    char *name = carve_text(block, from->name);
    float *positions = lm_carve(block, vectors, sizeof(lm_vec3));
    float *normals = lm_carve(block, vectors, sizeof(lm_vec3));
    const float *st = carve_copy(block, from->st, from->num_vertices, sizeof *from->st);
    uint32_t *triangles = lm_carve(block, corners, sizeof *triangles);
    const uint32_t *st_triangles = carve_copy(block, from->triangles, corners, sizeof *triangles);
    lm_material *materials = carve_materials(block, from);
    if (!out)
        return;
    fill_vertices(model, surface, positions, normals);
    for (uint64_t c = 0; c < corners; c++)
        triangles[c] = from->file_vertices[from->triangles[c]];
    *out = (lm_take_surface){.name = name,
                             .num_vertices = from->num_file_vertices,
                             .positions = positions,
                             .normals = normals,
                             .num_st = from->num_vertices,
                             .st = st,
                             .num_triangles = from->num_triangles,
                             .triangles = triangles,
                             .st_triangles = st_triangles,
                             .num_materials = from->num_materials,
                             .materials = materials};
}

static lm_take_tag *carve_tags(lm_block *block, const lm_model *model) {
    lm_take_tag *tags = lm_carve(block, model->num_tags, sizeof *tags);
    for (uint32_t t = 0; t < model->num_tags; t++) {
        char *name = carve_text(block, model->tags[t].name);
        lm_transform *poses = lm_carve(block, model->num_frames, sizeof *poses);
        if (!tags)
            continue;
        tags[t] = (lm_take_tag){name, poses};
        for (uint32_t f = 0; f < model->num_frames; f++)
            lm_sample_tag(model, t, &(lm_pose){f, f, 0}, &poses[f]);
    }
    return tags;
}

static lm_clip *carve_clips(lm_block *block, const lm_model *model) {
    lm_clip *clips = lm_carve(block, model->num_clips, sizeof *clips);
    for (uint32_t i = 0; i < model->num_clips; i++) {
        const lm_clip *from = &model->clips[i];
        char *name = carve_text(block, from->name);
        const float *times =
            from->times ? carve_copy(block, from->times, (uint64_t)from->count + 1, sizeof *times)
                        : NULL;
        if (!clips)
            continue;
        clips[i] = *from;
        clips[i].name = name;
        clips[i].times = times;
    }
    return clips;
}

static const lm_embedded_skin *carve_pixels(lm_block *block, const lm_model *model) {
    if (!model->embedded_skins)
        return NULL;
    lm_embedded_skin *skins = lm_carve(block, model->num_skins, sizeof *skins);
    for (uint32_t i = 0; i < model->num_skins; i++) {
        const lm_embedded_skin *from = &model->embedded_skins[i];
        const uint64_t rows = (uint64_t)from->num_pictures * model->skin_height;
        const uint8_t *pixels = carve_copy(block, from->pixels, rows, model->skin_width);
        const float *times =
            from->times
                ? carve_copy(block, from->times, (uint64_t)from->num_pictures + 1, sizeof *times)
                : NULL;
        if (skins)
            skins[i] = (lm_embedded_skin){from->num_pictures, pixels, times};
    }
    return skins;
}

static const char **carve_skins(lm_block *block, const lm_model *model) {
    const char **skins = lm_carve(block, model->num_skins, sizeof *skins);
    for (uint32_t i = 0; i < model->num_skins; i++) {
        char *name = carve_text(block, model->skins[i]);
        if (skins)
            skins[i] = name;
    }
    return skins;
}

static const char **carve_frame_names(lm_block *block, const lm_model *model) {
    const char **names = lm_carve(block, model->num_frames, sizeof *names);
    for (uint32_t f = 0; f < model->num_frames; f++) {
        char *name = carve_text(block, model->frames[f].name);
        if (names)
            names[f] = name;
    }
    return names;
}

static void *carve_take(lm_block *block, void *context) {
    const lm_model *model = context;
    lm_take *take = lm_carve(block, 1, sizeof *take);
    lm_take_surface *surfaces = lm_carve(block, model->num_surfaces, sizeof *surfaces);
    char *name = carve_text(block, model->name);
    for (uint32_t s = 0; s < model->num_surfaces; s++)
        carve_surface(block, model, s, surfaces ? &surfaces[s] : NULL);
    const lm_take made = {.name = name,
                          .num_frames = model->num_frames,
                          .frame_names = carve_frame_names(block, model),
                          .num_surfaces = model->num_surfaces,
                          .surfaces = surfaces,
                          .num_tags = model->num_tags,
                          .tags = carve_tags(block, model),
                          .num_clips = model->num_clips,
                          .clips = carve_clips(block, model),
                          .num_skins = model->num_skins,
                          .skins = carve_skins(block, model),
                          .embedded_skins = carve_pixels(block, model),
                          .skin_width = model->skin_width,
                          .skin_height = model->skin_height};
    if (take)
        *take = made;
    return take;
}

lm_take *lm_take_from_model(const lm_model *model, const lm_memory *memory, lm_error *error) {
    lm_memory bounds = memory ? *memory : (lm_memory){0};
    lm_heap heap;
    if (bounds.max_bytes == 0)
        bounds.max_bytes = SIZE_MAX;
    lm_heap_init(&heap, &bounds, 0);
    lm_take *take = lm_make(&heap, carve_take, (void *)model);
    if (!take)
        lm_heap_fail(&heap, model->format, error);
    return take;
}

void lm_take_free(lm_take *take) {
    lm_release(take);
}
