/* SPDX-License-Identifier: MIT */
#include "swivel.h"

#include <math.h>
#include <string.h>

#include "limb.h"

static const double PI = 3.14159265358979323846, GOLDEN = 0.61803398874989484820;

enum { PLACES = 72, STEPS = 48 };

/* This little outside is inside: rounding. */
static const double ROUNDING = 2e-15;

void skl_swivel_begin(skl_swivel *s, const skl_joint_limit *limit, const skl_m3 axes) {
    double q[4];
    s->limit = *limit;
    skl_limit_widen(&s->limit);
    skl_limit_rotation(limit, axes, s->proper, q);
    skl_m3_transpose(limit->rest, s->left);
    skl_m3_multiply(s->proper, limit->frame, s->right);
}

static void in_frame(const skl_swivel *s, const skl_m3 turn, double q[4]) {
    skl_m3 part, whole;
    skl_m3_multiply(s->left, turn, part);
    skl_m3_multiply(part, s->right, whole);
    skl_m3_to_quaternion(whole, q);
}

static void out_of_frame(const skl_swivel *s, const double q[4], skl_m3 out) {
    skl_m3 now, left, back, product;
    skl_m3_from_quaternion(q, now);
    skl_m3_transpose(s->left, left);
    skl_m3_transpose(s->right, back);
    skl_m3_multiply(left, now, product);
    skl_m3_multiply(product, back, out);
}

double skl_swivel_excess(const skl_swivel *s, const skl_m3 turn) {
    double q[4];
    in_frame(s, turn, q);
    return skl_limit_excess(&s->limit, q) - ROUNDING;
}

void skl_swivel_nearest(const skl_swivel *s, const skl_m3 turn, skl_m3 out) {
    double q[4], inside[4];
    in_frame(s, turn, q);
    (void)skl_limit_nearest(&s->limit, q, inside);
    out_of_frame(s, inside, out);
}

void skl_swivel_sample(const skl_swivel *s, int number, skl_m3 out) {
    const double twist = 0.5 * (number % 3), place = 2 * PI * (number / 3 % 8) / 8, part = number / 24 / 3.0;
    const double swing[2] = {part * s->limit.swing[0] * cos(place), part * s->limit.swing[1] * sin(place)};
    const double half = 0.5 * (s->limit.twist[0] + twist * (s->limit.twist[1] - s->limit.twist[0]));
    double q[4];
    skl_limit_compose(swing, half, q);
    out_of_frame(s, q, out);
}

void skl_swivel_by(const double axis[3], double angle, const skl_m3 turn, skl_m3 out) {
    const double s = sin(0.5 * angle), q[4] = {cos(0.5 * angle), s * axis[0], s * axis[1], s * axis[2]};
    skl_m3 about;
    skl_m3_from_quaternion(q, about);
    skl_m3_multiply(about, turn, out);
}

static double excess_at(const skl_swivel *s, const double axis[3], const skl_m3 turn, double angle) {
    skl_m3 turned;
    skl_swivel_by(axis, angle, turn, turned);
    return skl_swivel_excess(s, turned);
}

/* The end, inside, of what is inside between an angle outside and one inside. */
static double edge(const skl_swivel *s, const double axis[3], const skl_m3 turn, double outside, double inside) {
    for (int i = 0; i < STEPS + 8; i++) {
        const double middle = 0.5 * (outside + inside);
        if (excess_at(s, axis, turn, middle) > 0)
            outside = middle;
        else
            inside = middle;
    }
    return inside;
}

/* Where the excess is least between two angles. */
static double deepest(const skl_swivel *s, const double axis[3], const skl_m3 turn, double low, double high) {
    double x = high - GOLDEN * (high - low), y = low + GOLDEN * (high - low);
    double fx = excess_at(s, axis, turn, x), fy = excess_at(s, axis, turn, y);
    for (int i = 0; i < STEPS; i++) {
        if (fx <= fy) {
            if (fx <= 0) return x;
            high = y, y = x, fy = fx;
            x = high - GOLDEN * (high - low);
            fx = excess_at(s, axis, turn, x);
        } else {
            if (fy <= 0) return y;
            low = x, x = y, fx = fy;
            y = low + GOLDEN * (high - low);
            fy = excess_at(s, axis, turn, y);
        }
    }
    return 0.5 * (low + high);
}

int skl_swivel_inside(const skl_swivel *s, const double axis[3], const skl_m3 turn, double *angle) {
    const double step = 2 * PI / PLACES;
    double f[PLACES], best = 4, least = INFINITY;
    *angle = 0;
    for (int i = 0; i < PLACES; i++) f[i] = excess_at(s, axis, turn, i * step);
    if (f[0] <= 0) return 1;
    for (int i = 0; i < PLACES; i++) {
        const int before = (i + PLACES - 1) % PLACES, after = (i + 1) % PLACES;
        if (f[i] > f[before] || f[i] > f[after]) continue;
        /* A valley: its ground is inside or not; if it is, its sides are the candidates. */
        const double x = f[i] <= 0 ? i * step : deepest(s, axis, turn, (i - 1) * step, (i + 1) * step);
        const double ground = f[i] <= 0 ? f[i] : excess_at(s, axis, turn, x);
        if (ground < least && best > 3.9) {
            least = ground;
            *angle = remainder(x, 2 * PI);
        }
        if (ground > 0) continue;
        for (int side = -1; side <= 1; side += 2) {
            double inside = x, outside = x;
            for (int k = 0; k < PLACES && excess_at(s, axis, turn, outside) <= 0; k++) {
                inside = outside;
                outside += side * step;
            }
            const double found = remainder(edge(s, axis, turn, outside, inside), 2 * PI);
            if (fabs(found) < fabs(best)) best = found;
        }
    }
    if (best > 3.9) return 0;
    *angle = best;
    return 1;
}

void skl_swivel_aim(const double from[3], const double to[3], const skl_m3 turn, skl_m3 out) {
    double a[3], n[3];
    const double lf = skl_length(from), lt = skl_length(to);
    memcpy(out, turn, 9 * sizeof *out);
    if (!(lf > 0) || !(lt > 0)) return;
    double cosine = 0;
    for (int k = 0; k < 3; k++) {
        a[k] = from[k] / lf;
        n[k] = to[k] / lt;
        cosine += a[k] * n[k];
    }
    double v[3];
    for (int k = 0; k < 3; k++) v[k] = a[(k + 1) % 3] * n[(k + 2) % 3] - a[(k + 2) % 3] * n[(k + 1) % 3];
    double size = skl_length(v);
    const double angle = atan2(size, cosine);
    if (!(size > 1e-300)) {
        if (cosine > 0) return;
        /* Opposite: about the second axis of the turn, or what of it lies across. */
        int least = 0;
        for (int k = 1; k < 3; k++)
            if (fabs(a[k]) < fabs(a[least])) least = k;
        for (int k = 0; k < 3; k++) v[k] = (k == least) - a[least] * a[k];
        size = skl_length(v);
    }
    for (int k = 0; k < 3; k++) v[k] /= size;
    skl_swivel_by(v, angle, turn, out);
}
