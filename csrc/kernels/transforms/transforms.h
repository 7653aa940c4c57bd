/* SPDX-License-Identifier: MIT */
/* Maps: what is done to each item of a batch on its own. Lanes are items. */
#pragma once

#include <stdint.h>

enum { SKL_MAP_INPUTS = 4, SKL_MAP_OUTPUTS = 4 };

/* One map per entry of the table. What goes in and out, in this order: */
typedef enum skl_map_verb {
    SKL_MAP_COMPOSE,              /* translation, quaternion -> matrix */
    SKL_MAP_COMPOSE_SCALED,       /* translation, quaternion, scale -> matrix */
    SKL_MAP_DECOMPOSE,            /* matrix -> translation, quaternion, scale */
    SKL_MAP_DECOMPOSE_SHEAR,      /* matrix -> translation, quaternion, scale, 3 x 3 */
    SKL_MAP_INVERT,               /* matrix -> matrix */
    SKL_MAP_INVERT_RIGID,         /* matrix -> matrix */
    SKL_MAP_INVERT_TRS,           /* matrix -> matrix */
    SKL_MAP_MULTIPLY,             /* left, right -> matrix */
    SKL_MAP_CONJUGATE,            /* left, matrix, right -> matrix */
    SKL_MAP_TRANSFORM_POINTS,     /* matrix, point -> point */
    SKL_MAP_QUATERNION_MULTIPLY,  /* quaternion, quaternion -> quaternion */
    SKL_MAP_QUATERNION_ROTATE,    /* quaternion, vector -> vector */
    SKL_MAP_QUATERNION_BETWEEN,   /* vector, vector -> quaternion */
    SKL_MAP_QUATERNION_SLERP,     /* quaternion, quaternion, number -> quaternion */
    SKL_MAP_FROM_MATRIX,          /* 3 x 3 -> quaternion */
    SKL_MAP_TO_MATRIX,            /* quaternion -> 3 x 3 */
    SKL_MAP_FROM_AXIS_ANGLE,      /* direction, number -> quaternion */
    SKL_MAP_TO_AXIS_ANGLE,        /* quaternion -> direction, number */
    SKL_MAP_FROM_ROTATION_VECTOR, /* vector -> quaternion */
    SKL_MAP_TO_ROTATION_VECTOR,   /* quaternion -> vector */
    SKL_MAP_SWING_TWIST,          /* quaternion, direction -> swing, twist */
    /* Euler angles in order of application, each number on its own: the caller's strides permute the axes. Even: the
     * order is a rotation of X Y Z; odd: it is one of Z Y X. */
    SKL_MAP_FROM_EULER_EVEN, /* three angles -> w and the parts of their axes */
    SKL_MAP_FROM_EULER_ODD,
    SKL_MAP_TO_EULER_EVEN, /* w and the parts of the axes -> three angles */
    SKL_MAP_TO_EULER_ODD,
    SKL_MAPS
} skl_map_verb;

/* Items lie `step` bytes apart, 0 where one serves all; the rows of a matrix `row` bytes apart. */
typedef struct skl_map_operand {
    char *at;
    int64_t step, row;
} skl_map_operand;

typedef struct skl_map_block {
    int64_t count;
    int32_t check_only; /* write nothing */
    int32_t out_rows;   /* of a matrix that is written: 4, or 3 to leave the last row out */
    skl_map_operand in[SKL_MAP_INPUTS], out[SKL_MAP_OUTPUTS];
} skl_map_block;

/* Returns 1 if an item broke a rule (a quaternion or direction without direction, a matrix without inverse); what is
 * written for it is of no use then. */
typedef int skl_map_fn(const skl_map_block *block);
