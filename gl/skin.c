#include "gl_internal.h"

#include <stdlib.h>
#include <string.h>

/* Games test alpha where it is all or nothing, and mix where there is more between. */
static lm_gl_alpha alpha_of(const lm_gl_image *image) {
    size_t count = (size_t)image->width * image->height;
    lm_gl_alpha alpha = LM_GL_ALPHA_OPAQUE;
    for (size_t i = 0; i < count; i++) {
        uint8_t value = image->pixels[4 * i + 3];
        if (value != 0 && value != UINT8_MAX)
            return LM_GL_ALPHA_BLEND;
        if (value == 0)
            alpha = LM_GL_ALPHA_TEST;
    }
    return alpha;
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

/* ---- Mipmaps ------------------------------------------------------------------------------- */

/* Made here and not by the driver: a software driver would compile programs for it, which takes
 * longer than all the rest of a small picture. */

static uint32_t halved(uint32_t size) {
    return size > 1 ? size / 2 : 1;
}

/* Each texel is the mean of the four (or two, or one) that it covers. `smaller` may begin where
 * `larger` does. */
static void halve(const uint8_t *larger, uint32_t width, uint32_t height, uint8_t *smaller) {
    uint32_t small_width = halved(width), small_height = halved(height);
    size_t right = width > 1 ? 4 : 0, below = height > 1 ? 4 * (size_t)width : 0;
    for (uint32_t y = 0; y < small_height; y++)
        for (uint32_t x = 0; x < small_width; x++) {
            const uint8_t *from = larger + (height > 1 ? 2 * y : y) * 4 * (size_t)width +
                                  (width > 1 ? 8 : 4) * (size_t)x;
            for (size_t c = 0; c < 4; c++) {
                int sum = from[c] + from[c + right] + from[c + below] + from[c + right + below];
                *smaller++ = (uint8_t)((sum + 2) / 4);
            }
        }
}

static void upload_level(const lm_gl *gl, GLint level, uint32_t width, uint32_t height,
                         const uint8_t *pixels) {
    gl->api.TexImage2D(GL_TEXTURE_2D, level, GL_RGBA8, (GLsizei)width, (GLsizei)height, 0, GL_RGBA,
                       GL_UNSIGNED_BYTE, pixels);
}

static bool upload_mipmaps(const lm_gl *gl, const lm_gl_image *image) {
    uint32_t width = image->width, height = image->height;
    const uint8_t *from = image->pixels;
    uint8_t *level = malloc((size_t)halved(width) * halved(height) * 4);
    if (!level)
        return false;
    for (GLint i = 1; width > 1 || height > 1; i++) {
        halve(from, width, height, level);
        width = halved(width);
        height = halved(height);
        upload_level(gl, i, width, height, level);
        from = level;
    }
    free(level);
    return true;
}

static bool upload(const lm_gl_skin *skin, const lm_gl_image *image, lm_gl_filter filter) {
    const lm_gl *gl = skin->gl;
    /* One level of the mipmaps, as Quake II and III have it by default (gl_texturemode and
     * r_textureMode are GL_LINEAR_MIPMAP_NEAREST); two cost a third more in software. */
    bool smooth = filter == LM_GL_SMOOTH;
    gl->api.ActiveTexture(GL_TEXTURE0 + GL_UNIT_SKIN);
    gl->api.BindTexture(GL_TEXTURE_2D, skin->texture);
    gl->api.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER,
                          smooth ? GL_LINEAR_MIPMAP_NEAREST : GL_NEAREST);
    gl->api.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, smooth ? GL_LINEAR : GL_NEAREST);
    gl->api.BindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    gl->api.PixelStorei(GL_UNPACK_ALIGNMENT, 4);
    upload_level(gl, 0, image->width, image->height, image->pixels);
    return !smooth || upload_mipmaps(gl, image);
}

lm_gl_skin *lm_gl_skin_new(lm_gl *gl, const lm_gl_image *image, lm_gl_filter filter,
                           lm_error *error) {
    if (!lm_gl_alive(gl, error))
        return NULL;
    if (image->width == 0 || image->height == 0) {
        lm_gl_fail(error, LM_CODE_BAD_ARGUMENT, "gl: a skin of %u x %u is no picture", image->width,
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
        lm_gl_fail(error, LM_CODE_OUT_OF_MEMORY, "gl: there is not enough memory");
        free(skin);
        free(pixels);
        return NULL;
    }
    *skin = (lm_gl_skin){.gl = gl, .alpha = alpha_of(image)};
    gl->api.GenTextures(1, &skin->texture);
    bool uploaded = upload(skin, &thin, filter);
    free(pixels);
    if (!uploaded)
        lm_gl_fail(error, LM_CODE_OUT_OF_MEMORY, "gl: there is not enough memory");
    else if (lm_gl_made(gl, "a skin", error))
        return skin;
    lm_gl_skin_free(skin);
    return NULL;
}

void lm_gl_skin_free(lm_gl_skin *skin) {
    if (skin && !skin->gl->lost)
        skin->gl->api.DeleteTextures(1, &skin->texture);
    free(skin);
}
