/* Meshes: validation before encoding, size in memory, and creation. */
#include "lerpmesh/mesh.h"

#include "clips/clip_names.h"
#include "core/options.h"
#include "core/report.h"
#include "lerpmesh/sample.h"
#include "math/vectors.h"
#include "mesh/mesh_make.h"
#include "model/grid.h"
#include "sample/smooth.h"

#include <string.h>

/* ---- Checking ------------------------------------------------------------------------------- */

static bool fail_element(lm_error *error, const char *what, unsigned index, const char *why) {
    return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "mesh: %s %u %s", what, index, why);
}

/* Numbers per block. A block is checked without branches. */
#define BLOCK 16

static bool is_in_range(const float *block) {
    int tame = 0;
    for (int i = 0; i < BLOCK; i++)
        tame += (block[i] > -LM_MAX_NUMBER) & (block[i] < LM_MAX_NUMBER);
    return tame == BLOCK;
}

/* Returns the index of the first number that is too large or NaN; `count` if there is none. */
static uint64_t find_invalid(const float *numbers, uint64_t count) {
    uint64_t i = 0;
    while (count - i >= BLOCK && is_in_range(numbers + i))
        i += BLOCK;
    while (i < count && numbers[i] > -LM_MAX_NUMBER && numbers[i] < LM_MAX_NUMBER)
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
    return lmi_fail_at(error, surface, "vertices", vertex);
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
    return lmi_fail_at(error, surface, "triangles", (uint32_t)(c / 3));
}

static bool check_surface(const lm_mesh *mesh, unsigned index, lm_error *error) {
    const lm_mesh_surface *s = &mesh->surfaces[index];
    const uint64_t corners = (uint64_t)s->num_triangles * 3;
    const uint64_t each = (uint64_t)s->num_vertices * 3;
    if (!LM_RESERVED_VALID(s, error, "mesh: surface %u", index))
        return false;
    if ((unsigned)s->body >= LM_NUM_BODY_PARTS)
        return fail_element(error, "surface", index, "has an unknown body part");
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
    if (s->num_materials > 0 && !s->materials)
        return fail_element(error, "surface", index, "has materials, but the list is NULL");
    for (uint32_t i = 0; i < s->num_materials; i++) {
        if (!s->materials[i].name)
            return fail_element(error, "surface", index, "has a material without a name");
        if (!LM_RESERVED_VALID(&s->materials[i], error, "mesh: surface %u: material %u", index,
                               (unsigned)i))
            return false;
    }
    if (!check_indices(s->triangles, corners, s->num_vertices, LM_CODE_VERTEX_INDEX, index,
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
        return lmi_fail_at(error, index, "texture coordinates", (uint32_t)(invalid / 2));
    }
    return check_row(s->positions, mesh->num_frames, each, index, "position", error) &&
           check_row(s->normals, mesh->num_frames, each, index, "normal", error);
}

static bool check_tag(const lm_mesh *mesh, unsigned index, lm_error *error) {
    const lm_mesh_tag *tag = &mesh->tags[index];
    if (!tag->name || !tag->poses)
        return fail_element(error, "tag", index, "has no name or no poses");
    if (!LM_RESERVED_VALID(tag, error, "mesh: tag %u", index))
        return false;
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
        if (!(end > last && end < LM_MAX_NUMBER))
            return false;
        last = end;
    }
    return true;
}

static bool check_clip(const lm_mesh *mesh, unsigned index, lm_error *error) {
    const lm_clip *clip = &mesh->clips[index];
    if (!lmi_clip_valid(clip, mesh->num_frames, "mesh: clip", index, error))
        return false;
    if (!(clip->fps < LM_MAX_NUMBER))
        return fail_element(error, "clip", index, "has an fps that is not below 2^40");
    if (!((float)clip->count / clip->fps < LM_MAX_NUMBER))
        return fail_element(error, "clip", index, "lasts 2^40 seconds or longer");
    if (clip->times && !times_grow(clip->times, clip->count))
        return fail_element(error, "clip", index,
                            "has times that do not increase or that reach 2^40 seconds");
    return true;
}

bool lmi_mesh_check_clips(const lm_mesh *mesh, lm_error *error) {
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

#define FRAMES_PER_FRAME 16u /* that clips may show */
#define MORE_FRAMES 4096u

bool lmi_check_clip_frames(const lm_clip *clips, uint32_t num_clips, uint32_t num_frames,
                           lm_error *error) {
    const uint64_t most = FRAMES_PER_FRAME * (uint64_t)num_frames + MORE_FRAMES;
    uint64_t shown = 0;
    for (uint32_t i = 0; i < num_clips; i++)
        shown += clips[i].count;
    return shown <= most ||
           lm_fail_plain(error, LM_CODE_LIMIT,
                         "the clips show %llu frames, of %u different ones; the limit is %llu",
                         (unsigned long long)shown, (unsigned)num_frames, (unsigned long long)most);
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
    for (uint32_t i = 0; mesh->embedded_skins && i < mesh->num_skins; i++) {
        const lm_embedded_skin *skin = &mesh->embedded_skins[i];
        if (skin->num_images == 0 || skin->num_images > INT32_MAX || !skin->pixels)
            return fail_element(error, "skin", i, "has no pixels");
        if (mesh->skin_width == 0 || mesh->skin_height == 0)
            return fail_element(error, "skin", i, "has pixels, but no width and height");
        if (skin->times && !times_grow(skin->times, skin->num_images))
            return fail_element(error, "skin", i,
                                "has times that do not increase or that reach 2^40 seconds");
    }
    return true;
}

bool lm_mesh_check(const lm_mesh *mesh, lm_error *error) {
    if (!LM_GIVEN(error, mesh))
        return false;
    if (!LM_RESERVED_VALID(mesh, error, "mesh") || !lmi_mesh_check_clips(mesh, error) ||
        !check_lists(mesh, error))
        return false;
    if (find_invalid(&mesh->eye.x, 3) < 3)
        return lm_fail_plain(error, LM_CODE_NOT_FINITE,
                             "mesh: the eye is not made of numbers below 2^40");
    if (find_invalid(&mesh->grid[0].x, 6) < 6)
        return lm_fail_plain(error, LM_CODE_NOT_FINITE,
                             "mesh: the grid is not made of numbers below 2^40");
    for (uint32_t i = 0; i < mesh->num_surfaces; i++)
        if (!check_surface(mesh, i, error))
            return false;
    for (uint32_t i = 0; i < mesh->num_tags; i++)
        if (!check_tag(mesh, i, error))
            return false;
    return true;
}

/* ---- Size ----------------------------------------------------------------------------------- */

uint64_t lmi_mesh_size(const lm_mesh *mesh) {
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

/* ---- Creating ------------------------------------------------------------------------------- */

/* Returns NULL for NULL. */
static const void *copy_array(lm_arena *arena, const void *data, uint64_t count, size_t element) {
    return data ? lmi_arena_bytes(arena, data, count, element) : NULL;
}

static const char *const *copy_texts(lm_arena *arena, const char *const *from, uint32_t count) {
    const char **texts = from ? lmi_arena_alloc(arena, count, sizeof *texts) : NULL;
    for (uint32_t i = 0; texts && i < count; i++)
        texts[i] = lmi_copy_text(arena, from[i]);
    return texts;
}

static lm_mesh_surface make_surface(lm_arena *arena, const lm_mesh *like, uint32_t index) {
    lm_mesh_surface made = like->surfaces[index];
    const uint64_t corners = (uint64_t)made.num_triangles * 3;
    const uint64_t vectors = (uint64_t)like->num_frames * made.num_vertices;
    made.name = lmi_copy_text(arena, made.name);
    made.piece = lmi_copy_text(arena, made.piece);
    made.positions = lmi_arena_alloc(arena, vectors, sizeof(lm_vec3));
    made.normals = made.normals ? lmi_arena_alloc(arena, vectors, sizeof(lm_vec3)) : NULL;
    made.st = copy_array(arena, made.st, made.num_st, sizeof(lm_vec2));
    made.triangles = copy_array(arena, made.triangles, corners, sizeof *made.triangles);
    made.st_triangles = copy_array(arena, made.st_triangles, corners, sizeof *made.triangles);
    lm_material *materials = lmi_arena_alloc(arena, made.num_materials, sizeof *materials);
    for (uint32_t m = 0; materials && m < made.num_materials; m++)
        materials[m] = (lm_material){.name = lmi_copy_text(arena, made.materials[m].name),
                                     .flags = made.materials[m].flags};
    made.materials = materials;
    return made;
}

static const lm_embedded_skin *copy_pixels(lm_arena *arena, const lm_mesh *from) {
    if (!from->embedded_skins)
        return NULL;
    lm_embedded_skin *skins = lmi_arena_alloc(arena, from->num_skins, sizeof *skins);
    for (uint32_t i = 0; skins && i < from->num_skins; i++) {
        const lm_embedded_skin *skin = &from->embedded_skins[i];
        const uint64_t images = skin->num_images;
        skins[i] = *skin;
        skins[i].pixels =
            copy_array(arena, skin->pixels, images * from->skin_height, from->skin_width);
        skins[i].times = copy_array(arena, skin->times, images + 1, sizeof(float));
    }
    return skins;
}

lm_mesh *lmi_make_mesh(const lm_mesh *like, lm_heap *heap) {
    lm_mesh *mesh = lmi_object(heap, sizeof *mesh);
    if (!mesh)
        return lmi_heap_diagnose(heap);
    lm_arena *arena = lmi_arena_of(mesh);
    lm_mesh_surface *surfaces = lmi_arena_alloc(arena, like->num_surfaces, sizeof *surfaces);
    for (uint32_t s = 0; surfaces && s < like->num_surfaces; s++)
        surfaces[s] = make_surface(arena, like, s);
    *mesh = *like;
    mesh->name = lmi_copy_text(arena, like->name);
    mesh->frame_names = copy_texts(arena, like->frame_names, like->num_frames);
    mesh->surfaces = surfaces;
    lm_mesh_tag *tags = lmi_arena_alloc(arena, like->num_tags, sizeof *tags);
    for (uint32_t t = 0; tags && t < like->num_tags; t++)
        tags[t] =
            (lm_mesh_tag){.name = lmi_copy_text(arena, like->tags[t].name),
                          .poses = lmi_arena_alloc(arena, like->num_frames, sizeof *tags->poses),
                          .piece = lmi_copy_text(arena, like->tags[t].piece)};
    mesh->tags = tags;
    const lm_clip *from = like->clips;
    lm_clip *clips = lmi_arena_alloc(arena, like->num_clips, sizeof *clips);
    for (uint32_t i = 0; clips && i < like->num_clips; i++) {
        const uint64_t times = (uint64_t)from[i].count + 1;
        clips[i] = from[i];
        clips[i].name = lmi_copy_text(arena, from[i].name);
        clips[i].times = copy_array(arena, from[i].times, times, sizeof(float));
    }
    mesh->clips = clips;
    mesh->skins = copy_texts(arena, like->skins, like->num_skins);
    mesh->embedded_skins = copy_pixels(arena, like);
    mesh = lmi_object_end(mesh, true);
    return mesh ? mesh : lmi_heap_diagnose(heap);
}

void lmi_mesh_heap(lm_heap *heap, const lm_memory *memory, lm_error *error) {
    lm_memory bounds = memory ? *memory : (lm_memory){.max_bytes = 0};
    if (bounds.max_bytes == 0)
        bounds.max_bytes = SIZE_MAX;
    lmi_heap_begin(heap, &bounds, 0, "mesh", error);
}

void lm_mesh_free(lm_mesh *mesh) {
    lmi_object_free(mesh);
}

/* ---- From a model ------------------------------------------------------------------------- */

/* Uses the file's own vertices; the drawn vertices become its texture coordinates. */
static bool plan_surface(lm_arena *arena, const lm_surface *from, lm_mesh_surface *out) {
    static const float any;
    const size_t corners = (size_t)from->num_triangles * 3;
    uint32_t *triangles = lmi_arena_alloc(arena, corners, sizeof *triangles);
    if (!triangles)
        return false;
    for (size_t c = 0; c < corners; c++)
        triangles[c] = from->file_vertices[from->triangles[c]];
    *out = (lm_mesh_surface){.name = from->name,
                             .num_vertices = from->num_file_vertices,
                             .normals = &any, /* not NULL: normals follow */
                             .num_st = from->num_vertices,
                             .st = &from->st->x,
                             .num_triangles = from->num_triangles,
                             .triangles = triangles,
                             .st_triangles = from->triangles,
                             .num_materials = from->num_materials,
                             .materials = from->materials,
                             .flags = from->flags};
    return true;
}

static bool plan_mesh(lm_arena *arena, const lm_model *model, bool normals, lm_mesh *out) {
    lm_mesh_surface *surfaces = lmi_arena_alloc(arena, model->num_surfaces, sizeof *surfaces);
    lm_mesh_tag *tags = lmi_arena_alloc(arena, model->num_tags, sizeof *tags);
    const char **names = lmi_arena_alloc(arena, model->num_frames, sizeof *names);
    if (!surfaces || !tags || !names)
        return false;
    for (uint32_t i = 0; i < model->num_surfaces; i++) {
        if (!plan_surface(arena, &model->surfaces[i], &surfaces[i]))
            return false;
        surfaces[i].normals = normals ? surfaces[i].normals : NULL;
    }
    for (uint32_t i = 0; i < model->num_tags; i++)
        tags[i] = (lm_mesh_tag){.name = model->tags[i].name};
    for (uint32_t i = 0; i < model->num_frames; i++)
        names[i] = model->frames[i].name;
    *out = (lm_mesh){.name = model->name,
                     .num_frames = model->num_frames,
                     .frame_names = names,
                     .num_surfaces = model->num_surfaces,
                     .surfaces = surfaces,
                     .num_tags = model->num_tags,
                     .tags = tags,
                     .num_clips = model->num_clips,
                     .clips = model->clips,
                     .num_skins = model->num_skins,
                     .skins = model->skins,
                     .embedded_skins = model->embedded_skins,
                     .skin_width = model->skin_width,
                     .skin_height = model->skin_height,
                     .transparent_255 = model->transparent_255,
                     .flags = model->flags,
                     .synctype = model->synctype,
                     .eye = model->eye};
    lmi_model_grid(model, out->grid);
    return true;
}

lm_mesh *lmi_mesh_from_model(const lm_model *model, bool normals, const lm_memory *memory,
                             lm_error *error) {
    if (!LM_GIVEN(error, model))
        return NULL;
    lm_heap heap;
    lmi_mesh_heap(&heap, memory, error);
    lm_arena arena = {.heap = &heap};
    lm_mesh like, *mesh = NULL;
    if (plan_mesh(&arena, model, normals, &like))
        mesh = lmi_make_mesh(&like, &heap);
    else
        lmi_heap_diagnose(&heap);
    for (uint32_t f = 0; mesh && f < model->num_frames; f++) {
        for (uint32_t i = 0; i < model->num_surfaces; i++) {
            const lm_mesh_surface *s = &mesh->surfaces[i];
            const size_t row = (size_t)f * s->num_vertices;
            lmi_sample_own(model, i, f, lmi_mesh_rows(s->positions) + row,
                           s->normals ? lmi_mesh_rows(s->normals) + row : NULL);
        }
        for (uint32_t i = 0; i < model->num_tags; i++)
            lm_sample_tag(model, i, &(lm_pose){f, f, 0, false}, &lmi_mesh_poses(mesh, i)[f]);
    }
    lmi_arena_free(&arena);
    return mesh;
}

lm_mesh *lm_mesh_from_model(const lm_model *model, const lm_memory *memory, lm_error *error) {
    return lmi_mesh_from_model(model, true, memory, error);
}
