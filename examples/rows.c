/* Packs an MD2 or MDL for the buffers of a GPU, and shows one vertex as a shader computes it:
 * rows MODEL */
#include <lerpmesh/assets.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    lm_error error = {.message = "usage: rows MODEL"};
    lm_model *model = argc > 1 ? lm_load_file(argv[1], NULL, &error) : NULL;
    if (!model || model->num_surfaces == 0)
        return fprintf(stderr, "%s\n", model ? "no surface" : error.message), 1;
    const lm_surface *surface = &model->surfaces[0];
    const size_t vertices = surface->num_vertices, frames = model->num_frames;
    const bool small = vertices <= UINT16_MAX + 1;
    const size_t indices = 3 * (size_t)surface->num_triangles;
    lm_packing out = {.format = LM_ROW_4_BYTES};
    out.rows = malloc(4 * vertices * frames + 1);
    out.frames = malloc(frames * sizeof *out.frames + 1);
    out.indices = small ? malloc(2 * indices + 1) : NULL;
    out.st = malloc(8 * vertices + 1);
    if (!out.rows || !out.frames || (small && !out.indices) || !out.st)
        return fprintf(stderr, "out of memory\n"), 1;
    if (lm_model_pack_frames(model, 0, 0, model->num_frames, &out) != LM_CODE_OK)
        return fprintf(stderr, "only MD2 and MDL have rows of 4 bytes\n"), 1;
    printf("%zu bytes of rows, %zu of indices, %zu of texture coordinates\n", 4 * vertices * frames,
           (small ? 2 : 4) * indices, 8 * vertices);
    const uint8_t *row = out.rows; /* attributes x, y, z and the index of the normal */
    const lm_packed_frame *frame = &out.frames[0];
    const lm_vec3 *normal = &lm_normal_table(LM_NUM_NORMALS_162)[row[3]];
    if (vertices > 0)
        printf("vertex 0: %g %g %g, normal %g %g %g, st %g %g\n",
               (double)(row[0] * frame->scale.x + frame->translate.x),
               (double)(row[1] * frame->scale.y + frame->translate.y),
               (double)(row[2] * frame->scale.z + frame->translate.z), (double)normal->x,
               (double)normal->y, (double)normal->z, (double)out.st[0], (double)out.st[1]);
    free(out.rows);
    free(out.frames);
    free(out.indices);
    free(out.st);
    lm_model_free(model);
}
