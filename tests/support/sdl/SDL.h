/* As much of SDL 2 as examples/sdl/ needs, without a window: window.c. */
#ifndef TEST_SDL_H
#define TEST_SDL_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SDL_GL_CONTEXT_PROFILE_MASK,
    SDL_GL_CONTEXT_PROFILE_CORE,
    SDL_WINDOW_OPENGL,
    SDL_QUIT
};

typedef struct SDL_Window SDL_Window;
typedef struct SDL_Event {
    uint32_t type;
} SDL_Event;

#define SDL_Log(...) (fprintf(stderr, __VA_ARGS__), (void)fputc('\n', stderr))
#define SDL_GL_SetAttribute(name, value) ((void)(name), (void)(value))
SDL_Window *SDL_CreateWindow(const char *title, int x, int y, int width, int height,
                             uint32_t flags);
void *SDL_GL_CreateContext(SDL_Window *window);
const char *SDL_GetError(void);
/* A tenth of a second passes with each image. */
uint32_t SDL_GetTicks(void);
/* Reads the image. */
void SDL_GL_SwapWindow(SDL_Window *window);
/* Quits after some images: with status 1 unless each of them shows something else. */
int SDL_PollEvent(SDL_Event *event);

#endif
