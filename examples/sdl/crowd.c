/* Draws 1,000 instances of a model: crowd MODEL */
#include <SDL.h>
#include <lerpmesh/assets.h>
#include <lerpmesh/gl.h>

enum {
    SIDE = 25,
    COUNT = 1000
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
    const lm_model *first = scene->parts[0].model;
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_CORE);
    SDL_Window *window = SDL_CreateWindow("crowd", 0, 0, 480, 480, SDL_WINDOW_OPENGL);
    if (!window || !SDL_GL_CreateContext(window))
        return SDL_Log("%s", SDL_GetError()), 1;
    lm_gl *gl = lm_gl_new(NULL, &error);
    lm_gl_scene *drawn = gl ? lm_gl_scene_new(gl, scene, &error) : NULL;
    if (!drawn)
        return SDL_Log("%s", error.message), 1;
    const lm_gl_background background = {.color = {0.2f, 0.25f, 0.3f, 1}};
    const lm_transform identity = LM_TRANSFORM_IDENTITY;
    lm_pose *poses = calloc((size_t)COUNT * scene->num_parts, sizeof *poses);
    for (int i = 0; i < COUNT; i++) {
        places[i] = identity;
        places[i].origin = (lm_vec3){-50.0f * (i / SIDE), 50.0f * (i % SIDE), 0};
        instances[i] =
            (lm_gl_scene_instance){.transform = &places[i], .poses = poses + i * scene->num_parts};
    }
    lm_gl_camera camera = {.elevation = 35};
    if (!lm_gl_scene_fit(drawn, instances, COUNT, NULL, &camera, NULL, &error))
        return SDL_Log("%s", error.message), 1;
    lm_gl_view view;
    lm_gl_camera_view(&camera, &view);
    for (SDL_Event event = {0}; event.type != SDL_QUIT; SDL_PollEvent(&event)) {
        for (uint32_t i = 0; i < COUNT; i++)
            lm_scene_pose(scene, first->num_clips ? first->clips[i % first->num_clips].name : NULL,
                          SDL_GetTicks() / 1000.0 + 0.37 * i, poses + i * scene->num_parts);
        if (!lm_gl_begin(gl, NULL, 480, 480, &background, &error) ||
            !lm_gl_scene_draw(drawn, &view, instances, COUNT, NULL, &error))
            return SDL_Log("%s", error.message), 1;
        SDL_GL_SwapWindow(window);
    }
}
