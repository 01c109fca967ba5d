#include "mesh/mesh_make.h"

#include "core/arena.h"
#include "core/report.h"
#include "lerpmesh/sample.h"
#include "sample/smooth.h"

/* Returns NULL for NULL. */
static const void *copy_array(lm_arena *arena, const void *data, uint64_t count, size_t element) {
    return data ? lm_arena_bytes(arena, data, count, element) : NULL;
}

static const char *const *copy_texts(lm_arena *arena, const char *const *from, uint32_t count) {
    const char **texts = from ? lm_arena_alloc(arena, count, sizeof *texts) : NULL;
    for (uint32_t i = 0; texts && i < count; i++)
        texts[i] = lm_copy_text(arena, from[i]);
    return texts;
}

static lm_mesh_surface make_surface(lm_arena *arena, const lm_mesh *like, uint32_t index) {
    lm_mesh_surface made = like->surfaces[index];
    const uint64_t corners = (uint64_t)made.num_triangles * 3;
    const uint64_t vectors = (uint64_t)like->num_frames * made.num_vertices;
    made.name = lm_copy_text(arena, made.name);
    made.positions = lm_arena_alloc(arena, vectors, sizeof(lm_vec3));
    made.normals = made.normals ? lm_arena_alloc(arena, vectors, sizeof(lm_vec3)) : NULL;
    made.st = copy_array(arena, made.st, made.num_st, sizeof(lm_vec2));
    made.triangles = copy_array(arena, made.triangles, corners, sizeof *made.triangles);
    made.st_triangles = copy_array(arena, made.st_triangles, corners, sizeof *made.triangles);
    lm_material *materials = lm_arena_alloc(arena, made.num_materials, sizeof *materials);
    for (uint32_t m = 0; materials && m < made.num_materials; m++)
        materials[m] =
            (lm_material){lm_copy_text(arena, made.materials[m].name), made.materials[m].flags};
    made.materials = materials;
    return made;
}

static const lm_embedded_skin *copy_pixels(lm_arena *arena, const lm_mesh *from) {
    if (!from->embedded_skins)
        return NULL;
    lm_embedded_skin *skins = lm_arena_alloc(arena, from->num_skins, sizeof *skins);
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

lm_mesh *lm_make_mesh(const lm_mesh *like, lm_heap *heap) {
    lm_mesh *mesh = lm_object(heap, sizeof *mesh);
    if (!mesh)
        return lm_heap_diagnose(heap);
    lm_arena *arena = lm_arena_of(mesh);
    lm_mesh_surface *surfaces = lm_arena_alloc(arena, like->num_surfaces, sizeof *surfaces);
    for (uint32_t s = 0; surfaces && s < like->num_surfaces; s++)
        surfaces[s] = make_surface(arena, like, s);
    *mesh = *like;
    mesh->name = lm_copy_text(arena, like->name);
    mesh->frame_names = copy_texts(arena, like->frame_names, like->num_frames);
    mesh->surfaces = surfaces;
    lm_mesh_tag *tags = lm_arena_alloc(arena, like->num_tags, sizeof *tags);
    for (uint32_t t = 0; tags && t < like->num_tags; t++)
        tags[t] = (lm_mesh_tag){lm_copy_text(arena, like->tags[t].name),
                                lm_arena_alloc(arena, like->num_frames, sizeof *tags->poses)};
    mesh->tags = tags;
    const lm_clip *from = like->clips;
    lm_clip *clips = lm_arena_alloc(arena, like->num_clips, sizeof *clips);
    for (uint32_t i = 0; clips && i < like->num_clips; i++) {
        const uint64_t times = (uint64_t)from[i].count + 1;
        clips[i] = from[i];
        clips[i].name = lm_copy_text(arena, from[i].name);
        clips[i].times = copy_array(arena, from[i].times, times, sizeof(float));
    }
    mesh->clips = clips;
    mesh->skins = copy_texts(arena, like->skins, like->num_skins);
    mesh->embedded_skins = copy_pixels(arena, like);
    mesh = lm_object_end(mesh, true);
    return mesh ? mesh : lm_heap_diagnose(heap);
}

void lm_mesh_heap(lm_heap *heap, const lm_memory *memory, lm_error *error) {
    lm_memory bounds = memory ? *memory : (lm_memory){.max_bytes = 0};
    if (bounds.max_bytes == 0)
        bounds.max_bytes = SIZE_MAX;
    lm_heap_begin(heap, &bounds, 0, "mesh", error);
}

void lm_mesh_free(lm_mesh *mesh) {
    lm_object_free(mesh);
}

/* ---- From a model ------------------------------------------------------------------------- */

/* Uses the file's own vertices; the drawn vertices become its texture coordinates. */
static bool plan_surface(lm_arena *arena, const lm_surface *from, lm_mesh_surface *out) {
    static const float any;
    const size_t corners = (size_t)from->num_triangles * 3;
    uint32_t *triangles = lm_arena_alloc(arena, corners, sizeof *triangles);
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

static bool plan_mesh(lm_arena *arena, const lm_model *model, lm_mesh *out) {
    lm_mesh_surface *surfaces = lm_arena_alloc(arena, model->num_surfaces, sizeof *surfaces);
    lm_mesh_tag *tags = lm_arena_alloc(arena, model->num_tags, sizeof *tags);
    const char **names = lm_arena_alloc(arena, model->num_frames, sizeof *names);
    if (!surfaces || !tags || !names)
        return false;
    for (uint32_t i = 0; i < model->num_surfaces; i++)
        if (!plan_surface(arena, &model->surfaces[i], &surfaces[i]))
            return false;
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
    return true;
}

lm_mesh *lm_mesh_from_model(const lm_model *model, const lm_memory *memory, lm_error *error) {
    lm_heap heap;
    lm_mesh_heap(&heap, memory, error);
    lm_arena arena = {.heap = &heap};
    lm_mesh like, *mesh = NULL;
    if (plan_mesh(&arena, model, &like))
        mesh = lm_make_mesh(&like, &heap);
    else
        lm_heap_diagnose(&heap);
    for (uint32_t f = 0; mesh && f < model->num_frames; f++) {
        for (uint32_t i = 0; i < model->num_surfaces; i++) {
            const lm_mesh_surface *s = &mesh->surfaces[i];
            const size_t row = (size_t)f * s->num_vertices;
            lm_sample_own(model, i, f, lm_mesh_rows(s->positions) + row,
                          lm_mesh_rows(s->normals) + row);
        }
        for (uint32_t i = 0; i < model->num_tags; i++)
            lm_sample_tag(model, i, &(lm_pose){f, f, 0}, &lm_mesh_poses(mesh, i)[f]);
    }
    lm_arena_free(&arena);
    return mesh;
}
