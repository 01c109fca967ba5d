/* Tests the proof that an optimized file is equivalent: it detects every kind of difference. */
#include "model/weld.h"
#include "optimize/proof.h"
#include "support.h"

#include <stdio.h>

/* Two models of one format, without moved elements. */
typedef struct pair {
    lm_model *before, *after;
    lm_optimize_options options;
    lm_optimized_surface surfaces[2];
    uint32_t numbers[64], places[2][64], order[2][64];
} pair;

static pair *open_pair(const blob *before, const blob *after) {
    pair *p = calloc(1, sizeof *p);
    assert_non_null(p);
    p->before = load_blob(before);
    p->after = load_blob(after);
    for (uint32_t s = 0; s < 2; s++) {
        for (uint32_t i = 0; i < 64; i++)
            p->places[s][i] = p->order[s][i] = i;
        p->surfaces[s] = (lm_optimized_surface){.order = p->order[s], .new_indices = p->places[s]};
        if (s < p->before->num_surfaces) {
            p->surfaces[s].num_triangles = p->before->surfaces[s].num_triangles;
            p->surfaces[s].num_vertices = p->before->surfaces[s].num_file_vertices;
        }
    }
    return p;
}

static void close_pair(pair *p) {
    lm_model_free(p->before);
    lm_model_free(p->after);
    free(p);
}

OWNER(pair, close_pair)

static bool proves(pair *p, const lm_memory *memory, bool *failed, lm_error *error) {
    lm_heap heap;
    lm_heap_begin(&heap, memory, 1 << 20, p->before->format, error);
    lm_optimizing o = {.heap = &heap,
                       .options = &p->options,
                       .num_surfaces = p->before->num_surfaces,
                       .surfaces = p->surfaces};
    const bool same = lm_prove_same(&o, p->before, p->after);
    *failed = heap.call.status == LM_FAILED;
    return same;
}

/* `expected`: NULL if they are equivalent. */
static void expect(pair *p, const char *what, const char *expected) {
    char sentence[128];
    bool failed;
    lm_error error = {.code = LM_CODE_OK};
    const bool same = proves(p, NULL, &failed, &error);
    snprintf(sentence, sizeof sentence,
             "%s: optimizing would change %s, so nothing is written; this is a bug in lerpmesh",
             p->before->format, expected ? expected : "");
    if (same != !expected || failed != !same || (expected && strcmp(error.message, sentence) != 0))
        fail_msg("%s: %s", what, same ? "the same" : error.message);
}

/* ---- Other files ------------------------------------------------------------------------------
 */

typedef enum kind {
    MD2,
    MDC,
    MD3,
    NUM_KINDS
} kind;

static blob make(kind format) {
    return format == MD2   ? make_md2(&small_md2)
           : format == MDC ? make_mdc(&small_mdc)
                           : make_md3(&small_md3);
}

static void expect_byte(kind format, const char *what, size_t at, uint8_t change,
                        const char *expected) {
    AT_END(blob_free) blob before = make(format), after = make(format);
    assert_true(at < after.size);
    after.data[at] ^= change;
    OWNED(pair) *p = open_pair(&before, &after);
    expect(p, what, expected);
}

TEST(test_equal_models_are_proven_equal) {
    for (int format = 0; format < NUM_KINDS; format++)
        expect_byte((kind)format, "nothing", 0, 0, NULL);
}

TEST(test_changed_bytes_of_an_md3_are_found) {
    AT_END(blob_free) blob file = make(MD3);
    const size_t frames = get32(&file, MD3_AT_OFS_FRAMES), tags = get32(&file, MD3_AT_OFS_TAGS);
    expect_byte(MD3, "the model's name", MD3_AT_NAME, 1,
                "the number of frames, surfaces, tags or skins");
    for (size_t f = 0; f < 4; f++)
        expect_byte(MD3, "a frame's name", frames + 56 * f + 40, 1, "a frame's name");
    for (size_t t = 0; t < 8; t++)
        expect_byte(MD3, "a tag's position", tags + 112 * t + 68 + 2, 1, "a tag");
    expect_byte(MD3, "a tag's axis", tags + 112 * 7 + 64 + 12 + 34, 1, "a tag");
    for (int32_t s = 0; s < 2; s++) {
        const size_t start = surface_start(&file, s);
        const size_t triangles = surface_lump(&file, s, MD3_SURFACE_AT_OFS_TRIANGLES);
        const size_t shaders = surface_lump(&file, s, MD3_SURFACE_AT_OFS_SHADERS);
        const size_t st = surface_lump(&file, s, MD3_SURFACE_AT_OFS_ST);
        const size_t vertices = surface_lump(&file, s, MD3_SURFACE_AT_OFS_XYZ_NORMALS);
        expect_byte(MD3, "a surface's name", start + 4, 1, "a surface's name");
        expect_byte(MD3, "a shader's name", shaders, 1, "a material");
        expect_byte(MD3, "a shader's index", shaders + 64, 1, "a material");
        for (size_t corner = 0; corner < 9; corner++) {
            const uint8_t v = file.data[triangles + 4 * corner];
            expect_byte(MD3, "a corner", triangles + 4 * corner, (uint8_t)(v ^ (v + 1) % 5),
                        "a triangle's corner");
        }
        for (size_t i = 0; i < 10; i++)
            expect_byte(MD3, "a coordinate", st + 4 * i + 2, 1, "a triangle's corner");
        for (size_t f = 0; f < 4; f++)
            for (size_t v = 0; v < 5; v++) {
                expect_byte(MD3, "x", vertices + 8 * (5 * f + v), 1, "a vertex");
                expect_byte(MD3, "z", vertices + 8 * (5 * f + v) + 4, 1, "a vertex");
                expect_byte(MD3, "a normal", vertices + 8 * (5 * f + v) + 6, 64, "a vertex");
            }
    }
}

TEST(test_changed_bytes_of_an_md2_are_found) {
    AT_END(blob_free) blob file = make(MD2);
    const size_t skins = get32(&file, MD2_AT_OFS_SKINS), gl = get32(&file, MD2_AT_OFS_GLCMDS);
    expect_byte(MD2, "the first skin", skins, 1, "a skin");
    expect_byte(MD2, "the second skin", skins + 64, 1, "a skin");
    expect_byte(MD2, "a frame's name", get32(&file, MD2_AT_OFS_FRAMES) + 24, 1, "a frame's name");
    /* The commands: a count, then s, t and a vertex each. */
    expect_byte(MD2, "s", gl + 4 + 2, 1, "the triangles of the GL commands");
    expect_byte(MD2, "t", gl + 8 + 2, 1, "the triangles of the GL commands");
    expect_byte(MD2, "a vertex", gl + 12, 4, "the triangles of the GL commands");
}

TEST(test_changed_numbers_are_found) {
    const md3_shape shapes[] = {{5, 2, 2, 5, 3, 1},
                                {4, 1, 2, 5, 3, 1},
                                {4, 2, 1, 5, 3, 1},
                                {4, 2, 2, 5, 3, 2},
                                {4, 2, 2, 5, 4, 1}};
    static const char *const expected[] = {"the number of frames, surfaces, tags or skins",
                                           "the number of frames, surfaces, tags or skins",
                                           "the number of frames, surfaces, tags or skins",
                                           "a surface's name", "the number of triangles"};
    AT_END(blob_free) blob before = make_md3(&small_md3);
    for (size_t i = 0; i < COUNT_OF(shapes); i++) {
        AT_END(blob_free) blob after = make_md3(&shapes[i]);
        OWNED(pair) *p = open_pair(&before, &after);
        expect(p, "another shape", expected[i]);
    }
    blob_free(&before);
    before = make_md2(&small_md2);
    AT_END(blob_free) blob after = make_md2(&(md2_shape){1, 6, 9, 4, 3, false});
    OWNED(pair) *p = open_pair(&before, &after);
    expect(p, "a skin less", "the number of frames, surfaces, tags or skins");
    close_pair(p);
    blob_free(&after);
    after = make_md2(&(md2_shape){2, 6, 9, 4, 3, true});
    p = open_pair(&before, &after);
    expect(p, "no commands", "the triangles of the GL commands");
}

/* ---- Moved elements -------------------------------------------------------------------------- */

TEST(test_wrong_reorderings_are_found) {
    AT_END(blob_free) blob file = make_md3(&small_md3);
    OWNED(pair) *p = open_pair(&file, &file);
    for (int s = 0; s < 2; s++) {
        uint32_t *order = p->order[s], *places = p->places[s];
        order[1] = 0;
        expect(p, "a triangle twice", "the triangles");
        order[1] = 3;
        expect(p, "a triangle that is none", "the triangles");
        order[0] = 1, order[1] = 0;
        expect(p, "triangles that changed places", "a triangle's corner");
        order[0] = 0, order[1] = 1;
        places[1] = 2;
        expect(p, "a vertex that is another", "a triangle's corner");
        places[1] = LM_UNUSED;
        expect(p, "a vertex that is gone", "a triangle's corner");
        places[1] = 1;
        p->surfaces[s].num_triangles++;
        expect(p, "a triangle more", "the number of triangles");
        p->surfaces[s].num_triangles--;
        p->surfaces[s].num_vertices--;
        expect(p, "a vertex less", "the number of triangles");
        p->surfaces[s].num_vertices++;
        expect(p, "nothing", NULL);
    }
}

/* The same file with reordered triangles and vertices, written by hand. Vertex 5 is of no triangle
 * and is not in the second file. */
TEST(test_reordered_models_are_proven_equal) {
    const md3_shape six = {2, 1, 1, 6, 3, 1}, five = {2, 1, 1, 5, 3, 1};
    static const uint32_t turned[5] = {4, 3, 2, 1, 0}; /* new index of each, and the reverse */
    AT_END(blob_free) blob before = make_md3(&six), after = make_md3(&five);
    const size_t triangles[2] = {surface_lump(&before, 0, MD3_SURFACE_AT_OFS_TRIANGLES),
                                 surface_lump(&after, 0, MD3_SURFACE_AT_OFS_TRIANGLES)},
                 st[2] = {surface_lump(&before, 0, MD3_SURFACE_AT_OFS_ST),
                          surface_lump(&after, 0, MD3_SURFACE_AT_OFS_ST)},
                 rows[2] = {surface_lump(&before, 0, MD3_SURFACE_AT_OFS_XYZ_NORMALS),
                            surface_lump(&after, 0, MD3_SURFACE_AT_OFS_XYZ_NORMALS)};
    for (size_t c = 0; c < 9; c++) /* the third triangle is the first */
        put32(&after, triangles[1] + 4 * ((c + 3) % 9),
              turned[get32(&before, triangles[0] + 4 * c)]);
    for (size_t v = 0; v < 5; v++) {
        memcpy(after.data + st[1] + 8 * turned[v], before.data + st[0] + 8 * v, 8);
        for (size_t f = 0; f < 2; f++)
            memcpy(after.data + rows[1] + 8 * (5 * f + turned[v]),
                   before.data + rows[0] + 8 * (6 * f + v), 8);
    }
    OWNED(pair) *p = open_pair(&before, &after);
    memcpy(p->places[0], turned, sizeof turned);
    p->places[0][5] = LM_UNUSED;
    for (uint32_t t = 0; t < 3; t++)
        p->order[0][(t + 1) % 3] = t;
    expect(p, "turned around", NULL);
    p->options.keep_draw_order = true;
    expect(p, "triangles in another order", "the order of the triangles");
    p->options = (lm_optimize_options){.keep_numbers = true};
    expect(p, "triangles with other numbers", "the order of the triangles");
    p->options = (lm_optimize_options){0};
    p->places[0][5] = 5;
    expect(p, "a vertex that is not there", "a vertex");
    p->places[0][5] = 4;
    expect(p, "a vertex that lies elsewhere", "a vertex");
}

TEST(test_failing_allocations_are_handled) {
    AT_END(blob_free) blob file = make_md2(&small_md2);
    OWNED(pair) *p = open_pair(&file, &file);
    size_t at = 1;
    for (bool same = false; !same; at++) {
        AT_END(assert_all_released) counted counts = {.fail_at = at};
        const lm_memory memory = {.allocator = counting_allocator(&counts)};
        bool failed = true;
        same = proves(p, &memory, &failed, NULL);
        assert_false(failed);
    }
    assert_true(at > 2);
}
