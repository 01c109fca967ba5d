#include "core/crc.h"
#include "support.h"
#include "synthetic.h"

static char *draw(const lm_model *model) {
    lm_buffer out = {0};
    assert_true(lm_uv_write(model, NULL, &out, NULL, NULL));
    lm_buffer_append(&out, "", 1);
    return (char *)out.data; /* allocated by malloc, as no allocator was set */
}

static size_t count_of(const char *text, const char *what) {
    size_t count = 0;
    while ((text = strstr(text, what))) {
        text++;
        count++;
    }
    return count;
}

typedef struct image {
    uint32_t width, height;
    lm_buffer pixels;
} image;

static image draw_pixels(const lm_model *model, const lm_uv_options *options) {
    image p = {0};
    lm_error error = {0};
    lm_uv_options with_pixels = options ? *options : (lm_uv_options){0};
    lm_uv_result result;
    with_pixels.pixels = true;
    assert_done(lm_uv_write(model, &with_pixels, &p.pixels, &result, &error), error);
    p.width = result.width;
    p.height = result.height;
    assert_int_equal(p.pixels.size, 4 * (size_t)p.width * p.height);
    return p;
}

static void free_image(image *p) {
    lm_buffer_free(&p->pixels);
}

static const uint8_t *at(const image *p, uint32_t x, uint32_t y) {
    assert_true(x < p->width && y < p->height);
    return p->pixels.data + 4 * ((size_t)y * p->width + x);
}

/* Checks that every element is closed by its own name, and that attributes and text are valid
 * XML. */
static void check_nesting(const char *p) {
    char open[16][16];
    size_t depth = 0;
    while ((p = strchr(p, '<'))) {
        const char *end = strchr(p, '>');
        bool closing = p[1] == '/';
        const char *name = p + 1 + closing;
        size_t size = strcspn(name, " />");
        assert_non_null(end);
        assert_true(size > 0 && size < 16);
        if (closing) {
            assert_true(depth > 0 && strlen(open[depth - 1]) == size);
            assert_memory_equal(open[--depth], name, size);
        } else if (end[-1] != '/') {
            assert_true(depth < 16);
            memcpy(open[depth], name, size);
            open[depth++][size] = '\0';
        }
        p = end + 1;
        for (; *p && *p != '<'; p++)
            assert_true(*p != '>' && (*p != '&' || p[1] == '#'));
    }
    assert_int_equal(depth, 0);
}

TEST(draws_every_surface_over_the_skin) {
    SYNTHETIC_MODEL(model, .num_frames = 1);
    char *text = draw(model);
    check_nesting(text);
    assert_int_equal(count_of(text, "<path"), 2);
    assert_int_equal(count_of(text, "Z"), 8);
    assert_int_equal(count_of(text, "<text"), 2);
    assert_non_null(strstr(text, "<rect width=\"512\" height=\"512\""));
    assert_non_null(strstr(text, "M0 0 512 128 256 512Z"));
    free(text);
    model->skin_width = 256, model->skin_height = 64, model->num_surfaces = 1;
    text = draw(model);
    check_nesting(text);
    assert_int_equal(count_of(text, "<text"), 0);
    assert_non_null(strstr(text, "<rect width=\"256\" height=\"64\""));
    assert_non_null(strstr(text, "M0 0 256 16 128 64Z"));
    free(text);
    model->num_surfaces = 2;
}

/* Mirrored halves overlap; with the same winding they do not cancel out. */
TEST(all_triangles_have_the_same_winding) {
    SYNTHETIC_MODEL(model, .num_frames = 1);
    char *text = draw(model), *p = text;
    size_t count = 0;
    while ((p = strpbrk(p, "M"))) {
        double v[6];
        for (size_t i = 0; i < 6; i++)
            v[i] = strtod(p + 1, &p);
        assert_true((v[2] - v[0]) * (v[5] - v[1]) - (v[3] - v[1]) * (v[4] - v[0]) >= 0);
        count++;
    }
    assert_int_equal(count, 8);
    free(text);
}

TEST(names_are_escaped) {
    SYNTHETIC_MODEL(model, .num_frames = 1, .name = "<a&\"b>\x01\xE9");
    AT_END(drop_bytes) char *text = draw(model);
    check_nesting(text);
    assert_int_equal(count_of(text, "&#60;a&#38;&#34;b&#62;\xEF\xBF\xBD\xC3\xA9"), 2);
}

TEST(coordinates_beyond_the_edge_enlarge_it) {
    SYNTHETIC_MODEL(model, .num_frames = 1);
    const lm_vec2 st[] = {{-1, 0}, {3, 0.25f}, {0.5f, 2}, {0, 0}, {1, 1}};
    ((lm_surface *)model->surfaces)[0].st = st;
    char *text = draw(model), *p = strstr(text, "viewBox=\"");
    double box[4];
    assert_non_null(p);
    p += strlen("viewBox=");
    for (size_t i = 0; i < 4; i++)
        box[i] = strtod(p + 1, &p);
    assert_true(box[0] <= -512 && box[1] <= 0);
    assert_true(box[0] + box[2] >= 3 * 512 && box[1] + box[3] >= 2 * 512);
    free(text);
}

/* Two islands on other tiles, one of them with its triangles joined only by equal coordinates, and
 * a triangle on the skin. */
TEST(islands_are_moved_onto_the_skin) {
    static const lm_vec2 st[] = {{0, 0},        {0.5f, 0},     {0, 0.5f},        /* stays */
                                 {1.25f, -1},   {1.75f, -1},   {1.25f, -0.5f},   /* (1, -1) */
                                 {2.5f, 1.25f}, {2.5f, 1.75f}, {2.75f, 1.5f},    /* (2, 1) */
                                 {2.5f, 1.25f}, {2.5f, 1.75f}, {1.4375f, 1.5f}}; /* (2, 1) */
    static const uint32_t triangles[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 9, 11};
    SYNTHETIC_MODEL(model, .num_frames = 1);
    lm_surface *surface = (lm_surface *)model->surfaces, before = *surface;
    const uint32_t num_surfaces = model->num_surfaces;
    model->num_surfaces = 1;
    surface->st = st, surface->num_vertices = COUNT_OF(st);
    surface->triangles = triangles, surface->num_triangles = COUNT_OF(triangles) / 3;
    char *text = draw(model);
    assert_non_null(strstr(text, "\"M0 0 256 0 0 256ZM128 0 384 0 128 256Z"));
    assert_non_null(strstr(text, "ZM256 128 384 256 256 384ZM256 384 -288 256 256 128Z\""));
    assert_non_null(strstr(text, "viewBox=\"-304 ")); /* 800 pixels wide, with a margin of 2 % */
    free(text);
    AT_END(free_image) image moved = draw_pixels(model, &(lm_uv_options){.exact = true});
    surface->num_triangles = 1;
    AT_END(free_image) image first = draw_pixels(model, &(lm_uv_options){.exact = true});
    assert_true(at(&moved, 256, 0)[3] > 100 && at(&moved, 128, 128)[3] > 100);
    assert_true(at(&first, 256, 200)[3] == 0 && at(&moved, 256, 200)[3] > 100);
    *surface = before;
    model->num_surfaces = num_surfaces;
}

TEST(failures_leave_the_buffer) {
    SYNTHETIC_MODEL(model, .num_frames = 1);
    counted count = {.fail_at = 1};
    AT_END(lm_buffer_free)
    lm_buffer out = {.allocator = counting_allocator(&count)}, small = {.max_size = 100};
    lm_error error = {0};
    assert_false(lm_uv_write(model, NULL, &out, NULL, &error));
    assert_int_equal(error.code, LM_CODE_OUT_OF_MEMORY);
    assert_false(lm_uv_write(model, NULL, &small, NULL, &error));
    assert_int_equal(error.code, LM_CODE_LIMIT);
    assert_int_equal(small.size, 0);
    for (int pixels = 0; pixels < 2; pixels++) {
        const lm_scene_texture nothing = {.name = "nothing"};
        const lm_uv_options of_nothing = {.pixels = pixels, .skin = &nothing};
        assert_false(lm_uv_write(model, &of_nothing, &small, NULL, &error));
        assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
    }
}

/* ---- Pixels ---------------------------------------------------------------------------------- */

enum {
    SIDE = 64
};

/* The lines from (0, 0) to (1, 1/4) belong to the second surface, drawn in a red. */
TEST(lines_are_drawn_over_the_skin) {
    SYNTHETIC_MODEL(model, .num_frames = 1);
    uint8_t pixels[4 * SIDE * SIDE];
    for (size_t i = 0; i < sizeof pixels; i += 4)
        memcpy(pixels + i, (uint8_t[]){10, 20, (uint8_t)(i / 4 % SIDE), 0}, 4);
    const lm_scene_texture skin = {.width = SIDE, .height = SIDE, .pixels = pixels};
    AT_END(free_image) image p = draw_pixels(model, &(lm_uv_options){.skin = &skin, .exact = true});
    assert_true(p.width == SIDE && p.height == SIDE);
    assert_memory_equal(at(&p, 60, 4), ((uint8_t[]){10, 20, 60, 255}), 4);
    const uint8_t *line = at(&p, 32, 8);
    assert_true(line[0] > 100 && line[0] > line[2] && line[3] == 255);
    lm_buffer_free(&p.pixels);
    p = draw_pixels(model, &(lm_uv_options){.skin = &skin});
    assert_true(p.width >= 1024 && p.width < 1100 && p.height == p.width);
    uint32_t margin = (p.width - 1024) / 2;
    assert_int_equal(at(&p, margin / 2, p.height / 2)[3], 0);
    assert_memory_equal(at(&p, margin + 16 * 60 + 8, margin + 16 * 4 + 8),
                        ((uint8_t[]){10, 20, 60, 255}), 4);
}

TEST(without_a_skin_only_lines_are_drawn) {
    SYNTHETIC_MODEL(model, .num_frames = 1);
    AT_END(free_image) image p = draw_pixels(model, &(lm_uv_options){.exact = true});
    assert_true(p.width == 512 && p.height == 512);
    assert_int_equal(at(&p, 480, 32)[3], 0);
    assert_true(at(&p, 256, 64)[3] > 100);
    lm_buffer_free(&p.pixels);
    p = draw_pixels(model, NULL);
    const uint8_t *frame = at(&p, 700, (p.height - 1024) / 2);
    assert_true(frame[0] == frame[1] && frame[1] == frame[2] && frame[3] > 100);
    const uint8_t *ground = at(&p, 960, 84);
    assert_memory_equal(ground, ((uint8_t[]){128, 128, 128, 38}), 4);
}

/* Lines of a surface that meet or overlap are as thick as one. */
TEST(lines_of_a_surface_are_blended_once) {
    SYNTHETIC_MODEL(model, .num_frames = 1);
    const uint32_t num_surfaces = model->num_surfaces;
    model->num_surfaces = 1;
    lm_surface *surface = (lm_surface *)model->surfaces;
    AT_END(free_image) image once = draw_pixels(model, &(lm_uv_options){.exact = true});
    const uint32_t twice[] = {0, 1, 2, 2, 2, 1, 0, 3, 1, 4, 2, 3, 0, 1, 2, 4, 2, 3};
    surface->triangles = twice;
    surface->num_triangles = 6;
    AT_END(free_image) image again = draw_pixels(model, &(lm_uv_options){.exact = true});
    assert_memory_equal(once.pixels.data, again.pixels.data, once.pixels.size);
    model->num_surfaces = num_surfaces; /* restored, so that all are freed */
}

/* The others are not drawn, are not in the legend, and take no space. */
TEST(draws_only_chosen_surfaces) {
    SYNTHETIC_MODEL(model, .num_frames = 1);
    const lm_vec2 far[] = {{-9, 9}, {9, -9}, {9, 9}, {0, 0}, {1, 1}};
    const bool second[] = {false, true}, none[] = {false, false};
    ((lm_surface *)model->surfaces)[0].st = far;
    model->num_surfaces = 1;
    AT_END(free_image) image all = draw_pixels(model, NULL);
    model->num_surfaces = 2;
    AT_END(free_image) image one = draw_pixels(model, &(lm_uv_options){.surfaces = second});
    AT_END(free_image) image bare = draw_pixels(model, &(lm_uv_options){.surfaces = none});
    assert_true(one.width < all.width && one.width == bare.width);
    assert_true(memcmp(one.pixels.data, bare.pixels.data, one.pixels.size) != 0);
    lm_buffer svg = {0};
    assert_true(lm_uv_write(model, &(lm_uv_options){.surfaces = second}, &svg, NULL, NULL));
    lm_buffer_append(&svg, "", 1);
    check_nesting((const char *)svg.data);
    assert_int_equal(count_of((const char *)svg.data, "<path"), 1);
    assert_int_equal(count_of((const char *)svg.data, "<text"), 0);
    assert_null(strstr((const char *)svg.data, "4608")); /* 9 * 512 */
    lm_buffer_free(&svg);
}

TEST(image_size_is_limited) {
    SYNTHETIC_MODEL(model, .num_frames = 1);
    const lm_vec2 st[] = {{-1e30f, 1e38f}, {3e38f, 0.25f}, {0.5f, -3e38f}, {0, 0}, {1, 1}};
    lm_error error = {0};
    ((lm_surface *)model->surfaces)[0].st = st;
    AT_END(free_image) image p = draw_pixels(model, &(lm_uv_options){.exact = true});
    lm_buffer_free(&p.pixels);
    p = draw_pixels(model, NULL);
    assert_true(p.width <= 4097 && p.height <= 4097);
    lm_buffer_free(&p.pixels);
    ((lm_surface *)model->surfaces)[0].st = (const lm_vec2[5]){{0, 0}};
    model->skin_width = 1;
    model->skin_height = 30000;
    p = draw_pixels(model, NULL);
    assert_true(p.width <= 3 && p.height >= 29999 && p.height <= 30002);
    lm_buffer_free(&p.pixels);
    model->skin_width = model->skin_height = 9000;
    const lm_uv_options exact = {.pixels = true, .exact = true};
    assert_false(lm_uv_write(model, &exact, &p.pixels, NULL, &error));
    assert_int_equal(error.code, LM_CODE_LIMIT);
    assert_string_equal(error.message,
                        "the image would have 9000 x 9000 pixels; the limit is 64 million");
}

TEST(failures_leave_no_output) {
    SYNTHETIC_MODEL(model, .num_frames = 1);
    const lm_vec2 st[] = {{2, 0}, {2.5f, 0.25f}, {2, 0.5f}, {0, 0}, {1, 1}};
    ((lm_surface *)model->surfaces)[0].st = st;
    for (int svg = 0; svg < 2; svg++)
        EACH_ALLOCATION_FAILS (f) {
            AT_END(lm_buffer_free) lm_buffer out = {.allocator = f.memory.allocator};
            const lm_uv_options exact = {.pixels = !svg, .exact = true};
            f.done = lm_uv_write(model, &exact, &out, NULL, &f.error);
            assert_true(f.done ? f.at > 4 : out.size == 0);
        }
}

static void record(const char *format, const blob *file) {
    OWNED(lm_model) *model = load_blob(file);
    AT_END(drop_bytes) char *text = draw(model);
    record_output("%s", text);
    for (int exact = 0; exact < 2; exact++) {
        AT_END(free_image) image p = draw_pixels(model, &(lm_uv_options){.exact = exact});
        record_output("%u x %u, %08x", (unsigned)p.width, (unsigned)p.height,
                      (unsigned)lmi_crc32(0, p.pixels.data, p.pixels.size));
    }
}

TEST(outputs_of_small_models) {
    each_small_model(record);
    assert_matches_golden("uv");
}
