/* The gallery of `lerpmesh render -o NAME.html`: a page, and a folder of pictures next to it. */
#ifndef RENDER_GALLERY_H
#define RENDER_GALLERY_H

#include "image/gallery.h"
#include "settings.h"

/* The entries of the models that were drawn. */
typedef struct render_gallery {
    const render_settings *settings;
    tool_memory memory;
    gallery_entry *entries;
    size_t count, capacity;
    lm_buffer messages; /* of the models that were not */
} render_gallery;

/* Draws a model, writes its picture, and passes its entry on. Reports mistakes and fails the
 * job. */
void render_gallery_add(tool_job *job, const render_settings *settings, studio *s,
                        const studio_subject *subject, const lm_assets *assets);
/* Takes the entry of a job in this process. */
void render_gallery_take(render_gallery *gallery, tool_job *job);
/* Writes the page. Returns an exit code. */
int render_gallery_write(render_gallery *gallery);
void render_gallery_free(render_gallery *gallery);

#endif
