/* Counts the copies of an animation's positions in memory on the way from a glTF to a model. */
#include "synthetic_gltf.h"

#include "lerpmesh/import.h"

enum {
    SIDE = 40,
    FRAMES = 60
};

static blob make_glb(void) {
    static float positions[FRAMES * SIDE * SIDE * 3];
    static uint32_t triangles[(SIDE - 1) * (SIDE - 1) * 3];
    static float st[SIDE * SIDE * 2];
    size_t at = 0, corner = 0;
    for (int f = 0; f < FRAMES; f++)
        for (int v = 0; v < SIDE * SIDE; v++, at += 3) {
            positions[at] = (float)(v % SIDE);
            const int row = v / SIDE;
            positions[at + 1] = (float)row;
            positions[at + 2] = (float)((v * 7 + f * (v % 5)) % 100) / 10;
        }
    for (int y = 0; y + 1 < SIDE; y++)
        for (int x = 0; x + 1 < SIDE; x++, corner += 3) {
            triangles[corner] = (uint32_t)(y * SIDE + x);
            triangles[corner + 1] = triangles[corner] + 1;
            triangles[corner + 2] = triangles[corner] + SIDE;
        }
    const lm_mesh_surface surface = {.name = "sheet",
                                     .num_vertices = SIDE * SIDE,
                                     .positions = positions,
                                     .num_st = SIDE * SIDE,
                                     .st = st,
                                     .num_triangles = (uint32_t)corner / 3,
                                     .triangles = triangles};
    const lm_mesh mesh = {.num_frames = FRAMES, .num_surfaces = 1, .surfaces = &surface};
    lm_buffer md3 = {0}, glb = {0};
    lm_error error;
    if (!lm_encode(&mesh, lm_format_by_name("md3"), NULL, &md3, NULL, &error))
        fail_msg("%s", error.message);
    lm_model *model = lm_load_memory(md3.data, md3.size, NULL, &error);
    assert_non_null(model);
    assert_true(lm_gltf_write(model, NULL, &glb, NULL, NULL, &error));
    lm_model_free(model);
    lm_buffer_free(&md3);
    return blob_from_buffer(&glb);
}

TEST(test_peak) {
    AT_END(blob_free) blob glb = make_glb();
    AT_END(assert_all_released) counted counts = {0};
    const lm_memory memory = {.allocator = counting_allocator(&counts)};
    lm_error error;
    OWNED(lm_import) *import =
        lm_import_gltf(glb.data, glb.size, &(lm_import_options){.memory = memory}, &error);
    if (!import)
        fail_msg("%s", error.message);
    const lm_mesh *mesh = import->mesh;
    size_t one = 0;
    for (uint32_t i = 0; i < mesh->num_surfaces; i++)
        one += (size_t)mesh->num_frames * mesh->surfaces[i].num_vertices * sizeof(lm_vec3);
    const size_t before = counts.live_bytes;
    lm_composition *made = lm_compose_mesh(mesh, mesh->clips, mesh->num_clips,
                                           &(lm_compose_options){.memory = memory}, &error);
    assert_non_null(made);
    assert_ptr_equal(made->mesh.surfaces[0].positions, mesh->surfaces[0].positions);
    assert_true(counts.live_bytes - before < one / 10);
    lm_buffer out = {.allocator = memory.allocator};
    assert_true(lm_encode(&made->mesh, lm_format_by_name("md3"),
                          &(lm_encode_options){.memory = memory}, &out, NULL, &error));
    assert_true(counts.most_bytes < 3 * 2 * one); /* with normals, three copies */
    lm_buffer_free(&out);
    lm_composition_free(made);
}
