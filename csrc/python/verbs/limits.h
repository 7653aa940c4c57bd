/* SPDX-License-Identifier: MIT */
/* Joint limits out of the arrays that JointLimits makes. */
#ifndef SKL_PY_LIMITS_H
#define SKL_PY_LIMITS_H

#include "python/base/numpy_api.h"

#include "skelkin/skelkin.h"

/* A new block of `count` limits for PyMem_Free; NULL with an exception set. */
skl_joint_limit *skl_py_take_limits(PyObject *joints, PyObject *numbers, int64_t *count);

/* The same of None, which gives no limits (NULL), or of what JointLimits.resolved returns, joints and numbers; returns
 * 0 with an exception set. */
int skl_py_take_given_limits(PyObject *given, skl_joint_limit **limits, int64_t *count);

#endif
