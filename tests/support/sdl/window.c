/* Images without a window, for the examples that draw. */
#include "SDL.h"

#include "lerpmesh/gl.h"

#include <epoxy/gl.h>

#define IMAGES 5
#define MIN_COVERED 20 /* of the image: one pixel in so many differs from the corner */

struct SDL_Window {
    uint32_t width, height;
    uint8_t *pixels[2]; /* of the last two images */
    unsigned images, still, empty;
};

static SDL_Window window;
static lm_error error;

SDL_Window *SDL_CreateWindow(const char *title, int x, int y, int width, int height,
                             uint32_t flags) {
    (void)title, (void)x, (void)y, (void)flags;
    window.width = (uint32_t)width;
    window.height = (uint32_t)height;
    for (int i = 0; i < 2; i++)
        window.pixels[i] = calloc((size_t)width * (size_t)height, 4);
    return window.pixels[0] && window.pixels[1] ? &window : NULL;
}

void *SDL_GL_CreateContext(SDL_Window *w) {
    static const GLenum formats[2] = {GL_RGBA8, GL_DEPTH_COMPONENT24},
                        places[2] = {GL_COLOR_ATTACHMENT0, GL_DEPTH_ATTACHMENT};
    GLuint framebuffer, buffers[2];
    lm_gl_headless *headless = lm_gl_headless_new(NULL, &error);
    if (!headless)
        return NULL;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glGenRenderbuffers(2, buffers);
    for (int i = 0; i < 2; i++) {
        glBindRenderbuffer(GL_RENDERBUFFER, buffers[i]);
        glRenderbufferStorage(GL_RENDERBUFFER, formats[i], (GLsizei)w->width, (GLsizei)w->height);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, places[i], GL_RENDERBUFFER, buffers[i]);
    }
    return headless;
}

const char *SDL_GetError(void) {
    return error.message;
}

uint32_t SDL_GetTicks(void) {
    return 100 * window.images;
}

void SDL_GL_SwapWindow(SDL_Window *w) {
    uint8_t *pixels = w->pixels[w->images % 2];
    const size_t count = (size_t)w->width * w->height;
    size_t covered = 0;
    glReadPixels(0, 0, (GLsizei)w->width, (GLsizei)w->height, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    for (size_t i = 0; i < count; i++)
        covered += memcmp(pixels, pixels + 4 * i, 4) != 0;
    w->empty += glGetError() != GL_NO_ERROR || covered < count / MIN_COVERED;
    w->still += memcmp(w->pixels[0], w->pixels[1], 4 * count) == 0;
    w->images++;
}

int SDL_PollEvent(SDL_Event *event) {
    if (window.images < IMAGES)
        return 0;
    event->type = SDL_QUIT;
    if (window.empty || window.still) {
        fprintf(stderr, "%u of %u images are empty, %u as the one before\n", window.empty, IMAGES,
                window.still);
        exit(1);
    }
    return 1;
}
