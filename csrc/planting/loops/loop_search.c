/* SPDX-License-Identifier: MIT */
#include "loop_search.h"

#include <math.h>
#include <string.h>

#include "core/transforms/vector3.h"
#include "loop_constants.h"

enum { POINTS = 6, ENDS = 4 }; /* per leg: its joints, and three of the foot's that show its turn */

/* Places that define the pose of all legs in one frame, POINTS x num_legs. */
static void read_points(const skl_track *tracks, int64_t legs, int64_t frame, double *out) {
    for (int64_t k = 0; k < legs; k++, out += 3 * POINTS) {
        const double *foot = tracks[k].foot + 9 * frame, *ankle = tracks[k].ankle + 3 * frame;
        memcpy(out, tracks[k].hip + 3 * frame, 3 * sizeof *out);
        memcpy(out + 3, tracks[k].knee + 3 * frame, 3 * sizeof *out);
        memcpy(out + 6, ankle, 3 * sizeof *out);
        for (int j = 0; j < 3; j++) {
            const double column[3] = {foot[j], foot[3 + j], foot[6 + j]};
            const double size = fmax(skl_v3_length(column), SKL_TINY);
            for (int i = 0; i < 3; i++) out[9 + 3 * j + i] = ankle[i] + column[i] / size * (ASIDE * tracks[k].length);
        }
    }
}

static double *points_of_ends(const skl_loop_ends *ends, skl_arena *arena) {
    const int64_t row = 3 * POINTS * ends->num_legs;
    double *out = SKL_TAKE(arena, double, ENDS *row);
    for (int64_t f = 0; out && f < ENDS; f++) read_points(ends->tracks, ends->num_legs, f, out + f * row);
    return out;
}

static void mean_of(const double *points, int64_t count, double out[3]) {
    double sum[3] = {0};
    for (int64_t n = 0; n < count; n++)
        for (int i = 0; i < 3; i++) sum[i] += points[3 * n + i];
    for (int i = 0; i < 3; i++) out[i] = sum[i] / (double)count;
}

/* A point as it is beside the mean, and in the level plane. */
static void spread_of(const double point[3], const double mean[3], const double up[3], double out[3]) {
    skl_v3_minus(point, mean, out);
    skl_v3_flatten(up, out);
}

/* The turn about up and the displacement that carry some points onto others. */
static void carry_onto(const double *from, const double *to, int64_t count, const double up[3], double out[16]) {
    double here[3], there[3], sine = 0.0, cosine = 0.0;
    mean_of(from, count, here);
    mean_of(to, count, there);
    for (int64_t n = 0; n < count; n++) {
        double a[3], b[3], across[3];
        spread_of(from + 3 * n, here, up, a);
        spread_of(to + 3 * n, there, up, b);
        skl_v3_cross(a, b, across);
        sine += skl_v3_dot(across, up);
        cosine += skl_v3_dot(a, b);
    }
    const double angle = atan2(sine, cosine);
    memcpy(out, skl_no_travel, sizeof skl_no_travel);
    const double cross[9] = {0, -up[2], up[1], up[2], 0, -up[0], -up[1], up[0], 0};
    for (int i = 0; fabs(angle) > NO_TRAVEL_TURN && i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double square = 0.0;
            for (int k = 0; k < 3; k++) square += cross[3 * i + k] * cross[3 * k + j];
            out[4 * i + j] += sin(angle) * cross[3 * i + j] + (1.0 - cos(angle)) * square;
        }
    double turned[3];
    skl_loop_move(out, here, turned);
    for (int i = 0; i < 3; i++) out[4 * i + 3] = there[i] - turned[i];
}

/* How far points are from a middle, all together; in the level plane, if `up` is given. */
static double extent(const double *points, int64_t count, const double *up) {
    double mean[3], sum = 0.0;
    mean_of(points, count, mean);
    for (int64_t n = 0; n < count; n++) {
        double apart[3];
        if (up)
            spread_of(points + 3 * n, mean, up, apart);
        else
            skl_v3_minus(points + 3 * n, mean, apart);
        sum += skl_v3_dot(apart, apart);
    }
    return sqrt(sum);
}

/* What carries the hips of the first pose onto those of the last; where hips show no turn, all points. */
static void read_travel(const skl_loop_ends *ends, const double *points, double *hips, double out[16]) {
    const int64_t legs = ends->num_legs, row = POINTS * legs;
    const double *last = points + 3 * (ENDS - 1) * row;
    for (int64_t k = 0; k < legs; k++) {
        memcpy(hips + 3 * k, points + 3 * POINTS * k, 3 * sizeof *hips);
        memcpy(hips + 3 * (legs + k), last + 3 * POINTS * k, 3 * sizeof *hips);
    }
    if (extent(hips, legs, ends->up) < HIPS_APART * extent(points, row, NULL))
        carry_onto(points, last, row, ends->up, out);
    else
        carry_onto(hips, hips + 3 * legs, legs, ends->up, out);
}

/* How far any point is in the last frame from where it is in the first, carried on. */
static double gap_of(const double *points, int64_t row, const double travel[16]) {
    double most = 0.0;
    for (int64_t n = 0; n < row; n++) {
        double there[3];
        skl_loop_move(travel, points + 3 * n, there);
        most = fmax(most, skl_v3_distance(there, points + 3 * ((ENDS - 1) * row + n)));
    }
    return most;
}

int skl_loop_travel(const skl_loop_ends *ends, double near, int climbs, skl_arena *arena, double travel[16],
                    double *gap) {
    const int64_t row = POINTS * ends->num_legs;
    const double length = skl_mean_length(ends->tracks, ends->num_legs);
    const double *points = points_of_ends(ends, arena);
    double *hips = SKL_TAKE(arena, double, 6 * ends->num_legs), whole[16];
    if (!points || !hips) return 0;
    memcpy(travel, skl_no_travel, sizeof skl_no_travel);
    *gap = gap_of(points, row, travel) / length;
    if (*gap <= near) return 1;
    read_travel(ends, points, hips, whole);
    const double rise = whole[3] * ends->up[0] + whole[7] * ends->up[1] + whole[11] * ends->up[2];
    memcpy(travel, whole, sizeof whole);
    for (int i = 0; i < 3; i++) travel[4 * i + 3] -= rise * ends->up[i];
    *gap = gap_of(points, row, travel) / length;
    if (*gap <= near || !climbs) return 1;
    memcpy(travel, whole, sizeof whole);
    *gap = gap_of(points, row, whole) / length;
    return 1;
}

/* The greatest second difference of points over three frames. */
static double bend_of(const double *before, const double *at, const double *after, int64_t row) {
    double most = 0.0;
    for (int64_t n = 0; n < row; n++) {
        double bend[3];
        for (int i = 0; i < 3; i++) bend[i] = after[3 * n + i] - 2.0 * at[3 * n + i] + before[3 * n + i];
        most = fmax(most, skl_v3_length(bend));
    }
    return most;
}

int skl_loop_seam(const skl_loop_ends *ends, const double travel[16], const skl_track *clip, skl_arena *arena,
                  int *continues) {
    const int64_t row = POINTS * ends->num_legs, num = clip->num_frames;
    const double length = skl_mean_length(ends->tracks, ends->num_legs);
    const double *points = points_of_ends(ends, arena);
    double *carried = SKL_TAKE(arena, double, 3 * row), *three = SKL_TAKE(arena, double, 9 * row), inside = 0.0;
    int moves = 0;
    if (arena->failed) return 0;
    for (int64_t n = 0; n < row; n++) skl_loop_move(travel, points + 3 * (row + n), carried + 3 * n);
    const double seam = bend_of(points + 6 * row, points + 9 * row, carried, row);
    for (int64_t f = 0; f < num; f++) {
        double *at = three + 3 * row * (f % 3);
        read_points(clip, ends->num_legs, f, at);
        for (int64_t i = 0; i < 3 * row; i++) moves |= fabs(at[i] - points[i]) > LOOP_MOVES * length;
        if (f < 2) continue;
        inside = fmax(inside, bend_of(three + 3 * row * ((f - 2) % 3), three + 3 * row * ((f - 1) % 3), at, row));
    }
    *continues = moves && seam <= SEAM_BUMP * inside + SEAM_EVEN * length;
    return 1;
}

int64_t skl_loop_margin(int64_t period, double fps) {
    const double most = fmin((double)period, rint(AROUND_MOST * fps));
    return (int64_t)fmax(rint(AROUND_LEAST * fps), most);
}
