/* Draws a model of any format with SDL 2 and lerpmesh-gl: model tris.md2 [CLIP] */
#include <SDL.h>
#include <lerpmesh/assets.h>
#include <lerpmesh/gl.h>

int main(int argc, char **argv) {
    lm_error error = {.message = "usage: model MODEL [CLIP]"};
    lm_assets *assets =
        argc > 1 ? lm_assets_open(lm_vfs_new(NULL, &error), argv[1], NULL, &error) : NULL;
    if (!assets || !assets->scene)
        return SDL_Log("%s", error.message), 1;
    const lm_scene *scene = assets->scene;
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_CORE);
    SDL_Window *window = SDL_CreateWindow("model", 0, 0, 480, 480, SDL_WINDOW_OPENGL);
    if (!window || !SDL_GL_CreateContext(window))
        return SDL_Log("%s", SDL_GetError()), 1;
    lm_gl *gl = lm_gl_new(NULL, &error);
    lm_gl_scene *drawn = gl ? lm_gl_scene_new(gl, scene, &error) : NULL;
    if (!drawn)
        return SDL_Log("%s", error.message), 1;
    const lm_frame *frame = &scene->parts[0].model->frames[0];
    lm_gl_camera camera = {.azimuth = 30, .elevation = 10, .zoom = 0.9f};
    lm_gl_camera_fit(&camera, &frame->min, &frame->max);
    lm_gl_view view;
    lm_gl_camera_view(&camera, &view);
    lm_pose *poses = calloc(scene->num_parts, sizeof *poses);
    const lm_gl_background background = {.color = {0.2f, 0.25f, 0.3f, 1}};
    const lm_gl_render_options options = {.show = LM_GL_SHOW_SHADOW};
    for (SDL_Event event = {0}; event.type != SDL_QUIT; SDL_PollEvent(&event)) {
        lm_scene_pose(scene, argc > 2 ? argv[2] : NULL, SDL_GetTicks() / 1000.0, poses);
        lm_gl_scene_instance instance = {.poses = poses, .seconds = SDL_GetTicks() / 1000.0};
        if (!lm_gl_begin(gl, NULL, 480, 480, &background, &error) ||
            !lm_gl_scene_draw(drawn, &view, &instance, 1, &options, &error))
            return SDL_Log("%s", error.message), 1;
        SDL_GL_SwapWindow(window);
    }
}
