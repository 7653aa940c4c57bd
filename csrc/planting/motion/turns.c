/* SPDX-License-Identifier: MIT */
#include "turns.h"

#include "core/base/stop.h"
#include "core/transforms/affine.h"
#include "core/transforms/matrix3.h"
#include "core/transforms/vector3.h"
#include "motion_constants.h"

#include <math.h>
#include <string.h>

/* The rotation of the quaternion cos(angle / 2), sin(angle / 2) * axis. */
static void turn_matrix(const double vector[3], skl_m3 out) {
    const double angle = sqrt(skl_v3_dot(vector, vector));
    const double by = angle > 0 ? sin(0.5 * angle) / angle : 0.5;
    const double quaternion[4] = {cos(0.5 * angle), by * vector[0], by * vector[1], by * vector[2]};
    skl_m3_from_quaternion(quaternion, out);
}

void skl_turn_matrices(int64_t num_frames, const double *vectors, double *out) {
    for (int64_t f = 0; f < num_frames && skl_goes_on(f); f++) turn_matrix(vectors + 3 * f, out + 9 * f);
}

void skl_turn_onto(const double from[3], const double to[3], double *restrict out) {
    skl_v3_cross(from, to, out);
    const double sine = skl_v3_length(out), by = sine > 0 ? atan2(sine, skl_v3_dot(from, to)) / sine : 0;
    for (int i = 0; i < 3; i++) out[i] *= by;
}

static void turn_vector(const skl_m3 m, double out[3]) {
    const double skew[3] = {0.5 * (m[7] - m[5]), 0.5 * (m[2] - m[6]), 0.5 * (m[3] - m[1])};
    const double sine = sqrt(skl_v3_dot(skew, skew)), cosine = 0.5 * (m[0] + m[4] + m[8] - 1);
    const double by = sine > NO_SINE ? atan2(sine, cosine) / sine : 1;
    for (int i = 0; i < 3; i++) out[i] = by * skew[i];
}

void skl_turn_vectors(int64_t num_frames, const double *matrices, double *out) {
    for (int64_t f = 0; f < num_frames && skl_goes_on(f); f++) turn_vector(matrices + 9 * f, out + 3 * f);
}

void skl_turn_feet(int64_t num_frames, const double *vectors, const double *feet, double *out) {
    for (int64_t f = 0; f < num_frames && skl_goes_on(f); f++) {
        const double *v = vectors + 3 * f, *foot = feet + 9 * f;
        if (v[0] == 0 && v[1] == 0 && v[2] == 0) {
            memcpy(out + 9 * f, foot, sizeof(skl_m3));
            continue;
        }
        skl_m3 turn;
        turn_matrix(v, turn);
        skl_m3_multiply(turn, foot, out + 9 * f);
    }
}

void skl_turn_on(int64_t num_frames, const double *next, double *turns) {
    for (int64_t f = 0; f < num_frames && skl_goes_on(f); f++) {
        const double *v = next + 3 * f;
        skl_m3 first, second, both;
        if (v[0] == 0 && v[1] == 0 && v[2] == 0) continue;
        turn_matrix(turns + 3 * f, first);
        turn_matrix(v, second);
        skl_m3_multiply(second, first, both);
        turn_vector(both, turns + 3 * f);
    }
}

void skl_rotations_of(int64_t num_frames, const double *matrices, double *out) {
    for (int64_t f = 0; f < num_frames && skl_goes_on(f); f++) skl_m3_orthogonal(matrices + 9 * f, out + 9 * f);
}

void skl_turn_speeds(int64_t num_frames, const double *rotations, double *out) {
    for (int64_t f = 0; f < num_frames && skl_goes_on(f); f++) {
        const int64_t before = f > 0 ? f - 1 : 0, after = f + 1 < num_frames ? f + 1 : f;
        const double *a = rotations + 9 * before, *b = rotations + 9 * after;
        double square = 0;
        for (int i = 0; i < 9; i++) square += (b[i] - a[i]) * (b[i] - a[i]);
        /* A small turn by an angle changes the matrix by the angle times the square root of 2. */
        out[f] = after > before ? sqrt(0.5 * square) / (double)(after - before) : 0;
    }
}

static void rotation_of(const double *matrix, skl_m3 out) {
    skl_m3 linear;
    skl_affine_linear(matrix, linear);
    skl_m3_orthogonal(linear, out);
}

void skl_joint_turns(int64_t num_frames, const double *matrices, int64_t stride, double *out) {
    skl_m3 pair[2];
    if (num_frames > 0) rotation_of(matrices, pair[0]);
    for (int64_t f = 1; f < num_frames && skl_goes_on(f); f++) {
        const double *before = pair[(f - 1) % 2];
        double *now = pair[f % 2], square = 0;
        rotation_of(matrices + stride * f, now);
        for (int i = 0; i < 9; i++) square += (now[i] - before[i]) * (now[i] - before[i]);
        /* A turn by an angle changes the matrix by the square root of 8 times the sine of its half. */
        out[f - 1] = 2 * asin(fmin(sqrt(square / 8), 1));
    }
}

void skl_resting_turns(int64_t num_frames, const double *rotations, double least, uint8_t *out) {
    int rested = 0;
    for (int64_t f = 0; f < num_frames && skl_goes_on(f); f++) {
        int rests = f + 1 < num_frames;
        for (int i = 0; rests && i < 9; i++) rests = fabs(rotations[9 * f + 9 + i] - rotations[9 * f + i]) < least;
        out[f] = (uint8_t)(rests || rested);
        rested = rests;
    }
}

void skl_turns_to_mean(int64_t num_frames, const double *rotations, double *out) {
    skl_m3 sum = {0}, mean, back, turn;
    for (int64_t f = 0; f < num_frames && skl_goes_on(f); f++)
        for (int i = 0; i < 9; i++) sum[i] += rotations[9 * f + i];
    skl_m3_orthogonal(sum, mean);
    for (int64_t f = 0; f < num_frames && skl_goes_on(f); f++) {
        skl_m3_transpose(rotations + 9 * f, back);
        skl_m3_multiply(mean, back, turn);
        turn_vector(turn, out + 3 * f);
    }
}
