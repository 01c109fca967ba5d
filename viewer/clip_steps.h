/* Makes edits of a document's clips. Independent of GTK's widgets. */
#ifndef VIEWER_CLIP_STEPS_H
#define VIEWER_CLIP_STEPS_H

#include "document.h"
#include "edits.h"

/* The values of a clip that a user edits. */
typedef struct clip_values {
    const char *name;
    uint32_t first, last; /* frames of the model */
    double fps;
    bool loops;
} clip_values;

clip_values clip_values_of(const lm_clip *clip);
/* Makes the step that gives a clip of the document these values. If other names of
 * frames make the clip, the step renames them; otherwise it changes the clips file. A clip that
 * repeats its last frames keeps their number. The step borrows the names. Returns false if no value
 * differs. */
bool clip_step(const document *d, uint32_t clip, const clip_values *to, edit_step *step);

#endif
