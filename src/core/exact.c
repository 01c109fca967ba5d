#include "core/exact.h"

#include <math.h>
#include <stdbool.h>

#define TURN 6.283185307179586 /* 2 pi */

/* ---- Angles -------------------------------------------------------------------------------- */

/* Sums a Taylor series: 1 - x / first (1 - x / second (1 - …)). Sine and cosine consist of such
 * series, with `from` (from + 1) as the first divisor. At an eighth of a turn the truncation error
 * is below the precision of a double. */
static double row(double square, int from) {
    double sum = 1;
    for (int n = from + 14; n >= from; n -= 2)
        sum = 1 - square / (n * (n + 1)) * sum;
    return sum;
}

/* Splits an angle into the nearest quarter turn and a rest of at most an eighth of a turn. Both are
 * exact. */
static double split(double turns, int *quarter) {
    double left = turns - floor(turns + 0.5);
    double quarters = floor(left * 4 + 0.5);
    *quarter = (int)quarters & 3;
    return left - quarters / 4;
}

double lmi_sine(double turns) {
    int quarter;
    if (!isfinite(turns))
        return 0;
    double angle = split(turns, &quarter) * TURN;
    double value = quarter & 1 ? row(angle * angle, 1) : angle * row(angle * angle, 2);
    return quarter & 2 ? -value : value;
}

double lmi_cosine(double turns) {
    int quarter;
    if (!isfinite(turns))
        return 1;
    double angle = split(turns, &quarter) * TURN;
    double value = quarter & 1 ? -angle * row(angle * angle, 2) : row(angle * angle, 1);
    return quarter & 2 ? -value : value;
}

/* Returns the angle in turns of a tangent from 0 to 1. Halves the angle three times, to at most a
 * 64th of a turn, where the Taylor series is short. */
static double arc_tangent(double tangent) {
    static const int halvings = 3;
    for (int i = 0; i < halvings; i++)
        tangent /= 1 + sqrt(1 + tangent * tangent);
    double square = tangent * tangent, sum = 0;
    for (int n = 17; n >= 1; n -= 2)
        sum = 1.0 / n - square * sum;
    return (1 << halvings) / TURN * (tangent * sum);
}

double lmi_angle(double y, double x) {
    double across = fabs(x), up = fabs(y), angle = 0;
    if (across >= up && across > 0)
        angle = arc_tangent(up / across);
    else if (up > 0)
        angle = 0.25 - arc_tangent(across / up);
    if (signbit(x))
        angle = 0.5 - angle;
    return copysign(angle, y);
}

/* ---- Decimals ------------------------------------------------------------------------------ */

double lmi_shift_decimal(double value, int64_t power) {
    /* Exact up to 10^22; infinite from 10^309 on. */
    double ten = 1;
    for (int64_t i = power < 0 ? -power : power; i > 0 && isfinite(ten); i--)
        ten *= 10;
    if (value == 0)
        return value;
    return power < 0 ? value / ten : value * ten;
}

static bool is_digit(const uint8_t *at, const uint8_t *end) {
    return at < end && *at >= '0' && *at <= '9';
}

/* Skips an optional sign. Returns true if it is a minus. */
static bool take_sign(const uint8_t **at, const uint8_t *end) {
    const bool minus = *at < end && **at == '-';
    *at += minus || (*at < end && **at == '+');
    return minus;
}

/* Reads an optional exponent; 0 if there is none. */
static int64_t take_exponent(const uint8_t **at, const uint8_t *end) {
    const uint8_t *digit = *at + 1;
    int64_t exponent = 0;
    if (*at == end || (**at != 'e' && **at != 'E'))
        return 0;
    const bool minus = take_sign(&digit, end);
    for (; is_digit(digit, end); *at = ++digit)
        exponent = exponent < INT64_C(1) << 40 ? exponent * 10 + (*digit - '0') : exponent;
    return minus ? -exponent : exponent;
}

size_t lmi_read_decimal(const uint8_t *text, size_t length, double *value) {
    const uint8_t *at = text, *end = text + length;
    double mantissa = 0;
    int64_t shift = 0;
    bool digits = false, fraction = false;
    const bool minus = take_sign(&at, end);
    for (; is_digit(at, end) || (at < end && *at == '.' && !fraction); at++) {
        const bool point = *at == '.', room = mantissa < 1e15; /* further digits do not matter */
        if (!point && room)
            mantissa = mantissa * 10 + (*at - '0');
        shift += point ? 0 : (room ? 0 : 1) - (fraction ? 1 : 0);
        digits = digits || !point;
        fraction = fraction || point;
    }
    if (!digits)
        return 0;
    mantissa = lmi_shift_decimal(mantissa, shift + take_exponent(&at, end));
    *value = minus ? -mantissa : mantissa;
    return (size_t)(at - text);
}

bool lmi_read_decimals(const char *text, size_t length, unsigned count, double *values) {
    const uint8_t *at = (const uint8_t *)text, *end = at + length;
    for (unsigned i = 0; i < count; i++) {
        const size_t size = lmi_read_decimal(at, (size_t)(end - at), &values[i]);
        at += size;
        if (size == 0 || !isfinite(values[i]) || (i + 1 < count && (at == end || *at++ != ',')))
            return false;
    }
    return at == end;
}
