#include "gl_internal.h"

#include "lerpmesh/base.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The renderer -------------------------------------------------------------------------- */

#define TABLE_WIDTH 256

static void put_texel(float *texel, lm_vec3 v) {
    texel[0] = v.x;
    texel[1] = v.y;
    texel[2] = v.z;
}

/* Creates a texture with nearest filtering, bound to a unit. */
static GLuint make_texture(const lm_gl *gl, GLenum unit) {
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

static GLuint make_white(const lm_gl *gl) {
    static const uint8_t texel[4] = {255, 255, 255, 255};
    GLuint texture = make_texture(gl, GL_UNIT_TEXTURE);
    gl->api.TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, texel);
    return texture;
}

static GLuint make_normals(const lm_gl *gl) {
    float texels[3][TABLE_WIDTH][4] = {{{0}}};
    for (unsigned i = 0; i < LM_NUM_NORMALS_162; i++)
        put_texel(texels[0][i], lm_normal_table(LM_NUM_NORMALS_162)[i]);
    for (unsigned i = 0; i < LM_NUM_NORMALS_256; i++)
        put_texel(texels[1][i], lm_normal_table(LM_NUM_NORMALS_256)[i]);
    for (unsigned i = 0; i < TABLE_WIDTH; i++) {
        lm_vec3 n;
        lm_normal_from_angles((uint8_t)i, 0, &n); /* sine, 0, cosine */
        put_texel(texels[2][i], (lm_vec3){n.x, n.z, 0});
    }
    GLuint texture = make_texture(gl, GL_UNIT_NORMALS);
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

static void make_lines_array(lm_gl *gl) {
    gl->api.GenVertexArrays(1, &gl->lines_array);
    gl->api.BindVertexArray(gl->lines_array);
    gl->api.BindBuffer(GL_ARRAY_BUFFER, gl->stream);
    gl->api.VertexAttribPointer(GL_ATTRIBUTE_POSITION, 3, GL_FLOAT, GL_FALSE, sizeof(lm_gl_point),
                                lm_gl_offset(offsetof(lm_gl_point, position)));
    gl->api.VertexAttribPointer(GL_ATTRIBUTE_COLOR, 4, GL_UNSIGNED_BYTE, GL_TRUE,
                                sizeof(lm_gl_point), lm_gl_offset(offsetof(lm_gl_point, rgba)));
    gl->api.EnableVertexAttribArray(GL_ATTRIBUTE_POSITION);
    gl->api.EnableVertexAttribArray(GL_ATTRIBUTE_COLOR);
    gl->api.BindVertexArray(0);
}

static void make_generated_array(lm_gl *gl) {
    const struct {
        GLuint attribute;
        GLint size;
        GLenum type;
        size_t offset;
    } attributes[] = {
        {GL_ATTRIBUTE_ST, 2, GL_FLOAT, offsetof(gl_generated_vertex, st)},
        {GL_ATTRIBUTE_GENERATED_POSITION, 3, GL_FLOAT, offsetof(gl_generated_vertex, position)},
        {GL_ATTRIBUTE_GENERATED_NORMAL, 3, GL_FLOAT, offsetof(gl_generated_vertex, normal)},
        {GL_ATTRIBUTE_GENERATED_COLOR, 4, GL_UNSIGNED_BYTE, offsetof(gl_generated_vertex, rgba)},
    };
    gl->api.GenVertexArrays(1, &gl->generated_array);
    gl->api.BindVertexArray(gl->generated_array);
    gl->api.BindBuffer(GL_ARRAY_BUFFER, gl->stream);
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
        gl->api.VertexAttribPointer(attributes[i].attribute, attributes[i].size, attributes[i].type,
                                    attributes[i].type == GL_UNSIGNED_BYTE,
                                    sizeof(gl_generated_vertex),
                                    lm_gl_offset(attributes[i].offset));
        gl->api.EnableVertexAttribArray(attributes[i].attribute);
    }
    gl->api.BindVertexArray(0);
}

lm_gl *lm_gl_new(const lm_gl_options *options, lm_error *error) {
    lm_gl *gl = calloc(1, sizeof *gl);
    if (!gl) {
        lm_gl_no_memory(error);
        return NULL;
    }
    if (lm_gl_load(&gl->api, options, error) && check_version(gl, error)) {
        lm_gl_take_errors(gl); /* discards the caller's errors */
        const char *renderer = (const char *)gl->api.GetString(GL_RENDERER);
        snprintf(gl->driver, sizeof gl->driver, "%s, OpenGL %s%d.%d",
                 renderer ? renderer : "unknown", gl->es ? "ES " : "", gl->major, gl->minor);
        gl->api.GetIntegerv(GL_MAX_TEXTURE_SIZE, &gl->max_texture_size);
        gl->lost = gl->max_texture_size < 1;
        gl->max_anisotropy = find_anisotropy(gl);
        gl->normals = make_normals(gl);
        gl->white = make_white(gl);
        gl->api.GenBuffers(1, &gl->stream);
        make_lines_array(gl);
        make_generated_array(gl);
        if (lm_gl_alive(gl, error) && lm_gl_created(gl, "the tables of normals", error))
            return gl;
    } else {
        gl->lost = true; /* nothing was created */
    }
    lm_gl_free(gl);
    return NULL;
}

void lm_gl_free(lm_gl *gl) {
    if (gl && !gl->lost) {
        lm_gl_free_programs(gl);
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
