/* SPDX-License-Identifier: MIT */
/* From a pose to the tree that is solved: rotations relative to rest, lengths as parts of the tree's whole length. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ik_tree.h"
#include "ik_single.h"
#include "ik_turns.h"

#define STRETCH_LEAST 0.01

static double *at(const skl_ik_tree *tree, int64_t frame, int32_t bone) {
    return tree->job->pose + 16 * (frame * tree->job->num_pose_bones + bone);
}

/* Where and in which axes the tree begins: the inverse of the axes, and that of the whole frame. */
typedef struct ik_frame {
    skl_single_m3 out_of_axes;
    skl_single_m4 out_of;
} ik_frame;

/* `above`: the pose of the bone whose child the tree is, or NULL; `head`: that of its first bone. */
static void hang(const double *above, const double *head, ik_frame *frame) {
    skl_single_m3 axes = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    float unused[3];
    if (above) skl_single_unit_axes(above, axes, unused);
    skl_single_inverse(axes, frame->out_of_axes);
    const skl_single_m4 whole = {axes[0], axes[1], axes[2], (float)head[3],  axes[3], axes[4], axes[5], (float)head[7],
                                 axes[6], axes[7], axes[8], (float)head[11], 0,       0,       0,       1};
    skl_single_inverse4(whole, frame->out_of);
}

static void into_frame(const ik_frame *frame, const double *point, float out[3]) {
    const float from[3] = {(float)point[0], (float)point[1], (float)point[2]};
    skl_single_transform4(frame->out_of, from, 1, out);
}

static void read_tail(const double *pose, double length, float out[3]) {
    for (int i = 0; i < 3; i++) out[i] = (float)pose[4 * i + 3] + (float)pose[4 * i + 1] * (float)length;
}

/* From the parent's tail to the bone's head, in the parent's axes. */
static void read_offset(const double *pose, const double *parent, double length, const skl_single_m3 back,
                        double out[3]) {
    float from[3], to[3];
    read_tail(parent, length, from);
    for (int i = 0; i < 3; i++) from[i] = (float)pose[4 * i + 3] - from[i];
    skl_single_transform(back, from, to);
    for (int i = 0; i < 3; i++) out[i] = to[i];
}

static void read_joint(skl_ik_tree *tree, int32_t k, int64_t frame, const ik_frame *hangs) {
    const skl_ik_bone *bone = &tree->job->bones[k];
    skl_ik_joint *joint = &tree->joints[k];
    const double *pose = at(tree, frame, bone->bone);
    skl_single_m3 axes, above, back, local, rest, turn;
    float length[3], unused[3];
    skl_single_unit_axes(pose, axes, length);
    joint->length = (float)bone->length * length[1];
    if (bone->parent < 0) {
        memcpy(back, hangs->out_of_axes, sizeof back);
        memset(joint->offset, 0, sizeof joint->offset);
    } else {
        const skl_ik_bone *other = &tree->job->bones[bone->parent];
        const double *parent = at(tree, frame, other->bone);
        skl_single_unit_axes(parent, above, unused);
        skl_single_inverse(above, back);
        read_offset(pose, parent, other->length, back, joint->offset);
    }
    skl_single_multiply(back, axes, local);
    for (int i = 0; i < 9; i++) rest[i] = (float)bone->rest[i % 3 * 3 + i / 3];
    skl_single_multiply(rest, local, turn);
    for (int i = 0; i < 9; i++) joint->turn[i] = turn[i];
    memcpy(joint->rest, bone->rest, sizeof joint->rest);
}

/* Everything becomes a part of the tree's length, which Blender keeps in single precision. */
static void scale_down(skl_ik_tree *tree) {
    const int32_t n = tree->job->num_bones;
    double total = 0;
    for (int32_t k = 0; k < n; k++) {
        const double *s = tree->joints[k].offset;
        total += sqrt(skl_v3_dot(s, s)) + tree->joints[k].length;
    }
    tree->scale = total > 0 ? (double)(float)(1 / total) : 1;
    for (int32_t k = 0; k < n; k++) {
        skl_ik_joint *joint = &tree->joints[k];
        for (int i = 0; i < 3; i++) joint->offset[i] *= tree->scale;
        joint->length *= tree->scale;
        joint->read_length = joint->length;
    }
}

static void unit(double v[3]) {
    const double length = sqrt(skl_v3_dot(v, v)), by = length > 0 ? 1 / length : 0;
    for (int i = 0; i < 3; i++) v[i] *= by;
}

/* Rows: the side, up, and back of a look along `along` (of length 1). */
static void look(const double along[3], const double up[3], skl_m3 out) {
    skl_v3_cross(along, up, out);
    unit(out);
    skl_v3_cross(out, along, out + 3);
    for (int i = 0; i < 3; i++) out[6 + i] = -along[i];
}

/* Turn the whole chain so that it looks at its goal with the chosen axis towards the pole. */
static void turn_to_pole(skl_ik_tree *tree, const double pole[3]) {
    const skl_blender_ik_job *job = tree->job;
    const skl_ik_joint *root = &tree->joints[0], *last = &tree->joints[job->goals[0].bone];
    double along[3], to_goal[3], to_pole[3], up[3];
    skl_m3 from, to, back;
    for (int i = 0; i < 3; i++) {
        along[i] = last->tail[i] - root->start[i];
        to_goal[i] = tree->goals[0][i] - root->start[i];
        to_pole[i] = pole[i] - root->start[i];
        up[i] = root->world[3 * i] * cos(job->pole_angle) + root->world[3 * i + 2] * sin(job->pole_angle);
    }
    unit(along);
    unit(to_goal);
    unit(to_pole);
    look(along, up, from);
    look(to_goal, to_pole, to);
    skl_m3_transpose(to, back);
    skl_m3_multiply(back, from, tree->outside);
}

/* Where the tip is to go; without a pole, its part of the way by the influence. */
static void read_goal(skl_ik_tree *tree, int64_t frame, int32_t g, const ik_frame *hangs) {
    const skl_blender_ik_job *job = tree->job;
    const skl_ik_goal *goal = &job->goals[g];
    const skl_ik_bone *tip = &job->bones[goal->bone];
    const float part = (float)goal->influence;
    float to[3], tail[3], from[3];
    into_frame(hangs, job->targets + 3 * (frame * job->num_targets + goal->target), to);
    if (!job->poles) {
        read_tail(at(tree, frame, tip->bone), tip->length, tail);
        skl_single_transform4(hangs->out_of, tail, 1, from);
        for (int i = 0; i < 3; i++) to[i] = from[i] * (1 - part) + to[i] * part;
    }
    for (int i = 0; i < 3; i++) tree->goals[g][i] = to[i] * tree->scale;
}

/* How the tip is to be turned, in the axes of the tree's parent; without a pole, its part by the influence. */
static void read_aim(skl_ik_tree *tree, int64_t frame, int32_t g, const ik_frame *hangs) {
    const skl_blender_ik_job *job = tree->job;
    const skl_ik_goal *goal = &job->goals[g];
    const skl_ik_joint *tip = &tree->joints[goal->bone];
    skl_m3 to;
    if (!goal->turns) return;
    const double *turn = job->turns + 9 * (frame * job->num_targets + goal->target);
    for (int c = 0; c < 3; c++) {
        const float from[3] = {(float)turn[c], (float)turn[3 + c], (float)turn[6 + c]};
        float axis[3];
        skl_single_transform4(hangs->out_of, from, 0, axis);
        for (int i = 0; i < 3; i++) tree->aims[g][3 * i + c] = axis[i];
    }
    if (job->poles || goal->influence >= 1) return;
    memcpy(to, tree->aims[g], sizeof to);
    skl_turn_between(tip->world, to, goal->influence, tree->aims[g]);
}

void skl_ik_read(skl_ik_tree *tree, int64_t frame) {
    const skl_blender_ik_job *job = tree->job;
    static const skl_m3 identity = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double *head = at(tree, frame, job->bones[0].bone);
    double pole[3];
    ik_frame hangs;
    hang(job->above >= 0 ? at(tree, frame, job->above) : NULL, head, &hangs);
    for (int32_t k = 0; k < job->num_bones; k++) read_joint(tree, k, frame, &hangs);
    scale_down(tree);
    memcpy(tree->outside, identity, sizeof identity);
    for (int32_t k = 0; k < job->num_bones; k++) skl_ik_joint_begin(&tree->joints[k]);
    skl_ik_place(tree);
    for (int32_t g = 0; g < job->num_goals; g++) {
        read_goal(tree, frame, g, &hangs);
        read_aim(tree, frame, g, &hangs);
    }
    if (job->poles && job->goals[0].places) {
        float to[3];
        into_frame(&hangs, job->poles + 3 * (frame * job->num_targets + job->goals[0].target), to);
        for (int i = 0; i < 3; i++) pole[i] = to[i] * tree->scale;
        turn_to_pole(tree, pole);
    }
}

void skl_ik_tree_free(skl_ik_tree *tree) {
    if (!tree) return;
    free(tree->joints);
    free(tree->goals);
    free(tree->aims);
    free(tree->jacobian);
    free(tree->frozen);
    free(tree);
}

skl_ik_tree *skl_ik_tree_new(const skl_blender_ik_job *job) {
    skl_ik_tree *tree = calloc(1, sizeof *tree);
    if (!tree) return NULL;
    tree->job = job;
    tree->joints = calloc((size_t)job->num_bones, sizeof *tree->joints);
    tree->goals = calloc((size_t)job->num_goals, sizeof *tree->goals);
    tree->aims = calloc((size_t)job->num_goals, sizeof *tree->aims);
    if (!tree->joints || !tree->goals || !tree->aims) return skl_ik_tree_free(tree), NULL;
    for (int32_t k = 0; k < job->num_bones; k++) {
        tree->joints[k].parent = job->bones[k].parent;
        skl_ik_joint_plan(&tree->joints[k], &job->bones[k], &tree->freedoms);
    }
    for (int32_t g = 0; g < job->num_goals; g++) tree->rows += 3 * (!!job->goals[g].places + !!job->goals[g].turns);
    tree->stride = tree->freedoms > 0 ? SKL_IK_EVEN(tree->freedoms) : 2;
    const size_t rows = (size_t)tree->rows, wide = (size_t)SKL_IK_EVEN(tree->rows), stride = (size_t)tree->stride;
    double *at_number = tree->jacobian =
        calloc(3 * rows * stride + 4 * rows * wide + 2 * wide + 5 * stride, sizeof(double));
    tree->frozen = calloc(stride, 1);
    if (!at_number || !tree->frozen) return skl_ik_tree_free(tree), NULL;
    tree->turned = (at_number += rows * stride);
    tree->spare = (at_number += rows * stride);
    tree->basis = (at_number += rows * stride);
    tree->spare_basis = (at_number += rows * wide);
    tree->gram = (at_number += rows * wide);
    tree->turns = (at_number += rows * wide);
    tree->error = (at_number += rows * wide);
    tree->longest = (at_number += wide);
    tree->norms = (at_number += wide);
    tree->weight = (at_number += stride);
    tree->root = (at_number += stride);
    tree->delta = (at_number += stride);
    tree->held = at_number + stride;
    for (int32_t k = 0; k < job->num_bones; k++) {
        const skl_ik_joint *joint = &tree->joints[k];
        const skl_ik_bone *bone = &job->bones[k];
        for (int32_t i = 0; i < joint->count; i++)
            tree->weight[joint->first + i] = 1 - fmin(fmax(bone->stiffness[joint->axes[i]], 0), 0.99);
        tree->limited |= bone->limited || joint->slide >= 0;
        if (joint->slide >= 0) tree->weight[joint->slide] = fmax(STRETCH_LEAST, bone->stretch * bone->stretch);
    }
    for (int32_t i = 0; i < tree->freedoms; i++) tree->root[i] = sqrt(tree->weight[i]);
    return tree;
}
