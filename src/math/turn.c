#include "math/turn.h"

/* Rotates columns a and b of h and v so that those of h become perpendicular (Hestenes 1958).
 * Returns false if they are already. */
static bool make_perpendicular(double h[3][3], double v[3][3], int a, int b) {
    double aa = 0, bb = 0, ab = 0;
    for (int i = 0; i < 3; i++) {
        aa += h[i][a] * h[i][a];
        bb += h[i][b] * h[i][b];
        ab += h[i][a] * h[i][b];
    }
    if (!(ab * ab > 1e-24 * aa * bb))
        return false;
    const double half = (bb - aa) / (2 * ab);
    const double tangent = (half < 0 ? -1 : 1) / (fabs(half) + sqrt(1 + half * half));
    const double cosine = 1 / sqrt(1 + tangent * tangent), sine = cosine * tangent;
    for (int i = 0; i < 3; i++) {
        const double ha = h[i][a], va = v[i][a];
        h[i][a] = cosine * ha - sine * h[i][b];
        h[i][b] = sine * ha + cosine * h[i][b];
        v[i][a] = cosine * va - sine * v[i][b];
        v[i][b] = sine * va + cosine * v[i][b];
    }
    return true;
}

static double column_square(double h[3][3], int a) {
    return h[0][a] * h[0][a] + h[1][a] * h[1][a] + h[2][a] * h[2][a];
}

/* The columns with the two largest singular values decide; the third follows from right angles, so
 * that the result never mirrors. */
void lmi_nearest_turn(double h[3][3], double r[3][3]) {
    double v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, u[3][3], w[3][3];
    for (int round = 0; round < 12; round++) {
        bool turned = make_perpendicular(h, v, 0, 1);
        turned |= make_perpendicular(h, v, 0, 2);
        if (!(make_perpendicular(h, v, 1, 2) || turned))
            break;
    }
    double sizes[3] = {column_square(h, 0), column_square(h, 1), column_square(h, 2)};
    const int least =
        sizes[0] < sizes[1] ? (sizes[0] < sizes[2] ? 0 : 2) : (sizes[1] < sizes[2] ? 1 : 2);
    const int columns[2] = {(least + 1) % 3, (least + 2) % 3};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 3; i++) {
            const double size = sqrt(sizes[columns[k]]);
            u[k][i] = size > 0 ? h[i][columns[k]] / size : 0;
            w[k][i] = v[i][columns[k]];
        }
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        u[2][i] = u[0][j] * u[1][k] - u[0][k] * u[1][j];
        w[2][i] = w[0][j] * w[1][k] - w[0][k] * w[1][j];
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            r[i][j] = u[0][i] * w[0][j] + u[1][i] * w[1][j] + u[2][i] * w[2][j];
}

/* By Cayley's transform: a rotation for any length, without sines. */
void lmi_turn_by(double m[3][4], const double w[3]) {
    const double x = w[0] / 2, y = w[1] / 2, z = w[2] / 2, n = 1 + x * x + y * y + z * z;
    const double r[3][3] = {
        {(1 + x * x - y * y - z * z) / n, 2 * (x * y - z) / n, 2 * (x * z + y) / n},
        {2 * (x * y + z) / n, (1 - x * x + y * y - z * z) / n, 2 * (y * z - x) / n},
        {2 * (x * z - y) / n, 2 * (y * z + x) / n, (1 - x * x - y * y + z * z) / n}};
    for (int d = 0; d < 3; d++) {
        const double column[3] = {m[0][d], m[1][d], m[2][d]};
        for (int c = 0; c < 3; c++)
            m[c][d] = r[c][0] * column[0] + r[c][1] * column[1] + r[c][2] * column[2];
    }
}

/* The largest component is computed first, to avoid division by nearly 0. */
void lmi_turn_to_quaternion(double r[3][3], double q[4]) {
    const double trace = r[0][0] + r[1][1] + r[2][2];
    int i = r[1][1] > r[0][0] ? 1 : 0;
    i = r[2][2] > r[i][i] ? 2 : i;
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    if (trace > r[i][i]) {
        q[3] = 1 + trace;
        q[0] = r[2][1] - r[1][2];
        q[1] = r[0][2] - r[2][0];
        q[2] = r[1][0] - r[0][1];
    } else {
        q[i] = 1 + r[i][i] - r[j][j] - r[k][k];
        q[j] = r[j][i] + r[i][j];
        q[k] = r[k][i] + r[i][k];
        q[3] = r[k][j] - r[j][k];
    }
    const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int n = 0; n < 4; n++)
        q[n] /= length;
}

/* ---- Joints --------------------------------------------------------------------------------- */

lm_placed lmi_placed_product(const lm_placed *a, const lm_placed *b) {
    lm_placed out;
    for (int i = 0; i < 3; i++)
        for (int d = 0; d < 4; d++) {
            out.m[i][d] = d == 3 ? a->m[i][3] : 0;
            for (int k = 0; k < 3; k++)
                out.m[i][d] += a->m[i][k] * b->m[k][d];
        }
    return out;
}

lm_placed lmi_placed_relative(const lm_placed *to, const lm_placed *p) {
    lm_placed out;
    for (int i = 0; i < 3; i++)
        for (int d = 0; d < 4; d++) {
            out.m[i][d] = 0;
            for (int k = 0; k < 3; k++)
                out.m[i][d] += to->m[k][i] * (p->m[k][d] - (d == 3 ? to->m[k][3] : 0));
        }
    return out;
}

lm_placed lmi_placed_nearest(double axes[3][3], lm_vec3 at) {
    double turn[3][3];
    lm_placed out;
    lmi_nearest_turn(axes, turn);
    for (int i = 0; i < 3; i++) {
        memcpy(out.m[i], turn[i], sizeof turn[i]);
        out.m[i][3] = (double)(&at.x)[i];
    }
    return out;
}

lm_vec3 lmi_placed_split(const lm_placed *joint, const float *before, float rotation[4]) {
    double turn[3][3], q[4], sign = 0;
    for (int i = 0; i < 3; i++)
        memcpy(turn[i], joint->m[i], sizeof turn[i]);
    lmi_turn_to_quaternion(turn, q);
    for (int i = 0; i < 4; i++)
        sign += q[i] * (before ? (double)before[i] : i == 3);
    for (int i = 0; i < 4; i++)
        rotation[i] = (float)(sign < 0 ? -q[i] : q[i]);
    return (lm_vec3){(float)joint->m[0][3], (float)joint->m[1][3], (float)joint->m[2][3]};
}
