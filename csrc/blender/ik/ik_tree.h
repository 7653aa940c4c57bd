/* SPDX-License-Identifier: MIT */
/* A tree of bones while it is solved: how the files ik*.c hand it on.
 *
 *   ik_setup.c     skl_ik_read      from a pose to the tree, in units of its whole length
 *   ik_single.c                     in single precision
 *   ik_solve.c     skl_ik_solve     the iteration
 *   ik_step.c      skl_ik_step      one step of it: from Jacobian and error to angles
 *   ik_limits.c                     a step that stays inside of the limits
 *   ik_joint.c     skl_ik_joint_*   what a joint does with its rotation
 *   ik_apply.c     skl_ik_write     from the tree to the pose
 *
 * Matrices are 3 x 3 row by row, columns are axes. */
#pragma once

#include "core/transforms/matrix3.h"
#include "core/transforms/vector3.h"
#include "skelkin/blender_ik.h"

typedef enum skl_ik_kind { SKL_IK_BALL, SKL_IK_SWING, SKL_IK_BEND, SKL_IK_HINGE, SKL_IK_FIXED } skl_ik_kind;

/* Rows have an even number of numbers, the last 0 where there is none. */
#define SKL_IK_EVEN(n) (((n) + 1) & ~1)

/* Parts of a ball that a limit may stop. */
enum { SKL_IK_BENT = 1, SKL_IK_TWIST = 2 };

/* A joint and the bone behind it. */
typedef struct skl_ik_joint {
    int32_t parent;
    skl_ik_kind kind;
    int32_t first, count; /* its degrees of freedom in rotation */
    int32_t axes[3];      /* of rotation, one for each */
    int32_t slide;        /* that of its length, or -1 */
    int turned;           /* a step has been made */
    int stuck;            /* parts stopped in this step; then */
    double swing[2], spin;
    skl_m3 inside;       /* is where the joint goes */
    skl_m3 rest;         /* as Bone.matrix, which need not be quite orthogonal */
    skl_m3 turn, before; /* the rotation after it, now and as it was read */
    skl_m3 local;        /* rest @ turn */
    skl_m3 world;        /* in the frame of the parent of the tree */
    double offset[3];    /* from the parent's tail, in the parent's axes */
    double length, read_length;
    double start[3], tail[3];
    double angle[2]; /* of a hinge; of a bend and the twist behind it */
} skl_ik_joint;

typedef struct skl_ik_tree {
    const skl_blender_ik_job *job;
    skl_ik_joint *joints;
    int32_t freedoms, rows, stride; /* numbers in a row of the Jacobian, even */
    int limited;                    /* something may meet a limit */
    double scale;
    double (*goals)[3];
    skl_m3 *aims;         /* how the goals that turn are to be turned */
    skl_m3 outside;       /* turn of the whole by the pole */
    double *jacobian;     /* rows x stride; columns times the root of their weight */
    double *turned;       /* rows x stride: basis @ jacobian */
    double *basis;        /* rows x even rows: left singular vectors, row by row; kept from step to step */
    double *gram, *turns; /* rows x even rows, for the step */
    double *spare, *spare_basis;
    double *error;         /* even rows */
    double *longest;       /* of each goal: the largest error that counts in full */
    double *norms;         /* stride: lengths of the Jacobian's columns, summed over the goals */
    double *weight, *root; /* stride: of each degree of freedom, and its square root */
    double *delta;         /* stride: the step */
    double *held;          /* stride: of what is frozen */
    char *frozen;
    double to_limit; /* the longest that something went to its limit in this step */
} skl_ik_tree;

/* Memory for a tree of the job: NULL without memory. */
skl_ik_tree *skl_ik_tree_new(const skl_blender_ik_job *job);
void skl_ik_tree_free(skl_ik_tree *tree);

void skl_ik_read(skl_ik_tree *tree, int64_t frame);
void skl_ik_place(skl_ik_tree *tree); /* where joints and tails are */
void skl_ik_solve(skl_ik_tree *tree);
void skl_ik_write(const skl_ik_tree *tree, int64_t frame, double *scratch);

/* `delta` from `jacobian` and `error`, at first without a look at limits. */
void skl_ik_step(skl_ik_tree *tree);
void skl_ik_step_inside(skl_ik_tree *tree);

/* Count the bone's degrees of freedom; set the joint's kind and axes. */
void skl_ik_joint_plan(skl_ik_joint *joint, const skl_ik_bone *bone, int32_t *freedoms);
/* From `turn`, as far as the joint can have it. */
void skl_ik_joint_begin(skl_ik_joint *joint);
void skl_ik_joint_turn(skl_ik_joint *joint, const double *delta);
/* The rotation of a ball or swing after the steps of what is not stuck. */
void skl_ik_joint_turned(const skl_ik_joint *joint, const double *delta, skl_m3 out);
/* The axis of a degree of freedom of rotation, in the frame of the parent of the tree. */
void skl_ik_joint_axis(const skl_ik_joint *joint, int32_t i, double out[3]);

static inline void skl_ik_column(const skl_m3 m, int column, double out[3]) {
    for (int i = 0; i < 3; i++) out[i] = m[3 * i + column];
}
