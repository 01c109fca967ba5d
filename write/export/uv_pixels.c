/* Draws texture coordinates as pixels: the skin, and over it the edges of all triangles. The cost
 * is proportional to the image and to the length of edges, not to the area of triangles, which a
 * file could make huge. */
#include "core/report.h"
#include "export/export_common.h"
#include "export/uv_canvas.h"

#include <string.h>

#define GOOD_SIDE 1024.0  /* pixels, minimum of the larger side if enlarging is allowed */
#define LARGEST_SIDE 4096 /* pixels, unless the skin itself is larger */
#define FRAME UINT32_MAX  /* owner of the skin's outline */

/* For each pixel, stores the last surface with a line there, and the coverage by its lines and
 * their shade. So lines of one surface do not darken each other where they meet. */
typedef struct uv_page {
    const lm_uv_canvas *canvas;
    const lm_uv_options *options;
    uint32_t width, height;
    double scale, left, top; /* pixels per pixel of the skin; position on the skin of pixel 0, 0 */
    double half;             /* of the line width */
    double shade;            /* darkness next to a line, so that lines are visible on any skin */
    uint8_t *pixels, *covered, *shaded;
    uint32_t *owners; /* surface index + 1 */
} uv_page;

/* ---- Pixels -------------------------------------------------------------------------------- */

static void blend(uint8_t *pixel, const uint8_t rgb[3], unsigned coverage) {
    const unsigned below = pixel[3] * (255 - coverage) / 255, alpha = coverage + below;
    for (unsigned i = 0; i < 3 && alpha > 0; i++)
        pixel[i] = (uint8_t)((rgb[i] * coverage + pixel[i] * below + alpha / 2) / alpha);
    pixel[3] = (uint8_t)alpha;
}

/* Blends the coverage of a pixel into it. */
static void blend_line(const uv_page *page, size_t at) {
    static const uint8_t black[3] = {0, 0, 0};
    uint8_t rgb[3];
    if (page->owners[at] == 0)
        return;
    const uint32_t owner = page->owners[at];
    static const double offsets[] = {0, 8, 4};
    for (unsigned i = 0; i < 3; i++) { /* CSS Color 4, 7.1: saturation 90 %, lightness 62 % */
        double k = fmod(offsets[i] + (double)lm_uv_hue(owner - 1) / 30, 12);
        double value = 0.62 - 0.342 * fmax(-1, fmin(fmin(k - 3, 9 - k), 1));
        rgb[i] = (uint8_t)(owner == FRAME ? 128 : value * 255 + 0.5);
    }
    blend(page->pixels + 4 * at, black, page->shaded[at]);
    blend(page->pixels + 4 * at, rgb, page->covered[at]);
    page->owners[at] = 0;
    page->covered[at] = page->shaded[at] = 0;
}

static void raise_to(uint8_t *level, double coverage) {
    const uint8_t wanted = (uint8_t)(fmin(fmax(coverage, 0), 1) * 255 + 0.5);
    *level = *level > wanted ? *level : wanted;
}

/* Covers a pixel at a distance from the centre of a line. */
static void cover(const uv_page *page, double x, double y, double distance, uint32_t owner) {
    if (!(x >= 0 && y >= 0 && x < page->width && y < page->height))
        return;
    size_t at = (size_t)y * page->width + (size_t)x;
    if (page->owners[at] != owner)
        blend_line(page, at);
    page->owners[at] = owner;
    raise_to(&page->covered[at], page->half + 0.5 - distance);
    raise_to(&page->shaded[at], page->shade * fmin(page->half + 1.5 - distance, 1));
}

/* ---- Lines --------------------------------------------------------------------------------- */

/* Clips a line, a + t * d for t from 0 to 1, to `low` .. `high`. */
static void clip(double a, double d, double low, double high, double *from, double *to) {
    if (d == 0) {
        *to = a < low || a > high ? -1 : *to;
        return;
    }
    double t = (low - a) / d, u = (high - a) / d;
    *from = fmax(*from, fmin(t, u));
    *to = fmin(*to, fmax(t, u));
}

/* Rounds down and clamps, because distant positions are inexact and loops must stay near the
 * page. */
static int pixel_of(double position, double low, double high) {
    return (int)fmin(fmax(floor(position), low), high);
}

/* Draws a line from (x, y) by (dx, dy), in pixels. Steps a pixel at a time along its longer axis,
 * and across it over the line's width. */
static void draw_line(const uv_page *page, double x, double y, double dx, double dy,
                      uint32_t owner) {
    const double margin = page->half + 2;
    double from = 0, to = 1;
    clip(x, dx, -margin, page->width + margin, &from, &to);
    clip(y, dy, -margin, page->height + margin, &from, &to);
    if (!(from <= to))
        return;
    const bool steep = fabs(dy) > fabs(dx);
    const double along = steep ? dy : dx, across = steep ? dx : dy,
                 length = sqrt(dx * dx + dy * dy);
    const double start = steep ? y : x, side = steep ? x : y;
    const double slope = along != 0 ? across / along : 0;
    const double cosine = length > 0 ? fabs(along) / length : 1;
    const double limit = (steep ? page->height : page->width) + margin;
    const double side_limit = (steep ? page->width : page->height) + margin;
    const int first = pixel_of(fmin(start + from * along, start + to * along), -margin, limit);
    const int last = pixel_of(fmax(start + from * along, start + to * along), -margin, limit);
    const double span = ceil((page->half + 1.5) / cosine);
    for (int a = first; a <= last; a++) {
        const double middle = side + (a + 0.5 - start) * slope;
        const int end = pixel_of(middle + span, -margin, side_limit);
        for (int b = pixel_of(middle - span, -margin, side_limit); b <= end; b++) {
            const double distance = fabs(b + 0.5 - middle) * cosine;
            cover(page, steep ? b : a, steep ? a : b, distance, owner);
        }
    }
}

/* Draws a line between two points in pixels of the skin. */
static void draw_edge(const uv_page *page, double ax, double ay, double bx, double by,
                      uint32_t owner) {
    draw_line(page, (ax - page->left) * page->scale, (ay - page->top) * page->scale,
              (bx - ax) * page->scale, (by - ay) * page->scale, owner);
}

static void draw_surface(const uv_page *page, const lm_surface *surface, uint32_t owner) {
    const lm_vec2 *st = page->canvas->st[owner - 1];
    const double w = page->canvas->width, h = page->canvas->height;
    for (size_t i = 0; i < 3 * (size_t)surface->num_triangles; i++) {
        const uint32_t next = surface->triangles[i % 3 == 2 ? i - 2 : i + 1];
        const lm_vec2 a = st[surface->triangles[i]], b = st[next];
        draw_edge(page, (double)a.x * w, (double)a.y * h, (double)b.x * w, (double)b.y * h, owner);
    }
}

/* ---- The skin ------------------------------------------------------------------------------ */

/* Draws the whole skin, and ignores its alpha, which games use for other purposes. Without a skin,
 * draws nothing if `exact`, so that the image can be painted over, else grey. */
static void draw_skin(const uv_page *page) {
    const lm_uv_canvas *canvas = page->canvas;
    const lm_scene_texture *skin = page->options->skin;
    for (size_t i = 0; i < (size_t)page->width * page->height; i++) {
        const size_t column = i % page->width, row = i / page->width;
        double x = ((double)column + 0.5) / page->scale + page->left;
        double y = ((double)row + 0.5) / page->scale + page->top;
        uint8_t *pixel = page->pixels + 4 * i;
        if (!(x >= 0 && y >= 0 && x < canvas->width && y < canvas->height))
            continue;
        if (skin) {
            size_t from = (size_t)(y * skin->height / canvas->height) * skin->width +
                          (size_t)(x * skin->width / canvas->width);
            memcpy(pixel, skin->pixels + 4 * from, 3);
            pixel[3] = UINT8_MAX;
        } else if (!page->options->exact) {
            memset(pixel, 128, 3);
            pixel[3] = 38;
        }
    }
}

/* ---- Drawing -------------------------------------------------------------------------------- */

/* Returns the scale: an integer if the image's size allows it. */
static double scale_of(double side, double skin_side) {
    const double most = fmax(LARGEST_SIDE, skin_side);
    const double whole = ceil(GOOD_SIDE / skin_side);
    return side * whole <= most ? whole : side <= most ? 1 : most / side;
}

static bool plan_page(uv_page *page, lm_call *call) {
    const lm_uv_canvas *canvas = page->canvas;
    const bool exact = page->options->exact;
    double width = canvas->right - canvas->left, height = canvas->bottom - canvas->top;
    const double margin = exact ? 0 : fmax(width, height) * LM_UV_MARGIN;
    width += 2 * margin;
    height += 2 * margin;
    page->left = canvas->left - margin;
    page->top = canvas->top - margin;
    page->scale = exact ? 1 : scale_of(fmax(width, height), fmax(canvas->width, canvas->height));
    width = fmax(ceil(width * page->scale), 1);
    height = fmax(ceil(height * page->scale), 1);
    page->half = fmax(fmax(width, height) / 1200, 0.35);
    page->shade = exact ? 0 : 0.5;
    if (!(width * height <= (double)LM_MAX_UV_PIXELS))
        return lm_call_fail(call, LM_CODE_LIMIT,
                            "the image would have %.0f x %.0f pixels; the limit is %.0f million",
                            width, height, (double)(LM_MAX_UV_PIXELS >> 20));
    page->width = (uint32_t)width;
    page->height = (uint32_t)height;
    return true;
}

static void draw(uv_page *page, const lm_model *model, lm_arena *arena, lm_buffer *pixels) {
    const size_t count = (size_t)page->width * page->height;
    page->covered = lm_arena_zeros(arena, count, 1);
    page->shaded = lm_arena_zeros(arena, count, 1);
    page->owners = lm_arena_zeros(arena, count, sizeof *page->owners);
    page->pixels = lm_arena_failed(arena) ? NULL : lm_buffer_reserve(pixels, 4 * count);
    if (!page->pixels)
        return;
    draw_skin(page);
    if (!page->options->exact) {
        const double w = page->canvas->width, h = page->canvas->height;
        draw_edge(page, 0, 0, w, 0, FRAME);
        draw_edge(page, w, 0, w, h, FRAME);
        draw_edge(page, w, h, 0, h, FRAME);
        draw_edge(page, 0, h, 0, 0, FRAME);
    }
    for (uint32_t i = 0; i < model->num_surfaces; i++)
        if (lm_uv_shows(page->options, i))
            draw_surface(page, &model->surfaces[i], i + 1);
    for (size_t i = 0; i < count; i++)
        blend_line(page, i);
}

bool lm_uv_draw(const lm_model *model, const lm_uv_options *options, lm_buffer *pixels,
                uint32_t *width, uint32_t *height, lm_error *error) {
    lm_uv_canvas canvas;
    lm_heap heap;
    lm_arena arena = {.heap = &heap};
    lm_export_begin(&heap, pixels, error);
    const lm_buffer_mark mark = lm_buffer_begin(pixels);
    const bool known = lm_uv_canvas_of(model, &options, &arena, &canvas);
    uv_page page = {.canvas = &canvas, .options = options};
    if (known && options->skin && !options->skin->pixels)
        lm_call_fail(&heap.call, LM_CODE_BAD_ARGUMENT, "the skin has no pixels");
    else if (known && plan_page(&page, &heap.call))
        draw(&page, model, &arena, pixels);
    lm_arena_free(&arena);
    *width = page.width;
    *height = page.height;
    return lm_export_end(&heap, pixels, mark, "image");
}
