/* A stage: a WebGL context with its camera. JavaScript makes the context current before each call.
 */
#include "orbit.h"
#include "web.h"

#include "../../gl/gl_api.h"

#include <stdlib.h>
#include <string.h>

/* ---- OpenGL -------------------------------------------------------------------------------- */

/* Imports of WebGL 2, which web/lib/graphics.js implements under OpenGL ES names. */
#define IMPORT_V(name, parameters, arguments) WEB_IMPORT("gl", #name) void web_gl##name parameters;
#define IMPORT_R(type, name, parameters, arguments) \
    WEB_IMPORT("gl", #name) type web_gl##name parameters;
GL_FUNCTIONS(IMPORT_V, IMPORT_R)

typedef void (*any_function)(void);

static const struct {
    const char *name;
    any_function function;
} functions[] = {
#define ENTRY_V(name, parameters, arguments) {"gl" #name, (any_function)web_gl##name},
#define ENTRY_R(type, name, parameters, arguments) {"gl" #name, (any_function)web_gl##name},
    GL_FUNCTIONS(ENTRY_V, ENTRY_R)};

static void *get_proc(void *user, const char *name) {
    (void)user;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strcmp(functions[i].name, name) == 0)
            return (void *)functions[i].function;
    return NULL;
}

/* ---- Stages -------------------------------------------------------------------------------- */

typedef struct web_light {
    float exposure;
    float given; /* 0: the studio's lights, not the environment */
    lm_gl_environment environment;
} web_light;

typedef struct web_stage {
    lm_gl *gl;
    lm_gl_target *target;            /* for screenshots; NULL: none yet */
    uint32_t width, height, samples; /* of `target` */
    orbit_camera orbit;
    lm_gl_fit fit;
    web_light light;
} web_stage;

web_stage *WEB_EXPORT(web_stage_new)(void) {
    const lm_gl_options options = {.get_proc = get_proc};
    web_stage *stage = calloc(1, sizeof *stage);
    if (stage)
        stage->gl = lm_gl_new(&options, &web_error);
    else
        lm_fail_plain(&web_error, LM_CODE_OUT_OF_MEMORY, "out of memory");
    if (stage && stage->gl)
        return stage;
    free(stage);
    return NULL;
}

/* Frees a stage. Its scenes must have been removed before. `lost`: the context is lost. */
void WEB_EXPORT(web_stage_free)(web_stage *stage, bool lost) {
    if (lost)
        lm_gl_context_lost(stage->gl);
    lm_gl_target_free(stage->target);
    lm_gl_free(stage->gl);
    free(stage);
}

const char *WEB_EXPORT(web_stage_driver)(const web_stage *stage) {
    return lm_gl_driver(stage->gl);
}

/* Uploads a scene to this stage, unless it is uploaded already. */
static bool add_scene(web_stage *stage, web_scene *scene) {
    if (!scene->gl_scene)
        scene->gl_scene = lm_gl_scene_new(stage->gl, scene->assets->scene, &web_error);
    return scene->gl_scene != NULL;
}

/* Frees the uploaded scene. `lost`: the context is lost. */
void WEB_EXPORT(web_stage_remove)(web_scene *scene, web_stage *stage, bool lost) {
    if (lost)
        lm_gl_context_lost(stage->gl);
    lm_gl_scene_free(scene->gl_scene);
    scene->gl_scene = NULL;
}

static bool pose(const web_scene *scene) {
    return lm_gl_scene_pose(scene->gl_scene, &(lm_gl_scene_instance){.poses = scene->poses},
                            &web_error);
}

/* ---- The camera ---------------------------------------------------------------------------- */

/* Returns the camera to read or write: [8] target x, y, z, azimuth, elevation, distance, field of
 * view, radius. */
float *WEB_EXPORT(web_stage_camera)(web_stage *stage) {
    _Static_assert(sizeof(lm_gl_camera) == 8 * sizeof(float), "a camera is 8 floats");
    return &stage->orbit.camera.target.x;
}

/* Aims the camera at several poses together: call begin, then aim_pose once per pose, then end. */
void WEB_EXPORT(web_stage_aim_begin)(web_stage *stage, float aspect) {
    orbit_begin_aim(&stage->orbit, &stage->fit, aspect);
}

bool WEB_EXPORT(web_stage_aim_pose)(web_stage *stage, web_scene *scene, double seconds) {
    const lm_gl_render_options options = {.seconds = seconds};
    return add_scene(stage, scene) && pose(scene) &&
           lm_gl_scene_fit(scene->gl_scene, &options, &stage->fit, &web_error);
}

void WEB_EXPORT(web_stage_aim_end)(web_stage *stage) {
    orbit_aim(&stage->orbit, &stage->fit);
}

void WEB_EXPORT(web_stage_rotate)(web_stage *stage, float azimuth, float elevation) {
    orbit_turn(&stage->orbit, azimuth, elevation);
}

void WEB_EXPORT(web_stage_zoom)(web_stage *stage, float factor) {
    orbit_zoom(&stage->orbit, factor);
}

void WEB_EXPORT(web_stage_pan)(web_stage *stage, float dx, float dy, float height) {
    orbit_pan(&stage->orbit, dx, dy, height);
}

/* Returns the light to write: [20] exposure, 1 if the environment follows, the environment. */
float *WEB_EXPORT(web_stage_light)(web_stage *stage) {
    _Static_assert(sizeof(web_light) == 20 * sizeof(float), "a light is 20 floats");
    return &stage->light.exposure;
}

/* ---- Drawing ------------------------------------------------------------------------------- */

/* Drawing flags. web/lib/stage.js has the same numbers. */
enum {
    WEB_TWO_SIDED = 1 << 8, /* above LM_GL_SHOW_... */
    WEB_BACKDROP = 1 << 9,
    WEB_DARK = 1 << 10,
    WEB_EDGES = 1 << 11,
    WEB_LIGHT = 1 << 12
};

static bool draw_backdrop(const web_stage *stage, unsigned flags) {
    static const uint8_t dark[] = {0x4e, 0x52, 0x58, 0x1c, 0x1e, 0x22},
                         light[] = {0xf2, 0xf4, 0xf7, 0xbc, 0xc4, 0xce};
    const uint8_t *middle = flags & WEB_DARK ? dark : flags & WEB_LIGHT ? light : NULL;
    return !(flags & WEB_BACKDROP) ||
           lm_gl_draw_backdrop(stage->gl, middle, middle ? middle + 3 : NULL, &web_error);
}

static bool draw_marks(const web_stage *stage, const web_scene *scene, const lm_gl_view *view) {
    const size_t count = scene->marks.size / sizeof(lm_diagnostic_triangle);
    return count == 0 ||
           lm_gl_scene_mark(scene->gl_scene, view, scene->marked_part,
                            (const lm_diagnostic_triangle *)(const void *)scene->marks.data,
                            (uint32_t)count, stage->orbit.extent * 0.0125f, &web_error);
}

static bool draw(web_stage *stage, web_scene *scene, float aspect, lm_gl_shade shade,
                 unsigned flags, double seconds) {
    lm_gl_view view;
    lm_gl_render_options options = {.shade = shade,
                                    .show = flags & 0xff,
                                    .two_sided = (flags & WEB_TWO_SIDED) != 0,
                                    .environment =
                                        stage->light.given > 0 ? &stage->light.environment : NULL,
                                    .exposure = stage->light.exposure,
                                    .fit = &stage->fit,
                                    .seconds = seconds};
    lm_gl_camera_view(&stage->orbit.camera, aspect, &view);
    if (!draw_backdrop(stage, flags) || !add_scene(stage, scene) || !pose(scene) ||
        !lm_gl_scene_draw(scene->gl_scene, &view, &options, &web_error))
        return false;
    options.shade = LM_GL_WIRE;
    options.show = 0;
    return (!(flags & WEB_EDGES) ||
            lm_gl_scene_draw(scene->gl_scene, &view, &options, &web_error)) &&
           draw_marks(stage, scene, &view) &&
           (!scene->draw_overlay || scene->draw_overlay(scene, stage->gl, &view));
}

static const float nothing[4] = {0, 0, 0, 0};

/* Draws on the bound framebuffer, a canvas of this size. */
bool WEB_EXPORT(web_stage_draw)(web_stage *stage, web_scene *scene, uint32_t width, uint32_t height,
                                lm_gl_shade shade, unsigned flags, double seconds) {
    lm_gl_clear(stage->gl, width, height, nothing);
    return draw(stage, scene, (float)width / (float)height, shade, flags, seconds);
}

static bool make_target(web_stage *stage, uint32_t width, uint32_t height, uint32_t samples) {
    if (stage->target && stage->width == width && stage->height == height &&
        stage->samples == samples)
        return true;
    lm_gl_target_free(stage->target);
    stage->target = lm_gl_target_new(stage->gl, width, height, samples, &web_error);
    stage->width = width, stage->height = height, stage->samples = samples;
    return stage->target != NULL;
}

/* Draws a screenshot into the result: [4 * width * height] bytes, RGBA. */
bool WEB_EXPORT(web_stage_image)(web_stage *stage, web_scene *scene, uint32_t width,
                                 uint32_t height, uint32_t samples, lm_gl_shade shade,
                                 unsigned flags, double seconds) {
    if (!make_target(stage, width, height, samples))
        return false;
    uint8_t *pixels = lm_buffer_reserve(web_begin(), (size_t)width * height * 4);
    if (!pixels)
        return web_end();
    lm_gl_target_begin(stage->target, nothing);
    return draw(stage, scene, (float)width / (float)height, shade, flags, seconds) &&
           lm_gl_target_read(stage->target, pixels, &web_error);
}
