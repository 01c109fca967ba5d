/* Animations as WebP. */
#ifndef IMAGE_WEBP_H
#define IMAGE_WEBP_H

#include "lerpmesh/base.h"

/* An animation. In a build without libwebp, webp_film_new fails. */
typedef struct webp_film webp_film;
webp_film *webp_film_new(uint32_t width, uint32_t height, double rate, lm_error *error);
bool webp_film_add(webp_film *film, const uint8_t *pixels, lm_error *error);
bool webp_film_finish(webp_film *film, lm_buffer *out, lm_error *error);
void webp_film_free(webp_film *film);

#endif
