/* Takes made by chance, and files made of takes. */
#ifndef TESTS_ENCODED_H
#define TESTS_ENCODED_H

#include <math.h>

#include "support.h"

/* Two surfaces, two clips; positions wander, some frames repeat others. */
typedef struct random_take {
    lm_take_surface surfaces[2];
    lm_clip clips[2];
    lm_take take;
} random_take;

void make_random_take(random_take *r, uint32_t seed);
void free_random_take(random_take *r);

/* What an encoder made of a take, read again. */
typedef struct made {
    const lm_take *take;
    blob file;
    lm_encode_report *report;
    lm_model *model;
    lm_vec3 **rows; /* [the model's surfaces] as sample_surface has them */
} made;

/* Fails the test if it cannot be made or read. `options` may be NULL. */
made make_file(const lm_take *take, const char *format, const lm_encode_options *options);
void free_made(made *m);
/* All vertices of a model's surface in all frames: [num_frames * num_vertices] of `free`'s. */
lm_vec3 *sample_surface(const lm_model *model, uint32_t surface);

/* The drawn vertex that moves most like one of the take's, of any surface: how far it is off at
 * most on an axis, in any frame, and through `surface` and `vertex`, if not NULL, which it is. */
double find_vertex(const made *m, uint32_t take_surface, uint32_t take_vertex, uint32_t *surface,
                   uint32_t *vertex);
bool is_used(const lm_take_surface *s, uint32_t vertex);

void refuse_file(const lm_take *take, const char *format, const lm_encode_options *options,
                 lm_code code, const char *words);

/* Axes of any length made square, 1 long and right-handed. */
void square_right_handed(lm_vec3 axis[3]);

#endif
