/* Arithmetic that gives the same bits on every machine: what it asks of the compiler, and what is
 * not the same in every libm. The other functions of <math.h> that are used, sqrt, fmod, floor and
 * their like, are exact or correctly rounded everywhere. */
#ifndef LM_CORE_EXACT_H
#define LM_CORE_EXACT_H

#include <float.h>
#include <stddef.h>
#include <stdint.h>

/* Floats that are computed as doubles, or as x87's 80 bits, are rounded elsewhere than floats. 16
 * means that float and wider types are computed as themselves, as 0 does; it differs for _Float16
 * only. */
#if FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 16
#error \
    "lerpmesh needs floats that are computed as floats: with GCC or Clang add -msse2 -mfpmath=sse for x86 of 32 bits, -fexcess-precision=fast for s390x"
#endif
#ifdef __FAST_MATH__
#error \
    "lerpmesh needs what IEEE 754 says of numbers, and checks for those that are not finite: compile it without -ffast-math"
#endif
/* A fused multiply-add rounds once instead of twice: GCC makes them in its own dialect, Clang
 * within an expression. CMake turns them off by a flag and defines LM_NO_CONTRACTION. */
#ifndef LM_NO_CONTRACTION
#if defined(__GNUC__) && !defined(__clang__) && !defined(__STRICT_ANSI__)
#pragma GCC optimize("fp-contract=off")
#elif !defined(__GNUC__) || defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif
#endif

/* Of an angle in turns: 1 is a full one. Within 1e-15; exact at quarters of a turn. */
double lm_sine(double turns);
double lm_cosine(double turns);
/* The angle from x towards y in turns, -0.5 to 0.5, as atan2 has it. Within 1e-15. Neither may be
 * infinite. */
double lm_angle(double y, double x);

/* value times ten to the power: divided where that is negative, so that 1 and -1 give 0.1. */
double lm_shift_decimal(double value, int64_t power);
/* Reads the decimal number that a text begins with, as C does, in the C locale: digits with a sign,
 * a point and a power of ten. Returns how many bytes it takes; 0 if there is none. */
size_t lm_read_decimal(const uint8_t *text, size_t length, double *value);

#endif
