/* Draws texture coordinates: as SVG, and as pixels. */
#include "core/index.h"
#include "core/options.h"
#include "core/report.h"
#include "core/text.h"
#include "export/export_common.h"

#include <string.h>

#define NO_SKIN_SIZE 512 /* if the model does not store a skin size */
#define LEGEND_STEP 0.03 /* height of a legend's line, relative to the image's larger side */
#define MARGIN 0.02 /* around the image, relative to its larger side; at most its smaller side */

/* The visible area, in pixels of the skin. */
typedef struct uv_canvas {
    double width, height; /* of the skin */
    double left, top, right, bottom;
    const lm_vec2 **st; /* [model->num_surfaces][num_vertices] with islands moved onto the skin */
} uv_canvas;

static bool is_shown(const lm_uv_options *options, uint32_t surface) {
    return !options->surfaces || options->surfaces[surface];
}

/* ---- Islands --------------------------------------------------------------------------------- */

/* Textures repeat, so a model may use any tile of the plane, often the one next to the skin. Moves
 * whole islands by whole tiles, so that as much as possible of each lies on the skin. An island is
 * a set of triangles that are joined by vertices, or by edges with equal texture coordinates. */

typedef struct island {
    double left, top, right, bottom;
} island;

static uint32_t root_of(uint32_t *parents, uint32_t v) {
    while (parents[v] != v)
        v = parents[v] = parents[parents[v]];
    return v;
}

static void join(uint32_t *parents, uint32_t a, uint32_t b) {
    a = root_of(parents, a);
    b = root_of(parents, b);
    parents[a > b ? a : b] = a > b ? b : a;
}

/* Gets the ends of the edge that starts at a corner, always in the same order. */
static void get_edge(const lm_surface *surface, uint32_t corner, lm_vec2 ends[2]) {
    const uint32_t next = corner % 3 == 2 ? corner - 2 : corner + 1;
    const lm_vec2 a = surface->st[surface->triangles[corner]],
                  b = surface->st[surface->triangles[next]];
    const bool turn = a.x > b.x || (!(a.x < b.x) && a.y > b.y);
    ends[turn] = a;
    ends[!turn] = b;
}

static bool is_equal_edge(const void *context, uint32_t a, uint32_t b) {
    lm_vec2 first[2], second[2];
    get_edge(context, a, first);
    get_edge(context, b, second);
    return first[0].x == second[0].x && first[0].y == second[0].y && first[1].x == second[1].x &&
           first[1].y == second[1].y;
}

/* Sets the parent of each vertex: the vertices of an island have the same root. */
static bool join_vertices(const lm_surface *surface, lm_arena *arena, uint32_t *parents) {
    const uint32_t num_corners = 3 * surface->num_triangles, *corners = surface->triangles;
    uint64_t *hashes = lmi_arena_alloc(arena, num_corners, sizeof *hashes);
    uint32_t *firsts = lmi_arena_alloc(arena, num_corners, sizeof *firsts);
    if (!hashes || !firsts)
        return false;
    for (uint32_t v = 0; v < surface->num_vertices; v++)
        parents[v] = v;
    for (uint32_t i = 0; i < num_corners; i++) {
        lm_vec2 ends[2];
        get_edge(surface, i, ends);
        hashes[i] = lmi_hash_bytes(0, ends, sizeof ends);
        join(parents, corners[i], corners[i - i % 3]);
    }
    if (!lmi_find_equal(num_corners, hashes, is_equal_edge, surface, firsts, arena->heap))
        return false;
    for (uint32_t i = 0; i < num_corners; i++)
        join(parents, corners[i], corners[firsts[i]]);
    return true;
}

/* ---- Moving -------------------------------------------------------------------------------- */

/* Returns by how many tiles to move an island: as many as its middle is away, so that most of it is
 * on the skin; 0 if it lies within the skin or covers it. */
static double tiles_of(double low, double high) {
    const bool stays = (low >= 0 && high <= 1) || (low <= 0 && high >= 1);
    return stays ? 0 : floor((low + high) / 2);
}

/* Returns the surface's coordinates, moved; NULL if memory ran out. */
static const lm_vec2 *move_islands(const lm_surface *surface, lm_arena *arena) {
    const uint32_t count = surface->num_vertices;
    lm_vec2 *moved = lmi_arena_alloc(arena, count, sizeof *moved);
    uint32_t *parents = lmi_arena_alloc(arena, count, sizeof *parents);
    island *islands = lmi_arena_alloc(arena, count, sizeof *islands);
    if (!moved || !parents || !islands || !join_vertices(surface, arena, parents))
        return NULL;
    for (uint32_t v = 0; v < surface->num_vertices; v++)
        islands[v] = (island){INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (uint32_t v = 0; v < surface->num_vertices; v++) {
        const lm_vec2 st = surface->st[v];
        island *i = &islands[root_of(parents, v)];
        i->left = fmin(i->left, (double)st.x);
        i->right = fmax(i->right, (double)st.x);
        i->top = fmin(i->top, (double)st.y);
        i->bottom = fmax(i->bottom, (double)st.y);
    }
    for (uint32_t v = 0; v < count; v++) {
        const island *i = &islands[root_of(parents, v)];
        moved[v].x = (float)((double)surface->st[v].x - tiles_of(i->left, i->right));
        moved[v].y = (float)((double)surface->st[v].y - tiles_of(i->top, i->bottom));
    }
    return moved;
}

/* Returns the texture coordinates of each surface, with islands on other tiles moved onto the skin;
 * NULL if memory ran out. Linear time. */
static const lm_vec2 **find_coordinates(const lm_model *model, const lm_uv_options *options,
                                        lm_arena *arena) {
    const lm_vec2 **st = lmi_arena_zeros(arena, model->num_surfaces, sizeof(lm_vec2 *));
    for (uint32_t i = 0; st && i < model->num_surfaces; i++) {
        const lm_surface *surface = &model->surfaces[i];
        const bool stays = !is_shown(options, i) || lmi_is_on_skin(surface) ||
                           surface->num_triangles > UINT32_MAX / 3;
        st[i] = stays ? surface->st : move_islands(surface, arena);
    }
    return lmi_arena_failed(arena) ? NULL : st;
}

/* ---- The canvas ------------------------------------------------------------------------------ */

/* Enlarges the canvas to cover all drawn coordinates. */
static void extend_canvas(uv_canvas *canvas, const lm_model *model, const lm_uv_options *options) {
    double left = 0, top = 0, right = 1, bottom = 1;
    for (uint32_t i = 0; i < model->num_surfaces; i++) {
        const lm_vec2 *st = canvas->st[i];
        const uint32_t count = is_shown(options, i) ? model->surfaces[i].num_vertices : 0;
        for (uint32_t v = 0; v < count; v++) {
            left = fmin(left, (double)st[v].x);
            right = fmax(right, (double)st[v].x);
            top = fmin(top, (double)st[v].y);
            bottom = fmax(bottom, (double)st[v].y);
        }
    }
    canvas->left = left * canvas->width, canvas->right = right * canvas->width;
    canvas->top = top * canvas->height, canvas->bottom = bottom * canvas->height;
}

/* Checks the options (NULL: the defaults) and computes the canvas. The call fails if memory runs
 * out. */
static bool make_canvas(const lm_model *model, const lm_uv_options **options, lm_arena *arena,
                        uv_canvas *canvas) {
    static const lm_uv_options defaults;
    *options = *options ? *options : &defaults;
    lm_call *call = &arena->heap->call;
    const lm_scene_texture *skin = (*options)->skin;
    if (!lmi_call_join(call, LM_RESERVED_VALID(*options, call->error, "uv") &&
                                 (!skin || LM_RESERVED_VALID(skin, call->error, "uv: skin"))))
        return false;
    double width = model->skin_width, height = model->skin_height;
    if (skin && skin->width > 0 && skin->height > 0) {
        width = skin->width;
        height = skin->height;
    } else if (model->skin_width == 0 || model->skin_height == 0) {
        width = height = NO_SKIN_SIZE;
    }
    *canvas = (uv_canvas){.width = width, .height = height, .right = width, .bottom = height};
    canvas->st = find_coordinates(model, *options, arena);
    if (!canvas->st)
        return false;
    if (!(*options)->exact)
        extend_canvas(canvas, model, *options);
    return true;
}

/* Returns the width of the margin around an image. */
static double margin_of(const lm_uv_options *options, double width, double height) {
    return options->exact ? 0 : fmin(fmax(width, height) * MARGIN, fmin(width, height));
}

/* Returns the hue of a surface, in degrees. Steps by the golden angle keep any number of hues
 * apart. */
static double hue_of(uint32_t surface) {
    return floor(fmod(210 + 137.508 * (double)surface, 360));
}

/* ---- SVG ------------------------------------------------------------------------------------- */

/* Writes a number with two decimals, enough for pixels, independently of the locale. */
static void append_number(lm_buffer *out, double value) {
    lmi_buffer_double(out, round(value * 100) / 100);
}

/* Writes XML, with the next number for each @, and " for '. */
static void append_xml(lm_buffer *out, const char *xml, const double *numbers) {
    for (; *xml; xml++)
        if (*xml == '@')
            append_number(out, *numbers++);
        else
            lm_buffer_append(out, *xml == '\'' ? "\"" : xml, 1);
}

static void append_escaped(lm_buffer *out, const char *text) {
    const bool utf8 = lmi_utf8_valid(text, strlen(text));
    for (; *text; text++) {
        const uint8_t c = (uint8_t)*text;
        char piece[2] = {*text};
        const size_t size = utf8 ? 1 : lmi_utf8_of_latin1(c, piece);
        if (c == '<' || c == '>' || c == '&' || c == '"')
            lm_buffer_printf(out, "&#%u;", (unsigned)c);
        else if (c < ' ') /* XML 1.0 cannot express these */
            lm_buffer_text(out, "\xEF\xBF\xBD");
        else
            lm_buffer_append(out, piece, size);
    }
}

static const char *name_of(const lm_surface *surface) {
    return surface->name[0] ? surface->name : "surface";
}

/* Returns twice the area on the skin; positive if the corners are clockwise. */
static double signed_area(const lm_vec2 *a, const lm_vec2 *b, const lm_vec2 *c) {
    return ((double)b->x - a->x) * ((double)c->y - a->y) -
           ((double)b->y - a->y) * ((double)c->x - a->x);
}

static void append_group(lm_buffer *out, const uv_canvas *canvas, const lm_surface *surface,
                         uint32_t index) {
    const lm_vec2 *st = canvas->st[index];
    const double hue = hue_of(index); /* medium lightness is visible on dark and light */
    append_xml(out, "<g fill='hsl(@,65%,50%)' stroke='hsl(@,65%,50%)'><title>",
               (const double[]){hue, hue});
    append_escaped(out, name_of(surface));
    lm_buffer_text(out, "</title><path d=\"");
    for (uint32_t i = 0; i < surface->num_triangles; i++) {
        /* Write a triangle, always clockwise. So the fill of overlapping triangles (mirrored sides
         * often share a region of the skin) does not cancel out. */
        const uint32_t *corners = surface->triangles + 3 * (size_t)i;
        bool turn = signed_area(&st[corners[0]], &st[corners[1]], &st[corners[2]]) < 0;
        const uint32_t order[] = {corners[0], corners[turn ? 2 : 1], corners[turn ? 1 : 2]};
        for (unsigned k = 0; k < 3; k++) {
            lm_buffer_text(out, k == 0 ? "M" : " ");
            append_number(out, (double)st[order[k]].x * canvas->width);
            lm_buffer_text(out, " ");
            append_number(out, (double)st[order[k]].y * canvas->height);
        }
        lm_buffer_text(out, "Z");
    }
    lm_buffer_text(out, "\"/></g>\n");
}

static void append_legend(lm_buffer *out, const uv_canvas *canvas, const lm_model *model,
                          const lm_uv_options *options, double step) {
    append_xml(out, "<g font-family='sans-serif' font-size='@'>\n", (const double[]){step * 0.8});
    for (uint32_t i = 0, line = 0; i < model->num_surfaces; i++) {
        if (!is_shown(options, i))
            continue;
        const double y = canvas->bottom + step * (double)++line;
        append_xml(out, "<text fill='hsl(@,65%,50%)' x='@' y='@'>",
                   (const double[]){hue_of(i), canvas->left, y});
        append_escaped(out, name_of(&model->surfaces[i]));
        lm_buffer_text(out, "</text>\n");
    }
    lm_buffer_text(out, "</g>\n");
}

static void append_base64(lm_buffer *out, const uint8_t *data, size_t size) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        size_t left = size - i;
        uint32_t bits = (uint32_t)data[i] << 16 | (left > 1 ? (uint32_t)data[i + 1] << 8 : 0) |
                        (left > 2 ? data[i + 2] : 0u);
        const char four[] = {digits[bits >> 18], digits[bits >> 12 & 63],
                             left > 1 ? digits[bits >> 6 & 63] : '=',
                             left > 2 ? digits[bits & 63] : '='};
        lm_buffer_append(out, four, sizeof four);
    }
}

static void open_canvas(lm_buffer *out, const uv_canvas *canvas, const lm_uv_options *options,
                        double line, double legend) {
    const double width = canvas->right - canvas->left;
    const double height = canvas->bottom - canvas->top + legend;
    const double margin = margin_of(options, width, height);
    const double box[] = {canvas->left - margin, canvas->top - margin, width + 2 * margin,
                          height + 2 * margin};
    const double frame[] = {canvas->width, canvas->height, 2 * line, line};
    append_xml(out, "<svg xmlns='http://www.w3.org/2000/svg' viewBox='@ @ @ @'", box);
    if (options->exact)
        append_xml(out, " width='@' height='@'", frame);
    lm_buffer_text(out, ">\n");
    if (options->skin) {
        append_xml(out,
                   "<image width='@' height='@' preserveAspectRatio='none' href='data:", frame);
        lm_buffer_printf(out, "%s;base64,", options->skin->mime);
        append_base64(out, options->skin->data, options->skin->size);
        lm_buffer_text(out, "\"/>\n");
    }
    append_xml(out,
               "<rect width='@' height='@' fill='#808080' fill-opacity='0.15' stroke='#808080' "
               "stroke-width='@'/>\n"
               "<g fill-opacity='0.2' stroke-linejoin='round' stroke-width='@'>\n",
               frame);
}

static void append_drawing(lm_buffer *out, const lm_model *model, const lm_uv_options *options,
                           const uv_canvas *canvas) {
    double size = fmax(canvas->right - canvas->left, canvas->bottom - canvas->top);
    const double line = fmax(size / 800, 0.01);
    const double step = fmax(canvas->width, canvas->height) * LEGEND_STEP;
    uint32_t shown = 0;
    for (uint32_t i = 0; i < model->num_surfaces; i++)
        shown += is_shown(options, i);
    const bool legend = shown > 1 && !options->exact;
    open_canvas(out, canvas, options, line, legend ? step * ((double)shown + 0.5) : 0);
    for (uint32_t i = 0; i < model->num_surfaces; i++)
        if (is_shown(options, i))
            append_group(out, canvas, &model->surfaces[i], i);
    lm_buffer_text(out, "</g>\n");
    if (legend)
        append_legend(out, canvas, model, options, step);
    lm_buffer_text(out, "</svg>\n");
}

/* ---- Pixels ---------------------------------------------------------------------------------- */

/* The skin, and over it the edges of all triangles. The cost is proportional to the image and to
 * the length of edges, not to the area of triangles, which a file could make huge. */
#define GOOD_SIDE 1024.0  /* pixels, minimum of the larger side if enlarging is allowed */
#define LARGEST_SIDE 4096 /* pixels, unless the skin itself is larger */
#define FRAME UINT32_MAX  /* owner of the skin's outline */

/* For each pixel, stores the last surface with a line there, and the coverage by its lines and
 * their shade. So lines of one surface do not darken each other where they meet. */
typedef struct uv_page {
    const uv_canvas *canvas;
    const lm_uv_options *options;
    uint32_t width, height;
    double scale, left, top; /* pixels per pixel of the skin; position on the skin of pixel 0, 0 */
    double half;             /* of the line width */
    double shade;            /* darkness next to a line, so that lines are visible on any skin */
    uint8_t *pixels, *covered, *shaded;
    uint32_t *owners; /* surface index + 1 */
} uv_page;

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
        double k = fmod(offsets[i] + hue_of(owner - 1) / 30, 12);
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
    const uv_canvas *canvas = page->canvas;
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
    const uv_canvas *canvas = page->canvas;
    const bool exact = page->options->exact;
    double width = canvas->right - canvas->left, height = canvas->bottom - canvas->top;
    const double margin = margin_of(page->options, width, height);
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
        return lmi_call_fail(call, LM_CODE_LIMIT,
                             "the image would have %.0f x %.0f pixels; the limit is %.0f million",
                             width, height, (double)(LM_MAX_UV_PIXELS >> 20));
    page->width = (uint32_t)width;
    page->height = (uint32_t)height;
    return true;
}

static void draw(uv_page *page, const lm_model *model, lm_arena *arena, lm_buffer *pixels) {
    const size_t count = (size_t)page->width * page->height;
    page->covered = lmi_arena_zeros(arena, count, 1);
    page->shaded = lmi_arena_zeros(arena, count, 1);
    page->owners = lmi_arena_zeros(arena, count, sizeof *page->owners);
    page->pixels = lmi_arena_failed(arena) ? NULL : lm_buffer_reserve(pixels, 4 * count);
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
        if (is_shown(page->options, i))
            draw_surface(page, &model->surfaces[i], i + 1);
    for (size_t i = 0; i < count; i++)
        blend_line(page, i);
}

/* Draws the page, or fails the call. */
static void draw_pixels(uv_page *page, const lm_model *model, lm_arena *arena, lm_buffer *out) {
    lm_call *call = &arena->heap->call;
    const lm_scene_texture *skin = page->options->skin;
    if (skin && !(skin->pixels && skin->width > 0 && skin->height > 0))
        lmi_call_fail(call, LM_CODE_BAD_ARGUMENT, "the skin has no pixels");
    else if (plan_page(page, call))
        draw(page, model, arena, out);
}

bool lm_uv_write(const lm_model *model, const lm_uv_options *options, lm_buffer *out,
                 lm_uv_result *result, lm_error *error) {
    if (!LM_GIVEN(error, model, out) || !lmi_buffer_valid(out, __func__, error))
        return false;
    uv_canvas canvas;
    lm_heap heap;
    lm_arena arena = {.heap = &heap};
    lmi_export_begin(&heap, out, error);
    const lm_buffer_mark mark = lmi_buffer_begin(out);
    const bool known = make_canvas(model, &options, &arena, &canvas);
    uv_page page = {.canvas = &canvas, .options = options};
    if (known && !options->pixels && options->skin && !(options->skin->mime && options->skin->data))
        lmi_call_fail(&heap.call, LM_CODE_BAD_ARGUMENT, "the skin has no mime or no data");
    else if (known && options->pixels)
        draw_pixels(&page, model, &arena, out);
    else if (known)
        append_drawing(out, model, options, &canvas);
    lmi_arena_free(&arena);
    if (result)
        *result = (lm_uv_result){.width = page.width, .height = page.height};
    return lmi_export_end(&heap, out, mark, options->pixels ? "image" : "SVG");
}
