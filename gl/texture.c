#include "gl_internal.h"

#include <stdlib.h>
#include <string.h>

/* Returns the alpha mode that games would use: a test if alpha is only 0 or 255, else blending. */
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

/* Returns the number of texels to combine so that `size` is at most `limit`. */
static uint32_t step_for(uint32_t size, uint32_t limit) {
    return (size - 1) / limit + 1;
}

/* Reduces an image by taking every n-th texel of every m-th row. */
static uint8_t *thin_out(const lm_gl_image *image, uint32_t limit, lm_gl_image *thin) {
    uint32_t step_x = step_for(image->width, limit), step_y = step_for(image->height, limit);
    *thin = (lm_gl_image){.width = (image->width - 1) / step_x + 1,
                          .height = (image->height - 1) / step_y + 1,
                          .pixels = NULL};
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

/* The CPU computes mipmaps: a software driver would compile programs for them, which takes longer
 * than everything else for a small image. */

static uint32_t halved(uint32_t size) {
    return size > 1 ? size / 2 : 1;
}

/* Colours are sRGB, but means need linear light: black and white give 188, not 128. */
typedef struct light_table {
    uint16_t light[256]; /* linear, by sRGB byte */
    uint8_t byte[65536]; /* the nearest sRGB byte, by linear light */
} light_table;

/* Computes each texel as the mean of the four (or two, or one) that it covers. `smaller` may be
 * equal to `larger`. */
static void halve(const light_table *t, const uint8_t *larger, uint32_t width, uint32_t height,
                  uint8_t *smaller) {
    uint32_t small_width = halved(width), small_height = halved(height);
    size_t right = width > 1 ? 4 : 0, below = height > 1 ? 4 * (size_t)width : 0;
    for (uint32_t y = 0; y < small_height; y++)
        for (uint32_t x = 0; x < small_width; x++) {
            const uint8_t *from = larger + (height > 1 ? 2 * y : y) * 4 * (size_t)width +
                                  (width > 1 ? 8 : 4) * (size_t)x;
            for (size_t c = 0; c < 3; c++) {
                uint32_t sum = (uint32_t)t->light[from[c]] + t->light[from[c + right]] +
                               t->light[from[c + below]] + t->light[from[c + right + below]];
                *smaller++ = t->byte[(sum + 2) / 4];
            }
            uint32_t alpha =
                (uint32_t)from[3] + from[3 + right] + from[3 + below] + from[3 + right + below];
            *smaller++ = (uint8_t)((alpha + 2) / 4);
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
    light_table *table = malloc(sizeof *table);
    if (!level || !table) {
        free(level);
        free(table);
        return false;
    }
    size_t next = 0;
    for (unsigned i = 0; i < 256; i++) {
        double c = i / 255.0;
        double light = c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
        table->light[i] = (uint16_t)(light * 65535 + 0.5);
        /* up to the midpoint between the light of this byte and the previous one */
        for (; i > 0 && next <= (size_t)(table->light[i - 1] + table->light[i]) / 2; next++)
            table->byte[next] = (uint8_t)(i - 1);
    }
    memset(table->byte + next, 255, sizeof table->byte - next);
    for (GLint i = 1; width > 1 || height > 1; i++) {
        halve(table, from, width, height, level);
        width = halved(width);
        height = halved(height);
        upload_level(gl, i, width, height, level);
        from = level;
    }
    free(table);
    free(level);
    return true;
}

static bool upload(const lm_gl_texture *texture, const lm_gl_image *image, lm_gl_filter filter) {
    static const GLint min_filters[] = {[LM_GL_FILTER_SMOOTH] = GL_LINEAR_MIPMAP_LINEAR,
                                        [LM_GL_FILTER_PIXELS] = GL_NEAREST,
                                        [LM_GL_FILTER_PLAIN] = GL_LINEAR_MIPMAP_NEAREST};
    const lm_gl *gl = texture->gl;
    gl->api.ActiveTexture(GL_TEXTURE0 + GL_UNIT_TEXTURE);
    gl->api.BindTexture(GL_TEXTURE_2D, texture->name);
    gl->api.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, min_filters[filter]);
    gl->api.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER,
                          filter == LM_GL_FILTER_PIXELS ? GL_NEAREST : GL_LINEAR);
    if (filter == LM_GL_FILTER_SMOOTH && gl->max_anisotropy > 1)
        gl->api.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_ANISOTROPY, gl->max_anisotropy);
    gl->api.BindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    gl->api.PixelStorei(GL_UNPACK_ALIGNMENT, 4);
    upload_level(gl, 0, image->width, image->height, image->pixels);
    return filter == LM_GL_FILTER_PIXELS || upload_mipmaps(gl, image);
}

static bool check_image(const lm_gl_image *image, lm_gl_filter filter, lm_error *error) {
    if (!lmi_gl_sound_reserved(image->reserved, 4, error))
        return false;
    if (image->width == 0 || image->height == 0 || !image->pixels)
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT,
                             "gl: a texture cannot have %u x %u pixels", image->width,
                             image->height);
    return (unsigned)filter <= LM_GL_FILTER_PLAIN ||
           lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "gl: unknown filter %u", (unsigned)filter);
}

lm_gl_texture *lm_gl_texture_new(lm_gl *gl, const lm_gl_image *image, lm_gl_filter filter,
                                 lm_error *error) {
    if (!lmi_gl_ready(gl, error) || !check_image(image, filter, error))
        return NULL;
    lm_gl_texture *texture = calloc(1, sizeof *texture);
    lm_gl_image thin = *image;
    uint8_t *pixels = NULL;
    uint32_t limit = (uint32_t)gl->max_texture_size;
    bool large = image->width > limit || image->height > limit;
    if (large)
        pixels = thin_out(image, limit, &thin);
    if (!texture || (large && !pixels)) {
        lmi_gl_no_memory(error);
        free(texture);
        free(pixels);
        return NULL;
    }
    *texture = (lm_gl_texture){.gl = gl, .alpha = alpha_of(image), .num_owners = 1};
    gl->api.GenTextures(1, &texture->name);
    bool uploaded = upload(texture, &thin, filter);
    free(pixels);
    if (!uploaded)
        lmi_gl_no_memory(error);
    else if (lmi_gl_created(gl, "a texture", error))
        return texture;
    lm_gl_texture_free(texture);
    return NULL;
}

/* Returns the list of textures with the same hash. */
static lm_gl_texture **list_of(lm_gl *gl, const uint8_t *pixels) {
    const uint64_t mixed = (uint64_t)(uintptr_t)pixels * UINT64_C(0x9e3779b97f4a7c15);
    return &gl->textures[(mixed >> 32) % GL_NUM_TEXTURE_LISTS];
}

lm_gl_texture *lmi_gl_texture_share(lm_gl *gl, const lm_gl_image *image, lm_error *error) {
    lm_gl_texture **list = list_of(gl, image->pixels), *texture = *list;
    while (texture && texture->pixels != image->pixels)
        texture = texture->next;
    if (texture) {
        texture->num_owners++;
        return texture;
    }
    texture = lm_gl_texture_new(gl, image, LM_GL_FILTER_SMOOTH, error);
    if (texture) {
        texture->pixels = image->pixels;
        texture->next = *list;
        *list = texture;
    }
    return texture;
}

void lm_gl_texture_free(lm_gl_texture *texture) {
    if (!texture || --texture->num_owners > 0)
        return;
    lm_gl_texture **link = list_of(texture->gl, texture->pixels);
    while (*link && *link != texture)
        link = &(*link)->next;
    if (*link)
        *link = texture->next;
    if (!texture->gl->lost)
        texture->gl->api.DeleteTextures(1, &texture->name);
    free(texture);
}
