/* SPDX-License-Identifier: MIT */
/* What the joints of Blender's IK do: about which axes they turn, and what is left of a rotation they cannot have. */
#include <math.h>
#include <string.h>

#include "ik_tree.h"
#include "ik_turns.h"

void skl_ik_joint_plan(skl_ik_joint *joint, const skl_ik_bone *bone, int32_t *freedoms) {
    joint->first = *freedoms;
    for (int axis = 0; axis < 3; axis++)
        if (!(bone->locked >> axis & 1)) joint->axes[joint->count++] = axis;
    joint->kind = joint->count == 3   ? SKL_IK_BALL
                  : joint->count == 2 ? (bone->locked & 2 ? SKL_IK_SWING : SKL_IK_BEND)
                  : joint->count      ? SKL_IK_HINGE
                                      : SKL_IK_FIXED;
    *freedoms += joint->count;
    joint->slide = bone->stretch > 0 ? (*freedoms)++ : -1;
}

/* A hinge about X or Z takes its angle from the rotation as Rx @ Ry @ Rz, one about Y its twist. */
static double angle_about(const skl_m3 turn, int axis) {
    return axis == 1 ? skl_turn_twist(turn) : axis == 0 ? atan2(-turn[5], turn[8]) : atan2(-turn[1], turn[0]);
}

/* The other axis of a joint that bends about X or Z and then twists; the axis of a hinge. */
static int bend_axis(const skl_ik_joint *joint) { return joint->axes[joint->count == 2 && joint->axes[0] == 1]; }

static void set_local(skl_ik_joint *joint) { skl_m3_multiply(joint->rest, joint->turn, joint->local); }

static void from_angles(skl_ik_joint *joint) {
    skl_m3 bend, twist;
    skl_turn_about(bend_axis(joint), joint->angle[0], bend);
    if (joint->kind == SKL_IK_BEND) {
        skl_turn_about(1, joint->angle[1], twist);
        skl_m3_multiply(bend, twist, joint->turn);
    } else {
        memcpy(joint->turn, bend, sizeof bend);
    }
    set_local(joint);
}

void skl_ik_joint_begin(skl_ik_joint *joint) {
    skl_m3 swing;
    set_local(joint);
    memcpy(joint->before, joint->turn, sizeof joint->turn);
    joint->turned = 0;
    switch (joint->kind) {
    case SKL_IK_BALL:
        break;
    case SKL_IK_SWING:
        skl_turn_swing(joint->turn, swing);
        memcpy(joint->turn, swing, sizeof swing);
        set_local(joint);
        break;
    case SKL_IK_BEND:
        joint->angle[1] = skl_turn_twist(joint->turn); /* fall through */
    case SKL_IK_HINGE:
        joint->angle[0] = angle_about(joint->turn, bend_axis(joint));
        from_angles(joint);
        break;
    case SKL_IK_FIXED:
        skl_turn_about(0, 0, joint->turn);
        set_local(joint);
        break;
    }
}

void skl_ik_joint_turned(const skl_ik_joint *joint, const double *delta, skl_m3 out) {
    double by[3] = {0, 0, 0};
    for (int i = 0; i < joint->count; i++)
        if (!(joint->stuck & (joint->axes[i] == 1 ? SKL_IK_TWIST : SKL_IK_BENT)))
            by[joint->axes[i]] = delta[joint->first + i];
    skl_turn_by(joint->turn, by, out);
}

void skl_ik_joint_turn(skl_ik_joint *joint, const double *delta) {
    skl_m3 turned;
    joint->turned = 1;
    switch (joint->kind) {
    case SKL_IK_BALL:
    case SKL_IK_SWING:
        if (joint->stuck) {
            memcpy(joint->turn, joint->inside, sizeof turned);
        } else if (joint->kind == SKL_IK_BALL) {
            skl_turn_by(joint->turn, delta + joint->first, joint->turn);
        } else {
            skl_ik_joint_turned(joint, delta, turned);
            skl_turn_swing(turned, joint->turn);
        }
        set_local(joint);
        break;
    case SKL_IK_HINGE:
        joint->angle[0] += delta[joint->first];
        from_angles(joint);
        break;
    case SKL_IK_BEND:
        for (int i = 0; i < 2; i++) joint->angle[joint->axes[i] == 1] += delta[joint->first + i];
        from_angles(joint);
        break;
    case SKL_IK_FIXED:
        break;
    }
    if (joint->slide >= 0) joint->length += delta[joint->slide];
}

void skl_ik_joint_axis(const skl_ik_joint *joint, int32_t i, double out[3]) {
    const int axis = joint->axes[i];
    if (joint->kind == SKL_IK_BEND && axis != 1 && joint->turned) {
        /* The axis of the bend lies before the twist; in Blender's first step it is still taken behind it. */
        const double c = cos(joint->angle[1]), s = sin(joint->angle[1]);
        const double own[3] = {axis == 0 ? c : -s, 0, axis == 0 ? s : c};
        skl_m3_transform(joint->world, own, out);
    } else {
        skl_ik_column(joint->world, axis, out);
    }
}
