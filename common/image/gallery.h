/* Galleries: pages of HTML with a picture of each model, and its description. They need no
 * JavaScript, and load the pictures when they come into view. */
#ifndef IMAGE_GALLERY_H
#define IMAGE_GALLERY_H

#include "lerpmesh/assets.h"

/* An opened model, and its picture. */
typedef struct gallery_model {
    const lm_assets *assets;
    const char *name;
    const char *picture; /* its URL, which gallery_url made; NULL: there is nothing to see */
    uint32_t width, height;
    uint32_t num_missing; /* textures */
    bool guessed;         /* a texture was guessed */
} gallery_model;

/* Appends the model's part of the page: picture, name, and the text of lm_describe. */
void gallery_describe(const gallery_model *model, lm_buffer *html);

/* A part of the page. */
typedef struct gallery_entry {
    const char *folder; /* may be empty */
    const char *html;
    size_t index; /* its place in the folder */
} gallery_entry;

/* Appends the page: the entries by folder, after sorting them; and messages, in lines, about the
 * models that could not be shown. */
void gallery_write(gallery_entry *entries, size_t count, const char *messages, lm_buffer *html);

/* Appends a relative path as a URL. */
void gallery_url(lm_buffer *url, const char *path);

#endif
