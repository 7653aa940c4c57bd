/* SPDX-License-Identifier: MIT */
/* The iteration: where the joints are, how their tips move with the angles, a step; until nothing moves. */
#include <math.h>
#include <string.h>

#include "ik.h"

#define STILL 1e-3
#define SLIDE_COUNTS 100
#define LEAST_STEPS 10

/* Unlike fmax never a call; what is no number is passed over. */
static double larger(double a, double b) { return b > a ? b : a; }

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

static void fill_column(skl_ik_tree *tree, int row, int column, const double by[3]) {
    for (int i = 0; i < 3; i++) tree->jacobian[(row + i) * tree->stride + column] = by[i] * tree->root[column];
    tree->norms[column] += sqrt(skl_ik_dot(by, by)) * tree->root[column];
}

/* Errors are shortened to half of a mean segment of the goal's chain; a length that changes counts as a segment. */
static double longest_step(const skl_ik_tree *tree, int32_t bone) {
    double sum = 0;
    int32_t segments = 0;
    for (int32_t k = bone; k >= 0; k = tree->joints[k].parent) {
        const skl_ik_joint *joint = &tree->joints[k];
        sum += sqrt(skl_ik_dot(joint->offset, joint->offset)) + joint->read_length;
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
    const double distance = sqrt(skl_ik_dot(error, error));
    const double longest = tree->longest[g];
    const double weight = sqrt(goal->weight);
    const double by = (distance > longest ? longest / distance : 1) * weight;
    for (int i = 0; i < 3; i++) tree->error[row + i] = error[i] * by;
    for (int32_t k = goal->bone; k >= 0; k = tree->joints[k].parent) {
        const skl_ik_joint *joint = &tree->joints[k];
        double arm[3], axis[3], moves[3];
        for (int i = 0; i < 3; i++) arm[i] = tip[i] - joint->start[i];
        for (int32_t a = 0; a < joint->count; a++) {
            skl_ik_joint_axis(joint, a, axis);
            skl_ik_cross(axis, arm, moves);
            for (int i = 0; i < 3; i++) moves[i] *= weight;
            fill_column(tree, row, joint->first + a, moves);
        }
        if (joint->slide >= 0) {
            skl_ik_column(joint->world, 1, axis);
            for (int i = 0; i < 3; i++) axis[i] *= weight;
            fill_column(tree, row, joint->slide, axis);
        }
    }
}

static void fill(skl_ik_tree *tree) {
    memset(tree->jacobian, 0, (size_t)(tree->rows * tree->stride) * sizeof *tree->jacobian);
    memset(tree->norms, 0, (size_t)tree->stride * sizeof *tree->norms);
    for (int32_t g = 0, row = 0; g < tree->job->num_goals; g++, row += 3) fill_position(tree, g, row);
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
        double largest = tree->way;
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
