/* Draws an MD2 with SDL 2 and OpenGL: draw tris.md2 */
#define GL_GLEXT_PROTOTYPES
#include <SDL.h>
#include <SDL_opengl.h>
#include <lerpmesh/assets.h>

static const char *const shaders[2] = {
    "#version 330\nlayout(location = 0) in vec3 position; layout(location = 1) in vec3 normal;\n"
    "layout(location = 2) in vec2 st; out vec2 uv; out float light; void main() {\n"
    "  mat3 turn = mat3(0.87, -0.5, 0, 0.5, 0.87, 0, 0, 0, 1); vec3 p = turn * position / 40;\n"
    "  light = max((turn * normal).x, 0.3); gl_Position = vec4(p.yz, -p.x, 1); uv = st; }",
    "#version 330\nin vec2 uv; in float light; uniform sampler2D skin; out vec4 color;\n"
    "void main() { color = texture(skin, uv) * light; }"};

int main(int argc, char **argv) {
    lm_error error = {.message = "no texture"};
    lm_assets *assets =
        lm_assets_open(lm_vfs_new(NULL, &error), argc > 1 ? argv[1] : "tris.md2", NULL, &error);
    if (!assets || !assets->scene || assets->scene->num_textures == 0)
        return SDL_Log("%s", error.message), 1;
    const lm_scene_texture *skin = &assets->scene->textures[0];
    const lm_model *model = assets->scene->parts[0].model;
    const lm_surface *md2 = &model->surfaces[0];      /* an MD2 has one */
    float *vertices = malloc(32 * md2->num_vertices); /* position, normal, texture coordinate */
    for (uint32_t v = 0; v < md2->num_vertices; v++)
        memcpy(vertices + 8 * v + 6, &md2->st[v], 8);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_CORE);
    SDL_Window *window = SDL_CreateWindow("draw", 0, 0, 480, 480, SDL_WINDOW_OPENGL);
    if (!window || !SDL_GL_CreateContext(window))
        return SDL_Log("%s", SDL_GetError()), 1;
    GLuint array, buffers[2], program = glCreateProgram();
    for (int i = 0; i < 2; i++) {
        GLuint shader = glCreateShader(i == 0 ? GL_VERTEX_SHADER : GL_FRAGMENT_SHADER);
        glShaderSource(shader, 1, &shaders[i], NULL);
        glCompileShader(shader);
        glAttachShader(program, shader);
    }
    glLinkProgram(program);
    glUseProgram(program);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, skin->width, skin->height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 skin->pixels);
    glGenerateMipmap(GL_TEXTURE_2D);
    glGenVertexArrays(1, &array);
    glBindVertexArray(array);
    glGenBuffers(2, buffers);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffers[0]);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, 12 * md2->num_triangles, md2->triangles, GL_STATIC_DRAW);
    glBindBuffer(GL_ARRAY_BUFFER, buffers[1]);
    for (GLuint i = 0; i < 3; i++) {
        glVertexAttribPointer(i, i < 2 ? 3 : 2, GL_FLOAT, GL_FALSE, 32, (char *)NULL + 12 * i);
        glEnableVertexAttribArray(i);
    }
    glEnable(GL_DEPTH_TEST);
    for (SDL_Event event = {0}; event.type != SDL_QUIT; SDL_PollEvent(&event)) {
        lm_pose pose;
        lm_sample_target target = {.positions = vertices, .normals = vertices + 3, .stride = 32};
        lm_clip_pose(&model->clips[0], SDL_GetTicks() / 1000.0, LM_PLAY_AS_CLIP, false, &pose);
        lm_sample(model, 0, &pose, 1, &target);
        glBufferData(GL_ARRAY_BUFFER, 32 * md2->num_vertices, vertices, GL_STREAM_DRAW);
        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        glDrawElements(GL_TRIANGLES, 3 * md2->num_triangles, GL_UNSIGNED_INT, NULL);
        SDL_GL_SwapWindow(window);
    }
}
