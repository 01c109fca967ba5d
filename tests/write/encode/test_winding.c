/* Tests that meshes with inverted winding are reported, and flipped if the options ask for it. */
#include "encode/encoding.h"
#include "support.h"
#include "synthetic_mesh.h"

#include <math.h>

enum {
    CUBE_TRIANGLES = 12
};

/* A cube's triangles, clockwise seen from outside. */
static const uint32_t cube[CUBE_TRIANGLES * 3] = {0, 1, 3, 0, 3, 2, 4, 6, 7, 4, 7, 5,
                                                  0, 4, 5, 0, 5, 1, 2, 3, 7, 2, 7, 6,
                                                  0, 2, 6, 0, 6, 4, 1, 5, 7, 1, 7, 3};

typedef struct synthetic_cube {
    float positions[8 * 3];
    uint32_t triangles[CUBE_TRIANGLES * 3];
    lm_mesh_surface surfaces[2];
    lm_mesh mesh;
} synthetic_cube;

/* The position relative to the origin must not matter. */
static void make_cube(synthetic_cube *m, bool clockwise) {
    *m = (synthetic_cube){.mesh = {.num_frames = 1, .num_surfaces = 1}};
    for (int v = 0; v < 8; v++)
        for (int axis = 0; axis < 3; axis++)
            m->positions[3 * v + axis] = 100.0f + 8 * (float)(v >> axis & 1);
    memcpy(m->triangles, cube, sizeof cube);
    for (size_t t = 0; t < CUBE_TRIANGLES && !clockwise; t++) {
        m->triangles[3 * t + 1] = cube[3 * t + 2];
        m->triangles[3 * t + 2] = cube[3 * t + 1];
    }
    m->surfaces[0] = (lm_mesh_surface){.num_vertices = 8,
                                       .positions = m->positions,
                                       .num_triangles = CUBE_TRIANGLES,
                                       .triangles = m->triangles};
    m->mesh.surfaces = m->surfaces;
}

/* Returns whether encoding reports inverted winding, and the file. */
static bool is_reported(const lm_mesh *mesh, const lm_encode_options *options, lm_buffer *out) {
    lm_error error;
    lm_encode_report *report = NULL;
    bool reported = false;
    if (!lm_encode(mesh, lm_format_by_name("md3"), options, out, &report, &error))
        fail_msg("%s", error.message);
    for (uint32_t i = 0; i < report->num_problems; i++)
        reported = reported || report->problems[i].code == LM_CODE_INVERTED;
    lm_encode_report_free(report);
    return reported;
}

static bool reported(const lm_mesh *mesh) {
    lm_buffer out = {0};
    const bool is = is_reported(mesh, NULL, &out);
    lm_buffer_free(&out);
    return is;
}

TEST(test_cube_in_both_windings) {
    synthetic_cube m;
    make_cube(&m, true);
    assert_false(reported(&m.mesh));
    make_cube(&m, false);
    assert_true(reported(&m.mesh));
}

/* Two halves of it, neither of which is closed. */
TEST(test_surfaces_count_together) {
    synthetic_cube m;
    make_cube(&m, false);
    m.surfaces[1] = m.surfaces[0];
    m.surfaces[0].num_triangles = 5;
    m.surfaces[1].num_triangles = CUBE_TRIANGLES - 5;
    m.surfaces[1].triangles += 15;
    m.mesh.num_surfaces = 2;
    assert_true(reported(&m.mesh));
}

TEST(test_winding_of_open_and_flat_meshes_is_not_reported) {
    synthetic_cube m;
    make_cube(&m, false);
    m.surfaces[0].num_triangles = CUBE_TRIANGLES - 1; /* 3 of 33 edges */
    assert_true(reported(&m.mesh));
    m.surfaces[0].num_triangles = CUBE_TRIANGLES - 2; /* 4 of 30 */
    assert_false(reported(&m.mesh));
    make_cube(&m, false);
    for (int v = 0; v < 8; v++)
        m.positions[3 * v] = 100 + (v & 1 ? 0.01f : 0);
    assert_false(reported(&m.mesh));
    m.mesh.num_surfaces = 0;
    assert_false(reported(&m.mesh));
}

TEST(test_flipped_winding) {
    static const float st[] = {0, 0, 1, 0, 0, 1, 1, 1};
    uint32_t corners[2][CUBE_TRIANGLES * 3];
    synthetic_cube m[2];
    lm_buffer out[2] = {{0}, {0}};
    for (int i = 0; i < 2; i++) {
        make_cube(&m[i], i == 0);
        for (int c = 0; c < CUBE_TRIANGLES * 3; c++)
            corners[i][c] = m[i].triangles[c] / 2;
        m[i].surfaces[0].num_st = 4;
        m[i].surfaces[0].st = st;
        m[i].surfaces[0].st_triangles = corners[i];
        assert_false(
            is_reported(&m[i].mesh, &(lm_encode_options){.flip_winding = i == 1}, &out[i]));
    }
    assert_int_equal(out[0].size, out[1].size);
    assert_memory_equal(out[0].data, out[1].data, out[0].size);
    lm_buffer_free(&out[0]);
    lm_buffer_free(&out[1]);
}

/* ---- Real models ------------------------------------------------------------------------------
 */

static unsigned num_models, num_inverted, num_judged;

static bool is_inverted(const lm_mesh *mesh, lm_heap *heap) {
    lm_encoding encoding = {.mesh = mesh, .heap = heap, .arena = {.heap = heap}};
    assert_true(lm_encode_note_winding(&encoding));
    lm_arena_free(&encoding.arena);
    return encoding.notes.count > 0;
}

/* The test owns the mesh. */
static void flip(const lm_mesh *mesh) {
    for (uint32_t i = 0; i < mesh->num_surfaces; i++) {
        uint32_t *corners = (uint32_t *)mesh->surfaces[i].triangles;
        for (size_t t = 0; t < mesh->surfaces[i].num_triangles; t++) {
            const uint32_t second = corners[3 * t + 1];
            corners[3 * t + 1] = corners[3 * t + 2];
            corners[3 * t + 2] = second;
        }
    }
}

static void judge(const char *path, const blob *file) {
    OWNED(lm_model) *model = lm_load_memory(file->data, file->size, NULL, NULL);
    OWNED(lm_mesh) *mesh = model ? lm_mesh_from_model(model, NULL, NULL) : NULL;
    lm_heap heap;
    lm_memory memory = {.max_bytes = SIZE_MAX};
    lm_heap_init(&heap, &memory, 0);
    if (mesh && mesh->num_surfaces > 0) {
        const bool inverted = is_inverted(mesh, &heap);
        num_models++;
        num_inverted += inverted;
        if (inverted)
            print_message("inverted: %s\n", path);
        flip(mesh);
        num_judged += inverted || is_inverted(mesh, &heap);
    }
}

TEST(test_real_models) {
    each_model(judge);
    print_message("%u of %u models are closed, %u inverted\n", num_judged, num_models,
                  num_inverted);
    assert_int_equal(num_inverted, 0);
}
