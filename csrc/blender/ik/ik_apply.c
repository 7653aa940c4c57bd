/* SPDX-License-Identifier: MIT */
/* From the solved tree back to the pose: each bone gets its change, on top of its pose below its parent. */
#include <math.h>
#include <string.h>

#include "ik_tree.h"
#include "ik_turns.h"

static double axis_length(const double *m, int c) {
    return sqrt(m[c] * m[c] + m[4 + c] * m[4 + c] + m[8 + c] * m[8 + c]);
}

static void scale_axis(double *m, int c, double by) {
    for (int r = 0; r < 3; r++) m[4 * r + c] *= by;
}

/* Multiply the axes by the change; thickness (X and Z) stays that of before. */
static void turn(double *m, const skl_m3 change) {
    const double x = axis_length(m, 0), y = axis_length(m, 1), z = axis_length(m, 2);
    if (x > 0) scale_axis(m, 0, y / x);
    if (z > 0) scale_axis(m, 2, y / z);
    for (int r = 0; r < 3; r++) {
        double row[3];
        for (int c = 0; c < 3; c++)
            row[c] = m[4 * r] * change[c] + m[4 * r + 1] * change[3 + c] + m[4 * r + 2] * change[6 + c];
        memcpy(m + 4 * r, row, sizeof row);
    }
    for (int c = 0; c < 3; c += 2) {
        const double length = axis_length(m, c), column[3] = {change[c], change[3 + c], change[6 + c]};
        if (length > 0) scale_axis(m, c, (c ? z : x) * sqrt(skl_v3_dot(column, column)) / length);
    }
}

/* out = a @ b of affine 4 x 4 matrices. */
static void multiply(const double *a, const double *b, double *out) {
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 4; c++)
            out[4 * r + c] =
                a[4 * r] * b[c] + a[4 * r + 1] * b[4 + c] + a[4 * r + 2] * b[8 + c] + (c == 3 ? a[4 * r + 3] : 0);
    out[12] = out[13] = out[14] = 0;
    out[15] = 1;
}

static int invert(const double *m, double *out) {
    const skl_m3 linear = {m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10]};
    const double origin[3] = {m[3], m[7], m[11]};
    skl_m3 inverse;
    double back[3];
    if (!skl_m3_inverse(linear, inverse)) return 0;
    skl_m3_transform(inverse, origin, back);
    for (int r = 0; r < 3; r++) {
        memcpy(out + 4 * r, inverse + 3 * r, 3 * sizeof *out);
        out[4 * r + 3] = -back[r];
    }
    return 1;
}

/* How many times its length of before the bone has. */
static double growth(const skl_ik_joint *joint) {
    return joint->slide >= 0 && joint->read_length > 0 ? joint->length / joint->read_length : 1;
}

/* out = inverse of m times n; zero where m is singular. */
static void divide(const skl_m3 m, const skl_m3 n, skl_m3 out) {
    skl_m3 inverse;
    skl_m3_inverse(m, inverse);
    skl_m3_multiply(inverse, n, out);
}

/* `scratch`: 16 numbers for each bone of the tree: how it moved, in armature space. */
void skl_ik_write(const skl_ik_tree *tree, int64_t frame, double *scratch) {
    const skl_blender_ik_job *job = tree->job;
    const double influence = job->goals[0].influence;
    double *poses = job->pose + 16 * frame * job->num_pose_bones;
    for (int32_t k = 0; k < job->num_bones; k++) {
        const skl_ik_joint *joint = &tree->joints[k];
        double *pose = poses + 16 * job->bones[k].bone, *moved = scratch + 16 * k, moves[16], back[16];
        skl_m3 turned, before, whole, change;
        memcpy(turned, joint->turn, sizeof turned);
        if (k == 0 && job->poles) {
            skl_m3_multiply(tree->outside, joint->local, whole);
            divide(joint->rest, whole, turned);
        }
        skl_m3_transpose(joint->before, before);
        skl_m3_multiply(before, turned, whole);
        if (job->poles && influence < 1)
            skl_turn_part(whole, influence, change);
        else
            memcpy(change, whole, sizeof change);
        if (joint->parent >= 0)
            multiply(scratch + 16 * joint->parent, pose, moves);
        else
            memcpy(moves, pose, sizeof moves);
        turn(moves, change);
        const double grown = growth(joint) / (joint->parent >= 0 ? growth(&tree->joints[joint->parent]) : 1);
        for (int c = 0; c < 3; c++) scale_axis(moves, c, grown);
        if (invert(pose, back))
            multiply(moves, back, moved);
        else
            memcpy(moved, scratch + 16 * (joint->parent >= 0 ? joint->parent : k), sizeof moves);
        memcpy(pose, moves, sizeof moves);
    }
    for (int32_t f = 0; f < job->num_followers; f++) {
        double *pose = poses + 16 * job->followers[2 * f], moves[16];
        multiply(scratch + 16 * job->followers[2 * f + 1], pose, moves);
        memcpy(pose, moves, sizeof moves);
    }
}
