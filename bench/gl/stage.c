#include "stage.h"

#include "harness.h"
#include "immediate.h"
#include "lerpmesh/files.h"

#include <epoxy/gl.h>
#include <stdlib.h>

/* ---- Drawing ------------------------------------------------------------------------------- */

static const float grey[4] = {0.2f, 0.2f, 0.2f, 1};

static lm_pose pose_of(const stage *s, int i) {
    uint32_t count = s->models[0]->num_frames;
    return (lm_pose){(uint32_t)i % count, (uint32_t)(i + 1) % count, 0.5f};
}

static void draw_immediate(const stage *s, bool commands, lm_pose pose) {
    glUseProgram(0);
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_CULL_FACE);
    glFrontFace(GL_CW);
    glDisable(GL_BLEND);
    glMatrixMode(GL_PROJECTION);
    glLoadMatrixf(s->view.matrix);
    glActiveTexture(GL_TEXTURE0);
    glEnable(GL_TEXTURE_2D);
    glBindTexture(GL_TEXTURE_2D, s->texture);
    (commands ? immediate_commands : immediate_triangles)(s->models[commands], pose);
}

void draw_scene(void *context) {
    const scene *c = context;
    stage *s = c->stage;
    const lm_gl_style style = {.shade = LM_GL_TEXTURE, .texture = s->skin};
    lm_gl_target_begin(c->times > 1 ? s->small : s->large, grey);
    for (int i = 0; i < c->times; i++) {
        const lm_gl_instance instance = {LM_TRANSFORM_IDENTITY, .pose = pose_of(s, i)};
        if (c->immediate)
            draw_immediate(s, c->commands, instance.pose);
        else if (!lm_gl_draw(s->drawn[c->commands], &s->view, &instance, &style, NULL))
            s->failed = true;
    }
    glFinish();
}

static void draw_many(stage *s, const lm_gl_instance *instances) {
    lm_gl_target_begin(s->small, grey);
    if (!lm_gl_draw_instances(s->drawn[0], &s->view, instances, STAGE_INSTANCES,
                              &(lm_gl_style){.texture = s->skin}, NULL))
        s->failed = true;
    glFinish();
}

void draw_instanced(void *context) {
    stage *s = context;
    draw_many(s, s->instances);
}

void draw_fading(void *context) {
    stage *s = context;
    draw_many(s, s->fading);
}

void draw_one_by_one(void *context) {
    stage *s = context;
    const lm_gl_style style = {.texture = s->skin};
    lm_gl_target_begin(s->small, grey);
    for (int i = 0; i < STAGE_INSTANCES; i++)
        if (!lm_gl_draw(s->drawn[0], &s->view, &s->instances[i], &style, NULL))
            s->failed = true;
    glFinish();
}

void draw_scene_instances(void *context) {
    stage *s = context;
    lm_gl_target_begin(s->small, grey);
    if (!lm_gl_scene_draw_instances(s->drawn_scene, &s->view, s->scenes, STAGE_SCENES, NULL, NULL))
        s->failed = true;
    glFinish();
}

void draw_scenes_one_by_one(void *context) {
    stage *s = context;
    lm_gl_target_begin(s->small, grey);
    for (int i = 0; i < STAGE_SCENES; i++)
        if (!lm_gl_scene_pose(s->drawn_scene, &s->scenes[i], NULL) ||
            !lm_gl_scene_draw(s->drawn_scene, &s->view, NULL, NULL))
            s->failed = true;
    glFinish();
}

void draw_thumbnail(void *context) {
    stage *s = context;
    const lm_gl_image image = {s->image->width, s->image->height, s->image->pixels};
    const lm_model fresh = *s->models[0]; /* a copy, not the one already in the renderer */
    lm_gl_model *model = lm_gl_model_new(s->gl, &fresh, NULL);
    lm_gl_texture *skin = lm_gl_texture_new(s->gl, &image, LM_GL_PLAIN, NULL);
    lm_buffer png = {0};
    lm_gl_target_begin(s->thumbnail, grey);
    if (!model || !skin ||
        !lm_gl_draw(model, &s->view, &s->instances[0], &(lm_gl_style){.texture = skin}, NULL) ||
        !lm_gl_target_read(s->thumbnail, s->pixels, NULL) ||
        !lm_image_write_png(&(lm_image){.format = "",
                                        .width = STAGE_PASSPORT,
                                        .height = STAGE_PASSPORT,
                                        .pixels = s->pixels,
                                        .opaque = true},
                            &png, NULL))
        s->failed = true;
    lm_buffer_free(&png);
    lm_gl_texture_free(skin);
    lm_gl_model_free(model);
}

/* ---- Opening ------------------------------------------------------------------------------- */

static bool load(stage *s, const char *model, const char *skin, lm_error *error) {
    lm_file file;
    for (int i = 0; i < 2; i++) {
        lm_load_options options = {.topology = i ? LM_TOPOLOGY_GL_COMMANDS : LM_TOPOLOGY_TRIANGLES};
        s->models[i] = lm_load_file(model, &options, error);
        s->drawn[i] = s->models[i] ? lm_gl_model_new(s->gl, s->models[i], error) : NULL;
        if (!s->drawn[i])
            return false;
    }
    if (!lm_file_read(skin, 0, &file, error))
        return false;
    s->image = lm_image_read(file.data, file.size, NULL, error);
    lm_file_free(&file);
    const lm_gl_image image = {s->image ? s->image->width : 0, s->image ? s->image->height : 0,
                               s->image ? s->image->pixels : NULL};
    s->skin = s->image ? lm_gl_texture_new(s->gl, &image, LM_GL_PLAIN, error) : NULL;
    return s->skin != NULL;
}

/* Immediate mode uses the same texture filter. */
static void make_texture(stage *s) {
    glGenTextures(1, &s->texture);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, s->texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_NEAREST);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, (GLsizei)s->image->width, (GLsizei)s->image->height, 0,
                 GL_RGBA, GL_UNSIGNED_BYTE, s->image->pixels);
    glGenerateMipmap(GL_TEXTURE_2D);
}

static void place(stage *s) {
    lm_vec3 min, max;
    lm_gl_camera camera = {.azimuth = 20};
    lm_bounds(s->models[0], 0, s->models[0]->num_frames, &min, &max);
    lm_gl_camera_fit(&camera, &min, &max, 1, 1);
    lm_gl_camera_view(&camera, 1, &s->view);
    s->instances = bench_alloc(STAGE_INSTANCES * sizeof *s->instances);
    s->fading = bench_alloc(STAGE_INSTANCES * sizeof *s->fading);
    s->pixels = bench_alloc(4 * STAGE_PASSPORT * STAGE_PASSPORT);
    for (int i = 0; i < STAGE_INSTANCES; i++) {
        s->instances[i] = (lm_gl_instance){LM_TRANSFORM_IDENTITY, .pose = pose_of(s, i)};
        int row = i / 100, column = i % 100;
        s->instances[i].transform.origin = (lm_vec3){(float)(-10 * row), (float)(column - 50), 0};
        s->fading[i] = s->instances[i];
        s->fading[i].to = pose_of(s, i + 7);
        s->fading[i].weight = 0.5f;
    }
}

/* Makes scenes of three parts, each with the pose and transform of an instance. */
static bool make_scenes(stage *s, lm_error *error) {
    for (uint32_t i = 0; i < STAGE_PARTS; i++)
        s->parts[i] = (lm_scene_part){.model = s->models[0], .parent = i > 0 ? i - 1 : 0};
    s->scene = (lm_scene){.num_parts = STAGE_PARTS, .parts = s->parts};
    s->scenes = bench_alloc(STAGE_SCENES * sizeof *s->scenes);
    s->poses = bench_alloc((size_t)STAGE_SCENES * STAGE_PARTS * sizeof *s->poses);
    for (int i = 0; i < STAGE_SCENES; i++) {
        lm_pose *poses = s->poses + (size_t)i * STAGE_PARTS;
        for (int k = 0; k < STAGE_PARTS; k++)
            poses[k] = pose_of(s, i + k);
        s->scenes[i] =
            (lm_gl_scene_instance){.transform = &s->instances[i].transform, .poses = poses};
    }
    s->drawn_scene = lm_gl_scene_new(s->gl, &s->scene, error);
    return s->drawn_scene != NULL;
}

bool stage_open(stage *s, const char *model, const char *skin, lm_error *error) {
    *s = (stage){0};
    s->gl = lm_gl_new(NULL, error);
    s->large = s->gl ? lm_gl_target_new(s->gl, 512, 512, 0, error) : NULL;
    s->small = s->large ? lm_gl_target_new(s->gl, 32, 32, 0, error) : NULL;
    s->thumbnail =
        s->small ? lm_gl_target_new(s->gl, STAGE_PASSPORT, STAGE_PASSPORT, 4, error) : NULL;
    if (!s->thumbnail || !load(s, model, skin, error))
        return false;
    make_texture(s);
    place(s);
    return make_scenes(s, error);
}

void stage_close(stage *s) {
    lm_gl_scene_free(s->drawn_scene);
    for (int i = 0; i < 2; i++) {
        lm_gl_model_free(s->drawn[i]);
        lm_model_free(s->models[i]);
    }
    lm_gl_texture_free(s->skin);
    lm_image_free(s->image);
    lm_gl_target_free(s->large);
    lm_gl_target_free(s->small);
    lm_gl_target_free(s->thumbnail);
    glDeleteTextures(1, &s->texture);
    lm_gl_free(s->gl);
    free(s->instances);
    free(s->fading);
    free(s->scenes);
    free(s->poses);
    free(s->pixels);
}
