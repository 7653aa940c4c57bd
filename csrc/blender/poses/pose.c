/* SPDX-License-Identifier: MIT */
/* Poses as Blender evaluates them: checks, scratch, and tiles of frames. */
#include "pose_tiles.h"
#include "core/base/aligned.h"
#include "core/base/status.h"
#include "core/base/stop.h"
#include "core/base/validate.h"

static skl_code check_bones(const skl_blender_bones *bones, skl_status *status) {
    if (!bones) return skl_fail(status, SKL_BAD_VALUE, "bones", SKL_IS_MISSING);
    const skl_pointer pointers[] = {{bones->parents, "bones.parents"},
                                    {bones->rest, "bones.rest"},
                                    {bones->axes, "bones.axes"},
                                    {bones->offsets, "bones.offsets"},
                                    {bones->lengths, "bones.lengths"},
                                    {bones->connected, "bones.connected"},
                                    {bones->inherit_rotation, "bones.inherit_rotation"},
                                    {bones->local_location, "bones.local_location"},
                                    {bones->inherit_scale, "bones.inherit_scale"}};
    if (bones->num_bones < 0) return skl_fail(status, SKL_BAD_VALUE, "bones.num_bones", "it is negative");
    if (SKL_CHECK_POINTERS(pointers, status) != SKL_OK) return status->code;
    for (int64_t bone = 0; bone < bones->num_bones; bone++) {
        if (bones->parents[bone] < -1 || bones->parents[bone] >= bone)
            return skl_fail_at(status, "parents", bone, bones->parents[bone],
                               "it must be -1 or the index of an earlier bone");
        if (bones->inherit_scale[bone] > SKL_INHERIT_NONE_LEGACY)
            return skl_fail_at(status, "inherit_scale", bone, bones->inherit_scale[bone], "it must be 0 to 5");
    }
    return SKL_OK;
}

/* Scratch for one tile; NULL and a status where there is no memory. */
static void *tile_scratch(const skl_blender_bones *bones, skl_dtype dtype, skl_status *status) {
    const int64_t number = dtype == SKL_FLOAT32 ? 4 : 8;
    void *scratch = skl_aligned_alloc((bones->num_bones + 1) * SKL_FRAME_NUMBERS * number);
    if (!scratch) (void)skl_fail(status, SKL_NO_MEMORY, "pose", "there is not enough memory");
    return scratch;
}

static int frames_of_tile(int64_t num_frames, int64_t first) {
    return (int)(num_frames - first < SKL_FRAMES ? num_frames - first : SKL_FRAMES);
}

skl_code skl_blender_pose_run(skl_blender_pose_job *job) {
    job->status.code = SKL_OK;
    const skl_pointer pointers[] = {{job->modes, "modes"}, {job->out, "out"}};
    if (check_bones(job->bones, &job->status) != SKL_OK || skl_check_dtype(job->dtype, &job->status) != SKL_OK ||
        SKL_CHECK_POINTERS(pointers, &job->status) != SKL_OK)
        return job->status.code;
    for (int64_t bone = 0; bone < job->bones->num_bones; bone++)
        if (job->modes[bone] > SKL_ROTATE_AXIS_ANGLE)
            return skl_fail_at(&job->status, "rotation_mode", bone, job->modes[bone], "it must be 0 to 7");
    void *scratch = tile_scratch(job->bones, job->dtype, &job->status);
    if (!scratch) return job->status.code;
    for (int64_t first = 0; first < job->num_frames && skl_slowly_goes_on(first / SKL_FRAMES); first += SKL_FRAMES) {
        const int count = frames_of_tile(job->num_frames, first);
        if (job->dtype == SKL_FLOAT32)
            skl_blender_pose_tile_f32(job, first, count, scratch);
        else
            skl_blender_pose_tile_f64(job, first, count, scratch);
    }
    skl_aligned_free(scratch);
    return skl_done(&job->status);
}

skl_code skl_blender_local_run(skl_blender_local_job *job) {
    job->status.code = SKL_OK;
    const skl_pointer pointers[] = {{job->pose.data, "pose"}, {job->out, "out"}};
    if (check_bones(job->bones, &job->status) != SKL_OK || skl_check_dtype(job->dtype, &job->status) != SKL_OK ||
        SKL_CHECK_POINTERS(pointers, &job->status) != SKL_OK)
        return job->status.code;
    void *scratch = tile_scratch(job->bones, job->dtype, &job->status);
    if (!scratch) return job->status.code;
    for (int64_t first = 0; first < job->num_frames && skl_slowly_goes_on(first / SKL_FRAMES); first += SKL_FRAMES) {
        const int count = frames_of_tile(job->num_frames, first);
        if (job->dtype == SKL_FLOAT32)
            skl_blender_local_tile_f32(job, first, count, scratch);
        else
            skl_blender_local_tile_f64(job, first, count, scratch);
    }
    skl_aligned_free(scratch);
    return skl_done(&job->status);
}

static skl_code check_followers(skl_blender_follow_job *job) {
    for (int64_t i = 0; i < job->num_followers; i++) {
        const int64_t bone = job->followers[i];
        if (bone < 0 || bone >= job->bones->num_bones || job->bones->parents[bone] < 0)
            return skl_fail_at(&job->status, "followers", i, (double)bone, "it must be a bone that has a parent");
    }
    return SKL_OK;
}

skl_code skl_blender_follow_run(skl_blender_follow_job *job) {
    job->status.code = SKL_OK;
    const skl_pointer pointers[] = {{job->before, "before"}, {job->pose, "pose"}};
    if (check_bones(job->bones, &job->status) != SKL_OK || SKL_CHECK_POINTERS(pointers, &job->status) != SKL_OK ||
        skl_check_counted(job->followers, job->num_followers, "followers", &job->status) != SKL_OK ||
        check_followers(job) != SKL_OK)
        return job->status.code;
    void *scratch = tile_scratch(job->bones, SKL_FLOAT64, &job->status);
    if (!scratch) return job->status.code;
    for (int64_t first = 0; first < job->num_frames && skl_slowly_goes_on(first / SKL_FRAMES); first += SKL_FRAMES)
        skl_blender_follow_tile_f64(job, first, frames_of_tile(job->num_frames, first), scratch);
    skl_aligned_free(scratch);
    return skl_done(&job->status);
}
