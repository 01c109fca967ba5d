/* Arithmetic with the same bits on every machine: requirements on the compiler, and replacements
 * for the functions that differ between implementations of libm. The project uses other functions
 * of <math.h> only if they are exact or correctly rounded everywhere, such as sqrt, fmod and
 * floor. */
#ifndef LM_CORE_EXACT_H
#define LM_CORE_EXACT_H

#include <float.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Floats that are computed as doubles, or in x87's 80 bits, round differently. FLT_EVAL_METHOD 16
 * computes float and wider types as themselves, as 0 does; it differs for _Float16 only. */
#if FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 16
#error \
    "lerpmesh requires float arithmetic in single precision: with GCC or Clang, add -msse2 -mfpmath=sse on 32-bit x86, -fexcess-precision=fast on s390x"
#endif
#ifdef __FAST_MATH__
#error \
    "lerpmesh requires IEEE 754 arithmetic with infinities and NaN: compile it without -ffast-math"
#endif
/* A fused multiply-add rounds once instead of twice. GCC generates it in its own dialect, Clang
 * within an expression. CMake disables it with a flag and defines LM_NO_CONTRACTION. */
#ifndef LM_NO_CONTRACTION
#if defined(__GNUC__) && !defined(__clang__) && !defined(__STRICT_ANSI__)
#pragma GCC optimize("fp-contract=off")
#elif defined(_MSC_VER) && !defined(__clang__)
#pragma fp_contract(off)
#elif !defined(__GNUC__) || defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif
#endif

/* Return the sine and cosine of an angle in turns: 1 is a full turn. The error is at most 1e-15;
 * quarters of a turn are exact. */
double lmi_sine(double turns);
double lmi_cosine(double turns);
/* Returns the angle from x towards y in turns, -0.5 to 0.5, like atan2. The error is at most 1e-15.
 * Both arguments must be finite. */
double lmi_angle(double y, double x);

/* Returns value * 10^power. A negative power divides, so that 1 and -1 give 0.1. */
double lmi_shift_decimal(double value, int64_t power);
/* Reads the decimal number at the beginning of a text, as strtod does in the C locale: digits with
 * a sign, a decimal point and an exponent. Returns the number of bytes it takes; 0 if there is no
 * number. */
size_t lmi_read_decimal(const uint8_t *text, size_t length, double *value);
/* Reads a text that is `count` finite numbers with commas between them. */
bool lmi_read_decimals(const char *text, size_t length, unsigned count, double *values);

#endif
