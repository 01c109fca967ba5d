/* Where the model stands: a widget with an OpenGL context and a camera. */
#ifndef VIEWER_STAGE_H
#define VIEWER_STAGE_H

#include "document.h"
#include "findings.h"
#include "lerpmesh/gl.h"

#include <gtk/gtk.h>

#define VIEWER_TYPE_STAGE (viewer_stage_get_type())
G_DECLARE_FINAL_TYPE(ViewerStage, viewer_stage, VIEWER, STAGE, GtkGLArea)

/* How the stage draws, beside what it draws. Change it, then queue a drawing. */
typedef struct stage_look {
    lm_gl_render_options figure;
    bool edges; /* over what is drawn */
    bool dark;  /* what is behind it; else as in the studio of `lerpmesh render` */
} stage_look;

/* Shows what `play` says; the stage only reads it, at each drawing.
 *
 * Signal "failed" (const char *sentence): the driver could not do it. What was there stays. */
GtkWidget *viewer_stage_new(const lm_playback *play);
stage_look *viewer_stage_look(ViewerStage *stage);

/* Shows a document, which the stage takes a reference of, in one of its clips. False after
 * "failed": what was shown stays. */
bool viewer_stage_show(ViewerStage *stage, document *d, uint32_t clip);
/* Another clip of it. The camera aims at it, unless it was moved. */
void viewer_stage_set_clip(ViewerStage *stage, uint32_t clip);
/* Something that `play` or the look says is another now. */
void viewer_stage_redraw(ViewerStage *stage);

/* Triangles of the first part that are to be seen, each three vertices of a surface; copied.
 * `count` 0: none. */
void viewer_stage_mark(ViewerStage *stage, const finding_triangle *triangles, size_t count);

/* Aims at the clip from where the camera is. */
void viewer_stage_fit(ViewerStage *stage);
/* The camera's angles in degrees. */
void viewer_stage_look_from(ViewerStage *stage, float azimuth, float elevation);
void viewer_stage_orbit(ViewerStage *stage, float azimuth, float elevation);
/* The model follows a mouse that moved by that many pixels. */
void viewer_stage_pan(ViewerStage *stage, float dx, float dy);
void viewer_stage_zoom(ViewerStage *stage, double factor);

/* The picture that is shown, in device pixels, as PNG. Returns NULL, or a sentence to be freed. */
char *viewer_stage_screenshot(ViewerStage *stage, const char *path);

/* What draws, NULL before anything was drawn. */
const char *viewer_stage_driver(ViewerStage *stage);

#endif
