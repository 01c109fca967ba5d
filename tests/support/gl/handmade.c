
#include "handmade.h"
#include "testing.h"

void make_model(handmade *h, uint32_t num_vertices, uint32_t num_triangles) {
    *h = (handmade){.keys = malloc((size_t)num_vertices * 8 + 1),
                    .st = calloc(num_vertices + (size_t)1, sizeof(lm_vec2)),
                    .triangles = malloc(((size_t)num_triangles * 3 + 1) * sizeof(uint32_t)),
                    .file_vertices = malloc((num_vertices + (size_t)1) * sizeof(uint32_t))};
    assert_true(h->keys && h->st && h->triangles && h->file_vertices);
    for (uint32_t i = 0; i < num_vertices; i++)
        h->file_vertices[i] = i;
    for (size_t i = 0; i < (size_t)num_vertices * 2; i++) {
        uint8_t *key = h->keys + 4 * i;
        key[0] = (uint8_t)(i * 7);
        key[1] = (uint8_t)(i * 13);
        key[2] = (uint8_t)(i * 29);
        key[3] = (uint8_t)(i % 162);
    }
    for (size_t i = 0; i < (size_t)num_triangles * 3; i++)
        h->triangles[i] = (uint32_t)((i / 3 + i % 3) % (num_vertices ? num_vertices : 1));
    for (int i = 0; i < 2; i++)
        h->frames[i] = (lm_frame){.name = "", .max = {255, 255, 255}, .scale = {1, 1, 1}};
    h->surface = (lm_surface){.name = "",
                              .num_vertices = num_vertices,
                              .num_file_vertices = num_vertices,
                              .file_vertices = h->file_vertices,
                              .st = h->st,
                              .num_triangles = num_triangles,
                              .triangles = h->triangles,
                              .num_keys = 2,
                              .keys = h->keys,
                              .key_size = 4,
                              .key_stride = (size_t)num_vertices * 4};
    h->model = (lm_model){.format = "md2",
                          .name = "",
                          .num_frames = 2,
                          .frames = h->frames,
                          .num_surfaces = 1,
                          .surfaces = &h->surface};
}

void free_model(handmade *h) {
    free(h->keys);
    free(h->st);
    free(h->triangles);
    free(h->file_vertices);
}

lm_gl_view any_view(void) {
    lm_gl_camera camera = {.azimuth = 30, .elevation = 10};
    lm_gl_camera_fit(&camera, &(lm_vec3){0, 0, 0}, &(lm_vec3){255, 255, 255}, 1, 1);
    lm_gl_view view;
    lm_gl_camera_view(&camera, 1, &view);
    return view;
}
