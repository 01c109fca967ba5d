#include "image/labels.h"

#include "internals.h"
#include "lerpmesh/sample.h"

#include <math.h>
#include <string.h>

#define MAX_LABELS 64
#define MAX_TEXT 256         /* pixels of the font; longer text is cut off */
#define GAP 7                /* from a point to its label, in pixels of the font */
#define PADDING 3            /* around text */
#define SAME_PLACE 24        /* tags of one name so near to each other share a label */
#define TAG_SHARE 0.04f      /* of the distance to the eye: the length of a tag's axes */
#define AXES_SHARE 0.6f      /* of the scene's size: as lm_gl_scene_draw draws them */
#define IN_FRONT (-0.99999f) /* depth */

static const uint8_t axis_colors[3][4] = {
    {240, 75, 75, 255}, {80, 205, 80, 255}, {110, 145, 255, 255}};
static const uint8_t white[4] = {255, 255, 255, 255}, dark[4] = {20, 22, 26, 255},
                     plate[4] = {20, 22, 26, 255};

/* A label that is placed: its text, the point it names, and its rectangle. All in pixels. */
typedef struct label {
    const char *text;
    float at[2];
    int32_t x, y, width, height;
} label;

typedef struct labels {
    const lm_gl_view *view;
    labels_image image;
    lm_buffer lines; /* lm_gl_line */
    label placed[MAX_LABELS];
    uint32_t num_placed;
} labels;

/* ---- Lines ----------------------------------------------------------------------------------- */

/* Computes the pixel of a point. Returns false if it is behind the eye. */
static bool project(const labels *l, lm_vec3 p, float at[2]) {
    const float *m = l->view->matrix;
    const float w = m[3] * p.x + m[7] * p.y + m[11] * p.z + m[15];
    if (!(w > 1e-6f))
        return false;
    at[0] = (1 + (m[0] * p.x + m[4] * p.y + m[8] * p.z + m[12]) / w) / 2 * (float)l->image.width;
    at[1] = (1 - (m[1] * p.x + m[5] * p.y + m[9] * p.z + m[13]) / w) / 2 * (float)l->image.height;
    return fabsf(at[0]) < 1e5f && fabsf(at[1]) < 1e5f;
}

static lm_vec3 point_at(const labels *l, float x, float y) {
    return (lm_vec3){2 * x / (float)l->image.width - 1, 1 - 2 * y / (float)l->image.height,
                     IN_FRONT};
}

static void add_line(labels *l, lm_vec3 from, lm_vec3 to, const uint8_t rgba[4]) {
    const lm_gl_line line = {from, to, {rgba[0], rgba[1], rgba[2], rgba[3]}};
    lm_buffer_append(&l->lines, &line, sizeof line);
}

/* Adds a line three pixels wide, with dark edges. Lines half a pixel apart leave no gaps. */
static void add_axis(labels *l, const float from[2], const float to[2], const uint8_t rgba[4]) {
    const float x = to[0] - from[0], y = to[1] - from[1], length = hypotf(x, y);
    const int scale = (int)l->image.scale;
    for (int wide = 2; length > 0.5f && wide > 0; wide--)
        for (int i = -2 * wide * scale; i <= 2 * wide * scale; i++) {
            const float side = (float)i / 2 / length, dx = -y * side, dy = x * side;
            add_line(l, point_at(l, from[0] + dx, from[1] + dy),
                     point_at(l, to[0] + dx, to[1] + dy), wide == 2 ? dark : rgba);
        }
}

/* Adds a row of pixels of the font, from column `first` up to, but not including, `end`: as two
 * lines, because a target may have several rows of samples per pixel. */
static void add_row(labels *l, const label *at, uint32_t row, int32_t first, int32_t end,
                    const uint8_t rgba[4]) {
    const int32_t scale = (int32_t)l->image.scale;
    for (int32_t i = 0; i < scale; i++) {
        const float y = (float)(at->y + (int32_t)row * scale + i);
        for (int k = 2; k < 4; k++)
            add_line(l, point_at(l, (float)(at->x + first * scale), y + 0.2f * (float)k),
                     point_at(l, (float)(at->x + end * scale), y + 0.2f * (float)k), rgba);
    }
}

/* ---- Text ------------------------------------------------------------------------------------ */

typedef struct text_image {
    uint8_t pixels[4 * MAX_TEXT * FONT_LINE];
    uint32_t width; /* up to the last column that is not empty */
} text_image;

static int32_t within(int32_t value, int32_t size, uint32_t limit) {
    const int32_t most = (int32_t)limit - size;
    return value < 0 || most < 0 ? 0 : value > most ? most : value;
}

static bool overlap(const label *a, const label *b) {
    return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height &&
           b->y < a->y + a->height;
}

/* Places a label at the right of its point, or at the left near the image's edge, and below the
 * labels that are there already. */
static void place(const labels *l, label *new) {
    const int32_t gap = (int32_t)(GAP * l->image.scale);
    new->x = (int32_t)new->at[0] + gap;
    new->y = (int32_t)new->at[1] - new->height / 2;
    if (new->x + new->width > (int32_t)l->image.width)
        new->x = (int32_t)new->at[0] - gap - new->width;
    new->x = within(new->x, new->width, l->image.width);
    new->y = within(new->y, new->height, l->image.height);
    for (uint32_t tries = 0; tries < l->num_placed; tries++)
        for (uint32_t i = 0; i < l->num_placed; i++)
            if (overlap(&l->placed[i], new))
                new->y = l->placed[i].y + l->placed[i].height + 1;
}

static bool is_named(const labels *l, const char *text, const float at[2]) {
    for (uint32_t i = 0; i < l->num_placed; i++) {
        const label *p = &l->placed[i];
        if (strcmp(p->text, text) == 0 && hypotf(p->at[0] - at[0], p->at[1] - at[1]) < SAME_PLACE)
            return true;
    }
    return false;
}

/* Adds the text on a dark plate. Thin light text needs more coverage there. */
static void add_text(labels *l, const label *at, const text_image *image) {
    for (uint32_t row = 0; row < FONT_LINE; row++) {
        add_row(l, at, row, 0, (int32_t)(image->width + 2 * PADDING), plate);
        for (uint32_t x = 0; x < image->width; x++) {
            const uint8_t *p = &image->pixels[4 * ((size_t)row * MAX_TEXT + x)];
            const int32_t column = (int32_t)(x + PADDING);
            const unsigned bold = p[3] < 170 ? p[3] * 3u / 2 : 255;
            uint8_t rgba[4] = {0, 0, 0, 255};
            for (unsigned i = 0; i < 3; i++)
                rgba[i] = (uint8_t)((p[i] * bold + plate[i] * (255 - bold)) / 255);
            if (p[3])
                add_row(l, at, row, column, column + 1, rgba);
        }
    }
}

static void add_label(labels *l, const char *text, const float at[2], const uint8_t rgba[4]) {
    text_image image;
    if (l->num_placed == MAX_LABELS || is_named(l, text, at))
        return;
    const font_page page = {MAX_TEXT, FONT_LINE, image.pixels};
    memset(&image, 0, sizeof image);
    font_draw(&page, 0, 0, text, strlen(text), rgba);
    for (uint32_t i = 0; i < MAX_TEXT * FONT_LINE; i++)
        if (image.pixels[4 * i + 3] && i % MAX_TEXT >= image.width)
            image.width = i % MAX_TEXT + 1;
    label *new = &l->placed[l->num_placed];
    *new = (label){.text = text,
                   .at = {at[0], at[1]},
                   .width = (int32_t)((image.width + 2 * PADDING) * l->image.scale),
                   .height = (int32_t)(FONT_LINE * l->image.scale)};
    place(l, new);
    l->num_placed++;
    add_text(l, new, &image);
}

/* ---- Tags and axes --------------------------------------------------------------------------- */

/* Adds the axes of a transform, and gets their ends. Returns false if one is behind the eye. */
static bool add_axes(labels *l, const lm_transform *t, float length, float ends[3][2]) {
    const lm_vec3 tips[3] = {{length, 0, 0}, {0, length, 0}, {0, 0, length}};
    float from[2];
    if (!project(l, t->origin, from))
        return false;
    for (unsigned i = 0; i < 3; i++) {
        lm_vec3 tip = tips[i];
        lm_transform_vertices(t, &tip, NULL, 1, 0);
        if (!project(l, tip, ends[i]))
            return false;
        add_axis(l, from, ends[i], axis_colors[i]);
    }
    return true;
}

static float distance(lm_vec3 a, lm_vec3 b) {
    const float x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
    return sqrtf(x * x + y * y + z * z);
}

/* Adds the name of each tag, or its axes. */
static void add_tags(labels *l, const lm_scene *scene, const lm_pose *poses,
                     const lm_transform *transforms, bool names) {
    float at[2], ends[3][2];
    for (uint32_t part = 0; part < scene->num_parts; part++) {
        const lm_model *model = scene->parts[part].model;
        for (uint32_t i = 0; i < model->num_tags; i++) {
            lm_transform tag;
            if (lm_sample_tag(model, i, &poses[part], &tag) != LM_CODE_OK)
                continue;
            lm_transform_nest(&transforms[part], &tag, &tag);
            if (names && project(l, tag.origin, at))
                add_label(l, model->tags[i].name, at, white);
            else if (!names)
                (void)add_axes(l, &tag, TAG_SHARE * distance(l->view->eye, tag.origin), ends);
        }
    }
}

static lm_vec3 corner_of(const lm_vec3 ends[2], unsigned i) {
    return (lm_vec3){ends[i & 1].x, ends[i >> 1 & 1].y, ends[i >> 2].z};
}

static void join(lm_vec3 ends[2], lm_vec3 p) {
    ends[0] = (lm_vec3){fminf(ends[0].x, p.x), fminf(ends[0].y, p.y), fminf(ends[0].z, p.z)};
    ends[1] = (lm_vec3){fmaxf(ends[1].x, p.x), fmaxf(ends[1].y, p.y), fmaxf(ends[1].z, p.z)};
}

/* Gets the box that lm_gl_scene_draw draws. Of a single part, it is before the transform. */
static bool find_box(const lm_scene *scene, const lm_pose *poses, const lm_transform *transforms,
                     lm_vec3 ends[2]) {
    bool any = false;
    for (uint32_t i = 0; i < scene->num_parts; i++) {
        const uint32_t frame = poses[i].t < 0.5f ? poses[i].frame_a : poses[i].frame_b;
        lm_vec3 box[2];
        if (lm_model_bounds(scene->parts[i].model, frame, 1, &box[0], &box[1]) != LM_CODE_OK)
            continue;
        for (unsigned k = 0; k < 8; k++) {
            lm_vec3 corner = corner_of(box, k);
            if (scene->num_parts > 1)
                lm_transform_vertices(&transforms[i], &corner, NULL, 1, 0);
            if (!any)
                ends[0] = ends[1] = corner;
            any = true;
            join(ends, corner);
        }
    }
    return any;
}

static float length_of_axes(const lm_vec3 ends[2]) {
    return AXES_SHARE *
           fmaxf(ends[1].x - ends[0].x, fmaxf(ends[1].y - ends[0].y, ends[1].z - ends[0].z));
}

/* A smaller image of tags alone has no names that nobody asked for: they would cover the axes. */
#define MIN_UNASKED 256u

bool labels_draw(lm_gl *gl, const lm_gl_view *view, const lm_scene *scene, const lm_pose *poses,
                 unsigned show, const labels_image *image, lm_error *error) {
    static const lm_gl_view flat = {.matrix = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};
    lm_transform transforms[LM_MAX_PARTS];
    labels l = {.view = view, .image = *image};
    if (!lm_scene_evaluate(scene, poses, NULL, NULL, transforms, error))
        return false;
    if (show & LM_GL_SHOW_AXES) {
        static const char *const letters[] = {"X", "Y", "Z"};
        lm_vec3 box[2];
        float ends[3][2];
        if (find_box(scene, poses, transforms, box) &&
            add_axes(&l, &transforms[0], length_of_axes(box), ends))
            for (unsigned i = 0; i < 3; i++)
                add_label(&l, letters[i], ends[i], axis_colors[i]);
    }
    uint32_t surfaces = 0;
    for (uint32_t i = 0; i < scene->num_parts; i++)
        surfaces += scene->parts[i].model->num_surfaces;
    if (show & LM_GL_SHOW_TAGS || surfaces == 0)
        add_tags(&l, scene, poses, transforms, false);
    if (show & LM_GL_SHOW_TAGS || (surfaces == 0 && image->width >= MIN_UNASKED * image->scale))
        add_tags(&l, scene, poses, transforms, true);
    const bool ok =
        l.lines.failed
            ? lmi_fail_memory(error)
            : l.lines.size == 0 ||
                  lm_gl_draw_lines(gl, &flat, (const lm_gl_line *)(const void *)l.lines.data,
                                   (uint32_t)(l.lines.size / sizeof(lm_gl_line)), LM_GL_LINE_THIN,
                                   error);
    lm_buffer_free(&l.lines);
    return ok;
}
