/* SPDX-License-Identifier: MIT */
/* The pose inside of its limits that brings a limb's end nearest to a point, where none reaches it. */
#pragma once

#include "limb_descent.h"

/* The best of what is found from `pose`, and from the best of a coarse net of poses. Of several that
 * are as good as each other, the one whose knee is nearest to `knee`, a place in the frame of the goal. */
void skl_limb_nearest(skl_limb_search *s, const double knee[3], skl_limb_numbers *pose);
