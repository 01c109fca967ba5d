#include "image/studio.h"

#include "image/labels.h"
#include "lerpmesh/image.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GAP 4u      /* pixels around each image */
#define MAX_LINES 6 /* per label */
#define MAX_PAGE_PIXELS ((uint64_t)64 << 20)

static const uint8_t grey[3] = {144, 144, 144}; /* visible on any other background */

static bool fail_too_large(size_t num_cells, lm_error *error) {
    return lm_fail_plain(error, LM_CODE_LIMIT,
                         "a page of %zu images is too large; a smaller --size helps", num_cells);
}

/* Adds a cell that owns its pixels, which its texts follow. Returns false if there is no memory. */
static bool add_cell(sheet_page *sheet, const sheet_cell *cell) {
    if (sheet->num_cells == sheet->capacity) {
        size_t capacity = sheet->capacity * 2 + 16;
        sheet_cell *cells = realloc(sheet->cells, capacity * sizeof *cells);
        if (!cells)
            return false;
        sheet->cells = cells;
        sheet->capacity = capacity;
    }
    sheet->cells[sheet->num_cells++] = *cell;
    return true;
}

static size_t pixels_size(const sheet_page *sheet) {
    return (size_t)sheet->cell_width * sheet->cell_height * 4;
}

/* Adds a cell with a copy of its pixels, and of its texts. */
static bool add_copy(sheet_page *sheet, const sheet_cell *cell) {
    const size_t size = pixels_size(sheet);
    const size_t name_size = strlen(cell->name) + 1, folder_size = strlen(cell->folder) + 1;
    uint8_t *copy = malloc(size + name_size + folder_size);
    if (!copy)
        return false;
    memcpy(copy, cell->pixels, size);
    const bool added = add_cell(
        sheet, &(sheet_cell){.pixels = copy,
                             .name = memcpy(copy + size, cell->name, name_size),
                             .folder = memcpy(copy + size + name_size, cell->folder, folder_size)});
    if (!added)
        free(copy);
    return added;
}

/* ---- Another process ----------------------------------------------------------------------- */

void sheet_pack(sheet_page *sheet, lm_buffer *out) {
    for (size_t i = 0; i < sheet->num_cells; i++) {
        const sheet_cell *cell = &sheet->cells[i];
        lm_buffer_append(out, cell->pixels, pixels_size(sheet));
        lm_buffer_append(out, cell->name, strlen(cell->name) + 1);
        lm_buffer_append(out, cell->folder, strlen(cell->folder) + 1);
        free(cell->pixels);
    }
    sheet->num_cells = 0;
}

bool sheet_unpack(sheet_page *sheet, const lm_buffer *packed) {
    uint8_t *at = packed->data;
    while (at && at < packed->data + packed->size) {
        sheet_cell cell = {.pixels = at};
        cell.name = (const char *)cell.pixels + pixels_size(sheet);
        cell.folder = cell.name + strlen(cell.name) + 1;
        at = (uint8_t *)cell.folder + strlen(cell.folder) + 1;
        if (!add_copy(sheet, &cell))
            return false;
    }
    return !packed->failed;
}

/* Adds one image. */
static bool add_shot(const studio_options *options, studio *s, const studio_subject *subject,
                     const studio_view *aim, const studio_shot *shot, const char *name,
                     const char *folder, sheet_page *sheet, lm_error *error) {
    return studio_shoot(s, options, subject, aim, shot, error) &&
           (add_copy(sheet, &(sheet_cell){s->pixels, name, folder}) || lmi_fail_memory(error));
}

/* ---- Clips --------------------------------------------------------------------------------- */

/* The clips of all parts, each name once: legs and torso play a clip with the same name
 * together. */
typedef struct clip_list {
    const lm_clip **clips;
    uint32_t count;
} clip_list;

static bool is_listed(const lm_scene *scene, uint32_t part, const char *name) {
    for (uint32_t p = 0; p < part; p++)
        if (lm_scene_find_clip(scene, p, name))
            return true;
    return false;
}

/* Moves the model's rest clip to the front. */
static void put_rest_first(const lm_scene *scene, clip_list *list) {
    const lm_clip *rest = lm_scene_rest_clip(scene);
    uint32_t at = 0;
    while (at < list->count && list->clips[at] != rest)
        at++;
    if (at == list->count)
        return;
    memmove((void *)(list->clips + 1), (const void *)list->clips, at * sizeof(lm_clip *));
    list->clips[0] = rest;
}

static bool list_clips(const lm_scene *scene, clip_list *list) {
    size_t capacity = 1;
    for (uint32_t p = 0; p < scene->num_parts; p++)
        capacity += scene->parts[p].num_clips;
    *list = (clip_list){.clips = calloc(capacity, sizeof(lm_clip *))};
    if (!list->clips)
        return false;
    /* A weapon follows its owner's frames, and a head with one frame does not move. */
    for (uint32_t p = 0; p < scene->num_parts; p++)
        if (p == 0 || (!scene->parts[p].follows && scene->parts[p].model->num_frames > 1))
            for (uint32_t i = 0; i < scene->parts[p].num_clips; i++) {
                const lm_clip *clip = &scene->parts[p].clips[i];
                if (!is_listed(scene, p, clip->name))
                    list->clips[list->count++] = clip;
            }
    put_rest_first(scene, list);
    return true;
}

/* Returns the first, middle or last frame of a clip. Attached parts play their clips of the same
 * name. */
static studio_shot shot_of(const lm_scene *scene, const lm_clip *clip, uint32_t third) {
    uint32_t played = (clip->count - 1) * third / 2, frame = clip->first + played;
    if (scene->num_parts == 1)
        return (studio_shot){.pose = {frame, frame, 0, false}};
    return (studio_shot){clip->name, lm_clip_seconds(clip, played), {frame, frame, 0, false}, 0};
}

/* The three images of a clip share a camera; each clip has its own. */
static bool add_clip(const studio_options *options, studio *s, const studio_subject *subject,
                     const lm_clip *clip, sheet_page *sheet, lm_error *error) {
    studio_shot shots[3];
    for (uint32_t i = 0; i < 3; i++)
        shots[i] = shot_of(subject->scene, clip, i);
    const studio_view aim = studio_aim(s, options, subject, shots, 3, false);
    bool added = true;
    for (uint32_t i = 0; added && i < 3; i++) {
        lm_buffer name = {0};
        lm_buffer_printf(&name, "%s %u", clip->name, shots[i].pose.frame_a);
        lm_buffer_append(&name, "", 1);
        added = name.failed ? lmi_fail_memory(error)
                            : add_shot(options, s, subject, &aim, &shots[i],
                                       (const char *)name.data, "", sheet, error);
        lm_buffer_free(&name);
    }
    return added;
}

bool sheet_add_clips(const studio_options *options, studio *s, const studio_subject *subject,
                     sheet_page *sheet, lm_error *error) {
    clip_list list;
    /* Fail if the page cannot hold the clips of a part, before any of them is drawn. */
    const lm_scene *scene = subject->scene;
    const uint64_t width = sheet->cell_width + 2 * GAP, height = sheet->cell_height + 2 * GAP;
    uint64_t cells = 0;
    for (uint32_t p = 0; p < scene->num_parts; p++)
        if (cells < 3 * (uint64_t)scene->parts[p].num_clips)
            cells = 3 * (uint64_t)scene->parts[p].num_clips;
    if (!(cells * width * height <= MAX_PAGE_PIXELS || fail_too_large((size_t)cells, error)))
        return false;
    bool added = list_clips(subject->scene, &list) || lmi_fail_memory(error);
    for (uint32_t i = 0; added && i < list.count; i++)
        added = add_clip(options, s, subject, list.clips[i], sheet, error);
    free((void *)list.clips);
    return added;
}

/* ---- Thumbnails ---------------------------------------------------------------------------- */

bool sheet_add_thumbnail(const studio_options *options, studio *s, const studio_subject *subject,
                         const char *name, const char *folder, sheet_page *sheet, lm_error *error) {
    const lm_clip *rest = lm_scene_rest_clip(subject->scene);
    const studio_shot shot = {.clip = rest ? rest->name : NULL};
    const studio_view aim = studio_aim(s, options, subject, &shot, 1, false);
    return add_shot(options, s, subject, &aim, &shot, name, folder, sheet, error);
}

/* ---- The page ------------------------------------------------------------------------------ */

/* Draws a label below an image, in as many lines as needed. Without a page, only counts them. */
static uint32_t set_label(const font_page *page, uint32_t x, uint32_t y, uint32_t width,
                          const sheet_cell *cell, const uint8_t ink[3]) {
    uint32_t lines = font_draw_lines(page, x, y, width, MAX_LINES, cell->name, ink);
    return lines +
           font_draw_lines(page, x, y + lines * FONT_LINE, width, MAX_LINES, cell->folder, grey);
}

typedef struct grid {
    size_t columns, rows; /* in cells */
    uint32_t step_x, step_y;
} grid;

/* Chooses the number of columns so that the page's aspect is about 4:3. */
static grid lay_out(const sheet_page *sheet) {
    uint32_t most = 0;
    for (size_t i = 0; i < sheet->num_cells; i++) {
        uint32_t lines = set_label(NULL, 0, 0, sheet->cell_width, &sheet->cells[i], grey);
        most = lines > most ? lines : most;
    }
    grid g = {.step_x = sheet->cell_width + 2 * GAP,
              .step_y = sheet->cell_height + 2 * GAP + FONT_LINE * most};
    size_t groups = (sheet->num_cells + sheet->group - 1) / sheet->group;
    double shape = (double)g.step_y / ((double)g.step_x * sheet->group);
    size_t across = (size_t)ceil(sqrt((double)groups * shape * 4 / 3) - 1e-9);
    across = across < 1 ? 1 : across > groups ? groups : across;
    g.columns = across * sheet->group;
    g.rows = (groups + across - 1) / across;
    return g;
}

static uint8_t byte_of(float value) {
    return (uint8_t)(value * 255 + 0.5f);
}

static void set_cell(const font_page *page, const sheet_page *sheet, const sheet_cell *cell,
                     uint32_t x, uint32_t y, const uint8_t ink[3]) {
    size_t row = (size_t)sheet->cell_width * 4;
    for (uint32_t i = 0; i < sheet->cell_height; i++)
        memcpy(page->pixels + 4 * ((size_t)(y + i) * page->width + x), cell->pixels + i * row, row);
    set_label(page, x, y + sheet->cell_height, sheet->cell_width, cell, ink);
}

/* Returns a light colour on dark, a dark one on light, and grey on a transparent background. */
static const uint8_t *ink_for(const studio_options *options) {
    static const uint8_t light[3] = {230, 230, 230}, dark[3] = {30, 30, 30};
    const float *b = options->background.color;
    if (options->transparent)
        return grey;
    return b[0] + b[1] + b[2] > 1.5f ? dark : light;
}

bool sheet_write(const sheet_page *sheet, const studio_options *options, lm_buffer *out,
                 lm_error *error) {
    grid g = lay_out(sheet);
    uint64_t pixels = (uint64_t)g.columns * g.step_x * g.rows * g.step_y;
    font_page page = {(uint32_t)(g.columns * g.step_x), (uint32_t)(g.rows * g.step_y), NULL};
    if (pixels <= MAX_PAGE_PIXELS)
        page.pixels = malloc((size_t)pixels * 4 + 1);
    if (!page.pixels)
        return fail_too_large(sheet->num_cells, error);
    static const float dark[4] = {0.16f, 0.17f, 0.19f, 1};
    const float *b = options->background.gradient ? dark : options->background.color;
    const uint8_t rgba[4] = {byte_of(b[0]), byte_of(b[1]), byte_of(b[2]), byte_of(b[3])};
    for (size_t i = 0; i < (size_t)page.width * page.height; i++)
        memcpy(page.pixels + 4 * i, rgba, 4);
    for (size_t i = 0; i < sheet->num_cells; i++)
        set_cell(&page, sheet, &sheet->cells[i], (uint32_t)(i % g.columns) * g.step_x + GAP,
                 (uint32_t)(i / g.columns) * g.step_y + GAP, ink_for(options));
    bool written =
        lm_pixels_write(page.pixels, page.width, page.height, LM_PIXELS_PNG, NULL, out, error);
    free(page.pixels);
    return written;
}

void sheet_free(sheet_page *sheet) {
    for (size_t i = 0; i < sheet->num_cells; i++)
        free(sheet->cells[i].pixels);
    free(sheet->cells);
}
