/* SPDX-License-Identifier: MIT */
/* Poses as Blender evaluates them: from the channels of bones to matrices in armature space, and back. */
#ifndef SKELKIN_BLENDER_POSE_H
#define SKELKIN_BLENDER_POSE_H

#include "skelkin/blender.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Values of PoseBone.rotation_mode. Euler orders are spelled in order of application. */
typedef enum skl_rotation_mode {
    SKL_ROTATE_QUATERNION = 0,
    SKL_ROTATE_XYZ = 1,
    SKL_ROTATE_XZY = 2,
    SKL_ROTATE_YXZ = 3,
    SKL_ROTATE_YZX = 4,
    SKL_ROTATE_ZXY = 5,
    SKL_ROTATE_ZYX = 6,
    SKL_ROTATE_AXIS_ANGLE = 7
} skl_rotation_mode;

/* Bones at rest, parents first, as Blender stores them; all arrays are packed. */
typedef struct skl_blender_bones {
    int64_t num_bones;      /* 0: nothing is done */
    const int32_t *parents; /* -1: a root */
    const float *rest;      /* (B,4,4) in armature space */
    const float *axes;      /* (B,3,3) in the parent's axes */
    const float *offsets;   /* (B,3) from the parent's tail, in its axes */
    const float *lengths;   /* (B,) */
    const uint8_t *connected;
    const uint8_t *inherit_rotation;
    const uint8_t *local_location;
    const uint8_t *inherit_scale; /* skl_inherit_scale */
} skl_blender_bones;

/* Channels of F frames, packed within a frame; float or double. `step` is from frame to frame, in numbers. */
typedef struct skl_channel {
    const void *data; /* NULL: as at rest */
    int64_t step;     /* 0: all frames share one */
} skl_channel;

typedef struct skl_blender_pose_job {
    const skl_blender_bones *bones;
    skl_dtype dtype;      /* SKL_FLOAT32 gives Blender's bits */
    int64_t num_frames;   /* F; 0: nothing is done */
    const uint8_t *modes; /* (B,) skl_rotation_mode */
    skl_channel location; /* (F,B,3) */
    skl_channel rotation; /* (F,B,4): w x y z; angle, axis; or three Euler angles and a number that is not read */
    skl_channel scale;    /* (F,B,3) */
    void *out;            /* (F,B,4,4) of the same precision */
    skl_status status;
} skl_blender_pose_job;

/* The matrices of bones in armature space. Method: docs/blender-parity.md. */
skl_code skl_blender_pose_run(skl_blender_pose_job *job);

typedef struct skl_blender_local_job {
    const skl_blender_bones *bones;
    skl_dtype dtype;
    int64_t num_frames; /* 0: nothing is done */
    skl_channel pose;   /* (F,B,4,4) in armature space; it must have data */
    void *out;          /* (F,B,4,4): what pose_bone.matrix_basis has to be */
    skl_status status;
} skl_blender_local_job;

/* The matrices that the channels of bones have to make up, for a pose to come out. */
skl_code skl_blender_local_run(skl_blender_local_job *job);

/* Bones with a parent that is moved, parents first, in poses of double. */
typedef struct skl_blender_follow_job {
    const skl_blender_bones *bones;
    int64_t num_frames;    /* 0: nothing is done */
    int64_t num_followers; /* 0: none */
    const int32_t *followers;
    const double *before; /* (F,B,4,4): the poses out of which the followers' channels are read */
    double *pose;         /* (F,B,4,4): where they are evaluated again */
    skl_status status;
} skl_blender_follow_job;

/* Put followers where their channels have them on parents that moved. */
skl_code skl_blender_follow_run(skl_blender_follow_job *job);

#ifdef __cplusplus
}
#endif

#endif
