/* SPDX-License-Identifier: MIT */
#include "limb_descent.h"

#include <math.h>
#include "core/transforms/vector3.h"

enum { MOST_STEPS = 40, NUMBERS = 4 };

/* The bounds of twist and bend; without one they are huge. */
typedef struct bounds {
    double low[2], high[2];
} bounds;

void skl_limb_search_begin(skl_limb_search *s) {
    if (s->path->limit) return;
    skl_m3_transform(s->back, s->path->centre, s->centre);
    skl_m3_transform(s->back, s->path->cosine, s->cosine);
    skl_m3_transform(s->back, s->path->sine, s->sine);
}

static bounds bounds_of(const skl_limb_search *s) {
    const double none = 1e9;
    bounds b = {{s->limit->twist[0], s->path->low}, {s->limit->twist[1], s->path->high}};
    for (int k = 0; k < 2; k++)
        if (b.high[k] - b.low[k] > 2 * SKL_PI - 1e-12) b.low[k] = -none, b.high[k] = none;
    return b;
}

/* cos x, sin x / x, (1 - cos x) / x^2 as functions of x^2, with their first and second derivatives. */
static void swing_functions(double square, double f[3][3]) {
    if (square < 0.05) {
        const double z = square;
        f[2][0] = 0.5 - z / 24 * (1 - z / 30 * (1 - z / 56 * (1 - z / 90 * (1 - z / 132))));
        f[2][1] = -1.0 / 24 + z / 360 * (1 - z * 3 / 112 * (1 - z * 2 / 135 * (1 - z / 105.6)));
        f[2][2] = 1.0 / 360 - z / 6720 * (1 - z / 45 * (1 - z / 79.2));
    } else {
        const double x = sqrt(square), co = cos(x), si = sin(x) / x;
        f[2][0] = (1 - co) / square;
        f[2][1] = (0.5 * si - f[2][0]) / square;
        f[2][2] = (0.25 * (co - si) / square - 2 * f[2][1]) / square;
    }
    /* cos = 1 - z C, and sin x / x = 2 C + 2 z C' */
    f[0][0] = 1 - square * f[2][0];
    f[1][0] = 2 * (f[2][0] + square * f[2][1]);
    f[0][1] = -0.5 * f[1][0];
    f[1][1] = 4 * f[2][1] + 2 * square * f[2][2];
    f[0][2] = -0.5 * f[1][1];
    f[1][2] = square < 0.05 ? 1.0 / 60 - square / 840 : (f[0][1] - 3 * f[1][1]) / (2 * square);
}

void skl_turn_back(const double swing[2], const double d[3], skl_turned_back *t) {
    const double a = swing[0], b = swing[1], along = a * d[0] + b * d[1], line[3] = {a, b, 0};
    *t = (skl_turned_back){.along = along,
                           .cross = {b * d[2], -a * d[2], a * d[1] - b * d[0]},
                           .by_cross = {{0, -d[2], d[1]}, {d[2], 0, -d[0]}}};
    swing_functions(a * a + b * b, t->f);
    const double (*f)[3] = (const double (*)[3])t->f;
    for (int k = 0; k < 3; k++) {
        const double change = f[0][1] * d[k] - f[1][1] * t->cross[k] + f[2][1] * along * line[k];
        t->y[k] = f[0][0] * d[k] - f[1][0] * t->cross[k] + f[2][0] * along * line[k];
        for (int i = 0; i < 2; i++)
            t->first[i][k] =
                2 * swing[i] * change - f[1][0] * t->by_cross[i][k] + f[2][0] * (d[i] * line[k] + (k == i ? along : 0));
    }
}

/* The products of q and the second derivatives of y: by 00, 01, 11. */
static void second_products(const skl_turned_back *t, const double swing[2], const double d[3], const double q[3],
                            double out[3]) {
    const double a = swing[0], b = swing[1], qd = skl_v3_dot(q, d), qc = skl_v3_dot(q, t->cross),
                 ql = a * q[0] + b * q[1];
    double square[3], by[2]; /* derivatives with the swing's square; and of the first of them with the two numbers */
    for (int n = 1; n < 3; n++) square[n] = t->f[0][n] * qd - t->f[1][n] * qc + t->f[2][n] * t->along * ql;
    for (int i = 0; i < 2; i++)
        by[i] = t->f[2][1] * (d[i] * ql + t->along * q[i]) - t->f[1][1] * skl_v3_dot(q, t->by_cross[i]);
    out[0] = 2 * square[1] + 4 * a * by[0] + 4 * a * a * square[2] + 2 * t->f[2][0] * d[0] * q[0];
    out[1] = 2 * (a * by[1] + b * by[0]) + 4 * a * b * square[2] + t->f[2][0] * (d[0] * q[1] + d[1] * q[0]);
    out[2] = 2 * square[1] + 4 * b * by[1] + 4 * b * b * square[2] + 2 * t->f[2][0] * d[1] * q[1];
}

/* Half the squared distance, its slope and curvature: by the numbers of the swing's path (`swings` of them), twist,
 * bend. */
typedef struct local_shape {
    double value, slope[NUMBERS], curve[NUMBERS][NUMBERS];
    double outwards; /* slope along the swing itself, for leaving the rim */
    int swings;
} local_shape;

/* How the swing changes with its numbers. */
typedef struct swing_path {
    int count, rim;
    double first[2][2], second[2];
} swing_path;

static swing_path path_of(const skl_joint_limit *limit, const double swing[2], int rim) {
    const double x = limit->swing[0], y = limit->swing[1];
    swing_path w = {0, rim, {{0, 0}, {0, 0}}, {0, 0}};
    if (rim) {
        w.count = 1;
        w.first[0][0] = -x * swing[1] / y;
        w.first[0][1] = y * swing[0] / x;
        w.second[0] = -swing[0];
        w.second[1] = -swing[1];
        return w;
    }
    if (x > 0) w.first[w.count++][0] = x;
    if (y > 0) w.first[w.count++][1] = y;
    return w;
}

/* Hip to end after the twist, and its first and second derivative by the bend. */
static void end_after_twist(const skl_limb_search *s, const skl_limb_numbers *pose, double q[3][3]) {
    const double c = cos(pose->twist), si = sin(pose->twist);
    double w[3][3];
    if (s->path->limit) {
        double end[3][3];
        skl_knee_derivatives(s->path, pose->bend, end[0], end[1], end[2]);
        for (int i = 0; i < 3; i++) skl_m3_transform(s->back, end[i], w[i]);
    } else {
        const double cb = cos(pose->bend), sb = sin(pose->bend);
        for (int k = 0; k < 3; k++) {
            w[2][k] = -cb * s->cosine[k] - sb * s->sine[k];
            w[1][k] = cb * s->sine[k] - sb * s->cosine[k];
            w[0][k] = s->centre[k] - w[2][k];
        }
    }
    for (int i = 0; i < 3; i++) {
        q[i][0] = c * w[i][0] - si * w[i][1];
        q[i][1] = si * w[i][0] + c * w[i][1];
        q[i][2] = w[i][2];
    }
}

static void look(const skl_limb_search *s, const skl_limb_numbers *pose, const swing_path *path, local_shape *shape) {
    double q[3][3], off[3], turned[3], turned_bend[3];
    skl_turned_back t;
    skl_turn_back(pose->swing, s->goal, &t);
    end_after_twist(s, pose, q);
    for (int k = 0; k < 3; k++) {
        off[k] = q[0][k] - t.y[k];
        turned[k] = k == 0 ? -q[0][1] : k == 1 ? q[0][0] : 0;
        turned_bend[k] = k == 0 ? -q[1][1] : k == 1 ? q[1][0] : 0;
    }
    const int n = path->count, twist = n, bend = n + 1;
    shape->swings = n;
    shape->value = 0.5 * skl_v3_dot(off, off);
    const double by_swing[2] = {-skl_v3_dot(off, t.first[0]), -skl_v3_dot(off, t.first[1])};
    shape->outwards = by_swing[0] * pose->swing[0] + by_swing[1] * pose->swing[1];
    double first[2][3], second[3];
    second_products(&t, pose->swing, s->goal, q[0], second);
    for (int i = 0; i < n; i++) {
        const double *a = path->first[i];
        for (int k = 0; k < 3; k++) first[i][k] = a[0] * t.first[0][k] + a[1] * t.first[1][k];
        shape->slope[i] = -skl_v3_dot(off, first[i]);
        shape->curve[i][twist] = -skl_v3_dot(turned, first[i]);
        shape->curve[i][bend] = -skl_v3_dot(q[1], first[i]);
        for (int j = 0; j <= i; j++) {
            const double *b = path->first[j];
            double sum = -(a[0] * b[0] * second[0] + (a[0] * b[1] + a[1] * b[0]) * second[1] + a[1] * b[1] * second[2]);
            if (path->rim) sum += path->second[0] * by_swing[0] + path->second[1] * by_swing[1];
            shape->curve[j][i] = sum;
        }
    }
    shape->slope[twist] = skl_v3_dot(off, turned);
    shape->slope[bend] = skl_v3_dot(off, q[1]);
    shape->curve[twist][twist] = q[0][0] * t.y[0] + q[0][1] * t.y[1];
    shape->curve[twist][bend] = -skl_v3_dot(turned_bend, t.y);
    shape->curve[bend][bend] = skl_v3_dot(q[1], q[1]) + skl_v3_dot(off, q[2]);
    for (int i = 0; i < n + 2; i++)
        for (int j = 0; j < i; j++) shape->curve[i][j] = shape->curve[j][i];
}

/* The step to where slope + curve @ step = 0 of the numbers that are free, with `damping` on the diagonal; 0 if the
 * matrix is not positive. */
static int newton_step(const local_shape *shape, const int fixed[NUMBERS], double damping, double step[NUMBERS]) {
    const int n = shape->swings + 2;
    double l[NUMBERS][NUMBERS];
    for (int i = 0; i < n; i++) {
        double rest = fixed[i] ? 0 : -shape->slope[i];
        for (int j = 0; j <= i; j++) {
            double sum = fixed[i] || fixed[j] ? (i == j) : shape->curve[i][j] + (i == j ? damping : 0);
            for (int k = 0; k < j; k++) sum -= l[i][k] * l[j][k];
            if (i == j) {
                if (!(sum > 1e-3 * damping)) return 0;
                l[i][i] = sqrt(sum);
            } else {
                l[i][j] = sum / l[j][j];
                rest -= l[i][j] * step[j];
            }
        }
        step[i] = rest / l[i][i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) step[i] -= l[k][i] * step[k];
        step[i] /= l[i][i];
    }
    return 1;
}

/* The numbers after a step, back inside of the bounds. Returns 1 if the swing is on the rim. */
static int moved(const skl_limb_search *s, const bounds *b, const skl_limb_numbers *pose, const swing_path *path,
                 const double step[NUMBERS], skl_limb_numbers *out) {
    const double *most = s->limit->swing;
    *out = *pose;
    int rim = path->rim;
    if (rim) {
        const double co = cos(step[0]), si = sin(step[0]);
        const double x = pose->swing[0] / most[0], y = pose->swing[1] / most[1];
        const double u = co * x - si * y, v = si * x + co * y, size = sqrt(u * u + v * v);
        out->swing[0] = most[0] * u / size;
        out->swing[1] = most[1] * v / size;
    } else {
        double part[2] = {0, 0};
        for (int k = 0; k < 2; k++) {
            for (int i = 0; i < path->count; i++) out->swing[k] += path->first[i][k] * step[i];
            part[k] = most[k] > 0 ? out->swing[k] / most[k] : 0;
        }
        const double size = sqrt(part[0] * part[0] + part[1] * part[1]);
        if (size > 1) {
            for (int k = 0; k < 2; k++) out->swing[k] = most[k] * part[k] / size;
            rim = path->count == 2;
        }
    }
    out->twist = fmin(fmax(pose->twist + step[path->count], b->low[0]), b->high[0]);
    out->bend = fmin(fmax(pose->bend + step[path->count + 1], b->low[1]), b->high[1]);
    return rim;
}

/* Which numbers a bound holds: they are at it, and the slope leads out. */
static void held(const skl_limb_search *s, const bounds *b, const skl_limb_numbers *pose, const swing_path *path,
                 const local_shape *shape, int fixed[NUMBERS]) {
    const double at[2] = {pose->twist, pose->bend};
    for (int k = 0; k < 2; k++) {
        const double slope = shape->slope[path->count + k];
        fixed[path->count + k] = (at[k] <= b->low[k] && slope >= 0) || (at[k] >= b->high[k] && slope <= 0);
    }
    for (int i = 0; i < path->count; i++) fixed[i] = 0;
    if (path->count == 1 && !path->rim) {
        const int axis = s->limit->swing[0] > 0 ? 0 : 1;
        const double size = pose->swing[axis] / s->limit->swing[axis];
        fixed[0] = (size <= -1 && shape->slope[0] >= 0) || (size >= 1 && shape->slope[0] <= 0);
    }
}

int skl_limb_same_valley(const skl_limb_numbers *p, const skl_limb_numbers *q) {
    const double near = 0.05;
    return fabs(p->swing[0] - q->swing[0]) < near && fabs(p->swing[1] - q->swing[1]) < near &&
           fabs(p->twist - q->twist) < near && fabs(p->bend - q->bend) < near;
}

/* 1 if a pose has come to one of those, and then is that one. */
static int arrived(const skl_limb_numbers *found, int count, skl_limb_numbers *pose) {
    for (int i = 0; i < count; i++)
        if (skl_limb_same_valley(pose, &found[i])) {
            *pose = found[i];
            return 1;
        }
    return 0;
}

void skl_limb_descend(const skl_limb_search *s, double enough, double least, const skl_limb_numbers *found, int count,
                      skl_limb_numbers *pose) {
    const bounds b = bounds_of(s);
    const double *most = s->limit->swing;
    const int round = most[0] > 0 && most[1] > 0;
    const double part[2] = {round ? pose->swing[0] / most[0] : 0, round ? pose->swing[1] / most[1] : 0};
    int rim = round && part[0] * part[0] + part[1] * part[1] > 1 - 1e-9, fixed[NUMBERS];
    double damping = 1e-9;
    swing_path path = path_of(s->limit, pose->swing, rim);
    local_shape shape, next_shape;
    look(s, pose, &path, &shape);
    for (int i = 0; i < MOST_STEPS && shape.value > 1e-31; i++) {
        double step[NUMBERS], largest = 0;
        if (rim && shape.outwards > 1e-12) {
            rim = 0; /* the way in is downhill */
            path = path_of(s->limit, pose->swing, 0);
            look(s, pose, &path, &shape);
        }
        held(s, &b, pose, &path, &shape, fixed);
        for (int k = 0; k < 40 && !newton_step(&shape, fixed, damping, step); k++) damping = fmax(8 * damping, 1e-2);
        for (int k = 0; k < shape.swings + 2; k++) largest = fmax(largest, fabs(step[k]));
        double gain = 0;
        for (int k = 0; k < shape.swings + 2; k++) gain -= shape.slope[k] * step[k];
        if (damping < 1e-6 && largest < 1 && 2 * (shape.value - gain) > least * least) break;
        if (largest > 1)
            for (int k = 0; k < shape.swings + 2; k++) step[k] /= largest;
        skl_limb_numbers next;
        const int next_rim = moved(s, &b, pose, &path, step, &next);
        const swing_path next_path = path_of(s->limit, next.swing, next_rim);
        look(s, &next, &next_path, &next_shape);
        if (next_shape.value <= shape.value) {
            const int settled = largest < enough && damping < 1e-6;
            *pose = next;
            rim = next_rim;
            path = next_path;
            shape = next_shape;
            damping = fmax(damping > 1e-3 ? 0.25 * damping : 1e-3 * damping, 1e-9);
            if (settled) break;
            if (arrived(found, count, pose)) return;
        } else {
            if (largest < 1e-9) break; /* rounding */
            damping = fmax(8 * damping, 1e-2);
        }
    }
    pose->miss = sqrt(2 * shape.value);
}
