/* SPDX-License-Identifier: MIT */
#include "turned_joint.h"

#include <math.h>
#include <string.h>

#include "core/base/numbers.h"
#include "core/limits/joint_limits.h"
#include "core/transforms/affine.h"
#include "core/transforms/joint_path.h"
#include "core/transforms/turn.h"

void skl_split_affine(const double m[16], skl_m3 linear, double place[3]) {
    skl_affine_linear(m, linear);
    skl_affine_place(m, place);
}

/* From the frame of `joint` into that of `ancestor`. */
static void path_product(const skl_turned_poses *poses, int64_t joint, int64_t ancestor, const char *pose,
                         double out[16]) {
    const skl_joint_path path = {poses->skeleton->parents, joint, ancestor};
    skl_path_product(&path, pose, poses->local.step, poses->dtype, out);
}

void skl_seen_from_parent(const skl_turned_poses *poses, int64_t joint, int64_t other, const char *pose,
                          double out[3]) {
    const int32_t *parents = poses->skeleton->parents;
    const int64_t parent = parents[joint], shared = skl_common_ancestor(parents, parent, other);
    double m[16], place[3], above[3], apart[3];
    skl_m3 linear;
    path_product(poses, other, shared, pose, m);
    skl_split_affine(m, linear, place);
    path_product(poses, parent, shared, pose, m);
    skl_split_affine(m, linear, above);
    for (int i = 0; i < 3; i++) apart[i] = place[i] - above[i];
    (void)skl_m3_solve(linear, apart, out);
}

void skl_sideways(const skl_m3 linear, const double pointer[3], double out[3]) {
    int least = 0;
    for (int i = 1; i < 3; i++)
        if (fabs(pointer[i]) < fabs(pointer[least])) least = i;
    for (int i = 0; i < 3; i++) out[i] = linear[3 * i + least];
}

static int is_finite(const skl_m3 m) {
    double sum = 0;
    for (int i = 0; i < 9; i++) sum += m[i] - m[i];
    return sum >= 0;
}

/* What the turn does to axes: a rotation, or for one of the space of the model that seen through the parent. */
static void map_of(const skl_joint_now *now, const double turn[4], int world, skl_m3 out) {
    skl_m3 rotation, back, carried;
    skl_m3_from_quaternion(turn, world ? rotation : out);
    if (!world) return;
    (void)skl_m3_inverse(now->parent, back);
    skl_m3_multiply(rotation, now->parent, carried);
    skl_m3_multiply(back, carried, out);
}

/* The rotation that comes nearest to taking `start` to `end`: of what is not rigid the nearest rotations count. */
static void turn_between(const skl_m3 start, const skl_m3 end, double q[4]) {
    skl_m3 from, to, back, turn;
    skl_m3_orthogonal(start, from);
    skl_m3_orthogonal(end, to);
    skl_m3_transpose(from, back);
    skl_m3_multiply(to, back, turn);
    skl_m3_to_quaternion(turn, q);
}

/* `whole`, which `map` has made of the axes, inside of the limit, or on the way there. */
static void take_limit(const skl_joint_now *now, const skl_joint_turn *by, const skl_m3 map, skl_m3 whole) {
    skl_m3 inward, end, rotation;
    double q[4];
    const int moves = skl_limit_turn(by->limit, whole, 1, SKL_FLOAT64, inward) > 0;
    if (moves) {
        skl_m3_multiply(inward, whole, end);
        memcpy(whole, end, sizeof end);
    }
    if (by->weight >= 1) return;
    if (by->world) {
        turn_between(now->linear, whole, q);
    } else if (moves) {
        skl_m3_multiply(inward, map, rotation);
        skl_m3_to_quaternion(rotation, q);
    } else {
        memcpy(q, by->turn, sizeof q);
    }
    skl_partial_turn(q, by->weight);
    skl_m3_from_quaternion(q, rotation);
    skl_m3_multiply(rotation, now->linear, whole);
}

int skl_joint_turned(const skl_joint_now *now, const skl_joint_turn *by, skl_m3 out) {
    if (!(by->weight > 0) || !skl_turn_moves(by->turn)) return 0;
    double q[4];
    skl_m3 map;
    memcpy(q, by->turn, sizeof q);
    if (by->weight < 1 && !by->limit) skl_partial_turn(q, by->weight);
    map_of(now, q, by->world, map);
    skl_m3_multiply(map, now->linear, out);
    if (!is_finite(out)) return 0;
    if (by->limit) take_limit(now, by, map, out);
    return is_finite(out);
}

void skl_joint_write(const skl_turned_poses *poses, int64_t joint, const skl_m3 linear, char *pose) {
    char *at = pose + joint * poses->out.step;
    for (int i = 0; i < 9; i++) skl_put(at, poses->dtype, 4 * (i / 3) + i % 3, linear[i]);
}
