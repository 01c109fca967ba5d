/* Boxes, axes, a grid and a backdrop around models. */
#include "gl_internal.h"

#include <math.h>

static const uint8_t box_color[4] = {230, 170, 60, 255};
static const uint8_t grid_color[4] = {178, 182, 188, 255};

static bool is_opaque(const lm_gl_point *points, uint32_t num_points) {
    for (uint32_t i = 0; i < num_points; i++)
        if (points[i].rgba[3] != 255)
            return false;
    return true;
}

/* Enables blending only if a colour is transparent: a software driver takes twice as long with
 * it. */
bool lm_gl_draw_points(lm_gl *gl, const float matrix[16], GLenum mode, gl_depth depth,
                       const lm_gl_point *points, uint32_t num_points, lm_error *error) {
    const gl_variant variant = {.decode = GL_DECODE_LINES, .paint = GL_PAINT_COLOR};
    if (!lm_gl_ready(gl, error))
        return false;
    const gl_program *program = lm_gl_use_program(gl, variant, error);
    if (!program || num_points == 0)
        return program != NULL;
    lm_gl_set_state(gl, &(lm_gl_style){.two_sided = true});
    /* Only lines write depth; flat areas are simply drawn over. */
    gl->api.DepthMask(mode == GL_LINES && depth == GL_DEPTH_AMONG);
    if (depth == GL_DEPTH_FRONT)
        gl->api.DepthFunc(GL_ALWAYS);
    if (depth == GL_DEPTH_CLOSER) {
        gl->api.Enable(GL_POLYGON_OFFSET_FILL);
        gl->api.PolygonOffset(-1, -1);
    }
    if (!is_opaque(points, num_points))
        gl->api.Enable(GL_BLEND);
    gl->api.UniformMatrix4fv(program->view, 1, GL_FALSE, matrix);
    gl->api.BindBuffer(GL_ARRAY_BUFFER, gl->stream);
    gl->api.BufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(num_points * sizeof *points), points,
                       GL_STREAM_DRAW);
    if (!lm_gl_created(gl, "lines", error))
        return false;
    gl->api.BindVertexArray(gl->lines_array);
    gl->api.DrawArrays(mode, 0, (GLsizei)num_points);
    gl->api.DepthMask(GL_TRUE);
    gl->api.DepthFunc(GL_LEQUAL);
    if (depth == GL_DEPTH_CLOSER)
        gl->api.Disable(GL_POLYGON_OFFSET_FILL);
    gl->api.BindVertexArray(0);
    return true;
}

bool lm_gl_draw_lines(lm_gl *gl, const lm_gl_view *view, const lm_gl_point *points,
                      uint32_t num_points, lm_error *error) {
    num_points = (num_points < INT32_MAX ? num_points : INT32_MAX) / 2 * 2;
    return lm_gl_draw_points(gl, view->matrix, GL_LINES, GL_DEPTH_AMONG, points, num_points, error);
}

static lm_gl_point point(const lm_transform *t, lm_vec3 position, const uint8_t rgba[4]) {
    lm_transform_points(t, &position, 1);
    return (lm_gl_point){position, {rgba[0], rgba[1], rgba[2], rgba[3]}};
}

bool lm_gl_draw_box(lm_gl *gl, const lm_gl_view *view, const lm_transform *transform,
                    const lm_vec3 *min, const lm_vec3 *max, lm_error *error) {
    lm_gl_point points[24];
    uint32_t count = 0;
    /* For each axis, connect the corners on its lower side to those on its upper side. */
    for (unsigned corner = 0; corner < 8; corner++)
        for (unsigned axis = 1; axis < 8; axis *= 2) {
            if (corner & axis)
                continue;
            for (unsigned end = 0; end < 2; end++) {
                unsigned c = end ? corner | axis : corner;
                lm_vec3 p = {c & 1 ? max->x : min->x, c & 2 ? max->y : min->y,
                             c & 4 ? max->z : min->z};
                points[count++] = point(transform, p, box_color);
            }
        }
    return lm_gl_draw_lines(gl, view, points, count, error);
}

bool lm_gl_draw_axes(lm_gl *gl, const lm_gl_view *view, const lm_transform *transform, float length,
                     lm_error *error) {
    static const uint8_t colors[3][4] = {
        {230, 60, 60, 255}, {60, 190, 60, 255}, {80, 110, 255, 255}};
    const lm_vec3 ends[3] = {{length, 0, 0}, {0, length, 0}, {0, 0, length}};
    lm_gl_point points[6];
    for (int i = 0; i < 3; i++) {
        points[2 * i] = point(transform, (lm_vec3){0, 0, 0}, colors[i]);
        points[2 * i + 1] = point(transform, ends[i], colors[i]);
    }
    return lm_gl_draw_lines(gl, view, points, 6, error);
}

#define MAX_GRID_LINES 40

bool lm_gl_draw_grid(lm_gl *gl, const lm_gl_view *view, const lm_vec3 *center, float half_size,
                     lm_error *error) {
    lm_gl_point points[4 * MAX_GRID_LINES];
    uint32_t count = 0;
    if (!(half_size > 0 && half_size < 1e30f))
        return true;
    /* The largest power of two up to an eighth of it: 8 to 16 lines on each side of the centre. */
    float step = exp2f(floorf(log2f(half_size / 8)));
    int steps = (int)(half_size / step);
    float x = roundf(center->x / step) * step, y = roundf(center->y / step) * step, z = center->z;
    float far = (float)steps * step;
    for (int i = -steps; i <= steps && count + 4 <= 4 * MAX_GRID_LINES; i++) {
        float at = (float)i * step;
        points[count++] = point(NULL, (lm_vec3){x + at, y - far, z}, grid_color);
        points[count++] = point(NULL, (lm_vec3){x + at, y + far, z}, grid_color);
        points[count++] = point(NULL, (lm_vec3){x - far, y + at, z}, grid_color);
        points[count++] = point(NULL, (lm_vec3){x + far, y + at, z}, grid_color);
    }
    return lm_gl_draw_lines(gl, view, points, count, error);
}

bool lm_gl_draw_tags(lm_gl_model *model, const lm_gl_view *view, const lm_gl_instance *instance,
                     float length, lm_error *error) {
    for (uint32_t i = 0; i < model->model->num_tags; i++) {
        lm_transform tag;
        lm_code code = lm_gl_sample_tag(model->model, i, instance, &tag);
        if (code != LM_CODE_OK)
            return lm_fail_plain(error, code, "gl: the pose is not valid for tag %u", i);
        lm_transform_nest(&instance->transform, &tag, &tag);
        if (!lm_gl_draw_axes(model->gl, view, &tag, length, error))
            return false;
    }
    return true;
}

/* ---- The backdrop -------------------------------------------------------------------------- */

#define BACKDROP_CELLS 16 /* per side */

/* Returns a point of the backdrop, x and y from 0 to BACKDROP_CELLS. */
static lm_gl_point backdrop_point(unsigned x, unsigned y, const uint8_t middle[3],
                                  const uint8_t edge[3]) {
    const float half = BACKDROP_CELLS / 2.0f;
    float right = (float)x / half - 1, up = (float)y / half - 1;
    float out = fminf((right * right + up * up) / 2, 1);
    lm_gl_point p = {{right, up, 1}, {0, 0, 0, 255}};
    for (int i = 0; i < 3; i++)
        p.rgba[i] = (uint8_t)lrintf((float)middle[i] * (1 - out) + (float)edge[i] * out);
    return p;
}

bool lm_gl_draw_backdrop(lm_gl *gl, const uint8_t middle[3], const uint8_t edge[3],
                         lm_error *error) {
    static const float matrix[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    static const uint8_t grey[3] = {0x8a, 0x90, 0x98}, dark[3] = {0x4c, 0x51, 0x59};
    lm_gl_point points[6 * BACKDROP_CELLS * BACKDROP_CELLS];
    uint32_t count = 0;
    middle = middle ? middle : grey;
    edge = edge ? edge : dark;
    for (unsigned y = 0; y < BACKDROP_CELLS; y++)
        for (unsigned x = 0; x < BACKDROP_CELLS; x++)
            for (unsigned i = 0; i < 6; i++)
                points[count++] =
                    backdrop_point(x + (0x1a >> i & 1), y + (0x34 >> i & 1), middle, edge);
    return lm_gl_draw_points(gl, matrix, GL_TRIANGLES, GL_DEPTH_AMONG, points, count, error);
}
