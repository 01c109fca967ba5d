#include "skeleton/rig.h"

/* Subtracts from p what a bone gives to the targets of another. */
static void subtract(const lm_rig *rig, uint32_t other, uint32_t bone, double (*p)[4]) {
    const double *m = lm_rig_bone(rig, other, 0);
    double s[4][4];
    memcpy(s, lm_rig_share(rig, other, bone), sizeof s);
    for (uint32_t row = 0; row < rig->num_rows; row++, m += 4)
        for (int d = 0; d < 4; d++)
            p[row][d] -= m[0] * s[0][d] + m[1] * s[1][d] + m[2] * s[2][d] + m[3] * s[3][d];
}

/* Computes what the other bones leave of the targets of a bone. */
static void find_left(lm_rig *rig, uint32_t bone) {
    double(*p)[4] = rig->left;
    uint32_t count = 0;
    memcpy(p, rig->targets + (size_t)bone * rig->num_rows, rig->num_rows * sizeof *p);
    for (uint32_t k = 0; k < rig->num_bones; k++) {
        if (k == bone || !(lm_rig_share(rig, bone, k)[3][3] > 0))
            continue;
        subtract(rig, k, bone, p);
        count++;
    }
    rig->work += (uint64_t)rig->num_rows * 16 * count;
}

void lm_find_residual(lm_rig *rig, uint32_t bone) {
    find_left(rig, bone);
    subtract(rig, bone, bone, rig->left);
}

/* Moves a bone in a frame to where it fits best: it moves points of the moments `own` to the
 * targets p. Vertices on a line leave its rotation open; the present one then decides. */
static void move_bone(const lm_rig *rig, double (*own)[4], double (*p)[4], double *m) {
    double h[3][3], r[3][3];
    const double total = own[3][3], stay = rig->quantum * rig->quantum;
    for (int c = 0; c < 3; c++)
        for (int d = 0; d < 3; d++)
            h[c][d] = p[c][d] - p[c][3] * own[3][d] / total + stay * m[4 * c + d];
    lm_nearest_turn(h, r);
    for (int c = 0; c < 3; c++) {
        m[4 * c + 3] = p[c][3] / total;
        for (int d = 0; d < 3; d++) {
            m[4 * c + d] = r[c][d];
            m[4 * c + 3] -= r[c][d] * own[3][d] / total;
        }
    }
}

void lm_place_bones(lm_rig *rig) {
    for (uint32_t j = 0; j < rig->num_bones; j++) {
        double own[4][4] = {{0}}; /* the weights of a vertex add up to 1 */
        for (uint32_t k = 0; k < rig->num_bones; k++)
            for (int d = 0; d < 4; d++)
                for (int e = 0; e < 4; e++)
                    own[d][e] += lm_rig_share(rig, j, k)[d][e];
        for (uint32_t f = 0; f < rig->num_frames && own[3][3] > 1e-9; f++)
            move_bone(rig, own, rig->targets + (size_t)j * rig->num_rows + 3 * (size_t)f,
                      lm_rig_bone(rig, j, f));
    }
}

void lm_move_bones(lm_rig *rig, unsigned sweeps) {
    for (unsigned sweep = 0; sweep < sweeps; sweep++)
        for (uint32_t j = 0; j < rig->num_bones; j++) {
            if (!(lm_rig_share(rig, j, j)[3][3] > 1e-9))
                continue;
            find_left(rig, j);
            for (uint32_t f = 0; f < rig->num_frames; f++)
                move_bone(rig, lm_rig_share(rig, j, j), rig->left + 3 * (size_t)f,
                          lm_rig_bone(rig, j, f));
            rig->work += (uint64_t)rig->num_frames * 300;
        }
}
