/* SPDX-License-Identifier: MIT */
/* The iteration: where the joints are, how their tips move with the angles, a step; until nothing moves. */
#include <math.h>
#include <string.h>

#include "ik_tree.h"
#include "kernels/simd/inline.h"

#define STILL 1e-3
#define SLIDE_COUNTS 100
#define LEAST_STEPS 10

/* Unlike fmax and fmin never a call; NaN is skipped. */
static double larger(double a, double b) { return b > a ? b : a; }
static double smaller(double a, double b) { return b < a ? b : a; }

void skl_ik_place(skl_ik_tree *tree) {
    for (int32_t k = 0; k < tree->job->num_bones; k++) {
        skl_ik_joint *joint = &tree->joints[k];
        const skl_ik_joint *parent = joint->parent >= 0 ? &tree->joints[joint->parent] : NULL;
        skl_m3_multiply(parent ? parent->world : tree->outside, joint->local, joint->world);
        if (parent) {
            skl_m3_transform(parent->world, joint->offset, joint->start);
            for (int i = 0; i < 3; i++) joint->start[i] += parent->tail[i];
        } else {
            memset(joint->start, 0, sizeof joint->start);
        }
        for (int i = 0; i < 3; i++) joint->tail[i] = joint->start[i] + joint->world[3 * i + 1] * joint->length;
    }
}

/* The columns of a joint: how the tip moves, `arm` from it, as it turns about each of its axes. */
SKL_INLINE void fill_turns(skl_ik_tree *tree, const skl_ik_joint *joint, const int count, const skl_m3 axes,
                           const double arm[3], double weight, int row) {
    double *restrict x = tree->jacobian + row * tree->stride + joint->first;
    double *restrict y = x + tree->stride, *restrict z = y + tree->stride;
    const double *root = tree->root + joint->first;
    double *restrict norms = tree->norms + joint->first;
    const int more = tree->rows > 3;
    for (int a = 0; a < count; a++) {
        const double by = weight * root[a];
        x[a] = (axes[3 + a] * arm[2] - axes[6 + a] * arm[1]) * by;
        y[a] = (axes[6 + a] * arm[0] - axes[a] * arm[2]) * by;
        z[a] = (axes[a] * arm[1] - axes[3 + a] * arm[0]) * by;
        norms[a] = (more ? norms[a] : 0) + sqrt(x[a] * x[a] + y[a] * y[a] + z[a] * z[a]);
    }
}

static void fill_joint(skl_ik_tree *tree, const skl_ik_joint *joint, const double *tip, double weight, int row) {
    double arm[3], axis[3];
    for (int i = 0; i < 3; i++) arm[i] = tip[i] - joint->start[i];
    if (joint->kind == SKL_IK_BALL) {
        fill_turns(tree, joint, 3, joint->world, arm, weight, row);
    } else {
        skl_m3 axes;
        for (int a = 0; a < joint->count; a++) {
            skl_ik_joint_axis(joint, a, axis);
            for (int i = 0; i < 3; i++) axes[3 * i + a] = axis[i];
        }
        fill_turns(tree, joint, joint->count, axes, arm, weight, row);
    }
    if (joint->slide < 0) return;
    const double by = weight * tree->root[joint->slide];
    skl_ik_column(joint->world, 1, axis);
    for (int i = 0; i < 3; i++) tree->jacobian[(row + i) * tree->stride + joint->slide] = axis[i] * by;
    tree->norms[joint->slide] = (tree->rows > 3 ? tree->norms[joint->slide] : 0) + by * sqrt(skl_v3_dot(axis, axis));
}

/* Errors are shortened to half of a mean segment of the goal's chain; a length that changes counts as a segment. */
static double longest_step(const skl_ik_tree *tree, int32_t bone) {
    double sum = 0;
    int32_t segments = 0;
    for (int32_t k = bone; k >= 0; k = tree->joints[k].parent) {
        const skl_ik_joint *joint = &tree->joints[k];
        sum += sqrt(skl_v3_dot(joint->offset, joint->offset)) + joint->read_length;
        segments += joint->slide >= 0 ? 2 : 1;
    }
    return sum / (2 * segments);
}

/* The rows of a goal: how its tip moves. */
static void fill_position(skl_ik_tree *tree, int32_t g, int row) {
    const skl_ik_goal *goal = &tree->job->goals[g];
    const double *tip = tree->joints[goal->bone].tail;
    double error[3];
    for (int i = 0; i < 3; i++) error[i] = tree->goals[g][i] - tip[i];
    const double distance = sqrt(skl_v3_dot(error, error));
    const double longest = tree->longest[g];
    const double weight = sqrt(goal->weight);
    const double by = smaller(1, longest / distance) * weight;
    for (int i = 0; i < 3; i++) tree->error[row + i] = error[i] * by;
    for (int32_t k = goal->bone; k >= 0; k = tree->joints[k].parent)
        fill_joint(tree, &tree->joints[k], tip, weight, row);
}

/* The rows of a goal: how its bone turns. The error is the sine of what is left, along its axis. */
static void fill_turn(skl_ik_tree *tree, int32_t g, int row) {
    const skl_ik_goal *goal = &tree->job->goals[g];
    const double weight = sqrt(goal->turn_weight);
    double now[3], to[3], axis[3];
    for (int c = 0; c < 3; c++) {
        skl_ik_column(tree->joints[goal->bone].world, c, now);
        skl_ik_column(tree->aims[g], c, to);
        skl_v3_cross(now, to, axis);
        for (int i = 0; i < 3; i++) tree->error[row + i] = (c ? tree->error[row + i] : 0) + axis[i] * weight / 2;
    }
    for (int32_t k = goal->bone; k >= 0; k = tree->joints[k].parent) {
        const skl_ik_joint *joint = &tree->joints[k];
        for (int32_t a = 0; a < joint->count; a++) {
            skl_ik_joint_axis(joint, a, axis);
            const int32_t column = joint->first + a;
            const double by = weight * tree->root[column];
            for (int i = 0; i < 3; i++) tree->jacobian[(row + i) * tree->stride + column] = axis[i] * by;
            tree->norms[column] = (tree->rows > 3 ? tree->norms[column] : 0) + by * sqrt(skl_v3_dot(axis, axis));
        }
    }
}

/* What is 0 was so from the beginning: each time the same columns are filled. */
static void fill(skl_ik_tree *tree) {
    if (tree->rows > 3) memset(tree->norms, 0, (size_t)tree->stride * sizeof *tree->norms);
    for (int32_t g = 0, row = 0; g < tree->job->num_goals; g++) {
        if (tree->job->goals[g].places) fill_position(tree, g, row), row += 3;
        if (tree->job->goals[g].turns) fill_turn(tree, g, row), row += 3;
    }
}

void skl_ik_solve(skl_ik_tree *tree) {
    const int32_t n = tree->job->num_bones, wide = SKL_IK_EVEN(tree->rows);
    memset(tree->basis, 0, (size_t)(tree->rows * wide) * sizeof *tree->basis);
    for (int32_t i = 0; i < tree->rows; i++) tree->basis[i * wide + i] = 1;
    for (int32_t g = 0; g < tree->job->num_goals; g++) tree->longest[g] = longest_step(tree, tree->job->goals[g].bone);
    for (int32_t step = 0; step < tree->job->iterations; step++) {
        skl_ik_place(tree);
        fill(tree);
        skl_ik_step_inside(tree);
        double largest = tree->to_limit;
        for (int32_t k = 0; k < n; k++) {
            skl_ik_joint *joint = &tree->joints[k];
            skl_ik_joint_turn(joint, tree->delta);
            for (int32_t i = 0; i < joint->count; i++)
                if (!tree->frozen[joint->first + i]) largest = larger(largest, fabs(tree->delta[joint->first + i]));
            if (joint->slide >= 0 && !tree->frozen[joint->slide])
                largest = larger(largest, SLIDE_COUNTS * fabs(tree->delta[joint->slide]));
        }
        if (largest < STILL && step > LEAST_STEPS) break;
    }
}
