/* Solves all joints of a frame at once, by the Gauss-Newton method with damping (Levenberg and
 * Marquardt). Sweeps over one joint after the other converge slowly if joints do not translate. */
#include "skeleton/tree.h"

/* The unknowns of a frame: a small rotation of each joint and, if it translates, a shift. */
typedef struct frame {
    const lm_rig *rig;
    const lm_tree *tree;
    uint32_t index, count;                  /* unknowns */
    uint32_t shifts[LM_MAX_SKELETON_BONES]; /* of each joint; 0: it does not translate */
    double m[LM_MAX_SKELETON_BONES][3][4];  /* R and d */
    double left[LM_MAX_SKELETON_BONES][3][4];
    double *matrix, *sums; /* [count][count], [count] */
    uint64_t work;
} frame;

/* Computes what the joints leave of their targets. Returns the squared error. */
static double find_residuals(frame *f) {
    const lm_rig *rig = f->rig;
    double error = rig->frame_squares[f->index];
    for (uint32_t j = 0; j < rig->num_bones; j++) {
        double(*target)[4] = rig->targets + (size_t)j * rig->num_rows + 3 * (size_t)f->index;
        double(*p)[4] = f->left[j];
        memcpy(p, target, sizeof f->left[j]);
        for (uint32_t k = 0; k < rig->num_bones; k++) {
            double(*s)[4] = lm_rig_share(rig, k, j), (*m)[4] = f->m[k];
            if (!(s[3][3] > 0))
                continue;
            for (int c = 0; c < 3; c++)
                for (int d = 0; d < 4; d++)
                    p[c][d] -= m[c][0] * s[0][d] + m[c][1] * s[1][d] + m[c][2] * s[2][d] +
                               m[c][3] * s[3][d];
        }
        for (int c = 0; c < 3; c++)
            for (int d = 0; d < 4; d++)
                error -= f->m[j][c][d] * (target[c][d] + p[c][d]);
    }
    return error;
}

/* Returns an entry of the matrix, below its diagonal. */
static double *entry(const frame *f, uint32_t a, uint32_t b) {
    return a >= b ? f->matrix + (size_t)a * f->count + b : f->matrix + (size_t)b * f->count + a;
}

/* Fills the part of the matrix for the rotations of two joints, and the shift of the second. With
 * a = R_j s_j and b = R_k s_k, the rotations' part is the sum of (a b) I - b a^T. */
static void fill_pair(const frame *f, uint32_t j, uint32_t k) {
    double(*s)[4] = lm_rig_share(f->rig, j, k), half[3][4], q[3][3];
    for (int c = 0; c < 3; c++)
        for (int d = 0; d < 4; d++)
            half[c][d] =
                f->m[j][c][0] * s[0][d] + f->m[j][c][1] * s[1][d] + f->m[j][c][2] * s[2][d];
    for (int c = 0; c < 3; c++)
        for (int d = 0; d < 3; d++)
            q[c][d] = half[c][0] * f->m[k][d][0] + half[c][1] * f->m[k][d][1] +
                      half[c][2] * f->m[k][d][2];
    const double trace = q[0][0] + q[1][1] + q[2][2];
    for (uint32_t c = 0; c < 3; c++)
        for (uint32_t d = 0; d < 3 && k <= j; d++)
            if (3 * j + c >= 3 * k + d)
                *entry(f, 3 * j + c, 3 * k + d) = (c == d ? trace : 0) - q[d][c];
    const uint32_t shift = f->shifts[k];
    if (shift == 0)
        return;
    for (uint32_t c = 0; c < 3; c++) { /* the cross product with the sum of a u */
        *entry(f, shift + (c + 2) % 3, 3 * j + (c + 1) % 3) = -half[c][3];
        *entry(f, shift + (c + 1) % 3, 3 * j + (c + 2) % 3) = half[c][3];
        *entry(f, shift + c, 3 * j + c) = 0;
        if (f->shifts[j] > 0)
            *entry(f, shift + c, f->shifts[j] + c) = s[3][3];
    }
}

static void fill(const frame *f) {
    const uint32_t count = f->rig->num_bones;
    memset(f->matrix, 0, (size_t)f->count * f->count * sizeof *f->matrix);
    for (uint32_t j = 0; j < count; j++) {
        const double(*p)[4] = f->left[j];
        double g[3][3];
        for (uint32_t k = 0; k < count; k++)
            if (lm_rig_share(f->rig, j, k)[3][3] > 0)
                fill_pair(f, j, k);
        for (int c = 0; c < 3; c++)
            for (int d = 0; d < 3; d++)
                g[c][d] =
                    p[c][0] * f->m[j][d][0] + p[c][1] * f->m[j][d][1] + p[c][2] * f->m[j][d][2];
        for (uint32_t c = 0; c < 3; c++) {
            f->sums[3 * j + c] = g[(c + 2) % 3][(c + 1) % 3] - g[(c + 1) % 3][(c + 2) % 3];
            if (f->shifts[j] > 0)
                f->sums[f->shifts[j] + c] = p[c][3];
        }
    }
}

/* Computes the products of a row with two others. Four sums each, because a sum must wait for its
 * own additions. */
static void multiply(const double *row, const double *a, const double *b, uint32_t count,
                     double out[2]) {
    double sums[4] = {0}, others[4] = {0};
    uint32_t c = 0;
    for (; c + 4 <= count; c += 4)
        for (uint32_t i = 0; i < 4; i++) {
            sums[i] += row[c + i] * a[c + i];
            others[i] += row[c + i] * b[c + i];
        }
    for (; c < count; c++) {
        sums[c % 4] += row[c] * a[c];
        others[c % 4] += row[c] * b[c];
    }
    out[0] = sums[0] + sums[1] + sums[2] + sums[3];
    out[1] = others[0] + others[1] + others[2] + others[3];
}

/* Solves the system in place (Cholesky), with damping. The diagonal gets reciprocals, because
 * divisions are slow. Returns false if the matrix is not positive. */
static bool solve(const frame *f, double damping) {
    const uint32_t n = f->count;
    for (uint32_t i = 0; i < n; i++) {
        double *row = f->matrix + (size_t)i * n;
        row[i] += damping * row[i] + f->rig->quantum * f->rig->quantum;
        double products[2];
        for (uint32_t k = 0; k < i; k += 2) {
            const double *a = f->matrix + (size_t)k * n, *b = k + 1 < i ? a + n : row;
            multiply(row, a, b, k, products);
            row[k] = (row[k] - products[0]) * a[k];
            if (k + 1 < i)
                row[k + 1] = (row[k + 1] - products[1] - row[k] * b[k]) * b[k + 1];
        }
        multiply(row, row, f->sums, i, products);
        const double rest = row[i] - products[0];
        if (!(rest > 0))
            return false;
        row[i] = 1 / sqrt(rest);
        f->sums[i] = (f->sums[i] - products[1]) * row[i];
    }
    for (uint32_t i = n; i-- > 0;) {
        f->sums[i] *= f->matrix[(size_t)i * n + i];
        for (uint32_t c = 0; c < i; c++)
            f->sums[c] -= f->matrix[(size_t)i * n + c] * f->sums[i];
    }
    return true;
}

/* Rotates a matrix's columns by a vector (Cayley): a rotation for any length, without sines. */
static void rotate(double m[3][4], const double w[3]) {
    const double x = w[0] / 2, y = w[1] / 2, z = w[2] / 2, n = 1 + x * x + y * y + z * z;
    const double r[3][3] = {
        {(1 + x * x - y * y - z * z) / n, 2 * (x * y - z) / n, 2 * (x * z + y) / n},
        {2 * (x * y + z) / n, (1 - x * x + y * y - z * z) / n, 2 * (y * z - x) / n},
        {2 * (x * z - y) / n, 2 * (y * z + x) / n, (1 - x * x - y * y + z * z) / n}};
    double made[3][3];
    for (int c = 0; c < 3; c++)
        for (int d = 0; d < 3; d++)
            made[c][d] = r[c][0] * m[0][d] + r[c][1] * m[1][d] + r[c][2] * m[2][d];
    for (int c = 0; c < 3; c++)
        memcpy(m[c], made[c], sizeof made[c]);
}

static void take_step(frame *f) {
    for (uint32_t j = 0; j < f->rig->num_bones; j++) {
        rotate(f->m[j], f->sums + 3 * (size_t)j);
        for (uint32_t c = 0; c < 3 && f->shifts[j] > 0; c++)
            f->m[j][c][3] += f->sums[f->shifts[j] + c];
    }
}

/* Improves a frame. A step that makes it worse is taken back, and the next one is shorter. Returns
 * the squared error. */
static double improve(frame *f, unsigned steps) {
    double before[LM_MAX_SKELETON_BONES][3][4], damping = 1e-4;
    const uint32_t count = f->rig->num_bones;
    const uint64_t step_work =
        (uint64_t)f->count * f->count * f->count / 6 + 96 * (uint64_t)count * count;
    double error = find_residuals(f);
    for (unsigned i = 0; i < steps; i++) {
        memcpy(before, f->m, count * sizeof *before);
        fill(f);
        f->work += step_work;
        bool better = solve(f, damping);
        if (better) {
            take_step(f);
            const double now = find_residuals(f);
            better = now < error;
            if (better && now > error * 0.999)
                return now;
            error = better ? now : error;
        }
        if (better) {
            damping /= 8;
            continue;
        }
        memcpy(f->m, before, count * sizeof *before);
        find_residuals(f);
        damping = damping < 1e-3 ? 1e-2 : damping * 10;
    }
    return error;
}

/* Improves a frame from where it is and, if that leads nowhere, from the frame before. */
static void improve_frame(frame *f, unsigned steps) {
    double own[LM_MAX_SKELETON_BONES][3][4], found[LM_MAX_SKELETON_BONES][3][4];
    const lm_rig *rig = f->rig;
    const size_t size = rig->num_bones * sizeof *own;
    const double bad = 12.0 * rig->num_vertices * rig->quantum * rig->quantum;
    memcpy(found, f->m, size); /* the frame before */
    for (uint32_t j = 0; j < rig->num_bones; j++)
        memcpy(own[j], lm_tree_turn(rig, f->tree, j, f->index), sizeof own[j]);
    memcpy(f->m, own, size);
    const double error = improve(f, steps);
    if (f->index == 0 || error < bad)
        return;
    memcpy(own, f->m, size);
    memcpy(f->m, found, size);
    if (improve(f, steps) > error)
        memcpy(f->m, own, size);
}

void lm_solve_poses(lm_rig *rig, lm_tree *tree, unsigned steps) {
    frame f = {.rig = rig, .tree = tree, .count = 3 * rig->num_bones, .matrix = tree->matrix};
    for (uint32_t j = 0; j < rig->num_bones; j++)
        if (tree->stiffness[j] < INFINITY) {
            f.shifts[j] = f.count;
            f.count += 3;
        }
    f.sums = f.matrix + (size_t)f.count * f.count;
    for (f.index = 0; f.index < rig->num_frames; f.index++) {
        improve_frame(&f, steps);
        for (uint32_t j = 0; j < rig->num_bones; j++)
            memcpy(lm_tree_turn(rig, tree, j, f.index), f.m[j], sizeof f.m[j]);
    }
    rig->work += f.work;
}
