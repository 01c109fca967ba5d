/* lerpmesh/gl.h - drawing models with OpenGL 3.3 core or OpenGL ES 3.0: the library lerpmesh-gl.
 *
 *     #include <lerpmesh/gl.h>
 *
 *     // Draws a model's first frame with the context that is current.
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
 * Programs keep what they made from one picture to the next. lm_gl_style says what is worn and in
 * which light; lm_gl_scene draws several models with their skins.
 *
 * The caller brings a context and keeps it current in every call; nothing here knows windows. All
 * frames of a model are uploaded once, as the packed bytes of the file: a pose is two offsets into
 * one buffer, and the vertex shader decodes and mixes. Drawing costs the CPU the same whatever the
 * number of vertices.
 *
 * A renderer and all that was made with it belong to one context (or to contexts that share
 * objects, vertex arrays excepted) and to one thread at a time. Calls set what state they need and
 * leave behind: program, vertex array, array, element and unpack buffers, textures of units 0 to 4,
 * depth test, face culling, blending, colour mask and polygon offset. Framebuffer and viewport are
 * the caller's, but for lm_gl_clear and lm_gl_target_begin.
 *
 * Errors are sentences in lm_error, with LM_CODE_GRAPHICS where the driver is
 * to blame.
 */
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

/* ---- The renderer ---------------------------------------------------------------------------- */

typedef struct lm_gl lm_gl;
typedef struct lm_gl_model lm_gl_model;
typedef struct lm_gl_skin lm_gl_skin;
typedef struct lm_gl_target lm_gl_target;

typedef struct lm_gl_options {
    /* Gives the function of OpenGL of that name ("glClear"), NULL where there is none:
     * eglGetProcAddress, glXGetProcAddress, SDL_GL_GetProcAddress, with `user` before the name. It
     * is called in lm_gl_new only. NULL: libepoxy finds the functions, where it was built in
     * (LM_CODE_NOT_BUILT_IN where not). */
    void *(*get_proc)(void *user, const char *name);
    void *user;
    uint64_t reserved[4]; /* zeros: room for later options */
} lm_gl_options;

/* Makes a renderer for the current context. Shaders are compiled when first needed. `options` may
 * be NULL. */
LM_GL_API lm_gl *lm_gl_new(const lm_gl_options *options, lm_error *error);

/* Frees the renderer. Free its models, skins and targets first. NULL is allowed, as in all
 * functions that free. */
LM_GL_API void lm_gl_free(lm_gl *gl);

/* The context is lost: what was in it is gone already. From now on freeing makes no GL calls, and
 * drawing fails with a sentence. Free everything and begin again with lm_gl_new. */
LM_GL_API void lm_gl_context_lost(lm_gl *gl);

/* What draws: "llvmpipe (LLVM 14.0.6, 256 bits), OpenGL 4.5". */
LM_GL_API const char *lm_gl_driver(const lm_gl *gl);

/* ---- What is drawn --------------------------------------------------------------------------- */

/* Uploads a model, which must live until lm_gl_model_free. Drawn as triangles, or as the strips and
 * fans of the GL commands where it was loaded with LM_TOPOLOGY_GL_COMMANDS.
 *
 * A renderer uploads a model once: while it is there, another call for it returns the same object,
 * and each call needs an lm_gl_model_free of its own. Scenes share models, and the pixels of their
 * textures, in this way. */
LM_GL_API lm_gl_model *lm_gl_model_new(lm_gl *gl, const lm_model *model, lm_error *error);
LM_GL_API void lm_gl_model_free(lm_gl_model *model);

/* A picture of the caller's: 4 * width * height bytes of red, green, blue, alpha, rows from the
 * top. */
typedef struct lm_gl_image {
    uint32_t width, height; /* >= 1 */
    const uint8_t *pixels;
} lm_gl_image;

typedef enum lm_gl_filter {
    LM_GL_SMOOTH, /* linear in and between mipmaps, anisotropic where the driver can and is no
                     processor */
    LM_GL_PIXELS, /* each texel a square */
    LM_GL_PLAIN   /* linear in the nearest mipmap, as the games have it by default: half the work of
                     a software driver */
} lm_gl_filter;

/* Uploads a picture, which may go afterwards. Its colours are sRGB, its mipmaps means of light. One
 * larger than the driver takes is thinned out. */
LM_GL_API lm_gl_skin *lm_gl_skin_new(lm_gl *gl, const lm_gl_image *image, lm_gl_filter filter,
                                     lm_error *error);
LM_GL_API void lm_gl_skin_free(lm_gl_skin *skin);

/* ---- From where ------------------------------------------------------------------------------ */

/* A camera that looks at a point. Azimuth 0 looks at the model's face, from +x; 90 at its left
 * side, from +y; elevation 90 from above. */
typedef struct lm_gl_camera {
    lm_vec3 target;
    float azimuth, elevation; /* degrees */
    float distance;           /* from target, > 0 */
    float field_of_view;      /* degrees from top to bottom; 0: LM_GL_FIELD_OF_VIEW */
    float radius;             /* around target nothing is cut off within it; fitting leaves room
                                 for a shadow */
} lm_gl_camera;

#define LM_GL_FIELD_OF_VIEW 25.0f

/* Aims at a box and sets target, distance and radius so that the box just fits into the picture
 * (of width / height `aspect`) times `zoom` (1: just; 2: twice as large). Keeps the angles. Numbers
 * that are not finite count as 0; a box without extent gets a little. */
LM_GL_API void lm_gl_camera_fit(lm_gl_camera *camera, const lm_vec3 *min, const lm_vec3 *max,
                                float aspect, float zoom);

/* Aims at things themselves, which fill the picture better than the box around them:
 *     lm_gl_fit fit;
 *     lm_gl_fit_begin(&fit, &camera, aspect, zoom, NULL);
 *     lm_gl_fit_point(&fit, &point);  for each, or lm_gl_scene_fit for each pose of a scene
 *     lm_gl_fit_end(&fit, &camera);
 * All points lie in the picture then, and it could not be larger. */
typedef struct lm_gl_fit {
    double axes[3][3];    /* right, up, toward the eye */
    double width, height; /* half of the picture's at distance 1 */
    double axis[2];       /* x and y of the vertical axis, where `turns` */
    bool turns;
    bool any;              /* there was a point */
    double most[4];        /* how far right, left, up, down the pyramid of sight must reach */
    double min[3], max[3]; /* around all points */
} lm_gl_fit;

/* `zoom` as in lm_gl_camera_fit. `axis`: the points are seen from all sides, the camera going
 * around a vertical axis through this point; NULL: from its own side only. */
LM_GL_API void lm_gl_fit_begin(lm_gl_fit *fit, const lm_gl_camera *camera, float aspect, float zoom,
                               const lm_vec3 *axis);
/* One that is not finite does not count. */
LM_GL_API void lm_gl_fit_point(lm_gl_fit *fit, const lm_vec3 *point);
/* Sets target, distance and radius; without a point, to the origin. */
LM_GL_API void lm_gl_fit_end(const lm_gl_fit *fit, lm_gl_camera *camera);

/* What a camera sees, for the shaders. */
typedef struct lm_gl_view {
    float matrix[16];          /* from model space to clip space, column by column */
    lm_vec3 right, up, toward; /* the camera's axes; toward the eye */
    lm_vec3 eye;
} lm_gl_view;

LM_GL_API void lm_gl_camera_view(const lm_gl_camera *camera, float aspect, lm_gl_view *out);

/* ---- How ------------------------------------------------------------------------------------- */

typedef enum lm_gl_shade {
    LM_GL_STUDIO,  /* in the light of three lamps that move with the camera, and of a room; added up
                      in linear light, and safe from normals that point inward */
    LM_GL_TEXTURE, /* the skin as it is; as in the studio where there is none */
    LM_GL_NORMALS, /* x, y, z of the normal as red, green, blue */
    LM_GL_WIRE,    /* the edges that are not hidden */
    LM_GL_UV,      /* s as red and t as green, in a checkerboard of 16 x 16 */
    LM_GL_ENGINE   /* as a game lights it: see lm_gl_style.engine */
} lm_gl_shade;

typedef enum lm_gl_alpha {
    LM_GL_ALPHA_AUTO, /* as the skin needs: test where its alpha is all or nothing, blend where
                         there is more between, else opaque */
    LM_GL_ALPHA_OPAQUE,
    LM_GL_ALPHA_TEST, /* draws where alpha is at least a half */
    LM_GL_ALPHA_BLEND /* mixes with what is behind; draw such models last */
} lm_gl_alpha;

typedef struct lm_gl_style {
    const lm_gl_skin *skin;         /* for surfaces without one of their own; NULL: none */
    const lm_gl_skin *const *skins; /* [num_skins] for surface 0 on; entries may be NULL */
    uint32_t num_skins;
    lm_gl_shade shade;
    lm_gl_alpha alpha;
    bool two_sided; /* back faces too. The games cull them (front faces are clockwise), but where a
                       surface's shader says otherwise */
    lm_vec3 color;  /* of what has no skin, and of edges; 0, 0, 0: a grey, a blue */
    /* Whose light LM_GL_ENGINE is; LM_ENGINE_ANY: of the game that the format was made for. It is
     * what the game does where no map gives any: Quake II's menu, which doubles the texture's
     * colours; Quake at its brightest; Quake III's and RtCW's ambient and directed light by
     * default. Each vertex is lit, by the normal of the newer frame, in the colours' own scale. */
    lm_engine engine;
    uint64_t reserved[4]; /* zeros: room for later options */
} lm_gl_style;

/* ---- Drawing --------------------------------------------------------------------------------- */

/* Clears colour and depth of the bound framebuffer and sets the viewport to it. `color` is red,
 * green, blue, alpha, 0..1, already multiplied by alpha. */
LM_GL_API void lm_gl_clear(lm_gl *gl, uint32_t width, uint32_t height, const float color[4]);

/* Fills what was cleared with a quiet gradient, `middle` in the middle and `edge` in the corners:
 * red, green, blue as sRGB. NULL: those of the studio, neither light nor dark, so that black and
 * white figures stand out, and what glows. Draw it before all else. */
LM_GL_API bool lm_gl_draw_backdrop(lm_gl *gl, const uint8_t middle[3], const uint8_t edge[3],
                                   lm_error *error);

/* A model as it is drawn: its transform and its pose. During a cross-fade it is between `pose` and
 * `to`, as lm_sample_mix computes it; both are poses of the model, and {0} is one. The light is
 * exact if the axes of the transform are at right angles and of one length. */
typedef struct lm_gl_instance {
    lm_transform transform;
    lm_pose pose;
    lm_pose to;
    float weight; /* 0 .. 1, of `to` */
} lm_gl_instance;

/* Draws every surface of a model. `style` NULL: {0}. */
LM_GL_API bool lm_gl_draw(lm_gl_model *model, const lm_gl_view *view,
                          const lm_gl_instance *instance, const lm_gl_style *style,
                          lm_error *error);

/* Draws many instances with one draw call per surface (for GL commands one for strips, one for fans
 * and one for short ones of both). LM_GL_WIRE takes two. If one of them is in a cross-fade, the
 * driver does the work of a cross-fade for all of them. */
LM_GL_API bool lm_gl_draw_instances(lm_gl_model *model, const lm_gl_view *view,
                                    const lm_gl_instance *instances, uint32_t num_instances,
                                    const lm_gl_style *style, lm_error *error);

/* An end of a line. */
typedef struct lm_gl_point {
    lm_vec3 position;
    uint8_t rgba[4];
} lm_gl_point;

/* Draws a line between each two points. */
LM_GL_API bool lm_gl_draw_lines(lm_gl *gl, const lm_gl_view *view, const lm_gl_point *points,
                                uint32_t num_points, lm_error *error);
/* The edges of a box. */
LM_GL_API bool lm_gl_draw_box(lm_gl *gl, const lm_gl_view *view, const lm_transform *transform,
                              const lm_vec3 *min, const lm_vec3 *max, lm_error *error);
/* Axes of that length: x (forward) red, y (left) green, z (up) blue. */
LM_GL_API bool lm_gl_draw_axes(lm_gl *gl, const lm_gl_view *view, const lm_transform *transform,
                               float length, lm_error *error);
/* A square grid on the ground, centred below `center` at its height. Its lines are a power of two
 * apart, about 16 across. */
LM_GL_API bool lm_gl_draw_grid(lm_gl *gl, const lm_gl_view *view, const lm_vec3 *center,
                               float half_size, lm_error *error);
/* The tags of a model as axes. */
LM_GL_API bool lm_gl_draw_tags(lm_gl_model *model, const lm_gl_view *view,
                               const lm_gl_instance *instance, float length, lm_error *error);

/* ---- Scenes ---------------------------------------------------------------------------------- */

/* A scene (lerpmesh/scene.h) as the driver has it: its models uploaded with what they wear. */
typedef struct lm_gl_scene lm_gl_scene;

/* Uploads a scene that passes lm_scene_check and must live until lm_gl_scene_free, except for
 * models and textures that the renderer has already. A texture without pixels is left out. Each
 * part wears the skin that the scene says.
 *
 * A material with a shader (lerpmesh/scene.h) is drawn by it, in all shadings that show skins:
 * stage by stage, with its blending, tests and sides, in the order of `sort`. What the game lights
 * (LM_RGB_LIGHTING_DIFFUSE) is lit as the shading says; all else is as bright as the game draws it.
 * Colours blend in their own scale, as in the games. Such a surface's vertices are computed by the
 * processor, others' by the driver. */
LM_GL_API lm_gl_scene *lm_gl_scene_new(lm_gl *gl, const lm_scene *scene, lm_error *error);
LM_GL_API void lm_gl_scene_free(lm_gl_scene *scene);

/* A scene as it is drawn: the transform of its root, and the poses of its parts. During a
 * cross-fade each part is between its pose and that of `to`, as lm_scene_place_mix and
 * lm_sample_mix have it. */
typedef struct lm_gl_scene_instance {
    const lm_transform *transform;
    const lm_pose *poses; /* [num_parts], as lm_scene_pose makes them */
    const lm_pose *to;    /* [num_parts]; NULL: there is no cross-fade */
    const float *weights; /* [num_parts] 0 .. 1, of `to`; NULL without it */
} lm_gl_scene_instance;

/* Poses the scene for the calls below: every part, its attached parts and the root. Until the first
 * call all parts show their first frame. */
LM_GL_API bool lm_gl_scene_pose(lm_gl_scene *scene, const lm_gl_scene_instance *instance,
                                lm_error *error);

/* What is shown beside the models; a scene without surfaces shows its tags in any case. */
enum {
    LM_GL_SHOW_BOX = 1, /* of the first part, as are grid and axes */
    LM_GL_SHOW_GRID = 2,
    LM_GL_SHOW_AXES = 4,
    LM_GL_SHOW_TAGS = 8,
    LM_GL_SHOW_SHADOW = 16,  /* soft, on the ground; only from above */
    LM_GL_SHOW_NORMALS = 32, /* a line a vertex, x, y, z as red, green, blue */
    LM_GL_SHOW_COMMANDS = 64 /* the strips and fans of an MD2's GL commands, each in a colour */
};

/* A box that grows around things: start from {0}. */
typedef struct lm_gl_box {
    lm_vec3 min, max;
    bool any; /* there is something in it */
} lm_gl_box;

/* Joins the bounds of the scene in its pose. `show`: LM_GL_SHOW_ flags; LM_GL_SHOW_TAGS counts tags
 * too. Fails on unknown flags and leaves the box as it was. */
LM_GL_API bool lm_gl_scene_join(const lm_gl_scene *scene, unsigned show, lm_gl_box *box,
                                lm_error *error);

typedef struct lm_gl_render_options {
    const float *ground; /* the height of grid and shadow; NULL: the lowest point of the pose */
    double seconds;      /* the time of shaders' animations, from any beginning */
    lm_gl_shade shade;
    lm_engine engine; /* as in lm_gl_style */
    unsigned show;    /* LM_GL_SHOW_ flags */
    bool two_sided;
    uint64_t reserved[4]; /* zeros: room for later options */
} lm_gl_render_options;

/* Joins all vertices as they would be drawn in the scene's pose, moved as shaders say and turned
 * toward the fit's camera, and tags where they show. `options` NULL: {0}. Fails on unknown values
 * and leaves the fit as it was. */
LM_GL_API bool lm_gl_scene_fit(const lm_gl_scene *scene, const lm_gl_render_options *options,
                               lm_gl_fit *fit, lm_error *error);

/* Draws all parts, then what is shown beside them. `options` NULL: {0}. */
LM_GL_API bool lm_gl_scene_draw(const lm_gl_scene *scene, const lm_gl_view *view,
                                const lm_gl_render_options *options, lm_error *error);

/* Draws many instances of a scene, each with its own transform and poses, with the draw calls of
 * one: per surface as lm_gl_draw_instances has it. Surfaces with shaders take theirs for each
 * instance. Instances are drawn in their order, so blended ones come farthest first. `options` as
 * above, but nothing is shown beside the models: `show` must be 0. The pose of lm_gl_scene_pose
 * stays. */
LM_GL_API bool lm_gl_scene_draw_instances(const lm_gl_scene *scene, const lm_gl_view *view,
                                          const lm_gl_scene_instance *instances,
                                          uint32_t num_instances,
                                          const lm_gl_render_options *options, lm_error *error);

/* Marks triangles of a part that a problem is about (lm_problem_locate), in front of all else; a
 * vertex by itself is a cross that reaches `size` to each side. The scene has been posed. */
LM_GL_API bool lm_gl_scene_mark(const lm_gl_scene *scene, const lm_gl_view *view, uint32_t part,
                                const lm_problem_triangle *triangles, uint32_t num_triangles,
                                float size, lm_error *error);

/* ---- Pictures -------------------------------------------------------------------------------- */

/* A picture to draw on that is no window, with so many `samples` a pixel, at most
 * LM_GL_MAX_SAMPLES; 0 and 1: none. Up to 4 every driver has; where it has fewer than asked for,
 * what is drawn on is larger than the picture, and lm_gl_target_read makes it small. */
#define LM_GL_MAX_SAMPLES 64
LM_GL_API lm_gl_target *lm_gl_target_new(lm_gl *gl, uint32_t width, uint32_t height,
                                         uint32_t samples, lm_error *error);
LM_GL_API void lm_gl_target_free(lm_gl_target *target);
/* Binds its framebuffer and clears it, as lm_gl_clear does. */
LM_GL_API void lm_gl_target_begin(lm_gl_target *target, const float color[4]);
/* Copies what was drawn to `pixels`: 4 * width * height bytes of red, green, blue, alpha, not
 * multiplied by alpha, rows from the top. The caller's framebuffer must be bound again afterwards.
 */
LM_GL_API bool lm_gl_target_read(lm_gl_target *target, uint8_t *pixels, lm_error *error);

/* ---- Without a window ------------------------------------------------------------------------ */

/* A context by EGL that needs neither window nor display server: Mesa's surfaceless platform, else
 * the first device that EGL lists. */
typedef struct lm_gl_headless lm_gl_headless;

typedef struct lm_gl_headless_options {
    bool es;              /* OpenGL ES 3.0; else OpenGL 3.3 core, and ES where there is no such */
    bool compatibility;   /* OpenGL 3.3 with what core left out (for benchmarks) */
    bool debug;           /* a debug context */
    uint64_t reserved[4]; /* zeros: room for later options */
} lm_gl_headless_options;

/* Makes a context and makes it current. Where there is no driver the sentence names the package
 * that brings one. */
LM_GL_API lm_gl_headless *lm_gl_headless_new(const lm_gl_headless_options *options,
                                             lm_error *error);
LM_GL_API void lm_gl_headless_free(lm_gl_headless *headless);

#ifdef __cplusplus
}
#endif
#endif
