#include "stage.h"

#include "display_text.h"
#include "image/labels.h"
#include "lerpmesh/gl.h"
#include "lerpmesh/image.h"
#include "orbit.h"
#include "text.h"

#include <epoxy/gl.h>
#include <math.h>
#include <string.h>

#define SAMPLES 4      /* per pixel */
#define REST_DELAY 200 /* milliseconds after a camera movement until it counts as at rest */
#define DEGREES_PER_PIXEL 0.5f
#define ZOOM_PER_NOTCH 1.1

struct _ViewerStage {
    GtkGLArea parent;
    const lm_playback *play;
    stage_options options;
    document *doc;
    uint32_t clip;
    char *torso;   /* the name of its own clip; NULL: none */
    GArray *marks; /* lm_diagnostic_triangle; NULL: none */
    uint32_t marked_part;
    orbit_camera orbit;
    bool fit;            /* fit the camera to the clip at the next drawing */
    bool extent_unknown; /* the clip has not been measured */
    lm_gl_box extent;    /* of the clip */
    /* The part of a gesture that was already applied: events report totals since its beginning. */
    float drag_x, drag_y;
    double pinch;

    lm_gl *gl; /* NULL: not realized, or failed */
    lm_gl_scene *scene;
    lm_pose poses[LM_MAX_PARTS];
    bool uploaded;          /* the scene is the document's */
    bool software;          /* a software driver: use fewer samples while moving */
    guint rest_timer;       /* until it fires, the camera counts as moving */
    lm_gl_target *target;   /* NULL: not created yet */
    uint32_t width, height; /* of the stage and the target, in device pixels */
};

G_DEFINE_TYPE(ViewerStage, viewer_stage, GTK_TYPE_GL_AREA)

static guint failed; /* the signal */

static bool fail(ViewerStage *s, const lm_error *error) {
    g_autofree char *text = display_message(error->code, error->message);
    g_signal_emit(s, failed, 0, text);
    return false;
}

/* ---- GPU resources --------------------------------------------------------------------------- */

static bool make_current(ViewerStage *s) {
    if (!gtk_widget_get_realized(GTK_WIDGET(s)))
        return false;
    gtk_gl_area_make_current(GTK_GL_AREA(s));
    return s->gl && !gtk_gl_area_get_error(GTK_GL_AREA(s));
}

/* Uploads the document. The old scene is freed only after the new one is complete. */
static bool upload(ViewerStage *s, const document *d) {
    lm_error error;
    lm_gl_scene *scene = lm_gl_scene_new(s->gl, &d->drawn, &error);
    if (!scene)
        return fail(s, &error);
    lm_gl_scene_free(s->scene);
    s->scene = scene;
    return true;
}

static bool is_software(const char *driver) {
    static const char *const names[] = {"llvmpipe", "softpipe", "swrast", "SWR"};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
        if (strstr(driver, names[i]))
            return true;
    return false;
}

/* If there is no usable OpenGL, the widget shows the reason. */
static void realize(GtkWidget *widget) {
    ViewerStage *s = VIEWER_STAGE(widget);
    lm_error error;
    GTK_WIDGET_CLASS(viewer_stage_parent_class)->realize(widget);
    gtk_gl_area_make_current(GTK_GL_AREA(s));
    if (gtk_gl_area_get_error(GTK_GL_AREA(s)))
        return;
    s->gl = lm_gl_new(NULL, &error);
    if (!s->gl) {
        g_autofree char *text = display_message(error.code, error.message);
        g_autoptr(GError) problem =
            g_error_new_literal(GDK_GL_ERROR, GDK_GL_ERROR_NOT_AVAILABLE, text);
        gtk_gl_area_set_error(GTK_GL_AREA(s), problem);
    }
    s->software = s->gl && is_software(lm_gl_driver(s->gl));
    s->uploaded = s->gl && s->doc && upload(s, s->doc);
}

/* Accepts OpenGL, or OpenGL ES if there is nothing else; GTK's default accepts only one of them. */
static GdkGLContext *create_context(GtkGLArea *area) {
    g_autoptr(GError) error = NULL;
    GdkSurface *surface = gtk_native_get_surface(gtk_widget_get_native(GTK_WIDGET(area)));
    g_autoptr(GdkGLContext) context = gdk_surface_create_gl_context(surface, &error);
    if (context && gdk_gl_context_realize(context, &error))
        return g_steal_pointer(&context);
    gtk_gl_area_set_error(area, error);
    return NULL;
}

/* Frees all GPU resources. A lost context has already freed them. */
static void drop_all(ViewerStage *s, bool context_lost) {
    if (s->gl && context_lost)
        lm_gl_context_lost(s->gl);
    g_clear_pointer(&s->target, lm_gl_target_free);
    g_clear_pointer(&s->scene, lm_gl_scene_free);
    s->uploaded = false;
}

static void unrealize(GtkWidget *widget) {
    ViewerStage *s = VIEWER_STAGE(widget);
    gtk_gl_area_make_current(GTK_GL_AREA(s));
    drop_all(s, gtk_gl_area_get_error(GTK_GL_AREA(s)));
    g_clear_pointer(&s->gl, lm_gl_free);
    GTK_WIDGET_CLASS(viewer_stage_parent_class)->unrealize(widget);
}

/* ---- Drawing --------------------------------------------------------------------------------- */

/* Draws the model. With edges, its depth is offset a little, so that rounding does not hide
 * them. */
static bool draw_model(ViewerStage *s, const lm_gl_view *view, lm_error *error) {
    const lm_gl_scene_instance instance = {.poses = s->poses, .seconds = s->play->seconds};
    lm_gl_render_options render = s->options.render;
    const bool edges = s->options.edges && render.shade != LM_GL_SHADE_WIRE;
    render.extent = &s->extent;
    if (s->options.eye)
        render.show &= ~(unsigned)LM_GL_SHOW_SHADOW;
    if (edges) {
        glEnable(GL_POLYGON_OFFSET_FILL);
        glPolygonOffset(1, 1);
        const bool drawn = lm_gl_scene_draw(s->scene, view, &instance, 1, &render, error);
        glDisable(GL_POLYGON_OFFSET_FILL);
        if (!drawn)
            return false;
        render = (lm_gl_render_options){.shade = LM_GL_SHADE_WIRE, .two_sided = render.two_sided};
    }
    if (s->marks) {
        render.marks = (const lm_diagnostic_triangle *)(void *)s->marks->data;
        render.num_marks = s->marks->len;
        render.marked_part = s->marked_part;
        render.mark_size = s->orbit.extent * 0.0125f;
    }
    return lm_gl_scene_draw(s->scene, view, &instance, 1, &render, error);
}

static float aspect_of(const ViewerStage *s) {
    return (float)s->width / (float)MAX(s->height, 1u);
}

static bool draw_scene(ViewerStage *s, lm_error *error) {
    const lm_scene *scene = document_scene(s->doc);
    const labels_image image = {s->width, s->height,
                                (uint32_t)gtk_widget_get_scale_factor(GTK_WIDGET(s))};
    const lm_gl_camera eye = orbit_eye(aspect_of(s), 1);
    lm_gl_view view;
    s->orbit.camera.aspect = aspect_of(s);
    lm_gl_camera_view(s->options.eye ? &eye : &s->orbit.camera, &view);
    document_pose(s->doc, s->clip, s->torso, s->play, s->poses);
    return draw_model(s, &view, error) &&
           (!s->options.bones ||
            skeletons_draw(s->gl, &view, scene, s->poses, s->doc->bones, error)) &&
           labels_draw(s->gl, &view, scene, s->poses, s->options.render.show, &image, error);
}

static void resize_target(ViewerStage *s) {
    uint32_t width, height;
    viewer_stage_size(s, &width, &height);
    if (s->width == width && s->height == height)
        return;
    g_clear_pointer(&s->target, lm_gl_target_free);
    s->width = width;
    s->height = height;
    s->fit = s->fit || !s->orbit.moved;
}

static void measure_clip(ViewerStage *s);

/* Begins an image of the stage in `target`; NULL: in the window. */
static bool begin(ViewerStage *s, lm_gl_target *target, bool transparent, lm_error *error) {
    const bool dark = s->options.dark; /* else the studio's colours */
    lm_gl_background background = {.color = {0.80f, 0.82f, 0.85f, 1}, .gradient = s->uploaded};
    if (dark)
        background = (lm_gl_background){.color = {0.14f, 0.15f, 0.17f, 1},
                                        .gradient = s->uploaded,
                                        .middle = {0x4e, 0x52, 0x58},
                                        .edge = {0x1c, 0x1e, 0x22}};
    return lm_gl_begin(s->gl, target, s->width, s->height, transparent ? NULL : &background, error);
}

/* Draws the scene, if there is one, into an image that has begun. */
static bool draw_stage(ViewerStage *s, lm_error *error) {
    if (s->uploaded && (s->fit || s->extent_unknown))
        measure_clip(s);
    return !s->uploaded || draw_scene(s, error);
}

/* Draws the stage into its target. */
static bool draw(ViewerStage *s, lm_error *error) {
    resize_target(s);
    if (!s->target)
        s->target = lm_gl_target_new(s->gl, s->width, s->height, SAMPLES, error);
    return s->target && begin(s, s->target, false, error) && draw_stage(s, error);
}

/* Resolves the target's samples into the window. */
static void blit(const ViewerStage *s, GLuint window) {
    GLint target = 0, width = (GLint)s->width, height = (GLint)s->height;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &target);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, (GLuint)target);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, window);
    glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, window);
}

static gboolean draw_window(GtkGLArea *area, GdkGLContext *context) {
    ViewerStage *s = VIEWER_STAGE(area);
    lm_error error;
    GLint window = 0;
    bool moving =
        s->software && (s->rest_timer != 0 || (s->play->playing && s->play->clip->count > 1));
    bool drawn;
    if (!s->gl)
        return FALSE;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &window);
    if (moving) { /* directly into the window, one sample per pixel */
        resize_target(s);
        drawn = begin(s, NULL, false, &error) && draw_stage(s, &error);
    } else {
        drawn = draw(s, &error);
    }
    if (!drawn)
        fail(s, &error);
    else if (!moving)
        blit(s, (GLuint)window);
    return drawn;
}

bool viewer_stage_is_software(const ViewerStage *s) {
    return s->software;
}

void viewer_stage_size(ViewerStage *s, uint32_t *width, uint32_t *height) {
    int scale = gtk_widget_get_scale_factor(GTK_WIDGET(s));
    *width = (uint32_t)MAX(gtk_widget_get_width(GTK_WIDGET(s)) * scale, 1);
    *height = (uint32_t)MAX(gtk_widget_get_height(GTK_WIDGET(s)) * scale, 1);
}

lm_gl_camera viewer_stage_camera(ViewerStage *s) {
    return s->orbit.camera;
}

/* Draws the scene into a target of that size. */
static bool draw_image(ViewerStage *s, lm_gl_target *target, bool transparent, lm_error *error) {
    const unsigned show = s->options.render.show;
    if (transparent)
        s->options.render.show &= ~(unsigned)LM_GL_SHOW_SHADOW;
    const bool drawn = begin(s, target, transparent, error) && draw_scene(s, error);
    s->options.render.show = show;
    return drawn;
}

uint8_t *viewer_stage_image(ViewerStage *s, uint32_t width, uint32_t height, bool transparent,
                            char **message) {
    lm_error error;
    const uint32_t before[] = {s->width, s->height};
    if (!make_current(s) || !s->uploaded) {
        const GError *problem = gtk_gl_area_get_error(GTK_GL_AREA(s));
        *message = g_strdup(problem ? problem->message : TEXT_NO_IMAGE);
        return NULL;
    }
    lm_gl_target *target = lm_gl_target_new(s->gl, width, height, SAMPLES, &error);
    uint8_t *pixels = target ? g_try_malloc((size_t)width * height * 4) : NULL;
    if (target && !pixels)
        lm_fail_plain(&error, LM_CODE_OK, "%s", TEXT_OUT_OF_MEMORY);
    if (s->fit || s->extent_unknown)
        measure_clip(s);
    s->width = width; /* for the shape of the view */
    s->height = height;
    if (!pixels || !draw_image(s, target, transparent, &error) ||
        !lm_gl_target_read(target, pixels, &error)) {
        *message = display_message(error.code, error.message);
        g_clear_pointer(&pixels, g_free);
    }
    s->width = before[0];
    s->height = before[1];
    lm_gl_target_free(target);
    gtk_gl_area_attach_buffers(GTK_GL_AREA(s));
    return pixels;
}

/* ---- The camera ------------------------------------------------------------------------------ */

#define FIT_FRAMES 64       /* the frames of a clip that are measured */
#define FIT_VERTICES 500000 /* the vertices that are measured, in all these frames */

static size_t count_vertices(const lm_scene *scene) {
    size_t count = 1;
    for (uint32_t i = 0; i < scene->num_parts; i++)
        for (uint32_t k = 0; k < scene->parts[i].model->num_surfaces; k++)
            count += scene->parts[i].model->surfaces[k].num_file_vertices;
    return count;
}

/* Measures the clip's extent, so that the camera keeps all of it in view and the ground is below
 * it. */
static void measure_clip(ViewerStage *s) {
    lm_error error; /* drawing reports it */
    const lm_scene *scene = document_scene(s->doc);
    orbit_camera orbit = s->orbit;
    lm_playback all = *s->play;
    uint32_t frames = MIN(all.clip->count, FIT_FRAMES);
    size_t limit = FIT_VERTICES / count_vertices(scene);
    frames = (uint32_t)MAX(MIN((size_t)frames, limit), 1);
    lm_pose *poses = g_new(lm_pose, (size_t)frames * scene->num_parts);
    lm_gl_scene_instance *instances = g_new0(lm_gl_scene_instance, frames);
    for (uint32_t i = 0; i < frames; i++) {
        lm_pose *at = poses + (size_t)i * scene->num_parts;
        const uint64_t frame = (uint64_t)i * all.clip->count / frames;
        lm_playback_seek(&all, (double)frame);
        document_pose(s->doc, s->clip, s->torso, &all, at);
        instances[i] = (lm_gl_scene_instance){.poses = at, .seconds = all.seconds};
    }
    orbit.camera.aspect = aspect_of(s);
    if (orbit_aim(&orbit, s->scene, instances, frames, &s->options.render, &s->extent, &error) &&
        s->fit)
        s->orbit = orbit;
    g_free(poses);
    g_free(instances);
    s->fit = s->extent_unknown = false;
}

void viewer_stage_fit(ViewerStage *s) {
    s->options.eye = false;
    s->fit = true;
    viewer_stage_redraw(s);
}

void viewer_stage_refit(ViewerStage *s) {
    s->fit = s->fit || !s->orbit.moved;
    viewer_stage_redraw(s);
}

void viewer_stage_view_from(ViewerStage *s, float azimuth, float elevation) {
    s->orbit.camera.azimuth = azimuth;
    s->orbit.camera.elevation = elevation;
    viewer_stage_fit(s);
}

static gboolean rest(gpointer user) {
    ViewerStage *s = user;
    s->rest_timer = 0;
    viewer_stage_redraw(s);
    return G_SOURCE_REMOVE;
}

static void move(ViewerStage *s) {
    s->options.eye = false;
    g_clear_handle_id(&s->rest_timer, g_source_remove);
    s->rest_timer = g_timeout_add(REST_DELAY, rest, s);
    viewer_stage_redraw(s);
}

void viewer_stage_orbit(ViewerStage *s, float azimuth, float elevation) {
    orbit_turn(&s->orbit, azimuth, elevation);
    move(s);
}

void viewer_stage_pan(ViewerStage *s, float dx, float dy) {
    orbit_pan(&s->orbit, dx, dy, (float)gtk_widget_get_height(GTK_WIDGET(s)));
    move(s);
}

void viewer_stage_zoom(ViewerStage *s, double factor) {
    orbit_zoom(&s->orbit, (float)factor);
    move(s);
}

/* ---- The mouse: left drag rotates, middle drag (or Shift) pans, wheel and pinch zoom --------- */

static void drag_begin(GtkGestureDrag *drag, double x, double y, ViewerStage *s) {
    gtk_widget_grab_focus(GTK_WIDGET(s));
    s->drag_x = s->drag_y = 0;
}

static void drag_update(GtkGestureDrag *drag, double x, double y, ViewerStage *s) {
    GdkModifierType state =
        gtk_event_controller_get_current_event_state(GTK_EVENT_CONTROLLER(drag));
    bool left = gtk_gesture_single_get_current_button(GTK_GESTURE_SINGLE(drag)) == 1;
    float dx = (float)x - s->drag_x, dy = (float)y - s->drag_y;
    s->drag_x = (float)x;
    s->drag_y = (float)y;
    if (left && !(state & GDK_SHIFT_MASK))
        viewer_stage_orbit(s, -dx * DEGREES_PER_PIXEL, dy * DEGREES_PER_PIXEL);
    else
        viewer_stage_pan(s, dx, dy);
}

static gboolean scrolled(GtkEventControllerScroll *scroll, double dx, double dy, ViewerStage *s) {
    viewer_stage_zoom(s, pow(ZOOM_PER_NOTCH, -dy));
    return TRUE;
}

static void pinch_begin(GtkGesture *pinch, GdkEventSequence *sequence, ViewerStage *s) {
    s->pinch = 1;
}

static void pinched(GtkGestureZoom *pinch, double scale, ViewerStage *s) {
    viewer_stage_zoom(s, scale / s->pinch);
    s->pinch = scale;
}

static void add_mouse(ViewerStage *s) {
    GtkGesture *drag = gtk_gesture_drag_new(), *pinch = gtk_gesture_zoom_new();
    GtkEventController *scroll =
        gtk_event_controller_scroll_new(GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);
    gtk_gesture_single_set_button(GTK_GESTURE_SINGLE(drag), 0); /* any */
    g_signal_connect(drag, "drag-begin", G_CALLBACK(drag_begin), s);
    g_signal_connect(drag, "drag-update", G_CALLBACK(drag_update), s);
    g_signal_connect(scroll, "scroll", G_CALLBACK(scrolled), s);
    g_signal_connect(pinch, "begin", G_CALLBACK(pinch_begin), s);
    g_signal_connect(pinch, "scale-changed", G_CALLBACK(pinched), s);
    gtk_widget_add_controller(GTK_WIDGET(s), GTK_EVENT_CONTROLLER(drag));
    gtk_widget_add_controller(GTK_WIDGET(s), GTK_EVENT_CONTROLLER(pinch));
    gtk_widget_add_controller(GTK_WIDGET(s), scroll);
}

/* ---- Content --------------------------------------------------------------------------------- */

stage_options *viewer_stage_options(ViewerStage *s) {
    return &s->options;
}

void viewer_stage_redraw(ViewerStage *s) {
    gtk_gl_area_queue_render(GTK_GL_AREA(s));
}

void viewer_stage_mark(ViewerStage *s, uint32_t part, GArray *triangles) {
    s->marked_part = part;
    g_clear_pointer(&s->marks, g_array_unref);
    s->marks = triangles ? g_array_ref(triangles) : NULL;
    viewer_stage_redraw(s);
}

bool viewer_stage_show(ViewerStage *s, document *d, uint32_t clip) {
    bool drawn = make_current(s);
    if (drawn && !upload(s, d))
        return false;
    if (!drawn)
        drop_all(s, true);
    document_unref(s->doc);
    s->doc = document_ref(d);
    s->clip = clip;
    s->extent_unknown = true;
    s->uploaded = drawn;
    viewer_stage_mark(s, 0, NULL);
    return true;
}

void viewer_stage_set_clip(ViewerStage *s, uint32_t clip) {
    if (clip != s->clip) {
        s->extent_unknown = true;
        viewer_stage_refit(s);
    }
    s->clip = clip;
    viewer_stage_redraw(s);
}

void viewer_stage_set_torso(ViewerStage *s, const char *name) {
    g_free(s->torso);
    s->torso = g_strdup(name);
    s->extent_unknown = true;
    viewer_stage_refit(s);
}

const char *viewer_stage_torso(ViewerStage *s) {
    return s->torso;
}

/* ---- The widget ------------------------------------------------------------------------------ */

static void finalize(GObject *object) {
    ViewerStage *s = VIEWER_STAGE(object);
    g_clear_handle_id(&s->rest_timer, g_source_remove);
    document_unref(s->doc);
    g_clear_pointer(&s->marks, g_array_unref);
    g_free(s->torso);
    G_OBJECT_CLASS(viewer_stage_parent_class)->finalize(object);
}

static void viewer_stage_class_init(ViewerStageClass *class) {
    G_OBJECT_CLASS(class)->finalize = finalize;
    GTK_WIDGET_CLASS(class)->realize = realize;
    GTK_WIDGET_CLASS(class)->unrealize = unrealize;
    GTK_GL_AREA_CLASS(class)->create_context = create_context;
    GTK_GL_AREA_CLASS(class)->render = draw_window;
    gtk_widget_class_set_accessible_role(GTK_WIDGET_CLASS(class), GTK_ACCESSIBLE_ROLE_IMG);
    failed = g_signal_new("failed", VIEWER_TYPE_STAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                          G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void viewer_stage_init(ViewerStage *s) {
    s->options.render.show = LM_GL_SHOW_SHADOW;
    s->orbit =
        (orbit_camera){.camera = {.azimuth = 30, .elevation = 15, .distance = 100, .radius = 50}};
    s->fit = true;
    add_mouse(s);
    g_object_set(s, "has-depth-buffer", TRUE, "auto-render", FALSE, "focusable", TRUE, "hexpand",
                 TRUE, "vexpand", TRUE, NULL);
    gtk_accessible_update_property(GTK_ACCESSIBLE(s), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                   TEXT_MODEL_VIEW, -1);
}

GtkWidget *viewer_stage_new(const lm_playback *play) {
    ViewerStage *s = g_object_new(VIEWER_TYPE_STAGE, NULL);
    s->play = play;
    return GTK_WIDGET(s);
}
