/* Creates a mesh from a model. */
#include "core/arena.h"
#include "core/report.h"
#include "lerpmesh/sample.h"
#include "mesh/mesh_make.h"
#include "sample/smooth.h"

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
