/* Replaces libc's mathematics with JavaScript's (result.c) in gl/. Must be included before any
 * other header, so that <math.h> declares these names. All other code uses libc's functions, whose
 * results have the same bits on every platform. */
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
