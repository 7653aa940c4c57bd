/* SPDX-License-Identifier: MIT */
/* FABRIK: chains and trees.
 *
 * A chain is a row of joints, the first of which stays where it is; a tree has one root, and a target for some of its
 * leaves. Bone lengths are those of the input. */
#ifndef SKELKIN_FABRIK_H
#define SKELKIN_FABRIK_H

#include "skelkin/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Items of `positions` and `out` are num_joints x 3 numbers, `step` bytes from one joint to the next; those of `target`
 * num_targets x 3, of `pole` 3; `out_status` bytes, `out_error` numbers, `out_iterations` int32.
 *
 * `tolerance` is a part of the longest path from the root to a target, 0 < t < 1. A chain that is there already keeps
 * its bits, and so does one with a number that is not finite (SKL_BAD_INPUT, error not a number). Targets out of reach
 * (one target only): the chain lies straight towards it (SKL_TOO_FAR); the longest bone is longer than the rest and the
 * distance together: that bone towards it, the others back (SKL_TOO_CLOSE). Joints of a tree that are on no path to a
 * target are carried along rigidly with the nearest joint above that is. `out` must not overlap with the inputs. */
typedef struct skl_solve_fabrik_job {
    skl_dtype dtype;
    int64_t num_joints; /* at least 2 */
    const int32_t
        *parents; /* parents[j] < j, -1 for the first alone; NULL: each joint is a child of the one before it */
    int64_t num_targets;
    const int32_t *leaves; /* the joint of each target; NULL: the last joint */
    double tolerance;
    int32_t max_iterations; /* at least 1 */
    skl_array positions, target;
    skl_array pole; /* a point to whose side the middle of a chain goes; data NULL: none. One target only */
    skl_array out, out_status, out_error, out_iterations;
    skl_status status;
} skl_solve_fabrik_job;
skl_code skl_solve_fabrik_run(skl_solve_fabrik_job *job);

#ifdef __cplusplus
}
#endif

#endif
