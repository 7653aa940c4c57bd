/* SPDX-License-Identifier: MIT */
/* Easing equations after Robert Penner, in float32. */
#pragma once

#include "skelkin/blender_fcurves.h"

/* Value `time` after the key `from`, `duration` before the next one, which differs by `change`. */
float skl_fcurve_ease(skl_interpolation interpolation, skl_easing easing, const skl_fcurve_key *from, float time,
                      float change, float duration);
