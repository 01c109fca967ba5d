#include "math/vectors.h"

static lm_vec3 along_axes(const lm_vec3 axis[3], lm_vec3 v) {
    return (lm_vec3){v.x * axis[0].x + v.y * axis[1].x + v.z * axis[2].x,
                     v.x * axis[0].y + v.y * axis[1].y + v.z * axis[2].y,
                     v.x * axis[0].z + v.y * axis[1].z + v.z * axis[2].z};
}

static lm_vec3 transformed(const lm_transform *t, lm_vec3 point) {
    lm_vec3 v = along_axes(t->axis, point);
    return (lm_vec3){t->origin.x + v.x, t->origin.y + v.y, t->origin.z + v.z};
}

void lm_transform_points(const lm_transform *transform, lm_vec3 *points, size_t count) {
    for (size_t i = 0; transform && i < count; i++)
        points[i] = transformed(transform, points[i]);
}

static lm_vec3 with_length(lm_vec3 v, float length) {
    return (lm_vec3){v.x / length, v.y / length, v.z / length};
}

/* Uses the cofactors: they equal the inverse transpose up to a factor, which is negative for a
 * mirror. */
void lm_transform_normals(const lm_transform *transform, lm_vec3 *normals, size_t count) {
    if (!transform)
        return;
    const lm_vec3 *a = transform->axis;
    const lm_vec3 cofactors[3] = {lm_cross(a[1], a[2]), lm_cross(a[2], a[0]), lm_cross(a[0], a[1])};
    bool mirrored = lm_dot(a[0], cofactors[0]) < 0;
    for (size_t i = 0; i < count; i++) {
        lm_vec3 v = along_axes(cofactors, normals[i]);
        float length = sqrtf(lm_dot(v, v));
        if (length > 0) /* else flattened: no normal is correct */
            normals[i] = with_length(v, mirrored ? -length : length);
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

void lm_box_sphere(lm_vec3 min, lm_vec3 max, lm_vec3 *origin, float *radius) {
    /* Halves first: the sum of two halves does not overflow. */
    float x = max.x / 2 - min.x / 2, y = max.y / 2 - min.y / 2, z = max.z / 2 - min.z / 2;
    float square = x * x + y * y + z * z;
    *origin = (lm_vec3){min.x + x, min.y + y, min.z + z};
    /* The square overflows long before the radius. */
    *radius = square < HUGE_SQUARE ? sqrtf(square)
                                   : (float)sqrt((double)x * x + (double)y * y + (double)z * z);
}
