#include "models.h"

#include "elements.h"
#include "harness.h"
#include "lerpmesh/base.h"
#include "lerpmesh/md2.h"
#include "lerpmesh/mdc.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void must(bool done, const lm_error *error) {
    if (!done) {
        fprintf(stderr, "lerpmesh-bench: cannot make a model: %s\n", error->message);
        exit(1);
    }
}

/* Returns a vertex's normal, which rotates a little from frame to frame, as in real models. */
static lm_vec3 direction(uint32_t vertex, uint32_t frame) {
    float around = (float)vertex * 0.37f + (float)frame * 0.05f;
    float up = sinf((float)vertex * 0.011f + (float)frame * 0.02f);
    return (lm_vec3){cosf(around), sinf(around), up};
}

/* Returns the corners of triangle `index` in a patch of `count` vertices, rolled up without an
 * edge: two triangles per vertex. */
static void corners(uint32_t index, uint32_t count, uint32_t corner[3]) {
    uint32_t width = (uint32_t)sqrt((double)count), v = index / 2;
    corner[0] = (v + index % 2) % count;
    corner[1] = (v + (index % 2 ? width + 1 : 1)) % count;
    corner[2] = (v + width) % count;
}

static void fill_md2_triangles(uint8_t *out, uint32_t patch, uint32_t repeats) {
    for (uint32_t r = 0; r < repeats; r++)
        for (uint32_t i = 0; i < 2 * patch; i++, out += LM_MD2_TRIANGLE_SIZE) {
            lm_md2_triangle triangle;
            uint32_t corner[3];
            corners(i, patch, corner);
            for (int c = 0; c < 3; c++) {
                triangle.vertex[c] = (uint16_t)corner[c];
                triangle.st[c] = (uint16_t)((corner[c] + r) % patch);
            }
            lm_md2_put_triangle(out, &triangle);
        }
}

static void fill_md2_frame(uint8_t *out, uint32_t patch, uint32_t index) {
    lm_md2_frame frame = {.scale = {0.25f, 0.25f, 0.3f},
                          .translate = {-32 + (float)(index % 7), -32, -24}};
    snprintf(frame.name, sizeof frame.name, "frame%u", index % 1000);
    lm_md2_put_frame(out, &frame);
    out += LM_MD2_FRAME_HEADER_SIZE;
    for (uint32_t v = 0; v < patch; v++, out += LM_MD2_VERTEX_SIZE) {
        lm_vec3 d = direction(v, index);
        lm_md2_put_vertex(
            out, &(lm_md2_vertex){.v = {(uint8_t)(128 + 100 * d.x), (uint8_t)(128 + 100 * d.y),
                                        (uint8_t)(128 + 100 * d.z)},
                                  .normal = lm_nearest_normal_162(&d)});
    }
}

void bench_make_md2(uint32_t vertices, uint32_t frames, lm_buffer *out) {
    uint32_t repeats = (vertices + BENCH_PATCH_VERTICES - 1) / BENCH_PATCH_VERTICES;
    uint32_t patch = vertices / repeats;
    size_t framesize = LM_MD2_FRAME_HEADER_SIZE + (size_t)patch * LM_MD2_VERTEX_SIZE;
    uint8_t *st = bench_alloc((size_t)patch * LM_MD2_ST_SIZE);
    uint8_t *tris = bench_alloc((size_t)patch * 2 * repeats * LM_MD2_TRIANGLE_SIZE);
    uint8_t *data = bench_alloc(frames * framesize);
    lm_md2 md2 = {.skinwidth = 256,
                  .skinheight = 256,
                  .framesize = (int32_t)framesize,
                  .num_xyz = (int32_t)patch,
                  .num_st = (int32_t)patch,
                  .num_tris = (int32_t)(patch * 2 * repeats),
                  .num_frames = (int32_t)frames,
                  .st = st,
                  .tris = tris,
                  .frames = data};
    lm_error error;
    for (uint32_t v = 0; v < patch; v++)
        lm_md2_put_st(st + (size_t)v * LM_MD2_ST_SIZE,
                      &(lm_md2_st){(int16_t)(v % 256), (int16_t)(v / 256 % 256)});
    fill_md2_triangles(tris, patch, repeats);
    for (uint32_t f = 0; f < frames; f++)
        fill_md2_frame(data + f * framesize, patch, f);
    must(lm_md2_write(&md2, out, &error), &error);
    free(st);
    free(tris);
    free(data);
}

static void fill_mdc_vertices(uint8_t *base, uint8_t *comp, uint32_t vertices, uint32_t frames) {
    for (uint32_t f = 0; f < frames; f++)
        for (uint32_t v = 0; v < vertices; v++) {
            lm_vec3 d = direction(v, f);
            if (f < 2) {
                uint8_t rho, sigma;
                lm_nearest_normal_angles(&d, &rho, &sigma);
                lm_mdc_put_base_vertex(
                    base + ((size_t)f * vertices + v) * LM_MDC_BASE_VERTEX_SIZE,
                    &(lm_mdc_base_vertex){
                        .v = {(int16_t)(2000 * d.x), (int16_t)(2000 * d.y), (int16_t)(2000 * d.z)},
                        .normal = (uint16_t)(rho | sigma << 8)});
                continue;
            }
            lm_mdc_put_comp_vertex(
                comp + ((size_t)(f - 2) * vertices + v) * LM_MDC_COMP_VERTEX_SIZE,
                &(lm_mdc_comp_vertex){.v = {(uint8_t)(127 + 60 * d.x), (uint8_t)(127 + 60 * d.y),
                                            (uint8_t)(127 + 60 * d.z)},
                                      .normal = lm_nearest_normal_256(&d)});
        }
}

static void fill_mdc_tables(uint8_t *frame, uint8_t *base, uint8_t *comp, uint32_t frames) {
    for (uint32_t f = 0; f < frames; f++) {
        lm_mdc_put_frame(frame + (size_t)f * LM_MDC_FRAME_SIZE,
                         &(lm_mdc_frame){.bbox_min = {-64, -64, -64},
                                         .bbox_max = {64, 64, 64},
                                         .radius = 100,
                                         .name = "frame"});
        lm_mdc_put_frame_index(base + f * (size_t)2, f < 2 ? (int32_t)f : 1);
        lm_mdc_put_frame_index(comp + f * (size_t)2, f < 2 ? LM_MDC_NO_COMP_FRAME : (int32_t)f - 2);
    }
}

void bench_make_mdc(uint32_t vertices, uint32_t frames, lm_buffer *out) {
    uint8_t *st = bench_alloc((size_t)vertices * LM_MDC_ST_SIZE);
    uint8_t *tris = bench_alloc((size_t)vertices * 2 * LM_MDC_TRIANGLE_SIZE);
    uint8_t *base = bench_alloc((size_t)vertices * 2 * LM_MDC_BASE_VERTEX_SIZE);
    uint8_t *comp = bench_alloc((size_t)vertices * (frames - 2) * LM_MDC_COMP_VERTEX_SIZE);
    uint8_t *frame = bench_alloc(frames * (size_t)(LM_MDC_FRAME_SIZE + 4));
    uint8_t *frame_base = frame + (size_t)frames * LM_MDC_FRAME_SIZE;
    uint8_t *frame_comp = frame_base + (size_t)frames * 2;
    lm_mdc_surface surface = {.ident = LM_MDC_SURFACE_IDENT,
                              .name = "patch",
                              .num_comp_frames = (int32_t)frames - 2,
                              .num_base_frames = 2,
                              .num_vertices = (int32_t)vertices,
                              .num_triangles = (int32_t)vertices * 2,
                              .triangles = tris,
                              .st = st,
                              .base_vertices = base,
                              .comp_vertices = comp,
                              .frame_base_frames = frame_base,
                              .frame_comp_frames = frame_comp};
    lm_mdc mdc = {.name = "patch",
                  .num_frames = (int32_t)frames,
                  .num_surfaces = 1,
                  .frames = frame,
                  .surfaces = &surface};
    lm_error error;
    for (uint32_t i = 0; i < 2 * vertices; i++) {
        uint32_t corner[3];
        corners(i, vertices, corner);
        lm_mdc_put_triangle(tris + (size_t)i * LM_MDC_TRIANGLE_SIZE, corner);
    }
    for (uint32_t v = 0; v < vertices; v++)
        lm_mdc_put_st(st + (size_t)v * LM_MDC_ST_SIZE, &(lm_vec2){0.5f, 0.5f});
    fill_mdc_vertices(base, comp, vertices, frames);
    fill_mdc_tables(frame, frame_base, frame_comp, frames);
    must(lm_mdc_write(&mdc, out, &error), &error);
    free(st);
    free(tris);
    free(base);
    free(comp);
    free(frame);
}
