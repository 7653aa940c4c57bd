/* SPDX-License-Identifier: MIT */
#pragma once

#include "skelkin/planting.h"

/* What skl_plant_learn is given is there and within its bounds; where the frames to work on have no last one, it is
 * set.
 */
skl_code skl_check_plant(const skl_plant_motion *motion, skl_plant_options *options, const skl_ground *ground,
                         skl_status *status);
