/* A view of a surface's skin with its unwrapped triangles. */
#ifndef VIEWER_UV_VIEW_H
#define VIEWER_UV_VIEW_H

#include "document.h"
#include "stage.h"

#define VIEWER_TYPE_UV_VIEW (viewer_uv_view_get_type())
G_DECLARE_FINAL_TYPE(ViewerUvView, viewer_uv_view, VIEWER, UV_VIEW, GtkWidget)

GtkWidget *viewer_uv_view_new(void);

/* Shows a surface of a part of the document; takes a reference. NULL: nothing. */
void viewer_uv_view_show(ViewerUvView *view, document *d, uint32_t part, uint32_t surface);
/* Highlights triangles, as viewer_stage_mark does; ignores those of other surfaces. */
void viewer_uv_view_mark(ViewerUvView *view, uint32_t part, const lm_diagnostic_triangle *triangles,
                         size_t count);

#endif
