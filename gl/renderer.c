#include "gl_internal.h"

#include "lerpmesh/base.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The light of the studio and of the games. */

/* ---- The games ----------------------------------------------------------------------------- */

#define DIAGONAL 0.70710678f
#define GREY(value) {(value) / 255.0f, (value) / 255.0f, (value) / 255.0f}

/* Quake and Quake II store their light in a table of 16 directions by 162 normals (anorm_dots.h).
 * It has 1 + cosine, or 1 + 0.3 * cosine if that is negative, from (1, 0, 1). Models here are at
 * direction 0. GLQuake (R_DrawAliasModel) limits ambient light to 128 and the sum of both to 192,
 * and divides by 200: at most 96 / 200. Quake II's `intensity` doubles textures; a light of half
 * the maximum, as in maps, shows them in their own colours where the cosine is 0. Without a map
 * (R_SetupEntityLighting), Quake III has 150 of 255 each, and 32 more ambient light, which RtCW
 * adds to some models only. */
static const gl_engine_light lights[] = {
    {LM_ENGINE_QUAKE2, {DIAGONAL, 0, DIAGONAL}, GREY(127.5f), GREY(127.5f), 0.3f, 2},
    {LM_ENGINE_QUAKE, {DIAGONAL, 0, DIAGONAL}, GREY(122.4f), GREY(122.4f), 0.3f, 1},
    {LM_ENGINE_QUAKE3, {0.4286f, 0.2857f, 0.8571f}, GREY(182), GREY(150), 0, 1},
    {LM_ENGINE_RTCW, {0.4286f, 0.2857f, 0.8571f}, GREY(150), GREY(150), 0, 1},
    {LM_ENGINE_ET,
     {-0.5298f, 0.5298f, 0.6623f},
     {64 / 255.0f, 64 / 255.0f, 96 / 255.0f},
     {1, 232 / 255.0f, 224 / 255.0f},
     0,
     1},
};

static const gl_engine_light *find_light(lm_engine engine) {
    if (engine == LM_ENGINE_GLQUAKE)
        engine = LM_ENGINE_QUAKE;
    if (engine == LM_ENGINE_RTCW_SP)
        engine = LM_ENGINE_RTCW;
    for (size_t i = 0; i < sizeof lights / sizeof *lights; i++)
        if (lights[i].engine == engine)
            return &lights[i];
    return &lights[0]; /* Quake II's, also for its ports */
}

const gl_engine_light *lmi_gl_engine_light(lm_engine engine, const lm_model *model) {
    const lm_format_info *format = lm_format_by_name(model->format);
    lm_format_limit limit;
    if (engine == LM_ENGINE_ANY && format && lm_format_limits(format, 0, &limit))
        engine = limit.engine;
    return find_light(engine);
}

void lmi_gl_set_engine(const lm_gl *gl, const gl_program *program, const gl_engine_light *light) {
    const lm_vec3 *l = &light->toward;
    gl->api.Uniform3f(program->toward, l->x, l->y, l->z);
    const lm_vec3 *a = &light->ambient, *d = &light->directed;
    gl->api.Uniform4f(program->ambient, a->x, a->y, a->z, light->away);
    gl->api.Uniform4f(program->directed, d->x, d->y, d->z, light->gain);
}

/* ---- The studio ---------------------------------------------------------------------------- */

/* A warm key light, and ambient light from above and below. */
static const lm_gl_environment studio = {
    .ambient = {{0, 0, 0}, {0, 0, 0}, {0.10f, 0.12f, 0.15f}, {0.20f, 0.21f, 0.23f}},
    .key = {1.62f, 1.55f, 1.44f}};

/* Puts a lamp that moves with the camera: its offsets to the right, up and toward the camera. */
static void put_lamp(float out[4], const lm_gl_view *view, lm_vec3 l, float scale, float w) {
    const lm_vec3 zero = {0, 0, 0};
    const lm_vec3 side = gl_sum(gl_sum(zero, view->right, l.x), view->up, l.y);
    gl_put(out, gl_sum(side, view->toward, l.z), scale, w);
}

/* The studio's key light, a cool fill light, and a rim light from the rear move with the camera. An
 * environment does not, and has no others. */
void lmi_gl_set_studio(const lm_gl *gl, const gl_program *program, const lm_gl_view *view,
                       const lm_gl_style *style) {
    const lm_gl_environment *e = style->environment ? style->environment : &studio;
    float values[9][4] = {{0}};
    gl_put(values[0], view->eye, 1, style->exposure > 0 ? style->exposure : 1);
    gl_put(values[1], e->toward, 1, 0);
    gl_put(values[4], e->key, 1, 0);
    for (unsigned i = 0; i < 4; i++)
        gl_put(values[5 + i], e->ambient[i], 1, 0);
    if (e == &studio) {
        put_lamp(values[1], view, (lm_vec3){-0.50f, 0.62f, 0.60f}, 1, 0);
        put_lamp(values[2], view, (lm_vec3){0.80f, -0.05f, 0.60f}, 0.6f, 0.4f);
        put_lamp(values[3], view, (lm_vec3){0.45f, 0.60f, -0.66f}, 0.7f, 0.3f);
    }
    gl->api.Uniform4fv(program->studio, 9, *values);
}

/* ---- The renderer -------------------------------------------------------------------------- */

#define TABLE_WIDTH 256

GLuint lmi_gl_make_texture(const lm_gl *gl, GLenum unit) {
    GLuint texture;
    gl->api.GenTextures(1, &texture);
    gl->api.ActiveTexture(GL_TEXTURE0 + unit);
    gl->api.BindTexture(GL_TEXTURE_2D, texture);
    gl->api.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    gl->api.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    gl->api.BindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    gl->api.PixelStorei(GL_UNPACK_ALIGNMENT, 4);
    return texture;
}

static GLuint make_normals(const lm_gl *gl) {
    float texels[3][TABLE_WIDTH][4] = {{{0}}};
    for (unsigned i = 0; i < LM_NUM_NORMALS_162; i++)
        gl_put(texels[0][i], lm_normal_table(LM_NUM_NORMALS_162)[i], 1, 0);
    for (unsigned i = 0; i < LM_NUM_NORMALS_256; i++)
        gl_put(texels[1][i], lm_normal_table(LM_NUM_NORMALS_256)[i], 1, 0);
    for (unsigned i = 0; i < TABLE_WIDTH; i++) {
        lm_vec3 n;
        lm_normal_from_angles((uint8_t)i, 0, &n); /* sine, 0, cosine */
        gl_put(texels[2][i], (lm_vec3){n.x, n.z, 0}, 1, 0);
    }
    GLuint texture = lmi_gl_make_texture(gl, GL_UNIT_NORMALS);
    gl->api.TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, TABLE_WIDTH, 3, 0, GL_RGBA, GL_FLOAT, texels);
    return texture;
}

/* "4.5 (Core Profile) Mesa 22.3.6", "OpenGL ES 3.2 Mesa 22.3.6", "OpenGL ES 3.0 (WebGL 2.0)". */
static bool check_version(lm_gl *gl, lm_error *error) {
    const char *text = (const char *)gl->api.GetString(GL_VERSION);
    text = text ? text : "";
    gl->es = strncmp(text, "OpenGL ES", 9) == 0;
    while (*text && (*text < '0' || *text > '9'))
        text++;
    char *point;
    gl->major = (int)strtol(text, &point, 10);
    gl->minor = *point == '.' ? (int)strtol(point + 1, NULL, 10) : 0;
    if (10 * gl->major + gl->minor >= (gl->es ? 30 : 33))
        return true;
    return lm_fail_plain(error, LM_CODE_GRAPHICS,
                         "gl: OpenGL 3.3 or OpenGL ES 3.0 is needed, but this context has %s%d.%d",
                         gl->es ? "ES " : "", gl->major, gl->minor);
}

#define MAX_ANISOTROPY 4 /* higher values are hardly visible, but cost time */

/* Software rasterisers visit every texel that a pixel covers: a texture that a script shrinks to a
 * point would take half a minute. */
static bool is_software(const lm_gl *gl) {
    return strstr(gl->driver, "llvmpipe") || strstr(gl->driver, "softpipe") ||
           strstr(gl->driver, "SwiftShader");
}

static GLint find_anisotropy(const lm_gl *gl) {
    GLint count = 0, max = 1;
    if (is_software(gl))
        return 1;
    gl->api.GetIntegerv(GL_NUM_EXTENSIONS, &count);
    for (GLint i = 0; i < count; i++) {
        const char *name = (const char *)gl->api.GetStringi(GL_EXTENSIONS, (GLuint)i);
        if (name && strcmp(name, "GL_EXT_texture_filter_anisotropic") == 0)
            gl->api.GetIntegerv(GL_MAX_TEXTURE_MAX_ANISOTROPY, &max);
    }
    return max < MAX_ANISOTROPY ? max : MAX_ANISOTROPY;
}

/* An attribute of vertices in the stream buffer. */
typedef struct stream_attribute {
    GLuint index;
    GLint size;
    GLenum type;
    size_t offset;
} stream_attribute;

static GLuint make_array(const lm_gl *gl, const stream_attribute *attributes, size_t count,
                         size_t vertex_size) {
    GLuint array = 0;
    gl->api.GenVertexArrays(1, &array);
    gl->api.BindVertexArray(array);
    gl->api.BindBuffer(GL_ARRAY_BUFFER, gl->stream);
    for (const stream_attribute *a = attributes; a < attributes + count; a++) {
        gl->api.VertexAttribPointer(a->index, a->size, a->type, a->type == GL_UNSIGNED_BYTE,
                                    (GLsizei)vertex_size, lmi_gl_offset(a->offset));
        gl->api.EnableVertexAttribArray(a->index);
    }
    gl->api.BindVertexArray(0);
    return array;
}

static void make_arrays(lm_gl *gl) {
    static const stream_attribute lines[] = {
        {GL_ATTRIBUTE_POSITION, 3, GL_FLOAT, offsetof(lm_gl_point, position)},
        {GL_ATTRIBUTE_COLOR, 4, GL_UNSIGNED_BYTE, offsetof(lm_gl_point, rgba)}};
    static const stream_attribute generated[] = {
        {GL_ATTRIBUTE_ST, 2, GL_FLOAT, offsetof(gl_generated_vertex, st)},
        {GL_ATTRIBUTE_GENERATED_POSITION, 3, GL_FLOAT, offsetof(gl_generated_vertex, position)},
        {GL_ATTRIBUTE_GENERATED_NORMAL, 3, GL_FLOAT, offsetof(gl_generated_vertex, normal)},
        {GL_ATTRIBUTE_GENERATED_COLOR, 4, GL_UNSIGNED_BYTE, offsetof(gl_generated_vertex, rgba)}};
    gl->lines_array = make_array(gl, lines, 2, sizeof(lm_gl_point));
    gl->generated_array = make_array(gl, generated, 4, sizeof(gl_generated_vertex));
}

lm_gl *lm_gl_new(const lm_gl_options *options, lm_error *error) {
    lm_gl *gl = calloc(1, sizeof *gl);
    if (!gl) {
        lmi_gl_no_memory(error);
        return NULL;
    }
    if (lmi_gl_load(&gl->api, options, error) && check_version(gl, error)) {
        lmi_gl_take_errors(gl); /* discards the caller's errors */
        const char *renderer = (const char *)gl->api.GetString(GL_RENDERER);
        snprintf(gl->driver, sizeof gl->driver, "%s, OpenGL %s%d.%d",
                 renderer ? renderer : "unknown", gl->es ? "ES " : "", gl->major, gl->minor);
        gl->api.GetIntegerv(GL_MAX_TEXTURE_SIZE, &gl->max_texture_size);
        gl->lost = gl->max_texture_size < 1;
        gl->max_anisotropy = find_anisotropy(gl);
        gl->normals = make_normals(gl);
        static const uint8_t white[4] = {255, 255, 255, 255};
        gl->white = lmi_gl_make_texture(gl, GL_UNIT_TEXTURE);
        gl->api.TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, white);
        gl->api.GenBuffers(1, &gl->stream);
        make_arrays(gl);
        if (lmi_gl_alive(gl, error) && lmi_gl_created(gl, "the tables of normals", error))
            return gl;
    } else {
        gl->lost = true; /* nothing was created */
    }
    lm_gl_free(gl);
    return NULL;
}

void lm_gl_free(lm_gl *gl) {
    if (gl && !gl->lost) {
        lmi_gl_free_programs(gl);
        gl->api.DeleteTextures(1, &gl->normals);
        gl->api.DeleteTextures(1, &gl->white);
        gl->api.DeleteVertexArrays(1, &gl->lines_array);
        gl->api.DeleteVertexArrays(1, &gl->generated_array);
        gl->api.DeleteBuffers(1, &gl->stream);
    }
    free(gl);
}

void lm_gl_context_lost(lm_gl *gl) {
    gl->lost = true;
}

const char *lm_gl_driver(const lm_gl *gl) {
    return gl->driver;
}
