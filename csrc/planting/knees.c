/* SPDX-License-Identifier: MIT */
#include "legs.h"

#include "core/base/stop.h"
#include "core/transforms/matrix3.h"
#include "core/transforms/vector3.h"

#include <math.h>

/* Leg lengths: from the first bend on a knee's own side counts, in full from there this much further on. */
static const double BENT = 0.02, MORE_BENT = 0.06;
/* A moved ankle whose knee is no longer held to its own side; the least bend that has a side to hold. */
static const double MOVED = 0.01, HARDLY_BENT = 0.002;
static const double TINY = 1e-300;

void skl_knee_angles(const skl_leg_motion *leg, double *out) {
    const double degrees = 180 / 3.14159265358979323846;
    for (int64_t f = 0; f < leg->num_frames && skl_goes_on(f); f++) {
        double u[3], v[3];
        skl_v3_minus(leg->hip + 3 * f, leg->knee + 3 * f, u);
        skl_v3_minus(leg->ankle + 3 * f, leg->knee + 3 * f, v);
        const double across[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
        out[f] = degrees * atan2(sqrt(skl_v3_dot(across, across)), skl_v3_dot(u, v));
    }
}

void skl_knee_sides(const skl_leg_motion *leg, const double *upper, double length, double *side, double *own) {
    for (int64_t f = 0; f < leg->num_frames && skl_goes_on(f); f++) {
        double line[3], to_knee[3];
        skl_v3_minus(leg->ankle + 3 * f, leg->hip + 3 * f, line);
        skl_v3_minus(leg->knee + 3 * f, leg->hip + 3 * f, to_knee);
        const double along = skl_v3_dot(to_knee, line) / fmax(skl_v3_dot(line, line), TINY);
        for (int i = 0; i < 3; i++) side[3 * f + i] = (to_knee[i] - along * line[i]) / length;
        skl_m3_solve(upper + 9 * f, side + 3 * f, own + 3 * f);
    }
}

/* From 0 to 1 with level ends. */
static double smoothstep(double x) {
    x = fmin(fmax(x, 0), 1);
    return x * x * (3 - 2 * x);
}

void skl_knee_directions(int64_t num_frames, const double *side, const double *around, const double *upper,
                         const double *change, double *out) {
    for (int64_t f = 0; f < num_frames && skl_goes_on(f); f++) {
        const double *own = side + 3 * f;
        double other[3];
        skl_m3_transform(upper + 9 * f, around + 3 * f, other);
        const double bent = sqrt(skl_v3_dot(own, own)), length = sqrt(skl_v3_dot(other, other));
        /* Frames that hardly change keep their own side, so that corrections fade in and out without a twist. */
        const double keep = (1 - smoothstep(change[f] / MOVED)) * smoothstep(bent / HARDLY_BENT);
        const double trust = length > 0 ? fmax(smoothstep((bent - BENT) / MORE_BENT), keep) : 1;
        const double of_own = trust / fmax(bent, TINY), of_other = (1 - trust) / fmax(length, TINY);
        for (int i = 0; i < 3; i++) out[3 * f + i] = of_own * own[i] + of_other * other[i];
    }
}
