/* Animated WebP, encoded by libwebp. */
#include "image/studio.h"

#include <stdlib.h>

#ifdef IMAGE_HAVE_WEBP

#include <webp/encode.h>
#include <webp/mux.h>

#define QUALITY 90 /* of 100 */

struct webp_film {
    WebPAnimEncoder *encoder;
    WebPConfig config;
    uint32_t width, height;
    double rate;
    uint32_t count;
};

webp_film *webp_film_new(uint32_t width, uint32_t height, double rate, lm_error *error) {
    WebPAnimEncoderOptions options;
    webp_film *film = calloc(1, sizeof *film);
    if (!film) {
        lmi_fail_memory(error);
        return NULL;
    }
    *film = (webp_film){.width = width, .height = height, .rate = rate};
    bool sound = WebPAnimEncoderOptionsInit(&options) && WebPConfigInit(&film->config);
    film->config.quality = QUALITY;
    film->config.method = 3;
    if (sound)
        film->encoder = WebPAnimEncoderNew((int)width, (int)height, &options);
    if (film->encoder)
        return film;
    lm_fail_plain(error, LM_CODE_LIMIT, "WebP cannot store an image of this size");
    webp_film_free(film);
    return NULL;
}

static int milliseconds(const webp_film *film, uint32_t count) {
    return (int)(1000.0 * count / film->rate + 0.5);
}

bool webp_film_add(webp_film *film, const uint8_t *pixels, lm_error *error) {
    WebPPicture image;
    if (!WebPPictureInit(&image))
        return lm_fail_plain(error, LM_CODE_LIMIT,
                             "libwebp and its header have different versions");
    image.width = (int)film->width;
    image.height = (int)film->height;
    image.use_argb = 1;
    bool added =
        WebPPictureImportRGBA(&image, pixels, (int)film->width * 4) &&
        WebPAnimEncoderAdd(film->encoder, &image, milliseconds(film, film->count), &film->config);
    WebPPictureFree(&image);
    film->count++;
    return added || lm_fail_plain(error, LM_CODE_OUT_OF_MEMORY, "%s",
                                  WebPAnimEncoderGetError(film->encoder));
}

bool webp_film_finish(webp_film *film, lm_buffer *out, lm_error *error) {
    WebPData data;
    WebPDataInit(&data);
    bool assembled =
        WebPAnimEncoderAdd(film->encoder, NULL, milliseconds(film, film->count), NULL) &&
        WebPAnimEncoderAssemble(film->encoder, &data);
    if (assembled)
        lm_buffer_append(out, data.bytes, data.size);
    WebPDataClear(&data);
    return (assembled && !out->failed) ||
           lm_fail_plain(error, LM_CODE_OUT_OF_MEMORY, "cannot assemble the WebP");
}

void webp_film_free(webp_film *film) {
    if (film)
        WebPAnimEncoderDelete(film->encoder);
    free(film);
}

#else

static bool fail(lm_error *error) {
    return lm_fail_plain(error, LM_CODE_NOT_BUILT_IN,
                         "lerpmesh was built without WebP: LERPMESH_WEBP was off or libwebp was "
                         "missing (Debian: libwebp-dev)");
}

webp_film *webp_film_new(uint32_t width, uint32_t height, double rate, lm_error *error) {
    (void)width, (void)height, (void)rate;
    fail(error);
    return NULL;
}

bool webp_film_add(webp_film *film, const uint8_t *pixels, lm_error *error) {
    (void)film, (void)pixels;
    return fail(error);
}

bool webp_film_finish(webp_film *film, lm_buffer *out, lm_error *error) {
    (void)film, (void)out;
    return fail(error);
}

void webp_film_free(webp_film *film) {
    (void)film;
}

#endif
