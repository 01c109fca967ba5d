/* A stage: a WebGL context with its camera. JavaScript makes the context current before each call.
 */
#include "orbit.h"
#include "web.h"

#include "../../gl/gl_api.h"

#include <inttypes.h>
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
    lm_buffer aimed_poses, aimed_times; /* of web_stage_aim_pose */
    lm_gl_box extent;                   /* of what the camera is aimed at */
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
    lm_buffer_free(&stage->aimed_poses);
    lm_buffer_free(&stage->aimed_times);
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

/* ---- The camera ---------------------------------------------------------------------------- */

/* Returns the camera to read or write: [8] target x, y, z, azimuth, elevation, distance, field of
 * view, radius. */
float *WEB_EXPORT(web_stage_camera)(web_stage *stage) {
    _Static_assert(offsetof(lm_gl_camera, radius) == 7 * sizeof(float), "it begins with 8 floats");
    return &stage->orbit.camera.target.x;
}

/* Aims the camera at several poses together: call begin, then aim_pose once per pose of a scene,
 * then end. */
void WEB_EXPORT(web_stage_aim_begin)(web_stage *stage, float aspect) {
    stage->orbit.camera.aspect = aspect;
    stage->aimed_poses.size = stage->aimed_times.size = 0;
    stage->aimed_poses.failed = stage->aimed_times.failed = false;
}

bool WEB_EXPORT(web_stage_aim_pose)(web_stage *stage, const web_scene *scene, double seconds) {
    lm_buffer_append(&stage->aimed_poses, scene->poses,
                     scene->assets->scene->num_parts * sizeof *scene->poses);
    lm_buffer_append(&stage->aimed_times, &seconds, sizeof seconds);
    return (!stage->aimed_poses.failed && !stage->aimed_times.failed) ||
           lmi_fail_memory(&web_error);
}

bool WEB_EXPORT(web_stage_aim_end)(web_stage *stage, web_scene *scene) {
    const lm_pose *poses = (const lm_pose *)(const void *)stage->aimed_poses.data;
    const double *times = (const double *)(const void *)stage->aimed_times.data;
    const size_t count = stage->aimed_times.size / sizeof *times;
    lm_gl_scene_instance *all = calloc(count + 1, sizeof *all);
    for (size_t i = 0; all && i < count; i++)
        all[i] = (lm_gl_scene_instance){.poses = poses + i * scene->assets->scene->num_parts,
                                        .seconds = times[i]};
    const bool aimed = all ? add_scene(stage, scene) &&
                                 orbit_aim(&stage->orbit, scene->gl_scene, all, (uint32_t)count,
                                           NULL, &stage->extent, &web_error)
                           : lmi_fail_memory(&web_error);
    free(all);
    return aimed;
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
    _Static_assert(offsetof(web_light, environment) == 2 * sizeof(float) &&
                       offsetof(lm_gl_environment, reserved) == 18 * sizeof(float),
                   "a light begins with 20 floats");
    return &stage->light.exposure;
}

/* ---- Drawing ------------------------------------------------------------------------------- */

/* Drawing flags. web/lib/stage.js has the same numbers. */
enum {
    WEB_TWO_SIDED = 1 << 8, /* above LM_GL_SHOW_... */
    WEB_BACKDROP = 1 << 9,
    WEB_DARK = 1 << 10,
    WEB_EDGES = 1 << 11,
    WEB_LIGHT = 1 << 12,
    WEB_EYE = 1 << 13
};

/* Begins an image in `target`; NULL: in the canvas. */
static bool begin(const web_stage *stage, lm_gl_target *target, uint32_t width, uint32_t height,
                  unsigned flags) {
    lm_gl_background background = {.gradient = (flags & WEB_BACKDROP) != 0};
    if (flags & WEB_DARK)
        background = (lm_gl_background){.gradient = background.gradient,
                                        .middle = {0x4e, 0x52, 0x58},
                                        .edge = {0x1c, 0x1e, 0x22}};
    else if (flags & WEB_LIGHT)
        background = (lm_gl_background){.gradient = background.gradient,
                                        .middle = {0xf2, 0xf4, 0xf7},
                                        .edge = {0xbc, 0xc4, 0xce}};
    return lm_gl_begin(stage->gl, target, width, height, &background, &web_error);
}

static bool draw(web_stage *stage, web_scene *scene, float aspect, lm_gl_shade shade,
                 unsigned flags, double seconds) {
    lm_gl_view view;
    const lm_gl_scene_instance instance = {.poses = scene->poses, .seconds = seconds};
    const bool at_eye = (flags & WEB_EYE) != 0;
    const lm_gl_camera eye = orbit_eye(aspect, 1);
    lm_gl_render_options options = {.shade = shade,
                                    .show = flags & (at_eye ? 0xffu & ~LM_GL_SHOW_SHADOW : 0xffu),
                                    .two_sided = (flags & WEB_TWO_SIDED) != 0,
                                    .environment =
                                        stage->light.given > 0 ? &stage->light.environment : NULL,
                                    .exposure = stage->light.exposure,
                                    .extent = &stage->extent};
    stage->orbit.camera.aspect = aspect;
    lm_gl_camera_view(at_eye ? &eye : &stage->orbit.camera, &view);
    if (!add_scene(stage, scene))
        return false;
    if (flags & WEB_EDGES) {
        if (!lm_gl_scene_draw(scene->gl_scene, &view, &instance, 1, &options, &web_error))
            return false;
        options.shade = LM_GL_SHADE_WIRE;
        options.show = 0;
    }
    options.marks = (const lm_diagnostic_triangle *)(const void *)scene->marks.data;
    options.num_marks = (uint32_t)(scene->marks.size / sizeof *options.marks);
    options.marked_part = scene->marked_part;
    options.mark_size = stage->orbit.extent * 0.0125f;
    return lm_gl_scene_draw(scene->gl_scene, &view, &instance, 1, &options, &web_error) &&
           (!scene->draw_overlay || scene->draw_overlay(scene, stage->gl, &view));
}

/* Draws on the bound framebuffer, a canvas of this size. */
bool WEB_EXPORT(web_stage_draw)(web_stage *stage, web_scene *scene, uint32_t width, uint32_t height,
                                lm_gl_shade shade, unsigned flags, double seconds) {
    return begin(stage, NULL, width, height, flags) &&
           draw(stage, scene, (float)width / (float)height, shade, flags, seconds);
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
    const uint64_t size = (uint64_t)width * height * 4;
    if (size > INT32_MAX)
        return lm_fail_plain(&web_error, LM_CODE_LIMIT, "the picture needs %" PRIu64 " bytes",
                             size);
    if (!make_target(stage, width, height, samples))
        return false;
    uint8_t *pixels = lm_buffer_reserve(web_begin(), (size_t)size);
    if (!pixels)
        return web_end();
    return begin(stage, stage->target, 0, 0, flags) &&
           draw(stage, scene, (float)width / (float)height, shade, flags, seconds) &&
           lm_gl_target_read(stage->target, pixels, &web_error);
}
