/* SPDX-License-Identifier: MIT */
#include "knee_path.h"

#include <math.h>
#include <string.h>

#include "core/transforms/vector3.h"

static const double GOLDEN = 0.61803398874989484820;

/* Of the square of the distance from the hip: its second harmonic beside the square of the radius where it is rounding
 * alone, and beside the first harmonic where it makes no valleys of its own (a quarter would be enough). */
static const double EVEN = 1e-13, ONE_VALLEY = 0.05;

/* Pieces of the range in which there is at most one answer. */
enum { PIECES = 48, NODES = PIECES + 3, GOLDEN_STEPS = 44, ROOT_STEPS = 100, EXTREME_STEPS = 8 };

static void finish(skl_knee_path *path) {
    skl_m3_multiply(path->above, path->left, path->carry);
    skl_m3_transform(path->right, path->shin, path->spun);
    const double *spun = path->spun, flat[3] = {spun[0], spun[1], 0}, across[3] = {-spun[1], spun[0], 0};
    const double along[3] = {0, 0, spun[2]};
    skl_m3_transform(path->carry, along, path->centre);
    skl_m3_transform(path->carry, flat, path->cosine);
    skl_m3_transform(path->carry, across, path->sine);
    for (int k = 0; k < 3; k++) path->centre[k] += path->u[k];
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
    skl_v3_cross(n, e, first);
    const double length = skl_length(first);
    for (int k = 0; k < 3; k++) first[k] /= length;
    skl_v3_cross(n, first, second);
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
    skl_v3_cross(thigh, shin, side);
    const double bent = atan2(skl_v3_dot(side, n), skl_v3_dot(thigh, shin));
    path->low = -bent;
    path->high = SKL_PI - bent;
}

void skl_knee_hinge(skl_knee_path *path, const skl_joint_limit *limit, const skl_m3 proper) {
    skl_m3 frame, back;
    memcpy(path->left, limit->rest, sizeof path->left);
    skl_m3_transpose(limit->frame, frame);
    skl_m3_transpose(proper, back);
    skl_m3_multiply(frame, back, path->right);
    path->limit = NULL;
    path->low = limit->twist[0];
    path->high = limit->twist[1] - limit->twist[0] > 2 * SKL_PI ? limit->twist[0] + 2 * SKL_PI : limit->twist[1];
    finish(path);
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
    if (path->limit) {
        skl_m3 turn;
        double v[3], w[3];
        skl_knee_turn(path, angle, turn);
        skl_m3_transform(turn, path->shin, w);
        skl_m3_transform(path->above, w, v);
        for (int k = 0; k < 3; k++) end[k] = path->u[k] + v[k];
        return;
    }
    const double c = cos(angle), s = sin(angle);
    for (int k = 0; k < 3; k++) end[k] = path->centre[k] + c * path->cosine[k] + s * path->sine[k];
}

void skl_knee_derivatives(const skl_knee_path *path, double angle, double end[3], double first[3], double second[3]) {
    if (path->limit) {
        /* What the limit makes of a bend has no formula. */
        const double by = 1e-4;
        double before[3], after[3];
        skl_knee_end(path, angle, end);
        skl_knee_end(path, angle - by, before);
        skl_knee_end(path, angle + by, after);
        for (int k = 0; k < 3; k++) {
            first[k] = (after[k] - before[k]) / (2 * by);
            second[k] = (after[k] - 2 * end[k] + before[k]) / (by * by);
        }
        return;
    }
    const double c = cos(angle), s = sin(angle);
    for (int k = 0; k < 3; k++) {
        second[k] = -c * path->cosine[k] - s * path->sine[k];
        first[k] = c * path->sine[k] - s * path->cosine[k];
        end[k] = path->centre[k] - second[k];
    }
}

static double distance_at(const skl_knee_path *path, double angle) {
    double end[3];
    skl_knee_end(path, angle, end);
    return skl_length(end);
}

/* The angle between two bounds where sign * distance is least, if there is one valley between them. */
static double valley(const skl_knee_path *path, double low, double high, double sign) {
    double x = high - GOLDEN * (high - low), y = low + GOLDEN * (high - low);
    double fx = sign * distance_at(path, x), fy = sign * distance_at(path, y);
    const double ends[2] = {low, high};
    for (int i = 0; i < GOLDEN_STEPS; i++) {
        if (fx <= fy) {
            high = y, y = x, fy = fx;
            x = high - GOLDEN * (high - low);
            fx = sign * distance_at(path, x);
        } else {
            low = x, x = y, fx = fy;
            y = low + GOLDEN * (high - low);
            fy = sign * distance_at(path, y);
        }
    }
    double best = 0.5 * (low + high), least = sign * distance_at(path, best);
    for (int i = 0; i < 2; i++) {
        const double value = sign * distance_at(path, ends[i]);
        if (value < least) least = value, best = ends[i];
    }
    return best;
}

static double node(const skl_knee_path *path, int i) {
    return i == PIECES ? path->high : path->low + (path->high - path->low) * i / PIECES;
}

/* The farthest or nearest point by Newton's steps from an angle next to it. */
static double extreme(const skl_knee_path *path, double angle) {
    for (int i = 0; i < EXTREME_STEPS; i++) {
        double end[3], first[3], second[3];
        skl_knee_derivatives(path, angle, end, first, second);
        const double step = skl_v3_dot(end, first) / (skl_v3_dot(first, first) + skl_v3_dot(end, second));
        angle -= step;
        if (!(fabs(step) > 1e-12)) break;
    }
    return angle;
}

/* Along all axes of the knee's parent the same scale, or so nearly the same that the square of the distance from the
 * hip, whose second harmonic that adds, has one farthest and one nearest point: those, on the whole circle. */
static int one_valley(skl_knee_path *path) {
    if (path->limit) return 0;
    const double *m = path->centre, *c = path->cosine, *s = path->sine, cc = skl_v3_dot(c, c), ss = skl_v3_dot(s, s);
    if (!(cc > 1e-100 && cc < 1e100)) return 0;
    const double x = 2 * skl_v3_dot(m, c), y = 2 * skl_v3_dot(m, s),
                 uneven = fabs(0.5 * (cc - ss)) + fabs(skl_v3_dot(c, s));
    path->middle = skl_v3_dot(m, m) + 0.5 * (cc + ss);
    path->swing = sqrt(x * x + y * y);
    path->phase = atan2(y, x);
    if (!(uneven <= EVEN * cc || uneven <= ONE_VALLEY * path->swing)) return 0;
    path->top = path->phase;
    path->bottom = path->phase + SKL_PI;
    if (uneven > EVEN * cc) {
        path->top = extreme(path, path->top);
        path->bottom = extreme(path, path->bottom);
    }
    return 1;
}

/* The angle of the path that is, but for whole turns, this one, else the end of the path that is nearest to it. */
static double in_range(const skl_knee_path *path, double angle) {
    const double middle = 0.5 * (path->low + path->high), half = 0.5 * (path->high - path->low);
    const double off = remainder(angle - middle, 2 * SKL_PI);
    return fabs(off) <= half ? middle + off : off > 0 ? path->high : path->low;
}

void skl_knee_measure(skl_knee_path *path) {
    path->one_valley = one_valley(path);
    if (path->one_valley) {
        path->at_most = in_range(path, path->top);
        path->at_least = in_range(path, path->bottom);
    } else {
        double f[PIECES + 1];
        int i = 0, j = 0;
        for (int k = 0; k <= PIECES; k++) {
            f[k] = distance_at(path, node(path, k));
            if (f[k] < f[i]) i = k;
            if (f[k] > f[j]) j = k;
        }
        path->at_least = valley(path, node(path, i > 0 ? i - 1 : 0), node(path, i < PIECES ? i + 1 : i), 1);
        path->at_most = valley(path, node(path, j > 0 ? j - 1 : 0), node(path, j < PIECES ? j + 1 : j), -1);
    }
    path->least = distance_at(path, path->at_least);
    path->most = distance_at(path, path->at_most);
}

/* The root between two angles at which distance - wanted, f and g, has different signs: false position, halving the end
 * that stays (the Illinois rule). */
static double root(const skl_knee_path *path, double wanted, double a, double b, double f, double g) {
    double x = a;
    for (int i = 0; i < ROOT_STEPS && fabs(b - a) > 1e-16 * (1 + fabs(a)); i++) {
        x = i % 4 == 3 ? 0.5 * (a + b) : (a * g - b * f) / (g - f);
        const double h = distance_at(path, x) - wanted;
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

/* Into the two angles nearest to the hint, the nearer first. */
static int keep(double angle, double hint, double angles[2], int count) {
    if (count > 0 && fabs(angle - hint) < fabs(angles[0] - hint)) {
        angles[1] = angles[0];
        angles[0] = angle;
    } else if (count < 2 || fabs(angle - hint) < fabs(angles[1] - hint)) {
        angles[count > 0] = angle;
    }
    return count < 2 ? count + 1 : 2;
}

/* By bracketing between the nodes and the two extremes. */
static int by_pieces(const skl_knee_path *path, double distance, double hint, double angles[2]) {
    double nodes[NODES], before = 0;
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
        const double f = distance_at(path, nodes[i]) - distance;
        if (i > 0 && (f > 0) != (before > 0))
            found = keep(root(path, distance, nodes[i - 1], nodes[i], before, f), hint, angles, found);
        before = f;
    }
    return found;
}

/* The angle on one side of the farthest point, 1 or -1: Newton's steps, or halves of what is left where those leave
 * it. */
static double on_side(const skl_knee_path *path, double distance, int side) {
    const double wanted = distance * distance, cosine = wanted - path->middle;
    const double away = 2 * atan2(sqrt(fmax(path->swing - cosine, 0)), sqrt(fmax(path->swing + cosine, 0)));
    const double down = remainder(path->bottom - path->top - side * SKL_PI, 2 * SKL_PI) + side * SKL_PI;
    double far = path->top, near = path->top + down, angle = path->phase + side * away;
    for (int i = 0; i < ROOT_STEPS; i++) {
        if ((angle - far) * (angle - near) > 0 || !isfinite(angle)) angle = 0.5 * (far + near);
        double end[3], first[3], second[3];
        skl_knee_derivatives(path, angle, end, first, second);
        const double off = skl_v3_dot(end, end) - wanted, step = off / (2 * skl_v3_dot(end, first));
        if (off > 0) far = angle;
        if (off < 0) near = angle;
        if (fabs(off) <= 4e-16 * wanted || fabs(near - far) <= 4e-16 * (1 + fabs(angle))) break;
        angle -= step;
        if (fabs(step) <= 1e-15) break;
    }
    return angle;
}

int skl_knee_at_distance(const skl_knee_path *path, double distance, double hint, double angles[2]) {
    int found = 0;
    angles[0] = distance < path->most ? path->at_least : path->at_most;
    if (!(distance < path->most) || !(distance > path->least)) return 1;
    if (!path->one_valley) {
        found = by_pieces(path, distance, hint, angles);
    } else {
        for (int side = -1; side <= 1; side += 2) {
            const double angle = in_range(path, on_side(path, distance, side));
            if (fabs(distance_at(path, angle) - distance) <= 1e-5 * path->most)
                found = keep(angle, hint, angles, found);
        }
    }
    return found > 0 ? found : 1;
}
