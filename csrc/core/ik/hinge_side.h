/* SPDX-License-Identifier: MIT */
/* Knees as hinges, a limb at a time. */
#pragma once

#include "core/transforms/matrix3.h"

/* The angle between a thigh and a shin, >= 0, in radians. */
double skl_flexion(const double thigh[3], const double shin[3]);

/* The axes of a joint's matrix without its scale and shear, as columns; those of a matrix that mirrors do, too. */
void skl_joint_axes(const skl_m3 matrix, skl_m3 out);

/* A hinge's axis in space, from that in the axes of its thigh: in mirrored ones, flexion turns the other way round. */
void skl_hinge_in_space(const skl_m3 axes, const double axis[3], double out[3]);

/* To which side of the new line from hip to end, `line`, the knee goes: a unit vector across it, or 0 0 0 where neither
 * the limb nor the hinge has a side. All of it in one space; a positive turn of the shin about `axis` is flexion.
 *
 * A limb that is bent by 20 degrees tells its bend plane itself, one bent by less than 4 leaves that to the hinge, and
 * so does one that comes out with another bend than it has: its own side, hardly shown, would count in full; and one
 * whose side is more than 60 degrees off the hinge's, whatever its bend, down to nothing at a right angle. A knee on
 * the wrong side goes to the mirror image of its side. The side is then carried by the smallest turn of the line. */
void skl_hinge_side(const double thigh[3], const double shin[3], const double axis[3], const double line[3],
                    double out[3]);
