/* SPDX-License-Identifier: MIT */
/* Blender's IK constraint: it iterates trees of bones towards goals.
 *
 * A tree is what the solver takes at once: the bones of one chain, or of several chains that share bones. It is solved
 * as selectively damped least squares (S. R. Buss, J.-S. Kim, "Selectively damped least squares for inverse
 * kinematics", 2005) with the constants that Blender was measured to use. */
#ifndef SKELKIN_BLENDER_IK_H
#define SKELKIN_BLENDER_IK_H

#include "skelkin/blender.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A bone of the tree. Bits 0 to 2 of `locked` and `limited` are the axes X, Y, Z. */
typedef struct skl_ik_bone {
    int32_t bone;   /* of the pose */
    int32_t parent; /* index in the tree, below its own; -1: the first alone */
    int32_t locked, limited;
    double rest[9]; /* Bone.matrix */
    double length;  /* Bone.length */
    double stiffness[3], least[3], most[3];
    double stretch; /* 0: it keeps its length */
} skl_ik_bone;

/* The tail of a bone of the tree is to go to a target, or the bone to turn like it, or both. */
typedef struct skl_ik_goal {
    int32_t bone;   /* index in the tree */
    int32_t target; /* column of the targets, of their turns and of the poles */
    int32_t places, turns;
    double weight, turn_weight, influence;
} skl_ik_goal;

/* Poses are num_frames x num_pose_bones x 4 x 4 in armature space, and are solved where they lie; `targets` are
 * num_frames x num_targets points in the same space, and so are `poles`, those of the one goal; `turns` are
 * num_frames x num_targets x 9, rotations row by row. `followers` are
 * pairs (bone of the pose, index of the bone in the tree it is a child of), of bones outside the tree. */
typedef struct skl_blender_ik_job {
    int64_t num_frames; /* 0: nothing is done */
    int64_t num_pose_bones, num_targets;
    double *pose;
    int32_t num_bones, num_goals;
    int32_t num_followers; /* 0: none */
    int32_t above;         /* bone of the pose whose child the tree is, -1 for none; 0: the first */
    const skl_ik_bone *bones;
    const skl_ik_goal *goals;
    const int32_t *followers;
    const double *targets;
    const double *turns; /* NULL: no goal turns */
    const double *poles; /* NULL: none */
    double pole_angle;   /* 0: none */
    int32_t iterations;  /* 0: none */
    skl_status status;
} skl_blender_ik_job;
skl_code skl_blender_ik_run(skl_blender_ik_job *job);

#ifdef __cplusplus
}
#endif

#endif
