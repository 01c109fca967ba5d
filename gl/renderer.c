#include "gl_internal.h"

#include "lerpmesh/normals.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Errors -------------------------------------------------------------------------------- */

bool lm_gl_fail(lm_error *error, lm_code code, const char *sentence, ...) {
    if (!error)
        return false;
    *error = (lm_error){.code = code};
    va_list arguments;
    va_start(arguments, sentence);
    vsnprintf(error->message, sizeof error->message, sentence, arguments);
    va_end(arguments);
    return false;
}

bool lm_gl_alive(const lm_gl *gl, lm_error *error) {
    return !gl->lost || lm_gl_fail(error, LM_CODE_GRAPHICS, "gl: the context was lost");
}

/* Takes errors from the driver until there is none; returns the first. A lost context may report
 * errors forever. */
static GLenum take_errors(void) {
    GLenum first = glGetError();
    for (int i = 0; first != GL_NO_ERROR && i < 16 && glGetError() != GL_NO_ERROR; i++)
        continue;
    return first;
}

bool lm_gl_made(const char *what, lm_error *error) {
    GLenum code = take_errors();
    if (code == GL_NO_ERROR)
        return true;
    if (code == GL_OUT_OF_MEMORY)
        return lm_gl_fail(error, LM_CODE_OUT_OF_MEMORY, "gl: not enough graphics memory for %s",
                          what);
    return lm_gl_fail(error, LM_CODE_GRAPHICS, "gl: the driver refuses %s (error 0x%04x)", what,
                      (unsigned)code);
}

/* ---- The renderer -------------------------------------------------------------------------- */

#define TABLE_WIDTH 256

static void put_texel(float *texel, lm_vec3 v) {
    texel[0] = v.x;
    texel[1] = v.y;
    texel[2] = v.z;
}

/* A texture bound to that unit, read texel by texel. */
static GLuint make_texture(GLenum unit) {
    GLuint texture;
    glGenTextures(1, &texture);
    glActiveTexture(GL_TEXTURE0 + unit);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    return texture;
}

static GLuint make_white(void) {
    static const uint8_t texel[4] = {255, 255, 255, 255};
    GLuint texture = make_texture(GL_UNIT_SKIN);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, texel);
    return texture;
}

static GLuint make_normals(void) {
    float texels[3][TABLE_WIDTH][4] = {{{0}}};
    for (unsigned i = 0; i < LM_NUM_NORMALS_162; i++)
        put_texel(texels[0][i], lm_normals_162[i]);
    for (unsigned i = 0; i < LM_NUM_NORMALS_256; i++)
        put_texel(texels[1][i], lm_normals_256[i]);
    for (unsigned i = 0; i < TABLE_WIDTH; i++) {
        lm_vec3 n = lm_normal_from_angles((uint8_t)i, 0); /* sine, 0, cosine */
        put_texel(texels[2][i], (lm_vec3){n.x, n.z, 0});
    }
    GLuint texture = make_texture(GL_UNIT_NORMALS);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, TABLE_WIDTH, 3, 0, GL_RGBA, GL_FLOAT, texels);
    return texture;
}

static bool check_version(lm_gl *gl, lm_error *error) {
    int version = epoxy_gl_version();
    gl->es = !epoxy_is_desktop_gl();
    if (version >= (gl->es ? 30 : 33))
        return true;
    return lm_gl_fail(error, LM_CODE_GRAPHICS,
                      "gl: OpenGL 3.3 or OpenGL ES 3.0 is needed, but this context has %s%d.%d",
                      gl->es ? "ES " : "", version / 10, version % 10);
}

static void name_driver(lm_gl *gl) {
    const char *renderer = (const char *)glGetString(GL_RENDERER);
    int version = epoxy_gl_version();
    snprintf(gl->driver, sizeof gl->driver, "%s, OpenGL %s%d.%d", renderer ? renderer : "unknown",
             gl->es ? "ES " : "", version / 10, version % 10);
}

static void make_lines_array(lm_gl *gl) {
    glGenBuffers(1, &gl->stream);
    glGenVertexArrays(1, &gl->lines_array);
    glBindVertexArray(gl->lines_array);
    glBindBuffer(GL_ARRAY_BUFFER, gl->stream);
    glVertexAttribPointer(GL_ATTRIBUTE_POSITION, 3, GL_FLOAT, GL_FALSE, sizeof(lm_gl_point),
                          lm_gl_place(offsetof(lm_gl_point, position)));
    glVertexAttribPointer(GL_ATTRIBUTE_COLOR, 4, GL_UNSIGNED_BYTE, GL_TRUE, sizeof(lm_gl_point),
                          lm_gl_place(offsetof(lm_gl_point, rgba)));
    glEnableVertexAttribArray(GL_ATTRIBUTE_POSITION);
    glEnableVertexAttribArray(GL_ATTRIBUTE_COLOR);
    glBindVertexArray(0);
}

lm_gl *lm_gl_new(lm_error *error) {
    lm_gl *gl = calloc(1, sizeof *gl);
    if (!gl) {
        lm_gl_fail(error, LM_CODE_OUT_OF_MEMORY, "gl: there is not enough memory");
        return NULL;
    }
    if (check_version(gl, error)) {
        take_errors(); /* the caller's */
        name_driver(gl);
        glGetIntegerv(GL_MAX_TEXTURE_SIZE, &gl->max_texture_size);
        gl->normals = make_normals();
        gl->white = make_white();
        make_lines_array(gl);
        if (lm_gl_made("the tables of normals", error))
            return gl;
    } else {
        gl->lost = true; /* nothing was made */
    }
    lm_gl_free(gl);
    return NULL;
}

void lm_gl_free(lm_gl *gl) {
    if (gl && !gl->lost) {
        lm_gl_free_programs(gl);
        glDeleteTextures(1, &gl->normals);
        glDeleteTextures(1, &gl->white);
        glDeleteVertexArrays(1, &gl->lines_array);
        glDeleteBuffers(1, &gl->stream);
    }
    free(gl);
}

void lm_gl_abandon(lm_gl *gl) {
    gl->lost = true;
}

const char *lm_gl_driver(const lm_gl *gl) {
    return gl->driver;
}
