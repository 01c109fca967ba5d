#include "math/vectors.h"

#include <string.h>

static lm_vec3 along_axes(const lm_vec3 axis[3], lm_vec3 v) {
    return (lm_vec3){v.x * axis[0].x + v.y * axis[1].x + v.z * axis[2].x,
                     v.x * axis[0].y + v.y * axis[1].y + v.z * axis[2].y,
                     v.x * axis[0].z + v.y * axis[1].z + v.z * axis[2].z};
}

static lm_vec3 transformed(const lm_transform *t, lm_vec3 point) {
    lm_vec3 v = along_axes(t->axis, point);
    return (lm_vec3){t->origin.x + v.x, t->origin.y + v.y, t->origin.z + v.z};
}

static lm_vec3 with_length(lm_vec3 v, float length) {
    return (lm_vec3){v.x / length, v.y / length, v.z / length};
}

/* The rows of an array, which may not be aligned for lm_vec3. */
static lm_vec3 get_row(const void *rows, size_t index, size_t stride) {
    lm_vec3 row;
    memcpy(&row, (const char *)rows + index * stride, sizeof row);
    return row;
}

static void put_row(void *rows, size_t index, size_t stride, lm_vec3 row) {
    memcpy((char *)rows + index * stride, &row, sizeof row);
}

/* Uses the cofactors for normals: they equal the inverse transpose up to a factor, which is
 * negative for a mirror. */
void lm_transform_vertices(const lm_transform *transform, void *positions, void *normals,
                           size_t count, size_t stride) {
    stride = stride ? stride : sizeof(lm_vec3);
    if (!transform)
        return;
    const lm_vec3 *a = transform->axis;
    const lm_vec3 cofactors[3] = {lmi_cross(a[1], a[2]), lmi_cross(a[2], a[0]),
                                  lmi_cross(a[0], a[1])};
    const bool mirrored = lmi_dot(a[0], cofactors[0]) < 0;
    for (size_t i = 0; positions && i < count; i++)
        put_row(positions, i, stride, transformed(transform, get_row(positions, i, stride)));
    for (size_t i = 0; normals && i < count; i++) {
        const lm_vec3 v = along_axes(cofactors, get_row(normals, i, stride));
        const float length = sqrtf(lmi_dot(v, v));
        if (length > 0) /* else flattened: no normal is correct */
            put_row(normals, i, stride, with_length(v, mirrored ? -length : length));
    }
}

void lm_transform_nest(const lm_transform *parent, const lm_transform *child, lm_transform *out) {
    static const lm_transform identity = LM_TRANSFORM_IDENTITY;
    child = child ? child : &identity;
    if (!parent) {
        *out = *child;
        return;
    }
    lm_transform nested = {.origin = transformed(parent, child->origin)};
    for (unsigned i = 0; i < 3; i++)
        nested.axis[i] = along_axes(parent->axis, child->axis[i]);
    *out = nested;
}

#define HUGE_SQUARE 1e36f

void lmi_box_sphere(lm_vec3 min, lm_vec3 max, lm_vec3 *origin, float *radius) {
    /* Halves first: the sum of two halves does not overflow. */
    float x = max.x / 2 - min.x / 2, y = max.y / 2 - min.y / 2, z = max.z / 2 - min.z / 2;
    float square = x * x + y * y + z * z;
    *origin = (lm_vec3){min.x + x, min.y + y, min.z + z};
    /* The square overflows long before the radius. */
    *radius = square < HUGE_SQUARE ? sqrtf(square)
                                   : (float)sqrt((double)x * x + (double)y * y + (double)z * z);
}
