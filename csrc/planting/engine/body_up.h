/* SPDX-License-Identifier: MIT */
/* Which way is up, as the motion itself says. */
#pragma once

#include <stdint.h>

/* The result where nothing shows it. */
#define SKL_NO_UP "no direction leads from the feet to the head: give one"

/* Where a body goes: num_frames x 3 each. */
typedef struct {
    int64_t num_frames;
    const double *top;  /* the head, or the hips where there is none */
    const double *hips; /* their mean */
    const double *feet; /* the mean of the ankles */
    const double *rest; /* from feet to top in the rest pose; NULL where there is none */
    double fps;
} skl_body_path;

/* The axis nearest to the mean direction from the feet to the top of the body; `share` is how much of that lies along
 * it, -1 to 1. The rest pose decides in clips that do not stand all the time. 0 where top and feet coincide on
 * average. */
int skl_body_up(const skl_body_path *body, double up[3], double *share);

/* Whether that is a guess, in a clip with a rest pose: the body leans far, or its direction is not that of its legs or
 * of its rest pose, as on four legs and in a crawl. */
int skl_up_is_doubtful(const skl_body_path *body, const double up[3], double share);

/* Of the axes along which such a body, its legs or its rest pose rise, takes that with a floor: the lowest joints keep
 * stiller along it. `lowest`: how high the lowest joint is along +X, +Y, +Z, -X, -Y and -Z, 6 x num_frames, left in
 * another order. */
void skl_floor_up(const skl_body_path *body, double *lowest, double up[3], double *share);
