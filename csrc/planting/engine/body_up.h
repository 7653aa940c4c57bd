/* SPDX-License-Identifier: MIT */
/* Which way is up, as the motion itself says. */
#ifndef SKL_BODY_UP_H
#define SKL_BODY_UP_H

#include <stdint.h>

/* The axis nearest to the mean direction from the feet to the top of the body; `share` is how much of that lies along
 * it, -1 to 1. `top` and `feet` are num_frames x 3; `rest`, from feet to top in the rest pose, or NULL, tells of clips
 * that do not stand all the time. 0 where top and feet coincide on average. */
int skl_body_up(int64_t num_frames, const double *top, const double *feet, const double *rest, double fps, double up[3],
                double *share);

#endif
