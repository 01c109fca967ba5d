#include "core/exact.h"

#include "core/index.h"
#include "core/options.h"
#include "core/text.h"
#include "export/export_common.h"
#include "export/uv_canvas.h"

#include <math.h>
#include <string.h>

/* ---- Islands ------------------------------------------------------------------------------ */

/* Textures repeat, so a model may use any tile of the plane, often the one next to the skin. Moves
 * whole islands by whole tiles, so that as much as possible of each lies on the skin. An island is
 * a set of triangles that are joined by vertices, or by edges with equal texture coordinates. */

typedef struct island {
    double left, top, right, bottom;
} island;

static bool is_on_skin(const lm_surface *surface) {
    for (uint32_t v = 0; v < surface->num_vertices; v++) {
        const lm_vec2 st = surface->st[v];
        if (!(st.x >= 0 && st.x <= 1 && st.y >= 0 && st.y <= 1))
            return false;
    }
    return true;
}

/* ---- Islands --------------------------------------------------------------------------------- */

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
    uint64_t *hashes = lm_arena_alloc(arena, num_corners, sizeof *hashes);
    uint32_t *firsts = lm_arena_alloc(arena, num_corners, sizeof *firsts);
    if (!hashes || !firsts)
        return false;
    for (uint32_t v = 0; v < surface->num_vertices; v++)
        parents[v] = v;
    for (uint32_t i = 0; i < num_corners; i++) {
        lm_vec2 ends[2];
        get_edge(surface, i, ends);
        hashes[i] = lm_hash_bytes(0, ends, sizeof ends);
        join(parents, corners[i], corners[i - i % 3]);
    }
    if (!lm_find_equal(num_corners, hashes, is_equal_edge, surface, firsts, arena->heap))
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
    lm_vec2 *moved = lm_arena_alloc(arena, count, sizeof *moved);
    uint32_t *parents = lm_arena_alloc(arena, count, sizeof *parents);
    island *islands = lm_arena_alloc(arena, count, sizeof *islands);
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

const lm_vec2 **lm_uv_islands(const lm_model *model, const lm_uv_options *options,
                              lm_arena *arena) {
    const lm_vec2 **st = lm_arena_zeros(arena, model->num_surfaces, sizeof(lm_vec2 *));
    for (uint32_t i = 0; st && i < model->num_surfaces; i++) {
        const lm_surface *surface = &model->surfaces[i];
        const bool stays = !lm_uv_shows(options, i) || is_on_skin(surface) ||
                           surface->num_triangles > UINT32_MAX / 3;
        st[i] = stays ? surface->st : move_islands(surface, arena);
    }
    return lm_arena_failed(arena) ? NULL : st;
}

#define NO_SKIN_SIZE 512 /* if the model does not store a skin size */
#define LEGEND_STEP 0.03 /* height of a legend's line, relative to the image's larger side */

/* Enlarges the canvas to cover all drawn coordinates. */
static void extend_canvas(lm_uv_canvas *canvas, const lm_model *model,
                          const lm_uv_options *options) {
    double left = 0, top = 0, right = 1, bottom = 1;
    for (uint32_t i = 0; i < model->num_surfaces; i++) {
        const lm_vec2 *st = canvas->st[i];
        const uint32_t count = lm_uv_shows(options, i) ? model->surfaces[i].num_vertices : 0;
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

bool lm_uv_canvas_of(const lm_model *model, const lm_uv_options **options, lm_arena *arena,
                     lm_uv_canvas *canvas) {
    static const lm_uv_options defaults;
    static const lm_option_member reserved = LM_MEMBER(lm_uv_options, reserved, RESERVED, 0);
    *options = *options ? *options : &defaults;
    lm_call *call = &arena->heap->call;
    if (!lm_options_valid(*options, "uv", &reserved, 1, call->error))
        return lm_call_join(call, false);
    const lm_scene_texture *skin = (*options)->skin;
    double width = model->skin_width, height = model->skin_height;
    if (skin && skin->width > 0 && skin->height > 0) {
        width = skin->width;
        height = skin->height;
    } else if (model->skin_width == 0 || model->skin_height == 0) {
        width = height = NO_SKIN_SIZE;
    }
    *canvas = (lm_uv_canvas){.width = width, .height = height, .right = width, .bottom = height};
    canvas->st = lm_uv_islands(model, *options, arena);
    if (!canvas->st)
        return false;
    if (!(*options)->exact)
        extend_canvas(canvas, model, *options);
    return true;
}

/* Writes a number with two decimals, enough for pixels, independently of the locale. */
static void append_number(lm_buffer *out, double value) {
    lm_buffer_double(out, round(value * 100) / 100);
}

static void append_numbers(lm_buffer *out, double x, double y) {
    append_number(out, x);
    lm_buffer_text(out, " ");
    append_number(out, y);
}

static void append_attribute(lm_buffer *out, const char *name, double value) {
    lm_buffer_printf(out, " %s=\"", name);
    append_number(out, value);
    lm_buffer_text(out, "\"");
}

static void append_escaped(lm_buffer *out, const char *text) {
    const bool utf8 = lm_utf8_valid(text, strlen(text));
    for (; *text; text++) {
        const uint8_t c = (uint8_t)*text;
        char piece[2] = {*text};
        const size_t size = utf8 ? 1 : lm_utf8_of_latin1(c, piece);
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

unsigned lm_uv_hue(uint32_t surface) {
    return (unsigned)fmod(210 + 137.508 * (double)surface, 360);
}

/* Writes a surface's colour. Its medium lightness is visible on dark and light backgrounds. */
static void append_colour(lm_buffer *out, const char *attribute, uint32_t index) {
    lm_buffer_printf(out, " %s=\"hsl(%u,65%%,50%%)\"", attribute, lm_uv_hue(index));
}

/* Returns twice the area on the skin; positive if the corners are clockwise. */
static double signed_area(const lm_vec2 *a, const lm_vec2 *b, const lm_vec2 *c) {
    return ((double)b->x - a->x) * ((double)c->y - a->y) -
           ((double)b->y - a->y) * ((double)c->x - a->x);
}

static void append_group(lm_buffer *out, const lm_uv_canvas *canvas, const lm_surface *surface,
                         uint32_t index) {
    const lm_vec2 *st = canvas->st[index];
    lm_buffer_text(out, "<g");
    append_colour(out, "fill", index);
    append_colour(out, "stroke", index);
    lm_buffer_text(out, "><title>");
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
            append_numbers(out, (double)st[order[k]].x * canvas->width,
                           (double)st[order[k]].y * canvas->height);
        }
        lm_buffer_text(out, "Z");
    }
    lm_buffer_text(out, "\"/></g>\n");
}

static void append_legend(lm_buffer *out, const lm_uv_canvas *canvas, const lm_model *model,
                          const lm_uv_options *options, double step) {
    lm_buffer_text(out, "<g font-family=\"sans-serif\"");
    append_attribute(out, "font-size", step * 0.8);
    lm_buffer_text(out, ">\n");
    for (uint32_t i = 0, line = 0; i < model->num_surfaces; i++) {
        if (!lm_uv_shows(options, i))
            continue;
        lm_buffer_text(out, "<text");
        append_colour(out, "fill", i);
        append_attribute(out, "x", canvas->left);
        append_attribute(out, "y", canvas->bottom + step * (double)++line);
        lm_buffer_text(out, ">");
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

static void append_size(lm_buffer *out, const lm_uv_canvas *canvas) {
    append_attribute(out, "width", canvas->width);
    append_attribute(out, "height", canvas->height);
}

static void open_canvas(lm_buffer *out, const lm_uv_canvas *canvas, const lm_uv_options *options,
                        double line, double legend) {
    double width = canvas->right - canvas->left, height = canvas->bottom - canvas->top + legend;
    double margin = options->exact ? 0 : fmax(width, height) * LM_UV_MARGIN;
    lm_buffer_text(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"");
    append_numbers(out, canvas->left - margin, canvas->top - margin);
    lm_buffer_text(out, " ");
    append_numbers(out, width + 2 * margin, height + 2 * margin);
    lm_buffer_text(out, "\"");
    if (options->exact)
        append_size(out, canvas);
    lm_buffer_text(out, ">\n");
    if (options->skin) {
        lm_buffer_text(out, "<image");
        append_size(out, canvas);
        lm_buffer_printf(out, " preserveAspectRatio=\"none\" href=\"data:%s;base64,",
                         options->skin->mime);
        append_base64(out, options->skin->data, options->skin->size);
        lm_buffer_text(out, "\"/>\n");
    }
    lm_buffer_text(out, "<rect");
    append_size(out, canvas);
    lm_buffer_text(out, " fill=\"#808080\" fill-opacity=\"0.15\" stroke=\"#808080\"");
    append_attribute(out, "stroke-width", 2 * line);
    lm_buffer_text(out, "/>\n<g fill-opacity=\"0.2\" stroke-linejoin=\"round\"");
    append_attribute(out, "stroke-width", line);
    lm_buffer_text(out, ">\n");
}

static void append_drawing(lm_buffer *out, const lm_model *model, const lm_uv_options *options,
                           const lm_uv_canvas *canvas) {
    double size = fmax(canvas->right - canvas->left, canvas->bottom - canvas->top);
    const double line = fmax(size / 800, 0.01);
    const double step = fmax(canvas->width, canvas->height) * LEGEND_STEP;
    uint32_t shown = 0;
    for (uint32_t i = 0; i < model->num_surfaces; i++)
        shown += lm_uv_shows(options, i);
    const bool legend = shown > 1 && !options->exact;
    open_canvas(out, canvas, options, line, legend ? step * ((double)shown + 0.5) : 0);
    for (uint32_t i = 0; i < model->num_surfaces; i++)
        if (lm_uv_shows(options, i))
            append_group(out, canvas, &model->surfaces[i], i);
    lm_buffer_text(out, "</g>\n");
    if (legend)
        append_legend(out, canvas, model, options, step);
    lm_buffer_text(out, "</svg>\n");
}

bool lm_uv_svg_write(const lm_model *model, const lm_uv_options *options, lm_buffer *out,
                     lm_error *error) {
    lm_uv_canvas canvas;
    lm_heap heap;
    lm_arena arena = {.heap = &heap};
    lm_export_begin(&heap, out, error);
    const lm_buffer_mark mark = lm_buffer_begin(out);
    if (lm_uv_canvas_of(model, &options, &arena, &canvas))
        append_drawing(out, model, options, &canvas);
    lm_arena_free(&arena);
    return lm_export_end(&heap, out, mark, "SVG");
}
