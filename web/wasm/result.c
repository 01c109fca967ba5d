/* Memory, results and errors; mathematics; stubs of system calls. */
#include "web.h"

#include <stdlib.h>

lm_buffer web_result;
static lm_buffer second;
lm_error web_error;

lm_buffer *web_begin(void) {
    web_result.size = 0;
    web_result.failed = web_result.full = second.failed = false;
    return &web_result;
}

lm_buffer *web_begin_second(void) {
    lm_buffer_free(&second);
    second = (lm_buffer){0};
    return &second;
}

/* Makes the call's second result the current one. */
void WEB_EXPORT(web_result_next)(void) {
    lm_buffer_free(&web_result);
    web_result = second;
    second = (lm_buffer){0};
}

bool web_end(void) {
    return !(web_result.failed || second.failed) ||
           lm_fail_plain(&web_error, LM_CODE_OUT_OF_MEMORY, "out of memory");
}

void *WEB_EXPORT(web_alloc)(size_t size) {
    return malloc(size ? size : 1);
}

void WEB_EXPORT(web_free)(void *memory) {
    free(memory);
}

const uint8_t *WEB_EXPORT(web_result_data)(void) {
    return web_result.data;
}

size_t WEB_EXPORT(web_result_size)(void) {
    return web_result.size;
}

/* Frees the memory of a large result. */
void WEB_EXPORT(web_result_free)(void) {
    lm_buffer_free(&web_result);
    web_result = (lm_buffer){0};
}

bool web_write_image(const uint8_t *pixels, uint32_t width, uint32_t height) {
    const uint32_t head[2] = {width, height};
    lm_buffer_append(web_begin(), head, sizeof head);
    lm_buffer_append(&web_result, pixels, (size_t)width * height * 4);
    return web_end();
}

/* Describes the last error: {"code", "offset", "section", "message"}. */
bool WEB_EXPORT(web_error_json)(void) {
    lm_json json = {.out = web_begin()};
    lmi_json_open(&json, NULL, '{');
    lmi_json_string(&json, "code", lm_code_name(web_error.code));
    lmi_json_integer(&json, "offset", (int64_t)web_error.offset);
    lmi_json_string(&json, "section", web_error.section[0] ? web_error.section : NULL);
    lmi_json_string(&json, "message", web_error.message);
    lmi_json_close(&json);
    return web_end();
}

const char *WEB_EXPORT(web_version)(void) {
    return lm_version();
}

/* ---- Mathematics --------------------------------------------------------------------------- */

/* Imports the functions of math.h from JavaScript: libc's would add 10 kB to the module's download.
 */
#define MATH(type, name, given)                              \
    WEB_IMPORT("math", #given) double math_##name(double x); \
    type name(type x);                                       \
    type name(type x) {                                      \
        return (type)math_##name((double)x);                 \
    }
#define MATH_OF_TWO(type, name, given)                                 \
    WEB_IMPORT("math", #given) double math_##name(double x, double y); \
    type name(type x, type y);                                         \
    type name(type x, type y) {                                        \
        return (type)math_##name((double)x, (double)y);                \
    }

MATH(double, js_sin, sin)
MATH(double, js_cos, cos)
MATH(double, js_tan, tan)
MATH(double, js_acos, acos)
MATH(float, js_sinf, sin)
MATH(float, js_expf, exp)
MATH(float, js_log2f, log2)
MATH_OF_TWO(double, js_pow, pow)
MATH_OF_TWO(double, js_hypot, hypot)
MATH_OF_TWO(float, js_hypotf, hypot)

/* ---- System calls of the C library --------------------------------------------------------- */

/* Nothing here prints. These stubs satisfy the parts of stdio that are linked anyway; the C library
 * dictates their names. */
/* NOLINTBEGIN(bugprone-reserved-identifier) */
int32_t __imported_wasi_snapshot_preview1_fd_close(int32_t file);
int32_t __imported_wasi_snapshot_preview1_fd_close(int32_t file) {
    (void)file;
    return 8; /* EBADF */
}

int32_t __imported_wasi_snapshot_preview1_fd_seek(int32_t file, int64_t by, int32_t from,
                                                  int32_t to);
int32_t __imported_wasi_snapshot_preview1_fd_seek(int32_t file, int64_t by, int32_t from,
                                                  int32_t to) {
    (void)file, (void)by, (void)from, (void)to;
    return 8;
}

int32_t __imported_wasi_snapshot_preview1_fd_write(int32_t file, int32_t parts, int32_t count,
                                                   int32_t written);
int32_t __imported_wasi_snapshot_preview1_fd_write(int32_t file, int32_t parts, int32_t count,
                                                   int32_t written) {
    (void)file, (void)parts, (void)count, (void)written;
    return 8;
}
/* NOLINTEND(bugprone-reserved-identifier) */
