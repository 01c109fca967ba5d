/* Programs: one per variant, compiled on first use. */
#include "gl_internal.h"

#include <stdio.h>

/* The source of the shaders. #defines select the variants. The source is in several pieces, because
 * compilers need not support longer string literals. */

#define GL_PIECES 4

/* Follows #version and the #defines: DECODE_U8, DECODE_S16, DECODE_S16_DELTA, DECODE_FLOAT or
 * DECODE_LINES; a paint as below; INSTANCES; CROSS_FADE. */
extern const char *const lmi_gl_vertex_text[GL_PIECES];
/* PAINT_STUDIO, PAINT_ENGINE, PAINT_TEXTURE, PAINT_NORMALS, PAINT_UV, PAINT_COLOR or CAPTURE;
 * ALPHA_TEST. */
extern const char *const lmi_gl_fragment_text[GL_PIECES];

/* ---- The text of shaders ------------------------------------------------------------------ */

/* The formulas are those of lm_sample; docs/reference/formats.md has their sources. */

#define INPUTS                                   \
    "#ifdef DECODE_LINES\n"                      \
    "layout(location = 0) in vec3 a_position;\n" \
    "layout(location = 1) in vec4 a_color;\n"    \
    "out vec4 v_color;\n"                        \
    "#else\n"                                    \
    "layout(location = 0) in vec2 a_st;\n"       \
    "out vec3 v_normal;\n"                       \
    "out vec2 v_st;\n"                           \
    "#endif\n"                                   \
    "#ifdef PAINT_STUDIO\n"                      \
    "out vec3 v_position;\n"                     \
    "#endif\n"                                   \
    "#ifdef PAINT_ENGINE\n"                      \
    "uniform vec3 u_toward;\n"                   \
    "uniform vec4 u_ambient, u_directed;\n"      \
    "out vec3 v_light;\n"                        \
    "#endif\n"                                   \
    "#ifdef CAPTURE\n"                           \
    "out vec3 v_model_position;\n"               \
    "out vec3 v_model_normal;\n"                 \
    "#endif\n"                                   \
    "uniform mat4 u_view;\n"

/* A side is one of the frames that are blended: the packed vertex, and the scale and offset of its
 * frame, premultiplied by its share. replaced: 1 if the delta has the normal. */
#define SIDE                                    \
    "struct Side {\n"                           \
    "    vec4 key, delta;\n"                    \
    "    vec3 scale, translate;\n"              \
    "    float delta_scale, share, replaced;\n" \
    "};\n"

/* Transforms from model space to the scene; u_view does the rest. */
#define IN_WORLD                                                        \
    "vec3 positioned(vec3 p) { return p; }\n"                           \
    "vec3 rotated(vec3 n) {\n"                                          \
    "    return u_axes[0] * n.x + u_axes[1] * n.y + u_axes[2] * n.z;\n" \
    "}\n"                                                               \
    "vec3 in_world(vec3 p) { return rotated(p) + u_origin; }\n"

/* The attribute pointers select the frames. */
#define SIDES_BY_POINTER                                                                    \
    "#ifdef CROSS_FADE\n"                                                                   \
    "#define SIDES 4\n"                                                                     \
    "layout(location = 3) in vec4 a_key_c;\n"                                               \
    "layout(location = 4) in vec4 a_key_d;\n"                                               \
    "layout(location = 7) in vec4 a_delta_c;\n"                                             \
    "layout(location = 8) in vec4 a_delta_d;\n"                                             \
    "uniform float u_weight;\n"                                                             \
    "float weight() { return u_weight; }\n"                                                 \
    "#else\n"                                                                               \
    "#define SIDES 2\n"                                                                     \
    "#endif\n"                                                                              \
    "layout(location = 1) in vec4 a_key_a;\n"                                               \
    "layout(location = 2) in vec4 a_key_b;\n"                                               \
    "layout(location = 5) in vec4 a_delta_a;\n"                                             \
    "layout(location = 6) in vec4 a_delta_b;\n"                                             \
    "uniform vec4 u_scale[SIDES];\n"     /* w: share */                                     \
    "uniform vec4 u_translate[SIDES];\n" /* w: delta_scale */                               \
    "uniform float u_replaced[SIDES];\n"                                                    \
    "uniform vec3 u_axes[3], u_origin;\n"                                                   \
    "#define SIDE(i, key, delta) Side(key, delta, u_scale[i].xyz, u_translate[i].xyz, \\\n" \
    "                                 u_translate[i].w, u_scale[i].w, u_replaced[i])\n"     \
    "Side side_a() { return SIDE(0, a_key_a, a_delta_a); }\n"                               \
    "Side side_b() { return SIDE(1, a_key_b, a_delta_b); }\n"                               \
    "#ifdef CROSS_FADE\n"                                                                   \
    "Side side_c() { return SIDE(2, a_key_c, a_delta_c); }\n"                               \
    "Side side_d() { return SIDE(3, a_key_d, a_delta_d); }\n"                               \
    "#endif\n" IN_WORLD

/* All stages of a surface must have equal depth. */
#define GENERATED_INPUT                          \
    "layout(location = 1) in vec3 a_position;\n" \
    "layout(location = 2) in vec3 a_normal;\n"   \
    "layout(location = 3) in vec4 a_color;\n"    \
    "uniform vec3 u_axes[3], u_origin;\n"        \
    "out vec4 v_color;\n"                        \
    "invariant gl_Position;\n" IN_WORLD

/* Each instance fetches the vertices of its own frames. The web's module never draws instances. */
#ifdef LM_SMALL
#define SIDES_BY_TABLE ""
#else
#define SIDES_BY_TABLE                                                                    \
    "layout(location = 1) in vec4 i_row_x;\n"                                             \
    "layout(location = 2) in vec4 i_row_y;\n"                                             \
    "layout(location = 3) in vec4 i_row_z;\n"                                             \
    "layout(location = 4) in vec4 i_scale_a;\n"   /* w: the key's index */                \
    "layout(location = 5) in vec4 i_scale_b;\n"   /* w: the key's index */                \
    "layout(location = 6) in vec4 i_translate;\n" /* of all sides; w: t of the pose */    \
    "layout(location = 7) in vec4 i_deltas;\n"    /* index per side; -1: none */          \
    "uniform int u_key_layout, u_delta_layout, u_num_vertices;\n"                         \
    "uniform float u_delta_scale;\n"                                                      \
    "#ifdef DECODE_U8\n"                                                                  \
    "uniform highp usampler2D u_keys;\n"                                                  \
    "#else\n"                                                                             \
    "uniform highp isampler2D u_keys;\n"                                                  \
    "#endif\n"                                                                            \
    "#ifdef DECODE_S16_DELTA\n"                                                           \
    "uniform highp usampler2D u_deltas;\n"                                                \
    "#endif\n"                                                                            \
    "ivec2 at(float row, int shift) {\n"                                                  \
    "    int index = int(row) * u_num_vertices + gl_VertexID;\n"                          \
    "    return ivec2(index & ((1 << shift) - 1), index >> shift);\n"                     \
    "}\n"                                                                                 \
    "Side side(vec4 scale, vec3 translate, float which, float share, float weight) {\n"   \
    "    vec4 key = vec4(texelFetch(u_keys, at(scale.w, u_key_layout), 0));\n"            \
    "    vec4 delta = vec4(127.0, 127.0, 127.0, 0.0);\n"                                  \
    "    float replaced = 0.0;\n"                                                         \
    "#ifdef DECODE_S16_DELTA\n"                                                           \
    "    if (which >= 0.0) {\n"                                                           \
    "        delta = vec4(texelFetch(u_deltas, at(which, u_delta_layout), 0));\n"         \
    "        replaced = 1.0;\n"                                                           \
    "    }\n"                                                                             \
    "#endif\n"                                                                            \
    "    return Side(key, delta, scale.xyz, translate, u_delta_scale * share * weight,\n" \
    "                share, replaced);\n"                                                 \
    "}\n"                                                                                 \
    "#ifdef CROSS_FADE\n"                                                                 \
    "layout(location = 8) in vec4 i_scale_c;\n"                                           \
    "layout(location = 9) in vec4 i_scale_d;\n"                                           \
    "layout(location = 10) in vec4 i_fade;\n" /* t of the second pose, its weight */      \
    "float weight() { return i_fade.y; }\n"                                               \
    "Side side_c() {\n"                                                                   \
    "    return side(i_scale_c, vec3(0.0), i_deltas.z, 1.0 - i_fade.x, i_fade.y);\n"      \
    "}\n"                                                                                 \
    "Side side_d() {\n"                                                                   \
    "    return side(i_scale_d, vec3(0.0), i_deltas.w, i_fade.x, i_fade.y);\n"            \
    "}\n"                                                                                 \
    "#define WEIGHT_AB (1.0 - i_fade.y)\n"                                                \
    "#else\n"                                                                             \
    "#define WEIGHT_AB 1.0\n"                                                             \
    "#endif\n"                                                                            \
    "Side side_a() {\n"                                                                   \
    "    return side(i_scale_a, i_translate.xyz, i_deltas.x, 1.0 - i_translate.w,\n"      \
    "                WEIGHT_AB);\n"                                                       \
    "}\n"                                                                                 \
    "Side side_b() {\n"                                                                   \
    "    return side(i_scale_b, vec3(0.0), i_deltas.y, i_translate.w, WEIGHT_AB);\n"      \
    "}\n"                                                                                 \
    "vec3 positioned(vec3 p) {\n"                                                         \
    "    vec4 q = vec4(p, 1.0);\n"                                                        \
    "    return vec3(dot(i_row_x, q), dot(i_row_y, q), dot(i_row_z, q));\n"               \
    "}\n"                                                                                 \
    "vec3 rotated(vec3 n) {\n"                                                            \
    "    return vec3(dot(i_row_x.xyz, n), dot(i_row_y.xyz, n), dot(i_row_z.xyz, n));\n"   \
    "}\n"                                                                                 \
    "vec3 in_world(vec3 p) { return positioned(p); }\n"
#endif

/* u_normals: row 0 has the 162 normals, row 1 the 256, row 2 sine and cosine in steps of 360/256
 * degrees. */
#define DECODING                                                                        \
    "uniform highp sampler2D u_normals;\n"                                              \
    "uniform float u_add_normals;\n"                                                    \
    "vec3 position(Side s) {\n"                                                         \
    "    vec3 p = s.key.xyz * s.scale;\n"                                               \
    "#ifdef DECODE_S16_DELTA\n"                                                         \
    "    p += (s.delta.xyz - 127.0) * s.delta_scale;\n"                                 \
    "#endif\n"                                                                          \
    "    return p + s.translate;\n"                                                     \
    "}\n"                                                                               \
    "vec3 unit(vec3 n, vec3 otherwise) {\n"                                             \
    "    float l = length(n);\n"                                                        \
    "    return l > 1e-5 ? n / l : normalize(otherwise);\n"                             \
    "}\n"                                                                               \
    "#ifdef DECODE_U8\n"                                                                \
    "vec3 normal(Side s) {\n"                                                           \
    "    return texelFetch(u_normals, ivec2(int(s.key.w), 0), 0).xyz;\n"                \
    "}\n"                                                                               \
    "#else\n"                                                                           \
    "vec3 angles(int bytes) {\n"                                                        \
    "    vec2 rho = texelFetch(u_normals, ivec2(bytes & 255, 2), 0).xy;\n"              \
    "    vec2 sigma = texelFetch(u_normals, ivec2((bytes >> 8) & 255, 2), 0).xy;\n"     \
    "    return vec3(sigma.y * rho.x, sigma.x * rho.x, rho.y);\n"                       \
    "}\n"                                                                               \
    "vec3 normal(Side s) {\n"                                                           \
    "    vec3 n = angles(int(s.key.w));\n"                                              \
    "#ifdef DECODE_S16_DELTA\n"                                                         \
    "    vec3 d = texelFetch(u_normals, ivec2(int(s.delta.w), 1), 0).xyz;\n"            \
    "    vec3 both = u_add_normals > 0.5 ? unit(n + d, n) : d;\n"                       \
    "    n = s.replaced > 0.5 ? both : n;\n"                                            \
    "#endif\n"                                                                          \
    "    return n;\n"                                                                   \
    "}\n"                                                                               \
    "#endif\n"                                                                          \
    "struct Normals {\n" /* of a pose: blended, and of its newer frame */               \
    "    vec3 blended, newer;\n"                                                        \
    "};\n"                                                                              \
    "Normals normals(Side a, Side b) {\n"                                               \
    "    vec3 na = normal(a);\n"                                                        \
    "    vec3 nb = normal(b);\n"                                                        \
    "    return Normals(unit(na * a.share + nb * b.share, a.share >= 0.5 ? na : nb),\n" \
    "                   b.share > 0.0 ? nb : na);\n"                                    \
    "}\n"

/* Lights each vertex, as the games do, with the normal of the newer frame, without blending. */
#define ENGINE_LIGHT                                             \
    "#ifdef PAINT_ENGINE\n"                                      \
    "vec3 engine_light(vec3 n) {\n"                              \
    "    float d = dot(normalize(rotated(n)), u_toward);\n"      \
    "    d *= d < 0.0 ? u_ambient.w : 1.0;\n"                    \
    "    return min(u_ambient.rgb + u_directed.rgb * d, 1.0);\n" \
    "}\n"                                                        \
    "#endif\n"

#define MAIN                                                           \
    "void main() {\n"                                                  \
    "#ifdef DECODE_LINES\n"                                            \
    "    v_color = a_color;\n"                                         \
    "    gl_Position = u_view * vec4(a_position, 1.0);\n"              \
    "#else\n"                                                          \
    "#ifdef DECODE_FLOAT\n"                                            \
    "    vec3 p = a_position, n = a_normal;\n"                         \
    "    v_color = a_color;\n"                                         \
    "#else\n"                                                          \
    "    Side a = side_a();\n"                                         \
    "    Side b = side_b();\n"                                         \
    "    vec3 p = position(a) + position(b);\n"                        \
    "    Normals from = normals(a, b);\n"                              \
    "    vec3 n = from.blended;\n"                                     \
    "#ifdef CROSS_FADE\n"                                              \
    "    Side c = side_c();\n"                                         \
    "    Side d = side_d();\n"                                         \
    "    Normals to = normals(c, d);\n"                                \
    "    float w = weight();\n"                                        \
    "    p += position(c) + position(d);\n"                            \
    "    n = unit(mix(n, to.blended, w), w > 0.5 ? to.blended : n);\n" \
    "#endif\n"                                                         \
    "#endif\n"                                                         \
    "    v_normal = rotated(n);\n"                                     \
    "    v_st = a_st;\n"                                               \
    "    gl_Position = u_view * vec4(positioned(p), 1.0);\n"           \
    "#ifdef PAINT_STUDIO\n"                                            \
    "    v_position = in_world(p);\n"                                  \
    "#endif\n"                                                         \
    "#ifdef PAINT_ENGINE\n"                                            \
    "#ifdef DECODE_FLOAT\n"                                            \
    "    v_light = engine_light(n);\n"                                 \
    "#else\n"                                                          \
    "    v_light = engine_light(from.newer);\n"                        \
    "#ifdef CROSS_FADE\n"                                              \
    "    v_light = mix(v_light, engine_light(to.newer), w);\n"         \
    "#endif\n"                                                         \
    "#endif\n"                                                         \
    "#endif\n"                                                         \
    "#ifdef CAPTURE\n"                                                 \
    "    v_model_position = p;\n"                                      \
    "    v_model_normal = n;\n"                                        \
    "#endif\n"                                                         \
    "#endif\n"                                                         \
    "}\n"

const char *const lmi_gl_vertex_text[GL_PIECES] = {
    INPUTS "#ifdef DECODE_FLOAT\n" GENERATED_INPUT ENGINE_LIGHT,
    "#elif !defined(DECODE_LINES)\n" SIDE "#ifdef INSTANCES\n" SIDES_BY_TABLE
    "#else\n" SIDES_BY_POINTER "#endif\n",
    DECODING ENGINE_LIGHT "#endif\n", MAIN};

/* Lights are added in linear space: the texture is decoded from sRGB, and the result is encoded.
 * Colours brighter than white are compressed. u_studio: lmi_gl_set_studio. A lamp is a plane in the
 * normal's space. */
#define STUDIO                                                                                    \
    "#ifdef PAINT_STUDIO\n"                                                                       \
    "in vec3 v_position;\n"                                                                       \
    "uniform vec4 u_studio[9];\n"                                                                 \
    "vec3 to_linear(vec3 c) {\n"                                                                  \
    "    return mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), step(0.04045, c));\n"         \
    "}\n"                                                                                         \
    "vec3 to_srgb(vec3 c) {\n"                                                                    \
    "    return mix(c * 12.92, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055,\n"                        \
    "               step(0.0031308, c));\n"                                                       \
    "}\n" /* The normal, facing the visible side of the triangle: normals that face away          \
             are mirrored, and those in between follow the triangle. Many models have normals     \
             that point inward. */                                                                \
    "vec3 seen_normal(vec3 toward) {\n"                                                           \
    "    vec3 n = normalize(v_normal);\n"                                                         \
    "    vec3 flat_n = cross(dFdx(v_position), dFdy(v_position));\n"                              \
    "    float size = length(flat_n);\n"                                                          \
    "    if (!(size > 0.0 && size < 1e37)) return n;\n"                                           \
    "    flat_n *= sign(dot(flat_n, toward)) / size;\n"                                           \
    "    float agrees = clamp(dot(n, flat_n) * 5.0, -1.0, 1.0);\n"                                \
    "    return normalize(n * agrees + flat_n * (1.001 - abs(agrees)));\n"                        \
    "}\n"                                                                                         \
    "float lamp(vec3 n, int i) { return max(dot(vec4(n, 1.0), u_studio[i]), 0.0); }\n"            \
    "vec3 lit(vec3 texel) {\n"                                                                    \
    "    vec3 toward = normalize(u_studio[0].xyz - v_position);\n"                                \
    "    vec3 n = seen_normal(toward);\n"                                                         \
    "    float edge = 1.0 - max(dot(n, toward), 0.0);\n"                                          \
    "    float rim = edge * edge * edge * lamp(n, 3);\n"                                          \
    "    vec4 light = u_studio[5] * n.x + u_studio[6] * n.y + u_studio[7] * n.z + u_studio[8];\n" \
    "    light = max(light, 0.0) + lamp(n, 1) * u_studio[4];\n"                                   \
    "    light.rgb += lamp(n, 2) * vec3(0.17, 0.20, 0.25);\n"                                     \
    "    vec3 color = to_linear(texel) * (light.rgb + 1.5 * rim) + 0.05 * rim;\n"                 \
    "    color *= u_studio[0].w;\n"                                                               \
    "    return to_srgb(min(color * (1.0 + color * 0.25) / (1.0 + color), 1.0));\n"               \
    "}\n"                                                                                         \
    "#endif\n"

#define PAINT                                                                               \
    "#ifdef DECODE_FLOAT\n"                                                                 \
    "vec4 texture_color() { return texture(u_texture, v_st) * v_color; }\n"                 \
    "#elif !defined(DECODE_LINES)\n"                                                        \
    "vec4 texture_color() { return texture(u_texture, v_st); }\n"                           \
    "#endif\n"                                                                              \
    "vec4 paint() {\n"                                                                      \
    "#if defined(DECODE_LINES)\n"                                                           \
    "    return v_color;\n"                                                                 \
    "#elif defined(PAINT_STUDIO)\n"                                                         \
    "    vec4 texel = texture_color();\n"                                                   \
    "    return vec4(lit(texel.rgb * u_color), texel.a);\n"                                 \
    "#elif defined(PAINT_ENGINE)\n"                                                         \
    "    vec4 texel = texture_color();\n"                                                   \
    "    vec3 c = texel.rgb * u_color * v_light * u_directed.w;\n"                          \
    "    float shoulder = (u_directed.w - 1.0) / (u_directed.w * u_directed.w);\n"          \
    "    return vec4(c - c * max(c.r, max(c.g, c.b)) * shoulder, texel.a);\n"               \
    "#elif defined(PAINT_TEXTURE)\n"                                                        \
    "    return texture_color();\n"                                                         \
    "#elif defined(PAINT_NORMALS)\n"                                                        \
    "    vec3 n = normalize(v_normal);\n"                                                   \
    "    return vec4(0.5 + 0.5 * (gl_FrontFacing ? n : -n), texture(u_texture, v_st).a);\n" \
    "#elif defined(PAINT_UV)\n"                                                             \
    "    vec2 cell = floor(v_st * 16.0);\n"                                                 \
    "    float light = mod(cell.x + cell.y, 2.0) < 0.5 ? 1.0 : 0.7;\n"                      \
    "    return vec4(vec3(fract(v_st), 0.3) * light, texture(u_texture, v_st).a);\n"        \
    "#else\n"                                                                               \
    "    return vec4(u_color, 1.0);\n"                                                      \
    "#endif\n"                                                                              \
    "}\n"

const char *const lmi_gl_fragment_text[GL_PIECES] = {
    "uniform sampler2D u_texture;\n"
    "uniform vec3 u_color;\n"
    "uniform vec4 u_directed;\n"
    "uniform vec2 u_test;\n"
    "uniform float u_cover;\n"
    "out vec4 o_color;\n"
    "#if defined(DECODE_LINES) || defined(DECODE_FLOAT)\n"
    "in vec4 v_color;\n"
    "#endif\n"
    "#ifndef DECODE_LINES\n"
    "in vec3 v_normal;\n"
    "in vec2 v_st;\n"
    "#ifdef PAINT_ENGINE\n"
    "in vec3 v_light;\n"
    "#endif\n" STUDIO "#endif\n",
    PAINT,
    "void main() {\n"
    "    vec4 c = paint();\n"
    "#ifdef ALPHA_TEST\n"
    "    if ((c.a - u_test.x) * u_test.y < 0.0) discard;\n"
    "#endif\n"
    "#ifndef DECODE_LINES\n"
    "    if (u_cover > 1.5) c.a = max(c.r, max(c.g, c.b));\n"
    "    else if (u_cover > 0.5) c.a = 1.0;\n"
    "#endif\n"
    "    o_color = c;\n"
    "}\n",
    ""};

/* ---- Programs ----------------------------------------------------------------------------- */

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
    const char *const *text = vertex ? lmi_gl_vertex_text : lmi_gl_fragment_text;
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

const gl_program *lmi_gl_use_program(lm_gl *gl, gl_variant variant, lm_error *error) {
    unsigned flags = variant.instanced * 4u + variant.cross_fade * 2u + variant.alpha_test * 1u;
    gl_program *p =
        &gl->programs[((unsigned)variant.decode * GL_NUM_PAINTS + variant.paint) * 8 + flags];
    if (p->name)
        gl->api.UseProgram(p->name);
    else if (!make(gl, p, variant, error))
        return NULL;
    return p;
}

void lmi_gl_free_programs(const lm_gl *gl) {
    gl->api.UseProgram(0); /* a program in use is not deleted */
    for (unsigned i = 0; i < GL_NUM_VARIANTS; i++)
        gl->api.DeleteProgram(gl->programs[i].name);
}
