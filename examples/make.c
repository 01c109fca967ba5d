#include <lerpmesh/encode.h>
#include <lerpmesh/files.h>

#include <math.h>
#include <stdio.h>

#define SIDE 9
#define FRAMES 20

/* Makes a waving flag from arrays of its own, and saves it in the format of the file's extension:
 * MD2, MD3, MDC or MDL. */
int main(int argc, char **argv) {
    static float xyz[FRAMES][SIDE * SIDE][3], st[SIDE * SIDE][2];
    static uint32_t triangles[(SIDE - 1) * (SIDE - 1)][2][3];
    for (int i = 0; i < FRAMES * SIDE * SIDE; i++) {
        const int f = i / (SIDE * SIDE), v = i % (SIDE * SIDE), x = v % SIDE, z = v / SIDE;
        const float way = 6.2831853f * ((float)f / FRAMES - (float)x / SIDE);
        const float at[3] = {8.0f * (float)x, 2.0f * (float)x * sinf(way) / SIDE, 6.0f * (float)z};
        for (int k = 0; k < 3; k++)
            xyz[f][v][k] = at[k];
        st[v][0] = (float)x / (SIDE - 1);
        st[v][1] = 1 - (float)z / (SIDE - 1);
    }
    for (uint32_t i = 0; i < (SIDE - 1) * (SIDE - 1); i++) {
        const uint32_t a = i % (SIDE - 1) + i / (SIDE - 1) * SIDE, b = a + SIDE;
        const uint32_t two[2][3] = {{a, b, a + 1}, {a + 1, b, b + 1}};
        for (int k = 0; k < 6; k++)
            triangles[i][k / 3][k % 3] = two[k / 3][k % 3];
    }

    /* The arrays, their names, and the file: nothing else is needed. */
    const lm_mesh_surface surface = {.name = "flag",
                                     .num_vertices = SIDE * SIDE,
                                     .positions = xyz[0][0],
                                     .num_st = SIDE * SIDE,
                                     .st = st[0],
                                     .num_triangles = 2 * (SIDE - 1) * (SIDE - 1),
                                     .triangles = triangles[0][0]};
    const lm_clip wave = {.name = "wave", .count = FRAMES, .fps = 10, .loop_frames = FRAMES};
    const lm_mesh mesh = {.name = "flag",
                          .num_frames = FRAMES,
                          .num_surfaces = 1,
                          .surfaces = &surface,
                          .num_clips = 1,
                          .clips = &wave};
    lm_error error = {.message = "usage: make FLAG.md2, .md3, .mdc or .mdl"};
    const lm_format_info *format = argc > 1 ? lm_format_by_extension(argv[1]) : NULL;
    lm_buffer file = {0};
    const bool saved =
        format && lm_encode(&mesh, format, NULL, &file, NULL, &error) &&
        lm_file_write(&(lm_file_output){.path = argv[1], .data = file.data, .size = file.size}, 1,
                      false, &error);
    if (!saved)
        fprintf(stderr, "%s\n", error.message);
    lm_buffer_free(&file);
    return saved ? 0 : 1;
}
