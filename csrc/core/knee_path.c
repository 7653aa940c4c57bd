/* SPDX-License-Identifier: MIT */
#include "knee_path.h"

#include <math.h>
#include <string.h>

#include "limb.h"

static const double PI = 3.14159265358979323846, GOLDEN = 0.61803398874989484820;

/* Pieces of the range in which there is at most one answer. */
enum { PIECES = 48, NODES = PIECES + 3, GOLDEN_STEPS = 44, ROOT_STEPS = 100 };

static void cross(const double a[3], const double b[3], double out[3]) {
    for (int k = 0; k < 3; k++) out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static void finish(skl_knee_path *path) {
    skl_m3_multiply(path->above, path->left, path->carry);
    skl_m3_transform(path->right, path->shin, path->spun);
}

void skl_knee_about(skl_knee_path *path, const double axis[3], const skl_m3 base, const skl_joint_limit *limit) {
    const double size = skl_length(axis);
    double n[3], first[3], second[3], thigh[3], shin[3], side[3];
    int least = 0;
    for (int k = 0; k < 3; k++) {
        n[k] = size > 0 ? axis[k] / size : k == 2;
        if (fabs(n[k]) < fabs(n[least])) least = k;
    }
    const double e[3] = {least == 0, least == 1, least == 2};
    cross(n, e, first);
    const double length = skl_length(first);
    for (int k = 0; k < 3; k++) first[k] /= length;
    cross(n, first, second);
    for (int k = 0; k < 3; k++) {
        path->left[3 * k] = first[k];
        path->left[3 * k + 1] = second[k];
        path->left[3 * k + 2] = n[k];
    }
    skl_m3 back;
    skl_m3_transpose(path->left, back);
    skl_m3_multiply(back, base, path->right);
    path->limit = limit;
    finish(path);
    (void)skl_m3_solve(path->above, path->u, thigh);
    skl_m3_transform(base, path->shin, shin);
    cross(thigh, shin, side);
    const double bent = atan2(dot(side, n), dot(thigh, shin));
    path->low = -bent;
    path->high = PI - bent;
}

void skl_knee_hinge(skl_knee_path *path, const skl_joint_limit *limit, const skl_m3 proper) {
    skl_m3 frame, back;
    memcpy(path->left, limit->rest, sizeof path->left);
    skl_m3_transpose(limit->frame, frame);
    skl_m3_transpose(proper, back);
    skl_m3_multiply(frame, back, path->right);
    path->limit = NULL;
    path->low = limit->twist[0];
    path->high = limit->twist[1] - limit->twist[0] > 2 * PI ? limit->twist[0] + 2 * PI : limit->twist[1];
    finish(path);
}

static void spin(double angle, const double v[3], double out[3]) {
    const double c = cos(angle), s = sin(angle);
    out[0] = c * v[0] - s * v[1];
    out[1] = s * v[0] + c * v[1];
    out[2] = v[2];
}

void skl_knee_turn(const skl_knee_path *path, double angle, skl_m3 turn) {
    const double c = cos(angle), s = sin(angle);
    const skl_m3 about = {c, -s, 0, s, c, 0, 0, 0, 1};
    skl_m3 part, axes, back, whole;
    skl_m3_multiply(path->left, about, part);
    skl_m3_multiply(part, path->right, turn);
    if (!path->limit) return;
    skl_m3_multiply(turn, path->axes, axes);
    (void)skl_limit_turn(path->limit, axes, 0, SKL_FLOAT64, back);
    skl_m3_multiply(back, turn, whole);
    memcpy(turn, whole, sizeof whole);
}

void skl_knee_end(const skl_knee_path *path, double angle, double end[3]) {
    double v[3], w[3];
    if (path->limit) {
        skl_m3 turn;
        skl_knee_turn(path, angle, turn);
        skl_m3_transform(turn, path->shin, w);
        skl_m3_transform(path->above, w, v);
    } else {
        spin(angle, path->spun, w);
        skl_m3_transform(path->carry, w, v);
    }
    for (int k = 0; k < 3; k++) end[k] = path->u[k] + v[k];
}

/* Distance of the end from a point, or from the hip. */
static double distance_at(const skl_knee_path *path, double angle, const double *point) {
    double end[3];
    skl_knee_end(path, angle, end);
    for (int k = 0; point && k < 3; k++) end[k] -= point[k];
    return skl_length(end);
}

/* The angle between two bounds where sign * distance is least, if there is one valley between them. */
static double valley(const skl_knee_path *path, double low, double high, const double *point, double sign) {
    double x = high - GOLDEN * (high - low), y = low + GOLDEN * (high - low);
    double fx = sign * distance_at(path, x, point), fy = sign * distance_at(path, y, point);
    const double ends[2] = {low, high};
    for (int i = 0; i < GOLDEN_STEPS; i++) {
        if (fx <= fy) {
            high = y, y = x, fy = fx;
            x = high - GOLDEN * (high - low);
            fx = sign * distance_at(path, x, point);
        } else {
            low = x, x = y, fx = fy;
            y = low + GOLDEN * (high - low);
            fy = sign * distance_at(path, y, point);
        }
    }
    double best = 0.5 * (low + high), least = sign * distance_at(path, best, point);
    for (int i = 0; i < 2; i++) {
        const double value = sign * distance_at(path, ends[i], point);
        if (value < least) least = value, best = ends[i];
    }
    return best;
}

static double node(const skl_knee_path *path, int i) {
    return i == PIECES ? path->high : path->low + (path->high - path->low) * i / PIECES;
}

void skl_knee_measure(skl_knee_path *path) {
    double f[PIECES + 1];
    int least = 0, most = 0;
    for (int i = 0; i <= PIECES; i++) {
        f[i] = distance_at(path, node(path, i), NULL);
        if (f[i] < f[least]) least = i;
        if (f[i] > f[most]) most = i;
    }
    const int i = least, j = most;
    path->at_least = valley(path, node(path, i > 0 ? i - 1 : 0), node(path, i < PIECES ? i + 1 : i), NULL, 1);
    path->at_most = valley(path, node(path, j > 0 ? j - 1 : 0), node(path, j < PIECES ? j + 1 : j), NULL, -1);
    path->least = distance_at(path, path->at_least, NULL);
    path->most = distance_at(path, path->at_most, NULL);
}

/* The root between two angles at which distance - wanted, f and g, has different signs: false position, halving the end
 * that stays (the Illinois rule). */
static double root(const skl_knee_path *path, double wanted, double a, double b, double f, double g) {
    double x = a;
    for (int i = 0; i < ROOT_STEPS && fabs(b - a) > 1e-16 * (1 + fabs(a)); i++) {
        x = i % 4 == 3 ? 0.5 * (a + b) : (a * g - b * f) / (g - f);
        const double h = distance_at(path, x, NULL) - wanted;
        if (fabs(h) <= 1e-16 * wanted) return x;
        if ((h > 0) == (g > 0)) {
            b = x, g = h;
            f *= 0.5;
        } else {
            a = b, f = g;
            b = x, g = h;
        }
    }
    return x;
}

double skl_knee_at_distance(const skl_knee_path *path, double distance, double hint) {
    if (!(distance < path->most)) return path->at_most;
    if (!(distance > path->least)) return path->at_least;
    double nodes[NODES], best = path->at_most, before = 0;
    for (int i = 0; i <= PIECES; i++) nodes[i] = node(path, i);
    nodes[PIECES + 1] = path->at_least;
    nodes[PIECES + 2] = path->at_most;
    for (int i = PIECES + 1; i < NODES; i++)
        for (int k = i; k > 0 && nodes[k] < nodes[k - 1]; k--) {
            const double other = nodes[k];
            nodes[k] = nodes[k - 1];
            nodes[k - 1] = other;
        }
    int found = 0;
    for (int i = 0; i < NODES; i++) {
        const double f = distance_at(path, nodes[i], NULL) - distance;
        if (i > 0 && (f > 0) != (before > 0)) {
            const double x = root(path, distance, nodes[i - 1], nodes[i], before, f);
            if (!found || fabs(x - hint) < fabs(best - hint)) best = x;
            found = 1;
        }
        before = f;
    }
    return best;
}

double skl_knee_nearest(const skl_knee_path *path, const double point[3], double angle) {
    const double around = 0.25;
    const double low = fmax(path->low, angle - around), high = fmin(path->high, angle + around);
    return low < high ? valley(path, low, high, point, 1) : angle;
}
