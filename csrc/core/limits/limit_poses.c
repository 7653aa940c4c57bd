/* SPDX-License-Identifier: MIT */
/* Poses moved into the limits of their joints, joint by joint. */
#include <math.h>

#include "joint_limits.h"
#include "core/base/copy_pose.h"
#include "core/base/numbers.h"
#include "core/base/parallel_walk.h"
#include "core/base/status.h"
#include "core/base/stop.h"
#include "core/base/validate.h"

enum { POSE, INTO, ANGLE, WALKED };

/* Poses that are worth a thread's while. */
enum { ENOUGH_LIMITS = 4096 };

/* One joint of one pose; returns the angle by which it was outside. What is not finite stays as it is. */
static double limit_joint(const skl_limit_poses_job *job, const skl_joint_limit *limit, const char *from, char *to) {
    skl_m3 axes, turn, turned;
    double sum = 0;
    for (int i = 0; i < 9; i++) {
        axes[i] = skl_number(from, job->dtype, 4 * (i / 3) + i % 3);
        sum += axes[i] - axes[i];
    }
    if (!(sum >= 0 && sum <= 0)) return (double)NAN;
    const double angle = skl_limit_turn(limit, axes, !job->hard, job->dtype, turn);
    if (!(angle > 0) || !to) return angle;
    skl_m3_multiply(turn, axes, turned);
    for (int i = 0; i < 9; i++) skl_put(to, job->dtype, 4 * (i / 3) + i % 3, turned[i]);
    return angle;
}

static void limit_piece(void *context, const skl_walk *w, int worker) {
    const skl_limit_poses_job *job = context;
    const int64_t number = job->dtype == SKL_FLOAT32 ? 4 : 8;
    const skl_pose_copy copy = {job->dtype,    job->skeleton->num_joints, job->local.step,
                                job->out.step, job->local_rows,           job->out_rows};
    (void)worker;
    for (int64_t i = 0; i < w->run; i++) {
        const char *from = w->at[POSE] + i * w->step[POSE];
        char *to = w->at[INTO] ? w->at[INTO] + i * w->step[INTO] : NULL;
        if (to) skl_copy_pose(&copy, from, to);
        for (int64_t n = 0; n < job->num_limits; n++) {
            const int64_t joint = job->limits[n].joint;
            const double angle = limit_joint(job, &job->limits[n], from + joint * job->local.step,
                                             to ? to + joint * job->out.step : NULL);
            if (w->at[ANGLE]) skl_put(w->at[ANGLE] + i * w->step[ANGLE] + n * number, job->dtype, 0, angle);
        }
    }
}

skl_code skl_limit_poses_run(skl_limit_poses_job *job) {
    skl_batch batch;
    job->status.code = SKL_OK;
    skl_code code = skl_check_dtype(job->dtype, &job->status);
    if (code == SKL_OK) code = skl_check_skeleton(job->skeleton, &job->status);
    if (code == SKL_OK) code = skl_check_counted(job->limits, job->num_limits, "limits", &job->status);
    if (code == SKL_OK) code = skl_check_rows(job->local_rows, "local_rows", &job->status);
    if (code == SKL_OK && job->out.data) code = skl_check_rows(job->out_rows, "out_rows", &job->status);
    if (code != SKL_OK) return code;
    const int64_t number = skl_itemsize(job->dtype);
    const skl_operand operands[WALKED] = {
        {&job->local, "local", 0, 0, 0},
        {&job->out, "out", job->out_angle.data != NULL, job->skeleton->num_joints, 4 * job->out_rows * number},
        {&job->out_angle, "out_angle", job->out.data != NULL, 1, job->num_limits * number}};
    code = skl_check_operands(operands, WALKED, &batch, &job->status);
    if (code != SKL_OK) return code;
    for (int64_t n = 0; n < job->num_limits; n++)
        if (job->limits[n].joint < 0 || job->limits[n].joint >= job->skeleton->num_joints)
            return skl_fail(&job->status, SKL_BAD_VALUE, "limits", "there is no joint of this number");
    const int64_t grain = skl_grain(ENOUGH_LIMITS, job->num_limits, 1);
    return skl_walk_all(&batch, grain, limit_piece, job, &job->status);
}
