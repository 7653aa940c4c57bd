/* SPDX-License-Identifier: MIT */
/* Limbs for which the closed form is not the whole answer: scale inside of the chain that differs between the axes, and
 * joint limits. Rows that the closed form answers stay as they are. */
#pragma once

#include "limb_pose.h"

/* Replace row i of a tile, solved at weight 1, where the pose would miss what the closed form says, or a joint would be
 * outside of its limits; then take the turns in part. Sets f->corrected and, with it, f->why. */
void skl_limb_correct(skl_limb_tile *tile, int i, skl_limb_frame *f, const skl_chain_limits *limits);
