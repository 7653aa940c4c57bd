/* SPDX-License-Identifier: MIT */
/* One step of selectively damped least squares. The singular vectors come from one-sided Jacobi rotations of the rows,
 * begun with those of the step before, which are nearly right. Products of the rows turn along with the rows, so that
 * a sweep needs no pass over them. Unless the rows are of like length they are measured again before they are believed
 * to be orthogonal: what is left of two long rows that were nearly parallel keeps its digits. */
#include <math.h>

#include "ik_tree.h"
#include "kernels/simd/inline.h"

#define ROUNDS 30
#define SWEEPS 4
#define EVEN 1e-20
#define DOUBT 1e-15
#define NOTHING 1e-10
#define LOST (1e-4 * NOTHING * NOTHING)
#define ALIKE 1e-5
#define GAIN 0.8
static const double most_turn = 0.78539816339744830962;

/* Unlike fmax and fmin never a call; NaN is skipped. */
SKL_INLINE double larger(double a, double b) { return b > a ? b : a; }
SKL_INLINE double smaller(double a, double b) { return b < a ? b : a; }

/* Of rows of even length; two sums side by side: one alone waits for each of its additions. */
SKL_INLINE double product(const double *a, const double *b, int n) {
    double even = 0, odd = 0;
    for (int i = 0; i < n; i += 2) {
        even += a[i] * b[i];
        odd += a[i + 1] * b[i + 1];
    }
    return even + odd;
}

/* The turn that makes rows orthogonal whose products are aa, ab, bb. Unless it is large, the tangent of half of it is
 * rational and right but for a fifth power, which the next sweep finds, at the price of a division. */
typedef struct ik_turn {
    double c, s;
} ik_turn;

SKL_INLINE ik_turn find_turn(double aa, double ab, double bb) {
    const double apart = bb - aa;
    if (fabs(ab) < 0.7 * fabs(apart)) {
        const double p = ab * apart, q = 2 * (apart * apart) + 2.5 * (ab * ab), pp = p * p, qq = q * q;
        const double by = 1 / (qq + pp);
        return (ik_turn){(qq - pp) * by, 2 * (p * q) * by};
    }
    const double side = fabs(apart) + sqrt(apart * apart + 4 * ab * ab);
    const double across = apart < 0 ? -2 * ab : 2 * ab, by = 1 / sqrt(side * side + across * across);
    return (ik_turn){side * by, across * by};
}

/* out = by @ from, both rows x n, n even. */
SKL_INLINE void turn_rows(const int rows, const int n, const double *by, const double *from, double *restrict out) {
    const int w = SKL_IK_EVEN(rows);
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < n; k += 2) {
            double even = by[i * w] * from[k], odd = by[i * w] * from[k + 1];
            for (int j = 1; j < rows; j++) {
                even += by[i * w + j] * from[j * n + k];
                odd += by[i * w + j] * from[j * n + k + 1];
            }
            out[i * n + k] = even;
            out[i * n + k + 1] = odd;
        }
}

/* Products of the rows i <= j. */
SKL_INLINE void measure(const int rows, int n, const double *turned, double *gram) {
    const int w = SKL_IK_EVEN(rows);
    for (int i = 0; i < rows; i++)
        for (int j = i; j < rows; j++) gram[i * w + j] = product(turned + i * n, turned + j * n, n);
}

SKL_INLINE void exchange(double **a, double **b) {
    double *const other = *a;
    *a = *b;
    *b = other;
}

SKL_INLINE void rotate(double *a, double *b, double c, double s) {
    const double x = *a, y = *b;
    *a = c * x - s * y;
    *b = s * x + c * y;
}

/* Make two rows orthogonal; 1 if they were not, as far as their products can be believed. */
SKL_INLINE int separate(const int rows, double *gram, double *turns, double doubt, int i, int j) {
    const int w = SKL_IK_EVEN(rows);
    const double aa = gram[i * w + i], ab = gram[i * w + j], bb = gram[j * w + j];
    if (!(ab * ab > EVEN * smaller(aa * bb, (bb - aa) * (bb - aa))) || aa <= LOST || bb <= LOST ||
        fabs(ab) <= doubt * (aa + bb))
        return 0;
    const ik_turn turn = find_turn(aa, ab, bb);
    const double c = turn.c, s = turn.s;
    const double change = s * (s * (bb - aa) - 2 * (c * ab));
    gram[i * w + i] = aa + change;
    gram[j * w + j] = bb - change;
    gram[i * w + j] = (c - s) * (c + s) * ab - c * s * (bb - aa);
    for (int k = 0; k < rows; k++) {
        rotate(&turns[i * w + k], &turns[j * w + k], c, s);
        if (k != i && k != j) rotate(&gram[k < i ? k * w + i : i * w + k], &gram[k < j ? k * w + j : j * w + k], c, s);
    }
    return 1;
}

SKL_INLINE int sweep(const int rows, double *gram, double *turns, double doubt) {
    int left = 0;
    if (rows == 3) { /* no loop, so that products and turns are in registers */
        left |= separate(rows, gram, turns, doubt, 0, 1);
        left |= separate(rows, gram, turns, doubt, 0, 2);
        left |= separate(rows, gram, turns, doubt, 1, 2);
        return left;
    }
    for (int i = 0; i < rows; i++)
        for (int j = i + 1; j < rows; j++) left |= separate(rows, gram, turns, doubt, i, j);
    return left;
}

/* 1 if the products that have turned along are good to their last digits but few. */
SKL_INLINE int believed(const int rows, const double *gram) {
    double least = gram[0], most = gram[0];
    for (int i = 1; i < rows; i++) {
        least = smaller(least, gram[i * (SKL_IK_EVEN(rows) + 1)]);
        most = larger(most, gram[i * (SKL_IK_EVEN(rows) + 1)]);
    }
    return least > ALIKE * most;
}

SKL_INLINE void decompose(skl_ik_tree *tree, const int rows, const int n, double *gram, double *turns) {
    const int w = SKL_IK_EVEN(rows);
    turn_rows(rows, n, tree->basis, tree->jacobian, tree->turned);
    measure(rows, n, tree->turned, gram);
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < rows * w; i++) turns[i] = i % (w + 1) == 0;
        int left = 1, sweeps = 0;
        for (; left && sweeps < SWEEPS; sweeps++) left = sweep(rows, gram, turns, sweeps ? DOUBT : 0);
        if (!left && sweeps == 1) return;
        turn_rows(rows, n, turns, tree->turned, tree->spare);
        exchange(&tree->turned, &tree->spare);
        turn_rows(rows, w, turns, tree->basis, tree->spare_basis);
        exchange(&tree->basis, &tree->spare_basis);
        if (!left && believed(rows, gram)) return;
        measure(rows, n, tree->turned, gram);
    }
}

/* How far the tips go per radian of the joints together; 1 for a single goal. */
static double reach(const double *u, int rows) {
    double sum = 0;
    for (int r = 0; r < rows; r += 3) sum += sqrt(skl_v3_dot(u + r, u + r));
    return sum;
}

/* The part of the step along a singular vector whose value squared is `ww`; numbers of a row of `turned` are the
 * value's times those of a vector of length 1. Nothing branches: a bound is met about as often as not. */
SKL_INLINE void add_vector(skl_ik_tree *tree, const int rows, const int n, int i, double ww) {
    const double *v = tree->turned + i * n, *u = tree->basis + i * SKL_IK_EVEN(rows);
    const double along = product(u, tree->error, SKL_IK_EVEN(rows)), by = GAIN * along / ww;
    double moved[2] = {0, 0}, turned[2] = {0, 0};
    for (int j = 0; j < n; j += 2)
        for (int k = 0; k < 2; k++) {
            moved[k] += fabs(v[j + k]) * tree->norms[j + k];
            turned[k] = larger(turned[k], fabs(v[j + k]) * tree->root[j + k]);
        }
    const double distance = moved[0] + moved[1], angle = larger(turned[0], turned[1]) * fabs(along);
    const double tips = rows == 3 ? ww : reach(u, rows) * ww;
    const double part = smaller(1, most_turn * ww * smaller(distance, tips) / (distance * angle));
    double *restrict delta = tree->delta;
    for (int j = 0; j < n; j++) delta[j] += smaller(part, tree->weight[j]) * v[j] * by;
}

/* `gram`: products of the rows of `turned`; `turns`: how those are to be turned; `n`: the stride. */
SKL_INLINE void step_of(skl_ik_tree *tree, const int rows, const int n, double *gram, double *turns) {
    decompose(tree, rows, n, gram, turns);
    for (int j = 0; j < n; j++) tree->delta[j] = 0;
    for (int i = 0; i < rows; i++) {
        const double ww = gram[i * SKL_IK_EVEN(rows) + i];
        if (!(ww <= NOTHING * NOTHING)) add_vector(tree, rows, n, i, ww);
    }
}

/* The compiler knows three rows by name, and most limbs have two bones. */
static void step_of_limb(skl_ik_tree *tree, double *gram, double *turns) { step_of(tree, 3, 6, gram, turns); }

static void step_of_chain(skl_ik_tree *tree, double *gram, double *turns) {
    step_of(tree, 3, tree->stride, gram, turns);
}

void skl_ik_step(skl_ik_tree *tree) {
    double gram[12], turns[12];
    if (tree->rows == 3 && tree->stride == 6)
        step_of_limb(tree, gram, turns);
    else if (tree->rows == 3)
        step_of_chain(tree, gram, turns);
    else
        step_of(tree, tree->rows, tree->stride, tree->gram, tree->turns);
    double largest = 0;
    for (int j = 0; j < tree->freedoms; j++) largest = larger(largest, fabs(tree->delta[j]));
    if (largest > most_turn)
        for (int j = 0; j < tree->freedoms; j++) tree->delta[j] *= most_turn / (most_turn + largest);
}
