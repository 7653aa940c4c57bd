/* SPDX-License-Identifier: MIT */
#include "hinges.h"

#include "core/base/stop.h"
#include "core/base/smoothstep.h"
#include "core/ik/hinge_side.h"
#include "core/transforms/matrix3.h"
#include "core/transforms/turn.h"
#include "core/transforms/vector3.h"
#include "motion_constants.h"

#include <math.h>

static const double DEGREES = 180 / SKL_PI; /* of a radian */

typedef struct complex_number {
    double x, y;
} complex_number;

void skl_knee_angles(const skl_leg_motion *leg, double *out) {
    for (int64_t f = 0; f < leg->num_frames && skl_goes_on(f); f++) {
        double up[3], shin[3];
        skl_v3_minus(leg->hip + 3 * f, leg->knee + 3 * f, up);
        skl_v3_minus(leg->ankle + 3 * f, leg->knee + 3 * f, shin);
        out[f] = DEGREES * skl_flexion(up, shin);
    }
}

/* Thigh and shin of a frame in the thigh's own axes. */
static void bones_of(const skl_leg_motion *leg, const double *upper, int64_t f, skl_m3 axes, double thigh[3],
                     double shin[3]) {
    double v[3];
    skl_joint_axes(upper + 9 * f, axes);
    skl_v3_minus(leg->knee + 3 * f, leg->hip + 3 * f, v);
    skl_m3_transform_back(axes, v, thigh);
    skl_v3_minus(leg->ankle + 3 * f, leg->knee + 3 * f, v);
    skl_m3_transform_back(axes, v, shin);
}

/* The cross product of two directions, as long as the sine between them. */
static void unit_cross(const double a[3], const double b[3], double out[3]) {
    double u[3], v[3];
    (void)skl_unit(a, u);
    (void)skl_unit(b, v);
    skl_v3_cross(u, v, out);
}

/* Two unit vectors across a direction, and across each other. */
static void plane_across(const double direction[3], double plane[2][3]) {
    double unit[3], other[3] = {0};
    (void)skl_unit(direction, unit);
    int least = 0;
    for (int i = 1; i < 3; i++)
        if (fabs(unit[i]) < fabs(unit[least])) least = i;
    other[least] = 1;
    skl_v3_cross(unit, other, plane[0]);
    (void)skl_unit(plane[0], other);
    for (int i = 0; i < 3; i++) plane[0][i] = other[i];
    skl_v3_cross(unit, plane[0], plane[1]);
}

static complex_number in_plane(double plane[2][3], const double v[3]) {
    return (complex_number){skl_v3_dot(plane[0], v), skl_v3_dot(plane[1], v)};
}

static double size(complex_number z) { return sqrt(z.x * z.x + z.y * z.y); }

/* `by` times the number of twice the angle and the same size: opposite directions are the same axis. */
static complex_number doubled(complex_number z, double by) {
    const double length = fmax(size(z), SKL_TINY);
    return (complex_number){by * (z.x * z.x - z.y * z.y) / length, by * 2 * z.x * z.y / length};
}

/* Of a number of twice the angle, the direction of the angle itself, at most a right angle off 1. */
static complex_number halved(complex_number z) {
    const double half = 0.5 * atan2(z.y, z.x);
    return (complex_number){cos(half), sin(half)};
}

/* A number joins the largest ones, sorted from the largest down. */
static void join_largest(double largest[LARGEST_RANK], double number) {
    for (int i = 0; i < LARGEST_RANK; i++)
        if (number > largest[i]) {
            const double held = largest[i];
            largest[i] = number;
            number = held;
        }
}

/* The axis of a frame in the plane, of length 1, and what it counts. */
typedef struct frame_axis {
    complex_number unit;
    double weight;
} frame_axis;

/* The cross and the dot product of two axes. */
static double sine_off(complex_number axis, complex_number about) { return about.x * axis.y - about.y * axis.x; }

static double cosine_off(complex_number axis, complex_number about) { return about.x * axis.x + about.y * axis.y; }

/* The mean of twice the frames' angles, at most 1 long; frames near `about` count most, if it is given. Frames that
 * agree with it on which side is flexion make `agreement` 1, else down to -1. */
static complex_number mean_axis(const frame_axis *frames, int64_t count, const complex_number *about,
                                double *agreement) {
    complex_number sum = {0, 0};
    double total = SKL_TINY, agree = 0;
    for (int64_t f = 0; f < count && skl_goes_on(f); f++) {
        const complex_number z = frames[f].unit;
        double weight = frames[f].weight;
        if (about) {
            const double off = sine_off(z, *about) / OFF_AXIS;
            weight /= 1 + off * off;
            agree += weight * cosine_off(z, *about);
        }
        sum.x += weight * (z.x * z.x - z.y * z.y);
        sum.y += weight * 2 * z.x * z.y;
        total += weight;
    }
    *agreement = agree / total;
    return (complex_number){sum.x / total, sum.y / total};
}

/* What a leg's frames, its toes and its rest pose say of its axis, which lies across the thigh: there it is an angle.
 */
typedef struct evidence {
    double plane[2][3];
    frame_axis *frames;
    int64_t count;
    double most;
    complex_number toes, rest; /* as long as what they say, at most 1 */
} evidence;

/* The direction of a thigh in its own axes, which changes by no more than rounding and twist bones do; and the mean
 * axis that the toes show, 0 0 0 without. */
static void read_bones(const skl_leg_motion *leg, const double *upper, const double *forward, double along[3],
                       double toes[3]) {
    double thigh[3], shin[3], ahead[3], v[3];
    skl_m3 axes;
    for (int i = 0; i < 3; i++) along[i] = toes[i] = 0;
    for (int64_t f = 0; f < leg->num_frames && skl_goes_on(f); f++) {
        bones_of(leg, upper, f, axes, thigh, shin);
        (void)skl_unit(thigh, v);
        for (int i = 0; i < 3; i++) along[i] += v[i];
        if (!forward) continue;
        skl_m3_transform_back(axes, forward + 3 * f, ahead);
        unit_cross(ahead, shin, v);
        for (int i = 0; i < 3; i++) toes[i] += v[i] / (double)leg->num_frames;
    }
}

static void read_bends(const skl_leg_motion *leg, const double *upper, evidence *e) {
    double largest[LARGEST_RANK] = {0}, thigh[3], shin[3], v[3];
    skl_m3 axes;
    for (int64_t f = 0; f < leg->num_frames && skl_goes_on(f); f++) {
        bones_of(leg, upper, f, axes, thigh, shin);
        const double flexion = DEGREES * skl_flexion(thigh, shin);
        unit_cross(thigh, shin, v);
        const complex_number bend = in_plane(e->plane, v);
        const double sine = size(bend), by = 1 / fmax(sine, SKL_TINY);
        e->frames[f].unit = (complex_number){by * bend.x, by * bend.y};
        e->frames[f].weight = sine * (FAINT + skl_smoothstep((flexion - COUNTS) / (COUNTS_FULLY - COUNTS)));
        join_largest(largest, flexion);
    }
    e->most = largest[leg->num_frames < LARGEST_RANK && leg->num_frames > 0 ? leg->num_frames - 1 : LARGEST_RANK - 1];
}

/* What the axis of a rest pose says, of the length of its flexion's sine. */
static complex_number read_rest(const complex_number axis) {
    const double sine = size(axis), bend = DEGREES * asin(fmin(sine, 1));
    const double says = skl_smoothstep((bend - NO_BEND) / (REST_BEND - NO_BEND)) / fmax(sine, SKL_TINY);
    return (complex_number){says * axis.x, says * axis.y};
}

/* The axis that fits all of it best, with the sign of flexion; 0 0 if there is none. */
static complex_number best_axis(const evidence *e) {
    const double trust = FAINT + (1 - FAINT) * skl_smoothstep((e->most - BENDS_LITTLE) / (BENDS_ENOUGH - BENDS_LITTLE));
    const complex_number rest = doubled(e->rest, REST_SHARE), toes = doubled(e->toes, TOES_SHARE);
    complex_number axis = {0, 0};
    double agreement, found = 0;
    for (int round = 0; round <= AXIS_ROUNDS; round++) {
        const complex_number mean = mean_axis(e->frames, e->count, round > 0 ? &axis : NULL, &agreement);
        const complex_number both = {trust * mean.x + (1 - trust) * (rest.x + toes.x),
                                     trust * mean.y + (1 - trust) * (rest.y + toes.y)};
        const complex_number next = halved(both);
        const double same = cosine_off(next, axis) < 0 ? -1 : 1; /* `agreement` is with the last one */
        const complex_number last = axis;
        axis = (complex_number){same * next.x, same * next.y};
        found = size(both);
        if (axis.x == last.x && axis.y == last.y) break; /* so it stays */
    }
    const double says =
        trust * agreement + TOES_SAY * cosine_off(e->toes, axis) + REST_SAYS * cosine_off(e->rest, axis);
    const double sign = !(found > 0) ? 0 : says < 0 ? -1 : 1;
    return (complex_number){sign * axis.x, sign * axis.y};
}

void skl_find_hinge(const skl_leg_motion *leg, const double *upper, const double *forward, const double rest[3],
                    double *scratch, skl_hinge *out) {
    evidence e = {.frames = (frame_axis *)(void *)scratch, .count = leg->num_frames};
    double along[3], toes[3];
    read_bones(leg, upper, forward, along, toes);
    plane_across(along, e.plane);
    read_bends(leg, upper, &e);
    e.toes = in_plane(e.plane, toes);
    e.rest = read_rest(in_plane(e.plane, rest));
    const complex_number axis = best_axis(&e);
    for (int i = 0; i < 3; i++) out->axis[i] = axis.x * e.plane[0][i] + axis.y * e.plane[1][i];
    out->most = e.most;
}

void skl_knee_flexions(const skl_leg_motion *leg, const double *upper, const double axis[3], double *out) {
    const int known = axis[0] != 0 || axis[1] != 0 || axis[2] != 0;
    for (int64_t f = 0; f < leg->num_frames && skl_goes_on(f); f++) {
        double thigh[3], shin[3], normal[3];
        skl_m3 axes;
        bones_of(leg, upper, f, axes, thigh, shin);
        skl_v3_cross(thigh, shin, normal);
        const double side = SIDEWAYS * skl_v3_dot(normal, axis) / fmax(sqrt(skl_v3_dot(normal, normal)), SKL_TINY);
        out[f] = DEGREES * skl_flexion(thigh, shin) * (known ? fmax(fmin(side, 1), -1) : 1);
    }
}
