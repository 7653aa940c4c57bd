/* SPDX-License-Identifier: MIT */
/* Limits of Blender's IK. A step that breaks limits is taken back a limit at a time: what meets its limit is frozen
 * there, the error shrinks by its part, and the rest is solved again.
 *
 * First come all that stand at their limit already, together; then what is nearest to its limit. */
#include <math.h>
#include <string.h>

#include "ik_tree.h"
#include "ik_turns.h"

#define AT_ONCE 1e-9
#define SHORTEST 0.001

/* What meets its limit: a part of a joint with the steps that lead there. */
typedef struct ik_stop {
    skl_ik_joint *joint;
    int part; /* of a ball: SKL_IK_BENT or SKL_IK_TWIST; else 0, and `freedom` alone */
    int32_t freedom;
    double to_limit, steps[3];
} ik_stop;

static double inside(double value, double least, double most) { return fmin(fmax(value, least), most); }

/* Bring the sines of half the angles about X and Z inside, of an ellipse if both are limited: 1 if they were not. */
static int bend_inside(const skl_ik_bone *bone, double q[4]) {
    double least[2], most[2], *const at[2] = {&q[1], &q[3]};
    for (int i = 0; i < 2; i++) {
        least[i] = sin(bone->least[2 * i] / 2);
        most[i] = sin(bone->most[2 * i] / 2);
    }
    if ((bone->limited & 5) == 5) {
        const double x = q[1] / (q[1] > 0 ? most[0] : least[0]), z = q[3] / (q[3] > 0 ? most[1] : least[1]);
        const double outside = sqrt(x * x + z * z);
        if (!(outside > 1)) return 0;
        /* An axis without play is 0 / 0 inside, and has no part in the swing otherwise. */
        for (int i = 0; i < 2; i++) *at[i] = isfinite(outside) ? *at[i] / outside : inside(*at[i], least[i], most[i]);
        return 1;
    }
    const int i = bone->limited & 1 ? 0 : 1;
    const double to = inside(*at[i], least[i], most[i]);
    if (to >= *at[i] && to <= *at[i]) return 0;
    *at[i] = to;
    return 1;
}

/* Where a ball or swing comes to lie, with what is stuck already; returns the parts that newly meet a limit. */
static int limit_ball(skl_ik_joint *joint, const skl_ik_bone *bone, const double *delta, double steps[3]) {
    const int swing_only = joint->kind == SKL_IK_SWING;
    skl_m3 turned, swing, twist, back, change;
    double q[4];
    int met = 0;
    skl_ik_joint_turned(joint, delta, turned);
    double spin = swing_only ? 0 : skl_turn_twist(turned);
    skl_turn_bend(turned, q);
    if (joint->stuck & SKL_IK_TWIST) {
        spin = joint->spin;
    } else if (!swing_only && bone->limited & 2) {
        const double to = inside(spin, bone->least[1], bone->most[1]);
        if (to < spin || to > spin) met |= SKL_IK_TWIST;
        spin = to;
    }
    if (joint->stuck & SKL_IK_BENT) {
        q[1] = joint->swing[0];
        q[3] = joint->swing[1];
    } else if (swing_only ? (bone->limited & 5) == 5 : bone->limited & 5) {
        if (bend_inside(bone, q)) met |= SKL_IK_BENT;
    }
    joint->swing[0] = q[1];
    joint->swing[1] = q[3];
    joint->spin = spin;
    q[0] = sqrt(fmax(0, 1 - q[1] * q[1] - q[3] * q[3]));
    q[2] = 0;
    skl_m3_from_quaternion(q, swing);
    skl_turn_about(1, spin, twist);
    skl_m3_multiply(swing, twist, joint->inside);
    skl_m3_transpose(joint->turn, back);
    skl_m3_multiply(back, joint->inside, change);
    skl_turn_vector(change, steps);
    return met;
}

static void freeze_one(skl_ik_tree *tree, int32_t freedom, double step) {
    tree->frozen[freedom] = 1;
    tree->held[freedom] = step;
    tree->norms[freedom] = 0;
    for (int32_t row = 0; row < tree->rows; row++) {
        double *column = &tree->jacobian[row * tree->stride + freedom];
        tree->error[row] -= *column * step; /* as in Blender: the column with its weight, the step without */
        *column = 0;
    }
}

static void freeze(skl_ik_tree *tree, const ik_stop *stop) {
    tree->to_limit = fmax(tree->to_limit, stop->to_limit);
    if (!stop->part) {
        freeze_one(tree, stop->freedom, stop->steps[0]);
        return;
    }
    stop->joint->stuck |= stop->part;
    for (int32_t i = 0; i < stop->joint->count; i++) {
        const int axis = stop->joint->axes[i];
        if ((axis == 1) == (stop->part == SKL_IK_TWIST)) freeze_one(tree, stop->joint->first + i, stop->steps[axis]);
    }
}

/* Freeze it where it stands at the limit, else keep it if it is the nearest so far; returns 1 if it is frozen. */
static int consider(skl_ik_tree *tree, const ik_stop *stop, ik_stop *nearest) {
    if (stop->to_limit < AT_ONCE) {
        freeze(tree, stop);
        return 1;
    }
    if (!nearest->joint || stop->to_limit < nearest->to_limit) *nearest = *stop;
    return 0;
}

/* One number between two: an angle of a hinge, or a length. */
static int consider_number(skl_ik_tree *tree, ik_stop stop, double now, double least, double most, ik_stop *nearest) {
    const double to = now + tree->delta[stop.freedom], kept = inside(to, least, most);
    if (tree->frozen[stop.freedom] || (kept >= to && kept <= to)) return 0;
    stop.steps[0] = kept - now;
    stop.to_limit = fabs(stop.steps[0]);
    return consider(tree, &stop, nearest);
}

/* How far a swing goes to its limit: of the axes that are limited, the nearest. */
static double bend_to_limit(const skl_ik_bone *bone, const double steps[3]) {
    const double x = fabs(steps[0]), z = fabs(steps[2]);
    return (bone->limited & 5) == 5 ? fmin(x, z) : bone->limited & 1 ? x : z;
}

static int consider_joint(skl_ik_tree *tree, skl_ik_joint *joint, const skl_ik_bone *bone, ik_stop *nearest) {
    ik_stop stop = {.joint = joint};
    int frozen = 0;
    if (joint->slide >= 0) {
        stop.freedom = joint->slide;
        frozen |= consider_number(tree, stop, joint->length, SHORTEST, HUGE_VAL, nearest);
    }
    if (!bone->limited || joint->kind == SKL_IK_FIXED) return frozen;
    if (joint->kind == SKL_IK_BALL || joint->kind == SKL_IK_SWING) {
        const int met = limit_ball(joint, bone, tree->delta, stop.steps);
        for (stop.part = SKL_IK_BENT; stop.part <= SKL_IK_TWIST; stop.part++) {
            stop.to_limit = stop.part == SKL_IK_TWIST ? fabs(stop.steps[1]) : bend_to_limit(bone, stop.steps);
            if (met & stop.part) frozen |= consider(tree, &stop, nearest);
        }
        return frozen;
    }
    for (int32_t i = 0; i < joint->count; i++) {
        const int axis = joint->axes[i];
        stop.freedom = joint->first + i;
        if (bone->limited >> axis & 1)
            frozen |= consider_number(tree, stop, joint->angle[joint->kind == SKL_IK_BEND && axis == 1],
                                      bone->least[axis], bone->most[axis], nearest);
    }
    return frozen;
}

/* Freeze what comes next: 0 if the step breaks no limit. */
static int freeze_next(skl_ik_tree *tree) {
    ik_stop nearest = {0};
    int frozen = 0;
    for (int32_t k = 0; k < tree->job->num_bones; k++)
        frozen |= consider_joint(tree, &tree->joints[k], &tree->job->bones[k], &nearest);
    if (nearest.joint) freeze(tree, &nearest);
    return frozen || nearest.joint;
}

void skl_ik_step_inside(skl_ik_tree *tree) {
    skl_ik_step(tree);
    tree->to_limit = 0;
    if (!tree->limited) return;
    memset(tree->frozen, 0, (size_t)tree->stride);
    for (int32_t k = 0; k < tree->job->num_bones; k++) tree->joints[k].stuck = 0;
    while (freeze_next(tree)) {
        skl_ik_step(tree);
        for (int32_t j = 0; j < tree->freedoms; j++)
            if (tree->frozen[j]) tree->delta[j] = tree->held[j];
    }
}
