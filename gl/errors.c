#include "gl_internal.h"

bool lm_gl_alive(const lm_gl *gl, lm_error *error) {
    return !gl->lost || lm_fail_plain(error, LM_CODE_GRAPHICS, "gl: the context was lost");
}

/* A lost context may report errors forever. */
GLenum lm_gl_take_errors(const lm_gl *gl) {
    GLenum first = gl->api.GetError();
    for (int i = 0; first != GL_NO_ERROR && i < 16 && gl->api.GetError() != GL_NO_ERROR; i++)
        continue;
    return first;
}

bool lm_gl_made(const lm_gl *gl, const char *what, lm_error *error) {
    GLenum code = lm_gl_take_errors(gl);
    if (code == GL_NO_ERROR)
        return true;
    if (code == GL_OUT_OF_MEMORY)
        return lm_fail_plain(error, LM_CODE_OUT_OF_MEMORY, "gl: not enough graphics memory for %s",
                             what);
    return lm_fail_plain(error, LM_CODE_GRAPHICS, "gl: the driver refuses %s (error 0x%04x)", what,
                         (unsigned)code);
}
