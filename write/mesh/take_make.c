#include "mesh/take_make.h"

#include "core/report.h"

#include <string.h>

static char *carve_text(lm_block *block, const char *text) {
    return text ? lm_carve_name(block, (const uint8_t *)text, strlen(text)) : NULL;
}

/* NULL stays NULL. */
static const void *carve_copy(lm_block *block, const void *data, uint64_t count, size_t element) {
    return data ? lm_carve_bytes(block, data, count, element) : NULL;
}

static const char *const *carve_texts(lm_block *block, const char *const *from, uint32_t count) {
    const char **texts = from ? lm_carve(block, count, sizeof *texts) : NULL;
    for (uint32_t i = 0; from && i < count; i++) {
        const char *text = carve_text(block, from[i]);
        if (texts)
            texts[i] = text;
    }
    return texts;
}

static lm_material *carve_materials(lm_block *block, const lm_material *from, uint32_t count) {
    lm_material *materials = lm_carve(block, count, sizeof *materials);
    for (uint32_t m = 0; m < count; m++) {
        const char *name = carve_text(block, from[m].name);
        if (materials)
            materials[m] = (lm_material){name, from[m].flags};
    }
    return materials;
}

static lm_take_surface carve_surface(lm_block *block, const lm_take *like, uint32_t index) {
    lm_take_surface made = like->surfaces[index];
    const uint64_t corners = (uint64_t)made.num_triangles * 3;
    const uint64_t vectors = (uint64_t)like->num_frames * made.num_vertices;
    made.name = carve_text(block, made.name);
    made.positions = lm_carve(block, vectors, sizeof(lm_vec3));
    made.normals = made.normals ? lm_carve(block, vectors, sizeof(lm_vec3)) : NULL;
    made.st = carve_copy(block, made.st, made.num_st, sizeof(lm_vec2));
    made.triangles = carve_copy(block, made.triangles, corners, sizeof *made.triangles);
    made.st_triangles = carve_copy(block, made.st_triangles, corners, sizeof *made.triangles);
    made.materials = carve_materials(block, made.materials, made.num_materials);
    return made;
}

static lm_take_tag *carve_tags(lm_block *block, const lm_take *like) {
    lm_take_tag *tags = lm_carve(block, like->num_tags, sizeof *tags);
    for (uint32_t t = 0; t < like->num_tags; t++) {
        const char *name = carve_text(block, like->tags[t].name);
        const lm_transform *poses = lm_carve(block, like->num_frames, sizeof *poses);
        if (tags)
            tags[t] = (lm_take_tag){name, poses};
    }
    return tags;
}

static lm_clip *carve_clips(lm_block *block, const lm_clip *from, uint32_t count) {
    lm_clip *clips = lm_carve(block, count, sizeof *clips);
    for (uint32_t i = 0; i < count; i++) {
        lm_clip made = from[i];
        made.name = carve_text(block, from[i].name);
        made.times = carve_copy(block, from[i].times, (uint64_t)from[i].count + 1, sizeof(float));
        if (clips)
            clips[i] = made;
    }
    return clips;
}

static const lm_embedded_skin *carve_pixels(lm_block *block, const lm_take *from) {
    if (!from->embedded_skins)
        return NULL;
    lm_embedded_skin *skins = lm_carve(block, from->num_skins, sizeof *skins);
    for (uint32_t i = 0; i < from->num_skins; i++) {
        const uint32_t pictures = from->embedded_skins[i].num_pictures;
        lm_embedded_skin made = from->embedded_skins[i];
        made.pixels = carve_copy(block, made.pixels, (uint64_t)pictures * from->skin_height,
                                 from->skin_width);
        made.times = carve_copy(block, made.times, (uint64_t)pictures + 1, sizeof(float));
        if (skins)
            skins[i] = made;
    }
    return skins;
}

static void *carve_take(lm_block *block, void *context) {
    const lm_take *from = context;
    lm_take *take = lm_carve(block, 1, sizeof *take);
    lm_take_surface *surfaces = lm_carve(block, from->num_surfaces, sizeof *surfaces);
    for (uint32_t s = 0; s < from->num_surfaces; s++) {
        const lm_take_surface surface = carve_surface(block, from, s);
        if (surfaces)
            surfaces[s] = surface;
    }
    lm_take made = *from;
    made.name = carve_text(block, from->name);
    made.frame_names = carve_texts(block, from->frame_names, from->num_frames);
    made.surfaces = surfaces;
    made.tags = carve_tags(block, from);
    made.clips = carve_clips(block, from->clips, from->num_clips);
    made.skins = carve_texts(block, from->skins, from->num_skins);
    made.embedded_skins = carve_pixels(block, from);
    if (take)
        *take = made;
    return take;
}

lm_take *lm_make_take(const lm_take *like, lm_heap *heap) {
    lm_take *take = lm_make(heap, carve_take, (void *)like);
    return take ? take : lm_heap_diagnose(heap);
}

void lm_take_heap(lm_heap *heap, const lm_memory *memory, lm_error *error) {
    lm_memory bounds = memory ? *memory : (lm_memory){.max_bytes = 0};
    if (bounds.max_bytes == 0)
        bounds.max_bytes = SIZE_MAX;
    lm_heap_begin(heap, &bounds, 0, "take", error);
}

void lm_take_free(lm_take *take) {
    lm_release(take);
}
