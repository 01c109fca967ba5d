/* Cameras: pure arithmetic, in double precision. */
#include "gl_internal.h"

#include <float.h>

#define DEGREE 0.017453292519943295
#define SHADOW_ROOM 1.6 /* how much larger a shadow's extent is than the model's */

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

/* Returns half the image's height at distance 1. */
static double half_height(const lm_gl_camera *camera) {
    double degrees = finite_or(camera->field_of_view, 0);
    if (!(degrees > 0 && degrees < 179))
        degrees = (double)LM_GL_FIELD_OF_VIEW;
    return tan(degrees / 2 * DEGREE);
}

static double usable(float value) {
    return isfinite(value) && value > 0 ? (double)value : 1;
}

/* Clamps a ratio to the values that an image may have. */
static double sane_ratio(float value) {
    return fmin(fmax(usable(value), 1e-4), 1e4);
}

/* Returns the distance from its centre at which a camera sees all eight corners of a box. */
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

/* Clamps a value so that nothing overflows in the matrix. */
static float bounded(double value) {
    return (float)fmin(fmax(value, (double)FLT_MIN), (double)FLT_MAX / 8);
}

void lm_gl_camera_fit(lm_gl_camera *camera, const lm_vec3 *min, const lm_vec3 *max) {
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
    double height = half_height(camera) * sane_ratio(camera->zoom);
    camera->target = to_single(center);
    camera->distance = bounded(fit_distance(&b, half, height, height * sane_ratio(camera->aspect)));
    camera->radius = bounded(SHADOW_ROOM * radius);
}

/* ---- Fitting to points --------------------------------------------------------------------- */

void lmi_gl_fit_begin(gl_fit *fit, const lm_gl_camera *camera, const lm_vec3 *axis) {
    basis b = basis_of(camera);
    double height = half_height(camera) * sane_ratio(camera->zoom);
    *fit = (gl_fit){.axes = {{b.right.x, b.right.y, b.right.z},
                             {b.up.x, b.up.y, b.up.z},
                             {b.toward.x, b.toward.y, b.toward.z}},
                    .height = height,
                    .width = height * sane_ratio(camera->aspect),
                    .orbits = axis != NULL};
    if (axis) {
        fit->axis[0] = finite_or(axis->x, 0);
        fit->axis[1] = finite_or(axis->y, 0);
    }
}

/* The four planes of the view frustum's sides go through the eye. The plane to the right of all
 * points p touches the largest p.right + width * p.toward; the others are analogous. */
static void find_planes(const gl_fit *fit, const double p[3], double planes[4]) {
    double along[3];
    for (int i = 0; i < 3; i++)
        along[i] = fit->axes[i][0] * p[0] + fit->axes[i][1] * p[1] + fit->axes[i][2] * p[2];
    planes[0] = along[0] + fit->width * along[2];
    planes[1] = -along[0] + fit->width * along[2];
    planes[2] = along[1] + fit->height * along[2];
    planes[3] = -along[1] + fit->height * along[2];
}

/* The same for the circle of the point's rotation around the vertical axis. `sine` and `cosine` are
 * those of the elevation. */
static void find_orbit_planes(const gl_fit *fit, const double p[3], double planes[4]) {
    double sine = fit->axes[2][2], cosine = fit->axes[1][2];
    double radius = hypot(p[0], p[1]), w = fit->width, h = fit->height;
    planes[0] = planes[1] = radius * sqrt(1 + w * w * cosine * cosine) + w * p[2] * sine;
    planes[2] = radius * fabs(h * cosine - sine) + p[2] * (cosine + h * sine);
    planes[3] = radius * fabs(h * cosine + sine) + p[2] * (h * sine - cosine);
}

void lmi_gl_fit_point(gl_fit *fit, const lm_vec3 *point) {
    if (!isfinite(point->x) || !isfinite(point->y) || !isfinite(point->z))
        return;
    const double p[3] = {(double)point->x - fit->axis[0], (double)point->y - fit->axis[1],
                         (double)point->z};
    double planes[4];
    (fit->orbits ? find_orbit_planes : find_planes)(fit, p, planes);
    for (int i = 0; i < 4; i++)
        if (!fit->any || planes[i] > fit->extent[i])
            fit->extent[i] = planes[i];
    for (int i = 0; i < 3; i++) {
        fit->min[i] = fit->any ? fmin(fit->min[i], p[i]) : p[i];
        fit->max[i] = fit->any ? fmax(fit->max[i], p[i]) : p[i];
    }
    fit->any = true;
}

/* Returns the distance of a camera that keeps its angles, and sets its target: straight ahead, at
 * the depth of the middle. */
static double fit_fixed(const gl_fit *fit, const double middle[3], double target[3]) {
    const double *m = fit->extent;
    double right = (m[0] - m[1]) / 2, up = (m[2] - m[3]) / 2, depth = 0;
    for (int i = 0; i < 3; i++)
        depth += middle[i] * fit->axes[2][i];
    for (int i = 0; i < 3; i++)
        target[i] = right * fit->axes[0][i] + up * fit->axes[1][i] + depth * fit->axes[2][i];
    return fmax((m[0] + m[1]) / (2 * fit->width), (m[2] + m[3]) / (2 * fit->height)) - depth;
}

/* The same for a camera that looks at the axis it rotates around. */
static double fit_orbit(const gl_fit *fit, const double middle[3], double target[3]) {
    const double *m = fit->extent, sine = fit->axes[2][2], cosine = fit->axes[1][2];
    /* Leave as much space above as below, within the model's height. */
    double height = cosine > 0.1 ? (m[2] - m[3]) / 2 / cosine : middle[2];
    height = fmin(fmax(height, fit->min[2]), fit->max[2]);
    double up = height * cosine;
    target[0] = target[1] = 0;
    target[2] = height;
    return fmax(m[0] / fit->width, fmax(m[2] - up, m[3] + up) / fit->height) - height * sine;
}

void lmi_gl_fit_end(const gl_fit *fit, lm_gl_camera *camera) {
    double radius = 0, from_origin = 0, offset = 0, middle[3], target[3];
    for (int i = 0; i < 3; i++)
        middle[i] = fit->orbits && i < 2 ? 0 : (fit->min[i] + fit->max[i]) / 2;
    double distance = (fit->orbits ? fit_orbit : fit_fixed)(fit, middle, target);
    for (int i = 0; i < 3; i++) {
        radius = hypot(radius, fmax(fit->max[i] - middle[i], middle[i] - fit->min[i]));
        from_origin = hypot(from_origin, middle[i]);
        offset = hypot(offset, target[i] - middle[i]);
    }
    double least = fmax(1e-3, 1e-6 * from_origin);
    camera->target =
        to_single((vec3d){target[0] + fit->axis[0], target[1] + fit->axis[1], target[2]});
    camera->distance = bounded(fmax(distance, least * 4));
    camera->radius = bounded(SHADOW_ROOM * fmax(radius + offset, least));
}

lm_gl_box lmi_gl_fit_box(const gl_fit *fit) {
    const double *x = fit->axis, *min = fit->min, *max = fit->max;
    return (lm_gl_box){.min = to_single((vec3d){x[0] + min[0], x[1] + min[1], min[2]}),
                       .max = to_single((vec3d){x[0] + max[0], x[1] + max[1], max[2]}),
                       .any = fit->any};
}

/* ---- Views ----------------------------------------------------------------------------------- */

/* The homogeneous scale is free: division by the distance keeps the numbers near 1 for models of
 * any size. Anything nearer than 1/100 of the distance is clipped. */
void lm_gl_camera_view(const lm_gl_camera *camera, lm_gl_view *out) {
    basis b = basis_of(camera);
    vec3d target = finite_vec3(camera->target);
    double distance = usable(camera->distance), radius = usable(camera->radius) / distance;
    double near = fmax(1 - radius, 0.01), far = fmax(1 + radius, near * 1.01);
    double height = half_height(camera), width = height * sane_ratio(camera->aspect);
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
    *out = (lm_gl_view){.right = to_single(b.right)};
    out->up = to_single(b.up);
    out->toward = to_single(b.toward);
    out->eye = to_single((vec3d){target.x + distance * b.toward.x, target.y + distance * b.toward.y,
                                 target.z + distance * b.toward.z});
    for (int column = 0; column < 4; column++) {
        double z = rows[2][column];
        out->matrix[4 * column] = (float)(rows[0][column] / width);
        out->matrix[4 * column + 1] = (float)(rows[1][column] / height);
        out->matrix[4 * column + 2] = (float)(-z * depth_scale - (column == 3 ? depth_offset : 0));
        out->matrix[4 * column + 3] = (float)-z;
    }
}
