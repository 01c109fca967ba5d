/* Offscreen images. */
#include "gl_internal.h"

#include <stdlib.h>
#include <string.h>

struct lm_gl_target {
    lm_gl *gl;
    uint32_t width, height;      /* of the image */
    uint32_t shrink_x, shrink_y; /* supersampling factors of the framebuffer */
    GLsizei samples;
    GLuint framebuffer, color, depth; /* the framebuffer to draw on */
    GLuint resolved, resolved_color;  /* the framebuffer to read; 0 without samples */
};

bool lm_gl_begin(lm_gl *gl, lm_gl_target *t, uint32_t width, uint32_t height,
                 const lm_gl_background *background, lm_error *error) {
    static const lm_gl_background nothing = {.gradient = false};
    background = background ? background : &nothing;
    const float *color = background->color;
    if (!lmi_gl_alive(gl, error) || !lmi_gl_sound_reserved(background->reserved, 4, error))
        return false;
    if (t) {
        gl->api.BindFramebuffer(GL_FRAMEBUFFER, t->framebuffer);
        width = t->width * t->shrink_x;
        height = t->height * t->shrink_y;
    }
    gl->api.Viewport(0, 0, (GLsizei)width, (GLsizei)height);
    gl->api.Disable(GL_SCISSOR_TEST);
    gl->api.ColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    gl->api.DepthMask(GL_TRUE);
    gl->api.ClearColor(color[0], color[1], color[2], color[3]);
    gl->api.Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    return !background->gradient || lmi_gl_draw_gradient(gl, background, error);
}

static void make_storage(GLuint *buffer, GLenum attachment, GLenum format, GLsizei samples,
                         const lm_gl_target *t) {
    const lm_gl *gl = t->gl;
    gl->api.GenRenderbuffers(1, buffer);
    gl->api.BindRenderbuffer(GL_RENDERBUFFER, *buffer);
    gl->api.RenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format,
                                           (GLsizei)(t->width * t->shrink_x),
                                           (GLsizei)(t->height * t->shrink_y));
    gl->api.FramebufferRenderbuffer(GL_FRAMEBUFFER, attachment, GL_RENDERBUFFER, *buffer);
}

static bool is_complete(const lm_gl *gl, lm_error *error) {
    GLenum status = gl->api.CheckFramebufferStatus(GL_FRAMEBUFFER);
    return lmi_gl_created(gl, "a framebuffer of this size", error) &&
           (status == GL_FRAMEBUFFER_COMPLETE ||
            lm_fail_plain(error, LM_CODE_GRAPHICS,
                          "gl: the driver cannot draw to this framebuffer (status 0x%04x)",
                          (unsigned)status));
}

static bool make(lm_gl_target *t, lm_error *error) {
    const lm_gl *gl = t->gl;
    gl->api.GenFramebuffers(1, &t->framebuffer);
    gl->api.BindFramebuffer(GL_FRAMEBUFFER, t->framebuffer);
    make_storage(&t->color, GL_COLOR_ATTACHMENT0, GL_RGBA8, t->samples, t);
    make_storage(&t->depth, GL_DEPTH_ATTACHMENT, GL_DEPTH_COMPONENT24, t->samples, t);
    if (!is_complete(gl, error))
        return false;
    if (t->samples == 0)
        return true;
    gl->api.GenFramebuffers(1, &t->resolved);
    gl->api.BindFramebuffer(GL_FRAMEBUFFER, t->resolved);
    make_storage(&t->resolved_color, GL_COLOR_ATTACHMENT0, GL_RGBA8, 0, t);
    return is_complete(gl, error);
}

/* Divides the samples between the driver's multisampling and supersampling. */
static void plan_samples(lm_gl_target *t, uint32_t samples, uint32_t max_samples,
                         uint32_t max_size) {
    uint32_t shares = samples < LM_MAX_GL_SAMPLES ? samples : LM_MAX_GL_SAMPLES;
    t->shrink_x = t->shrink_y = 1;
    if (shares > 1)
        t->samples = (GLsizei)(shares < max_samples ? shares : max_samples);
    for (shares = shares / (max_samples > 0 ? max_samples : 1); shares > 1; shares /= 2) {
        uint32_t *shrink = t->shrink_x < t->shrink_y ? &t->shrink_x : &t->shrink_y;
        uint32_t size = shrink == &t->shrink_x ? t->width : t->height;
        if (size * *shrink * 2 <= max_size)
            *shrink *= 2;
    }
}

lm_gl_target *lm_gl_target_new(lm_gl *gl, uint32_t width, uint32_t height, uint32_t samples,
                               lm_error *error) {
    GLint max_size = 0, max_samples = 0;
    if (!lmi_gl_ready(gl, error))
        return NULL;
    gl->api.GetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &max_size);
    gl->api.GetIntegerv(GL_MAX_SAMPLES, &max_samples);
    if (width == 0 || height == 0 || width > (uint32_t)max_size || height > (uint32_t)max_size) {
        lm_fail_plain(error, LM_CODE_BAD_ARGUMENT,
                      "gl: cannot draw an image of %u x %u pixels: each side must be 1 to %d",
                      width, height, max_size);
        return NULL;
    }
    lm_gl_target *t = calloc(1, sizeof *t);
    if (!t) {
        lmi_gl_no_memory(error);
        return NULL;
    }
    *t = (lm_gl_target){.gl = gl, .width = width, .height = height};
    plan_samples(t, samples, (uint32_t)max_samples, (uint32_t)max_size);
    if (make(t, error))
        return t;
    lm_gl_target_free(t);
    return NULL;
}

void lm_gl_target_free(lm_gl_target *t) {
    if (t && !t->gl->lost) {
        const GLuint framebuffers[] = {t->framebuffer, t->resolved};
        const GLuint buffers[] = {t->color, t->depth, t->resolved_color};
        t->gl->api.DeleteFramebuffers(2, framebuffers);
        t->gl->api.DeleteRenderbuffers(3, buffers);
    }
    free(t);
}

/* Converts premultiplied colours to straight ones. */
static void divide_by_alpha(uint8_t *pixels, size_t count) {
    for (size_t i = 0; i < count; i++, pixels += 4) {
        unsigned alpha = pixels[3];
        for (int c = 0; c < 3 && alpha != 0 && alpha != 255; c++) {
            unsigned straight = (pixels[c] * 255u + alpha / 2) / alpha;
            pixels[c] = (uint8_t)(straight < 255 ? straight : 255);
        }
    }
}

/* Averages the samples of each pixel, with premultiplied colours. */
static void shrink(const lm_gl_target *t, const uint8_t *large, uint8_t *pixels) {
    size_t row = (size_t)t->width * t->shrink_x * 4;
    unsigned count = t->shrink_x * t->shrink_y;
    for (size_t y = 0; y < t->height; y++)
        for (size_t x = 0; x < t->width; x++) {
            const uint8_t *from = large + y * t->shrink_y * row + x * t->shrink_x * 4;
            for (size_t c = 0; c < 4; c++) {
                unsigned sum = count / 2;
                for (size_t i = 0; i < t->shrink_y; i++)
                    for (size_t k = 0; k < t->shrink_x; k++)
                        sum += from[i * row + 4 * k + c];
                *pixels++ = (uint8_t)(sum / count);
            }
        }
}

static bool read_pixels(const lm_gl_target *t, uint8_t *pixels, lm_error *error) {
    const lm_gl *gl = t->gl;
    GLint width = (GLint)(t->width * t->shrink_x), height = (GLint)(t->height * t->shrink_y);
    gl->api.BindFramebuffer(GL_READ_FRAMEBUFFER, t->framebuffer);
    if (t->resolved) {
        gl->api.BindFramebuffer(GL_DRAW_FRAMEBUFFER, t->resolved);
        gl->api.BlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT,
                                GL_NEAREST);
        gl->api.BindFramebuffer(GL_READ_FRAMEBUFFER, t->resolved);
    }
    gl->api.BindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    gl->api.PixelStorei(GL_PACK_ALIGNMENT, 4);
    gl->api.ReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    gl->api.BindFramebuffer(GL_FRAMEBUFFER, t->framebuffer);
    return lmi_gl_created(gl, "reading the image", error);
}

bool lm_gl_target_read(lm_gl_target *t, uint8_t *pixels, lm_error *error) {
    size_t count = (size_t)t->width * t->height, share = (size_t)t->shrink_x * t->shrink_y;
    if (!lmi_gl_ready(t->gl, error))
        return false;
    uint8_t *large = share > 1 ? malloc(count * share * 4) : NULL;
    if (share > 1 && !large)
        return lmi_gl_no_memory(error);
    bool read = read_pixels(t, large ? large : pixels, error);
    if (read && large)
        shrink(t, large, pixels);
    free(large);
    if (!read)
        return false;
    divide_by_alpha(pixels, count);
    const size_t row = (size_t)t->width * 4;
    for (uint32_t y = 0; y < t->height / 2; y++) {
        uint8_t *top = pixels + y * row, *bottom = pixels + (t->height - 1 - y) * row;
        for (size_t i = 0; i < row; i++) {
            uint8_t byte = top[i];
            top[i] = bottom[i];
            bottom[i] = byte;
        }
    }
    return true;
}
