/* SPDX-License-Identifier: MIT */
/* Figures that papers on motion synthesis give for feet; skelkin_py/planting/metrics.py names the papers. In double;
 * nothing here can fail. */
#pragma once

#include <stdint.h>

/* Feet, one after the other in every array. */
typedef struct skl_feet {
    int64_t num_feet, num_frames;
    const double *lowest; /* height of the sole above the ground, num_frames for each foot */
    const double *ball;   /* of the point under its ball */
    const double *steps;  /* level steps of that point, (num_frames - 1) x 3 */
    double fps;
    double metres; /* how many metres one unit of lengths is */
} skl_feet;

/* Figures of what needs two frames are 0 for one. */
typedef struct skl_literature {
    double skating_ratio;     /* part of the frames in which a foot moves although it is low */
    double weighted_slide_cm; /* per frame and foot, the more the lower it is */
    double penetration_mm, float_mm, contact_slide_mm;
    double physical_error_mm; /* the sum of the three before */
} skl_literature;

/* `scratch` is for num_feet x (num_frames - 1). */
void skl_literature_figures(const skl_feet *feet, double *scratch, skl_literature *out);
