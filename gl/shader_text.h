/* The source of the shaders. #defines select the variants. The source is in several pieces, because
 * compilers need not support longer string literals. */
#ifndef GL_SHADER_TEXT_H
#define GL_SHADER_TEXT_H

#define GL_PIECES 4

/* Follows #version and the #defines: DECODE_U8, DECODE_S16, DECODE_S16_DELTA, DECODE_FLOAT or
 * DECODE_LINES; a paint as below; INSTANCES; CROSS_FADE. */
extern const char *const lm_gl_vertex_text[GL_PIECES];
/* PAINT_STUDIO, PAINT_ENGINE, PAINT_TEXTURE, PAINT_NORMALS, PAINT_UV, PAINT_COLOR or CAPTURE;
 * ALPHA_TEST. */
extern const char *const lm_gl_fragment_text[GL_PIECES];

#endif
