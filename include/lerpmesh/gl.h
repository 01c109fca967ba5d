/* lerpmesh/gl.h - drawing models with OpenGL 3.3 core or OpenGL ES 3.0: the library lerpmesh-gl.
 *
 *     #include <lerpmesh/gl.h>
 *
 *     // Draws a model's first frame with the current context.
 *     bool draw(const lm_model *model, uint32_t width, uint32_t height, lm_error *error) {
 *         const float grey[4] = {0.2f, 0.2f, 0.2f, 1}, aspect = (float)width / (float)height;
 *         const lm_gl_instance instance = {.transform = LM_TRANSFORM_IDENTITY};
 *         lm_gl *gl = lm_gl_new(NULL, error);
 *         lm_gl_model *drawn = gl ? lm_gl_model_new(gl, model, error) : NULL;
 *         lm_gl_camera camera = {0};
 *         lm_gl_camera_fit(&camera, &model->frames[0].min, &model->frames[0].max, aspect, 1);
 *         lm_gl_view view;
 *         lm_gl_camera_view(&camera, aspect, &view);
 *         if (drawn)
 *             lm_gl_clear(gl, width, height, grey);
 *         bool ok = drawn && lm_gl_draw(drawn, &view, &instance, NULL, error);
 *         lm_gl_model_free(drawn);
 *         lm_gl_free(gl);
 *         return ok;
 *     }
 *
 * A real program keeps the renderer and the models for as long as it draws. lm_gl_style selects
 * textures and shading. lm_gl_scene draws several models with their textures.
 *
 * The caller creates a context and makes it current before every call; this library has no windows.
 * All frames of a model are uploaded once, as the packed bytes of the file. A pose is two offsets
 * into one buffer; the vertex shader decodes and interpolates. Drawing takes the same CPU time for
 * any number of vertices.
 *
 * A renderer and all its objects belong to one context, and to one thread at a time. If contexts
 * share objects, only vertex arrays belong to one of them. Calls set the state that they need and
 * do not restore it: program, vertex array, array, element and unpack buffers, textures of units 0
 * to 4, depth test, face culling, blending, colour mask and polygon offset. Only lm_gl_clear and
 * lm_gl_target_begin change the framebuffer or the viewport.
 *
 * If the driver is at fault, errors have LM_CODE_GRAPHICS. Calls that upload something discard the
 * errors that the caller's own calls left for glGetError. */
#ifndef LERPMESH_GL_H
#define LERPMESH_GL_H

#include "lerpmesh/check.h"
#include "lerpmesh/load.h"
#include "lerpmesh/model.h"
#include "lerpmesh/sample.h"
#include "lerpmesh/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- The renderer -------------------------------------------------------------------------- */

typedef struct lm_gl lm_gl;                 /* a renderer */
typedef struct lm_gl_model lm_gl_model;     /* an uploaded model */
typedef struct lm_gl_texture lm_gl_texture; /* a texture */
typedef struct lm_gl_target lm_gl_target;   /* an offscreen framebuffer */

/* Options for a renderer. */
typedef struct lm_gl_options {
    /* Returns the OpenGL function of a name ("glClear"), NULL if there is none: eglGetProcAddress,
     * glXGetProcAddress or SDL_GL_GetProcAddress, with `user` before the name. Called only in
     * lm_gl_new. NULL: libepoxy finds the functions; in a build without it, lm_gl_new fails with
     * LM_CODE_NOT_BUILT_IN. */
    void *(*get_proc)(void *user, const char *name);
    void *user;           /* passed to get_proc */
    uint64_t reserved[4]; /* zeros: room for later options */
} lm_gl_options;

/* Makes a renderer for the current context. Shaders are compiled when they are first needed.
 * `options` may be NULL. */
LM_GL_API lm_gl *lm_gl_new(const lm_gl_options *options, lm_error *error);

/* Frees the renderer. Free its models, textures and targets first. Like all functions that free, it
 * accepts NULL. */
LM_GL_API void lm_gl_free(lm_gl *gl);

/* Marks the renderer's context as lost, with all objects in it. From then on, freeing makes no GL
 * calls and drawing fails. Free everything and start again with lm_gl_new. */
LM_GL_API void lm_gl_context_lost(lm_gl *gl);

/* Returns a description of the driver: "llvmpipe (LLVM 14.0.6, 256 bits), OpenGL 4.5". */
LM_GL_API const char *lm_gl_driver(const lm_gl *gl);

/* ---- Models and textures ------------------------------------------------------------------- */

/* Uploads a model, which must live until lm_gl_model_free. It is drawn as triangles, or, if it was
 * loaded with LM_TOPOLOGY_GL_COMMANDS, as the strips and fans of its GL commands.
 *
 * A renderer uploads a model once. Further calls for the same model return the same object, and
 * each call needs an lm_gl_model_free of its own. In this way scenes share models, and the pixels
 * of their textures. */
LM_GL_API lm_gl_model *lm_gl_model_new(lm_gl *gl, const lm_model *model, lm_error *error);
/* Frees a model, after as many calls as lm_gl_model_new had for it. */
LM_GL_API void lm_gl_model_free(lm_gl_model *model);

/* An image: 4 * width * height bytes of red, green, blue, alpha, rows from the top. */
typedef struct lm_gl_image {
    uint32_t width, height; /* >= 1 */
    const uint8_t *pixels;  /* [4 * width * height] */
} lm_gl_image;

/* The filtering of textures. */
typedef enum lm_gl_filter {
    LM_GL_SMOOTH, /* linear in and between mipmaps; anisotropic, if the driver supports that and is
                     not a software driver */
    LM_GL_PIXELS, /* nearest: each texel a square */
    LM_GL_PLAIN   /* linear in the nearest mipmap, the games' default: half the work for a software
                     driver */
} lm_gl_filter;

/* Uploads an image, which may be freed afterwards. Its colours are sRGB, and its mipmaps average
 * light. An image larger than the driver's limit is reduced by leaving out rows and columns. */
LM_GL_API lm_gl_texture *lm_gl_texture_new(lm_gl *gl, const lm_gl_image *image, lm_gl_filter filter,
                                           lm_error *error);
/* Frees a texture. Nothing may be drawn with it afterwards. */
LM_GL_API void lm_gl_texture_free(lm_gl_texture *texture);

/* ---- Cameras ------------------------------------------------------------------------------- */

/* A camera that looks at a point. Azimuth 0 looks at the model's face, from +x; azimuth 90 at its
 * left side, from +y. Elevation 90 looks from above. */
typedef struct lm_gl_camera {
    lm_vec3 target;           /* the point in the middle of the image */
    float azimuth, elevation; /* degrees */
    float distance;           /* from target, > 0 */
    float field_of_view;      /* vertical, in degrees; 0: LM_GL_FIELD_OF_VIEW */
    float radius; /* nothing within this distance of target is clipped; fitting includes room for a
                     shadow */
} lm_gl_camera;

#define LM_GL_FIELD_OF_VIEW 25.0f /* degrees */

/* Aims at a box: sets target, distance and radius so that the box just fits into the image, times
 * `zoom` (1: it fits; 2: twice as large). `aspect` is width / height of the image. Keeps the
 * angles. Numbers that are not finite count as 0, and an empty box gets a small size. */
LM_GL_API void lm_gl_camera_fit(lm_gl_camera *camera, const lm_vec3 *min, const lm_vec3 *max,
                                float aspect, float zoom);

/* Fits the camera to points, which fill the image better than their box:
 *     lm_gl_fit fit;
 *     lm_gl_fit_begin(&fit, &camera, aspect, zoom, NULL);
 *     lm_gl_fit_point(&fit, &point);  for each, or lm_gl_scene_fit for each pose of a scene
 *     lm_gl_fit_end(&fit, &camera);
 * All points are then in the image, as large as possible. */
typedef struct lm_gl_fit {
    double axes[3][3];     /* right, up, toward the eye */
    double width, height;  /* half of the image's, at distance 1 */
    double axis[2];        /* x and y of the vertical axis, if `orbits` */
    bool orbits;           /* the camera orbits that axis */
    bool any;              /* there is at least one point */
    double extent[4];      /* of the view frustum to the right, left, up and down */
    double min[3], max[3]; /* of all points */
} lm_gl_fit;

/* Begins a fit. `zoom` as in lm_gl_camera_fit. `axis`: the camera orbits a vertical axis through
 * this point, and all points stay in the image. NULL: the camera keeps its angles. */
LM_GL_API void lm_gl_fit_begin(lm_gl_fit *fit, const lm_gl_camera *camera, float aspect, float zoom,
                               const lm_vec3 *axis);
/* Adds a point. A point that is not finite is ignored. */
LM_GL_API void lm_gl_fit_point(lm_gl_fit *fit, const lm_vec3 *point);
/* Sets the camera's target, distance and radius. Without any point, it aims at the origin. */
LM_GL_API void lm_gl_fit_end(const lm_gl_fit *fit, lm_gl_camera *camera);

/* A view: the transforms of a camera, for drawing. */
typedef struct lm_gl_view {
    float matrix[16];          /* from model space to clip space, in columns */
    lm_vec3 right, up, toward; /* the camera's axes; `toward` points to the eye */
    lm_vec3 eye;               /* position of the camera */
} lm_gl_view;

/* Computes the view of a camera. `aspect` is width / height of the image. */
LM_GL_API void lm_gl_camera_view(const lm_gl_camera *camera, float aspect, lm_gl_view *out);

/* ---- Styles -------------------------------------------------------------------------------- */

/* The shading of surfaces. */
typedef enum lm_gl_shade {
    LM_GL_STUDIO,  /* three lights that move with the camera, and ambient light, added in linear
                      light; robust against normals that point inward */
    LM_GL_TEXTURE, /* the texture without lighting; without a texture, as in the studio */
    LM_GL_NORMALS, /* x, y, z of the normal as red, green, blue */
    LM_GL_WIRE,    /* visible edges */
    LM_GL_UV,      /* s as red and t as green, over a checkerboard of 16 x 16 */
    LM_GL_ENGINE   /* the lighting of a game: see lm_gl_style.engine */
} lm_gl_shade;

/* The use of a texture's alpha. */
typedef enum lm_gl_alpha {
    LM_GL_ALPHA_AUTO,   /* by the texture: test if its alpha is only 0 or 255, blend if there are
                           values between, else opaque */
    LM_GL_ALPHA_OPAQUE, /* ignores alpha */
    LM_GL_ALPHA_TEST,   /* draws where alpha is at least 0.5 */
    LM_GL_ALPHA_BLEND   /* blends with the background; draw such models last */
} lm_gl_alpha;

/* The light of an environment, in linear light: 1 shows a texture in its own colours, before tone
 * mapping. A surface with the normal n receives, per channel,
 *     max(ambient[0] * n.x + ambient[1] * n.y + ambient[2] * n.z + ambient[3], 0)
 *     + max(dot(n, toward), 0) * key. */
typedef struct lm_gl_environment {
    lm_vec3 ambient[4]; /* red, green, blue */
    lm_vec3 toward;     /* direction to the key light, of length 1 */
    lm_vec3 key;        /* red, green, blue */
} lm_gl_environment;

/* A style: textures, shading and light of a model. */
typedef struct lm_gl_style {
    const lm_gl_texture *texture;         /* for surfaces without one of their own; NULL: none */
    const lm_gl_texture *const *textures; /* [num_textures] by surface; entries may be NULL */
    uint32_t num_textures;                /* surfaces from this number on have `texture` */
    lm_gl_shade shade;                    /* LM_GL_STUDIO by default */
    lm_gl_alpha alpha;                    /* LM_GL_ALPHA_AUTO by default */
    bool two_sided; /* also draws back faces. The games cull them (front faces are clockwise),
                       unless a surface's shader disables that */
    lm_vec3 color;  /* of surfaces without a texture, and of edges; 0, 0, 0: grey, blue */
    /* The game whose lighting LM_GL_ENGINE uses; LM_ENGINE_ANY: that of the format. It is the
     * game's light without a map. Quake is at its brightest. Quake II has half of its maximal light
     * and doubles a texture's colours. Quake III and RtCW have a default ambient and directed
     * light. Each vertex is lit by the normal of the newer frame, in sRGB values, not in linear
     * light. Colours that Quake II would clamp are compressed, and keep their hue. */
    lm_engine engine;
    /* Replaces the lights of LM_GL_STUDIO; does not move with the camera. NULL: the studio's. */
    const lm_gl_environment *environment;
    float exposure;       /* factor on the light of LM_GL_STUDIO, before tone mapping; 0: 1 */
    uint64_t reserved[4]; /* zeros: room for later options */
} lm_gl_style;

/* ---- Drawing ------------------------------------------------------------------------------- */

/* Clears colour and depth of the bound framebuffer and sets the viewport to its size. `color` is
 * red, green, blue, alpha, 0 .. 1, premultiplied. */
LM_GL_API void lm_gl_clear(lm_gl *gl, uint32_t width, uint32_t height, const float color[4]);

/* Fills the background with a gradient, `middle` in the middle and `edge` in the corners: red,
 * green, blue as sRGB. NULL: the studio's colours, of medium brightness, so that black, white and
 * glowing models stand out. Draw it first. */
LM_GL_API bool lm_gl_draw_backdrop(lm_gl *gl, const uint8_t middle[3], const uint8_t edge[3],
                                   lm_error *error);

/* An instance of a model: its transform and pose. A cross-fade blends `pose` and `to`, as
 * lm_sample_blend does. Both are poses of the model; {0} is its first frame. Lighting is
 * exact if the axes of the transform are orthogonal and of equal length. */
typedef struct lm_gl_instance {
    lm_transform transform; /* from the model's space to that of the view */
    lm_pose pose;           /* the only pose, or the start of a cross-fade */
    lm_pose to;             /* the end of a cross-fade */
    float weight;           /* 0 .. 1, of `to` */
} lm_gl_instance;

/* Draws every surface of a model. `style` NULL: {0}. */
LM_GL_API bool lm_gl_draw(lm_gl_model *model, const lm_gl_view *view,
                          const lm_gl_instance *instance, const lm_gl_style *style,
                          lm_error *error);

/* Draws many instances of a model with one draw call per surface. GL commands need up to three: for
 * strips, for fans, and for short strips and fans. LM_GL_WIRE needs two. If any instance is in a
 * cross-fade, all of them take as long as in a cross-fade. */
LM_GL_API bool lm_gl_draw_instances(lm_gl_model *model, const lm_gl_view *view,
                                    const lm_gl_instance *instances, uint32_t num_instances,
                                    const lm_gl_style *style, lm_error *error);

/* An end of a line. */
typedef struct lm_gl_point {
    lm_vec3 position; /* in the space of the view */
    uint8_t rgba[4];  /* red, green, blue, alpha, 0 .. 255 */
} lm_gl_point;

/* Draws a line between each pair of points: 0 and 1, 2 and 3, ... */
LM_GL_API bool lm_gl_draw_lines(lm_gl *gl, const lm_gl_view *view, const lm_gl_point *points,
                                uint32_t num_points, lm_error *error);
/* Draws the edges of a box. */
LM_GL_API bool lm_gl_draw_box(lm_gl *gl, const lm_gl_view *view, const lm_transform *transform,
                              const lm_vec3 *min, const lm_vec3 *max, lm_error *error);
/* Draws axes of a length: x (forward) red, y (left) green, z (up) blue. */
LM_GL_API bool lm_gl_draw_axes(lm_gl *gl, const lm_gl_view *view, const lm_transform *transform,
                               float length, lm_error *error);
/* Draws a square grid on the ground, centred at `center`. Its spacing is a power of two, with about
 * 16 lines across. */
LM_GL_API bool lm_gl_draw_grid(lm_gl *gl, const lm_gl_view *view, const lm_vec3 *center,
                               float half_size, lm_error *error);
/* A bone of a skeleton. */
typedef struct lm_gl_bone {
    lm_vec3 head, tail; /* in the space of the view */
    uint8_t rgba[4];    /* as in lm_gl_point */
} lm_gl_bone;

/* Draws bones as octahedra, widest near the head, in front of everything drawn before. Nearer bones
 * cover others. A bone without length is not drawn. */
LM_GL_API bool lm_gl_draw_bones(lm_gl *gl, const lm_gl_view *view, const lm_gl_bone *bones,
                                uint32_t num_bones, lm_error *error);
/* Draws the tags of a model as axes. */
LM_GL_API bool lm_gl_draw_tags(lm_gl_model *model, const lm_gl_view *view,
                               const lm_gl_instance *instance, float length, lm_error *error);

/* ---- Scenes -------------------------------------------------------------------------------- */

/* A scene (lerpmesh/scene.h) on the graphics card: its models with their textures. */
typedef struct lm_gl_scene lm_gl_scene;

/* Uploads a scene. It must pass lm_scene_check, and live until lm_gl_scene_free. Models and
 * textures that the renderer already has are shared. Textures without pixels are skipped. Each part
 * has the skin that the scene selects.
 *
 * In all shadings that show textures, the shader of a material (lerpmesh/scene.h) controls how its
 * surfaces are drawn: stage by stage, with its blending, tests and sides, in the order of `sort`.
 * The selected shading lights the stages that the game lights (LM_RGB_LIGHTING_DIFFUSE); others are
 * as bright as in the game. Colours blend as sRGB values, as in the games. The CPU computes the
 * vertices of such surfaces, the driver all others. */
LM_GL_API lm_gl_scene *lm_gl_scene_new(lm_gl *gl, const lm_scene *scene, lm_error *error);
/* Frees a scene, and its models and textures unless others share them. */
LM_GL_API void lm_gl_scene_free(lm_gl_scene *scene);

/* An instance of a scene: the transform of its root and the poses of its parts. In a cross-fade,
 * each part blends its pose and that of `to`, as lm_scene_evaluate and lm_sample_blend do. */
typedef struct lm_gl_scene_instance {
    const lm_transform *transform; /* of the root; NULL: the identity */
    const lm_pose *poses;          /* [num_parts], as lm_scene_pose makes them */
    const lm_pose *to;             /* [num_parts]; NULL: no cross-fade */
    const float *weights;          /* [num_parts] 0 .. 1, of `to`; NULL without `to` */
} lm_gl_scene_instance;

/* Sets the scene's pose for the calls below: every part, its attached parts and the root. Before
 * the first call, all parts show their first frame. */
LM_GL_API bool lm_gl_scene_pose(lm_gl_scene *scene, const lm_gl_scene_instance *instance,
                                lm_error *error);

/* Overlays. A scene without surfaces always shows its tags. */
enum {
    LM_GL_SHOW_BOX = 1,      /* around all parts; that of a single part turns with it */
    LM_GL_SHOW_GRID = 2,     /* on the ground: lm_gl_draw_grid */
    LM_GL_SHOW_AXES = 4,     /* of the first part, in the size of all: lm_gl_draw_axes */
    LM_GL_SHOW_TAGS = 8,     /* as axes */
    LM_GL_SHOW_SHADOW = 16,  /* soft, on the ground; only visible from above */
    LM_GL_SHOW_NORMALS = 32, /* a line per vertex; x, y, z as red, green, blue */
    LM_GL_SHOW_COMMANDS = 64 /* strips and fans of MD2's GL commands, each in its own colour */
};

/* A bounding box: start from {0}. */
typedef struct lm_gl_box {
    lm_vec3 min; /* lowest coordinates */
    lm_vec3 max; /* highest coordinates */
    bool any;    /* it is not empty */
} lm_gl_box;

/* Extends the box by the bounds of the scene in its pose. `show`: LM_GL_SHOW_ flags;
 * LM_GL_SHOW_TAGS includes tags. On unknown flags, fails and leaves the box unchanged. */
LM_GL_API bool lm_gl_scene_join(const lm_gl_scene *scene, unsigned show, lm_gl_box *box,
                                lm_error *error);

/* Options for drawing a scene. */
typedef struct lm_gl_render_options {
    const lm_gl_fit *fit; /* of all poses to show: the grid and the shadow are below its lowest
                             point, and the grid has its size; NULL or empty: of the pose */
    double seconds;       /* time of shaders' animations, from any start */
    lm_gl_shade shade;    /* of all surfaces */
    lm_engine engine;     /* as in lm_gl_style */
    unsigned show;        /* LM_GL_SHOW_ flags */
    bool two_sided;       /* as in lm_gl_style */
    const lm_gl_environment *environment; /* the same */
    float exposure;                       /* the same */
    uint64_t reserved[4];                 /* zeros: room for later options */
} lm_gl_render_options;

/* Adds all drawn vertices of the scene's pose to a fit, moved by shaders and facing the fit's
 * camera, and tags if they are shown. `options` NULL: {0}. On unknown values, fails and leaves the
 * fit unchanged. */
LM_GL_API bool lm_gl_scene_fit(const lm_gl_scene *scene, const lm_gl_render_options *options,
                               lm_gl_fit *fit, lm_error *error);

/* Draws all parts, then the overlays. `options` NULL: {0}. */
LM_GL_API bool lm_gl_scene_draw(const lm_gl_scene *scene, const lm_gl_view *view,
                                const lm_gl_render_options *options, lm_error *error);

/* Estimates how many times drawing the scene in its pose fills an image of width x height pixels:
 * the parts of its triangles that are in the image, hidden ones too, each as often as its shader
 * has stages. A software driver needs time in proportion to this and to the image. Most models fill
 * an image fewer than 10 times; a hostile file of a megabyte, 40,000 times. `options` NULL: {0}. */
LM_GL_API bool lm_gl_scene_fill(const lm_gl_scene *scene, const lm_gl_view *view, uint32_t width,
                                uint32_t height, const lm_gl_render_options *options, double *fill,
                                lm_error *error);

/* Draws many instances of a scene, each with its own transform and poses, with as many draw calls
 * as lm_gl_draw_instances needs. Surfaces with shaders are drawn once per instance. Instances are
 * drawn in order, so sort blended ones from far to near. `options` as above, but `show` must be 0.
 * The pose set by lm_gl_scene_pose stays. */
LM_GL_API bool lm_gl_scene_draw_instances(const lm_gl_scene *scene, const lm_gl_view *view,
                                          const lm_gl_scene_instance *instances,
                                          uint32_t num_instances,
                                          const lm_gl_render_options *options, lm_error *error);

/* Highlights the triangles of a problem (lm_diagnostic_locate) in a part, in front of everything. A
 * single vertex becomes a cross that extends `size` to each side. Pose the scene first. */
LM_GL_API bool lm_gl_scene_mark(const lm_gl_scene *scene, const lm_gl_view *view, uint32_t part,
                                const lm_diagnostic_triangle *triangles, uint32_t num_triangles,
                                float size, lm_error *error);

/* ---- Offscreen targets --------------------------------------------------------------------- */

#define LM_MAX_GL_SAMPLES 64 /* per pixel */

/* Makes a framebuffer of its own, with `samples` per pixel, at most LM_MAX_GL_SAMPLES; 0 and 1: no
 * multisampling. Every driver supports up to 4. If the driver supports fewer than requested, the
 * framebuffer is larger than the image, and lm_gl_target_read reduces it. */
LM_GL_API lm_gl_target *lm_gl_target_new(lm_gl *gl, uint32_t width, uint32_t height,
                                         uint32_t samples, lm_error *error);
/* Frees a target and its framebuffer. */
LM_GL_API void lm_gl_target_free(lm_gl_target *target);
/* Binds the target's framebuffer and clears it, as lm_gl_clear does. */
LM_GL_API void lm_gl_target_begin(lm_gl_target *target, const float color[4]);
/* Copies the image to `pixels`: 4 * width * height bytes of red, green, blue, alpha, not
 * premultiplied, rows from the top. Bind your own framebuffer again afterwards. */
LM_GL_API bool lm_gl_target_read(lm_gl_target *target, uint8_t *pixels, lm_error *error);

/* ---- Contexts without a window ------------------------------------------------------------- */

/* An EGL context without window and display server: on Mesa's surfaceless platform, else on the
 * first device that EGL lists. */
typedef struct lm_gl_headless lm_gl_headless;

/* Options for a context without a window. */
typedef struct lm_gl_headless_options {
    bool es;              /* OpenGL ES 3.0; else OpenGL 3.3 core, or ES if that is not available */
    bool compatibility;   /* OpenGL 3.3 with the features removed from core (for benchmarks) */
    bool debug;           /* a debug context */
    uint64_t reserved[4]; /* zeros: room for later options */
} lm_gl_headless_options;

/* Makes a context and makes it current. If there is no driver, the error message names the package
 * to install. Each thread may have contexts of its own; they do not depend on each other. */
LM_GL_API lm_gl_headless *lm_gl_headless_new(const lm_gl_headless_options *options,
                                             lm_error *error);
/* Destroys the context. */
LM_GL_API void lm_gl_headless_free(lm_gl_headless *headless);

#ifdef __cplusplus
}
#endif
#endif
