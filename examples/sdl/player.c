/* Plays clips of a Quake III player, each with a cross-fade: player FOLDER [WEAPON] */
#include <SDL.h>
#include <lerpmesh/assets.h>
#include <lerpmesh/gl.h>

static const char *const clips[] = {"LEGS_IDLE+TORSO_STAND", "LEGS_RUN+TORSO_STAND",
                                    "LEGS_RUN+TORSO_ATTACK"};
enum {
    NUM_CLIPS = 3,
    SECONDS = 2
}; /* of each clip */

int main(int argc, char **argv) {
    lm_attachment weapon = {.tag = "tag_weapon", .path = argc > 2 ? argv[2] : NULL};
    lm_assets_options options = {
        .related = true, .num_attachments = argc > 2, .attachments = &weapon};
    lm_error error = {.message = "usage: player FOLDER [WEAPON]"};
    lm_assets *assets =
        argc > 1 ? lm_assets_open(lm_vfs_new(NULL, &error), argv[1], &options, &error) : NULL;
    if (!assets || !assets->scene)
        return SDL_Log("%s", error.message), 1;
    const lm_scene *scene = assets->scene;
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_CORE);
    SDL_Window *window = SDL_CreateWindow("player", 0, 0, 480, 480, SDL_WINDOW_OPENGL);
    if (!window || !SDL_GL_CreateContext(window))
        return SDL_Log("%s", SDL_GetError()), 1;
    lm_gl *gl = lm_gl_new(NULL, &error);
    lm_gl_scene *drawn = gl ? lm_gl_scene_new(gl, scene, &error) : NULL;
    if (!drawn)
        return SDL_Log("%s", error.message), 1;
    lm_gl_camera camera = {.azimuth = 40, .elevation = 10, .zoom = 1.25f};
    lm_gl_camera_fit(&camera, &(lm_vec3){-20, -20, -24}, &(lm_vec3){20, 20, 36});
    lm_gl_view view;
    lm_gl_camera_view(&camera, &view);
    const lm_gl_background background = {.color = {0.2f, 0.25f, 0.3f, 1}};
    lm_pose *from = calloc(scene->num_parts, sizeof *from);
    lm_pose *to = calloc(scene->num_parts, sizeof *to);
    float *weights = calloc(scene->num_parts, sizeof *weights);
    const lm_gl_render_options show_tags = {.show = LM_GL_SHOW_TAGS};
    for (SDL_Event event = {0}; event.type != SDL_QUIT; SDL_PollEvent(&event)) {
        double now = SDL_GetTicks() / 1000.0;
        int turn = (int)now / SECONDS;
        double seconds = now - turn * SECONDS; /* since this clip began */
        lm_scene_pose(scene, clips[(turn + NUM_CLIPS - 1) % NUM_CLIPS], seconds + SECONDS, from);
        lm_scene_pose(scene, clips[turn % NUM_CLIPS], seconds, to);
        for (uint32_t part = 0; part < scene->num_parts; part++)
            weights[part] = seconds < 0.25 ? (float)(seconds / 0.25) : 1;
        lm_gl_scene_instance instance = {.poses = from, .to = to, .weights = weights};
        if (!lm_gl_begin(gl, NULL, 480, 480, &background, &error) ||
            !lm_gl_scene_draw(drawn, &view, &instance, 1, &show_tags, &error))
            return SDL_Log("%s", error.message), 1;
        SDL_GL_SwapWindow(window);
    }
}
