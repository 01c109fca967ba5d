/* The part of OpenGL that the renderer uses, without system headers. Types and numbers are the
 * specification's. Each renderer has its own function table. */
#ifndef LM_GL_API_H
#define LM_GL_API_H

#include "lerpmesh/gl.h"

#ifdef _WIN32
#define GL_CALL __stdcall
#else
#define GL_CALL
#endif

typedef unsigned int GLenum, GLbitfield, GLuint;
typedef int GLint, GLsizei;
typedef unsigned char GLboolean, GLubyte;
typedef float GLfloat;
typedef char GLchar;
typedef ptrdiff_t GLintptr, GLsizeiptr;

#define GL_ALWAYS 0x0207
#define GL_ARRAY_BUFFER 0x8892
#define GL_BACK 0x0405
#define GL_BLEND 0x0BE2
#define GL_CLAMP_TO_EDGE 0x812F
#define GL_COLOR_ATTACHMENT0 0x8CE0
#define GL_COLOR_BUFFER_BIT 0x00004000
#define GL_COMPILE_STATUS 0x8B81
#define GL_CULL_FACE 0x0B44
#define GL_CW 0x0900
#define GL_DEPTH_ATTACHMENT 0x8D00
#define GL_DEPTH_BUFFER_BIT 0x00000100
#define GL_DEPTH_COMPONENT24 0x81A6
#define GL_DEPTH_TEST 0x0B71
#define GL_DRAW_FRAMEBUFFER 0x8CA9
#define GL_DST_ALPHA 0x0304
#define GL_DST_COLOR 0x0306
#define GL_ELEMENT_ARRAY_BUFFER 0x8893
#define GL_EQUAL 0x0202
#define GL_EXTENSIONS 0x1F03
#define GL_FALSE 0
#define GL_FLOAT 0x1406
#define GL_FRAGMENT_SHADER 0x8B30
#define GL_FRAMEBUFFER 0x8D40
#define GL_FRAMEBUFFER_COMPLETE 0x8CD5
#define GL_FRONT 0x0404
#define GL_INTERLEAVED_ATTRIBS 0x8C8C
#define GL_LEQUAL 0x0203
#define GL_LINEAR 0x2601
#define GL_LINEAR_MIPMAP_LINEAR 0x2703
#define GL_LINEAR_MIPMAP_NEAREST 0x2701
#define GL_LINES 0x0001
#define GL_LINK_STATUS 0x8B82
#define GL_MAX_RENDERBUFFER_SIZE 0x84E8
#define GL_MAX_SAMPLES 0x8D57
#define GL_MAX_TEXTURE_MAX_ANISOTROPY 0x84FF
#define GL_MAX_TEXTURE_SIZE 0x0D33
#define GL_NEAREST 0x2600
#define GL_NO_ERROR 0
#define GL_NUM_EXTENSIONS 0x821D
#define GL_ONE 1
#define GL_ONE_MINUS_DST_ALPHA 0x0305
#define GL_ONE_MINUS_DST_COLOR 0x0307
#define GL_ONE_MINUS_SRC_ALPHA 0x0303
#define GL_ONE_MINUS_SRC_COLOR 0x0301
#define GL_OUT_OF_MEMORY 0x0505
#define GL_PACK_ALIGNMENT 0x0D05
#define GL_PIXEL_PACK_BUFFER 0x88EB
#define GL_PIXEL_UNPACK_BUFFER 0x88EC
#define GL_POLYGON_OFFSET_FILL 0x8037
#define GL_PRIMITIVE_RESTART 0x8F9D
#define GL_PRIMITIVE_RESTART_FIXED_INDEX 0x8D69
#define GL_READ_FRAMEBUFFER 0x8CA8
#define GL_RENDERBUFFER 0x8D41
#define GL_RENDERER 0x1F01
#define GL_REPEAT 0x2901
#define GL_RGBA 0x1908
#define GL_RGBA16I 0x8D88
#define GL_RGBA32F 0x8814
#define GL_RGBA8 0x8058
#define GL_RGBA8UI 0x8D7C
#define GL_RGBA_INTEGER 0x8D99
#define GL_SCISSOR_TEST 0x0C11
#define GL_SHORT 0x1402
#define GL_SRC_ALPHA 0x0302
#define GL_SRC_ALPHA_SATURATE 0x0308
#define GL_SRC_COLOR 0x0300
#define GL_STATIC_DRAW 0x88E4
#define GL_STREAM_DRAW 0x88E0
#define GL_TEXTURE0 0x84C0
#define GL_TEXTURE_2D 0x0DE1
#define GL_TEXTURE_MAG_FILTER 0x2800
#define GL_TEXTURE_MAX_ANISOTROPY 0x84FE
#define GL_TEXTURE_MIN_FILTER 0x2801
#define GL_TEXTURE_WRAP_S 0x2802
#define GL_TEXTURE_WRAP_T 0x2803
#define GL_TRIANGLES 0x0004
#define GL_TRIANGLE_FAN 0x0006
#define GL_TRIANGLE_STRIP 0x0005
#define GL_TRUE 1
#define GL_UNPACK_ALIGNMENT 0x0CF5
#define GL_UNSIGNED_BYTE 0x1401
#define GL_UNSIGNED_INT 0x1405
#define GL_UNSIGNED_SHORT 0x1403
#define GL_VERSION 0x1F02
#define GL_VERTEX_ARRAY_BINDING 0x85B5
#define GL_VERTEX_SHADER 0x8B31
#define GL_ZERO 0

/* V: functions without a result; R: functions with one. Then the name without "gl", the parameters
 * and the arguments. */
#define GL_FUNCTIONS(V, R)                                                                         \
    V(ActiveTexture, (GLenum texture), (texture))                                                  \
    V(AttachShader, (GLuint program, GLuint shader), (program, shader))                            \
    V(BindBuffer, (GLenum target, GLuint buffer), (target, buffer))                                \
    V(BindFramebuffer, (GLenum target, GLuint framebuffer), (target, framebuffer))                 \
    V(BindRenderbuffer, (GLenum target, GLuint renderbuffer), (target, renderbuffer))              \
    V(BindTexture, (GLenum target, GLuint texture), (target, texture))                             \
    V(BindVertexArray, (GLuint array), (array))                                                    \
    V(BlendFuncSeparate,                                                                           \
      (GLenum sfactorRGB, GLenum dfactorRGB, GLenum sfactorAlpha, GLenum dfactorAlpha),            \
      (sfactorRGB, dfactorRGB, sfactorAlpha, dfactorAlpha))                                        \
    V(BlitFramebuffer,                                                                             \
      (GLint srcX0, GLint srcY0, GLint srcX1, GLint srcY1, GLint dstX0, GLint dstY0, GLint dstX1,  \
       GLint dstY1, GLbitfield mask, GLenum filter),                                               \
      (srcX0, srcY0, srcX1, srcY1, dstX0, dstY0, dstX1, dstY1, mask, filter))                      \
    V(BufferData, (GLenum target, GLsizeiptr size, const void *data, GLenum usage),                \
      (target, size, data, usage))                                                                 \
    V(BufferSubData, (GLenum target, GLintptr offset, GLsizeiptr size, const void *data),          \
      (target, offset, size, data))                                                                \
    R(GLenum, CheckFramebufferStatus, (GLenum target), (target))                                   \
    V(Clear, (GLbitfield mask), (mask))                                                            \
    V(ClearColor, (GLfloat red, GLfloat green, GLfloat blue, GLfloat alpha),                       \
      (red, green, blue, alpha))                                                                   \
    V(ColorMask, (GLboolean red, GLboolean green, GLboolean blue, GLboolean alpha),                \
      (red, green, blue, alpha))                                                                   \
    V(CompileShader, (GLuint shader), (shader))                                                    \
    R(GLuint, CreateProgram, (void), ())                                                           \
    R(GLuint, CreateShader, (GLenum type), (type))                                                 \
    V(CullFace, (GLenum mode), (mode))                                                             \
    V(DeleteBuffers, (GLsizei n, const GLuint *buffers), (n, buffers))                             \
    V(DeleteFramebuffers, (GLsizei n, const GLuint *framebuffers), (n, framebuffers))              \
    V(DeleteProgram, (GLuint program), (program))                                                  \
    V(DeleteRenderbuffers, (GLsizei n, const GLuint *renderbuffers), (n, renderbuffers))           \
    V(DeleteShader, (GLuint shader), (shader))                                                     \
    V(DeleteTextures, (GLsizei n, const GLuint *textures), (n, textures))                          \
    V(DeleteVertexArrays, (GLsizei n, const GLuint *arrays), (n, arrays))                          \
    V(DepthFunc, (GLenum func), (func))                                                            \
    V(DepthMask, (GLboolean flag), (flag))                                                         \
    V(DetachShader, (GLuint program, GLuint shader), (program, shader))                            \
    V(Disable, (GLenum cap), (cap))                                                                \
    V(DisableVertexAttribArray, (GLuint index), (index))                                           \
    V(DrawArrays, (GLenum mode, GLint first, GLsizei count), (mode, first, count))                 \
    V(DrawElements, (GLenum mode, GLsizei count, GLenum type, const void *indices),                \
      (mode, count, type, indices))                                                                \
    V(DrawElementsInstanced,                                                                       \
      (GLenum mode, GLsizei count, GLenum type, const void *indices, GLsizei instancecount),       \
      (mode, count, type, indices, instancecount))                                                 \
    V(Enable, (GLenum cap), (cap))                                                                 \
    V(EnableVertexAttribArray, (GLuint index), (index))                                            \
    V(FramebufferRenderbuffer,                                                                     \
      (GLenum target, GLenum attachment, GLenum renderbuffertarget, GLuint renderbuffer),          \
      (target, attachment, renderbuffertarget, renderbuffer))                                      \
    V(FrontFace, (GLenum mode), (mode))                                                            \
    V(GenBuffers, (GLsizei n, GLuint * buffers), (n, buffers))                                     \
    V(GenFramebuffers, (GLsizei n, GLuint * framebuffers), (n, framebuffers))                      \
    V(GenRenderbuffers, (GLsizei n, GLuint * renderbuffers), (n, renderbuffers))                   \
    V(GenTextures, (GLsizei n, GLuint * textures), (n, textures))                                  \
    V(GenVertexArrays, (GLsizei n, GLuint * arrays), (n, arrays))                                  \
    R(GLenum, GetError, (void), ())                                                                \
    V(GetIntegerv, (GLenum pname, GLint * data), (pname, data))                                    \
    V(GetProgramInfoLog, (GLuint program, GLsizei bufSize, GLsizei * length, GLchar * infoLog),    \
      (program, bufSize, length, infoLog))                                                         \
    V(GetProgramiv, (GLuint program, GLenum pname, GLint * params), (program, pname, params))      \
    V(GetShaderInfoLog, (GLuint shader, GLsizei bufSize, GLsizei * length, GLchar * infoLog),      \
      (shader, bufSize, length, infoLog))                                                          \
    V(GetShaderiv, (GLuint shader, GLenum pname, GLint * params), (shader, pname, params))         \
    R(const GLubyte *, GetString, (GLenum name), (name))                                           \
    R(const GLubyte *, GetStringi, (GLenum name, GLuint index), (name, index))                     \
    R(GLint, GetUniformLocation, (GLuint program, const GLchar *name), (program, name))            \
    V(LinkProgram, (GLuint program), (program))                                                    \
    V(PixelStorei, (GLenum pname, GLint param), (pname, param))                                    \
    V(PolygonOffset, (GLfloat factor, GLfloat units), (factor, units))                             \
    V(PrimitiveRestartIndex, (GLuint index), (index))                                              \
    V(ReadPixels,                                                                                  \
      (GLint x, GLint y, GLsizei width, GLsizei height, GLenum format, GLenum type, void *pixels), \
      (x, y, width, height, format, type, pixels))                                                 \
    V(RenderbufferStorageMultisample,                                                              \
      (GLenum target, GLsizei samples, GLenum internalformat, GLsizei width, GLsizei height),      \
      (target, samples, internalformat, width, height))                                            \
    V(ShaderSource,                                                                                \
      (GLuint shader, GLsizei count, const GLchar *const *string, const GLint *length),            \
      (shader, count, string, length))                                                             \
    V(TexImage2D,                                                                                  \
      (GLenum target, GLint level, GLint internalformat, GLsizei width, GLsizei height,            \
       GLint border, GLenum format, GLenum type, const void *pixels),                              \
      (target, level, internalformat, width, height, border, format, type, pixels))                \
    V(TexParameteri, (GLenum target, GLenum pname, GLint param), (target, pname, param))           \
    V(TexSubImage2D,                                                                               \
      (GLenum target, GLint level, GLint xoffset, GLint yoffset, GLsizei width, GLsizei height,    \
       GLenum format, GLenum type, const void *pixels),                                            \
      (target, level, xoffset, yoffset, width, height, format, type, pixels))                      \
    V(TransformFeedbackVaryings,                                                                   \
      (GLuint program, GLsizei count, const GLchar *const *varyings, GLenum bufferMode),           \
      (program, count, varyings, bufferMode))                                                      \
    V(Uniform1f, (GLint location, GLfloat v0), (location, v0))                                     \
    V(Uniform1fv, (GLint location, GLsizei count, const GLfloat *value), (location, count, value)) \
    V(Uniform1i, (GLint location, GLint v0), (location, v0))                                       \
    V(Uniform2f, (GLint location, GLfloat v0, GLfloat v1), (location, v0, v1))                     \
    V(Uniform3f, (GLint location, GLfloat v0, GLfloat v1, GLfloat v2), (location, v0, v1, v2))     \
    V(Uniform3fv, (GLint location, GLsizei count, const GLfloat *value), (location, count, value)) \
    V(Uniform4f, (GLint location, GLfloat v0, GLfloat v1, GLfloat v2, GLfloat v3),                 \
      (location, v0, v1, v2, v3))                                                                  \
    V(Uniform4fv, (GLint location, GLsizei count, const GLfloat *value), (location, count, value)) \
    V(UniformMatrix4fv,                                                                            \
      (GLint location, GLsizei count, GLboolean transpose, const GLfloat *value),                  \
      (location, count, transpose, value))                                                         \
    V(UseProgram, (GLuint program), (program))                                                     \
    V(VertexAttribDivisor, (GLuint index, GLuint divisor), (index, divisor))                       \
    V(VertexAttribPointer,                                                                         \
      (GLuint index, GLint size, GLenum type, GLboolean normalized, GLsizei stride,                \
       const void *pointer),                                                                       \
      (index, size, type, normalized, stride, pointer))                                            \
    V(Viewport, (GLint x, GLint y, GLsizei width, GLsizei height), (x, y, width, height))

/* NOLINTBEGIN(bugprone-macro-parentheses): the arguments are parameters of functions */
typedef struct gl_api {
#define GL_MEMBER_V(name, parameters, arguments) void(GL_CALL * name) parameters;
#define GL_MEMBER_R(type, name, parameters, arguments) type(GL_CALL *name) parameters;
    GL_FUNCTIONS(GL_MEMBER_V, GL_MEMBER_R)
#undef GL_MEMBER_V
#undef GL_MEMBER_R
} gl_api;
/* NOLINTEND(bugprone-macro-parentheses) */

/* Fills the table with the caller's loader, or with libepoxy if there is none. */
bool lmi_gl_load(gl_api *api, const lm_gl_options *options, lm_error *error);

#endif
