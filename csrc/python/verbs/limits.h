/* SPDX-License-Identifier: MIT */
/* Joint limits out of the arrays that JointLimits makes. */
#pragma once

#include "python/base/numpy_api.h"

#include "skelkin/skelkin.h"

/* The rows of an array of JOINT_LIMIT, which live as long as it does; none of None. 0 with an exception set. */
int skl_py_take_limits(PyObject *module, PyObject *given, const skl_joint_limit **limits, int64_t *count);
