/* SPDX-License-Identifier: MIT */
/* The smoothest way that a body and its ankles can go, if standing feet are to be at their places.
 *
 * Unknown in every frame are the body's shift b, common to the hips, the offset o of every ankle that does not stand,
 * and for every leg y, the part of its knee's change that is no noise. Wanted is the least of
 *
 *   the sum over frames of  h { body (|b''|^2 + spring |b|^2) + for each leg
 *       |o'' - b''|^2 + spring |o - b|^2  +  ankle (|o''|^2 + spring |o|^2)
 *       + flexion r^2 + flexion_jerk y''^2 + split (r - y)^2 }
 *
 * where h is the time from frame to frame, '' a second difference over h^2, and r = g (v . (b - o) - (target - d)) the
 * change of the knee's flexion, linear about the original: v points from ankle to hip and g is how fast flexion grows
 * as they come apart, both of the `line` that follows the motion without its noise; d is the distance of hip and ankle,
 * and the target is d, or the whole leg where its knee is bent backward. Noise along the leg alone thus moves nothing:
 * what of r is faster than (flexion_jerk / split)^(1/4), 10 ms, costs split r^2 and no more; up to 4 times that where
 * a knee is nearly straight and the original's leg is calm. Lengths count in `length`. No leg gets longer than its
 * `reach`, no ankle lower than `lowest`, and |b''| stays within `acceleration`; where these cannot be kept together a
 * leg's reach gives way first. Second differences do not cross a cut. The problem is convex and has one solution, which
 * depends continuously on all that is given. What is given in one frame fades in others with e^(-t spring^(1/4) /
 * sqrt(2)). */
#pragma once

#include "skelkin/skelkin.h"

/* Numbers per frame that a job hands on to the next: places of body, ankles and calm parts, and forces of bounds. */
#define SKL_PATHS_BEFORE(num_legs) (8 * (num_legs) + 4)

/* What counts how much. */
typedef struct skl_path_weights {
    double body;         /* the body's shift, beside the legs' change */
    double ankle;        /* an ankle's offset in space, beside that from its hip */
    double flexion;      /* the change of a knee's flexion, per radian^2 and second */
    double flexion_jerk; /* the second derivative of its calm part, s^4 per radian^2 and second */
    double split;        /* what of the change is no part of that, per radian^2 and second */
    double spring;       /* how strongly paths go back to the original, 1/s^4 */
    double acceleration; /* bound of the body's added acceleration, lengths/s^2 */
} skl_path_weights;

/* One leg; vectors are num_frames x 3, numbers num_frames. */
typedef struct skl_path_leg {
    const double *hip, *ankle; /* of the original, */
    const double *line;        /* from ankle to hip, without noise */
    const double *bones;       /* thigh and shin together */
    const double *flexion; /* of the original's knee; below 0 where it is bent backward, else nothing of it counts */
    const double *reach;   /* the longest distance from hip to ankle */
    const double *lowest;  /* the least offset along up; -INFINITY where there is none */
    const uint8_t *stands; /* whether the ankle is held, */
    const double *held;    /* at this offset */
    double *offset;        /* out */
} skl_path_leg;

typedef struct skl_smooth_paths_job {
    int64_t num_frames, num_legs;
    const skl_path_leg *legs;
    const uint8_t *free; /* num_frames: whether anything may move */
    const uint8_t *cuts; /* num_frames: whether a frame does not follow on the one before it; NULL: all do */
    double up[3];
    double length;       /* the unit of lengths: a leg */
    double frame_time;   /* seconds */
    int body_moves;      /* whether there is a body to shift, and it is not known */
    const double *shift; /* num_frames x 3: how the body is shifted, where that is known; else NULL */
    int heights_only;    /* whether all move along up alone */
    skl_path_weights weights;
    double *before; /* num_frames x SKL_PATHS_BEFORE(num_legs), or NULL; out: what the next job may begin with; 0 at
                       first */
    double *body;   /* out, num_frames x 3 */
    int stays_open; /* whether the problem is kept in `open`, to be solved again with another `lowest` and nothing else
                     */
    struct skl_paths_solver *open; /* NULL at first */
    double objective;              /* out: what was made least */
    int64_t rounds;                /* out: linear systems solved */
    skl_status status;
} skl_smooth_paths_job;

/* SKL_OK; SKL_NO_MEMORY or SKL_STOPPED with nothing written that counts. */
skl_code skl_smooth_paths_run(skl_smooth_paths_job *job);

/* Free what is open; jobs that do not stay so have nothing to free. */
void skl_smooth_paths_close(skl_smooth_paths_job *job);
