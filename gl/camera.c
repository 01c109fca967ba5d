/* Cameras: arithmetic only, in double precision. */
#include "gl_internal.h"

#include <float.h>
#include <math.h>

#define DEGREE 0.017453292519943295

typedef struct vec3d {
    double x, y, z;
} vec3d;

typedef struct basis {
    vec3d right, up, toward;
} basis;

static double finite_or(float value, double otherwise) {
    return isfinite(value) ? (double)value : otherwise;
}

static double dot(vec3d a, vec3d b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static vec3d finite_vec3(lm_vec3 v) {
    return (vec3d){finite_or(v.x, 0), finite_or(v.y, 0), finite_or(v.z, 0)};
}

static lm_vec3 to_single(vec3d v) {
    return (lm_vec3){(float)v.x, (float)v.y, (float)v.z};
}

static basis basis_of(const lm_gl_camera *camera) {
    double a = finite_or(camera->azimuth, 0) * DEGREE, e = finite_or(camera->elevation, 0) * DEGREE;
    return (basis){{-sin(a), cos(a), 0},
                   {-sin(e) * cos(a), -sin(e) * sin(a), cos(e)},
                   {cos(e) * cos(a), cos(e) * sin(a), sin(e)}};
}

/* Half the picture's height at distance 1. */
static double half_height(const lm_gl_camera *camera) {
    double degrees = finite_or(camera->field_of_view, 0);
    if (!(degrees > 0 && degrees < 179))
        degrees = (double)LM_GL_FIELD_OF_VIEW;
    return tan(degrees / 2 * DEGREE);
}

static double usable(float value) {
    return isfinite(value) && value > 0 ? (double)value : 1;
}

/* A ratio that a picture may have. */
static double sane_ratio(float value) {
    return fmin(fmax(usable(value), 1e-4), 1e4);
}

/* How far from its centre a camera must stand to see all eight corners of a box. */
static double fit_distance(const basis *b, vec3d half, double height, double width) {
    double distance = 0;
    for (unsigned i = 0; i < 8; i++) {
        vec3d corner = {i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y,
                        i & 4 ? half.z : -half.z};
        double depth = dot(corner, b->toward);
        distance = fmax(distance, fabs(dot(corner, b->right)) / width + depth);
        distance = fmax(distance, fabs(dot(corner, b->up)) / height + depth);
    }
    return distance;
}

/* So that nothing overflows on its way through the matrix. */
static float bounded(double value) {
    return (float)fmin(fmax(value, (double)FLT_MIN), (double)FLT_MAX / 8);
}

void lm_gl_camera_fit(lm_gl_camera *camera, const lm_vec3 *min, const lm_vec3 *max, float aspect,
                      float zoom) {
    vec3d low = finite_vec3(*min), high = finite_vec3(*max);
    vec3d half = {fabs(high.x - low.x) / 2, fabs(high.y - low.y) / 2, fabs(high.z - low.z) / 2};
    vec3d center = {(low.x + high.x) / 2, (low.y + high.y) / 2, (low.z + high.z) / 2};
    double radius = sqrt(dot(half, half));
    double least = fmax(1e-3, 1e-6 * sqrt(dot(center, center)));
    if (radius < least) {
        half = (vec3d){least, least, least};
        radius = 2 * least;
    }
    basis b = basis_of(camera);
    double height = half_height(camera) * sane_ratio(zoom);
    camera->target = to_single(center);
    camera->distance = bounded(fit_distance(&b, half, height, height * sane_ratio(aspect)));
    camera->radius = bounded(radius);
}

/* The homogeneous scale is free: dividing by the distance keeps the numbers near 1 for models of
 * any size. Nothing nearer than a hundredth of the distance is drawn. */
void lm_gl_camera_view(const lm_gl_camera *camera, float aspect, lm_gl_view *out) {
    basis b = basis_of(camera);
    vec3d target = finite_vec3(camera->target);
    double distance = usable(camera->distance), radius = usable(camera->radius) / distance;
    double near = fmax(1 - radius, 0.01), far = fmax(1 + radius, near * 1.01);
    double height = half_height(camera), width = height * sane_ratio(aspect);
    const vec3d axes[3] = {b.right, b.up, b.toward};
    double depth_scale = (far + near) / (far - near), depth_offset = 2 * far * near / (far - near);
    double rows[4][4];
    for (int i = 0; i < 3; i++) {
        rows[i][0] = axes[i].x / distance;
        rows[i][1] = axes[i].y / distance;
        rows[i][2] = axes[i].z / distance;
        rows[i][3] = -dot(axes[i], target) / distance;
    }
    rows[2][3] -= 1; /* z in units of the distance: the eye at 0, the target at -1 */
    out->right = to_single(b.right), out->up = to_single(b.up);
    out->toward = to_single(b.toward);
    for (int column = 0; column < 4; column++) {
        double z = rows[2][column];
        out->matrix[4 * column] = (float)(rows[0][column] / width);
        out->matrix[4 * column + 1] = (float)(rows[1][column] / height);
        out->matrix[4 * column + 2] = (float)(-z * depth_scale - (column == 3 ? depth_offset : 0));
        out->matrix[4 * column + 3] = (float)-z;
    }
}
