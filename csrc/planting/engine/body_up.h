/* SPDX-License-Identifier: MIT */
/* Which way is up, as the motion itself says. */
#pragma once

#include <stdint.h>

/* The result where nothing shows it. */
#define SKL_NO_UP "no direction leads from the feet to the head: give one"

/* The axis along which the body stands in a rest pose whose feet and top are so far apart; 0 where none is clear. */
int skl_rest_up(const double rest[3], double up[3]);

/* Whether lowest joints keep stiller along the rest pose's axis than along the body's: then a floor is there. Heights,
 * num_frames each, are left in another order. */
int skl_floor_is_there(int64_t num_frames, double *along_rest, double *along_body);

/* The axis nearest to the mean direction from the feet to the top of the body; `share` is how much of that lies along
 * it, -1 to 1. `top` and `feet` are num_frames x 3; `rest`, from feet to top in the rest pose, or NULL, decides in
 * clips that do not stand all the time. 0 where top and feet coincide on average. */
int skl_body_up(int64_t num_frames, const double *top, const double *feet, const double *rest, double fps, double up[3],
                double *share);
