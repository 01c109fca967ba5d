/* Contact sheets: labelled thumbnails on one page. */
#ifndef IMAGE_SHEET_H
#define IMAGE_SHEET_H

#include "image/studio.h"

typedef struct sheet_cell {
    uint8_t *pixels;           /* of the cell's size; the texts follow them */
    const char *name, *folder; /* one below the other; the folder may be empty */
    bool empty;                /* there is nothing to draw */
} sheet_cell;

typedef struct sheet_page {
    uint32_t cell_width, cell_height;
    uint32_t group; /* number of cells that stay in one row */
    size_t num_cells, capacity;
    sheet_cell *cells;
} sheet_page;

/* Adds the first, middle and last frame of every clip, with labels. */
bool sheet_add_clips(const studio_options *options, studio *s, const studio_subject *subject,
                     sheet_page *sheet, lm_error *error);
/* Adds the first frame of the scene's rest clip, labelled with the names of the file and its
 * folder. */
bool sheet_add_thumbnail(const studio_options *options, studio *s, const studio_subject *subject,
                         const char *name, const char *folder, sheet_page *sheet, lm_error *error);
/* Moves the cells to a buffer, for another process. Fails the buffer if there is no memory. */
void sheet_pack(sheet_page *sheet, lm_buffer *out);
/* Adds the cells of a buffer. Returns false if there is no memory. */
bool sheet_unpack(sheet_page *sheet, const lm_buffer *packed);
/* Appends the page as PNG. */
bool sheet_write(const sheet_page *sheet, const studio_options *options, lm_buffer *out,
                 lm_error *error);
void sheet_free(sheet_page *sheet);

#endif
