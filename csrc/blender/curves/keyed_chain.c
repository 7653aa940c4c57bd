/* SPDX-License-Identifier: MIT */
#include "keyed_chain.h"

#include <math.h>
#include <string.h>

#include "core/transforms/matrix3.h"

/* The axes about which Euler angles turn, in order of application. */
static const uint8_t ORDERS[7][3] = {{0, 0, 0}, {0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

static void from_quaternion(const double *values, skl_m3 out) {
    double q[4], length = 0;
    for (int k = 0; k < 4; k++) length += values[k] * values[k];
    length = sqrt(length);
    for (int k = 0; k < 4; k++) q[k] = length > 0 ? values[k] / length : k == 0;
    skl_m3_from_quaternion(q, out);
}

static void from_axis_angle(const double *values, skl_m3 out) {
    double axis = 0, q[4];
    for (int k = 1; k < 4; k++) axis += values[k] * values[k];
    axis = sqrt(axis);
    q[0] = cos(0.5 * values[0]);
    for (int k = 1; k < 4; k++) q[k] = axis > 0 ? sin(0.5 * values[0]) * values[k] / axis : 0;
    from_quaternion(q, out);
}

static void from_euler(const uint8_t order[3], const double *angles, skl_m3 out) {
    skl_m3 whole = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    for (int i = 0; i < 3; i++) {
        const int axis = order[i], y = (axis + 1) % 3, z = (axis + 2) % 3;
        const double c = cos(angles[axis]), s = sin(angles[axis]);
        skl_m3 turn = {1, 0, 0, 0, 1, 0, 0, 0, 1}, before;
        turn[3 * y + y] = turn[3 * z + z] = c;
        turn[3 * y + z] = -s;
        turn[3 * z + y] = s;
        memcpy(before, whole, sizeof before);
        skl_m3_multiply(turn, before, whole);
    }
    memcpy(out, whole, sizeof whole);
}

/* The rows of a matrix (4,4) of which the first three count, as axes and place. */
static void split(const double *matrix, skl_m3 axes, double place[3]) {
    for (int i = 0; i < 3; i++) {
        memcpy(axes + 3 * i, matrix + 4 * i, 3 * sizeof(double));
        place[i] = matrix[4 * i + 3];
    }
}

/* Go on from axes and place by a transform inside of them. */
static void step(skl_m3 axes, double place[3], const skl_m3 by, const double to[3]) {
    skl_m3 whole;
    double there[3];
    skl_m3_transform(axes, to, there);
    for (int k = 0; k < 3; k++) place[k] += there[k];
    skl_m3_multiply(axes, by, whole);
    memcpy(axes, whole, sizeof whole);
}

static void basis_of(const skl_keyed_chain *chain, int64_t frame, int64_t bone, const double *values, skl_m3 axes,
                     double place[3]) {
    const int64_t row = frame * chain->num_bones + bone;
    const int32_t rotation = chain->columns[2 * bone], location = chain->columns[2 * bone + 1];
    const uint8_t mode = chain->modes[bone];
    split(chain->basis + 16 * row, axes, place);
    if (location >= 0) memcpy(place, values + location, 3 * sizeof(double));
    if (rotation < 0) return;
    if (mode == SKL_ROTATE_QUATERNION)
        from_quaternion(values + rotation, axes);
    else if (mode == SKL_ROTATE_AXIS_ANGLE)
        from_axis_angle(values + rotation, axes);
    else
        from_euler(ORDERS[mode], values + rotation, axes);
    for (int k = 0; k < 9; k++) axes[k] *= chain->scale[3 * row + k % 3];
}

double skl_chain_miss(const skl_keyed_chain *chain, int64_t frame, int64_t curves, const double *values,
                      const double *wanted) {
    double worst = 0;
    if (!chain->num_bones) {
        for (int64_t c = 0; c < curves; c++) worst = fmax(worst, fabs(values[c] - wanted[c]));
        return worst;
    }
    skl_m3 axes = {1, 0, 0, 0, 1, 0, 0, 0, 1}, inner;
    double place[3] = {0, 0, 0}, to[3];
    int64_t point = 0; /* which are sorted by their bones */
    for (int64_t bone = 0; bone < chain->num_bones; bone++) {
        split(chain->above + 16 * (frame * chain->num_bones + bone), inner, to);
        step(axes, place, inner, to);
        basis_of(chain, frame, bone, values, inner, to);
        step(axes, place, inner, to);
        for (; point < chain->num_points && chain->point_bones[point] == bone; point++) {
            const int64_t row = 3 * (frame * chain->num_points + point);
            double square = 0;
            skl_m3_transform(axes, chain->points + row, to);
            for (int k = 0; k < 3; k++) {
                const double off = place[k] + to[k] - chain->targets[row + k];
                square += off * off;
            }
            worst = fmax(worst, sqrt(square));
        }
    }
    return worst;
}
