/* SPDX-License-Identifier: MIT */
/* What Blender computes from its armatures: each part is a job of its own header, and reads nothing of Blender. */
#ifndef SKELKIN_BLENDER_H
#define SKELKIN_BLENDER_H

#include "skelkin/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Values of Bone.inherit_scale. */
typedef enum skl_inherit_scale {
    SKL_INHERIT_FULL = 0,
    SKL_INHERIT_FIX_SHEAR = 1,
    SKL_INHERIT_ALIGNED = 2,
    SKL_INHERIT_AVERAGE = 3,
    SKL_INHERIT_NONE = 4,
    SKL_INHERIT_NONE_LEGACY = 5
} skl_inherit_scale;

#ifdef __cplusplus
}
#endif

#endif
