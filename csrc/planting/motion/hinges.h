/* SPDX-License-Identifier: MIT */
/* Knees as hinges: where a leg's axis is, and how far knees are bent about it. In double; nothing here can fail.
 *
 *   skl_knee_angles       between thigh and shin
 *   skl_find_hinge        a leg's hinge, from a whole clip
 *   skl_knee_flexions     signed, about it
 *
 * Vectors of frames are packed, num_frames x 3; `upper` is the linear part of the thigh's global matrix, num_frames x
 * 9, of any scale. An axis is a unit vector in the thigh's own axes, about which a positive turn of the shin is
 * flexion; 0 0 0 is that of a leg which never shows it. All but skl_find_hinge looks at each frame alone. Outputs may
 * be no inputs. */
#pragma once

#include <stdint.h>

/* Where the joints of a leg are. */
typedef struct skl_leg_motion {
    int64_t num_frames;
    const double *hip, *knee, *ankle;
} skl_leg_motion;

/* Degrees, 180 is a straight leg. */
void skl_knee_angles(const skl_leg_motion *leg, double *out);

typedef struct skl_hinge {
    double axis[3];
    double most; /* degrees: the largest flexion, to either side, that three frames reach */
} skl_hinge;

/* Axes of frames count by the sine of their flexion, and by less the farther they are off the rest. Where less than 40
 * degrees were seen, the rest pose and the toes count as well, and below 10 they alone.
 *
 * `forward` points from ankle to toes, num_frames x 3, or is NULL; `rest` is the axis of the rest pose as long as the
 * sine of its flexion, 0 0 0 where it is not known. Which side is flexion: that to which the leg bends, unless captured
 * bends disagree; then toes and rest pose decide. `scratch` is for 3 x num_frames. */
void skl_find_hinge(const skl_leg_motion *leg, const double *upper, const double *forward, const double rest[3],
                    double *scratch, skl_hinge *out);

/* Degrees; negative on the wrong side of the hinge, and smoothly from one side to the other where the knee bends
 * sideways, 60 to 120 degrees off it. */
void skl_knee_flexions(const skl_leg_motion *leg, const double *upper, const double axis[3], double *out);
