/* SPDX-License-Identifier: MIT */
/* One step of selectively damped least squares. The singular vectors come from one-sided Jacobi rotations of the rows,
 * begun with those of the step before, which are nearly right. */
#include <math.h>
#include <string.h>

#include "ik.h"

#define SWEEPS 30
#define NOTHING 1e-10
#define GAIN 0.8
static const double most_turn = 0.78539816339744830962;

static double product(const double *a, const double *b, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

static void rotate(double *a, double *b, int n, double c, double s) {
    for (int i = 0; i < n; i++) {
        const double x = a[i], y = b[i];
        a[i] = c * x - s * y;
        b[i] = s * x + c * y;
    }
}

/* Make two rows orthogonal; 1 if they were not. */
static int separate(skl_ik_tree *tree, int i, int j) {
    const int n = tree->stride, rows = tree->rows;
    double *a = tree->turned + i * n, *b = tree->turned + j * n;
    const double aa = product(a, a, n), bb = product(b, b, n), ab = product(a, b, n);
    if (ab * ab <= 1e-24 * aa * bb || fabs(ab) < 1e-32) return 0;
    const double z = (bb - aa) / (2 * ab);
    const double t = (z >= 0 ? 1 : -1) / (fabs(z) + sqrt(1 + z * z)), c = 1 / sqrt(1 + t * t);
    rotate(a, b, n, c, c * t);
    rotate(tree->basis + i * rows, tree->basis + j * rows, rows, c, c * t);
    return 1;
}

static void decompose(skl_ik_tree *tree) {
    const int n = tree->stride, rows = tree->rows;
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < n; k++) {
            double sum = 0;
            for (int j = 0; j < rows; j++) sum += tree->basis[i * rows + j] * tree->jacobian[j * n + k];
            tree->turned[i * n + k] = sum;
        }
    for (int sweep = 0, left = 1; left && sweep < SWEEPS; sweep++) {
        left = 0;
        for (int i = 0; i < rows; i++)
            for (int j = i + 1; j < rows; j++) left |= separate(tree, i, j);
    }
}

/* How far the tips go per radian of the joints together; 1 for a single goal. */
static double reach(const double *u, int rows) {
    double sum = 0;
    for (int r = 0; r < rows; r += 3) sum += sqrt(skl_ik_dot(u + r, u + r));
    return sum;
}

void skl_ik_step(skl_ik_tree *tree) {
    const int n = tree->freedoms, rows = tree->rows;
    decompose(tree);
    memset(tree->delta, 0, (size_t)tree->stride * sizeof *tree->delta);
    for (int i = 0; i < rows; i++) {
        double *v = tree->turned + i * tree->stride;
        const double *u = tree->basis + i * rows;
        const double w = sqrt(product(v, v, n));
        if (w <= NOTHING) continue;
        const double by = product(u, tree->error, rows) / w;
        double moved = 0, turned = 0;
        for (int j = 0; j < n; j++) {
            v[j] /= w;
            moved += fabs(v[j]) * tree->norms[j];
            turned = fmax(turned, fabs(v[j] * by) * tree->root[j]);
        }
        moved /= w;
        const double tips = reach(u, rows), bound = most_turn * (tips < moved ? tips / moved : 1);
        const double part = bound < turned ? bound / turned : 1;
        for (int j = 0; j < n; j++) tree->delta[j] += GAIN * fmin(part / tree->weight[j], 1) * v[j] * by;
    }
    double largest = 0;
    for (int j = 0; j < n; j++) {
        tree->delta[j] *= tree->weight[j];
        largest = fmax(largest, fabs(tree->delta[j]));
    }
    if (largest > most_turn)
        for (int j = 0; j < n; j++) tree->delta[j] *= most_turn / (most_turn + largest);
}
