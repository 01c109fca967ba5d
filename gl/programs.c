/* Programs: one per variant, compiled on first use. */
#include "gl_internal.h"
#include "shader_text.h"

#include <stdio.h>

static const char *const decode_names[GL_NUM_DECODES] = {
    "DECODE_U8", "DECODE_S16", "DECODE_S16_DELTA", "DECODE_FLOAT", "DECODE_LINES"};
static const char *const paint_names[GL_NUM_PAINTS] = {
    "PAINT_STUDIO", "PAINT_ENGINE", "PAINT_TEXTURE", "PAINT_NORMALS",
    "PAINT_UV",     "PAINT_COLOR",  "CAPTURE"};

static bool fail_log(char *log, const char *what, lm_error *error) {
    for (char *c = log; *c; c++)
        if ((unsigned char)*c < ' ')
            *c = ' ';
    return lm_fail_plain(error, LM_CODE_GRAPHICS, "gl: the driver rejects a %s: %s", what, log);
}

/* Reports why linking failed: an error in a shader, or in the program itself. Shaders are not
 * checked before, because with an asynchronous compiler, as in browsers, each check would wait. */
static bool fail_program(const lm_gl *gl, GLuint program, const GLuint shaders[2],
                         lm_error *error) {
    static const char *const kinds[] = {"vertex shader", "fragment shader"};
    char log[120] = "";
    for (size_t i = 0; i < 2; i++) {
        GLint compiled = GL_FALSE;
        gl->api.GetShaderiv(shaders[i], GL_COMPILE_STATUS, &compiled);
        if (compiled)
            continue;
        gl->api.GetShaderInfoLog(shaders[i], sizeof log, NULL, log);
        return fail_log(log, kinds[i], error);
    }
    gl->api.GetProgramInfoLog(program, sizeof log, NULL, log);
    return fail_log(log, "program", error);
}

static GLuint compile(const lm_gl *gl, GLenum kind, gl_variant variant) {
    bool vertex = kind == GL_VERTEX_SHADER;
    char head[256];
    snprintf(head, sizeof head, "%s#define %s\n#define %s\n%s%s%s",
             gl->es ? "#version 300 es\nprecision highp float;\nprecision highp int;\n"
                    : "#version 330 core\n",
             decode_names[variant.decode], paint_names[variant.paint],
             variant.instanced ? "#define INSTANCES\n" : "",
             variant.cross_fade ? "#define CROSS_FADE\n" : "",
             variant.alpha_test ? "#define ALPHA_TEST\n" : "");
    const char *const *text = vertex ? lm_gl_vertex_text : lm_gl_fragment_text;
    const char *texts[1 + GL_PIECES] = {head};
    for (size_t i = 0; i < GL_PIECES; i++)
        texts[1 + i] = text[i];
    GLuint shader = gl->api.CreateShader(kind);
    gl->api.ShaderSource(shader, 1 + GL_PIECES, texts, NULL);
    gl->api.CompileShader(shader);
    return shader;
}

static void find_uniforms(const lm_gl *gl, gl_program *p) {
    const struct {
        GLint *location;
        const char *name;
    } uniforms[] = {
        {&p->view, "u_view"},
        {&p->scale, "u_scale"},
        {&p->translate, "u_translate"},
        {&p->replaced, "u_replaced"},
        {&p->weight, "u_weight"},
        {&p->axes, "u_axes"},
        {&p->origin, "u_origin"},
        {&p->color, "u_color"},
        {&p->test, "u_test"},
        {&p->cover, "u_cover"},
        {&p->studio, "u_studio"},
        {&p->toward, "u_toward"},
        {&p->ambient, "u_ambient"},
        {&p->directed, "u_directed"},
        {&p->key_layout, "u_key_layout"},
        {&p->delta_layout, "u_delta_layout"},
        {&p->num_vertices, "u_num_vertices"},
        {&p->delta_scale, "u_delta_scale"},
        {&p->add_normals, "u_add_normals"},
    };
    for (size_t i = 0; i < sizeof uniforms / sizeof *uniforms; i++)
        *uniforms[i].location = gl->api.GetUniformLocation(p->name, uniforms[i].name);
}

static bool link(const lm_gl *gl, GLuint name, const GLuint shaders[2], gl_paint paint,
                 lm_error *error) {
    static const char *const captured[] = {"v_model_position", "v_model_normal"};
    GLint linked = GL_FALSE;
    for (size_t i = 0; i < 2; i++)
        gl->api.AttachShader(name, shaders[i]);
    if (paint == GL_PAINT_CAPTURE)
        gl->api.TransformFeedbackVaryings(name, 2, captured, GL_INTERLEAVED_ATTRIBS);
    gl->api.LinkProgram(name);
    gl->api.GetProgramiv(name, GL_LINK_STATUS, &linked);
    if (!linked)
        fail_program(gl, name, shaders, error);
    for (size_t i = 0; i < 2; i++) {
        gl->api.DetachShader(name, shaders[i]);
        gl->api.DeleteShader(shaders[i]);
    }
    return linked;
}

static bool make(const lm_gl *gl, gl_program *p, gl_variant variant, lm_error *error) {
    const GLuint shaders[2] = {compile(gl, GL_VERTEX_SHADER, variant),
                               compile(gl, GL_FRAGMENT_SHADER, variant)};
    GLuint name = gl->api.CreateProgram();
    if (!link(gl, name, shaders, variant.paint, error)) {
        gl->api.DeleteProgram(name);
        return false;
    }
    p->name = name;
    find_uniforms(gl, p);
    gl->api.UseProgram(name);
    /* Set the samplers' texture units, which never change. */
    gl->api.Uniform1i(gl->api.GetUniformLocation(name, "u_texture"), GL_UNIT_TEXTURE);
    gl->api.Uniform1i(gl->api.GetUniformLocation(name, "u_normals"), GL_UNIT_NORMALS);
    gl->api.Uniform1i(gl->api.GetUniformLocation(name, "u_keys"), GL_UNIT_KEYS);
    gl->api.Uniform1i(gl->api.GetUniformLocation(name, "u_deltas"), GL_UNIT_DELTAS);
    return true;
}

const gl_program *lm_gl_use_program(lm_gl *gl, gl_variant variant, lm_error *error) {
    unsigned flags = variant.instanced * 4u + variant.cross_fade * 2u + variant.alpha_test * 1u;
    gl_program *p =
        &gl->programs[((unsigned)variant.decode * GL_NUM_PAINTS + variant.paint) * 8 + flags];
    if (p->name)
        gl->api.UseProgram(p->name);
    else if (!make(gl, p, variant, error))
        return NULL;
    return p;
}

void lm_gl_free_programs(const lm_gl *gl) {
    gl->api.UseProgram(0); /* a program in use is not deleted */
    for (unsigned i = 0; i < GL_NUM_VARIANTS; i++)
        gl->api.DeleteProgram(gl->programs[i].name);
}
