#include "sheet.h"

#include "font.h"
#include "lerpmesh/image.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GAP 4u                  /* pixels around each picture */
#define LINE (FONT_HEIGHT + 3u) /* of the label below it */
#define MAX_PAGE_PIXELS ((uint64_t)64 << 20)

static const uint8_t grey[3] = {128, 128, 128}; /* seen on any background but its own */

bool sheet_add(render_sheet *sheet, const char *name, const char *folder, const uint8_t *pixels) {
    size_t size = (size_t)sheet->cell_width * sheet->cell_height * 4;
    if (sheet->num_cells == sheet->capacity) {
        size_t capacity = sheet->capacity * 2 + 16;
        sheet_cell *cells = realloc(sheet->cells, capacity * sizeof *cells);
        if (!cells)
            return false;
        sheet->cells = cells;
        sheet->capacity = capacity;
    }
    sheet_cell *cell = &sheet->cells[sheet->num_cells];
    *cell = (sheet_cell){.pixels = malloc(size)};
    if (!cell->pixels)
        return false;
    memcpy(cell->pixels, pixels, size);
    snprintf(cell->name, sizeof cell->name, "%s", name);
    snprintf(cell->folder, sizeof cell->folder, "%s", folder);
    sheet->has_folders |= *folder != '\0';
    sheet->num_cells++;
    return true;
}

static bool add_shot(tool_job *job, const render_settings *settings, render_studio *s,
                     render_sitter *sitter, const lm_gl_camera *camera, const render_shot *shot,
                     const char *name, const char *folder, render_sheet *sheet) {
    lm_error error;
    if (!studio_shoot(s, settings, sitter, camera, shot, &error)) {
        tool_fail(job, "%s", error.message);
        return false;
    }
    if (sheet_add(sheet, name, folder, s->pixels))
        return true;
    tool_fail(job, "there is not enough memory");
    return false;
}

/* ---- Clips --------------------------------------------------------------------------------- */

/* Clips of all parts, each name once: what the legs share with the torso is played by both. */
typedef struct clip_list {
    const lm_clip **clips;
    uint32_t count;
    render_shot *shots; /* [3 * count]: first, middle and last frame of each */
} clip_list;

static bool is_listed(const lm_scene *scene, uint32_t part, const char *name) {
    for (uint32_t p = 0; p < part; p++)
        if (lm_scene_find_clip(scene, p, name))
            return true;
    return false;
}

/* What is attached plays too where it has a clip of that name. */
static render_shot shot_of(const lm_scene *scene, const lm_clip *clip, uint32_t third) {
    uint32_t played = (clip->count - 1) * third / 2, frame = clip->first + played;
    if (scene->num_parts == 1)
        return (render_shot){NULL, 0, {frame, frame, 0}, 0};
    return (render_shot){clip->name, lm_clip_seconds(clip, played), {frame, frame, 0}, 0};
}

static void list_part(const lm_scene *scene, uint32_t part, clip_list *list) {
    for (uint32_t i = 0; i < scene->parts[part].num_clips; i++) {
        const lm_clip *clip = &scene->parts[part].clips[i];
        if (is_listed(scene, part, clip->name))
            continue;
        for (uint32_t third = 0; third < 3; third++)
            list->shots[3 * list->count + third] = shot_of(scene, clip, third);
        list->clips[list->count++] = clip;
    }
}

/* A weapon moves with the hands, a head of one frame not at all. */
static bool plays(const lm_scene_part *part) {
    return !part->follows && part->model->num_frames > 1;
}

/* A sheet begins with what the model does at rest. */
static void put_rest_first(const lm_scene *scene, clip_list *list) {
    const lm_clip *rest = lm_scene_rest(scene);
    uint32_t at = 0;
    while (at < list->count && list->clips[at] != rest)
        at++;
    if (at == list->count)
        return;
    render_shot shots[3];
    memcpy(shots, list->shots + 3 * (size_t)at, sizeof shots);
    memmove(list->shots + 3, list->shots, 3 * at * sizeof *shots);
    memcpy(list->shots, shots, sizeof shots);
    memmove((void *)(list->clips + 1), (const void *)list->clips, at * sizeof(lm_clip *));
    list->clips[0] = rest;
}

static bool list_clips(const lm_scene *scene, clip_list *list) {
    size_t capacity = 1;
    for (uint32_t p = 0; p < scene->num_parts; p++)
        capacity += scene->parts[p].num_clips;
    *list = (clip_list){.clips = calloc(capacity, sizeof(lm_clip *)),
                        .shots = calloc(capacity * 3, sizeof *list->shots)};
    if (!list->clips || !list->shots)
        return false;
    for (uint32_t p = 0; p < scene->num_parts; p++)
        if (p == 0 || plays(&scene->parts[p]))
            list_part(scene, p, list);
    put_rest_first(scene, list);
    return true;
}

static bool add_clips(tool_job *job, const render_settings *settings, render_studio *s,
                      render_sitter *sitter, const clip_list *list, render_sheet *sheet) {
    lm_gl_camera camera = studio_aim(s, settings, sitter, list->shots, 3 * list->count, false);
    for (uint32_t i = 0; i < 3 * list->count; i++) {
        const render_shot *shot = &list->shots[i];
        char name[SHEET_NAME_SIZE];
        snprintf(name, sizeof name, "%.48s %u", list->clips[i / 3]->name, shot->pose.frame_a);
        if (!add_shot(job, settings, s, sitter, &camera, shot, name, "", sheet))
            return false;
    }
    return true;
}

bool sheet_add_clips(tool_job *job, const render_settings *settings, render_studio *s,
                     render_sitter *sitter, render_sheet *sheet) {
    clip_list list;
    bool added = list_clips(sitter->assets->scene, &list);
    if (added)
        added = add_clips(job, settings, s, sitter, &list, sheet);
    else
        tool_fail(job, "there is not enough memory");
    free((void *)list.clips);
    free(list.shots);
    return added;
}

/* ---- Thumbnails ---------------------------------------------------------------------------- */

bool sheet_add_thumbnail(tool_job *job, const render_settings *settings, render_studio *s,
                         render_sitter *sitter, render_sheet *sheet) {
    const render_shot shot = {NULL, 0, {0, 0, 0}, 0};
    lm_gl_camera camera = studio_aim(s, settings, sitter, &shot, 1, false);
    const char *name = lm_disk_base_name(job->disk, job->path),
               *tree = job->tree ? job->tree : name;
    const char *slash = strrchr(tree, '/');
    char folder[SHEET_NAME_SIZE] = "";
    if (slash)
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - tree), tree);
    return add_shot(job, settings, s, sitter, &camera, &shot, slash ? slash + 1 : name, folder,
                    sheet);
}

/* ---- The page ------------------------------------------------------------------------------ */

typedef struct grid {
    size_t columns, rows; /* cells */
    uint32_t step_x, step_y;
} grid;

/* As many columns as make the page about 4 to 3. */
static grid lay_out(const render_sheet *sheet) {
    grid g = {.step_x = sheet->cell_width + 2 * GAP,
              .step_y = sheet->cell_height + 2 * GAP + LINE * (sheet->has_folders ? 2 : 1) + 3};
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

static void fill(const font_page *page, const render_settings *settings) {
    const float *b = settings->background;
    const uint8_t rgba[4] = {byte_of(b[0]), byte_of(b[1]), byte_of(b[2]), byte_of(b[3])};
    for (size_t i = 0; i < (size_t)page->width * page->height; i++)
        memcpy(page->pixels + 4 * i, rgba, 4);
}

static void set_cell(const font_page *page, const render_sheet *sheet, const sheet_cell *cell,
                     uint32_t x, uint32_t y, const uint8_t ink[3]) {
    size_t row = (size_t)sheet->cell_width * 4;
    for (uint32_t i = 0; i < sheet->cell_height; i++)
        memcpy(page->pixels + 4 * ((size_t)(y + i) * page->width + x), cell->pixels + i * row, row);
    y += sheet->cell_height + 3;
    font_draw(page, x, y, sheet->cell_width, cell->name, ink);
    font_draw(page, x, y + LINE, sheet->cell_width, cell->folder, grey);
}

/* Light on dark, dark on light, a middle grey on nothing. */
static const uint8_t *ink_for(const render_settings *settings) {
    static const uint8_t light[3] = {230, 230, 230}, dark[3] = {30, 30, 30};
    const float *b = settings->background;
    if (settings->transparent)
        return grey;
    return b[0] + b[1] + b[2] > 1.5f ? dark : light;
}

bool sheet_write(const render_sheet *sheet, const render_settings *settings, lm_buffer *out,
                 lm_error *error) {
    grid g = lay_out(sheet);
    uint64_t pixels = (uint64_t)g.columns * g.step_x * g.rows * g.step_y;
    font_page page = {(uint32_t)(g.columns * g.step_x), (uint32_t)(g.rows * g.step_y), NULL};
    if (pixels <= MAX_PAGE_PIXELS)
        page.pixels = malloc((size_t)pixels * 4 + 1);
    if (!page.pixels) {
        *error = (lm_error){.code = LM_CODE_LIMIT};
        snprintf(error->message, sizeof error->message,
                 "a page of %zu pictures is too large; make them smaller with --size",
                 sheet->num_cells);
        return false;
    }
    fill(&page, settings);
    for (size_t i = 0; i < sheet->num_cells; i++)
        set_cell(&page, sheet, &sheet->cells[i], (uint32_t)(i % g.columns) * g.step_x + GAP,
                 (uint32_t)(i / g.columns) * g.step_y + GAP, ink_for(settings));
    bool written = lm_pixels_write_png(page.pixels, page.width, page.height, out, error);
    free(page.pixels);
    return written;
}

void sheet_free(render_sheet *sheet) {
    for (size_t i = 0; i < sheet->num_cells; i++)
        free(sheet->cells[i].pixels);
    free(sheet->cells);
}
