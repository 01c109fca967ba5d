#include "skeleton/fit.h"

/* Computes for each joint the sum over vertices of the square of the weights of all joints at or
 * below it. Needs shares. */
static void branch_masses(const lm_rig *rig, const lm_tree *tree, double *masses) {
    memset(masses, 0, rig->num_bones * sizeof *masses);
    for (uint32_t j = 0; j < rig->num_bones; j++)
        for (uint32_t k = 0; k < rig->num_bones; k++) {
            uint32_t a = j, b = k; /* then the joint where their branches meet */
            const double share = lm_rig_share(rig, j, k)[3][3];
            while (a != b && share > 0) {
                const uint32_t lower = a > b ? a : b;
                b = a > b ? b : a;
                a = tree->parents[lower];
            }
            masses[a] += share;
        }
    for (uint32_t j = rig->num_bones; j-- > 1;)
        masses[tree->parents[j]] += masses[j];
}

/* ---- Newton's method ---------------------------------------------------------------------- */

/* Solves all joints of a frame at once, by the Gauss-Newton method with damping (Levenberg and
 * Marquardt).
 *
 * The unknowns are a small rotation of each joint and its shift. Those of two joints meet in the
 * equations only if a vertex follows both. The shift of a joint that does not translate is replaced
 * by what its parent does to it. Then its rotation is eliminated (Cholesky), the children before
 * their parents. So a frame costs about as many steps as there are pairs of joints that share
 * vertices. */

/* Two joints that share vertices: the sum over vertices of w_a w_b (r - c_a, 1) (r - c_b, 1)^T. */
typedef struct link {
    uint32_t a, b; /* a is eliminated first, or a == b */
    bool loose;    /* their equations do not meet */
    double s[4][4];
} link;

/* A frame's positions of joints. */
typedef struct stance {
    double m[LM_MAX_SKELETON_BONES][3][4]; /* rotation and place */
    double d[LM_MAX_SKELETON_BONES][3];    /* translations */
} stance;

/* The share of the smaller joint's mass from which the equations of two joints meet. */
#define LOOSE 0.1
/* The work per joint of a step in one frame, above which more of them do not meet. */
#define MOST_STEP_WORK 8000

/* The unknowns of a joint: 3 of its rotation, 3 of its shift. */
#define BOTH 6

struct lm_solver {
    const lm_rig *rig;
    const lm_tree *tree;
    uint64_t step_work; /* of a step in one frame */
    double loose;       /* LOOSE or more */
    uint32_t num_links;
    link *links;
    double (*blocks)[BOTH][BOTH]; /* of pairs of joints: rows are the unknowns of the first */
    uint32_t num_blocks;
    uint32_t order[LM_MAX_SKELETON_BONES]; /* of elimination */
    uint32_t turns[LM_MAX_SKELETON_BONES]; /* of each joint in the order */
    uint32_t num_later[LM_MAX_SKELETON_BONES];
    /* The joints that have equations with a joint when it is eliminated, and their blocks. */
    uint16_t later[LM_MAX_SKELETON_BONES][LM_MAX_SKELETON_BONES];
    uint16_t slots[LM_MAX_SKELETON_BONES][LM_MAX_SKELETON_BONES];
    double masses[LM_MAX_SKELETON_BONES]; /* of the branches */
    /* The sums of each joint alone, with what it shares loosely. */
    double own[LM_MAX_SKELETON_BONES][4][4];

    uint32_t frame;
    stance now, before, other;
    double left[LM_MAX_SKELETON_BONES][3][4]; /* what the joints leave of their targets */
    double arms[LM_MAX_SKELETON_BONES][3];    /* from the parent to the joint */
    double sums[LM_MAX_SKELETON_BONES][BOTH]; /* the right sides, then the unknowns */
};

bool lmi_solver_alloc(lm_tree *tree, uint32_t max_bones, lm_arena *arena) {
    const uint64_t pairs = (uint64_t)max_bones * (max_bones + 1) / 2;
    lm_solver *s = tree->solver = lmi_arena_zeros(arena, 1, sizeof *s);
    if (!s)
        return false;
    s->links = lmi_arena_alloc(arena, pairs, sizeof *s->links);
    s->blocks = lmi_arena_alloc(arena, pairs, sizeof *s->blocks);
    return s->links && s->blocks;
}

static bool translates(const lm_solver *s, uint32_t joint) {
    return s->tree->stiffness[joint] < INFINITY;
}

/* ---- The order ------------------------------------------------------------------------------ */

static double (*block_of(const lm_solver *s, uint32_t a, uint32_t b))[BOTH] {
    return s->blocks[s->turns[a] <= s->turns[b] ? s->slots[a][b] : s->slots[b][a]];
}

/* Returns whether two joints share so little that their equations need not meet. */
static bool is_loose(const lm_solver *s, uint32_t a, uint32_t b) {
    const lm_rig *rig = s->rig;
    const double least = fmin(lm_rig_share(rig, a, a)[3][3], lm_rig_share(rig, b, b)[3][3]);
    return lm_rig_share(rig, a, b)[3][3] <= s->loose * least;
}

/* Appends the joint without remaining children that has equations with the fewest others. Marks
 * these in `meets`, and that they now have equations with each other. */
static void append(lm_solver *s, uint32_t at, uint32_t *children,
                   bool meets[][LM_MAX_SKELETON_BONES]) {
    const uint32_t count = s->rig->num_bones;
    uint32_t next = 0, fewest = UINT32_MAX;
    for (uint32_t j = 0; j < count; j++) {
        uint32_t others = 0;
        for (uint32_t k = 0; k < count && children[j] == 0; k++)
            others += meets[j][k];
        if (children[j] == 0 && others < fewest) {
            fewest = others;
            next = j;
        }
    }
    uint16_t *later = s->later[next];
    uint32_t n = 0;
    for (uint32_t k = 0; k < count; k++)
        if (meets[next][k]) {
            later[n++] = (uint16_t)k;
            meets[k][next] = false;
        }
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < n; k++)
            meets[later[i]][later[k]] = i != k;
    s->num_later[next] = n;
    s->order[at] = next;
    s->turns[next] = at;
    children[next] = UINT32_MAX;
    if (next > 0)
        children[s->tree->parents[next]]--;
}

/* Finds the order and numbers the blocks. */
static void find_order(lm_solver *s, bool meets[][LM_MAX_SKELETON_BONES]) {
    const uint32_t count = s->rig->num_bones;
    uint32_t children[LM_MAX_SKELETON_BONES] = {0};
    for (uint32_t j = 0; j < count; j++) {
        for (uint32_t k = 0; k < count; k++)
            meets[j][k] = j != k && !is_loose(s, j, k);
        children[s->tree->parents[j]] += j > 0;
    }
    for (uint32_t j = 1; j < count; j++)
        meets[j][s->tree->parents[j]] = meets[s->tree->parents[j]][j] = true;
    for (uint32_t i = 0; i < count; i++)
        append(s, i, children, meets);
    s->num_blocks = 0;
    s->step_work = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t j = s->order[i], n = s->num_later[j];
        s->slots[j][j] = (uint16_t)s->num_blocks++;
        for (uint32_t k = 0; k < n; k++)
            s->slots[j][s->later[j][k]] = (uint16_t)s->num_blocks++;
        s->step_work += (uint64_t)BOTH * BOTH * (translates(s, j) ? 6 : 3) * (n + 1) * (n + 2) / 2;
    }
}

/* Sums over vertices w_a w_b (r - c, 1) (r - d, 1)^T. */
static void centre_share(double (*share)[4], const double c[3], const double d[3],
                         double out[4][4]) {
    memcpy(out, share, sizeof(double[4][4]));
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++)
            out[i][k] -= c[i] * out[3][k];
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
            out[i][k] -= out[i][3] * d[k];
}

/* Adds a share that two joints have loosely to those of one of them. The square of a sum is at most
 * the sum of both squares and of what joins them, so steps remain small enough. */
static void add_loose(lm_solver *s, uint32_t joint, double (*share)[4]) {
    const double *c = s->tree->joints[joint];
    double own[4][4];
    centre_share(share, c, c, own);
    for (int d = 0; d < 4; d++)
        for (int e = 0; e < 4; e++)
            s->own[joint][d][e] += own[d][e];
}

/* Lists the pairs of joints that share vertices. */
static void list_links(lm_solver *s) {
    const uint32_t count = s->rig->num_bones;
    const double(*joints)[3] = s->tree->joints;
    s->num_links = 0;
    memset(s->own, 0, count * sizeof *s->own);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = i; k < count; k++) {
            const uint32_t a = s->order[i], b = s->order[k];
            double(*from)[4] = lm_rig_share(s->rig, a, b);
            if (!(from[3][3] > 0))
                continue;
            link *l = &s->links[s->num_links++];
            l->a = a;
            l->b = b;
            l->loose = a != b && is_loose(s, a, b);
            centre_share(from, joints[a], joints[b], l->s);
            if (a == b || l->loose)
                add_loose(s, a, from);
            if (l->loose)
                add_loose(s, b, from);
        }
    s->step_work += (uint64_t)s->num_links * 200;
}

static void begin(lm_solver *s, const lm_rig *rig, const lm_tree *tree) {
    bool meets[LM_MAX_SKELETON_BONES][LM_MAX_SKELETON_BONES];
    s->rig = rig;
    s->tree = tree;
    s->loose = LOOSE;
    for (find_order(s, meets);
         s->step_work > (uint64_t)MOST_STEP_WORK * rig->num_bones && s->loose < 1e9;
         find_order(s, meets))
        s->loose *= 4;
    list_links(s);
    branch_masses(rig, tree, s->masses);
}

/* ---- A frame -------------------------------------------------------------------------------- */

/* Places the joints from their rotations and translations. */
static void place(lm_solver *s) {
    stance *n = &s->now;
    for (uint32_t j = 0; j < s->rig->num_bones; j++) {
        const uint32_t up = s->tree->parents[j];
        const double *c = s->tree->joints[j], *at = s->tree->joints[up];
        for (int i = 0; i < 3; i++) {
            const double *turn = n->m[up][i];
            s->arms[j][i] =
                turn[0] * (c[0] - at[0]) + turn[1] * (c[1] - at[1]) + turn[2] * (c[2] - at[2]);
            n->m[j][i][3] = (j > 0 ? n->m[up][i][3] + s->arms[j][i] : 0) + n->d[j][i];
        }
    }
}

/* Reads a frame's bones. Joints that do not translate move to where their parents put them. */
static void load(lm_solver *s, uint32_t frame) {
    stance *n = &s->now;
    s->frame = frame;
    for (uint32_t j = 0; j < s->rig->num_bones; j++) {
        const double *m = lmi_rig_bone(s->rig, j, frame), *c = s->tree->joints[j];
        const uint32_t up = s->tree->parents[j];
        const double *at = s->tree->joints[up];
        memcpy(n->m[j], m, sizeof n->m[j]);
        for (int i = 0; i < 3; i++) {
            const double *turn = n->m[up][i];
            const double put = j == 0 ? 0
                                      : turn[0] * (c[0] - at[0]) + turn[1] * (c[1] - at[1]) +
                                            turn[2] * (c[2] - at[2]) + turn[3];
            const double own =
                m[4 * i] * c[0] + m[4 * i + 1] * c[1] + m[4 * i + 2] * c[2] + m[4 * i + 3];
            n->d[j][i] = translates(s, j) ? own - put : 0;
            n->m[j][i][3] = translates(s, j) ? own : put;
        }
    }
}

static void store(const lm_solver *s) {
    for (uint32_t j = 0; j < s->rig->num_bones; j++) {
        double *out = lmi_rig_bone(s->rig, j, s->frame);
        const double(*m)[4] = s->now.m[j], *c = s->tree->joints[j];
        for (int i = 0; i < 3; i++) {
            memcpy(out + 4 * i, m[i], sizeof m[i]);
            out[4 * i + 3] -= m[i][0] * c[0] + m[i][1] * c[1] + m[i][2] * c[2];
        }
    }
}

static void subtract(double p[3][4], double m[3][4], double s[4][4]) {
    for (int c = 0; c < 3; c++)
        for (int d = 0; d < 4; d++)
            p[c][d] -=
                m[c][0] * s[0][d] + m[c][1] * s[1][d] + m[c][2] * s[2][d] + m[c][3] * s[3][d];
}

/* Computes what the joints leave of their targets. Returns the squared error, with what stiff
 * joints resist. */
static double find_residuals(lm_solver *s) {
    const lm_rig *rig = s->rig;
    double error = rig->frame_squares[s->frame], targets[3][4];
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t j = 0; j < rig->num_bones; j++) {
            double(*m)[4] = s->now.m[j], (*p)[4] = s->left[j];
            memcpy(targets, rig->targets + (size_t)j * rig->num_rows + 3 * (size_t)s->frame,
                   sizeof targets);
            for (int c = 0; c < 3; c++)
                for (int d = 0; d < 3; d++)
                    targets[c][d] -= targets[c][3] * s->tree->joints[j][d];
            if (pass == 0)
                memcpy(p, targets, sizeof targets);
            for (int c = 0; c < 3 && pass == 1; c++)
                for (int d = 0; d < 4; d++)
                    error -= m[c][d] * (targets[c][d] + p[c][d]);
        }
        for (uint32_t i = 0; i < s->num_links && pass == 0; i++) {
            link *l = &s->links[i];
            double turned[4][4];
            subtract(s->left[l->b], s->now.m[l->a], l->s);
            for (int d = 0; d < 4; d++)
                for (int e = 0; e < 4; e++)
                    turned[e][d] = l->s[d][e];
            if (l->a != l->b)
                subtract(s->left[l->a], s->now.m[l->b], turned);
        }
    }
    for (uint32_t j = 1; j < rig->num_bones; j++) {
        const double *d = s->now.d[j];
        if (translates(s, j))
            error +=
                s->tree->stiffness[j] * s->masses[j] * (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    }
    return error;
}

/* ---- The equations -------------------------------------------------------------------------- */

/* Adds the matrix of the cross product with v. */
static void add_cross(double (*block)[BOTH], int row, int column, const double v[3], double sign) {
    for (int c = 0; c < 3; c++) {
        block[row + (c + 2) % 3][column + (c + 1) % 3] += sign * v[c];
        block[row + (c + 1) % 3][column + (c + 2) % 3] -= sign * v[c];
    }
}

/* Fills the equations of two joints. With a = R_a (r - c_a) and b likewise, those of rotations are
 * the sum of (a b) I - b a^T. */
static void fill_link(const lm_solver *s, const link *l) {
    const double(*share)[4] = l->a == l->b ? s->own[l->a] : l->s;
    double half[3][4], q[3][3], a[3], b[3], (*block)[BOTH] = block_of(s, l->a, l->b);
    const double(*ra)[4] = s->now.m[l->a], (*rb)[4] = s->now.m[l->b];
    for (int c = 0; c < 3; c++)
        for (int d = 0; d < 4; d++)
            half[c][d] = ra[c][0] * share[0][d] + ra[c][1] * share[1][d] + ra[c][2] * share[2][d];
    for (int c = 0; c < 3; c++) {
        for (int d = 0; d < 3; d++)
            q[c][d] = half[c][0] * rb[d][0] + half[c][1] * rb[d][1] + half[c][2] * rb[d][2];
        a[c] = half[c][3];
        b[c] = share[3][0] * rb[c][0] + share[3][1] * rb[c][1] + share[3][2] * rb[c][2];
    }
    const double trace = q[0][0] + q[1][1] + q[2][2];
    for (int c = 0; c < 3; c++) {
        for (int d = 0; d < 3; d++)
            block[c][d] = (c == d ? trace : 0) - q[d][c];
        block[3 + c][3 + c] = share[3][3];
    }
    add_cross(block, 0, 3, a, 1);
    add_cross(block, 3, 0, b, -1);
}

static void fill(lm_solver *s) {
    memset(s->blocks, 0, s->num_blocks * sizeof *s->blocks);
    for (uint32_t i = 0; i < s->num_links; i++)
        if (!s->links[i].loose)
            fill_link(s, &s->links[i]);
    for (uint32_t j = 0; j < s->rig->num_bones; j++) {
        double(*p)[4] = s->left[j], (*m)[4] = s->now.m[j];
        double g[3][3], *sums = s->sums[j];
        for (int c = 0; c < 3; c++)
            for (int d = 0; d < 3; d++)
                g[c][d] = p[c][0] * m[d][0] + p[c][1] * m[d][1] + p[c][2] * m[d][2];
        for (int c = 0; c < 3; c++) {
            sums[c] = g[(c + 2) % 3][(c + 1) % 3] - g[(c + 1) % 3][(c + 2) % 3];
            sums[3 + c] = p[c][3];
        }
    }
}

/* Adds what a force at the end of an arm does to the joint at its other end. */
static void add_force(double *out, size_t stride, const double arm[3], const double force[3]) {
    for (int c = 0; c < 3; c++) {
        const int d = (c + 1) % 3, e = (c + 2) % 3;
        out[(size_t)c * stride] += arm[d] * force[e] - arm[e] * force[d];
        out[(size_t)(3 + c) * stride] += force[c];
    }
}

/* Replaces the shift of a joint by what the unknowns of its parent do to it, and its translation.
 */
static void hang(lm_solver *s, uint32_t joint) {
    const uint32_t up = s->tree->parents[joint];
    const double *arm = s->arms[joint];
    double(*own)[BOTH] = block_of(s, joint, joint), (*both)[BOTH] = block_of(s, joint, up),
    (*above)[BOTH] = block_of(s, up, up), turned[BOTH][BOTH] = {{0}};
    for (uint32_t i = 0; i < s->num_later[joint]; i++) {
        const uint32_t k = s->later[joint][i];
        double(*from)[BOTH] = block_of(s, joint, k), (*to)[BOTH] = block_of(s, up, k);
        const bool rows = s->turns[up] < s->turns[k]; /* the parent's unknowns are rows */
        for (int c = 0; c < BOTH && k != up; c++) {
            const double force[3] = {from[3][c], from[4][c], from[5][c]};
            add_force(rows ? to[0] + c : to[c], rows ? BOTH : 1, arm, force);
        }
    }
    for (int c = 0; c < BOTH; c++) {
        const double force[3] = {both[3][c], both[4][c], both[5][c]};
        add_force(turned[c], 1, arm, force);
    }
    for (int c = 0; c < BOTH; c++)
        for (int d = 0; d < BOTH; d++)
            above[c][d] += turned[c][d] + turned[d][c];
    double through[3][BOTH] = {{0}};
    for (int c = 0; c < BOTH; c++)
        add_force(both[c], 1, arm, own[c] + 3);
    for (int c = 0; c < 3; c++)
        add_force(through[c], 1, arm, own[3 + c] + 3);
    for (int c = 0; c < BOTH; c++) {
        const double force[3] = {through[0][c], through[1][c], through[2][c]};
        add_force(above[c], 1, arm, force);
    }
    add_force(s->sums[up], 1, arm, s->sums[joint] + 3);
    const double stiff = translates(s, joint) ? s->tree->stiffness[joint] * s->masses[joint] : 0;
    for (int c = 0; c < 3; c++) {
        own[3 + c][3 + c] += stiff;
        s->sums[joint][3 + c] -= stiff * s->now.d[joint][c];
    }
}

/* Eliminates the first `n` unknowns of a joint. Returns false if the matrix is not positive. The
 * diagonal gets reciprocals. */
static bool eliminate(lm_solver *s, uint32_t joint, int n, double damping) {
    double(*own)[BOTH] = block_of(s, joint, joint), *sums = s->sums[joint];
    const uint16_t *later = s->later[joint];
    const uint32_t count = s->num_later[joint];
    for (int r = 0; r < n; r++) {
        own[r][r] += damping * own[r][r] + s->rig->quantum * s->rig->quantum;
        for (int q = 0; q < r; q++) {
            for (int k = 0; k < q; k++)
                own[r][q] -= own[r][k] * own[q][k];
            own[r][q] *= own[q][q];
            own[r][r] -= own[r][q] * own[r][q];
            sums[r] -= own[r][q] * sums[q];
        }
        if (!(own[r][r] > 0))
            return false;
        own[r][r] = 1 / sqrt(own[r][r]);
        sums[r] *= own[r][r];
    }
    for (uint32_t i = 0; i < count; i++) {
        double(*row)[BOTH] = block_of(s, joint, later[i]), *to = s->sums[later[i]];
        for (int r = 0; r < n; r++)
            for (int c = 0; c < BOTH; c++) {
                for (int q = 0; q < r; q++)
                    row[r][c] -= own[r][q] * row[q][c];
                row[r][c] *= own[r][r];
                to[c] -= row[r][c] * sums[r];
            }
    }
    return true;
}

/* Subtracts the sum over `n` rows of the products of their entries. */
static void subtract_products(double (*restrict out)[BOTH], double (*restrict a)[BOTH],
                              double (*restrict b)[BOTH], int n) {
    for (int r = 0; r < BOTH; r++) {
        double sums[BOTH];
        memcpy(sums, out[r], sizeof sums);
        for (int q = 0; q < n; q++)
            for (int c = 0; c < BOTH; c++)
                sums[c] -= a[q][r] * b[q][c];
        memcpy(out[r], sums, sizeof sums);
    }
}

static bool solve(lm_solver *s, double damping) {
    const uint32_t count = s->rig->num_bones;
    for (uint32_t at = 0; at < count; at++) {
        const uint32_t j = s->order[at];
        const uint16_t *later = s->later[j];
        const int n = translates(s, j) ? BOTH : 3;
        if (j > 0)
            hang(s, j);
        if (!eliminate(s, j, n, damping))
            return false;
        for (uint32_t i = 0; i < s->num_later[j]; i++)
            for (uint32_t k = 0; k < s->num_later[j]; k++)
                if (s->turns[later[i]] <= s->turns[later[k]])
                    subtract_products(block_of(s, later[i], later[k]), block_of(s, j, later[i]),
                                      block_of(s, j, later[k]), n);
    }
    return true;
}

/* Finds the unknowns, of parents before their children, and applies them. */
static void take_step(lm_solver *s) {
    for (uint32_t at = s->rig->num_bones; at-- > 0;) {
        const uint32_t j = s->order[at], up = s->tree->parents[j];
        double *x = s->sums[j], (*own)[BOTH] = block_of(s, j, j);
        const int n = translates(s, j) ? BOTH : 3;
        for (int r = n; r-- > 0;) {
            for (uint32_t i = 0; i < s->num_later[j]; i++) {
                const double *row = block_of(s, j, s->later[j][i])[r], *y = s->sums[s->later[j][i]];
                for (int c = 0; c < BOTH; c++)
                    x[r] -= row[c] * y[c];
            }
            for (int q = r + 1; q < n; q++)
                x[r] -= own[q][r] * x[q];
            x[r] *= own[r][r];
        }
        for (int c = 0; c < 3; c++) {
            const int d = (c + 1) % 3, e = (c + 2) % 3;
            const double *w = s->sums[up], *arm = s->arms[j];
            s->now.d[j][c] += n == BOTH ? x[3 + c] : 0;
            x[3 + c] = n == BOTH ? x[3 + c] : 0;
            x[3 + c] += j > 0 ? w[d] * arm[e] - w[e] * arm[d] + w[3 + c] : 0;
        }
    }
    for (uint32_t j = 0; j < s->rig->num_bones; j++)
        lmi_turn_by(s->now.m[j], s->sums[j]);
    place(s);
}

/* ---- All frames ----------------------------------------------------------------------------- */

/* Improves a frame. A step that makes it worse is taken back, and the next one is shorter. Returns
 * the squared error. */
static double improve(lm_solver *s, unsigned steps, uint64_t *work) {
    const size_t used = s->rig->num_bones;
    double damping = 1e-4, error;
    place(s);
    error = find_residuals(s);
    for (unsigned i = 0; i < steps; i++) {
        memcpy(s->before.m, s->now.m, used * sizeof *s->now.m);
        memcpy(s->before.d, s->now.d, used * sizeof *s->now.d);
        fill(s);
        *work += s->step_work;
        bool better = solve(s, damping);
        if (better) {
            take_step(s);
            const double now = find_residuals(s);
            better = now < error;
            if (better && now > error * 0.999)
                return now;
            error = better ? now : error;
        }
        if (better) {
            damping /= 8;
            continue;
        }
        memcpy(s->now.m, s->before.m, used * sizeof *s->now.m);
        memcpy(s->now.d, s->before.d, used * sizeof *s->now.d);
        place(s);
        find_residuals(s);
        damping = damping < 1e-3 ? 1e-2 : damping * 10;
    }
    return error;
}

/* Improves a frame from where it is and, if that leads nowhere, from the frame before. */
static double improve_frame(lm_solver *s, unsigned steps, uint64_t *work) {
    const double bad = 12.0 * s->rig->num_vertices * s->rig->quantum * s->rig->quantum;
    const double error = improve(s, steps, work);
    if (s->frame == 0 || error < bad || steps < 4)
        return error;
    const uint32_t frame = s->frame;
    s->other = s->now;
    load(s, frame - 1);
    s->frame = frame;
    const double again = improve(s, steps, work);
    if (again <= error)
        return again;
    s->now = s->other;
    find_residuals(s);
    return error;
}

/* Adds what a frame tells about the places of joints: what each branch leaves of its targets. */
static void add_pulls(lm_solver *s, lm_pull *pulls) {
    double forces[LM_MAX_SKELETON_BONES][3];
    for (uint32_t j = 0; j < s->rig->num_bones; j++)
        for (int c = 0; c < 3; c++)
            forces[j][c] = s->left[j][c][3];
    for (uint32_t j = s->rig->num_bones; j-- > 1;) {
        const uint32_t up = s->tree->parents[j];
        for (int c = 0; c < 3; c++) {
            forces[up][c] += forces[j][c];
            pulls[j].square += forces[j][c] * forces[j][c];
            for (int d = 0; d < 3; d++) {
                const double bend = s->now.m[up][c][d] - s->now.m[j][c][d];
                pulls[j].bends[d][3] += bend * forces[j][c];
                for (int e = 0; e < 3; e++)
                    pulls[j].bends[d][e] += bend * (s->now.m[up][c][e] - s->now.m[j][c][e]);
            }
        }
    }
}

/* Improves all rotations and translations of each frame at once. Joints that do not translate move
 * to where their parents put them. Needs shares. Returns the sum of the squared errors. */
static double solve_poses(lm_rig *rig, lm_tree *tree, unsigned steps) {
    lm_solver *s = tree->solver;
    double sum = 0;
    begin(s, rig, tree);
    memset(tree->pulls, 0, sizeof tree->pulls);
    for (uint32_t f = 0; f < rig->num_frames; f++) {
        load(s, f);
        sum += improve_frame(s, steps, &rig->work);
        add_pulls(s, tree->pulls);
        store(s);
    }
    rig->work += (uint64_t)rig->num_frames * (s->num_links * 100 + rig->num_bones * 60);
    return fmax(sum, 0);
}

/* Moves joints that do not translate to where their parents put them. */
static void hang_joints(lm_rig *rig, lm_tree *tree) {
    lm_solver *s = tree->solver;
    s->rig = rig;
    s->tree = tree;
    for (uint32_t f = 0; f < rig->num_frames; f++) {
        load(s, f);
        store(s);
    }
    rig->work += (uint64_t)rig->num_frames * rig->num_bones * 30;
}

/* ---- Poses -------------------------------------------------------------------------------- */

/* The weight of a joint's present place, relative to the frames. */
#define STAY 1e-3
/* How far rounding may move a joint from the middle of the vertices that follow both bones, in
 * quanta, and the most that this may weigh. A hinge may be anywhere on its axis: this decides. */
#define SLACK 4
#define MOST_DRAW 0.01
/* The farthest that a joint that does not translate may be from the middle of its vertices,
 * relative to their root mean square distance. At the end of a straight limb, it is 1.7. */
#define REACH 2.5
#define INWARD 0.03     /* the weight of the middle of its region for a joint that translates */
#define STRONGEST 20    /* times 4: the most that draws such a joint to its region */
#define LEAST_MASS 1e-3 /* squared weights that decide where a joint is */
#define NEAR 1.2        /* times the error wanted: from there, fewer joints are freed at a time */

/* A sphere in which a joint should be. */
typedef struct joint_region {
    double middle[3], radius;
} joint_region;

/* Returns the middle of the vertices that follow two bones, by the products of their weights. The
 * radius is their root mean square distance from it. */
static joint_region find_middle(const lm_rig *rig, uint32_t a, uint32_t b) {
    double(*share)[4] = lm_rig_share(rig, a, b), spread = 0;
    joint_region found = {.radius = 0};
    for (int d = 0; d < 3; d++) {
        found.middle[d] = share[3][d] / fmax(share[3][3], 1e-9);
        spread += share[d][d] / fmax(share[3][3], 1e-9) - found.middle[d] * found.middle[d];
    }
    found.radius = sqrt(fmax(spread, 0));
    return found;
}

static double distance_from(const joint_region *region, const double at[3]) {
    double sum = 0;
    for (int d = 0; d < 3; d++)
        sum += (at[d] - region->middle[d]) * (at[d] - region->middle[d]);
    return sqrt(sum);
}

/* Returns the region of the joint of a bone and the one above: that of the vertices that follow
 * both, or else that of its own. */
static joint_region find_region(const lm_rig *rig, uint32_t up, uint32_t bone) {
    const joint_region own = find_middle(rig, bone, bone), above = find_middle(rig, up, up);
    joint_region found = find_middle(rig, up, bone);
    if (lm_rig_share(rig, up, bone)[3][3] <= 1e-6)
        return own;
    found.radius = fmax(found.radius, distance_from(&above, own.middle) / 2);
    return found;
}

/* ---- Poses ---------------------------------------------------------------------------------- */

/* Moves a joint that does not translate. The vertices of its branch move by (R_parent - R) times
 * the shift. All joints move at once, so each takes half of its shift. */
static void shift_joint(const lm_rig *rig, lm_tree *tree, uint32_t joint, double mass) {
    double shift[3], (*m)[4] = tree->pulls[joint].bends;
    const joint_region region = find_region(rig, tree->parents[joint], joint);
    const double slack = SLACK * rig->quantum / region.radius;
    const double draw = fmin(slack * slack, MOST_DRAW) * mass * rig->num_frames;
    for (int d = 0; d < 3; d++) {
        for (int e = 0; e < 3; e++)
            m[d][e] *= mass;
        m[d][d] += draw;
        m[d][3] += draw * (region.middle[d] - tree->joints[joint][d]);
    }
    lmi_solve(m, 3, shift);
    for (int d = 0; d < 3; d++)
        tree->joints[joint][d] += shift[d] / 2;
}

double lmi_pose_tree(lm_rig *rig, lm_tree *tree, unsigned steps, bool shift) {
    double masses[LM_MAX_SKELETON_BONES];
    lmi_sum_shares(rig);
    const double sum = solve_poses(rig, tree, steps);
    if (!shift)
        return sum;
    branch_masses(rig, tree, masses);
    for (uint32_t j = 1; j < rig->num_bones; j++)
        if (!(tree->stiffness[j] < INFINITY))
            shift_joint(rig, tree, j, masses[j]);
    hang_joints(rig, tree);
    return sum;
}

/* ---- Joints that translate ------------------------------------------------------------------ */

/* Finds what the bones of a joint and its parent do to the joint differently: the sum of the
 * squares. With `m`, adds the equations of the place where they differ least. */
static double find_slide(const lm_rig *rig, const lm_tree *tree, uint32_t joint, double (*m)[4]) {
    const double *c = tree->joints[joint], *own = lmi_rig_bone(rig, joint, 0);
    const double *up = lmi_rig_bone(rig, tree->parents[joint], 0);
    double sum = 0;
    for (uint32_t row = 0; row < rig->num_rows; row++, own += 4, up += 4) {
        const double bend[3] = {own[0] - up[0], own[1] - up[1], own[2] - up[2]};
        const double gap = bend[0] * c[0] + bend[1] * c[1] + bend[2] * c[2] + own[3] - up[3];
        sum += gap * gap;
        for (int d = 0; d < 3 && m; d++) {
            m[d][3] -= bend[d] * gap;
            for (int e = 0; e < 3; e++)
                m[d][e] += bend[d] * bend[e];
        }
    }
    return sum;
}

/* Moves a joint to where its bone and its parent's move alike. */
static void centre_joint(const lm_rig *rig, lm_tree *tree, uint32_t joint) {
    double m[3][4] = {{0}}, shift[3];
    find_slide(rig, tree, joint, m);
    for (int d = 0; d < 3; d++)
        m[d][d] += STAY * rig->num_frames;
    lmi_solve(m, 3, shift);
    for (int d = 0; d < 3; d++)
        tree->joints[joint][d] += shift[d];
}

/* Improves poses, joints, weights and the rest pose in turn. Returns the sum of the squared errors.
 */
static double improve_tree(lm_rig *rig, lm_tree *tree, unsigned rounds, unsigned steps) {
    double sum = 0;
    for (unsigned i = 0; i < rounds; i++) {
        lmi_pose_tree(rig, tree, steps, true);
        sum = lmi_weigh(rig, LM_SKELETON_WEIGHTS, true);
        for (uint32_t j = 1; j < rig->num_bones; j++)
            if (tree->stiffness[j] < INFINITY)
                centre_joint(rig, tree, j);
    }
    return sum;
}

static void stiffen(lm_rig *rig, lm_tree *tree, double stiffness) {
    for (uint32_t j = 1; j < rig->num_bones; j++)
        tree->stiffness[j] = stiffness;
}

/* Fixes the joints whose translations matter least together. */
static void fix_joints(lm_rig *rig, lm_tree *tree, double room) {
    double harms[LM_MAX_SKELETON_BONES] = {0}, masses[LM_MAX_SKELETON_BONES];
    lmi_sum_shares(rig);
    branch_masses(rig, tree, masses);
    for (uint32_t j = 1; j < rig->num_bones; j++) {
        harms[j] = find_slide(rig, tree, j, NULL) * masses[j];
        tree->stiffness[j] = 0;
    }
    for (uint32_t n = 1; n < rig->num_bones; n++) {
        uint32_t least = 0;
        for (uint32_t j = 1; j < rig->num_bones; j++)
            if (tree->stiffness[j] == 0 && (least == 0 || harms[j] < harms[least]))
                least = j;
        room -= harms[least];
        if (room < 0)
            return;
        tree->stiffness[least] = INFINITY;
    }
}

/* Lets those `count` joints translate that save most. Returns false if none saves anything. */
static bool free_joints(lm_rig *rig, lm_tree *tree, unsigned count) {
    double gains[LM_MAX_SKELETON_BONES] = {0}, masses[LM_MAX_SKELETON_BONES];
    bool any = false;
    lmi_pose_tree(rig, tree, 0, false);
    branch_masses(rig, tree, masses);
    for (uint32_t j = 1; j < rig->num_bones; j++)
        if (!(tree->stiffness[j] < INFINITY) && masses[j] > 0)
            gains[j] = tree->pulls[j].square / masses[j];
    for (unsigned i = 0; i < count; i++) {
        uint32_t best = 1;
        for (uint32_t j = 2; j < rig->num_bones; j++)
            best = gains[j] > gains[best] ? j : best;
        if (!(gains[best] > 0))
            break;
        gains[best] = 0;
        tree->stiffness[best] = 0;
        any = true;
    }
    return any;
}

/* Moves a joint to where it slides least in its region. */
static void pull_joint(const lm_rig *rig, lm_tree *tree, uint32_t joint,
                       const joint_region *region) {
    double slides[3][4] = {{0}}, *at = tree->joints[joint];
    memcpy(at, region->middle, sizeof region->middle);
    find_slide(rig, tree, joint, slides);
    double draw = INWARD * rig->num_frames;
    for (int i = 0; i < STRONGEST; i++, draw *= 4) {
        double m[3][4], shift[3];
        memcpy(m, slides, sizeof m);
        for (int d = 0; d < 3; d++)
            m[d][d] += draw;
        lmi_solve(m, 3, shift);
        if (sqrt(shift[0] * shift[0] + shift[1] * shift[1] + shift[2] * shift[2]) > region->radius)
            continue;
        for (int d = 0; d < 3; d++)
            at[d] += shift[d];
        return;
    }
}

void lmi_pull_joints(lm_rig *rig, lm_tree *tree) {
    lmi_sum_shares(rig);
    for (uint32_t j = 1; j < rig->num_bones; j++) {
        const joint_region own = find_middle(rig, j, j);
        const joint_region region = find_region(rig, tree->parents[j], j);
        if (!(tree->stiffness[j] < INFINITY) &&
            distance_from(&own, tree->joints[j]) <= REACH * own.radius)
            continue;
        tree->stiffness[j] = 0;
        pull_joint(rig, tree, j, &region);
    }
}

void lmi_fix_idle_joints(lm_rig *rig, lm_tree *tree) {
    double masses[LM_MAX_SKELETON_BONES] = {0};
    lmi_sum_shares(rig);
    for (uint32_t j = rig->num_bones; j-- > 1;) {
        const uint32_t up = tree->parents[j];
        masses[j] += lm_rig_share(rig, j, j)[3][3];
        if (masses[j] < LEAST_MASS) {
            tree->stiffness[j] = INFINITY;
            memcpy(tree->joints[j], tree->joints[up], sizeof tree->joints[j]);
        }
        if (!(tree->stiffness[j] < INFINITY))
            masses[up] += masses[j];
    }
}

double lmi_fit_tree(lm_rig *rig, lm_tree *tree, double target, bool constant) {
    static const double steps[] = {0.1, 0.3, 1, 1};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        stiffen(rig, tree, steps[i]);
        improve_tree(rig, tree, 2, 1);
    }
    if (constant)
        stiffen(rig, tree, INFINITY);
    else
        fix_joints(rig, tree, target);
    improve_tree(rig, tree, 1, 3);
    double sum = improve_tree(rig, tree, 3, 1);
    for (unsigned n = 0, more; sum > target && !constant; n += more) {
        more = 1 + n / (sum > NEAR * target ? 2 : 8);
        if (!free_joints(rig, tree, more))
            break;
        sum = improve_tree(rig, tree, 2, 1);
    }
    improve_tree(rig, tree, 3, 1);
    return lmi_pose_tree(rig, tree, 3, false);
}

void lmi_fit_loose_tree(lm_rig *rig, lm_tree *tree, double target) {
    stiffen(rig, tree, 0);
    for (uint32_t j = 1; j < rig->num_bones; j++)
        centre_joint(rig, tree, j);
    const lm_tree before = *tree;
    fix_joints(rig, tree, target / 8);
    if (improve_tree(rig, tree, 4, 1) <= target)
        return;
    lmi_rig_restore(rig);
    *tree = before;
}
