#include "gl_internal.h"

#include <stdlib.h>
#include <string.h>

static bool is_transparent(const lm_gl_image *image) {
    size_t count = (size_t)image->width * image->height;
    for (size_t i = 0; i < count; i++)
        if (image->pixels[4 * i + 3] != 255)
            return true;
    return false;
}

/* How many texels become one, so that `size` is at most `limit`. */
static uint32_t step_for(uint32_t size, uint32_t limit) {
    return size / limit + (size % limit != 0);
}

/* Every so many texels of every so many rows. */
static uint8_t *thin_out(const lm_gl_image *image, uint32_t limit, lm_gl_image *thin) {
    uint32_t step_x = step_for(image->width, limit), step_y = step_for(image->height, limit);
    *thin = (lm_gl_image){(image->width - 1) / step_x + 1, (image->height - 1) / step_y + 1, NULL};
    uint8_t *pixels = malloc((size_t)thin->width * thin->height * 4);
    if (!pixels)
        return NULL;
    for (size_t y = 0; y < thin->height; y++)
        for (size_t x = 0; x < thin->width; x++)
            memcpy(pixels + 4 * (y * thin->width + x),
                   image->pixels + 4 * (y * step_y * image->width + x * step_x), 4);
    thin->pixels = pixels;
    return pixels;
}

static void upload(const lm_gl_skin *skin, const lm_gl_image *image, lm_gl_filter filter) {
    bool smooth = filter == LM_GL_SMOOTH;
    glActiveTexture(GL_TEXTURE0 + GL_UNIT_SKIN);
    glBindTexture(GL_TEXTURE_2D, skin->texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER,
                    smooth ? GL_LINEAR_MIPMAP_LINEAR : GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, smooth ? GL_LINEAR : GL_NEAREST);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, (GLsizei)image->width, (GLsizei)image->height, 0,
                 GL_RGBA, GL_UNSIGNED_BYTE, image->pixels);
    if (smooth)
        glGenerateMipmap(GL_TEXTURE_2D);
}

lm_gl_skin *lm_gl_skin_new(lm_gl *gl, const lm_gl_image *image, lm_gl_filter filter,
                           lm_error *error) {
    if (!gl_alive(gl, error))
        return NULL;
    if (image->width == 0 || image->height == 0) {
        gl_fail(error, LM_CODE_BAD_ARGUMENT, "gl: a skin of %u x %u is no picture", image->width,
                image->height);
        return NULL;
    }
    lm_gl_skin *skin = calloc(1, sizeof *skin);
    lm_gl_image thin = *image;
    uint8_t *pixels = NULL;
    uint32_t limit = (uint32_t)gl->max_texture_size;
    bool large = image->width > limit || image->height > limit;
    if (large)
        pixels = thin_out(image, limit, &thin);
    if (!skin || (large && !pixels)) {
        gl_fail(error, LM_CODE_OUT_OF_MEMORY, "gl: there is not enough memory");
        free(skin);
        return NULL;
    }
    *skin = (lm_gl_skin){.gl = gl, .transparent = is_transparent(image)};
    glGenTextures(1, &skin->texture);
    upload(skin, &thin, filter);
    free(pixels);
    if (gl_made("a skin", error))
        return skin;
    lm_gl_skin_free(skin);
    return NULL;
}

void lm_gl_skin_free(lm_gl_skin *skin) {
    if (skin && !skin->gl->lost)
        glDeleteTextures(1, &skin->texture);
    free(skin);
}
