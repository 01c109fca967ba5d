/* The text of the shaders: one source for every variant, which #defines pick from. */
#ifndef GL_SHADER_TEXT_H
#define GL_SHADER_TEXT_H

/* Behind #version and the #defines: DECODE_U8, DECODE_S16, DECODE_S16_DELTA or DECODE_LINES; CROWD;
 * CAPTURE. */
extern const char lm_gl_vertex_text[];
/* PAINT_LIT, PAINT_TEXTURE, PAINT_NORMALS, PAINT_UV, PAINT_COLOR or PAINT_CAPTURE; ALPHA_TEST. */
extern const char lm_gl_fragment_text[];

#endif
