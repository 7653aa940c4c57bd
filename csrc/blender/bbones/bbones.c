/* SPDX-License-Identifier: MIT */
/* A cubic curve, cut into pieces by even steps of its length, and frames along it. The curve and where it is cut are
 * computed in float, each operation in Blender's order: where the curve nearly stands still, or turns back, frames
 * depend on the last bits. The frames themselves are doubles. */
#include <math.h>
#include <string.h>

#include "core/base/status.h"
#include "core/base/stop.h"
#include "core/base/validate.h"
#include "skelkin/blender_bbones.h"

#define SAMPLES 33

typedef struct curve {
    float at[4][3];
} curve;

static double mixed(const double pair[2], double share) { return pair[0] + (pair[1] - pair[0]) * share; }

/* Length of the tangents of an arc between two directions, to that of its chord. */
static float circle_factor(const double first[3], const double last[3]) {
    float cosine = (float)first[0] * (float)last[0];
    cosine += (float)first[1] * (float)last[1];
    cosine += (float)first[2] * (float)last[2];
    if (cosine > (float)(1 - 1e-5)) return 0.25f;
    if (cosine < (float)(-1 + 1e-5)) return 0.5f;
    const float half = acosf(cosine) / 2, sine = sinf(half);
    return (1 - cosf(half)) / (sine * sine * 2);
}

static curve curve_of(const skl_bend *bend) {
    const float length = (float)bend->length;
    const float handle = length * circle_factor(bend->direction[0], bend->direction[1]) / 0.75f;
    const float leaving = (float)bend->ease[0] * handle, arriving = (float)bend->ease[1] * handle;
    curve made = {{{0}}};
    made.at[3][1] = length;
    for (int k = 0; k < 3; k++) {
        made.at[1][k] = (float)bend->direction[0][k] * leaving;
        made.at[2][k] = made.at[3][k] - (float)bend->direction[1][k] * arriving;
    }
    for (int k = 0; k < 2; k++) {
        made.at[1][2 * k] += (float)bend->offset[0][k];
        made.at[2][2 * k] += (float)bend->offset[1][k];
    }
    return made;
}

/* How long a polyline along the curve is up to each of its points, which go by forward differences. */
static void walk(const curve *along, float walked[SAMPLES]) {
    const float steps = SAMPLES - 1;
    float place[3], move[3], turn[3], rise[3];
    for (int k = 0; k < 3; k++) {
        const float a = along->at[0][k], b = along->at[1][k], c = along->at[2][k], d = along->at[3][k];
        const float slope = 3 * (b - a) / steps, bend = 3 * (a - 2 * b + c) / (steps * steps);
        const float twist = (d - a + 3 * (b - c)) / (steps * steps * steps);
        place[k] = a;
        move[k] = slope + bend + twist;
        turn[k] = 2 * bend + 6 * twist;
        rise[k] = 6 * twist;
    }
    walked[0] = 0;
    for (int i = 1; i < SAMPLES; i++) {
        float square = 0;
        for (int k = 0; k < 3; k++) {
            const float before = place[k];
            place[k] += move[k];
            move[k] += turn[k];
            turn[k] += rise[k];
            square += (place[k] - before) * (place[k] - before);
        }
        walked[i] = walked[i - 1] + sqrtf(square);
    }
}

/* Where on the curve, in 0 to 1, each of n segments ends; their lengths go by even factors from one end to the other.
 */
static void cut(const curve *along, int n, const double stretch[2], float *steps) {
    float walked[SAMPLES], lengths[SKL_MOST_SEGMENTS], sum = 0, wanted = 0;
    walk(along, walked);
    const float first = logf(fmaxf((float)stretch[0], 1e-4f)), last = logf(fmaxf((float)stretch[1], 1e-4f));
    for (int i = 0; i < n; i++) {
        const float share = (float)i / (float)(n - 1);
        sum += lengths[i] = expf((1 - share) * first + share * last);
    }
    const float factor = walked[SAMPLES - 1] / sum;
    steps[0] = 0;
    for (int i = 1, at = 0; i < n; i++) {
        wanted += lengths[i - 1] * factor;
        while (at < SAMPLES - 2 && walked[at + 1] < wanted) at++;
        const float span = walked[at + 1] - walked[at];
        steps[i] = ((float)at + (span > 0 ? (wanted - walked[at]) / span : 0)) / (SAMPLES - 1);
    }
    steps[n] = 1;
}

/* By De Casteljau. */
static void on_curve(const curve *along, float share, double place[3], double tangent[3]) {
    for (int k = 0; k < 3; k++) {
        float at[4];
        for (int i = 0; i < 4; i++) at[i] = along->at[i][k];
        for (int level = 3; level > 1; level--)
            for (int i = 0; i < level; i++) at[i] = (1 - share) * at[i] + share * at[i + 1];
        tangent[k] = (double)(at[1] - at[0]);
        place[k] = (double)((1 - share) * at[0] + share * at[1]);
    }
}

/* The tangent at an end, from its control point `a`, and then b and c; where a and b nearly coincide it leans on what
 * the curve does next. `side` is -1 at the far end. */
static void end_tangent(const float a[3], const float b[3], const float c[3], float side, double tangent[3]) {
    double bend[3], square = 0, bent = 0;
    for (int k = 0; k < 3; k++) {
        tangent[k] = (double)(side * (b[k] - a[k]));
        bend[k] = (double)(side * (c[k] - 2 * b[k] + a[k]));
        square += tangent[k] * tangent[k];
        bent += bend[k] * bend[k];
    }
    if (square >= 0.01 * bent) return;
    for (int k = 0; k < 3; k++) tangent[k] += bend[k] * (0.1 - sqrt(square / bent));
}

static void make_unit(double v[3]) {
    const double square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    const double factor = square > 1e-35 ? 1 / sqrt(square) : 0;
    for (int k = 0; k < 3; k++) v[k] *= factor;
}

/* v turned about a unit axis. */
static void turned(const double v[3], const double axis[3], double sine, double cosine, double out[3]) {
    const double along = (axis[0] * v[0] + axis[1] * v[1] + axis[2] * v[2]) * (1 - cosine);
    out[0] = cosine * v[0] + sine * (axis[1] * v[2] - axis[2] * v[1]) + along * axis[0];
    out[1] = cosine * v[1] + sine * (axis[2] * v[0] - axis[0] * v[2]) + along * axis[1];
    out[2] = cosine * v[2] + sine * (axis[0] * v[1] - axis[1] * v[0]) + along * axis[2];
}

/* The axes of a bone at rest that points along a unit direction. */
static void axes_along(const double direction[3], double roll, double axes[3][3]) {
    const double x = direction[0], y = direction[1], z = direction[2], square = x * x + z * z;
    const int near_back = 1 + y <= 6.1e-3; /* 1 + y has no digits left there */
    const double size = near_back ? square / 2 + square * square / 8 : 1 + y;
    double frame[3][3] = {{1 - x * x / size, -x, -x * z / size}, {x, y, z}, {-x * z / size, -z, 1 - z * z / size}};
    if (near_back && square <= 2.5e-4 * 2.5e-4) {
        const double back[3][3] = {{-1, 0, 0}, {0, -1, 0}, {0, 0, 1}};
        memcpy(frame, back, sizeof frame);
    }
    for (int c = 0; c < 3; c++) turned(frame[c], direction, sin(roll), cos(roll), axes[c]);
}

static void put_frame(const skl_bend *bend, const double place[3], const double axes[3][3], double share, double *out) {
    const double sizes_x[2] = {bend->size[0][0], bend->size[1][0]}, sizes_z[2] = {bend->size[0][2], bend->size[1][2]};
    const double sizes[3] = {mixed(sizes_x, share), 1, mixed(sizes_z, share)};
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) out[4 * r + c] = axes[c][r] * bend->scale[c] / bend->scale[r] * sizes[c];
        out[4 * r + 3] = place[r] / bend->scale[r];
    }
    out[12] = out[13] = out[14] = 0;
    out[15] = 1;
}

static void bend_one(const skl_bend *bend, int n, double *out) {
    const curve along = curve_of(bend);
    const double stretch[2] = {bend->size[0][1], bend->size[1][1]};
    float steps[SKL_MOST_SEGMENTS + 1];
    cut(&along, n, stretch, steps);
    for (int i = 0; i <= n; i++) {
        double place[3], tangent[3], axes[3][3];
        on_curve(&along, steps[i], place, tangent);
        if (i == 0) end_tangent(along.at[0], along.at[1], along.at[2], 1, tangent);
        if (i == n) end_tangent(along.at[3], along.at[2], along.at[1], -1, tangent);
        make_unit(tangent);
        axes_along(tangent, mixed(bend->roll, (double)i / n), axes);
        put_frame(bend, place, axes, (double)i / n, out + 16 * i);
    }
}

skl_code skl_bbone_run(skl_bbone_job *job) {
    const skl_pointer pointers[] = {{job->bends, "bends"}, {job->out, "out"}};
    const int n = (int)job->num_segments;
    job->status.code = SKL_OK;
    if (SKL_CHECK_POINTERS(pointers, &job->status) != SKL_OK) return job->status.code;
    if (n < 2 || n > SKL_MOST_SEGMENTS) return skl_fail_number(&job->status, "num_segments", n, "it must be 2 .. 32");
    for (int64_t f = 0; f < job->num_frames && skl_slowly_goes_on(f); f++)
        bend_one(&job->bends[f], n, job->out + f * 16 * (n + 1));
    return skl_done(&job->status);
}
