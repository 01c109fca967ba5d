#include "model/build.h"

#include "core/arena.h"
#include "lerpmesh/load.h"

#include <math.h>

#define LM_HUGE_SQUARE 1e36f

void lm_model_adopt(lm_model *model, void *memory, size_t size) {
    lm_object_keep(model, memory, size);
}

void lm_model_free(lm_model *model) {
    lm_object_free(model);
}

void lm_box_sphere(lm_vec3 min, lm_vec3 max, lm_vec3 *origin, float *radius) {
    /* Halves first: the sum of two halves does not overflow. */
    float x = max.x / 2 - min.x / 2, y = max.y / 2 - min.y / 2, z = max.z / 2 - min.z / 2;
    float square = x * x + y * y + z * z;
    *origin = (lm_vec3){min.x + x, min.y + y, min.z + z};
    /* The square overflows long before the radius. */
    *radius = square < LM_HUGE_SQUARE ? sqrtf(square)
                                      : (float)sqrt((double)x * x + (double)y * y + (double)z * z);
}
