/* SPDX-License-Identifier: MIT */
/* skelkin: forward kinematics, skinning and inverse kinematics over strided buffers.
 *
 * This header includes all others; each of them may also be
 * included alone, from C11 and from C++17. Every verb is a job: fill a plain struct, call `skl_<verb>_run(&job)`,
 * look at the code that comes back. A job that fails has written nothing to its output (unless it was asked to stop)
 * and says in `job.status` which argument broke which rule where; `skl_status_text` puts that into a sentence.
 *
 * Begin with a job of zeros: `= {0}`, in C++ `= {}`. A member may be left so where its comment says what `0:`, `NULL:`
 * or (of an array) `data NULL:` means; any other that was forgotten is an answer, not a crash: SKL_BAD_VALUE, "out: it
 * is missing". What arrays hold is trusted to be as long as shapes and numbers say.
 *
 * Conventions: column vectors, M @ v; matrices are 4 x 4 (or 3 x 4: the last row is taken to be 0 0 0 1 and never
 * read) in row-major order with the translation in the last column; quaternions are w x y z and are normalised on
 * input; angles are radians; `local` is relative to the parent, `global` to the model.
 *
 * Threads: every function may be called from any thread at once; objects are not changed after their init. A job runs
 * on the calling thread alone unless skl_set_num_threads has set more.
 * Memory: init functions allocate, `_free` frees; jobs allocate scratch of the size of a block at most.
 *
 *   base.h             arrays, status, kernels and threads
 *   skeleton.h         the hierarchy of joints and its rest pose
 *   kinematics.h       forward kinematics and the way back
 *   skinning.h         skin weights, and points that follow joints
 *   ik.h               limbs of two bones, joint limits
 *   planting.h         feet that slide, float or sink, held on the ground
 *   turns.h            joints that point, lie along the ground, follow positions
 *   fabrik.h           chains and trees
 *   transforms.h       matrices, quaternions, changes of basis
 *   blender.h          what Blender computes: words that the next ones share
 *   blender_pose.h     poses from the channels of bones
 *   blender_bbones.h   bendy bones
 *   blender_deform.h   the Armature modifier
 *   blender_fcurves.h  F-curves
 *   blender_keys.h     few keys for known curves
 *   blender_ik.h       the IK constraint
 */
#ifndef SKELKIN_H
#define SKELKIN_H

#define SKL_VERSION_MAJOR 0
#define SKL_VERSION_MINOR 2
#define SKL_VERSION_PATCH 0

#include "skelkin/base.h"
#include "skelkin/skeleton.h"
#include "skelkin/kinematics.h"
#include "skelkin/skinning.h"
#include "skelkin/ik.h"
#include "skelkin/planting.h"
#include "skelkin/turns.h"
#include "skelkin/fabrik.h"
#include "skelkin/transforms.h"
#include "skelkin/blender.h"
#include "skelkin/blender_pose.h"
#include "skelkin/blender_bbones.h"
#include "skelkin/blender_deform.h"
#include "skelkin/blender_fcurves.h"
#include "skelkin/blender_keys.h"
#include "skelkin/blender_ik.h"

#endif
