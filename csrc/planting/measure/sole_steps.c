/* SPDX-License-Identifier: MIT */
#include "sole_steps.h"

#include "core/base/stop.h"
#include "core/transforms/vector3.h"

#include <math.h>

/* The step of point 1 or 2 of the sole behind frame f. */
static void step_of(const skl_sole_motion *m, int64_t point, int64_t f, double *restrict out) {
    const double *at = m->sole + 3 * (point * m->num_frames + f);
    skl_v3_minus(at + 3, at, out);
    if (m->carried) {
        const double *ground = m->carried + 3 * ((point - 1) * (m->num_frames - 1) + f);
        for (int i = 0; i < 3; i++) out[i] -= ground[i];
    }
    const double rise = skl_v3_dot(out, m->up);
    for (int i = 0; i < 3; i++) out[i] -= rise * m->up[i] + m->ground_step[i];
}

void skl_sole_steps(const skl_sole_motion *m, double *steps, double *ball_steps, double *speed) {
    enum { BALL = 1, BACK = 2 };
    speed[0] = 0;
    for (int64_t f = 0; f + 1 < m->num_frames && skl_goes_on(f); f++) {
        const int on_heel = m->roll[f] > 0 || m->roll[f + 1] > 0;
        step_of(m, BALL, f, ball_steps + 3 * f);
        step_of(m, on_heel ? BACK : BALL, f, steps + 3 * f);
        speed[f + 1] = sqrt(skl_v3_dot(steps + 3 * f, steps + 3 * f)) * m->fps;
        if (f == 0) speed[0] = speed[1];
    }
}
