/* The view of a skin. */
#include "stage.h"

#include "text.h"

#define MAX_LINES 60000 /* triangles to draw: more would fill the area anyway */
#define MARGIN 8.0

struct _ViewerUvView {
    GtkWidget parent;
    document *doc;
    uint32_t part, surface;
    GArray *marks; /* lm_diagnostic_triangle; NULL: none */
    uint32_t marked_part;
    GdkTexture *skin;
};

G_DEFINE_TYPE(ViewerUvView, viewer_uv_view, GTK_TYPE_WIDGET)

/* ---- Drawing ------------------------------------------------------------------------------- */

static const lm_surface *surface_of(const ViewerUvView *v) {
    const lm_model *model = v->doc ? document_scene(v->doc)->parts[v->part].model : NULL;
    return model && v->surface < model->num_surfaces ? &model->surfaces[v->surface] : NULL;
}

static const lm_scene_texture *image_of(const ViewerUvView *v) {
    const lm_scene_part *part = &document_scene(v->doc)->parts[v->part];
    if (part->num_skins == 0 || !surface_of(v))
        return NULL;
    uint32_t texture = part->skins[part->skin].materials[v->surface].texture;
    return texture == LM_NO_TEXTURE ? NULL : &v->doc->drawn.textures[texture];
}

/* Returns the skin's rectangle in the widget. */
static graphene_rect_t frame_of(const ViewerUvView *v) {
    const lm_scene_texture *image = image_of(v);
    const lm_model *model = document_scene(v->doc)->parts[v->part].model;
    double width = gtk_widget_get_width((GtkWidget *)v) - 2 * MARGIN;
    double height = gtk_widget_get_height((GtkWidget *)v) - 2 * MARGIN;
    double wide = model->skin_width, high = model->skin_height;
    if (image) {
        wide = image->width;
        high = image->height;
    }
    double aspect = wide > 0 && high > 0 ? CLAMP(wide / high, 0.05, 20) : 1;
    double w = MAX(MIN(width, height * aspect), 1);
    return GRAPHENE_RECT_INIT((float)(MARGIN + (width - w) / 2),
                              (float)(MARGIN + MAX(height - w / aspect, 0) / 2), (float)w,
                              (float)(w / aspect));
}

static void trace(cairo_t *cairo, const graphene_rect_t *frame, const lm_surface *surface,
                  const uint32_t vertices[3]) {
    for (unsigned k = 0; k < 3; k++) {
        lm_vec2 st = surface->st[vertices[k]];
        double x = (double)(frame->origin.x + CLAMP(st.x, -4, 5) * frame->size.width);
        double y = (double)(frame->origin.y + CLAMP(st.y, -4, 5) * frame->size.height);
        if (k == 0)
            cairo_move_to(cairo, x, y);
        else
            cairo_line_to(cairo, x, y);
    }
    cairo_close_path(cairo);
}

static void draw_triangles(ViewerUvView *v, cairo_t *cairo, const graphene_rect_t *frame) {
    const lm_surface *surface = surface_of(v);
    for (uint32_t i = 0; i < MIN(surface->num_triangles, MAX_LINES); i++)
        trace(cairo, frame, surface, &surface->triangles[3 * (size_t)i]);
    cairo_set_line_width(cairo, 1);
    cairo_set_source_rgba(cairo, 0.35, 0.75, 1, 0.75);
    cairo_stroke(cairo);
    for (guint i = 0; v->marks && v->marked_part == v->part && i < v->marks->len; i++) {
        const lm_diagnostic_triangle *mark = &g_array_index(v->marks, lm_diagnostic_triangle, i);
        if (mark->surface == v->surface)
            trace(cairo, frame, surface, mark->vertices);
    }
    cairo_set_line_width(cairo, 2);
    cairo_set_source_rgb(cairo, 1, 0.24, 0.47);
    cairo_stroke(cairo);
}

static void snapshot(GtkWidget *widget, GtkSnapshot *snapshot) {
    ViewerUvView *v = VIEWER_UV_VIEW(widget);
    int width = gtk_widget_get_width(widget), height = gtk_widget_get_height(widget);
    graphene_rect_t all = GRAPHENE_RECT_INIT(0, 0, (float)width, (float)height);
    if (!surface_of(v) || width < 1 || height < 1)
        return;
    graphene_rect_t frame = frame_of(v);
    gtk_snapshot_push_clip(snapshot, &all);
    gtk_snapshot_append_color(snapshot, &(GdkRGBA){0.1f, 0.1f, 0.12f, 1}, &frame);
    if (v->skin)
        gtk_snapshot_append_texture(snapshot, v->skin, &frame);
    cairo_t *cairo = gtk_snapshot_append_cairo(snapshot, &all);
    draw_triangles(v, cairo, &frame);
    cairo_destroy(cairo);
    gtk_snapshot_pop(snapshot);
}

/* ---- Content --------------------------------------------------------------------------------- */

static GdkTexture *texture_of(const lm_scene_texture *image) {
    gsize stride = (gsize)image->width * 4;
    g_autoptr(GBytes) bytes = g_bytes_new(image->pixels, stride * image->height);
    return gdk_memory_texture_new((int)image->width, (int)image->height, GDK_MEMORY_R8G8B8A8, bytes,
                                  stride);
}

void viewer_uv_view_show(ViewerUvView *v, document *d, uint32_t part, uint32_t surface) {
    document *old = v->doc;
    v->doc = d ? document_ref(d) : NULL;
    v->part = part;
    v->surface = surface;
    g_clear_object(&v->skin);
    const lm_scene_texture *image = d ? image_of(v) : NULL;
    if (image)
        v->skin = texture_of(image);
    document_unref(old);
    gtk_widget_queue_draw(GTK_WIDGET(v));
}

void viewer_uv_view_mark(ViewerUvView *v, uint32_t part, GArray *triangles) {
    v->marked_part = part;
    g_clear_pointer(&v->marks, g_array_unref);
    v->marks = triangles ? g_array_ref(triangles) : NULL;
    gtk_widget_queue_draw(GTK_WIDGET(v));
}

/* ---- The widget ---------------------------------------------------------------------------- */

static void finalize(GObject *object) {
    ViewerUvView *v = VIEWER_UV_VIEW(object);
    document_unref(v->doc);
    g_clear_pointer(&v->marks, g_array_unref);
    g_clear_object(&v->skin);
    G_OBJECT_CLASS(viewer_uv_view_parent_class)->finalize(object);
}

static void viewer_uv_view_class_init(ViewerUvViewClass *class) {
    G_OBJECT_CLASS(class)->finalize = finalize;
    GTK_WIDGET_CLASS(class)->snapshot = snapshot;
    gtk_widget_class_set_accessible_role(GTK_WIDGET_CLASS(class), GTK_ACCESSIBLE_ROLE_IMG);
}

static void viewer_uv_view_init(ViewerUvView *v) {
    gtk_widget_set_hexpand(GTK_WIDGET(v), TRUE);
    gtk_widget_set_vexpand(GTK_WIDGET(v), TRUE);
    gtk_accessible_update_property(GTK_ACCESSIBLE(v), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                   _("UV map over the skin"), -1);
}

GtkWidget *viewer_uv_view_new(void) {
    return g_object_new(VIEWER_TYPE_UV_VIEW, NULL);
}
