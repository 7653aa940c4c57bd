/* SPDX-License-Identifier: MIT */
/* Values of F-curves on frames, as Blender evaluates them: in float32 throughout, operation by operation. */
#ifndef SKELKIN_BLENDER_FCURVES_H
#define SKELKIN_BLENDER_FCURVES_H

#include "skelkin/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Values of Keyframe.interpolation: how a curve runs from a key to the next one. */
typedef enum skl_interpolation {
    SKL_CONSTANT = 0,
    SKL_LINEAR_KEYS = 1,
    SKL_BEZIER = 2,
    SKL_BACK = 3,
    SKL_BOUNCE = 4,
    SKL_CIRC = 5,
    SKL_CUBIC = 6,
    SKL_ELASTIC = 7,
    SKL_EXPO = 8,
    SKL_QUAD = 9,
    SKL_QUART = 10,
    SKL_QUINT = 11,
    SKL_SINE = 12
} skl_interpolation;

/* Values of Keyframe.easing. */
typedef enum skl_easing { SKL_EASE_AUTO = 0, SKL_EASE_IN = 1, SKL_EASE_OUT = 2, SKL_EASE_IN_OUT = 3 } skl_easing;

/* A key: times and values of itself and of its handles, and what BACK and ELASTIC take. */
typedef struct skl_fcurve_key {
    float time, value;
    float left[2], right[2];
    float back, amplitude, period;
} skl_fcurve_key;

/* Values of FModifierCycles.mode_before and mode_after. */
typedef enum skl_cycle { SKL_CYCLE_NONE = 0, SKL_REPEAT = 1, SKL_REPEAT_OFFSET = 2, SKL_MIRROR = 3 } skl_cycle;

/* A Cycles modifier; whole numbers are kept as float too. Modes NONE on both sides: there is none. */
typedef struct skl_fcurve_cycles {
    float mode[2];  /* before the first key, after the last one */
    float count[2]; /* how many times; 0: for ever */
    float restricted, start, end, blend_in, blend_out;
    float influence; /* 1 where it is not used */
} skl_fcurve_cycles;

/* Keys of curve c are keys[starts[c]] up to keys[starts[c + 1]], times not descending. */
typedef struct skl_evaluate_fcurves_job {
    int64_t num_curves, num_frames; /* 0: nothing is done */
    const int64_t *starts;          /* num_curves + 1 */
    const skl_fcurve_key *keys;     /* finite */
    const uint8_t *interpolation;   /* per key */
    const uint8_t *easing;          /* per key */
    const uint8_t *linear;          /* per curve: extrapolation is LINEAR, not CONSTANT */
    const skl_fcurve_cycles *cycles;
    const float *frames;
    int rounds; /* MIRROR counts whole cycles in float32 (Blender 3.4); 0: in double (4.2 and later) */
    float *out; /* (num_frames, num_curves) */
    skl_status status;
} skl_evaluate_fcurves_job;

skl_code skl_evaluate_fcurves_run(skl_evaluate_fcurves_job *job);

#ifdef __cplusplus
}
#endif

#endif
