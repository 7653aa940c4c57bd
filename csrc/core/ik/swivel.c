/* SPDX-License-Identifier: MIT */
#include "swivel.h"

#include <math.h>
#include <string.h>

#include "core/transforms/vector3.h"

/* Places on the whole circle that are looked at, steps to a boundary, and into a valley between places. */
enum { PLACES = 28, EDGE_STEPS = 40, VALLEY_STEPS = 6 };

/* This little outside is inside: rounding. */
static const double ROUNDING = 2e-15;

void skl_swivel_begin(skl_swivel *s, const skl_joint_limit *limit, const skl_m3 axes) {
    skl_m3 proper;
    double q[4];
    s->limit = *limit;
    skl_limit_widen(&s->limit);
    skl_limit_rotation(limit, axes, proper, q);
    skl_m3_transpose(limit->rest, s->left);
    skl_m3_multiply(proper, limit->frame, s->right);
}

void skl_swivel_rotation(const skl_swivel *s, const skl_m3 turn, double q[4]) {
    skl_m3 part, whole;
    skl_m3_multiply(s->left, turn, part);
    skl_m3_multiply(part, s->right, whole);
    skl_m3_to_quaternion(whole, q);
}

void skl_swivel_turn(const skl_swivel *s, const double q[4], skl_m3 turn) {
    skl_m3 now, left, back, product;
    skl_m3_from_quaternion(q, now);
    skl_m3_transpose(s->left, left);
    skl_m3_transpose(s->right, back);
    skl_m3_multiply(left, now, product);
    skl_m3_multiply(product, back, turn);
}

void skl_swivel_by(const double axis[3], double angle, const skl_m3 turn, skl_m3 out) {
    const double s = sin(0.5 * angle), q[4] = {cos(0.5 * angle), s * axis[0], s * axis[1], s * axis[2]};
    skl_m3 about;
    skl_m3_from_quaternion(q, about);
    skl_m3_multiply(about, turn, out);
}

/* A swivel as it looks in the limit's frame: q = cos(angle / 2) start + sin(angle / 2) across, and the limit's axis
 * goes to centre + cos(angle) cosine + sin(angle) sine. */
typedef struct circle {
    double start[4], across[4];
    double centre[3], cosine[3], sine[3];
    double swing[2]; /* bounds */
} circle;

static void begin_circle(const skl_swivel *s, const double axis[3], const skl_m3 turn, circle *c) {
    double n[3], *q = c->start, *r = c->across;
    skl_m3_transform(s->left, axis, n);
    skl_swivel_rotation(s, turn, q);
    r[0] = -(n[0] * q[1] + n[1] * q[2] + n[2] * q[3]);
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        r[k + 1] = q[0] * n[k] + n[i] * q[j + 1] - n[j] * q[i + 1];
    }
    const double p[3] = {2 * (q[1] * q[3] + q[0] * q[2]), 2 * (q[2] * q[3] - q[0] * q[1]),
                         1 - 2 * (q[1] * q[1] + q[2] * q[2])};
    const double along = n[0] * p[0] + n[1] * p[1] + n[2] * p[2];
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        c->centre[k] = along * n[k];
        c->cosine[k] = p[k] - c->centre[k];
        c->sine[k] = n[i] * p[j] - n[j] * p[i];
    }
    c->swing[0] = s->limit.swing[0];
    c->swing[1] = s->limit.swing[1];
}

/* How far out the swing is, less 1: 0 on the boundary. */
static double swing_beyond(const circle *c, double angle) {
    const double co = cos(angle), si = sin(angle);
    double p[3];
    for (int k = 0; k < 3; k++) p[k] = c->centre[k] + co * c->cosine[k] + si * c->sine[k];
    /* The swing turns about (-p1, p0), by the angle between p and the axis. */
    const double size = sqrt(p[0] * p[0] + p[1] * p[1]), x = p[1] / c->swing[0], y = p[0] / c->swing[1];
    if (!(size > 1e-150)) return p[2] > 0 ? -1 : SKL_PI / fmax(c->swing[0], c->swing[1]) - 1;
    return atan2(size, p[2]) / size * sqrt(x * x + y * y) - 1;
}

/* Where the twist is allowed, in half turns of the swivel: from `low` on, for `length`. Along a circle the twist only
 * grows, or only falls. */
static int twist_range(const skl_joint_limit *limit, const circle *c, double *low, double *length) {
    const double middle = 0.25 * (limit->twist[0] + limit->twist[1]), most = 0.25 * (limit->twist[1] - limit->twist[0]);
    *low = -SKL_PI;
    *length = 2 * SKL_PI;
    if (!(most < 0.5 * SKL_PI)) return 1;
    const double cm = cos(middle), sm = sin(middle), cw = cos(most), sw = sin(most);
    const double *q = c->start, *r = c->across;
    /* Half the twist, from its middle, is atan2(y, x) of two sums that are linear in cosine and sine. */
    const double x0 = q[0] * cm + q[3] * sm, x1 = r[0] * cm + r[3] * sm;
    const double y0 = q[3] * cm - q[0] * sm, y1 = r[3] * cm - r[0] * sm;
    const double grows = x0 * y1 - x1 * y0;
    const double under = 2 * atan2(-(y0 * cw + x0 * sw), y1 * cw + x1 * sw);
    const double over = 2 * atan2(-(y0 * cw - x0 * sw), y1 * cw - x1 * sw);
    if (fabs(grows) < 1e-14) return fabs(y0) * cw <= fabs(x0) * sw + ROUNDING;
    *low = grows > 0 ? under : over;
    *length = remainder((grows > 0 ? over : under) - *low, 2 * SKL_PI);
    if (*length < (most < 0.25 * SKL_PI ? -1e-12 : 0.0)) *length += 2 * SKL_PI;
    *length = fmax(*length, 0);
    return 1;
}

/* The end, inside, of what is inside between an angle outside and one inside: false position with halving (the Illinois
 * rule), now and then in the middle. */
static double edge(const circle *c, double outside, double inside, double beyond, double within) {
    double f = beyond, g = within;
    for (int i = 0; i < EDGE_STEPS && fabs(outside - inside) > 1e-15; i++) {
        const double x = i % 6 == 5 ? 0.5 * (outside + inside) : (outside * g - inside * f) / (g - f);
        const double h = swing_beyond(c, x);
        if (h <= 0 && h > -1e-15) return x;
        if (h > 0) {
            outside = x, f = h;
            g *= 0.5;
        } else {
            inside = x, g = h;
            f *= 0.5;
        }
    }
    return inside;
}

/* Between three places of which the middle one is least: an angle inside, if there is one, by parabolas. */
static int valley(const circle *c, double x[3], double f[3], double *ground, double *value) {
    for (int i = 0; i < VALLEY_STEPS; i++) {
        const double a = (x[1] - x[0]) * (f[1] - f[2]), b = (x[1] - x[2]) * (f[1] - f[0]);
        const double at = x[1] - 0.5 * ((x[1] - x[0]) * a - (x[1] - x[2]) * b) / (a - b);
        if (!(fabs(at - x[1]) > 1e-9) || !(at > x[0]) || !(at < x[2])) break;
        const double now = swing_beyond(c, at);
        const int right = at > x[1], better = now < f[1];
        if (better) {
            const int from = right ? 0 : 2;
            x[from] = x[1], f[from] = f[1];
            x[1] = at, f[1] = now;
        } else {
            x[right ? 2 : 0] = at, f[right ? 2 : 0] = now;
        }
        if (f[1] <= ROUNDING) break;
    }
    *ground = x[1];
    *value = f[1];
    return f[1] <= ROUNDING;
}

/* Walk from one angle to another, until the swing is inside: 1, and that angle. */
static int walk(const circle *c, double from, double to, double *angle) {
    const double length = fabs(to - from);
    const int steps = 1 + (int)(length * PLACES / (2 * SKL_PI));
    double x[3] = {0, 0, from}, f[3] = {INFINITY, INFINITY, swing_beyond(c, from)};
    for (int i = 0;; i++) {
        double ground = x[2], value = f[2];
        int inside = value <= ROUNDING;
        if (!inside && i > 1 && f[1] <= f[0] && f[1] <= f[2] && f[1] < 0.5) {
            const int forth = to > from;
            double places[3] = {x[forth ? 0 : 2], x[1], x[forth ? 2 : 0]};
            double values[3] = {f[forth ? 0 : 2], f[1], f[forth ? 2 : 0]};
            inside = valley(c, places, values, &ground, &value);
        }
        if (inside) {
            *angle = ground;
            const int from_ground = fabs(ground - x[2]) > 0;
            const double out = from_ground ? x[0] : x[1], beyond = from_ground ? f[0] : f[1];
            if (i > 0) *angle = edge(c, out, ground, beyond, value);
            return 1;
        }
        if (i == steps) return 0;
        x[0] = x[1], f[0] = f[1];
        x[1] = x[2], f[1] = f[2];
        x[2] = i + 1 == steps ? to : from + (to - from) * (i + 1) / steps;
        f[2] = swing_beyond(c, x[2]);
    }
}

int skl_swivel_inside(const skl_swivel *s, const double axis[3], const skl_m3 turn, double *angle) {
    circle c;
    double low, length, chosen = 4;
    begin_circle(s, axis, turn, &c);
    *angle = 0;
    if (!(c.swing[0] > 0) || !(c.swing[1] > 0)) return 0;
    /* Nowhere as near to the axis as the longer half of the ellipse lets it. */
    const double nearest = c.centre[2] + sqrt(c.cosine[2] * c.cosine[2] + c.sine[2] * c.sine[2]);
    if (nearest < cos(fmax(c.swing[0], c.swing[1])) - 1e-9) return 0;
    if (!twist_range(&s->limit, &c, &low, &length)) return 0;
    /* The pieces of the range on both sides of no swivel, each walked away from it. */
    for (int turns = -1; turns <= 1; turns++) {
        const double begin = low + 2 * SKL_PI * turns, end = begin + length;
        double at;
        if (end >= 0 && begin <= SKL_PI && walk(&c, fmax(begin, 0), fmin(end, SKL_PI), &at) && at < fabs(chosen))
            chosen = at;
        if (begin < 0 && end >= -SKL_PI && walk(&c, fmin(end, 0), fmax(begin, -SKL_PI), &at) && -at < fabs(chosen))
            chosen = at;
    }
    if (chosen > 3.5) return 0;
    *angle = chosen;
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
