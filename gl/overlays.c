/* Overlays of a model: normals, GL commands, and the locations of problems. */
#include "gl_internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- Lines -------------------------------------------------------------------------------- */

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
bool lmi_gl_draw_points(lm_gl *gl, const float matrix[16], GLenum mode, gl_depth depth,
                        const lm_gl_point *points, uint32_t num_points, lm_error *error) {
    const gl_variant variant = {.decode = GL_DECODE_LINES, .paint = GL_PAINT_COLOR};
    if (!lmi_gl_ready(gl, error))
        return false;
    const gl_program *program = lmi_gl_use_program(gl, variant, error);
    if (!program || num_points == 0)
        return program != NULL;
    lmi_gl_set_state(gl, &(lm_gl_style){.two_sided = true});
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
    if (!lmi_gl_created(gl, "lines", error))
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

static lm_gl_line line(const lm_transform *t, lm_vec3 from, lm_vec3 to, const uint8_t rgba[4]) {
    lm_transform_vertices(t, &from, NULL, 1, 0);
    lm_transform_vertices(t, &to, NULL, 1, 0);
    return (lm_gl_line){from, to, {rgba[0], rgba[1], rgba[2], rgba[3]}};
}

bool lmi_gl_draw_box(lm_gl *gl, const lm_gl_view *view, const lm_transform *transform,
                     const lm_vec3 *min, const lm_vec3 *max, lm_error *error) {
    lm_gl_line lines[12];
    uint32_t count = 0;
    /* For each axis, connect the corners on its lower side to those on its upper side. */
    for (unsigned corner = 0; corner < 8; corner++)
        for (unsigned axis = 1; axis < 8; axis *= 2)
            if (!(corner & axis))
                lines[count++] = line(transform, lmi_gl_corner_of(min, max, corner),
                                      lmi_gl_corner_of(min, max, corner | axis), box_color);
    return lm_gl_draw_lines(gl, view, lines, count, LM_GL_LINE_THIN, error);
}

bool lmi_gl_draw_axes(lm_gl *gl, const lm_gl_view *view, const lm_transform *transform,
                      float length, lm_error *error) {
    static const lm_vec3 from = {0, 0, 0};
    const lm_gl_line lines[3] = {
        line(transform, from, (lm_vec3){length, 0, 0}, (const uint8_t[4]){230, 60, 60, 255}),
        line(transform, from, (lm_vec3){0, length, 0}, (const uint8_t[4]){60, 190, 60, 255}),
        line(transform, from, (lm_vec3){0, 0, length}, (const uint8_t[4]){80, 110, 255, 255})};
    return lm_gl_draw_lines(gl, view, lines, 3, LM_GL_LINE_THIN, error);
}

#define MAX_GRID_LINES 40

bool lmi_gl_draw_grid(lm_gl *gl, const lm_gl_view *view, const lm_vec3 *center, float half_size,
                      lm_error *error) {
    lm_gl_line lines[2 * MAX_GRID_LINES];
    uint32_t count = 0;
    if (!(half_size > 0 && half_size < 1e30f))
        return true;
    /* The largest power of two up to an eighth of it: 8 to 16 lines on each side of the centre. */
    float step = exp2f(floorf(log2f(half_size / 8)));
    int steps = (int)(half_size / step);
    float x = roundf(center->x / step) * step, y = roundf(center->y / step) * step, z = center->z;
    float far = (float)steps * step;
    for (int i = -steps; i <= steps && count + 2 <= 2 * MAX_GRID_LINES; i++) {
        float at = (float)i * step;
        lines[count++] =
            line(NULL, (lm_vec3){x + at, y - far, z}, (lm_vec3){x + at, y + far, z}, grid_color);
        lines[count++] =
            line(NULL, (lm_vec3){x - far, y + at, z}, (lm_vec3){x + far, y + at, z}, grid_color);
    }
    return lm_gl_draw_lines(gl, view, lines, count, LM_GL_LINE_THIN, error);
}

bool lmi_gl_draw_tags(lm_gl_model *model, const lm_gl_view *view, const lm_gl_instance *instance,
                      float length, lm_error *error) {
    for (uint32_t i = 0; i < model->model->num_tags; i++) {
        lm_transform tag;
        lm_code code = lmi_gl_sample_tag(model->model, i, instance, &tag);
        if (code != LM_CODE_OK)
            return lm_fail_plain(error, code, "gl: the pose is not valid for tag %u", i);
        lm_transform_nest(instance->transform, &tag, &tag);
        if (!lmi_gl_draw_axes(model->gl, view, &tag, length, error))
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

bool lmi_gl_draw_gradient(lm_gl *gl, const lm_gl_background *background, lm_error *error) {
    static const float matrix[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    static const uint8_t grey[3] = {0x8a, 0x90, 0x98}, dark[3] = {0x4c, 0x51, 0x59}, zeros[3] = {0};
    const bool given =
        memcmp(background->middle, zeros, 3) != 0 || memcmp(background->edge, zeros, 3) != 0;
    const uint8_t *middle = given ? background->middle : grey;
    const uint8_t *edge = given ? background->edge : dark;
    lm_gl_point points[6 * BACKDROP_CELLS * BACKDROP_CELLS];
    uint32_t count = 0;
    for (unsigned y = 0; y < BACKDROP_CELLS; y++)
        for (unsigned x = 0; x < BACKDROP_CELLS; x++)
            for (unsigned i = 0; i < 6; i++)
                points[count++] =
                    backdrop_point(x + (0x1a >> i & 1), y + (0x34 >> i & 1), middle, edge);
    return lmi_gl_draw_points(gl, matrix, GL_TRIANGLES, GL_DEPTH_AMONG, points, count, error);
}

/* ---- Lists of points ----------------------------------------------------------------------- */

/* A list of the corners of lines or triangles to draw. */
typedef struct gl_points {
    lm_gl_point *points;
    uint32_t count;
} gl_points;

static bool make_points(gl_points *all, size_t capacity, lm_error *error) {
    all->count = 0;
    all->points = capacity < INT32_MAX ? malloc((capacity + 1) * sizeof *all->points) : NULL;
    if (!all->points)
        lmi_gl_no_memory(error);
    return all->points != NULL;
}

static void add(gl_points *all, lm_vec3 p, const uint8_t rgba[4]) {
    lm_gl_point *point = &all->points[all->count++];
    point->position = p;
    memcpy(point->rgba, rgba, 4);
}

bool lm_gl_draw_lines(lm_gl *gl, const lm_gl_view *view, const lm_gl_line *lines,
                      uint32_t num_lines, lm_gl_line_shape shape, lm_error *error) {
    gl_points all;
    if (!lmi_gl_sound_view(view, error) || !lmi_gl_sound_array(lines, num_lines, "lines", error))
        return false;
    if (shape == LM_GL_LINE_BONE)
        return lmi_gl_draw_bones(gl, view, lines, num_lines, error);
    if (shape != LM_GL_LINE_THIN)
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "gl: unknown shape of lines");
    if (!lmi_gl_alive(gl, error) || !make_points(&all, 2 * (size_t)num_lines, error))
        return false;
    for (uint32_t i = 0; i < num_lines; i++) {
        add(&all, lines[i].from, lines[i].rgba);
        add(&all, lines[i].to, lines[i].rgba);
    }
    const bool ok = lmi_gl_draw_points(gl, view->matrix, GL_LINES, GL_DEPTH_AMONG, all.points,
                                       all.count, error);
    free(all.points);
    return ok;
}

/* Computes the transformed vertices of a surface and, unless `tips` is NULL, the tips of their
 * normals. */
static void compute_positions(const lm_gl_scene *f, uint32_t part, uint32_t surface,
                              lm_vec3 *positions, lm_vec3 *tips, float length) {
    const lm_model *model = f->scene->parts[part].model;
    const uint32_t count = model->surfaces[surface].num_vertices;
    const lm_sample_target target = {.positions = &positions->x, .normals = tips ? &tips->x : NULL};
    lmi_gl_sample(model, surface, &f->at[part], &target);
    for (uint32_t v = 0; tips && v < count; v++)
        tips[v] = gl_sum(positions[v], tips[v], length);
    lm_transform_vertices(f->at[part].transform, positions, NULL, count, 0);
    if (tips)
        lm_transform_vertices(f->at[part].transform, tips, NULL, count, 0);
}

/* ---- Normals ------------------------------------------------------------------------------- */

#define NORMAL_SHARE 0.03f /* of the model's size */

static bool visit_normals(const lm_gl_scene *f, uint32_t part, uint32_t surface,
                          const gl_overlay_visitor *visitor, lm_error *error) {
    const uint32_t count = f->scene->parts[part].model->surfaces[surface].num_vertices;
    const lm_frame *frame = &f->scene->parts[part].model->frames[0];
    const float size = fmaxf(frame->max.x - frame->min.x,
                             fmaxf(frame->max.y - frame->min.y, frame->max.z - frame->min.z));
    const float length = size > 0 && size < 1e30f ? size * NORMAL_SHARE : 1;
    lm_vec3 *tips = malloc((count + (size_t)1) * sizeof *tips);
    gl_points all = {NULL, 0};
    bool ok = false;
    if (!tips) {
        lmi_gl_no_memory(error);
    } else if (make_points(&all, 2 * (size_t)count, error)) {
        compute_positions(f, part, surface, f->positions, tips, length);
        const lm_vec3 *from = f->positions;
        for (uint32_t v = 0; v < count; v++) {
            const float scale = 0.5f / length;
            const uint8_t rgba[4] = {lmi_gl_byte_of(0.5f + (tips[v].x - from[v].x) * scale),
                                     lmi_gl_byte_of(0.5f + (tips[v].y - from[v].y) * scale),
                                     lmi_gl_byte_of(0.5f + (tips[v].z - from[v].z) * scale), 255};
            add(&all, from[v], rgba);
            add(&all, tips[v], rgba);
        }
        ok = visitor->visit(visitor->user, GL_LINES, all.points, all.count, error);
    }
    free(all.points);
    free(tips);
    return ok;
}

/* ---- GL commands --------------------------------------------------------------------------- */

/* Returns a colour very different from its neighbours': each step is the golden ratio around the
 * hue circle. */
static void color_of(uint32_t primitive, float light, uint8_t rgba[4]) {
    const float start = (float)primitive * 0.6180340f;
    for (unsigned i = 0; i < 3; i++) {
        const float hue = start + (float)i / 3;
        const float ramp = fabsf(6 * (hue - floorf(hue)) - 3) - 1;
        rgba[i] = lmi_gl_byte_of((0.35f + 0.65f * fminf(fmaxf(ramp, 0), 1)) * light);
    }
    rgba[3] = 235;
}

/* Returns how much a triangle faces the eye. */
static float light_on(const lm_gl_view *view, lm_vec3 a, lm_vec3 b, lm_vec3 c) {
    const lm_vec3 n = gl_cross(gl_sum(b, a, -1), gl_sum(c, a, -1));
    const float size = gl_length(n), along = gl_dot(n, view->toward);
    return size > 0 ? 0.45f + 0.55f * fabsf(along) / size : 1;
}

/* Visits the GL commands on the first surface: only MD2 has them, with one surface. */
static bool visit_commands(const lm_gl_scene *f, uint32_t part, const lm_gl_view *view,
                           const gl_overlay_visitor *visitor, lm_error *error) {
    const lm_model *model = f->scene->parts[part].model;
    const lm_gl_commands *commands = &model->gl_commands;
    gl_points all;
    if (commands->num_primitives == 0 || model->num_surfaces == 0)
        return true;
    if (!make_points(&all, 3 * (size_t)commands->num_vertices, error))
        return false;
    compute_positions(f, part, 0, f->positions, NULL, 0);
    for (uint32_t i = 0; i < commands->num_primitives; i++) {
        const lm_vec3 *at = f->positions;
        const lm_gl_primitive *p = &commands->primitives[i];
        const lm_gl_vertex *v = &commands->vertices[p->first];
        for (uint32_t k = 2; k < p->count; k++) {
            const lm_vec3 corners[3] = {at[v[p->fan ? 0 : k - 2].vertex], at[v[k - 1].vertex],
                                        at[v[k].vertex]};
            uint8_t rgba[4];
            color_of(i, light_on(view, corners[0], corners[1], corners[2]), rgba);
            for (unsigned c = 0; c < 3; c++)
                add(&all, corners[c], rgba);
        }
    }
    const bool ok = visitor->visit(visitor->user, GL_TRIANGLES, all.points, all.count, error);
    free(all.points);
    return ok;
}

/* ---- Both ------------------------------------------------------------------------------------ */

bool lmi_gl_visit_overlays(const lm_gl_scene *f, const lm_gl_view *view, unsigned show,
                           const gl_overlay_visitor *visitor, lm_error *error) {
    for (uint32_t part = 0; part < f->scene->num_parts; part++) {
        if (show & LM_GL_SHOW_COMMANDS && !visit_commands(f, part, view, visitor, error))
            return false;
        const uint32_t surfaces = f->scene->parts[part].model->num_surfaces;
        for (uint32_t i = 0; show & LM_GL_SHOW_NORMALS && i < surfaces; i++)
            if (!visit_normals(f, part, i, visitor, error))
                return false;
    }
    return true;
}

typedef struct drawing {
    lm_gl *gl;
    const lm_gl_view *view;
} drawing;

static bool draw(void *user, GLenum mode, const lm_gl_point *points, uint32_t num_points,
                 lm_error *error) {
    const drawing *d = user;
    return lmi_gl_draw_points(d->gl, d->view->matrix, mode,
                              mode == GL_LINES ? GL_DEPTH_AMONG : GL_DEPTH_CLOSER, points,
                              num_points, error);
}

bool lmi_gl_draw_overlays(const lm_gl_scene *f, const lm_gl_view *view, unsigned show,
                          lm_error *error) {
    drawing d = {f->gl, view};
    return lmi_gl_visit_overlays(f, view, show, &(gl_overlay_visitor){draw, &d}, error);
}

/* ---- Marks --------------------------------------------------------------------------------- */

static const uint8_t mark_color[4] = {255, 60, 120, 255};

static void add_mark(gl_points *all, const uint32_t v[3], const lm_vec3 *at, float size) {
    if (v[0] == v[1] && v[1] == v[2]) {
        const lm_vec3 p = at[v[0]];
        add(all, (lm_vec3){p.x - size, p.y, p.z}, mark_color);
        add(all, (lm_vec3){p.x + size, p.y, p.z}, mark_color);
        add(all, (lm_vec3){p.x, p.y - size, p.z}, mark_color);
        add(all, (lm_vec3){p.x, p.y + size, p.z}, mark_color);
        add(all, (lm_vec3){p.x, p.y, p.z - size}, mark_color);
        add(all, (lm_vec3){p.x, p.y, p.z + size}, mark_color);
    } else
        for (unsigned k = 0; k < 3; k++) {
            add(all, at[v[k]], mark_color);
            add(all, at[v[(k + 1) % 3]], mark_color);
        }
}

bool lmi_gl_draw_marks(const lm_gl_scene *f, const lm_gl_view *view,
                       const lm_gl_render_options *options, lm_error *error) {
    uint32_t current = UINT32_MAX;
    gl_points all;
    if (options->num_marks == 0)
        return true;
    if (!make_points(&all, 6 * (size_t)options->num_marks, error))
        return false;
    for (uint32_t i = 0; i < options->num_marks; i++) {
        const lm_diagnostic_triangle *mark = &options->marks[i];
        if (mark->surface != current)
            compute_positions(f, options->marked_part, mark->surface, f->positions, NULL, 0);
        current = mark->surface;
        add_mark(&all, mark->vertices, f->positions, options->mark_size);
    }
    const bool ok = lmi_gl_draw_points(f->gl, view->matrix, GL_LINES, GL_DEPTH_FRONT, all.points,
                                       all.count, error);
    free(all.points);
    return ok;
}
