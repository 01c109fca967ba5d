/* Draws 144 instances of a model: crowd MODEL */
#include <SDL.h>
#include <lerpmesh/assets.h>
#include <lerpmesh/gl.h>

enum {
    SIDE = 12,
    COUNT = SIDE * SIDE
};
static lm_transform places[COUNT];
static lm_gl_scene_instance instances[COUNT];

int main(int argc, char **argv) {
    lm_error error = {.message = "usage: crowd MODEL"};
    lm_assets *assets =
        argc > 1 ? lm_assets_open(lm_vfs_new(NULL, &error), argv[1], NULL, &error) : NULL;
    if (!assets || !assets->scene)
        return SDL_Log("%s", error.message), 1;
    const lm_scene *scene = assets->scene;
    const lm_model *model = scene->parts[0].model;
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_CORE);
    SDL_Window *window = SDL_CreateWindow("crowd", 0, 0, 480, 480, SDL_WINDOW_OPENGL);
    if (!window || !SDL_GL_CreateContext(window))
        return SDL_Log("%s", SDL_GetError()), 1;
    lm_gl *gl = lm_gl_new(NULL, &error);
    lm_gl_scene *drawn = gl ? lm_gl_scene_new(gl, scene, &error) : NULL;
    if (!drawn)
        return SDL_Log("%s", error.message), 1;
    lm_gl_camera camera = {.azimuth = 20, .elevation = 20};
    lm_gl_camera_fit(&camera, &(lm_vec3){-290, -290, -24}, &(lm_vec3){290, 290, 32}, 1, 1.1f);
    lm_gl_view view;
    lm_gl_camera_view(&camera, 1, &view);
    const lm_transform identity = LM_TRANSFORM_IDENTITY;
    lm_pose *poses = calloc(COUNT, sizeof *poses);
    for (int i = 0; i < COUNT; i++) {
        places[i] = identity;
        places[i].origin = (lm_vec3){50.0f * (i / SIDE) - 275, 50.0f * (i % SIDE) - 275, 0};
        instances[i] = (lm_gl_scene_instance){.transform = &places[i], .poses = &poses[i]};
    }
    for (SDL_Event event = {0}; event.type != SDL_QUIT; SDL_PollEvent(&event)) {
        for (int i = 0; i < COUNT; i++)
            lm_clip_pose(&model->clips[i % model->num_clips], SDL_GetTicks() / 1000.0 + 0.37 * i,
                         LM_PLAY_LOOP, false, &poses[i]);
        lm_gl_clear(gl, 480, 480, (float[4]){0.2f, 0.25f, 0.3f, 1});
        if (!lm_gl_scene_draw_instances(drawn, &view, instances, COUNT, NULL, &error))
            return SDL_Log("%s", error.message), 1;
        SDL_GL_SwapWindow(window);
    }
}
