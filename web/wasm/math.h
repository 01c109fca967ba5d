/* gl/'s mathematics are JavaScript's (math.c): included before anything else there, so that
 * <math.h> declares these. What else there is uses libc's, which give the bits that they give
 * everywhere. */
#ifndef WEB_MATH_H
#define WEB_MATH_H

#define sin js_sin
#define cos js_cos
#define tan js_tan
#define acos js_acos
#define sinf js_sinf
#define expf js_expf
#define log2f js_log2f
#define pow js_pow
#define hypot js_hypot
#define hypotf js_hypotf

#endif
