/* The stage: a widget with an OpenGL context and a camera that draws the model. The mouse moves the
 * camera. */
#ifndef VIEWER_STAGE_H
#define VIEWER_STAGE_H

#include "document.h"
#include "lerpmesh/gl.h"

#include <gtk/gtk.h>

#define VIEWER_TYPE_STAGE (viewer_stage_get_type())
G_DECLARE_FINAL_TYPE(ViewerStage, viewer_stage, VIEWER, STAGE, GtkGLArea)

/* The render options of the stage. After a change, call viewer_stage_redraw. */
typedef struct stage_options {
    lm_gl_render_options render;
    bool edges; /* draw edges over the model */
    bool bones; /* draw the document's skeleton, if it is known */
    bool eye;   /* look from the player's eye (orbit_eye), until the camera is moved */
    bool dark;  /* the background; else as in the studio of `lerpmesh render` */
} stage_options;

/* Creates a stage, which reads `play` at each drawing.
 *
 * Signal "failed" (const char *message): drawing failed. The old content stays. */
GtkWidget *viewer_stage_new(const lm_playback *play);
stage_options *viewer_stage_options(ViewerStage *stage);

/* Shows a clip of a document, and takes a reference. On failure, emits "failed", returns false and
 * keeps the old content. */
bool viewer_stage_show(ViewerStage *stage, document *d, uint32_t clip);
/* Shows another clip. The camera aims at it, unless the user moved it. */
void viewer_stage_set_clip(ViewerStage *stage, uint32_t clip);
/* Sets the clip that the torso plays apart from the legs, as document_pose takes it; copies it. */
void viewer_stage_set_torso(ViewerStage *stage, const char *name);
const char *viewer_stage_torso(ViewerStage *stage); /* NULL: none */
/* Call this after changes of `play` or the render options. */
void viewer_stage_redraw(ViewerStage *stage);

/* Highlights triangles of a part: lm_diagnostic_triangle, each with three vertices of a surface.
 * Takes a reference. NULL: none. */
void viewer_stage_mark(ViewerStage *stage, uint32_t part, GArray *triangles);

/* Call this after changes of what is shown: the camera aims at it, unless the user moved it. */
void viewer_stage_refit(ViewerStage *stage);
/* Aims at the clip without changing the camera's angles. */
void viewer_stage_fit(ViewerStage *stage);
/* Angles in degrees. */
void viewer_stage_view_from(ViewerStage *stage, float azimuth, float elevation);
void viewer_stage_orbit(ViewerStage *stage, float azimuth, float elevation);
/* Moves the model by a mouse movement in pixels. */
void viewer_stage_pan(ViewerStage *stage, float dx, float dy);
void viewer_stage_zoom(ViewerStage *stage, double factor);

/* Draws an image of the current view. Of another shape than the stage, it shows more at the sides
 * or less. `transparent`: without a backdrop and a shadow. Returns width * height pixels (RGBA,
 * alpha not premultiplied) to free with g_free, or NULL with a message to free. */
uint8_t *viewer_stage_image(ViewerStage *stage, uint32_t width, uint32_t height, bool transparent,
                            char **message);
/* Returns whether the CPU draws. */
bool viewer_stage_is_software(const ViewerStage *stage);
/* Returns the size of the stage in device pixels. */
void viewer_stage_size(ViewerStage *stage, uint32_t *width, uint32_t *height);
lm_gl_camera viewer_stage_camera(ViewerStage *stage);

/* ---- A view of a surface's skin with its unwrapped triangles --------------------------------- */

#define VIEWER_TYPE_UV_VIEW (viewer_uv_view_get_type())
G_DECLARE_FINAL_TYPE(ViewerUvView, viewer_uv_view, VIEWER, UV_VIEW, GtkWidget)

GtkWidget *viewer_uv_view_new(void);

/* Shows a surface of a part of the document; takes a reference. NULL: nothing. */
void viewer_uv_view_show(ViewerUvView *view, document *d, uint32_t part, uint32_t surface);
/* Highlights triangles, as viewer_stage_mark does; ignores those of other surfaces. */
void viewer_uv_view_mark(ViewerUvView *view, uint32_t part, GArray *triangles);

#endif
