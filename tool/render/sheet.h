/* Contact sheets: small pictures with names, on one page. */
#ifndef RENDER_SHEET_H
#define RENDER_SHEET_H

#include "studio.h"

typedef struct sheet_cell {
    char *name, *folder; /* one below the other; the folder may be empty */
    bool bare;           /* nothing is to be seen */
    uint8_t *pixels;     /* of the studio's size */
} sheet_cell;

typedef struct render_sheet {
    uint32_t cell_width, cell_height;
    uint32_t group; /* cells that stay side by side */
    size_t num_cells, capacity;
    sheet_cell *cells;
} render_sheet;

/* Every clip's first, middle and last frame, named. */
bool sheet_add_clips(tool_job *job, const render_settings *settings, render_studio *s,
                     render_sitter *sitter, render_sheet *sheet);
/* The first frame of what it does at rest, with the names of the file and its folder. */
bool sheet_add_thumbnail(tool_job *job, const render_settings *settings, render_studio *s,
                         render_sitter *sitter, render_sheet *sheet);
/* Appends the page as PNG. */
bool sheet_write(const render_sheet *sheet, const render_settings *settings, lm_buffer *out,
                 lm_error *error);
void sheet_free(render_sheet *sheet);

#endif
