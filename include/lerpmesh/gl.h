/* lerpmesh/gl.h - drawing models with OpenGL 3.3 core or OpenGL ES 3.0: the library lerpmesh-gl.
 *
 *     #include <lerpmesh/gl.h>
 *
 *     // Draws a model's first frame with the current context.
 *     bool draw(const lm_model *model, uint32_t width, uint32_t height, lm_error *error) {
 *         const lm_gl_background grey = {.color = {0.2f, 0.2f, 0.2f, 1}};
 *         const lm_gl_instance instance = {0};
 *         lm_gl *gl = lm_gl_new(NULL, error);
 *         lm_gl_model *drawn = gl ? lm_gl_model_new(gl, model, error) : NULL;
 *         lm_gl_camera camera = {.aspect = (float)width / (float)height};
 *         lm_gl_camera_fit(&camera, &model->frames[0].min, &model->frames[0].max);
 *         lm_gl_view view;
 *         lm_gl_camera_view(&camera, &view);
 *         bool ok = drawn && lm_gl_begin(gl, NULL, width, height, &grey, error) &&
 *                   lm_gl_draw(drawn, &view, &instance, 1, NULL, error);
 *         lm_gl_model_free(drawn);
 *         lm_gl_free(gl);
 *         return ok;
 *     }
 *
 * A real program keeps the renderer and the models for as long as it draws. lm_gl_style selects
 * textures and shading. lm_gl_scene draws several models with their textures.
 *
 * Zeros are the defaults of every struct: start from {0}, in C++ from {}. `reserved` stays 0.
 *
 * The caller creates a context and makes it current before every call; this library has no windows.
 * All frames of a model are uploaded once, as the packed bytes of the file. A pose is two offsets
 * into one buffer; the vertex shader decodes and interpolates. Drawing takes the same CPU time for
 * any number of vertices.
 *
 * A renderer and all its objects belong to one context, and to one thread at a time. If contexts
 * share objects, only vertex arrays belong to one of them. Calls set the state that they need and
 * do not restore it: program, vertex array, array, element and unpack buffers, textures of units 0
 * to 4, depth test, face culling, blending, colour mask and polygon offset. Only lm_gl_begin
 * changes the viewport; only it, lm_gl_target_new and lm_gl_target_read change the framebuffer.
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
    uint64_t reserved[4];   /* zeros: room for later members */
} lm_gl_image;

/* The filtering of textures. */
typedef enum lm_gl_filter {
    LM_GL_FILTER_SMOOTH, /* linear in and between mipmaps; anisotropic, if the driver supports that
                            and is not a software driver */
    LM_GL_FILTER_PIXELS, /* nearest: each texel a square */
    LM_GL_FILTER_PLAIN   /* linear in the nearest mipmap, the games' default: half the work for a
                            software driver */
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
    float aspect; /* width / height of the image; 0: 1 */
    /* The rest is for fitting only. */
    float zoom;  /* 1: what is fitted just fits into the image; 2: it is twice as large; 0: 1 */
    bool orbits; /* lm_gl_scene_fit: the camera will turn around the vertical axis through the
                    middle, and all stays in the image; else it keeps its angles */
    uint64_t reserved[4]; /* zeros: room for later members */
} lm_gl_camera;

#define LM_GL_FIELD_OF_VIEW 25.0f /* degrees */

/* Aims at a box: sets target, distance and radius so that the box fits into the image. Keeps the
 * angles. Numbers that are not finite count as 0, and an empty box gets a small size.
 * lm_gl_scene_fit fits the vertices of a scene, which fill the image better. */
LM_GL_API void lm_gl_camera_fit(lm_gl_camera *camera, const lm_vec3 *min, const lm_vec3 *max);

/* A view: the transforms of a camera, for drawing. */
typedef struct lm_gl_view {
    float matrix[16];          /* from model space to clip space, in columns */
    lm_vec3 right, up, toward; /* the camera's axes; `toward` points to the eye */
    lm_vec3 eye;               /* position of the camera */
    uint64_t reserved[4];      /* zeros: room for later members */
} lm_gl_view;

/* Computes the view of a camera. A program with matrices of its own fills all members itself. */
LM_GL_API void lm_gl_camera_view(const lm_gl_camera *camera, lm_gl_view *out);

/* ---- Styles -------------------------------------------------------------------------------- */

/* The shading of surfaces. */
typedef enum lm_gl_shade {
    LM_GL_SHADE_STUDIO,  /* three lights that move with the camera, and ambient light, added in
                            linear light; robust against normals that point inward */
    LM_GL_SHADE_TEXTURE, /* the texture without lighting; without a texture, as in the studio */
    LM_GL_SHADE_NORMALS, /* x, y, z of the normal as red, green, blue */
    LM_GL_SHADE_WIRE,    /* visible edges */
    LM_GL_SHADE_UV,      /* s as red and t as green, over a checkerboard of 16 x 16 */
    LM_GL_SHADE_ENGINE   /* the lighting of a game: see lm_gl_style.engine */
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
    lm_vec3 ambient[4];   /* red, green, blue */
    lm_vec3 toward;       /* direction to the key light, of length 1 */
    lm_vec3 key;          /* red, green, blue */
    uint64_t reserved[4]; /* zeros: room for later members */
} lm_gl_environment;

/* A style: textures, shading and light of a model. */
typedef struct lm_gl_style {
    const lm_gl_texture *texture;         /* for surfaces without one of their own; NULL: none */
    const lm_gl_texture *const *textures; /* [num_textures] by surface; entries may be NULL */
    uint32_t num_textures;                /* surfaces from this number on have `texture` */
    lm_gl_shade shade;                    /* LM_GL_SHADE_STUDIO by default */
    lm_gl_alpha alpha;                    /* LM_GL_ALPHA_AUTO by default */
    bool two_sided; /* also draws back faces. The games cull them (front faces are clockwise),
                       unless a surface's shader disables that */
    lm_vec3 color;  /* of surfaces without a texture, and of edges; 0, 0, 0: grey, blue */
    /* The game whose lighting LM_GL_SHADE_ENGINE uses; LM_ENGINE_ANY: that of the format. It is the
     * game's light without a map. Quake is at its brightest. Quake II has half of its maximal light
     * and doubles a texture's colours. Quake III and RtCW have a default ambient and directed
     * light. Each vertex is lit by the normal of the newer frame, in sRGB values, not in linear
     * light. Colours that Quake II would clamp are compressed, and keep their hue. */
    lm_engine engine;
    /* Replaces the lights of LM_GL_SHADE_STUDIO; does not move with the camera. NULL: the studio's.
     */
    const lm_gl_environment *environment;
    float exposure;       /* factor on the light of LM_GL_SHADE_STUDIO, before tone mapping; 0: 1 */
    uint64_t reserved[4]; /* zeros: room for later options */
} lm_gl_style;

/* ---- Drawing ------------------------------------------------------------------------------- */

/* A background: a colour, or a gradient over it. */
typedef struct lm_gl_background {
    float color[4]; /* red, green, blue, alpha, 0 .. 1, premultiplied */
    bool gradient;  /* from `middle` in the middle to `edge` in the corners */
    /* Red, green, blue as sRGB. Both 0: the studio's colours, of medium brightness, so that black,
     * white and glowing models stand out. */
    uint8_t middle[3], edge[3];
    uint64_t reserved[4]; /* zeros: room for later members */
} lm_gl_background;

/* Begins an image: binds the framebuffer of `target`, sets the viewport to its size, clears colour
 * and depth, and draws the background. `target` NULL: the framebuffer that is bound, of width x
 * height pixels; a target has its own size, and both numbers are ignored. `background` NULL: {0},
 * which is transparent. */
LM_GL_API bool lm_gl_begin(lm_gl *gl, lm_gl_target *target, uint32_t width, uint32_t height,
                           const lm_gl_background *background, lm_error *error);

/* An instance of a model: its transform and pose. A cross-fade blends `pose` and `to`, as
 * lm_sample_blend does. Both are poses of the model. {0} is its first frame at the origin. Lighting
 * is exact if the axes of the transform are orthogonal and of equal length. */
typedef struct lm_gl_instance {
    const lm_transform *transform; /* from the model's space to that of the view; NULL: the
                                      identity */
    lm_pose pose;                  /* the only pose, or the start of a cross-fade */
    lm_pose to;                    /* the end of a cross-fade */
    float weight;                  /* 0 .. 1, of `to` */
    uint64_t reserved[2];          /* zeros: room for later members */
} lm_gl_instance;

/* Draws every surface of a model, `num_instances` times. Many instances take one draw call per
 * surface. GL commands need up to three: for strips, for fans, and for short strips and fans.
 * LM_GL_SHADE_WIRE needs two. If any instance is in a cross-fade, all of them take as long as in a
 * cross-fade. `style` NULL: {0}. */
LM_GL_API bool lm_gl_draw(lm_gl_model *model, const lm_gl_view *view,
                          const lm_gl_instance *instances, uint32_t num_instances,
                          const lm_gl_style *style, lm_error *error);

/* A line. */
typedef struct lm_gl_line {
    lm_vec3 from, to; /* in the space of the view */
    uint8_t rgba[4];  /* red, green, blue, alpha, 0 .. 255 */
} lm_gl_line;

/* The shape of lines. */
typedef enum lm_gl_line_shape {
    LM_GL_LINE_THIN, /* a pixel wide; hidden by anything in front of it */
    LM_GL_LINE_BONE  /* an octahedron, widest near `from`, in front of everything drawn before.
                        Nearer bones cover others. A bone without length is not drawn */
} lm_gl_line_shape;

/* Draws lines. */
LM_GL_API bool lm_gl_draw_lines(lm_gl *gl, const lm_gl_view *view, const lm_gl_line *lines,
                                uint32_t num_lines, lm_gl_line_shape shape, lm_error *error);

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
 * each part blends its pose and that of `to`, as lm_scene_evaluate and lm_sample_blend do.
 * {0}: every part shows its first frame. */
typedef struct lm_gl_scene_instance {
    const lm_transform *transform; /* of the root; NULL: the identity */
    const lm_pose *poses; /* [num_parts], as lm_scene_pose makes them; NULL: first frames */
    const lm_pose *to;    /* [num_parts]; NULL: no cross-fade */
    const float *weights; /* [num_parts] 0 .. 1, of `to`; NULL without `to` */
    double seconds;       /* time of shaders' animations, from any start */
    uint64_t reserved[2]; /* zeros: room for later members */
} lm_gl_scene_instance;

/* Overlays. A scene without surfaces always shows its tags. */
enum {
    LM_GL_SHOW_BOX = 1,      /* around all parts; that of a single part turns with it */
    LM_GL_SHOW_GRID = 2,     /* on the ground, about 16 lines, a power of two apart */
    LM_GL_SHOW_AXES = 4,     /* of the first part, in the size of all: x red, y green, z blue */
    LM_GL_SHOW_TAGS = 8,     /* as axes */
    LM_GL_SHOW_SHADOW = 16,  /* soft, on the ground; only visible from above */
    LM_GL_SHOW_NORMALS = 32, /* a line per vertex; x, y, z as red, green, blue */
    LM_GL_SHOW_COMMANDS = 64 /* strips and fans of MD2's GL commands, each in its own colour */
};

/* A bounding box, made by lm_gl_scene_fit. */
typedef struct lm_gl_box {
    lm_vec3 min;          /* lowest coordinates */
    lm_vec3 max;          /* highest coordinates */
    bool any;             /* it is not empty */
    uint64_t reserved[4]; /* zeros: room for later members */
} lm_gl_box;

/* Options for drawing a scene. */
typedef struct lm_gl_render_options {
    const lm_gl_box *extent; /* of all poses to show: the grid and the shadow are below it, and the
                                grid has its size; NULL or empty: of the pose */
    lm_gl_shade shade;       /* of all surfaces */
    lm_engine engine;        /* as in lm_gl_style */
    unsigned show;           /* LM_GL_SHOW_ flags */
    bool two_sided;          /* as in lm_gl_style */
    const lm_gl_environment *environment; /* the same */
    float exposure;                       /* the same */
    /* Highlights the triangles of a problem (lm_diagnostic_locate) in a part, in front of
     * everything. A single vertex becomes a cross that extends `mark_size` to each side. */
    const lm_diagnostic_triangle *marks; /* [num_marks] */
    uint32_t num_marks;                  /* 0: none */
    uint32_t marked_part;                /* their part of the scene */
    float mark_size;                     /* in units */
    uint64_t reserved[4];                /* zeros: room for later options */
} lm_gl_render_options;

/* Draws instances of a scene: all parts, then the overlays and marks. `options` NULL: {0}.
 *
 * Many instances take as many draw calls as lm_gl_draw needs. Surfaces with shaders are drawn once
 * per instance. Instances are drawn in order, so sort blended ones from far to near. With more than
 * one, `show` and `num_marks` must be 0. */
LM_GL_API bool lm_gl_scene_draw(lm_gl_scene *scene, const lm_gl_view *view,
                                const lm_gl_scene_instance *instances, uint32_t num_instances,
                                const lm_gl_render_options *options, lm_error *error);

/* Aims the camera at all drawn vertices of the instances together, moved by shaders and facing the
 * camera, and at what `show` adds: tags, the box, the axes. Sets target, distance and radius; all
 * vertices are then in the image, as large as possible, times `zoom`. Without any, the camera aims
 * at the origin. Gives the box of what it aims at, NULL allowed: the `extent` of
 * lm_gl_render_options. On failure, camera and box are unchanged. `options` NULL: {0}. */
LM_GL_API bool lm_gl_scene_fit(lm_gl_scene *scene, const lm_gl_scene_instance *instances,
                               uint32_t num_instances, const lm_gl_render_options *options,
                               lm_gl_camera *camera, lm_gl_box *box, lm_error *error);

/* Estimates how many times drawing an instance fills an image of width x height pixels: the parts
 * of its triangles that are in the image, hidden ones too, each as often as its shader has stages.
 * A software driver needs time in proportion to this and to the image. Most models fill an image
 * fewer than 10 times; a hostile file of a megabyte, 40,000 times. `options` NULL: {0}. */
LM_GL_API bool lm_gl_scene_fill(lm_gl_scene *scene, const lm_gl_view *view,
                                const lm_gl_scene_instance *instance, uint32_t width,
                                uint32_t height, const lm_gl_render_options *options, double *fill,
                                lm_error *error);

/* ---- Offscreen targets --------------------------------------------------------------------- */

#define LM_MAX_GL_SAMPLES 64 /* per pixel */

/* Makes a framebuffer of its own, with `samples` per pixel, at most LM_MAX_GL_SAMPLES; 0 and 1: no
 * multisampling. Every driver supports up to 4. If the driver supports fewer than requested, the
 * framebuffer is larger than the image, and lm_gl_target_read reduces it. */
LM_GL_API lm_gl_target *lm_gl_target_new(lm_gl *gl, uint32_t width, uint32_t height,
                                         uint32_t samples, lm_error *error);
/* Frees a target and its framebuffer. */
LM_GL_API void lm_gl_target_free(lm_gl_target *target);
/* Copies the image that lm_gl_begin began to `pixels`: 4 * width * height bytes of red, green,
 * blue, alpha, not premultiplied, rows from the top. Bind your own framebuffer again afterwards. */
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
