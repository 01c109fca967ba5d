/* Imports mathematics from JavaScript: libc's would add 10 kB to the module's download. */
#include "math.h"

#define MATH(type, name, given)                                                               \
    __attribute__((import_module("math"), import_name(#given))) double math_##name(double x); \
    type name(type x);                                                                        \
    type name(type x) {                                                                       \
        return (type)math_##name((double)x);                                                  \
    }
#define MATH_OF_TWO(type, name, given)                                                        \
    __attribute__((import_module("math"), import_name(#given))) double math_##name(double x,  \
                                                                                   double y); \
    type name(type x, type y);                                                                \
    type name(type x, type y) {                                                               \
        return (type)math_##name((double)x, (double)y);                                       \
    }

MATH(double, sin, sin)
MATH(double, cos, cos)
MATH(double, tan, tan)
MATH(double, acos, acos)
MATH(float, sinf, sin)
MATH(float, expf, exp)
MATH(float, log2f, log2)
MATH_OF_TWO(double, pow, pow)
MATH_OF_TWO(double, hypot, hypot)
MATH_OF_TWO(float, hypotf, hypot)
