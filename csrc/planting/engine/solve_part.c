/* SPDX-License-Identifier: MIT */
#include "solve_part.h"

#include <math.h>
#include <string.h>

#include "core/base/smoothstep.h"
#include "core/base/status.h"
#include "core/base/stop.h"
#include "core/transforms/vector3.h"
#include "planting/curves/curves.h"
#include "planting/motion/hinges.h"
#include "planting/motion/read_legs.h"
#include "planting/paths/bend_toes.h"
#include "skelkin/kinematics.h"

/* How much of a correction is allowed: 0 outside the range and beside lone frames, 1 inside. At those ends of the range
 * that are the clip's nothing fades; elsewhere it takes `window` frames. */
static int fade_in(const skl_solve_part_job *job, skl_arena *arena, double *ramp) {
    const double window = (double)job->window;
    const int64_t num = job->num_frames;
    double *far = NULL;
    if (memchr(job->alone, 1, (size_t)num)) {
        if (!(far = SKL_TAKE(arena, double, num))) return 0;
        skl_frames_to_nearest(job->alone, num, far);
    }
    for (int64_t f = 0; f < num; f++) {
        ramp[f] = 1.0;
        if (job->working.first > 0) ramp[f] *= skl_smoothstep((double)(f - job->working.first) / window);
        if (job->working.last < num - 1) ramp[f] *= skl_smoothstep((double)(job->working.last - f) / window);
        if (far) ramp[f] *= skl_smoothstep((far[f] - 1.0) / window);
    }
    return 1;
}

static double bend_at(const double *path, const double *shift, int64_t frame) {
    double apart[3];
    for (int i = 0; i < 3; i++) {
        double at[3];
        for (int step = 0; step < 3; step++) {
            const int64_t n = 3 * (frame - 1 + step) + i;
            at[step] = path[n] + (shift ? shift[n] : 0.0);
        }
        apart[i] = (at[2] - at[1]) - (at[1] - at[0]);
    }
    return skl_v3_length(apart);
}

/* By how much shifting it makes the body's acceleration greater at worst. */
static skl_code added_acceleration(skl_solve_part_job *job, skl_arena *arena) {
    job->added = 0.0;
    if (job->rig->mover < 0) return SKL_OK;
    double *path = SKL_TAKE(arena, double, 3 * job->num_frames);
    if (!path) return skl_fail(&job->status, SKL_NO_MEMORY, "local", "");
    const skl_code code =
        skl_joint_places(job->rig->skeleton, job->num_frames, job->local, job->rig->mover, path, &job->status);
    if (code != SKL_OK) return code;
    for (int64_t f = 1; f < job->num_frames - 1; f++)
        job->added = fmax(job->added, (bend_at(path, job->body, f) - bend_at(path, NULL, f)) * job->fps * job->fps);
    return SKL_OK;
}

/* The paths of ankles and body, and then the joints. */
static skl_code plan_and_solve(skl_solve_part_job *job, const double *ramp, skl_arena *arena) {
    const int64_t num = job->num_frames, legs = job->rig->num_legs;
    double length = 0.0, *drift = SKL_TAKE(arena, double, num);
    skl_plan_job plan = {.num_legs = legs,
                         .num_frames = num,
                         .ground = job->ground,
                         .legs = job->stances,
                         .window = job->window,
                         .ramp = ramp,
                         .alone = job->alone,
                         .whole = job->working.first == 0 && job->working.last == num - 1,
                         .drift = drift,
                         .body_moves = job->rig->mover >= 0,
                         .assumed = job->assumed,
                         .heights_only = job->heights_only,
                         .fps = job->fps,
                         .blend = job->blend,
                         .reach = job->reach,
                         .stretch = job->stretch,
                         .offsets = SKL_TAKE(arena, double, 3 * legs * num),
                         .body = job->body,
                         .changed = SKL_TAKE(arena, uint8_t, legs *num),
                         .missed = SKL_TAKE(arena, double, legs *num)};
    if (arena->failed) return skl_fail(&job->status, SKL_NO_MEMORY, "local", "");
    for (int64_t k = 0; k < legs; k++) length += job->stances[k].foot.track->length;
    plan.acceleration = job->acceleration * (length / (double)legs);
    for (int64_t f = 0; f < num; f++) drift[f] = job->drift.step * ((double)f - job->drift.zero);
    if (skl_plan_run(&plan) != SKL_OK) {
        job->status = plan.status;
        return plan.status.code;
    }
    for (int64_t k = 0; k < legs; k++) /* what fades outside contacts ends where the range does */
        for (int64_t i = 0; i < 3 * num; i++) job->stances[k].turn[i] *= ramp[i / 3];
    for (int64_t k = 0; k < legs; k++)
        for (int64_t i = 0; i < 3 * num; i++)
            job->legs[k].target[i] = job->stances[k].foot.track->ankle[i] + plan.offsets[3 * k * num + i];
    return skl_solve_legs(job, plan.changed, plan.missed, arena);
}

/* The legs' motion as it is planted. */
static skl_code read_planted(skl_solve_part_job *job, skl_arena *arena) {
    const int64_t num = job->num_frames, legs = job->rig->num_legs;
    skl_read_leg *read = SKL_TAKE(arena, skl_read_leg, legs);
    for (int64_t k = 0; read && k < legs; k++) {
        const skl_plant_leg *leg = &job->rig->legs[k];
        const skl_solved_leg *out = &job->legs[k];
        read[k] = (skl_read_leg){.hip = leg->chain[0],
                                 .knee = leg->chain[1],
                                 .ankle = leg->chain[2],
                                 .toe = leg->toe < 0 ? leg->chain[2] : leg->toe,
                                 .hip_at = out->hip,
                                 .knee_at = out->knee,
                                 .ankle_at = out->ankle,
                                 .foot = out->foot,
                                 .thigh = SKL_TAKE(arena, double, 9 * num)};
    }
    if (arena->failed) return skl_fail(&job->status, SKL_NO_MEMORY, "local", "");
    skl_read_legs_job reading = {
        .skeleton = job->rig->skeleton, .num_frames = num, .num_legs = legs, .local = job->planted, .legs = read};
    if (skl_read_legs_run(&reading) != SKL_OK) {
        job->status = reading.status;
        return reading.status.code;
    }
    for (int64_t k = 0; k < legs; k++) {
        const skl_leg_motion motion = {num, read[k].hip_at, read[k].knee_at, read[k].ankle_at};
        skl_knee_flexions(&motion, read[k].thigh, job->stances[k].foot.track->hinge, job->legs[k].flexion);
    }
    return SKL_OK;
}

/* The toes that may bend, one per leg that has any. */
static int64_t take_toes(const skl_solve_part_job *job, skl_toe *out) {
    int64_t count = 0;
    for (int64_t k = 0; k < job->rig->num_legs; k++) {
        const skl_plant_leg *leg = &job->rig->legs[k];
        const skl_standing_foot *foot = &job->stances[k].foot;
        if (!leg->has_tip) continue;
        out[count] = (skl_toe){.joint = leg->toe,
                               .parent = job->rig->skeleton->parents[leg->toe],
                               .length = foot->track->length,
                               .contacts = foot->contacts,
                               .rises = job->stances[k].rises,
                               .held = job->stances[k].held,
                               .skin = NAN,
                               .changed = job->changed + leg->toe * job->num_frames};
        memcpy(out[count].tip, leg->tip, sizeof leg->tip);
        count++;
    }
    return count;
}

static skl_code bend_toes(skl_solve_part_job *job, const double *ramp, skl_arena *arena) {
    const skl_skeleton *skeleton = job->rig->skeleton;
    const int64_t num = job->num_frames, joints = skeleton->num_joints;
    double *globals = SKL_TAKE(arena, double, 16 * joints * num);
    skl_toes_job toes = {.num_frames = num,
                         .num_joints = joints,
                         .local = job->planted,
                         .globals = globals,
                         .ground = job->ground,
                         .ramp = ramp,
                         .window = job->window,
                         .limit = job->toe_bend,
                         .toes = SKL_TAKE(arena, skl_toe, job->rig->num_legs)};
    if (arena->failed) return skl_fail(&job->status, SKL_NO_MEMORY, "local", "");
    if (!(toes.num_toes = take_toes(job, toes.toes))) return SKL_OK;
    skl_pose_job poses = {
        .skeleton = skeleton,
        .dtype = SKL_FLOAT64,
        .matrices = {.data = job->planted, .step = 128, .ndim = 1, .shape = {num}, .strides = {128 * joints}},
        .out = {.data = globals, .step = 128, .ndim = 1, .shape = {num}, .strides = {128 * joints}},
        .out_rows = 4};
    skl_code code = skl_forward_kinematics_run(&poses);
    if (code != SKL_OK) {
        job->status = poses.status;
        return code;
    }
    code = skl_read_skins(&toes);
    if (code == SKL_OK) code = skl_bend_toes(&toes);
    if (code != SKL_OK) job->status = toes.status;
    for (int64_t k = 0, n = 0; k < job->rig->num_legs; k++)
        if (job->rig->legs[k].has_tip) job->legs[k].skin = toes.toes[n++].skin;
    return code;
}

static skl_code solve(skl_solve_part_job *job, skl_arena *arena) {
    const int64_t num = job->num_frames;
    double *ramp = SKL_TAKE(arena, double, num);
    for (int64_t k = 0; k < job->rig->num_legs; k++) {
        job->stances[k].offset = SKL_TAKE(arena, double, 3 * num);
        job->stances[k].turn = SKL_TAKE(arena, double, 3 * num);
        job->legs[k].skin = NAN;
    }
    if (arena->failed || !fade_in(job, arena, ramp)) return skl_fail(&job->status, SKL_NO_MEMORY, "local", "");
    skl_code code = plan_and_solve(job, ramp, arena);
    if (code == SKL_OK) code = added_acceleration(job, arena);
    if (code == SKL_OK) code = read_planted(job, arena);
    if (code == SKL_OK && job->toe_bend > 0) code = bend_toes(job, ramp, arena);
    return code == SKL_OK ? skl_done(&job->status) : code;
}

skl_code skl_solve_part_run(skl_solve_part_job *job) {
    skl_arena arena = {0};
    job->status.code = SKL_OK;
    const skl_code code = solve(job, &arena);
    skl_arena_free(&arena);
    return code;
}
