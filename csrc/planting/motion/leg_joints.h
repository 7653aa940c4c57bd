/* SPDX-License-Identifier: MIT */
#ifndef SKL_LEG_JOINTS_H
#define SKL_LEG_JOINTS_H

#include "skelkin/skelkin.h"

/* The joints of a leg are those of the skeleton, and hang from each other; `toe` and `heel` may be -1. */
skl_code skl_check_leg_joints(const skl_skeleton *skeleton, const int32_t chain[3], int32_t toe, int32_t heel,
                              skl_status *status);

#endif
