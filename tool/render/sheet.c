#include "sheet.h"

#include "font.h"
#include "pictures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GAP 4u                       /* pixels around each picture */
#define LABEL (FONT_HEIGHT + 2u * 3) /* below it */
#define MAX_PAGE_PIXELS ((uint64_t)64 << 20)

bool sheet_add(render_sheet *sheet, const char *name, const uint8_t *pixels) {
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
    sheet->num_cells++;
    return true;
}

static bool add_shot(tool_job *job, const render_settings *settings, render_studio *s,
                     render_sitter *sitter, const lm_gl_camera *camera, const render_shot *shot,
                     const char *name, render_sheet *sheet) {
    lm_error error;
    if (!studio_shoot(s, settings, sitter, camera, shot, &error)) {
        tool_fail(job, "%s", error.message);
        return false;
    }
    if (sheet_add(sheet, name, s->pixels))
        return true;
    tool_fail(job, "there is not enough memory");
    return false;
}

/* First, middle and last frame of each clip of the first model. */
static render_shot *plan_clips(const tool_input *input) {
    render_shot *shots = calloc(input->num_clips * (size_t)3 + 1, sizeof *shots);
    for (uint32_t i = 0; shots && i < 3 * input->num_clips; i++) {
        const lm_clip *clip = &input->clips[i / 3];
        uint32_t frame = clip->first + (clip->count - 1) * (i % 3) / 2;
        shots[i].pose = (lm_pose){frame, frame, 0};
    }
    return shots;
}

bool sheet_add_clips(tool_job *job, const render_settings *settings, render_studio *s,
                     render_sitter *sitter, render_sheet *sheet) {
    const tool_input *input = &sitter->scene.members[0].input;
    render_shot *shots = plan_clips(input);
    if (!shots) {
        tool_fail(job, "there is not enough memory");
        return false;
    }
    lm_gl_camera camera = studio_aim(s, settings, sitter, shots, 3 * input->num_clips, false);
    bool added = true;
    for (uint32_t i = 0; added && i < 3 * input->num_clips; i++) {
        char name[sizeof((sheet_cell *)0)->name];
        snprintf(name, sizeof name, "%.48s %u", input->clips[i / 3].name, shots[i].pose.frame_a);
        added = add_shot(job, settings, s, sitter, &camera, &shots[i], name, sheet);
    }
    free(shots);
    return added;
}

bool sheet_add_thumbnail(tool_job *job, const render_settings *settings, render_studio *s,
                         render_sitter *sitter, render_sheet *sheet) {
    const render_shot shot = {NULL, 0, {0, 0, 0}, 0};
    lm_gl_camera camera = studio_aim(s, settings, sitter, &shot, 1, false);
    return add_shot(job, settings, s, sitter, &camera, &shot, tool_base_name(job->path), sheet);
}

/* ---- The page ------------------------------------------------------------------------------ */

typedef struct grid {
    size_t columns, rows; /* cells */
    uint32_t step_x, step_y;
} grid;

/* As many columns as make the page about 4 to 3. */
static grid lay_out(const render_sheet *sheet) {
    grid g = {.step_x = sheet->cell_width + 2 * GAP,
              .step_y = sheet->cell_height + 2 * GAP + LABEL};
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

static void place(const font_page *page, const render_sheet *sheet, const sheet_cell *cell,
                  uint32_t x, uint32_t y, const uint8_t ink[3]) {
    size_t row = (size_t)sheet->cell_width * 4;
    for (uint32_t i = 0; i < sheet->cell_height; i++)
        memcpy(page->pixels + 4 * ((size_t)(y + i) * page->width + x), cell->pixels + i * row, row);
    font_draw(page, x, y + sheet->cell_height + 3, sheet->cell_width, cell->name, ink);
}

/* Light on dark, dark on light, a middle grey on nothing. */
static const uint8_t *ink_for(const render_settings *settings) {
    static const uint8_t light[3] = {230, 230, 230}, dark[3] = {30, 30, 30},
                         grey[3] = {128, 128, 128};
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
        place(&page, sheet, &sheet->cells[i], (uint32_t)(i % g.columns) * g.step_x + GAP,
              (uint32_t)(i / g.columns) * g.step_y + GAP, ink_for(settings));
    bool written = picture_png(page.pixels, page.width, page.height, out, error);
    free(page.pixels);
    return written;
}

void sheet_free(render_sheet *sheet) {
    for (size_t i = 0; i < sheet->num_cells; i++)
        free(sheet->cells[i].pixels);
    free(sheet->cells);
}
